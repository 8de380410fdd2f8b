/* net_requests.c: requests over HTTP/1.1: read whole, answered, the next one on the same
 * connection. */
#include "server/net_state.h"

#include "base/panic.h"

#include <openssl/ssl.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define BODY_MAX 16384
#define HEAD_MS  15000 /* in which a head is here, however it comes; and then a body */
#define IDLE_MS  30000 /* that a connection is kept for the next request */
#define WRITE_MS 60000 /* in which an answer is read */
#define DRAIN_MS 2000  /* in which the other side closes, too */

#define ADDRESS_TABLES 100 /* that wait for players, unless it is said otherwise */

#define COST_WORK  10. /* of --rate, for what takes work */
#define COST_GUESS 19. /* and for a code that is none, besides the one that asking costs */

static struct message *message_new(const char *text, size_t n)
{
    struct message *m = malloc(sizeof *m + LWS_PRE + n);
    if (m == NULL)
        return NULL;
    m->n = n;
    memcpy(m->bytes + LWS_PRE, text, n);
    return m;
}

void srv_request_answer(void *arg, struct srv_call *call, int status, const char *text, size_t n)
{
    struct session *s = NET_OWNER(call, call);
    (void)arg;
    s->status = status;
    s->answer = message_new(text, n);
    if (!s->feeding)
        lws_callback_on_writable(s->wsi);
}

static void give_up_after(struct session *s, uint64_t ms)
{
    s->ends_ms = srv_time_ms() + ms;
}

/* "Bearer TOKEN"; anything else is no token. */
static void read_token(struct session *s, const struct srv_head *head)
{
    static const char bearer[] = "Bearer ";
    const char *text = head->field[SRV_FIELD_AUTHORIZATION];
    s->token[0] = '\0';
    if (text != NULL && strncmp(text, bearer, sizeof bearer - 1) == 0 &&
        strlen(text) == sizeof bearer - 1 + SRV_TOKEN_TEXT)
        memcpy(s->token, text + sizeof bearer - 1, SRV_TOKEN_TEXT + 1);
}

