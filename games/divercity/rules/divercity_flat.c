/* divercity_flat.c: DiverCity in fixed numbers: without claims, and of diver cards only those
 * that may be used when it is the seat's turn. */
#include "divercity/rules/divercity.h"

#include "base/bits.h"
#include "core/lanes.h"

#include <fathom/games.h>

#include <string.h>

_Static_assert(sizeof(struct fm_obs_divercity) == 280, "no padding");
FM__SAME_RUN(struct fm_obs_divercity, struct divercity_pub, fresh, claim);
FM__SAME_RUN(struct fm_obs_divercity, struct divercity_pub, industry_n, corp_discard_n);
FM__SAME_RUN(struct fm_obs_divercity, struct divercity_priv, hand, corp);
FM__SAME_RUN(struct fm_obs_divercity, struct divercity_pub, next, boat);
_Static_assert(sizeof(((struct fm_obs_divercity *)0)->discard) == DIVERCITY_SPECIES_CARDS &&
                   sizeof(((struct fm_obs_divercity *)0)->corp_discard) == DIVERCITY_CORPORATIONS,
               "without a given position no discard is larger");

static inline void observe(struct fm_view v, const struct fm_sight *sight, void *out)
{
    const struct divercity_pub *pub = (const void *)v.pub;
    const struct divercity_priv *priv = (const void *)v.priv;
    struct fm_obs_divercity *obs = out;
    (void)sight;
    obs->phase = pub->head.phase;
    obs->seat = (uint8_t)v.seat;
    obs->n_seats = pub->head.n_seats;
    obs->version = pub->head.rules;
    FM__COPY_RUN(obs, pub, struct fm_obs_divercity, fresh, claim);
    FM__COPY_RUN(obs, pub, struct fm_obs_divercity, industry_n, corp_discard_n);
    memcpy(obs->discard, pub->discard, sizeof obs->discard);
    memcpy(obs->corp_discard, pub->corp_discard, sizeof obs->corp_discard);
    FM__COPY_RUN(obs, priv, struct fm_obs_divercity, hand, corp);
    FM__COPY_RUN(obs, pub, struct fm_obs_divercity, next, boat);
    memset(obs->end, 0, sizeof obs->end);
}

/* ---- what a seat may do --------------------------------------------------------------------- */

static uint64_t first(unsigned n) /* bits 0 .. n - 1 */
{
    return (UINT64_C(1) << n) - 1;
}

/* Three bits, each in its own group of four. */
static uint64_t spread(unsigned bits)
{
    return bits * 0x49u & 0x111u;
}

/* Each hotel that stands: four places of which n hold a card. */
static uint64_t closings(unsigned hotels, unsigned n)
{
    return (spread(hotels & 7) | spread(hotels >> 3) << 12) * first(n);
}

static void mask_divers(const struct divercity_pub *pub, unsigned hand, unsigned usable,
                        uint64_t out[FM__MASK_WORDS])
{
    const unsigned others = divercity_others(pub, hand);
#define IF(diver, set) (usable >> (diver)&1 ? (uint64_t)(set) : 0)
    out[0] |= IF(DIVERCITY_VISIONARY_CARD, 1) << FM_DIVERCITY_USE_VISIONARY |
              IF(DIVERCITY_EXPLORER, 1) << FM_DIVERCITY_USE_EXPLORER |
              IF(DIVERCITY_SWIMMER, first(pub->hand_n[hand])) << FM_DIVERCITY_USE_SWIMMER |
              IF(DIVERCITY_COMMUNICATIONS, others) << FM_DIVERCITY_USE_COMMUNICATIONS;
    out[1] |=
        IF(DIVERCITY_ENDURANCE, pub->zone[DIVERCITY_RED]) << (FM_DIVERCITY_USE_ENDURANCE - 64) |
        IF(DIVERCITY_DIVING, pub->zone[DIVERCITY_BLUE]) << (FM_DIVERCITY_USE_DIVING - 64) |
        IF(DIVERCITY_CAPTAIN_CARD, others) << (FM_DIVERCITY_USE_CAPTAIN - 64) |
        IF(DIVERCITY_ENVIRONMENTALIST, pub->hotels) << (FM_DIVERCITY_USE_ENVIRONMENTALIST - 64);
#undef IF
}

/* Of the hand whose turn it is, or of all that the seat plays, where any turn will do. */
static void mask_all_divers(const struct divercity_pub *pub, unsigned seat,
                            uint64_t out[FM__MASK_WORDS])
{
    const bool any_turn = divercity_rule(pub, DIVERCITY_ANY_TURN);
    const unsigned end = any_turn ? pub->n_hands : pub->active + 1u;
    for (unsigned hand = any_turn ? 0 : pub->active; hand < end; hand++)
        if (pub->unused[hand] != 0 && divercity_plays(pub, seat, hand))
            mask_divers(pub, hand, divercity_usable(pub, hand), out);
}

