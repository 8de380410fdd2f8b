/* bounds_test.c: the longest matches that a table lets people play: they end, and can be stored. */
#include "tests.h"

#include "base/hash.h"
#include "base/panic.h"
#include "dive/rules/dive_state.h"
#include "divercity/rules/divercity.h"
#include "server/table.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static struct srv_table table;
static struct srv_draft draft;
static uint64_t now_ms;
static size_t record_n; /* of the game that ended; 0: none did */

static void commit(void)
{
    struct fm_fault fault;
    if (draft.change.record != NULL)
        record_n = draft.change.record_n;
    assert_int_equal(srv_table_commit(&table, &draft, &fault), FM_OK);
    srv_draft_finish(&draft);
}

static void begin(const char *body, uint8_t seed)
{
    const uint8_t token[ST_HASH_BYTES] = {1};
    struct srv_made made = {.id = {{1}}, .code = "ABC234", .now_ms = 1000, .seed = {seed}};
    struct fm_fault fault;
    json_t *json = json_loads(body, 0, NULL), *name = json_loads("{\"name\":\"A\"}", 0, NULL);
    int seat;
    now_ms = 1000;
    record_n = 0;
    srv_table_init(&table);
    assert_int_equal(srv_draft_made(&draft, &made, json, &fault), FM_OK);
    assert_int_equal(srv_table_read(&table, &made.id, draft.text, draft.n, NULL, &fault), FM_OK);
    for (int i = 0; i < table.setup.n_seats; i++) {
        assert_int_equal(srv_draft_sat(&draft, &table, name, token, &seat, &fault), FM_OK);
        commit();
    }
    assert_int_equal(srv_draft_started(&draft, &table, now_ms, &fault), FM_OK);
    commit();
    json_decref(json);
    json_decref(name);
}

static enum fm_err act(int seat, fm_action action)
{
    struct fm_fault fault;
    const enum fm_err err =
        srv_draft_did(&draft, &table, seat, NULL, action, now_ms += 10, 0, &fault);
    if (err == FM_OK)
        commit();
    else
        srv_draft_finish(&draft);
    return err;
}

static const struct fm_pub *pub(void)
{
    return (const void *)table.match;
}

static const struct dive_state *dive(void)
{
    return (const void *)table.match;
}

static fm_action dive_do(enum dive_verb verb)
{
    return dive_action(verb, 0);
}

/* One token on level 1, with the face that is wrong: a card is turned and nobody moves. */
static fm_action wrong_program(void)
{
    const struct dive_state *s = dive();
    const unsigned top = s->secret.stack[s->pub.stack_n - 1] & (DIVE_KINDS - 1);
    json_t *shark =
        json_loads("{\"do\":\"program\",\"levels\":[{\"tokens\":[1],\"shark\":true}]}", 0, NULL);
    json_t *none =
        json_loads("{\"do\":\"program\",\"levels\":[{\"tokens\":[1],\"shark\":false}]}", 0, NULL);
    struct fm_fault fault;
    fm_action a, b;
    assert_int_equal(table.setup.game->wire->parse_action(&a, shark, &fault), FM_OK);
    assert_int_equal(table.setup.game->wire->parse_action(&b, none, &fault), FM_OK);
    json_decref(shark);
    json_decref(none);
    return (top & DIVE_SHARK) != 0 ? b : a;
}

/* Whatever may be repeated is repeated until it is refused, and only then is everybody ready. */
static void waste_a_round(void)
{
    for (int seat = 0; seat < table.setup.n_seats; seat++) {
        const fm_action program = wrong_program();
        enum fm_err err = FM_OK;
        while (err == FM_OK)
            err = act(seat, program);
        assert_int_equal(err, FM_E_OFTEN);
    }
    const int round = dive()->pub.round;
    for (int seat = 0; seat < table.setup.n_seats; seat++)
        assert_int_equal(act(seat, dive_do(DIVE_DO_READY)), FM_OK);
    assert_true(dive()->pub.round > round || table.state == ST_OVER);
}

static void assert_stored(void)
{
    assert_int_equal(table.state, ST_OVER);
    assert_true(table.n_events < FM_EVENTS_MAX);
    assert_true(record_n > 0 && record_n <= ST_RECORD_MAX);
    srv_table_finish(&table);
}

/* Rounds of Dive without a card turned end by the clock or by one fugu. In a round each seat may do
 * three things besides what is bounded: be ready, make the one program that lets it, and use or
 * refuse a companion. A ready more goes with every unready. */
#define DIVE_ROUNDS (DIVE_CARDS + SRV_CLOCK_WORDS + 1)
_Static_assert(2 * SRV_REPEATS_MATCH + SRV_CLOCK_WORDS + DIVE_ROUNDS * DIVE_SEATS * 3 <=
                   FM_EVENTS_MAX,
               "every game of Dive that somebody plays on ends");

