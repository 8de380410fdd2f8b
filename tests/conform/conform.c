/*
 * conform.c: the suite over every registered game: conform MATCHES GAME_FOLDER…
 *
 * A game's tests/tables.json lists the tables that are played, with the most different rules. A
 * sanitizer's build is slow: how many matches of each is an argument.
 */
#include "conform.h"

#include "base/hash.h"
#include "base/panic.h"
#include "tests.h"
#include "toy.h"

#include <fathom/game.h>

#include <jansson.h>
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
    {"fields", conform_fields},
    {"nothing to undo", conform_undo},
};
const size_t conform_n_checks = sizeof conform_checks / sizeof conform_checks[0];

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

static void every_game_is_here(void **state)
{
    (void)state;
    const struct fm_game *g;
    for (size_t i = 0; (g = fm_game_at(i)) != NULL; i++) {
        size_t k = 0;
        while (k < n_tests && cases[k].conform.setup.game != g)
            k++;
        if (k == n_tests)
            fail_msg("%s: no table of it is played here", g->id);
    }
}

static void add_table(json_t *table, unsigned matches)
{
    struct conform conform = {.matches = matches};
    const struct fm_game *game = fm_game_find(json_string_value(json_object_get(table, "game")));
    fm_assert(game != NULL);
    conform_table(&conform, game, json_dumps(table, JSON_COMPACT)); /* its name; kept to the end */
    for (size_t k = 0; k < conform_n_checks; k++)
        add(&conform, &conform_checks[k]);
}

/* False: there are no tables in that folder. */
static bool add_tables(const char *folder, unsigned matches)
{
    char path[4096];
    json_error_t error;
    json_t *table;
    size_t i;
    (void)snprintf(path, sizeof path, "%s/tests/tables.json", folder);
    json_t *all = json_load_file(path, 0, &error);
    if (!json_is_array(all)) {
        (void)fprintf(stderr, "%s:%d: %s\n", path, error.line, error.text);
        return false;
    }
    json_array_foreach(all, i, table)
        add_table(table, matches);
    json_decref(all);
    return true;
}

int main(int argc, char **argv)
{
    unsigned matches;
    if (argc < 2 || sscanf(argv[1], "%u", &matches) != 1)
        return 2;
    fm_assert(fm__hash_start() == 0);
    tests[n_tests++] = (struct CMUnitTest){"every registered game", every_game_is_here, 0, 0, 0};
    for (int i = 2; i < argc; i++)
        if (!add_tables(argv[i], matches))
            return 1;
    struct conform toy = {.name = "toy", .matches = matches};
    toy_table(&toy.setup, 3);
    for (size_t k = 0; k < conform_n_checks; k++)
        add(&toy, &conform_checks[k]);
    return tests_run("conform", tests, n_tests);
}
