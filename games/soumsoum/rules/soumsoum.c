/* soumsoum.c: the rules of Soum Soum, S1 to S13 of text/rules.en.md. */
#include "soumsoum/rules/soumsoum_state.h"

#include "base/bits.h"

#include <string.h>

/* ---- the sea bed as 25 bits ----------------------------------------------------------------- */

#define SEA_BED  0x1ffffffu
#define ROW_0    0x000001fu
#define COLUMN_0 0x0108421u
#define COLUMN_4 (COLUMN_0 << 4)
#define FALLING  0x1041041u /* the diagonal from the north-west corner ... */
#define RISING   0x0111110u /* ... and from the south-west corner */

/* What a zone covers around a place; these are constants for the table below. */
#define HERE(p)       (1u << (p))
#define LINE(p)       (HERE(p) | (HERE(p) >> 1 & ~COLUMN_4) | (HERE(p) << 1 & SEA_BED & ~COLUMN_0))
#define ALL_ROW(p)    (ROW_0 << (p) / SOUMSOUM_SIDE * SOUMSOUM_SIDE)
#define ALL_COLUMN(p) (COLUMN_0 << (p) % SOUMSOUM_SIDE)
#define AROUND(p)     (LINE(p) >> SOUMSOUM_SIDE | LINE(p) | (LINE(p) << SOUMSOUM_SIDE & SEA_BED))
#define BESIDE(p)     (HERE(p) >> SOUMSOUM_SIDE | LINE(p) | (HERE(p) << SOUMSOUM_SIDE & SEA_BED))
/* So many rows to the south; fewer than 0: to the north. */
#define MOVED(m, rows)                                                                             \
    ((rows) < 0 ? (m) >> ((rows) < 0 ? -(rows) : 0) * SOUMSOUM_SIDE                                \
                : (m) << ((rows) < 0 ? 0 : (rows)) * SOUMSOUM_SIDE & SEA_BED)
#define DIAGONALS(p)                                                                               \
    (MOVED(FALLING, (p) / SOUMSOUM_SIDE - (p) % SOUMSOUM_SIDE) |                                   \
     MOVED(RISING, (p) / SOUMSOUM_SIDE + (p) % SOUMSOUM_SIDE - (SOUMSOUM_SIDE - 1)))
#define EVERYWHERE(p) SEA_BED

#define IN_ROW(of, p) of(p), of((p) + 1), of((p) + 2), of((p) + 3), of((p) + 4)
#define AT_PLACES(of)                                                                              \
    {                                                                                              \
        IN_ROW(of, 0), IN_ROW(of, 5), IN_ROW(of, 10), IN_ROW(of, 15), IN_ROW(of, 20)               \
    }

const uint32_t soumsoum_zones[SOUMSOUM_ZONES][SOUMSOUM_PLACES] = {
    [SOUMSOUM_ROW] = AT_PLACES(ALL_ROW),       [SOUMSOUM_COLUMN] = AT_PLACES(ALL_COLUMN),
    [SOUMSOUM_AROUND] = AT_PLACES(AROUND),     [SOUMSOUM_DIAGONALS] = AT_PLACES(DIAGONALS),
    [SOUMSOUM_ORTHOGONAL] = AT_PLACES(BESIDE), [SOUMSOUM_BOARD] = AT_PLACES(EVERYWHERE),
};

/* ---- scoring (S7, S12) ---------------------------------------------------------------------- */

unsigned soumsoum_worth_of(const struct soumsoum_pub *pub, struct soumsoum_card card,
                           unsigned place)
{
    const unsigned counted = soumsoum_counts(card);
    const uint32_t zone = soumsoum_zone_mask((enum soumsoum_zone)soumsoum_zone(card), place);
    unsigned worth = soumsoum_self(card) ? soumsoum_matches(card, counted) : 0;
    for (uint32_t m = zone & soumsoum_cards_laid(pub) & ~(1u << place); m != 0; m &= m - 1)
        worth += soumsoum_matches(pub->deck[pub->board[fm__lowest(m)]], counted);
    return worth;
}

