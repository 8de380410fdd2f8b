/* checks.c: random play, refusals, round trips, replay. */
#include "play.h"

#include "base/json_in.h"

#include <fathom/record.h>

#include <stdlib.h>
#include <string.h>

static bool lists(const struct fm_game *g, const fm_action *legal, size_t n, fm_action a)
{
    if (g->open_verbs >> fm_verb(a) & 1) { /* listed once for all its actions */
        for (size_t i = 0; i < n; i++)
            if (fm_verb(legal[i]) == fm_verb(a))
                return true;
        return false;
    }
    for (size_t i = 0; i < n; i++)
        if (legal[i] == a)
            return true;
    return false;
}

/* ---- random play ----------------------------------------------------------------------------- */

static const char *check_masks(struct conform *c, const struct play *p)
{
    const struct fm_pub *pub = play_pub(p);
    const unsigned seats = (1u << pub->n_seats) - 1;
    if ((pub->may | pub->owes) & ~seats)
        return found(c, "event %zu: a seat that does not exist may act", p->n);
    if (pub->owes & ~pub->may)
        return found(c, "event %zu: a seat owes an action it may not do", p->n);
    if (pub->status == FM_OVER && (pub->may | pub->owes))
        return found(c, "event %zu: seats may act though the game is over", p->n);
    if (pub->status == FM_RUNNING && pub->owes == 0 && pub->deadline_ms == FM_NEVER)
        return found(c, "event %zu: the game waits for nobody and nothing", p->n);
    for (unsigned phase = 0; phase <= pub->phase; phase++)
        if (p->game->phases[phase] == NULL)
            return found(c, "event %zu: phase %d has no name", p->n, pub->phase);
    return NULL;
}

/* Of the seats that the game waits for, one at least has something to do. */
static const char *check_owing(struct conform *c, const struct play *p)
{
    const struct fm_pub *pub = play_pub(p);
    fm_action one;
    for (uint32_t m = pub->owes; m != 0; m &= m - 1)
        if (p->game->legal(play_view(p, __builtin_ctz(m)), &one, 1) > 0)
            return NULL;
    return pub->owes == 0 ? NULL : found(c, "event %zu: actions are owed, but none is legal", p->n);
}

/* Listed actions ascend and are accepted; the sample is listed. */
static const char *check_legal(struct conform *c, struct play *p, int seat)
{
    static fm_action legal[FM_LEGAL_MAX];
    static _Alignas(8) uint8_t copy[FM_STATE_MAX];
    const struct fm_pub *pub = play_pub(p);
    const struct fm_view v = play_view(p, seat);
    const size_t n = p->game->legal(v, legal, FM_LEGAL_MAX);
    const bool may = seat != FM_WATCHER && (pub->may >> seat & 1);
    if (n > FM_LEGAL_MAX)
        return found(c, "event %zu, seat %d: %zu legal actions do not fit", p->n, seat, n);
    if (p->game->legal(v, NULL, 0) != n)
        return found(c, "event %zu, seat %d: without room another number is legal", p->n, seat);
    if (!may && (n > 0 || p->game->sample(v, &p->rng) != 0))
        return found(c, "event %zu, seat %d: may do nothing, but something is legal", p->n, seat);
    if (n == 0 && p->game->sample(v, &p->rng) != 0)
        return found(c, "event %zu, seat %d: nothing is listed, but something sampled", p->n, seat);
    const struct fm_secret *secret = (const void *)(p->state + p->game->secret_off);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && legal[i] <= legal[i - 1])
            return found(c, "event %zu, seat %d: the list does not ascend", p->n, seat);
        const struct fm_event ev = {
            .t_ms = secret->now_ms, .seat = (uint8_t)seat, .action = legal[i]};
        memcpy(copy, p->state, p->game->state_size);
        const enum fm_err err = fm_apply(p->game, copy, &ev, NULL);
        if (err != FM_OK)
            return found(c, "event %zu, seat %d: listed action %zu is refused: %s", p->n, seat, i,
                         fm_err_code(err));
    }
    const fm_action sample = p->game->sample(v, &p->rng);
    if (n > 0 && !lists(p->game, legal, n, sample) && sample != 0)
        return found(c, "event %zu, seat %d: the sample is not listed", p->n, seat);
    return NULL;
}

