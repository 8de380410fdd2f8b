/* vec.c: lanes of matches, dealt and stepped into the caller's buffers. */
#include <fathom/vec.h>

#include "core/lanes.h"

static size_t aligned(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

static uint32_t words(const struct fm_flat *flat)
{
    return (flat->n_actions + 63) / 64;
}

static size_t looking_off(const struct fm_game *g)
{
    return sizeof(struct fm__lane) + aligned(g->state_size, _Alignof(struct fm__looking));
}

enum fm_err fm_vec_measure(struct fm_vec_shape *shape, const struct fm_setup *setup)
{
    const struct fm_game *g = setup->game;
    if (g->flat == NULL)
        return FM_E_GAME;
    if (setup->has_position)
        return FM_E_SETUP;
    fm_assert(words(g->flat) <= FM__MASK_WORDS && g->flat->obs_bytes % 8 == 0);
    *shape = (struct fm_vec_shape){
        .obs_bytes = g->flat->obs_bytes,
        .n_actions = g->flat->n_actions,
        .mask_words = words(g->flat),
        .n_seats = setup->n_seats,
        .lane_bytes =
            aligned(looking_off(g) + (g->look != NULL ? sizeof(struct fm__looking) : 0), 64),
        .vec_bytes = sizeof(struct fm_vec),
    };
    return FM_OK;
}

struct fm_vec *fm_vec_open(void *memory, size_t bytes, const struct fm_setup *setup, uint32_t lanes,
                           const struct fm_eyes *eyes)
{
    struct fm_vec_shape shape;
    if (memory == NULL || (uintptr_t)memory % 8 != 0 || lanes == 0 || lanes > FM_VEC_LANES ||
        fm_vec_measure(&shape, setup) != FM_OK ||
        bytes < shape.vec_bytes + lanes * shape.lane_bytes)
        return NULL;
    struct fm_vec *vec = memory;
    memset(vec, 0, sizeof *vec);
    vec->setup = *setup;
    vec->game = setup->game;
    vec->flat = setup->game->flat;
    vec->lanes = lanes;
    vec->mask_words = shape.mask_words;
    vec->stride = shape.lane_bytes;
    vec->looking_off = looking_off(setup->game);
    vec->looks = eyes != NULL && setup->game->look != NULL;
    if (vec->looks)
        vec->eyes = *eyes;
    memset(vec->memory, 0, lanes * shape.lane_bytes);
    return vec;
}

void fm_vec_seed(uint8_t out[FM_SEED_BYTES], const uint8_t seed[FM_SEED_BYTES], uint32_t lane,
                 uint64_t n)
{
    uint64_t word[FM_SEED_BYTES / 8];
    memcpy(word, seed, sizeof word);
    word[0] += lane;
    word[1] += n;
    memcpy(out, word, sizeof word);
}

/* ---- one lane ------------------------------------------------------------------------------- */

void fm__lane_deal(struct fm_vec *vec, uint32_t i)
{
    struct fm__lane *lane = fm__lane(vec, i);
    uint8_t seed[FM_SEED_BYTES];
    fm_vec_seed(seed, vec->setup.seed, i, lane->match);
    fm_assert(fm__init_seeded(fm__lane_state(lane), &vec->setup, seed, NULL) == FM_OK);
    if (vec->looks) {
        struct fm__looking *l = (void *)((char *)lane + vec->looking_off);
        memset(l->sight, 0, sizeof l->sight);
        fm_rng_init(&l->rng, seed, 1); /* stream 0 is the deal's */
    }
}

void fm__lane_next(struct fm_vec *vec, uint32_t i, float *reward)
{
    struct fm__lane *lane = fm__lane(vec, i);
    struct fm_outcome outcome;
    if (reward != NULL) {
        vec->game->outcome(fm__lane_state(lane), &outcome);
        for (unsigned seat = 0; seat < vec->setup.n_seats; seat++)
            reward[seat] = outcome.winners >> seat & 1 ? 1 : -1;
    }
    lane->match++;
    fm__lane_deal(vec, i);
}

/* ---- all of them ---------------------------------------------------------------------------- */

static bool usable(const struct fm_vec *vec, const struct fm_vec_io *io, uint32_t first, uint32_t n)
{
    return io->mask != NULL && io->reward != NULL && io->flags != NULL && io->seat != NULL &&
           first <= vec->lanes && n <= vec->lanes - first;
}

enum fm_err fm_vec_reset(struct fm_vec *vec, const struct fm_vec_io *io, uint32_t first, uint32_t n)
{
    if (!usable(vec, io, first, n))
        return FM_E_VALUE;
    for (uint32_t i = first; i < first + n; i++) {
        fm__lane(vec, i)->match = 0;
        fm__lane_deal(vec, i);
        memset(io->reward + (size_t)i * vec->setup.n_seats, 0,
               vec->setup.n_seats * sizeof *io->reward);
        io->flags[i] = 0;
        fm__lane_fill(vec, io, i, fm__lane(vec, i), vec->game, vec->flat->n_actions,
                      vec->flat->obs_bytes, vec->flat->observe, vec->flat->mask);
    }
    return FM_OK;
}

enum fm_err fm_vec_step(struct fm_vec *vec, const struct fm_vec_io *io, uint32_t first, uint32_t n)
{
    if (!usable(vec, io, first, n) || io->action == NULL)
        return FM_E_VALUE;
    return vec->flat->step(vec, io, first, n);
}

uint64_t fm_vec_values(const struct fm_vec *vec, uint32_t lane, uint32_t index)
{
    uint64_t mask[FM__MASK_WORDS];
    if (lane >= vec->lanes || index >= vec->flat->n_actions)
        return 0;
    const struct fm__lane *l = fm__lane(vec, lane);
    const struct fm_view v = fm__lane_view(vec->game, l, l->seat);
    vec->flat->mask(v, mask);
    return mask[index / 64] >> index % 64 & 1 ? vec->flat->values(v, index) : 0;
}

fm_action fm_flat_action(struct fm_view v, uint64_t action)
{
    const unsigned index = action & ((1u << FM_FLAT_INDEX_BITS) - 1);
    return v.game->flat->action(v, index, action >> FM_FLAT_INDEX_BITS);
}

/* ---- random play ---------------------------------------------------------------------------- */

static uint64_t draw(uint64_t *chance) /* wyrand: this is no secret's chance */
{
    *chance += 0xa0761d6478bd642fu;
    const unsigned __int128 m = (unsigned __int128)*chance * (*chance ^ 0xe7037ed1a0b428dbu);
    return (uint64_t)(m >> 64) ^ (uint64_t)m;
}

/* 0 .. n-1; so little biased that nobody could tell. */
static uint64_t below(uint64_t *chance, uint64_t n)
{
    return (uint64_t)((unsigned __int128)draw(chance) * n >> 64);
}

/* A random set bit of each mask, and a value where it has many. */
FM__INLINE void draw_all(const struct fm_vec *vec, const struct fm_vec_io *io, uint64_t *action,
                         uint32_t first, uint32_t n, uint64_t *chance, unsigned count(uint64_t set),
                         unsigned nth(uint64_t set, uint64_t k))
{
    const struct fm_flat *flat = vec->flat;
    const uint32_t words = vec->mask_words;
    const uint64_t *mask = io->mask + (size_t)first * words;
    uint64_t drawn = *chance;
    for (uint32_t i = first; i < first + n; i++, mask += words) {
        const uint64_t low = mask[0], high = words > 1 ? mask[1] : 0;
        const uint64_t n_low = count(low);
        const uint64_t k = below(&drawn, n_low + (high != 0 ? count(high) : 0));
        const bool in_high = k >= n_low;
        const unsigned bit = nth(in_high ? high : low, in_high ? k - n_low : k);
        uint64_t value = 0;
        if (flat->open[in_high] >> bit & 1) {
            const struct fm__lane *lane = fm__lane(vec, i);
            const struct fm_view v = fm__lane_view(vec->game, lane, lane->seat);
            value = below(&drawn, flat->values(v, 64 * in_high + bit));
        }
        action[i] = 64 * in_high + bit + (value << FM_FLAT_INDEX_BITS);
    }
    *chance = drawn;
}

#if defined(__x86_64__)
FM__FAST static void draw_all_fast(const struct fm_vec *vec, const struct fm_vec_io *io,
                                   uint64_t *action, uint32_t first, uint32_t n, uint64_t *chance)
{
    draw_all(vec, io, action, first, n, chance, fm__count64_fast, fm__nth64_fast);
}
#endif

void fm_vec_random(const struct fm_vec *vec, const struct fm_vec_io *io, uint64_t *action,
                   uint32_t first, uint32_t n, uint64_t *chance)
{
#if defined(__x86_64__)
    if (fm__has_bits_fast()) {
        draw_all_fast(vec, io, action, first, n, chance);
        return;
    }
#endif
    draw_all(vec, io, action, first, n, chance, fm__count64, fm__nth64);
}
