/* hall_earlier_test.c: what a viewer was told before, told again at a hello that asks for it. */
#include "server/party.h"

#include "core/told.h"
#include "server/hall_groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CITY "{\"game\":\"divercity\",\"options\":{\"divers\":2,\"first\":0}}"

/* The answer to a hello; more: its further keys, with a comma before each. */
static json_t *say_hello(const char *token, const char *more)
{
    struct client back;
    char quoted[SRV_TOKEN_TEXT + 3];
    (void)snprintf(quoted, sizeof quoted, token != NULL ? "\"%s\"" : "null", token);
    client_open(&back, &world, party.id);
    assert_true(client_say(&back, "{\"hello\":%s%s}", quoted, more));
    json_t *hello = mail_last(&back.mail, "view");
    assert_non_null(hello);
    client_finish(&back);
    return hello;
}

/* What this viewer is told meanwhile is added to the events. */
static void listen(struct client *c, json_t *events)
{
    json_t *last = mail_last(&c->mail, "events");
    if (last != NULL)
        (void)json_array_extend(events, json_object_get(last, "events"));
    json_decref(last);
    mail_clear(&c->mail);
}

static void play_and_listen(struct client *c, json_t *events, int steps)
{
    for (int k = 0; k < steps && table_of(&party)->state == ST_PLAYING; k++) {
        step(&party);
        listen(c, events);
    }
}

static unsigned n_known(json_t *cards)
{
    unsigned n = 0;
    for (size_t i = 0; i < json_array_size(cards); i++)
        n += !json_is_null(json_array_get(cards, i));
    return n;
}

/* The same events, but cards that had to be remembered may be gone (C43). */
static void assert_told_again(json_t *earlier, json_t *told)
{
    assert_int_equal(json_array_size(earlier), json_array_size(told));
    for (size_t i = 0; i < json_array_size(told); i++) {
        json_t *again = json_array_get(earlier, i), *first = json_array_get(told, i);
        const char *event = text_of(first, "event");
        const bool of_memory = strcmp(event, "walkie") == 0 || strcmp(event, "explored") == 0;
        json_t *cards = json_object_get(again, "cards");
        if (of_memory && n_known(cards) == 0) {
            assert_int_equal(json_array_size(cards),
                             json_array_size(json_object_get(first, "cards")));
            (void)json_object_set(again, "cards", json_object_get(first, "cards"));
        }
        assert_true(json_equal(again, first));
    }
}

static void check_earlier(struct client *c, int seat, const char *token)
{
    char more[60];
    json_t *told = json_array();
    listen(c, told); /* the deal */
    play_and_listen(c, told, 8);
    const struct srv_table *t = table_of(&party);
    const uint32_t from = fm_view_seq(fm_view_of(t->setup.game, t->match, seat));
    json_t *then = json_copy(told), *missed = json_array();
    play_and_listen(c, missed, 8);
    (void)json_array_extend(told, missed);
    json_t *hello = say_hello(token, ",\"earlier\":true");
    assert_null(json_object_get(hello, "events"));
    assert_told_again(json_object_get(hello, "earlier"), told);
    json_decref(hello);
    (void)snprintf(more, sizeof more, ",\"earlier\":true,\"from\":%u", from);
    hello = say_hello(token, more);
    assert_told_again(json_object_get(hello, "earlier"), then);
    assert_true(json_equal(json_object_get(hello, "events"), missed));
    json_decref(hello);
    hello = say_hello(token, ",\"earlier\":false");
    assert_null(json_object_get(hello, "earlier"));
    json_decref(hello);
    json_decref(told);
    json_decref(then);
    json_decref(missed);
}

static void earlier_events_are_those_that_were_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        open_party(&party, bodies[i]);
        check_earlier(&party.watcher, FM_WATCHER, NULL);
        go_all(&party);
        open_party(&party, bodies[i]);
        check_earlier(&party.seat[1], 1, party.token[1]);
        go_all(&party);
    }
}

static void before_the_start_nothing_is_earlier(void **state)
{
    (void)state;
    make(&party, SOUM);
    assert_int_equal(sit(&party, 0), 201);
    json_t *hello = say_hello(party.token[0], ",\"earlier\":true");
    assert_null(json_object_get(hello, "earlier"));
    json_decref(hello);
    go_all(&party);
}

