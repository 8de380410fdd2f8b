/* table_test.c: the life of a table: every event drafted, committed, and read back. */
#include "server/table_book.h"

#include "base/hash.h"
#include "base/panic.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tables = 60; /* random ones, so many */
static struct book book;

static void a_table_is_what_its_log_says(void **state)
{
    (void)state;
    struct fm_rng rng;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){1}, 0);
    for (int i = 0; i < tables; i++) {
        book_open(&book, bodies[(size_t)i % (sizeof bodies / sizeof bodies[0])]);
        assert_reads_back(&book);
        fill_and_start(&book);
        play_on(&book, &rng, 1 + (int)fm_rng_below(&rng, 400));
        assert_reads_back(&book);
        book_close(&book);
    }
}

/* The first event with "rules" as given; NULL: as logs were before they said it. */
static enum fm_err read_with_rules(const char *rules, struct fm_fault *fault)
{
    struct srv_table table;
    const struct st_id id = {{9, 8, 7}};
    json_t *event = json_loadb(book.log[0], book.n[0], 0, NULL);
    assert_int_equal(json_integer_value(json_object_get(event, "rules")), 1);
    if (rules == NULL)
        (void)json_object_del(event, "rules");
    else
        (void)json_object_set_new(event, "rules", json_loads(rules, JSON_DECODE_ANY, NULL));
    char *text = json_dumps(event, 0);
    srv_table_init(&table);
    const enum fm_err err = srv_table_read(&table, &id, text, strlen(text), NULL, fault);
    srv_table_finish(&table);
    free(text);
    json_decref(event);
    return err;
}

static void a_table_is_played_by_the_rules_it_began_with(void **state)
{
    (void)state;
    struct fm_fault fault;
    book_open(&book, bodies[0]);
    assert_int_equal(read_with_rules("1", &fault), FM_OK);
    assert_int_equal(read_with_rules(NULL, &fault), FM_OK);
    assert_int_equal(read_with_rules("2", &fault), FM_E_RULES);
    assert_non_null(strstr(fault.text, "there is no version 2 of these rules"));
    assert_int_equal(read_with_rules("65535", &fault), FM_E_RULES);
    assert_int_equal(read_with_rules("0", &fault), FM_E_RULES);
    assert_int_equal(read_with_rules("\"1\"", &fault), FM_E_RECORD);
    book_close(&book);
}

/* Drafts the last event of a game that is over once more, for the record that goes with it. */
static char *record_of(struct book *b, size_t *n)
{
    struct fm_fault fault;
    struct srv_table before;
    srv_table_init(&before);
    for (size_t k = 0; k + 1 < b->length; k++)
        assert_int_equal(srv_table_read(&before, &b->table.id, b->log[k], b->n[k], NULL, &fault),
                         FM_OK);
    const struct fm_event *last = &b->table.event[b->table.n_events - 1];
    if (last->seat == FM_TABLE)
        assert_int_equal(srv_draft_clock(&b->draft, &before, b->now_ms, &fault), FM_OK);
    else
        assert_int_equal(srv_draft_did(&b->draft, &before, last->seat, NULL, last->action,
                                       before.start_ms + last->t_ms, 0, &fault),
                         FM_OK);
    assert_int_equal(b->draft.change.state, ST_OVER);
    assert_true(b->draft.change.moves && b->draft.change.record != NULL);
    char *record = b->draft.record;
    *n = b->draft.change.record_n;
    b->draft.record = NULL;
    srv_table_finish(&before);
    return record;
}

static void a_finished_game_leaves_a_record_that_replays(void **state)
{
    (void)state;
    static struct fm_playback p;
    struct fm_rng rng;
    struct fm_fault fault;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){2}, 0);
    for (size_t i = 0; i < (sizeof bodies / sizeof bodies[0]); i++) {
        book_open(&book, bodies[i]);
        fill_and_start(&book);
        play_on(&book, &rng, LOG_MAX);
        assert_int_equal(book.table.state, ST_OVER);
        size_t n = 0;
        char *record = record_of(&book, &n);
        struct fm_event ev;
        enum fm_err err = fm_playback_open(&p, record, n, NULL, NULL, &fault);
        while (err == FM_OK)
            err = fm_playback_next(&p, &ev, NULL, &fault);
        assert_int_equal(err, FM_E_OVER);
        assert_non_null(strstr(record, "\"entropy\":[\"0a0b\",\"0a0b\""));
        free(record);
        book_close(&book);
    }
}

