/*
 * postgres_links.c: connections to PostgreSQL that are cut, stall or stay silent: what was in doubt
 * is settled for good, and a silent host is not asked twice.
 */
#include "store/postgres_test.h"

#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* One of the settings that say how to connect to the server. */
static void setting(char *out, size_t size, const char *keyword)
{
    PQconninfoOption *options = PQconninfoParse(conninfo, NULL);
    assert_non_null(options);
    for (const PQconninfoOption *o = options; o->keyword != NULL; o++)
        if (strcmp(o->keyword, keyword) == 0)
            (void)snprintf(out, size, "%s", o->val);
    PQconninfoFree(options);
}

/* ---- a link that can be cut ------------------------------------------------------------------ */

#define LINKS 16

/* Hands on what it is sent, over a socket of its own; a thread does it. */
static struct proxy {
    char folder[64];
    struct sockaddr_un here, server;
    int listener;
    pthread_t thread;
    atomic_bool over, cut;
    atomic_ulong sent; /* bytes, to the server */
    struct {
        int client, server;
    } links[LINKS];
    int n;
} proxy;

static void socket_path(struct sockaddr_un *at, const char *folder, const char *port)
{
    at->sun_family = AF_UNIX;
    const int n = snprintf(at->sun_path, sizeof at->sun_path, "%s/.s.PGSQL.%s", folder, port);
    assert_true(n > 0 && (size_t)n < sizeof at->sun_path);
}

static void close_link(int i)
{
    (void)close(proxy.links[i].client);
    (void)close(proxy.links[i].server);
    proxy.links[i] = proxy.links[--proxy.n];
}

static void accept_link(void)
{
    const int client = accept(proxy.listener, NULL, NULL);
    const int server = socket(AF_UNIX, SOCK_STREAM, 0);
    if (client < 0 || server < 0 || proxy.n == LINKS ||
        connect(server, (const struct sockaddr *)&proxy.server, sizeof proxy.server) != 0)
        abort();
    proxy.links[proxy.n].client = client;
    proxy.links[proxy.n++].server = server;
}

/* False: one of them has closed it. */
static bool hand_on(int from, int to, bool counts)
{
    char bytes[65536];
    const ssize_t n = read(from, bytes, sizeof bytes);
    for (ssize_t done = 0, some; done < n; done += some) {
        some = send(to, bytes + done, (size_t)(n - done), MSG_NOSIGNAL);
        if (some < 0)
            return false;
    }
    if (counts && n > 0)
        proxy.sent += (unsigned long)n;
    return n > 0;
}

static void *be_a_link(void *arg)
{
    (void)arg;
    while (!proxy.over) {
        struct pollfd fds[1 + 2 * LINKS] = {{.fd = proxy.listener, .events = POLLIN}};
        for (int i = 0; i < proxy.n; i++) {
            fds[1 + 2 * i] = (struct pollfd){.fd = proxy.links[i].client, .events = POLLIN};
            fds[2 + 2 * i] = (struct pollfd){.fd = proxy.links[i].server, .events = POLLIN};
        }
        const int ready = poll(fds, (nfds_t)(1 + 2 * proxy.n), 20);
        for (int i = proxy.n - 1; ready > 0 && i >= 0; i--)
            if ((fds[1 + 2 * i].revents != 0 &&
                 !hand_on(proxy.links[i].client, proxy.links[i].server, true)) ||
                (fds[2 + 2 * i].revents != 0 &&
                 !hand_on(proxy.links[i].server, proxy.links[i].client, false)))
                close_link(i);
        if (fds[0].revents != 0)
            accept_link();
        while (proxy.cut && proxy.n > 0)
            close_link(0);
        proxy.cut = false;
    }
    return NULL;
}

/* An address of a store through it. */
static void proxy_start(char *where, size_t size)
{
    char folder[80], port[8];
    proxy = (struct proxy){.folder = "/tmp/fathom-link-XXXXXX"};
    assert_non_null(mkdtemp(proxy.folder));
    setting(folder, sizeof folder, "host");
    setting(port, sizeof port, "port");
    socket_path(&proxy.server, folder, port);
    socket_path(&proxy.here, proxy.folder, "5432");
    proxy.listener = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(proxy.listener, (const struct sockaddr *)&proxy.here, sizeof proxy.here),
                     0);
    assert_int_equal(listen(proxy.listener, LINKS), 0);
    assert_int_equal(pthread_create(&proxy.thread, NULL, be_a_link, NULL), 0);
    (void)snprintf(where, size, "postgres:%s host=%s port=5432", conninfo, proxy.folder);
}

static void proxy_stop(void)
{
    proxy.over = true;
    (void)pthread_join(proxy.thread, NULL);
    while (proxy.n > 0)
        close_link(0);
    (void)close(proxy.listener);
    (void)unlink(proxy.here.sun_path);
    (void)rmdir(proxy.folder);
}

