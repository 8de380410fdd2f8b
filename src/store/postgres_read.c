/*
 * postgres_read.c: reads of the PostgreSQL back end. Each is one question on a connection of its
 * own; its answer is taken over before anything is told of it, so a read within a read needs no
 * second connection.
 *
 * They go to the primary, since they must see every write that was told. They are made on the
 * caller's thread and never last long: a database that is away is asked anew only now and then.
 */
#include "store/postgres.h"

#include <stdlib.h>
#include <string.h>

#define LOG_ROWS   256
#define HEADS_ROWS 8192
#define TABLE_ROWS "1000"

#define TABLE "SELECT id, code, listed, state, deadline_ms, last_seq FROM fathom.tables "
#define STATEMENTS(X)                                                                              \
    X(READ_LOG, "SELECT seq, event FROM fathom.events WHERE table_id = $1::uuid"                   \
                " AND seq >= $2::bigint ORDER BY seq LIMIT $3::bigint")                            \
    X(FIND_TABLE, TABLE "WHERE id = $1::uuid")                                                     \
    X(FIND_CODE, TABLE "WHERE id = (SELECT table_id FROM fathom.codes WHERE code = $1::bytea)")    \
    X(FIND_TOKEN, "SELECT hash, role, seat FROM fathom.tokens"                                     \
                  " WHERE table_id = $1::uuid AND hash = $2::bytea")                               \
    X(LIST_WAITING, TABLE "WHERE listed AND state = 0 ORDER BY n DESC LIMIT $1::bigint")           \
    X(LIST_STATE, TABLE "WHERE state = $2::bigint ORDER BY n DESC LIMIT $1::bigint")               \
    X(LIST_DUE, TABLE "WHERE deadline_ms > 0 AND deadline_ms <= $2::bigint AND state <> 3"         \
                      " ORDER BY deadline_ms, n LIMIT $1::bigint")                                 \
    X(EACH_TOKEN, "SELECT hash, role, seat FROM fathom.tokens WHERE table_id = $1::uuid")          \
    X(READ_RECORD, "SELECT text FROM fathom.records WHERE table_id = $1::uuid")                    \
    X(LIST_OLD,                                                                                    \
      "SELECT t.id, t.code, t.listed, t.state, t.deadline_ms, t.last_seq, t.n, t.trimmed_seq,"     \
      " greatest(extract(epoch FROM now())::bigint - e.at_s, 0)"                                   \
      " FROM (SELECT * FROM fathom.tables WHERE state = $1::bigint AND n > $2::bigint"             \
      "  ORDER BY n LIMIT $3::bigint) t"                                                           \
      " JOIN fathom.events e ON e.table_id = t.id AND e.seq = t.last_seq ORDER BY t.n")            \
    X(BYTES, "SELECT ((SELECT coalesce(sum(length(event)), 0) FROM fathom.events"                  \
             " WHERE table_id = $1::uuid) + coalesce((SELECT length(text) FROM fathom.records"     \
             " WHERE table_id = $1::uuid), 0))::bigint")                                           \
    X(READ_KEY, "SELECT key FROM fathom.program")                                                  \
    X(READ_HEADS, "SELECT coalesce(t.last_seq, 0) FROM unnest($1::uuid[]) WITH ORDINALITY"         \
                  " AS u (id, i) LEFT JOIN fathom.tables t ON t.id = u.id ORDER BY u.i")

enum statement {
#define X(name, text) name,
    STATEMENTS(X)
#undef X
        N_STATEMENTS
};
static const char *const texts[N_STATEMENTS] = {
#define X(name, text) text,
    STATEMENTS(X)
#undef X
};
static const char *const names[N_STATEMENTS] = {
#define X(name, text) #name,
    STATEMENTS(X)
#undef X
};

/* ---- connections ----------------------------------------------------------------------------- */

