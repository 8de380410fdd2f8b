/*
 * conform_queue.c: on every back end, submitted writes are answered once each and in order, and the
 * queue refuses what exceeds its limits.
 */
#include "store/conform.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

struct order {
    struct order_item {
        struct order *all;
        enum fm_err err;
        int position;
    } items[4000];
    int n;
    pthread_t thread;
};

static void on_order(void *arg, enum fm_err err, const struct fm_fault *fault)
{
    (void)fault;
    struct order_item *item = arg;
    item->err = err;
    item->position = item->all->n++;
    item->all->thread = pthread_self();
}

static void done_is_called_once_for_each_in_the_order_of_submission(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    struct order *o = calloc(1, sizeof *o);
    assert_non_null(o);
    const int n = sizeof o->items / sizeof o->items[0];
    for (int i = 0; i < n; i++) {
        o->items[i].all = o;
        const uint64_t table = 1 + (uint64_t)i % 50, seq = 1 + (uint64_t)i / 50;
        struct st_write w = seq == 1 ? new_table(table, "") : event_of(table, seq, "x");
        if (i % 50 == 49 && seq > 3)
            w.seq = 2; /* refused */
        assert_int_equal(st_submit(s, &w, on_order, &o->items[i], &why), FM_OK);
        if (i % 1000 == 0)
            (void)sched_yield();
    }
    st_drain(s);
    assert_int_equal(o->n, n);
    for (int i = 0; i < n; i++) {
        assert_int_equal(o->items[i].position, i);
        assert_int_equal(o->items[i].err, i % 50 == 49 && i / 50 > 2 ? FM_E_CONFLICT : FM_OK);
    }
    assert_false(pthread_equal(o->thread, pthread_self()));
    for (uint64_t t = 1; t <= 50; t++)
        assert_whole_log(s, t, t == 50 ? 3 : (uint64_t)n / 50);
    free(o);
    st_close(s);
}

static void a_refused_write_harms_no_other_of_its_group(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    struct gate g;
    static const struct st_token token = {{9}, 1, 1};
    struct st_write tokens = event_of(1, 3, "+refused");
    tokens.change =
        (struct st_change){.tokens = &token, .n_tokens = 1, .times = true, .deadline_ms = 5};
    struct st_write ok = event_of(1, 2, "+two");
    ok.change = (struct st_change){.tokens = &token, .n_tokens = 1};
    const struct {
        struct st_write w;
        enum fm_err err;
    } group[] = {
        {new_table(1, "ABC234"), FM_OK},
        {new_table(2, "ABC234"), FM_E_CONFLICT}, /* the code */
        {new_table(1, "OTHER2"), FM_E_CONFLICT}, /* the table */
        {ok, FM_OK},
        {event_of(1, 2, "twice"), FM_E_CONFLICT},
        {tokens, FM_E_CONFLICT}, /* the token */
        {event_of(1, 4, "gap"), FM_E_CONFLICT},
        {event_of(1, 3, "+three"), FM_OK},
        {new_table(2, "OTHER2"), FM_OK},
        {event_of(2, 2, "+two"), FM_OK},
        {event_of(3, 1, "none"), FM_E_CONFLICT},
    };
    const int n = sizeof group / sizeof group[0];
    struct order *o = calloc(1, sizeof *o);
    assert_non_null(o);
    gate_shut(&g, s);
    const struct st_stats before = st_stats(s);
    for (int i = 0; i < n; i++) {
        o->items[i].all = o;
        assert_int_equal(st_submit(s, &group[i].w, on_order, &o->items[i], &why), FM_OK);
    }
    assert_int_equal(st_stats(s).waiting, n);
    gate_open(&g, s);
    const struct st_stats after = st_stats(s);
    assert_int_equal(after.commits - before.commits, 1);
    assert_int_equal(after.writes - before.writes, 5);
    assert_int_equal(after.conflicts - before.conflicts, 6);
    for (int i = 0; i < n; i++) {
        assert_int_equal(o->items[i].err, group[i].err);
        assert_int_equal(o->items[i].position, i);
    }
    assert_log(s, 1, "new+two+three");
    assert_log(s, 2, "new+two");
    assert_int_equal(table_of(s, 1).deadline_ms, 0);
    assert_int_equal(found_by_code(s, "ABC234"), 1);
    assert_int_equal(found_by_code(s, "OTHER2"), 2);
    free(o);
    st_close(s);
}

struct chain {
    struct st_store *s;
    uint64_t seq, n;
    sem_t over;
};

static void next_link(void *arg, enum fm_err err, const struct fm_fault *fault)
{
    (void)fault;
    struct chain *c = arg;
    struct fm_fault f;
    assert_int_equal(err, FM_OK);
    assert_int_equal(last_seq(c->s, 1), c->seq); /* a read within done */
    if (c->seq == c->n) {
        (void)sem_post(&c->over);
        return;
    }
    const struct st_write w = event_of(1, ++c->seq, "x");
    assert_int_equal(st_submit(c->s, &w, next_link, c, &f), FM_OK);
}

