/*
 * soumsoum_search.c: plays Soum Soum by looking ahead: paddler, snorkeller, diver, abyss.
 *
 * They differ by how far they look. The strongest solves the last turns exactly.
 */
#include "base/bits.h"
#include "bots/search.h"
#include "soumsoum/bots/soumsoum_bots.h"
#include "soumsoum/bots/soumsoum_sense.h"
#include "soumsoum/bots/soumsoum_why.h"

#define PADDLER_IDEAS 2
#define ABYSS         2000 /* deals that the strongest looks through */
#define WIDE          12   /* placements considered while there are many */

struct ranked {
    fm_action action;
    int value;
};

/* The best `keep` of them, best first. */
static size_t put_best(struct ranked *r, size_t n, size_t keep, fm_action *out)
{
    for (size_t i = 0; i < n && i < keep; i++) {
        size_t best = i;
        for (size_t j = i + 1; j < n; j++)
            if (r[j].value > r[best].value)
                best = j;
        const struct ranked swap = r[i];
        r[i] = r[best];
        r[best] = swap;
        out[i] = r[i].action;
    }
    return n < keep ? n : keep;
}

static size_t placements(struct fm_view v, fm_action *out, size_t cap)
{
    const struct soumsoum_pub *pub = (const void *)v.pub;
    const struct soumsoum_priv *priv = (const void *)v.priv;
    struct soumsoum_survey survey;
    soumsoum_survey(&survey, pub, (unsigned)v.seat);
    struct ranked r[SOUMSOUM_HAND * SOUMSOUM_PLACES];
    size_t n = 0;
    for (unsigned i = 0; i < pub->hand_n[v.seat]; i++)
        for (uint32_t m = pub->empty; m != 0; m &= m - 1) {
            const unsigned place = fm__lowest(m);
            r[n++] = (struct ranked){soumsoum_action(SOUMSOUM_DO_PLACE, i, place),
                                     soumsoum_judge(&survey, priv->hand[i], place)};
        }
    return put_best(r, n, fm__count(pub->empty) <= 3 || cap < WIDE ? cap : WIDE, out);
}

static size_t dives(struct fm_view v, fm_action *out, size_t cap)
{
    const struct soumsoum_pub *pub = (const void *)v.pub;
    struct ranked r[SOUMSOUM_PLACES + 1];
    size_t n = 0;
    r[n++] = (struct ranked){soumsoum_action(SOUMSOUM_DO_PASS, 0, 0),
                             soumsoum_threshold(pub, (unsigned)v.seat)};
    if (pub->divers_left[v.seat] > 0)
        for (uint32_t m = pub->free; m != 0; m &= m - 1)
            r[n++] = (struct ranked){soumsoum_action(SOUMSOUM_DO_DIVER, 0, fm__lowest(m)),
                                     soumsoum_prospect(pub, fm__lowest(m))};
    return put_best(r, n, cap < 6 ? cap : 6, out);
}

static size_t options(struct fm_view v, fm_action *out, size_t cap)
{
    if (v.pub->phase == SOUMSOUM_PLACE)
        return placements(v, out, cap);
    if (v.pub->phase == SOUMSOUM_DIVER)
        return dives(v, out, cap);
    const size_t n = v.game->legal(v, out, cap);
    return n < cap ? n : cap;
}

static fm_action quick(struct fm_view v, struct fm_rng *rng)
{
    (void)rng;
    return soumsoum_greedy_choice(v);
}

/* Winning counts most; a wider margin breaks ties between ways to win or lose. */
static float value(const struct fm_outcome *o, unsigned n_seats, unsigned seat)
{
    int best = 0;
    for (unsigned i = 0; i < n_seats; i++)
        if (i != seat && o->score[i] > best)
            best = o->score[i];
    float margin = (float)(o->score[seat] - best) / 24.0f;
    margin = margin < -1 ? -1 : margin > 1 ? 1 : margin;
    return (o->winners >> seat & 1 ? 0.6f : 0.0f) + 0.2f + 0.2f * margin;
}

const struct search_policy soumsoum_policy = {
    .options = options, .quick = quick, .value = value, .curiosity = 0.35f};

/* A casual player: one of the first few ideas, whichever. */
static fm_action idea(struct fm_view v, struct fm_rng *rng, size_t ideas)
{
    fm_action option[SEARCH_WIDTH];
    const size_t n = options(v, option, SEARCH_WIDTH);
    return n == 0 ? 0 : option[fm_rng_below(rng, (uint32_t)(n < ideas ? n : ideas))];
}

static struct fm_choice choose(struct fm_view v, struct fm_rng *rng, uint32_t iterations,
                               struct fm_budget budget)
{
    struct fm_choice choice = {.after_ms = 800 + fm_rng_below(rng, 1200)};
    if (iterations == ABYSS)
        choice.action = soumsoum_solve(v);
    if (choice.action != 0)
        return choice;
    if (iterations == 0)
        choice.action = idea(v, rng, PADDLER_IDEAS);
    else
        choice.action = fm__search_best(v, &soumsoum_policy, iterations, budget, rng);
    return choice;
}

/* A level: its name, how many deals it looks through, and a sentence about it. */
#define LEVEL(name, iterations, sentence)                                                          \
    static struct fm_choice think_##name(struct fm_view v, struct fm_rng *rng,                     \
                                         struct fm_budget budget)                                  \
    {                                                                                              \
        return choose(v, rng, iterations, budget);                                                 \
    }                                                                                              \
    const struct fm_bot fm_bot_soumsoum_##name = {.id = #name,                                     \
                                                  .game = "soumsoum",                              \
                                                  .about = sentence,                               \
                                                  .think = think_##name,                           \
                                                  .reasoning = &soumsoum_reasoning}

LEVEL(paddler, 0, "casual: one of its first ideas");
LEVEL(snorkeller, 12, "a glance ahead");
LEVEL(diver, 80, "looks ahead through some possible deals");
LEVEL(abyss, ABYSS, "looks ahead through many possible deals, and solves the last turns");
