/* text.h: texts between the engine and the page: rooms to write into, and one answer. */
#ifndef WASM_TEXT_H
#define WASM_TEXT_H

#include <fathom/error.h>

#define EXPORT(name) __attribute__((export_name(name), used))

#define ROOMS 2 /* texts that one call may be given */

/* What the page has written there, with a closing NUL. */
char *text_in(unsigned which);

/* The answer of a call, empty so far. */
struct fm_out *text_answer(void);
/* One that may have n bytes; NULL: no memory. */
struct fm_out *text_long_answer(size_t n);

/* What a call returns: the length of the answer; or of the refusal, below zero. */
int text_answered(void);
int text_refused(const struct fm_fault *fault);

#endif
