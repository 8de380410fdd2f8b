/* soumsoum_analysis_test.c: the last turns of Soum Soum are valued exactly, and what does not win
 * where something else would is marked. */
#include "tests.h"

#include "analysis/analysis.h"
#include "base/bits.h"
#include "base/hash.h"
#include "soumsoum/rules/soumsoum.h"

#include <fathom/games.h>

#include <math.h>
#include <string.h>

#define GAMES 240

static struct race race;
static struct decision decision;
static _Alignas(8) uint8_t match[FM_STATE_MAX];

static struct fm_setup table(unsigned players, unsigned seed)
{
    struct fm_setup setup;
    struct fm_fault fault;
    char text[] = "{\"game\":\"soumsoum\",\"options\":{\"players\":2}}";
    strchr(text, '2')[0] = (char)('0' + players);
    assert_int_equal(fm_setup_read(&setup, text, strlen(text), NULL, &fault), FM_OK);
    setup.seed[0] = (uint8_t)seed;
    setup.seed[1] = (uint8_t)(seed >> 8);
    return setup;
}

static const struct soumsoum_pub *pub_of(const void *state)
{
    return state;
}

static bool act(void *state, fm_action action)
{
    const struct fm_event ev = {
        .t_ms = pub_of(state)->head.now_ms, .seat = pub_of(state)->active, .action = action};
    return fm_apply(&fm_game_soumsoum, state, &ev, NULL) == FM_OK;
}

static size_t legal(const void *state, fm_action *out)
{
    return fm_game_soumsoum.legal(fm_view_of(&fm_game_soumsoum, state, pub_of(state)->active), out,
                                  FM_LEGAL_MAX);
}

/* Random play until so many places are open; divers are kept for later, mostly. */
static void play_until(const struct fm_setup *setup, unsigned open, enum soumsoum_phase phase)
{
    struct fm_rng rng;
    fm_rng_init(&rng, setup->seed, 9);
    assert_int_equal(fm_init(match, setup, NULL), FM_OK);
    while (fm__count(pub_of(match)->empty) != open || pub_of(match)->head.phase != phase) {
        const struct fm_view v = fm_view_of(&fm_game_soumsoum, match, pub_of(match)->active);
        const bool keep = pub_of(match)->head.phase == SOUMSOUM_DIVER && fm_rng_below(&rng, 4) > 0;
        assert_true(act(match, keep ? soumsoum_action(SOUMSOUM_DO_PASS, 0, 0)
                                    : fm_game_soumsoum.sample(v, &rng)));
    }
}

/* Whether a seat wins when everybody plays the rest as well as can be: in the last turn, and for
 * the rival's. All cards are known in the given world. */
static bool wins(const void *state, unsigned seat)
{
    _Alignas(8) uint8_t next[FM_STATE_MAX];
    fm_action list[FM_LEGAL_MAX];
    if (pub_of(state)->head.status == FM_OVER)
        return pub_of(state)->winner == seat;
    const bool own = pub_of(state)->active == seat;
    const size_t n = legal(state, list);
    for (size_t i = 0; i < n; i++) {
        memcpy(next, state, fm_game_soumsoum.state_size);
        assert_true(act(next, list[i]));
        if (wins(next, seat) == own)
            return own;
    }
    return !own;
}

static void weigh(fm_action played)
{
    const struct fm_event ev = {.seat = pub_of(match)->active, .action = played};
    assert_true(fm__decision_note(&decision, &fm_game_soumsoum, match, &ev));
    fm__decision_weigh(&decision, STUDY_QUICK, &race);
    assert_true(decision.exact);
}

static bool wins_with(fm_action action)
{
    _Alignas(8) uint8_t next[FM_STATE_MAX];
    memcpy(next, match, sizeof next);
    const unsigned seat = pub_of(next)->active;
    assert_true(act(next, action));
    return wins(next, seat);
}

/* Every choice of the last turn, by trying out all that can follow; returns how many were marked.
 */
