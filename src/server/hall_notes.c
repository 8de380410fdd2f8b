/*
 * hall_notes.c: the notes of seats are stored a moment after they change, not at each keystroke.
 *
 * New notes wait. If newer ones follow meanwhile, they replace them, and all these requests are
 * answered when the newest notes are stored. They are stored at once when the game ends, the seat
 * is left, or the server stops.
 */
#include "server/hall_state.h"

#include <string.h>

#define CALLERS 16 /* most requests that wait for the notes of a seat */

static struct srv_request *take(struct srv_hall *h, struct srv_request **at)
{
    struct srv_request *req = *at;
    *at = req->next;
    if (*at == NULL)
        h->noting_last = at;
    req->slot->noting[req->seat] = NULL;
    return req;
}

static void go(struct srv_hall *h, struct srv_request **at)
{
    srv_request_queue(take(h, at));
}

void srv_notes_put(struct srv_request *req)
{
    struct srv_hall *h = req->hall;
    struct srv_request *first = req->slot->noting[req->seat];
    unsigned callers = 0;
    if (first == NULL) {
        if (h->limits.notes_ms == 0) {
            srv_request_queue(req);
            return;
        }
        req->next = NULL;
        *h->noting_last = req;
        h->noting_last = &req->next;
        req->slot->noting[req->seat] = req;
        return;
    }
    for (const struct srv_request *one = first; one != NULL; one = one->merged)
        callers++;
    if (callers >= CALLERS) {
        fm_fail_plain(&req->fault, FM_E_BUSY);
        srv_request_refuse(req);
        srv_request_free(req);
        return;
    }
    json_t *const older = first->body;
    first->body = req->body;
    req->body = older;
    req->merged = first->merged;
    first->merged = req;
}

void srv_notes_tick(struct srv_hall *h)
{
    while (h->noting != NULL && h->now_ms >= h->noting->at_ms + h->limits.notes_ms)
        go(h, &h->noting);
}

void srv_notes_flush(struct srv_hall *h, const struct srv_slot *slot, int seat)
{
    for (struct srv_request **at = &h->noting; *at != NULL;)
        if ((slot == NULL || (*at)->slot == slot) && (seat == FM_WATCHER || (*at)->seat == seat))
            go(h, at);
        else
            at = &(*at)->next;
}

void srv_notes_forget(struct srv_hall *h, struct srv_slot *slot, int seat)
{
    struct srv_request **at = &h->noting;
    if (slot->noting[seat] == NULL)
        return;
    while (*at != slot->noting[seat])
        at = &(*at)->next;
    struct srv_request *req = take(h, at);
    req->seat = FM_WATCHER;
    srv_request_queue(req); /* to be refused when its turn comes */
}

bool srv_notes_wait(const struct srv_slot *slot)
{
    for (unsigned i = 0; i < FM_MAX_SEATS; i++)
        if (slot->noting[i] != NULL)
            return true;
    return false;
}

const char *srv_notes_of(const struct srv_slot *slot, int seat)
{
    const struct srv_request *req = slot->noting[seat];
    const char *text = req != NULL ? json_string_value(json_object_get(req->body, "notes")) : NULL;
    if (text == NULL)
        text = slot->table.seat[seat].notes;
    return text != NULL ? text : "";
}

void srv_notes_stop(struct srv_hall *h)
{
    for (struct srv_request *req = h->noting, *next; req != NULL; req = next) {
        next = req->next;
        srv_request_free(req);
    }
    h->noting = NULL;
}
