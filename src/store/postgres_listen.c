/*
 * postgres_listen.c: notices between the programs on one PostgreSQL, and which of them keeps which
 * table.
 *
 * One thread with its own connection receives notices, sends messages, and sends a heartbeat each
 * second. The answer to the heartbeat lists the tables that this program has to keep from now on.
 */
#include "store/postgres.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define BEAT_MS   1000
#define CLAIMS    100  /* most tables that one heartbeat returns */
#define AGAIN_MS  50   /* if there may be more, the next heartbeat follows after this time */
#define MESSAGES  1024 /* most messages that wait to be sent; the oldest are dropped */
#define REQUESTS  512  /* most calls of st_watch in one statement */
#define APART_MS  20   /* between two such statements; when many games begin, calls come together */
#define RETRY_MS  100
#define RETRY_MAX 1000

struct message {
    struct st_id table;
    uint16_t n;
    uint8_t text[ST_MESSAGE_MAX];
};

struct watch_request { /* a call of st_watch */
    struct st_id table;
    bool watches;
};

struct st__pg_listener {
    struct st__pg *s;
    st_listener *hear;
    void *arg;
    struct st__pg_conn *conn; /* NULL: none */
    pthread_t thread;
    int wake; /* an eventfd */
    atomic_bool over, leaving;
    bool left;
    bool asks_kept; /* after a new connection: ask which tables this program keeps */
    uint64_t next_beat, next_requests; /* milliseconds */
    pthread_mutex_t lock;              /* of the messages and requests */
    struct message *messages;          /* a ring of MESSAGES */
    unsigned first, n;
    struct watch_request *requests; /* in the order of the calls */
    size_t n_requests, cap_requests;
};

/* ---- writing notices ------------------------------------------------------------------------- */

void st__pg_notice_begin(struct st__pg_notice *notice, const struct st__pg *s)
{
    memcpy(notice->text, s->name, sizeof s->name);
    notice->n = sizeof s->name - 1;
}

bool st__pg_notice_empty(const struct st__pg_notice *notice)
{
    return notice->n == 2 * ST_ID_BYTES;
}

static bool add_line(struct st__pg_notice *notice, char kind, const struct st_id *table,
                     const char *text)
{
    char id[2 * ST_ID_BYTES + 1];
    (void)sodium_bin2hex(id, sizeof id, table->bytes, sizeof table->bytes);
    const size_t room = sizeof notice->text - notice->n;
    const int n = snprintf(notice->text + notice->n, room, "\n%c %s %s", kind, id, text);
    if (n < 0 || (size_t)n >= room) {
        notice->text[notice->n] = '\0';
        return false;
    }
    notice->n += (size_t)n;
    return true;
}

bool st__pg_notice_wrote(struct st__pg_notice *notice, const struct st_id *table, uint64_t seq,
                         bool keeps)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)seq);
    return add_line(notice, keeps ? 'k' : 'w', table, text);
}

static bool add_message(struct st__pg_notice *notice, const struct message *message)
{
    char text[sodium_base64_ENCODED_LEN(ST_MESSAGE_MAX, sodium_base64_VARIANT_ORIGINAL)];
    (void)sodium_bin2base64(text, sizeof text, message->text, message->n,
                            sodium_base64_VARIANT_ORIGINAL);
    return add_line(notice, 't', &message->table, text);
}

/* ---- receiving ------------------------------------------------------------------------------- */

static bool read_id(const char *text, struct st_id *id)
{
    size_t n;
    return sodium_hex2bin(id->bytes, sizeof id->bytes, text, 2 * ST_ID_BYTES, NULL, &n, NULL) ==
               0 &&
           n == sizeof id->bytes;
}

