/* table_handed.c: a table whose game was played on somebody's device: its log is one event, which
 * holds the record. */
#include "server/table_internal.h"

#include "base/hash.h"
#include "base/json_in.h"

#include <fathom/bot.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading --------------------------------------------------------------------------------- */

static bool read_seat(struct srv_seat *s, const struct fm_in *in)
{
    struct fm_in name, bot;
    const char *text;
    if (!fm_in_get(in, "name", &name) || !fm_in_get(in, "bot", &bot))
        return false;
    s->taken = json_is_null(bot.json);
    if (s->taken)
        return fm_in_text(&name, FM_NAME_MAX, &text) &&
               srv_name_clean(s->name, text, strlen(text), in->fault) == FM_OK;
    if (!fm_in_text(&bot, SRV_BOT - 1, &text))
        return false;
    (void)snprintf(s->bot, sizeof s->bot, "%s", text);
    return true;
}

/* What the first line says besides the setup. */
static bool read_head(struct srv_table *t, const struct fm_in *in)
{
    struct fm_in seats, value;
    const char *created;
    size_t n;
    if (!fm_in_get(in, "table", &value) || !fm_in_get(in, "created", &value) ||
        !fm_in_text(&value, 40, &created))
        return false;
    if (!srv_read_created(created, &t->start_ms))
        return fm_in_fail(&value, FM_E_VALUE, "not a time");
    if (!fm_in_get(in, "seats", &seats) ||
        !fm_in_array(&seats, t->setup.n_seats, t->setup.n_seats, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(&seats, i);
        if (!read_seat(&t->seat[i], &one))
            return false;
    }
    return true;
}

static bool read_first_line(struct srv_table *t, const char *record, size_t n,
                            struct fm_fault *fault)
{
    const char *end = memchr(record, '\n', n);
    json_t *json = end != NULL ? fm_json_load(record, (size_t)(end - record), fault) : NULL;
    const struct fm_in in = fm_in_root(json, "", fault);
    const bool fine = json != NULL && read_head(t, &in);
    json_decref(json);
    fault->line = fine ? 0 : 1;
    return fine;
}

static void take_setup(struct srv_table *t, const struct fm_playback *p)
{
    t->setup = p->setup;
    t->fair = p->fair;
    memcpy(t->seed, p->seed, sizeof t->seed);
    memcpy(t->commitment, p->commitment, sizeof t->commitment);
    memcpy(t->match, p->state, t->setup.game->state_size);
    srv_tally_begin(&t->tally, t->setup.game, t->match);
    t->state = ST_PLAYING;
}

static bool play(struct srv_table *t, struct fm_playback *p, struct fm_fault *fault)
{
    struct fm_event ev = {0};
    enum fm_err err;
    while ((err = fm_playback_next(p, &ev, NULL, fault)) == FM_OK) {
        ev.check = 0; /* events of a log have none */
        memcpy(t->match, p->state, t->setup.game->state_size);
        if (!srv_keep_event(t, &ev, ""))
            return fm_fail_plain(fault, FM_E_MEMORY), false;
    }
    return err == FM_E_OVER;
}

/* Fills an empty table from a record; every line is replayed. */
static bool read_record(struct srv_table *t, const char *record, size_t n,
                        const struct fm_library *library, struct fm_fault *fault)
{
    struct fm_playback *p = malloc(sizeof *p);
    if (p == NULL)
        return fm_fail_plain(fault, FM_E_MEMORY), false;
    bool fine = fm_playback_open(p, record, n, library, NULL, fault) == FM_OK;
    if (fine) {
        take_setup(t, p);
        fine = read_first_line(t, record, n, fault) && play(t, p, fault);
    }
    free(p);
    t->handed = true;
    return fine;
}

bool srv_read_handed(struct srv_table *t, const struct fm_in *in, const struct st_id *id,
                     const struct fm_library *library)
{
    struct fm_in value;
    const char *record;
    if (!fm_in_get(in, "at", &value) || !json_is_integer(value.json) ||
        json_integer_value(value.json) < 0)
        return fm_in_fail(in, FM_E_VALUE, "at: not a time");
    t->made_ms = (uint64_t)json_integer_value(value.json);
    if (!fm_in_get(in, "record", &value))
        return false;
    if ((record = json_string_value(value.json)) == NULL)
        return fm_in_fail(&value, FM_E_VALUE, "not a record");
    t->id = *id;
    return read_record(t, record, json_string_length(value.json), library, in->fault);
}

/* ---- handing in ------------------------------------------------------------------------------ */

void srv_handed_id(struct st_id *id, const char *record, size_t n)
{
    uint8_t hash[FM_HASH_BYTES];
    fm__hash(hash, "fathom handed 1", &(struct fm_span){record, n}, 1);
    memcpy(id->bytes, hash, sizeof id->bytes);
}

/* A record is refused as a whole: if the rules refuse a move, the fault is that the game does not
 * go on as recorded. */
static enum fm_err explain(struct fm_fault *fault)
{
    const struct fm_fault f = *fault;
    switch (f.code) {
    case FM_E_RECORD:
    case FM_E_RECORD_VERSION:
    case FM_E_DIVERGED:
    case FM_E_GAME:
    case FM_E_UNKNOWN_RULES:
    case FM_E_DECK:
    case FM_E_SIZE:
    case FM_E_MEMORY:
    case FM_E_NAME_EMPTY:
    case FM_E_NAME_LONG:
        return f.code;
    default:
        return fm_fail(fault, f.line > 1 ? FM_E_DIVERGED : FM_E_RECORD, "line %d: %s", f.line,
                       f.text);
    }
}

static bool knows_bots(const struct srv_table *t, struct fm_fault *fault)
{
    for (unsigned i = 0; i < t->setup.n_seats; i++)
        if (!t->seat[i].taken && fm_bot_find(t->setup.game, t->seat[i].bot) == NULL) {
            (void)fm_fail(fault, FM_E_RECORD, "there is no bot \"%.40s\" for %s", t->seat[i].bot,
                          t->setup.game->title);
            return false;
        }
    return true;
}

/* Is the record exactly as this program would have written it? */
static bool is_ours(const struct srv_table *t, const char *record, size_t n, struct fm_fault *fault)
{
    size_t ours_n = 0;
    char *ours = srv_table_record(t, &ours_n);
    const bool same = ours != NULL && ours_n == n && memcmp(ours, record, n) == 0;
    if (ours == NULL)
        (void)fm_fail_plain(fault, FM_E_MEMORY);
    else if (!same)
        (void)fm_fail(fault, FM_E_RECORD, "this record is not written as records are written here");
    free(ours);
    return same;
}

static bool check(const char *record, size_t n, const struct fm_library *library,
                  struct fm_fault *fault)
{
    struct srv_table *t = malloc(sizeof *t);
    if (t == NULL)
        return fm_fail_plain(fault, FM_E_MEMORY), false;
    srv_table_init(t);
    const bool fine = read_record(t, record, n, library, fault) && knows_bots(t, fault) &&
                      is_ours(t, record, n, fault);
    srv_table_finish(t);
    free(t);
    return fine;
}

static enum fm_err put_handed(struct srv_draft *d, const char *record, size_t n, uint64_t now_ms,
                              struct fm_fault *fault)
{
    struct fm_out o;
    d->record = malloc(n + 1);
    d->handed = malloc(ST_EVENT_MAX + 1);
    if (d->record == NULL || d->handed == NULL)
        return fm_fail_plain(fault, FM_E_MEMORY);
    memcpy(d->record, record, n);
    d->record[n] = '\0';
    fm_out_init(&o, d->handed, ST_EVENT_MAX + 1);
    fm_js_object(&o);
    fm_js_key_text(&o, "e", srv_event_kinds[SRV_HANDED]);
    fm_js_key_int(&o, "at", (int64_t)now_ms);
    fm_js_key_text(&o, "record", d->record);
    fm_js_end_object(&o);
    d->n = o.len;
    return fm_out_ok(&o) ? FM_OK : fm_fail_plain(fault, FM_E_SIZE);
}

enum fm_err srv_draft_handed(struct srv_draft *d, const char *record, size_t n, uint64_t now_ms,
                             const struct fm_library *library, struct fm_fault *fault)
{
    (void)srv_draft_begin(d, SRV_HANDED);
    if (n > SRV_HANDED_MAX)
        return fm_fail_plain(fault, FM_E_SIZE);
    if (!check(record, n, library, fault))
        return explain(fault);
    if (put_handed(d, record, n, now_ms, fault) != FM_OK)
        return fault->code;
    d->change.creates = d->change.moves = true;
    d->change.state = ST_OVER;
    d->change.record = d->record;
    d->change.record_n = n;
    return FM_OK;
}
