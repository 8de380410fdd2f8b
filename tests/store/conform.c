/* conform.c: what every back end of the store keeps; written against store.h alone. */
#include "store/conform.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FEW (TESTS_SANITIZED ? 200 : 2000) /* of what costs a commit each */

/* ---- shorthands ------------------------------------------------------------------------------ */

_Thread_local struct fm_fault why;

struct st_id id_of(uint64_t n)
{
    struct st_id id = {{0}};
    const uint64_t mixed = n * 0x9e3779b97f4a7c15u; /* ids are random, and hold bytes of 0 */
    memcpy(id.bytes, &mixed, sizeof mixed);
    memcpy(id.bytes + 8, &n, sizeof n);
    return id;
}

struct st_write event_of(uint64_t table, uint64_t seq, const char *text)
{
    return (struct st_write){
        .table = id_of(table), .seq = seq, .event = text, .n = text == NULL ? 0 : strlen(text)};
}

struct st_write new_table(uint64_t table, const char *code)
{
    struct st_write w = event_of(table, 1, "new");
    w.change.creates = true;
    assert_true(strlen(code) <= ST_CODE);
    memcpy(w.change.code, code, strlen(code));
    return w;
}

struct answer {
    sem_t told;
    enum fm_err err;
    struct fm_fault fault;
};

static void on_answer(void *arg, enum fm_err err, const struct fm_fault *fault)
{
    struct answer *a = arg;
    assert_true((err == FM_OK) == (fault == NULL));
    if (fault != NULL) {
        assert_int_equal(fault->code, err);
        assert_true(strlen(fault->text) > 0);
        a->fault = *fault;
    }
    a->err = err;
    (void)sem_post(&a->told);
}

enum fm_err write_now(struct st_store *s, const struct st_write *w)
{
    struct answer a;
    (void)sem_init(&a.told, 0, 0);
    const enum fm_err err = st_submit(s, w, on_answer, &a, &why);
    if (err == FM_OK)
        (void)sem_wait(&a.told);
    if (err == FM_OK && a.err != FM_OK)
        why = a.fault;
    (void)sem_destroy(&a.told);
    return err == FM_OK ? a.err : err;
}

static void assert_written(struct st_store *s, struct st_write w)
{
    const enum fm_err err = write_now(s, &w);
    if (err != FM_OK)
        fail_msg("%s: %s", fm_err_code(err), why.text);
}

static void assert_refused(struct st_store *s, struct st_write w)
{
    assert_int_equal(write_now(s, &w), FM_E_CONFLICT);
}

static struct st_store *fresh(void)
{
    store_kind.clear();
    struct st_store *s = store_kind.open();
    assert_non_null(s);
    return s;
}

static struct st_store *again(struct st_store *s)
{
    st_close(s);
    s = store_kind.open();
    assert_non_null(s);
    return s;
}

static struct st_table table_of(struct st_store *s, uint64_t table)
{
    struct st_table t;
    const struct st_id id = id_of(table);
    assert_int_equal(st_find_table(s, &id, &t, &why), FM_OK);
    assert_memory_equal(t.id.bytes, id.bytes, ST_ID_BYTES);
    return t;
}

static uint64_t found_by_code(struct st_store *s, const char *code)
{
    struct st_table t;
    const enum fm_err err = st_find_code(s, code, &t, &why);
    if (err == FM_E_NO_TABLE)
        return 0;
    assert_int_equal(err, FM_OK);
    assert_string_equal(t.code, code);
    uint64_t n;
    memcpy(&n, t.id.bytes + 8, sizeof n);
    return n;
}

uint64_t last_seq(struct st_store *s, uint64_t table)
{
    struct st_table t;
    const struct st_id id = id_of(table);
    const enum fm_err err = st_find_table(s, &id, &t, &why);
    if (err == FM_E_NO_TABLE)
        return 0;
    assert_int_equal(err, FM_OK);
    return t.last_seq;
}

struct reading {
    uint64_t next, stop_at; /* 0: never */
    char text[256];         /* of the events, one after the other */
    size_t n;
};

static bool on_event(void *arg, uint64_t seq, const void *event, size_t n)
{
    struct reading *r = arg;
    assert_int_equal(seq, r->next);
    assert_non_null(event);
    r->next++;
    if (r->n + n < sizeof r->text) {
        memcpy(r->text + r->n, event, n);
        r->n += n;
    }
    return seq != r->stop_at;
}

static struct reading read_from(struct st_store *s, uint64_t table, uint64_t from, uint64_t stop_at)
{
    struct reading r = {.next = from == 0 ? 1 : from, .stop_at = stop_at};
    const struct st_id id = id_of(table);
    assert_int_equal(st_read_log(s, &id, from, on_event, &r, &why), FM_OK);
    return r;
}

void assert_whole_log(struct st_store *s, uint64_t table, uint64_t n)
{
    assert_int_equal(read_from(s, table, 1, 0).next - 1, n);
    assert_int_equal(last_seq(s, table), n);
}

