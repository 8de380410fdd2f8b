/* arena_deal.c: plays one deal of a tournament with the seats swapped, and stores its points. */
#include "cli/arena_run.h"

#include "base/hash.h"

#include <errno.h>
#include <string.h>

/* Which bot sits where in a game. Versus: the two alternate around the table and swap in the second
 * game. With a partner: the bot moves one seat to the right in every game. */
static unsigned who(enum arena_mode mode, unsigned game, unsigned seat)
{
    return mode == ARENA_VERSUS ? (seat + game) % 2 : mode == ARENA_PARTNER ? seat != game : 0;
}

static enum fm_err play(const struct arena_run *run, struct fm_sim *sim,
                        const struct fm_setup *setup, const struct fm_bot *const *bots,
                        struct fm_outcome *outcome)
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

/* Points of a game: shared by its winners; in a cooperative game everybody wins or nobody does. */
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

static void deal_seed(const struct arena_run *run, uint64_t deal, uint8_t seed[FM_SEED_BYTES])
{
    const struct fm_span spans[] = {{run->seed, sizeof run->seed}, {&deal, sizeof deal}};
    fm__hash(seed, "fathom arena deal 1", spans, 2);
}

static bool keep(struct arena_run *run, unsigned entry, uint64_t deal, const unsigned points[2])
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

bool arena_play_deal(void *arg, void *memory, uint64_t i)
{
    struct arena_run *run = arg;
    struct arena_worker *w = memory;
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
