/* divercity_test.c: rules of DiverCity that are about many games, about what seats are told and
 * remember, and about decks; scenarios hold the rest. */
#include "tests.h"

#include "base/hash.h"
#include "base/json_in.h"
#include "divercity/rules/divercity_state.h"

#include <fathom/games.h>

#include <stdio.h>
#include <string.h>

#define GAME (&fm_game_divercity)

static struct divercity_state s; /* the match of the running test */
static struct fm_notes notes;    /* of its last event */

/* ---- tables and moves ------------------------------------------------------------------------ */

static void set_up(struct fm_setup *setup, const char *table)
{
    struct fm_fault fault = {0};
    json_t *json = fm_json_load(table, strlen(table), &fault);
    assert_non_null(json);
    if (fm_setup_parse(setup, json, NULL, &fault) != FM_OK)
        fail_msg("%s", fault.text);
    json_t *position = json_object_get(json, "setup");
    if (position != NULL && GAME->wire->parse_position(setup, position, &fault) != FM_OK)
        fail_msg("%s", fault.text);
    json_decref(json);
}

static void begin(const char *table)
{
    struct fm_setup setup;
    set_up(&setup, table);
    notes.len = 0;
    assert_int_equal(fm_init(&s, &setup, &notes), FM_OK);
}

static enum fm_err act(const char *action)
{
    struct fm_fault fault;
    struct fm_event ev = {0};
    json_t *json = fm_json_load(action, strlen(action), &fault);
    assert_non_null(json);
    notes.len = 0;
    enum fm_err err = fm_event_parse(GAME, &ev, json, &fault);
    json_decref(json);
    if (err == FM_OK)
        err = fm_apply(GAME, &s, &ev, &notes);
    return err;
}

static void step(struct fm_rng *rng)
{
    const int seat = __builtin_ctz(s.pub.head.owes);
    const struct fm_event ev = {.seat = (uint8_t)seat,
                                .action = GAME->sample(fm_view_of(GAME, &s, seat), rng)};
    notes.len = 0;
    assert_int_equal(fm_apply(GAME, &s, &ev, &notes), FM_OK);
}

/* What a viewer is told of the last event. */
static const char *told(int viewer)
{
    static char text[4096];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    fm_put_notes(&o, fm_view_of(GAME, &s, viewer), &notes, false);
    assert_true(fm_out_ok(&o));
    return text;
}

static void assert_says(const char *text, const char *what)
{
    if (strstr(text, what) == NULL)
        fail_msg("\"%s\" is not in %s", what, text);
}

static void assert_silent(const char *text, const char *what)
{
    if (strstr(text, what) != NULL)
        fail_msg("\"%s\" is in %s", what, text);
}

static const char *const tables[] = {
    "{\"game\":\"divercity\"}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":1}}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":3,\"diver_cards\":\"full-team\"}}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":6,\"industrialist\":true}}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":1,\"industrialist\":true}}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":4,\"realistic\":true,\"any_turn\":true}}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":5,\"beginners\":true}}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":2,\"empty_deck\":\"loss\"}}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":3,\"face_up\":true,\"level\":\"freediving\"}}",
    "{\"game\":\"divercity\",\"rules\":1,\"options\":{\"divers\":3}}",
    "{\"game\":\"divercity\",\"rules\":1,\"options\":{\"divers\":4,\"industrialist\":true}}",
};
#define N_TABLES (sizeof tables / sizeof tables[0])

/* Each card of the box lies somewhere, once. */
static void assert_nothing_is_lost(const struct divercity_state *state)
{
    const struct divercity_pub *pub = &state->pub;
    unsigned species[DIVERCITY_SPECIES] = {0}, corps = 0;
    for (unsigned i = 0; i < pub->deck_n; i++)
        species[state->secret.deck[i]]++;
    for (unsigned i = 0; i < pub->discard_n; i++)
        species[pub->discard[i]]++;
    for (unsigned i = 0; i < DIVERCITY_SPECIES; i++)
        species[i] += pub->boat[i];
    for (unsigned hand = 0; hand < pub->n_hands; hand++)
        for (unsigned i = 0; i < pub->hand_n[hand]; i++)
            species[state->secret.hand[hand][i]]++;
    for (unsigned i = 0; i < DIVERCITY_SPECIES; i++)
        assert_int_equal(species[i], 5);

    uint8_t left[DIVERCITY_CORPORATIONS];
    memcpy(left, pub->corps_in_box, sizeof left);
    uint8_t all[DIVERCITY_CORPS];
    memcpy(all, state->secret.corp_deck, pub->corp_deck_n);
    corps = pub->corp_deck_n;
    memcpy(all + corps, pub->corp_discard, pub->corp_discard_n);
    corps += pub->corp_discard_n;
    memcpy(all + corps, state->secret.industry, pub->industry_n);
    corps += pub->industry_n;
    if (pub->open != 0)
        all[corps++] = pub->open;
    assert_int_equal(corps, DIVERCITY_CORPORATIONS);
    for (unsigned i = 0; i < corps; i++) {
        uint8_t *there = memchr(left, all[i], sizeof left);
        assert_non_null(there);
        *there = 0;
    }
}

