/*
 * conform_find.c: on every back end, tables are found by code, token, deadline and state, and their
 * records are kept beside them.
 */
#include "store/conform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void a_code_belongs_to_one_table_until_it_is_over(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    assert_written(s, new_table(1, "ABC234"));
    assert_refused(s, new_table(2, "ABC234"));
    assert_int_equal(last_seq(s, 2), 0);
    assert_written(s, new_table(2, "abc234")); /* compared as given */
    assert_written(s, move_to(1, 2, ST_PLAYING));
    assert_refused(s, new_table(3, "ABC234"));
    assert_int_equal(found_by_code(s, "ABC234"), 1);
    assert_written(s, move_to(1, 3, ST_OVER));
    assert_int_equal(found_by_code(s, "ABC234"), 0);
    assert_written(s, move_to(1, 4, ST_CLOSED));
    assert_int_equal(found_by_code(s, "ABC234"), 0);
    assert_string_equal(table_of(s, 1).code, "ABC234");
    assert_written(s, event_of(1, 5, "+closed"));
    assert_log(s, 1, "new++++closed");
    assert_written(s, new_table(3, "ABC234"));
    assert_int_equal(found_by_code(s, "ABC234"), 3);
    assert_refused(s, move_to(1, 6, ST_WAITING)); /* its code is another's now */
    assert_int_equal(table_of(s, 1).state, ST_CLOSED);
    assert_int_equal(last_seq(s, 1), 5);
    assert_written(s, move_to(3, 2, ST_CLOSED));
    assert_written(s, move_to(1, 6, ST_WAITING));
    assert_int_equal(found_by_code(s, "ABC234"), 1);
    assert_int_equal(found_by_code(s, "abc234"), 2);
    st_close(s);
}

static void tables_may_have_no_code(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    for (uint64_t t = 1; t <= 3; t++)
        assert_written(s, new_table(t, ""));
    struct st_table t;
    assert_int_equal(st_find_code(s, "", &t, &why), FM_E_NO_TABLE);
    assert_string_equal(table_of(s, 2).code, "");
    assert_written(s, new_table(4, "A")); /* nor six letters */
    assert_int_equal(found_by_code(s, "A"), 4);
    st_close(s);
}

static void a_token_is_found_in_its_table(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    struct st_token tokens[ST_TOKENS_MAX], found;
    memset(tokens, 0, sizeof tokens);
    for (uint8_t i = 0; i < ST_TOKENS_MAX; i++) {
        tokens[i].hash[31] = i;
        tokens[i].role = (uint8_t)(200 + i);
        tokens[i].seat = i;
    }
    struct st_write w = new_table(1, "ABC234");
    w.change.tokens = tokens;
    w.change.n_tokens = ST_TOKENS_MAX - 1;
    assert_written(s, w);
    const struct st_id one = id_of(1), two = id_of(2);
    for (int i = 0; i < ST_TOKENS_MAX - 1; i++) {
        assert_int_equal(st_find_token(s, &one, tokens[i].hash, &found, &why), FM_OK);
        assert_memory_equal(&found, &tokens[i], sizeof found);
        assert_int_equal(st_find_token(s, &two, tokens[i].hash, &found, &why), FM_E_NO_TABLE);
    }
    /* a later write brings another one; with one that is taken nothing of it is kept */
    w = event_of(1, 2, "x");
    w.change = (struct st_change){.tokens = &tokens[ST_TOKENS_MAX - 2],
                                  .n_tokens = 2,
                                  .times = true,
                                  .deadline_ms = 9,
                                  .moves = true,
                                  .state = ST_PLAYING,
                                  .record = "r",
                                  .record_n = 1};
    assert_refused(s, w);
    assert_int_equal(last_seq(s, 1), 1);
    assert_int_equal(table_of(s, 1).deadline_ms, 0);
    assert_int_equal(table_of(s, 1).state, ST_WAITING);
    assert_int_equal(st_find_token(s, &one, tokens[ST_TOKENS_MAX - 1].hash, &found, &why),
                     FM_E_NO_TABLE);
    char *text;
    size_t n;
    assert_int_equal(st_read_record(s, &one, &text, &n, &why), FM_E_NO_TABLE);
    w.change = (struct st_change){.tokens = &tokens[ST_TOKENS_MAX - 1], .n_tokens = 1};
    assert_written(s, w);
    assert_int_equal(st_find_token(s, &one, tokens[ST_TOKENS_MAX - 1].hash, &found, &why), FM_OK);
    /* twice in one write; and at another table, where it means something else */
    tokens[1] = tokens[0];
    w = new_table(2, "OTHER2");
    w.change.tokens = tokens;
    w.change.n_tokens = 2;
    assert_refused(s, w);
    assert_int_equal(last_seq(s, 2), 0);
    assert_int_equal(found_by_code(s, "OTHER2"), 0);
    w.change.n_tokens = 1;
    assert_written(s, w);
    assert_int_equal(st_find_token(s, &two, tokens[0].hash, &found, &why), FM_OK);
    st_close(s);
}

