/* hall_jobs.c: a thread with its jobs, and the loop's side of them. */
#include "server/hall_jobs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

struct srv_jobs {
    struct srv_net net;
    struct srv_jobs_limits limits;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t news;
    bool running, closing;         /* running: the thread is there, from the first job on */
    struct srv_job *first, **last; /* queued */
    struct srv_job *done;
    struct srv_job *job[SRV_JOBS_MOST]; /* all of them; only for the loop's thread */
};

/* ---- the thread ------------------------------------------------------------------------------ */

/* Under the lock. NULL: the queue is empty. */
static struct srv_job *take_first(struct srv_jobs *jobs)
{
    struct srv_job *job = jobs->first;
    if (job == NULL)
        return NULL;
    jobs->first = job->next;
    if (jobs->first == NULL)
        jobs->last = &jobs->first;
    return job;
}

bool srv_job_is_wanted(struct srv_job *job)
{
    struct srv_jobs *jobs = job->jobs;
    (void)pthread_mutex_lock(&jobs->lock);
    const bool wanted = job->call != NULL && !jobs->closing;
    (void)pthread_mutex_unlock(&jobs->lock);
    return wanted;
}

static void do_job(struct srv_jobs *jobs, struct srv_job *job)
{
    srv_crash_at(&job->slot->table.id, 0);
    if (srv_job_is_wanted(job))
        job->write(job);
    (void)pthread_mutex_lock(&jobs->lock);
    job->next = jobs->done;
    jobs->done = job;
    (void)pthread_mutex_unlock(&jobs->lock);
    jobs->net.wake(jobs->net.arg);
}

static void *work(void *arg)
{
    struct srv_jobs *jobs = arg;
    (void)setpriority(PRIO_PROCESS, 0, jobs->limits.nice); /* on Linux: of this thread only */
    (void)pthread_mutex_lock(&jobs->lock);
    while (!jobs->closing) {
        struct srv_job *job = take_first(jobs);
        if (job == NULL) {
            (void)pthread_cond_wait(&jobs->news, &jobs->lock);
            continue;
        }
        (void)pthread_mutex_unlock(&jobs->lock);
        do_job(jobs, job);
        (void)pthread_mutex_lock(&jobs->lock);
    }
    (void)pthread_mutex_unlock(&jobs->lock);
    return NULL;
}

struct srv_jobs *srv_jobs_create(const struct srv_net *net, struct srv_jobs_limits limits)
{
    struct srv_jobs *jobs = calloc(1, sizeof *jobs);
    if (jobs == NULL)
        return NULL;
    jobs->net = *net;
    jobs->limits = limits;
    jobs->last = &jobs->first;
    (void)pthread_mutex_init(&jobs->lock, NULL);
    (void)pthread_cond_init(&jobs->news, NULL);
    return jobs;
}

static bool run(struct srv_jobs *jobs)
{
    if (!jobs->running)
        jobs->running = pthread_create(&jobs->thread, NULL, work, jobs) == 0;
    return jobs->running;
}

static void job_free(struct srv_job *job)
{
    free(job->record);
    free(job->text);
    free(job);
}

void srv_jobs_destroy(struct srv_jobs *jobs)
{
    if (jobs == NULL)
        return;
    (void)pthread_mutex_lock(&jobs->lock);
    jobs->closing = true;
    (void)pthread_cond_signal(&jobs->news);
    (void)pthread_mutex_unlock(&jobs->lock);
    if (jobs->running)
        (void)pthread_join(jobs->thread, NULL);
    for (size_t i = 0; i < SRV_JOBS_MOST; i++)
        if (jobs->job[i] != NULL)
            job_free(jobs->job[i]);
    (void)pthread_mutex_destroy(&jobs->lock);
    (void)pthread_cond_destroy(&jobs->news);
    free(jobs);
}

/* ---- the loop's side ------------------------------------------------------------------------- */

struct srv_job *srv_job_new(struct srv_slot *slot, struct srv_call *call, const char *address)
{
    struct srv_job *job = calloc(1, sizeof *job);
    if (job == NULL)
        return NULL;
    job->call = call;
    job->slot = slot;
    job->gzip = call->takes_gzip;
    for (size_t i = 0; address != NULL && i < sizeof job->from - 1 && address[i] != '\0'; i++)
        job->from[i] = address[i];
    return job;
}

/* A free place in the list; SRV_JOBS_MOST: there is none, or none for this client. */
static size_t find_place(const struct srv_jobs *jobs, const struct srv_job *job)
{
    size_t place = SRV_JOBS_MOST;
    unsigned all = 0, own = 0;
    for (size_t i = SRV_JOBS_MOST; i-- > 0;) {
        if (jobs->job[i] == NULL) {
            place = i;
            continue;
        }
        all++;
        own += strcmp(jobs->job[i]->from, job->from) == 0;
    }
    return all < jobs->limits.most && own < jobs->limits.of_address ? place : SRV_JOBS_MOST;
}

bool srv_job_enlist(struct srv_hall *h, struct srv_jobs *jobs, struct srv_job *job)
{
    struct fm_fault fault = {.action = -1};
    const size_t place = find_place(jobs, job);
    if (place == SRV_JOBS_MOST || !run(jobs)) {
        fm_fail_plain(&fault, place == SRV_JOBS_MOST ? FM_E_BUSY : FM_E_MEMORY);
        srv_answer_error(h, job->call, &fault);
        job_free(job);
        return false;
    }
    jobs->job[place] = job;
    job->jobs = jobs;
    job->call->job = job;
    job->slot->n_jobs++; /* it stays in memory meanwhile */
    return true;
}

void srv_job_strike(struct srv_job *job)
{
    struct srv_jobs *jobs = job->jobs;
    if (job->call != NULL)
        job->call->job = NULL;
    job->slot->n_jobs--;
    for (size_t i = 0; i < SRV_JOBS_MOST; i++)
        if (jobs->job[i] == job)
            jobs->job[i] = NULL;
    job_free(job);
}

void srv_job_queue(struct srv_job *job)
{
    struct srv_jobs *jobs = job->jobs;
    (void)pthread_mutex_lock(&jobs->lock);
    job->next = NULL;
    *jobs->last = job;
    jobs->last = &job->next;
    (void)pthread_cond_signal(&jobs->news);
    (void)pthread_mutex_unlock(&jobs->lock);
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
    if (job->sent != NULL)
        job->sent(job);
}

void srv_jobs_settle(struct srv_hall *h, struct srv_jobs *jobs)
{
    (void)pthread_mutex_lock(&jobs->lock);
    struct srv_job *job = jobs->done;
    jobs->done = NULL;
    (void)pthread_mutex_unlock(&jobs->lock);
    while (job != NULL) {
        struct srv_job *next = job->next;
        answer_job(h, job);
        job->call = NULL; /* it was answered, and may have another job by now */
        srv_job_strike(job);
        job = next;
    }
}

void srv_job_hung_up(struct srv_call *call)
{
    struct srv_jobs *jobs = call->job->jobs;
    (void)pthread_mutex_lock(&jobs->lock);
    call->job->call = NULL;
    (void)pthread_mutex_unlock(&jobs->lock);
    call->job = NULL;
}

bool srv_job_is_over(const struct srv_slot *slot, struct fm_fault *fault)
{
    if (slot->table.state == ST_OVER)
        return true;
    fm_fail_plain(fault, FM_E_NOT_OVER);
    return false;
}
