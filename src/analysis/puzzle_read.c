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
    return fm__study_of(game_of(r)) != NULL ||
           fm_in_fail(&record, FM_E_GAME, "games of %s cannot be analysed", game_of(r)->title);
}

/* ---- the decision ---------------------------------------------------------------------------- */

static bool read_action(const struct reader *r, const struct fm_in *in, const char *key,
                        fm_action *action, struct fm_in *value)
{
    return fm_in_get(in, key, value) &&
           game_of(r)->wire->parse_action(action, value->json, value->fault) == FM_OK;
}

/* May the seat do this? */
static bool is_legal(const struct reader *r, const struct fm_in *in, struct fm_event *ev)
{
    const struct fm_game *g = game_of(r);
    const struct fm_secret *secret = (const void *)(r->playback->state + g->secret_off);
    _Alignas(8) uint8_t trial[FM_STATE_MAX];
    ev->t_ms = secret->now_ms;
    memcpy(trial, r->playback->state, g->state_size);
    const enum fm_err err = fm_apply(g, trial, ev, NULL);
    return err == FM_OK || fm_in_fail(in, err, "%s", fm_err_text(err));
}

/* The best action must be legal: it will be tried in dealt worlds. */
static bool read_best(const struct reader *r)
{
    struct decision *d = &r->p->decision;
    unsigned seat, step;
    struct fm_in value;
    struct fm_event ev = {0};
    if (!read_int(r, "seat", 0, r->playback->setup.n_seats - 1, &seat) ||
        !read_int(r, "step", r->playback->last_line - 1, r->playback->last_line - 1, &step) ||
        !read_action(r, &r->root, "best", &ev.action, &value))
        return false;
    ev.seat = (uint8_t)seat;
    if (!is_legal(r, &value, &ev))
        return false;
    if (!fm__decision_note(d, game_of(r), r->playback->state, &ev))
        return fm_in_fail(&value, FM_E_VALUE, "seat %u has no choice here", seat);
    d->step = step;
    d->scene = &r->p->scene;
    return true;
}

/* ---- what was seen --------------------------------------------------------------------------- */

