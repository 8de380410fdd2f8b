/*
 * hall_reactions.c: reactions: one of eight drawings that a seat shows to everybody at the table.
 *
 * They are no part of the game: not logged, not stored, not in records. The game says
 * (fm_game.reactions_ms) when a reaction could give away what a seat must not say; reactions are
 * refused then. The game's answer follows from the public block, and is asked for only when that
 * changes, so it reveals nothing that others do in secret.
 */
#include "server/hall_state.h"

#include <string.h>

#define PAUSE_MS 3000       /* between two reactions of a seat */
#define ALWAYS   UINT64_MAX /* they are open until something changes */

/* One name for each drawing; "wave" is another word for "hello". */
static const char *const names[] = {"hello", "bravo",  "wow",  "phew", "oops",
                                    "close", "thanks", "game", "wave"};

/* Until when they are open, by the server's time; 0: they are closed. */
static uint64_t open_until(const struct srv_slot *slot)
{
    const struct srv_table *t = &slot->table;
    if (t->state != ST_PLAYING || t->setup.game->reactions_ms == NULL)
        return ALWAYS;
    return slot->react_until_ms;
}

/* {"reactions":ms}: open for this long; 0: closed; null: open. */
static void put_reactions(struct fm_out *o, const struct srv_hall *h, const struct srv_slot *slot)
{
    const uint64_t until = open_until(slot);
    fm_js_object(o);
    fm_js_key(o, "reactions");
    if (until == ALWAYS)
        fm_js_null(o);
    else
        fm_js_int(o, until > h->now_ms ? (int64_t)(until - h->now_ms) : 0);
    fm_js_end_object(o);
}

void srv_reactions_greet(struct srv_hall *h, struct srv_stream *stream)
{
    char text[64];
    struct fm_out o;
    if (open_until(stream->slot) == ALWAYS)
        return;
    fm_out_init(&o, text, sizeof text);
    put_reactions(&o, h, stream->slot);
    srv_send(h, stream, &o);
}

static void send_to_all(struct srv_hall *h, struct srv_slot *slot, const struct fm_out *o)
{
    for (struct srv_stream *stream = slot->streams; stream != NULL; stream = stream->next)
        srv_send(h, stream, o);
}

void srv_reactions_follow(struct srv_hall *h, struct srv_slot *slot, const struct srv_draft *d,
                          const void *before)
{
    char text[64];
    struct fm_out o;
    const struct srv_table *t = &slot->table;
    const struct fm_pub *now = (const void *)t->match, *then = before;
    const bool starts = d->kind == SRV_STARTED;
    if (t->setup.game->reactions_ms == NULL || (!starts && d->kind != SRV_DID) ||
        (!starts && now->seq == then->seq))
        return;
    const uint64_t was = starts ? ALWAYS : slot->react_until_ms;
    const uint32_t ms = t->setup.game->reactions_ms(starts ? now : then, now);
    slot->react_until_ms = ms == FM_NEVER ? ALWAYS : ms > 0 ? h->now_ms + ms : 0;
    if (slot->react_until_ms == was)
        return;
    fm_out_init(&o, text, sizeof text);
    put_reactions(&o, h, slot);
    send_to_all(h, slot, &o);
}

static bool is_reaction(const char *name)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* {"react":"wow"}; a refusal has the id "react". */
bool srv_read_react(struct srv_hall *h, struct srv_stream *stream, struct fm_in *in,
                    const char **id)
{
    static const char *const keys[] = {"react", NULL};
    char text[96];
    struct fm_in value;
    struct fm_out o;
    const char *name;
    struct srv_slot *slot = stream->slot;
    if (!fm_in_object(in, keys) || !fm_in_get(in, "react", &value) ||
        !fm_in_text(&value, sizeof text / 4, &name))
        return false;
    if (!is_reaction(name))
        return fm_in_fail(&value, FM_E_VALUE, "there is no such reaction");
    *id = "react";
    if (stream->seat < 0)
        return fm_in_fail(in, FM_E_FORBIDDEN, "a spectator does nothing");
    if (h->now_ms >= open_until(slot)) {
        (void)fm_fail_plain(in->fault, FM_E_NOT_NOW);
        return false;
    }
    if (h->now_ms < slot->reacted_ms[stream->seat] + PAUSE_MS)
        return fm_in_fail(in, FM_E_BUSY, "one reaction in %d seconds", PAUSE_MS / 1000);
    slot->reacted_ms[stream->seat] = h->now_ms;
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key(&o, "react");
    fm_js_object(&o);
    fm_js_key_int(&o, "seat", stream->seat);
    fm_js_key_text(&o, "react", name);
    fm_js_end_object(&o);
    fm_js_end_object(&o);
    send_to_all(h, slot, &o);
    srv_peers_pass_on(h, slot, &o);
    return true;
}

bool srv_handle_react(struct srv_hall *h, struct srv_slot *slot, const struct st_notice *notice)
{
    for (struct srv_stream *stream = slot->streams; stream != NULL; stream = stream->next)
        h->net.send(h->net.arg, stream, notice->text, notice->n);
    return true;
}
