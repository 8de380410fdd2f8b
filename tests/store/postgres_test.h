/* postgres_test.h: what the tests of the store in PostgreSQL share. */
#ifndef TESTS_STORE_POSTGRES_TEST_H
#define TESTS_STORE_POSTGRES_TEST_H

#include "store/conform.h"

#include "store/postgres.h"

extern const char *conninfo; /* of the server */

void pause_ms(long ms);
/* A statement in the server's database, beside the store: its first value. */
const char *sql(const char *text);
void clear(void); /* there is no store */

extern const struct CMUnitTest postgres_links[]; /* postgres_links.c */
extern const size_t postgres_links_n;

#endif
