/* hall_streams_test.c: streams: acknowledgements, what a client missed, presence, bad messages. */
#include "server/party.h"

#include "server/hall_groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void retries_are_acknowledged_and_not_done_again(void **state)
{
    (void)state;
    char action[512], first[256];
    open_party(&party, SOUM);
    (void)snprintf(action, sizeof action, "{\"id\":\"once\",\"action\":%s}", choose(&party, 0));
    mail_clear(&party.seat[0].mail);
    assert_true(client_say(&party.seat[0], "%s", action));
    assert_true(client_say(&party.seat[0], "%s", action)); /* the first is on its way */
    world_settle(&world);
    const uint64_t seq = table_of(&party)->seq;
    assert_int_equal(mail_count(&party.seat[0].mail, "ack"), 2);
    assert_int_equal(mail_count(&party.seat[0].mail, "view"), 1);
    json_t *ack = mail_last(&party.seat[0].mail, "ack");
    char *text = json_dumps(ack, JSON_SORT_KEYS);
    copy_text(first, sizeof first, text);
    free(text);
    json_decref(ack);
    for (int restarts = 0; restarts < 3; restarts++) {
        go_all(&party);
        world_restart(&world);
        come_all(&party);
        mail_clear(&party.seat[0].mail);
        assert_true(client_say(&party.seat[0], "%s", action));
        world_settle(&world);
        assert_int_equal(table_of(&party)->seq, seq);
        ack = mail_last(&party.seat[0].mail, "ack");
        assert_non_null(ack);
        text = json_dumps(ack, JSON_SORT_KEYS);
        assert_string_equal(text, first);
        free(text);
        json_decref(ack);
    }
    /* another seat's id is its own */
    assert_true(client_say(&party.seat[1], "%s", action));
    world_settle(&world);
    assert_refused(&party.seat[1], "once", "not-your-turn");
    assert_stored(&party);
    go_all(&party);
}

/* Plays on a little; the events that this viewer was told meanwhile. */
static json_t *events_told(struct client *c)
{
    json_t *events = json_array();
    mail_clear(&c->mail);
    for (int k = 0; k < 12 && table_of(&party)->state == ST_PLAYING; k++) {
        step(&party); /* a seat's own mail is cleared by it: so collect as it goes */
        json_t *last = mail_last(&c->mail, "events");
        if (last != NULL)
            (void)json_array_extend(events, json_object_get(last, "events"));
        json_decref(last);
        mail_clear(&c->mail);
    }
    return events;
}

/* token NULL: a spectator's. */
static void check_what_was_missed(struct client *c, int seat, const char *token)
{
    const struct srv_table *t = table_of(&party);
    const uint32_t from = fm_view_seq(fm_view_of(t->setup.game, t->match, seat));
    json_t *events = events_told(c);
    struct client back;
    client_open(&back, &world, party.id);
    if (token == NULL)
        assert_true(client_say(&back, "{\"hello\":null,\"from\":%u}", from));
    else
        assert_true(client_say(&back, "{\"hello\":\"%s\",\"from\":%u}", token, from));
    json_t *hello = mail_last(&back.mail, "events");
    assert_non_null(hello);
    assert_true(json_equal(json_object_get(hello, "events"), events));
    json_decref(hello);
    json_decref(events);
    client_finish(&back);
    client_open(&back, &world, party.id);
    assert_true(client_say(&back, "{\"hello\":null}"));
    assert_int_equal(mail_count(&back.mail, "events"), 0);
    assert_int_equal(mail_count(&back.mail, "view"), 1);
    assert_int_equal(mail_count(&back.mail, "seats"), 1);
    client_finish(&back);
}

static void hello_tells_what_was_missed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        open_party(&party, bodies[i]);
        for (int k = 0; k < 4; k++)
            step(&party);
        check_what_was_missed(&party.watcher, FM_WATCHER, NULL);
        check_what_was_missed(&party.seat[1], 1, party.token[1]);
        go_all(&party);
    }
}

