/* divercity_setup.c: DiverCity's options, deals and given positions; other worlds for a view. */
#include "base/bits.h"
#include "divercity/rules/divercity_rules.h"

#include <string.h>

/* ---- options together (C2, C28, C34, C42) --------------------------------------------------- */

static const struct {
    uint8_t save, lose;
} levels[] = {{5, 5}, {6, 5}, {7, 5}, {8, 5}, {7, 4}, {8, 4}, {9, 3}, {4, 6}};

#define FREEDIVING 7

enum fm_err divercity_settle(struct fm_setup *setup, struct fm_fault *fault)
{
    int16_t *option = setup->option;
    const bool beginners = option[DIVERCITY_OPT_BEGINNERS];
    const int divers = option[DIVERCITY_OPT_DIVERS];
    const int seats = divers + (option[DIVERCITY_OPT_INDUSTRIALIST] != 0);
    setup->n_seats = (uint8_t)seats;
    if (beginners && !(setup->given >> DIVERCITY_OPT_DIVER_CARDS & 1))
        option[DIVERCITY_OPT_DIVER_CARDS] = DIVERCITY_NO_DIVERS;
    if (setup->rules >= 2) { /* C28: "all variants are optional and can be combined": each alone */
        if (beginners && !(setup->given >> DIVERCITY_OPT_SIMPLE & 1))
            option[DIVERCITY_OPT_SIMPLE] = true;
        if (beginners && !(setup->given >> DIVERCITY_OPT_FACE_UP & 1))
            option[DIVERCITY_OPT_FACE_UP] = true;
    } else if (beginners && option[DIVERCITY_OPT_DIVER_CARDS] != DIVERCITY_NO_DIVERS) {
        return fm_fail_values(fault, FM_E_BEGINNERS, "options.diver_cards", NULL);
    } else if (!beginners && option[DIVERCITY_OPT_LEVEL] == FREEDIVING) {
        return fm_fail_values(fault, FM_E_FREEDIVING, "options.level", NULL);
    }
    if (divers == 1 && option[DIVERCITY_OPT_REALISTIC])
        return fm_fail_values(fault, FM_E_NO_PARTNER, "options.realistic", NULL);
    if (option[DIVERCITY_OPT_FIRST] >= divers && option[DIVERCITY_OPT_FIRST] < seats)
        return fm_fail_values(fault, FM_E_INDUSTRIALIST, "options.first",
                              FM_VALUES({"seat", option[DIVERCITY_OPT_FIRST]}));
    return FM_OK;
}

/* ---- dealing -------------------------------------------------------------------------------- */

struct stock { /* cards that lie nowhere yet */
    uint8_t card[DIVERCITY_SPECIES_CARDS];
    unsigned n;
};

/* Take one such card out, if there is one: the composition of a given position is free. */
static void take_out(struct stock *stock, uint8_t card)
{
    for (unsigned i = 0; i < stock->n; i++) {
        if (stock->card[i] == card) {
            stock->card[i] = stock->card[--stock->n];
            return;
        }
    }
}

static void take_out_all(struct stock *stock, const uint8_t *cards, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        take_out(stock, cards[i]);
}

static void all_species(struct stock *stock, const struct divercity_pub *pub)
{
    stock->n = 0;
    for (unsigned species = 0; species < DIVERCITY_SPECIES; species++)
        for (unsigned i = 0; i < pub->species_in_box[species]; i++)
            stock->card[stock->n++] = (uint8_t)species;
}

static void corps_of(struct stock *stock, const struct divercity_pub *pub, uint32_t set)
{
    stock->n = 0;
    for (; set != 0; set &= set - 1)
        stock->card[stock->n++] = pub->corps_in_box[fm__lowest(set)];
}

/* A pile given from its top, put where the top is the last. */
static uint8_t stack_up(uint8_t *pile, const uint8_t *given, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        pile[n - 1 - i] = given[i];
    return (uint8_t)n;
}

