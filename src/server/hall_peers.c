/*
 * hall_peers.c: other programs on the same store, each serving any table.
 *
 * The log alone is the truth. Whoever hears that a table has more events than it knows reads them,
 * and tells its own streams; whoever loses a race for the next event does the same, and drafts its
 * wish anew. Who is connected where, votes and looks are not of the log: programs tell each other
 * in words that may be lost, and are said again.
 */
#include "server/hall_state.h"

#include "base/hash.h"
#include "base/panic.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEARD_MAX 65536 /* news that wait */
#define HEADS     256   /* tables that are compared with the store at once ... */
#define HEADS_MS  2000  /* ... and so often, at most, each of them */
#define HERE_MS   5000  /* between two words on who is here */
#define GONE_MS   15000 /* after the last of these */

bool srv_keeps(const struct srv_hall *h, const struct srv_place *p)
{
    return !h->shared || p->kept;
}

/* ---- news ------------------------------------------------------------------------------------- */

static struct srv_heard *heard_new(const struct st_news *news)
{
    struct srv_heard *heard = malloc(sizeof *heard + news->n + 1);
    if (heard == NULL)
        return NULL;
    heard->next = NULL;
    heard->news = *news;
    heard->news.text = heard->text;
    if (news->n > 0)
        memcpy(heard->text, news->text, news->n);
    heard->text[news->n] = '\0';
    return heard;
}

void srv_heard_free(struct srv_heard *heard)
{
    for (struct srv_heard *next; heard != NULL; heard = next) {
        next = heard->next;
        free(heard);
    }
}

/* ---- catching up ----------------------------------------------------------------------------- */

struct following { /* what others wrote at a table since */
    struct srv_read read;
    struct srv_place *place; /* it stays in memory meanwhile */
    struct st_id id;
    uint64_t from;
    uint8_t *bytes; /* each event behind its struct written */
    size_t n, cap;
    enum fm_err err;
    struct fm_fault fault;
    struct srv_waiters waiters;
};

struct written {
    uint64_t seq;
    size_t n;
};

/* It is this program's own, and its answer is on the way: that will be told then. Or else another
 * wrote the very same, and the answer will be a conflict. */
static bool is_own(const struct srv_place *p, uint64_t seq, const void *event, size_t n)
{
    const struct srv_wish *w = p->flight;
    return w != NULL && !w->raced && w->draft != NULL && w->seq == seq && w->draft->n == n &&
           memcmp(w->draft->text, event, n) == 0;
}

/* The next event is the table's; false: no more of them, f->err says why. */
static bool follow(struct srv_hall *h, struct following *f, struct srv_draft *d, uint64_t seq,
                   const void *event, size_t n)
{
    struct srv_place *p = f->place;
    struct srv_table *t = &p->table;
    _Alignas(8) uint8_t before[FM_STATE_MAX];
    const uint64_t deadline = srv_table_deadline(t);
    srv_crash_at(&t->id, seq);
    if (is_own(p, seq, event, n))
        return false;
    memcpy(before, t->match, t->setup.game->state_size);
    f->err = srv_table_expects(t, seq, &f->fault);
    if (f->err == FM_OK)
        f->err = srv_table_follow(t, d, event, n, &f->fault);
    if (f->err != FM_OK)
        return false;
    srv_table_heard(t, h->now_ms);
    if (d->kind == SRV_STARTED || d->kind == SRV_BOT_SET)
        p->kept = false; /* whoever wrote it does */
    srv_tell_change(h, p, d, before, deadline, d->seat);
    return true;
}

/* What was written there is beyond this program: a newer one will know. */
static void send_all_away(struct srv_hall *h, struct srv_place *p, const struct fm_fault *fault)
{
    if (p->lives != NULL || p->kept)
        srv_say_unread(&p->table.id, "followed", fault);
    p->kept = false;
    for (struct srv_live *l = p->lives, *next; l != NULL; l = next) {
        next = l->next;
        h->net.send_away(h->net.arg, l);
    }
}

/* On a reader's thread. */
static bool collect(void *arg, uint64_t seq, const void *event, size_t n)
{
    struct following *f = arg;
    const struct written head = {seq, n};
    const size_t more = sizeof head + n;
    if (f->n + more > f->cap) {
        const size_t cap = 2 * (f->n + more);
        uint8_t *bytes = realloc(f->bytes, cap);
        if (bytes == NULL)
            return false; /* what is missing is read the next time */
        f->bytes = bytes;
        f->cap = cap;
    }
    memcpy(f->bytes + f->n, &head, sizeof head);
    memcpy(f->bytes + f->n + sizeof head, event, n);
    f->n += more;
    return true;
}

