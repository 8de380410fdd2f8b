/*
 * twins_test.c: hidden means hidden, also where bytes leave the hall. Two worlds have the same
 * table, tokens and clock, and differ only in what a viewer may not know: whatever that viewer is
 * sent must be the same bytes in both: changes, refusals, legal lists, presence, what is told at a
 * reconnect, what-ifs, answers over HTTP, and what somebody without a token gets. Each leak that is
 * planted must be found.
 */
#include "server/twins.h"

#include <stdlib.h>

#define MAX_LEAKS 64
#define FINDING   12 /* matches in which a planted leak must be found; with fewer none is planted */

static unsigned matches = 10; /* random matches of each table */

static const char *const tables[] = {
    "{\"game\":\"soumsoum\",\"options\":{\"players\":2},\"listed\":true}",
    "{\"game\":\"soumsoum\",\"options\":{\"players\":4,\"market\":true}}",
    "{\"game\":\"dive\",\"options\":{\"divers\":2}}",
    "{\"game\":\"dive\",\"options\":{\"divers\":4,\"clock\":3}}",
    "{\"game\":\"dive\",\"options\":{\"divers\":4,\"companions\":\"ten\",\"clock\":20}}",
    "{\"game\":\"dive\",\"options\":{\"divers\":3,\"chief\":true,\"companions\":\"seven\"}}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":2,\"industrialist\":true}}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":4,\"level\":\"divemaster\"}}",
};

#define N_TABLES (sizeof tables / sizeof tables[0])

static void twins_hear_the_same(const char *(*check)(const char *, unsigned))
{
    planted = NOTHING;
    leak = NULL;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){11}, 0);
    for (size_t i = 0; i < N_TABLES; i++) {
        const char *wrong = check(tables[i], matches);
        if (wrong != NULL)
            fail_msg("%s: %s", tables[i], wrong);
    }
}

static void before_the_start(void **state)
{
    (void)state;
    twins_hear_the_same(check_waiting);
}

static void in_dealt_worlds(void **state)
{
    (void)state;
    twins_hear_the_same(check_dealt);
}

static void of_hidden_actions(void **state)
{
    (void)state;
    twins_hear_the_same(check_hidden);
}

static void beside_bots(void **state)
{
    (void)state;
    twins_hear_the_same(check_bots);
}

static void of_explanations(void **state)
{
    (void)state;
    twins_hear_the_same(check_why);
}

static void must_be_found(void **state)
{
    leak = *state;
    planted = leak->planted;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){12}, 0);
    const char *wrong = leak->found_by(leak->body, FINDING);
    leak = NULL;
    planted = NOTHING;
    if (wrong == NULL)
        fail_msg("it is not found");
}

int main(int argc, char **argv)
{
    static struct CMUnitTest tests[5 + MAX_LEAKS] = {
        cmocka_unit_test(before_the_start),  cmocka_unit_test(in_dealt_worlds),
        cmocka_unit_test(of_hidden_actions), cmocka_unit_test(beside_bots),
        cmocka_unit_test(of_explanations),
    };
    if (argc > 1)
        matches = (unsigned)strtoul(argv[1], NULL, 10);
    fm_assert(n_leaks <= MAX_LEAKS);
    const size_t n = matches < FINDING ? 0 : n_leaks;
    for (size_t i = 0; i < n; i++)
        tests[5 + i] = (struct CMUnitTest){.name = leaks[i].name,
                                           .test_func = must_be_found,
                                           .initial_state = (void *)(uintptr_t)&leaks[i]};
    return tests_run("hall_twins", tests, 5 + n);
}
