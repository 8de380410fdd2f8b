/*
 * ocean_cache_soak.c: threads ask, change and forget in random order while workers make pictures,
 * some of which fail. No cap is passed at any time, every request ends once, nothing is left
 * behind.
 *
 * Every round has a number of its own, so that the fake maker and done can tell where a picture
 * belongs. Order is kept in ticks of one clock that all threads advance.
 */
#include "tests.h"

#include "base/panic.h"
#include "ocean/cache.h"

#include <fathom/rng.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ASKERS  3
#define WORKERS 3
#define TABLES  24
#define LOOKS   26
#define HOLD    8 /* pictures that an asker has in its hands */
#define LARGEST 3000

static const struct oc_limits limits = {
    .table_encoded = 20000,
    .layers = 6000,
    .encoded = 120000,
    .queue = 12,
    .tables = 20, /* fewer than there are */
    .idle_ms = 40,
};

struct log {                   /* of a look of a round */
    atomic_ullong asked, told; /* ticks of the last request accepted, and of the last done */
    atomic_uint n_asked, n_told;
};

struct round {
    struct soak *soak;
    uint32_t number;
    uint64_t table;
    size_t bytes;
    atomic_uint version; /* as make draws it */
    atomic_uint settled; /* no older one is found any more */
    atomic_bool dropped;
    struct log log[LOOKS];
};

struct layers {
    struct round *round;
    size_t bytes;
};

struct soak {
    struct oc_cache *c;
    unsigned max_rounds;
    struct round *rounds; /* all there ever are: told of even when they are over */
    atomic_uint n_rounds;
    atomic_uint present[TABLES]; /* the round's number of each table, as far as known */
    atomic_bool baking[TABLES];
    atomic_ullong tick, n_told;
    atomic_size_t live_bytes; /* of layers, also of those that are being baked */
    atomic_int live_layers, live_rounds;
};

struct worker {
    struct soak *soak;
    struct fm_rng rng;
    uint8_t data[LARGEST];
};

struct asker {
    struct soak *soak;
    struct fm_rng rng;
    unsigned n;
    const struct oc_picture *held[HOLD];
};

struct stamp { /* what a picture begins with; then the look's number again and again */
    uint32_t round, version, look;
};

static struct oc_look look_at(unsigned i)
{
    return (struct oc_look){(uint8_t)(i % OC_TILTS), (uint8_t)(i / OC_TILTS), OC_DAYLIGHT, 0};
}

static unsigned look_number(struct oc_look look)
{
    return look.ty * (unsigned)OC_TILTS + look.tx;
}

static void most(atomic_ullong *at, unsigned long long value)
{
    unsigned long long old = atomic_load(at);
    while (old < value && !atomic_compare_exchange_weak(at, &old, value))
        ;
}

static size_t memory(void) /* pages in use */
{
    unsigned long size = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    fm_assert(file != NULL && fscanf(file, "%lu %lu", &size, &resident) == 2);
    (void)fclose(file);
    return resident;
}

/* ---- the fake maker -------------------------------------------------------------------------- */

static size_t fake_bake_bytes(const void *round)
{
    return ((const struct round *)round)->bytes;
}

static void take_bytes(struct soak *soak, size_t bytes)
{
    const size_t all = atomic_fetch_add(&soak->live_bytes, bytes) + bytes;
    fm_assert(all <= limits.layers || all == bytes);
}

static void *fake_bake(void *worker, void *round, struct fm_fault *fault)
{
    struct worker *w = worker;
    struct round *r = round;
    fm_assert(!atomic_load(&r->dropped));
    fm_assert(!atomic_exchange(&w->soak->baking[r->table], true));
    take_bytes(w->soak, r->bytes);
    for (uint32_t i = fm_rng_below(&w->rng, 20); i > 0; i--)
        (void)sched_yield();
    struct layers *layers = NULL;
    if (fm_rng_below(&w->rng, 12) == 0) {
        (void)fm_fail_plain(fault, FM_E_MEMORY);
        atomic_fetch_sub(&w->soak->live_bytes, r->bytes);
    } else {
        layers = malloc(sizeof *layers);
        fm_assert(layers != NULL);
        *layers = (struct layers){r, r->bytes - fm_rng_below(&w->rng, 100)};
        atomic_fetch_sub(&w->soak->live_bytes, r->bytes - layers->bytes);
        atomic_fetch_add(&w->soak->live_layers, 1);
    }
    fm_assert(!atomic_load(&r->dropped));
    atomic_store(&w->soak->baking[r->table], false);
    return layers;
}

