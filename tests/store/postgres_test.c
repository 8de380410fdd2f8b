/*
 * postgres_test.c: the store in PostgreSQL: all that every back end keeps, and what concerns a
 * server that others use too: lost connections, what programs tell each other, who keeps what.
 *
 * tests/postgres.py starts the server, and says in FATHOM_POSTGRES how to connect.
 */
#define _XOPEN_SOURCE 700 /* random */
#include "store/postgres_test.h"
#include "store/old.h"

#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

const char *conninfo;    /* of the server */
static char where[1024]; /* of the store in it */

/* ---- beside the store ------------------------------------------------------------------------ */

void pause_ms(long ms)
{
    (void)nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

static void say_nothing(void *arg, const char *text)
{
    (void)arg;
    (void)text;
}

/* A statement in a database, whose first value is returned. */
static const char *sql_in(const char *database, const char *text)
{
    static _Thread_local char value[256];
    char whole[1100];
    (void)snprintf(whole, sizeof whole, "%s dbname=%s application_name=beside", conninfo, database);
    PGconn *c = PQconnectdb(whole);
    if (PQstatus(c) != CONNECTION_OK)
        fail_msg("%s", PQerrorMessage(c));
    (void)PQsetNoticeProcessor(c, say_nothing, NULL);
    PGresult *r = PQexec(c, text);
    const ExecStatusType status = PQresultStatus(r);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
        fail_msg("%s: %s", text, PQresultErrorMessage(r));
    (void)snprintf(value, sizeof value, "%s", PQntuples(r) > 0 ? PQgetvalue(r, 0, 0) : "");
    PQclear(r);
    PQfinish(c);
    return value;
}

const char *sql(const char *text)
{
    return sql_in("postgres", text);
}

#define KILL_ALL                                                                                   \
    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"                                \
    " WHERE application_name = 'fathom'"

void clear(void)
{
    (void)sql("DROP SCHEMA IF EXISTS fathom CASCADE");
}

static struct st_store *open_store(void)
{
    struct st_store *s = st_open(where, &why);
    if (s == NULL)
        print_error("%s\n", why.text);
    return s;
}

const struct store_kind store_kind = {clear, open_store};

static struct st_store *fresh(void)
{
    clear();
    struct st_store *s = open_store();
    assert_non_null(s);
    return s;
}

static enum fm_err put(struct st_store *s, struct st_write w)
{
    return write_now(s, &w);
}

static void assert_put(struct st_store *s, struct st_write w)
{
    if (put(s, w) != FM_OK)
        fail_msg("%s", why.text);
}

static struct st_write playing(uint64_t table, bool keeps)
{
    struct st_write w = new_table(table, "");
    w.change.moves = true;
    w.change.state = ST_PLAYING;
    w.change.keeps = keeps;
    return w;
}

/* ---- the database ---------------------------------------------------------------------------- */

static void assert_not_opened(const char *address, const char *says)
{
    assert_null(st_open(address, &why));
    assert_int_equal(why.code, FM_E_FILE);
    if (strstr(why.text, says) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", why.text, says);
    assert_null(strstr(why.text, "swordfish")); /* no password is ever told */
    assert_null(strchr(why.text, '\n'));
}

static void what_cannot_be_connected_is_refused(void **state)
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
    clear();
    (void)sql("CREATE SCHEMA fathom");
    (void)sql("CREATE TABLE fathom.songs (name text)");
    assert_not_opened(where, "another program");
    assert_string_equal(sql("SELECT count(*) FROM pg_tables WHERE schemaname = 'fathom'"), "1");
    (void)sql("DROP TABLE fathom.songs");
    struct st_store *s = open_store(); /* an empty one was made ready for us */
    assert_non_null(s);
    st_close(s);
    (void)sql("UPDATE fathom.program SET version = 99");
    assert_not_opened(where, "made by a newer program");
    assert_string_equal(sql("SELECT version FROM fathom.program"), "99");
}

static void a_schema_is_brought_to_the_present(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "CREATE TABLE fathom.program (version integer NOT NULL); INSERT INTO fathom.program "
        "VALUES (0); CREATE TABLE fathom.half ()",
        "this is not SQL",
    };
    struct st__pg about = {.conninfo = (char *)(uintptr_t)conninfo};
    clear();
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
    *s = st_open(where, &fault);
    if (*s == NULL)
        print_error("%s\n", fault.text);
    return NULL;
}

