/* playback.c: records read back: every byte checked, then every event played again. */
#include <fathom/record.h>

#include "base/hash.h"
#include "base/json_in.h"
#include "base/panic.h"
#include "core/record_sum.h"

#include <string.h>

static enum fm_err at_line(struct fm_fault *fault, int line)
{
    fault->line = line;
    fault->action = -1;
    return fault->code;
}

/* Length of the line at `pos` without its newline; -1: the text ends before one. */
static long line_length(const char *text, size_t n, size_t pos)
{
    const char *end = memchr(text + pos, '\n', n - pos);
    return end ? end - (text + pos) : -1;
}

/* ---- sums ----------------------------------------------------------------------------------- */

static enum fm_err check_line(uint8_t chain[32], const char *line, size_t n, struct fm_fault *fault)
{
    char tail[FM__SUM_TAIL + 1];
    struct fm_out o;
    if (n > FM_RECORD_LINE)
        return fm_fail(fault, FM_E_SIZE, "a line of a record has at most %d bytes", FM_RECORD_LINE);
    if (n < FM__SUM_TAIL)
        return fm_fail(fault, FM_E_RECORD, "this is not a line of a record");
    fm__record_sum(chain, line, n - FM__SUM_TAIL);
    fm_out_init(&o, tail, sizeof tail);
    fm_put(&o, ",\"sum\":\"");
    fm_put_hex(&o, chain, FM__SUM_BYTES);
    fm_put(&o, "\"}");
    if (memcmp(line + n - FM__SUM_TAIL, tail, FM__SUM_TAIL) != 0)
        return fm_fail(fault, FM_E_RECORD,
                       "the line does not fit its sum: it was altered, or a line before it is "
                       "missing or out of place");
    return FM_OK;
}

