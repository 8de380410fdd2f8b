/*
 * hall_bots.c: bots at tables: they think on threads of their own, about copies of views, and
 * their actions go the same way as everybody's.
 *
 * A move has a budget of time. When more bots wait than there are threads, each gets its share of
 * it, so that whoever comes last waits for no longer than one budget. How long a bot seems to take
 * is another matter: it acts so long after it was asked as it says, whatever its thoughts cost.
 */
#include "server/hall_state.h"

#include "base/hash.h"
#include "base/panic.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define LATER    5    /* how nice the thinkers are: the loop comes first */
#define LEAST_US 1000 /* the smallest share */

/* ---- eyes ----------------------------------------------------------------------------------- */

/*
 * A bot sees as well as its level does. Looking at the pictures themselves would cost a third of
 * a second of a core for each bot and round (docs/strength.md); so what it sees is drawn from how
 * often eyes that did look took each kind of sheet for another.
 */
static const char *const eyes_names[] = {"picture-short-sighted", "picture-average",
                                         "picture-keen"};
#define EYES (sizeof eyes_names / sizeof eyes_names[0])

struct srv_eyes {
    struct fm_eyes eyes[EYES];
};

static const struct fm_eyes *eyes_of(const struct srv_hall *h, const struct fm_bot *bot)
{
    for (size_t i = 0; i < EYES && bot->eyes != NULL; i++)
        if (strcmp(eyes_names[i], bot->eyes) == 0)
            return &h->eyes->eyes[i];
    return &h->eyes->eyes[0];
}

static struct srv_eyes *open_eyes(void)
{
    struct fm_fault fault;
    struct srv_eyes *e = calloc(1, sizeof *e);
    for (size_t i = 0; i < EYES && e != NULL; i++)
        fm_assert(fm_eyes_named(&e->eyes[i], eyes_names[i], &fault) == FM_OK);
    return e;
}

/* ---- the thinkers' threads ------------------------------------------------------------------- */

static struct fm_view view_of(const struct srv_thought *t)
{
    return (struct fm_view){.game = t->game,
                            .pub = (const void *)t->view,
                            .priv = (const void *)(t->view + t->game->pub_size),
                            .seat = t->seat};
}

/* How long the first in line may think: a whole budget; its share, when there are more in line than
 * threads; and no more than is left of it, when even shares were too long. 0: as long as it likes.
 */
static uint64_t share_us(const struct srv_hall *h, uint64_t waited_us)
{
    const uint64_t whole = (uint64_t)h->limits.think_ms * 1000;
    const uint64_t left = whole > waited_us ? whole - waited_us : 0;
    const uint64_t share = h->in_line > h->n_thinkers ? whole * h->n_thinkers / h->in_line : whole;
    const uint64_t least = whole < LEAST_US ? whole : LEAST_US;
    const uint64_t fair = share < left ? share : left;
    return fair > least ? fair : least;
}

/* The first in line; NULL: none. Under the lock. */
static struct srv_thought *take(struct srv_hall *h)
{
    struct srv_thought *t = h->thinking;
    if (t == NULL)
        return NULL;
    h->thinking = t->next;
    if (h->thinking == NULL)
        h->thinking_last = &h->thinking;
    t->waited_us = srv_now_us() - t->asked_us;
    t->budget_us = share_us(h, t->waited_us);
    h->in_line--;
    return t;
}

static void think_about(struct srv_thought *t)
{
    const uint64_t begin_us = srv_now_us();
    srv_crash_at(&t->table, t->event);
    struct fm_budget budget = {.eyes = t->eyes, .sight = t->has_sight ? &t->sight : NULL};
    if (t->budget_us > 0) {
        budget.clock_us = srv_now_us;
        budget.until_us = begin_us + t->budget_us;
    }
    t->choice = t->bot->think(view_of(t), &t->rng, budget);
    t->took_us = srv_now_us() - begin_us;
    srv_crash_at(NULL, 0);
}

