/*
 * ocean_cache_ends.c: every request is answered once: when its round ends, its table is forgotten
 * or changes, the cache stops, or its picture cannot be made.
 */
#include "unit/ocean_cache_fake.h"

/* ---- how requests end ------------------------------------------------------------------------ */

static void a_new_round_ends_the_requests_of_the_old_one(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    (void)asks(f, 7, 0, OC_NEAR);
    work(f);
    (void)asks(f, 7, 1, OC_NEAR);
    round_of(f, 7, 2);
    assert_told(f, 7, 1, 1, false);
    assert_false(asks_at(f, 7, 2, 0, OC_NEAR, 0));
    assert_refuses(f, 7, 1, look_of(0), OC_NEAR, FM_E_GONE, "round is over");
    work(f);
    assert_told(f, 7, 2, 0, true);
    assert_int_equal(f->n_freed, 1); /* the old layers */
    assert_int_equal(f->rounds, 1);
    assert_int_equal(oc_cache_stats(f->c).bakes, 2);
    round_of(f, 7, 2); /* the same number again is a new round too */
    assert_false(asks_at(f, 7, 2, 0, OC_NEAR, 0));
    fake_finish(f);
}

static void begin_round_2(struct fake *f)
{
    round_of(f, 7, 2);
}

static void a_picture_of_an_old_round_is_not_given(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    (void)asks(f, 7, 0, OC_NEAR);
    f->in_make = begin_round_2;
    work(f);
    assert_told(f, 7, 1, 0, false);
    assert_int_equal(f->layers, 0);
    assert_int_equal(f->rounds, 1);
    assert_int_equal(oc_cache_stats(f->c).encoded, 0);
    fake_finish(f);
}

static void a_bake_of_an_old_round_is_dropped(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    (void)asks(f, 7, 0, OC_NEAR);
    f->in_bake = begin_round_2;
    work(f);
    assert_told(f, 7, 1, 0, false);
    assert_int_equal(f->layers, 0);
    assert_int_equal(f->rounds, 1);
    fake_finish(f);
}

static void forget_7(struct fake *f)
{
    oc_cache_forget(f->c, 7);
    assert_int_equal(f->rounds, 1); /* it is being used */
}

static void forgetting_a_table_ends_its_requests(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    (void)asks(f, 7, 0, OC_NEAR);
    oc_cache_forget(f->c, 7);
    assert_told(f, 7, 1, 0, false);
    work(f);
    assert_int_equal(f->rounds, 0);
    for (int i = 0; i < 2; i++) {
        round_of(f, 7, 1);
        (void)asks(f, 7, 1 + i, OC_NEAR);
        if (i == 0)
            f->in_bake = forget_7;
        else
            f->in_make = forget_7;
        work(f);
        assert_told(f, 7, 1, 1 + i, false);
        assert_int_equal(f->rounds, 0);
        assert_int_equal(f->layers, 0);
    }
    assert_int_equal(oc_cache_stats(f->c).tables, 0);
    fake_finish(f);
}

static void stop_it(struct fake *f)
{
    oc_cache_stop(f->c);
}

static void stopping_ends_all_requests_that_wait(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    struct worker worker;
    round_of(f, 7, 1);
    round_of(f, 8, 1);
    (void)asks(f, 7, 0, OC_FINGER);
    (void)asks(f, 7, 1, OC_NEAR);
    (void)asks(f, 8, 0, OC_AHEAD);
    f->in_make = stop_it;
    step(f);
    step(f);
    assert_false(oc_cache_work(f->c, &worker));
    assert_told(f, 7, 1, 0, true); /* was being made */
    assert_told(f, 7, 1, 1, false);
    assert_told(f, 8, 1, 0, false);
    assert_refuses(f, 7, 1, look_of(1), OC_FINGER, FM_E_GONE, "ends");
    assert_true(asks(f, 7, 0, OC_FINGER));
    oc_cache_stop(f->c);
    fake_finish(f);
}

static void destroying_ends_all_requests(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    for (int i = 0; i < 12; i++)
        (void)asks(f, 7, i, OC_NEAR);
    step(f);
    step(f);
    oc_cache_destroy(f->c);
    f->c = NULL;
    assert_told(f, 7, 1, 0, true);
    for (int i = 1; i < 12; i++)
        assert_told(f, 7, 1, i, false);
    fake_finish(f); /* destroys NULL */
}

/* ---- changes --------------------------------------------------------------------------------- */

static void place_octopus(struct fake *f)
{
    f->version++;
    oc_cache_changed(f->c, 7);
}

