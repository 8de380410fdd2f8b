/*
 * hall_read.c: reads of the store, by threads of their own, and requests that wait for them.
 *
 * The loop never waits for the store. What it has to read is queued here; when it has been read,
 * the loop goes on with it. Meanwhile whoever asked is parked: its request, or its hello, is kept,
 * and done again from its beginning when all that it needs is in memory.
 */
#include "server/hall_state.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define READERS      4 /* threads; on a store that is a file: */
#define FILE_READERS 2
#define PARKED       4096        /* requests and streams that wait, at most ... */
#define PARKED_BYTES (16u << 20) /* ... with all that they said */
#define LATER        32          /* messages of a stream that wait behind its hello */

struct srv_readers {
    struct srv_hall *hall;
    pthread_t thread[READERS];
    unsigned n_threads;
    unsigned n_reads; /* that are not done; the loop's alone */
    unsigned n_parked;
    size_t parked_bytes;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t news;
    struct srv_read *first, **last; /* in line */
    struct srv_read *done, **done_last;
    bool closing;
};

struct srv_later { /* a message that waits behind a hello */
    struct srv_later *next;
    size_t n;
    char text[];
};

/* ---- the threads ----------------------------------------------------------------------------- */

static void *life(void *arg)
{
    struct srv_readers *all = arg;
    (void)pthread_mutex_lock(&all->lock);
    while (!all->closing) {
        struct srv_read *r = all->first;
        if (r == NULL) {
            (void)pthread_cond_wait(&all->news, &all->lock);
            continue;
        }
        all->first = r->next;
        if (all->first == NULL)
            all->last = &all->first;
        r->begun = true;
        (void)pthread_mutex_unlock(&all->lock);
        r->work(r);
        (void)pthread_mutex_lock(&all->lock);
        r->next = NULL;
        *all->done_last = r;
        all->done_last = &r->next;
        (void)pthread_mutex_unlock(&all->lock);
        all->hall->net.wake(all->hall->net.arg);
        (void)pthread_mutex_lock(&all->lock);
    }
    (void)pthread_mutex_unlock(&all->lock);
    return NULL;
}

bool srv_readers_start(struct srv_hall *h)
{
    struct srv_readers *all = calloc(1, sizeof *all);
    const unsigned wanted = h->shared ? READERS : FILE_READERS;
    sigset_t every, before;
    if (all == NULL)
        return false;
    all->hall = h;
    all->last = &all->first;
    all->done_last = &all->done;
    (void)pthread_mutex_init(&all->lock, NULL);
    (void)pthread_cond_init(&all->news, NULL);
    h->readers = all;
    (void)sigfillset(&every); /* signals are for the loop */
    (void)pthread_sigmask(SIG_SETMASK, &every, &before);
    while (all->n_threads < wanted &&
           pthread_create(&all->thread[all->n_threads], NULL, life, all) == 0)
        all->n_threads++;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return all->n_threads > 0;
}

static void free_reads(struct srv_read *r)
{
    for (struct srv_read *next; r != NULL; r = next) {
        next = r->next;
        r->free(r);
    }
}

void srv_readers_stop(struct srv_hall *h)
{
    struct srv_readers *all = h->readers;
    if (all == NULL)
        return;
    (void)pthread_mutex_lock(&all->lock);
    all->closing = true;
    (void)pthread_cond_broadcast(&all->news);
    (void)pthread_mutex_unlock(&all->lock);
    for (unsigned i = 0; i < all->n_threads; i++)
        (void)pthread_join(all->thread[i], NULL);
    free_reads(all->first);
    free_reads(all->done);
    (void)pthread_mutex_destroy(&all->lock);
    (void)pthread_cond_destroy(&all->news);
}

void srv_readers_free(struct srv_hall *h)
{
    free(h->readers);
    h->readers = NULL;
}

/* ---- the loop's side ------------------------------------------------------------------------- */

