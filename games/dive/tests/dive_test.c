/* dive_test.c: rules of Dive that are about many games or all programs; scenarios hold the rest. */
#include "tests.h"

#include "base/hash.h"
#include "base/json_in.h"
#include "dive/rules/dive_state.h"

#include <fathom/bot.h>
#include <fathom/games.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables and moves ------------------------------------------------------------------------ */

static enum fm_err set_up(struct fm_setup *setup, const char *table)
{
    struct fm_fault fault;
    json_t *json = fm_json_load(table, strlen(table), &fault);
    assert_non_null(json);
    enum fm_err err = fm_setup_parse(setup, json, NULL, &fault);
    json_t *position = json_object_get(json, "setup");
    if (err == FM_OK && position != NULL)
        err = dive_wire.parse_position(setup, position, &fault);
    json_decref(json);
    return err;
}

static void start(struct dive_state *s, const char *table, unsigned number)
{
    struct fm_setup setup;
    assert_int_equal(set_up(&setup, table), FM_OK);
    setup.seed[0] = (uint8_t)number;
    setup.seed[1] = (uint8_t)(number >> 8);
    assert_int_equal(fm_init(s, &setup, NULL), FM_OK);
}

static enum fm_err act(struct dive_state *s, unsigned seat, fm_action action)
{
    const struct fm_event ev = {
        .t_ms = s->secret.head.now_ms, .seat = (uint8_t)seat, .action = action};
    return fm_apply(&fm_game_dive, s, &ev, NULL);
}

/* The next seat that owes does something at random. */
static void step(struct dive_state *s, struct fm_rng *rng)
{
    fm_action action = 0;
    for (unsigned m = s->pub.head.owes; action == 0; m &= m - 1) {
        const int seat = __builtin_ctz(m);
        action = fm_game_dive.sample(fm_view_of(&fm_game_dive, s, seat), rng);
        if (action != 0)
            assert_int_equal(act(s, (unsigned)seat, action), FM_OK);
    }
}

/* ---- the deck and the stack ------------------------------------------------------------------ */

static void D3_the_stack_is_the_deck_and_every_way_round(void **state)
{
    static const uint8_t reef[DIVE_KINDS] = {10, 5, 2, 3, 9, 3, 3, 1};
    unsigned turned[8] = {0}, on_top[DIVE_KINDS] = {0};
    (void)state;
    for (unsigned i = 0; i < 2000; i++) {
        struct dive_state s;
        uint8_t count[DIVE_KINDS] = {0};
        start(&s, "{\"game\":\"dive\"}", i);
        assert_int_equal(s.pub.stack_n, 36);
        for (unsigned k = 0; k < 36; k++) {
            count[s.secret.stack[k] & 7]++;
            turned[s.secret.stack[k] >> 3]++;
        }
        assert_memory_equal(count, reef, sizeof reef);
        on_top[s.secret.stack[35] & 7]++;
    }
    for (unsigned way = 0; way < 8; way++) /* 9000 expected, five standard deviations */
        assert_in_range(turned[way], 8556, 9444);
    for (unsigned kind = 0; kind < DIVE_KINDS; kind++)
        assert_in_range(on_top[kind], 2000 * reef[kind] / 36 - 110 + (reef[kind] < 3 ? 56 : 0),
                        2000 * reef[kind] / 36 + 110);
}

static void D3_no_card_is_ever_lost(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 300; i++) {
        struct dive_state s;
        struct fm_rng rng;
        const uint8_t seed[FM_SEED_BYTES] = {(uint8_t)i, 1};
        start(&s,
              i % 2 ? "{\"game\":\"dive\",\"options\":{\"divers\":4,\"companions\":\"ten\"}}"
                    : "{\"game\":\"dive\",\"options\":{\"divers\":3,\"chief\":true}}",
              i);
        fm_rng_init(&rng, seed, 0);
        while (s.pub.head.status == FM_RUNNING) {
            uint8_t count[DIVE_KINDS] = {0};
            for (unsigned k = 0; k < s.pub.stack_n; k++)
                count[s.secret.stack[k] & 7]++;
            assert_memory_equal(count, s.pub.left, sizeof count);
            for (unsigned k = s.pub.stack_n; k < DIVE_CARDS; k++)
                assert_int_equal(s.secret.stack[k], DIVE_NONE);
            step(&s, &rng);
        }
    }
}

/* ---- programs --------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Every number gives another program that one may be ready with: so the count is right if
 * brute force finds no more, and a uniform number is a uniform program. */
