/*
 * postgres_news.c: what programs on the same PostgreSQL tell each other of writes, and which of
 * them keeps a table.
 */
#define _XOPEN_SOURCE 700
#include "store/postgres_test.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define HEARD 4096

static struct ear {
    pthread_mutex_t lock;
    int n;
    struct {
        enum st_notice_kind kind;
        uint64_t table, seq;
        bool keeps, others;
        size_t n;
        uint8_t text[ST_MESSAGE_MAX];
    } news[HEARD];
} listener[2] = {{.lock = PTHREAD_MUTEX_INITIALIZER}, {.lock = PTHREAD_MUTEX_INITIALIZER}};

static void hear(void *arg, const struct st_notice *news)
{
    struct ear *e = arg;
    (void)pthread_mutex_lock(&e->lock);
    if (e->n == HEARD)
        abort();
    e->news[e->n].kind = news->kind;
    memcpy(&e->news[e->n].table, news->table.bytes + 8, 8);
    e->news[e->n].seq = news->seq;
    e->news[e->n].keeps = news->keeps;
    e->news[e->n].others = news->others;
    e->news[e->n].n = news->n;
    if (news->n > 0)
        memcpy(e->news[e->n].text, news->text, news->n);
    e->n++;
    (void)pthread_mutex_unlock(&e->lock);
}

static int heard(struct ear *e, enum st_notice_kind kind)
{
    int n = 0;
    (void)pthread_mutex_lock(&e->lock);
    for (int i = 0; i < e->n; i++)
        n += e->news[i].kind == kind;
    (void)pthread_mutex_unlock(&e->lock);
    return n;
}

/* So many, or as many as there are after so long. */
static int wait_for(struct ear *e, enum st_notice_kind kind, int n, long ms)
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

/* So many entries there are, of all tables together. */
static void wait_for_watchers(const char *n)
{
    for (long waited = 0; waited < PATIENCE; waited += 10) {
        if (strcmp(sql("SELECT coalesce(sum(cardinality(watchers)), 0) FROM fathom.tables"), n) ==
            0)
            return;
        pause_ms(10);
    }
    fail_msg("there should be %s watchers", n);
}

static void watch(struct st_store *s, struct ear *e, uint64_t first, uint64_t n)
{
    const int before = heard(e, ST_WATCHED);
    for (uint64_t t = first; t < first + n; t++) {
        const struct st_id id = id_of(t);
        assert_true(st_watch(s, &id, true));
    }
    assert_int_equal(wait_for(e, ST_WATCHED, before + (int)n, PATIENCE), before + (int)n);
}

/* The newest notice of a kind; there is one. */
static int newest(const struct ear *e, enum st_notice_kind kind)
{
    int i = e->n - 1;
    while (i > 0 && e->news[i].kind != kind)
        i--;
    assert_int_equal(e->news[i].kind, kind);
    return i;
}

