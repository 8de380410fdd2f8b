/* hall_make.c: makes new tables and rematches: an id, a code, a seed and tokens. */
#include "server/hall_state.h"

#include "base/panic.h"

#include <stdlib.h>
#include <string.h>

/* ---- what a table gets ----------------------------------------------------------------------- */

static void draw_code(char code[ST_CODE + 1])
{
    static const char signs[] = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"; /* no 0 O 1 I */
    uint8_t bytes[ST_CODE];
    srv_random(bytes, sizeof bytes);
    for (int i = 0; i < ST_CODE; i++)
        code[i] = signs[bytes[i] % 32];
    code[ST_CODE] = '\0';
}

void srv_answer_table(struct srv_hall *h, struct srv_call *call, const struct st_id *id,
                      const char *code, const char *host)
{
    char text[256];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key(&o, "table");
    fm_js_hex(&o, id->bytes, sizeof id->bytes);
    if (host != NULL) {
        fm_js_key_text(&o, "code", code);
        fm_js_key_text(&o, "host", host);
    }
    fm_js_end_object(&o);
    srv_answer_out(h, call, 201, &o);
}

/* ---- making ---------------------------------------------------------------------------------- */

#define DRAWS 8 /* attempts to find an unused code */

/* Draws seed, code and token, and drafts the first event. */
static enum fm_err draft_new(struct srv_request *req, const struct srv_request *again)
{
    struct srv_made made = {
        .id = req->slot->table.id, .now_ms = req->hall->now_ms, .library = &req->hall->library};
    char code[ST_CODE + 1];
    srv_random(made.seed, sizeof made.seed);
    draw_code(code);
    made.code = code;
    if (req->token[0] == '\0')
        srv_draw_token(req->token);
    srv_token_hash(made.host, req->token);
    if (again != NULL) {
        made.like = &again->slot->table;
        memcpy(made.host, made.like->host, sizeof made.host);
    }
    return srv_draft_made(req->draft, &made, req->body, &req->fault);
}

/* Gives the store a new table; `call`, or `again` (a rematch request at the old table), waits for
 * it. NULL: refused, *fault is filled. */
static struct srv_request *make(struct srv_hall *h, json_t *body, struct srv_request *again,
                                struct srv_call *call, struct fm_fault *fault)
{
    struct st_id id;
    if (!srv_make_room(h)) {
        fm_fail(fault, FM_E_BUSY, "too many tables are open");
        return NULL;
    }
    srv_random(id.bytes, sizeof id.bytes);
    fm_fail_plain(fault, FM_E_MEMORY);
    struct srv_slot *slot = srv_slot_new(h, &id);
    struct srv_request *req =
        slot != NULL ? srv_request_new(h, slot, SRV_REQUEST_TABLE, NULL) : NULL;
    if (req != NULL && (req->draft = srv_draft_new(h)) != NULL) {
        req->body = json_incref(body);
        if (draft_new(req, again) == FM_OK) {
            srv_queue_write(req);
            req->again = again;
            req->call = call;
            if (call != NULL)
                call->request = req;
            return req;
        }
        *fault = req->fault;
    }
    if (req != NULL)
        srv_request_free(req);
    if (slot != NULL)
        srv_slot_free(h, slot);
    return NULL;
}

void srv_make_table(struct srv_hall *h, struct srv_call *call, const struct srv_http_request *r,
                    json_t *body)
{
    struct fm_fault fault = {.action = -1};
    struct srv_request *req = NULL;
    if (!srv_waiting_may(h, r->address, r->waiting_most))
        fm_fail_values(&fault, FM_E_TABLES, NULL, FM_VALUES({"max", (int)r->waiting_most}));
    else
        req = make(h, body, NULL, call, &fault);
    if (req == NULL)
        srv_answer_error(h, call, &fault);
    else if (r->waiting_most > 0)
        srv_waiting_add(h, r->address, &req->slot->table.id);
}

/* ---- rematches: the old table's queue waits for the new table, so only one is made ----------- */

/* Drafts the event of the old table that names the new one; false: refused and freed. */
static bool draft_again(struct srv_request *req)
{
    req->draft = srv_draft_new(req->hall);
    if (req->draft == NULL)
        fm_fail_plain(&req->fault, FM_E_MEMORY);
    else if (srv_draft_again(req->draft, &req->slot->table, &req->next_table, &req->fault) ==
             FM_OK) {
        srv_queue_write(req);
        return true;
    }
    srv_request_refuse(req);
    srv_request_free(req);
    return false;
}

bool srv_rematch(struct srv_request *req)
{
    struct srv_hall *h = req->hall;
    const struct srv_table *t = &req->slot->table;
    char text[4096];
    struct fm_out o;
    if (t->has_rematch) { /* another request was faster */
        srv_answer_table(h, req->call, &t->rematch, NULL, NULL);
        srv_request_free(req);
        return false;
    }
    if (req->lost > 0) /* a race was lost, but the new table exists already */
        return draft_again(req);
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key_text(&o, "game", t->setup.game->id);
    fm_js_key_int(&o, "rules", t->setup.rules);
    fm_js_key(&o, "options");
    fm_put_options(&o, &t->setup);
    if (t->setup.game->ocean != NULL)
        fm_js_key_text(&o, "water", t->water->name);
    fm_js_end_object(&o);
    fm_assert(fm_out_ok(&o));
    json_t *body = fm_json_load(text, o.len, &req->fault);
    fm_assert(body != NULL);
    const bool made = make(h, body, req, NULL, &req->fault) != NULL;
    json_decref(body);
    if (!made) {
        srv_request_refuse(req);
        srv_request_free(req);
    }
    return made;
}

/* The new table is stored, or refused: continues at the old one. */
static void tell_old(struct srv_request *again, const struct srv_request *made)
{
    struct srv_slot *old = again->slot;
    again->next_table = made->slot->table.id;
    if (made->err == FM_OK) {
        if (draft_again(again))
            return;
    } else {
        again->fault = made->fault;
        srv_request_refuse(again);
        srv_request_free(again);
    }
    old->in_flight = NULL;
    srv_request_next(old);
}

/* The code is in use: draws another one. */
static bool draws_again(struct srv_request *req)
{
    if (req->err != FM_E_CONFLICT || ++req->lost >= DRAWS)
        return false;
    srv_draft_finish(req->draft);
    if (draft_new(req, req->again) != FM_OK)
        return false;
    srv_queue_write(req);
    return true;
}

void srv_made_table(struct srv_request *req)
{
    if (draws_again(req))
        return;
    struct srv_hall *h = req->hall;
    struct srv_slot *slot = req->slot;
    struct srv_request *again = req->again;
    struct fm_fault fault;
    req->again = NULL;
    if (req->err == FM_OK)
        fm_assert(srv_table_read(&slot->table, &slot->table.id, req->draft->text, req->draft->n,
                                 &h->library, &fault) == FM_OK);
    if (again != NULL)
        tell_old(again, req);
    else if (req->err == FM_OK)
        srv_answer_table(h, req->call, &slot->table.id, slot->table.code, req->token);
    else
        srv_request_refuse(req);
    if (req->err != FM_OK) {
        srv_waiting_done(h, &slot->table.id);
        srv_slot_free(h, slot);
    }
    srv_request_free(req);
}
