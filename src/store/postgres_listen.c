/*
 * postgres_listen.c: what programs on one PostgreSQL tell each other, and who keeps which table.
 *
 * One thread with a connection of its own hears notices, sends words, and gives a sign of life each
 * second, which also says which tables this program is to keep from now on.
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
#define CLAIMS    100  /* tables that one sign of life brings ... */
#define HASTE_MS  50   /* ... and if there may be more, the next one comes so soon */
#define WORDS     1024 /* that wait to be sent; the oldest are dropped */
#define RETRY_MS  100
#define RETRY_MAX 1000

struct word {
    struct st_id table;
    uint16_t n;
    uint8_t text[ST_WORD_MAX];
};

struct st__pg_ears {
    struct st__pg *s;
    st_hear *hear;
    void *arg;
    struct st__pg_conn *conn; /* NULL: none */
    pthread_t thread;
    int wake; /* an eventfd */
    atomic_bool over, leaving;
    bool left;
    bool forgetful;       /* the connection is new: it may keep what it does not know of */
    uint64_t next_beat;   /* milliseconds */
    pthread_mutex_t lock; /* of the words */
    struct word *words;   /* a ring of WORDS */
    unsigned first, n;
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

bool st__pg_notice_wrote(struct st__pg_notice *notice, const struct st_id *table, uint64_t seq)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)seq);
    return add_line(notice, 'w', table, text);
}

static bool add_word(struct st__pg_notice *notice, const struct word *word)
{
    char text[sodium_base64_ENCODED_LEN(ST_WORD_MAX, sodium_base64_VARIANT_ORIGINAL)];
    (void)sodium_bin2base64(text, sizeof text, word->text, word->n, sodium_base64_VARIANT_ORIGINAL);
    return add_line(notice, 't', &word->table, text);
}

/* ---- hearing --------------------------------------------------------------------------------- */

static bool read_id(const char *text, struct st_id *id)
{
    size_t n;
    return sodium_hex2bin(id->bytes, sizeof id->bytes, text, 2 * ST_ID_BYTES, NULL, &n, NULL) ==
               0 &&
           n == sizeof id->bytes;
}

/* A line without its end; what is not understood, perhaps a newer program's, is passed over. */
static void hear_line(struct st__pg_ears *e, const char *line, size_t n)
{
    const size_t head = 2 + 2 * ST_ID_BYTES + 1;
    struct st_news news = {.kind = ST_WROTE};
    uint8_t word[ST_WORD_MAX];
    if (n == 1 && line[0] == 'g') {
        e->next_beat = 0; /* its tables are to be kept by somebody */
        return;
    }
    if (n <= head - 1 || line[1] != ' ' || line[head - 1] != ' ' || !read_id(line + 2, &news.table))
        return;
    if (line[0] == 'w') {
        char *end;
        errno = 0;
        news.seq = strtoull(line + head, &end, 10);
        if (errno != 0 || end != line + n || news.seq == 0)
            return;
    } else if (line[0] == 't') {
        news.kind = ST_TOLD;
        news.text = word;
        if (sodium_base642bin(word, sizeof word, line + head, n - head, NULL, &news.n, NULL,
                              sodium_base64_VARIANT_ORIGINAL) != 0)
            return;
    } else {
        return;
    }
    e->hear(e->arg, &news);
}

static void hear_notice(struct st__pg_ears *e, const char *text)
{
    const size_t name = strcspn(text, "\n");
    if (name != 2 * ST_ID_BYTES || memcmp(text, e->s->name, name) == 0)
        return;
    e->s->heard++;
    for (text += name; *text == '\n';) {
        const size_t n = strcspn(++text, "\n");
        hear_line(e, text, n);
        text += n;
    }
}

static void hear_all(struct st__pg_ears *e)
{
    for (PGnotify *notice; (notice = PQnotifies(e->conn->pg)) != NULL;) {
        hear_notice(e, notice->extra);
        PQfreemem(notice);
    }
}

/* ---- speaking -------------------------------------------------------------------------------- */

/* The rows of a statement of this thread; NULL: it failed. */
static PGresult *ask(struct st__pg_ears *e, const char *sql, int n, const char *const *values,
                     const int *lengths, const int *binary)
{
    PGresult *r = NULL;
    if (PQsendQueryParams(e->conn->pg, sql, n, NULL, values, lengths, binary, 1) == 1)
        r = st__pg_result(e->conn, ST__PG_ANSWER_MS);
    const ExecStatusType status = PQresultStatus(r);
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK)
        return r;
    PQclear(r);
    return NULL;
}

