/* conform.c: what the store's tests share: making writes, waiting for answers, reading logs. */
#include "store/conform.h"

#include <string.h>

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

void on_answer(void *arg, enum fm_err err, const struct fm_fault *fault)
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

enum fm_err write_now(struct st_store *s, struct st_write w)
{
    struct answer a;
    (void)sem_init(&a.told, 0, 0);
    const enum fm_err err = st_submit(s, &w, on_answer, &a, &why);
    if (err == FM_OK)
        (void)sem_wait(&a.told);
    if (err == FM_OK && a.err != FM_OK)
        why = a.fault;
    (void)sem_destroy(&a.told);
    return err == FM_OK ? a.err : err;
}

void assert_written(struct st_store *s, struct st_write w)
{
    const enum fm_err err = write_now(s, w);
    if (err != FM_OK)
        fail_msg("%s: %s", fm_err_code(err), why.text);
}

void assert_refused(struct st_store *s, struct st_write w)
{
    assert_int_equal(write_now(s, w), FM_E_CONFLICT);
}

struct st_store *fresh_store(void)
{
    store_kind.clear();
    struct st_store *s = store_kind.open();
    assert_non_null(s);
    return s;
}

struct st_store *reopen(struct st_store *s)
{
    st_close(s);
    s = store_kind.open();
    assert_non_null(s);
    return s;
}

struct st_table table_of(struct st_store *s, uint64_t table)
{
    struct st_table t;
    const struct st_id id = id_of(table);
    assert_int_equal(st_find_table(s, &id, &t, &why), FM_OK);
    assert_memory_equal(t.id.bytes, id.bytes, ST_ID_BYTES);
    return t;
}

uint64_t found_by_code(struct st_store *s, const char *code)
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

bool collect_event(void *arg, uint64_t seq, const void *event, size_t n)
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

struct reading read_from(struct st_store *s, uint64_t table, uint64_t from, uint64_t stop_at)
{
    struct reading r = {.next = from == 0 ? 1 : from, .stop_at = stop_at};
    const struct st_id id = id_of(table);
    assert_int_equal(st_read_log(s, &id, from, collect_event, &r, &why), FM_OK);
    return r;
}

void assert_whole_log(struct st_store *s, uint64_t table, uint64_t n)
{
    assert_int_equal(read_from(s, table, 1, 0).next - 1, n);
    assert_int_equal(last_seq(s, table), n);
}

void assert_log(struct st_store *s, uint64_t table, const char *text)
{
    const struct reading r = read_from(s, table, 1, 0);
    assert_string_equal(r.text, text);
}

struct st_write move_to(uint64_t table, uint64_t seq, enum st_state to)
{
    struct st_write w = event_of(table, seq, "+");
    w.change.moves = true;
    w.change.state = (uint8_t)to;
    return w;
}

/* ---- a gate --------------------------------------------------------------------------------- */

#define GATE 999999999 /* a table that no test uses */

static void on_gate(void *arg, enum fm_err err, const struct fm_fault *fault)
{
    (void)fault;
    struct gate *g = arg;
    assert_int_equal(err, FM_E_CONFLICT);
    (void)sem_post(&g->reached);
    (void)sem_wait(&g->open);
}

void gate_shut(struct gate *g, struct st_store *s)
{
    const struct st_write w = event_of(GATE, 2, "no such table");
    (void)sem_init(&g->reached, 0, 0);
    (void)sem_init(&g->open, 0, 0);
    assert_int_equal(st_submit(s, &w, on_gate, g, &why), FM_OK);
    (void)sem_wait(&g->reached);
}

void gate_open(struct gate *g, struct st_store *s)
{
    (void)sem_post(&g->open);
    st_drain(s);
}