/* ---- rules about many games -------------------------------------------------------------------- */

static void C1_no_card_is_ever_lost(void **state)
{
    (void)state;
    static struct divercity_state world;
    for (unsigned t = 0; t < N_TABLES; t++) {
        struct fm_setup setup;
        struct fm_rng rng;
        set_up(&setup, tables[t]);
        for (unsigned i = 0; i < 150; i++) {
            setup.seed[0] = (uint8_t)i;
            fm_rng_init(&rng, setup.seed, 1);
            assert_int_equal(fm_init(&s, &setup, NULL), FM_OK);
            while (s.pub.head.status == FM_RUNNING) {
                assert_nothing_is_lost(&s);
                assert_int_equal(GAME->deal(&world, fm_view_of(GAME, &s, 0), &rng), FM_OK);
                assert_nothing_is_lost(&world); /* nor in what a seat takes to be possible */
                step(&rng);
            }
            assert_nothing_is_lost(&s);
        }
    }
}

static void C2_random_diver_cards_are_dealt_one_each(void **state)
{
    (void)state;
    struct fm_setup setup;
    unsigned count[DIVERCITY_DIVERS] = {0};
    set_up(&setup, "{\"game\":\"divercity\",\"options\":{\"divers\":6}}");
    for (unsigned i = 0; i < 4000; i++) {
        unsigned of_hand[DIVERCITY_HANDS] = {0};
        memcpy(setup.seed, &i, sizeof i);
        assert_int_equal(fm_init(&s, &setup, NULL), FM_OK);
        for (unsigned diver = 0; diver < DIVERCITY_DIVERS; diver++) {
            if (s.pub.owner[diver] == DIVERCITY_NONE)
                continue;
            of_hand[s.pub.owner[diver]]++;
            count[diver]++;
        }
        for (unsigned hand = 0; hand < 6; hand++)
            assert_int_equal(of_hand[hand], 1);
    }
    for (unsigned diver = 0; diver < DIVERCITY_DIVERS; diver++)
        assert_in_range(count[diver], 2850, 3150); /* 3000 expected */
}

static void C4_the_first_diver_is_random(void **state)
{
    (void)state;
    struct fm_setup setup;
    unsigned first[4] = {0};
    set_up(&setup, "{\"game\":\"divercity\",\"options\":{\"divers\":4,\"industrialist\":true}}");
    for (unsigned i = 0; i < 4000; i++) {
        memcpy(setup.seed, &i, sizeof i);
        assert_int_equal(fm_init(&s, &setup, NULL), FM_OK);
        first[s.pub.active]++;
    }
    for (unsigned hand = 0; hand < 4; hand++)
        assert_in_range(first[hand], 850, 1150);
}

static void assert_any_card_is_dynamited(uint8_t rules, unsigned discarded, unsigned boat)
{
    struct fm_setup setup;
    unsigned hit[DIVERCITY_SPECIES] = {0};
    set_up(&setup, "{\"game\":\"divercity\",\"options\":{\"diver_cards\":\"none\"},\"setup\":{"
                   "\"species_deck\":[],\"species_discard\":[\"crab\",\"eel\",\"crab\",\"manta\"],"
                   "\"hands\":[[\"oyster\"],[\"oyster\"]],\"corporation_deck\":[[\"boat\"]]}}");
    setup.rules = rules;
    for (unsigned i = 0; i < 4000; i++) {
        memcpy(setup.seed, &i, sizeof i);
        assert_int_equal(fm_init(&s, &setup, NULL), FM_OK);
        assert_int_equal(s.pub.discard_n, discarded);
        assert_int_equal(s.pub.boat_n, boat);
        hit[__builtin_ctz(s.pub.zone[DIVERCITY_RED])]++;
    }
    assert_in_range(hit[1], 1850, 2150); /* crab: two of four */
    assert_in_range(hit[7], 850, 1150);  /* eel */
    assert_in_range(hit[5], 850, 1150);  /* manta */
}

static void C7_any_discarded_card_may_be_dynamited_again(void **state)
{
    (void)state;
    assert_any_card_is_dynamited(1, 4, 0);
    assert_any_card_is_dynamited(2, 1, 3);
}

static void C7_the_boat_pile_turns_each_card_over_once(void **state)
{
    (void)state;
    struct fm_setup setup;
    set_up(&setup, "{\"game\":\"divercity\",\"rules\":2,\"options\":{\"diver_cards\":\"none\"},"
                   "\"setup\":{\"active\":0,\"species_deck\":[],"
                   "\"species_discard\":[\"crab\",\"eel\",\"crab\",\"manta\"],"
                   "\"hands\":[[\"oyster\"],[\"oyster\"]],"
                   "\"corporation_deck\":[[\"boat\"],[\"boat\"],[\"boat\"],[\"boat\"]]}}");
    for (unsigned i = 0; i < 100; i++) {
        memcpy(setup.seed, &i, sizeof i);
        assert_int_equal(fm_init(&s, &setup, NULL), FM_OK);
        for (unsigned turned = 1; turned <= 4; turned++) {
            assert_int_equal(s.pub.discard_n, turned);
            assert_int_equal(s.pub.boat_n, 4 - turned);
            const struct fm_event talk = {
                .seat = s.pub.active,
                .action = divercity_talk(DIVERCITY_DO_WALKIE, 1u - s.pub.active, 0)};
            if (turned < 4)
                assert_int_equal(fm_apply(GAME, &s, &talk, NULL), FM_OK);
        }
        unsigned seen[DIVERCITY_SPECIES] = {0};
        for (unsigned k = 0; k < 4; k++)
            seen[s.pub.discard[k]]++;
        assert_true(seen[1] == 2 && seen[7] == 1 && seen[5] == 1);
    }
}

