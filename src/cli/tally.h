/* tally.h: the results of many simulated games: sums, which do not depend on their order. */
#ifndef CLI_TALLY_H
#define CLI_TALLY_H

#include "cli/losses.h"

#include <fathom/bot.h>
#include <fathom/game.h>

#define TALLY_LENGTHS 512
#define TALLY_REASONS 16
#define TALLY_TRAITS  32

struct tally {
    uint64_t games, moves, shared; /* shared: more than one winner, or none */
    uint64_t automaton;            /* games won by the player without a seat */
    uint64_t wins[FM_MAX_SEATS];
    int64_t score[FM_MAX_SEATS], score_squared[FM_MAX_SEATS];
    uint64_t reason[TALLY_REASONS];
    uint64_t length[TALLY_LENGTHS];   /* games by length; the last also counts longer ones */
    uint64_t had[TALLY_TRAITS];       /* seats that had each trait ... */
    uint64_t had_won[TALLY_TRAITS];   /* ... and won */
    struct losses seat[FM_MAX_SEATS]; /* if games are analysed */
    struct losses bot[FM_MAX_SEATS];  /* by the first of its seats */
};

struct tally_run { /* what was simulated */
    const struct fm_setup *setup;
    const struct fm_bot *const *bots;
    const char *seed;
    uint64_t from;
    const char *budget; /* of the analysis; NULL: there is none */
};

struct tally_loss { /* of a seat in one game */
    int64_t decisions, lost;
};

/* Adds a finished match, as a watcher sees it. */
void tally_add(struct tally *t, const struct fm_outcome *outcome, uint64_t moves,
               struct fm_view watcher);
/* What the seats lost in it. */
void tally_add_losses(struct tally *t, const struct fm_bot *const *bots, unsigned n_seats,
                      const struct tally_loss *loss);
void tally_merge(struct tally *t, const struct tally *other);
void tally_put_json(struct fm_out *o, const struct tally *t, const struct tally_run *run);
void tally_put_text(struct fm_out *o, const struct tally *t, const struct tally_run *run);

#endif
