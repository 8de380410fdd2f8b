/*
 * hall_bots.c: bots at tables. They think on separate threads, with copies of their views, and
 * their actions are ordinary requests.
 *
 * Each move has a time budget. When more bots wait than there are threads, each gets a share of it,
 * so that even the last in the queue waits no longer than one budget. The pause before a bot acts
 * does not depend on that: the bot says how long it would take, however fast it was.
 */
#include "server/hall_state.h"

#include "base/panic.h"
#include "core/bot_chance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define LATER    5    /* nice value of these threads: the loop goes first */
#define LEAST_US 1000 /* the smallest share */

/* ---- eyes ------------------------------------------------------------------------------------ */

/*
 * How well a bot sees depends on its level. Analysing real pictures would cost a third of a second
 * of a core for each bot and round (docs/strength.md). So what it sees is drawn at random, with the
 * rates at which eyes that did analyse pictures mistook each kind of sheet for another, in the
 * water of the table: "picture-keen" was measured in the default, "picture-keen-murky" in murky
 * water.
 */
static const char *const eyes_names[] = {"picture-short-sighted", "picture-average",
                                         "picture-keen"};
#define EYES (sizeof eyes_names / sizeof eyes_names[0])

struct srv_eyes {
    struct fm_eyes eyes[OC_WATERS][EYES];
};

const struct fm_eyes *srv_bot_eyes(const struct srv_hall *h, const struct srv_table *t,
                                   const struct fm_bot *bot)
{
    const struct fm_eyes *eyes = h->eyes->eyes[t->water - oc_waters];
    for (size_t i = 0; i < EYES && bot->eyes != NULL; i++)
        if (strcmp(eyes_names[i], bot->eyes) == 0)
            return &eyes[i];
    return &eyes[0];
}

static struct srv_eyes *open_eyes(void)
{
    struct fm_fault fault;
    struct srv_eyes *e = calloc(1, sizeof *e);
    for (size_t i = 0; i < EYES * OC_WATERS && e != NULL; i++) {
        char name[64];
        const struct oc_water *water = &oc_waters[i / EYES];
        (void)snprintf(name, sizeof name, "%s%s%s", eyes_names[i % EYES],
                       water == oc_waters ? "" : "-", water == oc_waters ? "" : water->name);
        fm_assert(fm_eyes_named(&e->eyes[i / EYES][i % EYES], name, &fault) == FM_OK);
    }
    return e;
}

/* ---- the thinkers' threads ------------------------------------------------------------------- */

static struct fm_view view_of(const struct srv_bot_job *job)
{
    return (struct fm_view){.game = job->game,
                            .pub = (const void *)job->view,
                            .priv = (const void *)(job->view + job->game->pub_size),
                            .seat = job->seat};
}

/* How long the first in the queue may think: the whole budget; a share of it if more are queued
 * than there are threads; and never more than is left of the budget after its wait. 0: no limit. */
static uint64_t share_us(const struct srv_hall *h, uint64_t waited_us)
{
    const uint64_t whole = (uint64_t)h->limits.think_ms * 1000;
    const uint64_t left = whole > waited_us ? whole - waited_us : 0;
    const uint64_t share =
        h->n_bot_queue > h->n_thinkers ? whole * h->n_thinkers / h->n_bot_queue : whole;
    const uint64_t least = whole < LEAST_US ? whole : LEAST_US;
    const uint64_t fair = share < left ? share : left;
    return fair > least ? fair : least;
}

/* Takes the first of the queue; NULL: it is empty. Under the lock. */
static struct srv_bot_job *take(struct srv_hall *h)
{
    struct srv_bot_job *job = h->bot_queue;
    if (job == NULL)
        return NULL;
    h->bot_queue = job->next;
    if (h->bot_queue == NULL)
        h->bot_queue_last = &h->bot_queue;
    job->waited_us = srv_now_us() - job->asked_us;
    job->budget_us = share_us(h, job->waited_us);
    h->n_bot_queue--;
    return job;
}

