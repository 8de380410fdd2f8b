/* table.c: events drafted, committed, and read back. */
#include "server/table.h"

#include "base/hash.h"
#include "base/json_in.h"
#include "base/panic.h"

#include <fathom/bot.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAY_MS     INT64_C(86400000)
#define LATEST_MS  (INT64_C(2932897) * DAY_MS) /* the year 10000 */
#define LONGEST_MS (20 * DAY_MS) /* that nothing happened for: times of events have 31 bits */

static const char *const kinds[] = {[SRV_MADE] = "made",       [SRV_SAT] = "sat",
                                    [SRV_LEFT] = "left",       [SRV_BOT_SET] = "bot",
                                    [SRV_STARTED] = "started", [SRV_DID] = "did",
                                    [SRV_NOTED] = "noted",     [SRV_AGAIN] = "again",
                                    [SRV_CLOSED] = "closed",   NULL};

void srv_table_init(struct srv_table *t)
{
    memset(t, 0, sizeof *t);
}

void srv_table_finish(struct srv_table *t)
{
    for (unsigned i = 0; i < FM_MAX_SEATS; i++)
        free(t->seat[i].notes);
    free(t->event);
    free(t->done);
    srv_table_init(t);
}

void srv_draft_finish(struct srv_draft *d)
{
    free(d->record);
    d->record = NULL;
}

static const struct fm_pub *pub_of(const void *match)
{
    return match;
}

/* ---- writing events ------------------------------------------------------------------------- */

static struct fm_out begin(struct srv_draft *d, enum srv_kind kind)
{
    struct fm_out o;
    d->kind = kind;
    d->n = 0;
    d->change = (struct st_change){0};
    d->record = NULL;
    d->notes.len = 0;
    d->id[0] = '\0';
    fm_out_init(&o, d->text, sizeof d->text);
    fm_js_object(&o);
    fm_js_key_text(&o, "e", kinds[kind]);
    return o;
}

static enum fm_err end(struct srv_draft *d, struct fm_out *o)
{
    fm_js_end_object(o);
    fm_assert(fm_out_ok(o));
    d->n = o->len;
    return FM_OK;
}

static enum fm_err want_state(const struct srv_table *t, enum st_state state,
                              struct fm_fault *fault)
{
    if (t->state == state)
        return FM_OK;
    if (t->state == ST_CLOSED)
        return fm_fail_plain(fault, FM_E_CLOSED);
    if (t->state == ST_WAITING)
        return fm_fail(fault, FM_E_PHASE, "the game has not started yet");
    return t->state == ST_OVER ? fm_fail_plain(fault, FM_E_OVER)
                               : fm_fail(fault, FM_E_PHASE, "the game has started");
}

static enum fm_err want_seat(const struct srv_table *t, int seat, struct fm_fault *fault)
{
    return seat >= 0 && seat < t->setup.n_seats ? FM_OK : fm_fail_plain(fault, FM_E_SEAT);
}

/* Is there room for one more event that is not of the game, nor secret? */
static enum fm_err want_room(const struct srv_table *t, struct fm_fault *fault)
{
    return t->told_bytes < SRV_TABLE_BYTES
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

/* Who sits where at the table before a rematch; NULL: nobody sits anywhere. */
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
    static const char *const keys[] = {"game", "options", "listed", NULL};
    struct fm_setup setup;
    const struct fm_in in = fm_in_root(body, "", fault);
    struct fm_in value;
    bool listed = false;
    if (!fm_in_object(&in, keys) ||
        (fm_in_has(&in, "listed", &value) && !fm_in_bool(&value, &listed)))
        return fault->code;
    if (fm_setup_parse(&setup, body, made->library, fault) != FM_OK)
        return fault->code;
    struct fm_out o = begin(d, SRV_MADE);
    fm_js_key_int(&o, "at", (int64_t)made->now_ms);
    fm_js_key_text(&o, "code", made->code);
    fm_js_key(&o, "listed");
    fm_js_bool(&o, listed);
    fm_js_key(&o, "seed");
    fm_js_hex(&o, made->seed, sizeof made->seed);
    fm_js_key_text(&o, "game", setup.game->id);
    fm_js_key_int(&o, "rules", setup.game->rules_version);
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
    return end(d, &o);
}

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
    return fm_fail(in->fault, FM_E_TAKEN_SEAT, "all seats are taken");
}

