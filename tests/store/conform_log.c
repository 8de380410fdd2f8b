/* conform_log.c: on every back end, a table is exactly the events that were written to its log. */
#include "store/conform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void a_table_is_what_its_log_says(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    assert_written(s, new_table(1, "ABC234"));
    assert_written(s, event_of(1, 2, "+two"));
    assert_written(s, event_of(1, 3, "+three"));
    assert_log(s, 1, "new+two+three");
    assert_string_equal(read_from(s, 1, 2, 0).text, "+two+three");
    assert_string_equal(read_from(s, 1, 0, 0).text, "new+two+three");
    assert_string_equal(read_from(s, 1, 2, 2).text, "+two");
    assert_string_equal(read_from(s, 1, 4, 0).text, "");
    assert_string_equal(read_from(s, 1, UINT64_MAX, 0).text, "");
    const struct st_table t = table_of(s, 1);
    assert_string_equal(t.code, "ABC234");
    assert_false(t.listed);
    assert_int_equal(t.state, ST_WAITING);
    assert_int_equal(t.deadline_ms, 0);
    assert_int_equal(t.last_seq, 3);
    st_close(s);
}

static void what_was_never_written_is_not_found(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    struct st_table t;
    struct st_token token;
    static const uint8_t hash[ST_HASH_BYTES] = {1};
    char *text;
    size_t n;
    for (int i = 0; i < 2; i++) { /* in an empty store; then beside another table */
        const struct st_id id = id_of(7);
        assert_int_equal(st_read_log(s, &id, 1, collect_event, NULL, &why), FM_E_NO_TABLE);
        assert_int_equal(why.code, FM_E_NO_TABLE);
        assert_int_equal(st_find_table(s, &id, &t, &why), FM_E_NO_TABLE);
        assert_int_equal(st_find_token(s, &id, hash, &token, &why), FM_E_NO_TABLE);
        assert_int_equal(st_read_record(s, &id, &text, &n, &why), FM_E_NO_TABLE);
        assert_int_equal(st_find_code(s, "ABCDEF", &t, &why), FM_E_NO_TABLE);
        assert_int_equal(st_find_code(s, "", &t, &why), FM_E_NO_TABLE);
        assert_int_equal(st_find_code(s, "ABC2345", &t, &why), FM_E_NO_TABLE);
        assert_int_equal(st_find_code(s, "abc234", &t, &why), FM_E_NO_TABLE); /* as given */
        assert_int_equal(st_find_code(s, "ABC23", &t, &why), FM_E_NO_TABLE);
        assert_int_equal(st_find_code(s, NULL, &t, &why), FM_E_NO_TABLE);
        assert_refused(s, event_of(7, 1, "without creating it"));
        assert_refused(s, event_of(7, 2, "without a table"));
        if (i == 0)
            assert_written(s, new_table(1, "ABC234"));
    }
    st_close(s);
}

static void a_log_has_no_gap_and_no_event_twice(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    assert_written(s, new_table(1, "ABC234"));
    assert_refused(s, event_of(1, 3, "gap"));
    assert_refused(s, event_of(1, INT64_MAX, "gap"));
    assert_refused(s, event_of(1, 1, "twice"));
    assert_refused(s, new_table(1, "OTHER2"));
    assert_refused(s, new_table(1, "ABC234"));
    assert_written(s, event_of(1, 2, "+two"));
    assert_refused(s, event_of(1, 2, "twice"));
    assert_refused(s, event_of(1, 1, "twice"));
    assert_refused(s, event_of(1, 4, "gap"));
    assert_log(s, 1, "new+two");
    assert_int_equal(found_by_code(s, "OTHER2"), 0);
    st_close(s);
}

static void an_event_has_from_0_to_ST_EVENT_MAX_bytes(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    static uint8_t large[ST_EVENT_MAX + 1];
    for (size_t i = 0; i < sizeof large; i++)
        large[i] = (uint8_t)(i * 7 + i / 256);
    assert_written(s, new_table(1, "ABC234"));
    struct st_write w = event_of(1, 2, NULL);
    assert_written(s, w); /* NULL, of no bytes */
    w = event_of(1, 3, "");
    assert_written(s, w);
    w = (struct st_write){.table = id_of(1), .seq = 4, .event = large, .n = 256};
    assert_written(s, w);
    w.seq = 5;
    w.n = ST_EVENT_MAX;
    assert_written(s, w);
    w.seq = 6;
    w.n = ST_EVENT_MAX + 1;
    assert_int_equal(write_now(s, w), FM_E_SIZE);
    assert_int_equal(why.code, FM_E_SIZE);
    s = reopen(s);
    assert_whole_log(s, 1, 5);
    const struct reading small = read_from(s, 1, 2, 3);
    assert_int_equal(small.n, 0);
    const struct reading bytes = read_from(s, 1, 4, 4);
    assert_int_equal(bytes.next, 5);
    st_close(s);
}

