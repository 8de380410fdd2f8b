/* divercity_tycoon.c: plays DiverCity's corporations: the card that hurts most now. */
#include "divercity/bots/divercity_bots.h"
#include "divercity/bots/divercity_sense.h"
#include "divercity/bots/divercity_why.h"

/* All hands lie open to the industrialist: the dynamite's card is what it cannot see. */
fm_action divercity_tycoon_choose(struct fm_view v)
{
    struct sense s;
    unsigned best = 0;
    int most = 0;
    divercity_sense_init(&s, v, &divercity_weights_ranger);
    for (unsigned i = 0; i < s.pub->industry_n; i++) {
        const int harm = divercity_sense_corp_harm(&s, s.priv->corp[i], s.pub->active);
        if (i == 0 || harm > most) {
            best = i;
            most = harm;
        }
    }
    return divercity_action(DIVERCITY_DO_INDUSTRY, best, 0);
}

static struct fm_choice think(struct fm_view v, struct fm_rng *rng, struct fm_budget budget)
{
    const struct divercity_pub *pub = (const void *)v.pub;
    if (v.seat != pub->industrialist) /* only that seat is its own; others are a ranger's */
        return fm_bot_divercity_ranger.think(v, rng, budget);
    return (struct fm_choice){
        .action = v.pub->phase == DIVERCITY_INDUSTRY_PLAY ? divercity_tycoon_choose(v) : 0,
        .after_ms = 900 + fm_rng_below(rng, 1200)};
}

const struct fm_bot fm_bot_divercity_tycoon = {
    .id = "tycoon",
    .game = "divercity",
    .about = "the industrialist: the corporation card that hurts most now",
    .think = think,
    .reasoning = &divercity_reasoning,
};
