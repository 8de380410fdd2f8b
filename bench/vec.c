/*
 * vec.c: how fast many matches are stepped at once, beside the simulator's loop.
 *
 *   bench_vec [SECONDS [THREADS [LANES]]]   random play of all games, as many actions of
 *                                           each, observations and masks filled
 *   bench_vec GAME STEPS                    for counting instructions: 64 lanes, so many steps
 */
#include "base/panic.h"

#include <fathom/sim.h>
#include <fathom/vec.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define GAMES   16 /* at most */
#define THREADS 64

struct batch { /* a vec and its buffers */
    struct fm_vec *vec;
    uint32_t lanes;
    uint64_t *action;
    struct fm_vec_io io;
    uint64_t chance;
};

struct worker {
    pthread_t thread;
    struct fm_setup setup[GAMES];
    uint32_t lanes; /* 0: the simulator's loop */
    double limit;   /* seconds */
    uint64_t actions;
    double busy; /* seconds of its processor */
};

static const char *names[GAMES]; /* of the games that have fixed numbers */
static int n_games;
static struct fm_eyes eyes;

static double seconds(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void *take(size_t n)
{
    void *memory = aligned_alloc(64, (n + 63) / 64 * 64);
    fm_assert(memory != NULL);
    return memory;
}

static struct fm_setup table(const char *game)
{
    struct fm_setup setup;
    struct fm_fault fault;
    char text[64];
    const int n = snprintf(text, sizeof text, "{\"game\":\"%.30s\"}", game);
    if (fm_setup_read(&setup, text, (size_t)n, NULL, &fault) != FM_OK) {
        fprintf(stderr, "bench_vec: %s\n", fault.text);
        exit(2);
    }
    setup.seed[31] = 1;
    return setup;
}

static void batch_open(struct batch *b, const struct fm_setup *setup, uint32_t lanes)
{
    struct fm_vec_shape shape;
    fm_assert(fm_vec_measure(&shape, setup) == FM_OK);
    const size_t bytes = shape.vec_bytes + lanes * shape.lane_bytes;
    b->vec = fm_vec_open(take(bytes), bytes, setup, lanes, &eyes);
    b->lanes = lanes;
    b->chance = setup->seed[0];
    b->action = take(lanes * sizeof *b->action);
    b->io = (struct fm_vec_io){
        .action = b->action,
        .obs = take((size_t)lanes * shape.obs_bytes),
        .mask = take((size_t)lanes * shape.mask_words * sizeof(uint64_t)),
        .reward = take((size_t)lanes * shape.n_seats * sizeof(float)),
        .flags = take(lanes),
        .seat = take(lanes),
    };
    fm_assert(b->vec != NULL && fm_vec_reset(b->vec, &b->io, 0, lanes) == FM_OK);
}

static void batch_close(struct batch *b)
{
    free(b->vec);
    free(b->action);
    free(b->io.obs);
    free(b->io.mask);
    free(b->io.reward);
    free(b->io.flags);
    free(b->io.seat);
}

static void batch_step(struct batch *b)
{
    fm_vec_random(b->vec, &b->io, b->action, 0, b->lanes, &b->chance);
    fm_assert(fm_vec_step(b->vec, &b->io, 0, b->lanes) == FM_OK);
}

static void run_vec(struct worker *w)
{
    struct batch batch[GAMES];
    for (int g = 0; g < n_games; g++)
        batch_open(&batch[g], &w->setup[g], w->lanes);
    const double start = seconds(CLOCK_MONOTONIC), busy = seconds(CLOCK_THREAD_CPUTIME_ID);
    do {
        for (int g = 0; g < n_games; g++)
            for (int i = 0; i < 64; i++, w->actions += w->lanes)
                batch_step(&batch[g]);
    } while (seconds(CLOCK_MONOTONIC) - start < w->limit);
    w->busy = seconds(CLOCK_THREAD_CPUTIME_ID) - busy;
    for (int g = 0; g < n_games; g++)
        batch_close(&batch[g]);
}

/* The game that has had the fewest actions plays next, so that all have as many. */
static void run_sim(struct worker *w)
{
    static _Thread_local struct fm_sim sim;
    uint64_t actions[GAMES] = {0};
    const double start = seconds(CLOCK_MONOTONIC), busy = seconds(CLOCK_THREAD_CPUTIME_ID);
    do {
        int g = 0;
        for (int i = 1; i < n_games; i++)
            g = actions[i] < actions[g] ? i : g;
        struct fm_setup *setup = &w->setup[g];
        const struct fm_bot *bot = fm_bot_find(setup->game, "random");
        const struct fm_bot *bots[FM_MAX_SEATS] = {bot, bot, bot, bot, bot, bot, bot};
        struct fm_event ev;
        setup->seed[1] = (uint8_t)(setup->seed[1] + (++setup->seed[2] == 0));
        fm_assert(fm_sim_start(&sim, setup, bots, (struct fm_budget){.eyes = &eyes}, NULL) ==
                  FM_OK);
        for (; !fm_sim_over(&sim); actions[g]++)
            fm_assert(fm_sim_step(&sim, &ev, NULL) == FM_OK);
    } while (seconds(CLOCK_MONOTONIC) - start < w->limit);
    w->busy = seconds(CLOCK_THREAD_CPUTIME_ID) - busy;
    for (int g = 0; g < n_games; g++)
        w->actions += actions[g];
}

static void *work(void *arg)
{
    struct worker *w = arg;
    if (w->lanes > 0)
        run_vec(w);
    else
        run_sim(w);
    return NULL;
}

static void find_games(void)
{
    const struct fm_game *game;
    for (size_t i = 0; (game = fm_game_at(i)) != NULL && n_games < GAMES; i++)
        if (game->flat != NULL)
            names[n_games++] = game->id;
}

static void measure(const char *what, double limit, unsigned threads, uint32_t lanes)
{
    static struct worker workers[THREADS];
    uint64_t actions = 0;
    double busy = 0;
    const double start = seconds(CLOCK_MONOTONIC);
    for (unsigned t = 0; t < threads; t++) {
        workers[t] = (struct worker){.lanes = lanes, .limit = limit};
        for (int g = 0; g < n_games; g++) {
            workers[t].setup[g] = table(names[g]);
            workers[t].setup[g].seed[0] = (uint8_t)t;
        }
        fm_assert(pthread_create(&workers[t].thread, NULL, work, &workers[t]) == 0);
    }
    for (unsigned t = 0; t < threads; t++) {
        (void)pthread_join(workers[t].thread, NULL);
        actions += workers[t].actions;
        busy += workers[t].busy;
    }
    const double wall = seconds(CLOCK_MONOTONIC) - start;
    printf("%-34s %8.2f %8.2f\n", what, (double)actions / wall / 1e6,
           (double)actions / busy * threads / 1e6);
    fflush(stdout);
}

static int count(const char *game, long steps)
{
    const struct fm_setup setup = table(game);
    struct batch batch;
    batch_open(&batch, &setup, 64);
    for (long i = 0; i < steps; i++)
        batch_step(&batch);
    batch_close(&batch);
    printf("{\"units\":%ld}\n", 64 * steps);
    return 0;
}

int main(int argc, char **argv)
{
    struct fm_fault fault;
    fm_assert(fm_eyes_named(&eyes, "average", &fault) == FM_OK);
    if (argc == 3 && (argv[1][0] < '0' || argv[1][0] > '9'))
        return count(argv[1], strtol(argv[2], NULL, 10));
    const double limit = argc > 1 ? strtod(argv[1], NULL) : 2;
    const long threads = argc > 2 ? strtol(argv[2], NULL, 10) : 2;
    const long lanes = argc > 3 ? strtol(argv[3], NULL, 10) : 64;
    if (argc > 4 || !(limit > 0) || threads < 1 || threads > THREADS || lanes < 1 ||
        lanes > FM_VEC_LANES) {
        fprintf(stderr, "usage: bench_vec [SECONDS [THREADS [LANES]]]\n"
                        "       bench_vec GAME STEPS\n");
        return 2;
    }
    find_games();
    printf("million seat-actions a second, %ld threads: by the clock, and with whole cores\n",
           threads);
    measure("simulator, random bots", limit, (unsigned)threads, 0);
    char what[64];
    (void)snprintf(what, sizeof what, "vectorised, %ld lanes a game", lanes);
    measure(what, limit, (unsigned)threads, (uint32_t)lanes);
    return 0;
}
