/* archive_pictures.c: a second, smaller cache of pictures, and the requests that wait for them. */
#include "server/archive_pictures.h"

#include "ocean/encode.h"
#include "ocean/picture.h"
#include "ocean/round.h"
#include "server/picture_waits.h"

#include "base/panic.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define SIZE    640
#define LARGE   1024 /* a sheet on a table screen */
#define QUALITY 40
#define SLOTS   96          /* most stacks at a time */
#define WORKERS 2           /* so that one can draw while the other bakes */
#define LAYERS  (32u << 20) /* most bytes of the layers of a stack */
#define STACKS  3           /* stacks whose layers fit into the cache, at least */
#define ENCODED (16u << 20)
#define LATER   5 /* nice value of the workers' threads */

#define SHEETS UINT32_MAX /* in place of a round: single sheets, not the stack */

static const unsigned share[OC_NEEDS] = {64, 16, 16}; /* share of the slots, by need */

/* ---- what the cache makes pictures of -------------------------------------------------------- */

struct stack { /* the round of struct oc_maker */
    const struct oc_art *art;
    struct srv_archive_stack shown;
};

struct layers {             /* its layers */
    struct oc_round *round; /* NULL: single sheets ... */
    void *baked;            /* ... for which this is unused */
    struct oc_sheets sheets;
};

struct painter { /* its worker */
    struct oc_cache *cache;
    struct oc_worker *worker;
    struct oc_frame frame, large; /* of a sheet */
    struct oc_bytes bytes;
};

/* To the cache, each size of each sheet is just another look: any distinct number will do. */
static struct oc_look look_of_sheet(int sheet, bool large)
{
    const int number = sheet + (large ? OC_SHEETS : 0);
    return (struct oc_look){.tx = (uint8_t)(number % OC_TILTS), .ty = (uint8_t)(number / OC_TILTS)};
}

static int sheet_of_look(struct oc_look look, bool *large)
{
    const int number = look.ty * OC_TILTS + look.tx;
    *large = number >= OC_SHEETS;
    return number % OC_SHEETS;
}

_Static_assert(SLOTS >= 64 + 16 + 16, "there are slots for all");
_Static_assert(2 * OC_SHEETS <= OC_TILTS * OC_TILTS, "every sheet has a look in each size");

static size_t bake_bytes(const void *round)
{
    const struct stack *s = round;
    return s->shown.round == SHEETS ? sizeof(struct layers) : LAYERS;
}

static void free_layers(void *layers)
{
    struct layers *l = layers;
    if (l->baked != NULL)
        oc_round_maker.free_layers(l->baked);
    oc_round_destroy(l->round);
    free(l);
}

static bool bake_round(struct layers *l, struct painter *p, const struct stack *s,
                       struct fm_fault *fault)
{
    const struct srv_archive_stack *stack = &s->shown;
    l->round = oc_round_create(s->art, &l->sheets, stack->left, SIZE, stack->lamps);
    if (l->round == NULL)
        return fm_fail_plain(fault, FM_E_MEMORY), false;
    if (sizeof *l + oc_round_maker.bake_bytes(l->round) > LAYERS)
        return fm_fail_plain(fault, FM_E_SIZE), false;
    if (stack->octopus && oc_round_octopus(l->round, stack->x, stack->y, fault) != FM_OK)
        return false;
    l->baked = oc_round_maker.bake(p->worker, l->round, fault);
    return l->baked != NULL;
}

static void *bake(void *worker, void *round, struct fm_fault *fault)
{
    const struct stack *s = round;
    struct layers *l = calloc(1, sizeof *l);
    if (l == NULL) {
        fm_fail_plain(fault, FM_E_MEMORY);
        return NULL;
    }
    oc_sheets_make(&l->sheets, s->art, s->shown.water, &s->shown.deal);
    if (s->shown.round == SHEETS || bake_round(l, worker, s, fault))
        return l;
    free_layers(l);
    return NULL;
}

static size_t layers_bytes(const void *layers)
{
    const struct layers *l = layers;
    return sizeof *l + (l->baked != NULL ? oc_round_maker.layers_bytes(l->baked) : 0);
}

