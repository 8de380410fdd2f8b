/* after_test.c: what is asked of the hall before a table is made and after its game is over: games
 * and options, replays, checks of the record, practice. */
#include "tests.h"

#include "core/record_sum.h"
#include "server/world.h"

#include <fathom/games.h>

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static struct world world;

static int open_world(void **state)
{
    (void)state;
    world_open(&world, 11);
    return 0;
}

static int close_world(void **state)
{
    (void)state;
    world_settle(&world);
    world_close(&world);
    return 0;
}

#define ASK(method, body, ...) world_ask(&world, method, NULL, body, __VA_ARGS__)

static const char *text_of(json_t *json, const char *key)
{
    const char *text = json_string_value(json_object_get(json, key));
    return text != NULL ? text : "";
}

static json_int_t int_of(json_t *json, const char *key)
{
    assert_true(json_is_integer(json_object_get(json, key)));
    return json_integer_value(json_object_get(json, key));
}

/* The entry of a list whose key has this value; NULL: none. */
static json_t *find(json_t *list, const char *key, const char *value)
{
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one) {
        if (strcmp(text_of(one, key), value) == 0)
            return one;
    }
    return NULL;
}

static void assert_refused(int status, int expected, const char *code)
{
    if (status != expected || strcmp(world_code(&world), code) != 0)
        fail_msg("%d %s, not %d %s", status, world_code(&world), expected, code);
}

/* ---- games and options ---------------------------------------------------------------------- */

static json_t *game_of(const char *id)
{
    assert_int_equal(ASK("GET", NULL, "/api/games"), 200);
    json_t *game = find(json_object_get(world.json, "games"), "id", id);
    assert_non_null(game);
    return game;
}

static void every_game_says_what_it_can_be_asked_for(void **state)
{
    const struct fm_game *g;
    (void)state;
    for (size_t i = 0; (g = fm_game_at(i)) != NULL; i++) {
        json_t *game = game_of(g->id), *options = json_object_get(game, "options");
        assert_string_equal(text_of(game, "title"), g->title);
        assert_int_equal(int_of(json_object_get(game, "seats"), "min"), g->min_seats);
        assert_int_equal(int_of(json_object_get(game, "seats"), "max"), g->max_seats);
        assert_int_equal(json_array_size(options), g->n_options);
        for (uint32_t k = 0; k < g->n_options; k++) {
            json_t *option = find(options, "name", g->options[k].name);
            assert_string_equal(text_of(option, "about"), g->options[k].about);
            assert_non_null(json_object_get(option, "default"));
        }
        assert_non_null(find(json_object_get(game, "bots"), "id", "random"));
        assert_non_null(find(json_object_get(game, "decks"), "id", g->deck));
    }
    json_t *options = json_object_get(game_of("dive"), "options");
    json_t *divers = find(options, "name", "divers");
    assert_string_equal(text_of(divers, "type"), "int");
    assert_int_equal(int_of(divers, "min"), 1);
    assert_int_equal(int_of(divers, "max"), 4);
    assert_int_equal(int_of(divers, "default"), 2);
    json_t *companions = find(options, "name", "companions");
    assert_string_equal(text_of(companions, "type"), "choice");
    assert_string_equal(text_of(companions, "default"), "none");
    assert_int_equal(json_array_size(json_object_get(companions, "values")), 3);
    assert_string_equal(text_of(find(options, "name", "chief"), "type"), "bool");
    assert_true(json_is_false(json_object_get(find(options, "name", "chief"), "default")));
    assert_string_equal(text_of(find(options, "name", "ages"), "type"), "seats");
    assert_true(json_is_null(json_object_get(find(options, "name", "ages"), "default")));
    json_t *first = find(json_object_get(game_of("soumsoum"), "options"), "name", "first");
    assert_string_equal(text_of(first, "type"), "seat");
    assert_string_equal(text_of(first, "default"), "random");
    assert_null(find(json_object_get(game_of("dive"), "bots"), "id", "greedy"));
}

