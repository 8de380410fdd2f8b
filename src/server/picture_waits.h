/*
 * picture_waits.h: a cache of pictures, and a fair queue of the requests that wait for them.
 *
 * One address cannot delay the others, however much it asks for: only a few of its looks (its
 * window) are with the cache at a time, and the rest wait here. The viewers of one address take
 * turns, and the requests of one viewer at one table are served in order.
 *
 * Only the loop's thread calls these functions. A waiting request is found through srv_call.picture
 * when its client hangs up.
 */
#ifndef SERVER_PICTURE_WAITS_H
#define SERVER_PICTURE_WAITS_H

#include "server/hall.h"

#include "ocean/cache.h"

#define SRV_WAITS_OF_ADDRESS 128 /* waiting requests of an address; more are refused ... */
#define SRV_WAITS_OF_STACK   512 /* ... and of a stack, from everybody */

struct srv_waits;

struct srv_viewer { /* who asks for a picture */
    struct srv_call *call;
    const char *address; /* NULL: unknown */
    int seat;            /* FM_WATCHER: none */
    bool visited;        /* it has a token of the table, or a stream there */
};

struct srv_picture_request {
    uint64_t key;   /* the stack, as the cache has it ... */
    uint32_t round; /* ... and its round */
    struct oc_look look;
    enum oc_need need;
    struct srv_viewer viewer;
};

/* window: looks of an address that are with the cache at a time, at least 1. NULL and a fault. */
struct srv_waits *srv_waits_create(const struct oc_maker *maker, const struct oc_limits *limits,
                                   const struct srv_net *net, unsigned window,
                                   struct fm_fault *fault);
void srv_waits_destroy(struct srv_waits *w); /* after the cache's workers have ended; takes NULL */
struct oc_cache *srv_waits_cache(struct srv_waits *w);

/* Answers now, or later in srv_waits_settle. Or refuses: FM_E_BUSY if too many wait already, or
 * what oc_cache_ask says. */
enum fm_err srv_waits_ask(struct srv_waits *w, const struct srv_picture_request *r, uint64_t now_ms,
                          struct fm_fault *fault);
void srv_waits_hung_up(struct srv_call *call); /* call->picture is set */
void srv_waits_settle(struct srv_waits *w);    /* answers what workers have drawn */
uint64_t srv_waits_address(const struct srv_waits *w, const char *address); /* a keyed hash */
unsigned srv_waits_of_stack(const struct srv_waits *w, uint64_t key);       /* waiting requests */

#endif
