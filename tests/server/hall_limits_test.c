/* hall_limits_test.c: full queues, too many tables, a store that refuses, and one that is damaged.
 */
#include "server/party.h"

#include "server/hall_groups.h"
#include "store/faulty.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

static void a_full_queue_of_requests_is_refused(void **state)
{
    (void)state;
    static struct call calls[64];
    char path[128];
    unsigned fine = 0, busy = 0;
    open_party(&party, SOUM);
    (void)snprintf(path, sizeof path, "/api/tables/%s/notes", party.id);
    for (int i = 0; i < 64; i++)
        world_send(&world, &calls[i], "PUT", party.token[0], "{\"notes\":\"x\"}", path);
    mail_clear(&party.seat[0].mail);
    assert_true(client_say(&party.seat[0], "{\"id\":\"q\",\"action\":%s}", choose(&party, 0)));
    assert_refused(&party.seat[0], "q", "busy");
    world_settle(&world);
    for (int i = 0; i < 64; i++) {
        assert_int_equal(calls[i].answers, 1);
        fine += calls[i].status == 200;
        busy += calls[i].status == 429;
        call_finish(&calls[i]);
    }
    assert_int_equal(fine, world.limits.waiting + 1); /* one is at the store */
    assert_int_equal(fine + busy, 64);
    step(&party); /* and it goes on */
    go_all(&party);
}

static void more_watched_tables_than_allowed_are_refused(void **state)
{
    (void)state;
    static struct client clients[64];
    assert_int_equal(world.limits.tables, 64);
    for (unsigned i = 0; i < world.limits.tables; i++) {
        assert_int_equal(world_ask(&world, "POST", NULL, SOUM, "/api/tables"), 201);
        client_open(&clients[i], &world, world_text(&world, "table"));
        assert_true(client_say(&clients[i], "{\"hello\":null}"));
    }
    assert_code(world_ask(&world, "POST", NULL, SOUM, "/api/tables"), 429, "busy");
    client_finish(&clients[0]);
    world_pass(&world, 50);
    assert_int_equal(world_ask(&world, "POST", NULL, SOUM, "/api/tables"), 201);
    for (unsigned i = 1; i < world.limits.tables; i++)
        client_finish(&clients[i]);
    world_pass(&world, world.limits.idle_ms + 2000);
    assert_int_equal(srv_hall_stats(world.hall).tables, 0);
}

static void a_call_that_hung_up_is_not_answered(void **state)
{
    (void)state;
    struct call a = {0}, b = {0}, c = {0};
    char path[128];
    world_send(&world, &c, "POST", NULL, SOUM, "/api/tables");
    srv_hall_hung_up(world.hall, &c.call);
    make(&party, SOUM);
    assert_int_equal(c.answers, 0);
    (void)snprintf(path, sizeof path, "/api/tables/%s/seats", party.id);
    world_send(&world, &a, "POST", NULL, "{\"name\":\"A\"}", path);
    world_send(&world, &b, "POST", NULL, "{\"name\":\"B\"}", path);
    srv_hall_hung_up(world.hall, &a.call);
    srv_hall_hung_up(world.hall, &b.call);
    world_settle(&world);
    assert_int_equal(a.answers + b.answers, 0);
    assert_true(table_of(&party)->seat[1].taken);
    srv_hall_hung_up(world.hall, &b.call); /* again is harmless */
    assert_stored(&party);
    call_finish(&a);
    call_finish(&b);
    call_finish(&c);
}

static void idle_tables_leave_the_memory_and_come_back(void **state)
{
    (void)state;
    open_party(&party, bodies[2]);
    for (int i = 0; i < 5; i++)
        step(&party);
    const uint64_t seq = table_of(&party)->seq;
    world_pass(&world, world.limits.idle_ms + 5000);
    assert_non_null(world_slot(&world, party.id)); /* somebody looks at it */
    go_all(&party);
    world_pass(&world, world.limits.idle_ms + 5000);
    assert_null(world_slot(&world, party.id));
    come_all(&party);
    assert_int_equal(table_of(&party)->seq, seq);
    step(&party);
    assert_stored(&party);
    go_all(&party);
}

/* ---- a store that refuses ------------------------------------------------------------------- */

