/*
 * conform_threads.c: on every back end, several threads and several open stores may read and write
 * the same tables at once.
 */
#include "store/conform.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FEW (TESTS_SANITIZED ? 200 : 2000) /* of what costs a commit each */

struct racer {
    struct st_store *s;
    int number;
    uint64_t n_tables, n_seqs;
    uint64_t won;
};

static void *race(void *arg)
{
    struct racer *r = arg;
    char text[2] = {(char)('0' + r->number), '\0'};
    for (uint64_t seq = 1; seq <= r->n_seqs; seq++) {
        for (uint64_t t = 1; t <= r->n_tables; t++) {
            struct st_write w = seq == 1 ? new_table(t, "") : event_of(t, seq, text);
            w.event = text;
            w.n = 1;
            enum fm_err err;
            while ((err = write_now(r->s, w)) == FM_E_STORE)
                ;
            r->won += err == FM_OK;
            if (err != FM_OK && err != FM_E_CONFLICT)
                abort();
            if (err == FM_E_CONFLICT && last_seq(r->s, t) < seq)
                abort(); /* refused, though nobody has written it */
        }
    }
    return NULL;
}

/* Each key goes to exactly one; and the log says to whom. */
static void race_on(struct st_store *stores[], int n)
{
    pthread_t threads[4];
    struct racer racers[4];
    for (int i = 0; i < n; i++) {
        racers[i] = (struct racer){stores[i], i, 5, FEW / 20, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, race, &racers[i]), 0);
    }
    uint64_t won = 0, in_logs = 0;
    for (int i = 0; i < n; i++) {
        (void)pthread_join(threads[i], NULL);
        won += racers[i].won;
    }
    for (uint64_t t = 1; t <= racers[0].n_tables; t++) {
        assert_whole_log(stores[0], t, racers[0].n_seqs);
        in_logs += last_seq(stores[n - 1], t);
    }
    assert_int_equal(won, racers[0].n_tables * racers[0].n_seqs);
    assert_int_equal(in_logs, won);
}

static void of_several_threads_one_writes_each_event(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    struct st_store *stores[] = {s, s, s, s};
    race_on(stores, 4);
    st_close(s);
}

static void of_two_stores_on_the_same_data_one_writes_each_event(void **state)
{
    (void)state;
    struct st_store *stores[2] = {fresh_store(), store_kind.open()};
    assert_non_null(stores[1]);
    race_on(stores, 2);
    st_close(stores[0]);
    st_close(stores[1]);
}

static void stores_on_the_same_data_see_each_other(void **state)
{
    (void)state;
    struct st_store *a = fresh_store(), *b = store_kind.open();
    assert_written(a, new_table(1, "ABC234"));
    assert_log(b, 1, "new");
    assert_refused(b, new_table(2, "ABC234"));
    assert_written(b, event_of(1, 2, "+b"));
    assert_refused(a, event_of(1, 2, "+a"));
    assert_written(a, event_of(1, 3, "+a"));
    st_close(a);
    assert_log(b, 1, "new+b+a");
    assert_written(b, event_of(1, 4, "+b"));
    a = store_kind.open();
    assert_log(a, 1, "new+b+a+b");
    st_close(b);
    st_close(a);
}

struct watch {
    struct st_store *s;
    _Atomic uint64_t told;
    atomic_bool over;
    _Atomic int failures, reads;
};

static void on_watched(void *arg, enum fm_err err, const struct fm_fault *fault)
{
    (void)fault;
    struct watch *w = arg;
    if (err != FM_OK)
        abort();
    w->told++;
}

static bool count_event(void *arg, uint64_t seq, const void *event, size_t n)
{
    uint64_t *next = arg, said;
    if (n != sizeof said || seq != *next)
        return false;
    memcpy(&said, event, sizeof said);
    *next += said == seq;
    return said == seq;
}

static void *watch(void *arg)
{
    struct watch *w = arg;
    struct fm_fault f;
    const struct st_id id = id_of(1);
    while (!w->over) {
        const uint64_t told = w->told;
        uint64_t next = told > 20 ? told - 20 : 1;
        struct st_table t = {.last_seq = 0};
        if (told == 0)
            continue;
        if (st_read_log(w->s, &id, next, count_event, &next, &f) != FM_OK || next <= told ||
            st_find_table(w->s, &id, &t, &f) != FM_OK || t.last_seq < told)
            w->failures++;
        w->reads++;
    }
    return NULL;
}

