/* divercity.c: the game DiverCity, C1 to C46 of text/rules.en.md: actions and options. */
#include "base/bits.h"
#include "divercity/rules/divercity_names.h"
#include "divercity/rules/divercity_rules.h"

/* ---- actions -------------------------------------------------------------------------------- */

static enum fm_err do_rig(struct divercity_state *s, unsigned card, struct fm_notes *notes)
{
    struct divercity_pub *pub = &s->pub;
    if (pub->head.phase != DIVERCITY_RIG)
        return FM_E_PHASE;
    if (card >= pub->hand_n[pub->active])
        return FM_E_NO_CARD;
    const uint8_t species = divercity_discard(s, pub->active, card);
    fm_tell(notes, DIVERCITY_DISCARDED, pub->active, species | card << 8);
    divercity_move(pub, species, -1, notes);
    if (divercity_refill(s, pub->active, card, notes) && !divercity_ended(s, notes))
        divercity_resume(s, notes);
    return FM_OK;
}

static enum fm_err do_industry(struct divercity_state *s, unsigned place, struct fm_notes *notes)
{
    struct divercity_pub *pub = &s->pub;
    if (pub->head.phase != DIVERCITY_INDUSTRY_PLAY)
        return FM_E_PHASE;
    if (place >= pub->industry_n)
        return FM_E_NO_CARD;
    pub->open = s->secret.industry[place];
    pub->due = (uint8_t)divercity_counting(pub, pub->open);
    pub->industry_gap = (uint8_t)place;
    divercity_take_industry(s, place);
    fm_tell(notes, DIVERCITY_TURNED, pub->industrialist, pub->open);
    divercity_resume(s, notes);
    return FM_OK;
}

/* The active diver's action, or the answer to a captain. */
static enum fm_err do_play(struct divercity_state *s, unsigned card, struct fm_notes *notes)
{
    struct divercity_pub *pub = &s->pub;
    if (pub->head.phase != DIVERCITY_ACTION && pub->head.phase != DIVERCITY_CAPTAIN)
        return FM_E_PHASE;
    if (card >= pub->hand_n[pub->asked])
        return FM_E_NO_CARD;
    pub->acted |= pub->head.phase == DIVERCITY_ACTION;
    if (divercity_play(s, pub->asked, card, notes))
        divercity_go_on(s, notes);
    return FM_OK;
}

static enum fm_err do_walkie(struct divercity_state *s, unsigned target, uint64_t signs,
                             struct fm_notes *notes)
{
    struct divercity_pub *pub = &s->pub;
    if (pub->head.phase != DIVERCITY_ACTION)
        return FM_E_PHASE;
    const enum fm_err err = divercity_may_talk(pub, pub->active, target, signs);
    if (err != FM_OK)
        return err;
    pub->acted = 1;
    divercity_talk_to(s, pub->active, target, signs, notes);
    divercity_go_on(s, notes);
    return FM_OK;
}

static enum fm_err do_close(struct divercity_state *s, unsigned card, unsigned hotel,
                            struct fm_notes *notes)
{
    struct divercity_pub *pub = &s->pub;
    if (pub->head.phase != DIVERCITY_ACTION)
        return FM_E_PHASE;
    if (card >= pub->hand_n[pub->active])
        return FM_E_NO_CARD;
    if (hotel >= DIVERCITY_HOTELS)
        return FM_E_ACTION;
    if (!(pub->hotels >> hotel & 1))
        return FM_E_NOT_BUILT;
    pub->acted = 1;
    const uint8_t species = divercity_discard(s, pub->active, card);
    pub->hotels &= (uint8_t) ~(1u << hotel);
    fm_tell(notes, DIVERCITY_CLOSED, pub->active, species | card << 8 | hotel << 16);
    if (divercity_refill(s, pub->active, card, notes))
        divercity_go_on(s, notes);
    return FM_OK;
}