static void several_programs_may_make_the_same_schema(void **state)
{
    (void)state;
    pthread_t threads[6];
    struct st_store *stores[6];
    clear();
    for (int i = 0; i < 6; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, open_one, &stores[i]), 0);
    for (int i = 0; i < 6; i++)
        (void)pthread_join(threads[i], NULL);
    for (int i = 0; i < 6; i++) {
        assert_non_null(stores[i]);
        assert_put(stores[i], new_table((uint64_t)i + 1, ""));
        st_close(stores[i]);
    }
}

/* ---- writes ---------------------------------------------------------------------------------- */

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
    struct st_store *stores[2] = {fresh(), open_store()};
    n_ok = n_conflicts = n_failed = 0;
    for (uint64_t t = 1; t <= CROWD; t++)
        assert_put(stores[0], new_table(t, ""));
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
static void who_waits_in_a_circle_is_freed(void **state)
{
    (void)state;
    struct st_store *stores[2] = {fresh(), open_store()};
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

static void *kill_connections(void *arg)
{
    int *kills = arg;
    while (!killing_is_over) {
        *kills += (int)strtol(sql(KILL_ALL), NULL, 10);
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
    w.change.tokens = &token; /* the long way */
    w.change.n_tokens = l->table % 2;
    struct st_write twin = w;
    twin.event = "twin";
    twin.n = 4;
    if (st_submit(l->s, &w, on_written, l, &fault) != FM_OK ||
        st_submit(l->s, &twin, on_twin, l, &fault) != FM_OK)
        abort();
}

static void what_is_told_is_true_whatever_connection_is_lost(void **state)
{
    (void)state;
    struct st_store *s = fresh();
    struct log_writer writers[WRITERS] = {{.table = 0}};
    pthread_t killer;
    int kills = 0, ok = 0;
    killing_is_over = false;
    srandom(7);
    assert_int_equal(pthread_create(&killer, NULL, kill_connections, &kills), 0);
    st_hold(s, true);
    for (uint64_t i = 0; i < WRITERS; i++) {
        writers[i].s = s;
        writers[i].table = i + 1;
        (void)sem_init(&writers[i].over, 0, 0);
        write_on(&writers[i]);
    }
    st_hold(s, false);
    pause_ms(TESTS_SANITIZED ? 3000 : 4000);
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
        ok += l->ok;
    }
    print_message("# %d connections killed, %d writes acknowledged\n", kills, ok);
    assert_true(kills > 10 && ok > 50);
    st_close(s);
}

static uint64_t now_ms(void)
{
    return st__pg_now_ms();
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
    (void)snprintf(away, sizeof away, "%s dbname=away", where);
    struct st_store *s = st_open(away, &why);
    assert_non_null(s);
    assert_put(s, new_table(1, "ABC234"));
    assert_int_equal(st_find_table(s, &id, &t, &why), FM_OK);
    close_database(true);
    uint64_t start = now_ms();
    for (int i = 0; i < 1000; i++)
        assert_int_equal(st_find_table(s, &id, &t, &why), FM_E_STORE);
    assert_int_equal(st_find_code(s, "ABC234", &t, &why), FM_E_STORE);
    assert_true(now_ms() - start < 1000);
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
    assert_put(s, event_of(1, next, "it is back"));
    for (int i = 0; i < 100 && st_find_table(s, &id, &t, &why) != FM_OK; i++)
        pause_ms(20);
    assert_whole_log(s, 1, next);
    start = now_ms();
    st_close(s);
    assert_true(now_ms() - start < 1000);
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
static void only_what_the_standby_has_is_told(void **state)
{
    (void)state;
    static const char *const disturb[] = {"SELECT count(pg_cancel_backend(pid))" WAITS,
                                          "SELECT count(pg_cancel_backend(pid))" WAITS,
                                          "SELECT count(pg_terminate_backend(pid))" WAITS};
    struct st_store *s = fresh();
    assert_put(s, new_table(1, ""));
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
            assert_true(i < 500);
            pause_ms(10);
        }
    }
    const int told = n_ok;
    for (size_t i = 0; i < sizeof disturb / sizeof disturb[0]; i++) {
        int tries = 0;
        while (strcmp(sql("SELECT count(*)" WAITS), "1") != 0 && tries++ < 500)
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
    assert_put(s, event_of(1, seq, "x"));
    st_close(s);
}

/* ---- what programs tell each other ----------------------------------------------------------- */

#define HEARD 4096

static struct ear {
    pthread_mutex_t lock;
    int n;
    struct {
        enum st_news_kind kind;
        uint64_t table, seq;
        size_t n;
        uint8_t text[ST_WORD_MAX];
    } news[HEARD];
} ears[2] = {{.lock = PTHREAD_MUTEX_INITIALIZER}, {.lock = PTHREAD_MUTEX_INITIALIZER}};

static void hear(void *arg, const struct st_news *news)
{
    struct ear *e = arg;
    (void)pthread_mutex_lock(&e->lock);
    if (e->n == HEARD)
        abort();
    e->news[e->n].kind = news->kind;
    memcpy(&e->news[e->n].table, news->table.bytes + 8, 8);
    e->news[e->n].seq = news->seq;
    e->news[e->n].n = news->n;
    if (news->n > 0)
        memcpy(e->news[e->n].text, news->text, news->n);
    e->n++;
    (void)pthread_mutex_unlock(&e->lock);
}

static int heard(struct ear *e, enum st_news_kind kind)
{
    int n = 0;
    (void)pthread_mutex_lock(&e->lock);
    for (int i = 0; i < e->n; i++)
        n += e->news[i].kind == kind;
    (void)pthread_mutex_unlock(&e->lock);
    return n;
}

/* So many, or as many as there are after so long. */
static int wait_for(struct ear *e, enum st_news_kind kind, int n, long ms)
{
    for (long waited = 0; heard(e, kind) < n && waited < ms; waited += 10)
        pause_ms(10);
    return heard(e, kind);
}

static struct st_store *listening(struct ear *e)
{
    struct st_store *s = open_store();
    assert_non_null(s);
    assert_true(st_shared(s));
    e->n = 0;
    assert_int_equal(st_listen(s, hear, e, &why), FM_OK);
    return s;
}

static void writes_are_heard_by_the_others(void **state)
{
    (void)state;
    clear();
    struct st_store *a = listening(&ears[0]), *b = listening(&ears[1]);
    assert_put(a, new_table(1, "ABC234"));
    assert_int_equal(put(a, event_of(1, 3, "gap")), FM_E_CONFLICT);
    assert_int_equal(put(a, event_of(1, 1, "twice")), FM_E_CONFLICT);
    assert_put(a, event_of(1, 2, "x"));
    assert_int_equal(wait_for(&ears[1], ST_WROTE, 2, 5000), 2);
    for (uint64_t i = 0; i < 2; i++) {
        assert_int_equal(ears[1].news[i].table, 1);
        assert_int_equal(ears[1].news[i].seq, i + 1);
    }
    /* of a large group each table is told once, with its last event; in few notices */
    const struct st_stats before = st_stats(a);
    st_hold(a, true);
    for (uint64_t t = 10; t < 1010; t++) {
        for (uint64_t seq = 1; seq <= 3; seq++) {
            const struct st_write w = seq == 1 ? new_table(t, "") : event_of(t, seq, "x");
            assert_int_equal(st_submit(a, &w, NULL, NULL, &why), FM_OK);
        }
    }
    st_hold(a, false);
    st_drain(a);
    assert_int_equal(wait_for(&ears[1], ST_WROTE, 1002, 5000), 1002);
    bool told[1010] = {false};
    for (int i = 2; i < ears[1].n; i++) {
        assert_int_equal(ears[1].news[i].seq, 3);
        assert_false(told[ears[1].news[i].table]);
        told[ears[1].news[i].table] = true;
    }
    const uint64_t sent = st_stats(a).notices_sent - before.notices_sent;
    assert_true(sent >= 1 && sent <= 8);
    assert_int_equal(st_stats(b).notices_heard, st_stats(a).notices_sent);
    assert_int_equal(st_stats(a).notices_heard, 0);
    assert_int_equal(ears[0].n, 0); /* nobody hears itself */
    st_close(a);
    st_close(b);
}

static void words_reach_the_others(void **state)
{
    (void)state;
    clear();
    struct st_store *a = listening(&ears[0]), *b = listening(&ears[1]);
    const struct st_id id = id_of(5);
    uint8_t text[ST_WORD_MAX];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (uint8_t)(i * 7);
    st_tell(a, &id, text, sizeof text);
    st_tell(a, &id, NULL, 0);
    for (int i = 0; i < 500; i++)
        st_tell(a, &id, &i, sizeof i);
    assert_int_equal(wait_for(&ears[1], ST_TOLD, 502, 5000), 502);
    assert_int_equal(ears[1].news[0].n, sizeof text);
    assert_memory_equal(ears[1].news[0].text, text, sizeof text);
    assert_int_equal(ears[1].news[0].table, 5);
    assert_int_equal(ears[1].news[1].n, 0);
    for (int i = 0; i < 500; i++)
        assert_memory_equal(ears[1].news[2 + i].text, &i, sizeof i);
    assert_true(st_stats(a).notices_sent < 100);
    assert_int_equal(ears[0].n, 0);
    /* nonsense on the channel is passed over */
    (void)sql("SELECT pg_notify('fathom', ''), pg_notify('fathom', 'x'), pg_notify('fathom',"
              " repeat('0', 32) || e'\\nw zz 1\\nq\\nt ' || repeat('0', 32) || e' !!!\\nw '"
              " || repeat('0', 32) || e' 99999999999999999999\\nw ' || repeat('0', 32) || ' 7')");
    assert_int_equal(wait_for(&ears[1], ST_WROTE, 1, 5000), 1);
    assert_int_equal(ears[1].news[502].seq, 7);
    assert_int_equal(ears[1].n, 503);
    st_close(a);
    struct st_store *deaf = open_store(); /* it tells nobody, and does not fail */
    st_tell(deaf, &id, text, sizeof text);
    st_leave(deaf);
    st_close(deaf);
    st_close(b);
}

static void who_may_have_missed_something_is_told(void **state)
{
    (void)state;
    clear();
    struct st_store *a = listening(&ears[0]), *b = listening(&ears[1]);
    for (uint64_t i = 0; i < 3; i++) {
        (void)sql(KILL_ALL);
        assert_int_equal(wait_for(&ears[1], ST_MISSED, (int)i + 1, 5000), i + 1);
        assert_put(a, new_table(i + 1, "")); /* the writer's connection is new as well */
        assert_int_equal(wait_for(&ears[1], ST_WROTE, (int)i + 1, 5000), i + 1);
    }
    st_close(a);
    st_close(b);
}

/* ---- keepers --------------------------------------------------------------------------------- */

static void assert_kept(struct ear *e, uint64_t first, uint64_t n, long ms)
{
    assert_int_equal(wait_for(e, ST_KEEP, (int)n, ms), n);
    for (uint64_t t = first; t < first + n; t++) {
        bool found = false;
        for (int i = 0; i < e->n; i++)
            found = found || (e->news[i].kind == ST_KEEP && e->news[i].table == t);
        assert_true(found);
    }
}

static void what_the_dead_kept_others_keep(void **state)
{
    (void)state;
    clear();
    struct st_store *b = listening(&ears[1]);
    int pipes[2];
    char ready;
    assert_int_equal(pipe(pipes), 0);
    (void)fflush(NULL);
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) { /* keeps many tables, and is killed */
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        struct st_store *a = listening(&ears[0]);
        for (uint64_t t = 1; t <= 250; t++) {
            const struct st_write w = playing(t, true);
            if (st_submit(a, &w, NULL, NULL, &why) != FM_OK)
                _exit(1);
        }
        st_drain(a);
        pause_ms(1500);
        if (write(pipes[1], "x", 1) != 1)
            _exit(1);
        for (;;)
            (void)pause();
    }
    (void)close(pipes[1]);
    assert_int_equal(read(pipes[0], &ready, 1), 1);
    (void)close(pipes[0]);
    assert_int_equal(heard(&ears[1], ST_KEEP), 0); /* not while it lives */
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    const uint64_t start = now_ms();
    assert_kept(&ears[1], 1, 250, 10000);
    print_message("# kept by another after %d ms\n", (int)(now_ms() - start));
    assert_int_equal(ears[1].news[ears[1].n - 1].seq, 1);
    pause_ms(1200);
    assert_int_equal(heard(&ears[1], ST_KEEP), 250); /* once */
    st_close(b);
}

