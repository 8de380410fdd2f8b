/* bake_light.c: pixels and colours of layers: blur, daylight under water, and the wall of the box.
 */
#include "ocean/bake.h"

#include "base/panic.h"

#include <math.h>
#include <string.h>

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
        uint16_t *restrict out = spare + (size_t)y * (size_t)side;
        memcpy(line + reach, plane + (size_t)y * (size_t)side, (size_t)side * sizeof *line);
        for (int x = 0; x < side; x++)
            out[x] = oc__times(line[x + reach], weight[0]);
        for (int i = 1; i <= reach; i++)
            add_rows(out, line + reach - i, line + reach + i, weight[i], side);
    }
    for (int y = 0; y < side; y++) {
        uint16_t *restrict out = plane + (size_t)y * (size_t)side;
        for (int x = 0; x < side; x++)
            out[x] = 0;
        for (int i = -reach; i <= reach; i++)
            if (y + i >= 0 && y + i < side)
                add_row(out, spare + (size_t)(y + i) * (size_t)side, weight[i < 0 ? -i : i], side);
    }
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
