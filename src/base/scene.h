/*
 * scene.h: a see-through stack when a seat could look at it: what eyes make of its pictures, and,
 * for reports, what was there.
 */
#ifndef BASE_SCENE_H
#define BASE_SCENE_H

#include <fathom/eyes.h>

#include <stdbool.h>

#define FM__SCENE_ONE 1000000 /* a chance of 1 */

struct fm__belief {
    uint32_t levels; /* that could be looked at, from the top */
    /* by level and kind, if all kinds were as frequent; each level makes FM__SCENE_ONE */
    uint32_t chance[FM_EYES_LEVELS][FM_EYES_KINDS];
};

struct fm__scene {
    const struct fm_eyes *eyes; /* how often average eyes mistake what for what in this water */
    struct fm__belief average;
    struct fm__belief sharp; /* no levels: nobody asked for it */
    /* The truth. No value may depend on it. */
    uint8_t there[FM_EYES_LEVELS];  /* kinds */
    uint8_t shark[FM_EYES_LEVELS];  /* per cent of the shark that can be seen in the best view */
    uint8_t helper[FM_EYES_LEVELS]; /* of the helper, likewise */
};

#endif