static void W05_a_game_of_programs_replaced_ends_and_is_stored(void **state)
{
    (void)state;
    begin("{\"game\":\"dive\",\"options\":{\"divers\":4}}", 1);
    while (table.state == ST_PLAYING)
        waste_a_round();
    assert_true(table.n_events > 4000); /* it was long */
    assert_stored();
}

static void W05_a_game_of_ready_and_unready_ends_and_is_stored(void **state)
{
    (void)state;
    begin("{\"game\":\"dive\",\"options\":{\"divers\":4}}", 2);
    while (table.state == ST_PLAYING) {
        for (int seat = 0; seat < 4; seat++)
            assert_int_equal(act(seat, wrong_program()), FM_OK);
        for (int seat = 0; seat < 3; seat++) {
            enum fm_err err = FM_OK;
            while (err == FM_OK) {
                assert_int_equal(act(seat, dive_do(DIVE_DO_READY)), FM_OK);
                err = act(seat, dive_do(DIVE_DO_UNREADY));
            }
            assert_int_equal(err, FM_E_OFTEN);
        }
        assert_int_equal(act(3, dive_do(DIVE_DO_READY)), FM_OK);
    }
    assert_true(table.n_events > 8000);
    assert_stored();
}

static void W05_a_seat_that_repeats_itself_is_not_locked_out(void **state)
{
    (void)state;
    begin("{\"game\":\"dive\",\"options\":{\"divers\":2}}", 3);
    const fm_action nothing = dive_do(DIVE_DO_PROGRAM), program = wrong_program();
    for (int i = 0; i < SRV_REPEATS; i++)
        assert_int_equal(act(0, nothing), FM_OK);
    assert_int_equal(act(0, nothing), FM_E_OFTEN);
    assert_int_equal(act(0, dive_do(DIVE_DO_READY)), FM_E_NO_TOKEN);
    assert_int_equal(act(1, program), FM_OK);      /* others are not bound by it */
    assert_int_equal(act(0, program), FM_OK);      /* the last one, to be ready with */
    assert_int_equal(act(0, nothing), FM_E_OFTEN); /* it stands */
    assert_int_equal(act(0, program), FM_E_OFTEN);
    assert_int_equal(act(0, dive_do(DIVE_DO_READY)), FM_OK);
    assert_int_equal(act(0, dive_do(DIVE_DO_UNREADY)), FM_E_OFTEN);
    assert_int_equal(act(1, dive_do(DIVE_DO_READY)), FM_OK);
    assert_int_equal(act(0, nothing), FM_OK); /* another round */
    srv_table_finish(&table);
}

/* The way on for a bot in such a seat. */
static void W05_a_bot_in_the_seat_of_one_who_repeated_goes_on(void **state)
{
    (void)state;
    begin("{\"game\":\"dive\",\"options\":{\"divers\":2}}", 3);
    const fm_action program = wrong_program();
    while (act(0, program) == FM_OK)
        continue;
    const fm_action way = srv_unrepeated_action(fm_view_of(table.setup.game, table.match, 0));
    assert_int_equal(way, dive_do(DIVE_DO_READY));
    assert_int_equal(act(0, way), FM_OK);
    assert_int_equal(srv_unrepeated_action(fm_view_of(table.setup.game, table.match, 0)), 0);
    srv_table_finish(&table);
}

static void W05_a_clock_alone_does_not_fill_the_record(void **state)
{
    (void)state;
    struct fm_fault fault;
    unsigned words = 0;
    begin("{\"game\":\"dive\",\"options\":{\"divers\":2,\"clock\":1}}", 4);
    while (srv_table_deadline(&table) != 0 && words < FM_EVENTS_MAX) {
        now_ms = srv_table_deadline(&table);
        const enum fm_err err = srv_draft_clock(&draft, &table, now_ms, &fault);
        assert_int_equal(err, FM_OK);
        commit();
        words++;
    }
    assert_int_equal(words, SRV_CLOCK_WORDS);
    now_ms += (uint64_t)86400 * 1000; /* nobody is late any more */
    assert_int_equal(srv_draft_clock(&draft, &table, now_ms, &fault), FM_E_TIME);
    while (table.state == ST_PLAYING)
        waste_a_round();
    assert_stored();
}

