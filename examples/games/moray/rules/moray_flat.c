/* moray_flat.c: Moray in fixed numbers, for stepping many matches at once. */
#include "moray/rules/moray.h"

#include "core/lanes.h"

#include <fathom/games.h>

#include <string.h>

_Static_assert(sizeof(struct fm_obs_moray) == 40, "no padding, a multiple of 8");

static inline void observe(struct fm_view v, const struct fm_sight *sight, void *out)
{
    const struct moray_pub *pub = (const void *)v.pub;
    const struct moray_priv *priv = (const void *)v.priv;
    struct fm_obs_moray *obs = out;
    uint8_t fish[MORAY_CARDS];
    (void)sight;
    memset(obs, 0, sizeof *obs);
    obs->seat = (uint8_t)v.seat;
    obs->n_seats = pub->head.n_seats;
    obs->hungry = pub->hungry;
    obs->pile_n = pub->pile_n;
    memcpy(obs->hand, priv->hand, sizeof obs->hand);
    memcpy(obs->hand_n, pub->hand_n, sizeof obs->hand_n);
    memcpy(obs->score, pub->score, sizeof obs->score);
    memcpy(obs->bites, pub->bites, sizeof obs->bites);
    memcpy(obs->room, pub->room, sizeof obs->room);
    memcpy(obs->hole_n, pub->hole_n, sizeof obs->hole_n);
    for (unsigned hole = 0; hole < MORAY_HOLES; hole++)
        obs->total[hole] = (uint8_t)moray_total(pub, hole);
    for (unsigned n = moray_unseen(v, fish); n > 0; n--)
        obs->unseen[moray_size(fish[n - 1]) - 1]++;
}

static inline void mask(struct fm_view v, uint64_t *out)
{
    const struct moray_pub *pub = (const void *)v.pub;
    const uint64_t cards = (UINT64_C(1) << pub->hand_n[v.seat]) - 1;
    *out = pub->head.may >> v.seat & 1 ? cards << 2 * MORAY_HAND | cards << MORAY_HAND | cards : 0;
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
    if (value != 0 || index >= FM_MORAY_INDICES)
        return 0;
    return moray_action(index % MORAY_HAND, index / MORAY_HAND);
}

static enum fm_err step(struct fm_vec *vec, const struct fm_vec_io *io, uint32_t first, uint32_t n)
{
    return fm__lanes_step(vec, io, first, n, &fm_game_moray, FM_MORAY_INDICES,
                          sizeof(struct fm_obs_moray), observe, mask, action);
}

const struct fm_flat moray_flat = {
    .obs_bytes = sizeof(struct fm_obs_moray),
    .n_actions = FM_MORAY_INDICES,
    .observe = observe,
    .mask = mask,
    .values = values,
    .action = action,
    .step = step,
};
