/* ocean_view_test.c: layers laid on each other: shifts, order, kernels, lights, the octopus. */
#include "ocean_game.h"

#include "ocean/kernel.h"

#include <fathom/rng.h>

#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846

/* ---- layers made by hand --------------------------------------------------------------------- */

#define CLEAR 0xff00u /* lets all through and adds nothing */
#define BLACK 0x0000u
#define WHITE 0x00ffu
#define GREY  0x0080u /* chroma without a colour */
#define MADE  6       /* layers, the slab among them */
#define STEP  15      /* how much deeper each is: seen at the smallest tilt as well */

struct made {
    struct oc_layers layers;
    int pad;
    uint16_t *block[3 * MADE];
    float *depth;
};

static struct oc_plane make_plane(uint16_t **block, int side, int pad, uint16_t word)
{
    const struct oc_plane plane = {.stride = side + 2 * pad};
    const size_t n = (size_t)plane.stride * (size_t)plane.stride;
    *block = malloc(n * sizeof **block);
    assert_non_null(*block);
    for (size_t i = 0; i < n; i++)
        (*block)[i] = word;
    return (struct oc_plane){*block + (ptrdiff_t)pad * plane.stride + pad, plane.stride};
}

/* Layer i is STEP * (i + 1) deep, in each tile up to `bend` more or less; all of them clear. The
 * pads are just as wide as the widest shift, so that whoever reads further is caught. */
static void make_layers(struct made *m, int size, int bend)
{
    const int tiles = oc_frame_padded(size) / OC_TILE, side = tiles * OC_TILE;
    memset(m, 0, sizeof *m);
    m->layers = (struct oc_layers){.size = size, .tiles = tiles, .n = MADE};
    m->pad = ((int)ceil((STEP * MADE + bend) * tan(OC_TILT_MAX * PI / 180)) + 1) / 2 * 2;
    m->depth = malloc(sizeof *m->depth * MADE * (size_t)(tiles * tiles));
    assert_non_null(m->depth);
    for (int i = 0; i < MADE; i++) {
        struct oc_layer *l = &m->layers.layer[i];
        const bool slab = i == MADE - 1;
        l->y = make_plane(&m->block[3 * i], side, m->pad, slab ? BLACK : CLEAR);
        l->u = make_plane(&m->block[3 * i + 1], side / 2, m->pad / 2, slab ? GREY : CLEAR);
        l->v = make_plane(&m->block[3 * i + 2], side / 2, m->pad / 2, slab ? GREY : CLEAR);
        l->tile_depth = m->depth + i * tiles * tiles;
        for (int t = 0; t < tiles * tiles; t++)
            l->tile_depth[t] =
                (float)(STEP * (i + 1)) + (float)(bend * ((t * 7 + i * 3) % 5 - 2)) / 2;
    }
}

static void free_made(struct made *m)
{
    for (int i = 0; i < 3 * MADE; i++)
        free(m->block[i]);
    free(m->depth);
}

static void fill(const struct oc_plane *p, int x, int y, int side, uint16_t word)
{
    for (int k = 0; k < side * side; k++)
        p->at[(ptrdiff_t)(y + k / side) * p->stride + x + k % side] = word;
}

/* Any words that a layer may have: no more light than what it does not let through. */
static void fill_at_random(const struct made *m, struct fm_rng *rng)
{
    for (int i = 0; i < MADE; i++)
        for (int k = 0; k < 3; k++) {
            const struct oc_layer *l = &m->layers.layer[i];
            const size_t side = (size_t)(k == 0 ? l->y.stride : l->u.stride);
            for (size_t j = 0; j < side * side; j++) {
                const uint32_t passes = i == MADE - 1 ? 0 : fm_rng_below(rng, 256);
                m->block[3 * i + k][j] = (uint16_t)(passes << 8 | fm_rng_below(rng, 256 - passes));
            }
        }
}

/* ---- what a view should be, pixel by pixel ----------------------------------------------------- */

/* As layers.h says: what is below through a word, and its light; from the slab upwards. */
static int through(int below, unsigned word)
{
    return (int)((unsigned)below * (word | 0xff) >> 16) + (int)((word & 0xff) << 7);
}

#define MADE_TILES 4 /* of a frame's side, at most */

