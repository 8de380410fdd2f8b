/* kernel.h: the hot loop of a view, in plain C and in vectors: rows of tiles through all layers. */
#ifndef OCEAN_KERNEL_H
#define OCEAN_KERNEL_H

#include "ocean/layers.h"

/*
 * Where a row of tiles is read from. A kernel writes one row of n_tiles * width words, lights in
 * 9.7 fixed point, and moves every pointer on by its layer's stride.
 */
struct oc_cursor {
    int n_layers, n_tiles;
    int width;      /* of a tile: OC_TILE, or half of it for chroma */
    int slab_shift; /* 7, or 8 for light from below, which is twice as strong */
    ptrdiff_t stride[OC_LAYERS];
    const uint16_t *at[OC_TILES][OC_LAYERS];
    const uint8_t *shade[OC_TILES][OC_LAYERS]; /* for shaded rows: bytes, each for two words */
    ptrdiff_t shade_step[OC_LAYERS];           /* how far these move on after this row */
};

struct oc_kernel {
    const char *name;
    void (*row)(struct oc_cursor *c, uint16_t *out);
    void (*shaded_row)(struct oc_cursor *c, uint16_t *out);
};

#endif
