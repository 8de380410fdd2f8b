/* bits.h: sets of up to 32 things as bits. Portable: no instruction is asked for by name. */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdint.h>

/* The lowest member; the set is not empty. */
static inline unsigned fm__lowest(uint32_t set)
{
    return (unsigned)__builtin_ctz(set);
}

static inline unsigned fm__count(uint32_t set)
{
    set -= set >> 1 & 0x55555555u;
    set = (set & 0x33333333u) + (set >> 2 & 0x33333333u);
    return ((set + (set >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}

/* The k-th member, from 0; there are more than k. Halves the set by counts and never branches:
 * which member is drawn cannot be predicted. */
static inline unsigned fm__nth(uint32_t set, unsigned k)
{
    const uint32_t pairs = set - (set >> 1 & 0x55555555u);
    const uint32_t fours = (pairs & 0x33333333u) + (pairs >> 2 & 0x33333333u);
    const uint32_t eights = (fours + (fours >> 4)) & 0x0f0f0f0fu;
    const uint32_t sixteens = eights + (eights >> 8);
    const struct {
        uint32_t counts, mask;
        unsigned width;
    } halves[] = {
        {sixteens, 31, 16}, {eights, 15, 8}, {fours, 7, 4}, {pairs, 3, 2}, {set, 1, 1},
    };
    unsigned at = 0;
    for (int i = 0; i < 5; i++) {
        const unsigned below = halves[i].counts >> at & halves[i].mask;
        const unsigned up = 0u - (unsigned)(k >= below); /* all ones: it lies in the upper half */
        at += halves[i].width & up;
        k -= below & up;
    }
    return at;
}

/* ---- 64 things ------------------------------------------------------------------------------ */

#define FM__EVERY(byte) (UINT64_C(0x0101010101010101) * (byte)) /* the same in all eight */

/* How many there are in each byte together with those below it: the top byte has them all. */
static inline uint64_t fm__sums64(uint64_t set)
{
    set -= set >> 1 & FM__EVERY(0x55);
    set = (set & FM__EVERY(0x33)) + (set >> 2 & FM__EVERY(0x33));
    return ((set + (set >> 4)) & FM__EVERY(0x0f)) * FM__EVERY(1);
}

static inline unsigned fm__count64(uint64_t set)
{
    return (unsigned)(fm__sums64(set) >> 56);
}

/* In how many bytes is a number, below 128, no larger than k? */
static inline unsigned fm__reached(uint64_t bytes, uint64_t k)
{
    const uint64_t no_larger = ((FM__EVERY(k) | FM__EVERY(0x80)) - bytes) & FM__EVERY(0x80);
    return (unsigned)((no_larger >> 7) * FM__EVERY(1) >> 56);
}

/* The k-th member: first its byte, then its place there; without branches, as fm__nth(). */
static inline unsigned fm__nth64(uint64_t set, uint64_t k)
{
    const uint64_t sums = fm__sums64(set);
    const unsigned at = 8 * fm__reached(sums, k);
    k -= sums << 8 >> at & 0xff;
    const uint64_t bits = FM__EVERY(set >> at & 0xff) & UINT64_C(0x8040201008040201);
    const uint64_t ones = ((bits + FM__EVERY(0x7f)) | bits) >> 7 & FM__EVERY(1);
    return at + fm__reached(ones * FM__EVERY(1), k);
}

/* The same where processors have instructions for it; ask first: fm__has_bits_fast(). */
#if defined(__x86_64__)
#define FM__FAST __attribute__((target("bmi2,popcnt")))
static inline unsigned fm__has_bits_fast(void)
{
    return __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

FM__FAST static inline unsigned fm__count64_fast(uint64_t set)
{
    return (unsigned)__builtin_popcountll(set);
}

FM__FAST static inline unsigned fm__nth64_fast(uint64_t set, uint64_t k)
{
    return (unsigned)__builtin_ctzll(__builtin_ia32_pdep_di(UINT64_C(1) << k, set));
}
#endif

#endif
