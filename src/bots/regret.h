/*
 * regret.h: regret matching: how to choose when others choose at the same time.
 *
 * A player holds, for each of its actions, how much better that would have been so far than what
 * it did; it plays each in proportion to this regret. When all do so, their average play comes near
 * an equilibrium if there are two players and one gains what the other loses; and it does no worse
 * than the best single action against what the others played. Negative regret is forgotten and late
 * play counts more, so that it settles sooner.
 */
#ifndef BOTS_REGRET_H
#define BOTS_REGRET_H

#include <fathom/rng.h>

#define REGRET_ACTIONS 768

struct regret {
    unsigned n;                   /* actions */
    uint32_t rounds;              /* played so far */
    float regret[REGRET_ACTIONS]; /* never negative */
    float now[REGRET_ACTIONS];    /* the present mixture; adds up to 1 */
    float played[REGRET_ACTIONS]; /* sum of all mixtures, each times the number of its round */
};

void fm__regret_init(struct regret *r, unsigned n);
unsigned fm__regret_pick(const struct regret *r, struct fm_rng *rng); /* by the present mixture */
/* After a round: what each action was worth. */
void fm__regret_learn(struct regret *r, const float value[]);
/* Of the actions that were played often enough, the one that was worth most: a mixture also keeps
 * actions that are nearly as good. */
unsigned fm__regret_choose(const struct regret *r, const float worth[]);

#endif
