/* choice.c: an action compared with others, for puzzles: is it one of them, as far as the seat can
 * tell? */
#include "wasm/match.h"
#include "wasm/text.h"

#include "analysis/decision.h"
#include "base/json_in.h"

#include <string.h>

#define OTHERS STUDY_CANDIDATES

struct choice {
    struct fm_view v;
    fm_action action, other[OTHERS];
    size_t n;
};

static bool read_action(const struct choice *c, const struct fm_in *in, fm_action *out)
{
    if (!json_is_object(in->json))
        return fm_in_fail(in, FM_E_ACTION, "an action is an object");
    return c->v.game->wire->parse_action(out, in->json, in->fault) == FM_OK;
}

static bool read_choice(struct choice *c, json_t *json, struct fm_fault *fault)
{
    static const char *const keys[] = {"action", "others", NULL};
    const struct fm_in in = fm_in_root(json, "", fault);
    struct fm_in value, list;
    if (!fm_in_object(&in, keys) || !fm_in_get(&in, "action", &value) ||
        !read_action(c, &value, &c->action) || !fm_in_get(&in, "others", &list) ||
        !fm_in_array(&list, 0, OTHERS, &c->n))
        return false;
    for (size_t i = 0; i < c->n; i++) {
        const struct fm_in one = fm_in_at(&list, i);
        if (!read_action(c, &one, &c->other[i]))
            return false;
    }
    return true;
}

static alignas(8) uint8_t trial[FM_STATE_MAX]; /* the match after the action */

/* May the seat do this now? */
static bool is_legal(const struct choice *c, const void *match, struct fm_fault *fault)
{
    const struct fm_game *g = c->v.game;
    const struct fm_secret *secret = (const void *)((const uint8_t *)match + g->secret_off);
    const struct fm_event ev = {
        .t_ms = secret->now_ms, .seat = (uint8_t)c->v.seat, .action = c->action};
    memcpy(trial, match, g->state_size);
    const enum fm_err err = fm_apply(g, trial, &ev, NULL);
    return err == FM_OK || (fm_refuse(fault, g, err), false);
}

/* {"decides":true,"as":0,"done":true}: whether the action is a decision at all; which of the others
 * it is the same choice as, null: none; and whether it is final. Where a seat can take decisions
 * back, one is final once the match no longer waits for the seat. */
static int put_choice(const struct choice *c)
{
    const struct fm_study *study = fm__study_of(c->v.game);
    struct fm_out *o = text_answer();
    const struct fm_pub *after = (const void *)trial;
    const bool decides = study->decides == NULL || study->decides(c->action);
    size_t as = 0;
    while (as < c->n && !fm__study_alike(c->v, c->other[as], c->action))
        as++;
    fm_js_object(o);
    fm_js_key(o, "decides");
    fm_js_bool(o, decides);
    fm_js_key(o, "as");
    if (as < c->n)
        fm_js_int(o, (int64_t)as);
    else
        fm_js_null(o);
    fm_js_key(o, "done");
    fm_js_bool(o, study->replaces == NULL ? decides : !(after->owes >> c->v.seat & 1));
    fm_js_end_object(o);
    return text_answered();
}

/* Room 0: {"action":{…},"others":[{…},…]}, of a seat that may act in the match. */
int match_choice(unsigned seat, size_t n);
EXPORT("choice") int match_choice(unsigned seat, size_t n)
{
    struct fm_fault fault = {.action = -1};
    const struct fm__told told = match_so_far();
    static struct choice c;
    c = (struct choice){.v = fm_view_of(told.setup->game, told.match, (int)seat)};
    json_t *json = fm_json_load(text_in(0), n, &fault);
    bool fine = json != NULL && read_choice(&c, json, &fault);
    json_decref(json);
    if (fine && fm__study_of(c.v.game) == NULL)
        fine = (fm_fail_plain(&fault, FM_E_GAME), false);
    return fine && is_legal(&c, told.match, &fault) ? put_choice(&c) : text_refused(&fault);
}
