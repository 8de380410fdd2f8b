/* soumsoum_flat.c: Soum Soum in fixed numbers. Without a given position no hand is longer than
 * the three cards that are dealt. */
#include "soumsoum/rules/soumsoum.h"

#include "core/lanes.h"

#include <fathom/games.h>

#include <string.h>

#define ROW 32 /* indices of one card */

_Static_assert(sizeof(struct fm_obs_soumsoum) == 112, "no padding");
_Static_assert(FM_SOUMSOUM_DIVE == SOUMSOUM_DEALT * ROW, "a row for each card, then the divers'");
FM__SAME_RUN(struct fm_obs_soumsoum, struct soumsoum_pub, empty, hand_n);

static inline void observe(struct fm_view v, const struct fm_sight *sight, void *out)
{
    const struct soumsoum_pub *pub = (const void *)v.pub;
    const struct soumsoum_priv *priv = (const void *)v.priv;
    struct fm_obs_soumsoum *obs = out;
    (void)sight;
    obs->phase = pub->head.phase;
    obs->seat = (uint8_t)v.seat;
    obs->n_seats = pub->head.n_seats;
    obs->zero = 0;
    FM__COPY_RUN(obs, pub, struct fm_obs_soumsoum, empty, hand_n);
    memcpy(obs->hand, priv->hand, sizeof obs->hand);
    for (unsigned seat = 0; seat < SOUMSOUM_SEATS; seat++)
        memcpy(obs->seen[seat], pub->seen[seat], sizeof obs->seen[seat]);
    memset(obs->end, 0, sizeof obs->end);
}

static inline void mask(struct fm_view v, uint64_t out[FM__MASK_WORDS])
{
    const struct soumsoum_pub *pub = (const void *)v.pub;
    out[0] = out[1] = 0;
    if (!(pub->head.may >> v.seat & 1))
        return;
    if (pub->head.phase == SOUMSOUM_PLACE) {
        const uint64_t two = (uint64_t)pub->empty << ROW | pub->empty;
        const unsigned n = pub->hand_n[v.seat];
        out[0] = n > 1 ? two : pub->empty; /* who is asked has a card */
        out[1] = n > 2 ? pub->empty : 0;
    } else if (pub->head.phase == SOUMSOUM_DIVER) {
        const uint64_t places = pub->divers_left[v.seat] > 0 ? pub->free : 0;
        out[1] = places << (FM_SOUMSOUM_DIVE - 64) | UINT64_C(1) << (FM_SOUMSOUM_PASS - 64);
    } else {
        out[1] = ((UINT64_C(1) << pub->market_n) - 1) << (FM_SOUMSOUM_TAKE - 64);
    }
}

static uint64_t values(struct fm_view v, unsigned index)
{
    (void)v;
    (void)index;
    return 1;
}

static inline fm_action action(struct fm_view v, unsigned index, uint64_t value)
{
    (void)v;
    if (value != 0 || index >= FM_SOUMSOUM_INDICES)
        return 0;
    if (index < FM_SOUMSOUM_DIVE)
        return soumsoum_action(SOUMSOUM_DO_PLACE, index / ROW, index % ROW);
    if (index < FM_SOUMSOUM_PASS)
        return soumsoum_action(SOUMSOUM_DO_DIVER, 0, index - FM_SOUMSOUM_DIVE);
    if (index == FM_SOUMSOUM_PASS)
        return soumsoum_action(SOUMSOUM_DO_PASS, 0, 0);
    return soumsoum_action(SOUMSOUM_DO_TAKE, index - FM_SOUMSOUM_TAKE, 0);
}

static enum fm_err step(struct fm_vec *vec, const struct fm_vec_io *io, uint32_t first, uint32_t n)
{
    return fm__lanes_step(vec, io, first, n, &fm_game_soumsoum, FM_SOUMSOUM_INDICES,
                          sizeof(struct fm_obs_soumsoum), observe, mask, action);
}

const struct fm_flat soumsoum_flat = {
    .obs_bytes = sizeof(struct fm_obs_soumsoum),
    .n_actions = FM_SOUMSOUM_INDICES,
    .observe = observe,
    .mask = mask,
    .values = values,
    .action = action,
    .step = step,
};
