/* hall_make.c: new tables, and rematches: they get an id, a code, a seed and tokens. */
#include "server/hall_state.h"

#include "base/hash.h"
#include "base/panic.h"

#include <stdlib.h>
#include <string.h>

/* ---- what a table gets ---------------------------------------------------------------------- */

static void draw_code(char code[ST_CODE + 1])
{
    static const char signs[] = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"; /* no 0 O 1 I */
    uint8_t bytes[ST_CODE];
    srv_random(bytes, sizeof bytes);
    for (int i = 0; i < ST_CODE; i++)
        code[i] = signs[bytes[i] % 32];
    code[ST_CODE] = '\0';
}

void srv_draw_token(char text[SRV_TOKEN_TEXT + 1])
{
    uint8_t bytes[SRV_TOKEN_BYTES];
    struct fm_out o;
    srv_random(bytes, sizeof bytes);
    fm_out_init(&o, text, SRV_TOKEN_TEXT + 1);
    fm_put_hex(&o, bytes, sizeof bytes);
}

void srv_derive_token(char text[SRV_TOKEN_TEXT + 1], const struct st_id *table, const char *id)
{
    const struct fm_span spans[] = {{table->bytes, sizeof table->bytes}, {id, strlen(id)}};
    uint8_t hash[32];
    struct fm_out o;
    fm__hash(hash, "fathom seat token 1", spans, 2);
    fm_out_init(&o, text, SRV_TOKEN_TEXT + 1);
    fm_put_hex(&o, hash, SRV_TOKEN_BYTES);
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

/* ---- making --------------------------------------------------------------------------------- */

#define DRAWS 8 /* of a code, before it is given up */

/* What is drawn for it. */
static enum fm_err draft_new(struct srv_wish *w, const struct srv_wish *again)
{
    struct srv_made made = {
        .id = w->place->table.id, .now_ms = w->hall->now_ms, .library = &w->hall->library};
    char code[ST_CODE + 1];
    srv_random(made.seed, sizeof made.seed);
    draw_code(code);
    made.code = code;
    if (w->token[0] == '\0')
        srv_draw_token(w->token);
    srv_token_hash(made.host, w->token);
    if (again != NULL) {
        made.like = &again->place->table;
        memcpy(made.host, made.like->host, sizeof made.host);
    }
    return srv_draft_made(w->draft, &made, w->body, &w->fault);
}

/* A new table to the store, like an old one or like none. `again` waits for it at the old one, or
 * `call` does. NULL: refused, *fault is filled. */
static struct srv_wish *make(struct srv_hall *h, json_t *body, struct srv_wish *again,
                             struct srv_call *call, struct fm_fault *fault)
{
    struct st_id id;
    if (!srv_make_room(h)) {
        fm_fail(fault, FM_E_BUSY, "too many tables are open");
        return NULL;
    }
    srv_random(id.bytes, sizeof id.bytes);
    fm_fail_plain(fault, FM_E_MEMORY);
    struct srv_place *p = srv_place_new(h, &id);
    struct srv_wish *w = p != NULL ? srv_wish_new(h, p, SRV_WANTS_TABLE, NULL) : NULL;
    if (w != NULL && (w->draft = srv_draft_new(h)) != NULL) {
        w->body = json_incref(body);
        if (draft_new(w, again) == FM_OK) {
            srv_fly(w);
            w->again = again;
            w->call = call;
            if (call != NULL)
                call->wish = w;
            return w;
        }
        *fault = w->fault;
    }
    if (w != NULL)
        srv_wish_free(w);
    if (p != NULL)
        srv_place_free(h, p);
    return NULL;
}

void srv_make_table(struct srv_hall *h, struct srv_call *call, const struct srv_request *r,
                    json_t *body)
{
    struct fm_fault fault = {.action = -1};
    struct srv_wish *w = NULL;
    if (!srv_waiting_may(h, r->address, r->waiting_most))
        fm_fail(&fault, FM_E_BUSY, "%u tables of this address wait for players already",
                r->waiting_most);
    else
        w = make(h, body, NULL, call, &fault);
    if (w == NULL)
        srv_answer_error(h, call, &fault);
    else if (r->waiting_most > 0)
        srv_waiting_add(h, r->address, &w->place->table.id);
}

/* ---- rematches: the old table's line waits until the new one is there, so there is one -------- */

/* The old table is to say which the new one is; false: refused and forgotten. */
static bool draft_again(struct srv_wish *w)
{
    w->draft = srv_draft_new(w->hall);
    if (w->draft == NULL)
        fm_fail_plain(&w->fault, FM_E_MEMORY);
    else if (srv_draft_again(w->draft, &w->place->table, &w->next_table, &w->fault) == FM_OK) {
        srv_fly(w);
        return true;
    }
    srv_wish_refuse(w);
    srv_wish_free(w);
    return false;
}

bool srv_rematch(struct srv_wish *w)
{
    struct srv_hall *h = w->hall;
    const struct srv_table *t = &w->place->table;
    char text[4096];
    struct fm_out o;
    if (t->has_rematch) { /* another call was faster */
        srv_answer_table(h, w->call, &t->rematch, NULL, NULL);
        srv_wish_free(w);
        return false;
    }
    if (w->lost > 0) /* the new table is there already */
        return draft_again(w);
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key_text(&o, "game", t->setup.game->id);
    fm_js_key(&o, "options");
    fm_put_options(&o, &t->setup);
    fm_js_end_object(&o);
    fm_assert(fm_out_ok(&o));
    json_t *body = fm_json_load(text, o.len, &w->fault);
    fm_assert(body != NULL);
    const bool made = make(h, body, w, NULL, &w->fault) != NULL;
    json_decref(body);
    if (!made) {
        srv_wish_refuse(w);
        srv_wish_free(w);
    }
    return made;
}

/* The new table is there: the old one says so. */
static void tell_old(struct srv_wish *again, const struct srv_wish *made)
{
    struct srv_place *old = again->place;
    again->next_table = made->place->table.id;
    if (made->err == FM_OK) {
        if (draft_again(again))
            return;
    } else {
        again->fault = made->fault;
        srv_wish_refuse(again);
        srv_wish_free(again);
    }
    old->flight = NULL;
    srv_wish_next(old);
}

/* The code that it drew is another table's: another one. */
static bool draws_again(struct srv_wish *w)
{
    if (w->err != FM_E_CONFLICT || ++w->lost >= DRAWS)
        return false;
    srv_draft_finish(w->draft);
    if (draft_new(w, w->again) != FM_OK)
        return false;
    srv_fly(w);
    return true;
}

void srv_made_table(struct srv_wish *w)
{
    if (draws_again(w))
        return;
    struct srv_hall *h = w->hall;
    struct srv_place *p = w->place;
    struct srv_wish *again = w->again;
    struct fm_fault fault;
    w->again = NULL;
    if (w->err == FM_OK)
        fm_assert(srv_table_read(&p->table, &p->table.id, w->draft->text, w->draft->n, &h->library,
                                 &fault) == FM_OK);
    if (again != NULL)
        tell_old(again, w);
    else if (w->err == FM_OK)
        srv_answer_table(h, w->call, &p->table.id, p->table.code, w->token);
    else
        srv_wish_refuse(w);
    if (w->err != FM_OK) {
        srv_waiting_done(h, &p->table.id);
        srv_place_free(h, p);
    }
    srv_wish_free(w);
}
