/*
 * hall_replay.c: replaying a game and checking a record are jobs for a separate thread: a long game
 * takes longer than the loop may wait.
 *
 * The thread reads tables of the hall without a lock. That is safe: once a game is over, its setup,
 * seats and events no longer change, and a slot with a job stays in memory.
 */
#include "server/hall_replay.h"

#include "base/panic.h"

#include <stdlib.h>
#include <string.h>

#define JOBS 32 /* most at a time; more are refused */

struct srv_replays {
    const struct fm_library *library;
    struct srv_net net;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t news;
    bool closing;
    struct srv_job *first, **last; /* queued */
    struct srv_job *done;
    struct srv_job *job[JOBS]; /* all of them; only for the loop's thread */
    char *step;                /* FM__STEP_MAX bytes for the thread */
};

/* ---- the thread ------------------------------------------------------------------------------ */

static void *work(void *arg)
{
    struct srv_replays *replays = arg;
    (void)pthread_mutex_lock(&replays->lock);
    while (!replays->closing) {
        struct srv_job *job = replays->first;
        if (job == NULL) {
            (void)pthread_cond_wait(&replays->news, &replays->lock);
            continue;
        }
        replays->first = job->next;
        if (replays->first == NULL)
            replays->last = &replays->first;
        const bool wanted = job->call != NULL;
        (void)pthread_mutex_unlock(&replays->lock);
        srv_crash_at(&job->slot->table.id, 0);
        if (wanted && job->verifies)
            srv_verify_write(job, replays->library);
        else if (wanted)
            srv_replay_write(job, replays->step);
        (void)pthread_mutex_lock(&replays->lock);
        job->next = replays->done;
        replays->done = job;
        (void)pthread_mutex_unlock(&replays->lock);
        replays->net.wake(replays->net.arg);
        (void)pthread_mutex_lock(&replays->lock);
    }
    (void)pthread_mutex_unlock(&replays->lock);
    return NULL;
}

struct srv_replays *srv_replays_create(const struct fm_library *library, const struct srv_net *net)
{
    struct srv_replays *replays = calloc(1, sizeof *replays);
    if (replays == NULL || (replays->step = malloc(FM__STEP_MAX)) == NULL) {
        free(replays);
        return NULL;
    }
    replays->library = library;
    replays->net = *net;
    replays->last = &replays->first;
    (void)pthread_mutex_init(&replays->lock, NULL);
    (void)pthread_cond_init(&replays->news, NULL);
    if (pthread_create(&replays->thread, NULL, work, replays) == 0)
        return replays;
    (void)pthread_mutex_destroy(&replays->lock);
    (void)pthread_cond_destroy(&replays->news);
    free(replays->step);
    free(replays);
    return NULL;
}

static void job_free(struct srv_job *job)
{
    free(job->record);
    free(job->text);
    free(job);
}

void srv_replays_destroy(struct srv_replays *replays)
{
    if (replays == NULL)
        return;
    (void)pthread_mutex_lock(&replays->lock);
    replays->closing = true;
    (void)pthread_cond_signal(&replays->news);
    (void)pthread_mutex_unlock(&replays->lock);
    (void)pthread_join(replays->thread, NULL);
    for (size_t i = 0; i < JOBS; i++)
        if (replays->job[i] != NULL)
            job_free(replays->job[i]);
    (void)pthread_mutex_destroy(&replays->lock);
    (void)pthread_cond_destroy(&replays->news);
    free(replays->step);
    free(replays);
}

/* ---- the loop's side ------------------------------------------------------------------------- */

static void remember(struct srv_slot *slot, struct srv_job *job)
{
    free(slot->verdict);
    slot->verdict = job->text;
    slot->verdict_n = job->n;
    memcpy(slot->verdict_of, job->hash, sizeof slot->verdict_of);
    job->text = NULL;
}

static void answer_job(struct srv_hall *h, struct srv_job *job)
{
    const struct fm_out o = {.buf = job->text, .cap = job->n + 1, .len = job->n};
    if (job->call == NULL)
        return;
    job->call->job = NULL;
    if (job->err != FM_OK) {
        srv_answer_error(h, job->call, &job->fault);
        return;
    }
    job->call->gzip = job->gzip;
    srv_answer_out(h, job->call, 200, &o);
    if (job->verifies)
        remember(job->slot, job);
}

/* Adds a job to the list, so that it can be found when its client hangs up. False: refused, too
 * many. */
static bool enlist(struct srv_hall *h, struct srv_job *job)
{
    struct srv_replays *replays = h->replays;
    struct fm_fault fault = {.action = -1};
    size_t i = 0;
    while (i < JOBS && replays->job[i] != NULL)
        i++;
    if (i == JOBS) {
        fm_fail_plain(&fault, FM_E_BUSY);
        srv_answer_error(h, job->call, &fault);
        job_free(job);
        return false;
    }
    replays->job[i] = job;
    job->call->job = job;
    job->slot->n_jobs++; /* it stays in memory meanwhile */
    return true;
}

