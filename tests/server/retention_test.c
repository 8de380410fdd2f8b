/*
 * retention_test.c: the job that removes what is old, beside a hall: what it does when the calendar
 * jumps, and when a table is just being read. The calendar is the test's.
 */
#include "tests.h"

#include "server/retention.h"
#include "server/world.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define HOUR 3600
#define DAY  (24 * HOUR)

/* ---- time ------------------------------------------------------------------------------------ */

static atomic_llong jumped_s; /* the calendar, as it is set wrongly or rightly */
static atomic_llong passed_s; /* by all clocks ... */
static atomic_llong passes_s; /* ... and so much more when the job compares them next */
static atomic_llong leap_s;   /* a jump, when old tables are looked for next */
static atomic_uint asked;     /* how often the job compared the clocks */
static atomic_uint n_reads;
static atomic_bool late; /* whoever reads a log has it, and does not go on */

int __real_clock_gettime(clockid_t id, struct timespec *t);
int __wrap_clock_gettime(clockid_t id, struct timespec *t);
time_t __real_time(time_t *t);
time_t __wrap_time(time_t *t);
enum fm_err __real_st_list_old(struct st_store *s, const struct st_old_query *query, uint64_t *at,
                               struct st_old *out, size_t max, size_t *n, struct fm_fault *fault);
enum fm_err __wrap_st_list_old(struct st_store *s, const struct st_old_query *query, uint64_t *at,
                               struct st_old *out, size_t max, size_t *n, struct fm_fault *fault);
enum fm_err __real_st_read_log(struct st_store *s, const struct st_id *table, uint64_t from,
                               st_each_event *each, void *arg, struct fm_fault *fault);
enum fm_err __wrap_st_read_log(struct st_store *s, const struct st_id *table, uint64_t from,
                               st_each_event *each, void *arg, struct fm_fault *fault);

int __wrap_clock_gettime(clockid_t id, struct timespec *t)
{
    const int result = __real_clock_gettime(id, t);
    if (id == CLOCK_BOOTTIME) {
        passed_s += atomic_exchange(&passes_s, 0);
        asked++;
    }
    t->tv_sec += id == CLOCK_REALTIME ? passed_s + jumped_s : id == CLOCK_BOOTTIME ? passed_s : 0;
    return result;
}

time_t __wrap_time(time_t *t)
{
    const time_t now = __real_time(NULL) + (time_t)(passed_s + jumped_s);
    if (t != NULL)
        *t = now;
    return now;
}

enum fm_err __wrap_st_list_old(struct st_store *s, const struct st_old_query *query, uint64_t *at,
                               struct st_old *out, size_t max, size_t *n, struct fm_fault *fault)
{
    if (query->state == ST_WAITING)
        jumped_s += atomic_exchange(&leap_s, 0);
    return __real_st_list_old(s, query, at, out, max, n, fault);
}

static void moment(void)
{
    const struct timespec t = {.tv_nsec = 2000000};
    (void)nanosleep(&t, NULL);
}

enum fm_err __wrap_st_read_log(struct st_store *s, const struct st_id *table, uint64_t from,
                               st_each_event *each, void *arg, struct fm_fault *fault)
{
    const enum fm_err err = __real_st_read_log(s, table, from, each, arg, fault);
    n_reads++;
    while (late)
        moment();
    return err;
}

/* ---- a world --------------------------------------------------------------------------------- */

static struct world world;
/* The last rule makes it look several times a second; there are no notes. */
static const struct srv_keep keep = {
    .waiting_s = DAY, .idle_s = SRV_FOREVER, .finished_s = SRV_FOREVER, .notes_s = 1};
static char id[2 * ST_ID_BYTES + 1];
static struct st_id table;

static int setup(void **state)
{
    (void)state;
    jumped_s = passed_s = passes_s = leap_s = 0;
    late = false;
    world = (struct world){.limits.keep = &keep};
    world_open(&world, 3);
    assert_int_equal(world_ask(&world, "POST", NULL, "{\"game\":\"soumsoum\"}", "/api/tables"),
                     201);
    (void)snprintf(id, sizeof id, "%s", world_text(&world, "table"));
    table = world_slot(&world, id)->table.id;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    late = false;
    world_settle(&world);
    world_close(&world);
    return 0;
}

static bool is_stored(void)
{
    uint64_t head = 0;
    struct fm_fault fault;
    assert_int_equal(st_read_heads(world.store, &table, 1, &head, &fault), FM_OK);
    return head > 0;
}

/* The job has looked several times more. */
static void wait_for_passes(void)
{
    const unsigned before = asked;
    while (asked < before + 8)
        moment();
}

static void wait_until_gone(void)
{
    for (int i = 0; is_stored(); i++) {
        assert_true(i < 30000);
        moment();
    }
}

/* ---- the calendar ---------------------------------------------------------------------------- */

static void W03_nothing_goes_after_a_jump_of_the_calendar(void **state)
{
    (void)state;
    wait_for_passes();
    assert_true(is_stored()); /* it is young */
    jumped_s += 400LL * DAY;
    wait_for_passes();
    assert_true(is_stored());
    jumped_s -= 400LL * DAY; /* it was a mistake */
    wait_for_passes();
    passes_s = 2 * HOUR; /* a calendar that stays as it is gets believed again */
    wait_for_passes();
    assert_true(is_stored());
    passes_s = DAY;
    wait_until_gone();
}

static void W03_a_jump_in_the_midst_of_a_pass_is_noticed(void **state)
{
    (void)state;
    leap_s = 400LL * DAY;
    while (leap_s != 0)
        moment();
    wait_for_passes();
    assert_true(is_stored());
}

/* ---- the hall -------------------------------------------------------------------------------- */

static void W03_a_table_that_goes_while_it_is_read_is_gone(void **state)
{
    (void)state;
    struct call first = {0};
    char path[80];
    (void)snprintf(path, sizeof path, "/api/tables/%s", id);
    world_pass(&world, world.limits.idle_ms + 5000);
    assert_null(world_slot(&world, id));
    n_reads = 0;
    late = true;
    world_send(&world, &first, "GET", NULL, NULL, path);
    srv_hall_turn(world.hall); /* the read begins */
    while (n_reads == 0)
        moment();
    passes_s = 2 * DAY;
    wait_until_gone();
    for (int i = 0; i < 100; i++) { /* the hall is told */
        srv_hall_settle(world.hall, world.now_ms);
        moment();
    }
    late = false;
    world_settle(&world);
    assert_int_equal(first.answers, 1);
    call_finish(&first);
    assert_int_equal(world_ask(&world, "GET", NULL, NULL, "%s", path), 404);
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        IN_WORLD(W03_nothing_goes_after_a_jump_of_the_calendar),
        IN_WORLD(W03_a_jump_in_the_midst_of_a_pass_is_noticed),
        IN_WORLD(W03_a_table_that_goes_while_it_is_read_is_gone),
    };
    return tests_run("retention", tests, sizeof tests / sizeof tests[0]);
}
