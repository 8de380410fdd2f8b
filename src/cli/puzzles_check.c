/* puzzles_check.c: `fathom puzzles --check`: are the files sound, and are the answers right? */
#include "analysis/analysis.h"
#include "cli/puzzles.h"

#include <stdlib.h>
#include <string.h>

struct file {
    char *path;
    int status;
    struct fm_fault fault; /* unless it is CLI_FINE */
};

struct check {
    enum study_budget budget;
    struct file file[PUZZLES_MAX];
    size_t n;
    struct puzzles_ocean ocean; /* where pictures are looked at again: `deep` */
};

struct worker {
    struct race race;
    struct puzzles_witness eyes;
    struct puzzle puzzle;
    struct puzzle_memory memory;
};

static int add_file(void *arg, const char *path)
{
    struct check *c = arg;
    if (c->n == PUZZLES_MAX)
        return cli_complain("puzzles", "%s: more than %d puzzles", path, PUZZLES_MAX);
    const size_t n = strlen(path) + 1;
    c->file[c->n].path = memcpy(cli_alloc(n), path, n);
    c->n++;
    return CLI_FINE;
}

static int read_file(struct worker *w, struct file *file)
{
    size_t n;
    char *text = cli_read(file->path, PUZZLE_TEXT, &n, &file->fault);
    if (text == NULL)
        return CLI_BAD;
    const enum fm_err err = fm__puzzle_read(&w->puzzle, text, n, &w->memory, &file->fault);
    free(text);
    return err == FM_OK ? CLI_FINE : CLI_BAD;
}

/* Do eyes still make of the pictures what the file says? */
static bool sees_the_same(struct check *c, struct worker *w)
{
    struct fm__scene scene = {0};
    const struct fm__belief *seen = &scene.average, *stored = &w->puzzle.scene.average;
    if (c->budget != STUDY_DEEP || w->puzzle.decision.game->look == NULL)
        return true;
    w->eyes.ocean = &c->ocean;
    w->eyes.setup = &w->memory.playback.setup;
    return puzzles_look(&w->eyes, &w->puzzle.decision, &scene) && seen->levels == stored->levels &&
           memcmp(seen->chance, stored->chance, sizeof seen->chance) == 0;
}

static bool check_file(void *arg, void *memory, uint64_t i)
{
    static const char *const texts[] = {
        [PUZZLE_FOUND_BY_GLANCES] = "it is found at a glance, or not so often as stored",
        [PUZZLE_NOT_BEST] = "its best action does not lead",
        [PUZZLE_OTHER_VALUES] = "weighing it again gives other values",
    };
    struct check *c = arg;
    struct worker *w = memory;
    struct file *file = &c->file[i];
    file->status = read_file(w, file);
    if (file->status != CLI_FINE)
        return true;
    enum puzzle_verdict verdict =
        fm__puzzle_check(&w->puzzle, w->memory.playback.state, c->budget, &w->race);
    if (verdict == PUZZLE_HOLDS && !sees_the_same(c, w))
        verdict = PUZZLE_OTHER_VALUES;
    if (verdict != PUZZLE_HOLDS) {
        (void)fm_fail(&file->fault, FM_E_VALUE, "%s", texts[verdict]);
        file->status = CLI_ILLEGAL;
    }
    return true;
}

/* Reports every file that fails; returns the worst status. */
static int report(const struct check *c)
{
    int status = CLI_FINE;
    for (size_t i = 0; i < c->n; i++) {
        const struct file *file = &c->file[i];
        if (file->status != CLI_FINE)
            (void)cli_complain_file("puzzles", file->path, &file->fault);
        if (file->status > status)
            status = file->status;
    }
    if (status == CLI_FINE)
        printf("%zu puzzle%s, all right (%s)\n", c->n, c->n == 1 ? "" : "s",
               fm__budget_names[c->budget]);
    return status;
}

static int check_all(struct check *c, uint64_t jobs)
{
    struct worker *workers = cli_alloc(jobs * sizeof *workers);
    const struct cli_pool pool = {.command = "puzzles",
                                  .jobs = jobs,
                                  .n = c->n,
                                  .work = check_file,
                                  .arg = c,
                                  .memory = workers,
                                  .memory_size = sizeof *workers};
    const bool fine = cli_pool_run(&pool);
    for (uint64_t i = 0; i < jobs; i++)
        oc_witness_destroy(workers[i].eyes.witness);
    free(workers);
    return fine ? report(c) : CLI_BAD;
}

int puzzles_check(const struct puzzles_run *run)
{
    struct check *c = cli_alloc(sizeof *c);
    c->budget = run->budget;
    int status = cli_each("puzzles", run->folder, ".json", add_file, c);
    if (status == CLI_FINE && c->n == 0)
        status = cli_complain("puzzles", "%s: there are no puzzles (*.json) in it", run->folder);
    if (status == CLI_FINE && run->budget == STUDY_DEEP)
        status = puzzles_ocean_open(&c->ocean);
    if (status == CLI_FINE)
        status = check_all(c, run->jobs);
    puzzles_ocean_close(&c->ocean);
    for (size_t i = 0; i < c->n; i++)
        free(c->file[i].path);
    free(c);
    return status;
}
