/* dive_bots_test.c: what bots of Dive are made of: regret, imagined dives, the race; and mako. */
#include "tests.h"

#include "base/json_in.h"
#include "bots/regret.h"
#include "dive/bots/dive_sense.h"
#include "dive/rules/dive_state.h"

#include <fathom/bot.h>
#include <fathom/games.h>

#include <math.h>
#include <string.h>

static struct fm_rng rng_of(unsigned number)
{
    struct fm_rng rng;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){9}, number);
    return rng;
}

static void start(struct dive_state *s, const char *table, unsigned number)
{
    struct fm_setup setup;
    struct fm_fault fault;
    json_t *json = fm_json_load(table, strlen(table), &fault);
    assert_non_null(json);
    assert_int_equal(fm_setup_parse(&setup, json, NULL, &fault), FM_OK);
    json_decref(json);
    setup.seed[0] = (uint8_t)number;
    setup.seed[1] = (uint8_t)(number >> 8);
    assert_int_equal(fm_init(s, &setup, NULL), FM_OK);
}

/* ---- regret ---------------------------------------------------------------------------------- */

/* Two players, one wins what the other loses; what each plays on average. */
static void play_out(const float gain[3][3], unsigned n, float average[2][3])
{
    static struct regret r[2];
    struct fm_rng rng = rng_of(1);
    fm__regret_init(&r[0], n);
    fm__regret_init(&r[1], n);
    for (unsigned i = 0; i < 60000; i++) {
        const unsigned a = fm__regret_pick(&r[0], &rng), b = fm__regret_pick(&r[1], &rng);
        float x[3], y[3];
        for (unsigned k = 0; k < n; k++) {
            x[k] = gain[k][b];
            y[k] = -gain[a][k];
        }
        fm__regret_learn(&r[0], x);
        fm__regret_learn(&r[1], y);
    }
    for (unsigned p = 0; p < 2; p++) {
        float sum = 0;
        for (unsigned k = 0; k < n; k++)
            sum += r[p].played[k];
        for (unsigned k = 0; k < n; k++)
            average[p][k] = r[p].played[k] / sum;
    }
}

static void near(float is, double wanted)
{
    if (fabs((double)is - wanted) > .03)
        fail_msg("%.3f, not %.3f", (double)is, wanted);
}

static void regret_finds_the_equilibrium_of_small_games(void **state)
{
    /* Both must be indifferent: the first plays 2 to 3, and so does the second. */
    static const float coins[3][3] = {{2, -1}, {-1, 1}};
    /* Scissors count double when they cut: paper is shown more often, stone too. */
    static const float hands[3][3] = {{0, -1, 2}, {1, 0, -1}, {-2, 1, 0}};
    float average[2][3];
    (void)state;
    play_out(coins, 2, average);
    for (unsigned p = 0; p < 2; p++)
        near(average[p][0], .4);
    play_out(hands, 3, average);
    for (unsigned p = 0; p < 2; p++) {
        near(average[p][0], .25);
        near(average[p][1], .5);
        near(average[p][2], .25);
    }
}

static void regret_forgets_what_is_never_best(void **state)
{
    static struct regret r;
    static const float value[] = {.2f, .9f, .1f};
    static const float otherwise[] = {9, 1, 9}; /* what was hardly played is not chosen */
    (void)state;
    fm__regret_init(&r, 3);
    for (unsigned i = 0; i < 200; i++)
        fm__regret_learn(&r, value);
    assert_int_equal(fm__regret_choose(&r, otherwise), 1);
}

/* ---- imagined dives -------------------------------------------------------------------------- */

