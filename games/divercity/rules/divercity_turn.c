/* divercity_turn.c: a round of DiverCity: corporations, then the active diver; and the end. */
#include "base/bits.h"
#include "divercity/rules/divercity_rules.h"

#include <string.h>

/* ---- who has the word ----------------------------------------------------------------------- */

/* Divers may always act, for claims are open in every phase (C13, C35). */
static void give_word(struct divercity_pub *pub, enum divercity_phase phase, unsigned owes)
{
    const unsigned divers = divercity_rule(pub, DIVERCITY_SOLO) ? 1 : (1u << pub->n_hands) - 1;
    pub->head.phase = (uint8_t)phase;
    pub->head.owes = (uint8_t)owes;
    pub->head.may = (uint8_t)(owes | divers);
}

void divercity_ask(struct divercity_pub *pub, enum divercity_phase phase, unsigned hand)
{
    pub->asked = (uint8_t)hand;
    give_word(pub, phase, 1u << divercity_seat_of(pub, hand));
}

/* ---- the end (C16 - C19) -------------------------------------------------------------------- */

static inline enum divercity_reason verdict(const struct divercity_pub *pub)
{
    if (pub->saved >= pub->to_save)
        return DIVERCITY_BY_SAVED;
    if (pub->extinct >= pub->to_lose)
        return DIVERCITY_BY_EXTINCT;
    if (pub->hotels == DIVERCITY_ALL_BUILT)
        return DIVERCITY_BY_HOTELS;
    return DIVERCITY_UNDECIDED;
}

enum divercity_reason divercity_verdict(const struct divercity_pub *pub)
{
    return verdict(pub);
}

/* C19: nothing to play or discard, and nobody to talk to: no hand holds a card. */
static bool stuck(const struct divercity_pub *pub)
{
    if (pub->hand_n[pub->active] > 0)
        return false;
    for (unsigned hand = 0; hand < pub->n_hands; hand++)
        if (pub->hand_n[hand] > 0)
            return false;
    return true;
}

static void finish(struct divercity_state *s, enum divercity_reason reason, struct fm_notes *notes)
{
    struct divercity_pub *pub = &s->pub;
    pub->reason = (uint8_t)reason;
    pub->head.phase = DIVERCITY_OVER;
    pub->head.status = FM_OVER;
    pub->head.may = pub->head.owes = 0;
    memcpy(pub->shown, s->secret.hand, sizeof pub->shown);
    for (unsigned hand = 0; hand < pub->n_hands; hand++)
        fm_tell(notes, DIVERCITY_SHOWN, hand,
                divercity_bytes(pub->shown[hand], pub->hand_n[hand]) | (uint64_t)pub->hand_n[hand]
                                                                           << 32);
    fm_tell(notes, DIVERCITY_WON, FM_TABLE, reason);
}

/* After a change that is complete; C19 counts only while the action is due (C36). */
static inline bool ended(struct divercity_state *s, struct fm_notes *notes)
{
    enum divercity_reason reason = verdict(&s->pub);
    if (reason == DIVERCITY_UNDECIDED && !s->pub.acted && stuck(&s->pub))
        reason = DIVERCITY_BY_STUCK;
    if (reason != DIVERCITY_UNDECIDED)
        finish(s, reason, notes);
    return reason != DIVERCITY_UNDECIDED;
}

bool divercity_ended(struct divercity_state *s, struct fm_notes *notes)
{
    return ended(s, notes);
}

bool divercity_refill(struct divercity_state *s, unsigned hand, unsigned place,
                      struct fm_notes *notes)
{
    struct divercity_pub *pub = &s->pub;
    enum divercity_reason reason = verdict(pub);
    if (reason == DIVERCITY_UNDECIDED && pub->deck_n > 0) {
        divercity_draw(s, hand, place, notes);
        if (pub->deck_n == 0 && divercity_rule(pub, DIVERCITY_EMPTY_LOSES))
            reason = DIVERCITY_BY_EMPTY_DECK;
    } else {
        divercity_close_up(s, hand, place); /* C11 */
    }
    if (reason != DIVERCITY_UNDECIDED)
        finish(s, reason, notes);
    return reason == DIVERCITY_UNDECIDED;
}

/* ---- the corporations' turn (C5 - C9) ------------------------------------------------------- */

