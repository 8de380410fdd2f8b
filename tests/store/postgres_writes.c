/*
 * postgres_writes.c: writes to PostgreSQL from several programs, over connections that are lost,
 * and with a synchronous standby.
 */
#define _XOPEN_SOURCE 700 /* random */
#include "store/postgres_test.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_int n_ok, n_conflicts, n_failed;

static void tally(void *arg, enum fm_err err, const struct fm_fault *fault)
{
    (void)arg;
    if (err == FM_E_STORE)
        print_message("# %s\n", fault->text);
    *(err == FM_OK ? &n_ok : err == FM_E_CONFLICT ? &n_conflicts : &n_failed) += 1;
}

#define CROWD 60

/* Two stores write groups over the same tables, one of them upwards and the other downwards. */
static void groups_do_not_block_each_other(void **state)
{
    (void)state;
    struct st_store *stores[2] = {fresh_store(), open_store()};
    n_ok = n_conflicts = n_failed = 0;
    for (uint64_t t = 1; t <= CROWD; t++)
        assert_written(stores[0], new_table(t, ""));
    const uint64_t rounds = TESTS_SANITIZED ? 10 : 40;
    for (uint64_t seq = 2; seq < 2 + rounds; seq++) {
        for (int i = 0; i < 2; i++) {
            st_hold(stores[i], true);
            for (uint64_t t = 1; t <= CROWD; t++) {
                const struct st_write w = event_of(i == 0 ? t : CROWD + 1 - t, seq, "x");
                assert_int_equal(st_submit(stores[i], &w, tally, NULL, &why), FM_OK);
            }
        }
        for (int i = 0; i < 2; i++)
            st_hold(stores[i], false);
        for (int i = 0; i < 2; i++)
            st_drain(stores[i]);
    }
    assert_int_equal(n_ok, CROWD * rounds);
    assert_int_equal(n_conflicts, CROWD * rounds);
    assert_int_equal(n_failed, 0);
    for (uint64_t t = 1; t <= CROWD; t++)
        assert_whole_log(stores[1], t, 1 + rounds);
    st_close(stores[0]);
    st_close(stores[1]);
}

/* New tables that want each other's codes are locked in no order: the database ends that. */
static void a_deadlock_is_resolved(void **state)
{
    (void)state;
    struct st_store *stores[2] = {fresh_store(), open_store()};
    n_ok = n_conflicts = n_failed = 0;
    for (uint64_t round = 0; round < 20; round++) {
        for (int i = 0; i < 2; i++) {
            st_hold(stores[i], true);
            for (uint64_t k = 0; k < 40; k++) {
                char code[8];
                const uint64_t number = i == 0 ? k : 39 - k;
                (void)snprintf(code, sizeof code, "%02d%02d", (int)round, (int)number);
                struct st_write w = new_table(1000 * round + 100 * (uint64_t)i + k, code);
                assert_int_equal(st_submit(stores[i], &w, tally, NULL, &why), FM_OK);
            }
        }
        for (int i = 0; i < 2; i++)
            st_hold(stores[i], false);
        for (int i = 0; i < 2; i++)
            st_drain(stores[i]);
    }
    assert_int_equal(n_failed, 0);
    assert_int_equal(n_ok, 20 * 40);
    assert_int_equal(n_conflicts, 20 * 40);
    st_close(stores[0]);
    st_close(stores[1]);
}

/* ---- lost connections ------------------------------------------------------------------------ */

static atomic_bool killing_is_over;

static atomic_int n_killed, n_acknowledged;

static void *kill_connections(void *arg)
{
    (void)arg;
    while (!killing_is_over) {
        n_killed += (int)strtol(sql(KILL_ALL), NULL, 10);
        pause_ms(20 + random() % 150);
    }
    return NULL;
}

#define WRITERS 8

struct log_writer {
    struct st_store *s;
    uint64_t table, seq;
    int ok, conflicts, failed, twice;
    sem_t over;
};

static void write_on(struct log_writer *l);

static void on_written(void *arg, enum fm_err err, const struct fm_fault *fault)
{
    (void)fault;
    struct log_writer *l = arg;
    if (err == FM_OK) {
        l->ok++;
        l->seq++;
        n_acknowledged++;
    }
    l->conflicts += err == FM_E_CONFLICT;
    l->failed += err == FM_E_STORE;
    if (killing_is_over)
        (void)sem_post(&l->over);
    else
        write_on(l);
}

