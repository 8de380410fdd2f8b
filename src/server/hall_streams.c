/* hall_streams.c: streams: hello, actions, looks, and which seats are connected. */
#include "server/hall_state.h"
#include "server/picture_waits.h"

#include "base/hash.h"
#include "base/panic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- streams --------------------------------------------------------------------------------- */

/* A stream was opened or closed, at this node or another. */
void srv_update_here(struct srv_hall *h, struct srv_slot *slot)
{
    unsigned local = 0;
    for (struct srv_stream *stream = slot->streams; stream != NULL; stream = stream->next)
        if (stream->seat >= 0)
            local |= 1u << stream->seat | (stream->is_host ? SRV_HOST_HERE(stream->seat) : 0);
        else if (stream->is_screen)
            local |= SRV_SCREEN_HERE;
    srv_watch(h, slot);
    if (local != slot->local) {
        slot->local = local;
        srv_peers_here(h, slot, false);
    }
    const unsigned here = local | srv_peers_seats(h, slot);
    if (here == slot->here)
        return;
    slot->here = here;
    srv_broadcast_seats(h, slot);
}

void srv_hall_stream_closed(struct srv_hall *h, struct srv_stream *stream)
{
    struct srv_slot *slot = stream->slot;
    if (stream->parked != NULL)
        stream->parked->stream = NULL;
    stream->parked = NULL;
    if (slot == NULL)
        return;
    srv_delayed_drop(stream);
    *stream->at = stream->next;
    if (stream->next != NULL)
        stream->next->at = stream->at;
    if (slot->in_flight != NULL && slot->in_flight->stream == stream)
        slot->in_flight->stream = NULL;
    for (struct srv_request *req = slot->first; req != NULL; req = req->next)
        if (req->stream == stream)
            req->stream = NULL;
    if (stream->seat >= 0 && slot->holder == stream->seat) {
        slot->holder = FM_WATCHER;
        srv_peers_hold(h, slot);
    }
    stream->slot = NULL;
    h->stats.streams--;
    srv_slot_used(h, slot);
    srv_update_here(h, slot);
}

/* "/api/tables/ID/live" */
static bool read_path(const char *path, struct st_id *id)
{
    char hex[2 * ST_ID_BYTES + 1];
    static const char before[] = "/api/tables/";
    if (strncmp(path, before, sizeof before - 1) != 0)
        return false;
    const char *from = path + sizeof before - 1;
    if (strlen(from) < 2 * ST_ID_BYTES || strcmp(from + 2 * ST_ID_BYTES, "/live") != 0)
        return false;
    memcpy(hex, from, sizeof hex - 1);
    hex[sizeof hex - 1] = '\0';
    return fm__unhex(id->bytes, sizeof id->bytes, hex) == 0;
}

/* A player who comes back replaces the bot. */
static void take_back(struct srv_hall *h, struct srv_slot *slot, int seat)
{
    srv_forget_votes(slot, seat);
    if (slot->table.state != ST_PLAYING || slot->table.seat[seat].bot[0] == '\0')
        return;
    struct srv_request *req = srv_request_new(h, slot, SRV_REQUEST_BOT, NULL);
    if (req != NULL)
        srv_request_bot(req, seat, NULL);
}

static void hello(struct srv_hall *h, struct srv_stream *stream, struct srv_slot *slot, int seat,
                  const struct srv_hello *asked)
{
    struct fm_out o;
    stream->slot = slot;
    stream->seat = seat;
    stream->next = slot->streams;
    stream->at = &slot->streams;
    if (stream->next != NULL)
        stream->next->at = &stream->next;
    slot->streams = stream;
    h->stats.streams++;
    fm_out_init(&o, h->text, SRV_MESSAGE);
    srv_put_hello(&o, &slot->table, seat, asked);
    srv_send(h, stream, &o);
    const unsigned before = slot->here;
    srv_update_here(h, slot);
    if (slot->here == before) { /* otherwise it was sent with the change of `here` */
        fm_out_init(&o, h->text, SRV_MESSAGE);
        srv_put_who_is_here(&o, slot);
        srv_send(h, stream, &o);
    }
    if (srv_table_deadline(&slot->table) != 0) {
        fm_out_init(&o, h->text, SRV_MESSAGE);
        srv_put_clock(&o, h, &slot->table);
        srv_send(h, stream, &o);
    }
    srv_reactions_greet(h, stream);
    if (slot->table.has_rematch) {
        fm_out_init(&o, h->text, SRV_MESSAGE);
        srv_put_rematch(&o, &slot->table);
        srv_send(h, stream, &o);
    }
    if (seat >= 0)
        take_back(h, slot, seat);
}

