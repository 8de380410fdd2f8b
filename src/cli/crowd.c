/* crowd.c: threads, progress, and flags of commands that play many games. */
#include "cli/crowd.h"

#include "analysis/analysis.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

uint64_t cli_cores(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (uint64_t)cores : 1;
}

/* ---- threads --------------------------------------------------------------------------------- */

struct shared {
    const struct cli_pool *pool;
    atomic_uint_fast64_t next, done;
    atomic_bool failed;
};

struct thread {
    struct shared *shared;
    void *memory;
    pthread_t id;
};

static void *work(void *arg)
{
    struct thread *t = arg;
    struct shared *s = t->shared;
    uint64_t i;
    while (!s->failed && (i = s->next++) < s->pool->n) {
        if (!s->pool->work(s->pool->arg, t->memory, i))
            s->failed = true;
        s->done++;
    }
    return NULL;
}

/* Shows progress on a terminal until everything is done. */
static void show_progress(const struct shared *s)
{
    const struct timespec pause = {.tv_nsec = 100000000};
    const time_t start = time(NULL);
    const double n = (double)s->pool->n;
    if (!isatty(STDERR_FILENO) || s->pool->quiet)
        return;
    for (uint64_t done; (done = s->done) < s->pool->n && !s->failed;) {
        char bar[41];
        memset(bar, '.', sizeof bar - 1);
        memset(bar, '#', (size_t)(40.0 * (double)done / n));
        bar[40] = '\0';
        const long spent = (long)(time(NULL) - start);
        const double left = done ? (double)spent / (double)done * (n - (double)done) : 0;
        fprintf(stderr, "\r[%s] %5.1f %%  %.0f s left ", bar, 100.0 * (double)done / n, left);
        (void)nanosleep(&pause, NULL);
    }
    fprintf(stderr, "\r\033[K");
}

bool cli_pool_run(const struct cli_pool *pool)
{
    struct shared shared = {.pool = pool};
    struct thread thread[CLI_JOBS_MAX];
    uint64_t started = 0;
    for (; started < pool->jobs && started < pool->n; started++) {
        thread[started].shared = &shared;
        thread[started].memory = (char *)pool->memory + started * pool->memory_size;
        if (pthread_create(&thread[started].id, NULL, work, &thread[started]) != 0)
            break;
    }
    if (started == 0 && pool->n > 0) {
        shared.failed = true;
        cli_complain(pool->command, "no thread can be started");
    }
    show_progress(&shared);
    for (uint64_t i = 0; i < started; i++)
        (void)pthread_join(thread[i].id, NULL);
    return !shared.failed;
}

/* ---- flags ----------------------------------------------------------------------------------- */

int cli_number_flag(const char *command, const char *name, const char *value, uint64_t min,
                    uint64_t max, uint64_t *out)
{
    if (cli_number(value, min, max, out))
        return CLI_FINE;
    return cli_complain(command, "--%s takes a number from %llu to %llu, not \"%s\"", name,
                        (unsigned long long)min, (unsigned long long)max, value);
}

int cli_budget_flag(const char *command, const char *word, enum study_budget *out)
{
    for (unsigned i = 0; fm__budget_names[i] != NULL; i++) {
        if (strcmp(word, fm__budget_names[i]) != 0)
            continue;
        *out = (enum study_budget)i;
        return CLI_FINE;
    }
    return cli_complain(command, "--budget takes quick, normal or deep, not \"%s\"", word);
}

int cli_seed_flag(const char *command, const char *value, uint8_t seed[FM_SEED_BYTES])
{
    if (cli_seed(value, seed))
        return CLI_FINE;
    return cli_complain(command, "--seed takes a number or 64 hex digits, not \"%s\"", value);
}

int cli_read_eyes(const char *command, const char *name, const struct fm_game *game,
                  struct fm_eyes *eyes)
{
    struct fm_fault fault;
    if (name != NULL && game->look == NULL)
        return cli_complain(command, "--eyes: %s has nothing to look at", game->title);
    if (name != NULL && (strchr(name, '/') || strstr(name, ".json") || strcmp(name, "-") == 0)) {
        size_t n;
        char *text = cli_read(name, FM_EYES_FILE, &n, &fault);
        const bool read = text != NULL && fm_eyes_parse(eyes, text, n, &fault) == FM_OK;
        free(text);
        return read ? CLI_FINE : cli_complain_file(command, name, &fault);
    }
    if (fm_eyes_named(eyes, name ? name : "average", &fault) != FM_OK)
        return cli_complain(command, "--eyes: %s, or name a file", fault.text);
    return CLI_FINE;
}