static void decks_of_the_house_come_first_and_hide_built_in_ones(void **state)
{
    struct fm_deck decks[2];
    struct fm_fault fault;
    const struct fm_library house = {.decks = decks, .n_decks = 2};
    (void)state;
    assert_int_equal(fm_deck_find(&decks[0], NULL, &fm_game_dive, NULL, &fault), FM_OK);
    decks[1] = decks[0];
    (void)snprintf(decks[0].id, sizeof decks[0].id, "our-own");
    (void)snprintf(decks[1].title, sizeof decks[1].title, "Another reef");
    world_close(&world);
    world.library = &house;
    world_open(&world, 11);
    json_t *list = json_object_get(game_of("dive"), "decks");
    assert_int_equal(json_array_size(list), 2);
    assert_string_equal(text_of(json_array_get(list, 0), "id"), "our-own");
    assert_string_equal(text_of(json_array_get(list, 1), "title"), "Another reef");
    assert_int_equal(ASK("POST", "{\"options\":[{}]}", "/api/games/dive/check"), 200);
    json_t *answer = json_array_get(json_object_get(world.json, "answers"), 0);
    assert_string_equal(text_of(json_object_get(answer, "options"), "deck"), "our-own");
    world_close(&world);
    world_open(&world, 11);
}

static json_t *check_one(const char *game, const char *options)
{
    char body[512];
    (void)snprintf(body, sizeof body, "{\"options\":[%s]}", options);
    assert_int_equal(ASK("POST", body, "/api/games/%s/check", game), 200);
    assert_int_equal(json_array_size(json_object_get(world.json, "answers")), 1);
    return json_array_get(json_object_get(world.json, "answers"), 0);
}

static void good_options_come_back_complete(void **state)
{
    (void)state;
    json_t *answer = check_one("dive", "{\"divers\":3}");
    assert_true(json_is_true(json_object_get(answer, "ok")));
    json_t *options = json_object_get(answer, "options");
    assert_int_equal(int_of(options, "divers"), 3);
    assert_string_equal(text_of(options, "companions"), "none");
    assert_string_equal(text_of(options, "deck"), "dive-reef");
    assert_int_equal(json_array_size(json_object_get(options, "ages")), 3);
    /* and such a table can be made, with just these options */
    char body[512];
    char *dumped = json_dumps(options, 0);
    (void)snprintf(body, sizeof body, "{\"game\":\"dive\",\"options\":%s}", dumped);
    free(dumped);
    assert_int_equal(ASK("POST", body, "/api/tables"), 201);
}