static void clear(struct divercity_state *s, const struct fm_setup *setup)
{
    struct divercity_pub *pub = &s->pub;
    const int16_t *option = setup->option;
    const struct divercity_box *box = (const void *)setup->deck.cards;
    const bool solo = option[DIVERCITY_OPT_DIVERS] == 1;
    const bool beginners = setup->rules < 2 && option[DIVERCITY_OPT_BEGINNERS];
    pub->variants = (uint8_t)((beginners ? DIVERCITY_BEGINNERS : 0) |
                              (option[DIVERCITY_OPT_REALISTIC] ? DIVERCITY_REALISTIC : 0) |
                              (option[DIVERCITY_OPT_ANY_TURN] ? DIVERCITY_ANY_TURN : 0) |
                              (option[DIVERCITY_OPT_EMPTY_DECK] ? DIVERCITY_EMPTY_LOSES : 0) |
                              (solo ? DIVERCITY_SOLO : 0) |
                              (option[DIVERCITY_OPT_SIMPLE] ? DIVERCITY_SIMPLE : 0) |
                              (option[DIVERCITY_OPT_FACE_UP] ? DIVERCITY_FACE_UP : 0));
    pub->sharing = (uint8_t)option[DIVERCITY_OPT_DIVER_CARDS];
    pub->to_save = levels[option[DIVERCITY_OPT_LEVEL]].save;
    pub->to_lose = levels[option[DIVERCITY_OPT_LEVEL]].lose;
    pub->n_hands = (uint8_t)(solo ? 2 : option[DIVERCITY_OPT_DIVERS]);
    pub->industrialist =
        option[DIVERCITY_OPT_INDUSTRIALIST] ? (uint8_t)(setup->n_seats - 1) : DIVERCITY_NONE;
    pub->industry_gap = DIVERCITY_INDUSTRY;
    pub->zone[DIVERCITY_BLUE] = (1u << DIVERCITY_SPECIES) - 1;
    memset(pub->owner, DIVERCITY_NONE, sizeof pub->owner);
    memset(pub->claim, DIVERCITY_NONE, sizeof pub->claim);
    memset(pub->shown, DIVERCITY_NONE, sizeof pub->shown);
    memcpy(pub->species_in_box, box->species, sizeof pub->species_in_box);
    memcpy(pub->corps_in_box, box->corporations, sizeof pub->corps_in_box);
    memset(s->secret.hand, DIVERCITY_NONE, sizeof s->secret.hand);
    memset(s->secret.deck, DIVERCITY_NONE, sizeof s->secret.deck);
}

/* What a scenario says of tokens and hotels. */
static void lay_sea(struct divercity_pub *pub, const struct divercity_position *given)
{
    for (unsigned species = 0; species < DIVERCITY_SPECIES; species++) {
        if (given->lifted[species] == 0)
            continue;
        pub->zone[DIVERCITY_BLUE] &= (uint16_t) ~(1u << species);
        pub->zone[given->lifted[species] - 1] |= (uint16_t)(1u << species);
    }
    pub->saved = (uint8_t)fm__count(pub->zone[DIVERCITY_SAVED]);
    pub->extinct = (uint8_t)fm__count(pub->zone[DIVERCITY_EXTINCT]);
    pub->hotels = given->built;
}

/* Given hands, deck and discard as they are; the others out of what is left of the box. */
static void deal_species(struct divercity_state *s, const struct divercity_position *given)
{
    struct divercity_pub *pub = &s->pub;
    struct stock rest;
    all_species(&rest, pub);
    take_out_all(&rest, given->deck, given->deck_n);
    take_out_all(&rest, given->discard, given->discard_n);
    for (unsigned hand = 0; hand < pub->n_hands && given->has_hands; hand++)
        take_out_all(&rest, given->hand[hand], given->hand_n[hand]);
    fm_shuffle_small(&s->secret.head.rng, rest.card, rest.n);

    const unsigned size = pub->n_hands == 2 ? 4 : 3; /* C2 */
    for (unsigned hand = 0; hand < pub->n_hands; hand++) {
        unsigned n = given->hand_n[hand];
        memcpy(s->secret.hand[hand], given->hand[hand], n);
        while (!given->has_hands && n < size && rest.n > 0)
            s->secret.hand[hand][n++] = rest.card[--rest.n];
        pub->hand_n[hand] = (uint8_t)n;
    }
    memcpy(pub->discard, given->discard, given->discard_n);
    pub->discard_n = given->discard_n;
    if (given->has_deck) {
        pub->deck_n = stack_up(s->secret.deck, given->deck, given->deck_n);
        return;
    }
    memcpy(s->secret.deck, rest.card, rest.n);
    pub->deck_n = (uint8_t)rest.n;
}

