/* store_read.c: reads, lists of old tables, and notices between programs: all are passed on to the
 * back end. */
#include "store/store_state.h"

#include "base/panic.h"

#include <string.h>
#include <time.h>

/* ---- reading --------------------------------------------------------------------------------- */

enum fm_err st_read_log(struct st_store *s, const struct st_id *table, uint64_t from,
                        st_each_event *each, void *arg, struct fm_fault *fault)
{
    return s->backend->read_log(s->self, table, from, each, arg, fault);
}

enum fm_err st_find_table(struct st_store *s, const struct st_id *table, struct st_table *out,
                          struct fm_fault *fault)
{
    return s->backend->find_table(s->self, table, out, fault);
}

enum fm_err st_find_code(struct st_store *s, const char *code, struct st_table *out,
                         struct fm_fault *fault)
{
    if (code == NULL || code[0] == '\0' || strlen(code) > ST_CODE) /* no table has such a code */
        return fm_fail_plain(fault, FM_E_NO_TABLE);
    return s->backend->find_code(s->self, code, out, fault);
}

enum fm_err st_find_token(struct st_store *s, const struct st_id *table,
                          const uint8_t hash[ST_HASH_BYTES], struct st_token *out,
                          struct fm_fault *fault)
{
    return s->backend->find_token(s->self, table, hash, out, fault);
}

enum fm_err st_list_waiting(struct st_store *s, struct st_table *out, size_t max, size_t *n,
                            struct fm_fault *fault)
{
    return s->backend->list_waiting(s->self, out, max, n, fault);
}

enum fm_err st_list_state(struct st_store *s, uint8_t state, struct st_table *out, size_t max,
                          size_t *n, struct fm_fault *fault)
{
    return s->backend->list_state(s->self, state, out, max, n, fault);
}

enum fm_err st_list_due(struct st_store *s, uint64_t now_ms, struct st_table *out, size_t max,
                        size_t *n, struct fm_fault *fault)
{
    return s->backend->list_due(s->self, now_ms, out, max, n, fault);
}

enum fm_err st_read_record(struct st_store *s, const struct st_id *table, char **text, size_t *n,
                           struct fm_fault *fault)
{
    return s->backend->read_record(s->self, table, text, n, fault);
}

enum fm_err st_each_table(struct st_store *s, st_each_table_of *each, void *arg,
                          struct fm_fault *fault)
{
    return s->backend->each_table(s->self, each, arg, fault);
}

enum fm_err st_each_token(struct st_store *s, const struct st_id *table, st_each_token_of *each,
                          void *arg, struct fm_fault *fault)
{
    return s->backend->each_token(s->self, table, each, arg, fault);
}

enum fm_err st_read_heads(struct st_store *s, const struct st_id *tables, size_t n, uint64_t *seqs,
                          struct fm_fault *fault)
{
    if (s->backend->read_heads != NULL)
        return s->backend->read_heads(s->self, tables, n, seqs, fault);
    enum fm_err err = FM_OK;
    for (size_t i = 0; i < n && err != FM_E_STORE; i++) {
        struct st_table table = {.last_seq = 0};
        err = st_find_table(s, &tables[i], &table, fault);
        seqs[i] = table.last_seq;
    }
    return err == FM_E_STORE ? err : FM_OK;
}

/* ---- retention ------------------------------------------------------------------------------- */

enum fm_err st_list_old(struct st_store *s, const struct st_old_query *query, uint64_t *at,
                        struct st_old *out, size_t max, size_t *n, struct fm_fault *fault)
{
    *n = 0;
    return s->backend->list_old(s->self, query, at, out, max, n, fault);
}

enum fm_err st_prune_begin(struct st_store *s, struct fm_fault *fault)
{
    return s->backend->prune_begin == NULL ? FM_OK : s->backend->prune_begin(s->self, fault);
}

void st_prune_end(struct st_store *s)
{
    if (s->backend->prune_end != NULL)
        s->backend->prune_end(s->self);
}

/* ---- several programs on one store ----------------------------------------------------------- */

bool st_shared(const struct st_store *s)
{
    return s->backend->listen != NULL;
}

uint64_t st_calendar_ns(const struct st_store *s)
{
    struct timespec t;
    if (st_shared(s))
        return s->backend->calendar_ns(s->self);
    return clock_gettime(CLOCK_REALTIME, &t) != 0 || t.tv_sec < 0
               ? 0
               : (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

enum fm_err st_read_key(struct st_store *s, uint8_t key[ST_KEY_BYTES], struct fm_fault *fault)
{
    fm_assert(st_shared(s));
    return s->backend->read_key(s->self, key, fault);
}

enum fm_err st_listen(struct st_store *s, st_listener *hear, void *arg, struct fm_fault *fault)
{
    return st_shared(s) ? s->backend->listen(s->self, hear, arg, fault) : FM_OK;
}

bool st_watch(struct st_store *s, const struct st_id *table, bool watches)
{
    return !st_shared(s) || s->backend->watch(s->self, table, watches);
}

void st_notify(struct st_store *s, const struct st_id *table, const void *text, size_t n)
{
    fm_assert(n <= ST_MESSAGE_MAX);
    if (st_shared(s))
        s->backend->notify(s->self, table, text, n);
}

void st_unlisten(struct st_store *s)
{
    if (st_shared(s))
        s->backend->unlisten(s->self);
}

void st_release(struct st_store *s)
{
    if (st_shared(s))
        s->backend->release(s->self);
}