static const char *check_end(struct conform *c, struct play *p)
{
    struct fm_outcome outcome;
    p->game->outcome(p->state, &outcome);
    if (outcome.winners >> play_pub(p)->n_seats)
        return found(c, "a seat won that does not exist");
    for (unsigned reason = 0; reason <= outcome.reason; reason++)
        if (p->game->reasons[reason] == NULL)
            return found(c, "the reason of the end has no name");
    p->ev.t_ms++;
    if (fm_apply(p->game, p->state, &p->ev, NULL) != FM_E_OVER)
        return found(c, "an action is taken after the end");
    return NULL;
}

const char *conform_random_play(struct conform *c)
{
    static struct play p;
    for (unsigned i = 0; i < c->matches; i++) {
        const char *wrong = play_start(&p, c, i) ? NULL : found(c, "match %u cannot start", i);
        while (wrong == NULL && !play_over(&p)) {
            wrong = check_masks(c, &p);
            if (wrong == NULL)
                wrong = check_owing(c, &p);
            /* listing everything everywhere is slow: a few matches are enough */
            for (int seat = FM_WATCHER; i < 40 && wrong == NULL && seat < c->setup.n_seats; seat++)
                wrong = check_legal(c, &p, seat);
            if (wrong == NULL && !play_step(&p))
                wrong = found(c, "match %u stops at event %zu", i, p.n);
        }
        if (wrong == NULL)
            wrong = check_masks(c, &p);
        if (wrong == NULL)
            wrong = check_end(c, &p);
        if (wrong != NULL)
            return wrong;
    }
    return NULL;
}

/* ---- refusals -------------------------------------------------------------------------------- */

static const char *try_garbage(struct conform *c, struct play *p)
{
    static _Alignas(8) uint8_t copy[FM_STATE_MAX];
    static fm_action legal[FM_LEGAL_MAX];
    const struct fm_pub *pub = play_pub(p);
    const struct fm_secret *secret = (const void *)(p->state + p->game->secret_off);
    const unsigned seat = fm_rng_below(&p->rng, pub->n_seats + 1u);
    const bool known = seat < pub->n_seats;
    struct fm_event ev = {.t_ms = secret->now_ms,
                          .seat = (uint8_t)(known ? seat : 100 + fm_rng_below(&p->rng, 156)),
                          .action = play_garbage(p, known ? (int)seat : FM_WATCHER)};
    if (ev.t_ms > 0 && fm_rng_below(&p->rng, 10) == 0)
        ev.t_ms--;
    memcpy(copy, p->state, p->game->state_size);
    const enum fm_err err = fm_apply(p->game, copy, &ev, NULL);
    if (err != FM_OK) {
        if (memcmp(copy, p->state, p->game->state_size) != 0)
            return found(c, "event %zu: %s, and yet the state has changed", p->n, fm_err_code(err));
        return NULL;
    }
    if (ev.t_ms < secret->now_ms)
        return found(c, "event %zu: an event of the past is taken", p->n);
    if (ev.seat == FM_TABLE)
        return NULL;
    if (!known)
        return found(c, "event %zu: a seat that does not exist acts", p->n);
    const size_t n = p->game->legal(play_view(p, (int)seat), legal, FM_LEGAL_MAX);
    if (!lists(p->game, legal, n, ev.action))
        return found(c, "event %zu: action %llx of seat %u is taken, but not listed", p->n,
                     (unsigned long long)ev.action, seat);
    return NULL;
}

const char *conform_refusals(struct conform *c)
{
    static struct play p;
    for (unsigned i = 0; i < c->matches / 4 + 1; i++) {
        if (!play_start(&p, c, i))
            return found(c, "match %u cannot start", i);
        do {
            for (int k = 0; k < 12; k++) {
                const char *wrong = try_garbage(c, &p);
                if (wrong != NULL)
                    return wrong;
            }
        } while (!play_over(&p) && play_step(&p));
        if (!play_over(&p))
            return found(c, "match %u stops at event %zu", i, p.n);
    }
    return NULL;
}

/* ---- round trips ----------------------------------------------------------------------------- */

#define TRIED_BITS 16

static fm_action
    tried[1 << TRIED_BITS]; /* actions of this table; the last of those that share a slot */

