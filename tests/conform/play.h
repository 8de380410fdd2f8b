/* play.h: matches of random legal play for the checks, stopping where a check wants to look. */
#ifndef CONFORM_PLAY_H
#define CONFORM_PLAY_H

#include "conform.h"

#include <stdalign.h>

#define MAX_EVENTS 4000

struct play {
    const struct fm_game *game;
    struct fm_rng rng;     /* of the players, not of the deal */
    struct fm_notes notes; /* of the last event, or of the setup */
    struct fm_event ev;    /* the last event */
    size_t n;              /* events so far */
    alignas(8) uint8_t state[FM_STATE_MAX];
};

/* Match number i of a table: its seed comes from i. */
bool play_start(struct play *p, struct conform *c, unsigned i);
/* One in so many of the matches, and a few more: for checks that look at everything in each. */
unsigned conform_some(const struct conform *c, unsigned one_in);
bool play_over(const struct play *p);
/* Somebody who may act does something; false: the engine refused it, or nobody acts. */
bool play_step(struct play *p);

const struct fm_pub *play_pub(const struct play *p);
struct fm_view play_view(const struct play *p, int seat);
fm_action play_garbage(struct play *p, int seat); /* something that is probably illegal */

/* A sentence into c->found, which is returned. */
const char *found(struct conform *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
