/* moray.c: the rules of Moray, M1 to M11 of text/rules.en.md. */
#include "moray/rules/moray_state.h"

#include "base/panic.h"

#include <string.h>

/* ---- the end (M8, M9) ------------------------------------------------------------------------- */

/* The better of two seats: the higher score, then fewer bites; 0: they are level. */
static int compare(const struct moray_pub *pub, unsigned a, unsigned b)
{
    return pub->score[a] != pub->score[b] ? pub->score[a] - pub->score[b]
                                          : pub->bites[b] - pub->bites[a];
}

static bool scored_the_same(const struct moray_pub *pub, unsigned seat)
{
    for (unsigned other = 0; other < pub->head.n_seats; other++)
        if (other != seat && pub->score[other] == pub->score[seat])
            return true;
    return false;
}

static void finish(struct moray_pub *pub, struct fm_notes *notes)
{
    unsigned best = 0;
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++) {
        fm_tell(notes, MORAY_SCORED, seat, (uint64_t)(pub->score[seat] + 256));
        if (compare(pub, seat, best) > 0)
            best = seat;
    }
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++) {
        if (compare(pub, seat, best) != 0)
            continue;
        pub->winners |= (uint8_t)(1u << seat);
        fm_tell(notes, MORAY_WON, seat, scored_the_same(pub, seat));
    }
    pub->head.phase = MORAY_OVER;
    pub->head.status = FM_OVER;
    pub->head.may = pub->head.owes = 0;
}

/* ---- the turn (M4 to M7) ----------------------------------------------------------------------- */

static bool anybody_has_fish(const struct moray_pub *pub)
{
    unsigned fish = 0;
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++)
        fish += pub->hand_n[seat];
    return fish > 0;
}

/* The turn of the next seat with a fish, from `seat` on, or the end of the game. */
static void begin_turn(struct moray_pub *pub, unsigned seat, struct fm_notes *notes)
{
    if (!anybody_has_fish(pub)) {
        finish(pub, notes);
        return;
    }
    for (; pub->hand_n[seat] == 0; seat = (seat + 1) % pub->head.n_seats)
        fm_tell(notes, MORAY_SKIPPED, seat, 0);
    pub->active = (uint8_t)seat;
    pub->turns++;
    pub->head.phase = MORAY_LAY;
    pub->head.may = pub->head.owes = (uint8_t)(1u << seat);
}

static void add_to_hand(struct moray_state *s, unsigned seat, uint8_t fish)
{
    s->priv[seat].hand[s->pub.hand_n[seat]++] = fish;
}

/* The cards behind it move up; what lies beyond the hand stays 0. */
static uint8_t take_from_hand(struct moray_state *s, unsigned seat, unsigned card)
{
    uint8_t *hand = s->priv[seat].hand;
    const uint8_t fish = hand[card];
    const unsigned n = --s->pub.hand_n[seat];
    for (; card < n; card++)
        hand[card] = hand[card + 1];
    hand[n] = 0;
    return fish;
}

/* The fish of a hole leave the game. */
static void empty_hole(struct moray_pub *pub, unsigned hole)
{
    memcpy(pub->gone + pub->gone_n, pub->hole[hole], pub->hole_n[hole]);
    pub->gone_n = (uint8_t)(pub->gone_n + pub->hole_n[hole]);
    memset(pub->hole[hole], 0, sizeof pub->hole[hole]);
    pub->hole_n[hole] = 0;
}

/* M5, M6, M10: a hole that is exactly full is worth its fish; one that is too full bites. */
static void settle_hole(struct moray_pub *pub, unsigned hole, struct fm_notes *notes)
{
    const unsigned total = moray_total(pub, hole), seat = pub->active;
    const unsigned fish = pub->hole_n[hole];
    if (total < pub->room[hole])
        return;
    if (total == pub->room[hole]) {
        pub->score[seat] = (int8_t)(pub->score[seat] + (int)fish);
        fm_tell(notes, MORAY_FILLED, seat, hole | fish << 8);
    } else {
        const unsigned lost = pub->hungry ? fish : MORAY_BITE;
        pub->score[seat] = (int8_t)(pub->score[seat] - (int)lost);
        pub->bites[seat]++;
        fm_tell(notes, MORAY_BITTEN, seat, hole | lost << 8);
    }
    empty_hole(pub, hole);
}

