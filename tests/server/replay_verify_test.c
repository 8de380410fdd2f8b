/* replay_verify_test.c: records of games are checked: what was damaged or forged is found. */
#include "server/replay_games.h"

#include "core/record_sum.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_record(size_t *n)
{
    struct fm_fault fault;
    char *text;
    assert_int_equal(st_read_record(world.store, &table_of(&party)->id, &text, n, &fault), FM_OK);
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
    (void)sqlite3_bind_blob(update, 2, table_of(&party)->id.bytes, ST_ID_BYTES, SQLITE_STATIC);
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
    json_t *step = find_in(json_object_get(world.json, "steps"), "step", name);
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
    static const char *const tables[] = {DIVE, CITY, SOUM_MARKET};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        play(tables[i], (uint8_t)(7 + i));
        go_all(&party);
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
            assert_int_equal(int_of(step_of("moves"), "moves"), table_of(&party)->n_events);
            assert_true(json_is_true(json_object_get(step_of("result"), "ok")));
        }
    }
}

static void a_damaged_record_is_found_with_its_line(void **state)
{
    size_t n;
    (void)state;
    play(SOUM_MARKET, 10);
    go_all(&party);
    char *right = read_record(&n), *wrong = malloc(n + 1);
    const int lines = (int)table_of(&party)->n_events + 2;
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
    play(SOUM_MARKET, 11);
    go_all(&party);
    char *right = read_record(&n), *wrong = malloc(n + 1);
    const int lines = (int)table_of(&party)->n_events + 2;

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
    play(SOUM_MARKET, 12); /* the record of another table: it is right, but not this one's */
    go_all(&party);
    right = read_record(&n);
    play(SOUM_MARKET, 13);
    go_all(&party);
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
    const struct fm_record_seat seats[3] = {{"P0", NULL}, {"P1", NULL}, {"P2", NULL}};
    _Alignas(8) uint8_t match[FM_STATE_MAX];
    (void)state;
    play(SOUM_MARKET, 14);
    go_all(&party);
    setup = table_of(&party)->setup;
    fm_fair_deal_seed(setup.seed, table_of(&party)->seed, &table_of(&party)->fair, setup.n_seats);
    fm_out_init(&o, text, sizeof text);
    fm_record_begin(&r, &o, &setup, table_of(&party)->seed, &table_of(&party)->fair, seats,
                    "2026-01-01T00:00:00Z");
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

static const struct CMUnitTest tests[] = {
    IN_WORLD(a_record_that_is_right_is_found_right),
    IN_WORLD(a_damaged_record_is_found_with_its_line),
    IN_WORLD(a_forged_record_is_found_though_its_sums_fit),
    IN_WORLD(a_record_of_moves_that_nobody_made_is_found),
};
const struct tests_group replay_verify = TESTS_GROUP(tests);
