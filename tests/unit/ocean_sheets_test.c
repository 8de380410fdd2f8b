/* ocean_sheets_test.c: what lies on sheets, which way up, how deep, and whether it can be seen. */
#include "ocean_game.h"

#include "ocean/draw.h"
#include "ocean/picture.h"

#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846

/* ---- drawings ----------------------------------------------------------------------------------- */

static bool same_items(const struct oc_sheet *a, const struct oc_sheet *b)
{
    bool same = a->n_items == b->n_items && a->n_holes == b->n_holes;
    for (int i = 0; same && i < a->n_items; i++) {
        const struct oc_item *x = &a->item[i], *y = &b->item[i];
        same = x->drawing == y->drawing && x->x == y->x && x->y == y->y && x->size == y->size &&
               x->angle == y->angle && x->density == y->density && x->tone == y->tone &&
               x->mirrored == y->mirrored;
    }
    return same && memcmp(a->hole, b->hole, sizeof a->hole) == 0;
}

static bool same_film(const struct oc_sheet *a, const struct oc_sheet *b)
{
    return a->gap == b->gap && memcmp(&a->bend, &b->bend, sizeof a->bend) == 0 &&
           memcmp(&a->murk, &b->murk, sizeof a->murk) == 0;
}

static void a_drawing_depends_on_secret_index_and_kind_alone(void **state)
{
    (void)state;
    for (unsigned number = 0; number < 40; number++) {
        const struct oc_deal deal = deal_number(number);
        struct oc_deal other = deal, secret = deal;
        for (int i = 0; i < deal.n; i++) {
            other.kind[i] = (uint8_t)((deal.kind[i] + 1 + number) % OC_KINDS);
            other.orientation[i] ^= 5;
        }
        secret.secret[number % OC_SECRET_BYTES] ^= 1;
        for (int i = 0; i < deal.n; i++) {
            struct oc_sheet a, b;
            other.kind[i] = deal.kind[i];
            oc_sheet_make(&a, art, oc_waters, &deal, i, number % 3);
            oc_sheet_make(&b, art, oc_waters, &other, i, number % 3);
            assert_true(same_items(&a, &b) && same_film(&a, &b));
            oc_sheet_make(&b, art, oc_waters, &secret, i, number % 3);
            assert_false(same_items(&a, &b) || same_film(&a, &b));
            other.kind[i] ^= 1;
            oc_sheet_make(&b, art, oc_waters, &other, i, number % 3);
            assert_true(same_film(&a, &b)); /* a film says nothing of what lies on it */
            oc_sheet_make(&b, art, oc_waters, &deal, i == 0 ? 1 : 0, number % 3);
            assert_false(same_items(&a, &b) || same_film(&a, &b));
        }
    }
}

/* In a game, too, except that a sheet may be drawn once more where nothing else made it visible. */
static void sheets_of_a_game_are_drawn_like_sheets_alone(void **state)
{
    unsigned again = 0, all = 0;
    (void)state;
    for (unsigned number = 0; number < (in_a_hurry() ? 10 : 100); number++) {
        const struct oc_deal deal = deal_number(number);
        struct oc_sheets s;
        oc_sheets_make(&s, art, oc_waters, &deal);
        for (int i = 0; i < s.n; i++) {
            struct oc_sheet alone;
            unsigned attempt = 0;
            oc_sheet_make(&alone, art, oc_waters, &deal, i, 0);
            assert_true(same_film(&s.sheet[i], &alone));
            while (!same_items(&s.sheet[i], &alone) && attempt < 12)
                oc_sheet_make(&alone, art, oc_waters, &deal, i, ++attempt);
            assert_true(attempt < 12);
            again += attempt > 0;
            all++;
        }
    }
    printf("# %u of %u sheets were drawn anew to be visible\n", again, all);
    assert_true(again * 10 < all);
}

