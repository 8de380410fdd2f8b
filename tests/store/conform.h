/*
 * conform.h: tests of what store.h promises of every back end, and what all tests of the store
 * share.
 *
 * A back end's test program says how a store of its kind is opened, and runs these tests beside its
 * own.
 */
#ifndef TESTS_STORE_CONFORM_H
#define TESTS_STORE_CONFORM_H

#include "tests.h"

#include "store/store.h"

#include <semaphore.h>

struct store_kind {
    void (*clear)(void);            /* forget everything; no store is open */
    struct st_store *(*open)(void); /* one more on what is there */
};

extern const struct store_kind store_kind; /* the test program's */

/* The tests; each is in the file of its name. */
extern const struct tests_group conform_log, conform_queue, conform_find, conform_threads,
    conform_old;

/* ---- stores and writes, for the back ends' own tests too ------------------------------------- */

struct st_store *fresh_store(void); /* an empty one */
struct st_store *reopen(struct st_store *s);

struct st_id id_of(uint64_t n);
struct st_write event_of(uint64_t table, uint64_t seq, const char *text);
struct st_write new_table(uint64_t table, const char *code); /* its event says "new" */

struct st_write move_to(uint64_t table, uint64_t seq, enum st_state to); /* its event says "+" */

/* Submits, waits for the answer and returns it; the reason is in why. */
enum fm_err write_now(struct st_store *s, struct st_write w);
extern _Thread_local struct fm_fault why;
void assert_written(struct st_store *s, struct st_write w);
void assert_refused(struct st_store *s, struct st_write w); /* as a conflict */

/* The done of a write for which the test waits itself. */
struct answer {
    sem_t told;
    enum fm_err err;
    struct fm_fault fault;
};
void on_answer(void *answer, enum fm_err err, const struct fm_fault *fault);

/* ---- reading --------------------------------------------------------------------------------- */

struct st_table table_of(struct st_store *s, uint64_t table);
uint64_t found_by_code(struct st_store *s, const char *code); /* 0: no table */
uint64_t last_seq(struct st_store *s, uint64_t table);        /* 0: no such table */

struct reading {
    uint64_t next, stop_at; /* 0: never */
    char text[256];         /* of the events, one after the other */
    size_t n;
};
bool collect_event(void *reading, uint64_t seq, const void *event, size_t n);
struct reading read_from(struct st_store *s, uint64_t table, uint64_t from, uint64_t stop_at);
void assert_log(struct st_store *s, uint64_t table, const char *text);
/* The log has exactly the events 1 .. n, and no gap. */
void assert_whole_log(struct st_store *s, uint64_t table, uint64_t n);

/* ---- a gate ---------------------------------------------------------------------------------- */

/* While it is shut the store's thread waits in a done: what is submitted meanwhile is one group. */
struct gate {
    sem_t reached, open;
};
void gate_shut(struct gate *g, struct st_store *s);
void gate_open(struct gate *g, struct st_store *s); /* and waits until the group is answered */

/* ---- old tables ------------------------------------------------------------------------------ */

struct st_write removal_of(uint64_t table, uint64_t seq);
/* A table with a code, tokens, a record, and four events. */
void put_finished(struct st_store *s, uint64_t table, const char *code);
/* How many in this state are at least so old. */
size_t count_old(struct st_store *s, uint8_t state, uint64_t age_s, bool untrimmed);

#endif
