/* catalogue.h: the games that can be played, and which of their options go together, as JSON. */
#ifndef CORE_CATALOGUE_H
#define CORE_CATALOGUE_H

#include <fathom/game.h>

/* Keys of a game, without braces: id, rules, seats, options, constants, bots, and its decks of this
 * library. */
void fm__put_game(struct fm_out *o, const struct fm_library *library, const struct fm_game *g);

/* Can this table, {"game":…,"rules":N,"options":{…}}, be played?
 * {"ok":true,"seats":3,"options":{…}}, or {"ok":false,…,"path":"divers"}. */
void fm__put_options_check(struct fm_out *o, const struct fm_library *library,
                           struct json_t *table);

#endif
