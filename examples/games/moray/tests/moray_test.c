/* moray_test.c: what scenarios cannot say of Moray: all fish are accounted for, whatever is played;
 * what a seat does not see; decks that are refused; how well grouper plays. */
#include "moray/rules/moray_state.h"
#include "tests.h"

#include "core/flat.h"

#include <fathom/games.h>
#include <fathom/sim.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static void set_up(struct fm_setup *setup, const char *text)
{
    struct fm_fault fault;
    assert_int_equal(fm_setup_read(setup, text, strlen(text), NULL, &fault), FM_OK);
}

static const char *const tables[] = {
    "{\"game\":\"moray\"}",
    "{\"game\":\"moray\",\"options\":{\"players\":3}}",
    "{\"game\":\"moray\",\"options\":{\"players\":4,\"hungry\":true}}",
};

typedef void visit(const struct moray_state *s, const struct fm_notes *notes);

/* Random matches of all tables; `look` is called after the deal and after each event. */
static void play(visit *look)
{
    for (unsigned i = 0; i < 60; i++) {
        static struct fm_notes notes;
        struct fm_setup setup;
        struct moray_state s;
        struct fm_rng rng;
        set_up(&setup, tables[i % 3]);
        setup.seed[0] = (uint8_t)i;
        fm_rng_init(&rng, setup.seed, 7);
        notes.len = 0;
        assert_int_equal(fm_init(&s, &setup, &notes), FM_OK);
        look(&s, &notes);
        while (s.pub.head.status == FM_RUNNING) {
            const struct fm_view v = fm_view_of(&fm_game_moray, &s, s.pub.active);
            const struct fm_event ev = {.seat = s.pub.active,
                                        .action = fm_game_moray.sample(v, &rng)};
            notes.len = 0;
            assert_int_equal(fm_apply(&fm_game_moray, &s, &ev, &notes), FM_OK);
            look(&s, &notes);
        }
        assert_int_equal(s.pub.turns, MORAY_CARDS); /* M8: each fish is one turn */
    }
}

/* ---- the cards --------------------------------------------------------------------------------- */

struct heap { /* so many of each fish */
    unsigned n[256];
};

static void add(struct heap *heap, const uint8_t *fish, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        heap->n[fish[i]]++;
}

/* Everything that a viewer sees; FM_MAX_SEATS: everything there is. */
static struct heap seen_by(const struct moray_state *s, int seat)
{
    struct heap heap = {0};
    add(&heap, s->pub.gone, s->pub.gone_n);
    for (unsigned i = 0; i < MORAY_HOLES; i++)
        add(&heap, s->pub.hole[i], s->pub.hole_n[i]);
    for (int i = 0; i < s->pub.head.n_seats; i++)
        if (i == seat || seat == FM_MAX_SEATS)
            add(&heap, s->priv[i].hand, s->pub.hand_n[i]);
    if (seat == FM_MAX_SEATS)
        add(&heap, s->secret.pile, s->pub.pile_n);
    return heap;
}

static void check_cards(const struct moray_state *s, const struct fm_notes *notes)
{
    struct heap deck = {0};
    (void)notes;
    add(&deck, s->pub.deck, MORAY_CARDS);
    const struct heap all = seen_by(s, FM_MAX_SEATS);
    assert_memory_equal(&all, &deck, sizeof deck);
}

static void M2_no_fish_is_lost_or_doubled(void **context)
{
    (void)context;
    play(check_cards);
}

static void check_unseen(const struct moray_state *s, const struct fm_notes *notes)
{
    (void)notes;
    for (int seat = FM_WATCHER; seat < s->pub.head.n_seats; seat++) {
        uint8_t fish[MORAY_CARDS];
        struct heap deck = {0}, known = seen_by(s, seat);
        add(&deck, s->pub.deck, MORAY_CARDS);
        add(&known, fish, moray_unseen(fm_view_of(&fm_game_moray, s, seat), fish));
        assert_memory_equal(&known, &deck, sizeof deck);
    }
}

static void M11_unseen_is_what_lies_in_other_hands_and_the_pile(void **context)
{
    (void)context;
    play(check_unseen);
}

/* ---- points ------------------------------------------------------------------------------------ */

/* Holes are never full between turns, and scores move by what is told. */
static void check_points(const struct moray_state *s, const struct fm_notes *notes)
{
    static int8_t before[MORAY_SEATS];
    for (unsigned i = 0; i < MORAY_HOLES; i++)
        assert_true(moray_total(&s->pub, i) < s->pub.room[i]);
    if (s->pub.gone_n == 0)
        memset(before, 0, sizeof before);
    for (size_t i = 0; i < notes->len; i++) {
        const struct fm_note *note = &notes->item[i];
        if (note->kind == MORAY_FILLED)
            before[note->seat] = (int8_t)(before[note->seat] + (int)(note->open >> 8));
        if (note->kind == MORAY_BITTEN)
            before[note->seat] = (int8_t)(before[note->seat] - (int)(note->open >> 8));
    }
    assert_memory_equal(before, s->pub.score, sizeof before);
}

static void M5_M6_scores_are_what_was_told(void **context)
{
    (void)context;
    play(check_points);
}

/* ---- fixed numbers ----------------------------------------------------------------------------- */