/* The active diver names the cards of the other's hand, if it is its turn to act. */
static bool tell_by_walkie(int target)
{
    char id[20];
    static unsigned number;
    (void)snprintf(id, sizeof id, "walkie%u", ++number);
    struct client *c = &party.seat[1 - target];
    mail_clear(&c->mail);
    assert_true(
        client_say(c, "{\"id\":\"%s\",\"action\":{\"do\":\"walkie\",\"target\":%d}}", id, target));
    world_settle(&world);
    return mail_count(&c->mail, "ack") == 1;
}

/* The cards of the first walkie-talkie, as this seat is told them again. */
static json_t *cards_told_again(const char *token)
{
    json_t *hello = say_hello(token, ",\"earlier\":true");
    json_t *event = find_in(json_object_get(hello, "earlier"), "event", "walkie");
    assert_non_null(event);
    json_t *cards = json_incref(json_object_get(event, "cards"));
    json_decref(hello);
    return cards;
}

static void C43_named_cards_are_told_again_for_a_lap_of_the_table(void **state)
{
    (void)state;
    unsigned laps = 0;
    for (int match = 0; match < 8; match++) {
        open_party(&party, CITY);
        int guard = 0;
        while (!tell_by_walkie(1) && table_of(&party)->state == ST_PLAYING && ++guard < 40)
            step(&party);
        struct fm_outcome out;
        const struct srv_table *t = table_of(&party);
        t->setup.game->outcome(t->match, &out);
        const unsigned told_in = out.length;
        while (table_of(&party)->state == ST_PLAYING && out.length < told_in + 4) {
            json_t *cards = cards_told_again(party.token[1]);
            assert_true(json_array_size(cards) > 0);
            /* the event that tells may begin the next turn */
            if (out.length <= told_in)
                assert_int_equal(n_known(cards), json_array_size(cards));
            if (out.length >= told_in + 3) {
                assert_int_equal(n_known(cards), 0);
                laps++;
            }
            json_decref(cards);
            step(&party);
            t = table_of(&party);
            t->setup.game->outcome(t->match, &out);
        }
        if (table_of(&party)->state == ST_PLAYING)
            play_out(&party);
        json_t *cards = cards_told_again(party.token[1]); /* once it is over all is open */
        assert_int_equal(n_known(cards), json_array_size(cards));
        json_decref(cards);
        go_all(&party);
    }
    assert_true(laps > 0);
}

static void earlier_events_are_bounded_and_the_newest_remain(void **state)
{
    (void)state;
    json_t *hello = NULL;
    open_party(&party, CITY);
    const char *name = NULL;
    for (unsigned n = 0; n < 3000; n++) {
        name = n % 2 ? "crab" : "eel";
        assert_true(client_say(&party.seat[0],
                               "{\"id\":\"claim-%u\",\"action\":{\"do\":\"claim\",\"card\":0,"
                               "\"species\":\"%s\"}}",
                               n, name));
        world_settle(&world);
        mail_clear(&party.seat[0].mail);
    }
    hello = say_hello(party.token[0], ",\"earlier\":true,\"from\":0");
    assert_null(json_object_get(hello, "events")); /* too many */
    json_t *earlier = json_object_get(hello, "earlier");
    char *text = json_dumps(earlier, JSON_COMPACT);
    assert_in_range(strlen(text), FM__EARLIER / 2, FM__EARLIER + 10);
    free(text);
    assert_null(find_in(earlier, "event", "dealt"));
    json_t *last = json_array_get(earlier, json_array_size(earlier) - 1);
    assert_string_equal(text_of(last, "species"), name);
    json_decref(hello);
    go_all(&party);
}

static const struct CMUnitTest tests[] = {
    IN_WORLD(earlier_events_are_those_that_were_told),
    IN_WORLD(before_the_start_nothing_is_earlier),
    IN_WORLD(C43_named_cards_are_told_again_for_a_lap_of_the_table),
    IN_WORLD(earlier_events_are_bounded_and_the_newest_remain),
};
const struct tests_group hall_earlier = TESTS_GROUP(tests);
