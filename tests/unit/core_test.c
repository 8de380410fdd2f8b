/* core_test.c: events, notes, views, tables and decks, on a toy game and Soum Soum. */
#include "tests.h"

#include "base/hash.h"
#include "base/json_in.h"
#include "conform/conform.h"
#include "conform/toy.h"

#include <fathom/games.h>
#include <fathom/record.h>

#include <stdio.h>
#include <string.h>

/* ---- events ---------------------------------------------------------------------------------- */

static enum fm_err act(struct toy_state *s, uint32_t t_ms, uint8_t seat, fm_action action)
{
    const struct fm_event ev = {.t_ms = t_ms, .seat = seat, .action = action};
    return fm_apply(&toy_game, s, &ev, NULL);
}

static void start_toy(struct toy_state *s, unsigned seats)
{
    struct fm_setup setup;
    toy_table(&setup, seats);
    assert_int_equal(fm_init(s, &setup, NULL), FM_OK);
}

static void hidden_actions_move_only_their_own_seat(void **state)
{
    (void)state;
    struct toy_state s, before;
    start_toy(&s, 3);
    before = s;
    assert_int_equal(act(&s, 500, 1, TOY_BID | 2 << 8), FM_OK);
    assert_memory_equal(&s.pub, &before.pub, sizeof s.pub);
    assert_memory_equal(&s.priv[0], &before.priv[0], sizeof s.priv[0]);
    assert_int_equal(s.priv[1].head.seq, 1);
    assert_int_equal(fm_view_seq(fm_view_of(&toy_game, &s, 1)), 1);
    assert_int_equal(fm_view_seq(fm_view_of(&toy_game, &s, 0)), 0);
    assert_int_equal(s.secret.head.now_ms, 500);
    assert_int_equal(s.secret.head.n_events, 1);
}

static void open_actions_are_counted_for_all(void **state)
{
    (void)state;
    struct toy_state s;
    start_toy(&s, 2);
    assert_int_equal(act(&s, 500, 1, TOY_BID | 2 << 8), FM_OK);
    assert_int_equal(act(&s, 700, 1, TOY_LOCK), FM_OK);
    assert_int_equal(s.pub.head.seq, 1);
    assert_int_equal(s.pub.head.now_ms, 700);
    assert_int_equal(fm_view_seq(fm_view_of(&toy_game, &s, FM_WATCHER)), 1);
}

static void impossible_events_are_refused(void **state)
{
    (void)state;
    struct toy_state s, before;
    start_toy(&s, 2);
    assert_int_equal(act(&s, 500, 0, TOY_BID | 1 << 8), FM_OK);
    before = s;
    assert_int_equal(act(&s, 499, 0, TOY_BID | 2 << 8), FM_E_TIME);
    assert_int_equal(act(&s, 500, 2, TOY_BID | 2 << 8), FM_E_SEAT);
    assert_int_equal(act(&s, 500, FM_TABLE, TOY_LOCK), FM_E_SEAT);
    assert_int_equal(act(&s, 500, 0, TOY_STOP), FM_E_ACTION);
    assert_int_equal(act(&s, 500, 0, 200), FM_E_ACTION);
    assert_int_equal(act(&s, 500, 0, 0), FM_E_ACTION);
    assert_memory_equal(&s, &before, sizeof s);
    assert_int_equal(act(&s, 500, 0, TOY_LOCK), FM_OK);
    assert_int_equal(act(&s, 500, 0, TOY_BID | 2 << 8), FM_E_TURN);
    for (int round = 0; round < 3; round++)
        assert_int_equal(act(&s, 500, FM_TABLE, TOY_STOP), FM_OK);
    assert_int_equal(act(&s, 500, 0, TOY_BID | 2 << 8), FM_E_OVER);
}