static void C8_hotels_only_come_and_go_by_card_and_closing(void **state)
{
    (void)state;
    struct fm_setup setup;
    struct fm_rng rng;
    set_up(&setup, tables[0]);
    fm_rng_init(&rng, setup.seed, 1);
    assert_int_equal(fm_init(&s, &setup, NULL), FM_OK);
    while (s.pub.head.status == FM_RUNNING) {
        const unsigned before = s.pub.hotels;
        step(&rng);
        unsigned after = before;
        for (size_t i = 0; i < notes.len; i++) {
            const struct fm_note *note = &notes.item[i];
            if (note->kind == DIVERCITY_BUILT)
                after |= 1u << note->open;
            if (note->kind == DIVERCITY_UNBUILT)
                after &= ~(1u << note->open);
            if (note->kind == DIVERCITY_CLOSED)
                after &= ~(1u << (note->open >> 16));
        }
        assert_int_equal(s.pub.hotels, after);
    }
}

static void C16_C19_every_end_has_its_reason(void **state)
{
    (void)state;
    for (unsigned t = 0; t < N_TABLES; t++) {
        struct fm_setup setup;
        struct fm_rng rng;
        set_up(&setup, tables[t]);
        for (unsigned i = 0; i < 300; i++) {
            memcpy(setup.seed, &i, sizeof i);
            fm_rng_init(&rng, setup.seed, 1);
            assert_int_equal(fm_init(&s, &setup, NULL), FM_OK);
            while (s.pub.head.status == FM_RUNNING)
                step(&rng);
            const unsigned saved = (unsigned)__builtin_popcount(s.pub.zone[DIVERCITY_SAVED]);
            const unsigned extinct = (unsigned)__builtin_popcount(s.pub.zone[DIVERCITY_EXTINCT]);
            unsigned cards = 0;
            for (unsigned hand = 0; hand < s.pub.n_hands; hand++)
                cards += s.pub.hand_n[hand];
            assert_int_equal(saved >= s.pub.to_save, s.pub.reason == DIVERCITY_BY_SAVED);
            assert_int_equal(extinct >= s.pub.to_lose, s.pub.reason == DIVERCITY_BY_EXTINCT);
            assert_int_equal(s.pub.hotels == 63, s.pub.reason == DIVERCITY_BY_HOTELS);
            assert_true(s.pub.reason != DIVERCITY_BY_STUCK || cards == 0);
            struct fm_outcome outcome;
            GAME->outcome(&s, &outcome);
            assert_int_equal(outcome.reason, s.pub.reason);
        }
    }
}

/* ---- what seats are told and remember ----------------------------------------------------------- */

#define QUIET "\"corporation_deck\":[]"

static void C10_everybody_at_the_table_hears_the_walkie_talkie(void **state)
{
    (void)state;
    begin("{\"game\":\"divercity\",\"options\":{\"divers\":3,\"diver_cards\":\"none\"},\"setup\":{"
          "\"active\":0," QUIET ",\"hands\":[[\"crab\"],[\"eel\",\"manta\"],[\"oyster\"]]}}");
    assert_int_equal(act("{\"seat\":0,\"do\":\"walkie\",\"target\":1}"), FM_OK);
    for (int seat = 0; seat < 3; seat++)
        assert_says(told(seat), "\"target\":1,\"cards\":[\"eel\",\"manta\"]");
    assert_says(told(FM_WATCHER), "\"target\":1,\"cards\":[null,null]");
}