static void check_numbering(enum dive_kit kit, uint32_t expected)
{
    static uint32_t all[80000];
    assert_int_equal(dive_program_count(kit), expected);
    for (uint32_t i = 0; i < expected; i++) {
        all[i] = dive_program_at(kit, i);
        assert_int_equal(dive_program_check(all[i]), FM_OK);
        assert_int_equal(dive_program_ready(all[i], kit == DIVE_KIT_CHILDREN), FM_OK);
    }
    qsort(all, expected, sizeof all[0], ascending);
    for (uint32_t i = 1; i < expected; i++)
        assert_int_not_equal(all[i], all[i - 1]);
}

static void D5_there_are_13502_programs(void **state)
{
    (void)state;
    check_numbering(DIVE_KIT_PLAIN, 13502);
    uint32_t found = 0; /* by brute force over all token levels and faces */
    for (uint32_t tokens = 0; tokens < 1u << 15; tokens++)
        for (uint32_t faces = 0; faces < 32; faces++) {
            const uint32_t program = tokens | faces << DIVE_FACE_BIT;
            found +=
                dive_program_check(program) == FM_OK && dive_program_ready(program, false) == FM_OK;
        }
    assert_int_equal(found, 13502);
}

static void D28_with_an_anglerfish_there_are_21182(void **state)
{
    (void)state;
    check_numbering(DIVE_KIT_ANGLERFISH, 13502 + 2 * 3840);
}

static void D30_with_a_clownfish_one_for_each_level_more(void **state)
{
    (void)state;
    check_numbering(DIVE_KIT_CLOWNFISH, 62 * 2 + 720 * 3 + 3120 * 4 + 5760 * 5 + 3840 * 6);
}

static void D22_children_have_32_programs(void **state)
{
    (void)state;
    check_numbering(DIVE_KIT_CHILDREN, 32);
}

/* The sample of a seat with an empty board is a program, and each equally often. */
static void D5_sample_is_uniform_over_all_programs(void **state)
{
    enum { EACH = 40, N = 13502 };
    static uint32_t all[N], seen[N];
    struct dive_state s;
    struct fm_rng rng;
    (void)state;
    for (uint32_t i = 0; i < N; i++)
        all[i] = dive_program_at(DIVE_KIT_PLAIN, i);
    qsort(all, N, sizeof all[0], ascending);
    start(&s, "{\"game\":\"dive\",\"options\":{\"divers\":4}}", 0);
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){9}, 0);
    for (uint32_t i = 0; i < EACH * N; i++) {
        const fm_action a = fm_game_dive.sample(fm_view_of(&fm_game_dive, &s, 2), &rng);
        const uint32_t program = (uint32_t)dive_action_rest(a);
        assert_int_equal(fm_verb(a), DIVE_DO_PROGRAM);
        const uint32_t *at = bsearch(&program, all, N, sizeof all[0], ascending);
        assert_non_null(at);
        seen[at - all]++;
    }
    double chi = 0; /* 13501 degrees of freedom: mean 13501, standard deviation 164 */
    for (uint32_t i = 0; i < N; i++)
        chi += (seen[i] - (double)EACH) * (seen[i] - (double)EACH) / EACH;
    assert_true(chi > 13501 - 6 * 164 && chi < 13501 + 6 * 164);
}

static void D8_cut_keeps_what_lies_above_the_first_gap(void **state)
{
    (void)state;
    for (uint32_t tokens = 0; tokens < 1u << 15; tokens++) {
        const uint32_t filled = dive_filled(tokens);
        if (dive_program_check(tokens | filled << DIVE_FACE_BIT) != FM_OK)
            continue;
        const uint32_t cut = dive_cut(tokens | filled << DIVE_FACE_BIT);
        const unsigned depth = dive_depth(tokens);
        assert_int_equal(dive_program_check(cut), FM_OK);
        assert_int_equal(dive_filled(cut), (1u << depth) - 1);
        assert_int_equal(cut >> DIVE_FACE_BIT, (1u << depth) - 1);
        for (unsigned token = 0; token < DIVE_TOKENS; token++) {
            const unsigned level = dive_token_level(tokens, token);
            assert_int_equal(dive_token_level(cut, token), level <= depth ? level : 0);
        }
    }
}

/* ---- the chief --------------------------------------------------------------------------------- */

