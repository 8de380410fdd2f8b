/* tally.c: sums over simulated games, and the statistics made from them. */
#include "cli/tally.h"

#include "base/panic.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_traits(struct tally *t, uint32_t traits, uint32_t won)
{
    for (unsigned i = 0; i < TALLY_TRAITS; i++) {
        t->had[i] += traits >> i & 1;
        t->had_won[i] += traits >> i & won;
    }
}

void tally_add(struct tally *t, const struct fm_outcome *outcome, uint64_t moves,
               struct fm_view watcher)
{
    fm_assert(outcome->reason < TALLY_REASONS);
    t->games++;
    t->moves += moves;
    t->shared += __builtin_popcount(outcome->winners) + outcome->automaton != 1;
    t->automaton += outcome->automaton;
    t->reason[outcome->reason]++;
    t->length[outcome->length < TALLY_LENGTHS ? outcome->length : TALLY_LENGTHS - 1]++;
    for (unsigned seat = 0; seat < FM_MAX_SEATS; seat++) {
        const int64_t score = outcome->score[seat];
        t->wins[seat] += outcome->winners >> seat & 1;
        t->score[seat] += score;
        t->score_squared[seat] += score * score;
    }
    for (unsigned seat = 0; watcher.game->traits != NULL && seat < watcher.pub->n_seats; seat++)
        add_traits(t, watcher.game->traits_of(watcher.pub, seat), outcome->winners >> seat & 1);
}

/* The first seat of the bot that sits here. */
static unsigned first_seat(const struct fm_bot *const *bots, unsigned seat)
{
    unsigned first = 0;
    while (bots[first] != bots[seat])
        first++;
    return first;
}

void tally_add_losses(struct tally *t, const struct fm_bot *const *bots, unsigned n_seats,
                      const struct tally_loss *loss)
{
    struct tally_loss bot[FM_MAX_SEATS] = {{0, 0}};
    for (unsigned seat = 0; seat < n_seats; seat++) {
        struct tally_loss *sum = &bot[first_seat(bots, seat)];
        sum->decisions += loss[seat].decisions;
        sum->lost += loss[seat].lost;
        losses_add(&t->seat[seat], loss[seat].decisions, loss[seat].lost);
    }
    for (unsigned seat = 0; seat < n_seats; seat++)
        if (first_seat(bots, seat) == seat)
            losses_add(&t->bot[seat], bot[seat].decisions, bot[seat].lost);
}

void tally_merge(struct tally *t, const struct tally *other)
{
    t->games += other->games;
    t->moves += other->moves;
    t->shared += other->shared;
    t->automaton += other->automaton;
    for (unsigned i = 0; i < FM_MAX_SEATS; i++) {
        t->wins[i] += other->wins[i];
        t->score[i] += other->score[i];
        t->score_squared[i] += other->score_squared[i];
        losses_merge(&t->seat[i], &other->seat[i]);
        losses_merge(&t->bot[i], &other->bot[i]);
    }
    for (unsigned i = 0; i < TALLY_REASONS; i++)
        t->reason[i] += other->reason[i];
    for (unsigned i = 0; i < TALLY_LENGTHS; i++)
        t->length[i] += other->length[i];
    for (unsigned i = 0; i < TALLY_TRAITS; i++) {
        t->had[i] += other->had[i];
        t->had_won[i] += other->had_won[i];
    }
}

/* ---- figures --------------------------------------------------------------------------------- */

struct share {
    double value, low, high; /* Wilson's 95 % interval */
};

static struct share share_of(uint64_t wins, uint64_t games)
{
    const double z = 1.959964, n = (double)games, p = (double)wins / n;
    const double middle = p + z * z / (2 * n);
    const double half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    const double scale = 1 + z * z / n;
    return (struct share){p, fmax(0, (middle - half) / scale), fmin(1, (middle + half) / scale)};
}

static double mean_score(const struct tally *t, unsigned seat)
{
    return (double)t->score[seat] / (double)t->games;
}

static double deviation(const struct tally *t, unsigned seat)
{
    const double mean = mean_score(t, seat);
    return sqrt(fmax(0, (double)t->score_squared[seat] / (double)t->games - mean * mean));
}