static enum fm_err do_end(struct divercity_state *s, struct fm_notes *notes)
{
    if (s->pub.head.phase != DIVERCITY_AFTER)
        return FM_E_PHASE;
    divercity_end_turn(s, notes);
    return FM_OK;
}

/* C33, rules 2: under water "you can only use signs": nobody says what they believe either. */
static bool may_claim(const struct divercity_pub *pub)
{
    return pub->head.rules < 2 || !divercity_rule(pub, DIVERCITY_REALISTIC);
}

/* C13: about the own hand; in solo about the active one unless another is named (C42). */
static enum fm_err do_claim(struct divercity_state *s, unsigned seat, fm_action a,
                            struct fm_notes *notes)
{
    struct divercity_pub *pub = &s->pub;
    const unsigned card = divercity_a(a), species = divercity_b(a);
    const bool solo = divercity_rule(pub, DIVERCITY_SOLO);
    unsigned hand = divercity_c(a);
    if (seat == pub->industrialist)
        return FM_E_TURN;
    if (!may_claim(pub))
        return FM_E_ONLY_SIGNS;
    if (hand == DIVERCITY_NONE)
        hand = solo ? pub->active : seat;
    else if (!solo || !divercity_plays(pub, seat, hand))
        return FM_E_NOT_OWN_CARD;
    if (card >= pub->hand_n[hand])
        return FM_E_NO_CARD;
    if (species >= DIVERCITY_SPECIES && species != DIVERCITY_NONE)
        return FM_E_ACTION;
    pub->claim[hand][card] = (uint8_t)species;
    fm_tell(notes, DIVERCITY_CLAIMED, hand, species | card << 8);
    return FM_OK;
}

/* Are there bits in it that mean nothing? */
static bool has_stray_bits(fm_action a)
{
    static const uint8_t bits[DIVERCITY_VERBS] = {
        [DIVERCITY_DO_TAKE] = 16,           [DIVERCITY_DO_PASS] = 8,   [DIVERCITY_DO_RIG] = 16,
        [DIVERCITY_DO_INDUSTRY] = 16,       [DIVERCITY_DO_PLAY] = 16,  [DIVERCITY_DO_WALKIE] = 63,
        [DIVERCITY_DO_CLOSE] = 24,          [DIVERCITY_DO_DIVER] = 24, [DIVERCITY_DO_REORDER] = 28,
        [DIVERCITY_DO_STRIKE] = 28,         [DIVERCITY_DO_END] = 8,    [DIVERCITY_DO_CLAIM] = 32,
        [DIVERCITY_DO_COMMUNICATIONS] = 63, [DIVERCITY_DO_SHOW] = 8,
    };
    const unsigned verb = fm_verb(a);
    if (verb == DIVERCITY_DO_REORDER || verb == DIVERCITY_DO_STRIKE)
        return divercity_list_n(a) > DIVERCITY_LOOK || (a >> 11 & 1) ||
               a >> (12 + 4 * divercity_list_n(a)) != 0;
    return a >> bits[verb] != 0;
}

