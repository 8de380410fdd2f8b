/*
 * hall_peers.c: what the nodes on one store tell each other about a table.
 *
 * Connections, votes and looks are not in the log. They are sent as short messages, which may be
 * lost; who is connected is repeated. Most tables are served by one node, and then nothing is sent:
 * a node that opens streams of a table asks who else has some only if the store says that another
 * node may.
 */
#include "server/hall_state.h"

#include "base/hash.h"
#include "base/panic.h"

#define HERE_MS 5000  /* between two messages about who is connected */
#define ASKS    3     /* messages may be lost */
#define GONE_MS 15000 /* a node that sent none for so long has nobody connected */

bool srv_keeps(const struct srv_hall *h, const struct srv_slot *slot)
{
    return !h->shared || slot->kept;
}

/* ---- who is told ------------------------------------------------------------------------------ */

void srv_watch(struct srv_hall *h, struct srv_slot *slot)
{
    if (h->shared && !slot->watched && slot->streams != NULL)
        slot->watched = st_watch(h->store, &slot->table.id, true);
}

void srv_unwatch(struct srv_hall *h, struct srv_slot *slot)
{
    if (slot->watched)
        slot->watched = !st_watch(h->store, &slot->table.id, false);
}

void srv_watch_again(struct srv_hall *h)
{
    for (size_t i = 0; i < SRV_BUCKETS; i++)
        for (struct srv_slot *slot = h->bucket[i]; slot != NULL; slot = slot->next) {
            if (slot->streams == NULL)
                srv_unwatch(h, slot);
            slot->watched = false;
            srv_watch(h, slot);
        }
}

bool srv_has_peers(const struct srv_hall *h, const struct srv_slot *slot)
{
    for (unsigned i = 0; i < FM_MAX_SEATS; i++)
        if (slot->peer[i].until_ms > h->now_ms)
            return true;
    return false;
}

/* ---- who is where ---------------------------------------------------------------------------- */

unsigned srv_peers_seats(const struct srv_hall *h, const struct srv_slot *slot)
{
    unsigned here = 0;
    for (unsigned i = 0; i < FM_MAX_SEATS; i++)
        if (slot->peer[i].until_ms > h->now_ms)
            here |= slot->peer[i].here;
    return here;
}

void srv_peers_forget(struct srv_slot *slot, int seat)
{
    const unsigned bits = 1u << seat | SRV_HOST_HERE(seat);
    for (unsigned i = 0; i < FM_MAX_SEATS; i++)
        slot->peer[i].here &= ~bits;
    slot->local &= ~bits;
    slot->here &= ~bits;
}

static void tell(struct srv_hall *h, const struct srv_slot *slot, const struct fm_out *o)
{
    fm_assert(fm_out_ok(o));
    if (o->len <= ST_MESSAGE_MAX)
        st_notify(h->store, &slot->table.id, o->buf, o->len);
}

void srv_peers_here(struct srv_hall *h, struct srv_slot *slot, bool asks)
{
    char text[128];
    struct fm_out o;
    if (!h->shared || (!asks && !srv_has_peers(h, slot)))
        return;
    slot->announced_ms = h->now_ms;
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key_int(&o, "here", slot->local);
    fm_js_key(&o, "node");
    fm_js_hex(&o, (const uint8_t *)&h->node, sizeof h->node);
    fm_js_key(&o, "asks");
    fm_js_bool(&o, asks);
    fm_js_end_object(&o);
    tell(h, slot, &o);
}

void srv_peers_ask(struct srv_hall *h, struct srv_slot *slot)
{
    slot->asks_left = ASKS;
    srv_peers_here(h, slot, true);
}

/* The entry of a node, or a free or expired one. A seat is rarely connected to two nodes, so there
 * are enough entries. */
static struct srv_peer *peer_of(const struct srv_hall *h, struct srv_slot *slot, uint64_t node)
{
    struct srv_peer *free = NULL;
    for (unsigned i = 0; i < FM_MAX_SEATS; i++) {
        if (slot->peer[i].node == node)
            return &slot->peer[i];
        if (slot->peer[i].until_ms <= h->now_ms)
            free = &slot->peer[i];
    }
    return free;
}

/* The message is about events that were not read yet: it is handled again after catching up. */
static bool handle_after_catch_up(struct srv_hall *h, struct srv_slot *slot,
                                  const struct st_notice *notice)
{
    struct srv_queued_notice *queued = srv_notice_copy(notice);
    struct srv_waiters *waiters = queued != NULL ? srv_catch_up(h, slot) : NULL;
    if (waiters == NULL) {
        free(queued);
        return false;
    }
    queued->next = waiters->notices;
    waiters->notices = queued;
    return true;
}