static void a_record_is_kept_beside_its_table(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    const struct st_id id = id_of(1);
    char *text, *large = malloc(ST_RECORD_MAX);
    size_t n;
    assert_non_null(large);
    assert_written(s, new_table(1, "ABC234"));
    assert_int_equal(st_read_record(s, &id, &text, &n, &why), FM_E_NO_TABLE);
    struct st_write w = move_to(1, 2, ST_OVER);
    w.change.record = "";
    assert_written(s, w); /* an empty one is one */
    assert_int_equal(st_read_record(s, &id, &text, &n, &why), FM_OK);
    assert_int_equal(n, 0);
    assert_string_equal(text, "");
    free(text);
    for (size_t i = 0; i < ST_RECORD_MAX; i++)
        large[i] = (char)(i * 13 % 251);
    w = event_of(1, 3, "x");
    w.change.record = large;
    w.change.record_n = ST_RECORD_MAX;
    assert_written(s, w); /* the last one counts */
    assert_written(s, event_of(1, 4, "x"));
    assert_int_equal(st_read_record(s, &id, &text, &n, &why), FM_OK);
    assert_int_equal(n, ST_RECORD_MAX);
    assert_memory_equal(text, large, n);
    assert_int_equal(text[n], 0);
    free(text);
    free(large);
    st_close(s);
}

/* Whatever starts or ends a game goes with other writes, and one that is refused spoils none. */
static void one_group_starts_and_ends_games(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    assert_written(s, new_table(1, "ENDS22"));
    assert_written(s, new_table(2, "LATE22"));
    assert_written(s, new_table(3, "BACK22"));
    assert_written(s, move_to(3, 2, ST_OVER));
    assert_written(s, new_table(4, ""));
    struct st_write writes[] = {move_to(1, 2, ST_OVER),    move_to(2, 3, ST_OVER),
                                move_to(3, 3, ST_PLAYING), move_to(4, 2, ST_PLAYING),
                                new_table(5, ""),          event_of(6, 2, "x")};
    const enum fm_err expected[] = {FM_OK, FM_E_CONFLICT, FM_OK, FM_OK, FM_OK, FM_E_CONFLICT};
    struct answer answers[6];
    writes[0].change.record = writes[1].change.record = "record";
    writes[0].change.record_n = writes[1].change.record_n = 6;
    writes[3].change.keeps = true;
    st_hold(s, true);
    for (size_t i = 0; i < 6; i++) {
        (void)sem_init(&answers[i].told, 0, 0);
        assert_int_equal(st_submit(s, &writes[i], on_answer, &answers[i], &why), FM_OK);
    }
    st_hold(s, false);
    st_drain(s);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(answers[i].err, expected[i]);
        (void)sem_destroy(&answers[i].told);
    }
    char *text;
    size_t n;
    assert_int_equal(st_read_record(s, &writes[0].table, &text, &n, &why), FM_OK);
    assert_string_equal(text, "record");
    free(text);
    assert_int_equal(st_read_record(s, &writes[1].table, &text, &n, &why), FM_E_NO_TABLE);
    assert_int_equal(found_by_code(s, "ENDS22"), 0);
    assert_int_equal(found_by_code(s, "LATE22"), 2);
    assert_int_equal(found_by_code(s, "BACK22"), 3); /* its game goes on */
    const uint8_t states[] = {ST_OVER, ST_WAITING, ST_PLAYING, ST_PLAYING, ST_WAITING};
    const uint64_t events[] = {2, 1, 3, 2, 1};
    for (uint64_t t = 1; t <= 5; t++) {
        assert_int_equal(table_of(s, t).state, states[t - 1]);
        assert_whole_log(s, t, events[t - 1]);
    }
    st_close(s);
}

