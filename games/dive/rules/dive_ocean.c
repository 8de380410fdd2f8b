/* dive_ocean.c: Dive's stack, as those who draw it need it. */
#include "dive/rules/dive_state.h"

#include <fathom/ocean.h>

#include <string.h>

_Static_assert((int)DIVE_CARDS <= FM_SHEETS_MAX && DIVE_DEEPEST <= FM_LEVELS_MAX &&
                   (int)DIVE_KINDS == FM_SHEET_KINDS && (int)DIVE_SHARK == FM_SHEET_SHARK &&
                   (int)DIVE_GREEN == FM_SHEET_GREEN && (int)DIVE_RED == FM_SHEET_RED &&
                   (int)DIVE_MANTA == FM_SHEET_MANTA && DIVE_OCTOPUS_SCALE == FM_STACK_SCALE,
               "Dive's cards are the ocean's sheets");

static void stack(const void *block, struct fm_stack *out)
{
    const struct dive_pub *pub = block;
    *out = (struct fm_stack){
        .round = pub->round,
        .n = pub->stack_n,
        .open = pub->head.phase == DIVE_PROGRAM,
        .lamps = pub->flashlight != 0,
        .covered = pub->effect[DIVE_OCTOPUS] != DIVE_NONE,
        .x = pub->octopus_x,
        .y = pub->octopus_y,
        .turned_round = pub->log.round,
        .turned_n = pub->log.n_cards,
    };
}

static unsigned sheets(const void *state, uint8_t out[FM_SHEETS_MAX])
{
    const struct dive_state *s = state;
    memcpy(out, s->secret.stack, s->pub.stack_n);
    return s->pub.stack_n;
}

const struct fm_ocean dive_ocean = {
    .kinds = dive_kind_names,
    .levels = DIVE_LEVELS,
    .deepest = DIVE_DEEPEST,
    .stack = stack,
    .sheets = sheets,
};