static bool is_large(void *arg, uint64_t seq, const void *event, size_t n)
{
    const uint8_t *bytes = event;
    *(size_t *)arg = n;
    for (size_t i = 0; i < n; i++)
        assert_int_equal(bytes[i], (uint8_t)(i * 31 + seq + i / 256));
    return true;
}

static void every_byte_comes_back(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    static uint8_t bytes[ST_EVENT_MAX];
    static const size_t sizes[] = {1, 255, 256, 257, 4000, 4096, 5000, 65535, ST_EVENT_MAX};
    const struct st_id id = id_of(1);
    for (uint64_t seq = 1; seq <= sizeof sizes / sizeof sizes[0]; seq++) {
        struct st_write w = seq == 1 ? new_table(1, "ABC234") : event_of(1, seq, "");
        w.n = sizes[seq - 1];
        w.event = bytes;
        for (size_t i = 0; i < w.n; i++)
            bytes[i] = (uint8_t)(i * 31 + seq + i / 256);
        assert_written(s, w);
        size_t n = 0;
        assert_int_equal(st_read_log(s, &id, seq, is_large, &n, &why), FM_OK);
        assert_int_equal(n, w.n);
    }
    st_close(s);
}

static void a_write_is_copied_when_it_is_submitted(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    struct gate g;
    char event[] = "event", record[] = "record";
    struct st_token token = {{1, 2, 3}, 4, 5}, found;
    const struct st_token same = token;
    struct st_write *w = malloc(sizeof *w);
    assert_non_null(w);
    *w = new_table(1, "ABC234");
    w->event = event;
    w->n = strlen(event);
    w->change.tokens = &token;
    w->change.n_tokens = 1;
    w->change.record = record;
    w->change.record_n = strlen(record);
    gate_shut(&g, s);
    assert_int_equal(st_submit(s, w, NULL, NULL, &why), FM_OK);
    memset(w, 0xff, sizeof *w);
    free(w);
    memset(event, 'x', sizeof event);
    memset(record, 'x', sizeof record);
    memset(&token, 0xff, sizeof token);
    gate_open(&g, s);
    assert_log(s, 1, "event");
    assert_int_equal(found_by_code(s, "ABC234"), 1);
    const struct st_id id = id_of(1);
    assert_int_equal(st_find_token(s, &id, same.hash, &found, &why), FM_OK);
    assert_memory_equal(&found, &same, sizeof same);
    char *text;
    size_t n;
    assert_int_equal(st_read_record(s, &id, &text, &n, &why), FM_OK);
    assert_string_equal(text, "record");
    free(text);
    st_close(s);
}

static void an_invalid_write_is_refused_at_once(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    assert_written(s, new_table(1, "ABC234"));
    static const struct st_token tokens[ST_TOKENS_MAX + 1];
    struct st_write w = event_of(1, 2, "x");
    w.change.tokens = tokens;
    w.change.n_tokens = ST_TOKENS_MAX + 1;
    assert_int_equal(write_now(s, w), FM_E_SIZE);
    w = event_of(1, 2, "x");
    w.change.record = "x";
    w.change.record_n = ST_RECORD_MAX + 1;
    assert_int_equal(write_now(s, w), FM_E_SIZE);
    w.change = (struct st_change){.record_n = ST_RECORD_MAX + 1}; /* of no record */
    assert_int_equal(write_now(s, w), FM_OK);
    w = event_of(1, 0, "x");
    assert_int_equal(write_now(s, w), FM_E_VALUE);
    w = event_of(1, (uint64_t)INT64_MAX + 1, "x");
    assert_int_equal(write_now(s, w), FM_E_VALUE);
    w = event_of(1, 3, NULL);
    w.n = 1;
    assert_int_equal(write_now(s, w), FM_E_VALUE);
    w = event_of(1, 3, "x");
    w.change.n_tokens = 1;
    assert_int_equal(write_now(s, w), FM_E_VALUE);
    w.change = (struct st_change){.moves = true, .state = ST_CLOSED + 1};
    assert_int_equal(write_now(s, w), FM_E_VALUE);
    w.change = (struct st_change){.times = true, .deadline_ms = (uint64_t)INT64_MAX + 1};
    assert_int_equal(write_now(s, w), FM_E_VALUE);
    w = new_table(2, "ABCDEF");
    w.seq = 2;
    assert_int_equal(write_now(s, w), FM_E_VALUE);
    w = new_table(2, "");
    memset(w.change.code, 'A', sizeof w.change.code);
    assert_int_equal(write_now(s, w), FM_E_VALUE);
    assert_int_equal(why.code, FM_E_VALUE);
    st_drain(s);
    assert_whole_log(s, 1, 2);
    assert_int_equal(last_seq(s, 2), 0);
    st_close(s);
}

