/* oceans.c: rounds to the cache, pictures to those who asked. */
#include "server/oceans.h"

#include "games/dive/dive_state.h"
#include "ocean/round.h"
#include "server/glimpses.h"

#include "base/panic.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE    640
#define QUALITY 40
#define WORKERS 1
#define ASKERS  256 /* calls that wait for pictures of one table */

struct asker { /* a call that waits for a picture */
    struct asker *next;
    struct srv_call *call;
    uint32_t number; /* of the round, as the cache has it */
    struct oc_look look;
};

struct shot { /* a picture that a worker has made; NULL: it could not be */
    struct shot *next;
    uint64_t table;
    uint32_t number;
    struct oc_look look;
    const struct oc_picture *picture;
};

struct srv_ocean {
    struct srv_ocean *next; /* of all */
    uint64_t key;
    uint32_t number;
    bool octopus;
    struct oc_round *round; /* the cache's */
    struct asker *askers;
    unsigned n_askers;
    struct oc_sheets sheets;
};

struct srv_oceans {
    struct srv_net net;
    struct oc_art *art;
    struct oc_cache *cache;
    struct srv_glimpses *glimpses;
    struct srv_ocean *oceans;
    pthread_t thread[WORKERS];
    unsigned n_threads;
    pthread_mutex_t lock;
    struct shot *shots;
    struct srv_histogram baked, drawn;
    uint64_t keys;
};

struct painter { /* a worker, whose time is measured */
    struct oc_worker *worker;
    struct srv_oceans *all;
};

/* ---- workers -------------------------------------------------------------------------------- */

static void done(void *arg, uint64_t table, uint32_t number, struct oc_look look,
                 const struct oc_picture *picture)
{
    struct srv_oceans *all = arg;
    struct shot *s = malloc(sizeof *s);
    if (s == NULL)
        return; /* the asker's connection times out */
    *s = (struct shot){.table = table, .number = number, .look = look};
    s->picture = picture != NULL ? oc_picture_keep(picture) : NULL;
    (void)pthread_mutex_lock(&all->lock);
    s->next = all->shots;
    all->shots = s;
    (void)pthread_mutex_unlock(&all->lock);
    all->net.wake(all->net.arg);
}

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

struct srv_oceans *srv_oceans_create(const struct srv_net *net, struct fm_fault *fault)
{
    const struct oc_limits limits = oc_limits_default();
    struct oc_maker maker = oc_round_maker;
    maker.bake = bake;
    maker.make = draw;
    struct srv_oceans *all = calloc(1, sizeof *all);
    if (all == NULL) {
        fm_fail_plain(fault, FM_E_MEMORY);
        return NULL;
    }
    all->net = *net;
    (void)pthread_mutex_init(&all->lock, NULL);
    all->art = oc_art_load(NULL, fault);
    if (all->art != NULL) {
        all->cache = oc_cache_create(&maker, &limits, done, all);
        if (all->cache == NULL)
            fm_fail_plain(fault, FM_E_MEMORY);
        else
            all->glimpses = srv_glimpses_create(all->art, net, fault);
    }
    while (all->glimpses != NULL && all->n_threads < WORKERS &&
           pthread_create(&all->thread[all->n_threads], NULL, work, all) == 0)
        all->n_threads++;
    if (all->n_threads == 0) {
        srv_oceans_destroy(all);
        return NULL;
    }
    return all;
}

static void drop_shots(struct srv_oceans *all)
{
    while (all->shots != NULL) {
        struct shot *s = all->shots;
        all->shots = s->next;
        oc_picture_release(s->picture);
        free(s);
    }
}

void srv_oceans_destroy(struct srv_oceans *all)
{
    if (all == NULL)
        return;
    if (all->cache != NULL)
        oc_cache_stop(all->cache);
    for (unsigned i = 0; i < all->n_threads; i++)
        (void)pthread_join(all->thread[i], NULL);
    oc_cache_destroy(all->cache);
    srv_glimpses_destroy(all->glimpses);
    drop_shots(all);
    oc_art_free(all->art);
    (void)pthread_mutex_destroy(&all->lock);
    free(all);
}