static void think_about(struct srv_bot_job *job)
{
    const uint64_t begin_us = srv_now_us();
    srv_crash_at(&job->table, job->event);
    struct fm_budget budget = {.eyes = job->eyes, .sight = job->has_sight ? &job->sight : NULL};
    if (job->budget_us > 0) {
        budget.clock_us = srv_now_us;
        budget.until_us = begin_us + job->budget_us;
    }
    job->choice = job->bot->think(view_of(job), &job->rng, budget);
    job->took_us = srv_now_us() - begin_us;
    srv_crash_at(NULL, 0);
}

static void *think(void *arg)
{
    struct srv_hall *h = arg;
    (void)setpriority(PRIO_PROCESS, 0, LATER); /* on Linux: of this thread only */
    (void)pthread_mutex_lock(&h->lock);
    while (!h->closing) {
        struct srv_bot_job *job = take(h);
        if (job == NULL) { /* no bot waits: there is time to explain */
            if (!srv_why_work(h))
                (void)pthread_cond_wait(&h->bot_wake, &h->lock);
            continue;
        }
        if (!job->stale) {
            (void)pthread_mutex_unlock(&h->lock);
            think_about(job);
            (void)pthread_mutex_lock(&h->lock);
        }
        job->next = h->bot_done;
        h->bot_done = job;
        (void)pthread_mutex_unlock(&h->lock);
        h->net.wake(h->net.arg);
        (void)pthread_mutex_lock(&h->lock);
    }
    (void)pthread_mutex_unlock(&h->lock);
    return NULL;
}

bool srv_bots_start(struct srv_hall *h)
{
    const unsigned wanted = h->limits.thinkers > 0 ? h->limits.thinkers : 1;
    h->eyes = open_eyes();
    if (h->eyes == NULL)
        return false;
    while (h->n_thinkers < wanted && h->n_thinkers < SRV_THINKERS &&
           pthread_create(&h->thinker[h->n_thinkers], NULL, think, h) == 0)
        h->n_thinkers++;
    return h->n_thinkers > 0;
}

static void free_jobs(struct srv_bot_job *job)
{
    while (job != NULL) {
        struct srv_bot_job *next = job->next;
        free(job);
        job = next;
    }
}

void srv_bots_stop(struct srv_hall *h)
{
    (void)pthread_mutex_lock(&h->lock);
    h->closing = true;
    (void)pthread_cond_broadcast(&h->bot_wake);
    (void)pthread_mutex_unlock(&h->lock);
    for (unsigned i = 0; i < h->n_thinkers; i++)
        (void)pthread_join(h->thinker[i], NULL);
    free_jobs(h->bot_queue);
    free_jobs(h->bot_done);
    h->bot_queue = h->bot_done = NULL;
    srv_why_stop(h);
    free(h->eyes);
}

/* ---- the loop's side ------------------------------------------------------------------------- */

/* Its choice is not needed any more. */
static void drop(struct srv_hall *h, struct srv_plan *plan)
{
    if (plan->job == NULL)
        return;
    (void)pthread_mutex_lock(&h->lock);
    plan->job->stale = true;
    (void)pthread_mutex_unlock(&h->lock);
    plan->job = NULL;
}

static void ask(struct srv_hall *h, struct srv_slot *slot, unsigned seat, uint32_t seq,
                const struct fm_bot *bot)
{
    const struct srv_table *t = &slot->table;
    const struct fm_game *g = t->setup.game;
    struct srv_plan *plan = &slot->plan[seat];
    struct srv_bot_job *job = calloc(1, sizeof *job);
    if (job == NULL)
        return; /* it is asked again at the next change or tick */
    job->slot = slot;
    job->seat = (int)seat;
    job->seq = seq;
    job->table = t->id;
    job->event = t->seq;
    job->game = g;
    job->bot = bot;
    fm__bot_rng(&job->rng, t->seed, seat, "think", seq);
    if (g->look != NULL) {
        fm__bot_rng(&plan->look, t->seed, seat, "look", seq);
        job->eyes = srv_bot_eyes(h, t, job->bot);
        g->look(t->match, job->eyes, &plan->look, &plan->sight);
        job->sight = plan->sight;
        job->has_sight = true;
    }
    fm_assert(fm_view_copy(fm_view_of(g, t->match, (int)seat), job->view, sizeof job->view) > 0);
    drop(h, plan);
    plan->job = job;
    plan->asked = true;
    plan->asked_ms = h->now_ms;
    plan->seq = seq;
    plan->action = 0;
    slot->n_jobs++;
    h->stats.thinking++;
    job->asked_us = srv_now_us();
    (void)pthread_mutex_lock(&h->lock);
    h->n_bot_queue++;
    *h->bot_queue_last = job;
    h->bot_queue_last = &job->next;
    (void)pthread_cond_signal(&h->bot_wake);
    (void)pthread_mutex_unlock(&h->lock);
}

