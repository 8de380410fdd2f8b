/* sqlite.h: what the files of the SQLite back end share: connections, statements, the schema. */
#ifndef STORE_SQLITE_H
#define STORE_SQLITE_H

#include "store/backend.h"

#include <pthread.h>
#include <sqlite3.h>
#include <time.h>

#define ST__APPLICATION_ID 0x4661746d /* "Fatm": this file is ours */
#define ST__BUSY_MS        10000      /* how long to wait for a lock of another program */
#define ST__READERS_KEPT   4          /* idle connections kept for the next read */

#define ST__TEXT(x)  ST__TEXT_(x)
#define ST__TEXT_(x) #x

/* All statements; each connection prepares them when first used, and keeps them. */
#define ST__TABLE                                                                                  \
    "SELECT id, code, listed, state, deadline_ms,"                                                 \
    " (SELECT max(seq) FROM events WHERE table_n = tables.n) FROM tables "
#define ST__STATEMENTS(X)                                                                          \
    X(BEGIN, "BEGIN IMMEDIATE")                                                                    \
    X(COMMIT, "COMMIT")                                                                            \
    X(ROLLBACK, "ROLLBACK")                                                                        \
    X(SAY_NOTHING, "PRAGMA application_id = " ST__TEXT(ST__APPLICATION_ID))                        \
    X(SAVE, "SAVEPOINT one")                                                                       \
    X(UNDO, "ROLLBACK TO one")                                                                     \
    X(RELEASE, "RELEASE one")                                                                      \
    X(PUT_TABLE, "INSERT INTO tables (id, code, listed, state, deadline_ms)"                       \
                 " VALUES (?1, ?2, ?3, 0, 0) ON CONFLICT DO NOTHING")                              \
    X(END_OF_LOG, "SELECT n, (SELECT max(seq) FROM events WHERE table_n = tables.n)"               \
                  " FROM tables WHERE id = ?1")                                                    \
    X(PUT_EVENT, "INSERT INTO events (table_n, seq, event, at) VALUES (?1, ?2, ?3, ?4)")           \
    X(CHANGE_TABLE, "UPDATE OR IGNORE tables SET state = coalesce(?2, state),"                     \
                    " deadline_ms = coalesce(?3, deadline_ms) WHERE n = ?1")                       \
    X(PUT_TOKEN, "INSERT INTO tokens (table_n, hash, role, seat) VALUES (?1, ?2, ?3, ?4)"          \
                 " ON CONFLICT DO NOTHING")                                                        \
    X(PUT_RECORD, "INSERT OR REPLACE INTO records (table_n, text) VALUES (?1, ?2)")                \
    X(REMOVE_RECORD, "DELETE FROM records WHERE table_n = ?1")                                     \
    X(REMOVE_TOKENS, "DELETE FROM tokens WHERE table_n = ?1")                                      \
    X(REMOVE_EVENTS, "DELETE FROM events WHERE table_n = ?1")                                      \
    X(REMOVE_TABLE, "DELETE FROM tables WHERE n = ?1")                                             \
    X(LIST_OLD, "SELECT id, code, listed, state, deadline_ms, e.seq, tables.n, trimmed_seq,"       \
                " max(e.at, (SELECT at FROM since)) FROM tables JOIN events e ON table_n ="        \
                " tables.n AND e.seq = (SELECT max(seq) FROM events WHERE table_n = tables.n)"     \
                " WHERE state = ?2 AND tables.n > ?3 ORDER BY tables.n LIMIT ?1")                  \
    X(BYTES, "SELECT (SELECT sum(length(event)) FROM events WHERE table_n = ?1) +"                 \
             " coalesce((SELECT length(text) FROM records WHERE table_n = ?1), 0)")                \
    X(TRIM,                                                                                        \
      "UPDATE tables SET trimmed_seq = coalesce(?2, trimmed_seq) WHERE n = ?1 AND state >= 2")     \
    X(REWRITE, "UPDATE events SET event = ?3 WHERE table_n = ?1 AND seq = ?2")                     \
    X(TABLE_N, "SELECT n FROM tables WHERE id = ?1")                                               \
    X(READ_LOG, "SELECT seq, event FROM events WHERE table_n = ?1 AND seq >= ?2 ORDER BY seq")     \
    X(FIND_TABLE, ST__TABLE "WHERE id = ?1")                                                       \
    X(FIND_CODE, ST__TABLE "WHERE code = ?1 AND code <> '' AND state < 2")                         \
    X(FIND_TOKEN, "SELECT hash, role, seat FROM tokens"                                            \
                  " WHERE table_n = (SELECT n FROM tables WHERE id = ?1) AND hash = ?2")           \
    X(LIST_WAITING, ST__TABLE "WHERE listed = 1 AND state = 0 ORDER BY n DESC LIMIT ?1")           \
    X(LIST_STATE, ST__TABLE "WHERE state = ?2 ORDER BY n DESC LIMIT ?1")                           \
    X(LIST_DUE, ST__TABLE "WHERE deadline_ms > 0 AND deadline_ms <= ?2 AND state <> 3"             \
                          " ORDER BY deadline_ms, n LIMIT ?1")                                     \
    X(EACH_TABLE, ST__TABLE "ORDER BY n")                                                          \
    X(EACH_TOKEN, "SELECT hash, role, seat FROM tokens"                                            \
                  " WHERE table_n = (SELECT n FROM tables WHERE id = ?1)")                         \
    X(READ_RECORD, "SELECT text FROM records"                                                      \
                   " WHERE table_n = (SELECT n FROM tables WHERE id = ?1)")

