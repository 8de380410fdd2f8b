/* net.c: connections: requests read whole, answers and messages written when there is room. */
#include "server/net.h"

#include "server/files.h"
#include "server/oceans.h"
#include "server/rates.h"

#include "base/panic.h"

#include <ev.h>
#include <libwebsockets.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define BODY_MAX        16384
#define MESSAGE_MAX     16384
#define QUEUE_MAX       (256 * 1024) /* bytes that a reader may be behind */
#define HELLO_MS        10000
#define BODY_MS         15000 /* in which a body is here, however it comes */
#define CLOSE_S         5     /* a reader may take so long until it has heard why */
#define TICK_S          .05
#define LOOK_MS         1000   /* how often it is looked at who says nothing ... */
#define PING_MS         300000 /* ... who is asked then whether it is there ... */
#define GONE_MS         310000 /* ... and is gone */
#define RETRY_MS        2000
#define TRY_AGAIN_LATER 1013 /* RFC 6455, registered later */
#define PATH_MAX_       512
#define OUT_ROOM        4096 /* nearly all that is written at once fits */
#define FILES_BESIDE    256  /* the store's, the listening socket ... */
#define SPARE           16   /* such buffers that are kept for the next */

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
    bool gzip, unchanged;
    char address[48];
    /* a stream */
    bool streams;
    struct srv_live live;
    struct session *next_full, **at_full; /* among those with something to write; NULL: none */
    uint8_t *out;                         /* LWS_PRE, then frames to write; NULL: none */
    size_t out_n, out_cap, held;          /* held: libwebsockets has so much and cannot write it */
    bool broken, pinged;
    uint64_t since_ms, bucket_ms, heard_ms;
    double bucket;
    unsigned misunderstood;
    int close_code;
    const char *close_reason;
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
    bool stopping;
};

