/* view.c: one look at the layers: where each tile is read, which light falls, what lies on top. */
#include "ocean/kernel.h"

#include "base/panic.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/* ---- where tiles are read ------------------------------------------------------------------- */

int oc_shift(const struct oc_layers *layers, int i, int tile, double degrees)
{
    return (int)lround((double)layers->layer[i].tile_depth[tile] * tan(degrees * PI / 180));
}

static const struct oc_layer *layer_at(const struct oc_layers *layers, struct oc_look look, int i)
{
    return i == layers->n - 1 && look.light == OC_BELOW ? &layers->lit_slab : &layers->layer[i];
}

static bool casts_shadows(struct oc_look look)
{
    return look.light == OC_ABOVE || look.light == OC_SIDE;
}

struct offset {
    int x, y;
};

/* How far beside a layer its shadow falls in a tile, away from the lamp; for all layers alike. */
static struct offset shadow_offset(const struct oc_layers *layers, struct oc_look look, int tx,
                                   int ty)
{
    const double reach = (double)layers->lamp_reach;
    double x, y;
    oc_look_spot(look, &x, &y);
    if (look.light == OC_SIDE)
        return (struct offset){(int)lround((.5 - x) * 2 * reach),
                               (int)lround((.5 - y) * 2 * reach)};
    const double dx = (tx + .5) * OC_TILE / layers->size - x,
                 dy = (ty + .5) * OC_TILE / layers->size - y;
    const double far = fmax(hypot(dx, dy), .45); /* further out shadows get no longer */
    return (struct offset){(int)lround(dx / far * reach), (int)lround(dy / far * reach)};
}

enum plane { LUMA, U, V };

/* A row of tiles as seen through one kind of plane; with shades, if they are wanted. */
static void aim(struct oc_cursor *c, const struct oc_layers *layers, struct oc_look look,
                struct oc_tilt tilt, enum plane plane, int ty)
{
    const double tilt_x = tan(tilt.x * PI / 180), tilt_y = tan(tilt.y * PI / 180);
    const int half = plane != LUMA;
    c->n_layers = layers->n;
    c->n_tiles = layers->tiles;
    c->width = OC_TILE >> half;
    for (int tx = 0; tx < layers->tiles; tx++) {
        const bool shaded = casts_shadows(look) && plane == LUMA;
        const struct offset off =
            shaded ? shadow_offset(layers, look, tx, ty) : (struct offset){0, 0};
        for (int i = 0; i < layers->n; i++) {
            const struct oc_layer *l = layer_at(layers, look, i);
            const struct oc_plane *p = plane == LUMA ? &l->y : plane == U ? &l->u : &l->v;
            const double depth = (double)l->tile_depth[ty * layers->tiles + tx];
            const int x = tx * OC_TILE - (int)lround(depth * tilt_x);
            const int y = ty * OC_TILE - (int)lround(depth * tilt_y);
            c->stride[i] = p->stride;
            c->at[tx][i] = p->at + (ptrdiff_t)(y >> half) * p->stride + (x >> half);
            if (shaded && l->shade.at != NULL)
                c->shade[tx][i] = l->shade.at + (ptrdiff_t)((y - off.y) >> 1) * l->shade.stride +
                                  ((x - off.x) >> 1);
        }
    }
}

/* Two rows of pixels share a row of shades. */
static void step_shades(struct oc_cursor *c, const struct oc_layers *layers, int y)
{
    for (int i = 0; i < layers->n; i++)
        c->shade_step[i] = y % 2 ? layers->layer[i].shade.stride : 0;
}

/* ---- light ---------------------------------------------------------------------------------- */

#define GAIN_ONE 8192

struct light {
    bool lamp;
    int ambient, beam;                 /* in 1 / GAIN_ONE */
    uint16_t x[OC_SIZE_MAX + OC_TILE]; /* how much of the beam falls on a column and on a row */
    uint16_t y[OC_SIZE_MAX + OC_TILE];
    uint16_t sheen[2 * (OC_SIZE_MAX + OC_TILE)]; /* gloss, by column + row, 9.7 */
};

static const struct {
    double ambient, beam, width;
} lamps[OC_LIGHTS] = {
    [OC_DAYLIGHT] = {1, 0, 1},
    [OC_ABOVE] = {.38, 1.45, .19},
    [OC_BELOW] = {.30, 1.15, .30},
    [OC_SIDE] = {.35, 1.25, .75},
};

static double bell(double t)
{
    return exp(-t * t);
}

static void set_light(struct light *l, const struct oc_layers *layers, struct oc_look look,
                      struct oc_tilt tilt)
{
    const int side = layers->tiles * OC_TILE, size = layers->size;
    const double gloss = (double)layers->sheen * (255 << 7) * (look.light == OC_BELOW ? .3 : 1);
    for (int i = 0; i < 2 * side; i++)
        l->sheen[i] = (uint16_t)(gloss * oc_look_gloss(tilt, i, size));
    l->lamp = look.light != OC_DAYLIGHT;
    if (!l->lamp)
        return;
    double x, y;
    oc_look_spot(look, &x, &y);
    if (look.light == OC_SIDE) { /* it stands outside */
        x = .5 + 1.24 * (x - .5);
        y = .5 + 1.24 * (y - .5);
    }
    const double width = lamps[look.light].width * sqrt(2) * size;
    l->ambient = (int)(GAIN_ONE * lamps[look.light].ambient);
    l->beam = (int)(GAIN_ONE * lamps[look.light].beam);
    for (int i = 0; i < side; i++) {
        l->x[i] = (uint16_t)(65535 * bell((i + .5 - x * size) / width));
        l->y[i] = (uint16_t)(65535 * bell((i + .5 - y * size) / width));
    }
}

