/* hall_seats_test.c: requests for seats: who gets one, leaves one, and may do what with its token.
 */
#include "server/party.h"

#include "server/hall_groups.h"

#include <stdio.h>
#include <string.h>

#define SEAT_ID "00112233445566778899aabbccddeeff"

/* A request for a seat with this id; the seat that it got. */
static int ask_for_seat(const char *seat_id, char token[SRV_TOKEN_TEXT + 1])
{
    char body[128];
    (void)snprintf(body, sizeof body, "{\"name\":\"Ana\",\"id\":\"%s\"}", seat_id);
    const int status = world_ask(&world, "POST", NULL, body, "/api/tables/%s/seats", party.id);
    if (status != 201)
        return -status;
    copy_text(token, SRV_TOKEN_TEXT + 1, world_text(&world, "token"));
    return (int)json_integer_value(json_object_get(world.json, "seat"));
}

static void W12_a_seat_that_is_asked_for_again_is_the_same_seat(void **state)
{
    (void)state;
    char first[SRV_TOKEN_TEXT + 1], again[SRV_TOKEN_TEXT + 1];
    make(&party, "{\"game\":\"soumsoum\",\"options\":{\"players\":3}}");
    assert_int_equal(ask_for_seat(SEAT_ID, first), 0);
    assert_int_equal(ask_for_seat(SEAT_ID, again), 0);
    assert_string_equal(first, again);
    world_restart(&world); /* nothing of it was in memory alone */
    assert_int_equal(ask_for_seat(SEAT_ID, again), 0);
    assert_string_equal(first, again);
    assert_int_equal(ask_for_seat("ff112233445566778899aabbccddeeff", again), 1);
    assert_string_not_equal(first, again);
    assert_false(table_of(&party)->seat[2].taken);
    assert_int_equal(sit(&party, 2), 201); /* without an id a request is always a new one */
    assert_int_equal(begin(&party), 200);
    assert_int_equal(ask_for_seat(SEAT_ID, again), 0); /* however late the answer is asked for */
    assert_string_equal(first, again);
    assert_int_equal(world_ask(&world, "GET", first, NULL, "/api/tables/%s/notes", party.id), 200);
}

static void W12_two_requests_at_once_with_one_id_get_one_seat(void **state)
{
    (void)state;
    struct call calls[2] = {0};
    char path[128];
    make(&party, "{\"game\":\"soumsoum\",\"options\":{\"players\":3}}");
    (void)snprintf(path, sizeof path, "/api/tables/%s/seats", party.id);
    for (int i = 0; i < 2; i++)
        world_send(&world, &calls[i], "POST", NULL, "{\"name\":\"Ana\",\"id\":\"" SEAT_ID "\"}",
                   path);
    world_settle(&world);
    assert_int_equal(calls[0].status, 201);
    assert_int_equal(calls[1].status, 201);
    assert_string_equal(calls[0].mail.text, calls[1].mail.text);
    assert_false(table_of(&party)->seat[1].taken);
    for (int i = 0; i < 2; i++)
        call_finish(&calls[i]);
}

static void W12_an_id_must_be_as_hard_to_guess_as_a_token(void **state)
{
    (void)state;
    static const char *const weak[] = {"1", "", "00112233445566778899AABBCCDDEEFF",
                                       "00112233445566778899aabbccddeef", SEAT_ID "0"};
    char token[SRV_TOKEN_TEXT + 1];
    make(&party, "{\"game\":\"soumsoum\"}");
    for (size_t i = 0; i < sizeof weak / sizeof weak[0]; i++)
        assert_int_equal(ask_for_seat(weak[i], token), -400);
    assert_int_equal(ask_for_seat(SEAT_ID, token), 0);
    assert_int_equal(world_ask(&world, "DELETE", token, NULL, "/api/tables/%s/seats/0", party.id),
                     200);
    assert_int_equal(ask_for_seat(SEAT_ID, token), -409); /* whoever left needs another */
    assert_false(table_of(&party)->seat[0].taken);
}

