/* postgres_write.h: what the files that write groups to PostgreSQL share. */
#ifndef STORE_POSTGRES_WRITE_H
#define STORE_POSTGRES_WRITE_H

#include "store/postgres.h"

#define ST__PG_CALL_JOBS  1024       /* most writes in one call ... */
#define ST__PG_CALL_BYTES (8u << 20) /* ... and, roughly, most bytes */

/* The arrays that fathom.write takes, in its order: those up to RECORD for plain writes, then all
 * of them for the others. */
enum { ID, SEQ, EVENT, DEADLINE, KEEPS, STATE, RECORD, CODE, LISTED, TOKENS, N_COLUMNS };
#define N_PLAIN (RECORD + 1)
extern const uint32_t st__pg_column_types[N_COLUMNS];

struct st__pg_entry {
    struct st__job *job;
    size_t position; /* among those that were submitted */
    bool plain;      /* see is_plain; and the only write to its table */
    bool told;       /* other programs want to know of it */
};

struct st__pg_writer {
    struct st__pg_conn *conn; /* NULL: none */
    bool owes_notice;         /* the answer to the last notice was not read yet */
    struct st__pg_array plain[N_PLAIN], others[N_COLUMNS]; /* of a call */
    struct st__pg_entry *jobs; /* of the group: plain ones by table, then others as submitted */
    size_t n, n_plain, cap;
    bool locks;                 /* all tables must be locked first */
    bool plays;                 /* of a call: a plain write starts or ends a game */
    struct st__pg_array tables; /* all of them, by id */
    uint8_t lock[8];            /* the writer's advisory lock, in the database's byte order */
    int64_t n_connections;      /* connections so far: the number of this one */
    int64_t tag;                /* of the first job; the others count up from it */
};

/* ---- postgres_group.c ------------------------------------------------------------------------ */

bool st__pg_gather(struct st__pg_writer *w, struct st__job *jobs); /* false: no memory */
/* Puts as many jobs as fit into one call, from this one on; returns how many. 0: there is not
 * enough memory. */
size_t st__pg_put_call(struct st__pg_writer *w, size_t from);
/* By table, and within one in the order of submission. */
void st__pg_sort_by_table(struct st__pg_writer *w);
bool st__pg_same_table(const struct st__pg_entry *a, const struct st__pg_entry *b);

#endif
