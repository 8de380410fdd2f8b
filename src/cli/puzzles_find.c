/*
 * puzzles_find.c: plays games between bots until a puzzle is found, for each of a number of places.
 *
 * The games of a place follow from the seed and its number alone, so that the puzzles are the same
 * for any number of threads. Two puzzles never come from the same game. What is found is kept at
 * once (puzzles_keep.c), so that a search can be interrupted and continued.
 */
#include "cli/puzzles.h"

#include "base/panic.h"

#include <fathom/sim.h>

#include <stdlib.h>
#include <string.h>

#define BOTS_MAX  32
#define PER_TABLE 20                     /* games with the same options; then others are drawn */
#define LEAST     20                     /* playouts of a bot that searches, in a game ... */
#define MOST      300                    /* ... so that games are quick, and not all played well */
#define GAMES     1000                   /* in which a puzzle must be found */
#define CREATED   "1970-01-01T00:00:00Z" /* of the records: equal seeds give equal bytes */

struct search {
    const struct puzzles_run *run;
    const struct fm_game *game;
    const struct fm_bot *bot[BOTS_MAX];
    uint32_t n_bots;
    struct puzzles_ocean ocean;
};

struct worker {
    struct fm_setup setup;
    uint8_t seed[FM_SEED_BYTES];
    const struct fm_bot *bots[FM_MAX_SEATS];
    struct fm_rng rng;
    struct fm_sim sim;
    struct fm_event event[FM_EVENTS_MAX];
    size_t n_events;
    struct race race;
    struct puzzles_witness eyes;
    struct puzzle puzzle;
    struct puzzle_memory memory;
    char record[PUZZLE_TEXT], text[PUZZLE_TEXT];
};

/* ---- tables ---------------------------------------------------------------------------------- */

/* The number of players is always drawn, variants now and then; other numbers keep their
 * defaults. */
static void put_option(struct fm_out *o, const struct fm_option *option, struct fm_rng *rng)
{
    uint32_t n = 0;
    if (option->kind == FM_OPT_INT && option->players) {
        n = (uint32_t)(option->max - option->min) + 1;
        fm_js_key_int(o, option->name, option->min + (int)fm_rng_below(rng, n));
    } else if (option->kind == FM_OPT_FLAG) {
        fm_js_key(o, option->name);
        fm_js_bool(o, fm_rng_below(rng, 4) == 0);
    } else if (option->kind == FM_OPT_WORD && fm_rng_below(rng, 2) == 0) {
        while (option->words[n] != NULL)
            n++;
        fm_js_key_word(o, option->name, option->words[fm_rng_below(rng, n)]);
    }
}

/* false: these options do not go together. */
static bool draw_options(struct fm_setup *setup, const struct fm_game *g, struct fm_rng *rng)
{
    char text[4096];
    struct fm_out o;
    struct fm_fault fault;
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key_text(&o, "game", g->id);
    fm_js_key(&o, "options");
    fm_js_object(&o);
    for (uint32_t i = 0; i < g->n_options; i++)
        put_option(&o, &g->options[i], rng);
    fm_js_end_object(&o);
    fm_js_end_object(&o);
    fm_assert(fm_out_ok(&o));
    return fm_setup_read(setup, text, o.len, NULL, &fault) == FM_OK;
}

static void draw_table(const struct search *s, struct worker *w)
{
    while (!draw_options(&w->setup, s->game, &w->rng))
        ;
}

/* ---- games ----------------------------------------------------------------------------------- */

/* false: the game did not end. */
static bool play(const struct search *s, struct worker *w)
{
    struct fm_sim *sim = &w->sim;
    const struct fm_budget budget = {.eyes = &s->ocean.eyes,
                                     .iterations = LEAST + fm_rng_below(&w->rng, MOST - LEAST)};
    for (unsigned seat = 0; seat < w->setup.n_seats; seat++)
        w->bots[seat] = s->bot[fm_rng_below(&w->rng, s->n_bots)];
    fm_rng_bytes(&w->rng, w->seed, sizeof w->seed);
    fm_deal_seed(w->setup.seed, w->seed);
    w->n_events = 0;
    if (fm_sim_start(sim, &w->setup, w->bots, budget, NULL) != FM_OK)
        return false;
    while (!fm_sim_over(sim) && w->n_events < FM_EVENTS_MAX)
        if (fm_sim_step(sim, &w->event[w->n_events++], NULL) != FM_OK)
            return false;
    return fm_sim_over(sim);
}

/* Looks for a puzzle among the events of one half; leaves the match before it. */
static bool look_at(const struct search *s, struct worker *w, size_t from, size_t to)
{
    const struct fm_game *g = w->setup.game;
    const struct puzzle_looking looking = {&s->ocean.eyes, puzzles_look, &w->eyes};
    void *match = w->sim.state;
    w->eyes.ocean = &s->ocean;
    w->eyes.setup = &w->setup;
    fm_assert(fm_init(match, &w->setup, NULL) == FM_OK);
    for (size_t i = 0; i < to; i++) {
        if (i >= from && fm__puzzle_find(&w->puzzle, g, match, &w->event[i], &looking, &w->race)) {
            w->puzzle.decision.step = (uint32_t)i + 1;
            return true;
        }
        fm_assert(fm_apply(g, match, &w->event[i], NULL) == FM_OK);
    }
    return false;
}

