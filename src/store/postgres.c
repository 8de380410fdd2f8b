/* postgres.c: opens and closes the store in PostgreSQL, and lists what this back end does. */
#include "store/postgres.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum fm_err check_conninfo(const char *conninfo, struct fm_fault *fault)
{
    char *why = NULL;
    PQconninfoOption *options = PQconninfoParse(conninfo, &why);
    if (options == NULL) {
        char line[160];
        (void)snprintf(line, sizeof line, "%s", why == NULL ? "not enough memory" : why);
        line[strcspn(line, "\n")] = '\0';
        (void)fm_fail(fault, FM_E_FILE, "postgres: %s", line);
    }
    PQfreemem(why);
    PQconninfoFree(options);
    return options == NULL ? FM_E_FILE : FM_OK;
}

static void close_all(void *self)
{
    struct st__pg *s = self;
    st__pg_unlisten(s);
    st__pg_close_readers(s);
    st__pg_prune_end(s);
    st__pg_writer_destroy(s->writer);
    (void)pthread_mutex_destroy(&s->lock);
    free(s->conninfo);
    free(s);
}

/* No error message shows the connection string: it may hold a password. */
static void *open_database(const char *address, const char *who, struct fm_fault *fault)
{
    (void)who; /* any number of programs may serve it */
    if (check_conninfo(address, fault) != FM_OK)
        return NULL;
    struct st__pg *s = calloc(1, sizeof *s);
    if (s == NULL || sodium_init() < 0) {
        free(s);
        (void)fm_fail_plain(fault, FM_E_MEMORY);
        return NULL;
    }
    (void)pthread_mutex_init(&s->lock, NULL);
    randombytes_buf(s->node.bytes, sizeof s->node.bytes);
    (void)sodium_bin2hex(s->name, sizeof s->name, s->node.bytes, sizeof s->node.bytes);
    s->conninfo = strdup(address);
    s->writer = st__pg_writer_create(&s->node);
    if (s->conninfo == NULL || s->writer == NULL) {
        (void)fm_fail_plain(fault, FM_E_MEMORY);
        close_all(s);
        return NULL;
    }
    struct st__pg_conn *c = st__pg_connect(s, ST__PG_WRITES, fault);
    s->answered_ms = st__pg_now_ms();
    const bool fine = c != NULL &&
                      st__pg_migrate(c, st__pg_schema, st__pg_schema_n, fault) == FM_OK &&
                      (st__pg_read_clock(s, c) || st__pg_fail(c, NULL, fault) == FM_OK);
    st__pg_disconnect(c);
    if (!fine || !st__pg_writer_connect(s, fault)) {
        const struct fm_fault why = *fault;
        (void)fm_fail(fault, FM_E_FILE, "postgres: %s", why.text);
        close_all(s);
        return NULL;
    }
    return s;
}

/* To make our schema, the user must be allowed to create one in this database. */
static enum fm_err check_may_create(struct st__pg_conn *c, struct fm_fault *fault)
{
    PGresult *r = PQexec(c->pg, "SELECT has_database_privilege(current_database(), 'CREATE')");
    const bool told = PQresultStatus(r) == PGRES_TUPLES_OK && PQntuples(r) == 1;
    const bool may = told && PQgetvalue(r, 0, 0)[0] == 't';
    if (!told)
        (void)st__pg_fail(c, r, fault);
    else if (!may)
        (void)fm_fail(fault, FM_E_FILE, "this user may not create a schema in this database");
    PQclear(r);
    return may ? FM_OK : fault->code;
}

static enum fm_err look(const char *address, struct st_look *out, struct fm_fault *fault)
{
    *out = (struct st_look){.newest = st__pg_schema_n};
    if (check_conninfo(address, fault) != FM_OK)
        return fault->code;
    struct st__pg s = {.conninfo = strdup(address)};
    struct st__pg_conn *c = s.conninfo != NULL ? st__pg_connect(&s, ST__PG_READS, fault) : NULL;
    enum fm_err err = s.conninfo == NULL ? fm_fail_plain(fault, FM_E_MEMORY)
                      : c == NULL        ? fault->code
                                  : st__pg_find_version(c, out->newest, &out->version, fault);
    if (err == FM_OK && out->version == 0)
        err = check_may_create(c, fault);
    st__pg_disconnect(c);
    free(s.conninfo);
    const struct fm_fault why = *fault;
    return err == FM_OK ? FM_OK : fm_fail(fault, FM_E_FILE, "postgres: %s", why.text);
}

static void count(void *self, struct st_stats *stats)
{
    const struct st__pg *s = self;
    stats->notices_sent += s->sent;
    stats->notices_heard += s->heard;
    const uint64_t answered = s->answered_ms, now = st__pg_now_ms();
    stats->silent_ms = now > answered ? now - answered : 0;
}

const struct st__backend st__postgres = {
    .scheme = "postgres",
    .open = open_database,
    .look = look,
    .close = close_all,
    .commit = st__pg_commit,
    .apart_us = 4000, /* docs/performance.md says what this saves */
    .read_log = st__pg_read_log,
    .find_table = st__pg_find_table,
    .find_code = st__pg_find_code,
    .find_token = st__pg_find_token,
    .list_waiting = st__pg_list_waiting,
    .list_state = st__pg_list_state,
    .list_due = st__pg_list_due,
    .each_table = st__pg_each_table,
    .each_token = st__pg_each_token,
    .read_record = st__pg_read_record,
    .read_heads = st__pg_read_heads,
    .calendar_ns = st__pg_calendar_ns,
    .read_key = st__pg_read_key,
    .listen = st__pg_listen,
    .watch = st__pg_watch,
    .notify = st__pg_notify,
    .release = st__pg_release,
    .unlisten = st__pg_unlisten,
    .count = count,
    .list_old = st__pg_list_old,
    .rewrite = st__pg_rewrite,
    .rewrites_apart = true,
    .prune_begin = st__pg_prune_begin,
    .prune_end = st__pg_prune_end,
};