void srv_bots_ask(struct srv_hall *h, struct srv_slot *slot)
{
    const struct srv_table *t = &slot->table;
    const struct fm_pub *pub = (const void *)t->match;
    for (unsigned seat = 0; seat < t->setup.n_seats; seat++) {
        struct srv_plan *plan = &slot->plan[seat];
        const struct fm_bot *bot =
            t->state == ST_PLAYING && t->seat[seat].bot[0] != '\0'
                ? fm_bot_find(t->setup.game, t->seat[seat].bot)
                : NULL; /* or only another version of the program has it, and acts for it */
        if (bot == NULL || !(pub->may >> seat & 1) || !srv_keeps(h, slot)) {
            drop(h, plan);
            plan->asked = false;
            plan->action = 0;
            continue;
        }
        const uint32_t seq = fm_view_seq(fm_view_of(t->setup.game, t->match, (int)seat));
        if (!plan->asked || plan->seq != seq)
            ask(h, slot, seat, seq, bot);
    }
}

static void take_choice(struct srv_hall *h, const struct srv_bot_job *job)
{
    struct srv_slot *slot = job->slot;
    struct srv_plan *plan = &slot->plan[job->seat];
    slot->n_jobs--;
    if (plan->job == job)
        plan->job = NULL;
    if (!job->stale && plan->asked && plan->seq == job->seq && job->choice.action != 0) {
        const uint32_t pause =
            job->choice.after_ms < h->limits.bot_ms ? job->choice.after_ms : h->limits.bot_ms;
        plan->action = job->choice.action;
        plan->at_ms = plan->asked_ms + pause; /* possibly in the past */
        srv_bots_tick(h, slot);
    }
}

void srv_bots_settle(struct srv_hall *h)
{
    (void)pthread_mutex_lock(&h->lock);
    struct srv_bot_job *job = h->bot_done;
    h->bot_done = NULL;
    (void)pthread_mutex_unlock(&h->lock);
    while (job != NULL) {
        struct srv_bot_job *next = job->next;
        h->stats.thinking--;
        if (job->stale) {
            h->stats.dropped++;
        } else {
            srv_histogram_add(&h->stats.waited, job->waited_us);
            srv_histogram_add(&h->stats.thought, job->took_us);
        }
        if (job->slot != NULL)
            take_choice(h, job);
        free(job);
        job = next;
    }
}

bool srv_bots_will_act(const struct srv_slot *slot)
{
    for (unsigned seat = 0; seat < slot->table.setup.n_seats; seat++)
        if (slot->plan[seat].job != NULL || slot->plan[seat].action != 0)
            return true;
    return false;
}

unsigned srv_bots_jobs(const struct srv_slot *slot)
{
    unsigned n = 0;
    for (unsigned seat = 0; seat < slot->table.setup.n_seats; seat++)
        n += slot->plan[seat].job != NULL;
    return n;
}

void srv_bots_leave(struct srv_hall *h, struct srv_slot *slot)
{
    for (unsigned seat = 0; seat < slot->table.setup.n_seats; seat++) {
        if (slot->plan[seat].job != NULL)
            slot->plan[seat].job->slot = NULL;
        drop(h, &slot->plan[seat]);
    }
}

void srv_bots_tick(struct srv_hall *h, struct srv_slot *slot)
{
    for (unsigned seat = 0; seat < slot->table.setup.n_seats; seat++) {
        struct srv_plan *plan = &slot->plan[seat];
        if (plan->action == 0 || h->now_ms < plan->at_ms)
            continue;
        struct srv_request *req = srv_request_new(h, slot, SRV_REQUEST_ACT, NULL);
        if (req == NULL)
            continue;
        req->seat = (int)seat;
        req->action = plan->action;
        req->of_bot = true;
        req->view_seq = plan->seq;
        plan->action = 0;
        plan->asked = false;
        srv_request_queue(req);
    }
}
