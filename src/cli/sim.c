/* sim.c: `fathom sim`: many games between bots, on all cores; the result does not depend on how
 * many. */
#include "analysis/analysis.h"
#include "cli/cli.h"
#include "cli/crowd.h"
#include "cli/picture_eyes.h"
#include "cli/table.h"
#include "cli/tally.h"
#include "cli/watch.h"

#include "base/hash.h"
#include "base/panic.h"

#include <fathom/record.h>
#include <fathom/sim.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct run {
    struct fm_setup setup;
    const struct fm_bot *bots[FM_MAX_SEATS];
    uint8_t seed[FM_SEED_BYTES];
    char seed_text[2 * FM_SEED_BYTES + 1];
    const char *bot_names, *record_path, *eyes_name;
    struct fm_eyes eyes;
    struct oc_art *art; /* if bots look at pictures */
    uint64_t games, from, jobs;
    unsigned pace_ms;
    bool json, watch, analyse, budget_given;
    enum study_budget budget; /* of the analysis */
    struct fm_recorder recorder;
    char *record; /* of the first game, if asked for */
    struct fm_out record_out;
};

struct worker {
    struct run *run;
    struct fm_setup setup; /* the run's, with the seed of the present game */
    struct fm_sim sim;
    struct picture_eyes pictures;
    struct fm_notes notes;
    struct tally tally;
    struct race race; /* for the analysis, as is what follows */
    struct decision decision;
    struct tally_loss loss[FM_MAX_SEATS]; /* in the present game */
    _Alignas(8) uint8_t before[FM_STATE_MAX];
};

/* ---- eyes ------------------------------------------------------------------------------------ */

static int read_eyes(struct run *run)
{
    struct fm_fault fault;
    const bool pictures = run->eyes_name != NULL && strcmp(run->eyes_name, PICTURE_EYES) == 0;
    if (pictures && run->setup.game->ocean != NULL) {
        run->art = oc_art_load(NULL, &fault);
        if (run->art == NULL)
            return cli_complain("sim", "%s", fault.text);
    }
    return cli_read_eyes("sim", pictures ? PICTURE_RATE : run->eyes_name, run->setup.game,
                         &run->eyes);
}

/* Looks, if need be, before somebody chooses. */
static enum fm_err look_and_step(struct worker *w, struct fm_event *ev, struct fm_notes *notes)
{
    const enum fm_err err = w->run->art != NULL ? picture_eyes_look(&w->pictures, &w->sim) : FM_OK;
    return err == FM_OK ? fm_sim_step(&w->sim, ev, notes) : err;
}

/* ---- one game -------------------------------------------------------------------------------- */

/* The seed of a game follows from the run's seed and its number, so any game can be played
 * again. */
static void game_seed(const struct run *run, uint64_t number, uint8_t seed[FM_SEED_BYTES])
{
    const struct fm_span spans[] = {{run->seed, sizeof run->seed}, {&number, sizeof number}};
    fm__hash(seed, "fathom sim game 1", spans, 2);
}

static void begin_record(struct run *run, const struct fm_setup *setup, const uint8_t *seed)
{
    struct fm_record_seat seats[FM_MAX_SEATS];
    char created[32];
    const time_t now = time(NULL);
    struct tm utc;
    (void)gmtime_r(&now, &utc);
    (void)strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", &utc);
    for (unsigned seat = 0; seat < setup->n_seats; seat++)
        seats[seat] = (struct fm_record_seat){run->bots[seat]->id, run->bots[seat]->id};
    run->record = cli_alloc(FM_RECORD_MAX);
    fm_out_init(&run->record_out, run->record, FM_RECORD_MAX);
    fm_record_begin(&run->recorder, &run->record_out, setup, seed, NULL, seats, created);
}