/* Another write with the same key, in the same group: whatever becomes of the first, not this. */
static void on_twin(void *arg, enum fm_err err, const struct fm_fault *fault)
{
    (void)fault;
    struct log_writer *l = arg;
    l->twice += err == FM_OK;
}

static void write_on(struct log_writer *l)
{
    char code[8];
    (void)snprintf(code, sizeof code, "W%d", (int)l->table);
    struct st_write w =
        l->seq == 0 ? new_table(l->table, code) : event_of(l->table, l->seq + 1, "x");
    const struct st_token token = {.role = 1, .hash = {(uint8_t)l->seq, (uint8_t)(l->seq >> 8)}};
    struct fm_fault fault;
    w.change.tokens = &token; /* these are written by more than one statement */
    w.change.n_tokens = l->table % 2;
    struct st_write twin = w;
    twin.event = "twin";
    twin.n = 4;
    if (st_submit(l->s, &w, on_written, l, &fault) != FM_OK ||
        st_submit(l->s, &twin, on_twin, l, &fault) != FM_OK)
        abort();
}

static void whatever_connection_is_lost_acknowledged_writes_are_kept(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    struct log_writer writers[WRITERS] = {{.table = 0}};
    pthread_t killer;
    n_killed = n_acknowledged = 0;
    killing_is_over = false;
    srandom(7);
    assert_int_equal(pthread_create(&killer, NULL, kill_connections, NULL), 0);
    st_hold(s, true);
    for (uint64_t i = 0; i < WRITERS; i++) {
        writers[i].s = s;
        writers[i].table = i + 1;
        (void)sem_init(&writers[i].over, 0, 0);
        write_on(&writers[i]);
    }
    st_hold(s, false);
    pause_ms(TESTS_SANITIZED ? 3000 : 4000);
    for (long waited = 0; (n_killed <= 10 || n_acknowledged <= 50) && waited < PATIENCE;
         waited += 100)
        pause_ms(100);
    killing_is_over = true;
    for (int i = 0; i < WRITERS; i++)
        (void)sem_wait(&writers[i].over);
    (void)pthread_join(killer, NULL);
    st_close(s);
    s = open_store();
    for (int i = 0; i < WRITERS; i++) {
        const struct log_writer *l = &writers[i];
        assert_int_equal(l->twice, 0);
        assert_int_equal(l->conflicts, 0); /* nobody else writes: none was kept and then denied */
        assert_int_equal(l->ok, l->seq);
        assert_whole_log(s, l->table, l->seq);
    }
    print_message("# %d connections killed, %d writes acknowledged\n", n_killed, n_acknowledged);
    assert_true(n_killed > 10 && n_acknowledged > 50);
    st_close(s);
}

/* A database that lets nobody in. */
static void close_database(bool closed)
{
    (void)sql(closed ? "ALTER DATABASE away ALLOW_CONNECTIONS false"
                     : "ALTER DATABASE away ALLOW_CONNECTIONS true");
    if (closed)
        (void)sql(KILL_ALL);
}

