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
    int width; /* of a tile: OC_TILE, or half of it for chroma */
    ptrdiff_t stride[OC_LAYERS];
    const uint16_t *at[OC_TILES][OC_LAYERS];
    const uint8_t *shade[OC_TILES][OC_LAYERS]; /* for shaded rows: bytes, each for two words */
    ptrdiff_t shade_step[OC_LAYERS];           /* how far these move on after this row */
};

/* How far the bytes of light are shifted up: by day, all of them as far as 9.7 asks for; against
 * a lamp below, the slab shines twice as bright and what lies before it half as bright. */
enum { OC_BY_DAY = 7, OC_BACKLIGHT = 8, OC_AGAINST_IT = 6 };

struct oc_kernel {
    const char *name;
    void (*row)(struct oc_cursor *c, uint16_t *out);
    void (*shaded_row)(struct oc_cursor *c, uint16_t *out);  /* luma only */
    void (*backlit_row)(struct oc_cursor *c, uint16_t *out); /* luma only */
};

#endif
