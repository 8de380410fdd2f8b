/*
 * postgres_test.c: runs all tests of the store in PostgreSQL.
 *
 * tests/postgres.py starts the server, and says in FATHOM_POSTGRES how to connect.
 */
#define _XOPEN_SOURCE 700
#include "store/postgres_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *conninfo; /* of the server */

char store_address[1024]; /* of the store in it */

void pause_ms(long ms)
{
    (void)nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

static void say_nothing(void *arg, const char *text)
{
    (void)arg;
    (void)text;
}

/* A statement in a database, whose first value is returned. */
static const char *sql_in(const char *database, const char *text)
{
    static _Thread_local char value[256];
    char whole[1100];
    (void)snprintf(whole, sizeof whole, "%s dbname=%s application_name=beside", conninfo, database);
    PGconn *c = PQconnectdb(whole);
    if (PQstatus(c) != CONNECTION_OK)
        fail_msg("%s", PQerrorMessage(c));
    (void)PQsetNoticeProcessor(c, say_nothing, NULL);
    PGresult *r = PQexec(c, text);
    const ExecStatusType status = PQresultStatus(r);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
        fail_msg("%s: %s", text, PQresultErrorMessage(r));
    (void)snprintf(value, sizeof value, "%s", PQntuples(r) > 0 ? PQgetvalue(r, 0, 0) : "");
    PQclear(r);
    PQfinish(c);
    return value;
}

const char *sql(const char *text)
{
    return sql_in("postgres", text);
}

void drop_schema(void)
{
    (void)sql("DROP SCHEMA IF EXISTS fathom CASCADE");
}

/* It takes a third of a second to make the schema, and next to nothing to empty it. */
void empty_schema(void)
{
    (void)sql("DO $$DECLARE all_of text; BEGIN"
              " SELECT string_agg(format('fathom.%I', relname), ', ') INTO all_of FROM pg_class"
              "  WHERE relnamespace = to_regnamespace('fathom') AND relkind = 'r'"
              "  AND relname <> 'program';"
              " IF all_of IS NOT NULL THEN EXECUTE 'TRUNCATE ' || all_of || ' RESTART IDENTITY';"
              " END IF; END$$");
}

struct st_store *open_store(void)
{
    struct st_store *s = st_open(store_address, &why);
    if (s == NULL)
        print_error("%s\n", why.text);
    return s;
}

const struct store_kind store_kind = {empty_schema, open_store};

/* An argument says which tests: a name, in which * stands for anything. */
int main(int argc, char **argv)
{
    static const struct tests_group *const groups[] = {
        &conform_log,     &conform_queue,   &conform_find,  &conform_threads, &conform_old,
        &postgres_schema, &postgres_writes, &postgres_news, &postgres_links,
    };
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    conninfo = getenv("FATHOM_POSTGRES");
    if (conninfo == NULL || strlen(conninfo) > 900) {
        fprintf(stderr, "FATHOM_POSTGRES is not set: run this with tests/postgres.py\n");
        return 1;
    }
    (void)snprintf(store_address, sizeof store_address, "postgres:%s", conninfo);
    return tests_run_groups("store_postgres", groups, sizeof groups / sizeof groups[0]);
}