static bool read_level(const struct fm_in *in, uint32_t chance[FM_EYES_KINDS])
{
    size_t n;
    double value;
    uint32_t sum = 0;
    if (!fm_in_array(in, FM_EYES_KINDS, FM_EYES_KINDS, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(in, i);
        if (!fm_in_real(&one, 0, 1, &value))
            return false;
        chance[i] = (uint32_t)(value * FM__SCENE_ONE + 0.5);
        sum += chance[i];
    }
    return sum == FM__SCENE_ONE || fm_in_fail(in, FM_E_VALUE, "these chances do not make 1");
}

/* What was seen on each level that the seat could look at. */
static bool read_belief(const struct reader *r)
{
    const struct fm_game *g = game_of(r);
    struct fm__scene *scene = &r->p->scene;
    struct fm_sight sight = {0};
    struct fm_fault fault;
    struct fm_rng rng;
    struct fm_in list;
    size_t n;
    if (fm__study_of(g)->worlds == NULL)
        return true;
    if (fm_eyes_named(&r->memory->eyes, PUZZLE_EYES, &fault) != FM_OK)
        return fm_in_fail(&r->root, fault.code, "%s", fault.text);
    scene->eyes = &r->memory->eyes;
    fm_rng_init(&rng, r->playback->setup.seed, 0);
    g->look(r->playback->state, scene->eyes, &rng, &sight);
    if (!fm_in_get(&r->root, "belief", &list) ||
        !fm_in_array(&list, sight.levels, sight.levels, &n))
        return false;
    scene->average.levels = sight.levels;
    for (size_t i = 0; i < n; i++) {
        const struct fm_in one = fm_in_at(&list, i);
        if (!read_level(&one, scene->average.chance[i]))
            return false;
    }
    return true;
}

/* ---- candidates ------------------------------------------------------------------------------ */

static bool read_chance(const struct fm_in *in, const char *key, int64_t *out)
{
    struct fm_in value;
    double chance;
    if (!fm_in_get(in, key, &value) || !fm_in_real(&value, 0, 1, &chance))
        return false;
    *out = (int64_t)(chance * STUDY_ONE + 0.5);
    return true;
}

/* Where a game has worlds of its own, it lists candidates only when it weighs them: those of the
 * file are taken if they are legal and all different choices. */
static bool add_candidate(const struct reader *r, const struct fm_in *in, fm_action action)
{
    struct decision *d = &r->p->decision;
    struct fm_event ev = {.seat = (uint8_t)d->seat, .action = action};
    for (size_t i = 0; i < d->n; i++)
        if (fm__study_alike(fm__decision_view(d), d->candidate[i].action, action))
            return fm_in_fail(in, FM_E_VALUE, "this is the same choice as another");
    if ((d->n == 0) != (action == d->played))
        return fm_in_fail(in, FM_E_VALUE, "the best comes first");
    if (!is_legal(r, in, &ev))
        return false;
    if (!fm__study_of(d->game)->decides(action))
        return fm_in_fail(in, FM_E_VALUE, "this is no decision");
    d->candidate[d->n++] = (struct study_value){.action = action};
    d->chosen = true;
    return true;
}

/* The gain that is expected of an action, in a game with worlds of its own. */
static bool read_gain(const struct reader *r, const struct fm_in *in, int64_t *out)
{
    const struct study_worlds *own = fm__study_of(game_of(r))->worlds;
    struct fm_in value;
    double gain;
    if (own == NULL)
        return true;
    if (!fm_in_get(in, own->gain, &value) || !fm_in_real(&value, -1000, 1000, &gain))
        return false;
    *out = (int64_t)(gain * STUDY_ONE + (gain < 0 ? -0.5 : 0.5));
    return true;
}

static bool read_candidate(const struct reader *r, const struct fm_in *in)
{
    const struct study_worlds *own = fm__study_of(game_of(r))->worlds;
    const char *const keys[] = {"action", "value", "se", own != NULL ? own->gain : NULL, NULL};
    struct decision *d = &r->p->decision;
    struct fm_in value;
    fm_action action;
    if (!fm_in_object(in, keys) || !read_action(r, in, "action", &action, &value) ||
        (own != NULL && !add_candidate(r, &value, action)))
        return false;
    for (size_t i = 0; i < d->n; i++)
        if (d->candidate[i].action == action)
            return read_chance(in, "value", &d->candidate[i].value) &&
                   read_chance(in, "se", &d->candidate[i].error) &&
                   read_gain(r, in, &d->candidate[i].gain);
    return fm_in_fail(&value, FM_E_VALUE, "this is not a candidate here");
}

/* They must be those that the bots list, each with its value. If one is named twice, another is
 * missing: that shows when the puzzle is written again. */
static bool read_candidates(const struct reader *r)
{
    struct decision *d = &r->p->decision;
    const bool listed = fm__study_is_blind(d->game);
    struct fm_in list, value;
    size_t n;
    if (!fm_in_get(&r->root, "exact", &value) || !fm_in_bool(&value, &d->exact) ||
        !fm_in_get(&r->root, "candidates", &list) ||
        !fm_in_array(&list, listed ? d->n : 2, listed ? d->n : STUDY_CANDIDATES, &n))
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

/* All that follows from the rest, and the layout, must be as we would write it. */
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
    static const char *const keys[] = {
        "fathom",  "game", "step",       "seat",  "best",       "second", "margin", "tries",
        "glances", "bots", "difficulty", "exact", "candidates", "belief", "record", NULL};
    unsigned version;
    return fm_in_object(&r->root, keys) &&
           read_int(r, "fathom", FM_RECORD_VERSION, FM_RECORD_VERSION, &version) &&
           read_record(r) && read_best(r) && read_belief(r) && read_candidates(r) &&
           read_finders(r);
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