/* A line without its newline. An unknown kind, perhaps of a newer program, is ignored. */
static void take_line(struct st__pg_listener *listener, const char *line, size_t n)
{
    const size_t head = 2 + 2 * ST_ID_BYTES + 1;
    struct st_notice news = {.kind = ST_WROTE};
    uint8_t message[ST_MESSAGE_MAX];
    if (n == 1 && line[0] == 'g') {
        listener->next_beat = 0; /* its tables need a new keeper */
        return;
    }
    if (n <= head - 1 || line[1] != ' ' || line[head - 1] != ' ' || !read_id(line + 2, &news.table))
        return;
    if (line[0] == 'w' || line[0] == 'k') {
        char *end;
        news.keeps = line[0] == 'k';
        errno = 0;
        news.seq = strtoull(line + head, &end, 10);
        if (errno != 0 || end != line + n || news.seq == 0)
            return;
    } else if (line[0] == 't') {
        news.kind = ST_MESSAGE;
        news.text = message;
        if (sodium_base642bin(message, sizeof message, line + head, n - head, NULL, &news.n, NULL,
                              sodium_base64_VARIANT_ORIGINAL) != 0)
            return;
    } else {
        return;
    }
    listener->hear(listener->arg, &news);
}

static void take_notice(struct st__pg_listener *listener, const char *text)
{
    const size_t name = strcspn(text, "\n");
    if (name != 2 * ST_ID_BYTES || memcmp(text, listener->s->name, name) == 0)
        return;
    listener->s->heard++;
    for (text += name; *text == '\n';) {
        const size_t n = strcspn(++text, "\n");
        take_line(listener, text, n);
        text += n;
    }
}

static void take_notices(struct st__pg_listener *listener)
{
    for (PGnotify *notice; (notice = PQnotifies(listener->conn->pg)) != NULL;) {
        take_notice(listener, notice->extra);
        PQfreemem(notice);
    }
}

/* ---- sending --------------------------------------------------------------------------------- */

/* The result of a statement on this thread's connection; NULL: it failed. */
static PGresult *ask(struct st__pg_listener *listener, const char *sql, int n,
                     const char *const *values, const int *lengths, const int *binary)
{
    PGresult *r = NULL;
    if (PQsendQueryParams(listener->conn->pg, sql, n, NULL, values, lengths, binary, 1) == 1)
        r = st__pg_result(listener->conn, ST__PG_ANSWER_MS);
    const ExecStatusType status = PQresultStatus(r);
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK)
        return r;
    PQclear(r);
    return NULL;
}

static bool notify(struct st__pg_listener *listener, const struct st__pg_notice *notice)
{
    const char *const values[] = {notice->text};
    PGresult *r = ask(listener, "SELECT pg_notify('fathom', $1)", 1, values, NULL, NULL);
    PQclear(r);
    listener->s->sent += r != NULL;
    return r != NULL;
}

/* As many as fit into one notice. */
static bool gather_messages(struct st__pg_listener *listener, struct st__pg_notice *notice)
{
    st__pg_notice_begin(notice, listener->s);
    (void)pthread_mutex_lock(&listener->lock);
    while (listener->n > 0 && add_message(notice, &listener->messages[listener->first])) {
        listener->first = (listener->first + 1) % MESSAGES;
        listener->n--;
    }
    (void)pthread_mutex_unlock(&listener->lock);
    return !st__pg_notice_empty(notice);
}

static bool send_messages(struct st__pg_listener *listener)
{
    struct st__pg_notice notice;
    while (gather_messages(listener, &notice))
        if (!notify(listener, &notice))
            return false;
    return true;
}

static void take_keep(struct st__pg_listener *listener, const PGresult *r)
{
    for (int i = 0; i < PQntuples(r); i++) {
        struct st_notice news = {.kind = ST_KEEP, .seq = (uint64_t)st__pg_int(r, i, 1)};
        memcpy(news.table.bytes, PQgetvalue(r, i, 0), ST_ID_BYTES);
        listener->hear(listener->arg, &news);
    }
}

/* If the answer to a heartbeat was lost, this program may keep tables that it does not know of. */
static bool ask_kept(struct st__pg_listener *listener)
{
    const char *const values[] = {(const char *)listener->s->node.bytes};
    static const int lengths[] = {ST_ID_BYTES}, binary[] = {1};
    PGresult *r = ask(listener,
                      "SELECT id, last_seq FROM fathom.tables"
                      " WHERE state = 1 AND keeper = $1::uuid",
                      1, values, lengths, binary);
    if (r == NULL)
        return false;
    take_keep(listener, r);
    PQclear(r);
    return true;
}

