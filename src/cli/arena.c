/* arena.c: `fathom arena`: tournaments, resumable and shared out between machines. */
#include "cli/arena.h"

#include "cli/crowd.h"
#include "cli/open_hands.h"
#include "cli/table.h"

#include "base/hash.h"
#include "base/json_in.h"

#include <fathom/bot.h>
#include <fathom/sim.h>

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_MAX 0x40000000 /* no file of results is larger */

struct run {
    struct arena arena;
    struct arena_result result;
    struct fm_setup setup;
    const struct fm_bot *bot[ARENA_BOTS + 1]; /* by their numbers */
    struct fm_eyes eyes;
    uint8_t seed[FM_SEED_BYTES];
    const char *seed_text, *bot_names, *partner_name, *eyes_name, *path;
    uint64_t jobs, iterations, shard, shards;
    bool json, self, open_hands;
    uint64_t *todo; /* entry * deals + deal */
    FILE *file;
    pthread_mutex_t lock; /* of the result and the file */
};

/* ---- one deal -------------------------------------------------------------------------------- */

/* The line-up of a game: versus, the two take turns around the table and swap in the second game;
 * with a partner, the bot has a seat more to the right in every game. */
static unsigned who(enum arena_mode mode, unsigned game, unsigned seat)
{
    return mode == ARENA_VERSUS ? (seat + game) % 2 : mode == ARENA_PARTNER ? seat != game : 0;
}

static enum fm_err play(const struct run *run, struct fm_sim *sim, const struct fm_setup *setup,
                        const struct fm_bot *const *bots, struct fm_outcome *outcome)
{
    struct fm_event ev;
    const struct fm_budget budget = {.eyes = &run->eyes, .iterations = (uint32_t)run->iterations};
    enum fm_err err = fm_sim_start(sim, setup, bots, budget, NULL);
    for (unsigned moves = 0; err == FM_OK && !fm_sim_over(sim); moves++)
        err = moves < FM_EVENTS_MAX ? fm_sim_step(sim, &ev, NULL) : FM_E_STUCK;
    *outcome = (struct fm_outcome){0};
    if (err == FM_OK)
        setup->game->outcome(sim->state, outcome);
    return err;
}

static unsigned count_bits(unsigned set)
{
    unsigned n = 0;
    for (; set != 0; set &= set - 1)
        n++;
    return n;
}

/* Points of a game: shared by its winners; together, whoever wins, all do. */
static void score(const struct arena *a, const struct fm_outcome *o, unsigned game,
                  unsigned points[2])
{
    const unsigned winners = count_bits(o->winners) + o->automaton;
    if (a->mode != ARENA_VERSUS) {
        points[0] += o->winners != 0 ? ARENA_POINT : 0;
        return;
    }
    for (unsigned seat = 0; seat < a->n_seats; seat++)
        if (o->winners >> seat & 1)
            points[who(a->mode, game, seat)] += ARENA_POINT / winners;
}

struct worker {
    struct fm_setup setup;
    struct fm_sim sim;
};

static void deal_seed(const struct run *run, uint64_t deal, uint8_t seed[FM_SEED_BYTES])
{
    const struct fm_span spans[] = {{run->seed, sizeof run->seed}, {&deal, sizeof deal}};
    fm__hash(seed, "fathom arena deal 1", spans, 2);
}

static bool keep(struct run *run, unsigned entry, uint64_t deal, const unsigned points[2])
{
    (void)pthread_mutex_lock(&run->lock);
    (void)arena_add(&run->result, &run->arena, entry, deal, points[0], points[1]);
    bool kept = true;
    if (run->file != NULL)
        kept = fprintf(run->file, "{\"entry\":%u,\"deal\":%llu,\"points\":[%u,%u]}\n", entry,
                       (unsigned long long)deal, points[0], points[1]) > 0 &&
               fflush(run->file) == 0;
    (void)pthread_mutex_unlock(&run->lock);
    if (!kept)
        cli_complain("arena", "%s cannot be written: %s", run->path, strerror(errno));
    return kept;
}