static void bad_options_say_which_and_why(void **state)
{
    static const struct {
        const char *game, *options, *code, *path; /* path NULL: all of them */
    } cases[] = {
        {"dive", "{\"divers\":1}", "bad-options", "divers"},
        {"dive", "{\"divers\":9}", "bad-value", "divers"},
        {"dive", "{\"children\":true,\"chief\":true}", "bad-options", "chief"},
        {"dive", "{\"ages\":[0,0]}", "bad-value", "ages[1]"},
        {"dive", "{\"ages\":[2,0,1]}", "bad-value", "ages"},
        {"dive", "{\"fins\":true}", "bad-key", NULL},
        {"dive", "{\"deck\":\"soumsoum-lagoon\"}", "bad-deck", "deck"},
        {"dive", "{\"deck\":\"nowhere\"}", "bad-deck", "deck"},
        {"dive", "7", "bad-value", NULL},
        {"dive", "null", "bad-value", NULL},
        {"soumsoum", "{\"first\":4}", "bad-value", "first"},
        {"divercity", "{\"level\":\"freediving\"}", "bad-options", "level"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        json_t *answer = check_one(cases[i].game, cases[i].options);
        assert_true(json_is_false(json_object_get(answer, "ok")));
        assert_string_equal(text_of(answer, "code"), cases[i].code);
        assert_true(strlen(text_of(answer, "message")) > 5);
        assert_null(strstr(text_of(answer, "message"), "options"));
        if (cases[i].path != NULL)
            assert_string_equal(text_of(answer, "path"), cases[i].path);
        else
            assert_true(json_is_null(json_object_get(answer, "path")));
    }
}

static void options_are_checked_many_at_once_in_their_order(void **state)
{
    char body[4096] = "{\"options\":[{}";
    (void)state;
    for (int i = 1; i < 64; i++)
        (void)snprintf(body + strlen(body), sizeof body - strlen(body), ",{\"divers\":%d}", i);
    (void)snprintf(body + strlen(body), sizeof body - strlen(body), "]}");
    assert_int_equal(ASK("POST", body, "/api/games/dive/check"), 200);
    json_t *answers = json_object_get(world.json, "answers");
    assert_int_equal(json_array_size(answers), 64);
    for (size_t i = 0; i < 64; i++)
        assert_int_equal(json_is_true(json_object_get(json_array_get(answers, i), "ok")),
                         i != 1 && i < 5);
    body[strlen(body) - 2] = '\0';
    (void)snprintf(body + strlen(body), sizeof body - strlen(body), ",{}]}");
    assert_refused(ASK("POST", body, "/api/games/dive/check"), 400, "bad-value");
}

static void what_is_no_question_about_options_is_refused(void **state)
{
    static const struct {
        const char *method, *path, *body;
        int status;
        const char *code;
    } cases[] = {
        {"POST", "/api/games/dive/check", NULL, 400, "bad-json"},
        {"POST", "/api/games/dive/check", "{", 400, "bad-json"},
        {"POST", "/api/games/dive/check", "[]", 400, "bad-value"},
        {"POST", "/api/games/dive/check", "{}", 400, "bad-key"},
        {"POST", "/api/games/dive/check", "{\"options\":[]}", 400, "bad-value"},
        {"POST", "/api/games/dive/check", "{\"options\":{}}", 400, "bad-value"},
        {"POST", "/api/games/dive/check", "{\"options\":[{}],\"game\":\"dive\"}", 400, "bad-key"},
        {"POST", "/api/games/chess/check", "{\"options\":[{}]}", 404, "no-such-path"},
        {"POST", "/api/games/dive/checks", "{\"options\":[{}]}", 404, "no-such-path"},
        {"POST", "/api/games//check", "{\"options\":[{}]}", 404, "no-such-path"},
        {"POST", "/api/games", "{}", 404, "no-such-path"},
        {"GET", "/api/games/", NULL, 404, "no-such-path"},
        {"GET", "/api/gamesters", NULL, 404, "no-such-path"},
        {"GET", "/api/games/dive/check", NULL, 404, "no-such-path"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_refused(ASK(cases[i].method, cases[i].body, "%s", cases[i].path), cases[i].status,
                       cases[i].code);
}

/* ---- games that are over -------------------------------------------------------------------- */

struct party { /* a table with a stream for each seat, and a spectator's */
    char id[2 * ST_ID_BYTES + 1], host[SRV_TOKEN_TEXT + 1];
    int n;
    struct client stream[1 + FM_MAX_SEATS]; /* the spectator's first */
};

static struct party party;

static void copy_text(char *to, size_t cap, const char *key)
{
    const char *from = world_text(&world, key);
    assert_true(strlen(from) > 0 && strlen(from) < cap);
    (void)snprintf(to, cap, "%s", from);
}

static const struct srv_table *table(void)
{
    return &world_place(&world, party.id)->table;
}

/* People in all seats, and everybody looks on. */
static void gather(const char *body)
{
    char token[SRV_TOKEN_TEXT + 1];
    memset(&party, 0, sizeof party);
    assert_int_equal(ASK("POST", body, "/api/tables"), 201);
    copy_text(party.id, sizeof party.id, "table");
    copy_text(party.host, sizeof party.host, "host");
    party.n = table()->setup.n_seats;
    client_open(&party.stream[0], &world, party.id);
    assert_true(client_say(&party.stream[0], "{\"hello\":null}"));
    for (int seat = 0; seat < party.n; seat++) {
        assert_int_equal(
            ASK("POST",
                seat % 2 ? "{\"name\":\"Ana\"}" : "{\"name\":\"Bo\",\"entropy\":\"c0ffee\"}",
                "/api/tables/%s/seats", party.id),
            201);
        copy_text(token, sizeof token, "token");
        client_open(&party.stream[1 + seat], &world, party.id);
        assert_true(client_say(&party.stream[1 + seat], "{\"hello\":\"%s\"}", token));
    }
    assert_int_equal(world_ask(&world, "POST", party.host, NULL, "/api/tables/%s/start", party.id),
                     200);
}

/* A random legal action of a seat; false: it lets things be. */
static bool act(int seat, struct fm_rng *rng)
{
    static unsigned number;
    char text[4096];
    struct fm_out o;
    const struct fm_game *g = table()->setup.game;
    const fm_action a = g->sample(fm_view_of(g, table()->match, seat), rng);
    if (a == 0)
        return false;
    fm_out_init(&o, text, sizeof text);
    fm_put_action(&o, g, a);
    world.now_ms += 1 + fm_rng_below(rng, 200);
    assert_true(
        client_say(&party.stream[1 + seat], "{\"id\":\"n%u\",\"action\":%s}", ++number, text));
    world_settle(&world);
    return true;
}

static void play_out(uint8_t chance)
{
    struct fm_rng rng;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){chance}, 0);
    for (int i = 0; table()->state == ST_PLAYING; i++) {
        const struct fm_pub *pub = (const void *)table()->match;
        const int seat = (int)fm_rng_below(&rng, (uint32_t)party.n);
        assert_true(i < 100000);
        if (!(pub->may >> seat & 1) || !act(seat, &rng))
            world_pass(&world, 300);
    }
}

static void disperse(void)
{
    for (int i = 0; i <= party.n; i++)
        client_finish(&party.stream[i]);
}

static void play(const char *body, uint8_t chance)
{
    gather(body);
    play_out(chance);
}

#define DIVE "{\"game\":\"dive\",\"options\":{\"divers\":3,\"companions\":\"ten\",\"clock\":20}}"
#define CITY "{\"game\":\"divercity\",\"options\":{\"divers\":2,\"industrialist\":true}}"
#define SOUM "{\"game\":\"soumsoum\",\"options\":{\"players\":3,\"market\":true}}"

/* ---- replays -------------------------------------------------------------------------------- */

/* Every change that a stream was told is a step, in the same words, and nothing else is. */
static void assert_same_as_live(const struct mail *m, json_t *steps)
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
    char who[8] = "table";
    if (viewer >= 0)
        (void)snprintf(who, sizeof who, "%d", viewer);
    assert_int_equal(ASK("GET", NULL, "/api/tables/%s/replay/%s", party.id, who), 200);
    assert_string_equal(world_text(&world, "table"), party.id);
    assert_string_equal(world_text(&world, "game"), table()->setup.game->id);
    json_t *named = json_object_get(world.json, "who");
    if (viewer >= 0)
        assert_int_equal(json_integer_value(named), viewer);
    else
        assert_string_equal(json_string_value(named), "table");
    json_t *seats = json_object_get(world.json, "seats");
    assert_int_equal(json_array_size(seats), party.n);
    assert_string_equal(text_of(json_array_get(seats, 0), "name"), "Bo");
    assert_true(json_is_null(json_object_get(json_array_get(seats, 0), "bot")));
    json_t *steps = json_object_get(world.json, "steps"), *first = json_array_get(steps, 0);
    assert_int_equal(int_of(first, "t"), 0);
    assert_true(json_is_null(json_object_get(first, "seat")));
    assert_true(json_is_null(json_object_get(first, "action")));
    assert_same_as_live(&party.stream[1 + viewer].mail, steps);
}

