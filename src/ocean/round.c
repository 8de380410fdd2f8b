/* round.c: bakes and looks for the cache. */
#include "ocean/round.h"

#include "ocean/encode.h"

#include "base/panic.h"

#include <stdatomic.h>
#include <stdlib.h>

struct oc_round {
    const struct oc_art *art;
    struct oc_sheets sheets;
    int left, size;
    bool lamps;
    struct oc_patch patch;
    _Atomic(const struct oc_patch *) octopus; /* NULL until it is there */
};

struct baked { /* what the cache knows as layers */
    struct oc_layers *layers;
    const struct oc_round *round;
};

struct oc_worker {
    struct oc_scratch *scratch;
    struct oc_frame frame;
    struct oc_bytes bytes;
    int quality;
};

/* ---- rounds --------------------------------------------------------------------------------- */

struct oc_round *oc_round_create(const struct oc_art *art, const struct oc_sheets *s, int left,
                                 int size, bool lamps)
{
    struct oc_round *r = calloc(1, sizeof *r);
    if (r == NULL)
        return NULL;
    r->art = art;
    r->sheets = *s;
    r->left = left;
    r->size = size;
    r->lamps = lamps;
    return r;
}

void oc_round_destroy(struct oc_round *r)
{
    if (r != NULL)
        oc_patch_finish(&r->patch);
    free(r);
}

enum fm_err oc_round_octopus(struct oc_round *r, double x, double y, struct fm_fault *fault)
{
    fm_assert(atomic_load(&r->octopus) == NULL);
    const enum fm_err err = oc_patch_init(&r->patch, r->art, r->size, x, y, fault);
    if (err == FM_OK)
        atomic_store(&r->octopus, &r->patch);
    return err;
}

/* ---- workers -------------------------------------------------------------------------------- */

struct oc_worker *oc_worker_create(int quality)
{
    struct oc_worker *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->quality = quality;
    w->scratch = oc_scratch_create();
    if (w->scratch == NULL) {
        free(w);
        return NULL;
    }
    return w;
}

void oc_worker_destroy(struct oc_worker *w)
{
    if (w == NULL)
        return;
    oc_scratch_destroy(w->scratch);
    oc_frame_finish(&w->frame);
    oc_bytes_finish(&w->bytes);
    free(w);
}

size_t oc_worker_bytes(const struct oc_worker *w)
{
    const size_t side = (size_t)w->frame.stride;
    return oc_scratch_bytes(w->scratch) + side * side * 3 / 2 + w->bytes.cap;
}

/* ---- for the cache -------------------------------------------------------------------------- */

static size_t bake_bytes(const void *round)
{
    const struct oc_round *r = round;
    return sizeof(struct baked) + oc_bake_bytes(&r->sheets, r->left, r->size, r->lamps);
}

static void *bake(void *worker, void *round, struct fm_fault *fault)
{
    struct oc_worker *w = worker;
    const struct oc_round *r = round;
    struct baked *b = malloc(sizeof *b);
    if (b == NULL) {
        fm_fail_plain(fault, FM_E_MEMORY);
        return NULL;
    }
    oc_art_draw(r->art);
    b->round = r;
    b->layers = oc_bake(&r->sheets, r->left, r->size, r->lamps, w->scratch, fault);
    if (b->layers == NULL) {
        free(b);
        return NULL;
    }
    return b;
}

static size_t layers_bytes(const void *layers)
{
    const struct baked *b = layers;
    return sizeof *b + b->layers->bytes;
}

static void free_layers(void *layers)
{
    struct baked *b = layers;
    oc_layers_free(b->layers);
    free(b);
}

static enum fm_err make(void *worker, const void *layers, struct oc_look look, const uint8_t **data,
                        size_t *n, struct fm_fault *fault)
{
    struct oc_worker *w = worker;
    const struct baked *b = layers;
    enum fm_err err = FM_OK;
    if (look.light != OC_DAYLIGHT && !b->round->lamps)
        return fm_fail(fault, FM_E_VALUE, "there are no lamps at this table");
    if (w->frame.size != b->layers->size) {
        oc_frame_finish(&w->frame);
        err = oc_frame_init(&w->frame, b->layers->size, fault);
    }
    if (err != FM_OK)
        return err;
    oc_view(b->layers, look, atomic_load(&b->round->octopus), oc_kernel_best(), &w->frame);
    err = oc_encode(&w->bytes, &w->frame, OC_JPEG, w->quality, fault);
    *data = w->bytes.data;
    *n = w->bytes.n;
    return err;
}

static void drop(void *round)
{
    oc_round_destroy(round);
}

const struct oc_maker oc_round_maker = {
    .bake_bytes = bake_bytes,
    .bake = bake,
    .layers_bytes = layers_bytes,
    .free_layers = free_layers,
    .make = make,
    .drop = drop,
};
