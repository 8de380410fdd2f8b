/* net.c: connections: requests read whole, answers and messages written when there is room. */
#include "server/net.h"

#include "server/files.h"
#include "server/frames.h"
#include "server/oceans.h"
#include "server/rates.h"

#include "base/panic.h"

#include <errno.h>
#include <ev.h>
#include <libwebsockets.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define BODY_MAX     16384
#define MESSAGE_MAX  16384
#define READ_MAX     16384       /* bytes of a stream in one go */
#define SYSTEM_MAX   (64 * 1024) /* bytes that the system keeps for a reader */
#define HELLO_MS     10000
#define BODY_MS      15000 /* in which a body is here, however it comes */
#define CLOSE_MS     5000  /* a reader may take so long until it has heard why */
#define PONG_MS      10000 /* so long a ping is waited for before the next */
#define TICK_S       .05
#define LOOK_MS      1000   /* how often it is looked at who says nothing ... */
#define PING_MS      300000 /* ... who is asked then whether it is there ... */
#define GONE_MS      310000 /* ... and is gone */
#define RETRY_MS     2000
#define PATH_MAX_    512
#define CLOSE_CODES  16
#define KEY_TEXT     24   /* of Sec-WebSocket-Key: 16 bytes */
#define OUT_ROOM     4096 /* nearly all that is written at once fits */
#define FILES_BESIDE 256  /* the store's, the listening socket ... */
#define SPARE        16   /* such buffers that are kept for the next */

struct message { /* an answer */
    size_t n;
    uint8_t bytes[]; /* LWS_PRE, then the text */
};

struct session { /* of libwebsockets' making, zeroed */
    struct net *net;
    struct lws *wsi;
    struct session *next, **at; /* among all streams */
    /* a request */
    struct srv_call call;
    bool asked;
    char method[8], path[PATH_MAX_], token[SRV_TOKEN_TEXT + 2];
    char *body;
    size_t n;
    int status;
    struct message *answer;
    const struct srv_file *file; /* in place of an answer */
    const char *encoding;        /* of the file or the answer; NULL: none */
    bool unchanged;
    char address[48];
    /* a stream */
    bool streams;
    struct srv_live live;
    struct ev_io readable;
    struct srv_frames frames;             /* what comes */
    struct session *next_full, **at_full; /* among those with something to write; NULL: none */
    uint8_t *out;                         /* LWS_PRE, then frames to write; NULL: none */
    size_t out_n, out_cap, held;          /* held: libwebsockets has so much and cannot write it */
    bool broken, asked_after;             /* the latter: whether it is there */
    uint64_t since_ms, heard_ms;
    struct srv_bucket said; /* how much of late */
    uint64_t ping_us;       /* when it was sent; 0: none is on its way */
    uint8_t ping[8];        /* what is in it: nobody can answer before it is there */
    unsigned misunderstood;
    uint64_t closing_ms; /* since when; 0: it is not closed */
    bool deaf;           /* what still comes cannot be read */
    bool over;           /* all is said on both sides */
};

struct net {
    struct lws_context *context;
    struct ev_loop *loop;
    struct ev_async wake;
    struct ev_prepare before_wait;
    struct ev_timer tick;
    struct ev_signal term, interrupt;
    struct st_store *store;
    struct srv_oceans *oceans;
    struct srv_hall *hall;
    struct srv_files *files;
    struct srv_rates rates;
    const struct srv_config *config;
    struct session *sessions, *full;
    uint8_t *spare[SPARE];
    unsigned n_spare;
    uint64_t looked_ms;
    uint64_t requests;
    unsigned connections;
    unsigned streams;
    uint64_t closes[CLOSE_CODES]; /* of ours, from SRV_CLOSE_NORMAL on */
    bool stopping;
    uint8_t in[READ_MAX];
};