static void claim(struct party *p, int seat, unsigned n)
{
    assert_true(client_say(&p->seat[seat],
                           "{\"id\":\"claim-%u\",\"action\":{\"do\":\"claim\",\"card\":0,"
                           "\"species\":\"%s\"}}",
                           n, n % 2 ? "crab" : "eel"));
    world_settle(&world);
}

static void no_id_of_an_action_is_forgotten(void **state)
{
    (void)state;
    open_party(&party, "{\"game\":\"divercity\",\"options\":{\"divers\":2}}");
    for (unsigned n = 0; n < 200; n++)
        claim(&party, (int)(n & 1), n);
    const uint64_t seq = table_of(&party)->seq;
    for (int restarts = 0; restarts < 2; restarts++) {
        for (unsigned n = 0; n < 200; n++) {
            struct mail *m = &party.seat[n & 1].mail;
            mail_clear(m);
            claim(&party, (int)(n & 1), n);
            json_t *ack = mail_last(m, "ack");
            assert_int_equal(json_integer_value(json_object_get(ack, "seq")), n + 1);
            json_decref(ack);
            assert_int_equal(m->lines, 1);
        }
        assert_int_equal(table_of(&party)->seq, seq);
        go_all(&party);
        world_restart(&world);
        come_all(&party);
    }
    claim(&party, 0, 1); /* the other's id is not one's own */
    assert_int_equal(table_of(&party)->seq, seq + 1);
    go_all(&party);
}

static void a_client_from_before_the_start_gets_the_events_of_the_start(void **state)
{
    (void)state;
    struct client *c = &party.seat[0];
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        open_party(&party, bodies[i]);
        json_t *start = mail_last(&c->mail, "events");
        come(&party, 1);
        client_finish(c);
        client_open(c, &world, party.id);
        assert_true(client_say(c, "{\"hello\":\"%s\",\"from\":-1}", party.token[0]));
        json_t *hello = mail_last(&c->mail, "events");
        assert_true(json_equal(json_object_get(hello, "events"), json_object_get(start, "events")));
        json_decref(hello);
        client_finish(c);
        client_open(c, &world, party.id); /* whoever saw the start is not told again */
        assert_true(client_say(c, "{\"hello\":\"%s\",\"from\":0}", party.token[0]));
        hello = mail_last(&c->mail, "events");
        assert_int_equal(json_array_size(json_object_get(hello, "events")), 0);
        json_decref(hello);
        json_decref(start);
        go_all(&party);
    }
}

static void a_client_that_missed_too_much_gets_only_the_view(void **state)
{
    (void)state;
    struct client back;
    open_party(&party, "{\"game\":\"divercity\",\"options\":{\"divers\":2}}");
    unsigned n = 0;
    for (bool told = true; told; n += 500) {
        for (unsigned k = 0; k < 500; k++)
            claim(&party, 0, n + k);
        assert_true(n < 10000);
        client_open(&back, &world, party.id);
        assert_true(client_say(&back, "{\"hello\":null,\"from\":0}"));
        assert_int_equal(mail_count(&back.mail, "view"), 1);
        told = mail_count(&back.mail, "events") == 1;
        assert_true(told == (strlen(back.mail.text) > 500 * 30));
        client_finish(&back);
    }
    assert_true(n > 1000);
    go_all(&party);
}

