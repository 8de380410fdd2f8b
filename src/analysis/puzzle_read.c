/* puzzle_read.c: a puzzle from a file, which anybody may have written. */
#include "analysis/puzzle.h"

#include "base/json_in.h"

#include <string.h>

struct reader {
    struct puzzle *p;
    struct fm_in root;
    struct puzzle_memory *memory;
    struct fm_playback *playback; /* the memory's */
};

static const struct fm_game *game_of(const struct reader *r)
{
    return r->playback->setup.game;
}

static bool read_int(const struct reader *r, const char *key, int min, int max, unsigned *out)
{
    struct fm_in value;
    int number;
    if (!fm_in_get(&r->root, key, &value) || !fm_in_int(&value, min, max, &number))
        return false;
    *out = (unsigned)number;
    return true;
}

/* ---- the position ---------------------------------------------------------------------------- */

/* Joins its lines. */
static bool join_record(const struct reader *r, const struct fm_in *record)
{
    struct fm_out o;
    size_t n;
    const char *line;
    if (!fm_in_array(record, 2, FM_EVENTS_MAX + 2, &n))
        return false;
    fm_out_init(&o, r->memory->record, sizeof r->memory->record);
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(record, i);
        if (!fm_in_text(&one, FM_RECORD_LINE, &line))
            return false;
        fm_put(&o, line);
        fm_put(&o, "\n");
    }
    return fm_out_ok(&o) || fm_in_fail(record, FM_E_SIZE, "this is too long");
}

static enum fm_err play(const struct reader *r, struct fm_fault *fault)
{
    struct fm_playback *p = r->playback;
    const char *text = r->memory->record;
    struct fm_event ev;
    enum fm_err err = fm_playback_open(p, text, strlen(text), r->memory->library, NULL, fault);
    while (err == FM_OK && p->line < p->last_line)
        err = fm_playback_next(p, &ev, NULL, fault);
    return err;
}

/* Plays the record up to its last line, which has the seed and no result. */
static bool read_record(const struct reader *r)
{
    struct fm_in record;
    struct fm_fault fault = {.action = -1};
    if (!fm_in_get(&r->root, "record", &record) || !join_record(r, &record))
        return false;
    const enum fm_err err = play(r, &fault);
    if (err != FM_OK)
        return fm_in_fail(&record, err, "line %d: %s", fault.line, fault.text);
    if (((const struct fm_pub *)(const void *)r->playback->state)->status == FM_OVER)
        return fm_in_fail(&record, FM_E_OVER, "the game is over before the decision");
    return fm__study_is_blind(game_of(r)) ||
           fm_in_fail(&record, FM_E_GAME, "games of %s cannot be analysed", game_of(r)->title);
}

/* ---- the decision ---------------------------------------------------------------------------- */

static bool read_action(const struct reader *r, const struct fm_in *in, const char *key,
                        fm_action *action, struct fm_in *value)
{
    return fm_in_get(in, key, value) &&
           game_of(r)->wire->parse_action(action, value->json, value->fault) == FM_OK;
}

/* The best action must be legal: it will be tried in dealt worlds. */
static bool read_best(const struct reader *r)
{
    struct decision *d = &r->p->decision;
    const struct fm_game *g = game_of(r);
    const struct fm_secret *secret = (const void *)(r->playback->state + g->secret_off);
    _Alignas(8) uint8_t trial[FM_STATE_MAX];
    unsigned seat, step;
    struct fm_in value;
    struct fm_event ev = {.t_ms = secret->now_ms};
    if (!read_int(r, "seat", 0, r->playback->setup.n_seats - 1, &seat) ||
        !read_int(r, "step", r->playback->last_line - 1, r->playback->last_line - 1, &step) ||
        !read_action(r, &r->root, "best", &ev.action, &value))
        return false;
    ev.seat = (uint8_t)seat;
    memcpy(trial, r->playback->state, g->state_size);
    const enum fm_err err = fm_apply(g, trial, &ev, NULL);
    if (err != FM_OK)
        return fm_in_fail(&value, err, "%s", fm_err_text(err));
    if (!fm__decision_note(d, g, r->playback->state, &ev))
        return fm_in_fail(&value, FM_E_VALUE, "seat %u has no choice here", seat);
    d->step = step;
    return true;
}

static bool read_chance(const struct fm_in *in, const char *key, int64_t *out)
{
    struct fm_in value;
    double chance;
    if (!fm_in_get(in, key, &value) || !fm_in_real(&value, 0, 1, &chance))
        return false;
    *out = (int64_t)(chance * STUDY_ONE + 0.5);
    return true;
}

