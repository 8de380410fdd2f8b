/* bake_light.c: pixels and colours of layers: blur, daylight under water, and the wall of the box.
 */
#include "ocean/bake.h"

#include "base/panic.h"

#include <math.h>
#include <string.h>
#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

#define EDGE 2 /* pixels of a card's edge on the wall */

static const struct oc_rgb wall_light = {{.085, .20, .285}};

static const struct oc_rgb edge_light = {{.45, .68, .78}};

uint16_t oc__fixed(double v)
{
    return (uint16_t)lround(fmin(fmax(v, 0), 1) * OC_ONE);
}

void oc__split_channels(const uint32_t *argb, uint16_t *plane[CHANNELS], size_t n)
{
    static const int shift[CHANNELS] = {[RED] = 16, [GREEN] = 8, [BLUE] = 0, [ALPHA] = 24};
    for (int k = 0; k < CHANNELS; k++) {
        uint16_t *restrict out = plane[k];
        const int bits = shift[k];
        for (size_t i = 0; i < n; i++)
            out[i] = (uint16_t)((argb[i] >> bits & 0xff) * 257);
    }
}

#define TAPS 24 /* to either side, at most */

/* Most of the cost of baking is in these two loops, and sanitizers make them ten times slower.
 * They need not be watched: oc__blur, which is, fills every row from end to end before it gets
 * here. The product is oc__times, which clang would not inline. */
#define UNWATCHED __attribute__((no_sanitize("address", "thread", "undefined")))

#ifdef __wasm_simd128__

/* In WebAssembly access to memory is expensive: all rows are added up before anything is stored.
 * And most of a sheet is empty: where no row has anything, nothing is added. */
#define WORDS  8 /* of a vector; no row is shorter */
#define CHUNKS (OC_SIZE_MAX * 2 / WORDS + 1)

static inline v128_t product(const uint16_t *at, v128_t weight)
{
    const v128_t in = wasm_v128_load(at);
    return wasm_i16x8_shuffle(wasm_u32x4_extmul_low_u16x8(in, weight),
                              wasm_u32x4_extmul_high_u16x8(in, weight), 1, 3, 5, 7, 9, 11, 13, 15);
}

/* Where a chunk of a row begins: the last one shares some words with the one before. */
static inline int begin_of(int chunk, int n)
{
    return (chunk + 1) * WORDS <= n ? chunk * WORDS : n - WORDS;
}

/* Adds up one chunk of the rows `first` to `last`, each `apart` words after the one before. */
static inline v128_t add_up(const uint16_t *row, int first, int last, int apart,
                            const uint16_t *weight)
{
    v128_t sum = wasm_i16x8_splat(0);
    for (int i = first; i <= last; i++)
        sum = wasm_i16x8_add(
            sum, product(row + (ptrdiff_t)i * apart, wasm_u16x8_splat(weight[i < 0 ? -i : i])));
    return sum;
}

static void blur_row(uint16_t *out, const uint16_t *row, int reach, const uint16_t *weight, int n)
{
    const int chunks = (n + WORDS - 1) / WORDS, near = (reach + WORDS - 1) / WORDS + 1;
    int until = -1, ahead = 0; /* chunks up to `until` have something near them */
    for (int c = 0; c < chunks; c++) {
        for (; ahead <= c + near && ahead < chunks; ahead++)
            if (wasm_v128_any_true(wasm_v128_load(row + begin_of(ahead, n))))
                until = ahead + near;
        const int x = begin_of(c, n);
        wasm_v128_store(out + x, until >= c ? add_up(row + x, -reach, reach, 1, weight)
                                            : wasm_i16x8_splat(0));
    }
}

static void blur_columns(uint16_t *plane, const uint16_t *from, int side, int reach,
                         const uint16_t *weight)
{
    const int chunks = (side + WORDS - 1) / WORDS;
    int16_t until[CHUNKS]; /* by chunk: rows up to this have something near them */
    fm_assert(chunks <= CHUNKS);
    memset(until, 0xff, sizeof until);
    for (int y = 0, ahead = 0; y < side; y++) {
        const int first = y < reach ? -y : -reach;
        const int last = y + reach < side ? reach : side - 1 - y;
        for (; ahead <= y + reach && ahead < side; ahead++)
            for (int c = 0; c < chunks; c++)
                if (wasm_v128_any_true(
                        wasm_v128_load(from + (size_t)ahead * (size_t)side + begin_of(c, side))))
                    until[c] = (int16_t)(ahead + reach);
        for (int c = 0; c < chunks; c++) {
            const size_t at = (size_t)y * (size_t)side + (size_t)begin_of(c, side);
            wasm_v128_store(plane + at, until[c] >= y ? add_up(from + at, first, last, side, weight)
                                                      : wasm_i16x8_splat(0));
        }
    }
}

#else

UNWATCHED static void add_row(uint16_t *restrict out, const uint16_t *restrict in, uint16_t weight,
                              int n)
{
    for (int x = 0; x < n; x++)
        out[x] = (uint16_t)(out[x] + ((uint32_t)in[x] * weight >> 16));
}

UNWATCHED static void add_rows(uint16_t *restrict out, const uint16_t *restrict a,
                               const uint16_t *restrict b, uint16_t weight, int n)
{
    for (int x = 0; x < n; x++)
        out[x] =
            (uint16_t)(out[x] + ((uint32_t)a[x] * weight >> 16) + ((uint32_t)b[x] * weight >> 16));
}