static void notes_are_cut(void **state)
{
    (void)state;
    const struct fm_note whole = {.kind = 1, .to = 0x83, .knows = 0x02, .open = 4, .hidden = 77};
    struct fm_note note = whole;
    assert_true(fm_note_cut(&note, 1));
    assert_int_equal(note.hidden, 77);
    assert_int_equal(note.cut, 0);
    assert_int_equal(note.knows, 0);
    note = whole;
    assert_true(fm_note_cut(&note, 0));
    assert_int_equal(note.hidden, 0);
    assert_int_equal(note.cut, 1);
    assert_int_equal(note.open, 4);
    note = whole;
    assert_true(fm_note_cut(&note, FM_WATCHER));
    assert_int_equal(note.hidden, 0);
    note = whole;
    assert_false(fm_note_cut(&note, 2));
}

static void replay_names_the_event_that_diverged(void **state)
{
    (void)state;
    struct toy_state s;
    struct fm_setup setup;
    size_t bad;
    toy_table(&setup, 2);
    struct fm_event log[3] = {{.t_ms = 1, .seat = 0, .action = TOY_BID | 1 << 8},
                              {.t_ms = 2, .seat = 1, .action = TOY_BID | 2 << 8},
                              {.t_ms = 3, .seat = 1, .action = TOY_LOCK}};
    start_toy(&s, 2);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(fm_apply(&toy_game, &s, &log[i], NULL), FM_OK);
        log[i].check = fm_check(&toy_game, &s);
    }
    assert_int_equal(fm_replay(&s, &setup, log, 3, &bad), FM_OK);
    log[1].action = TOY_BID | 3 << 8;
    assert_int_equal(fm_replay(&s, &setup, log, 3, &bad), FM_E_DIVERGED);
    assert_int_equal(bad, 1);
    log[1].action = TOY_STOP;
    assert_int_equal(fm_replay(&s, &setup, log, 3, &bad), FM_E_ACTION);
    assert_int_equal(bad, 1);
}