static void D37_forty_eight_different_cards(void **state)
{
    unsigned seen[DIVE_CHIEF_CARDS];
    (void)state;
    for (unsigned card = 0; card < DIVE_CHIEF_CARDS; card++) {
        uint8_t speed[DIVE_CHIEF_LEVELS], yellow;
        unsigned values = 0, key = 0;
        dive_chief_card(card, speed, &yellow);
        for (unsigned level = 0; level < DIVE_CHIEF_LEVELS; level++) {
            values |= 1u << speed[level];
            key = key * 10 + speed[level];
        }
        assert_int_equal(values, 1u << 2 | 1u << 3 | 1u << 4 | 1u << 6);
        assert_true(yellow == 0x8 || yellow == 0xc);
        seen[card] = key * 16 + yellow;
        for (unsigned other = 0; other < card; other++)
            assert_int_not_equal(seen[other], seen[card]);
    }
}

static void D38_each_card_once_in_a_game(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 50; i++) {
        struct dive_state s;
        struct fm_rng rng;
        uint64_t pile = 0;
        start(&s, "{\"game\":\"dive\",\"options\":{\"divers\":1,\"chief\":true}}", i);
        assert_int_equal(s.pub.chief_n, 48);
        for (unsigned k = 0; k < 48; k++)
            pile |= UINT64_C(1) << s.secret.chief[k];
        assert_true(pile == (UINT64_C(1) << 48) - 1);
        fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){(uint8_t)i}, 0);
        while (s.pub.head.status == FM_RUNNING)
            step(&s, &rng);
        assert_int_equal(s.pub.chief_n, 48 - s.pub.round);
        assert_int_equal(__builtin_popcountll(s.pub.chief_seen), s.pub.round);
    }
}

/* ---- secrecy ------------------------------------------------------------------------------------ */

/* All that reaches a viewer: bytes and JSON. */
static size_t look(const struct dive_state *s, int seat, char *out, size_t cap)
{
    const struct fm_view v = fm_view_of(&fm_game_dive, s, seat);
    struct fm_out o;
    const size_t n = fm_view_copy(v, out, cap);
    fm_out_init(&o, out + n, cap - n);
    fm_put_view(&o, v);
    assert_true(fm_out_ok(&o));
    return n + o.len;
}

static void assert_same_looks(const struct dive_state *a, const struct dive_state *b, int but)
{
    static char x[20000], y[20000];
    for (int seat = FM_WATCHER; seat < a->pub.head.n_seats; seat++) {
        if (seat == but)
            continue;
        const size_t n = look(a, seat, x, sizeof x), m = look(b, seat, y, sizeof y);
        assert_int_equal(n, m);
        assert_memory_equal(x, y, n);
    }
}

static void D7_any_two_programs_look_the_same_to_others(void **state)
{
    struct dive_state none, a, b;
    struct fm_rng rng;
    (void)state;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){3}, 0);
    start(&none,
          "{\"game\":\"dive\",\"options\":{\"divers\":3,\"companions\":\"seven\"},"
          "\"setup\":{\"companions\":[\"clownfish\",\"anglerfish\",null]}}",
          1);
    for (unsigned i = 0; i < 500; i++) {
        const unsigned seat = i % 3;
        const enum dive_kit kit = dive_kit_of(&none.pub, seat);
        const uint32_t n = dive_program_count(kit);
        a = b = none;
        const uint32_t first = dive_program_at(kit, fm_rng_below(&rng, n));
        const uint32_t second = dive_program_at(kit, fm_rng_below(&rng, n));
        assert_int_equal(act(&a, seat, dive_action(DIVE_DO_PROGRAM, first)), FM_OK);
        assert_same_looks(&none, &a, (int)seat); /* that it programmed at all is its secret */
        assert_int_equal(act(&b, seat, dive_action(DIVE_DO_PROGRAM, second)), FM_OK);
        assert_int_equal(act(&a, seat, dive_action(DIVE_DO_READY, 0)), FM_OK);
        assert_int_equal(act(&b, seat, dive_action(DIVE_DO_READY, 0)), FM_OK);
        assert_same_looks(&a, &b, (int)seat);
    }
}

static void D47_any_two_choices_look_the_same_to_others(void **state)
{
    struct dive_state none, a;
    (void)state;
    start(&none, "{\"game\":\"dive\",\"options\":{\"divers\":4,\"companions\":\"ten\"}}", 1);
    for (unsigned companion = 0; companion < DIVE_COMPANIONS; companion++) {
        a = none;
        assert_int_equal(act(&a, 1, dive_action(DIVE_DO_CHOOSE, companion)), FM_OK);
        assert_same_looks(&none, &a, 1);
        assert_int_equal(act(&a, 2, dive_action(DIVE_DO_CHOOSE, companion)), FM_OK);
        assert_int_equal(act(&a, 3, dive_action(DIVE_DO_CHOOSE, 0)), FM_OK);
        assert_int_equal(a.pub.head.seq, 0);
        assert_int_equal(act(&a, 0, dive_action(DIVE_DO_CHOOSE, companion)), FM_OK);
        assert_int_equal(a.pub.head.seq, 1); /* resolved: everybody is told at once */
    }
}

