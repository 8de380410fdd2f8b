/* past.h: the stack of a round that is over, and the sheets that were turned over in it. */
#ifndef OCEAN_PAST_H
#define OCEAN_PAST_H

#include <fathom/game.h>
#include <fathom/ocean.h>

struct oc_past {       /* of one round */
    int left;          /* sheets in the stack when it began; 0: there was no such round */
    int n_turned, top; /* turned over; the index of the first of them */
    bool covered;      /* something covered part of it ... */
    double x, y;       /* ... here, in widths of the stack */
};

/* What is known of a round from one moment of a game; later moments add to it. */
void oc_past_note(struct oc_past *p, const struct fm_stack *stack, unsigned round);
/* Plays a match that was just dealt up to the end of that round. */
struct oc_past oc_past_find(const struct fm_game *game, void *match, const struct fm_event *event,
                            size_t n, unsigned round);

#endif