static enum fm_err apply(void *state, const struct fm_event *ev, struct fm_notes *notes)
{
    struct divercity_state *s = state;
    const fm_action a = ev->action;
    const unsigned verb = fm_verb(a);
    if (verb == 0 || verb >= DIVERCITY_VERBS || has_stray_bits(a))
        return FM_E_ACTION;
    if (verb == DIVERCITY_DO_CLAIM)
        return do_claim(s, ev->seat, a, notes);
    if (verb == DIVERCITY_DO_DIVER || verb == DIVERCITY_DO_COMMUNICATIONS)
        return divercity_use(s, ev->seat, a, notes);
    if (!(s->pub.head.owes >> ev->seat & 1))
        return FM_E_TURN;
    switch ((enum divercity_verb)verb) {
    case DIVERCITY_DO_TAKE:
        return divercity_take(s, ev->seat, divercity_a(a), notes);
    case DIVERCITY_DO_PASS:
        return divercity_pass(s, ev->seat, notes);
    case DIVERCITY_DO_RIG:
        return do_rig(s, divercity_a(a), notes);
    case DIVERCITY_DO_INDUSTRY:
        return do_industry(s, divercity_a(a), notes);
    case DIVERCITY_DO_PLAY:
        return do_play(s, divercity_a(a), notes);
    case DIVERCITY_DO_WALKIE:
        return do_walkie(s, divercity_target(a), divercity_signs(a), notes);
    case DIVERCITY_DO_CLOSE:
        return do_close(s, divercity_a(a), divercity_b(a), notes);
    case DIVERCITY_DO_REORDER:
        return divercity_reorder(s, a, notes);
    case DIVERCITY_DO_STRIKE:
        return divercity_strike(s, a, notes);
    case DIVERCITY_DO_END:
        return do_end(s, notes);
    case DIVERCITY_DO_SHOW:
        return divercity_show_looked(s, notes);
    case DIVERCITY_DO_DIVER:
    case DIVERCITY_DO_CLAIM:
    case DIVERCITY_DO_COMMUNICATIONS:
    case DIVERCITY_VERBS:
        break;
    }
    return FM_E_ACTION;
}

/* ---- what a seat may do --------------------------------------------------------------------- */

struct list {
    fm_action *out;
    size_t n, cap;
};

static void add(struct list *list, fm_action action)
{
    if (list->n < list->cap)
        list->out[list->n] = action;
    list->n++;
}

static void add_for_each(struct list *list, enum divercity_verb verb, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        add(list, divercity_action(verb, i, 0));
}

/* The plainest signs that are valid: one wave of the first kind for each card. */
static uint64_t plain_signs(const struct divercity_pub *pub, unsigned target)
{
    uint64_t signs = 0;
    if (divercity_rule(pub, DIVERCITY_REALISTIC))
        for (unsigned i = 0; i < pub->hand_n[target]; i++)
            signs |= (uint64_t)1 << i * DIVERCITY_SIGN_BITS;
    return signs;
}

static void add_talks(struct list *list, const struct divercity_pub *pub, enum divercity_verb verb,
                      unsigned hand)
{
    for (unsigned m = divercity_others(pub, hand); m != 0; m &= m - 1)
        add(list, divercity_talk(verb, fm__lowest(m), plain_signs(pub, fm__lowest(m))));
}

static void add_diver(struct list *list, const struct divercity_pub *pub, unsigned hand,
                      enum divercity_diver diver)
{
    const enum divercity_verb verb = DIVERCITY_DO_DIVER;
    switch (diver) {
    case DIVERCITY_ENDURANCE:
    case DIVERCITY_DIVING:
        for (unsigned m = pub->zone[diver == DIVERCITY_ENDURANCE ? DIVERCITY_RED : DIVERCITY_BLUE];
             m != 0; m &= m - 1)
            add(list, divercity_action(verb, diver, fm__lowest(m)));
        break;
    case DIVERCITY_CAPTAIN_CARD:
        for (unsigned m = divercity_others(pub, hand); m != 0; m &= m - 1)
            add(list, divercity_action(verb, diver, fm__lowest(m)));
        break;
    case DIVERCITY_ENVIRONMENTALIST:
        for (unsigned m = pub->hotels; m != 0; m &= m - 1)
            add(list, divercity_action(verb, diver, fm__lowest(m)));
        break;
    case DIVERCITY_VISIONARY_CARD:
    case DIVERCITY_EXPLORER:
        add(list, divercity_action(verb, diver, 0));
        break;
    case DIVERCITY_SWIMMER:
        for (unsigned card = 0; card < pub->hand_n[hand]; card++)
            add(list, divercity_action(verb, diver, card));
        break;
    case DIVERCITY_COMMUNICATIONS:
        add_talks(list, pub, DIVERCITY_DO_COMMUNICATIONS, hand);
        break;
    case DIVERCITY_DIVERS:
        break;
    }
}

