/* hall.c: tables, wishes in line, and what comes of them. */
#include "server/hall_state.h"

#include "base/hash.h"
#include "base/panic.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RACES 100 /* that a wish may lose before it is refused */

/* ---- small things --------------------------------------------------------------------------- */

void srv_random(void *bytes, size_t n)
{
    randombytes_buf(bytes, n);
}

void srv_token_hash(uint8_t hash[ST_HASH_BYTES], const char *token)
{
    fm__hash(hash, "fathom token 1", &(struct fm_span){token, strlen(token)}, 1);
}

/* The same work for every token, whether it is right or not. */
int srv_token_role(const struct srv_table *t, const char *token, int *seat)
{
    uint8_t hash[ST_HASH_BYTES];
    int role = 0;
    srv_token_hash(hash, token);
    if (sodium_memcmp(t->host, hash, sizeof hash) == 0)
        role = SRV_HOST;
    for (int i = 0; i < t->setup.n_seats; i++)
        if (sodium_memcmp(t->seat[i].token, hash, sizeof hash) == 0 && t->seat[i].taken) {
            role = SRV_PLAYER;
            *seat = i;
        }
    return role;
}

static int status_of(enum fm_err code)
{
    switch (code) {
    case FM_E_NO_TABLE:
    case FM_E_NO_PATH:
    case FM_E_GONE:
        return 404;
    case FM_E_CLOSED:
        return 410;
    case FM_E_SIZE:
    case FM_E_QUOTA:
        return 413;
    case FM_E_BUSY:
        return 429;
    case FM_E_RULES:
    case FM_E_STORE:
    case FM_E_MEMORY:
        return 503;
    case FM_E_RECORD: /* its log is damaged */
        return 500;
    case FM_E_NO_TOKEN_GIVEN:
        return 401;
    case FM_E_FORBIDDEN:
        return 403;
    case FM_E_PHASE:
    case FM_E_OVER:
    case FM_E_TURN:
    case FM_E_TAKEN_SEAT:
    case FM_E_CONFLICT:
        return 409;
    default:
        return 400;
    }
}

void srv_answer_out(struct srv_hall *h, struct srv_call *call, int status, const struct fm_out *o)
{
    fm_assert(fm_out_ok(o));
    if (call == NULL)
        return;
    call->wish = NULL;
    h->net.answer(h->net.arg, call, status, o->buf, o->len);
}

void srv_put_error(struct fm_out *o, enum fm_err code, const char *message)
{
    fm_js_object(o);
    fm_js_key(o, "error");
    fm_js_object(o);
    fm_js_key_text(o, "code", fm_err_code(code));
    fm_js_key_text(o, "message", message);
    fm_js_end_object(o);
    fm_js_end_object(o);
}

void srv_answer_error(struct srv_hall *h, struct srv_call *call, const struct fm_fault *fault)
{
    char text[1024];
    struct fm_out o;
    h->stats.refusals[fault->code]++;
    fm_out_init(&o, text, sizeof text);
    srv_put_error(&o, fault->code, fault->text);
    srv_answer_out(h, call, status_of(fault->code), &o);
}

static void answer_empty(struct srv_hall *h, struct srv_call *call)
{
    char text[4] = "{}";
    const struct fm_out o = {.buf = text, .cap = sizeof text, .len = 2};
    srv_answer_out(h, call, 200, &o);
}

void srv_send_out(struct srv_hall *h, struct srv_live *live, const struct fm_out *o)
{
    fm_assert(fm_out_ok(o));
    srv_say(h, live, o);
}

void srv_send_refusal(struct srv_hall *h, struct srv_live *live, const char *id,
                      const struct fm_fault *fault)
{
    char text[1024];
    struct fm_out o;
    h->stats.refusals[fault->code]++;
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key_text(&o, "refused", id);
    fm_js_key_text(&o, "code", fm_err_code(fault->code));
    fm_js_key_text(&o, "message", fault->text);
    fm_js_end_object(&o);
    srv_send_out(h, live, &o);
}

static void send_ack(struct srv_hall *h, struct srv_live *live, const char *id, uint32_t seq)
{
    char text[128];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key_text(&o, "ack", id);
    fm_js_key_int(&o, "seq", seq);
    fm_js_end_object(&o);
    srv_send_out(h, live, &o);
}

/* ---- tables --------------------------------------------------------------------------------- */

