/* hall_why_test.c: why a bot did something: who may ask, about what, and when. */
#include "server/party.h"

#include "server/hall_groups.h"

#include <stdio.h>
#include <string.h>

#define CITY "{\"game\":\"divercity\",\"options\":{\"divers\":3,\"first\":0}}"

static int ask_why(const char *token, const char *who, unsigned seq, int seat)
{
    return world_ask(&world, "GET", token, NULL, "/api/tables/%s/why/%s/%u/%d", party.id, who, seq,
                     seat);
}

static void set_bot(int seat, const char *bot)
{
    char body[64];
    (void)snprintf(body, sizeof body, "{\"seat\":%d,\"bot\":\"%s\"}", seat, bot);
    assert_int_equal(world_ask(&world, "POST", party.host, body, "/api/tables/%s/bots", party.id),
                     200);
}

/* Seat 0 is a person's, the others are bots'. */
static void open_with_bots(const char *body, const char *bot)
{
    make(&party, body);
    assert_int_equal(sit(&party, 0), 201);
    for (int seat = 1; seat < party.n; seat++)
        set_bot(seat, bot);
    come_all(&party);
    assert_int_equal(begin(&party), 200);
}

/* Plays until this seat has done something that can be explained to a spectator. */
static void play_until_explained(int seat)
{
    for (int k = 0; k < 400 && table_of(&party)->state == ST_PLAYING; k++) {
        if (ask_why(NULL, "table", 999999, seat) == 200)
            return;
        if (choose(&party, 0) != NULL && (pub_of(&party)->owes & 1))
            step(&party);
        world_pass(&world, 500);
    }
    fail_msg("seat %d does nothing", seat);
}

static void an_answer_has_a_reason_and_chances(void **state)
{
    (void)state;
    static const char *const tables[][2] = {{SOUM, "greedy"}, {CITY, "ranger"}};
    for (size_t i = 0; i < 2; i++) {
        open_with_bots(tables[i][0], tables[i][1]);
        play_until_explained(1);
        assert_int_equal(ask_why(party.token[0], "0", 999999, 1), 200);
        assert_string_equal(world_text(&world, "from"), "view");
        assert_string_equal(world_text(&world, "bot"), tables[i][1]);
        assert_true(strlen(text_of(json_object_get(world.json, "reason"), "code")) > 0);
        json_t *all = json_object_get(world.json, "candidates");
        assert_true(json_array_size(all) >= 1 && json_array_size(all) <= 3);
        for (size_t k = 0; k < json_array_size(all); k++) {
            json_t *one = json_array_get(all, k);
            const double value = json_number_value(json_object_get(one, "value"));
            assert_true(value >= 0 && value <= 1);
            assert_true(json_is_true(json_object_get(one, "played")) == (k == 0));
            assert_true(strlen(text_of(json_object_get(one, "action"), "do")) > 0);
        }
        /* the same question, the same answer */
        json_t *first = json_incref(world.json);
        assert_int_equal(ask_why(party.token[0], "0", 999999, 1), 200);
        assert_true(json_equal(first, world.json));
        json_decref(first);
        go_all(&party);
    }
}

static void who_may_ask(void **state)
{
    (void)state;
    make(&party, SOUM);
    assert_code(ask_why(NULL, "table", 0, 1), 409, "not-started");
    open_with_bots(SOUM, "greedy");
    play_until_explained(1);
    assert_code(ask_why(NULL, "0", 999999, 1), 401, "no-such-token");
    assert_code(ask_why(party.token[0], "1", 999999, 1), 403, "forbidden");
    assert_code(ask_why(party.host, "0", 999999, 1), 403, "forbidden");
    assert_code(ask_why(party.token[0], "open", 999999, 1), 409, "not-over");
    assert_code(ask_why(party.token[0], "7", 999999, 1), 400, "no-such-seat");
    assert_code(ask_why(party.token[0], "0", 999999, 5), 400, "no-such-seat");
    assert_code(ask_why(party.token[0], "0", 999999, 0), 409, "no-reason"); /* a person */
    assert_code(ask_why(party.token[0], "0", 0, 1), 409, "no-reason");      /* nothing yet */
    assert_code(ask_why(party.token[0], "everybody", 1, 1), 404, "no-such-path");
    assert_code(world_ask(&world, "GET", NULL, NULL, "/api/tables/%s/why/table/1", party.id), 404,
                "no-such-path");
    assert_code(world_ask(&world, "GET", NULL, NULL, "/api/tables/%s/why/table/1x/1", party.id),
                404, "no-such-path");
    go_all(&party);
}

