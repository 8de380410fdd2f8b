/* search_step.c: one step ahead: all options in the same worlds, the worse ones given up. */
#include "bots/search.h"

#include "base/bits.h"
#include "base/panic.h"

#include <math.h>
#include <string.h>

#define BATCH  16   /* worlds between two looks at the figures */
#define BEHIND 2.5f /* standard errors after which an option is given up */
#define DOUBT  1.0f /* standard errors by which another one must be better than the first */

struct step {
    const struct search_policy *policy;
    struct fm_rng *rng;
    struct fm_view from;
    fm_action option[SEARCH_WIDTH];
    size_t n;                                /* options still alive */
    float worlds;                            /* that all of them were tried in */
    float sum[SEARCH_WIDTH];                 /* of their values */
    float cross[SEARCH_WIDTH][SEARCH_WIDTH]; /* of products of two values */
    _Alignas(8) uint8_t world[FM_STATE_MAX], state[FM_STATE_MAX];
};

static bool act(struct step *s, unsigned seat, fm_action action)
{
    const struct fm_event ev = {.t_ms = ((const struct fm_pub *)(const void *)s->state)->now_ms,
                                .seat = (uint8_t)seat,
                                .action = action};
    return fm_apply(s->from.game, s->state, &ev, NULL) == FM_OK;
}

/* What becomes of an option in the present world. */
static float try_out(struct step *s, fm_action option)
{
    const struct fm_game *game = s->from.game;
    const struct fm_pub *pub = (const void *)s->state;
    struct fm_outcome outcome = {0};
    float value;
    memcpy(s->state, s->world, game->state_size);
    const struct fm_view own = fm_view_of(game, s->state, s->from.seat);
    fm_assert(act(s, (unsigned)s->from.seat, option));
    while (pub->status != FM_OVER && pub->owes != 0) {
        const unsigned seat = fm__lowest(pub->owes);
        if (s->policy->judge != NULL && s->policy->judge(own, s->from, &value))
            return value;
        if (!act(s, seat, s->policy->quick(fm_view_of(game, s->state, (int)seat), s->rng)))
            break;
    }
    game->outcome(s->state, &outcome);
    return s->policy->value(&outcome, pub->n_seats, (unsigned)s->from.seat);
}

static void try_all(struct step *s)
{
    float value[SEARCH_WIDTH];
    for (size_t i = 0; i < s->n; i++) {
        value[i] = try_out(s, s->option[i]);
        s->sum[i] += value[i];
        for (size_t j = 0; j <= i; j++)
            s->cross[i][j] += value[i] * value[j];
    }
    s->worlds++;
}

static float cross(const struct step *s, size_t i, size_t j)
{
    return i > j ? s->cross[i][j] : s->cross[j][i];
}

/* By how much i is ahead of j, in standard errors of that difference. */
static float ahead(const struct step *s, size_t i, size_t j)
{
    const float n = s->worlds, by = (s->sum[i] - s->sum[j]) / n;
    const float spread = (cross(s, i, i) - 2 * cross(s, i, j) + cross(s, j, j)) / n - by * by;
    return by / sqrtf((spread > 0 ? spread : 0) / n + 1e-6f);
}

static size_t leader(const struct step *s)
{
    size_t best = 0;
    for (size_t i = 1; i < s->n; i++)
        if (s->sum[i] > s->sum[best])
            best = i;
    return best;
}

static void drop(struct step *s, size_t i)
{
    s->n--;
    for (size_t k = i; k < s->n; k++) {
        s->option[k] = s->option[k + 1];
        s->sum[k] = s->sum[k + 1];
    }
    for (size_t k = 0; k < s->n; k++)
        for (size_t j = 0; j <= k; j++)
            s->cross[k][j] = s->cross[k + (k >= i)][j + (j >= i)];
}

static void give_up(struct step *s)
{
    size_t best = leader(s);
    for (size_t i = s->n; i-- > 0;) {
        if (i == best || ahead(s, best, i) < BEHIND)
            continue;
        drop(s, i);
        best -= i < best;
    }
}

fm_action fm__search_step(struct fm_view v, const struct search_policy *policy, uint32_t usual,
                          struct fm_budget budget, struct fm_rng *rng)
{
    static _Thread_local struct step s;
    const uint32_t playouts = budget.iterations > 0 ? budget.iterations : usual;
    bool late = false;
    memset(s.sum, 0, sizeof s.sum);
    memset(s.cross, 0, sizeof s.cross);
    s.policy = policy;
    s.rng = rng;
    s.from = v;
    s.worlds = 0;
    s.n = policy->options(v, s.option, SEARCH_WIDTH);
    if (s.n == 0)
        return 0;
    const fm_action first = s.option[0];
    for (uint32_t done = 0; s.n > 1 && done < playouts && !late;) {
        for (int i = 0; i < BATCH && done < playouts && !late; i++, done += (uint32_t)s.n) {
            if (v.game->deal(s.world, v, rng) != FM_OK)
                return first;
            try_all(&s);
            late = fm_time_up(&budget);
        }
        give_up(&s);
    }
    const size_t best = leader(&s);
    return s.option[0] != first || ahead(&s, best, 0) > DOUBT ? s.option[best] : first;
}
