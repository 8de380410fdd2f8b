/* soumsoum_test.c: rules of Soum Soum that are about many games or odd decks; scenarios hold the
 * rest. */
#include "tests.h"

#include "base/hash.h"
#include "base/json_in.h"
#include "soumsoum/rules/soumsoum_state.h"

#include <fathom/games.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *game_folder;

static void set_up(struct fm_setup *setup, unsigned players, bool market,
                   const struct fm_library *library)
{
    struct fm_fault fault;
    json_t *json = json_pack("{s:s,s:{s:i,s:b}}", "game", "soumsoum", "options", "players",
                             (int)players, "market", (int)market);
    assert_non_null(json);
    assert_int_equal(fm_setup_parse(setup, json, library, &fault), FM_OK);
    json_decref(json);
}

static void deal_number(struct soumsoum_state *s, struct fm_setup *setup, unsigned i)
{
    setup->seed[0] = (uint8_t)i;
    setup->seed[1] = (uint8_t)(i >> 8);
    assert_int_equal(fm_init(s, setup, NULL), FM_OK);
}

static void step(struct soumsoum_state *s, struct fm_rng *rng)
{
    const int seat = s->pub.active;
    const struct fm_event ev = {
        .seat = (uint8_t)seat,
        .action = fm_game_soumsoum.sample(fm_view_of(&fm_game_soumsoum, s, seat), rng)};
    assert_int_equal(fm_apply(&fm_game_soumsoum, s, &ev, NULL), FM_OK);
}

/* How often each card is anywhere: board, hands, pile, market. */
static void assert_each_card_once(const struct soumsoum_state *s)
{
    unsigned count[SOUMSOUM_CARDS] = {0};
    for (unsigned p = 0; p < SOUMSOUM_PLACES; p++)
        if (s->pub.board[p] != SOUMSOUM_NONE)
            count[s->pub.board[p]]++;
    for (unsigned seat = 0; seat < s->pub.head.n_seats; seat++)
        for (unsigned i = 0; i < s->pub.hand_n[seat]; i++)
            count[s->priv[seat].hand[i]]++;
    for (unsigned i = 0; i < s->pub.pile_n; i++)
        count[s->secret.pile[i]]++;
    for (unsigned i = 0; i < s->pub.market_n; i++)
        count[s->pub.market[i]]++;
    for (unsigned i = 0; i < SOUMSOUM_CARDS; i++)
        assert_int_equal(count[i], 1);
}

static void S2_three_cards_each_and_no_card_is_ever_lost(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 600; i++) {
        struct fm_setup setup;
        struct soumsoum_state s;
        struct fm_rng rng;
        const unsigned players = 2 + i % 3;
        set_up(&setup, players, i % 2, NULL);
        deal_number(&s, &setup, i);
        fm_rng_init(&rng, setup.seed, 1);
        for (unsigned seat = 0; seat < players; seat++)
            assert_int_equal(s.pub.hand_n[seat], 3);
        assert_int_equal(s.pub.pile_n, 36 - 3 * players - (i % 2 ? 3 : 0));
        while (s.pub.head.status == FM_RUNNING) {
            assert_each_card_once(&s);
            step(&s, &rng);
        }
        assert_each_card_once(&s);
    }
}

static void S2_every_card_is_dealt_everywhere(void **state)
{
    (void)state;
    struct fm_setup setup;
    struct soumsoum_state s;
    unsigned count[SOUMSOUM_CARDS] = {0};
    set_up(&setup, 2, false, NULL);
    for (unsigned i = 0; i < 36000; i++) {
        deal_number(&s, &setup, i);
        count[s.priv[1].hand[2]]++;
    }
    double unevenness = 0;
    for (unsigned i = 0; i < SOUMSOUM_CARDS; i++)
        unevenness += ((double)count[i] - 1000) * ((double)count[i] - 1000) / 1000;
    assert_true(unevenness < 80); /* 35 degrees of freedom, fixed seeds */
}

static void S3_the_first_player_is_random_and_play_goes_clockwise(void **state)
{
    (void)state;
    struct fm_setup setup;
    struct soumsoum_state s;
    struct fm_rng rng;
    unsigned first[4] = {0};
    set_up(&setup, 4, false, NULL);
    for (unsigned i = 0; i < 4000; i++) {
        deal_number(&s, &setup, i);
        first[s.pub.active]++;
    }
    for (unsigned seat = 0; seat < 4; seat++)
        assert_in_range(first[seat], 850, 1150);
    fm_rng_init(&rng, setup.seed, 1);
    for (unsigned turn = 0; turn < 20; turn++) {
        const unsigned before = s.pub.active;
        step(&s, &rng);
        step(&s, &rng);
        assert_int_equal(s.pub.active, (before + 1) % 4);
    }
}