unsigned soumsoum_worth(const struct soumsoum_pub *pub, unsigned place)
{
    return soumsoum_worth_of(pub, pub->deck[pub->board[place]], place);
}

void soumsoum_scores(const struct soumsoum_pub *pub, unsigned score[SOUMSOUM_SEATS])
{
    memset(score, 0, SOUMSOUM_SEATS * sizeof score[0]);
    for (uint32_t m = soumsoum_cards_laid(pub) & ~pub->free; m != 0; m &= m - 1)
        score[pub->diver[fm__lowest(m)]] += soumsoum_worth(pub, fm__lowest(m));
}

/* ---- notes ---------------------------------------------------------------------------------- */

/* Something that everybody notices, but only the seat itself sees the card of (S11). */
static void tell_card(struct fm_notes *notes, enum soumsoum_note kind, unsigned seat, unsigned card)
{
    fm_tell_some(notes, kind, seat, 0, card, 1u << seat);
}

/* ---- hands, pile and market ----------------------------------------------------------------- */

static uint8_t pop_pile(struct soumsoum_state *s)
{
    uint8_t *top = &s->secret.pile[--s->pub.pile_n];
    const uint8_t card = *top;
    *top = SOUMSOUM_NONE;
    return card;
}

/* A card to the end of a hand (S13); `seen`: everybody saw which one. */
static void add_to_hand(struct soumsoum_state *s, unsigned seat, uint8_t card, bool seen)
{
    const unsigned n = s->pub.hand_n[seat]++;
    s->priv[seat].hand[n] = card;
    s->pub.seen[seat][n] = seen ? card : SOUMSOUM_NONE;
}

/* A byte of the first eight taken out; those behind it move up, and NONE follows. */
static void cut_out(uint8_t *cards, unsigned i)
{
    uint64_t eight;
    memcpy(&eight, cards, sizeof eight);
    const uint64_t before = (UINT64_C(1) << 8 * i) - 1;
    eight = (eight & before) | (eight >> 8 & ~before) | (uint64_t)SOUMSOUM_NONE << 56;
    memcpy(cards, &eight, sizeof eight);
}

/* The cards behind it move up; what lies beyond the hand stays NONE. */
static void remove_from_hand(struct soumsoum_state *s, unsigned seat, unsigned i)
{
    uint8_t *hand = s->priv[seat].hand;
    uint8_t *seen = s->pub.seen[seat];
    const unsigned n = --s->pub.hand_n[seat];
    if (n < 8) { /* nearly always, and which card it is cannot be predicted */
        cut_out(hand, i);
        cut_out(seen, i);
        return;
    }
    for (; i < n; i++) {
        hand[i] = hand[i + 1];
        seen[i] = seen[i + 1];
    }
    hand[n] = SOUMSOUM_NONE;
    seen[n] = SOUMSOUM_NONE;
}

/* S10, S13: replaced in its place; without a pile the cards behind move up. */
static void refill_market(struct soumsoum_state *s, unsigned slot, struct fm_notes *notes)
{
    struct soumsoum_pub *pub = &s->pub;
    if (pub->pile_n > 0) {
        pub->market[slot] = pop_pile(s);
        fm_tell(notes, SOUMSOUM_SHOWN, FM_TABLE, pub->market[slot] | slot << 8);
        return;
    }
    pub->market_n--;
    for (; slot < pub->market_n; slot++)
        pub->market[slot] = pub->market[slot + 1];
    pub->market[slot] = SOUMSOUM_NONE;
}

/* ---- the turn (S4, S6, S9, S13) ------------------------------------------------------------- */

