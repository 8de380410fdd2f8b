/* bots.c: bots by number and by name. */
#include "bots/bots.h"

#include <string.h>

const struct fm_bot *fm_bot_at(size_t i)
{
    size_t at = 0;
    while (at < i && fm__bots[at] != NULL)
        at++;
    return fm__bots[at];
}

const struct fm_bot *fm_bot_find(const struct fm_game *game, const char *id)
{
    for (const struct fm_bot *const *bot = fm__bots; *bot != NULL; bot++)
        if (strcmp((*bot)->id, id) == 0 &&
            ((*bot)->game == NULL || strcmp((*bot)->game, game->id) == 0))
            return *bot;
    return NULL;
}