static void presence_is_told_once_per_change(void **state)
{
    (void)state;
    struct client twice;
    make(&party, SOUM);
    assert_int_equal(sit(&party, 0), 201);
    client_open(&party.watcher, &world, party.id);
    assert_true(client_say(&party.watcher, "{\"hello\":null}"));
    mail_clear(&party.watcher.mail);
    come(&party, 0);
    assert_int_equal(party.watcher.mail.lines, 1);
    assert_int_equal(party.seat[0].mail.lines, 2);
    client_open(&twice, &world, party.id); /* the same seat on another device */
    assert_true(client_say(&twice, "{\"hello\":\"%s\"}", party.token[0]));
    assert_int_equal(party.watcher.mail.lines, 1);
    client_leave(&twice);
    client_leave(&twice);
    assert_int_equal(party.watcher.mail.lines, 1);
    client_leave(&party.seat[0]);
    assert_int_equal(party.watcher.mail.lines, 2);
    assert_int_equal(srv_hall_stats(world.hall).streams, 1);
    client_finish(&twice);
    go_all(&party);
}

static void a_seat_that_holds_the_stack_shows_it_to_table_screens(void **state)
{
    (void)state;
    open_party(&party, "{\"game\":\"dive\",\"options\":{\"divers\":2}}");
    struct client *a = &party.seat[0], *b = &party.seat[1], *screen = &party.watcher;
    mail_clear(&screen->mail);
    assert_true(client_say(a, "{\"look\":{\"tilt\":[1,2]}}")); /* nobody follows it */
    assert_int_equal(screen->mail.lines, 0);
    assert_true(client_say(a, "{\"hold\":true}"));
    assert_true(client_say(b, "{\"hold\":true}"));
    mail_clear(&screen->mail);
    mail_clear(&b->mail);
    assert_true(client_say(a, "{\"look\":{\"tilt\":[14,-9.5],\"lamp\":\"above:0.5,0.25\"}}"));
    assert_non_null(strstr(screen->mail.text, "{\"look\":{\"seat\":0,\"tilt\":[14"));
    assert_int_equal(b->mail.lines, 0);
    assert_true(client_say(b, "{\"look\":{\"tilt\":[1,2]}}"));
    assert_int_equal(mail_count(&screen->mail, "look"), 1);
    assert_false(client_say(a, "{\"look\":{\"tilt\":[99,2]}}"));
    assert_false(client_say(a, "{\"look\":{\"tilt\":[1,2],\"lamp\":\"I have an eel\"}}"));
    assert_false(client_say(screen, "{\"hold\":true}"));
    mail_clear(&screen->mail);
    client_leave(a);
    assert_true(client_say(b, "{\"hold\":true}"));
    assert_true(client_say(b, "{\"look\":{\"tilt\":[1,2],\"lamp\":null}}"));
    assert_int_equal(mail_count(&screen->mail, "look"), 1);
    assert_true(client_say(b, "{\"hold\":false}"));
    assert_true(client_say(b, "{\"look\":{\"tilt\":[1,2]}}"));
    assert_int_equal(mail_count(&screen->mail, "look"), 1);
    go_all(&party);
}

static void a_stream_may_leave_while_its_action_is_on_its_way(void **state)
{
    (void)state;
    open_party(&party, SOUM);
    const uint64_t seq = table_of(&party)->seq;
    assert_true(client_say(&party.seat[0], "{\"id\":\"gone\",\"action\":%s}", choose(&party, 0)));
    assert_true(client_say(&party.seat[0], "{\"id\":\"gone2\",\"action\":{\"do\":\"pass\"}}"));
    mail_clear(&party.seat[0].mail);
    mail_clear(&party.watcher.mail);
    client_leave(&party.seat[0]);
    world_settle(&world);
    assert_int_equal(party.seat[0].mail.lines, 0);
    assert_int_equal(table_of(&party)->seq, seq + 2);
    assert_int_equal(mail_count(&party.watcher.mail, "view"), 2);
    come(&party, 0); /* and its retry is known */
    assert_true(client_say(&party.seat[0], "{\"id\":\"gone\",\"action\":{\"do\":\"pass\"}}"));
    world_settle(&world);
    assert_int_equal(mail_count(&party.seat[0].mail, "ack"), 1);
    assert_int_equal(table_of(&party)->seq, seq + 2);
    go_all(&party);
}

