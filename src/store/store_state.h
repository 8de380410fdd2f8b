/* store_state.h: what a store holds, for the files that implement store.h. */
#ifndef STORE_STORE_STATE_H
#define STORE_STORE_STATE_H

#include "store/backend.h"

#include <pthread.h>

/* A small piece of work for the store's thread; only the thread that prunes waits for it. */
struct chore {
    const struct st_rewriting *rewriting;
    struct fm_fault *fault;
    enum fm_err err;
    bool done;
};

struct st_store {
    const struct st__backend *backend;
    void *self;
    pthread_t thread;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t work;  /* something was submitted, or it is closing */
    pthread_cond_t told;  /* done was called for a whole group */
    struct st__job *first, **last;
    struct st__job *spare; /* of JOB_ROOM bytes each, kept for the next */
    unsigned n_spare;
    uint64_t n_submitted, n_done; /* since it was opened */
    uint64_t oldest_us;           /* since_us of the group being committed; 0: none is */
    bool held;                    /* more writes are about to follow */
    struct chore *chore;          /* for a gap between two groups; NULL: none */
    unsigned put_off;             /* groups that were committed ahead of it */
    bool closing;
    struct st_stats stats;
};

#endif
