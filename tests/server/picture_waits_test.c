/* picture_waits_test.c: whose turn it is when many wait for pictures, and that hanging up costs
 * nothing. Pictures are of a fake maker's; the test does the worker's steps itself, so that the
 * order is known. The argument says how many random steps the last test takes. */
#define _DEFAULT_SOURCE /* for MAP_ANONYMOUS */
#include "tests.h"

#include "server/hall.h"
#include "server/picture_waits.h"

#include <fathom/rng.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define CALLS  600
#define WINDOW 2

struct call {
    struct srv_call call;
    bool waits, hung_up;
    int answers, status;
    int nth; /* of all that were answered, counted from 1 */
    char text[256];
};

static struct {
    struct srv_waits *waits;
    struct call call[CALLS];
    int n, answered;
    unsigned woken;
} w;

/* ---- a maker of pictures that are their own names --------------------------------------------- */

static size_t bake_bytes(const void *round)
{
    (void)round;
    return 1000;
}

static void *bake(void *worker, void *round, struct fm_fault *fault)
{
    (void)worker;
    (void)fault;
    return round;
}

static size_t layers_bytes(const void *layers)
{
    (void)layers;
    return 1000;
}

static void nothing(void *thing)
{
    (void)thing;
}

static enum fm_err make(void *worker, const void *layers, struct oc_look look, const uint8_t **data,
                        size_t *n, struct fm_fault *fault)
{
    (void)layers;
    (void)fault;
    *n = (size_t)snprintf(worker, 64, "%d,%d", look.tx, look.ty);
    *data = worker;
    return FM_OK;
}

static const struct oc_maker maker = {.bake_bytes = bake_bytes,
                                      .bake = bake,
                                      .layers_bytes = layers_bytes,
                                      .free_layers = nothing,
                                      .make = make,
                                      .drop = nothing};

/* ---- the network ------------------------------------------------------------------------------ */

static void net_answer(void *arg, struct srv_call *call, int status, const char *text, size_t n)
{
    struct call *c = (struct call *)call;
    (void)arg;
    assert_true(c->waits && !c->hung_up);
    assert_int_equal(c->answers++, 0);
    assert_null(call->picture);
    assert_true(n < sizeof c->text);
    memcpy(c->text, text, n);
    c->text[n] = '\0';
    c->status = status;
    c->nth = ++w.answered;
}

static void net_wake(void *arg)
{
    (void)arg;
    w.woken++;
}

/* ---- what tests say --------------------------------------------------------------------------- */

static int open_waits(void **state)
{
    const struct srv_net net = {.answer = net_answer, .wake = net_wake};
    struct oc_limits limits = oc_limits_default();
    struct fm_fault fault;
    (void)state;
    memset(&w, 0, sizeof w);
    limits.table_encoded = 50000;
    w.waits = srv_waits_create(&maker, &limits, &net, WINDOW, &fault);
    return w.waits != NULL ? 0 : -1;
}

static int close_waits(void **state)
{
    (void)state;
    srv_waits_destroy(w.waits);
    return 0;
}

static void stack(uint64_t key, uint32_t round)
{
    static int anything;
    struct fm_fault fault;
    assert_int_equal(oc_cache_round(srv_waits_cache(w.waits), key, round, &anything, &fault),
                     FM_OK);
}

static struct oc_look look_of(int i)
{
    return (struct oc_look){.tx = (uint8_t)(i % OC_TILTS), .ty = (uint8_t)(i / OC_TILTS)};
}

/* The call, which waits or has been answered; NULL: it was refused. */
static struct call *ask(const char *address, int seat, uint64_t key, uint32_t round, int look,
                        enum fm_err *err)
{
    struct fm_fault fault;
    assert_true(w.n < CALLS);
    struct call *c = &w.call[w.n];
    const struct srv_picture_request r = {
        .key = key,
        .round = round,
        .look = look_of(look),
        .need = OC_NEAR,
        .viewer = {.call = &c->call, .address = address, .seat = seat}};
    c->waits = true;
    *err = srv_waits_ask(w.waits, &r, 1000, &fault);
    if (*err != FM_OK)
        return NULL;
    assert_true((c->answers == 1) == (c->call.picture == NULL));
    w.n++;
    return c;
}