/* Text of the events between the brackets that follow "events":, appended. */
static void append_events(char *all, size_t cap, const char *message)
{
    json_t *json = json_loads(message, 0, NULL);
    assert_non_null(json);
    json_t *events = json_object_get(json, "events");
    assert_true(json_is_array(events));
    for (size_t i = 0; i < json_array_size(events); i++) {
        char *text = json_dumps(json_array_get(events, i), JSON_SORT_KEYS);
        const size_t used = strlen(all);
        assert_true(used + strlen(text) + 2 < cap);
        memcpy(all + used, text, strlen(text) + 1);
        free(text);
    }
    json_decref(json);
}

static char told[FM_MAX_SEATS + 1][1 << 20]; /* the events that each viewer was told */

/* One event happens; whoever notices it is told. */
static void play_and_tell(struct fm_rng *rng, int viewers)
{
    static char text[FM_JSON_MAX];
    static uint8_t before[FM_STATE_MAX];
    struct fm_out o;
    memcpy(before, book.table.match, sizeof before);
    play_on(&book, rng, 1);
    for (int v = 0; v < viewers; v++) {
        const int seat = v < viewers - 1 ? v : FM_WATCHER;
        fm_out_init(&o, text, sizeof text);
        if (srv_put_change(&o, &book.table, &book.draft, before, seat))
            append_events(told[v], sizeof told[v], text);
    }
}

static void a_client_that_comes_back_gets_exactly_what_it_missed(void **state)
{
    (void)state;
    static char missed[1 << 20], text[FM_JSON_MAX];
    struct fm_rng rng;
    struct fm_out o;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){3}, 0);
    for (size_t i = 0; i < (sizeof bodies / sizeof bodies[0]); i++) {
        book_open(&book, bodies[i]);
        fill_and_start(&book);
        play_on(&book, &rng, 5);
        int64_t from[FM_MAX_SEATS + 1];
        const int viewers = book.table.setup.n_seats + 1; /* the last is a spectator */
        for (int v = 0; v < viewers; v++) {
            const int seat = v < viewers - 1 ? v : FM_WATCHER;
            from[v] = fm_view_seq(fm_view_of(book.table.setup.game, book.table.match, seat));
            told[v][0] = '\0';
        }
        for (int k = 0; k < 40 && book.table.state == ST_PLAYING; k++)
            play_and_tell(&rng, viewers);
        for (int v = 0; v < viewers; v++) {
            const int seat = v < viewers - 1 ? v : FM_WATCHER;
            fm_out_init(&o, text, sizeof text);
            srv_put_hello(&o, &book.table, seat,
                          &(struct srv_hello){.from = from[v], .visits = true});
            assert_true(fm_out_ok(&o));
            missed[0] = '\0';
            append_events(missed, sizeof missed, text);
            assert_string_equal(missed, told[v]);
        }
        book_close(&book);
    }
}

static void before_the_start_there_is_no_view(void **state)
{
    (void)state;
    char text[256];
    struct fm_out o;
    book_open(&book, bodies[0]);
    for (int seat = FM_WATCHER; seat < book.table.setup.n_seats; seat++) {
        fm_out_init(&o, text, sizeof text);
        srv_put_hello(&o, &book.table, seat, &(struct srv_hello){.from = -1, .visits = true});
        assert_true(fm_out_ok(&o));
        assert_string_equal(text, "{\"seq\":-1,\"events\":[],\"view\":null}");
    }
    book_close(&book);
}

