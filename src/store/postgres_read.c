/*
 * postgres_read.c: the reads of the PostgreSQL back end.
 *
 * Each is one query. Its whole result is received before the caller's function sees any of it, so a
 * read within a read needs no second connection.
 */
#include "store/postgres_ask.h"

#include <stdlib.h>
#include <string.h>

#define LOG_ROWS 256

#define HEADS_ROWS 8192

#define TABLE_ROWS "1000"

static void copy_bytes(void *to, size_t n, const PGresult *r, int row, int column)
{
    const size_t has = (size_t)PQgetlength(r, row, column);
    memset(to, 0, n);
    memcpy(to, PQgetvalue(r, row, column), has < n ? has : n);
}

/* ---- logs ------------------------------------------------------------------------------------ */

/* The query returns one row without an event if the table has none from there on, and no row if
 * there is no such table. */
enum fm_err st__pg_read_log(void *self, const struct st_id *table, uint64_t from,
                            st_each_event *each, void *arg, struct fm_fault *fault)
{
    struct st__pg *s = self;
    for (bool first = true;; first = false) {
        struct st__pg_question q = st__pg_about(READ_LOG, table);
        st__pg_add_number(&q, from);
        st__pg_add_number(&q, LOG_ROWS);
        PGresult *r = st__pg_ask(s, &q, fault);
        if (r == NULL)
            return FM_E_STORE;
        const bool found = PQntuples(r) > 0;
        const int n = found && !PQgetisnull(r, 0, 0) ? PQntuples(r) : 0;
        bool more = true;
        for (int i = 0; more && i < n; i++) {
            const uint64_t seq = (uint64_t)st__pg_int(r, i, 0);
            more = each(arg, seq, PQgetvalue(r, i, 1), (size_t)PQgetlength(r, i, 1));
            from = seq + 1;
        }
        PQclear(r);
        if (!found && first)
            return fm_fail_plain(fault, FM_E_NO_TABLE);
        if (!more || n < LOG_ROWS)
            return FM_OK;
    }
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void copy_table(struct st_table *out, const PGresult *r, int row)
{
    *out = (struct st_table){
        .listed = st__pg_int(r, row, 2) != 0,
        .state = (uint8_t)st__pg_int(r, row, 3),
        .deadline_ms = (uint64_t)st__pg_int(r, row, 4),
        .last_seq = (uint64_t)st__pg_int(r, row, 5),
    };
    copy_bytes(out->id.bytes, ST_ID_BYTES, r, row, 0);
    copy_bytes(out->code, ST_CODE, r, row, 1);
}

static enum fm_err find(struct st__pg *s, const struct st__pg_question *q, struct st_table *out,
                        struct fm_fault *fault)
{
    PGresult *r;
    const enum fm_err err = st__pg_ask_one(s, q, &r, fault);
    if (err != FM_OK)
        return err;
    copy_table(out, r, 0);
    PQclear(r);
    return FM_OK;
}

enum fm_err st__pg_find_table(void *self, const struct st_id *table, struct st_table *out,
                              struct fm_fault *fault)
{
    const struct st__pg_question q = st__pg_about(FIND_TABLE, table);
    return find(self, &q, out, fault);
}

enum fm_err st__pg_find_code(void *self, const char *code, struct st_table *out,
                             struct fm_fault *fault)
{
    struct st__pg_question q = {.which = FIND_CODE};
    st__pg_add_bytes(&q, code, strlen(code));
    return find(self, &q, out, fault);
}

static void copy_token(struct st_token *out, const PGresult *r, int row)
{
    copy_bytes(out->hash, ST_HASH_BYTES, r, row, 0);
    out->role = (uint8_t)st__pg_int(r, row, 1);
    out->seat = (uint8_t)st__pg_int(r, row, 2);
}

enum fm_err st__pg_find_token(void *self, const struct st_id *table,
                              const uint8_t hash[ST_HASH_BYTES], struct st_token *out,
                              struct fm_fault *fault)
{
    struct st__pg_question q = st__pg_about(FIND_TOKEN, table);
    PGresult *r;
    st__pg_add_bytes(&q, hash, ST_HASH_BYTES);
    const enum fm_err err = st__pg_ask_one(self, &q, &r, fault);
    if (err != FM_OK)
        return err;
    copy_token(out, r, 0);
    PQclear(r);
    return FM_OK;
}

/* $1 is the most rows to return. */
static enum fm_err list(struct st__pg *s, struct st__pg_question *q, struct st_table *out,
                        size_t max, size_t *n, struct fm_fault *fault)
{
    *n = 0;
    PGresult *r = st__pg_ask(s, q, fault);
    if (r == NULL)
        return FM_E_STORE;
    for (; *n < max && *n < (size_t)PQntuples(r); (*n)++)
        copy_table(&out[*n], r, (int)*n);
    PQclear(r);
    return FM_OK;
}

enum fm_err st__pg_list_waiting(void *self, struct st_table *out, size_t max, size_t *n,
                                struct fm_fault *fault)
{
    struct st__pg_question q = {.which = LIST_WAITING};
    st__pg_add_number(&q, max);
    return list(self, &q, out, max, n, fault);
}

enum fm_err st__pg_list_state(void *self, uint8_t state, struct st_table *out, size_t max,
                              size_t *n, struct fm_fault *fault)
{
    struct st__pg_question q = {.which = LIST_STATE};
    st__pg_add_number(&q, max);
    st__pg_add_number(&q, state);
    return list(self, &q, out, max, n, fault);
}

enum fm_err st__pg_list_due(void *self, uint64_t now_ms, struct st_table *out, size_t max,
                            size_t *n, struct fm_fault *fault)
{
    struct st__pg_question q = {.which = LIST_DUE};
    st__pg_add_number(&q, max);
    st__pg_add_number(&q, now_ms);
    return list(self, &q, out, max, n, fault);
}

enum fm_err st__pg_read_heads(void *self, const struct st_id *tables, size_t n, uint64_t *seqs,
                              struct fm_fault *fault)
{
    struct st__pg_array ids = {.bytes = NULL};
    enum fm_err err = FM_OK;
    for (size_t from = 0, count; err == FM_OK && from < n; from += count) {
        struct st__pg_question q = {.which = READ_HEADS};
        count = n - from < HEADS_ROWS ? n - from : HEADS_ROWS;
        st__pg_array_clear(&ids, ST__PG_UUID);
        for (size_t i = 0; i < count; i++)
            st__pg_array_bytes(&ids, tables[from + i].bytes, ST_ID_BYTES);
        if (ids.failed) {
            err = fm_fail(fault, FM_E_STORE, "there is not enough memory for this question");
            break;
        }
        st__pg_add_bytes(&q, ids.bytes, ids.n);
        PGresult *r = st__pg_ask(self, &q, fault);
        if (r == NULL || (size_t)PQntuples(r) != count)
            err = r == NULL ? FM_E_STORE
                            : fm_fail(fault, FM_E_STORE, "the database: an answer is missing");
        for (size_t i = 0; err == FM_OK && i < count; i++)
            seqs[from + i] = (uint64_t)st__pg_int(r, (int)i, 0);
        PQclear(r);
    }
    free(ids.bytes);
    return err;
}

enum fm_err st__pg_read_key(void *self, uint8_t key[ST_KEY_BYTES], struct fm_fault *fault)
{
    const struct st__pg_question q = {.which = READ_KEY};
    PGresult *r = st__pg_ask(self, &q, fault);
    enum fm_err err = FM_OK;
    if (r == NULL)
        err = FM_E_STORE;
    else if (PQntuples(r) != 1 || PQgetlength(r, 0, 0) != ST_KEY_BYTES)
        err = fm_fail(fault, FM_E_STORE, "the database: its key is missing");
    else
        memcpy(key, PQgetvalue(r, 0, 0), ST_KEY_BYTES);
    PQclear(r);
    return err;
}

/* ---- old tables ------------------------------------------------------------------------------ */

#define SCANNED 256 /* most tables that one call looks at */

static enum fm_err count_bytes(struct st__pg *s, struct st_old *old, struct fm_fault *fault)
{
    const struct st__pg_question q = st__pg_about(BYTES, &old->table.id);
    PGresult *r;
    const enum fm_err err = st__pg_ask_one(s, &q, &r, fault);
    if (err != FM_OK)
        return err;
    old->bytes = (uint64_t)st__pg_int(r, 0, 0);
    PQclear(r);
    return FM_OK;
}

enum fm_err st__pg_list_old(void *self, const struct st_old_query *query, uint64_t *at,
                            struct st_old *out, size_t max, size_t *n, struct fm_fault *fault)
{
    struct st__pg_question q = {.which = LIST_OLD};
    st__pg_add_number(&q, query->state);
    st__pg_add_number(&q, *at);
    st__pg_add_number(&q, SCANNED);
    PGresult *r = st__pg_ask(self, &q, fault);
    if (r == NULL)
        return FM_E_STORE;
    const int rows = PQntuples(r);
    enum fm_err err = FM_OK;
    int i = 0;
    for (; i < rows && *n < max && err == FM_OK; i++) {
        struct st_old *old = &out[*n];
        copy_table(&old->table, r, i);
        *at = (uint64_t)st__pg_int(r, i, 6);
        old->age_s = (uint64_t)st__pg_int(r, i, 8);
        if (old->age_s < query->age_s ||
            (query->untrimmed && (uint64_t)st__pg_int(r, i, 7) >= old->table.last_seq))
            continue;
        err = count_bytes(self, old, fault);
        *n += err == FM_OK;
    }
    if (i == rows && rows < SCANNED && *n < max)
        *at = ST_OLD_ALL;
    PQclear(r);
    return err;
}

/* Runs a statement of each_table; NULL and a fault. There is no timeout: it sorts all tables. */
static PGresult *ask_plain(struct st__pg_conn *c, const char *sql, struct fm_fault *fault)
{
    PGresult *r = PQexecParams(c->pg, sql, 0, NULL, NULL, NULL, NULL, 1);
    const ExecStatusType status = PQresultStatus(r);
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK)
        return r;
    (void)st__pg_fail(c, r, fault);
    PQclear(r);
    return NULL;
}