/* ---- deadlines and lists --------------------------------------------------------------------- */

static struct st_write deadline(uint64_t table, uint64_t seq, uint64_t ms)
{
    struct st_write w = seq == 1 ? new_table(table, "") : event_of(table, seq, "x");
    w.change.times = true;
    w.change.deadline_ms = ms;
    return w;
}

static void assert_tables(const struct st_table *found, size_t n, const char *expected)
{
    char text[256] = "";
    for (size_t i = 0; i < n; i++) {
        uint64_t table;
        memcpy(&table, found[i].id.bytes + 8, sizeof table);
        const struct st_id id = id_of(table);
        assert_memory_equal(found[i].id.bytes, id.bytes, ST_ID_BYTES);
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d", i == 0 ? "" : " ",
                       (int)table);
    }
    assert_string_equal(text, expected);
}

static void assert_due(struct st_store *s, uint64_t now, size_t max, const char *expected)
{
    struct st_table t[16];
    size_t n;
    assert_int_equal(st_list_due(s, now, t, max, &n, &why), FM_OK);
    assert_tables(t, n, expected);
}

static void deadlines_come_the_earliest_first(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    assert_due(s, UINT64_MAX, 16, "");
    assert_written(s, deadline(1, 1, 3000));
    assert_written(s, deadline(2, 1, 1000));
    assert_written(s, deadline(3, 1, 2000));
    assert_written(s, deadline(4, 1, 0)); /* none */
    assert_written(s, new_table(5, ""));
    assert_due(s, 0, 16, "");
    assert_due(s, 999, 16, "");
    assert_due(s, 1000, 16, "2");
    assert_due(s, 2500, 16, "2 3");
    assert_due(s, UINT64_MAX, 16, "2 3 1");
    assert_due(s, UINT64_MAX, 2, "2 3");
    assert_due(s, UINT64_MAX, 0, "");
    assert_written(s, event_of(2, 2, "its deadline stays"));
    assert_due(s, 1000, 16, "2");
    assert_written(s, deadline(2, 3, 5000)); /* changed */
    assert_due(s, UINT64_MAX, 16, "3 1 2");
    assert_written(s, deadline(3, 2, 0)); /* cleared */
    assert_due(s, UINT64_MAX, 16, "1 2");
    assert_written(s, deadline(5, 2, 1)); /* set */
    assert_due(s, UINT64_MAX, 16, "5 1 2");
    assert_refused(s, deadline(5, 2, 9999));
    assert_written(s, move_to(1, 2, ST_PLAYING)); /* a move leaves the deadline alone */
    assert_due(s, 4000, 16, "5 1");
    assert_written(s, move_to(1, 3, ST_CLOSED));
    assert_due(s, UINT64_MAX, 16, "5 2");
    s = reopen(s);
    assert_due(s, UINT64_MAX, 16, "5 2");
    struct st_table t;
    size_t n;
    assert_int_equal(st_list_due(s, 1, &t, 1, &n, &why), FM_OK);
    assert_int_equal(t.deadline_ms, 1);
    assert_int_equal(t.last_seq, 2);
    st_close(s);
}

static void assert_waiting(struct st_store *s, size_t max, const char *expected)
{
    struct st_table t[16];
    size_t n;
    assert_int_equal(st_list_waiting(s, t, max, &n, &why), FM_OK);
    for (size_t i = 0; i < n; i++)
        assert_true(t[i].listed && t[i].state == ST_WAITING);
    assert_tables(t, n, expected);
}

static void assert_state(struct st_store *s, enum st_state which, size_t max, const char *expected)
{
    struct st_table t[16];
    size_t n;
    assert_int_equal(st_list_state(s, (uint8_t)which, t, max, &n, &why), FM_OK);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(t[i].state, which);
    assert_tables(t, n, expected);
}

