/* table_read.c: reads the events of a log, and applies them to the table. */
#include "server/table_internal.h"

#include "base/hash.h"
#include "base/json_in.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAY_MS    INT64_C(86400000)
#define LATEST_MS (INT64_C(2932897) * DAY_MS) /* the year 10000 */

/* ---- values ---------------------------------------------------------------------------------- */

static bool read_hex(const struct fm_in *in, const char *key, uint8_t *out, size_t n)
{
    struct fm_in value;
    const char *text;
    if (!fm_in_get(in, key, &value) || !fm_in_text(&value, 2 * n, &text))
        return false;
    return fm__unhex(out, n, text) == 0 ||
           fm_in_fail(&value, FM_E_VALUE, "not %zu bytes in hex", n);
}

static bool read_time(const struct fm_in *in, const char *key, uint64_t *out)
{
    struct fm_in value;
    if (!fm_in_get(in, key, &value))
        return false;
    if (!json_is_integer(value.json) || json_integer_value(value.json) < 0 ||
        json_integer_value(value.json) > LATEST_MS)
        return fm_in_fail(&value, FM_E_VALUE, "not a time");
    *out = (uint64_t)json_integer_value(value.json);
    return true;
}

static bool read_seat(const struct srv_table *t, const struct fm_in *in, int *seat)
{
    struct fm_in value;
    return fm_in_get(in, "seat", &value) && fm_in_int(&value, 0, t->setup.n_seats - 1, seat);
}

/* ---- a new table ----------------------------------------------------------------------------- */

bool srv_read_water(const struct fm_in *in, const struct fm_game *game,
                    const struct oc_water **water)
{
    struct fm_in value;
    *water = oc_waters;
    if (!fm_in_has(in, "water", &value))
        return true;
    if (game->ocean == NULL)
        return fm_in_fail(&value, FM_E_KEY, "%s has no water to look through", game->id);
    const char *name = json_string_value(value.json);
    *water = name != NULL ? oc_water_find(name) : NULL;
    return *water != NULL ||
           fm_in_fail(&value, FM_E_VALUE, "there is no such water: GET /api/games lists them");
}