/* The next move; with --analyse, what it cost whoever made it. */
static enum fm_err step(struct worker *w, struct fm_event *ev, struct fm_notes *notes)
{
    const struct fm_game *g = w->setup.game;
    if (!w->run->analyse)
        return look_and_step(w, ev, notes);
    memcpy(w->before, w->sim.state, g->state_size);
    const enum fm_err err = look_and_step(w, ev, notes);
    if (err != FM_OK || !fm__decision_note(&w->decision, g, w->before, ev))
        return err;
    fm__decision_weigh(&w->decision, w->run->budget, &w->race);
    w->loss[ev->seat].decisions += w->decision.n > 0; /* 0: no world could be dealt */
    w->loss[ev->seat].lost += w->decision.n > 0 ? w->decision.lost : 0;
    return FM_OK;
}

static enum fm_err play(struct worker *w, uint64_t number)
{
    struct run *run = w->run;
    const bool first = number == run->from;
    const bool record = first && run->record_path != NULL;
    const bool watch = first && run->watch;
    struct watch screen = {.live = isatty(STDOUT_FILENO) == 1, .pace_ms = run->pace_ms};
    struct fm_notes *notes = watch ? &w->notes : NULL;
    struct fm_event ev;
    uint8_t seed[FM_SEED_BYTES];
    uint64_t moves = 0;
    memset(w->loss, 0, sizeof w->loss);
    game_seed(run, number, seed);
    fm_deal_seed(w->setup.seed, seed);
    const struct fm_budget budget = {.eyes = &run->eyes};
    enum fm_err err = fm_sim_start(&w->sim, &w->setup, run->bots, budget, notes);
    if (run->art != NULL && !picture_eyes_deal(&w->pictures, run->art, &w->sim))
        return FM_E_MEMORY;
    if (err == FM_OK && record)
        begin_record(run, &w->setup, seed);
    if (err == FM_OK && watch)
        watch_begin(&screen, &w->sim, notes);
    while (err == FM_OK && !fm_sim_over(&w->sim)) {
        if (moves == FM_EVENTS_MAX)
            return FM_E_STUCK;
        err = step(w, &ev, notes);
        moves++;
        if (err == FM_OK && record)
            fm_record_event(&run->recorder, &run->record_out, &ev, w->sim.state);
        if (err == FM_OK && watch)
            watch_event(&screen, &w->sim, notes);
    }
    if (err != FM_OK)
        return err;
    if (record)
        fm_record_end(&run->recorder, &run->record_out, w->sim.state);
    if (watch)
        watch_end(&screen, &w->sim);
    struct fm_outcome outcome;
    w->setup.game->outcome(w->sim.state, &outcome);
    tally_add(&w->tally, &outcome, moves, fm_view_of(w->setup.game, w->sim.state, FM_WATCHER));
    if (run->analyse)
        tally_add_losses(&w->tally, run->bots, w->setup.n_seats, w->loss);
    return FM_OK;
}

/* ---- many games ------------------------------------------------------------------------------ */

static bool play_one(void *arg, void *memory, uint64_t i)
{
    struct run *run = arg;
    struct worker *w = memory;
    w->run = run;
    if (w->setup.game == NULL)
        w->setup = run->setup;
    const enum fm_err err = play(w, run->from + i);
    if (err != FM_OK)
        cli_complain("sim", "game %llu: %s: %s", (unsigned long long)run->from + i,
                     fm_err_code(err), fm_err_text(err));
    return err == FM_OK;
}

static bool simulate(struct run *run, struct tally *total)
{
    struct worker *workers = cli_alloc(run->jobs * sizeof *workers);
    const struct cli_pool pool = {.command = "sim",
                                  .jobs = run->jobs,
                                  .n = run->games,
                                  .quiet = run->watch,
                                  .work = play_one,
                                  .arg = run,
                                  .memory = workers,
                                  .memory_size = sizeof *workers};
    const bool fine = cli_pool_run(&pool);
    for (uint64_t i = 0; i < run->jobs; i++) {
        tally_merge(total, &workers[i].tally);
        picture_eyes_finish(&workers[i].pictures);
    }
    free(workers);
    return fine;
}

/* ---- flags ----------------------------------------------------------------------------------- */

