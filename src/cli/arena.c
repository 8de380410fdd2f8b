/* arena.c: `fathom arena`: tournaments, which can be interrupted and continued, and split between
 * machines. */
#include "cli/arena_run.h"

#include "cli/crowd.h"
#include "cli/open_hands.h"
#include "cli/table.h"

#include <stdlib.h>
#include <string.h>

/* ---- flags ----------------------------------------------------------------------------------- */

enum {
    FLAG_BOTS = 1,
    FLAG_PARTNER,
    FLAG_SELF,
    FLAG_DEALS,
    FLAG_SEED,
    FLAG_JOBS,
    FLAG_EYES,
    FLAG_ITERATIONS,
    FLAG_SHARD,
    FLAG_OUT,
    FLAG_OPEN_HANDS,
    FLAG_JSON
};

static const struct option flags[] = {
    {"bots", required_argument, NULL, FLAG_BOTS},
    {"partner", required_argument, NULL, FLAG_PARTNER},
    {"self", no_argument, NULL, FLAG_SELF},
    {"deals", required_argument, NULL, FLAG_DEALS},
    {"seed", required_argument, NULL, FLAG_SEED},
    {"jobs", required_argument, NULL, FLAG_JOBS},
    {"eyes", required_argument, NULL, FLAG_EYES},
    {"iterations", required_argument, NULL, FLAG_ITERATIONS},
    {"shard", required_argument, NULL, FLAG_SHARD},
    {"out", required_argument, NULL, FLAG_OUT},
    {"open-hands", no_argument, NULL, FLAG_OPEN_HANDS},
    {"json", no_argument, NULL, FLAG_JSON},
    {NULL, 0, NULL, 0},
};

/* "2/8": the second of eight. */
static int shard_flag(struct arena_run *run, const char *value)
{
    char first[21] = "";
    const char *slash = strchr(value, '/');
    if (slash != NULL && (size_t)(slash - value) < sizeof first)
        memcpy(first, value, (size_t)(slash - value));
    if (slash == NULL || !cli_number(slash + 1, 1, 1000000, &run->shards) ||
        !cli_number(first, 1, run->shards, &run->shard))
        return cli_complain("arena", "--shard takes I/N with I from 1 to N, not \"%s\"", value);
    return CLI_FINE;
}

static int own_flag(void *context, int flag, const char *value)
{
    struct arena_run *run = context;
    switch (flag) {
    case FLAG_BOTS:
        run->bot_names = value;
        return CLI_FINE;
    case FLAG_PARTNER:
        run->partner_name = value;
        return CLI_FINE;
    case FLAG_SELF:
        run->self = true;
        return CLI_FINE;
    case FLAG_DEALS:
        return cli_number_flag("arena", "deals", value, 1, ARENA_DEALS, &run->arena.deals);
    case FLAG_SEED:
        run->seed_text = value;
        return CLI_FINE;
    case FLAG_JOBS:
        return cli_number_flag("arena", "jobs", value, 1, CLI_JOBS_MAX, &run->jobs);
    case FLAG_EYES:
        run->eyes_name = value;
        return CLI_FINE;
    case FLAG_ITERATIONS:
        return cli_number_flag("arena", "iterations", value, 1, 10000000, &run->iterations);
    case FLAG_SHARD:
        return shard_flag(run, value);
    case FLAG_OUT:
        run->path = value;
        return CLI_FINE;
    case FLAG_OPEN_HANDS:
        run->open_hands = true;
        return CLI_FINE;
    default:
        run->json = true;
        return CLI_FINE;
    }
}

/* ---- the tournament -------------------------------------------------------------------------- */

static int add_bot(struct arena_run *run, unsigned number, const char *name, size_t n)
{
    char *id = run->arena.name[number];
    if (n > 0 && n < sizeof run->arena.name[0]) {
        memcpy(id, name, n);
        id[n] = '\0';
        run->bot[number] = fm_bot_find(run->setup.game, id);
    }
    return run->bot[number] != NULL
               ? CLI_FINE
               : cli_complain("arena", "there is no bot \"%.*s\" for %s (fathom sim --help)",
                              (int)(n < 60 ? n : 60), name, run->setup.game->title);
}

