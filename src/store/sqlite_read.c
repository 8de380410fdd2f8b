/* sqlite_read.c: the reads of the SQLite back end, each on its own connection. */
#include "store/sqlite.h"

#include <stdlib.h>
#include <string.h>

/* ---- connections ----------------------------------------------------------------------------- */

/* An idle connection, or a new one, so that a read within another read, or at the same time, never
 * waits for it. */
struct st__conn *st__sqlite_take(struct st__sqlite *s, struct fm_fault *fault)
{
    (void)pthread_mutex_lock(&s->lock);
    struct st__conn *c = s->readers;
    if (c != NULL) {
        s->readers = c->next;
        s->n_readers--;
    }
    (void)pthread_mutex_unlock(&s->lock);
    if (c != NULL)
        return c;
    c = st__conn_open(s->path, fault);
    if (c != NULL && sqlite3_exec(c->db, "PRAGMA query_only = ON", NULL, NULL, NULL) != SQLITE_OK) {
        (void)st__sqlite_fail(c->db, fault);
        st__conn_close(c);
        return NULL;
    }
    return c;
}

/* Ends a read: the statement is reset, and a connection that failed is not used again. */
enum fm_err st__sqlite_give(struct st__sqlite *s, struct st__conn *c, sqlite3_stmt *statement,
                            enum fm_err err, struct fm_fault *fault)
{
    const bool failed = statement == NULL || sqlite3_reset(statement) != SQLITE_OK;
    if (failed)
        err = st__sqlite_fail(c->db, fault);
    else if (err == FM_E_NO_TABLE)
        (void)fm_fail_plain(fault, err);
    (void)pthread_mutex_lock(&s->lock);
    const bool kept = !failed && s->n_readers < ST__READERS_KEPT;
    if (kept) {
        c->next = s->readers;
        s->readers = c;
        s->n_readers++;
    }
    (void)pthread_mutex_unlock(&s->lock);
    if (!kept)
        st__conn_close(c);
    return err;
}

/* ---- logs ------------------------------------------------------------------------------------ */

