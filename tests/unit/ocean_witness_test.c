/* ocean_witness_test.c: what eyes make of a past stack follows from its pictures alone. */
#include "ocean_game.h"

#include "ocean/witness.h"

static struct oc_witness *witness;

static struct fm_stack stack_of(int left)
{
    return (struct fm_stack){.round = 1, .n = (uint8_t)left, .open = true};
}

static struct fm__scene look(const struct oc_sheets *s, struct fm_stack stack)
{
    struct fm__scene scene;
    struct fm_fault fault;
    if (oc_witness_look(witness, s, &stack, &scene, &fault) != FM_OK)
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
    static struct oc_sheets s;
    (void)state;
    make_number(&s, oc_waters, 3);
    const struct fm__scene scene = look(&s, stack_of(30));
    assert_int_equal(scene.average.levels, FM_EYES_LEVELS);
    assert_int_equal(scene.sharp.levels, FM_EYES_LEVELS);
    check_belief(&scene.average);
    check_belief(&scene.sharp);
    for (int level = 0; level < FM_EYES_LEVELS; level++) {
        assert_int_equal(scene.there[level], s.sheet[29 - level].kind);
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
    assert_int_equal(look(&s, stack_of(2)).average.levels, 2);
    closed.open = false;
    assert_int_equal(look(&s, closed).average.levels, 0);
}

/* The same drawings under other names: eyes get pictures, and no kind. */
static void eyes_are_not_told_what_a_sheet_is(void **state)
{
    static struct oc_sheets s;
    (void)state;
    make_number(&s, oc_waters, 5);
    const struct fm__scene a = look(&s, stack_of(OC_SHEETS));
    for (int i = 0; i < OC_SHEETS; i++)
        s.sheet[i].kind = (uint8_t)((s.sheet[i].kind + 3) % OC_KINDS);
    const struct fm__scene b = look(&s, stack_of(OC_SHEETS));
    assert_memory_equal(&a.average, &b.average, sizeof a.average);
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
    const struct fm__scene a = look(&s, stack_of(OC_SHEETS)), b = look(&s, covered);
    assert_memory_not_equal(&a.average, &b.average, sizeof a.average);
    assert_memory_equal(a.there, b.there, sizeof a.there);
}

static int open_witness(void **state)
{
    (void)state;
    witness = oc_witness_create(art, oc_waters, true);
    return witness == NULL;
}

static int close_witness(void **state)
{
    (void)state;
    oc_witness_destroy(witness);
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
    };
    return run_ocean_tests("ocean witness", tests, sizeof tests / sizeof tests[0], argc, argv);
}