static void blur_row(uint16_t *restrict out, const uint16_t *row, int reach, const uint16_t *weight,
                     int n)
{
    for (int x = 0; x < n; x++)
        out[x] = oc__times(row[x], weight[0]);
    for (int i = 1; i <= reach; i++)
        add_rows(out, row - i, row + i, weight[i], n);
}

static void blur_columns(uint16_t *plane, const uint16_t *from, int side, int reach,
                         const uint16_t *weight)
{
    for (int y = 0; y < side; y++) {
        uint16_t *restrict out = plane + (size_t)y * (size_t)side;
        memset(out, 0, (size_t)side * sizeof *out);
        for (int i = -reach; i <= reach; i++)
            if (y + i >= 0 && y + i < side)
                add_row(out, from + (size_t)(y + i) * (size_t)side, weight[i < 0 ? -i : i], side);
    }
}

#endif

void oc__blur(uint16_t *plane, uint16_t *spare, int side, double sigma)
{
    uint16_t weight[TAPS + 1];
    uint16_t line[OC_SIZE_MAX * 2 + 2 * TAPS];
    const int reach = sigma < .15 ? 0 : (int)fmin(ceil(2.6 * sigma), TAPS);
    double sum = 0;
    if (reach == 0)
        return;
    fm_assert(side + 2 * reach <= (int)(sizeof line / sizeof line[0]));
    for (int i = -reach; i <= reach; i++)
        sum += exp(-i * i / (2 * sigma * sigma));
    for (int i = 0; i <= reach; i++)
        weight[i] = (uint16_t)(OC_ONE * exp(-i * i / (2 * sigma * sigma)) / sum);
    memset(line, 0, sizeof line);
    for (int y = 0; y < side; y++) {
        memcpy(line + reach, plane + (size_t)y * (size_t)side, (size_t)side * sizeof *line);
        blur_row(spare + (size_t)y * (size_t)side, line + reach, reach, weight, side);
    }
    blur_columns(plane, spare, side, reach, weight);
}

struct oc_yuv oc__to_yuv(struct oc_rgb l)
{
    return (struct oc_yuv){.299 * l.c[0] + .587 * l.c[1] + .114 * l.c[2],
                           -.168736 * l.c[0] - .331264 * l.c[1] + .5 * l.c[2],
                           .5 * l.c[0] - .418688 * l.c[1] - .081312 * l.c[2]};
}

struct oc_rgb oc__dimmed(struct oc_rgb l, struct oc_rgb by, double k)
{
    return (struct oc_rgb){{k * l.c[0] * by.c[0], k * l.c[1] * by.c[1], k * l.c[2] * by.c[2]}};
}

struct oc_rgb oc__daylight(const struct oc_water *w, double layers)
{
    return (struct oc_rgb){
        {exp(-(w->dim + w->dim_red) * layers), exp(-w->dim * layers), exp(-.72 * w->dim * layers)}};
}

/* Lay a light of some opacity over a rectangle of a plane. */
static void tint(const struct oc_plane *plane, int pad, int x0, int y0, int x1, int y1,
                 double light, double opacity)
{
    for (int y = y0; y < y1; y++) {
        uint16_t *row = plane->at + (ptrdiff_t)(y - pad) * plane->stride - pad;
        for (int x = x0; x < x1; x++) {
            const double passes = (row[x] >> 8) * (1 - opacity);
            const double own = (row[x] & 0xff) * (1 - opacity) + 255 * opacity * light;
            row[x] = oc__word((uint32_t)(passes + .5), (uint32_t)(fmax(own, 0) + .5));
        }
    }
}

static void tint_layer(const struct oc_layer *l, const struct oc_spot *spot, int x0, int y0, int x1,
                       int y1, struct oc_rgb light, double opacity)
{
    const struct oc_yuv c = oc__to_yuv(light);
    const double grey = 128. / 255;
    tint(&l->y, spot->pad, x0, y0, x1, y1, c.y, opacity);
    tint(&l->u, spot->pad / 2, x0 / 2, y0 / 2, x1 / 2, y1 / 2, grey + c.u, opacity);
    tint(&l->v, spot->pad / 2, x0 / 2, y0 / 2, x1 / 2, y1 / 2, grey + c.v, opacity);
}

void oc__build_wall(const struct oc_layer *l, const struct oc_spot *spot, int level,
                    struct oc_rgb day)
{
    const int a = (int)spot->origin, b = (int)(spot->origin + spot->width), end = spot->side;
    const struct oc_rgb wall = oc__dimmed(wall_light, day, level % 2 ? 1 : .82);
    const struct oc_rgb edge = oc__dimmed(edge_light, day, 1);
    tint_layer(l, spot, 0, 0, end, a, wall, 1);
    tint_layer(l, spot, 0, b, end, end, wall, 1);
    tint_layer(l, spot, 0, a, a, b, wall, 1);
    tint_layer(l, spot, b, a, end, b, wall, 1);
    tint_layer(l, spot, a, a, b, a + EDGE, edge, .45);
    tint_layer(l, spot, a, b - EDGE, b, b, edge, .45);
    tint_layer(l, spot, a, a + EDGE, a + EDGE, b - EDGE, edge, .45);
    tint_layer(l, spot, b - EDGE, a + EDGE, b, b - EDGE, edge, .45);
}
