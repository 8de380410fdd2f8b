/* simulator_test.c: the simulator's time: whose move comes when, and what a deadline does. */
#include "tests.h"

#include "base/hash.h"
#include "conform/toy.h"

#include <fathom/games.h>
#include <fathom/sim.h>

#include <string.h>

static struct fm_choice bids_then_locks(struct fm_view v, struct fm_rng *rng,
                                        struct fm_budget budget)
{
    (void)rng;
    (void)budget;
    const struct toy_priv *priv = (const void *)v.priv;
    return priv->bid ? (struct fm_choice){TOY_LOCK, 100} : (struct fm_choice){TOY_BID | 1 << 8, 50};
}

static struct fm_choice sleeps(struct fm_view v, struct fm_rng *rng, struct fm_budget budget)
{
    (void)v;
    (void)rng;
    (void)budget;
    return (struct fm_choice){0, 0};
}

static struct fm_choice bids_at_the_last_moment(struct fm_view v, struct fm_rng *rng,
                                                struct fm_budget budget)
{
    (void)rng;
    (void)budget;
    const struct toy_priv *priv = (const void *)v.priv;
    return priv->bid ? (struct fm_choice){0, 0}
                     : (struct fm_choice){TOY_BID | 3 << 8, v.pub->deadline_ms - v.pub->now_ms};
}

static const struct fm_bot quick = {.id = "quick", .think = bids_then_locks};
static const struct fm_bot asleep = {.id = "asleep", .think = sleeps};
static const struct fm_bot late = {.id = "late", .think = bids_at_the_last_moment};

static void simulated_time_is_the_bots_time(void **state)
{
    (void)state;
    static struct fm_sim sim;
    struct fm_setup setup;
    struct fm_event ev;
    const struct fm_bot *bots[] = {&quick, &quick};
    toy_table(&setup, 2);
    assert_int_equal(fm_sim_start(&sim, &setup, bots, (struct fm_budget){0}, NULL), FM_OK);
    static const struct {
        uint32_t t_ms;
        uint8_t seat;
    } expected[] = {{50, 0}, {50, 1}, {150, 0}, {250, 1}};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(fm_sim_step(&sim, &ev, NULL), FM_OK);
        assert_int_equal(ev.t_ms, expected[i].t_ms);
        assert_int_equal(ev.seat, expected[i].seat);
    }
}

static void the_deadline_comes_when_nobody_acts(void **state)
{
    (void)state;
    static struct fm_sim sim;
    struct fm_setup setup;
    struct fm_event ev;
    const struct fm_bot *bots[] = {&asleep, &asleep};
    toy_table(&setup, 2);
    assert_int_equal(fm_sim_start(&sim, &setup, bots, (struct fm_budget){0}, NULL), FM_OK);
    for (uint32_t round = 1; round <= 3; round++) {
        assert_int_equal(fm_sim_step(&sim, &ev, NULL), FM_OK);
        assert_int_equal(ev.seat, FM_TABLE);
        assert_int_equal(ev.t_ms, round * TOY_ROUND_MS);
    }
    assert_true(fm_sim_over(&sim));
}

static void actions_at_the_deadline_come_first(void **state)
{
    (void)state;
    static struct fm_sim sim;
    struct fm_setup setup;
    struct fm_event ev;
    const struct fm_bot *bots[] = {&asleep, &late};
    toy_table(&setup, 2);
    assert_int_equal(fm_sim_start(&sim, &setup, bots, (struct fm_budget){0}, NULL), FM_OK);
    assert_int_equal(fm_sim_step(&sim, &ev, NULL), FM_OK);
    assert_int_equal(ev.seat, 1);
    assert_int_equal(ev.t_ms, TOY_ROUND_MS);
    assert_int_equal(fm_sim_step(&sim, &ev, NULL), FM_OK);
    assert_int_equal(ev.seat, FM_TABLE);
    assert_int_equal(ev.t_ms, TOY_ROUND_MS);
}

static void a_table_that_waits_for_nothing_is_stuck(void **state)
{
    (void)state;
    static struct fm_sim sim;
    struct fm_setup setup;
    struct fm_fault fault;
    struct fm_event ev;
    const struct fm_bot *bots[] = {&asleep, &asleep};
    const char *game = "{\"game\":\"soumsoum\"}";
    assert_int_equal(fm_setup_read(&setup, game, strlen(game), NULL, &fault), FM_OK);
    assert_int_equal(fm_sim_start(&sim, &setup, bots, (struct fm_budget){0}, NULL), FM_OK);
    assert_int_equal(fm_sim_step(&sim, &ev, NULL), FM_E_STUCK);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(simulated_time_is_the_bots_time),
        cmocka_unit_test(the_deadline_comes_when_nobody_acts),
        cmocka_unit_test(actions_at_the_deadline_come_first),
        cmocka_unit_test(a_table_that_waits_for_nothing_is_stuck),
    };
    if (fm__hash_start() != 0)
        return 1;
    return tests_run("simulator", tests, sizeof tests / sizeof tests[0]);
}
