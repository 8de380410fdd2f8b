/*
 * fathom/vec.h: many matches of one table stepped together, for learning.
 *
 * A vec holds a number of lanes, each with a match in progress. A step takes one action for each
 * lane, by the seat that was named, and fills the caller's buffers for the next one. When a match
 * ends, another begins at once: its rewards are returned with the first observation of the new one.
 * Nothing is allocated. Equal setup, seed and actions give equal buffers; lanes do not depend on
 * each other, so disjoint ranges of lanes may be stepped by different threads at once.
 *
 * Time stands still: no clock runs out. Where a seat cannot do all that the rules allow, the game's
 * list in fathom/flat.h says so.
 */
#ifndef FATHOM_VEC_H
#define FATHOM_VEC_H

#include <fathom/flat.h>
#include <fathom/game.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FM_VEC_LANES 0x100000 /* most lanes of a vec */

struct fm_vec;

struct fm_vec_shape {    /* of one lane's buffers */
    uint32_t obs_bytes;  /* of an observation; a multiple of 8 */
    uint32_t n_actions;  /* indices */
    uint32_t mask_words; /* 64 indices each */
    uint32_t n_seats;
    size_t lane_bytes; /* of the vec's own memory ... */
    size_t vec_bytes;  /* ... and what it needs besides */
};

enum fm_vec_flag {
    FM_VEC_OVER = 1,    /* a match ended; a new one was dealt */
    FM_VEC_CUT = 2,     /* it was much too long and was abandoned: no rewards */
    FM_VEC_REFUSED = 4, /* the action was not legal: nothing happened in this lane */
};

struct fm_vec_io {          /* the caller's buffers, for all lanes: lane i's part is the i-th */
    const uint64_t *action; /* in: index | value << FM_FLAT_INDEX_BITS */
    uint8_t *obs;           /* obs_bytes each: a struct of fathom/flat.h; NULL: not wanted */
    uint64_t *mask;         /* mask_words each: bit i: index i is legal */
    float *reward;          /* n_seats each: 0, and at the end 1 for who won, -1 for who lost */
    uint8_t *flags;         /* enum fm_vec_flag */
    uint8_t *seat;          /* who acts next */
};

/* Refused: a setup with a position, or of a game that has no fixed numbers. */
enum fm_err fm_vec_measure(struct fm_vec_shape *shape, const struct fm_setup *setup);

/* A vec in the caller's memory, 8-byte aligned, of vec_bytes + lanes * lane_bytes. The match
 * number n (from 0) of lane i is dealt with fm_vec_seed(setup->seed, i, n). Eyes: how well seats
 * see what there is to look at; NULL: they are blind. NULL is returned for what is refused. */
struct fm_vec *fm_vec_open(void *memory, size_t bytes, const struct fm_setup *setup, uint32_t lanes,
                           const struct fm_eyes *eyes);

/* Deal anew in lanes first .. first + n - 1, and fill their buffers; action is not read. */
enum fm_err fm_vec_reset(struct fm_vec *vec, const struct fm_vec_io *io, uint32_t first,
                         uint32_t n);

/* One action in each of these lanes. FM_OK, or why the first refused one was. */
enum fm_err fm_vec_step(struct fm_vec *vec, const struct fm_vec_io *io, uint32_t first, uint32_t n);

/* How many values the action of this index has now; 0: it is not legal. */
uint64_t fm_vec_values(const struct fm_vec *vec, uint32_t lane, uint32_t index);

/* A random legal action for each of these lanes, from the masks; *chance is any number, and is
 * advanced. */
void fm_vec_random(const struct fm_vec *vec, const struct fm_vec_io *io, uint64_t *action,
                   uint32_t first, uint32_t n, uint64_t *chance);

/* The seed of the n-th match of a lane: lane is added to the first eight bytes of the seed, n to
 * the next eight, little-endian. */
void fm_vec_seed(uint8_t out[FM_SEED_BYTES], const uint8_t seed[FM_SEED_BYTES], uint32_t lane,
                 uint64_t n);

/* What an index and value mean for a viewer, for one match at a time; 0: nothing. */
fm_action fm_flat_action(struct fm_view v, uint64_t action);

#ifdef __cplusplus
}
#endif

#endif
