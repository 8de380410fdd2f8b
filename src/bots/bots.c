/* bots.c: bots by number and by name. */
#include "bots/bots.h"

#include <string.h>

static const struct fm_bot *const bots[] = {
#define X(name) &fm_bot_##name,
    FM_BOTS(X)
#undef X
};

const struct fm_bot *fm_bot_at(size_t i)
{
    return i < sizeof bots / sizeof bots[0] ? bots[i] : NULL;
}

const struct fm_bot *fm_bot_find(const struct fm_game *game, const char *id)
{
    for (size_t i = 0; i < sizeof bots / sizeof bots[0]; i++)
        if (strcmp(bots[i]->id, id) == 0 &&
            (bots[i]->game == NULL || strcmp(bots[i]->game, game->id) == 0))
            return bots[i];
    return NULL;
}
