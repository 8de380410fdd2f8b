/* ocean_secret_test.c: what a picture does not show: what lies too deep, and all but the stack. */
#include "ocean_game.h"

#include "ocean/picture.h"

#include <math.h>
#include <stdio.h>

/* ---- below the sheets that move ----------------------------------------------------------------- */

/* The kinds of all sheets that are in the slab, in another order. */
static void reverse_the_deep(struct oc_deal *deal, const struct oc_water *w)
{
    for (int i = 0, k = deal->n - w->layers - 1; i < k; i++, k--) {
        const uint8_t kind = deal->kind[i];
        deal->kind[i] = deal->kind[k];
        deal->kind[k] = kind;
    }
}

static bool same_plane(const struct oc_plane *a, const struct oc_plane *b, int side, int pad)
{
    bool same = a->stride == b->stride;
    for (int y = -pad; y < side + pad && same; y++)
        same =
            memcmp(a->at + (ptrdiff_t)y * a->stride - pad, b->at + (ptrdiff_t)y * b->stride - pad,
                   (size_t)(side + 2 * pad) * sizeof *a->at) == 0;
    return same;
}

/* Every word that any view may read. */
static bool same_layer(const struct oc_layers *a, const struct oc_layers *b, int i)
{
    const struct oc_layer *l = &a->layer[i], *m = &b->layer[i];
    const int side = a->tiles * OC_TILE, tiles = a->tiles * a->tiles;
    int pad = 0;
    for (int t = 0; t < tiles; t++) {
        const int shift = oc_shift(a, i, t, OC_TILT_MAX);
        pad = shift > pad ? shift : pad;
    }
    return memcmp(l->tile_depth, m->tile_depth, (size_t)tiles * sizeof *l->tile_depth) == 0 &&
           same_plane(&l->y, &m->y, side, pad) && same_plane(&l->u, &m->u, side / 2, pad / 2) &&
           same_plane(&l->v, &m->v, side / 2, pad / 2);
}

static bool same_shade(const struct oc_layers *a, const struct oc_layers *b, int i)
{
    const struct oc_shade *s = &a->layer[i].shade, *t = &b->layer[i].shade;
    bool same = s->stride == t->stride;
    for (int y = 0; y < a->tiles * OC_TILE / 2 && same; y++)
        same = memcmp(s->at + (ptrdiff_t)y * s->stride, t->at + (ptrdiff_t)y * t->stride,
                      (size_t)(a->tiles * OC_TILE / 2)) == 0;
    return same;
}

/* Decibels between two frames' luma. */
static double psnr(const struct oc_frame *a, const struct oc_frame *b)
{
    double sum = 0;
    for (int y = 0; y < a->size; y++)
        for (int x = 0; x < a->size; x++) {
            const double d = a->y[y * a->stride + x] - b->y[y * b->stride + x];
            sum += d * d;
        }
    return 10 * log10(255. * 255 * a->size * a->size / fmax(sum, 1e-9));
}

static void kinds_below_the_sheets_that_move_change_the_slab_and_little_of_the_picture(void **state)
{
    double least[OC_LIGHTS] = {99, 99, 99, 99}, mean[OC_LIGHTS] = {0};
    const unsigned n = in_a_hurry() ? 2 : 10;
    (void)state;
    for (unsigned number = 0; number < n; number++) {
        const struct oc_water *w = &oc_waters[number % 3];
        struct oc_deal deal = deal_number(60 + number);
        struct oc_sheets s, t;
        oc_sheets_make(&s, art, w, &deal);
        reverse_the_deep(&deal, w);
        oc_sheets_make(&t, art, w, &deal);
        struct oc_layers *one = bake(&s, 36, 320, true), *other = bake(&t, 36, 320, true);
        struct oc_frame a = new_frame(320), b = new_frame(320);
        assert_int_equal(one->n, w->layers + 1);
        for (int i = 0; i < w->layers; i++)
            assert_true(same_layer(one, other, i) && same_shade(one, other, i));
        assert_false(same_layer(one, other, w->layers));
        for (unsigned k = 0; k < 3 * OC_LIGHTS; k++) {
            const unsigned light = k % OC_LIGHTS, tilt = k / OC_LIGHTS * OC_STRAIGHT;
            const struct oc_look look =
                look_by(tilt, tilt, (enum oc_light)light, some_lamp((enum oc_light)light, 4));
            oc_view(one, look, NULL, oc_kernel_best(), &a);
            oc_view(other, look, NULL, oc_kernel_best(), &b);
            least[light] = fmin(least[light], psnr(&a, &b));
            mean[light] += psnr(&a, &b) / (3 * n);
        }
        oc_frame_finish(&a);
        oc_frame_finish(&b);
        oc_layers_free(one);
        oc_layers_free(other);
    }
    for (int light = 0; light < OC_LIGHTS; light++)
        printf("# light %d: %.1f dB at least, %.1f on average\n", light, least[light], mean[light]);
    assert_true(least[OC_DAYLIGHT] > 36 && least[OC_ABOVE] > 36 && least[OC_SIDE] > 36);
    assert_true(least[OC_BELOW] > 36);
}