/*
 * Rules 1: with an empty deck a card of the discard serves, and goes back on top of it (C7). Which
 * one of equal cards it was, nobody can tell, so it is the latest.
 */
static uint8_t dynamited_again(struct divercity_state *s, struct fm_notes *notes)
{
    struct divercity_pub *pub = &s->pub;
    const uint8_t species = pub->discard[fm_rng_below(&s->secret.head.rng, pub->discard_n)];
    unsigned i = pub->discard_n - 1u;
    while (pub->discard[i] != species)
        i--;
    memmove(pub->discard + i, pub->discard + i + 1, pub->discard_n - 1u - i);
    pub->discard[pub->discard_n - 1] = species;
    fm_tell(notes, DIVERCITY_RESHUFFLED, FM_TABLE, 1);
    return species;
}

static void make_boat_pile(struct divercity_pub *pub, struct fm_notes *notes)
{
    for (unsigned i = 0; i < pub->discard_n; i++)
        pub->boat[pub->discard[i]]++;
    pub->boat_n = pub->discard_n;
    memset(pub->discard, 0, pub->discard_n);
    pub->discard_n = 0;
    fm_tell(notes, DIVERCITY_RESHUFFLED, FM_TABLE, 1);
}

/*
 * Rules 2: the shuffled discard is a pile that stays, and every later dynamite turns over its next
 * card; when it is used up it is made anew (C7). The rulebook makes a pile, not a single draw.
 */
static uint8_t boat_card(struct divercity_state *s, struct fm_notes *notes)
{
    struct divercity_pub *pub = &s->pub;
    if (pub->boat_n == 0)
        make_boat_pile(pub, notes);
    unsigned nth = fm_rng_below(&s->secret.head.rng, pub->boat_n);
    uint8_t species = 0;
    for (; nth >= pub->boat[species]; species++)
        nth -= pub->boat[species];
    pub->boat[species]--;
    pub->boat_n--;
    pub->discard[pub->discard_n++] = species;
    return species;
}

/* C7; false: it emptied the deck where that loses (C38). */
static bool dynamite(struct divercity_state *s, struct fm_notes *notes)
{
    struct divercity_pub *pub = &s->pub;
    if (pub->deck_n == 0 && pub->discard_n == 0 && pub->boat_n == 0)
        return true;
    uint8_t species;
    const bool from_deck = pub->deck_n > 0;
    if (from_deck) {
        species = s->secret.deck[--pub->deck_n];
        s->secret.deck[pub->deck_n] = DIVERCITY_NONE;
        pub->discard[pub->discard_n++] = species;
    } else {
        species = pub->head.rules >= 2 ? boat_card(s, notes) : dynamited_again(s, notes);
    }
    fm_tell(notes, DIVERCITY_DYNAMITED, FM_TABLE, species);
    if (from_deck && pub->deck_n == 0 && divercity_rule(pub, DIVERCITY_EMPTY_LOSES)) {
        finish(s, DIVERCITY_BY_EMPTY_DECK, notes);
        return false;
    }
    divercity_move(pub, species, -1, notes);
    return true;
}

static void build(struct divercity_pub *pub, unsigned effect, struct fm_notes *notes)
{
    const unsigned pair = divercity_pair(effect);
    for (unsigned m = notes ? pair & ~(unsigned)pub->hotels : 0; m != 0; m &= m - 1)
        fm_tell(notes, DIVERCITY_BUILT, FM_TABLE, fm__lowest(m));
    pub->hotels |= (uint8_t)pair;
}

/* C40: the card is done with. */
static void file_open_card(struct divercity_state *s, struct fm_notes *notes)
{
    struct divercity_pub *pub = &s->pub;
    if (pub->open != 0)
        divercity_discard_corp(pub, pub->open);
    pub->open = 0;
    if (pub->industrialist != DIVERCITY_NONE)
        divercity_fill_industry(s, notes);
    divercity_renew_at_once(s, notes);
}

void divercity_resume(struct divercity_state *s, struct fm_notes *notes)
{
    struct divercity_pub *pub = &s->pub;
    while (pub->due != 0) {
        const unsigned effect = divercity_effect(pub->due, 0);
        pub->due >>= 4;
        if (effect == DIVERCITY_OIL_RIG && pub->hand_n[pub->active] > 0) {
            divercity_ask(pub, DIVERCITY_RIG, pub->active);
            return;
        }
        if (effect == DIVERCITY_BOAT && !dynamite(s, notes))
            return;
        if (effect >= DIVERCITY_PAIR_0)
            build(pub, effect, notes);
        if (ended(s, notes))
            return;
    }
    file_open_card(s, notes);
    divercity_go_on(s, notes);
}