static uint64_t mask_asked(const struct divercity_pub *pub)
{
    const unsigned active = pub->active;
    uint64_t untaken = 0;
    switch ((enum divercity_phase)pub->head.phase) {
    case DIVERCITY_SETUP:
        for (unsigned diver = 0; diver < DIVERCITY_DIVERS; diver++)
            untaken |= (uint64_t)(pub->owner[diver] == DIVERCITY_NONE) << diver;
        return untaken << FM_DIVERCITY_TAKE | (uint64_t)(pub->sharing == DIVERCITY_FULL_TEAM)
                                                  << FM_DIVERCITY_PASS;
    case DIVERCITY_RIG:
        return first(pub->hand_n[active]) << FM_DIVERCITY_RIG;
    case DIVERCITY_INDUSTRY_PLAY:
        return first(pub->industry_n) << FM_DIVERCITY_INDUSTRY;
    case DIVERCITY_ACTION:
        return first(pub->hand_n[active]) << FM_DIVERCITY_PLAY |
               (uint64_t)divercity_others(pub, active) << FM_DIVERCITY_WALKIE |
               closings(pub->hotels, pub->hand_n[active]) << FM_DIVERCITY_CLOSE;
    case DIVERCITY_CAPTAIN:
        return first(pub->hand_n[pub->asked]) << FM_DIVERCITY_PLAY;
    case DIVERCITY_AFTER:
        return UINT64_C(1) << FM_DIVERCITY_END;
    case DIVERCITY_VISIONARY:
    case DIVERCITY_OVER:
        break;
    }
    return 0;
}

static inline void mask(struct fm_view v, uint64_t out[FM__MASK_WORDS])
{
    const struct divercity_pub *pub = (const void *)v.pub;
    const bool asked = pub->head.owes >> v.seat & 1;
    out[0] = out[1] = 0;
    if (asked && pub->head.phase == DIVERCITY_VISIONARY)
        out[1] = UINT64_C(1) << ((pub->industrialist == DIVERCITY_NONE ? FM_DIVERCITY_REORDER
                                                                       : FM_DIVERCITY_STRIKE) -
                                 64) |
                 (uint64_t)divercity_may_show(pub) << (FM_DIVERCITY_SHOW - 64);
    else if (asked)
        out[0] = mask_asked(pub);
    if (pub->head.phase == DIVERCITY_ACTION || pub->head.phase == DIVERCITY_AFTER)
        mask_all_divers(pub, (unsigned)v.seat, out);
}

/* ---- actions -------------------------------------------------------------------------------- */

static uint64_t power(uint64_t base, unsigned n)
{
    uint64_t product = 1;
    while (n-- > 0)
        product *= base;
    return product;
}

static uint64_t ways_to_sign(const struct divercity_pub *pub, unsigned target)
{
    const bool signs = divercity_rule(pub, DIVERCITY_REALISTIC) && target < pub->n_hands;
    return signs ? power(DIVERCITY_SIGN_MAX, pub->hand_n[target]) : 1;
}