/* ---- all but the stack -------------------------------------------------------------------------- */

/* Everything of a match that no picture may show, changed. */
static void change_what_is_not_shown(struct dive_state *s)
{
    const uint8_t stack_n = s->pub.stack_n;
    struct dive_pub *pub = &s->pub;
    pub->round = 3;
    pub->clock = 90;
    pub->children ^= 1;
    pub->flashlight ^= 1;
    pub->ready = pub->breathed = pub->spent = pub->gone = 3;
    pub->octopus_x = pub->octopus_y = 777;
    pub->chief_seen = ~pub->chief_seen;
    pub->log.round = 2;
    pub->winners = 1;
    for (unsigned seat = 0; seat < DIVE_SEATS; seat++) {
        pub->companion[seat] = (uint8_t)seat;
        pub->pawn[seat] = (uint8_t)(seat + 4);
        s->priv[seat].program = 0x1234567u * (seat + 1);
        s->priv[seat].choice = (uint8_t)seat;
    }
    for (unsigned i = 0; i < DIVE_CHIEF_CARDS; i++)
        s->secret.chief[i] = (uint8_t)(i * 5 % DIVE_CHIEF_CARDS);
    s->secret.head.now_ms += 12345;
    s->secret.head.rng.block += 7; /* chance that was used since the deal */
    assert_int_equal(pub->stack_n, stack_n);
}

static void assert_same_pictures(const struct oc_deal *a, const struct oc_deal *b)
{
    struct oc_sheets s, t;
    struct oc_frame f = new_frame(97), g = new_frame(97);
    oc_sheets_make(&s, art, oc_waters, a);
    oc_sheets_make(&t, art, oc_waters, b);
    struct oc_layers *one = bake(&s, s.n, 97, true), *other = bake(&t, t.n, 97, true);
    for (unsigned k = 0; k < 2 * OC_LIGHTS; k++) {
        const enum oc_light light = (enum oc_light)(k % OC_LIGHTS);
        const struct oc_look look = look_by(2 * k % OC_TILTS, k, light, some_lamp(light, k));
        oc_view(one, look, NULL, oc_kernel_best(), &f);
        oc_view(other, look, NULL, oc_kernel_best(), &g);
        assert_true(same_frames(&f, &g));
    }
    oc_layers_free(one);
    oc_layers_free(other);
    oc_frame_finish(&f);
    oc_frame_finish(&g);
}

static void tables_that_differ_in_all_but_the_stack_look_the_same(void **state)
{
    static const char *const tables[] = {
        "{\"game\":\"dive\",\"options\":{\"divers\":4}}",
        "{\"game\":\"dive\",\"options\":{\"divers\":1,\"chief\":true}}",
        "{\"game\":\"dive\",\"options\":{\"divers\":3,\"companions\":\"ten\",\"clock\":60}}",
        "{\"game\":\"dive\",\"options\":{\"divers\":2,\"flashlight\":true}}",
        "{\"game\":\"dive\",\"options\":{\"divers\":4,\"children\":true}}",
    };
    (void)state;
    for (unsigned number = 0; number < 2; number++) {
        const struct oc_deal deal = deal_number(80 + number);
        for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
            struct dive_state s;
            struct oc_deal other;
            init_dive(&s, tables[i], 80 + number);
            oc_deal_of(&other, &fm_game_dive, &s);
            assert_memory_equal(&deal, &other, sizeof deal);
            change_what_is_not_shown(&s);
            oc_deal_of(&other, &fm_game_dive, &s);
            assert_memory_equal(&deal, &other, sizeof deal);
            if (i == 2)
                assert_same_pictures(&deal, &other);
        }
    }
}

static void the_deal_is_what_the_rules_dealt(void **state)
{
    struct dive_state s;
    struct oc_deal deal, other;
    (void)state;
    init_dive(&s, "{\"game\":\"dive\"}", 90);
    oc_deal_of(&deal, &fm_game_dive, &s);
    assert_int_equal(deal.n, OC_SHEETS);
    for (int i = 0; i < deal.n; i++)
        assert_int_equal(deal.kind[i] | deal.orientation[i] << 3, s.secret.stack[i]);
    assert_memory_not_equal(deal.secret, s.secret.head.rng.key, OC_SECRET_BYTES);
    other = deal_number(91);
    assert_memory_not_equal(deal.secret, other.secret, OC_SECRET_BYTES);
}