static size_t fake_layers_bytes(const void *layers)
{
    return ((const struct layers *)layers)->bytes;
}

static void fake_free_layers(void *layers)
{
    struct layers *l = layers;
    atomic_fetch_sub(&l->round->soak->live_layers, 1);
    atomic_fetch_sub(&l->round->soak->live_bytes, l->bytes);
    free(l);
}

static enum fm_err fake_make(void *worker, const void *layers, struct oc_look look,
                             const uint8_t **data, size_t *n, struct fm_fault *fault)
{
    struct worker *w = worker;
    const struct layers *l = layers;
    const struct stamp stamp = {l->round->number, atomic_load(&l->round->version),
                                look_number(look)};
    if (fm_rng_below(&w->rng, 4) == 0)
        (void)sched_yield();
    if (fm_rng_below(&w->rng, 30) == 0)
        return fm_fail_plain(fault, FM_E_MEMORY);
    *n = sizeof stamp + fm_rng_below(&w->rng, LARGEST - sizeof stamp);
    memset(w->data, (int)stamp.look, *n);
    memcpy(w->data, &stamp, sizeof stamp);
    *data = w->data;
    return FM_OK;
}

static void fake_drop(void *round)
{
    struct round *r = round;
    fm_assert(!atomic_exchange(&r->dropped, true));
    atomic_fetch_sub(&r->soak->live_rounds, 1);
}

/* What a picture shows is what it was made for, from the first byte to the last. */
static struct stamp check_picture(const struct oc_picture *p)
{
    struct stamp stamp;
    fm_assert(p->n >= sizeof stamp);
    memcpy(&stamp, p->data, sizeof stamp);
    for (size_t i = sizeof stamp; i < p->n; i++)
        fm_assert(p->data[i] == stamp.look);
    return stamp;
}

static void done(void *arg, uint64_t table, uint32_t round, struct oc_look look,
                 const struct oc_picture *picture)
{
    struct soak *soak = arg;
    struct round *r = &soak->rounds[round];
    struct log *log = &r->log[look_number(look)];
    fm_assert(r->table == table);
    most(&log->told, atomic_fetch_add(&soak->tick, 1));
    atomic_fetch_add(&log->n_told, 1);
    atomic_fetch_add(&soak->n_told, 1);
    if (picture != NULL) {
        const struct stamp stamp = check_picture(picture);
        fm_assert(stamp.round == round && stamp.look == look_number(look));
    }
}

/* ---- what askers do -------------------------------------------------------------------------- */

static void begin_round(struct asker *a, uint64_t table)
{
    struct soak *soak = a->soak;
    struct fm_fault fault;
    const unsigned number = atomic_fetch_add(&soak->n_rounds, 1);
    if (number >= soak->max_rounds)
        return;
    struct round *r = &soak->rounds[number];
    r->soak = soak;
    r->number = number;
    r->table = table;
    r->bytes = 500 + fm_rng_below(&a->rng, 1500);
    if (fm_rng_below(&a->rng, 40) == 0)
        r->bytes += limits.layers; /* fits alone only */
    atomic_fetch_add(&soak->live_rounds, 1);
    const enum fm_err err = oc_cache_round(soak->c, table, number, r, &fault);
    fm_assert(err == FM_OK || err == FM_E_BUSY);
    if (err == FM_OK)
        atomic_store(&soak->present[table], number);
    else
        fake_drop(r);
}

