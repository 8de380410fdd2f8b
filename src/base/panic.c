/* panic.c: says where an assertion failed, then aborts. */
#include "base/panic.h"

#include <stdio.h>
#include <stdlib.h>

void fm_panic(const char *file, int line, const char *what)
{
    fprintf(stderr, "fathom: %s:%d: this should never happen: %s\n", file, line, what);
    abort();
}