static bool notify(struct st__pg_ears *e, const struct st__pg_notice *notice)
{
    const char *const values[] = {notice->text};
    PGresult *r = ask(e, "SELECT pg_notify('fathom', $1)", 1, values, NULL, NULL);
    PQclear(r);
    e->s->sent += r != NULL;
    return r != NULL;
}

/* As many as one notice takes. */
static bool gather_words(struct st__pg_ears *e, struct st__pg_notice *notice)
{
    st__pg_notice_begin(notice, e->s);
    (void)pthread_mutex_lock(&e->lock);
    while (e->n > 0 && add_word(notice, &e->words[e->first])) {
        e->first = (e->first + 1) % WORDS;
        e->n--;
    }
    (void)pthread_mutex_unlock(&e->lock);
    return !st__pg_notice_empty(notice);
}

static bool send_words(struct st__pg_ears *e)
{
    struct st__pg_notice notice;
    while (gather_words(e, &notice))
        if (!notify(e, &notice))
            return false;
    return true;
}

static void hear_keep(struct st__pg_ears *e, const PGresult *r)
{
    for (int i = 0; i < PQntuples(r); i++) {
        struct st_news news = {.kind = ST_KEEP, .seq = (uint64_t)st__pg_int(r, i, 1)};
        memcpy(news.table.bytes, PQgetvalue(r, i, 0), ST_ID_BYTES);
        e->hear(e->arg, &news);
    }
}

/* A sign of life whose answer was lost may have brought tables. */
static bool remember(struct st__pg_ears *e)
{
    const char *const values[] = {(const char *)e->s->node.bytes};
    static const int lengths[] = {ST_ID_BYTES}, binary[] = {1};
    PGresult *r = ask(e,
                      "SELECT id, last_seq FROM fathom.tables"
                      " WHERE state = 1 AND keeper = $1::uuid",
                      1, values, lengths, binary);
    if (r == NULL)
        return false;
    hear_keep(e, r);
    PQclear(r);
    return true;
}

static bool beat(struct st__pg_ears *e)
{
    uint8_t most[4];
    st__pg_put_int(most, CLAIMS, sizeof most);
    const char *const values[] = {(const char *)e->s->node.bytes, (const char *)most};
    static const int lengths[] = {ST_ID_BYTES, sizeof most}, binary[] = {1, 1};
    PGresult *r = ask(e, "SELECT id, seq FROM fathom.beat($1::uuid, $2::integer)", 2, values,
                      lengths, binary);
    if (r == NULL)
        return false;
    hear_keep(e, r);
    e->next_beat = st__pg_now_ms() + (PQntuples(r) < CLAIMS ? BEAT_MS : HASTE_MS);
    PQclear(r);
    return true;
}

static bool go(struct st__pg_ears *e)
{
    const char *const values[] = {(const char *)e->s->node.bytes};
    static const int lengths[] = {ST_ID_BYTES}, binary[] = {1};
    struct st__pg_notice notice;
    PGresult *r =
        ask(e, "DELETE FROM fathom.nodes WHERE id = $1::uuid", 1, values, lengths, binary);
    PQclear(r);
    st__pg_notice_begin(&notice, e->s);
    memcpy(notice.text + notice.n, "\ng", sizeof "\ng");
    e->left = r != NULL && notify(e, &notice);
    return e->left;
}

/* ---- the thread ------------------------------------------------------------------------------ */

/* It must be known to live before it keeps anything. */
static bool connect_ears(struct st__pg_ears *e, struct fm_fault *fault)
{
    e->conn = st__pg_connect(e->s, ST__PG_LISTENS, fault);
    if (e->conn == NULL)
        return false;
    const char *const values[] = {(const char *)e->s->node.bytes};
    static const int lengths[] = {ST_ID_BYTES}, binary[] = {1};
    PGresult *r = ask(e, "LISTEN fathom", 0, NULL, NULL, NULL);
    PQclear(r);
    if (r != NULL && !e->leaving) {
        r = ask(e, "SELECT fathom.live($1::uuid)", 1, values, lengths, binary);
        PQclear(r);
    }
    e->next_beat = 0;
    if (r != NULL)
        return true;
    (void)st__pg_fail(e->conn, NULL, fault);
    st__pg_disconnect(e->conn);
    e->conn = NULL;
    return false;
}

/* Until something comes, is to be said, or it is time. */
static void wait_for_something(struct st__pg_ears *e, uint64_t ms)
{
    struct pollfd fds[2] = {{.fd = e->wake, .events = POLLIN},
                            {.fd = e->conn == NULL ? -1 : PQsocket(e->conn->pg), .events = POLLIN}};
    uint64_t count;
    (void)poll(fds, 2, (int)ms);
    if ((fds[0].revents & POLLIN) != 0 && read(e->wake, &count, sizeof count) < 0)
        return; /* somebody else was faster: nobody is */
}