static void bad_messages_are_refused_and_change_nothing(void **state)
{
    (void)state;
    static const char *const messages[] = {
        "",
        "{",
        "[]",
        "7",
        "null",
        "{}",
        "{\"id\":\"a\"}",
        "{\"action\":{\"do\":\"pass\"}}",
        "{\"id\":\"\",\"action\":{\"do\":\"pass\"}}",
        "{\"id\":7,\"action\":{\"do\":\"pass\"}}",
        "{\"id\":\"a\",\"action\":7}",
        "{\"id\":\"a\",\"action\":{}}",
        "{\"id\":\"a\",\"action\":{\"do\":\"fly\"}}",
        "{\"id\":\"a\",\"action\":{\"do\":\"pass\"},\"seat\":1}",
        "{\"id\":\"a\",\"action\":{\"do\":\"pass\",\"seat\":1}}",
        "{\"hold\":1}",
        "{\"look\":{}}",
        "{\"look\":{\"tilt\":[1]}}",
        "{\"hold\":true,\"look\":{\"tilt\":[0,0]}}",
        "{\"what\":\"w\"}",
        "{\"what\":7,\"if\":[{\"do\":\"pass\"}]}",
        "{\"what\":\"\",\"if\":[{\"do\":\"pass\"}]}",
        "{\"what\":\"a b\",\"if\":[{\"do\":\"pass\"}]}",
        "{\"what\":\"w\",\"if\":{\"do\":\"pass\"}}",
        "{\"what\":\"w\",\"if\":[]}",
        "{\"what\":\"w\",\"if\":[7]}",
        "{\"what\":\"w\",\"if\":[{\"do\":\"fly\"}]}",
        "{\"what\":\"w\",\"if\":[{\"do\":\"pass\",\"seat\":1}]}",
        "{\"what\":\"w\",\"if\":[{\"do\":\"pass\"}],\"id\":\"a\"}",
        ("{\"what\":\"w\",\"if\":[{\"do\":\"pass\"},{\"do\":\"pass\"},{\"do\":\"pass\"},"
         "{\"do\":\"pass\"},{\"do\":\"pass\"}]}"),
        "{\"id\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\",\"action\":{\"do\":\"pass\"}}"};
    open_party(&party, SOUM);
    const uint64_t seq = table_of(&party)->seq;
    mail_clear(&party.seat[1].mail);
    for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++) {
        mail_clear(&party.seat[0].mail);
        const bool understood = client_say(&party.seat[0], "%s", messages[i]);
        json_t *refusal = mail_last(&party.seat[0].mail, "refused");
        assert_non_null(refusal); /* by its id, if that could be read: it was understood so far */
        assert_int_equal(understood, json_is_string(json_object_get(refusal, "refused")));
        json_decref(refusal);
        assert_int_equal(party.seat[0].mail.lines, 1);
    }
    assert_true(client_say(&party.seat[0], "{\"id\":\"a b\",\"action\":%s}", choose(&party, 0)));
    world_settle(&world);
    assert_refused(&party.seat[0], "a b", "bad-value");
    assert_int_equal(table_of(&party)->seq, seq);
    assert_int_equal(party.seat[1].mail.lines, 0);
    go_all(&party);
}

static const struct CMUnitTest tests[] = {
    IN_WORLD(retries_are_acknowledged_and_not_done_again),
    IN_WORLD(hello_tells_what_was_missed),
    IN_WORLD(no_id_of_an_action_is_forgotten),
    IN_WORLD(a_client_from_before_the_start_gets_the_events_of_the_start),
    IN_WORLD(a_client_that_missed_too_much_gets_only_the_view),
    IN_WORLD(presence_is_told_once_per_change),
    IN_WORLD(a_seat_that_holds_the_stack_shows_it_to_table_screens),
    IN_WORLD(a_stream_may_leave_while_its_action_is_on_its_way),
    IN_WORLD(bad_messages_are_refused_and_change_nothing),
};
const struct tests_group hall_streams = TESTS_GROUP(tests);
