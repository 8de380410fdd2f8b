/* scenes.h: for `fathom analyse`: what the seats of a finished game could look at when they
 * decided. */
#ifndef CLI_SCENES_H
#define CLI_SCENES_H

#include "analysis/scenes.h"
#include "ocean/water.h"

struct cli_looking {
    const char *command;
    uint64_t jobs;
    const struct oc_water *water;
    bool sharp; /* also with sharp eyes */
};

/* Gives each decision its scene. The game has a stack. */
int cli_scenes_look(struct analysis_scenes *s, struct analysis *a, const struct cli_looking *how);
void cli_scenes_free(struct analysis_scenes *s); /* also of one that is all zero */

#endif