/* ---- clocks --------------------------------------------------------------------------------------- */

static void D8_the_tables_clock_starts_when_the_dive_was_shown(void **state)
{
    struct dive_state s;
    (void)state;
    start(&s,
          "{\"game\":\"dive\",\"options\":{\"divers\":2,\"clock\":60},"
          "\"setup\":{\"stack\":[\"empty\",\"empty\",\"empty\",\"empty\"]}}",
          1);
    assert_int_equal(s.pub.head.deadline_ms, 60000);
    assert_int_equal(fm_game_dive.due(&s.pub.head), dive_action(DIVE_DO_STOP, DIVE_STOP_CLOCK));
    assert_int_equal(act(&s, 0, dive_action(DIVE_DO_PROGRAM, 1u | 2u << 3)), FM_OK);
    const struct fm_event stop = {
        .t_ms = 60000, .seat = FM_TABLE, .action = fm_game_dive.due(&s.pub.head)};
    assert_int_equal(fm_apply(&fm_game_dive, &s, &stop, NULL), FM_OK);
    assert_int_equal(s.pub.pawn[0], 2); /* two levels shown, and Rest */
    assert_int_equal(s.pub.head.deadline_ms, 60000 + 3 * DIVE_STEP_MS + 60000);
}

static void D27_the_orca_is_due_after_ten_seconds(void **state)
{
    struct dive_state s;
    (void)state;
    start(&s,
          "{\"game\":\"dive\",\"options\":{\"divers\":2,\"clock\":60,\"companions\":\"seven\"},"
          "\"setup\":{\"companions\":[\"orca\",null]}}",
          1);
    const struct fm_event use = {
        .t_ms = 7000, .seat = 0, .action = dive_action(DIVE_DO_USE, DIVE_ORCA)};
    assert_int_equal(fm_apply(&fm_game_dive, &s, &use, NULL), FM_OK);
    assert_int_equal(s.pub.head.deadline_ms, 17000);
    assert_int_equal(fm_game_dive.due(&s.pub.head), dive_action(DIVE_DO_STOP, DIVE_STOP_ORCA));
}

/* ---- eyes ------------------------------------------------------------------------------------------- */

/* How much of what lies on levels 2 to 5 these eyes see right, added up. */
static double seen_right(const char *name)
{
    struct fm_eyes eyes;
    struct fm_fault fault;
    double sum = 0;
    assert_int_equal(fm_eyes_named(&eyes, name, &fault), FM_OK);
    for (unsigned level = 1; level < 5; level++)
        for (unsigned kind = 0; kind < FM_EYES_KINDS; kind++)
            sum += (double)eyes.chance[level][kind][kind] / FM_EYES_ONE;
    return sum;
}

static void bots_see_better_in_clear_water_than_in_murky(void **state)
{
    (void)state;
    assert_true(seen_right("picture-keen-clear") > seen_right("picture-keen-murky"));
    assert_true(seen_right("picture-average-clear") > seen_right("picture-average-murky"));
    assert_true(seen_right("picture-short-sighted-clear") >
                seen_right("picture-short-sighted-murky"));
}

static void eyes_see_as_often_as_their_table_says(void **state)
{
    struct fm_eyes eyes;
    struct fm_fault fault;
    struct fm_rng rng;
    unsigned there[DIVE_DEEPEST] = {0}, right[DIVE_DEEPEST] = {0};
    static const double wanted[DIVE_DEEPEST] = {.95, .91, .86, .79, .72, .65};
    (void)state;
    assert_int_equal(fm_eyes_named(&eyes, "average", &fault), FM_OK);
    for (unsigned level = 0; level < FM_EYES_LEVELS; level++)
        for (unsigned kind = 0; kind < FM_EYES_KINDS; kind++) {
            uint32_t sum = 0;
            for (unsigned seen = 0; seen < FM_EYES_KINDS; seen++)
                sum += eyes.chance[level][kind][seen];
            assert_int_equal(sum, FM_EYES_ONE);
        }
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){5}, 0);
    for (unsigned i = 0; i < 20000; i++) {
        struct dive_state s;
        struct fm_sight sight = {0};
        start(&s, "{\"game\":\"dive\"}", i);
        fm_game_dive.look(&s, &eyes, &rng, &sight);
        assert_int_equal(sight.levels, DIVE_DEEPEST);
        for (unsigned level = 0; level < DIVE_DEEPEST; level++) {
            there[level]++;
            right[level] += sight.seen[level] == (s.secret.stack[35 - level] & 7);
        }
    }
    for (unsigned level = 0; level < DIVE_DEEPEST; level++) {
        const double share = (double)right[level] / there[level];
        assert_true(share > wanted[level] - 0.018 && share < wanted[level] + 0.018);
    }
}