static enum fm_err make(void *worker, const void *layers, struct oc_look look, const uint8_t **data,
                        size_t *n, struct fm_fault *fault)
{
    struct painter *p = worker;
    const struct layers *l = layers;
    if (l->baked != NULL)
        return oc_round_maker.make(p->worker, l->baked, look, data, n, fault);
    bool large;
    const struct oc_sheet *sheet = &l->sheets.sheet[sheet_of_look(look, &large)];
    struct oc_frame *frame = large ? &p->large : &p->frame;
    enum fm_err err = oc_sheet_picture(frame, sheet, fault);
    if (err == FM_OK)
        err = oc_encode(&p->bytes, frame, OC_JPEG, QUALITY, fault);
    *data = p->bytes.data;
    *n = p->bytes.n;
    return err;
}

static const struct oc_maker maker = {
    .bake_bytes = bake_bytes,
    .bake = bake,
    .layers_bytes = layers_bytes,
    .free_layers = free_layers,
    .make = make,
    .drop = free,
};

/* ---- stacks that are known ------------------------------------------------------------------- */

struct slot {     /* a stack that the cache knows */
    uint64_t key; /* 0: none */
    uint8_t id[SRV_ARCHIVE_ID];
    uint32_t round;
    enum oc_need need;
    uint64_t used;
    uint64_t address; /* the address that asked first */
};

struct srv_archive_pictures {
    const struct oc_art *art;
    struct srv_waits *waits;
    struct oc_cache *cache; /* the waits' */
    struct painter painter[WORKERS];
    pthread_t thread[WORKERS];
    unsigned n_threads;
    struct slot slot[SLOTS];
    uint64_t keys, uses;
};

static void *work(void *arg)
{
    struct painter *p = arg;
    (void)setpriority(PRIO_PROCESS, 0, LATER); /* on Linux: of this thread only */
    while (oc_cache_work(p->cache, p))
        ;
    return NULL;
}

static bool painter_init(struct painter *p, struct oc_cache *cache, struct fm_fault *fault)
{
    p->cache = cache;
    p->worker = oc_worker_create(QUALITY);
    return p->worker != NULL && oc_frame_init(&p->frame, SIZE, fault) == FM_OK &&
           oc_frame_init(&p->large, LARGE, fault) == FM_OK;
}

static void painter_finish(struct painter *p)
{
    oc_worker_destroy(p->worker);
    oc_frame_finish(&p->frame);
    oc_frame_finish(&p->large);
    oc_bytes_finish(&p->bytes);
}

struct srv_archive_pictures *srv_archive_pictures_create(const struct oc_art *art,
                                                         const struct srv_net *net,
                                                         struct fm_fault *fault)
{
    const struct oc_limits limits = {.table_encoded = 2000000,
                                     .layers = (size_t)STACKS * LAYERS,
                                     .encoded = ENCODED,
                                     .queue = 64,
                                     .tables = SLOTS,
                                     .idle_ms = 60000,
                                     .bakes = WORKERS - 1};
    struct srv_archive_pictures *all = calloc(1, sizeof *all);
    if (all == NULL) {
        fm_fail_plain(fault, FM_E_MEMORY);
        return NULL;
    }
    all->art = art;
    all->waits = srv_waits_create(&maker, &limits, net, WORKERS, fault);
    if (all->waits != NULL)
        all->cache = srv_waits_cache(all->waits);
    while (all->cache != NULL && all->n_threads < WORKERS &&
           painter_init(&all->painter[all->n_threads], all->cache, fault) &&
           pthread_create(&all->thread[all->n_threads], NULL, work,
                          &all->painter[all->n_threads]) == 0)
        all->n_threads++;
    if (all->n_threads == WORKERS)
        return all;
    fm_fail_plain(fault, FM_E_MEMORY);
    srv_archive_pictures_destroy(all);
    return NULL;
}