static struct srv_place **bucket_of(struct srv_hall *h, const struct st_id *id)
{
    uint32_t n;
    memcpy(&n, id->bytes, sizeof n); /* ids are random and the server's own */
    return &h->bucket[n % SRV_BUCKETS];
}

struct srv_place *srv_place_create(const struct st_id *id)
{
    struct srv_place *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    srv_table_init(&p->table);
    p->table.id = *id;
    p->last = &p->first;
    p->holder = FM_WATCHER;
    return p;
}

void srv_place_destroy(struct srv_place *p)
{
    if (p == NULL)
        return;
    srv_table_finish(&p->table);
    free(p->verdict);
    free(p);
}

void srv_place_add(struct srv_hall *h, struct srv_place *p)
{
    p->next = *bucket_of(h, &p->table.id);
    *bucket_of(h, &p->table.id) = p;
    srv_place_used(h, p);
    h->n_places++;
}

struct srv_place *srv_place_new(struct srv_hall *h, const struct st_id *id)
{
    struct srv_place *p = srv_place_create(id);
    if (p != NULL)
        srv_place_add(h, p);
    return p;
}

void srv_place_free(struct srv_hall *h, struct srv_place *p)
{
    struct srv_place **at = bucket_of(h, &p->table.id);
    while (*at != p)
        at = &(*at)->next;
    *at = p->next;
    srv_place_unlink(h, p);
    h->n_places--;
    srv_ocean_forget(h->oceans, &p->ocean);
    srv_waiters_free(&p->waiting);
    srv_place_destroy(p);
}

struct srv_place *srv_place_known(struct srv_hall *h, const struct st_id *id)
{
    struct srv_place *p = *bucket_of(h, id);
    while (p != NULL && memcmp(&p->table.id, id, sizeof *id) != 0)
        p = p->next;
    return p;
}

/* ---- wishes --------------------------------------------------------------------------------- */

struct srv_wish *srv_wish_new(struct srv_hall *h, struct srv_place *p, enum srv_what what,
                              struct srv_call *call)
{
    struct srv_wish *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->hall = h;
    w->place = p;
    w->what = what;
    w->call = call;
    w->seat = FM_WATCHER;
    w->at_ms = h->now_ms;
    if (call != NULL)
        call->wish = w;
    return w;
}

