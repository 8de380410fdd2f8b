/* steps.c: the steps of a replay. */
#include "core/steps.h"

#include "base/panic.h"

static struct fm_view view_of(const struct fm_game *g, int who, const void *match)
{
    return fm_view_of(g, match, who == FM_WHOLE ? FM_WATCHER : who);
}

uint32_t fm__step_seq(const struct fm_game *g, int who, const void *match)
{
    const struct fm_secret *secret = (const void *)((const char *)match + g->secret_off);
    return who == FM_WHOLE ? secret->n_events : fm_view_seq(view_of(g, who, match));
}

void fm__put_step(struct fm_out *o, const struct fm_game *g, int who, const void *match,
                  const struct fm_event *ev, const struct fm_notes *notes)
{
    fm_js_object(o);
    fm_js_key_int(o, "t", ev != NULL ? ev->t_ms : 0);
    fm_js_key(o, "seat");
    if (ev != NULL && ev->seat != FM_TABLE)
        fm_js_int(o, ev->seat);
    else
        fm_js_null(o);
    fm_js_key(o, "action");
    if (ev != NULL)
        fm_put_action(o, g, ev->action);
    else
        fm_js_null(o);
    fm_js_key(o, "events");
    fm_js_array(o);
    fm_put_notes(o, view_of(g, who, match), notes, who == FM_WHOLE);
    fm_js_end_array(o);
    fm_js_key(o, "view");
    if (who == FM_WHOLE)
        fm_put_state(o, g, match);
    else
        fm_put_view(o, view_of(g, who, match));
    fm_js_end_object(o);
    fm_assert(fm_out_ok(o));
}