static void C24_only_the_visionary_knows_the_order(void **state)
{
    (void)state;
    begin("{\"game\":\"divercity\",\"setup\":{\"active\":0,\"corporation_deck\":[[\"boat\"],"
          "[\"rig\"],[\"boat\"],[\"hotels:red+purple\"],[\"rig\",\"boat\"],[\"rig\"]],"
          "\"diver_cards\":[[\"visionary\"],[]]}}");
    assert_int_equal(act("{\"seat\":0,\"do\":\"diver\",\"use\":\"visionary\"}"), FM_OK);
    assert_says(told(0), "[[\"rig\"],[\"boat\"],[\"hotels:red+purple\"],[\"rig\",\"boat\"]]");
    assert_says(told(1), "\"cards\":[null,null,null,null]");
    assert_int_equal(act("{\"seat\":0,\"do\":\"reorder\",\"order\":[3,1,0,2]}"), FM_OK);
    assert_says(told(0), "[[\"rig\",\"boat\"],[\"boat\"],[\"rig\"],[\"hotels:red+purple\"]]");
    assert_says(told(1), "\"cards\":[null,null,null,null]");
    /* it keeps knowing what is left of them */
    assert_int_equal(s.pub.looked, 4);
    assert_memory_equal(s.priv[1].corp, ((uint8_t[4]){0}), 4);
    assert_int_equal(act("{\"seat\":0,\"do\":\"walkie\",\"target\":1}"), FM_OK);
    const uint8_t left[4] = {DIVERCITY_BOAT, DIVERCITY_OIL_RIG, DIVERCITY_PAIR_0, 0};
    assert_memory_equal(s.priv[0].corp, left, 4);
    struct divercity_state world;
    struct fm_rng rng = s.secret.head.rng;
    assert_int_equal(GAME->deal(&world, fm_view_of(GAME, &s, 0), &rng), FM_OK);
    assert_memory_equal(world.secret.corp_deck + s.pub.corp_deck_n - 3,
                        s.secret.corp_deck + s.pub.corp_deck_n - 3, 3);
}

static void C24_the_visionary_remembers_the_industrialists_hand(void **state)
{
    (void)state;
    begin("{\"game\":\"divercity\",\"options\":{\"industrialist\":true},\"setup\":{\"active\":0,"
          "\"industry_hand\":[[\"hotels:red+purple\"],[\"rig\"],[\"boat\"],[\"rig\",\"boat\"]],"
          "\"diver_cards\":[[\"visionary\"],[]]}}");
    assert_int_equal(act("{\"seat\":2,\"do\":\"industry\",\"card\":0}"), FM_OK);
    assert_int_equal(act("{\"seat\":0,\"do\":\"diver\",\"use\":\"visionary\"}"), FM_OK);
    assert_int_equal(act("{\"seat\":0,\"do\":\"strike\",\"cards\":[0,1]}"), FM_OK);
    const uint8_t known[4] = {DIVERCITY_BOAT, DIVERCITY_OIL_RIG | DIVERCITY_BOAT << 4, 0, 0};
    assert_memory_equal(s.priv[0].corp, known, 4);
    assert_memory_equal(s.priv[1].corp, ((uint8_t[4]){0}), 4);
    assert_int_equal(act("{\"seat\":0,\"do\":\"walkie\",\"target\":1}"), FM_OK);
    assert_int_equal(act("{\"seat\":2,\"do\":\"industry\",\"card\":0}"), FM_OK);
    const uint8_t later[4] = {0, DIVERCITY_OIL_RIG | DIVERCITY_BOAT << 4, 0, 0};
    assert_memory_equal(s.priv[0].corp, later, 4);
    assert_int_equal(s.pub.industry_n, 4);
}

static void C25_the_explorer_is_told_and_remembers(void **state)
{
    (void)state;
    begin("{\"game\":\"divercity\",\"setup\":{\"active\":0," QUIET ",\"hands\":[[\"crab\",\"eel\"],"
          "[\"manta\"]],\"species_deck\":[\"turtle\"],\"diver_cards\":[[\"explorer\"],[]]}}");
    assert_int_equal(act("{\"seat\":0,\"do\":\"diver\",\"use\":\"explorer\"}"), FM_OK);
    assert_says(told(0), "\"explored\",\"seat\":0,\"cards\":[\"crab\",\"eel\"]");
    assert_says(told(FM_WATCHER), "\"cards\":[null,null]");
    assert_int_equal(s.priv[0].hand[0][0], 1);
    assert_int_equal(s.priv[0].hand[0][1], 7);
    assert_int_equal(act("{\"seat\":0,\"do\":\"play\",\"card\":0}"), FM_OK);
    assert_int_equal(s.priv[0].hand[0][0], DIVERCITY_NONE);
    assert_int_equal(s.priv[0].hand[0][1], 7);
}

static void C31_nobody_sees_what_is_drawn_in_solo(void **state)
{
    (void)state;
    begin("{\"game\":\"divercity\",\"options\":{\"divers\":1,\"industrialist\":true,"
          "\"diver_cards\":\"none\"},\"setup\":{\"active\":0,\"industry_hand\":[[\"boat\"]],"
          "\"hands\":[[\"crab\"],[\"manta\"]],\"species_deck\":[\"eel\",\"turtle\",\"oyster\"]}}");
    assert_int_equal(act("{\"seat\":1,\"do\":\"industry\",\"card\":0}"), FM_OK);
    assert_int_equal(act("{\"seat\":0,\"do\":\"play\",\"card\":0}"), FM_OK);
    for (int viewer = FM_WATCHER; viewer < 2; viewer++)
        assert_says(told(viewer), "\"event\":\"drew\",\"hand\":0,\"card\":0,\"species\":null");
}

