/*
 * lanes.h: the lanes of a vec, and the step of one of them. Each game calls it with its own
 * functions, so that the compiler makes one loop of it all.
 */
#ifndef CORE_LANES_H
#define CORE_LANES_H

#include "base/bits.h"
#include "base/panic.h"
#include "core/apply.h"
#include "core/flat.h"

#include <string.h>

struct fm_vec {
    struct fm_setup setup;
    const struct fm_game *game;
    const struct fm_flat *flat;
    struct fm_eyes eyes;
    bool looks; /* there is something to see, and eyes to see it */
    uint32_t lanes;
    uint32_t mask_words;
    size_t stride, looking_off;
    _Alignas(64) uint8_t memory[]; /* of the lanes: each a struct fm__lane, its state and, where
                                      seats look at something, a struct fm__looking */
};

struct fm__lane {
    uint64_t match; /* its number */
    uint8_t seat;   /* who acts */
    uint8_t zero[7];
};

struct fm__looking {
    struct fm_rng rng;
    struct fm_sight sight[FM_MAX_SEATS];
};

void fm__lane_deal(struct fm_vec *vec, uint32_t i); /* the match of its number */
/* After a match: gives the rewards (NULL: none), and deals the next. */
void fm__lane_next(struct fm_vec *vec, uint32_t i, float *reward);

static inline struct fm__lane *fm__lane(const struct fm_vec *vec, uint32_t i)
{
    return (void *)(uintptr_t)(vec->memory + i * vec->stride);
}

static inline void *fm__lane_state(const struct fm__lane *lane)
{
    return (void *)(uintptr_t)(lane + 1);
}

static inline struct fm_view fm__lane_view(const struct fm_game *g, const struct fm__lane *lane,
                                           unsigned seat)
{
    const char *state = fm__lane_state(lane);
    return (struct fm_view){.game = g,
                            .pub = (const void *)state,
                            .priv = (const void *)(state + g->priv_off + seat * g->priv_size),
                            .seat = (int)seat};
}

#define FM__INLINE static inline __attribute__((always_inline))

/* What the next seat of this lane sees and may do. */
FM__INLINE void fm__lane_fill(const struct fm_vec *vec, const struct fm_vec_io *io, uint32_t i,
                              struct fm__lane *lane, const struct fm_game *g, uint32_t n_actions,
                              uint32_t obs_bytes, fm__observe *observe, fm__mask *mask_of)
{
    const struct fm_pub *pub = fm__lane_state(lane);
    const uint32_t words = (n_actions + 63) / 64;
    uint64_t *mask = io->mask + (size_t)i * words;
    struct fm_view v;
    unsigned m = pub->owes;
    do {
        fm_assert(m != 0); /* if one seat has chosen in secret, another is still to choose */
        v = fm__lane_view(g, lane, fm__lowest(m));
        mask_of(v, mask);
        m &= m - 1;
    } while ((mask[0] | mask[words - 1]) == 0);
    lane->seat = io->seat[i] = (uint8_t)v.seat;
    const struct fm_sight *sight = NULL;
    if (vec->looks) {
        struct fm__looking *l = (void *)((char *)lane + vec->looking_off);
        g->look(fm__lane_state(lane), &vec->eyes, &l->rng, &l->sight[v.seat]);
        sight = &l->sight[v.seat];
    }
    if (io->obs != NULL)
        observe(v, sight, io->obs + (size_t)i * obs_bytes);
}

static inline void fm__no_reward(float *reward, unsigned n_seats)
{
    if (n_seats == 2) /* nearly always: saves a call */
        reward[0] = reward[1] = 0;
    else
        memset(reward, 0, n_seats * sizeof *reward);
}

/* Plays one action in each of these lanes. `io` is copied to `to`, since for all the compiler knows
 * the bytes that are written below might change *io. */
FM__INLINE enum fm_err fm__lanes_step(struct fm_vec *vec, const struct fm_vec_io *io,
                                      uint32_t first, uint32_t n, const struct fm_game *g,
                                      uint32_t n_actions, uint32_t obs_bytes, fm__observe *observe,
                                      fm__mask *mask_of, fm__act *action)
{
    const struct fm_vec_io to = *io;
    const unsigned n_seats = vec->setup.n_seats;
    const size_t stride = vec->stride;
    enum fm_err why = FM_OK;
    struct fm__lane *lane = fm__lane(vec, first);
    for (uint32_t i = first; i < first + n; i++, lane = (void *)((char *)lane + stride)) {
        struct fm_pub *pub = fm__lane_state(lane);
        const struct fm_secret *secret = (const void *)((const char *)pub + g->secret_off);
        const uint64_t wanted = to.action[i];
        float *reward = to.reward + (size_t)i * n_seats;
        const struct fm_event ev = {
            .t_ms = pub->now_ms,
            .seat = lane->seat,
            .action =
                action(fm__lane_view(g, lane, lane->seat),
                       wanted & ((1u << FM_FLAT_INDEX_BITS) - 1), wanted >> FM_FLAT_INDEX_BITS),
        };
        /* The match runs, and waits for this seat. */
        const enum fm_err err = ev.action != 0 ? fm__apply_vetted(g, pub, &ev, NULL) : FM_E_ACTION;
        unsigned flags = 0;
        fm__no_reward(reward, n_seats);
        if (err != FM_OK) {
            why = why == FM_OK ? err : why;
            flags = FM_VEC_REFUSED;
        } else if (pub->status == FM_OVER) {
            flags = FM_VEC_OVER;
            fm__lane_next(vec, i, reward);
        } else if (secret->n_events >= FM_EVENTS_MAX) {
            flags = FM_VEC_OVER | FM_VEC_CUT;
            fm__lane_next(vec, i, NULL);
        }
        to.flags[i] = (uint8_t)flags;
        fm__lane_fill(vec, &to, i, lane, g, n_actions, obs_bytes, observe, mask_of);
    }
    return why;
}

#endif
