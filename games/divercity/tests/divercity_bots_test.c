/* divercity_bots_test.c: what the judge says of positions is what comes of them. */
#include "tests.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/json_in.h"
#include "divercity/bots/divercity_judge.h"

#include <fathom/games.h>

#include <math.h>

static void set_up(struct fm_setup *setup, const char *text)
{
    struct fm_fault fault;
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    assert_int_equal(fm_setup_parse(setup, json, NULL, &fault), FM_OK);
    json_decref(json);
}

/* Of positions in the middle of games between pilots, as many are won as the judge says. */
static void the_judge_is_right_on_average(void **context)
{
    (void)context;
    static _Alignas(8) uint8_t state[FM_STATE_MAX];
    const struct divercity_pub *sea = (const void *)state;
    struct fm_setup setup;
    double said = 0, won = 0, brier = 0;
    const unsigned games = 600;
    set_up(&setup,
           "{\"game\":\"divercity\",\"options\":{\"divers\":2,\"level\":\"advanced-open-water\"}}");
    for (unsigned i = 0; i < games; i++) {
        double chance = -1;
        setup.seed[0] = (uint8_t)i;
        setup.seed[1] = (uint8_t)(i >> 8);
        assert_int_equal(fm_init(state, &setup, NULL), FM_OK);
        while (sea->head.status != FM_OVER) {
            const unsigned seat = fm__lowest(sea->head.owes);
            const struct fm_view v = fm_view_of(&fm_game_divercity, state, (int)seat);
            if (sea->round == 14 && sea->head.phase == DIVERCITY_ACTION && !sea->acted)
                chance = (double)divercity_judge_chance(v);
            const struct fm_event ev = {.seat = (uint8_t)seat,
                                        .action =
                                            divercity_ranger_choose(v, &divercity_weights_pilot)};
            assert_int_equal(fm_apply(&fm_game_divercity, state, &ev, NULL), FM_OK);
        }
        if (chance < 0) /* it was over before */
            chance = sea->saved >= sea->to_save ? 1 : 0;
        const double truth = sea->saved >= sea->to_save ? 1 : 0;
        said += chance / games;
        won += truth / games;
        brier += (chance - truth) * (chance - truth) / games;
    }
    assert_true(fabs(said - won) < 0.08);
    assert_true(brier < 0.75 * won * (1 - won)); /* and it knows more than the average */
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_judge_is_right_on_average),
    };
    if (fm__hash_start() != 0)
        return 1;
    return tests_run("divercity_bots", tests, sizeof tests / sizeof tests[0]);
}
