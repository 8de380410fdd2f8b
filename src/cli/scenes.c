/* scenes.c: draws the stacks of a finished game once more, and shows them to eyes. */
#include "cli/scenes.h"

#include "cli/crowd.h"
#include "ocean/witness.h"

#include "base/panic.h"

#include <stdlib.h>

struct job {
    struct analysis_scenes *scenes;
    const struct cli_looking *how;
    struct oc_art *art;
    struct oc_sheets sheets;
};

struct worker {
    struct oc_witness *witness;
};

/* ---- looking --------------------------------------------------------------------------------- */

static bool look_at_one(void *arg, void *memory, uint64_t i)
{
    const struct job *job = arg;
    struct worker *w = memory;
    struct fm_fault fault = {.action = -1};
    if (w->witness == NULL)
        w->witness = oc_witness_create(job->art, job->how->water, job->how->sharp);
    enum fm_err err = FM_E_MEMORY;
    if (w->witness == NULL)
        (void)fm_fail_plain(&fault, err);
    else
        err = oc_witness_look(w->witness, &job->sheets, &job->scenes->stack[i],
                              &job->scenes->scene[i], &fault);
    return err == FM_OK || cli_complain(job->how->command, "%s", fault.text) == CLI_FINE;
}

static bool look_at_all(struct job *job)
{
    const struct cli_looking *how = job->how;
    struct worker *workers = cli_alloc(how->jobs * sizeof *workers);
    const struct cli_pool pool = {.command = how->command,
                                  .jobs = how->jobs,
                                  .n = job->scenes->n,
                                  .work = look_at_one,
                                  .arg = job,
                                  .memory = workers,
                                  .memory_size = sizeof *workers};
    const bool fine = cli_pool_run(&pool);
    for (uint64_t i = 0; i < how->jobs; i++)
        oc_witness_destroy(workers[i].witness);
    free(workers);
    return fine;
}

/* The sheets as they were dealt. */
static void deal(struct job *job, const struct fm_setup *setup)
{
    _Alignas(8) uint8_t dealt[FM_STATE_MAX];
    struct oc_deal deal;
    fm_assert(fm_init(dealt, setup, NULL) == FM_OK);
    oc_deal_of(&deal, setup->game, dealt);
    oc_sheets_make(&job->sheets, job->art, job->how->water, &deal);
}

int cli_scenes_look(struct analysis_scenes *s, struct analysis *a, const struct cli_looking *how)
{
    static struct job job;
    struct fm_fault fault;
    const char *const water = how->water == oc_waters ? NULL : how->water->name;
    job = (struct job){.scenes = s, .how = how};
    s->stack = cli_alloc((a->n + 1) * sizeof *s->stack);
    s->scene = cli_alloc((a->n + 1) * sizeof *s->scene);
    if (fm__scenes_list(s, a, water, &fault) == FM_OK)
        job.art = oc_art_load(NULL, &fault);
    if (job.art == NULL)
        return cli_complain(how->command, "%s", fault.text);
    deal(&job, a->setup);
    const bool fine = look_at_all(&job);
    oc_art_free(job.art);
    return fine ? CLI_FINE : CLI_BAD;
}

void cli_scenes_free(struct analysis_scenes *s)
{
    free(s->stack);
    free(s->scene);
}
