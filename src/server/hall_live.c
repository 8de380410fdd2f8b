/* hall_live.c: streams: who looks on, what they say, and who is here. */
#include "server/hall_state.h"
#include "server/picture_waits.h"

#include "base/hash.h"
#include "base/panic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- streams -------------------------------------------------------------------------------- */

/* After a stream has come or gone, here or with a peer. */
void srv_update_here(struct srv_hall *h, struct srv_place *p)
{
    unsigned local = 0;
    for (struct srv_live *l = p->lives; l != NULL; l = l->next)
        if (l->seat >= 0)
            local |= 1u << l->seat;
    if (local != p->local) {
        const bool first = p->local == 0;
        p->local = local;
        srv_peers_here(h, p, first);
    }
    const unsigned here = local | srv_peers_seats(h, p);
    if (here == p->here)
        return;
    p->here = here;
    srv_broadcast_seats(h, p);
}

void srv_hall_left(struct srv_hall *h, struct srv_live *live)
{
    struct srv_place *p = live->place;
    if (live->parked != NULL)
        live->parked->live = NULL;
    live->parked = NULL;
    if (p == NULL)
        return;
    srv_forget_held(live);
    *live->at = live->next;
    if (live->next != NULL)
        live->next->at = live->at;
    if (p->flight != NULL && p->flight->live == live)
        p->flight->live = NULL;
    for (struct srv_wish *w = p->first; w != NULL; w = w->next)
        if (w->live == live)
            w->live = NULL;
    if (live->seat >= 0 && p->holder == live->seat) {
        p->holder = FM_WATCHER;
        srv_peers_hold(h, p);
    }
    live->place = NULL;
    h->stats.streams--;
    srv_place_used(h, p);
    srv_update_here(h, p);
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

/* Whoever comes back plays again instead of the bot. */
static void take_back(struct srv_hall *h, struct srv_place *p, int seat)
{
    srv_forget_votes(p, seat);
    if (p->table.state != ST_PLAYING || p->table.seat[seat].bot[0] == '\0')
        return;
    struct srv_wish *w = srv_wish_new(h, p, SRV_WANTS_BOT, NULL);
    if (w != NULL)
        srv_wish_bot(w, seat, NULL);
}

static void hello(struct srv_hall *h, struct srv_live *live, struct srv_place *p, int seat,
                  int64_t from, bool visits)
{
    struct fm_out o;
    live->place = p;
    live->seat = seat;
    live->next = p->lives;
    live->at = &p->lives;
    if (live->next != NULL)
        live->next->at = &live->next;
    p->lives = live;
    h->stats.streams++;
    fm_out_init(&o, h->text, SRV_MESSAGE);
    srv_put_hello(&o, &p->table, seat, from, visits);
    srv_send_out(h, live, &o);
    const unsigned before = p->here;
    srv_update_here(h, p);
    if (p->here == before) { /* otherwise it was told with all others */
        fm_out_init(&o, h->text, SRV_MESSAGE);
        fm_js_object(&o);
        fm_js_key(&o, "seats");
        srv_put_seats(&o, &p->table, p->here);
        fm_js_end_object(&o);
        srv_send_out(h, live, &o);
    }
    if (srv_table_deadline(&p->table) != 0) {
        fm_out_init(&o, h->text, SRV_MESSAGE);
        srv_put_clock(&o, h, &p->table);
        srv_send_out(h, live, &o);
    }
    if (seat >= 0)
        take_back(h, p, seat);
}

struct greeting { /* a hello on its way */
    const char *path, *text;
    size_t n;
    struct srv_parked *parked; /* it waited before; NULL: it did not */
    bool fresh;                /* no other program knows more of the table */
    bool waits;                /* for a read */
};

/* The table, if it is known well enough; NULL: refused, or it waits. */
static struct srv_place *find_place(struct srv_hall *h, struct srv_live *live,
                                    const struct st_id *id, struct greeting *g, struct fm_in *in)
{
    struct srv_place *p = srv_place_known(h, id);
    if (p != NULL && p->table.seq == 0) { /* it is being made */
        fm_fail_plain(in->fault, FM_E_NO_TABLE);
        return NULL;
    }
    if (p != NULL && (!h->shared || g->fresh)) {
        srv_place_used(h, p);
        return p;
    }
    if (g->parked != NULL)
        srv_park_again(g->parked, NULL, live);
    else
        g->parked = srv_park_live(h, live, g->path, g->text, g->n, in->fault);
    if (g->parked == NULL)
        return NULL;
    struct srv_waiters *waiters = p != NULL ? srv_catch_up(h, p) : NULL;
    g->waits = true;
    if (waiters != NULL) {
        srv_waiters_add(waiters, g->parked);
    } else if (p == NULL) {
        srv_load_wait(h, id, g->parked);
    } else {
        g->waits = false;
        live->parked = NULL;
        g->parked->live = NULL;
        fm_fail_plain(in->fault, FM_E_MEMORY);
    }
    return NULL;
}

/* {"hello":TOKEN or null,"from":seq,"visit":true} */
static bool read_hello(struct srv_hall *h, struct srv_live *live, struct greeting *g,
                       struct fm_in *in)
{
    static const char *const keys[] = {"hello", "from", "visit", NULL};
    struct st_id id;
    struct fm_in value;
    const char *text;
    int from = SRV_NO_FROM, seat = FM_WATCHER;
    bool visits = false;
    if (!fm_in_object(in, keys) || !fm_in_get(in, "hello", &value))
        return false;
    if (!read_path(g->path, &id))
        return fm_in_fail(in, FM_E_NO_TABLE, "there is no such table");
    struct srv_place *p = find_place(h, live, &id, g, in);
    if (p == NULL)
        return g->waits;
    if (srv_place_refusal(p, in->fault) != FM_OK)
        return false;
    if (!json_is_null(value.json)) {
        if (!fm_in_text(&value, SRV_TOKEN_TEXT, &text))
            return false;
        if (srv_token_role(&p->table, text, &seat) == 0)
            return fm_in_fail(in, FM_E_FORBIDDEN, "this token is not for this table");
    }
    if (fm_in_has(in, "from", &value) && !fm_in_int(&value, -1, INT32_MAX, &from))
        return false;
    if (fm_in_has(in, "visit", &value) && !fm_in_bool(&value, &visits))
        return false;
    hello(h, live, p, seat, from, visits);
    return true;
}

static bool says_too_much(struct srv_hall *h, struct srv_place *p, int seat)
{
    return h->limits.messages > 0 &&
           !srv_bucket_take(&p->said[seat], h->limits.messages, h->limits.burst, 1, h->now_ms);
}

/* {"id":…,"action":{…}} */
static bool read_action(struct srv_hall *h, struct srv_live *live, struct fm_in *in,
                        const char **id)
{
    static const char *const keys[] = {"id", "action", NULL};
    struct fm_in value;
    struct srv_place *p = live->place;
    fm_action action;
    if (!fm_in_object(in, keys) || !fm_in_get(in, "id", &value) ||
        !fm_in_text(&value, SRV_CLIENT_ID, id) || !fm_in_get(in, "action", &value))
        return false;
    if (live->seat < 0)
        return fm_in_fail(in, FM_E_FORBIDDEN, "a spectator does nothing");
    if (says_too_much(h, p, live->seat))
        return fm_in_fail(in, FM_E_BUSY, "this seat says too much at once");
    if (!json_is_object(value.json))
        return fm_in_fail(&value, FM_E_ACTION, "an action is an object");
    if (p->table.setup.game->wire->parse_action(&action, value.json, in->fault) != FM_OK)
        return false;
    struct srv_wish *w = srv_wish_new(h, p, SRV_WANTS_ACT, NULL);
    if (w == NULL)
        return fm_in_fail(in, FM_E_MEMORY, "no memory");
    w->live = live;
    w->seat = live->seat;
    w->credit_ms = srv_credit(live);
    w->action = action;
    (void)snprintf(w->id, sizeof w->id, "%s", *id);
    srv_wish_queue(w);
    return true;
}

/* {"hold":true} and {"look":{"tilt":[x,y],"lamp":…}}: for table screens, and not of the game. */
static bool read_hold(struct srv_hall *h, struct srv_live *live, struct fm_in *in)
{
    static const char *const keys[] = {"hold", NULL};
    struct fm_in value;
    bool hold;
    struct srv_place *p = live->place;
    if (!fm_in_object(in, keys) || !fm_in_get(in, "hold", &value) || !fm_in_bool(&value, &hold))
        return false;
    if (live->seat < 0)
        return fm_in_fail(in, FM_E_FORBIDDEN, "a spectator does nothing");
    const int before = p->holder;
    if (hold && (p->holder == FM_WATCHER || !(p->here >> p->holder & 1)))
        p->holder = live->seat;
    else if (!hold && p->holder == live->seat)
        p->holder = FM_WATCHER;
    if (p->holder != before)
        srv_peers_hold(h, p);
    return true;
}

/* "above:0.5,0.25" and the like: nothing that could be a message. */
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

static bool read_look(struct srv_hall *h, struct srv_live *live, struct fm_in *in)
{
    static const char *const keys[] = {"look", NULL}, *const inner[] = {"tilt", "lamp", NULL};
    struct fm_in look, tilt, lamp;
    double at[2];
    const char *where = NULL;
    size_t n;
    struct srv_place *p = live->place;
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
    if (live->seat < 0)
        return fm_in_fail(in, FM_E_FORBIDDEN, "a spectator does nothing");
    if (p->holder != live->seat)
        return true; /* nobody told it that another seat took the stack: it shows, and that is all
                      */
    struct fm_out o;
    fm_out_init(&o, h->text, SRV_MESSAGE);
    fm_js_object(&o);
    fm_js_key(&o, "look");
    fm_js_object(&o);
    fm_js_key_int(&o, "seat", live->seat);
    fm_js_key(&o, "tilt");
    fm_js_array(&o);
    fm_js_fixed(&o, at[0], 3);
    fm_js_fixed(&o, at[1], 3);
    fm_js_end_array(&o);
    fm_js_key_text(&o, "lamp", where);
    fm_js_end_object(&o);
    fm_js_end_object(&o);
    for (struct srv_live *l = p->lives; l != NULL; l = l->next)
        if (l->seat == FM_WATCHER)
            srv_send_out(h, l, &o);
    srv_peers_look(h, p, &o);
    return true;
}

/* A hello that failed for the store's sake is not the stream's fault. */
static bool refuse_hello(struct srv_hall *h, struct srv_live *live, const struct fm_fault *fault)
{
    const bool blameless = fault->code == FM_E_STORE;
    if (blameless)
        h->net.send_away(h->net.arg, live);
    else
        srv_send_refusal(h, live, NULL, fault);
    return blameless;
}

static bool greet(struct srv_hall *h, struct srv_live *live, struct greeting *g)
{
    struct fm_fault fault = {.action = -1};
    json_t *json = fm_json_load(g->text, g->n, &fault);
    struct fm_in in = fm_in_root(json, "", &fault);
    bool fine = json != NULL && read_hello(h, live, g, &in);
    if (!fine)
        fine = refuse_hello(h, live, &fault);
    json_decref(json);
    return fine;
}

bool srv_hello_go(struct srv_parked *k, struct srv_live *live)
{
    struct greeting g = {
        .path = k->path, .text = k->message, .n = k->n, .parked = k, .fresh = k->fresh};
    if (!greet(k->hall, live, &g))
        k->hall->net.misunderstood(k->hall->net.arg, live);
    return g.waits;
}

void srv_hello_fail(struct srv_hall *h, struct srv_live *live, const struct fm_fault *fault)
{
    if (!refuse_hello(h, live, fault))
        h->net.misunderstood(h->net.arg, live);
}

/* What follows the hello. */
static bool hear(struct srv_hall *h, struct srv_live *live, const char *text, size_t n)
{
    struct fm_fault fault = {.action = -1};
    const char *id = NULL;
    json_t *json = fm_json_load(text, n, &fault);
    struct fm_in in = fm_in_root(json, "", &fault);
    bool fine = false;
    if (json == NULL)
        fine = false;
    else if (json_object_get(json, "hold") != NULL)
        fine = read_hold(h, live, &in);
    else if (json_object_get(json, "look") != NULL)
        fine = read_look(h, live, &in);
    else if (json_object_get(json, "what") != NULL)
        fine = srv_read_what(h, live, &in, &id);
    else
        fine = read_action(h, live, &in, &id);
    if (!fine) /* the id is borrowed from the JSON */
        srv_send_refusal(h, live, id, &fault);
    json_decref(json);
    return fine || id != NULL; /* refused by its id: that much was understood */
}

bool srv_hall_message(struct srv_hall *h, struct srv_live *live, const char *path, const char *text,
                      size_t n, uint64_t now_ms)
{
    struct greeting g = {.path = path, .text = text, .n = n};
    srv_hall_enter(h, now_ms);
    if (live->place != NULL) {
        srv_crash_at(&live->place->table.id, live->place->table.seq);
        return hear(h, live, text, n);
    }
    if (live->parked != NULL)
        return srv_park_later(live, text, n);
    const bool fine = greet(h, live, &g);
    if (g.parked != NULL && !g.waits)
        srv_unpark(g.parked);
    return fine;
}

void srv_hall_hung_up(struct srv_hall *h, struct srv_call *call)
{
    if (call->picture != NULL)
        srv_waits_hung_up(call);
    if (call->job != NULL)
        srv_after_hung_up(h->after, call);
    if (call->parked != NULL)
        call->parked->call = NULL;
    call->parked = NULL;
    if (call->wish != NULL)
        call->wish->call = NULL;
    call->wish = NULL;
}
