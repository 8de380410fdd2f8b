/* builtin.h: a file, put into the program by tools/embed when it is built. */
#ifndef BASE_BUILTIN_H
#define BASE_BUILTIN_H

#include <stddef.h>

struct fm__builtin {
    const char *name; /* the file's, without its folder */
    const char *text;
    size_t n;
};

#endif
