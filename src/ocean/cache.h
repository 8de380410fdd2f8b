/*
 * cache.h: the pictures of many tables: what is asked for is made once, in the order of need, by
 * as many workers as there are; kept encoded; and forgotten within a cap.
 *
 * The loop asks and never waits. Workers (threads of the caller's) make pictures. A table has
 * one present round: its layers are baked when the first picture is asked for, and freed when
 * the round ends, when nobody has looked for a while, or when memory is short.
 *
 * A request is a look that ask() put in the queue, however often it is asked for while it waits or
 * is being made. Every request ends with exactly one call of done: with the picture, or with NULL
 * because it could not be made, was dropped from a full queue, its round is over, or the cache
 * stops.
 */
#ifndef OCEAN_CACHE_H
#define OCEAN_CACHE_H

#include "ocean/look.h"

#include <fathom/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OC_FINGERS 8  /* requests of a table that are the finger's; older ones become near */
#define OC_TURN    32 /* pictures that layers are kept for while requests wait for them */

/* How pictures are made. `round` is the caller's: what bake needs for one table and round; the
 * cache hands it on, and calls drop when it will not be baked again. These functions are called by
 * workers, by several at once, though only one at a time bakes for a table. Exceptions: bake_bytes
 * is called by the caller of oc_cache_round, and oc_cache_destroy frees and drops what is left. */
struct oc_maker {
    /* The most that the layers of a round can take: known before, so that the cap holds. */
    size_t (*bake_bytes)(const void *round);
    /* Layers for every look of a round; NULL and a fault if there is no memory. */
    void *(*bake)(void *worker, void *round, struct fm_fault *fault);
    size_t (*layers_bytes)(const void *layers);
    void (*free_layers)(void *layers);
    /* The file's bytes stay the worker's, until its next make. */
    enum fm_err (*make)(void *worker, const void *layers, struct oc_look look, const uint8_t **data,
                        size_t *n, struct fm_fault *fault);
    void (*drop)(void *round);
};

/* An encoded picture; it never changes, and lasts until its last holder has released it, whatever
 * becomes of the cache. */
struct oc_picture {
    size_t n;
    const uint8_t *data;
};

/* Most urgent first. All requests of a need come before those of the next; within a need tables
 * take turns, one picture each. Of a table's requests for the finger, the newest comes first (the
 * finger has moved on from the others); for the other needs, the oldest. */
enum oc_need { OC_FINGER, OC_NEAR, OC_AHEAD, OC_NEEDS };

struct oc_limits {
    size_t table_encoded; /* bytes of encoded pictures that a table keeps */
    size_t layers;        /* bytes of layers of all tables together; see oc_cache_work */
    size_t encoded;       /* bytes of encoded pictures of all tables together */
    unsigned queue;       /* requests that a table may have waiting, at least 1 */
    unsigned tables;      /* at least 1 */
    uint32_t idle_ms;     /* layers that nobody asked anything of for this long are freed */
    unsigned bakes;       /* at once, so that other workers can draw meanwhile; 0: all may bake */
};

struct oc_cache;

struct oc_limits oc_limits_default(void);
/* done ends a request. The picture is lent: to hold it longer, oc_picture_keep it. It is called by
 * a worker, or by whoever calls ask, round, forget, stop or destroy, sometimes before that returns;
 * it must not call the cache except oc_picture_*. NULL: no memory. */
struct oc_cache *oc_cache_create(const struct oc_maker *maker, const struct oc_limits *limits,
                                 void (*done)(void *arg, uint64_t table, uint32_t round,
                                              struct oc_look look,
                                              const struct oc_picture *picture),
                                 void *arg);
void oc_cache_destroy(struct oc_cache *c); /* after its workers have ended; takes NULL */

/* A table's present round, even if it has the number of the one before; what was asked of an
 * earlier round is forgotten. On failure (FM_E_BUSY: too many tables, FM_E_MEMORY) nothing has
 * changed, and `round` stays the caller's. */
enum fm_err oc_cache_round(struct oc_cache *c, uint64_t table, uint32_t number, void *round,
                           struct fm_fault *fault);
/* The same sheets look otherwise from now on (the octopus was placed): pictures made before are
 * forgotten, layers stay. What make reads has been changed already: a picture that is being made
 * just now is made again. */
void oc_cache_changed(struct oc_cache *c, uint64_t table);
void oc_cache_forget(struct oc_cache *c, uint64_t table);

/* The picture if it is there (release it); otherwise it is put in the queue, or moved up in it.
 * *picture NULL and FM_OK: it will come through done. Refused, with no done to come:
 * FM_E_VALUE: there is no such look; FM_E_GONE: the round is not the table's present one, there
 * is no such table, or the cache has stopped; FM_E_MEMORY; FM_E_BUSY: the queue is full, and none
 * that waits there is less urgent than this one (otherwise the oldest of the least urgent is
 * dropped). */
enum fm_err oc_cache_ask(struct oc_cache *c, uint64_t table, uint32_t round, struct oc_look look,
                         enum oc_need need, uint64_t now_ms, const struct oc_picture **picture,
                         struct fm_fault *fault);
/* The owner that a table's layers are counted for, once they are baked: when memory is short, the
 * owner with most loses some first. */
void oc_cache_owner(struct oc_cache *c, uint64_t table, uint64_t owner);
/* The picture if it is there (release it), else NULL: nothing is put in the queue. FM_E_GONE as for
 * oc_cache_ask. */
enum fm_err oc_cache_find(struct oc_cache *c, uint64_t table, uint32_t round, struct oc_look look,
                          const struct oc_picture **picture, struct fm_fault *fault);
const struct oc_picture *oc_picture_keep(const struct oc_picture *p);
void oc_picture_release(const struct oc_picture *p); /* takes NULL */

/* A worker's life, one step at a time: frees what is over, and bakes a table's layers or makes a
 * picture, whatever is most urgent; waits when there is nothing to do; false once stopped.
 *
 * Before it bakes it frees other layers until the new ones fit: of the owner that has most of them,
 * those of the table that nobody asked anything of for longest. Layers are spared, for OC_TURN
 * pictures, while requests at least as urgent wait for them: otherwise two tables that do not fit
 * together would be baked anew for every picture. Layers that others are still using are waited
 * for. Layers larger than the cap are baked when there are no others. */
bool oc_cache_work(struct oc_cache *c, void *worker);
void oc_cache_stop(struct oc_cache *c); /* wakes all workers */
void oc_cache_tidy(struct oc_cache *c,
                   uint64_t now_ms); /* once a second or so: frees idle layers */

struct oc_cache_stats {
    size_t layers, encoded;          /* bytes; of pictures with what it takes to keep them */
    unsigned tables, baked, waiting; /* baked: tables that have layers; waiting: requests */
    unsigned leftovers;              /* rounds and layers that a worker will free next */
    uint64_t asked, found, requests, made, bakes;
    uint64_t dropped; /* requests, from full queues */
    uint64_t failed;  /* bakes and pictures */
};
struct oc_cache_stats oc_cache_stats(struct oc_cache *c);

#endif
