/* cache_work.c: the workers' side of the cache: what comes next, and making it. */
#include "ocean/cache_state.h"

#include <stdlib.h>

/* ---- room for layers ------------------------------------------------------------------------- */

/* Whether a shelf's layers may be evicted to bake those of another, for a request of a need. */
static bool may_leave(const struct shelf *s, enum oc_need need)
{
    if (s->turn_made >= OC_TURN)
        return true;
    for (enum oc_need n = 0; n <= need; n++)
        if (s->requests[n] > 0)
            return false;
    return true;
}

/* Whether layers would fit, or be the only ones, if everything that can be evicted were evicted. */
static bool could_fit(const struct oc_cache *c, size_t bytes, enum oc_need need)
{
    size_t staying = c->reserved;
    for (struct oc_ring *r = oc_ring_first(&c->layered); r != &c->layered; r = oc_ring_next(r)) {
        const struct shelf *s = OC_RING_OF(r, struct shelf, layered);
        if (!may_leave(s, need))
            staying += s->layers->bytes;
    }
    return staying == 0 || staying + bytes <= c->limits.layers;
}

static size_t layers_of_owner(const struct oc_cache *c, uint64_t owner)
{
    size_t bytes = 0;
    for (struct oc_ring *r = oc_ring_first(&c->layered); r != &c->layered; r = oc_ring_next(r)) {
        const struct shelf *s = OC_RING_OF(r, struct shelf, layered);
        if (s->owner == owner)
            bytes += s->layers->bytes;
    }
    return bytes;
}

/* What to evict: of the owner with most layers, those that nobody asked anything of for longest;
 * NULL: nothing may be evicted. */
static struct shelf *next_to_leave(const struct oc_cache *c, enum oc_need need)
{
    struct shelf *found = NULL;
    size_t most = 0;
    for (struct oc_ring *r = oc_ring_first(&c->layered); r != &c->layered; r = oc_ring_next(r)) {
        struct shelf *s = OC_RING_OF(r, struct shelf, layered);
        if (!may_leave(s, need) || (found != NULL && s->owner == found->owner))
            continue;
        const size_t bytes = layers_of_owner(c, s->owner);
        if (found == NULL || bytes > most) {
            found = s;
            most = bytes;
        }
    }
    return found;
}

/* Evicts others to make room for layers; whether there is room now. If not, there may be shortly:
 * those evicted may still be in use, or not yet swept. */
static bool make_room(struct oc_cache *c, size_t bytes, enum oc_need need)
{
    if (c->standing + c->reserved + bytes > c->limits.layers) {
        if (!could_fit(c, bytes, need))
            return false;
        struct shelf *s;
        while (c->standing + c->reserved + bytes > c->limits.layers &&
               (s = next_to_leave(c, need)) != NULL)
            oc__layers_leave(c, s);
    }
    const size_t taken = c->held + c->reserved;
    return taken == 0 || taken + bytes <= c->limits.layers;
}

/* ---- what comes next ------------------------------------------------------------------------- */

static bool table_is_baked(const struct oc_cache *c, uint64_t table)
{
    for (struct oc_ring *r = oc_ring_first(&c->baking); r != &c->baking; r = oc_ring_next(r))
        if (OC_RING_OF(r, struct shelf, baking)->table == table)
            return true;
    return false;
}

static bool may_not_bake(const struct oc_cache *c)
{
    return c->limits.bakes > 0 && c->n_baking >= c->limits.bakes;
}

/* The shelf to bake or to make a picture of, and the need; NULL: nothing can be done now. */
static struct shelf *next_shelf(struct oc_cache *c, enum oc_need *need)
{
    size_t too_large = SIZE_MAX; /* refused already; and less room can be made for lesser needs */
    for (*need = 0; *need < OC_NEEDS; ++*need) {
        struct oc_ring *turn = &c->turn[*need];
        for (struct oc_ring *r = oc_ring_first(turn); r != turn; r = oc_ring_next(r)) {
            struct shelf *s = OC_RING_OF(r - *need, struct shelf, turn);
            if (s->layers != NULL)
                return s;
            if (may_not_bake(c) || s->bake_bytes >= too_large || table_is_baked(c, s->table))
                continue;
            if (make_room(c, s->bake_bytes, *need))
                return s;
            too_large = s->bake_bytes;
        }
    }
    return NULL;
}

/* ---- baking ---------------------------------------------------------------------------------- */

/* A worker is no longer busy with a shelf. */
static void shelf_leave(struct oc_cache *c, struct shelf *s)
{
    if (--s->busy == 0 && s->over)
        oc__shelf_old(c, s);
}

/* Called with the lock held, returns with it open. The shelf keeps its turn: the picture that it
 * is baked for comes next. */
