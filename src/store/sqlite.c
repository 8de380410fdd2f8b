/*
 * sqlite.c: the store in an SQLite file: its connections, and groups of writes.
 *
 * The file has a write-ahead log that is synced at every commit. One connection writes, on the
 * store's thread; reads have their own connections, and never wait for it. The writer stays open
 * even after errors: if it were opened again, SQLite could take a commit that failed but is still
 * in the log for a good one (see overwrite).
 */
#define _XOPEN_SOURCE 700 /* realpath */

#include "store/sqlite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- connections ----------------------------------------------------------------------------- */

static const char *const texts[ST__N_STATEMENTS] = {
#define X(name, text) text,
    ST__STATEMENTS(X)
#undef X
};

/* The error of the system call. SQLite forgets it during the rollback, but the file object of its
 * log does not. */
static int system_error(sqlite3 *db)
{
    sqlite3_file *file = NULL;
    int number = sqlite3_system_errno(db);
    if (number == 0 &&
        sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK &&
        file != NULL && file->pMethods != NULL)
        (void)file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &number);
    return number;
}

enum fm_err st__sqlite_fail(sqlite3 *db, struct fm_fault *fault)
{
    const int code = sqlite3_extended_errcode(db);
    char why[96] = "";
    switch (code & 0xff) {
    case SQLITE_FULL:
        return fm_fail(fault, FM_E_STORE, "the disk is full");
    case SQLITE_NOTADB:
        return fm_fail(fault, FM_E_STORE, "this file is not a database");
    case SQLITE_READONLY:
        return fm_fail(fault, FM_E_STORE, "the database is read-only");
    case SQLITE_BUSY:
        return fm_fail(fault, FM_E_STORE, "another program holds the database");
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
        if (system_error(db) != 0 && strerror_r(system_error(db), why, sizeof why) == 0)
            return fm_fail(fault, FM_E_STORE, "the database: %s: %s", sqlite3_errstr(code), why);
        break;
    default:
        break;
    }
    return fm_fail(fault, FM_E_STORE, "the database: %s", sqlite3_errmsg(db));
}

struct st__conn *st__conn_open(const char *path, struct fm_fault *fault)
{
    struct st__conn *c = calloc(1, sizeof *c);
    if (c == NULL) {
        (void)fm_fail(fault, FM_E_STORE, "there is not enough memory for a connection");
        return NULL;
    }
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    if (sqlite3_open_v2(path, &c->db, flags, NULL) != SQLITE_OK ||
        sqlite3_busy_timeout(c->db, ST__BUSY_MS) != SQLITE_OK ||
        sqlite3_db_config(c->db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL) != SQLITE_OK ||
        sqlite3_exec(c->db,
                     "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;"
                     "PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY",
                     NULL, NULL, NULL) != SQLITE_OK) {
        (void)st__sqlite_fail(c->db, fault); /* db NULL: no memory */
        st__conn_close(c);
        return NULL;
    }
    return c;
}

void st__conn_close(struct st__conn *c)
{
    if (c == NULL)
        return;
    for (int i = 0; i < ST__N_STATEMENTS; i++)
        (void)sqlite3_finalize(c->statements[i]);
    (void)sqlite3_close(c->db);
    free(c);
}

sqlite3_stmt *st__statement(struct st__conn *c, enum st__statement which)
{
    sqlite3_stmt **statement = &c->statements[which];
    if (*statement == NULL)
        (void)sqlite3_prepare_v3(c->db, texts[which], -1, SQLITE_PREPARE_PERSISTENT, statement,
                                 NULL);
    else
        (void)sqlite3_clear_bindings(*statement);
    return *statement;
}

int st__run(struct st__conn *c, sqlite3_stmt *statement)
{
    if (statement == NULL)
        return sqlite3_extended_errcode(c->db);
    (void)sqlite3_step(statement);
    return sqlite3_reset(statement);
}

bool st__bind_id(sqlite3_stmt *statement, const struct st_id *table)
{
    return statement != NULL &&
           sqlite3_bind_blob(statement, 1, table->bytes, ST_ID_BYTES, SQLITE_STATIC) == SQLITE_OK;
}

/* ---- one write ------------------------------------------------------------------------------- */

static int run(struct st__conn *c, enum st__statement which)
{
    return st__run(c, st__statement(c, which));
}

/* Each of these returns SQLITE_OK and sets job->err, or returns the error that ends the group. */
static int refuse(struct st__job *job, const char *why)
{
    job->err = FM_E_CONFLICT;
    job->why = why;
    return SQLITE_OK;
}

