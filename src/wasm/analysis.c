/*
 * analysis.c: the analysis of one record in the page, a decision at a time: so the page can say how
 * far it is, and stop.
 */
#include "wasm/text.h"

#include "analysis/analysis.h"
#include "analysis/source.h"
#include "base/panic.h"

#include <stdlib.h>
#include <string.h>

static struct {
    struct analysis_source source;
    struct analysis analysis;
    struct race memory;
    alignas(8) uint8_t end[FM_STATE_MAX];
} w;

static void close_record(void)
{
    free(w.source.event);
    free(w.analysis.decision);
    memset(&w, 0, sizeof w);
}

static int no_memory(void)
{
    struct fm_fault fault = {.action = -1};
    (void)fm_fail_plain(&fault, FM_E_MEMORY);
    return text_refused(&fault);
}

static enum fm_err read_record(size_t n, struct fm_fault *fault)
{
    struct analysis_source *s = &w.source;
    if (n > FM_RECORD_MAX)
        return fm_fail_plain(fault, FM_E_SIZE);
    const enum fm_err err = fm__source_open(s, text_in(0), n, NULL, fault);
    if (err != FM_OK)
        return err;
    s->event = calloc((size_t)s->playback.last_line, sizeof *s->event);
    return s->event != NULL ? fm__source_read(s, fault) : fm_fail_plain(fault, FM_E_MEMORY);
}

static bool find_decisions(void)
{
    struct analysis *a = &w.analysis;
    const struct analysis_source *s = &w.source;
    a->setup = &s->playback.setup;
    a->names = s->names;
    const size_t n = fm__analysis_find(a, w.end, s->event, s->n_events, 0);
    a->decision = calloc(n + 1, sizeof *a->decision);
    if (a->decision == NULL)
        return false;
    (void)fm__analysis_find(a, w.end, s->event, s->n_events, n);
    return true;
}

/* {"game":"soumsoum","analysed":true,"decisions":42} */
static int put_opened(bool analysed)
{
    struct fm_out *o = text_answer();
    fm_js_object(o);
    fm_js_key_text(o, "game", w.source.playback.setup.game->id);
    fm_js_key(o, "analysed");
    fm_js_bool(o, analysed);
    fm_js_key_int(o, "decisions", (int64_t)w.analysis.n);
    fm_js_end_object(o);
    return text_answered();
}

/* Room 0: a record. seat: only this one's decisions, below zero: everybody's. Whether games of this
 * kind are analysed here, where no pictures are drawn for it, and how many decisions there are. */
int analysis_open(int seat, unsigned budget, size_t n);
EXPORT("open") int analysis_open(int seat, unsigned budget, size_t n)
{
    struct fm_fault fault = {.action = -1};
    fm_assert(budget < STUDY_BUDGETS);
    close_record();
    w.analysis.seat = seat;
    w.analysis.budget = (enum study_budget)budget;
    if (read_record(n, &fault) != FM_OK)
        return text_refused(&fault);
    if (seat >= w.source.playback.setup.n_seats) {
        (void)fm_fail_plain(&fault, FM_E_SEAT);
        return text_refused(&fault);
    }
    if (!fm__study_is_blind(w.source.playback.setup.game))
        return put_opened(false);
    return find_decisions() ? put_opened(true) : no_memory();
}

/* Weighs one of the decisions. */
void analysis_weigh(size_t i);
EXPORT("weigh") void analysis_weigh(size_t i)
{
    fm_assert(i < w.analysis.n);
    fm__decision_weigh(&w.analysis.decision[i], w.analysis.budget, &w.memory);
}

/* When all were weighed: the analysis, as `fathom analyse --json` prints it. */
int analysis_settle(void);
EXPORT("settle") int analysis_settle(void)
{
    fm_assert(fm__analysis_settle(&w.analysis, w.end));
    struct fm_out *o = text_long_answer(ANALYSIS_HEAD + w.analysis.n * ANALYSIS_DECISION);
    if (o == NULL)
        return no_memory();
    fm__put_analysis(o, &w.analysis);
    return text_answered();
}
