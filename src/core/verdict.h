/* verdict.h: is a record consistent, and is it the one of a game that we know? */
#ifndef CORE_VERDICT_H
#define CORE_VERDICT_H

#include <fathom/record.h>

#define FM__VERDICT_MAX 8192 /* bytes of a verdict as JSON */

struct fm__played {               /* what is known of the game besides its record */
    const uint8_t *commitment;    /* that was shown before the start; NULL: it is not known */
    const struct fm_event *event; /* that were played; NULL: they are not known */
    size_t n_events;
};

struct fm__verdict {
    struct fm_playback playback;
    enum fm_stage stage; /* where it failed; beyond FM_AT_RESULT: it did not */
    int line, moves;
    struct fm_fault fault;
};

/* Replays the record; v was zeroed. */
void fm__judge(struct fm__verdict *v, const struct fm__played *played, const char *text, size_t n,
               const struct fm_library *library);

/* {"ok":true,"steps":[…],"message":null}; commitment: the one that was shown, or NULL. */
void fm__put_verdict(struct fm_out *o, const struct fm__verdict *v, const uint8_t *commitment);

#endif