static void lists_give_the_newest_first(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    assert_waiting(s, 16, "");
    assert_state(s, ST_WAITING, 16, "");
    for (uint64_t t = 1; t <= 6; t++) {
        struct st_write w = new_table(t, "");
        w.change.listed = t != 2;
        w.change.moves = t == 5; /* some begin elsewhere */
        w.change.state = ST_PLAYING;
        assert_written(s, w);
    }
    assert_waiting(s, 16, "6 4 3 1");
    assert_waiting(s, 2, "6 4");
    assert_waiting(s, 0, "");
    assert_state(s, ST_WAITING, 16, "6 4 3 2 1");
    assert_state(s, ST_WAITING, 3, "6 4 3");
    assert_state(s, ST_PLAYING, 16, "5");
    assert_written(s, move_to(4, 2, ST_PLAYING));
    assert_written(s, move_to(1, 2, ST_OVER));
    assert_written(s, move_to(2, 2, ST_CLOSED));
    assert_written(s, event_of(3, 2, "x")); /* moves nothing */
    assert_waiting(s, 16, "6 3");
    assert_state(s, ST_PLAYING, 16, "5 4");
    assert_state(s, ST_OVER, 16, "1");
    assert_state(s, ST_CLOSED, 16, "2");
    assert_state(s, ST_CLOSED + 1, 16, "");
    assert_written(s, move_to(1, 3, ST_WAITING)); /* for a rematch */
    s = reopen(s);
    assert_waiting(s, 16, "6 3 1");
    assert_state(s, ST_OVER, 16, "");
    st_close(s);
}

struct walk {
    struct st_store *s;
    struct st_table tables[16];
    int n, stop_at, n_tokens;
    unsigned seats; /* bits */
};

static bool on_token(void *arg, const struct st_token *token)
{
    struct walk *w = arg;
    assert_int_equal(token->hash[0], token->seat + 1);
    assert_int_equal(token->role, 7);
    w->seats |= 1u << token->seat;
    return ++w->n_tokens != w->stop_at;
}

static bool on_table(void *arg, const struct st_table *table)
{
    struct walk *w = arg;
    assert_int_equal(last_seq(w->s, (uint64_t)w->n + 1), table->last_seq); /* a read within */
    w->tables[w->n++] = *table;
    return w->n != w->stop_at;
}

static void all_tables_and_tokens_can_be_listed(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    struct walk w = {.s = s};
    assert_int_equal(st_each_table(s, on_table, &w, &why), FM_OK);
    assert_int_equal(w.n, 0);
    struct st_token tokens[3];
    memset(tokens, 0, sizeof tokens);
    for (uint8_t i = 0; i < 3; i++)
        tokens[i] = (struct st_token){.hash = {(uint8_t)(i + 1)}, .role = 7, .seat = i};
    for (uint64_t t = 1; t <= 5; t++) {
        struct st_write one = new_table(t, t == 2 ? "CODE22" : "");
        one.change.listed = t == 3;
        one.change.tokens = tokens;
        one.change.n_tokens = t == 4 ? 3 : 0;
        assert_written(s, one);
    }
    assert_written(s, deadline(5, 2, 777));
    assert_written(s, move_to(1, 2, ST_CLOSED));
    assert_int_equal(st_each_table(s, on_table, &w, &why), FM_OK);
    assert_tables(w.tables, (size_t)w.n, "1 2 3 4 5");
    assert_int_equal(w.tables[0].state, ST_CLOSED);
    assert_string_equal(w.tables[1].code, "CODE22");
    assert_true(w.tables[2].listed);
    assert_int_equal(w.tables[4].deadline_ms, 777);
    w.n = 0;
    w.stop_at = 2;
    assert_int_equal(st_each_table(s, on_table, &w, &why), FM_OK);
    assert_tables(w.tables, (size_t)w.n, "1 2");
    const struct st_id four = id_of(4), three = id_of(3);
    assert_int_equal(st_each_token(s, &four, on_token, &w, &why), FM_OK);
    assert_int_equal(w.n_tokens, 2);
    w = (struct walk){.s = s};
    assert_int_equal(st_each_token(s, &four, on_token, &w, &why), FM_OK);
    assert_int_equal(w.n_tokens, 3);
    assert_int_equal(w.seats, 7);
    assert_int_equal(st_each_token(s, &three, on_token, &w, &why), FM_OK);
    assert_int_equal(w.n_tokens, 3);
    st_close(s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_code_belongs_to_one_table_until_it_is_over),
    cmocka_unit_test(tables_may_have_no_code),
    cmocka_unit_test(a_token_is_found_in_its_table),
    cmocka_unit_test(a_record_is_kept_beside_its_table),
    cmocka_unit_test(one_group_starts_and_ends_games),
    cmocka_unit_test(deadlines_come_the_earliest_first),
    cmocka_unit_test(lists_give_the_newest_first),
    cmocka_unit_test(all_tables_and_tokens_can_be_listed),
};
const struct tests_group conform_find = TESTS_GROUP(tests);