/* On a separate connection, with a cursor: all tables as of one moment, but never all in memory. */
enum fm_err st__pg_each_table(void *self, st_each_table_of *each, void *arg, struct fm_fault *fault)
{
    static const char *const begin[] = {"SET statement_timeout = 0", "BEGIN",
                                        "DECLARE every NO SCROLL CURSOR FOR " ST__PG_TABLE
                                        "ORDER BY n"};
    struct st__pg_conn *c = st__pg_connect(self, ST__PG_READS, fault);
    PGresult *r = NULL;
    bool fine = c != NULL, more = true;
    for (size_t i = 0; fine && i < sizeof begin / sizeof begin[0]; i++) {
        r = ask_plain(c, begin[i], fault);
        fine = r != NULL;
        PQclear(r);
    }
    while (fine && more) {
        r = ask_plain(c, "FETCH " TABLE_ROWS " FROM every", fault);
        fine = r != NULL;
        more = fine && PQntuples(r) > 0;
        for (int i = 0; more && i < PQntuples(r); i++) {
            struct st_table table;
            copy_table(&table, r, i);
            more = each(arg, &table);
        }
        PQclear(r);
    }
    st__pg_disconnect(c);
    return fine ? FM_OK : FM_E_STORE;
}

enum fm_err st__pg_each_token(void *self, const struct st_id *table, st_each_token_of *each,
                              void *arg, struct fm_fault *fault)
{
    const struct st__pg_question q = st__pg_about(EACH_TOKEN, table);
    PGresult *r = st__pg_ask(self, &q, fault);
    if (r == NULL)
        return FM_E_STORE;
    bool more = true;
    for (int i = 0; more && i < PQntuples(r); i++) {
        struct st_token token;
        copy_token(&token, r, i);
        more = each(arg, &token);
    }
    PQclear(r);
    return FM_OK;
}

/* ---- records --------------------------------------------------------------------------------- */

enum fm_err st__pg_read_record(void *self, const struct st_id *table, char **text, size_t *n,
                               struct fm_fault *fault)
{
    const struct st__pg_question q = st__pg_about(READ_RECORD, table);
    PGresult *r;
    *text = NULL;
    *n = 0;
    const enum fm_err err = st__pg_ask_one(self, &q, &r, fault);
    if (err != FM_OK)
        return err;
    const size_t has = (size_t)PQgetlength(r, 0, 0);
    *text = malloc(has + 1);
    if (*text != NULL) {
        memcpy(*text, PQgetvalue(r, 0, 0), has);
        (*text)[has] = '\0';
        *n = has;
    }
    PQclear(r);
    return *text != NULL ? FM_OK
                         : fm_fail(fault, FM_E_STORE, "there is not enough memory for this record");
}
