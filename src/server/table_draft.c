/* table_draft.c: drafts of all events except moves: a new table, somebody sits down or leaves, the
 * start, notes, a rematch. */
#include "server/table_internal.h"

#include "base/hash.h"
#include "base/json_in.h"
#include "base/panic.h"

#include <fathom/bot.h>

#include <stdio.h>
#include <string.h>

/* ---- writing an event ------------------------------------------------------------------------ */

struct fm_out srv_draft_begin(struct srv_draft *d, enum srv_kind kind)
{
    struct fm_out o;
    d->kind = kind;
    d->n = 0;
    d->change = (struct st_change){0};
    d->record = d->handed = NULL;
    d->notes.len = 0;
    d->id[0] = '\0';
    fm_out_init(&o, d->text, sizeof d->text);
    fm_js_object(&o);
    fm_js_key_text(&o, "e", srv_event_kinds[kind]);
    return o;
}

enum fm_err srv_draft_end(struct srv_draft *d, struct fm_out *o)
{
    fm_js_end_object(o);
    fm_assert(fm_out_ok(o));
    d->n = o->len;
    return FM_OK;
}

/* ---- what a draft needs ---------------------------------------------------------------------- */

enum fm_err srv_want_state(const struct srv_table *t, enum st_state state, struct fm_fault *fault)
{
    if (t->state == state)
        return FM_OK;
    return fm_fail_plain(fault, t->state == ST_CLOSED    ? FM_E_CLOSED
                                : state == ST_OVER       ? FM_E_NOT_OVER
                                : t->state == ST_WAITING ? FM_E_NOT_STARTED
                                : t->state == ST_OVER    ? FM_E_OVER
                                                         : FM_E_STARTED);
}

enum fm_err srv_want_seat(const struct srv_table *t, int seat, struct fm_fault *fault)
{
    return seat >= 0 && seat < t->setup.n_seats ? FM_OK : fm_fail_plain(fault, FM_E_SEAT);
}

/* Is there room for one more event about who sits where? */
static enum fm_err want_room(const struct srv_table *t, struct fm_fault *fault)
{
    return t->public_bytes < SRV_TABLE_BYTES
               ? FM_OK
               : fm_fail(fault, FM_E_QUOTA, "too many have come and gone at this table");
}

static void add_token(struct srv_draft *d, enum srv_role role, unsigned seat,
                      const uint8_t hash[ST_HASH_BYTES])
{
    struct st_token *token = &d->tokens[d->change.n_tokens++];
    fm_assert(d->change.n_tokens <= ST_TOKENS_MAX);
    *token = (struct st_token){.role = (uint8_t)role, .seat = (uint8_t)seat};
    memcpy(token->hash, hash, sizeof token->hash);
    d->change.tokens = d->tokens;
}

/* ---- a new table ----------------------------------------------------------------------------- */

/* The seats that a rematch takes over; like NULL: none. */
static void put_seats_of(struct srv_draft *d, struct fm_out *o, const struct srv_table *like)
{
    fm_js_key(o, "seats");
    fm_js_array(o);
    for (unsigned i = 0; like != NULL && i < like->setup.n_seats; i++) {
        const struct srv_seat *s = &like->seat[i];
        fm_js_object(o);
        fm_js_key_text(o, "name", s->taken ? s->name : NULL);
        fm_js_key_text(o, "bot", !s->taken ? s->bot : NULL);
        fm_js_key(o, "token");
        if (s->taken) {
            fm_js_hex(o, s->token, sizeof s->token);
            add_token(d, SRV_PLAYER, i, s->token);
        } else {
            fm_js_null(o);
        }
        fm_js_end_object(o);
    }
    fm_js_end_array(o);
}

