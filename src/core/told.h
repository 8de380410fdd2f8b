/*
 * told.h: the events that a viewer has missed, and those that it was told before.
 *
 * Neither is kept anywhere: the match is played again, and its notes are cut to what the viewer may
 * know, as they were when they were sent first. So a viewer is told the same as then, with one
 * exception: what a note of fm_game.memory_notes hides is told again for one lap of the table only.
 */
#ifndef CORE_TOLD_H
#define CORE_TOLD_H

#include <fathom/game.h>

#define FM__MISSED  131072 /* most bytes of missed events; beyond it none are told */
#define FM__EARLIER 65536  /* about as many bytes of earlier events, the newest that fit */
#define FM__SEQS    65536  /* bytes of the seqs of either; if they do not fit, none are told */

struct fm__told {                 /* a match, and how it came about */
    const struct fm_setup *setup; /* with the seed of its deal */
    const struct fm_event *event;
    size_t n_events;
    const void *match;   /* as it is now */
    const void *redealt; /* the match that replaced it after some events; NULL: none did */
    size_t redealt_at;   /* how many events */
};

/* "events":[…]: what this viewer has missed since seq `from`; false: it is too much, and nothing is
 * put. seqs gets the seq of the change that each event belongs to; NULL: not wanted. */
bool fm__put_missed(struct fm_out *o, const struct fm__told *told, int seat, int64_t from,
                    struct fm_out *seqs);
/* "earlier":[…]: what it was told up to seq `until`, the newest that fit. */
void fm__put_earlier(struct fm_out *o, const struct fm__told *told, int seat, int64_t until,
                     struct fm_out *seqs);
/* "seqs":[…]: of `earlier`, then of `events`, as the two above have left them. */
void fm__put_seqs(struct fm_out *o, const struct fm_out *earlier, const struct fm_out *missed);

#endif