/* ---- tables --------------------------------------------------------------------------------- */

static const struct dive_state *dive_of(const struct srv_table *t)
{
    return (const void *)t->match;
}

/* Every stack that can be looked at has a number of its own. */
static uint32_t number_of(const struct dive_pub *pub)
{
    return (uint32_t)pub->round * 64 + pub->stack_n;
}

static struct srv_ocean *ocean_new(struct srv_oceans *all, const struct srv_table *t)
{
    struct oc_deal deal;
    _Alignas(8) uint8_t match[FM_STATE_MAX];
    struct srv_ocean *o = calloc(1, sizeof *o);
    if (o == NULL)
        return NULL;
    srv_table_deal(t, match);
    oc_deal_of_dive(&deal, (const struct dive_state *)(const void *)match);
    oc_sheets_make(&o->sheets, all->art, oc_waters, &deal);
    o->key = ++all->keys;
    o->next = all->oceans;
    all->oceans = o;
    return o;
}

static void begin_round(struct srv_oceans *all, struct srv_ocean *o, const struct dive_pub *pub)
{
    struct fm_fault fault;
    struct oc_round *round =
        oc_round_create(all->art, &o->sheets, pub->stack_n, SIZE, pub->flashlight != 0);
    o->number = number_of(pub);
    o->octopus = false;
    o->round = NULL;
    if (round == NULL)
        return;
    if (oc_cache_round(all->cache, o->key, o->number, round, &fault) == FM_OK)
        o->round = round;
    else
        oc_round_destroy(round);
}

static void place_octopus(struct srv_oceans *all, struct srv_ocean *o, const struct dive_pub *pub)
{
    struct fm_fault fault;
    if (o->round == NULL || o->octopus || pub->effect[DIVE_OCTOPUS] == DIVE_NONE)
        return;
    o->octopus = oc_round_octopus(o->round, (double)pub->octopus_x / DIVE_OCTOPUS_SCALE,
                                  (double)pub->octopus_y / DIVE_OCTOPUS_SCALE, &fault) == FM_OK;
    oc_cache_changed(all->cache, o->key);
}

void srv_ocean_update(struct srv_oceans *all, struct srv_ocean **ocean, const struct srv_table *t)
{
    if (all == NULL || strcmp(t->setup.game->id, "dive") != 0 ||
        (t->state != ST_PLAYING && t->state != ST_OVER))
        return;
    const struct dive_pub *pub = &dive_of(t)->pub;
    if (*ocean == NULL)
        *ocean = ocean_new(all, t);
    if (*ocean == NULL)
        return;
    if ((*ocean)->number != number_of(pub))
        begin_round(all, *ocean, pub);
    place_octopus(all, *ocean, pub);
}

static void refuse(struct srv_oceans *all, struct srv_call *call, enum fm_err code, int status)
{
    char text[256];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    srv_put_error(&o, code, fm_err_text(code));
    all->net.answer(all->net.arg, call, status, text, o.len);
}

void srv_ocean_forget(struct srv_oceans *all, struct srv_ocean **ocean)
{
    struct srv_ocean *o = *ocean;
    if (o == NULL)
        return;
    oc_cache_forget(all->cache, o->key);
    while (o->askers != NULL) {
        struct asker *a = o->askers;
        o->askers = a->next;
        refuse(all, a->call, FM_E_GONE, 404);
        free(a);
    }
    struct srv_ocean **at = &all->oceans;
    while (*at != o)
        at = &(*at)->next;
    *at = o->next;
    free(o);
    *ocean = NULL;
}

/* ---- asking --------------------------------------------------------------------------------- */

/* A whole number that a path begins with, and the slash behind it. */
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

