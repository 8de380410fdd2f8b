/*
 * hall_memory.c: which tables are in memory.
 *
 * A table stays while it has streams or requests, while a bot is about to act, and while its clock
 * is about to be due. The others are evicted: after a while, or as soon as a request needs the
 * room, the least recently used first. A table that was evicted is loaded again when a client asks
 * for it, or when its bots or its clock have to act. The latter are loaded a few at a time, and
 * never take room from clients.
 */
#include "server/hall_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SWEEP_MS    1000
#define SOON_MS     5000  /* a table whose clock is due within this time stays */
#define OLDEST      64    /* tables that are examined to find one that can be evicted */
#define RESUME_MAX  65536 /* queue of tables to be resumed */
#define RESUME_STEP 8     /* most of them being loaded at a time */
#define RESUMED_MAX 64    /* most of them in memory at a time */
#define AGAIN_MS    500   /* pause after a failed read of the store */
#define LIST_MS     10000 /* pause between two lists of all games in play */
#define DUE         64    /* tables with a clock that is due, resumed at a time */
#define REFUSED     512   /* tables remembered as unreadable; the oldest are forgotten */

/* The queue of tables to be resumed, a ring; a table may be in it twice. */
struct srv_resume {
    uint32_t first, n;
    bool lost; /* the queue was full: list all games in play again */
    uint64_t pause_ms, listed_ms;
    bool looks;    /* the list of due tables is being read */
    bool all_busy; /* nothing can be evicted; tried again in the next tick */
    struct st_id id[RESUME_MAX];
    struct st_id refused[REFUSED]; /* unreadable: not resumed when their clocks are due */
    unsigned n_refused;
};

/* ---- the order of use ------------------------------------------------------------------------ */

void srv_slot_unlink(struct srv_hall *h, struct srv_slot *slot)
{
    *(slot->older != NULL ? &slot->older->newer : &h->oldest) = slot->newer;
    *(slot->newer != NULL ? &slot->newer->older : &h->newest) = slot->older;
    slot->older = slot->newer = NULL;
    h->n_resumed -= slot->resumed;
}

static void link_newest(struct srv_hall *h, struct srv_slot *slot)
{
    slot->older = h->newest;
    slot->newer = NULL;
    *(h->newest != NULL ? &h->newest->newer : &h->oldest) = slot;
    h->newest = slot;
    h->n_resumed += slot->resumed;
}

void srv_slot_used(struct srv_hall *h, struct srv_slot *slot)
{
    if (h->oldest == slot || slot->older != NULL)
        srv_slot_unlink(h, slot);
    slot->used_ms = h->now_ms;
    slot->resumed = false;
    link_newest(h, slot);
}

static void set_resumed(struct srv_hall *h, struct srv_slot *slot)
{
    h->n_resumed += !slot->resumed;
    slot->resumed = true;
}

/* ---- which tables may be evicted ------------------------------------------------------------- */

/* It has streams or requests, or a thread works on it. */
static bool is_busy(const struct srv_slot *slot)
{
    return slot->streams != NULL || slot->in_flight != NULL || slot->first != NULL ||
           slot->table.seq == 0 || slot->catching_up != NULL ||
           slot->n_jobs > srv_bots_jobs(slot) || srv_notes_wait(slot);
}

/* Its bots or its clock will act soon. */
static bool will_act(const struct srv_hall *h, const struct srv_slot *slot)
{
    const uint64_t deadline = srv_table_deadline(&slot->table);
    return slot->table.state == ST_PLAYING && srv_keeps(h, slot) &&
           (srv_bots_will_act(slot) || (deadline != 0 && deadline <= h->now_ms + SOON_MS));
}

static void push(struct srv_hall *h, const struct st_id *id)
{
    struct srv_resume *r = h->resume;
    if (r->n == RESUME_MAX)
        r->lost = true;
    else
        r->id[(r->first + r->n++) % RESUME_MAX] = *id;
}

static void leave(struct srv_hall *h, struct srv_slot *slot)
{
    const bool keeps = h->shared && slot->kept && slot->table.state == ST_PLAYING;
    if (keeps) {
        srv_kept_add(h, &slot->table.id, slot->table.seq);
        struct srv_kept *kept = srv_kept_find(h, &slot->table.id);
        if (kept == NULL)
            return; /* no memory: it stays */
        kept->deadline_ms = srv_table_deadline(&slot->table);
        kept->wanted = will_act(h, slot);
    }
    if (will_act(h, slot))
        push(h, &slot->table.id);
    srv_bots_leave(h, slot);
    if (slot->table.state < ST_OVER) /* there is no more news of the others */
        srv_unwatch(h, slot);
    srv_slot_free(h, slot);
}

/* Evicts one table, if it can: the least recently used one that will not act soon; if there is none
 * and a client needs the room, one that will. Busy tables become the most recently used. */
