/* hall_rematch_test.c: tables from their making to a rematch, and what their seats add to the deal.
 */
#include "server/party.h"

#include "base/hash.h"
#include "server/hall_groups.h"
#include "store/faulty.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

/* The stream was sent this table as the rematch, once. */
static void assert_told_of(const struct client *c, const char *table)
{
    json_t *told = mail_last(&c->mail, "rematch");
    assert_int_equal(mail_count(&c->mail, "rematch"), 1);
    assert_string_equal(json_string_value(json_object_get(told, "rematch")), table);
    json_decref(told);
}

/* What pictures are seen through is the table's: no option of the rules, but kept as they are. */
static void water_outlives_a_restart_and_goes_on_in_a_rematch(void **state)
{
    (void)state;
    open_party(&party, "{\"game\":\"dive\",\"options\":{\"divers\":2},\"water\":\"murky\"}");
    assert_string_equal(table_of(&party)->water->name, "murky");
    play_out(&party);
    assert_int_equal(world_ask(&world, "GET", NULL, NULL, "/api/tables/%s", party.id), 200);
    assert_string_equal(world_text(&world, "water"), "murky");
    go_all(&party);
    world_restart(&world);
    assert_int_equal(
        world_ask(&world, "POST", party.token[1], NULL, "/api/tables/%s/rematch", party.id), 201);
    COPY(party.id, "table");
    assert_int_equal(world_ask(&world, "GET", NULL, NULL, "/api/tables/%s", party.id), 200);
    assert_string_equal(world_text(&world, "water"), "murky");
    world_restart(&world);
    assert_int_equal(world_ask(&world, "GET", NULL, NULL, "/api/tables/%s", party.id), 200);
    assert_string_equal(world_text(&world, "water"), "murky");
    assert_code(
        world_ask(&world, "POST", NULL, "{\"game\":\"dive\",\"water\":\"muddy\"}", "/api/tables"),
        400, "bad-value");
    assert_code(world_ask(&world, "POST", NULL, "{\"game\":\"soumsoum\",\"water\":\"reef\"}",
                          "/api/tables"),
                400, "bad-key");
}

static void a_table_lives_from_its_making_to_its_rematch(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        struct fm_event ev;
        struct fm_fault fault;
        static struct fm_playback playback;
        char next[sizeof party.id];
        open_party(&party, bodies[i]);
        assert_int_equal(mail_count(&party.watcher.mail, "view"), 2); /* hello, and the start */
        assert_code(world_ask(&world, "GET", NULL, NULL, "/api/tables/%s/record", party.id), 409,
                    "not-over");
        assert_code(world_ask(&world, "POST", party.host, NULL, "/api/tables/%s/rematch", party.id),
                    409, "not-over");
        play_out(&party);
        assert_stored(&party);
        assert_int_equal(world_ask(&world, "GET", NULL, NULL, "/api/tables/%s/record", party.id),
                         200);
        const struct mail *m = &world.last.mail;
        enum fm_err err = fm_playback_open(&playback, m->text, m->n - 1, NULL, NULL, &fault);
        while (err == FM_OK)
            err = fm_playback_next(&playback, &ev, NULL, &fault);
        assert_int_equal(err, FM_E_OVER);
        mail_clear(&party.seat[0].mail);
        (void)client_say(&party.seat[0], "{\"id\":\"late\",\"action\":{\"do\":\"pass\"}}");
        world_settle(&world);
        assert_int_equal(mail_count(&party.seat[0].mail, "refused"), 1);
        /* anybody of the table asks for a rematch, and gets the same one */
        assert_int_equal(
            world_ask(&world, "POST", party.token[1], NULL, "/api/tables/%s/rematch", party.id),
            201);
        COPY(next, "table");
        assert_string_not_equal(next, party.id);
        assert_int_equal(
            world_ask(&world, "POST", party.host, NULL, "/api/tables/%s/rematch", party.id), 201);
        assert_string_equal(world_text(&world, "table"), next);
        assert_int_equal(world_ask(&world, "GET", NULL, NULL, "/api/tables/%s", party.id), 200);
        assert_string_equal(world_text(&world, "rematch"), next);
        assert_string_equal(world_text(&world, "state"), "over");
        for (int seat = 0; seat < party.n; seat++)
            assert_told_of(&party.seat[seat], next);
        assert_told_of(&party.watcher, next);
        go_all(&party);
        /* the same tokens are good there */
        memcpy(party.id, next, sizeof next);
        come_all(&party);
        assert_int_equal(begin(&party), 200);
        for (int k = 0; k < 10 && table_of(&party)->state == ST_PLAYING; k++)
            step(&party);
        assert_stored(&party);
        go_all(&party);
    }
}

static void who_comes_later_is_told_of_the_rematch(void **state)
{
    (void)state;
    char next[sizeof party.id];
    open_party(&party, SOUM);
    play_out(&party);
    assert_int_equal(mail_count(&party.watcher.mail, "rematch"), 0);
    go_all(&party);
    come(&party, 0);
    assert_int_equal(mail_count(&party.seat[0].mail, "rematch"), 0);
    go_all(&party);
    assert_int_equal(
        world_ask(&world, "POST", party.token[1], NULL, "/api/tables/%s/rematch", party.id), 201);
    COPY(next, "table");
    come_all(&party);
    assert_told_of(&party.seat[0], next);
    assert_told_of(&party.watcher, next);
    go_all(&party);
    world_restart(&world);
    come_all(&party);
    world_settle(&world);
    assert_told_of(&party.seat[1], next);
    assert_told_of(&party.watcher, next);
    go_all(&party);
}

static size_t waiting_tables(void) /* in the store */
{
    struct st_table tables[16];
    struct fm_fault fault;
    size_t n;
    assert_int_equal(st_list_state(world.store, ST_WAITING, tables, 16, &n, &fault), FM_OK);
    return n;
}

