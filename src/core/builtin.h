/* builtin.h: the files of data/decks, put into the program by tools/embed when it is built. */
#ifndef CORE_BUILTIN_H
#define CORE_BUILTIN_H

#include <stddef.h>

struct fm__builtin_deck {
    const char *id; /* the file's name without .json, which is the deck's id */
    const char *text;
    size_t n;
};

extern const struct fm__builtin_deck fm__builtin_decks[];
extern const size_t fm__builtin_decks_count;

#endif
