/*
 * hall_memory.c: which tables are in memory.
 *
 * A table stays while somebody looks at it or waits for it, while a bot is about to act there, and
 * while its clock is about to speak. All others leave: after a while, or at once when there is no
 * room for somebody who asks, the one that was not used for longest first. Whoever asks for a
 * table that has left gets it back. What comes back unasked, for its bots or its clock, comes a few
 * at a time and never takes the room of those who ask.
 */
#include "server/hall_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SWEEP_MS    1000
#define SOON_MS     5000  /* a clock that speaks within this time is not worth leaving for */
#define OLDEST      64    /* tables among which one without a bot to act is looked for */
#define RESUME_MAX  65536 /* tables that wait to come back unasked */
#define RESUME_STEP 8     /* of them that are being read, at most */
#define UNASKED     64    /* of them in memory at once, at most */
#define AGAIN_MS    500   /* after the store could not be read */
#define LIST_MS     10000 /* between two lists of all games in play */
#define DUE         64    /* tables whose clocks have come that are brought back at once */
#define REFUSED     512   /* tables that are known not to be readable; the oldest is forgotten */

/* Tables that are to come back, the next one first; a table may be in it twice. */
struct srv_resume {
    uint32_t first, n;
    bool lost; /* some did not fit: all are to be listed again */
    uint64_t pause_ms, listed_ms;
    bool looks;    /* which clocks have come is being read */
    bool all_held; /* no table can leave; found out anew in the next tick */
    struct st_id id[RESUME_MAX];
    struct st_id refused[REFUSED]; /* their clocks come in vain */
    unsigned n_refused;
};

/* ---- the order of use ------------------------------------------------------------------------ */

void srv_place_unlink(struct srv_hall *h, struct srv_place *p)
{
    *(p->older != NULL ? &p->older->newer : &h->oldest) = p->newer;
    *(p->newer != NULL ? &p->newer->older : &h->newest) = p->older;
    p->older = p->newer = NULL;
    h->n_unasked -= p->unasked;
}

static void link_newest(struct srv_hall *h, struct srv_place *p)
{
    p->older = h->newest;
    p->newer = NULL;
    *(h->newest != NULL ? &h->newest->newer : &h->oldest) = p;
    h->newest = p;
    h->n_unasked += p->unasked;
}

void srv_place_used(struct srv_hall *h, struct srv_place *p)
{
    if (h->oldest == p || p->older != NULL)
        srv_place_unlink(h, p);
    p->used_ms = h->now_ms;
    p->unasked = false;
    link_newest(h, p);
}

static void set_unasked(struct srv_hall *h, struct srv_place *p)
{
    h->n_unasked += !p->unasked;
    p->unasked = true;
}

/* ---- who may leave --------------------------------------------------------------------------- */

/* Somebody looks at it or waits for it, or a thread works on it. */
static bool is_held(const struct srv_place *p)
{
    return p->lives != NULL || p->flight != NULL || p->first != NULL || p->table.seq == 0 ||
           p->follows != NULL || p->thinking > srv_bots_jobs(p) || srv_notes_wait(p);
}

/* It will do something unasked. */
static bool will_act(const struct srv_hall *h, const struct srv_place *p)
{
    const uint64_t deadline = srv_table_deadline(&p->table);
    return p->table.state == ST_PLAYING && srv_keeps(h, p) &&
           (srv_bots_will_act(p) || (deadline != 0 && deadline <= h->now_ms + SOON_MS));
}

static void push(struct srv_hall *h, const struct st_id *id)
{
    struct srv_resume *r = h->resume;
    if (r->n == RESUME_MAX)
        r->lost = true;
    else
        r->id[(r->first + r->n++) % RESUME_MAX] = *id;
}

static void leave(struct srv_hall *h, struct srv_place *p)
{
    const bool keeps = h->shared && p->kept && p->table.state == ST_PLAYING;
    if (keeps) {
        srv_keep_away(h, &p->table.id, p->table.seq);
        struct srv_kept *k = srv_kept_find(h, &p->table.id);
        if (k == NULL)
            return; /* no memory: it stays */
        k->deadline_ms = srv_table_deadline(&p->table);
        k->wanted = will_act(h, p);
    }
    if (will_act(h, p))
        push(h, &p->table.id);
    srv_bots_leave(h, p);
    srv_place_free(h, p);
}

/* One table leaves, if one can: of the oldest one that has nothing to do, or else, for somebody who
 * asks, the oldest that has. Those that are held count as used now. */
