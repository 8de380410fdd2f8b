/* sqlite_tests.h: what the tests of the SQLite back end share. */
#ifndef TESTS_STORE_SQLITE_TESTS_H
#define TESTS_STORE_SQLITE_TESTS_H

#include "store/conform.h"

#include <stdbool.h>

extern char folder[]; /* empty at the beginning of each test that clears it */
const char *path_of(const char *name);
const char *where_of(const char *name); /* the same as st_open takes it */
void clear_folder(void);

/* In a child process; whoever fails there leaves with a sentence. */
#define MUST(cond) ((cond) ? (void)0 : must_fail(__FILE__, __LINE__, #cond))
_Noreturn void must_fail(const char *file, int line, const char *what);
#define SKIPPED 77
/* Its exit status. */
int in_child(void (*f)(void));

void every_acknowledged_write_survives_kill_9(void **state);
void W03_tables_of_an_older_file_count_from_its_migration(void **state);
void W03_whatever_fails_a_table_is_whole_or_gone(void **state);
void W03_a_file_whose_tables_go_does_not_grow(void **state);

#endif
