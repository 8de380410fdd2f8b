/*
 * postgres_schema.c: opening a store in PostgreSQL: which addresses and schemas are refused, how
 * older ones are migrated, and the key that all programs share.
 */
#include "store/postgres_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void assert_not_opened(const char *address, const char *says)
{
    assert_null(st_open(address, &why));
    assert_int_equal(why.code, FM_E_FILE);
    if (strstr(why.text, says) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", why.text, says);
    assert_null(strstr(why.text, "swordfish")); /* no password is ever told */
    assert_null(strchr(why.text, '\n'));
}

static void an_address_that_cannot_be_reached_is_refused(void **state)
{
    (void)state;
    char address[1100];
    assert_not_opened("postgres:host", "missing \"=\"");
    assert_not_opened("postgres:nonsense=1 password=swordfish", "nonsense");
    assert_not_opened("postgres:host=/nowhere/at/all password=swordfish", "No such file");
    assert_not_opened("postgres:host=127.0.0.1 port=1 password=swordfish", "refused");
    (void)snprintf(address, sizeof address, "postgres:%s dbname=nothing password=swordfish",
                   conninfo);
    assert_not_opened(address, "\"nothing\" does not exist");
    (void)snprintf(address, sizeof address, "postgres:%s user=nobody_known", conninfo);
    assert_not_opened(address, "nobody_known");
}

static void other_schemas_are_refused_and_left_alone(void **state)
{
    (void)state;
    drop_schema();
    (void)sql("CREATE SCHEMA fathom");
    (void)sql("CREATE TABLE fathom.songs (name text)");
    assert_not_opened(store_address, "another program");
    assert_string_equal(sql("SELECT count(*) FROM pg_tables WHERE schemaname = 'fathom'"), "1");
    (void)sql("DROP TABLE fathom.songs");
    struct st_store *s = open_store(); /* an empty one was made ready for us */
    assert_non_null(s);
    st_close(s);
    (void)sql("UPDATE fathom.program SET version = 99");
    assert_not_opened(store_address, "made by a newer program");
    assert_string_equal(sql("SELECT version FROM fathom.program"), "99");
}

static void an_older_schema_is_migrated(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "CREATE TABLE fathom.program (version integer NOT NULL); INSERT INTO fathom.program "
        "VALUES (0); CREATE TABLE fathom.half ()",
        "this is not SQL",
    };
    struct st__pg about = {.conninfo = (char *)(uintptr_t)conninfo};
    drop_schema();
    struct st__pg_conn *c = st__pg_connect(&about, ST__PG_WRITES, &why);
    assert_non_null(c);
    assert_int_equal(st__pg_migrate(c, wrong, 2, &why), FM_E_STORE); /* all steps or none */
    assert_string_equal(sql("SELECT count(*) FROM pg_tables WHERE schemaname = 'fathom'"), "0");
    assert_int_equal(st__pg_migrate(c, wrong, 1, &why), FM_OK);
    static const char *const more[] = {"this was done before", "CREATE TABLE fathom.whole ()"};
    assert_int_equal(st__pg_migrate(c, more, 2, &why), FM_OK);
    assert_string_equal(sql("SELECT version FROM fathom.program"), "2");
    st__pg_disconnect(c);
}

static void *open_one(void *arg)
{
    struct st_store **s = arg;
    struct fm_fault fault;
    *s = st_open(store_address, &fault);
    if (*s == NULL)
        print_error("%s\n", fault.text);
    return NULL;
}

static void several_programs_may_make_the_same_schema(void **state)
{
    (void)state;
    pthread_t threads[6];
    struct st_store *stores[6];
    drop_schema();
    for (int i = 0; i < 6; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, open_one, &stores[i]), 0);
    for (int i = 0; i < 6; i++)
        (void)pthread_join(threads[i], NULL);
    for (int i = 0; i < 6; i++) {
        assert_non_null(stores[i]);
        assert_written(stores[i], new_table((uint64_t)i + 1, ""));
        st_close(stores[i]);
    }
}

static void all_programs_have_one_key(void **state)
{
    (void)state;
    struct st_store *a = fresh_store(), *b = st_open(store_address, &why);
    uint8_t keys[3][ST_KEY_BYTES] = {{0}};
    assert_non_null(b);
    assert_int_equal(st_read_key(a, keys[0], &why), FM_OK);
    assert_int_equal(st_read_key(b, keys[1], &why), FM_OK);
    assert_memory_equal(keys[0], keys[1], ST_KEY_BYTES);
    st_close(a);
    st_close(b);
    /* a database of before there was one gets another */
    struct st__pg about = {.conninfo = (char *)(uintptr_t)conninfo};
    drop_schema();
    struct st__pg_conn *c = st__pg_connect(&about, ST__PG_WRITES, &why);
    assert_non_null(c);
    assert_int_equal(st__pg_migrate(c, st__pg_schema, 1, &why), FM_OK);
    st__pg_disconnect(c);
    assert_string_equal(sql("SELECT version FROM fathom.program"), "1");
    a = open_store();
    assert_non_null(a);
    assert_int_equal(st_read_key(a, keys[2], &why), FM_OK);
    assert_memory_not_equal(keys[0], keys[2], ST_KEY_BYTES);
    st_close(a);
}

