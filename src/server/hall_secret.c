/*
 * hall_secret.c: at tables where seats act in secret, what an action leads to is told a fixed time
 * after the action came.
 *
 * One event of a table is stored at a time, so an action that comes while another seat's is being
 * stored is stored later; and how long an answer takes would tell that somebody else acted just
 * now. All that an action says to a stream (acknowledgement, refusal, change) therefore waits until
 * limits.secret_ms after its arrival, which is longer than storing two events takes. Each stream
 * has a line of its own: what waits for one delays no other.
 */
#include "server/hall_state.h"

#include <stdlib.h>
#include <string.h>

static bool is_secretive(const struct srv_wish *w)
{
    const struct fm_game *g = w->place->table.setup.game;
    return (w->what == SRV_WANTS_ACT || w->what == SRV_WANTS_CLOCK) && g != NULL &&
           g->hidden_verbs != 0;
}

void srv_tell_later(const struct srv_wish *w)
{
    struct srv_hall *h = w->hall;
    h->told_at_ms = is_secretive(w) ? w->at_ms + h->limits.secret_ms : 0;
}

void srv_tell_at_once(struct srv_hall *h)
{
    h->told_at_ms = 0;
}

static bool hold_back(struct srv_hall *h, struct srv_live *live, const struct fm_out *o)
{
    struct srv_held *held = malloc(sizeof *held + o->len);
    if (held == NULL)
        return false;
    held->next = NULL;
    held->due_ms = h->told_at_ms;
    held->n = o->len;
    memcpy(held->text, o->buf, o->len);
    *(live->held != NULL ? &live->last_held->next : &live->held) = held;
    live->last_held = held;
    live->place->n_held++;
    return true;
}

static void let_go(struct srv_live *live)
{
    struct srv_held *held = live->held;
    live->held = held->next;
    live->place->n_held--;
    free(held);
}

void srv_say(struct srv_hall *h, struct srv_live *live, const struct fm_out *o)
{
    const bool waits = live->held != NULL || h->told_at_ms > h->now_ms;
    if (waits && live->place != NULL && hold_back(h, live, o))
        return;
    h->net.send(h->net.arg, live, o->buf, o->len);
}

void srv_say_due(struct srv_hall *h, struct srv_place *p)
{
    for (struct srv_live *l = p->lives; l != NULL && p->n_held > 0; l = l->next)
        while (l->held != NULL && l->held->due_ms <= h->now_ms) {
            h->net.send(h->net.arg, l, l->held->text, l->held->n);
            let_go(l);
        }
}

void srv_forget_held(struct srv_live *live)
{
    while (live->held != NULL)
        let_go(live);
}
