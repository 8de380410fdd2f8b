/* rng.c: the ChaCha20 block function and the generator drawn from it. */
#include <fathom/rng.h>

#include "base/panic.h"

#include <string.h>

_Static_assert(sizeof(struct fm_rng) == 32 + 8 + 8 + 4 * FM_RNG_WORDS + 8,
               "a generator has no padding");

/* The same word of four consecutive blocks: whatever vectors the target has work on all at once. */
typedef uint32_t lanes __attribute__((vector_size(16)));

static inline lanes rotate(lanes x, int n)
{
    return x << n | x >> (32 - n);
}

/* By 16 its halves change places, which is less work. */
static inline lanes swap_halves(lanes x)
{
    typedef uint16_t halves __attribute__((vector_size(16)));
    const halves h = (halves)x;
    return (lanes)__builtin_shufflevector(h, h, 1, 0, 3, 2, 5, 4, 7, 6);
}

#define QUARTER(a, b, c, d)                                                                        \
    (a += b, d = swap_halves(d ^ a), c += d, b = rotate(b ^ c, 12), /**/                           \
     a += b, d = rotate(d ^ a, 8), c += d, b = rotate(b ^ c, 7))

void fm_chacha20_blocks(const uint32_t in[16], uint32_t out[FM_RNG_WORDS])
{
    lanes first[16], x[16];
    for (int i = 0; i < 16; i++)
        first[i] = (lanes){in[i], in[i], in[i], in[i]};
    for (uint32_t lane = 1; lane < 4; lane++) { /* words 12 and 13 count the blocks */
        first[12][lane] = in[12] + lane;
        first[13][lane] = in[13] + (in[12] + lane < lane);
    }
    memcpy(x, first, sizeof x);
    for (int i = 0; i < 10; i++) {
        QUARTER(x[0], x[4], x[8], x[12]);
        QUARTER(x[1], x[5], x[9], x[13]);
        QUARTER(x[2], x[6], x[10], x[14]);
        QUARTER(x[3], x[7], x[11], x[15]);
        QUARTER(x[0], x[5], x[10], x[15]);
        QUARTER(x[1], x[6], x[11], x[12]);
        QUARTER(x[2], x[7], x[8], x[13]);
        QUARTER(x[3], x[4], x[9], x[14]);
    }
    for (int i = 0; i < 16; i++)
        x[i] += first[i];
    for (int i = 0; i < 16; i += 4) { /* a lane's words side by side */
        const lanes ab = __builtin_shufflevector(x[i], x[i + 1], 0, 4, 1, 5);
        const lanes cd = __builtin_shufflevector(x[i + 2], x[i + 3], 0, 4, 1, 5);
        const lanes ef = __builtin_shufflevector(x[i], x[i + 1], 2, 6, 3, 7);
        const lanes gh = __builtin_shufflevector(x[i + 2], x[i + 3], 2, 6, 3, 7);
        const lanes row[4] = {__builtin_shufflevector(ab, cd, 0, 1, 4, 5),
                              __builtin_shufflevector(ab, cd, 2, 3, 6, 7),
                              __builtin_shufflevector(ef, gh, 0, 1, 4, 5),
                              __builtin_shufflevector(ef, gh, 2, 3, 6, 7)};
        for (int lane = 0; lane < 4; lane++)
            memcpy(out + 16 * lane + i, &row[lane], sizeof row[lane]);
    }
}

void fm_rng_init(struct fm_rng *rng, const uint8_t seed[FM_SEED_BYTES], uint64_t stream)
{
    memset(rng, 0, sizeof *rng);
    memcpy(rng->key, seed, sizeof rng->key); /* little-endian targets only, as the states */
    rng->stream = stream;
    rng->used = FM_RNG_WORDS;
}

void fm_rng_refill(struct fm_rng *rng)
{
    uint32_t in[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}; /* "expand 32-byte k" */
    memcpy(in + 4, rng->key, sizeof rng->key);
    memcpy(in + 12, &rng->block, sizeof rng->block);
    memcpy(in + 14, &rng->stream, sizeof rng->stream);
    fm_chacha20_blocks(in, rng->word);
    rng->block += 4;
    rng->used = 0;
}

void fm_rng_bytes(struct fm_rng *rng, uint8_t *out, size_t n)
{
    for (size_t i = 0; i < n; i += 4) {
        const uint32_t word = fm_rng_u32(rng);
        memcpy(out + i, &word, n - i < 4 ? n - i : 4);
    }
}

void fm_shuffle(struct fm_rng *rng, uint8_t *items, uint32_t n)
{
    for (uint32_t i = n; i > 1; i--) {
        const uint32_t j = fm_rng_below(rng, i);
        const uint8_t item = items[i - 1];
        items[i - 1] = items[j];
        items[j] = item;
    }
}

/*
 * One word as four numbers below n, n-1, n-2, n-3: each multiplication yields one and leaves the
 * fraction for the next. Whether the word must be rejected shows in what is left at the end, as
 * with a single number (Brackett-Rozinsky and Lemire, "Batched ranged random integer generation").
 */
static inline void draw_four(struct fm_rng *rng, uint32_t n, uint32_t place[4])
{
    const uint32_t product = n * (n - 1) * (n - 2) * (n - 3);
    for (;;) {
        uint32_t fraction = fm_rng_u32(rng);
        for (uint32_t i = 0; i < 4; i++) {
            const uint64_t m = (uint64_t)fraction * (n - i);
            place[i] = (uint32_t)(m >> 32);
            fraction = (uint32_t)m;
        }
        if (fraction >= product || fraction >= (0u - product) % product)
            return;
    }
}

void fm_shuffle_small(struct fm_rng *rng, uint8_t *items, uint32_t n)
{
    fm_assert(n <= 64); /* so that the product fits a word */
    for (; n > 4; n -= 4) {
        uint32_t place[4];
        draw_four(rng, n, place);
        for (uint32_t i = 0; i < 4; i++) {
            const uint8_t item = items[n - 1 - i];
            items[n - 1 - i] = items[place[i]];
            items[place[i]] = item;
        }
    }
    fm_shuffle(rng, items, n);
}
