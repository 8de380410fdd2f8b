/* postgres_ask.h: the statements that read from PostgreSQL, and the functions that run them. */
#ifndef STORE_POSTGRES_ASK_H
#define STORE_POSTGRES_ASK_H

#include "store/postgres.h"

#define ST__PG_TABLE "SELECT id, code, listed, state, deadline_ms, last_seq FROM fathom.tables "

#define ST__PG_STATEMENTS(X)                                                                       \
    /* in the order of the index: there is nothing to sort */                                      \
    X(READ_LOG, "SELECT e.seq, e.event FROM (SELECT FROM fathom.tables WHERE id = $1::uuid) t"     \
                " LEFT JOIN LATERAL (SELECT seq, event FROM fathom.events"                         \
                "  WHERE table_id = $1::uuid AND seq >= $2::bigint"                                \
                "  ORDER BY seq LIMIT $3::bigint) e ON true")                                      \
    X(FIND_TABLE, ST__PG_TABLE "WHERE id = $1::uuid")                                              \
    X(FIND_CODE,                                                                                   \
      ST__PG_TABLE "WHERE id = (SELECT table_id FROM fathom.codes WHERE code = $1::bytea)")        \
    X(FIND_TOKEN, "SELECT hash, role, seat FROM fathom.tokens"                                     \
                  " WHERE table_id = $1::uuid AND hash = $2::bytea")                               \
    X(LIST_WAITING, ST__PG_TABLE "WHERE listed AND state = 0 ORDER BY n DESC LIMIT $1::bigint")    \
    X(LIST_STATE, ST__PG_TABLE "WHERE state = $2::bigint ORDER BY n DESC LIMIT $1::bigint")        \
    X(LIST_DUE, ST__PG_TABLE "WHERE deadline_ms > 0 AND deadline_ms <= $2::bigint AND state <> 3"  \
                             " ORDER BY deadline_ms, n LIMIT $1::bigint")                          \
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

enum st__pg_statement {
#define X(name, text) name,
    ST__PG_STATEMENTS(X)
#undef X
        N_STATEMENTS
};

#define ARGUMENTS 3

struct st__pg_question { /* arguments in binary */
    enum st__pg_statement which;
    int n;
    const void *values[ARGUMENTS];
    int lengths[ARGUMENTS];
    uint8_t numbers[ARGUMENTS][8];
};

struct st__pg_question st__pg_about(enum st__pg_statement which, const struct st_id *table);
void st__pg_add_bytes(struct st__pg_question *q, const void *bytes, size_t n);
void st__pg_add_number(struct st__pg_question *q, uint64_t number);
/* Its rows, or NULL and a fault. If an idle connection turns out to be lost, tries once more on a
 * new one; but not if the answer merely took too long. */
PGresult *st__pg_ask(struct st__pg *s, const struct st__pg_question *q, struct fm_fault *fault);
/* One row: FM_OK and the answer, which is to be cleared; or FM_E_NO_TABLE, FM_E_STORE. */
enum fm_err st__pg_ask_one(struct st__pg *s, const struct st__pg_question *q, PGresult **answer,
                           struct fm_fault *fault);

#endif
