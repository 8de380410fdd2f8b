/* vec_test.c: matches stepped together are the same matches, and show no more than views. */
#include "tests.h"

#include "base/hash.h"
#include "conform/toy.h"
#include "core/flat.h"
#include "dive/rules/dive.h"

#include <fathom/games.h>

#include <stdlib.h>
#include <string.h>

#define LANES 5
#define STEPS 1200

static const char *const tables[] = {
    "{\"game\":\"soumsoum\"}",
    "{\"game\":\"soumsoum\",\"options\":{\"players\":4}}",
    "{\"game\":\"soumsoum\",\"options\":{\"players\":3,\"market\":true}}",
    "{\"game\":\"dive\"}",
    "{\"game\":\"dive\",\"options\":{\"divers\":4,\"companions\":\"ten\"}}",
    "{\"game\":\"dive\",\"options\":{\"divers\":1,\"chief\":true}}",
    "{\"game\":\"dive\",\"options\":{\"divers\":3,\"children\":true}}",
    "{\"game\":\"divercity\"}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":1,\"level\":\"divemaster\"}}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":3,\"industrialist\":true}}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":3,\"realistic\":true}}",
    "{\"game\":\"divercity\",\"options\":{\"diver_cards\":\"full-team\",\"any_turn\":true}}",
    "{\"game\":\"divercity\",\"options\":{\"divers\":6,\"diver_cards\":\"choose\"}}",
};
#define TABLES (sizeof tables / sizeof tables[0])

static struct fm_setup table(const char *text)
{
    struct fm_setup setup;
    struct fm_fault fault;
    assert_int_equal(fm_setup_read(&setup, text, strlen(text), NULL, &fault), FM_OK);
    memset(setup.seed, 7, sizeof setup.seed);
    return setup;
}

/* ---- a vec with its buffers ------------------------------------------------------------------ */

struct batch {
    struct fm_vec_shape shape;
    struct fm_vec *vec;
    struct fm_eyes eyes;
    struct fm_vec_io io;
    uint64_t action[LANES];
    uint64_t mask[LANES * FM__MASK_WORDS];
    float reward[LANES * FM_MAX_SEATS];
    uint8_t flags[LANES], seat[LANES];
    _Alignas(8) uint8_t obs[LANES * 512];
    _Alignas(64) uint8_t memory[1 << 16];
};

static void open_batch(struct batch *b, const struct fm_setup *setup)
{
    struct fm_fault fault;
    assert_int_equal(fm_eyes_named(&b->eyes, "average", &fault), FM_OK);
    assert_int_equal(fm_vec_measure(&b->shape, setup), FM_OK);
    assert_true(b->shape.obs_bytes <= 512 && b->shape.n_seats == setup->n_seats);
    b->vec = fm_vec_open(b->memory, sizeof b->memory, setup, LANES, &b->eyes);
    assert_non_null(b->vec);
    b->io = (struct fm_vec_io){.action = b->action,
                               .obs = b->obs,
                               .mask = b->mask,
                               .reward = b->reward,
                               .flags = b->flags,
                               .seat = b->seat};
    memset(b->obs, 0xaa, sizeof b->obs); /* whatever is not written shows */
    assert_int_equal(fm_vec_reset(b->vec, &b->io, 0, LANES), FM_OK);
}

static const uint64_t *mask_at(const struct batch *b, unsigned lane)
{
    return b->mask + lane * b->shape.mask_words;
}

/* ---- the same, one by one -------------------------------------------------------------------- */

struct scalar {
    const struct fm_setup *setup;
    uint64_t match;
    unsigned lane;
    struct fm_rng look;
    struct fm_sight sight[FM_MAX_SEATS];
    _Alignas(8) uint8_t state[FM_STATE_MAX];
};

static void deal(struct scalar *s)
{
    struct fm_setup setup = *s->setup;
    fm_vec_seed(setup.seed, s->setup->seed, s->lane, s->match);
    assert_int_equal(fm_init(s->state, &setup, NULL), FM_OK);
    fm_rng_init(&s->look, setup.seed, 1);
    memset(s->sight, 0, sizeof s->sight);
}

static bool mask_of(struct fm_view v, uint64_t mask[FM__MASK_WORDS])
{
    mask[1] = 0;
    v.game->flat->mask(v, mask);
    return (mask[0] | mask[1]) != 0;
}

/* Whom the game waits for, and who can do something about it. */
static struct fm_view mover(const struct scalar *s)
{
    const struct fm_pub *pub = (const void *)s->state;
    uint64_t mask[FM__MASK_WORDS];
    for (int seat = 0; seat < pub->n_seats; seat++) {
        const struct fm_view v = fm_view_of(s->setup->game, s->state, seat);
        if (pub->owes >> seat & 1 && mask_of(v, mask))
            return v;
    }
    fail_msg("nobody acts");
    return fm_view_of(s->setup->game, s->state, 0);
}