static void bake(struct oc_cache *c, struct shelf *s, void *worker)
{
    struct item *spent = NULL;
    struct fm_fault fault;
    s->busy++;
    c->reserved += s->bake_bytes;
    oc_ring_put(&s->baking, &c->baking);
    c->n_baking++;
    (void)pthread_mutex_unlock(&c->lock);

    struct layers *layers = calloc(1, sizeof *layers);
    if (layers != NULL)
        layers->made = c->maker.bake(worker, s->round, &fault);
    const bool baked = layers != NULL && layers->made != NULL;
    if (baked)
        layers->bytes = c->maker.layers_bytes(layers->made);
    else
        free(layers);

    (void)pthread_mutex_lock(&c->lock);
    oc_ring_take(&s->baking);
    c->n_baking--;
    c->reserved -= s->bake_bytes;
    if (!baked) {
        c->stats.failed++;
        oc__requests_end(c, s, &spent);
    } else {
        c->stats.bakes++;
        c->held += layers->bytes;
        if (s->over) {
            oc__layers_old(c, layers);
        } else {
            s->layers = layers;
            s->turn_made = 0;
            c->standing += layers->bytes;
            c->stats.baked++;
            oc_ring_put(&s->layered, &c->layered);
        }
    }
    shelf_leave(c, s);
    (void)pthread_cond_broadcast(&c->news); /* the shelf has work for several */
    (void)pthread_mutex_unlock(&c->lock);
    oc__settle(c, spent);
}

/* ---- making ---------------------------------------------------------------------------------- */

/* What was made is no longer what is wanted: the request waits again. */
static void make_again(struct oc_cache *c, struct shelf *s, struct item *item, struct item **spent)
{
    if (c->stopped) {
        oc__item_end(s, item, true, spent);
    } else if (!oc__request_fits(c, s, item->need, spent)) {
        c->stats.dropped++;
        oc__item_end(s, item, true, spent);
    } else {
        oc__request_put(c, s, item, true);
    }
}

/* The request of a need that comes first. */
static struct item *first_request(struct shelf *s, enum oc_need need)
{
    struct oc_ring *queue = &s->queue[need];
    return OC_RING_OF(need == OC_FINGER ? oc_ring_last(queue) : oc_ring_first(queue), struct item,
                      link);
}

static struct picture *picture_of(struct oc_cache *c, const struct layers *layers,
                                  struct oc_look look, void *worker)
{
    struct fm_fault fault;
    const uint8_t *data = NULL;
    size_t n = 0;
    if (c->maker.make(worker, layers->made, look, &data, &n, &fault) != FM_OK)
        return NULL;
    return oc__picture_create(data, n);
}

/* Called with the lock held, returns with it open. */
static void make(struct oc_cache *c, struct shelf *s, enum oc_need need, void *worker)
{
    struct item *item = first_request(s, need), *spent = NULL;
    struct layers *layers = s->layers;
    const struct oc_look look = item->look;
    const uint64_t generation = s->generation, table = s->table;
    const uint32_t round = s->number;
    oc__request_take(c, s, item);
    item->state = MAKING;
    if (s->requests[need] > 0) { /* the next table's turn */
        oc_ring_take(&s->turn[need]);
        oc_ring_put(&s->turn[need], &c->turn[need]);
    }
    s->busy++;
    s->turn_made++;
    layers->users++;
    (void)pthread_mutex_unlock(&c->lock);

    struct picture *picture = picture_of(c, layers, look, worker);

    (void)pthread_mutex_lock(&c->lock);
    bool given = false;
    if (s->over) {
        item->owed = true; /* it is in no bucket any more: nobody else knows it */
        item->next = spent;
        spent = item;
    } else if (s->generation != generation) {
        make_again(c, s, item, &spent);
    } else if (picture == NULL) {
        c->stats.failed++;
        oc__item_end(s, item, true, &spent);
    } else {
        given = true;
        c->stats.made++;
        if (!oc__picture_put(c, s, item, picture, &spent))
            oc__item_end(s, item, false, &spent);
    }
    if (--layers->users == 0 && layers->leaving)
        oc__layers_old(c, layers);
    shelf_leave(c, s);
    (void)pthread_mutex_unlock(&c->lock);

    if (given)
        c->done(c->arg, table, round, look, &picture->seen);
    if (picture != NULL)
        oc_picture_release(&picture->seen);
    oc__settle(c, spent);
}

/* ---- a worker's step ------------------------------------------------------------------------- */

bool oc_cache_work(struct oc_cache *c, void *worker)
{
    bool swept = false;
    (void)pthread_mutex_lock(&c->lock);
    while (!c->stopped) {
        enum oc_need need;
        struct shelf *s = NULL;
        if (c->stats.leftovers == 0)
            s = next_shelf(c, &need);
        if (s != NULL) {
            if (s->layers == NULL)
                bake(c, s, worker);
            else
                make(c, s, need, worker);
            return true;
        }
        if (c->stats.leftovers > 0) {
            oc__sweep(c);
            swept = true;
        } else if (swept) {
            break;
        } else {
            (void)pthread_cond_wait(&c->news, &c->lock);
        }
    }
    const bool stopped = c->stopped;
    (void)pthread_mutex_unlock(&c->lock);
    return !stopped;
}
