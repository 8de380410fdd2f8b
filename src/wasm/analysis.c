/*
 * analysis.c: the analysis of one record in the page, a decision at a time: so the page can say how
 * far it is, and stop. Where seats looked into a stack, the ocean's module (ocean.c) looks, too,
 * and the page carries what eyes made of it from there to here.
 */
#include "wasm/deal.h"
#include "wasm/text.h"

#include "analysis/scenes.h"
#include "analysis/source.h"
#include "base/panic.h"
#include "ocean/water.h"

#include <stdlib.h>
#include <string.h>

#define OPENED_DECISION 96 /* bytes of the answer to open, for each decision */

static struct {
    struct analysis_source source;
    struct analysis analysis;
    struct analysis_scenes scenes;
    const struct oc_water *water;
    struct race memory;
    alignas(8) uint8_t end[FM_STATE_MAX];
} w;

static void close_record(void)
{
    free(w.source.event);
    free(w.analysis.decision);
    free(w.scenes.stack);
    free(w.scenes.scene);
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

/* ---- what seats could look at ---------------------------------------------------------------- */

static enum fm_err list_scenes(const char *water, struct fm_fault *fault)
{
    struct analysis_scenes *s = &w.scenes;
    w.water = water[0] == '\0' ? oc_waters : oc_water_find(water);
    if (w.water == NULL)
        return fm_fail(fault, FM_E_OPTIONS, "there is no such water");
    s->stack = calloc(w.analysis.n + 1, sizeof *s->stack);
    s->scene = calloc(w.analysis.n + 1, sizeof *s->scene);
    if (s->stack == NULL || s->scene == NULL)
        return fm_fail_plain(fault, FM_E_MEMORY);
    return fm__scenes_list(s, &w.analysis, w.water == oc_waters ? NULL : w.water->name, fault);
}

/* {"left":36,"open":true,"cover":[x,y]} */
static void put_stack(struct fm_out *o, const struct fm_stack *stack)
{
    fm_js_object(o);
    fm_js_key_int(o, "left", stack->n);
    fm_js_key(o, "open");
    fm_js_bool(o, stack->open);
    fm_js_key(o, "cover");
    if (stack->covered) {
        fm_js_array(o);
        fm_js_fixed(o, (double)stack->x / FM_STACK_SCALE, 4);
        fm_js_fixed(o, (double)stack->y / FM_STACK_SCALE, 4);
        fm_js_end_array(o);
    } else {
        fm_js_null(o);
    }
    fm_js_end_object(o);
}

/* "ocean":{…}: the deal; "stacks": each state that somebody decided at; "of": which of them, for
 * each decision. */
static void put_ocean(struct fm_out *o)
{
    static alignas(8) uint8_t dealt[FM_STATE_MAX];
    const struct fm_setup *setup = w.analysis.setup;
    fm_assert(fm_init(dealt, setup, NULL) == FM_OK);
    fm_js_key(o, "ocean");
    fm_js_object(o);
    put_deal(o, setup->game, dealt, NULL);
    fm_js_key_int(o, "water", w.water - oc_waters);
    fm_js_key(o, "stacks");
    fm_js_array(o);
    for (size_t i = 0; i < w.scenes.n; i++)
        put_stack(o, &w.scenes.stack[i]);
    fm_js_end_array(o);
    fm_js_key(o, "of");
    fm_js_array(o);
    for (size_t i = 0; i < w.analysis.n; i++)
        fm_js_int(o, w.analysis.decision[i].scene - w.scenes.scene);
    fm_js_end_array(o);
    fm_js_end_object(o);
}

/* Where the ocean's module writes what eyes made of a stack, SCENE_BYTES. */
uint8_t *analysis_scene(size_t i);
EXPORT("scene") uint8_t *analysis_scene(size_t i)
{
    fm_assert(i < w.scenes.n);
    return (uint8_t *)&w.scenes.scene[i].average;
}

/* ---- decisions ------------------------------------------------------------------------------- */

/* {"game":"soumsoum","analysed":true,"decisions":42,"ocean":null} */
static int put_opened(bool analysed)
{
    const struct fm_game *g = w.source.playback.setup.game;
    struct fm_out *o = text_long_answer(ANALYSIS_HEAD + w.analysis.n * OPENED_DECISION);
    if (o == NULL)
        return no_memory();
    fm_js_object(o);
    fm_js_key_text(o, "game", g->id);
    fm_js_key(o, "analysed");
    fm_js_bool(o, analysed);
    fm_js_key_int(o, "decisions", (int64_t)w.analysis.n);
    if (analysed && g->ocean != NULL) {
        put_ocean(o);
    } else {
        fm_js_key(o, "ocean");
        fm_js_null(o);
    }
    fm_js_end_object(o);
    return text_answered();
}

/* Room 0: a record; room 1: the water that its stack was looked through, or nothing for the usual.
 * seat: only this one's decisions, below zero: everybody's. The answer says whether games of this
 * kind are analysed, how many decisions there are, and what has to be looked at before each. */
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
    const struct fm_setup *setup = &w.source.playback.setup;
    if (seat >= setup->n_seats) {
        (void)fm_fail_plain(&fault, FM_E_SEAT);
        return text_refused(&fault);
    }
    if (fm__study_of(setup->game) == NULL)
        return put_opened(false);
    if (!find_decisions())
        return no_memory();
    if (setup->game->ocean != NULL && list_scenes(text_in(1), &fault) != FM_OK)
        return text_refused(&fault);
    return put_opened(true);
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
