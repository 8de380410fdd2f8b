/*
 * cache.h: the pictures of many tables: what is asked for is made once, in the order of need, by
 * as many workers as there are; kept encoded; and forgotten within a cap.
 *
 * The loop asks and never waits. Workers (threads of the caller's) make pictures. A table has
 * one present round: its layers are baked when the first picture is asked for, and freed when
 * the round ends, when nobody has looked for a while, or when memory is short.
 */
#ifndef OCEAN_CACHE_H
#define OCEAN_CACHE_H

#include "ocean/encode.h"
#include "ocean/look.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How pictures are made. `round` is the caller's: what bake needs for one table and round; the
 * cache hands it on and calls drop when nobody will bake it again. Called by workers. */
struct oc_maker {
    /* Layers for every look of a round; NULL and a fault if there is no memory. */
    void *(*bake)(void *worker, void *round, struct fm_fault *fault);
    size_t (*layers_bytes)(const void *layers);
    void (*free_layers)(void *layers);
    enum fm_err (*make)(void *worker, const void *layers, struct oc_look look, struct oc_bytes *out,
                        struct fm_fault *fault);
    void (*drop)(void *round);
};

/* An encoded picture; it never changes. Whoever got one releases it. */
struct oc_picture {
    size_t n;
    const uint8_t *data;
};

enum oc_need { OC_FINGER, OC_NEAR, OC_AHEAD, OC_NEEDS }; /* most urgent first */

struct oc_limits {
    size_t table_encoded; /* bytes of encoded pictures that a table keeps; 3 MB */
    size_t layers;        /* bytes of layers of all tables together */
    size_t encoded;       /* bytes of encoded pictures of all tables together */
    unsigned queue;       /* wishes that a table may have waiting */
    unsigned tables;
    uint32_t idle_ms; /* layers that nobody asked anything of for so long are freed */
};

struct oc_cache;

struct oc_limits oc_limits_default(void);
/* done is called by a worker when a wish of ask() came true or failed (picture NULL), with what
 * was given to ask; it must not call the cache except oc_picture_*. */
struct oc_cache *oc_cache_create(const struct oc_maker *maker, const struct oc_limits *limits,
                                 void (*done)(void *arg, uint64_t table, uint32_t round,
                                              struct oc_look look,
                                              const struct oc_picture *picture),
                                 void *arg);
void oc_cache_destroy(struct oc_cache *c); /* after its workers have ended; takes NULL */

/* A table's present round; what was asked of an earlier round is forgotten. */
enum fm_err oc_cache_round(struct oc_cache *c, uint64_t table, uint32_t number, void *round,
                           struct fm_fault *fault);
/* The same sheets look otherwise from now on (the octopus was placed): pictures made before are
 * forgotten, layers stay. */
void oc_cache_changed(struct oc_cache *c, uint64_t table);
void oc_cache_forget(struct oc_cache *c, uint64_t table);

/* The picture if it is there (release it); otherwise it is put in the queue, or moved up in it.
 * *picture NULL and FM_OK: it will come through done. */
enum fm_err oc_cache_ask(struct oc_cache *c, uint64_t table, uint32_t round, struct oc_look look,
                         enum oc_need need, uint64_t now_ms, const struct oc_picture **picture,
                         struct fm_fault *fault);
const struct oc_picture *oc_picture_keep(const struct oc_picture *p);
void oc_picture_release(const struct oc_picture *p); /* takes NULL */

/* A worker's life: makes the most urgent picture, waits when there is none; false once stopped. */
bool oc_cache_work(struct oc_cache *c, void *worker);
void oc_cache_stop(struct oc_cache *c); /* wakes all workers */
void oc_cache_tidy(struct oc_cache *c,
                   uint64_t now_ms); /* once a second or so: frees idle layers */

struct oc_cache_stats {
    size_t layers, encoded; /* bytes */
    unsigned tables, baked, waiting;
    uint64_t asked, found, made, bakes, dropped;
};
struct oc_cache_stats oc_cache_stats(struct oc_cache *c);

#endif
