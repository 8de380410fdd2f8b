/* panic.h: our own mistakes. fm_assert stays on in release builds: it prints and aborts. */
#ifndef BASE_PANIC_H
#define BASE_PANIC_H

_Noreturn void fm_panic(const char *file, int line, const char *what);

#define fm_assert(cond) ((cond) ? (void)0 : fm_panic(__FILE__, __LINE__, #cond))

#endif
