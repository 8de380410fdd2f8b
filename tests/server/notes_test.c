/*
 * notes_test.c: notes of seats are stored once they have settled, and bounded; codes that are taken
 * are drawn again; and a table that another program removed is noticed.
 */
#include "server/party.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int open_notes_world(void **state)
{
    world = (struct world){.limits.notes_ms = 1000};
    return open_world(state);
}

/* A table with two people, who may have begun. */
static void make_two(bool begins)
{
    make(&party, "{\"game\":\"soumsoum\"}");
    for (int seat = 0; seat < 2; seat++)
        assert_int_equal(sit(&party, seat), 201);
    if (begins)
        assert_int_equal(begin(&party), 200);
}

static void put_notes(struct call *c, int seat, const char *text)
{
    char body[4200], path[80];
    (void)snprintf(body, sizeof body, "{\"notes\":\"%s\"}", text);
    (void)snprintf(path, sizeof path, "/api/tables/%s/notes", party.id);
    world_send(&world, c, "PUT", party.token[seat], body, path);
}

static uint64_t seq(void)
{
    const struct srv_slot *slot = world_slot(&world, party.id);
    assert_non_null(slot);
    return slot->table.seq;
}

static void assert_noted(int seat, const char *text)
{
    assert_int_equal(
        world_ask(&world, "GET", party.token[seat], NULL, "/api/tables/%s/notes", party.id), 200);
    assert_string_equal(world_text(&world, "notes"), text);
}

/* ---- settling ------------------------------------------------------------------------------- */

static void W03_notes_are_stored_once_they_have_settled(void **state)
{
    (void)state;
    enum { KEYS = 10 };
    struct call calls[KEYS], other = {0};
    memset(calls, 0, sizeof calls);
    make_two(true);
    const uint64_t before = seq();
    for (int i = 0; i < KEYS; i++) {
        char text[8];
        (void)snprintf(text, sizeof text, "eel%d", i);
        put_notes(&calls[i], 0, text);
        world_pass(&world, 50);
    }
    put_notes(&other, 1, "mine");
    world_settle(&world);
    assert_int_equal(seq(), before); /* nothing is stored, and nobody is told so */
    for (int i = 0; i < KEYS; i++)
        assert_int_equal(calls[i].answers, 0);
    assert_noted(0, "eel9"); /* but whoever comes back finds it */
    assert_noted(1, "mine");
    srv_hall_hung_up(world.hall, &calls[3].call);
    world_pass(&world, 1200);
    world_settle(&world);
    assert_int_equal(seq(), before + 2); /* one event for each seat */
    for (int i = 0; i < KEYS; i++) {
        assert_int_equal(calls[i].answers, i == 3 ? 0 : 1);
        assert_int_equal(calls[i].status, i == 3 ? 0 : 200);
        call_finish(&calls[i]);
    }
    assert_int_equal(other.status, 200);
    call_finish(&other);
    assert_string_equal(world_slot(&world, party.id)->table.seat[0].notes, "eel9");
}

static void W03_notes_are_stored_at_once_when_a_seat_leaves_or_the_server_stops(void **state)
{
    (void)state;
    struct call one = {0}, two = {0};
    make_two(false);
    put_notes(&one, 0, "going");
    put_notes(&two, 1, "staying");
    assert_int_equal(
        world_ask(&world, "DELETE", party.token[0], NULL, "/api/tables/%s/seats/0", party.id), 200);
    assert_int_equal(one.status, 200);
    assert_int_equal(two.answers, 0);
    srv_hall_stop(world.hall);
    world_settle(&world);
    assert_int_equal(two.status, 200);
    call_finish(&one);
    call_finish(&two);
    world_restart(&world);
    assert_noted(1, "staying");
}

