/* net_answers.c: writes answers over HTTP/1.1, then goes on to the next request. */
#include "server/net_state.h"

#include "base/panic.h"

#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define IDLE_MS    30000 /* how long an idle connection is kept */
#define WRITE_MS   60000 /* how long a client may take to read an answer */
#define DRAIN_MS   2000  /* how long a client may take to close */
#define COST_GUESS 19.   /* counted against --rate, for a code that does not exist */

static struct message *message_new(const char *text, size_t n)
{
    struct message *m = malloc(sizeof *m + LWS_PRE + n);
    if (m == NULL)
        return NULL;
    m->n = n;
    memcpy(m->bytes + LWS_PRE, text, n);
    return m;
}

void srv_http_answer(void *arg, struct srv_call *call, int status, const char *text, size_t n)
{
    struct session *s = NET_OWNER(call, call);
    (void)arg;
    s->status = status;
    s->answer = message_new(text, n);
    if (!s->feeding)
        lws_callback_on_writable(s->wsi);
}

void srv_http_refuse(struct session *s, int status, enum fm_err code, const char *message)
{
    char text[256];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    srv_put_error(&o, code, message);
    s->keep = false;
    s->step = NET_ANSWER;
    s->ends_ms = 0;
    s->net->requests++;
    srv_http_answer(NULL, &s->call, status, text, o.len);
}

/* ---- head and body --------------------------------------------------------------------------- */

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

/* The page loads nothing from other sites, and cannot be framed. */
static void put_page_headers(struct fm_out *o, const struct srv_file *file)
{
    /* 'self' covers the WebSocket too; style attributes are set by scripts only; the engine is
     * WebAssembly, which may be compiled if it is from here; no script may be made from a string */
    put_header(o, "content-security-policy",
               "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
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

/* The bytes of the answer, or of the file in the chosen encoding. */
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
    if (s->status != 304) /* there it would mean the length of the file: RFC 9110, 8.6 */
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

/* ---- writing --------------------------------------------------------------------------------- */

static bool is_code(const struct session *s)
{
    return strncmp(s->path, "/api/codes/", 11) == 0;
}

/* Writes head and body in one call. libwebsockets keeps what the socket does not take. False: the
 * connection is closed. */
static bool write_answer(struct session *s)
{
    char head[2048];
    struct fm_out o;
    if (s->answer != NULL && s->call.gzip)
        s->encoding = "gzip";
    if (s->answer == NULL)
        s->status = s->unchanged ? 304 : 200;
    if (s->status == 404 && is_code(s)) /* makes guessing codes slow */
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

/* The answer is written: reads the next request, or closes. Closing at once could make the client
 * lose the answer, so only our direction is shut down. */
static void finish(struct session *s)
{
    srv_http_reset(s);
    s->step = s->keep ? NET_HEAD : NET_DRAIN;
    srv_connection_end_after(s, s->keep ? IDLE_MS : DRAIN_MS);
    if (s->keep)
        return;
    if (lws_is_ssl(s->wsi))
        (void)SSL_shutdown(lws_get_ssl(s->wsi));
    (void)shutdown(lws_get_socket_fd(s->wsi), SHUT_WR);
}

/* Writes the answer, if it is there; false: the connection is closed. */
bool srv_http_go_on(struct session *s)
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
            srv_connection_end_after(s, WRITE_MS);
        lws_callback_on_writable(s->wsi);
        return true;
    }
    s->written = false;
    finish(s);
    return true;
}
