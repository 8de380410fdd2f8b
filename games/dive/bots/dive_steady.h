/* dive_steady.h: the program of a steady diver; what others may be expected to lay. */
#ifndef DIVE_STEADY_H
#define DIVE_STEADY_H

#include "dive/rules/dive.h"

/* What a steady diver on this seat lays who saw that (NULL: nothing). */
uint32_t dive_steady_program(const struct dive_pub *pub, unsigned seat,
                             const struct fm_sight *sight, struct fm_rng *rng);
/* Any companion that is left; 0: this seat has chosen one. */
fm_action dive_any_companion(struct fm_view v, struct fm_rng *rng);

#endif
