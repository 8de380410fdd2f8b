/* divercity_bots.h: the bots of DiverCity, weakest first: pages offer them in this order. */
#ifndef DIVERCITY_BOTS_H
#define DIVERCITY_BOTS_H

#include <fathom/bot.h>

#define DIVERCITY_BOTS(X)                                                                          \
    X(divercity_tycoon)                                                                            \
    X(divercity_baron)                                                                             \
    X(divercity_ranger)                                                                            \
    X(divercity_warden)

#define X(name) extern const struct fm_bot fm_bot_##name;
DIVERCITY_BOTS(X)
#undef X

#endif