/* Up to 32 bytes in hex, given back as their text; "": none. */
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

/* Control characters are no fault here: they are taken out. */
static bool read_name(char name[SRV_NAME], const struct fm_in *in)
{
    if (!json_is_string(in->json) || json_string_length(in->json) > 512)
        return fm_in_fail(in, FM_E_VALUE, "a name is expected");
    return srv_name_clean(name, json_string_value(in->json), json_string_length(in->json),
                          in->fault) == FM_OK;
}

/* Somebody has a seat, and has added this to the deal. */
static enum fm_err put_sat(struct srv_draft *d, int seat, const char *name, const char *entropy,
                           const uint8_t token[ST_HASH_BYTES])
{
    struct fm_out o = begin(d, SRV_SAT);
    fm_js_key_int(&o, "seat", seat);
    fm_js_key_text(&o, "name", name);
    fm_js_key_text(&o, "entropy", entropy);
    fm_js_key(&o, "token");
    fm_js_hex(&o, token, ST_HASH_BYTES);
    return end(d, &o);
}

enum fm_err srv_draft_sat(struct srv_draft *d, const struct srv_table *t, struct json_t *body,
                          const uint8_t token[ST_HASH_BYTES], int *seat, struct fm_fault *fault)
{
    static const char *const keys[] = {"name", "seat", "entropy", "id", NULL};
    const struct fm_in in = fm_in_root(body, "", fault);
    struct fm_in value;
    const char *entropy;
    char name[SRV_NAME];
    if (want_state(t, ST_WAITING, fault) != FM_OK || want_room(t, fault) != FM_OK ||
        !fm_in_object(&in, keys) || !fm_in_get(&in, "name", &value) || !read_name(name, &value) ||
        !read_entropy(&in, &entropy) || choose_seat(t, &in, seat) != FM_OK)
        return fault->code;
    const enum fm_err err = put_sat(d, *seat, name, entropy, token);
    add_token(d, SRV_PLAYER, (unsigned)*seat, token);
    return err;
}

enum fm_err srv_draft_added(struct srv_draft *d, const struct srv_table *t, int seat,
                            struct json_t *body, struct fm_fault *fault)
{
    static const char *const keys[] = {"entropy", NULL};
    const struct fm_in in = fm_in_root(body, "", fault);
    const char *entropy;
    if (want_state(t, ST_WAITING, fault) != FM_OK || want_seat(t, seat, fault) != FM_OK ||
        !fm_in_object(&in, keys) || !read_entropy(&in, &entropy))
        return fault->code;
    if (entropy[0] == '\0')
        return fm_fail(fault, FM_E_VALUE, "entropy: 1 to %d bytes are expected", FM_ENTROPY_BYTES);
    if (t->fair.entropy_n[seat] > 0)
        return fm_fail(fault, FM_E_PHASE, "this seat has added to the deal already");
    return put_sat(d, seat, t->seat[seat].name, entropy, t->seat[seat].token);
}

bool srv_table_added(const struct srv_table *t, int seat, struct json_t *body)
{
    uint8_t bytes[FM_ENTROPY_BYTES];
    const char *text = json_string_value(json_object_get(body, "entropy"));
    const size_t n = t->fair.entropy_n[seat];
    return n > 0 && text != NULL && strlen(text) == 2 * n && fm__unhex(bytes, n, text) == 0 &&
           memcmp(bytes, t->fair.entropy[seat], n) == 0;
}

