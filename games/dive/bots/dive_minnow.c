/*
 * dive_minnow.c: dives like a child: keen, trusting, and soon distracted.
 *
 * It believes what it sees and does not count what the deck has left. It puts its largest token
 * where it saw a turtle or a manta, and looks less closely the deeper a level lies. How deep it
 * dives depends on its mood: less deep after a mistake, sometimes deeper when somebody is ahead.
 * That a mistake costs everything in Deep Waters it forgets every other time. Its companion it uses
 * as soon as it may.
 */
#include "dive/bots/dive_bots.h"
#include "dive/bots/dive_steady.h"
#include "dive/bots/dive_why.h"

#include "base/bits.h"
#include "dive/rules/dive.h"

#define SLIP 2 /* per cent that it confuses a face, for each level down */

static bool chance(struct fm_rng *rng, unsigned per_cent)
{
    return fm_rng_below(rng, 100) < per_cent;
}

/* The kind that it takes a level for. */
static unsigned seen_at(const struct fm_sight *sight, unsigned level)
{
    return sight != NULL && level <= sight->levels ? sight->seen[level - 1] : 0;
}

static uint32_t faces(const struct fm_sight *sight, unsigned depth, struct fm_rng *rng)
{
    uint32_t shark = 0;
    for (unsigned level = 1; level <= depth; level++) {
        const bool seen = (seen_at(sight, level) & DIVE_SHARK) != 0;
        const bool slips = chance(rng, SLIP * level);
        shark |= (uint32_t)(seen != slips) << (DIVE_FACE_BIT + level - 1);
    }
    return shark;
}

/* Was it wrong in the last dive? */
static bool erred(const struct dive_pub *pub, unsigned seat)
{
    return pub->log.round != 0 && (pub->log.judged[seat] & ~pub->log.right[seat]) != 0;
}

static unsigned depth_of(const struct dive_pub *pub, unsigned seat, struct fm_rng *rng)
{
    unsigned depth = 3 + fm_rng_below(rng, 2), ahead = 0;
    for (unsigned other = 0; other < pub->head.n_seats; other++)
        ahead |= pub->pawn[other] > pub->pawn[seat];
    if (erred(pub, seat) || (dive_deep(pub->pawn[seat]) && chance(rng, 50)))
        depth--;
    return depth + (ahead && chance(rng, 25) ? 1 : 0);
}

/* The level with the helper that it likes best; level 1 where it saw none. */
static unsigned favourite(const struct fm_sight *sight, unsigned depth)
{
    unsigned best = 1, liked = 0;
    for (unsigned level = 1; level <= depth; level++) {
        const unsigned helper = seen_at(sight, level) & ~(unsigned)DIVE_SHARK;
        if (helper > liked) {
            liked = helper;
            best = level;
        }
    }
    return best;
}

/* Its largest token on its favourite level, the others from the top, what is left on level 1. */
static uint32_t tokens(const struct fm_sight *sight, unsigned depth)
{
    const unsigned first = favourite(sight, depth);
    uint32_t laid = first << 3 * (DIVE_TOKENS - 1);
    unsigned level = 1;
    for (unsigned token = DIVE_TOKENS - 1; token > 0; token--) {
        level += level == first;
        laid |= (level <= depth ? level : 1) << 3 * (token - 1);
        level++;
    }
    return laid;
}

static uint32_t program(const struct dive_pub *pub, unsigned seat, const struct fm_sight *sight,
                        struct fm_rng *rng)
{
    if (dive_kit_of(pub, seat) == DIVE_KIT_CHILDREN)
        return (uint32_t)DIVE_LEVELS << DIVE_PLAIN_BIT | faces(sight, DIVE_LEVELS, rng);
    const unsigned depth = depth_of(pub, seat, rng);
    return tokens(sight, depth) | faces(sight, depth, rng);
}

static fm_action announce(const struct dive_pub *pub, unsigned seat, unsigned companion,
                          struct fm_rng *rng)
{
    const unsigned n = pub->head.n_seats;
    uint64_t more = 0;
    if (companion == DIVE_DOLPHINS)
        more = (seat + 1 + fm_rng_below(rng, n - 1)) % n;
    if (companion == DIVE_OCTOPUS)
        more = fm_rng_below(rng, DIVE_OCTOPUS_SCALE) |
               (uint64_t)fm_rng_below(rng, DIVE_OCTOPUS_SCALE) << 16;
    return dive_action(DIVE_DO_USE, companion | more << 8);
}

static fm_action program_phase(struct fm_view v, struct fm_rng *rng, const struct fm_sight *sight)
{
    const struct dive_pub *pub = (const void *)v.pub;
    const struct dive_priv *priv = (const void *)v.priv;
    const unsigned seat = (unsigned)v.seat, companion = dive_announceable(pub, seat);
    if (pub->ready >> seat & 1)
        return 0;
    if (dive_program_ready(priv->program, pub->children) != FM_OK)
        return dive_action(DIVE_DO_PROGRAM, program(pub, seat, sight, rng));
    return companion != DIVE_NONE ? announce(pub, seat, companion, rng)
                                  : dive_action(DIVE_DO_READY, 0);
}

static struct fm_choice think(struct fm_view v, struct fm_rng *rng, struct fm_budget budget)
{
    struct fm_choice choice = {.after_ms = 1500 + fm_rng_below(rng, 4000)};
    if (v.pub->phase == DIVE_SETUP)
        choice.action = dive_any_companion(v, rng);
    else if (v.pub->phase == DIVE_PROGRAM)
        choice.action = program_phase(v, rng, budget.sight);
    else
        choice.action = dive_action(DIVE_DO_AXOLOTL, fm_rng_below(rng, 2));
    return choice;
}

const struct fm_bot fm_bot_dive_minnow = {
    .id = "minnow",
    .game = "dive",
    .about = "dives like a child: trusts its eyes, looks less closely further down",
    .eyes = "picture-short-sighted",
    .think = think,
    .reasoning = &dive_reasoning,
};