/* Diver cards that this seat may use now (C14, C37). */
static void add_divers(struct list *list, const struct divercity_pub *pub, unsigned seat)
{
    const bool any_turn = divercity_rule(pub, DIVERCITY_ANY_TURN);
    const unsigned first = any_turn ? 0 : pub->active;
    const unsigned end = any_turn ? pub->n_hands : first + 1;
    for (unsigned hand = first; hand < end; hand++) {
        if (pub->unused[hand] == 0 || !divercity_plays(pub, seat, hand))
            continue;
        for (unsigned m = divercity_usable(pub, hand); m != 0; m &= m - 1)
            add_diver(list, pub, hand, (enum divercity_diver)fm__lowest(m));
    }
}

static void add_taking(struct list *list, const struct divercity_pub *pub)
{
    for (unsigned diver = 0; diver < DIVERCITY_DIVERS; diver++)
        if (pub->owner[diver] == DIVERCITY_NONE)
            add(list, divercity_action(DIVERCITY_DO_TAKE, diver, 0));
    if (pub->sharing == DIVERCITY_FULL_TEAM)
        add(list, divercity_action(DIVERCITY_DO_PASS, 0, 0));
}

static void add_actions(struct list *list, const struct divercity_pub *pub)
{
    const unsigned n = pub->hand_n[pub->active];
    add_for_each(list, DIVERCITY_DO_PLAY, n);
    add_talks(list, pub, DIVERCITY_DO_WALKIE, pub->active);
    for (unsigned m = pub->hotels; m != 0; m &= m - 1)
        for (unsigned card = 0; card < n; card++)
            add(list, divercity_action(DIVERCITY_DO_CLOSE, card, fm__lowest(m)));
}

/* One list of places stands for all of them. */
static fm_action first_places(fm_action list, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        list = divercity_list_add(list, i);
    return list;
}

static void add_asked(struct list *list, const struct divercity_pub *pub)
{
    switch ((enum divercity_phase)pub->head.phase) {
    case DIVERCITY_SETUP:
        add_taking(list, pub);
        break;
    case DIVERCITY_RIG:
        add_for_each(list, DIVERCITY_DO_RIG, pub->hand_n[pub->active]);
        break;
    case DIVERCITY_INDUSTRY_PLAY:
        add_for_each(list, DIVERCITY_DO_INDUSTRY, pub->industry_n);
        break;
    case DIVERCITY_ACTION:
        add_actions(list, pub);
        break;
    case DIVERCITY_CAPTAIN:
        add_for_each(list, DIVERCITY_DO_PLAY, pub->hand_n[pub->asked]);
        break;
    case DIVERCITY_VISIONARY:
        if (pub->industrialist == DIVERCITY_NONE)
            add(list, first_places(DIVERCITY_DO_REORDER, pub->looked));
        else
            add(list, first_places(DIVERCITY_DO_STRIKE, pub->industry_n < 2 ? pub->industry_n : 2));
        if (divercity_may_show(pub))
            add(list, divercity_action(DIVERCITY_DO_SHOW, 0, 0));
        break;
    case DIVERCITY_AFTER:
        add(list, divercity_action(DIVERCITY_DO_END, 0, 0));
        break;
    case DIVERCITY_OVER:
        break;
    }
}

/* All but claims. */
static void add_moves(struct list *list, struct fm_view v)
{
    const struct divercity_pub *pub = (const void *)v.pub;
    if (v.seat == FM_WATCHER)
        return;
    if (v.pub->owes >> v.seat & 1)
        add_asked(list, pub);
    if (v.pub->phase == DIVERCITY_ACTION || v.pub->phase == DIVERCITY_AFTER)
        add_divers(list, pub, (unsigned)v.seat);
}

