/*
 * hall_catch_up.c: reads what other nodes wrote at a table that is in memory.
 *
 * Only the log counts. A node that learns that a table has more events than it knows reads them,
 * and sends the changes to its own streams. A node that loses a race for the next event does the
 * same, and then drafts its request again.
 */
#include "server/hall_state.h"

#include <stdlib.h>
#include <string.h>

struct catch_up { /* events that other nodes wrote, being read */
    struct srv_read read;
    struct srv_slot *slot; /* it stays in memory meanwhile */
    struct st_id id;
    uint64_t from;
    uint8_t *bytes; /* a struct written and the bytes of its event, repeated */
    size_t n, cap;
    enum fm_err err;
    struct fm_fault fault;
    struct srv_waiters waiters;
};

struct written {
    uint64_t seq;
    size_t n;
};

/* ---- events become the table's --------------------------------------------------------------- */

/* Whether this is our own write, whose done has not been called yet; that will commit it. If
 * another node wrote exactly the same, done will report a conflict. */
static bool is_own_write(const struct srv_slot *slot, uint64_t seq, const void *event, size_t n)
{
    const struct srv_request *req = slot->in_flight;
    return req != NULL && !req->raced && req->draft != NULL && req->seq == seq &&
           req->draft->n == n && memcmp(req->draft->text, event, n) == 0;
}

/* Applies the next event to the table; false: stop, f->err says why. */
static bool follow(struct srv_hall *h, struct catch_up *f, struct srv_draft *d, uint64_t seq,
                   const void *event, size_t n)
{
    struct srv_slot *slot = f->slot;
    struct srv_table *t = &slot->table;
    _Alignas(8) uint8_t before[FM_STATE_MAX];
    const uint64_t deadline = srv_table_deadline(t);
    srv_crash_at(&t->id, seq);
    if (is_own_write(slot, seq, event, n))
        return false;
    memcpy(before, t->match, t->setup.game->state_size);
    f->err = srv_table_expects(t, seq, &f->fault);
    if (f->err == FM_OK)
        f->err = srv_table_follow(t, d, event, n, &f->fault);
    if (f->err != FM_OK)
        return false;
    srv_table_sync_time(t, h->now_ms);
    if (d->kind == SRV_STARTED || d->kind == SRV_BOT_SET)
        slot->kept = false; /* the node that wrote it is the keeper */
    srv_publish_change(h, slot, d, before, deadline, d->seat);
    return true;
}

/* This program does not understand the log: the clients may reach a node with a newer program. */
static void close_unreadable(struct srv_hall *h, struct srv_slot *slot,
                             const struct fm_fault *fault)
{
    if (slot->streams != NULL || slot->kept)
        srv_log_unreadable(&slot->table.id, "followed", fault);
    slot->kept = false;
    for (struct srv_stream *stream = slot->streams, *next; stream != NULL; stream = next) {
        next = stream->next;
        h->net.ask_reconnect(h->net.arg, stream);
    }
}

/* Applies everything that was read. If this program does not understand an event, its streams are
 * asked to reconnect. */
static void apply_all(struct srv_hall *h, struct catch_up *f)
{
    struct srv_slot *slot = f->slot;
    struct srv_draft *d = srv_draft_new(h);
    struct written head;
    const uint64_t seq = slot->table.seq;
    bool goes_on = true;
    if (d == NULL) {
        f->err = fm_fail_plain(&f->fault, FM_E_MEMORY);
        return;
    }
    for (size_t at = 0; at < f->n && goes_on; at += sizeof head + head.n) {
        memcpy(&head, f->bytes + at, sizeof head);
        if (head.seq > slot->table.seq) /* otherwise it was our own write */
            goes_on = follow(h, f, d, head.seq, f->bytes + at + sizeof head, head.n);
    }
    srv_draft_give(h, d);
    if (f->err != FM_OK) {
        f->fault.code = f->err;
        close_unreadable(h, slot, &f->fault);
    }
    if (slot->table.seq > seq) {
        if (h->net.flush != NULL)
            h->net.flush(h->net.arg);
        srv_bots_ask(h, slot);
    }
}

/* ---- on a reader's thread -------------------------------------------------------------------- */

/* On a reader's thread. */
static bool collect(void *arg, uint64_t seq, const void *event, size_t n)
{
    struct catch_up *f = arg;
    const struct written head = {seq, n};
    const size_t more = sizeof head + n;
    if (f->n + more > f->cap) {
        const size_t cap = 2 * (f->n + more);
        uint8_t *bytes = realloc(f->bytes, cap);
        if (bytes == NULL)
            return false; /* the rest is read the next time */
        f->bytes = bytes;
        f->cap = cap;
    }
    memcpy(f->bytes + f->n, &head, sizeof head);
    memcpy(f->bytes + f->n + sizeof head, event, n);
    f->n += more;
    return true;
}