static void programs_that_watch_a_table_hear_of_writes(void **state)
{
    (void)state;
    empty_schema();
    struct st_store *a = listening(&listener[0]), *b = listening(&listener[1]);
    assert_written(a, new_table(1, "ABC234"));
    assert_written(a, event_of(1, 2, "x"));
    watch(b, &listener[1], 1, 1);
    assert_int_equal(listener[1].news[newest(&listener[1], ST_WATCHED)].seq, 2);
    assert_int_equal(write_now(a, event_of(1, 4, "gap")), FM_E_CONFLICT);
    assert_int_equal(write_now(a, event_of(1, 1, "twice")), FM_E_CONFLICT);
    assert_written(a, event_of(1, 3, "x"));
    assert_int_equal(wait_for(&listener[1], ST_WROTE, 1, PATIENCE), 1);
    assert_int_equal(listener[1].news[newest(&listener[1], ST_WROTE)].table, 1);
    assert_int_equal(listener[1].news[newest(&listener[1], ST_WROTE)].seq, 3);
    /* of a large group each table is told once, with its last event; in few notices */
    st_hold(a, true);
    for (uint64_t t = 10; t < 1010; t++) {
        const struct st_write w = new_table(t, "");
        assert_int_equal(st_submit(a, &w, NULL, NULL, &why), FM_OK);
    }
    st_hold(a, false);
    st_drain(a);
    watch(b, &listener[1], 10, 1000);
    const struct st_stats before = st_stats(a);
    assert_int_equal(before.notices_sent, 1);
    st_hold(a, true);
    for (uint64_t t = 10; t < 1010; t++)
        for (uint64_t seq = 2; seq <= 3; seq++) {
            const struct st_write w = event_of(t, seq, "x");
            assert_int_equal(st_submit(a, &w, NULL, NULL, &why), FM_OK);
        }
    st_hold(a, false);
    st_drain(a);
    assert_int_equal(wait_for(&listener[1], ST_WROTE, 1001, PATIENCE), 1001);
    bool told[1010] = {false};
    for (int i = newest(&listener[1], ST_WATCHED) + 1; i < listener[1].n; i++) {
        assert_int_equal(listener[1].news[i].seq, 3);
        assert_false(told[listener[1].news[i].table]);
        told[listener[1].news[i].table] = true;
    }
    const uint64_t sent = st_stats(a).notices_sent - before.notices_sent;
    assert_true(sent >= 1 && sent <= 8);
    assert_int_equal(st_stats(b).notices_heard, st_stats(a).notices_sent);
    assert_int_equal(st_stats(a).notices_heard, 0);
    assert_int_equal(listener[0].n, 0); /* nobody hears itself */
    st_close(a);
    st_close(b);
}

/* As it is when a proxy routes by the table's id: one program has the streams, and keeps it. */
static void nobody_is_told_of_what_only_its_writer_watches(void **state)
{
    (void)state;
    empty_schema();
    struct st_store *a = listening(&listener[0]), *b = listening(&listener[1]);
    struct st_write starts = event_of(1, 2, "starts");
    starts.change.moves = starts.change.keeps = true;
    starts.change.state = ST_PLAYING;
    assert_written(b, new_table(1, "ABC234")); /* made elsewhere */
    watch(a, &listener[0], 1, 1);
    assert_false(listener[0].news[newest(&listener[0], ST_WATCHED)].others);
    assert_written(a, starts);
    for (uint64_t seq = 3; seq < 20; seq++)
        assert_written(a, event_of(1, seq, "x"));
    assert_int_equal(st_stats(a).notices_sent + st_stats(b).notices_sent, 0);
    /* another one joins, and is told of everything from then on; and leaves again */
    const struct st_id id = id_of(1);
    watch(b, &listener[1], 1, 1);
    assert_true(listener[1].news[newest(&listener[1], ST_WATCHED)].others);
    assert_int_equal(listener[1].news[newest(&listener[1], ST_WATCHED)].seq, 19);
    assert_written(a, event_of(1, 20, "x"));
    assert_int_equal(wait_for(&listener[1], ST_WROTE, 1, PATIENCE), 1);
    assert_true(st_watch(b, &id, false));
    assert_true(st_watch(b, &id, true));
    assert_true(st_watch(b, &id, false));
    assert_int_equal(wait_for(&listener[1], ST_WATCHED, 2, PATIENCE), 2);
    wait_for_watchers("1");
    const uint64_t sent = st_stats(a).notices_sent;
    assert_written(a, event_of(1, 21, "x"));
    assert_int_equal(st_stats(a).notices_sent, sent);
    /* the keeper is told, whether it watches or not; until another becomes the keeper */
    assert_written(b, event_of(1, 22, "x"));
    assert_int_equal(wait_for(&listener[0], ST_WROTE, 1, PATIENCE), 1);
    assert_false(listener[0].news[newest(&listener[0], ST_WROTE)].keeps);
    assert_true(st_watch(a, &id, false));
    wait_for_watchers("0");
    struct st_write takes = event_of(1, 23, "takes over");
    takes.change.keeps = true;
    assert_written(b, takes);
    assert_int_equal(wait_for(&listener[0], ST_WROTE, 2, PATIENCE), 2);
    assert_true(listener[0].news[newest(&listener[0], ST_WROTE)].keeps);
    const uint64_t by_b = st_stats(b).notices_sent;
    assert_written(b, event_of(1, 24, "x"));
    assert_int_equal(st_stats(b).notices_sent, by_b);
    st_close(a);
    st_close(b);
}