static void eyes_see_the_same_when_they_look_again(void **state)
{
    struct dive_state s;
    struct fm_eyes eyes;
    struct fm_fault fault;
    struct fm_rng rng;
    struct fm_sight sight = {0};
    (void)state;
    assert_int_equal(fm_eyes_named(&eyes, "short-sighted", &fault), FM_OK);
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){6}, 0);
    start(&s, "{\"game\":\"dive\"}", 1);
    fm_game_dive.look(&s, &eyes, &rng, &sight);
    const struct fm_sight first = sight;
    for (unsigned i = 0; i < 50; i++) {
        fm_game_dive.look(&s, &eyes, &rng, &sight);
        assert_memory_equal(&sight, &first, sizeof sight);
    }
    for (unsigned seat = 0; seat < 2; seat++)
        assert_int_equal(act(&s, seat, dive_action(DIVE_DO_PROGRAM, 1)), FM_OK);
    for (unsigned seat = 0; seat < 2; seat++)
        assert_int_equal(act(&s, seat, dive_action(DIVE_DO_READY, 0)), FM_OK);
    fm_game_dive.look(&s, &eyes, &rng, &sight);
    assert_int_equal(sight.scene, 2); /* the next round is another scene */
}

/* Given the same sighting, what really lies in the stack makes no difference to a bot. */
static void steady_never_knows_the_truth(void **state)
{
    const struct fm_bot *steady = fm_bot_find(&fm_game_dive, "steady");
    struct fm_eyes eyes;
    struct fm_fault fault;
    struct fm_rng rng;
    (void)state;
    assert_non_null(steady);
    assert_int_equal(fm_eyes_named(&eyes, "average", &fault), FM_OK);
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){7}, 0);
    for (unsigned i = 0; i < 300; i++) {
        struct dive_state a, b;
        struct fm_sight sight = {0};
        start(&a, "{\"game\":\"dive\",\"options\":{\"divers\":3}}", 2 * i);
        start(&b, "{\"game\":\"dive\",\"options\":{\"divers\":3}}", 2 * i + 1);
        fm_game_dive.look(&a, &eyes, &rng, &sight);
        const struct fm_budget budget = {.eyes = &eyes, .sight = &sight};
        struct fm_rng x = rng, y = rng;
        const struct fm_choice p = steady->think(fm_view_of(&fm_game_dive, &a, 1), &x, budget);
        const struct fm_choice q = steady->think(fm_view_of(&fm_game_dive, &b, 1), &y, budget);
        assert_int_equal(p.action, q.action);
        assert_int_equal(p.after_ms, q.after_ms);
    }
}

/* D12: where a mistake costs everything it does not go as deep. */
static void D12_steady_dives_less_deep_in_deep_waters(void **state)
{
    const struct fm_bot *steady = fm_bot_find(&fm_game_dive, "steady");
    unsigned depth[2] = {0};
    struct fm_eyes eyes;
    struct fm_fault fault;
    struct fm_rng rng;
    (void)state;
    assert_int_equal(fm_eyes_named(&eyes, "short-sighted", &fault), FM_OK);
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){8}, 0);
    for (unsigned i = 0; i < 600; i++) {
        struct dive_state s;
        struct fm_sight sight = {0};
        start(&s, "{\"game\":\"dive\"}", i);
        s.pub.pawn[0] = s.pub.pawn[1] = i % 2 ? 17 : 2;
        fm_game_dive.look(&s, &eyes, &rng, &sight);
        const struct fm_budget budget = {.eyes = &eyes, .sight = &sight};
        const struct fm_choice c = steady->think(fm_view_of(&fm_game_dive, &s, 0), &rng, budget);
        assert_int_equal(fm_verb(c.action), DIVE_DO_PROGRAM);
        depth[i % 2] += dive_depth((uint32_t)dive_action_rest(c.action));
    }
    assert_true(depth[1] + 100 < depth[0]);
}

/* ---- the state -------------------------------------------------------------------------------------- */

static void D50_a_match_fits_a_kibibyte(void **state)
{
    (void)state;
    assert_true(fm_game_dive.state_size <= 1024);
}