static int add_chance(const char *token, const char *entropy)
{
    char body[128];
    (void)snprintf(body, sizeof body, "{\"entropy\":\"%s\"}", entropy);
    return world_ask(&world, "PUT", token, body, "/api/tables/%s/entropy", party.id);
}

static void W06_seats_add_to_the_deal_of_a_rematch(void **state)
{
    (void)state;
    uint8_t seed[FM_SEED_BYTES];
    open_party(&party, SOUM);
    play_out(&party);
    go_all(&party);
    assert_code(add_chance(party.token[0], "aa"), 409, "over");
    assert_int_equal(
        world_ask(&world, "POST", party.token[1], NULL, "/api/tables/%s/rematch", party.id), 201);
    COPY(party.id, "table");
    assert_int_equal(table_of(&party)->fair.entropy_n[0], 0);
    assert_code(add_chance(party.host, "aa"), 403, "forbidden");
    assert_code(add_chance(NULL, "aa"), 401, "no-such-token");
    assert_code(add_chance(party.token[0], "xx"), 400, "bad-value");
    assert_code(add_chance(party.token[0], ""), 400, "bad-value");
    assert_int_equal(add_chance(party.token[0], "0a0b0c"), 200);
    assert_int_equal(add_chance(party.token[0], "0a0b0c"), 200); /* asked again */
    assert_code(add_chance(party.token[0], "0a0b0d"), 409, "wrong-phase");
    world_restart(&world);
    assert_int_equal(world_ask(&world, "GET", NULL, NULL, "/api/tables/%s", party.id), 200);
    const struct srv_table *t = table_of(&party);
    assert_int_equal(t->fair.entropy_n[0], 3);
    assert_memory_equal(t->fair.entropy[0], "\x0a\x0b\x0c", 3);
    assert_int_equal(t->fair.entropy_n[1], 0); /* who adds nothing is dealt with as before */
    assert_true(t->seat[0].taken && t->seat[1].taken);
    assert_int_equal(begin(&party), 200);
    assert_code(add_chance(party.token[1], "aa"), 409, "started");
    /* it is in the deal */
    const struct fm_span spans[] = {{t->seed, sizeof t->seed}, {"\x0a\x0b\x0c", 3}, {"", 0}};
    struct fm_setup setup = t->setup;
    _Alignas(8) uint8_t match[FM_STATE_MAX];
    fm__hash(seed, "fathom deal 2", spans, 3);
    memcpy(setup.seed, seed, sizeof seed);
    assert_int_equal(fm_init(match, &setup, NULL), FM_OK);
    assert_memory_equal(match, t->match, t->setup.game->state_size);
}

static void rematches_at_once_are_one(void **state)
{
    (void)state;
    struct call calls[5] = {0};
    char path[128];
    open_party(&party, SOUM);
    play_out(&party);
    (void)snprintf(path, sizeof path, "/api/tables/%s/rematch", party.id);
    for (int i = 0; i < 5; i++)
        world_send(&world, &calls[i], "POST", party.token[i % 2], NULL, path);
    world_settle(&world);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(calls[i].status, 201);
        assert_string_equal(calls[i].mail.text, calls[0].mail.text);
    }
    for (int i = 0; i < 5; i++)
        call_finish(&calls[i]);
    assert_int_equal(waiting_tables(), 1);
    assert_stored(&party);
    go_all(&party);
}

static void a_rematch_that_cannot_be_stored_is_refused_and_can_be_asked_for_again(void **state)
{
    (void)state;
    struct call calls[2] = {0};
    char path[128];
    open_party(&party, SOUM);
    play_out(&party);
    (void)snprintf(path, sizeof path, "/api/tables/%s/rematch", party.id);
    faulty_arm(0, SQLITE_FULL, true);
    for (int i = 0; i < 2; i++)
        world_send(&world, &calls[i], "POST", party.token[i], NULL, path);
    world_settle(&world);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(calls[i].status, 503);
        call_finish(&calls[i]);
    }
    assert_false(table_of(&party)->has_rematch);
    faulty_heal();
    assert_int_equal(waiting_tables(), 0);
    assert_int_equal(
        world_ask(&world, "POST", party.host, NULL, "/api/tables/%s/rematch", party.id), 201);
    assert_int_equal(waiting_tables(), 1);
    assert_stored(&party);
    go_all(&party);
}

static void a_rematch_that_nobody_waits_for_is_made(void **state)
{
    (void)state;
    struct call a = {0};
    char path[128];
    open_party(&party, SOUM);
    play_out(&party);
    (void)snprintf(path, sizeof path, "/api/tables/%s/rematch", party.id);
    world_send(&world, &a, "POST", party.token[0], NULL, path);
    srv_hall_hung_up(world.hall, &a.call);
    world_settle(&world);
    assert_int_equal(a.answers, 0);
    assert_true(table_of(&party)->has_rematch);
    go_all(&party);
}

static const struct CMUnitTest tests[] = {
    IN_FAULTY_WORLD(water_outlives_a_restart_and_goes_on_in_a_rematch),
    IN_FAULTY_WORLD(a_table_lives_from_its_making_to_its_rematch),
    IN_FAULTY_WORLD(who_comes_later_is_told_of_the_rematch),
    IN_FAULTY_WORLD(W06_seats_add_to_the_deal_of_a_rematch),
    IN_FAULTY_WORLD(rematches_at_once_are_one),
    IN_FAULTY_WORLD(a_rematch_that_cannot_be_stored_is_refused_and_can_be_asked_for_again),
    IN_FAULTY_WORLD(a_rematch_that_nobody_waits_for_is_made),
};
const struct tests_group hall_rematch = TESTS_GROUP(tests);
