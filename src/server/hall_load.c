/*
 * hall_load.c: loads tables into memory by reading and replaying their logs, and reads lists, codes
 * and records; all of it on the readers' threads.
 */
#include "server/hall_state.h"

#include <stdlib.h>
#include <string.h>

struct srv_load { /* one table is being loaded; further requests for it wait for the same load */
    struct srv_read read;
    struct srv_load *next;
    struct st_id id;
    struct srv_slot *slot; /* in no hall yet */
    bool kept;             /* this node was the keeper up to kept_seq ... */
    uint64_t kept_seq;
    bool handed_over; /* ... and another node became the keeper since */
    bool behind;      /* a notice of more events came meanwhile */
    bool resumed;
    enum fm_err err;
    struct fm_fault fault;
    struct srv_waiters waiters;
};

/* ---- on a reader's thread -------------------------------------------------------------------- */

/* What changes in a table when a node becomes its keeper: it starts, or gets a bot. */
struct keeper_signs {
    enum st_state state;
    char bot[FM_MAX_SEATS][SRV_BOT];
};

static struct keeper_signs keeper_signs_of(const struct srv_table *t)
{
    struct keeper_signs keeper_signs = {.state = t->state};
    for (unsigned i = 0; i < FM_MAX_SEATS; i++)
        memcpy(keeper_signs.bot[i], t->seat[i].bot, SRV_BOT);
    return keeper_signs;
}

struct reading {
    struct srv_table *table;
    struct st_id id;
    const struct fm_library *library;
    enum fm_err err;
    struct fm_fault *fault;
    struct srv_load *load; /* NULL: the keeper does not matter */
};

static bool read_one(void *arg, uint64_t seq, const void *event, size_t n)
{
    struct reading *r = arg;
    struct srv_load *l = r->load;
    srv_crash_at(&r->id, seq);
    r->err = srv_table_expects(r->table, seq, r->fault);
    if (r->err != FM_OK)
        return false;
    const bool since = l != NULL && l->kept && seq > l->kept_seq;
    struct keeper_signs before, after;
    if (since)
        before = keeper_signs_of(r->table);
    r->err = srv_table_read(r->table, &r->id, event, n, r->library, r->fault);
    if (since) {
        after = keeper_signs_of(r->table);
        l->handed_over = l->handed_over || memcmp(&before, &after, sizeof after) != 0;
    }
    return r->err == FM_OK;
}

static enum fm_err read_table(struct srv_hall *h, struct reading *r)
{
    r->library = &h->library;
    const enum fm_err err = st_read_log(h->store, &r->id, 1, read_one, r, r->fault);
    if (err != FM_OK)
        return err;
    if (r->err != FM_OK) {
        r->fault->code = r->err;
        srv_log_unreadable(&r->id, "read", r->fault);
        return r->err;
    }
    return r->table->seq > 0 ? FM_OK : fm_fail_plain(r->fault, FM_E_NO_TABLE);
}

static void load(struct srv_read *read)
{
    struct srv_load *l = (struct srv_load *)read;
    struct reading r = {.table = &l->slot->table, .id = l->id, .fault = &l->fault, .load = l};
    l->err = read_table(read->hall, &r);
}

/* ---- one table ------------------------------------------------------------------------------- */

static void free_load(struct srv_read *read)
{
    struct srv_load *l = (struct srv_load *)read;
    srv_waiters_free(&l->waiters);
    srv_slot_destroy(l->slot);
    free(l);
}

static bool anybody_waits(const struct srv_load *l)
{
    for (const struct srv_parked *parked = l->waiters.first; parked != NULL; parked = parked->next)
        if (parked->call != NULL || parked->stream != NULL)
            return true;
    return false;
}

/* Adds the loaded slot to the hall. */
static void take_slot(struct srv_hall *h, struct srv_load *l)
{
    struct srv_slot *slot = l->slot;
    const struct srv_kept *kept = srv_kept_find(h, &l->id);
    l->slot = NULL;
    srv_slot_add(h, slot);
    slot->kept = kept != NULL && !l->handed_over;
    slot->kept_seq = kept != NULL ? kept->seq : 0;
    srv_kept_forget(h, &l->id);
    srv_table_resume(&slot->table, h->now_ms);
    srv_ocean_update(h->oceans, &slot->ocean, &slot->table);
    srv_bots_ask(h, slot);
    if (l->behind)
        (void)srv_catch_up(h, slot);
}

