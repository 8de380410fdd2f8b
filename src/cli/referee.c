/* referee.c: `fathom referee`: settles a rules question from a scenario file. */
#include "cli/cli.h"
#include "cli/expect.h"

#include <fathom/scenario.h>

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_MAX 0x400000 /* 4 MiB: several times what the events of the longest game need */

static const struct option flags[] = {
    {"view", required_argument, NULL, 'v'}, {"deck", required_argument, NULL, 'd'},
    {"seed", required_argument, NULL, 's'}, {"check", no_argument, NULL, 'c'},
    {"lines", no_argument, NULL, 'l'},      {NULL, 0, NULL, 0},
};

static bool read_view(const char *text, int *view)
{
    uint64_t seat;
    if (strcmp(text, "spectator") == 0) {
        *view = FM_WATCHER;
        return true;
    }
    if (!cli_number(text, 0, FM_MAX_SEATS - 1, &seat))
        return false;
    *view = (int)seat;
    return true;
}

/* The answer for a file that cannot be read at all. */
static int bad_file(const char *path, const struct fm_fault *fault)
{
    char text[1024];
    struct fm_out answer;
    struct fm_fault named;
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    fm_fail(&named, fault->code, "%s: %s", name, fault->text);
    fm_out_init(&answer, text, sizeof text);
    fm_scenario_put_fault(&answer, &named);
    cli_print(&answer);
    return CLI_BAD;
}

/* Writes the answer to one scenario to standard output; buffer has room for two answers. */
static int settle(const struct fm_scenario *scenario, char *text, size_t n, char *buffer)
{
    struct fm_out answer, scratch;
    fm_out_init(&answer, buffer, ANSWER_MAX);
    fm_out_init(&scratch, buffer + ANSWER_MAX, ANSWER_MAX);
    const int status = (int)fm_scenario_run(scenario, text, n, &answer, &scratch);
    cli_print(&answer);
    return status;
}

static int settle_file(const struct fm_scenario *scenario, const char *path)
{
    struct fm_fault fault = {.action = -1};
    size_t n;
    char *text = cli_read(path, FM_SCENARIO_MAX, &n, &fault);
    if (text == NULL)
        return bad_file(path, &fault);
    char *buffer = cli_alloc(2 * ANSWER_MAX);
    const int status = settle(scenario, text, n, buffer);
    free(text);
    free(buffer);
    return status;
}

/* Each line of standard input is a scenario and is answered before the next one is read. Returns
 * the worst status. */
static int settle_lines(const struct fm_scenario *scenario)
{
    char *line = NULL, *buffer = cli_alloc(2 * ANSWER_MAX);
    size_t room = 0;
    ssize_t n;
    int worst = CLI_FINE;
    while ((n = getline(&line, &room, stdin)) > 0) {
        n -= line[n - 1] == '\n';
        const int status = settle(scenario, line, (size_t)n, buffer);
        worst = status > worst ? status : worst;
        (void)fflush(stdout);
    }
    free(line);
    free(buffer);
    return worst;
}

static int run(int argc, char **argv)
{
    struct fm_deck deck;
    struct fm_library library = {.decks = &deck};
    struct fm_scenario scenario = {.library = &library, .view = FM_WHOLE};
    struct fm_fault fault;
    bool check = false, lines = false;
    int flag;
    opterr = 0;
    while ((flag = getopt_long(argc, argv, ":", flags, NULL)) != -1) {
        switch (flag) {
        case 'v':
            if (!read_view(optarg, &scenario.view))
                return cli_complain("referee", "--view takes a seat, 0 to %d, or spectator",
                                    FM_MAX_SEATS - 1);
            break;
        case 'd':
            if (!cli_load_deck(&deck, optarg, &fault))
                return bad_file(optarg, &fault);
            library.n_decks = 1;
            scenario.must_use = &deck;
            break;
        case 's':
            if (!cli_seed(optarg, scenario.seed))
                return cli_complain("referee", "--seed takes a number or 64 hex digits");
            break;
        case 'c':
            check = true;
            break;
        case 'l':
            lines = true;
            break;
        default:
            return cli_bad_flag("referee", argv, flag);
        }
    }
    if (check && !lines && optind < argc)
        return cli_expect(&scenario, argv + optind, argc - optind);
    if (lines && optind == argc && !check)
        return settle_lines(&scenario);
    if (lines || optind + 1 != argc)
        return cli_complain("referee",
                            "name one scenario file, - for standard input, or only --lines");
    return settle_file(&scenario, argv[optind]);
}

const struct cli_command cli_referee = {
    .name = "referee",
    .run = run,
    .about = "settle a rules question: a position, moves, the outcome",
    .help = "usage: fathom referee [--view N|spectator] [--deck FILE] [--seed SEED] FILE|-\n"
            "       fathom referee [--view N|spectator] [--deck FILE] [--seed SEED] --lines\n"
            "       fathom referee --check FILE…\n"
            "\n"
            "Sets up the position of a scenario file, plays its actions and prints the outcome\n"
            "as JSON: {\"ok\":true,\"state\":…,\"events\":…,\"result\":…}. An illegal action is\n"
            "answered with {\"ok\":false,\"error\":…} and exit status 1, a bad file with 2.\n"
            "\n"
            "  --view N      print what seat N sees instead of the state and all events\n"
            "  --deck FILE   use the deck in this file\n"
            "  --seed SEED   the seed for what the setup leaves out (default: all zeros)\n"
            "  --lines       read a scenario from each line of standard input, and answer it with\n"
            "                one line; the exit status is the highest of all answers\n"
            "  --check       compare the outcome with \"expect\" in each file, and print TAP\n"
            "\n"
            "A scenario: {\"game\":NAME,\"options\":{…},\"setup\":{…},\n"
            "  \"actions\":[{\"seat\":0,\"do\":VERB,…},…]}\n"
            "docs/protocol.md lists every key; games/NAME/tests/scenarios has examples.\n",
};
