/* divercity_cards.c: hands, piles and the ladder of DiverCity, and who gets to see what. */
#include "base/bits.h"
#include "divercity/rules/divercity_rules.h"

#include <string.h>

/* ---- notes ---------------------------------------------------------------------------------- */

uint64_t divercity_bytes(const uint8_t *cards, unsigned n)
{
    uint64_t bytes = 0;
    memcpy(&bytes, cards, n);
    return bytes;
}

/* ---- private blocks ------------------------------------------------------------------------- */

static void show_card(struct divercity_state *s, unsigned hand, unsigned place)
{
    const uint8_t card = s->secret.hand[hand][place];
    for (unsigned seat = 0; seat < s->pub.head.n_seats; seat++)
        s->priv[seat].hand[hand][place] =
            divercity_sees(&s->pub, seat, hand, place) ? card : DIVERCITY_NONE;
}

void divercity_show_hand(struct divercity_state *s, unsigned hand)
{
    for (unsigned place = 0; place < DIVERCITY_HAND; place++)
        show_card(s, hand, place);
}

/* C24: what the visionary has shown, everybody knows as long as it lies there. */
static void show_next(struct divercity_state *s)
{
    struct divercity_pub *pub = &s->pub;
    for (unsigned i = 0; i < DIVERCITY_LOOK && pub->showed; i++)
        pub->next[i] = i < pub->looked ? s->secret.corp_deck[pub->corp_deck_n - 1 - i] : 0;
}

/* The industrialist knows its hand, the visionary what it looked at as long as that lies there. */
void divercity_show_corps(struct divercity_state *s)
{
    const struct divercity_pub *pub = &s->pub;
    const bool hand = pub->industrialist != DIVERCITY_NONE;
    if (hand)
        memcpy(s->priv[pub->industrialist].corp, s->secret.industry, DIVERCITY_INDUSTRY);
    if (pub->owner[DIVERCITY_VISIONARY_CARD] == DIVERCITY_NONE)
        return;
    show_next(s);
    uint8_t *known = s->priv[divercity_seat_of(pub, pub->owner[DIVERCITY_VISIONARY_CARD])].corp;
    for (unsigned i = 0; i < DIVERCITY_LOOK; i++) {
        if (hand)
            known[i] = pub->looked >> i & 1 ? s->secret.industry[i] : 0;
        else
            known[i] = i < pub->looked ? s->secret.corp_deck[pub->corp_deck_n - 1 - i] : 0;
    }
}

void divercity_show_all(struct divercity_state *s)
{
    for (unsigned seat = 0; seat < DIVERCITY_SEATS; seat++)
        memset(s->priv[seat].hand, DIVERCITY_NONE, sizeof s->priv[seat].hand);
    for (unsigned hand = 0; hand < s->pub.n_hands; hand++)
        divercity_show_hand(s, hand);
    divercity_show_corps(s);
}

/* ---- sets of places ------------------------------------------------------------------------- */

/* Take bit `place` out of, or put a zero bit into, a set of places. */
static unsigned cut_bit(unsigned set, unsigned place)
{
    return (set & ((1u << place) - 1)) | set >> (place + 1) << place;
}

static unsigned insert_bit(unsigned set, unsigned place)
{
    return (set & ((1u << place) - 1)) | set >> place << (place + 1);
}

/* ---- species cards -------------------------------------------------------------------------- */

uint8_t divercity_discard(struct divercity_state *s, unsigned hand, unsigned place)
{
    struct divercity_pub *pub = &s->pub;
    const uint8_t species = s->secret.hand[hand][place];
    pub->discard[pub->discard_n++] = species;
    return species;
}

/* What was known, claimed or signed of a card leaves with it (C35). */
static void forget(struct divercity_pub *pub, unsigned hand, unsigned place)
{
    pub->told[hand] &= (uint8_t) ~(1u << place);
    pub->face_up[hand] &= (uint8_t) ~(1u << place);
    pub->claim[hand][place] = DIVERCITY_NONE;
    pub->sign[hand][place] = 0;
}

