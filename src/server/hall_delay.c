/*
 * hall_delay.c: at tables where seats act in secret, the messages that an action causes are sent a
 * fixed time after it arrived.
 *
 * The store writes one event of a table at a time, so an action that arrives while another seat's
 * is being written is answered later, and a client could tell from that delay that somebody else
 * has just acted. Therefore acknowledgement, refusal and change are held back until
 * limits.secret_ms after the action's arrival, which is longer than two writes take. Each stream
 * has its own queue: a message held back for one delays no other.
 */
#include "server/hall_state.h"

#include "base/panic.h"

#include <stdlib.h>
#include <string.h>

static bool is_secretive(const struct srv_request *req)
{
    const struct fm_game *g = req->slot->table.setup.game;
    return (req->kind == SRV_REQUEST_ACT || req->kind == SRV_REQUEST_CLOCK) && g != NULL &&
           g->hidden_verbs != 0;
}

void srv_delay_begin(const struct srv_request *req)
{
    struct srv_hall *h = req->hall;
    h->send_at_ms = is_secretive(req) ? req->at_ms + h->limits.secret_ms : 0;
}

void srv_delay_end(struct srv_hall *h)
{
    h->send_at_ms = 0;
}

static bool delay(struct srv_hall *h, struct srv_stream *stream, const struct fm_out *o)
{
    struct srv_delayed *message = malloc(sizeof *message + o->len);
    if (message == NULL)
        return false;
    message->next = NULL;
    message->due_ms = h->send_at_ms;
    message->n = o->len;
    memcpy(message->text, o->buf, o->len);
    *(stream->delayed != NULL ? &stream->last_delayed->next : &stream->delayed) = message;
    stream->last_delayed = message;
    stream->slot->n_delayed++;
    return true;
}

static void drop_first(struct srv_stream *stream)
{
    struct srv_delayed *message = stream->delayed;
    stream->delayed = message->next;
    stream->slot->n_delayed--;
    free(message);
}

void srv_send(struct srv_hall *h, struct srv_stream *stream, const struct fm_out *o)
{
    fm_assert(fm_out_ok(o));
    const bool waits = stream->delayed != NULL || h->send_at_ms > h->now_ms;
    if (waits && stream->slot != NULL && delay(h, stream, o))
        return;
    h->net.send(h->net.arg, stream, o->buf, o->len);
}

void srv_send_due(struct srv_hall *h, struct srv_slot *slot)
{
    for (struct srv_stream *stream = slot->streams; stream != NULL && slot->n_delayed > 0;
         stream = stream->next)
        while (stream->delayed != NULL && stream->delayed->due_ms <= h->now_ms) {
            h->net.send(h->net.arg, stream, stream->delayed->text, stream->delayed->n);
            drop_first(stream);
        }
}

void srv_delayed_drop(struct srv_stream *stream)
{
    while (stream->delayed != NULL)
        drop_first(stream);
}