static void a_sheet_has_the_creatures_of_its_kind_and_no_others(void **state)
{
    (void)state;
    for (unsigned number = 0; number < (in_a_hurry() ? 10 : 100); number++) {
        const struct oc_deal deal = deal_number(number);
        struct oc_sheets s;
        oc_sheets_make(&s, art, &oc_waters[number % 3], &deal);
        assert_int_equal(s.n, OC_SHEETS);
        for (int i = 0; i < s.n; i++) {
            const struct oc_sheet *sheet = &s.sheet[i];
            unsigned roles[OC_ROLES] = {0};
            bool counted = false;
            for (int k = 0; k < sheet->n_items; k++) {
                const struct oc_item *item = &sheet->item[k];
                roles[item->drawing->role]++;
                assert_true(oc_counts(item) || !counted); /* those that count come last, on top */
                counted = oc_counts(item);
                assert_true(item->x > 0 && item->x < 1 && item->y > 0 && item->y < 1);
                assert_true(item->size >= item->drawing->small &&
                            item->size <= item->drawing->large);
            }
            const unsigned helper = deal.kind[i] & 3u;
            assert_int_equal(sheet->kind, deal.kind[i]);
            assert_int_equal(roles[OC_SHARK], deal.kind[i] / OC_KIND_SHARK);
            for (unsigned role = OC_GREEN; role <= OC_MANTA; role++)
                assert_int_equal(roles[role], role == helper);
            assert_true(roles[OC_WHALE] <= (deal.kind[i] == 0));
            assert_in_range(roles[OC_DECORATION], 0, 6);
            assert_int_equal(roles[OC_OCTOPUS], 0);
        }
    }
}

/* ---- ink ---------------------------------------------------------------------------------------- */

#define SIDE 256 /* pixels of a card here */

/* A sheet or one item of it on a canvas of so many pixels, the card from `origin` on. */
static void rasterise(uint8_t *alpha, int side, double origin, double width,
                      const struct oc_sheet *sheet, const struct oc_item *item)
{
    uint32_t *argb = calloc((size_t)(side * side), sizeof *argb);
    assert_non_null(argb);
    cairo_surface_t *surface = cairo_image_surface_create_for_data(
        (unsigned char *)argb, CAIRO_FORMAT_ARGB32, side, side, 4 * side);
    cairo_t *cr = cairo_create(surface);
    cairo_translate(cr, origin, origin);
    cairo_scale(cr, width, width);
    if (item != NULL)
        oc_draw_item(cr, sheet, item);
    else
        oc_draw_sheet(cr, sheet);
    assert_int_equal(cairo_status(cr), CAIRO_STATUS_SUCCESS);
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
    for (int i = 0; i < side * side; i++)
        alpha[i] = (uint8_t)(argb[i] >> 24);
    free(argb);
}

static void creatures_that_count_lie_on_the_card(void **state)
{
    static uint8_t alpha[4 * SIDE * SIDE];
    double least = 1;
    (void)state;
    for (unsigned number = 0; number < (in_a_hurry() ? 2 : 30); number++) {
        struct oc_sheets s;
        make_number(&s, oc_waters, 500 + number);
        for (int i = 0; i < s.n; i++)
            for (int k = 0; k < s.sheet[i].n_items; k++) {
                unsigned inside = 0, all = 0;
                if (!oc_counts(&s.sheet[i].item[k]))
                    continue;
                rasterise(alpha, 2 * SIDE, SIDE / 2, SIDE, &s.sheet[i], &s.sheet[i].item[k]);
                for (int y = 0; y < 2 * SIDE; y++)
                    for (int x = 0; x < 2 * SIDE; x++) {
                        const bool ink = alpha[y * 2 * SIDE + x] > 64;
                        all += ink;
                        inside += ink && x >= SIDE / 2 && x < SIDE * 3 / 2 && y >= SIDE / 2 &&
                                  y < SIDE * 3 / 2;
                    }
                assert_true(all > SIDE);
                least = fmin(least, (double)inside / all);
            }
    }
    printf("# of the creature that lies furthest out, %.2f %% is on its card\n", 100 * least);
    assert_true(least > .95);
}

/* ---- which way up ------------------------------------------------------------------------------- */

static const struct oc_sheet *with_holes(struct oc_sheets *s, unsigned nth)
{
    for (unsigned number = 0;; number++) {
        make_number(s, oc_waters, number);
        for (int i = 0; i < s->n; i++)
            if (s->sheet[i].n_holes > 0 && s->sheet[i].kind > OC_KIND_SHARK && nth-- == 0)
                return &s->sheet[i];
    }
}

