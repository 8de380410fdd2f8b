/*
 * ocean_soak.c: real pictures asked for in any order, for long: memory stays where it is.
 *
 * Two workers make what a loop asks for at random: tilts, lamps, tables, new rounds, octopuses,
 * tables that are forgotten. Once everything has been used for a while, the process must not grow
 * any more.
 */
#include "tests.h"

#include "base/hash.h"
#include "base/panic.h"
#include "ocean/round.h"

#include <fathom/rng.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORKERS 2
#define TABLES  6
#define SIZE    128
#define MB      (1024 * 1024)
#define ROOM    (6 * MB) /* what the process may grow after it has warmed up */

static int asks = 20000;

static const struct oc_limits limits = {
    .table_encoded = 64 * 1024,
    .layers = 4 * MB,
    .encoded = 256 * 1024,
    .queue = 8,
    .tables = TABLES,
    .idle_ms = 500,
};

struct soak {
    struct oc_cache *cache;
    struct oc_art *art;
    struct oc_sheets sheets[TABLES];
    struct oc_round *round[TABLES];
    uint32_t number[TABLES];
    bool octopus[TABLES];
    struct fm_rng rng;
    atomic_ulong told, pictures;
    uint64_t now_ms;
};

static void done(void *arg, uint64_t table, uint32_t round, struct oc_look look,
                 const struct oc_picture *picture)
{
    struct soak *s = arg;
    (void)table, (void)round, (void)look;
    s->told++;
    if (picture != NULL) {
        s->pictures++;
        fm_assert(picture->n > 500 && picture->data[0] == 0xff && picture->data[1] == 0xd8);
    }
}

static void *work(void *arg)
{
    struct soak *s = arg;
    struct oc_worker *worker = oc_worker_create(40);
    fm_assert(worker != NULL);
    while (oc_cache_work(s->cache, worker))
        ;
    oc_worker_destroy(worker);
    return NULL;
}

static size_t resident(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long all = 0, pages = 0;
    fm_assert(file != NULL && fscanf(file, "%lu %lu", &all, &pages) == 2);
    (void)fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void new_round(struct soak *s, unsigned table)
{
    struct fm_fault fault;
    const int left = 1 + (int)fm_rng_below(&s->rng, OC_SHEETS);
    struct oc_round *round = oc_round_create(s->art, &s->sheets[table], left, SIZE, true);
    fm_assert(round != NULL);
    s->round[table] = round;
    s->octopus[table] = false;
    fm_assert(oc_cache_round(s->cache, table, ++s->number[table], round, &fault) == FM_OK);
}

static void ask(struct soak *s)
{
    struct fm_fault fault;
    const struct oc_picture *picture = NULL;
    const unsigned table = fm_rng_below(&s->rng, TABLES);
    const uint32_t what = fm_rng_below(&s->rng, 1000);
    oc_cache_tidy(s->cache, ++s->now_ms);
    if (what < 3) {
        new_round(s, table);
    } else if (what < 5 && !s->octopus[table]) {
        fm_assert(oc_round_octopus(s->round[table], .3, .7, &fault) == FM_OK);
        s->octopus[table] = true;
        oc_cache_changed(s->cache, table);
    } else if (what < 6) {
        oc_cache_forget(s->cache, table);
        new_round(s, table);
    }
    const struct oc_look look = oc_look_at(fm_rng_below(&s->rng, OC_LOOKS));
    const enum oc_need need = (enum oc_need)fm_rng_below(&s->rng, OC_NEEDS);
    const enum fm_err err =
        oc_cache_ask(s->cache, table, s->number[table], look, need, s->now_ms, &picture, &fault);
    fm_assert(err == FM_OK || err == FM_E_BUSY);
    oc_picture_release(picture);
}

static void looks_in_any_order_take_no_more_memory_after_long(void **state)
{
    (void)state;
    static struct soak s;
    struct fm_fault fault;
    struct oc_deal deal = {.n = OC_SHEETS};
    pthread_t workers[WORKERS];
    size_t warm = 0, most_layers = 0, most_encoded = 0;
    s.art = oc_art_load(NULL, &fault);
    assert_non_null(s.art);
    fm_rng_init(&s.rng, (const uint8_t[FM_SEED_BYTES]){7}, 0);
    s.cache = oc_cache_create(&oc_round_maker, &limits, done, &s);
    assert_non_null(s.cache);
    for (unsigned table = 0; table < TABLES; table++) {
        fm_rng_bytes(&s.rng, deal.secret, sizeof deal.secret);
        for (int i = 0; i < OC_SHEETS; i++)
            deal.kind[i] = (uint8_t)fm_rng_below(&s.rng, OC_KINDS);
        oc_sheets_make(&s.sheets[table], s.art, oc_waters, &deal);
        new_round(&s, table);
    }
    for (int i = 0; i < WORKERS; i++)
        assert_int_equal(pthread_create(&workers[i], NULL, work, &s), 0);
    for (int i = 0; i < asks; i++) {
        ask(&s);
        const struct oc_cache_stats stats = oc_cache_stats(s.cache);
        most_layers = stats.layers > most_layers ? stats.layers : most_layers;
        most_encoded = stats.encoded > most_encoded ? stats.encoded : most_encoded;
        while (oc_cache_stats(s.cache).waiting > TABLES * limits.queue / 2)
            (void)sched_yield(); /* the workers set the pace */
        if (i == asks / 3)
            warm = resident();
    }
    const size_t end = resident();
    oc_cache_stop(s.cache);
    for (int i = 0; i < WORKERS; i++)
        assert_int_equal(pthread_join(workers[i], NULL), 0);
    const struct oc_cache_stats stats = oc_cache_stats(s.cache);
    print_message("# %lu pictures, %llu bakes; layers at most %zu KB, encoded %zu KB; resident %zu "
                  "MB after a third, %zu MB at the end\n",
                  s.pictures, (unsigned long long)stats.bakes, most_layers / 1024,
                  most_encoded / 1024, warm / MB, end / MB);
    oc_cache_destroy(s.cache);
    oc_art_free(s.art);
    assert_true(stats.requests == s.told);
    assert_true(s.pictures > (unsigned long)asks / 4 && stats.failed == 0);
    assert_true(most_layers <= limits.layers && most_encoded <= limits.encoded);
    assert_true(TESTS_SANITIZED || end <= warm + ROOM);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looks_in_any_order_take_no_more_memory_after_long),
    };
    fm_assert(fm__hash_start() == 0);
    if (argc > 1)
        asks = (int)strtol(argv[1], NULL, 10);
    return tests_run("ocean_soak", tests, sizeof tests / sizeof tests[0]);
}
