/* memory_test.c: which tables are in memory: abandoned games leave it, and come back when asked. */
#include "server/party.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TABLES    8
#define ABANDONED 60
#define DAMAGED   200

static char ids[ABANDONED][2 * ST_ID_BYTES + 1], tokens[ABANDONED][SRV_TOKEN_TEXT + 1];

/* ---- reads of logs ---------------------------------------------------------------------------- */

static atomic_uint n_reads;
static atomic_bool silent; /* the store says nothing ... */

enum fm_err __real_st_read_log(struct st_store *s, const struct st_id *table, uint64_t from,
                               st_each_event *each, void *arg, struct fm_fault *fault);
enum fm_err __wrap_st_read_log(struct st_store *s, const struct st_id *table, uint64_t from,
                               st_each_event *each, void *arg, struct fm_fault *fault);

enum fm_err __wrap_st_read_log(struct st_store *s, const struct st_id *table, uint64_t from,
                               st_each_event *each, void *arg, struct fm_fault *fault)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    n_reads++;
    while (silent)
        (void)nanosleep(&moment, NULL);
    return __real_st_read_log(s, table, from, each, arg, fault);
}

/* ---- a world ---------------------------------------------------------------------------------- */

static int open_small_world(void **state)
{
    world.limits.tables = TABLES;
    return open_world(state);
}

/* A table of two that has begun; its token is "" if only bots play. */
static void begin_with_bots(const char *game, const char *bot, bool person, char *id, char *token)
{
    char body[96], host[SRV_TOKEN_TEXT + 1];
    (void)snprintf(body, sizeof body, "{\"game\":\"%s\"}", game);
    assert_int_equal(world_ask(&world, "POST", NULL, body, "/api/tables"), 201);
    copy_text(id, 2 * ST_ID_BYTES + 1, world_text(&world, "table"));
    copy_text(host, sizeof host, world_text(&world, "host"));
    token[0] = '\0';
    if (person) {
        assert_int_equal(world_ask(&world, "POST", NULL, "{\"name\":\"Ana\",\"seat\":0}",
                                   "/api/tables/%s/seats", id),
                         201);
        copy_text(token, SRV_TOKEN_TEXT + 1, world_text(&world, "token"));
    }
    for (int seat = person; seat < world_slot(&world, id)->table.setup.n_seats; seat++) {
        (void)snprintf(body, sizeof body, "{\"seat\":%d,\"bot\":\"%s\"}", seat, bot);
        assert_int_equal(world_ask(&world, "POST", host, body, "/api/tables/%s/bots", id), 200);
    }
    assert_int_equal(world_ask(&world, "POST", host, NULL, "/api/tables/%s/start", id), 200);
}

static void abandon(void)
{
    for (unsigned i = 0; i < ABANDONED; i++) {
        begin_with_bots(i % 2 == 0 ? "soumsoum" : "dive", i % 2 == 0 ? "greedy" : "steady", true,
                        ids[i], tokens[i]);
        assert_true(srv_hall_stats(world.hall).tables <= TABLES);
    }
}

/* The person plays at random, the bot plays, until the game is over. */
static void play_with_bots(const char *id, const char *token)
{
    struct client c;
    struct fm_rng rng;
    char text[4096];
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){9}, 0);
    client_open(&c, &world, id);
    assert_true(client_say(&c, "{\"hello\":\"%s\"}", token));
    world_settle(&world);
    const struct srv_table *t = &world_slot(&world, id)->table;
    for (unsigned i = 0; t->state == ST_PLAYING; i++) {
        const struct fm_pub *pub = (const void *)t->match;
        struct fm_out o;
        assert_true(i < 5000);
        if (pub->owes & 1) {
            const fm_action a = t->setup.game->sample(fm_view_of(t->setup.game, t->match, 0), &rng);
            fm_out_init(&o, text, sizeof text);
            if (a != 0) {
                fm_put_action(&o, t->setup.game, a);
                assert_true(client_say(&c, "{\"id\":\"m%u\",\"action\":%s}", i, text));
            }
        }
        world_pass(&world, 400);
    }
    assert_int_equal(t->state, ST_OVER);
    client_finish(&c);
}

static void visit_and_finish(void)
{
    char id[2 * ST_ID_BYTES + 1], token[SRV_TOKEN_TEXT + 1];
    begin_with_bots("soumsoum", "greedy", true, id, token);
    play_with_bots(id, token);
    assert_true(srv_hall_stats(world.hall).tables <= TABLES);
}

static size_t n_playing(void)
{
    struct st_table tables[ABANDONED + 10];
    struct fm_fault fault;
    size_t n;
    assert_int_equal(st_list_state(world.store, ST_PLAYING, tables, ABANDONED + 10, &n, &fault),
                     FM_OK);
    return n;
}