static void who_leaves_is_followed_at_once(void **state)
{
    (void)state;
    clear();
    struct st_store *a = listening(&ears[0]), *b = listening(&ears[1]);
    assert_put(a, playing(1, true));
    assert_put(a, playing(2, true));
    assert_put(a, event_of(2, 2, "x"));
    assert_put(a, new_table(3, "")); /* not in play: nobody's */
    assert_put(b, playing(4, true));
    st_leave(a);
    assert_kept(&ears[1], 1, 2, 900);
    assert_int_equal(heard(&ears[0], ST_KEEP), 0);
    assert_put(a, event_of(1, 2, "it may still write"));
    struct st_write w = event_of(2, 3, "x");
    w.change.keeps = true; /* and wants it back; but it goes */
    assert_put(a, w);
    assert_int_equal(wait_for(&ears[1], ST_KEEP, 3, 3000), 3);
    st_close(a);
    st_close(b);
}

/* The answer that named it as keeper may have been lost with the connection. */
static void who_comes_back_is_told_what_it_keeps(void **state)
{
    (void)state;
    clear();
    struct st_store *a = listening(&ears[0]), *b = listening(&ears[1]);
    assert_put(a, playing(1, true));
    assert_put(a, playing(2, true));
    assert_put(a, new_table(3, ""));
    assert_put(b, playing(4, true));
    (void)sql(KILL_ALL);
    assert_kept(&ears[0], 1, 2, 5000);
    assert_kept(&ears[1], 4, 1, 5000);
    st_close(a);
    st_close(b);
}

