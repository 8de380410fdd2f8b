/*
 * hall_read.c: threads that read from the store, and the requests that are parked meanwhile.
 *
 * The loop never waits for the store. Reads are queued here, and the loop continues when they are
 * done. A request or hello that needs something from the store is parked, and handled again from
 * the start when everything it needs is in memory.
 */
#include "server/hall_state.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define READERS      4 /* threads; fewer if the store is a file: */
#define FILE_READERS 2
#define PARKED       4096        /* most parked requests and hellos ... */
#define PARKED_BYTES (16u << 20) /* ... and their bytes */
#define QUEUED       32          /* most messages that wait behind a hello */

struct srv_readers {
    struct srv_hall *hall;
    pthread_t thread[READERS];
    unsigned n_threads;
    unsigned n_reads; /* not done yet; only for the loop's thread */
    unsigned n_parked;
    size_t parked_bytes;
    struct srv_read *gathered, **gathered_last; /* in this turn of the loop; only for its thread */
    pthread_mutex_t lock;                       /* of all below */
    pthread_cond_t news;
    struct srv_read *first, **last; /* queued */
    struct srv_read *done, **done_last;
    bool closing;
};

struct srv_queued_message { /* a message that waits behind a hello */
    struct srv_queued_message *next;
    size_t n;
    char text[];
};

/* ---- the threads ----------------------------------------------------------------------------- */

static void *run_thread(void *arg)
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
    all->gathered_last = &all->gathered;
    all->last = &all->first;
    all->done_last = &all->done;
    (void)pthread_mutex_init(&all->lock, NULL);
    (void)pthread_cond_init(&all->news, NULL);
    h->readers = all;
    (void)sigfillset(&every); /* signals are for the loop */
    (void)pthread_sigmask(SIG_SETMASK, &every, &before);
    while (all->n_threads < wanted &&
           pthread_create(&all->thread[all->n_threads], NULL, run_thread, all) == 0)
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
    free_reads(all->gathered);
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
    *all->gathered_last = r;
    all->gathered_last = &r->next;
}