static void assert_log(struct st_store *s, uint64_t table, const char *text)
{
    const struct reading r = read_from(s, table, 1, 0);
    assert_string_equal(r.text, text);
}

/* ---- a gate: the store's thread waits in a done, and what is submitted meanwhile is a group --- */

#define GATE 999999999 /* a table that no test uses */

struct gate {
    sem_t reached, open;
};

static void on_gate(void *arg, enum fm_err err, const struct fm_fault *fault)
{
    (void)fault;
    struct gate *g = arg;
    assert_int_equal(err, FM_E_CONFLICT);
    (void)sem_post(&g->reached);
    (void)sem_wait(&g->open);
}

static void gate_shut(struct gate *g, struct st_store *s)
{
    const struct st_write w = event_of(GATE, 2, "no such table");
    (void)sem_init(&g->reached, 0, 0);
    (void)sem_init(&g->open, 0, 0);
    assert_int_equal(st_submit(s, &w, on_gate, g, &why), FM_OK);
    (void)sem_wait(&g->reached);
}

static void gate_open(struct gate *g, struct st_store *s)
{
    (void)sem_post(&g->open);
    st_drain(s);
}

/* ---- logs ------------------------------------------------------------------------------------ */

static void a_table_is_what_its_log_says(void **state)
{
    (void)state;
    struct st_store *s = fresh();
    assert_written(s, new_table(1, "ABC234"));
    assert_written(s, event_of(1, 2, "+two"));
    assert_written(s, event_of(1, 3, "+three"));
    assert_log(s, 1, "new+two+three");
    assert_string_equal(read_from(s, 1, 2, 0).text, "+two+three");
    assert_string_equal(read_from(s, 1, 0, 0).text, "new+two+three");
    assert_string_equal(read_from(s, 1, 2, 2).text, "+two");
    assert_string_equal(read_from(s, 1, 4, 0).text, "");
    assert_string_equal(read_from(s, 1, UINT64_MAX, 0).text, "");
    const struct st_table t = table_of(s, 1);
    assert_string_equal(t.code, "ABC234");
    assert_false(t.listed);
    assert_int_equal(t.state, ST_WAITING);
    assert_int_equal(t.deadline_ms, 0);
    assert_int_equal(t.last_seq, 3);
    st_close(s);
}

static void what_is_not_there_is_found_nowhere(void **state)
{
    (void)state;
    struct st_store *s = fresh();
    struct st_table t;
    struct st_token token;
    static const uint8_t hash[ST_HASH_BYTES] = {1};
    char *text;
    size_t n;
    for (int i = 0; i < 2; i++) { /* in an empty store; then beside another table */
        const struct st_id id = id_of(7);
        assert_int_equal(st_read_log(s, &id, 1, on_event, NULL, &why), FM_E_NO_TABLE);
        assert_int_equal(why.code, FM_E_NO_TABLE);
        assert_int_equal(st_find_table(s, &id, &t, &why), FM_E_NO_TABLE);
        assert_int_equal(st_find_token(s, &id, hash, &token, &why), FM_E_NO_TABLE);
        assert_int_equal(st_read_record(s, &id, &text, &n, &why), FM_E_NO_TABLE);
        assert_int_equal(st_find_code(s, "ABCDEF", &t, &why), FM_E_NO_TABLE);
        assert_int_equal(st_find_code(s, "", &t, &why), FM_E_NO_TABLE);
        assert_int_equal(st_find_code(s, "ABC2345", &t, &why), FM_E_NO_TABLE);
        assert_int_equal(st_find_code(s, "abc234", &t, &why), FM_E_NO_TABLE); /* as given */
        assert_int_equal(st_find_code(s, "ABC23", &t, &why), FM_E_NO_TABLE);
        assert_int_equal(st_find_code(s, NULL, &t, &why), FM_E_NO_TABLE);
        assert_refused(s, event_of(7, 1, "without creating it"));
        assert_refused(s, event_of(7, 2, "without a table"));
        if (i == 0)
            assert_written(s, new_table(1, "ABC234"));
    }
    st_close(s);
}

static void a_log_has_no_gap_and_no_event_twice(void **state)
{
    (void)state;
    struct st_store *s = fresh();
    assert_written(s, new_table(1, "ABC234"));
    assert_refused(s, event_of(1, 3, "gap"));
    assert_refused(s, event_of(1, INT64_MAX, "gap"));
    assert_refused(s, event_of(1, 1, "twice"));
    assert_refused(s, new_table(1, "OTHER2"));
    assert_refused(s, new_table(1, "ABC234"));
    assert_written(s, event_of(1, 2, "+two"));
    assert_refused(s, event_of(1, 2, "twice"));
    assert_refused(s, event_of(1, 1, "twice"));
    assert_refused(s, event_of(1, 4, "gap"));
    assert_log(s, 1, "new+two");
    assert_int_equal(found_by_code(s, "OTHER2"), 0);
    st_close(s);
}