static void C33_signs_name_no_species(void **state)
{
    (void)state;
    begin("{\"game\":\"divercity\",\"options\":{\"realistic\":true,\"diver_cards\":\"none\"},"
          "\"setup\":{\"active\":0," QUIET ",\"hands\":[[\"crab\"],[\"eel\",\"manta\"]]}}");
    assert_int_equal(act("{\"seat\":0,\"do\":\"walkie\",\"target\":1,\"signs\":[[3],[0,15,7]]}"),
                     FM_OK);
    for (int viewer = FM_WATCHER; viewer < 2; viewer++) {
        assert_says(told(viewer), "\"signs\":[[3],[0,15,7]]");
        assert_silent(told(viewer), "eel");
        assert_silent(told(viewer), "manta");
    }
    assert_int_equal(s.pub.told[1], 0);
    assert_int_equal(s.priv[1].hand[1][0], DIVERCITY_NONE);
}

static void C43_bots_remember_what_they_were_told(void **state)
{
    (void)state;
    begin("{\"game\":\"divercity\",\"options\":{\"diver_cards\":\"none\"},\"setup\":{\"active\":"
          "0," QUIET ",\"hands\":[[\"crab\"],[\"eel\",\"manta\"]],\"species_deck\":[\"turtle\"]}}");
    assert_int_equal(act("{\"seat\":0,\"do\":\"walkie\",\"target\":1}"), FM_OK);
    assert_int_equal(s.priv[1].hand[1][0], 7);
    assert_int_equal(s.priv[1].hand[1][1], 5);
    struct divercity_state world;
    struct fm_rng rng = s.secret.head.rng;
    for (unsigned i = 0; i < 50; i++) {
        assert_int_equal(GAME->deal(&world, fm_view_of(GAME, &s, 1), &rng), FM_OK);
        assert_memory_equal(world.secret.hand[1], s.secret.hand[1], 2);
        /* the other diver knows that this one knows, and what */
        assert_int_equal(GAME->deal(&world, fm_view_of(GAME, &s, 0), &rng), FM_OK);
        assert_memory_equal(world.priv[1].hand[1], s.priv[1].hand[1], 2);
    }
}

static void C45_a_spectator_is_never_told_a_hand(void **state)
{
    (void)state;
    for (unsigned t = 0; t < N_TABLES; t++) {
        struct fm_setup setup;
        struct fm_rng rng;
        set_up(&setup, tables[t]);
        fm_rng_init(&rng, setup.seed, 1);
        notes.len = 0;
        assert_int_equal(fm_init(&s, &setup, &notes), FM_OK);
        while (s.pub.head.status == FM_RUNNING) {
            for (size_t i = 0; i < notes.len; i++)
                if (notes.item[i].hidden != 0)
                    assert_false(notes.item[i].knows & 0x80);
            for (unsigned hand = 0; hand < DIVERCITY_HANDS; hand++)
                for (unsigned i = 0; i < DIVERCITY_HAND; i++)
                    assert_int_equal(s.pub.shown[hand][i], DIVERCITY_NONE);
            step(&rng);
        }
        assert_says(told(FM_WATCHER), "\"event\":\"shown\"");
    }
}

/* After a shuffle everybody knows which cards the industrialist still holds. */
static void C9_worlds_keep_what_a_reshuffle_tells(void **state)
{
    (void)state;
    struct fm_setup setup;
    struct divercity_state world;
    struct fm_rng rng;
    unsigned old = 0;
    set_up(&setup, tables[3]);
    for (unsigned i = 0; i < 200; i++) {
        memcpy(setup.seed, &i, sizeof i);
        fm_rng_init(&rng, setup.seed, 1);
        assert_int_equal(fm_init(&s, &setup, NULL), FM_OK);
        while (s.pub.head.status == FM_RUNNING) {
            step(&rng);
            assert_int_equal(GAME->deal(&world, fm_view_of(GAME, &s, 0), &rng), FM_OK);
            assert_nothing_is_lost(&world);
            unsigned here = 0, there = 0;
            for (unsigned k = 0; k < s.pub.industry_n; k++) {
                if (!(s.pub.industry_old >> k & 1))
                    continue;
                here += s.secret.industry[k];
                there += world.secret.industry[k];
                old++;
            }
            assert_int_equal(here, there);
        }
    }
    assert_true(old > 100);
}

/* ---- refusals ---------------------------------------------------------------------------------- */