static void check_flat(const struct moray_state *s, const struct fm_notes *notes)
{
    (void)notes;
    for (int seat = 0; seat < s->pub.head.n_seats; seat++) {
        const struct fm_view v = fm_view_of(&fm_game_moray, s, seat);
        fm_action legal[FM_MORAY_INDICES];
        uint64_t mask;
        unsigned listed = 0;
        moray_flat.mask(v, &mask);
        const size_t n = fm_game_moray.legal(v, legal, FM_MORAY_INDICES);
        assert_int_equal(__builtin_popcountll(mask), n);
        for (unsigned i = 0; i < FM_MORAY_INDICES; i++)
            for (size_t k = 0; k < n; k++)
                listed += (mask >> i & 1) && moray_flat.action(v, i, 0) == legal[k];
        assert_int_equal(listed, n);
    }
}

static void a_mask_has_a_bit_for_each_legal_action(void **context)
{
    (void)context;
    play(check_flat);
    struct fm_view v = {.game = &fm_game_moray, .seat = 0};
    assert_true(moray_flat.action(v, FM_MORAY_INDICES, 0) == 0);
    assert_true(moray_flat.action(v, 0, 1) == 0);
}

/* ---- decks ------------------------------------------------------------------------------------- */

static enum fm_err compile(const char *holes, const char *card, unsigned cards)
{
    static char text[4096];
    struct fm_deck deck;
    struct fm_fault fault;
    size_t n = (size_t)snprintf(text, sizeof text,
                                "{\"fathom_deck\":1,\"id\":\"own\",\"game\":\"moray\","
                                "\"title\":\"Own\",\"holes\":%s,\"cards\":[",
                                holes);
    for (unsigned i = 0; i < cards; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", i == 0 ? "" : ",", card);
    n += (size_t)snprintf(text + n, sizeof text - n, "]}");
    return fm_deck_parse(&deck, text, n, &fault);
}

static void decks_that_cannot_be_played_are_refused(void **context)
{
    (void)context;
    const char *goby = "{\"fish\":\"goby\",\"size\":1}";
    assert_int_equal(compile("[7,9,11]", goby, 36), FM_OK);
    assert_int_equal(compile("[5,15,5]", "{\"fish\":\"surgeon\",\"size\":9}", 36), FM_OK);
    assert_int_equal(compile("[7,9,11]", goby, 35), FM_E_VALUE);
    assert_int_equal(compile("[7,9]", goby, 36), FM_E_VALUE);
    assert_int_equal(compile("[7,9,16]", goby, 36), FM_E_VALUE);
    assert_int_equal(compile("[4,9,11]", goby, 36), FM_E_VALUE);
    assert_int_equal(compile("[7,9,11]", "{\"fish\":\"goby\",\"size\":0}", 36), FM_E_VALUE);
    assert_int_equal(compile("[7,9,11]", "{\"fish\":\"goby\",\"size\":10}", 36), FM_E_VALUE);
    assert_int_equal(compile("[7,9,11]", "{\"fish\":\"cod\",\"size\":1}", 36), FM_E_VALUE);
    assert_int_equal(compile("[7,9,11]", "{\"fish\":\"goby\"}", 36), FM_E_KEY);
}

/* ---- the bot ----------------------------------------------------------------------------------- */

/* Which seat wins one match, or -1 if they share it. */
static int duel(struct fm_setup *setup, const struct fm_bot *a, const struct fm_bot *b)
{
    static struct fm_sim sim;
    const struct fm_bot *const bots[] = {a, b};
    struct fm_outcome outcome;
    struct fm_event ev;
    assert_int_equal(fm_sim_start(&sim, setup, bots, (struct fm_budget){0}, NULL), FM_OK);
    while (!fm_sim_over(&sim))
        assert_int_equal(fm_sim_step(&sim, &ev, NULL), FM_OK);
    fm_game_moray.outcome(sim.state, &outcome);
    return outcome.winners == 3 ? -1 : outcome.winners - 1;
}

#define DUELS 1000 /* each played twice, with the seats changed */

static void grouper_beats_random(void **context)
{
    (void)context;
    const struct fm_bot *grouper = fm_bot_find(&fm_game_moray, "grouper");
    const struct fm_bot *random = fm_bot_find(&fm_game_moray, "random");
    struct fm_setup setup;
    double won = 0;
    set_up(&setup, tables[0]);
    for (unsigned i = 0; i < DUELS; i++) {
        memcpy(setup.seed, &i, sizeof i);
        const int first = duel(&setup, grouper, random), second = duel(&setup, random, grouper);
        won += first < 0 ? 0.5 : first == 0;
        won += second < 0 ? 0.5 : second == 1;
    }
    /* Half the width of a 99.9 % interval; the two games of a deal count as one sample at worst. */
    const double share = won / (2 * DUELS), half = 3.29 * sqrt(0.25 / DUELS);
    print_message("# grouper wins %.1f %% ± %.1f against random\n", 100 * share, 100 * half);
    assert_true(share - half > 0.75);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(M2_no_fish_is_lost_or_doubled),
        cmocka_unit_test(M11_unseen_is_what_lies_in_other_hands_and_the_pile),
        cmocka_unit_test(M5_M6_scores_are_what_was_told),
        cmocka_unit_test(a_mask_has_a_bit_for_each_legal_action),
        cmocka_unit_test(decks_that_cannot_be_played_are_refused),
        cmocka_unit_test(grouper_beats_random),
    };
    return tests_run("moray", tests, sizeof tests / sizeof tests[0]);
}
