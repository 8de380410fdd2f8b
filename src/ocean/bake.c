/*
 * bake.c: bakes the sheets of a round into layers, once a round.
 *
 * A sheet is drawn at the size it has in its depth, blurred, put under a film, darkened by the
 * water above it, and set into the wall of the box. All arithmetic on pixels is on 16-bit
 * integers, one being 65535: the same bytes everywhere, and compilers make vectors of it.
 */
#include "ocean/bake.h"

#include <stdlib.h>
#include <string.h>

/* ---- a worker's memory ----------------------------------------------------------------------- */

struct oc_scratch *oc_scratch_create(void)
{
    return calloc(1, sizeof(struct oc_scratch));
}

static void scratch_clear(struct oc_scratch *s)
{
    free(s->argb);
    *s = (struct oc_scratch){0};
}

void oc_scratch_destroy(struct oc_scratch *scratch)
{
    if (scratch != NULL)
        scratch_clear(scratch);
    free(scratch);
}

size_t oc_scratch_bytes(const struct oc_scratch *scratch)
{
    return scratch->bytes;
}

static bool scratch_grow(struct oc_scratch *s, size_t pixels)
{
    if (pixels <= s->cap)
        return true;
    scratch_clear(s);
    pixels = (pixels + 63) / 64 * 64;
    s->bytes = pixels * (sizeof(uint32_t) + (CHANNELS + 2) * sizeof(uint16_t));
    s->argb = aligned_alloc(64, s->bytes);
    if (s->argb == NULL) {
        s->bytes = 0;
        return false;
    }
    uint16_t *at = (uint16_t *)(s->argb + pixels);
    for (int k = 0; k < CHANNELS; k++, at += pixels)
        s->plane[k] = at;
    s->shadow = at;
    s->spare = at + pixels;
    s->cap = pixels;
    return true;
}

/* ---- a round --------------------------------------------------------------------------------- */

static bool bake_all(const struct oc_plan *p, struct oc_scratch *scratch)
{
    struct oc_row_pair *pair = malloc(sizeof *pair);
    bool fine = pair != NULL;
    for (int i = 0; i < p->sheets && fine; i++)
        fine = oc__bake_sheet(p, i, scratch, pair);
    fine = fine && oc__bake_slab(p, &p->out->layer[p->n - 1], scratch, false, pair);
    if (fine && p->lamps)
        fine = oc__bake_slab(p, &p->out->lit_slab, scratch, true, pair);
    free(pair);
    return fine;
}

static void describe(const struct oc_plan *p)
{
    struct oc_layers *out = p->out;
    out->size = p->size;
    out->tiles = p->tiles;
    out->n = p->n;
    out->sheen = (float)p->s->water->sheen;
    out->lamp_reach = (float)(OC_LAMP_GAP * p->s->water->gap * p->size);
    for (int i = 0; i < p->n; i++) {
        struct oc_layer *l = &out->layer[i];
        l->depth = (float)(p->spot[i].depth * p->spot[i].scale * p->size);
        memcpy(l->tile_depth, p->depth[i], sizeof(float) * (size_t)(p->tiles * p->tiles));
    }
}

size_t oc_bake_bytes(const struct oc_sheets *s, int left, int size, bool lamps)
{
    struct oc_plan p;
    if (!oc__plan_init(&p, s, left, size, lamps))
        return 0;
    const size_t bytes = oc__plan_bytes(&p);
    free(p.depths);
    return bytes;
}

struct oc_layers *oc_bake(const struct oc_sheets *s, int left, int size, bool lamps,
                          struct oc_scratch *scratch, struct fm_fault *fault)
{
    struct oc_plan p;
    if (oc__plan_init(&p, s, left, size, lamps)) {
        const size_t widest = (size_t)p.spot[p.n - 1].side;
        p.out = scratch_grow(scratch, widest * widest) ? oc__plan_allocate(&p) : NULL;
    }
    if (p.out != NULL) {
        describe(&p);
        if (!bake_all(&p, scratch)) {
            oc_layers_free(p.out);
            p.out = NULL;
        }
    }
    free(p.depths);
    if (p.out == NULL)
        fm_fail_plain(fault, FM_E_MEMORY);
    return p.out;
}

void oc_layers_free(struct oc_layers *layers)
{
    free(layers);
}