static void what_cannot_be_stored_is_not_shown_and_service_resumes(void **state)
{
    (void)state;
    static const int codes[] = {SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_READONLY};
    char next[512];
    open_party(&party, SOUM3);
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        const struct srv_table *t = table_of(&party);
        const uint64_t seq = t->seq;
        const int seat = __builtin_ctz(pub_of(&party)->owes);
        static _Alignas(8) uint8_t before[FM_STATE_MAX];
        memcpy(before, t->match, sizeof before);
        copy_text(next, sizeof next, choose(&party, seat));
        for (int k = 0; k < party.n; k++)
            mail_clear(&party.seat[k].mail);
        mail_clear(&party.watcher.mail);
        faulty_arm(0, codes[i], true);
        assert_true(client_say(&party.seat[seat], "{\"id\":\"f%zu\",\"action\":%s}", i, next));
        world_settle(&world);
        char id[8];
        (void)snprintf(id, sizeof id, "f%zu", i);
        assert_refused(&party.seat[seat], id, "not-stored");
        assert_int_equal(party.seat[seat].mail.lines, 1);
        assert_int_equal(party.watcher.mail.lines, 0);
        assert_memory_equal(before, t->match, sizeof before);
        assert_int_equal(t->seq, seq);
        assert_code(world_ask(&world, "PUT", party.token[0], "{\"notes\":\"n\"}",
                              "/api/tables/%s/notes", party.id),
                    503, "not-stored");
        assert_null(t->seat[0].notes);
        assert_code(world_ask(&world, "POST", NULL, SOUM, "/api/tables"), 503, "not-stored");
        assert_int_equal(srv_hall_stats(world.hall).tables, 1);
        assert_int_equal(world_ask(&world, "GET", NULL, NULL, "/api/tables/%s", party.id), 200);
        faulty_heal();
        /* the same id, tried again, is done once */
        assert_true(client_say(&party.seat[seat], "{\"id\":\"f%zu\",\"action\":%s}", i, next));
        world_settle(&world);
        assert_int_equal(mail_count(&party.seat[seat].mail, "ack"), 1);
        assert_int_equal(table_of(&party)->seq, seq + 1);
        assert_stored(&party);
    }
    go_all(&party);
}

static void clocks_and_bots_try_again_when_the_store_refuses(void **state)
{
    (void)state;
    open_party(&party, "{\"game\":\"dive\",\"options\":{\"divers\":2,\"clock\":30}}");
    client_leave(&party.seat[1]);
    assert_int_equal(world_ask(&world, "POST", party.host, "{\"seat\":1,\"bot\":\"steady\"}",
                               "/api/tables/%s/bots", party.id),
                     200);
    const uint64_t seq = table_of(&party)->seq;
    mail_clear(&party.watcher.mail);
    faulty_arm(0, SQLITE_FULL, true);
    world_pass(&world, 31000);
    assert_int_equal(table_of(&party)->seq, seq);
    assert_int_equal(party.watcher.mail.lines, 0);
    faulty_heal();
    world_pass(&world, 2000);
    assert_true(table_of(&party)->seq > seq);
    assert_stored(&party);
    go_all(&party);
}

/* ---- a damaged store ------------------------------------------------------------------------- */

/* What a statement does to the store while no hall has it. */
static void damage(const char *text)
{
    char path[128];
    sqlite3 *db;
    (void)snprintf(path, sizeof path, "%s/hall.db", world.folder);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    assert_true(sqlite3_changes(db) > 0);
    (void)sqlite3_close(db);
    world_restart(&world);
}

static void W08_a_table_with_a_gap_is_refused_alone(void **state)
{
    (void)state;
    struct party gapped = {0}, sound = {0};
    open_party(&gapped, "{\"game\":\"soumsoum\",\"options\":{\"players\":2}}");
    open_party(&sound, "{\"game\":\"soumsoum\",\"options\":{\"players\":2}}");
    for (int i = 0; i < 4; i++) {
        step(&gapped);
        step(&sound);
    }
    go_all(&gapped);
    go_all(&sound);
    damage("DELETE FROM events WHERE table_n = 1 AND seq = 5");
    assert_code(world_ask(&world, "GET", NULL, NULL, "/api/tables/%s", gapped.id), 500,
                "bad-record");
    assert_non_null(strstr(world.last.mail.text, "event 5"));
    come_all(&sound);
    step(&sound);
    go_all(&sound);
}

/* A bot of another version has a seat: it does not play, but its table is there. */
static void W08_an_unknown_bot_does_not_play(void **state)
{
    (void)state;
    make(&party, "{\"game\":\"soumsoum\",\"options\":{\"players\":2}}");
    assert_int_equal(sit(&party, 0), 201);
    assert_int_equal(world_ask(&world, "POST", party.host, "{\"seat\":1,\"bot\":\"random\"}",
                               "/api/tables/%s/bots", party.id),
                     200);
    assert_int_equal(begin(&party), 200);
    damage("UPDATE events SET event = CAST(replace(CAST(event AS TEXT), '\"random\"', '\"kraken\"')"
           " AS BLOB) WHERE CAST(event AS TEXT) LIKE '%\"e\":\"bot\"%'");
    assert_int_equal(world_ask(&world, "GET", NULL, NULL, "/api/tables/%s", party.id), 200);
    come_all(&party);
    for (int i = 0; i < 10 && pub_of(&party)->may == 1; i++)
        step(&party);
    world_pass(&world, 5000);
    assert_int_equal(pub_of(&party)->may, 2); /* it is waited for */
    go_all(&party);
}

static const struct CMUnitTest tests[] = {
    IN_FAULTY_WORLD(a_full_queue_of_requests_is_refused),
    IN_FAULTY_WORLD(more_watched_tables_than_allowed_are_refused),
    IN_FAULTY_WORLD(a_call_that_hung_up_is_not_answered),
    IN_FAULTY_WORLD(idle_tables_leave_the_memory_and_come_back),
    IN_FAULTY_WORLD(what_cannot_be_stored_is_not_shown_and_service_resumes),
    IN_FAULTY_WORLD(clocks_and_bots_try_again_when_the_store_refuses),
    IN_FAULTY_WORLD(W08_a_table_with_a_gap_is_refused_alone),
    IN_FAULTY_WORLD(W08_an_unknown_bot_does_not_play),
};
const struct tests_group hall_limits = TESTS_GROUP(tests);