/* Drafts are large, and every action needs one: some are kept for the next. */
struct srv_draft *srv_draft_new(struct srv_hall *h)
{
    struct srv_draft *d = h->n_spare > 0 ? h->spare[--h->n_spare] : malloc(sizeof *d);
    if (d != NULL)
        d->record = NULL; /* it may be refused before anything is written */
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

void srv_wish_free(struct srv_wish *w)
{
    if (w->again != NULL)
        srv_wish_free(w->again);
    if (w->merged != NULL)
        srv_wish_free(w->merged);
    if (w->what == SRV_WANTS_CLOCK)
        w->place->clock_waits = false;
    json_decref(w->body);
    srv_draft_give(w->hall, w->draft);
    free(w);
}

void srv_wish_refuse(struct srv_wish *w)
{
    if (w->live != NULL && w->id[0] != '\0')
        srv_send_refusal(w->hall, w->live, w->id, &w->fault);
    if (w->call != NULL)
        srv_answer_error(w->hall, w->call, &w->fault);
    for (struct srv_wish *m = w->merged; m != NULL; m = m->merged)
        if (m->call != NULL)
            srv_answer_error(w->hall, m->call, &w->fault);
}

/* On the store's thread. */
static void stored(void *arg, enum fm_err err, const struct fm_fault *fault)
{
    struct srv_wish *w = arg;
    struct srv_hall *h = w->hall;
    w->err = err;
    w->settled_us = srv_now_us();
    if (err != FM_OK)
        w->fault = *fault;
    (void)pthread_mutex_lock(&h->lock);
    w->next = NULL;
    *h->settled_last = w;
    h->settled_last = &w->next;
    (void)pthread_mutex_unlock(&h->lock);
    h->net.wake(h->net.arg);
}

void srv_fly(struct srv_wish *w)
{
    w->seq = w->place->table.seq + 1;
    w->next = w->hall->ready;
    w->hall->ready = w;
}

/* Whoever begins a game, or sets a bot into it, cares for its clock and its bots. */
static bool makes_keeper(enum srv_kind kind)
{
    return kind == SRV_STARTED || kind == SRV_BOT_SET;
}

static bool submit(struct srv_wish *w)
{
    struct st_write write = {.table = w->place->table.id,
                             .seq = w->seq,
                             .event = w->draft->text,
                             .n = w->draft->n,
                             .change = w->draft->change};
    write.change.keeps = makes_keeper(w->draft->kind);
    return st_submit(w->hall->store, &write, stored, w, &w->fault) == FM_OK;
}

static enum fm_err draft_act(struct srv_wish *w)
{
    return srv_draft_did(w->draft, &w->place->table, w->seat, w->id[0] != '\0' ? w->id : NULL,
                         w->action, w->at_ms, w->credit_ms, &w->fault);
}

/* Where the owner of its seat has repeated itself too often, a bot does something else; if there is
 * nothing, it waits for the next change. */
static enum fm_err draft_bot_act(struct srv_wish *w)
{
    const struct srv_table *t = &w->place->table;
    const enum fm_err err = draft_act(w);
    if (err != FM_E_OFTEN)
        return err;
    w->action = srv_way_on(fm_view_of(t->setup.game, t->match, w->seat));
    w->place->plan[w->seat].asked = w->action == 0;
    return w->action != 0 ? draft_act(w) : err;
}

static enum fm_err draft(struct srv_wish *w)
{
    const struct srv_table *t = &w->place->table;
    struct srv_draft *d = w->draft;
    struct fm_fault *f = &w->fault;
    const uint64_t now = w->hall->now_ms;
    uint8_t hash[ST_HASH_BYTES];
    struct fm_in in, value;
    const char *text = NULL;
    if (srv_place_refusal(w->place, f) != FM_OK)
        return f->code;
    switch (w->what) {
    case SRV_WANTS_SEAT:
        srv_token_hash(hash, w->token);
        return srv_draft_sat(d, t, w->body, hash, &w->seat, f);
    case SRV_WANTS_CHANCE:
        return srv_draft_added(d, t, w->seat, w->body, f);
    case SRV_WANTS_LEAVE:
        return srv_draft_left(d, t, w->seat, f);
    case SRV_WANTS_BOT:
        return srv_draft_bot(d, t, w->seat, w->has_bot ? w->bot : NULL, f);
    case SRV_WANTS_START:
        return srv_draft_started(d, t, now, f);
    case SRV_WANTS_ACT:
        return w->of_bot ? draft_bot_act(w) : draft_act(w);
    case SRV_WANTS_CLOCK:
        return srv_draft_clock(d, t, now, f);
    case SRV_WANTS_NOTES:
        in = fm_in_root(w->body, "", f);
        if (!fm_in_get(&in, "notes", &value))
            return f->code;
        if ((text = json_string_value(value.json)) == NULL)
            return fm_fail(f, FM_E_VALUE, "notes: a text is expected");
        return srv_draft_noted(d, t, w->seat, text, strlen(text), f);
    case SRV_WANTS_AGAIN: /* hall_make.c */
    case SRV_WANTS_TABLE:
        break;
    }
    return fm_fail_plain(f, FM_E_VALUE);
}

/* A bot thought about another view than there is now, or does not play any more. */
static bool is_stale(const struct srv_wish *w)
{
    const struct srv_table *t = &w->place->table;
    return w->what == SRV_WANTS_ACT && w->of_bot &&
           (t->seat[w->seat].bot[0] == '\0' ||
            fm_view_seq(fm_view_of(t->setup.game, t->match, w->seat)) != w->view_seq);
}

static void answer_seat(struct srv_wish *w)
{
    char text[256];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key_int(&o, "seat", w->seat);
    fm_js_key_text(&o, "token", w->token);
    fm_js_end_object(&o);
    srv_answer_out(w->hall, w->call, 201, &o);
}

/* Whoever sits here with the token that a request would get sent that request before. */
static bool is_seated(struct srv_wish *w)
{
    uint8_t hash[ST_HASH_BYTES];
    srv_token_hash(hash, w->token);
    w->seat = srv_table_seat_of(&w->place->table, hash);
    if (w->seat != SRV_NO_SEAT)
        answer_seat(w);
    return w->seat != SRV_NO_SEAT;
}

static bool has_added(struct srv_wish *w)
{
    if (w->seat < 0 || !srv_table_added(&w->place->table, w->seat, w->body))
        return false;
    answer_empty(w->hall, w->call);
    return true;
}

/* What was done already is answered again. */
static bool is_retry(struct srv_wish *w)
{
    uint32_t seq;
    if (w->what == SRV_WANTS_SEAT)
        return is_seated(w);
    if (w->what == SRV_WANTS_CHANCE)
        return has_added(w);
    if (w->what != SRV_WANTS_ACT || w->of_bot || w->seat < 0 ||
        !srv_table_knows(&w->place->table, w->seat, w->id, &seq))
        return false;
    if (w->live != NULL)
        send_ack(w->hall, w->live, w->id, seq);
    return true;
}

/* To the store; or it is answered, and forgotten. */
static void go(struct srv_wish *w)
{
    struct srv_place *p = w->place;
    if (is_stale(w) || is_retry(w)) {
        srv_wish_free(w);
        return;
    }
    w->draft = srv_draft_new(w->hall);
    if (w->draft == NULL)
        fm_fail_plain(&w->fault, FM_E_MEMORY);
    else if (draft(w) == FM_OK)
        p->flight = w;
    if (p->flight == w) {
        srv_fly(w);
    } else {
        srv_wish_refuse(w);
        srv_wish_free(w);
    }
}

/* The next in line goes to the store, if none is there. */
void srv_wish_next(struct srv_place *p)
{
    while (p->flight == NULL && p->first != NULL) {
        struct srv_wish *w = p->first;
        p->first = w->next;
        if (p->first == NULL)
            p->last = &p->first;
        p->n_waiting--;
        srv_crash_at(&p->table.id, p->table.seq + 1);
        if (w->what == SRV_WANTS_AGAIN) {
            p->flight = w; /* the table stays while room is made for the new one */
            if (!srv_rematch(w))
                p->flight = NULL;
            continue;
        }
        struct srv_hall *h = w->hall;
        srv_tell_later(w);
        go(w);
        srv_tell_at_once(h);
    }
}

void srv_wish_queue(struct srv_wish *w)
{
    struct srv_place *p = w->place;
    if (p->n_waiting >= w->hall->limits.waiting) {
        fm_fail_plain(&w->fault, FM_E_BUSY);
        srv_wish_refuse(w);
        srv_wish_free(w);
        return;
    }
    w->next = NULL;
    *p->last = w;
    p->last = &w->next;
    p->n_waiting++;
    srv_wish_next(p);
}

void srv_wish_bot(struct srv_wish *w, int seat, const char *bot)
{
    w->seat = seat;
    w->has_bot = bot != NULL;
    if (bot != NULL)
        (void)snprintf(w->bot, sizeof w->bot, "%s", bot);
    srv_wish_queue(w);
}

/* ---- telling -------------------------------------------------------------------------------- */

void srv_broadcast_seats(struct srv_hall *h, struct srv_place *p)
{
    struct fm_out o;
    fm_out_init(&o, h->text, SRV_MESSAGE);
    fm_js_object(&o);
    fm_js_key(&o, "seats");
    srv_put_seats(&o, &p->table, p->here);
    fm_js_end_object(&o);
    for (struct srv_live *l = p->lives; l != NULL; l = l->next)
        srv_send_out(h, l, &o);
}

/* {"clock":ms}: how long until the clock speaks; null: it does not tick. */
void srv_put_clock(struct fm_out *o, const struct srv_hall *h, const struct srv_table *t)
{
    const uint64_t deadline = srv_table_deadline(t);
    const uint64_t told_ms = h->told_at_ms > h->now_ms ? h->told_at_ms : h->now_ms;
    fm_js_object(o);
    fm_js_key(o, "clock");
    if (deadline != 0)
        fm_js_int(o, deadline > told_ms ? (int64_t)(deadline - told_ms) : 0);
    else
        fm_js_null(o);
    fm_js_end_object(o);
}

static void broadcast_clock(struct srv_hall *h, struct srv_place *p)
{
    char text[64];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    srv_put_clock(&o, h, &p->table);
    for (struct srv_live *l = p->lives; l != NULL; l = l->next)
        srv_send_out(h, l, &o);
}

/* Everybody who can notice it is told. The text is made once for each kind of viewer, and what
 * all of them see once for all. */
static void broadcast_change(struct srv_hall *h, struct srv_place *p, const struct srv_draft *d,
                             const void *before)
{
    struct fm_memo memo = {0};
    struct fm_out out[FM_MAX_SEATS + 1]; /* by seat, watchers last */
    bool tells[FM_MAX_SEATS + 1];
    unsigned made = 0;
    for (struct srv_live *l = p->lives; l != NULL; l = l->next) {
        const unsigned i = l->seat == FM_WATCHER ? FM_MAX_SEATS : (unsigned)l->seat;
        if (!(made >> i & 1)) {
            made |= 1u << i;
            fm_out_init(&out[i], h->text + i * SRV_MESSAGE, SRV_MESSAGE);
            out[i].memo = &memo;
            tells[i] = srv_put_change(&out[i], &p->table, d, before, l->seat);
        }
        if (tells[i])
            srv_send_out(h, l, &out[i]);
    }
}

void srv_hall_sent(struct srv_hall *h)
{
    const uint64_t now = h->n_told > 0 ? srv_now_us() : 0;
    while (h->n_told > 0)
        srv_histogram_add(&h->stats.told, now - h->told_us[--h->n_told]);
}

/* ---- what the store has done ---------------------------------------------------------------- */

static void answer_done(struct srv_wish *w)
{
    char text[32];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key(&o, "done");
    fm_js_bool(&o, true);
    fm_js_end_object(&o);
    srv_answer_out(w->hall, w->call, 200, &o);
}

void srv_forget_votes(struct srv_place *p, int seat)
{
    p->votes_for[seat] = p->votes_against[seat] = 0;
}

/* More than half of the other people at the table want it. */
bool srv_vote(struct srv_place *p, int seat, int by, bool bot)
{
    unsigned *const voters = bot ? &p->votes_for[seat] : &p->votes_against[seat];
    unsigned people = 0, votes = 0;
    *voters |= 1u << by;
    for (int i = 0; i < p->table.setup.n_seats; i++) {
        if (i == seat || !p->table.seat[i].taken)
            continue;
        people++;
        votes += *voters >> i & 1;
    }
    return 2 * votes > people;
}

static void ask_as_watcher(struct srv_wish *w, int seat)
{
    if (w->seat == seat && (w->what == SRV_WANTS_ACT || w->what == SRV_WANTS_NOTES ||
                            w->what == SRV_WANTS_LEAVE || w->what == SRV_WANTS_CHANCE))
        w->seat = FM_WATCHER;
}

/* Whoever had the seat watches from now on, and what it still asks for is not done: the seat may
 * be another's by then. */
static void forget_owner(struct srv_hall *h, struct srv_place *p, int seat)
{
    for (struct srv_live *l = p->lives; l != NULL; l = l->next)
        if (l->seat == seat)
            l->seat = FM_WATCHER;
    if (p->flight != NULL) /* another program was faster, so it will come back */
        ask_as_watcher(p->flight, seat);
    for (struct srv_wish *w = p->first; w != NULL; w = w->next)
        ask_as_watcher(w, seat);
    srv_notes_forget(h, p, seat);
    srv_peers_forget(p, seat);
    if (p->holder == seat)
        p->holder = FM_WATCHER;
}

void srv_tell_change(struct srv_hall *h, struct srv_place *p, const struct srv_draft *d,
                     const void *before, uint64_t deadline_before, int seat)
{
    srv_ocean_update(h->oceans, &p->ocean, &p->table);
    if (d->kind == SRV_DID || d->kind == SRV_STARTED)
        broadcast_change(h, p, d, before);
    if (srv_table_deadline(&p->table) != deadline_before)
        broadcast_clock(h, p);
    if (d->kind == SRV_LEFT)
        forget_owner(h, p, seat);
    if (d->kind == SRV_STARTED || d->kind == SRV_CLOSED)
        srv_waiting_done(h, &p->table.id);
    if (d->kind == SRV_CLOSED)
        srv_place_closed(h, p);
    if (p->table.state == ST_OVER && srv_notes_wait(p))
        srv_notes_flush(h, p, FM_WATCHER);
    if (d->kind == SRV_BOT_SET)
        srv_forget_votes(p, seat);
    if (d->kind == SRV_SAT || d->kind == SRV_LEFT || d->kind == SRV_BOT_SET)
        srv_broadcast_seats(h, p);
}

/* It is durable: the table has it, and everybody is told. */
static void succeed(struct srv_wish *w)
{
    struct srv_hall *h = w->hall;
    struct srv_place *p = w->place;
    struct fm_fault fault;
    _Alignas(8) uint8_t before[FM_STATE_MAX];
    const uint64_t deadline = srv_table_deadline(&p->table);
    memcpy(before, p->table.match, p->table.setup.game->state_size);
    fm_assert(srv_table_commit(&p->table, w->draft, &fault) == FM_OK);
    p->kept = p->kept || makes_keeper(w->draft->kind);
    srv_tell_change(h, p, w->draft, before, deadline, w->seat);
    if (p->lives != NULL && h->n_told < SRV_TOLD)
        h->told_us[h->n_told++] = w->settled_us;
    switch (w->what) {
    case SRV_WANTS_SEAT:
        answer_seat(w);
        break;
    case SRV_WANTS_BOT:
        answer_done(w);
        break;
    case SRV_WANTS_ACT:
        h->stats.moves++;
        if (w->live != NULL)
            send_ack(h, w->live, w->id,
                     fm_view_seq(fm_view_of(p->table.setup.game, p->table.match, w->seat)));
        break;
    case SRV_WANTS_AGAIN:
        srv_answer_table(h, w->call, &w->next_table, NULL, NULL);
        break;
    default:
        for (struct srv_wish *one = w; one != NULL; one = one->merged)
            answer_empty(h, one->call);
        break;
    }
}

static void line_up_again(struct srv_wish *w)
{
    struct srv_place *p = w->place;
    srv_draft_give(w->hall, w->draft);
    w->draft = NULL;
    w->raced = false;
    w->next = p->first;
    if (p->first == NULL)
        p->last = &w->next;
    p->first = w;
    p->n_waiting++;
}

/* Another program wrote this event of the log before: the wish is drafted anew after what that
 * wrote has been read. The table's line waits. */
static bool lost_race(struct srv_wish *w)
{
    if (w->err != FM_E_CONFLICT || w->lost++ >= RACES)
        return false;
    struct srv_waiters *waiters = srv_catch_up(w->hall, w->place);
    if (waiters == NULL)
        return false;
    waiters->wish = w;
    w->raced = true;
    return true;
}

static void settle(struct srv_wish *w)
{
    struct srv_place *p = w->place;
    struct srv_hall *h = w->hall;
    srv_crash_at(&p->table.id, w->seq);
    if (w->what == SRV_WANTS_TABLE) {
        srv_made_table(w);
        return;
    }
    const bool done = w->err == FM_OK;
    if (!done && lost_race(w))
        return;
    p->flight = NULL;
    srv_tell_later(w);
    if (done)
        succeed(w);
    else
        srv_wish_refuse(w);
    srv_tell_at_once(h);
    if (h->net.flush != NULL)
        h->net.flush(h->net.arg);
    srv_wish_free(w);
    if (done)
        srv_bots_ask(h, p);
    srv_wish_next(p);
}

void srv_wish_raced(struct srv_wish *w, const struct fm_fault *fault)
{
    struct srv_place *p = w->place;
    p->flight = NULL;
    if (fault == NULL && p->table.seq >= w->seq) {
        line_up_again(w);
    } else {
        if (fault != NULL)
            w->fault = *fault;
        srv_wish_refuse(w);
        srv_wish_free(w);
    }
    srv_wish_next(p);
}

/* libev hands over what it found in one turn from the last that came to the first. Whoever came
 * first is to be first all the same: so the last goes last to the store, in one group with all
 * others. */
void srv_hall_turn(struct srv_hall *h)
{
    if (h->ready == NULL)
        return;
    st_hold(h->store, true);
    while (h->ready != NULL) {
        struct srv_wish *w = h->ready;
        h->ready = NULL;
        for (struct srv_wish *next; w != NULL; w = next) {
            next = w->next;
            if (!submit(w)) {
                w->err = w->fault.code;
                settle(w);
            }
        }
    }
    st_hold(h->store, false);
}

void srv_hall_stop(struct srv_hall *h)
{
    srv_notes_flush(h, NULL, FM_WATCHER);
    srv_hall_turn(h);
}

void srv_hall_settle(struct srv_hall *h, uint64_t now_ms)
{
    srv_hall_enter(h, now_ms);
    srv_hall_turn(h);
    (void)pthread_mutex_lock(&h->lock);
    struct srv_wish *w = h->settled;
    h->settled = NULL;
    h->settled_last = &h->settled;
    (void)pthread_mutex_unlock(&h->lock);
    while (w != NULL) {
        struct srv_wish *next = w->next;
        settle(w);
        w = next;
    }
    srv_reads_settle(h);
    srv_retention_settle(h);
    srv_peers_settle(h);
    srv_bots_settle(h);
    srv_after_settle(h);
    srv_oceans_settle(h->oceans);
}

/* ---- beginning and end ---------------------------------------------------------------------- */

struct srv_hall *srv_hall_create(struct st_store *store, struct srv_oceans *oceans,
                                 const struct fm_library *library, const struct srv_net *net,
                                 const struct srv_limits *limits, uint64_t now_ms,
                                 struct fm_fault *fault)
{
    struct srv_hall *h = calloc(1, sizeof *h);
    fm_fail_plain(fault, FM_E_MEMORY); /* unless it is said otherwise */
    if (h == NULL || (h->text = malloc((size_t)SRV_MESSAGE * SRV_MESSAGES)) == NULL ||
        (h->games = srv_games_create(library)) == NULL ||
        (h->practice = srv_practice_create(store, fault)) == NULL ||
        (h->after = srv_after_create(library, net)) == NULL || !srv_memory_start(h) ||
        !srv_waiting_start(h)) {
        if (h != NULL) {
            srv_practice_destroy(h->practice);
            srv_games_destroy(h->games);
            free(h->text);
        }
        free(h);
        return NULL;
    }
    h->library = *srv_games_library(h->games);
    h->store = store;
    h->oceans = oceans;
    h->net = *net;
    h->limits = *limits;
    h->now_ms = now_ms;
    h->shared = st_shared(store);
    h->settled_last = &h->settled;
    h->noting_last = &h->noting;
    h->thinking_last = &h->thinking;
    h->heard_last = &h->heard;
    (void)pthread_mutex_init(&h->lock, NULL);
    (void)pthread_cond_init(&h->think, NULL);
    if (!srv_readers_start(h) || !srv_bots_start(h)) {
        fm_fail_plain(fault, FM_E_MEMORY);
        srv_readers_stop(h);
        srv_readers_free(h);
        srv_memory_stop(h);
        srv_after_destroy(h->after);
        srv_practice_destroy(h->practice);
        srv_games_destroy(h->games);
        free(h->text);
        free(h);
        return NULL;
    }
    if ((h->shared ? srv_peers_start(h, fault) : srv_resume_list(h, fault)) != FM_OK) {
        srv_hall_destroy(h);
        return NULL;
    }
    if (!srv_retention_start(h)) {
        (void)fm_fail_plain(fault, FM_E_MEMORY);
        srv_hall_destroy(h);
        return NULL;
    }
    return h;
}

void srv_hall_destroy(struct srv_hall *h)
{
    if (h == NULL)
        return;
    st_deafen(h->store);
    srv_retention_stop(h);
    srv_bots_stop(h);
    srv_after_destroy(h->after);
    srv_readers_stop(h);
    srv_notes_stop(h);
    st_drain(h->store);
    for (struct srv_wish *w = h->settled, *next; w != NULL; w = next) {
        next = w->next;
        srv_wish_free(w);
    }
    for (struct srv_wish *w = h->ready, *next; w != NULL; w = next) {
        next = w->next;
        srv_wish_free(w);
    }
    for (size_t i = 0; i < SRV_BUCKETS; i++)
        while (h->bucket[i] != NULL) {
            struct srv_place *p = h->bucket[i];
            for (struct srv_wish *w = p->first, *next; w != NULL; w = next) {
                next = w->next;
                srv_wish_free(w);
            }
            srv_place_free(h, p);
        }
    while (h->n_spare > 0)
        free(h->spare[--h->n_spare]);
    srv_peers_stop(h);
    srv_memory_stop(h);
    srv_readers_free(h);
    srv_waiting_stop(h);
    (void)pthread_mutex_destroy(&h->lock);
    (void)pthread_cond_destroy(&h->think);
    srv_practice_destroy(h->practice);
    srv_games_destroy(h->games);
    free(h->text);
    free(h);
}

struct srv_hall_stats srv_hall_stats(const struct srv_hall *h)
{
    struct srv_hall_stats stats = h->stats;
    stats.tables = h->n_places;
    return stats;
}
