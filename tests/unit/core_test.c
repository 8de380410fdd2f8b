/* core_test.c: apply, views, notes, tables, decks, records and the simulator, on a toy game and
 * Soum Soum. */
#include "tests.h"

#include "base/hash.h"
#include "base/json_in.h"
#include "conform/toy.h"

#include <fathom/games.h>
#include <fathom/record.h>
#include <fathom/sim.h>

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

static void events_are_vetted(void **state)
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
        {"{\"game\":\"soumsoum\",\"options\":[]}", "options: an object is expected here"},
        {"{\"game\":\"soumsoum\",\"options\":{\"players\":5}}",
         "options.players: 5 is not within 2 to 4"},
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

/* ---- records --------------------------------------------------------------------------------- */

static char record[0x20000];
static size_t record_n;

/* A short random game of Soum Soum, recorded; dealt with `dealt`, and `told` in its first line. */
static void make_record_of(const struct fm_fair *dealt, const struct fm_fair *told)
{
    static _Alignas(8) uint8_t s[FM_STATE_MAX];
    const struct fm_record_seat seats[2] = {{"Ana", NULL}, {"Zoë", "random"}};
    const uint8_t seed[FM_SEED_BYTES] = {3};
    struct fm_setup setup;
    struct fm_fault fault;
    struct fm_recorder r;
    struct fm_rng rng;
    struct fm_out o;
    const struct fm_pub *pub = (const void *)s;
    assert_int_equal(parse_table(&setup, "{\"game\":\"soumsoum\"}", &fault), FM_OK);
    if (dealt != NULL)
        fm_fair_deal_seed(setup.seed, seed, dealt, setup.n_seats);
    else
        fm_deal_seed(setup.seed, seed);
    fm_rng_init(&rng, seed, 9);
    fm_out_init(&o, record, sizeof record);
    assert_int_equal(fm_init(s, &setup, NULL), FM_OK);
    fm_record_begin(&r, &o, &setup, seed, told, seats, "2026-01-02T03:04:05Z");
    while (pub->status == FM_RUNNING) {
        const int seat = __builtin_ctz(pub->owes);
        const struct fm_event ev = {.t_ms = pub->now_ms + 5,
                                    .seat = (uint8_t)seat,
                                    .action =
                                        setup.game->sample(fm_view_of(setup.game, s, seat), &rng)};
        assert_int_equal(fm_apply(setup.game, s, &ev, NULL), FM_OK);
        fm_record_event(&r, &o, &ev, s);
    }
    fm_record_end(&r, &o, s);
    assert_true(fm_out_ok(&o));
    record_n = o.len;
}

static void make_record(void)
{
    make_record_of(NULL, NULL);
}

static enum fm_err play_record(const char *text, size_t n, struct fm_fault *fault)
{
    static struct fm_playback p;
    struct fm_event ev;
    enum fm_err err = fm_playback_open(&p, text, n, NULL, NULL, fault);
    while (err == FM_OK)
        err = fm_playback_next(&p, &ev, NULL, fault);
    return err;
}

static void records_replay(void **state)
{
    (void)state;
    struct fm_fault fault;
    make_record();
    assert_int_equal(play_record(record, record_n, &fault), FM_E_OVER);
}

static void every_changed_byte_is_found_on_its_line(void **state)
{
    (void)state;
    static char changed[sizeof record];
    static const char others[] = "\n\"0}x\x00\xff 9";
    make_record();
    int line = 1;
    for (size_t i = 0; i < record_n; i++) {
        memcpy(changed, record, record_n);
        const char before = record[i];
        for (size_t k = 0; k < sizeof others - 1; k++) {
            struct fm_fault fault = {.line = 0};
            if (others[k] == before)
                continue;
            changed[i] = others[k];
            const enum fm_err err = play_record(changed, record_n, &fault);
            if (err == FM_E_OVER || fault.line != line)
                fail_msg("byte %zu of line %d as %02x: found on line %d (%s)", i, line,
                         (unsigned char)others[k], fault.line, fault.text);
        }
        line += before == '\n';
    }
}

static void cut_records_are_found(void **state)
{
    (void)state;
    make_record();
    for (size_t n = 0; n < record_n; n++) {
        struct fm_fault fault = {.line = 0};
        assert_int_not_equal(play_record(record, n, &fault), FM_E_OVER);
        assert_true(fault.line > 0);
        assert_true(strlen(fault.text) > 10);
    }
}

