/* puzzles.h: the parts of `fathom puzzles`. */
#ifndef CLI_PUZZLES_H
#define CLI_PUZZLES_H

#include "analysis/analysis.h"
#include "cli/crowd.h"

#define PUZZLES_MAX 1000 /* of one game in one run, and files that are checked at once */

struct puzzles_run {
    const char *folder;
    const struct fm_game *game; /* NULL: all that can be analysed */
    uint8_t seed[FM_SEED_BYTES];
    uint64_t count, jobs;
    enum study_budget budget; /* of a check */
};

/* Finds puzzles, and writes them into the folder, from easy to hard. */
int puzzles_find(const struct puzzles_run *run);
/* Verifies all puzzles of the folder. */
int puzzles_check(const struct puzzles_run *run);

#endif
