/*
 * postgres.h: what the files of the PostgreSQL back end share: connections, values in the
 * database's binary form, the schema, and the notices between programs.
 */
#ifndef STORE_POSTGRES_H
#define STORE_POSTGRES_H

#include "store/backend.h"

#include <libpq-fe.h>
#include <pthread.h>
#include <stdatomic.h>

#define ST__PG_READERS_KEPT 4      /* idle connections kept for the next read */
#define ST__PG_ANSWER_MS    5000   /* how long a read or a heartbeat may take */
#define ST__PG_AWAY_MS      300    /* after a failed connect, reads fail at once for this long */
#define ST__PG_OLDEST       130000 /* oldest supported server, as PQserverVersion counts */

/* ---- connections ----------------------------------------------------------------------------- */

/* A writing connection waits for the answer however long it takes: a commit must not be cancelled
 * while it waits for the standby. A listening one writes nothing that has to be durable. */
enum st__pg_use { ST__PG_READS, ST__PG_WRITES, ST__PG_LISTENS };

struct st__pg_conn {
    PGconn *pg;
    uint64_t prepared;        /* bits of the prepared statements */
    unsigned age;             /* st__pg.age when it was opened */
    bool no_standby;          /* the server reported that it did not wait for its standby */
    struct st__pg_conn *next; /* in the list of idle ones */
};

struct st__pg_listener; /* postgres_listen.c */

struct st__pg {
    char *conninfo;
    _Atomic unsigned good_host; /* index of the host that was connected last */
    struct st_id node;          /* a random id of this program, for as long as the store is open */
    char name[2 * ST_ID_BYTES + 1]; /* the same in hexadecimal */
    struct st__pg_writer *writer;   /* only for the store's thread */
    pthread_mutex_t lock;           /* of the three below */
    struct st__pg_conn *readers;
    int n_readers;
    unsigned age;                /* incremented when a connection is lost: older ones are closed */
    _Atomic uint64_t away_until; /* ms: see ST__PG_AWAY_MS */
    struct st__pg_conn *pruner;  /* holds the lock for pruning, only for that thread; NULL: none */
    struct st__pg_listener *listener; /* NULL: nobody listens */
    _Atomic uint64_t sent, heard;
    _Atomic uint64_t answered_ms; /* when the database last answered a group or a heartbeat */
    _Atomic int64_t ahead_us;     /* the database's calendar minus this machine's monotonic clock */
    atomic_bool knows_time;       /* ahead_us was measured */
};

uint64_t st__pg_now_ms(void); /* monotonic */
/* NULL and a fault (FM_E_STORE). */
struct st__pg_conn *st__pg_connect(struct st__pg *s, enum st__pg_use use, struct fm_fault *fault);
void st__pg_disconnect(struct st__pg_conn *c); /* takes NULL */
/* Measures ahead_us; false: the connection is broken. */
bool st__pg_read_clock(struct st__pg *s, struct st__pg_conn *c);
uint64_t st__pg_calendar_ns(void *self);
/* Fills the fault from a result, or from the connection (result NULL); FM_E_STORE. */
enum fm_err st__pg_fail(const struct st__pg_conn *c, const PGresult *result,
                        struct fm_fault *fault);
/* Waits up to ms for the result of what was sent; NULL: too late, or the connection is broken. */
PGresult *st__pg_result(struct st__pg_conn *c, uint64_t ms);

/* ---- values ---------------------------------------------------------------------------------- */

enum {
    ST__PG_BOOL = 16,
    ST__PG_BYTEA = 17,
    ST__PG_INT8 = 20,
    ST__PG_INT2 = 21,
    ST__PG_INT4 = 23,
    ST__PG_UUID = 2950
}; /* OIDs of types */

struct st__pg_array { /* an argument that is an array, in binary; zero it first */
    uint8_t *bytes;
    size_t n, cap;
    uint32_t count;
    bool failed; /* out of memory */
};

void st__pg_array_clear(struct st__pg_array *a, uint32_t type); /* keeps its memory */
void st__pg_array_null(struct st__pg_array *a);
void st__pg_array_bytes(struct st__pg_array *a, const void *bytes, size_t n);
void st__pg_array_number(struct st__pg_array *a, int64_t number, size_t n_bytes);

void st__pg_put_int(uint8_t *to, int64_t number, size_t n_bytes); /* big-endian */
int64_t st__pg_int(const PGresult *r, int row, int column);

/* ---- writes: postgres_write.c ---------------------------------------------------------------- */

