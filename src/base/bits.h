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

#endif