struct greeting { /* a hello being handled */
    const char *path, *text;
    size_t n;
    struct srv_parked *parked; /* it was parked before; NULL: it was not */
    bool fresh;                /* the events of other nodes have been read */
    bool waits;                /* it is parked */
};

/* The table, if it is in memory and up to date; NULL: refused, or parked. */
static struct srv_slot *find_slot(struct srv_hall *h, struct srv_stream *stream,
                                  const struct st_id *id, struct greeting *g, struct fm_in *in)
{
    struct srv_slot *slot = srv_slot_known(h, id);
    if (slot != NULL && slot->table.seq == 0) { /* its first event is not stored yet */
        fm_fail_plain(in->fault, FM_E_NO_TABLE);
        return NULL;
    }
    if (slot != NULL && (!h->shared || g->fresh)) {
        srv_slot_used(h, slot);
        return slot;
    }
    if (g->parked != NULL)
        srv_park_again(g->parked, NULL, stream);
    else
        g->parked = srv_park_stream(h, stream, g->path, g->text, g->n, in->fault);
    if (g->parked == NULL)
        return NULL;
    struct srv_waiters *waiters = slot != NULL ? srv_catch_up(h, slot) : NULL;
    g->waits = true;
    if (waiters != NULL) {
        srv_waiters_add(waiters, g->parked);
    } else if (slot == NULL) {
        srv_load_wait(h, id, g->parked);
    } else {
        g->waits = false;
        stream->parked = NULL;
        g->parked->stream = NULL;
        fm_fail_plain(in->fault, FM_E_MEMORY);
    }
    return NULL;
}

/* A seat's device may show that it has the host's token, too, so that others see who hosts. */
static bool read_host(struct fm_in *value, const struct srv_table *t, bool *is_host)
{
    const char *text;
    int seat;
    if (!fm_in_text(value, SRV_TOKEN_TEXT, &text))
        return false;
    *is_host = srv_token_role(t, text, &seat) == SRV_HOST;
    return true;
}

/* {"hello":TOKEN or null,"from":seq,"earlier":true,"seqs":true,"visit":true,"screen":true,
 * "host":TOKEN} */
static bool read_hello(struct srv_hall *h, struct srv_stream *stream, struct greeting *g,
                       struct fm_in *in)
{
    static const char *const keys[] = {"hello", "from",   "earlier", "seqs",
                                       "visit", "screen", "host",    NULL};
    struct st_id id;
    struct fm_in value;
    const char *text;
    struct srv_hello asked = {.from = SRV_NO_FROM};
    int from = SRV_NO_FROM, seat = FM_WATCHER;
    if (!fm_in_object(in, keys) || !fm_in_get(in, "hello", &value))
        return false;
    if (!read_path(g->path, &id))
        return fm_in_fail(in, FM_E_NO_TABLE, "there is no such table");
    struct srv_slot *slot = find_slot(h, stream, &id, g, in);
    if (slot == NULL)
        return g->waits;
    if (srv_slot_refusal(slot, in->fault) != FM_OK)
        return false;
    if (!json_is_null(value.json)) {
        if (!fm_in_text(&value, SRV_TOKEN_TEXT, &text))
            return false;
        if (srv_token_role(&slot->table, text, &seat) == 0)
            return fm_in_fail(in, FM_E_FORBIDDEN, "this token is not for this table");
    }
    if (fm_in_has(in, "from", &value) && !fm_in_int(&value, -1, INT32_MAX, &from))
        return false;
    if (fm_in_has(in, "earlier", &value) && !fm_in_bool(&value, &asked.earlier))
        return false;
    if (fm_in_has(in, "seqs", &value) && !fm_in_bool(&value, &asked.seqs))
        return false;
    if (fm_in_has(in, "visit", &value) && !fm_in_bool(&value, &asked.visits))
        return false;
    if (fm_in_has(in, "screen", &value) && !fm_in_bool(&value, &stream->is_screen))
        return false;
    if (fm_in_has(in, "host", &value) && !read_host(&value, &slot->table, &stream->is_host))
        return false;
    asked.from = from;
    hello(h, stream, slot, seat, &asked);
    return true;
}

static bool is_too_fast(struct srv_hall *h, struct srv_slot *slot, int seat)
{
    return h->limits.messages > 0 && !srv_bucket_take(&slot->message_rate[seat], h->limits.messages,
                                                      h->limits.burst, 1, h->now_ms);
}