static int64_t bounded(uint64_t n)
{
    return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

static sqlite3_stmt *log_of(struct st__conn *c, int64_t n, uint64_t from, st_each_event *each,
                            void *arg)
{
    sqlite3_stmt *statement = st__statement(c, ST__READ_LOG);
    if (statement == NULL)
        return NULL;
    (void)sqlite3_bind_int64(statement, 1, n);
    (void)sqlite3_bind_int64(statement, 2, bounded(from));
    bool more = true;
    while (more && sqlite3_step(statement) == SQLITE_ROW) {
        const void *event = sqlite3_column_blob(statement, 1); /* NULL if it is empty */
        more = each(arg, (uint64_t)sqlite3_column_int64(statement, 0), event == NULL ? "" : event,
                    (size_t)sqlite3_column_bytes(statement, 1));
    }
    return statement;
}

enum fm_err st__sqlite_read_log(void *self, const struct st_id *table, uint64_t from,
                                st_each_event *each, void *arg, struct fm_fault *fault)
{
    struct st__sqlite *s = self;
    struct st__conn *c = st__sqlite_take(s, fault);
    if (c == NULL)
        return FM_E_STORE;
    sqlite3_stmt *statement = st__statement(c, ST__TABLE_N);
    if (!st__bind_id(statement, table) || sqlite3_step(statement) != SQLITE_ROW)
        return st__sqlite_give(s, c, statement, FM_E_NO_TABLE, fault);
    const int64_t n = sqlite3_column_int64(statement, 0);
    if (sqlite3_reset(statement) != SQLITE_OK)
        return st__sqlite_give(s, c, NULL, FM_E_STORE, fault);
    statement = log_of(c, n, from, each, arg);
    return st__sqlite_give(s, c, statement, FM_OK, fault);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void copy_bytes(void *to, size_t n, sqlite3_stmt *statement, int column)
{
    const void *from = sqlite3_column_blob(statement, column);
    const size_t has = (size_t)sqlite3_column_bytes(statement, column);
    memset(to, 0, n);
    if (from != NULL)
        memcpy(to, from, has < n ? has : n);
}

void st__sqlite_copy_table(struct st_table *out, sqlite3_stmt *statement)
{
    *out = (struct st_table){
        .listed = sqlite3_column_int(statement, 2) != 0,
        .state = (uint8_t)sqlite3_column_int(statement, 3),
        .deadline_ms = (uint64_t)sqlite3_column_int64(statement, 4),
        .last_seq = (uint64_t)sqlite3_column_int64(statement, 5),
    };
    copy_bytes(out->id.bytes, ST_ID_BYTES, statement, 0);
    copy_bytes(out->code, ST_CODE, statement, 1);
}

enum fm_err st__sqlite_find_table(void *self, const struct st_id *table, struct st_table *out,
                                  struct fm_fault *fault)
{
    struct st__sqlite *s = self;
    struct st__conn *c = st__sqlite_take(s, fault);
    if (c == NULL)
        return FM_E_STORE;
    sqlite3_stmt *statement = st__statement(c, ST__FIND_TABLE);
    if (!st__bind_id(statement, table) || sqlite3_step(statement) != SQLITE_ROW)
        return st__sqlite_give(s, c, statement, FM_E_NO_TABLE, fault);
    st__sqlite_copy_table(out, statement);
    return st__sqlite_give(s, c, statement, FM_OK, fault);
}

enum fm_err st__sqlite_find_code(void *self, const char *code, struct st_table *out,
                                 struct fm_fault *fault)
{
    struct st__sqlite *s = self;
    struct st__conn *c = st__sqlite_take(s, fault);
    if (c == NULL)
        return FM_E_STORE;
    sqlite3_stmt *statement = st__statement(c, ST__FIND_CODE);
    if (statement == NULL ||
        sqlite3_bind_text(statement, 1, code, -1, SQLITE_STATIC) != SQLITE_OK ||
        sqlite3_step(statement) != SQLITE_ROW)
        return st__sqlite_give(s, c, statement, FM_E_NO_TABLE, fault);
    st__sqlite_copy_table(out, statement);
    return st__sqlite_give(s, c, statement, FM_OK, fault);
}

static void copy_token(struct st_token *out, sqlite3_stmt *statement)
{
    copy_bytes(out->hash, ST_HASH_BYTES, statement, 0);
    out->role = (uint8_t)sqlite3_column_int(statement, 1);
    out->seat = (uint8_t)sqlite3_column_int(statement, 2);
}

enum fm_err st__sqlite_find_token(void *self, const struct st_id *table,
                                  const uint8_t hash[ST_HASH_BYTES], struct st_token *out,
                                  struct fm_fault *fault)
{
    struct st__sqlite *s = self;
    struct st__conn *c = st__sqlite_take(s, fault);
    if (c == NULL)
        return FM_E_STORE;
    sqlite3_stmt *statement = st__statement(c, ST__FIND_TOKEN);
    if (!st__bind_id(statement, table) ||
        sqlite3_bind_blob(statement, 2, hash, ST_HASH_BYTES, SQLITE_STATIC) != SQLITE_OK ||
        sqlite3_step(statement) != SQLITE_ROW)
        return st__sqlite_give(s, c, statement, FM_E_NO_TABLE, fault);
    copy_token(out, statement);
    return st__sqlite_give(s, c, statement, FM_OK, fault);
}

/* ?1 is the most rows to return; ?2, if there is one, is the condition. */
static enum fm_err list(struct st__sqlite *s, enum st__statement which, int64_t what,
                        struct st_table *out, size_t max, size_t *n, struct fm_fault *fault)
{
    *n = 0;
    struct st__conn *c = st__sqlite_take(s, fault);
    if (c == NULL)
        return FM_E_STORE;
    sqlite3_stmt *statement = st__statement(c, which);
    if (statement == NULL)
        return st__sqlite_give(s, c, NULL, FM_E_STORE, fault);
    (void)sqlite3_bind_int64(statement, 1, bounded(max));
    if (sqlite3_bind_parameter_count(statement) > 1)
        (void)sqlite3_bind_int64(statement, 2, what);
    while (*n < max && sqlite3_step(statement) == SQLITE_ROW)
        st__sqlite_copy_table(&out[(*n)++], statement);
    return st__sqlite_give(s, c, statement, FM_OK, fault);
}

enum fm_err st__sqlite_list_waiting(void *self, struct st_table *out, size_t max, size_t *n,
                                    struct fm_fault *fault)
{
    return list(self, ST__LIST_WAITING, 0, out, max, n, fault);
}

enum fm_err st__sqlite_list_state(void *self, uint8_t state, struct st_table *out, size_t max,
                                  size_t *n, struct fm_fault *fault)
{
    return list(self, ST__LIST_STATE, state, out, max, n, fault);
}

enum fm_err st__sqlite_list_due(void *self, uint64_t now_ms, struct st_table *out, size_t max,
                                size_t *n, struct fm_fault *fault)
{
    return list(self, ST__LIST_DUE, bounded(now_ms), out, max, n, fault);
}

enum fm_err st__sqlite_each_table(void *self, st_each_table_of *each, void *arg,
                                  struct fm_fault *fault)
{
    struct st__sqlite *s = self;
    struct st__conn *c = st__sqlite_take(s, fault);
    if (c == NULL)
        return FM_E_STORE;
    sqlite3_stmt *statement = st__statement(c, ST__EACH_TABLE);
    struct st_table table;
    for (bool more = statement != NULL; more && sqlite3_step(statement) == SQLITE_ROW;) {
        st__sqlite_copy_table(&table, statement);
        more = each(arg, &table);
    }
    return st__sqlite_give(s, c, statement, FM_OK, fault);
}

enum fm_err st__sqlite_each_token(void *self, const struct st_id *table, st_each_token_of *each,
                                  void *arg, struct fm_fault *fault)
{
    struct st__sqlite *s = self;
    struct st__conn *c = st__sqlite_take(s, fault);
    if (c == NULL)
        return FM_E_STORE;
    sqlite3_stmt *statement = st__statement(c, ST__EACH_TOKEN);
    struct st_token token;
    for (bool more = st__bind_id(statement, table);
         more && sqlite3_step(statement) == SQLITE_ROW;) {
        copy_token(&token, statement);
        more = each(arg, &token);
    }
    return st__sqlite_give(s, c, statement, FM_OK, fault);
}

/* ---- records --------------------------------------------------------------------------------- */

enum fm_err st__sqlite_read_record(void *self, const struct st_id *table, char **text, size_t *n,
                                   struct fm_fault *fault)
{
    struct st__sqlite *s = self;
    *text = NULL;
    *n = 0;
    struct st__conn *c = st__sqlite_take(s, fault);
    if (c == NULL)
        return FM_E_STORE;
    sqlite3_stmt *statement = st__statement(c, ST__READ_RECORD);
    if (!st__bind_id(statement, table) || sqlite3_step(statement) != SQLITE_ROW)
        return st__sqlite_give(s, c, statement, FM_E_NO_TABLE, fault);
    const void *from = sqlite3_column_blob(statement, 0);
    const size_t has = (size_t)sqlite3_column_bytes(statement, 0);
    enum fm_err err = FM_OK;
    *text = malloc(has + 1);
    if (*text == NULL) {
        err = fm_fail(fault, FM_E_STORE, "there is not enough memory for this record");
    } else {
        if (has > 0)
            memcpy(*text, from, has);
        (*text)[has] = '\0';
        *n = has;
    }
    return st__sqlite_give(s, c, statement, err, fault);
}
