/* crowd.h: what commands that play many games share: threads with progress, eyes, numbers. */
#ifndef CLI_CROWD_H
#define CLI_CROWD_H

#include "bots/study.h"
#include "cli/cli.h"

#include <fathom/bot.h>

#define CLI_JOBS_MAX 256

uint64_t cli_cores(void);

/* Work in numbered pieces, shared between threads. */
struct cli_pool {
    const char *command;
    uint64_t jobs, n;
    bool quiet;                                        /* no progress, not even on a terminal */
    bool (*work)(void *arg, void *memory, uint64_t i); /* false: stop everything */
    void *arg;
    void *memory; /* zeroed, memory_size bytes for each thread */
    size_t memory_size;
};

/* Does all pieces, in any order; false: one failed, or no thread could be started. */
bool cli_pool_run(const struct cli_pool *pool);

/* Reads the number of --name, or complains. */
int cli_number_flag(const char *command, const char *name, const char *value, uint64_t min,
                    uint64_t max, uint64_t *out);

/* Reads the word of --budget, or complains. */
int cli_budget_flag(const char *command, const char *word, enum study_budget *out);
/* Reads the seed of --seed, or complains. */
int cli_seed_flag(const char *command, const char *value, uint8_t seed[FM_SEED_BYTES]);

/* Loads eyes by name or from a file; NULL: average ones. */
int cli_read_eyes(const char *command, const char *name, const struct fm_game *game,
                  struct fm_eyes *eyes);

#endif
