/* hall_requests.c: requests to a table are queued, drafted, given to the store one at a time, and
 * answered. */
#include "server/hall_state.h"

#include "base/panic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RACES 100 /* most races that a request may lose */

/* ---- requests and drafts --------------------------------------------------------------------- */

struct srv_request *srv_request_new(struct srv_hall *h, struct srv_slot *slot,
                                    enum srv_request_kind kind, struct srv_call *call)
{
    struct srv_request *req = calloc(1, sizeof *req);
    if (req == NULL)
        return NULL;
    req->hall = h;
    req->slot = slot;
    req->kind = kind;
    req->call = call;
    req->seat = FM_WATCHER;
    req->at_ms = h->now_ms;
    if (call != NULL)
        call->request = req;
    return req;
}

/* Drafts are large, and every action needs one: some are kept for reuse. */
struct srv_draft *srv_draft_new(struct srv_hall *h)
{
    struct srv_draft *d = h->n_spare > 0 ? h->spare[--h->n_spare] : malloc(sizeof *d);
    if (d != NULL)
        d->record = d->handed = NULL; /* it may be refused before anything is written */
    return d;
}

void srv_draft_give(struct srv_hall *h, struct srv_draft *d)
{
    if (d == NULL)
        return;
    srv_draft_finish(d);
    if (h->n_spare < SRV_SPARE)
        h->spare[h->n_spare++] = d;
    else
        free(d);
}

void srv_request_free(struct srv_request *req)
{
    if (req->again != NULL)
        srv_request_free(req->again);
    if (req->merged != NULL)
        srv_request_free(req->merged);
    if (req->kind == SRV_REQUEST_CLOCK)
        req->slot->clock_waits = false;
    if (req->kind == SRV_REQUEST_HANDED)
        srv_slot_destroy(req->slot);
    json_decref(req->body);
    srv_draft_give(req->hall, req->draft);
    free(req);
}

void srv_request_refuse(struct srv_request *req)
{
    if (req->stream != NULL && req->id[0] != '\0')
        srv_send_refusal(req->hall, req->stream, req->id, &req->fault);
    if (req->call != NULL)
        srv_answer_error(req->hall, req->call, &req->fault);
    for (struct srv_request *m = req->merged; m != NULL; m = m->merged)
        if (m->call != NULL)
            srv_answer_error(req->hall, m->call, &req->fault);
}

/* ---- to the store ---------------------------------------------------------------------------- */

/* On the store's thread. */
static void stored(void *arg, enum fm_err err, const struct fm_fault *fault)
{
    struct srv_request *req = arg;
    struct srv_hall *h = req->hall;
    req->err = err;
    req->settled_us = srv_now_us();
    if (err != FM_OK)
        req->fault = *fault;
    (void)pthread_mutex_lock(&h->lock);
    req->next = NULL;
    *h->settled_last = req;
    h->settled_last = &req->next;
    (void)pthread_mutex_unlock(&h->lock);
    h->net.wake(h->net.arg);
}

void srv_queue_write(struct srv_request *req)
{
    req->seq = req->slot->table.seq + 1;
    req->next = req->hall->ready;
    req->hall->ready = req;
}

/* The node that starts a game, or puts a bot into it, becomes its keeper. */
static bool makes_keeper(enum srv_kind kind)
{
    return kind == SRV_STARTED || kind == SRV_BOT_SET;
}

/* The keeper should be the node that serves the table. If another node is still the keeper, for
 * instance after a failure, that node is told of every move, for nothing. */
static bool takes_over(const struct srv_hall *h, const struct srv_slot *slot)
{
    return h->shared && !slot->kept && slot->table.state == ST_PLAYING && slot->streams != NULL &&
           !srv_has_peers(h, slot);
}

