/* hall_clocks_test.c: clocks of tables: deadlines, credit for lag, and times that tell no secret.
 */
#include "server/party.h"

#include "server/hall_groups.h"

#include <stdio.h>
#include <string.h>

#define CLOCK   "{\"game\":\"dive\",\"options\":{\"divers\":2,\"clock\":30}}"
#define PROGRAM "{\"do\":\"program\",\"levels\":[{\"tokens\":[1],\"shark\":true}]}"

static const struct fm_event *last_event(const struct party *p)
{
    return &table_of(p)->event[table_of(p)->n_events - 1];
}

static void program(struct party *p, int seat, const char *id)
{
    assert_true(client_say(&p->seat[seat], "{\"id\":\"%s\",\"action\":%s}", id, PROGRAM));
    world_settle(&world);
}

static void the_clock_acts_at_its_deadline(void **state)
{
    (void)state;
    open_party(&party, CLOCK);
    const uint64_t deadline = srv_table_deadline(table_of(&party));
    assert_int_equal(deadline, world.now_ms + 30000);
    const size_t events = table_of(&party)->n_events;
    world_pass(&world, 29999);
    assert_int_equal(table_of(&party)->n_events, events);
    world_pass(&world, 1);
    assert_int_equal(table_of(&party)->n_events, events + 1);
    assert_int_equal(last_event(&party)->seat, FM_TABLE);
    assert_int_equal(last_event(&party)->t_ms, 30000);
    assert_stored(&party);
    go_all(&party);
}

static void the_clock_waits_for_actions_that_were_sent_in_time(void **state)
{
    (void)state;
    open_party(&party, CLOCK);
    const uint64_t deadline = srv_table_deadline(table_of(&party));
    party.seat[0].stream.rtt_ms = 40;
    party.seat[1].stream.rtt_ms = 2000; /* no more than SRV_CREDIT_MS is made up for */
    world_pass(&world, deadline + 41 - world.now_ms);
    program(&party, 0, "late");
    assert_refused(&party.seat[0], "late", "too-late");
    world_pass(&world, 150);
    program(&party, 1, "in-time");
    assert_int_equal(mail_count(&party.seat[1].mail, "ack"), 1);
    assert_int_equal(last_event(&party)->seat, 1);
    assert_int_equal(last_event(&party)->t_ms, 30000);
    const size_t events = table_of(&party)->n_events;
    world_pass(&world, deadline + SRV_CREDIT_MS - 1 - world.now_ms);
    assert_int_equal(table_of(&party)->n_events, events);
    world_pass(&world, 1);
    assert_int_equal(table_of(&party)->n_events, events + 1);
    assert_int_equal(last_event(&party)->seat, FM_TABLE);
    assert_int_equal(last_event(&party)->t_ms, 30000);
    assert_stored(&party);
    go_all(&party);
}

/* What another does in secret moves no time that a seat sees, whatever the lags. */
static void credit_for_lag_moves_no_time_that_others_see(void **state)
{
    (void)state;
    uint32_t seen[2];
    for (int secret = 0; secret < 2; secret++) {
        open_party(&party, CLOCK);
        const uint64_t start = world.now_ms;
        party.seat[0].stream.rtt_ms = party.seat[1].stream.rtt_ms = SRV_CREDIT_MS;
        program(&party, 0, "p");
        world_pass(&world, start + 20000 - world.now_ms);
        if (secret)
            program(&party, 1, "s");
        world_pass(&world, 100);
        assert_true(client_say(&party.seat[0], "{\"id\":\"r\",\"action\":{\"do\":\"ready\"}}"));
        world_settle(&world);
        assert_int_equal(mail_count(&party.seat[0].mail, "ack"), 2);
        seen[secret] = pub_of(&party)->now_ms;
        go_all(&party);
    }
    assert_int_equal(seen[0], 20100);
    assert_int_equal(seen[1], 20100);
}

/* Seat 0 does something n times in secret; what seat 1 and a spectator were sent. */
static void sent_to_others(int n, char *text, size_t cap)
{
    open_party(&party, CLOCK);
    mail_clear(&party.seat[1].mail);
    mail_clear(&party.watcher.mail);
    for (int i = 0; i < n; i++) {
        char id[16];
        (void)snprintf(id, sizeof id, "p%d", i);
        program(&party, 0, id);
        world_settle(&world);
        world_pass(&world, 50);
    }
    assert_int_equal(mail_count(&party.seat[0].mail, "refused"),
                     n > SRV_REPEATS ? n - SRV_REPEATS : 0);
    world_pass(&world, 20000 - (uint64_t)n * 50);
    program(&party, 1, "mine");
    world_settle(&world);
    (void)snprintf(text, cap, "%s|%s", party.seat[1].mail.text,
                   party.watcher.mail.n > 0 ? party.watcher.mail.text : "");
    go_all(&party);
}