/* One claim stands for all of them. */
static void add_claim(struct list *list, struct fm_view v)
{
    const struct divercity_pub *pub = (const void *)v.pub;
    const bool solo = divercity_rule(pub, DIVERCITY_SOLO);
    if (v.seat == FM_WATCHER || v.pub->status == FM_OVER || !may_claim(pub))
        return;
    for (unsigned hand = 0; hand < pub->n_hands; hand++) {
        if (divercity_plays(pub, (unsigned)v.seat, hand) && pub->hand_n[hand] > 0) {
            add(list, divercity_claim(0, DIVERCITY_NONE, solo ? hand : DIVERCITY_NONE));
            return;
        }
    }
}

static void sort(fm_action *list, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const fm_action a = list[i];
        size_t k = i;
        for (; k > 0 && list[k - 1] > a; k--)
            list[k] = list[k - 1];
        list[k] = a;
    }
}

static size_t legal(struct fm_view v, fm_action *out, size_t cap)
{
    struct list list = {.out = out, .cap = cap};
    add_moves(&list, v);
    add_claim(&list, v);
    sort(out, list.n < cap ? list.n : cap);
    return list.n;
}

static uint64_t random_signs(const struct divercity_pub *pub, unsigned target, struct fm_rng *rng)
{
    uint64_t signs = 0;
    for (unsigned i = 0; i < pub->hand_n[target]; i++)
        signs |= (uint64_t)(1 + fm_rng_below(rng, DIVERCITY_SIGN_MAX)) << i * DIVERCITY_SIGN_BITS;
    return signs;
}

static fm_action with_signs(const struct divercity_pub *pub, fm_action a, struct fm_rng *rng)
{
    const enum divercity_verb verb = (enum divercity_verb)fm_verb(a);
    if (!divercity_rule(pub, DIVERCITY_REALISTIC) ||
        (verb != DIVERCITY_DO_WALKIE && verb != DIVERCITY_DO_COMMUNICATIONS))
        return a;
    return divercity_talk(verb, divercity_target(a), random_signs(pub, divercity_target(a), rng));
}

/* The active diver's choice, most frequent of all: plays and closings are counted, not listed. */
static fm_action sample_action(struct fm_view v, struct fm_rng *rng)
{
    const struct divercity_pub *pub = (const void *)v.pub;
    const unsigned others = divercity_others(pub, pub->active);
    const unsigned n = pub->hand_n[pub->active];
    const unsigned talks = fm__count(others), closings = n * fm__count(pub->hotels);
    fm_action out[64];
    struct list list = {.out = out, .cap = sizeof out / sizeof out[0]};
    add_divers(&list, pub, (unsigned)v.seat);
    unsigned k = fm_rng_below(rng, n + talks + closings + (uint32_t)list.n);
    if (k < n)
        return divercity_action(DIVERCITY_DO_PLAY, k, 0);
    if ((k -= n) < talks)
        return with_signs(pub, divercity_talk(DIVERCITY_DO_WALKIE, fm__nth(others, k), 0), rng);
    if ((k -= talks) < list.n)
        return with_signs(pub, out[k], rng);
    k -= (unsigned)list.n;
    unsigned hotels = pub->hotels;
    for (; k >= n; k -= n)
        hotels &= hotels - 1;
    return divercity_action(DIVERCITY_DO_CLOSE, k, fm__lowest(hotels));
}

/* So many of n places, each choice and order as likely. */
static fm_action sample_places(fm_action list, unsigned n, unsigned wanted, struct fm_rng *rng)
{
    for (unsigned left = (1u << n) - 1; wanted > 0; wanted--, n--) {
        const unsigned place = fm__nth(left, fm_rng_below(rng, n));
        list = divercity_list_add(list, place);
        left &= ~(1u << place);
    }
    return list;
}

/* The visionary's second step. */
static fm_action sample_vision(const struct divercity_pub *pub, struct fm_rng *rng)
{
    const unsigned n = pub->industry_n;
    if (divercity_may_show(pub) && fm_rng_below(rng, 2) == 0)
        return divercity_action(DIVERCITY_DO_SHOW, 0, 0);
    if (pub->industrialist == DIVERCITY_NONE)
        return sample_places(DIVERCITY_DO_REORDER, pub->looked, pub->looked, rng);
    return sample_places(DIVERCITY_DO_STRIKE, n, n < 2 ? n : 2, rng);
}

