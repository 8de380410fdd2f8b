/* arena_sum.c: the results of a tournament: shares with their intervals, and ratings. */
#include "cli/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- entries --------------------------------------------------------------------------------- */

unsigned arena_entries(const struct arena *a)
{
    return a->mode == ARENA_VERSUS ? a->n_bots * (a->n_bots - 1) / 2 : a->n_bots;
}

unsigned arena_games(const struct arena *a)
{
    return a->mode == ARENA_VERSUS ? 2 : a->mode == ARENA_SELF ? 1 : a->n_seats;
}

void arena_entry(const struct arena *a, unsigned entry, unsigned bots[2])
{
    bots[0] = entry;
    bots[1] = a->mode == ARENA_PARTNER ? ARENA_PARTNER_BOT : entry;
    if (a->mode != ARENA_VERSUS)
        return;
    unsigned left = entry; /* pairs in the order 0-1, 0-2, …, 1-2, … */
    for (bots[0] = 0; left >= a->n_bots - 1 - bots[0]; bots[0]++)
        left -= a->n_bots - 1 - bots[0];
    bots[1] = bots[0] + 1 + left;
}

/* ---- deals ----------------------------------------------------------------------------------- */

void arena_result_init(struct arena_result *r, const struct arena *a)
{
    memset(r, 0, sizeof *r);
    r->done = cli_alloc((arena_entries(a) * a->deals + 7) / 8);
}

void arena_result_finish(struct arena_result *r)
{
    free(r->done);
    r->done = NULL;
}

bool arena_has(const struct arena_result *r, const struct arena *a, unsigned entry, uint64_t deal)
{
    const uint64_t bit = entry * a->deals + deal;
    return r->done[bit / 8] >> bit % 8 & 1;
}

bool arena_add(struct arena_result *r, const struct arena *a, unsigned entry, uint64_t deal,
               unsigned points_a, unsigned points_b)
{
    const uint64_t bit = entry * a->deals + deal;
    struct arena_sum *s = &r->sum[entry];
    if (arena_has(r, a, entry, deal))
        return false;
    r->done[bit / 8] |= (uint8_t)(1u << bit % 8);
    s->deals++;
    s->a += points_a;
    s->b += points_b;
    s->share_squared += (double)points_a * points_a;
    return true;
}

/* ---- figures --------------------------------------------------------------------------------- */

struct share {
    double mean, low, high;
};

/* The first bot's share of the games with its 95 % interval. The deal is the unit, since the games
 * of one deal are not independent. Wilson's interval if all deals came out the same. */
static struct share share_of(const struct arena *a, const struct arena_sum *s)
{
    const double n = (double)s->deals, unit = (double)ARENA_POINT * arena_games(a), z = 1.96;
    if (s->deals == 0)
        return (struct share){0, 0, 1};
    const double mean = (double)s->a / unit / n;
    double spread = s->share_squared / unit / unit / n - mean * mean;
    spread = spread > 0 ? spread : 0;
    const double wide = z * sqrt(spread / n);
    struct share share = {mean, mean - wide, mean + wide};
    if (spread == 0) {
        const double middle = (mean + z * z / (2 * n)) / (1 + z * z / n);
        const double half = z / (1 + z * z / n) * sqrt(mean * (1 - mean) / n + z * z / (4 * n * n));
        share.low = middle - half;
        share.high = middle + half;
    }
    share.low = share.low < 0 ? 0 : share.low;
    share.high = share.high > 1 ? 1 : share.high;
    return share;
}

/* The strength of a bot, given those of the others: one step of Hunter's iteration. */
static double strength_of(unsigned i, unsigned n, double won[ARENA_BOTS][ARENA_BOTS],
                          const double strength[ARENA_BOTS])
{
    double wins = 0, games = 0;
    for (unsigned j = 0; j < n; j++) {
        if (j == i)
            continue;
        wins += won[i][j];
        games += (won[i][j] + won[j][i]) / (strength[i] + strength[j]);
    }
    return wins / games;
}

