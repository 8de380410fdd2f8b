/*
 * search.h: looking ahead, for any game: Monte Carlo tree search over information sets.
 *
 * Every iteration deals a world that the view cannot tell from the true one, walks down a tree of
 * actions by upper confidence bounds, adds a leaf, plays the rest quickly, and counts the outcome
 * for each seat. Worlds differ, so a node knows how often each of its actions could be taken.
 * Nothing is allocated: the tree lies in memory of the thread's own.
 */
#ifndef BOTS_SEARCH_H
#define BOTS_SEARCH_H

#include <fathom/bot.h>

#define SEARCH_WIDTH 64 /* actions that one node considers */

struct search_policy {
    /* Actions worth a look, the most promising first; writes at most cap (> 0), at least one. */
    size_t (*options)(struct fm_view v, fm_action *out, size_t cap);
    /* A quick choice for the rest of the game. */
    fm_action (*quick)(struct fm_view v, struct fm_rng *rng);
    /* How good a finished game is for a seat, 0 .. 1. */
    float (*value)(const struct fm_outcome *outcome, unsigned n_seats, unsigned seat);
    /* fm__search_step: may a playout end here, and how good is that for whoever sees this view?
     * `from` is what the search began with. NULL: playouts go to the end of the game. */
    bool (*judge)(struct fm_view v, struct fm_view from, float *value);
    float curiosity; /* fm__search_best: of the confidence bounds */
};

/* The action that was looked at most often; 0 when there is none. `usual`: iterations, unless the
 * budget says how many; its clock may end them sooner. */
fm_action fm__search_best(struct fm_view v, const struct search_policy *policy, uint32_t usual,
                          struct fm_budget budget, struct fm_rng *rng);

/*
 * The same walk by walk, for whoever deals the worlds. The thread has one memory for trees: `clear`
 * forgets what was there, and plants so many of them. A walk goes from a match in which the tree's
 * root is reached to its end, which is left in `state`.
 */
void fm__search_clear(unsigned roots);
void fm__search_walk(const struct search_policy *policy, const struct fm_game *game, void *state,
                     unsigned root, struct fm_rng *rng);

/*
 * One step ahead, for games in which partners are to be understood: every option is tried in the
 * same worlds, everybody goes on quickly from what they then see, and what falls behind is given
 * up. The first option is taken unless another one is better beyond doubt. `usual`: playouts, and
 * the budget is as above.
 */
fm_action fm__search_step(struct fm_view v, const struct search_policy *policy, uint32_t usual,
                          struct fm_budget budget, struct fm_rng *rng);

#endif