static int put_table(struct st__conn *c, struct st__job *job)
{
    const struct st_change *change = &job->write.change;
    sqlite3_stmt *statement = st__statement(c, ST__PUT_TABLE);
    if (!st__bind_id(statement, &job->write.table))
        return sqlite3_extended_errcode(c->db);
    (void)sqlite3_bind_text(statement, 2, change->code, -1, SQLITE_STATIC);
    (void)sqlite3_bind_int(statement, 3, change->listed);
    const int code = st__run(c, statement);
    if (code == SQLITE_OK && sqlite3_changes(c->db) == 0)
        return refuse(job, "there is such a table already, or its code is taken");
    return code;
}

int st__sqlite_end_of_log(struct st__conn *c, const struct st_id *table, int64_t *n, uint64_t *last,
                          bool *found)
{
    sqlite3_stmt *statement = st__statement(c, ST__END_OF_LOG);
    if (!st__bind_id(statement, table))
        return sqlite3_extended_errcode(c->db);
    *found = sqlite3_step(statement) == SQLITE_ROW;
    *last = *found ? (uint64_t)sqlite3_column_int64(statement, 1) : 0;
    *n = *found ? sqlite3_column_int64(statement, 0) : 0;
    return sqlite3_reset(statement);
}

/* The table's number, if this is the next event of its log. */
static int check_seq(struct st__conn *c, struct st__job *job, int64_t *n)
{
    uint64_t last;
    bool found;
    const int code = st__sqlite_end_of_log(c, &job->write.table, n, &last, &found);
    if (code != SQLITE_OK)
        return code;
    if (!found)
        return refuse(job, "there is no such table to write to");
    if (job->write.seq <= last)
        return refuse(job, "this table has an event with this number");
    if (job->write.seq > last + 1)
        return refuse(job, "this number would leave a gap in the table's log");
    return SQLITE_OK;
}

static int put_event(struct st__conn *c, const struct st__job *job, int64_t n)
{
    sqlite3_stmt *statement = st__statement(c, ST__PUT_EVENT);
    if (statement == NULL)
        return sqlite3_extended_errcode(c->db);
    (void)sqlite3_bind_int64(statement, 1, n);
    (void)sqlite3_bind_int64(statement, 2, (int64_t)job->write.seq);
    if (sqlite3_bind_blob(statement, 3, job->write.event, (int)job->write.n, SQLITE_STATIC) !=
        SQLITE_OK)
        return sqlite3_extended_errcode(c->db);
    (void)sqlite3_bind_int64(statement, 4, (int64_t)time(NULL));
    return st__run(c, statement);
}

static int change_table(struct st__conn *c, struct st__job *job, int64_t n)
{
    const struct st_change *change = &job->write.change;
    sqlite3_stmt *statement = st__statement(c, ST__CHANGE_TABLE);
    if (statement == NULL)
        return sqlite3_extended_errcode(c->db);
    (void)sqlite3_bind_int64(statement, 1, n);
    if (change->moves)
        (void)sqlite3_bind_int(statement, 2, change->state);
    if (change->times)
        (void)sqlite3_bind_int64(statement, 3, (int64_t)change->deadline_ms);
    const int code = st__run(c, statement);
    if (code == SQLITE_OK &&
        sqlite3_changes(c->db) == 0) /* its code went to another table after it closed */
        return refuse(job, "the table's code is taken meanwhile");
    return code;
}

static int put_token(struct st__conn *c, struct st__job *job, int64_t n, const struct st_token *t)
{
    sqlite3_stmt *statement = st__statement(c, ST__PUT_TOKEN);
    if (statement == NULL)
        return sqlite3_extended_errcode(c->db);
    (void)sqlite3_bind_int64(statement, 1, n);
    if (sqlite3_bind_blob(statement, 2, t->hash, ST_HASH_BYTES, SQLITE_STATIC) != SQLITE_OK)
        return sqlite3_extended_errcode(c->db);
    (void)sqlite3_bind_int(statement, 3, t->role);
    (void)sqlite3_bind_int(statement, 4, t->seat);
    const int code = st__run(c, statement);
    if (code == SQLITE_OK && sqlite3_changes(c->db) == 0)
        return refuse(job, "this table has such a token already");
    return code;
}