static unsigned factorial(unsigned n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

static unsigned ways_to_strike(unsigned n) /* two of them in some order, or all */
{
    return n < 2 ? 1 : n * (n - 1);
}

static uint64_t values(struct fm_view v, unsigned index)
{
    const struct divercity_pub *pub = (const void *)v.pub;
    if (index >= FM_DIVERCITY_WALKIE && index < FM_DIVERCITY_CLOSE)
        return ways_to_sign(pub, index - FM_DIVERCITY_WALKIE);
    if (index >= FM_DIVERCITY_USE_COMMUNICATIONS && index < FM_DIVERCITY_USE_ENDURANCE)
        return ways_to_sign(pub, index - FM_DIVERCITY_USE_COMMUNICATIONS);
    if (index == FM_DIVERCITY_REORDER)
        return factorial(pub->looked);
    return index == FM_DIVERCITY_STRIKE ? ways_to_strike(pub->industry_n) : 1;
}

static fm_action talk(const struct divercity_pub *pub, enum divercity_verb verb, unsigned target,
                      uint64_t value)
{
    uint64_t signs = 0;
    if (value >= ways_to_sign(pub, target))
        return 0;
    if (divercity_rule(pub, DIVERCITY_REALISTIC) && target < pub->n_hands)
        for (unsigned i = 0; i < pub->hand_n[target]; i++, value /= DIVERCITY_SIGN_MAX)
            signs |= (1 + value % DIVERCITY_SIGN_MAX) << i * DIVERCITY_SIGN_BITS;
    return divercity_talk(verb, target, signs);
}

/* So many of n places, in the value-th order of all. */
static fm_action places(fm_action list, unsigned n, unsigned wanted, uint64_t value)
{
    for (unsigned left = (1u << n) - 1; wanted > 0; wanted--, value /= n, n--) {
        const unsigned place = fm__nth(left, (unsigned)(value % n));
        list = divercity_list_add(list, place);
        left &= ~(1u << place);
    }
    return list;
}

static fm_action vision(const struct divercity_pub *pub, unsigned index, uint64_t value)
{
    const unsigned n = index == FM_DIVERCITY_REORDER ? pub->looked : pub->industry_n;
    if (pub->head.phase != DIVERCITY_VISIONARY || n > DIVERCITY_LOOK)
        return 0;
    if (index == FM_DIVERCITY_REORDER)
        return value < factorial(n) ? places(DIVERCITY_DO_REORDER, n, n, value) : 0;
    return value < ways_to_strike(n) ? places(DIVERCITY_DO_STRIKE, n, n < 2 ? n : 2, value) : 0;
}

/* What the indices of a group mean: from the first to the one before the next group. */
struct group {
    uint8_t begin, verb;
    uint8_t diver; /* of DO_DIVER */
};

#define GROUP(name, next, verb, diver)                                                             \
    [FM_DIVERCITY_##name... FM_DIVERCITY_##next - 1] = {FM_DIVERCITY_##name, DIVERCITY_DO_##verb,  \
                                                        diver}
static const struct group groups[FM_DIVERCITY_INDICES] = {
    GROUP(TAKE, PASS, TAKE, 0),
    GROUP(PASS, END, PASS, 0),
    GROUP(END, RIG, END, 0),
    GROUP(RIG, INDUSTRY, RIG, 0),
    GROUP(INDUSTRY, PLAY, INDUSTRY, 0),
    GROUP(PLAY, WALKIE, PLAY, 0),
    GROUP(WALKIE, CLOSE, WALKIE, 0),
    GROUP(CLOSE, USE_VISIONARY, CLOSE, 0),
    GROUP(USE_VISIONARY, USE_EXPLORER, DIVER, DIVERCITY_VISIONARY_CARD),
    GROUP(USE_EXPLORER, USE_SWIMMER, DIVER, DIVERCITY_EXPLORER),
    GROUP(USE_SWIMMER, USE_COMMUNICATIONS, DIVER, DIVERCITY_SWIMMER),
    GROUP(USE_COMMUNICATIONS, USE_ENDURANCE, COMMUNICATIONS, 0),
    GROUP(USE_ENDURANCE, USE_DIVING, DIVER, DIVERCITY_ENDURANCE),
    GROUP(USE_DIVING, USE_CAPTAIN, DIVER, DIVERCITY_DIVING),
    GROUP(USE_CAPTAIN, USE_ENVIRONMENTALIST, DIVER, DIVERCITY_CAPTAIN_CARD),
    GROUP(USE_ENVIRONMENTALIST, REORDER, DIVER, DIVERCITY_ENVIRONMENTALIST),
    GROUP(REORDER, STRIKE, REORDER, 0),
    GROUP(STRIKE, SHOW, STRIKE, 0),
    GROUP(SHOW, INDICES, SHOW, 0),
};
#undef GROUP

static inline fm_action action(struct fm_view v, unsigned index, uint64_t value)
{
    const struct divercity_pub *pub = (const void *)v.pub;
    if (index >= FM_DIVERCITY_INDICES)
        return 0;
    const struct group *g = &groups[index];
    const enum divercity_verb verb = (enum divercity_verb)g->verb;
    const unsigned which = index - g->begin;
    if (verb == DIVERCITY_DO_PLAY && value == 0) /* the most frequent */
        return divercity_action(verb, which, 0);
    switch (verb) {
    case DIVERCITY_DO_WALKIE:
    case DIVERCITY_DO_COMMUNICATIONS:
        return talk(pub, verb, which, value);
    case DIVERCITY_DO_REORDER:
    case DIVERCITY_DO_STRIKE:
        return vision(pub, index, value);
    default:
        break;
    }
    if (value != 0)
        return 0;
    if (verb == DIVERCITY_DO_DIVER)
        return divercity_action(verb, g->diver, which);
    if (verb == DIVERCITY_DO_CLOSE)
        return divercity_action(verb, which % DIVERCITY_HAND, which / DIVERCITY_HAND);
    return divercity_action(verb, which, 0);
}

static enum fm_err step(struct fm_vec *vec, const struct fm_vec_io *io, uint32_t first, uint32_t n)
{
    return fm__lanes_step(vec, io, first, n, &fm_game_divercity, FM_DIVERCITY_INDICES,
                          sizeof(struct fm_obs_divercity), observe, mask, action);
}

const struct fm_flat divercity_flat = {
    .obs_bytes = sizeof(struct fm_obs_divercity),
    .n_actions = FM_DIVERCITY_INDICES,
    .open = {0x3full << FM_DIVERCITY_WALKIE | 0x3full << FM_DIVERCITY_USE_COMMUNICATIONS,
             3ull << (FM_DIVERCITY_REORDER - 64)},
    .observe = observe,
    .mask = mask,
    .values = values,
    .action = action,
    .step = step,
};