static void refuse(struct session *s, enum fm_err code, int status)
{
    char text[256];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    srv_put_error(&o, code, fm_err_text(code));
    srv_request_answer(NULL, &s->call, status, text, o.len);
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
    for (int i = 0; i < NET_CLOSE_CODES; i++) {
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
    srv_request_answer(NULL, &s->call, 200, text, o.len);
}

/* Does the reader take this encoding? "gzip;q=0" says that it does not. */
static bool takes(const struct srv_head *head, const char *encoding)
{
    const char *accept = head->field[SRV_FIELD_ACCEPT_ENCODING];
    const size_t n = strlen(encoding);
    for (const char *p = accept != NULL ? accept : ""; *p != '\0'; p += strcspn(p, ",")) {
        p += strspn(p, ", \t");
        if (strncmp(p, encoding, n) != 0 || strchr(" \t,;", p[n]) == NULL)
            continue;
        const char *q = p + n + strspn(p + n, " \t;");
        return strncmp(q, "q=0", 3) != 0 || strcspn(q + 3, "123456789") < strcspn(q + 3, ",");
    }
    return false;
}

/* "/" is the page's index. */
static const struct srv_file *find_file(const struct session *s)
{
    if (strcmp(s->method, "GET") != 0 || strncmp(s->path, "/api/", 5) == 0)
        return NULL;
    return srv_files_find(s->net->files, strcmp(s->path, "/") == 0 ? "/index.html" : s->path);
}

static void ask_file(struct session *s, const struct srv_head *head)
{
    const char *known = head->field[SRV_FIELD_IF_NONE_MATCH];
    s->file = find_file(s);
    if (s->file == NULL)
        return;
    s->encoding = s->file->br != NULL && takes(head, "br")       ? "br"
                  : s->file->gzip != NULL && takes(head, "gzip") ? "gzip"
                                                                 : NULL;
    /* also W/"…", as proxies make it */
    s->unchanged = known != NULL && strstr(known, s->file->etag) != NULL;
}

/* Counters tell when somebody does something in secret: they are for this machine alone, and for
 * no proxy's clients; nor for a page whose name was made to mean this machine. */
static bool is_near(const struct session *s, const struct srv_head *head)
{
    const char *host = head->field[SRV_FIELD_HOST];
    return srv_address_is_loopback(&s->from) && !s->proxied &&
           head->field[SRV_FIELD_X_FORWARDED_FOR] == NULL &&
           head->field[SRV_FIELD_FORWARDED] == NULL && head->field[SRV_FIELD_VIA] == NULL &&
           (host == NULL || srv_is_literal_host(host));
}

static bool ends_with(const char *text, const char *ending)
{
    const size_t n = strlen(text), m = strlen(ending);
    return n >= m && strcmp(text + n - m, ending) == 0;
}

static bool is_code(const struct session *s)
{
    return strncmp(s->path, "/api/codes/", 11) == 0;
}

/* Files lie in memory, and a first visit asks for dozens of them at once: they cost next to
 * nothing. Making tables and playing whole games again cost more than reading. */
static double cost_of(const struct session *s)
{
    if (s->file != NULL)
        return .02;
    if (strstr(s->path, "/replay/") != NULL || ends_with(s->path, "/verify"))
        return COST_WORK;
    return strcmp(s->method, "POST") == 0 &&
                   (strcmp(s->path, "/api/tables") == 0 || strcmp(s->path, "/api/practice") == 0)
               ? COST_WORK
               : 1;
}

/* As for connections: this machine, which may be a proxy, has no limit unless one is set. */
static unsigned most_waiting(const struct session *s)
{
    const unsigned most = s->net->config->address_tables;
    return most > 0 ? most : srv_address_is_loopback(&s->asker) ? 0 : ADDRESS_TABLES;
}

/* The request is whole. */
static void answer(struct session *s)
{
    char address[2 * sizeof s->asker.bytes + 1];
    const struct srv_request r = {.method = s->method,
                                  .path = s->path,
                                  .token = s->token[0] != '\0' ? s->token : NULL,
                                  .address = address,
                                  .waiting_most = most_waiting(s),
                                  .body = s->body != NULL ? s->body : "",
                                  .n = s->n};
    (void)sodium_bin2hex(address, sizeof address, s->asker.bytes, sizeof s->asker.bytes);
    s->step = NET_ANSWER;
    s->ends_ms = 0;
    s->net->requests++;
    s->retry_s = srv_rates_take(&s->net->rates, &s->asker, cost_of(s), srv_time_ms());
    if (s->retry_s == 0 && !srv_hold(s))
        s->retry_s = NET_RETRY_S;
    if (s->retry_s > 0)
        s->file = NULL;
    if (s->file != NULL)
        return;
    if (s->retry_s > 0)
        refuse(s, FM_E_BUSY, 429);
    else if (strcmp(s->path, "/healthz") == 0 && strcmp(s->method, "GET") == 0)
        srv_request_answer(NULL, &s->call, 200, "{\"ok\":true}", 11);
    else if (strcmp(s->path, "/metrics") == 0 && strcmp(s->method, "GET") == 0 && s->near)
        put_metrics(s);
    else
        srv_hall_request(s->net->hall, &s->call, &r, srv_time_ms());
}

void srv_request_reset(struct session *s)
{
    srv_hall_hung_up(s->net->hall, &s->call);
    free(s->body);
    free(s->answer);
    s->body = NULL;
    s->answer = NULL;
    s->file = NULL;
    s->encoding = NULL;
    s->unchanged = false;
    s->retry_s = 0;
    s->n = s->body_n = 0;
    s->status = 0;
    s->bodiless = false;
    s->call.gzip = false;
    if (s->proxied && !s->streams)
        srv_let_go(s);
}

void srv_request_end(struct session *s)
{
    srv_request_reset(s);
    free(s->in);
    s->in = NULL;
    s->in_n = 0;
}

/* ---- answers -------------------------------------------------------------------------------- */

static const char *reason_of(int status)
{
    static const struct {
        int status;
        const char *reason;
    } reasons[] = {{200, "OK"},
                   {201, "Created"},
                   {304, "Not Modified"},
                   {400, "Bad Request"},
                   {401, "Unauthorized"},
                   {403, "Forbidden"},
                   {404, "Not Found"},
                   {405, "Method Not Allowed"},
                   {409, "Conflict"},
                   {410, "Gone"},
                   {411, "Length Required"},
                   {413, "Content Too Large"},
                   {426, "Upgrade Required"},
                   {429, "Too Many Requests"},
                   {431, "Request Header Fields Too Large"},
                   {500, "Internal Server Error"},
                   {503, "Service Unavailable"},
                   {505, "HTTP Version Not Supported"}};
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (reasons[i].status == status)
            return reasons[i].reason;
    return "";
}

static void put_header(struct fm_out *o, const char *name, const char *value)
{
    fm_put(o, name);
    fm_put(o, ": ");
    fm_put(o, value);
    fm_put(o, "\r\n");
}

static void put_number(struct fm_out *o, const char *name, size_t number)
{
    fm_put(o, name);
    fm_put(o, ": ");
    fm_put_int(o, (int64_t)number);
    fm_put(o, "\r\n");
}

/* The page loads nothing from elsewhere, is framed by nobody, and tells nobody where one was. */
static void put_page_headers(struct fm_out *o, const struct srv_file *file)
{
    /* 'self' covers the stream too; style attributes are set by scripts alone, never by a text */
    put_header(o, "content-security-policy",
               "default-src 'none'; script-src 'self'; style-src 'self'; "
               "style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; "
               "media-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
               "base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    put_header(o, "cache-control",
               file->forever ? "public, max-age=31536000, immutable" : "no-cache");
    put_header(o, "etag", file->etag);
    put_header(o, "vary", "accept-encoding");
}

static const char *type_of_answer(const struct session *s)
{
    const size_t n = strlen(s->path);
    if (s->status == 200 && n > 4 && strcmp(s->path + n - 4, ".jpg") == 0)
        return "image/jpeg";
    return strcmp(s->path, "/metrics") == 0 ? "text/plain; version=0.0.4" : "application/json";
}

struct content {
    const void *bytes;
    size_t n;
};

/* The bytes of a file in the encoding that was settled, or of the answer. */
static struct content content_of(const struct session *s)
{
    const struct srv_file *file = s->file;
    if (s->answer != NULL)
        return (struct content){s->answer->bytes + LWS_PRE, s->answer->n};
    if (s->unchanged)
        return (struct content){"", 0};
    if (s->encoding == NULL)
        return (struct content){file->plain, file->plain_n};
    return strcmp(s->encoding, "br") == 0 ? (struct content){file->br, file->br_n}
                                          : (struct content){file->gzip, file->gzip_n};
}

static void put_head(struct fm_out *o, const struct session *s, size_t n)
{
    fm_put(o, "HTTP/1.1 ");
    fm_put_int(o, s->status);
    fm_put(o, " ");
    fm_put(o, reason_of(s->status));
    fm_put(o, "\r\n");
    put_header(o, "content-type", s->file != NULL ? s->file->type : type_of_answer(s));
    if (s->status != 304) /* it would have to be the file's: RFC 9110, 8.6 */
        put_number(o, "content-length", n);
    if (s->file != NULL)
        put_page_headers(o, s->file);
    else
        put_header(o, "cache-control", "no-store");
    if (s->encoding != NULL && !s->unchanged)
        put_header(o, "content-encoding", s->encoding);
    put_header(o, "x-content-type-options", "nosniff");
    put_header(o, "referrer-policy", "no-referrer");
    if (s->status == 429 || s->status == 503)
        put_number(o, "retry-after", s->retry_s > 0 ? s->retry_s : NET_RETRY_S);
    if (s->status == 426)
        put_header(o, "sec-websocket-version", "13");
    if (!s->keep)
        put_header(o, "connection", "close");
    fm_put(o, "\r\n");
}

/* Head and body leave in one piece. What does not fit libwebsockets keeps, and says when it is
 * gone. False: the connection has ended. */
static bool write_answer(struct session *s)
{
    char head[2048];
    struct fm_out o;
    if (s->answer != NULL && s->call.gzip)
        s->encoding = "gzip";
    if (s->answer == NULL)
        s->status = s->unchanged ? 304 : 200;
    if (s->status == 404 && is_code(s)) /* whoever guesses codes gets few guesses */
        srv_rates_charge(&s->net->rates, &s->asker, COST_GUESS, srv_time_ms());
    const struct content content = content_of(s);
    fm_out_init(&o, head, sizeof head);
    put_head(&o, s, content.n);
    fm_assert(fm_out_ok(&o));
    const size_t n = o.len + (s->bodiless ? 0 : content.n);
    struct message *m = malloc(sizeof *m + LWS_PRE + n);
    if (m == NULL)
        return false;
    memcpy(m->bytes + LWS_PRE, head, o.len);
    memcpy(m->bytes + LWS_PRE + o.len, content.bytes, n - o.len);
    const int written = lws_write(s->wsi, m->bytes + LWS_PRE, n, LWS_WRITE_RAW);
    free(m);
    free(s->answer);
    s->answer = NULL;
    s->file = NULL;
    return written >= 0;
}

static bool has_answer(const struct session *s)
{
    return s->answer != NULL || s->file != NULL;
}

/* All was written: the next request, or the end. The other side is to read the answer before it
 * hears that nobody listens to it any more, so the connection is not closed at once. */
static void finish(struct session *s)
{
    srv_request_reset(s);
    s->step = s->keep ? NET_HEAD : NET_DRAIN;
    give_up_after(s, s->keep ? IDLE_MS : DRAIN_MS);
    if (s->keep)
        return;
    if (lws_is_ssl(s->wsi))
        (void)SSL_shutdown(lws_get_ssl(s->wsi));
    (void)shutdown(lws_get_socket_fd(s->wsi), SHUT_WR);
}

/* Writes the answer, if it is there; false: the connection has ended. */
static bool go_on(struct session *s)
{
    if (s->step != NET_ANSWER)
        return true;
    if (has_answer(s)) {
        if (lws_partial_buffered(s->wsi)) {
            lws_callback_on_writable(s->wsi);
            return true;
        }
        if (!write_answer(s))
            return false;
        s->written = true;
    }
    if (!s->written)
        return true;
    if (lws_partial_buffered(s->wsi)) {
        if (s->ends_ms == 0)
            give_up_after(s, WRITE_MS);
        lws_callback_on_writable(s->wsi);
        return true;
    }
    s->written = false;
    finish(s);
    return true;
}

bool srv_request_write(struct session *s)
{
    return go_on(s) && srv_request_bytes(s, NULL, 0);
}

/* ---- requests as they come ------------------------------------------------------------------ */

void srv_request_refuse(struct session *s, int status, enum fm_err code, const char *message)
{
    char text[256];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    srv_put_error(&o, code, message);
    s->keep = false;
    s->step = NET_ANSWER;
    s->ends_ms = 0;
    s->net->requests++;
    srv_request_answer(NULL, &s->call, status, text, o.len);
}

/* Who asks: behind a proxy of ours it says who. */
static bool find_asker(struct session *s, const struct srv_head *head)
{
    const char *said = head->field[SRV_FIELD_X_FORWARDED_FOR];
    struct srv_address client = s->from;
    if (s->proxied && said != NULL && !srv_proxies_client(&client, said))
        return false;
    s->asker = srv_address_network(&client);
    return true;
}

/* A head is whole. */
static void begin(struct session *s, char *bytes, size_t n)
{
    struct srv_head head;
    const char *why;
    int status = srv_head_read(&head, bytes, n, &why);
    srv_request_reset(s);
    if (status == 0 && !find_asker(s, &head)) {
        why = "X-Forwarded-For ends with no address";
        status = 400;
    }
    if (status != 0) {
        srv_request_refuse(s, status, status == 431 ? FM_E_SIZE : FM_E_VALUE, why);
        return;
    }
    s->bodiless = strcmp(head.method, "HEAD") == 0;
    (void)snprintf(s->method, sizeof s->method, "%s", s->bodiless ? "GET" : head.method);
    s->keep = head.keep;
    if (strlen(head.path) >= sizeof s->path) {
        srv_request_refuse(s, 404, FM_E_NO_PATH, fm_err_text(FM_E_NO_PATH));
        return;
    }
    memcpy(s->path, head.path, strlen(head.path) + 1);
    if (head.field[SRV_FIELD_UPGRADE] != NULL && head.upgrade) {
        srv_stream_upgrade(s, &head);
        return;
    }
    if (head.body > BODY_MAX) { /* answered before it comes */
        srv_request_refuse(s, 413, FM_E_SIZE, fm_err_text(FM_E_SIZE));
        return;
    }
    read_token(s, &head);
    s->near = is_near(s, &head);
    s->call.takes_gzip = takes(&head, "gzip");
    ask_file(s, &head);
    s->body_n = head.body;
    s->step = NET_BODY;
    give_up_after(s, HEAD_MS);
}

/* Takes what it can of the bytes of a head; how many. */
static size_t take_head(struct session *s, char *bytes, size_t n)
{
    const size_t size = srv_head_size(bytes, n, s->in_seen);
    s->in_seen = size == 0 ? n : 0;
    if ((bytes[0] < 'A' || bytes[0] > 'Z') && bytes[0] != '\r') {
        srv_request_refuse(s, 400, FM_E_VALUE, "this is not HTTP");
        return n;
    }
    if (size > SRV_HEAD_MAX || (size == 0 && n >= SRV_HEAD_MAX)) {
        srv_request_refuse(s, 431, FM_E_SIZE, "the head of the request is too large");
        return n;
    }
    if (size > 0)
        begin(s, bytes, size);
    return size;
}

static size_t take_body(struct session *s, const char *bytes, size_t n)
{
    const size_t left = s->body_n - s->n, take = n < left ? n : left;
    if (s->body == NULL && s->body_n > 0 && (s->body = malloc(s->body_n)) == NULL) {
        srv_request_refuse(s, 503, FM_E_MEMORY, fm_err_text(FM_E_MEMORY));
        return n;
    }
    if (take > 0)
        memcpy(s->body + s->n, bytes, take);
    s->n += take;
    if (s->n == s->body_n)
        answer(s);
    return take;
}

/* Keeps the last n bytes, at `bytes`, for later; false: there is no memory. */
static bool keep_bytes(struct session *s, const char *bytes, size_t n)
{
    if (n == 0) { /* an idle connection keeps nothing */
        free(s->in);
        s->in = NULL;
    } else if (s->in != NULL) {
        memmove(s->in, bytes, n);
    } else if ((s->in = malloc(n)) != NULL) {
        memcpy(s->in, bytes, n);
    }
    s->in_n = n;
    return n == 0 || s->in != NULL;
}

static bool append(struct session *s, const uint8_t *bytes, size_t n)
{
    if (n == 0)
        return true;
    char *in = realloc(s->in, s->in_n + n);
    if (in == NULL)
        return false;
    memcpy(in + s->in_n, bytes, n);
    s->in = in;
    s->in_n += n;
    return true;
}

bool srv_request_bytes(struct session *s, uint8_t *bytes, size_t n)
{
    const bool idle = s->in_n == 0;
    if (s->in_n > 0 && !append(s, bytes, n))
        return false;
    char *at = s->in_n > 0 ? s->in : (char *)bytes;
    size_t left = s->in_n > 0 ? s->in_n : n;
    bool alive = true;
    s->feeding = true;
    /* A body of no bytes is taken, too. */
    while (alive && !s->streams && (left > 0 || s->step == NET_BODY) && s->step != NET_ANSWER) {
        const size_t took = s->step == NET_HEAD   ? take_head(s, at, left)
                            : s->step == NET_BODY ? take_body(s, at, left)
                                                  : left;
        if (took == 0 && s->step != NET_ANSWER && !(s->step == NET_BODY && s->body_n == 0))
            break;
        at += took;
        left -= took;
        s->in_seen = 0;
        alive = go_on(s);
    }
    s->feeding = false;
    if (!alive)
        return false;
    if (s->streams && left > 0)
        srv_stream_bytes(s, (uint8_t *)at, left);
    if (s->streams || s->step == NET_DRAIN)
        left = 0;
    if (idle && left > 0 && s->step == NET_HEAD)
        give_up_after(s, HEAD_MS);
    return keep_bytes(s, at, left);
}