enum {
    FLAG_BOTS = 1,
    FLAG_GAMES,
    FLAG_SEED,
    FLAG_FROM,
    FLAG_JOBS,
    FLAG_JSON,
    FLAG_RECORD,
    FLAG_WATCH,
    FLAG_PACE,
    FLAG_EYES,
    FLAG_ANALYSE,
    FLAG_BUDGET
};

static const struct option flags[] = {
    {"bots", required_argument, NULL, FLAG_BOTS},
    {"games", required_argument, NULL, FLAG_GAMES},
    {"seed", required_argument, NULL, FLAG_SEED},
    {"from", required_argument, NULL, FLAG_FROM},
    {"jobs", required_argument, NULL, FLAG_JOBS},
    {"json", no_argument, NULL, FLAG_JSON},
    {"record", required_argument, NULL, FLAG_RECORD},
    {"watch", no_argument, NULL, FLAG_WATCH},
    {"pace", required_argument, NULL, FLAG_PACE},
    {"eyes", required_argument, NULL, FLAG_EYES},
    {"analyse", no_argument, NULL, FLAG_ANALYSE},
    {"budget", required_argument, NULL, FLAG_BUDGET},
    {NULL, 0, NULL, 0},
};

static int seed_flag(struct run *run, const char *value)
{
    (void)snprintf(run->seed_text, sizeof run->seed_text, "%s", value);
    return cli_seed_flag("sim", value, run->seed);
}

static int own_flag(void *context, int flag, const char *value)
{
    struct run *run = context;
    uint64_t number = 0;
    int status = CLI_FINE;
    switch (flag) {
    case FLAG_BOTS:
        run->bot_names = value;
        break;
    case FLAG_GAMES:
        return cli_number_flag("sim", "games", value, 1, 1000000000, &run->games);
    case FLAG_SEED:
        return seed_flag(run, value);
    case FLAG_FROM:
        return cli_number_flag("sim", "from", value, 0, INT64_MAX / 2, &run->from);
    case FLAG_JOBS:
        return cli_number_flag("sim", "jobs", value, 1, CLI_JOBS_MAX, &run->jobs);
    case FLAG_PACE:
        status = cli_number_flag("sim", "pace", value, 0, 60000, &number);
        run->pace_ms = (unsigned)number;
        break;
    case FLAG_EYES:
        run->eyes_name = value;
        break;
    case FLAG_ANALYSE:
        run->analyse = true;
        break;
    case FLAG_BUDGET:
        run->budget_given = true;
        return cli_budget_flag("sim", value, &run->budget);
    case FLAG_RECORD:
        run->record_path = value;
        break;
    case FLAG_JSON:
        run->json = true;
        break;
    default:
        run->watch = true;
        break;
    }
    return status;
}