/* ---- bad input: refused with a code and a sentence, and nothing has changed ---------------------------- */

static const struct {
    const char *action, *code;
} bad_actions[] = {
    {"{\"seat\":0,\"do\":\"program\",\"levels\":[{\"tokens\":[1],\"shark\":false},"
     "{\"tokens\":[1],\"shark\":false}]}",
     "token-twice"},
    {"{\"seat\":0,\"do\":\"program\",\"levels\":[{\"tokens\":[6],\"shark\":false}]}", "bad-value"},
    {"{\"seat\":0,\"do\":\"program\",\"levels\":[{\"tokens\":[1.5],\"shark\":false}]}",
     "bad-value"},
    {"{\"seat\":0,\"do\":\"program\",\"levels\":[{\"tokens\":[1,2,3,4,5,5],\"shark\":false}]}",
     "bad-value"},
    {"{\"seat\":0,\"do\":\"program\",\"levels\":[{},{},{},{},{},{}]}", "no-such-level"},
    {"{\"seat\":0,\"do\":\"program\",\"levels\":[{\"tokens\":[1]}]}", "bad-key"},
    {"{\"seat\":0,\"do\":\"program\",\"levels\":[{\"tokens\":[1],\"shark\":1}]}", "bad-value"},
    {"{\"seat\":0,\"do\":\"program\",\"levels\":[{\"tokens\":[1],\"shark\":true,\"x\":1}]}",
     "bad-key"},
    {"{\"seat\":0,\"do\":\"program\",\"levels\":{}}", "bad-value"},
    {"{\"seat\":0,\"do\":\"program\"}", "bad-key"},
    {"{\"seat\":0,\"do\":\"program\",\"levels\":[],\"anglerfish\":{\"shark\":true}}",
     "anglerfish-alone"},
    {"{\"seat\":0,\"do\":\"program\",\"levels\":[],\"clownfish\":1}", "clownfish-alone"},
    {"{\"seat\":0,\"do\":\"program\",\"levels\":[],\"clownfish\":6}", "bad-value"},
    {"{\"seat\":1,\"do\":\"program\",\"levels\":[{\"tokens\":[1],\"shark\":true}],"
     "\"clownfish\":1}",
     "not-your-companion"},
    {"{\"seat\":0,\"do\":\"program\",\"levels\":[{\"tokens\":[1],\"shark\":true},"
     "{\"shark\":true}]}",
     "bad-key"},
    {"{\"seat\":0,\"do\":\"ready\"}", "no-token"},
    {"{\"seat\":0,\"do\":\"unready\"}", "not-ready"},
    {"{\"seat\":0,\"do\":\"breathe\"}", "no-fugu"},
    {"{\"seat\":0,\"do\":\"use\",\"companion\":\"octopus\",\"x\":0.5,\"y\":0.5}",
     "not-your-companion"},
    {"{\"seat\":1,\"do\":\"use\",\"companion\":\"octopus\",\"x\":1.5,\"y\":0.5}", "bad-value"},
    {"{\"seat\":1,\"do\":\"use\",\"companion\":\"octopus\",\"x\":0.5,\"y\":-1}", "bad-value"},
    {"{\"seat\":1,\"do\":\"use\",\"companion\":\"octopus\",\"x\":\"NaN\",\"y\":0}", "bad-value"},
    {"{\"seat\":1,\"do\":\"use\",\"companion\":\"octopus\",\"x\":null,\"y\":0}", "bad-value"},
    {"{\"seat\":1,\"do\":\"use\",\"companion\":\"octopus\"}", "bad-key"},
    {"{\"seat\":2,\"do\":\"use\",\"companion\":\"dolphins\",\"target\":2}", "not-oneself"},
    {"{\"seat\":2,\"do\":\"use\",\"companion\":\"dolphins\",\"target\":3}", "no-such-target"},
    {"{\"seat\":2,\"do\":\"use\",\"companion\":\"dolphins\",\"target\":-1}", "bad-value"},
    {"{\"seat\":2,\"do\":\"use\",\"companion\":\"dolphins\"}", "bad-key"},
    {"{\"seat\":2,\"do\":\"use\",\"companion\":\"whale\"}", "bad-value"},
    {"{\"seat\":0,\"do\":\"use\",\"companion\":\"anglerfish\"}", "with-program"},
    {"{\"seat\":0,\"do\":\"choose\",\"companion\":\"orca\"}", "wrong-phase"},
    {"{\"seat\":0,\"do\":\"axolotl\",\"use\":true}", "wrong-phase"},
    {"{\"seat\":0,\"do\":\"axolotl\"}", "bad-key"},
    {"{\"do\":\"stop\",\"why\":\"orca\"}", "no-orca"},
    {"{\"do\":\"stop\",\"why\":\"lunch\"}", "bad-value"},
    {"{\"seat\":0,\"do\":\"stop\",\"why\":\"clock\"}", "bad-action"},
    {"{\"seat\":3,\"do\":\"ready\"}", "no-such-seat"},
    {"{\"seat\":0,\"do\":\"sing\"}", "bad-value"},
};