static int put_record(struct st__conn *c, const struct st__job *job, int64_t n)
{
    sqlite3_stmt *statement = st__statement(c, ST__PUT_RECORD);
    if (statement == NULL)
        return sqlite3_extended_errcode(c->db);
    (void)sqlite3_bind_int64(statement, 1, n);
    if (sqlite3_bind_blob(statement, 2, job->write.change.record, (int)job->write.change.record_n,
                          SQLITE_STATIC) != SQLITE_OK)
        return sqlite3_extended_errcode(c->db);
    return st__run(c, statement);
}

static int put_all(struct st__conn *c, struct st__job *job)
{
    const struct st_change *change = &job->write.change;
    int64_t n = 0;
    int code = SQLITE_OK;
    if (change->creates)
        code = put_table(c, job);
    if (code == SQLITE_OK && job->err == FM_OK)
        code = check_seq(c, job, &n);
    if (change->removes)
        return code == SQLITE_OK && job->err == FM_OK ? st__sqlite_remove(c, n) : code;
    if (code == SQLITE_OK && job->err == FM_OK)
        code = put_event(c, job, n);
    if (code == SQLITE_OK && job->err == FM_OK && (change->moves || change->times))
        code = change_table(c, job, n);
    for (size_t i = 0; code == SQLITE_OK && job->err == FM_OK && i < change->n_tokens; i++)
        code = put_token(c, job, n, &change->tokens[i]);
    if (code == SQLITE_OK && job->err == FM_OK && change->record != NULL)
        code = put_record(c, job, n);
    return code;
}

/* A write that could still be refused after a part of it was stored gets a savepoint, to which it
 * is then rolled back. */
static int put_write(struct st__conn *c, struct st__job *job)
{
    const struct st_change *change = &job->write.change;
    const bool saves = change->creates || change->moves || change->n_tokens > 0;
    job->err = FM_OK;
    int code = saves ? run(c, ST__SAVE) : SQLITE_OK;
    if (code == SQLITE_OK)
        code = put_all(c, job);
    if (code == SQLITE_OK && saves && job->err != FM_OK)
        code = run(c, ST__UNDO);
    if (code == SQLITE_OK && saves)
        code = run(c, ST__RELEASE);
    return code;
}

/* ---- a group --------------------------------------------------------------------------------- */

/*
 * If the sync of a commit fails, the commit is in the log all the same. It is undone for programs
 * that have the database open, but one that opens it later, after this one was killed, would find
 * it. So it is overwritten with a commit that changes nothing.
 */
static void overwrite(struct st__conn *c)
{
    if (run(c, ST__BEGIN) != SQLITE_OK)
        return;
    if (run(c, ST__SAY_NOTHING) != SQLITE_OK || run(c, ST__COMMIT) != SQLITE_OK)
        (void)run(c, ST__ROLLBACK);
}

enum fm_err st__sqlite_undo(struct st__conn *c, bool whole, struct fm_fault *fault)
{
    (void)st__sqlite_fail(c->db, fault);
    if (!sqlite3_get_autocommit(c->db))
        (void)run(c, ST__ROLLBACK);
    if (whole)
        overwrite(c);
    return FM_E_STORE;
}

static enum fm_err commit(void *self, struct st__job *jobs, struct fm_fault *fault)
{
    struct st__sqlite *s = self;
    struct st__conn *c = s->writer;
    int code = run(c, ST__BEGIN);
    for (struct st__job *job = jobs; code == SQLITE_OK && job != NULL; job = job->next)
        code = put_write(c, job);
    const bool whole = code == SQLITE_OK;
    if (whole)
        code = run(c, ST__COMMIT);
    return code == SQLITE_OK ? FM_OK : st__sqlite_undo(c, whole, fault);
}

/* ---- opening and closing --------------------------------------------------------------------- */

/*
 * Creates the file if it is missing, readable by its owner only; SQLite gives its other files the
 * same mode. Closing any descriptor of a file releases all locks that the process has on it. So a
 * file that exists is never opened here, and nothing opens the new one before it is closed.
 */
static int make_file(const char *path)
{
    static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
    (void)pthread_mutex_lock(&making);
    int failed = 0;
    const int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0600);
    if (fd >= 0) {
        if (fchmod(fd, 0600) != 0 || fsync(fd) != 0)
            failed = errno;
        (void)close(fd);
    } else if (errno != EEXIST) {
        failed = errno;
    }
    (void)pthread_mutex_unlock(&making);
    return failed;
}