/* One name for all seats, or one for each. */
static int read_bots(struct run *run)
{
    const struct fm_game *g = run->setup.game;
    const char *name = run->bot_names;
    unsigned n = 0;
    for (;; n++) {
        const size_t length = strcspn(name, ",");
        char id[FM_NAME_MAX];
        if (n == run->setup.n_seats || length >= sizeof id)
            return cli_complain("sim", "--bots: name one bot, or one for each of the %d seats",
                                run->setup.n_seats);
        memcpy(id, name, length);
        id[length] = '\0';
        run->bots[n] = fm_bot_find(g, id);
        if (run->bots[n] == NULL)
            return cli_complain("sim", "--bots: there is no bot \"%s\" for %s (fathom sim --help)",
                                id, g->title);
        if (name[length] == '\0')
            break;
        name += length + 1;
    }
    for (unsigned seat = 1; n == 0 && seat < run->setup.n_seats; seat++)
        run->bots[seat] = run->bots[0];
    if (n > 0 && n + 1 != run->setup.n_seats)
        return cli_complain("sim", "--bots: name one bot, or one for each of the %d seats",
                            run->setup.n_seats);
    return CLI_FINE;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Checked before the first game: nobody should wait an hour to learn that a folder is misspelt. An
 * existing file is kept until there is a record to replace it. */
static int probe_record(const struct run *run)
{
    FILE *file = run->record_path ? fopen(run->record_path, "ab") : NULL;
    if (run->record_path != NULL && file == NULL)
        return cli_complain("sim", "%s cannot be written: %s", run->record_path, strerror(errno));
    if (file != NULL)
        (void)fclose(file);
    return CLI_FINE;
}

static int write_record(const struct run *run)
{
    return cli_write("sim", run->record_path, run->record, run->record_out.len);
}

static void print_tally(const struct run *run, const struct tally *total)
{
    static char text[65536];
    struct fm_out o;
    const char *budget = run->analyse ? fm__budget_names[run->budget] : NULL;
    const struct tally_run what = {&run->setup, run->bots, run->seed_text, run->from, budget};
    fm_out_init(&o, text, sizeof text);
    if (run->json)
        tally_put_json(&o, total, &what);
    else
        tally_put_text(&o, total, &what);
    if (o.last == '\n')
        o.len--;
    cli_print(&o);
}

static int check_flags(const struct run *run)
{
    if (run->watch && run->games > 1)
        return cli_complain("sim", "--watch shows one game: say --games 1");
    if (run->budget_given && !run->analyse)
        return cli_complain("sim", "--budget is for --analyse");
    if (run->analyse && !fm__study_is_blind(run->setup.game))
        return cli_complain(
            "sim", "--analyse: games of %s cannot be analysed here: what was seen is not drawn",
            run->setup.game->title);
    return CLI_FINE;
}

static int run_sim(int argc, char **argv)
{
    static struct run run;
    static struct tally total;
    run = (struct run){.games = 1000, .jobs = cli_cores(), .pace_ms = 250, .bot_names = "random"};
    int status = seed_flag(&run, "1");
    if (status == CLI_FINE)
        status = cli_read_table("sim", argc, argv, flags, own_flag, &run, &run.setup);
    if (status == CLI_FINE)
        status = read_bots(&run);
    if (status == CLI_FINE)
        status = read_eyes(&run);
    if (status == CLI_FINE)
        status = check_flags(&run);
    if (status == CLI_FINE)
        status = probe_record(&run);
    if (status != CLI_FINE)
        return status;
    if (!simulate(&run, &total))
        return CLI_BAD;
    if (run.record_path != NULL)
        status = write_record(&run);
    free(run.record);
    oc_art_free(run.art);
    if (status == CLI_FINE && !run.watch)
        print_tally(&run, &total);
    return status;
}

const struct cli_command cli_sim = {
    .name = "sim",
    .run = run_sim,
    .more_help = cli_help_games,
    .about = "play many games between bots and count the results",
    .help =
        "usage: fathom sim GAME [OPTIONS OF THE GAME] [FLAGS]\n"
        "\n"
        "  --bots NAME[,NAME…]   one bot for all seats, or one for each (default random)\n"
        "  --games N             how many games (default 1000)\n"
        "  --seed SEED           a number or 64 hex digits; equal seeds give equal games\n"
        "                        (default 1)\n"
        "  --from N              number of the first game, to play one game of a run again\n"
        "                        or to split a run (default 0)\n"
        "  --jobs N              threads; the result is the same for any number\n"
        "                        (default: one for each core)\n"
        "  --eyes NAME|FILE      in games with something to look at, how well the bots see:\n"
        "                        keen, average (default), short-sighted, picture- and one\n"
        "                        of these, or a file (docs/bots.md); pictures: average\n"
        "                        eyes look at the very pictures, half a second a round\n"
        "  --analyse             also say how much chance to win the bots lose by a decision, on\n"
        "                        average; this takes seconds for each game (docs/analysis.md)\n"
        "  --budget WORD         how closely: quick (default), normal or deep\n"
        "  --record FILE         write the record of the first game\n"
        "  --watch               show the game (with --games 1) …\n"
        "  --pace MS             … with this pause after each move (default 250)\n"
        "  --json                print the figures as JSON\n"
        "\n"
        "Games, their options and bots:\n",
};