static void *think(void *arg)
{
    struct srv_hall *h = arg;
    (void)setpriority(PRIO_PROCESS, 0, LATER); /* of this thread alone, on Linux */
    (void)pthread_mutex_lock(&h->lock);
    while (!h->closing) {
        struct srv_thought *t = take(h);
        if (t == NULL) {
            (void)pthread_cond_wait(&h->think, &h->lock);
            continue;
        }
        if (!t->stale) {
            (void)pthread_mutex_unlock(&h->lock);
            think_about(t);
            (void)pthread_mutex_lock(&h->lock);
        }
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
    const unsigned wanted = h->limits.thinkers > 0 ? h->limits.thinkers : 1;
    h->eyes = open_eyes();
    if (h->eyes == NULL)
        return false;
    while (h->n_thinkers < wanted && h->n_thinkers < SRV_THINKERS &&
           pthread_create(&h->thinker[h->n_thinkers], NULL, think, h) == 0)
        h->n_thinkers++;
    if (h->n_thinkers == 0)
        free(h->eyes);
    return h->n_thinkers > 0;
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
    (void)pthread_cond_broadcast(&h->think);
    (void)pthread_mutex_unlock(&h->lock);
    for (unsigned i = 0; i < h->n_thinkers; i++)
        (void)pthread_join(h->thinker[i], NULL);
    free_thoughts(h->thinking);
    free_thoughts(h->thought);
    h->thinking = h->thought = NULL;
    free(h->eyes);
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

/* Nobody wants to know any more. */
static void drop(struct srv_hall *h, struct srv_plan *plan)
{
    if (plan->job == NULL)
        return;
    (void)pthread_mutex_lock(&h->lock);
    plan->job->stale = true;
    (void)pthread_mutex_unlock(&h->lock);
    plan->job = NULL;
}

static void ask(struct srv_hall *h, struct srv_place *p, unsigned seat, uint32_t seq,
                const struct fm_bot *bot)
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
    job->table = t->id;
    job->event = t->seq;
    job->game = g;
    job->bot = bot;
    bot_rng(&job->rng, t, seat, "think", seq);
    if (g->look != NULL) {
        bot_rng(&plan->look, t, seat, "look", seq);
        job->eyes = eyes_of(h, job->bot);
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
    p->thinking++;
    h->stats.thinking++;
    job->asked_us = srv_now_us();
    (void)pthread_mutex_lock(&h->lock);
    h->in_line++;
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
        const struct fm_bot *bot = t->state == ST_PLAYING && t->seat[seat].bot[0] != '\0'
                                       ? fm_bot_find(t->setup.game, t->seat[seat].bot)
                                       : NULL; /* of another version: that one will know it */
        if (bot == NULL || !(pub->may >> seat & 1) || !srv_keeps(h, p)) {
            drop(h, plan);
            plan->asked = false;
            plan->action = 0;
            continue;
        }
        const uint32_t seq = fm_view_seq(fm_view_of(t->setup.game, t->match, (int)seat));
        if (!plan->asked || plan->seq != seq)
            ask(h, p, seat, seq, bot);
    }
}

static void take_choice(struct srv_hall *h, const struct srv_thought *t)
{
    struct srv_place *p = t->place;
    struct srv_plan *plan = &p->plan[t->seat];
    p->thinking--;
    if (plan->job == t)
        plan->job = NULL;
    if (!t->stale && plan->asked && plan->seq == t->seq && t->choice.action != 0) {
        const uint32_t pause =
            t->choice.after_ms < h->limits.bot_ms ? t->choice.after_ms : h->limits.bot_ms;
        plan->action = t->choice.action;
        plan->at_ms = plan->asked_ms + pause; /* it may be long past */
        srv_bots_tick(h, p);
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
        h->stats.thinking--;
        if (t->stale) {
            h->stats.dropped++;
        } else {
            srv_histogram_add(&h->stats.waited, t->waited_us);
            srv_histogram_add(&h->stats.thought, t->took_us);
        }
        if (t->place != NULL)
            take_choice(h, t);
        free(t);
        t = next;
    }
}

bool srv_bots_will_act(const struct srv_place *p)
{
    for (unsigned seat = 0; seat < p->table.setup.n_seats; seat++)
        if (p->plan[seat].job != NULL || p->plan[seat].action != 0)
            return true;
    return false;
}

unsigned srv_bots_jobs(const struct srv_place *p)
{
    unsigned n = 0;
    for (unsigned seat = 0; seat < p->table.setup.n_seats; seat++)
        n += p->plan[seat].job != NULL;
    return n;
}

void srv_bots_leave(struct srv_hall *h, struct srv_place *p)
{
    for (unsigned seat = 0; seat < p->table.setup.n_seats; seat++) {
        if (p->plan[seat].job != NULL)
            p->plan[seat].job->place = NULL;
        drop(h, &p->plan[seat]);
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