enum fm_err srv_draft_made(struct srv_draft *d, const struct srv_made *made, struct json_t *body,
                           struct fm_fault *fault)
{
    static const char *const keys[] = {"game", "rules", "options", "listed", "water", NULL};
    struct fm_setup setup;
    const struct fm_in in = fm_in_root(body, "", fault);
    struct fm_in value;
    const struct oc_water *water;
    bool listed = false;
    if (!fm_in_object(&in, keys) ||
        (fm_in_has(&in, "listed", &value) && !fm_in_bool(&value, &listed)))
        return fault->code;
    if (fm_setup_parse(&setup, body, made->library, fault) != FM_OK ||
        !srv_read_water(&in, setup.game, &water))
        return fault->code;
    struct fm_out o = srv_draft_begin(d, SRV_MADE);
    fm_js_key_int(&o, "at", (int64_t)made->now_ms);
    fm_js_key_text(&o, "code", made->code);
    fm_js_key(&o, "listed");
    fm_js_bool(&o, listed);
    if (setup.game->ocean != NULL)
        fm_js_key_text(&o, "water", water->name);
    fm_js_key(&o, "seed");
    fm_js_hex(&o, made->seed, sizeof made->seed);
    fm_js_key_text(&o, "game", setup.game->id);
    fm_js_key_int(&o, "rules", setup.rules);
    fm_js_key(&o, "options");
    fm_put_options(&o, &setup);
    fm_js_key(&o, "deck");
    fm_js_hex(&o, setup.deck.hash, sizeof setup.deck.hash);
    fm_js_key(&o, "host");
    fm_js_hex(&o, made->host, sizeof made->host);
    add_token(d, SRV_HOST, FM_TABLE, made->host);
    put_seats_of(d, &o, made->like);
    d->change.creates = true;
    memcpy(d->change.code, made->code, sizeof d->change.code);
    d->change.listed = listed;
    d->change.moves = true;
    d->change.state = ST_WAITING;
    return srv_draft_end(d, &o);
}

/* ---- seats ----------------------------------------------------------------------------------- */

/* The seat that is asked for, or the first free one. */
static enum fm_err choose_seat(const struct srv_table *t, const struct fm_in *in, int *seat)
{
    struct fm_in value;
    if (fm_in_has(in, "seat", &value)) {
        if (!fm_in_int(&value, 0, t->setup.n_seats - 1, seat))
            return in->fault->code;
        return t->seat[*seat].taken || t->seat[*seat].bot[0] != '\0'
                   ? fm_fail(in->fault, FM_E_TAKEN_SEAT, "seat %d is taken", *seat)
                   : FM_OK;
    }
    for (*seat = 0; *seat < t->setup.n_seats; ++*seat)
        if (!t->seat[*seat].taken && t->seat[*seat].bot[0] == '\0')
            return FM_OK;
    return fm_fail_values(in->fault, FM_E_FULL, NULL, FM_VALUES({"seats", t->setup.n_seats}));
}

/* Up to 32 bytes in hex; *text is the hex, "": none. */
static bool read_entropy(const struct fm_in *in, const char **text)
{
    struct fm_in value;
    uint8_t bytes[FM_ENTROPY_BYTES];
    *text = "";
    if (!fm_in_has(in, "entropy", &value) || json_is_null(value.json))
        return true;
    if (!fm_in_text(&value, (size_t)2 * FM_ENTROPY_BYTES, text))
        return false;
    return fm__unhex(bytes, strlen(*text) / 2, *text) == 0 ||
           fm_in_fail(&value, FM_E_VALUE, "up to %d bytes as lower-case hex digits are expected",
                      FM_ENTROPY_BYTES);
}

/* Control characters are removed, not refused. */
static bool read_name(char name[SRV_NAME], const struct fm_in *in)
{
    if (!json_is_string(in->json) || json_string_length(in->json) > 512)
        return fm_in_fail(in, FM_E_VALUE, "a name is expected");
    return srv_name_clean(name, json_string_value(in->json), json_string_length(in->json),
                          in->fault) == FM_OK;
}

/* The event of somebody sitting down, with their contribution. */
static enum fm_err put_sat(struct srv_draft *d, int seat, const char *name, const char *entropy,
                           const uint8_t token[ST_HASH_BYTES])
{
    struct fm_out o = srv_draft_begin(d, SRV_SAT);
    fm_js_key_int(&o, "seat", seat);
    fm_js_key_text(&o, "name", name);
    fm_js_key_text(&o, "entropy", entropy);
    fm_js_key(&o, "token");
    fm_js_hex(&o, token, ST_HASH_BYTES);
    return srv_draft_end(d, &o);
}

