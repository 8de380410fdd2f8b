/*
 * hall_retention.c: the job that carries out the operator's rules beside the hall, on a thread of
 * its own, and what the hall does about tables that are gone.
 *
 * It is slow on purpose: a few tables at a time, with a pause after each few, a longer one while
 * the store has much to write. Its writes go through the store's queue as all others do.
 *
 * Ages are told by the calendar. While that has jumped nothing is removed: what a wrong calendar
 * calls old could not be brought back.
 */
#include "server/hall_state.h"

#include "server/retention.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PAUSE_MS    20      /* after each step */
#define BUSY_MS     200     /* if the store has more than ... */
#define BUSY_WRITES 64      /* ... so many writes waiting */
#define SHORTEST_MS 200     /* between two passes */
#define LONGEST_MS  3600000 /* the same */
#define FIRST_MS    30000   /* before the first one, at most */
#define JUMP_MS     60000   /* of the calendar ... */
#define DISTRUST_MS 3600000 /* ... after which it is not believed for so long */
#define WENT        256     /* tables that the hall is told of at once */

struct srv_retention {
    struct srv_hall *hall;
    struct srv_keep keep;
    pthread_t thread;
    pthread_mutex_t lock; /* of these */
    pthread_cond_t wake;
    bool closing;
    struct st_id went[WENT];
    size_t n_went;
    /* the thread's own */
    int64_t ahead_ms; /* the calendar, of the machine's steady clock */
    uint64_t trusted_ms;
};

/* ---- time ----------------------------------------------------------------------------------- */

static uint64_t clock_ms(clockid_t id)
{
    struct timespec t;
    (void)clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* true: it was not told to end. */
static bool pause_for(struct srv_retention *r, uint64_t ms)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)(ms / 1000);
    until.tv_nsec += (long)(ms % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    (void)pthread_mutex_lock(&r->lock);
    int waited = 0;
    while (!r->closing && waited != ETIMEDOUT)
        waited = pthread_cond_timedwait(&r->wake, &r->lock, &until);
    const bool goes_on = !r->closing;
    (void)pthread_mutex_unlock(&r->lock);
    return goes_on;
}

static bool calendar_is_steady(void *arg)
{
    struct srv_retention *r = arg;
    const uint64_t steady = clock_ms(CLOCK_BOOTTIME);
    const int64_t ahead = (int64_t)(clock_ms(CLOCK_REALTIME) - steady);
    if (ahead > r->ahead_ms + JUMP_MS || ahead < r->ahead_ms - JUMP_MS)
        r->trusted_ms = steady + DISTRUST_MS;
    r->ahead_ms = ahead;
    return steady >= r->trusted_ms;
}

/* Often enough that nothing stays for much longer than its rule says. */
static uint64_t between_passes(const struct srv_keep *keep)
{
    uint64_t ms = LONGEST_MS;
    for (int rule = 0; rule < SRV_RULES; rule++) {
        const uint64_t s = srv_rule_seconds(keep, (enum srv_rule)rule);
        if (s < LONGEST_MS && s * 1000 / 8 < ms)
            ms = s * 1000 / 8;
    }
    return ms > SHORTEST_MS ? ms : SHORTEST_MS;
}

/* ---- the job's thread ------------------------------------------------------------------------ */

static bool on_step(void *arg)
{
    struct srv_retention *r = arg;
    const bool busy = st_stats(r->hall->store).waiting > BUSY_WRITES;
    return pause_for(r, busy ? BUSY_MS : PAUSE_MS);
}

static void on_went(void *arg, const struct st_id *table)
{
    struct srv_retention *r = arg;
    (void)pthread_mutex_lock(&r->lock);
    if (r->n_went < WENT) /* otherwise it is noticed by whoever writes there next */
        r->went[r->n_went++] = *table;
    (void)pthread_mutex_unlock(&r->lock);
    r->hall->net.wake(r->hall->net.arg);
}

static void report(const struct srv_pruned *sum)
{
    for (int rule = 0; rule < SRV_RULES; rule++)
        if (sum->tables[rule] > 0)
            fprintf(stderr, "fathom: %s: %llu, %llu KB\n", srv_rule_text((enum srv_rule)rule),
                    (unsigned long long)sum->tables[rule],
                    (unsigned long long)(sum->bytes[rule] + 1023) / 1024);
}

