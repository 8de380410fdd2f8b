/* picture_waits.c: a fair queue for pictures: which requests wait for which picture, and whose turn
 * it is. */
#include "server/picture_waits.h"

#include "ocean/ring.h"

#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 256

struct stack { /* a stack with waiting requests */
    struct oc_ring link;
    uint64_t key;
    unsigned n; /* requests that wait */
};

struct address { /* an address with waiting requests */
    struct oc_ring link;
    uint64_t id;
    unsigned n;           /* its waiting requests ... */
    unsigned in_cache;    /* ... and those of them that are with the cache */
    struct oc_ring lines; /* lines of the others; the first is next */
};

struct line { /* the requests of one viewer for one stack; never empty */
    struct oc_ring link;
    uint64_t key;
    int seat;             /* FM_WATCHER: none */
    struct oc_ring waits; /* oldest first */
};

struct srv_picture_wait {
    struct srv_waits *all;
    struct srv_call *call; /* NULL: the client hung up; the picture is drawn all the same */
    struct stack *stack;
    struct address *address;
    struct line *line;      /* NULL: it is with the cache */
    struct oc_ring in_line; /* if it has a line */
    struct oc_ring by_look; /* in its bucket */
    uint32_t round;
    struct oc_look look;
    enum oc_need need;
};

struct shot { /* drawn by a worker; picture NULL: it failed */
    struct shot *next;
    uint64_t key;
    uint32_t round;
    struct oc_look look;
    const struct oc_picture *picture;
};

struct srv_waits {
    struct srv_net net;
    struct oc_cache *cache;
    unsigned window;
    uint64_t now_ms;
    uint8_t
        hash_key[crypto_shorthash_KEYBYTES]; /* of the hash, so that nobody can cause collisions */
    struct oc_ring stacks[BUCKETS], addresses[BUCKETS], looks[BUCKETS];
    pthread_mutex_t lock;
    struct shot *shots, **last_shot; /* under the lock: other threads add to them */
};

/* ---- from other threads ---------------------------------------------------------------------- */

static void done(void *arg, uint64_t key, uint32_t round, struct oc_look look,
                 const struct oc_picture *picture)
{
    struct srv_waits *w = arg;
    struct shot *s = malloc(sizeof *s);
    if (s == NULL)
        return; /* no memory: its requests wait until their clients hang up */
    *s = (struct shot){.key = key, .round = round, .look = look};
    s->picture = picture != NULL ? oc_picture_keep(picture) : NULL;
    (void)pthread_mutex_lock(&w->lock);
    *w->last_shot = s;
    w->last_shot = &s->next;
    (void)pthread_mutex_unlock(&w->lock);
    w->net.wake(w->net.arg);
}

