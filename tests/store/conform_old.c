/* conform_old.c: on every back end, old tables are found, removed and rewritten. */
#include "store/conform.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct st_write removal_of(uint64_t table, uint64_t seq)
{
    struct st_write w = event_of(table, seq, NULL);
    w.change.removes = true;
    return w;
}

/* A table with a code, tokens, a record, and four events. */
void put_finished(struct st_store *s, uint64_t table, const char *code)
{
    static const struct st_token tokens[] = {{{1}, 1, 0}, {{2}, 2, 3}};
    struct st_write w = new_table(table, code);
    w.change.tokens = tokens;
    w.change.n_tokens = 2;
    assert_written(s, w);
    assert_written(s, move_to(table, 2, ST_PLAYING));
    assert_written(s, event_of(table, 3, "a note that somebody wrote"));
    w = move_to(table, 4, ST_OVER);
    w.change.record = "record";
    w.change.record_n = 6;
    assert_written(s, w);
}

size_t count_old(struct st_store *s, uint8_t state, uint64_t age_s, bool untrimmed)
{
    const struct st_old_query query = {.state = state, .age_s = age_s, .untrimmed = untrimmed};
    struct st_old old[7];
    size_t total = 0;
    for (uint64_t at = 0; at != ST_OLD_ALL;) {
        size_t n;
        const uint64_t before = at;
        assert_int_equal(st_list_old(s, &query, &at, old, 7, &n, &why), FM_OK);
        assert_true(at > before);
        total += n;
    }
    return total;
}

/* ---- finding --------------------------------------------------------------------------------- */

static void W03_what_is_old_is_found_in_small_steps(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    const struct st_old_query query = {.state = ST_WAITING};
    struct st_old old[5];
    uint64_t at = 0;
    size_t n;
    assert_int_equal(st_list_old(s, &query, &at, old, 5, &n, &why), FM_OK);
    assert_int_equal(n, 0);
    assert_true(at == ST_OLD_ALL);
    st_hold(s, true);
    for (uint64_t t = 1; t <= 600; t++) {
        const struct st_write w = new_table(t, "");
        assert_int_equal(st_submit(s, &w, NULL, NULL, &why), FM_OK);
    }
    st_hold(s, false);
    st_drain(s);
    assert_written(s, move_to(300, 2, ST_PLAYING));
    assert_int_equal(count_old(s, ST_WAITING, 0, false), 599);
    assert_int_equal(count_old(s, ST_PLAYING, 0, false), 1);
    assert_int_equal(count_old(s, ST_OVER, 0, false), 0);
    assert_int_equal(count_old(s, ST_WAITING, 100000, false), 0); /* it is not so long ago */
    at = 0;
    assert_int_equal(st_list_old(s, &query, &at, old, 5, &n, &why), FM_OK);
    assert_int_equal(n, 5);
    for (uint64_t i = 0; i < 5; i++) { /* the oldest first */
        const struct st_id id = id_of(i + 1);
        assert_memory_equal(old[i].table.id.bytes, id.bytes, ST_ID_BYTES);
        assert_int_equal(old[i].table.last_seq, 1);
        assert_int_equal(old[i].bytes, 3); /* "new" */
        assert_true(old[i].age_s < 1000);
    }
    st_close(s);
}

/* ---- removing -------------------------------------------------------------------------------- */

static void assert_gone(struct st_store *s, uint64_t table)
{
    const struct st_id id = id_of(table);
    struct st_table t;
    struct st_token token;
    char *text;
    size_t n;
    assert_int_equal(st_find_table(s, &id, &t, &why), FM_E_NO_TABLE);
    assert_int_equal(st_read_log(s, &id, 1, NULL, NULL, &why), FM_E_NO_TABLE);
    assert_int_equal(st_find_token(s, &id, (const uint8_t[ST_HASH_BYTES]){1}, &token, &why),
                     FM_E_NO_TABLE);
    assert_int_equal(st_read_record(s, &id, &text, &n, &why), FM_E_NO_TABLE);
}

