/* divercity_analysis_test.c: a play that wins at once is seen to, for divers and for the
 * industrialist; and what a seat knew of its own cards. */
#include "tests.h"

#include "analysis/analysis.h"
#include "base/hash.h"
#include "divercity/rules/divercity.h"

#include <fathom/games.h>

#include <jansson.h>
#include <math.h>
#include <string.h>

static struct race race;
static struct decision decision;
static _Alignas(8) uint8_t match[FM_STATE_MAX];

static const struct divercity_pub *pub_of(const void *state)
{
    return state;
}

static void begin(const char *table, const char *position)
{
    struct fm_setup setup;
    struct fm_fault fault;
    json_t *json = json_loads(position, 0, NULL);
    assert_int_equal(fm_setup_read(&setup, table, strlen(table), NULL, &fault), FM_OK);
    assert_int_equal(setup.game->wire->parse_position(&setup, json, &fault), FM_OK);
    setup.has_position = true;
    json_decref(json);
    assert_int_equal(fm_init(match, &setup, NULL), FM_OK);
}

static void act(unsigned seat, fm_action action)
{
    const struct fm_event ev = {
        .t_ms = pub_of(match)->head.now_ms, .seat = (uint8_t)seat, .action = action};
    assert_int_equal(fm_apply(&fm_game_divercity, match, &ev, NULL), FM_OK);
}

static void weigh(unsigned seat, fm_action played)
{
    const struct fm_event ev = {.seat = (uint8_t)seat, .action = played};
    assert_true(fm__decision_note(&decision, &fm_game_divercity, match, &ev));
    fm__decision_weigh(&decision, STUDY_QUICK, &race);
}

/* All that the seat would consider, but for one action that wins, is marked. */
static void check_forced_win(unsigned seat, fm_action winner)
{
    struct study_value all[STUDY_CANDIDATES];
    weigh(seat, winner);
    const size_t n = decision.n;
    memcpy(all, decision.candidate, sizeof all);
    assert_int_equal(all[0].value, STUDY_ONE);
    assert_int_equal(decision.best, 0);
    assert_int_equal(decision.lost, 0);
    assert_true(n > 2);
    for (size_t i = 1; i < n; i++) {
        weigh(seat, all[i].action);
        assert_int_equal(decision.candidate[decision.best].action, winner);
        assert_int_equal(decision.candidate[decision.best].value, STUDY_ONE);
        assert_true(fm__decision_mark(&decision) != ANALYSIS_NONE);
    }
}

#define DIVERS "{\"game\":\"divercity\",\"options\":{\"divers\":2,\"diver_cards\":\"none\"}}"
#define INDUSTRY                                                                                   \
    "{\"game\":\"divercity\",\"options\":{\"divers\":2,\"diver_cards\":\"none\","                  \
    "\"industrialist\":true}}"
/* One more is needed to win, and two more to lose, or both of two hotels. */
#define CLOSE                                                                                      \
    "\"hotels\":[\"green\",\"yellow\",\"blue\",\"orange\"],\"ladder\":{\"crab\":\"green\","        \
    "\"eel\":\"saved\",\"manta\":\"saved\",\"oyster\":\"saved\",\"turtle\":\"saved\","             \
    "\"hammerhead\":\"extinct\",\"porcupinefish\":\"extinct\",\"mandarin\":\"extinct\""

/* Every other choice leaves the sea to corporations that need one more species. */
static void a_forced_win_of_the_divers_marks_every_other_choice(void **state)
{
    (void)state;
    begin(DIVERS,
          "{\"active\":1,\"hands\":[[\"crab\",\"eel\"],[\"manta\",\"manta\"]],"
          "\"corporation_deck\":[[\"hotels:green+blue\"],[\"hotels:blue+yellow\"],[\"boat\"],"
          "[\"boat\"],[\"boat\"],[\"boat\"]]," CLOSE ",\"lobster\":\"extinct\","
          "\"nudibranch\":\"red\",\"octopus\":\"red\",\"starfish\":\"red\"}}");
    act(1, divercity_talk(DIVERCITY_DO_WALKIE, 0, 0));
    check_forced_win(0, divercity_action(DIVERCITY_DO_PLAY, 0, 0));
}

/* Every other card lets the next diver win. */
static void a_forced_win_of_the_industrialist_marks_every_other_choice(void **state)
{
    (void)state;
    begin(INDUSTRY, "{\"active\":0,\"hands\":[[\"manta\",\"manta\"],[\"crab\",\"crab\"]],"
                    "\"corporation_deck\":[[\"boat\"],[\"boat\"]],\"industry_hand\":[[\"boat\"],"
                    "[\"hotels:red+purple\"],[\"boat\"],[\"boat\"]]," CLOSE "}}");
    act(2, divercity_action(DIVERCITY_DO_INDUSTRY, 0, 0));
    act(0, divercity_talk(DIVERCITY_DO_WALKIE, 1, 0));
    check_forced_win(2, divercity_action(DIVERCITY_DO_INDUSTRY, 1, 0));
}

/* An own card that was told is certain, the others are counted. */
static void a_seat_knew_what_it_was_told(void **state)
{
    (void)state;
    char text[4096];
    struct fm_out o;
    begin(DIVERS, "{\"active\":1,\"hands\":[[\"crab\",\"eel\"],[\"manta\",\"manta\"]],"
                  "\"corporation_deck\":[]}");
    act(1, divercity_talk(DIVERCITY_DO_WALKIE, 0, 0));
    weigh(0, divercity_action(DIVERCITY_DO_PLAY, 1, 0));
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm__study_of(&fm_game_divercity)->put_knew(&o, fm__decision_view(&decision), NULL, 0);
    fm_js_end_object(&o);
    json_t *knew = json_loads(text, 0, NULL);
    const json_t *cards = json_object_get(knew, "cards");
    static const char *const told[] = {"crab", "eel"};
    assert_int_equal(json_array_size(cards), 2);
    for (size_t i = 0; i < 2; i++) {
        const json_t *species = json_object_get(json_array_get(cards, i), "species");
        assert_int_equal(json_object_size(species), DIVERCITY_SPECIES);
        assert_true(json_real_value(json_object_get(species, told[i])) == 1);
        assert_true(json_real_value(json_object_get(species, told[!i])) == 0);
    }
    /* of five mantas two are in sight, and of all 60 cards four */
    const json_t *pile = json_object_get(knew, "pile");
    assert_true(fabs(json_real_value(json_object_get(pile, "manta")) - 3.0 / 56) < 1e-5);
    assert_true(fabs(json_real_value(json_object_get(pile, "turtle")) - 5.0 / 56) < 1e-5);
    json_decref(knew);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_forced_win_of_the_divers_marks_every_other_choice),
        cmocka_unit_test(a_forced_win_of_the_industrialist_marks_every_other_choice),
        cmocka_unit_test(a_seat_knew_what_it_was_told),
    };
    assert_int_equal(fm__hash_start(), 0);
    return tests_run("divercity_analysis", tests, sizeof tests / sizeof tests[0]);
}
