/* oceans.c: tells the cache about the tables' rounds, and answers requests for pictures. */
#include "server/oceans.h"

#include "ocean/round.h"
#include "server/archive_pictures.h"
#include "server/picture_waits.h"

#include "base/panic.h"

#include <fathom/ocean.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE    640
#define QUALITY 40

struct srv_ocean {
    uint64_t key;
    uint32_t number;
    bool octopus;
    struct oc_round *round; /* the cache's */
    struct oc_sheets sheets;
};

struct srv_oceans {
    struct oc_art *art;
    struct srv_waits *waits;
    struct oc_cache *cache; /* the waits' */
    struct srv_archive_pictures *archive;
    pthread_t thread[SRV_PAINTERS];
    unsigned n_threads;
    pthread_mutex_t lock;
    struct srv_histogram baked, drawn; /* under the lock */
    uint64_t keys;
};

struct painter { /* wraps a worker to measure its time */
    struct oc_worker *worker;
    struct srv_oceans *all;
};

/* ---- workers --------------------------------------------------------------------------------- */

static void measure(struct srv_oceans *all, struct srv_histogram *h, uint64_t since_us)
{
    const uint64_t took = srv_now_us() - since_us;
    (void)pthread_mutex_lock(&all->lock);
    srv_histogram_add(h, took);
    (void)pthread_mutex_unlock(&all->lock);
}

static void *bake(void *painter, void *round, struct fm_fault *fault)
{
    const struct painter *p = painter;
    const uint64_t since = srv_now_us();
    void *layers = oc_round_maker.bake(p->worker, round, fault);
    measure(p->all, &p->all->baked, since);
    return layers;
}

static enum fm_err draw(void *painter, const void *layers, struct oc_look look,
                        const uint8_t **data, size_t *n, struct fm_fault *fault)
{
    const struct painter *p = painter;
    const uint64_t since = srv_now_us();
    const enum fm_err err = oc_round_maker.make(p->worker, layers, look, data, n, fault);
    measure(p->all, &p->all->drawn, since);
    return err;
}

static void *work(void *arg)
{
    struct painter painter = {.worker = oc_worker_create(QUALITY), .all = arg};
    while (painter.worker != NULL && oc_cache_work(painter.all->cache, &painter))
        ;
    oc_worker_destroy(painter.worker);
    return NULL;
}

struct srv_oceans *srv_oceans_create(const struct srv_net *net, unsigned threads,
                                     struct fm_fault *fault)
{
    struct oc_limits limits = oc_limits_default();
    struct oc_maker maker = oc_round_maker;
    maker.bake = bake;
    maker.make = draw;
    limits.bakes = threads - 1; /* one thread that never bakes */
    struct srv_oceans *all = calloc(1, sizeof *all);
    if (all == NULL) {
        fm_fail_plain(fault, FM_E_MEMORY);
        return NULL;
    }
    (void)pthread_mutex_init(&all->lock, NULL);
    all->art = oc_art_load(NULL, fault);
    if (all->art != NULL)
        all->waits = srv_waits_create(&maker, &limits, net, threads > 2 ? threads : 2, fault);
    if (all->waits != NULL) {
        all->cache = srv_waits_cache(all->waits);
        all->archive = srv_archive_pictures_create(all->art, net, fault);
    }
    while (all->archive != NULL && all->n_threads < threads &&
           pthread_create(&all->thread[all->n_threads], NULL, work, all) == 0)
        all->n_threads++;
    if (all->n_threads < threads) {
        if (all->archive != NULL)
            fm_fail_plain(fault, FM_E_MEMORY);
        srv_oceans_destroy(all);
        return NULL;
    }
    return all;
}

