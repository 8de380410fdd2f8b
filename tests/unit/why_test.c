/* why_test.c: why a seat did something: the same question has one answer, which follows from what
 * whoever asks may know; a move that wins at once is seen to; and games need no hook for it. */
#include "tests.h"

#include "base/hash.h"
#include "bots/why.h"
#include "conform/toy.h"

#include <fathom/game.h>

#include <stdio.h>
#include <string.h>

static struct why why;

static struct fm_setup table(const char *text)
{
    struct fm_setup setup;
    struct fm_fault fault;
    assert_int_equal(fm_setup_read(&setup, text, strlen(text), NULL, &fault), FM_OK);
    return setup;
}

struct moment { /* a move, and the match before it */
    _Alignas(8) uint8_t before[FM_STATE_MAX];
    unsigned seat;
    fm_action action;
};

/* A choice some way into a random match; false: the match ends before. */
static bool find_moment(struct moment *m, const struct fm_setup *setup, unsigned moves,
                        struct fm_rng *rng)
{
    const struct fm_game *g = setup->game;
    const struct fm_reasoning *r = fm__reasoning_of(g);
    const struct fm_pub *pub = (const void *)m->before;
    assert_int_equal(fm_init(m->before, setup, NULL), FM_OK);
    for (unsigned i = 0; pub->status == FM_RUNNING && i < 400; i++) {
        m->seat = (unsigned)__builtin_ctz(pub->owes);
        m->action = g->sample(fm_view_of(g, m->before, (int)m->seat), rng);
        if (i >= moves && m->action != 0 && (r->explains == NULL || r->explains(m->action)))
            return true;
        const struct fm_event ev = {
            .t_ms = pub->now_ms, .seat = (uint8_t)m->seat, .action = m->action};
        if (fm_apply(g, m->before, &ev, NULL) != FM_OK)
            return false;
    }
    return false;
}

static void ask(const struct moment *m, const struct fm_game *g, int asker, uint32_t worlds)
{
    static _Alignas(8) uint8_t after[FM_STATE_MAX], memory[WHY_MEMORY];
    const struct fm_pub *pub = (const void *)m->before;
    const struct fm_event ev = {.t_ms = pub->now_ms, .seat = (uint8_t)m->seat, .action = m->action};
    struct fm_notes notes = {0};
    struct why_question q = {.before = fm_view_of(g, m->before, asker),
                             .seat = m->seat,
                             .played = m->action,
                             .memory = memory};
    memcpy(after, m->before, sizeof after);
    assert_int_equal(fm_apply(g, after, &ev, &notes), FM_OK);
    for (size_t i = 0; i < notes.len && q.told.kind == 0; i++)
        if (fm_note_cut(&notes.item[i], asker))
            q.told = notes.item[i];
    fm__why_begin(&why, &q, worlds);
    while (!fm__why_step(&why))
        ;
}

static const char *answer(void)
{
    static char text[4096];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    fm__why_put_reason(&o, &why);
    for (size_t i = 0; i < why.n; i++) {
        fm_put_action(&o, why.q.before.game, why.option[i].action);
        fm_js_fixed(&o, fm__why_value(&why.option[i]), 6);
    }
    assert_true(fm_out_ok(&o));
    return text;
}

static const char *const tables[] = {
    "{\"game\":\"soumsoum\",\"options\":{\"players\":3}}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":3}}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":2,\"industrialist\":true}}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":3,\"realistic\":true}}",
};

static void check_answer(void)
{
    assert_true(why.n <= WHY_SHOWN);
    for (size_t i = 0; i < why.n; i++) {
        assert_true(why.option[i].n > 0);
        assert_true(fm__why_value(&why.option[i]) >= 0 && fm__why_value(&why.option[i]) <= 1);
        for (size_t k = 0; k < i; k++)
            assert_true(why.option[i].action != why.option[k].action);
    }
    if (why.n == 3)
        assert_true(fm__why_value(&why.option[1]) >= fm__why_value(&why.option[2]));
}

/* From a seat, a spectator and the mover itself; in the true world and in a dealt one. */
static void an_answer_follows_from_the_view_alone(void **state)
{
    (void)state;
    static struct moment moment, twin;
    static char text[4096];
    struct fm_rng rng;
    unsigned explained = 0;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){5}, 0);
    for (unsigned i = 0; i < 48; i++) {
        struct fm_setup setup = table(tables[i % 4]);
        setup.seed[0] = (uint8_t)i;
        if (!find_moment(&moment, &setup, i / 2, &rng))
            continue;
        for (int asker = FM_WATCHER; asker < setup.n_seats; asker++) {
            ask(&moment, setup.game, asker, 6);
            check_answer();
            explained += why.n > 0;
            (void)snprintf(text, sizeof text, "%s", answer());
            ask(&moment, setup.game, asker, 6);
            assert_string_equal(answer(), text);
            if (why.n == 0)
                continue;
            /* any world in which the same is told gets the same answer */
            twin = moment;
            memcpy(twin.before, why.world, sizeof twin.before);
            if (asker == (int)moment.seat)
                continue; /* its own cards may be others there, and the note with them */
            const struct fm_reasoning *r = fm__reasoning_of(setup.game);
            twin.action = r->replay(&why.q, fm_view_of(setup.game, twin.before, (int)twin.seat));
            ask(&twin, setup.game, asker, 6);
            assert_string_equal(answer(), text);
        }
    }
    assert_true(explained > 60);
}

static void a_game_without_a_hook_is_explained(void **state)
{
    (void)state;
    static struct moment moment;
    struct fm_setup setup = {.game = &toy_game, .rules = 1, .n_seats = 2};
    struct fm_fault fault;
    struct fm_rng rng;
    unsigned compared = 0;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){6}, 0);
    if (toy_game.settle != NULL)
        assert_int_equal(toy_game.settle(&setup, &fault), FM_OK);
    for (unsigned i = 0; i < 12; i++) {
        setup.seed[0] = (uint8_t)i;
        if (!find_moment(&moment, &setup, i % 4, &rng))
            continue;
        ask(&moment, &toy_game, (int)moment.seat, 20);
        check_answer();
        assert_true(why.n >= 1);
        compared += why.n > 1;
    }
    assert_true(compared > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_follows_from_the_view_alone),
        cmocka_unit_test(a_game_without_a_hook_is_explained),
    };
    assert_int_equal(fm__hash_start(), 0);
    return tests_run("why", tests, sizeof tests / sizeof tests[0]);
}