static void loaded(struct srv_read *read)
{
    struct srv_load *l = (struct srv_load *)read, **at = &read->hall->loads;
    struct srv_hall *h = read->hall;
    const bool asked = anybody_waits(l);
    while (*at != l)
        at = &(*at)->next;
    *at = l->next;
    if (l->err == FM_OK && !(asked ? srv_make_room(h) : l->resumed && srv_resume_room(h)))
        l->err = fm_fail(&l->fault, FM_E_BUSY, "too many tables are open");
    if (l->err == FM_OK)
        take_slot(h, l);
    if (l->resumed)
        srv_resume_done(h, &l->id, !asked, l->err == FM_OK ? NULL : &l->fault);
    srv_waiters_resume(srv_waiters_take(&l->waiters), l->err == FM_OK ? NULL : &l->fault);
    free_load(read);
}

struct srv_load *srv_load_find(struct srv_hall *h, const struct st_id *id)
{
    struct srv_load *l = h->loads;
    while (l != NULL && memcmp(&l->id, id, sizeof *id) != 0)
        l = l->next;
    return l;
}

void srv_load_behind(struct srv_load *l)
{
    l->behind = true;
}

static struct srv_load *start_load(struct srv_hall *h, const struct st_id *id)
{
    struct srv_load *l = calloc(1, sizeof *l);
    const struct srv_kept *kept = srv_kept_find(h, id);
    if (l == NULL || (l->slot = srv_slot_create(id)) == NULL) {
        free(l);
        return NULL;
    }
    l->id = *id;
    l->kept = kept != NULL;
    l->kept_seq = kept != NULL ? kept->seq : 0;
    l->read = (struct srv_read){.work = load, .done = loaded, .free = free_load};
    l->next = h->loads;
    h->loads = l;
    srv_read_queue(h, &l->read);
    return l;
}

void srv_load_wait(struct srv_hall *h, const struct st_id *id, struct srv_parked *parked)
{
    struct srv_load *l = srv_load_find(h, id);
    struct fm_fault fault = {.action = -1};
    parked->fresh = l == NULL || !srv_read_begun(h, &l->read);
    if (l == NULL && (l = start_load(h, id)) == NULL) {
        (void)fm_fail_plain(&fault, FM_E_MEMORY);
        srv_parked_fail(parked, &fault);
        return;
    }
    srv_waiters_add(&l->waiters, parked);
}

bool srv_resume_load(struct srv_hall *h, const struct st_id *id)
{
    struct srv_load *l = srv_load_find(h, id);
    if (l == NULL && (l = start_load(h, id)) == NULL)
        return false;
    if (!l->resumed)
        h->n_resuming++;
    l->resumed = true;
    return true;
}

/* ---- codes ----------------------------------------------------------------------------------- */

struct code_read {
    struct srv_read read;
    char code[ST_CODE + 1];
    struct st_table table;
    enum fm_err err;
    struct fm_fault fault;
    struct srv_parked *parked;
};

static void find_code(struct srv_read *read)
{
    struct code_read *r = (struct code_read *)read;
    r->err = st_find_code(read->hall->store, r->code, &r->table, &r->fault);
}

static void free_code(struct srv_read *read)
{
    struct code_read *r = (struct code_read *)read;
    srv_unpark(r->parked);
    free(r);
}

static void found_code(struct srv_read *read)
{
    struct code_read *r = (struct code_read *)read;
    struct srv_call *const call = r->parked->call;
    char answer[128];
    struct fm_out o;
    if (call != NULL && r->err != FM_OK)
        srv_answer_error(read->hall, call, &r->fault);
    if (call != NULL && r->err == FM_OK) {
        fm_out_init(&o, answer, sizeof answer);
        fm_js_object(&o);
        fm_js_key(&o, "table");
        fm_js_hex(&o, r->table.id.bytes, sizeof r->table.id.bytes);
        fm_js_end_object(&o);
        srv_answer_out(read->hall, call, 200, &o);
    }
    free_code(read);
}

bool srv_find_code(struct srv_hall *h, const char code[ST_CODE + 1], struct srv_parked *parked)
{
    struct code_read *r = calloc(1, sizeof *r);
    if (r == NULL)
        return false;
    memcpy(r->code, code, sizeof r->code);
    r->parked = parked;
    r->read = (struct srv_read){.work = find_code, .done = found_code, .free = free_code};
    srv_read_queue(h, &r->read);
    return true;
}

/* ---- tables that wait for players ------------------------------------------------------------ */

#define LISTED 100