static void ask(struct soumsoum_pub *pub, enum soumsoum_phase phase)
{
    pub->head.phase = (uint8_t)phase;
    pub->head.may = pub->head.owes = (uint8_t)(1u << pub->active);
}

/* S7, S8: of the best, the first one looking back from the last turn that was played. */
static void finish(struct soumsoum_pub *pub, struct fm_notes *notes)
{
    const unsigned n = pub->head.n_seats;
    unsigned score[SOUMSOUM_SEATS], best = 0, level = 0;
    soumsoum_scores(pub, score);
    for (unsigned seat = 0; seat < n; seat++) {
        pub->score[seat] = (uint16_t)score[seat];
        best = score[seat] > best ? score[seat] : best;
        fm_tell(notes, SOUMSOUM_SCORED, seat, score[seat]);
    }
    for (unsigned seat = 0; seat < n; seat++)
        level += score[seat] == best;
    unsigned winner = pub->active;
    while (score[winner] != best)
        winner = (winner + n - 1) % n;
    pub->winner = (uint8_t)winner;
    pub->head.phase = SOUMSOUM_OVER;
    pub->head.status = FM_OVER;
    pub->head.may = pub->head.owes = 0;
    fm_tell(notes, SOUMSOUM_WON, winner, level > 1);
}

static bool anybody_can_place(const struct soumsoum_pub *pub)
{
    unsigned cards = 0;
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++)
        cards += pub->hand_n[seat];
    return pub->empty != 0 && cards > 0;
}

/* The turn of the next seat with a card, from `seat` on, or the end of the game (S13). */
static void begin_turn(struct soumsoum_pub *pub, unsigned seat, struct fm_notes *notes)
{
    if (!anybody_can_place(pub)) {
        finish(pub, notes);
        return;
    }
    for (; pub->hand_n[seat] == 0; seat = (seat + 1) % pub->head.n_seats)
        fm_tell(notes, SOUMSOUM_SKIPPED, seat, 0);
    pub->active = (uint8_t)seat;
    pub->turns++;
    ask(pub, SOUMSOUM_PLACE);
}

static void end_turn(struct soumsoum_state *s, struct fm_notes *notes)
{
    begin_turn(&s->pub, (s->pub.active + 1u) % s->pub.head.n_seats, notes);
}

/* After the diver: the market asks, the pile does not (S4, S10). */
static void draw(struct soumsoum_state *s, struct fm_notes *notes)
{
    struct soumsoum_pub *pub = &s->pub;
    if (pub->market_on && pub->market_n > 0) {
        ask(pub, SOUMSOUM_TAKE);
        return;
    }
    if (!pub->market_on && pub->pile_n > 0) {
        const uint8_t card = pop_pile(s);
        add_to_hand(s, pub->active, card, false);
        tell_card(notes, SOUMSOUM_DREW, pub->active, card);
    }
    end_turn(s, notes);
}

/* ---- setting up (S1, S2, S3) ---------------------------------------------------------------- */

static enum fm_err settle(struct fm_setup *setup, struct fm_fault *fault)
{
    (void)fault;
    setup->n_seats = (uint8_t)setup->option[SOUMSOUM_OPT_PLAYERS];
    return FM_OK;
}

/* Take one card of this number, or of equal print, out of what remains of the deck. */
static void take_from(uint8_t *rest, unsigned *n, const struct soumsoum_card *deck, uint8_t card)
{
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned i = 0; i < *n; i++) {
            const bool same = pass == 0 ? rest[i] == card
                                        : memcmp(&deck[rest[i]], &deck[card], sizeof *deck) == 0;
            if (same) {
                memmove(rest + i, rest + i + 1, *n - i - 1);
                --*n;
                return;
            }
        }
    }
}

