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

/* The k-th member, from 0; there are more than k. */
static inline unsigned fm__nth(uint32_t set, unsigned k)
{
    for (; k > 0; k--)
        set &= set - 1;
    return fm__lowest(set);
}

#endif
