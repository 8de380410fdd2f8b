/*
 * hall_preview.c: previews: what a seat would see after some actions of its own.
 *
 * Only a copy of the seat's view is used. The game deals a match that this view cannot tell from
 * the true one, with a hash of the view as the seed, and applies the actions to it. So the answer
 * contains nothing that the seat does not know, and is the same however often it is asked for.
 */
#include "server/hall_state.h"

#include "base/hash.h"
#include "base/panic.h"

#define PREVIEW_ACTIONS 4

/* Deals a match that this seat cannot tell from the true one. */
static enum fm_err imagine(void *match, const struct srv_table *t, int seat)
{
    static _Alignas(8) uint8_t bytes[FM_STATE_MAX];
    uint8_t seed[FM_SEED_BYTES];
    struct fm_rng rng;
    const struct fm_game *g = t->setup.game;
    const size_t n = fm_view_copy(fm_view_of(g, t->match, seat), bytes, sizeof bytes);
    fm_assert(n > 0);
    const struct fm_view v = {.game = g,
                              .pub = (const void *)bytes,
                              .priv = (const void *)(bytes + g->pub_size),
                              .seat = seat};
    fm__hash(seed, "fathom what 1", &(struct fm_span){bytes, n}, 1);
    fm_rng_init(&rng, seed, (uint64_t)seat);
    return g->deal(match, v, &rng);
}

static enum fm_err act(void *match, const struct fm_game *g, int seat, fm_action action)
{
    const struct fm_secret *secret = (const void *)((const char *)match + g->secret_off);
    const struct fm_event ev = {.t_ms = secret->now_ms, .seat = (uint8_t)seat, .action = action};
    return fm_apply(g, match, &ev, NULL);
}

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
    fm_action action[PREVIEW_ACTIONS];
    struct fm_in value;
    size_t n;
    if (!fm_in_object(in, keys) || !fm_in_get(in, "what", &value) ||
        !fm_in_text(&value, SRV_CLIENT_ID, id))
        return false;
    if (!srv_is_client_id(*id))
        return fm_in_fail(&value, FM_E_VALUE, "1 to %d letters, digits, _ and -", SRV_CLIENT_ID);
    if (!fm_in_get(in, "if", &value) || !fm_in_array(&value, 1, PREVIEW_ACTIONS, &n))
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
    enum fm_err err = t->state == ST_PLAYING ? imagine(match, t, stream->seat)
                      : t->state == ST_OVER  ? FM_E_OVER
                                             : FM_E_NOT_STARTED;
    for (size_t i = 0; i < n && err == FM_OK; i++)
        err = act(match, g, stream->seat, action[i]);
    if (err == FM_OK) {
        answer(h, stream, *id, fm_view_of(g, match, stream->seat));
    } else {
        (void)fm_refuse(in->fault, g, err);
        srv_send_refusal(h, stream, *id, in->fault);
    }
    return true;
}