static bool evict(struct srv_hall *h, bool for_somebody)
{
    struct srv_slot *acting = NULL, *next;
    unsigned looked = 0, n = h->n_slots;
    for (struct srv_slot *slot = h->oldest; slot != NULL && n > 0 && looked < OLDEST;
         slot = next, n--) {
        next = slot->newer;
        if (is_busy(slot)) {
            srv_slot_unlink(h, slot);
            link_newest(h, slot);
            continue;
        }
        if (!will_act(h, slot)) {
            leave(h, slot);
            return true;
        }
        looked++;
        if (acting == NULL)
            acting = slot;
    }
    if (acting == NULL || !for_somebody)
        return false;
    leave(h, acting);
    return true;
}

bool srv_make_room(struct srv_hall *h)
{
    if (h->n_slots < h->limits.tables)
        return true;
    if (h->resume->all_busy)
        return false;
    (void)evict(h, true);
    h->resume->all_busy = h->n_slots >= h->limits.tables;
    return !h->resume->all_busy;
}

/* ---- which tables are resumed ---------------------------------------------------------------- */

struct list_read {
    struct srv_read read;
    uint64_t due_ms; /* 0: all games in play */
    size_t max, n;
    enum fm_err err;
    struct fm_fault fault;
    struct st_table tables[];
};

static void list(struct srv_read *read)
{
    struct list_read *r = (struct list_read *)read;
    struct st_store *s = read->hall->store;
    r->err = r->due_ms == 0 ? st_list_state(s, ST_PLAYING, r->tables, r->max, &r->n, &r->fault)
                            : st_list_due(s, r->due_ms, r->tables, r->max, &r->n, &r->fault);
}

static void free_list(struct srv_read *read)
{
    free(read);
}

static struct list_read *list_new(struct srv_hall *h, size_t max, uint64_t due_ms,
                                  void (*done)(struct srv_read *read))
{
    struct list_read *r = calloc(1, sizeof *r + max * sizeof *r->tables);
    if (r == NULL)
        return NULL;
    r->read = (struct srv_read){.hall = h, .work = list, .done = done, .free = free_list};
    r->max = max;
    r->due_ms = due_ms;
    return r;
}

static void listed_playing(struct srv_read *read)
{
    struct list_read *r = (struct list_read *)read;
    read->hall->resume->lost = r->err != FM_OK;
    for (size_t i = 0; i < r->n && r->err == FM_OK; i++)
        push(read->hall, &r->tables[i].id);
    free(r);
}

/* The queue was full when some tables were evicted. */
static void list_again(struct srv_hall *h)
{
    h->resume->listed_ms = h->now_ms;
    struct list_read *r = h->shared ? NULL : list_new(h, RESUME_MAX, 0, listed_playing);
    if (r != NULL)
        srv_read_queue(h, &r->read);
    if (!h->shared)
        return;
    h->resume->lost = false;
    for (size_t i = 0; i < SRV_BUCKETS; i++)
        for (struct srv_kept *kept = h->kept[i]; kept != NULL; kept = kept->next)
            if (kept->wanted)
                push(h, &kept->id);
}

enum fm_err srv_resume_list(struct srv_hall *h, struct fm_fault *fault)
{
    struct list_read *r = list_new(h, RESUME_MAX, 0, listed_playing);
    if (r == NULL)
        return fm_fail_plain(fault, FM_E_MEMORY);
    list(&r->read); /* nobody is served yet */
    const enum fm_err err = r->err;
    *fault = r->fault;
    listed_playing(&r->read);
    return err;
}

/* The last quarter of the slots is reserved for clients. */
bool srv_resume_room(struct srv_hall *h)
{
    const unsigned most = h->limits.tables - h->limits.tables / 4;
    return h->n_slots < most || evict(h, false);
}

static bool is_refused(const struct srv_resume *r, const struct st_id *id)
{
    for (unsigned i = 0; i < REFUSED && i < r->n_refused; i++)
        if (memcmp(&r->refused[i], id, sizeof *id) == 0)
            return true;
    return false;
}

static void remember_refused(struct srv_resume *r, const struct st_id *id)
{
    if (!is_refused(r, id))
        r->refused[r->n_refused++ % REFUSED] = *id;
}

void srv_resume_done(struct srv_hall *h, const struct st_id *id, bool alone,
                     const struct fm_fault *fault)
{
    struct srv_slot *slot = srv_slot_known(h, id);
    h->n_resuming--;
    if (slot != NULL && alone)
        set_resumed(h, slot);
    if (fault == NULL)
        return;
    if (fault->code == FM_E_STORE || fault->code == FM_E_MEMORY || fault->code == FM_E_BUSY) {
        push(h, id);
        h->resume->pause_ms = h->now_ms + AGAIN_MS;
        return;
    }
    if (fault->code != FM_E_NO_TABLE)
        remember_refused(h->resume, id);
    srv_kept_forget(h, id);
}

