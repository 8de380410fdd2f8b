/* regret.c: regret matching. */
#include "bots/regret.h"

#include "base/panic.h"

#define HARDLY .1f /* of the most frequent action's share: anything rarer is an accident */

void fm__regret_init(struct regret *r, unsigned n)
{
    fm_assert(n > 0 && n <= REGRET_ACTIONS);
    r->n = n;
    r->rounds = 0;
    for (unsigned i = 0; i < n; i++) {
        r->regret[i] = r->played[i] = 0;
        r->now[i] = 1 / (float)n;
    }
}

unsigned fm__regret_pick(const struct regret *r, struct fm_rng *rng)
{
    float u = (float)(fm_rng_u32(rng) >> 8) * 0x1p-24f;
    unsigned last = 0;
    for (unsigned i = 0; i < r->n && u >= 0; i++) {
        if (r->now[i] <= 0)
            continue;
        last = i;
        u -= r->now[i];
    }
    return last;
}

void fm__regret_learn(struct regret *r, const float value[])
{
    float mean = 0, sum = 0;
    r->rounds++;
    for (unsigned i = 0; i < r->n; i++) {
        mean += r->now[i] * value[i];
        r->played[i] += r->now[i] * (float)r->rounds;
    }
    for (unsigned i = 0; i < r->n; i++) {
        const float regret = r->regret[i] + value[i] - mean;
        r->regret[i] = regret > 0 ? regret : 0;
        sum += r->regret[i];
    }
    for (unsigned i = 0; i < r->n; i++)
        r->now[i] = sum > 0 ? r->regret[i] / sum : 1 / (float)r->n;
}

unsigned fm__regret_choose(const struct regret *r, const float worth[])
{
    float most = 0;
    for (unsigned i = 0; i < r->n; i++)
        most = r->played[i] > most ? r->played[i] : most;
    unsigned best = r->n;
    for (unsigned i = 0; i < r->n; i++)
        if (r->played[i] > HARDLY * most && (best == r->n || worth[i] > worth[best]))
            best = i;
    return best;
}
