/* replay_analysis_test.c: who may ask the server for an analysis. That it is the one that the
 * program prints is checked over sockets (replay.py). */
#include "server/replay_games.h"

#include <stdio.h>
#include <string.h>

#define AT_ONCE 8 /* analyses that the server takes on */

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

/* Asks from these addresses, and hangs up; returns how many were taken on. */
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
    for (size_t i = 0; i < AT_ONCE + 2; i++) {
        taken += calls[i].answers == 0;
        assert_int_equal(calls[i].status, calls[i].answers == 0 ? 0 : 429);
        srv_hall_hung_up(world.hall, &calls[i].call);
    }
    world_settle(&world);
    for (size_t i = 0; i < AT_ONCE + 2; i++)
        call_finish(&calls[i]);
    assert_int_equal(world_slot(&world, party.id)->n_jobs, 0);
    return taken;
}

static void one_address_cannot_take_all_analyses_and_who_hangs_up_gets_none(void **state)
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

static const struct CMUnitTest tests[] = {
    IN_WORLD(an_analysis_is_of_games_that_are_over_and_of_their_seats),
    IN_WORLD(one_address_cannot_take_all_analyses_and_who_hangs_up_gets_none),
};
const struct tests_group replay_analysis = TESTS_GROUP(tests);