static void refused_actions_leave_every_byte_as_it_was(void **state)
{
    (void)state;
    static const char plain[] =
        "{\"game\":\"divercity\",\"options\":{\"divers\":3},\"setup\":{\"active\":0," QUIET
        ",\"hands\":[[\"crab\",\"eel\"],[\"manta\"],[]],\"hotels\":[\"red\"],"
        "\"diver_cards\":[[\"captain\",\"communications\"],[\"swimmer\"],[]]}}";
    static const char looking[] =
        "{\"game\":\"divercity\",\"setup\":{\"active\":0,\"corporation_deck\":[[\"boat\"],"
        "[\"rig\"],[\"boat\"],[\"rig\"],[\"rig\"]],\"diver_cards\":[[\"visionary\"],[]]}}";
    static const char signing[] =
        "{\"game\":\"divercity\",\"options\":{\"realistic\":true},\"setup\":{\"active\":0," QUIET
        ",\"hands\":[[\"crab\"],[\"manta\",\"eel\"]],\"diver_cards\":[[\"communications\"],[]]}}";
    static const struct {
        const char *table, *first, *action;
        enum fm_err code;
    } bad[] = {
        {plain, NULL, "{\"seat\":1,\"do\":\"play\",\"card\":0}", FM_E_TURN},
        {plain, NULL, "{\"seat\":0,\"do\":\"play\",\"card\":2}", FM_E_NO_CARD},
        {plain, NULL, "{\"seat\":0,\"do\":\"walkie\",\"target\":0}", FM_E_OWN_HAND},
        {plain, NULL, "{\"seat\":0,\"do\":\"walkie\",\"target\":2}", FM_E_EMPTY_HAND},
        {plain, NULL, "{\"seat\":0,\"do\":\"walkie\",\"target\":3}", FM_E_NO_DIVER},
        {plain, NULL, "{\"seat\":0,\"do\":\"close\",\"card\":0,\"hotel\":\"blue\"}",
         FM_E_NOT_BUILT},
        {plain, NULL, "{\"seat\":0,\"do\":\"diver\",\"use\":\"swimmer\",\"card\":0}",
         FM_E_NOT_OWNED},
        {plain, "{\"seat\":0,\"do\":\"diver\",\"use\":\"communications\",\"target\":1}",
         "{\"seat\":0,\"do\":\"diver\",\"use\":\"communications\",\"target\":1}", FM_E_DIVER_USED},
        {plain, NULL, "{\"seat\":0,\"do\":\"diver\",\"use\":\"captain\",\"target\":2}",
         FM_E_EMPTY_HAND},
        {plain, NULL, "{\"seat\":0,\"do\":\"claim\",\"card\":0,\"species\":\"crab\",\"target\":1}",
         FM_E_NOT_OWN_CARD},
        {plain, NULL, "{\"seat\":0,\"do\":\"walkie\",\"target\":1,\"signs\":[[1]]}", FM_E_NO_SIGNS},
        {looking, "{\"seat\":0,\"do\":\"diver\",\"use\":\"visionary\"}",
         "{\"seat\":0,\"do\":\"reorder\",\"order\":[0,1,2,2]}", FM_E_ORDER},
        {signing, NULL, "{\"seat\":0,\"do\":\"walkie\",\"target\":1,\"signs\":[[1],[16]]}",
         FM_E_VALUE},
        {signing, NULL, "{\"seat\":0,\"do\":\"walkie\",\"target\":1,\"signs\":[[1]]}", FM_E_SIGNS},
        {signing, NULL, "{\"seat\":0,\"do\":\"diver\",\"use\":\"communications\",\"target\":1}",
         FM_E_SIGNS},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        begin(bad[i].table);
        if (bad[i].first != NULL)
            assert_int_equal(act(bad[i].first), FM_OK);
        const struct divercity_state before = s;
        assert_int_equal(act(bad[i].action), bad[i].code);
        assert_memory_equal(&before, &s, sizeof s);
        assert_true(strlen(fm_err_text(bad[i].code)) > 10);
    }
}

static void C44_signs_out_of_every_range_are_refused(void **state)
{
    (void)state;
    begin("{\"game\":\"divercity\",\"options\":{\"realistic\":true},\"setup\":{\"active\":0," QUIET
          ",\"hands\":[[\"crab\"],[\"manta\",\"eel\"]],\"diver_cards\":[[],[]]}}");
    const uint64_t first = 1, second = (uint64_t)1 << DIVERCITY_SIGN_BITS;
    const uint64_t signs[] = {0, first, second, first | second | second << DIVERCITY_SIGN_BITS,
                              (DIVERCITY_SIGN_MAX + 1) | second};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        const struct fm_event ev = {.action = divercity_talk(DIVERCITY_DO_WALKIE, 1, signs[i])};
        assert_int_equal(fm_apply(GAME, &s, &ev, NULL), FM_E_SIGNS);
    }
    const struct fm_event stray = {
        .action = divercity_talk(DIVERCITY_DO_WALKIE, 1, first | second | (uint64_t)1 << 52)};
    assert_int_equal(fm_apply(GAME, &s, &stray, NULL), FM_E_ACTION);
    const struct fm_event fine = {
        .action = divercity_talk(DIVERCITY_DO_WALKIE, 1, DIVERCITY_SIGN_MAX | second)};
    assert_int_equal(fm_apply(GAME, &s, &fine, NULL), FM_OK);
}

/* ---- decks ---------------------------------------------------------------------------------------- */