static void read_following(struct srv_read *read)
{
    struct following *f = (struct following *)read;
    f->err = st_read_log(read->hall->store, &f->id, f->from, collect, f, &f->fault);
}

static void free_following(struct srv_read *read)
{
    struct following *f = (struct following *)read;
    srv_waiters_free(&f->waiters);
    free(f->bytes);
    free(f);
}

/* f->err FM_E_RECORD: this program cannot follow; its streams go elsewhere. */
static void follow_all(struct srv_hall *h, struct following *f)
{
    struct srv_place *p = f->place;
    struct srv_draft *d = srv_draft_new(h);
    struct written head;
    const uint64_t seq = p->table.seq;
    bool goes_on = true;
    if (d == NULL) {
        f->err = fm_fail_plain(&f->fault, FM_E_MEMORY);
        return;
    }
    for (size_t at = 0; at < f->n && goes_on; at += sizeof head + head.n) {
        memcpy(&head, f->bytes + at, sizeof head);
        if (head.seq > p->table.seq) /* or it was written here, meanwhile */
            goes_on = follow(h, f, d, head.seq, f->bytes + at + sizeof head, head.n);
    }
    srv_draft_give(h, d);
    if (f->err != FM_OK) {
        f->fault.code = f->err;
        send_all_away(h, p, &f->fault);
    }
    if (p->table.seq > seq) {
        if (h->net.flush != NULL)
            h->net.flush(h->net.arg);
        srv_bots_ask(h, p);
    }
}

static void attend(struct srv_hall *h, const struct st_news *news, bool fresh);
static struct following *start_following(struct srv_hall *h, struct srv_place *p);
static void follow_again(struct srv_hall *h, struct srv_place *p);

static void followed(struct srv_read *read)
{
    struct following *f = (struct following *)read;
    struct srv_hall *h = read->hall;
    struct srv_place *p = f->place;
    if (f->err == FM_OK)
        follow_all(h, f);
    else if (f->err == FM_E_NO_TABLE)
        srv_place_removed(h, p);
    const struct fm_fault *fault = f->err != FM_OK ? &f->fault : NULL;
    struct srv_wish *const wish = f->waiters.wish;
    p->follows = NULL;
    if (p->follows_again || (fault == NULL && f->n > 0 && p->heard_seq > p->table.seq))
        follow_again(h, p);
    f->waiters.wish = NULL;
    if (wish != NULL)
        srv_wish_raced(wish, fault);
    for (const struct srv_heard *one = f->waiters.heard; one != NULL; one = one->next)
        attend(h, &one->news, true);
    for (struct srv_parked *k = f->waiters.first; k != NULL; k = k->next)
        k->fresh = true;
    srv_waiters_go(srv_waiters_take(&f->waiters), fault);
    free_following(read);
}

static struct following *start_following(struct srv_hall *h, struct srv_place *p)
{
    struct following *f = calloc(1, sizeof *f);
    if (f == NULL)
        return NULL;
    f->read = (struct srv_read){.work = read_following, .done = followed, .free = free_following};
    f->place = p;
    f->id = p->table.id;
    f->from = p->table.seq + 1;
    p->follows = &f->read;
    srv_read_queue(h, &f->read);
    return f;
}

/* For those who came while the log was being read. */
static void follow_again(struct srv_hall *h, struct srv_place *p)
{
    struct srv_waiters waiting = p->waiting;
    struct following *next = start_following(h, p);
    struct fm_fault fault = {.action = -1};
    p->waiting = (struct srv_waiters){0};
    p->follows_again = false;
    if (next != NULL) {
        next->waiters = waiting;
        return;
    }
    (void)fm_fail_plain(&fault, FM_E_MEMORY);
    if (waiting.wish != NULL)
        srv_wish_raced(waiting.wish, &fault);
    waiting.wish = NULL;
    srv_waiters_go(srv_waiters_take(&waiting), &fault);
    srv_waiters_free(&waiting);
}

struct srv_waiters *srv_catch_up(struct srv_hall *h, struct srv_place *p)
{
    if (p->follows != NULL && srv_read_begun(h, p->follows)) {
        p->follows_again = true; /* what is being read may be older than the question */
        return &p->waiting;
    }
    struct following *f =
        p->follows != NULL ? (struct following *)p->follows : start_following(h, p);
    return f != NULL ? &f->waiters : NULL;
}

