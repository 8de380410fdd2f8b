/* ocean_cache_workers.c: several workers bake and draw at once, wait for requests, and end. */
#include "unit/ocean_cache_fake.h"

static void second_worker_serves_table_8(struct fake *f)
{
    assert_int_equal(f->baking, 1);
    round_of(f, 7, 2); /* also a new round waits until the table's bake is over */
    (void)asks_at(f, 7, 2, 0, OC_FINGER, 0);
    (void)asks(f, 8, 0, OC_AHEAD);
    step(f);
    step(f);
    assert_told(f, 8, 1, 0, true);
}

static void a_table_is_baked_by_one_worker_while_others_serve_other_tables(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    round_of(f, 8, 1);
    (void)asks(f, 7, 0, OC_FINGER);
    f->in_bake = second_worker_serves_table_8;
    work(f);
    assert_told(f, 7, 1, 0, false);
    assert_told(f, 7, 2, 0, true);
    assert_int_equal(oc_cache_stats(f->c).bakes, 3);
    fake_finish(f);
}

static void second_worker(struct fake *f)
{
    step(f);
}

static void workers_make_pictures_of_the_same_layers_at_once(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    round_of(f, 7, 1);
    (void)asks(f, 7, 0, OC_NEAR);
    (void)asks(f, 7, 1, OC_NEAR);
    f->in_make = second_worker;
    work(f);
    assert_int_equal(f->most_makes, 2);
    assert_int_equal(oc_cache_stats(f->c).bakes, 1);
    assert_int_equal(f->n_done, 2);
    fake_finish(f);
}

/* Within the bake of table 7: table 8 waits for a bake, table 9 for a picture. */
static void second_worker_draws(struct fake *f)
{
    (void)asks(f, 8, 0, OC_NEAR);
    (void)asks(f, 9, 1, OC_NEAR);
    step(f);
    assert_told(f, 9, 1, 1, true);
    assert_int_equal(f->baking, 1);
}

static void W07_a_worker_is_left_to_draw_while_others_bake(void **state)
{
    (void)state;
    struct fake *f = fake_create();
    f->limits.bakes = 1;
    fake_begin(f);
    for (uint64_t table = 7; table <= 9; table++)
        round_of(f, table, 1);
    (void)asks(f, 9, 0, OC_NEAR);
    work(f);
    (void)asks(f, 7, 0, OC_NEAR);
    f->in_bake = second_worker_draws;
    work(f);
    assert_told(f, 7, 1, 0, true);
    assert_told(f, 8, 1, 0, true);
    fake_finish(f);
}

static void *worker_life(void *arg)
{
    struct fake *f = arg;
    struct worker worker;
    while (oc_cache_work(f->c, &worker))
        ;
    return NULL;
}

static void workers_wait_for_requests_and_end_when_stopped(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    pthread_t thread;
    f->threads = true;
    round_of(f, 7, 1);
    assert_int_equal(pthread_create(&thread, NULL, worker_life, f), 0);
    for (int i = 0; i < 50; i++) {
        (void)asks(f, 7, i, OC_FINGER);
        (void)sem_wait(&f->told);
    }
    oc_cache_stop(f->c);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(f->n_done, 50);
    fake_finish(f);
}

static void wait_inside(struct fake *f)
{
    (void)sem_post(&f->begun);
    (void)sem_wait(&f->go);
}

static void a_finished_bake_has_work_for_all_who_wait(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    pthread_t threads[2];
    f->threads = true;
    f->in_bake = f->in_make = wait_inside;
    round_of(f, 7, 1);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, worker_life, f), 0);
    (void)asks(f, 7, 0, OC_NEAR);
    (void)sem_wait(&f->begun);
    (void)asks(f, 7, 1, OC_NEAR);
    (void)sem_post(&f->go);
    (void)sem_wait(&f->begun); /* one of them is held up in a picture ... */
    (void)sem_wait(&f->told);  /* ... and the other makes the other one */
    (void)sem_post(&f->go);
    (void)sem_wait(&f->told);
    oc_cache_stop(f->c);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(f->most_makes, 2);
    fake_finish(f);
}

static void the_loop_does_not_wait_for_workers(void **state)
{
    (void)state;
    struct fake *f = fake_start();
    pthread_t thread;
    f->threads = true;
    f->in_bake = f->in_make = wait_inside;
    round_of(f, 7, 1);
    (void)asks(f, 7, 0, OC_NEAR);
    assert_int_equal(pthread_create(&thread, NULL, worker_life, f), 0);
    for (int i = 0; i < 2; i++) { /* while it bakes, and while it makes */
        (void)sem_wait(&f->begun);
        (void)asks(f, 7, 1, OC_FINGER);
        oc_cache_changed(f->c, 7);
        oc_cache_tidy(f->c, 1);
        round_of(f, 8, 1);
        (void)asks(f, 8, 2, OC_AHEAD);
        oc_cache_forget(f->c, 8);
        (void)sem_wait(&f->told); /* by forget */
        (void)oc_cache_stats(f->c);
        (void)sem_post(&f->go);
    }
    (void)sem_wait(&f->told);
    (void)sem_wait(&f->told);
    oc_cache_stop(f->c);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_told(f, 7, 1, 0, true);
    assert_told(f, 7, 1, 1, true);
    fake_finish(f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_table_is_baked_by_one_worker_while_others_serve_other_tables),
    cmocka_unit_test(workers_make_pictures_of_the_same_layers_at_once),
    cmocka_unit_test(W07_a_worker_is_left_to_draw_while_others_bake),
    cmocka_unit_test(workers_wait_for_requests_and_end_when_stopped),
    cmocka_unit_test(a_finished_bake_has_work_for_all_who_wait),
    cmocka_unit_test(the_loop_does_not_wait_for_workers),
};
const struct tests_group ocean_cache_workers = TESTS_GROUP(tests);