static void watchers_have_no_private_block(void **state)
{
    (void)state;
    struct toy_state s;
    uint8_t buf[512];
    start_toy(&s, 2);
    const struct fm_view v = fm_view_of(&toy_game, &s, FM_WATCHER);
    assert_null(v.priv);
    assert_int_equal(fm_view_copy(v, buf, sizeof buf), sizeof(struct toy_pub));
    assert_int_equal(fm_view_copy(fm_view_of(&toy_game, &s, 0), buf, sizeof buf),
                     sizeof(struct toy_pub) + sizeof(struct toy_priv));
    assert_int_equal(fm_view_copy(fm_view_of(&toy_game, &s, 0), buf, 10), 0);
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* The toy's public block with its members elsewhere. */
struct moved_pub {
    struct fm_pub head;
    uint8_t zero[2];
    uint8_t score[TOY_SEATS];
    uint8_t bid[TOY_SEATS];
    uint8_t pearl;
    uint8_t round;
};

static void a_check_is_over_fields_wherever_they_lie(void **state)
{
    (void)state;
    static const struct fm_field moved[] = {
        FM_FIELD(struct moved_pub, round), FM_FIELD(struct moved_pub, pearl),
        FM_FIELD(struct moved_pub, bid),   FM_FIELD(struct moved_pub, score),
        FM_FIELD(struct moved_pub, zero),  FM_FIELDS_END,
    };
    struct toy_state s, other;
    struct fm_game game = toy_game;
    start_toy(&s, 2);
    s.pub.round = 2;
    s.pub.pearl = 5;
    memcpy(s.pub.bid, (const uint8_t[]){1, 2, 3, 4}, TOY_SEATS);
    memcpy(s.pub.score, (const uint8_t[]){6, 7, 8, 9}, TOY_SEATS);
    other = s;
    struct moved_pub pub = {.head = s.pub.head, .round = 2, .pearl = 5};
    memcpy(pub.bid, s.pub.bid, sizeof pub.bid);
    memcpy(pub.score, s.pub.score, sizeof pub.score);
    memcpy(&other.pub, &pub, sizeof pub);
    assert_int_not_equal(fm_check(&toy_game, &other), fm_check(&toy_game, &s));
    game.fields.pub = moved;
    assert_int_equal(fm_check(&game, &other), fm_check(&toy_game, &s));
}

static void a_field_that_no_list_names_is_found(void **state)
{
    (void)state;
    static const struct fm_field short_list[] = {
        FM_FIELD(struct toy_pub, round),
        FM_FIELD(struct toy_pub, pearl),
        FM_FIELD(struct toy_pub, bid),
        FM_FIELD(struct toy_pub, zero),
        FM_FIELDS_END,
    };
    struct conform c = {.name = "toy"};
    struct fm_game game = toy_game;
    toy_table(&c.setup, 2);
    c.setup.game = &game;
    assert_null(conform_fields(&c));
    game.fields.pub = short_list; /* without the score */
    assert_non_null(conform_fields(&c));
}

/* ---- tables ---------------------------------------------------------------------------------- */

static enum fm_err parse_table(struct fm_setup *setup, const char *text, struct fm_fault *fault)
{
    json_t *json = fm_json_load(text, strlen(text), fault);
    assert_non_null(json);
    const enum fm_err err = fm_setup_parse(setup, json, NULL, fault);
    json_decref(json);
    return err;
}

static void tables_have_defaults(void **state)
{
    (void)state;
    struct fm_setup setup;
    struct fm_fault fault;
    char text[400];
    struct fm_out o;
    assert_int_equal(parse_table(&setup, "{\"game\":\"soumsoum\"}", &fault), FM_OK);
    fm_out_init(&o, text, sizeof text);
    fm_put_options(&o, &setup);
    assert_string_equal(text, "{\"players\":2,\"market\":false,\"first\":\"random\","
                              "\"deck\":\"soumsoum-lagoon\"}");
    assert_int_equal(setup.given, 0);
    assert_int_equal(setup.rules, setup.game->newest_rules);
    assert_int_equal(setup.n_seats, 2);
}

static void wrong_tables_are_refused_by_key(void **state)
{
    (void)state;
    static const struct {
        const char *table, *message;
    } cases[] = {
        {"{}", "the key \"game\" is missing"},
        {"{\"game\":7}", "game: a text is expected here"},
        {"{\"game\":\"chess\"}", "game: there is no game \"chess\""},
        {"{\"game\":\"soumsoum\",\"rules\":null}", "rules: a whole number is expected here"},
        {"{\"game\":\"soumsoum\",\"rules\":\"1\"}", "rules: a whole number is expected here"},
        {"{\"game\":\"soumsoum\",\"rules\":0}",
         "rules: there is no version 0 of these rules; the newest is 1"},
        {"{\"game\":\"soumsoum\",\"rules\":2}",
         "rules: there is no version 2 of these rules; the newest is 1"},
        {"{\"game\":\"soumsoum\",\"options\":[]}", "options: an object is expected here"},
        {"{\"game\":\"soumsoum\",\"options\":{\"players\":5}}",
         "options.players: at most 4 can play"},
        {"{\"game\":\"soumsoum\",\"options\":{\"players\":2.0}}",
         "options.players: a whole number is expected here"},
        {"{\"game\":\"soumsoum\",\"options\":{\"market\":1}}",
         "options.market: true or false is expected here"},
        {"{\"game\":\"soumsoum\",\"options\":{\"first\":2}}",
         "options.first: there is no seat 2 at a table of 2"},
        {"{\"game\":\"soumsoum\",\"options\":{\"first\":\"me\"}}",
         "options.first: a seat or \"random\" is expected here"},
        {"{\"game\":\"soumsoum\",\"options\":{\"divers\":2}}", "options: unknown key \"divers\""},
        {"{\"game\":\"soumsoum\",\"options\":{\"deck\":\"none\"}}",
         "options.deck: there is no deck \"none\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fm_setup setup;
        struct fm_fault fault;
        assert_int_not_equal(parse_table(&setup, cases[i].table, &fault), FM_OK);
        assert_string_equal(fault.text, cases[i].message);
    }
}

static void tables_are_read_from_text(void **state)
{
    (void)state;
    struct fm_setup setup;
    struct fm_fault fault;
    const char *good = "{\"game\":\"soumsoum\",\"options\":{\"players\":3}}";
    assert_int_equal(fm_setup_read(&setup, good, strlen(good), NULL, &fault), FM_OK);
    assert_int_equal(setup.n_seats, 3);
    const char *unknown = "{\"game\":\"soumsoum\",\"players\":3}";
    assert_int_equal(fm_setup_read(&setup, unknown, strlen(unknown), NULL, &fault), FM_E_KEY);
    assert_non_null(strstr(fault.text, "players"));
    assert_int_equal(fm_setup_read(&setup, good, strlen(good) - 1, NULL, &fault), FM_E_JSON);
    assert_int_equal(fm_setup_read(&setup, "[]", 2, NULL, &fault), FM_E_VALUE);
}

/* ---- decks ----------------------------------------------------------------------------------- */

static void builtin_decks_are_fine_and_named_after_their_file(void **state)
{
    (void)state;
    assert_true(fm_deck_builtin_count() > 0);
    for (size_t i = 0; i < fm_deck_builtin_count(); i++) {
        struct fm_deck deck, found;
        struct fm_fault fault;
        assert_int_equal(fm_deck_builtin(&deck, i, &fault), FM_OK);
        assert_int_equal(fm_deck_find(&found, NULL, deck.game, deck.id, &fault), FM_OK);
        assert_memory_equal(deck.hash, found.hash, sizeof deck.hash);
    }
    const struct fm_game *g;
    for (size_t i = 0; (g = fm_game_at(i)) != NULL; i++) {
        struct fm_deck deck;
        struct fm_fault fault;
        assert_int_equal(fm_deck_find(&deck, NULL, g, NULL, &fault), FM_OK);
        assert_string_equal(deck.id, g->deck);
    }
}

static void a_librarys_deck_goes_before_the_builtin_one(void **state)
{
    (void)state;
    struct fm_deck own, found;
    struct fm_fault fault;
    assert_int_equal(fm_deck_find(&own, NULL, &fm_game_soumsoum, NULL, &fault), FM_OK);
    (void)snprintf(own.id, sizeof own.id, "mine");
    const struct fm_library library = {&own, 1};
    assert_int_equal(fm_deck_find(&found, &library, &fm_game_soumsoum, NULL, &fault), FM_OK);
    assert_string_equal(found.id, "mine");
    assert_int_equal(fm_deck_find(&found, &library, &fm_game_soumsoum, "soumsoum-lagoon", &fault),
                     FM_OK);
    assert_string_equal(found.id, "soumsoum-lagoon");
}

/* ---- actions as text ------------------------------------------------------------------------- */

static void actions_can_be_typed(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum fm_err err;
    } cases[] = {
        {"place card=1 at=[0,4]", FM_OK},
        {"  pass  ", FM_OK},
        {"place at=[0,4] card=1", FM_OK},
        {"", FM_E_KEY},
        {"place", FM_E_KEY},
        {"place place", FM_E_ACTION},
        {"card=1 at=[0,4]", FM_E_KEY},
        {"place card=1 card=1 at=[0,4]", FM_E_ACTION},
        {"place card= at=[0,4]", FM_E_ACTION},
        {"place card=one at=[0,4]", FM_E_VALUE},
        {"dance", FM_E_VALUE},
        {"place card=1 at=[0,4] x=1", FM_E_KEY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fm_fault fault;
        fm_action a;
        assert_int_equal(fm_action_parse_text(&fm_game_soumsoum, &a, cases[i].text, &fault),
                         cases[i].err);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(hidden_actions_move_only_their_own_seat),
        cmocka_unit_test(open_actions_are_counted_for_all),
        cmocka_unit_test(impossible_events_are_refused),
        cmocka_unit_test(notes_are_cut),
        cmocka_unit_test(replay_names_the_event_that_diverged),
        cmocka_unit_test(watchers_have_no_private_block),
        cmocka_unit_test(a_check_is_over_fields_wherever_they_lie),
        cmocka_unit_test(a_field_that_no_list_names_is_found),
        cmocka_unit_test(tables_have_defaults),
        cmocka_unit_test(wrong_tables_are_refused_by_key),
        cmocka_unit_test(tables_are_read_from_text),
        cmocka_unit_test(builtin_decks_are_fine_and_named_after_their_file),
        cmocka_unit_test(a_librarys_deck_goes_before_the_builtin_one),
        cmocka_unit_test(actions_can_be_typed),
    };
    if (fm__hash_start() != 0)
        return 1;
    return tests_run("core", tests, sizeof tests / sizeof tests[0]);
}
