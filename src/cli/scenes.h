/* scenes.h: for `fathom analyse`: what the seats of a finished game could look at when they
 * decided. */
#ifndef CLI_SCENES_H
#define CLI_SCENES_H

#include "analysis/analysis.h"
#include "ocean/water.h"

struct cli_looking {
    const char *command;
    uint64_t jobs;
    const struct oc_water *water;
    bool sharp; /* also with sharp eyes */
};

struct cli_scenes {
    struct fm_eyes eyes;
    struct fm_stack *stack;  /* as it was, each moment once ... */
    struct fm__scene *scene; /* ... and what eyes make of it */
    size_t n;
};

/* Gives each decision its scene. The game has a stack. */
int cli_scenes_look(struct cli_scenes *s, struct analysis *a, const struct cli_looking *how);
void cli_scenes_free(struct cli_scenes *s); /* also of one that is all zero */

#endif