static void what_nobody_keeps_is_kept(void **state)
{
    (void)state;
    struct st_store *s = fresh(); /* does not listen, so it cannot be a keeper for long */
    assert_put(s, playing(1, true));
    assert_put(s, playing(2, false));
    st_close(s);
    s = listening(&ears[0]);
    assert_kept(&ears[0], 1, 2, 3000);
    st_close(s);
}

static void what_is_overdue_another_gets(void **state)
{
    (void)state;
    clear();
    struct st_store *a = listening(&ears[0]), *b = listening(&ears[1]);
    struct st_write late = playing(1, true), waits = new_table(2, ""), later = playing(3, true);
    late.change.times = waits.change.times = later.change.times = true;
    late.change.deadline_ms = waits.change.deadline_ms = 1000; /* long ago */
    later.change.deadline_ms = (uint64_t)time(NULL) * 1000 + 60000;
    assert_put(a, late);
    assert_put(a, waits);
    assert_put(a, later);
    for (int i = 0; i < 300 && heard(&ears[0], ST_KEEP) + heard(&ears[1], ST_KEEP) == 0; i++)
        pause_ms(10);
    assert_kept(heard(&ears[0], ST_KEEP) > 0 ? &ears[0] : &ears[1], 1, 1, 0);
    /* handed on only if nothing comes of it: not each second, by both */
    const uint64_t start = now_ms();
    pause_ms(1300);
    const int more = heard(&ears[0], ST_KEEP) + heard(&ears[1], ST_KEEP) - 1;
    assert_true((uint64_t)more <= (now_ms() - start) / 2000);
    st_close(a);
    st_close(b);
}