static void moved_lines_are_found(void **state)
{
    (void)state;
    static char changed[sizeof record];
    struct fm_fault fault;
    make_record();
    char *second = strchr(record, '\n') + 1, *third = strchr(second, '\n') + 1;
    char *fourth = strchr(third, '\n') + 1;
    const size_t head = (size_t)(second - record), a = (size_t)(third - second),
                 b = (size_t)(fourth - third);
    /* dropped */
    memcpy(changed, record, head);
    memcpy(changed + head, third, record_n - head - a);
    assert_int_equal(play_record(changed, record_n - a, &fault), FM_E_RECORD);
    assert_int_equal(fault.line, 2);
    /* swapped */
    memcpy(changed, record, record_n);
    memcpy(changed + head, third, b);
    memcpy(changed + head + b, second, a);
    assert_int_equal(play_record(changed, record_n, &fault), FM_E_RECORD);
    assert_int_equal(fault.line, 2);
    /* doubled */
    memcpy(changed, record, head + a);
    memcpy(changed + head + a, second, record_n - head);
    assert_int_equal(play_record(changed, record_n + a, &fault), FM_E_RECORD);
    assert_int_equal(fault.line, 3);
}

static const struct fm_fair fair = {
    .table = {0xab, 1}, .entropy_n = {3, 0}, .entropy = {{7, 8, 9}}};

static void records_of_fair_deals_replay(void **state)
{
    (void)state;
    struct fm_fault fault;
    make_record_of(&fair, &fair);
    assert_non_null(strstr(record, "\"table\":\"ab010000000000000000000000000000\","
                                   "\"entropy\":[\"070809\",null]"));
    assert_int_equal(play_record(record, record_n, &fault), FM_E_OVER);
}

/* Another deal: the first move leads elsewhere, or is none at all. */
static void assert_another_deal(void)
{
    struct fm_fault fault;
    assert_int_not_equal(play_record(record, record_n, &fault), FM_E_OVER);
    assert_int_equal(fault.line, 2);
}

static void a_seats_chance_cannot_be_left_out_or_replaced(void **state)
{
    (void)state;
    struct fm_fair other = fair;
    other.entropy[0][2]++;
    make_record_of(&other, &fair);
    assert_another_deal();
    other = fair;
    other.entropy_n[1] = 1; /* a byte of 0 is not the same as none */
    make_record_of(&other, &fair);
    assert_another_deal();
    make_record_of(NULL, &fair);
    assert_another_deal();
}

static void a_fair_commitment_binds_seed_table_options_and_deck(void **state)
{
    (void)state;
    const uint8_t seed[FM_SEED_BYTES] = {1}, other_seed[FM_SEED_BYTES] = {2};
    const uint8_t table[FM_TABLE_BYTES] = {1}, other_table[FM_TABLE_BYTES] = {2};
    struct fm_setup setup, market;
    struct fm_fault fault;
    uint8_t c[5][32];
    assert_int_equal(parse_table(&setup, "{\"game\":\"soumsoum\"}", &fault), FM_OK);
    assert_int_equal(
        parse_table(&market, "{\"game\":\"soumsoum\",\"options\":{\"market\":true}}", &fault),
        FM_OK);
    fm_fair_commitment(c[0], seed, table, &setup);
    fm_fair_commitment(c[1], other_seed, table, &setup);
    fm_fair_commitment(c[2], seed, other_table, &setup);
    fm_fair_commitment(c[3], seed, table, &market);
    setup.deck.hash[0] ^= 1;
    fm_fair_commitment(c[4], seed, table, &setup);
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < i; k++)
            assert_memory_not_equal(c[i], c[k], 32);
}

static void seeds_are_committed_to(void **state)
{
    (void)state;
    uint8_t a[32], b[32], deal[32];
    fm_commitment(a, (const uint8_t[FM_SEED_BYTES]){1});
    fm_commitment(b, (const uint8_t[FM_SEED_BYTES]){2});
    fm_deal_seed(deal, (const uint8_t[FM_SEED_BYTES]){1});
    assert_memory_not_equal(a, b, 32);
    assert_memory_not_equal(a, deal, 32); /* the commitment does not give the deal away */
}

/* ---- the simulator --------------------------------------------------------------------------- */

static struct fm_choice bids_then_locks(struct fm_view v, struct fm_rng *rng,
                                        struct fm_budget budget)
{
    (void)rng;
    (void)budget;
    const struct toy_priv *priv = (const void *)v.priv;
    return priv->bid ? (struct fm_choice){TOY_LOCK, 100} : (struct fm_choice){TOY_BID | 1 << 8, 50};
}

static struct fm_choice sleeps(struct fm_view v, struct fm_rng *rng, struct fm_budget budget)
{
    (void)v;
    (void)rng;
    (void)budget;
    return (struct fm_choice){0, 0};
}

static struct fm_choice bids_at_the_last_moment(struct fm_view v, struct fm_rng *rng,
                                                struct fm_budget budget)
{
    (void)rng;
    (void)budget;
    const struct toy_priv *priv = (const void *)v.priv;
    return priv->bid ? (struct fm_choice){0, 0}
                     : (struct fm_choice){TOY_BID | 3 << 8, v.pub->deadline_ms - v.pub->now_ms};
}

