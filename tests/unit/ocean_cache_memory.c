/* ocean_cache_memory.c: which pictures and layers are kept, and which make room for others. */
#include "unit/ocean_cache_fake.h"

/* ---- memory of pictures ---------------------------------------------------------------------- */

static void a_table_keeps_the_pictures_used_last(void **state)
{
    (void)state;
    struct fake *f = fake_create();
    f->limits.table_encoded = 3 * picture_cost() + BYTES / 2;
    fake_begin(f);
    round_of(f, 7, 1);
    for (int i = 0; i < 3; i++) {
        (void)asks(f, 7, i, OC_NEAR);
        work(f);
    }
    assert_true(asks(f, 7, 0, OC_NEAR)); /* now 1 is the oldest */
    (void)asks(f, 7, 3, OC_NEAR);
    work(f);
    assert_int_equal(oc_cache_stats(f->c).encoded, 3 * picture_cost());
    assert_true(asks(f, 7, 0, OC_NEAR));
    assert_true(asks(f, 7, 2, OC_NEAR));
    assert_true(asks(f, 7, 3, OC_NEAR));
    assert_false(asks(f, 7, 1, OC_NEAR));
    fake_finish(f);
}

static void all_tables_together_keep_the_pictures_of_tables_used_last(void **state)
{
    (void)state;
    struct fake *f = fake_create();
    f->limits.encoded = 4 * picture_cost();
    fake_begin(f);
    for (uint64_t table = 1; table <= 3; table++)
        round_of(f, table, 1);
    for (uint64_t table = 1; table <= 2; table++)
        for (int i = 0; i < 2; i++) {
            (void)asks(f, table, i, OC_NEAR);
            work(f);
        }
    assert_true(asks(f, 1, 1, OC_NEAR)); /* table 2 is used less recently now */
    for (int i = 0; i < 3; i++) {
        (void)asks(f, 3, i, OC_NEAR);
        work(f);
        assert_int_equal(oc_cache_stats(f->c).encoded, 4 * picture_cost());
    }
    for (int i = 0; i < 3; i++)
        assert_true(asks(f, 3, i, OC_NEAR));
    assert_true(asks(f, 1, 1, OC_NEAR));
    assert_false(asks(f, 1, 0, OC_NEAR));
    assert_false(asks(f, 2, 0, OC_NEAR));
    assert_false(asks(f, 2, 1, OC_NEAR));
    fake_finish(f);
}

static void a_picture_larger_than_the_cap_is_given_and_not_kept(void **state)
{
    (void)state;
    for (int which = 0; which < 2; which++) {
        struct fake *f = fake_create();
        *(which == 0 ? &f->limits.encoded : &f->limits.table_encoded) = picture_cost() - 1;
        fake_begin(f);
        round_of(f, 7, 1);
        (void)asks(f, 7, 0, OC_NEAR);
        work(f);
        assert_told(f, 7, 1, 0, true);
        assert_int_equal(oc_cache_stats(f->c).encoded, 0);
        assert_false(asks(f, 7, 0, OC_NEAR));
        fake_finish(f);
    }
}

/* ---- memory of layers ------------------------------------------------------------------------ */

static void layers_asked_least_recently_make_room(void **state)
{
    (void)state;
    struct fake *f = fake_create();
    f->limits.layers = 3 * LAYERS + LAYERS / 2;
    fake_begin(f);
    for (uint64_t table = 1; table <= 5; table++)
        round_of(f, table, 1);
    for (uint64_t table = 1; table <= 3; table++)
        (void)asks(f, table, 0, OC_NEAR);
    work(f);
    assert_true(asks(f, 1, 0, OC_NEAR));
    (void)asks(f, 4, 0, OC_NEAR);
    work(f);
    (void)asks(f, 5, 0, OC_NEAR);
    work(f);
    assert_int_equal(f->n_freed, 2);
    assert_int_equal(f->freed[0], 2);
    assert_int_equal(f->freed[1], 3);
    assert_int_equal(oc_cache_stats(f->c).layers, 3 * LAYERS);
    assert_int_equal(oc_cache_stats(f->c).baked, 3);
    assert_true(asks(f, 2, 0, OC_NEAR)); /* its picture is there still */
    assert_false(asks(f, 2, 1, OC_NEAR));
    work(f);
    assert_told(f, 2, 1, 1, true);
    assert_int_equal(oc_cache_stats(f->c).bakes, 6);
    fake_finish(f);
}