/* {"id":…,"action":{…}} */
static bool read_action(struct srv_hall *h, struct srv_stream *stream, struct fm_in *in,
                        const char **id)
{
    static const char *const keys[] = {"id", "action", NULL};
    struct fm_in value;
    struct srv_slot *slot = stream->slot;
    fm_action action;
    if (!fm_in_object(in, keys) || !fm_in_get(in, "id", &value) ||
        !fm_in_text(&value, SRV_CLIENT_ID, id) || !fm_in_get(in, "action", &value))
        return false;
    if (stream->seat < 0)
        return fm_in_fail(in, FM_E_FORBIDDEN, "a spectator does nothing");
    if (is_too_fast(h, slot, stream->seat))
        return fm_in_fail(in, FM_E_BUSY, "this seat sends too many messages");
    if (!json_is_object(value.json))
        return fm_in_fail(&value, FM_E_ACTION, "an action is an object");
    if (slot->table.setup.game->wire->parse_action(&action, value.json, in->fault) != FM_OK)
        return false;
    struct srv_request *req = srv_request_new(h, slot, SRV_REQUEST_ACT, NULL);
    if (req == NULL)
        return fm_in_fail(in, FM_E_MEMORY, "no memory");
    req->stream = stream;
    req->seat = stream->seat;
    req->credit_ms = srv_credit(stream);
    req->action = action;
    (void)snprintf(req->id, sizeof req->id, "%s", *id);
    srv_request_queue(req);
    return true;
}

/* {"hold":true} and {"look":{"tilt":[x,y],"lamp":…}}: for table screens; not part of the game. */
static bool read_hold(struct srv_hall *h, struct srv_stream *stream, struct fm_in *in)
{
    static const char *const keys[] = {"hold", NULL};
    struct fm_in value;
    bool hold;
    struct srv_slot *slot = stream->slot;
    if (!fm_in_object(in, keys) || !fm_in_get(in, "hold", &value) || !fm_in_bool(&value, &hold))
        return false;
    if (stream->seat < 0)
        return fm_in_fail(in, FM_E_FORBIDDEN, "a spectator does nothing");
    const int before = slot->holder;
    if (hold && (slot->holder == FM_WATCHER || !(slot->here >> slot->holder & 1)))
        slot->holder = stream->seat;
    else if (!hold && slot->holder == stream->seat)
        slot->holder = FM_WATCHER;
    if (slot->holder != before)
        srv_peers_hold(h, slot);
    return true;
}

/* "above:0.5,0.25" and the like: nothing in which a secret could be passed on. */
static bool is_lamp(const char *text)
{
    static const char *const from[] = {"above:", "below:", "side:"};
    for (size_t i = 0; i < sizeof from / sizeof from[0]; i++) {
        const size_t n = strlen(from[i]);
        if (strncmp(text, from[i], n) == 0 && strlen(text) <= n + 13)
            return strspn(text + n, "0123456789.,") == strlen(text + n);
    }
    return false;
}

static bool read_look(struct srv_hall *h, struct srv_stream *stream, struct fm_in *in)
{
    static const char *const keys[] = {"look", NULL}, *const inner[] = {"tilt", "lamp", NULL};
    struct fm_in look, tilt, lamp;
    double at[2];
    const char *where = NULL;
    size_t n;
    struct srv_slot *slot = stream->slot;
    if (!fm_in_object(in, keys) || !fm_in_get(in, "look", &look) || !fm_in_object(&look, inner) ||
        !fm_in_get(&look, "tilt", &tilt) || !fm_in_array(&tilt, 2, 2, &n))
        return false;
    for (size_t i = 0; i < 2; i++) {
        const struct fm_in one = fm_in_at(&tilt, i);
        if (!fm_in_real(&one, -28, 28, &at[i]))
            return false;
    }
    if (fm_in_has(&look, "lamp", &lamp) && !json_is_null(lamp.json) &&
        !fm_in_text(&lamp, 40, &where))
        return false;
    if (where != NULL && !is_lamp(where))
        return fm_in_fail(&lamp, FM_E_VALUE, "above:X,Y, below:X,Y or side:X,Y is expected");
    if (stream->seat < 0)
        return fm_in_fail(in, FM_E_FORBIDDEN, "a spectator does nothing");
    if (slot->holder != stream->seat)
        return true; /* only the looks of the holder are shown */
    struct fm_out o;
    fm_out_init(&o, h->text, SRV_MESSAGE);
    fm_js_object(&o);
    fm_js_key(&o, "look");
    fm_js_object(&o);
    fm_js_key_int(&o, "seat", stream->seat);
    fm_js_key(&o, "tilt");
    fm_js_array(&o);
    fm_js_fixed(&o, at[0], 3);
    fm_js_fixed(&o, at[1], 3);
    fm_js_end_array(&o);
    fm_js_key_text(&o, "lamp", where);
    fm_js_end_object(&o);
    fm_js_end_object(&o);
    for (struct srv_stream *l = slot->streams; l != NULL; l = l->next)
        if (l->seat == FM_WATCHER)
            srv_send(h, l, &o);
    srv_peers_pass_on(h, slot, &o);
    return true;
}