/* Playing with open hands is a game of its own: bots see the cards in their views, as always. */
static int open_hands(struct arena_run *run)
{
    if (run->setup.game->open_hands == NULL)
        return cli_complain("arena", "--open-hands: no hand of %s is hidden from its owner",
                            run->setup.game->title);
    run->setup.game = cli_open_hands(run->setup.game);
    return CLI_FINE;
}

static int read_bots(struct arena_run *run)
{
    struct arena *a = &run->arena;
    for (const char *name = run->bot_names;; name++) {
        const size_t n = strcspn(name, ",");
        if (a->n_bots == ARENA_BOTS)
            return cli_complain("arena", "--bots: at most %d bots", ARENA_BOTS);
        if (add_bot(run, a->n_bots++, name, n) != CLI_FINE)
            return CLI_BAD;
        name += n;
        if (*name == '\0')
            break;
    }
    a->mode = run->partner_name != NULL ? ARENA_PARTNER : run->self ? ARENA_SELF : ARENA_VERSUS;
    if (run->partner_name != NULL && run->self)
        return cli_complain("arena", "--self and --partner do not go together");
    if (a->mode == ARENA_VERSUS && (a->n_bots < 2 || run->setup.n_seats < 2))
        return cli_complain("arena",
                            "a tournament takes two bots and two seats; --self measures one alone");
    if (run->partner_name != NULL)
        return add_bot(run, ARENA_PARTNER_BOT, run->partner_name, strlen(run->partner_name));
    return CLI_FINE;
}

static void print_result(const struct arena_run *run)
{
    static char text[65536];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    (run->json ? arena_put_json : arena_put_text)(&o, &run->arena, &run->result);
    if (o.last == '\n')
        o.len--;
    cli_print(&o);
}

/* Lists all deals of this shard that are not in the file yet. */
static uint64_t list_todo(struct arena_run *run)
{
    const struct arena *a = &run->arena;
    const uint64_t all = arena_entries(a) * a->deals;
    uint64_t n = 0;
    run->todo = cli_alloc(all * sizeof *run->todo);
    for (uint64_t i = 0; i < all; i++)
        if (i % run->shards == run->shard - 1 &&
            !arena_has(&run->result, a, (unsigned)(i / a->deals), i % a->deals))
            run->todo[n++] = i;
    return n;
}

static int hold(struct arena_run *run)
{
    struct arena_worker *workers = cli_alloc(run->jobs * sizeof *workers);
    arena_result_init(&run->result, &run->arena);
    int status = arena_open_results(run);
    if (status == CLI_FINE) {
        const struct cli_pool pool = {.command = "arena",
                                      .jobs = run->jobs,
                                      .n = list_todo(run),
                                      .work = arena_play_deal,
                                      .arg = run,
                                      .memory = workers,
                                      .memory_size = sizeof *workers};
        status = cli_pool_run(&pool) ? CLI_FINE : CLI_BAD;
    }
    if (status == CLI_FINE)
        print_result(run);
    if (run->file != NULL)
        (void)fclose(run->file);
    free(run->todo);
    free(workers);
    arena_result_finish(&run->result);
    return status;
}

/* ---- merging --------------------------------------------------------------------------------- */

static int merge_file(struct arena_run *run, const char *path)
{
    struct fm_fault fault = {.line = 1};
    size_t n, good;
    char *text = cli_read(path, ARENA_FILE_MAX, &n, &fault);
    if (text == NULL)
        return cli_complain_file("arena", path, &fault);
    int status = CLI_FINE;
    if (run->arena.n_bots == 0) {
        const char *end = memchr(text, '\n', n);
        if (!arena_read_header(&run->arena, text, end != NULL ? (size_t)(end - text) : n, &fault)) {
            fault.line = 1;
            status = cli_complain_file("arena", path, &fault);
        } else {
            arena_result_init(&run->result, &run->arena);
        }
    }
    if (status == CLI_FINE)
        status = arena_read_results(run, path, text, n, &good);
    free(text);
    return status;
}