static enum fm_err ask_look(struct srv_oceans *all, struct srv_ocean *o, const struct dive_pub *pub,
                            struct srv_call *call, struct oc_look look, uint64_t now_ms,
                            struct fm_fault *fault)
{
    const struct oc_picture *picture = NULL;
    if (look.light != OC_DAYLIGHT && !pub->flashlight)
        return fm_fail(fault, FM_E_OPTIONS, "there are no lamps at this table");
    if (o->n_askers >= ASKERS)
        return fm_fail_plain(fault, FM_E_BUSY);
    struct asker *a = malloc(sizeof *a);
    if (a == NULL)
        return fm_fail_plain(fault, FM_E_MEMORY);
    const enum fm_err err =
        oc_cache_ask(all->cache, o->key, o->number, look, OC_FINGER, now_ms, &picture, fault);
    if (err == FM_OK && picture == NULL) {
        *a = (struct asker){.next = o->askers, .call = call, .number = o->number, .look = look};
        o->askers = a;
        o->n_askers++;
        return FM_OK;
    }
    free(a);
    if (err == FM_OK)
        all->net.answer(all->net.arg, call, 200, (const char *)picture->data, picture->n);
    oc_picture_release(picture);
    return err;
}

enum fm_err srv_ocean_ask(struct srv_oceans *all, struct srv_ocean *ocean,
                          const struct srv_table *t, struct srv_call *call, const char *path,
                          uint64_t now_ms, struct fm_fault *fault)
{
    static const char sheet[] = "sheet/";
    struct oc_look look;
    unsigned round;
    if (all == NULL || ocean == NULL)
        return fm_fail(fault, FM_E_NO_PATH, "there is no ocean at this table");
    const struct dive_pub *pub = &dive_of(t)->pub;
    if (!read_number(&path, 1000, &round))
        return fm_fail_plain(fault, FM_E_NO_PATH);
    if (strncmp(path, sheet, sizeof sheet - 1) == 0)
        return srv_past_sheet(all->glimpses, t, round, path + sizeof sheet - 1, call, now_ms,
                              fault);
    if (srv_read_look(&look, path, fault) != FM_OK)
        return fault->code;
    if (t->state == ST_OVER)
        return srv_past_look(all->glimpses, t, round, look, call, now_ms, fault);
    if (round != pub->round || ocean->round == NULL)
        return fm_fail_plain(fault, FM_E_GONE);
    return ask_look(all, ocean, pub, call, look, now_ms, fault);
}

struct srv_glimpses *srv_oceans_glimpses(struct srv_oceans *all)
{
    return all != NULL ? all->glimpses : NULL;
}

void srv_ocean_hung_up(struct srv_oceans *all, struct srv_call *call)
{
    if (all != NULL)
        srv_glimpses_hung_up(all->glimpses, call);
    for (struct srv_ocean *o = all != NULL ? all->oceans : NULL; o != NULL; o = o->next)
        for (struct asker **at = &o->askers; *at != NULL;) {
            struct asker *a = *at;
            if (a->call != call) {
                at = &a->next;
                continue;
            }
            *at = a->next;
            o->n_askers--;
            free(a);
        }
}

/* ---- answers -------------------------------------------------------------------------------- */

static void answer_shot(struct srv_oceans *all, struct srv_ocean *o, const struct shot *s)
{
    for (struct asker **at = &o->askers; *at != NULL;) {
        struct asker *a = *at;
        if (a->number != s->number || memcmp(&a->look, &s->look, sizeof a->look) != 0) {
            at = &a->next;
            continue;
        }
        *at = a->next;
        o->n_askers--;
        if (s->picture != NULL)
            all->net.answer(all->net.arg, a->call, 200, (const char *)s->picture->data,
                            s->picture->n);
        else
            refuse(all, a->call, s->number == o->number ? FM_E_BUSY : FM_E_GONE,
                   s->number == o->number ? 429 : 404);
        free(a);
    }
}

void srv_oceans_settle(struct srv_oceans *all)
{
    if (all == NULL)
        return;
    srv_glimpses_settle(all->glimpses);
    (void)pthread_mutex_lock(&all->lock);
    struct shot *s = all->shots;
    all->shots = NULL;
    (void)pthread_mutex_unlock(&all->lock);
    while (s != NULL) {
        struct shot *next = s->next;
        for (struct srv_ocean *o = all->oceans; o != NULL; o = o->next)
            if (o->key == s->table)
                answer_shot(all, o, s);
        oc_picture_release(s->picture);
        free(s);
        s = next;
    }
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
    srv_glimpses_tick(all->glimpses, now_ms);
}
