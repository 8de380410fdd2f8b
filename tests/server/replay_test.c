/* replay_test.c: replays of games that are over, as each seat, the table and everybody saw them. */
#include "server/replay_games.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

/* Every change that a stream was told is a step, in the same words, and nothing else is. */
static void assert_same_as_stream(const struct mail *m, json_t *steps)
{
    size_t n = 0;
    for (size_t at = 0; at < m->n;) {
        const size_t length = strcspn(m->text + at, "\n");
        json_t *told = json_loadb(m->text + at, length, 0, NULL);
        if (json_object_get(told, "events") != NULL) {
            json_t *step = json_array_get(steps, n++);
            assert_non_null(step);
            assert_true(
                json_equal(json_object_get(step, "events"), json_object_get(told, "events")));
            assert_true(json_equal(json_object_get(step, "view"), json_object_get(told, "view")));
        }
        json_decref(told);
        at += length + 1;
    }
    assert_int_equal(n, json_array_size(steps));
}

static void check_replay(int viewer) /* a seat, or FM_WATCHER */
{
    char who[12] = "table";
    if (viewer >= 0)
        (void)snprintf(who, sizeof who, "%d", viewer);
    assert_int_equal(ASK("GET", NULL, "/api/tables/%s/replay/%s", party.id, who), 200);
    assert_string_equal(world_text(&world, "table"), party.id);
    assert_string_equal(world_text(&world, "game"), table_of(&party)->setup.game->id);
    json_t *named = json_object_get(world.json, "who");
    if (viewer >= 0)
        assert_int_equal(json_integer_value(named), viewer);
    else
        assert_string_equal(json_string_value(named), "table");
    json_t *seats = json_object_get(world.json, "seats");
    assert_int_equal(json_array_size(seats), party.n);
    assert_string_equal(text_of(json_array_get(seats, 0), "name"), "P0");
    assert_true(json_is_null(json_object_get(json_array_get(seats, 0), "bot")));
    json_t *steps = json_object_get(world.json, "steps"), *first = json_array_get(steps, 0);
    assert_int_equal(int_of(first, "t"), 0);
    assert_true(json_is_null(json_object_get(first, "seat")));
    assert_true(json_is_null(json_object_get(first, "action")));
    assert_same_as_stream(viewer < 0 ? &party.watcher.mail : &party.seat[viewer].mail, steps);
}

static void a_replay_is_what_each_seat_was_told(void **state)
{
    static const char *const tables[] = {DIVE, CITY, SOUM_MARKET};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        play(tables[i], (uint8_t)i);
        for (int viewer = FM_WATCHER; viewer < party.n; viewer++)
            check_replay(viewer);
        go_all(&party);
    }
}

static void the_open_replay_has_every_event_and_the_whole_state(void **state)
{
    (void)state;
    play(DIVE, 3);
    assert_int_equal(ASK("GET", NULL, "/api/tables/%s/replay/open", party.id), 200);
    json_t *steps = json_object_get(world.json, "steps");
    assert_int_equal(json_array_size(steps), 1 + table_of(&party)->n_events);
    for (size_t i = 0; i < table_of(&party)->n_events; i++) {
        json_t *step = json_array_get(steps, 1 + i);
        const struct fm_event *ev = &table_of(&party)->event[i];
        assert_int_equal(int_of(step, "t"), ev->t_ms);
        assert_true(json_is_string(json_object_get(json_object_get(step, "action"), "do")));
        if (ev->seat == FM_TABLE)
            assert_true(json_is_null(json_object_get(step, "seat")));
        else
            assert_int_equal(int_of(step, "seat"), ev->seat);
        json_t *view = json_object_get(step, "view");
        assert_int_equal(int_of(view, "seq"), i + 1);
        assert_int_equal(json_array_size(json_object_get(view, "programs")), party.n);
    }
    go_all(&party);
}

static void a_replay_survives_a_restart_and_a_hang_up(void **state)
{
    struct call gone = {0};
    char path[128];
    (void)state;
    play(SOUM_MARKET, 4);
    go_all(&party);
    assert_int_equal(ASK("GET", NULL, "/api/tables/%s/replay/1", party.id), 200);
    json_t *before = json_incref(world.json);
    world_restart(&world);
    assert_int_equal(ASK("GET", NULL, "/api/tables/%s/replay/1", party.id), 200);
    assert_true(json_equal(world.json, before));
    json_decref(before);
    (void)snprintf(path, sizeof path, "/api/tables/%s/replay/open", party.id);
    world_send(&world, &gone, "GET", NULL, NULL, path);
    srv_hall_hung_up(world.hall, &gone.call);
    world_settle(&world);
    assert_int_equal(gone.answers, 0);
    assert_int_equal(world_slot(&world, party.id)->n_jobs, 0);
    call_finish(&gone);
}