/* Where a pixel of a sheet as drawn lies once it is turned, in a square of so many pixels. */
static int turned(unsigned orientation, int x, int y, int side)
{
    float u = ((float)x + .5f) / (float)side, v = ((float)y + .5f) / (float)side;
    oc_orient(orientation, &u, &v);
    return (int)(v * (float)side) * side + (int)(u * (float)side);
}

static void oc_orient_turns_clockwise_and_flips_before(void **state)
{
    static const float expected[OC_ORIENTATIONS][2] = {
        {.1f, .2f}, {.8f, .1f}, {.9f, .8f}, {.2f, .9f}, /* a quarter more each */
        {.9f, .2f}, {.8f, .9f}, {.1f, .8f}, {.2f, .1f}};
    (void)state;
    for (unsigned o = 0; o < OC_ORIENTATIONS; o++) {
        float x = .1f, y = .2f;
        oc_orient(o, &x, &y);
        assert_true(fabsf(x - expected[o][0]) < 1e-6f && fabsf(y - expected[o][1]) < 1e-6f);
    }
}

/* The part of pixels, within a margin, that are not what they are on the sheet unturned. */
static double unlike(const int *plain, const int *after, unsigned orientation, int margin,
                     int tolerance)
{
    int n = 0, all = 0;
    for (int y = margin; y < SIDE - margin; y++)
        for (int x = margin; x < SIDE - margin; x++, all++)
            n += abs(plain[y * SIDE + x] - after[turned(orientation, x, y, SIDE)]) > tolerance;
    return (double)n / all;
}

/* The picture of a sheet less that of an empty one: the water is not turned with it. */
static void picture(int *out, struct oc_sheet sheet, unsigned orientation)
{
    struct fm_fault fault;
    struct oc_frame f = new_frame(SIDE), bare = new_frame(SIDE);
    sheet.orientation = (uint8_t)orientation;
    assert_int_equal(oc_sheet_picture(&f, &sheet, &fault), FM_OK);
    sheet.n_items = sheet.n_holes = 0;
    assert_int_equal(oc_sheet_picture(&bare, &sheet, &fault), FM_OK);
    for (int i = 0; i < SIDE * SIDE; i++)
        out[i] = f.y[i / SIDE * f.stride + i % SIDE] - bare.y[i / SIDE * f.stride + i % SIDE];
    oc_frame_finish(&f);
    oc_frame_finish(&bare);
}

static void a_revealed_sheet_lies_as_it_was_dealt(void **state)
{
    static int plain[SIDE * SIDE], after[SIDE * SIDE];
    struct oc_sheets s;
    (void)state;
    for (unsigned nth = 0; nth < 3; nth++) {
        const struct oc_sheet *sheet = with_holes(&s, nth);
        picture(plain, *sheet, 0);
        for (unsigned o = 0; o < OC_ORIENTATIONS; o++) {
            picture(after, *sheet, o);
            assert_true(unlike(plain, after, o, 2, 10) < .002);
            for (unsigned wrong = 0; wrong < OC_ORIENTATIONS; wrong++)
                assert_true(wrong == o || unlike(plain, after, wrong, 2, 10) > .05);
        }
    }
}

/* Its circle holds all ink of a creature that counts, and little else: it is to be ringed. */
static void a_circle_lies_around_each_creature_that_counts(void **state)
{
    static int ink[SIDE * SIDE];
    struct oc_circle circle[OC_ITEMS];
    struct oc_sheets s;
    int seen = 0;
    (void)state;
    for (unsigned nth = 0; nth < 3; nth++) {
        (void)with_holes(&s, nth);
        for (int i = 0; i < s.n && seen < 12; i++) {
            struct oc_sheet sheet = s.sheet[i];
            sheet.n_holes = 0;
            const int n = oc_sheet_circles(&sheet, circle);
            assert_int_equal(n, (sheet.kind >= OC_KIND_SHARK) + (sheet.kind % OC_KIND_SHARK > 0));
            int nth_circle = 0;
            for (int k = 0; k < s.sheet[i].n_items; k++) {
                if (!oc_counts(&s.sheet[i].item[k]))
                    continue;
                const struct oc_circle c = circle[nth_circle++];
                double furthest = 0;
                assert_int_equal(c.role, s.sheet[i].item[k].drawing->role);
                sheet.n_items = 1;
                sheet.item[0] = s.sheet[i].item[k];
                picture(ink, sheet, sheet.orientation);
                for (int at = 0; at < SIDE * SIDE; at++)
                    if (abs(ink[at]) > 12)
                        furthest = fmax(furthest, hypot((at % SIDE + .5) / SIDE - (double)c.x,
                                                        (at / SIDE + .5) / SIDE - (double)c.y));
                assert_true(furthest < (double)c.r + 2.0 / SIDE);
                assert_true(furthest > .8 * (double)c.r);
                seen++;
            }
        }
    }
    assert_true(seen >= 8);
}