static void W05_only_the_seat_itself_learns_that_it_repeats_too_often(void **state)
{
    (void)state;
    static char none[65536], many[65536];
    sent_to_others(0, none, sizeof none);
    sent_to_others(SRV_REPEATS + 20, many, sizeof many);
    assert_non_null(strstr(none, "\"ack\":\"mine\""));
    assert_string_equal(none, many);
}

/* Seat 1 acts while something that seat 0 did in secret is on its way to the store, or nothing is:
 * what it is sent, and after how many milliseconds. */
static void sent_when(bool secret, char *text, size_t cap)
{
    struct srv_hall *h = world.hall;
    struct fm_out o;
    open_party(&party, CLOCK);
    h->limits.secret_ms = 100;
    fm_out_init(&o, text, cap);
    if (secret)
        assert_true(client_say(&party.seat[0], "{\"id\":\"s\",\"action\":%s}", PROGRAM));
    srv_hall_turn(h); /* the store has it; nobody knows yet what came of it */
    mail_clear(&party.seat[1].mail);
    const uint64_t begin = world.now_ms;
    assert_true(client_say(&party.seat[1], "{\"id\":\"m\",\"action\":%s}", PROGRAM));
    assert_true(client_say(&party.seat[1], "{\"id\":\"n\",\"action\":{\"do\":\"unready\"}}"));
    for (unsigned lines = 0; lines < 3;) {
        srv_hall_turn(h);
        st_drain(world.store);
        srv_hall_settle(h, world.now_ms);
        if (party.seat[1].mail.lines > lines) {
            fm_put_int(&o, party.seat[1].mail.lines);
            fm_put(&o, " lines after ");
            fm_put_int(&o, (int64_t)(world.now_ms - begin));
            fm_put(&o, " ms\n");
        }
        lines = party.seat[1].mail.lines;
        srv_hall_tick(h, world.now_ms += 10);
        assert_true(world.now_ms < begin + 1000);
    }
    assert_int_equal(mail_count(&party.seat[1].mail, "ack"), 1);
    assert_refused(&party.seat[1], "n", "not-ready");
    fm_put(&o, party.seat[1].mail.text);
    assert_true(fm_out_ok(&o));
    world_pass(&world, 200);
    assert_int_equal(mail_count(&party.seat[0].mail, "ack"), secret);
    h->limits.secret_ms = 0;
    go_all(&party);
}

static void W12_an_acknowledgement_takes_as_long_whatever_another_does_in_secret(void **state)
{
    (void)state;
    static char none[65536], one[65536];
    sent_when(false, none, sizeof none);
    sent_when(true, one, sizeof one);
    assert_non_null(strstr(none, "3 lines after 100 ms"));
    assert_string_equal(none, one);
}

/* What waits to be told to one stream delays no other, and is forgotten with its stream. */
static void W12_a_delayed_acknowledgement_delays_no_other_stream(void **state)
{
    (void)state;
    struct srv_hall *h = world.hall;
    open_party(&party, CLOCK);
    h->limits.secret_ms = 100;
    mail_clear(&party.seat[1].mail);
    program(&party, 0, "s");
    assert_int_equal(mail_count(&party.seat[0].mail, "ack"), 0);
    assert_true(client_say(&party.seat[1], "{\"what\":\"w\",\"if\":[%s]}", PROGRAM));
    assert_int_equal(mail_count(&party.seat[1].mail, "what"), 1);
    client_leave(&party.seat[0]);
    world_pass(&world, 200);
    assert_int_equal(mail_count(&party.seat[0].mail, "ack"), 0);
    h->limits.secret_ms = 0;
    go_all(&party);
}

static void lag_is_measured_at_tables_with_a_clock_and_of_seats_alone(void **state)
{
    (void)state;
    open_party(&party, CLOCK);
    world_pass(&world, 10000);
    for (int seat = 0; seat < 2; seat++)
        assert_in_range(party.seat[seat].pings, 5, 6);
    assert_int_equal(party.watcher.pings, 0);
    go_all(&party);
    open_party(&party, SOUM);
    world_pass(&world, 10000);
    assert_int_equal(party.seat[0].pings + party.seat[1].pings + party.watcher.pings, 0);
    go_all(&party);
}

static void everybody_is_told_how_long_the_clock_runs(void **state)
{
    (void)state;
    struct client late;
    open_party(&party, CLOCK);
    const struct client *all[] = {&party.seat[0], &party.seat[1], &party.watcher};
    for (size_t i = 0; i < 3; i++) {
        json_t *clock = mail_last(&all[i]->mail, "clock");
        assert_int_equal(json_integer_value(json_object_get(clock, "clock")), 30000);
        assert_int_equal(mail_count(&all[i]->mail, "clock"), 1);
        json_decref(clock);
    }
    world_pass(&world, 12345);
    client_open(&late, &world, party.id);
    assert_true(client_say(&late, "{\"hello\":null}"));
    json_t *clock = mail_last(&late.mail, "clock");
    assert_int_equal(json_integer_value(json_object_get(clock, "clock")), 30000 - 12345);
    json_decref(clock);
    client_finish(&late);
    go_all(&party);
}

