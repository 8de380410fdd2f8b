/*
 * sqlite_file.c: the store's SQLite file: who may read it, which files are refused, and how older
 * ones are migrated.
 */
#define _XOPEN_SOURCE 700
#include "store/sqlite_tests.h"

#include "store/sqlite.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void assert_private(const char *name)
{
    struct stat st;
    assert_int_equal(stat(path_of(name), &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
}

static void only_the_owner_may_read_the_files(void **state)
{
    (void)state;
    static const mode_t masks[] = {0, 022, 0777};
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        clear_folder();
        const mode_t before = umask(masks[i]);
        struct st_store *s = open_store();
        assert_non_null(s);
        assert_int_equal(write_now(s, new_table(1, "ABC234")), FM_OK);
        assert_int_equal(last_seq(s, 1), 1);
        assert_private("store.db");
        assert_private("store.db-wal");
        assert_private("store.db-shm");
        st_close(s);
        (void)umask(before);
    }
}

static void write_file(const char *name, const char *text, size_t n)
{
    FILE *f = fopen(path_of(name), "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void assert_not_opened(const char *where, const char *says)
{
    assert_null(st_open(where, &why));
    assert_int_equal(why.code, FM_E_FILE);
    if (strstr(why.text, says) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", why.text, says);
}

static void a_file_that_is_no_database_is_refused(void **state)
{
    (void)state;
    static char garbage[8192];
    clear_folder();
    for (size_t i = 0; i < sizeof garbage; i++)
        garbage[i] = (char)(i * 37 + i / 100);
    write_file("garbage", garbage, sizeof garbage);
    assert_not_opened(where_of("garbage"), "not a database");
    write_file("garbage", "hello\n", 6);
    assert_not_opened(where_of("garbage"), "not a database");
    struct stat st;
    assert_int_equal(stat(path_of("garbage"), &st), 0);
    assert_int_equal(st.st_size, 6); /* it is left alone */
    assert_int_equal(mkdir(path_of("folder"), 0700), 0);
    assert_not_opened(where_of("folder"), "Is a directory");
    assert_not_opened(where_of("folder/no/store.db"), "No such file or directory");
    assert_not_opened(where_of("garbage/store.db"), "Not a directory");
    assert_not_opened("sqlite:", "No such file or directory");
    write_file("empty", "", 0); /* is a database without anything */
    struct st_store *s = st_open(where_of("empty"), &why);
    assert_non_null(s);
    assert_int_equal(write_now(s, new_table(1, "ABC234")), FM_OK);
    st_close(s);
}

static sqlite3 *raw(const char *name)
{
    sqlite3 *db;
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    assert_int_equal(sqlite3_open_v2(path_of(name), &db, flags, NULL), SQLITE_OK);
    return db;
}

static void sql(const char *name, const char *text)
{
    sqlite3 *db = raw(name);
    if (sqlite3_exec(db, text, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", text, sqlite3_errmsg(db));
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void other_programs_databases_are_refused_and_left_alone(void **state)
{
    (void)state;
    clear_folder();
    sql("other.db", "CREATE TABLE songs (name)");
    assert_not_opened(where_of("other.db"), "another program");
    sql("other.db", "PRAGMA user_version = 1");
    assert_not_opened(where_of("other.db"), "another program");
    sql("other.db", "PRAGMA application_id = 77");
    assert_not_opened(where_of("other.db"), "another program");
    assert_int_not_equal(access(path_of("other.db-wal"), F_OK), 0);
    FILE *f = fopen(path_of("other.db"), "r");
    assert_non_null(f);
    assert_int_equal(fseek(f, 18, SEEK_SET), 0);
    assert_int_equal(fgetc(f), 1); /* has no write-ahead log still */
    (void)fclose(f);
}

static void a_newer_file_is_refused(void **state)
{
    (void)state;
    clear_folder();
    st_close(open_store());
    char text[64];
    (void)snprintf(text, sizeof text, "PRAGMA user_version = %d", st__schema_n + 1);
    sql("store.db", text);
    assert_not_opened(where_of("store.db"), "newer program");
    sql("store.db", "PRAGMA user_version = -1");
    assert_not_opened(where_of("store.db"), "unknown version");
    sql("store.db", "PRAGMA user_version = 0");
    assert_not_opened(where_of("store.db"), "unknown version");
}

static int number_in(sqlite3 *db, const char *text)
{
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_prepare_v2(db, text, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    const int n = sqlite3_column_int(statement, 0);
    assert_int_equal(sqlite3_finalize(statement), SQLITE_OK);
    return n;
}

static void an_older_file_is_migrated(void **state)
{
    (void)state;
    static const char *const steps[] = {
        "CREATE TABLE a (x); INSERT INTO a VALUES (1)",
        "ALTER TABLE a ADD COLUMN y; UPDATE a SET y = x + 1; CREATE TABLE b (z)",
        "INSERT INTO b SELECT x + y FROM a",
    };
    const char *const broken[] = {steps[0], steps[1],
                                  "INSERT INTO b VALUES (7); INSERT INTO nowhere VALUES (1)"};
    for (int from = 0; from <= 3; from++) {
        clear_folder();
        sqlite3 *db = raw("old.db");
        if (from > 0)
            assert_int_equal(st__sqlite_migrate(db, steps, from, &why), FM_OK);
        if (from == 2) { /* a step that fails changes nothing */
            assert_int_equal(st__sqlite_migrate(db, broken, 3, &why), FM_E_STORE);
            assert_non_null(strstr(why.text, "nowhere"));
            assert_int_equal(number_in(db, "PRAGMA user_version"), 2);
            assert_int_equal(number_in(db, "SELECT count(*) FROM b"), 0);
            assert_true(sqlite3_get_autocommit(db));
        }
        assert_int_equal(st__sqlite_migrate(db, steps, 3, &why), FM_OK);
        assert_int_equal(number_in(db, "PRAGMA user_version"), 3);
        assert_int_equal(number_in(db, "SELECT y FROM a"), 2);
        assert_int_equal(number_in(db, "SELECT count(*) || sum(z) FROM b"), 13);
        assert_int_equal(st__sqlite_migrate(db, steps, 3, &why), FM_OK); /* again: nothing */
        assert_int_equal(number_in(db, "SELECT count(*) FROM b"), 1);
        assert_int_equal(st__sqlite_migrate(db, steps, 2, &why), FM_E_FILE);
        assert_int_equal(sqlite3_close(db), SQLITE_OK);
    }
}

static void every_version_of_the_schema_is_migrated(void **state)
{
    (void)state;
    for (int from = 1; from <= st__schema_n; from++) {
        clear_folder();
        sqlite3 *db = raw("store.db");
        assert_int_equal(st__sqlite_migrate(db, st__schema, from, &why), FM_OK);
        assert_int_equal(sqlite3_close(db), SQLITE_OK);
        struct st_store *s = open_store();
        assert_non_null(s);
        assert_int_equal(write_now(s, new_table(1, "ABC234")), FM_OK);
        st_close(s);
        db = raw("store.db");
        assert_int_equal(number_in(db, "PRAGMA user_version"), st__schema_n);
        assert_int_equal(number_in(db, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
        assert_int_equal(sqlite3_close(db), SQLITE_OK);
    }
}

static void a_store_stays_where_it_was_opened(void **state)
{
    (void)state;
    clear_folder();
    char before[512];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    struct st_store *s = st_open("sqlite::memory:", &why); /* a file as any other */
    assert_non_null(s);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(write_now(s, new_table(1, "ABC234")), FM_OK);
    assert_int_equal(last_seq(s, 1), 1);
    st_close(s);
    assert_private(":memory:");
}

static void unprivileged(void)
{
    if (geteuid() == 0)
        MUST(chown(folder, 65534, 65534) == 0 && setgid(65534) == 0 && setuid(65534) == 0);
}

static void without_rights(void)
{
    unprivileged();
    MUST(chmod(folder, 0500) == 0);
    MUST(st_open(where_of("store.db"), &why) == NULL && why.code == FM_E_FILE);
    MUST(strstr(why.text, "Permission denied") != NULL);
    MUST(chmod(folder, 0700) == 0);
    struct st_store *s = st_open(where_of("store.db"), &why);
    MUST(s != NULL && write_now(s, new_table(1, "ABC234")) == FM_OK);
    st_close(s);
    MUST(chmod(path_of("store.db"), 0400) == 0);
    MUST(st_open(where_of("store.db"), &why) == NULL && why.code == FM_E_FILE);
    MUST(strstr(why.text, "Permission denied") != NULL);
    MUST(chmod(path_of("store.db"), 0600) == 0);
    s = st_open(where_of("store.db"), &why);
    MUST(s != NULL && last_seq(s, 1) == 1);
    st_close(s);
}

static void without_permission_nothing_is_opened(void **state)
{
    (void)state;
    clear_folder();
    assert_int_equal(in_child(without_rights), 0);
    if (geteuid() == 0)
        assert_int_equal(chown(folder, geteuid(), getegid()), 0);
}

/* Writes a table of its own, and at table 9 against the others. */
static _Noreturn void be_one_program(uint64_t own_table)
{
    struct st_store *s = st_open(where_of("store.db"), &why);
    MUST(s != NULL);
    MUST(write_now(s, new_table(own_table, "")) == FM_OK);
    for (uint64_t seq = 1; seq <= 20; seq++) {
        const enum fm_err err =
            write_now(s, seq == 1 ? new_table(9, "ABC234") : event_of(9, seq, "x"));
        MUST(err == FM_OK || err == FM_E_CONFLICT);
    }
    st_close(s);
    _exit(0);
}

static void several_programs_may_make_the_same_file(void **state)
{
    (void)state;
    for (int round = 0; round < (TESTS_SANITIZED ? 5 : 20); round++) {
        pid_t pids[4];
        clear_folder();
        (void)fflush(NULL);
        for (uint64_t i = 0; i < 4; i++) {
            pids[i] = fork();
            assert_true(pids[i] >= 0);
            if (pids[i] == 0)
                be_one_program(1 + i);
        }
        for (int i = 0; i < 4; i++) {
            int status;
            assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
            assert_int_equal(status, 0);
        }
        struct st_store *s = open_store();
        assert_non_null(s);
        for (uint64_t t = 1; t <= 4; t++)
            assert_whole_log(s, t, 1);
        assert_whole_log(s, 9, 20);
        st_close(s);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(only_the_owner_may_read_the_files),
    cmocka_unit_test(a_file_that_is_no_database_is_refused),
    cmocka_unit_test(other_programs_databases_are_refused_and_left_alone),
    cmocka_unit_test(a_newer_file_is_refused),
    cmocka_unit_test(an_older_file_is_migrated),
    cmocka_unit_test(every_version_of_the_schema_is_migrated),
    cmocka_unit_test(a_store_stays_where_it_was_opened),
    cmocka_unit_test(without_permission_nothing_is_opened),
    cmocka_unit_test(several_programs_may_make_the_same_file),
};
const struct tests_group sqlite_file = TESTS_GROUP(tests);