/* The words of the top layer, or only what they let through, of a sheet in even water. */
static void top_layer(int *out, struct oc_sheets *s, int index, unsigned orientation, int bits)
{
    s->sheet[index].orientation = (uint8_t)orientation;
    struct oc_layers *layers = bake(s, index + 1, SIDE, false);
    const struct oc_plane *y = &layers->layer[0].y;
    for (int i = 0; i < SIDE * SIDE; i++)
        out[i] = y->at[(ptrdiff_t)(i / SIDE) * y->stride + i % SIDE] >> bits & 0xff;
    oc_layers_free(layers);
}

static void a_sheet_in_the_stack_lies_as_it_was_dealt(void **state)
{
    static int plain[SIDE * SIDE], after[SIDE * SIDE];
    struct oc_water even = *oc_waters; /* shadows, and water's own unevenness, do not turn */
    struct oc_sheets s;
    (void)state;
    even.haze = .3;
    even.murk = even.shadow = 0;
    for (unsigned nth = 0; nth < (in_a_hurry() ? 1 : 2); nth++) {
        const int index = (int)(with_holes(&s, nth) - s.sheet);
        s.water = &even;
        for (int bits = 0; bits <= 8; bits += 8) {
            top_layer(plain, &s, index, 0, bits);
            for (unsigned o = 0; o < OC_ORIENTATIONS; o++) {
                if (in_a_hurry() && bits == 0 && o > 0) /* the same layers once more */
                    continue;
                top_layer(after, &s, index, o, bits);
                assert_true(unlike(plain, after, o, 6, 6) < .002);
                assert_true(unlike(plain, after, (o + 3) % OC_ORIENTATIONS, 6, 6) > .05);
            }
        }
        const struct oc_hole *hole = &s.sheet[index].hole[0]; /* no film in it, wherever it is */
        for (unsigned o = 0; o < OC_ORIENTATIONS; o++) {
            top_layer(after, &s, index, o, 8);
            const int at = turned(o, (int)(hole->x * SIDE), (int)(hole->y * SIDE), SIDE);
            assert_in_range(after[at], 254, 255);
        }
    }
}

/* ---- depth -------------------------------------------------------------------------------------- */

/* From pixels of shift back to widths of the card. */
static double depth_of(const struct oc_layers *layers, const struct oc_water *w, int i)
{
    const double d = (double)layers->layer[i].depth / layers->size;
    return d / (1 - d * w->perspective);
}

static void films_stay_the_same_in_all_rounds(void **state)
{
    const struct oc_water *w = oc_waters;
    struct oc_sheets s, before;
    (void)state;
    make_number(&s, w, 3);
    before = s;
    for (int left = 36; left > 0; left -= 5) {
        struct oc_layers *layers = bake(&s, left, 64, false);
        for (int i = 1; i < layers->n - 1; i++) { /* the gap belongs to the sheet, not the level */
            const double gap = depth_of(layers, w, i) - depth_of(layers, w, i - 1);
            assert_true(fabs(gap - w->gap * (double)s.sheet[left - 1 - i].gap) < 1e-5);
        }
        oc_layers_free(layers);
    }
    for (int i = 0; i < s.n; i++) {
        assert_true(same_items(&s.sheet[i], &before.sheet[i]));
        assert_true(same_film(&s.sheet[i], &before.sheet[i]));
        assert_int_equal(s.sheet[i].orientation, before.sheet[i].orientation);
    }
}

