/*
 * round.h: the pictures of a real game, as the cache makes them.
 *
 * A round holds all that its pictures follow from. Any number of workers may make pictures of it
 * at once; each has memory of its own.
 */
#ifndef OCEAN_ROUND_H
#define OCEAN_ROUND_H

#include "ocean/cache.h"
#include "ocean/layers.h"

struct oc_round;
struct oc_worker;

extern const struct oc_maker oc_round_maker; /* rounds and workers as below */

/* The stack when `left` sheets are in it; NULL: no memory. The art must outlive it. */
struct oc_round *oc_round_create(const struct oc_art *art, const struct oc_sheets *s, int left,
                                 int size, bool lamps);
void oc_round_destroy(struct oc_round *r); /* takes NULL; the cache does it for its rounds */
/* The octopus lies there from now on, in widths of the window; once a round. Then
 * oc_cache_changed. */
enum fm_err oc_round_octopus(struct oc_round *r, double x, double y, struct fm_fault *fault);

struct oc_worker *oc_worker_create(int quality); /* of its JPEGs, 1 .. 100; NULL: no memory */
void oc_worker_destroy(struct oc_worker *w);     /* takes NULL */
size_t oc_worker_bytes(const struct oc_worker *w);

#endif
