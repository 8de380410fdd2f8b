/* verdict.c: checks a record: that it is consistent, and that it is the game that was played. */
#include "core/verdict.h"

#include <string.h>

#define FINE (FM_AT_RESULT + 1)

/* A line cannot be parsed: the step that would have read it. */
static enum fm_stage stage_of_line(int line, const char *text, size_t n)
{
    int lines = n > 0 && text[n - 1] != '\n';
    for (size_t i = 0; i < n; i++)
        lines += text[i] == '\n';
    return line <= 1 ? FM_AT_COMMITMENT : line < lines ? FM_AT_MOVES : FM_AT_RESULT;
}

static bool same_event(const struct fm_event *a, const struct fm_event *b)
{
    return a->t_ms == b->t_ms && a->seat == b->seat && a->action == b->action;
}

void fm__judge(struct fm__verdict *v, const struct fm__played *played, const char *text, size_t n,
               const struct fm_library *library)
{
    struct fm_playback *p = &v->playback;
    struct fm_event ev = {0};
    enum fm_err err = fm_playback_open(p, text, n, library, NULL, &v->fault);
    /* the record is consistent; is it the one of this table? */
    if (err == FM_OK && played->commitment != NULL &&
        memcmp(p->commitment, played->commitment, sizeof p->commitment) != 0) {
        p->stage = FM_AT_COMMITMENT;
        p->line = 1;
        err =
            fm_fail(&v->fault, FM_E_RECORD, "commitment: another was shown before this game began");
        v->fault.line = 1;
    }
    while (err == FM_OK) {
        const int line = p->line;
        err = fm_playback_next(p, &ev, NULL, &v->fault);
        const size_t i = (size_t)v->moves;
        if (err == FM_OK && played->event != NULL &&
            (i >= played->n_events || !same_event(&ev, &played->event[i]))) {
            err = fm_fail(&v->fault, FM_E_RECORD, "this move was not made at this table");
            v->fault.line = line;
        }
        if (err == FM_OK)
            v->moves++;
    }
    if (err == FM_E_OVER && played->event != NULL && (size_t)v->moves < played->n_events) {
        err = fm_fail(&v->fault, FM_E_RECORD, "moves are missing at the end");
        v->fault.line = p->line;
        p->stage = FM_AT_MOVES;
    }
    v->line = v->fault.line;
    v->stage = err == FM_E_OVER          ? FINE
               : p->stage == FM_AT_BYTES ? stage_of_line(v->line, text, n)
                                         : p->stage;
}

/* {"step":…,"ok":…,"line":…: "ok" is null for a step that was not reached. Lines that cannot be
 * parsed are found before the first step. */
static void begin_step(struct fm_out *o, const char *name, const struct fm__verdict *v,
                       enum fm_stage stage)
{
    fm_js_object(o);
    fm_js_key_text(o, "step", name);
    fm_js_key(o, "ok");
    if (stage == v->stage)
        fm_js_bool(o, false);
    else if (stage > v->stage || v->playback.stage == FM_AT_BYTES)
        fm_js_null(o);
    else
        fm_js_bool(o, true);
    fm_js_key(o, "line");
    if (stage == v->stage && v->line > 0)
        fm_js_int(o, v->line);
    else
        fm_js_null(o);
}

static void put_hex_or_null(struct fm_out *o, const char *key, bool there, const uint8_t bytes[32])
{
    fm_js_key(o, key);
    if (there)
        fm_js_hex(o, bytes, 32);
    else
        fm_js_null(o);
}

void fm__put_verdict(struct fm_out *o, const struct fm__verdict *v, const uint8_t *commitment)
{
    const struct fm_playback *p = &v->playback;
    const bool dealt = p->has_commitment && v->stage > FM_AT_COMMITMENT;
    fm_js_object(o);
    fm_js_key(o, "ok");
    fm_js_bool(o, v->stage == FINE);
    fm_js_key(o, "steps");
    fm_js_array(o);
    begin_step(o, "commitment", v, FM_AT_COMMITMENT);
    put_hex_or_null(o, "shown", commitment != NULL, commitment);
    put_hex_or_null(o, "computed", p->has_commitment, p->commitment);
    fm_js_end_object(o);
    begin_step(o, "deal", v, FM_AT_DEAL);
    put_hex_or_null(o, "seed", dealt, p->seed);
    fm_js_key(o, "contributions");
    fm_js_array(o);
    for (unsigned i = 0; dealt && i < p->setup.n_seats; i++)
        fm_js_hex(o, p->fair.entropy[i], p->fair.entropy_n[i]);
    fm_js_end_array(o);
    put_hex_or_null(o, "dealt", dealt, p->setup.seed);
    fm_js_end_object(o);
    begin_step(o, "moves", v, FM_AT_MOVES);
    fm_js_key_int(o, "moves", v->moves);
    fm_js_end_object(o);
    begin_step(o, "result", v, FM_AT_RESULT);
    fm_js_end_object(o);
    fm_js_end_array(o);
    if (v->stage == FINE)
        fm_js_key_text(o, "message", NULL);
    else
        fm_js_fault(o, &v->fault, 0);
    fm_js_end_object(o);
}