/* The log of a table in memory goes so far. */
static void hear_head(struct srv_hall *h, struct srv_place *p, uint64_t seq)
{
    if (seq > p->heard_seq && seq < UINT64_MAX)
        p->heard_seq = seq;
    if (seq > p->table.seq && p->follows == NULL)
        (void)srv_catch_up(h, p); /* if it fails, the next comparison finds it */
}

/* ---- who is where ---------------------------------------------------------------------------- */

unsigned srv_peers_seats(const struct srv_hall *h, const struct srv_place *p)
{
    unsigned here = 0;
    for (unsigned i = 0; i < FM_MAX_SEATS; i++)
        if (p->peer[i].until_ms > h->now_ms)
            here |= p->peer[i].here;
    return here;
}

void srv_peers_forget(struct srv_place *p, int seat)
{
    const unsigned bit = 1u << seat;
    for (unsigned i = 0; i < FM_MAX_SEATS; i++)
        p->peer[i].here &= ~bit;
    p->local &= ~bit;
    p->here &= ~bit;
}

static void tell(struct srv_hall *h, const struct srv_place *p, const struct fm_out *o)
{
    fm_assert(fm_out_ok(o));
    if (o->len <= ST_WORD_MAX)
        st_tell(h->store, &p->table.id, o->buf, o->len);
}

void srv_peers_here(struct srv_hall *h, struct srv_place *p, bool asks)
{
    char text[128];
    struct fm_out o;
    if (!h->shared)
        return;
    p->told_ms = h->now_ms;
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key_int(&o, "here", p->local);
    fm_js_key(&o, "node");
    fm_js_hex(&o, (const uint8_t *)&h->node, sizeof h->node);
    fm_js_key(&o, "asks");
    fm_js_bool(&o, asks);
    fm_js_end_object(&o);
    tell(h, p, &o);
}

/* The peer's entry, or one that is free or was not renewed; no two peers have the same seats for
 * long, so there are enough. */
static struct srv_peer *peer_of(const struct srv_hall *h, struct srv_place *p, uint64_t node)
{
    struct srv_peer *free = NULL;
    for (unsigned i = 0; i < FM_MAX_SEATS; i++) {
        if (p->peer[i].node == node)
            return &p->peer[i];
        if (p->peer[i].here == 0 || p->peer[i].until_ms <= h->now_ms)
            free = &p->peer[i];
    }
    return free;
}

/* The word overtook the log: it is heard again when that has been read. */
static bool put_off(struct srv_hall *h, struct srv_place *p, const struct st_news *news)
{
    struct srv_heard *heard = heard_new(news);
    struct srv_waiters *waiters = heard != NULL ? srv_catch_up(h, p) : NULL;
    if (waiters == NULL) {
        free(heard);
        return false;
    }
    heard->next = waiters->heard;
    waiters->heard = heard;
    return true;
}

static bool hear_here(struct srv_hall *h, struct srv_place *p, const struct fm_in *in,
                      const struct st_news *news, bool fresh)
{
    struct fm_in value;
    const char *text;
    uint64_t node;
    int here;
    bool asks;
    if (!fm_in_get(in, "here", &value) ||
        !fm_in_int(&value, 0, (1 << p->table.setup.n_seats) - 1, &here) ||
        !fm_in_get(in, "node", &value) || !fm_in_text(&value, 2 * sizeof node, &text) ||
        fm__unhex((uint8_t *)&node, sizeof node, text) != 0 || !fm_in_get(in, "asks", &value) ||
        !fm_in_bool(&value, &asks))
        return false;
    for (int seat = 0; seat < p->table.setup.n_seats && !fresh; seat++)
        if (here >> seat & 1 && !p->table.seat[seat].taken && put_off(h, p, news))
            return true;
    struct srv_peer *peer = peer_of(h, p, node);
    if (peer != NULL)
        *peer = (struct srv_peer){node, (unsigned)here, h->now_ms + GONE_MS};
    if (asks && p->local != 0)
        srv_peers_here(h, p, false);
    srv_update_here(h, p);
    return true;
}

/* ---- other words ----------------------------------------------------------------------------- */

void srv_peers_vote(struct srv_hall *h, struct srv_place *p, int seat, int by, const char *bot)
{
    char text[128];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key_int(&o, "vote", seat);
    fm_js_key_int(&o, "by", by);
    fm_js_key_text(&o, "bot", bot);
    fm_js_end_object(&o);
    tell(h, p, &o);
}