enum fm_err srv_draft_left(struct srv_draft *d, const struct srv_table *t, int seat,
                           struct fm_fault *fault)
{
    if (want_state(t, ST_WAITING, fault) != FM_OK || want_seat(t, seat, fault) != FM_OK ||
        want_room(t, fault) != FM_OK)
        return fault->code;
    if (!t->seat[seat].taken)
        return fm_fail(fault, FM_E_SEAT, "nobody has this seat");
    struct fm_out o = begin(d, SRV_LEFT);
    fm_js_key_int(&o, "seat", seat);
    return end(d, &o);
}

enum fm_err srv_draft_bot(struct srv_draft *d, const struct srv_table *t, int seat, const char *bot,
                          struct fm_fault *fault)
{
    if (want_seat(t, seat, fault) != FM_OK || want_room(t, fault) != FM_OK)
        return fault->code;
    if (t->state != ST_WAITING && want_state(t, ST_PLAYING, fault) != FM_OK)
        return fault->code;
    const struct srv_seat *s = &t->seat[seat];
    if (t->state == ST_WAITING && s->taken)
        return fm_fail(fault, FM_E_TAKEN_SEAT, "seat %d is taken", seat);
    if (t->state == ST_PLAYING && !s->taken && bot == NULL)
        return fm_fail(fault, FM_E_PHASE, "somebody has to play this seat");
    if (bot != NULL && (strlen(bot) >= SRV_BOT || fm_bot_find(t->setup.game, bot) == NULL))
        return fm_fail(fault, FM_E_VALUE, "there is no bot \"%.40s\" for %s", bot,
                       t->setup.game->title);
    struct fm_out o = begin(d, SRV_BOT_SET);
    fm_js_key_int(&o, "seat", seat);
    fm_js_key_text(&o, "bot", bot);
    return end(d, &o);
}

/* The seed of the deal, now that everybody has added to it. */
static enum fm_err deal(void *match, struct fm_setup *setup, const struct srv_table *t,
                        struct fm_notes *notes)
{
    *setup = t->setup;
    fm_fair_deal_seed(setup->seed, t->seed, &t->fair, setup->n_seats);
    if (notes != NULL)
        notes->len = 0;
    return fm_init(match, setup, notes);
}

static uint64_t deadline_after(const void *match, const struct srv_tally *tally, uint64_t start_ms)
{
    const struct fm_pub *pub = pub_of(match);
    return pub->status == FM_OVER || pub->deadline_ms == FM_NEVER || srv_clock_rests(tally)
               ? 0
               : start_ms + pub->deadline_ms;
}

/* -1: there is none. */
static int free_seat(const struct srv_table *t)
{
    for (int seat = 0; seat < t->setup.n_seats; seat++)
        if (!t->seat[seat].taken && t->seat[seat].bot[0] == '\0')
            return seat;
    return -1;
}

enum fm_err srv_draft_started(struct srv_draft *d, const struct srv_table *t, uint64_t now_ms,
                              struct fm_fault *fault)
{
    struct fm_setup setup;
    if (want_state(t, ST_WAITING, fault) != FM_OK)
        return fault->code;
    const int seat = free_seat(t);
    if (seat >= 0)
        return fm_fail(fault, FM_E_PHASE, "seat %d is free: it needs a person or a bot", seat);
    struct fm_out o = begin(d, SRV_STARTED);
    fm_js_key_int(&o, "at", (int64_t)now_ms);
    const enum fm_err err = deal(d->match, &setup, t, &d->notes);
    if (err != FM_OK)
        return fm_fail_plain(fault, err);
    d->change.moves = true;
    d->change.state = ST_PLAYING;
    d->change.times = true;
    d->change.deadline_ms = deadline_after(d->match, &t->tally, now_ms);
    return end(d, &o);
}

/* ---- the record ----------------------------------------------------------------------------- */

#define ISO 80
static void iso_time(char out[ISO], uint64_t ms)
{
    /* Days to a date, after Howard Hinnant's civil_from_days; the rules of the calendar do not
     * depend on a time zone. */
    const uint64_t s = ms / 1000, day = s / 86400, z = day + 719468, era = z / 146097,
                   doe = z - era * 146097,
                   yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365,
                   doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
    const unsigned d = (unsigned)(doy - (153 * mp + 2) / 5 + 1),
                   m = (unsigned)(mp < 10 ? mp + 3 : mp - 9),
                   y = (unsigned)(yoe + era * 400 + (m <= 2));
    (void)snprintf(out, ISO, "%04u-%02u-%02uT%02u:%02u:%02uZ", y, m, d, (unsigned)(s / 3600 % 24),
                   (unsigned)(s / 60 % 60), (unsigned)(s % 60));
}