/* Check all lines; *last is where the last one begins. */
static enum fm_err check_sums(struct fm_playback *p, size_t *last, struct fm_fault *fault)
{
    uint8_t chain[32] = {0};
    p->last_line = 0;
    for (size_t pos = 0; pos < p->n;) {
        const long n = line_length(p->text, p->n, pos);
        p->last_line++;
        if (p->last_line > FM_EVENTS_MAX + 2)
            fm_fail(fault, FM_E_SIZE, "no match has more than %d events", FM_EVENTS_MAX);
        else if (n < 0)
            fm_fail(fault, FM_E_RECORD, "the last line has no end: the record was cut");
        else if (check_line(chain, p->text + pos, (size_t)n, fault) == FM_OK) {
            *last = pos;
            pos += (size_t)n + 1;
            continue;
        }
        return at_line(fault, p->last_line);
    }
    if (p->last_line < 2) {
        fm_fail(fault, FM_E_RECORD, "the record has no moves and no result: it was cut");
        return at_line(fault, p->last_line > 0 ? p->last_line : 1);
    }
    return FM_OK;
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* Parse the line at `pos`; the caller json_decref()s. */
static json_t *load_line(const struct fm_playback *p, size_t pos, struct fm_fault *fault)
{
    return fm_json_load(p->text + pos, (size_t)line_length(p->text, p->n, pos), fault);
}

static bool read_hex(const struct fm_in *in, const char *key, uint8_t *out, size_t n)
{
    struct fm_in value;
    const char *text;
    if (!fm_in_get(in, key, &value) || !fm_in_text(&value, 2 * n, &text))
        return false;
    return fm__unhex(out, n, text) == 0 ||
           fm_in_fail(&value, FM_E_VALUE, "%zu lower-case hex digits are expected here", 2 * n);
}

static bool read_seats(const struct fm_in *in, size_t n_seats)
{
    static const char *const keys[] = {"name", "bot", NULL};
    struct fm_in seats, value;
    size_t n;
    const char *text;
    if (!fm_in_get(in, "seats", &seats) || !fm_in_array(&seats, n_seats, n_seats, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in seat = fm_in_at(&seats, i);
        if (!fm_in_object(&seat, keys) || !fm_in_get(&seat, "name", &value) ||
            !fm_in_text(&value, FM_NAME_MAX, &text) || !fm_in_get(&seat, "bot", &value))
            return false;
        if (!json_is_null(value.json) && !fm_in_text(&value, FM_NAME_MAX, &text))
            return false;
    }
    return true;
}

/* The deck of the options must be the one of the hash. */
static bool read_deck(struct fm_playback *p, const struct fm_in *in)
{
    static const char *const keys[] = {"id", "hash", NULL};
    struct fm_in deck, value;
    const char *id;
    uint8_t hash[32];
    if (!fm_in_get(in, "deck", &deck) || !fm_in_object(&deck, keys) ||
        !fm_in_get(&deck, "id", &value) || !fm_in_text(&value, FM_DECK_ID - 1, &id) ||
        !read_hex(&deck, "hash", hash, sizeof hash))
        return false;
    if (strcmp(id, p->setup.deck.id) != 0)
        return fm_in_fail(&value, FM_E_RECORD, "the options name another deck");
    if (memcmp(hash, p->setup.deck.hash, sizeof hash) != 0)
        return fm_in_fail(&deck, FM_E_DECK, "the deck \"%s\" that is here has other cards", id);
    return true;
}

/* Up to 32 bytes in hex, or null. */
static bool read_entropy(const struct fm_in *in, uint8_t *out, uint8_t *n)
{
    const char *text;
    *n = 0;
    if (json_is_null(in->json))
        return true;
    if (!fm_in_text(in, (size_t)2 * FM_ENTROPY_BYTES, &text))
        return false;
    *n = (uint8_t)(strlen(text) / 2);
    return (*n > 0 && fm__unhex(out, *n, text) == 0) ||
           fm_in_fail(in, FM_E_VALUE, "up to %d bytes as lower-case hex digits are expected",
                      FM_ENTROPY_BYTES);
}

/* What the seats added to the deal; *there false: nothing could be added at this table. */
static bool read_fair(struct fm_fair *fair, const struct fm_in *in, unsigned n_seats, bool *there)
{
    struct fm_in value;
    size_t n;
    memset(fair, 0, sizeof *fair);
    *there = fm_in_has(in, "table", &value) || fm_in_has(in, "entropy", &value);
    if (!*there)
        return true;
    if (!read_hex(in, "table", fair->table, sizeof fair->table) ||
        !fm_in_get(in, "entropy", &value) || !fm_in_array(&value, n_seats, n_seats, &n))
        return false;
    for (size_t seat = 0; seat < n; seat++) {
        const struct fm_in one = fm_in_at(&value, seat);
        if (!read_entropy(&one, fair->entropy[seat], &fair->entropy_n[seat]))
            return false;
    }
    return true;
}

static bool read_version(const struct fm_in *in)
{
    struct fm_in value;
    int version;
    if (!fm_in_get(in, "fathom", &value) || !fm_in_int(&value, 0, INT32_MAX, &version))
        return false;
    return version == FM_RECORD_VERSION ||
           fm_in_refuse(&value, FM_E_RECORD_VERSION,
                        FM_VALUES({"version", version}, {"newest", FM_RECORD_VERSION}));
}

static bool read_head(struct fm_playback *p, const struct fm_in *in,
                      const struct fm_library *library)
{
    static const char *const keys[] = {"fathom", "game",       "rules", "options",
                                       "deck",   "commitment", "table", "entropy",
                                       "seats",  "created",    "sum",   NULL};
    struct fm_in value;
    bool is_fair;
    const char *text;
    uint8_t stated[32];
    if (!read_version(in) || !fm_in_object(in, keys) || !fm_in_get(in, "rules", &value))
        return false;
    if (fm_setup_parse(&p->setup, in->json, library, in->fault) != FM_OK)
        return false;
    if (!read_deck(p, in) || !read_seats(in, p->setup.n_seats) ||
        !read_fair(&p->fair, in, p->setup.n_seats, &is_fair) || !fm_in_get(in, "created", &value) ||
        !fm_in_text(&value, 40, &text) || !read_hex(in, "commitment", stated, sizeof stated))
        return false;
    if (is_fair)
        fm_fair_commitment(p->commitment, p->seed, p->fair.table, &p->setup);
    else
        fm_commitment(p->commitment, p->seed);
    p->has_commitment = true;
    if (memcmp(p->commitment, stated, sizeof stated) != 0)
        return fm_in_fail(in, FM_E_RECORD, "commitment: the seed of the last line does not fit it");
    p->stage = FM_AT_DEAL;
    if (is_fair)
        fm_fair_deal_seed(p->setup.seed, p->seed, &p->fair, p->setup.n_seats);
    else
        fm_deal_seed(p->setup.seed, p->seed);
    return true;
}

/* The seed is in the last line, but needed first. */
static enum fm_err read_seed(struct fm_playback *p, size_t last, struct fm_fault *fault)
{
    json_t *json = load_line(p, last, fault);
    if (json == NULL)
        return at_line(fault, p->last_line);
    const struct fm_in in = fm_in_root(json, "", fault);
    bool ok = json_object_get(json, "result") != NULL;
    if (!ok)
        fm_fail(fault, FM_E_RECORD, "the record ends without its result: it was cut");
    ok = ok && read_hex(&in, "seed", p->seed, sizeof p->seed);
    json_decref(json);
    return ok ? FM_OK : at_line(fault, p->last_line);
}

enum fm_err fm_playback_open(struct fm_playback *p, const char *text, size_t n,
                             const struct fm_library *library, struct fm_notes *notes,
                             struct fm_fault *fault)
{
    memset(p, 0, sizeof *p);
    p->text = text;
    p->n = n;
    if (n > FM_RECORD_MAX)
        return fm_fail(fault, FM_E_SIZE, "a record has at most %d bytes", FM_RECORD_MAX);
    size_t last = 0;
    enum fm_err err = check_sums(p, &last, fault);
    if (err == FM_OK)
        err = read_seed(p, last, fault);
    if (err != FM_OK)
        return err;
    p->stage = FM_AT_COMMITMENT;
    json_t *json = load_line(p, 0, fault);
    bool ok = json != NULL;
    if (ok) {
        const struct fm_in in = fm_in_root(json, "", fault);
        ok = read_head(p, &in, library);
        json_decref(json);
    }
    if (!ok)
        return at_line(fault, 1);
    if (notes != NULL)
        notes->len = 0;
    err = fm_init(p->state, &p->setup, notes);
    if (err != FM_OK) {
        fm_refuse(fault, p->setup.game, err);
        return at_line(fault, 1);
    }
    p->pos = (size_t)line_length(text, n, 0) + 1;
    p->line = 2;
    p->stage = FM_AT_MOVES;
    return FM_OK;
}

static bool read_event(const struct fm_playback *p, json_t *json, struct fm_event *ev,
                       struct fm_fault *fault)
{
    const struct fm_in in = fm_in_root(json, "", fault);
    uint8_t check[4];
    if (json_object_get(json, "result") != NULL)
        return fm_in_fail(&in, FM_E_RECORD, "the result stands before the last line");
    if (json_object_get(json, "t") == NULL)
        return fm_in_fail(&in, FM_E_KEY, "the key \"t\" is missing");
    if (!read_hex(&in, "state", check, sizeof check))
        return false;
    (void)json_object_del(json, "state");
    (void)json_object_del(json, "sum");
    if (fm_event_parse(p->setup.game, ev, json, fault) != FM_OK)
        return false;
    memcpy(&ev->check, check, sizeof ev->check);
    return true;
}

static bool check_result(const struct fm_playback *p, json_t *json, struct fm_fault *fault)
{
    static const char *const keys[] = {"result", "seed", "sum", NULL};
    const struct fm_in in = fm_in_root(json, "", fault);
    const struct fm_pub *pub = (const void *)p->state;
    if (!fm_in_object(&in, keys))
        return false;
    if (pub->status != FM_OVER)
        return fm_in_fail(&in, FM_E_RECORD, "the game is not over yet: moves are missing");
    char text[FM_RECORD_LINE];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    fm_put_result(&o, p->setup.game, p->state);
    json_t *result = fm_json_load(text, o.len, fault);
    fm_assert(result != NULL);
    const bool same = json_equal(result, json_object_get(json, "result"));
    json_decref(result);
    return same || fm_in_fail(&in, FM_E_DIVERGED, "result: the game ends otherwise");
}

enum fm_err fm_playback_next(struct fm_playback *p, struct fm_event *ev, struct fm_notes *notes,
                             struct fm_fault *fault)
{
    if (notes != NULL)
        notes->len = 0;
    json_t *json = load_line(p, p->pos, fault);
    if (json == NULL)
        return at_line(fault, p->line);
    enum fm_err err = FM_OK;
    p->stage = p->line < p->last_line ? FM_AT_MOVES : FM_AT_RESULT;
    if (p->line == p->last_line) {
        err = check_result(p, json, fault) ? FM_E_OVER : at_line(fault, p->line);
    } else if (!read_event(p, json, ev, fault)) {
        err = at_line(fault, p->line);
    } else {
        err = fm_apply(p->setup.game, p->state, ev, notes);
        if (err == FM_OK && fm_check(p->setup.game, p->state) != ev->check)
            err = FM_E_DIVERGED;
        if (err != FM_OK) {
            fm_refuse(fault, p->setup.game, err);
            /* over is also how the end of a record is told: here it is a move too many */
            if (err == FM_E_OVER)
                err = fm_fail(fault, FM_E_RECORD, "the game is over before this line");
            fault->line = p->line;
        }
    }
    json_decref(json);
    if (err == FM_OK) {
        p->pos += (size_t)line_length(p->text, p->n, p->pos) + 1;
        p->line++;
    }
    return err;
}
