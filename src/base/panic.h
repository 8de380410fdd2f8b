/* panic.h: our own mistakes. fm_assert stays on in release builds: it prints and aborts. */
#ifndef BASE_PANIC_H
#define BASE_PANIC_H

/* How it is said; a line on standard error, unless a program sets another before its threads. */
extern void (*fm__panic_says)(const char *file, int line, const char *what);

_Noreturn void fm_panic(const char *file, int line, const char *what);

#define fm_assert(cond) ((cond) ? (void)0 : fm_panic(__FILE__, __LINE__, #cond))

#endif
