/* random_play.c: one match of random legal play: the engine's speed with nothing around it. */
#include <fathom/sim.h>

#include "base/panic.h"

uint64_t fm_random_match(void *state, const struct fm_setup *setup, struct fm_rng *rng,
                         uint8_t *view, size_t cap)
{
    const struct fm_game *g = setup->game;
    const struct fm_pub *pub = state;
    uint64_t moves = 0;
    fm_assert(fm_init(state, setup, NULL) == FM_OK);
    for (; pub->status == FM_RUNNING; moves++) {
        struct fm_event ev = {.t_ms = pub->now_ms};
        for (unsigned m = pub->owes; ev.action == 0; m &= m - 1) {
            fm_assert(m != 0); /* if one seat has chosen in secret, another is still to choose */
            ev.seat = (uint8_t)__builtin_ctz(m);
            struct fm_view v = fm_view_of(g, state, ev.seat);
            if (view != NULL) { /* decide from a copy, as a player elsewhere would */
                fm_assert(fm_view_copy(v, view, cap) > 0);
                v.pub = (const void *)view;
                v.priv = (const void *)(view + g->pub_size);
            }
            ev.action = g->sample(v, rng);
        }
        fm_assert(fm_apply(g, state, &ev, NULL) == FM_OK);
    }
    return moves;
}
