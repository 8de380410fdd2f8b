/*
 * divercity_search.c: players who try every action out before they act: warden, a diver, and
 * baron, the industrialist.
 *
 * They deal the own hand and the decks anew from all they know, take each action in turn, let
 * everybody go on for some rounds as pilots would from what they then see, and ask the judge how
 * likely that is to win. What partners will do is thus known in every dealt world, as Lerer and
 * others do for Hanabi (2019).
 */
#include "bots/search.h"
#include "divercity/bots/divercity_bots.h"
#include "divercity/bots/divercity_judge.h"
#include "divercity/bots/divercity_why.h"

#include "base/bits.h"

#define PLAYOUTS 2000
#define ROUNDS   8 /* of a playout: the judge is a poorer guess than eight rounds of pilots */
#define CLOSINGS 2 /* hotels worth closing */

struct ideas {
    fm_action *out;
    size_t n, cap;
};

static void add(struct ideas *ideas, fm_action action)
{
    for (size_t i = 0; i < ideas->n; i++)
        if (ideas->out[i] == action)
            return;
    if (ideas->n < ideas->cap)
        ideas->out[ideas->n++] = action;
}

/* Is this card of its own like an earlier one: the same species, or unknown as well? */
static bool repeats(const struct sense *s, unsigned hand, unsigned place)
{
    for (unsigned i = 0; i < place; i++)
        if (divercity_sense_card(s, hand, i) == divercity_sense_card(s, hand, place))
            return true;
    return false;
}

static void add_talks(struct ideas *ideas, const struct sense *s, enum divercity_verb verb,
                      unsigned hand)
{
    for (unsigned m = divercity_others(s->pub, hand); m != 0; m &= m - 1)
        add(ideas, divercity_talk(verb, fm__lowest(m), divercity_sense_signs(s, fm__lowest(m))));
}

/* All orders of n places. */
static void add_orders(struct ideas *ideas, fm_action list, unsigned left)
{
    if (left == 0)
        add(ideas, list);
    for (unsigned m = left; m != 0; m &= m - 1)
        add_orders(ideas, divercity_list_add(list, fm__lowest(m)), left & ~(m & -m));
}

static void add_strikes(struct ideas *ideas, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = i + 1; k < n; k++)
            add(ideas, divercity_list_add(divercity_list_add(DIVERCITY_DO_STRIKE, i), k));
}

/* Is closing this hotel among those that take away most danger? */
static bool worth_closing(const struct sense *s, unsigned hotel)
{
    const unsigned hotels = s->pub->hotels;
    const int here = divercity_sense_danger(s, hotels & ~(1u << hotel));
    unsigned better = 0;
    for (unsigned m = hotels; m != 0; m &= m - 1) {
        const int there = divercity_sense_danger(s, hotels & ~(m & -m));
        better += there < here || (there == here && fm__lowest(m) < hotel);
    }
    return better < CLOSINGS;
}

/* Legal actions that stand for themselves, equal cards once. */
static void add_plain(struct ideas *ideas, const struct sense *s, fm_action action)
{
    const unsigned hand = s->pub->asked < s->pub->n_hands ? s->pub->asked : 0;
    switch ((enum divercity_verb)fm_verb(action)) {
    case DIVERCITY_DO_CLOSE:
        if (repeats(s, hand, divercity_a(action)) || !worth_closing(s, divercity_b(action)))
            return;
        break;
    case DIVERCITY_DO_RIG:
    case DIVERCITY_DO_PLAY:
        if (repeats(s, hand, divercity_a(action)))
            return;
        break;
    case DIVERCITY_DO_WALKIE:
        add_talks(ideas, s, DIVERCITY_DO_WALKIE, hand);
        return;
    case DIVERCITY_DO_COMMUNICATIONS:
        add_talks(ideas, s, DIVERCITY_DO_COMMUNICATIONS, s->pub->owner[DIVERCITY_COMMUNICATIONS]);
        return;
    case DIVERCITY_DO_REORDER:
        add_orders(ideas, DIVERCITY_DO_REORDER, (1u << s->pub->looked) - 1);
        return;
    case DIVERCITY_DO_STRIKE:
        add_strikes(ideas, s->pub->industry_n);
        return;
    case DIVERCITY_DO_CLAIM:
        return;
    default:
        break;
    }
    add(ideas, action);
}

/* The pilot's choice first; then whatever else is legal. */
static size_t options(struct fm_view v, fm_action *out, size_t cap)
{
    fm_action legal[FM_LEGAL_MAX];
    struct sense s;
    struct ideas ideas = {.out = out, .cap = cap};
    const fm_action first = divercity_ranger_choose(v, &divercity_weights_pilot);
    if (first == 0)
        return 0;
    add(&ideas, first);
    if (v.pub->phase == DIVERCITY_SETUP || !(v.pub->owes >> v.seat & 1))
        return 1;
    divercity_sense_init(&s, v, &divercity_weights_pilot);
    const size_t n = v.game->legal(v, legal, FM_LEGAL_MAX);
    for (size_t i = 0; i < n && i < FM_LEGAL_MAX; i++)
        add_plain(&ideas, &s, legal[i]);
    return ideas.n;
}

static fm_action quick(struct fm_view v, struct fm_rng *rng)
{
    (void)rng;
    return divercity_ranger_choose(v, &divercity_weights_pilot);
}

static float value(const struct fm_outcome *o, unsigned n_seats, unsigned seat)
{
    (void)n_seats;
    return o->winners >> seat & 1 ? 1 : 0;
}

/* After some rounds the judge is asked, before somebody's action. */
static bool judge(struct fm_view v, struct fm_view from, float *value)
{
    const struct divercity_pub *now = (const void *)v.pub, *then = (const void *)from.pub;
    if (now->round < then->round + ROUNDS || v.pub->phase != DIVERCITY_ACTION || now->acted)
        return false;
    *value =
        v.seat == now->industrialist ? 1 - divercity_judge_chance(v) : divercity_judge_chance(v);
    return true;
}

const struct search_policy divercity_policy = {
    .options = options, .quick = quick, .value = value, .judge = judge};

static struct fm_choice think(struct fm_view v, struct fm_rng *rng, struct fm_budget budget)
{
    const fm_action claim = divercity_ranger_claim(v);
    if (claim != 0)
        return (struct fm_choice){claim, 200 + fm_rng_below(rng, 200)};
    const uint32_t after_ms = 800 + fm_rng_below(rng, 1200);
    return (struct fm_choice){.action =
                                  fm__search_step(v, &divercity_policy, PLAYOUTS, budget, rng),
                              .after_ms = after_ms};
}

const struct fm_bot fm_bot_divercity_warden = {
    .id = "warden",
    .game = "divercity",
    .about = "tries every action out in many possible deals before it acts",
    .think = think,
    .reasoning = &divercity_reasoning,
};

const struct fm_bot fm_bot_divercity_baron = {
    .id = "baron",
    .game = "divercity",
    .about = "the industrialist: tries every card out in many possible deals before it plays",
    .think = think,
    .reasoning = &divercity_reasoning,
};
