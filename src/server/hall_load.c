/*
 * hall_load.c: tables come into the memory: their logs are read, and played, by the readers'
 * threads; the lists, codes and records that are asked for are read there, too.
 */
#include "server/hall_state.h"

#include <stdlib.h>
#include <string.h>

struct srv_load { /* of one table; whoever wants it meanwhile waits for the same */
    struct srv_read read;
    struct srv_load *next;
    struct st_id id;
    struct srv_place *place; /* not of the hall yet */
    bool kept;               /* this program keeps it ... */
    uint64_t kept_seq;
    bool handed_over; /* ... unless another one wrote since that it does */
    bool behind;      /* it was heard that there is more, while it was read */
    bool unasked;
    enum fm_err err;
    struct fm_fault fault;
    struct srv_waiters waiters;
};

/* ---- on a reader's thread --------------------------------------------------------------------- */

/* What makes a program the keeper, as far as it shows in the table. */
struct reign {
    enum st_state state;
    char bot[FM_MAX_SEATS][SRV_BOT];
};

static struct reign reign_of(const struct srv_table *t)
{
    struct reign reign = {.state = t->state};
    for (unsigned i = 0; i < FM_MAX_SEATS; i++)
        memcpy(reign.bot[i], t->seat[i].bot, SRV_BOT);
    return reign;
}

struct reading {
    struct srv_table *table;
    struct st_id id;
    const struct fm_library *library;
    enum fm_err err;
    struct fm_fault *fault;
    struct srv_load *load; /* NULL: who keeps it does not matter */
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
    struct reign before, after;
    if (since)
        before = reign_of(r->table);
    r->err = srv_table_read(r->table, &r->id, event, n, r->library, r->fault);
    if (since) {
        after = reign_of(r->table);
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
        srv_say_unread(&r->id, "read", r->fault);
        return r->err;
    }
    return r->table->seq > 0 ? FM_OK : fm_fail_plain(r->fault, FM_E_NO_TABLE);
}

static void load(struct srv_read *read)
{
    struct srv_load *l = (struct srv_load *)read;
    struct reading r = {.table = &l->place->table, .id = l->id, .fault = &l->fault, .load = l};
    l->err = read_table(read->hall, &r);
}

/* ---- one table -------------------------------------------------------------------------------- */

static void free_load(struct srv_read *read)
{
    struct srv_load *l = (struct srv_load *)read;
    srv_waiters_free(&l->waiters);
    srv_place_destroy(l->place);
    free(l);
}

static bool anybody_waits(const struct srv_load *l)
{
    for (const struct srv_parked *k = l->waiters.first; k != NULL; k = k->next)
        if (k->call != NULL || k->live != NULL)
            return true;
    return false;
}

/* The place is the hall's from now on. */
static void take_place(struct srv_hall *h, struct srv_load *l)
{
    struct srv_place *p = l->place;
    const struct srv_kept *kept = srv_kept_find(h, &l->id);
    l->place = NULL;
    srv_place_add(h, p);
    p->kept = kept != NULL && !l->handed_over;
    srv_kept_forget(h, &l->id);
    srv_table_resume(&p->table, h->now_ms);
    srv_ocean_update(h->oceans, &p->ocean, &p->table);
    srv_bots_ask(h, p);
    if (l->behind)
        (void)srv_catch_up(h, p);
}

