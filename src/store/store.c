/* store.c: the queue of writes, its limits, and the thread that commits them in groups. */
#include "store/store_state.h"

#include "base/panic.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define JOB_ROOM 1024 /* nearly all writes fit */

#define SPARE 512

static const struct st__backend *const backends[] = {&st__sqlite, &st__postgres};

#define PUT_OFF 64 /* most groups that are committed before a chore */

/* ---- the store's thread ---------------------------------------------------------------------- */

static uint64_t now_us(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

/* Called with the lock, which is released meanwhile. */
static void do_chore(struct st_store *s)
{
    struct chore *c = s->chore;
    s->chore = NULL;
    s->put_off = 0;
    (void)pthread_mutex_unlock(&s->lock);
    c->err = s->backend->rewrite(s->self, c->rewriting, c->fault);
    (void)pthread_mutex_lock(&s->lock);
    c->done = true;
    (void)pthread_cond_broadcast(&s->told);
}

/* Everything that is queued; NULL: the store is closing. A chore is done when nothing is queued, or
 * when it has been put off often enough. */
static struct st__job *take_group(struct st_store *s)
{
    (void)pthread_mutex_lock(&s->lock);
    while (s->chore != NULL || ((s->first == NULL || s->held) && !s->closing))
        if (s->chore != NULL && (s->first == NULL || s->put_off >= PUT_OFF))
            do_chore(s);
        else if (s->first != NULL && !s->held)
            break;
        else
            (void)pthread_cond_wait(&s->work, &s->lock);
    s->put_off += s->chore != NULL;
    struct st__job *group = s->first;
    s->first = NULL;
    s->last = &s->first;
    s->oldest_us = group != NULL ? group->since_us : 0;
    (void)pthread_mutex_unlock(&s->lock);
    return group;
}

static void count_commit(struct st_store *s, uint64_t us)
{
    const size_t n = sizeof s->stats.commit_us / sizeof s->stats.commit_us[0];
    size_t i = 0;
    while (i < n - 1 && us >> i != 0)
        i++;
    (void)pthread_mutex_lock(&s->lock);
    s->stats.commits++;
    s->stats.commit_us[i]++;
    s->stats.commit_us_sum += us;
    (void)pthread_mutex_unlock(&s->lock);
}

/* Calls done for one write. Its room in the queue is freed first, so that done may submit
 * another. */
static void tell(struct st_store *s, struct st__job *job, const struct fm_fault *failure)
{
    struct fm_fault conflict;
    const struct fm_fault *fault = failure;
    const enum fm_err err = failure != NULL ? failure->code : job->err;
    if (failure == NULL && err != FM_OK) {
        (void)fm_fail(&conflict, err, "%s", job->why);
        fault = &conflict;
    }
    (void)pthread_mutex_lock(&s->lock);
    s->stats.waiting--;
    s->stats.waiting_bytes -= job->bytes;
    *(err == FM_OK           ? &s->stats.writes
      : err == FM_E_CONFLICT ? &s->stats.conflicts
                             : &s->stats.failures) += 1;
    st_done *const done = job->done;
    void *const arg = job->arg;
    if (job->bytes <= JOB_ROOM && s->n_spare < SPARE) {
        job->next = s->spare;
        s->spare = job;
        s->n_spare++;
        job = NULL;
    }
    (void)pthread_mutex_unlock(&s->lock);
    free(job);
    if (done != NULL)
        done(arg, err, fault);
}

/* After a group of several writes, waits a little before the next one, so that it is larger: a
 * commit costs its threads, sockets and processes the same, however much is in it. */
static void keep_apart(const struct st_store *s, uint64_t start, uint64_t n)
{
    if (n < 2 || s->backend->apart_us == 0)
        return;
    const uint64_t next = start + s->backend->apart_us;
    const struct timespec at = {(time_t)(next / 1000000), (long)(next % 1000000) * 1000};
    (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

static void *run(void *arg)
{
    struct st_store *s = arg;
    struct st__job *group;
    while ((group = take_group(s)) != NULL) {
        struct fm_fault fault;
        const uint64_t start = now_us();
        const enum fm_err err = s->backend->commit(s->self, group, &fault);
        fm_assert(err == FM_OK || err == FM_E_STORE);
        if (err == FM_OK)
            count_commit(s, now_us() - start);
        uint64_t n = 0;
        for (struct st__job *job = group, *next; job != NULL; job = next, n++) {
            next = job->next;
            tell(s, job, err == FM_OK ? NULL : &fault);
        }
        (void)pthread_mutex_lock(&s->lock);
        s->n_done += n;
        s->oldest_us = 0;
        s->stats.failing = err != FM_OK;
        if (err != FM_OK)
            (void)snprintf(s->stats.failure, sizeof s->stats.failure, "%s", fault.text);
        (void)pthread_cond_broadcast(&s->told);
        (void)pthread_mutex_unlock(&s->lock);
        keep_apart(s, start, n);
    }
    return NULL;
}

/* ---- opening and closing --------------------------------------------------------------------- */

/* Signals are handled by the program's other threads. */
static int start_thread(struct st_store *s)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failed = pthread_create(&s->thread, NULL, run, s);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

static const struct st__backend *backend_of(const char *where)
{
    const char *colon = where == NULL ? NULL : strchr(where, ':');
    for (size_t i = 0; colon != NULL && i < sizeof backends / sizeof backends[0]; i++) {
        const size_t n = strlen(backends[i]->scheme);
        if ((size_t)(colon - where) == n && memcmp(where, backends[i]->scheme, n) == 0)
            return backends[i];
    }
    return NULL;
}

static enum fm_err fail_kind(const char *where, struct fm_fault *fault)
{
    return fm_fail(fault, FM_E_VALUE, "%s: not a store; say sqlite:PATH or postgres:CONNINFO",
                   where == NULL ? "nothing" : where);
}

enum fm_err st_look(const char *where, struct st_look *out, struct fm_fault *fault)
{
    const struct st__backend *backend = backend_of(where);
    if (backend == NULL)
        return fail_kind(where, fault);
    return backend->look(strchr(where, ':') + 1, out, fault);
}

static struct st_store *open_as(const char *where, const char *who, struct fm_fault *fault)
{
    const struct st__backend *backend = backend_of(where);
    if (backend == NULL) {
        (void)fail_kind(where, fault);
        return NULL;
    }
    struct st_store *s = calloc(1, sizeof *s);
    if (s == NULL) {
        (void)fm_fail_plain(fault, FM_E_MEMORY);
        return NULL;
    }
    s->backend = backend;
    s->last = &s->first;
    s->self = backend->open(strchr(where, ':') + 1, who, fault);
    if (s->self == NULL) {
        free(s);
        return NULL;
    }
    (void)pthread_mutex_init(&s->lock, NULL);
    (void)pthread_cond_init(&s->work, NULL);
    (void)pthread_cond_init(&s->told, NULL);
    if (start_thread(s) != 0) {
        (void)fm_fail(fault, FM_E_MEMORY, "the store's thread cannot be started");
        backend->close(s->self);
        free(s);
        return NULL;
    }
    return s;
}

struct st_store *st_open(const char *where, struct fm_fault *fault)
{
    return open_as(where, NULL, fault);
}

struct st_store *st_open_alone(const char *where, const char *who, struct fm_fault *fault)
{
    return open_as(where, who, fault);
}

void st_close(struct st_store *s)
{
    if (s == NULL)
        return;
    fm_assert(!pthread_equal(pthread_self(), s->thread));
    (void)pthread_mutex_lock(&s->lock);
    s->closing = true;
    (void)pthread_cond_signal(&s->work);
    (void)pthread_mutex_unlock(&s->lock);
    (void)pthread_join(s->thread, NULL);
    s->backend->close(s->self);
    for (struct st__job *job = s->spare, *next; job != NULL; job = next) {
        next = job->next;
        free(job);
    }
    (void)pthread_cond_destroy(&s->told);
    (void)pthread_cond_destroy(&s->work);
    (void)pthread_mutex_destroy(&s->lock);
    free(s);
}

const char *st_kind(const struct st_store *s)
{
    return s->backend->scheme;
}

void st_describe(struct st_store *s, const char *who)
{
    if (s->backend->describe != NULL)
        s->backend->describe(s->self, who);
}

/* ---- writing --------------------------------------------------------------------------------- */

static enum fm_err check_write(const struct st_write *w, struct fm_fault *fault)
{
    const struct st_change *c = &w->change;
    if (w->n > ST_EVENT_MAX || c->n_tokens > ST_TOKENS_MAX ||
        (c->record != NULL && c->record_n > ST_RECORD_MAX))
        return fm_fail_plain(fault, FM_E_SIZE);
    if (w->seq == 0 || w->seq > INT64_MAX)
        return fm_fail(fault, FM_E_VALUE, "seq: from 1 on");
    if ((w->event == NULL && w->n > 0) || (c->tokens == NULL && c->n_tokens > 0))
        return fm_fail(fault, FM_E_VALUE, "event, tokens: there are none, but some are counted");
    if (c->creates && (w->seq != 1 || memchr(c->code, '\0', sizeof c->code) == NULL))
        return fm_fail(fault, FM_E_VALUE, "creates: with seq 1 and a code that ends");
    if (c->moves && c->state > ST_CLOSED)
        return fm_fail(fault, FM_E_VALUE, "state: there is none with this number");
    if (c->removes && (c->creates || c->moves || c->n_tokens > 0 || c->record != NULL))
        return fm_fail(fault, FM_E_VALUE, "removes: nothing else goes with it");
    if (c->times && c->deadline_ms > INT64_MAX)
        return fm_fail(fault, FM_E_VALUE, "deadline_ms: too far away");
    return FM_OK;
}

static void *put(uint8_t **at, const void *from, size_t n)
{
    uint8_t *to = *at;
    if (n > 0)
        memcpy(to, from, n);
    *at += n;
    return to;
}

/* One thread allocates and another frees, which is slow in malloc; so jobs of the usual size are
 * kept and used again. */
static struct st__job *job_new(struct st_store *s, size_t bytes)
{
    if (bytes > JOB_ROOM)
        return malloc(bytes);
    (void)pthread_mutex_lock(&s->lock);
    struct st__job *job = s->spare;
    if (job != NULL) {
        s->spare = job->next;
        s->n_spare--;
    }
    (void)pthread_mutex_unlock(&s->lock);
    return job != NULL ? job : malloc(JOB_ROOM);
}

static struct st__job *copy_write(struct st_store *s, const struct st_write *w, st_done *done,
                                  void *arg)
{
    const struct st_change *c = &w->change;
    const size_t tokens = c->n_tokens * sizeof *c->tokens;
    const size_t record = c->record == NULL ? 0 : c->record_n;
    const size_t bytes = sizeof(struct st__job) + w->n + tokens + record;
    struct st__job *job = job_new(s, bytes);
    if (job == NULL)
        return NULL;
    *job = (struct st__job){
        .write = *w, .done = done, .arg = arg, .bytes = bytes, .since_us = now_us()};
    uint8_t *at = (uint8_t *)(job + 1);
    job->write.change.tokens = put(&at, c->tokens, tokens);
    job->write.event = put(&at, w->event, w->n);
    if (c->record != NULL)
        job->write.change.record = put(&at, c->record, record);
    return job;
}

enum fm_err st_submit(struct st_store *s, const struct st_write *w, st_done *done, void *arg,
                      struct fm_fault *fault)
{
    const enum fm_err err = check_write(w, fault);
    if (err != FM_OK)
        return err;
    struct st__job *job = copy_write(s, w, done, arg);
    if (job == NULL)
        return fm_fail_plain(fault, FM_E_MEMORY);
    (void)pthread_mutex_lock(&s->lock);
    const bool full =
        s->stats.waiting >= ST_QUEUE_WRITES || job->bytes > ST_QUEUE_BYTES - s->stats.waiting_bytes;
    if (!full) {
        *s->last = job;
        s->last = &job->next;
        s->n_submitted++;
        s->stats.waiting++;
        s->stats.waiting_bytes += job->bytes;
        if (!s->held)
            (void)pthread_cond_signal(&s->work);
    }
    (void)pthread_mutex_unlock(&s->lock);
    if (full) {
        free(job);
        return fm_fail_plain(fault, FM_E_BUSY);
    }
    return FM_OK;
}

void st_hold(struct st_store *s, bool held)
{
    (void)pthread_mutex_lock(&s->lock);
    s->held = held;
    if (!held && s->first != NULL)
        (void)pthread_cond_signal(&s->work);
    (void)pthread_mutex_unlock(&s->lock);
}

void st_drain(struct st_store *s)
{
    fm_assert(!pthread_equal(pthread_self(), s->thread));
    (void)pthread_mutex_lock(&s->lock);
    const uint64_t all = s->n_submitted;
    while (s->n_done < all)
        (void)pthread_cond_wait(&s->told, &s->lock);
    (void)pthread_mutex_unlock(&s->lock);
}

struct st_stats st_stats(struct st_store *s)
{
    (void)pthread_mutex_lock(&s->lock);
    struct st_stats stats = s->stats;
    const uint64_t oldest = s->oldest_us != 0  ? s->oldest_us
                            : s->first != NULL ? s->first->since_us
                                               : 0;
    (void)pthread_mutex_unlock(&s->lock);
    stats.oldest_us = oldest != 0 ? now_us() - oldest : 0;
    if (s->backend->count != NULL)
        s->backend->count(s->self, &stats);
    return stats;
}

enum fm_err st_rewrite(struct st_store *s, const struct st_rewriting *r, struct fm_fault *fault)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->events[i].n > ST_EVENT_MAX)
            return fm_fail_plain(fault, FM_E_SIZE);
    if (s->backend->rewrites_apart)
        return s->backend->rewrite(s->self, r, fault);
    struct chore c = {r, fault, FM_OK, false};
    (void)pthread_mutex_lock(&s->lock);
    while (s->chore != NULL) /* another thread's */
        (void)pthread_cond_wait(&s->told, &s->lock);
    s->chore = &c;
    (void)pthread_cond_signal(&s->work);
    while (!c.done)
        (void)pthread_cond_wait(&s->told, &s->lock);
    (void)pthread_mutex_unlock(&s->lock);
    return c.err;
}
