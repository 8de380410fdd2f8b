/*
 * sqlite_old.c: old tables leave an SQLite file: in files of older versions, when the disk fails,
 * and without the file growing.
 */
#include "store/faulty.h"
#include "store/sqlite.h"
#include "store/sqlite_tests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int run_sql(const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path_of("store.db"), &db), SQLITE_OK);
    const int code = sqlite3_exec(db, sql, NULL, NULL, NULL);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    return code;
}

static void W03_tables_of_an_older_file_count_from_its_migration(void **state)
{
    (void)state;
    clear_folder();
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path_of("store.db"), &db), SQLITE_OK);
    assert_int_equal(st__sqlite_migrate(db, st__schema, 1, &why), FM_OK);
    assert_int_equal(
        sqlite3_exec(db,
                     "INSERT INTO tables (id, code, listed, state, deadline_ms) VALUES"
                     " (randomblob(16), 'AAAAAA', 0, 0, 0), (randomblob(16), 'BBBBBB', 0, 2, 0);"
                     "INSERT INTO events (table_n, seq, event) VALUES (1, 1, x'61'), (2, 1, x'61')",
                     NULL, NULL, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    struct st_store *s = open_store();
    struct st_table t;
    assert_int_equal(count_old(s, ST_WAITING, 0, false), 1);
    assert_int_equal(count_old(s, ST_WAITING, 1000, false), 0); /* not from 1970 on */
    assert_int_equal(st_find_code(s, "AAAAAA", &t, &why), FM_OK);
    assert_int_equal(st_find_code(s, "BBBBBB", &t, &why), FM_E_NO_TABLE);
    st_close(s);
    assert_int_equal(run_sql("UPDATE since SET at = at - 5000"), SQLITE_OK);
    s = open_store();
    assert_int_equal(count_old(s, ST_WAITING, 1000, false), 1);
    struct st_write w = new_table(7, "");
    assert_int_equal(write_now(s, w), FM_OK);
    assert_int_equal(count_old(s, ST_WAITING, 1000, false), 1); /* what is new is new */
    st_close(s);
}

/* ---- faults ---------------------------------------------------------------------------------- */

static bool is_whole(struct st_store *s, uint64_t table)
{
    const struct st_id id = id_of(table);
    struct st_token token;
    char *text = NULL;
    size_t n;
    const bool there = last_seq(s, table) == 4;
    if (there)
        assert_whole_log(s, table, 4);
    else
        assert_int_equal(last_seq(s, table), 0);
    assert_int_equal(st_find_token(s, &id, (const uint8_t[ST_HASH_BYTES]){1}, &token, &why),
                     there ? FM_OK : FM_E_NO_TABLE);
    assert_int_equal(st_read_record(s, &id, &text, &n, &why), there ? FM_OK : FM_E_NO_TABLE);
    free(text);
    return there;
}

/* One removal and one rewriting, with a fault at the countdown-th write; false: it never came. */
static bool survives(int countdown, int code, bool lasting)
{
    const struct st_event blank = {3, "b", 1};
    const struct st_rewriting trim = {id_of(2), 4, &blank, 1, true};
    clear_folder();
    struct st_store *s = open_store();
    put_finished(s, 1, "ABC234");
    put_finished(s, 2, "DEF567");
    faulty_arm(countdown, code, lasting);
    const struct st_write w = removal_of(1, 5);
    enum fm_err err = write_now(s, w);
    if (err != FM_OK) {
        assert_int_equal(err, FM_E_STORE);
        assert_true(is_whole(s, 1)); /* nothing of it went */
        faulty_heal();
        assert_int_equal(write_now(s, w), FM_OK);
    }
    assert_false(is_whole(s, 1));
    err = st_rewrite(s, &trim, &why);
    if (err != FM_OK) {
        assert_int_equal(err, FM_E_STORE);
        faulty_heal();
        assert_int_equal(count_old(s, ST_OVER, 0, true), 1); /* and is tried again */
        assert_int_equal(st_rewrite(s, &trim, &why), FM_OK);
    }
    assert_true(is_whole(s, 2));
    assert_int_equal(count_old(s, ST_OVER, 0, true), 0);
    const bool hit = faulty.hit;
    faulty_heal();
    st_close(s);
    s = open_store();
    assert_false(is_whole(s, 1));
    assert_true(is_whole(s, 2));
    st_close(s);
    return hit;
}

static void W03_whatever_fails_a_table_is_whole_or_gone(void **state)
{
    (void)state;
    static const int codes[] = {SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_IOERR_FSYNC};
    int n = 0;
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        for (int lasting = 0; lasting < 2; lasting++)
            for (int k = 1; survives(k, codes[i], lasting == 1); k++)
                n++;
    print_message("# %d faults\n", n);
    assert_true(n >= 6 * 4);
}

/* ---- the file -------------------------------------------------------------------------------- */

static long size_of(const char *name)
{
    struct stat st;
    return stat(path_of(name), &st) == 0 ? (long)st.st_size : 0;
}

static void fill(struct st_store *s, uint64_t from, uint64_t n)
{
    static char text[4000];
    memset(text, 'x', sizeof text - 1);
    st_hold(s, true);
    for (uint64_t t = from; t < from + n; t++) {
        struct st_write w = new_table(t, "");
        assert_int_equal(st_submit(s, &w, NULL, NULL, &why), FM_OK);
        w = event_of(t, 2, text);
        assert_int_equal(st_submit(s, &w, NULL, NULL, &why), FM_OK);
    }
    st_hold(s, false);
    st_drain(s);
}

static void empty(struct st_store *s, uint64_t from, uint64_t n)
{
    for (uint64_t t = from; t < from + n; t++) {
        const struct st_write w = removal_of(t, 3);
        assert_int_equal(st_submit(s, &w, NULL, NULL, &why), FM_OK);
        if (t % 8 == 0)
            st_drain(s);
    }
    st_drain(s);
}

/* What comes and goes for years needs no more room than once. */
static void W03_a_file_whose_tables_go_does_not_grow(void **state)
{
    (void)state;
    enum { TABLES = 400 };
    clear_folder();
    struct st_store *s = open_store();
    fill(s, 1, TABLES);
    st_close(s);
    const long first = size_of("store.db");
    assert_true(first > TABLES * 4000L);
    for (uint64_t round = 0; round < 5; round++) {
        s = open_store();
        empty(s, 1 + round * TABLES, TABLES);
        assert_true(size_of("store.db-wal") < 16L << 20);
        fill(s, 1 + (round + 1) * TABLES, TABLES);
        st_close(s);
        print_message("# %ld, then %ld bytes\n", first, size_of("store.db"));
        assert_true(size_of("store.db") < first + first / 4);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(W03_tables_of_an_older_file_count_from_its_migration),
    cmocka_unit_test(W03_whatever_fails_a_table_is_whole_or_gone),
    cmocka_unit_test(W03_a_file_whose_tables_go_does_not_grow),
};
const struct tests_group sqlite_old = TESTS_GROUP(tests);
