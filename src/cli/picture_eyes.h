/* picture_eyes.h: bots of a simulation that look at the very pictures of the stack. */
#ifndef CLI_PICTURE_EYES_H
#define CLI_PICTURE_EYES_H

#include "ocean/witness.h"

#include <fathom/sim.h>

#define PICTURE_EYES "pictures"        /* as they are named on the command line ... */
#define PICTURE_RATE "picture-average" /* ... and how often they err, which bots know */

struct picture_eyes { /* of one thread; all zero at first */
    struct oc_witness *witness;
    struct oc_sheets sheets;
    struct fm__scene scene;
    struct fm_eyes eyes; /* how likely each kind looks like this very picture */
};

/* A game begins; false: no memory. */
bool picture_eyes_deal(struct picture_eyes *p, const struct oc_art *art, const struct fm_sim *sim);
/* Before each step: if a stack can be looked at for the first time, every seat does. */
enum fm_err picture_eyes_look(struct picture_eyes *p, struct fm_sim *sim);
void picture_eyes_finish(struct picture_eyes *p);

#endif