static void W03_of_a_table_that_is_removed_nothing_remains(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    put_finished(s, 1, "ABC234");
    put_finished(s, 2, "DEF567");
    assert_written(s, new_table(3, "GHJ234"));
    assert_written(s, removal_of(1, 5));
    assert_written(s, removal_of(3, 2));
    assert_gone(s, 1);
    assert_gone(s, 3);
    assert_whole_log(s, 2, 4); /* its neighbour has everything */
    assert_int_equal(count_old(s, ST_OVER, 0, false), 1);
    assert_written(s, new_table(4, "GHJ234")); /* its code is free */
    assert_written(s, new_table(1, ""));       /* nothing is left that the id could meet */
    assert_whole_log(s, 1, 1);
    st_close(s);
}

static void W03_a_removal_and_an_event_cannot_both_succeed(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    assert_written(s, new_table(1, ""));
    assert_written(s, event_of(1, 2, "a visitor came meanwhile"));
    assert_int_equal(write_now(s, removal_of(1, 2)), FM_E_CONFLICT);
    assert_whole_log(s, 1, 2);
    assert_written(s, removal_of(1, 3));
    assert_int_equal(write_now(s, event_of(1, 3, "too late")), FM_E_CONFLICT);
    assert_int_equal(write_now(s, removal_of(1, 3)), FM_E_CONFLICT);
    assert_gone(s, 1);
    struct st_write both = removal_of(1, 3);
    both.change.moves = true;
    assert_int_equal(st_submit(s, &both, NULL, NULL, &why), FM_E_VALUE);
    st_close(s);
}

static void W03_a_code_is_free_once_its_table_is_over(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    struct st_table t;
    put_finished(s, 1, "ABC234");
    assert_int_equal(st_find_code(s, "ABC234", &t, &why), FM_E_NO_TABLE);
    assert_written(s, new_table(2, "ABC234"));
    assert_int_equal(write_now(s, new_table(3, "ABC234")), FM_E_CONFLICT);
    assert_written(s, removal_of(1, 5)); /* takes nobody's code away */
    assert_int_equal(st_find_code(s, "ABC234", &t, &why), FM_OK);
    const struct st_id second = id_of(2);
    assert_memory_equal(t.id.bytes, second.bytes, ST_ID_BYTES);
    st_close(s);
}

static atomic_uint told, removed;

static void on_told(void *arg, enum fm_err err, const struct fm_fault *fault)
{
    (void)fault;
    if (err == FM_OK)
        atomic_fetch_add((atomic_uint *)arg, 1);
}

/* Moves of one table while a thousand others go: every one is told, and in order. */
static void W03_moves_go_on_while_tables_are_removed(void **state)
{
    (void)state;
    enum { TABLES = TESTS_SANITIZED ? 100 : 1000, MOVES = TABLES };
    struct st_store *s = fresh_store();
    struct st_write w = {.seq = 0};
    st_hold(s, true);
    for (uint64_t t = 1; t <= TABLES; t++) {
        w = new_table(t, "");
        assert_int_equal(st_submit(s, &w, NULL, NULL, &why), FM_OK);
    }
    st_hold(s, false);
    assert_written(s, new_table(TABLES + 1, ""));
    atomic_store(&told, 0);
    atomic_store(&removed, 0);
    for (uint64_t i = 1; i <= MOVES; i++) {
        w = event_of(TABLES + 1, i + 1, "move");
        assert_int_equal(st_submit(s, &w, on_told, &told, &why), FM_OK);
        w = removal_of(i, 2);
        assert_int_equal(st_submit(s, &w, on_told, &removed, &why), FM_OK);
    }
    st_drain(s);
    assert_int_equal(atomic_load(&told), MOVES);
    assert_int_equal(atomic_load(&removed), TABLES);
    assert_whole_log(s, TABLES + 1, MOVES + 1);
    assert_int_equal(count_old(s, ST_WAITING, 0, false), 1);
    st_close(s);
}

/* ---- rewriting ------------------------------------------------------------------------------- */

static bool gather(void *arg, uint64_t seq, const void *event, size_t n)
{
    char *text = arg;
    const size_t has = strlen(text);
    (void)seq;
    (void)snprintf(text + has, 256 - has, "%.*s|", (int)n, (const char *)event);
    return true;
}

static void assert_says(struct st_store *s, uint64_t table, const char *says)
{
    const struct st_id id = id_of(table);
    char text[256] = "";
    assert_int_equal(st_read_log(s, &id, 1, gather, text, &why), FM_OK);
    assert_string_equal(text, says);
}