/* A given position onto the board; what is left of the deck stays in rest[]. */
static void lay_position(struct soumsoum_state *s, const struct soumsoum_position *given,
                         uint8_t *rest, unsigned *n)
{
    struct soumsoum_pub *pub = &s->pub;
    for (unsigned p = 0; p < SOUMSOUM_PLACES; p++) {
        if (given->has_board && given->board[p] != SOUMSOUM_NONE) {
            pub->board[p] = given->board[p];
            pub->empty &= ~(1u << p);
            pub->free |= 1u << p;
            take_from(rest, n, pub->deck, given->board[p]);
        }
        if (given->has_divers && given->diver[p] != SOUMSOUM_NONE) {
            pub->diver[p] = given->diver[p];
            pub->free &= ~(1u << p);
            pub->divers_left[given->diver[p]]--;
        }
    }
    for (unsigned seat = 0; seat < pub->head.n_seats && given->has_hands; seat++) {
        for (unsigned i = 0; i < given->hand_n[seat]; i++) {
            add_to_hand(s, seat, given->hand[seat][i], false);
            take_from(rest, n, pub->deck, given->hand[seat][i]);
        }
    }
    for (unsigned i = 0; i < given->market_n; i++) {
        pub->market[pub->market_n++] = given->market[i];
        take_from(rest, n, pub->deck, given->market[i]);
    }
    for (unsigned i = 0; i < given->pile_n; i++)
        take_from(rest, n, pub->deck, given->pile[i]);
}

/* Deal what was not given out of the shuffled rest, from its end. */
static void deal_rest(struct soumsoum_state *s, const struct soumsoum_position *given,
                      const uint8_t *rest, unsigned n)
{
    struct soumsoum_pub *pub = &s->pub;
    for (unsigned seat = 0; seat < pub->head.n_seats && !given->has_hands; seat++)
        for (unsigned i = 0; i < SOUMSOUM_DEALT && n > 0; i++)
            add_to_hand(s, seat, rest[--n], false);
    while (pub->market_on && !given->has_market && pub->market_n < SOUMSOUM_MARKET && n > 0)
        pub->market[pub->market_n++] = rest[--n];
    if (given->has_pile) {
        pub->pile_n = given->pile_n;
        for (unsigned i = 0; i < given->pile_n; i++)
            s->secret.pile[given->pile_n - 1 - i] = given->pile[i];
    } else {
        pub->pile_n = (uint8_t)n;
        memcpy(s->secret.pile, rest, n);
    }
}

static void clear(struct soumsoum_state *s, const struct fm_setup *setup)
{
    struct soumsoum_pub *pub = &s->pub;
    memcpy(pub->deck, setup->deck.cards, sizeof pub->deck);
    memset(pub->board, SOUMSOUM_NONE, sizeof pub->board);
    memset(pub->diver, SOUMSOUM_NONE, sizeof pub->diver);
    memset(pub->market, SOUMSOUM_NONE, SOUMSOUM_MARKET);
    memset(pub->seen, SOUMSOUM_NONE, sizeof pub->seen);
    memset(s->secret.pile, SOUMSOUM_NONE, sizeof s->secret.pile);
    pub->empty = SEA_BED & ~(1u << SOUMSOUM_MIDDLE);
    pub->market_on = setup->option[SOUMSOUM_OPT_MARKET] != 0;
    for (unsigned seat = 0; seat < SOUMSOUM_SEATS; seat++) {
        pub->divers_left[seat] = seat < setup->n_seats ? SOUMSOUM_DIVERS : 0;
        memset(s->priv[seat].hand, SOUMSOUM_NONE, SOUMSOUM_HAND);
    }
}

static void tell_deal(const struct soumsoum_state *s, struct fm_notes *notes)
{
    for (unsigned seat = 0; seat < s->pub.head.n_seats; seat++)
        for (unsigned i = 0; i < s->pub.hand_n[seat]; i++)
            tell_card(notes, SOUMSOUM_DEALT_CARD, seat, s->priv[seat].hand[i]);
    for (unsigned i = 0; i < s->pub.market_n; i++)
        fm_tell(notes, SOUMSOUM_SHOWN, FM_TABLE, s->pub.market[i] | i << 8);
}