/* The directory entry must be durable, too. */
static void sync_folder(const char *path)
{
    char *folder = strdup(path);
    if (folder == NULL)
        return;
    *(strrchr(folder, '/') + (strrchr(folder, '/') == folder)) = '\0';
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        (void)close(fd);
    }
    free(folder);
}

static enum fm_err check_file(const char *path, struct fm_fault *fault)
{
    struct stat st;
    char why[96] = "it cannot be used";
    int failed = path[0] == '\0' ? ENOENT : make_file(path);
    if (failed == 0 && stat(path, &st) != 0)
        failed = errno;
    if (failed == 0 && S_ISDIR(st.st_mode))
        failed = EISDIR;
    if (failed == 0 && access(path, R_OK | W_OK) != 0)
        failed = errno;
    if (failed == 0)
        return FM_OK;
    (void)strerror_r(failed, why, sizeof why);
    return fm_fail(fault, FM_E_FILE, "sqlite:%s: %s", path, why);
}

static int says_wal(void *arg, int n, char **values, char **names)
{
    (void)names;
    *(bool *)arg = n == 1 && values[0] != NULL && strcmp(values[0], "wal") == 0;
    return 0;
}

/* Several programs may do this at once with a new file. SQLite returns "busy" to all but one, and
 * does not wait where programs could wait for each other forever. */
static enum fm_err prepare(sqlite3 *db, struct fm_fault *fault)
{
    enum fm_err err = FM_OK;
    for (int tries = 0; tries < ST__BUSY_MS / 10; tries++) {
        int version;
        bool wal = false;
        err = st__sqlite_check(db, st__schema_n, &version, fault); /* before anything is changed */
        if (err == FM_OK &&
            sqlite3_exec(db, "PRAGMA journal_mode = WAL", says_wal, &wal, NULL) != SQLITE_OK)
            err = st__sqlite_fail(db, fault);
        else if (err == FM_OK && !wal)
            return fm_fail(fault, FM_E_STORE, "there can be no write-ahead log in this folder");
        if (err == FM_OK)
            err = st__sqlite_migrate(db, st__schema, st__schema_n, fault);
        if (err != FM_E_STORE || (sqlite3_extended_errcode(db) & 0xff) != SQLITE_BUSY)
            break;
        (void)nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
    return err;
}

static void close_all(void *self)
{
    struct st__sqlite *s = self;
    for (struct st__conn *c = s->readers, *next; c != NULL; c = next) {
        next = c->next;
        st__conn_close(c);
    }
    st__conn_close(s->writer);
    if (s->claim >= 0)
        (void)close(s->claim);
    (void)pthread_mutex_destroy(&s->lock);
    free(s->path);
    free(s);
}

static void *open_file(const char *address, const char *who, struct fm_fault *fault)
{
    if (check_file(address, fault) != FM_OK)
        return NULL;
    struct st__sqlite *s = calloc(1, sizeof *s);
    if (s == NULL || (s->path = realpath(address, NULL)) == NULL) {
        free(s);
        (void)fm_fail_plain(fault, FM_E_MEMORY);
        return NULL;
    }
    s->claim = -1;
    (void)pthread_mutex_init(&s->lock, NULL);
    sync_folder(s->path);
    if (who != NULL && st__sqlite_claim(s, who, fault) != FM_OK) { /* before anything is changed */
        close_all(s);
        return NULL;
    }
    s->writer = st__conn_open(s->path, fault);
    if (s->writer == NULL || prepare(s->writer->db, fault) != FM_OK) {
        const struct fm_fault why = *fault;
        (void)fm_fail(fault, FM_E_FILE, "sqlite:%s: %s", address, why.text);
        close_all(s);
        return NULL;
    }
    return s;
}

const struct st__backend st__sqlite = {
    .scheme = "sqlite",
    .open = open_file,
    .look = st__sqlite_look,
    .close = close_all,
    .describe = st__sqlite_describe,
    .commit = commit,
    .read_log = st__sqlite_read_log,
    .find_table = st__sqlite_find_table,
    .find_code = st__sqlite_find_code,
    .find_token = st__sqlite_find_token,
    .list_waiting = st__sqlite_list_waiting,
    .list_state = st__sqlite_list_state,
    .list_due = st__sqlite_list_due,
    .each_table = st__sqlite_each_table,
    .each_token = st__sqlite_each_token,
    .read_record = st__sqlite_read_record,
    .list_old = st__sqlite_list_old,
    .rewrite = st__sqlite_rewrite,
};
