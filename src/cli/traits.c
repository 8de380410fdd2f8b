/* traits.c: companions and diver cards, read off the public block. */
#include "cli/traits.h"

#include "games/dive/dive_state.h"
#include "games/divercity/divercity_names.h"

#include <string.h>

_Static_assert((int)DIVE_COMPANIONS <= TRAITS_MAX && (int)DIVERCITY_DIVERS <= TRAITS_MAX, "room");

const char *const *traits_of(const struct fm_game *game)
{
    if (strcmp(game->id, "dive") == 0)
        return dive_companion_names;
    return strcmp(game->id, "divercity") == 0 ? divercity_diver_names : NULL;
}

static unsigned companion_of(const struct dive_pub *pub, unsigned seat)
{
    return pub->companion[seat] < DIVE_COMPANIONS ? 1u << pub->companion[seat] : 0;
}

static unsigned divers_of(const struct divercity_pub *pub, unsigned seat)
{
    unsigned bits = 0;
    for (unsigned i = 0; i < DIVERCITY_DIVERS; i++)
        if (divercity_plays(pub, seat, pub->owner[i]))
            bits |= 1u << i;
    return bits;
}

unsigned traits_at(struct fm_view watcher, unsigned seat)
{
    const void *pub = watcher.pub;
    if (strcmp(watcher.game->id, "dive") == 0)
        return companion_of(pub, seat);
    return strcmp(watcher.game->id, "divercity") == 0 ? divers_of(pub, seat) : 0;
}