/* As oc_sheets_make(), but nobody cares what can be seen: that takes most of its time. */
static void make_carelessly(struct oc_sheets *s, const struct oc_water *w, unsigned number)
{
    const struct oc_deal deal = deal_number(number);
    s->n = deal.n;
    s->water = w;
    for (int i = 0; i < s->n; i++)
        oc_sheet_make(&s->sheet[i], art, w, &deal, i, 0);
}

static void every_layer_is_deeper_than_the_one_above_it_everywhere(void **state)
{
    bool bent = false;
    (void)state;
    for (const struct oc_water *w = oc_waters; w->name != NULL; w++)
        for (unsigned number = 0; number < stacks / 20; number++) {
            struct oc_sheets s;
            make_carelessly(&s, w, number);
            struct oc_layers *layers = bake(&s, 36 - 5 * (int)(number % 8), 160, false);
            for (int t = 0; t < layers->tiles * layers->tiles; t++)
                for (int i = 0; i < layers->n; i++) {
                    const double above = i > 0 ? (double)layers->layer[i - 1].tile_depth[t] : 0;
                    const double depth = (double)layers->layer[i].tile_depth[t];
                    assert_true(depth - above > .25 * w->gap * layers->size);
                    bent |= fabs(depth - (double)layers->layer[i].depth) > .1;
                }
            oc_layers_free(layers);
        }
    assert_true(bent);
}

/* ---- can it be seen? ---------------------------------------------------------------------------- */

/* The fault that the next test looks for, planted: it is found in a tenth of its stacks. */
static void careless_stacks_hide_creatures(void **state)
{
    unsigned number = 0;
    struct oc_sheets s;
    (void)state;
    do
        make_carelessly(&s, oc_waters, number);
    while (oc_least_visible(&s) >= OC_VISIBLE && ++number < 20);
    assert_true(number < 20);
}

static void a_quarter_of_every_creature_can_be_seen(void **state)
{
    double least = 1;
    (void)state;
    for (unsigned number = 0; number < stacks / 5; number++) {
        struct oc_sheets s;
        make_number(&s, &oc_waters[number % 7 ? 0 : number % 3], number);
        const double hidden_most = oc_least_visible(&s);
        if (hidden_most < OC_VISIBLE)
            fail_msg("stack %u: %.3f", number, hidden_most);
        least = fmin(least, hidden_most);
        /* Fewer sheets above never hide more; whether that is so is seen now and then. */
        for (int index = 0; index < s.n && number % 40 == 0; index++) {
            double before = 1;
            for (int above = 0; above < OC_SEEN_DOWN; above++) {
                const double seen = oc_visible(&s, index, above);
                if (seen < OC_VISIBLE)
                    fail_msg("stack %u, sheet %d under %d: %.3f", number, index, above, seen);
                assert_true(seen <= before);
                assert_true(above > 0 || seen > .999);
                before = seen;
                assert_true(seen >= hidden_most);
            }
        }
    }
    printf("# of the creature that is hidden most, %.1f %% can be seen\n", 100 * least);
}

/* Slowly and by the layers' own shifts, in all 169 views: cards shrink with depth and lie in their
 * walls, each tile moves by its own depth. */
struct level {
    uint8_t alpha[SIDE * SIDE]; /* of the window, at a look straight down */
    double origin, width;       /* of the card in it */
};

static bool hidden_by(const struct level *l, int x, int y)
{
    if (x < l->origin || y < l->origin || x >= l->origin + l->width || y >= l->origin + l->width)
        return true; /* a wall */
    return l->alpha[y * SIDE + x] >= .45 * 255;
}

static bool within(int x, int y)
{
    return x >= 0 && y >= 0 && x < SIDE && y < SIDE;
}