static enum fm_err init(void *state, const struct fm_setup *setup, struct fm_notes *notes)
{
    static const struct soumsoum_position nothing_given;
    struct soumsoum_state *s = state;
    struct soumsoum_pub *pub = &s->pub;
    const struct soumsoum_position *given =
        setup->has_position ? (const void *)setup->position : &nothing_given;
    clear(s, setup);

    uint8_t rest[SOUMSOUM_CARDS];
    unsigned n = SOUMSOUM_CARDS;
    for (unsigned i = 0; i < n; i++)
        rest[i] = (uint8_t)i;
    if (setup->has_position)
        lay_position(s, given, rest, &n);
    fm_shuffle(&s->secret.head.rng, rest, n);
    deal_rest(s, given, rest, n);

    const int chosen = setup->option[SOUMSOUM_OPT_FIRST];
    unsigned first = given->active;
    if (!given->has_active)
        first = chosen == FM_RANDOM ? fm_rng_below(&s->secret.head.rng, setup->n_seats)
                                    : (unsigned)chosen;
    tell_deal(s, notes);
    begin_turn(pub, first, NULL); /* whom it passes over does not matter yet */
    if (pub->head.status == FM_OVER)
        return FM_E_SETUP; /* a position in which the game is over already */
    fm_tell(notes, SOUMSOUM_STARTS, pub->active, 0);
    return FM_OK;
}

/* ---- actions -------------------------------------------------------------------------------- */

static enum fm_err do_place(struct soumsoum_state *s, unsigned card, unsigned place,
                            struct fm_notes *notes)
{
    struct soumsoum_pub *pub = &s->pub;
    if (pub->head.phase != SOUMSOUM_PLACE)
        return FM_E_PHASE;
    if (card >= pub->hand_n[pub->active])
        return FM_E_NO_CARD;
    if (place >= SOUMSOUM_PLACES)
        return FM_E_NO_PLACE;
    if (place == SOUMSOUM_MIDDLE)
        return FM_E_SUBMARINE;
    if (!(pub->empty >> place & 1))
        return FM_E_OCCUPIED;
    const uint8_t laid = s->priv[pub->active].hand[card];
    remove_from_hand(s, pub->active, card);
    pub->board[place] = laid;
    pub->empty &= ~(1u << place);
    pub->free |= 1u << place;
    fm_tell(notes, SOUMSOUM_PLACED, pub->active, laid | place << 8);
    ask(pub, SOUMSOUM_DIVER);
    return FM_OK;
}

static enum fm_err do_diver(struct soumsoum_state *s, unsigned place, struct fm_notes *notes)
{
    struct soumsoum_pub *pub = &s->pub;
    if (pub->head.phase != SOUMSOUM_DIVER)
        return FM_E_PHASE;
    if (place >= SOUMSOUM_PLACES)
        return FM_E_NO_PLACE;
    if (place == SOUMSOUM_MIDDLE)
        return FM_E_SUBMARINE;
    if (pub->empty >> place & 1)
        return FM_E_BARE;
    if (!(pub->free >> place & 1))
        return FM_E_DIVER_THERE;
    if (pub->divers_left[pub->active] == 0)
        return FM_E_NO_DIVERS;
    pub->diver[place] = pub->active;
    pub->free &= ~(1u << place);
    pub->divers_left[pub->active]--;
    if (notes != NULL)
        fm_tell(notes, SOUMSOUM_DIVED, pub->active, place | soumsoum_worth(pub, place) << 8);
    draw(s, notes);
    return FM_OK;
}

static enum fm_err do_pass(struct soumsoum_state *s, struct fm_notes *notes)
{
    if (s->pub.head.phase != SOUMSOUM_DIVER)
        return FM_E_PHASE;
    fm_tell(notes, SOUMSOUM_PASSED, s->pub.active, 0);
    draw(s, notes);
    return FM_OK;
}