/* The whole game as a record; last: one more event that ends it, NULL: it has ended. */
static char *write_record(const struct srv_table *t, const struct fm_event *last, size_t *n)
{
    struct fm_setup setup;
    struct fm_record_seat seats[FM_MAX_SEATS];
    struct fm_recorder r;
    struct fm_out o;
    char created[ISO];
    _Alignas(8) uint8_t match[FM_STATE_MAX];
    const size_t room = (t->n_events + 3) * FM_RECORD_LINE;
    char *text = malloc(room);
    if (text == NULL)
        return NULL;
    for (unsigned i = 0; i < t->setup.n_seats; i++) {
        const struct srv_seat *s = &t->seat[i];
        seats[i].bot = s->taken ? NULL : s->bot;
        seats[i].name = s->taken ? s->name : s->bot;
    }
    iso_time(created, t->start_ms);
    fm_out_init(&o, text, room);
    fm_assert(deal(match, &setup, t, NULL) == FM_OK);
    fm_record_begin(&r, &o, &setup, t->seed, &t->fair, seats, created);
    for (size_t i = 0; i < t->n_events + (last != NULL); i++) {
        const struct fm_event *ev = i < t->n_events ? &t->event[i] : last;
        fm_assert(fm_apply(setup.game, match, ev, NULL) == FM_OK);
        fm_record_event(&r, &o, ev, match);
    }
    fm_record_end(&r, &o, match);
    fm_assert(fm_out_ok(&o));
    *n = o.len;
    return text;
}

/* ---- actions -------------------------------------------------------------------------------- */

static uint32_t last_ms(const struct srv_table *t)
{
    const struct fm_secret *secret = (const void *)(t->match + t->setup.game->secret_off);
    return secret->now_ms;
}

static uint64_t time_at(const struct srv_table *t, uint64_t now_ms)
{
    return (uint64_t)((int64_t)now_ms + t->shift_ms);
}

/* Milliseconds since the start, never before the last event: but that happens only where the
 * calendar went back over a restart, and the last event is a secret one. Times that come in order
 * stay in order, whatever the credits, for a deadline is never before the event that set it. */
static uint32_t match_time(const struct srv_table *t, uint64_t now_ms, uint32_t credit_ms)
{
    const uint64_t now = time_at(t, now_ms);
    const uint64_t since = now > t->start_ms ? now - t->start_ms : 0;
    const uint32_t deadline = pub_of(t->match)->deadline_ms;
    const uint32_t credit = credit_ms < SRV_CREDIT_MS ? credit_ms : SRV_CREDIT_MS;
    uint64_t at = since < INT32_MAX ? since : INT32_MAX;
    if (at > deadline && (at - deadline <= credit || srv_clock_rests(&t->tally)))
        at = deadline;
    return at > last_ms(t) ? (uint32_t)at : last_ms(t);
}

