/*
 * dive_mako.c: dives to win the race, not to get far.
 *
 * It imagines stacks that agree with what it saw, and what others with eyes like its own would
 * make of them; in each, all divers lay their tokens by regret matching, and what a dive is worth
 * is the chance to win from where the pawns are afterwards. So it knows when to be careful in Deep
 * Waters, when only a risk is left, where others will be fast, and what its companion is worth.
 */
#include "dive/bots/dive_bots.h"
#include "dive/bots/dive_mind.h"
#include "dive/bots/dive_steady.h"
#include "dive/bots/dive_why.h"

#include "base/bits.h"

#include <string.h>

#define ITERATIONS 640

/* ---- why a program was laid ------------------------------------------------------------------ */

#define WEIGHED  300 /* imagined dives that programs are compared in */
#define LEARNING 120 /* iterations in which the others' programs are learned */

/* All programs in one more imagined dive. */
static void weigh_once(struct dive_mind *m, struct why_option *option, size_t n)
{
    struct dive_board board[DIVE_SEATS];
    struct dive_after after;
    dive_mind_imagine(m, board);
    for (size_t i = 0; i < n; i++) {
        const uint32_t program = (uint32_t)dive_action_rest(option[i].action);
        const double chance = (double)dive_mind_try(m, board, program, &after);
        option[i].sum += chance;
        option[i].squares += chance * chance;
        option[i].n++;
    }
}

/* Its best program of this depth; 0: it considers none. */
static uint32_t best_of_depth(const struct dive_mind *m, unsigned depth)
{
    const struct dive_diver *own = &m->diver[m->seat];
    unsigned best = own->regret.n;
    for (unsigned i = 0; i < own->regret.n; i++)
        if (own->layout[i].board.depth == depth &&
            (best == own->regret.n || own->worth[i] > own->worth[best]))
            best = i;
    return best < own->regret.n ? dive_mind_with_faces(m, own->layout[best].program) : 0;
}

size_t dive_mako_weigh(const struct why_question *q, struct why_option *out, size_t cap)
{
    const struct dive_pub *pub = (const void *)q->before.pub;
    struct dive_mind *m = dive_mind();
    size_t n = 0;
    m->seat = q->seat;
    dive_mind_look(m, pub, q->seat, &q->budget);
    out[n++] = (struct why_option){.action = q->played};
    if (!pub->children)
        (void)dive_mind_program(m, LEARNING);
    for (unsigned depth = 1; depth <= DIVE_DEEPEST && n < cap; depth++) {
        const uint32_t program = pub->children ? 0 : best_of_depth(m, depth);
        if (program != 0 && dive_action(DIVE_DO_PROGRAM, program) != q->played)
            out[n++] = (struct why_option){.action = dive_action(DIVE_DO_PROGRAM, program)};
    }
    for (unsigned i = 0; i < WEIGHED; i++)
        weigh_once(m, out, n);
    return n;
}

/* ---- companions ----------------------------------------------------------------------------- */

/* Those that hurry or blind others are for when it is done itself, they are not, and it matters. */
static bool disturbs(unsigned companion)
{
    return companion == DIVE_OCTOPUS || companion == DIVE_ORCA || companion == DIVE_FUGU;
}

static bool worth_disturbing(const struct dive_pub *pub, unsigned seat)
{
    unsigned first = 0;
    for (unsigned who = 0; who < DIVE_PAWNS; who++)
        first = pub->pawn[who] > first ? pub->pawn[who] : first;
    const unsigned others = ((1u << pub->head.n_seats) - 1) & ~(1u << seat);
    return (others & ~pub->ready) != 0 && first >= DIVE_GOAL / 3;
}

/* What the round is worth with a companion; the same worlds for each. */
static float value_with(struct dive_mind *m, const struct dive_pub *pub, unsigned companion,
                        unsigned target, const struct fm_budget *budget, uint32_t iterations)
{
    m->pub = *pub;
    dive_mind_seed(m, pub, budget->sight);
    if (companion != DIVE_NONE) {
        m->pub.effect[companion] = (uint8_t)m->seat;
        m->pub.target = (uint8_t)target;
    }
    return dive_mind_plan(m, iterations);
}

/* The announcement that wins most, if it wins more than waiting; 0: it waits. */
static fm_action announce(struct dive_mind *m, const struct dive_pub *pub, unsigned companion,
                          const struct fm_budget *budget, uint32_t iterations)
{
    dive_mind_look(m, pub, m->seat, budget);
    const float without = value_with(m, pub, DIVE_NONE, 0, budget, iterations);
    float best = without + dive_mind_price(pub);
    fm_action action = 0;
    for (unsigned target = 0; target < pub->head.n_seats; target++) {
        const bool named = companion == DIVE_DOLPHINS;
        if ((named && target == m->seat) || (!named && target > 0))
            continue;
        const float with = value_with(m, pub, companion, target, budget, iterations);
        if (with > best) {
            best = with;
            action = dive_action(DIVE_DO_USE, companion | (named ? (uint64_t)target << 8 : 0));
        }
    }
    return action;
}