static unsigned check_last_turn(void)
{
    fm_action list[FM_LEGAL_MAX];
    const size_t n = legal(match, list);
    bool any = false;
    unsigned marked = 0;
    for (size_t i = 0; i < n; i++)
        any |= wins_with(list[i]);
    for (size_t i = 0; i < n && n > 1; i++) {
        const bool win = wins_with(list[i]);
        weigh(list[i]);
        assert_int_equal(decision.candidate[0].value, win ? STUDY_ONE : 0);
        assert_int_equal(decision.candidate[decision.best].value, any ? STUDY_ONE : 0);
        assert_int_equal(fm__decision_mark(&decision),
                         any && !win ? ANALYSIS_BLUNDER : ANALYSIS_NONE);
        marked += any && !win;
    }
    return marked;
}

static void a_forced_win_marks_every_other_choice(void **state)
{
    (void)state;
    unsigned marked = 0;
    for (unsigned i = 0; i < GAMES; i++) {
        const struct fm_setup setup = table(2 + i % 3, i);
        play_until(&setup, 1, SOUMSOUM_PLACE);
        marked += check_last_turn();
        play_until(&setup, 0, SOUMSOUM_DIVER);
        marked += check_last_turn();
    }
    assert_true(marked > 50);
}

/* How often a seat wins with its card and the best diver, over dealt worlds in which the rival
 * plays its last turn as well as can be. */
static double share_of_worlds(fm_action action, unsigned worlds)
{
    static _Alignas(8) uint8_t world[FM_STATE_MAX];
    const unsigned seat = pub_of(match)->active;
    struct fm_rng rng;
    unsigned won = 0;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){3}, 0);
    for (unsigned i = 0; i < worlds; i++) {
        const struct fm_view v = fm_view_of(&fm_game_soumsoum, match, (int)seat);
        assert_int_equal(fm_game_soumsoum.deal(world, v, &rng), FM_OK);
        assert_true(act(world, action));
        won += wins(world, seat);
    }
    return (double)won / worlds;
}

static void the_turn_before_the_last_is_weighed_over_the_rivals_hands(void **state)
{
    (void)state;
    unsigned between = 0;
    for (unsigned i = 0; i < 2 * GAMES; i++) {
        const struct fm_setup setup = table(2, i);
        fm_action list[FM_LEGAL_MAX];
        play_until(&setup, 1, SOUMSOUM_DIVER);
        const size_t n = legal(match, list);
        if (n < 2)
            continue; /* no diver is left */
        weigh(list[i % n]);
        const double chance = (double)decision.candidate[0].value / STUDY_ONE;
        if ((chance < 0.05 || chance > 0.95) && i > 20)
            continue; /* to try them all out would take long */
        const double share = share_of_worlds(list[i % n], 200);
        assert_true(fabs(share - chance) <= 4 * sqrt(chance * (1 - chance) / 200) + 1e-9);
        between++;
    }
    assert_true(between > 20);
}

/* Laying a card and then sending the best diver, or none. */
static void a_card_is_worth_its_best_diver(void **state)
{
    (void)state;
    for (unsigned i = 0; i < GAMES; i++) {
        const struct fm_setup setup = table(2, i);
        fm_action list[FM_LEGAL_MAX];
        int64_t best = 0;
        play_until(&setup, 2, SOUMSOUM_PLACE);
        (void)legal(match, list);
        weigh(list[0]);
        const int64_t value = decision.candidate[0].value;
        assert_true(act(match, list[0]));
        const size_t n = legal(match, list);
        for (size_t k = 0; k < n; k++) {
            if (n > 1)
                weigh(list[k]);
            const int64_t here = n > 1 ? decision.candidate[0].value : value;
            best = here > best ? here : best;
        }
        assert_int_equal(value, best);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_forced_win_marks_every_other_choice),
        cmocka_unit_test(the_turn_before_the_last_is_weighed_over_the_rivals_hands),
        cmocka_unit_test(a_card_is_worth_its_best_diver),
    };
    assert_int_equal(fm__hash_start(), 0);
    return tests_run("soumsoum_analysis", tests, sizeof tests / sizeof tests[0]);
}
