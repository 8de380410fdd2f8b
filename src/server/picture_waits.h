/*
 * picture_waits.h: a cache of pictures, and the requests that wait for them, served in turn.
 *
 * However much one address asks for, others do not wait for it: the cache has only so many looks of
 * an address at a time (its window), the rest waits here. Of these, the viewers of an address take
 * turns, and what one viewer asked for at one table is served in the order in which it was asked.
 *
 * All of it is called by the loop. A request that waits is known to its call (srv_call.picture), so
 * that whoever hangs up is found at once.
 */
#ifndef SERVER_PICTURE_WAITS_H
#define SERVER_PICTURE_WAITS_H

#include "server/hall.h"

#include "ocean/cache.h"

#define SRV_WAITS_OF_ADDRESS 128 /* requests of an address that wait; more are refused ... */
#define SRV_WAITS_OF_STACK   512 /* ... and of a stack, whoever asks */

struct srv_waits;

struct srv_viewer { /* who asks for a picture */
    struct srv_call *call;
    const char *address; /* NULL: unknown */
    int seat;            /* FM_WATCHER: none */
    bool visited;        /* it has been at the table, as a token or a stream shows */
};

struct srv_picture_request {
    uint64_t key;   /* the stack, as the cache has it ... */
    uint32_t round; /* ... and its round */
    struct oc_look look;
    enum oc_need need;
    struct srv_viewer viewer;
};

/* window: looks of an address that the cache has at a time, at least 1. NULL and a fault. */
struct srv_waits *srv_waits_create(const struct oc_maker *maker, const struct oc_limits *limits,
                                   const struct srv_net *net, unsigned window,
                                   struct fm_fault *fault);
void srv_waits_destroy(struct srv_waits *w); /* after the cache's workers have ended; takes NULL */
struct oc_cache *srv_waits_cache(struct srv_waits *w);

/* Answers now, or later from srv_waits_settle; or refuses, and fills the fault: FM_E_BUSY: too much
 * waits already, and what oc_cache_ask refuses. */
enum fm_err srv_waits_ask(struct srv_waits *w, const struct srv_picture_request *r, uint64_t now_ms,
                          struct fm_fault *fault);
void srv_waits_hung_up(struct srv_call *call); /* one that waits */
void srv_waits_settle(struct srv_waits *w);    /* answers what workers have made */
uint64_t srv_waits_address(const struct srv_waits *w, const char *address); /* as a number */
unsigned srv_waits_of_stack(const struct srv_waits *w, uint64_t key);       /* that wait */

#endif