static inline uint8_t to_byte(int v) /* from 9.7 */
{
    v = (v + 64) >> 7;
    return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

static inline int gain(const struct light *l, uint32_t y, uint32_t x)
{
    return l->ambient + (int)((uint32_t)l->beam * (y * x >> 16) >> 16);
}

static void finish_luma(const struct light *l, int side, int y, const uint16_t *restrict row,
                        uint8_t *restrict out)
{
    const uint16_t *restrict sheen = l->sheen + y;
    if (!l->lamp)
        for (int x = 0; x < side; x++)
            out[x] = to_byte(row[x] + sheen[x]);
    else
        for (int x = 0; x < side; x++) {
            const uint32_t k = (uint32_t)gain(l, l->y[y], l->x[x]);
            out[x] = to_byte((int)(row[x] * k / GAIN_ONE) + sheen[x]);
        }
}

static void finish_chroma(const struct light *l, int side, int y, const uint16_t *restrict row,
                          uint8_t *restrict out)
{
    const int grey = 128 << 7;
    if (!l->lamp)
        for (int x = 0; x < side; x++)
            out[x] = to_byte(row[x]);
    else
        for (int x = 0; x < side; x++)
            out[x] = to_byte(grey + (row[x] - grey) * gain(l, l->y[2 * y], l->x[2 * x]) / GAIN_ONE);
}

/* ---- what lies on top ----------------------------------------------------------------------- */

static void cover(const struct oc_patch *p, const uint16_t *words, int half, int side, int y,
                  uint16_t *row)
{
    const int width = p->side >> half, top = p->y / (1 << half), left = p->x / (1 << half);
    if (y < top || y >= top + width)
        return;
    const uint16_t *from = words + (ptrdiff_t)(y - top) * width;
    for (int x = left < 0 ? 0 : left; x < left + width && x < side; x++) {
        const uint32_t word = from[x - left], passes = (word >> 8) * 257; /* nothing, or all */
        row[x] = (uint16_t)((row[x] * passes >> 16) + ((word & 0xff) << 7));
    }
}

/* ---- a view --------------------------------------------------------------------------------- */

static void look_at_luma(const struct oc_layers *layers, struct oc_look look, struct oc_tilt tilt,
                         const struct oc_patch *patch, const struct light *light,
                         const struct oc_kernel *kernel, struct oc_frame *frame)
{
    struct oc_cursor c;
    _Alignas(32) uint16_t row[OC_SIZE_MAX];
    const int side = layers->tiles * OC_TILE;
    const bool shaded = casts_shadows(look);
    void (*draw_row)(struct oc_cursor *, uint16_t *) = shaded ? kernel->shaded_row
                                                       : look.light == OC_BELOW
                                                           ? kernel->backlit_row
                                                           : kernel->row;
    for (int y = 0; y < side; y++) {
        if (y % OC_TILE == 0)
            aim(&c, layers, look, tilt, LUMA, y / OC_TILE);
        if (shaded)
            step_shades(&c, layers, y);
        draw_row(&c, row);
        if (patch != NULL)
            cover(patch, patch->luma, 0, side, y, row);
        finish_luma(light, side, y, row, frame->y + (ptrdiff_t)y * frame->stride);
    }
}

static void look_at_chroma(const struct oc_layers *layers, struct oc_look look, struct oc_tilt tilt,
                           enum plane plane, const struct oc_patch *patch,
                           const struct light *light, const struct oc_kernel *kernel,
                           struct oc_frame *frame)
{
    struct oc_cursor c;
    _Alignas(32) uint16_t row[OC_SIZE_MAX / 2];
    uint8_t *out = plane == U ? frame->u : frame->v;
    const int side = layers->tiles * OC_TILE / 2;
    for (int y = 0; y < side; y++) {
        if (y % (OC_TILE / 2) == 0)
            aim(&c, layers, look, tilt, plane, y / (OC_TILE / 2));
        kernel->row(&c, row);
        if (patch != NULL)
            cover(patch, plane == U ? patch->u : patch->v, 1, side, y, row);
        finish_chroma(light, side, y, row, out + (ptrdiff_t)y * frame->cstride);
    }
}

void oc_view_tilted(const struct oc_layers *layers, struct oc_look look, struct oc_tilt tilt,
                    const struct oc_patch *patch, const struct oc_kernel *kernel,
                    struct oc_frame *frame)
{
    struct light light;
    fm_assert(frame->size == layers->size);
    fm_assert(fabs(tilt.x) <= OC_TILT_MAX && fabs(tilt.y) <= OC_TILT_MAX);
    fm_assert(look.light == OC_DAYLIGHT || layers->lit_slab.y.at != NULL);
    set_light(&light, layers, look, tilt);
    look_at_luma(layers, look, tilt, patch, &light, kernel, frame);
    look_at_chroma(layers, look, tilt, U, patch, &light, kernel, frame);
    look_at_chroma(layers, look, tilt, V, patch, &light, kernel, frame);
}

void oc_view(const struct oc_layers *layers, struct oc_look look, const struct oc_patch *patch,
             const struct oc_kernel *kernel, struct oc_frame *frame)
{
    oc_view_tilted(layers, look, oc_look_tilted(look), patch, kernel, frame);
}
