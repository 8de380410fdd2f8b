/* conform.c: the suite over every registered game; each names its tables in one line. */
#include "conform.h"

#include "base/hash.h"
#include "base/panic.h"
#include "tests.h"
#include "toy.h"

#include <fathom/games.h>

#include <stdio.h>
#include <string.h>

const struct conform_named conform_checks[] = {
    {"random play", conform_random_play},
    {"refusals", conform_refusals},
    {"round trips", conform_round_trips},
    {"replay", conform_replay},
    {"deal", conform_deal},
    {"twins", conform_twins},
    {"fresh twins", conform_fresh_twins},
    {"hidden actions", conform_hidden},
    {"nothing to undo", conform_undo},
};
const size_t conform_n_checks = sizeof conform_checks / sizeof conform_checks[0];

#define CONFORM(game, ...)                                                                         \
    {                                                                                              \
        &fm_game_##game, (const char *const[])                                                     \
        {                                                                                          \
            __VA_ARGS__, NULL                                                                      \
        }                                                                                          \
    }

static const struct {
    const struct fm_game *game;
    const char *const *tables;
} games[] = {
    CONFORM(
        dive, "{\"game\":\"dive\"}", "{\"game\":\"dive\",\"options\":{\"divers\":3}}",
        "{\"game\":\"dive\",\"options\":{\"divers\":4}}",
        "{\"game\":\"dive\",\"options\":{\"divers\":4,\"clock\":20,\"flashlight\":true}}",
        "{\"game\":\"dive\",\"options\":{\"divers\":1,\"chief\":true}}",
        "{\"game\":\"dive\",\"options\":{\"divers\":2,\"chief\":true,\"clock\":5}}",
        "{\"game\":\"dive\",\"options\":{\"divers\":4,\"chief\":true}}",
        "{\"game\":\"dive\",\"options\":{\"divers\":2,\"children\":true}}",
        "{\"game\":\"dive\",\"options\":{\"divers\":4,\"children\":true,\"clock\":3}}",
        "{\"game\":\"dive\",\"options\":{\"divers\":2,\"companions\":\"seven\"}}",
        "{\"game\":\"dive\",\"options\":{\"divers\":4,\"companions\":\"seven\",\"clock\":30}}",
        "{\"game\":\"dive\",\"options\":{\"divers\":3,\"companions\":\"ten\",\"ages\":[1,0,2]}}",
        "{\"game\":\"dive\",\"options\":{\"divers\":4,\"companions\":\"ten\",\"clock\":30}}",
        "{\"game\":\"dive\",\"options\":{\"divers\":1,\"chief\":true,\"companions\":\"ten\"}}",
        "{\"game\":\"dive\",\"options\":{\"divers\":4,\"chief\":true,\"companions\":\"ten\"}}",
        "{\"game\":\"dive\",\"options\":{\"divers\":4,\"companions\":\"ten\"},\"setup\":"
        "{\"companions\":[\"clownfish\",\"anglerfish\",\"axolotl\",\"fugu\"]}}",
        "{\"game\":\"dive\",\"options\":{\"divers\":4,\"companions\":\"ten\"},\"setup\":"
        "{\"companions\":[\"orca\",\"dolphins\",\"octopus\",\"narwhal\"]}}",
        "{\"game\":\"dive\",\"options\":{\"divers\":3,\"companions\":\"seven\"},\"setup\":"
        "{\"companions\":[\"green-turtle\",\"great-white\",null]}}",
        "{\"game\":\"dive\",\"options\":{\"divers\":2,\"chief\":true},\"setup\":"
        "{\"pawns\":[15,20],\"chief_pawn\":14,\"chief_cards\":[{\"speeds\":[2,3,6,4],"
        "\"yellow\":[3,4]}],\"stack\":[\"red\",\"red\",\"red\",\"shark\",\"manta\",\"empty\"]}}"),
    CONFORM(soumsoum, "{\"game\":\"soumsoum\"}",
            "{\"game\":\"soumsoum\",\"options\":{\"players\":2,\"first\":1}}",
            "{\"game\":\"soumsoum\",\"options\":{\"players\":3}}",
            "{\"game\":\"soumsoum\",\"options\":{\"players\":4,\"first\":3}}",
            "{\"game\":\"soumsoum\",\"options\":{\"players\":2,\"market\":true}}",
            "{\"game\":\"soumsoum\",\"options\":{\"players\":3,\"market\":true,\"first\":0}}",
            "{\"game\":\"soumsoum\",\"options\":{\"players\":4,\"market\":true}}",
            "{\"game\":\"soumsoum\",\"options\":{\"first\":0},\"setup\":{\"hands\":"
            "[[\"shark:shark@row\"],[\"hermit:hermit@row\",\"shark:shark@around\"]]}}",
            "{\"game\":\"soumsoum\",\"options\":{\"players\":3},\"setup\":{\"pile\":[],\"hands\":"
            "[[\"shark:shark@row\"],[],[\"hermit:hermit@row\",\"shark:shark@around\"]]}}"),
    CONFORM(
        divercity, "{\"game\":\"divercity\"}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":1}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":3}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":4}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":5}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":6}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":2,\"first\":1,\"level\":\"poseidon\"}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":3,\"level\":\"cousteau\"}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":4,\"level\":\"instructor\",\"empty_deck\":"
        "\"loss\"}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":5,\"level\":\"assistant-instructor\","
        "\"first\":4}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":6,\"level\":\"divemaster\",\"any_turn\":"
        "true}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":2,\"level\":\"advanced-open-water\",\"any_"
        "turn\":true}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":2,\"beginners\":true,\"level\":"
        "\"freediving\"}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":4,\"beginners\":true,\"industrialist\":"
        "true}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":3,\"diver_cards\":\"none\"}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":1,\"diver_cards\":\"choose\"}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":2,\"diver_cards\":\"choose\"}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":4,\"diver_cards\":\"choose\"}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":1,\"diver_cards\":\"full-team\",\"any_"
        "turn\":false}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":3,\"diver_cards\":\"full-team\",\"any_"
        "turn\":true}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":6,\"diver_cards\":\"full-team\",\"any_"
        "turn\":false}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":1,\"industrialist\":true,\"diver_cards\":"
        "\"full-team\"}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":2,\"industrialist\":true,\"diver_cards\":"
        "\"random\"}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":3,\"industrialist\":true,\"diver_cards\":"
        "\"full-team\"}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":4,\"industrialist\":true,\"diver_cards\":"
        "\"random\"}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":5,\"industrialist\":true,\"diver_cards\":"
        "\"random\"}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":6,\"industrialist\":true,\"diver_cards\":"
        "\"random\"}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":2,\"realistic\":true,\"diver_cards\":"
        "\"random\"}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":3,\"realistic\":true,\"diver_cards\":"
        "\"full-team\"}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":6,\"realistic\":true,\"diver_cards\":"
        "\"random\"}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":2,\"realistic\":true,\"beginners\":true}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":3,\"realistic\":true,\"industrialist\":"
        "true,\"any_turn\":true}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":1,\"beginners\":true}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":1,\"industrialist\":true,\"any_turn\":"
        "true,\"diver_cards\":\"choose\",\"empty_deck\":\"loss\"}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":2},\"setup\":{\"species_deck\":[\"crab\","
        "\"eel\"],\"species_discard\":[\"crab\",\"crab\",\"manta\"],\"corporation_deck\":[["
        "\"boat\"],[\"boat\"],[\"boat\"],[\"boat\"],[\"boat\"],[\"boat\"]],\"corporation_discard\":"
        "[[\"rig\"],[\"rig\"],[\"rig\"]]}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":3,\"empty_deck\":\"loss\"},\"setup\":{"
        "\"species_deck\":[\"crab\",\"crab\",\"crab\",\"crab\",\"crab\",\"crab\",\"crab\",\"crab\","
        "\"crab\"],\"hands\":[[\"crab\"],[],[\"eel\",\"manta\"]],\"diver_cards\":[[\"visionary\","
        "\"explorer\"],[\"communications\",\"captain\"],[\"swimmer\"]]}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":3,\"industrialist\":true,\"any_turn\":"
        "true},\"setup\":{\"corporation_deck\":[[\"boat\"],[\"rig\"]],\"industry_hand\":[[\"rig\"],"
        "[\"boat\"],[\"hotels:red+purple\"]],\"diver_cards\":[[\"visionary\"],[],[\"captain\"]]}}"),
};

