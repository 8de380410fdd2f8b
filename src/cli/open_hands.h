/*
 * open_hands.h: DiverCity for cheats: everybody sees the own hand too.
 *
 * Only for measuring what not knowing one's own hand costs. No table can be opened with it: it is
 * no game of the registry and no option of one. Future cards and shuffles stay unknown.
 */
#ifndef CLI_OPEN_HANDS_H
#define CLI_OPEN_HANDS_H

#include <fathom/game.h>

const struct fm_game *cli_open_hands(const struct fm_game *divercity);

#endif
