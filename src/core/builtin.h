/* builtin.h: the files of data/decks. A file's name is its deck's id and .json. */
#ifndef CORE_BUILTIN_H
#define CORE_BUILTIN_H

#include "base/builtin.h"

extern const struct fm__builtin fm__builtin_decks[];
extern const size_t fm__builtin_decks_count;

#endif