/* Everything that was sent is with the server; then the link breaks. */
static void cut_after(unsigned long sent)
{
    unsigned long was;
    do {
        was = proxy.sent;
        pause_ms(100);
    } while (proxy.sent == sent || proxy.sent != was);
    proxy.cut = true;
    while (proxy.cut)
        pause_ms(5);
}

/* ---- helpers --------------------------------------------------------------------------------- */

static bool says(const char *text, const char *wanted)
{
    for (long waited = 0; waited < PATIENCE; waited += 20) {
        if (strcmp(sql(text), wanted) == 0)
            return true;
        pause_ms(20);
    }
    return false;
}

#define OURS " FROM pg_stat_activity WHERE application_name = 'fathom'"

/* The process of the server's that has the writer's connection, when it has committed the last
 * write; nobody else wants to know of it, so no notice follows. */
static pid_t writers_backend(void)
{
    assert_true(says("SELECT count(*)" OURS, "1"));
    assert_true(says("SELECT count(*)" OURS " AND state = 'idle'"
                     " AND query LIKE 'SELECT fathom.write%'",
                     "1"));
    return (pid_t)strtol(sql("SELECT pid" OURS), NULL, 10);
}

static bool is_gone(pid_t backend)
{
    char text[100];
    (void)snprintf(text, sizeof text, "SELECT count(*) FROM pg_stat_activity WHERE pid = %d",
                   (int)backend);
    return says(text, "0");
}

static atomic_int n_ok, n_other;
static struct fm_fault other;

static void tally(void *arg, enum fm_err err, const struct fm_fault *fault)
{
    (void)arg;
    if (err != FM_OK)
        other = *fault;
    *(err == FM_OK ? &n_ok : &n_other) += 1;
}

static void submit(struct st_store *s, uint64_t seq)
{
    const struct st_write w = event_of(1, seq, "x");
    n_ok = n_other = 0;
    assert_int_equal(st_submit(s, &w, tally, NULL, &why), FM_OK);
}

static struct st_store *open_through_proxy(void)
{
    char where[1200];
    empty_schema();
    proxy_start(where, sizeof where);
    struct st_store *s = st_open(where, &why);
    if (s == NULL)
        fail_msg("%s", why.text);
    const struct st_write w = new_table(1, "");
    assert_int_equal(write_now(s, w), FM_OK);
    return s;
}

static void on_each_event(const char *statement)
{
    char text[400];
    (void)snprintf(text, sizeof text,
                   "CREATE OR REPLACE FUNCTION public.beside() RETURNS trigger LANGUAGE plpgsql AS"
                   " $$BEGIN %s RETURN new; END$$;"
                   "CREATE TRIGGER beside BEFORE INSERT ON fathom.events FOR EACH ROW"
                   " EXECUTE FUNCTION public.beside()",
                   statement);
    (void)sql(text);
}

/* ---- what is in doubt ------------------------------------------------------------------------ */

/*
 * All of the group lies before a server process that does not look at it, and the link breaks. The
 * store asks on another one, finds nothing, tries again, and is refused: nothing was kept, it says.
 * Whatever the first process does when it goes on, that must stay true.
 */
static void W10_a_stalled_backend_cannot_commit_afterwards(void **state)
{
    (void)state;
    struct st_store *s = open_through_proxy();
    const pid_t stalled = writers_backend();
    on_each_event("RAISE EXCEPTION 'not now';");
    assert_int_equal(kill(stalled, SIGSTOP), 0);
    const unsigned long sent = proxy.sent;
    submit(s, 2);
    cut_after(sent);
    st_drain(s);
    const int failed = n_other;
    (void)sql("DROP TRIGGER beside ON fathom.events");
    assert_int_equal(kill(stalled, SIGCONT), 0);
    assert_int_equal(failed, 1);
    assert_int_equal(other.code, FM_E_STORE);
    assert_true(is_gone(stalled));
    if (strcmp(sql("SELECT count(*) FROM fathom.events"), "1") != 0)
        fail_msg("an event was kept after the store had said that it was not");
    submit(s, 2);
    st_drain(s);
    assert_int_equal(n_ok, 1);
    assert_whole_log(s, 1, 2);
    st_close(s);
    proxy_stop();
}

/* It is in the midst of its transaction, and waits for a row that somebody else has. */
static void W10_a_backend_that_was_given_up_is_ended(void **state)
{
    (void)state;
    struct st_store *s = open_through_proxy();
    const pid_t waits = writers_backend();
    PGconn *holder = PQconnectdb(conninfo);
    PQclear(PQexec(holder, "BEGIN"));
    PGresult *r = PQexec(holder, "SELECT FROM fathom.tables FOR UPDATE");
    assert_int_equal(PQresultStatus(r), PGRES_TUPLES_OK);
    PQclear(r);
    submit(s, 2);
    assert_true(says("SELECT count(*)" OURS " AND wait_event_type = 'Lock'", "1"));
    proxy.cut = true;
    const bool ended = is_gone(waits);
    PQfinish(holder);
    st_drain(s);
    assert_true(ended);
    assert_int_equal(n_ok, 1);
    assert_whole_log(s, 1, 2);
    st_close(s);
    proxy_stop();
}

