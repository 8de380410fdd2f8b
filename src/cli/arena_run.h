/* arena_run.h: a tournament in progress, for the files of `fathom arena`. */
#ifndef CLI_ARENA_RUN_H
#define CLI_ARENA_RUN_H

#include "cli/arena.h"

#include <fathom/bot.h>
#include <fathom/sim.h>

#include <pthread.h>
#include <stdio.h>

#define ARENA_FILE_MAX 0x40000000 /* largest result file */

struct arena_run {
    struct arena arena;
    struct arena_result result;
    struct fm_setup setup;
    const struct fm_bot *bot[ARENA_BOTS + 1]; /* by their numbers */
    struct fm_eyes eyes;
    uint8_t seed[FM_SEED_BYTES];
    const char *seed_text, *bot_names, *partner_name, *eyes_name, *path;
    uint64_t jobs, iterations, shard, shards;
    bool json, self, open_hands;
    uint64_t *todo; /* entry * deals + deal */
    FILE *file;
    pthread_mutex_t lock; /* of the result and the file */
};

/* ---- arena_deal.c ---------------------------------------------------------------------------- */

struct arena_worker {
    struct fm_setup setup;
    struct fm_sim sim;
};

/* Plays one of the deals that are to be done, and stores its outcome; called by a pool. */
bool arena_play_deal(void *run, void *worker, uint64_t i);

/* ---- arena_files.c: files of results, a line for each deal ------------------------------------ */

/* Writes the first line, which describes the tournament. */
int arena_put_header(struct arena_run *run);
bool arena_read_header(struct arena *a, const char *line, size_t n, struct fm_fault *fault);
/* Adds the contents of a file to the result. A last line without a newline was cut short when the
 * program was killed: that deal counts as not played, and *good is where the line begins. */
int arena_read_results(struct arena_run *run, const char *path, const char *text, size_t n,
                       size_t *good);
/* Opens the file of an earlier run to continue it, or creates it. */
int arena_open_results(struct arena_run *run);

#endif
