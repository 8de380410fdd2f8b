/* sqlite_schema.c: the tables of the database, and migrations from older versions. */
#include "store/sqlite.h"

#include <stdio.h>

/*
 * Events are stored in the order of their arrival, so a group of them is written at the end of the
 * file; the index finds them by table. If they were clustered by (table, seq), each event would
 * change a different page.
 */
const char *const st__schema[] = {
    /* 1 */
    "CREATE TABLE tables ("
    " n INTEGER PRIMARY KEY," /* increases: the newest table has the largest */
    " id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),"
    " code TEXT NOT NULL,"
    " listed INTEGER NOT NULL,"
    " state INTEGER NOT NULL,"
    " deadline_ms INTEGER NOT NULL) STRICT;"
    "CREATE UNIQUE INDEX tables_code ON tables (code) WHERE code <> '' AND state <> 3;"
    "CREATE INDEX tables_waiting ON tables (n) WHERE listed = 1 AND state = 0;"
    "CREATE INDEX tables_state ON tables (state);"
    "CREATE INDEX tables_due ON tables (deadline_ms) WHERE deadline_ms > 0 AND state <> 3;"
    "CREATE TABLE events ("
    " arrival INTEGER PRIMARY KEY,"
    " table_n INTEGER NOT NULL REFERENCES tables,"
    " seq INTEGER NOT NULL CHECK (seq > 0),"
    " event BLOB NOT NULL) STRICT;"
    "CREATE UNIQUE INDEX events_key ON events (table_n, seq);"
    "CREATE TABLE tokens ("
    " table_n INTEGER NOT NULL REFERENCES tables,"
    " hash BLOB NOT NULL CHECK (length(hash) = 32),"
    " role INTEGER NOT NULL,"
    " seat INTEGER NOT NULL,"
    " PRIMARY KEY (table_n, hash)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE records ("
    " table_n INTEGER PRIMARY KEY REFERENCES tables,"
    " text BLOB NOT NULL) STRICT;",

    /* 2: when events were written (in seconds; for older events, the time of this migration), up to
     * which event a table was trimmed, and codes that can be reused once a table is over. */
    "ALTER TABLE events ADD COLUMN at INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE tables ADD COLUMN trimmed_seq INTEGER NOT NULL DEFAULT 0;"
    "CREATE TABLE since (at INTEGER NOT NULL) STRICT;"
    "INSERT INTO since VALUES (CAST(strftime('%s', 'now') AS INTEGER));"
    "DROP INDEX tables_code;"
    "CREATE UNIQUE INDEX tables_code ON tables (code) WHERE code <> '' AND state < 2;",
};
const int st__schema_n = sizeof st__schema / sizeof st__schema[0];

static bool number(sqlite3 *db, const char *sql, int *out)
{
    sqlite3_stmt *statement = NULL;
    bool ok = sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK &&
              sqlite3_step(statement) == SQLITE_ROW;
    if (ok)
        *out = sqlite3_column_int(statement, 0);
    ok = sqlite3_finalize(statement) == SQLITE_OK && ok;
    return ok;
}

enum fm_err st__sqlite_check(sqlite3 *db, int n_steps, int *version, struct fm_fault *fault)
{
    int id, things;
    /* in one transaction: another program may be creating the file */
    const bool alone = sqlite3_get_autocommit(db);
    if (alone && sqlite3_exec(db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK)
        return st__sqlite_fail(db, fault);
    const bool ok = number(db, "SELECT count(*) FROM sqlite_master", &things) &&
                    number(db, "PRAGMA application_id", &id) &&
                    number(db, "PRAGMA user_version", version);
    if (!ok)
        (void)st__sqlite_fail(db, fault);
    if (alone)
        (void)sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    if (!ok)
        return FM_E_STORE;
    const bool fresh = id == 0 && *version == 0 && things == 0;
    if (!fresh && id != ST__APPLICATION_ID)
        return fm_fail(fault, FM_E_FILE, "this is the database of another program");
    if (*version > n_steps)
        return fm_fail(fault, FM_E_FILE,
                       "this database is of version %d, made by a newer program; this one knows "
                       "versions up to %d",
                       *version, n_steps);
    if (*version < 0 || (*version == 0 && !fresh))
        return fm_fail(fault, FM_E_FILE, "this database has an unknown version");
    return FM_OK;
}

enum fm_err st__sqlite_migrate(sqlite3 *db, const char *const *steps, int n_steps,
                               struct fm_fault *fault)
{
    int version;
    enum fm_err err = st__sqlite_check(db, n_steps, &version, fault);
    if (err != FM_OK || version == n_steps)
        return err;
    char sign[96];
    (void)snprintf(sign, sizeof sign, "PRAGMA application_id = %d; PRAGMA user_version = %d",
                   ST__APPLICATION_ID, n_steps);
    if (sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK)
        return st__sqlite_fail(db, fault);
    err = st__sqlite_check(db, n_steps, &version, fault); /* perhaps another program was first */
    bool ok = err == FM_OK;
    for (int i = version; ok && i < n_steps; i++)
        ok = sqlite3_exec(db, steps[i], NULL, NULL, NULL) == SQLITE_OK;
    ok = ok && sqlite3_exec(db, sign, NULL, NULL, NULL) == SQLITE_OK &&
         sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
    if (ok)
        return FM_OK;
    if (err == FM_OK)
        err = st__sqlite_fail(db, fault);
    (void)sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return err;
}
