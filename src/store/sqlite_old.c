/* sqlite_old.c: retention in SQLite: finds, removes and rewrites old tables. */
#include "store/sqlite.h"

#include <time.h>

#define SCANNED 256 /* most tables that one call looks at */

/* ---- finding --------------------------------------------------------------------------------- */

static uint64_t age_of(int64_t at)
{
    const int64_t now = (int64_t)time(NULL);
    return now > at ? (uint64_t)(now - at) : 0;
}

/* Columns of LIST_OLD: those of a table, then n, trimmed_seq, at. */
static bool is_old(const struct st_old_query *query, sqlite3_stmt *statement, struct st_old *out)
{
    const uint64_t trimmed_seq = (uint64_t)sqlite3_column_int64(statement, 7);
    st__sqlite_copy_table(&out->table, statement);
    out->age_s = age_of(sqlite3_column_int64(statement, 8));
    return out->age_s >= query->age_s && !(query->untrimmed && trimmed_seq >= out->table.last_seq);
}

static int count_bytes(struct st__conn *c, int64_t n, uint64_t *bytes)
{
    sqlite3_stmt *statement = st__statement(c, ST__BYTES);
    if (statement == NULL)
        return sqlite3_extended_errcode(c->db);
    (void)sqlite3_bind_int64(statement, 1, n);
    if (sqlite3_step(statement) == SQLITE_ROW)
        *bytes = (uint64_t)sqlite3_column_int64(statement, 0);
    return sqlite3_reset(statement);
}

enum fm_err st__sqlite_list_old(void *self, const struct st_old_query *query, uint64_t *at,
                                struct st_old *out, size_t max, size_t *n, struct fm_fault *fault)
{
    struct st__sqlite *s = self;
    struct st__conn *c = st__sqlite_take(s, fault);
    if (c == NULL)
        return FM_E_STORE;
    sqlite3_stmt *statement = st__statement(c, ST__LIST_OLD);
    if (statement == NULL)
        return st__sqlite_give(s, c, NULL, FM_E_STORE, fault);
    (void)sqlite3_bind_int64(statement, 1, SCANNED);
    (void)sqlite3_bind_int(statement, 2, query->state);
    (void)sqlite3_bind_int64(statement, 3, *at > INT64_MAX ? INT64_MAX : (int64_t)*at);
    int scanned = 0;
    while (*n < max && sqlite3_step(statement) == SQLITE_ROW) {
        const int64_t number = sqlite3_column_int64(statement, 6);
        scanned++;
        *at = (uint64_t)number;
        if (!is_old(query, statement, &out[*n]))
            continue;
        if (count_bytes(c, number, &out[*n].bytes) != SQLITE_OK)
            return st__sqlite_give(s, c, NULL, FM_E_STORE, fault);
        ++*n;
    }
    if (*n < max && scanned < SCANNED)
        *at = ST_OLD_ALL;
    return st__sqlite_give(s, c, statement, FM_OK, fault);
}

/* ---- removing -------------------------------------------------------------------------------- */

int st__sqlite_remove(struct st__conn *c, int64_t n)
{
    static const enum st__statement all[] = {ST__REMOVE_RECORD, ST__REMOVE_TOKENS,
                                             ST__REMOVE_EVENTS, ST__REMOVE_TABLE};
    int code = SQLITE_OK;
    for (size_t i = 0; code == SQLITE_OK && i < sizeof all / sizeof all[0]; i++) {
        sqlite3_stmt *statement = st__statement(c, all[i]);
        if (statement != NULL)
            (void)sqlite3_bind_int64(statement, 1, n);
        code = st__run(c, statement);
    }
    return code;
}

/* ---- rewriting ------------------------------------------------------------------------------- */

static int put_one(struct st__conn *c, int64_t n, const struct st_event *event)
{
    sqlite3_stmt *statement = st__statement(c, ST__REWRITE);
    if (statement == NULL)
        return sqlite3_extended_errcode(c->db);
    (void)sqlite3_bind_int64(statement, 1, n);
    (void)sqlite3_bind_int64(statement, 2, (int64_t)event->seq);
    if (sqlite3_bind_blob(statement, 3, event->bytes, (int)event->n, SQLITE_STATIC) != SQLITE_OK)
        return sqlite3_extended_errcode(c->db);
    return st__run(c, statement);
}

/* FM_OK, or why it is refused; *code is the result of SQLite. */
static enum fm_err put_all(struct st__conn *c, const struct st_rewriting *r, int *code)
{
    int64_t n;
    uint64_t last;
    bool found;
    *code = st__sqlite_end_of_log(c, &r->table, &n, &last, &found);
    if (*code != SQLITE_OK || !found)
        return FM_E_NO_TABLE;
    if (last != r->last_seq)
        return FM_E_CONFLICT;
    sqlite3_stmt *statement = st__statement(c, ST__TRIM);
    if (statement != NULL) {
        (void)sqlite3_bind_int64(statement, 1, n);
        if (r->whole)
            (void)sqlite3_bind_int64(statement, 2, (int64_t)last);
    }
    *code = st__run(c, statement);
    if (*code != SQLITE_OK || sqlite3_changes(c->db) == 0) /* it is waiting or in play */
        return FM_E_CONFLICT;
    for (size_t i = 0; *code == SQLITE_OK && i < r->n; i++)
        *code = put_one(c, n, &r->events[i]);
    return FM_OK;
}

enum fm_err st__sqlite_rewrite(void *self, const struct st_rewriting *r, struct fm_fault *fault)
{
    struct st__sqlite *s = self;
    struct st__conn *c = s->writer;
    int code = st__run(c, st__statement(c, ST__BEGIN));
    enum fm_err err = FM_OK;
    if (code == SQLITE_OK)
        err = put_all(c, r, &code);
    if (code == SQLITE_OK && err != FM_OK) {
        (void)st__run(c, st__statement(c, ST__ROLLBACK));
        return fm_fail_plain(fault, err);
    }
    const bool whole = code == SQLITE_OK;
    if (whole)
        code = st__run(c, st__statement(c, ST__COMMIT));
    return code == SQLITE_OK ? FM_OK : st__sqlite_undo(c, whole, fault);
}
