/*
 * sqlite_kill.c: no acknowledged write is lost by kill -9: a child writes as fast as it can and
 * reports each acknowledged write; it is killed at some moment, and all that it reported is there.
 */
#define _XOPEN_SOURCE 700
#include "store/sqlite_tests.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define KILLS  (TESTS_SANITIZED ? 8 : 40)
#define TABLES 20
#define AHEAD  8 /* writes of a table under way */

/* What stands where, told from the key alone: so any mixture of two writes shows. */
static size_t size_of(uint64_t table, uint64_t seq)
{
    return (size_t)(table * 7919 + seq * 104729) % (seq % 50 == 0 ? 20000 : 300);
}

static void fill(uint8_t *event, size_t n, uint64_t table, uint64_t seq)
{
    for (size_t i = 0; i < n; i++)
        event[i] = (uint8_t)(table * 31 + seq * 17 + i);
}

static struct st_token token_of(uint64_t seq)
{
    struct st_token t = {.role = (uint8_t)seq, .seat = (uint8_t)(seq >> 8)};
    memcpy(t.hash, &seq, sizeof seq);
    return t;
}

/* ---- the child ------------------------------------------------------------------------------- */

struct ack {
    uint64_t table, seq;
};

static struct {
    struct st_store *s;
    int out;
    uint64_t submitted[TABLES + 1];
} child;

static void submit_next(uint64_t table);

static void on_done(void *arg, enum fm_err err, const struct fm_fault *fault)
{
    struct ack *ack = arg;
    if (err != FM_OK)
        fprintf(stderr, "%s\n", fault->text);
    MUST(err == FM_OK);
    MUST(write(child.out, ack, sizeof *ack) == sizeof *ack);
    const uint64_t table = ack->table;
    free(ack);
    submit_next(table);
}

static void submit_next(uint64_t table)
{
    static uint8_t event[20000];
    static char record[64];
    const uint64_t seq = ++child.submitted[table];
    struct st_write w = seq == 1 ? new_table(table, "") : event_of(table, seq, "");
    const struct st_token token = token_of(seq);
    struct ack *ack = malloc(sizeof *ack);
    struct fm_fault f;
    MUST(ack != NULL);
    *ack = (struct ack){table, seq};
    w.n = size_of(table, seq);
    w.event = event;
    fill(event, w.n, table, seq);
    w.change.times = true;
    w.change.deadline_ms = seq * 1000;
    w.change.tokens = &token;
    w.change.n_tokens = seq % 3 == 0;
    w.change.record = record;
    w.change.record_n = (size_t)snprintf(record, sizeof record, "record %d", (int)seq);
    MUST(st_submit(child.s, &w, on_done, ack, &f) == FM_OK);
}

static void start_table(void *arg, enum fm_err err, const struct fm_fault *fault)
{
    (void)fault;
    MUST(err == FM_E_CONFLICT);
    const uint64_t *table = arg;
    for (int i = 0; i < AHEAD; i++)
        submit_next(*table);
}

static _Noreturn void live(int out)
{
    static uint64_t tables[TABLES + 1];
    struct fm_fault f;
    child.s = st_open(where_of("store.db"), &f);
    MUST(child.s != NULL);
    child.out = out;
    const struct st_write refused = event_of(TABLES + 1, 2, "");
    for (uint64_t t = 1; t <= TABLES; t++) {
        child.submitted[t] = last_seq(child.s, t);
        tables[t] = t; /* submits from the store's thread alone: buffers are static */
    }
    for (uint64_t t = 1; t <= TABLES; t++)
        MUST(st_submit(child.s, &refused, start_table, &tables[t], &f) == FM_OK);
    for (;;)
        (void)pause();
}

/* ---- the parent ------------------------------------------------------------------------------ */

struct check {
    uint64_t table, next;
};

static bool check_event(void *arg, uint64_t seq, const void *event, size_t n)
{
    static uint8_t expected[20000];
    struct check *c = arg;
    assert_int_equal(seq, c->next);
    assert_int_equal(n, size_of(c->table, seq));
    fill(expected, n, c->table, seq);
    assert_memory_equal(event, expected, n);
    c->next++;
    return true;
}

struct held {
    uint64_t tokens, last_seq;
};

