/*
 * cache_state.h: what cache.c (the loop's side), cache_work.c (the workers') and cache_shelf.c
 * (common to both) share.
 *
 * One lock guards all of it. While it is held, nothing is baked, made, freed by the maker or told
 * to done: items that are over are gathered in a list, and settled once the lock is open.
 */
#ifndef OCEAN_CACHE_STATE_H
#define OCEAN_CACHE_STATE_H

#include "ocean/cache.h"
#include "ocean/ring.h"

#include <pthread.h>
#include <stdatomic.h>

/* There are 30251 looks, so that no bucket is ever longer than about 240. */
#define OC_BUCKETS 128

struct picture {
    struct oc_picture seen; /* what callers hold */
    atomic_uint holders;
    uint8_t bytes[];
};

enum item_state { WAITING, MAKING, KEPT };

struct item {                /* a look of a round: requested, being made, or kept */
    struct item *next;       /* in its bucket, or among those to be settled */
    struct oc_ring link;     /* WAITING: in its queue; KEPT: among the shelf's pictures */
    struct picture *picture; /* KEPT */
    uint64_t table;
    uint32_t round;
    struct oc_look look;
    uint8_t state, need;
    bool owed; /* to be settled: by done with NULL */
};

struct layers { /* never change; freed when they belong to no shelf and nobody uses them */
    void *made;
    size_t bytes;
    unsigned users;
    bool leaving;        /* belong to no shelf any more */
    struct layers *next; /* among the leftovers */
};

struct shelf { /* a table's present round */
    uint64_t table;
    uint32_t number;
    void *round;
    size_t bake_bytes;
    struct layers *layers; /* NULL: not baked */
    unsigned busy;         /* workers that bake or make something of it */
    unsigned turn_made;    /* pictures made since it was baked */
    bool over;             /* belongs to no table any more; waits until nobody is busy with it */
    uint64_t generation;   /* how often it has changed */
    uint64_t asked_ms;
    uint64_t owner; /* of the layers */
    size_t encoded;
    unsigned waiting, requests[OC_NEEDS];
    struct oc_ring queue[OC_NEEDS]; /* of items that wait, oldest first */
    struct oc_ring pictures;        /* of items that are kept, least recently used first */
    struct oc_ring turn[OC_NEEDS];  /* in the cache's, while it has requests of a need */
    struct oc_ring layered;         /* in the cache's, while it has layers */
    struct oc_ring pictured;        /* in the cache's, while it has pictures */
    struct oc_ring baking;          /* in the cache's, while it is baked */
    struct shelf *next;             /* among the leftovers */
    struct item *bucket[OC_BUCKETS];
};

struct oc_cache {
    struct oc_maker maker;
    struct oc_limits limits;
    void (*done)(void *arg, uint64_t table, uint32_t round, struct oc_look look,
                 const struct oc_picture *picture);
    void *arg;
    pthread_mutex_t lock;
    pthread_cond_t news; /* for workers: there may be something to do */
    bool stopped;
    struct oc_ring turn[OC_NEEDS]; /* shelves that have requests, by whose turn it is */
    struct oc_ring layered;        /* shelves that have layers, least recently asked first */
    struct oc_ring pictured;       /* shelves that have pictures, likewise */
    struct oc_ring baking;         /* shelves that are baked just now, present or over */
    unsigned n_baking;             /* of them */
    size_t standing;               /* bytes of layers of shelves ... */
    size_t held;                   /* ... with those that are leaving but not yet freed */
    size_t reserved;               /* bytes that bakes under way may come to take */
    size_t encoded;
    struct layers *old_layers; /* the leftovers: for a worker to free */
    struct shelf *old_shelves;
    struct oc_cache_stats stats; /* only what is counted and not kept elsewhere */
    unsigned n;
    struct shelf *shelf[]; /* present ones, by the table's number: room for limits.tables */
};

/* ---- with the lock held ---------------------------------------------------------------------- */

/* What a shelf answers: the picture, a request accepted, or a refusal. */
enum fm_err oc__shelf_ask(struct oc_cache *c, struct shelf *s, struct oc_look look,
                          enum oc_need need, const struct oc_picture **picture,
                          struct item **spent);
/* The picture if it is kept; NULL: it is not. Only what is found counts as asked for. */
const struct oc_picture *oc__shelf_find(struct oc_cache *c, struct shelf *s, struct oc_look look);
/* A shelf no longer belongs to a table. Its items that are being made are their workers' now. */
void oc__shelf_end(struct oc_cache *c, struct shelf *s, struct item **spent);
void oc__shelf_old(struct oc_cache *c, struct shelf *s); /* to the leftovers */

/* A request enters its queue, as the next one of its need or as the last; and leaves it. */
void oc__request_put(struct oc_cache *c, struct shelf *s, struct item *item, bool next);
void oc__request_take(struct oc_cache *c, struct shelf *s, struct item *item);
/* Room for a request in a queue, if need be by dropping one; false: it would itself be dropped. */
bool oc__request_fits(struct oc_cache *c, struct shelf *s, enum oc_need need, struct item **spent);
void oc__requests_end(struct oc_cache *c, struct shelf *s, struct item **spent); /* with NULL */
/* Takes an item out of its bucket, to be settled. */
void oc__item_end(struct shelf *s, struct item *item, bool owed, struct item **spent);

/* Keeps a picture, for which others are forgotten; false: it is too large to be kept. */
bool oc__picture_put(struct oc_cache *c, struct shelf *s, struct item *item, struct picture *p,
                     struct item **spent);
void oc__pictures_forget(struct oc_cache *c, struct shelf *s, struct item **spent); /* all */

/* Takes the layers of a shelf that has some; they are freed as soon as nobody uses them. */
void oc__layers_leave(struct oc_cache *c, struct shelf *s);
void oc__layers_old(struct oc_cache *c, struct layers *layers); /* to the leftovers */
/* Frees the leftovers; opens the lock meanwhile. */
void oc__sweep(struct oc_cache *c);

/* ---- with the lock open ---------------------------------------------------------------------- */

bool oc__look_exists(struct oc_look look);
struct shelf *oc__shelf_create(uint64_t table, uint32_t number, void *round, size_t bake_bytes);
struct picture *oc__picture_create(const uint8_t *data, size_t n); /* held once; NULL: no memory */
void oc__settle(struct oc_cache *c, struct item *spent); /* says what is owed, and frees */

#endif
