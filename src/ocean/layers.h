/*
 * layers.h: a round of a game, ready to be looked at: sheets as planes that only need to be
 * shifted and laid on each other.
 *
 * A pixel of a plane is one 16-bit word: what it lets through in the high byte, the light that it
 * adds in the low one. Depth, distance, haze and daylight are in these words already, so a view
 * is integer shifts, and one multiplication and one addition for each pixel of each layer.
 * Views know nothing of cards.
 */
#ifndef OCEAN_LAYERS_H
#define OCEAN_LAYERS_H

#include "ocean/frame.h"
#include "ocean/look.h"
#include "ocean/sheets.h"

#include <stdbool.h>

#define OC_TILES (OC_SIZE_MAX / OC_TILE) /* at most, across a window */

struct oc_plane {
    uint16_t *at; /* the window's first pixel for a look straight down */
    int stride;   /* words */
};

struct oc_shade { /* the shadow of a layer under a lamp, half as fine; what it lets through */
    uint8_t *at;
    int stride;
};

struct oc_layer {
    struct oc_plane y, u, v; /* u and v are half as fine */
    struct oc_shade shade;   /* empty without lamps */
    float depth;             /* pixels of shift for a tilt of 45 degrees, on average ... */
    float *tile_depth;       /* ... and in each tile of the window: sheets are bent */
};

struct oc_layers {
    int size, tiles; /* of the window; tiles across it */
    int n;           /* the last is the slab, which is opaque */
    float sheen;
    float lamp_reach; /* length of a shadow, in pixels */
    struct oc_layer layer[OC_LAYERS];
    struct oc_layer lit_slab; /* the slab's stand-in when the lamp is below */
    size_t bytes;             /* all of the memory, one block */
};

/* What lies on top of the stack: the octopus, in words like a layer's. */
struct oc_patch {
    int x, y, side; /* in pixels; even */
    uint16_t *luma, *u, *v;
};

/* ---- bake.c --------------------------------------------------------------------------------- */

struct oc_scratch; /* a worker's memory for baking; grows to what the largest window needs */
struct oc_scratch *oc_scratch_create(void);          /* NULL: no memory */
void oc_scratch_destroy(struct oc_scratch *scratch); /* takes NULL */
size_t oc_scratch_bytes(const struct oc_scratch *scratch);

/* The stack when `left` sheets are in it. With lamps, shadows are kept apart as well. NULL and a
 * fault if there is no memory. */
struct oc_layers *oc_bake(const struct oc_sheets *s, int left, int size, bool lamps,
                          struct oc_scratch *scratch, struct fm_fault *fault);
void oc_layers_free(struct oc_layers *layers); /* takes NULL */
/* How many bytes they will take; 0: there is not even memory to find out. */
size_t oc_bake_bytes(const struct oc_sheets *s, int left, int size, bool lamps);

/* The octopus with its middle at (x, y), in widths of the window. */
enum fm_err oc_patch_init(struct oc_patch *p, const struct oc_art *art, int size, double x,
                          double y, struct fm_fault *fault);
void oc_patch_finish(struct oc_patch *p);

/* ---- view.c --------------------------------------------------------------------------------- */

struct oc_kernel;
extern const struct oc_kernel oc_kernel_plain;
const struct oc_kernel *oc_kernel_avx2(void);    /* NULL: not on this machine */
const struct oc_kernel *oc_kernel_simd128(void); /* WebAssembly's; NULL: likewise */
const struct oc_kernel *oc_kernel_best(void);
const char *oc_kernel_name(const struct oc_kernel *k);

/* One look at the layers, with something on top (NULL: nothing). The frame has their size. Every
 * kernel gives the same bytes. */
void oc_view(const struct oc_layers *layers, struct oc_look look, const struct oc_patch *patch,
             const struct oc_kernel *kernel, struct oc_frame *frame);
/* The same for a tilt between the steps of the grid; of `look` only the light counts. */
void oc_view_tilted(const struct oc_layers *layers, struct oc_look look, struct oc_tilt tilt,
                    const struct oc_patch *patch, const struct oc_kernel *kernel,
                    struct oc_frame *frame);
/* How far layer i is shifted in a tile, in pixels to the right or down, for a tilt in degrees. */
int oc_shift(const struct oc_layers *layers, int i, int tile, double degrees);

#endif