static void seats_are_taken_and_left_and_tables_listed(void **state)
{
    (void)state;
    make(&party, "{\"game\":\"soumsoum\",\"options\":{\"players\":3},\"listed\":true}");
    assert_int_equal(
        world_ask(&world, "GET", NULL, NULL, "/api/codes/%.3s-%s", party.code, party.code + 3),
        200);
    assert_string_equal(world_text(&world, "table"), party.id);
    assert_code(world_ask(&world, "GET", NULL, NULL, "/api/codes/%sX", party.code), 404,
                "no-such-table");
    assert_int_equal(world_ask(&world, "GET", NULL, NULL, "/api/tables"), 200);
    assert_int_equal(json_array_size(json_object_get(world.json, "tables")), 1);
    assert_int_equal(sit(&party, 1), 201);
    assert_code(sit(&party, 1), 409, "seat-taken");
    come(&party, 1);
    assert_code(begin(&party), 409, "seat-free");
    assert_int_equal(world_ask(&world, "POST", NULL, "{\"name\":\" A\\u202e  B \"}",
                               "/api/tables/%s/seats", party.id),
                     201);
    copy_text(party.token[0], sizeof party.token[0], world_text(&world, "token"));
    assert_string_equal(table_of(&party)->seat[0].name, "A B");
    assert_true(mail_count(&party.seat[1].mail, "seats") >= 2);
    /* bots in seats are the host's business */
    assert_code(world_ask(&world, "POST", party.token[0], "{\"seat\":2,\"bot\":\"greedy\"}",
                          "/api/tables/%s/bots", party.id),
                403, "forbidden");
    assert_code(world_ask(&world, "POST", party.host, "{\"seat\":2,\"bot\":\"nobody\"}",
                          "/api/tables/%s/bots", party.id),
                400, "bad-value");
    assert_int_equal(world_ask(&world, "POST", party.host, "{\"seat\":2,\"bot\":\"greedy\"}",
                               "/api/tables/%s/bots", party.id),
                     200);
    assert_code(sit(&party, 2), 409, "seat-taken");
    assert_int_equal(world_ask(&world, "POST", party.host, "{\"seat\":2,\"bot\":null}",
                               "/api/tables/%s/bots", party.id),
                     200);
    assert_int_equal(sit(&party, 2), 201);
    /* one leaves by its own token, one is sent away by the host, none by another */
    assert_code(
        world_ask(&world, "DELETE", party.token[0], NULL, "/api/tables/%s/seats/1", party.id), 403,
        "forbidden");
    assert_int_equal(
        world_ask(&world, "DELETE", party.token[0], NULL, "/api/tables/%s/seats/0", party.id), 200);
    assert_code(
        world_ask(&world, "DELETE", party.token[0], NULL, "/api/tables/%s/seats/0", party.id), 401,
        "no-such-token");
    assert_int_equal(
        world_ask(&world, "DELETE", party.host, NULL, "/api/tables/%s/seats/2", party.id), 200);
    assert_code(world_ask(&world, "DELETE", party.host, NULL, "/api/tables/%s/seats/9", party.id),
                400, "no-such-seat");
    assert_code(world_ask(&world, "DELETE", party.host, NULL, "/api/tables/%s/seats/2", party.id),
                400, "no-such-seat");
    assert_stored(&party);
    go_all(&party);
}

static void a_former_owner_does_not_see_what_the_next_one_sees(void **state)
{
    (void)state;
    struct client old;
    make(&party, SOUM);
    assert_int_equal(sit(&party, 0), 201);
    assert_int_equal(sit(&party, 1), 201);
    client_open(&old, &world, party.id);
    assert_true(client_say(&old, "{\"hello\":\"%s\"}", party.token[1]));
    assert_int_equal(
        world_ask(&world, "DELETE", party.token[1], NULL, "/api/tables/%s/seats/1", party.id), 200);
    assert_int_equal(sit(&party, 1), 201);
    json_t *seats = mail_last(&old.mail, "seats"); /* the new one is not here yet */
    assert_true(
        json_is_false(json_object_get(json_array_get(json_object_get(seats, "seats"), 1), "here")));
    json_decref(seats);
    come_all(&party);
    assert_int_equal(begin(&party), 200);
    json_t *last = mail_last(&old.mail, "view");
    assert_non_null(last);
    assert_true(json_is_null(json_object_get(json_object_get(last, "view"), "seat")));
    assert_null(json_object_get(json_object_get(last, "view"), "hand"));
    json_decref(last);
    assert_true(client_say(&old, "{\"id\":\"x\",\"action\":{\"do\":\"pass\"}}"));
    assert_refused(&old, "x", "forbidden");
    client_finish(&old);
    go_all(&party);
}