static void a_replay_is_what_each_seat_was_told(void **state)
{
    static const char *const tables[] = {DIVE, CITY, SOUM};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        play(tables[i], (uint8_t)i);
        for (int viewer = FM_WATCHER; viewer < party.n; viewer++)
            check_replay(viewer);
        disperse();
    }
}

static void the_open_replay_has_every_event_and_the_whole_state(void **state)
{
    (void)state;
    play(DIVE, 3);
    assert_int_equal(ASK("GET", NULL, "/api/tables/%s/replay/open", party.id), 200);
    json_t *steps = json_object_get(world.json, "steps");
    assert_int_equal(json_array_size(steps), 1 + table()->n_events);
    for (size_t i = 0; i < table()->n_events; i++) {
        json_t *step = json_array_get(steps, 1 + i);
        const struct fm_event *ev = &table()->event[i];
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
    disperse();
}

static void a_replay_survives_a_restart_and_a_hang_up(void **state)
{
    struct call gone = {0};
    char path[128];
    (void)state;
    play(SOUM, 4);
    disperse();
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
    assert_int_equal(world_place(&world, party.id)->thinking, 0);
    call_finish(&gone);
}

static void too_many_replays_at_once_are_told_to_come_back(void **state)
{
    static struct call calls[64];
    char path[128];
    int busy = 0;
    (void)state;
    play(SOUM, 5);
    disperse();
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

static void a_replay_beyond_all_measure_is_refused_or_compressed(void **state)
{
    struct call packed = {.call = {.takes_gzip = true}};
    char path[128];
    size_t n;
    (void)state;
    gather("{\"game\":\"divercity\"}");
    const int claims = SRV_REPEATS_MATCH / 2;
    for (int i = 0; i < claims; i++) { /* somebody cannot decide */
        assert_true(client_say(&party.stream[1],
                               "{\"id\":\"p%d\",\"action\":{\"do\":\"claim\",\"card\":%d,"
                               "\"species\":\"crab\"}}",
                               i, i % 3));
        world_settle(&world);
    }
    assert_true(table()->n_events >= (size_t)claims);
    play_out(15);
    disperse();
    assert_refused(ASK("GET", NULL, "/api/tables/%s/replay/0", party.id), 413, "too-big");
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
    gather(SOUM);
    for (size_t i = 0; i < 4; i++)
        assert_refused(ASK("GET", NULL, "/api/tables/%s/%s", party.id, paths[i]), 409,
                       "wrong-phase");
    play_out(6);
    disperse();
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(ASK("GET", NULL, "/api/tables/%s/%s", party.id, paths[i]), 200);
    assert_refused(ASK("GET", NULL, "/api/tables/%s/replay/3", party.id), 400, "no-such-seat");
    assert_refused(ASK("GET", NULL, "/api/tables/%s/replay/all", party.id), 404, "no-such-path");
    assert_refused(ASK("GET", NULL, "/api/tables/%s/replay/00", party.id), 404, "no-such-path");
    assert_refused(ASK("GET", NULL, "/api/tables/%s/replay/", party.id), 404, "no-such-path");
    assert_refused(ASK("GET", NULL, "/api/tables/%s/verify/1", party.id), 404, "no-such-path");
}

/* ---- checking the record -------------------------------------------------------------------- */

static char *read_record(size_t *n)
{
    struct fm_fault fault;
    char *text;
    assert_int_equal(st_read_record(world.store, &table()->id, &text, n, &fault), FM_OK);
    return text;
}

/* Into the file of the store, behind the server's back. */
static void store_record(const char *text, size_t n)
{
    char path[128];
    sqlite3 *db;
    sqlite3_stmt *update;
    (void)snprintf(path, sizeof path, "%s/hall.db", world.folder);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db,
                                        "UPDATE records SET text = ?1 WHERE table_n ="
                                        " (SELECT n FROM tables WHERE id = ?2)",
                                        -1, &update, NULL),
                     SQLITE_OK);
    (void)sqlite3_bind_blob(update, 1, text, (int)n, SQLITE_STATIC);
    (void)sqlite3_bind_blob(update, 2, table()->id.bytes, ST_ID_BYTES, SQLITE_STATIC);
    assert_int_equal(sqlite3_step(update), SQLITE_DONE);
    assert_int_equal(sqlite3_changes(db), 1);
    (void)sqlite3_finalize(update);
    (void)sqlite3_close(db);
}