static void a_seat_is_not_sent_what_it_may_not_notice(void **state)
{
    (void)state;
    static char text[FM_JSON_MAX];
    static uint8_t before[FM_STATE_MAX];
    struct fm_fault fault;
    struct fm_out o;
    fm_action program;
    book_open(&book, "{\"game\":\"dive\"}");
    fill_and_start(&book);
    const struct fm_game *g = book.table.setup.game;
    json_t *json =
        json_loads("{\"do\":\"program\",\"levels\":[{\"tokens\":[1],\"shark\":true}]}", 0, NULL);
    assert_int_equal(g->wire->parse_action(&program, json, &fault), FM_OK);
    json_decref(json);
    memcpy(before, book.table.match, sizeof before);
    assert_int_equal(srv_draft_did(&book.draft, &book.table, 0, "x", program, 2000, 0, &fault),
                     FM_OK);
    store_draft(&book);
    fm_out_init(&o, text, sizeof text);
    assert_true(srv_put_change(&o, &book.table, &book.draft, before, 0));
    assert_false(srv_put_change(&o, &book.table, &book.draft, before, 1));
    assert_false(srv_put_change(&o, &book.table, &book.draft, before, FM_WATCHER));
    book_close(&book);
}

static void seats_are_taken_left_and_given_to_bots(void **state)
{
    (void)state;
    struct fm_fault fault;
    int seat;
    book_open(&book, "{\"game\":\"soumsoum\",\"options\":{\"players\":3}}");
    assert_int_equal(sit(&book, "{\"name\":\"Ana\",\"seat\":1}"), 1);
    assert_int_equal(try_to_sit(&book, "{\"name\":\"Bo\",\"seat\":1}", &seat, &fault),
                     FM_E_TAKEN_SEAT);
    assert_int_equal(sit(&book, "{\"name\":\"Bo\",\"entropy\":\"ff\"}"), 0);
    assert_int_equal(book.table.fair.entropy_n[0], 1);
    assert_int_equal(srv_draft_started(&book.draft, &book.table, 9, &fault), FM_E_FREE_SEAT);
    assert_int_equal(srv_draft_bot(&book.draft, &book.table, 0, "greedy", &fault), FM_E_TAKEN_SEAT);
    assert_int_equal(srv_draft_bot(&book.draft, &book.table, 2, "steady", &fault), FM_E_VALUE);
    assert_int_equal(srv_draft_bot(&book.draft, &book.table, 2, "greedy", &fault), FM_OK);
    store_draft(&book);
    assert_int_equal(try_to_sit(&book, "{\"name\":\"Cy\"}", &seat, &fault), FM_E_FULL);
    assert_int_equal(srv_draft_left(&book.draft, &book.table, 0, &fault), FM_OK);
    store_draft(&book);
    assert_int_equal(book.table.fair.entropy_n[0], 0); /* it takes its chance along */
    assert_int_equal(srv_draft_left(&book.draft, &book.table, 0, &fault), FM_E_SEAT);
    assert_int_equal(sit(&book, "{\"name\":\"Di\"}"), 0);
    assert_reads_back(&book);
    assert_int_equal(srv_draft_started(&book.draft, &book.table, 9, &fault), FM_OK);
    store_draft(&book);
    assert_int_equal(try_to_sit(&book, "{\"name\":\"Cy\"}", &seat, &fault), FM_E_STARTED);
    assert_int_equal(srv_draft_left(&book.draft, &book.table, 0, &fault), FM_E_STARTED);
    assert_int_equal(srv_draft_bot(&book.draft, &book.table, 0, "greedy", &fault), FM_OK);
    store_draft(&book); /* stands in for Di ... */
    assert_int_equal(srv_draft_bot(&book.draft, &book.table, 0, NULL, &fault), FM_OK);
    store_draft(&book); /* ... who is back */
    assert_int_equal(srv_draft_bot(&book.draft, &book.table, 2, NULL, &fault), FM_E_PHASE);
    assert_reads_back(&book);
    book_close(&book);
}

static void notes_and_rematches_are_kept(void **state)
{
    (void)state;
    struct fm_rng rng;
    struct fm_fault fault;
    static char much[SRV_NOTES + 2];
    const struct st_id next = {{4, 4}};
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){4}, 0);
    book_open(&book, "{\"game\":\"divercity\"}");
    fill_and_start(&book);
    assert_int_equal(srv_draft_noted(&book.draft, &book.table, 1, "eel?\n\"2\"", 8, &fault), FM_OK);
    store_draft(&book);
    assert_string_equal(book.table.seat[1].notes, "eel?\n\"2\"");
    assert_reads_back(&book);
    memset(much, 'x', SRV_NOTES + 1);
    assert_int_equal(srv_draft_noted(&book.draft, &book.table, 1, much, SRV_NOTES + 1, &fault),
                     FM_E_NOTES_LONG);
    assert_int_equal(srv_draft_again(&book.draft, &book.table, &next, &fault), FM_E_NOT_OVER);
    play_on(&book, &rng, 1000000);
    assert_int_equal(book.table.state, ST_OVER);
    assert_int_equal(srv_draft_again(&book.draft, &book.table, &next, &fault), FM_OK);
    store_draft(&book);
    assert_true(book.table.has_rematch);
    assert_memory_equal(&book.table.rematch, &next, sizeof next);
    assert_reads_back(&book);
    book_close(&book);
}

