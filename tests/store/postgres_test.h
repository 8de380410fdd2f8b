/* postgres_test.h: what the tests of the store in PostgreSQL share. */
#ifndef TESTS_STORE_POSTGRES_TEST_H
#define TESTS_STORE_POSTGRES_TEST_H

#include "store/conform.h"

#include "store/postgres.h"

#define PATIENCE 30000 /* ms until something that does not happen is a failure */

extern const char *conninfo;     /* of the server */
extern char store_address[1024]; /* the store in it, as st_open takes it */

void pause_ms(long ms);
/* A statement in the server's database, beside the store: its first value. */
const char *sql(const char *text);
void drop_schema(void);            /* no store is left in the database */
void empty_schema(void);           /* if there is a store, it has no table any more */
struct st_store *open_store(void); /* NULL: the reason was printed */

/* Ends every connection of a store. */
#define KILL_ALL                                                                                   \
    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"                                \
    " WHERE application_name = 'fathom'"

/* The tests; each is in the file of its name. */
extern const struct tests_group postgres_schema, postgres_writes, postgres_news, postgres_links;

#endif