/* Where a line begins, from 1. */
static char *line_at(char *text, int number)
{
    for (; number > 1; number--)
        text = strchr(text, '\n') + 1;
    return text;
}

/* Sums as they would be if all had been written like this: a forger can do that. */
static void sum_again(char *text)
{
    uint8_t chain[32] = {0};
    struct fm_out o;
    char hex[2 * FM__SUM_BYTES + 1];
    for (char *end; (end = strchr(text, '\n')) != NULL; text = end + 1) {
        fm__record_sum(chain, text, (size_t)(end - text) - FM__SUM_TAIL);
        fm_out_init(&o, hex, sizeof hex);
        fm_put_hex(&o, chain, FM__SUM_BYTES);
        memcpy(end - 2 - o.len, hex, o.len);
    }
}

static json_t *step_of(const char *name)
{
    json_t *step = find(json_object_get(world.json, "steps"), "step", name);
    assert_non_null(step);
    return step;
}

static void assert_fails_at(const char *name, int line)
{
    static const char *const names[] = {"commitment", "deal", "moves", "result"};
    bool reached = true;
    assert_int_equal(ASK("GET", NULL, "/api/tables/%s/verify", party.id), 200);
    assert_true(json_is_false(json_object_get(world.json, "ok")));
    assert_true(strlen(world_text(&world, "message")) > 10);
    for (size_t i = 0; i < 4; i++) {
        json_t *step = step_of(names[i]);
        const bool failing = strcmp(names[i], name) == 0;
        reached = reached && !failing;
        if (failing)
            assert_true(json_is_false(json_object_get(step, "ok")));
        else if (reached) /* nothing was read if the bytes do not fit their sums */
            assert_false(json_is_false(json_object_get(step, "ok")));
        else
            assert_true(json_is_null(json_object_get(step, "ok")));
        if (failing)
            assert_int_equal(int_of(step, "line"), line);
        else
            assert_true(json_is_null(json_object_get(step, "line")));
    }
}

