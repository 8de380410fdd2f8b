/*
 * backend.h: the functions that each kind of database implements.
 *
 * store.c owns the queue, the thread and the caps, and has checked every write before a back end
 * sees it. A new back end is a file of its own and a line in the list of store.c.
 */
#ifndef STORE_BACKEND_H
#define STORE_BACKEND_H

#include "store/store.h"

/* A submitted write. What it points to is stored behind it, in the same allocation. */
struct st__job {
    struct st__job *next;
    struct st_write write;
    enum fm_err err; /* the back end's answer: FM_OK or FM_E_CONFLICT */
    const char *why; /* of a conflict: a static string */
    st_done *done;
    void *arg;
    size_t bytes;      /* that it counts for in the queue */
    uint64_t since_us; /* when it was submitted, by the monotonic clock */
};

struct st__backend {
    const char *scheme; /* before the colon; address: what follows the colon */
    /* who: as in st_open_alone; NULL: as in st_open */
    void *(*open)(const char *address, const char *who, struct fm_fault *fault);
    enum fm_err (*look)(const char *address, struct st_look *out,
                        struct fm_fault *fault);   /* as st_look */
    void (*close)(void *self);                     /* called last */
    void (*describe)(void *self, const char *who); /* as st_describe; may be NULL */

    /*
     * On the store's thread: one transaction for the whole list, in order. FM_OK: each job has its
     * err, and what was written is durable. FM_E_STORE: nothing was written; the next call tries
     * again. A back end that cannot tell whether its transaction was committed finds out before it
     * returns.
     */
    enum fm_err (*commit)(void *self, struct st__job *jobs, struct fm_fault *fault);
    unsigned apart_us; /* least time from a group of several writes to the next one; 0: none */

    /* On any thread, concurrently, also from within each: as in store.h. */
    enum fm_err (*read_log)(void *self, const struct st_id *table, uint64_t from,
                            st_each_event *each, void *arg, struct fm_fault *fault);
    enum fm_err (*find_table)(void *self, const struct st_id *table, struct st_table *out,
                              struct fm_fault *fault);
    enum fm_err (*find_code)(void *self, const char *code, struct st_table *out,
                             struct fm_fault *fault);
    enum fm_err (*find_token)(void *self, const struct st_id *table,
                              const uint8_t hash[ST_HASH_BYTES], struct st_token *out,
                              struct fm_fault *fault);
    enum fm_err (*list_waiting)(void *self, struct st_table *out, size_t max, size_t *n,
                                struct fm_fault *fault);
    enum fm_err (*list_state)(void *self, uint8_t state, struct st_table *out, size_t max,
                              size_t *n, struct fm_fault *fault);
    enum fm_err (*list_due)(void *self, uint64_t now_ms, struct st_table *out, size_t max,
                            size_t *n, struct fm_fault *fault);
    enum fm_err (*read_record)(void *self, const struct st_id *table, char **text, size_t *n,
                               struct fm_fault *fault);
    enum fm_err (*each_table)(void *self, st_each_table_of *each, void *arg,
                              struct fm_fault *fault);
    enum fm_err (*each_token)(void *self, const struct st_id *table, st_each_token_of *each,
                              void *arg, struct fm_fault *fault);
    /* NULL: find_table is called for each. */
    enum fm_err (*read_heads)(void *self, const struct st_id *tables, size_t n, uint64_t *seqs,
                              struct fm_fault *fault);

    /* On any thread: retention, as in store.h. */
    enum fm_err (*list_old)(void *self, const struct st_old_query *query, uint64_t *at,
                            struct st_old *out, size_t max, size_t *n, struct fm_fault *fault);
    /* On the store's thread; if rewrites_apart, on the caller's, during a commit too. */
    enum fm_err (*rewrite)(void *self, const struct st_rewriting *r, struct fm_fault *fault);
    bool rewrites_apart;
    enum fm_err (*prune_begin)(void *self, struct fm_fault *fault); /* NULL: always allowed */
    void (*prune_end)(void *self);

    /* Shared stores, as in store.h; all NULL: not shared. */
    uint64_t (*calendar_ns)(void *self);
    enum fm_err (*read_key)(void *self, uint8_t key[ST_KEY_BYTES], struct fm_fault *fault);
    enum fm_err (*listen)(void *self, st_listener *hear, void *arg, struct fm_fault *fault);
    bool (*watch)(void *self, const struct st_id *table, bool watches);
    void (*notify)(void *self, const struct st_id *table, const void *text, size_t n);
    void (*release)(void *self);
    void (*unlisten)(void *self);
    void (*count)(void *self, struct st_stats *stats); /* adds its notices */
};

extern const struct st__backend st__sqlite, st__postgres;

#endif
