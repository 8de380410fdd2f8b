/* watch.h: shows one simulated game on the terminal as it is played. */
#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include <fathom/sim.h>

struct watch {
    bool live; /* on a terminal: redraws in place, with pauses */
    unsigned pace_ms;
    char said[8][160]; /* the last sentences, the newest last */
};

void watch_begin(struct watch *w, const struct fm_sim *sim, const struct fm_notes *notes);
void watch_event(struct watch *w, const struct fm_sim *sim, const struct fm_notes *notes);
void watch_end(struct watch *w, const struct fm_sim *sim);

#endif