/* ---- other pictures ----------------------------------------------------------------------------- */

static void a_postcard_has_no_creature_that_counts(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 50; k++) {
        struct oc_deal deal, again;
        struct oc_sheets s;
        char name[16];
        const int n = snprintf(name, sizeof name, "table %u", k);
        memset(&deal, 0xaa, sizeof deal);
        memset(&again, 0x55, sizeof again);
        oc_deal_of_postcard(&deal, name, (size_t)n);
        oc_deal_of_postcard(&again, name, (size_t)n);
        assert_memory_equal(&deal, &again, sizeof deal); /* the name is all there is */
        oc_deal_of_postcard(&again, name, (size_t)n - 1);
        assert_memory_not_equal(deal.secret, again.secret, OC_SECRET_BYTES);
        oc_sheets_make(&s, art, oc_waters, &deal);
        assert_true(s.n > 0 && s.n <= OC_SHEETS);
        for (int i = 0; i < s.n; i++)
            for (int item = 0; item < s.sheet[i].n_items; item++)
                assert_false(oc_counts(&s.sheet[i].item[item]));
        if (k > 0)
            continue;
        struct oc_layers *layers = bake(&s, s.n, 320, false);
        struct oc_frame f = new_frame(320);
        oc_view(layers, oc_look_straight(), NULL, oc_kernel_best(), &f);
        oc_frame_finish(&f);
        oc_layers_free(layers);
    }
}

/* A revealed sheet's picture is of that sheet alone. */
static void a_revealed_sheet_shows_no_other(void **state)
{
    struct oc_deal deal = deal_number(95);
    struct oc_sheet before, after;
    struct oc_frame f = new_frame(97), g = new_frame(97);
    struct fm_fault fault;
    (void)state;
    for (int index = 35; index > 30; index--) {
        oc_sheet_make(&before, art, oc_waters, &deal, index, 0);
        for (int i = 0; i < deal.n; i++)
            deal.kind[i] = (uint8_t)(i == index ? deal.kind[i] : (deal.kind[i] + 3) % OC_KINDS);
        oc_sheet_make(&after, art, oc_waters, &deal, index, 0);
        assert_int_equal(oc_sheet_picture(&f, &before, &fault), FM_OK);
        assert_int_equal(oc_sheet_picture(&g, &after, &fault), FM_OK);
        assert_true(same_frames(&f, &g));
        before.orientation ^= 1;
        assert_int_equal(oc_sheet_picture(&g, &before, &fault), FM_OK);
        assert_false(same_frames(&f, &g));
    }
    oc_frame_finish(&f);
    oc_frame_finish(&g);
}

/* The contact sheet's cell k is the sheet at level k, as a picture of it alone would be. */
static void the_contact_sheet_shows_the_top_sheet_first(void **state)
{
    enum { CELL = 64, SIDE = OC_CONTACT_ACROSS * CELL };
    static uint8_t rgb[3 * SIDE * SIDE];
    struct oc_sheets s;
    struct fm_fault fault;
    struct oc_frame f = new_frame(CELL);
    (void)state;
    make_number(&s, oc_waters, 96);
    assert_int_equal(oc_contact_sheet(rgb, CELL, &s, &fault), FM_OK);
    for (int k = 0; k < s.n; k++) {
        int unlike = 0;
        assert_int_equal(oc_sheet_picture(&f, &s.sheet[s.n - 1 - k], &fault), FM_OK);
        for (int i = 0; i < CELL * CELL; i++) {
            const int x = k % OC_CONTACT_ACROSS * CELL + i % CELL,
                      y = k / OC_CONTACT_ACROSS * CELL + i / CELL;
            const uint8_t *p = &rgb[3 * (y * SIDE + x)];
            const int luma = (299 * p[0] + 587 * p[1] + 114 * p[2] + 500) / 1000;
            unlike += abs(luma - f.y[i / CELL * f.stride + i % CELL]) > 3;
        }
        assert_in_range(unlike, 0, CELL * CELL / 50);
    }
    oc_frame_finish(&f);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            kinds_below_the_sheets_that_move_change_the_slab_and_little_of_the_picture),
        cmocka_unit_test(tables_that_differ_in_all_but_the_stack_look_the_same),
        cmocka_unit_test(the_deal_is_what_the_rules_dealt),
        cmocka_unit_test(a_postcard_has_no_creature_that_counts),
        cmocka_unit_test(a_revealed_sheet_shows_no_other),
        cmocka_unit_test(the_contact_sheet_shows_the_top_sheet_first),
    };
    return run_ocean_tests("ocean_secret", tests, sizeof tests / sizeof tests[0], argc, argv);
}
