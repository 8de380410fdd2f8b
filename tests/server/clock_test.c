/* clock_test.c: the server's time when the calendar jumps, and tables whose log lies in the future.
 */
#include "server/clock.h"
#include "server/party.h"

#include <stdio.h>
#include <string.h>

/* ---- the server's time ----------------------------------------------------------------------- */

#define SECOND UINT64_C(1000000000)
#define HOUR   (3600 * SECOND)

/* Both clocks of a machine, and the time that a server makes of them; looked at ten times a second.
 */
struct machine {
    struct srv_clock clock;
    uint64_t calendar, steady, time;
};

static struct machine machine_new(void)
{
    struct machine m = {.calendar = 1700000000 * SECOND, .steady = 5 * HOUR};
    srv_clock_start(&m.clock, m.calendar, m.steady);
    m.time = srv_clock_read(&m.clock, m.calendar, m.steady);
    assert_true(m.time == m.calendar);
    return m;
}

static void pass(struct machine *m, uint64_t duration)
{
    for (uint64_t i = 0; i < 10 * duration / SECOND; i++) {
        m->calendar += SECOND / 10;
        m->steady += SECOND / 10;
        const uint64_t time = srv_clock_read(&m->clock, m->calendar, m->steady);
        assert_true(time > m->time);
        m->time = time;
    }
}

/* How far two times are from each other, in milliseconds. */
static uint64_t apart(uint64_t a, uint64_t b)
{
    return (a > b ? a - b : b - a) / 1000000;
}

static void W04_a_jump_of_the_calendar_moves_no_time(void **state)
{
    (void)state;
    const int64_t jumps[] = {(int64_t)HOUR, -(int64_t)HOUR, 1000 * (int64_t)HOUR};
    for (size_t i = 0; i < sizeof jumps / sizeof jumps[0]; i++) {
        struct machine m = machine_new();
        pass(&m, 10 * SECOND);
        const uint64_t before = m.time;
        m.calendar += (uint64_t)jumps[i];
        pass(&m, SECOND);
        assert_in_range(apart(m.time, before), 990, 1010); /* a second is a second */
        m.calendar -= (uint64_t)jumps[i];
        pass(&m, SECOND);
        assert_in_range(apart(m.time, m.calendar), 0, 10);
    }
}

static void W04_an_error_that_lasts_is_followed_slowly(void **state)
{
    (void)state;
    for (int back = 0; back < 2; back++) {
        struct machine m = machine_new();
        m.calendar = back ? m.calendar - 10 * SECOND : m.calendar + 10 * SECOND;
        pass(&m, 1000 * SECOND); /* five milliseconds in each */
        assert_in_range(apart(m.time, m.calendar), 4900, 5100);
        pass(&m, 1100 * SECOND);
        assert_int_equal(apart(m.time, m.calendar), 0);
    }
}

static void W04_a_clock_that_is_asked_all_the_time_follows_too(void **state)
{
    (void)state;
    struct machine m = machine_new();
    m.calendar += SECOND;
    for (unsigned i = 0; i < 1000000; i++) { /* for a second */
        m.calendar += 1000;
        m.steady += 1000;
        m.time = srv_clock_read(&m.clock, m.calendar, m.steady);
    }
    assert_in_range(apart(m.time, m.calendar), 994, 996);
}

static void W04_a_calendar_before_1970_stops_nothing(void **state)
{
    (void)state;
    struct machine m = machine_new();
    const uint64_t before = m.time;
    m.calendar = 0;
    pass(&m, 10 * SECOND);
    assert_in_range(apart(m.time, before), 9900, 10000);
}

/* ---- tables ---------------------------------------------------------------------------------- */

#define CLOCK 30000 /* of the table below */
#define DAY   UINT64_C(86400000)

/* Two divers whose clock runs from the start on. */
static void start_clock(void)
{
    make(&party, "{\"game\":\"dive\",\"options\":{\"divers\":2,\"clock\":30}}");
    for (int seat = 0; seat < 2; seat++)
        assert_int_equal(sit(&party, seat), 201);
    assert_int_equal(begin(&party), 200);
}

/* The server ends; meanwhile the calendar moves; it begins anew, and somebody looks at the table.
 */
