/* pace_test.c: every bot keeps to its budget: done when the time is up, the same again without a
 * clock. */
#include "tests.h"

#include "base/hash.h"

#include <fathom/sim.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

static uint64_t clock_reads;

static uint64_t ticking(void) /* a microsecond each time that it is looked at */
{
    return ++clock_reads;
}

static struct fm_setup table(const char *game)
{
    struct fm_setup setup;
    struct fm_fault fault;
    char text[64];
    const int n = snprintf(text, sizeof text, "{\"game\":\"%s\"}", game);
    assert_int_equal(fm_setup_read(&setup, text, (size_t)n, NULL, &fault), FM_OK);
    return setup;
}

/* Some way into a game of random play; the seat that it waits for. */
static int play_on(const struct fm_setup *setup, uint8_t *state, unsigned moves)
{
    const struct fm_game *g = setup->game;
    const struct fm_pub *pub = (const void *)state;
    struct fm_rng rng;
    fm_rng_init(&rng, setup->seed, 7);
    assert_int_equal(fm_init(state, setup, NULL), FM_OK);
    for (unsigned i = 0;; i++) {
        const int seat = __builtin_ctz(pub->owes);
        if (i >= moves)
            return seat;
        const struct fm_event ev = {.t_ms = pub->now_ms,
                                    .seat = (uint8_t)seat,
                                    .action = g->sample(fm_view_of(g, state, seat), &rng)};
        assert_int_equal(fm_apply(g, state, &ev, NULL), FM_OK);
        assert_int_equal(pub->status, FM_RUNNING);
    }
}

static fm_action think(const struct fm_bot *bot, struct fm_view v, struct fm_budget budget)
{
    struct fm_rng rng;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){3}, 1);
    return bot->think(v, &rng, budget).action;
}

static bool can_be_done(struct fm_view v, const uint8_t *state, fm_action action)
{
    static _Alignas(8) uint8_t copy[FM_STATE_MAX];
    const struct fm_event ev = {.t_ms = v.pub->now_ms, .seat = (uint8_t)v.seat, .action = action};
    memcpy(copy, state, v.game->state_size);
    return fm_apply(v.game, copy, &ev, NULL) == FM_OK;
}

/* Calls back for every bot in some positions of each of its games. */
static void for_all(void (*check)(const struct fm_bot *bot, struct fm_view v, const uint8_t *state))
{
    static _Alignas(8) uint8_t state[FM_STATE_MAX];
    const struct fm_bot *bot;
    const struct fm_game *g;
    for (size_t i = 0; (g = fm_game_at(i)) != NULL; i++) {
        struct fm_setup setup = table(g->id);
        for (unsigned moves = 0; moves < 9; moves += 4) {
            setup.seed[0]++;
            const int seat = play_on(&setup, state, moves);
            for (size_t b = 0; (bot = fm_bot_at(b)) != NULL; b++)
                if (bot->game == NULL || strcmp(bot->game, g->id) == 0)
                    check(bot, fm_view_of(g, state, seat), state);
        }
    }
}

static void late(const struct fm_bot *bot, struct fm_view v, const uint8_t *state)
{
    const struct fm_budget hurry = {.iterations = 50000, .clock_us = ticking, .until_us = 0};
    const clock_t begin = clock();
    const fm_action usual = think(bot, v, (struct fm_budget){.iterations = 5});
    const fm_action action = think(bot, v, hurry);
    if ((action == 0) != (usual == 0))
        fail_msg("%s: in a hurry it does %s", bot->id, action ? "something" : "nothing");
    if (action != 0 && !can_be_done(v, state, action))
        fail_msg("%s: in a hurry it does what it may not", bot->id);
    if (clock() - begin > 2 * CLOCKS_PER_SEC)
        fail_msg("%s: it thinks on when the time is up", bot->id);
}

static void who_is_late_acts_at_once(void **state)
{
    (void)state;
    for_all(late);
}

static void in_time(const struct fm_bot *bot, struct fm_view v, const uint8_t *state)
{
    (void)state;
    const struct fm_budget plenty = {.iterations = 20, .clock_us = ticking, .until_us = UINT64_MAX};
    const struct fm_budget counted = {.iterations = 20};
    clock_reads = 0;
    const fm_action action = think(bot, v, counted);
    assert_true(action == think(bot, v, counted));
    assert_int_equal(clock_reads, 0);
    assert_true(action == think(bot, v, plenty)); /* a clock that is not up changes nothing */
}

static void thinking_can_be_repeated(void **state)
{
    (void)state;
    for_all(in_time);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_is_late_acts_at_once),
        cmocka_unit_test(thinking_can_be_repeated),
    };
    return fm__hash_start() != 0 ? 1 : tests_run("pace", tests, sizeof tests / sizeof tests[0]);
}
