/* soumsoum_greedy.c: plays Soum Soum one step ahead. */
#include "soumsoum/bots/soumsoum_bots.h"
#include "soumsoum/bots/soumsoum_sense.h"
#include "soumsoum/bots/soumsoum_why.h"

static struct fm_choice think(struct fm_view v, struct fm_rng *rng, struct fm_budget budget)
{
    (void)budget;
    struct fm_choice choice = {.after_ms = 800 + fm_rng_below(rng, 1200)};
    choice.action = soumsoum_greedy_choice(v);
    return choice;
}

const struct fm_bot fm_bot_soumsoum_greedy = {
    .id = "greedy",
    .game = "soumsoum",
    .about = "one step ahead: the placement and diver with the best prospect",
    .think = think,
    .reasoning = &soumsoum_reasoning,
};