static void a_record_that_is_right_is_found_right(void **state)
{
    static const char *const tables[] = {DIVE, CITY, SOUM};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        play(tables[i], (uint8_t)(7 + i));
        disperse();
        for (int again = 0; again < 2; again++) {
            assert_int_equal(ASK("GET", NULL, "/api/tables/%s/verify", party.id), 200);
            assert_true(json_is_true(json_object_get(world.json, "ok")));
            assert_true(json_is_null(json_object_get(world.json, "message")));
            assert_int_equal(json_array_size(json_object_get(world.json, "steps")), 4);
            assert_string_equal(text_of(step_of("commitment"), "shown"),
                                text_of(step_of("commitment"), "computed"));
            json_t *deal = step_of("deal");
            assert_int_equal(strlen(text_of(deal, "seed")), 64);
            json_t *given = json_object_get(deal, "contributions");
            assert_int_equal(json_array_size(given), party.n);
            assert_string_equal(json_string_value(json_array_get(given, 0)), "c0ffee");
            assert_string_equal(json_string_value(json_array_get(given, 1)), "");
            assert_int_equal(int_of(step_of("moves"), "moves"), table()->n_events);
            assert_true(json_is_true(json_object_get(step_of("result"), "ok")));
        }
    }
}

static void a_damaged_record_is_found_with_its_line(void **state)
{
    size_t n;
    (void)state;
    play(SOUM, 10);
    disperse();
    char *right = read_record(&n), *wrong = malloc(n + 1);
    const int lines = (int)table()->n_events + 2;
    assert_int_equal(ASK("GET", NULL, "/api/tables/%s/verify", party.id), 200);
    assert_true(json_is_true(json_object_get(world.json, "ok"))); /* what is remembered ... */

    memcpy(wrong, right, n + 1); /* ... does not hide damage */
    line_at(wrong, 5)[5] ^= 1;
    store_record(wrong, n);
    assert_fails_at("moves", 5);
    memcpy(wrong, right, n + 1);
    line_at(wrong, 1)[30] ^= 1;
    store_record(wrong, n);
    assert_fails_at("commitment", 1);
    memcpy(wrong, right, n + 1);
    line_at(wrong, lines)[12] ^= 1;
    store_record(wrong, n);
    assert_fails_at("result", lines);
    store_record(right, (size_t)(line_at(right, lines) - right)); /* cut */
    assert_fails_at("result", lines - 1);
    store_record("", 0);
    assert_fails_at("commitment", 1);

    store_record(right, n);
    assert_int_equal(ASK("GET", NULL, "/api/tables/%s/verify", party.id), 200);
    assert_true(json_is_true(json_object_get(world.json, "ok")));
    free(right);
    free(wrong);
}