static bool play_deal(void *arg, void *memory, uint64_t i)
{
    struct run *run = arg;
    struct worker *w = memory;
    const struct arena *a = &run->arena;
    const unsigned entry = (unsigned)(run->todo[i] / a->deals);
    const uint64_t deal = run->todo[i] % a->deals;
    const struct fm_bot *bots[FM_MAX_SEATS];
    unsigned pair[2], points[2] = {0, 0};
    arena_entry(a, entry, pair);
    w->setup = run->setup;
    deal_seed(run, deal, w->setup.seed);
    for (unsigned game = 0; game < arena_games(a); game++) {
        struct fm_outcome outcome;
        for (unsigned seat = 0; seat < a->n_seats; seat++)
            bots[seat] = run->bot[pair[who(a->mode, game, seat)]];
        const enum fm_err err = play(run, &w->sim, &w->setup, bots, &outcome);
        if (err != FM_OK) {
            cli_complain("arena", "entry %u, deal %llu: %s: %s", entry, (unsigned long long)deal,
                         fm_err_code(err), fm_err_text(err));
            return false;
        }
        score(a, &outcome, game, points);
    }
    return keep(run, entry, deal, points);
}

/* ---- files of results ------------------------------------------------------------------------ */

static bool read_line(struct run *run, const char *line, size_t n, struct fm_fault *fault)
{
    static const char *const keys[] = {"entry", "deal", "points", NULL};
    const struct arena *a = &run->arena;
    int entry, deal, points[2];
    size_t two;
    struct fm_in value;
    json_t *json = fm_json_load(line, n, fault);
    if (json == NULL)
        return false;
    const struct fm_in in = fm_in_root(json, "", fault);
    const int most = (int)(ARENA_POINT * arena_games(a));
    bool fine = fm_in_object(&in, keys) && fm_in_get(&in, "entry", &value) &&
                fm_in_int(&value, 0, (int)arena_entries(a) - 1, &entry) &&
                fm_in_get(&in, "deal", &value) && fm_in_int(&value, 0, (int)a->deals - 1, &deal) &&
                fm_in_get(&in, "points", &value) && fm_in_array(&value, 2, 2, &two);
    for (size_t i = 0; fine && i < 2; i++) {
        const struct fm_in at = fm_in_at(&value, i);
        fine = fm_in_int(&at, 0, most, &points[i]);
    }
    if (fine && !arena_add(&run->result, a, (unsigned)entry, (uint64_t)deal, (unsigned)points[0],
                           (unsigned)points[1]))
        fine = fm_in_fail(&in, FM_E_VALUE, "deal %d of entry %d stands there twice", deal, entry);
    json_decref(json);
    return fine;
}

/* What a file holds, into the result. A last line without an end was cut short by a kill: that
 * deal counts as not played, and *good says where the line begins. */
static int read_results(struct run *run, const char *path, const char *text, size_t n, size_t *good)
{
    struct fm_fault fault;
    const size_t header = strlen(run->arena.header);
    if (n <= header || memcmp(text, run->arena.header, header) != 0 || text[header] != '\n')
        return cli_complain("arena", "%s holds another tournament", path);
    *good = header + 1;
    for (int line = 2; *good < n; line++) {
        const char *end = memchr(text + *good, '\n', n - *good);
        if (end == NULL)
            break;
        if (!read_line(run, text + *good, (size_t)(end - text) - *good, &fault))
            return cli_complain("arena", "%s: line %d is no outcome of a deal: %s", path, line,
                                fault.text);
        *good = (size_t)(end - text) + 1;
    }
    return CLI_FINE;
}

static int cannot_write(const struct run *run)
{
    return cli_complain("arena", "%s cannot be written: %s", run->path, strerror(errno));
}