static void events_are_bytes_from_none_to_the_limit(void **state)
{
    (void)state;
    struct st_store *s = fresh();
    static uint8_t large[ST_EVENT_MAX + 1];
    for (size_t i = 0; i < sizeof large; i++)
        large[i] = (uint8_t)(i * 7 + i / 256);
    assert_written(s, new_table(1, "ABC234"));
    struct st_write w = event_of(1, 2, NULL);
    assert_written(s, w); /* NULL, of no bytes */
    w = event_of(1, 3, "");
    assert_written(s, w);
    w = (struct st_write){.table = id_of(1), .seq = 4, .event = large, .n = 256};
    assert_written(s, w);
    w.seq = 5;
    w.n = ST_EVENT_MAX;
    assert_written(s, w);
    w.seq = 6;
    w.n = ST_EVENT_MAX + 1;
    assert_int_equal(write_now(s, &w), FM_E_SIZE);
    assert_int_equal(why.code, FM_E_SIZE);
    s = again(s);
    assert_whole_log(s, 1, 5);
    const struct reading small = read_from(s, 1, 2, 3);
    assert_int_equal(small.n, 0);
    const struct reading bytes = read_from(s, 1, 4, 4);
    assert_int_equal(bytes.next, 5);
    st_close(s);
}

static bool is_large(void *arg, uint64_t seq, const void *event, size_t n)
{
    const uint8_t *bytes = event;
    *(size_t *)arg = n;
    for (size_t i = 0; i < n; i++)
        assert_int_equal(bytes[i], (uint8_t)(i * 31 + seq + i / 256));
    return true;
}

static void every_byte_comes_back(void **state)
{
    (void)state;
    struct st_store *s = fresh();
    static uint8_t bytes[ST_EVENT_MAX];
    static const size_t sizes[] = {1, 255, 256, 257, 4000, 4096, 5000, 65535, ST_EVENT_MAX};
    const struct st_id id = id_of(1);
    for (uint64_t seq = 1; seq <= sizeof sizes / sizeof sizes[0]; seq++) {
        struct st_write w = seq == 1 ? new_table(1, "ABC234") : event_of(1, seq, "");
        w.n = sizes[seq - 1];
        w.event = bytes;
        for (size_t i = 0; i < w.n; i++)
            bytes[i] = (uint8_t)(i * 31 + seq + i / 256);
        assert_written(s, w);
        size_t n = 0;
        assert_int_equal(st_read_log(s, &id, seq, is_large, &n, &why), FM_OK);
        assert_int_equal(n, w.n);
    }
    st_close(s);
}

static void what_is_given_is_copied(void **state)
{
    (void)state;
    struct st_store *s = fresh();
    struct gate g;
    char event[] = "event", record[] = "record";
    struct st_token token = {{1, 2, 3}, 4, 5}, found;
    const struct st_token same = token;
    struct st_write *w = malloc(sizeof *w);
    assert_non_null(w);
    *w = new_table(1, "ABC234");
    w->event = event;
    w->n = strlen(event);
    w->change.tokens = &token;
    w->change.n_tokens = 1;
    w->change.record = record;
    w->change.record_n = strlen(record);
    gate_shut(&g, s);
    assert_int_equal(st_submit(s, w, NULL, NULL, &why), FM_OK);
    memset(w, 0xff, sizeof *w);
    free(w);
    memset(event, 'x', sizeof event);
    memset(record, 'x', sizeof record);
    memset(&token, 0xff, sizeof token);
    gate_open(&g, s);
    assert_log(s, 1, "event");
    assert_int_equal(found_by_code(s, "ABC234"), 1);
    const struct st_id id = id_of(1);
    assert_int_equal(st_find_token(s, &id, same.hash, &found, &why), FM_OK);
    assert_memory_equal(&found, &same, sizeof same);
    char *text;
    size_t n;
    assert_int_equal(st_read_record(s, &id, &text, &n, &why), FM_OK);
    assert_string_equal(text, "record");
    free(text);
    st_close(s);
}

static void what_is_no_write_is_refused_at_once(void **state)
{
    (void)state;
    struct st_store *s = fresh();
    assert_written(s, new_table(1, "ABC234"));
    static const struct st_token tokens[ST_TOKENS_MAX + 1];
    struct st_write w = event_of(1, 2, "x");
    w.change.tokens = tokens;
    w.change.n_tokens = ST_TOKENS_MAX + 1;
    assert_int_equal(write_now(s, &w), FM_E_SIZE);
    w = event_of(1, 2, "x");
    w.change.record = "x";
    w.change.record_n = ST_RECORD_MAX + 1;
    assert_int_equal(write_now(s, &w), FM_E_SIZE);
    w.change = (struct st_change){.record_n = ST_RECORD_MAX + 1}; /* of no record */
    assert_int_equal(write_now(s, &w), FM_OK);
    w = event_of(1, 0, "x");
    assert_int_equal(write_now(s, &w), FM_E_VALUE);
    w = event_of(1, (uint64_t)INT64_MAX + 1, "x");
    assert_int_equal(write_now(s, &w), FM_E_VALUE);
    w = event_of(1, 3, NULL);
    w.n = 1;
    assert_int_equal(write_now(s, &w), FM_E_VALUE);
    w = event_of(1, 3, "x");
    w.change.n_tokens = 1;
    assert_int_equal(write_now(s, &w), FM_E_VALUE);
    w.change = (struct st_change){.moves = true, .state = ST_CLOSED + 1};
    assert_int_equal(write_now(s, &w), FM_E_VALUE);
    w.change = (struct st_change){.times = true, .deadline_ms = (uint64_t)INT64_MAX + 1};
    assert_int_equal(write_now(s, &w), FM_E_VALUE);
    w = new_table(2, "ABCDEF");
    w.seq = 2;
    assert_int_equal(write_now(s, &w), FM_E_VALUE);
    w = new_table(2, "");
    memset(w.change.code, 'A', sizeof w.change.code);
    assert_int_equal(write_now(s, &w), FM_E_VALUE);
    assert_int_equal(why.code, FM_E_VALUE);
    st_drain(s);
    assert_whole_log(s, 1, 2);
    assert_int_equal(last_seq(s, 2), 0);
    st_close(s);
}