static void read_catch_up(struct srv_read *read)
{
    struct catch_up *f = (struct catch_up *)read;
    f->err = st_read_log(read->hall->store, &f->id, f->from, collect, f, &f->fault);
}

static void free_catch_up(struct srv_read *read)
{
    struct catch_up *f = (struct catch_up *)read;
    srv_waiters_free(&f->waiters);
    free(f->bytes);
    free(f);
}

/* ---- the loop's side ------------------------------------------------------------------------- */

static struct catch_up *start_catch_up(struct srv_hall *h, struct srv_slot *slot);

static void restart_catch_up(struct srv_hall *h, struct srv_slot *slot);

static void caught_up(struct srv_read *read)
{
    struct catch_up *f = (struct catch_up *)read;
    struct srv_hall *h = read->hall;
    struct srv_slot *slot = f->slot;
    if (f->err == FM_OK)
        apply_all(h, f);
    else if (f->err == FM_E_NO_TABLE)
        srv_slot_removed(h, slot);
    const struct fm_fault *fault = f->err != FM_OK ? &f->fault : NULL;
    struct srv_request *const request = f->waiters.request;
    slot->catching_up = NULL;
    if (slot->catch_up_again || (fault == NULL && f->n > 0 && slot->notified_seq > slot->table.seq))
        restart_catch_up(h, slot);
    f->waiters.request = NULL;
    if (request != NULL)
        srv_request_raced(request, fault);
    for (const struct srv_queued_notice *one = f->waiters.notices; one != NULL; one = one->next)
        srv_notice_handle(h, &one->notice, true);
    for (struct srv_parked *parked = f->waiters.first; parked != NULL; parked = parked->next)
        parked->fresh = true;
    srv_waiters_resume(srv_waiters_take(&f->waiters), fault);
    free_catch_up(read);
}

static struct catch_up *start_catch_up(struct srv_hall *h, struct srv_slot *slot)
{
    struct catch_up *f = calloc(1, sizeof *f);
    if (f == NULL)
        return NULL;
    f->read = (struct srv_read){.work = read_catch_up, .done = caught_up, .free = free_catch_up};
    f->slot = slot;
    f->id = slot->table.id;
    f->from = slot->table.seq + 1;
    slot->catching_up = &f->read;
    srv_read_queue(h, &f->read);
    return f;
}

/* For requests that arrived while the log was being read. */
static void restart_catch_up(struct srv_hall *h, struct srv_slot *slot)
{
    struct srv_waiters waiting = slot->waiting;
    struct catch_up *next = start_catch_up(h, slot);
    struct fm_fault fault = {.action = -1};
    slot->waiting = (struct srv_waiters){0};
    slot->catch_up_again = false;
    if (next != NULL) {
        next->waiters = waiting;
        return;
    }
    (void)fm_fail_plain(&fault, FM_E_MEMORY);
    if (waiting.request != NULL)
        srv_request_raced(waiting.request, &fault);
    waiting.request = NULL;
    srv_waiters_resume(srv_waiters_take(&waiting), &fault);
    srv_waiters_free(&waiting);
}

struct srv_waiters *srv_catch_up(struct srv_hall *h, struct srv_slot *slot)
{
    if (slot->catching_up != NULL && srv_read_begun(h, slot->catching_up)) {
        slot->catch_up_again = true; /* the read may have begun before the latest write */
        return &slot->waiting;
    }
    struct catch_up *f =
        slot->catching_up != NULL ? (struct catch_up *)slot->catching_up : start_catch_up(h, slot);
    return f != NULL ? &f->waiters : NULL;
}

/* This event is our own write, or the one that makes our write fail: its result will show which. */
static bool is_in_flight(const struct srv_slot *slot, uint64_t seq)
{
    const struct srv_request *req = slot->in_flight;
    return req != NULL && !req->raced && req->seq == seq;
}

/* Catches up if the log of a table in memory has more events than it knows. */
void srv_check_head(struct srv_hall *h, struct srv_slot *slot, uint64_t seq)
{
    if (seq > slot->notified_seq && seq < UINT64_MAX)
        slot->notified_seq = seq;
    if (seq > slot->table.seq && slot->catching_up == NULL && !is_in_flight(slot, seq))
        (void)srv_catch_up(h, slot); /* on failure srv_compare_heads will find it */
}