static void too_many_replays_at_once_are_told_to_come_back(void **state)
{
    static struct call calls[64];
    char path[128];
    int busy = 0;
    (void)state;
    play(SOUM_MARKET, 5);
    go_all(&party);
    (void)snprintf(path, sizeof path, "/api/tables/%s/replay/open", party.id);
    for (size_t i = 0; i < 64; i++)
        world_send(&world, &calls[i], "GET", NULL, NULL, path);
    world_settle(&world);
    for (size_t i = 0; i < 64; i++) {
        assert_int_equal(calls[i].answers, 1);
        assert_true(calls[i].status == 200 || calls[i].status == 429);
        busy += calls[i].status == 429;
        call_finish(&calls[i]);
    }
    assert_int_equal(busy, 32);
    assert_int_equal(ASK("GET", NULL, "%s", path), 200);
}

/* What is in a gzip text, counted and read. */
static json_t *unpack(const char *text, size_t n, size_t *plain_n)
{
    static char plain[32 << 20];
    z_stream z = {.next_in = (Bytef *)(uintptr_t)text, .avail_in = (uInt)n};
    assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
    z.next_out = (Bytef *)plain;
    z.avail_out = sizeof plain;
    assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
    *plain_n = z.total_out;
    (void)inflateEnd(&z);
    return json_loadb(plain, *plain_n, 0, NULL);
}

static void a_replay_that_is_too_long_is_refused_or_compressed(void **state)
{
    struct call packed = {.call = {.takes_gzip = true}};
    char path[128];
    size_t n;
    (void)state;
    open_party(&party, "{\"game\":\"divercity\"}");
    const int claims = SRV_REPEATS_MATCH / 2;
    for (int i = 0; i < claims; i++) { /* somebody cannot decide */
        assert_true(client_say(&party.seat[0],
                               "{\"id\":\"p%d\",\"action\":{\"do\":\"claim\",\"card\":%d,"
                               "\"species\":\"crab\"}}",
                               i, i % 3));
        world_settle(&world);
    }
    assert_true(table_of(&party)->n_events >= (size_t)claims);
    play_at_random(&party, 15);
    go_all(&party);
    assert_code(ASK("GET", NULL, "/api/tables/%s/replay/0", party.id), 413, "too-big");
    (void)snprintf(path, sizeof path, "/api/tables/%s/replay/0", party.id);
    world_send(&world, &packed, "GET", NULL, NULL, path);
    world_settle(&world);
    assert_int_equal(packed.status, 200);
    assert_true(packed.call.gzip);
    json_t *replay = unpack(packed.mail.text, packed.mail.n - 1, &n);
    assert_true(n > 4 << 20);
    assert_true(json_array_size(json_object_get(replay, "steps")) > (size_t)claims);
    json_decref(replay);
    call_finish(&packed);
    assert_int_equal(ASK("GET", NULL, "/api/tables/%s/verify", party.id), 200);
    assert_true(json_is_true(json_object_get(world.json, "ok")));
}

static void before_the_end_there_is_no_replay_and_no_check(void **state)
{
    static const char *const paths[] = {"replay/0", "replay/table", "replay/open", "verify"};
    (void)state;
    open_party(&party, SOUM_MARKET);
    for (size_t i = 0; i < 4; i++)
        assert_code(ASK("GET", NULL, "/api/tables/%s/%s", party.id, paths[i]), 409, "not-over");
    play_at_random(&party, 6);
    go_all(&party);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(ASK("GET", NULL, "/api/tables/%s/%s", party.id, paths[i]), 200);
    assert_code(ASK("GET", NULL, "/api/tables/%s/replay/3", party.id), 400, "no-such-seat");
    assert_code(ASK("GET", NULL, "/api/tables/%s/replay/all", party.id), 404, "no-such-path");
    assert_code(ASK("GET", NULL, "/api/tables/%s/replay/00", party.id), 404, "no-such-path");
    assert_code(ASK("GET", NULL, "/api/tables/%s/replay/", party.id), 404, "no-such-path");
    assert_code(ASK("GET", NULL, "/api/tables/%s/verify/1", party.id), 404, "no-such-path");
}

static const struct CMUnitTest tests[] = {
    IN_WORLD(a_replay_is_what_each_seat_was_told),
    IN_WORLD(the_open_replay_has_every_event_and_the_whole_state),
    IN_WORLD(a_replay_survives_a_restart_and_a_hang_up),
    IN_WORLD(too_many_replays_at_once_are_told_to_come_back),
    IN_WORLD(a_replay_that_is_too_long_is_refused_or_compressed),
    IN_WORLD(before_the_end_there_is_no_replay_and_no_check),
};
static const struct tests_group replays = TESTS_GROUP(tests);

int main(void)
{
    static const struct tests_group *const groups[] = {&replays, &replay_analysis, &replay_verify};
    return tests_run_groups("replay", groups, sizeof groups / sizeof groups[0]);
}