static void S6_turns_of_each_player(void **state)
{
    (void)state;
    static const unsigned turns[5] = {[2] = 12, [3] = 8, [4] = 6};
    for (unsigned players = 2; players <= 4; players++) {
        struct fm_setup setup;
        struct soumsoum_state s;
        struct fm_rng rng;
        unsigned played[4] = {0};
        set_up(&setup, players, false, NULL);
        deal_number(&s, &setup, players);
        fm_rng_init(&rng, setup.seed, 1);
        while (s.pub.head.status == FM_RUNNING) {
            played[s.pub.active] += s.pub.head.phase == SOUMSOUM_PLACE;
            step(&s, &rng);
        }
        for (unsigned seat = 0; seat < players; seat++)
            assert_int_equal(played[seat], turns[players]);
    }
}

static void S9_with_four_players_the_cards_come_out_exactly(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 200; i++) {
        struct fm_setup setup;
        struct soumsoum_state s;
        struct fm_rng rng;
        set_up(&setup, 4, false, NULL);
        deal_number(&s, &setup, i);
        fm_rng_init(&rng, setup.seed, 1);
        while (s.pub.head.status == FM_RUNNING)
            step(&s, &rng);
        assert_int_equal(s.pub.pile_n, 0);
        for (unsigned seat = 0; seat < 4; seat++)
            assert_int_equal(s.pub.hand_n[seat], 3);
    }
}

static void S10_everybody_remembers_what_was_taken(void **state)
{
    (void)state;
    struct fm_setup setup;
    struct soumsoum_state s, world;
    struct fm_rng rng;
    unsigned seen = 0;
    set_up(&setup, 3, true, NULL);
    for (unsigned i = 0; i < 50; i++) {
        deal_number(&s, &setup, i);
        fm_rng_init(&rng, setup.seed, 1);
        while (s.pub.head.status == FM_RUNNING) {
            step(&s, &rng);
            assert_int_equal(
                fm_game_soumsoum.deal(&world, fm_view_of(&fm_game_soumsoum, &s, 0), &rng), FM_OK);
            for (unsigned k = 0; k < s.pub.hand_n[1]; k++) {
                if (s.pub.seen[1][k] == SOUMSOUM_NONE)
                    continue;
                assert_int_equal(s.pub.seen[1][k], s.priv[1].hand[k]);
                assert_int_equal(world.priv[1].hand[k], s.priv[1].hand[k]);
                seen++;
            }
            assert_each_card_once(&world);
        }
    }
    assert_true(seen > 1000);
}

static void S8_the_winner_is_best_and_latest(void **state)
{
    (void)state;
    unsigned ties = 0;
    for (unsigned i = 0; i < 3000; i++) {
        struct fm_setup setup;
        struct soumsoum_state s;
        struct fm_rng rng;
        const unsigned players = 2 + i % 3;
        unsigned last = 0;
        set_up(&setup, players, false, NULL);
        deal_number(&s, &setup, i);
        fm_rng_init(&rng, setup.seed, 1);
        while (s.pub.head.status == FM_RUNNING) {
            last = s.pub.active;
            step(&s, &rng);
        }
        /* counted anew: backwards from the last turn, the first with the best total */
        unsigned best = 0, winner = SOUMSOUM_NONE, level = 0;
        for (unsigned seat = 0; seat < players; seat++)
            best = s.pub.score[seat] > best ? s.pub.score[seat] : best;
        for (unsigned back = 0; back < players; back++) {
            const unsigned seat = (last + players - back) % players;
            level += s.pub.score[seat] == best;
            if (winner == SOUMSOUM_NONE && s.pub.score[seat] == best)
                winner = seat;
        }
        ties += level > 1;
        assert_int_equal(s.pub.winner, winner);
    }
    assert_true(ties > 50);
}

/* ---- geometry and odd decks ------------------------------------------------------------------- */

