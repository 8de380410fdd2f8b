/* random.c: plays any game, every legal action equally likely. */
#include "bots/bots.h"

static struct fm_choice think(struct fm_view v, struct fm_rng *rng, struct fm_budget budget)
{
    (void)budget;
    return (struct fm_choice){.action = v.game->sample(v, rng),
                              .after_ms = 500 + fm_rng_below(rng, 1500)};
}

const struct fm_bot fm_bot_random = {
    .id = "random",
    .about = "any legal action, each as likely",
    .think = think,
};
