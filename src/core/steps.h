/* steps.h: a game that is over, step by step, as one viewer was told it. */
#ifndef CORE_STEPS_H
#define CORE_STEPS_H

#include <fathom/scenario.h>

#define FM__STEP_MAX (2 * FM_JSON_MAX + 65536) /* bytes of one step */

/* How many changes a viewer has noticed: a seat, FM_WATCHER, or FM_WHOLE, which gets every
 * event. */
uint32_t fm__step_seq(const struct fm_game *g, int who, const void *match);

/* {"t":1200,"seat":0,"action":{…},"events":[…],"view":{…}}; ev NULL: the deal. */
void fm__put_step(struct fm_out *o, const struct fm_game *g, int who, const void *match,
                  const struct fm_event *ev, const struct fm_notes *notes);

#endif
