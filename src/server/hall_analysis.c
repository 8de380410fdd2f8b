/*
 * hall_analysis.c: what each decision of a game that is over was worth, for devices that are too
 * slow to work it out themselves. It is the quick analysis, as `fathom analyse` prints it.
 */
#include "analysis/scenes.h"
#include "ocean/witness.h"
#include "server/hall_jobs.h"
#include "server/sink.h"

#include "base/panic.h"

#include <stdlib.h>

struct work {
    struct fm_setup setup;
    struct analysis_scenes scenes;
    struct oc_sheets sheets;
    struct analysis analysis;
    const char *name[FM_MAX_SEATS];
    struct race race;
    _Alignas(8) uint8_t end[FM_STATE_MAX];
};

/* ---- on the thread --------------------------------------------------------------------------- */

/* False: no memory. */
static bool find_decisions(struct work *w, const struct srv_job *job)
{
    const struct srv_table *t = &job->slot->table;
    struct analysis *a = &w->analysis;
    w->setup = t->setup;
    fm_fair_deal_seed(w->setup.seed, t->seed, &t->fair, w->setup.n_seats);
    for (unsigned i = 0; i < t->setup.n_seats; i++)
        w->name[i] = t->seat[i].taken ? t->seat[i].name : t->seat[i].bot;
    *a = (struct analysis){
        .setup = &w->setup, .budget = STUDY_QUICK, .seat = job->who, .names = w->name};
    const size_t n = fm__analysis_find(a, w->end, t->event, t->n_events, 0);
    a->decision = malloc((n + 1) * sizeof *a->decision);
    return a->decision != NULL && fm__analysis_find(a, w->end, t->event, t->n_events, n) <= n;
}

/* ---- pictures, for games with a stack to look into ------------------------------------------- */

static bool list_scenes(struct work *w, const struct oc_water *water, struct fm_fault *fault)
{
    struct analysis_scenes *s = &w->scenes;
    s->stack = malloc((w->analysis.n + 1) * sizeof *s->stack);
    s->scene = malloc((w->analysis.n + 1) * sizeof *s->scene);
    return s->stack != NULL && s->scene != NULL &&
           fm__scenes_list(s, &w->analysis, water == oc_waters ? NULL : water->name, fault) ==
               FM_OK;
}

/* False: nobody waits for it any more, or no memory. */
static bool look_at_all(struct work *w, struct srv_job *job, const struct oc_art *art)
{
    const struct srv_table *t = &job->slot->table;
    _Alignas(8) uint8_t dealt[FM_STATE_MAX];
    struct fm_fault fault;
    struct oc_deal deal;
    srv_table_deal(t, dealt);
    oc_deal_of(&deal, t->setup.game, dealt);
    oc_sheets_make(&w->sheets, art, t->water, &deal);
    struct oc_witness *witness = oc_witness_create(art, t->water, false);
    bool fine = witness != NULL;
    for (size_t i = 0; fine && i < w->scenes.n; i++)
        fine = srv_job_is_wanted(job) && oc_witness_look(witness, &w->sheets, &w->scenes.stack[i],
                                                         &w->scenes.scene[i], &fault) == FM_OK;
    oc_witness_destroy(witness);
    return fine;
}

/* It loads drawings of its own: those of live tables have a lock, and their painters must never
 * wait for a thread that gets only the processor time that is left over. */
static bool look(struct work *w, struct srv_job *job)
{
    const struct srv_table *t = &job->slot->table;
    struct fm_fault fault;
    if (t->setup.game->ocean == NULL)
        return true;
    struct oc_art *art = list_scenes(w, t->water, &fault) ? oc_art_load(NULL, &fault) : NULL;
    const bool fine = art != NULL && look_at_all(w, job, art);
    oc_art_free(art);
    return fine;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* False: nobody waits for it any more. */
static bool weigh(struct work *w, struct srv_job *job)
{
    for (size_t i = 0; i < w->analysis.n; i++) {
        if (!srv_job_is_wanted(job))
            return false;
        fm__decision_weigh(&w->analysis.decision[i], w->analysis.budget, &w->race);
    }
    return true;
}

static enum fm_err print(const struct work *w, struct srv_job *job)
{
    const size_t room = ANALYSIS_HEAD + w->analysis.n * ANALYSIS_DECISION;
    char *text = malloc(room);
    struct srv_sink sink;
    struct fm_out o;
    if (text == NULL || !srv_sink_open(&sink, job->gzip)) {
        free(text);
        return FM_E_MEMORY;
    }
    fm_out_init(&o, text, room);
    fm__put_analysis(&o, &w->analysis);
    fm_assert(fm_out_ok(&o));
    srv_sink_put(&sink, text, o.len);
    srv_sink_close(&sink);
    free(text);
    job->text = (char *)sink.bytes;
    job->n = sink.n;
    return sink.failed ? FM_E_MEMORY : FM_OK;
}

static void write_analysis(struct srv_job *job)
{
    struct work *w = calloc(1, sizeof *w);
    enum fm_err err = FM_E_MEMORY;
    if (w != NULL && find_decisions(w, job) && look(w, job) && weigh(w, job)) {
        fm_assert(fm__analysis_settle(&w->analysis, w->end));
        err = print(w, job);
    }
    if (err != FM_OK)
        job->err = fm_fail_plain(&job->fault, err);
    if (w != NULL) {
        free(w->analysis.decision);
        free(w->scenes.stack);
        free(w->scenes.scene);
    }
    free(w);
}

/* ---- what is asked for ----------------------------------------------------------------------- */

/* A seat's number; "": all of them, which is -1. */
static bool read_seat(const struct srv_slot *slot, const char *text, int *seat,
                      struct fm_fault *fault)
{
    *seat = text[0] == '\0' ? -1 : text[0] - '0';
    if (text[0] != '\0' && (*seat < 0 || *seat > 9 || text[1] != '\0'))
        return fm_fail_plain(fault, FM_E_NO_PATH), false;
    if (*seat >= slot->table.setup.n_seats)
        return fm_fail_plain(fault, FM_E_SEAT), false;
    return true;
}

static bool has_study(const struct srv_slot *slot, struct fm_fault *fault)
{
    const struct fm_game *game = slot->table.setup.game;
    if (fm__study_of(game) != NULL)
        return true;
    (void)fm_fail(fault, FM_E_NO_PATH, "games of %s cannot be analysed", game->title);
    return false;
}

void srv_get_analysis(struct srv_hall *h, struct srv_call *call, struct srv_slot *slot,
                      const struct srv_http_request *r, const char *seat)
{
    struct fm_fault fault = {.action = -1};
    struct srv_job *job = NULL;
    int who;
    if (read_seat(slot, seat, &who, &fault) && srv_job_is_over(slot, &fault) &&
        has_study(slot, &fault)) {
        job = srv_job_new(slot, call, r->address);
        if (job == NULL)
            fm_fail_plain(&fault, FM_E_MEMORY);
    }
    if (job == NULL) {
        srv_answer_error(h, call, &fault);
        return;
    }
    job->write = write_analysis;
    job->who = who;
    if (srv_job_enlist(h, h->analyses, job))
        srv_job_queue(job);
}
