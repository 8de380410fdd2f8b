/* puzzles.h: the parts of `fathom puzzles`. */
#ifndef CLI_PUZZLES_H
#define CLI_PUZZLES_H

#include "analysis/puzzle.h"
#include "cli/crowd.h"
#include "ocean/witness.h"

#define PUZZLES_MAX 1000 /* of one game in one run, and files that are checked at once */

struct puzzles_run {
    const char *folder;
    const struct fm_game *game; /* NULL: all that can be analysed */
    uint8_t seed[FM_SEED_BYTES];
    uint64_t count, jobs;
    enum study_budget budget; /* of a check */
};

/* One of the puzzles that are looked for. */
struct puzzles_place {
    uint8_t seed[FM_SEED_BYTES]; /* of its games */
    char path[4096];             /* where it is kept until all are found */
};

/* ---- what a search has found so far (puzzles_keep.c) ---------------------------------------- */

/* Complains unless the folder is empty, or an interrupted search can be continued in it. */
int puzzles_check_folder(const char *path);
void puzzles_place(struct puzzles_place *place, const struct puzzles_run *run,
                   const struct fm_game *game, uint64_t i);
/* Was it found before the search was interrupted? */
bool puzzles_is_kept(const struct puzzles_place *place, struct puzzle *p,
                     struct puzzle_memory *memory);
/* When all are found: numbers them from easy to hard. */
int puzzles_sort(const struct puzzles_run *run, const struct fm_game *game);

/* ---- pictures (puzzles_look.c) --------------------------------------------------------------- */

/* What there is to look at in a game; nothing of it is needed where there are no pictures. */
struct puzzles_ocean {
    struct oc_art *art;
    struct fm_eyes eyes;
};

/* The eyes of one thread. */
struct puzzles_witness {
    const struct puzzles_ocean *ocean;
    const struct fm_setup *setup; /* whose stack it looks at */
    struct oc_witness *witness;
};

int puzzles_ocean_open(struct puzzles_ocean *ocean); /* for games with something to look at */
void puzzles_ocean_close(struct puzzles_ocean *ocean);
/* For struct puzzle_looking: arg is a struct puzzles_witness. */
bool puzzles_look(void *arg, const struct decision *d, struct fm__scene *scene);

/* ---- what the command does ------------------------------------------------------------------ */

/* Finds puzzles, and writes them into the folder, from easy to hard. */
int puzzles_find(const struct puzzles_run *run);
/* Verifies all puzzles of the folder. */
int puzzles_check(const struct puzzles_run *run);

#endif