static void thousands_of_tables_are_apart(void **state)
{
    (void)state;
    struct st_store *s = fresh();
    const uint64_t n = TESTS_SANITIZED ? 1000 : 5000;
    char text[32];
    for (uint64_t seq = 1; seq <= 4; seq++) {
        for (uint64_t t = 1; t <= n; t++) {
            (void)snprintf(text, sizeof text, "%06d", (int)t);
            struct st_write w = seq == 1 ? new_table(t, text) : event_of(t, seq, text);
            w.event = text;
            w.n = 6;
            assert_int_equal(st_submit(s, &w, NULL, NULL, &why), FM_OK);
        }
    }
    s = again(s);
    for (uint64_t t = 1; t <= n; t++) {
        char all[4 * sizeof text];
        (void)snprintf(text, sizeof text, "%06d", (int)t);
        (void)snprintf(all, sizeof all, "%s%s%s%s", text, text, text, text);
        assert_log(s, t, all);
        assert_int_equal(found_by_code(s, text), t);
    }
    st_close(s);
}

/* ---- done ------------------------------------------------------------------------------------ */

struct order {
    struct order_item {
        struct order *all;
        enum fm_err err;
        int place;
    } items[4000];
    int n;
    pthread_t thread;
};

static void on_order(void *arg, enum fm_err err, const struct fm_fault *fault)
{
    (void)fault;
    struct order_item *item = arg;
    item->err = err;
    item->place = item->all->n++;
    item->all->thread = pthread_self();
}

static void done_is_called_once_for_each_in_the_order_of_submission(void **state)
{
    (void)state;
    struct st_store *s = fresh();
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
        assert_int_equal(o->items[i].place, i);
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
    struct st_store *s = fresh();
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
        assert_int_equal(o->items[i].place, i);
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
    struct chain c = {.s = fresh(), .seq = 1, .n = 50};
    (void)sem_init(&c.over, 0, 0);
    const struct st_write w = new_table(1, "ABC234");
    assert_int_equal(st_submit(c.s, &w, next_link, &c, &why), FM_OK);
    (void)sem_wait(&c.over);
    assert_whole_log(c.s, 1, 50);
    c.n = 100;
    const struct st_write more = event_of(1, ++c.seq, "x");
    assert_int_equal(st_submit(c.s, &more, next_link, &c, &why), FM_OK);
    struct st_store *s = again(c.s); /* closing waits for those too */
    assert_whole_log(s, 1, 100);
    st_close(s);
    (void)sem_destroy(&c.over);
}

