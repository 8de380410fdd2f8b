/* fathom/games.h: the games there are; a new game adds one line. */
#ifndef FATHOM_GAMES_H
#define FATHOM_GAMES_H

#include <fathom/game.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FM_GAMES(X) X(soumsoum) X(dive) X(divercity)

#define X(name) extern const struct fm_game fm_game_##name;
FM_GAMES(X)
#undef X

#ifdef __cplusplus
}
#endif

#endif