/* ---- masks and the legal list ---------------------------------------------------------------- */

/* May this entry of the list, which may stand for many, mean this action? */
static bool means(const struct fm_game *g, fm_action entry, fm_action a)
{
    if (entry == a || !(g->open_verbs >> fm_verb(entry) & 1))
        return entry == a;
    if (g == &fm_game_divercity) /* the same target, or as many places */
        return (entry & 0x7ff) == (a & 0x7ff);
    if (fm_verb(entry) == DIVE_DO_USE) /* the octopus lies anywhere, others do not */
        return (entry & 0xffff) == (a & 0xffff) && (a >> 8 & 0xff) == DIVE_OCTOPUS;
    return fm_verb(entry) == fm_verb(a);
}

static void check_mask(struct fm_view v)
{
    const struct fm_game *g = v.game;
    fm_action legal[FM_LEGAL_MAX];
    size_t n = g->legal(v, legal, FM_LEGAL_MAX), named = 0;
    uint64_t mask[FM__MASK_WORDS];
    (void)mask_of(v, mask);
    for (unsigned index = 0; index < 64 * FM__MASK_WORDS; index++) {
        if (!(mask[index / 64] >> index % 64 & 1))
            continue;
        assert_true(index < g->flat->n_actions);
        const uint64_t values = g->flat->values(v, index);
        const fm_action a = fm_flat_action(v, index);
        const fm_action last = fm_flat_action(v, index | (values - 1) << FM_FLAT_INDEX_BITS);
        assert_true(a != 0 && last != 0 && (values == 1) == (a == last));
        assert_int_equal(fm_flat_action(v, index | values << FM_FLAT_INDEX_BITS), 0);
        assert_true(values == 1 || g->flat->open[index / 64] >> index % 64 & 1);
        size_t found = 0;
        for (size_t i = 0; i < n; i++)
            found += means(g, legal[i], a);
        assert_int_equal(found, 1);
        named++;
    }
    for (size_t i = 0; i < n; i++)
        named += g->quiet_verbs >> fm_verb(legal[i]) & 1;
    assert_int_equal(named, n);
}

/* ---- another world that looks the same ------------------------------------------------------- */

static void check_twin(const struct scalar *s, struct fm_view v, struct fm_rng *rng)
{
    static _Alignas(8) uint8_t twin[FM_STATE_MAX], a[512], b[512];
    const struct fm_game *g = v.game;
    uint64_t here[FM__MASK_WORDS], there[FM__MASK_WORDS];
    assert_int_equal(g->deal(twin, v, rng), FM_OK);
    const struct fm_view w = fm_view_of(g, twin, v.seat);
    g->flat->observe(v, &s->sight[v.seat], a);
    g->flat->observe(w, &s->sight[v.seat], b);
    assert_memory_equal(a, b, g->flat->obs_bytes);
    assert_true(mask_of(v, here) && mask_of(w, there));
    assert_memory_equal(here, there, sizeof here);
}

/* ---- step for step --------------------------------------------------------------------------- */

/* What the buffers say of a lane is what its match says by itself. */
static void check_lane(const struct batch *b, struct scalar *s)
{
    static _Alignas(8) uint8_t obs[512];
    const struct fm_view v = mover(s);
    const struct fm_game *g = v.game;
    uint64_t mask[FM__MASK_WORDS];
    (void)mask_of(v, mask);
    if (g->look != NULL)
        g->look(s->state, &b->eyes, &s->look, &s->sight[v.seat]);
    g->flat->observe(v, &s->sight[v.seat], obs);
    assert_int_equal(b->seat[s->lane], v.seat);
    assert_memory_equal(mask_at(b, s->lane), mask, b->shape.mask_words * sizeof mask[0]);
    assert_memory_equal(b->obs + s->lane * b->shape.obs_bytes, obs, b->shape.obs_bytes);
    assert_int_equal(obs[0], v.pub->phase);
    assert_int_equal(obs[1], v.seat);
    assert_int_equal(obs[2], v.pub->n_seats);
}

static void follow(const struct batch *b, struct scalar *s)
{
    const struct fm_pub *pub = (const void *)s->state;
    const struct fm_view v = mover(s);
    const struct fm_event ev = {.t_ms = pub->now_ms,
                                .seat = (uint8_t)v.seat,
                                .action = fm_flat_action(v, b->action[s->lane])};
    assert_int_equal(fm_apply(v.game, s->state, &ev, NULL), FM_OK);
    struct fm_outcome outcome = {0};
    const bool over = pub->status == FM_OVER;
    assert_int_equal(b->flags[s->lane], over ? FM_VEC_OVER : 0);
    if (over)
        v.game->outcome(s->state, &outcome);
    for (unsigned seat = 0; seat < pub->n_seats; seat++) {
        const float expected = !over ? 0 : outcome.winners >> seat & 1 ? 1 : -1;
        assert_true(b->reward[s->lane * b->shape.n_seats + seat] == expected);
    }
    if (over) {
        s->match++;
        deal(s);
    }
}