static bool covers(unsigned zone, int dr, int dc)
{
    switch (zone) {
    case SOUMSOUM_ROW:
        return dr == 0;
    case SOUMSOUM_COLUMN:
        return dc == 0;
    case SOUMSOUM_AROUND:
        return abs(dr) <= 1 && abs(dc) <= 1;
    case SOUMSOUM_DIAGONALS:
        return abs(dr) == abs(dc);
    case SOUMSOUM_ORTHOGONAL:
        return abs(dr) + abs(dc) <= 1;
    default:
        return true;
    }
}

static void S7_zones_cover_what_they_say(void **state)
{
    (void)state;
    for (unsigned zone = 0; zone < SOUMSOUM_ZONES; zone++)
        for (int place = 0; place < SOUMSOUM_PLACES; place++)
            for (int other = 0; other < SOUMSOUM_PLACES; other++)
                assert_int_equal(
                    soumsoum_zone_mask((enum soumsoum_zone)zone, (unsigned)place) >> other & 1,
                    covers(zone, other / 5 - place / 5, other % 5 - place % 5));
}

static void load_mixed(struct fm_deck *deck)
{
    static char text[FM_DECK_FILE];
    struct fm_fault fault;
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/tests/decks/mixed.json", game_folder);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t n = fread(text, 1, sizeof text, file);
    (void)fclose(file);
    assert_int_equal(fm_deck_parse(deck, text, n, &fault), FM_OK);
}

/* Slowly and plainly: what a diver is worth. */
static unsigned plain_worth(const struct soumsoum_pub *pub, int place)
{
    const struct soumsoum_card card = pub->deck[pub->board[place]];
    unsigned worth = 0;
    for (int other = 0; other < SOUMSOUM_PLACES; other++) {
        if (pub->board[other] == SOUMSOUM_NONE || (other == place && !soumsoum_self(card)) ||
            !covers(soumsoum_zone(card), other / 5 - place / 5, other % 5 - place % 5))
            continue;
        for (unsigned animal = 0; animal < SOUMSOUM_ANIMALS; animal++)
            if (soumsoum_counts(card) == animal || soumsoum_counts(card) == SOUMSOUM_ANY)
                worth += pub->deck[pub->board[other]].shows[animal];
    }
    return worth;
}

/* "A 12" for seat 0 with a diver worth 12. */
static void assert_board_says(const struct soumsoum_state *s, unsigned seat, unsigned worth)
{
    char board[16384], says[16];
    struct fm_out o;
    fm_out_init(&o, board, sizeof board);
    fm_game_soumsoum.wire->put_board(&o, fm_view_of(&fm_game_soumsoum, s, FM_WATCHER));
    (void)snprintf(says, sizeof says, "(%c %u)", 'A' + (int)seat, worth);
    if (strstr(board, says) == NULL)
        fail_msg("%s is missing in\n%s", says, board);
}

static void S7_the_board_says_what_divers_are_worth(void **state)
{
    (void)state;
    struct fm_deck deck;
    struct fm_setup setup;
    struct soumsoum_state s;
    struct fm_rng rng;
    unsigned most = 0;
    load_mixed(&deck);
    const struct fm_library library = {&deck, 1};
    set_up(&setup, 3, false, &library);
    for (unsigned i = 0; i < 20; i++) {
        deal_number(&s, &setup, i);
        fm_rng_init(&rng, setup.seed, 1);
        while (s.pub.head.status == FM_RUNNING)
            step(&s, &rng);
        for (int place = 0; place < SOUMSOUM_PLACES; place++) {
            if (s.pub.diver[place] == SOUMSOUM_NONE)
                continue;
            const unsigned worth = plain_worth(&s.pub, place);
            assert_board_says(&s, s.pub.diver[place], worth);
            most = worth > most ? worth : most;
        }
    }
    assert_true(most >= 10); /* of one digit and of two */
}

static void S7_transcribed_decks_score_as_printed(void **state)
{
    (void)state;
    struct fm_deck deck;
    struct fm_setup setup;
    struct soumsoum_state s;
    struct fm_rng rng;
    unsigned total = 0;
    load_mixed(&deck);
    const struct fm_library library = {&deck, 1};
    set_up(&setup, 3, false, &library);
    assert_string_equal(setup.deck.id, "soumsoum-mixed");
    for (unsigned i = 0; i < 200; i++) {
        unsigned score[4] = {0};
        deal_number(&s, &setup, i);
        fm_rng_init(&rng, setup.seed, 1);
        while (s.pub.head.status == FM_RUNNING)
            step(&s, &rng);
        for (int place = 0; place < SOUMSOUM_PLACES; place++)
            if (s.pub.diver[place] != SOUMSOUM_NONE)
                score[s.pub.diver[place]] += plain_worth(&s.pub, place);
        for (unsigned seat = 0; seat < 3; seat++) {
            assert_int_equal(s.pub.score[seat], score[seat]);
            total += score[seat];
        }
    }
    assert_true(total > 200 * 30);
}

