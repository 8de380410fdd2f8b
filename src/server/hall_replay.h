/* hall_replay.h: what the files of replays share: hall_replay.c (jobs), hall_replay_steps.c (a
 * replay) and hall_verify.c (the check of a record). */
#ifndef SERVER_HALL_REPLAY_H
#define SERVER_HALL_REPLAY_H

#include "server/hall_state.h"

#include "base/hash.h"
#include "core/steps.h"

#include <fathom/scenario.h>

#define SRV_OPEN FM_WHOLE /* the viewer who sees every hand */

struct srv_job {
    struct srv_job *next;  /* in line, or among those that are done */
    struct srv_call *call; /* under the lock; NULL: nobody waits any more */
    struct srv_slot *slot;
    bool verifies; /* or replays, for: */
    int who;       /* a seat, FM_WATCHER or SRV_OPEN */
    bool gzip;     /* as which it is wanted */
    char *record;  /* to verify ... */
    size_t record_n;
    uint8_t hash[FM_HASH_BYTES];
    /* what came of it */
    enum fm_err err;
    struct fm_fault fault;
    char *text;
    size_t n;
};

/* A seat's number, "table" or "open", as a path says it. */
bool srv_read_who(const char *text, int *who);

/* On the job's thread: fill its text, or its err and fault. step: FM__STEP_MAX bytes to work in. */
void srv_replay_write(struct srv_job *job, char *step);
void srv_verify_write(struct srv_job *job, const struct fm_library *library);

#endif