static void W02_abandoned_games_do_not_keep_visitors_out(void **state)
{
    (void)state;
    abandon();
    visit_and_finish();
    world_restart(&world);
    visit_and_finish();
    assert_int_equal(n_playing(), ABANDONED);
    world_pass(&world, world.limits.idle_ms + 5000); /* a person is to move, and nobody is there */
    assert_int_equal(srv_hall_stats(world.hall).tables, 0);
    play_with_bots(ids[0], tokens[0]);
    play_with_bots(ids[ABANDONED - 1], tokens[ABANDONED - 1]);
    assert_int_equal(n_playing(), ABANDONED - 2);
}

static void W02_the_least_recently_used_leaves_first(void **state)
{
    (void)state;
    struct client c;
    for (unsigned i = 0; i < TABLES; i++) {
        begin_with_bots("soumsoum", "greedy", true, ids[i], tokens[i]);
        world_pass(&world, 1000);
    }
    client_open(&c, &world, ids[1]); /* is looked at */
    assert_true(client_say(&c, "{\"hello\":null}"));
    assert_int_equal(world_ask(&world, "GET", NULL, NULL, "/api/tables/%s", ids[0]), 200);
    for (unsigned i = 0; i < 3; i++)
        begin_with_bots("soumsoum", "greedy", true, ids[TABLES + i], tokens[TABLES + i]);
    assert_non_null(world_slot(&world, ids[0])); /* was asked for */
    assert_non_null(world_slot(&world, ids[1]));
    for (unsigned i = 2; i < 5; i++)
        assert_null(world_slot(&world, ids[i]));
    for (unsigned i = 5; i < TABLES + 3; i++)
        assert_non_null(world_slot(&world, ids[i]));
    client_finish(&c);
}

static void W02_games_of_bots_go_on_and_give_way(void **state)
{
    (void)state;
    char id[2 * ST_ID_BYTES + 1], token[SRV_TOKEN_TEXT + 1];
    for (unsigned i = 0; i < 3 * TABLES; i++)
        begin_with_bots("soumsoum", "greedy", false, id, token);
    assert_true(n_playing() > TABLES);
    visit_and_finish();
    world_restart(&world);
    visit_and_finish();
    for (unsigned i = 0; n_playing() > 0; i++) {
        assert_true(i < 2000);
        world_pass(&world, 1000);
        assert_true(srv_hall_stats(world.hall).tables <= TABLES);
    }
}

/* Tables in play that cannot be read, whose clocks have come long ago. */
static void damage(unsigned tables)
{
    struct fm_fault fault;
    for (unsigned i = 0; i < tables; i++) {
        struct st_write w = {.seq = 1, .event = "{\"e\":\"odd\"}", .n = 11};
        memset(w.table.bytes, 0xd0, ST_ID_BYTES);
        memcpy(w.table.bytes + 4, &i, sizeof i);
        w.change.creates = w.change.moves = w.change.times = true;
        w.change.state = ST_PLAYING;
        w.change.deadline_ms = 1 + i;
        assert_int_equal(st_submit(world.store, &w, NULL, NULL, &fault), FM_OK);
    }
    st_drain(world.store);
}

/* n_damaged tables lie before it in the order of their clocks. */
static void a_clock_brings_its_table_back(unsigned n_damaged)
{
    char id[2 * ST_ID_BYTES + 1], host[SRV_TOKEN_TEXT + 1];
    struct st_table due[DAMAGED];
    struct fm_fault fault;
    size_t n;
    assert_int_equal(world_ask(&world, "POST", NULL,
                               "{\"game\":\"dive\",\"options\":{\"divers\":2,\"clock\":300}}",
                               "/api/tables"),
                     201);
    copy_text(id, sizeof id, world_text(&world, "table"));
    copy_text(host, sizeof host, world_text(&world, "host"));
    for (int i = 0; i < 2; i++)
        assert_int_equal(
            world_ask(&world, "POST", NULL, "{\"name\":\"Ana\"}", "/api/tables/%s/seats", id), 201);
    assert_int_equal(world_ask(&world, "POST", host, NULL, "/api/tables/%s/start", id), 200);
    const uint64_t deadline = srv_table_deadline(&world_slot(&world, id)->table);
    const uint64_t seq = world_slot(&world, id)->table.seq;
    assert_true(deadline > world.now_ms + world.limits.idle_ms + 10000);
    world_pass(&world, world.limits.idle_ms + 5000);
    assert_null(world_slot(&world, id)); /* it has time */
    damage(n_damaged);
    world_pass(&world, deadline - world.now_ms + 2000);
    assert_int_equal(st_list_due(world.store, world.now_ms, due, DAMAGED, &n, &fault), FM_OK);
    assert_int_equal(n, n_damaged);
    assert_int_equal(world_ask(&world, "GET", NULL, NULL, "/api/tables/%s", id), 200);
    assert_true(world_slot(&world, id)->table.seq > seq);
}