static void loaded(struct srv_read *read)
{
    struct srv_load *l = (struct srv_load *)read, **at = &read->hall->loads;
    struct srv_hall *h = read->hall;
    const bool asked = anybody_waits(l);
    while (*at != l)
        at = &(*at)->next;
    *at = l->next;
    if (l->err == FM_OK && !(asked ? srv_make_room(h) : l->unasked && srv_room_for_unasked(h)))
        l->err = fm_fail(&l->fault, FM_E_BUSY, "too many tables are open");
    if (l->err == FM_OK)
        take_place(h, l);
    if (l->unasked)
        srv_came_unasked(h, &l->id, !asked, l->err == FM_OK ? NULL : &l->fault);
    srv_waiters_go(srv_waiters_take(&l->waiters), l->err == FM_OK ? NULL : &l->fault);
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
    if (l == NULL || (l->place = srv_place_create(id)) == NULL) {
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

void srv_load_wait(struct srv_hall *h, const struct st_id *id, struct srv_parked *k)
{
    struct srv_load *l = srv_load_find(h, id);
    struct fm_fault fault = {.action = -1};
    k->fresh = l == NULL || !srv_read_begun(h, &l->read);
    if (l == NULL && (l = start_load(h, id)) == NULL) {
        (void)fm_fail_plain(&fault, FM_E_MEMORY);
        srv_parked_fail(k, &fault);
        return;
    }
    srv_waiters_add(&l->waiters, k);
}

bool srv_load_unasked(struct srv_hall *h, const struct st_id *id)
{
    struct srv_load *l = srv_load_find(h, id);
    if (l == NULL && (l = start_load(h, id)) == NULL)
        return false;
    if (!l->unasked)
        h->n_coming++;
    l->unasked = true;
    return true;
}

/* ---- codes ------------------------------------------------------------------------------------ */

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

bool srv_find_code(struct srv_hall *h, const char code[ST_CODE + 1], struct srv_parked *k)
{
    struct code_read *r = calloc(1, sizeof *r);
    if (r == NULL)
        return false;
    memcpy(r->code, code, sizeof r->code);
    r->parked = k;
    r->read = (struct srv_read){.work = find_code, .done = found_code, .free = free_code};
    srv_read_queue(h, &r->read);
    return true;
}

/* ---- tables that wait for players --------------------------------------------------------------- */

#define LISTED 100

struct list_read {
    struct srv_read read;
    struct st_table tables[LISTED];
    struct srv_place *place[LISTED]; /* of those that are not in memory, to be read and shown */
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
        if (r->place[i] == NULL)
            continue;
        struct reading one = {.table = &r->place[i]->table, .id = r->tables[i].id, .fault = &fault};
        if (read_table(read->hall, &one) != FM_OK) {
            srv_place_destroy(r->place[i]);
            r->place[i] = NULL;
        }
    }
}

static void free_list(struct srv_read *read)
{
    struct list_read *r = (struct list_read *)read;
    for (size_t i = 0; i < LISTED; i++)
        srv_place_destroy(r->place[i]);
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
            const struct srv_place *known = srv_place_known(h, &r->tables[i].id);
            const struct srv_place *p = known != NULL ? known : r->place[i];
            if (p != NULL && p->table.seq > 0 && p->table.state == ST_WAITING)
                srv_put_table(&o, &p->table, p->here);
        }
        fm_js_end_array(&o);
        fm_js_end_object(&o);
        srv_answer_out(h, r->parked->call, 200, &o);
    }
    free_list(read);
}

/* What is in memory need not be read. */
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
        if (srv_place_known(h, &r->tables[i].id) == NULL) {
            r->place[i] = srv_place_create(&r->tables[i].id);
            missing++;
        }
    r->read.work = read_listed;
    r->read.done = answer_list;
    if (missing > 0)
        srv_read_queue(h, read);
    else
        answer_list(read);
}

bool srv_list_waiting(struct srv_hall *h, struct srv_parked *k)
{
    struct list_read *r = calloc(1, sizeof *r);
    if (r == NULL)
        return false;
    r->parked = k;
    r->read = (struct srv_read){.work = list_waiting, .done = listed, .free = free_list};
    srv_read_queue(h, &r->read);
    return true;
}

/* ---- records ----------------------------------------------------------------------------------- */

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

bool srv_read_record(struct srv_hall *h, const struct st_id *id, struct srv_parked *k,
                     void (*then)(struct srv_hall *h, struct srv_record *r), void *arg)
{
    struct srv_record *r = calloc(1, sizeof *r);
    if (r == NULL)
        return false;
    r->id = *id;
    r->parked = k;
    r->then = then;
    r->arg = arg;
    r->read = (struct srv_read){.work = read_record, .done = have_record, .free = free_record};
    srv_read_queue(h, &r->read);
    return true;
}
