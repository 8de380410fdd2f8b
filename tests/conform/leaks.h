/*
 * leaks.h: proof that the suite finds leaks: a game with one secret let out, or one promise broken,
 * and the check that must find it.
 */
#ifndef CONFORM_LEAKS_H
#define CONFORM_LEAKS_H

#include "conform/conform.h"

struct leak {
    const char *name;
    conform_check *found_by;
    const struct fm_setup *table; /* where it shows; NULL: the table of the whole test */
    /* what is put in place of the real function */
    enum fm_err (*init)(void *, const struct fm_setup *, struct fm_notes *);
    enum fm_err (*apply)(void *, const struct fm_event *, struct fm_notes *);
    size_t (*legal)(struct fm_view, fm_action *, size_t);
    fm_action (*sample)(struct fm_view, struct fm_rng *);
    enum fm_err (*deal)(void *, struct fm_view, struct fm_rng *);
    void (*put_view)(struct fm_out *, struct fm_view);
    void (*put_note)(struct fm_out *, struct fm_view, const struct fm_note *);
    void (*put_action)(struct fm_out *, fm_action);
};

/* A test program of its own: each leak is planted into the table's game, and must be found there,
 * and nothing without it. Returns its exit status. */
int leaks_run(const char *name, const struct fm_setup *table, const struct leak *leaks, size_t n);

#endif