static enum fm_err do_take(struct soumsoum_state *s, unsigned slot, struct fm_notes *notes)
{
    struct soumsoum_pub *pub = &s->pub;
    if (pub->head.phase != SOUMSOUM_TAKE)
        return FM_E_PHASE;
    if (slot >= pub->market_n)
        return FM_E_NO_CARD;
    const uint8_t card = pub->market[slot];
    add_to_hand(s, pub->active, card, true);
    fm_tell(notes, SOUMSOUM_TOOK, pub->active, card | slot << 8);
    refill_market(s, slot, notes);
    end_turn(s, notes);
    return FM_OK;
}

static enum fm_err apply(void *state, const struct fm_event *ev, struct fm_notes *notes)
{
    struct soumsoum_state *s = state;
    const unsigned card = soumsoum_action_card(ev->action);
    const unsigned place = soumsoum_action_place(ev->action);
    const enum soumsoum_verb verb = (enum soumsoum_verb)fm_verb(ev->action);
    const bool one_card = verb == SOUMSOUM_DO_PLACE || verb == SOUMSOUM_DO_TAKE;
    const bool one_place = verb == SOUMSOUM_DO_PLACE || verb == SOUMSOUM_DO_DIVER;
    if (ev->action != soumsoum_action(verb, one_card ? card : 0, one_place ? place : 0))
        return FM_E_ACTION; /* bits that mean nothing */
    switch (verb) {
    case SOUMSOUM_DO_PLACE:
        return do_place(s, card, place, notes);
    case SOUMSOUM_DO_DIVER:
        return do_diver(s, place, notes);
    case SOUMSOUM_DO_PASS:
        return do_pass(s, notes);
    case SOUMSOUM_DO_TAKE:
        return do_take(s, card, notes);
    case SOUMSOUM_VERBS:
        break;
    }
    return FM_E_ACTION;
}

/* ---- what a seat may do --------------------------------------------------------------------- */

static bool asked(struct fm_view v)
{
    return v.seat != FM_WATCHER && (v.pub->may >> v.seat & 1);
}

/* Cards on which the active seat may put a diver. */
static uint32_t diver_places(const struct soumsoum_pub *pub)
{
    return pub->divers_left[pub->active] > 0 ? pub->free : 0;
}

static size_t legal(struct fm_view v, fm_action *out, size_t cap)
{
    const struct soumsoum_pub *pub = (const void *)v.pub;
    size_t n = 0;
#define ADD(action)                                                                                \
    do {                                                                                           \
        if (n < cap)                                                                               \
            out[n] = (action);                                                                     \
        n++;                                                                                       \
    } while (0)
    if (!asked(v))
        return 0;
    switch (v.pub->phase) {
    case SOUMSOUM_PLACE:
        for (uint32_t m = pub->empty; m != 0; m &= m - 1)
            for (unsigned card = 0; card < pub->hand_n[v.seat]; card++)
                ADD(soumsoum_action(SOUMSOUM_DO_PLACE, card, fm__lowest(m)));
        break;
    case SOUMSOUM_DIVER:
        ADD(soumsoum_action(SOUMSOUM_DO_PASS, 0, 0));
        for (uint32_t m = diver_places(pub); m != 0; m &= m - 1)
            ADD(soumsoum_action(SOUMSOUM_DO_DIVER, 0, fm__lowest(m)));
        break;
    default:
        for (unsigned slot = 0; slot < pub->market_n; slot++)
            ADD(soumsoum_action(SOUMSOUM_DO_TAKE, slot, 0));
        break;
    }
#undef ADD
    return n;
}