void srv_reads_begin(struct srv_hall *h)
{
    struct srv_readers *all = h->readers;
    if (all->gathered == NULL)
        return;
    (void)pthread_mutex_lock(&all->lock);
    *all->last = all->gathered;
    all->last = all->gathered_last;
    for (const struct srv_read *r = all->gathered; r != NULL; r = r->next)
        (void)pthread_cond_signal(&all->news);
    (void)pthread_mutex_unlock(&all->lock);
    all->gathered = NULL;
    all->gathered_last = &all->gathered;
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

/* ---- what is parked -------------------------------------------------------------------------- */

/* With room for n bytes of text; NULL and a fault. */
static struct srv_parked *park(struct srv_hall *h, size_t n, struct fm_fault *fault)
{
    struct srv_readers *all = h->readers;
    const size_t bytes = sizeof(struct srv_parked) + n;
    if (all->n_parked >= PARKED || bytes > PARKED_BYTES - all->parked_bytes) {
        (void)fm_fail_plain(fault, FM_E_BUSY);
        return NULL;
    }
    struct srv_parked *parked = calloc(1, bytes);
    if (parked == NULL) {
        (void)fm_fail_plain(fault, FM_E_MEMORY);
        return NULL;
    }
    parked->hall = h;
    parked->bytes = bytes;
    parked->queued_last = &parked->queued;
    all->n_parked++;
    all->parked_bytes += bytes;
    return parked;
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
                                 const struct srv_http_request *r, struct fm_fault *fault)
{
    const size_t method = strlen(r->method), path = strlen(r->path);
    const size_t token = r->token != NULL ? strlen(r->token) : 0;
    const size_t address = r->address != NULL ? strlen(r->address) : 0;
    struct srv_parked *parked = park(h, method + path + token + address + r->n + 5, fault);
    if (parked == NULL)
        return NULL;
    char *at = parked->text;
    parked->http.method = copy(&at, r->method, method);
    parked->http.path = copy(&at, r->path, path);
    parked->http.token = r->token != NULL ? copy(&at, r->token, token) : NULL;
    parked->http.address = r->address != NULL ? copy(&at, r->address, address) : NULL;
    parked->http.body = r->body != NULL ? copy(&at, r->body, r->n) : NULL;
    parked->http.n = r->n;
    parked->http.waiting_most = r->waiting_most;
    srv_park_again(parked, call, NULL);
    return parked;
}

struct srv_parked *srv_park_stream(struct srv_hall *h, struct srv_stream *stream, const char *path,
                                   const char *text, size_t n, struct fm_fault *fault)
{
    struct srv_parked *parked = park(h, strlen(path) + n + 2, fault);
    if (parked == NULL)
        return NULL;
    char *at = parked->text;
    parked->path = copy(&at, path, strlen(path));
    parked->message = copy(&at, text, n);
    parked->n = n;
    srv_park_again(parked, NULL, stream);
    return parked;
}

void srv_park_again(struct srv_parked *parked, struct srv_call *call, struct srv_stream *stream)
{
    parked->call = call;
    parked->stream = stream;
    if (call != NULL)
        call->parked = parked;
    if (stream != NULL)
        stream->parked = parked;
}

static void detach(struct srv_parked *parked)
{
    if (parked->call != NULL)
        parked->call->parked = NULL;
    if (parked->stream != NULL)
        parked->stream->parked = NULL;
    parked->call = NULL;
    parked->stream = NULL;
}

void srv_unpark(struct srv_parked *parked)
{
    struct srv_readers *all = parked->hall->readers;
    detach(parked);
    for (struct srv_queued_message *one = parked->queued, *next; one != NULL; one = next) {
        next = one->next;
        free(one);
    }
    all->n_parked--;
    all->parked_bytes -= parked->bytes;
    free(parked);
}

bool srv_park_message(struct srv_stream *stream, const char *text, size_t n)
{
    struct srv_parked *parked = stream->parked;
    struct srv_readers *all = parked->hall->readers;
    const size_t bytes = sizeof(struct srv_queued_message) + n + 1;
    struct srv_queued_message *one =
        parked->n_queued < QUEUED && bytes <= PARKED_BYTES - all->parked_bytes ? malloc(bytes)
                                                                               : NULL;
    if (one == NULL)
        return false;
    one->next = NULL;
    one->n = n;
    memcpy(one->text, text, n);
    one->text[n] = '\0';
    *parked->queued_last = one;
    parked->queued_last = &one->next;
    parked->n_queued++;
    parked->bytes += bytes;
    all->parked_bytes += bytes;
    return true;
}

/* The hello was answered: handles the messages behind it. */
static void handle_queued(struct srv_parked *parked, struct srv_stream *stream)
{
    struct srv_hall *h = parked->hall;
    for (const struct srv_queued_message *one = parked->queued; one != NULL && stream->slot != NULL;
         one = one->next)
        if (!srv_hall_message(h, stream, parked->path, one->text, one->n, h->now_ms))
            h->net.misunderstood(h->net.arg, stream);
}

void srv_parked_resume(struct srv_parked *parked)
{
    struct srv_call *const call = parked->call;
    struct srv_stream *const stream = parked->stream;
    detach(parked);
    if (call != NULL && srv_http_resume(parked, call))
        return;
    if (stream != NULL) {
        if (srv_hello_resume(parked, stream))
            return;
        handle_queued(parked, stream);
    }
    srv_unpark(parked);
}

void srv_parked_fail(struct srv_parked *parked, const struct fm_fault *fault)
{
    struct srv_hall *h = parked->hall;
    struct srv_call *const call = parked->call;
    struct srv_stream *const stream = parked->stream;
    detach(parked);
    if (call != NULL)
        srv_answer_error(h, call, fault);
    if (stream != NULL)
        srv_hello_fail(h, stream, fault);
    srv_unpark(parked);
}

void srv_waiters_add(struct srv_waiters *w, struct srv_parked *parked)
{
    parked->next = w->first;
    w->first = parked;
}

/* Oldest first. */
struct srv_parked *srv_waiters_take(struct srv_waiters *w)
{
    struct srv_parked *in_order = NULL;
    for (struct srv_parked *parked = w->first, *next; parked != NULL; parked = next) {
        next = parked->next;
        parked->next = in_order;
        in_order = parked;
    }
    w->first = NULL;
    return in_order;
}

void srv_waiters_resume(struct srv_parked *first, const struct fm_fault *fault)
{
    for (struct srv_parked *parked = first, *next; parked != NULL; parked = next) {
        next = parked->next;
        if (fault != NULL)
            srv_parked_fail(parked, fault);
        else
            srv_parked_resume(parked);
    }
}

void srv_waiters_free(struct srv_waiters *w)
{
    for (struct srv_parked *parked = srv_waiters_take(w), *next; parked != NULL; parked = next) {
        next = parked->next;
        srv_unpark(parked);
    }
    if (w->request != NULL)
        srv_request_free(w->request);
    w->request = NULL;
    srv_notices_free(w->notices);
    w->notices = NULL;
}
