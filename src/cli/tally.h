/* tally.h: what many simulated games came to. Sums only, so that the order of games is all one. */
#ifndef CLI_TALLY_H
#define CLI_TALLY_H

#include "cli/traits.h"

#include <fathom/bot.h>
#include <fathom/game.h>

#define TALLY_LENGTHS 512
#define TALLY_REASONS 16

struct tally {
    uint64_t games, moves, shared; /* shared: more than one winner, or none */
    uint64_t automaton;            /* games won by the player without a seat */
    uint64_t wins[FM_MAX_SEATS];
    int64_t score[FM_MAX_SEATS], score_squared[FM_MAX_SEATS];
    uint64_t reason[TALLY_REASONS];
    uint64_t length[TALLY_LENGTHS]; /* games by length; the last also holds what is longer */
    uint64_t had[TRAITS_MAX];       /* seats that had each trait ... */
    uint64_t had_won[TRAITS_MAX];   /* ... and won */
};

struct tally_run { /* what was simulated */
    const struct fm_setup *setup;
    const struct fm_bot *const *bots;
    const char *seed;
    uint64_t from;
};

/* A finished match, given as a watcher sees it. */
void tally_add(struct tally *t, const struct fm_outcome *outcome, uint64_t moves,
               struct fm_view watcher);
void tally_merge(struct tally *t, const struct tally *other);
void tally_put_json(struct fm_out *o, const struct tally *t, const struct tally_run *run);
void tally_put_text(struct fm_out *o, const struct tally *t, const struct tally_run *run);

#endif
