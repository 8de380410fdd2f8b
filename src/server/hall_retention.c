/*
 * hall_retention.c: a thread that applies the operator's retention rules, and what the hall does
 * with tables that were closed or removed.
 *
 * It is slow on purpose: a few tables at a time, with a pause after each step, and a longer one
 * while the store is busy. Its writes go through the store's queue like all others.
 *
 * Ages depend on the calendar. After the calendar has jumped nothing is removed for a while: what
 * was removed by mistake could not be restored.
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
#define SHORTEST_MS 200     /* pause between two passes, at least ... */
#define LONGEST_MS  3600000 /* ... and at most */
#define FIRST_MS    30000   /* pause before the first pass, at most */
#define JUMP_MS     60000   /* a jump of the calendar ... */
#define DISTRUST_MS 3600000 /* ... after which nothing is removed for so long */
#define WENT        256     /* tables that wait for the hall to handle them */

struct srv_retention {
    struct srv_hall *hall;
    struct srv_keep keep;
    pthread_t thread;
    pthread_mutex_t lock; /* of these */
    pthread_cond_t wake;
    bool closing;
    struct st_id went[WENT];
    size_t n_went;
    /* only for the thread */
    int64_t ahead_ms; /* the calendar minus the monotonic clock */
    uint64_t trusted_ms;
};

/* ---- time ------------------------------------------------------------------------------------ */

static uint64_t clock_ms(clockid_t id)
{
    struct timespec t;
    (void)clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* false: the thread is to end. */
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

/* Short enough that nothing stays much longer than its rule says. */
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
    if (r->n_went < WENT) /* otherwise the next write to the table finds out */
        r->went[r->n_went++] = *table;
    (void)pthread_mutex_unlock(&r->lock);
    r->hall->net.wake(r->hall->net.arg);
}

static void report(const struct srv_pruned *sum)
{
    for (int rule = 0; rule < SRV_RULES; rule++) {
        const uint64_t kb = (sum->bytes[rule] + 1023) / 1024;
        struct srv_line l;
        if (sum->tables[rule] == 0)
            continue;
        srv_log_begin(&l, SRV_INFO, "old-tables");
        srv_log_text(&l, "rule", srv_rule_text((enum srv_rule)rule));
        srv_log_int(&l, "tables", (int64_t)sum->tables[rule]);
        srv_log_int(&l, "kb", (int64_t)kb);
        srv_log_end(&l, "%s: %llu, %llu KB", srv_rule_text((enum srv_rule)rule),
                    (unsigned long long)sum->tables[rule], (unsigned long long)kb);
    }
}

static void report_failure(const struct fm_fault *fault)
{
    struct srv_line l;
    srv_log_begin(&l, SRV_WARNING, "old-tables-failed");
    srv_log_text(&l, "reason", fault->text);
    srv_log_end(&l, "old tables could not be removed: %s", fault->text);
}

static void *run_thread(void *arg)
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
        const bool fails = err != FM_OK && err != FM_E_BUSY; /* busy: another node is pruning */
        report(&p.sum);
        if (fails && !failed)
            report_failure(&fault);
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
    const bool started = pthread_create(&r->thread, NULL, run_thread, r) == 0;
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
        struct srv_slot *slot = srv_slot_known(h, &went[i]);
        struct srv_load *l = slot == NULL ? srv_load_find(h, &went[i]) : NULL;
        if (slot != NULL && slot->table.seq > 0)
            (void)srv_catch_up(h, slot);
        if (l != NULL)
            srv_load_behind(l); /* its log may have been read before the change */
    }
}

/* When they reconnect, they learn what happened to the table. */
static void ask_all_reconnect(struct srv_hall *h, struct srv_slot *slot)
{
    for (struct srv_stream *stream = slot->streams, *next; stream != NULL; stream = next) {
        next = stream->next;
        h->net.ask_reconnect(h->net.arg, stream);
    }
}

void srv_slot_closed(struct srv_hall *h, struct srv_slot *slot)
{
    slot->kept = false;
    srv_kept_forget(h, &slot->table.id);
    ask_all_reconnect(h, slot);
}

void srv_slot_removed(struct srv_hall *h, struct srv_slot *slot)
{
    slot->removed = true;
    slot->table.state = ST_CLOSED; /* so that nothing acts there any more */
    srv_slot_closed(h, slot);
}

enum fm_err srv_slot_refusal(const struct srv_slot *slot, struct fm_fault *fault)
{
    return slot->removed                    ? fm_fail_plain(fault, FM_E_NO_TABLE)
           : slot->table.state == ST_CLOSED ? fm_fail_plain(fault, FM_E_CLOSED)
                                            : FM_OK;
}
