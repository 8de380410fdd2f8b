/* decode.h: a picture's bytes back to pixels, a quarter as fine: what eyes work on. */
#ifndef OCEAN_DECODE_H
#define OCEAN_DECODE_H

#include <fathom/error.h>

#include <stddef.h>
#include <stdint.h>

#define OC_DECODE_LESS 4 /* this many pixels in each axis become one */

/* A JPEG of side * OC_DECODE_LESS pixels as luma and two chromas, interleaved, rows of side
 * pixels. Anything else is refused. */
enum fm_err oc_decode(uint8_t *pixels, int side, const uint8_t *bytes, size_t n,
                      struct fm_fault *fault);

#endif