/* All that is to be done now; false: the connection failed. */
static bool turn(struct st__pg_ears *e)
{
    if (!PQconsumeInput(e->conn->pg))
        return false;
    hear_all(e);
    if (e->forgetful && !remember(e))
        return false;
    e->forgetful = false;
    if (!send_words(e))
        return false;
    if (e->leaving && !e->left && !go(e))
        return false;
    if (!e->leaving && st__pg_now_ms() >= e->next_beat &&
        (!st__pg_read_clock(e->s, e->conn) || !beat(e)))
        return false;
    hear_all(e);
    return true;
}

static void *life(void *arg)
{
    struct st__pg_ears *e = arg;
    struct fm_fault fault;
    uint64_t retry = RETRY_MS;
    while (!e->over) {
        if (e->conn != NULL && !turn(e)) {
            st__pg_disconnect(e->conn);
            e->conn = NULL;
        } else if (e->conn == NULL && connect_ears(e, &fault)) {
            const struct st_news news = {.kind = ST_MISSED};
            e->hear(e->arg, &news);
            e->forgetful = !e->leaving;
            retry = RETRY_MS;
            continue;
        }
        uint64_t wait = retry;
        if (e->conn == NULL) {
            retry = retry < RETRY_MAX ? 2 * retry : RETRY_MAX;
        } else {
            const uint64_t now = st__pg_now_ms();
            wait = e->leaving ? BEAT_MS : e->next_beat > now ? e->next_beat - now : 0;
        }
        wait_for_something(e, wait);
    }
    if (e->conn != NULL) {
        (void)send_words(e);
        if (!e->left)
            (void)go(e); /* a store that is closed keeps nothing */
    }
    return NULL;
}

/* ---- from other threads ---------------------------------------------------------------------- */

static void wake(struct st__pg_ears *e)
{
    const uint64_t one = 1;
    if (write(e->wake, &one, sizeof one) < 0)
        return; /* it is awake */
}

static void ears_free(struct st__pg_ears *e)
{
    st__pg_disconnect(e->conn);
    if (e->wake >= 0)
        (void)close(e->wake);
    (void)pthread_mutex_destroy(&e->lock);
    free(e->words);
    free(e);
}

/* Signals are for the program's other threads. */
static bool start_thread(struct st__pg_ears *e)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failed = pthread_create(&e->thread, NULL, life, e);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed == 0;
}

enum fm_err st__pg_listen(void *self, st_hear *hear, void *arg, struct fm_fault *fault)
{
    struct st__pg *s = self;
    struct st__pg_ears *e = calloc(1, sizeof *e);
    if (e == NULL)
        return fm_fail_plain(fault, FM_E_MEMORY);
    e->s = s;
    e->hear = hear;
    e->arg = arg;
    (void)pthread_mutex_init(&e->lock, NULL);
    e->words = calloc(WORDS, sizeof *e->words);
    e->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    enum fm_err err = FM_OK;
    if (e->words == NULL || e->wake < 0)
        err = fm_fail_plain(fault, FM_E_MEMORY);
    else if (!connect_ears(e, fault))
        err = FM_E_STORE;
    else if (!start_thread(e))
        err = fm_fail(fault, FM_E_MEMORY, "the listening thread cannot be started");
    if (err != FM_OK)
        ears_free(e);
    else
        s->ears = e;
    return err;
}

void st__pg_tell(void *self, const struct st_id *table, const void *text, size_t n)
{
    struct st__pg_ears *e = ((struct st__pg *)self)->ears;
    if (e == NULL)
        return;
    (void)pthread_mutex_lock(&e->lock);
    if (e->n == WORDS) {
        e->first = (e->first + 1) % WORDS;
        e->n--;
    }
    struct word *word = &e->words[(e->first + e->n++) % WORDS];
    word->table = *table;
    word->n = (uint16_t)n;
    if (n > 0)
        memcpy(word->text, text, n);
    (void)pthread_mutex_unlock(&e->lock);
    wake(e);
}

void st__pg_leave(void *self)
{
    struct st__pg_ears *e = ((struct st__pg *)self)->ears;
    if (e == NULL)
        return;
    e->leaving = true;
    wake(e);
}

void st__pg_deafen(void *self)
{
    struct st__pg *s = self;
    struct st__pg_ears *e = s->ears;
    if (e == NULL)
        return;
    e->over = true;
    wake(e);
    (void)pthread_join(e->thread, NULL);
    s->ears = NULL;
    ears_free(e);
}
