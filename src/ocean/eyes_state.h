/* eyes_state.h: what the parts of the eyes share; for eyes*.c only. */
#ifndef OCEAN_EYES_STATE_H
#define OCEAN_EYES_STATE_H

#include "ocean/eyes.h"

#define SIDE     160                      /* pixels of the pictures that are searched: ... */
#define LESS     (OC_EYES_PICTURE / SIDE) /* ... this many, in each axis, become one */
#define PAD      18                       /* pixels around them: no shift is larger */
#define ROW      (SIDE + 2 * PAD)
#define CHANNELS 3
#define DEPTHS   17 /* that pictures are focused at, half a gap apart */
#define COARSE   (SIDE / 2)
#define MARGIN   32 /* around coarse pictures: no creature reaches further from its middle */
#define WIDE     (COARSE + 2 * MARGIN)
#define DRAWN    8   /* drawings that are looked for */
#define INSIDE   160 /* points of a drawing, at most */
#define AROUND   64
#define GLANCE   36 /* of the points inside, for the first glance */

/* Wider vectors where the machine has them; the same numbers. */
#if defined __x86_64__ && !defined __SANITIZE_ADDRESS__ && !defined __clang__
#define CLONES __attribute__((target_clones("avx2", "default")))
#else
#define CLONES
#endif

struct point { /* of a drawing, from its middle, in its lengths */
    float x, y;
    float rgb[3];
};

struct drawn { /* a drawing as points */
    uint8_t role;
    bool even; /* its two sides are alike */
    float small, large;
    int n_inside, n_around, n_glance;
    struct point inside[INSIDE], around[AROUND], glance[GLANCE];
};

struct colour {
    uint8_t c[CHANNELS];
};

struct tints { /* a drawing's points as they look on a level */
    struct colour inside[INSIDE], around[AROUND], glance[GLANCE];
};

struct oc_eyes {
    const struct oc_water *water;
    const struct oc_acuity *acuity;
    int n_looks, n_drawn, n_finds;
    struct drawn drawn[DRAWN];
    struct tints tints[DRAWN][OC_EYES_DEEP];
    uint8_t view[OC_EYES_LOOKS][CHANNELS][ROW * ROW];
    uint8_t sharp[DEPTHS][CHANNELS][SIDE * SIDE];
    uint8_t unrest[DEPTHS][SIDE * SIDE]; /* how far the pictures differ there, in luma */
    uint8_t claims[SIDE * SIDE], claimed[SIDE * SIDE]; /* pixels that are explained */
    uint8_t coarse[CHANNELS][WIDE * WIDE];
    struct oc_find find[OC_EYES_FINDS];
};

/* How far something at a depth in gaps is shifted by a tilt in degrees, in pixels of SIDE. */
double oc_eyes_shift(const struct oc_eyes *e, double gaps, double degrees);
/* The i-th picture: luma and two chromas, interleaved, rows of SIDE pixels (eyes.c). */
void oc_eyes_take(struct oc_eyes *e, int i, const uint8_t *pixels);
/* Points and tints of the drawings; false: no memory for them (eyes_art.c). */
bool oc_eyes_learn(struct oc_eyes *e, const struct oc_art *art);
/* Creatures in e->sharp to e->find (eyes_find.c). */
void oc_eyes_search(struct oc_eyes *e);
/* Their chances (eyes_fit.c). */
void oc_eyes_judge(struct oc_find *find);

#endif
