/* dive_analysis_test.c: what a program of Dive was worth, from what could be seen: clear cases,
 * what counts as a decision, and that nothing hidden matters. */
#include "tests.h"

#include "analysis/analysis.h"
#include "base/hash.h"
#include "dive/rules/dive_state.h"

#include <fathom/games.h>

#include <string.h>

static struct race race;
static struct decision decision[16];
static struct dive_state match;
static struct fm_eyes eyes;

/* ---- positions ------------------------------------------------------------------------------- */

static struct fm_setup table(const char *text)
{
    struct fm_setup setup;
    struct fm_fault fault;
    if (fm_setup_read(&setup, text, strlen(text), NULL, &fault) != FM_OK)
        fail_msg("%s", fault.text);
    return setup;
}

static void deal(const char *text)
{
    const struct fm_setup setup = table(text);
    assert_int_equal(fm_init(&match, &setup, NULL), FM_OK);
}

/* Everybody knows that the stack holds nothing but this kind, so many sheets of it. */
static void leave_only(unsigned kind, unsigned n)
{
    match.pub.stack_n = (uint8_t)n;
    memset(match.pub.left, 0, sizeof match.pub.left);
    match.pub.left[kind] = (uint8_t)n;
    memset(match.secret.stack, (int)kind, n);
}

/* Eyes that are sure of these kinds, from the top. */
static struct fm__scene scene_of(const uint8_t *kind, unsigned levels)
{
    struct fm__scene scene = {.eyes = &eyes, .average.levels = levels};
    for (unsigned level = 0; level < levels; level++) {
        scene.average.chance[level][kind[level]] = FM__SCENE_ONE;
        scene.there[level] = kind[level];
    }
    return scene;
}

static fm_action program(const uint8_t *level_of_token, unsigned sharks)
{
    uint32_t laid = (uint32_t)sharks << DIVE_FACE_BIT;
    for (unsigned token = 0; token < DIVE_TOKENS; token++)
        laid |= (uint32_t)level_of_token[token] << 3 * token;
    return dive_action(DIVE_DO_PROGRAM, laid);
}

/* All five tokens on the first level. */
static fm_action one_level(bool shark)
{
    return program((const uint8_t[]){1, 1, 1, 1, 1}, shark);
}

static const struct decision *weigh(unsigned seat, fm_action played, const struct fm__scene *scene)
{
    static struct decision d;
    const struct fm_event ev = {.seat = (uint8_t)seat, .action = played};
    assert_true(fm__decision_note(&d, &fm_game_dive, &match, &ev));
    d.scene = scene;
    memset(&race, 0xaa, sizeof race);
    fm__decision_weigh(&d, STUDY_QUICK, &race);
    assert_true(d.n > 1);
    return &d;
}

static int64_t best_value(const struct decision *d)
{
    return d->candidate[d->best].value;
}

/* ---- clear cases ----------------------------------------------------------------------------- */

/* The last sheet is a shark, and seat 0 is one space ahead: who is right wins. */
static void a_face_that_throws_the_win_away_is_a_blunder(void **state)
{
    (void)state;
    const struct fm__scene scene = scene_of((const uint8_t[]){DIVE_SHARK}, 1);
    deal("{\"game\":\"dive\",\"options\":{\"divers\":2}}");
    leave_only(DIVE_SHARK, 1);
    match.pub.pawn[0] = 11;
    match.pub.pawn[1] = 10;
    const struct decision *d = weigh(0, one_level(true), &scene);
    assert_true(best_value(d) > STUDY_ONE * 99 / 100);
    assert_int_equal(fm__decision_mark(d), ANALYSIS_NONE);
    assert_true(d->candidate[0].gain > STUDY_ONE * 99 / 100);
    d = weigh(0, one_level(false), &scene);
    assert_int_equal(fm__decision_mark(d), ANALYSIS_BLUNDER);
    assert_true(d->candidate[0].gain < STUDY_ONE / 100);
    assert_true(best_value(d) > STUDY_ONE * 99 / 100);
    assert_true(dive_face((uint32_t)dive_action_rest(d->candidate[d->best].action), 1));
    for (size_t i = 0; i < d->n; i++) {
        const bool right = dive_face((uint32_t)dive_action_rest(d->candidate[i].action), 1);
        assert_true(right == (d->candidate[i].value > STUDY_ONE * 3 / 4));
    }
}