static fm_action sample(struct fm_view v, struct fm_rng *rng)
{
    const struct divercity_pub *pub = (const void *)v.pub;
    fm_action out[64];
    struct list list = {.out = out, .cap = sizeof out / sizeof out[0]};
    const bool asked = v.seat != FM_WATCHER && (v.pub->owes >> v.seat & 1);
    if (asked && v.pub->phase == DIVERCITY_ACTION)
        return sample_action(v, rng);
    if (asked && v.pub->phase == DIVERCITY_VISIONARY)
        return sample_vision(pub, rng);
    add_moves(&list, v);
    return list.n > 0 ? with_signs(pub, out[fm_rng_below(rng, (uint32_t)list.n)], rng) : 0;
}

static void outcome(const void *state, struct fm_outcome *out)
{
    const struct divercity_pub *pub = state;
    const unsigned divers = divercity_rule(pub, DIVERCITY_SOLO) ? 1 : (1u << pub->n_hands) - 1;
    *out = (struct fm_outcome){.reason = pub->reason, .length = pub->round};
    if (pub->reason == DIVERCITY_BY_SAVED)
        out->winners = (uint8_t)divers;
    else if (pub->industrialist != DIVERCITY_NONE)
        out->winners = (uint8_t)(1u << pub->industrialist);
    for (unsigned seat = 0; seat < pub->head.n_seats; seat++)
        out->score[seat] = seat == pub->industrialist ? pub->extinct : pub->saved;
}

/* ---- the game ------------------------------------------------------------------------------- */

static const char *const phases[] = {"setup",     "rig",   "industry", "action", "captain",
                                     "visionary", "after", "over",     NULL};
static const char *const reasons[] = {"saved", "extinct", "hotels", "stuck", "empty-deck", NULL};
static const char *const level_words[] = {"open-water", "advanced-open-water",
                                          "divemaster", "assistant-instructor",
                                          "instructor", "cousteau",
                                          "poseidon",   "freediving",
                                          NULL};
static const char *const sharing_words[] = {"random", "choose", "full-team", "none", NULL};
static const char *const empty_deck_words[] = {"rulebook", "loss", NULL};

static const struct fm_option options[] = {
    [DIVERCITY_OPT_DIVERS] = {.name = "divers",
                              .players = true,
                              .kind = FM_OPT_INT,
                              .min = 1,
                              .max = DIVERCITY_HANDS,
                              .fallback = 2,
                              .about = "how many dive; 1: solo, one person plays two hands"},
    [DIVERCITY_OPT_LEVEL] = {.name = "level",
                             .kind = FM_OPT_WORD,
                             .words = level_words,
                             .about = "how many species to save, how many to lose at most"},
    [DIVERCITY_OPT_DIVER_CARDS] = {.name = "diver_cards",
                                   .kind = FM_OPT_WORD,
                                   .words = sharing_words,
                                   .about = "how the diver cards are shared out"},
    [DIVERCITY_OPT_BEGINNERS] = {.name = "beginners",
                                 .kind = FM_OPT_FLAG,
                                 .about = "variant: no diver cards, milder corporations, named "
                                          "cards stay face up"},
    [DIVERCITY_OPT_SIMPLE] = {.name = "simple_corporations",
                              .kind = FM_OPT_FLAG,
                              .since = 2,
                              .about = "variant: of a corporation card with two effects only the "
                                       "lower one counts"},
    [DIVERCITY_OPT_FACE_UP] = {.name = "face_up",
                               .kind = FM_OPT_FLAG,
                               .since = 2,
                               .about = "variant: cards named by walkie-talkie stay face up"},
    [DIVERCITY_OPT_INDUSTRIALIST] = {.name = "industrialist",
                                     .kind = FM_OPT_FLAG,
                                     .about = "variant: one more seat plays the corporations"},
    [DIVERCITY_OPT_REALISTIC] = {.name = "realistic",
                                 .kind = FM_OPT_FLAG,
                                 .about = "variant: hand signs instead of a walkie-talkie"},
    [DIVERCITY_OPT_ANY_TURN] = {.name = "any_turn",
                                .kind = FM_OPT_FLAG,
                                .about = "diver cards may be used on any diver's turn"},
    [DIVERCITY_OPT_EMPTY_DECK] = {.name = "empty_deck",
                                  .kind = FM_OPT_WORD,
                                  .words = empty_deck_words,
                                  .about = "what the last species card of the deck means"},
    [DIVERCITY_OPT_FIRST] = {.name = "first",
                             .kind = FM_OPT_SEAT,
                             .fallback = FM_RANDOM,
                             .about = "who begins"},
};