/* The first that is found, beginning anywhere: not only openings should become puzzles. */
static bool look_through(const struct search *s, struct worker *w)
{
    const size_t from = fm_rng_below(&w->rng, (uint32_t)w->n_events);
    return look_at(s, w, from, w->n_events) || look_at(s, w, 0, from);
}

/* The record up to the decision; false: it is too long. */
static bool write_record(struct worker *w)
{
    struct fm_record_seat seats[FM_MAX_SEATS];
    struct fm_recorder recorder;
    struct fm_out o;
    void *match = w->sim.state;
    for (unsigned seat = 0; seat < w->setup.n_seats; seat++)
        seats[seat] = (struct fm_record_seat){w->bots[seat]->id, w->bots[seat]->id};
    fm_out_init(&o, w->record, sizeof w->record);
    fm_assert(fm_init(match, &w->setup, NULL) == FM_OK);
    fm_record_begin(&recorder, &o, &w->setup, w->seed, NULL, seats, CREATED);
    for (size_t i = 0; i + 1 < w->puzzle.decision.step; i++) {
        if (o.len + 2 * FM_RECORD_LINE > o.cap)
            return false;
        fm_assert(fm_apply(w->setup.game, match, &w->event[i], NULL) == FM_OK);
        fm_record_event(&recorder, &o, &w->event[i], match);
    }
    fm_record_end(&recorder, &o, match);
    return true;
}

/* 0: it does not fit into a file. */
static size_t write_text(struct worker *w)
{
    struct fm_out o;
    if (!write_record(w))
        return 0;
    fm_out_init(&o, w->text, sizeof w->text);
    fm__put_puzzle(&o, &w->puzzle, w->record);
    return fm_out_ok(&o) ? o.len : 0;
}

static bool find_one(void *arg, void *memory, uint64_t i)
{
    const struct search *s = arg;
    struct worker *w = memory;
    struct puzzles_place place;
    size_t n;
    puzzles_place(&place, s->run, s->game, i);
    if (puzzles_is_kept(&place, &w->puzzle, &w->memory))
        return true;
    fm_rng_init(&w->rng, place.seed, 0);
    for (unsigned games = 0; games < GAMES; games++) {
        if (games % PER_TABLE == 0)
            draw_table(s, w);
        if (play(s, w) && look_through(s, w) && (n = write_text(w)) > 0)
            return cli_write("puzzles", place.path, w->text, n) == CLI_FINE;
    }
    cli_complain("puzzles", "%d games of %s have no puzzle: say another --seed", GAMES,
                 s->game->title);
    return false;
}

/* ---- one game after the other ---------------------------------------------------------------- */

static void list_bots(struct search *s)
{
    const struct fm_bot *bot;
    for (size_t i = 0; (bot = fm_bot_at(i)) != NULL && s->n_bots < BOTS_MAX; i++)
        if (bot->game != NULL && strcmp(bot->game, s->game->id) == 0)
            s->bot[s->n_bots++] = bot;
    fm_assert(s->n_bots > 0);
}

static int find(const struct puzzles_run *run, const struct fm_game *game)
{
    struct search s = {.run = run, .game = game};
    int status = game->look != NULL ? puzzles_ocean_open(&s.ocean) : CLI_FINE;
    if (status != CLI_FINE)
        return status;
    list_bots(&s);
    struct worker *workers = cli_alloc(run->jobs * sizeof *workers);
    const struct cli_pool pool = {.command = "puzzles",
                                  .jobs = run->jobs,
                                  .n = run->count,
                                  .work = find_one,
                                  .arg = &s,
                                  .memory = workers,
                                  .memory_size = sizeof *workers};
    status = cli_pool_run(&pool) ? CLI_FINE : CLI_BAD;
    for (uint64_t i = 0; i < run->jobs; i++)
        oc_witness_destroy(workers[i].eyes.witness);
    free(workers);
    puzzles_ocean_close(&s.ocean);
    return status;
}

static int each_game(const struct puzzles_run *run,
                     int (*does)(const struct puzzles_run *run, const struct fm_game *game))
{
    const struct fm_game *g;
    int status = CLI_FINE;
    for (size_t i = 0; status == CLI_FINE && (g = fm_game_at(i)) != NULL; i++)
        if (run->game == g || (run->game == NULL && fm__study_of(g) != NULL))
            status = does(run, g);
    return status;
}

int puzzles_find(const struct puzzles_run *run)
{
    int status = puzzles_check_folder(run->folder);
    if (status == CLI_FINE)
        status = each_game(run, find);
    return status == CLI_FINE ? each_game(run, puzzles_sort) : status;
}
