/* sqlite_tests.h: what the tests of the SQLite back end share. */
#ifndef TESTS_STORE_SQLITE_TESTS_H
#define TESTS_STORE_SQLITE_TESTS_H

#include "store/conform.h"

#include <stdbool.h>

extern char folder[]; /* empty at the beginning of each test that clears it */
const char *path_of(const char *name);
const char *where_of(const char *name); /* the same as st_open takes it */
void clear_folder(void);
struct st_store *open_store(void); /* store.db in it; NULL: the reason was printed */

/* In a child process: if cond is false, it says so and ends. */
#define MUST(cond) ((cond) ? (void)0 : must_fail(__FILE__, __LINE__, #cond))
_Noreturn void must_fail(const char *file, int line, const char *what);
#define SKIPPED 77
/* Runs f in a child process; its exit status. */
int in_child(void (*f)(void));

/* The tests; each is in the file of its name. */
extern const struct tests_group sqlite_file, sqlite_faults, sqlite_killed, sqlite_old;

#endif
