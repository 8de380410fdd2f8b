/*
 * ocean_cache_fake.h: the cache of pictures with a fake maker, which logs what it is told to make.
 *
 * The test's own thread does the workers' steps, one after the other, so that the order is known; a
 * second worker works inside a bake or a make of the first. Threads and semaphores are used only
 * where waiting itself is tested.
 */
#ifndef TESTS_UNIT_OCEAN_CACHE_FAKE_H
#define TESTS_UNIT_OCEAN_CACHE_FAKE_H

#include "tests.h"

#include "ocean/cache.h"

#include <pthread.h>
#include <semaphore.h>

#define LAYERS 1000 /* bytes of a table's layers */

#define BYTES 500 /* of a picture */

#define LOG 400

struct outcome {
    uint64_t table;
    uint32_t round;
    int look;
    int version; /* -1: NULL */
};

struct fake {
    struct oc_cache *c;
    struct oc_limits limits;
    struct oc_maker maker;
    /* what happens inside the maker */
    void (*in_bake)(struct fake *f), (*in_make)(struct fake *f); /* once, then forgotten */
    bool bake_fails, make_fails;
    size_t bytes;
    int version; /* the octopus was placed so often */
    sem_t begun, go, told;
    pthread_mutex_t lock; /* of what happened */
    bool threads;         /* done is told by threads: post told */
    bool silent;          /* done is only counted */
    /* what happened */
    int rounds, layers; /* alive */
    int baking, makes_at_once, most_makes, n_freed;
    uint64_t freed[LOG];
    int n_made;
    struct outcome made[LOG];
    int n_done;
    struct outcome done[LOG];
};

struct worker {
    uint8_t data[4096];
};

struct fake *fake_start(void);    /* with the default limits; or, to set others first: */
struct fake *fake_create(void);   /* no cache yet */
void fake_begin(struct fake *f);  /* creates it */
void fake_finish(struct fake *f); /* destroys it, and nothing is left behind */

enum fm_err try_round_of(struct fake *f, uint64_t table, uint32_t number, size_t bytes);
void round_of(struct fake *f, uint64_t table, uint32_t number);

struct oc_look look_of(int i); /* the i-th tilt by daylight; the tests name looks by such numbers */
/* Asks; tells whether the picture was there. */
bool asks_at(struct fake *f, uint64_t table, uint32_t round, int look, enum oc_need need,
             uint64_t now_ms);
bool asks(struct fake *f, uint64_t table, int look, enum oc_need need); /* of round 1, at time 0 */
void assert_refuses(struct fake *f, uint64_t table, uint32_t round, struct oc_look look,
                    enum oc_need need, enum fm_err err, const char *part);

void step(struct fake *f); /* one piece of a worker's work */
void work(struct fake *f); /* all there is to do */

/* The looks that were made, as letters: 'a' for look 0; of one table, or of all (0). */
void assert_made(struct fake *f, uint64_t table, const char *looks);
/* How often done was called for a look, and the version of the last picture. */
int times_told(const struct fake *f, uint64_t table, uint32_t round, int look, int *version);
/* Once, with a picture or without. */
void assert_told(const struct fake *f, uint64_t table, uint32_t round, int look, bool picture);
size_t picture_cost(void); /* bytes that keeping a picture takes */

/* The tests; each is in the file of its name. */
extern const struct tests_group ocean_cache_queue, ocean_cache_ends, ocean_cache_memory,
    ocean_cache_workers;

#endif
