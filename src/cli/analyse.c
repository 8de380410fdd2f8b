/* analyse.c: `fathom analyse`: every decision of a record, on all cores. */
#include "analysis/analysis.h"
#include "analysis/source.h"
#include "cli/cli.h"
#include "cli/crowd.h"
#include "cli/ocean.h"
#include "cli/scenes.h"

#include "base/text.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { FLAG_SEAT = 1, FLAG_BUDGET, FLAG_JOBS, FLAG_JSON, FLAG_DECK, FLAG_WATER };

static const struct option flags[] = {
    {"seat", required_argument, NULL, FLAG_SEAT},
    {"budget", required_argument, NULL, FLAG_BUDGET},
    {"jobs", required_argument, NULL, FLAG_JOBS},
    {"json", no_argument, NULL, FLAG_JSON},
    {"deck", required_argument, NULL, FLAG_DECK},
    {"water", required_argument, NULL, FLAG_WATER},
    {NULL, 0, NULL, 0},
};

struct work {
    const char *path; /* of the record, as it is shown */
    uint64_t seat, jobs;
    bool one_seat, json;
    const struct oc_water *water; /* NULL: the usual */
    struct fm_deck deck;
    struct fm_library library;
    struct analysis_source source;
    struct analysis analysis;
    _Alignas(8) uint8_t end[FM_STATE_MAX];
};

/* ---- the record ------------------------------------------------------------------------------ */

static enum fm_err read_text(struct work *w, const char *text, size_t n, struct fm_fault *fault)
{
    struct analysis_source *s = &w->source;
    const enum fm_err err = fm__source_open(s, text, n, &w->library, fault);
    if (err != FM_OK)
        return err;
    s->event = cli_alloc((size_t)s->playback.last_line * sizeof *s->event);
    return fm__source_read(s, fault);
}

/* JSON escapes what a terminal must not get. */
static void clean_names(struct work *w)
{
    for (unsigned i = 0; i < w->source.playback.setup.n_seats; i++)
        fm__clean(w->source.name[i]);
}

static int read_record(struct work *w, const char *path)
{
    struct fm_fault fault = {.action = -1};
    size_t n;
    char *text = cli_read(path, FM_RECORD_MAX, &n, &fault);
    int status = CLI_FINE;
    if (text == NULL || read_text(w, text, n, &fault) != FM_OK) {
        (void)cli_complain_file("analyse", w->path, &fault);
        status = cli_is_illegal_move(&fault) ? CLI_ILLEGAL : CLI_BAD;
    } else if (!w->json) {
        clean_names(w);
    }
    free(text);
    return status;
}

static int check_record(const struct work *w)
{
    const struct fm_setup *setup = &w->source.playback.setup;
    if (fm__study_of(setup->game) == NULL)
        return cli_complain("analyse", "%s: games of %s cannot be analysed", w->path,
                            setup->game->title);
    if (w->water != NULL && setup->game->ocean == NULL)
        return cli_complain("analyse", "--water: %s has no water to look through",
                            setup->game->title);
    if (w->one_seat && w->seat >= setup->n_seats)
        return cli_complain("analyse", "--seat: %s has the seats 0 to %d", w->path,
                            setup->n_seats - 1);
    return CLI_FINE;
}

/* ---- the work -------------------------------------------------------------------------------- */

static bool weigh_one(void *arg, void *memory, uint64_t i)
{
    struct work *w = arg;
    fm__decision_weigh(&w->analysis.decision[i], w->analysis.budget, memory);
    return true;
}

/* What the seats could look at, if there is something; false: it failed. */
static bool look(struct work *w, struct analysis_scenes *scenes)
{
    const struct cli_looking how = {.command = "analyse",
                                    .jobs = w->jobs,
                                    .water = w->water != NULL ? w->water : oc_waters,
                                    .sharp = w->analysis.budget != STUDY_QUICK};
    return w->analysis.setup->game->ocean == NULL ||
           cli_scenes_look(scenes, &w->analysis, &how) == CLI_FINE;
}

static bool weigh(struct work *w)
{
    struct race *memory = cli_alloc(w->jobs * sizeof *memory);
    const struct cli_pool pool = {.command = "analyse",
                                  .jobs = w->jobs,
                                  .n = w->analysis.n,
                                  .work = weigh_one,
                                  .arg = w,
                                  .memory = memory,
                                  .memory_size = sizeof *memory};
    const bool fine = cli_pool_run(&pool);
    free(memory);
    return fine;
}

static void find_decisions(struct work *w)
{
    struct analysis *a = &w->analysis;
    a->setup = &w->source.playback.setup;
    a->seat = w->one_seat ? (int)w->seat : -1;
    a->names = w->source.names;
    const size_t n = fm__analysis_find(a, w->end, w->source.event, w->source.n_events, 0);
    a->decision = cli_alloc((n + 1) * sizeof *a->decision);
    (void)fm__analysis_find(a, w->end, w->source.event, w->source.n_events, n);
}