static void done_may_read_and_submit(void **state)
{
    (void)state;
    struct chain c = {.s = fresh_store(), .seq = 1, .n = 50};
    (void)sem_init(&c.over, 0, 0);
    const struct st_write w = new_table(1, "ABC234");
    assert_int_equal(st_submit(c.s, &w, next_link, &c, &why), FM_OK);
    (void)sem_wait(&c.over);
    assert_whole_log(c.s, 1, 50);
    c.n = 100;
    const struct st_write more = event_of(1, ++c.seq, "x");
    assert_int_equal(st_submit(c.s, &more, next_link, &c, &why), FM_OK);
    struct st_store *s = reopen(c.s); /* closing waits for those too */
    assert_whole_log(s, 1, 100);
    st_close(s);
    (void)sem_destroy(&c.over);
}

static void closing_waits_for_what_was_submitted(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    struct order *o = calloc(1, sizeof *o);
    assert_non_null(o);
    struct gate g;
    gate_shut(&g, s);
    for (int i = 0; i < 1000; i++) {
        o->items[i].all = o;
        const struct st_write w =
            i == 0 ? new_table(1, "ABC234") : event_of(1, (uint64_t)i + 1, "x");
        assert_int_equal(st_submit(s, &w, on_order, &o->items[i], &why), FM_OK);
    }
    (void)sem_post(&g.open);
    st_close(s);
    assert_int_equal(o->n, 1000);
    s = store_kind.open();
    assert_whole_log(s, 1, 1000);
    assert_int_equal(st_stats(s).writes, 0); /* since it was opened */
    st_close(s);
    free(o);
    st_close(NULL);
}

/* ---- limits ------------------------------------------------------------------------------------ */

static void a_full_queue_refuses_and_has_room_again(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    struct gate g;
    assert_written(s, new_table(1, "ABC234"));
    gate_shut(&g, s);
    struct st_write w = event_of(1, 1, "twice"); /* refused later: that costs least */
    for (int i = 0; i < ST_QUEUE_WRITES; i++)
        assert_int_equal(st_submit(s, &w, NULL, NULL, &why), FM_OK);
    assert_int_equal(st_stats(s).waiting, ST_QUEUE_WRITES);
    w.seq = 2;
    struct order *o = calloc(1, sizeof *o);
    assert_non_null(o);
    o->items[0].all = o;
    assert_int_equal(st_submit(s, &w, on_order, &o->items[0], &why), FM_E_BUSY);
    assert_int_equal(why.code, FM_E_BUSY);
    gate_open(&g, s);
    assert_int_equal(o->n, 0); /* no done comes */
    assert_int_equal(last_seq(s, 1), 1);
    assert_int_equal(st_stats(s).waiting, 0);
    assert_int_equal(st_stats(s).waiting_bytes, 0);
    assert_written(s, w);
    free(o);
    st_close(s);
}

static void the_queue_is_limited_in_bytes_too(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    struct gate g;
    char *record = malloc(ST_RECORD_MAX);
    assert_non_null(record);
    memset(record, 'r', ST_RECORD_MAX);
    assert_written(s, new_table(1, "ABC234"));
    gate_shut(&g, s);
    struct st_write w = event_of(1, 1, "twice");
    w.change.record = record;
    w.change.record_n = ST_RECORD_MAX;
    int n = 0;
    while (st_submit(s, &w, NULL, NULL, &why) == FM_OK)
        n++;
    assert_int_equal(why.code, FM_E_BUSY);
    /* beside them lies a little more */
    assert_int_equal(n, (ST_QUEUE_BYTES - 65536) / ST_RECORD_MAX);
    assert_true(st_stats(s).waiting_bytes >= (size_t)n * ST_RECORD_MAX);
    assert_true(st_stats(s).waiting_bytes <= ST_QUEUE_BYTES);
    const struct st_write small = event_of(1, 2, "there is room for a small one");
    assert_int_equal(st_submit(s, &small, NULL, NULL, &why), FM_OK);
    gate_open(&g, s);
    assert_whole_log(s, 1, 2);
    w.seq = 3;
    assert_written(s, w);
    free(record);
    st_close(s);
}

static void stats_count_writes_conflicts_and_commits(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    assert_written(s, new_table(1, ""));
    assert_written(s, event_of(1, 2, "x"));
    assert_refused(s, event_of(1, 2, "x"));
    st_drain(s);
    const struct st_stats stats = st_stats(s);
    assert_int_equal(stats.writes, 2);
    assert_int_equal(stats.conflicts, 1);
    assert_int_equal(stats.failures, 0);
    assert_int_equal(stats.commits, 3);
    assert_int_equal(stats.waiting, 0);
    assert_int_equal(stats.waiting_bytes, 0);
    uint64_t commits = 0;
    for (size_t i = 0; i < sizeof stats.commit_us / sizeof stats.commit_us[0]; i++)
        commits += stats.commit_us[i];
    assert_int_equal(commits, 3);
    st_close(s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(done_is_called_once_for_each_in_the_order_of_submission),
    cmocka_unit_test(a_refused_write_harms_no_other_of_its_group),
    cmocka_unit_test(done_may_read_and_submit),
    cmocka_unit_test(closing_waits_for_what_was_submitted),
    cmocka_unit_test(a_full_queue_refuses_and_has_room_again),
    cmocka_unit_test(the_queue_is_limited_in_bytes_too),
    cmocka_unit_test(stats_count_writes_conflicts_and_commits),
};
const struct tests_group conform_queue = TESTS_GROUP(tests);
