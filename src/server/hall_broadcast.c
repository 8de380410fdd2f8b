/* hall_broadcast.c: messages to all streams of a table: seats, the clock, changes, a rematch. */
#include "server/hall_state.h"

/* {"seats":[SEAT,…],"screen":true} */
void srv_put_who_is_here(struct fm_out *o, const struct srv_slot *slot)
{
    fm_js_object(o);
    fm_js_key(o, "seats");
    srv_put_seats(o, &slot->table, slot->here);
    fm_js_key(o, "screen");
    fm_js_bool(o, slot->here & SRV_SCREEN_HERE);
    fm_js_end_object(o);
}

void srv_broadcast_seats(struct srv_hall *h, struct srv_slot *slot)
{
    struct fm_out o;
    fm_out_init(&o, h->text, SRV_MESSAGE);
    srv_put_who_is_here(&o, slot);
    for (struct srv_stream *stream = slot->streams; stream != NULL; stream = stream->next)
        srv_send(h, stream, &o);
}

/* {"clock":ms}: how long until the clock is due; null: it does not tick. */
void srv_put_clock(struct fm_out *o, const struct srv_hall *h, const struct srv_table *t)
{
    const uint64_t deadline = srv_table_deadline(t);
    const uint64_t sent_ms = h->send_at_ms > h->now_ms ? h->send_at_ms : h->now_ms;
    fm_js_object(o);
    fm_js_key(o, "clock");
    if (deadline != 0)
        fm_js_int(o, deadline > sent_ms ? (int64_t)(deadline - sent_ms) : 0);
    else
        fm_js_null(o);
    fm_js_end_object(o);
}

static void broadcast_clock(struct srv_hall *h, struct srv_slot *slot)
{
    char text[64];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    srv_put_clock(&o, h, &slot->table);
    for (struct srv_stream *stream = slot->streams; stream != NULL; stream = stream->next)
        srv_send(h, stream, &o);
}

/* {"rematch":ID} */
void srv_put_rematch(struct fm_out *o, const struct srv_table *t)
{
    fm_js_object(o);
    fm_js_key(o, "rematch");
    fm_js_hex(o, t->rematch.bytes, sizeof t->rematch.bytes);
    fm_js_end_object(o);
}

static void broadcast_rematch(struct srv_hall *h, struct srv_slot *slot)
{
    char text[64];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    srv_put_rematch(&o, &slot->table);
    for (struct srv_stream *stream = slot->streams; stream != NULL; stream = stream->next)
        srv_send(h, stream, &o);
}

/* Sends the change to every viewer who can notice it. The text is built once per seat; the part
 * that all seats see is built only once. */
static void send_change(struct srv_hall *h, struct srv_slot *slot, const struct srv_draft *d,
                        const void *before)
{
    struct fm_memo memo = {0};
    struct fm_out out[FM_MAX_SEATS + 1]; /* by seat, watchers last */
    bool tells[FM_MAX_SEATS + 1];
    unsigned made = 0;
    for (struct srv_stream *stream = slot->streams; stream != NULL; stream = stream->next) {
        const unsigned i = stream->seat == FM_WATCHER ? FM_MAX_SEATS : (unsigned)stream->seat;
        if (!(made >> i & 1)) {
            made |= 1u << i;
            fm_out_init(&out[i], h->text + i * SRV_MESSAGE, SRV_MESSAGE);
            out[i].memo = &memo;
            tells[i] = srv_put_change(&out[i], &slot->table, d, before, stream->seat);
        }
        if (tells[i])
            srv_send(h, stream, &out[i]);
    }
}

void srv_hall_sent(struct srv_hall *h)
{
    const uint64_t now = h->n_sending > 0 ? srv_now_us() : 0;
    while (h->n_sending > 0)
        srv_histogram_add(&h->stats.delivery, now - h->durable_us[--h->n_sending]);
}

/* ---- a change -------------------------------------------------------------------------------- */

static void ask_as_watcher(struct srv_request *req, int seat)
{
    if (req->seat == seat && (req->kind == SRV_REQUEST_ACT || req->kind == SRV_REQUEST_NOTES ||
                              req->kind == SRV_REQUEST_LEAVE || req->kind == SRV_REQUEST_ENTROPY))
        req->seat = FM_WATCHER;
}

/* The former owner of a seat becomes a watcher, and its queued requests lose the seat: it may
 * belong to somebody else by the time they are handled. */
static void forget_owner(struct srv_hall *h, struct srv_slot *slot, int seat)
{
    for (struct srv_stream *stream = slot->streams; stream != NULL; stream = stream->next)
        if (stream->seat == seat)
            stream->seat = FM_WATCHER;
    if (slot->in_flight != NULL) /* it lost a race to another node, and will be drafted again */
        ask_as_watcher(slot->in_flight, seat);
    for (struct srv_request *req = slot->first; req != NULL; req = req->next)
        ask_as_watcher(req, seat);
    srv_notes_forget(h, slot, seat);
    srv_peers_forget(slot, seat);
    if (slot->holder == seat)
        slot->holder = FM_WATCHER;
}

void srv_publish_change(struct srv_hall *h, struct srv_slot *slot, const struct srv_draft *d,
                        const void *before, uint64_t deadline_before, int seat)
{
    srv_ocean_update(h->oceans, &slot->ocean, &slot->table);
    if (d->kind == SRV_DID || d->kind == SRV_STARTED)
        send_change(h, slot, d, before);
    if (srv_table_deadline(&slot->table) != deadline_before)
        broadcast_clock(h, slot);
    srv_reactions_follow(h, slot, d, before);
    if (d->kind == SRV_LEFT)
        forget_owner(h, slot, seat);
    if (d->kind == SRV_STARTED || d->kind == SRV_CLOSED)
        srv_waiting_done(h, &slot->table.id);
    if (d->kind == SRV_CLOSED)
        srv_slot_closed(h, slot);
    if (slot->table.state == ST_OVER && srv_notes_wait(slot))
        srv_notes_flush(h, slot, FM_WATCHER);
    if (d->kind == SRV_BOT_SET)
        srv_forget_votes(slot, seat);
    if (d->kind == SRV_SAT || d->kind == SRV_LEFT || d->kind == SRV_BOT_SET)
        srv_broadcast_seats(h, slot);
    if (d->kind == SRV_AGAIN)
        broadcast_rematch(h, slot);
}