static void thousands_of_tables_do_not_mix(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    const uint64_t n = TESTS_SANITIZED ? 1000 : 5000;
    char text[32];
    for (uint64_t seq = 1; seq <= 4; seq++) {
        for (uint64_t t = 1; t <= n; t++) {
            (void)snprintf(text, sizeof text, "%06d", (int)t);
            struct st_write w = seq == 1 ? new_table(t, text) : event_of(t, seq, text);
            w.event = text;
            w.n = 6;
            assert_int_equal(st_submit(s, &w, NULL, NULL, &why), FM_OK);
        }
    }
    s = reopen(s);
    for (uint64_t t = 1; t <= n; t++) {
        char all[4 * sizeof text];
        (void)snprintf(text, sizeof text, "%06d", (int)t);
        (void)snprintf(all, sizeof all, "%s%s%s%s", text, text, text, text);
        assert_log(s, t, all);
        assert_int_equal(found_by_code(s, text), t);
    }
    st_close(s);
}

static void everything_survives_closing_and_opening(void **state)
{
    (void)state;
    struct st_store *s = fresh_store();
    static const struct st_token tokens[2] = {{{1}, 2, 3}, {{2}, 4, 255}};
    struct st_write w = new_table(1, "ABC234");
    w.change.listed = true;
    w.change.tokens = tokens;
    w.change.n_tokens = 2;
    w.change.times = true;
    w.change.deadline_ms = INT64_MAX;
    assert_written(s, w);
    w = event_of(1, 2, "+over");
    w.change =
        (struct st_change){.moves = true, .state = ST_OVER, .record = "the record", .record_n = 10};
    assert_written(s, w);
    for (int i = 0; i < 3; i++) {
        s = reopen(s);
        assert_log(s, 1, "new+over");
        const struct st_table t = table_of(s, 1);
        assert_true(t.listed);
        assert_int_equal(t.state, ST_OVER);
        assert_int_equal(t.deadline_ms, INT64_MAX);
        assert_string_equal(t.code, "ABC234");
        struct st_token found;
        for (int k = 0; k < 2; k++) {
            assert_int_equal(st_find_token(s, &t.id, tokens[k].hash, &found, &why), FM_OK);
            assert_memory_equal(&found, &tokens[k], sizeof found);
        }
        char *text;
        size_t n;
        assert_int_equal(st_read_record(s, &t.id, &text, &n, &why), FM_OK);
        assert_int_equal(n, 10);
        assert_string_equal(text, "the record");
        free(text);
        assert_refused(s, event_of(1, 2, "twice"));
        assert_int_equal(found_by_code(s, "ABC234"), 0); /* it is over */
    }
    st_close(s);
}

static void an_unknown_kind_of_store_is_refused(void **state)
{
    (void)state;
    static const char *const wheres[] = {NULL,      "",  "nothing", "oracle:db",
                                         "sqlit:e", ":", "SQLITE:x"};
    for (size_t i = 0; i < sizeof wheres / sizeof wheres[0]; i++) {
        why.text[0] = '\0';
        assert_null(st_open(wheres[i], &why));
        assert_int_equal(why.code, FM_E_VALUE);
        assert_non_null(strstr(why.text, "sqlite:PATH"));
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_table_is_what_its_log_says),
    cmocka_unit_test(what_was_never_written_is_not_found),
    cmocka_unit_test(a_log_has_no_gap_and_no_event_twice),
    cmocka_unit_test(an_event_has_from_0_to_ST_EVENT_MAX_bytes),
    cmocka_unit_test(every_byte_comes_back),
    cmocka_unit_test(a_write_is_copied_when_it_is_submitted),
    cmocka_unit_test(an_invalid_write_is_refused_at_once),
    cmocka_unit_test(thousands_of_tables_do_not_mix),
    cmocka_unit_test(everything_survives_closing_and_opening),
    cmocka_unit_test(an_unknown_kind_of_store_is_refused),
};
const struct tests_group conform_log = TESTS_GROUP(tests);