static void lanes_are_the_matches_that_they_would_be_alone(void **state)
{
    (void)state;
    static struct batch b;
    static struct scalar s[LANES];
    for (size_t t = 0; t < TABLES; t++) {
        const struct fm_setup setup = table(tables[t]);
        uint64_t chance = t;
        struct fm_rng rng;
        fm_rng_init(&rng, setup.seed, 99);
        open_batch(&b, &setup);
        for (unsigned i = 0; i < LANES; i++) {
            s[i] = (struct scalar){.setup = &setup, .lane = i};
            deal(&s[i]);
            check_lane(&b, &s[i]);
        }
        for (unsigned step = 0; step < STEPS; step++) {
            fm_vec_random(b.vec, &b.io, b.action, 0, LANES, &chance);
            assert_int_equal(fm_vec_step(b.vec, &b.io, 0, LANES), FM_OK);
            for (unsigned i = 0; i < LANES; i++) {
                follow(&b, &s[i]);
                check_lane(&b, &s[i]);
                check_mask(mover(&s[i]));
                check_twin(&s[i], mover(&s[i]), &rng);
            }
        }
        assert_true(s[0].match > 2); /* games did end, and others followed */
    }
}

static void parts_of_the_lanes_can_be_stepped(void **state)
{
    (void)state;
    static struct batch whole, parts;
    const struct fm_setup setup = table("{\"game\":\"divercity\",\"options\":{\"divers\":3}}");
    uint64_t chance = 1;
    open_batch(&whole, &setup);
    open_batch(&parts, &setup);
    for (unsigned step = 0; step < 300; step++) {
        fm_vec_random(whole.vec, &whole.io, whole.action, 0, LANES, &chance);
        memcpy(parts.action, whole.action, sizeof parts.action);
        assert_int_equal(fm_vec_step(whole.vec, &whole.io, 0, LANES), FM_OK);
        assert_int_equal(fm_vec_step(parts.vec, &parts.io, 3, LANES - 3), FM_OK);
        assert_int_equal(fm_vec_step(parts.vec, &parts.io, 0, 3), FM_OK);
        assert_memory_equal(whole.obs, parts.obs, sizeof whole.obs);
        assert_memory_equal(whole.mask, parts.mask, sizeof whole.mask);
        assert_memory_equal(whole.reward, parts.reward, sizeof whole.reward);
        assert_memory_equal(whole.flags, parts.flags, sizeof whole.flags);
    }
}

static void every_legal_index_is_drawn(void **state)
{
    (void)state;
    static struct batch b;
    const struct fm_setup setup = table(tables[0]);
    unsigned drawn[LANES][128] = {{0}};
    uint64_t chance = 5;
    open_batch(&b, &setup);
    for (unsigned i = 0; i < 20000; i++) {
        fm_vec_random(b.vec, &b.io, b.action, 0, LANES, &chance);
        for (unsigned lane = 0; lane < LANES; lane++)
            drawn[lane][b.action[lane]]++;
    }
    for (unsigned lane = 0; lane < LANES; lane++) /* three cards on 24 places: 278 of each */
        for (unsigned index = 0; index < 128; index++)
            if (mask_at(&b, lane)[index / 64] >> index % 64 & 1)
                assert_in_range(drawn[lane][index], 190, 380);
            else
                assert_int_equal(drawn[lane][index], 0);
}

/* ---- bad arguments --------------------------------------------------------------------------- */