/* The seats that a rematch takes over. */
static bool read_seats(struct srv_table *t, const struct fm_in *in)
{
    struct fm_in seats, value;
    size_t n;
    const char *text;
    if (!fm_in_get(in, "seats", &seats) || !fm_in_array(&seats, 0, t->setup.n_seats, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(&seats, i);
        struct srv_seat *s = &t->seat[i];
        if (!fm_in_get(&one, "name", &value))
            return false;
        s->taken = !json_is_null(value.json);
        if (s->taken && (!fm_in_text(&value, SRV_NAME - 1, &text) ||
                         !read_hex(&one, "token", s->token, sizeof s->token)))
            return false;
        if (!s->taken &&
            (!fm_in_get(&one, "bot", &value) || !fm_in_text(&value, SRV_BOT - 1, &text)))
            return false;
        (void)snprintf(s->taken ? s->name : s->bot, s->taken ? sizeof s->name : sizeof s->bot, "%s",
                       text);
    }
    return true;
}

static bool read_made(struct srv_table *t, const struct fm_in *in, const struct st_id *id,
                      const struct fm_library *library)
{
    struct fm_in value;
    const char *code;
    uint8_t deck[32];
    if (t->seq != 0)
        return fm_in_fail(in, FM_E_RECORD, "the table was made already");
    if (!read_time(in, "at", &t->made_ms) || !fm_in_get(in, "code", &value) ||
        !fm_in_text(&value, ST_CODE, &code) || !fm_in_get(in, "listed", &value) ||
        !fm_in_bool(&value, &t->listed) || !read_hex(in, "seed", t->seed, sizeof t->seed) ||
        !read_hex(in, "deck", deck, sizeof deck) || !read_hex(in, "host", t->host, sizeof t->host))
        return false;
    /* The first logs have no "rules": they were played by version 1. */
    if (!fm_in_has(in, "rules", &value) &&
        json_object_set_new(in->json, "rules", json_integer(1)) != 0)
        return fm_fail_plain(in->fault, FM_E_MEMORY), false;
    if (fm_setup_parse(&t->setup, in->json, library, in->fault) != FM_OK)
        return false;
    if (memcmp(deck, t->setup.deck.hash, sizeof deck) != 0)
        return fm_in_fail(in, FM_E_DECK, "the deck \"%s\" that is here has other cards",
                          t->setup.deck.id);
    /* The first logs have no "water": they were played in the default. */
    if (!srv_read_water(in, t->setup.game, &t->water))
        return false;
    (void)snprintf(t->code, sizeof t->code, "%s", code);
    t->id = *id;
    memcpy(t->fair.table, id->bytes, sizeof t->fair.table);
    fm_fair_commitment(t->commitment, t->seed, t->fair.table, &t->setup);
    t->state = ST_WAITING;
    return read_seats(t, in);
}

/* ---- seats ----------------------------------------------------------------------------------- */

static bool read_sat(struct srv_table *t, const struct fm_in *in)
{
    struct fm_in value;
    const char *name, *entropy;
    int seat;
    if (!read_seat(t, in, &seat) || !fm_in_get(in, "name", &value) ||
        !fm_in_text(&value, SRV_NAME - 1, &name) || !fm_in_get(in, "entropy", &value))
        return false;
    entropy = json_string_value(value.json);
    const size_t n = entropy != NULL ? strlen(entropy) / 2 : 0;
    if (entropy == NULL || n > FM_ENTROPY_BYTES ||
        fm__unhex(t->fair.entropy[seat], n, entropy) != 0)
        return fm_in_fail(&value, FM_E_VALUE, "not entropy");
    if (!read_hex(in, "token", t->seat[seat].token, ST_HASH_BYTES))
        return false;
    t->fair.entropy_n[seat] = (uint8_t)n;
    t->seat[seat].taken = true;
    (void)snprintf(t->seat[seat].name, sizeof t->seat[seat].name, "%s", name);
    return true;
}

static bool read_left(struct srv_table *t, const struct fm_in *in, struct srv_draft *d)
{
    int seat;
    if (!read_seat(t, in, &seat))
        return false;
    if (d != NULL)
        d->seat = seat;
    free(t->seat[seat].notes);
    t->seat[seat] = (struct srv_seat){0};
    t->public_bytes +=
        t->note_bytes[seat]; /* notes from before the start hold no secrets of the game */
    t->note_bytes[seat] = 0;
    t->fair.entropy_n[seat] = 0;
    memset(t->fair.entropy[seat], 0, sizeof t->fair.entropy[seat]);
    return true;
}

static bool read_bot(struct srv_table *t, const struct fm_in *in, struct srv_draft *d)
{
    struct fm_in value;
    const char *bot = "";
    int seat;
    if (!read_seat(t, in, &seat) || !fm_in_get(in, "bot", &value))
        return false;
    if (!json_is_null(value.json) && !fm_in_text(&value, SRV_BOT - 1, &bot))
        return false;
    (void)snprintf(t->seat[seat].bot, sizeof t->seat[seat].bot, "%s", bot);
    if (d != NULL)
        d->seat = seat;
    return true;
}

/* ---- the game -------------------------------------------------------------------------------- */

static bool read_started(struct srv_table *t, const struct fm_in *in, struct srv_draft *d)
{
    if (!read_time(in, "at", &t->start_ms))
        return false;
    if (srv_free_seat(t) >= 0)
        return fm_in_fail(in, FM_E_RECORD, "a start while seat %d is free", srv_free_seat(t));
    struct fm_setup setup;
    if (srv_table_redeal(t->match, &setup, t, d != NULL ? &d->notes : NULL) != FM_OK)
        return fm_in_fail(in, FM_E_RECORD, "the game cannot be dealt");
    srv_tally_begin(&t->tally, t->setup.game, t->match);
    t->state = ST_PLAYING;
    return true;
}

/* Makes room for one more element, by doubling; false: no memory. */
static bool make_room(void **array, size_t size, size_t n, size_t *cap)
{
    if (n < *cap)
        return true;
    const size_t more = *cap ? 2 * *cap : 64;
    void *larger = realloc(*array, more * size);
    if (larger == NULL)
        return false;
    *array = larger;
    *cap = more;
    return true;
}

static bool remember(struct srv_table *t, uint8_t seat, const char *id)
{
    void *done = t->done;
    if (seat >= FM_MAX_SEATS || id[0] == '\0')
        return true;
    if (!make_room(&done, sizeof *t->done, t->n_done, &t->cap_done))
        return false;
    t->done = done;
    struct srv_done *d = &t->done[t->n_done++];
    d->seq = fm_view_seq(fm_view_of(t->setup.game, t->match, seat));
    d->seat = seat;
    (void)snprintf(d->id, sizeof d->id, "%s", id);
    return true;
}

bool srv_keep_event(struct srv_table *t, const struct fm_event *ev, const char *id)
{
    void *event = t->event;
    if (!make_room(&event, sizeof *t->event, t->n_events, &t->cap_events))
        return false;
    t->event = event;
    t->event[t->n_events++] = *ev;
    srv_tally_add(&t->tally, t->setup.game, t->match, ev);
    if (!remember(t, ev->seat, id))
        return false;
    if (pub_of(t->match)->status == FM_OVER)
        t->state = ST_OVER;
    return true;
}

static bool read_did(struct srv_table *t, const struct fm_in *in, struct srv_draft *d)
{
    struct fm_in value;
    struct fm_event ev = {0};
    const char *id = "";
    int t_ms, seat;
    uint8_t action[sizeof ev.action];
    if (!fm_in_get(in, "t", &value) || !fm_in_int(&value, 0, INT32_MAX, &t_ms) ||
        !fm_in_get(in, "seat", &value) || !fm_in_int(&value, 0, FM_TABLE, &seat) ||
        !fm_in_get(in, "id", &value) ||
        (!json_is_null(value.json) && !fm_in_text(&value, SRV_CLIENT_ID, &id)) ||
        !read_hex(in, "action", action, sizeof action))
        return false;
    ev.t_ms = (uint32_t)t_ms;
    ev.seat = (uint8_t)seat;
    memcpy(&ev.action, action, sizeof action);
    if (t->n_events >= FM_EVENTS_MAX)
        return fm_in_fail(in, FM_E_RECORD, "more actions than a game can have");
    const enum fm_err err = fm_apply(t->setup.game, t->match, &ev, d != NULL ? &d->notes : NULL);
    if (err != FM_OK)
        return fm_in_fail(in, FM_E_RECORD, "an action is refused: %s", fm_err_text(err));
    return srv_keep_event(t, &ev, id) || fm_in_fail(in, FM_E_MEMORY, "no memory");
}

/* ---- notes, rematches, closing --------------------------------------------------------------- */

static bool read_noted(struct srv_table *t, const struct fm_in *in, size_t n)
{
    struct fm_in value;
    int seat;
    if (!read_seat(t, in, &seat) || !fm_in_get(in, "text", &value))
        return false;
    if (!json_is_string(value.json) || json_string_length(value.json) > SRV_NOTES)
        return fm_in_fail(&value, FM_E_VALUE, "not notes");
    char *notes = strdup(json_string_value(value.json));
    if (notes == NULL)
        return fm_in_fail(in, FM_E_MEMORY, "no memory");
    free(t->seat[seat].notes);
    t->seat[seat].notes = notes;
    t->note_bytes[seat] += (uint32_t)n;
    return true;
}

static bool read_again(struct srv_table *t, const struct fm_in *in)
{
    t->has_rematch = read_hex(in, "table", t->rematch.bytes, sizeof t->rematch.bytes);
    return t->has_rematch;
}

static bool read_closed(struct srv_table *t)
{
    t->state = ST_CLOSED;
    return true;
}

/* ---- any event ------------------------------------------------------------------------------- */

/*
 * Each kind of event is drafted in certain states only, so a log with one in another state is
 * damaged. It is refused: somebody who sat down or left after the deal would change the deal, and
 * the moves could not be replayed.
 */
static bool fits_state(const struct srv_table *t, const struct fm_in *in, enum srv_kind kind)
{
    enum {
        WAITS = 1 << ST_WAITING,
        PLAYS = 1 << ST_PLAYING,
        OVER = 1 << ST_OVER,
        CLOSED = 1 << ST_CLOSED
    };
    static const unsigned states[] = {
        [SRV_MADE] = WAITS,
        [SRV_SAT] = WAITS,
        [SRV_LEFT] = WAITS,
        [SRV_BOT_SET] = WAITS | PLAYS,
        [SRV_STARTED] = WAITS,
        [SRV_DID] = PLAYS,
        [SRV_NOTED] = WAITS | PLAYS | OVER | CLOSED,
        [SRV_AGAIN] = OVER,
        [SRV_CLOSED] = PLAYS,
        [SRV_HANDED] = WAITS,
    };
    return (states[kind] >> t->state & 1) != 0 ||
           fm_in_fail(in, FM_E_RECORD, "\"%s\" is impossible in this state", srv_event_kinds[kind]);
}

static bool read_event(struct srv_table *t, const struct fm_in *in, size_t n,
                       const struct st_id *id, const struct fm_library *library,
                       struct srv_draft *d)
{
    struct fm_in value;
    int kind;
    if (!fm_in_get(in, "e", &value))
        return false;
    if (!fm_in_word(&value, srv_event_kinds, &kind)) /* perhaps written by a newer program */
        return in->fault->code = FM_E_RULES, false;
    if (d != NULL)
        (void)srv_draft_begin(d, (enum srv_kind)kind);
    if ((t->seq == 0) != (kind == SRV_MADE || kind == SRV_HANDED))
        return fm_in_fail(in, FM_E_RECORD, "a log begins with the making of its table");
    if (!fits_state(t, in, (enum srv_kind)kind))
        return false;
    if (kind == SRV_SAT || kind == SRV_LEFT || kind == SRV_BOT_SET)
        t->public_bytes += (uint32_t)n;
    switch ((enum srv_kind)kind) {
    case SRV_MADE:
        return read_made(t, in, id, library);
    case SRV_SAT:
        return read_sat(t, in);
    case SRV_LEFT:
        return read_left(t, in, d);
    case SRV_BOT_SET:
        return read_bot(t, in, d);
    case SRV_STARTED:
        return read_started(t, in, d);
    case SRV_DID:
        return read_did(t, in, d);
    case SRV_NOTED:
        return read_noted(t, in, n);
    case SRV_AGAIN:
        return read_again(t, in);
    case SRV_CLOSED:
        return read_closed(t);
    case SRV_HANDED:
        return srv_read_handed(t, in, id, library);
    }
    return false;
}

/* Any other fault means that the log is damaged; these may go away with a newer program, more decks
 * or more memory. */
static enum fm_err log_error(enum fm_err code)
{
    switch (code) {
    case FM_E_RULES:
    case FM_E_DECK:
    case FM_E_MEMORY:
        return code;
    case FM_E_GAME:
    case FM_E_UNKNOWN_RULES:
        return FM_E_RULES;
    default:
        return FM_E_RECORD;
    }
}

static enum fm_err read_text(struct srv_table *t, const struct st_id *id, const char *text,
                             size_t n, const struct fm_library *library, struct srv_draft *d,
                             struct fm_fault *fault)
{
    if (n > ST_EVENT_MAX)
        return fm_fail(fault, FM_E_RECORD, "an event of %zu bytes", n);
    json_t *json = fm_json_load(text, n, fault);
    if (json == NULL)
        return fault->code = log_error(fault->code);
    const struct fm_in in = fm_in_root(json, "", fault);
    (void)fm_fail_plain(fault, FM_E_RECORD); /* unless a function below says otherwise */
    const bool fine = read_event(t, &in, n, id, library, d);
    json_decref(json);
    if (fine)
        t->seq++;
    return fine ? FM_OK : (fault->code = log_error(fault->code));
}

enum fm_err srv_table_expects(const struct srv_table *t, uint64_t seq, struct fm_fault *fault)
{
    if (seq == t->seq + 1)
        return FM_OK;
    return fm_fail(fault, FM_E_RECORD, "event %" PRIu64 " of its log is missing", t->seq + 1);
}

enum fm_err srv_table_read(struct srv_table *t, const struct st_id *id, const char *text, size_t n,
                           const struct fm_library *library, struct fm_fault *fault)
{
    return read_text(t, id, text, n, library, NULL, fault);
}

enum fm_err srv_table_follow(struct srv_table *t, struct srv_draft *d, const char *text, size_t n,
                             struct fm_fault *fault)
{
    return read_text(t, &t->id, text, n, NULL, d, fault);
}

/* Moves are frequent: the match of the draft is used as it is. All other events are read back, as
 * they will be after a restart. */
enum fm_err srv_table_commit(struct srv_table *t, const struct srv_draft *d, struct fm_fault *fault)
{
    if (d->kind != SRV_DID)
        return srv_table_read(t, &t->id, d->text, d->n, NULL, fault);
    memcpy(t->match, d->match, t->setup.game->state_size);
    if (!srv_keep_event(t, &d->event, d->id))
        return fm_fail_plain(fault, FM_E_MEMORY);
    t->seq++;
    return FM_OK;
}