static void deal_corps(struct divercity_state *s, const struct divercity_position *given)
{
    struct divercity_pub *pub = &s->pub;
    struct stock rest;
    corps_of(&rest, pub, DIVERCITY_ALL_CORPS);
    take_out_all(&rest, given->corp_deck, given->corp_deck_n);
    take_out_all(&rest, given->corp_discard, given->corp_discard_n);
    take_out_all(&rest, given->industry, given->industry_n);
    fm_shuffle_small(&s->secret.head.rng, rest.card, rest.n);

    if (pub->industrialist != DIVERCITY_NONE) {
        memcpy(s->secret.industry, given->industry, given->industry_n);
        pub->industry_n = given->industry_n;
        while (!given->has_industry && pub->industry_n < DIVERCITY_INDUSTRY && rest.n > 0)
            s->secret.industry[pub->industry_n++] = rest.card[--rest.n];
    }
    memcpy(pub->corp_discard, given->corp_discard, given->corp_discard_n);
    pub->corp_discard_n = given->corp_discard_n;
    pub->fresh = DIVERCITY_ALL_CORPS;
    for (unsigned i = 0; i < pub->corp_discard_n; i++)
        divercity_count_seen(pub, pub->corp_discard[i], false);
    if (given->has_corp_deck) {
        pub->corp_deck_n = stack_up(s->secret.corp_deck, given->corp_deck, given->corp_deck_n);
        return;
    }
    memcpy(s->secret.corp_deck, rest.card, rest.n);
    pub->corp_deck_n = (uint8_t)rest.n;
}

static void deal_divers(struct divercity_state *s, struct fm_notes *notes)
{
    uint8_t divers[DIVERCITY_DIVERS];
    for (unsigned i = 0; i < DIVERCITY_DIVERS; i++)
        divers[i] = (uint8_t)i;
    for (unsigned hand = 0, n = DIVERCITY_DIVERS; hand < s->pub.n_hands; hand++, n--) {
        const unsigned i = fm_rng_below(&s->secret.head.rng, n);
        divercity_own(&s->pub, hand, divers[i], notes);
        divers[i] = divers[n - 1];
    }
}

static void tell_deal(const struct divercity_state *s, struct fm_notes *notes)
{
    const struct divercity_pub *pub = &s->pub;
    if (notes == NULL)
        return;
    for (unsigned hand = 0; hand < pub->n_hands; hand++) {
        const uint64_t cards = divercity_bytes(s->secret.hand[hand], pub->hand_n[hand]);
        fm_tell_some(notes, DIVERCITY_DEALT, hand, pub->hand_n[hand], cards,
                     divercity_watching(pub, hand));
    }
    for (unsigned i = 0; i < pub->industry_n; i++)
        fm_tell_some(notes, DIVERCITY_FILLED, pub->industrialist, i, s->secret.industry[i],
                     1u << pub->industrialist);
}

/* C29, C41: the cards are taken by the divers before anything else happens. */
static void ask_to_take(struct divercity_pub *pub)
{
    const bool solo = divercity_rule(pub, DIVERCITY_SOLO);
    pub->head.phase = DIVERCITY_SETUP;
    pub->head.owes = pub->head.may = (uint8_t)(solo ? 1 : (1u << pub->n_hands) - 1);
}

enum fm_err divercity_init(void *state, const struct fm_setup *setup, struct fm_notes *notes)
{
    static const struct divercity_position nothing_given;
    struct divercity_state *s = state;
    struct divercity_pub *pub = &s->pub;
    const struct divercity_position *given =
        setup->has_position ? (const void *)setup->position : &nothing_given;
    clear(s, setup);
    lay_sea(pub, given);
    deal_species(s, given);
    deal_corps(s, given);
    const int chosen = setup->option[DIVERCITY_OPT_FIRST];
    if (given->has_active)
        pub->active = given->active;
    else
        pub->active =
            (uint8_t)(chosen == FM_RANDOM ? fm_rng_below(&s->secret.head.rng, pub->n_hands)
                                          : (uint32_t)chosen);
    if (divercity_verdict(pub) != DIVERCITY_UNDECIDED ||
        (pub->deck_n == 0 && divercity_rule(pub, DIVERCITY_EMPTY_LOSES)))
        return FM_E_SETUP; /* a position in which the game is over already */

    tell_deal(s, notes);
    for (unsigned diver = 0; diver < DIVERCITY_DIVERS && given->has_divers; diver++)
        if (given->owner[diver] != DIVERCITY_NONE)
            divercity_own(pub, given->owner[diver], diver, notes);
    if (!given->has_divers && pub->sharing == DIVERCITY_BY_CHANCE)
        deal_divers(s, notes);
    divercity_show_all(s);
    fm_tell(notes, DIVERCITY_BEGINS, pub->active, 0);
    if (!given->has_divers &&
        (pub->sharing == DIVERCITY_CHOOSE || pub->sharing == DIVERCITY_FULL_TEAM))
        ask_to_take(pub);
    else
        divercity_begin_turn(s, pub->active, notes);
    return FM_OK;
}