/* Whoever prunes does not wait for ever, for a row that somebody has or a server that stalled: the
 * program could not end. */
static void W03_whoever_prunes_gives_up_where_nobody_answers(void **state)
{
    (void)state;
    struct st_store *s = open_through_proxy();
    struct st_write over = event_of(1, 2, "x");
    over.change.moves = true;
    over.change.state = ST_OVER;
    assert_int_equal(write_now(s, over), FM_OK);
    PGconn *holder = PQconnectdb(conninfo);
    PQclear(PQexec(holder, "BEGIN"));
    PQclear(PQexec(holder, "SELECT FROM fathom.tables FOR UPDATE"));
    assert_int_equal(PQsendQuery(holder, "SELECT pg_sleep(20); COMMIT"), 1); /* it is let go */
    const struct st_rewriting r = {.table = over.table, .last_seq = 2, .whole = true};
    assert_int_equal(st_prune_begin(s, &why), FM_OK);
    const enum fm_err err = st_rewrite(s, &r, &why);
    const bool waited = PQconsumeInput(holder) == 1 && !PQisBusy(holder);
    (void)sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE"
              " 'SELECT pg_sleep%'");
    PQfinish(holder);
    assert_false(waited);
    assert_int_equal(err, FM_E_STORE);
    st_prune_end(s);
    st_close(s);
    proxy_stop();
}

/* A warning of anything else says nothing about a commit: no new connection, no second look. */
static void W10_only_the_missing_standby_puts_a_commit_in_doubt(void **state)
{
    (void)state;
    struct st_store *s = open_through_proxy();
    const pid_t backend = writers_backend();
    on_each_event("RAISE WARNING 'it rains';");
    for (uint64_t seq = 2; seq < 6; seq++) {
        submit(s, seq);
        st_drain(s);
        assert_int_equal(n_ok, 1);
        assert_int_equal(writers_backend(), backend);
    }
    st_close(s);
    proxy_stop();
}

/* ---- silent hosts ---------------------------------------------------------------------------- */

/* Takes connections, and never answers. */
static int silent_host(int *port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof at;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    assert_int_equal(bind(fd, (const struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(fd, 64), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &n), 0);
    *port = ntohs(at.sin_port);
    return fd;
}

static int times_called(int silent)
{
    int n = 0;
    for (int fd; (fd = accept(silent, NULL, NULL)) >= 0; n++)
        (void)close(fd);
    return n;
}

static void hear_nothing(void *arg, const struct st_notice *news)
{
    (void)arg;
    (void)news;
}

/* Before the store's host stands one that does not answer: that costs one attempt, not one for each
 * connection. */
static void W10_a_silent_host_is_not_asked_for_each_connection(void **state)
{
    (void)state;
    char folder[80], port[8], where[1200];
    int silent_port;
    struct st_table t;
    const struct st_id id = id_of(1);
    const int silent = silent_host(&silent_port);
    setting(folder, sizeof folder, "host");
    setting(port, sizeof port, "port");
    (void)snprintf(where, sizeof where, "postgres:%s host=127.0.0.1,%s port=%d,%s", conninfo,
                   folder, silent_port, port);
    empty_schema();
    const uint64_t start = st__pg_now_ms();
    struct st_store *s = st_open(where, &why);
    if (s == NULL)
        fail_msg("%s", why.text);
    const struct st_write w = new_table(1, "");
    assert_int_equal(write_now(s, w), FM_OK);
    assert_int_equal(st_listen(s, hear_nothing, NULL, &why), FM_OK);
    assert_int_equal(st_find_table(s, &id, &t, &why), FM_OK);
    print_message("# four connections in %d ms\n", (int)(st__pg_now_ms() - start));
    assert_int_equal(times_called(silent), 1);
    st_close(s);
    /* nobody answers at all: it is said, and soon */
    (void)snprintf(where, sizeof where,
                   "postgres:host=127.0.0.1,127.0.0.1 port=%d,%d connect_timeout=1", silent_port,
                   silent_port);
    assert_null(st_open(where, &why));
    assert_int_equal(why.code, FM_E_FILE);
    assert_non_null(strstr(why.text, "does not answer"));
    /* and one that refuses is no obstacle either */
    (void)close(silent);
    (void)snprintf(where, sizeof where, "postgres:%s host=127.0.0.1,%s port=%d,%s", conninfo,
                   folder, silent_port, port);
    s = st_open(where, &why);
    assert_non_null(s);
    st_close(s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(W10_a_stalled_backend_cannot_commit_afterwards),
    cmocka_unit_test(W10_a_backend_that_was_given_up_is_ended),
    cmocka_unit_test(W03_whoever_prunes_gives_up_where_nobody_answers),
    cmocka_unit_test(W10_only_the_missing_standby_puts_a_commit_in_doubt),
    cmocka_unit_test(W10_a_silent_host_is_not_asked_for_each_connection),
};
const struct tests_group postgres_links = TESTS_GROUP(tests);
