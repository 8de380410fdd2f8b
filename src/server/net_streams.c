/* net_streams.c: streams: libwebsockets shakes hands and writes, what comes is read here. */
#include "server/net_state.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#define MESSAGE_MAX 16384
#define SYSTEM_MAX  (64 * 1024) /* bytes that the system keeps for a reader */
#define HELLO_MS    10000
#define CLOSE_MS    5000   /* a reader may take so long until it has heard why */
#define PONG_MS     10000  /* so long a ping is waited for before the next */
#define PING_MS     300000 /* who says nothing is asked then whether it is there ... */
#define GONE_MS     310000 /* ... and is gone */
#define RETRY_MS    2000
#define KEY_TEXT    24   /* of Sec-WebSocket-Key: 16 bytes */
#define OUT_ROOM    4096 /* nearly all that is written at once fits */

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
    if (s->out_cap == OUT_ROOM && net->n_spare < NET_SPARE)
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
    s->closing_ms = srv_time_ms();
    if (!s->over)
        s->net->closes[(code - SRV_CLOSE_NORMAL) % NET_CLOSE_CODES]++;
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

void srv_stream_send(void *arg, struct srv_live *live, const char *text, size_t n)
{
    (void)arg;
    say(NET_OWNER(live, live), SRV_OP_TEXT, text, n);
}

void srv_stream_send_away(void *arg, struct srv_live *live)
{
    char text[32];
    const int n = snprintf(text, sizeof text, "{\"retry\":%d}", RETRY_MS);
    srv_stream_send(arg, live, text, (size_t)n);
    hang_up(NET_OWNER(live, live), SRV_CLOSE_AWAY, "come back");
}

void srv_streams_flush(void *arg)
{
    struct net *net = arg;
    while (net->full != NULL)
        flush(net->full);
    if (net->hall != NULL)
        srv_hall_sent(net->hall);
}

void srv_stream_ping(void *arg, struct srv_live *live)
{
    struct session *s = NET_OWNER(live, live);
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

/* ---- hands are shaken, and what comes is heard ------------------------------------------------ */

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
static int check_upgrade(struct net *net, struct lws *wsi, const char *to, unsigned *retry_s)
{
    char version[8], address[48];
    (void)lws_get_peer_simple(wsi, address, sizeof address);
    *retry_s = srv_rates_take(&net->rates, address, 1, srv_time_ms());
    if (*retry_s > 0)
        return 429;
    if (strcasecmp(to, "websocket") != 0 || lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) == 0 ||
        lws_hdr_total_length(wsi, WSI_TOKEN_KEY) != KEY_TEXT)
        return 400;
    if (lws_hdr_copy(wsi, version, sizeof version, WSI_TOKEN_VERSION) <= 0 ||
        strcmp(version, "13") != 0)
        return 426;
    return same_origin(net, wsi) ? 0 : 403;
}

static int put_retry(struct lws *wsi, unsigned seconds, uint8_t **p, uint8_t *end)
{
    char text[12];
    const int n = snprintf(text, sizeof text, "%u", seconds);
    return lws_add_http_header_by_name(
        wsi, (const unsigned char *)"retry-after:", (const unsigned char *)text, n, p, end);
}

/* libwebsockets 4.1 refuses an upgrade that it does not know with a 403 of its own, and then asks
 * us all the same: by then the header `to` points into may be freed (CVE-2025-11677). */
static bool was_answered(struct lws *wsi, const char *to)
{
    return lws_hdr_total_length(wsi, WSI_TOKEN_UPGRADE) == 0 ||
           (strcasecmp(to, "websocket") != 0 && strcasecmp(to, "h2c") != 0);
}

/* 0: it may be; 1: it was refused; -1: the connection is to end. */
int srv_stream_upgrade(struct lws *wsi, const char *to)
{
    if (was_answered(wsi, to))
        return -1;
    uint8_t buffer[LWS_PRE + 1024], *p = buffer + LWS_PRE, *end = buffer + sizeof buffer;
    char text[LWS_PRE + 256];
    struct fm_out o;
    struct net *net = net_of(wsi);
    unsigned retry_s = 0;
    const int status = check_upgrade(net, wsi, to, &retry_s);
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
        (status == 429 && put_retry(wsi, retry_s, &p, end)) ||
        lws_finalize_write_http_header(wsi, buffer + LWS_PRE, &p, end) ||
        lws_write(wsi, (uint8_t *)text + LWS_PRE, o.len, LWS_WRITE_HTTP_FINAL) < 0)
        return -1;
    return 1;
}

static void on_readable(struct ev_loop *loop, struct ev_io *w, int events);

int srv_stream_open(struct session *s)
{
    if (lws_hdr_copy(s->wsi, s->path, sizeof s->path, WSI_TOKEN_GET_URI) <= 0)
        return -1;
    s->streams = true;
    s->since_ms = s->heard_ms = srv_time_ms();
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

void srv_stream_close(struct session *s)
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
    s->heard_ms = srv_time_ms();
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
        const ssize_t got = read_bytes(s, bytes, NET_READ_MAX);
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
int srv_stream_write(struct session *s)
{
    s->held = 0;
    flush(s);
    return s->broken || (s->over && s->held + s->out_n == 0) ? -1 : 0;
}

/* Who says nothing is asked whether it is there. libwebsockets would do so, too, but moves a timer
 * in a sorted list for every message that it reads. */
void srv_stream_look(struct session *s, uint64_t now)
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
        srv_stream_ping(NULL, &s->live);
    }
}