static enum fm_err draft_event(struct srv_draft *d, const struct srv_table *t, const char *id,
                               const struct fm_event *ev, struct fm_fault *fault)
{
    struct fm_out o = begin(d, SRV_DID);
    uint8_t action[sizeof ev->action];
    memcpy(action, &ev->action, sizeof action);
    fm_js_key_int(&o, "t", ev->t_ms);
    fm_js_key_int(&o, "seat", ev->seat);
    fm_js_key_text(&o, "id", id);
    fm_js_key(&o, "action");
    fm_js_hex(&o, action, sizeof action);
    d->event = *ev;
    memcpy(d->match, t->match, t->setup.game->state_size);
    if (t->n_events >= FM_EVENTS_MAX || ev->t_ms > INT32_MAX) /* it could not be read again */
        return fm_fail_plain(fault, FM_E_STUCK);
    enum fm_err err = fm_apply(t->setup.game, d->match, ev, &d->notes);
    if (err == FM_OK)
        err = srv_check_repeat(&t->tally, t->setup.game, t->match, d->match, ev);
    if (err != FM_OK)
        return fm_fail_plain(fault, err);
    (void)snprintf(d->id, sizeof d->id, "%s", id != NULL ? id : "");
    struct srv_tally tally = t->tally;
    srv_tally_add(&tally, t->setup.game, d->match, ev);
    const uint64_t deadline = deadline_after(d->match, &tally, t->start_ms);
    d->change.times = deadline != deadline_after(t->match, &t->tally, t->start_ms);
    d->change.deadline_ms = deadline;
    if (pub_of(d->match)->status == FM_OVER) {
        size_t n;
        d->record = write_record(t, ev, &n);
        if (d->record == NULL)
            return fm_fail_plain(fault, FM_E_MEMORY);
        d->change.record = d->record;
        d->change.record_n = n;
        d->change.moves = true;
        d->change.state = ST_OVER;
    }
    return end(d, &o);
}