static bool first_time(fm_action a)
{
    fm_action *slot = &tried[a * 0x9e3779b97f4a7c15u >> (64 - TRIED_BITS)];
    const bool first = *slot != a;
    *slot = a;
    return first;
}

/* Depends on the action alone: once for a table is enough. */
static const char *round_trip(struct conform *c, const struct fm_game *g, fm_action a)
{
    if (!first_time(a))
        return NULL;
    char text[1024];
    struct fm_out o;
    struct fm_fault fault;
    struct fm_event ev = {.seat = 1, .action = a}, back = {0};
    fm_action again = 0;
    fm_out_init(&o, text, sizeof text);
    fm_put_event(&o, g, &ev);
    json_t *json = fm_json_load(text, o.len, &fault);
    if (json == NULL)
        return found(c, "%s is not JSON: %s", text, fault.text);
    const enum fm_err err = fm_event_parse(g, &back, json, &fault);
    json_decref(json);
    if (err != FM_OK)
        return found(c, "%s cannot be read back: %s", text, fault.text);
    if (back.action != a || back.seat != 1)
        return found(c, "%s is read as another action", text);
    fm_out_init(&o, text, sizeof text);
    fm_put_action_text(&o, g, a);
    if (fm_action_parse_text(g, &again, text, &fault) != FM_OK)
        return found(c, "\"%s\" cannot be read back: %s", text, fault.text);
    return again == a ? NULL : found(c, "\"%s\" is read as another action", text);
}

/* The view is strict JSON and lists what is legal. */
static const char *check_view_json(struct conform *c, const struct play *p, int seat)
{
    static char text[FM_JSON_MAX];
    struct fm_out o;
    struct fm_fault fault;
    fm_out_init(&o, text, sizeof text);
    fm_put_view(&o, play_view(p, seat));
    json_t *json = fm_out_ok(&o) ? fm_json_load(text, o.len, &fault) : NULL;
    if (json == NULL)
        return found(c, "event %zu, seat %d: the view is not JSON", p->n, seat);
    const bool complete = json_is_integer(json_object_get(json, "seq")) &&
                          json_is_string(json_object_get(json, "phase")) &&
                          json_is_array(json_object_get(json, "legal")) == (seat != FM_WATCHER) &&
                          (json_object_get(json, "result") != NULL) == play_over(p);
    json_decref(json);
    return complete ? NULL : found(c, "event %zu, seat %d: the view lacks a key", p->n, seat);
}

static const char *check_state_json(struct conform *c, const struct play *p)
{
    static char text[FM_JSON_MAX];
    struct fm_out o;
    struct fm_fault fault;
    fm_out_init(&o, text, sizeof text);
    fm_js_array(&o);
    fm_put_state(&o, p->game, p->state);
    fm_put_notes(&o, play_view(p, FM_WATCHER), &p->notes, true);
    fm_js_end_array(&o);
    json_t *json = fm_out_ok(&o) ? fm_json_load(text, o.len, &fault) : NULL;
    json_decref(json);
    return json ? NULL : found(c, "event %zu: state or notes are not JSON", p->n);
}

#define SENTENCE 160 /* bytes that `fathom sim --watch` has for one */

/* A board is whole lines, and every note is one line of words. */
static const char *check_words(struct conform *c, const struct play *p, int seat)
{
    const struct fm_wire *wire = p->game->wire;
    const struct fm_view v = play_view(p, seat);
    char text[16384];
    struct fm_out o;
    if (wire->put_board == NULL)
        return NULL; /* the toy has none */
    fm_out_init(&o, text, sizeof text);
    wire->put_board(&o, v);
    if (!fm_out_ok(&o) || o.len == 0 || text[o.len - 1] != '\n')
        return found(c, "event %zu, seat %d: the board is no whole lines", p->n, seat);
    for (size_t i = 0; i < p->notes.len; i++) {
        struct fm_note note = p->notes.item[i];
        if (!fm_note_cut(&note, seat))
            continue;
        fm_out_init(&o, text, SENTENCE);
        wire->put_sentence(&o, v, &note);
        if (!fm_out_ok(&o) || o.len == 0)
            return found(c, "event %zu, seat %d: note %u has no sentence", p->n, seat, note.kind);
        for (size_t k = 0; k < o.len; k++)
            if ((unsigned char)text[k] < ' ')
                return found(c, "event %zu, seat %d: \"%s\" is not one line", p->n, seat, text);
    }
    return NULL;
}