/* Two programs write and watch at once: none misses an event. */
static void no_write_slips_past_a_new_watcher(void **state)
{
    (void)state;
    empty_schema();
    struct st_store *a = listening(&listener[0]), *b = listening(&listener[1]);
    const struct st_id id = id_of(1);
    assert_written(a, new_table(1, ""));
    uint64_t seq = 1;
    for (int round = 0; round < 50; round++) {
        assert_true(st_watch(b, &id, true));
        for (int i = 0; i < 4; i++)
            assert_written(a, event_of(1, ++seq, "x"));
        /* the answer or a notice names the last event */
        uint64_t known = 0;
        for (long waited = 0; known < seq && waited < PATIENCE; waited += 2) {
            pause_ms(2);
            (void)pthread_mutex_lock(&listener[1].lock);
            for (int i = 0; i < listener[1].n; i++)
                known = listener[1].news[i].seq > known ? listener[1].news[i].seq : known;
            (void)pthread_mutex_unlock(&listener[1].lock);
        }
        assert_int_equal(known, seq);
        assert_true(st_watch(b, &id, false));
        wait_for_watchers("0");
    }
    st_close(a);
    st_close(b);
}

static void a_program_that_is_gone_watches_nothing(void **state)
{
    (void)state;
    empty_schema();
    struct st_store *a = listening(&listener[0]), *b = listening(&listener[1]);
    assert_written(a, new_table(1, ""));
    assert_written(a, new_table(2, ""));
    watch(a, &listener[0], 1, 1);
    watch(b, &listener[1], 1, 2);
    wait_for_watchers("3");
    st_close(b); /* it says so */
    wait_for_watchers("1");
    /* one that is killed says nothing; and one that lives, but was not heard of, is told so */
    b = listening(&listener[1]);
    watch(b, &listener[1], 1, 2);
    (void)sql(
        "UPDATE fathom.tables SET watchers = watchers || '{00000000-0000-0000-0000-000000000009}';"
        "INSERT INTO fathom.nodes VALUES ('00000000-0000-0000-0000-000000000009',"
        " now() - interval '2 min')");
    wait_for_watchers("3");
    (void)sql("DELETE FROM fathom.nodes");
    assert_int_equal(wait_for(&listener[0], ST_MISSED, 1, PATIENCE), 1);
    assert_int_equal(wait_for(&listener[1], ST_MISSED, 1, PATIENCE), 1);
    st_close(a);
    st_close(b);
}

static void what_is_told_reaches_the_other_programs(void **state)
{
    (void)state;
    empty_schema();
    struct st_store *a = listening(&listener[0]), *b = listening(&listener[1]);
    const struct st_id id = id_of(5);
    uint8_t text[ST_MESSAGE_MAX];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (uint8_t)(i * 7);
    st_notify(a, &id, text, sizeof text);
    st_notify(a, &id, NULL, 0);
    for (int i = 0; i < 500; i++)
        st_notify(a, &id, &i, sizeof i);
    assert_int_equal(wait_for(&listener[1], ST_MESSAGE, 502, PATIENCE), 502);
    assert_int_equal(listener[1].news[0].n, sizeof text);
    assert_memory_equal(listener[1].news[0].text, text, sizeof text);
    assert_int_equal(listener[1].news[0].table, 5);
    assert_int_equal(listener[1].news[1].n, 0);
    for (int i = 0; i < 500; i++)
        assert_memory_equal(listener[1].news[2 + i].text, &i, sizeof i);
    assert_true(st_stats(a).notices_sent < 100);
    assert_int_equal(listener[0].n, 0);
    /* nonsense on the channel is passed over */
    (void)sql("SELECT pg_notify('fathom', ''), pg_notify('fathom', 'x'), pg_notify('fathom',"
              " repeat('0', 32) || e'\\nw zz 1\\nq\\nt ' || repeat('0', 32) || e' !!!\\nw '"
              " || repeat('0', 32) || e' 99999999999999999999\\nw ' || repeat('0', 32) || ' 7')");
    assert_int_equal(wait_for(&listener[1], ST_WROTE, 1, PATIENCE), 1);
    assert_int_equal(listener[1].news[502].seq, 7);
    assert_int_equal(listener[1].n, 503);
    st_close(a);
    struct st_store *deaf = open_store(); /* it tells nobody, and does not fail */
    st_notify(deaf, &id, text, sizeof text);
    st_release(deaf);
    st_close(deaf);
    st_close(b);
}

