/* traits.h: what a seat has that others have not: its companion in Dive, its diver cards in
 * DiverCity. For statistics of who wins with what. */
#ifndef CLI_TRAITS_H
#define CLI_TRAITS_H

#include <fathom/game.h>

#define TRAITS_MAX 16

const char *const *traits_of(const struct fm_game *game);  /* NULL-terminated; NULL: none */
unsigned traits_at(struct fm_view watcher, unsigned seat); /* bits into the names */

#endif
