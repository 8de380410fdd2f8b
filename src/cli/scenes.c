/* scenes.c: draws the stacks of a finished game once more, and shows them to eyes. */
#include "cli/scenes.h"

#include "cli/crowd.h"
#include "ocean/witness.h"

#include "base/panic.h"

#include <stdlib.h>

struct job {
    struct cli_scenes *scenes;
    const struct cli_looking *how;
    struct oc_art *art;
    struct oc_sheets sheets;
};

struct worker {
    struct oc_witness *witness;
};

/* ---- which stacks ---------------------------------------------------------------------------- */

static bool is_same(const struct fm_stack *a, const struct fm_stack *b)
{
    return a->n == b->n && a->open == b->open && a->covered == b->covered && a->x == b->x &&
           a->y == b->y;
}

/* The number of a stack among those that are looked at. */
static size_t number_of(struct cli_scenes *s, const struct decision *d)
{
    struct fm_stack stack;
    size_t i = 0;
    d->game->ocean->stack(d->view, &stack);
    while (i < s->n && !is_same(&s->stack[i], &stack))
        i++;
    if (i == s->n)
        s->stack[s->n++] = stack;
    return i;
}

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
    job->scenes->scene[i].eyes = &job->scenes->eyes;
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

static int read_eyes(struct cli_scenes *s, const struct cli_looking *how)
{
    char name[64];
    (void)snprintf(name, sizeof name, "picture-average%s%s", how->water == oc_waters ? "" : "-",
                   how->water == oc_waters ? "" : how->water->name);
    return cli_read_eyes(how->command, name, oc_game(), &s->eyes);
}

int cli_scenes_look(struct cli_scenes *s, struct analysis *a, const struct cli_looking *how)
{
    static struct job job;
    struct fm_fault fault;
    job = (struct job){.scenes = s, .how = how};
    int status = read_eyes(s, how);
    s->stack = cli_alloc((a->n + 1) * sizeof *s->stack);
    s->scene = cli_alloc((a->n + 1) * sizeof *s->scene);
    for (size_t i = 0; i < a->n; i++)
        a->decision[i].scene = &s->scene[number_of(s, &a->decision[i])];
    job.art = status == CLI_FINE ? oc_art_load(NULL, &fault) : NULL;
    if (status == CLI_FINE && job.art == NULL)
        status = cli_complain(how->command, "%s", fault.text);
    if (job.art != NULL) {
        deal(&job, a->setup);
        status = look_at_all(&job) ? CLI_FINE : CLI_BAD;
    }
    oc_art_free(job.art);
    return status;
}

void cli_scenes_free(struct cli_scenes *s)
{
    free(s->stack);
    free(s->scene);
}
