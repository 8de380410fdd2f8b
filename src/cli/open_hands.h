/*
 * open_hands.h: a game with open hands: every seat also sees its own hand, where the rules hide it.
 *
 * Only to measure what it costs not to know one's own hand. No table can be opened with it: it is
 * neither a game of the registry nor an option of one. Future cards and shuffles stay unknown.
 */
#ifndef CLI_OPEN_HANDS_H
#define CLI_OPEN_HANDS_H

#include <fathom/game.h>

const struct fm_game *cli_open_hands(const struct fm_game *game); /* it has open_hands() */

#endif