static fm_action sample(struct fm_view v, struct fm_rng *rng)
{
    const struct soumsoum_pub *pub = (const void *)v.pub;
    if (!asked(v))
        return 0;
    if (v.pub->phase == SOUMSOUM_PLACE) {
        const unsigned places = fm__count(pub->empty);
        const unsigned k = fm_rng_below(rng, places * pub->hand_n[v.seat]);
        return soumsoum_action(SOUMSOUM_DO_PLACE, k / places, fm__nth(pub->empty, k % places));
    }
    if (v.pub->phase == SOUMSOUM_DIVER) {
        const uint32_t places = diver_places(pub);
        const unsigned k = fm_rng_below(rng, fm__count(places) + 1);
        if (k == 0)
            return soumsoum_action(SOUMSOUM_DO_PASS, 0, 0);
        return soumsoum_action(SOUMSOUM_DO_DIVER, 0, fm__nth(places, k - 1));
    }
    return soumsoum_action(SOUMSOUM_DO_TAKE, fm_rng_below(rng, pub->market_n), 0);
}

/* ---- other worlds --------------------------------------------------------------------------- */

/* The cards this viewer cannot place: the deck without what lies open, in its hand or was seen. */
static unsigned unknown_cards(struct fm_view v, uint8_t rest[SOUMSOUM_CARDS])
{
    const struct soumsoum_pub *pub = (const void *)v.pub;
    const struct soumsoum_priv *priv = (const void *)v.priv;
    unsigned n = SOUMSOUM_CARDS;
    for (unsigned i = 0; i < n; i++)
        rest[i] = (uint8_t)i;
    for (uint32_t m = soumsoum_cards_laid(pub); m != 0; m &= m - 1)
        take_from(rest, &n, pub->deck, pub->board[fm__lowest(m)]);
    for (unsigned i = 0; i < pub->market_n; i++)
        take_from(rest, &n, pub->deck, pub->market[i]);
    for (unsigned seat = 0; seat < v.pub->n_seats; seat++) {
        const uint8_t *hand = (int)seat == v.seat ? priv->hand : pub->seen[seat];
        for (unsigned i = 0; i < pub->hand_n[seat]; i++)
            if (hand[i] != SOUMSOUM_NONE)
                take_from(rest, &n, pub->deck, hand[i]);
    }
    return n;
}

/* One of the unknown cards; a position that was given may need more than the deck has. */
static uint8_t guess(uint8_t *rest, unsigned *n, struct fm_rng *rng)
{
    return *n > 0 ? rest[--*n] : (uint8_t)fm_rng_below(rng, SOUMSOUM_CARDS);
}

static enum fm_err deal(void *state, struct fm_view v, struct fm_rng *rng)
{
    struct soumsoum_state *s = state;
    memset(s, 0, sizeof *s);
    memcpy(&s->pub, v.pub, sizeof s->pub);
    uint8_t rest[SOUMSOUM_CARDS];
    unsigned n = unknown_cards(v, rest);
    fm_shuffle(rng, rest, n);
    for (unsigned seat = 0; seat < SOUMSOUM_SEATS; seat++) {
        if ((int)seat == v.seat) {
            memcpy(&s->priv[seat], v.priv, sizeof s->priv[seat]);
            continue;
        }
        memcpy(s->priv[seat].hand, s->pub.seen[seat], SOUMSOUM_HAND);
        for (unsigned i = 0; i < s->pub.hand_n[seat]; i++)
            if (s->priv[seat].hand[i] == SOUMSOUM_NONE)
                s->priv[seat].hand[i] = guess(rest, &n, rng);
    }
    memset(s->secret.pile, SOUMSOUM_NONE, sizeof s->secret.pile);
    for (unsigned i = 0; i < s->pub.pile_n; i++)
        s->secret.pile[i] = guess(rest, &n, rng);
    fm_secret_fresh(&s->secret.head, v, rng);
    return FM_OK;
}

