/* postgres_group.c: puts a group of writes into the arrays that fathom.write takes. */
#include "store/postgres_write.h"

#include <stdlib.h>
#include <string.h>

const uint32_t st__pg_column_types[N_COLUMNS] = {
    [ID] = ST__PG_UUID,       [SEQ] = ST__PG_INT8,   [EVENT] = ST__PG_BYTEA,
    [DEADLINE] = ST__PG_INT8, [KEEPS] = ST__PG_BOOL, [STATE] = ST__PG_INT2,
    [RECORD] = ST__PG_BYTEA,  [CODE] = ST__PG_BYTEA, [LISTED] = ST__PG_BOOL,
    [TOKENS] = ST__PG_BYTEA,
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

/* A write that starts a game, ends it or is a move: whether it can be stored depends on its number
 * alone. If a write takes a table over in any other way, the former keeper has to be told, so the
 * row is read first. */
static bool is_plain(const struct st__job *job)
{
    const struct st_change *change = &job->write.change;
    const bool starts = change->moves && change->state == ST_PLAYING;
    const bool waits = change->moves && change->state == ST_WAITING;
    return !change->creates && !change->removes && change->n_tokens == 0 && !waits &&
           (!change->keeps || starts);
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
    w->n = w->n_plain = 0;
    w->locks = false;
    st__pg_array_clear(&w->tables, ST__PG_UUID);
    for (struct st__job *job = jobs; job != NULL; job = job->next) {
        if (w->n == w->cap && !grow(w))
            return false;
        w->jobs[w->n] = (struct st__pg_entry){.job = job, .position = w->n};
        w->n++;
    }
    st__pg_sort_by_table(w);
    for (size_t from = 0, to; from < w->n; from = to) {
        to = from + 1;
        while (to < w->n && st__pg_same_table(&w->jobs[from], &w->jobs[to]))
            to++;
        const bool only = to == from + 1;
        w->jobs[from].plain = only && is_plain(w->jobs[from].job);
        w->n_plain += w->jobs[from].plain;
        /* nobody else knows a new table, so nobody waits for it */
        w->locks =
            w->locks || !only || !(w->jobs[from].plain || w->jobs[from].job->write.change.creates);
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

static void put_plain(struct st__pg_array *a, const struct st__job *job)
{
    const struct st_write *w = &job->write;
    const struct st_change *change = &w->change;
    st__pg_array_bytes(&a[ID], w->table.bytes, ST_ID_BYTES);
    st__pg_array_number(&a[SEQ], (int64_t)w->seq, 8);
    st__pg_array_bytes(&a[EVENT], w->event, w->n);
    put_number(&a[DEADLINE], change->times, (int64_t)change->deadline_ms, 8);
    st__pg_array_number(&a[KEEPS], change->keeps, 1);
    put_number(&a[STATE], change->moves || change->removes,
               change->removes ? ST__PG_REMOVED : change->state, 2);
    if (change->record != NULL)
        st__pg_array_bytes(&a[RECORD], change->record, change->record_n);
    else
        st__pg_array_null(&a[RECORD]);
}

static void put_other(struct st__pg_array *a, const struct st__job *job)
{
    const struct st_change *change = &job->write.change;
    put_plain(a, job);
    if (change->creates)
        st__pg_array_bytes(&a[CODE], change->code, strlen(change->code));
    else
        st__pg_array_null(&a[CODE]);
    put_number(&a[LISTED], change->creates, change->listed, 1);
    put_tokens(&a[TOKENS], change);
}

size_t st__pg_put_call(struct st__pg_writer *w, size_t from)
{
    size_t n = 0, bytes = 0;
    bool failed = false;
    w->plays = false;
    for (int i = 0; i < N_PLAIN; i++)
        st__pg_array_clear(&w->plain[i], st__pg_column_types[i]);
    for (int i = 0; i < N_COLUMNS; i++)
        st__pg_array_clear(&w->others[i], st__pg_column_types[i]);
    for (; from + n < w->n && n < ST__PG_CALL_JOBS && bytes < ST__PG_CALL_BYTES; n++) {
        const struct st__pg_entry *entry = &w->jobs[from + n];
        bytes += entry->job->bytes;
        if (!entry->plain) {
            put_other(w->others, entry->job);
            continue;
        }
        put_plain(w->plain, entry->job);
        w->plays =
            w->plays || entry->job->write.change.moves || entry->job->write.change.record != NULL;
    }
    for (int i = 0; i < N_PLAIN; i++)
        failed = failed || w->plain[i].failed;
    for (int i = 0; i < N_COLUMNS; i++)
        failed = failed || w->others[i].failed;
    return failed ? 0 : n;
}
