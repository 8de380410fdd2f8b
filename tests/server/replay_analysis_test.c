/* replay_analysis_test.c: analyses of games that are over, by the server. */
#include "server/replay_games.h"

#include <stdio.h>
#include <string.h>

#define AT_ONCE 8 /* analyses that the server takes on */

static void assert_counts(int seat, json_t *decisions)
{
    size_t i;
    json_t *decision, *seats = json_object_get(world.json, "seats");
    assert_int_equal(json_array_size(seats), seat < 0 ? (size_t)party.n : 1u);
    json_array_foreach(decisions, i, decision) {
        assert_true(seat < 0 || int_of(decision, "seat") == seat);
        assert_true(json_array_size(json_object_get(decision, "candidates")) > 1);
    }
}

static void an_analysis_has_the_decisions_of_all_seats_or_of_one(void **state)
{
    (void)state;
    play(SOUM_MARKET, 6);
    assert_int_equal(ASK("GET", NULL, "/api/tables/%s/analysis", party.id), 200);
    assert_string_equal(world_text(&world, "game"), "soumsoum");
    assert_string_equal(world_text(&world, "budget"), "quick");
    json_t *all = json_incref(json_object_get(world.json, "decisions"));
    assert_counts(-1, all);
    size_t n = 0;
    for (int seat = 0; seat < party.n; seat++) {
        assert_int_equal(ASK("GET", NULL, "/api/tables/%s/analysis/%d", party.id, seat), 200);
        json_t *own = json_object_get(world.json, "decisions");
        assert_counts(seat, own);
        n += json_array_size(own);
    }
    assert_true(n > 0);
    assert_int_equal(n, json_array_size(all));
    json_decref(all);
    go_all(&party);
}

static void an_analysis_is_of_games_that_are_over_and_of_their_seats(void **state)
{
    (void)state;
    open_party(&party, SOUM_MARKET);
    assert_int_equal(ASK("GET", NULL, "/api/tables/%s/analysis", party.id), 409);
    play_at_random(&party, 7);
    assert_int_equal(ASK("GET", NULL, "/api/tables/%s/analysis/3", party.id), 400);
    static const char *const wrong[] = {"table", "-1", "00", "1/", "", "0x"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(ASK("GET", NULL, "/api/tables/%s/analysis/%s", party.id, wrong[i]), 404);
    go_all(&party);
}

/* As many as are waiting, and no more of one address than its share. */
static int count_taken(const char *const address[AT_ONCE + 2])
{
    static struct call calls[AT_ONCE + 2];
    char path[128];
    int taken = 0;
    (void)snprintf(path, sizeof path, "/api/tables/%s/analysis/0", party.id);
    for (size_t i = 0; i < AT_ONCE + 2; i++) {
        calls[i] = (struct call){.address = address[i]};
        world_send(&world, &calls[i], "GET", NULL, NULL, path);
    }
    world_settle(&world);
    for (size_t i = 0; i < AT_ONCE + 2; i++) {
        assert_int_equal(calls[i].answers, 1);
        assert_true(calls[i].status == 200 || calls[i].status == 429);
        taken += calls[i].status == 200;
        call_finish(&calls[i]);
    }
    return taken;
}

static void one_address_cannot_take_all_analyses(void **state)
{
    static const char *const one[AT_ONCE + 2] = {
        "2001:db8::1", "2001:db8::1", "2001:db8::1", "2001:db8::1", "2001:db8::1",
        "2001:db8::1", "2001:db8::1", "2001:db8::1", "2001:db8::1", "2001:db8::1"};
    static const char *const many[AT_ONCE + 2] = {
        "192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5",
        "192.0.2.6", "192.0.2.7", "192.0.2.8", "192.0.2.9", "192.0.2.10"};
    (void)state;
    play(SOUM_MARKET, 8);
    go_all(&party);
    assert_int_equal(count_taken(one), 2);
    assert_int_equal(count_taken(many), AT_ONCE);
}

static void who_hangs_up_is_not_analysed_for(void **state)
{
    struct call gone = {0};
    char path[128];
    (void)state;
    play(SOUM_MARKET, 9);
    go_all(&party);
    (void)snprintf(path, sizeof path, "/api/tables/%s/analysis", party.id);
    world_send(&world, &gone, "GET", NULL, NULL, path);
    srv_hall_hung_up(world.hall, &gone.call);
    world_settle(&world);
    assert_int_equal(gone.answers, 0);
    assert_int_equal(world_slot(&world, party.id)->n_jobs, 0);
    call_finish(&gone);
}

static const struct CMUnitTest tests[] = {
    IN_WORLD(an_analysis_has_the_decisions_of_all_seats_or_of_one),
    IN_WORLD(an_analysis_is_of_games_that_are_over_and_of_their_seats),
    IN_WORLD(one_address_cannot_take_all_analyses),
    IN_WORLD(who_hangs_up_is_not_analysed_for),
};
const struct tests_group replay_analysis = TESTS_GROUP(tests);
