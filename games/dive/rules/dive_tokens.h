/* dive_tokens.h: the ways to lay five air tokens on k levels, none of them empty (made by
 * dive_tokens.c.py). */
#ifndef DIVE_TOKENS_H
#define DIVE_TOKENS_H

#include <stdint.h>

extern const uint16_t *const dive_tokens[5]; /* by k - 1; 31, 180, 390, 360 and 120 of them */

#endif