bool srv_is_client_id(const char *id)
{
    const size_t n = strlen(id);
    return n > 0 && n <= SRV_CLIENT_ID &&
           strspn(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == n;
}

enum fm_err srv_draft_did(struct srv_draft *d, const struct srv_table *t, int seat, const char *id,
                          fm_action action, uint64_t now_ms, uint32_t credit_ms,
                          struct fm_fault *fault)
{
    if (want_state(t, ST_PLAYING, fault) != FM_OK || want_seat(t, seat, fault) != FM_OK)
        return fault->code;
    if (id != NULL && !srv_is_client_id(id))
        return fm_fail(fault, FM_E_VALUE, "id: 1 to %d letters, digits, _ and -", SRV_CLIENT_ID);
    const struct fm_event ev = {
        .t_ms = match_time(t, now_ms, credit_ms), .seat = (uint8_t)seat, .action = action};
    return draft_event(d, t, id, &ev, fault);
}

enum fm_err srv_draft_clock(struct srv_draft *d, const struct srv_table *t, uint64_t now_ms,
                            struct fm_fault *fault)
{
    if (want_state(t, ST_PLAYING, fault) != FM_OK)
        return fault->code;
    const struct fm_pub *pub = pub_of(t->match);
    const uint64_t deadline = srv_table_deadline(t);
    if (deadline == 0 || now_ms < deadline)
        return fm_fail_plain(fault, FM_E_TIME);
    const uint32_t at = pub->deadline_ms > last_ms(t) ? pub->deadline_ms : last_ms(t);
    const struct fm_event ev = {.t_ms = at, .seat = FM_TABLE, .action = t->setup.game->due(pub)};
    return draft_event(d, t, NULL, &ev, fault);
}

enum fm_err srv_draft_noted(struct srv_draft *d, const struct srv_table *t, int seat,
                            const char *text, size_t n, struct fm_fault *fault)
{
    if (want_seat(t, seat, fault) != FM_OK)
        return fault->code;
    if (n > SRV_NOTES)
        return fm_fail(fault, FM_E_SIZE, "notes: at most %d bytes", SRV_NOTES);
    struct fm_out o = begin(d, SRV_NOTED);
    fm_js_key_int(&o, "seat", seat);
    fm_js_key_text(&o, "text", text);
    if (!fm_out_ok(&o) || o.len + 2 > sizeof d->text)
        return fm_fail(fault, FM_E_SIZE, "notes: too many control characters");
    if (t->noted_bytes[seat] + o.len > SRV_SEAT_BYTES)
        return fm_fail(fault, FM_E_QUOTA, "this seat has changed its notes too often");
    return end(d, &o);
}

enum fm_err srv_draft_again(struct srv_draft *d, const struct srv_table *t,
                            const struct st_id *rematch, struct fm_fault *fault)
{
    if (want_state(t, ST_OVER, fault) != FM_OK)
        return fault->code;
    struct fm_out o = begin(d, SRV_AGAIN);
    fm_js_key(&o, "table");
    fm_js_hex(&o, rematch->bytes, sizeof rematch->bytes);
    return end(d, &o);
}

size_t srv_put_closed(char text[SRV_CLOSED_TEXT])
{
    return (size_t)snprintf(text, SRV_CLOSED_TEXT, "{\"e\":\"%s\"}", kinds[SRV_CLOSED]);
}

size_t srv_blank_note(char text[SRV_BLANK_TEXT], const char *event, size_t n)
{
    static const char noted[] = "{\"e\":\"noted\"";
    struct fm_fault fault;
    struct fm_out o;
    if (n < sizeof noted || memcmp(event, noted, sizeof noted - 1) != 0) /* most: not parsed */
        return 0;
    json_t *json = fm_json_load(event, n, &fault);
    const json_t *seat = json_object_get(json, "seat");
    const char *said = json_string_value(json_object_get(json, "text"));
    fm_out_init(&o, text, SRV_BLANK_TEXT);
    if (json_is_integer(seat) && said != NULL && said[0] != '\0') {
        fm_js_object(&o);
        fm_js_key_text(&o, "e", kinds[SRV_NOTED]);
        fm_js_key_int(&o, "seat", json_integer_value(seat));
        fm_js_key_text(&o, "text", "");
        fm_js_end_object(&o);
    }
    json_decref(json);
    return fm_out_ok(&o) ? o.len : 0;
}

/* ---- reading events ------------------------------------------------------------------------- */

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

/* The seats that a rematch begins with. */
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

/* Logs of the first version do not say it. */
static bool read_rules(const struct srv_table *t, const struct fm_in *in)
{
    struct fm_in value;
    int rules = 1;
    if (fm_in_has(in, "rules", &value) && !fm_in_int(&value, 1, UINT16_MAX, &rules))
        return false;
    return rules == t->setup.game->rules_version ||
           fm_in_fail(in, FM_E_RULES,
                      "this table is played by version %d of the rules of %s; this program knows "
                      "version %d",
                      rules, t->setup.game->title, t->setup.game->rules_version);
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
    if (fm_setup_parse(&t->setup, in->json, library, in->fault) != FM_OK)
        return false;
    if (!read_rules(t, in))
        return false;
    if (memcmp(deck, t->setup.deck.hash, sizeof deck) != 0)
        return fm_in_fail(in, FM_E_DECK, "the deck \"%s\" that is here has other cards",
                          t->setup.deck.id);
    (void)snprintf(t->code, sizeof t->code, "%s", code);
    t->id = *id;
    memcpy(t->fair.table, id->bytes, sizeof t->fair.table);
    fm_fair_commitment(t->commitment, t->seed, t->fair.table, &t->setup);
    t->state = ST_WAITING;
    return read_seats(t, in);
}

static bool read_seat(const struct srv_table *t, const struct fm_in *in, int *seat)
{
    struct fm_in value;
    return fm_in_get(in, "seat", &value) && fm_in_int(&value, 0, t->setup.n_seats - 1, seat);
}

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
    t->told_bytes += t->noted_bytes[seat]; /* before the start there are no secrets in them */
    t->noted_bytes[seat] = 0;
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

static bool read_started(struct srv_table *t, const struct fm_in *in, struct srv_draft *d)
{
    if (!read_time(in, "at", &t->start_ms))
        return false;
    if (free_seat(t) >= 0)
        return fm_in_fail(in, FM_E_RECORD, "a start while seat %d is free", free_seat(t));
    struct fm_setup setup;
    if (deal(t->match, &setup, t, d != NULL ? &d->notes : NULL) != FM_OK)
        return fm_in_fail(in, FM_E_RECORD, "the game cannot be dealt");
    srv_tally_begin(&t->tally, t->setup.game, t->match);
    t->state = ST_PLAYING;
    return true;
}

/* Room for one more in an array that doubles; false: no memory. */
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

/* An event of the match was applied; t->match is after it. */
static bool keep_event(struct srv_table *t, const struct fm_event *ev, const char *id)
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
        return fm_in_fail(in, FM_E_RECORD, "an action does not go through: %s", fm_err_text(err));
    return keep_event(t, &ev, id) || fm_in_fail(in, FM_E_MEMORY, "no memory");
}

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
    t->noted_bytes[seat] += (uint32_t)n;
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

