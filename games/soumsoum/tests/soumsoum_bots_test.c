/* soumsoum_bots_test.c: what bots compute of the last turns is what comes of them. */
#include "tests.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/json_in.h"
#include "soumsoum/bots/soumsoum_sense.h"
#include "soumsoum/rules/soumsoum_state.h"

#include <fathom/games.h>

#include <math.h>

#define WON 4096

static void set_up(struct fm_setup *setup, const char *text)
{
    struct fm_fault fault;
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    assert_int_equal(fm_setup_parse(setup, json, NULL, &fault), FM_OK);
    json_decref(json);
}

static struct soumsoum_state after(const struct soumsoum_state *s, fm_action action)
{
    struct soumsoum_state next = *s;
    const struct fm_event ev = {.seat = s->pub.active, .action = action};
    assert_int_equal(fm_apply(&fm_game_soumsoum, &next, &ev, NULL), FM_OK);
    return next;
}

static size_t legal_of(const struct soumsoum_state *s, fm_action *out)
{
    const size_t n =
        fm_game_soumsoum.legal(fm_view_of(&fm_game_soumsoum, s, s->pub.active), out, FM_LEGAL_MAX);
    assert_in_range(n, 1, FM_LEGAL_MAX);
    return n;
}

/* What a finished game is to a seat: winning first, then the margin. */
static int result(const struct soumsoum_state *s, unsigned seat)
{
    const int ahead = (int)s->pub.score[seat] - (int)s->pub.score[1 - seat];
    return s->pub.winner == seat ? WON + ahead : ahead;
}

/* The best that who moves can do, alone until the end. */
static int best_alone(const struct soumsoum_state *s, unsigned seat)
{
    fm_action legal[FM_LEGAL_MAX];
    int best = -WON;
    if (s->pub.head.status == FM_OVER)
        return result(s, seat);
    const size_t n = legal_of(s, legal);
    for (size_t i = 0; i < n; i++) {
        const struct soumsoum_state next = after(s, legal[i]);
        const int value = best_alone(&next, seat);
        best = value > best ? value : best;
    }
    return best;
}

/* Random play until the active one has so many places to choose from. */
static struct soumsoum_state play_until(struct fm_setup *setup, unsigned i, unsigned open)
{
    struct soumsoum_state s;
    struct fm_rng rng;
    setup->seed[0] = (uint8_t)i;
    assert_int_equal(fm_init(&s, setup, NULL), FM_OK);
    fm_rng_init(&rng, setup->seed, 9);
    while (s.pub.head.phase != SOUMSOUM_PLACE || fm__count(s.pub.empty) != open) {
        const struct fm_view v = fm_view_of(&fm_game_soumsoum, &s, s.pub.active);
        s = after(&s, fm_game_soumsoum.sample(v, &rng));
    }
    return s;
}

static void the_last_turn_is_solved(void **context)
{
    (void)context;
    struct fm_setup setup;
    set_up(&setup, "{\"game\":\"soumsoum\",\"options\":{\"players\":2}}");
    for (unsigned i = 0; i < 60; i++) {
        struct soumsoum_state s = play_until(&setup, i, 1);
        const unsigned seat = s.pub.active;
        const int best = best_alone(&s, seat);
        while (s.pub.head.status != FM_OVER) {
            const fm_action a = soumsoum_solve(fm_view_of(&fm_game_soumsoum, &s, (int)seat));
            assert_true(a != 0);
            s = after(&s, a);
        }
        assert_int_equal(result(&s, seat), best);
    }
}

/* Over all hands that the rival may hold: what is left for us when it plays as well as it can. */
static double over_hands(const struct soumsoum_state *s, unsigned seat, const uint8_t *cards,
                         unsigned n)
{
    double sum = 0;
    unsigned hands = 0;
    assert_int_equal(s->pub.hand_n[1 - seat], 3);
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = i + 1; j < n; j++)
            for (unsigned k = j + 1; k < n; k++, hands++) {
                struct soumsoum_state world = *s;
                world.priv[1 - seat].hand[0] = cards[i];
                world.priv[1 - seat].hand[1] = cards[j];
                world.priv[1 - seat].hand[2] = cards[k];
                sum -= best_alone(&world, 1 - seat);
            }
    return sum / hands;
}

static void the_turn_before_it_is_solved(void **context)
{
    (void)context;
    struct fm_setup setup;
    set_up(&setup, "{\"game\":\"soumsoum\",\"options\":{\"players\":2}}");
    for (unsigned i = 0; i < 4; i++) {
        const struct soumsoum_state s = play_until(&setup, i, 2);
        const unsigned seat = s.pub.active, rival = 1 - seat;
        fm_action place[FM_LEGAL_MAX], dive[FM_LEGAL_MAX];
        uint8_t cards[SOUMSOUM_CARDS];
        unsigned n = 0;
        for (unsigned k = 0; k < s.pub.hand_n[rival]; k++)
            cards[n++] = s.priv[rival].hand[k];
        for (unsigned k = 0; k < s.pub.pile_n; k++)
            cards[n++] = s.secret.pile[k];
        const fm_action a = soumsoum_solve(fm_view_of(&fm_game_soumsoum, &s, (int)seat));
        const struct soumsoum_state mine = after(&s, a);
        const fm_action b = soumsoum_solve(fm_view_of(&fm_game_soumsoum, &mine, (int)seat));
        const struct soumsoum_state done = after(&mine, b);
        const double solved = over_hands(&done, seat, cards, n);
        const size_t places = legal_of(&s, place);
        for (size_t p = 0; p < places; p++) {
            const struct soumsoum_state laid = after(&s, place[p]);
            const size_t dives = legal_of(&laid, dive);
            for (size_t d = 0; d < dives; d++) {
                const struct soumsoum_state other = after(&laid, dive[d]);
                assert_true(over_hands(&other, seat, cards, n) <= solved + 1e-9);
            }
        }
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_turn_is_solved),
        cmocka_unit_test(the_turn_before_it_is_solved),
    };
    if (fm__hash_start() != 0)
        return 1;
    return tests_run("soumsoum_bots", tests, sizeof tests / sizeof tests[0]);
}