static void heads_are_read_together(void **state)
{
    (void)state;
    struct st_store *s = fresh();
    struct st_id ids[4];
    uint64_t seqs[4] = {9, 9, 9, 9};
    assert_put(s, new_table(1, ""));
    assert_put(s, new_table(3, ""));
    assert_put(s, event_of(3, 2, "x"));
    for (uint64_t i = 0; i < 4; i++)
        ids[i] = id_of(i == 3 ? 1 : i + 1); /* one of them twice */
    assert_int_equal(st_read_heads(s, ids, 4, seqs, &why), FM_OK);
    assert_int_equal(seqs[0], 1);
    assert_int_equal(seqs[1], 0);
    assert_int_equal(seqs[2], 2);
    assert_int_equal(seqs[3], 1);
    assert_int_equal(st_read_heads(s, ids, 0, seqs, &why), FM_OK);
    st_close(s);
}

static void all_programs_have_one_key(void **state)
{
    (void)state;
    struct st_store *a = fresh(), *b = st_open(where, &why);
    uint8_t keys[3][ST_KEY_BYTES] = {{0}};
    assert_non_null(b);
    assert_int_equal(st_read_key(a, keys[0], &why), FM_OK);
    assert_int_equal(st_read_key(b, keys[1], &why), FM_OK);
    assert_memory_equal(keys[0], keys[1], ST_KEY_BYTES);
    st_close(a);
    st_close(b);
    /* a database of before there was one gets another */
    struct st__pg about = {.conninfo = (char *)(uintptr_t)conninfo};
    clear();
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
    clear();
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
    assert_put(s, new_table(7, ""));
    assert_int_equal(count_old(s, ST_WAITING, 1000, false), 1);
    st_close(s);
}