/* M7: everybody notices, only the seat itself sees which fish. */
static void draw(struct moray_state *s, struct fm_notes *notes)
{
    struct moray_pub *pub = &s->pub;
    if (pub->pile_n == 0)
        return;
    uint8_t *top = &s->secret.pile[--pub->pile_n];
    add_to_hand(s, pub->active, *top);
    fm_tell_some(notes, MORAY_DREW, pub->active, 0, *top, 1u << pub->active);
    *top = 0;
}

static enum fm_err apply(void *state, const struct fm_event *ev, struct fm_notes *notes)
{
    struct moray_state *s = state;
    struct moray_pub *pub = &s->pub;
    const unsigned card = moray_action_card(ev->action);
    const unsigned hole = moray_action_hole(ev->action);
    if (ev->action != moray_action(card, hole))
        return FM_E_ACTION;
    if (card >= pub->hand_n[pub->active])
        return FM_E_NO_FISH;
    if (hole >= MORAY_HOLES)
        return FM_E_NO_HOLE;
    const uint8_t fish = take_from_hand(s, pub->active, card);
    pub->hole[hole][pub->hole_n[hole]++] = fish;
    fm_tell(notes, MORAY_LAID, pub->active, fish | hole << 8);
    settle_hole(pub, hole, notes);
    draw(s, notes);
    begin_turn(pub, (pub->active + 1u) % pub->head.n_seats, notes);
    return FM_OK;
}

/* ---- setting up (M1 to M3) --------------------------------------------------------------------- */

static enum fm_err settle(struct fm_setup *setup, struct fm_fault *fault)
{
    (void)fault;
    setup->n_seats = (uint8_t)setup->option[MORAY_OPT_PLAYERS];
    return FM_OK;
}

/* Take these fish out of what remains of the deck: no position has one that the deck has not. */
static unsigned take_out(uint8_t *rest, unsigned n, const uint8_t *fish, unsigned n_fish)
{
    for (unsigned i = 0; i < n_fish; i++) {
        unsigned at = 0;
        while (at < n && rest[at] != fish[i])
            at++;
        fm_assert(at < n);
        memmove(rest + at, rest + at + 1, n - at - 1);
        n--;
    }
    return n;
}

/* A given position; returns what is left of the deck in rest[]. */
static unsigned lay_position(struct moray_state *s, const struct moray_position *given,
                             uint8_t *rest, unsigned n)
{
    struct moray_pub *pub = &s->pub;
    for (unsigned hole = 0; hole < MORAY_HOLES; hole++) {
        memcpy(pub->hole[hole], given->hole[hole], given->hole_n[hole]);
        pub->hole_n[hole] = given->hole_n[hole];
        n = take_out(rest, n, given->hole[hole], given->hole_n[hole]);
    }
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++) {
        pub->score[seat] = given->score[seat];
        pub->bites[seat] = given->bites[seat];
        for (unsigned i = 0; i < given->hand_n[seat]; i++)
            add_to_hand(s, seat, given->hand[seat][i]);
        n = take_out(rest, n, given->hand[seat], given->hand_n[seat]);
    }
    return take_out(rest, n, given->pile, given->pile_n);
}

/* What was not given comes from the shuffled rest; of a given pile the top comes first. */
static void deal_rest(struct moray_state *s, const struct moray_position *given,
                      const uint8_t *rest, unsigned n)
{
    struct moray_pub *pub = &s->pub;
    for (unsigned seat = 0; seat < pub->head.n_seats && !given->has_hands; seat++)
        for (unsigned i = 0; i < MORAY_HAND && n > 0; i++)
            add_to_hand(s, seat, rest[--n]);
    pub->pile_n = given->has_pile ? given->pile_n : (uint8_t)n;
    memcpy(s->secret.pile, rest, given->has_pile ? 0 : n);
    for (unsigned i = 0; i < given->pile_n; i++)
        s->secret.pile[given->pile_n - 1 - i] = given->pile[i];
}

