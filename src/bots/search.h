/*
 * search.h: looking ahead, for any game: Monte Carlo tree search over information sets.
 *
 * Every iteration deals a world that the view cannot tell from the true one, walks down a tree of
 * actions by upper confidence bounds, adds a leaf, plays the rest quickly, and counts the outcome
 * for each seat. Worlds differ, so a node knows how often each of its actions could be taken.
 * Nothing is allocated: the tree lies in memory that belongs to the thread.
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
    /* fm__search_step and why.c: may a playout end here, and how good is that for the seat of this
     * view? `from` is what the search began with. NULL: playouts go to the end of the game. */
    bool (*judge)(struct fm_view v, struct fm_view from, float *value);
    float curiosity; /* for trees: weight of what was seldom tried, in the confidence bounds */
};

/* The action that was looked at most often; 0 when there is none. `usual`: iterations, unless the
 * budget says how many; the budget's clock may end the search sooner. */
fm_action fm__search_best(struct fm_view v, const struct search_policy *policy, uint32_t usual,
                          struct fm_budget budget, struct fm_rng *rng);

/*
 * The same one walk at a time, for callers that deal the worlds themselves. Each thread has one
 * memory for trees: `clear` forgets what was there, and starts `roots` empty ones. `state` is a
 * match in the position of the tree's root; the walk plays it to its end.
 */
void fm__search_clear(unsigned roots);
void fm__search_walk(const struct search_policy *policy, const struct fm_game *game, void *state,
                     unsigned root, struct fm_rng *rng);

/*
 * One step ahead, for games in which one has to understand one's partners: every option is tried in
 * the same worlds, all seats play on by quick choices from what they then see, and an option that
 * falls behind is given up. The first option is taken unless another one is better beyond doubt.
 * `usual`: playouts, unless the budget says how many; its clock is as above.
 */
fm_action fm__search_step(struct fm_view v, const struct search_policy *policy, uint32_t usual,
                          struct fm_budget budget, struct fm_rng *rng);

#endif