/* By how many pixels every tile of every layer is shifted, to the right and down. */
struct shifts {
    int x[MADE][MADE_TILES * MADE_TILES], y[MADE][MADE_TILES * MADE_TILES];
};

static void find_shifts(const struct oc_layers *layers, struct oc_look look, struct shifts *s)
{
    const double right = tan(oc_look_degrees(look.tx) * PI / 180);
    const double down = tan(oc_look_degrees(look.ty) * PI / 180);
    assert_in_range(layers->tiles, 1, MADE_TILES);
    for (int i = 0; i < layers->n; i++)
        for (int t = 0; t < layers->tiles * layers->tiles; t++) {
            const double depth = (double)layers->layer[i].tile_depth[t];
            s->x[i][t] = (int)lround(depth * right);
            s->y[i][t] = (int)lround(depth * down);
            assert_int_equal(oc_shift(layers, i, t, oc_look_degrees(look.tx)), s->x[i][t]);
            assert_int_equal(oc_shift(layers, i, t, oc_look_degrees(look.ty)), s->y[i][t]);
        }
}

static uint8_t slow_pixel(const struct oc_layers *layers, const struct shifts *s, int plane, int x,
                          int y)
{
    const int half = plane != 0, tile = OC_TILE >> half;
    const int t = y / tile * layers->tiles + x / tile;
    int light = 0;
    for (int i = layers->n - 1; i >= 0; i--) {
        const struct oc_layer *l = &layers->layer[i];
        const struct oc_plane *p = plane == 0 ? &l->y : plane == 1 ? &l->u : &l->v;
        const int dx = s->x[i][t], dy = s->y[i][t];
        const int from_x = half ? x + (int)floor(-dx / 2.) : x - dx;
        const int from_y = half ? y + (int)floor(-dy / 2.) : y - dy;
        const unsigned word = p->at[(ptrdiff_t)from_y * p->stride + from_x];
        light = i == layers->n - 1 ? (int)((word & 0xff) << 7) : through(light, word);
    }
    return (uint8_t)((light + 64) >> 7 > 255 ? 255 : (light + 64) >> 7);
}

static void assert_seen_as_it_should_be(const struct oc_layers *layers, struct oc_look look,
                                        const struct oc_frame *f)
{
    struct shifts s;
    find_shifts(layers, look, &s);
    for (int y = 0; y < f->size; y++)
        for (int x = 0; x < f->size; x++)
            if (f->y[y * f->stride + x] != slow_pixel(layers, &s, 0, x, y))
                fail_msg("tilt %d %d: luma at %d, %d", look.tx, look.ty, x, y);
    for (int y = 0; y < f->size / 2; y++)
        for (int x = 0; x < f->size / 2; x++) {
            if (f->u[y * f->cstride + x] != slow_pixel(layers, &s, 1, x, y) ||
                f->v[y * f->cstride + x] != slow_pixel(layers, &s, 2, x, y))
                fail_msg("tilt %d %d: chroma at %d, %d", look.tx, look.ty, x, y);
        }
}

/* ---- shifts ------------------------------------------------------------------------------------ */

/* Where the brightest square of a plane begins, which must be as large as it was drawn. */
static void find(const uint8_t *plane, int stride, int size, int side, int *at_x, int *at_y)
{
    int n = 0;
    *at_x = *at_y = size;
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++)
            if (plane[y * stride + x] == 255) {
                *at_x = x < *at_x ? x : *at_x;
                *at_y = y < *at_y ? y : *at_y;
                n++;
            }
    assert_int_equal(n, side * side);
    for (int k = 0; k < side * side; k++)
        assert_int_equal(plane[(*at_y + k / side) * stride + *at_x + k % side], 255);
}

static void assert_shifted(const struct made *m, int i, unsigned tx, unsigned ty,
                           struct oc_frame *f, const struct oc_kernel *kernel, int shift[2])
{
    int x, y;
    oc_view(&m->layers, look_to(tx, ty), NULL, kernel, f);
    shift[0] = oc_shift(&m->layers, i, 0, oc_look_degrees(tx));
    shift[1] = oc_shift(&m->layers, i, 0, oc_look_degrees(ty));
    find(f->y, f->stride, f->size, 4, &x, &y);
    assert_int_equal(x, 78 + shift[0]);
    assert_int_equal(y, 78 + shift[1]);
    find(f->u, f->cstride, f->size / 2, 2, &x, &y);
    assert_in_range(2 * (x - 39) - shift[0] + 1, 0, 2); /* to the pixel of its plane */
    assert_in_range(2 * (y - 39) - shift[1] + 1, 0, 2);
    find(f->v, f->cstride, f->size / 2, 2, &x, &y);
    assert_in_range(2 * (x - 39) - shift[0] + 1, 0, 2);
    assert_in_range(2 * (y - 39) - shift[1] + 1, 0, 2);
}

