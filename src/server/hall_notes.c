/*
 * hall_notes.c: notes of seats are stored once they have settled, not at each key.
 *
 * What a seat puts waits a moment. If it puts something else meanwhile, that takes its place, and
 * whoever put either is answered when the last is stored. It does not wait for the end of a game,
 * for a seat that is left, nor for a server that stops.
 */
#include "server/hall_state.h"

#include <string.h>

#define CALLERS 16 /* that wait for one seat's notes */

static struct srv_wish *take(struct srv_hall *h, struct srv_wish **at)
{
    struct srv_wish *w = *at;
    *at = w->next;
    if (*at == NULL)
        h->noting_last = at;
    w->place->noting[w->seat] = NULL;
    return w;
}

static void go(struct srv_hall *h, struct srv_wish **at)
{
    srv_wish_queue(take(h, at));
}

void srv_notes_put(struct srv_wish *w)
{
    struct srv_hall *h = w->hall;
    struct srv_wish *first = w->place->noting[w->seat];
    unsigned callers = 0;
    if (first == NULL) {
        if (h->limits.notes_ms == 0) {
            srv_wish_queue(w);
            return;
        }
        w->next = NULL;
        *h->noting_last = w;
        h->noting_last = &w->next;
        w->place->noting[w->seat] = w;
        return;
    }
    for (const struct srv_wish *one = first; one != NULL; one = one->merged)
        callers++;
    if (callers >= CALLERS) {
        fm_fail_plain(&w->fault, FM_E_BUSY);
        srv_wish_refuse(w);
        srv_wish_free(w);
        return;
    }
    json_t *const older = first->body;
    first->body = w->body;
    w->body = older;
    w->merged = first->merged;
    first->merged = w;
}

void srv_notes_tick(struct srv_hall *h)
{
    while (h->noting != NULL && h->now_ms >= h->noting->at_ms + h->limits.notes_ms)
        go(h, &h->noting);
}

void srv_notes_flush(struct srv_hall *h, const struct srv_place *p, int seat)
{
    for (struct srv_wish **at = &h->noting; *at != NULL;)
        if ((p == NULL || (*at)->place == p) && (seat == FM_WATCHER || (*at)->seat == seat))
            go(h, at);
        else
            at = &(*at)->next;
}

void srv_notes_forget(struct srv_hall *h, struct srv_place *p, int seat)
{
    struct srv_wish **at = &h->noting;
    if (p->noting[seat] == NULL)
        return;
    while (*at != p->noting[seat])
        at = &(*at)->next;
    struct srv_wish *w = take(h, at);
    w->seat = FM_WATCHER;
    srv_wish_queue(w); /* to be refused in its turn */
}

bool srv_notes_wait(const struct srv_place *p)
{
    for (unsigned i = 0; i < FM_MAX_SEATS; i++)
        if (p->noting[i] != NULL)
            return true;
    return false;
}

const char *srv_notes_of(const struct srv_place *p, int seat)
{
    const struct srv_wish *w = p->noting[seat];
    const char *text = w != NULL ? json_string_value(json_object_get(w->body, "notes")) : NULL;
    if (text == NULL)
        text = p->table.seat[seat].notes;
    return text != NULL ? text : "";
}

void srv_notes_stop(struct srv_hall *h)
{
    for (struct srv_wish *w = h->noting, *next; w != NULL; w = next) {
        next = w->next;
        srv_wish_free(w);
    }
    h->noting = NULL;
}