static void W03_tables_of_an_older_database_count_from_its_migration(void **state)
{
    (void)state;
    struct st__pg about = {.conninfo = (char *)(uintptr_t)conninfo};
    struct st_table t;
    drop_schema();
    struct st__pg_conn *c = st__pg_connect(&about, ST__PG_WRITES, &why);
    assert_non_null(c);
    assert_int_equal(st__pg_migrate(c, st__pg_schema, 2, &why), FM_OK);
    st__pg_disconnect(c);
    (void)sql("INSERT INTO fathom.tables (id, last_seq, deadline_ms, keeper, state, listed, code)"
              " SELECT id::uuid, 1, 0, id::uuid, state, false, code FROM (VALUES"
              " ('00000000-0000-0000-0000-000000000001', 0, 'AAAAAA'::bytea),"
              " ('00000000-0000-0000-0000-000000000002', 2, 'BBBBBB'::bytea)) v (id, state, code);"
              "INSERT INTO fathom.codes SELECT code, id FROM fathom.tables;"
              "INSERT INTO fathom.events SELECT id, 1, 0, '' FROM fathom.tables");
    struct st_store *s = open_store();
    assert_non_null(s);
    assert_int_equal(count_old(s, ST_WAITING, 0, false), 1);
    assert_int_equal(count_old(s, ST_WAITING, 1000, false), 0); /* not from 1970 on */
    assert_int_equal(st_find_code(s, "AAAAAA", &t, &why), FM_OK);
    assert_int_equal(st_find_code(s, "BBBBBB", &t, &why), FM_E_NO_TABLE);
    (void)sql("UPDATE fathom.events SET at_s = at_s - 5000");
    assert_written(s, new_table(7, ""));
    assert_int_equal(count_old(s, ST_WAITING, 1000, false), 1);
    st_close(s);
}

/* Version 5 copies events, tokens and records out of their partitions. */
static void an_older_database_loses_nothing(void **state)
{
    (void)state;
    struct st__pg about = {.conninfo = (char *)(uintptr_t)conninfo};
    const struct st_id id = id_of(3);
    struct st_token token;
    char *text;
    size_t n;
    uint8_t hash[ST_HASH_BYTES];
    memset(hash, 'h', sizeof hash);
    drop_schema();
    struct st__pg_conn *c = st__pg_connect(&about, ST__PG_WRITES, &why);
    assert_non_null(c);
    assert_int_equal(st__pg_migrate(c, st__pg_schema, 4, &why), FM_OK);
    st__pg_disconnect(c);
    char hex[2 * ST_ID_BYTES + 1], fill[900];
    for (size_t i = 0; i < ST_ID_BYTES; i++)
        (void)snprintf(hex + 2 * i, 3, "%02x", id.bytes[i]);
    (void)snprintf(
        fill, sizeof fill,
        "INSERT INTO fathom.tables (id, last_seq, deadline_ms, keeper, state, listed, code)"
        " SELECT CASE WHEN i = 1 THEN '%s'::uuid ELSE gen_random_uuid() END, 5, 0,"
        " gen_random_uuid(), 2, false, '' FROM generate_series(1, 20) i;"
        "INSERT INTO fathom.events (table_id, seq, tag, event)"
        " SELECT id, seq, 0, 'x' FROM fathom.tables, generate_series(1, 5) seq;"
        "INSERT INTO fathom.tokens SELECT id, repeat('h', 32)::bytea, 2, 1 FROM fathom.tables;"
        "INSERT INTO fathom.records SELECT id, 'record' FROM fathom.tables",
        hex);
    (void)sql(fill);
    struct st_store *s = open_store();
    assert_non_null(s);
    assert_whole_log(s, 3, 5);
    assert_int_equal(st_find_token(s, &id, hash, &token, &why), FM_OK);
    assert_int_equal(token.role, 2);
    assert_int_equal(st_read_record(s, &id, &text, &n, &why), FM_OK);
    assert_string_equal(text, "record");
    free(text);
    assert_string_equal(sql("SELECT count(*) FROM fathom.events"), "100");
    assert_written(s, event_of(3, 6, "x"));
    assert_int_equal(write_now(s, event_of(3, 6, "twice")), FM_E_CONFLICT);
    st_close(s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_address_that_cannot_be_reached_is_refused),
    cmocka_unit_test(other_schemas_are_refused_and_left_alone),
    cmocka_unit_test(an_older_schema_is_migrated),
    cmocka_unit_test(several_programs_may_make_the_same_schema),
    cmocka_unit_test(all_programs_have_one_key),
    cmocka_unit_test(W03_tables_of_an_older_database_count_from_its_migration),
    cmocka_unit_test(an_older_database_loses_nothing),
};
const struct tests_group postgres_schema = TESTS_GROUP(tests);