static bool check_token(void *arg, const struct st_token *token)
{
    struct held *held = arg;
    uint64_t seq;
    memcpy(&seq, token->hash, sizeof seq);
    const struct st_token expected = token_of(seq);
    assert_true(seq % 3 == 0 && seq > 0 && seq <= held->last_seq);
    assert_memory_equal(token->hash, expected.hash, sizeof expected.hash);
    assert_int_equal(token->role, expected.role);
    assert_int_equal(token->seat, expected.seat);
    held->tokens++;
    return true;
}

/* All are there and no others; those of writes since the last kill are also found by their hash. */
static void check_tokens(struct st_store *s, const struct st_id *id, uint64_t before, uint64_t last)
{
    struct held held = {0, last};
    assert_int_equal(st_each_token(s, id, check_token, &held, &why), FM_OK);
    assert_int_equal(held.tokens, last / 3);
    for (uint64_t seq = before + 1; seq <= last + AHEAD; seq++) {
        const struct st_token token = token_of(seq);
        struct st_token found;
        const bool there = seq % 3 == 0 && seq <= last;
        assert_int_equal(st_find_token(s, id, token.hash, &found, &why),
                         there ? FM_OK : FM_E_NO_TABLE);
    }
}

/* before: the last seq after the kill before this one. */
static void check_table(struct st_store *s, uint64_t table, uint64_t before, uint64_t acked)
{
    const struct st_id id = id_of(table);
    struct check c = {table, 1};
    struct st_table t;
    const enum fm_err err = st_find_table(s, &id, &t, &why);
    if (err == FM_E_NO_TABLE) {
        assert_int_equal(acked, 0);
        return;
    }
    assert_int_equal(err, FM_OK);
    assert_int_equal(st_read_log(s, &id, 1, check_event, &c, &why), FM_OK);
    assert_true(c.next > acked);
    assert_int_equal(t.last_seq, c.next - 1);
    /* what was beside each of them came with it, and nothing of the next */
    assert_int_equal(t.deadline_ms, t.last_seq * 1000);
    char *text, expected[64];
    size_t n;
    assert_int_equal(st_read_record(s, &id, &text, &n, &why), FM_OK);
    (void)snprintf(expected, sizeof expected, "record %d", (int)t.last_seq);
    assert_string_equal(text, expected);
    free(text);
    check_tokens(s, &id, before, t.last_seq);
}

static void every_acknowledged_write_survives_kill_9(void **state)
{
    (void)state;
    static uint64_t acked[TABLES + 1], before[TABLES + 1];
    uint64_t n_acked = 0;
    clear_folder();
    srandom(20);
    for (int kill_n = 0; kill_n < KILLS; kill_n++) {
        int pipes[2];
        assert_int_equal(pipe(pipes), 0);
        const pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0) {
            (void)close(pipes[0]);
            live(pipes[1]);
        }
        (void)close(pipes[1]);
        struct ack ack;
        const long until = kill_n % 8 == 0 ? 0 : 1 + random() % 800;
        for (long i = 0; i < until && read(pipes[0], &ack, sizeof ack) == sizeof ack; i++) {
            assert_int_equal(ack.seq, acked[ack.table] + 1);
            acked[ack.table] = ack.seq;
            n_acked++;
        }
        const struct timespec pause_ns = {0, random() % 8000000};
        (void)nanosleep(&pause_ns, NULL);
        assert_int_equal(kill(pid, SIGKILL), 0);
        while (read(pipes[0], &ack, sizeof ack) == sizeof ack) {
            assert_int_equal(ack.seq, acked[ack.table] + 1);
            acked[ack.table] = ack.seq;
            n_acked++;
        }
        (void)close(pipes[0]);
        int status;
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        struct st_store *s = st_open(where_of("store.db"), &why);
        assert_non_null(s);
        for (uint64_t t = 1; t <= TABLES; t++) {
            check_table(s, t, before[t], acked[t]);
            acked[t] = before[t] = last_seq(s, t);
        }
        st_close(s);
    }
    print_message("# %d kills, %d writes acknowledged\n", KILLS, (int)n_acked);
    assert_true(n_acked > (uint64_t)KILLS * 50);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_acknowledged_write_survives_kill_9),
};
const struct tests_group sqlite_killed = TESTS_GROUP(tests);
