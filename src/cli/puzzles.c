/* puzzles.c: `fathom puzzles`: its flags. */
#include "cli/puzzles.h"

#include <getopt.h>
#include <string.h>

enum { FLAG_GAME = 1, FLAG_COUNT, FLAG_SEED, FLAG_JOBS, FLAG_CHECK, FLAG_BUDGET };

static const struct option flags[] = {
    {"game", required_argument, NULL, FLAG_GAME},
    {"count", required_argument, NULL, FLAG_COUNT},
    {"seed", required_argument, NULL, FLAG_SEED},
    {"jobs", required_argument, NULL, FLAG_JOBS},
    {"check", no_argument, NULL, FLAG_CHECK},
    {"budget", required_argument, NULL, FLAG_BUDGET},
    {NULL, 0, NULL, 0},
};

struct said {
    struct puzzles_run run;
    bool check, finds, budget; /* a flag of that kind was given */
};

static int read_game(struct puzzles_run *run, const char *id)
{
    run->game = fm_game_find(id);
    if (run->game == NULL)
        return cli_complain("puzzles", "there is no game \"%s\"", id);
    if (fm__study_of(run->game) == NULL)
        return cli_complain("puzzles", "games of %s cannot be analysed", run->game->title);
    return CLI_FINE;
}

static int read_flag(struct said *said, int flag, const char *value)
{
    struct puzzles_run *run = &said->run;
    said->finds |= flag == FLAG_GAME || flag == FLAG_COUNT || flag == FLAG_SEED;
    switch (flag) {
    case FLAG_GAME:
        return read_game(run, value);
    case FLAG_COUNT:
        return cli_number_flag("puzzles", "count", value, 1, PUZZLES_MAX, &run->count);
    case FLAG_SEED:
        return cli_seed_flag("puzzles", value, run->seed);
    case FLAG_JOBS:
        return cli_number_flag("puzzles", "jobs", value, 1, CLI_JOBS_MAX, &run->jobs);
    case FLAG_BUDGET:
        said->budget = true;
        return cli_budget_flag("puzzles", value, &run->budget);
    default:
        said->check = true;
        return CLI_FINE;
    }
}

static int read_flags(struct said *said, int argc, char **argv)
{
    int flag;
    opterr = 0;
    while ((flag = getopt_long(argc, argv, ":", flags, NULL)) != -1) {
        if (flag == '?' || flag == ':')
            return cli_bad_flag("puzzles", argv, flag);
        const int status = read_flag(said, flag, optarg);
        if (status != CLI_FINE)
            return status;
    }
    if (optind + 1 != argc)
        return cli_complain("puzzles", "name one folder");
    if (said->check && said->finds)
        return cli_complain("puzzles", "--check takes --budget and --jobs, and no other flags");
    if (!said->check && said->budget)
        return cli_complain("puzzles", "--budget is for --check: what is found is weighed deep");
    said->run.folder = argv[optind];
    return CLI_FINE;
}

static int run(int argc, char **argv)
{
    struct said said = {.run = {.count = 10, .jobs = cli_cores(), .budget = STUDY_DEEP}};
    int status = cli_seed_flag("puzzles", "1", said.run.seed);
    if (status == CLI_FINE)
        status = read_flags(&said, argc, argv);
    if (status != CLI_FINE)
        return status;
    return said.check ? puzzles_check(&said.run) : puzzles_find(&said.run);
}

const struct cli_command cli_puzzles = {
    .name = "puzzles",
    .run = run,
    .about = "find decisions with one clearly best action that is easily missed",
    .help =
        "usage: fathom puzzles DIR [--game NAME] [--count N] [--seed SEED] [--jobs N]\n"
        "       fathom puzzles --check DIR [--budget quick|normal|deep] [--jobs N]\n"
        "\n"
        "Plays games between bots of all strengths and with all options, and looks for\n"
        "decisions whose best action wins at least 15 % more often than the next, and is missed\n"
        "at a glance. Writes each into a file of its own in an empty folder, GAME-01.json and so\n"
        "on, from easy to hard (docs/puzzles.md). What was found is kept when the search is\n"
        "interrupted (GAME-….part): start it again with the same seed to continue.\n"
        "\n"
        "  --game NAME     puzzles of this game (default: of each that can be analysed)\n"
        "  --count N       so many of each game (default 10)\n"
        "  --seed SEED     a number or 64 hex digits; equal seeds give equal puzzles (default 1)\n"
        "  --jobs N        threads; the puzzles are the same for any number\n"
        "                  (default: one for each core)\n"
        "\n"
        "  --check         verify all puzzles of a folder: the record replays, the decision is\n"
        "                  that seat's, and weighing it again gives the same values\n"
        "  --budget WORD   quick or normal: only check that the best action still leads\n"
        "                  (default deep, with the same values)\n"
        "\n"
        "Exit status: 0 success, 1 a puzzle does not hold, 2 a file is broken, or a flag wrong.\n",
};
