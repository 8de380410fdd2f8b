/*
 * load.c: players at many tables of Soum Soum on one thread, moving at random as fast as they may;
 * or connections that do nothing; or clients of bench_echo. It speaks to a server by sockets alone.
 */
#define _GNU_SOURCE /* memmem */

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define ID        32 /* hex digits of a table's id, and of a token */
#define SEATS_MAX 4
#define IN_FLIGHT 8       /* moves of a player that may wait for their acknowledgement */
#define LONGEST   2000000 /* microseconds; anything slower counts as this */
#define ROOM      4096    /* of a buffer at first */
#define WATCHED   100     /* tables that idle connections look at */
#define NODES_MAX 8       /* of a cluster: connections go to one after the other */

struct table;

struct conn { /* an HTTP connection that is kept, or a stream */
    int fd;
    bool streams, open; /* open: a stream was upgraded */
    struct table *table;
    int seat;
    char *in;
    size_t n, cap;
    uint64_t echo_us; /* when it last spoke to bench_echo */
};

enum step { MAKING, SITTING, JOINING, STARTING, PLAYING, ENDING };

struct table {
    enum step step;
    bool began;    /* its first game */
    unsigned done; /* seats taken, or streams that were greeted */
    char id[ID + 1], host[ID + 1], token[SEATS_MAX][ID + 1];
    struct conn http, player[SEATS_MAX];
    uint64_t moves[SEATS_MAX], sent_us[SEATS_MAX][IN_FLIGHT];
};

static struct {
    int epoll, port[NODES_MAX];
    unsigned n_ports, opened;
    unsigned n_tables, seats, began;
    struct table *tables;
    uint64_t seed;
    unsigned nap_us; /* between two looks; 0: it waits to be woken */
    bool waits;      /* games are not started */
    bool echoes;     /* the server is bench_echo */
    bool counts;     /* the warm-up is over */
    uint64_t acks, messages, bytes, refused, closed, games;
    uint32_t *slow; /* acknowledgements by their microseconds */
} load;

static void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
static void die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)fputs("bench_load: ", stderr);
    (void)vfprintf(stderr, format, args);
    (void)fputc('\n', stderr);
    va_end(args);
    exit(1);
}