static void refused_actions_leave_the_table_as_it_was(void **state)
{
    (void)state;
    static struct srv_table before;
    struct fm_fault fault;
    book_open(&book, "{\"game\":\"soumsoum\",\"options\":{\"first\":0}}");
    assert_int_equal(srv_draft_did(&book.draft, &book.table, 0, "a", 1, 5, 0, &fault),
                     FM_E_NOT_STARTED);
    fill_and_start(&book);
    memcpy(&before, &book.table, sizeof before);
    const struct fm_game *g = book.table.setup.game;
    struct fm_rng rng;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){5}, 0);
    const fm_action legal = g->sample(fm_view_of(g, book.table.match, 0), &rng);
    assert_int_equal(srv_draft_did(&book.draft, &book.table, 1, "a", legal, 5, 0, &fault),
                     FM_E_TURN);
    assert_int_equal(srv_draft_did(&book.draft, &book.table, 9, "a", legal, 5, 0, &fault),
                     FM_E_SEAT);
    assert_int_equal(srv_draft_did(&book.draft, &book.table, 0, "a b", legal, 5, 0, &fault),
                     FM_E_VALUE);
    assert_int_equal(srv_draft_did(&book.draft, &book.table, 0, "a", 0, 5, 0, &fault), FM_E_ACTION);
    assert_int_equal(srv_draft_clock(&book.draft, &book.table, 1u << 30, &fault), FM_E_TIME);
    assert_memory_equal(&before, &book.table, sizeof before);
    book_close(&book);
}

static void the_clock_acts_at_its_deadline_and_credit_for_lag_is_limited(void **state)
{
    (void)state;
    struct fm_fault fault;
    book_open(&book, "{\"game\":\"dive\",\"options\":{\"clock\":30}}");
    fill_and_start(&book);
    const uint64_t deadline = srv_table_deadline(&book.table);
    assert_int_equal(deadline, book.table.start_ms + 30000);
    assert_int_equal(srv_draft_clock(&book.draft, &book.table, deadline - 1, &fault), FM_E_TIME);
    fm_action ready;
    json_t *json =
        json_loads("{\"do\":\"program\",\"levels\":[{\"tokens\":[1],\"shark\":true}]}", 0, NULL);
    assert_int_equal(book.table.setup.game->wire->parse_action(&ready, json, &fault), FM_OK);
    json_decref(json);
    /* The credit counts at the deadline alone: no other time depends on it. */
    assert_int_equal(
        srv_draft_did(&book.draft, &book.table, 0, "a", ready, deadline - 200, 100, &fault), FM_OK);
    assert_int_equal(book.draft.event.t_ms, 29800);
    /* Sent in time, a quarter of a second on its way: counts. Sent too late: does not. */
    assert_int_equal(
        srv_draft_did(&book.draft, &book.table, 0, "a", ready, deadline + 200, 400, &fault), FM_OK);
    assert_int_equal(book.draft.event.t_ms, 30000);
    assert_int_equal(
        srv_draft_did(&book.draft, &book.table, 0, "a", ready, deadline + 200, 199, &fault),
        FM_E_LATE);
    assert_int_equal(
        srv_draft_did(&book.draft, &book.table, 0, "a", ready, deadline + 300, 4000, &fault),
        FM_E_LATE);
    assert_int_equal(srv_draft_clock(&book.draft, &book.table, deadline + 9, &fault), FM_OK);
    assert_int_equal(book.draft.event.t_ms, 30000);
    assert_int_equal(book.draft.event.seat, FM_TABLE);
    assert_true(book.draft.change.times);
    book_close(&book);
}