static double seen_in(const struct oc_layers *layers, const struct level *levels, int level,
                      const uint8_t *item, struct oc_look look)
{
    const int tile_side = SIDE / layers->tiles;
    int all = 0, seen = 0;
    for (int i = 0; i < SIDE * SIDE; i++)
        all += item[i] >= .45 * 255;
    for (int t = 0; t < layers->tiles * layers->tiles; t++) {
        int dx[OC_SEEN_DOWN], dy[OC_SEEN_DOWN];
        for (int i = 0; i <= level; i++) {
            dx[i] = oc_shift(layers, i, t, oc_look_degrees(look.tx));
            dy[i] = oc_shift(layers, i, t, oc_look_degrees(look.ty));
        }
        for (int k = 0; k < tile_side * tile_side; k++) {
            const int x = t % layers->tiles * tile_side + k % tile_side;
            const int y = t / layers->tiles * tile_side + k / tile_side;
            const int u = x - dx[level], v = y - dy[level];
            bool open = within(u, v) && item[v * SIDE + u] >= .45 * 255;
            for (int i = 0; i < level && open; i++)
                open = within(x - dx[i], y - dy[i]) && !hidden_by(&levels[i], x - dx[i], y - dy[i]);
            seen += open;
        }
    }
    return (double)seen / all;
}

/* The best view; those that are tilted furthest come first, and one that is good enough ends it. */
static double slow_visible(const struct oc_layers *layers, const struct level *levels, int level,
                           const uint8_t *item)
{
    double best = 0;
    for (unsigned k = 0; k < OC_TILTS * OC_TILTS && best < OC_VISIBLE; k++) {
        const unsigned at = k * 12 % (OC_TILTS * OC_TILTS); /* 12 and 169 have no common part */
        best =
            fmax(best, seen_in(layers, levels, level, item, look_to(at % OC_TILTS, at / OC_TILTS)));
    }
    return best;
}

static void a_slow_look_at_all_views_finds_every_creature(void **state)
{
    static struct level levels[OC_SEEN_DOWN];
    static uint8_t item[SIDE * SIDE];
    double least = 1;
    int looked = 0;
    (void)state;
    for (unsigned number = 0; number < (in_a_hurry() ? 1 : 10); number++) {
        const struct oc_water *w = &oc_waters[number % 3];
        struct oc_sheets s;
        make_number(&s, w, 700 + number);
        for (int left = 36; left > 0; left -= 5) {
            struct oc_layers *layers = bake(&s, left, SIDE, false);
            for (int level = 0; level < OC_SEEN_DOWN && level < left; level++) {
                const struct oc_sheet *sheet = &s.sheet[left - 1 - level];
                struct level *l = &levels[level];
                l->width = SIDE / (1 + depth_of(layers, w, level) * w->perspective);
                l->origin = (SIDE - l->width) / 2;
                rasterise(l->alpha, SIDE, l->origin, l->width, sheet, NULL);
                for (int k = 0; k < sheet->n_items; k++) {
                    if (!oc_counts(&sheet->item[k]))
                        continue;
                    rasterise(item, SIDE, l->origin, l->width, sheet, &sheet->item[k]);
                    const double seen = slow_visible(layers, levels, level, item);
                    if (seen < OC_VISIBLE)
                        fail_msg("%s, stack %u, %d left, level %d: %.3f", w->name, number, left,
                                 level, seen);
                    least = fmin(least, seen);
                    looked++;
                }
            }
            oc_layers_free(layers);
        }
    }
    printf("# %d creatures found\n", looked);
    assert_true(looked > 30);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_drawing_depends_on_secret_index_and_kind_alone),
        cmocka_unit_test(sheets_of_a_game_are_drawn_like_sheets_alone),
        cmocka_unit_test(a_sheet_has_the_creatures_of_its_kind_and_no_others),
        cmocka_unit_test(creatures_that_count_lie_on_the_card),
        cmocka_unit_test(oc_orient_turns_clockwise_and_flips_before),
        cmocka_unit_test(a_revealed_sheet_lies_as_it_was_dealt),
        cmocka_unit_test(a_circle_lies_around_each_creature_that_counts),
        cmocka_unit_test(a_sheet_in_the_stack_lies_as_it_was_dealt),
        cmocka_unit_test(films_stay_the_same_in_all_rounds),
        cmocka_unit_test(every_layer_is_deeper_than_the_one_above_it_everywhere),
        cmocka_unit_test(careless_stacks_hide_creatures),
        cmocka_unit_test(a_quarter_of_every_creature_can_be_seen),
        cmocka_unit_test(a_slow_look_at_all_views_finds_every_creature),
    };
    return run_ocean_tests("ocean_sheets", tests, sizeof tests / sizeof tests[0], argc, argv);
}