static void a_forged_record_is_found_though_its_sums_fit(void **state)
{
    size_t n;
    (void)state;
    play(SOUM, 11);
    disperse();
    char *right = read_record(&n), *wrong = malloc(n + 1);
    const int lines = (int)table()->n_events + 2;

    memcpy(wrong, right, n + 1); /* another seed */
    char *seed = strstr(line_at(wrong, lines), "\"seed\":\"") + 8;
    *seed = *seed == '0' ? '1' : '0';
    sum_again(wrong);
    store_record(wrong, n);
    assert_fails_at("commitment", 1);
    assert_string_not_equal(text_of(step_of("commitment"), "shown"),
                            text_of(step_of("commitment"), "computed"));

    memcpy(wrong, right, n + 1); /* another result */
    char *digit = line_at(wrong, lines) + strcspn(line_at(wrong, lines), "0123456789");
    *digit = *digit == '0' ? '1' : '0';
    sum_again(wrong);
    store_record(wrong, n);
    assert_fails_at("result", lines);

    memcpy(wrong, right, n + 1); /* a later time */
    digit = strpbrk(line_at(wrong, 4), "0123456789");
    *digit = *digit == '9' ? '8' : (char)(*digit + 1);
    sum_again(wrong);
    store_record(wrong, n);
    assert_int_equal(ASK("GET", NULL, "/api/tables/%s/verify", party.id), 200);
    assert_true(json_is_false(json_object_get(step_of("moves"), "ok")));

    free(right);
    play(SOUM, 12); /* the record of another table: it is right, but not this one's */
    disperse();
    right = read_record(&n);
    play(SOUM, 13);
    disperse();
    store_record(right, n);
    assert_fails_at("commitment", 1);
    free(right);
    free(wrong);
}

/* A game that could have been, from the very deal: only the table's own log tells. */
static void a_record_of_moves_that_nobody_made_is_found(void **state)
{
    static char text[1 << 20];
    struct fm_setup setup;
    struct fm_recorder r;
    struct fm_out o;
    struct fm_rng rng;
    const struct fm_record_seat seats[3] = {{"Bo", NULL}, {"Ana", NULL}, {"Bo", NULL}};
    _Alignas(8) uint8_t match[FM_STATE_MAX];
    (void)state;
    play(SOUM, 14);
    disperse();
    setup = table()->setup;
    fm_fair_deal_seed(setup.seed, table()->seed, &table()->fair, setup.n_seats);
    fm_out_init(&o, text, sizeof text);
    fm_record_begin(&r, &o, &setup, table()->seed, &table()->fair, seats, "2026-01-01T00:00:00Z");
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){99}, 0);
    assert_int_equal(fm_init(match, &setup, NULL), FM_OK);
    const struct fm_pub *pub = (const void *)match;
    while (pub->status == FM_RUNNING) {
        struct fm_event ev = {0};
        while (!(pub->owes >> ev.seat & 1))
            ev.seat++;
        ev.action = setup.game->sample(fm_view_of(setup.game, match, ev.seat), &rng);
        assert_int_equal(fm_apply(setup.game, match, &ev, NULL), FM_OK);
        fm_record_event(&r, &o, &ev, match);
    }
    fm_record_end(&r, &o, match);
    store_record(text, o.len);
    assert_fails_at("moves", 2);
}

/* ---- practice ------------------------------------------------------------------------------- */

#define GUESS "{\"guess\":[\"shark\",null,\"shark+green\",\"empty\",\"manta\"]}"

static void practise(char id[33])
{
    assert_int_equal(ASK("POST", "{}", "/api/practice"), 201);
    assert_int_equal(int_of(world.json, "levels"), 5);
    copy_text(id, 33, "practice");
}

static void a_guess_is_answered_with_the_truth_which_stays(void **state)
{
    static const char *const kinds[] = {"empty", "shark",       "green",     "red",
                                        "manta", "shark+green", "shark+red", "shark+manta"};
    unsigned seen = 0;
    char id[33];
    (void)state;
    for (int i = 0; i < 40; i++) {
        practise(id);
        assert_int_equal(ASK("POST", GUESS, "/api/practice/%s/guess", id), 200);
        assert_true(json_is_true(json_object_get(world.json, "sheets")));
        json_t *truth = json_incref(json_object_get(world.json, "truth"));
        assert_int_equal(json_array_size(truth), 5);
        for (size_t level = 0; level < 5; level++) {
            unsigned kind = 0;
            while (strcmp(json_string_value(json_array_get(truth, level)), kinds[kind]) != 0)
                assert_true(++kind < 8);
            seen |= 1u << kind;
        }
        assert_int_equal(ASK("POST", GUESS, "/api/practice/%s/guess", id), 200);
        assert_true(json_equal(json_object_get(world.json, "truth"), truth));
        json_decref(truth);
    }
    assert_true(__builtin_popcount(seen) >= 6); /* two hundred sheets are not all alike */
}