static void every_tilt_shifts_every_layer_by_its_depth(void **state)
{
    struct made m;
    struct oc_frame f = new_frame(160);
    int at[MADE][OC_TILTS];
    (void)state;
    for (int i = 0; i < MADE; i++) {
        make_layers(&m, 160, 0);
        struct oc_layer *l = &m.layers.layer[i];
        fill(&l->y, 78, 78, 4, WHITE);
        fill(&l->u, 39, 39, 2, WHITE);
        fill(&l->v, 39, 39, 2, WHITE);
        for (unsigned tilt = 0; tilt < OC_TILTS; tilt++) {
            int shift[2];
            assert_shifted(&m, i, tilt, OC_STRAIGHT, &f, oc_kernel_best(), shift);
            at[i][tilt] = shift[0];
            assert_int_equal(shift[1], 0);
            assert_shifted(&m, i, OC_STRAIGHT, tilt, &f, oc_kernel_best(), shift);
            assert_int_equal(shift[1], at[i][tilt]);
            assert_int_equal(shift[0], 0);
            assert_shifted(&m, i, tilt, OC_TILTS - 1 - tilt, &f, &oc_kernel_plain, shift);
            assert_int_equal(shift[0], -shift[1]);
        }
        free_made(&m);
    }
    for (unsigned tilt = 0; tilt < OC_TILTS; tilt++)
        for (int i = 0; i < MADE; i++) { /* to the right and down are the larger numbers */
            const int sign = (tilt > OC_STRAIGHT) - (tilt < OC_STRAIGHT);
            assert_int_equal((at[i][tilt] > 0) - (at[i][tilt] < 0), sign);
            if (i > 0)
                assert_int_equal((abs(at[i][tilt]) > abs(at[i - 1][tilt])), sign != 0);
        }
    oc_frame_finish(&f);
}

static void bent_layers_are_shifted_tile_by_tile(void **state)
{
    struct fm_rng rng;
    const uint8_t seed[FM_SEED_BYTES] = {1};
    (void)state;
    fm_rng_init(&rng, seed, 0);
    for (int bend = 0; bend <= 8; bend += 8) {
        struct made m;
        struct oc_frame f = new_frame(96);
        make_layers(&m, 96, bend);
        fill_at_random(&m, &rng);
        for (unsigned tilt = 0; tilt < OC_TILTS * OC_TILTS; tilt++) {
            if (in_a_hurry() && tilt % 7)
                continue;
            const struct oc_look look = look_to(tilt % OC_TILTS, tilt / OC_TILTS);
            oc_view(&m.layers, look, NULL, oc_kernel_best(), &f);
            assert_seen_as_it_should_be(&m.layers, look, &f);
            oc_view(&m.layers, look, NULL, &oc_kernel_plain, &f);
            assert_seen_as_it_should_be(&m.layers, look, &f);
        }
        free_made(&m);
        oc_frame_finish(&f);
    }
}

/* ---- order ------------------------------------------------------------------------------------- */

static uint8_t seen_at(const struct made *m, int x, int y)
{
    struct oc_frame f = new_frame(m->layers.size);
    oc_view(&m->layers, oc_look_straight(), NULL, oc_kernel_best(), &f);
    const uint8_t seen = f.y[y * f.stride + x];
    oc_frame_finish(&f);
    return seen;
}