static bool submit(struct srv_request *req)
{
    const struct srv_draft *d = req->draft;
    req->keeps = makes_keeper(d->kind) || takes_over(req->hall, req->slot);
    struct st_write write = {.table = req->slot->table.id,
                             .seq = req->seq,
                             .event = d->handed != NULL ? d->handed : d->text,
                             .n = d->n,
                             .change = d->change};
    write.change.keeps = req->keeps;
    return st_submit(req->hall->store, &write, stored, req, &req->fault) == FM_OK;
}

/* ---- drafting -------------------------------------------------------------------------------- */

static enum fm_err draft_act(struct srv_request *req)
{
    return srv_draft_did(req->draft, &req->slot->table, req->seat,
                         req->id[0] != '\0' ? req->id : NULL, req->action, req->at_ms,
                         req->credit_ms, &req->fault);
}

/* If the owner of its seat has used up the allowed repetitions, a bot does something else; if it
 * can do nothing else, it waits for the next change. */
static enum fm_err draft_bot_act(struct srv_request *req)
{
    const struct srv_table *t = &req->slot->table;
    const enum fm_err err = draft_act(req);
    if (err != FM_E_OFTEN)
        return err;
    req->action = srv_unrepeated_action(fm_view_of(t->setup.game, t->match, req->seat));
    req->slot->plan[req->seat].asked = req->action == 0;
    return req->action != 0 ? draft_act(req) : err;
}

static enum fm_err draft(struct srv_request *req)
{
    const struct srv_table *t = &req->slot->table;
    struct srv_draft *d = req->draft;
    struct fm_fault *f = &req->fault;
    const uint64_t now = req->hall->now_ms;
    uint8_t hash[ST_HASH_BYTES];
    struct fm_in in, value;
    const char *text = NULL;
    if (srv_slot_refusal(req->slot, f) != FM_OK)
        return f->code;
    switch (req->kind) {
    case SRV_REQUEST_SEAT:
        srv_token_hash(hash, req->token);
        return srv_draft_sat(d, t, req->body, hash, &req->seat, f);
    case SRV_REQUEST_ENTROPY:
        return srv_draft_entropy(d, t, req->seat, req->body, f);
    case SRV_REQUEST_LEAVE:
        return srv_draft_left(d, t, req->seat, f);
    case SRV_REQUEST_BOT:
        return srv_draft_bot(d, t, req->seat, req->has_bot ? req->bot : NULL, f);
    case SRV_REQUEST_START:
        return srv_draft_started(d, t, now, f);
    case SRV_REQUEST_ACT:
        return req->of_bot ? draft_bot_act(req) : draft_act(req);
    case SRV_REQUEST_CLOCK:
        return srv_draft_clock(d, t, now, f);
    case SRV_REQUEST_NOTES:
        in = fm_in_root(req->body, "", f);
        if (!fm_in_get(&in, "notes", &value))
            return f->code;
        if ((text = json_string_value(value.json)) == NULL)
            return fm_fail(f, FM_E_VALUE, "notes: a text is expected");
        return srv_draft_noted(d, t, req->seat, text, strlen(text), f);
    case SRV_REQUEST_REMATCH: /* hall_make.c */
    case SRV_REQUEST_TABLE:
    case SRV_REQUEST_HANDED: /* hall_handed.c */
        break;
    }
    return fm_fail_plain(f, FM_E_VALUE);
}

/* The view has changed since the bot chose, or the bot no longer plays. */
static bool is_stale(const struct srv_request *req)
{
    const struct srv_table *t = &req->slot->table;
    return req->kind == SRV_REQUEST_ACT && req->of_bot &&
           (t->seat[req->seat].bot[0] == '\0' ||
            fm_view_seq(fm_view_of(t->setup.game, t->match, req->seat)) != req->view_seq);
}

/* A person with this token sits here already: the request was sent before. */
static bool is_seat_retry(struct srv_request *req)
{
    uint8_t hash[ST_HASH_BYTES];
    srv_token_hash(hash, req->token);
    req->seat = srv_table_seat_of(&req->slot->table, hash);
    if (req->seat != SRV_NO_SEAT)
        srv_answer_seat(req);
    return req->seat != SRV_NO_SEAT;
}