void divercity_draw(struct divercity_state *s, unsigned hand, unsigned place,
                    struct fm_notes *notes)
{
    struct divercity_pub *pub = &s->pub;
    const uint8_t species = s->secret.deck[--pub->deck_n];
    s->secret.deck[pub->deck_n] = DIVERCITY_NONE;
    s->secret.hand[hand][place] = species;
    forget(pub, hand, place);
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++)
        s->priv[seat].hand[hand][place] =
            divercity_rule(pub, DIVERCITY_SOLO) ? DIVERCITY_NONE : species;
    s->priv[divercity_seat_of(pub, hand)].hand[hand][place] = DIVERCITY_NONE;
    fm_tell_some(notes, DIVERCITY_DREW, hand, place, species, divercity_watching(pub, hand));
}

void divercity_close_up(struct divercity_state *s, unsigned hand, unsigned place)
{
    struct divercity_pub *pub = &s->pub;
    const unsigned n = --pub->hand_n[hand];
    const unsigned told = cut_bit(pub->told[hand], place);
    const unsigned face_up = cut_bit(pub->face_up[hand], place);
    for (unsigned i = place; i < n; i++) {
        s->secret.hand[hand][i] = s->secret.hand[hand][i + 1];
        pub->claim[hand][i] = pub->claim[hand][i + 1];
        pub->sign[hand][i] = pub->sign[hand][i + 1];
    }
    s->secret.hand[hand][n] = DIVERCITY_NONE;
    forget(pub, hand, n);
    pub->told[hand] = (uint8_t)told;
    pub->face_up[hand] = (uint8_t)face_up;
    divercity_show_hand(s, hand);
}

/* ---- the ladder (C15) ----------------------------------------------------------------------- */

void divercity_move(struct divercity_pub *pub, unsigned species, int by, struct fm_notes *notes)
{
    const enum divercity_zone from = divercity_zone_of(pub, species);
    if (from == DIVERCITY_EXTINCT || from == DIVERCITY_SAVED)
        return;
    const unsigned to = (unsigned)((int)from + by);
    pub->zone[from] &= (uint16_t) ~(1u << species);
    pub->zone[to] |= (uint16_t)(1u << species);
    if (to == DIVERCITY_SAVED)
        pub->saved++;
    if (to == DIVERCITY_EXTINCT)
        pub->extinct++;
    fm_tell(notes, DIVERCITY_MOVED, FM_TABLE, species | from << 8 | to << 16);
}

/* ---- corporation cards ---------------------------------------------------------------------- */

#define RED    1
#define GREEN  2
#define PURPLE 4
#define YELLOW 8
#define BLUE   16
#define ORANGE 32

uint8_t divercity_pair(unsigned effect)
{
    static const uint8_t pairs[DIVERCITY_PAIRS] = {
        RED | PURPLE,    PURPLE | GREEN,  GREEN | BLUE,  BLUE | YELLOW,
        YELLOW | ORANGE, ORANGE | RED,    RED | YELLOW,  YELLOW | GREEN,
        GREEN | ORANGE,  ORANGE | PURPLE, PURPLE | BLUE, BLUE | RED,
    };
    return pairs[effect - DIVERCITY_PAIR_0];
}

void divercity_discard_corp(struct divercity_pub *pub, uint8_t card)
{
    pub->corp_discard[pub->corp_discard_n++] = card;
    pub->filed = 1;
}

/* One of a set of cards of the box that is like this one, as a bit; 0: there is none. */
static uint32_t one_like(const struct divercity_pub *pub, uint8_t card, uint32_t among)
{
    for (; among != 0; among &= among - 1)
        if (pub->corps_in_box[fm__lowest(among)] == card)
            return among & -among;
    return 0;
}

void divercity_count_seen(struct divercity_pub *pub, uint8_t card, bool old)
{
    if (pub->industrialist == DIVERCITY_NONE)
        return;
    if (old)
        pub->old &= ~one_like(pub, card, pub->old);
    else
        pub->fresh &= ~one_like(pub, card, pub->fresh);
}

unsigned divercity_unseen_corps(const struct divercity_pub *pub,
                                uint8_t cards[DIVERCITY_CORPORATIONS])
{
    uint32_t left = pub->fresh | pub->old;
    unsigned n = 0;
    if (pub->industrialist == DIVERCITY_NONE) { /* not counted down: the discard says it all */
        for (unsigned i = 0; i < pub->corp_discard_n; i++)
            left &= ~one_like(pub, pub->corp_discard[i], left);
        left &= ~one_like(pub, pub->open, left);
    }
    for (; left != 0; left &= left - 1)
        cards[n++] = pub->corps_in_box[fm__lowest(left)];
    return n;
}

