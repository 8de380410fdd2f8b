/*
 * flat.h: what a game gives for stepping many of its matches at once: observations, masks and
 * actions in fixed numbers, all of them from views. Layouts are in fathom/flat.h.
 */
#ifndef CORE_FLAT_H
#define CORE_FLAT_H

#include <fathom/vec.h>

#define FM__MASK_WORDS 2 /* no game has more */

typedef void fm__observe(struct fm_view v, const struct fm_sight *sight, void *obs);
/* What this seat may do; all words of the game's mask are written. */
typedef void fm__mask(struct fm_view v, uint64_t *mask);
/* The action of an index and a value; 0: there is none. It may still be illegal. */
typedef fm_action fm__act(struct fm_view v, unsigned index, uint64_t value);

struct fm_flat {
    uint32_t obs_bytes;
    uint32_t n_actions;
    uint64_t open[FM__MASK_WORDS]; /* bits: indices whose actions take a value */
    fm__observe *observe;
    fm__mask *mask;
    fm__act *action;
    /* How many values a legal index has. */
    uint64_t (*values)(struct fm_view v, unsigned index);
    /* fm__lanes_step() with the functions above compiled in. */
    enum fm_err (*step)(struct fm_vec *vec, const struct fm_vec_io *io, uint32_t first, uint32_t n);
};

/*
 * Observations repeat runs of members of a block, in its order, so that they are copied whole.
 * SAME_RUN proves only that a run is equally long in both, not that the members between agree.
 */
#define FM__SPAN(type, from, to)                                                                   \
    (offsetof(type, to) + sizeof(((type *)0)->to) - offsetof(type, from))
#define FM__SAME_SPAN(type, from, to, other, other_from, other_to)                                 \
    _Static_assert(FM__SPAN(type, from, to) == FM__SPAN(other, other_from, other_to),              \
                   "an observation's members lie as in the block")
#define FM__SAME_RUN(type, block, from, to) FM__SAME_SPAN(type, from, to, block, from, to)
#define FM__COPY_RUN(obs, block, type, from, to)                                                   \
    memcpy((char *)(obs) + offsetof(type, from), (const char *)&(block)->from,                     \
           FM__SPAN(type, from, to))

#endif