static bool is_entropy_retry(struct srv_request *req)
{
    if (req->seat < 0 || !srv_table_has_entropy(&req->slot->table, req->seat, req->body))
        return false;
    srv_answer_empty(req->hall, req->call);
    return true;
}

/* Answers again what was done already. */
static bool is_retry(struct srv_request *req)
{
    uint32_t seq;
    if (req->kind == SRV_REQUEST_SEAT)
        return is_seat_retry(req);
    if (req->kind == SRV_REQUEST_ENTROPY)
        return is_entropy_retry(req);
    if (req->kind != SRV_REQUEST_ACT || req->of_bot || req->seat < 0 ||
        !srv_table_has_action(&req->slot->table, req->seat, req->id, &seq))
        return false;
    if (req->stream != NULL)
        srv_send_ack(req->hall, req->stream, req->id, seq);
    return true;
}

/* Drafts a request for the store, or answers and frees it. */
static void go(struct srv_request *req)
{
    struct srv_slot *slot = req->slot;
    if (is_stale(req) || is_retry(req)) {
        srv_request_free(req);
        return;
    }
    req->draft = srv_draft_new(req->hall);
    if (req->draft == NULL)
        fm_fail_plain(&req->fault, FM_E_MEMORY);
    else if (draft(req) == FM_OK)
        slot->in_flight = req;
    if (slot->in_flight == req) {
        srv_queue_write(req);
    } else {
        srv_request_refuse(req);
        srv_request_free(req);
    }
}

/* Drafts the next of the queue, unless one is in flight. */
void srv_request_next(struct srv_slot *slot)
{
    while (slot->in_flight == NULL && slot->first != NULL) {
        struct srv_request *req = slot->first;
        slot->first = req->next;
        if (slot->first == NULL)
            slot->last = &slot->first;
        slot->n_waiting--;
        srv_crash_at(&slot->table.id, slot->table.seq + 1);
        if (req->kind == SRV_REQUEST_REMATCH) {
            slot->in_flight =
                req; /* so that the table is not evicted to make room for the new one */
            if (!srv_rematch(req))
                slot->in_flight = NULL;
            continue;
        }
        struct srv_hall *h = req->hall;
        srv_delay_begin(req);
        go(req);
        srv_delay_end(h);
    }
}

void srv_request_queue(struct srv_request *req)
{
    struct srv_slot *slot = req->slot;
    if (slot->n_waiting >= req->hall->limits.waiting) {
        fm_fail_plain(&req->fault, FM_E_BUSY);
        srv_request_refuse(req);
        srv_request_free(req);
        return;
    }
    req->next = NULL;
    *slot->last = req;
    slot->last = &req->next;
    slot->n_waiting++;
    srv_request_next(slot);
}

void srv_request_bot(struct srv_request *req, int seat, const char *bot)
{
    req->seat = seat;
    req->has_bot = bot != NULL;
    if (bot != NULL)
        (void)snprintf(req->bot, sizeof req->bot, "%s", bot);
    srv_request_queue(req);
}

/* ---- back from the store --------------------------------------------------------------------- */