static const struct fm_bot quick = {.id = "quick", .think = bids_then_locks};
static const struct fm_bot asleep = {.id = "asleep", .think = sleeps};
static const struct fm_bot late = {.id = "late", .think = bids_at_the_last_moment};

static void simulated_time_is_the_bots_time(void **state)
{
    (void)state;
    static struct fm_sim sim;
    struct fm_setup setup;
    struct fm_event ev;
    const struct fm_bot *bots[] = {&quick, &quick};
    toy_table(&setup, 2);
    assert_int_equal(fm_sim_start(&sim, &setup, bots, (struct fm_budget){0}, NULL), FM_OK);
    static const struct {
        uint32_t t_ms;
        uint8_t seat;
    } expected[] = {{50, 0}, {50, 1}, {150, 0}, {250, 1}};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(fm_sim_step(&sim, &ev, NULL), FM_OK);
        assert_int_equal(ev.t_ms, expected[i].t_ms);
        assert_int_equal(ev.seat, expected[i].seat);
    }
}

static void the_deadline_comes_when_nobody_acts(void **state)
{
    (void)state;
    static struct fm_sim sim;
    struct fm_setup setup;
    struct fm_event ev;
    const struct fm_bot *bots[] = {&asleep, &asleep};
    toy_table(&setup, 2);
    assert_int_equal(fm_sim_start(&sim, &setup, bots, (struct fm_budget){0}, NULL), FM_OK);
    for (uint32_t round = 1; round <= 3; round++) {
        assert_int_equal(fm_sim_step(&sim, &ev, NULL), FM_OK);
        assert_int_equal(ev.seat, FM_TABLE);
        assert_int_equal(ev.t_ms, round * TOY_ROUND_MS);
    }
    assert_true(fm_sim_over(&sim));
}

static void actions_at_the_deadline_come_first(void **state)
{
    (void)state;
    static struct fm_sim sim;
    struct fm_setup setup;
    struct fm_event ev;
    const struct fm_bot *bots[] = {&asleep, &late};
    toy_table(&setup, 2);
    assert_int_equal(fm_sim_start(&sim, &setup, bots, (struct fm_budget){0}, NULL), FM_OK);
    assert_int_equal(fm_sim_step(&sim, &ev, NULL), FM_OK);
    assert_int_equal(ev.seat, 1);
    assert_int_equal(ev.t_ms, TOY_ROUND_MS);
    assert_int_equal(fm_sim_step(&sim, &ev, NULL), FM_OK);
    assert_int_equal(ev.seat, FM_TABLE);
    assert_int_equal(ev.t_ms, TOY_ROUND_MS);
}

static void a_table_that_waits_for_nothing_is_stuck(void **state)
{
    (void)state;
    static struct fm_sim sim;
    struct fm_setup setup;
    struct fm_fault fault;
    struct fm_event ev;
    const struct fm_bot *bots[] = {&asleep, &asleep};
    assert_int_equal(parse_table(&setup, "{\"game\":\"soumsoum\"}", &fault), FM_OK);
    assert_int_equal(fm_sim_start(&sim, &setup, bots, (struct fm_budget){0}, NULL), FM_OK);
    assert_int_equal(fm_sim_step(&sim, &ev, NULL), FM_E_STUCK);
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

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_read_from_text),
        cmocka_unit_test(hidden_actions_move_only_their_own_seat),
        cmocka_unit_test(open_actions_are_counted_for_all),
        cmocka_unit_test(events_are_vetted),
        cmocka_unit_test(notes_are_cut),
        cmocka_unit_test(replay_names_the_event_that_diverged),
        cmocka_unit_test(watchers_have_no_private_block),
        cmocka_unit_test(tables_have_defaults),
        cmocka_unit_test(wrong_tables_are_refused_by_key),
        cmocka_unit_test(builtin_decks_are_fine_and_named_after_their_file),
        cmocka_unit_test(a_librarys_deck_goes_before_the_builtin_one),
        cmocka_unit_test(records_replay),
        cmocka_unit_test(every_changed_byte_is_found_on_its_line),
        cmocka_unit_test(cut_records_are_found),
        cmocka_unit_test(moved_lines_are_found),
        cmocka_unit_test(seeds_are_committed_to),
        cmocka_unit_test(records_of_fair_deals_replay),
        cmocka_unit_test(a_seats_chance_cannot_be_left_out_or_replaced),
        cmocka_unit_test(a_fair_commitment_binds_seed_table_options_and_deck),
        cmocka_unit_test(simulated_time_is_the_bots_time),
        cmocka_unit_test(the_deadline_comes_when_nobody_acts),
        cmocka_unit_test(actions_at_the_deadline_come_first),
        cmocka_unit_test(a_table_that_waits_for_nothing_is_stuck),
        cmocka_unit_test(actions_can_be_typed),
    };
    if (fm__hash_start() != 0)
        return 1;
    return tests_run("core", tests, sizeof tests / sizeof tests[0]);
}
