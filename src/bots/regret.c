/* regret.c: regret matching. */
#include "bots/regret.h"

#include "base/panic.h"

#define HARDLY .05f /* of the most frequent action: less is an accident of learning */

void regret_init(struct regret *r, unsigned n)
{
    fm_assert(n > 0 && n <= REGRET_ACTIONS);
    r->n = n;
    r->rounds = 0;
    for (unsigned i = 0; i < n; i++) {
        r->regret[i] = r->played[i] = 0;
        r->now[i] = 1 / (float)n;
    }
}

static unsigned draw(const float *weight, unsigned n, float least, float sum, struct fm_rng *rng)
{
    float u = (float)(fm_rng_u32(rng) >> 8) * 0x1p-24f * sum;
    unsigned last = 0;
    for (unsigned i = 0; i < n; i++) {
        if (weight[i] <= least)
            continue;
        last = i;
        u -= weight[i];
        if (u < 0)
            break;
    }
    return last;
}

unsigned regret_pick(const struct regret *r, struct fm_rng *rng)
{
    return draw(r->now, r->n, 0, 1, rng);
}

void regret_learn(struct regret *r, const float value[])
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

unsigned regret_choose(const struct regret *r, struct fm_rng *rng)
{
    float most = 0, sum = 0;
    for (unsigned i = 0; i < r->n; i++)
        most = r->played[i] > most ? r->played[i] : most;
    for (unsigned i = 0; i < r->n; i++)
        sum += r->played[i] > HARDLY * most ? r->played[i] : 0;
    return draw(r->played, r->n, HARDLY * most, sum, rng);
}