static void hold(struct asker *a, const struct oc_picture *p)
{
    const uint32_t at = fm_rng_below(&a->rng, HOLD);
    if (a->held[at] != NULL)
        (void)check_picture(a->held[at]);
    oc_picture_release(a->held[at]);
    a->held[at] = p;
}

static void ask(struct asker *a, struct round *r)
{
    struct soak *soak = a->soak;
    struct fm_fault fault;
    const struct oc_picture *picture;
    const unsigned look = fm_rng_below(&a->rng, LOOKS);
    const enum oc_need need = fm_rng_below(&a->rng, OC_NEEDS);
    const unsigned settled = atomic_load(&r->settled);
    const unsigned long long tick = atomic_fetch_add(&soak->tick, 1);
    const enum fm_err err = oc_cache_ask(soak->c, r->table, r->number, look_at(look), need,
                                         tick / 100, &picture, &fault);
    fm_assert(err == FM_OK || err == FM_E_GONE || err == FM_E_BUSY);
    if (err != FM_OK) {
        fm_assert(picture == NULL);
    } else if (picture != NULL) {
        const struct stamp stamp = check_picture(picture);
        fm_assert(stamp.round == r->number && stamp.look == look && stamp.version >= settled);
        hold(a, picture);
    } else {
        most(&r->log[look].asked, tick);
        atomic_fetch_add(&r->log[look].n_asked, 1);
    }
}

static void change(struct soak *soak, struct round *r)
{
    const unsigned version = atomic_fetch_add(&r->version, 1) + 1;
    oc_cache_changed(soak->c, r->table);
    unsigned old = atomic_load(&r->settled);
    while (old < version && !atomic_compare_exchange_weak(&r->settled, &old, version))
        ;
}

static void check_caps(struct soak *soak)
{
    const struct oc_cache_stats s = oc_cache_stats(soak->c);
    fm_assert(s.layers <= limits.layers || s.baked <= 1);
    fm_assert(s.layers <= 2 * limits.layers);
    fm_assert(s.encoded <= limits.encoded);
    fm_assert(s.encoded <= s.tables * limits.table_encoded);
    fm_assert(s.tables <= limits.tables);
    fm_assert(s.baked <= s.tables);
    fm_assert(s.waiting <= s.tables * limits.queue);
}

static void *asker_life(void *arg)
{
    struct asker *a = arg;
    struct soak *soak = a->soak;
    for (unsigned i = 0; i < a->n; i++) {
        const uint64_t table = fm_rng_below(&a->rng, TABLES);
        struct round *r = &soak->rounds[atomic_load(&soak->present[table])];
        const uint32_t what = fm_rng_below(&a->rng, 1000);
        if (what < 10)
            begin_round(a, table);
        else if (r->table != table)
            continue; /* has had none yet */
        else if (what < 20)
            change(soak, r);
        else if (what < 24)
            oc_cache_forget(soak->c, table);
        else if (what < 30)
            oc_cache_tidy(soak->c, atomic_load(&soak->tick) / 100);
        else
            ask(a, r);
        check_caps(soak);
        if (i % 4 == 0)
            (void)sched_yield(); /* or the queues are always full */
    }
    for (int i = 0; i < HOLD; i++)
        oc_picture_release(a->held[i]);
    return NULL;
}

static void *worker_life(void *arg)
{
    struct worker *w = arg;
    while (oc_cache_work(w->soak->c, w))
        check_caps(w->soak);
    return NULL;
}

/* ---- the soak -------------------------------------------------------------------------------- */

static unsigned operations = 200000;

static struct soak *soak_create(void)
{
    static const struct oc_maker maker = {
        .bake_bytes = fake_bake_bytes,
        .bake = fake_bake,
        .layers_bytes = fake_layers_bytes,
        .free_layers = fake_free_layers,
        .make = fake_make,
        .drop = fake_drop,
    };
    struct soak *soak = calloc(1, sizeof *soak);
    assert_non_null(soak);
    soak->max_rounds = operations / 50 + 1000;
    soak->rounds = malloc(soak->max_rounds * sizeof *soak->rounds);
    assert_non_null(soak->rounds);
    memset(soak->rounds, 0, soak->max_rounds * sizeof *soak->rounds); /* takes its pages now */
    soak->rounds[0].table = TABLES; /* the round of tables that have had none */
    atomic_store(&soak->n_rounds, 1);
    soak->c = oc_cache_create(&maker, &limits, done, soak);
    assert_non_null(soak->c);
    return soak;
}

