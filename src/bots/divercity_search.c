/*
 * divercity_search.c: a diver who tries every action out before it acts.
 *
 * Deals its own hand and the decks anew from all it knows, takes each action in turn, lets
 * everybody go on as rangers would from what they then see, and counts how often that wins. What
 * partners will do is thus known in every dealt world, as Lerer and others do for Hanabi (2019).
 */
#include "bots/bots.h"
#include "bots/divercity_sense.h"
#include "bots/search.h"

/* The ranger's choice first; then whatever else is legal and can be named on its own. */
static size_t options(struct fm_view v, fm_action *out, size_t cap)
{
    fm_action legal[FM_LEGAL_MAX];
    const size_t n = v.game->legal(v, legal, FM_LEGAL_MAX);
    size_t kept = 0;
    const fm_action first = ranger_choose(v);
    if (first != 0)
        out[kept++] = first;
    if (first == 0 || fm_verb(first) == DIVERCITY_DO_CLAIM || v.pub->phase == DIVERCITY_SETUP)
        return kept;
    const uint32_t vague = v.game->open_verbs | v.game->quiet_verbs;
    for (size_t i = 0; i < n && i < FM_LEGAL_MAX && kept < cap; i++)
        if (legal[i] != first && !(vague >> fm_verb(legal[i]) & 1))
            out[kept++] = legal[i];
    return kept;
}

static fm_action quick(struct fm_view v, struct fm_rng *rng)
{
    (void)rng;
    return ranger_choose(v);
}

/* Winning is all; the number of saved or lost species says how near it was. */
static float value(const struct fm_outcome *o, unsigned n_seats, unsigned seat)
{
    (void)n_seats;
    return (o->winners >> seat & 1 ? 0.8f : 0.0f) + 0.2f * (float)o->score[seat] / 12.0f;
}

static const struct search_policy policy = {
    .options = options, .quick = quick, .value = value, .curiosity = 0.5f, .depth = 1};

static struct fm_choice think(struct fm_view v, struct fm_rng *rng, struct fm_budget budget)
{
    const uint32_t after_ms = 800 + fm_rng_below(rng, 1200);
    return (struct fm_choice){.action = search_best(v, &policy, 2000, budget, rng),
                              .after_ms = after_ms};
}

const struct fm_bot fm_bot_divercity_warden = {
    .id = "warden",
    .game = "divercity",
    .about = "tries every action out in many possible deals before it acts",
    .think = think,
};