static void Y3_pairs_of_hotels_in_the_built_in_deck(void **state)
{
    (void)state;
    struct fm_setup setup;
    set_up(&setup, tables[0]);
    const struct divercity_box *box = (const void *)setup.deck.cards;
    unsigned colour[DIVERCITY_HOTELS] = {0}, pair[64] = {0}, rigs = 0, boats = 0, doubles = 0;
    for (unsigned i = 0; i < DIVERCITY_CORPORATIONS; i++) {
        doubles += box->corporations[i] >> 4 != 0;
        for (unsigned step_no = 0; step_no < 2; step_no++) {
            const unsigned effect = divercity_effect(box->corporations[i], step_no);
            rigs += effect == DIVERCITY_OIL_RIG;
            boats += effect == DIVERCITY_BOAT;
            if (effect < DIVERCITY_PAIR_0)
                continue;
            pair[divercity_pair(effect)]++;
            for (unsigned hotel = 0; hotel < DIVERCITY_HOTELS; hotel++)
                colour[hotel] += divercity_pair(effect) >> hotel & 1;
        }
    }
    assert_int_equal(rigs, 12);
    assert_int_equal(boats, 12);
    assert_int_equal(doubles, 9);
    for (unsigned a = 0; a < DIVERCITY_HOTELS; a++) {
        assert_int_equal(colour[a], 4);
        for (unsigned b = a + 1; b < DIVERCITY_HOTELS; b++) /* red+green, purple+yellow, … */
            assert_int_equal(pair[1u << a | 1u << b], a / 2 != b / 2);
    }
}

/* A deck whose n-th corporation card, or count of crabs, is another. */
static enum fm_err parse_changed(int card, const char *text, int crabs, struct fm_fault *fault)
{
    static const char *const pairs[12] = {"red+purple",    "purple+green",  "green+blue",
                                          "blue+yellow",   "yellow+orange", "orange+red",
                                          "red+yellow",    "yellow+green",  "green+orange",
                                          "orange+purple", "purple+blue",   "blue+red"};
    static char deck[8192];
    struct fm_deck out;
    size_t n = (size_t)snprintf(
        deck, sizeof deck,
        "{\"fathom_deck\":1,\"id\":\"mine\",\"game\":\"divercity\",\"title\":\"Mine\",\"species\":{"
        "\"nudibranch\":5,\"crab\":%d,\"hammerhead\":5,\"porcupinefish\":5,\"mandarin\":5,"
        "\"manta\":5,\"lobster\":5,\"eel\":5,\"octopus\":5,\"turtle\":5,\"oyster\":5,"
        "\"starfish\":5},\"corporations\":[",
        crabs);
    for (int i = 0; i < 27; i++) {
        char own[64];
        (void)snprintf(own, sizeof own, i < 12 ? "[\"hotels:%s\"]" : "[\"rig\"]",
                       pairs[i < 12 ? i : 0]);
        n += (size_t)snprintf(deck + n, sizeof deck - n, "%s%s", i ? "," : "",
                              i == card ? text : own);
    }
    n += (size_t)snprintf(deck + n, sizeof deck - n, "]}");
    return fm_deck_parse(&out, deck, n, fault);
}

static void C1_decks_are_checked_card_by_card(void **state)
{
    (void)state;
    static const struct {
        int card;
        const char *text;
        int crabs;
        const char *says;
    } bad[] = {
        {-1, "", 4, "species: a DiverCity deck has 60 species cards, this one has 59"},
        {-1, "", -1, "species.crab"},
        {13, "[\"rig\",\"boat\",\"rig\"]", 5, "corporations[13]"},
        {13, "[]", 5, "corporations[13]"},
        {13, "[\"rog\"]", 5, "corporations[13][0]: \"rog\" is none of"},
        {13, "[\"rig\",7]", 5, "corporations[13][1]"},
        {4, "[\"hotels:red+green\"]", 5, "corporations[4][0]: red+green"},
        {4, "[\"hotels:red+red\"]", 5, "different colours"},
        {4, "[\"hotels:red\"]", 5, "corporations[4][0]: hotels are two of"},
        {4, "[\"boat\"]", 5, "the yellow hotel is on 3 cards"},
        {4, "[\"rig\"],[\"rig\"]", 5, "27 corporation cards, this one has 28"},
    };
    struct fm_fault fault;
    assert_int_equal(parse_changed(-1, "", 5, &fault), FM_OK);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_not_equal(parse_changed(bad[i].card, bad[i].text, bad[i].crabs, &fault), FM_OK);
        assert_says(fault.text, bad[i].says);
    }
}

#define MINE "{\"fathom_deck\":1,\"id\":\"mine\",\"game\":\"divercity\",\"title\":\"Mine\""
#define FIVES                                                                                      \
    "\"species\":{\"nudibranch\":5,\"crab\":5,\"hammerhead\":5,\"porcupinefish\":5,"               \
    "\"mandarin\":5,\"manta\":5,\"lobster\":5,\"eel\":5,\"octopus\":5,\"turtle\":5,\"oyster\":5,"  \
    "\"starfish\":5}"

static void C1_decks_have_all_keys_and_no_others(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {MINE "," FIVES ",\"corporations\":[],\"sharks\":3}", "sharks"},
        {MINE ",\"corporations\":[]}", "species"},
        {MINE ",\"species\":7,\"corporations\":[]}", "species"},
        {MINE ",\"species\":{\"crab\":60},\"corporations\":[]}", "\"nudibranch\" is missing"},
        {MINE "," FIVES "}", "corporations"},
        {MINE "," FIVES ",\"corporations\":7}", "corporations"},
    };
    struct fm_deck out;
    struct fm_fault fault;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_not_equal(fm_deck_parse(&out, bad[i].text, strlen(bad[i].text), &fault), FM_OK);
        assert_says(fault.text, bad[i].says);
    }
}