static void closing_waits_for_what_was_submitted(void **state)
{
    (void)state;
    struct st_store *s = fresh();
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

static void everything_survives_closing_and_opening(void **state)
{
    (void)state;
    struct st_store *s = fresh();
    static const struct st_token tokens[2] = {{{1}, 2, 3}, {{2}, 4, 255}};
    struct st_write w = new_table(1, "ABC234");
    w.change.listed = true;
    w.change.tokens = tokens;
    w.change.n_tokens = 2;
    w.change.times = true;
    w.change.deadline_ms = INT64_MAX;
    assert_written(s, w);
    w = event_of(1, 2, "+over");
    w.change =
        (struct st_change){.moves = true, .state = ST_OVER, .record = "the record", .record_n = 10};
    assert_written(s, w);
    for (int i = 0; i < 3; i++) {
        s = again(s);
        assert_log(s, 1, "new+over");
        const struct st_table t = table_of(s, 1);
        assert_true(t.listed);
        assert_int_equal(t.state, ST_OVER);
        assert_int_equal(t.deadline_ms, INT64_MAX);
        assert_string_equal(t.code, "ABC234");
        struct st_token found;
        for (int k = 0; k < 2; k++) {
            assert_int_equal(st_find_token(s, &t.id, tokens[k].hash, &found, &why), FM_OK);
            assert_memory_equal(&found, &tokens[k], sizeof found);
        }
        char *text;
        size_t n;
        assert_int_equal(st_read_record(s, &t.id, &text, &n, &why), FM_OK);
        assert_int_equal(n, 10);
        assert_string_equal(text, "the record");
        free(text);
        assert_refused(s, event_of(1, 2, "twice"));
        assert_int_equal(found_by_code(s, "ABC234"), 0); /* it is over */
    }
    st_close(s);
}

/* ---- caps ------------------------------------------------------------------------------------ */

static void a_full_queue_refuses_and_has_room_again(void **state)
{
    (void)state;
    struct st_store *s = fresh();
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

static void the_queue_counts_bytes_too(void **state)
{
    (void)state;
    struct st_store *s = fresh();
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

/* ---- codes, tokens, records ------------------------------------------------------------------ */

static struct st_write move_to(uint64_t table, uint64_t seq, enum st_state to)
{
    struct st_write w = event_of(table, seq, "+");
    w.change.moves = true;
    w.change.state = (uint8_t)to;
    return w;
}

static void a_code_belongs_to_one_table_until_it_is_over(void **state)
{
    (void)state;
    struct st_store *s = fresh();
    assert_written(s, new_table(1, "ABC234"));
    assert_refused(s, new_table(2, "ABC234"));
    assert_int_equal(last_seq(s, 2), 0);
    assert_written(s, new_table(2, "abc234")); /* compared as given */
    assert_written(s, move_to(1, 2, ST_PLAYING));
    assert_refused(s, new_table(3, "ABC234"));
    assert_int_equal(found_by_code(s, "ABC234"), 1);
    assert_written(s, move_to(1, 3, ST_OVER));
    assert_int_equal(found_by_code(s, "ABC234"), 0);
    assert_written(s, move_to(1, 4, ST_CLOSED));
    assert_int_equal(found_by_code(s, "ABC234"), 0);
    assert_string_equal(table_of(s, 1).code, "ABC234");
    assert_written(s, event_of(1, 5, "+closed"));
    assert_log(s, 1, "new++++closed");
    assert_written(s, new_table(3, "ABC234"));
    assert_int_equal(found_by_code(s, "ABC234"), 3);
    assert_refused(s, move_to(1, 6, ST_WAITING)); /* its code is another's now */
    assert_int_equal(table_of(s, 1).state, ST_CLOSED);
    assert_int_equal(last_seq(s, 1), 5);
    assert_written(s, move_to(3, 2, ST_CLOSED));
    assert_written(s, move_to(1, 6, ST_WAITING));
    assert_int_equal(found_by_code(s, "ABC234"), 1);
    assert_int_equal(found_by_code(s, "abc234"), 2);
    st_close(s);
}

static void tables_may_have_no_code(void **state)
{
    (void)state;
    struct st_store *s = fresh();
    for (uint64_t t = 1; t <= 3; t++)
        assert_written(s, new_table(t, ""));
    struct st_table t;
    assert_int_equal(st_find_code(s, "", &t, &why), FM_E_NO_TABLE);
    assert_string_equal(table_of(s, 2).code, "");
    assert_written(s, new_table(4, "A")); /* nor six letters */
    assert_int_equal(found_by_code(s, "A"), 4);
    st_close(s);
}

static void a_token_is_found_in_its_table(void **state)
{
    (void)state;
    struct st_store *s = fresh();
    struct st_token tokens[ST_TOKENS_MAX], found;
    memset(tokens, 0, sizeof tokens);
    for (uint8_t i = 0; i < ST_TOKENS_MAX; i++) {
        tokens[i].hash[31] = i;
        tokens[i].role = (uint8_t)(200 + i);
        tokens[i].seat = i;
    }
    struct st_write w = new_table(1, "ABC234");
    w.change.tokens = tokens;
    w.change.n_tokens = ST_TOKENS_MAX - 1;
    assert_written(s, w);
    const struct st_id one = id_of(1), two = id_of(2);
    for (int i = 0; i < ST_TOKENS_MAX - 1; i++) {
        assert_int_equal(st_find_token(s, &one, tokens[i].hash, &found, &why), FM_OK);
        assert_memory_equal(&found, &tokens[i], sizeof found);
        assert_int_equal(st_find_token(s, &two, tokens[i].hash, &found, &why), FM_E_NO_TABLE);
    }
    /* a later write brings another one; with one that is taken nothing of it is kept */
    w = event_of(1, 2, "x");
    w.change = (struct st_change){.tokens = &tokens[ST_TOKENS_MAX - 2],
                                  .n_tokens = 2,
                                  .times = true,
                                  .deadline_ms = 9,
                                  .moves = true,
                                  .state = ST_PLAYING,
                                  .record = "r",
                                  .record_n = 1};
    assert_refused(s, w);
    assert_int_equal(last_seq(s, 1), 1);
    assert_int_equal(table_of(s, 1).deadline_ms, 0);
    assert_int_equal(table_of(s, 1).state, ST_WAITING);
    assert_int_equal(st_find_token(s, &one, tokens[ST_TOKENS_MAX - 1].hash, &found, &why),
                     FM_E_NO_TABLE);
    char *text;
    size_t n;
    assert_int_equal(st_read_record(s, &one, &text, &n, &why), FM_E_NO_TABLE);
    w.change = (struct st_change){.tokens = &tokens[ST_TOKENS_MAX - 1], .n_tokens = 1};
    assert_written(s, w);
    assert_int_equal(st_find_token(s, &one, tokens[ST_TOKENS_MAX - 1].hash, &found, &why), FM_OK);
    /* twice in one write; and at another table, where it means something else */
    tokens[1] = tokens[0];
    w = new_table(2, "OTHER2");
    w.change.tokens = tokens;
    w.change.n_tokens = 2;
    assert_refused(s, w);
    assert_int_equal(last_seq(s, 2), 0);
    assert_int_equal(found_by_code(s, "OTHER2"), 0);
    w.change.n_tokens = 1;
    assert_written(s, w);
    assert_int_equal(st_find_token(s, &two, tokens[0].hash, &found, &why), FM_OK);
    st_close(s);
}

static void a_record_is_kept_beside_its_table(void **state)
{
    (void)state;
    struct st_store *s = fresh();
    const struct st_id id = id_of(1);
    char *text, *large = malloc(ST_RECORD_MAX);
    size_t n;
    assert_non_null(large);
    assert_written(s, new_table(1, "ABC234"));
    assert_int_equal(st_read_record(s, &id, &text, &n, &why), FM_E_NO_TABLE);
    struct st_write w = move_to(1, 2, ST_OVER);
    w.change.record = "";
    assert_written(s, w); /* an empty one is one */
    assert_int_equal(st_read_record(s, &id, &text, &n, &why), FM_OK);
    assert_int_equal(n, 0);
    assert_string_equal(text, "");
    free(text);
    for (size_t i = 0; i < ST_RECORD_MAX; i++)
        large[i] = (char)(i * 13 % 251);
    w = event_of(1, 3, "x");
    w.change.record = large;
    w.change.record_n = ST_RECORD_MAX;
    assert_written(s, w); /* the last one counts */
    assert_written(s, event_of(1, 4, "x"));
    assert_int_equal(st_read_record(s, &id, &text, &n, &why), FM_OK);
    assert_int_equal(n, ST_RECORD_MAX);
    assert_memory_equal(text, large, n);
    assert_int_equal(text[n], 0);
    free(text);
    free(large);
    st_close(s);
}

/* ---- deadlines and lists --------------------------------------------------------------------- */

static struct st_write deadline(uint64_t table, uint64_t seq, uint64_t ms)
{
    struct st_write w = seq == 1 ? new_table(table, "") : event_of(table, seq, "x");
    w.change.times = true;
    w.change.deadline_ms = ms;
    return w;
}

static void assert_tables(const struct st_table *found, size_t n, const char *expected)
{
    char text[256] = "";
    for (size_t i = 0; i < n; i++) {
        uint64_t table;
        memcpy(&table, found[i].id.bytes + 8, sizeof table);
        const struct st_id id = id_of(table);
        assert_memory_equal(found[i].id.bytes, id.bytes, ST_ID_BYTES);
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d", i == 0 ? "" : " ",
                       (int)table);
    }
    assert_string_equal(text, expected);
}

static void assert_due(struct st_store *s, uint64_t now, size_t max, const char *expected)
{
    struct st_table t[16];
    size_t n;
    assert_int_equal(st_list_due(s, now, t, max, &n, &why), FM_OK);
    assert_tables(t, n, expected);
}

static void deadlines_come_the_earliest_first(void **state)
{
    (void)state;
    struct st_store *s = fresh();
    assert_due(s, UINT64_MAX, 16, "");
    assert_written(s, deadline(1, 1, 3000));
    assert_written(s, deadline(2, 1, 1000));
    assert_written(s, deadline(3, 1, 2000));
    assert_written(s, deadline(4, 1, 0)); /* none */
    assert_written(s, new_table(5, ""));
    assert_due(s, 0, 16, "");
    assert_due(s, 999, 16, "");
    assert_due(s, 1000, 16, "2");
    assert_due(s, 2500, 16, "2 3");
    assert_due(s, UINT64_MAX, 16, "2 3 1");
    assert_due(s, UINT64_MAX, 2, "2 3");
    assert_due(s, UINT64_MAX, 0, "");
    assert_written(s, event_of(2, 2, "its deadline stays"));
    assert_due(s, 1000, 16, "2");
    assert_written(s, deadline(2, 3, 5000)); /* changed */
    assert_due(s, UINT64_MAX, 16, "3 1 2");
    assert_written(s, deadline(3, 2, 0)); /* cleared */
    assert_due(s, UINT64_MAX, 16, "1 2");
    assert_written(s, deadline(5, 2, 1)); /* set */
    assert_due(s, UINT64_MAX, 16, "5 1 2");
    assert_refused(s, deadline(5, 2, 9999));
    assert_written(s, move_to(1, 2, ST_PLAYING)); /* a move leaves the deadline alone */
    assert_due(s, 4000, 16, "5 1");
    assert_written(s, move_to(1, 3, ST_CLOSED));
    assert_due(s, UINT64_MAX, 16, "5 2");
    s = again(s);
    assert_due(s, UINT64_MAX, 16, "5 2");
    struct st_table t;
    size_t n;
    assert_int_equal(st_list_due(s, 1, &t, 1, &n, &why), FM_OK);
    assert_int_equal(t.deadline_ms, 1);
    assert_int_equal(t.last_seq, 2);
    st_close(s);
}

static void assert_waiting(struct st_store *s, size_t max, const char *expected)
{
    struct st_table t[16];
    size_t n;
    assert_int_equal(st_list_waiting(s, t, max, &n, &why), FM_OK);
    for (size_t i = 0; i < n; i++)
        assert_true(t[i].listed && t[i].state == ST_WAITING);
    assert_tables(t, n, expected);
}

static void assert_state(struct st_store *s, enum st_state which, size_t max, const char *expected)
{
    struct st_table t[16];
    size_t n;
    assert_int_equal(st_list_state(s, (uint8_t)which, t, max, &n, &why), FM_OK);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(t[i].state, which);
    assert_tables(t, n, expected);
}

static void lists_give_the_newest_first(void **state)
{
    (void)state;
    struct st_store *s = fresh();
    assert_waiting(s, 16, "");
    assert_state(s, ST_WAITING, 16, "");
    for (uint64_t t = 1; t <= 6; t++) {
        struct st_write w = new_table(t, "");
        w.change.listed = t != 2;
        w.change.moves = t == 5; /* some begin elsewhere */
        w.change.state = ST_PLAYING;
        assert_written(s, w);
    }
    assert_waiting(s, 16, "6 4 3 1");
    assert_waiting(s, 2, "6 4");
    assert_waiting(s, 0, "");
    assert_state(s, ST_WAITING, 16, "6 4 3 2 1");
    assert_state(s, ST_WAITING, 3, "6 4 3");
    assert_state(s, ST_PLAYING, 16, "5");
    assert_written(s, move_to(4, 2, ST_PLAYING));
    assert_written(s, move_to(1, 2, ST_OVER));
    assert_written(s, move_to(2, 2, ST_CLOSED));
    assert_written(s, event_of(3, 2, "x")); /* moves nothing */
    assert_waiting(s, 16, "6 3");
    assert_state(s, ST_PLAYING, 16, "5 4");
    assert_state(s, ST_OVER, 16, "1");
    assert_state(s, ST_CLOSED, 16, "2");
    assert_state(s, ST_CLOSED + 1, 16, "");
    assert_written(s, move_to(1, 3, ST_WAITING)); /* for a rematch */
    s = again(s);
    assert_waiting(s, 16, "6 3 1");
    assert_state(s, ST_OVER, 16, "");
    st_close(s);
}

struct walk {
    struct st_store *s;
    struct st_table tables[16];
    int n, stop_at, n_tokens;
    unsigned seats; /* bits */
};

static bool on_token(void *arg, const struct st_token *token)
{
    struct walk *w = arg;
    assert_int_equal(token->hash[0], token->seat + 1);
    assert_int_equal(token->role, 7);
    w->seats |= 1u << token->seat;
    return ++w->n_tokens != w->stop_at;
}

static bool on_table(void *arg, const struct st_table *table)
{
    struct walk *w = arg;
    assert_int_equal(last_seq(w->s, (uint64_t)w->n + 1), table->last_seq); /* a read within */
    w->tables[w->n++] = *table;
    return w->n != w->stop_at;
}

static void everything_can_be_walked_over(void **state)
{
    (void)state;
    struct st_store *s = fresh();
    struct walk w = {.s = s};
    assert_int_equal(st_each_table(s, on_table, &w, &why), FM_OK);
    assert_int_equal(w.n, 0);
    struct st_token tokens[3];
    memset(tokens, 0, sizeof tokens);
    for (uint8_t i = 0; i < 3; i++)
        tokens[i] = (struct st_token){.hash = {(uint8_t)(i + 1)}, .role = 7, .seat = i};
    for (uint64_t t = 1; t <= 5; t++) {
        struct st_write one = new_table(t, t == 2 ? "CODE22" : "");
        one.change.listed = t == 3;
        one.change.tokens = tokens;
        one.change.n_tokens = t == 4 ? 3 : 0;
        assert_written(s, one);
    }
    assert_written(s, deadline(5, 2, 777));
    assert_written(s, move_to(1, 2, ST_CLOSED));
    assert_int_equal(st_each_table(s, on_table, &w, &why), FM_OK);
    assert_tables(w.tables, (size_t)w.n, "1 2 3 4 5");
    assert_int_equal(w.tables[0].state, ST_CLOSED);
    assert_string_equal(w.tables[1].code, "CODE22");
    assert_true(w.tables[2].listed);
    assert_int_equal(w.tables[4].deadline_ms, 777);
    w.n = 0;
    w.stop_at = 2;
    assert_int_equal(st_each_table(s, on_table, &w, &why), FM_OK);
    assert_tables(w.tables, (size_t)w.n, "1 2");
    const struct st_id four = id_of(4), three = id_of(3);
    assert_int_equal(st_each_token(s, &four, on_token, &w, &why), FM_OK);
    assert_int_equal(w.n_tokens, 2);
    w = (struct walk){.s = s};
    assert_int_equal(st_each_token(s, &four, on_token, &w, &why), FM_OK);
    assert_int_equal(w.n_tokens, 3);
    assert_int_equal(w.seats, 7);
    assert_int_equal(st_each_token(s, &three, on_token, &w, &why), FM_OK);
    assert_int_equal(w.n_tokens, 3);
    st_close(s);
}

/* ---- several at once ------------------------------------------------------------------------- */

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
            while ((err = write_now(r->s, &w)) == FM_E_STORE)
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

static void of_two_threads_one_wins_each_key(void **state)
{
    (void)state;
    struct st_store *s = fresh();
    struct st_store *stores[] = {s, s, s, s};
    race_on(stores, 4);
    st_close(s);
}

static void of_two_stores_on_the_same_data_one_wins_each_key(void **state)
{
    (void)state;
    struct st_store *stores[2] = {fresh(), store_kind.open()};
    assert_non_null(stores[1]);
    race_on(stores, 2);
    st_close(stores[0]);
    st_close(stores[1]);
}

static void stores_on_the_same_data_see_each_other(void **state)
{
    (void)state;
    struct st_store *a = fresh(), *b = store_kind.open();
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

static void a_read_sees_every_write_that_was_told(void **state)
{
    (void)state;
    struct watch w = {.s = fresh()};
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
    struct nested r = {.s = fresh()};
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
        while (st_stats(w->s).waiting > 5000) /* never empty is enough */
            (void)sched_yield();
        if (seq % 64 == 0)
            (void)sched_yield();
    }
    return NULL;
}

static void draining_waits_for_what_was_before_it_alone(void **state)
{
    (void)state;
    struct watch w = {.s = fresh()};
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

static void stats_count(void **state)
{
    (void)state;
    struct st_store *s = fresh();
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

static void a_store_of_no_kind_is_refused(void **state)
{
    (void)state;
    static const char *const wheres[] = {NULL,      "",  "nothing", "oracle:db",
                                         "sqlit:e", ":", "SQLITE:x"};
    for (size_t i = 0; i < sizeof wheres / sizeof wheres[0]; i++) {
        why.text[0] = '\0';
        assert_null(st_open(wheres[i], &why));
        assert_int_equal(why.code, FM_E_VALUE);
        assert_non_null(strstr(why.text, "sqlite:PATH"));
    }
}

const struct CMUnitTest store_conform[] = {
    cmocka_unit_test(a_table_is_what_its_log_says),
    cmocka_unit_test(what_is_not_there_is_found_nowhere),
    cmocka_unit_test(a_log_has_no_gap_and_no_event_twice),
    cmocka_unit_test(events_are_bytes_from_none_to_the_limit),
    cmocka_unit_test(every_byte_comes_back),
    cmocka_unit_test(what_is_given_is_copied),
    cmocka_unit_test(what_is_no_write_is_refused_at_once),
    cmocka_unit_test(thousands_of_tables_are_apart),
    cmocka_unit_test(done_is_called_once_for_each_in_the_order_of_submission),
    cmocka_unit_test(a_refused_write_harms_no_other_of_its_group),
    cmocka_unit_test(done_may_read_and_submit),
    cmocka_unit_test(closing_waits_for_what_was_submitted),
    cmocka_unit_test(everything_survives_closing_and_opening),
    cmocka_unit_test(a_full_queue_refuses_and_has_room_again),
    cmocka_unit_test(the_queue_counts_bytes_too),
    cmocka_unit_test(a_code_belongs_to_one_table_until_it_is_over),
    cmocka_unit_test(tables_may_have_no_code),
    cmocka_unit_test(a_token_is_found_in_its_table),
    cmocka_unit_test(a_record_is_kept_beside_its_table),
    cmocka_unit_test(deadlines_come_the_earliest_first),
    cmocka_unit_test(lists_give_the_newest_first),
    cmocka_unit_test(everything_can_be_walked_over),
    cmocka_unit_test(of_two_threads_one_wins_each_key),
    cmocka_unit_test(of_two_stores_on_the_same_data_one_wins_each_key),
    cmocka_unit_test(stores_on_the_same_data_see_each_other),
    cmocka_unit_test(a_read_sees_every_write_that_was_told),
    cmocka_unit_test(a_read_may_read),
    cmocka_unit_test(draining_waits_for_what_was_before_it_alone),
    cmocka_unit_test(stats_count),
    cmocka_unit_test(a_store_of_no_kind_is_refused),
};
const size_t store_conform_n = sizeof store_conform / sizeof store_conform[0];