/*
 * Drafts are only made in some states; a log that says otherwise was damaged. It must not be
 * believed: whoever sits down or leaves after the deal would change the deal, and nothing that was
 * played on it could be played again.
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
    };
    return (states[kind] >> t->state & 1) != 0 ||
           fm_in_fail(in, FM_E_RECORD, "\"%s\" while it cannot be", kinds[kind]);
}

static bool read_event(struct srv_table *t, const struct fm_in *in, size_t n,
                       const struct st_id *id, const struct fm_library *library,
                       struct srv_draft *d)
{
    struct fm_in value;
    int kind;
    if (!fm_in_get(in, "e", &value))
        return false;
    if (!fm_in_word(&value, kinds, &kind)) /* of a newer program, perhaps */
        return in->fault->code = FM_E_RULES, false;
    if (d != NULL)
        (void)begin(d, (enum srv_kind)kind);
    if ((t->seq == 0) != (kind == SRV_MADE))
        return fm_in_fail(in, FM_E_RECORD, "a log begins with the making of its table");
    if (!fits_state(t, in, (enum srv_kind)kind))
        return false;
    if (kind == SRV_SAT || kind == SRV_LEFT || kind == SRV_BOT_SET)
        t->told_bytes += (uint32_t)n;
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
    }
    return false;
}

/* Whatever is wrong with a log is the log's fault; but a newer program, more decks or more memory
 * may make the table playable. */
