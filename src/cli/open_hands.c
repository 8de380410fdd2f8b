/* open_hands.c: the rules of DiverCity, and after every event all hands are told to their owners.
 */
#include "cli/open_hands.h"

#include "games/divercity/divercity_rules.h"

static const struct fm_game *closed; /* the game as it should be played */

static void tell_all(struct divercity_state *s)
{
    for (unsigned hand = 0; hand < s->pub.n_hands; hand++) {
        const uint8_t all = (uint8_t)((1u << s->pub.hand_n[hand]) - 1);
        if (s->pub.told[hand] != all) {
            s->pub.told[hand] = all;
            divercity_show_hand(s, hand);
        }
    }
}

static enum fm_err init(void *state, const struct fm_setup *setup, struct fm_notes *notes)
{
    const enum fm_err err = closed->init(state, setup, notes);
    if (err == FM_OK)
        tell_all(state);
    return err;
}

static enum fm_err apply(void *state, const struct fm_event *ev, struct fm_notes *notes)
{
    const enum fm_err err = closed->apply(state, ev, notes);
    if (err == FM_OK)
        tell_all(state);
    return err;
}

const struct fm_game *cli_open_hands(const struct fm_game *divercity)
{
    static struct fm_game open;
    closed = divercity;
    open = *divercity;
    open.init = init;
    open.apply = apply;
    return &open;
}