static void deck_hash_is_of_the_cards_alone(void **state)
{
    (void)state;
    static const char card[] = "{\"animals\":[\"shark\"],\"count\":\"any\",\"zone\":\"row\"%s}";
    struct fm_deck a, b, c;
    struct fm_fault fault;
    static char text[3][8192];
    static const char *const heads[3] = {"one", "two", "three"};
    static const char *const tails[3] = {"", ",\"self\":true", ",\"self\":false"};
    for (int i = 0; i < 3; i++) {
        size_t n = (size_t)snprintf(text[i], sizeof text[i],
                                    "{\"fathom_deck\":1,\"id\":\"%s\",\"game\":\"soumsoum\","
                                    "\"title\":\"%s\",\"cards\":[",
                                    heads[i], heads[i]);
        for (int k = 0; k < SOUMSOUM_CARDS; k++) {
            n += (size_t)snprintf(text[i] + n, sizeof text[i] - n, "%s", k ? ", \n" : "");
            n += (size_t)snprintf(text[i] + n, sizeof text[i] - n, card, k == 7 ? tails[i] : "");
        }
        (void)snprintf(text[i] + n, sizeof text[i] - n, "]}");
    }
    assert_int_equal(fm_deck_parse(&a, text[0], strlen(text[0]), &fault), FM_OK);
    assert_int_equal(fm_deck_parse(&b, text[1], strlen(text[1]), &fault), FM_OK);
    assert_int_equal(fm_deck_parse(&c, text[2], strlen(text[2]), &fault), FM_OK);
    assert_memory_equal(a.hash, b.hash, 32);
    assert_memory_not_equal(a.hash, c.hash, 32);
}

/* ---- sampling --------------------------------------------------------------------------------- */

static void samples_are_even(void **state)
{
    (void)state;
    struct fm_setup setup;
    struct soumsoum_state s;
    struct fm_rng rng;
    set_up(&setup, 2, true, NULL);
    deal_number(&s, &setup, 4);
    fm_rng_init(&rng, setup.seed, 1);
    for (unsigned i = 0; i < 40; i++) {
        const struct fm_view v = fm_view_of(&fm_game_soumsoum, &s, s.pub.active);
        fm_action legal[FM_LEGAL_MAX];
        unsigned count[FM_LEGAL_MAX] = {0};
        const size_t n = fm_game_soumsoum.legal(v, legal, FM_LEGAL_MAX);
        for (size_t draw = 0; draw < 200 * n; draw++) {
            const fm_action a = fm_game_soumsoum.sample(v, &rng);
            size_t k = 0;
            while (k < n && legal[k] != a)
                k++;
            assert_true(k < n);
            count[k]++;
        }
        for (size_t k = 0; k < n; k++)
            assert_in_range(count[k], 130, 280); /* five deviations of 14; the seed is fixed */
        step(&s, &rng);
    }
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(S2_three_cards_each_and_no_card_is_ever_lost),
        cmocka_unit_test(S2_every_card_is_dealt_everywhere),
        cmocka_unit_test(S3_the_first_player_is_random_and_play_goes_clockwise),
        cmocka_unit_test(S6_turns_of_each_player),
        cmocka_unit_test(S7_zones_cover_what_they_say),
        cmocka_unit_test(S7_the_board_says_what_divers_are_worth),
        cmocka_unit_test(S7_transcribed_decks_score_as_printed),
        cmocka_unit_test(S8_the_winner_is_best_and_latest),
        cmocka_unit_test(S9_with_four_players_the_cards_come_out_exactly),
        cmocka_unit_test(S10_everybody_remembers_what_was_taken),
        cmocka_unit_test(deck_hash_is_of_the_cards_alone),
        cmocka_unit_test(samples_are_even),
    };
    if (fm__hash_start() != 0 || argc != 2)
        return 1;
    game_folder = argv[1];
    return tests_run("soumsoum", tests, sizeof tests / sizeof tests[0]);
}
