/* divercity_bots_test.c: what the judge says of positions is what comes of them; how bots sign. */
#include "tests.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/json_in.h"
#include "divercity/bots/divercity_judge.h"
#include "divercity/bots/divercity_signs.h"

#include <fathom/games.h>

#include <math.h>
#include <stdio.h>

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

/* One to three signs as a number, as they are on the wire. */
static unsigned sign_of(const char *signs)
{
    char text[160];
    struct fm_fault fault;
    fm_action action;
    (void)snprintf(text, sizeof text, "{\"do\":\"walkie\",\"target\":1,\"signs\":[%s]}", signs);
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    assert_int_equal(fm_game_divercity.wire->parse_action(&action, json, &fault), FM_OK);
    json_decref(json);
    return divercity_sign(divercity_signs(action), 0);
}

static void C33_bots_read_the_signs_that_they_make(void **context)
{
    (void)context;
    for (unsigned i = 0; i < DIVERCITY_SPECIES; i++) {
        const unsigned sign = divercity_sign_for(i);
        assert_in_range(sign, 1, DIVERCITY_SIGN_MAX);
        assert_int_equal(divercity_sign_meaning(sign, NULL), i);
    }
}

enum { NUDIBRANCH, CRAB, HAMMERHEAD, PORCUPINEFISH, MANDARIN, MANTA, LOBSTER };

static void C33_bots_read_what_people_would_sign(void **context)
{
    (void)context;
    static const struct {
        const char *signs;
        unsigned species;
    } people[] = {
        {"[8]", HAMMERHEAD},       {"[5,12]", MANTA},           {"[13,2]", CRAB},
        {"[2,13,2]", CRAB},        {"[12,2]", LOBSTER},         {"[1]", PORCUPINEFISH},
        {"[7,1]", PORCUPINEFISH},  {"[6,13]", MANDARIN},        {"[0,13]", NUDIBRANCH},
        {"[2]", DIVERCITY_NONE},   {"[12]", DIVERCITY_NONE},    /* several have that */
        {"[15]", DIVERCITY_NONE},  {"[10,11]", DIVERCITY_NONE}, /* none has */
        {"[2,9]", DIVERCITY_NONE},
    };
    for (size_t i = 0; i < sizeof people / sizeof people[0]; i++)
        assert_int_equal(divercity_sign_meaning(sign_of(people[i].signs), NULL), people[i].species);
    /* claws, and every crab is accounted for: a lobster */
    const int left[DIVERCITY_SPECIES] = {[LOBSTER] = 2, [MANTA] = 1};
    assert_int_equal(divercity_sign_meaning(sign_of("[2]"), left), LOBSTER);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_judge_is_right_on_average),
        cmocka_unit_test(C33_bots_read_the_signs_that_they_make),
        cmocka_unit_test(C33_bots_read_what_people_would_sign),
    };
    if (fm__hash_start() != 0)
        return 1;
    return tests_run("divercity_bots", tests, sizeof tests / sizeof tests[0]);
}
