/*
 * hall_bots.c: bots at tables: they think on a thread of their own, about copies of views, and
 * their actions go the same way as everybody's.
 */
#include "server/hall_state.h"

#include "base/hash.h"
#include "base/panic.h"

#include <stdlib.h>
#include <string.h>

/* ---- the thinker's thread ------------------------------------------------------------------- */

static struct fm_view view_of(const struct srv_thought *t)
{
    return (struct fm_view){.game = t->game,
                            .pub = (const void *)t->view,
                            .priv = (const void *)(t->view + t->game->pub_size),
                            .seat = t->seat};
}

static void *think(void *arg)
{
    struct srv_hall *h = arg;
    (void)pthread_mutex_lock(&h->lock);
    while (!h->closing) {
        struct srv_thought *t = h->thinking;
        if (t == NULL) {
            (void)pthread_cond_wait(&h->think, &h->lock);
            continue;
        }
        h->thinking = t->next;
        if (h->thinking == NULL)
            h->thinking_last = &h->thinking;
        (void)pthread_mutex_unlock(&h->lock);
        const struct fm_budget budget = {.eyes = t->eyes, .sight = t->has_sight ? &t->sight : NULL};
        t->choice = t->bot->think(view_of(t), &t->rng, budget);
        (void)pthread_mutex_lock(&h->lock);
        t->next = h->thought;
        h->thought = t;
        (void)pthread_mutex_unlock(&h->lock);
        h->net.wake(h->net.arg);
        (void)pthread_mutex_lock(&h->lock);
    }
    (void)pthread_mutex_unlock(&h->lock);
    return NULL;
}

bool srv_bots_start(struct srv_hall *h)
{
    return pthread_create(&h->thinker, NULL, think, h) == 0;
}

static void free_thoughts(struct srv_thought *t)
{
    while (t != NULL) {
        struct srv_thought *next = t->next;
        free(t);
        t = next;
    }
}

void srv_bots_stop(struct srv_hall *h)
{
    (void)pthread_mutex_lock(&h->lock);
    h->closing = true;
    (void)pthread_cond_signal(&h->think);
    (void)pthread_mutex_unlock(&h->lock);
    (void)pthread_join(h->thinker, NULL);
    free_thoughts(h->thinking);
    free_thoughts(h->thought);
    h->thinking = h->thought = NULL;
}

/* ---- the loop's side ------------------------------------------------------------------------ */

/* Chance of a bot's own, from a secret of the table that deals nothing, and from what the bot can
 * notice: how often others did something in secret must not show in what it does. */
static void bot_rng(struct fm_rng *rng, const struct srv_table *t, unsigned seat, const char *what,
                    uint64_t n)
{
    uint8_t seed[FM_SEED_BYTES];
    const struct fm_span spans[] = {
        {t->seed, sizeof t->seed}, {what, strlen(what)}, {&n, sizeof n}};
    fm__hash(seed, "fathom bot 1", spans, 3);
    fm_rng_init(rng, seed, seat);
}

static void ask(struct srv_hall *h, struct srv_place *p, unsigned seat, uint32_t seq)
{
    const struct srv_table *t = &p->table;
    const struct fm_game *g = t->setup.game;
    struct srv_plan *plan = &p->plan[seat];
    struct srv_thought *job = calloc(1, sizeof *job);
    if (job == NULL)
        return; /* it is asked again at the next change or tick */
    job->place = p;
    job->seat = (int)seat;
    job->seq = seq;
    job->game = g;
    job->bot = fm_bot_find(g, t->seat[seat].bot);
    fm_assert(job->bot != NULL);
    bot_rng(&job->rng, t, seat, "think", seq);
    if (g->look != NULL) {
        bot_rng(&plan->look, t, seat, "look", seq);
        g->look(t->match, &h->eyes, &plan->look, &plan->sight);
        job->sight = plan->sight;
        job->has_sight = true;
        job->eyes = &h->eyes;
    }
    fm_assert(fm_view_copy(fm_view_of(g, t->match, (int)seat), job->view, sizeof job->view) > 0);
    plan->asked = true;
    plan->seq = seq;
    plan->action = 0;
    p->thinking++;
    (void)pthread_mutex_lock(&h->lock);
    *h->thinking_last = job;
    h->thinking_last = &job->next;
    (void)pthread_cond_signal(&h->think);
    (void)pthread_mutex_unlock(&h->lock);
}

void srv_bots_ask(struct srv_hall *h, struct srv_place *p)
{
    const struct srv_table *t = &p->table;
    const struct fm_pub *pub = (const void *)t->match;
    for (unsigned seat = 0; seat < t->setup.n_seats; seat++) {
        struct srv_plan *plan = &p->plan[seat];
        if (t->state != ST_PLAYING || t->seat[seat].bot[0] == '\0' || !(pub->may >> seat & 1) ||
            !srv_keeps(h, p)) {
            plan->asked = false;
            plan->action = 0;
            continue;
        }
        const uint32_t seq = fm_view_seq(fm_view_of(t->setup.game, t->match, (int)seat));
        if (!plan->asked || plan->seq != seq)
            ask(h, p, seat, seq);
    }
}

void srv_bots_settle(struct srv_hall *h)
{
    (void)pthread_mutex_lock(&h->lock);
    struct srv_thought *t = h->thought;
    h->thought = NULL;
    (void)pthread_mutex_unlock(&h->lock);
    while (t != NULL) {
        struct srv_thought *next = t->next;
        struct srv_place *p = t->place;
        struct srv_plan *plan = &p->plan[t->seat];
        p->thinking--;
        if (plan->asked && plan->seq == t->seq && t->choice.action != 0) {
            plan->action = t->choice.action;
            plan->at_ms = h->now_ms + (t->choice.after_ms < h->limits.bot_ms ? t->choice.after_ms
                                                                             : h->limits.bot_ms);
            srv_bots_tick(h, p);
        }
        free(t);
        t = next;
    }
}

void srv_bots_tick(struct srv_hall *h, struct srv_place *p)
{
    for (unsigned seat = 0; seat < p->table.setup.n_seats; seat++) {
        struct srv_plan *plan = &p->plan[seat];
        if (plan->action == 0 || h->now_ms < plan->at_ms)
            continue;
        struct srv_wish *w = srv_wish_new(h, p, SRV_WANTS_ACT, NULL);
        if (w == NULL)
            continue;
        w->seat = (int)seat;
        w->action = plan->action;
        w->of_bot = true;
        w->view_seq = plan->seq;
        plan->action = 0;
        plan->asked = false;
        srv_wish_queue(w);
    }
}