static struct st__pg_conn *take_waiting(struct st__pg *s)
{
    struct st__pg_conn *c, *old = NULL;
    (void)pthread_mutex_lock(&s->lock);
    while ((c = s->readers) != NULL) {
        s->readers = c->next;
        s->n_readers--;
        if (c->age == s->age)
            break;
        c->next = old;
        old = c;
    }
    (void)pthread_mutex_unlock(&s->lock);
    for (struct st__pg_conn *next; old != NULL; old = next) {
        next = old->next;
        st__pg_disconnect(old);
    }
    return c;
}

/* While the database is away most reads must not wait to learn it: the longer it took to learn, the
 * longer it is believed. */
static struct st__pg_conn *take_new(struct st__pg *s, struct fm_fault *fault)
{
    const uint64_t start = st__pg_now_ms();
    if (start < s->away_until) {
        (void)fm_fail(fault, FM_E_STORE, "the database: it is away");
        return NULL;
    }
    (void)pthread_mutex_lock(&s->lock);
    const unsigned age = s->age;
    (void)pthread_mutex_unlock(&s->lock);
    struct st__pg_conn *c = st__pg_connect(s, ST__PG_READS, fault);
    if (c == NULL) {
        const uint64_t now = st__pg_now_ms();
        s->away_until = now + ST__PG_AWAY_MS + 4 * (now - start);
        return NULL;
    }
    c->age = age;
    return c;
}

static void give(struct st__pg *s, struct st__pg_conn *c, bool lost)
{
    (void)pthread_mutex_lock(&s->lock);
    s->age += lost && c->age == s->age;
    const bool kept = !lost && c->age == s->age && s->n_readers < ST__PG_READERS_KEPT;
    if (kept) {
        c->next = s->readers;
        s->readers = c;
        s->n_readers++;
    }
    (void)pthread_mutex_unlock(&s->lock);
    if (!kept)
        st__pg_disconnect(c);
}

void st__pg_close_readers(struct st__pg *s)
{
    for (struct st__pg_conn *c = s->readers, *next; c != NULL; c = next) {
        next = c->next;
        st__pg_disconnect(c);
    }
    s->readers = NULL;
    s->n_readers = 0;
}

/* ---- questions ------------------------------------------------------------------------------- */

#define ARGUMENTS 3

struct question { /* arguments in binary */
    enum statement which;
    int n;
    const void *values[ARGUMENTS];
    int lengths[ARGUMENTS];
    uint8_t numbers[ARGUMENTS][8];
};

static void add_bytes(struct question *q, const void *bytes, size_t n)
{
    q->values[q->n] = bytes;
    q->lengths[q->n++] = (int)n;
}

static void add_number(struct question *q, uint64_t number)
{
    st__pg_put_int(q->numbers[q->n], number > INT64_MAX ? INT64_MAX : (int64_t)number, 8);
    add_bytes(q, q->numbers[q->n], 8);
}

static PGresult *ask_on(struct st__pg_conn *c, const struct question *q)
{
    static const int binary[ARGUMENTS] = {1, 1, 1};
    const uint64_t bit = (uint64_t)1 << q->which;
    if ((c->prepared & bit) == 0) {
        PGresult *r = PQsendPrepare(c->pg, names[q->which], texts[q->which], 0, NULL) == 1
                          ? st__pg_result(c, ST__PG_ANSWER_MS)
                          : NULL;
        if (PQresultStatus(r) != PGRES_COMMAND_OK)
            return r;
        PQclear(r);
        c->prepared |= bit;
    }
    const char *values[ARGUMENTS];
    for (int i = 0; i < q->n; i++)
        values[i] = q->values[i];
    if (PQsendQueryPrepared(c->pg, names[q->which], q->n, values, q->lengths, binary, 1) != 1)
        return NULL;
    return st__pg_result(c, ST__PG_ANSWER_MS);
}

/* Its rows, or NULL and a fault. A connection that has been lost unnoticed is worth a second try,
 * on a new one; one that has just not answered in time is not. */