static void what_is_opaque_hides_what_is_below_and_nothing_above(void **state)
{
    struct made m;
    (void)state;
    make_layers(&m, 96, 0);
    for (int i = 0; i < MADE; i++) /* each its own light in a place of its own ... */
        fill(&m.layers.layer[i].y, 8 * i, 0, 4, (uint16_t)(40 * (i + 1)));
    fill(&m.layers.layer[3].y, 0, 8, 64, 0x0010);
    for (int i = 0; i < MADE; i++) {
        assert_int_equal(seen_at(&m, 8 * i + 1, 1), 40 * (i + 1));
        fill(&m.layers.layer[i].y, 8 * i, 16, 4, (uint16_t)(40 * (i + 1)));
    }
    for (int i = 0; i < MADE; i++) /* ... and under or over the dark that layer 3 is below them */
        assert_in_range(seen_at(&m, 8 * i + 1, 17), i <= 3 ? 40 * (i + 1) : 0x10,
                        i <= 3 ? 40 * (i + 1) : 0x11);
    assert_int_equal(seen_at(&m, 60, 40), 0x10);
    free_made(&m);
}

static void what_is_half_transparent_mixes(void **state)
{
    static const struct {
        uint16_t top, middle, slab;
        uint8_t seen;
    } mixes[] = {
        {CLEAR, CLEAR, 0x00ff, 255},   {CLEAR, CLEAR, 0x0000, 0},
        {CLEAR, 0x8000, 0x00ff, 128}, /* half of the light below */
        {CLEAR, 0x8040, 0x00ff, 192}, /* ... and a quarter of its own */
        {CLEAR, 0x8040, 0x0000, 64},   {0x8000, 0x8000, 0x00ff, 65},
        {0x8000, 0x0080, 0x00ff, 65},  /* the top one dims what is opaque below it */
        {0x0080, 0x8040, 0x00ff, 129}, /* opaque words let through less than one step */
        {0x4060, 0x8020, 0x00c8, 130}, {CLEAR, 0x0001, 0x00ff, 2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof mixes / sizeof mixes[0]; i++) {
        struct made m;
        make_layers(&m, 64, 0);
        fill(&m.layers.layer[0].y, 8, 8, 8, mixes[i].top);
        fill(&m.layers.layer[2].y, 8, 8, 8, mixes[i].middle);
        fill(&m.layers.layer[MADE - 1].y, 8, 8, 8, mixes[i].slab);
        int light = (mixes[i].slab & 0xff) << 7;
        for (int k = MADE - 2; k >= 0; k--)
            light = through(light, k == 2 ? mixes[i].middle : k == 0 ? mixes[i].top : CLEAR);
        assert_int_equal(seen_at(&m, 10, 10), (light + 64) >> 7);
        assert_int_equal(seen_at(&m, 10, 10), mixes[i].seen);
        free_made(&m);
    }
}

/* ---- the same everywhere ------------------------------------------------------------------------ */

static void the_same_seed_gives_the_same_bytes(void **state)
{
    static const int sizes[] = {97, 320};
    (void)state;
    for (unsigned k = 0; k < (in_a_hurry() ? 1 : 2); k++) {
        struct fm_fault fault;
        struct oc_sheets first, second;
        struct oc_art *again = oc_art_load(NULL, &fault);
        struct oc_scratch *fresh = oc_scratch_create();
        const struct oc_deal deal = deal_number(11 + k);
        struct oc_frame a = new_frame(sizes[k]), b = new_frame(sizes[k]);
        assert_true(again != NULL && fresh != NULL);
        oc_sheets_make(&first, art, &oc_waters[k], &deal);
        oc_sheets_make(&second, again, &oc_waters[k], &deal);
        oc_layers_free(bake(&first, 20, 640, true)); /* leaves something behind to bake into */
        struct oc_layers *one = bake(&first, 36, sizes[k], true);
        struct oc_layers *two = oc_bake(&second, 36, sizes[k], true, fresh, &fault);
        assert_non_null(two);
        for (unsigned i = 0; i < 4 * OC_LIGHTS; i++) {
            const enum oc_light light = (enum oc_light)(i % OC_LIGHTS);
            const struct oc_look look =
                look_by(i * 5 % OC_TILTS, i * 3 % OC_TILTS, light, some_lamp(light, i));
            oc_view(one, look, NULL, oc_kernel_best(), &a);
            memset(b.y, 0x55, (size_t)b.stride * (size_t)b.stride); /* nothing is left over */
            oc_view(two, look, NULL, oc_kernel_best(), &b);
            assert_true(same_frames(&a, &b));
        }
        oc_layers_free(one);
        oc_layers_free(two);
        oc_frame_finish(&a);
        oc_frame_finish(&b);
        oc_scratch_destroy(fresh);
        oc_art_free(again);
    }
}

static void compare_kernels(const struct oc_layers *layers, const struct oc_patch *octopus)
{
    struct oc_frame a = new_frame(layers->size), b = new_frame(layers->size);
    for (unsigned light = 0; light < OC_LIGHTS; light++)
        for (unsigned k = 0; k < 9; k++) {
            const struct oc_look look =
                look_by(k % 3 * OC_STRAIGHT, k / 3 * OC_STRAIGHT, (enum oc_light)light,
                        some_lamp((enum oc_light)light, 4 * k + light));
            oc_view(layers, look, octopus, &oc_kernel_plain, &a);
            oc_view(layers, look, octopus, oc_kernel_avx2(), &b);
            if (!same_frames(&a, &b))
                fail_msg("%d pixels, light %u, tilt %d %d", layers->size, light, look.tx, look.ty);
        }
    oc_frame_finish(&a);
    oc_frame_finish(&b);
}

static void every_kernel_gives_the_same_frames(void **state)
{
    static const int sizes[] = {64, 97, 320, 640}, lefts[] = {36, 12, 3};
    (void)state;
    if (oc_kernel_avx2() == NULL) {
        printf("# this machine has no AVX2: kernels are not compared\n");
        skip();
    }
    for (unsigned k = 0; k < 4; k++)
        for (unsigned seed = 0; seed < 2; seed++) {
            struct oc_sheets s;
            if (in_a_hurry() && (sizes[k] > 97 || seed > 0))
                continue;
            make_number(&s, &oc_waters[(k + seed) % 3], 20 + seed);
            for (unsigned l = 0; l < 3; l++) {
                struct oc_layers *layers = bake(&s, lefts[l], sizes[k], true);
                struct oc_patch octopus = octopus_at(sizes[k], .3 + .2 * l, .9 - .4 * seed);
                compare_kernels(layers, NULL);
                compare_kernels(layers, &octopus);
                oc_patch_finish(&octopus);
                oc_layers_free(layers);
            }
        }
}

/* ---- the octopus -------------------------------------------------------------------------------- */

struct place {
    double x, y;
};

/* Which part of a plane is wholly under the octopus: 1; beside its square: 0; else 2. */
static int covered(const struct oc_patch *p, const uint16_t *words, int half, int x, int y)
{
    const int side = p->side >> half;
    x -= p->x / (1 << half);
    y -= p->y / (1 << half);
    if (x < 0 || y < 0 || x >= side || y >= side)
        return 0;
    return words[y * side + x] >> 8 == 0 ? 1 : 2;
}

/* Two stacks without and with an octopus; how many bytes are wholly under it. */
static int compare_planes(const struct oc_patch *p, const uint16_t *words, int half, int size,
                          const uint8_t *const bare, const uint8_t *one, const uint8_t *other,
                          int stride)
{
    int hidden = 0;
    for (int y = 0; y < size >> half; y++)
        for (int x = 0; x < size >> half; x++) {
            const int i = y * stride + x, where = covered(p, words, half, x, y);
            if (where == 0 ? one[i] != bare[i] : where == 1 && one[i] != other[i])
                fail_msg("plane 1/%d, at %d, %d: %d, %d, without octopus %d", 1 << half, x, y,
                         one[i], other[i], bare[i]);
            hidden += where == 1;
        }
    return hidden;
}

static void the_octopus_hides_all_and_only_what_is_under_it(void **state)
{
    static const struct place places[] = {{.5, .5}, {0, 0}, {1, 1}, {0, 1}, {.31, .77}};
    static const int sizes[] = {97, 320};
    (void)state;
    for (unsigned k = 0; k < 2 * 5; k++) {
        const int size = sizes[k % 2];
        if (in_a_hurry() && (k >= 4 || size > 97))
            continue;
        struct oc_sheets s, t;
        make_number(&s, oc_waters, 30);
        make_number(&t, oc_waters, 31 + k);
        struct oc_layers *one = bake(&s, 36, size, true), *other = bake(&t, 36, size, true);
        struct oc_patch p = octopus_at(size, places[k / 2].x, places[k / 2].y);
        struct oc_frame bare = new_frame(size), a = new_frame(size), b = new_frame(size);
        for (unsigned i = 0; i < 5 * OC_LIGHTS; i++) {
            const enum oc_light light = (enum oc_light)(i % OC_LIGHTS);
            const struct oc_look look =
                look_by(i * 5 % OC_TILTS, i * 3 % OC_TILTS, light, some_lamp(light, i / OC_LIGHTS));
            oc_view(one, look, NULL, oc_kernel_best(), &bare);
            oc_view(one, look, &p, oc_kernel_best(), &a);
            oc_view(other, look, &p, oc_kernel_best(), &b);
            const int hidden = compare_planes(&p, p.luma, 0, size, bare.y, a.y, b.y, a.stride);
            assert_true(hidden > p.side * p.side / 12); /* a quarter of it, in corners */
            compare_planes(&p, p.u, 1, size, bare.u, a.u, b.u, a.cstride);
            compare_planes(&p, p.v, 1, size, bare.v, a.v, b.v, a.cstride);
        }
        oc_frame_finish(&bare);
        oc_frame_finish(&a);
        oc_frame_finish(&b);
        oc_patch_finish(&p);
        oc_layers_free(one);
        oc_layers_free(other);
    }
}

/* ---- extremes ----------------------------------------------------------------------------------- */

static void look_from_everywhere(const struct oc_layers *layers, struct oc_frame *f)
{
    struct oc_patch p = octopus_at(layers->size, 1, 0);
    const bool huge = layers->size == OC_SIZE_MAX;
    const unsigned step = huge ? 5 : 1; /* each corner, once with a lamp in each */
    for (unsigned light = 0; light < OC_LIGHTS; light++)
        for (unsigned k = 0; k < (light == OC_DAYLIGHT ? 4 : 16);
             k += light == OC_DAYLIGHT ? 1 : step) {
            const unsigned corner = k % 4; /* of tilts; and lamps in their corners, or all sides */
            const unsigned spot =
                k / 4 % 2 * (OC_LAMP_SPOTS - 1) + k / 8 * (OC_LAMP_SPOTS - 1) * OC_LAMP_SPOTS;
            const struct oc_look look = look_by(corner % 2 * (OC_TILTS - 1),
                                                corner / 2 * (OC_TILTS - 1), (enum oc_light)light,
                                                light == OC_DAYLIGHT ? 0
                                                : light == OC_SIDE   ? k
                                                                     : spot);
            oc_view(layers, look, &p, oc_kernel_best(), f);
            if (!huge)
                oc_view(layers, look, NULL, &oc_kernel_plain, f);
        }
    oc_patch_finish(&p);
}

/* That nothing is read or written beside its plane: it is sanitizers that would notice. Huge
 * pictures are of one water, and seen in each corner once; the smaller ones have all sides of a
 * lamp. */
static void extreme_stacks_are_looked_at_from_extreme_places(void **state)
{
    static const int lefts[] = {0, 1, 2, 12, 13, 36}, sizes[] = {OC_SIZE_MIN, 65, OC_SIZE_MAX};
    (void)state;
    for (const struct oc_water *water = oc_waters; water->name != NULL; water++)
        for (unsigned k = 0; k < 3; k++) {
            struct oc_sheets s;
            struct oc_frame f = new_frame(sizes[k]);
            const bool huge = sizes[k] == OC_SIZE_MAX;
            make_number(&s, water, 40 + k);
            for (unsigned l = 0; l < 6; l++) {
                const bool first = water == oc_waters && k == 0;
                if (huge ? lefts[l] != 13 || water != oc_waters
                         : in_a_hurry() && lefts[l] != 13 && !first)
                    continue; /* it takes seconds */
                struct oc_layers *layers = bake(&s, lefts[l], sizes[k], true);
                look_from_everywhere(layers, &f);
                oc_layers_free(layers);
            }
            oc_frame_finish(&f);
        }
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tilt_shifts_every_layer_by_its_depth),
        cmocka_unit_test(bent_layers_are_shifted_tile_by_tile),
        cmocka_unit_test(what_is_opaque_hides_what_is_below_and_nothing_above),
        cmocka_unit_test(what_is_half_transparent_mixes),
        cmocka_unit_test(the_same_seed_gives_the_same_bytes),
        cmocka_unit_test(every_kernel_gives_the_same_frames),
        cmocka_unit_test(the_octopus_hides_all_and_only_what_is_under_it),
        cmocka_unit_test(extreme_stacks_are_looked_at_from_extreme_places),
    };
    return run_ocean_tests("ocean_view", tests, sizeof tests / sizeof tests[0], argc, argv);
}