/* A round somewhere in a game, with every companion's effect now and then. */
static void some_round(struct dive_state *s, unsigned number, struct fm_rng *rng)
{
    static const char *const tables[] = {
        "{\"game\":\"dive\",\"options\":{\"divers\":2}}",
        "{\"game\":\"dive\",\"options\":{\"divers\":4}}",
        "{\"game\":\"dive\",\"options\":{\"divers\":3,\"chief\":true}}",
        "{\"game\":\"dive\",\"options\":{\"divers\":1,\"chief\":true}}",
    };
    start(s, tables[number % 4], number);
    const unsigned n = s->pub.head.n_seats;
    for (unsigned who = 0; who < DIVE_PAWNS; who++)
        if (who < n || (who == DIVE_CHIEF && s->pub.chief_on))
            s->pub.pawn[who] = (uint8_t)fm_rng_below(rng, DIVE_GOAL);
    static const uint8_t effects[] = {DIVE_GREEN_TURTLE, DIVE_NARWHAL, DIVE_DOLPHINS,
                                      DIVE_GREAT_WHITE};
    for (unsigned i = 0; i < sizeof effects; i++)
        if (n > 1 && fm_rng_below(rng, 4) == 0)
            s->pub.effect[effects[i]] = (uint8_t)fm_rng_below(rng, n);
    if (s->pub.effect[DIVE_DOLPHINS] != DIVE_NONE)
        s->pub.target = (uint8_t)((s->pub.effect[DIVE_DOLPHINS] + 1) % n);
    if (fm_rng_below(rng, 8) == 0)
        s->pub.stack_n = (uint8_t)fm_rng_below(rng, 6);
    for (unsigned seat = 0; seat < n; seat++) {
        const enum dive_kit kit = fm_rng_below(rng, 3);
        s->pub.companion[seat] = kit == DIVE_KIT_ANGLERFISH ? DIVE_ANGLERFISH : DIVE_CLOWNFISH;
        s->priv[seat].program = dive_program_at(kit, fm_rng_below(rng, dive_program_count(kit)));
    }
}

static struct dive_board board_of(uint32_t program)
{
    struct dive_board b = {.depth = (uint8_t)dive_depth(program),
                           .faces = (uint8_t)(program >> DIVE_FACE_BIT & 0x3f)};
    uint8_t speed[DIVE_DEEPEST + 1];
    dive_speeds(program, speed);
    memcpy(b.speed, speed + 1, sizeof b.speed);
    return b;
}

static void imagined_dives_go_as_the_rules_have_it(void **state)
{
    struct fm_rng rng = rng_of(3);
    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        struct dive_state s;
        struct dive_world w = {0};
        struct dive_board board[DIVE_SEATS];
        struct dive_after after;
        some_round(&s, i, &rng);
        for (unsigned level = 0; level < DIVE_DEEPEST && level < s.pub.stack_n; level++)
            w.kind[level] = s.secret.stack[s.pub.stack_n - 1 - level] & (DIVE_KINDS - 1);
        w.chief = s.pub.chief_on;
        if (w.chief)
            dive_chief_card(s.secret.chief[s.pub.chief_n - 1], w.chief_speed, &w.chief_yellow);
        for (unsigned seat = 0; seat < s.pub.head.n_seats; seat++)
            board[seat] = board_of(s.priv[seat].program);
        dive_imagine(&s.pub, &w, board, &after);
        (void)dive_resolve(&s, NULL);
        assert_memory_equal(after.pawn, s.pub.pawn, sizeof after.pawn);
        assert_int_equal(after.cards, s.pub.log.n_cards);
        for (unsigned seat = 0; seat < s.pub.head.n_seats; seat++)
            assert_int_equal(after.erred >> seat & 1,
                             (s.pub.log.judged[seat] & ~s.pub.log.right[seat]) != 0);
    }
}

/* ---- the race -------------------------------------------------------------------------------- */

static void the_race_favours_who_is_ahead(void **state)
{
    static struct dive_race race;
    struct dive_state s;
    struct fm_eyes eyes;
    struct fm_fault fault;
    (void)state;
    start(&s, "{\"game\":\"dive\",\"options\":{\"divers\":3,\"chief\":true}}", 1);
    assert_int_equal(fm_eyes_named(&eyes, "average", &fault), FM_OK);
    dive_race_make(&race, &s.pub, &eyes);
    for (unsigned p = 0; p < DIVE_GOAL; p++) {
        near(race.diver[p][p], .5);
        for (unsigned q = 0; q + 3 < p; q++)
            assert_true(race.diver[p][q] > .5f && race.diver[q][p] < .5f);
    }
    float sum = 0;
    const uint8_t pawn[DIVE_PAWNS] = {12, 7, 15, 0, 9};
    for (unsigned seat = 0; seat < 3; seat++)
        sum += dive_race_win(&race, &s.pub, pawn, 20, seat);
    assert_true(sum > .5f && sum < 1); /* the chief has the rest */
    const uint8_t over[DIVE_PAWNS] = {24, 24, 15, 0, 9}, chief[DIVE_PAWNS] = {24, 20, 15, 0, 24};
    near(dive_race_win(&race, &s.pub, over, 20, 0), .5);
    near(dive_race_win(&race, &s.pub, over, 20, 2), 0);
    near(dive_race_win(&race, &s.pub, chief, 20, 0), 0); /* D42 */
}

