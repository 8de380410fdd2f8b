/* hall_preview_test.c: what-if: a seat is shown what its own actions would lead to, and nobody
 * else. */
#include "server/party.h"

#include "server/hall_groups.h"

#include <stdio.h>

/* The view that a seat is shown for these actions; json_decref() it. */
static json_t *what_if(struct party *p, int seat, const char *actions)
{
    static unsigned number;
    char id[20];
    (void)snprintf(id, sizeof id, "w%u", ++number);
    struct mail *m = &p->seat[seat].mail;
    mail_clear(m);
    assert_true(client_say(&p->seat[seat], "{\"what\":\"%s\",\"if\":%s}", id, actions));
    assert_int_equal(m->lines, 1);
    json_t *answer = mail_last(m, "what");
    assert_non_null(answer);
    assert_string_equal(json_string_value(json_object_get(answer, "what")), id);
    json_t *view = json_incref(json_object_get(answer, "view"));
    assert_true(json_is_object(view));
    json_decref(answer);
    return view;
}

static json_t *view_now(const struct party *p, int seat)
{
    json_t *last = mail_last(&p->seat[seat].mail, "view");
    json_t *view = json_incref(json_object_get(last, "view"));
    json_decref(last);
    return view;
}

static void what_if_shows_what_ones_own_actions_lead_to(void **state)
{
    (void)state;
    static const char actions[] =
        "[{\"do\":\"place\",\"card\":1,\"at\":[0,3]},{\"do\":\"diver\",\"at\":[0,3]}]";
    open_party(&party, SOUM);
    json_t *now = view_now(&party, 0);
    const uint64_t seq = table_of(&party)->seq;
    const uint32_t check = fm_check(table_of(&party)->setup.game, table_of(&party)->match);
    mail_clear(&party.seat[1].mail);
    mail_clear(&party.watcher.mail);
    json_t *then = what_if(&party, 0, actions), *again = what_if(&party, 0, actions);
    assert_true(json_equal(then, again)); /* also what is invented in it */
    /* nothing has happened, and nobody else knows */
    assert_int_equal(table_of(&party)->seq, seq);
    assert_int_equal(fm_check(table_of(&party)->setup.game, table_of(&party)->match), check);
    assert_int_equal(party.seat[1].mail.lines + party.watcher.mail.lines, 0);
    /* the same as if it were done, but for the card that was drawn */
    assert_true(client_say(&party.seat[0], "{\"id\":\"a\",\"action\":{\"do\":\"place\",\"card\":1,"
                                           "\"at\":[0,3]}}"));
    assert_true(client_say(&party.seat[0], "{\"id\":\"b\",\"action\":{\"do\":\"diver\","
                                           "\"at\":[0,3]}}"));
    world_settle(&world);
    json_t *done = view_now(&party, 0), *drawn = json_object_get(done, "hand");
    assert_int_equal(json_array_size(drawn), 3);
    assert_int_equal(json_array_size(json_object_get(then, "hand")), 3);
    (void)json_array_remove(drawn, 2);
    (void)json_array_remove(json_object_get(then, "hand"), 2);
    assert_true(json_equal(then, done));
    assert_false(json_equal(now, done));
    json_decref(now);
    json_decref(then);
    json_decref(again);
    json_decref(done);
    go_all(&party);
}

static void what_if_is_for_seats_that_could_do_it(void **state)
{
    (void)state;
    static const char pass[] = "{\"what\":\"w\",\"if\":[{\"do\":\"pass\"}]}";
    make(&party, SOUM);
    assert_int_equal(sit(&party, 0), 201);
    assert_int_equal(sit(&party, 1), 201);
    come_all(&party);
    assert_true(client_say(&party.seat[0], "%s", pass));
    assert_refused(&party.seat[0], "w", "not-started");
    assert_int_equal(begin(&party), 200);
    assert_true(client_say(&party.seat[0], "%s", pass)); /* understood, but a card comes first */
    assert_refused(&party.seat[0], "w", "wrong-phase");
    assert_true(client_say(&party.seat[0], "{\"what\":\"x\",\"if\":[{\"do\":\"place\",\"card\":0,"
                                           "\"at\":[2,2]}]}"));
    assert_refused(&party.seat[0], "x", "submarine");
    assert_true(client_say(&party.seat[0], "{\"what\":\"y\",\"if\":[{\"do\":\"place\",\"card\":0,"
                                           "\"at\":[0,0]},{\"do\":\"diver\",\"at\":[0,1]}]}"));
    assert_refused(&party.seat[0], "y", "no-card-there");
    assert_true(client_say(&party.seat[1], "%s", pass));
    assert_refused(&party.seat[1], "w", "not-your-turn");
    assert_true(client_say(&party.watcher, "%s", pass));
    assert_refused(&party.watcher, "w", "forbidden");
    play_out(&party);
    assert_true(client_say(&party.seat[0], "%s", pass));
    assert_refused(&party.seat[0], "w", "over");
    go_all(&party);
}

/* Whether a seat could do anything, and was told what comes of it; nothing has changed. */
static bool check_what_if(int seat)
{
    const char *action = choose(&party, seat);
    struct mail *m = &party.seat[seat].mail;
    const uint32_t check = fm_check(table_of(&party)->setup.game, table_of(&party)->match);
    if (action == NULL)
        return false;
    mail_clear(m);
    assert_true(client_say(&party.seat[seat], "{\"what\":\"w\",\"if\":[%s]}", action));
    assert_int_equal(m->lines, 1);
    assert_int_equal(mail_count(m, "what"), 1);
    assert_int_equal(fm_check(table_of(&party)->setup.game, table_of(&party)->match), check);
    return true;
}

static void what_if_works_at_any_moment_of_all_games(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        unsigned asked = 0;
        open_party(&party, bodies[i]);
        for (int k = 0; k < 150 && table_of(&party)->state == ST_PLAYING; k++) {
            for (int seat = 0; seat < party.n; seat++)
                asked += check_what_if(seat);
            step(&party);
        }
        assert_true(asked > 20);
        assert_stored(&party);
        go_all(&party);
    }
}

static const struct CMUnitTest tests[] = {
    IN_WORLD(what_if_shows_what_ones_own_actions_lead_to),
    IN_WORLD(what_if_is_for_seats_that_could_do_it),
    IN_WORLD(what_if_works_at_any_moment_of_all_games),
};
const struct tests_group hall_preview = TESTS_GROUP(tests);