static void only_ids_that_this_server_gave_are_known(void **state)
{
    char id[33];
    (void)state;
    practise(id);
    assert_int_equal(ASK("POST", GUESS, "/api/practice/%s/guess", id), 200);
    for (int i = 0; i < 32; i += 3) {
        char other[33];
        memcpy(other, id, sizeof other);
        other[i] = other[i] == '0' ? '1' : '0';
        assert_refused(ASK("POST", GUESS, "/api/practice/%s/guess", other), 404, "gone");
    }
    assert_refused(ASK("POST", GUESS, "/api/practice/%.31s/guess", id), 404, "gone");
    assert_refused(ASK("POST", GUESS, "/api/practice/x/guess"), 404, "gone");
    world_restart(&world);
    assert_refused(ASK("POST", GUESS, "/api/practice/%s/guess", id), 404, "gone");
}

static void what_is_no_practice_is_refused(void **state)
{
    static const struct {
        const char *method, *rest, *body;
        int status;
        const char *code;
    } cases[] = {
        {"POST", "/guess", NULL, 400, "bad-json"},
        {"POST", "/guess", "[]", 400, "bad-value"},
        {"POST", "/guess", "{}", 400, "bad-key"},
        {"POST", "/guess", "{\"guess\":[]}", 400, "bad-value"},
        {"POST", "/guess", "{\"guess\":[null,null,null,null]}", 400, "bad-value"},
        {"POST", "/guess", "{\"guess\":[null,null,null,null,null,null]}", 400, "bad-value"},
        {"POST", "/guess", "{\"guess\":[null,null,null,null,\"whale\"]}", 400, "bad-value"},
        {"POST", "/guess", "{\"guess\":[null,null,null,null,3]}", 400, "bad-value"},
        {"POST", "/guess", "{\"guess\":[null,null,null,null,null],\"id\":1}", 400, "bad-key"},
        {"POST", "/look", "{}", 404, "no-such-path"},
        {"POST", "", "{}", 404, "no-such-path"},
        {"GET", "/0,0.jpg", NULL, 404, "no-such-path"}, /* this hall has no pictures */
        {"DELETE", "/guess", NULL, 404, "no-such-path"},
    };
    char id[33];
    (void)state;
    practise(id);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_refused(ASK(cases[i].method, cases[i].body, "/api/practice/%s%s", id, cases[i].rest),
                       cases[i].status, cases[i].code);
    assert_refused(ASK("POST", "{\"levels\":6}", "/api/practice"), 400, "bad-key");
    assert_refused(ASK("POST", "[]", "/api/practice"), 400, "bad-value");
    assert_refused(ASK("GET", NULL, "/api/practice"), 404, "no-such-path");
    assert_refused(ASK("POST", NULL, "/api/practices"), 404, "no-such-path");
    assert_int_equal(ASK("POST", NULL, "/api/practice"), 201);
}

#define IN_WORLD(f) cmocka_unit_test_setup_teardown(f, open_world, close_world)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        IN_WORLD(every_game_says_what_it_can_be_asked_for),
        IN_WORLD(decks_of_the_house_come_first_and_hide_built_in_ones),
        IN_WORLD(good_options_come_back_complete),
        IN_WORLD(bad_options_say_which_and_why),
        IN_WORLD(options_are_checked_many_at_once_in_their_order),
        IN_WORLD(what_is_no_question_about_options_is_refused),
        IN_WORLD(a_replay_is_what_each_seat_was_told),
        IN_WORLD(the_open_replay_has_every_event_and_the_whole_state),
        IN_WORLD(a_replay_survives_a_restart_and_a_hang_up),
        IN_WORLD(too_many_replays_at_once_are_told_to_come_back),
        IN_WORLD(a_replay_beyond_all_measure_is_refused_or_compressed),
        IN_WORLD(before_the_end_there_is_no_replay_and_no_check),
        IN_WORLD(a_record_that_is_right_is_found_right),
        IN_WORLD(a_damaged_record_is_found_with_its_line),
        IN_WORLD(a_forged_record_is_found_though_its_sums_fit),
        IN_WORLD(a_record_of_moves_that_nobody_made_is_found),
        IN_WORLD(a_guess_is_answered_with_the_truth_which_stays),
        IN_WORLD(only_ids_that_this_server_gave_are_known),
        IN_WORLD(what_is_no_practice_is_refused),
    };
    return tests_run("after", tests, sizeof tests / sizeof tests[0]);
}