/* Takes the next requests of one kind from the queue; returns how many. */
static size_t take_requests(struct st__pg_listener *listener, struct st__pg_array *ids,
                            bool *watches)
{
    size_t n = 0;
    st__pg_array_clear(ids, ST__PG_UUID);
    (void)pthread_mutex_lock(&listener->lock);
    while (n < listener->n_requests && n < REQUESTS &&
           listener->requests[n].watches == listener->requests[0].watches)
        st__pg_array_bytes(ids, listener->requests[n++].table.bytes, ST_ID_BYTES);
    if (n > 0) {
        *watches = listener->requests[0].watches;
        listener->n_requests -= n;
        memmove(listener->requests, listener->requests + n,
                listener->n_requests * sizeof *listener->requests);
    }
    (void)pthread_mutex_unlock(&listener->lock);
    return n;
}

static void take_watched(struct st__pg_listener *listener, const PGresult *r)
{
    for (int i = 0; i < PQntuples(r); i++) {
        struct st_notice news = {.kind = ST_WATCHED,
                                 .seq = (uint64_t)st__pg_int(r, i, 1),
                                 .others = st__pg_int(r, i, 2) != 0};
        memcpy(news.table.bytes, PQgetvalue(r, i, 0), ST_ID_BYTES);
        listener->hear(listener->arg, &news);
    }
}

/* Requests that are lost with the connection have to be made again by their callers, after
 * ST_MISSED. */
static bool send_requests(struct st__pg_listener *listener)
{
    struct st__pg_array ids = {.bytes = NULL};
    bool watches = false, fine = true;
    if (st__pg_now_ms() < listener->next_requests)
        return true;
    while (fine && take_requests(listener, &ids, &watches) > 0) {
        const char *const values[] = {(const char *)listener->s->node.bytes,
                                      (const char *)ids.bytes};
        const int lengths[] = {ST_ID_BYTES, (int)ids.n};
        static const int binary[] = {1, 1};
        PGresult *r = ids.failed ? NULL
                                 : ask(listener,
                                       watches ? "SELECT id, seq, others FROM fathom.watch($1, $2)"
                                               : "SELECT fathom.unwatch($1, $2)",
                                       2, values, lengths, binary);
        fine = r != NULL;
        if (fine && watches)
            take_watched(listener, r);
        PQclear(r);
        listener->next_requests = st__pg_now_ms() + APART_MS;
    }
    free(ids.bytes);
    return fine;
}

/* Programs that have stopped no longer want notices. It does no harm if this fails. */
static void forget_gone(struct st__pg_listener *listener)
{
    PQclear(ask(listener, "SELECT fathom.forget()", 0, NULL, NULL, NULL));
}

static void hear_missed(struct st__pg_listener *listener)
{
    const struct st_notice news = {.kind = ST_MISSED};
    listener->hear(listener->arg, &news);
}

/* A program must be registered as alive before it can keep a table. One that is not registered any
 * more has not been sent notices. */
static bool live(struct st__pg_listener *listener, bool *was_missing)
{
    const char *const values[] = {(const char *)listener->s->node.bytes};
    static const int lengths[] = {ST_ID_BYTES}, binary[] = {1};
    PGresult *r = ask(listener, "SELECT fathom.live($1::uuid)", 1, values, lengths, binary);
    if (r == NULL)
        return false;
    *was_missing = st__pg_int(r, 0, 0) != 0;
    PQclear(r);
    return true;
}

static bool beat(struct st__pg_listener *listener)
{
    bool was_missing;
    if (!live(listener, &was_missing))
        return false;
    if (was_missing)
        hear_missed(listener);
    forget_gone(listener);
    uint8_t most[4];
    st__pg_put_int(most, CLAIMS, sizeof most);
    const char *const values[] = {(const char *)listener->s->node.bytes, (const char *)most};
    static const int lengths[] = {ST_ID_BYTES, sizeof most}, binary[] = {1, 1};
    PGresult *r = ask(listener, "SELECT id, seq FROM fathom.beat($1::uuid, $2::integer)", 2, values,
                      lengths, binary);
    if (r == NULL)
        return false;
    take_keep(listener, r);
    listener->s->answered_ms = st__pg_now_ms();
    listener->next_beat = st__pg_now_ms() + (PQntuples(r) < CLAIMS ? BEAT_MS : AGAIN_MS);
    PQclear(r);
    return true;
}