void srv_read_queue(struct srv_hall *h, struct srv_read *r)
{
    struct srv_readers *all = h->readers;
    r->hall = h;
    r->next = NULL;
    r->begun = false;
    all->n_reads++;
    (void)pthread_mutex_lock(&all->lock);
    *all->last = r;
    all->last = &r->next;
    (void)pthread_cond_signal(&all->news);
    (void)pthread_mutex_unlock(&all->lock);
}

bool srv_read_begun(struct srv_hall *h, const struct srv_read *r)
{
    (void)pthread_mutex_lock(&h->readers->lock);
    const bool begun = r->begun;
    (void)pthread_mutex_unlock(&h->readers->lock);
    return begun;
}

unsigned srv_reads(const struct srv_hall *h)
{
    return h->readers->n_reads;
}

void srv_reads_settle(struct srv_hall *h)
{
    struct srv_readers *all = h->readers;
    (void)pthread_mutex_lock(&all->lock);
    struct srv_read *r = all->done;
    all->done = NULL;
    all->done_last = &all->done;
    (void)pthread_mutex_unlock(&all->lock);
    for (struct srv_read *next; r != NULL; r = next) {
        next = r->next;
        all->n_reads--;
        r->done(r);
    }
}

/* ---- who waits ------------------------------------------------------------------------------- */

/* Room for so many bytes of text behind it; NULL: *fault says why. */
static struct srv_parked *park(struct srv_hall *h, size_t n, struct fm_fault *fault)
{
    struct srv_readers *all = h->readers;
    const size_t bytes = sizeof(struct srv_parked) + n;
    if (all->n_parked >= PARKED || bytes > PARKED_BYTES - all->parked_bytes) {
        (void)fm_fail_plain(fault, FM_E_BUSY);
        return NULL;
    }
    struct srv_parked *k = calloc(1, bytes);
    if (k == NULL) {
        (void)fm_fail_plain(fault, FM_E_MEMORY);
        return NULL;
    }
    k->hall = h;
    k->bytes = bytes;
    k->later_last = &k->later;
    all->n_parked++;
    all->parked_bytes += bytes;
    return k;
}

static const char *copy(char **at, const char *from, size_t n)
{
    char *to = *at;
    if (n > 0)
        memcpy(to, from, n);
    to[n] = '\0';
    *at += n + 1;
    return to;
}

struct srv_parked *srv_park_call(struct srv_hall *h, struct srv_call *call,
                                 const struct srv_request *r, struct fm_fault *fault)
{
    const size_t method = strlen(r->method), path = strlen(r->path);
    const size_t token = r->token != NULL ? strlen(r->token) : 0;
    const size_t address = r->address != NULL ? strlen(r->address) : 0;
    struct srv_parked *k = park(h, method + path + token + address + r->n + 5, fault);
    if (k == NULL)
        return NULL;
    char *at = k->text;
    k->request.method = copy(&at, r->method, method);
    k->request.path = copy(&at, r->path, path);
    k->request.token = r->token != NULL ? copy(&at, r->token, token) : NULL;
    k->request.address = r->address != NULL ? copy(&at, r->address, address) : NULL;
    k->request.body = r->body != NULL ? copy(&at, r->body, r->n) : NULL;
    k->request.n = r->n;
    k->request.waiting_most = r->waiting_most;
    srv_park_again(k, call, NULL);
    return k;
}

struct srv_parked *srv_park_live(struct srv_hall *h, struct srv_live *live, const char *path,
                                 const char *text, size_t n, struct fm_fault *fault)
{
    struct srv_parked *k = park(h, strlen(path) + n + 2, fault);
    if (k == NULL)
        return NULL;
    char *at = k->text;
    k->path = copy(&at, path, strlen(path));
    k->message = copy(&at, text, n);
    k->n = n;
    srv_park_again(k, NULL, live);
    return k;
}