static double mean_length(const struct tally *t)
{
    double sum = 0;
    for (unsigned i = 0; i < TALLY_LENGTHS; i++)
        sum += (double)i * (double)t->length[i];
    return sum / (double)t->games;
}

static unsigned median_length(const struct tally *t)
{
    uint64_t below = 0;
    for (unsigned i = 0; i < TALLY_LENGTHS; i++) {
        below += t->length[i];
        if (2 * below >= t->games)
            return i;
    }
    return TALLY_LENGTHS;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void js_fixed(struct fm_out *o, const char *key, double value)
{
    fm_js_key(o, key);
    fm_js_fixed(o, value, 4);
}

static void js_lengths(struct fm_out *o, const struct tally *t, const char *unit)
{
    fm_js_key(o, unit);
    fm_js_object(o);
    js_fixed(o, "mean", mean_length(t));
    fm_js_key_int(o, "median", median_length(t));
    fm_js_key(o, "histogram");
    fm_js_object(o);
    for (unsigned i = 0; i < TALLY_LENGTHS; i++) {
        char key[16];
        (void)snprintf(key, sizeof key, "%u", i);
        if (t->length[i] > 0)
            fm_js_key_int(o, key, (int64_t)t->length[i]);
    }
    fm_js_end_object(o);
    fm_js_end_object(o);
}

static void js_wins(struct fm_out *o, uint64_t wins, uint64_t games)
{
    const struct share share = share_of(wins, games);
    fm_js_key_int(o, "wins", (int64_t)wins);
    js_fixed(o, "share", share.value);
    js_fixed(o, "low", share.low);
    js_fixed(o, "high", share.high);
}

static void js_seat(struct fm_out *o, const struct tally *t, const struct tally_run *run,
                    unsigned seat)
{
    fm_js_object(o);
    fm_js_key_int(o, "seat", seat);
    fm_js_key_text(o, "bot", run->bots[seat]->id);
    js_wins(o, t->wins[seat], t->games);
    js_fixed(o, "score", mean_score(t, seat));
    js_fixed(o, "score_sd", deviation(t, seat));
    if (run->budget != NULL)
        losses_put_json(o, &t->seat[seat]);
    fm_js_end_object(o);
}

/* Whether the player without a seat plays at this table: an option with its name is set. */
static bool automaton_plays(const struct fm_setup *setup)
{
    const struct fm_game *g = setup->game;
    for (uint32_t i = 0; g->automaton != NULL && i < g->n_options; i++)
        if (strcmp(g->options[i].name, g->automaton) == 0)
            return setup->option[i] != 0;
    return false;
}

/* For each trait: how many seats had it, and how many of them won. */
static void js_traits(struct fm_out *o, const struct tally *t, const char *const *names)
{
    fm_js_key(o, "traits");
    fm_js_object(o);
    for (unsigned i = 0; names[i] != NULL; i++) {
        if (t->had[i] == 0)
            continue;
        fm_js_key(o, names[i]);
        fm_js_object(o);
        fm_js_key_int(o, "seats", (int64_t)t->had[i]);
        js_wins(o, t->had_won[i], t->had[i]);
        fm_js_end_object(o);
    }
    fm_js_end_object(o);
}

static void js_bots(struct fm_out *o, const struct tally *t, const struct tally_run *run)
{
    fm_js_key_word(o, "budget", run->budget);
    fm_js_key(o, "bots");
    fm_js_array(o);
    for (unsigned seat = 0; seat < run->setup->n_seats; seat++) {
        if (first_seat(run->bots, seat) != seat)
            continue;
        fm_js_object(o);
        fm_js_key_text(o, "bot", run->bots[seat]->id);
        losses_put_json(o, &t->bot[seat]);
        fm_js_end_object(o);
    }
    fm_js_end_array(o);
}

void tally_put_json(struct fm_out *o, const struct tally *t, const struct tally_run *run)
{
    const struct fm_game *g = run->setup->game;
    fm_js_object(o);
    fm_js_key_text(o, "game", g->id);
    fm_js_key(o, "options");
    fm_put_options(o, run->setup);
    fm_js_key(o, "deck");
    fm_js_hex(o, run->setup->deck.hash, sizeof run->setup->deck.hash);
    fm_js_key_text(o, "seed", run->seed);
    fm_js_key_int(o, "from", (int64_t)run->from);
    fm_js_key_int(o, "games", (int64_t)t->games);
    fm_js_key_int(o, "moves", (int64_t)t->moves);
    js_lengths(o, t, g->length_unit);
    fm_js_key(o, "reasons");
    fm_js_object(o);
    for (unsigned i = 0; g->reasons[i] != NULL; i++)
        fm_js_key_int(o, g->reasons[i], (int64_t)t->reason[i]);
    fm_js_end_object(o);
    fm_js_key_int(o, "not_one_winner", (int64_t)t->shared);
    fm_js_key(o, "seats");
    fm_js_array(o);
    for (unsigned seat = 0; seat < run->setup->n_seats; seat++)
        js_seat(o, t, run, seat);
    fm_js_end_array(o);
    if (run->budget != NULL)
        js_bots(o, t, run);
    if (g->traits != NULL)
        js_traits(o, t, g->traits);
    if (automaton_plays(run->setup)) {
        fm_js_key(o, g->automaton);
        fm_js_object(o);
        js_wins(o, t->automaton, t->games);
        fm_js_end_object(o);
    }
    fm_js_end_object(o);
}

/* ---- for people ------------------------------------------------------------------------------ */

/* For each seat; and for a bot that has several, for all of them together. */
static void put_losses(struct fm_out *o, const struct tally *t, const struct tally_run *run)
{
    char text[16];
    const unsigned n = run->setup->n_seats;
    fm_put(o, "  chance to win that was lost by choices, for each decision (");
    fm_put(o, run->budget);
    fm_put(o, ")\n  seat  bot           lost  standard error  decisions\n");
    for (unsigned seat = 0; seat < n; seat++) {
        (void)snprintf(text, sizeof text, "%u", seat);
        losses_put_text(o, &t->seat[seat], text, run->bots[seat]->id);
    }
    for (unsigned seat = 0; seat < n; seat++)
        if (first_seat(run->bots, seat) == seat &&
            t->bot[seat].decisions != t->seat[seat].decisions)
            losses_put_text(o, &t->bot[seat], "all", run->bots[seat]->id);
}

void tally_put_text(struct fm_out *o, const struct tally *t, const struct tally_run *run)
{
    const struct fm_game *g = run->setup->game;
    char line[160];
    (void)snprintf(line, sizeof line, "%s: %llu game%s, %.2f %s each (median %u), seed %.64s\n",
                   g->title, (unsigned long long)t->games, t->games == 1 ? "" : "s", mean_length(t),
                   g->length_unit, median_length(t), run->seed);
    fm_put(o, line);
    fm_put(o, "  seat  bot          won           95 % interval      mean score\n");
    for (unsigned seat = 0; seat < run->setup->n_seats; seat++) {
        const struct share s = share_of(t->wins[seat], t->games);
        (void)snprintf(line, sizeof line,
                       "  %4u  %-10s %6.2f %%   %6.2f - %5.2f %%   %8.2f +- %.2f\n", seat,
                       run->bots[seat]->id, 100 * s.value, 100 * s.low, 100 * s.high,
                       mean_score(t, seat), deviation(t, seat));
        fm_put(o, line);
    }
    if (automaton_plays(run->setup)) {
        const struct share s = share_of(t->automaton, t->games);
        (void)snprintf(line, sizeof line, "  %-16s %6.2f %%   %6.2f - %5.2f %%\n", g->automaton,
                       100 * s.value, 100 * s.low, 100 * s.high);
        fm_put(o, line);
    }
    for (unsigned i = 0; g->reasons[i] != NULL && g->reasons[1] != NULL; i++) {
        (void)snprintf(line, sizeof line, "  ended by %s: %.2f %%\n", g->reasons[i],
                       100 * (double)t->reason[i] / (double)t->games);
        fm_put(o, t->reason[i] ? line : "");
    }
    if (run->budget != NULL)
        put_losses(o, t, run);
}