static void while_the_database_is_away_nobody_waits_long(void **state)
{
    (void)state;
    char away[1100];
    struct st_table t;
    const struct st_id id = id_of(1);
    (void)sql("DROP DATABASE IF EXISTS away");
    (void)sql("CREATE DATABASE away");
    (void)snprintf(away, sizeof away, "%s dbname=away", store_address);
    struct st_store *s = st_open(away, &why);
    assert_non_null(s);
    assert_written(s, new_table(1, "ABC234"));
    assert_int_equal(st_find_table(s, &id, &t, &why), FM_OK);
    close_database(true);
    uint64_t start = st__pg_now_ms();
    for (int i = 0; i < 1000; i++)
        assert_int_equal(st_find_table(s, &id, &t, &why), FM_E_STORE);
    assert_int_equal(st_find_code(s, "ABC234", &t, &why), FM_E_STORE);
    assert_true(st__pg_now_ms() - start < (uint64_t)tests_slowed(1000));
    /* the connection was there until now: what is sent on it is in doubt until it is back */
    n_ok = n_conflicts = n_failed = 0;
    const struct st_write doubtful = event_of(1, 2, "x");
    assert_int_equal(st_submit(s, &doubtful, tally, NULL, &why), FM_OK);
    pause_ms(4000);
    assert_int_equal(n_ok + n_conflicts + n_failed, 0);
    close_database(false);
    st_drain(s);
    assert_int_equal(n_ok + n_failed, 1);
    assert_whole_log(s, 1, 1 + (uint64_t)n_ok);
    /* now nothing is sent at all: that is known, and said */
    close_database(true);
    const uint64_t next = 2 + (uint64_t)n_ok;
    n_ok = n_failed = 0;
    assert_int_equal(st_submit(s, &doubtful, tally, NULL, &why), FM_OK); /* finds out */
    pause_ms(200);
    close_database(false);
    st_drain(s);
    assert_written(s, event_of(1, next, "it is back"));
    for (long waited = 0; st_find_table(s, &id, &t, &why) != FM_OK && waited < PATIENCE;
         waited += 20)
        pause_ms(20);
    assert_whole_log(s, 1, next);
    start = st__pg_now_ms();
    st_close(s);
    assert_true(st__pg_now_ms() - start < (uint64_t)tests_slowed(1000));
    (void)sql("DROP DATABASE away");
}

#define WAITS " FROM pg_stat_activity WHERE application_name = 'fathom' AND wait_event = 'SyncRep'"

static void want_standby(const char *name)
{
    char text[100];
    (void)snprintf(text, sizeof text, "ALTER SYSTEM SET synchronous_standby_names = '%s'", name);
    (void)sql(text);
    (void)sql("SELECT pg_reload_conf()");
}

/* The server gives up waiting for a standby when it is told to, and keeps what it committed. */
static void only_what_the_standby_has_is_acknowledged(void **state)
{
    (void)state;
    static const char *const disturb[] = {"SELECT count(pg_cancel_backend(pid))" WAITS,
                                          "SELECT count(pg_cancel_backend(pid))" WAITS,
                                          "SELECT count(pg_terminate_backend(pid))" WAITS};
    struct st_store *s = fresh_store();
    assert_written(s, new_table(1, ""));
    want_standby("nobody");
    n_ok = n_conflicts = n_failed = 0;
    uint64_t seq = 2;
    for (int told = -1; told != n_ok && seq < 200; seq++) { /* until it has heard of the setting */
        const struct st_write w = event_of(1, seq, "x"), twin = event_of(1, seq, "twin");
        told = n_ok;
        st_hold(s, true);
        assert_int_equal(st_submit(s, &w, tally, NULL, &why), FM_OK);
        assert_int_equal(st_submit(s, &twin, tally, NULL, &why), FM_OK);
        st_hold(s, false);
        for (int i = 0; n_ok == told && strcmp(sql("SELECT count(*)" WAITS), "1") != 0; i++) {
            assert_true(i < PATIENCE / 10);
            pause_ms(10);
        }
    }
    const int told = n_ok;
    for (size_t i = 0; i < sizeof disturb / sizeof disturb[0]; i++) {
        int tries = 0;
        while (strcmp(sql("SELECT count(*)" WAITS), "1") != 0 && tries++ < PATIENCE / 10)
            pause_ms(10);
        assert_string_equal(sql(disturb[i]), "1");
        pause_ms(100);
        assert_int_equal(n_ok, told);
        assert_int_equal(n_conflicts, told);
    }
    want_standby("");
    st_drain(s);
    assert_int_equal(n_ok, told + 1);
    assert_int_equal(n_conflicts, told + 1); /* of two with one key only one was ever kept */
    assert_int_equal(n_failed, 0);
    assert_whole_log(s, 1, seq - 1);
    assert_written(s, event_of(1, seq, "x"));
    st_close(s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(groups_do_not_block_each_other),
    cmocka_unit_test(a_deadlock_is_resolved),
    cmocka_unit_test(whatever_connection_is_lost_acknowledged_writes_are_kept),
    cmocka_unit_test(while_the_database_is_away_nobody_waits_long),
    cmocka_unit_test(only_what_the_standby_has_is_acknowledged),
};
const struct tests_group postgres_writes = TESTS_GROUP(tests);
