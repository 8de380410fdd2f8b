/* cache.c: the loop's side of the cache: tables and their rounds, and asking for pictures. */
#include "ocean/cache.h"

#include "base/panic.h"
#include "ocean/cache_state.h"

#include <stdlib.h>
#include <string.h>

/* ---- tables ---------------------------------------------------------------------------------- */

/* Where a table's shelf is, or would be. */
static unsigned place_of(const struct oc_cache *c, uint64_t table)
{
    unsigned from = 0, to = c->n;
    while (from < to) {
        const unsigned middle = from + (to - from) / 2;
        if (c->shelf[middle]->table < table)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static struct shelf *find_shelf(const struct oc_cache *c, uint64_t table)
{
    const unsigned at = place_of(c, table);
    return at < c->n && c->shelf[at]->table == table ? c->shelf[at] : NULL;
}

enum fm_err oc_cache_round(struct oc_cache *c, uint64_t table, uint32_t number, void *round,
                           struct fm_fault *fault)
{
    struct item *spent = NULL;
    struct shelf *s = oc__shelf_create(table, number, round, c->maker.bake_bytes(round));
    if (s == NULL)
        return fm_fail_plain(fault, FM_E_MEMORY);
    (void)pthread_mutex_lock(&c->lock);
    const unsigned at = place_of(c, table);
    const bool known = at < c->n && c->shelf[at]->table == table;
    const bool fits = known || c->n < c->limits.tables;
    if (known) {
        oc__shelf_end(c, c->shelf[at], &spent);
    } else if (fits) {
        memmove(&c->shelf[at + 1], &c->shelf[at], (c->n - at) * sizeof(struct shelf *));
        c->n++;
    }
    if (fits)
        c->shelf[at] = s;
    (void)pthread_mutex_unlock(&c->lock);
    oc__settle(c, spent);
    if (fits)
        return FM_OK;
    free(s);
    return fm_fail(fault, FM_E_BUSY, "there are pictures of %u tables already, and no more fit",
                   c->limits.tables);
}

void oc_cache_changed(struct oc_cache *c, uint64_t table)
{
    struct item *spent = NULL;
    (void)pthread_mutex_lock(&c->lock);
    struct shelf *s = find_shelf(c, table);
    if (s != NULL) {
        s->generation++;
        oc__pictures_forget(c, s, &spent);
    }
    (void)pthread_mutex_unlock(&c->lock);
    oc__settle(c, spent);
}

void oc_cache_forget(struct oc_cache *c, uint64_t table)
{
    struct item *spent = NULL;
    (void)pthread_mutex_lock(&c->lock);
    const unsigned at = place_of(c, table);
    if (at < c->n && c->shelf[at]->table == table) {
        oc__shelf_end(c, c->shelf[at], &spent);
        c->n--;
        memmove(&c->shelf[at], &c->shelf[at + 1], (c->n - at) * sizeof(struct shelf *));
    }
    (void)pthread_mutex_unlock(&c->lock);
    oc__settle(c, spent);
}

void oc_cache_tidy(struct oc_cache *c, uint64_t now_ms)
{
    (void)pthread_mutex_lock(&c->lock);
    for (struct oc_ring *r = oc_ring_first(&c->layered), *next; r != &c->layered; r = next) {
        struct shelf *s = OC_RING_OF(r, struct shelf, layered);
        next = oc_ring_next(r);
        if (s->waiting == 0 && s->layers->users == 0 && now_ms > s->asked_ms &&
            now_ms - s->asked_ms >= c->limits.idle_ms)
            oc__layers_leave(c, s);
    }
    (void)pthread_mutex_unlock(&c->lock);
}

/* ---- asking ---------------------------------------------------------------------------------- */

enum fm_err oc_cache_ask(struct oc_cache *c, uint64_t table, uint32_t round, struct oc_look look,
                         enum oc_need need, uint64_t now_ms, const struct oc_picture **picture,
                         struct fm_fault *fault)
{
    fm_assert((unsigned)need < OC_NEEDS);
    *picture = NULL;
    if (!oc__look_exists(look))
        return fm_fail(fault, FM_E_VALUE, "there is no such tilt or lamp: %u,%u %u:%u", look.tx,
                       look.ty, look.light, look.lamp);
    struct item *spent = NULL;
    enum fm_err err = FM_E_GONE;
    (void)pthread_mutex_lock(&c->lock);
    struct shelf *s = find_shelf(c, table);
    const bool known = s != NULL, present = known && s->number == round;
    if (present) {
        s->asked_ms = now_ms;
        err = oc__shelf_ask(c, s, look, need, picture, &spent);
    }
    (void)pthread_mutex_unlock(&c->lock);
    oc__settle(c, spent);
    if (err == FM_OK)
        return FM_OK;
    if (!known)
        return fm_fail(fault, err, "there are no pictures of this table: it is over or unknown");
    if (err == FM_E_GONE && present)
        return fm_fail(fault, err, "no more pictures are made: the program ends");
    return fm_fail_plain(fault, err);
}

void oc_cache_owner(struct oc_cache *c, uint64_t table, uint64_t owner)
{
    (void)pthread_mutex_lock(&c->lock);
    struct shelf *s = find_shelf(c, table);
    if (s != NULL)
        s->owner = owner;
    (void)pthread_mutex_unlock(&c->lock);
}

enum fm_err oc_cache_find(struct oc_cache *c, uint64_t table, uint32_t round, struct oc_look look,
                          const struct oc_picture **picture, struct fm_fault *fault)
{
    *picture = NULL;
    if (!oc__look_exists(look))
        return FM_OK;
    (void)pthread_mutex_lock(&c->lock);
    struct shelf *s = find_shelf(c, table);
    const bool present = s != NULL && s->number == round && !c->stopped;
    if (present)
        *picture = oc__shelf_find(c, s, look);
    (void)pthread_mutex_unlock(&c->lock);
    return present ? FM_OK : fm_fail_plain(fault, FM_E_GONE);
}

/* ---- the cache ------------------------------------------------------------------------------- */

struct oc_limits oc_limits_default(void)
{
    return (struct oc_limits){
        .table_encoded =
            2000000, /* some sixty pictures; with layers of 22 MB a table stays below 25 */
        .layers = (size_t)512 << 20,
        .encoded = (size_t)256 << 20,
        .queue = 64,
        .tables = 4096,
        .idle_ms = 60000,
    };
}

struct oc_cache *oc_cache_create(const struct oc_maker *maker, const struct oc_limits *limits,
                                 void (*done)(void *arg, uint64_t table, uint32_t round,
                                              struct oc_look look,
                                              const struct oc_picture *picture),
                                 void *arg)
{
    fm_assert(limits->queue > 0 && limits->tables > 0);
    struct oc_cache *c = calloc(1, sizeof *c + limits->tables * sizeof(struct shelf *));
    if (c == NULL)
        return NULL;
    if (pthread_mutex_init(&c->lock, NULL) != 0) {
        free(c);
        return NULL;
    }
    if (pthread_cond_init(&c->news, NULL) != 0) {
        (void)pthread_mutex_destroy(&c->lock);
        free(c);
        return NULL;
    }
    c->maker = *maker;
    c->limits = *limits;
    c->done = done;
    c->arg = arg;
    for (int need = 0; need < OC_NEEDS; need++)
        oc_ring_init(&c->turn[need]);
    oc_ring_init(&c->layered);
    oc_ring_init(&c->pictured);
    oc_ring_init(&c->baking);
    return c;
}

void oc_cache_stop(struct oc_cache *c)
{
    struct item *spent = NULL;
    (void)pthread_mutex_lock(&c->lock);
    c->stopped = true;
    for (unsigned i = 0; i < c->n; i++)
        oc__requests_end(c, c->shelf[i], &spent);
    (void)pthread_cond_broadcast(&c->news);
    (void)pthread_mutex_unlock(&c->lock);
    oc__settle(c, spent);
}

void oc_cache_destroy(struct oc_cache *c)
{
    if (c == NULL)
        return;
    struct item *spent = NULL;
    (void)pthread_mutex_lock(&c->lock);
    for (unsigned i = 0; i < c->n; i++) {
        fm_assert(c->shelf[i]->busy == 0);
        oc__shelf_end(c, c->shelf[i], &spent);
    }
    oc__sweep(c);
    fm_assert(c->held == 0 && c->reserved == 0 && c->encoded == 0);
    (void)pthread_mutex_unlock(&c->lock);
    oc__settle(c, spent);
    (void)pthread_cond_destroy(&c->news);
    (void)pthread_mutex_destroy(&c->lock);
    free(c);
}

struct oc_cache_stats oc_cache_stats(struct oc_cache *c)
{
    (void)pthread_mutex_lock(&c->lock);
    struct oc_cache_stats stats = c->stats;
    stats.layers = c->held;
    stats.encoded = c->encoded;
    stats.tables = c->n;
    (void)pthread_mutex_unlock(&c->lock);
    return stats;
}
