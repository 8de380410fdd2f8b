/* cache_shelf.c: a table's present round: its requests, its pictures and its layers. */
#include "ocean/cache_state.h"

#include <stdlib.h>
#include <string.h>

/* ---- pictures -------------------------------------------------------------------------------- */

struct picture *oc__picture_create(const uint8_t *data, size_t n)
{
    struct picture *p = n <= SIZE_MAX / 2 ? malloc(sizeof *p + n) : NULL;
    if (p == NULL)
        return NULL;
    if (n > 0)
        memcpy(p->bytes, data, n);
    p->seen = (struct oc_picture){n, p->bytes};
    atomic_init(&p->holders, 1);
    return p;
}

static struct picture *picture_of(const struct oc_picture *p)
{
    return (struct picture *)(void *)((char *)(uintptr_t)p - offsetof(struct picture, seen));
}

const struct oc_picture *oc_picture_keep(const struct oc_picture *p)
{
    atomic_fetch_add_explicit(&picture_of(p)->holders, 1, memory_order_relaxed);
    return p;
}

void oc_picture_release(const struct oc_picture *p)
{
    if (p == NULL)
        return;
    struct picture *mine = picture_of(p);
    if (atomic_fetch_sub_explicit(&mine->holders, 1, memory_order_acq_rel) == 1)
        free(mine);
}

/* ---- items ----------------------------------------------------------------------------------- */

static const unsigned lamps[OC_LIGHTS] = {
    [OC_DAYLIGHT] = 1,
    [OC_ABOVE] = OC_LAMP_SPOTS * OC_LAMP_SPOTS,
    [OC_BELOW] = OC_LAMP_SPOTS * OC_LAMP_SPOTS,
    [OC_SIDE] = OC_LAMP_SIDES,
};

bool oc__look_exists(struct oc_look look)
{
    return look.tx < OC_TILTS && look.ty < OC_TILTS && look.light < OC_LIGHTS &&
           look.lamp < lamps[look.light];
}

static bool same_look(struct oc_look a, struct oc_look b)
{
    return a.tx == b.tx && a.ty == b.ty && a.light == b.light && a.lamp == b.lamp;
}

/* Looks are numbered one after the other, so that buckets are even whichever are asked for. */
static struct item **bucket_of(struct shelf *s, struct oc_look look)
{
    unsigned number = look.lamp;
    for (unsigned i = 0; i < look.light; i++)
        number += lamps[i];
    number = number * OC_TILTS * OC_TILTS + look.ty * (unsigned)OC_TILTS + look.tx;
    return &s->bucket[number % OC_BUCKETS];
}

static struct item *find_item(struct shelf *s, struct oc_look look)
{
    struct item *item = *bucket_of(s, look);
    while (item != NULL && !same_look(item->look, look))
        item = item->next;
    return item;
}

static void spend(struct item *item, bool owed, struct item **spent)
{
    item->owed = owed;
    item->next = *spent;
    *spent = item;
}

void oc__item_end(struct shelf *s, struct item *item, bool owed, struct item **spent)
{
    struct item **at = bucket_of(s, item->look);
    while (*at != item)
        at = &(*at)->next;
    *at = item->next;
    spend(item, owed, spent);
}

void oc__settle(struct oc_cache *c, struct item *spent)
{
    while (spent != NULL) {
        struct item *item = spent;
        spent = item->next;
        if (item->owed)
            c->done(c->arg, item->table, item->round, item->look, NULL);
        if (item->picture != NULL)
            oc_picture_release(&item->picture->seen);
        free(item);
    }
}

/* ---- requests -------------------------------------------------------------------------------- */

void oc__request_put(struct oc_cache *c, struct shelf *s, struct item *item, bool next)
{
    struct oc_ring *queue = &s->queue[item->need];
    const bool first = next && item->need != OC_FINGER; /* the finger's last one comes first */
    item->state = WAITING;
    oc_ring_put(&item->link, first ? oc_ring_first(queue) : queue);
    if (s->requests[item->need]++ == 0)
        oc_ring_put(&s->turn[item->need], &c->turn[item->need]);
    s->waiting++;
    c->stats.waiting++;
    if (item->need == OC_FINGER && s->requests[OC_FINGER] > OC_FINGERS) {
        struct item *old = OC_RING_OF(oc_ring_first(queue), struct item, link);
        oc__request_take(c, s, old);
        old->need = OC_NEAR;
        oc__request_put(c, s, old, false);
    }
}

