/* net_streams.c: WebSockets: the handshake, messages out, messages in, pings and closing. */
#include "server/net_state.h"

#include <openssl/sha.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#define MESSAGE_MAX 16384
#define SYSTEM_MAX  (64 * 1024) /* size of the socket's send buffer */
#define HELLO_MS    10000
#define CLOSE_MS    5000   /* how long a client may take to answer a close */
#define PONG_MS     10000  /* how long to wait for a pong before the next ping */
#define PING_MS     300000 /* a silent client is pinged after this time ... */
#define GONE_MS     310000 /* ... and closed after this */
#define RETRY_MS    2000
#define KEY_TEXT    24   /* of Sec-WebSocket-Key: 16 bytes */
#define ACCEPT_TEXT 29   /* of Sec-WebSocket-Accept, with a NUL */
#define OUT_ROOM    4096 /* enough for nearly all writes */

static const char guid[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/* ---- frames: what a stream is sent in one turn is written in one piece ----------------------- */

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

static void free_out(struct session *s)
{
    struct net *net = s->net;
    if (s->out_cap == OUT_ROOM && net->n_spare < NET_SPARE)
        net->spare[net->n_spare++] = s->out;
    else
        free(s->out);
    s->out = NULL; /* an idle stream keeps no memory */
    s->out_n = s->out_cap = 0;
}

static void set_pending(struct session *s, bool pending)
{
    struct net *net = s->net;
    if (pending == (s->at_pending != NULL))
        return;
    if (pending) {
        s->next_pending = net->pending;
        s->at_pending = &net->pending;
        net->pending = s;
    } else {
        *s->at_pending = s->next_pending;
    }
    if (s->next_pending != NULL)
        s->next_pending->at_pending = pending ? &s->next_pending : s->at_pending;
    if (!pending)
        s->at_pending = NULL;
}

/* Writes without asking whether the socket is writable, which would cost two system calls and is
 * nearly always the case. libwebsockets keeps what does not fit, and calls back when that is
 * written. */
static void flush(struct session *s)
{
    set_pending(s, false);
    if (s->out_n == 0)
        return;
    if (lws_partial_buffered(s->wsi)) {
        lws_callback_on_writable(s->wsi);
        return;
    }
    const int written = lws_write(s->wsi, s->out + LWS_PRE, s->out_n, LWS_WRITE_RAW);
    s->broken = written < 0;
    s->stuck = lws_partial_buffered(s->wsi) ? s->out_n : 0;
    free_out(s);
    if (s->broken || s->stuck > 0)
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
    set_pending(s, true);
    return true;
}

static size_t queue_max(const struct session *s)
{
    return (size_t)s->net->config->queue * 1024;
}

/* Sets the size of the socket's send buffer. */
static void set_buffer(const struct session *s, int bytes)
{
    (void)setsockopt(lws_get_socket_fd(s->wsi), SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
}

/* Sends the close frame; then input is read until the client closes, too. */
static void hang_up(struct session *s, int code, const char *reason)
{
    char text[SRV_FRAME_CONTROL] = {(char)(code >> 8), (char)(code & 0xff)};
    if (s->closing_ms != 0)
        return;
    s->closing_ms = srv_time_ms();
    if (!s->over)
        s->net->closes[(code - SRV_CLOSE_NORMAL) % NET_CLOSE_CODES]++;
    if (code == SRV_CLOSE_LATER) {
        free_out(s); /* send only the reason; a larger socket buffer makes room for it */
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
    if (s->stuck + s->out_n + n > queue_max(s))
        hang_up(s, SRV_CLOSE_LATER, "the client reads too slowly");
    else if (!put_frame(s, opcode, data, n))
        hang_up(s, SRV_CLOSE_LATER, "no memory");
}

void srv_stream_send(void *arg, struct srv_stream *stream, const char *text, size_t n)
{
    (void)arg;
    say(NET_OWNER(stream, stream), SRV_OP_TEXT, text, n);
}

void srv_stream_ask_reconnect(void *arg, struct srv_stream *stream)
{
    char text[32];
    const int n = snprintf(text, sizeof text, "{\"retry\":%d}", RETRY_MS);
    srv_stream_send(arg, stream, text, (size_t)n);
    hang_up(NET_OWNER(stream, stream), SRV_CLOSE_AWAY, "come back");
}

void srv_streams_flush(void *arg)
{
    struct net *net = arg;
    while (net->pending != NULL)
        flush(net->pending);
    if (net->hall != NULL)
        srv_hall_sent(net->hall);
}

void srv_stream_ping(void *arg, struct srv_stream *stream)
{
    struct session *s = NET_OWNER(stream, stream);
    const uint64_t now = srv_now_us();
    (void)arg;
    if (s->ping_us != 0 && now < s->ping_us + 1000 * PONG_MS)
        return;
    s->ping_us = now;
    randombytes_buf(s->ping, sizeof s->ping);
    say(s, SRV_OP_PING, s->ping, sizeof s->ping);
}

/* The round-trip time, smoothed as TCP does it. */
static void take_pong(struct session *s, const struct srv_frame *frame)
{
    if (s->ping_us == 0 || frame->n != sizeof s->ping ||
        memcmp(frame->data, s->ping, sizeof s->ping) != 0)
        return;
    const uint64_t took_ms = (srv_now_us() - s->ping_us + 999) / 1000;
    const uint32_t lag = took_ms < PONG_MS ? (uint32_t)took_ms : PONG_MS;
    s->stream.rtt_ms = s->stream.rtt_ms == 0 ? lag : (7 * s->stream.rtt_ms + lag + 4) / 8;
    s->ping_us = 0;
}

/* ---- the handshake, and incoming messages ---------------------------------------------------- */

/* A page of another origin must not act for the person who has it open. */
static bool same_origin(const struct net *net, const struct srv_head *head)
{
    const char *origin = head->field[SRV_FIELD_ORIGIN], *host = head->field[SRV_FIELD_HOST];
    if (origin == NULL)
        return true; /* not a browser */
    if (net->config->origin != NULL)
        return strcmp(origin, net->config->origin) == 0;
    const char *after = strstr(origin, "://");
    return after != NULL && host != NULL && strcmp(after + 3, host) == 0;
}

/* The status to refuse the upgrade with; 0: it is accepted. */
static int check_upgrade(struct session *s, const struct srv_head *head)
{
    const char *key = head->field[SRV_FIELD_WEBSOCKET_KEY];
    const char *version = head->field[SRV_FIELD_WEBSOCKET_VERSION];
    const char *protocol = head->field[SRV_FIELD_WEBSOCKET_PROTOCOL];
    s->retry_s = srv_rates_take(&s->net->rates, &s->asker, 1, srv_time_ms());
    if (s->retry_s > 0 || !srv_quota_take(s))
        return 429;
    if (strcasecmp(head->field[SRV_FIELD_UPGRADE], "websocket") != 0 || head->old ||
        strcmp(head->method, "GET") != 0 || head->body > 0 || key == NULL ||
        strlen(key) != KEY_TEXT || (protocol != NULL && !srv_list_has(protocol, "fathom")))
        return 400;
    if (version == NULL || strcmp(version, "13") != 0)
        return 426;
    return same_origin(s->net, head) ? 0 : 403;
}

static void refuse_upgrade(struct session *s, int status)
{
    srv_http_refuse(s, status,
                    status == 429   ? FM_E_BUSY
                    : status == 403 ? FM_E_FORBIDDEN
                                    : FM_E_VALUE,
                    status == 426   ? "Sec-WebSocket-Version 13 is expected"
                    : status == 400 ? "this is no handshake for a WebSocket"
                    : status == 403 ? "a page of another origin gets no stream"
                                    : fm_err_text(FM_E_BUSY));
}

/* Sec-WebSocket-Accept: RFC 6455, 4.2.2. */
static void put_accept(char text[ACCEPT_TEXT], const char *key)
{
    char both[KEY_TEXT + sizeof guid];
    uint8_t hash[SHA_DIGEST_LENGTH];
    const int n = snprintf(both, sizeof both, "%s%s", key, guid);
    (void)SHA1((const uint8_t *)both, (size_t)n, hash);
    (void)sodium_bin2base64(text, ACCEPT_TEXT, hash, sizeof hash, sodium_base64_VARIANT_ORIGINAL);
}

static void open_stream(struct session *s, const struct srv_head *head)
{
    uint8_t answer[LWS_PRE + 256];
    char accept[ACCEPT_TEXT];
    put_accept(accept, head->field[SRV_FIELD_WEBSOCKET_KEY]);
    (void)sodium_bin2hex(s->stream_of, sizeof s->stream_of, s->asker.bytes, sizeof s->asker.bytes);
    s->stream.address = s->stream_of;
    s->is_stream = true;
    s->ends_ms = 0;
    s->since_ms = s->heard_ms = srv_time_ms();
    s->net->streams++;
    set_buffer(s, SYSTEM_MAX);
    const int n = snprintf((char *)answer + LWS_PRE, sizeof answer - LWS_PRE,
                           "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n"
                           "connection: upgrade\r\nsec-websocket-accept: %s\r\n%s\r\n",
                           accept,
                           head->field[SRV_FIELD_WEBSOCKET_PROTOCOL] != NULL
                               ? "sec-websocket-protocol: fathom\r\n"
                               : "");
    s->broken = lws_write(s->wsi, answer + LWS_PRE, (size_t)n, LWS_WRITE_RAW) < 0;
    if (s->broken)
        lws_callback_on_writable(s->wsi);
}

void srv_stream_upgrade(struct session *s, const struct srv_head *head)
{
    const int status = check_upgrade(s, head);
    if (status == 0)
        open_stream(s, head);
    else
        refuse_upgrade(s, status);
}

void srv_stream_end(struct session *s)
{
    srv_hall_stream_closed(s->net->hall, &s->stream);
    set_pending(s, false);
    free_out(s);
    srv_frames_finish(&s->frames);
    s->net->streams--;
}

static bool too_fast(struct session *s)
{
    const struct srv_config *c = s->net->config;
    return !srv_bucket_take(&s->message_rate, c->messages, c->burst, 1, s->heard_ms);
}

static void misunderstand(struct session *s)
{
    if (s->stream.slot == NULL)
        hang_up(s, SRV_CLOSE_POLICY, "a hello was expected");
    else if (++s->misunderstood >= 2)
        hang_up(s, SRV_CLOSE_POLICY, "too many messages were not understood");
}

void srv_stream_misunderstood(void *arg, struct srv_stream *stream)
{
    (void)arg;
    misunderstand(NET_OWNER(stream, stream));
}

static void understand(struct session *s, const char *text, size_t n)
{
    if (!srv_hall_message(s->net->hall, &s->stream, s->path, text, n, s->heard_ms))
        misunderstand(s);
}

/* The client closes, or answers our close: once our close frame is written, it is over. */
static void take_close(struct session *s, int code)
{
    s->over = s->ignores_input = true;
    hang_up(s, code, "");
    lws_callback_on_writable(s->wsi);
}

static void take_frame(struct session *s, const struct srv_frame *frame)
{
    s->heard_ms = srv_time_ms();
    s->probed = false;
    if (frame->kind == SRV_FRAME_CLOSE) {
        take_close(s, frame->code);
    } else if (frame->kind == SRV_FRAME_WRONG) {
        s->ignores_input = true;
        hang_up(s, frame->code, frame->reason);
    } else if (s->closing_ms != 0) {
        return; /* only a close counts now */
    } else if (too_fast(s)) {
        hang_up(s, SRV_CLOSE_POLICY, "too many messages");
    } else if (frame->kind == SRV_FRAME_TEXT) {
        understand(s, frame->data, frame->n);
    } else if (frame->kind == SRV_FRAME_PING) {
        say(s, SRV_OP_PONG, frame->data, frame->n);
    } else if (frame->kind == SRV_FRAME_PONG) {
        take_pong(s, frame);
    }
}

void srv_stream_bytes(struct session *s, uint8_t *bytes, size_t n)
{
    while (n > 0 && !s->ignores_input) {
        const struct srv_frame frame = srv_frames_read(&s->frames, &bytes, &n, MESSAGE_MAX);
        if (frame.kind != SRV_FRAME_NONE)
            take_frame(s, &frame);
    }
}

/* libwebsockets has written what it kept. */
bool srv_stream_write(struct session *s)
{
    s->stuck = 0;
    flush(s);
    return !s->broken && !(s->over && s->stuck + s->out_n == 0);
}

/* Closes and pings by timeout. libwebsockets could ping, too, but it moves a timer in a sorted list
 * for every message that it reads. */
void srv_stream_check(struct session *s, uint64_t now)
{
    if (s->closing_ms != 0) {
        if (now > s->closing_ms + CLOSE_MS)
            srv_connection_cut(s); /* a client that does not read cannot be told why */
    } else if (s->stream.slot == NULL && s->stream.parked == NULL && now > s->since_ms + HELLO_MS) {
        hang_up(s, SRV_CLOSE_POLICY, "no hello");
    } else if (s->probed && now > s->heard_ms + GONE_MS) {
        hang_up(s, SRV_CLOSE_POLICY, "no answer to a ping");
    } else if (!s->probed && now > s->heard_ms + PING_MS) {
        s->probed = true;
        srv_stream_ping(NULL, &s->stream);
    }
}