/* An argument says which tests: a name, in which * stands for anything. */
int main(int argc, char **argv)
{
    static const struct CMUnitTest own[] = {
        cmocka_unit_test(what_cannot_be_connected_is_refused),
        cmocka_unit_test(other_schemas_are_refused_and_left_alone),
        cmocka_unit_test(a_schema_is_brought_to_the_present),
        cmocka_unit_test(several_programs_may_make_the_same_schema),
        cmocka_unit_test(groups_do_not_block_each_other),
        cmocka_unit_test(who_waits_in_a_circle_is_freed),
        cmocka_unit_test(what_is_told_is_true_whatever_connection_is_lost),
        cmocka_unit_test(while_the_database_is_away_nobody_waits_long),
        cmocka_unit_test(only_what_the_standby_has_is_told),
        cmocka_unit_test(writes_are_heard_by_the_others),
        cmocka_unit_test(words_reach_the_others),
        cmocka_unit_test(who_may_have_missed_something_is_told),
        cmocka_unit_test(what_the_dead_kept_others_keep),
        cmocka_unit_test(who_leaves_is_followed_at_once),
        cmocka_unit_test(who_comes_back_is_told_what_it_keeps),
        cmocka_unit_test(what_nobody_keeps_is_kept),
        cmocka_unit_test(what_is_overdue_another_gets),
        cmocka_unit_test(heads_are_read_together),
        cmocka_unit_test(all_programs_have_one_key),
        cmocka_unit_test(W03_tables_of_an_older_database_count_from_its_migration),
    };
    struct CMUnitTest all[128];
    const size_t n_own = sizeof own / sizeof own[0];
    const struct {
        const struct CMUnitTest *tests;
        size_t n;
    } parts[] = {{store_conform, store_conform_n},
                 {store_old, store_old_n},
                 {own, n_own},
                 {postgres_links, postgres_links_n}};
    size_t n = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        assert_true(n + parts[i].n <= sizeof all / sizeof all[0]);
        memcpy(all + n, parts[i].tests, parts[i].n * sizeof all[0]);
        n += parts[i].n;
    }
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    conninfo = getenv("FATHOM_POSTGRES");
    if (conninfo == NULL || strlen(conninfo) > 900) {
        fprintf(stderr, "FATHOM_POSTGRES does not say where: run this by tests/postgres.py\n");
        return 1;
    }
    (void)snprintf(where, sizeof where, "postgres:%s", conninfo);
    return tests_run("store_postgres", all, n);
}
