/*
 * fuzz_action.c: actions from outside, applied to a running match.
 *
 * The first byte picks the game, the second the table; then lines follow:
 *
 *     {"seat":0,"do":…}    an event as JSON
 *     0 place card=2 …     a seat, then an action as text
 *     ?x                   any legal move, drawn by the byte: to get further into the match
 *
 * What is refused must leave every byte as it was; what is accepted must survive the way through
 * JSON and through text.
 */
#include "fuzz.h"

#include "base/json_in.h"
#include "base/panic.h"

#include <string.h>

#define LINE_MAX 2048

struct match {
    const struct fm_game *g;
    _Alignas(8) uint8_t state[FM_STATE_MAX];
};

static uint32_t now(const struct match *m)
{
    return ((const struct fm_secret *)(const void *)(m->state + m->g->secret_off))->now_ms;
}

static bool read_json(const struct match *m, const char *line, size_t n, struct fm_event *ev)
{
    struct fm_fault fault;
    json_t *json = fm_json_load(line, n, &fault);
    if (json == NULL)
        return false;
    const enum fm_err err = fm_event_parse(m->g, ev, json, &fault);
    json_decref(json);
    fm_assert(err == FM_OK || (fault.code == err && fault.text[0] != '\0'));
    return err == FM_OK;
}

static bool read_text(const struct match *m, const char *line, struct fm_event *ev)
{
    struct fm_fault fault;
    ev->seat = (uint8_t)(line[0] - '0');
    const enum fm_err err = fm_action_parse_text(m->g, &ev->action, line + 1, &fault);
    fm_assert(err == FM_OK || (fault.code == err && fault.text[0] != '\0'));
    return err == FM_OK;
}

static bool draw(const struct match *m, uint8_t pick, struct fm_event *ev)
{
    const struct fm_pub *pub = (const void *)m->state;
    struct fm_rng rng;
    if (pub->status != FM_RUNNING || pub->owes == 0)
        return false;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){pick}, 0);
    for (unsigned owes = pub->owes; ev->action == 0; owes &= owes - 1) {
        fm_assert(owes != 0); /* who chose in secret has nothing to do, but another has */
        ev->seat = (uint8_t)__builtin_ctz(owes);
        ev->action = m->g->sample(fm_view_of(m->g, m->state, ev->seat), &rng);
    }
    return true;
}

/* An action that a match accepted says the same as JSON and as text. */
static void check_round_trips(const struct match *m, const struct fm_event *ev)
{
    char text[LINE_MAX];
    struct fm_out o;
    struct fm_fault fault;
    struct fm_event again = {.t_ms = ev->t_ms};
    fm_out_init(&o, text, sizeof text);
    fm_put_event(&o, m->g, ev);
    json_t *json = fuzz_parse(&o);
    fm_assert(fm_event_parse(m->g, &again, json, &fault) == FM_OK);
    json_decref(json);
    fm_assert(again.action == ev->action && again.seat == ev->seat && again.t_ms == ev->t_ms);

    fm_action action = 0;
    fm_out_init(&o, text, sizeof text);
    fm_put_action_text(&o, m->g, ev->action);
    fm_assert(fm_out_ok(&o));
    fm_assert(fm_action_parse_text(m->g, &action, text, &fault) == FM_OK);
    fm_assert(action == ev->action);
}

static void act(struct match *m, const char *line, size_t n)
{
    static uint8_t before[FM_STATE_MAX];
    static struct fm_notes notes;
    struct fm_event ev = {.t_ms = now(m)};
    const bool drawn = n == 2 && line[0] == '?';
    const bool read = drawn            ? draw(m, (uint8_t)line[1], &ev)
                      : line[0] == '{' ? read_json(m, line, n, &ev)
                                       : n > 0 && read_text(m, line, &ev);
    if (!read)
        return;
    notes.len = 0;
    memcpy(before, m->state, sizeof before);
    const enum fm_err err = fm_apply(m->g, m->state, &ev, &notes);
    if (err == FM_OK) {
        check_round_trips(m, &ev);
        return;
    }
    fm_assert(!drawn);
    fm_assert(memcmp(before, m->state, sizeof before) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static struct match m;
    static struct fm_setup setup;
    char line[LINE_MAX];
    if (n < 2)
        return 0;
    m.g = fuzz_game(data[0]);
    fuzz_setup(&setup, m.g, fuzz_library(), data[1]);
    fm_assert(fm_init(m.state, &setup, NULL) == FM_OK);
    for (size_t pos = 2; pos < n;) {
        const uint8_t *end = memchr(data + pos, '\n', n - pos);
        const size_t length = end ? (size_t)(end - (data + pos)) : n - pos;
        const size_t used = length < sizeof line ? length : sizeof line - 1;
        memcpy(line, data + pos, used);
        line[used] = '\0';
        act(&m, line, used);
        pos += length + 1;
    }
    fuzz_check_views(m.g, m.state);
    return 0;
}
