/*
 * scenes.h: what the seats of a finished game could look at when they decided: each state of its
 * see-through stack once. Nothing is drawn here: the caller looks (ocean/witness.h) and fills in
 * what eyes made of it.
 */
#ifndef ANALYSIS_SCENES_H
#define ANALYSIS_SCENES_H

#include "analysis/analysis.h"

#include <fathom/ocean.h>

struct analysis_scenes {
    struct fm_eyes eyes;     /* of the others whom a seat imagines */
    struct fm_stack *stack;  /* the caller's, room for as many as there are decisions ... */
    struct fm__scene *scene; /* ... and likewise */
    size_t n;
};

/* Gives each decision its scene; only for games with a stack. water: its name; NULL: the usual.
 * Fails if no eyes were measured in such water. */
enum fm_err fm__scenes_list(struct analysis_scenes *s, struct analysis *a, const char *water,
                            struct fm_fault *fault);

#endif