static void strike(struct srv_hall *h, struct srv_job *job)
{
    struct srv_replays *replays = h->replays;
    if (job->call != NULL)
        job->call->job = NULL;
    job->slot->n_jobs--;
    for (size_t i = 0; i < JOBS; i++)
        if (replays->job[i] == job)
            replays->job[i] = NULL;
    job_free(job);
}

static void queue(struct srv_hall *h, struct srv_job *job)
{
    struct srv_replays *replays = h->replays;
    (void)pthread_mutex_lock(&replays->lock);
    job->next = NULL;
    *replays->last = job;
    replays->last = &job->next;
    (void)pthread_cond_signal(&replays->news);
    (void)pthread_mutex_unlock(&replays->lock);
}

void srv_replays_settle(struct srv_hall *h)
{
    struct srv_replays *replays = h->replays;
    (void)pthread_mutex_lock(&replays->lock);
    struct srv_job *job = replays->done;
    replays->done = NULL;
    (void)pthread_mutex_unlock(&replays->lock);
    while (job != NULL) {
        struct srv_job *next = job->next;
        answer_job(h, job);
        job->call = NULL; /* it was answered, and may have another job by now */
        strike(h, job);
        job = next;
    }
}

void srv_replays_hung_up(struct srv_replays *replays, struct srv_call *call)
{
    (void)pthread_mutex_lock(&replays->lock);
    call->job->call = NULL;
    (void)pthread_mutex_unlock(&replays->lock);
    call->job = NULL;
}

/* ---- what is asked for ----------------------------------------------------------------------- */

static bool is_over(const struct srv_slot *slot, struct fm_fault *fault)
{
    if (slot->table.state == ST_OVER)
        return true;
    fm_fail_plain(fault, FM_E_NOT_OVER);
    return false;
}

bool srv_read_who(const char *text, int *who)
{
    if (strcmp(text, "table") == 0)
        *who = FM_WATCHER;
    else if (strcmp(text, "open") == 0)
        *who = SRV_OPEN;
    else if (text[0] >= '0' && text[0] <= '9' && text[1] == '\0')
        *who = text[0] - '0';
    else
        return false;
    return true;
}

static bool read_who(const struct srv_slot *slot, const char *text, int *who,
                     struct fm_fault *fault)
{
    if (!srv_read_who(text, who))
        return fm_fail_plain(fault, FM_E_NO_PATH), false;
    if (*who >= slot->table.setup.n_seats)
        return fm_fail_plain(fault, FM_E_SEAT), false;
    return true;
}

void srv_get_replay(struct srv_hall *h, struct srv_call *call, struct srv_slot *slot,
                    const char *text)
{
    struct fm_fault fault = {.action = -1};
    int who = 0;
    struct srv_job *job = NULL;
    if (read_who(slot, text, &who, &fault) && is_over(slot, &fault)) {
        job = calloc(1, sizeof *job);
        if (job == NULL)
            fm_fail_plain(&fault, FM_E_MEMORY);
    }
    if (job == NULL) {
        srv_answer_error(h, call, &fault);
        return;
    }
    job->call = call;
    job->slot = slot;
    job->who = who;
    job->gzip = call->takes_gzip;
    if (enlist(h, job))
        queue(h, job);
}

/* The record was read: it is checked, unless the verdict on the same bytes is known already. */
static void verify_record(struct srv_hall *h, struct srv_record *r)
{
    struct srv_job *job = r->arg;
    const struct srv_slot *slot = job->slot;
    job->record = r->text;
    job->record_n = r->n;
    r->text = NULL;
    struct srv_call *const call = job->call;
    if (r->err != FM_OK) {
        strike(h, job);
        if (call != NULL)
            srv_answer_error(h, call, &r->fault);
        return;
    }
    fm__hash(job->hash, "fathom verify 1", &(struct fm_span){job->record, job->record_n}, 1);
    if (slot->verdict != NULL && memcmp(slot->verdict_of, job->hash, sizeof job->hash) == 0) {
        const struct fm_out o = {
            .buf = slot->verdict, .cap = slot->verdict_n + 1, .len = slot->verdict_n};
        strike(h, job);
        srv_answer_out(h, call, 200, &o);
        return;
    }
    queue(h, job);
}

/* The record is read from the store each time. */
void srv_get_verify(struct srv_hall *h, struct srv_call *call, struct srv_slot *slot)
{
    struct fm_fault fault = {.action = -1};
    struct srv_job *job = is_over(slot, &fault) ? calloc(1, sizeof *job) : NULL;
    if (job == NULL) {
        if (slot->table.state == ST_OVER)
            fm_fail_plain(&fault, FM_E_MEMORY);
        srv_answer_error(h, call, &fault);
        return;
    }
    job->call = call;
    job->slot = slot;
    job->verifies = true;
    if (!enlist(h, job) || srv_read_record(h, &slot->table.id, NULL, verify_record, job))
        return;
    fm_fail_plain(&fault, FM_E_MEMORY);
    strike(h, job);
    srv_answer_error(h, call, &fault);
}