static bool handle_here(struct srv_hall *h, struct srv_slot *slot, const struct fm_in *in,
                        const struct st_notice *notice, bool fresh)
{
    struct fm_in value;
    const char *text;
    uint64_t node;
    int here;
    bool asks;
    if (!fm_in_get(in, "here", &value) || !fm_in_int(&value, 0, (1 << SRV_HERE_BITS) - 1, &here) ||
        !fm_in_get(in, "node", &value) || !fm_in_text(&value, 2 * sizeof node, &text) ||
        fm__unhex((uint8_t *)&node, sizeof node, text) != 0 || !fm_in_get(in, "asks", &value) ||
        !fm_in_bool(&value, &asks))
        return false;
    for (int seat = 0; seat < slot->table.setup.n_seats && !fresh; seat++)
        if (here >> seat & 1 && !slot->table.seat[seat].taken &&
            handle_after_catch_up(h, slot, notice))
            return true;
    struct srv_peer *peer = peer_of(h, slot, node);
    if (peer != NULL)
        *peer = (struct srv_peer){node, (unsigned)here, h->now_ms + GONE_MS};
    if (asks && slot->streams != NULL)
        srv_peers_here(h, slot, false);
    srv_update_here(h, slot);
    return true;
}

/* ---- votes, and who holds the stack ---------------------------------------------------------- */

void srv_peers_vote(struct srv_hall *h, struct srv_slot *slot, int seat, int by, const char *bot)
{
    char text[128];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key_int(&o, "vote", seat);
    fm_js_key_int(&o, "by", by);
    fm_js_key_text(&o, "bot", bot);
    fm_js_end_object(&o);
    tell(h, slot, &o);
}

/* The node at which the votes become a majority does what was voted for. */
static bool handle_vote(struct srv_hall *h, struct srv_slot *slot, const struct fm_in *in)
{
    struct fm_in value;
    const int last = slot->table.setup.n_seats - 1;
    const char *bot = NULL;
    int seat, by;
    if (!fm_in_get(in, "vote", &value) || !fm_in_int(&value, 0, last, &seat) ||
        !fm_in_get(in, "by", &value) || !fm_in_int(&value, 0, last, &by) ||
        !fm_in_get(in, "bot", &value) ||
        (!json_is_null(value.json) && !fm_in_text(&value, SRV_BOT - 1, &bot)))
        return false;
    if (srv_vote(slot, seat, by, bot != NULL) && slot->table.state == ST_PLAYING) {
        struct srv_request *req = srv_request_new(h, slot, SRV_REQUEST_BOT, NULL);
        if (req != NULL)
            srv_request_bot(req, seat, bot);
    }
    return true;
}

void srv_peers_hold(struct srv_hall *h, struct srv_slot *slot)
{
    if (!srv_has_peers(h, slot))
        return;
    char text[32];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key_int(&o, "hold", slot->holder);
    fm_js_end_object(&o);
    tell(h, slot, &o);
}

static bool handle_hold(struct srv_slot *slot, const struct fm_in *in)
{
    struct fm_in value;
    return fm_in_get(in, "hold", &value) &&
           fm_in_int(&value, FM_WATCHER, slot->table.setup.n_seats - 1, &slot->holder);
}

void srv_peers_pass_on(struct srv_hall *h, struct srv_slot *slot, const struct fm_out *o)
{
    if (srv_has_peers(h, slot))
        tell(h, slot, o);
}

/* Passes the message on to table screens as it is. */
static bool handle_look(struct srv_hall *h, struct srv_slot *slot, const struct st_notice *notice)
{
    for (struct srv_stream *stream = slot->streams; stream != NULL; stream = stream->next)
        if (stream->seat == FM_WATCHER)
            h->net.send(h->net.arg, stream, notice->text, notice->n);
    return true;
}

/* ---- any message ----------------------------------------------------------------------------- */

bool srv_peers_message(struct srv_hall *h, struct srv_slot *slot, const struct st_notice *notice,
                       bool fresh)
{
    struct fm_fault fault;
    json_t *json = fm_json_load(notice->text, notice->n, &fault);
    if (json == NULL)
        return false;
    const struct fm_in in = fm_in_root(json, "", &fault);
    struct fm_in value;
    const bool known = fm_in_has(&in, "here", &value)    ? handle_here(h, slot, &in, notice, fresh)
                       : fm_in_has(&in, "vote", &value)  ? handle_vote(h, slot, &in)
                       : fm_in_has(&in, "hold", &value)  ? handle_hold(slot, &in)
                       : fm_in_has(&in, "look", &value)  ? handle_look(h, slot, notice)
                       : fm_in_has(&in, "react", &value) ? srv_handle_react(h, slot, notice)
                                                         : false;
    json_decref(json);
    return known;
}

/* ---- time ------------------------------------------------------------------------------------ */

void srv_peers_tick(struct srv_hall *h)
{
    if (!h->shared)
        return;
    srv_compare_heads(h);
    for (size_t i = 0; i < SRV_BUCKETS; i++)
        for (struct srv_slot *slot = h->bucket[i]; slot != NULL; slot = slot->next) {
            srv_watch(h, slot); /* again, if there was no memory for it before */
            if (slot->streams != NULL && h->now_ms >= slot->announced_ms + HERE_MS) {
                const bool asks = slot->asks_left > 0 && !srv_has_peers(h, slot);
                slot->asks_left -= asks;
                srv_peers_here(h, slot, asks);
            }
            if (slot->streams != NULL && (slot->here & ~slot->local) != 0)
                srv_update_here(h, slot); /* entries of silent nodes have expired */
        }
}