static PGresult *ask(struct st__pg *s, const struct question *q, struct fm_fault *fault)
{
    for (bool again = false;; again = true) {
        struct st__pg_conn *c = again ? NULL : take_waiting(s);
        const bool waited = c != NULL;
        if (c == NULL)
            c = take_new(s, fault);
        if (c == NULL)
            return NULL;
        const uint64_t start = st__pg_now_ms();
        PGresult *r = ask_on(c, q);
        const bool fine = PQresultStatus(r) == PGRES_TUPLES_OK;
        const bool lost = r == NULL || PQstatus(c->pg) != CONNECTION_OK;
        if (!fine)
            (void)st__pg_fail(c, r, fault);
        give(s, c, lost);
        if (fine)
            return r;
        PQclear(r);
        if (!lost || !waited || st__pg_now_ms() - start >= ST__PG_ANSWER_MS)
            return NULL;
    }
}

static struct question about(enum statement which, const struct st_id *table)
{
    struct question q = {.which = which};
    add_bytes(&q, table->bytes, ST_ID_BYTES);
    return q;
}

/* One row: FM_OK and the answer, which is to be cleared; or FM_E_NO_TABLE, FM_E_STORE. */
static enum fm_err ask_one(struct st__pg *s, const struct question *q, PGresult **answer,
                           struct fm_fault *fault)
{
    *answer = ask(s, q, fault);
    if (*answer == NULL)
        return FM_E_STORE;
    if (PQntuples(*answer) > 0)
        return FM_OK;
    PQclear(*answer);
    return fm_fail_plain(fault, FM_E_NO_TABLE);
}

static void copy_bytes(void *to, size_t n, const PGresult *r, int row, int column)
{
    const size_t has = (size_t)PQgetlength(r, row, column);
    memset(to, 0, n);
    memcpy(to, PQgetvalue(r, row, column), has < n ? has : n);
}

/* ---- logs ------------------------------------------------------------------------------------ */

