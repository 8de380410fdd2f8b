/* postgres_group.c: puts a group of writes into the arrays that fathom.add and fathom.put_all take.
 */
#include "store/postgres_write.h"

#include <stdlib.h>
#include <string.h>

const uint32_t st__pg_column_types[N_COLUMNS] = {
    [ID] = ST__PG_UUID,       [SEQ] = ST__PG_INT8,    [EVENT] = ST__PG_BYTEA,
    [DEADLINE] = ST__PG_INT8, [KEEPS] = ST__PG_BOOL,  [STATE] = ST__PG_INT2,
    [CODE] = ST__PG_BYTEA,    [LISTED] = ST__PG_BOOL, [TOKENS] = ST__PG_BYTEA,
    [RECORD] = ST__PG_BYTEA,
};

static int by_position(const void *a, const void *b)
{
    const struct st__pg_entry *x = a, *y = b;
    return (x->position > y->position) - (x->position < y->position);
}

static int by_table(const void *a, const void *b)
{
    const struct st__pg_entry *x = a, *y = b;
    const int order = memcmp(&x->job->write.table, &y->job->write.table, sizeof(struct st_id));
    return order != 0 ? order : by_position(a, b);
}

static int plain_first(const void *a, const void *b)
{
    const struct st__pg_entry *x = a, *y = b;
    if (x->plain != y->plain)
        return x->plain ? -1 : 1;
    return x->plain ? by_table(a, b) : by_position(a, b);
}

void st__pg_sort_by_table(struct st__pg_writer *w)
{
    qsort(w->jobs, w->n, sizeof *w->jobs, by_table);
}

bool st__pg_same_table(const struct st__pg_entry *a, const struct st__pg_entry *b)
{
    return memcmp(&a->job->write.table, &b->job->write.table, sizeof(struct st_id)) == 0;
}

/* Only an event: whether it can be stored depends on its number alone. */
static bool is_plain(const struct st__job *job)
{
    const struct st_change *change = &job->write.change;
    return !change->creates && !change->moves && !change->removes && !change->keeps &&
           change->n_tokens == 0 && change->record == NULL;
}

static bool grow(struct st__pg_writer *w)
{
    const size_t cap = 2 * w->cap + 64;
    struct st__pg_entry *more = realloc(w->jobs, cap * sizeof *more);
    if (more == NULL)
        return false;
    w->jobs = more;
    w->cap = cap;
    return true;
}

bool st__pg_gather(struct st__pg_writer *w, struct st__job *jobs)
{
    w->n = w->n_plain = w->bytes = 0;
    st__pg_array_clear(&w->tables, ST__PG_UUID);
    for (struct st__job *job = jobs; job != NULL; job = job->next) {
        if (w->n == w->cap && !grow(w))
            return false;
        w->jobs[w->n] = (struct st__pg_entry){.job = job, .position = w->n};
        w->bytes += job->bytes;
        w->n++;
    }
    st__pg_sort_by_table(w);
    for (size_t from = 0, to; from < w->n; from = to) {
        to = from + 1;
        while (to < w->n && st__pg_same_table(&w->jobs[from], &w->jobs[to]))
            to++;
        w->jobs[from].plain = to == from + 1 && is_plain(w->jobs[from].job);
        w->n_plain += w->jobs[from].plain;
        st__pg_array_bytes(&w->tables, w->jobs[from].job->write.table.bytes, ST_ID_BYTES);
    }
    qsort(w->jobs, w->n, sizeof *w->jobs, plain_first);
    return !w->tables.failed;
}

static void put_tokens(struct st__pg_array *a, const struct st_change *change)
{
    uint8_t bytes[ST_TOKENS_MAX * (ST_HASH_BYTES + 2)];
    size_t n = 0;
    for (size_t i = 0; i < change->n_tokens; i++) {
        memcpy(bytes + n, change->tokens[i].hash, ST_HASH_BYTES);
        bytes[n + ST_HASH_BYTES] = change->tokens[i].role;
        bytes[n + ST_HASH_BYTES + 1] = change->tokens[i].seat;
        n += ST_HASH_BYTES + 2;
    }
    if (n > 0)
        st__pg_array_bytes(a, bytes, n);
    else
        st__pg_array_null(a);
}

static void put_number(struct st__pg_array *a, bool given, int64_t number, size_t n_bytes)
{
    if (given)
        st__pg_array_number(a, number, n_bytes);
    else
        st__pg_array_null(a);
}

static void put_job(struct st__pg_array *a, const struct st__pg_entry *entry)
{
    const struct st_write *w = &entry->job->write;
    const struct st_change *change = &w->change;
    st__pg_array_bytes(&a[ID], w->table.bytes, ST_ID_BYTES);
    st__pg_array_number(&a[SEQ], (int64_t)w->seq, 8);
    st__pg_array_bytes(&a[EVENT], w->event, w->n);
    put_number(&a[DEADLINE], change->times, (int64_t)change->deadline_ms, 8);
    if (entry->plain)
        return;
    st__pg_array_number(&a[KEEPS], change->keeps, 1);
    put_number(&a[STATE], change->moves || change->removes,
               change->removes ? ST__PG_REMOVED : change->state, 2);
    if (change->creates)
        st__pg_array_bytes(&a[CODE], change->code, strlen(change->code));
    else
        st__pg_array_null(&a[CODE]);
    put_number(&a[LISTED], change->creates, change->listed, 1);
    put_tokens(&a[TOKENS], change);
    if (change->record != NULL)
        st__pg_array_bytes(&a[RECORD], change->record, change->record_n);
    else
        st__pg_array_null(&a[RECORD]);
}

size_t st__pg_put_call(struct st__pg_writer *w, size_t from)
{
    size_t n = 0, bytes = 0;
    const size_t end = from < w->n_plain ? w->n_plain : w->n;
    for (int i = 0; i < N_COLUMNS; i++)
        st__pg_array_clear(&w->columns[i], st__pg_column_types[i]);
    while (from + n < end && n < ST__PG_CALL_JOBS && bytes < ST__PG_CALL_BYTES) {
        bytes += w->jobs[from + n].job->bytes;
        put_job(w->columns, &w->jobs[from + n++]);
    }
    for (int i = 0; i < N_COLUMNS; i++)
        if (w->columns[i].failed)
            return 0;
    return n;
}