static struct call *look(const char *address, int seat, uint64_t key, int look)
{
    enum fm_err err;
    struct call *c = ask(address, seat, key, 1, look, &err);
    assert_int_equal(err, FM_OK);
    return c;
}

/* One picture is made, with what it takes to bake; false: there was nothing to do. */
static bool work(void)
{
    char worker[64];
    struct oc_cache *cache = srv_waits_cache(w.waits);
    const uint64_t made = oc_cache_stats(cache).made;
    while (oc_cache_stats(cache).waiting > 0 && oc_cache_stats(cache).made == made)
        assert_true(oc_cache_work(cache, worker));
    srv_waits_settle(w.waits);
    return oc_cache_stats(cache).made > made;
}

static void work_all(void)
{
    while (work())
        ;
}

/* ---- turns ------------------------------------------------------------------------------------ */

static void W07_forty_waiting_pictures_of_one_client_do_not_delay_anothers(void **state)
{
    (void)state;
    stack(1, 1);
    stack(2, 1);
    for (int i = 0; i < 40; i++)
        look("203.0.113.7", FM_WATCHER, 1, i);
    const struct call *elsewhere = look("198.51.100.1", 0, 2, 100);
    const struct call *same_stack = look("198.51.100.2", 0, 1, 100);
    work_all();
    assert_int_equal(w.answered, 42);
    if (elsewhere->nth > WINDOW + 2 || same_stack->nth > WINDOW + 2)
        fail_msg("of 42 pictures theirs were number %d and %d", elsewhere->nth, same_stack->nth);
}

static void W07_forty_bakes_of_one_client_do_not_delay_anothers(void **state)
{
    (void)state;
    for (uint64_t key = 1; key <= 41; key++)
        stack(key, 1);
    for (uint64_t key = 1; key <= 40; key++)
        look("203.0.113.7", FM_WATCHER, key, 0);
    const struct call *other = look("198.51.100.1", 0, 41, 0);
    work_all();
    assert_int_equal(w.answered, 41);
    if (other->nth > WINDOW + 1)
        fail_msg("of 41 pictures it was number %d", other->nth);
}

static void W07_whoever_keeps_asking_gains_nothing(void **state)
{
    (void)state;
    stack(1, 1);
    for (int i = 0; i < 40; i++)
        look("203.0.113.7", FM_WATCHER, 1, i);
    const struct call *other = look("198.51.100.1", 0, 1, 168);
    for (int i = 40; i < 80; i++) {
        look("203.0.113.7", FM_WATCHER, 1, i);
        (void)work();
    }
    assert_in_range(other->nth, 1, WINDOW + 1);
}

static void W07_viewers_behind_one_address_take_turns(void **state)
{
    (void)state;
    stack(1, 1);
    stack(2, 1);
    for (int i = 0; i < 40; i++)
        look("192.0.2.1", 0, 1, i);
    const struct call *another_seat = look("192.0.2.1", 1, 1, 100);
    const struct call *another_table = look("192.0.2.1", 0, 2, 100);
    work_all();
    assert_in_range(another_seat->nth, 1, WINDOW + 3);
    assert_in_range(another_table->nth, 1, WINDOW + 3);
    for (int i = 1; i < 40; i++) /* and of a viewer, what was asked first comes first */
        assert_true(w.call[i].nth > w.call[i - 1].nth);
}

static void W07_an_address_and_a_stack_have_so_many_waiting(void **state)
{
    char address[32];
    enum fm_err err;
    (void)state;
    stack(1, 1);
    stack(2, 1);
    for (int i = 0; i < SRV_WAITS_OF_ADDRESS; i++)
        look("203.0.113.7", FM_WATCHER, 1, i);
    assert_null(ask("203.0.113.7", FM_WATCHER, 1, 1, 150, &err));
    assert_int_equal(err, FM_E_BUSY);
    assert_null(ask("203.0.113.7", FM_WATCHER, 2, 1, 150, &err));
    assert_int_equal(err, FM_E_BUSY);
    for (int i = SRV_WAITS_OF_ADDRESS; i < SRV_WAITS_OF_STACK; i++) {
        (void)snprintf(address, sizeof address, "198.51.100.%d", i / 100);
        look(address, FM_WATCHER, 1, i % 169);
    }
    assert_int_equal(srv_waits_of_stack(w.waits, 1), SRV_WAITS_OF_STACK);
    assert_null(ask("198.51.100.99", FM_WATCHER, 1, 1, 150, &err));
    assert_int_equal(err, FM_E_BUSY);
    look("198.51.100.99", FM_WATCHER, 2, 150);
    work_all();
    assert_int_equal(w.answered, w.n);
    assert_int_equal(srv_waits_of_stack(w.waits, 1), 0);
    look("203.0.113.7", FM_WATCHER, 1, 150);
}