struct st__pg_writer *st__pg_writer_create(const struct st_id *node); /* NULL: no memory */
void st__pg_writer_destroy(struct st__pg_writer *w);                  /* takes NULL */
/* Connects if need be, and reads the answers that are still outstanding; false: the database is
 * away. */
bool st__pg_writer_connect(struct st__pg *s, struct fm_fault *fault);
enum fm_err st__pg_commit(void *self, struct st__job *jobs, struct fm_fault *fault);

/* ---- the schema ------------------------------------------------------------------------------ */

/* Steps, as for SQLite; everything is in the schema "fathom" of the database. */
extern const char *const st__pg_schema[];
extern const int st__pg_schema_n;
/* 0: our schema is not there yet. FM_E_FILE: it is another program's, or too new. */
enum fm_err st__pg_find_version(struct st__pg_conn *c, int n_steps, int *version,
                                struct fm_fault *fault);
enum fm_err st__pg_migrate(struct st__pg_conn *c, const char *const *steps, int n_steps,
                           struct fm_fault *fault);

/* ---- notices between programs ------------------------------------------------------------------ */

/*
 * The payload of a NOTIFY is lines: the sender, then one line for each notice:
 * "w TABLE SEQ": the table has events up to seq; "k TABLE SEQ": the same, and the sender is its
 * keeper now; "t TABLE BASE64": a message; "g": the sender stops.
 */
#define ST__PG_NOTICE 7900 /* bytes; PostgreSQL allows 7999 */

struct st__pg_notice {
    size_t n;
    char text[ST__PG_NOTICE + 1];
};
void st__pg_notice_begin(struct st__pg_notice *notice, const struct st__pg *s);
/* false: it is full. */
bool st__pg_notice_wrote(struct st__pg_notice *notice, const struct st_id *table, uint64_t seq,
                         bool keeps);
bool st__pg_notice_empty(const struct st__pg_notice *notice);

enum fm_err st__pg_listen(void *self, st_listener *hear, void *arg, struct fm_fault *fault);
bool st__pg_watch(void *self, const struct st_id *table, bool watches);
void st__pg_notify(void *self, const struct st_id *table, const void *text, size_t n);
void st__pg_release(void *self);
void st__pg_unlisten(void *self); /* does nothing if there is no listener */

/* ---- reads of struct st__backend ------------------------------------------------------------- */

enum fm_err st__pg_read_log(void *self, const struct st_id *table, uint64_t from,
                            st_each_event *each, void *arg, struct fm_fault *fault);
enum fm_err st__pg_find_table(void *self, const struct st_id *table, struct st_table *out,
                              struct fm_fault *fault);
enum fm_err st__pg_find_code(void *self, const char *code, struct st_table *out,
                             struct fm_fault *fault);
enum fm_err st__pg_find_token(void *self, const struct st_id *table,
                              const uint8_t hash[ST_HASH_BYTES], struct st_token *out,
                              struct fm_fault *fault);
enum fm_err st__pg_list_waiting(void *self, struct st_table *out, size_t max, size_t *n,
                                struct fm_fault *fault);
enum fm_err st__pg_list_state(void *self, uint8_t state, struct st_table *out, size_t max,
                              size_t *n, struct fm_fault *fault);
enum fm_err st__pg_list_due(void *self, uint64_t now_ms, struct st_table *out, size_t max,
                            size_t *n, struct fm_fault *fault);
enum fm_err st__pg_each_table(void *self, st_each_table_of *each, void *arg,
                              struct fm_fault *fault);
enum fm_err st__pg_each_token(void *self, const struct st_id *table, st_each_token_of *each,
                              void *arg, struct fm_fault *fault);
enum fm_err st__pg_read_record(void *self, const struct st_id *table, char **text, size_t *n,
                               struct fm_fault *fault);
enum fm_err st__pg_read_heads(void *self, const struct st_id *tables, size_t n, uint64_t *seqs,
                              struct fm_fault *fault);
enum fm_err st__pg_read_key(void *self, uint8_t key[ST_KEY_BYTES], struct fm_fault *fault);
void st__pg_close_readers(struct st__pg *s);

/* ---- retention: postgres_old.c ------------------------------------------------------------- */

#define ST__PG_REMOVED 4 /* the state that makes fathom.put delete a table */

enum fm_err st__pg_list_old(void *self, const struct st_old_query *query, uint64_t *at,
                            struct st_old *out, size_t max, size_t *n, struct fm_fault *fault);
enum fm_err st__pg_rewrite(void *self, const struct st_rewriting *r, struct fm_fault *fault);
enum fm_err st__pg_prune_begin(void *self, struct fm_fault *fault);
void st__pg_prune_end(void *self);

#endif