static void want_table_3(struct fake *f)
{
    (void)asks(f, 2, 1, OC_NEAR);
    (void)asks(f, 3, 0, OC_FINGER);
    step(f); /* table 1 is to make room, but it is in use: meanwhile there is table 2 */
    assert_int_equal(f->made[f->n_made - 1].table, 2);
    assert_int_equal(f->n_freed, 0);
    assert_int_equal(oc_cache_stats(f->c).layers, 2 * LAYERS);
    assert_int_equal(oc_cache_stats(f->c).baked, 1);
}

static void layers_in_use_are_freed_when_they_are_released(void **state)
{
    (void)state;
    struct fake *f = fake_create();
    f->limits.layers = 2 * LAYERS;
    fake_begin(f);
    for (uint64_t table = 1; table <= 3; table++)
        round_of(f, table, 1);
    (void)asks(f, 1, 0, OC_NEAR);
    (void)asks(f, 2, 0, OC_NEAR);
    work(f);
    (void)asks(f, 1, 1, OC_NEAR);
    (void)asks(f, 2, 0, OC_NEAR);
    f->in_make = want_table_3;
    work(f);
    assert_int_equal(f->n_freed, 1);
    assert_int_equal(f->freed[0], 1);
    assert_told(f, 1, 1, 1, true);
    assert_told(f, 3, 1, 0, true);
    fake_finish(f);
}

static void layers_larger_than_the_cap_are_baked_alone(void **state)
{
    (void)state;
    struct fake *f = fake_create();
    f->limits.layers = 2 * LAYERS;
    fake_begin(f);
    round_of(f, 1, 1);
    round_of(f, 2, 1);
    assert_int_equal(try_round_of(f, 3, 1, 5 * LAYERS), FM_OK);
    for (uint64_t table = 1; table <= 3; table++)
        (void)asks(f, table, 0, OC_NEAR);
    work(f);
    assert_told(f, 3, 1, 0, true);
    assert_int_equal(f->layers, 1);
    assert_int_equal(oc_cache_stats(f->c).layers, 5 * LAYERS);
    (void)asks(f, 1, 1, OC_NEAR);
    work(f);
    assert_told(f, 1, 1, 1, true);
    assert_int_equal(oc_cache_stats(f->c).layers, LAYERS);
    fake_finish(f);
}

static void tables_that_do_not_fit_together_are_not_baked_for_every_picture(void **state)
{
    (void)state;
    struct fake *f = fake_create();
    f->limits.layers = LAYERS;
    fake_begin(f);
    round_of(f, 1, 1);
    round_of(f, 2, 1);
    for (int i = 0; i < OC_TURN + 8; i++) {
        (void)asks(f, 1, i, OC_NEAR);
        (void)asks(f, 2, i, OC_NEAR);
    }
    work(f);
    assert_int_equal(f->n_made, 2 * (OC_TURN + 8));
    assert_int_equal(oc_cache_stats(f->c).bakes, 4);
    for (int i = 0; i < OC_TURN; i++) {
        assert_int_equal(f->made[i].table, 1);
        assert_int_equal(f->made[OC_TURN + i].table, 2);
    }
    fake_finish(f);
}

static void layers_make_room_for_more_urgent_requests_at_once(void **state)
{
    (void)state;
    struct fake *f = fake_create();
    f->limits.layers = LAYERS;
    fake_begin(f);
    round_of(f, 1, 1);
    round_of(f, 2, 1);
    (void)asks(f, 1, 0, OC_NEAR);
    (void)asks(f, 1, 1, OC_NEAR);
    step(f);
    step(f);
    (void)asks(f, 2, 0, OC_FINGER);
    work(f);
    static const uint64_t order[] = {1, 2, 1};
    for (int i = 0; i < 3; i++)
        assert_int_equal(f->made[i].table, order[i]);
    fake_finish(f);
}

