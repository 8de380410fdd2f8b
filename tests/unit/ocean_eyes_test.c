/* ocean_eyes_test.c: eyes see from pictures what chance could not tell them, and nothing else. */
#include "ocean_game.h"

#include "ocean/decode.h"
#include "ocean/encode.h"
#include "ocean/eyes.h"

#include <math.h>

#define QUALITY 40
#define LEVELS  5

/* Pictures of a stack, shown to eyes. */
static struct oc_belief look_at(struct oc_eyes *eyes, const struct oc_sheets *s, int left)
{
    struct oc_belief belief;
    struct fm_fault fault;
    struct oc_bytes bytes = {0};
    struct oc_frame frame = new_frame(OC_EYES_PICTURE);
    struct oc_layers *layers = bake(s, left, OC_EYES_PICTURE, false);
    for (int i = 0; i < oc_eyes_looks(eyes); i++) {
        oc_view(layers, oc_eyes_look(eyes, i), NULL, oc_kernel_best(), &frame);
        assert_int_equal(oc_encode(&bytes, &frame, OC_JPEG, QUALITY, &fault), FM_OK);
        assert_int_equal(oc_eyes_see(eyes, i, bytes.data, bytes.n, &fault), FM_OK);
    }
    oc_eyes_believe(eyes, &belief);
    oc_layers_free(layers);
    oc_frame_finish(&frame);
    oc_bytes_finish(&bytes);
    return belief;
}

/*
 * Who knows the deck and nothing else gives the truth a chance of 17 % (the geometric mean): on
 * every level the eyes give it more. Always saying "nothing" is right for 28 % of the sheets and
 * 56 % of the sharks: 14 sheets of 24 come about once in 1,000 tries, 17 sharks once in 10.
 * Under sanitizers one stack must do, and only the top is held to something.
 */
static void eyes_see_more_than_chance_on_every_level(void **state)
{
    static const double deck[OC_KINDS] = {10, 5, 2, 3, 9, 3, 3, 1};
    const int n = in_a_hurry() ? 1 : 24;
    struct oc_eyes *eyes = oc_eyes_create(art, oc_waters, oc_acuity_find("keen"));
    int label[LEVELS] = {0}, shark[LEVELS] = {0};
    double more[LEVELS] = {0}; /* than the deck alone would tell, in logarithms */
    (void)state;
    assert_non_null(eyes);
    for (int i = 0; i < n; i++) {
        static struct oc_sheets s;
        make_number(&s, oc_waters, 5000 + (unsigned)i);
        const struct oc_belief b = look_at(eyes, &s, s.n - i % 12);
        for (unsigned level = 0; level < LEVELS; level++) {
            const unsigned there = s.sheet[s.n - i % 12 - 1 - (int)level].kind;
            const unsigned seen = oc_belief_best(&b, level);
            double sum = 0;
            for (unsigned kind = 0; kind < OC_KINDS; kind++)
                sum += (double)b.kind[level][kind];
            assert_true(fabs(sum - 1) < .001);
            label[level] += there == seen;
            shark[level] += ((there ^ seen) & OC_KIND_SHARK) == 0;
            more[level] += log(fmax((double)b.kind[level][there], 1e-6)) - log(deck[there] / 36);
        }
    }
    oc_eyes_destroy(eyes);
    for (int level = 0; level < LEVELS; level++)
        print_message("# level %d: %d sheets and %d sharks of %d, more by %.1f\n", level + 1,
                      label[level], shark[level], n, more[level]);
    assert_true(label[0] >= n - n / 8 && shark[0] >= n - n / 12);
    for (int level = 0; level < LEVELS && !in_a_hurry(); level++)
        assert_true(more[level] > 0);
    assert_true(in_a_hurry() || (label[1] >= 14 && label[2] >= 14));
    assert_true(in_a_hurry() || (shark[1] >= 17 && shark[2] >= 17));
}

static void the_same_pictures_give_the_same_belief(void **state)
{
    static struct oc_sheets s;
    struct oc_eyes *a = oc_eyes_create(art, oc_waters, oc_acuity_find("average"));
    struct oc_eyes *b = oc_eyes_create(art, oc_waters, oc_acuity_find("average"));
    (void)state;
    make_number(&s, oc_waters, 1);
    if (!in_a_hurry())
        (void)look_at(a, &s, 20); /* what was seen before leaves no trace */
    const struct oc_belief x = look_at(a, &s, 30), y = look_at(b, &s, 30);
    assert_memory_equal(&x, &y, sizeof x);
    oc_eyes_destroy(a);
    oc_eyes_destroy(b);
    oc_eyes_destroy(NULL);
}

static void other_bytes_are_refused(void **state)
{
    struct oc_eyes *eyes = oc_eyes_create(art, oc_waters, oc_acuities);
    struct oc_bytes bytes = {0};
    struct oc_frame small = new_frame(320);
    struct fm_fault fault;
    (void)state;
    assert_int_equal(oc_eyes_see(eyes, 0, (const uint8_t *)"no picture", 10, &fault), FM_E_VALUE);
    memset(small.y, 0, (size_t)small.stride * 320);
    memset(small.u, 128, (size_t)small.cstride * 160);
    memset(small.v, 128, (size_t)small.cstride * 160);
    assert_int_equal(oc_encode(&bytes, &small, OC_JPEG, QUALITY, &fault), FM_OK);
    assert_int_equal(oc_eyes_see(eyes, 0, bytes.data, bytes.n, &fault), FM_E_VALUE);
    assert_int_equal(oc_eyes_see(eyes, 0, bytes.data, 100, &fault), FM_E_VALUE);
    assert_null(oc_acuity_find("hawk"));
    oc_frame_finish(&small);
    oc_bytes_finish(&bytes);
    oc_eyes_destroy(eyes);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eyes_see_more_than_chance_on_every_level),
        cmocka_unit_test(the_same_pictures_give_the_same_belief),
        cmocka_unit_test(other_bytes_are_refused),
    };
    return run_ocean_tests("ocean eyes", tests, sizeof tests / sizeof tests[0], argc, argv);
}