static void a_program_that_may_have_missed_news_is_told(void **state)
{
    (void)state;
    empty_schema();
    struct st_store *a = listening(&listener[0]), *b = listening(&listener[1]);
    for (uint64_t i = 0; i < 3; i++) {
        (void)sql(KILL_ALL);
        assert_int_equal(wait_for(&listener[1], ST_MISSED, (int)i + 1, PATIENCE), i + 1);
        assert_written(a, new_table(i + 1, "")); /* the writer's connection is new as well */
        watch(b, &listener[1], i + 1, 1);
        assert_written(a, event_of(i + 1, 2, "x"));
        assert_int_equal(wait_for(&listener[1], ST_WROTE, (int)i + 1, PATIENCE), i + 1);
    }
    st_close(a);
    st_close(b);
}

static void heads_of_several_tables_are_read_at_once(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    struct st_id ids[4];
    uint64_t seqs[4] = {9, 9, 9, 9};
    assert_written(s, new_table(1, ""));
    assert_written(s, new_table(3, ""));
    assert_written(s, event_of(3, 2, "x"));
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

/* ---- keepers --------------------------------------------------------------------------------- */

static struct st_write playing(uint64_t table, bool keeps)
{
    struct st_write w = new_table(table, "");
    w.change.moves = true;
    w.change.state = ST_PLAYING;
    w.change.keeps = keeps;
    return w;
}

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

static void tables_of_a_dead_keeper_get_another(void **state)
{
    (void)state;
    empty_schema();
    int go[2], kept[2];
    char byte = 'x';
    assert_int_equal(pipe(go), 0);
    assert_int_equal(pipe(kept), 0);
    (void)fflush(NULL);
    const pid_t pid = fork(); /* while there is one thread: the child starts some of its own */
    assert_true(pid >= 0);
    if (pid == 0) { /* keeps many tables, and is killed */
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (read(go[0], &byte, 1) != 1)
            _exit(1);
        struct st_store *a = listening(&listener[0]);
        for (uint64_t t = 1; t <= 250; t++) {
            const struct st_write w = playing(t, true);
            if (st_submit(a, &w, NULL, NULL, &why) != FM_OK)
                _exit(1);
        }
        st_drain(a);
        pause_ms(1500);
        if (write(kept[1], "x", 1) != 1)
            _exit(1);
        for (;;)
            (void)pause();
    }
    struct st_store *b = listening(&listener[1]);
    assert_int_equal(write(go[1], &byte, 1), 1);
    (void)close(kept[1]);
    const bool is_kept = read(kept[0], &byte, 1) == 1;
    (void)close(kept[0]);
    (void)close(go[0]);
    (void)close(go[1]);
    assert_true(is_kept);
    assert_int_equal(heard(&listener[1], ST_KEEP), 0); /* not while it lives */
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    const uint64_t start = st__pg_now_ms();
    assert_kept(&listener[1], 1, 250, PATIENCE);
    print_message("# kept by another after %d ms\n", (int)(st__pg_now_ms() - start));
    assert_int_equal(listener[1].news[listener[1].n - 1].seq, 1);
    pause_ms(1200);
    assert_int_equal(heard(&listener[1], ST_KEEP), 250); /* once */
    st_close(b);
}

static void a_keeper_that_leaves_is_replaced_at_once(void **state)
{
    (void)state;
    empty_schema();
    struct st_store *a = listening(&listener[0]), *b = listening(&listener[1]);
    assert_written(a, playing(1, true));
    assert_written(a, playing(2, true));
    assert_written(a, event_of(2, 2, "x"));
    assert_written(a, new_table(3, "")); /* not in play: nobody's */
    assert_written(b, playing(4, true));
    st_release(a);
    assert_kept(&listener[1], 1, 2, tests_slowed(900));
    assert_int_equal(heard(&listener[0], ST_KEEP), 0);
    assert_written(a, event_of(1, 2, "it may still write"));
    struct st_write w = event_of(2, 3, "x");
    w.change.keeps = true; /* and wants it back; but it goes */
    assert_written(a, w);
    assert_int_equal(wait_for(&listener[1], ST_KEEP, 3, PATIENCE), 3);
    st_close(a);
    st_close(b);
}

/* The answer that named it as keeper may have been lost with the connection. */
static void a_program_that_reconnects_is_told_what_it_keeps(void **state)
{
    (void)state;
    empty_schema();
    struct st_store *a = listening(&listener[0]), *b = listening(&listener[1]);
    assert_written(a, playing(1, true));
    assert_written(a, playing(2, true));
    assert_written(a, new_table(3, ""));
    assert_written(b, playing(4, true));
    (void)sql(KILL_ALL);
    assert_kept(&listener[0], 1, 2, PATIENCE);
    assert_kept(&listener[1], 4, 1, PATIENCE);
    st_close(a);
    st_close(b);
}

static void a_table_without_a_keeper_gets_one(void **state)
{
    (void)state;
    struct st_store *s = fresh_store(); /* does not listen, so it cannot be a keeper for long */
    assert_written(s, playing(1, true));
    assert_written(s, playing(2, false));
    st_close(s);
    s = listening(&listener[0]);
    assert_kept(&listener[0], 1, 2, PATIENCE);
    st_close(s);
}

static void an_overdue_table_gets_another_keeper(void **state)
{
    (void)state;
    empty_schema();
    struct st_store *a = listening(&listener[0]), *b = listening(&listener[1]);
    struct st_write late = playing(1, true), waits = new_table(2, ""), later = playing(3, true);
    late.change.times = waits.change.times = later.change.times = true;
    late.change.deadline_ms = waits.change.deadline_ms = 1000; /* long ago */
    later.change.deadline_ms = (uint64_t)time(NULL) * 1000 + 60000;
    assert_written(a, late);
    assert_written(a, waits);
    assert_written(a, later);
    for (long waited = 0;
         heard(&listener[0], ST_KEEP) + heard(&listener[1], ST_KEEP) == 0 && waited < PATIENCE;
         waited += 10)
        pause_ms(10);
    assert_kept(heard(&listener[0], ST_KEEP) > 0 ? &listener[0] : &listener[1], 1, 1, 0);
    /* handed on only if nothing comes of it: not each second, by both */
    const uint64_t start = st__pg_now_ms();
    pause_ms(1300);
    const int more = heard(&listener[0], ST_KEEP) + heard(&listener[1], ST_KEEP) - 1;
    assert_true((uint64_t)more <= (st__pg_now_ms() - start) / 2000);
    st_close(a);
    st_close(b);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(programs_that_watch_a_table_hear_of_writes),
    cmocka_unit_test(nobody_is_told_of_what_only_its_writer_watches),
    cmocka_unit_test(no_write_slips_past_a_new_watcher),
    cmocka_unit_test(a_program_that_is_gone_watches_nothing),
    cmocka_unit_test(what_is_told_reaches_the_other_programs),
    cmocka_unit_test(a_program_that_may_have_missed_news_is_told),
    cmocka_unit_test(heads_of_several_tables_are_read_at_once),
    cmocka_unit_test(tables_of_a_dead_keeper_get_another),
    cmocka_unit_test(a_keeper_that_leaves_is_replaced_at_once),
    cmocka_unit_test(a_program_that_reconnects_is_told_what_it_keeps),
    cmocka_unit_test(a_table_without_a_keeper_gets_one),
    cmocka_unit_test(an_overdue_table_gets_another_keeper),
};
const struct tests_group postgres_news = TESTS_GROUP(tests);