struct test {
    struct conform conform;
    conform_check *check;
};

static void run(void **state)
{
    struct test *t = *state;
    const char *wrong = t->check(&t->conform);
    if (wrong != NULL)
        fail_msg("%s: %s", t->conform.name, wrong);
}

static void every_game_is_here(void **state)
{
    (void)state;
    const struct fm_game *g;
    for (size_t i = 0; (g = fm_game_at(i)) != NULL; i++) {
        bool here = false;
        for (size_t k = 0; k < sizeof games / sizeof games[0]; k++)
            here |= games[k].game == g;
        if (!here)
            fail_msg("%s has no line in the conformance suite", g->id);
    }
}

#define MAX_TESTS 2000

static struct CMUnitTest tests[MAX_TESTS];
static struct test cases[MAX_TESTS];
static char names[MAX_TESTS][200];
static size_t n_tests;

static void add(const struct conform *conform, const struct conform_named *check)
{
    fm_assert(n_tests < MAX_TESTS);
    cases[n_tests] = (struct test){*conform, check->check};
    (void)snprintf(names[n_tests], sizeof names[0], "%s: %.120s", check->name, conform->name);
    tests[n_tests] = (struct CMUnitTest){names[n_tests], run, NULL, NULL, &cases[n_tests]};
    n_tests++;
}

int main(int argc, char **argv)
{
    /* a sanitizer build is slow: the number of matches is an argument */
    unsigned matches = 2000;
    if (argc > 1 && sscanf(argv[1], "%u", &matches) != 1)
        return 2;
    fm_assert(fm__hash_start() == 0);
    tests[n_tests++] = (struct CMUnitTest){"every registered game", every_game_is_here, 0, 0, 0};
    for (size_t g = 0; g < sizeof games / sizeof games[0]; g++) {
        for (const char *const *table = games[g].tables; *table != NULL; table++) {
            struct conform conform = {.matches = matches};
            conform_table(&conform, games[g].game, *table);
            for (size_t k = 0; k < conform_n_checks; k++)
                add(&conform, &conform_checks[k]);
        }
    }
    struct conform toy = {.name = "toy", .matches = matches};
    toy_table(&toy.setup, 3);
    for (size_t k = 0; k < conform_n_checks; k++)
        add(&toy, &conform_checks[k]);
    return tests_run("conform", tests, n_tests);
}