static bool evict(struct srv_hall *h, bool for_somebody)
{
    struct srv_place *acting = NULL, *next;
    unsigned looked = 0, n = h->n_places;
    for (struct srv_place *p = h->oldest; p != NULL && n > 0 && looked < OLDEST; p = next, n--) {
        next = p->newer;
        if (is_held(p)) {
            srv_place_unlink(h, p);
            link_newest(h, p);
            continue;
        }
        if (!will_act(h, p)) {
            leave(h, p);
            return true;
        }
        looked++;
        if (acting == NULL)
            acting = p;
    }
    if (acting == NULL || !for_somebody)
        return false;
    leave(h, acting);
    return true;
}

bool srv_make_room(struct srv_hall *h)
{
    if (h->n_places < h->limits.tables)
        return true;
    if (h->resume->all_held)
        return false;
    (void)evict(h, true);
    h->resume->all_held = h->n_places >= h->limits.tables;
    return !h->resume->all_held;
}

/* ---- who comes back unasked ------------------------------------------------------------------ */

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

/* Some did not fit into the line when they had to leave. */
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
        for (struct srv_kept *k = h->kept[i]; k != NULL; k = k->next)
            if (k->wanted)
                push(h, &k->id);
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

/* The last quarter of the memory is for those who ask, and so is what is used there. */
bool srv_room_for_unasked(struct srv_hall *h)
{
    const unsigned most = h->limits.tables - h->limits.tables / 4;
    return h->n_places < most || evict(h, false);
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

void srv_came_unasked(struct srv_hall *h, const struct st_id *id, bool alone,
                      const struct fm_fault *fault)
{
    struct srv_place *p = srv_place_known(h, id);
    h->n_coming--;
    if (p != NULL && alone)
        set_unasked(h, p);
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

/* May another one come now? */
static bool may_come(struct srv_hall *h)
{
    const unsigned half = (h->limits.tables + 1) / 2;
    return h->n_coming < RESUME_STEP &&
           h->n_unasked + h->n_coming < (half < UNASKED ? half : UNASKED) &&
           srv_room_for_unasked(h);
}

static void resume(struct srv_hall *h)
{
    struct srv_resume *r = h->resume;
    if (r->n == 0 && r->lost && h->now_ms >= r->listed_ms + LIST_MS)
        list_again(h);
    while (r->n > 0 && h->now_ms >= r->pause_ms) {
        const struct st_id id = r->id[r->first];
        const bool known = srv_place_known(h, &id) != NULL;
        if (!known && !may_come(h))
            return;
        r->first = (r->first + 1) % RESUME_MAX;
        r->n--;
        if (!known && !srv_load_unasked(h, &id)) {
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

void srv_keep_away(struct srv_hall *h, const struct st_id *id, uint64_t seq)
{
    struct srv_kept **at = kept_at(h, id);
    if (*at == NULL && (*at = calloc(1, sizeof **at)) == NULL)
        return;
    (*at)->id = *id;
    (*at)->seq = seq;
}

void srv_kept_wake(struct srv_hall *h, struct srv_kept *k)
{
    if (!k->wanted)
        push(h, &k->id);
    k->wanted = true;
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
        if (srv_place_known(h, &r->tables[i].id) == NULL &&
            !is_refused(h->resume, &r->tables[i].id))
            coming += srv_load_unasked(h, &r->tables[i].id);
    free(r);
}

/* Tables whose clock has come while they were not in memory. On a shared store others look after
 * what is late, too. */
static void wake_due(struct srv_hall *h)
{
    for (size_t i = 0; i < SRV_BUCKETS && h->shared; i++)
        for (struct srv_kept *k = h->kept[i]; k != NULL; k = k->next)
            if (k->deadline_ms != 0 && k->deadline_ms <= h->now_ms)
                srv_kept_wake(h, k);
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
    for (struct srv_place *p = h->oldest, *next; p != NULL; p = next) {
        next = p->newer;
        if (!is_held(p) && !will_act(h, p) &&
            (p->unasked || h->now_ms > p->used_ms + h->limits.idle_ms))
            leave(h, p);
    }
}

void srv_memory_tick(struct srv_hall *h)
{
    h->resume->all_held = false;
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
        for (struct srv_kept *k = h->kept[i], *next; k != NULL; k = next) {
            next = k->next;
            free(k);
        }
    free(h->resume);
}