static void an_action_counts_from_when_it_came(void **state)
{
    (void)state;
    open_party(&party, CLOCK);
    const uint64_t deadline = srv_table_deadline(table_of(&party));
    world.now_ms = deadline - 2;
    assert_true(client_say(&party.seat[0], "{\"id\":\"a\",\"action\":%s}", PROGRAM));
    assert_true(client_say(&party.seat[1], "{\"id\":\"b\",\"action\":%s}", PROGRAM));
    world.now_ms = deadline + 200; /* the store takes its time with the first */
    srv_hall_tick(world.hall, world.now_ms);
    srv_hall_tick(world.hall, world.now_ms); /* the clock is in line, once, behind the second */
    world_settle(&world);
    assert_int_equal(mail_count(&party.seat[0].mail, "ack"), 1);
    assert_int_equal(mail_count(&party.seat[1].mail, "ack"), 1);
    const struct fm_event *last = last_event(&party);
    assert_int_equal(last->seat, FM_TABLE);
    assert_int_equal(last->t_ms, 30000);
    assert_int_equal(last[-1].t_ms, 29998);
    assert_int_equal(last[-2].t_ms, 29998);
    assert_stored(&party);
    go_all(&party);
}

static void clocks_run_on_while_nobody_looks_and_over_restarts(void **state)
{
    (void)state;
    open_party(&party, "{\"game\":\"dive\",\"options\":{\"divers\":2,\"clock\":30}}");
    go_all(&party);
    world_restart(&world);
    world.now_ms += 3600000; /* the server was down for an hour */
    world_restart(&world);
    const size_t events = table_of(&party)->n_events;
    world_pass(&world, 100);
    assert_true(table_of(&party)->n_events > events);
    assert_int_equal(table_of(&party)->event[events].seat, FM_TABLE);
    assert_int_equal(table_of(&party)->event[events].t_ms, 30000);
    assert_stored(&party);
}

static void the_orca_gives_its_seconds_and_stops(void **state)
{
    (void)state;
    open_party(&party, "{\"game\":\"dive\",\"options\":{\"divers\":2,\"companions\":\"ten\"}}");
    for (int seat = 0; seat < 2; seat++) {
        assert_true(client_say(&party.seat[seat],
                               "{\"id\":\"k\",\"action\":{\"do\":\"choose\",\"companion\":\"%s\"}}",
                               seat == 0 ? "orca" : "narwhal"));
        world_settle(&world);
        assert_int_equal(mail_count(&party.seat[seat].mail, "ack"), 1);
    }
    assert_int_equal(srv_table_deadline(table_of(&party)), 0);
    for (int seat = 0; seat < 2; seat++)
        assert_true(client_say(&party.seat[seat], "{\"id\":\"p\",\"action\":%s}", PROGRAM));
    world_settle(&world);
    assert_true(client_say(&party.seat[0],
                           "{\"id\":\"u\",\"action\":{\"do\":\"use\",\"companion\":\"orca\"}}"));
    world_settle(&world);
    assert_int_equal(mail_count(&party.seat[0].mail, "ack"), 3);
    const uint64_t deadline = srv_table_deadline(table_of(&party));
    assert_true(deadline > world.now_ms);
    const size_t events = table_of(&party)->n_events;
    go_all(&party);
    world_restart(&world); /* it stands in the store */
    assert_int_equal(srv_table_deadline(table_of(&party)), deadline);
    world_pass(&world, deadline - world.now_ms - 1);
    assert_int_equal(table_of(&party)->n_events, events);
    world_pass(&world, 1);
    assert_int_equal(table_of(&party)->n_events, events + 1);
    assert_int_equal(table_of(&party)->event[events].seat, FM_TABLE);
    assert_stored(&party);
}

static const struct CMUnitTest tests[] = {
    IN_WORLD(the_clock_acts_at_its_deadline),
    IN_WORLD(the_clock_waits_for_actions_that_were_sent_in_time),
    IN_WORLD(credit_for_lag_moves_no_time_that_others_see),
    IN_WORLD(W05_only_the_seat_itself_learns_that_it_repeats_too_often),
    IN_WORLD(W12_an_acknowledgement_takes_as_long_whatever_another_does_in_secret),
    IN_WORLD(W12_a_delayed_acknowledgement_delays_no_other_stream),
    IN_WORLD(lag_is_measured_at_tables_with_a_clock_and_of_seats_alone),
    IN_WORLD(everybody_is_told_how_long_the_clock_runs),
    IN_WORLD(an_action_counts_from_when_it_came),
    IN_WORLD(clocks_run_on_while_nobody_looks_and_over_restarts),
    IN_WORLD(the_orca_gives_its_seconds_and_stops),
};
const struct tests_group hall_clocks = TESTS_GROUP(tests);