static void print(const struct work *w)
{
    const size_t room = ANALYSIS_HEAD + w->analysis.n * ANALYSIS_DECISION;
    struct fm_out o;
    char *text = cli_alloc(room);
    fm_out_init(&o, text, room);
    if (w->json)
        fm__put_analysis(&o, &w->analysis);
    else
        fm__put_analysis_text(&o, &w->analysis);
    cli_print(&o);
    free(text);
}

static int analyse(struct work *w)
{
    int status = CLI_FINE;
    struct analysis_scenes scenes = {0};
    find_decisions(w);
    if (!look(w, &scenes) || !weigh(w))
        status = CLI_BAD;
    else if (!fm__analysis_settle(&w->analysis, w->end))
        status =
            cli_complain("analyse", "%s: luck and losses do not add up to the result", w->path);
    else
        print(w);
    cli_scenes_free(&scenes);
    free(w->analysis.decision);
    return status;
}

/* ---- flags ----------------------------------------------------------------------------------- */

static int read_deck(struct work *w, const char *path)
{
    struct fm_fault fault;
    if (!cli_load_deck(&w->deck, path, &fault))
        return cli_complain_file("analyse", path, &fault);
    w->library = (struct fm_library){.decks = &w->deck, .n_decks = 1};
    return CLI_FINE;
}

static int read_water(struct work *w, const char *name)
{
    w->water = oc_water_find(name);
    return w->water != NULL ? CLI_FINE : ocean_no_such_water("analyse", "water", name);
}

static int read_flag(struct work *w, int flag, const char *value)
{
    switch (flag) {
    case FLAG_SEAT:
        w->one_seat = true;
        return cli_number_flag("analyse", "seat", value, 0, FM_MAX_SEATS - 1, &w->seat);
    case FLAG_BUDGET:
        return cli_budget_flag("analyse", value, &w->analysis.budget);
    case FLAG_JOBS:
        return cli_number_flag("analyse", "jobs", value, 1, CLI_JOBS_MAX, &w->jobs);
    case FLAG_DECK:
        return read_deck(w, value);
    case FLAG_WATER:
        return read_water(w, value);
    default:
        w->json = true;
        return CLI_FINE;
    }
}

static int read_flags(struct work *w, int argc, char **argv)
{
    int flag;
    opterr = 0;
    while ((flag = getopt_long(argc, argv, ":", flags, NULL)) != -1) {
        if (flag == '?' || flag == ':')
            return cli_bad_flag("analyse", argv, flag);
        const int status = read_flag(w, flag, optarg);
        if (status != CLI_FINE)
            return status;
    }
    if (optind + 1 != argc)
        return cli_complain("analyse", "name one record, or - for standard input");
    return CLI_FINE;
}

static int run(int argc, char **argv)
{
    static struct work w;
    char path[1024];
    w = (struct work){.jobs = cli_cores(), .path = path};
    w.analysis.budget = STUDY_NORMAL;
    int status = read_flags(&w, argc, argv);
    if (status != CLI_FINE)
        return status;
    (void)snprintf(path, sizeof path, "%s", argv[optind]);
    fm__clean(path); /* a file name may contain any bytes, the output must not */
    status = read_record(&w, argv[optind]);
    if (status == CLI_FINE)
        status = check_record(&w);
    if (status == CLI_FINE)
        status = analyse(&w);
    free(w.source.event);
    return status;
}

const struct cli_command cli_analyse = {
    .name = "analyse",
    .run = run,
    .about = "say what each decision of a record was worth",
    .help =
        "usage: fathom analyse RECORD|- [--seat N] [--budget quick|normal|deep] [--jobs N]\n"
        "                      [--deck FILE] [--water NAME] [--json]\n"
        "\n"
        "Looks at every decision of a finished game from what the seat knew at that moment,\n"
        "never from hidden cards: the chance to win of what was played and of what else could\n"
        "have been done. Tells what was lost by choices from what others and chance did\n"
        "(docs/analysis.md). Equal records and budgets give equal output.\n"
        "\n"
        "  --seat N        the decisions of this seat only\n"
        "  --budget WORD   how long: quick, about 3 s for a game on one core, normal (15 s,\n"
        "                  the default) or deep (2 minutes)\n"
        "  --jobs N        threads; the output is the same for any number\n"
        "                  (default: one for each core)\n"
        "  --deck FILE     the deck it was played with, if it is not built in\n"
        "  --water NAME    in Dive, how clear it was, if it was not the usual; a record does not\n"
        "                  tell\n"
        "  --json          print everything as JSON\n"
        "\n"
        "Marks: slip, at least 5 % of winning chance lost; mistake, 10 %; blunder, 20 %.\n"
        "Exit status: 0 success, 1 a move of the record is illegal, 2 the file is broken or\n"
        "altered, or games of its kind cannot be analysed.\n",
};
