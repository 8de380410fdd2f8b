/* ocean_cache_queue.c: requests for pictures: which come first, and which are dropped or refused.
 */
#include "unit/ocean_cache_fake.h"

/* ---- pictures are made once ------------------------------------------------------------------ */

static void a_picture_is_made_once_and_found_from_then_on(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    assert_false(asks(f, 7, 0, OC_FINGER));
    work(f);
    assert_told(f, 7, 1, 0, true);
    assert_true(asks(f, 7, 0, OC_FINGER));
    assert_true(asks(f, 7, 0, OC_AHEAD));
    const struct oc_cache_stats s = oc_cache_stats(f->c);
    assert_int_equal(s.asked, 3);
    assert_int_equal(s.found, 2);
    assert_int_equal(s.made, 1);
    assert_int_equal(s.tables, 1);
    assert_int_equal(f->n_done, 1);
    fake_finish(f);
}

static void a_round_is_baked_once_for_all_its_looks(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    assert_int_equal(oc_cache_stats(f->c).bakes, 0); /* not before somebody looks */
    for (int i = 0; i < 20; i++)
        (void)asks(f, 7, i, OC_NEAR);
    work(f);
    const struct oc_cache_stats s = oc_cache_stats(f->c);
    assert_int_equal(s.bakes, 1);
    assert_int_equal(s.baked, 1);
    assert_int_equal(s.layers, LAYERS);
    assert_int_equal(s.made, 20);
    fake_finish(f);
}

static void a_request_is_answered_once_however_often_it_is_repeated(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    for (unsigned i = 0; i < 9; i++)
        assert_false(asks(f, 7, 3, i % OC_NEEDS));
    assert_int_equal(oc_cache_stats(f->c).waiting, 1);
    work(f);
    assert_told(f, 7, 1, 3, true);
    assert_made(f, 7, "d");
    fake_finish(f);
}

static void ask_for_the_same(struct fake *f)
{
    assert_false(asks(f, 7, 3, OC_FINGER));
    assert_int_equal(oc_cache_stats(f->c).waiting, 0);
}

static void a_request_that_is_being_made_is_not_made_twice(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    (void)asks(f, 7, 3, OC_NEAR);
    f->in_make = ask_for_the_same;
    work(f);
    assert_told(f, 7, 1, 3, true);
    assert_made(f, 7, "d");
    fake_finish(f);
}

static void pictures_outlive_the_cache(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    struct fm_fault fault;
    const struct oc_picture *picture;
    round_of(f, 7, 1);
    (void)asks(f, 7, 5, OC_NEAR);
    work(f);
    assert_int_equal(oc_cache_ask(f->c, 7, 1, look_of(5), OC_NEAR, 0, &picture, &fault), FM_OK);
    const struct oc_picture *again = oc_picture_keep(picture);
    fake_finish(f);
    oc_picture_release(picture);
    assert_int_equal(again->n, BYTES);
    assert_int_equal(again->data[0], 5);
    oc_picture_release(again);
    oc_picture_release(NULL);
}

static void a_picture_is_found_without_asking_for_it(void **state)
{
    const struct oc_picture *picture;
    struct fm_fault fault;
    (void)state;
    struct fake *f = fake_start();
    assert_int_equal(oc_cache_find(f->c, 7, 1, look_of(0), &picture, &fault), FM_E_GONE);
    round_of(f, 7, 1);
    assert_int_equal(oc_cache_find(f->c, 7, 1, look_of(0), &picture, &fault), FM_OK);
    assert_null(picture);
    assert_int_equal(oc_cache_stats(f->c).waiting, 0);
    (void)asks(f, 7, 0, OC_NEAR);
    work(f);
    assert_int_equal(oc_cache_find(f->c, 7, 1, look_of(0), &picture, &fault), FM_OK);
    assert_int_equal(picture->data[0], 0);
    oc_picture_release(picture);
    assert_int_equal(oc_cache_find(f->c, 7, 2, look_of(0), &picture, &fault), FM_E_GONE);
    assert_int_equal(oc_cache_stats(f->c).asked, 2);
    assert_int_equal(oc_cache_stats(f->c).found, 1);
    fake_finish(f);
}