void divercity_begin_turn(struct divercity_state *s, unsigned hand, struct fm_notes *notes)
{
    struct divercity_pub *pub = &s->pub;
    pub->active = (uint8_t)hand;
    pub->acted = 0;
    pub->round++;
    fm_tell(notes, DIVERCITY_STARTS, hand, 0);
    if (pub->industrialist != DIVERCITY_NONE && pub->industry_n > 0) {
        give_word(pub, DIVERCITY_INDUSTRY_PLAY, 1u << pub->industrialist);
        return;
    }
    if (pub->industrialist == DIVERCITY_NONE)
        pub->open = divercity_draw_corp(s, notes);
    if (pub->open != 0) {
        divercity_count_seen(pub, pub->open, false);
        fm_tell(notes, DIVERCITY_TURNED, FM_TABLE, pub->open);
        pub->due = (uint8_t)divercity_counting(pub, pub->open);
    }
    divercity_resume(s, notes);
}

/* ---- the diver's turn (C10) ----------------------------------------------------------------- */

void divercity_end_turn(struct divercity_state *s, struct fm_notes *notes)
{
    divercity_begin_turn(s, (s->pub.active + 1u) % s->pub.n_hands, notes);
}

void divercity_go_on(struct divercity_state *s, struct fm_notes *notes)
{
    struct divercity_pub *pub = &s->pub;
    if (ended(s, notes))
        return;
    if (!pub->acted)
        divercity_ask(pub, DIVERCITY_ACTION, pub->active);
    else if (divercity_anyone_usable(pub))
        divercity_ask(pub, DIVERCITY_AFTER, pub->active);
    else
        divercity_end_turn(s, notes);
}

bool divercity_play(struct divercity_state *s, unsigned hand, unsigned place,
                    struct fm_notes *notes)
{
    const uint8_t species = divercity_discard(s, hand, place);
    fm_tell(notes, DIVERCITY_PLAYED, hand, species | place << 8);
    divercity_move(&s->pub, species, 1, notes);
    return divercity_refill(s, hand, place, notes);
}

enum fm_err divercity_may_talk(const struct divercity_pub *pub, unsigned hand, unsigned target,
                               uint64_t signs)
{
    if (target >= pub->n_hands)
        return FM_E_NO_DIVER;
    if (target == hand)
        return FM_E_OWN_HAND;
    if (pub->hand_n[target] == 0)
        return FM_E_EMPTY_HAND;
    if (!divercity_rule(pub, DIVERCITY_REALISTIC))
        return signs == 0 ? FM_OK : FM_E_NO_SIGNS;
    for (unsigned i = 0; i < DIVERCITY_HAND; i++) {
        const unsigned sign = divercity_sign(signs, i);
        if ((sign != 0) != (i < pub->hand_n[target]) || sign > DIVERCITY_SIGN_MAX)
            return FM_E_SIGNS;
    }
    return FM_OK;
}

void divercity_talk_to(struct divercity_state *s, unsigned hand, unsigned target, uint64_t signs,
                       struct fm_notes *notes)
{
    struct divercity_pub *pub = &s->pub;
    const unsigned n = pub->hand_n[target];
    if (divercity_rule(pub, DIVERCITY_REALISTIC)) { /* C33: signs, never the species */
        for (unsigned i = 0; i < n; i++)
            pub->sign[target][i] = (uint16_t)divercity_sign(signs, i);
        fm_tell(notes, DIVERCITY_TALKED, hand, target | signs << 3);
        return;
    }
    pub->told[target] = (uint8_t)((1u << n) - 1);
    if (pub->variants & (DIVERCITY_BEGINNERS | DIVERCITY_FACE_UP)) /* C28 */
        pub->face_up[target] = pub->told[target];
    divercity_show_hand(s, target);
    fm_tell_some(notes, DIVERCITY_TALKED, hand, target | n << 8,
                 divercity_bytes(s->secret.hand[target], n), divercity_seats(pub));
}