static void W02_a_clock_brings_its_table_back(void **state)
{
    (void)state;
    a_clock_brings_its_table_back(0);
}

static void W08_damaged_tables_do_not_stop_the_clocks_of_others(void **state)
{
    (void)state;
    a_clock_brings_its_table_back(DAMAGED - 1);
    n_reads = 0;
    world_pass(&world, 10000);
    assert_int_equal(n_reads, 0); /* and are not read again and again */
}

/* Said without waiting for anything. */
static bool say(struct client *c, const char *text)
{
    return srv_hall_message(world.hall, &c->stream, c->path, text, strlen(text), world.now_ms);
}

static void W10_whoever_asks_for_the_same_table_waits_for_one_read(void **state)
{
    (void)state;
    struct call calls[5] = {0}, other = {0};
    struct client seat, watcher;
    char path[64], hello[64], action[512], text[480];
    struct fm_out o;
    begin_with_bots("soumsoum", "greedy", true, ids[0], tokens[0]);
    const struct srv_table *t = &world_slot(&world, ids[0])->table;
    fm_action legal;
    assert_true(t->setup.game->legal(fm_view_of(t->setup.game, t->match, 0), &legal, 1) > 0);
    fm_out_init(&o, text, sizeof text);
    fm_put_action(&o, t->setup.game, legal);
    (void)snprintf(action, sizeof action, "{\"id\":\"a\",\"action\":%s}", text);
    (void)snprintf(path, sizeof path, "/api/tables/%s", ids[0]);
    (void)snprintf(hello, sizeof hello, "{\"hello\":\"%s\"}", tokens[0]);
    world_pass(&world, world.limits.idle_ms + 5000);
    assert_null(world_slot(&world, ids[0]));
    begin_with_bots("soumsoum", "greedy", true, ids[1], tokens[1]);
    n_reads = 0;
    silent = true;
    for (int i = 0; i < 5; i++)
        world_send(&world, &calls[i], "GET", NULL, NULL, path);
    client_open(&seat, &world, ids[0]);
    client_open(&watcher, &world, ids[0]);
    assert_true(say(&seat, hello));
    assert_true(say(&seat, action)); /* behind the hello, as ever */
    assert_true(say(&watcher, "{\"hello\":null}"));
    srv_hall_hung_up(world.hall, &calls[1].call);
    srv_hall_stream_closed(world.hall, &watcher.stream);
    (void)snprintf(path, sizeof path, "/api/tables/%s", ids[1]); /* is in memory: it is served */
    world_send(&world, &other, "GET", NULL, NULL, path);
    assert_int_equal(other.status, 200);
    call_finish(&other);
    for (int i = 0; i < 5; i++)
        assert_int_equal(calls[i].answers, 0);
    silent = false;
    world_settle(&world);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(calls[i].answers, i != 1);
        assert_true(i == 1 || calls[i].status == 200);
        call_finish(&calls[i]);
    }
    assert_int_equal(n_reads, 1);
    assert_int_equal(mail_count(&seat.mail, "ack"), 1);
    assert_int_equal(watcher.mail.lines, 0);
    client_finish(&seat);
    client_finish(&watcher);
}

static void W10_what_waits_for_the_store_is_bounded(void **state)
{
    (void)state;
    static struct call calls[5000];
    char path[64];
    unsigned busy = 0;
    silent = true;
    for (unsigned i = 0; i < 5000; i++) {
        (void)snprintf(path, sizeof path, "/api/tables/%032x", i % 50);
        world_send(&world, &calls[i], "GET", NULL, NULL, path);
        busy += calls[i].status == 429;
    }
    assert_int_equal(busy, 5000 - 4096);
    silent = false;
    world_settle(&world);
    for (unsigned i = 0; i < 5000; i++) {
        assert_int_equal(calls[i].answers, 1);
        assert_true(calls[i].status == 429 || calls[i].status == 404);
        call_finish(&calls[i]);
    }
    assert_int_equal(srv_hall_stats(world.hall).tables, 0);
}

#define IN_SMALL_WORLD(test) cmocka_unit_test_setup_teardown(test, open_small_world, close_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SMALL_WORLD(W02_abandoned_games_do_not_keep_visitors_out),
        IN_SMALL_WORLD(W02_the_least_recently_used_leaves_first),
        IN_SMALL_WORLD(W02_games_of_bots_go_on_and_give_way),
        IN_SMALL_WORLD(W02_a_clock_brings_its_table_back),
        IN_SMALL_WORLD(W08_damaged_tables_do_not_stop_the_clocks_of_others),
        IN_SMALL_WORLD(W10_whoever_asks_for_the_same_table_waits_for_one_read),
        IN_SMALL_WORLD(W10_what_waits_for_the_store_is_bounded),
    };
    return tests_run("memory", tests, sizeof tests / sizeof tests[0]);
}