/* Goes on with the file of an earlier run, or begins it. */
static int open_results(struct run *run)
{
    struct fm_fault fault;
    size_t n = 0, good = 0;
    if (run->path == NULL)
        return CLI_FINE;
    run->file = fopen(run->path, "ab");
    if (run->file == NULL)
        return cannot_write(run);
    char *text = cli_read(run->path, FILE_MAX, &n, &fault);
    if (text == NULL)
        return cli_complain_file("arena", run->path, &fault);
    int status = CLI_FINE;
    if (n == 0)
        status = fprintf(run->file, "%s\n", run->arena.header) > 0 && fflush(run->file) == 0
                     ? CLI_FINE
                     : cannot_write(run);
    else
        status = read_results(run, run->path, text, n, &good);
    if (status == CLI_FINE && good < n && ftruncate(fileno(run->file), (off_t)good) != 0)
        status = cannot_write(run);
    free(text);
    return status;
}

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
static int shard_flag(struct run *run, const char *value)
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
    struct run *run = context;
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

static int add_bot(struct run *run, unsigned number, const char *name, size_t n)
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

/* Cheating is a game of its own; bots find out what they see from the view, as always. */
static int open_hands(struct run *run)
{
    if (strcmp(run->setup.game->id, "divercity") != 0)
        return cli_complain("arena", "--open-hands goes with divercity only");
    run->setup.game = cli_open_hands(run->setup.game);
    return CLI_FINE;
}

static int read_bots(struct run *run)
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

static const char *const modes[] = {
    [ARENA_VERSUS] = "versus", [ARENA_SELF] = "self", [ARENA_PARTNER] = "partner", NULL};

static int put_header(struct run *run)
{
    struct arena *a = &run->arena;
    struct fm_out o;
    fm_out_init(&o, a->header, sizeof a->header);
    fm_js_object(&o);
    fm_js_key_int(&o, "fathom_arena", 1);
    fm_js_key_text(&o, "game", run->setup.game->id);
    fm_js_key_int(&o, "rules", run->setup.game->rules_version);
    fm_js_key(&o, "options");
    fm_put_options(&o, &run->setup);
    fm_js_key(&o, "deck");
    fm_js_hex(&o, run->setup.deck.hash, sizeof run->setup.deck.hash);
    fm_js_key_int(&o, "seats", a->n_seats);
    fm_js_key_text(&o, "mode", modes[a->mode]);
    fm_js_key(&o, "bots");
    fm_js_array(&o);
    for (unsigned i = 0; i < a->n_bots; i++)
        fm_js_text(&o, a->name[i]);
    fm_js_end_array(&o);
    fm_js_key_text(&o, "partner", a->mode == ARENA_PARTNER ? run->partner_name : NULL);
    fm_js_key_text(&o, "eyes", run->eyes_name);
    fm_js_key_int(&o, "iterations", (int64_t)run->iterations);
    fm_js_key_text(&o, "seed", run->seed_text);
    fm_js_key_int(&o, "deals", (int64_t)a->deals);
    if (run->open_hands) {
        fm_js_key(&o, "open_hands");
        fm_js_bool(&o, true);
    }
    fm_js_end_object(&o);
    return fm_out_ok(&o) ? CLI_FINE : cli_complain("arena", "the tournament's name is too long");
}

static void print_result(const struct run *run)
{
    static char text[65536];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    (run->json ? arena_put_json : arena_put_text)(&o, &run->arena, &run->result);
    if (o.last == '\n')
        o.len--;
    cli_print(&o);
}

/* All deals of this shard that no file holds yet. */
static uint64_t list_todo(struct run *run)
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