static bool leave(struct st__pg_listener *listener)
{
    const char *const values[] = {(const char *)listener->s->node.bytes};
    static const int lengths[] = {ST_ID_BYTES}, binary[] = {1};
    struct st__pg_notice notice;
    PGresult *r = ask(listener, "UPDATE fathom.nodes SET until = '-infinity' WHERE id = $1::uuid",
                      1, values, lengths, binary);
    PQclear(r);
    st__pg_notice_begin(&notice, listener->s);
    memcpy(notice.text + notice.n, "\ng", sizeof "\ng");
    listener->left = r != NULL && notify(listener, &notice);
    return listener->left;
}

/* ---- the thread ------------------------------------------------------------------------------ */

static bool connect_listener(struct st__pg_listener *listener, struct fm_fault *fault)
{
    listener->conn = st__pg_connect(listener->s, ST__PG_LISTENS, fault);
    if (listener->conn == NULL)
        return false;
    bool ignored;
    PGresult *r = ask(listener, "LISTEN fathom", 0, NULL, NULL, NULL);
    PQclear(r);
    listener->next_beat = 0;
    if (r != NULL && (listener->leaving || live(listener, &ignored)))
        return true;
    (void)st__pg_fail(listener->conn, NULL, fault);
    st__pg_disconnect(listener->conn);
    listener->conn = NULL;
    return false;
}

/* Waits for input, a call from another thread, or the timeout. */
static void wait_for_something(struct st__pg_listener *listener, uint64_t ms)
{
    struct pollfd fds[2] = {
        {.fd = listener->wake, .events = POLLIN},
        {.fd = listener->conn == NULL ? -1 : PQsocket(listener->conn->pg), .events = POLLIN}};
    uint64_t count;
    (void)poll(fds, 2, (int)ms);
    if ((fds[0].revents & POLLIN) != 0 && read(listener->wake, &count, sizeof count) < 0)
        return; /* already read: there is nothing to do */
}

/* Does everything that is due; false: the connection failed. */
static bool do_what_is_due(struct st__pg_listener *listener)
{
    if (!PQconsumeInput(listener->conn->pg))
        return false;
    take_notices(listener);
    if (listener->asks_kept && !ask_kept(listener))
        return false;
    listener->asks_kept = false;
    if (!send_requests(listener) || !send_messages(listener))
        return false;
    if (listener->leaving && !listener->left && !leave(listener))
        return false;
    if (!listener->leaving && st__pg_now_ms() >= listener->next_beat &&
        (!st__pg_read_clock(listener->s, listener->conn) || !beat(listener)))
        return false;
    take_notices(listener);
    return true;
}

/* How long until there is something to do, in milliseconds. */
static uint64_t until_next(struct st__pg_listener *listener)
{
    const uint64_t now = st__pg_now_ms();
    uint64_t next = listener->leaving ? now + BEAT_MS : listener->next_beat;
    (void)pthread_mutex_lock(&listener->lock);
    if (listener->n_requests > 0 && listener->next_requests < next)
        next = listener->next_requests;
    (void)pthread_mutex_unlock(&listener->lock);
    return next > now ? next - now : 0;
}

static void *run(void *arg)
{
    struct st__pg_listener *listener = arg;
    struct fm_fault fault;
    uint64_t retry = RETRY_MS;
    while (!listener->over) {
        if (listener->conn != NULL && !do_what_is_due(listener)) {
            st__pg_disconnect(listener->conn);
            listener->conn = NULL;
        } else if (listener->conn == NULL && connect_listener(listener, &fault)) {
            hear_missed(listener);
            listener->asks_kept = !listener->leaving;
            retry = RETRY_MS;
            continue;
        }
        const uint64_t wait = listener->conn != NULL ? until_next(listener) : retry;
        if (listener->conn == NULL)
            retry = retry < RETRY_MAX ? 2 * retry : RETRY_MAX;
        wait_for_something(listener, wait);
    }
    if (listener->conn != NULL) {
        (void)send_messages(listener);
        if (!listener->left)
            (void)leave(listener); /* a closed store keeps no table */
    }
    return NULL;
}