/* In Deep Waters a mistake costs everything, and on 22 one level is enough. */
static void who_needs_one_space_need_not_dive_deep(void **state)
{
    (void)state;
    struct fm__scene scene =
        scene_of((const uint8_t[]){DIVE_SHARK, DIVE_SHARK, 0, 0, 0, 0}, DIVE_DEEPEST);
    for (unsigned level = 1; level < DIVE_DEEPEST; level++)
        for (unsigned kind = 0; kind < DIVE_KINDS; kind++)
            scene.average.chance[level][kind] = FM__SCENE_ONE / DIVE_KINDS;
    deal("{\"game\":\"dive\",\"options\":{\"divers\":2}}");
    match.pub.pawn[0] = 22;
    match.pub.pawn[1] = 18;
    const struct decision *d = weigh(0, program((const uint8_t[]){1, 2, 3, 4, 5}, 1), &scene);
    assert_true(d->lost >= STUDY_ONE / 10);
    assert_true(dive_depth((uint32_t)dive_action_rest(d->candidate[d->best].action)) <= 2);
}

static void children_are_best_off_with_the_faces_that_are_there(void **state)
{
    (void)state;
    const uint8_t kinds[] = {DIVE_SHARK, 0, DIVE_SHARK | DIVE_RED, DIVE_GREEN, DIVE_SHARK};
    const struct fm__scene scene = scene_of(kinds, DIVE_LEVELS);
    deal("{\"game\":\"dive\",\"options\":{\"divers\":2,\"children\":true}}");
    const fm_action right = dive_action(DIVE_DO_PROGRAM, dive_program_at(DIVE_KIT_CHILDREN, 0x15));
    const fm_action wrong = dive_action(DIVE_DO_PROGRAM, dive_program_at(DIVE_KIT_CHILDREN, 0x0a));
    const struct decision *d = weigh(1, wrong, &scene);
    assert_int_equal(d->n, 1u << DIVE_LEVELS);
    assert_int_equal(d->candidate[d->best].action, right);
    assert_true(d->lost >= STUDY_ONE / 5);
    assert_true(d->candidate[d->best].gain > 4 * STUDY_ONE);
    assert_true(d->candidate[0].gain < STUDY_ONE);
}

/* The rival has arrived on 23: the axolotl takes it back to 21, behind seat 0. */
static void an_axolotl_that_would_have_saved_the_game_is_missed(void **state)
{
    (void)state;
    const struct fm__scene scene = {.eyes = &eyes};
    deal("{\"game\":\"dive\",\"options\":{\"divers\":2,\"companions\":\"ten\"}}");
    match.pub.companion[0] = DIVE_AXOLOTL_TILE;
    match.pub.round = 6;
    match.pub.head.phase = DIVE_AXOLOTL;
    match.pub.head.may = match.pub.head.owes = 1;
    match.pub.pawn[0] = 22;
    match.pub.pawn[1] = 23;
    const struct decision *d = weigh(0, dive_action(DIVE_DO_AXOLOTL, 0), &scene);
    assert_int_equal(d->candidate[0].value, 0);
    assert_int_equal(fm__decision_mark(d), ANALYSIS_BLUNDER);
    assert_int_equal(d->candidate[d->best].action, dive_action(DIVE_DO_AXOLOTL, 1));
}

/* ---- what counts ----------------------------------------------------------------------------- */

static size_t find(const struct fm_setup *setup, const struct fm_event *event, size_t n)
{
    struct analysis a = {.setup = setup, .seat = -1, .decision = decision};
    return fm__analysis_find(&a, &match, event, n, sizeof decision / sizeof decision[0]);
}

/* Boards are laid anew until the dive begins: one decision for each seat and round. */
static void the_program_that_was_dived_with_is_the_decision(void **state)
{
    (void)state;
    const fm_action ready = dive_action(DIVE_DO_READY, 0);
    const struct fm_event event[] = {
        {.seat = 0, .action = one_level(true)},
        {.seat = 1, .action = one_level(true)},
        {.seat = 1, .action = ready},
        {.seat = 0, .action = dive_action(DIVE_DO_PROGRAM, 0)},
        {.seat = 1, .action = dive_action(DIVE_DO_UNREADY, 0)},
        {.seat = 0, .action = one_level(false)},
        {.seat = 1, .action = ready},
        {.seat = 0, .action = ready},
        {.seat = 0, .action = one_level(true)},
    };
    const struct fm_setup setup = table("{\"game\":\"dive\",\"options\":{\"divers\":2}}");
    assert_int_equal(find(&setup, event, sizeof event / sizeof event[0]), 3);
    assert_int_equal(decision[0].step, 2);
    assert_int_equal(decision[1].step, 6);
    assert_int_equal(decision[1].played, one_level(false));
    assert_int_equal(decision[2].step, 9);
}

/* ---- what must not matter -------------------------------------------------------------------- */

/* Another stack, another pile of the chief's, another truth in the report: the same values, as long
 * as the eyes believe the same. */