static struct shot *take_shots(struct srv_waits *w)
{
    (void)pthread_mutex_lock(&w->lock);
    struct shot *shots = w->shots;
    w->shots = NULL;
    w->last_shot = &w->shots;
    (void)pthread_mutex_unlock(&w->lock);
    return shots;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

struct srv_waits *srv_waits_create(const struct oc_maker *maker, const struct oc_limits *limits,
                                   const struct srv_net *net, unsigned window,
                                   struct fm_fault *fault)
{
    struct srv_waits *w = calloc(1, sizeof *w);
    if (w == NULL || (w->cache = oc_cache_create(maker, limits, done, w)) == NULL) {
        free(w);
        fm_fail_plain(fault, FM_E_MEMORY);
        return NULL;
    }
    w->net = *net;
    w->window = window;
    randombytes_buf(w->hash_key, sizeof w->hash_key);
    for (size_t i = 0; i < BUCKETS; i++) {
        oc_ring_init(&w->stacks[i]);
        oc_ring_init(&w->addresses[i]);
        oc_ring_init(&w->looks[i]);
    }
    (void)pthread_mutex_init(&w->lock, NULL);
    w->last_shot = &w->shots;
    return w;
}

struct oc_cache *srv_waits_cache(struct srv_waits *w)
{
    return w->cache;
}

/* ---- stacks, addresses, lines ---------------------------------------------------------------- */

uint64_t srv_waits_address(const struct srv_waits *w, const char *address)
{
    uint64_t id = 0;
    if (address != NULL)
        (void)crypto_shorthash((uint8_t *)&id, (const uint8_t *)address, strlen(address),
                               w->hash_key);
    return id;
}

static struct stack *find_stack(const struct srv_waits *w, uint64_t key)
{
    const struct oc_ring *bucket = &w->stacks[key % BUCKETS];
    for (struct oc_ring *r = oc_ring_first(bucket); r != bucket; r = oc_ring_next(r))
        if (OC_RING_OF(r, struct stack, link)->key == key)
            return OC_RING_OF(r, struct stack, link);
    return NULL;
}

/* Found, or new; NULL: no memory. */
static struct stack *stack_of(struct srv_waits *w, uint64_t key)
{
    struct stack *s = find_stack(w, key);
    if (s == NULL && (s = calloc(1, sizeof *s)) != NULL) {
        s->key = key;
        oc_ring_put(&s->link, &w->stacks[key % BUCKETS]);
    }
    return s;
}

static void leave_stack(struct stack *s)
{
    if (s != NULL && s->n == 0) {
        oc_ring_take(&s->link);
        free(s);
    }
}

unsigned srv_waits_of_stack(const struct srv_waits *w, uint64_t key)
{
    const struct stack *s = find_stack(w, key);
    return s != NULL ? s->n : 0;
}

static struct address *address_of(struct srv_waits *w, uint64_t id)
{
    struct oc_ring *bucket = &w->addresses[id % BUCKETS];
    for (struct oc_ring *r = oc_ring_first(bucket); r != bucket; r = oc_ring_next(r))
        if (OC_RING_OF(r, struct address, link)->id == id)
            return OC_RING_OF(r, struct address, link);
    struct address *a = calloc(1, sizeof *a);
    if (a == NULL)
        return NULL;
    a->id = id;
    oc_ring_init(&a->lines);
    oc_ring_put(&a->link, bucket);
    return a;
}

static void leave_address(struct address *a)
{
    if (a != NULL && a->n == 0) {
        oc_ring_take(&a->link);
        free(a);
    }
}

static struct line *line_of(struct address *a, uint64_t key, int seat)
{
    for (struct oc_ring *r = oc_ring_first(&a->lines); r != &a->lines; r = oc_ring_next(r)) {
        struct line *line = OC_RING_OF(r, struct line, link);
        if (line->key == key && line->seat == seat)
            return line;
    }
    struct line *line = calloc(1, sizeof *line);
    if (line == NULL)
        return NULL;
    line->key = key;
    line->seat = seat;
    oc_ring_init(&line->waits);
    oc_ring_put(&line->link, &a->lines);
    return line;
}

static void leave_line(struct srv_picture_wait *wait)
{
    struct line *line = wait->line;
    wait->line = NULL;
    oc_ring_take(&wait->in_line);
    if (oc_ring_empty(&line->waits)) {
        oc_ring_take(&line->link);
        free(line);
    }
}

static struct oc_ring *bucket_of(struct srv_waits *w, uint64_t key, struct oc_look look)
{
    const uint64_t number = (uint64_t)look.ty * OC_TILTS + look.tx + look.lamp * 251u + look.light;
    return &w->looks[(key * 31 + number) % BUCKETS];
}

/* ---- answers --------------------------------------------------------------------------------- */

static void answer(struct srv_waits *w, struct srv_call *call, const struct oc_picture *picture,
                   enum fm_err err)
{
    char text[256];
    struct fm_out o;
    if (call == NULL)
        return;
    call->picture = NULL;
    if (picture != NULL) {
        w->net.answer(w->net.arg, call, 200, (const char *)picture->data, picture->n);
        return;
    }
    fm_out_init(&o, text, sizeof text);
    srv_put_error(&o, err, fm_err_text(err));
    w->net.answer(w->net.arg, call, err == FM_E_GONE ? 404 : 429, text, o.len);
}

/* Removes a request; its address stays, even if nothing else of it waits. */
static void end_wait(struct srv_picture_wait *wait)
{
    if (wait->line != NULL)
        leave_line(wait);
    else
        wait->address->in_cache--;
    oc_ring_take(&wait->by_look);
    wait->address->n--;
    wait->stack->n--;
    leave_stack(wait->stack);
    free(wait);
}

/* Gives the next request of an address to the cache; its viewers take turns. */
static void ask_next(struct srv_waits *w, struct address *a)
{
    struct line *line = OC_RING_OF(oc_ring_first(&a->lines), struct line, link);
    struct srv_picture_wait *wait =
        OC_RING_OF(oc_ring_first(&line->waits), struct srv_picture_wait, in_line);
    const struct oc_picture *picture;
    struct fm_fault fault;
    oc_ring_take(&line->link);
    oc_ring_put(&line->link, &a->lines);
    leave_line(wait);
    a->in_cache++;
    oc_cache_owner(w->cache, wait->stack->key, a->id);
    const enum fm_err err = oc_cache_ask(w->cache, wait->stack->key, wait->round, wait->look,
                                         wait->need, w->now_ms, &picture, &fault);
    if (err == FM_OK && picture == NULL)
        return;
    answer(w, wait->call, picture, err);
    oc_picture_release(picture);
    end_wait(wait);
}

/* Fills the window of an address, and frees the address if nothing of it waits. */
static void go_on(struct srv_waits *w, struct address *a)
{
    while (a->in_cache < w->window && !oc_ring_empty(&a->lines))
        ask_next(w, a);
    leave_address(a);
}

/* Why there is no picture: its round is over, or the queue was full. */
static enum fm_err why_not(struct srv_waits *w, const struct shot *s)
{
    struct fm_fault fault;
    const struct oc_picture *picture;
    const enum fm_err err = oc_cache_find(w->cache, s->key, s->round, s->look, &picture, &fault);
    oc_picture_release(picture);
    return err == FM_E_GONE ? FM_E_GONE : FM_E_BUSY;
}

/* Answers all requests for this picture, whether they are with the cache or still queued, and
 * continues with their addresses. */
static void answer_shot(struct srv_waits *w, const struct shot *s)
{
    struct oc_ring *bucket = bucket_of(w, s->key, s->look), answered;
    const enum fm_err err = s->picture != NULL ? FM_OK : why_not(w, s);
    oc_ring_init(&answered);
    for (struct oc_ring *r = oc_ring_first(bucket), *next; r != bucket; r = next) {
        const struct srv_picture_wait *wait = OC_RING_OF(r, struct srv_picture_wait, by_look);
        next = oc_ring_next(r);
        if (wait->stack->key == s->key && wait->round == s->round &&
            memcmp(&wait->look, &s->look, sizeof wait->look) == 0) {
            oc_ring_take(r);
            oc_ring_put(r, &answered);
        }
    }
    while (!oc_ring_empty(&answered)) { /* continuing may answer others of the list */
        struct srv_picture_wait *wait =
            OC_RING_OF(oc_ring_first(&answered), struct srv_picture_wait, by_look);
        struct address *address = wait->address;
        answer(w, wait->call, s->picture, err);
        end_wait(wait);
        go_on(w, address);
    }
}

void srv_waits_settle(struct srv_waits *w)
{
    struct shot *s = take_shots(w);
    while (s != NULL) {
        struct shot *next = s->next;
        answer_shot(w, s);
        oc_picture_release(s->picture);
        free(s);
        s = next;
    }
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* A new waiting request, if there is room; NULL and a fault. */
static struct srv_picture_wait *new_wait(struct srv_waits *w, const struct srv_picture_request *r,
                                         struct fm_fault *fault)
{
    struct stack *stack = stack_of(w, r->key);
    struct address *address = address_of(w, srv_waits_address(w, r->viewer.address));
    struct srv_picture_wait *wait = NULL;
    if (stack == NULL || address == NULL)
        fm_fail_plain(fault, FM_E_MEMORY);
    else if (address->n >= SRV_WAITS_OF_ADDRESS)
        fm_fail(fault, FM_E_BUSY, "%u requests of this address wait for pictures already",
                address->n);
    else if (stack->n >= SRV_WAITS_OF_STACK)
        fm_fail(fault, FM_E_BUSY, "%u requests wait for pictures of this stack already", stack->n);
    else if ((wait = calloc(1, sizeof *wait)) == NULL)
        fm_fail_plain(fault, FM_E_MEMORY);
    if (wait == NULL) {
        leave_stack(stack);
        leave_address(address);
        return NULL;
    }
    *wait = (struct srv_picture_wait){.all = w,
                                      .call = r->viewer.call,
                                      .stack = stack,
                                      .address = address,
                                      .round = r->round,
                                      .look = r->look,
                                      .need = r->need};
    stack->n++;
    address->n++;
    address->in_cache++; /* until it has a line */
    oc_ring_put(&wait->by_look, bucket_of(w, r->key, r->look));
    return wait;
}

/* It was answered at once, or refused. */
static void forget_wait(struct srv_picture_wait *wait)
{
    struct address *address = wait->address;
    end_wait(wait);
    leave_address(address);
}

static enum fm_err queue(struct srv_picture_wait *wait, int seat, struct fm_fault *fault)
{
    struct line *line = line_of(wait->address, wait->stack->key, seat);
    if (line == NULL)
        return fm_fail_plain(fault, FM_E_MEMORY);
    wait->line = line;
    wait->address->in_cache--;
    oc_ring_put(&wait->in_line, &line->waits);
    return FM_OK;
}

enum fm_err srv_waits_ask(struct srv_waits *w, const struct srv_picture_request *r, uint64_t now_ms,
                          struct fm_fault *fault)
{
    const struct oc_picture *picture = NULL;
    enum fm_err err;
    w->now_ms = now_ms;
    struct srv_picture_wait *wait = new_wait(w, r, fault);
    if (wait == NULL)
        return fault->code;
    if (wait->address->in_cache <= w->window) {
        oc_cache_owner(w->cache, r->key, wait->address->id);
        err = oc_cache_ask(w->cache, r->key, r->round, r->look, r->need, now_ms, &picture, fault);
    } else {
        err = oc_cache_find(w->cache, r->key, r->round, r->look, &picture, fault);
        if (err == FM_OK && picture == NULL)
            err = queue(wait, r->viewer.seat, fault);
    }
    if (err == FM_OK && picture == NULL) {
        wait->call->picture = wait;
        return FM_OK;
    }
    forget_wait(wait);
    if (err == FM_OK)
        answer(w, r->viewer.call, picture, err);
    oc_picture_release(picture);
    return err;
}

void srv_waits_hung_up(struct srv_call *call)
{
    struct srv_picture_wait *wait = call->picture;
    call->picture = NULL;
    wait->call = NULL;
    if (wait->line != NULL) /* otherwise it counts in the window until the picture is drawn */
        forget_wait(wait);
}

void srv_waits_destroy(struct srv_waits *w)
{
    if (w == NULL)
        return;
    oc_cache_destroy(w->cache);
    for (struct shot *s = take_shots(w), *next; s != NULL; s = next) {
        next = s->next;
        oc_picture_release(s->picture);
        free(s);
    }
    for (size_t i = 0; i < BUCKETS; i++)
        while (!oc_ring_empty(&w->looks[i])) /* their calls may be gone */
            forget_wait(OC_RING_OF(oc_ring_first(&w->looks[i]), struct srv_picture_wait, by_look));
    (void)pthread_mutex_destroy(&w->lock);
    free(w);
}
