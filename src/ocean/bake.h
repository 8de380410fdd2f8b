/* bake.h: what the files that bake sheets into layers share: the plan, and arithmetic on pixels. */
#ifndef OCEAN_BAKE_H
#define OCEAN_BAKE_H

#include "ocean/layers.h"

#define OC_ONE      65535u /* the number one in 16-bit arithmetic on pixels */
#define OC_SLAB_GAP 3      /* gaps from the last sheet that moves to the slab of the rest */
#define OC_LAMP_GAP 1.6    /* length of a lamp's shadow, in gaps */
#define OC_SHADES   8      /* sheets whose shadows under a lamp can be made out */

enum { RED, GREEN, BLUE, ALPHA, CHANNELS };

struct oc_scratch {
    size_t cap; /* pixels that each of these has room for */
    uint32_t *argb;
    uint16_t *plane[CHANNELS], *shadow, *spare;
    size_t bytes;
};

/* ---- bake_plan.c: where every layer lies, and memory for all of them ------------------------- */

struct oc_spot {   /* one layer while it is laid out */
    double depth;  /* in widths of the card */
    double scale;  /* how much smaller it looks from above */
    int pad;       /* pixels around the window, even */
    int side;      /* of its planes: window and pads */
    double origin; /* the card's first pixel */
    double width;  /* pixels of the card */
};

struct oc_plan {
    const struct oc_sheets *s;
    int left, size, tiles, sheets, n; /* sheets that move; layers with the slab */
    bool lamps;
    struct oc_spot spot[OC_LAYERS];
    float *depths, *depth[OC_LAYERS]; /* one block, and each layer's part: by tile */
    struct oc_layers *out;
};

/* Where everything goes; false: no memory. The depths are freed by the caller. */
bool oc__plan_init(struct oc_plan *p, const struct oc_sheets *s, int left, int size, bool lamps);
size_t oc__plan_bytes(const struct oc_plan *p);                          /* that its layers take */
struct oc_layers *oc__plan_allocate(const struct oc_plan *p);            /* NULL: no memory */
const struct oc_sheet *oc__sheet_at(const struct oc_plan *p, int level); /* from 0, the top */
int oc__shade_pad(const struct oc_plan *p, int i);                       /* in half pixels */
int oc__shade_side(const struct oc_plan *p, int i);

/* ---- bake_light.c: arithmetic on pixels and colours ------------------------------------------ */

struct oc_rgb {
    double c[3];
};

/* A light as luma and chroma; the chroma of grey is 0. */
struct oc_yuv {
    double y, u, v;
};

struct oc_yuv oc__to_yuv(struct oc_rgb l);
struct oc_rgb oc__dimmed(struct oc_rgb l, struct oc_rgb by, double k);
/* What is left of daylight under this many layers of water. */
struct oc_rgb oc__daylight(const struct oc_water *w, double layers);
uint16_t oc__fixed(double v); /* 0 .. 1 to 0 .. OC_ONE */
void oc__split_channels(const uint32_t *argb, uint16_t *plane[CHANNELS], size_t n);
/* A Gaussian, first along rows, then along columns. */
void oc__blur(uint16_t *plane, uint16_t *spare, int side, double sigma);
/* The box around the card: every sheet has its own stripe of wall and a bright edge, so that
 * edges can be counted like the marks of a ruler. */
void oc__build_wall(const struct oc_layer *l, const struct oc_spot *spot, int level,
                    struct oc_rgb day);

static inline uint16_t oc__times(uint32_t a, uint32_t b) /* of numbers up to OC_ONE */
{
    return (uint16_t)(a * b >> 16);
}

static inline uint16_t oc__to_byte(uint32_t v) /* 0 .. OC_ONE to 0 .. 255, nearest */
{
    return (uint16_t)((v - (v >> 8) + 128) >> 8);
}

static inline uint16_t oc__word(uint32_t passes, uint32_t light) /* bytes */
{
    return (uint16_t)(passes << 8 | (light < 255 - passes ? light : 255 - passes));
}

/* Half as fine: the mean of four pixels. */
static inline uint32_t oc__mean(const uint16_t *a, const uint16_t *b, int x)
{
    return ((uint32_t)a[2 * x] + a[2 * x + 1] + b[2 * x] + b[2 * x + 1]) >> 2;
}

/* ---- bake_sheet.c: one layer ----------------------------------------------------------------- */

struct oc_row_pair { /* two rows of pixels on their way to words */
    uint16_t passes[2][2 * OC_SIZE_MAX], film[2][2 * OC_SIZE_MAX];
};

/* false: cairo had no memory. */
bool oc__bake_sheet(const struct oc_plan *p, int level, struct oc_scratch *scratch,
                    struct oc_row_pair *pair);
bool oc__bake_slab(const struct oc_plan *p, struct oc_layer *l, struct oc_scratch *scratch,
                   bool lit, struct oc_row_pair *pair);

#endif