static int hold(struct run *run)
{
    struct worker *workers = cli_alloc(run->jobs * sizeof *workers);
    arena_result_init(&run->result, &run->arena);
    int status = open_results(run);
    if (status == CLI_FINE) {
        const struct cli_pool pool = {.command = "arena",
                                      .jobs = run->jobs,
                                      .n = list_todo(run),
                                      .work = play_deal,
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

/* What the figures need of a header: the rest is compared byte by byte. */
static bool read_header(struct arena *a, const char *line, size_t n, struct fm_fault *fault)
{
    struct fm_in value, name;
    const char *text;
    int number, mode = 0;
    size_t n_bots = 0;
    json_t *json = fm_json_load(line, n, fault);
    if (json == NULL)
        return false;
    const struct fm_in in = fm_in_root(json, "", fault);
    bool fine = n < sizeof a->header || fm_in_fail(&in, FM_E_SIZE, "it is too long");
    fine = fine && fm_in_get(&in, "fathom_arena", &value) && fm_in_int(&value, 1, 1, &number) &&
           fm_in_get(&in, "mode", &value) && fm_in_word(&value, modes, &mode) &&
           fm_in_get(&in, "seats", &value) && fm_in_int(&value, 1, FM_MAX_SEATS, &number);
    a->mode = (enum arena_mode)mode;
    a->n_seats = fine ? (unsigned)number : 0;
    fine = fine && fm_in_get(&in, "deals", &value) && fm_in_int(&value, 1, ARENA_DEALS, &number) &&
           fm_in_get(&in, "bots", &value) &&
           fm_in_array(&value, a->mode == ARENA_VERSUS ? 2 : 1, ARENA_BOTS, &n_bots);
    a->deals = fine ? (uint64_t)number : 0;
    for (size_t i = 0; fine && i < n_bots; i++) {
        name = fm_in_at(&value, i);
        fine = fm_in_text(&name, ARENA_NAME - 1, &text);
        if (fine)
            (void)snprintf(a->name[i], sizeof a->name[i], "%s", text);
    }
    a->n_bots = (unsigned)n_bots;
    if (fine && a->mode == ARENA_PARTNER) {
        fine = fm_in_get(&in, "partner", &value) && fm_in_text(&value, ARENA_NAME - 1, &text);
        if (fine)
            (void)snprintf(a->name[ARENA_PARTNER_BOT], ARENA_NAME, "%s", text);
    }
    if (fine) {
        memcpy(a->header, line, n);
        a->header[n] = '\0';
    }
    json_decref(json);
    return fine;
}

static int merge_file(struct run *run, const char *path)
{
    struct fm_fault fault = {.line = 1};
    size_t n, good;
    char *text = cli_read(path, FILE_MAX, &n, &fault);
    if (text == NULL)
        return cli_complain_file("arena", path, &fault);
    int status = CLI_FINE;
    if (run->arena.n_bots == 0) {
        const char *end = memchr(text, '\n', n);
        if (!read_header(&run->arena, text, end != NULL ? (size_t)(end - text) : n, &fault)) {
            fault.line = 1;
            status = cli_complain_file("arena", path, &fault);
        } else {
            arena_result_init(&run->result, &run->arena);
        }
    }
    if (status == CLI_FINE)
        status = read_results(run, path, text, n, &good);
    free(text);
    return status;
}

static int merge(struct run *run, int argc, char **argv)
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
    static struct run run;
    run = (struct run){.jobs = cli_cores(),
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
        status = put_header(&run);
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
            "won (a shared win counts in parts) with their 95 % intervals, and Elo ratings.\n"
            "\n"
            "  --bots NAME,NAME[,…]  who takes part\n"
            "  --self                each bot plays all seats: how often one of them wins\n"
            "  --partner NAME        each bot plays one seat, in turn each of them, and this\n"
            "                        bot the others: how often they win\n"
            "  --deals N             deals of each pairing (default 100)\n"
            "  --seed SEED           a number or 64 hex digits (default 1)\n"
            "  --iterations N        what bots that search repeat for a move, instead of their\n"
            "                        own number\n"
            "  --open-hands          in DiverCity, everybody cheats and sees the own hand: what\n"
            "                        not knowing it costs. For measuring only\n"
            "  --eyes NAME|FILE      in Dive, how well the bots see (default average)\n"
            "  --jobs N              threads; the result is the same for any number\n"
            "  --out FILE            keep every deal's outcome in this file. Said again, goes on\n"
            "                        where the file ends\n"
            "  --shard I/N           play only the I-th of N parts (with --out): for several\n"
            "                        machines; `arena merge` adds their files up\n"
            "  --json                figures as JSON\n"
            "\n"
            "Games, their options and bots:\n",
};
