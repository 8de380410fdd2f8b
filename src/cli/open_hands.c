/* open_hands.c: the rules of a game, but after every event all hands are shown to their owners. */
#include "cli/open_hands.h"

static const struct fm_game *closed; /* the game with its normal rules */

static enum fm_err init(void *state, const struct fm_setup *setup, struct fm_notes *notes)
{
    const enum fm_err err = closed->init(state, setup, notes);
    if (err == FM_OK)
        closed->open_hands(state);
    return err;
}

static enum fm_err apply(void *state, const struct fm_event *ev, struct fm_notes *notes)
{
    const enum fm_err err = closed->apply(state, ev, notes);
    if (err == FM_OK)
        closed->open_hands(state);
    return err;
}

const struct fm_game *cli_open_hands(const struct fm_game *game)
{
    static struct fm_game open;
    closed = game;
    open = *game;
    open.init = init;
    open.apply = apply;
    return &open;
}
