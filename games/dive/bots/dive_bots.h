/* dive_bots.h: the bots of Dive, weakest first: pages offer them in this order. */
#ifndef DIVE_BOTS_H
#define DIVE_BOTS_H

#include <fathom/bot.h>

#define DIVE_BOTS(X)                                                                               \
    X(dive_minnow)                                                                                 \
    X(dive_steady)                                                                                 \
    X(dive_mako)

#define X(name) extern const struct fm_bot fm_bot_##name;
DIVE_BOTS(X)
#undef X

#endif
