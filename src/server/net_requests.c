/* net_requests.c: reads requests over HTTP/1.1, and gives complete ones to the hall. */
#include "server/net_state.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#define BODY_MAX       16384
#define HEAD_MS        15000 /* how long a head may take to arrive, and then a body */
#define ADDRESS_TABLES 100   /* default limit of waiting tables per address */
#define COST_WORK      10.   /* counted against --rate, for requests that cost work */

/* ---- what a head asks for -------------------------------------------------------------------- */

/* "Bearer TOKEN"; anything else counts as no token. */
static void read_token(struct session *s, const struct srv_head *head)
{
    static const char bearer[] = "Bearer ";
    const char *text = head->field[SRV_FIELD_AUTHORIZATION];
    s->token[0] = '\0';
    if (text != NULL && strncmp(text, bearer, sizeof bearer - 1) == 0 &&
        strlen(text) == sizeof bearer - 1 + SRV_TOKEN_TEXT)
        memcpy(s->token, text + sizeof bearer - 1, SRV_TOKEN_TEXT + 1);
}

/* Does the client accept this encoding? "gzip;q=0" says no. */
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

/* "/" is index.html. */
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
    /* proxies may turn it into W/"…" */
    s->unchanged = known != NULL && strstr(known, s->file->etag) != NULL;
}

/* Metrics reveal when somebody acts in secret, so they are for this machine only: not for clients
 * of a proxy, and not for a page whose host name was pointed at this machine (DNS rebinding). A
 * proxy on our own path is recognised by its headers. */
static bool is_local(const struct session *s, const struct srv_head *head)
{
    const char *host = head->field[SRV_FIELD_HOST];
    return srv_address_is_loopback(&s->from) &&
           (!s->proxied || srv_unix_path(s->net->config) != NULL) &&
           head->field[SRV_FIELD_X_FORWARDED_FOR] == NULL &&
           head->field[SRV_FIELD_FORWARDED] == NULL && head->field[SRV_FIELD_VIA] == NULL &&
           (host == NULL || srv_is_literal_host(host));
}

/* The client: a trusted proxy says which. */
static bool find_asker(struct session *s, const struct srv_head *head)
{
    const char *said = head->field[SRV_FIELD_X_FORWARDED_FOR];
    struct srv_address client = s->from;
    if (s->proxied && said != NULL && !srv_proxies_client(&client, said))
        return false;
    s->asker = srv_address_network(&client);
    return true;
}

/* ---- a whole request ------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *ending)
{
    const size_t n = strlen(text), m = strlen(ending);
    return n >= m && strcmp(text + n - m, ending) == 0;
}

/* A first visit asks for dozens of files at once, which are in memory and cost next to nothing.
 * Making tables, replaying whole games, explaining moves, analyses and asking the referee cost more
 * than reading. */
static double cost_of(const struct session *s)
{
    if (s->file != NULL)
        return .02;
    if (strstr(s->path, "/replay/") != NULL || strstr(s->path, "/why/") != NULL ||
        strstr(s->path, "/analysis") != NULL || ends_with(s->path, "/verify"))
        return COST_WORK;
    return strcmp(s->method, "POST") == 0 &&
                   (strcmp(s->path, "/api/tables") == 0 || strcmp(s->path, "/api/practice") == 0 ||
                    strcmp(s->path, "/api/records") == 0 ||
                    strncmp(s->path, "/api/referee/", 13) == 0)
               ? COST_WORK
               : 1;
}

/* A record is the only thing that is longer than a few lines. */
static size_t body_max(const struct session *s)
{
    return strcmp(s->method, "POST") == 0 && strcmp(s->path, "/api/records") == 0 ? SRV_HANDED_MAX
                                                                                  : BODY_MAX;
}

/* As for connections: no limit for this machine by default. */
static unsigned most_waiting(const struct session *s)
{
    const unsigned most = s->net->config->address_tables;
    return most > 0 ? most : srv_address_is_loopback(&s->asker) ? 0 : ADDRESS_TABLES;
}

static void refuse(struct session *s, enum fm_err code, int status)
{
    char text[256];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    srv_put_error(&o, code, fm_err_text(code));
    srv_http_answer(NULL, &s->call, status, text, o.len);
}

/* The request is complete. */
static void answer(struct session *s)
{
    char address[2 * sizeof s->asker.bytes + 1];
    const struct srv_http_request r = {.method = s->method,
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
    if (s->retry_s == 0 && !srv_quota_take(s))
        s->retry_s = NET_RETRY_S;
    if (s->retry_s > 0) { /* refused: the file is not sent */
        s->file = NULL;
        s->encoding = NULL;
        s->unchanged = false;
    }
    if (s->file != NULL)
        return;
    if (s->retry_s > 0)
        refuse(s, FM_E_BUSY, 429);
    else if (strcmp(s->path, "/healthz") == 0 && strcmp(s->method, "GET") == 0)
        srv_health_answer(s);
    else if (strcmp(s->path, "/metrics") == 0 && strcmp(s->method, "GET") == 0 && s->is_local)
        srv_metrics_answer(s);
    else
        srv_hall_request(s->net->hall, &s->call, &r, srv_time_ms());
}

void srv_http_reset(struct session *s)
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
    if (s->proxied && !s->is_stream)
        srv_quota_release(s);
}

