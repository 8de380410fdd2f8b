/* ocean_witness_test.c: what eyes make of a past stack follows from its pictures alone, and so does
 * what a decision is said to be worth. */
#include "ocean_game.h"

#include "analysis/scenes.h"
#include "ocean/witness.h"

/* Sharp eyes look at three times as many pictures: only where their word is compared. */
static struct oc_witness *witness, *plain_witness;
static struct oc_sheets third; /* a stack, and what is seen of it */
static struct fm__scene third_scene;

static struct fm_stack stack_of(int left)
{
    return (struct fm_stack){.round = 1, .n = (uint8_t)left, .open = true};
}

static struct fm__scene look(struct oc_witness *w, const struct oc_sheets *s, struct fm_stack stack)
{
    struct fm__scene scene = {0};
    struct fm_fault fault;
    if (oc_witness_look(w, s, &stack, &scene, &fault) != FM_OK)
        fail_msg("%s", fault.text);
    return scene;
}

static void check_belief(const struct fm__belief *b)
{
    for (unsigned level = 0; level < b->levels; level++) {
        uint32_t sum = 0;
        for (unsigned kind = 0; kind < FM_EYES_KINDS; kind++)
            sum += b->chance[level][kind];
        assert_int_equal(sum, FM__SCENE_ONE);
    }
}

static void chances_make_one_and_the_truth_is_what_was_dealt(void **state)
{
    const struct fm__scene scene = third_scene;
    (void)state;
    assert_int_equal(scene.average.levels, FM_EYES_LEVELS);
    assert_int_equal(scene.sharp.levels, FM_EYES_LEVELS);
    check_belief(&scene.average);
    check_belief(&scene.sharp);
    for (int level = 0; level < FM_EYES_LEVELS; level++) {
        assert_int_equal(scene.there[level], third.sheet[29 - level].kind);
        assert_in_range(scene.shark[level], 100 * OC_VISIBLE, 100);
        assert_in_range(scene.helper[level], 100 * OC_VISIBLE, 100);
    }
    assert_true(scene.average.chance[0][scene.there[0]] > FM__SCENE_ONE / 2);
}

static void a_stack_has_no_more_levels_than_sheets(void **state)
{
    static struct oc_sheets s;
    struct fm_stack closed = stack_of(30);
    (void)state;
    make_number(&s, oc_waters, 4);
    assert_int_equal(look(plain_witness, &s, stack_of(2)).average.levels, 2);
    closed.open = false;
    assert_int_equal(look(plain_witness, &s, closed).average.levels, 0);
}

/* The same drawings under other names: eyes get pictures, and no kind. */
static void eyes_are_not_told_what_a_sheet_is(void **state)
{
    struct oc_sheets s = third;
    const struct fm__scene a = third_scene;
    (void)state;
    for (int i = 0; i < OC_SHEETS; i++)
        s.sheet[i].kind = (uint8_t)((s.sheet[i].kind + 3) % OC_KINDS);
    const struct fm__scene b = look(in_a_hurry() ? plain_witness : witness, &s, stack_of(30));
    assert_memory_equal(&a.average, &b.average, sizeof a.average);
    if (!in_a_hurry())
        assert_memory_equal(&a.sharp, &b.sharp, sizeof a.sharp);
    assert_memory_not_equal(a.there, b.there, sizeof a.there);
}

static void the_octopus_hides_what_is_below_it(void **state)
{
    static struct oc_sheets s;
    struct fm_stack covered = stack_of(OC_SHEETS);
    (void)state;
    make_number(&s, oc_waters, 6);
    covered.covered = true;
    covered.x = covered.y = FM_STACK_SCALE / 2;
    const struct fm__scene a = look(plain_witness, &s, stack_of(OC_SHEETS));
    const struct fm__scene b = look(plain_witness, &s, covered);
    assert_memory_not_equal(&a.average, &b.average, sizeof a.average);
    assert_memory_equal(a.there, b.there, sizeof a.there);
}

/* ---- twins ----------------------------------------------------------------------------------- */

#define REPORT (ANALYSIS_HEAD + ANALYSIS_DECISION)

/* The masked bits of some bytes, in another order. */
static void reverse(uint8_t *at, unsigned n, uint8_t mask)
{
    for (unsigned i = 0; i < n / 2; i++) {
        uint8_t *a = &at[i], *b = &at[n - 1 - i];
        const uint8_t differ = (*a ^ *b) & mask;
        *a ^= differ;
        *b ^= differ;
    }
}

/* What seat 0 would be told of a program on one level, from the pictures of this stack; returns
 * what was seen in them. */