static void a_request_of_a_former_owner_does_not_reach_the_next(void **state)
{
    (void)state;
    struct call leave = {0}, taken = {0}, notes = {0};
    char seats[128], path[128];
    make(&party, SOUM);
    assert_int_equal(sit(&party, 0), 201);
    assert_int_equal(sit(&party, 1), 201);
    (void)snprintf(path, sizeof path, "/api/tables/%s/seats/1", party.id);
    (void)snprintf(seats, sizeof seats, "/api/tables/%s/seats", party.id);
    world_send(&world, &leave, "DELETE", party.host, NULL, path);
    world_send(&world, &taken, "POST", NULL, "{\"name\":\"New\",\"seat\":1}", seats);
    (void)snprintf(path, sizeof path, "/api/tables/%s/notes", party.id);
    world_send(&world, &notes, "PUT", party.token[1], "{\"notes\":\"mine\"}", path);
    world_settle(&world);
    assert_int_equal(leave.status, 200);
    assert_int_equal(taken.status, 201);
    assert_int_equal(notes.status, 400);
    assert_null(table_of(&party)->seat[1].notes);
    call_finish(&leave);
    call_finish(&taken);
    call_finish(&notes);
}

static void notes_are_kept_for_their_seat_alone(void **state)
{
    (void)state;
    static char much[3 * SRV_NOTES], body[4 * SRV_NOTES];
    open_party(&party, bodies[2]);
    mail_clear(&party.seat[1].mail);
    assert_int_equal(world_ask(&world, "PUT", party.token[0], "{\"notes\":\"eel \\\"2\\\"\\n\"}",
                               "/api/tables/%s/notes", party.id),
                     200);
    assert_int_equal(party.seat[1].mail.lines, 0);
    assert_int_equal(
        world_ask(&world, "GET", party.token[1], NULL, "/api/tables/%s/notes", party.id), 200);
    assert_string_equal(world_text(&world, "notes"), "");
    go_all(&party);
    world_restart(&world);
    assert_int_equal(
        world_ask(&world, "GET", party.token[0], NULL, "/api/tables/%s/notes", party.id), 200);
    assert_string_equal(world_text(&world, "notes"), "eel \"2\"\n");
    memset(much, 'x', SRV_NOTES + 1);
    (void)snprintf(body, sizeof body, "{\"notes\":\"%s\"}", much);
    assert_code(world_ask(&world, "PUT", party.token[0], body, "/api/tables/%s/notes", party.id),
                413, "notes-too-long");
    much[0] = '\0';
    for (int i = 0; i < 1600; i++)
        memcpy(much + 6 * i, "\\u0001", 7);
    (void)snprintf(body, sizeof body, "{\"notes\":\"%.*s%.*s\"}", 9000, much, 6000, much);
    assert_code(world_ask(&world, "PUT", party.token[0], body, "/api/tables/%s/notes", party.id),
                413, "too-big");
    static const char *const wrong[] = {"{}",
                                        "{\"notes\":7}",
                                        "{\"notes\":null}",
                                        "[]",
                                        "\"\"",
                                        "{\"notes\":\"\",\"seat\":1}",
                                        "{",
                                        "{\"notes\":\"\\u0000\"}"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(
            world_ask(&world, "PUT", party.token[0], wrong[i], "/api/tables/%s/notes", party.id),
            400);
    assert_stored(&party);
}

/* ---- tokens --------------------------------------------------------------------------------- */

static void wrong_tokens_get_nothing(void **state)
{
    (void)state;
    static const char none[] = "00000000000000000000000000000000";
    static struct party other;
    struct client c;
    open_party(&party, SOUM);
    make(&other, SOUM);
    assert_int_equal(sit(&other, 0), 201);
    const char *const wrong[] = {NULL, none, "", "x", other.token[0], other.host};
    static const struct {
        const char *method, *body, *path;
    } asks[] = {
        {"POST", NULL, "/start"},
        {"POST", NULL, "/rematch"},
        {"DELETE", NULL, "/seats/0"},
        {"POST", "{\"seat\":0,\"bot\":\"greedy\"}", "/bots"},
        {"PUT", "{\"notes\":\"x\"}", "/notes"},
        {"GET", NULL, "/notes"},
    };
    const uint64_t seq = table_of(&party)->seq;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        for (size_t k = 0; k < sizeof asks / sizeof asks[0]; k++)
            assert_code(world_ask(&world, asks[k].method, wrong[i], asks[k].body,
                                  "/api/tables/%s%s", party.id, asks[k].path),
                        401, "no-such-token");
    assert_code(world_ask(&world, "POST", party.token[0], NULL, "/api/tables/%s/start", party.id),
                403, "forbidden");
    assert_code(world_ask(&world, "GET", party.host, NULL, "/api/tables/%s/notes", party.id), 403,
                "forbidden");
    client_open(&c, &world, party.id);
    assert_false(client_say(&c, "{\"hello\":\"%s\"}", other.token[0]));
    assert_refused(&c, NULL, "forbidden");
    assert_false(client_say(&c, "{\"hello\":\"%s\"}", none));
    assert_false(client_say(&c, "{\"hello\":7}"));
    assert_false(client_say(&c, "{\"id\":\"a\",\"action\":{\"do\":\"pass\"}}"));
    assert_int_equal(c.mail.lines, 4);
    assert_true(client_say(&c, "{\"hello\":\"%s\"}", party.host)); /* a host watches */
    assert_true(client_say(&c, "{\"id\":\"a\",\"action\":{\"do\":\"pass\"}}"));
    assert_refused(&c, "a", "forbidden");
    assert_false(client_say(&c, "{\"hello\":null}"));
    client_finish(&c);
    client_open(&c, &world, none);
    assert_false(client_say(&c, "{\"hello\":null}"));
    assert_refused(&c, NULL, "no-such-table");
    client_finish(&c);
    assert_int_equal(table_of(&party)->seq, seq);
    go_all(&party);
}

static void bad_requests_are_refused_once_each(void **state)
{
    (void)state;
    static const struct {
        const char *method, *path, *body;
        int status;
    } asks[] = {
        {"POST", "/api/tables", "", 400},
        {"POST", "/api/tables", "[]", 400},
        {"POST", "/api/tables", "{\"game\":\"chess\"}", 400},
        {"POST", "/api/tables", "{\"game\":\"dive\",\"more\":1}", 400},
        {"POST", "/api/tables", "{\"game\":\"dive\",\"options\":{\"divers\":99}}", 400},
        {"POST", "/api/tables", "{\"game\":\"dive\",\"listed\":1}", 400},
        {"POST", "/api/tables", "{\"game\":\"dive\",\"setup\":{}}", 400},
        {"POST", "/api/tables", "{\"\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\\u0001\":1}", 400},
        {"DELETE", "/api/tables", "", 404},
        {"GET", "/api/tables/", "", 404},
        {"GET", "/api/tables/00", "", 404},
        {"GET", "/api/tables/0000000000000000000000000000000G", "", 404},
        {"GET", "/api/tables/00000000000000000000000000000000", "", 404},
        {"GET", "/api/tables/00000000000000000000000000000000/notes", "", 404},
        {"GET", "/api/codes/", "", 404},
        {"GET", "/api/codes/------", "", 404},
        {"GET", "/api/codes/ABCDEFG", "", 404},
        {"GET", "/api/tablesx", "", 404},
        {"GET", "/", "", 404},
        {"", "", "", 404},
    };
    for (size_t i = 0; i < sizeof asks / sizeof asks[0]; i++) {
        const int status =
            world_ask(&world, asks[i].method, NULL, asks[i].body, "%s", asks[i].path);
        if (status != asks[i].status)
            fail_msg("%s %s %s: %d", asks[i].method, asks[i].path, asks[i].body, status);
        assert_true(world_code(&world)[0] != '\0');
    }
    assert_int_equal(srv_hall_stats(world.hall).tables, 0);
}

static const struct CMUnitTest tests[] = {
    IN_WORLD(W12_a_seat_that_is_asked_for_again_is_the_same_seat),
    IN_WORLD(W12_two_requests_at_once_with_one_id_get_one_seat),
    IN_WORLD(W12_an_id_must_be_as_hard_to_guess_as_a_token),
    IN_WORLD(seats_are_taken_and_left_and_tables_listed),
    IN_WORLD(a_former_owner_does_not_see_what_the_next_one_sees),
    IN_WORLD(a_request_of_a_former_owner_does_not_reach_the_next),
    IN_WORLD(notes_are_kept_for_their_seat_alone),
    IN_WORLD(wrong_tokens_get_nothing),
    IN_WORLD(bad_requests_are_refused_once_each),
};
const struct tests_group hall_seats = TESTS_GROUP(tests);
