/* registry.c: games by number and by name. */
#include <fathom/games.h>

#include <string.h>

static const struct fm_game *const games[] = {
#define X(name) &fm_game_##name,
    FM_GAMES(X)
#undef X
};

const struct fm_game *fm_game_at(size_t i)
{
    return i < sizeof games / sizeof games[0] ? games[i] : NULL;
}

const struct fm_game *fm_game_find(const char *id)
{
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++)
        if (strcmp(games[i]->id, id) == 0)
            return games[i];
    return NULL;
}