static void outcome(const void *state, struct fm_outcome *out)
{
    const struct soumsoum_pub *pub = state;
    *out = (struct fm_outcome){
        .winners = (uint8_t)(1u << pub->winner), .reason = pub->empty != 0, .length = pub->turns};
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++)
        out->score[seat] = pub->score[seat];
}

/* ---- the game ------------------------------------------------------------------------------- */

static const char *const phases[] = {"place", "diver", "take", "over", NULL};
static const char *const reasons[] = {"board-full", "no-cards", NULL};

static const struct fm_option options[] = {
    [SOUMSOUM_OPT_PLAYERS] = {.name = "players",
                              .players = true,
                              .kind = FM_OPT_INT,
                              .min = 2,
                              .max = SOUMSOUM_SEATS,
                              .fallback = 2,
                              .about = "how many play"},
    [SOUMSOUM_OPT_MARKET] = {.name = "market",
                             .kind = FM_OPT_FLAG,
                             .about = "variant: take one of three open cards instead of drawing"},
    [SOUMSOUM_OPT_FIRST] = {.name = "first",
                            .kind = FM_OPT_SEAT,
                            .fallback = FM_RANDOM,
                            .about = "who begins"},
};

static const struct fm_value constants[] = {
    {"side", SOUMSOUM_SIDE},
    {"divers", SOUMSOUM_DIVERS},
    {"dealt", SOUMSOUM_DEALT},
    {NULL, 0},
};

/* ---- what checks cover --------------------------------------------------------------------- */

static const struct fm_field pub_fields[] = {
    FM_FIELD(struct soumsoum_pub, empty),       FM_FIELD(struct soumsoum_pub, free),
    FM_FIELD(struct soumsoum_pub, active),      FM_FIELD(struct soumsoum_pub, market_on),
    FM_FIELD(struct soumsoum_pub, market_n),    FM_FIELD(struct soumsoum_pub, pile_n),
    FM_FIELD(struct soumsoum_pub, market),      FM_FIELD(struct soumsoum_pub, turns),
    FM_FIELD(struct soumsoum_pub, score),       FM_FIELD(struct soumsoum_pub, winner),
    FM_FIELD(struct soumsoum_pub, board),       FM_FIELD(struct soumsoum_pub, diver),
    FM_FIELD(struct soumsoum_pub, divers_left), FM_FIELD(struct soumsoum_pub, hand_n),
    FM_FIELD(struct soumsoum_pub, seen),        FM_FIELD(struct soumsoum_pub, deck),
    FM_FIELD(struct soumsoum_pub, zero),        FM_FIELDS_END,
};

static const struct fm_field priv_fields[] = {
    FM_FIELD(struct soumsoum_priv, hand),
    FM_FIELDS_END,
};

static const struct fm_field secret_fields[] = {
    FM_FIELD(struct soumsoum_secret, pile),
    FM_FIELD(struct soumsoum_secret, zero),
    FM_FIELDS_END,
};

const struct fm_game fm_game_soumsoum = {
    .id = "soumsoum",
    .title = "Soum Soum",
    .deck = "soumsoum-lagoon",
    .length_unit = "turns",
    .phases = phases,
    .reasons = reasons,
    .options = options,
    .n_options = SOUMSOUM_N_OPTIONS,
    .constants = constants,
    .newest_rules = 1,
    .min_seats = 2,
    .max_seats = SOUMSOUM_SEATS,
    .state_size = sizeof(struct soumsoum_state),
    .pub_size = sizeof(struct soumsoum_pub),
    .priv_off = offsetof(struct soumsoum_state, priv),
    .priv_size = sizeof(struct soumsoum_priv),
    .secret_off = offsetof(struct soumsoum_state, secret),
    .fields = {pub_fields, priv_fields, secret_fields},
    .settle = settle,
    .init = init,
    .apply = apply,
    .legal = legal,
    .sample = sample,
    .deal = deal,
    .outcome = outcome,
    .wire = &soumsoum_wire,
    .flat = &soumsoum_flat,
};