void srv_oceans_destroy(struct srv_oceans *all)
{
    if (all == NULL)
        return;
    if (all->cache != NULL)
        oc_cache_stop(all->cache);
    for (unsigned i = 0; i < all->n_threads; i++)
        (void)pthread_join(all->thread[i], NULL);
    srv_waits_destroy(all->waits);
    srv_archive_pictures_destroy(all->archive);
    oc_art_free(all->art);
    (void)pthread_mutex_destroy(&all->lock);
    free(all);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static struct fm_stack stack_of(const struct srv_table *t)
{
    struct fm_stack stack;
    t->setup.game->ocean->stack(t->match, &stack);
    return stack;
}

/* A number for each state of the stack: its round and its height. */
static uint32_t number_of(const struct fm_stack *stack)
{
    return (uint32_t)stack->round * 64 + stack->n;
}

static struct srv_ocean *ocean_new(struct srv_oceans *all, const struct srv_table *t)
{
    struct oc_deal deal;
    _Alignas(8) uint8_t match[FM_STATE_MAX];
    struct srv_ocean *o = calloc(1, sizeof *o);
    if (o == NULL)
        return NULL;
    srv_table_deal(t, match);
    oc_deal_of(&deal, t->setup.game, match);
    oc_sheets_make(&o->sheets, all->art, t->water, &deal);
    o->key = ++all->keys;
    return o;
}

static void begin_round(struct srv_oceans *all, struct srv_ocean *o, const struct fm_stack *stack)
{
    struct fm_fault fault;
    struct oc_round *round = oc_round_create(all->art, &o->sheets, stack->n, SIZE, stack->lamps);
    o->number = number_of(stack);
    o->octopus = false;
    o->round = NULL;
    if (round == NULL)
        return;
    if (oc_cache_round(all->cache, o->key, o->number, round, &fault) == FM_OK)
        o->round = round;
    else
        oc_round_destroy(round);
}

static void place_octopus(struct srv_oceans *all, struct srv_ocean *o, const struct fm_stack *stack)
{
    struct fm_fault fault;
    if (o->round == NULL || o->octopus || !stack->covered)
        return;
    o->octopus = oc_round_octopus(o->round, (double)stack->x / FM_STACK_SCALE,
                                  (double)stack->y / FM_STACK_SCALE, &fault) == FM_OK;
    oc_cache_changed(all->cache, o->key);
}

void srv_ocean_update(struct srv_oceans *all, struct srv_ocean **ocean, const struct srv_table *t)
{
    if (all == NULL || !srv_has_pictures(t) || (t->state != ST_PLAYING && t->state != ST_OVER))
        return;
    const struct fm_stack stack = stack_of(t);
    if (*ocean == NULL)
        *ocean = ocean_new(all, t);
    if (*ocean == NULL)
        return;
    if ((*ocean)->number != number_of(&stack))
        begin_round(all, *ocean, &stack);
    place_octopus(all, *ocean, &stack);
}

void srv_ocean_forget(struct srv_oceans *all, struct srv_ocean **ocean)
{
    if (*ocean == NULL)
        return;
    oc_cache_forget(all->cache, (*ocean)->key);
    free(*ocean);
    *ocean = NULL;
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* The number at the start of a path, and the slash after it. */
static bool read_number(const char **path, unsigned most, unsigned *out)
{
    const char *p = *path;
    for (*out = 0; *p >= '0' && *p <= '9' && *out <= most; p++)
        *out = 10 * *out + (unsigned)(*p - '0');
    if (p == *path || *out > most || *p != '/')
        return false;
    *path = p + 1;
    return true;
}

enum fm_err srv_read_look(struct oc_look *look, const char *path, struct fm_fault *fault)
{
    char text[2 * OC_LOOK_TEXT];
    const size_t n = strlen(path);
    if (n < 5 || n - 4 >= sizeof text || strcmp(path + n - 4, ".jpg") != 0)
        return fm_fail_plain(fault, FM_E_NO_PATH);
    memcpy(text, path, n - 4);
    text[n - 4] = '\0';
    char *lamp = strchr(text, '/');
    if (lamp != NULL)
        *lamp++ = '\0';
    *look = oc_look_straight();
    const enum fm_err err = oc_look_tilt(look, text, fault);
    return err == FM_OK && lamp != NULL ? oc_look_lamp(look, lamp, fault) : err;
}

static enum fm_err ask_look(struct srv_oceans *all, const struct srv_ocean *o,
                            const struct fm_stack *stack, const struct srv_viewer *viewer,
                            struct oc_look look, uint64_t now_ms, struct fm_fault *fault)
{
    if (look.light != OC_DAYLIGHT && !stack->lamps)
        return fm_fail(fault, FM_E_OPTIONS, "there are no lamps at this table");
    const struct srv_picture_request r = {.key = o->key,
                                          .round = o->number,
                                          .look = look,
                                          .need = OC_NEAR, /* oldest first */
                                          .viewer = *viewer};
    return srv_waits_ask(all->waits, &r, now_ms, fault);
}

static const char sheet[] = "sheet/";

enum fm_err srv_ocean_ask(struct srv_oceans *all, struct srv_ocean *ocean,
                          const struct srv_table *t, const struct srv_viewer *viewer,
                          const char *path, uint64_t now_ms, struct fm_fault *fault)
{
    struct oc_look look;
    unsigned round;
    if (all == NULL || ocean == NULL)
        return fm_fail(fault, FM_E_NO_PATH, "there is no ocean at this table");
    const struct fm_stack stack = stack_of(t);
    if (!read_number(&path, 1000, &round))
        return fm_fail_plain(fault, FM_E_NO_PATH);
    if (strncmp(path, sheet, sizeof sheet - 1) == 0)
        return srv_past_sheet(all->archive, t, round, path + sizeof sheet - 1, viewer, now_ms,
                              fault);
    if (srv_read_look(&look, path, fault) != FM_OK)
        return fault->code;
    if (!viewer->visited)
        return fm_fail(fault, FM_E_NO_TOKEN_GIVEN,
                       "pictures need a token: a seat's, the host's, or the \"visit\" that the "
                       "table's stream and its replay tell");
    if (t->state == ST_OVER)
        return srv_past_look(all->archive, t, round, look, viewer, now_ms, fault);
    if (round != stack.round || ocean->round == NULL)
        return fm_fail_plain(fault, FM_E_GONE);
    return ask_look(all, ocean, &stack, viewer, look, now_ms, fault);
}

enum fm_err srv_ocean_creatures(const struct srv_ocean *ocean, const struct srv_table *t,
                                const char *path, struct fm_out *o, struct fm_fault *fault)
{
    unsigned round;
    int index;
    if (ocean == NULL)
        return fm_fail(fault, FM_E_NO_PATH, "there is no ocean at this table");
    if (!read_number(&path, 1000, &round) || strncmp(path, sheet, sizeof sheet - 1) != 0)
        return fm_fail_plain(fault, FM_E_NO_PATH);
    if (srv_past_index(t, round, path + sizeof sheet - 1, &path, &index, fault) != FM_OK)
        return fault->code;
    if (strcmp(path, ".json") != 0)
        return fm_fail_plain(fault, FM_E_NO_PATH);
    fm_assert(index >= 0 && index < ocean->sheets.n);
    oc_sheet_circles_put(o, &ocean->sheets.sheet[index], t->setup.game->ocean->kinds);
    return FM_OK;
}

struct srv_archive_pictures *srv_oceans_archive(struct srv_oceans *all)
{
    return all != NULL ? all->archive : NULL;
}

/* ---- answers --------------------------------------------------------------------------------- */

void srv_oceans_settle(struct srv_oceans *all)
{
    if (all == NULL)
        return;
    srv_archive_pictures_settle(all->archive);
    srv_waits_settle(all->waits);
}

struct srv_oceans_stats srv_oceans_stats(struct srv_oceans *all)
{
    const struct oc_cache_stats cache = oc_cache_stats(all->cache);
    struct srv_oceans_stats stats = {.asked = cache.asked, .found = cache.found};
    (void)pthread_mutex_lock(&all->lock);
    stats.baked = all->baked;
    stats.drawn = all->drawn;
    (void)pthread_mutex_unlock(&all->lock);
    return stats;
}

void srv_oceans_tick(struct srv_oceans *all, uint64_t now_ms)
{
    if (all == NULL)
        return;
    oc_cache_tidy(all->cache, now_ms);
    srv_archive_pictures_tick(all->archive, now_ms);
}
