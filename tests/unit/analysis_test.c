/* analysis_test.c: what a decision was worth follows from what the seat knew; luck and losses add
 * up to the result. */
#include "tests.h"

#include "analysis/analysis.h"
#include "base/hash.h"

#include <fathom/sim.h>

#include <stdlib.h>
#include <string.h>

#define EVENTS 400

/* How many decisions of each table are weighed twice: the program's argument. */
static unsigned twins = 3;

static const char *const tables[] = {
    "{\"game\":\"soumsoum\",\"options\":{\"players\":3,\"market\":true}}",
    "{\"game\":\"soumsoum\"}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":3}}",
    "{\"game\":\"divercity\",\"rules\":1,\"options\":{\"divers\":2}}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":2,\"industrialist\":true}}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":3,\"realistic\":true}}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":1,\"diver_cards\":\"choose\"}}",
};
#define TABLES (sizeof tables / sizeof tables[0])

static struct race race;
static struct decision decision[EVENTS];
static struct fm_event event[EVENTS];
static _Alignas(8) uint8_t match[FM_STATE_MAX];

static struct fm_setup table(const char *text)
{
    struct fm_setup setup;
    struct fm_fault fault;
    assert_int_equal(fm_setup_read(&setup, text, strlen(text), NULL, &fault), FM_OK);
    return setup;
}

/* A game of random bots; returns how many events it has. */
static size_t play(const struct fm_setup *setup)
{
    static struct fm_sim sim;
    const struct fm_bot *bots[FM_MAX_SEATS];
    size_t n = 0;
    for (unsigned seat = 0; seat < setup->n_seats; seat++)
        bots[seat] = fm_bot_find(setup->game, "random");
    assert_int_equal(fm_sim_start(&sim, setup, bots, (struct fm_budget){0}, NULL), FM_OK);
    while (!fm_sim_over(&sim)) {
        assert_true(n < EVENTS);
        assert_int_equal(fm_sim_step(&sim, &event[n++], NULL), FM_OK);
    }
    return n;
}

/* What is printed of one decision. */
static const char *as_json(struct decision *d, const struct fm_setup *setup)
{
    static char text[2][ANALYSIS_HEAD + ANALYSIS_DECISION];
    static unsigned which;
    static const char *const names[FM_MAX_SEATS] = {"a", "b", "c", "d", "e", "f", "g"};
    const struct analysis a = {.setup = setup, .seat = -1, .names = names, .decision = d, .n = 1};
    struct fm_out o;
    which = !which;
    fm_out_init(&o, text[which], sizeof text[which]);
    fm__put_analysis(&o, &a);
    assert_true(fm_out_ok(&o));
    return text[which];
}

/* A dealt world has other hidden cards and the same view. */
static void check_twin(const struct fm_setup *setup, const struct fm_event *ev, unsigned i)
{
    static struct decision here, there;
    static _Alignas(8) uint8_t twin[FM_STATE_MAX];
    struct fm_rng rng;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){(uint8_t)i}, 1);
    assert_true(fm__decision_note(&here, setup->game, match, ev));
    assert_int_equal(setup->game->deal(twin, fm_view_of(setup->game, match, ev->seat), &rng),
                     FM_OK);
    assert_true(memcmp(twin, match, setup->game->state_size) != 0);
    assert_true(fm__decision_note(&there, setup->game, twin, ev));
    fm__decision_weigh(&here, STUDY_QUICK, &race);
    memset(&race, 0xaa, sizeof race);
    fm__decision_weigh(&there, STUDY_QUICK, &race);
    assert_true(here.n > 1);
    assert_string_equal(as_json(&here, setup), as_json(&there, setup));
}

static void swapped_hidden_cards_change_nothing_in_a_decision(void **state)
{
    (void)state;
    static struct decision d;
    for (unsigned t = 0; t < TABLES; t++) {
        struct fm_setup setup = table(tables[t]);
        unsigned checked = 0;
        const size_t n = play(&setup);
        assert_int_equal(fm_init(match, &setup, NULL), FM_OK);
        for (size_t i = 0; i < n && checked < twins; i++) {
            if (i % 5 == 2 && fm__decision_note(&d, setup.game, match, &event[i]))
                check_twin(&setup, &event[i], checked++);
            assert_int_equal(fm_apply(setup.game, match, &event[i], NULL), FM_OK);
        }
        assert_true(checked > 0);
    }
}

/* Whatever the values are. */
static void luck_and_losses_add_up_to_the_result(void **state)
{
    (void)state;
    for (unsigned t = 0; t < TABLES; t++) {
        const struct fm_setup setup = table(tables[t]);
        struct analysis a = {.setup = &setup, .seat = -1, .decision = decision};
        const size_t n = fm__analysis_find(&a, match, event, play(&setup), EVENTS);
        assert_true(n > 4 && n <= EVENTS);
        for (size_t i = 0; i < n; i++) {
            struct decision *d = &decision[i];
            d->best = i % d->n;
            d->candidate[d->best].value = (int64_t)(i * 7919 % STUDY_ONE);
            d->lost = i % 3 == 0 ? d->candidate[d->best].value - d->candidate[0].value : 0;
        }
        assert_true(fm__analysis_settle(&a, match));
        for (unsigned seat = 0; seat < setup.n_seats; seat++) {
            int64_t first = -1, sum = 0;
            for (size_t i = 0; i < n; i++) {
                if (decision[i].seat != seat)
                    continue;
                if (first < 0)
                    first = decision[i].candidate[decision[i].best].value;
                sum += decision[i].luck - decision[i].lost;
            }
            assert_true(first < 0 || sum == a.seats[seat].result - first);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swapped_hidden_cards_change_nothing_in_a_decision),
        cmocka_unit_test(luck_and_losses_add_up_to_the_result),
    };
    assert_int_equal(fm__hash_start(), 0);
    if (argc > 1)
        twins = (unsigned)strtoul(argv[1], NULL, 10);
    return tests_run("analysis", tests, sizeof tests / sizeof tests[0]);
}