/* Of the calendar, since deadlines outlive the process; but it never goes back. */
static uint64_t now_ms(void)
{
    static uint64_t latest;
    struct timespec t;
    (void)clock_gettime(CLOCK_REALTIME, &t);
    const uint64_t now = (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
    latest = now > latest ? now : latest;
    return latest;
}

static struct net *net_of(struct lws *wsi)
{
    return lws_context_user(lws_get_context(wsi));
}

/* ---- what the hall asks of us --------------------------------------------------------------- */

#define OWNER(pointer, member)                                                                     \
    ((struct session *)(void *)((char *)(pointer)-offsetof(struct session, member)))

static struct message *message_new(const char *text, size_t n)
{
    struct message *m = malloc(sizeof *m + LWS_PRE + n);
    if (m == NULL)
        return NULL;
    m->n = n;
    memcpy(m->bytes + LWS_PRE, text, n);
    return m;
}

/* ---- frames: what is to be said to a stream at once leaves in one piece ------------------------ */

static bool make_room(struct session *s, size_t n)
{
    struct net *net = s->net;
    if (s->out_n + n <= s->out_cap)
        return true;
    if (s->out == NULL && n <= OUT_ROOM) {
        s->out = net->n_spare > 0 ? net->spare[--net->n_spare] : malloc(LWS_PRE + OUT_ROOM);
        s->out_cap = s->out != NULL ? OUT_ROOM : 0;
        return s->out != NULL;
    }
    const size_t cap = s->out_n + n > 2 * s->out_cap ? s->out_n + n : 2 * s->out_cap;
    uint8_t *more = realloc(s->out, LWS_PRE + cap);
    if (more == NULL)
        return false;
    s->out = more;
    s->out_cap = cap;
    return true;
}

static void forget_out(struct session *s)
{
    struct net *net = s->net;
    if (s->out_cap == OUT_ROOM && net->n_spare < SPARE)
        net->spare[net->n_spare++] = s->out;
    else
        free(s->out);
    s->out = NULL; /* an idle stream keeps nothing */
    s->out_n = s->out_cap = 0;
}

static void set_full(struct session *s, bool full)
{
    struct net *net = s->net;
    if (full == (s->at_full != NULL))
        return;
    if (full) {
        s->next_full = net->full;
        s->at_full = &net->full;
        net->full = s;
    } else {
        *s->at_full = s->next_full;
    }
    if (s->next_full != NULL)
        s->next_full->at_full = full ? &s->next_full : s->at_full;
    if (!full)
        s->at_full = NULL;
}

/* Writes without waiting to hear that there is room: that costs two calls of the system, and there
 * is. What does not fit libwebsockets keeps, and says when it is gone. */
static void flush(struct session *s)
{
    set_full(s, false);
    if (s->out_n == 0)
        return;
    if (lws_partial_buffered(s->wsi)) {
        lws_callback_on_writable(s->wsi);
        return;
    }
    const int written = lws_write(s->wsi, s->out + LWS_PRE, s->out_n, LWS_WRITE_RAW);
    s->broken = written < 0;
    s->held = lws_partial_buffered(s->wsi) ? s->out_n : 0;
    forget_out(s);
    if (s->broken || s->held > 0)
        lws_callback_on_writable(s->wsi);
}

static bool put_frame(struct session *s, enum srv_opcode opcode, const void *data, size_t n)
{
    uint8_t head[SRV_FRAME_HEAD];
    const size_t m = srv_frame_head(head, opcode, n);
    if (!make_room(s, m + n))
        return false;
    memcpy(s->out + LWS_PRE + s->out_n, head, m);
    memcpy(s->out + LWS_PRE + s->out_n + m, data, n);
    s->out_n += m + n;
    set_full(s, true);
    return true;
}

static size_t queue_max(const struct session *s)
{
    return (size_t)s->net->config->queue * 1024;
}

/* How much the system keeps for a reader. */
static void set_buffer(const struct session *s, int bytes)
{
    (void)setsockopt(lws_get_socket_fd(s->wsi), SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
}

/* The last frame. Then the other side is heard until it closes, too. */
static void hang_up(struct session *s, int code, const char *reason)
{
    char text[SRV_FRAME_CONTROL] = {(char)(code >> 8), (char)(code & 0xff)};
    if (s->closing_ms != 0)
        return;
    s->closing_ms = now_ms();
    if (!s->over)
        s->net->closes[(code - SRV_CLOSE_NORMAL) % CLOSE_CODES]++;
    if (code == SRV_CLOSE_LATER) {
        forget_out(s); /* nothing but why; for that the system finds room */
        set_buffer(s, 2 * (SYSTEM_MAX + (int)queue_max(s)));
    }
    const size_t n = code == SRV_CLOSE_NO_CODE ? 0 : 2 + strlen(reason);
    memcpy(text + 2, reason, strlen(reason));
    if (!put_frame(s, SRV_OP_CLOSE, text, n))
        s->broken = true;
    lws_callback_on_writable(s->wsi);
}

static void say(struct session *s, enum srv_opcode opcode, const void *data, size_t n)
{
    if (s->closing_ms != 0)
        return;
    if (s->held + s->out_n + n > queue_max(s))
        hang_up(s, SRV_CLOSE_LATER, "too slow a reader");
    else if (!put_frame(s, opcode, data, n))
        hang_up(s, SRV_CLOSE_LATER, "no memory");
}

static void send_message(void *arg, struct srv_live *live, const char *text, size_t n)
{
    (void)arg;
    say(OWNER(live, live), SRV_OP_TEXT, text, n);
}

static void send_away(void *arg, struct srv_live *live)
{
    char text[32];
    const int n = snprintf(text, sizeof text, "{\"retry\":%d}", RETRY_MS);
    send_message(arg, live, text, (size_t)n);
    hang_up(OWNER(live, live), SRV_CLOSE_AWAY, "come back");
}

static void flush_all(void *arg)
{
    struct net *net = arg;
    while (net->full != NULL)
        flush(net->full);
    if (net->hall != NULL)
        srv_hall_sent(net->hall);
}

static void ping(void *arg, struct srv_live *live)
{
    struct session *s = OWNER(live, live);
    const uint64_t now = srv_now_us();
    (void)arg;
    if (s->ping_us != 0 && now < s->ping_us + 1000 * PONG_MS)
        return;
    s->ping_us = now;
    randombytes_buf(s->ping, sizeof s->ping);
    say(s, SRV_OP_PING, s->ping, sizeof s->ping);
}

/* The way there and back, smoothed as TCP does it. */
static void hear_pong(struct session *s, const struct srv_frame *frame)
{
    if (s->ping_us == 0 || frame->n != sizeof s->ping ||
        memcmp(frame->data, s->ping, sizeof s->ping) != 0)
        return;
    const uint64_t took_ms = (srv_now_us() - s->ping_us + 999) / 1000;
    const uint32_t lag = took_ms < PONG_MS ? (uint32_t)took_ms : PONG_MS;
    s->live.lag_ms = s->live.lag_ms == 0 ? lag : (7 * s->live.lag_ms + lag + 4) / 8;
    s->ping_us = 0;
}

static void answer(void *arg, struct srv_call *call, int status, const char *text, size_t n)
{
    struct session *s = OWNER(call, call);
    (void)arg;
    s->status = status;
    s->answer = message_new(text, n);
    lws_callback_on_writable(s->wsi);
}

static void wake(void *arg)
{
    struct net *net = arg;
    ev_async_send(net->loop, &net->wake);
}

/* ---- requests ------------------------------------------------------------------------------- */

static const char *read_method(struct lws *wsi)
{
    static const struct {
        enum lws_token_indexes token;
        const char *name;
    } methods[] = {{WSI_TOKEN_GET_URI, "GET"},
                   {WSI_TOKEN_POST_URI, "POST"},
                   {WSI_TOKEN_PUT_URI, "PUT"},
                   {WSI_TOKEN_DELETE_URI, "DELETE"}};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (lws_hdr_total_length(wsi, methods[i].token) > 0)
            return methods[i].name;
    return "?";
}

/* "Bearer TOKEN"; anything else is no token. */
static void read_token(struct session *s)
{
    char text[SRV_TOKEN_TEXT + 16];
    static const char bearer[] = "Bearer ";
    s->token[0] = '\0';
    if (lws_hdr_copy(s->wsi, text, sizeof text, WSI_TOKEN_HTTP_AUTHORIZATION) > 0 &&
        strncmp(text, bearer, sizeof bearer - 1) == 0 &&
        strlen(text) == sizeof bearer - 1 + SRV_TOKEN_TEXT)
        memcpy(s->token, text + sizeof bearer - 1, SRV_TOKEN_TEXT + 1);
}

static void refuse(struct session *s, enum fm_err code, int status)
{
    char text[256];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    srv_put_error(&o, code, fm_err_text(code));
    answer(NULL, &s->call, status, text, o.len);
}

static void put_store_metrics(struct fm_out *o, const struct st_stats *st)
{
    struct srv_histogram commits = {.sum_us = st->commit_us_sum};
    _Static_assert(sizeof commits.count == sizeof st->commit_us, "the same slots");
    memcpy(commits.count, st->commit_us, sizeof commits.count);
    srv_put_counter(o, "fathom_store_writes_total", st->writes);
    srv_put_counter(o, "fathom_store_commits_total", st->commits);
    srv_put_counter(o, "fathom_store_failures_total", st->failures);
    srv_put_counter(o, "fathom_store_conflicts_total", st->conflicts);
    srv_put_counter(o, "fathom_store_notices_sent_total", st->notices_sent);
    srv_put_counter(o, "fathom_store_notices_heard_total", st->notices_heard);
    srv_put_gauge(o, "fathom_store_waiting", st->waiting);
    srv_put_histogram(o, "fathom_commit_seconds", &commits);
}

static void put_metrics(struct session *s)
{
    struct net *net = s->net;
    const struct srv_hall_stats h = srv_hall_stats(net->hall);
    const struct st_stats st = st_stats(net->store);
    const struct srv_oceans_stats oceans = srv_oceans_stats(net->oceans);
    char text[32768], code[8];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    srv_put_gauge(&o, "fathom_tables", h.tables);
    srv_put_gauge(&o, "fathom_streams", h.streams);
    srv_put_gauge(&o, "fathom_connections", net->connections);
    srv_put_counter(&o, "fathom_requests_total", net->requests);
    srv_put_counter(&o, "fathom_moves_total", h.moves);
    srv_put_type(&o, "fathom_refusals_total", "counter");
    for (int i = 0; i < FM_ERR_COUNT; i++)
        if (h.refusals[i] > 0)
            srv_put_labelled(&o, "fathom_refusals_total", "code", fm_err_code((enum fm_err)i),
                             h.refusals[i]);
    srv_put_type(&o, "fathom_closes_total", "counter");
    for (int i = 0; i < CLOSE_CODES; i++) {
        (void)snprintf(code, sizeof code, "%d", SRV_CLOSE_NORMAL + i);
        if (net->closes[i] > 0)
            srv_put_labelled(&o, "fathom_closes_total", "code", code, net->closes[i]);
    }
    srv_put_histogram(&o, "fathom_broadcast_seconds", &h.told);
    srv_put_gauge(&o, "fathom_bots_thinking", h.thinking);
    srv_put_counter(&o, "fathom_bot_thoughts_dropped_total", h.dropped);
    srv_put_histogram(&o, "fathom_bot_wait_seconds", &h.waited);
    srv_put_histogram(&o, "fathom_bot_think_seconds", &h.thought);
    put_store_metrics(&o, &st);
    srv_put_counter(&o, "fathom_ocean_asked_total", oceans.asked);
    srv_put_counter(&o, "fathom_ocean_found_total", oceans.found);
    srv_put_histogram(&o, "fathom_ocean_bake_seconds", &oceans.baked);
    srv_put_histogram(&o, "fathom_ocean_picture_seconds", &oceans.drawn);
    fm_assert(fm_out_ok(&o));
    answer(NULL, &s->call, 200, text, o.len);
}

/* Does the reader take this encoding? "gzip;q=0" says that it does not. */
static bool takes(struct session *s, const char *encoding)
{
    char accept[256] = "";
    const size_t n = strlen(encoding);
    (void)lws_hdr_copy(s->wsi, accept, sizeof accept, WSI_TOKEN_HTTP_ACCEPT_ENCODING);
    for (const char *p = accept; *p != '\0'; p += strcspn(p, ",")) {
        p += strspn(p, ", \t");
        if (strncmp(p, encoding, n) != 0 || strchr(" \t,;", p[n]) == NULL)
            continue;
        const char *q = p + n + strspn(p + n, " \t;");
        return strncmp(q, "q=0", 3) != 0 || strcspn(q + 3, "123456789") < strcspn(q + 3, ",");
    }
    return false;
}

/* A file of the page: "/" is its index. */
static bool ask_file(struct session *s)
{
    char known[256] = "";
    if (strcmp(s->method, "GET") != 0 || strncmp(s->path, "/api/", 5) == 0)
        return false;
    s->file = srv_files_find(s->net->files, strcmp(s->path, "/") == 0 ? "/index.html" : s->path);
    if (s->file == NULL)
        return false;
    (void)lws_hdr_copy(s->wsi, known, sizeof known, WSI_TOKEN_HTTP_IF_NONE_MATCH);
    s->encoding = s->file->br != NULL && takes(s, "br")       ? "br"
                  : s->file->gzip != NULL && takes(s, "gzip") ? "gzip"
                                                              : NULL;
    s->unchanged = strstr(known, s->file->etag) != NULL; /* also W/"…", as proxies make it */
    lws_callback_on_writable(s->wsi);
    return true;
}

/* Counters tell when somebody does something in secret: they are for this machine alone, and for
 * no proxy's clients. */
static bool is_near(const struct session *s)
{
    return (strncmp(s->address, "127.", 4) == 0 || strcmp(s->address, "::1") == 0) &&
           lws_hdr_total_length(s->wsi, WSI_TOKEN_X_FORWARDED_FOR) == 0;
}

static bool ends_with(const char *text, const char *ending)
{
    const size_t n = strlen(text), m = strlen(ending);
    return n >= m && strcmp(text + n - m, ending) == 0;
}

/* Making tables, looking for codes and playing whole games again cost more than reading. */
static double cost_of(const struct session *s)
{
    if (strncmp(s->path, "/api/codes/", 11) == 0 || strstr(s->path, "/replay/") != NULL ||
        ends_with(s->path, "/verify"))
        return 5;
    return strcmp(s->method, "POST") == 0 &&
                   (strcmp(s->path, "/api/tables") == 0 || strcmp(s->path, "/api/practice") == 0)
               ? 5
               : 1;
}

/* The request is whole. */
static void ask(struct session *s)
{
    const struct srv_request r = {.method = s->method,
                                  .path = s->path,
                                  .token = s->token[0] != '\0' ? s->token : NULL,
                                  .body = s->body != NULL ? s->body : "",
                                  .n = s->n};
    if (s->asked)
        return;
    s->asked = true;
    s->call.takes_gzip = takes(s, "gzip");
    s->call.gzip = false;
    s->net->requests++;
    if (!srv_rates_take(&s->net->rates, s->address, cost_of(s), now_ms()))
        refuse(s, FM_E_BUSY, 429);
    else if (ask_file(s))
        return;
    else if (strcmp(s->path, "/healthz") == 0 && strcmp(s->method, "GET") == 0)
        answer(NULL, &s->call, 200, "{\"ok\":true}", 11);
    else if (strcmp(s->path, "/metrics") == 0 && strcmp(s->method, "GET") == 0 && is_near(s))
        put_metrics(s);
    else
        srv_hall_request(s->net->hall, &s->call, &r, now_ms());
}

static void request_reset(struct session *s)
{
    srv_hall_hung_up(s->net->hall, &s->call);
    free(s->body);
    free(s->answer);
    s->body = NULL;
    s->answer = NULL;
    s->file = NULL;
    s->encoding = NULL;
    s->unchanged = false;
    s->n = 0;
    s->asked = false;
}

struct headers { /* being written */
    struct session *s;
    uint8_t *p, *end;
    bool failed;
};

static void put_header(struct headers *h, const char *name, const char *value)
{
    h->failed |= lws_add_http_header_by_name(h->s->wsi, (const unsigned char *)name,
                                             (const unsigned char *)value, (int)strlen(value),
                                             &h->p, h->end) != 0;
}

/* The page loads nothing from elsewhere, is framed by nobody, and tells nobody where one was. */
static void put_page_headers(struct headers *h, const struct srv_file *file)
{
    /* 'self' covers the stream too; style attributes are set by scripts alone, never by a text */
    put_header(h, "content-security-policy:",
               "default-src 'none'; script-src 'self'; style-src 'self'; "
               "style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; "
               "media-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
               "base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    put_header(
        h, "cache-control:", file->forever ? "public, max-age=31536000, immutable" : "no-cache");
    put_header(h, "etag:", file->etag);
    put_header(h, "vary:", "accept-encoding");
}

/* The bytes of a file in the encoding that was settled. */
static struct message *message_of_file(const struct session *s)
{
    const struct srv_file *file = s->file;
    if (s->unchanged)
        return message_new("", 0);
    if (s->encoding == NULL)
        return message_new((const char *)file->plain, file->plain_n);
    return strcmp(s->encoding, "br") == 0 ? message_new((const char *)file->br, file->br_n)
                                          : message_new((const char *)file->gzip, file->gzip_n);
}

static const char *type_of_answer(const struct session *s)
{
    const size_t n = strlen(s->path);
    if (s->status == 200 && n > 4 && strcmp(s->path + n - 4, ".jpg") == 0)
        return "image/jpeg";
    return strcmp(s->path, "/metrics") == 0 ? "text/plain; version=0.0.4" : "application/json";
}

static int write_answer(struct session *s)
{
    uint8_t buffer[LWS_PRE + 2048], *start = buffer + LWS_PRE;
    struct headers h = {.s = s, .p = start, .end = buffer + sizeof buffer};
    struct message *m = s->answer;
    const struct srv_file *file = s->file;
    if (m != NULL && s->call.gzip)
        s->encoding = "gzip";
    if (file != NULL && m == NULL) {
        m = message_of_file(s);
        s->status = s->unchanged ? 304 : 200;
    }
    if (m == NULL)
        return 0;
    if (lws_add_http_common_headers(s->wsi, (unsigned)s->status,
                                    file != NULL ? file->type : type_of_answer(s), m->n, &h.p,
                                    h.end))
        h.failed = true;
    if (file != NULL)
        put_page_headers(&h, file);
    else
        put_header(&h, "cache-control:", "no-store");
    if (s->encoding != NULL && !s->unchanged)
        put_header(&h, "content-encoding:", s->encoding);
    put_header(&h, "x-content-type-options:", "nosniff");
    put_header(&h, "referrer-policy:", "no-referrer");
    if (s->status == 429)
        put_header(&h, "retry-after:", "1");
    s->answer = NULL;
    int written = 0;
    if (h.failed || lws_finalize_write_http_header(s->wsi, start, &h.p, h.end))
        written = -1;
    else if (m->n > 0)
        written = lws_write(s->wsi, m->bytes + LWS_PRE, m->n, LWS_WRITE_HTTP_FINAL);
    free(m);
    request_reset(s);
    return written < 0 || lws_http_transaction_completed(s->wsi) ? -1 : 0;
}

static int begin_request(struct session *s, const char *uri, size_t n)
{
    char length[24] = "";
    request_reset(s);
    (void)snprintf(s->method, sizeof s->method, "%s", read_method(s->wsi));
    if (n >= sizeof s->path) {
        refuse(s, FM_E_NO_PATH, 404);
        s->asked = true;
        return 0;
    }
    memcpy(s->path, uri, n);
    s->path[n] = '\0';
    read_token(s);
    (void)lws_get_peer_simple(s->wsi, s->address, sizeof s->address);
    (void)lws_hdr_copy(s->wsi, length, sizeof length, WSI_TOKEN_HTTP_CONTENT_LENGTH);
    const unsigned long long body = strtoull(length, NULL, 10);
    /* A body whose length is not said, or is too much: answered before it comes. */
    if (body > BODY_MAX || lws_hdr_total_length(s->wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0) {
        refuse(s, FM_E_SIZE, 413);
        (void)write_answer(s);
        return -1;
    }
    if (body == 0) {
        ask(s);
    } else {
        s->since_ms = now_ms();
        s->body = malloc(BODY_MAX);
        if (s->body == NULL)
            return -1;
    }
    return 0;
}

static int take_body(struct session *s, const void *in, size_t n)
{
    if (s->body == NULL)
        return 0;
    if (s->n + n > BODY_MAX || now_ms() > s->since_ms + BODY_MS)
        return -1;
    memcpy(s->body + s->n, in, n);
    s->n += n;
    return 0;
}

/* ---- streams: libwebsockets shakes hands and writes, what comes is read here ------------------ */

/* A page of another origin must not speak for whoever has it open. */
static bool same_origin(const struct net *net, struct lws *wsi)
{
    char origin[256], host[256];
    const int n = lws_hdr_copy_fragment(wsi, origin, sizeof origin, WSI_TOKEN_ORIGIN, 0);
    if (n < 0 && lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) == 0)
        return true; /* there is none: no browser */
    if (n > 0 && net->config->origin != NULL)
        return strcmp(origin, net->config->origin) == 0;
    if (n <= 0 || lws_hdr_copy(wsi, host, sizeof host, WSI_TOKEN_HOST) <= 0)
        return false;
    const char *after = strstr(origin, "://");
    return after != NULL && strcmp(after + 3, host) == 0;
}

/* The status that a request for a stream is refused with; 0: it is not. */
static int check_upgrade(struct net *net, struct lws *wsi, const char *to)
{
    char version[8], address[48];
    (void)lws_get_peer_simple(wsi, address, sizeof address);
    if (!srv_rates_take(&net->rates, address, 1, now_ms()))
        return 429;
    if (strcasecmp(to, "websocket") != 0 || lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) == 0 ||
        lws_hdr_total_length(wsi, WSI_TOKEN_KEY) != KEY_TEXT)
        return 400;
    if (lws_hdr_copy(wsi, version, sizeof version, WSI_TOKEN_VERSION) <= 0 ||
        strcmp(version, "13") != 0)
        return 426;
    return same_origin(net, wsi) ? 0 : 403;
}

/* 0: it may be; 1: it was refused; -1: the connection is to end. */
static int confirm_upgrade(struct lws *wsi, const char *to)
{
    uint8_t buffer[LWS_PRE + 1024], *p = buffer + LWS_PRE, *end = buffer + sizeof buffer;
    char text[LWS_PRE + 256];
    struct fm_out o;
    struct net *net = net_of(wsi);
    const int status = check_upgrade(net, wsi, to);
    const enum fm_err code = status == 429   ? FM_E_BUSY
                             : status == 403 ? FM_E_FORBIDDEN
                                             : FM_E_VALUE;
    if (status == 0)
        return 0;
    net->requests++;
    fm_out_init(&o, text + LWS_PRE, sizeof text - LWS_PRE);
    srv_put_error(&o, code,
                  status == 426   ? "Sec-WebSocket-Version 13 is expected"
                  : status == 400 ? "this is no handshake for a WebSocket"
                  : status == 403 ? "a page of another origin gets no stream"
                                  : fm_err_text(code));
    if (lws_add_http_common_headers(wsi, (unsigned)status, "application/json", o.len, &p, end) ||
        (status == 426 &&
         lws_add_http_header_by_name(wsi, (const unsigned char *)"sec-websocket-version:",
                                     (const unsigned char *)"13", 2, &p, end)) ||
        (status == 429 && lws_add_http_header_by_name(wsi, (const unsigned char *)"retry-after:",
                                                      (const unsigned char *)"1", 1, &p, end)) ||
        lws_finalize_write_http_header(wsi, buffer + LWS_PRE, &p, end) ||
        lws_write(wsi, (uint8_t *)text + LWS_PRE, o.len, LWS_WRITE_HTTP_FINAL) < 0)
        return -1;
    return 1;
}

static void on_readable(struct ev_loop *loop, struct ev_io *w, int events);

static int open_stream(struct session *s)
{
    if (lws_hdr_copy(s->wsi, s->path, sizeof s->path, WSI_TOKEN_GET_URI) <= 0)
        return -1;
    s->streams = true;
    s->since_ms = s->heard_ms = now_ms();
    s->next = s->net->sessions;
    s->at = &s->net->sessions;
    if (s->next != NULL)
        s->next->at = &s->next;
    s->net->sessions = s;
    s->net->streams++;
    /* Clients wait for the handshake before they say anything: nothing was read too much. */
    if (lws_rx_flow_control(s->wsi, 0) < 0)
        return -1;
    set_buffer(s, SYSTEM_MAX);
    ev_io_init(&s->readable, on_readable, lws_get_socket_fd(s->wsi), EV_READ);
    s->readable.data = s;
    ev_io_start(s->net->loop, &s->readable);
    return 0;
}

static void close_stream(struct session *s)
{
    ev_io_stop(s->net->loop, &s->readable);
    srv_hall_left(s->net->hall, &s->live);
    set_full(s, false);
    forget_out(s);
    srv_frames_finish(&s->frames);
    *s->at = s->next;
    if (s->next != NULL)
        s->next->at = s->at;
    s->net->streams--;
}

/* Ends it at once; the session is gone afterwards. Not from a callback of libwebsockets. */
static void cut(struct session *s)
{
    ev_io_stop(s->net->loop, &s->readable);
    lws_set_timeout(s->wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_SYNC);
}

static bool too_fast(struct session *s)
{
    const struct srv_config *c = s->net->config;
    return !srv_bucket_take(&s->said, c->messages, c->burst, 1, s->heard_ms);
}

static void understand(struct session *s, const char *text, size_t n)
{
    const bool said_hello = s->live.place != NULL;
    if (!srv_hall_message(s->net->hall, &s->live, s->path, text, n, s->heard_ms)) {
        if (!said_hello)
            hang_up(s, SRV_CLOSE_POLICY, "this was no hello");
        else if (++s->misunderstood >= 2)
            hang_up(s, SRV_CLOSE_POLICY, "too often not understood");
    }
}

/* The other side closes, or answers our close: once ours is written, that is all. */
static void hear_close(struct session *s, int code)
{
    s->over = s->deaf = true;
    hang_up(s, code, "");
    lws_callback_on_writable(s->wsi);
}

static void take_frame(struct session *s, const struct srv_frame *frame)
{
    s->heard_ms = now_ms();
    s->asked_after = false;
    if (frame->kind == SRV_FRAME_CLOSE) {
        hear_close(s, frame->code);
    } else if (frame->kind == SRV_FRAME_WRONG) {
        s->deaf = true;
        hang_up(s, frame->code, frame->reason);
    } else if (s->closing_ms != 0) {
        return; /* nothing but a close is heard any more */
    } else if (too_fast(s)) {
        hang_up(s, SRV_CLOSE_POLICY, "too many messages");
    } else if (frame->kind == SRV_FRAME_TEXT) {
        understand(s, frame->data, frame->n);
    } else if (frame->kind == SRV_FRAME_PING) {
        say(s, SRV_OP_PONG, frame->data, frame->n);
    } else if (frame->kind == SRV_FRAME_PONG) {
        hear_pong(s, frame);
    }
}

/* Bytes of the stream; 0: there are none now; -1: it has ended. */
static ssize_t read_bytes(struct session *s, uint8_t *in, size_t n)
{
    SSL *ssl = lws_is_ssl(s->wsi) ? lws_get_ssl(s->wsi) : NULL;
    if (ssl != NULL) {
        ERR_clear_error(); /* of other connections */
        const int got = SSL_read(ssl, in, (int)n);
        const int why = got > 0 ? SSL_ERROR_NONE : SSL_get_error(ssl, got);
        return got > 0 ? got : why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE ? 0 : -1;
    }
    const ssize_t got = recv(s->readable.fd, in, n, 0);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
        return 0;
    return got > 0 ? got : -1;
}

static bool more_within(const struct session *s) /* that no poll tells of */
{
    return lws_is_ssl(s->wsi) && SSL_pending(lws_get_ssl(s->wsi)) > 0;
}

static void on_readable(struct ev_loop *loop, struct ev_io *w, int events)
{
    struct session *s = w->data;
    (void)loop, (void)events;
    do {
        uint8_t *bytes = s->net->in;
        const ssize_t got = read_bytes(s, bytes, READ_MAX);
        if (got < 0) {
            cut(s);
            return;
        }
        for (size_t n = (size_t)got; n > 0 && !s->deaf;) {
            const struct srv_frame frame = srv_frames_read(&s->frames, &bytes, &n, MESSAGE_MAX);
            if (frame.kind != SRV_FRAME_NONE)
                take_frame(s, &frame);
        }
    } while (more_within(s));
}

/* There is room: libwebsockets has written what it held. */
static int write_message(struct session *s)
{
    s->held = 0;
    flush(s);
    return s->broken || (s->over && s->held + s->out_n == 0) ? -1 : 0;
}

/* ---- libwebsockets -------------------------------------------------------------------------- */

static int callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t n)
{
    struct session *s = user;
    switch (reason) {
    case LWS_CALLBACK_HTTP:
        s->net = net_of(wsi);
        s->wsi = wsi;
        return begin_request(s, in, n);
    case LWS_CALLBACK_HTTP_BODY:
        return take_body(s, in, n);
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        ask(s);
        return 0;
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return write_answer(s);
    case LWS_CALLBACK_CLOSED_HTTP:
        if (s != NULL && s->net != NULL && !s->streams)
            request_reset(s);
        return 0;
    case LWS_CALLBACK_FILTER_NETWORK_CONNECTION:
        return net_of(wsi)->connections >= net_of(wsi)->config->connections;
    case LWS_CALLBACK_WSI_CREATE:
        net_of(wsi)->connections++;
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        net_of(wsi)->connections--;
        return 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return confirm_upgrade(wsi, in);
    case LWS_CALLBACK_ESTABLISHED:
        s->net = net_of(wsi);
        s->wsi = wsi;
        return open_stream(s);
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return write_message(s);
    case LWS_CALLBACK_CLOSED:
        if (s->streams)
            close_stream(s);
        return 0;
    default:
        return 0;
    }
}