static uint64_t now_us(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static uint32_t below(uint32_t n) /* splitmix64 */
{
    uint64_t x = load.seed += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((x >> 32) * n >> 32);
}

/* ---- connections ---------------------------------------------------------------------------- */

static void conn_open(struct conn *c)
{
    const struct sockaddr_in to = {.sin_family = AF_INET,
                                   .sin_port =
                                       htons((uint16_t)load.port[load.opened++ % load.n_ports]),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    c->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (c->fd < 0 || connect(c->fd, (const void *)&to, sizeof to) != 0)
        die("cannot connect: %s", strerror(errno));
    (void)setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    (void)fcntl(c->fd, F_SETFL, O_NONBLOCK);
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = c};
    if (epoll_ctl(load.epoll, EPOLL_CTL_ADD, c->fd, &e) != 0)
        die("epoll: %s", strerror(errno));
    c->n = 0;
    c->open = false;
}

static void conn_close(struct conn *c)
{
    if (c->fd >= 0)
        (void)close(c->fd);
    c->fd = -1;
    c->n = 0;
}

/* All that is sent is small: a socket that has no room for it is a server that does not read. */
static void put(struct conn *c, const void *bytes, size_t n)
{
    const ssize_t sent = send(c->fd, bytes, n, MSG_NOSIGNAL);
    if (sent != (ssize_t)n && !(sent < 0 && (errno == EPIPE || errno == ECONNRESET)))
        die("the server does not read: %s", sent < 0 ? strerror(errno) : "no room");
}

static void put_frame(struct conn *c, int opcode, const char *text, size_t n)
{
    uint8_t frame[8 + 512];
    if (n > sizeof frame - 8)
        die("too long a message");
    size_t at = 0;
    frame[at++] = (uint8_t)(0x80 | opcode);
    frame[at++] = (uint8_t)(0x80 | (n < 126 ? n : 126));
    if (n >= 126) {
        frame[at++] = (uint8_t)(n >> 8);
        frame[at++] = (uint8_t)n;
    }
    const uint32_t mask = below(UINT32_MAX);
    uint8_t key[4];
    memcpy(key, &mask, sizeof key);
    memcpy(frame + at, key, sizeof key);
    at += sizeof key;
    for (size_t i = 0; i < n; i++)
        frame[at + i] = (uint8_t)text[i] ^ key[i % 4];
    put(c, frame, at + n);
}

static void ask(struct conn *c, const char *token, const char *body, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void ask(struct conn *c, const char *token, const char *body, const char *format, ...)
{
    char text[1024], path[128];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(path, sizeof path, format, args);
    va_end(args);
    if (c->fd < 0)
        conn_open(c);
    const int n =
        snprintf(text, sizeof text,
                 "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\n%s%s%sContent-Type: "
                 "application/json\r\nContent-Length: %zu\r\n\r\n%s",
                 path, token != NULL ? "Authorization: Bearer " : "", token != NULL ? token : "",
                 token != NULL ? "\r\n" : "", strlen(body), body);
    put(c, text, (size_t)n);
}

static void upgrade(struct conn *c, const char *table)
{
    char text[256];
    conn_open(c);
    const int n = snprintf(text, sizeof text,
                           "GET /api/tables/%s/live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: "
                           "websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                           "Sec-WebSocket-Key: ZmF0aG9tIGJlbmNoIGxvYQ==\r\n\r\n",
                           table);
    put(c, text, (size_t)n);
}

/* ---- the life of a table -------------------------------------------------------------------- */

static void take_seat(struct table *t)
{
    char body[64];
    t->step = SITTING;
    (void)snprintf(body, sizeof body, "{\"name\":\"Player %u\",\"seat\":%u}", t->done, t->done);
    ask(&t->http, NULL, body, "/api/tables/%s/seats", t->id);
}

static void join(struct table *t)
{
    t->step = JOINING;
    t->done = 0;
    for (unsigned i = 0; i < load.seats; i++) {
        conn_close(&t->player[i]);
        upgrade(&t->player[i], t->id);
    }
}

static void start(struct table *t)
{
    t->step = STARTING;
    if (load.waits)
        load.began++;
    else
        ask(&t->http, t->host, "", "/api/tables/%s/start", t->id);
}

static void make(struct table *t)
{
    char body[64];
    t->step = MAKING;
    (void)snprintf(body, sizeof body, "{\"game\":\"soumsoum\",\"options\":{\"players\":%u}}",
                   load.seats);
    ask(&t->http, NULL, body, "/api/tables");
}

/* The value of a key that is a text of hex digits. */
static void copy_hex(char out[ID + 1], const char *text, const char *key)
{
    const char *at = strstr(text, key);
    if (at == NULL || strlen(at) < strlen(key) + ID)
        die("an answer without %s: %.300s", key, text);
    memcpy(out, at + strlen(key), ID);
    out[ID] = '\0';
}

/* The server answered: what comes next at this table. */
static void answered(struct table *t, const char *text)
{
    if (strncmp(text, "HTTP/1.1 20", 11) != 0)
        die("refused: %.300s", text);
    switch (t->step) {
    case MAKING:
        copy_hex(t->id, text, "\"table\":\"");
        copy_hex(t->host, text, "\"host\":\"");
        t->done = 0;
        take_seat(t);
        break;
    case SITTING:
        copy_hex(t->token[t->done++], text, "\"token\":\"");
        if (t->done < load.seats)
            take_seat(t);
        else
            join(t);
        break;
    case STARTING: /* it may have begun for the streams already */
        t->step = PLAYING;
        load.began += !t->began;
        t->began = true;
        break;
    case ENDING:
        copy_hex(t->id, text, "\"table\":\"");
        join(t);
        break;
    case JOINING:
    case PLAYING:
        die("an answer that nobody asked for: %.300s", text);
    }
}

/* ---- messages ------------------------------------------------------------------------------- */

static void shout(struct conn *c)
{
    static const char text[] =
        "{\"id\":\"m1234\",\"action\":{\"do\":\"place\",\"card\":1,\"at\":[2,3]}}";
    c->echo_us = now_us();
    put_frame(c, 1, text, sizeof text - 1);
}

static void greet(struct conn *c)
{
    char text[64];
    if (load.echoes) {
        shout(c);
        return;
    }
    const int n = c->table != NULL
                      ? snprintf(text, sizeof text, "{\"hello\":\"%s\"}", c->table->token[c->seat])
                      : snprintf(text, sizeof text, "{\"hello\":null}");
    put_frame(c, 1, text, (size_t)n);
}

static void move(struct conn *c, const char *action, size_t n)
{
    struct table *t = c->table;
    char text[512];
    const uint64_t id = t->moves[c->seat]++;
    const int len = snprintf(text, sizeof text, "{\"id\":\"m%llu\",\"action\":%.*s}",
                             (unsigned long long)id, (int)n, action);
    t->sent_us[c->seat][id % IN_FLIGHT] = now_us();
    put_frame(c, 1, text, (size_t)len);
}

/* One of the list's objects; they hold no other objects. False: there is none. */
static bool move_at_random(struct conn *c, const char *list, size_t room)
{
    uint32_t n = 0;
    const char *end = *list == '{' ? memmem(list, room, "}]", 2) : NULL;
    if (end++ == NULL)
        return false;
    for (const char *at = list; (at = memchr(at, '{', (size_t)(end - at))) != NULL; at++)
        n++;
    const char *at = list - 1;
    for (uint32_t k = below(n) + 1; k > 0; k--)
        at = memchr(at + 1, '{', (size_t)(end - at - 1));
    const char *close_ = memchr(at, '}', (size_t)(end - at));
    move(c, at, (size_t)(close_ + 1 - at));
    return true;
}

static void see(struct conn *c, const char *text, size_t n)
{
    static const char legal[] = "\"legal\":[", over[] = "\"phase\":\"over\"";
    struct table *t = c->table;
    const char *list = memmem(text, n, legal, sizeof legal - 1);
    if (list != NULL &&
        move_at_random(c, list + sizeof legal - 1, (size_t)(text + n - list) - (sizeof legal - 1)))
        return;
    if (t->step == JOINING && list == NULL && ++t->done == load.seats) {
        start(t);
    } else if (t->step == PLAYING && c->seat == 0 &&
               memmem(text, n, over, sizeof over - 1) != NULL) {
        t->step = ENDING;
        load.games += load.counts;
        ask(&t->http, t->host, "", "/api/tables/%s/rematch", t->id);
    }
}

static void acknowledged(uint64_t sent_us)
{
    if (!load.counts)
        return;
    const uint64_t us = now_us() - sent_us;
    load.slow[us < LONGEST ? us : LONGEST]++;
    load.acks++;
}

static void message(struct conn *c, int opcode, const char *text, size_t n)
{
    load.messages += load.counts;
    load.bytes += load.counts ? n : 0;
    if (opcode == 9) {
        put_frame(c, 10, text, n);
    } else if (opcode == 8) {
        load.closed++;
        fprintf(stderr, "bench_load: closed by the server: %.*s\n", (int)n - 2, text + 2);
        conn_close(c);
    } else if (load.echoes) {
        acknowledged(c->echo_us);
        shout(c);
    } else if (c->table == NULL) {
        return; /* idle */
    } else if (n > 9 && memcmp(text, "{\"ack\":\"m", 9) == 0) {
        acknowledged(c->table->sent_us[c->seat][strtoull(text + 9, NULL, 10) % IN_FLIGHT]);
    } else if (n > 7 && memcmp(text, "{\"seq\":", 7) == 0) {
        see(c, text, n);
    } else if (n > 11 && memcmp(text, "{\"refused\":", 11) == 0) {
        if (load.refused++ == 0)
            fprintf(stderr, "bench_load: %.*s\n", (int)n, text);
    }
}

/* ---- reading -------------------------------------------------------------------------------- */

/* How many bytes of the buffer are done with; 0: more are needed. */
static size_t read_http(struct conn *c)
{
    static const char blank[] = "\r\n\r\n", length[] = "content-length: ";
    const char *end = memmem(c->in, c->n, blank, sizeof blank - 1);
    if (end == NULL)
        return 0;
    const size_t head = (size_t)(end + sizeof blank - 1 - c->in);
    if (c->streams) {
        if (strncmp(c->in, "HTTP/1.1 101", 12) != 0)
            die("no stream: %.200s", c->in);
        c->open = true;
        greet(c);
        return head;
    }
    const char *at = strcasestr(c->in, length);
    const size_t all = head + (at != NULL ? strtoul(at + sizeof length - 1, NULL, 10) : 0);
    if (c->n < all)
        return 0;
    const char kept = c->in[all];
    c->in[all] = '\0';
    answered(c->table, c->in);
    c->in[all] = kept;
    return all;
}

static size_t read_frame(struct conn *c, size_t from)
{
    const uint8_t *f = (const uint8_t *)c->in + from;
    const size_t n = c->n - from;
    if (n < 2)
        return 0;
    size_t head = 2, len = f[1] & 0x7f;
    const size_t more = len == 126 ? 2 : len == 127 ? 8 : 0;
    if (n < head + more)
        return 0;
    if (more > 0)
        len = 0;
    for (size_t i = 0; i < more; i++)
        len = len << 8 | f[head++];
    if (n < head + len)
        return 0;
    message(c, f[0] & 0xf, (const char *)f + head, len);
    return head + len;
}

static void take(struct conn *c)
{
    size_t from = 0, used;
    c->in[c->n] = '\0';
    while (c->fd >= 0 && from < c->n) {
        used = c->streams && c->open ? read_frame(c, from) : read_http(c);
        if (used == 0)
            break;
        from += used;
    }
    if (c->fd < 0)
        return;
    memmove(c->in, c->in + from, c->n - from);
    c->n -= from;
}

static void readable(struct conn *c)
{
    if (c->fd < 0)
        return; /* closed since epoll saw it */
    if (c->cap - c->n < ROOM / 2) {
        c->cap = c->cap == 0 ? ROOM : 2 * c->cap;
        c->in = realloc(c->in, c->cap + 1);
        if (c->in == NULL)
            die("no memory");
    }
    const ssize_t n = recv(c->fd, c->in + c->n, c->cap - c->n, 0);
    if (n > 0) {
        c->n += (size_t)n;
        take(c);
    } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
        if (c->streams)
            load.closed++;
        conn_close(c);
    }
}

/* Serves all connections until then, or until enough of what is counted. Waking a sleeper on
 * another processor costs the server that sends as much as half the sending: players elsewhere
 * would not cost it that, so these nap instead, and what lies there meanwhile has to wait. */
static void serve(uint64_t until_us, const unsigned *count, unsigned enough)
{
    struct epoll_event events[512];
    const struct timespec nap = {.tv_nsec = 1000L * load.nap_us};
    while (now_us() < until_us && (count == NULL || *count < enough)) {
        const int n = epoll_wait(load.epoll, events, 512, load.nap_us > 0 ? 0 : 5);
        for (int i = 0; i < n; i++)
            readable(events[i].data.ptr);
        if (load.nap_us > 0 && n < 512)
            (void)nanosleep(&nap, NULL);
    }
}

/* ---- the two modes -------------------------------------------------------------------------- */

/* One after another over so many microseconds, so that their games do not all end at once. */
static void make_tables(unsigned n, double over_us)
{
    const uint64_t from_us = now_us();
    load.n_tables = n;
    load.tables = calloc(n, sizeof *load.tables);
    if (load.tables == NULL)
        die("no memory");
    for (unsigned i = 0; i < n; i++) {
        struct table *t = &load.tables[i];
        t->http = (struct conn){.fd = -1, .table = t};
        for (unsigned k = 0; k < SEATS_MAX; k++)
            t->player[k] = (struct conn){.fd = -1, .streams = true, .table = t, .seat = (int)k};
        make(t);
        serve(from_us + (uint64_t)(over_us * (i + 1) / n), NULL, 0);
    }
}

static double milliseconds(double share)
{
    uint64_t sum = 0;
    for (uint32_t us = 0; us <= LONGEST; us++) {
        sum += load.slow[us];
        if (sum > 0 && (double)sum >= share * (double)load.acks)
            return us / 1000.0;
    }
    return 0;
}

/* Processor seconds that the server has had; 0: nobody said which process it is. */
static double server_seconds(long pid)
{
    char path[64], text[1024];
    unsigned long user = 0, system = 0;
    (void)snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *f = pid > 0 ? fopen(path, "r") : NULL;
    if (f == NULL)
        return 0;
    const size_t n = fread(text, 1, sizeof text - 1, f);
    (void)fclose(f);
    text[n] = '\0';
    const char *at = strrchr(text, ')');
    if (at == NULL ||
        sscanf(at + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2)
        return 0;
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static double own_seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* All are at it: counts for so long and says what it counted. */
static void measure(const char *server, unsigned players, double seconds, long pid)
{
    load.slow = calloc(LONGEST + 1, sizeof *load.slow);
    if (load.slow == NULL)
        die("no memory");
    load.counts = true;
    const double cpu = server_seconds(pid), own = own_seconds();
    const uint64_t start_us = now_us();
    serve(start_us + (uint64_t)(seconds * 1e6), NULL, 0);
    const double spent = (double)(now_us() - start_us) / 1e6;
    const double used = server_seconds(pid) - cpu;
    printf("{\"server\":\"%s\",\"players\":%u,\"tables\":%u,\"seconds\":%.1f,"
           "\"moves_per_second\":%.0f,\"ack_ms\":{\"p50\":%.2f,\"p95\":%.2f,\"p99\":%.2f,"
           "\"max\":%.2f},"
           "\"messages_per_second\":%.0f,\"bytes_per_message\":%.0f,\"games_per_second\":%.1f,"
           "\"server_cpu_us_per_move\":%.0f,\"server_cpu_share\":%.2f,\"load_cpu_share\":%.2f,"
           "\"refused\":%llu,\"closed\":%llu}\n",
           server, players, load.n_tables, spent, (double)load.acks / spent, milliseconds(.5),
           milliseconds(.95), milliseconds(.99), milliseconds(1), (double)load.messages / spent,
           (double)load.bytes / (double)(load.messages > 0 ? load.messages : 1),
           (double)load.games / spent, used * 1e6 / (double)(load.acks > 0 ? load.acks : 1),
           used / spent, (own_seconds() - own) / spent, (unsigned long long)load.refused,
           (unsigned long long)load.closed);
}

static void play(unsigned players, double warm_up, double seconds, long pid)
{
    make_tables(players / load.seats, warm_up * 1e6 / 2);
    serve(now_us() + 60000000, &load.began, load.n_tables);
    if (load.began < load.n_tables)
        die("after a minute only %u tables of %u have begun", load.began, load.n_tables);
    serve(now_us() + (uint64_t)(warm_up * 1e6 / 2), NULL, 0);
    measure("Fathom", load.n_tables * load.seats, seconds, pid);
}

/* Each says something, and again as soon as it hears it back. */
static void echo(unsigned n, double warm_up, double seconds, long pid)
{
    struct conn *all = calloc(n, sizeof *all);
    if (all == NULL)
        die("no memory");
    load.echoes = true;
    for (unsigned i = 0; i < n; i++) {
        all[i] = (struct conn){.fd = -1, .streams = true};
        upgrade(&all[i], "echo");
        if (i % 64 == 63)
            serve(now_us() + 5000, NULL, 0);
    }
    serve(now_us() + (uint64_t)(warm_up * 1e6 / 2), NULL, 0);
    measure("libwebsockets echo", n, seconds, pid);
    free(all);
}

static long resident_kib(long pid)
{
    char path[64], line[256];
    long kib = -1;
    (void)snprintf(path, sizeof path, "/proc/%ld/status", pid);
    FILE *f = fopen(path, "r");
    if (f == NULL)
        die("there is no process %ld", pid);
    while (fgets(line, sizeof line, f) != NULL)
        if (strncmp(line, "VmRSS:", 6) == 0)
            kib = strtol(line + 6, NULL, 10);
    (void)fclose(f);
    return kib;
}

static void idle(unsigned n, long pid, double seconds)
{
    struct conn *all = calloc(n, sizeof *all);
    if (all == NULL)
        die("no memory");
    load.seats = 2;
    load.waits = true;
    make_tables(WATCHED, 0);
    serve(now_us() + 60000000, &load.began, load.n_tables);
    serve(now_us() + 1000000, NULL, 0);
    const long before = resident_kib(pid);
    const uint64_t from = now_us();
    for (unsigned i = 0; i < n; i++) {
        all[i] = (struct conn){.fd = -1, .streams = true};
        upgrade(&all[i], load.tables[i % WATCHED].id);
        if (i % 64 == 63)
            serve(now_us() + 5000, NULL, 0);
    }
    serve(now_us() + (uint64_t)(seconds * 1e6), NULL, 0);
    unsigned held = 0;
    for (unsigned i = 0; i < n; i++)
        held += all[i].open && all[i].fd >= 0;
    const long after = resident_kib(pid);
    printf("{\"server\":\"fathom\",\"idle\":%u,\"held\":%u,\"held_for_seconds\":%.1f,"
           "\"rss_kib_before\":%ld,\"rss_kib_after\":%ld,\"kib_per_connection\":%.2f,"
           "\"closed\":%llu}\n",
           n, held, (double)(now_us() - from) / 1e6, before, after,
           (double)(after - before) / (double)n, (unsigned long long)load.closed);
    free(all);
}

static void raise_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

int main(int argc, char **argv)
{
    static const struct option list[] = {{"port", required_argument, NULL, 'p'},
                                         {"players", required_argument, NULL, 'n'},
                                         {"seats", required_argument, NULL, 's'},
                                         {"warm-up", required_argument, NULL, 'w'},
                                         {"seconds", required_argument, NULL, 't'},
                                         {"idle", required_argument, NULL, 'i'},
                                         {"echo", required_argument, NULL, 'e'},
                                         {"pid", required_argument, NULL, 'P'},
                                         {"seed", required_argument, NULL, 'r'},
                                         {"nap", required_argument, NULL, 'z'},
                                         {NULL, 0, NULL, 0}};
    unsigned players = 1000, connections = 0, shouting = 0;
    double warm_up = 3, seconds = 10;
    long pid = 0;
    int flag;
    load.seats = 4;
    load.seed = 1;
    load.nap_us = 200;
    while ((flag = getopt_long(argc, argv, "", list, NULL)) != -1)
        switch (flag) {
        case 'p':
            if (load.n_ports < NODES_MAX)
                load.port[load.n_ports++] = (int)strtol(optarg, NULL, 10);
            break;
        case 'n':
            players = (unsigned)(int)strtol(optarg, NULL, 10);
            break;
        case 's':
            load.seats = (unsigned)(int)strtol(optarg, NULL, 10);
            break;
        case 'w':
            warm_up = strtod(optarg, NULL);
            break;
        case 't':
            seconds = strtod(optarg, NULL);
            break;
        case 'i':
            connections = (unsigned)(int)strtol(optarg, NULL, 10);
            break;
        case 'e':
            shouting = (unsigned)(int)strtol(optarg, NULL, 10);
            break;
        case 'P':
            pid = atol(optarg);
            break;
        case 'r':
            load.seed = strtoull(optarg, NULL, 10);
            break;
        case 'z':
            load.nap_us = (unsigned)(int)strtol(optarg, NULL, 10);
            break;
        default:
            load.seats = 0;
        }
    if (load.n_ports == 0 || load.seats < 2 || load.seats > SEATS_MAX || players < load.seats ||
        seconds <= 0 || optind < argc || load.nap_us > 999999 || (connections > 0 && pid == 0)) {
        fprintf(stderr, "usage: bench_load --port N … [--players 1000] [--seats 4] [--warm-up 3] "
                        "[--seconds 10] [--seed 1] [--nap MICROSECONDS] [--pid OF_THE_SERVER]\n"
                        "       bench_load --port N --idle 10000 --pid OF_THE_SERVER\n"
                        "       bench_load --port OF_BENCH_ECHO --echo 1000 [--warm-up 3] "
                        "[--seconds 10] [--pid OF_THE_SERVER]\n");
        return 2;
    }
    raise_limit();
    load.epoll = epoll_create1(EPOLL_CLOEXEC);
    if (connections > 0)
        idle(connections, pid, seconds);
    else if (shouting > 0)
        echo(shouting, warm_up, seconds, pid);
    else
        play(players, warm_up, seconds, pid);
    return 0;
}