/* If the store failed, the stream is not to blame: it may reconnect. */
static bool refuse_hello(struct srv_hall *h, struct srv_stream *stream,
                         const struct fm_fault *fault)
{
    const bool blameless = fault->code == FM_E_STORE;
    if (blameless)
        h->net.ask_reconnect(h->net.arg, stream);
    else
        srv_send_refusal(h, stream, NULL, fault);
    return blameless;
}

static bool greet(struct srv_hall *h, struct srv_stream *stream, struct greeting *g)
{
    struct fm_fault fault = {.action = -1};
    json_t *json = fm_json_load(g->text, g->n, &fault);
    struct fm_in in = fm_in_root(json, "", &fault);
    bool fine = json != NULL && read_hello(h, stream, g, &in);
    if (!fine)
        fine = refuse_hello(h, stream, &fault);
    json_decref(json);
    return fine;
}

bool srv_hello_resume(struct srv_parked *parked, struct srv_stream *stream)
{
    struct greeting g = {.path = parked->path,
                         .text = parked->message,
                         .n = parked->n,
                         .parked = parked,
                         .fresh = parked->fresh};
    if (!greet(parked->hall, stream, &g))
        parked->hall->net.misunderstood(parked->hall->net.arg, stream);
    return g.waits;
}

void srv_hello_fail(struct srv_hall *h, struct srv_stream *stream, const struct fm_fault *fault)
{
    if (!refuse_hello(h, stream, fault))
        h->net.misunderstood(h->net.arg, stream);
}

/* Handles a message after the hello. */
static bool hear(struct srv_hall *h, struct srv_stream *stream, const char *text, size_t n)
{
    struct fm_fault fault = {.action = -1};
    const char *id = NULL;
    json_t *json = fm_json_load(text, n, &fault);
    struct fm_in in = fm_in_root(json, "", &fault);
    bool fine = false;
    if (json == NULL)
        fine = false;
    else if (json_object_get(json, "hold") != NULL)
        fine = read_hold(h, stream, &in);
    else if (json_object_get(json, "look") != NULL)
        fine = read_look(h, stream, &in);
    else if (json_object_get(json, "react") != NULL)
        fine = srv_read_react(h, stream, &in, &id);
    else if (json_object_get(json, "what") != NULL)
        fine = srv_read_preview(h, stream, &in, &id);
    else
        fine = read_action(h, stream, &in, &id);
    if (!fine) /* the id points into the JSON */
        srv_send_refusal(h, stream, id, &fault);
    json_decref(json);
    return fine || id != NULL; /* it had an id: it was understood, and refused */
}

bool srv_hall_message(struct srv_hall *h, struct srv_stream *stream, const char *path,
                      const char *text, size_t n, uint64_t now_ms)
{
    struct greeting g = {.path = path, .text = text, .n = n};
    srv_hall_enter(h, now_ms);
    if (stream->slot != NULL) {
        srv_crash_at(&stream->slot->table.id, stream->slot->table.seq);
        return hear(h, stream, text, n);
    }
    if (stream->parked != NULL)
        return srv_park_message(stream, text, n);
    const bool fine = greet(h, stream, &g);
    if (g.parked != NULL && !g.waits)
        srv_unpark(g.parked);
    return fine;
}

void srv_hall_hung_up(struct srv_hall *h, struct srv_call *call)
{
    if (call->picture != NULL)
        srv_waits_hung_up(call);
    if (call->job != NULL)
        srv_job_hung_up(call);
    if (call->why != NULL)
        srv_why_hung_up(h, call);
    if (call->parked != NULL)
        call->parked->call = NULL;
    call->parked = NULL;
    if (call->request != NULL)
        call->request->call = NULL;
    call->request = NULL;
}
