/* scenario.c: the referee: sets a position up, plays the actions, says how it stands. */
#include <fathom/scenario.h>

#include "base/json_in.h"
#include "base/panic.h"

#include <string.h>

void fm_scenario_put_fault(struct fm_out *answer, const struct fm_fault *fault)
{
    fm_js_object(answer);
    fm_js_key(answer, "ok");
    fm_js_bool(answer, false);
    fm_js_key(answer, "error");
    fm_js_object(answer);
    fm_js_key(answer, "action");
    if (fault->action >= 0)
        fm_js_int(answer, fault->action);
    else
        fm_js_null(answer);
    fm_js_key_text(answer, "code", fm_err_code(fault->code));
    fm_js_key_text(answer, "message", fault->text);
    fm_js_end_object(answer);
    fm_js_end_object(answer);
}

static void put_answer(const struct fm_scenario *s, const struct fm_game *g, const void *state,
                       struct fm_out *answer, const struct fm_out *events)
{
    fm_js_object(answer);
    fm_js_key(answer, "ok");
    fm_js_bool(answer, true);
    if (s->view == FM_WHOLE) {
        fm_js_key(answer, "state");
        fm_put_state(answer, g, state);
    } else {
        fm_js_key(answer, "view");
        fm_put_view(answer, fm_view_of(g, state, s->view));
    }
    fm_js_key(answer, "events");
    fm_js_array(answer);
    fm_js_raw(answer, events->buf, events->len);
    fm_js_end_array(answer);
    fm_js_key(answer, "result");
    fm_put_result(answer, g, state);
    fm_js_end_object(answer);
}

static void put_events(const struct fm_scenario *s, const struct fm_game *g, const void *state,
                       const struct fm_notes *notes, struct fm_out *events)
{
    const bool whole = s->view == FM_WHOLE;
    fm_put_notes(events, fm_view_of(g, state, whole ? FM_WATCHER : s->view), notes, whole);
}

/* Everything but the actions: a fault here is a bad file. */
static bool set_up(const struct fm_scenario *s, json_t *root, struct fm_setup *setup, void *state,
                   struct fm_notes *notes, struct fm_fault *fault)
{
    static const char *const keys[] = {"game",    "rules", "options", "setup",
                                       "actions", "title", "expect",  NULL};
    const struct fm_in in = fm_in_root(root, "", fault);
    struct fm_in value;
    const char *title;
    size_t n;
    if (!fm_in_object(&in, keys) || fm_setup_parse(setup, root, s->library, fault) != FM_OK)
        return false;
    if (s->must_use != NULL && memcmp(s->must_use->hash, setup->deck.hash, 32) != 0)
        return fm_in_fail(&in, FM_E_DECK, "this is played with the deck \"%s\", not with \"%s\"",
                          setup->deck.id, s->must_use->id);
    if (fm_in_has(&in, "title", &value) && !fm_in_text(&value, FM_FAULT_TEXT, &title))
        return false;
    if (fm_in_has(&in, "actions", &value) && !fm_in_array(&value, 0, FM_EVENTS_MAX, &n))
        return false;
    if (fm_in_has(&in, "setup", &value) &&
        setup->game->wire->parse_position(setup, value.json, fault) != FM_OK)
        return false;
    if (s->view >= setup->n_seats)
        return fm_in_fail(&in, FM_E_SEAT, "there is no seat %d at a table of %d", s->view,
                          setup->n_seats);
    memcpy(setup->seed, s->seed, sizeof setup->seed);
    const enum fm_err err = fm_init(state, setup, notes);
    if (err == FM_E_SETUP)
        return fm_in_fail(&in, err, "setup: in this position the game is over already");
    if (err != FM_OK)
        fm_fail_values(fault, err, "setup", setup->game->constants);
    return err == FM_OK;
}

static bool act(const struct fm_game *g, json_t *json, void *state, struct fm_notes *notes,
                struct fm_fault *fault)
{
    const struct fm_secret *secret = (const void *)((const char *)state + g->secret_off);
    struct fm_event ev = {.t_ms = secret->now_ms};
    if (fm_event_parse(g, &ev, json, fault) != FM_OK)
        return false;
    const enum fm_err err = fm_apply(g, state, &ev, notes);
    if (err != FM_OK)
        fm_refuse(fault, g, err);
    return err == FM_OK;
}

/* What the file says, as far as it can be read: everything wrong inside an action is that action's
 * fault, and is reported when its turn comes. *broken: its number, if there is one. */
static json_t *load(char *text, size_t n, struct fm_fault *fault, int *broken)
{
    json_t *root = fm_json_load(text, n, fault);
    *broken = root == NULL ? fault->action : -1;
    if (*broken < 0)
        return root;
    struct fm_fault elsewhere;
    root = fm_json_cut_actions(text, n, *broken) ? fm_json_load(text, n, &elsewhere) : NULL;
    if (root == NULL)
        fault->action = -1; /* the file as a whole is no JSON */
    return root;
}

static enum fm_ruling play(const struct fm_scenario *s, json_t *root, int broken,
                           struct fm_out *answer, struct fm_out *events, struct fm_fault *fault)
{
    _Alignas(8) uint8_t state[FM_STATE_MAX];
    struct fm_setup setup;
    struct fm_notes notes = {.len = 0};
    struct fm_fault wrong = {.action = -1};
    if (!set_up(s, root, &setup, state, &notes, &wrong)) {
        *fault = wrong;
        return FM_BAD_FILE;
    }
    put_events(s, setup.game, state, &notes, events);
    const json_t *actions = json_object_get(root, "actions");
    for (size_t i = 0; i < json_array_size(actions); i++) {
        notes.len = 0;
        if ((int)i == broken)
            return FM_ILLEGAL; /* with the fault that loading found */
        if (!act(setup.game, json_array_get(actions, i), state, &notes, &wrong)) {
            *fault = wrong;
            fault->action = (int)i;
            return FM_ILLEGAL;
        }
        put_events(s, setup.game, state, &notes, events);
    }
    if (fm_out_ok(events))
        put_answer(s, setup.game, state, answer, events);
    if (fm_out_ok(events) && fm_out_ok(answer))
        return FM_RULED;
    fm_fail(fault, FM_E_SIZE, "the answer is larger than anything that is printed here");
    fm_out_init(answer, answer->buf, answer->cap);
    return FM_BAD_FILE;
}

enum fm_ruling fm_scenario_run(const struct fm_scenario *s, char *text, size_t n,
                               struct fm_out *answer, struct fm_out *scratch)
{
    struct fm_fault fault = {.action = -1};
    enum fm_ruling ruling = FM_BAD_FILE;
    int broken;
    json_t *root = NULL;
    if (n > FM_SCENARIO_MAX)
        fm_fail(&fault, FM_E_SIZE, "a scenario has at most %d bytes", FM_SCENARIO_MAX);
    else if ((root = load(text, n, &fault, &broken)) != NULL)
        ruling = play(s, root, broken, answer, scratch, &fault);
    json_decref(root);
    if (ruling != FM_RULED)
        fm_scenario_put_fault(answer, &fault);
    return ruling;
}
