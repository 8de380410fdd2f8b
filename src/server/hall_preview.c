/* hall_preview.c: previews over a stream: what a seat would see after some actions of its own. */
#include "server/hall_state.h"

#include "core/preview.h"

static void answer(struct srv_hall *h, struct srv_stream *stream, const char *id, struct fm_view v)
{
    struct fm_out o;
    fm_out_init(&o, h->text, SRV_MESSAGE);
    fm_js_object(&o);
    fm_js_key_text(&o, "what", id);
    fm_js_key(&o, "view");
    fm_put_view(&o, v);
    fm_js_end_object(&o);
    srv_send(h, stream, &o);
}

/* {"what":…,"if":[{"do":…},…]}; false: it was not understood. A refusal by the rules is an answer.
 */
bool srv_read_preview(struct srv_hall *h, struct srv_stream *stream, struct fm_in *in,
                      const char **id)
{
    static const char *const keys[] = {"what", "if", NULL};
    static _Alignas(8) uint8_t match[FM_STATE_MAX];
    const struct srv_table *t = &stream->slot->table;
    const struct fm_game *g = t->setup.game;
    fm_action action[FM__PREVIEW_ACTIONS];
    struct fm_in value;
    size_t n;
    if (!fm_in_object(in, keys) || !fm_in_get(in, "what", &value) ||
        !fm_in_text(&value, SRV_CLIENT_ID, id))
        return false;
    if (!srv_is_client_id(*id))
        return fm_in_fail(&value, FM_E_VALUE, "1 to %d letters, digits, _ and -", SRV_CLIENT_ID);
    if (!fm_in_get(in, "if", &value) || !fm_in_array(&value, 1, FM__PREVIEW_ACTIONS, &n))
        return false;
    if (stream->seat < 0)
        return fm_in_fail(in, FM_E_FORBIDDEN, "a spectator does nothing");
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(&value, i);
        if (!json_is_object(one.json))
            return fm_in_fail(&one, FM_E_ACTION, "an action is an object");
        if (g->wire->parse_action(&action[i], one.json, in->fault) != FM_OK)
            return false;
    }
    const enum fm_err err =
        t->state == ST_PLAYING
            ? fm__preview(match, fm_view_of(g, t->match, stream->seat), action, n)
        : t->state == ST_OVER ? FM_E_OVER
                              : FM_E_NOT_STARTED;
    if (err == FM_OK) {
        answer(h, stream, *id, fm_view_of(g, match, stream->seat));
    } else {
        (void)fm_refuse(in->fault, g, err);
        srv_send_refusal(h, stream, *id, in->fault);
    }
    return true;
}