void oc__request_take(struct oc_cache *c, struct shelf *s, struct item *item)
{
    oc_ring_take(&item->link);
    if (--s->requests[item->need] == 0)
        oc_ring_take(&s->turn[item->need]);
    s->waiting--;
    c->stats.waiting--;
}

/* Ends the oldest request of a need, with NULL. */
static void end_oldest(struct oc_cache *c, struct shelf *s, enum oc_need need, struct item **spent)
{
    struct item *item = OC_RING_OF(oc_ring_first(&s->queue[need]), struct item, link);
    oc__request_take(c, s, item);
    oc__item_end(s, item, true, spent);
}

bool oc__request_fits(struct oc_cache *c, struct shelf *s, enum oc_need need, struct item **spent)
{
    if (s->waiting < c->limits.queue)
        return true;
    enum oc_need least = OC_NEEDS - 1;
    while (s->requests[least] == 0)
        least--;
    if (least < need || (least == need && need != OC_FINGER))
        return false;
    end_oldest(c, s, least, spent);
    c->stats.dropped++;
    return true;
}

void oc__requests_end(struct oc_cache *c, struct shelf *s, struct item **spent)
{
    for (enum oc_need need = 0; need < OC_NEEDS; need++)
        while (s->requests[need] > 0)
            end_oldest(c, s, need, spent);
}

/* ---- what is kept ---------------------------------------------------------------------------- */

/* Bytes that keeping it takes. */
static size_t picture_cost(const struct picture *p)
{
    return sizeof *p + p->seen.n + sizeof(struct item);
}

/* Forgets the picture that was used least recently. */
static void forget_oldest(struct oc_cache *c, struct shelf *s, struct item **spent)
{
    struct item *item = OC_RING_OF(oc_ring_first(&s->pictures), struct item, link);
    const size_t cost = picture_cost(item->picture);
    oc_ring_take(&item->link);
    s->encoded -= cost;
    c->encoded -= cost;
    if (oc_ring_empty(&s->pictures))
        oc_ring_take(&s->pictured);
    oc__item_end(s, item, false, spent);
}

bool oc__picture_put(struct oc_cache *c, struct shelf *s, struct item *item, struct picture *p,
                     struct item **spent)
{
    const size_t cost = picture_cost(p);
    if (cost > c->limits.table_encoded || cost > c->limits.encoded)
        return false;
    while (s->encoded + cost > c->limits.table_encoded)
        forget_oldest(c, s, spent);
    while (c->encoded + cost > c->limits.encoded)
        forget_oldest(c, OC_RING_OF(oc_ring_first(&c->pictured), struct shelf, pictured), spent);
    (void)oc_picture_keep(&p->seen);
    item->picture = p;
    item->state = KEPT;
    if (oc_ring_empty(&s->pictures))
        oc_ring_put(&s->pictured, &c->pictured);
    oc_ring_put(&item->link, &s->pictures);
    s->encoded += cost;
    c->encoded += cost;
    return true;
}

void oc__pictures_forget(struct oc_cache *c, struct shelf *s, struct item **spent)
{
    while (!oc_ring_empty(&s->pictures))
        forget_oldest(c, s, spent);
}

void oc__layers_old(struct oc_cache *c, struct layers *layers)
{
    layers->next = c->old_layers;
    c->old_layers = layers;
    c->stats.leftovers++;
    (void)pthread_cond_signal(&c->news);
}

void oc__layers_leave(struct oc_cache *c, struct shelf *s)
{
    struct layers *layers = s->layers;
    s->layers = NULL;
    oc_ring_take(&s->layered);
    c->standing -= layers->bytes;
    c->stats.baked--;
    layers->leaving = true;
    if (layers->users == 0)
        oc__layers_old(c, layers);
}

void oc__shelf_old(struct oc_cache *c, struct shelf *s)
{
    s->next = c->old_shelves;
    c->old_shelves = s;
    c->stats.leftovers++;
    (void)pthread_cond_signal(&c->news);
}

