/* watch.h: one simulated game shown on the terminal as it goes. */
#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include <fathom/sim.h>

struct watch {
    bool live; /* a terminal: redraw in place, at a pace */
    unsigned pace_ms;
    char said[8][160]; /* the last sentences, the newest last */
};

void watch_begin(struct watch *w, const struct fm_sim *sim, const struct fm_notes *notes);
void watch_event(struct watch *w, const struct fm_sim *sim, const struct fm_notes *notes);
void watch_end(struct watch *w, const struct fm_sim *sim);

#endif
