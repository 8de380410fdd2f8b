/* hall_bots_test.c: bots in seats: votes for them, whole games, and owners who come back. */
#include "server/party.h"

#include "server/hall_groups.h"

#include <stdio.h>

static const char *bot_of(int seat)
{
    return table_of(&party)->seat[seat].bot;
}

static int vote(int voter, int seat, const char *bot)
{
    char body[64];
    (void)snprintf(body, sizeof body, "{\"seat\":%d,\"bot\":%s}", seat, bot);
    return world_ask(&world, "POST", party.token[voter], body, "/api/tables/%s/bots", party.id);
}

static void the_others_vote_for_a_bot_until_the_owner_is_back(void **state)
{
    (void)state;
    open_party(&party, "{\"game\":\"soumsoum\",\"options\":{\"players\":4,\"first\":3}}");
    assert_code(vote(0, 1, "\"greedy\""), 409, "seat-taken"); /* seat 1 is here */
    client_leave(&party.seat[1]);
    mail_clear(&party.seat[2].mail);
    assert_int_equal(vote(0, 1, "\"greedy\""), 200);
    assert_true(json_is_false(json_object_get(world.json, "done")));
    assert_int_equal(vote(0, 1, "\"greedy\""), 200); /* the same voice does not count twice */
    assert_string_equal(bot_of(1), "");
    assert_int_equal(vote(3, 1, "null"), 200); /* nor does one for the contrary */
    assert_string_equal(bot_of(1), "");
    assert_int_equal(party.seat[2].mail.lines, 0); /* nobody is told who voted */
    assert_int_equal(vote(2, 1, "\"greedy\""), 200);
    assert_true(json_is_true(json_object_get(world.json, "done")));
    assert_string_equal(bot_of(1), "greedy");
    assert_int_equal(mail_count(&party.seat[2].mail, "seats"), 1);
    come(&party, 1);
    world_settle(&world);
    assert_string_equal(bot_of(1), ""); /* the owner is back */
    /* votes of the time before do not count any more */
    client_leave(&party.seat[1]);
    assert_int_equal(vote(0, 1, "\"greedy\""), 200);
    come(&party, 1);
    client_leave(&party.seat[1]);
    assert_int_equal(vote(2, 1, "\"greedy\""), 200);
    assert_true(json_is_false(json_object_get(world.json, "done")));
    /* the host needs no votes; an owner may let a bot play for itself */
    assert_int_equal(world_ask(&world, "POST", party.host, "{\"seat\":1,\"bot\":\"greedy\"}",
                               "/api/tables/%s/bots", party.id),
                     200);
    assert_string_equal(bot_of(1), "greedy");
    assert_int_equal(vote(0, 0, "\"greedy\""), 200);
    assert_string_equal(bot_of(0), "greedy");
    assert_stored(&party);
    go_all(&party);
}

static void bots_play_games_to_their_end(void **state)
{
    (void)state;
    static const char *const bots[] = {"greedy", "steady", "ranger"};
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        make(&party, bodies[i]);
        for (int seat = 0; seat < party.n; seat++) {
            char body[64];
            (void)snprintf(body, sizeof body, "{\"seat\":%d,\"bot\":\"%s\"}", seat, bots[i]);
            assert_int_equal(
                world_ask(&world, "POST", party.host, body, "/api/tables/%s/bots", party.id), 200);
        }
        assert_int_equal(begin(&party), 200);
        for (int k = 0; table_of(&party)->state == ST_PLAYING; k++) {
            assert_true(k < 20000);
            if (k == 20) /* games of bots go on after a restart */
                world_restart(&world);
            world_pass(&world, 400);
        }
        assert_stored(&party);
        assert_int_equal(
            world_ask(&world, "POST", party.host, NULL, "/api/tables/%s/rematch", party.id), 201);
    }
    const struct srv_hall_stats stats = srv_hall_stats(world.hall);
    uint64_t thoughts = 0, waits = 0;
    for (unsigned i = 0; i < SRV_SLOTS; i++) {
        thoughts += stats.thought.count[i];
        waits += stats.waited.count[i];
    }
    assert_true(thoughts > 50 && waits == thoughts);
}

static void a_bot_that_was_overtaken_does_not_act(void **state)
{
    (void)state;
    open_party(&party, SOUM3);
    struct srv_slot *slot = world_slot(&world, party.id);
    step(&party); /* seat 0 places; it owes a diver or a pass */
    client_leave(&party.seat[0]);
    assert_int_equal(world_ask(&world, "POST", party.host, "{\"seat\":0,\"bot\":\"greedy\"}",
                               "/api/tables/%s/bots", party.id),
                     200);
    assert_true(slot->plan[0].action != 0 && slot->plan[0].at_ms >= world.now_ms);
    /* its owner comes back and the bot's moment comes, both before anything is stored */
    const size_t events = slot->table.n_events;
    come(&party, 0);
    world.now_ms += 10000;
    srv_hall_tick(world.hall, world.now_ms);
    world_settle(&world);
    assert_string_equal(bot_of(0), "");
    assert_int_equal(slot->table.n_events, events);
    go_all(&party);
}

static const struct CMUnitTest tests[] = {
    IN_WORLD(the_others_vote_for_a_bot_until_the_owner_is_back),
    IN_WORLD(bots_play_games_to_their_end),
    IN_WORLD(a_bot_that_was_overtaken_does_not_act),
};
const struct tests_group hall_bots = TESTS_GROUP(tests);