/* Claims are open at any time; everything else in DiverCity uses cards or lets hotels be built. */
static void talk_on(struct fm_rng *rng)
{
    const struct fm_game *g = table.setup.game;
    for (int seat = 0; seat < table.setup.n_seats; seat++) {
        if (!(pub()->owes >> seat & 1))
            continue;
        fm_action legal[FM_LEGAL_MAX], chosen = 0;
        const struct fm_view v = fm_view_of(g, table.match, seat);
        const size_t n = g->legal(v, legal, FM_LEGAL_MAX);
        for (size_t i = 0; i < n; i++) /* what uses no card, if there is such a thing */
            if (fm_verb(legal[i]) == DIVERCITY_DO_WALKIE)
                chosen = legal[i];
        const struct divercity_pub *d = (const void *)pub();
        for (size_t i = 0; i < n && (d->hotels & (d->hotels - 1)) != 0; i++)
            if (fm_verb(legal[i]) == DIVERCITY_DO_CLOSE)
                chosen = legal[i];
        assert_int_equal(act(seat, chosen != 0 ? chosen : g->sample(v, rng)), FM_OK);
        return;
    }
    fail_msg("nobody is asked anything");
}

static void W05_a_game_of_claims_ends_and_is_stored(void **state)
{
    (void)state;
    struct fm_rng rng;
    size_t most = 0;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){5}, 0);
    for (uint8_t seed = 0; seed < 3; seed++) {
        begin("{\"game\":\"divercity\",\"options\":{\"divers\":6}}", seed);
        const fm_action claim = divercity_claim(0, DIVERCITY_NONE, DIVERCITY_NONE);
        while (table.state == ST_PLAYING) {
            const struct divercity_pub *d = (const void *)pub();
            for (int seat = 0; seat < 6; seat++) {
                enum fm_err err = FM_OK;
                while (err == FM_OK)
                    err = act(seat, claim);
                assert_true(err == FM_E_OFTEN || (err == FM_E_NO_CARD && d->hand_n[seat] == 0));
            }
            talk_on(&rng);
        }
        most = table.n_events > most ? table.n_events : most;
        assert_stored();
    }
    assert_true(most > 1000);
}

/* ---- lines of records ----------------------------------------------------------------------- */

static size_t longest_line(const struct fm_setup *setup, fm_action action, const void *match)
{
    static char text[FM_RECORD_LINE];
    struct fm_recorder r = {.setup = setup};
    const struct fm_event ev = {.t_ms = INT32_MAX, .seat = 6, .action = action};
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    fm_record_event(&r, &o, &ev, match);
    assert_true(fm_out_ok(&o));
    return o.len;
}

/* All of them, at random: the longest is met soon, and there is room for twice that. */
static void W05_no_line_of_a_record_is_longer_than_its_bound(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "{\"game\":\"soumsoum\",\"options\":{\"players\":4,\"market\":true}}",
        "{\"game\":\"dive\",\"options\":{\"divers\":4,\"companions\":\"ten\"}}",
        "{\"game\":\"dive\",\"options\":{\"divers\":4,\"children\":true}}",
        "{\"game\":\"divercity\",\"options\":{\"divers\":2,\"realistic\":true}}",
        ("{\"game\":\"divercity\",\"options\":{\"divers\":6,\"industrialist\":true,\"any_turn\":"
         "true}}"),
    };
    struct fm_rng rng;
    size_t longest = 0;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){6}, 0);
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        begin(bodies[i], (uint8_t)i);
        for (int k = 0; k < 4000 && table.state == ST_PLAYING; k++) {
            const int seat = (int)fm_rng_below(&rng, table.setup.n_seats);
            const struct fm_game *g = table.setup.game;
            const fm_action action = g->sample(fm_view_of(g, table.match, seat), &rng);
            if (action == 0)
                continue;
            const size_t n = longest_line(&table.setup, action, table.match);
            longest = n > longest ? n : longest;
            const enum fm_err err = act(seat, action);
            assert_true(err == FM_OK || err == FM_E_OFTEN);
            if (err == FM_E_OFTEN)
                (void)act(seat, srv_unrepeated_action(fm_view_of(g, table.match, seat)));
        }
        srv_table_finish(&table);
    }
    assert_true(longest > 100 && longest <= SRV_RECORD_LINE * 3 / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(W05_a_game_of_programs_replaced_ends_and_is_stored),
        cmocka_unit_test(W05_a_game_of_ready_and_unready_ends_and_is_stored),
        cmocka_unit_test(W05_a_seat_that_repeats_itself_is_not_locked_out),
        cmocka_unit_test(W05_a_bot_in_the_seat_of_one_who_repeated_goes_on),
        cmocka_unit_test(W05_a_clock_alone_does_not_fill_the_record),
        cmocka_unit_test(W05_a_game_of_claims_ends_and_is_stored),
        cmocka_unit_test(W05_no_line_of_a_record_is_longer_than_its_bound),
    };
    fm_assert(fm__hash_start() == 0);
    return tests_run("bounds", tests, sizeof tests / sizeof tests[0]);
}