enum st__statement {
#define X(name, text) ST__##name,
    ST__STATEMENTS(X)
#undef X
        ST__N_STATEMENTS
};

struct st__conn {
    sqlite3 *db;
    sqlite3_stmt *statements[ST__N_STATEMENTS];
    struct st__conn *next; /* in the list of idle ones */
};

struct st__sqlite {
    char *path;              /* absolute: the working directory may change */
    struct st__conn *writer; /* only for the store's thread */
    pthread_mutex_t lock;    /* of the two below */
    struct st__conn *readers;
    int n_readers;
    int claim; /* descriptor of the lock file; -1: this program has no claim */
    time_t claimed;
};

/* NULL and a fault (FM_E_STORE). */
struct st__conn *st__conn_open(const char *path, struct fm_fault *fault);
void st__conn_close(struct st__conn *c); /* takes NULL */

/* Prepared, reset and without bindings; NULL: see sqlite3_errcode. */
sqlite3_stmt *st__statement(struct st__conn *c, enum st__statement which);
/* Executes a statement without rows, and resets it; takes NULL. SQLITE_OK or the error. */
int st__run(struct st__conn *c, sqlite3_stmt *statement);
/* Fills the fault from the error of the last call; FM_E_STORE. */
enum fm_err st__sqlite_fail(sqlite3 *db, struct fm_fault *fault);
bool st__bind_id(sqlite3_stmt *statement, const struct st_id *table); /* as ?1; takes NULL */

/*
 * The schema. Each step brings a file from one version (its user_version) to the next; released
 * steps never change. FM_E_FILE: the file belongs to another program, or to a newer
 * version of this one; FM_E_STORE: the database failed.
 */
extern const char *const st__schema[];
extern const int st__schema_n;
enum fm_err st__sqlite_check(sqlite3 *db, int n_steps, int *version, struct fm_fault *fault);
enum fm_err st__sqlite_migrate(sqlite3 *db, const char *const *steps, int n_steps,
                               struct fm_fault *fault);

/* One server at a time: sqlite_claim.c. The fault names the path. */
enum fm_err st__sqlite_claim(struct st__sqlite *s, const char *who, struct fm_fault *fault);
void st__sqlite_describe(void *self, const char *who);
/* FM_E_BUSY: another program has it. Claims nothing, and makes no file. */
enum fm_err st__sqlite_look_claim(const char *path, struct fm_fault *fault);

enum fm_err st__sqlite_look(const char *path, struct st_look *out, struct fm_fault *fault);

/* Retention: sqlite_old.c. */
enum fm_err st__sqlite_list_old(void *self, const struct st_old_query *query, uint64_t *at,
                                struct st_old *out, size_t max, size_t *n, struct fm_fault *fault);
enum fm_err st__sqlite_rewrite(void *self, const struct st_rewriting *r, struct fm_fault *fault);
/* Deletes all rows of the table with this number; SQLITE_OK or the error. */
int st__sqlite_remove(struct st__conn *c, int64_t n);

/* A connection for a read, idle or new; NULL and a fault. It is given back with the statement that
 * was used last. */
struct st__conn *st__sqlite_take(struct st__sqlite *s, struct fm_fault *fault);
enum fm_err st__sqlite_give(struct st__sqlite *s, struct st__conn *c, sqlite3_stmt *statement,
                            enum fm_err err, struct fm_fault *fault);
void st__sqlite_copy_table(struct st_table *out, sqlite3_stmt *statement); /* columns 0 to 5 */
/* The table's row number and its last seq; *found: there is such a table. */
int st__sqlite_end_of_log(struct st__conn *c, const struct st_id *table, int64_t *n, uint64_t *last,
                          bool *found);
/* Rolls the writer's transaction back after an error, and fills the fault; FM_E_STORE. */
enum fm_err st__sqlite_undo(struct st__conn *c, bool whole, struct fm_fault *fault);

/* Reads of struct st__backend. */
enum fm_err st__sqlite_read_log(void *self, const struct st_id *table, uint64_t from,
                                st_each_event *each, void *arg, struct fm_fault *fault);
enum fm_err st__sqlite_find_table(void *self, const struct st_id *table, struct st_table *out,
                                  struct fm_fault *fault);
enum fm_err st__sqlite_find_code(void *self, const char *code, struct st_table *out,
                                 struct fm_fault *fault);
enum fm_err st__sqlite_find_token(void *self, const struct st_id *table,
                                  const uint8_t hash[ST_HASH_BYTES], struct st_token *out,
                                  struct fm_fault *fault);
enum fm_err st__sqlite_list_waiting(void *self, struct st_table *out, size_t max, size_t *n,
                                    struct fm_fault *fault);
enum fm_err st__sqlite_list_state(void *self, uint8_t state, struct st_table *out, size_t max,
                                  size_t *n, struct fm_fault *fault);
enum fm_err st__sqlite_list_due(void *self, uint64_t now_ms, struct st_table *out, size_t max,
                                size_t *n, struct fm_fault *fault);
enum fm_err st__sqlite_each_table(void *self, st_each_table_of *each, void *arg,
                                  struct fm_fault *fault);
enum fm_err st__sqlite_each_token(void *self, const struct st_id *table, st_each_token_of *each,
                                  void *arg, struct fm_fault *fault);
enum fm_err st__sqlite_read_record(void *self, const struct st_id *table, char **text, size_t *n,
                                   struct fm_fault *fault);

#endif
