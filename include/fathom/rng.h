/*
 * fathom/rng.h: chance. ChaCha20 (RFC 8439) keyed by a 256-bit seed, as a generator.
 *
 * A linear generator could be solved from the cards one sees; this one cannot. Equal seed and
 * stream give equal draws everywhere. Streams of one seed are independent: the deal uses
 * stream 0, whatever is only cosmetic another.
 */
#ifndef FATHOM_RNG_H
#define FATHOM_RNG_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FM_SEED_BYTES 32
#define FM_RNG_WORDS  64 /* four blocks at a time */

struct fm_rng { /* plain bytes, no padding: it lies inside states */
    uint32_t key[8];
    uint64_t block; /* next block of the key stream */
    uint64_t stream;
    uint32_t word[FM_RNG_WORDS]; /* the present blocks ... */
    uint32_t used;               /* ... and how much of them is drawn */
    uint32_t zero;
};

void fm_rng_init(struct fm_rng *rng, const uint8_t seed[FM_SEED_BYTES], uint64_t stream);
void fm_rng_refill(struct fm_rng *rng);
void fm_rng_bytes(struct fm_rng *rng, uint8_t *out, size_t n);
void fm_shuffle(struct fm_rng *rng, uint8_t *items, uint32_t n); /* Fisher-Yates */
/* The same for up to 64 items, as evenly but otherwise: four swaps for each word drawn. */
void fm_shuffle_small(struct fm_rng *rng, uint8_t *items, uint32_t n);
/* Four consecutive blocks from the first one's input (RFC 8439, 2.3; words 12 and 13 count). */
void fm_chacha20_blocks(const uint32_t in[16], uint32_t out[FM_RNG_WORDS]);

static inline uint32_t fm_rng_u32(struct fm_rng *rng)
{
    if (rng->used == FM_RNG_WORDS)
        fm_rng_refill(rng);
    return rng->word[rng->used++];
}

/* 0 .. n-1, each exactly as likely (Lemire's multiplication with rejection). n > 0. */
static inline uint32_t fm_rng_below(struct fm_rng *rng, uint32_t n)
{
    uint64_t m = (uint64_t)fm_rng_u32(rng) * n;
    if ((uint32_t)m < n) {
        const uint32_t least = (0u - n) % n;
        while ((uint32_t)m < least)
            m = (uint64_t)fm_rng_u32(rng) * n;
    }
    return (uint32_t)(m >> 32);
}

#ifdef __cplusplus
}
#endif

#endif
