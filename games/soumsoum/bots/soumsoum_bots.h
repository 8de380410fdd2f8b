/* soumsoum_bots.h: the bots of Soum Soum, weakest first: pages offer them in this order. */
#ifndef SOUMSOUM_BOTS_H
#define SOUMSOUM_BOTS_H

#include <fathom/bot.h>

#define SOUMSOUM_BOTS(X)                                                                           \
    X(soumsoum_paddler)                                                                            \
    X(soumsoum_snorkeller)                                                                         \
    X(soumsoum_greedy)                                                                             \
    X(soumsoum_diver)                                                                              \
    X(soumsoum_abyss)

#define X(name) extern const struct fm_bot fm_bot_##name;
SOUMSOUM_BOTS(X)
#undef X

#endif
