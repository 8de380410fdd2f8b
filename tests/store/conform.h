/*
 * conform.h: what every back end of the store keeps, sentence by sentence of store.h.
 *
 * A back end says how a store of its kind is opened; its test program runs these tests beside its
 * own.
 */
#ifndef TESTS_STORE_CONFORM_H
#define TESTS_STORE_CONFORM_H

#include "tests.h"

#include "store/store.h"

struct store_kind {
    void (*clear)(void);            /* forget everything; no store is open */
    struct st_store *(*open)(void); /* one more on what is there */
};

extern const struct store_kind store_kind; /* the test program's */
extern const struct CMUnitTest store_conform[];
extern const size_t store_conform_n;

/* ---- shorthands, for back ends' own tests too ------------------------------------------------ */

struct st_id id_of(uint64_t n);
struct st_write event_of(uint64_t table, uint64_t seq, const char *text);
struct st_write new_table(uint64_t table, const char *code); /* its event says "new" */

/* Submit, wait for done, and what it said; the reason is in why. */
enum fm_err write_now(struct st_store *s, const struct st_write *w);
extern _Thread_local struct fm_fault why;

uint64_t last_seq(struct st_store *s, uint64_t table); /* 0: no such table */
/* The log has exactly the events 1 .. n, and no gap. */
void assert_whole_log(struct st_store *s, uint64_t table, uint64_t n);

#endif