static void *life(void *arg)
{
    struct srv_retention *r = arg;
    const uint64_t between = between_passes(&r->keep);
    bool failed = false;
    for (bool on = pause_for(r, between < FIRST_MS ? between : FIRST_MS); on;
         on = pause_for(r, between)) {
        struct srv_pruning p = {.store = r->hall->store,
                                .keep = r->keep,
                                .may = calendar_is_steady,
                                .step = on_step,
                                .went = on_went,
                                .arg = r};
        struct fm_fault fault;
        const enum fm_err err = calendar_is_steady(r) ? srv_prune(&p, &fault) : FM_OK;
        const bool fails = err != FM_OK && err != FM_E_BUSY; /* busy: another node is at it */
        report(&p.sum);
        if (fails && !failed)
            fprintf(stderr, "fathom: what is old could not be removed: %s\n", fault.text);
        failed = fails;
    }
    return NULL;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

bool srv_retention_start(struct srv_hall *h)
{
    if (h->limits.keep == NULL)
        return true;
    struct srv_retention *r = calloc(1, sizeof *r);
    pthread_condattr_t monotonic;
    sigset_t all, before;
    if (r == NULL)
        return false;
    r->hall = h;
    r->keep = *h->limits.keep;
    r->ahead_ms = (int64_t)(clock_ms(CLOCK_REALTIME) - clock_ms(CLOCK_BOOTTIME));
    (void)pthread_mutex_init(&r->lock, NULL);
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&r->wake, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(&r->thread, NULL, life, r) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started) {
        h->retention = r;
        return true;
    }
    (void)pthread_cond_destroy(&r->wake);
    (void)pthread_mutex_destroy(&r->lock);
    free(r);
    return false;
}

void srv_retention_stop(struct srv_hall *h)
{
    struct srv_retention *r = h->retention;
    if (r == NULL)
        return;
    (void)pthread_mutex_lock(&r->lock);
    r->closing = true;
    (void)pthread_cond_signal(&r->wake);
    (void)pthread_mutex_unlock(&r->lock);
    (void)pthread_join(r->thread, NULL);
    (void)pthread_cond_destroy(&r->wake);
    (void)pthread_mutex_destroy(&r->lock);
    free(r);
    h->retention = NULL;
}

/* ---- the hall -------------------------------------------------------------------------------- */

void srv_retention_settle(struct srv_hall *h)
{
    struct srv_retention *r = h->retention;
    struct st_id went[WENT];
    if (r == NULL)
        return;
    (void)pthread_mutex_lock(&r->lock);
    const size_t n = r->n_went;
    for (size_t i = 0; i < n; i++)
        went[i] = r->went[i];
    r->n_went = 0;
    (void)pthread_mutex_unlock(&r->lock);
    for (size_t i = 0; i < n; i++) {
        struct srv_place *p = srv_place_known(h, &went[i]);
        struct srv_load *l = p == NULL ? srv_load_find(h, &went[i]) : NULL;
        if (p != NULL && p->table.seq > 0)
            (void)srv_catch_up(h, p);
        if (l != NULL)
            srv_load_behind(l); /* it may have been read before */
    }
}

/* They come back, and are told then what has become of the table. */
static void send_streams_away(struct srv_hall *h, struct srv_place *p)
{
    for (struct srv_live *l = p->lives, *next; l != NULL; l = next) {
        next = l->next;
        h->net.send_away(h->net.arg, l);
    }
}

void srv_place_closed(struct srv_hall *h, struct srv_place *p)
{
    p->kept = false;
    srv_kept_forget(h, &p->table.id);
    send_streams_away(h, p);
}

void srv_place_removed(struct srv_hall *h, struct srv_place *p)
{
    p->removed = true;
    p->table.state = ST_CLOSED; /* nothing is done there any more */
    srv_place_closed(h, p);
}

enum fm_err srv_place_refusal(const struct srv_place *p, struct fm_fault *fault)
{
    return p->removed                    ? fm_fail_plain(fault, FM_E_NO_TABLE)
           : p->table.state == ST_CLOSED ? fm_fail_plain(fault, FM_E_CLOSED)
                                         : FM_OK;
}