/* ---- answers ---------------------------------------------------------------------------------- */

static void a_picture_goes_to_all_who_wait_for_it(void **state)
{
    (void)state;
    stack(1, 1);
    for (int i = 0; i < 10; i++)
        look("192.0.2.1", FM_WATCHER, 1, i);
    const struct call *waits_behind = look("192.0.2.1", FM_WATCHER, 1, 50);
    const struct call *asks_it_too = look("192.0.2.2", FM_WATCHER, 1, 50);
    while (asks_it_too->answers == 0)
        assert_true(work());
    assert_int_equal(waits_behind->answers, 1);
    assert_string_equal(waits_behind->text, "11,3");
    assert_string_equal(asks_it_too->text, "11,3");
    assert_int_equal(asks_it_too->status, 200);
    work_all();
    assert_int_equal(w.answered, 12);
    assert_int_equal(oc_cache_stats(srv_waits_cache(w.waits)).made, 11);
}

static void what_is_there_is_given_at_once_however_many_wait(void **state)
{
    (void)state;
    stack(1, 1);
    look("192.0.2.1", 0, 1, 7);
    work_all();
    for (int i = 10; i < 30; i++)
        look("192.0.2.1", 0, 1, i);
    assert_int_equal(look("192.0.2.1", 0, 1, 7)->answers, 1);
    work_all();
}

static void those_who_wait_for_a_round_that_ends_are_told(void **state)
{
    (void)state;
    stack(1, 1);
    for (int i = 0; i < 20; i++)
        look("192.0.2.1", 0, 1, i);
    stack(1, 2);
    srv_waits_settle(w.waits);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(w.call[i].status, 404);
        assert_non_null(strstr(w.call[i].text, "\"gone\""));
    }
    enum fm_err err;
    assert_null(ask("192.0.2.1", 0, 1, 1, 0, &err));
    assert_int_equal(err, FM_E_GONE);
    assert_non_null(ask("192.0.2.1", 0, 1, 2, 0, &err));
    oc_cache_forget(srv_waits_cache(w.waits), 1);
    srv_waits_settle(w.waits);
    assert_int_equal(w.call[20].status, 404);
}

/* ---- hanging up ------------------------------------------------------------------------------- */

static void hang_up(struct call *c)
{
    srv_waits_hung_up(&c->call);
    assert_null(c->call.picture);
    c->hung_up = true;
}

/* What waits for nothing is found to do so without a look at the hall: here that is memory which
 * nobody may read. */