/* Who is put out goes on typing until it hears of it. */
static void W03_notes_that_settle_are_not_the_next_owners(void **state)
{
    (void)state;
    struct call out = {0}, typed = {0};
    char path[80];
    make_two(false);
    (void)snprintf(path, sizeof path, "/api/tables/%s/seats/0", party.id);
    world_send(&world, &out, "DELETE", party.host, NULL, path);
    put_notes(&typed, 0, "my own");
    world_settle(&world);
    assert_int_equal(out.status, 200);
    assert_int_equal(world_ask(&world, "POST", NULL, "{\"name\":\"Next\",\"seat\":0}",
                               "/api/tables/%s/seats", party.id),
                     201);
    COPY(party.token[0], "token");
    assert_noted(0, "");
    world_pass(&world, 1200);
    world_settle(&world);
    assert_noted(0, "");
    assert_int_equal(typed.answers, 1);
    assert_true(typed.status >= 400 && typed.status < 500);
    call_finish(&out);
    call_finish(&typed);
}

static void W03_an_invalid_note_replaces_none(void **state)
{
    (void)state;
    struct call one = {0};
    make_two(true);
    put_notes(&one, 0, "good");
    assert_int_equal(
        world_ask(&world, "PUT", party.token[0], "{\"notes\":7}", "/api/tables/%s/notes", party.id),
        400);
    assert_noted(0, "good");
    world_pass(&world, 1200);
    world_settle(&world);
    assert_int_equal(one.status, 200);
    call_finish(&one);
}

static void W03_the_number_of_waiting_notes_is_limited(void **state)
{
    (void)state;
    struct call calls[20];
    unsigned refused = 0;
    memset(calls, 0, sizeof calls);
    make_two(true);
    for (int i = 0; i < 20; i++)
        put_notes(&calls[i], 0, "again");
    for (int i = 0; i < 20; i++)
        refused += calls[i].status == 429;
    assert_int_equal(refused, 4);
    world_pass(&world, 1200);
    world_settle(&world);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(calls[i].answers, 1);
        call_finish(&calls[i]);
    }
}

/* ---- quotas --------------------------------------------------------------------------------- */

static void W03_what_a_seat_may_write_is_limited(void **state)
{
    (void)state;
    static char text[SRV_NOTES + 1];
    struct call c = {0};
    unsigned stored = 0;
    make_two(true);
    memset(text, 'n', SRV_NOTES);
    for (;; stored++) {
        assert_true(stored < 1000);
        put_notes(&c, 0, text);
        world_pass(&world, 1100);
        world_settle(&world);
        assert_int_equal(c.answers, 1);
        const int status = c.status;
        if (status != 200)
            assert_non_null(strstr(c.mail.text, "\"quota\""));
        call_finish(&c);
        c = (struct call){0};
        if (status != 200) {
            assert_int_equal(status, 413);
            break;
        }
    }
    assert_true(stored >= 100); /* no honest game comes near it */
    put_notes(&c, 1, "mine");   /* nobody else notices */
    world_pass(&world, 1100);
    world_settle(&world);
    assert_int_equal(c.status, 200);
    call_finish(&c);
    world_restart(&world); /* and it is not forgotten */
    c = (struct call){0};
    put_notes(&c, 0, text);
    world_pass(&world, 1100);
    world_settle(&world);
    assert_int_equal(c.status, 413);
    call_finish(&c);
}

static void W03_how_often_seats_change_is_limited(void **state)
{
    (void)state;
    make_two(false);
    struct srv_table *t = &world_slot(&world, party.id)->table;
    assert_true(t->public_bytes > 0);
    t->public_bytes = SRV_TABLE_BYTES;
    assert_int_equal(
        world_ask(&world, "DELETE", party.token[0], NULL, "/api/tables/%s/seats/0", party.id), 413);
    assert_string_equal(world_code(&world), "quota");
    assert_int_equal(world_ask(&world, "POST", party.host, NULL, "/api/tables/%s/start", party.id),
                     200);
}

/* ---- codes ---------------------------------------------------------------------------------- */