/* Bradley-Terry ratings by Hunter's iteration; half a game is added to each side, so that a bot
 * that never won has a rating. The mean is 0. */
static void rate(const struct arena *a, const struct arena_result *r, double elo[ARENA_BOTS])
{
    double strength[ARENA_BOTS], won[ARENA_BOTS][ARENA_BOTS] = {{0}};
    const unsigned n = a->n_bots;
    unsigned entry = 0;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = i + 1; j < n; j++, entry++) {
            won[i][j] = (double)r->sum[entry].a / ARENA_POINT + 0.5;
            won[j][i] = (double)r->sum[entry].b / ARENA_POINT + 0.5;
        }
    for (unsigned i = 0; i < n; i++)
        strength[i] = 1;
    for (int round = 0; round < 2000; round++)
        for (unsigned i = 0; i < n; i++)
            strength[i] = strength_of(i, n, won, strength);
    double mean = 0;
    for (unsigned i = 0; i < n; i++)
        mean += (elo[i] = 400 * log10(strength[i])) / n;
    for (unsigned i = 0; i < n; i++)
        elo[i] -= mean;
}

void arena_put_json(struct fm_out *o, const struct arena *a, const struct arena_result *r)
{
    double elo[ARENA_BOTS];
    fm_js_object(o);
    fm_js_key(o, "tournament");
    fm_js_raw(o, a->header, strlen(a->header));
    fm_js_key(o, "entries");
    fm_js_array(o);
    for (unsigned e = 0; e < arena_entries(a); e++) {
        unsigned bots[2];
        const struct share share = share_of(a, &r->sum[e]);
        arena_entry(a, e, bots);
        fm_js_object(o);
        fm_js_key_text(o, "bot", a->name[bots[0]]);
        fm_js_key_text(o, a->mode == ARENA_VERSUS ? "against" : "with", a->name[bots[1]]);
        fm_js_key_int(o, "deals", (int64_t)r->sum[e].deals);
        fm_js_key_int(o, "games", (int64_t)(r->sum[e].deals * arena_games(a)));
        fm_js_key(o, "share");
        fm_js_fixed(o, share.mean, 4);
        fm_js_key(o, "low");
        fm_js_fixed(o, share.low, 4);
        fm_js_key(o, "high");
        fm_js_fixed(o, share.high, 4);
        fm_js_end_object(o);
    }
    fm_js_end_array(o);
    if (a->mode == ARENA_VERSUS) {
        rate(a, r, elo);
        fm_js_key(o, "elo");
        fm_js_object(o);
        for (unsigned i = 0; i < a->n_bots; i++) {
            fm_js_key(o, a->name[i]);
            fm_js_int(o, (int64_t)lround(elo[i]));
        }
        fm_js_end_object(o);
    }
    fm_js_end_object(o);
}

void arena_put_text(struct fm_out *o, const struct arena *a, const struct arena_result *r)
{
    char line[160];
    double elo[ARENA_BOTS];
    for (unsigned e = 0; e < arena_entries(a); e++) {
        unsigned bots[2];
        const struct share share = share_of(a, &r->sum[e]);
        arena_entry(a, e, bots);
        (void)snprintf(line, sizeof line, "%-14s %s %-14s %5.1f %%  (%.1f–%.1f)  %llu deals\n",
                       a->name[bots[0]], a->mode == ARENA_VERSUS ? "against" : "with   ",
                       a->name[bots[1]], 100 * share.mean, 100 * share.low, 100 * share.high,
                       (unsigned long long)r->sum[e].deals);
        fm_put(o, line);
    }
    if (a->mode != ARENA_VERSUS)
        return;
    rate(a, r, elo);
    fm_put(o, "\n");
    for (unsigned i = 0; i < a->n_bots; i++) {
        (void)snprintf(line, sizeof line, "%-14s Elo %+5ld\n", a->name[i], lround(elo[i]));
        fm_put(o, line);
    }
}