static void W14_hanging_up_does_not_read_the_tables(void **state)
{
    struct srv_call call = {.takes_gzip = true};
    (void)state;
    void *hall = mmap(NULL, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(hall != MAP_FAILED);
    srv_hall_hung_up(hall, &call);
    /* nor for one that waits for a picture */
    stack(1, 1);
    struct call *c = look("192.0.2.1", 0, 1, 0);
    assert_non_null(c->call.picture);
    c->hung_up = true;
    srv_hall_hung_up(hall, &c->call);
    assert_null(c->call.picture);
    assert_int_equal(munmap(hall, 1 << 20), 0);
    work_all();
    assert_int_equal(c->answers, 0);
}

static void W14_whoever_hung_up_is_not_answered_and_frees_its_turn(void **state)
{
    (void)state;
    stack(1, 1);
    for (int i = 0; i < 10; i++)
        look("192.0.2.1", 0, 1, i);
    hang_up(&w.call[0]); /* the cache has it: it is made for nobody */
    hang_up(&w.call[5]); /* it waited: it is not made */
    hang_up(&w.call[9]);
    work_all();
    assert_int_equal(w.answered, 7);
    assert_int_equal(oc_cache_stats(srv_waits_cache(w.waits)).made, 8);
    assert_int_equal(srv_waits_of_stack(w.waits, 1), 0);
}

/* Asking and hanging up over and over does not fill the cache's queue. */
static void W07_whoever_hangs_up_keeps_the_window(void **state)
{
    (void)state;
    stack(1, 1);
    for (int i = 0; i < 160; i++)
        hang_up(look("203.0.113.7", FM_WATCHER, 1, i));
    assert_int_equal(oc_cache_stats(srv_waits_cache(w.waits)).waiting, WINDOW);
    const struct call *other = look("198.51.100.1", 0, 1, 168);
    work_all();
    assert_int_equal(other->nth, 1);
    assert_int_equal(oc_cache_stats(srv_waits_cache(w.waits)).made, WINDOW + 1);
}

/* ---- anything, in any order ------------------------------------------------------------------- */

static long steps;
static struct fm_rng rng;

static int chance(uint32_t n)
{
    return (int)fm_rng_below(&rng, n);
}

static void every_call_is_answered_once_or_has_hung_up(void **state)
{
    static const char *const addresses[] = {"192.0.2.1", "192.0.2.2", "2001:db8::1", NULL};
    uint32_t round[4] = {1, 1, 1, 1};
    (void)state;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){7}, 0);
    for (uint64_t key = 1; key <= 4; key++)
        stack(key, 1);
    for (long i = 0; i < steps; i++) {
        struct call *c = &w.call[chance(CALLS)];
        const uint64_t key = 1 + (uint64_t)chance(4);
        switch (chance(8)) {
        case 0:
        case 1:
        case 2:
            if (c->call.picture == NULL) {
                struct fm_fault fault;
                memset(c, 0, sizeof *c);
                c->waits = true;
                const struct srv_picture_request r = {.key = key,
                                                      .round = round[key - 1],
                                                      .look = look_of(chance(60)),
                                                      .need = OC_NEAR,
                                                      .viewer = {.call = &c->call,
                                                                 .address = addresses[chance(4)],
                                                                 .seat = chance(3)}};
                const enum fm_err err = srv_waits_ask(w.waits, &r, 1000, &fault);
                assert_true(err == FM_OK || err == FM_E_BUSY);
                assert_true(err != FM_OK || (c->answers == 1) == (c->call.picture == NULL));
            }
            break;
        case 3:
            if (c->call.picture != NULL)
                hang_up(c);
            break;
        case 4:
            if (chance(50) == 0)
                stack(key, ++round[key - 1]);
            break;
        case 5:
            if (chance(50) == 0) {
                oc_cache_forget(srv_waits_cache(w.waits), key);
                stack(key, round[key - 1]);
            }
            break;
        default:
            (void)work();
        }
    }
    work_all();
    for (int i = 0; i < CALLS; i++)
        assert_null(w.call[i].call.picture);
    for (uint64_t key = 1; key <= 4; key++)
        assert_int_equal(srv_waits_of_stack(w.waits, key), 0);
}

#define WITH_WAITS(f) cmocka_unit_test_setup_teardown(f, open_waits, close_waits)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        WITH_WAITS(W07_forty_waiting_pictures_of_one_client_do_not_delay_anothers),
        WITH_WAITS(W07_forty_bakes_of_one_client_do_not_delay_anothers),
        WITH_WAITS(W07_whoever_keeps_asking_gains_nothing),
        WITH_WAITS(W07_viewers_behind_one_address_take_turns),
        WITH_WAITS(W07_an_address_and_a_stack_have_so_many_waiting),
        WITH_WAITS(a_picture_goes_to_all_who_wait_for_it),
        WITH_WAITS(what_is_there_is_given_at_once_however_many_wait),
        WITH_WAITS(those_who_wait_for_a_round_that_ends_are_told),
        WITH_WAITS(W14_hanging_up_does_not_read_the_tables),
        WITH_WAITS(W14_whoever_hung_up_is_not_answered_and_frees_its_turn),
        WITH_WAITS(W07_whoever_hangs_up_keeps_the_window),
        WITH_WAITS(every_call_is_answered_once_or_has_hung_up),
    };
    steps = argc == 2 ? strtol(argv[1], NULL, 10) : 30000;
    return tests_run("picture_waits", tests, sizeof tests / sizeof tests[0]);
}