static void a_change_forgets_pictures_and_keeps_layers(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    int version = -1;
    round_of(f, 7, 1);
    round_of(f, 8, 1);
    (void)asks(f, 7, 0, OC_NEAR);
    (void)asks(f, 8, 0, OC_NEAR);
    work(f);
    (void)asks(f, 7, 1, OC_NEAR);
    place_octopus(f);
    assert_int_equal(f->n_done, 2); /* who waits goes on waiting */
    assert_false(asks(f, 7, 0, OC_NEAR));
    assert_true(asks(f, 8, 0, OC_NEAR));
    work(f);
    assert_int_equal(times_told(f, 7, 1, 1, &version), 1);
    assert_int_equal(version, 1);
    assert_int_equal(times_told(f, 7, 1, 0, &version), 2);
    assert_int_equal(version, 1);
    assert_int_equal(oc_cache_stats(f->c).bakes, 2);
    fake_finish(f);
}

static void a_picture_made_while_it_changes_is_made_again(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    int version = -1;
    round_of(f, 7, 1);
    (void)asks(f, 7, 0, OC_NEAR);
    (void)asks(f, 7, 1, OC_NEAR);
    f->in_make = place_octopus;
    step(f);
    step(f);
    assert_int_equal(f->n_done, 0);
    assert_int_equal(oc_cache_stats(f->c).encoded, 0);
    assert_int_equal(oc_cache_stats(f->c).waiting, 2);
    work(f);
    assert_int_equal(times_told(f, 7, 1, 0, &version), 1);
    assert_int_equal(version, 1);
    assert_made(f, 7, "aab"); /* it does not have to queue again */
    fake_finish(f);
}

static void fill_and_change(struct fake *f)
{
    (void)asks(f, 7, 1, OC_NEAR);
    (void)asks(f, 7, 2, OC_NEAR);
    place_octopus(f);
}

static void a_picture_that_must_be_made_again_may_find_the_queue_full(void **state)
{
    (void)state;
    struct fake *f = fake_create();
    f->limits.queue = 2;
    fake_begin(f);
    round_of(f, 7, 1);
    (void)asks(f, 7, 0, OC_NEAR);
    f->in_make = fill_and_change;
    step(f);
    step(f);
    assert_told(f, 7, 1, 0, false);
    assert_int_equal(oc_cache_stats(f->c).waiting, 2);
    assert_int_equal(oc_cache_stats(f->c).dropped, 1);
    work(f);
    assert_int_equal(f->n_done, 3);
    fake_finish(f);
}

static void change_and_stop(struct fake *f)
{
    place_octopus(f);
    oc_cache_stop(f->c);
}

static void nothing_is_made_again_once_stopped(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    (void)asks(f, 7, 0, OC_NEAR);
    f->in_make = change_and_stop;
    step(f);
    step(f);
    assert_told(f, 7, 1, 0, false);
    fake_finish(f);
}

/* ---- failures -------------------------------------------------------------------------------- */

static void a_bake_that_fails_ends_the_requests_of_its_table(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 1, 1);
    round_of(f, 2, 1);
    (void)asks(f, 1, 0, OC_NEAR);
    (void)asks(f, 1, 1, OC_AHEAD);
    (void)asks(f, 2, 0, OC_AHEAD);
    f->bake_fails = true;
    step(f);
    assert_told(f, 1, 1, 0, false);
    assert_told(f, 1, 1, 1, false);
    assert_int_equal(f->n_done, 2);
    assert_int_equal(oc_cache_stats(f->c).failed, 1);
    f->bake_fails = false;
    (void)asks(f, 1, 2, OC_NEAR);
    work(f);
    assert_told(f, 1, 1, 2, true);
    assert_told(f, 2, 1, 0, true);
    fake_finish(f);
}

static void a_picture_that_fails_ends_its_own_request(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 1, 1);
    (void)asks(f, 1, 0, OC_NEAR);
    (void)asks(f, 1, 1, OC_NEAR);
    f->make_fails = true;
    step(f);
    step(f);
    assert_told(f, 1, 1, 0, false);
    f->make_fails = false;
    work(f);
    assert_told(f, 1, 1, 1, true);
    assert_false(asks(f, 1, 0, OC_NEAR));
    work(f);
    assert_true(asks(f, 1, 0, OC_NEAR));
    assert_int_equal(oc_cache_stats(f->c).failed, 1);
    fake_finish(f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_new_round_ends_the_requests_of_the_old_one),
    cmocka_unit_test(a_picture_of_an_old_round_is_not_given),
    cmocka_unit_test(a_bake_of_an_old_round_is_dropped),
    cmocka_unit_test(forgetting_a_table_ends_its_requests),
    cmocka_unit_test(stopping_ends_all_requests_that_wait),
    cmocka_unit_test(destroying_ends_all_requests),
    cmocka_unit_test(a_change_forgets_pictures_and_keeps_layers),
    cmocka_unit_test(a_picture_made_while_it_changes_is_made_again),
    cmocka_unit_test(a_picture_that_must_be_made_again_may_find_the_queue_full),
    cmocka_unit_test(nothing_is_made_again_once_stopped),
    cmocka_unit_test(a_bake_that_fails_ends_the_requests_of_its_table),
    cmocka_unit_test(a_picture_that_fails_ends_its_own_request),
};
const struct tests_group ocean_cache_ends = TESTS_GROUP(tests);
