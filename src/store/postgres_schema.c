/* postgres_schema.c: makes the schema in the database, and migrates it from older versions. */
#include "store/postgres.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOCK "1181836397" /* "Fatm": only one program migrates at a time */

/* The one number that a query returns, or -1 and a fault. */
static int number(struct st__pg_conn *c, const char *sql, struct fm_fault *fault)
{
    PGresult *r = PQexec(c->pg, sql);
    int n = -1;
    if (PQresultStatus(r) == PGRES_TUPLES_OK && PQntuples(r) == 1)
        n = (int)strtol(PQgetvalue(r, 0, 0), NULL, 10);
    else
        (void)st__pg_fail(c, r, fault);
    PQclear(r);
    return n;
}

static enum fm_err run(struct st__pg_conn *c, const char *sql, struct fm_fault *fault)
{
    PGresult *r = PQexec(c->pg, sql);
    const ExecStatusType status = PQresultStatus(r);
    const bool fine = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
    if (!fine)
        (void)st__pg_fail(c, r, fault);
    PQclear(r);
    return fine ? FM_OK : FM_E_STORE;
}

enum fm_err st__pg_find_version(struct st__pg_conn *c, int n_steps, int *version,
                                struct fm_fault *fault)
{
    if (PQserverVersion(c->pg) < ST__PG_OLDEST)
        return fm_fail(fault, FM_E_FILE, "PostgreSQL %d or newer is needed", ST__PG_OLDEST / 10000);
    /* in one statement: another program may be creating them */
    PGresult *r = PQexec(c->pg, "SELECT count(*), count(*) FILTER (WHERE c.relname = 'program')"
                                " FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n"
                                " ON n.oid = c.relnamespace WHERE n.nspname = 'fathom'");
    const bool told = PQresultStatus(r) == PGRES_TUPLES_OK;
    const bool things = told && strcmp(PQgetvalue(r, 0, 0), "0") != 0;
    const bool ours = told && strcmp(PQgetvalue(r, 0, 1), "0") != 0;
    if (!told)
        (void)st__pg_fail(c, r, fault);
    PQclear(r);
    if (!told)
        return FM_E_STORE;
    if (things && !ours)
        return fm_fail(fault, FM_E_FILE,
                       "the schema \"fathom\" of this database is another program's");
    *version = !ours ? 0 : number(c, "SELECT version FROM fathom.program", fault);
    if (*version < 0)
        return FM_E_STORE;
    if (*version > n_steps)
        return fm_fail(fault, FM_E_FILE,
                       "this database is of version %d, made by a newer program; this one knows "
                       "versions up to %d",
                       *version, n_steps);
    return FM_OK;
}

static enum fm_err climb(struct st__pg_conn *c, const char *const *steps, int n_steps,
                         struct fm_fault *fault)
{
    char sign[64];
    int version = 0;
    enum fm_err err = run(c, "SELECT pg_catalog.pg_advisory_xact_lock(" LOCK ")", fault);
    if (err == FM_OK)
        err = st__pg_find_version(c, n_steps, &version,
                                  fault); /* perhaps another program was first */
    if (err == FM_OK && version == 0 &&
        number(c, "SELECT count(*) FROM pg_catalog.pg_namespace WHERE nspname = 'fathom'", fault) ==
            0)
        err = run(c, "CREATE SCHEMA fathom", fault);
    for (int i = version; err == FM_OK && i < n_steps; i++)
        err = run(c, steps[i], fault);
    (void)snprintf(sign, sizeof sign, "UPDATE fathom.program SET version = %d", n_steps);
    return err == FM_OK ? run(c, sign, fault) : err;
}

enum fm_err st__pg_migrate(struct st__pg_conn *c, const char *const *steps, int n_steps,
                           struct fm_fault *fault)
{
    struct fm_fault ignored;
    int version;
    enum fm_err err = st__pg_find_version(c, n_steps, &version, fault);
    if (err != FM_OK || version == n_steps)
        return err;
    err = run(c, "BEGIN", fault);
    if (err == FM_OK)
        err = climb(c, steps, n_steps, fault);
    if (err == FM_OK)
        err = run(c, "COMMIT", fault);
    if (err != FM_OK)
        (void)run(c, "ROLLBACK", &ignored);
    return err;
}
