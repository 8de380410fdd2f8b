/* builtin.h: the files of data/art: art.json and the drawings that it lists. */
#ifndef OCEAN_BUILTIN_H
#define OCEAN_BUILTIN_H

#include "base/builtin.h"

extern const struct fm__builtin oc__builtin_art[];
extern const size_t oc__builtin_art_count;

#endif