enum fm_err st__pg_read_log(void *self, const struct st_id *table, uint64_t from,
                            st_each_event *each, void *arg, struct fm_fault *fault)
{
    struct st__pg *s = self;
    for (bool first = true;; first = false) {
        struct question q = about(READ_LOG, table);
        add_number(&q, from);
        add_number(&q, LOG_ROWS);
        PGresult *r = ask(s, &q, fault);
        if (r == NULL)
            return FM_E_STORE;
        const int n = PQntuples(r);
        bool more = true;
        for (int i = 0; more && i < n; i++) {
            const uint64_t seq = (uint64_t)st__pg_int(r, i, 0);
            more = each(arg, seq, PQgetvalue(r, i, 1), (size_t)PQgetlength(r, i, 1));
            from = seq + 1;
        }
        PQclear(r);
        if (n == 0 && first) {
            struct st_table found;
            return st__pg_find_table(self, table, &found, fault);
        }
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

static enum fm_err find(struct st__pg *s, const struct question *q, struct st_table *out,
                        struct fm_fault *fault)
{
    PGresult *r;
    const enum fm_err err = ask_one(s, q, &r, fault);
    if (err != FM_OK)
        return err;
    copy_table(out, r, 0);
    PQclear(r);
    return FM_OK;
}

enum fm_err st__pg_find_table(void *self, const struct st_id *table, struct st_table *out,
                              struct fm_fault *fault)
{
    const struct question q = about(FIND_TABLE, table);
    return find(self, &q, out, fault);
}

enum fm_err st__pg_find_code(void *self, const char *code, struct st_table *out,
                             struct fm_fault *fault)
{
    struct question q = {.which = FIND_CODE};
    add_bytes(&q, code, strlen(code));
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
    struct question q = about(FIND_TOKEN, table);
    PGresult *r;
    add_bytes(&q, hash, ST_HASH_BYTES);
    const enum fm_err err = ask_one(self, &q, &r, fault);
    if (err != FM_OK)
        return err;
    copy_token(out, r, 0);
    PQclear(r);
    return FM_OK;
}

/* $1 is how many at most. */
static enum fm_err list(struct st__pg *s, struct question *q, struct st_table *out, size_t max,
                        size_t *n, struct fm_fault *fault)
{
    *n = 0;
    PGresult *r = ask(s, q, fault);
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
    struct question q = {.which = LIST_WAITING};
    add_number(&q, max);
    return list(self, &q, out, max, n, fault);
}

enum fm_err st__pg_list_state(void *self, uint8_t state, struct st_table *out, size_t max,
                              size_t *n, struct fm_fault *fault)
{
    struct question q = {.which = LIST_STATE};
    add_number(&q, max);
    add_number(&q, state);
    return list(self, &q, out, max, n, fault);
}

enum fm_err st__pg_list_due(void *self, uint64_t now_ms, struct st_table *out, size_t max,
                            size_t *n, struct fm_fault *fault)
{
    struct question q = {.which = LIST_DUE};
    add_number(&q, max);
    add_number(&q, now_ms);
    return list(self, &q, out, max, n, fault);
}

enum fm_err st__pg_read_heads(void *self, const struct st_id *tables, size_t n, uint64_t *seqs,
                              struct fm_fault *fault)
{
    struct st__pg_array ids = {.bytes = NULL};
    enum fm_err err = FM_OK;
    for (size_t from = 0, count; err == FM_OK && from < n; from += count) {
        struct question q = {.which = READ_HEADS};
        count = n - from < HEADS_ROWS ? n - from : HEADS_ROWS;
        st__pg_array_clear(&ids, ST__PG_UUID);
        for (size_t i = 0; i < count; i++)
            st__pg_array_bytes(&ids, tables[from + i].bytes, ST_ID_BYTES);
        if (ids.failed) {
            err = fm_fail(fault, FM_E_STORE, "there is not enough memory for this question");
            break;
        }
        add_bytes(&q, ids.bytes, ids.n);
        PGresult *r = ask(self, &q, fault);
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
    const struct question q = {.which = READ_KEY};
    PGresult *r = ask(self, &q, fault);
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

/* ---- what is old ----------------------------------------------------------------------------- */

#define SCANNED 256 /* tables that one call looks at */

static enum fm_err count_bytes(struct st__pg *s, struct st_old *old, struct fm_fault *fault)
{
    const struct question q = about(BYTES, &old->table.id);
    PGresult *r;
    const enum fm_err err = ask_one(s, &q, &r, fault);
    if (err != FM_OK)
        return err;
    old->bytes = (uint64_t)st__pg_int(r, 0, 0);
    PQclear(r);
    return FM_OK;
}

enum fm_err st__pg_list_old(void *self, const struct st_old_query *query, uint64_t *at,
                            struct st_old *out, size_t max, size_t *n, struct fm_fault *fault)
{
    struct question q = {.which = LIST_OLD};
    add_number(&q, query->state);
    add_number(&q, *at);
    add_number(&q, SCANNED);
    PGresult *r = ask(self, &q, fault);
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

/* Rows of a statement of each_table; NULL and a fault. It may take its time: it sorts them all. */
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

/* On a connection of its own: all of them at one moment, but never all in memory. */
enum fm_err st__pg_each_table(void *self, st_each_table_of *each, void *arg, struct fm_fault *fault)
{
    static const char *const begin[] = {"SET statement_timeout = 0", "BEGIN",
                                        "DECLARE every NO SCROLL CURSOR FOR " TABLE "ORDER BY n"};
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
    const struct question q = about(EACH_TOKEN, table);
    PGresult *r = ask(self, &q, fault);
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
    const struct question q = about(READ_RECORD, table);
    PGresult *r;
    *text = NULL;
    *n = 0;
    const enum fm_err err = ask_one(self, &q, &r, fault);
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