static enum fm_err log_error(enum fm_err code)
{
    switch (code) {
    case FM_E_RULES:
    case FM_E_DECK:
    case FM_E_MEMORY:
        return code;
    case FM_E_GAME:
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
    (void)fm_fail_plain(fault, FM_E_RECORD); /* unless it is said otherwise */
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

/* Actions are many: what the draft worked out is taken as it is. Everything else is read back, as
 * it will be after a restart. */
enum fm_err srv_table_commit(struct srv_table *t, const struct srv_draft *d, struct fm_fault *fault)
{
    if (d->kind != SRV_DID)
        return srv_table_read(t, &t->id, d->text, d->n, NULL, fault);
    memcpy(t->match, d->match, t->setup.game->state_size);
    if (!keep_event(t, &d->event, d->id))
        return fm_fail_plain(fault, FM_E_MEMORY);
    t->seq++;
    return FM_OK;
}

/* ---- looking -------------------------------------------------------------------------------- */

char *srv_table_record(const struct srv_table *t, size_t *n)
{
    fm_assert(t->state == ST_OVER);
    return write_record(t, NULL, n);
}

void srv_table_deal(const struct srv_table *t, void *match)
{
    struct fm_setup setup;
    fm_assert(deal(match, &setup, t, NULL) == FM_OK);
}

/* The earliest and the latest that it can be at a table in play. Secret events do not count:
 * whoever sees the clock would learn of them. */
static void bounds_of_time(const struct srv_table *t, uint64_t *first, uint64_t *last)
{
    const uint64_t deadline = deadline_after(t->match, &t->tally, t->start_ms);
    *first = t->start_ms + pub_of(t->match)->now_ms;
    *last = deadline != 0 ? deadline : t->start_ms + (uint64_t)LONGEST_MS;
    *last = *last > *first ? *last : *first;
}

void srv_table_resume(struct srv_table *t, uint64_t now_ms)
{
    uint64_t first, last;
    t->shift_ms = 0;
    if (t->state != ST_PLAYING)
        return;
    bounds_of_time(t, &first, &last);
    const uint64_t time = now_ms < first ? first : now_ms > last ? last : now_ms;
    t->shift_ms = (int64_t)time - (int64_t)now_ms;
}

void srv_table_heard(struct srv_table *t, uint64_t now_ms)
{
    uint64_t first, last;
    if (t->state != ST_PLAYING)
        return;
    bounds_of_time(t, &first, &last);
    const uint64_t time = time_at(t, now_ms);
    if (time < first || time > last)
        t->shift_ms = (int64_t)first - (int64_t)now_ms;
}

uint64_t srv_table_deadline(const struct srv_table *t)
{
    const uint64_t deadline =
        t->state == ST_PLAYING ? deadline_after(t->match, &t->tally, t->start_ms) : 0;
    return deadline != 0 ? (uint64_t)((int64_t)deadline - t->shift_ms) : 0;
}

bool srv_table_knows(const struct srv_table *t, int seat, const char *id, uint32_t *seq)
{
    for (size_t i = t->n_done; i-- > 0;) /* what comes again is mostly new */
        if (t->done[i].seat == seat && strcmp(t->done[i].id, id) == 0) {
            *seq = t->done[i].seq;
            return true;
        }
    return false;
}

int srv_table_seat_of(const struct srv_table *t, const uint8_t token[ST_HASH_BYTES])
{
    for (int seat = 0; seat < t->setup.n_seats; seat++)
        if (t->seat[seat].taken && memcmp(t->seat[seat].token, token, ST_HASH_BYTES) == 0)
            return seat;
    return SRV_NO_SEAT;
}

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
    fm_js_key(o, "options");
    fm_put_options(o, &t->setup);
    fm_js_key_text(o, "state", states[t->state]);
    fm_js_key(o, "listed");
    fm_js_bool(o, t->listed);
    fm_js_key(o, "seats");
    srv_put_seats(o, t, here);
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

/* What a viewer was told after its seq was `from`: the match is played again. False: that is too
 * much, and *o is to be forgotten. */
static bool put_missed(struct fm_out *o, const struct srv_table *t, int seat, int64_t from)
{
    struct fm_setup setup;
    struct fm_notes notes;
    _Alignas(8) uint8_t match[FM_STATE_MAX];
    const size_t before_all = o->len;
    fm_assert(deal(match, &setup, t, &notes) == FM_OK);
    fm_js_key(o, "events");
    fm_js_array(o);
    if (from < 0)
        fm_put_notes(o, fm_view_of(setup.game, match, seat), &notes, false);
    for (size_t i = 0; i < t->n_events; i++) {
        notes.len = 0;
        const int64_t before = fm_view_seq(fm_view_of(setup.game, match, seat));
        fm_assert(fm_apply(setup.game, match, &t->event[i], &notes) == FM_OK);
        const struct fm_view v = fm_view_of(setup.game, match, seat);
        if (fm_view_seq(v) > before && fm_view_seq(v) > from)
            fm_put_notes(o, v, &notes, false);
        if (o->len - before_all > SRV_MISSED)
            return false;
    }
    fm_js_end_array(o);
    return true;
}

static void put_nothing_missed(struct fm_out *o)
{
    fm_js_key(o, "events");
    fm_js_array(o);
    fm_js_end_array(o);
}

void srv_put_hello(struct fm_out *o, const struct srv_table *t, int seat, int64_t from, bool visits)
{
    const bool dealt = t->state == ST_PLAYING || t->state == ST_OVER;
    /* before the deal there are no seats to look from */
    const struct fm_view v = fm_view_of(t->setup.game, t->match, dealt ? seat : FM_WATCHER);
    fm_js_object(o);
    fm_js_key_int(o, "seq", dealt ? (int64_t)fm_view_seq(v) : -1);
    const struct fm_out before = *o;
    if (from != SRV_NO_FROM && !dealt)
        put_nothing_missed(o);
    else if (from != SRV_NO_FROM && !put_missed(o, t, seat, from))
        *o = before;
    fm_js_key(o, "view");
    if (dealt)
        fm_put_view(o, v);
    else
        fm_js_null(o);
    if (visits)
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