void srv_http_end(struct session *s)
{
    srv_http_reset(s);
    free(s->in);
    s->in = NULL;
    s->in_n = 0;
}

/* ---- bytes as they come ---------------------------------------------------------------------- */

void srv_connection_end_after(struct session *s, uint64_t ms)
{
    s->ends_ms = srv_time_ms() + ms;
}

/* A head is complete. */
static void begin(struct session *s, char *bytes, size_t n)
{
    struct srv_head head;
    const char *why;
    int status = srv_head_read(&head, bytes, n, &why);
    srv_http_reset(s);
    if (status == 0 && !find_asker(s, &head)) {
        why = "X-Forwarded-For ends with no address";
        status = 400;
    }
    if (status != 0) {
        srv_http_refuse(s, status, status == 431 ? FM_E_SIZE : FM_E_VALUE, why);
        return;
    }
    s->bodiless = strcmp(head.method, "HEAD") == 0;
    (void)snprintf(s->method, sizeof s->method, "%s", s->bodiless ? "GET" : head.method);
    s->keep = head.keep;
    if (strlen(head.path) >= sizeof s->path) {
        srv_http_refuse(s, 404, FM_E_NO_PATH, fm_err_text(FM_E_NO_PATH));
        return;
    }
    memcpy(s->path, head.path, strlen(head.path) + 1);
    if (head.field[SRV_FIELD_UPGRADE] != NULL && head.upgrade) {
        srv_stream_upgrade(s, &head);
        return;
    }
    if (head.body > body_max(s)) { /* refused before it arrives */
        srv_http_refuse(s, 413, FM_E_SIZE, fm_err_text(FM_E_SIZE));
        return;
    }
    read_token(s, &head);
    s->is_local = is_local(s, &head);
    s->call.takes_gzip = takes(&head, "gzip");
    ask_file(s, &head);
    s->body_n = head.body;
    s->step = NET_BODY;
    srv_connection_end_after(s, HEAD_MS);
}

/* Uses the bytes of a head, if it is complete; returns how many. */
static size_t take_head(struct session *s, char *bytes, size_t n)
{
    const size_t size = srv_head_size(bytes, n, s->in_seen);
    s->in_seen = size == 0 ? n : 0;
    if ((bytes[0] < 'A' || bytes[0] > 'Z') && bytes[0] != '\r') {
        srv_http_refuse(s, 400, FM_E_VALUE, "this is not HTTP");
        return n;
    }
    if (size > SRV_HEAD_MAX || (size == 0 && n >= SRV_HEAD_MAX)) {
        srv_http_refuse(s, 431, FM_E_SIZE, "the head of the request is too large");
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
        srv_http_refuse(s, 503, FM_E_MEMORY, fm_err_text(FM_E_MEMORY));
        return n;
    }
    if (take > 0)
        memcpy(s->body + s->n, bytes, take);
    s->n += take;
    if (s->n == s->body_n)
        answer(s);
    return take;
}

/* Keeps the n bytes that were not used; false: no memory. */
static bool keep_bytes(struct session *s, const char *bytes, size_t n)
{
    if (n == 0) { /* an idle connection keeps no memory */
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

bool srv_http_bytes(struct session *s, uint8_t *bytes, size_t n)
{
    const bool idle = s->in_n == 0;
    if (s->in_n > 0 && !append(s, bytes, n))
        return false;
    char *at = s->in_n > 0 ? s->in : (char *)bytes;
    size_t left = s->in_n > 0 ? s->in_n : n;
    bool alive = true;
    s->feeding = true;
    /* also for an empty body */
    while (alive && !s->is_stream && (left > 0 || s->step == NET_BODY) && s->step != NET_ANSWER) {
        const size_t took = s->step == NET_HEAD   ? take_head(s, at, left)
                            : s->step == NET_BODY ? take_body(s, at, left)
                                                  : left;
        if (took == 0 && s->step != NET_ANSWER && !(s->step == NET_BODY && s->body_n == 0))
            break;
        at += took;
        left -= took;
        s->in_seen = 0;
        alive = srv_http_go_on(s);
    }
    s->feeding = false;
    if (!alive)
        return false;
    if (s->is_stream && left > 0)
        srv_stream_bytes(s, (uint8_t *)at, left);
    if (s->is_stream || s->step == NET_DRAIN)
        left = 0;
    if (idle && left > 0 && s->step == NET_HEAD)
        srv_connection_end_after(s, HEAD_MS);
    return keep_bytes(s, at, left);
}

bool srv_http_write(struct session *s)
{
    return srv_http_go_on(s) && srv_http_bytes(s, NULL, 0);
}