static void a_retry_is_known_as_long_as_it_can_come(void **state)
{
    (void)state;
    struct fm_rng rng;
    uint32_t seq;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){6}, 0);
    book_open(&book, "{\"game\":\"soumsoum\"}");
    fill_and_start(&book);
    assert_false(srv_table_has_action(&book.table, 0, "c1", &seq));
    play_on(&book, &rng, 40);
    assert_int_equal(book.table.n_done, book.table.n_events);
    for (size_t i = 0; i < book.table.n_done; i++) {
        const struct srv_done *d = &book.table.done[i];
        assert_int_equal(d->seat, book.table.event[i].seat);
        assert_true(srv_table_has_action(&book.table, d->seat, d->id, &seq));
        assert_int_equal(seq, d->seq);
        assert_false(srv_table_has_action(&book.table, 1 - d->seat, d->id, &seq));
    }
    book_close(&book);
}

static void logs_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "{\"e\":\"sat\",\"seat\":0,\"name\":\"x\",\"entropy\":\"\"}", /* before it was made */
        "{\"e\":\"nothing\"}",
        "{}",
        "[]",
        "",
        "{\"e\":\"made\",\"at\":1,\"code\":\"A\",\"seed\":\"00\",\"game\":\"dive\"}",
    };
    struct srv_table t;
    struct fm_fault fault;
    const struct st_id id = {{1}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        srv_table_init(&t);
        assert_int_not_equal(srv_table_read(&t, &id, bad[i], strlen(bad[i]), NULL, &fault), FM_OK);
        assert_int_equal(t.seq, 0);
        srv_table_finish(&t);
    }
}

static void names_are_cleaned(void **state)
{
    (void)state;
    static const struct {
        const char *given, *clean; /* NULL: refused */
    } cases[] = {
        {"Ana", "Ana"},
        {"  Ana \t  Maria\n", "Ana Maria"},
        {"Zo\xc3\xab", "Zo\xc3\xab"},
        {"a\xe2\x80\xae"
         "b",
         "ab"},                             /* right-to-left override */
        {"\xe2\x81\xa6x\xe2\x81\xa9", "x"}, /* isolates */
        {"\xe2\x80\x8b\xe2\x80\x8b", NULL}, /* nothing but zero-width spaces */
        {"   ", NULL},
        {"", NULL},
        {"\xff", NULL},
        {"a\xc2\xa0\xe3\x80\x80z", "a z"},
        {"12345678901234567890123456789012", "12345678901234567890123456789012"},
        {"123456789012345678901234567890123", NULL},
        {"\xf0\x9f\x90\xa2", "\xf0\x9f\x90\xa2"}, /* a turtle */
    };
    char out[SRV_NAME];
    struct fm_fault fault;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const enum fm_err err = srv_name_clean(out, cases[i].given, strlen(cases[i].given), &fault);
        if (cases[i].clean == NULL)
            assert_true(err == FM_E_VALUE || err == FM_E_NAME_EMPTY || err == FM_E_NAME_LONG);
        else
            assert_string_equal(out, cases[i].clean);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_is_what_its_log_says),
        cmocka_unit_test(a_table_is_played_by_the_rules_it_began_with),
        cmocka_unit_test(a_finished_game_leaves_a_record_that_replays),
        cmocka_unit_test(a_client_that_comes_back_gets_exactly_what_it_missed),
        cmocka_unit_test(before_the_start_there_is_no_view),
        cmocka_unit_test(a_seat_is_not_sent_what_it_may_not_notice),
        cmocka_unit_test(seats_are_taken_left_and_given_to_bots),
        cmocka_unit_test(notes_and_rematches_are_kept),
        cmocka_unit_test(refused_actions_leave_the_table_as_it_was),
        cmocka_unit_test(the_clock_acts_at_its_deadline_and_credit_for_lag_is_limited),
        cmocka_unit_test(a_retry_is_known_as_long_as_it_can_come),
        cmocka_unit_test(logs_that_do_not_fit_are_refused),
        cmocka_unit_test(names_are_cleaned),
    };
    fm_assert(fm__hash_start() == 0);
    if (argc > 1)
        tables = (int)strtol(argv[1], NULL, 10);
    return tests_run("table", tests, sizeof tests / sizeof tests[0]);
}
