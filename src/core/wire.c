/* wire.c: events, views, states and notes as JSON: what is common to all games. */
#include <fathom/game.h>

#include "base/json_in.h"
#include "base/panic.h"

#include <limits.h>

#include <string.h>

static void put_phase(struct fm_out *o, const struct fm_game *g, const struct fm_pub *pub)
{
    fm_js_key_word(o, "phase", g->phases[pub->phase]);
}

static void put_seat(struct fm_out *o, int seat)
{
    fm_js_key(o, "seat");
    if (seat == FM_WATCHER)
        fm_js_null(o);
    else
        fm_js_int(o, seat);
}

/* ---- actions -------------------------------------------------------------------------------- */

void fm_put_action(struct fm_out *o, const struct fm_game *g, fm_action a)
{
    fm_js_object(o);
    g->wire->put_action(o, a);
    fm_js_end_object(o);
}

void fm_put_event(struct fm_out *o, const struct fm_game *g, const struct fm_event *ev)
{
    fm_js_object(o);
    if (ev->seat != FM_TABLE)
        put_seat(o, ev->seat);
    g->wire->put_action(o, ev->action);
    fm_js_end_object(o);
}

enum fm_err fm_event_parse(const struct fm_game *g, struct fm_event *ev, json_t *json,
                           struct fm_fault *fault)
{
    const struct fm_in in = fm_in_root(json, "", fault);
    if (!json_is_object(json))
        return fm_fail(fault, FM_E_ACTION, "an action is an object, like {\"seat\":0,\"do\":…}");
    *ev = (struct fm_event){.seat = FM_TABLE, .t_ms = ev->t_ms};
    struct fm_in value;
    int number;
    if (fm_in_has(&in, "t", &value)) {
        if (!fm_in_int(&value, 0, INT_MAX, &number))
            return fault->code;
        ev->t_ms = (uint32_t)number;
    }
    if (fm_in_has(&in, "seat", &value)) {
        if (!fm_in_int(&value, 0, FM_MAX_SEATS - 1, &number))
            return fault->code;
        ev->seat = (uint8_t)number;
    }
    json_t *action = json_copy(json); /* shallow: only to take the event's own keys out */
    if (action == NULL)
        return fm_fail(fault, FM_E_SIZE, "out of memory");
    (void)json_object_del(action, "t");
    (void)json_object_del(action, "seat");
    enum fm_err err = g->wire->parse_action(&ev->action, action, fault);
    json_decref(action);
    if (err != FM_OK)
        return err;
    const bool tables = g->table_verbs >> fm_verb(ev->action) & 1;
    if (tables && ev->seat != FM_TABLE)
        return fm_fail(fault, FM_E_ACTION, "only the table's clock says this, not a seat");
    if (!tables && ev->seat == FM_TABLE)
        return fm_fail(fault, FM_E_KEY, "the key \"seat\" is missing");
    return FM_OK;
}

/* ---- views, states, notes ------------------------------------------------------------------- */

static void put_legal(struct fm_out *o, struct fm_view v)
{
    _Static_assert(FM_LEGAL_MAX * sizeof(fm_action) <= 16384, "it lies on the stack");
    fm_action legal[FM_LEGAL_MAX];
    const size_t n = v.game->legal(v, legal, FM_LEGAL_MAX);
    fm_assert(n <= FM_LEGAL_MAX);
    fm_js_key(o, "legal");
    fm_js_array(o);
    for (size_t i = 0; i < n; i++) {
        if (v.game->quiet_verbs >> fm_verb(legal[i]) & 1)
            continue;
        fm_js_object(o);
        (v.game->wire->put_legal ? v.game->wire->put_legal : v.game->wire->put_action)(o, legal[i]);
        fm_js_end_object(o);
    }
    fm_js_end_array(o);
}

static void put_result_once_over(struct fm_out *o, const struct fm_game *g,
                                 const struct fm_pub *pub)
{
    if (pub->status != FM_OVER)
        return;
    fm_js_key(o, "result");
    g->wire->put_result(o, pub);
}

void fm_put_view(struct fm_out *o, struct fm_view v)
{
    fm_js_object(o);
    fm_js_key_int(o, "seq", fm_view_seq(v));
    fm_js_key_word(o, "game", v.game->id);
    fm_js_key_int(o, "rules", v.pub->rules);
    put_seat(o, v.seat);
    put_phase(o, v.game, v.pub);
    v.game->wire->put_view(o, v);
    if (v.seat != FM_WATCHER)
        put_legal(o, v);
    put_result_once_over(o, v.game, v.pub);
    fm_js_end_object(o);
}

void fm_put_state(struct fm_out *o, const struct fm_game *g, const void *state)
{
    const struct fm_pub *pub = state;
    const struct fm_secret *secret = (const void *)((const char *)state + g->secret_off);
    fm_js_object(o);
    fm_js_key_int(o, "seq", secret->n_events);
    fm_js_key_text(o, "game", g->id);
    fm_js_key_int(o, "rules", pub->rules);
    put_phase(o, g, pub);
    g->wire->put_state(o, state);
    put_result_once_over(o, g, pub);
    fm_js_end_object(o);
}

void fm_put_notes(struct fm_out *o, struct fm_view v, const struct fm_notes *notes, bool all)
{
    for (size_t i = 0; i < notes->len; i++) {
        struct fm_note note = notes->item[i];
        if (!all && !fm_note_cut(&note, v.seat))
            continue;
        fm_js_object(o);
        v.game->wire->put_note(o, v, &note);
        fm_js_end_object(o);
    }
}

void fm_put_result(struct fm_out *o, const struct fm_game *g, const void *state)
{
    const struct fm_pub *pub = state;
    if (pub->status == FM_OVER)
        g->wire->put_result(o, pub);
    else
        fm_js_null(o);
}
