/*
 * eyes.h: pictures of the stack to a belief about what lies in it.
 *
 * Eyes get what players get: the bytes of some pictures, what the water is like, and the
 * drawings, which are no secret. They know nothing of sheets. The same pictures give the same
 * belief.
 *
 * How they see: pictures taken from several sides, each shifted back by the parallax of one depth
 * and laid over each other, show what lies there sharply and the rest blurred. In such pictures
 * every creature that counts is looked for by its drawing, in all places, directions and sizes.
 * What is found has a depth at which it is sharpest and a level whose light it has; a fitted table
 * (eyes_fit.c) turns these and how well the drawing agrees into chances.
 */
#ifndef OCEAN_EYES_H
#define OCEAN_EYES_H

#include "ocean/art.h"
#include "ocean/frame.h"
#include "ocean/look.h"
#include "ocean/water.h"

#include <fathom/eyes.h>

#include <stdbool.h>

#define OC_EYES_PICTURE 640 /* pixels of the pictures that eyes look at */
#define OC_EYES_LOOKS   25  /* at most */
#define OC_EYES_FINDS   64  /* creatures that may be there, at most */
#define OC_EYES_DEEP    7   /* levels that finds can lie on: one more than FM_EYES_LEVELS */

struct oc_acuity { /* how well eyes see: which pictures, and what is lost of them */
    const char *name;
    uint8_t steps; /* tilts in each axis, spread evenly ... */
    uint8_t reach; /* ... up to this many steps of the grid to either side */
    uint8_t noise; /* of each pixel, at most, up or down */
    uint8_t blur;  /* pixels around each that run into it, a quarter as fine as the picture */
};

#define OC_ACUITIES 3
extern const struct oc_acuity
    oc_acuities[OC_ACUITIES + 1];                         /* keenest first; the last is nameless */
const struct oc_acuity *oc_acuity_find(const char *name); /* NULL: there is none */

struct oc_find { /* a creature that may be there */
    uint8_t role;
    float x, y, size, angle;
    float agrees;               /* how well, from 0 to 1: its inside ... */
    float beside;               /* ... and what lies around it, which should not */
    float free;                 /* the share of its inside that no earlier find explains */
    float depth;                /* at which it is sharpest, in gaps */
    float clear;                /* how much speaks for any depth at all ... */
    float vote[OC_EYES_DEEP];   /* ... and the share of that for the depth of each level */
    float light[OC_EYES_DEEP];  /* how well it agrees at each level, with its colours there */
    float chance[OC_EYES_DEEP]; /* that it is there, and on that level */
};

struct oc_belief {
    float kind[FM_EYES_LEVELS][FM_EYES_KINDS]; /* by level, from the top */
};

struct oc_eyes; /* drawings and memory of one looker: not for two threads at once */

/* NULL: no memory. The art may be freed afterwards. */
struct oc_eyes *oc_eyes_create(const struct oc_art *art, const struct oc_water *water,
                               const struct oc_acuity *acuity);
void oc_eyes_destroy(struct oc_eyes *e); /* takes NULL */

/* The pictures that are wanted: how many, and each look. */
int oc_eyes_looks(const struct oc_eyes *e);
struct oc_look oc_eyes_look(const struct oc_eyes *e, int i);
/* The i-th of them: a JPEG in daylight. */
enum fm_err oc_eyes_see(struct oc_eyes *e, int i, const uint8_t *bytes, size_t n,
                        struct fm_fault *fault);
/* The same before it is encoded. */
void oc_eyes_see_frame(struct oc_eyes *e, int i, const struct oc_frame *frame);
/* After all of them. */
void oc_eyes_believe(struct oc_eyes *e, struct oc_belief *belief);
/* What the belief was made of; valid until the next one. */
int oc_eyes_finds(const struct oc_eyes *e, const struct oc_find **finds);
/* The kind that is most likely on a level. */
unsigned oc_belief_best(const struct oc_belief *b, unsigned level);

#endif