/* Its diver cards. */
static uint32_t traits_of(const struct fm_pub *head, unsigned seat)
{
    const struct divercity_pub *pub = (const void *)head;
    uint32_t bits = 0;
    for (unsigned i = 0; i < DIVERCITY_DIVERS; i++)
        if (divercity_plays(pub, seat, pub->owner[i]))
            bits |= 1u << i;
    return bits;
}

static void open_hands(void *state)
{
    struct divercity_state *s = state;
    for (unsigned hand = 0; hand < s->pub.n_hands; hand++) {
        const uint8_t all = (uint8_t)((1u << s->pub.hand_n[hand]) - 1);
        if (s->pub.told[hand] != all) {
            s->pub.told[hand] = all;
            divercity_show_hand(s, hand);
        }
    }
}

static const struct fm_value constants[] = {
    {"hand", DIVERCITY_HAND},
    {"species", DIVERCITY_SPECIES},
    {"copies", DIVERCITY_SPECIES_CARDS / DIVERCITY_SPECIES},
    {"hotels", DIVERCITY_HOTELS},
    {"look", DIVERCITY_LOOK},
    {"strikes", DIVERCITY_STRIKES},
    {"signs", DIVERCITY_SIGNS},
    {"signs_a_card", DIVERCITY_SIGNS_A_CARD},
    {NULL, 0},
};

/* ---- what checks cover --------------------------------------------------------------------- */

static const struct fm_field pub_fields[] = {
    FM_FIELD(struct divercity_pub, fresh),
    FM_FIELD(struct divercity_pub, old),
    FM_FIELD(struct divercity_pub, sign),
    FM_FIELD(struct divercity_pub, zone),
    FM_FIELD(struct divercity_pub, round),
    FM_FIELD(struct divercity_pub, variants),
    FM_FIELD(struct divercity_pub, sharing),
    FM_FIELD(struct divercity_pub, to_save),
    FM_FIELD(struct divercity_pub, to_lose),
    FM_FIELD(struct divercity_pub, n_hands),
    FM_FIELD(struct divercity_pub, industrialist),
    FM_FIELD(struct divercity_pub, active),
    FM_FIELD(struct divercity_pub, acted),
    FM_FIELD(struct divercity_pub, asked),
    FM_FIELD(struct divercity_pub, open),
    FM_FIELD(struct divercity_pub, due),
    FM_FIELD(struct divercity_pub, reason),
    FM_FIELD(struct divercity_pub, saved),
    FM_FIELD(struct divercity_pub, extinct),
    FM_FIELD(struct divercity_pub, hotels),
    FM_FIELD(struct divercity_pub, owner),
    FM_FIELD(struct divercity_pub, unused),
    FM_FIELD(struct divercity_pub, passed),
    FM_FIELD(struct divercity_pub, looked),
    FM_FIELD(struct divercity_pub, hand_n),
    FM_FIELD(struct divercity_pub, told),
    FM_FIELD(struct divercity_pub, claim),
    FM_FIELD(struct divercity_pub, shown),
    FM_FIELD(struct divercity_pub, industry_n),
    FM_FIELD(struct divercity_pub, industry_old),
    FM_FIELD(struct divercity_pub, industry_gap),
    FM_FIELD(struct divercity_pub, deck_n),
    FM_FIELD(struct divercity_pub, discard_n),
    FM_FIELD(struct divercity_pub, corp_deck_n),
    FM_FIELD(struct divercity_pub, corp_discard_n),
    FM_FIELD(struct divercity_pub, discard),
    FM_FIELD(struct divercity_pub, corp_discard),
    FM_FIELD(struct divercity_pub, species_in_box),
    FM_FIELD(struct divercity_pub, corps_in_box),
    FM_BLANK(5),
    FM_FIELD_SINCE(2, struct divercity_pub, next),
    FM_FIELD_SINCE(2, struct divercity_pub, boat_n),
    FM_FIELD_SINCE(2, struct divercity_pub, boat),
    FM_FIELD_SINCE(2, struct divercity_pub, showed),
    FM_FIELD_SINCE(2, struct divercity_pub, filed),
    FM_FIELD_SINCE(2, struct divercity_pub, face_up),
    FM_UNCHECKED(struct divercity_pub, zero),
    FM_FIELDS_END,
};