static void restart_after(int64_t ms)
{
    world.now_ms = (uint64_t)((int64_t)world.now_ms + ms);
    world_restart(&world);
    assert_int_equal(world_ask(&world, "GET", NULL, NULL, "/api/tables/%s", party.id), 200);
}

static const struct srv_table *the_table(void)
{
    return table_of(&party);
}

static size_t n_events(void)
{
    return the_table()->n_events;
}

/* The clock has spoken just now, at this time of the match, and speaks again after a whole round.
 */
static void assert_spoke(size_t n, uint32_t at)
{
    assert_int_equal(n_events(), n);
    assert_int_equal(the_table()->event[n - 1].seat, FM_TABLE);
    assert_int_equal(the_table()->event[n - 1].t_ms, at);
    const uint64_t left = srv_table_deadline(the_table()) - world.now_ms;
    assert_in_range(left, CLOCK - 1000, CLOCK + 10000); /* the dive itself is shown meanwhile */
    world_pass(&world, left - 1);
    assert_int_equal(n_events(), n);
    world_pass(&world, 1);
    assert_int_equal(n_events(), n + 1);
}

static void W04_a_calendar_that_went_back_over_a_restart_stops_no_clock(void **state)
{
    (void)state;
    start_clock();
    world_pass(&world, 10000);
    restart_after(-3600000);
    world_pass(&world, CLOCK - 1000); /* the last that happened in public was the start */
    assert_int_equal(n_events(), 0);
    world_pass(&world, 1000);
    assert_spoke(1, CLOCK);
}

static void W04_a_calendar_far_ahead_ends_one_round_and_no_more(void **state)
{
    (void)state;
    start_clock();
    restart_after(3600000);
    world_pass(&world, 100);
    assert_spoke(1, CLOCK);
    restart_after(400 * (int64_t)DAY);
    const uint32_t at = pub_of(&party)->deadline_ms;
    world_pass(&world, 100);
    assert_spoke(3, at);
}

static void W04_the_clock_of_a_table_is_told_by_the_tables_time(void **state)
{
    (void)state;
    struct client late;
    start_clock();
    restart_after(-3600000);
    world_pass(&world, 10000);
    client_open(&late, &world, party.id);
    assert_true(client_say(&late, "{\"hello\":null}"));
    world_settle(&world);
    json_t *clock = mail_last(&late.mail, "clock");
    assert_int_equal(json_integer_value(json_object_get(clock, "clock")), CLOCK - 10000);
    json_decref(clock);
    client_finish(&late);
}

static void W04_times_of_another_server_are_taken_as_they_come(void **state)
{
    (void)state;
    start_clock();
    struct srv_table *t = &world_slot(&world, party.id)->table;
    const uint64_t start = t->start_ms;
    srv_table_sync_time(t, start - 60000); /* this one is a minute behind */
    assert_int_equal(srv_table_deadline(t), start - 60000 + CLOCK);
    srv_table_sync_time(t, start - 60000 + 5000);
    assert_int_equal(srv_table_deadline(t), start - 60000 + CLOCK);
    t->shift_ms = 0;
    srv_table_sync_time(t, start + 60000); /* and this a minute ahead */
    assert_int_equal(srv_table_deadline(t), start + 60000 + CLOCK);
    t->shift_ms = 0;
    srv_table_sync_time(t, start + 20); /* but these two agree */
    assert_int_equal(srv_table_deadline(t), start + CLOCK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(W04_a_jump_of_the_calendar_moves_no_time),
        cmocka_unit_test(W04_an_error_that_lasts_is_followed_slowly),
        cmocka_unit_test(W04_a_clock_that_is_asked_all_the_time_follows_too),
        cmocka_unit_test(W04_a_calendar_before_1970_stops_nothing),
        IN_WORLD(W04_a_calendar_that_went_back_over_a_restart_stops_no_clock),
        IN_WORLD(W04_a_calendar_far_ahead_ends_one_round_and_no_more),
        IN_WORLD(W04_the_clock_of_a_table_is_told_by_the_tables_time),
        IN_WORLD(W04_times_of_another_server_are_taken_as_they_come),
    };
    return tests_run("clock", tests, sizeof tests / sizeof tests[0]);
}