static enum fm_err init(void *state, const struct fm_setup *setup, struct fm_notes *notes)
{
    static const struct moray_position nothing_given;
    struct moray_state *s = state;
    struct moray_pub *pub = &s->pub;
    struct fm_rng *rng = &s->secret.head.rng;
    const struct moray_deck *deck = (const void *)setup->deck.cards;
    const struct moray_position *given =
        setup->has_position ? (const void *)setup->position : &nothing_given;
    uint8_t rest[MORAY_CARDS];
    memcpy(rest, deck->fish, sizeof rest);
    memcpy(pub->deck, deck->fish, sizeof pub->deck);
    memcpy(pub->room, deck->room, sizeof pub->room);
    pub->hungry = setup->option[MORAY_OPT_HUNGRY] != 0;

    const unsigned n = lay_position(s, given, rest, MORAY_CARDS);
    fm_shuffle(rng, rest, n);
    deal_rest(s, given, rest, n);
    const int chosen = setup->option[MORAY_OPT_FIRST];
    unsigned first = given->active;
    if (!given->has_active)
        first = chosen == FM_RANDOM ? fm_rng_below(rng, setup->n_seats) : (unsigned)chosen;
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++)
        for (unsigned i = 0; i < pub->hand_n[seat]; i++)
            fm_tell_some(notes, MORAY_DEALT, seat, 0, s->priv[seat].hand[i], 1u << seat);
    begin_turn(pub, first, NULL); /* whom it passes over does not matter yet */
    if (pub->head.status == FM_OVER)
        return FM_E_SETUP; /* a position in which nobody has a fish */
    fm_tell(notes, MORAY_STARTS, pub->active, 0);
    return FM_OK;
}

/* ---- what a seat may do ------------------------------------------------------------------------ */

static bool asked(struct fm_view v)
{
    return v.seat != FM_WATCHER && (v.pub->may >> v.seat & 1);
}

static size_t legal(struct fm_view v, fm_action *out, size_t cap)
{
    const struct moray_pub *pub = (const void *)v.pub;
    size_t n = 0;
    for (unsigned hole = 0; hole < MORAY_HOLES && asked(v); hole++)
        for (unsigned card = 0; card < pub->hand_n[v.seat]; card++)
            if (n++ < cap)
                out[n - 1] = moray_action(card, hole);
    return n;
}

static fm_action sample(struct fm_view v, struct fm_rng *rng)
{
    const struct moray_pub *pub = (const void *)v.pub;
    if (!asked(v))
        return 0;
    const unsigned k = fm_rng_below(rng, (uint32_t)(MORAY_HOLES * pub->hand_n[v.seat]));
    return moray_action(k / MORAY_HOLES, k % MORAY_HOLES);
}

/* ---- other worlds (M11) ------------------------------------------------------------------------- */

unsigned moray_unseen(struct fm_view v, uint8_t fish[MORAY_CARDS])
{
    const struct moray_pub *pub = (const void *)v.pub;
    const struct moray_priv *priv = (const void *)v.priv;
    memcpy(fish, pub->deck, MORAY_CARDS);
    unsigned n = take_out(fish, MORAY_CARDS, pub->gone, pub->gone_n);
    for (unsigned hole = 0; hole < MORAY_HOLES; hole++)
        n = take_out(fish, n, pub->hole[hole], pub->hole_n[hole]);
    return priv == NULL ? n : take_out(fish, n, priv->hand, pub->hand_n[v.seat]);
}

