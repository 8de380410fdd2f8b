/* load_conn.c: the connections of bench_load: HTTP requests, WebSocket frames, and one loop for
 * all. */
#define _GNU_SOURCE /* memmem */
#include "load.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define ROOM 4096 /* of a buffer at first */

void load_die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)fputs("bench_load: ", stderr);
    (void)vfprintf(stderr, format, args);
    (void)fputc('\n', stderr);
    va_end(args);
    exit(1);
}

uint64_t load_now_us(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

uint32_t load_below(uint32_t n) /* splitmix64 */
{
    uint64_t x = load.seed += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((x >> 32) * n >> 32);
}

/* ---- connections ----------------------------------------------------------------------------- */

static int connect_path(void)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    (void)snprintf(to.sun_path, sizeof to.sun_path, "%s", load.path);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return fd >= 0 && connect(fd, (const void *)&to, sizeof to) == 0 ? fd : -1;
}

static int connect_port(int port)
{
    const struct sockaddr_in to = {.sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return fd >= 0 && connect(fd, (const void *)&to, sizeof to) == 0 ? fd : -1;
}

/* Ids are random, so their first digits serve as a hash. */
static int port_for(const struct conn *c, const char *table)
{
    char digits[9];
    if (load.apart && c->table != NULL)
        return load.port[(size_t)(c->table - load.tables) % load.n_ports];
    if (!load.by_table || table == NULL)
        return load.port[load.opened++ % load.n_ports];
    (void)snprintf(digits, sizeof digits, "%.8s", table);
    return load.port[strtoul(digits, NULL, 16) % load.n_ports];
}

void conn_open(struct conn *c, const char *table)
{
    c->port = load.path != NULL ? 0 : port_for(c, table);
    c->fd = load.path != NULL ? connect_path() : connect_port(c->port);
    if (c->fd < 0)
        load_die("cannot connect: %s", strerror(errno));
    (void)setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    (void)fcntl(c->fd, F_SETFL, O_NONBLOCK);
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = c};
    if (epoll_ctl(load.epoll, EPOLL_CTL_ADD, c->fd, &e) != 0)
        load_die("epoll: %s", strerror(errno));
    c->n = 0;
    c->open = false;
}

void conn_close(struct conn *c)
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
        load_die("the server does not read: %s", sent < 0 ? strerror(errno) : "no room");
}

void conn_put_frame(struct conn *c, int opcode, const char *text, size_t n)
{
    uint8_t frame[8 + 512];
    if (n > sizeof frame - 8)
        load_die("too long a message");
    size_t at = 0;
    frame[at++] = (uint8_t)(0x80 | opcode);
    frame[at++] = (uint8_t)(0x80 | (n < 126 ? n : 126));
    if (n >= 126) {
        frame[at++] = (uint8_t)(n >> 8);
        frame[at++] = (uint8_t)n;
    }
    const uint32_t mask = load_below(UINT32_MAX);
    uint8_t key[4];
    memcpy(key, &mask, sizeof key);
    memcpy(frame + at, key, sizeof key);
    at += sizeof key;
    for (size_t i = 0; i < n; i++)
        frame[at + i] = (uint8_t)text[i] ^ key[i % 4];
    put(c, frame, at + n);
}

void conn_post(struct conn *c, const char *table, const char *what, const char *token,
               const char *body)
{
    char text[1024];
    if (c->fd >= 0 && load.by_table && table != NULL && c->port != port_for(c, table))
        conn_close(c);
    if (c->fd < 0)
        conn_open(c, table);
    const int n =
        snprintf(text, sizeof text,
                 "POST /api/tables%s%s%s HTTP/1.1\r\nHost: 127.0.0.1\r\n%s%s%sContent-Type: "
                 "application/json\r\nContent-Length: %zu\r\n\r\n%s",
                 table != NULL ? "/" : "", table != NULL ? table : "", what,
                 token != NULL ? "Authorization: Bearer " : "", token != NULL ? token : "",
                 token != NULL ? "\r\n" : "", strlen(body), body);
    put(c, text, (size_t)n);
}

void conn_upgrade(struct conn *c, const char *table)
{
    char text[256];
    conn_open(c, table);
    const int n = snprintf(text, sizeof text,
                           "GET /api/tables/%s/live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: "
                           "websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                           "Sec-WebSocket-Key: ZmF0aG9tIGJlbmNoIGxvYQ==\r\n\r\n",
                           table);
    put(c, text, (size_t)n);
}

/* ---- reading --------------------------------------------------------------------------------- */

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
            load_die("no stream: %.200s", c->in);
        c->open = true;
        conn_greet(c);
        return head;
    }
    const char *at = strcasestr(c->in, length);
    const size_t all = head + (at != NULL ? strtoul(at + sizeof length - 1, NULL, 10) : 0);
    if (c->n < all)
        return 0;
    const char kept = c->in[all];
    c->in[all] = '\0';
    table_answered(c->table, c->in);
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
    conn_message(c, f[0] & 0xf, (const char *)f + head, len);
    return head + len;
}

static void take(struct conn *c)
{
    size_t from = 0, used;
    c->in[c->n] = '\0';
    while (from < c->n) {
        used = c->streams && c->open ? read_frame(c, from) : read_http(c);
        if (used == 0)
            break;
        if (c->n == 0)
            return; /* closed, and perhaps opened again */
        from += used;
    }
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
            load_die("no memory");
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

void load_serve(uint64_t until_us, const unsigned *count, unsigned enough)
{
    struct epoll_event events[512];
    const struct timespec nap = {.tv_nsec = 1000L * load.nap_us};
    while (load_now_us() < until_us && (count == NULL || *count < enough)) {
        const int n = epoll_wait(load.epoll, events, 512, load.nap_us > 0 ? 0 : 5);
        for (int i = 0; i < n; i++)
            readable(events[i].data.ptr);
        if (load.nap_us > 0 && n < 512)
            (void)nanosleep(&nap, NULL);
    }
}
