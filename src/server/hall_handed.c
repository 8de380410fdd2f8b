/*
 * hall_handed.c: POST /api/records: a game that was played on somebody's device becomes a table
 * that is over.
 *
 * A reader's thread replays the record, then its table is stored. The table is not in memory: it is
 * loaded when somebody asks for it, like any other.
 */
#include "server/hall_state.h"

#include <stdlib.h>

struct handing {
    struct srv_read read;
    struct srv_parked *parked;
    struct srv_slot *slot;
    struct srv_draft *draft;
    uint64_t now_ms;
    struct fm_fault fault;
    enum fm_err err;
};

/* On a reader's thread. */
static void replay(struct srv_read *read)
{
    struct handing *g = (struct handing *)read;
    const struct srv_http_request *r = &g->parked->http;
    g->err = srv_draft_handed(g->draft, r->body, r->n, g->now_ms, &read->hall->library, &g->fault);
}

static void free_handing(struct srv_read *read)
{
    struct handing *g = (struct handing *)read;
    srv_unpark(g->parked);
    srv_slot_destroy(g->slot);
    srv_draft_give(read->hall, g->draft);
    free(g);
}

/* Whatever is wrong is the record's fault, unless the server could not handle it. */
static void refuse(struct srv_hall *h, struct srv_call *call, const struct fm_fault *fault)
{
    if (fault->code == FM_E_MEMORY || fault->code == FM_E_SIZE || fault->code == FM_E_BUSY)
        srv_answer_error(h, call, fault);
    else
        srv_answer_error_as(h, call, 400, fault);
}

static void store(struct srv_hall *h, struct handing *g, struct srv_call *call)
{
    struct srv_request *req = srv_request_new(h, g->slot, SRV_REQUEST_HANDED, call);
    if (req == NULL) {
        (void)fm_fail_plain(&g->fault, FM_E_MEMORY);
        srv_answer_error(h, call, &g->fault);
        return;
    }
    req->draft = g->draft;
    g->draft = NULL;
    g->slot = NULL;
    srv_queue_write(req);
}

static void replayed(struct srv_read *read)
{
    struct handing *g = (struct handing *)read;
    struct srv_call *const call = g->parked->call;
    if (call != NULL) { /* a client that hung up can hand it in again */
        call->parked = NULL;
        g->parked->call = NULL;
        if (g->err == FM_OK)
            store(read->hall, g, call);
        else
            refuse(read->hall, call, &g->fault);
    }
    free_handing(read);
}

void srv_hand_in(struct srv_hall *h, struct srv_parked *parked)
{
    struct handing *g = calloc(1, sizeof *g);
    struct st_id id;
    struct fm_fault fault;
    srv_handed_id(&id, parked->http.body, parked->http.n);
    if (g == NULL || (g->slot = srv_slot_create(&id)) == NULL ||
        (g->draft = srv_draft_new(h)) == NULL) {
        if (g != NULL)
            srv_slot_destroy(g->slot);
        free(g);
        (void)fm_fail_plain(&fault, FM_E_MEMORY);
        srv_parked_fail(parked, &fault);
        return;
    }
    g->parked = parked;
    g->now_ms = h->now_ms;
    g->read = (struct srv_read){.work = replay, .done = replayed, .free = free_handing};
    srv_read_queue(h, &g->read);
}

static void answer(struct srv_hall *h, struct srv_call *call, int status, const struct st_id *id)
{
    char text[128];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key(&o, "table");
    fm_js_hex(&o, id->bytes, sizeof id->bytes);
    fm_js_key(&o, "unranked");
    fm_js_bool(&o, true);
    fm_js_end_object(&o);
    srv_answer_out(h, call, status, &o);
}

/* A conflict: this very record was handed in before. */
void srv_handed_stored(struct srv_request *req)
{
    const struct st_id *id = &req->slot->table.id;
    if (req->err == FM_OK || req->err == FM_E_CONFLICT)
        answer(req->hall, req->call, req->err == FM_OK ? 201 : 200, id);
    else
        srv_request_refuse(req);
    srv_request_free(req);
}