static struct fm__scene report(char text[REPORT], struct oc_witness *average,
                               const struct dive_state *match)
{
    static struct oc_sheets sheets;
    static struct race race;
    static struct decision decision;
    static struct fm_setup setup = {.game = &fm_game_dive, .n_seats = 3, .rules = 1};
    const char *const names[] = {"a", "b", "c"};
    const uint32_t all_on_one = 1 | 1 << 3 | 1 << 6 | 1 << 9 | 1 << 12;
    const struct fm_event ev = {.action = dive_action(DIVE_DO_PROGRAM, all_on_one)};
    struct analysis a = {.setup = &setup, .seat = 0, .names = names, .decision = &decision, .n = 1};
    struct fm_stack stack;
    struct fm__scene scene;
    struct analysis_scenes scenes = {.stack = &stack, .scene = &scene};
    struct oc_deal deal;
    struct fm_fault fault;
    struct fm_out o;
    oc_deal_of(&deal, &fm_game_dive, match);
    oc_sheets_make(&sheets, art, oc_waters, &deal);
    assert_true(fm__decision_note(&decision, &fm_game_dive, match, &ev));
    assert_int_equal(fm__scenes_list(&scenes, &a, NULL, &fault), FM_OK);
    assert_int_equal(oc_witness_look(average, &sheets, &stack, &scene, &fault), FM_OK);
    fm__decision_weigh(&decision, STUDY_QUICK, &race);
    fm_out_init(&o, text, REPORT);
    fm__put_analysis(&o, &a);
    assert_true(fm_out_ok(&o));
    return scene;
}

/* The largest difference between what is believed of two stacks. */
static uint32_t apart(const struct fm__belief *a, const struct fm__belief *b)
{
    uint32_t most = 0;
    for (unsigned level = 0; level < a->levels; level++)
        for (unsigned kind = 0; kind < FM_EYES_KINDS; kind++) {
            const uint32_t x = a->chance[level][kind], y = b->chance[level][kind];
            const uint32_t by = x > y ? x - y : y - x;
            most = by > most ? by : most;
        }
    return most;
}

/* The chief's pile, what the others lay and how chance goes on are not to be seen: a match that
 * differs in all of them has the same views and pictures, and gets the same report to the byte. */
static void a_twin_that_looks_the_same_is_worth_the_same(void **state)
{
    static char here[REPORT], there[REPORT];
    static uint8_t seen[2][FM_STATE_MAX];
    struct dive_state match, twin;
    struct oc_witness *average = oc_witness_create(art, oc_waters, false);
    (void)state;
    assert_non_null(average);
    init_dive(&match, "{\"game\":\"dive\",\"options\":{\"divers\":3,\"chief\":true}}", 7);
    twin = match;
    reverse(twin.secret.chief, twin.pub.chief_n, 0xff);
    twin.priv[1].program = 1 | 2 << 3 | 3 << 6;
    twin.priv[2].program = 5;
    twin.secret.head.rng.stream ^= 1;
    for (int i = 0; i < 2; i++)
        assert_true(fm_view_copy(fm_view_of(&fm_game_dive, i == 0 ? &match : &twin, 0), seen[i],
                                 sizeof seen[i]) > 0);
    assert_memory_equal(seen[0], seen[1], sizeof seen[0]);
    (void)report(here, average, &match);
    (void)report(there, average, &twin);
    assert_string_equal(here, there);
    oc_witness_destroy(average);
}

/* All sheets shine through a little: other kinds below those that move change some pixels, but what
 * is believed of the levels above only as much as noise does. The top sheet is to be seen. */
static void what_lies_too_deep_cannot_be_told(void **state)
{
    static char text[REPORT];
    struct dive_state match, twin;
    struct oc_witness *average = oc_witness_create(art, oc_waters, false);
    (void)state;
    assert_non_null(average);
    init_dive(&match, "{\"game\":\"dive\",\"options\":{\"divers\":3}}", 7);
    twin = match;
    reverse(twin.secret.stack, (unsigned)(OC_SHEETS - oc_waters->layers), OC_KINDS - 1);
    assert_memory_not_equal(&match, &twin, sizeof match);
    const struct fm__scene here = report(text, average, &match);
    const struct fm__scene there = report(text, average, &twin);
    assert_true(apart(&here.average, &there.average) < FM__SCENE_ONE / 10);
    twin.secret.stack[OC_SHEETS - 1] ^= DIVE_SHARK;
    const struct fm__scene other = report(text, average, &twin);
    assert_true(apart(&here.average, &other.average) > FM__SCENE_ONE / 2);
    oc_witness_destroy(average);
}

static int open_witness(void **state)
{
    (void)state;
    witness = oc_witness_create(art, oc_waters, true);
    plain_witness = oc_witness_create(art, oc_waters, false);
    if (witness == NULL || plain_witness == NULL)
        return 1;
    make_number(&third, oc_waters, 3);
    third_scene = look(witness, &third, stack_of(30));
    return 0;
}

static int close_witness(void **state)
{
    (void)state;
    oc_witness_destroy(witness);
    oc_witness_destroy(plain_witness);
    oc_witness_destroy(NULL);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(chances_make_one_and_the_truth_is_what_was_dealt, open_witness),
        cmocka_unit_test(a_stack_has_no_more_levels_than_sheets),
        cmocka_unit_test(eyes_are_not_told_what_a_sheet_is),
        cmocka_unit_test_teardown(the_octopus_hides_what_is_below_it, close_witness),
        cmocka_unit_test(a_twin_that_looks_the_same_is_worth_the_same),
        cmocka_unit_test(what_lies_too_deep_cannot_be_told),
    };
    return run_ocean_tests("ocean witness", tests, sizeof tests / sizeof tests[0], argc, argv);
}