static int merge(struct arena_run *run, int argc, char **argv)
{
    static const struct option own[] = {{"json", no_argument, NULL, FLAG_JSON}, {NULL, 0, NULL, 0}};
    int option, status = CLI_FINE;
    opterr = 0;
    optind = 1;
    while ((option = getopt_long(argc, argv, ":", own, NULL)) != -1) {
        if (option != FLAG_JSON)
            return cli_bad_flag("arena merge", argv, option);
        run->json = true;
    }
    if (optind == argc)
        return cli_complain("arena merge", "name the files of the shards");
    for (int i = optind; status == CLI_FINE && i < argc; i++)
        status = merge_file(run, argv[i]);
    if (status == CLI_FINE)
        print_result(run);
    arena_result_finish(&run->result);
    return status;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int run_arena(int argc, char **argv)
{
    static struct arena_run run;
    run = (struct arena_run){.jobs = cli_cores(),
                             .shard = 1,
                             .shards = 1,
                             .seed_text = "1",
                             .bot_names = "",
                             .lock = PTHREAD_MUTEX_INITIALIZER};
    run.arena.deals = 100;
    if (argc > 1 && strcmp(argv[1], "merge") == 0)
        return merge(&run, argc - 1, argv + 1);
    int status = cli_read_table("arena", argc, argv, flags, own_flag, &run, &run.setup);
    if (status == CLI_FINE && !cli_seed(run.seed_text, run.seed))
        status = cli_complain("arena", "--seed takes a number or 64 hex digits, not \"%s\"",
                              run.seed_text);
    run.arena.n_seats = run.setup.n_seats;
    if (status == CLI_FINE && run.open_hands)
        status = open_hands(&run);
    if (status == CLI_FINE)
        status = read_bots(&run);
    if (status == CLI_FINE)
        status = cli_read_eyes("arena", run.eyes_name, run.setup.game, &run.eyes);
    if (status == CLI_FINE)
        status = arena_put_header(&run);
    return status == CLI_FINE ? hold(&run) : status;
}

const struct cli_command cli_arena = {
    .name = "arena",
    .run = run_arena,
    .more_help = cli_help_games,
    .about = "hold a tournament between bots",
    .help = "usage: fathom arena GAME [OPTIONS OF THE GAME] --bots NAME,NAME[,…] [FLAGS]\n"
            "       fathom arena merge [--json] FILE…\n"
            "\n"
            "Every bot plays every other one. Each deal is played twice with the seats swapped,\n"
            "so that neither cards nor seats favour a bot. The figures are shares of the games\n"
            "won (a shared win counts as a fraction) with 95 % intervals, and Elo ratings.\n"
            "\n"
            "  --bots NAME,NAME[,…]  who takes part\n"
            "  --self                each bot plays all seats; counts how often a seat wins\n"
            "  --partner NAME        each bot takes every seat in turn, and this bot plays the\n"
            "                        others; counts how often they win\n"
            "  --deals N             deals of each pairing (default 100)\n"
            "  --seed SEED           a number or 64 hex digits (default 1)\n"
            "  --iterations N        how many iterations bots that search use for a move,\n"
            "                        instead of their own number\n"
            "  --open-hands          where hands are hidden from their owners, all see them:\n"
            "                        what not knowing them costs. For measuring only\n"
            "  --eyes NAME|FILE      in games with something to look at, how well the bots see\n"
            "                        (default average)\n"
            "  --jobs N              threads; the result is the same for any number\n"
            "  --out FILE            keep the outcome of every deal in this file; the same\n"
            "                        command continues where the file ends\n"
            "  --shard I/N           play only the I-th of N parts (with --out), to use several\n"
            "                        machines; `arena merge` adds up their files\n"
            "  --json                print the figures as JSON\n"
            "\n"
            "Games, their options and bots:\n",
};
