/* bake_plan.c: where every layer of a round lies, and one block of memory for all of them. */
#include "ocean/bake.h"

#include "base/panic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* ---- geometry -------------------------------------------------------------------------------- */

const struct oc_sheet *oc__sheet_at(const struct oc_plan *p, int level)
{
    return &p->s->sheet[p->left - 1 - level];
}

static void measure(struct oc_plan *p)
{
    const struct oc_water *w = p->s->water;
    double depth = .5 * w->gap;
    p->sheets = p->left < w->layers ? p->left : w->layers;
    p->n = p->sheets + 1;
    for (int i = 0; i < p->n; i++) {
        if (i == p->sheets)
            depth += w->gap * (p->left > p->sheets ? 1 + OC_SLAB_GAP : 1);
        else if (i > 0)
            depth += w->gap * (double)oc__sheet_at(p, i)->gap;
        p->spot[i].depth = depth;
        p->spot[i].scale = 1 / (1 + depth * w->perspective);
    }
}

/* How deep every tile of every layer is, in pixels of shift for 45 degrees. Gaps stay open: a
 * sheet never comes up through the one above it. */
static void bend(const struct oc_plan *p, float *at[OC_LAYERS])
{
    const struct oc_water *w = p->s->water;
    const int tiles = p->tiles * p->tiles;
    for (int t = 0; t < tiles; t++) {
        const float x = ((float)(t % p->tiles) + .5f) / (float)p->tiles;
        const float y = ((float)(t / p->tiles) + .5f) / (float)p->tiles;
        double depth = p->spot[0].depth;
        for (int i = 0; i < p->n; i++) {
            if (i > 0) {
                const double gap = p->spot[i].depth - p->spot[i - 1].depth;
                const double bent =
                    i < p->left ? (double)oc_field_at(&oc__sheet_at(p, i)->bend, x, y) : 0;
                depth += fmax(gap + w->gap * w->bend * bent, .3 * w->gap);
            }
            at[i][t] = (float)(depth * p->spot[i].scale * p->size);
        }
    }
}

/* Pads are as wide as the widest shift. */
static void lay_out(struct oc_plan *p, float *depth[OC_LAYERS])
{
    const double steepest = tan(OC_TILT_MAX * PI / 180);
    for (int i = 0; i < p->n; i++) {
        struct oc_spot *spot = &p->spot[i];
        float deepest = 0;
        for (int t = 0; t < p->tiles * p->tiles; t++)
            deepest = fmaxf(deepest, depth[i][t]);
        spot->pad = ((int)ceil((double)deepest * steepest) + 2) / 2 * 2;
        spot->side = p->tiles * OC_TILE + 2 * spot->pad;
        spot->width = p->size * spot->scale;
        spot->origin = spot->pad + (p->size - spot->width) / 2;
    }
}

bool oc__plan_init(struct oc_plan *p, const struct oc_sheets *s, int left, int size, bool lamps)
{
    fm_assert(left >= 0 && left <= s->n && size >= OC_SIZE_MIN && size <= OC_SIZE_MAX);
    *p = (struct oc_plan){.s = s, .left = left, .size = size, .lamps = lamps};
    p->tiles = oc_frame_padded(size) / OC_TILE;
    measure(p);
    const size_t tiles = (size_t)p->tiles * (size_t)p->tiles;
    p->depths = malloc(sizeof(float) * tiles * (size_t)p->n);
    if (p->depths == NULL)
        return false;
    for (int i = 0; i < p->n; i++)
        p->depth[i] = p->depths + (size_t)i * tiles;
    bend(p, p->depth);
    lay_out(p, p->depth);
    return true;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Counts bytes at first; gives addresses once there is a block. */
struct carver {
    uint8_t *block;
    size_t used;
};

static void *carve(struct carver *c, size_t bytes)
{
    void *at = c->block != NULL ? c->block + c->used : NULL;
    c->used += (bytes + 63) / 64 * 64;
    return at;
}

static int lamp_reach(const struct oc_plan *p)
{
    return (int)ceil(OC_LAMP_GAP * p->s->water->gap * p->size);
}

static void carve_plane(struct carver *c, struct oc_plane *plane, int side, int pad)
{
    plane->stride = (side + 15) / 16 * 16;
    uint16_t *first = carve(c, (size_t)plane->stride * (size_t)side * sizeof *first);
    plane->at = first != NULL ? first + (ptrdiff_t)pad * plane->stride + pad : NULL;
}

static void carve_words(struct carver *c, struct oc_layer *l, const struct oc_spot *spot)
{
    carve_plane(c, &l->y, spot->side, spot->pad);
    carve_plane(c, &l->u, spot->side / 2, spot->pad / 2);
    carve_plane(c, &l->v, spot->side / 2, spot->pad / 2);
}

int oc__shade_pad(const struct oc_plan *p, int i)
{
    return p->spot[i].pad / 2 + lamp_reach(p) / 2 + 1;
}

int oc__shade_side(const struct oc_plan *p, int i)
{
    return p->tiles * OC_TILE / 2 + 2 * oc__shade_pad(p, i);
}

static void carve_shade(struct carver *c, struct oc_shade *shade, const struct oc_plan *p, int i)
{
    const int pad = oc__shade_pad(p, i), side = oc__shade_side(p, i);
    shade->stride = i < OC_SHADES ? (side + 15) / 16 * 16 : 0; /* 0: the same row over and over */
    uint8_t *first = carve(c, (size_t)(i < OC_SHADES ? shade->stride * side : side));
    shade->at = first != NULL ? first + (ptrdiff_t)pad * shade->stride + pad : NULL;
}

static void carve_all(struct carver *c, const struct oc_plan *p, struct oc_layers *out)
{
    carve(c, sizeof *out);
    for (int i = 0; i < p->n; i++) {
        struct oc_layer *l = &out->layer[i];
        carve_words(c, l, &p->spot[i]);
        l->tile_depth = carve(c, (size_t)p->tiles * (size_t)p->tiles * sizeof *l->tile_depth);
        if (p->lamps && i < p->sheets)
            carve_shade(c, &l->shade, p, i);
    }
    if (p->lamps)
        carve_words(c, &out->lit_slab, &p->spot[p->n - 1]);
    out->lit_slab.tile_depth = out->layer[p->n - 1].tile_depth;
}

size_t oc__plan_bytes(const struct oc_plan *p)
{
    struct oc_layers sizes = {0};
    struct carver counter = {0};
    carve_all(&counter, p, &sizes);
    return counter.used;
}

struct oc_layers *oc__plan_allocate(const struct oc_plan *p)
{
    const size_t bytes = oc__plan_bytes(p);
    struct oc_layers *out = aligned_alloc(64, bytes);
    if (out == NULL)
        return NULL;
    memset(out, 0, sizeof *out);
    struct carver carver = {.block = (uint8_t *)out};
    carve_all(&carver, p, out);
    fm_assert(carver.used == bytes);
    out->bytes = bytes;
    return out;
}
