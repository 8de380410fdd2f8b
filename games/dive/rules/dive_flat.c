/* dive_flat.c: Dive in fixed numbers. Of programs only those are offered that one may be ready
 * with, by their number. */
#include "dive/rules/dive.h"

#include "core/lanes.h"

#include <fathom/games.h>

#include <string.h>

_Static_assert(sizeof(struct fm_obs_dive) == 120, "no padding");
FM__SAME_RUN(struct fm_obs_dive, struct dive_pub, round, octopus_y);
FM__SAME_RUN(struct fm_obs_dive, struct dive_pub, chief_seen, left);
FM__SAME_SPAN(struct fm_obs_dive, shown, kept, struct dive_log, program, kept);
_Static_assert((int)FM_DIVE_PROGRAM == (int)DIVE_COMPANIONS && FM_DIVE_DOLPHINS - FM_DIVE_USE == 10,
               "an index for each companion");
_Static_assert(FM_DIVE_AXOLOTL - FM_DIVE_DOLPHINS == DIVE_SEATS, "and for each target");

#define PLACES (DIVE_OCTOPUS_SCALE + 1u) /* of the octopus, one way */

static inline void observe(struct fm_view v, const struct fm_sight *sight, void *out)
{
    const struct dive_pub *pub = (const void *)v.pub;
    const struct dive_priv *priv = (const void *)v.priv;
    const bool seen = sight != NULL && sight->scene == pub->round;
    struct fm_obs_dive *obs = out;
    obs->phase = pub->head.phase;
    obs->seat = (uint8_t)v.seat;
    obs->n_seats = pub->head.n_seats;
    obs->choice = priv->choice;
    obs->program = priv->program;
    FM__COPY_RUN(obs, pub, struct fm_obs_dive, chief_seen, left);
    FM__COPY_RUN(obs, pub, struct fm_obs_dive, round, octopus_y);
    memcpy(obs->shown, &pub->log, FM__SPAN(struct fm_obs_dive, shown, kept));
    obs->seen_n = seen ? (uint8_t)sight->levels : 0;
    for (unsigned level = 0; level < DIVE_DEEPEST; level++)
        obs->seen[level] = level < obs->seen_n ? sight->seen[level] : FM_FLAT_NONE;
    memset(obs->zero, 0, sizeof obs->zero);
}

static uint64_t mask_program(const struct dive_pub *pub, const struct dive_priv *priv,
                             unsigned seat)
{
    const unsigned companion = dive_announceable(pub, seat);
    uint64_t set = 0;
    if (pub->ready >> seat & 1)
        set |= 1u << FM_DIVE_UNREADY;
    else
        set |= 1u << FM_DIVE_PROGRAM |
               (unsigned)(dive_program_ready(priv->program, pub->children) == FM_OK)
                   << FM_DIVE_READY;
    if (pub->effect[DIVE_FUGU] != DIVE_NONE)
        set |= 1u << FM_DIVE_BREATHE;
    if (companion == DIVE_DOLPHINS)
        set |= (((1u << pub->head.n_seats) - 1) & ~(1u << seat)) << FM_DIVE_DOLPHINS;
    else if (companion != DIVE_NONE)
        set |= 1u << (FM_DIVE_USE + companion);
    return set;
}

static inline void mask(struct fm_view v, uint64_t out[FM__MASK_WORDS])
{
    const struct dive_pub *pub = (const void *)v.pub;
    const struct dive_priv *priv = (const void *)v.priv;
    out[0] = 0;
    if (!(pub->head.may >> v.seat & 1))
        return;
    if (pub->head.phase == DIVE_PROGRAM)
        out[0] = mask_program(pub, priv, (unsigned)v.seat);
    else if (pub->head.phase == DIVE_AXOLOTL)
        out[0] = 3u << FM_DIVE_AXOLOTL;
    else if (priv->choice == DIVE_NONE)
        out[0] = (uint64_t)dive_available(pub) << FM_DIVE_CHOOSE;
}

static uint64_t values(struct fm_view v, unsigned index)
{
    if (index == FM_DIVE_PROGRAM)
        return dive_program_count(dive_kit_of((const void *)v.pub, (unsigned)v.seat));
    return index == FM_DIVE_USE + DIVE_OCTOPUS ? PLACES * PLACES : 1;
}

static fm_action use(unsigned companion, uint64_t value)
{
    if (companion == DIVE_DOLPHINS)
        return 0;
    if (companion == DIVE_OCTOPUS && value < PLACES * PLACES) {
        const uint64_t x = value % PLACES, y = value / PLACES;
        return dive_action(DIVE_DO_USE, companion | x << 8 | y << 24);
    }
    return value == 0 ? dive_action(DIVE_DO_USE, companion) : 0;
}

static inline fm_action action(struct fm_view v, unsigned index, uint64_t value)
{
    if (index == FM_DIVE_PROGRAM) {
        const enum dive_kit kit = dive_kit_of((const void *)v.pub, (unsigned)v.seat);
        if (value >= dive_program_count(kit))
            return 0;
        return dive_action(DIVE_DO_PROGRAM, dive_program_at(kit, (uint32_t)value));
    }
    if (index >= FM_DIVE_USE && index < FM_DIVE_DOLPHINS)
        return use(index - FM_DIVE_USE, value);
    if (value != 0 || index >= FM_DIVE_INDICES)
        return 0;
    if (index < FM_DIVE_PROGRAM)
        return dive_action(DIVE_DO_CHOOSE, index - FM_DIVE_CHOOSE);
    if (index < FM_DIVE_USE)
        return dive_action((enum dive_verb)(DIVE_DO_READY + index - FM_DIVE_READY), 0);
    if (index < FM_DIVE_AXOLOTL)
        return dive_action(DIVE_DO_USE, DIVE_DOLPHINS | (index - FM_DIVE_DOLPHINS) << 8);
    return dive_action(DIVE_DO_AXOLOTL, index - FM_DIVE_AXOLOTL);
}

static enum fm_err step(struct fm_vec *vec, const struct fm_vec_io *io, uint32_t first, uint32_t n)
{
    return fm__lanes_step(vec, io, first, n, &fm_game_dive, FM_DIVE_INDICES,
                          sizeof(struct fm_obs_dive), observe, mask, action);
}

const struct fm_flat dive_flat = {
    .obs_bytes = sizeof(struct fm_obs_dive),
    .n_actions = FM_DIVE_INDICES,
    .open = {1u << FM_DIVE_PROGRAM | 1u << (FM_DIVE_USE + DIVE_OCTOPUS)},
    .observe = observe,
    .mask = mask,
    .values = values,
    .action = action,
    .step = step,
};
