/*
 * postgres_connect.c: connections to PostgreSQL: which of several hosts to use, the settings,
 * warnings from the server, and its clock.
 */
#define _DEFAULT_SOURCE /* CLOCK_BOOTTIME */

#include "store/postgres.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define HOSTS       8      /* most hosts of a connection string that are tried */
#define SILENT_MS   250    /* if a host has not answered by then, the next one is tried as well */
#define TIMEOUT_MAX 60     /* seconds; replaces a longer connect_timeout, and 0 (forever) */
#define PAIRS       96     /* most settings of a connection */
#define NEAR_US     100000 /* a round trip that took longer does not set the clock */

uint64_t st__pg_now_ms(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

enum fm_err st__pg_fail(const struct st__pg_conn *c, const PGresult *result, struct fm_fault *fault)
{
    const char *said = result == NULL ? NULL : PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    if (said == NULL)
        said = c == NULL || c->pg == NULL ? "not enough memory" : PQerrorMessage(c->pg);
    if (said[0] == '\0')
        said = "it does not answer";
    char line[200];
    (void)snprintf(line, sizeof line, "%s", said);
    for (char *p = line; *p != '\0'; p++)
        if ((unsigned char)*p < ' ')
            *p = ' ';
    for (size_t n = strlen(line); n > 0 && line[n - 1] == ' '; n--)
        line[n - 1] = '\0';
    const size_t n = strlen(line);
    /* libpq writes "connection to server at …:" before the reason, which may be missing */
    const bool open_ended = n > 0 && line[n - 1] == ':';
    return fm_fail(fault, FM_E_STORE, "the database: %s%s", line,
                   open_ended ? " it does not answer" : "");
}

/* ---- dialling -------------------------------------------------------------------------------- */

/* Defaults for what the connection string leaves out. */
static const char *const defaults[][2] = {
    {"fallback_application_name", "fathom"},
    {"target_session_attrs", "read-write"},
    {"connect_timeout", "3"},
    {"keepalives_idle", "5"},
    {"keepalives_interval", "2"},
    {"keepalives_count", "3"},
    {"tcp_user_timeout", "10000"},
};
#define N_DEFAULTS (int)(sizeof defaults / sizeof defaults[0])

struct address { /* one of the three lists of a connection string, and the part for one host */
    const char *keyword;
    const char *list; /* NULL: not in the connection string */
    char part[256];
};
enum { HOST, HOSTADDR, PORT, N_LISTS };

struct dialled { /* a parsed connection string */
    PQconninfoOption *options;
    struct address lists[N_LISTS];
    int n_hosts;
    uint64_t timeout_ms;
};

static int count_parts(const char *list)
{
    int n = list != NULL;
    for (; list != NULL && *list != '\0'; list++)
        n += *list == ',';
    return n;
}

/* A list with one entry, for example one port, applies to all hosts. "" counts as not given. */
static void take_part(struct address *a, int i)
{
    const char *from = a->list == NULL ? "" : a->list;
    for (int left = count_parts(from) == 1 ? 0 : i; left > 0 && *from != '\0'; from++)
        left -= *from == ',';
    const size_t n = strcspn(from, ",");
    (void)snprintf(a->part, sizeof a->part, "%.*s", n < sizeof a->part ? (int)n : 0, from);
}

static bool take_apart(struct dialled *d, const char *conninfo)
{
    static const char *const keywords[N_LISTS] = {"host", "hostaddr", "port"};
    *d = (struct dialled){.options = PQconninfoParse(conninfo, NULL), .timeout_ms = 3000};
    for (int i = 0; i < N_LISTS; i++)
        d->lists[i].keyword = keywords[i];
    for (PQconninfoOption *o = d->options; o != NULL && o->keyword != NULL; o++) {
        for (int i = 0; i < N_LISTS; i++)
            if (strcmp(o->keyword, keywords[i]) == 0)
                d->lists[i].list = o->val;
        if (strcmp(o->keyword, "connect_timeout") == 0 && o->val != NULL) {
            const long seconds = strtol(o->val, NULL, 10);
            d->timeout_ms = seconds > 0 && seconds < TIMEOUT_MAX ? (uint64_t)seconds * 1000
                                                                 : TIMEOUT_MAX * 1000;
        }
    }
    d->n_hosts = count_parts(d->lists[d->lists[HOSTADDR].list != NULL ? HOSTADDR : HOST].list);
    return d->options != NULL;
}

static bool is_list(const struct dialled *d, const PQconninfoOption *o)
{
    bool is = false;
    for (int i = 0; i < N_LISTS; i++)
        is = is || strcmp(o->keyword, d->lists[i].keyword) == 0;
    return is;
}

/* Begins to connect to one of the hosts; waits: returns when it is connected. */
static PGconn *dial_one(struct dialled *d, int host, bool waits)
{
    const char *names[PAIRS + 1], *values[PAIRS + 1];
    int n = 0;
    for (int i = 0; i < N_DEFAULTS; i++, n++) {
        names[n] = defaults[i][0];
        values[n] = defaults[i][1];
    }
    for (const PQconninfoOption *o = d->options; o->keyword != NULL && n < PAIRS - N_LISTS - 1; o++)
        if (o->val != NULL && (d->n_hosts <= 1 || !is_list(d, o))) {
            names[n] = o->keyword;
            values[n++] = o->val;
        }
    for (int i = 0; d->n_hosts > 1 && i < N_LISTS; i++, n++) { /* instead of the lists */
        take_part(&d->lists[i], host);
        names[n] = d->lists[i].keyword;
        values[n] = d->lists[i].part;
    }
    names[n] = "client_encoding";
    values[n++] = "UTF8";
    names[n] = values[n] = NULL;
    return waits ? PQconnectdbParams(names, values, 0) : PQconnectStartParams(names, values, 0);
}

struct attempt {
    PGconn *pg; /* NULL: it has failed */
    PostgresPollingStatusType wants;
    int host;
};

struct race {
    struct attempt attempts[HOSTS];
    int n, n_open;
    PGconn *failed; /* the last one that failed, for its error message */
};

static void give_up(struct race *r, struct attempt *a)
{
    PQfinish(r->failed);
    r->failed = a->pg;
    a->pg = NULL;
    r->n_open--;
}

static void begin_attempt(struct race *r, struct dialled *d, int host)
{
    struct attempt *a = &r->attempts[r->n++];
    *a = (struct attempt){dial_one(d, host, false), PGRES_POLLING_WRITING, host};
    r->n_open++;
    if (a->pg == NULL || PQstatus(a->pg) == CONNECTION_BAD)
        give_up(r, a);
}

/* Waits for at most ms; returns the attempt that is connected, or NULL. */
static struct attempt *poll_attempts(struct race *r, uint64_t ms)
{
    struct pollfd fds[HOSTS];
    for (int i = 0; i < r->n; i++)
        fds[i] = (struct pollfd){.fd = r->attempts[i].pg == NULL ? -1 : PQsocket(r->attempts[i].pg),
                                 .events = r->attempts[i].wants == PGRES_POLLING_READING ? POLLIN
                                                                                         : POLLOUT};
    (void)poll(fds, (nfds_t)r->n, (int)ms);
    for (int i = 0; i < r->n; i++) {
        struct attempt *a = &r->attempts[i];
        if (a->pg == NULL || fds[i].revents == 0)
            continue;
        a->wants = PQconnectPoll(a->pg);
        if (a->wants == PGRES_POLLING_OK)
            return a;
        if (a->wants == PGRES_POLLING_FAILED)
            give_up(r, a);
    }
    return NULL;
}

/*
 * The host that answered last time is tried first. The next one is tried as soon as it fails or has
 * not answered for SILENT_MS, and the first to be connected wins. libpq tries hosts one after the
 * other, so each host that does not answer would cost its whole timeout, for every connection.
 */
static PGconn *dial_all(struct dialled *d, _Atomic unsigned *good)
{
    struct race r = {.n = 0};
    const int n_hosts = d->n_hosts < HOSTS ? d->n_hosts : HOSTS;
    const int first = (int)(*good % (unsigned)n_hosts);
    const uint64_t until = st__pg_now_ms() + d->timeout_ms + (uint64_t)n_hosts * SILENT_MS;
    struct attempt *won = NULL;
    for (uint64_t now, next = 0; won == NULL && (now = st__pg_now_ms()) < until;) {
        if (r.n < n_hosts && (r.n_open == 0 || now >= next)) {
            begin_attempt(&r, d, (first + r.n) % n_hosts);
            next = now + SILENT_MS;
        } else if (r.n_open == 0) {
            break;
        } else {
            const uint64_t end = r.n < n_hosts && next < until ? next : until;
            won = poll_attempts(&r, end - now);
        }
    }
    PGconn *pg = NULL;
    if (won != NULL) {
        *good = (unsigned)won->host;
        pg = won->pg;
        won->pg = NULL;
    }
    for (int i = 0; i < r.n; i++)
        if (r.attempts[i].pg != NULL)
            give_up(&r, &r.attempts[i]); /* if all fail, the last one has the error message */
    if (pg == NULL) {
        pg = r.failed;
        r.failed = NULL;
    }
    PQfinish(r.failed);
    return pg;
}

static PGconn *dial(struct st__pg *s)
{
    struct dialled d;
    PGconn *pg = NULL;
    if (take_apart(&d, s->conninfo))
        pg = d.n_hosts > 1 ? dial_all(&d, &s->good_host) : dial_one(&d, 0, true);
    PQconninfoFree(d.options);
    return pg;
}

/* ---- connections ----------------------------------------------------------------------------- */

/*
 * The server warns when it stops waiting for its standby: what it committed would be lost with its
 * machine. The text of the warning is translated, and its SQLSTATE is that of any warning, so it is
 * recognised by the server's source file that it comes from. Other warnings are ignored.
 */
static void on_notice(void *arg, const PGresult *result)
{
    struct st__pg_conn *c = arg;
    const char *severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
    const char *file = PQresultErrorField(result, PG_DIAG_SOURCE_FILE);
    if (severity != NULL && strcmp(severity, "WARNING") == 0 && file != NULL &&
        strcmp(file, "syncrep.c") == 0)
        c->no_standby = true;
}

/*
 * Rows are found by an index and joined one after the other: that is the order in which a group
 * locks its rows. And plans are kept, but many are made while the database is nearly empty, when it
 * would seem cheaper to read whole tables.
 */
static const char planner[] =
    "SET plan_cache_mode = force_generic_plan; SET jit = off;"
    "SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_seqscan = off;"
    "SET enable_bitmapscan = off; SET enable_material = off;";

struct st__pg_conn *st__pg_connect(struct st__pg *s, enum st__pg_use use, struct fm_fault *fault)
{
    static const char *const settings[] = {
        [ST__PG_READS] = "SET statement_timeout = 5000; SET default_transaction_read_only = on",
        [ST__PG_WRITES] =
            "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 10000;"
            "SELECT pg_catalog.set_config('synchronous_commit', 'on', false)"
            " WHERE pg_catalog.current_setting('synchronous_commit') IN ('off', 'local')",
        [ST__PG_LISTENS] = "SET statement_timeout = 5000; SET synchronous_commit = off",
    };
    char text[800];
    struct st__pg_conn *c = calloc(1, sizeof *c);
    if (c == NULL || (c->pg = dial(s)) == NULL || PQstatus(c->pg) != CONNECTION_OK) {
        (void)st__pg_fail(c, NULL, fault);
        st__pg_disconnect(c);
        return NULL;
    }
    (void)PQsetNoticeReceiver(c->pg, on_notice, c);
    (void)snprintf(text, sizeof text,
                   "SET search_path = pg_catalog; SET client_min_messages = warning;"
                   "SET default_transaction_isolation = 'read committed';"
                   "SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; %s %s",
                   planner, settings[use]);
    PGresult *r = PQsendQuery(c->pg, text) == 1 ? st__pg_result(c, ST__PG_ANSWER_MS) : NULL;
    const bool fine = PQresultStatus(r) == PGRES_COMMAND_OK || PQresultStatus(r) == PGRES_TUPLES_OK;
    if (!fine)
        (void)st__pg_fail(c, r, fault);
    PQclear(r);
    if (!fine) {
        st__pg_disconnect(c);
        return NULL;
    }
    return c;
}

void st__pg_disconnect(struct st__pg_conn *c)
{
    if (c == NULL)
        return;
    PQfinish(c->pg);
    free(c);
}

/* Reads until a result is complete; false: not in time, or the connection is lost. */
static bool wait_for_answer(struct st__pg_conn *c, uint64_t until)
{
    while (PQisBusy(c->pg)) {
        const uint64_t now = st__pg_now_ms();
        struct pollfd fd = {.fd = PQsocket(c->pg), .events = POLLIN};
        if (now >= until || poll(&fd, 1, (int)(until - now)) == 0 || !PQconsumeInput(c->pg))
            return false;
    }
    return true;
}

PGresult *st__pg_result(struct st__pg_conn *c, uint64_t ms)
{
    const uint64_t until = st__pg_now_ms() + ms;
    PGresult *last = NULL;
    for (;;) {
        if (!wait_for_answer(c, until)) {
            PQclear(last);
            return NULL;
        }
        PGresult *r = PQgetResult(c->pg);
        if (r == NULL)
            return last;
        PQclear(last);
        last = r;
    }
}

/* ---- the database's calendar ----------------------------------------------------------------- */

/* Continues while the machine is suspended, and is never set. */
static int64_t steady_us(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_BOOTTIME, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* A query that took long says little about when its answer was made. */
bool st__pg_read_clock(struct st__pg *s, struct st__pg_conn *c)
{
    const int64_t before = steady_us();
    PGresult *r = NULL;
    if (PQsendQueryParams(c->pg, "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint",
                          0, NULL, NULL, NULL, NULL, 1) == 1)
        r = st__pg_result(c, ST__PG_ANSWER_MS);
    const int64_t after = steady_us();
    const bool fine = PQresultStatus(r) == PGRES_TUPLES_OK && PQntuples(r) == 1;
    if (fine && (!s->knows_time || after - before < NEAR_US)) {
        s->ahead_us = st__pg_int(r, 0, 0) - (before + (after - before) / 2);
        s->knows_time = true;
    }
    PQclear(r);
    return fine;
}

uint64_t st__pg_calendar_ns(void *self)
{
    const struct st__pg *s = self;
    const int64_t us = steady_us() + s->ahead_us;
    return us > 0 ? (uint64_t)us * 1000 : 0;
}
