/* bots.h: the bots there are; a new one adds one line. */
#ifndef BOTS_H
#define BOTS_H

#include <fathom/bot.h>

/* Weakest first: pages offer them in this order. */
#define FM_BOTS(X)                                                                                 \
    X(random)                                                                                      \
    X(soumsoum_paddler)                                                                            \
    X(soumsoum_snorkeller)                                                                         \
    X(soumsoum_greedy)                                                                             \
    X(soumsoum_diver)                                                                              \
    X(soumsoum_abyss)                                                                              \
    X(dive_steady)                                                                                 \
    X(dive_mako)                                                                                   \
    X(divercity_tycoon)                                                                            \
    X(divercity_baron)                                                                             \
    X(divercity_ranger)                                                                            \
    X(divercity_warden)

#define X(name) extern const struct fm_bot fm_bot_##name;
FM_BOTS(X)
#undef X

#endif