/* Whoever hears the vote that is enough does what was voted for. */
static bool hear_vote(struct srv_hall *h, struct srv_place *p, const struct fm_in *in)
{
    struct fm_in value;
    const int last = p->table.setup.n_seats - 1;
    const char *bot = NULL;
    int seat, by;
    if (!fm_in_get(in, "vote", &value) || !fm_in_int(&value, 0, last, &seat) ||
        !fm_in_get(in, "by", &value) || !fm_in_int(&value, 0, last, &by) ||
        !fm_in_get(in, "bot", &value) ||
        (!json_is_null(value.json) && !fm_in_text(&value, SRV_BOT - 1, &bot)))
        return false;
    if (srv_vote(p, seat, by, bot != NULL) && p->table.state == ST_PLAYING) {
        struct srv_wish *w = srv_wish_new(h, p, SRV_WANTS_BOT, NULL);
        if (w != NULL)
            srv_wish_bot(w, seat, bot);
    }
    return true;
}

void srv_peers_hold(struct srv_hall *h, struct srv_place *p)
{
    char text[32];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key_int(&o, "hold", p->holder);
    fm_js_end_object(&o);
    tell(h, p, &o);
}

static bool hear_hold(struct srv_place *p, const struct fm_in *in)
{
    struct fm_in value;
    return fm_in_get(in, "hold", &value) &&
           fm_in_int(&value, FM_WATCHER, p->table.setup.n_seats - 1, &p->holder);
}

void srv_peers_look(struct srv_hall *h, struct srv_place *p, const struct fm_out *look)
{
    tell(h, p, look);
}

/* As the peer made it: for table screens. */
static bool hear_look(struct srv_hall *h, struct srv_place *p, const struct st_news *news)
{
    for (struct srv_live *l = p->lives; l != NULL; l = l->next)
        if (l->seat == FM_WATCHER)
            h->net.send(h->net.arg, l, news->text, news->n);
    return true;
}

static bool hear_word(struct srv_hall *h, struct srv_place *p, const struct st_news *news,
                      bool fresh)
{
    struct fm_fault fault;
    json_t *json = fm_json_load(news->text, news->n, &fault);
    if (json == NULL)
        return false;
    const struct fm_in in = fm_in_root(json, "", &fault);
    struct fm_in value;
    const bool known = fm_in_has(&in, "here", &value)   ? hear_here(h, p, &in, news, fresh)
                       : fm_in_has(&in, "vote", &value) ? hear_vote(h, p, &in)
                       : fm_in_has(&in, "hold", &value) ? hear_hold(p, &in)
                       : fm_in_has(&in, "look", &value) ? hear_look(h, p, news)
                                                        : false;
    json_decref(json);
    return known;
}

/* ---- hearing --------------------------------------------------------------------------------- */

/* On the store's thread. */
static void hear(void *arg, const struct st_news *news)
{
    struct srv_hall *h = arg;
    struct srv_heard *heard = heard_new(news);
    (void)pthread_mutex_lock(&h->lock);
    if (heard == NULL || (h->n_heard >= HEARD_MAX && news->kind != ST_KEEP)) {
        h->missed = true;
        free(heard);
    } else {
        *h->heard_last = heard;
        h->heard_last = &heard->next;
        h->n_heard++;
    }
    (void)pthread_mutex_unlock(&h->lock);
    h->net.wake(h->net.arg);
}

/* The store believes that this program keeps the table, so nobody else will. */
static void keep(struct srv_hall *h, const struct st_news *news)
{
    struct srv_place *p = srv_place_known(h, &news->table);
    if (p == NULL) {
        srv_keep_away(h, &news->table, news->seq);
        struct srv_kept *k = srv_kept_find(h, &news->table);
        if (k != NULL)
            srv_kept_wake(h, k);
        return;
    }
    p->kept = true;
    hear_head(h, p, news->seq);
    srv_bots_ask(h, p);
}

static void hear_wrote(struct srv_hall *h, struct srv_place *p, const struct st_news *news)
{
    struct srv_kept *k = p == NULL ? srv_kept_find(h, &news->table) : NULL;
    struct srv_load *l = p == NULL ? srv_load_find(h, &news->table) : NULL;
    if (l != NULL)
        srv_load_behind(l);
    if (k != NULL && news->seq > k->seq)
        srv_kept_wake(h, k);
    if (p != NULL)
        hear_head(h, p, news->seq);
}

