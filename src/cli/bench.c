/* bench.c: `fathom bench`: how fast the rules are: random legal play on one core. */
#include "cli/cli.h"
#include "cli/table.h"

#include "base/panic.h"

#include <fathom/sim.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS 5 /* the median counts: machines are noisy */

struct bench {
    uint64_t ms; /* per measurement */
    bool json;
};

struct speed {
    double moves, games; /* a second */
};

/* Time of this thread only: other work on the machine does not count. */
static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int ascending(const void *a, const void *b)
{
    const struct speed *x = a, *y = b;
    return (x->moves > y->moves) - (x->moves < y->moves);
}

/* Plays random matches for a while; with a view buffer every move is chosen from a copied view. */
static struct speed measure_once(struct fm_setup *setup, struct fm_rng *rng, uint8_t *view,
                                 double budget)
{
    _Alignas(8) uint8_t state[FM_STATE_MAX];
    uint64_t moves = 0, games = 0;
    const double start = seconds();
    double spent;
    do {
        for (int i = 0; i < 200; i++, games++) {
            fm_rng_bytes(rng, setup->seed, sizeof setup->seed);
            moves += fm_random_match(state, setup, rng, view, FM_STATE_MAX);
        }
        spent = seconds() - start;
    } while (spent < budget);
    return (struct speed){(double)moves / spent, (double)games / spent};
}

static struct speed measure(const struct fm_setup *given, bool with_view, double budget)
{
    _Alignas(8) uint8_t view[FM_STATE_MAX];
    struct fm_setup setup = *given;
    struct speed speeds[ROUNDS];
    struct fm_rng rng;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){1}, 0);
    for (int i = 0; i < ROUNDS; i++)
        speeds[i] = measure_once(&setup, &rng, with_view ? view : NULL, budget);
    qsort(speeds, ROUNDS, sizeof speeds[0], ascending);
    return speeds[ROUNDS / 2];
}

/* A measure of the machine: copies a state and draws one random number each time, the least that an
 * engine with states as values does per move. */
static double measure_yardstick(const struct fm_game *g, double budget)
{
    _Alignas(8) uint8_t states[2][FM_STATE_MAX] = {{0}};
    struct fm_rng rng;
    uint64_t n = 0;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){1}, 0);
    const double start = seconds();
    double spent;
    do {
        for (int i = 0; i < 10000; i++, n++) {
            memcpy(states[i & 1], states[~i & 1], g->state_size);
            states[i & 1][0] = (uint8_t)fm_rng_below(&rng, 24);
        }
        spent = seconds() - start;
    } while (spent < budget);
    return (double)n / spent;
}

static void put(struct fm_out *o, const struct fm_setup *setup, const struct bench *bench)
{
    const struct fm_game *g = setup->game;
    const double budget = (double)bench->ms / 1000.0 / ROUNDS;
    const struct speed plain = measure(setup, false, budget);
    const struct speed viewed = measure(setup, true, budget);
    const double yardstick = measure_yardstick(g, budget);
    if (!bench->json) {
        char line[400];
        (void)snprintf(line, sizeof line,
                       "%s, %d seats, one core, random legal play, state of %u bytes\n"
                       "  %8.2f million moves a second, %.0f games a second, %.1f moves a game\n"
                       "  %8.2f million moves a second, choosing from a copied view\n"
                       "  %8.2f million copies of the state a second, for comparison",
                       g->title, setup->n_seats, g->state_size, plain.moves / 1e6, plain.games,
                       plain.moves / plain.games, viewed.moves / 1e6, yardstick / 1e6);
        fm_put(o, line);
        return;
    }
    fm_js_object(o);
    fm_js_key_text(o, "game", g->id);
    fm_js_key(o, "options");
    fm_put_options(o, setup);
    fm_js_key_int(o, "state_bytes", g->state_size);
    fm_js_key(o, "moves_per_second");
    fm_js_fixed(o, plain.moves, 0);
    fm_js_key(o, "games_per_second");
    fm_js_fixed(o, plain.games, 0);
    fm_js_key(o, "moves_per_game");
    fm_js_fixed(o, plain.moves / plain.games, 2);
    fm_js_key(o, "moves_per_second_with_view");
    fm_js_fixed(o, viewed.moves, 0);
    fm_js_key(o, "state_copies_per_second");
    fm_js_fixed(o, yardstick, 0);
    fm_js_end_object(o);
}

enum { FLAG_MS = 1, FLAG_JSON };

static const struct option flags[] = {
    {"ms", required_argument, NULL, FLAG_MS},
    {"json", no_argument, NULL, FLAG_JSON},
    {NULL, 0, NULL, 0},
};

static int own_flag(void *context, int flag, const char *value)
{
    struct bench *bench = context;
    if (flag == FLAG_JSON)
        bench->json = true;
    else if (!cli_number(value, 10, 3600000, &bench->ms))
        return cli_complain("bench", "--ms takes a number from 10 to 3600000, not \"%s\"", value);
    return CLI_FINE;
}

/* Without a game: all of them, with their default options. */
static int run_all(int argc, char **argv)
{
    const struct fm_game *g;
    static char text[65536];
    struct bench bench = {.ms = 1000};
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    for (size_t i = 0; (g = fm_game_at(i)) != NULL; i++) {
        char *args[8] = {argv[0], (char *)(uintptr_t)g->id};
        struct fm_setup setup;
        fm_assert(argc + 1 < 8);
        memcpy(args + 2, argv + 1, (size_t)(argc - 1) * sizeof argv[0]);
        optind = 1;
        const int status = cli_read_table("bench", argc + 1, args, flags, own_flag, &bench, &setup);
        if (status != CLI_FINE)
            return status;
        if (i == 0 && bench.json)
            fm_put(&o, "{\"games\":[");
        put(&o, &setup, &bench);
        if (!bench.json && fm_game_at(i + 1) != NULL)
            fm_put(&o, "\n");
    }
    if (bench.json)
        fm_put(&o, "]}");
    cli_print(&o);
    return CLI_FINE;
}

static int run(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == '-') {
        if (argc > 6)
            return cli_complain("bench", "too many arguments (fathom bench --help)");
        return run_all(argc, argv);
    }
    struct bench bench = {.ms = 1000};
    struct fm_setup setup;
    char text[4096];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    const int status = cli_read_table("bench", argc, argv, flags, own_flag, &bench, &setup);
    if (status != CLI_FINE)
        return status;
    put(&o, &setup, &bench);
    cli_print(&o);
    return CLI_FINE;
}

const struct cli_command cli_bench = {
    .name = "bench",
    .run = run,
    .more_help = cli_help_games,
    .about = "measure how fast the rules are",
    .help =
        "usage: fathom bench [--ms MS] [--json]\n"
        "       fathom bench GAME [OPTIONS OF THE GAME] [--ms MS] [--json]\n"
        "\n"
        "Plays random legal moves on one core and prints moves and games per second; again with\n"
        "each move chosen from a copy of the player's view; and, for comparison, how often the\n"
        "state can be copied. Measures processor time; prints the median of five runs.\n"
        "\n"
        "  --ms MS   the length of each run (default 1000)\n"
        "  --json    print the figures as JSON\n"
        "\n"
        "Games and their options:\n",
};