static void W03_a_code_that_is_taken_is_drawn_again(void **state)
{
    (void)state;
    char drawn[ST_CODE + 1];
    assert_int_equal(world_ask(&world, "POST", NULL, "{\"game\":\"soumsoum\"}", "/api/tables"),
                     201);
    COPY(drawn, "code");
    world_close(&world);
    (void)open_notes_world(NULL); /* the same chance again, but the code that it brings is taken */
    struct st_write w = {.table = {{7}}, .seq = 1, .event = "{}", .n = 2};
    struct fm_fault fault;
    w.change.creates = true;
    memcpy(w.change.code, drawn, sizeof drawn);
    assert_int_equal(st_submit(world.store, &w, NULL, NULL, &fault), FM_OK);
    st_drain(world.store);
    assert_int_equal(world_ask(&world, "POST", NULL, "{\"game\":\"soumsoum\"}", "/api/tables"),
                     201);
    assert_string_not_equal(world_text(&world, "code"), drawn);
    COPY(party.id, "table");
    COPY(drawn, "code");
    world_restart(&world);
    assert_int_equal(world_ask(&world, "GET", NULL, NULL, "/api/codes/%s", drawn), 200);
    assert_string_equal(world_text(&world, "table"), party.id);
}

/* ---- tables that are gone ------------------------------------------------------------------- */

static void write_beside(bool removes)
{
    char event[SRV_CLOSED_TEXT];
    struct fm_fault fault;
    struct st_write w = {.table = world_slot(&world, party.id)->table.id, .seq = seq() + 1};
    w.event = event;
    w.n = srv_put_closed(event);
    w.change.removes = removes;
    w.change.moves = !removes;
    w.change.state = ST_CLOSED;
    assert_int_equal(st_submit(world.store, &w, NULL, NULL, &fault), FM_OK);
    st_drain(world.store);
}

/* Somebody pruned the store beside the server: the next who acts is refused, and the next who comes
 * is told why. */
static void is_noticed(bool removes)
{
    struct client c;
    make_two(true);
    client_open(&c, &world, party.id);
    assert_true(client_say(&c, "{\"hello\":\"%s\"}", party.token[0]));
    world_settle(&world);
    write_beside(removes);
    struct call notes = {0};
    put_notes(&notes, 0, "late");
    world_pass(&world, 1100);
    world_settle(&world);
    assert_int_equal(notes.status, removes ? 404 : 410);
    call_finish(&notes);
    assert_true(c.away);
    client_finish(&c);
    assert_int_equal(world_ask(&world, "GET", NULL, NULL, "/api/tables/%s", party.id),
                     removes ? 404 : 410);
    client_open(&c, &world, party.id);
    assert_false(client_say(&c, "{\"hello\":\"%s\"}", party.token[0]));
    client_finish(&c);
    world_restart(&world);
    assert_int_equal(world_ask(&world, "GET", NULL, NULL, "/api/tables/%s", party.id),
                     removes ? 404 : 410);
    assert_string_equal(world_code(&world), removes ? "no-such-table" : "closed");
}

static void W03_a_table_that_another_program_removed_is_noticed(void **state)
{
    (void)state;
    is_noticed(true);
}

static void W03_a_game_that_another_program_closed_is_noticed(void **state)
{
    (void)state;
    is_noticed(false);
}

#define IN_NOTES_WORLD(test) cmocka_unit_test_setup_teardown(test, open_notes_world, close_world)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        IN_NOTES_WORLD(W03_notes_are_stored_once_they_have_settled),
        IN_NOTES_WORLD(W03_notes_are_stored_at_once_when_a_seat_leaves_or_the_server_stops),
        IN_NOTES_WORLD(W03_notes_that_settle_are_not_the_next_owners),
        IN_NOTES_WORLD(W03_an_invalid_note_replaces_none),
        IN_NOTES_WORLD(W03_the_number_of_waiting_notes_is_limited),
        IN_NOTES_WORLD(W03_what_a_seat_may_write_is_limited),
        IN_NOTES_WORLD(W03_how_often_seats_change_is_limited),
        IN_NOTES_WORLD(W03_a_code_that_is_taken_is_drawn_again),
        IN_NOTES_WORLD(W03_a_table_that_another_program_removed_is_noticed),
        IN_NOTES_WORLD(W03_a_game_that_another_program_closed_is_noticed),
    };
    return tests_run("notes", tests, sizeof tests / sizeof tests[0]);
}