static fm_action disturb(unsigned companion)
{
    const uint64_t middle = DIVE_OCTOPUS_SCALE / 2;
    return dive_action(DIVE_DO_USE,
                       companion | (companion == DIVE_OCTOPUS ? (middle | middle << 16) << 8 : 0));
}

static bool axolotl_pays(struct dive_mind *m, const struct dive_pub *pub, unsigned seat,
                         const struct fm_budget *budget)
{
    dive_mind_look(m, pub, seat, budget);
    return dive_mind_axolotl(m, true) > dive_mind_axolotl(m, false) + dive_mind_price(pub);
}

/* ---- thinking ------------------------------------------------------------------------------- */

static bool others_act(const struct dive_pub *pub, unsigned seat)
{
    for (unsigned c = 0; c < DIVE_COMPANIONS; c++)
        if (pub->effect[c] != DIVE_NONE && pub->effect[c] != seat)
            return true;
    return false;
}

static fm_action program_phase(struct fm_view v, const struct fm_budget *budget)
{
    const struct dive_pub *pub = (const void *)v.pub;
    const struct dive_priv *priv = (const void *)v.priv;
    const unsigned seat = (unsigned)v.seat;
    const uint32_t iterations = budget->iterations ? budget->iterations : ITERATIONS;
    const unsigned companion = dive_announceable(pub, seat);
    const bool ready = pub->ready >> seat & 1;
    const bool done = dive_program_ready(priv->program, pub->children) == FM_OK;
    dive_mind()->seat = seat;
    if (pub->breathed >> seat & 1)
        return 0;
    if (companion != DIVE_NONE && disturbs(companion)) {
        if (done && !ready && worth_disturbing(pub, seat))
            return disturb(companion);
    } else if (companion != DIVE_NONE && !done) {
        const fm_action use = announce(dive_mind(), pub, companion, budget, iterations);
        if (use != 0)
            return use;
    }
    if (done && !others_act(pub, seat))
        return ready ? 0 : dive_action(DIVE_DO_READY, 0);
    dive_mind_look(dive_mind(), pub, seat, budget);
    const uint32_t program = dive_mind_program(dive_mind(), iterations);
    if (program == priv->program)
        return ready ? 0 : dive_action(DIVE_DO_READY, 0);
    return ready ? dive_action(DIVE_DO_UNREADY, 0) : dive_action(DIVE_DO_PROGRAM, program);
}

/* The companions that win most, best first. */
static fm_action setup_phase(struct fm_view v, struct fm_rng *rng)
{
    static const uint8_t liked[] = {DIVE_ANGLERFISH, DIVE_CLOWNFISH,    DIVE_AXOLOTL_TILE,
                                    DIVE_NARWHAL,    DIVE_GREEN_TURTLE, DIVE_DOLPHINS,
                                    DIVE_GREAT_WHITE};
    const struct dive_priv *priv = (const void *)v.priv;
    const uint32_t left = dive_available((const void *)v.pub);
    if (priv->choice != DIVE_NONE)
        return 0;
    for (unsigned i = 0; i < sizeof liked; i++)
        if (left >> liked[i] & 1)
            return dive_action(DIVE_DO_CHOOSE, liked[i]);
    return dive_action(DIVE_DO_CHOOSE, fm__nth(left, fm_rng_below(rng, fm__count(left))));
}

static struct fm_choice think(struct fm_view v, struct fm_rng *rng, struct fm_budget budget)
{
    const struct dive_pub *pub = (const void *)v.pub;
    struct fm_choice choice = {.after_ms = 1500 + fm_rng_below(rng, 4000)};
    switch (v.pub->phase) {
    case DIVE_SETUP:
        choice.action = setup_phase(v, rng);
        break;
    case DIVE_PROGRAM:
        choice.action = program_phase(v, &budget);
        break;
    default:
        choice.action =
            dive_action(DIVE_DO_AXOLOTL, axolotl_pays(dive_mind(), pub, (unsigned)v.seat, &budget));
        break;
    }
    return choice;
}

const struct fm_bot fm_bot_dive_mako = {
    .id = "mako",
    .game = "dive",
    .about = "imagines the stack and the others' programs, dives to win the race",
    .eyes = "picture-keen",
    .think = think,
    .reasoning = &dive_reasoning,
};
