/* net_requests.c: requests read whole, answers written when there is room. */
#include "server/net_state.h"

#include "base/panic.h"

#include <stdlib.h>
#include <string.h>

#define BODY_MAX 16384
#define BODY_MS  15000 /* in which a body is here, however it comes */

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
    lws_callback_on_writable(s->wsi);
}

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

/* "/" is the page's index. */
static const struct srv_file *find_file(const struct session *s)
{
    if (strcmp(s->method, "GET") != 0 || strncmp(s->path, "/api/", 5) == 0)
        return NULL;
    return srv_files_find(s->net->files, strcmp(s->path, "/") == 0 ? "/index.html" : s->path);
}

static bool ask_file(struct session *s)
{
    char known[256] = "";
    s->file = find_file(s);
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

static bool is_code(const struct session *s)
{
    return strncmp(s->path, "/api/codes/", 11) == 0;
}

/* Files lie in memory, and a first visit asks for dozens of them at once: they cost next to
 * nothing. Making tables and playing whole games again cost more than reading. */
static double cost_of(const struct session *s)
{
    if (find_file(s) != NULL)
        return .02;
    if (strstr(s->path, "/replay/") != NULL || ends_with(s->path, "/verify"))
        return COST_WORK;
    return strcmp(s->method, "POST") == 0 &&
                   (strcmp(s->path, "/api/tables") == 0 || strcmp(s->path, "/api/practice") == 0)
               ? COST_WORK
               : 1;
}

/* The request is whole. */
void srv_request_whole(struct session *s)
{
    const struct srv_request r = {.method = s->method,
                                  .path = s->path,
                                  .token = s->token[0] != '\0' ? s->token : NULL,
                                  .address = s->address,
                                  .body = s->body != NULL ? s->body : "",
                                  .n = s->n};
    if (s->asked)
        return;
    s->asked = true;
    s->call.takes_gzip = takes(s, "gzip");
    s->call.gzip = false;
    s->net->requests++;
    s->retry_s = srv_rates_take(&s->net->rates, s->address, cost_of(s), srv_time_ms());
    if (s->retry_s > 0)
        refuse(s, FM_E_BUSY, 429);
    else if (ask_file(s))
        return;
    else if (strcmp(s->path, "/healthz") == 0 && strcmp(s->method, "GET") == 0)
        srv_request_answer(NULL, &s->call, 200, "{\"ok\":true}", 11);
    else if (strcmp(s->path, "/metrics") == 0 && strcmp(s->method, "GET") == 0 && is_near(s))
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

static void put_retry(struct headers *h)
{
    char text[12];
    (void)snprintf(text, sizeof text, "%u", h->s->retry_s > 0 ? h->s->retry_s : NET_RETRY_S);
    put_header(h, "retry-after:", text);
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

int srv_request_write(struct session *s)
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
    if (s->status == 429 || s->status == 503)
        put_retry(&h);
    if (s->status == 404 && is_code(s)) /* whoever guesses codes gets few guesses */
        srv_rates_charge(&s->net->rates, s->address, COST_GUESS, srv_time_ms());
    s->answer = NULL;
    int written = 0;
    if (h.failed || lws_finalize_write_http_header(s->wsi, start, &h.p, h.end))
        written = -1;
    else if (m->n > 0)
        written = lws_write(s->wsi, m->bytes + LWS_PRE, m->n, LWS_WRITE_HTTP_FINAL);
    free(m);
    srv_request_reset(s);
    return written < 0 || lws_http_transaction_completed(s->wsi) ? -1 : 0;
}

int srv_request_begin(struct session *s, const char *uri, size_t n)
{
    char length[24] = "";
    srv_request_reset(s);
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
        (void)srv_request_write(s);
        return -1;
    }
    if (body == 0) {
        srv_request_whole(s);
    } else {
        s->since_ms = srv_time_ms();
        s->body = malloc(BODY_MAX);
        if (s->body == NULL)
            return -1;
    }
    return 0;
}

int srv_request_body(struct session *s, const void *in, size_t n)
{
    if (s->body == NULL)
        return 0;
    if (s->n + n > BODY_MAX || srv_time_ms() > s->since_ms + BODY_MS)
        return -1;
    memcpy(s->body + s->n, in, n);
    s->n += n;
    return 0;
}