/* The event is durable: commits it, sends the change and answers. */
static void succeed(struct srv_request *req)
{
    struct srv_hall *h = req->hall;
    struct srv_slot *slot = req->slot;
    struct fm_fault fault;
    _Alignas(8) uint8_t before[FM_STATE_MAX];
    const uint64_t deadline = srv_table_deadline(&slot->table);
    memcpy(before, slot->table.match, slot->table.setup.game->state_size);
    fm_assert(srv_table_commit(&slot->table, req->draft, &fault) == FM_OK);
    if (req->keeps) {
        slot->kept = true;
        slot->kept_seq = req->seq;
    }
    srv_publish_change(h, slot, req->draft, before, deadline, req->seat);
    if (slot->streams != NULL && h->n_sending < SRV_SENDING)
        h->durable_us[h->n_sending++] = req->settled_us;
    switch (req->kind) {
    case SRV_REQUEST_SEAT:
        srv_answer_seat(req);
        break;
    case SRV_REQUEST_BOT:
        srv_answer_done(req);
        break;
    case SRV_REQUEST_ACT:
        h->stats.moves++;
        if (req->stream != NULL)
            srv_send_ack(
                h, req->stream, req->id,
                fm_view_seq(fm_view_of(slot->table.setup.game, slot->table.match, req->seat)));
        break;
    case SRV_REQUEST_REMATCH:
        srv_answer_table(h, req->call, &req->next_table, NULL, NULL);
        break;
    default:
        for (struct srv_request *one = req; one != NULL; one = one->merged)
            srv_answer_empty(h, one->call);
        break;
    }
}

static void queue_first(struct srv_request *req)
{
    struct srv_slot *slot = req->slot;
    srv_draft_give(req->hall, req->draft);
    req->draft = NULL;
    req->raced = false;
    req->next = slot->first;
    if (slot->first == NULL)
        slot->last = &req->next;
    slot->first = req;
    slot->n_waiting++;
}

/* Another node wrote this event first: the request is drafted again when that has been read. The
 * queue of the table waits. */
static bool lost_race(struct srv_request *req)
{
    if (req->err != FM_E_CONFLICT || req->lost++ >= RACES)
        return false;
    struct srv_waiters *waiters = srv_catch_up(req->hall, req->slot);
    if (waiters == NULL)
        return false;
    waiters->request = req;
    req->raced = true;
    return true;
}

void srv_request_settle(struct srv_request *req)
{
    struct srv_slot *slot = req->slot;
    struct srv_hall *h = req->hall;
    srv_crash_at(&slot->table.id, req->seq);
    if (req->kind == SRV_REQUEST_TABLE) {
        srv_made_table(req);
        return;
    }
    if (req->kind == SRV_REQUEST_HANDED) {
        srv_handed_stored(req);
        return;
    }
    const bool done = req->err == FM_OK;
    if (!done && lost_race(req))
        return;
    slot->in_flight = NULL;
    srv_delay_begin(req);
    if (done)
        succeed(req);
    else
        srv_request_refuse(req);
    srv_delay_end(h);
    if (!done) /* another node may have written this event: see srv_check_head */
        srv_check_head(h, slot, slot->notified_seq);
    if (h->net.flush != NULL)
        h->net.flush(h->net.arg);
    srv_request_free(req);
    if (done)
        srv_bots_ask(h, slot);
    srv_request_next(slot);
}

void srv_request_raced(struct srv_request *req, const struct fm_fault *fault)
{
    struct srv_slot *slot = req->slot;
    slot->in_flight = NULL;
    if (fault == NULL && slot->table.seq >= req->seq) {
        queue_first(req);
    } else {
        if (fault != NULL)
            req->fault = *fault;
        srv_request_refuse(req);
        srv_request_free(req);
    }
    srv_request_next(slot);
}

/* Gives all of the list to the store; what the store refuses at once is settled at once. */
static void submit_all(struct srv_request *req)
{
    for (struct srv_request *next; req != NULL; req = next) {
        next = req->next;
        if (submit(req))
            continue;
        req->err = req->fault.code;
        srv_request_settle(req);
    }
}

/* libev reports the events of one turn in reverse order. Requests must be served in the order in
 * which they came, so the list is reversed again, and goes to the store as one group. */
static void submit_ready(struct srv_hall *h)
{
    st_hold(h->store, true);
    while (h->ready != NULL) {
        struct srv_request *req = h->ready;
        h->ready = NULL;
        submit_all(req);
    }
    st_hold(h->store, false);
}

void srv_hall_turn(struct srv_hall *h)
{
    if (h->ready != NULL)
        submit_ready(h);
    srv_reads_begin(h);
}
