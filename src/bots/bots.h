/* bots.h: the bots there are: `random`, which plays any game, and those of each game's bots/. */
#ifndef BOTS_H
#define BOTS_H

#include <fathom/bot.h>

extern const struct fm_bot fm_bot_random;

extern const struct fm_bot *const fm__bots[]; /* all of them, then NULL; made by tools/games */

#endif
