/* moray_bots.h: the bots of Moray, weakest first: pages offer them in this order. */
#ifndef MORAY_BOTS_H
#define MORAY_BOTS_H

#include <fathom/bot.h>

#define MORAY_BOTS(X) X(moray_grouper)

#define X(name) extern const struct fm_bot fm_bot_##name;
MORAY_BOTS(X)
#undef X

#endif