static void bad_input_is_refused_and_changes_nothing(void **state)
{
    struct dive_state s, before;
    (void)state;
    start(&s,
          "{\"game\":\"dive\",\"options\":{\"divers\":3,\"companions\":\"seven\"},"
          "\"setup\":{\"companions\":[\"anglerfish\",\"octopus\",\"dolphins\"]}}",
          1);
    before = s;
    for (size_t i = 0; i < sizeof bad_actions / sizeof bad_actions[0]; i++) {
        struct fm_fault fault = {0};
        struct fm_event ev = {0};
        json_t *json = fm_json_load(bad_actions[i].action, strlen(bad_actions[i].action), &fault);
        assert_non_null(json);
        enum fm_err err = fm_event_parse(&fm_game_dive, &ev, json, &fault);
        json_decref(json);
        if (err == FM_OK)
            err = fm_refuse(&fault, &fm_game_dive, fm_apply(&fm_game_dive, &s, &ev, NULL));
        if (strcmp(fm_err_code(err), bad_actions[i].code) != 0)
            fail_msg("%s: %s, not %s", bad_actions[i].action, fm_err_code(err),
                     bad_actions[i].code);
        assert_true(strlen(fault.text) > 10);
        assert_memory_equal(&s, &before, sizeof s);
    }
}

/* Packed actions that no JSON can say: bits that mean nothing, in every verb. */
static void bad_bits_are_refused_and_change_nothing(void **state)
{
    static const fm_action bad[] = {
        DIVE_DO_READY | 1u << 8,
        DIVE_DO_UNREADY | 1u << 8,
        DIVE_DO_BREATHE | 1u << 8,
        DIVE_DO_PROGRAM | (fm_action)6 << 8,                               /* level 6 */
        DIVE_DO_PROGRAM | (fm_action)1 << (8 + DIVE_FACE_BIT),             /* a face, no token */
        DIVE_DO_PROGRAM | (fm_action)1 << (8 + DIVE_PROGRAM_BITS),         /* beyond */
        DIVE_DO_PROGRAM | (fm_action)1 << 60,                              /* far beyond */
        DIVE_DO_PROGRAM | (fm_action)7 << (8 + DIVE_PLAIN_BIT),            /* seven levels */
        DIVE_DO_PROGRAM | (fm_action)5 << (8 + DIVE_PLAIN_BIT),            /* not a child */
        DIVE_DO_PROGRAM | (fm_action)(1u | 1u << DIVE_CLOWNFISH_BIT) << 8, /* not its owner */
        DIVE_DO_USE | DIVE_OCTOPUS << 8 | (fm_action)10001 << 16,
        DIVE_DO_USE | DIVE_OCTOPUS << 8 | (fm_action)10001 << 32,
        DIVE_DO_USE | DIVE_OCTOPUS << 8 | (fm_action)1 << 48,
        DIVE_DO_USE | 99 << 8,
        DIVE_DO_STOP,
        DIVE_VERBS,
        31,
        32,
        0,
    };
    struct dive_state s, before;
    (void)state;
    start(&s,
          "{\"game\":\"dive\",\"options\":{\"companions\":\"seven\"},"
          "\"setup\":{\"companions\":[\"octopus\",null]}}",
          1);
    before = s;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_not_equal(act(&s, 0, bad[i]), FM_OK);
        assert_memory_equal(&s, &before, sizeof s);
    }
}

/* ---- options and decks ---------------------------------------------------------------------------------- */

static void D24_orders_of_seats_survive_packing(void **state)
{
    (void)state;
    size_t n_orders = 0;
    for (int16_t packed = 0; packed < 5913; packed++) {
        uint8_t seats[FM_MAX_SEATS];
        unsigned named = 0;
        const size_t n = fm_seats_unpack(packed, seats);
        assert_in_range(n, 1, FM_MAX_SEATS);
        for (size_t i = 0; i < n; i++)
            named |= 1u << seats[i];
        assert_int_equal(named, (1u << n) - 1);
        assert_int_equal(fm_seats_pack(seats, n), packed);
        n_orders += n == 4;
    }
    assert_int_equal(n_orders, 24);
}