/* ---- the order of need ----------------------------------------------------------------------- */

static void more_urgent_needs_come_first(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    (void)asks(f, 7, 0, OC_AHEAD);
    (void)asks(f, 7, 1, OC_NEAR);
    (void)asks(f, 7, 2, OC_FINGER);
    work(f);
    assert_made(f, 7, "cba");
    fake_finish(f);
}

static void the_newest_request_of_the_finger_comes_first_and_the_oldest_of_others(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    for (int i = 0; i < 3; i++) {
        (void)asks(f, 7, i, OC_FINGER);
        (void)asks(f, 7, 3 + i, OC_NEAR);
        (void)asks(f, 7, 6 + i, OC_AHEAD);
    }
    work(f);
    assert_made(f, 7, "cbadefghi");
    fake_finish(f);
}

static void the_finger_has_eight_requests_and_older_ones_become_near(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    (void)asks(f, 7, 20, OC_NEAR);
    for (int i = 0; i < 10; i++)
        (void)asks(f, 7, i, OC_FINGER);
    work(f);
    assert_made(f, 7, "jihgfedcuab");
    fake_finish(f);
}

static void asking_again_moves_a_request_up_and_never_down(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    for (int i = 0; i < 4; i++)
        (void)asks(f, 7, i, OC_AHEAD);
    (void)asks(f, 7, 2, OC_NEAR);
    (void)asks(f, 7, 3, OC_FINGER);
    (void)asks(f, 7, 4, OC_FINGER);
    (void)asks(f, 7, 3, OC_FINGER); /* the finger is there again */
    (void)asks(f, 7, 3, OC_AHEAD);
    (void)asks(f, 7, 2, OC_NEAR);
    work(f);
    assert_made(f, 7, "decab");
    fake_finish(f);
}

static void tables_take_turns(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    for (uint64_t table = 1; table <= 3; table++)
        round_of(f, table, 1);
    for (int i = 0; i < 9; i++)
        (void)asks(f, 1, i, OC_NEAR);
    for (int i = 0; i < 2; i++)
        (void)asks(f, 2, i, OC_NEAR);
    (void)asks(f, 3, 0, OC_AHEAD);
    work(f);
    static const uint64_t order[] = {1, 2, 1, 2, 1, 1, 1, 1, 1, 1, 1, 3};
    assert_int_equal(f->n_made, 12);
    for (int i = 0; i < 12; i++)
        assert_int_equal(f->made[i].table, order[i]);
    fake_finish(f);
}

static void asking_the_same_again_and_again_costs_no_turn(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 1, 1);
    round_of(f, 2, 1);
    (void)asks(f, 1, 0, OC_FINGER);
    (void)asks(f, 2, 0, OC_FINGER);
    (void)asks(f, 1, 0, OC_FINGER);
    step(f);
    step(f);
    assert_int_equal(f->made[0].table, 1);
    work(f);
    fake_finish(f);
}

/* ---- full queues ----------------------------------------------------------------------------- */

static void a_full_queue_drops_the_oldest_of_the_least_urgent(void **state)
{
    (void)state;
    struct fake *f = fake_create();
    f->limits.queue = 4;
    fake_begin(f);
    round_of(f, 7, 1);
    (void)asks(f, 7, 0, OC_NEAR);
    (void)asks(f, 7, 1, OC_AHEAD);
    (void)asks(f, 7, 2, OC_AHEAD);
    (void)asks(f, 7, 3, OC_NEAR);
    (void)asks(f, 7, 4, OC_NEAR);
    assert_told(f, 7, 1, 1, false);
    (void)asks(f, 7, 5, OC_FINGER);
    assert_told(f, 7, 1, 2, false);
    (void)asks(f, 7, 6, OC_FINGER);
    assert_told(f, 7, 1, 0, false);
    assert_int_equal(f->n_done, 3);
    assert_int_equal(oc_cache_stats(f->c).dropped, 3);
    assert_int_equal(oc_cache_stats(f->c).waiting, 4);
    work(f);
    assert_made(f, 7, "gfde");
    fake_finish(f);
}