static const struct fm_field priv_fields[] = {
    FM_FIELD(struct divercity_priv, hand),
    FM_FIELD(struct divercity_priv, corp),
    FM_FIELD(struct divercity_priv, zero),
    FM_FIELDS_END,
};

static const struct fm_field secret_fields[] = {
    FM_FIELD(struct divercity_secret, hand),      FM_FIELD(struct divercity_secret, deck),
    FM_FIELD(struct divercity_secret, corp_deck), FM_FIELD(struct divercity_secret, industry),
    FM_FIELD(struct divercity_secret, zero),      FM_FIELDS_END,
};

/* C13: silence, until it is over. */
static uint32_t reactions_ms(const struct fm_pub *before, const struct fm_pub *now)
{
    (void)before;
    return now->status == FM_OVER ? FM_NEVER : 0;
}

const struct fm_game fm_game_divercity = {
    .id = "divercity",
    .title = "DiverCity",
    .deck = "divercity-mini",
    .length_unit = "rounds",
    .phases = phases,
    .reasons = reasons,
    .options = options,
    .n_options = DIVERCITY_N_OPTIONS,
    .constants = constants,
    .open_verbs = 1u << DIVERCITY_DO_WALKIE | 1u << DIVERCITY_DO_COMMUNICATIONS |
                  1u << DIVERCITY_DO_REORDER | 1u << DIVERCITY_DO_STRIKE | 1u << DIVERCITY_DO_CLAIM,
    .quiet_verbs = 1u << DIVERCITY_DO_CLAIM,
    .repeat_verbs = 1u << DIVERCITY_DO_CLAIM,
    .memory_notes = 1u << DIVERCITY_TALKED | 1u << DIVERCITY_SAW, /* C43 */
    .newest_rules = 2,
    .min_seats = 1,
    .max_seats = DIVERCITY_SEATS,
    .state_size = sizeof(struct divercity_state),
    .pub_size = sizeof(struct divercity_pub),
    .priv_off = offsetof(struct divercity_state, priv),
    .priv_size = sizeof(struct divercity_priv),
    .secret_off = offsetof(struct divercity_state, secret),
    .fields = {pub_fields, priv_fields, secret_fields},
    .settle = divercity_settle,
    .init = divercity_init,
    .apply = apply,
    .legal = legal,
    .sample = sample,
    .deal = divercity_deal,
    .reactions_ms = reactions_ms,
    .outcome = outcome,
    .wire = &divercity_wire,
    .flat = &divercity_flat,
    .traits = divercity_diver_names,
    .traits_of = traits_of,
    .open_hands = open_hands,
};
