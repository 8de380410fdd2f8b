/* hall_replay.h: what the files of replays share: hall_replay.c (the requests), hall_replay_steps.c
 * (a replay) and hall_verify.c (the check of a record). */
#ifndef SERVER_HALL_REPLAY_H
#define SERVER_HALL_REPLAY_H

#include "server/hall_jobs.h"

#include "core/steps.h"

#include <fathom/scenario.h>

#define SRV_OPEN FM_WHOLE /* the viewer who sees every hand */

/* Reads a seat's number, "table" or "open", as in a path. */
bool srv_read_who(const char *text, int *who);

/* What the jobs do (hall_jobs.h). */
void srv_replay_write(struct srv_job *job);
void srv_verify_write(struct srv_job *job);

#endif