/* The sentence that a spectator reads of the last event's only note. */
static const char *sentence(void)
{
    static char text[160];
    struct fm_out o;
    assert_int_equal(notes.len, 1);
    struct fm_note note = notes.item[0];
    assert_true(fm_note_cut(&note, FM_WATCHER));
    fm_out_init(&o, text, sizeof text);
    GAME->wire->put_sentence(&o, fm_view_of(GAME, &s, FM_WATCHER), &note);
    return text;
}

static void C13_a_claim_is_a_sentence(void **state)
{
    (void)state;
    begin("{\"game\":\"divercity\",\"options\":{\"divers\":2}}");
    assert_int_equal(act("{\"seat\":1,\"do\":\"claim\",\"card\":0,\"species\":\"crab\"}"), FM_OK);
    assert_says(sentence(), "believes card 0 to be crab");
    assert_int_equal(act("{\"seat\":1,\"do\":\"claim\",\"card\":0,\"species\":null}"), FM_OK);
    assert_says(sentence(), "believes card 0 to be nothing certain");
}

static void C13_claims_out_of_range_are_refused(void **state)
{
    (void)state;
    begin("{\"game\":\"divercity\",\"options\":{\"divers\":1}}");
    const struct fm_event no_species = {
        .seat = 0, .action = divercity_claim(0, DIVERCITY_SPECIES, DIVERCITY_NONE)};
    assert_int_equal(fm_apply(GAME, &s, &no_species, NULL), FM_E_ACTION);
    assert_int_equal(
        act("{\"seat\":0,\"do\":\"claim\",\"card\":0,\"species\":\"crab\",\"target\":5}"),
        FM_E_NOT_OWN_CARD);
}

static void C39_one_card_is_struck_where_there_is_one(void **state)
{
    (void)state;
    const uint8_t seed[FM_SEED_BYTES] = {39};
    struct fm_rng rng;
    fm_rng_init(&rng, seed, 1);
    begin("{\"game\":\"divercity\",\"options\":{\"industrialist\":true},\"setup\":{\"active\":0,"
          "\"hands\":[[\"crab\"],[\"eel\"]],\"corporation_deck\":[],\"industry_hand\":"
          "[[\"hotels:red+purple\"]],\"diver_cards\":[[\"visionary\"],[]]}}");
    assert_int_equal(act("{\"seat\":2,\"do\":\"industry\",\"card\":0}"), FM_OK);
    assert_int_equal(act("{\"seat\":0,\"do\":\"diver\",\"use\":\"visionary\"}"), FM_OK);
    const struct fm_event strike = {.seat = 0,
                                    .action = GAME->sample(fm_view_of(GAME, &s, 0), &rng)};
    assert_int_equal(fm_verb(strike.action), DIVERCITY_DO_STRIKE);
    assert_int_equal(fm_apply(GAME, &s, &strike, NULL), FM_OK);
    assert_int_equal(s.pub.industry_n, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(C1_no_card_is_ever_lost),
        cmocka_unit_test(C1_decks_are_checked_card_by_card),
        cmocka_unit_test(C1_decks_have_all_keys_and_no_others),
        cmocka_unit_test(C2_random_diver_cards_are_dealt_one_each),
        cmocka_unit_test(C4_the_first_diver_is_random),
        cmocka_unit_test(C7_any_discarded_card_may_be_dynamited_again),
        cmocka_unit_test(C7_the_boat_pile_turns_each_card_over_once),
        cmocka_unit_test(C8_hotels_only_come_and_go_by_card_and_closing),
        cmocka_unit_test(C9_worlds_keep_what_a_reshuffle_tells),
        cmocka_unit_test(C10_everybody_at_the_table_hears_the_walkie_talkie),
        cmocka_unit_test(C13_a_claim_is_a_sentence),
        cmocka_unit_test(C13_claims_out_of_range_are_refused),
        cmocka_unit_test(C16_C19_every_end_has_its_reason),
        cmocka_unit_test(C24_only_the_visionary_knows_the_order),
        cmocka_unit_test(C24_the_visionary_remembers_the_industrialists_hand),
        cmocka_unit_test(C25_the_explorer_is_told_and_remembers),
        cmocka_unit_test(C31_nobody_sees_what_is_drawn_in_solo),
        cmocka_unit_test(C33_signs_name_no_species),
        cmocka_unit_test(C39_one_card_is_struck_where_there_is_one),
        cmocka_unit_test(C43_bots_remember_what_they_were_told),
        cmocka_unit_test(C44_signs_out_of_every_range_are_refused),
        cmocka_unit_test(C45_a_spectator_is_never_told_a_hand),
        cmocka_unit_test(Y3_pairs_of_hotels_in_the_built_in_deck),
        cmocka_unit_test(refused_actions_leave_every_byte_as_it_was),
    };
    if (fm__hash_start() != 0)
        return 1;
    return tests_run("divercity", tests, sizeof tests / sizeof tests[0]);
}