void oc__sweep(struct oc_cache *c)
{
    struct layers *layers = c->old_layers;
    struct shelf *shelves = c->old_shelves;
    size_t bytes = 0;
    c->old_layers = NULL;
    c->old_shelves = NULL;
    c->stats.leftovers = 0;
    (void)pthread_mutex_unlock(&c->lock);
    while (layers != NULL) {
        struct layers *old = layers;
        layers = old->next;
        bytes += old->bytes;
        c->maker.free_layers(old->made);
        free(old);
    }
    while (shelves != NULL) {
        struct shelf *old = shelves;
        shelves = old->next;
        c->maker.drop(old->round);
        free(old);
    }
    (void)pthread_mutex_lock(&c->lock);
    c->held -= bytes;
    if (bytes > 0)
        (void)pthread_cond_broadcast(&c->news); /* others may have waited for the room */
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* Moves what is in a list to its end. */
static void used_now(struct oc_ring *r, struct oc_ring *list)
{
    if (!oc_ring_empty(r)) { /* it is in one */
        oc_ring_take(r);
        oc_ring_put(r, list);
    }
}

/* A look that is requested already: it moves up, never down. */
static void request_again(struct oc_cache *c, struct shelf *s, struct item *item, enum oc_need need)
{
    if (item->state == MAKING) {
        if (need < item->need)
            item->need = (uint8_t)need; /* should it have to be made again */
    } else if (need == OC_FINGER && item->need == OC_FINGER) {
        used_now(&item->link, &s->queue[OC_FINGER]);
    } else if (need < item->need) {
        oc__request_take(c, s, item);
        item->need = (uint8_t)need;
        oc__request_put(c, s, item, false);
    }
}

static enum fm_err request(struct oc_cache *c, struct shelf *s, struct oc_look look,
                           enum oc_need need, struct item **spent)
{
    struct item *item = malloc(sizeof *item);
    if (item == NULL)
        return FM_E_MEMORY;
    if (!oc__request_fits(c, s, need, spent)) {
        free(item);
        return FM_E_BUSY;
    }
    struct item **bucket = bucket_of(s, look);
    *item = (struct item){
        .next = *bucket,
        .table = s->table,
        .round = s->number,
        .look = look,
        .need = (uint8_t)need,
    };
    *bucket = item;
    oc__request_put(c, s, item, false);
    c->stats.requests++;
    (void)pthread_cond_signal(&c->news);
    return FM_OK;
}

static const struct oc_picture *take_picture(struct oc_cache *c, struct shelf *s, struct item *item)
{
    used_now(&item->link, &s->pictures);
    c->stats.found++;
    return oc_picture_keep(&item->picture->seen);
}

const struct oc_picture *oc__shelf_find(struct oc_cache *c, struct shelf *s, struct oc_look look)
{
    struct item *item = find_item(s, look);
    if (item == NULL || item->state != KEPT)
        return NULL;
    c->stats.asked++;
    used_now(&s->layered, &c->layered);
    used_now(&s->pictured, &c->pictured);
    return take_picture(c, s, item);
}

enum fm_err oc__shelf_ask(struct oc_cache *c, struct shelf *s, struct oc_look look,
                          enum oc_need need, const struct oc_picture **picture, struct item **spent)
{
    c->stats.asked++;
    used_now(&s->layered, &c->layered);
    used_now(&s->pictured, &c->pictured);
    struct item *item = find_item(s, look);
    if (item == NULL)
        return c->stopped ? FM_E_GONE : request(c, s, look, need, spent);
    if (item->state == KEPT)
        *picture = take_picture(c, s, item);
    else
        request_again(c, s, item, need);
    return FM_OK;
}

/* ---- shelves --------------------------------------------------------------------------------- */

struct shelf *oc__shelf_create(uint64_t table, uint32_t number, void *round, size_t bake_bytes)
{
    struct shelf *s = calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->table = table;
    s->number = number;
    s->round = round;
    s->bake_bytes = bake_bytes;
    for (int need = 0; need < OC_NEEDS; need++) {
        oc_ring_init(&s->queue[need]);
        oc_ring_init(&s->turn[need]);
    }
    oc_ring_init(&s->pictures);
    oc_ring_init(&s->layered);
    oc_ring_init(&s->pictured);
    oc_ring_init(&s->baking);
    return s;
}

void oc__shelf_end(struct oc_cache *c, struct shelf *s, struct item **spent)
{
    s->over = true;
    oc__requests_end(c, s, spent);
    oc__pictures_forget(c, s, spent);
    if (s->layers != NULL)
        oc__layers_leave(c, s);
    if (s->busy == 0)
        oc__shelf_old(c, s);
}