/* What lies in the discard is fresh from now on; what does not, and is unseen, is old. */
static void count_renewed(struct divercity_pub *pub)
{
    pub->old |= pub->fresh;
    pub->fresh = 0;
    if (pub->head.rules >= 2 && pub->industrialist == DIVERCITY_NONE)
        pub->old = 0; /* the discard is all there is: everybody saw what the new deck is made of */
    pub->industry_old = (uint8_t)((1u << pub->industry_n) - 1);
    for (unsigned i = 0; i < pub->corp_discard_n; i++)
        pub->fresh |=
            one_like(pub, pub->corp_discard[i], DIVERCITY_ALL_CORPS & ~pub->old & ~pub->fresh);
}

/* C9: the discard becomes the deck. Rules 1: when a card is needed and there is none (C40). */
static void renew_corps(struct divercity_state *s, struct fm_notes *notes)
{
    struct divercity_pub *pub = &s->pub;
    count_renewed(pub);
    memcpy(s->secret.corp_deck, pub->corp_discard, pub->corp_discard_n);
    memset(pub->corp_discard, 0, pub->corp_discard_n);
    pub->corp_deck_n = pub->corp_discard_n;
    pub->corp_discard_n = 0;
    fm_shuffle_small(&s->secret.head.rng, s->secret.corp_deck, pub->corp_deck_n);
    fm_tell(notes, DIVERCITY_RESHUFFLED, FM_TABLE, 0);
}

/*
 * C9, rules 2: "shuffle the discard at once" means as soon as the deck is empty, not when the next
 * card is needed: the visionary has something to look at. It begins with the first discarded card,
 * so that a given position stands as it was given.
 */
void divercity_renew_at_once(struct divercity_state *s, struct fm_notes *notes)
{
    const struct divercity_pub *pub = &s->pub;
    if (pub->head.rules >= 2 && pub->filed && pub->corp_deck_n == 0 && pub->corp_discard_n > 0)
        renew_corps(s, notes);
}

uint8_t divercity_draw_corp(struct divercity_state *s, struct fm_notes *notes)
{
    struct divercity_pub *pub = &s->pub;
    if (pub->corp_deck_n == 0 && pub->corp_discard_n > 0)
        renew_corps(s, notes);
    if (pub->corp_deck_n == 0)
        return 0;
    const uint8_t card = s->secret.corp_deck[--pub->corp_deck_n];
    s->secret.corp_deck[pub->corp_deck_n] = 0;
    if (pub->looked > 0 && pub->industrialist == DIVERCITY_NONE) {
        pub->looked--;
        divercity_show_corps(s);
    }
    return card;
}

void divercity_take_industry(struct divercity_state *s, unsigned place)
{
    struct divercity_pub *pub = &s->pub;
    uint8_t *hand = s->secret.industry;
    const unsigned n = --pub->industry_n;
    divercity_count_seen(pub, hand[place], pub->industry_old >> place & 1);
    memmove(hand + place, hand + place + 1, n - place);
    hand[n] = 0;
    pub->industry_old = (uint8_t)cut_bit(pub->industry_old, place);
    pub->looked = (uint8_t)cut_bit(pub->looked, place);
    divercity_show_corps(s);
}

/* C35: the first card takes the played one's place, further ones go to the end. */
void divercity_fill_industry(struct divercity_state *s, struct fm_notes *notes)
{
    struct divercity_pub *pub = &s->pub;
    uint8_t *hand = s->secret.industry;
    unsigned place = pub->industry_gap;
    while (pub->industry_n < DIVERCITY_INDUSTRY) {
        const uint8_t card = divercity_draw_corp(s, notes);
        if (card == 0)
            break;
        if (place > pub->industry_n)
            place = pub->industry_n;
        memmove(hand + place + 1, hand + place, pub->industry_n - place);
        hand[place] = card;
        pub->looked = (uint8_t)insert_bit(pub->looked, place);
        pub->industry_old = (uint8_t)insert_bit(pub->industry_old, place);
        pub->industry_n++;
        fm_tell_some(notes, DIVERCITY_FILLED, pub->industrialist, place, card,
                     1u << pub->industrialist);
        place = pub->industry_n;
    }
    pub->industry_gap = DIVERCITY_INDUSTRY;
    divercity_show_corps(s);
}