static void ask_for_a_while(struct soak *soak, unsigned n, uint8_t part)
{
    struct asker askers[ASKERS] = {0};
    pthread_t threads[ASKERS];
    for (uint8_t i = 0; i < ASKERS; i++) {
        askers[i].soak = soak;
        askers[i].n = n / ASKERS;
        fm_rng_init(&askers[i].rng, (const uint8_t[FM_SEED_BYTES]){1, part}, i);
        assert_int_equal(pthread_create(&threads[i], NULL, asker_life, &askers[i]), 0);
    }
    for (int i = 0; i < ASKERS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

/* Every request that was accepted was told of afterwards, and no more often than accepted. */
static void check_logs(struct soak *soak)
{
    const unsigned n = atomic_load(&soak->n_rounds);
    for (unsigned i = 0; i < n && i < soak->max_rounds; i++)
        for (int k = 0; k < LOOKS; k++) {
            struct log *log = &soak->rounds[i].log[k];
            const unsigned asked = atomic_load(&log->n_asked), told = atomic_load(&log->n_told);
            assert_true(told <= asked && (told > 0) == (asked > 0));
            assert_true(asked == 0 || atomic_load(&log->told) > atomic_load(&log->asked));
        }
}

static void every_request_ends_once_and_no_cap_is_passed(void **state)
{
    (void)state;
    struct soak *soak = soak_create();
    struct worker *workers = calloc(WORKERS, sizeof *workers);
    pthread_t threads[WORKERS];
    assert_non_null(workers);
    for (uint8_t i = 0; i < WORKERS; i++) {
        workers[i].soak = soak;
        fm_rng_init(&workers[i].rng, (const uint8_t[FM_SEED_BYTES]){2}, i);
        assert_int_equal(pthread_create(&threads[i], NULL, worker_life, &workers[i]), 0);
    }
    ask_for_a_while(soak, operations / 5, 1);
    while (oc_cache_stats(soak->c).waiting > 0) /* no request needs another one to be served */
        (void)sched_yield();
    const size_t early = memory();
    ask_for_a_while(soak, operations - operations / 5, 2);
    const size_t late = memory(), page = (size_t)sysconf(_SC_PAGESIZE);
    if (!TESTS_SANITIZED) /* which keep what was freed */
        assert_true(late <= early + 2000000 / page);

    oc_cache_stop(soak->c);
    for (int i = 0; i < WORKERS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    check_caps(soak);
    const struct oc_cache_stats s = oc_cache_stats(soak->c);
    print_message("# %llu asked, %llu found, %llu requests, %llu made, %llu bakes, %llu dropped, "
                  "%llu failed\n",
                  (unsigned long long)s.asked, (unsigned long long)s.found,
                  (unsigned long long)s.requests, (unsigned long long)s.made,
                  (unsigned long long)s.bakes, (unsigned long long)s.dropped,
                  (unsigned long long)s.failed);
    assert_true(s.found > 0 && s.made > 0 && s.bakes > 0 && s.dropped > 0 && s.failed > 0);
    oc_cache_destroy(soak->c);

    assert_true(atomic_load(&soak->n_told) == s.requests);
    check_logs(soak);
    assert_int_equal(atomic_load(&soak->live_layers), 0);
    assert_int_equal(atomic_load(&soak->live_bytes), 0);
    assert_int_equal(atomic_load(&soak->live_rounds), 0);
    free(soak->rounds);
    free(soak);
    free(workers);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_request_ends_once_and_no_cap_is_passed),
    };
    if (argc > 1 && sscanf(argv[1], "%u", &operations) != 1)
        return 2;
    return tests_run("ocean_cache_soak", tests, sizeof tests / sizeof tests[0]);
}