const char *conform_round_trips(struct conform *c)
{
    static struct play p;
    static fm_action legal[FM_LEGAL_MAX];
    memset(tried, 0, sizeof tried);
    for (unsigned i = 0; i < c->matches / 100 + 2; i++) {
        if (!play_start(&p, c, i))
            return found(c, "match %u cannot start", i);
        for (bool on = true; on; on = !play_over(&p) && play_step(&p)) {
            const char *wrong = check_state_json(c, &p);
            for (int seat = FM_WATCHER; wrong == NULL && seat < c->setup.n_seats; seat++) {
                wrong = check_view_json(c, &p, seat);
                if (wrong == NULL)
                    wrong = check_words(c, &p, seat);
                const size_t n = p.game->legal(play_view(&p, seat), legal, FM_LEGAL_MAX);
                for (size_t k = 0; wrong == NULL && k < n; k++)
                    wrong = round_trip(c, p.game, legal[k]);
                const fm_action sample = p.game->sample(play_view(&p, seat), &p.rng);
                if (wrong == NULL && sample != 0)
                    wrong = round_trip(c, p.game, sample);
            }
            if (wrong != NULL)
                return wrong;
        }
    }
    return NULL;
}

/* ---- replay ---------------------------------------------------------------------------------- */

static const char *replay_record(struct conform *c, const struct play *p, const struct fm_out *o)
{
    static struct fm_playback playback;
    struct fm_fault fault;
    struct fm_event ev;
    enum fm_err err = fm_playback_open(&playback, o->buf, o->len, NULL, NULL, &fault);
    while (err == FM_OK)
        err = fm_playback_next(&playback, &ev, NULL, &fault);
    if (err != FM_E_OVER)
        return found(c, "line %d of the record: %s", fault.line, fault.text);
    if (memcmp(playback.state, p->state, p->game->state_size) != 0)
        return found(c, "the record ends in other bytes");
    return NULL;
}

const char *conform_replay(struct conform *c)
{
    static struct play p;
    static struct fm_event log[MAX_EVENTS];
    static char text[0x200000];
    static _Alignas(8) uint8_t again[FM_STATE_MAX];
    const bool recordable = !c->setup.has_position && fm_game_find(c->setup.game->id) != NULL;
    for (unsigned i = 0; i < c->matches / 20 + 2; i++) {
        const uint8_t seed[FM_SEED_BYTES] = {(uint8_t)i, 7};
        const struct fm_record_seat seats[FM_MAX_SEATS] = {
            {"Ana", NULL}, {"Bo", NULL}, {"Ci", NULL},   {"Dé", "x"},
            {"E", NULL},   {"F", NULL},  {"G", "random"}};
        struct fm_recorder recorder;
        struct fm_out o;
        size_t bad;
        struct fm_setup setup = c->setup;
        fm_deal_seed(setup.seed, seed);
        p.game = setup.game;
        p.n = 0;
        fm_rng_init(&p.rng, seed, 5);
        if (fm_init(p.state, &setup, NULL) != FM_OK)
            return found(c, "match %u cannot start", i);
        fm_out_init(&o, text, sizeof text);
        fm_record_begin(&recorder, &o, &setup, seed, NULL, seats, "2026-01-01T00:00:00Z");
        while (!play_over(&p)) {
            if (!play_step(&p))
                return found(c, "match %u stops at event %zu", i, p.n);
            p.ev.check = fm_check(p.game, p.state);
            log[p.n - 1] = p.ev;
            fm_record_event(&recorder, &o, &p.ev, p.state);
        }
        fm_record_end(&recorder, &o, p.state);
        const enum fm_err err = fm_replay(again, &setup, log, p.n, &bad);
        if (err != FM_OK)
            return found(c, "event %zu is not replayed: %s", bad, fm_err_text(err));
        if (memcmp(again, p.state, p.game->state_size) != 0)
            return found(c, "the replay ends in other bytes");
        const char *wrong = recordable ? replay_record(c, &p, &o) : NULL;
        if (wrong != NULL)
            return wrong;
    }
    return NULL;
}