static void a_read_sees_every_acknowledged_write(void **state)
{
    (void)state;
    struct watch w = {.s = fresh_store()};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, watch, &w), 0);
    for (uint64_t seq = 1; seq <= FEW || w.reads < 30; seq++) {
        struct st_write write = seq == 1 ? new_table(1, "") : event_of(1, seq, "");
        write.event = &seq;
        write.n = sizeof seq;
        assert_int_equal(st_submit(w.s, &write, on_watched, &w, &why), FM_OK);
        if (seq % 8 == 0)
            st_drain(w.s);
    }
    st_drain(w.s);
    w.over = true;
    for (int i = 0; i < 3; i++)
        (void)pthread_join(threads[i], NULL);
    assert_int_equal(w.failures, 0);
    st_close(w.s);
}

struct nested {
    struct st_store *s;
    int depth, events;
};

static bool read_within(void *arg, uint64_t seq, const void *event, size_t n)
{
    struct nested *r = arg;
    (void)event;
    (void)n;
    r->events++;
    if (seq == 1 && ++r->depth < 8) {
        const struct st_id id = id_of(1);
        assert_int_equal(st_read_log(r->s, &id, 1, read_within, r, &why), FM_OK);
    }
    assert_int_equal(last_seq(r->s, 1), 3);
    return true;
}

static void a_read_may_read(void **state)
{
    (void)state;
    struct nested r = {.s = fresh_store()};
    assert_written(r.s, new_table(1, "ABC234"));
    assert_written(r.s, event_of(1, 2, "x"));
    assert_written(r.s, event_of(1, 3, "x"));
    const struct st_id id = id_of(1);
    assert_int_equal(st_read_log(r.s, &id, 1, read_within, &r, &why), FM_OK);
    assert_int_equal(r.events, 8 * 3);
    st_close(r.s);
}

static void *submit_forever(void *arg)
{
    struct watch *w = arg;
    struct fm_fault f;
    for (uint64_t seq = 1; !w->over; seq++) {
        const struct st_write write = seq == 1 ? new_table(1, "") : event_of(1, seq, "x");
        if (st_submit(w->s, &write, on_watched, w, &f) == FM_E_BUSY)
            seq--;
        while (st_stats(w->s).waiting > 1000) /* never empty is enough */
            (void)nanosleep(&(struct timespec){0, 1000000}, NULL);
        if (seq % 64 == 0)
            (void)sched_yield();
    }
    return NULL;
}

static void draining_waits_only_for_earlier_writes(void **state)
{
    (void)state;
    struct watch w = {.s = fresh_store()};
    pthread_t thread;
    st_drain(w.s); /* of nothing */
    assert_int_equal(pthread_create(&thread, NULL, submit_forever, &w), 0);
    while (w.told == 0)
        (void)sched_yield();
    for (uint64_t seq = 1; seq <= 20; seq++) {
        struct answer a = {.err = FM_E_BUSY};
        (void)sem_init(&a.told, 0, 0);
        const struct st_write write = seq == 1 ? new_table(2, "") : event_of(2, seq, "x");
        const enum fm_err err = st_submit(w.s, &write, on_answer, &a, &why);
        if (err == FM_E_BUSY) {
            seq--;
            st_drain(w.s);
            continue;
        }
        st_drain(w.s);
        assert_int_equal(sem_trywait(&a.told), 0);
        assert_int_equal(a.err, FM_OK);
    }
    w.over = true;
    (void)pthread_join(thread, NULL);
    st_drain(w.s);
    assert_whole_log(w.s, 1, w.told);
    st_close(w.s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(of_several_threads_one_writes_each_event),
    cmocka_unit_test(of_two_stores_on_the_same_data_one_writes_each_event),
    cmocka_unit_test(stores_on_the_same_data_see_each_other),
    cmocka_unit_test(a_read_sees_every_acknowledged_write),
    cmocka_unit_test(a_read_may_read),
    cmocka_unit_test(draining_waits_only_for_earlier_writes),
};
const struct tests_group conform_threads = TESTS_GROUP(tests);