static void D1_D23_D43_forbidden_tables_say_why(void **state)
{
    static const struct {
        const char *table;
        enum fm_err code;
    } tables[] = {
        {"{\"game\":\"dive\",\"options\":{\"divers\":1}}", FM_E_ALONE},
        {"{\"game\":\"dive\",\"options\":{\"children\":true,\"companions\":\"ten\"}}",
         FM_E_CHILDREN_COMPANIONS},
        {"{\"game\":\"dive\",\"options\":{\"children\":true,\"chief\":true}}", FM_E_CHILDREN_CHIEF},
    };
    (void)state;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        struct fm_setup setup;
        struct fm_fault fault;
        json_t *json = fm_json_load(tables[i].table, strlen(tables[i].table), &fault);
        assert_int_equal(fm_setup_parse(&setup, json, NULL, &fault), tables[i].code);
        json_decref(json);
    }
}

static void D3_bad_decks_are_refused(void **state)
{
#define DECK(cards)                                                                                \
    "{\"fathom_deck\":1,\"id\":\"x\",\"game\":\"dive\",\"title\":\"X\",\"cards\":" cards "}"
    static const struct {
        const char *text, *words;
    } decks[] = {
        {DECK("[{\"card\":\"empty\",\"count\":35}]"), "these counts make 35"},
        {DECK("[{\"card\":\"empty\",\"count\":37}]"), "not within 0 to 36"},
        {DECK("[{\"card\":\"empty\",\"count\":30},{\"card\":\"empty\",\"count\":6}]"),
         "cards[1].card: \"empty\" stands here twice"},
        {DECK("[{\"card\":\"whale\",\"count\":36}]"), "cards[0].card"},
        {DECK("[{\"card\":\"empty\"}]"), "\"count\" is missing"},
        {DECK("[{\"card\":\"empty\",\"count\":36,\"x\":1}]"), "unknown key \"x\""},
        {DECK("[]"), "cards"},
        {DECK("{}"), "cards"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof decks / sizeof decks[0]; i++) {
        struct fm_deck deck;
        struct fm_fault fault;
        assert_int_not_equal(fm_deck_parse(&deck, decks[i].text, strlen(decks[i].text), &fault),
                             FM_OK);
        if (strstr(fault.text, decks[i].words) == NULL)
            fail_msg("%s: %s", decks[i].text, fault.text);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(D1_D23_D43_forbidden_tables_say_why),
        cmocka_unit_test(D3_the_stack_is_the_deck_and_every_way_round),
        cmocka_unit_test(D3_no_card_is_ever_lost),
        cmocka_unit_test(D3_bad_decks_are_refused),
        cmocka_unit_test(D5_there_are_13502_programs),
        cmocka_unit_test(D5_sample_is_uniform_over_all_programs),
        cmocka_unit_test(D7_any_two_programs_look_the_same_to_others),
        cmocka_unit_test(D8_cut_keeps_what_lies_above_the_first_gap),
        cmocka_unit_test(D8_the_tables_clock_starts_when_the_dive_was_shown),
        cmocka_unit_test(D12_steady_dives_less_deep_in_deep_waters),
        cmocka_unit_test(D22_children_have_32_programs),
        cmocka_unit_test(D24_orders_of_seats_survive_packing),
        cmocka_unit_test(D27_the_orca_is_due_after_ten_seconds),
        cmocka_unit_test(D28_with_an_anglerfish_there_are_21182),
        cmocka_unit_test(D30_with_a_clownfish_one_for_each_level_more),
        cmocka_unit_test(D37_forty_eight_different_cards),
        cmocka_unit_test(D38_each_card_once_in_a_game),
        cmocka_unit_test(D47_any_two_choices_look_the_same_to_others),
        cmocka_unit_test(D50_a_match_fits_a_kibibyte),
        cmocka_unit_test(bots_see_better_in_clear_water_than_in_murky),
        cmocka_unit_test(eyes_see_as_often_as_their_table_says),
        cmocka_unit_test(eyes_see_the_same_when_they_look_again),
        cmocka_unit_test(steady_never_knows_the_truth),
        cmocka_unit_test(bad_input_is_refused_and_changes_nothing),
        cmocka_unit_test(bad_bits_are_refused_and_change_nothing),
    };
    if (fm__hash_start() != 0)
        return 2;
    return tests_run("dive", tests, sizeof tests / sizeof tests[0]);
}