void srv_archive_pictures_destroy(struct srv_archive_pictures *all)
{
    if (all == NULL)
        return;
    if (all->cache != NULL)
        oc_cache_stop(all->cache);
    for (unsigned i = 0; i < all->n_threads; i++)
        (void)pthread_join(all->thread[i], NULL);
    srv_waits_destroy(all->waits);
    for (unsigned i = 0; i < WORKERS; i++)
        painter_finish(&all->painter[i]);
    free(all);
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* A slot for another stack: an empty one or, if this need has used up its share, the least recently
 * used of its slots that nobody waits for. An address that waits for three quarters of the share
 * gets no more, so that others get some. */
static struct slot *slot_free(struct srv_archive_pictures *all, enum oc_need need, uint64_t address)
{
    struct slot *oldest = NULL, *empty = NULL;
    unsigned n = 0, n_address = 0;
    for (struct slot *s = all->slot; s < all->slot + SLOTS; s++) {
        if (s->key == 0)
            empty = s;
        if (s->key == 0 || s->need != need)
            continue;
        n++;
        if (srv_waits_of_stack(all->waits, s->key) > 0)
            n_address += s->address == address;
        else if (oldest == NULL || s->used < oldest->used)
            oldest = s;
    }
    if (n_address >= share[need] / 4 * 3)
        return NULL;
    if (n < share[need])
        return empty;
    if (oldest != NULL) {
        oc_cache_forget(all->cache, oldest->key);
        oldest->key = 0;
    }
    return oldest;
}

/* The stack in the cache, or a new one; NULL and a fault. */
static struct slot *slot_of(struct srv_archive_pictures *all, const struct srv_archive_stack *g,
                            uint32_t round, const char *address, struct fm_fault *fault)
{
    const uint64_t from = srv_waits_address(all->waits, address);
    for (struct slot *s = all->slot; s < all->slot + SLOTS; s++)
        if (s->key != 0 && s->round == round && memcmp(s->id, g->id, sizeof s->id) == 0)
            return s;
    struct slot *s = slot_free(all, g->need, from);
    if (s == NULL) {
        fm_fail_plain(fault, FM_E_BUSY);
        return NULL;
    }
    struct stack *stack = malloc(sizeof *stack);
    if (stack == NULL) {
        fm_fail_plain(fault, FM_E_MEMORY);
        return NULL;
    }
    *stack = (struct stack){.art = all->art, .shown = *g};
    stack->shown.round = round;
    if (oc_cache_round(all->cache, ++all->keys, 0, stack, fault) != FM_OK) {
        free(stack);
        return NULL;
    }
    s->key = all->keys;
    s->round = round;
    s->need = g->need;
    s->address = from;
    memcpy(s->id, g->id, sizeof s->id);
    return s;
}

static enum fm_err ask(struct srv_archive_pictures *all, const struct srv_archive_stack *stack,
                       uint32_t round, struct oc_look look, const struct srv_viewer *viewer,
                       uint64_t now_ms, struct fm_fault *fault)
{
    struct slot *s = slot_of(all, stack, round, viewer->address, fault);
    if (s == NULL)
        return fault->code;
    s->used = ++all->uses;
    const struct srv_picture_request r = {
        .key = s->key, .look = look, .need = stack->need, .viewer = *viewer};
    return srv_waits_ask(all->waits, &r, now_ms, fault);
}

enum fm_err srv_archive_look(struct srv_archive_pictures *all,
                             const struct srv_archive_stack *stack, struct oc_look look,
                             const struct srv_viewer *viewer, uint64_t now_ms,
                             struct fm_fault *fault)
{
    if (look.light != OC_DAYLIGHT && !stack->lamps)
        return fm_fail(fault, FM_E_OPTIONS, "there are no lamps at this table");
    return ask(all, stack, stack->round, look, viewer, now_ms, fault);
}

enum fm_err srv_archive_sheet(struct srv_archive_pictures *all,
                              const struct srv_archive_stack *stack, int sheet, bool large,
                              const struct srv_viewer *viewer, uint64_t now_ms,
                              struct fm_fault *fault)
{
    fm_assert(sheet >= 0 && sheet < stack->deal.n);
    return ask(all, stack, SHEETS, look_of_sheet(sheet, large), viewer, now_ms, fault);
}

void srv_archive_pictures_settle(struct srv_archive_pictures *all)
{
    srv_waits_settle(all->waits);
}

void srv_archive_pictures_tick(struct srv_archive_pictures *all, uint64_t now_ms)
{
    oc_cache_tidy(all->cache, now_ms);
}
