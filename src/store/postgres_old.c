/*
 * postgres_old.c: retention in PostgreSQL: which program prunes, and rewriting events.
 *
 * The program that prunes uses a separate connection. Its transactions lock no row of a table in
 * play, and the database releases its lock when the program is gone.
 */
#include "store/postgres.h"

#include <stdlib.h>

#define LOCK "1181836398" /* the lock of the migrations, plus one */

enum fm_err st__pg_prune_begin(void *self, struct fm_fault *fault)
{
    struct st__pg *s = self;
    st__pg_prune_end(s);
    struct st__pg_conn *c = st__pg_connect(s, ST__PG_WRITES, fault);
    if (c == NULL)
        return FM_E_STORE;
    PGresult *r = PQsendQuery(c->pg, "SELECT pg_catalog.pg_try_advisory_lock(" LOCK ")") == 1
                      ? st__pg_result(c, ST__PG_ANSWER_MS)
                      : NULL;
    enum fm_err err = FM_OK;
    if (PQresultStatus(r) != PGRES_TUPLES_OK)
        err = st__pg_fail(c, r, fault);
    else if (PQgetvalue(r, 0, 0)[0] != 't')
        err = fm_fail(fault, FM_E_BUSY, "another program is pruning this database");
    PQclear(r);
    if (err == FM_OK)
        s->pruner = c;
    else
        st__pg_disconnect(c);
    return err;
}

void st__pg_prune_end(void *self)
{
    struct st__pg *s = self;
    st__pg_disconnect(s->pruner);
    s->pruner = NULL;
}

/* ---- rewriting ------------------------------------------------------------------------------- */

/* The table's row is locked first, as it is when events are written. */
static const char rewrite[] =
    "WITH t AS (UPDATE fathom.tables SET trimmed_seq = CASE WHEN $5::boolean THEN last_seq"
    "  ELSE trimmed_seq END"
    "  WHERE id = $1::uuid AND last_seq = $2::bigint AND state >= 2 RETURNING id),"
    " e AS (UPDATE fathom.events SET event = u.event FROM t,"
    "  unnest($3::bigint[], $4::bytea[]) AS u (seq, event)"
    "  WHERE fathom.events.table_id = t.id AND fathom.events.seq = u.seq)"
    " SELECT (SELECT count(*) FROM t), EXISTS (SELECT FROM fathom.tables WHERE id = $1::uuid)";

/* NULL also if the server does not answer in time: otherwise the program could not stop. */
static PGresult *send_rewrite(struct st__pg_conn *c, const struct st_rewriting *r,
                              const struct st__pg_array *seqs, const struct st__pg_array *bytes)
{
    static const int binary[] = {1, 1, 1, 1, 1};
    const char whole = r->whole;
    uint8_t last[8];
    st__pg_put_int(last, (int64_t)r->last_seq, sizeof last);
    const char *const values[] = {(const char *)r->table.bytes, (const char *)last,
                                  (const char *)seqs->bytes, (const char *)bytes->bytes, &whole};
    const int lengths[] = {ST_ID_BYTES, sizeof last, (int)seqs->n, (int)bytes->n, sizeof whole};
    return PQsendQueryParams(c->pg, rewrite, 5, NULL, values, lengths, binary, 1) == 1
               ? st__pg_result(c, ST__PG_ANSWER_MS)
               : NULL;
}

static enum fm_err judge(const struct st__pg_conn *c, const PGresult *r, struct fm_fault *fault)
{
    if (PQresultStatus(r) != PGRES_TUPLES_OK)
        return st__pg_fail(c, r, fault);
    if (st__pg_int(r, 0, 0) == 1)
        return FM_OK;
    return fm_fail_plain(fault, st__pg_int(r, 0, 1) != 0 ? FM_E_CONFLICT : FM_E_NO_TABLE);
}

enum fm_err st__pg_rewrite(void *self, const struct st_rewriting *r, struct fm_fault *fault)
{
    struct st__pg *s = self;
    struct st__pg_array seqs = {.bytes = NULL}, bytes = {.bytes = NULL};
    const bool own = s->pruner == NULL;
    struct st__pg_conn *c = own ? st__pg_connect(s, ST__PG_WRITES, fault) : s->pruner;
    if (c == NULL)
        return FM_E_STORE;
    st__pg_array_clear(&seqs, ST__PG_INT8);
    st__pg_array_clear(&bytes, ST__PG_BYTEA);
    for (size_t i = 0; i < r->n; i++) {
        st__pg_array_number(&seqs, (int64_t)r->events[i].seq, 8);
        st__pg_array_bytes(&bytes, r->events[i].bytes, r->events[i].n);
    }
    enum fm_err err;
    if (seqs.failed || bytes.failed) {
        err = fm_fail(fault, FM_E_STORE, "there is not enough memory for this table");
    } else {
        PGresult *answer = send_rewrite(c, r, &seqs, &bytes);
        err = judge(c, answer, fault);
        PQclear(answer);
    }
    free(seqs.bytes);
    free(bytes.bytes);
    if (own)
        st__pg_disconnect(c);
    return err;
}
