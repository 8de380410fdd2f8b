/* deal.h: what lies in a see-through stack, told to the module that draws it. */
#ifndef WASM_DEAL_H
#define WASM_DEAL_H

#include <fathom/game.h>

/* "secret":…,"sheets":…,"kinds":[…],"levels":5 of a match that was just dealt. redealt: the match
 * that replaced it later, with other sheets in what was left of the stack; NULL: none did. */
void put_deal(struct fm_out *o, const struct fm_game *g, const void *dealt, const void *redealt);

#endif