struct list_read {
    struct srv_read read;
    struct st_table tables[LISTED];
    struct srv_slot *slot[LISTED]; /* of those that are not in memory: read for this answer only */
    size_t n;
    enum fm_err err;
    struct fm_fault fault;
    struct srv_parked *parked;
};

static void list_waiting(struct srv_read *read)
{
    struct list_read *r = (struct list_read *)read;
    r->err = st_list_waiting(read->hall->store, r->tables, LISTED, &r->n, &r->fault);
}

static void read_listed(struct srv_read *read)
{
    struct list_read *r = (struct list_read *)read;
    for (size_t i = 0; i < r->n; i++) {
        struct fm_fault fault;
        if (r->slot[i] == NULL)
            continue;
        struct reading one = {.table = &r->slot[i]->table, .id = r->tables[i].id, .fault = &fault};
        if (read_table(read->hall, &one) != FM_OK) {
            srv_slot_destroy(r->slot[i]);
            r->slot[i] = NULL;
        }
    }
}

static void free_list(struct srv_read *read)
{
    struct list_read *r = (struct list_read *)read;
    for (size_t i = 0; i < LISTED; i++)
        srv_slot_destroy(r->slot[i]);
    srv_unpark(r->parked);
    free(r);
}

static void answer_list(struct srv_read *read)
{
    struct list_read *r = (struct list_read *)read;
    struct srv_hall *h = read->hall;
    struct fm_out o;
    if (r->parked->call != NULL) {
        fm_out_init(&o, h->text, SRV_MESSAGE);
        fm_js_object(&o);
        fm_js_key(&o, "tables");
        fm_js_array(&o);
        for (size_t i = 0; i < r->n; i++) {
            const struct srv_slot *known = srv_slot_known(h, &r->tables[i].id);
            const struct srv_slot *slot = known != NULL ? known : r->slot[i];
            if (slot != NULL && slot->table.seq > 0 && slot->table.state == ST_WAITING)
                srv_put_table(&o, &slot->table, slot->here);
        }
        fm_js_end_array(&o);
        fm_js_end_object(&o);
        srv_answer_out(h, r->parked->call, 200, &o);
    }
    free_list(read);
}

/* Reads those that are not in memory, then answers. */
static void listed(struct srv_read *read)
{
    struct list_read *r = (struct list_read *)read;
    struct srv_hall *h = read->hall;
    unsigned missing = 0;
    if (r->parked->call == NULL) {
        free_list(read);
        return;
    }
    if (r->err != FM_OK) {
        srv_answer_error(h, r->parked->call, &r->fault);
        free_list(read);
        return;
    }
    for (size_t i = 0; i < r->n; i++)
        if (srv_slot_known(h, &r->tables[i].id) == NULL) {
            r->slot[i] = srv_slot_create(&r->tables[i].id);
            missing++;
        }
    r->read.work = read_listed;
    r->read.done = answer_list;
    if (missing > 0)
        srv_read_queue(h, read);
    else
        answer_list(read);
}

bool srv_list_waiting(struct srv_hall *h, struct srv_parked *parked)
{
    struct list_read *r = calloc(1, sizeof *r);
    if (r == NULL)
        return false;
    r->parked = parked;
    r->read = (struct srv_read){.work = list_waiting, .done = listed, .free = free_list};
    srv_read_queue(h, &r->read);
    return true;
}

/* ---- records --------------------------------------------------------------------------------- */

static void read_record(struct srv_read *read)
{
    struct srv_record *r = (struct srv_record *)read;
    r->err = st_read_record(read->hall->store, &r->id, &r->text, &r->n, &r->fault);
}

static void free_record(struct srv_read *read)
{
    struct srv_record *r = (struct srv_record *)read;
    if (r->parked != NULL)
        srv_unpark(r->parked);
    free(r->text);
    free(r);
}

static void have_record(struct srv_read *read)
{
    struct srv_record *r = (struct srv_record *)read;
    r->then(read->hall, r);
    free_record(read);
}

bool srv_read_record(struct srv_hall *h, const struct st_id *id, struct srv_parked *parked,
                     void (*then)(struct srv_hall *h, struct srv_record *r), void *arg)
{
    struct srv_record *r = calloc(1, sizeof *r);
    if (r == NULL)
        return false;
    r->id = *id;
    r->parked = parked;
    r->then = then;
    r->arg = arg;
    r->read = (struct srv_read){.work = read_record, .done = have_record, .free = free_record};
    srv_read_queue(h, &r->read);
    return true;
}