/* ---- other worlds --------------------------------------------------------------------------- */

/* The next of the unknown cards; a position that was given may need more than the box has. */
static uint8_t guess(struct stock *stock, const struct stock *box, struct fm_rng *rng)
{
    return stock->n > 0 ? stock->card[--stock->n] : box->card[fm_rng_below(rng, box->n)];
}

/* Hands and deck: what the viewer sees stays, the rest is drawn from what it cannot place. */
static void guess_species(struct divercity_state *s, struct fm_view v, struct fm_rng *rng)
{
    const struct divercity_pub *pub = &s->pub;
    const struct divercity_priv *priv = (const void *)v.priv;
    struct stock box, rest;
    memcpy(s->secret.hand, priv != NULL ? priv->hand : pub->shown, sizeof s->secret.hand);
    if (pub->head.status == FM_OVER)
        memcpy(s->secret.hand, pub->shown, sizeof s->secret.hand);
    all_species(&box, pub);
    rest = box;
    take_out_all(&rest, pub->discard, pub->discard_n);
    for (unsigned species = 0; species < DIVERCITY_SPECIES; species++)
        for (unsigned i = 0; i < pub->boat[species]; i++)
            take_out(&rest, (uint8_t)species);
    for (unsigned hand = 0; hand < pub->n_hands; hand++)
        take_out_all(&rest, s->secret.hand[hand], DIVERCITY_HAND);
    fm_shuffle_small(rng, rest.card, rest.n);
    for (unsigned hand = 0; hand < pub->n_hands; hand++)
        for (unsigned i = 0; i < pub->hand_n[hand]; i++)
            if (s->secret.hand[hand][i] == DIVERCITY_NONE)
                s->secret.hand[hand][i] = guess(&rest, &box, rng);
    memset(s->secret.deck, DIVERCITY_NONE, sizeof s->secret.deck);
    for (unsigned i = 0; i < pub->deck_n; i++)
        s->secret.deck[i] = guess(&rest, &box, rng);
}

/* The industrialist's hand and the corporation deck likewise. */
static void guess_corps(struct divercity_state *s, struct fm_view v, struct fm_rng *rng)
{
    const struct divercity_pub *pub = &s->pub;
    const uint8_t *known =
        v.priv ? ((const struct divercity_priv *)(const void *)v.priv)->corp : pub->next;
    if (pub->showed)
        known = pub->next;
    const bool hand = pub->industrialist != DIVERCITY_NONE;
    struct stock box, fresh, old;
    corps_of(&box, pub, DIVERCITY_ALL_CORPS);
    corps_of(&fresh, pub, hand ? pub->fresh : pub->fresh | pub->old);
    corps_of(&old, pub, pub->old);
    if (!hand) {
        take_out_all(&fresh, pub->corp_discard, pub->corp_discard_n);
        take_out(&fresh, pub->open);
    }
    for (unsigned i = 0; i < DIVERCITY_LOOK; i++)
        take_out(hand && pub->industry_old >> i & 1 ? &old : &fresh, known[i]);
    fm_shuffle_small(rng, fresh.card, fresh.n);
    fm_shuffle_small(rng, old.card, old.n);
    for (unsigned i = 0; i < pub->industry_n; i++) {
        struct stock *stock = pub->industry_old >> i & 1 ? &old : &fresh;
        s->secret.industry[i] = known[i] != 0 ? known[i] : guess(stock, &box, rng);
    }
    for (unsigned i = 0; i < pub->corp_deck_n; i++) {
        const unsigned from_top = pub->corp_deck_n - 1 - i;
        const bool seen = !hand && from_top < DIVERCITY_LOOK && known[from_top] != 0;
        s->secret.corp_deck[i] = seen ? known[from_top] : guess(&fresh, &box, rng);
    }
}

enum fm_err divercity_deal(void *state, struct fm_view v, struct fm_rng *rng)
{
    struct divercity_state *s = state;
    memset(s, 0, sizeof *s);
    memcpy(&s->pub, v.pub, sizeof s->pub);
    guess_species(s, v, rng);
    guess_corps(s, v, rng);
    divercity_show_all(s);
    if (v.priv != NULL)
        s->priv[v.seat].head = *v.priv;
    fm_secret_fresh(&s->secret.head, v, rng);
    return FM_OK;
}