static enum fm_err rewrite(struct st_store *s, struct st_id table, uint64_t last_seq,
                           const struct st_event *event)
{
    const struct st_rewriting r = {table, last_seq, event, event != NULL, true};
    return st_rewrite(s, &r, &why);
}

static void W03_events_of_a_finished_table_are_rewritten_in_place(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    const struct st_id one = id_of(1), two = id_of(2), none = id_of(9);
    const struct st_event blank = {3, "blank", 5};
    put_finished(s, 1, "");
    assert_written(s, new_table(2, ""));
    assert_written(s, move_to(2, 2, ST_PLAYING));
    assert_written(s, event_of(2, 3, "secret"));
    assert_int_equal(count_old(s, ST_OVER, 0, true), 1);
    assert_int_equal(rewrite(s, one, 3, &blank), FM_E_CONFLICT);
    assert_int_equal(rewrite(s, two, 3, &blank), FM_E_CONFLICT); /* it is in play */
    assert_int_equal(rewrite(s, none, 3, &blank), FM_E_NO_TABLE);
    assert_says(s, 1, "new|+|a note that somebody wrote|+|");
    assert_says(s, 2, "new|+|secret|");
    const struct st_rewriting part = {one, 4, &blank, 1, false};
    assert_int_equal(st_rewrite(s, &part, &why), FM_OK);
    assert_says(s, 1, "new|+|blank|+|");
    assert_int_equal(count_old(s, ST_OVER, 0, true), 1); /* there is more to do */
    assert_int_equal(rewrite(s, one, 4, &blank), FM_OK);
    assert_says(s, 1, "new|+|blank|+|");
    assert_whole_log(s, 1, 4);
    assert_int_equal(count_old(s, ST_OVER, 0, true), 0); /* not looked at again ... */
    assert_int_equal(count_old(s, ST_OVER, 0, false), 1);
    assert_written(s, event_of(1, 5, "one more"));
    assert_int_equal(count_old(s, ST_OVER, 0, true), 1); /* ... before there is something new */
    assert_int_equal(rewrite(s, one, 5, NULL), FM_OK);
    assert_int_equal(count_old(s, ST_OVER, 0, true), 0);
    st_close(s);
    s = store_kind.open();
    assert_non_null(s);
    assert_says(s, 1, "new|+|blank|+|one more|");
    st_close(s);
}

static void W03_one_program_prunes_a_shared_store_at_a_time(void **state)
{
    (void)state;
    struct st_store *a = fresh_store(), *b = store_kind.open();
    assert_non_null(b);
    assert_int_equal(st_prune_begin(a, &why), FM_OK);
    assert_int_equal(st_prune_begin(b, &why), st_shared(b) ? FM_E_BUSY : FM_OK);
    put_finished(a, 1, "");
    const struct st_id one = id_of(1);
    assert_int_equal(rewrite(a, one, 4, NULL), FM_OK);
    st_prune_end(a);
    enum fm_err err = FM_E_BUSY; /* the database lets go of it in its own time */
    for (int tries = 0; err == FM_E_BUSY && tries < 1000; tries++)
        err = st_prune_begin(b, &why);
    assert_int_equal(err, FM_OK);
    st_close(b); /* as does a program that ends in the middle */
    err = FM_E_BUSY;
    for (int tries = 0; err == FM_E_BUSY && tries < 1000; tries++)
        err = st_prune_begin(a, &why);
    assert_int_equal(err, FM_OK);
    st_prune_end(a);
    st_close(a);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(W03_what_is_old_is_found_in_small_steps),
    cmocka_unit_test(W03_of_a_table_that_is_removed_nothing_remains),
    cmocka_unit_test(W03_a_removal_and_an_event_cannot_both_succeed),
    cmocka_unit_test(W03_a_code_is_free_once_its_table_is_over),
    cmocka_unit_test(W03_moves_go_on_while_tables_are_removed),
    cmocka_unit_test(W03_events_of_a_finished_table_are_rewritten_in_place),
    cmocka_unit_test(W03_one_program_prunes_a_shared_store_at_a_time),
};
const struct tests_group conform_old = TESTS_GROUP(tests);