/* ---- mako ------------------------------------------------------------------------------------ */

static void mako_never_knows_the_truth(void **state)
{
    const struct fm_bot *mako = fm_bot_find(&fm_game_dive, "mako");
    struct fm_eyes eyes;
    struct fm_fault fault;
    struct fm_rng rng = rng_of(4);
    (void)state;
    assert_non_null(mako);
    assert_int_equal(fm_eyes_named(&eyes, "average", &fault), FM_OK);
    for (unsigned i = 0; i < 12; i++) {
        struct dive_state a, b;
        struct fm_sight sight = {0};
        start(&a, "{\"game\":\"dive\",\"options\":{\"divers\":3,\"chief\":true}}", i);
        fm_game_dive.look(&a, &eyes, &rng, &sight);
        const struct fm_view view = fm_view_of(&fm_game_dive, &a, 1);
        assert_int_equal(fm_game_dive.deal(&b, view, &rng), FM_OK);
        const struct fm_budget budget = {.eyes = &eyes, .sight = &sight, .iterations = 80};
        struct fm_rng x = rng, y = rng;
        const struct fm_choice p = mako->think(view, &x, budget);
        const struct fm_choice q = mako->think(fm_view_of(&fm_game_dive, &b, 1), &y, budget);
        assert_int_equal(p.action, q.action);
        assert_int_equal(p.after_ms, q.after_ms);
        assert_int_equal(fm_verb(p.action), DIVE_DO_PROGRAM);
        assert_int_equal(dive_program_ready((uint32_t)dive_action_rest(p.action), false), FM_OK);
    }
}

/* How deep it dives in all, in ten rounds with these pawns in Deep Waters. */
static unsigned depths(uint8_t own, uint8_t other)
{
    const struct fm_bot *mako = fm_bot_find(&fm_game_dive, "mako");
    struct fm_eyes eyes;
    struct fm_fault fault;
    struct fm_rng rng = rng_of(5);
    unsigned sum = 0;
    assert_int_equal(fm_eyes_named(&eyes, "short-sighted", &fault), FM_OK);
    for (unsigned i = 0; i < 10; i++) {
        struct dive_state s;
        struct fm_sight sight = {0};
        start(&s, "{\"game\":\"dive\",\"options\":{\"divers\":2}}", i);
        s.pub.pawn[0] = own;
        s.pub.pawn[1] = other;
        fm_game_dive.look(&s, &eyes, &rng, &sight);
        const struct fm_budget budget = {.eyes = &eyes, .sight = &sight};
        const struct fm_choice c = mako->think(fm_view_of(&fm_game_dive, &s, 0), &rng, budget);
        sum += dive_depth((uint32_t)dive_action_rest(c.action));
    }
    return sum;
}

/* Where one level wins it takes no risk; where only a long dive is left it takes that. */
static void mako_knows_what_is_enough(void **state)
{
    (void)state;
    assert_true(depths(DIVE_GOAL - 1, DIVE_GOAL / 2) <= 14);
    assert_true(depths(DIVE_GOAL - 5, DIVE_GOAL - 1) >= 36);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regret_finds_the_equilibrium_of_small_games),
        cmocka_unit_test(regret_forgets_what_is_never_best),
        cmocka_unit_test(imagined_dives_go_as_the_rules_have_it),
        cmocka_unit_test(the_race_favours_who_is_ahead),
        cmocka_unit_test(mako_never_knows_the_truth),
        cmocka_unit_test(mako_knows_what_is_enough),
    };
    return tests_run("dive bots", tests, sizeof tests / sizeof tests[0]);
}