/* May another one be resumed now? */
static bool may_resume(struct srv_hall *h)
{
    const unsigned half = (h->limits.tables + 1) / 2;
    return h->n_resuming < RESUME_STEP &&
           h->n_resumed + h->n_resuming < (half < RESUMED_MAX ? half : RESUMED_MAX) &&
           srv_resume_room(h);
}

static void resume(struct srv_hall *h)
{
    struct srv_resume *r = h->resume;
    if (r->n == 0 && r->lost && h->now_ms >= r->listed_ms + LIST_MS)
        list_again(h);
    while (r->n > 0 && h->now_ms >= r->pause_ms) {
        const struct st_id id = r->id[r->first];
        const bool known = srv_slot_known(h, &id) != NULL;
        if (!known && !may_resume(h))
            return;
        r->first = (r->first + 1) % RESUME_MAX;
        r->n--;
        if (!known && !srv_resume_load(h, &id)) {
            push(h, &id);
            return;
        }
    }
}

/* ---- on a shared store: what this program keeps ---------------------------------------------- */

static struct srv_kept **kept_at(struct srv_hall *h, const struct st_id *id)
{
    uint32_t n;
    memcpy(&n, id->bytes, sizeof n);
    struct srv_kept **at = &h->kept[n % SRV_BUCKETS];
    while (*at != NULL && memcmp(&(*at)->id, id, sizeof *id) != 0)
        at = &(*at)->next;
    return at;
}

struct srv_kept *srv_kept_find(struct srv_hall *h, const struct st_id *id)
{
    return *kept_at(h, id);
}

void srv_kept_add(struct srv_hall *h, const struct st_id *id, uint64_t seq)
{
    struct srv_kept **at = kept_at(h, id);
    if (*at == NULL && (*at = calloc(1, sizeof **at)) == NULL)
        return;
    (*at)->id = *id;
    (*at)->seq = seq;
}

void srv_kept_wake(struct srv_hall *h, struct srv_kept *kept)
{
    if (!kept->wanted)
        push(h, &kept->id);
    kept->wanted = true;
}

void srv_kept_forget(struct srv_hall *h, const struct st_id *id)
{
    struct srv_kept **at = kept_at(h, id), *k = *at;
    if (k == NULL)
        return;
    *at = k->next;
    free(k);
}

/* ---- time ------------------------------------------------------------------------------------ */

static void listed_due(struct srv_read *read)
{
    struct list_read *r = (struct list_read *)read;
    struct srv_hall *h = read->hall;
    unsigned coming = 0;
    h->resume->looks = false;
    for (size_t i = 0; i < r->n && r->err == FM_OK && coming < DUE; i++)
        if (srv_slot_known(h, &r->tables[i].id) == NULL && !is_refused(h->resume, &r->tables[i].id))
            coming += srv_resume_load(h, &r->tables[i].id);
    free(r);
}

/* Resumes tables whose clock is due and that are not in memory. On a shared store other nodes take
 * over what is overdue, too. */
static void wake_due(struct srv_hall *h)
{
    for (size_t i = 0; i < SRV_BUCKETS && h->shared; i++)
        for (struct srv_kept *kept = h->kept[i]; kept != NULL; kept = kept->next)
            if (kept->deadline_ms != 0 && kept->deadline_ms <= h->now_ms)
                srv_kept_wake(h, kept);
    if (h->shared || h->resume->looks)
        return;
    const unsigned refused = h->resume->n_refused < REFUSED ? h->resume->n_refused : REFUSED;
    struct list_read *r = list_new(h, DUE + refused, h->now_ms, listed_due);
    h->resume->looks = r != NULL;
    if (r != NULL)
        srv_read_queue(h, &r->read);
}

static void sweep(struct srv_hall *h)
{
    if (h->now_ms < h->swept_ms + SWEEP_MS)
        return;
    h->swept_ms = h->now_ms;
    wake_due(h);
    for (struct srv_slot *slot = h->oldest, *next; slot != NULL; slot = next) {
        next = slot->newer;
        if (!is_busy(slot) && !will_act(h, slot) &&
            (slot->resumed || h->now_ms > slot->used_ms + h->limits.idle_ms))
            leave(h, slot);
    }
}

void srv_memory_tick(struct srv_hall *h)
{
    h->resume->all_busy = false;
    sweep(h);
    resume(h);
}

bool srv_memory_start(struct srv_hall *h)
{
    h->resume = calloc(1, sizeof *h->resume);
    return h->resume != NULL;
}

void srv_memory_stop(struct srv_hall *h)
{
    for (size_t i = 0; i < SRV_BUCKETS; i++)
        for (struct srv_kept *kept = h->kept[i], *next; kept != NULL; kept = next) {
            next = kept->next;
            free(kept);
        }
    free(h->resume);
}