static const struct lws_protocols protocols[] = {
    {"fathom", callback, sizeof(struct session), 4096, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

/* Its errors are sentences of ours, like all others in the log. */
static void complain(int level, const char *line)
{
    (void)level;
    fprintf(stderr, "fathom: libwebsockets: %.*s\n", (int)strcspn(line, "\n"), line);
}

/* ---- the loop ------------------------------------------------------------------------------- */

static void on_wake(struct ev_loop *loop, struct ev_async *w, int events)
{
    struct net *net = w->data;
    (void)loop, (void)events;
    srv_hall_settle(net->hall, now_ms());
}

static void on_before_wait(struct ev_loop *loop, struct ev_prepare *w, int events)
{
    struct net *net = w->data;
    (void)loop, (void)events;
    if (net->hall != NULL)
        srv_hall_turn(net->hall);
    flush_all(net);
}

/* Who says nothing is asked whether it is there. libwebsockets would do so, too, but moves a timer
 * in a sorted list for every message that it reads. */
static void look_at(struct session *s, uint64_t now)
{
    if (s->closing_ms != 0) {
        if (now > s->closing_ms + CLOSE_MS)
            cut(s); /* who does not read never hears why */
    } else if (s->live.place == NULL && now > s->since_ms + HELLO_MS) {
        hang_up(s, SRV_CLOSE_POLICY, "no hello");
    } else if (s->asked_after && now > s->heard_ms + GONE_MS) {
        hang_up(s, SRV_CLOSE_POLICY, "nothing was heard");
    } else if (!s->asked_after && now > s->heard_ms + PING_MS) {
        s->asked_after = true;
        ping(NULL, &s->live);
    }
}

static void on_tick(struct ev_loop *loop, struct ev_timer *w, int events)
{
    struct net *net = w->data;
    const uint64_t now = now_ms();
    (void)loop, (void)events;
    if (!net->stopping) /* nobody would be told */
        srv_hall_tick(net->hall, now);
    if (now >= net->looked_ms && now < net->looked_ms + LOOK_MS)
        return;
    net->looked_ms = now;
    for (struct session *s = net->sessions, *next; s != NULL; s = next) {
        next = s->next;
        look_at(s, now);
    }
}

static void on_signal(struct ev_loop *loop, struct ev_signal *w, int events)
{
    struct net *net = w->data;
    (void)events;
    net->stopping = true;
    ev_break(loop, EVBREAK_ALL);
}

/* Everybody is told to come back; what was begun is finished. */
static void say_goodbye(struct net *net)
{
    st_leave(net->store);
    srv_hall_turn(net->hall);
    st_drain(net->store);
    srv_hall_settle(net->hall, now_ms());
    for (struct session *s = net->sessions; s != NULL; s = s->next)
        send_away(NULL, &s->live);
    const uint64_t until = now_ms() + 1000;
    while (net->sessions != NULL && now_ms() < until)
        ev_run(net->loop, EVRUN_ONCE);
}

static void watch(struct net *net)
{
    ev_async_init(&net->wake, on_wake);
    ev_prepare_init(&net->before_wait, on_before_wait);
    ev_timer_init(&net->tick, on_tick, TICK_S, TICK_S);
    ev_signal_init(&net->term, on_signal, SIGTERM);
    ev_signal_init(&net->interrupt, on_signal, SIGINT);
    net->wake.data = net->before_wait.data = net->tick.data = net->term.data = net->interrupt.data =
        net;
    ev_async_start(net->loop, &net->wake);
    ev_prepare_start(net->loop, &net->before_wait);
    ev_timer_start(net->loop, &net->tick);
    ev_signal_start(net->loop, &net->term);
    ev_signal_start(net->loop, &net->interrupt);
}

/* libwebsockets has a table of all files that may be open, and Debian's looks through all of it
 * whenever a connection comes or goes: it shall not be larger than what is used. */
static void limit_files(unsigned connections)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    const rlim_t wanted = (rlim_t)connections + FILES_BESIDE;
    limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}

static enum fm_err listen_on(struct net *net, const struct srv_config *config, int *port,
                             struct fm_fault *fault)
{
    static const lws_retry_bo_t no_pings = {.secs_since_valid_hangup = 0}; /* see look_at */
    struct lws_context_creation_info info;
    void *loops[1] = {net->loop};
    memset(&info, 0, sizeof info);
    limit_files(config->connections);
    info.port = (int)config->port;
    info.iface = config->host;
    info.protocols = protocols;
    info.user = net;
    info.foreign_loops = loops;
    info.max_http_header_data = 4096;
    info.keepalive_timeout = 30;
    info.timeout_secs = 15;
    info.retry_and_idle_policy = &no_pings;
    info.ka_time = 60; /* seconds: then the system asks whether the other end is still there ... */
    info.ka_interval = 10;
    info.ka_probes = 3; /* ... and gives it up after so many times */
    info.options = LWS_SERVER_OPTION_LIBEV | LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND |
                   LWS_SERVER_OPTION_DISABLE_IPV6 * (strchr(config->host, ':') == NULL);
    if (config->cert != NULL) {
        info.ssl_cert_filepath = config->cert;
        info.ssl_private_key_filepath = config->key;
        info.alpn = "http/1.1"; /* streams write frames of their own, which HTTP/2 would wrap */
        info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
    }
    net->context = lws_create_context(&info);
    if (net->context == NULL)
        return fm_fail(fault, FM_E_FILE, "cannot listen on %s, port %u%s", config->host,
                       config->port,
                       config->cert != NULL ? ", or the certificate cannot be used" : "");
    *port = lws_get_vhost_listen_port(lws_get_vhost_by_name(net->context, "default"));
    return FM_OK;
}

/* For bots: the loop keeps one, if there are two. */
static unsigned spare_processors(void)
{
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 2 ? (unsigned)n - 1 : 1;
}

enum fm_err srv_serve(const struct srv_config *config,
                      void (*ready)(const struct srv_config *config, int port),
                      struct fm_fault *fault)
{
    struct net net = {.config = config};
    const struct srv_net ops = {.arg = &net,
                                .send = send_message,
                                .flush = flush_all,
                                .answer = answer,
                                .ping = ping,
                                .send_away = send_away,
                                .wake = wake};
    const struct srv_limits limits = {.tables = config->tables,
                                      .waiting = 64,
                                      .bot_ms = config->bot_ms,
                                      .think_ms = config->think_ms,
                                      .thinkers = config->thinkers > 0 ? config->thinkers
                                                                       : spare_processors(),
                                      .idle_ms = 60000,
                                      .messages = config->messages,
                                      .burst = config->burst};
    int port = 0;
    lws_set_log_level(LLL_ERR, complain);
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of its write */
    net.loop = ev_loop_new(EVFLAG_AUTO);
    if (net.loop == NULL)
        return fm_fail_plain(fault, FM_E_MEMORY);
    watch(&net);
    srv_rates_init(&net.rates, config->rate, 4.0 * config->rate);
    enum fm_err err = FM_OK;
    net.files = srv_files_load(config->data, fault);
    if (net.files == NULL)
        err = fault->code;
    if (err == FM_OK)
        net.store = st_open(config->store, fault);
    if (err == FM_OK && net.store == NULL)
        err = fault->code;
    if (err == FM_OK) {
        net.oceans = srv_oceans_create(&ops, fault);
        if (net.oceans == NULL)
            err = fault->code;
    }
    if (err == FM_OK) {
        net.hall =
            srv_hall_create(net.store, net.oceans, config->library, &ops, &limits, now_ms(), fault);
        if (net.hall == NULL)
            err = fault->code;
    }
    if (err == FM_OK)
        err = listen_on(&net, config, &port, fault);
    if (err == FM_OK) {
        ready(config, port);
        while (!net.stopping)
            ev_run(net.loop, 0);
        say_goodbye(&net);
    }
    if (net.context != NULL)
        lws_context_destroy(net.context);
    if (net.store != NULL)
        st_drain(net.store);
    srv_hall_destroy(net.hall);
    srv_oceans_destroy(net.oceans);
    st_close(net.store);
    srv_files_free(net.files);
    while (net.n_spare > 0)
        free(net.spare[--net.n_spare]);
    ev_loop_destroy(net.loop);
    return err;
}