/* ---- from other threads ---------------------------------------------------------------------- */

static void wake(struct st__pg_listener *listener)
{
    const uint64_t one = 1;
    if (write(listener->wake, &one, sizeof one) < 0)
        return; /* the counter is full, so the thread is awake */
}

static void listener_free(struct st__pg_listener *listener)
{
    st__pg_disconnect(listener->conn);
    if (listener->wake >= 0)
        (void)close(listener->wake);
    (void)pthread_mutex_destroy(&listener->lock);
    free(listener->messages);
    free(listener->requests);
    free(listener);
}

/* Signals are handled by the program's other threads. */
static bool start_thread(struct st__pg_listener *listener)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failed = pthread_create(&listener->thread, NULL, run, listener);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed == 0;
}

enum fm_err st__pg_listen(void *self, st_listener *hear, void *arg, struct fm_fault *fault)
{
    struct st__pg *s = self;
    struct st__pg_listener *listener = calloc(1, sizeof *listener);
    if (listener == NULL)
        return fm_fail_plain(fault, FM_E_MEMORY);
    listener->s = s;
    listener->hear = hear;
    listener->arg = arg;
    (void)pthread_mutex_init(&listener->lock, NULL);
    listener->messages = calloc(MESSAGES, sizeof *listener->messages);
    listener->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    enum fm_err err = FM_OK;
    if (listener->messages == NULL || listener->wake < 0)
        err = fm_fail_plain(fault, FM_E_MEMORY);
    else if (!connect_listener(listener, fault))
        err = FM_E_STORE;
    else if (!start_thread(listener))
        err = fm_fail(fault, FM_E_MEMORY, "the listening thread cannot be started");
    if (err != FM_OK)
        listener_free(listener);
    else
        s->listener = listener;
    return err;
}

static bool add_request(struct st__pg_listener *listener, const struct st_id *table, bool watches)
{
    if (listener->n_requests == listener->cap_requests) {
        const size_t cap = 2 * listener->cap_requests + 64;
        struct watch_request *more = realloc(listener->requests, cap * sizeof *more);
        if (more == NULL)
            return false;
        listener->requests = more;
        listener->cap_requests = cap;
    }
    listener->requests[listener->n_requests++] = (struct watch_request){*table, watches};
    return true;
}

bool st__pg_watch(void *self, const struct st_id *table, bool watches)
{
    struct st__pg_listener *listener = ((struct st__pg *)self)->listener;
    if (listener == NULL)
        return true;
    (void)pthread_mutex_lock(&listener->lock);
    const bool added = add_request(listener, table, watches), first = listener->n_requests == 1;
    (void)pthread_mutex_unlock(&listener->lock);
    if (first) /* otherwise the thread knows that there are some */
        wake(listener);
    return added;
}

void st__pg_notify(void *self, const struct st_id *table, const void *text, size_t n)
{
    struct st__pg_listener *listener = ((struct st__pg *)self)->listener;
    if (listener == NULL)
        return;
    (void)pthread_mutex_lock(&listener->lock);
    if (listener->n == MESSAGES) {
        listener->first = (listener->first + 1) % MESSAGES;
        listener->n--;
    }
    struct message *message = &listener->messages[(listener->first + listener->n++) % MESSAGES];
    message->table = *table;
    message->n = (uint16_t)n;
    if (n > 0)
        memcpy(message->text, text, n);
    (void)pthread_mutex_unlock(&listener->lock);
    wake(listener);
}

void st__pg_release(void *self)
{
    struct st__pg_listener *listener = ((struct st__pg *)self)->listener;
    if (listener == NULL)
        return;
    listener->leaving = true;
    wake(listener);
}

void st__pg_unlisten(void *self)
{
    struct st__pg *s = self;
    struct st__pg_listener *listener = s->listener;
    if (listener == NULL)
        return;
    listener->over = true;
    wake(listener);
    (void)pthread_join(listener->thread, NULL);
    s->listener = NULL;
    listener_free(listener);
}