enum fm_err srv_draft_sat(struct srv_draft *d, const struct srv_table *t, struct json_t *body,
                          const uint8_t token[ST_HASH_BYTES], int *seat, struct fm_fault *fault)
{
    static const char *const keys[] = {"name", "seat", "entropy", "id", NULL};
    const struct fm_in in = fm_in_root(body, "", fault);
    struct fm_in value;
    const char *entropy;
    char name[SRV_NAME];
    if (srv_want_state(t, ST_WAITING, fault) != FM_OK || want_room(t, fault) != FM_OK ||
        !fm_in_object(&in, keys) || !fm_in_get(&in, "name", &value) || !read_name(name, &value) ||
        !read_entropy(&in, &entropy) || choose_seat(t, &in, seat) != FM_OK)
        return fault->code;
    const enum fm_err err = put_sat(d, *seat, name, entropy, token);
    add_token(d, SRV_PLAYER, (unsigned)*seat, token);
    return err;
}

enum fm_err srv_draft_entropy(struct srv_draft *d, const struct srv_table *t, int seat,
                              struct json_t *body, struct fm_fault *fault)
{
    static const char *const keys[] = {"entropy", NULL};
    const struct fm_in in = fm_in_root(body, "", fault);
    const char *entropy;
    if (srv_want_state(t, ST_WAITING, fault) != FM_OK || srv_want_seat(t, seat, fault) != FM_OK ||
        !fm_in_object(&in, keys) || !read_entropy(&in, &entropy))
        return fault->code;
    if (entropy[0] == '\0')
        return fm_fail(fault, FM_E_VALUE, "entropy: 1 to %d bytes are expected", FM_ENTROPY_BYTES);
    if (t->fair.entropy_n[seat] > 0)
        return fm_fail(fault, FM_E_PHASE, "this seat has added to the deal already");
    return put_sat(d, seat, t->seat[seat].name, entropy, t->seat[seat].token);
}

enum fm_err srv_draft_left(struct srv_draft *d, const struct srv_table *t, int seat,
                           struct fm_fault *fault)
{
    if (srv_want_state(t, ST_WAITING, fault) != FM_OK || srv_want_seat(t, seat, fault) != FM_OK ||
        want_room(t, fault) != FM_OK)
        return fault->code;
    if (!t->seat[seat].taken)
        return fm_fail(fault, FM_E_SEAT, "nobody has this seat");
    struct fm_out o = srv_draft_begin(d, SRV_LEFT);
    fm_js_key_int(&o, "seat", seat);
    return srv_draft_end(d, &o);
}

enum fm_err srv_draft_bot(struct srv_draft *d, const struct srv_table *t, int seat, const char *bot,
                          struct fm_fault *fault)
{
    if (srv_want_seat(t, seat, fault) != FM_OK || want_room(t, fault) != FM_OK)
        return fault->code;
    if (t->state != ST_WAITING && srv_want_state(t, ST_PLAYING, fault) != FM_OK)
        return fault->code;
    const struct srv_seat *s = &t->seat[seat];
    if (t->state == ST_WAITING && s->taken)
        return fm_fail(fault, FM_E_TAKEN_SEAT, "seat %d is taken", seat);
    if (t->state == ST_PLAYING && !s->taken && bot == NULL)
        return fm_fail(fault, FM_E_PHASE, "somebody has to play this seat");
    if (bot != NULL && (strlen(bot) >= SRV_BOT || fm_bot_find(t->setup.game, bot) == NULL))
        return fm_fail(fault, FM_E_VALUE, "there is no bot \"%.40s\" for %s", bot,
                       t->setup.game->title);
    struct fm_out o = srv_draft_begin(d, SRV_BOT_SET);
    fm_js_key_int(&o, "seat", seat);
    fm_js_key_text(&o, "bot", bot);
    return srv_draft_end(d, &o);
}