static void idle_layers_are_freed_and_baked_again(void **state)
{
    (void)state;
    struct fake *f = fake_create();
    f->limits.idle_ms = 1000;
    fake_begin(f);
    round_of(f, 1, 1);
    round_of(f, 2, 1);
    (void)asks_at(f, 1, 1, 0, OC_NEAR, 5000);
    (void)asks_at(f, 2, 1, 0, OC_NEAR, 5000);
    work(f);
    assert_true(asks_at(f, 1, 1, 0, OC_NEAR, 5500));
    oc_cache_tidy(f->c, 5999);
    assert_int_equal(oc_cache_stats(f->c).baked, 2);
    oc_cache_tidy(f->c, 6000);
    assert_int_equal(oc_cache_stats(f->c).baked, 1);
    work(f);
    assert_int_equal(f->n_freed, 1);
    assert_int_equal(f->freed[0], 2);
    assert_true(asks_at(f, 2, 1, 0, OC_NEAR, 6100)); /* its picture stays */
    assert_false(asks_at(f, 2, 1, 1, OC_NEAR, 6200));
    work(f);
    assert_told(f, 2, 1, 1, true);
    assert_int_equal(oc_cache_stats(f->c).bakes, 3);
    (void)asks_at(f, 2, 1, 2, OC_NEAR, 6300);
    oc_cache_tidy(f->c, 100000); /* waited for: not idle */
    assert_int_equal(oc_cache_stats(f->c).baked, 1);
    fake_finish(f);
}

static void tidy_late(struct fake *f)
{
    oc_cache_tidy(f->c, UINT64_MAX);
    assert_int_equal(oc_cache_stats(f->c).baked, 1);
}

static void layers_in_use_are_not_idle(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 1, 1);
    (void)asks(f, 1, 0, OC_NEAR);
    f->in_make = tidy_late;
    work(f);
    assert_int_equal(oc_cache_stats(f->c).baked, 1);
    fake_finish(f);
}

static void W07_whoever_has_most_layers_makes_room_first(void **state)
{
    enum { GREEDY = 1, MODEST = 2 };
    (void)state;
    struct fake *f = fake_create();
    f->limits.layers = 4 * LAYERS;
    fake_begin(f);
    round_of(f, 1, 1);
    oc_cache_owner(f->c, 1, MODEST);
    (void)asks(f, 1, 0, OC_NEAR);
    work(f);
    for (uint64_t table = 2; table < 40; table++) {
        round_of(f, table, 1);
        oc_cache_owner(f->c, table, GREEDY);
        (void)asks(f, table, 0, OC_NEAR);
        work(f);
    }
    for (int i = 0; i < f->n_freed; i++)
        assert_int_not_equal(f->freed[i], 1);
    assert_int_equal(f->freed[0], 2); /* of its own, the one that was not asked for longest */
    assert_int_equal(f->n_freed, 35);
    fake_finish(f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_table_keeps_the_pictures_used_last),
    cmocka_unit_test(all_tables_together_keep_the_pictures_of_tables_used_last),
    cmocka_unit_test(a_picture_larger_than_the_cap_is_given_and_not_kept),
    cmocka_unit_test(layers_asked_least_recently_make_room),
    cmocka_unit_test(layers_in_use_are_freed_when_they_are_released),
    cmocka_unit_test(layers_larger_than_the_cap_are_baked_alone),
    cmocka_unit_test(tables_that_do_not_fit_together_are_not_baked_for_every_picture),
    cmocka_unit_test(layers_make_room_for_more_urgent_requests_at_once),
    cmocka_unit_test(idle_layers_are_freed_and_baked_again),
    cmocka_unit_test(layers_in_use_are_not_idle),
    cmocka_unit_test(W07_whoever_has_most_layers_makes_room_first),
};
const struct tests_group ocean_cache_memory = TESTS_GROUP(tests);
