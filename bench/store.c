/*
 * store.c: how many writes a second become durable, and how long each waits for it: submitters
 * that each wait for the done of their last write. Beside it, in the same run, plain SQLite with a
 * commit for every insert; and the store in PostgreSQL if FATHOM_POSTGRES says where one is, as
 * tests/postgres.py does.
 */
#define _XOPEN_SOURCE 700

#include "store/store.h"
#include "base/panic.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define EVENT       200 /* bytes */
#define SUBMITTERS  1000
#define MEASUREMENT 4000000

static uint32_t *times_us; /* of each write */
static size_t n_times;
static char folder[256], path[300];

static uint64_t now_us(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static void took(uint64_t since)
{
    if (n_times < MEASUREMENT)
        times_us[n_times++] = (uint32_t)(now_us() - since);
}

static int by_size(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void clear(void)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    for (int i = 0; i < 3; i++) {
        (void)snprintf(path, sizeof path, "%s/store.db%s", folder, ends[i]);
        (void)remove(path);
    }
    (void)snprintf(path, sizeof path, "%s/store.db", folder);
    n_times = 0;
}

static void print_row(const char *what, int in_flight, uint64_t us, uint64_t commits)
{
    fm_assert(n_times > 0);
    qsort(times_us, n_times, sizeof *times_us, by_size);
    printf("{\"what\":\"%s\",\"in_flight\":%d,\"writes\":%zu,\"commits\":%llu,"
           "\"writes_per_second\":%.0f,\"writes_per_commit\":%.1f,\"p50_us\":%u,\"p99_us\":%u}",
           what, in_flight, n_times, (unsigned long long)commits,
           (double)n_times * 1e6 / (double)us, (double)n_times / (double)commits,
           (unsigned)times_us[n_times / 2], (unsigned)times_us[n_times * 99 / 100]);
}

/* ---- the store ------------------------------------------------------------------------------- */

struct submitter {
    uint64_t table, seq, since;
    struct submitter *next; /* of those whose write is done */
};

static struct submitter submitters[SUBMITTERS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t told = PTHREAD_COND_INITIALIZER;
static struct submitter *ready;

static void on_done(void *arg, enum fm_err err, const struct fm_fault *fault)
{
    struct submitter *s = arg;
    if (err != FM_OK)
        fm_panic(__FILE__, __LINE__, fault->text);
    (void)pthread_mutex_lock(&lock);
    if (s->seq > 1)
        took(s->since);
    s->next = ready;
    ready = s;
    (void)pthread_cond_signal(&told);
    (void)pthread_mutex_unlock(&lock);
}

static void submit(struct st_store *store, struct submitter *s)
{
    static const uint8_t event[EVENT];
    struct fm_fault fault;
    struct st_write w = {.seq = ++s->seq, .event = event, .n = EVENT};
    const uint64_t mixed = s->table * 0x9e3779b97f4a7c15u;
    memcpy(w.table.bytes, &mixed, sizeof mixed);
    w.change.creates = s->seq == 1;
    w.change.times = true; /* as a move does */
    w.change.deadline_ms = now_us() / 1000 + 30000;
    s->since = now_us();
    if (st_submit(store, &w, on_done, s, &fault) != FM_OK)
        fm_panic(__FILE__, __LINE__, fault.text);
}

static struct submitter *wait_for_some(void)
{
    (void)pthread_mutex_lock(&lock);
    while (ready == NULL)
        (void)pthread_cond_wait(&told, &lock);
    struct submitter *all = ready;
    ready = NULL;
    (void)pthread_mutex_unlock(&lock);
    return all;
}

static void bench_store(const char *what, const char *where, int in_flight, uint64_t for_us)
{
    static uint64_t table; /* of all runs: a database is not cleared */
    struct fm_fault fault;
    n_times = 0;
    struct st_store *store = st_open(where, &fault);
    if (store == NULL)
        fm_panic(__FILE__, __LINE__, fault.text);
    for (int i = 0; i < in_flight; i++) {
        submitters[i] = (struct submitter){.table = ++table};
        submit(store, &submitters[i]);
    }
    st_drain(store);
    const uint64_t commits = st_stats(store).commits, start = now_us();
    while (now_us() - start < for_us) {
        for (struct submitter *s = wait_for_some(), *next; s != NULL; s = next) {
            next = s->next;
            submit(store, s);
        }
    }
    st_drain(store);
    print_row(what, in_flight, now_us() - start, st_stats(store).commits - commits);
    ready = NULL;
    st_close(store);
}

/* ---- the reference --------------------------------------------------------------------------- */

static void bench_plain(uint64_t for_us)
{
    static const uint8_t event[EVENT];
    sqlite3 *db;
    sqlite3_stmt *insert;
    clear();
    fm_assert(sqlite3_open(path, &db) == SQLITE_OK);
    fm_assert(sqlite3_exec(db,
                           "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                           "CREATE TABLE events (arrival INTEGER PRIMARY KEY, table_n INTEGER,"
                           " seq INTEGER, event BLOB);"
                           "CREATE UNIQUE INDEX events_key ON events (table_n, seq)",
                           NULL, NULL, NULL) == SQLITE_OK);
    fm_assert(sqlite3_prepare_v2(db, "INSERT INTO events (table_n, seq, event) VALUES (?1, ?2, ?3)",
                                 -1, &insert, NULL) == SQLITE_OK);
    const uint64_t start = now_us();
    for (int64_t i = 0; now_us() - start < for_us; i++) {
        const uint64_t since = now_us();
        (void)sqlite3_bind_int64(insert, 1, i % SUBMITTERS);
        (void)sqlite3_bind_int64(insert, 2, i / SUBMITTERS);
        (void)sqlite3_bind_blob(insert, 3, event, EVENT, SQLITE_STATIC);
        fm_assert(sqlite3_step(insert) == SQLITE_DONE);
        (void)sqlite3_reset(insert);
        took(since);
    }
    print_row("plain SQLite", 1, now_us() - start, n_times);
    (void)sqlite3_finalize(insert);
    (void)sqlite3_close(db);
}

int main(int argc, char **argv)
{
    static const int in_flight[] = {1, 50, SUBMITTERS};
    const char *conninfo = getenv("FATHOM_POSTGRES");
    char where[1024];
    char *end = NULL;
    const double seconds = argc == 3 ? strtod(argv[2], &end) : 5;
    if (argc < 2 || argc > 3 || argv[1][0] == '-' || (end != NULL && *end != '\0') ||
        !(seconds > 0 && seconds < 1000)) {
        fprintf(stderr, "usage: bench_store FOLDER [SECONDS]\n");
        return 2;
    }
    times_us = calloc(MEASUREMENT, sizeof *times_us);
    fm_assert(times_us != NULL);
    (void)snprintf(folder, sizeof folder, "%s/bench-store-XXXXXX", argv[1]);
    if (mkdtemp(folder) == NULL) {
        perror(folder);
        return 1;
    }
    printf("{\"event_bytes\":%d,\"rows\":[\n", EVENT);
    bench_plain((uint64_t)(seconds * 1e6));
    for (int i = 0; i < 3; i++) {
        printf(",\n");
        clear();
        (void)snprintf(where, sizeof where, "sqlite:%s", path);
        bench_store("store", where, in_flight[i], (uint64_t)(seconds * 1e6));
    }
    for (int i = 0; conninfo != NULL && i < 3; i++) {
        printf(",\n");
        (void)snprintf(where, sizeof where, "postgres:%s", conninfo);
        bench_store("store in PostgreSQL", where, in_flight[i], (uint64_t)(seconds * 1e6));
    }
    printf("]}\n");
    clear();
    (void)rmdir(folder);
    free(times_us);
    return 0;
}