/* ---- the start ------------------------------------------------------------------------------- */

enum fm_err srv_draft_started(struct srv_draft *d, const struct srv_table *t, uint64_t now_ms,
                              struct fm_fault *fault)
{
    struct fm_setup setup;
    if (srv_want_state(t, ST_WAITING, fault) != FM_OK)
        return fault->code;
    const int seat = srv_free_seat(t);
    if (seat >= 0)
        return fm_fail_values(fault, FM_E_FREE_SEAT, NULL, FM_VALUES({"seat", seat}));
    struct fm_out o = srv_draft_begin(d, SRV_STARTED);
    fm_js_key_int(&o, "at", (int64_t)now_ms);
    const enum fm_err err = srv_table_redeal(d->match, &setup, t, &d->notes);
    if (err != FM_OK)
        return fm_refuse(fault, setup.game, err);
    d->change.moves = true;
    d->change.state = ST_PLAYING;
    d->change.times = true;
    d->change.deadline_ms = srv_deadline_after(d->match, &t->tally, now_ms);
    return srv_draft_end(d, &o);
}

/* ---- notes, rematches, closing --------------------------------------------------------------- */

enum fm_err srv_draft_noted(struct srv_draft *d, const struct srv_table *t, int seat,
                            const char *text, size_t n, struct fm_fault *fault)
{
    if (srv_want_seat(t, seat, fault) != FM_OK)
        return fault->code;
    if (n > SRV_NOTES)
        return fm_fail_values(fault, FM_E_NOTES_LONG, "notes", FM_VALUES({"max", SRV_NOTES}));
    struct fm_out o = srv_draft_begin(d, SRV_NOTED);
    fm_js_key_int(&o, "seat", seat);
    fm_js_key_text(&o, "text", text);
    if (!fm_out_ok(&o) || o.len + 2 > sizeof d->text)
        return fm_fail(fault, FM_E_SIZE, "notes: too many control characters");
    if (t->note_bytes[seat] + o.len > SRV_SEAT_BYTES)
        return fm_fail(fault, FM_E_QUOTA, "this seat has changed its notes too often");
    return srv_draft_end(d, &o);
}

enum fm_err srv_draft_again(struct srv_draft *d, const struct srv_table *t,
                            const struct st_id *rematch, struct fm_fault *fault)
{
    if (srv_want_state(t, ST_OVER, fault) != FM_OK)
        return fault->code;
    struct fm_out o = srv_draft_begin(d, SRV_AGAIN);
    fm_js_key(&o, "table");
    fm_js_hex(&o, rematch->bytes, sizeof rematch->bytes);
    return srv_draft_end(d, &o);
}

size_t srv_put_closed(char text[SRV_CLOSED_TEXT])
{
    return (size_t)snprintf(text, SRV_CLOSED_TEXT, "{\"e\":\"%s\"}", srv_event_kinds[SRV_CLOSED]);
}

size_t srv_blank_note(char text[SRV_BLANK_TEXT], const char *event, size_t n)
{
    static const char noted[] = "{\"e\":\"noted\"";
    struct fm_fault fault;
    struct fm_out o;
    if (n < sizeof noted ||
        memcmp(event, noted, sizeof noted - 1) != 0) /* most events: no need to parse */
        return 0;
    json_t *json = fm_json_load(event, n, &fault);
    const json_t *seat = json_object_get(json, "seat");
    const char *said = json_string_value(json_object_get(json, "text"));
    fm_out_init(&o, text, SRV_BLANK_TEXT);
    if (json_is_integer(seat) && said != NULL && said[0] != '\0') {
        fm_js_object(&o);
        fm_js_key_text(&o, "e", srv_event_kinds[SRV_NOTED]);
        fm_js_key_int(&o, "seat", json_integer_value(seat));
        fm_js_key_text(&o, "text", "");
        fm_js_end_object(&o);
    }
    json_decref(json);
    return fm_out_ok(&o) ? o.len : 0;
}