/* fresh: the log has been read after it came. */
static void attend(struct srv_hall *h, const struct st_news *news, bool fresh)
{
    struct srv_place *p = srv_place_known(h, &news->table);
    if (p != NULL && p->table.seq == 0)
        return;
    switch (news->kind) {
    case ST_KEEP:
        keep(h, news);
        break;
    case ST_MISSED:
        h->heads_ms = 0;
        break;
    case ST_WROTE:
        hear_wrote(h, p, news);
        break;
    case ST_TOLD:
        if (p != NULL && !hear_word(h, p, news, fresh))
            fprintf(stderr, "fathom: a word of another program is not understood\n");
        break;
    }
}

void srv_peers_settle(struct srv_hall *h)
{
    (void)pthread_mutex_lock(&h->lock);
    struct srv_heard *heard = h->heard;
    h->heard = NULL;
    h->heard_last = &h->heard;
    h->n_heard = 0;
    if (h->missed)
        h->heads_ms = 0;
    h->missed = false;
    (void)pthread_mutex_unlock(&h->lock);
    for (const struct srv_heard *one = heard; one != NULL; one = one->next)
        attend(h, &one->news, false);
    srv_heard_free(heard);
}

/* ---- time ------------------------------------------------------------------------------------ */

static bool is_watched(const struct srv_place *p)
{
    return p->table.seq > 0 && (p->lives != NULL || p->kept);
}

struct heads_read {
    struct srv_read read;
    struct st_id ids[HEADS];
    uint64_t seqs[HEADS];
    size_t n;
    enum fm_err err;
};

static void read_heads(struct srv_read *read)
{
    struct heads_read *r = (struct heads_read *)read;
    struct fm_fault fault;
    r->err = st_read_heads(read->hall->store, r->ids, r->n, r->seqs, &fault);
}

static void free_heads(struct srv_read *read)
{
    free(read);
}

static void compared(struct srv_read *read)
{
    struct heads_read *r = (struct heads_read *)read;
    read->hall->compares = false;
    for (size_t i = 0; i < r->n && r->err == FM_OK; i++) {
        const struct st_news news = {.kind = ST_WROTE,
                                     .table = r->ids[i],
                                     .seq = r->seqs[i] > 0 ? r->seqs[i] : UINT64_MAX}; /* removed */
        attend(read->hall, &news, false);
    }
    free(r);
}

/* Notices may be lost: some tables after others are compared with the store. */
static void compare_heads(struct srv_hall *h)
{
    if (h->compares || (h->heads_at == 0 && h->now_ms < h->heads_ms + HEADS_MS))
        return;
    struct heads_read *r = calloc(1, sizeof *r);
    if (r == NULL)
        return;
    if (h->heads_at == 0)
        h->heads_ms = h->now_ms;
    for (; h->heads_at < SRV_BUCKETS && r->n < HEADS / 2; h->heads_at++) {
        for (struct srv_place *p = h->bucket[h->heads_at]; p != NULL && r->n < HEADS; p = p->next)
            if (is_watched(p))
                r->ids[r->n++] = p->table.id;
        for (struct srv_kept *k = h->kept[h->heads_at]; k != NULL && r->n < HEADS; k = k->next)
            if (!k->wanted)
                r->ids[r->n++] = k->id;
    }
    if (h->heads_at == SRV_BUCKETS)
        h->heads_at = 0;
    if (r->n == 0) {
        free(r);
        return;
    }
    r->read = (struct srv_read){.work = read_heads, .done = compared, .free = free_heads};
    h->compares = true;
    srv_read_queue(h, &r->read);
}

void srv_peers_tick(struct srv_hall *h)
{
    if (!h->shared)
        return;
    compare_heads(h);
    for (size_t i = 0; i < SRV_BUCKETS; i++)
        for (struct srv_place *p = h->bucket[i]; p != NULL; p = p->next) {
            if (p->local != 0 && h->now_ms >= p->told_ms + HERE_MS)
                srv_peers_here(h, p, false);
            if (p->lives != NULL && (p->here & ~p->local) != 0)
                srv_update_here(h, p); /* peers that are silent are gone */
        }
}

enum fm_err srv_peers_start(struct srv_hall *h, struct fm_fault *fault)
{
    srv_random(&h->node, sizeof h->node);
    h->node |= 1;
    return st_listen(h->store, hear, h, fault);
}

void srv_peers_stop(struct srv_hall *h)
{
    srv_heard_free(h->heard);
}