static void a_full_queue_refuses_a_request_that_is_itself_the_least_urgent(void **state)
{
    (void)state;
    struct fake *f = fake_create();
    f->limits.queue = 2;
    fake_begin(f);
    round_of(f, 7, 1);
    round_of(f, 8, 1);
    (void)asks(f, 7, 0, OC_NEAR);
    (void)asks(f, 7, 1, OC_NEAR);
    assert_refuses(f, 7, 1, look_of(2), OC_NEAR, FM_E_BUSY, "at once");
    assert_refuses(f, 7, 1, look_of(2), OC_AHEAD, FM_E_BUSY, "at once");
    assert_false(asks(f, 7, 1, OC_AHEAD)); /* waits already */
    assert_false(asks(f, 8, 2, OC_AHEAD)); /* another table's queue */
    assert_int_equal(f->n_done, 0);
    for (int i = 2; i < 6; i++)
        (void)asks(f, 7, i, OC_FINGER); /* the last one is never the least urgent */
    assert_int_equal(oc_cache_stats(f->c).dropped, 4);
    work(f);
    assert_made(f, 7, "fe");
    fake_finish(f);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void unknown_tables_and_other_rounds_are_gone(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    assert_refuses(f, 7, 1, look_of(0), OC_FINGER, FM_E_GONE, "unknown");
    round_of(f, 7, 2);
    assert_refuses(f, 7, 1, look_of(0), OC_FINGER, FM_E_GONE, "round is over");
    assert_refuses(f, 7, 3, look_of(0), OC_FINGER, FM_E_GONE, "round is over");
    assert_refuses(f, 8, 2, look_of(0), OC_FINGER, FM_E_GONE, "unknown");
    oc_cache_forget(f->c, 7);
    assert_refuses(f, 7, 2, look_of(0), OC_FINGER, FM_E_GONE, "unknown");
    oc_cache_forget(f->c, 7);
    oc_cache_changed(f->c, 7);
    assert_int_equal(f->n_done, 0);
    fake_finish(f);
}

static void looks_out_of_range_are_refused(void **state)
{
    (void)state;
    static const struct oc_look wrong[] = {
        {OC_TILTS, 0, OC_DAYLIGHT, 0},
        {0, OC_TILTS, OC_DAYLIGHT, 0},
        {0, 0, OC_LIGHTS, 0},
        {0, 0, OC_DAYLIGHT, 1},
        {0, 0, OC_ABOVE, OC_LAMP_SPOTS * OC_LAMP_SPOTS},
        {0, 0, OC_BELOW, OC_LAMP_SPOTS * OC_LAMP_SPOTS},
        {0, 0, OC_SIDE, OC_LAMP_SIDES},
        {255, 255, 255, 255},
    };
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_refuses(f, 7, 1, wrong[i], OC_NEAR, FM_E_VALUE, "no such tilt");
    fake_finish(f);
}

static unsigned ask_for_every_tilt(struct fake *f, uint8_t light, uint8_t lamp)
{
    struct fm_fault fault;
    const struct oc_picture *picture;
    for (uint8_t i = 0; i < OC_TILTS * OC_TILTS; i++) {
        const struct oc_look look = {i % OC_TILTS, i / OC_TILTS, light, lamp};
        assert_int_equal(oc_cache_ask(f->c, 7, 1, look, OC_AHEAD, 0, &picture, &fault), FM_OK);
    }
    return OC_TILTS * OC_TILTS;
}

static void every_look_has_its_own_request(void **state)
{
    (void)state;
    static const unsigned lamps[OC_LIGHTS] = {1, OC_LAMP_SPOTS * OC_LAMP_SPOTS,
                                              OC_LAMP_SPOTS * OC_LAMP_SPOTS, OC_LAMP_SIDES};
    struct fake *f = fake_create();
    unsigned n = 0;
    f->limits.queue = OC_LOOKS;
    fake_begin(f);
    round_of(f, 7, 1);
    for (uint8_t light = 0; light < OC_LIGHTS; light++)
        for (uint8_t lamp = 0; lamp < lamps[light]; lamp++)
            n += ask_for_every_tilt(f, light, lamp);
    assert_int_equal(n, OC_LOOKS);
    assert_int_equal(oc_cache_stats(f->c).waiting, OC_LOOKS);
    f->silent = true; /* no log is as long */
    oc_cache_forget(f->c, 7);
    assert_int_equal(f->n_done, OC_LOOKS);
    fake_finish(f);
}

static void the_number_of_tables_is_limited(void **state)
{
    (void)state;
    struct fake *f = fake_create();
    f->limits.tables = 3;
    fake_begin(f);
    for (uint64_t table = 1; table <= 3; table++)
        round_of(f, table, 1);
    assert_int_equal(try_round_of(f, 4, 1, LAYERS), FM_E_BUSY); /* and drops it itself */
    round_of(f, 3, 2);
    oc_cache_forget(f->c, 1);
    round_of(f, 4, 1);
    assert_int_equal(oc_cache_stats(f->c).tables, 3);
    fake_finish(f);
}

static void tables_are_found_whatever_their_numbers(void **state)
{
    (void)state;
    static const uint64_t tables[] = {5,  UINT64_MAX, 0, 1ull << 32, 1ull << 63, (1ull << 32) + 5,
                                      64, 128,        4};
    const int n = sizeof tables / sizeof tables[0];
    struct fake *f = fake_start();
    for (int i = 0; i < n; i++)
        round_of(f, tables[i], (uint32_t)i);
    for (int i = 0; i < n; i += 2)
        oc_cache_forget(f->c, tables[i]);
    for (int i = 0; i < n; i++) {
        if (i % 2 == 0)
            assert_refuses(f, tables[i], (uint32_t)i, look_of(0), OC_NEAR, FM_E_GONE, "unknown");
        else
            assert_false(asks_at(f, tables[i], (uint32_t)i, 0, OC_NEAR, 0));
    }
    work(f);
    assert_int_equal(oc_cache_stats(f->c).made, n / 2);
    fake_finish(f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_picture_is_made_once_and_found_from_then_on),
    cmocka_unit_test(a_round_is_baked_once_for_all_its_looks),
    cmocka_unit_test(a_request_is_answered_once_however_often_it_is_repeated),
    cmocka_unit_test(a_request_that_is_being_made_is_not_made_twice),
    cmocka_unit_test(pictures_outlive_the_cache),
    cmocka_unit_test(a_picture_is_found_without_asking_for_it),
    cmocka_unit_test(more_urgent_needs_come_first),
    cmocka_unit_test(the_newest_request_of_the_finger_comes_first_and_the_oldest_of_others),
    cmocka_unit_test(the_finger_has_eight_requests_and_older_ones_become_near),
    cmocka_unit_test(asking_again_moves_a_request_up_and_never_down),
    cmocka_unit_test(tables_take_turns),
    cmocka_unit_test(asking_the_same_again_and_again_costs_no_turn),
    cmocka_unit_test(a_full_queue_drops_the_oldest_of_the_least_urgent),
    cmocka_unit_test(a_full_queue_refuses_a_request_that_is_itself_the_least_urgent),
    cmocka_unit_test(unknown_tables_and_other_rounds_are_gone),
    cmocka_unit_test(looks_out_of_range_are_refused),
    cmocka_unit_test(every_look_has_its_own_request),
    cmocka_unit_test(the_number_of_tables_is_limited),
    cmocka_unit_test(tables_are_found_whatever_their_numbers),
};
const struct tests_group ocean_cache_queue = TESTS_GROUP(tests);