static uint64_t now_ms(void) /* of the calendar: deadlines outlive the process */
{
    struct timespec t;
    (void)clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
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

static void hang_up(struct session *s, int code, const char *reason)
{
    if (s->close_code == 0) {
        s->close_code = code;
        s->close_reason = reason;
        /* who does not read never becomes writable */
        lws_set_timeout(s->wsi, PENDING_TIMEOUT_USER_REASON_BASE, CLOSE_S);
    }
    lws_callback_on_writable(s->wsi);
}

/* ---- frames: what is to be said to a stream at once leaves in one piece ------------------------ */

#define FRAME_HEAD 10

#define FRAME_TEXT 0x81
#define FRAME_PING 0x89

/* Of a whole message, not masked: RFC 6455, 5.2. */
static size_t put_head(uint8_t head[FRAME_HEAD], uint8_t kind, size_t n)
{
    const int bytes = n < 126 ? 0 : n < 65536 ? 2 : 8;
    head[0] = kind;
    head[1] = (uint8_t)(bytes == 0 ? n : bytes == 2 ? 126 : 127);
    for (int i = 0; i < bytes; i++)
        head[2 + i] = (uint8_t)(n >> 8 * (bytes - 1 - i));
    return 2 + (size_t)bytes;
}

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

static void put_frame(struct session *s, uint8_t kind, const char *text, size_t n)
{
    uint8_t head[FRAME_HEAD];
    if (s->close_code != 0)
        return;
    if (s->held + s->out_n + n > QUEUE_MAX) {
        hang_up(s, TRY_AGAIN_LATER, "too slow a reader");
        return;
    }
    const size_t m = put_head(head, kind, n);
    if (!make_room(s, m + n)) {
        hang_up(s, TRY_AGAIN_LATER, "no memory");
        return;
    }
    memcpy(s->out + LWS_PRE + s->out_n, head, m);
    memcpy(s->out + LWS_PRE + s->out_n + m, text, n);
    s->out_n += m + n;
    set_full(s, true);
}

static void send_message(void *arg, struct srv_live *live, const char *text, size_t n)
{
    (void)arg;
    put_frame(OWNER(live, live), FRAME_TEXT, text, n);
}

static void flush_all(void *arg)
{
    struct net *net = arg;
    while (net->full != NULL)
        flush(net->full);
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

static void put_metrics(struct session *s)
{
    struct net *net = s->net;
    const struct srv_hall_stats h = srv_hall_stats(net->hall);
    const struct st_stats st = st_stats(net->store);
    char text[16384];
    size_t n = 0;
    const struct {
        const char *name, *type;
        uint64_t value;
    } rows[] = {
        {"fathom_tables", "gauge", h.tables},
        {"fathom_streams", "gauge", h.streams},
        {"fathom_connections", "gauge", net->connections},
        {"fathom_requests_total", "counter", net->requests},
        {"fathom_moves_total", "counter", h.moves},
        {"fathom_store_writes_total", "counter", st.writes},
        {"fathom_store_commits_total", "counter", st.commits},
        {"fathom_store_failures_total", "counter", st.failures},
        {"fathom_store_waiting", "gauge", st.waiting},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "# TYPE %s %s\n%s %llu\n", rows[i].name,
                              rows[i].type, rows[i].name, (unsigned long long)rows[i].value);
    n += (size_t)snprintf(text + n, sizeof text - n, "# TYPE fathom_refusals_total counter\n");
    for (int i = 0; i < FM_ERR_COUNT; i++)
        if (h.refusals[i] > 0)
            n += (size_t)snprintf(text + n, sizeof text - n,
                                  "fathom_refusals_total{code=\"%s\"} %llu\n",
                                  fm_err_code((enum fm_err)i), (unsigned long long)h.refusals[i]);
    n += (size_t)snprintf(text + n, sizeof text - n, "# TYPE fathom_commit_seconds histogram\n");
    uint64_t sum = 0;
    for (size_t i = 0; i < sizeof st.commit_us / sizeof st.commit_us[0]; i++) {
        sum += st.commit_us[i];
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "fathom_commit_seconds_bucket{le=\"%g\"} %llu\n",
                              (double)(1ull << i) / 1e6, (unsigned long long)sum);
    }
    n += (size_t)snprintf(text + n, sizeof text - n,
                          "fathom_commit_seconds_bucket{le=\"+Inf\"} %llu\n"
                          "fathom_commit_seconds_count %llu\n",
                          (unsigned long long)sum, (unsigned long long)sum);
    answer(NULL, &s->call, 200, text, n);
}

/* A file of the page: "/" is its index. */
static bool ask_file(struct session *s)
{
    char accept[128] = "", known[64] = "";
    if (strcmp(s->method, "GET") != 0 || strncmp(s->path, "/api/", 5) == 0)
        return false;
    s->file = srv_files_find(s->net->files, strcmp(s->path, "/") == 0 ? "/index.html" : s->path);
    if (s->file == NULL)
        return false;
    (void)lws_hdr_copy(s->wsi, accept, sizeof accept, WSI_TOKEN_HTTP_ACCEPT_ENCODING);
    (void)lws_hdr_copy(s->wsi, known, sizeof known, WSI_TOKEN_HTTP_IF_NONE_MATCH);
    s->gzip = s->file->gzip != NULL && strstr(accept, "gzip") != NULL;
    s->unchanged = strcmp(known, s->file->etag) == 0;
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

/* Making tables, and looking for codes, cost more than reading. */
static double cost_of(const struct session *s)
{
    if (strncmp(s->path, "/api/codes/", 11) == 0)
        return 5;
    return strcmp(s->method, "POST") == 0 && strcmp(s->path, "/api/tables") == 0 ? 5 : 1;
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
    s->net->requests++;
    if (!srv_rates_take(&s->net->rates, s->address, cost_of(s), now_ms()))
        refuse(s, FM_E_BUSY, 429);
    else if (ask_file(s))
        return;
    else if (strcmp(s->path, "/healthz") == 0)
        answer(NULL, &s->call, 200, "{\"ok\":true}", 11);
    else if (strcmp(s->path, "/metrics") == 0 && is_near(s))
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
static void put_page_headers(struct headers *h, const struct srv_file *file, bool gzip)
{
    put_header(
        h, "content-security-policy:",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    put_header(
        h, "cache-control:", file->forever ? "public, max-age=31536000, immutable" : "no-cache");
    put_header(h, "etag:", file->etag);
    put_header(h, "vary:", "accept-encoding");
    if (gzip)
        put_header(h, "content-encoding:", "gzip");
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
    if (file != NULL && m == NULL) {
        m = s->unchanged ? message_new("", 0)
            : s->gzip    ? message_new((const char *)file->gzip, file->gzip_n)
                         : message_new((const char *)file->plain, file->plain_n);
        s->status = s->unchanged ? 304 : 200;
    }
    if (m == NULL)
        return 0;
    if (lws_add_http_common_headers(s->wsi, (unsigned)s->status,
                                    file != NULL ? file->type : type_of_answer(s), m->n, &h.p,
                                    h.end))
        h.failed = true;
    if (file != NULL)
        put_page_headers(&h, file, s->gzip && !s->unchanged);
    else
        put_header(&h, "cache-control:", "no-store");
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

/* ---- streams -------------------------------------------------------------------------------- */

/* A page of another origin must not speak for whoever has it open. */
static bool same_origin(const struct net *net, struct lws *wsi)
{
    char origin[256], host[256];
    const int n = lws_hdr_copy(wsi, origin, sizeof origin, WSI_TOKEN_ORIGIN);
    if (lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) == 0)
        return true; /* no browser */
    if (n > 0 && net->config->origin != NULL)
        return strcmp(origin, net->config->origin) == 0;
    if (n <= 0 || lws_hdr_copy(wsi, host, sizeof host, WSI_TOKEN_HOST) <= 0)
        return false;
    const char *after = strstr(origin, "://");
    return after != NULL && strcmp(after + 3, host) == 0;
}

static int open_stream(struct session *s)
{
    if (lws_hdr_copy(s->wsi, s->path, sizeof s->path, WSI_TOKEN_GET_URI) <= 0)
        return -1;
    s->streams = true;
    s->since_ms = s->bucket_ms = s->heard_ms = now_ms();
    s->bucket = 2.0 * s->net->config->messages;
    s->next = s->net->sessions;
    s->at = &s->net->sessions;
    if (s->next != NULL)
        s->next->at = &s->next;
    s->net->sessions = s;
    s->net->streams++;
    return 0;
}

static void close_stream(struct session *s)
{
    srv_hall_left(s->net->hall, &s->live);
    set_full(s, false);
    forget_out(s);
    *s->at = s->next;
    if (s->next != NULL)
        s->next->at = s->at;
    s->net->streams--;
    free(s->body);
    s->body = NULL;
}

static void heard(struct session *s)
{
    s->heard_ms = now_ms();
    s->pinged = false;
}

static bool too_fast(struct session *s)
{
    const double rate = s->net->config->messages, burst = 2 * rate;
    s->bucket += rate * (double)(s->heard_ms - s->bucket_ms) / 1000;
    s->bucket = s->bucket > burst ? burst : s->bucket;
    s->bucket_ms = s->heard_ms;
    s->bucket -= 1;
    return s->bucket < 0;
}

static void understand(struct session *s, const char *text, size_t n)
{
    if (too_fast(s)) {
        hang_up(s, LWS_CLOSE_STATUS_POLICY_VIOLATION, "too many messages");
        return;
    }
    const bool said_hello = s->live.place != NULL;
    if (!srv_hall_message(s->net->hall, &s->live, s->path, text, n, s->heard_ms)) {
        if (!said_hello)
            hang_up(s, LWS_CLOSE_STATUS_POLICY_VIOLATION, "this was no hello");
        else if (++s->misunderstood >= 2)
            hang_up(s, LWS_CLOSE_STATUS_POLICY_VIOLATION, "too often not understood");
    }
}

static int receive(struct session *s, const void *in, size_t n)
{
    if (s->close_code != 0)
        return 0;
    if (s->n + n > MESSAGE_MAX || lws_frame_is_binary(s->wsi)) {
        hang_up(s,
                s->n + n > MESSAGE_MAX ? LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE
                                       : LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE,
                "a text of at most 16 KB is expected");
        return 0;
    }
    const bool whole = lws_is_final_fragment(s->wsi) && lws_remaining_packet_payload(s->wsi) == 0;
    if (whole && s->n == 0) { /* nearly always: it is read where it lies */
        understand(s, in, n);
        return 0;
    }
    if (s->body == NULL && (s->body = malloc(MESSAGE_MAX)) == NULL)
        return -1;
    memcpy(s->body + s->n, in, n);
    s->n += n;
    if (!whole)
        return 0;
    n = s->n;
    s->n = 0;
    understand(s, s->body, n);
    free(s->body); /* an idle stream keeps nothing */
    s->body = NULL;
    return 0;
}

/* There is room: libwebsockets has written what it held. */
static int write_message(struct session *s)
{
    s->held = 0;
    if (s->close_code != TRY_AGAIN_LATER)
        flush(s);
    if (s->broken)
        return -1;
    if (s->close_code != 0 && s->held == 0) {
        lws_close_reason(s->wsi, (enum lws_close_status)s->close_code,
                         (unsigned char *)(uintptr_t)s->close_reason, strlen(s->close_reason));
        return -1;
    }
    return 0;
}

/* ---- libwebsockets -------------------------------------------------------------------------- */

static struct net *net_of(struct lws *wsi)
{
    return lws_context_user(lws_get_context(wsi));
}

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
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return same_origin(net_of(wsi), wsi) ? 0 : 1;
    case LWS_CALLBACK_ESTABLISHED:
        s->net = net_of(wsi);
        s->wsi = wsi;
        return open_stream(s);
    case LWS_CALLBACK_RECEIVE:
        heard(s);
        return receive(s, in, n);
    case LWS_CALLBACK_RECEIVE_PONG:
        heard(s);
        return 0;
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
    if (s->live.place == NULL && now > s->since_ms + HELLO_MS) {
        hang_up(s, LWS_CLOSE_STATUS_POLICY_VIOLATION, "no hello");
    } else if (s->pinged && now > s->heard_ms + GONE_MS) {
        hang_up(s, LWS_CLOSE_STATUS_POLICY_VIOLATION, "nothing was heard");
    } else if (!s->pinged && now > s->heard_ms + PING_MS) {
        s->pinged = true;
        put_frame(s, FRAME_PING, "here?", 5); /* libwebsockets tells of no empty pong */
    }
}

static void on_tick(struct ev_loop *loop, struct ev_timer *w, int events)
{
    struct net *net = w->data;
    const uint64_t now = now_ms();
    (void)loop, (void)events;
    srv_hall_tick(net->hall, now);
    if (now >= net->looked_ms && now < net->looked_ms + LOOK_MS)
        return;
    net->looked_ms = now;
    for (struct session *s = net->sessions; s != NULL; s = s->next)
        look_at(s, now);
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
    char text[32];
    const int n = snprintf(text, sizeof text, "{\"retry\":%d}", RETRY_MS);
    srv_hall_turn(net->hall);
    st_drain(net->store);
    srv_hall_settle(net->hall, now_ms());
    for (struct session *s = net->sessions; s != NULL; s = s->next) {
        send_message(NULL, &s->live, text, (size_t)n);
        hang_up(s, LWS_CLOSE_STATUS_GOINGAWAY, "the server goes down");
    }
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
    info.options = LWS_SERVER_OPTION_LIBEV | LWS_SERVER_OPTION_VALIDATE_UTF8 |
                   LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND |
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

enum fm_err srv_serve(const struct srv_config *config,
                      void (*ready)(const struct srv_config *config, int port),
                      struct fm_fault *fault)
{
    struct net net = {.config = config};
    const struct srv_net ops = {
        .arg = &net, .send = send_message, .flush = flush_all, .answer = answer, .wake = wake};
    const struct srv_limits limits = {
        .tables = config->tables, .waiting = 64, .bot_ms = config->bot_ms, .idle_ms = 60000};
    int port = 0;
    lws_set_log_level(LLL_ERR, NULL);
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
