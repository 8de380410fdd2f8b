/* panic.c: says where an assertion failed, then aborts. */
#include "base/panic.h"

#include <stdio.h>
#include <stdlib.h>

static void say(const char *file, int line, const char *what)
{
    fprintf(stderr, "fathom: %s:%d: this should never happen: %s\n", file, line, what);
}

void (*fm__panic_says)(const char *file, int line, const char *what) = say;

void fm_panic(const char *file, int line, const char *what)
{
    fm__panic_says(file, line, what);
    abort();
}