static void what_could_not_be_seen_changes_nothing(void **state)
{
    (void)state;
    const uint8_t kinds[] = {DIVE_SHARK, 0, DIVE_GREEN, DIVE_SHARK, DIVE_MANTA, 0};
    static struct decision here;
    struct fm__scene scene = scene_of(kinds, DIVE_DEEPEST);
    deal("{\"game\":\"dive\",\"options\":{\"divers\":2,\"chief\":true}}");
    here = *weigh(0, program((const uint8_t[]){1, 2, 3, 4, 5}, 1), &scene);
    for (unsigned i = 0; i < DIVE_CARDS / 2; i++) {
        const uint8_t card = match.secret.stack[i];
        match.secret.stack[i] = match.secret.stack[DIVE_CARDS - 1 - i];
        match.secret.stack[DIVE_CARDS - 1 - i] = card;
    }
    memset(match.secret.chief, 0, match.pub.chief_n);
    memset(scene.there, DIVE_RED, sizeof scene.there);
    memset(scene.shark, 30, sizeof scene.shark);
    scene.sharp = scene_of((const uint8_t[]){0, 0, 0, 0, 0, 0}, DIVE_DEEPEST).average;
    const struct decision *there = weigh(0, program((const uint8_t[]){1, 2, 3, 4, 5}, 1), &scene);
    assert_int_equal(here.n, there->n);
    assert_int_equal(here.best, there->best);
    assert_int_equal(here.lost, there->lost);
    assert_memory_equal(here.candidate, there->candidate, here.n * sizeof here.candidate[0]);
}

/* ---- eyes ------------------------------------------------------------------------------------ */

/* Average eyes take the second level for clear, sharp ones see the shark: with its face the same
 * tokens go two levels deep. Who laid it has nothing to gain. */
static void eyes_cost_what_the_same_tokens_would_have_brought(void **state)
{
    (void)state;
    const uint8_t taken_for[] = {0, 0, 0}, sharply[] = {0, DIVE_SHARK, 0};
    const fm_action wrong = program((const uint8_t[]){1, 1, 2, 2, 2}, 0);
    const fm_action right = program((const uint8_t[]){1, 1, 2, 2, 2}, 2);
    struct fm__scene scene = scene_of(taken_for, 3);
    deal("{\"game\":\"dive\",\"options\":{\"divers\":2}}");
    assert_int_equal(weigh(0, wrong, &scene)->sharper, 0); /* nobody asked sharp eyes */
    scene.sharp = scene_of(sharply, 3).average;
    const struct decision *d = weigh(0, wrong, &scene);
    assert_int_equal(d->sharper, right);
    assert_true(d->eyes > STUDY_ONE / 2);
    d = weigh(0, right, &scene);
    assert_int_equal(d->sharper, right);
    assert_int_equal(d->eyes, 0);
}

/* What the deck has left is known as well: no manta is believed in when all were turned over. */
static void a_kind_that_is_gone_is_not_believed_in(void **state)
{
    (void)state;
    static char text[ANALYSIS_HEAD + ANALYSIS_DECISION];
    static struct decision d;
    const struct fm_setup setup = table("{\"game\":\"dive\",\"options\":{\"divers\":2}}");
    const char *const names[] = {"a", "b"};
    const struct fm__scene scene = scene_of((const uint8_t[]){DIVE_MANTA}, 1);
    const struct analysis a = {.setup = &setup, .seat = -1, .names = names, .decision = &d, .n = 1};
    struct fm_out o;
    double manta[2];
    for (int gone = 0; gone < 2; gone++) {
        deal("{\"game\":\"dive\",\"options\":{\"divers\":2}}");
        if (gone)
            match.pub.left[DIVE_MANTA] = 0;
        d = *weigh(0, one_level(false), &scene);
        fm_out_init(&o, text, sizeof text);
        fm__put_analysis(&o, &a);
        assert_true(fm_out_ok(&o));
        const char *at = strstr(text, "\"chances\":");
        assert_non_null(at);
        manta[gone] = strtod(strstr(at, "\"manta\":") + strlen("\"manta\":"), NULL);
    }
    assert_true(manta[0] > .9 && manta[1] < .5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_face_that_throws_the_win_away_is_a_blunder),
        cmocka_unit_test(who_needs_one_space_need_not_dive_deep),
        cmocka_unit_test(children_are_best_off_with_the_faces_that_are_there),
        cmocka_unit_test(an_axolotl_that_would_have_saved_the_game_is_missed),
        cmocka_unit_test(the_program_that_was_dived_with_is_the_decision),
        cmocka_unit_test(what_could_not_be_seen_changes_nothing),
        cmocka_unit_test(eyes_cost_what_the_same_tokens_would_have_brought),
        cmocka_unit_test(a_kind_that_is_gone_is_not_believed_in),
    };
    struct fm_fault fault;
    assert_int_equal(fm__hash_start(), 0);
    assert_int_equal(fm_eyes_named(&eyes, "picture-average", &fault), FM_OK);
    return tests_run("dive_analysis", tests, sizeof tests / sizeof tests[0]);
}