void srv_park_again(struct srv_parked *k, struct srv_call *call, struct srv_live *live)
{
    k->call = call;
    k->live = live;
    if (call != NULL)
        call->parked = k;
    if (live != NULL)
        live->parked = k;
}

static void detach(struct srv_parked *k)
{
    if (k->call != NULL)
        k->call->parked = NULL;
    if (k->live != NULL)
        k->live->parked = NULL;
    k->call = NULL;
    k->live = NULL;
}

void srv_unpark(struct srv_parked *k)
{
    struct srv_readers *all = k->hall->readers;
    detach(k);
    for (struct srv_later *one = k->later, *next; one != NULL; one = next) {
        next = one->next;
        free(one);
    }
    all->n_parked--;
    all->parked_bytes -= k->bytes;
    free(k);
}

bool srv_park_later(struct srv_live *live, const char *text, size_t n)
{
    struct srv_parked *k = live->parked;
    struct srv_readers *all = k->hall->readers;
    const size_t bytes = sizeof(struct srv_later) + n + 1;
    struct srv_later *one =
        k->n_later < LATER && bytes <= PARKED_BYTES - all->parked_bytes ? malloc(bytes) : NULL;
    if (one == NULL)
        return false;
    one->next = NULL;
    one->n = n;
    memcpy(one->text, text, n);
    one->text[n] = '\0';
    *k->later_last = one;
    k->later_last = &one->next;
    k->n_later++;
    k->bytes += bytes;
    all->parked_bytes += bytes;
    return true;
}

/* A stream has been greeted: it is heard what it said behind its hello. */
static void hear_later(struct srv_parked *k, struct srv_live *live)
{
    struct srv_hall *h = k->hall;
    for (const struct srv_later *one = k->later; one != NULL && live->place != NULL;
         one = one->next)
        if (!srv_hall_message(h, live, k->path, one->text, one->n, h->now_ms))
            h->net.misunderstood(h->net.arg, live);
}

void srv_parked_go(struct srv_parked *k)
{
    struct srv_call *const call = k->call;
    struct srv_live *const live = k->live;
    detach(k);
    if (call != NULL && srv_request_go(k, call))
        return;
    if (live != NULL) {
        if (srv_hello_go(k, live))
            return;
        hear_later(k, live);
    }
    srv_unpark(k);
}

void srv_parked_fail(struct srv_parked *k, const struct fm_fault *fault)
{
    struct srv_hall *h = k->hall;
    struct srv_call *const call = k->call;
    struct srv_live *const live = k->live;
    detach(k);
    if (call != NULL)
        srv_answer_error(h, call, fault);
    if (live != NULL)
        srv_hello_fail(h, live, fault);
    srv_unpark(k);
}

void srv_waiters_add(struct srv_waiters *w, struct srv_parked *k)
{
    k->next = w->first;
    w->first = k;
}

/* Whoever came first goes first. */
struct srv_parked *srv_waiters_take(struct srv_waiters *w)
{
    struct srv_parked *in_order = NULL;
    for (struct srv_parked *k = w->first, *next; k != NULL; k = next) {
        next = k->next;
        k->next = in_order;
        in_order = k;
    }
    w->first = NULL;
    return in_order;
}

void srv_waiters_go(struct srv_parked *first, const struct fm_fault *fault)
{
    for (struct srv_parked *k = first, *next; k != NULL; k = next) {
        next = k->next;
        if (fault != NULL)
            srv_parked_fail(k, fault);
        else
            srv_parked_go(k);
    }
}

void srv_waiters_free(struct srv_waiters *w)
{
    for (struct srv_parked *k = srv_waiters_take(w), *next; k != NULL; k = next) {
        next = k->next;
        srv_unpark(k);
    }
    if (w->wish != NULL)
        srv_wish_free(w->wish);
    w->wish = NULL;
    srv_heard_free(w->heard);
    w->heard = NULL;
}