static enum fm_err deal(void *state, struct fm_view v, struct fm_rng *rng)
{
    struct moray_state *s = state;
    memset(s, 0, sizeof *s);
    memcpy(&s->pub, v.pub, sizeof s->pub);
    uint8_t rest[MORAY_CARDS];
    unsigned n = moray_unseen(v, rest);
    fm_shuffle(rng, rest, n);
    for (unsigned seat = 0; seat < s->pub.head.n_seats; seat++)
        for (unsigned i = 0; (int)seat != v.seat && i < s->pub.hand_n[seat]; i++)
            s->priv[seat].hand[i] = rest[--n];
    if (v.seat != FM_WATCHER)
        memcpy(&s->priv[v.seat], v.priv, sizeof s->priv[0]);
    for (unsigned i = 0; i < s->pub.pile_n; i++)
        s->secret.pile[i] = rest[--n];
    fm_secret_fresh(&s->secret.head, v, rng);
    return FM_OK;
}

static void outcome(const void *state, struct fm_outcome *out)
{
    const struct moray_pub *pub = state;
    *out = (struct fm_outcome){.winners = pub->winners, .length = pub->turns};
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++)
        out->score[seat] = pub->score[seat];
}

/* ---- the game ---------------------------------------------------------------------------------- */

static const char *const phases[] = {"lay", "over", NULL};
static const char *const reasons[] = {"all-laid", NULL};

static const struct fm_option options[] = {
    [MORAY_OPT_PLAYERS] = {.name = "players",
                           .kind = FM_OPT_INT,
                           .min = 2,
                           .max = MORAY_SEATS,
                           .fallback = 2,
                           .players = true,
                           .about = "how many play"},
    [MORAY_OPT_HUNGRY] = {.name = "hungry",
                          .kind = FM_OPT_FLAG,
                          .about = "variant: a bite costs a point for each fish in the hole"},
    [MORAY_OPT_FIRST] = {.name = "first",
                         .kind = FM_OPT_SEAT,
                         .fallback = FM_RANDOM,
                         .about = "who begins"},
};

/* ---- what checks cover --------------------------------------------------------------------- */

static const struct fm_field pub_fields[] = {
    FM_FIELD(struct moray_pub, active), FM_FIELD(struct moray_pub, hungry),
    FM_FIELD(struct moray_pub, pile_n), FM_FIELD(struct moray_pub, gone_n),
    FM_FIELD(struct moray_pub, turns),  FM_FIELD(struct moray_pub, winners),
    FM_FIELD(struct moray_pub, room),   FM_FIELD(struct moray_pub, hole_n),
    FM_FIELD(struct moray_pub, hand_n), FM_FIELD(struct moray_pub, score),
    FM_FIELD(struct moray_pub, bites),  FM_FIELD(struct moray_pub, hole),
    FM_FIELD(struct moray_pub, gone),   FM_FIELD(struct moray_pub, deck),
    FM_FIELD(struct moray_pub, zero),   FM_FIELDS_END,
};

static const struct fm_field priv_fields[] = {
    FM_FIELD(struct moray_priv, hand),
    FM_FIELD(struct moray_priv, zero),
    FM_FIELDS_END,
};

static const struct fm_field secret_fields[] = {
    FM_FIELD(struct moray_secret, pile),
    FM_FIELD(struct moray_secret, zero),
    FM_FIELDS_END,
};

const struct fm_game fm_game_moray = {
    .id = "moray",
    .title = "Moray",
    .deck = "moray-reef",
    .length_unit = "turns",
    .phases = phases,
    .reasons = reasons,
    .options = options,
    .n_options = MORAY_N_OPTIONS,
    .newest_rules = 1,
    .min_seats = 2,
    .max_seats = MORAY_SEATS,
    .state_size = sizeof(struct moray_state),
    .pub_size = sizeof(struct moray_pub),
    .priv_off = offsetof(struct moray_state, priv),
    .priv_size = sizeof(struct moray_priv),
    .secret_off = offsetof(struct moray_state, secret),
    .fields = {pub_fields, priv_fields, secret_fields},
    .settle = settle,
    .init = init,
    .apply = apply,
    .legal = legal,
    .sample = sample,
    .deal = deal,
    .outcome = outcome,
    .wire = &moray_wire,
    .flat = &moray_flat,
};