static bool read_candidate(const struct reader *r, const struct fm_in *in)
{
    static const char *const keys[] = {"action", "value", "se", NULL};
    struct decision *d = &r->p->decision;
    struct fm_in value;
    fm_action action;
    if (!fm_in_object(in, keys) || !read_action(r, in, "action", &action, &value))
        return false;
    for (size_t i = 0; i < d->n; i++)
        if (d->candidate[i].action == action)
            return read_chance(in, "value", &d->candidate[i].value) &&
                   read_chance(in, "se", &d->candidate[i].error);
    return fm_in_fail(&value, FM_E_VALUE, "this is not a candidate here");
}

/* The same as the bots list, each with its value; one that is named twice leaves out another, and
 * is found when the puzzle is written again. */
static bool read_candidates(const struct reader *r)
{
    struct decision *d = &r->p->decision;
    struct fm_in list, value;
    size_t n;
    if (!fm_in_get(&r->root, "exact", &value) || !fm_in_bool(&value, &d->exact) ||
        !fm_in_get(&r->root, "candidates", &list) || !fm_in_array(&list, d->n, d->n, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(&list, i);
        if (!read_candidate(r, &one))
            return false;
    }
    if (fm__puzzle_margin(d) < PUZZLE_MARGIN)
        return fm_in_fail(&list, FM_E_VALUE, "the best leads by less than 0.15");
    return true;
}

/* ---- who finds it ---------------------------------------------------------------------------- */

static bool read_bot(const struct reader *r, const struct fm_in *in, struct puzzle_bot *out)
{
    static const char *const keys[] = {"bot", "found", NULL};
    struct fm_in value;
    const char *id;
    int found;
    if (!fm_in_object(in, keys) || !fm_in_get(in, "bot", &value) ||
        !fm_in_text(&value, FM_NAME_MAX, &id))
        return false;
    out->bot = fm_bot_find(game_of(r), id);
    if (out->bot == NULL)
        return fm_in_fail(&value, FM_E_VALUE, "there is no such bot for %s", game_of(r)->title);
    if (!fm_in_get(in, "found", &value) || !fm_in_int(&value, 0, PUZZLE_TRIES, &found))
        return false;
    out->found = (unsigned)found;
    return true;
}

static bool read_finders(const struct reader *r)
{
    struct puzzle *p = r->p;
    struct fm_in list;
    unsigned tries;
    if (!read_int(r, "tries", PUZZLE_TRIES, PUZZLE_TRIES, &tries) ||
        !read_int(r, "glances", 0, PUZZLE_TRIES / 2 - 1, &p->glances) ||
        !fm_in_get(&r->root, "bots", &list) || !fm_in_array(&list, 1, PUZZLE_BOTS, &p->n_bots))
        return false;
    for (size_t i = 0; i < p->n_bots; i++) {
        const struct fm_in one = fm_in_at(&list, i);
        if (!read_bot(r, &one, &p->bot[i]))
            return false;
    }
    return fm__puzzle_difficulty(p) >= PUZZLE_EASIEST ||
           fm_in_fail(&list, FM_E_VALUE, "the bots find this too easily");
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Whatever follows from the rest, and how it is written, must be as we would write it. */
static bool is_ours(const struct reader *r, const char *text, size_t n)
{
    struct fm_out o;
    fm_out_init(&o, r->memory->text, sizeof r->memory->text);
    fm__put_puzzle(&o, r->p, r->memory->record);
    return (fm_out_ok(&o) && o.len == n && memcmp(o.buf, text, n) == 0) ||
           fm_in_fail(&r->root, FM_E_VALUE, "this is not as `fathom puzzles` would write it");
}

static bool read_root(struct reader *r)
{
    static const char *const keys[] = {"fathom",     "game",   "step",       "seat",    "best",
                                       "second",     "margin", "tries",      "glances", "bots",
                                       "difficulty", "exact",  "candidates", "record",  NULL};
    unsigned version;
    return fm_in_object(&r->root, keys) &&
           read_int(r, "fathom", FM_RECORD_VERSION, FM_RECORD_VERSION, &version) &&
           read_record(r) && read_best(r) && read_candidates(r) && read_finders(r);
}

enum fm_err fm__puzzle_read(struct puzzle *p, const char *text, size_t n,
                            struct puzzle_memory *memory, struct fm_fault *fault)
{
    if (n >= PUZZLE_TEXT)
        return fm_fail(fault, FM_E_SIZE, "a puzzle has less than %d bytes", PUZZLE_TEXT);
    json_t *json = fm_json_load(text, n, fault);
    if (json == NULL)
        return fault->code;
    struct reader r = {p, fm_in_root(json, "", fault), memory, &memory->playback};
    memset(p, 0, sizeof *p);
    const bool fine = read_root(&r) && is_ours(&r, text, n);
    json_decref(json);
    return fine ? FM_OK : fault->code;
}
