/* builtin.h: the games' decks and the files of data/eyes. A file's name is its deck's id, or what
 * the eyes are called, and .json. */
#ifndef CORE_BUILTIN_H
#define CORE_BUILTIN_H

#include "base/builtin.h"

extern const struct fm__builtin fm__builtin_decks[];
extern const size_t fm__builtin_decks_count;
extern const struct fm__builtin fm__builtin_eyes[];
extern const size_t fm__builtin_eyes_count;

#endif
