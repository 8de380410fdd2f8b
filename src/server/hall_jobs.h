/*
 * hall_jobs.h: work that takes longer than the loop may wait: replays, checks of records, analyses.
 * A thread of its own, started with the first job, does one after the other.
 *
 * The thread reads tables of the hall without a lock. That is safe: jobs are about games that are
 * over, whose setup, seats and events no longer change, and a slot with a job stays in memory.
 */
#ifndef SERVER_HALL_JOBS_H
#define SERVER_HALL_JOBS_H

#include "server/hall_state.h"

#include "base/hash.h"

#define SRV_JOBS_MOST 32 /* of one thread at a time; more are refused */
#define SRV_JOB_FROM  64 /* bytes of an address that are compared */

struct srv_job {
    struct srv_job *next;  /* in the queue, or among those that are done */
    struct srv_call *call; /* under the lock; NULL: nobody waits any more */
    struct srv_slot *slot;
    struct srv_jobs *jobs;              /* in whose queue it is */
    char from[SRV_JOB_FROM];            /* the client's address */
    void (*write)(struct srv_job *job); /* on the thread: fills text, or err and fault */
    void (*sent)(struct srv_job *job);  /* on the loop, after text was sent; NULL: nothing */
    const struct fm_library *library;   /* of a check */
    int who;                            /* a seat, FM_WATCHER or SRV_OPEN */
    bool gzip;                          /* the answer is to be compressed */
    char *record;                       /* to check ... */
    size_t record_n;
    uint8_t hash[FM_HASH_BYTES];
    /* what came of it */
    enum fm_err err;
    struct fm_fault fault;
    char *text;
    size_t n;
};

/* A job about a slot, for a call; NULL: no memory. */
struct srv_job *srv_job_new(struct srv_slot *slot, struct srv_call *call, const char *address);
/* Adds a job to the list, so that it can be found when its client hangs up. False: it was refused
 * and freed: there are too many, or no memory for a thread. */
bool srv_job_enlist(struct srv_hall *h, struct srv_jobs *jobs, struct srv_job *job);
void srv_job_queue(struct srv_job *job);     /* it is enlisted, and has all that its thread needs */
void srv_job_strike(struct srv_job *job);    /* takes it off the list, and frees it */
bool srv_job_is_wanted(struct srv_job *job); /* on the thread: does anybody still wait for it? */

/* Is the game of a slot over? Else a fault. */
bool srv_job_is_over(const struct srv_slot *slot, struct fm_fault *fault);

#endif
