/*
 * pack.h: the ocean's drawings for the page, in one file.
 *
 * src/ocean/pack.c draws them when the page is built, with the code that draws them at a server, so
 * that the page needs no SVG and every pixel is the same. The file is a count, a head for each
 * drawing, then the pixels of all, largest picture first, compressed as one (zlib).
 */
#ifndef OCEAN_PACK_H
#define OCEAN_PACK_H

#include "ocean/art.h"

#define PACK_WINDOW 640 /* pixels of the page's window: no picture is larger than it can need */

struct pack_head {
    char name[OC_NAME];
    uint32_t role, largest; /* its first picture has OC_SPRITE_MAX >> largest pixels a side */
    float small, large, weight, reach;
};

#endif
