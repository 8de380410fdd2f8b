/* preview.c: what a seat would see after some actions of its own. */
#include "core/preview.h"

#include "base/hash.h"
#include "base/panic.h"

/* Deals a match that this seat cannot tell from the true one. */
static enum fm_err imagine(void *match, struct fm_view v)
{
    _Alignas(8) uint8_t bytes[FM_STATE_MAX];
    uint8_t seed[FM_SEED_BYTES];
    struct fm_rng rng;
    const size_t n = fm_view_copy(v, bytes, sizeof bytes);
    fm_assert(n > 0);
    v.pub = (const void *)bytes;
    v.priv = (const void *)(bytes + v.game->pub_size);
    fm__hash(seed, "fathom what 1", &(struct fm_span){bytes, n}, 1);
    fm_rng_init(&rng, seed, (uint64_t)v.seat);
    return v.game->deal(match, v, &rng);
}

static enum fm_err act(void *match, struct fm_view v, fm_action action)
{
    const struct fm_secret *secret = (const void *)((const char *)match + v.game->secret_off);
    const struct fm_event ev = {.t_ms = secret->now_ms, .seat = (uint8_t)v.seat, .action = action};
    return fm_apply(v.game, match, &ev, NULL);
}

enum fm_err fm__preview(void *match, struct fm_view v, const fm_action *action, size_t n)
{
    enum fm_err err = imagine(match, v);
    for (size_t i = 0; i < n && err == FM_OK; i++)
        err = act(match, v, action[i]);
    return err;
}
