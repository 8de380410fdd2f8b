/* table_json.c: JSON for viewers: the table, its seats, the answer to hello, and changes. */
#include "server/table_internal.h"

#include "core/told.h"

void srv_put_seats(struct fm_out *o, const struct srv_table *t, unsigned here)
{
    fm_js_array(o);
    for (unsigned i = 0; i < t->setup.n_seats; i++) {
        const struct srv_seat *s = &t->seat[i];
        fm_js_object(o);
        fm_js_key_int(o, "seat", i);
        fm_js_key_text(o, "name", s->taken ? s->name : NULL);
        fm_js_key_text(o, "bot", s->bot[0] != '\0' ? s->bot : NULL);
        fm_js_key(o, "here");
        fm_js_bool(o, here >> i & 1);
        fm_js_key(o, "host");
        fm_js_bool(o, here & SRV_HOST_HERE(i));
        fm_js_end_object(o);
    }
    fm_js_end_array(o);
}

void srv_put_table(struct fm_out *o, const struct srv_table *t, unsigned here)
{
    static const char *const states[] = {"waiting", "playing", "over", "closed"};
    fm_js_object(o);
    fm_js_key(o, "table");
    fm_js_hex(o, t->id.bytes, sizeof t->id.bytes);
    fm_js_key_text(o, "game", t->setup.game->id);
    fm_js_key_int(o, "rules", t->setup.rules);
    fm_js_key(o, "options");
    fm_put_options(o, &t->setup);
    fm_js_key_text(o, "state", states[t->state]);
    fm_js_key(o, "listed");
    fm_js_bool(o, t->listed);
    if (t->handed) {
        fm_js_key(o, "unranked");
        fm_js_bool(o, true);
        fm_js_key_text(o, "played", "device");
    }
    if (t->setup.game->ocean != NULL)
        fm_js_key_text(o, "water", t->water->name);
    fm_js_key(o, "seats");
    srv_put_seats(o, t, here);
    fm_js_key(o, "screen");
    fm_js_bool(o, here & SRV_SCREEN_HERE);
    fm_js_key(o, "commitment");
    fm_js_hex(o, t->commitment, sizeof t->commitment);
    fm_js_key(o, "deck");
    fm_js_object(o);
    fm_js_key_text(o, "id", t->setup.deck.id);
    fm_js_key(o, "hash");
    fm_js_hex(o, t->setup.deck.hash, sizeof t->setup.deck.hash);
    fm_js_end_object(o);
    fm_js_key(o, "rematch");
    if (t->has_rematch)
        fm_js_hex(o, t->rematch.bytes, sizeof t->rematch.bytes);
    else
        fm_js_null(o);
    fm_js_end_object(o);
}

static void put_nothing_missed(struct fm_out *o)
{
    fm_js_key(o, "events");
    fm_js_array(o);
    fm_js_end_array(o);
}

void srv_put_hello(struct fm_out *o, const struct srv_table *t, int seat,
                   const struct srv_hello *hello)
{
    const bool dealt = t->state == ST_PLAYING || t->state == ST_OVER;
    /* before the deal there are no views of seats */
    const struct fm_view v = fm_view_of(t->setup.game, t->match, dealt ? seat : FM_WATCHER);
    fm_js_object(o);
    fm_js_key_int(o, "seq", dealt ? (int64_t)fm_view_seq(v) : -1);
    bool told = false;
    static char texts[2][FM__SEQS];
    struct fm_out earlier, missed;
    fm_out_init(&earlier, texts[0], FM__SEQS);
    fm_out_init(&missed, texts[1], FM__SEQS);
    if (hello->from != SRV_NO_FROM && dealt)
        told = srv_put_missed(o, t, seat, hello->from, &missed);
    else if (hello->from != SRV_NO_FROM)
        put_nothing_missed(o);
    if (hello->earlier && dealt)
        srv_put_earlier(o, t, seat, told ? hello->from : INT64_MAX, &earlier);
    if (hello->seqs)
        fm__put_seqs(o, &earlier, &missed);
    fm_js_key(o, "view");
    if (dealt)
        fm_put_view(o, v);
    else
        fm_js_null(o);
    if (hello->visits)
        srv_put_visit(o, t);
    fm_js_end_object(o);
}

bool srv_put_change(struct fm_out *o, const struct srv_table *t, const struct srv_draft *d,
                    const void *before, int seat)
{
    const struct fm_view v = fm_view_of(t->setup.game, t->match, seat);
    const bool starts = d->kind == SRV_STARTED;
    if (!starts && (d->kind != SRV_DID ||
                    fm_view_seq(v) == fm_view_seq(fm_view_of(t->setup.game, before, seat))))
        return false;
    fm_js_object(o);
    fm_js_key_int(o, "seq", fm_view_seq(v));
    fm_js_key(o, "events");
    fm_js_array(o);
    fm_put_notes(o, v, &d->notes, false);
    fm_js_end_array(o);
    fm_js_key(o, "view");
    fm_put_view(o, v);
    fm_js_end_object(o);
    return true;
}
