/* ocean_svg.h: texts of small drawings, for the tests of drawings and of folders of them. */
#ifndef TESTS_UNIT_OCEAN_SVG_H
#define TESTS_UNIT_OCEAN_SVG_H

#include "tests.h"

#include <stdio.h>
#include <stdlib.h>

#define HEAD "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 100\">"

#define DISC "<circle cx=\"50\" cy=\"50\" r=\"40\"/>"

#define TAIL "</svg>"

#define TEXT 200000

/* A text of a head, something again and again, and a tail; the caller frees it. */
static inline char *repeated(const char *head, const char *again, int times, const char *tail)
{
    char *text = malloc(TEXT);
    assert_non_null(text);
    size_t n = (size_t)snprintf(text, TEXT, "%s", head);
    for (int i = 0; i < times; i++)
        n += (size_t)snprintf(text + n, TEXT - n, "%s", again);
    n += (size_t)snprintf(text + n, TEXT - n, "%s", tail);
    assert_true(n < TEXT);
    return text;
}

#endif