static void illegal_actions_leave_their_lane_alone(void **state)
{
    (void)state;
    static struct batch b, before;
    for (size_t t = 0; t < TABLES; t++) {
        const struct fm_setup setup = table(tables[t]);
        uint64_t chance = 3;
        open_batch(&b, &setup);
        for (unsigned index = 0; index < 1u << FM_FLAT_INDEX_BITS; index += index < 160 ? 1 : 97) {
            if (index < 64 * b.shape.mask_words && mask_at(&b, 2)[index / 64] >> index % 64 & 1)
                continue;
            assert_int_equal(fm_vec_values(b.vec, 2, index), 0);
            fm_vec_random(b.vec, &b.io, b.action, 0, LANES, &chance);
            b.action[2] = index;
            before = b;
            assert_int_not_equal(fm_vec_step(b.vec, &b.io, 2, 1), FM_OK);
            assert_int_equal(b.flags[2], FM_VEC_REFUSED);
            assert_memory_equal(b.obs, before.obs, sizeof b.obs);
            assert_memory_equal(b.memory, before.memory, sizeof b.memory);
        }
        fm_vec_random(b.vec, &b.io, b.action, 0, LANES, &chance);
        b.action[2] |= UINT64_MAX << FM_FLAT_INDEX_BITS; /* a value that there is not */
        assert_int_not_equal(fm_vec_step(b.vec, &b.io, 0, LANES), FM_OK);
        for (unsigned i = 0; i < LANES; i++)
            assert_int_equal(b.flags[i] & FM_VEC_REFUSED, i == 2 ? FM_VEC_REFUSED : 0);
    }
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    static struct batch b;
    struct fm_setup setup = table(tables[0]), toy;
    struct fm_vec_shape shape;
    open_batch(&b, &setup);
    assert_int_equal(fm_vec_step(b.vec, &b.io, 0, LANES + 1), FM_E_VALUE);
    assert_int_equal(fm_vec_step(b.vec, &b.io, LANES + 1, 0), FM_E_VALUE);
    assert_int_equal(fm_vec_step(b.vec, &b.io, 1, UINT32_MAX), FM_E_VALUE);
    assert_int_equal(fm_vec_reset(b.vec, &b.io, LANES, 1), FM_E_VALUE);
    struct fm_vec_io io = b.io;
    io.mask = NULL;
    assert_int_equal(fm_vec_step(b.vec, &io, 0, LANES), FM_E_VALUE);
    io = b.io;
    io.action = NULL;
    assert_int_equal(fm_vec_step(b.vec, &io, 0, LANES), FM_E_VALUE);
    assert_int_equal(fm_vec_values(b.vec, LANES, 0), 0);
    assert_int_equal(fm_vec_values(b.vec, 0, 4000), 0);

    const size_t enough = b.shape.vec_bytes + LANES * b.shape.lane_bytes;
    assert_non_null(fm_vec_open(b.memory, enough, &setup, LANES, NULL));
    assert_null(fm_vec_open(b.memory, enough - 1, &setup, LANES, NULL));
    assert_null(fm_vec_open(b.memory, enough, &setup, 0, NULL));
    assert_null(fm_vec_open(b.memory, SIZE_MAX, &setup, FM_VEC_LANES + 1, NULL));
    assert_null(fm_vec_open(b.memory + 1, enough, &setup, LANES, NULL));
    assert_null(fm_vec_open(NULL, enough, &setup, LANES, NULL));
    setup.has_position = true;
    assert_int_equal(fm_vec_measure(&shape, &setup), FM_E_SETUP);
    assert_null(fm_vec_open(b.memory, enough, &setup, LANES, NULL));
    toy_table(&toy, 2);
    assert_int_equal(fm_vec_measure(&shape, &toy), FM_E_GAME);
}

static void blind_seats_of_dive_see_nothing(void **state)
{
    (void)state;
    static struct batch b;
    const struct fm_setup setup = table("{\"game\":\"dive\"}");
    const struct fm_obs_dive *obs = (const void *)b.obs;
    open_batch(&b, &setup);
    assert_int_equal(obs->seen_n, 6);
    assert_true(obs->seen[0] < 8 && obs->seen[5] < 8);
    b.vec = fm_vec_open(b.memory, sizeof b.memory, &setup, LANES, NULL);
    assert_int_equal(fm_vec_reset(b.vec, &b.io, 0, LANES), FM_OK);
    assert_int_equal(obs->seen_n, 0);
    assert_int_equal(obs->seen[0], FM_FLAT_NONE);
}

static void matches_that_never_end_are_cut(void **state)
{
    (void)state;
    static struct batch b;
    const struct fm_setup setup = table("{\"game\":\"dive\"}");
    open_batch(&b, &setup);
    for (unsigned i = 1; i <= FM_EVENTS_MAX; i++) { /* it lays programs and is never ready */
        b.action[0] = FM_DIVE_PROGRAM | (uint64_t)i % 1000 << FM_FLAT_INDEX_BITS;
        assert_int_equal(fm_vec_step(b.vec, &b.io, 0, 1), FM_OK);
        assert_int_equal(b.flags[0], i < FM_EVENTS_MAX ? 0 : FM_VEC_OVER | FM_VEC_CUT);
    }
    assert_true(b.reward[0] == 0 && b.reward[1] == 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_are_the_matches_that_they_would_be_alone),
        cmocka_unit_test(parts_of_the_lanes_can_be_stepped),
        cmocka_unit_test(every_legal_index_is_drawn),
        cmocka_unit_test(illegal_actions_leave_their_lane_alone),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(blind_seats_of_dive_see_nothing),
        cmocka_unit_test(matches_that_never_end_are_cut),
    };
    return fm__hash_start() != 0 ? 1 : tests_run("vec", tests, sizeof tests / sizeof tests[0]);
}