/* What its owner did is nobody's to explain, although a bot sits there now. */
static void what_a_person_did_is_not_explained(void **state)
{
    (void)state;
    open_party(&party, SOUM3);
    step(&party); /* seat 0 places */
    client_leave(&party.seat[0]);
    set_bot(0, "greedy");
    assert_code(ask_why(NULL, "table", 1, 0), 409, "no-reason");
    world_pass(&world, 3000); /* now the bot has done something */
    assert_int_equal(ask_why(NULL, "table", 999999, 0), 200);
    go_all(&party);
}

static void programs_are_explained_afterwards(void **state)
{
    (void)state;
    make(&party, "{\"game\":\"dive\",\"options\":{\"divers\":2}}");
    set_bot(0, "steady");
    set_bot(1, "mako");
    assert_int_equal(begin(&party), 200);
    for (int k = 0; table_of(&party)->state == ST_PLAYING; k++) {
        assert_true(k < 20000);
        if (k < 40)
            assert_code(ask_why(NULL, "table", 999999, k % 2), 409, "not-now");
        world_pass(&world, 400);
    }
    for (int seat = 0; seat < 2; seat++) {
        assert_int_equal(ask_why(NULL, "table", 999999, seat), 200);
        assert_string_equal(world_text(&world, "from"), "bot");
        assert_string_equal(text_of(json_object_get(world.json, "reason"), "code"), "saw");
        json_t *first = json_array_get(json_object_get(world.json, "candidates"), 0);
        json_t *laid = json_object_get(json_object_get(first, "action"), "levels");
        assert_int_equal(
            json_array_size(json_object_get(json_object_get(world.json, "reason"), "levels")),
            json_array_size(laid));
        assert_int_equal(ask_why(NULL, "open", 999999, seat), 200);
    }
    /* change 1 of the table is that somebody is ready: the other may not have laid anything */
    assert_int_equal(ask_why(NULL, "0", 999999, 1), 200);
}

static void too_many_at_once_are_refused(void **state)
{
    (void)state;
    static struct call calls[6];
    char path[120];
    unsigned answered = 0, busy = 0;
    open_with_bots(SOUM, "greedy");
    play_until_explained(1);
    (void)snprintf(path, sizeof path, "/api/tables/%s/why/table/999999/1", party.id);
    for (size_t i = 0; i < 6; i++)
        world_send(&world, &calls[i], "GET", NULL, NULL, path);
    srv_hall_hung_up(world.hall, &calls[0].call); /* nobody waits for that one any more */
    world_settle(&world);
    for (size_t i = 0; i < 6; i++) {
        answered += calls[i].status == 200;
        busy += calls[i].status == 429;
        call_finish(&calls[i]);
    }
    assert_int_equal(calls[0].answers, 0);
    assert_int_equal(answered, 3);
    assert_int_equal(busy, 2);
    assert_int_equal(ask_why(NULL, "table", 999999, 1), 200);
    go_all(&party);
}

/* "seqs": which change each of the earlier and the missed events belongs to. */
static void hello_says_which_change_an_event_belongs_to(void **state)
{
    (void)state;
    struct client late;
    open_party(&party, SOUM);
    for (int k = 0; k < 6; k++)
        step(&party);
    for (int from = -1; from < 5; from++) {
        client_open(&late, &world, party.id);
        assert_true(
            client_say(&late, "{\"hello\":null,\"earlier\":true,\"seqs\":true,\"from\":%d}", from));
        json_t *hello = mail_last(&late.mail, "view");
        json_t *seqs = json_object_get(hello, "seqs");
        const size_t earlier = json_array_size(json_object_get(hello, "earlier"));
        assert_int_equal(json_array_size(seqs),
                         earlier + json_array_size(json_object_get(hello, "events")));
        json_int_t last = 0;
        for (size_t i = 0; i < json_array_size(seqs); i++) {
            const json_int_t seq = json_integer_value(json_array_get(seqs, i));
            assert_true(seq >= last && seq <= int_of(hello, "seq"));
            assert_true(i < earlier ? seq <= from : seq > from);
            last = seq;
        }
        json_decref(hello);
        client_finish(&late);
    }
    go_all(&party);
}

static const struct CMUnitTest tests[] = {
    IN_WORLD(an_answer_has_a_reason_and_chances),
    IN_WORLD(who_may_ask),
    IN_WORLD(what_a_person_did_is_not_explained),
    IN_WORLD(programs_are_explained_afterwards),
    IN_WORLD(too_many_at_once_are_refused),
    IN_WORLD(hello_says_which_change_an_event_belongs_to),
};
const struct tests_group hall_why = TESTS_GROUP(tests);
