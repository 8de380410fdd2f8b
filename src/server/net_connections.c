/* net_connections.c: reads from connections, for HTTP and for streams. */
#include "server/net_state.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <string.h>

#define FIRST_MS 15000 /* until the first request is complete, TLS handshake included */

/* How many bytes were read; 0: none at the moment; -1: closed. */
static ssize_t read_bytes(struct session *s, uint8_t *in, size_t n)
{
    SSL *ssl = lws_is_ssl(s->wsi) ? lws_get_ssl(s->wsi) : NULL;
    if (ssl != NULL) {
        ERR_clear_error(); /* left by other connections */
        const int got = SSL_read(ssl, in, (int)n);
        const int why = got > 0 ? SSL_ERROR_NONE : SSL_get_error(ssl, got);
        return got > 0 ? got : why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE ? 0 : -1;
    }
    const ssize_t got = recv(s->readable.fd, in, n, 0);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
        return 0;
    return got > 0 ? got : -1;
}

static bool more_within(const struct session *s) /* held by TLS, where poll does not see them */
{
    return lws_is_ssl(s->wsi) && SSL_pending(lws_get_ssl(s->wsi)) > 0;
}

/* While a request is being answered, at most one more block is read, so a client that keeps sending
 * has to wait. While nothing is buffered, reading continues, so that a hang-up is noticed. */
static bool reads_on(const struct session *s)
{
    return s->is_stream || s->step != NET_ANSWER || s->in_n == 0;
}

void srv_connection_read_on(struct session *s)
{
    struct ev_loop *loop = s->net->loop;
    if (!s->taken_over || reads_on(s) == !!ev_is_active(&s->readable))
        return;
    if (reads_on(s)) {
        ev_io_start(loop, &s->readable);
        if (more_within(s))
            ev_feed_event(loop, &s->readable, EV_READ);
    } else {
        ev_io_stop(loop, &s->readable);
    }
}

void srv_connection_cut(struct session *s)
{
    ev_io_stop(s->net->loop, &s->readable);
    lws_set_timeout(s->wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_SYNC);
}

static bool give(struct session *s, uint8_t *bytes, size_t n)
{
    if (s->is_stream)
        srv_stream_bytes(s, bytes, n);
    else if (!srv_http_bytes(s, bytes, n))
        return false;
    srv_connection_read_on(s);
    return true;
}

static void on_readable(struct ev_loop *loop, struct ev_io *w, int events)
{
    struct session *s = w->data;
    (void)loop, (void)events;
    do {
        const ssize_t got = read_bytes(s, s->net->in, NET_READ_MAX);
        if (got < 0 || (got > 0 && !give(s, s->net->in, (size_t)got))) {
            srv_connection_cut(s);
            return;
        }
    } while (ev_is_active(&s->readable) && more_within(s));
}

/* From now on we read; libwebsockets only writes. */
static int take_over(struct session *s)
{
    lws_set_timeout(s->wsi, NO_PENDING_TIMEOUT, 0);
    if (lws_rx_flow_control(s->wsi, 0) < 0)
        return -1;
    s->taken_over = true;
    ev_io_init(&s->readable, on_readable, lws_get_socket_fd(s->wsi), EV_READ);
    s->readable.data = s;
    ev_io_start(s->net->loop, &s->readable);
    return 0;
}

int srv_connection_begin(struct lws *wsi, struct session *s)
{
    struct net *net = net_of(wsi);
    s->net = net;
    s->wsi = wsi;
    s->from = net->accepting;
    s->asker = srv_address_network(&s->from);
    s->ends_ms = srv_time_ms() + FIRST_MS;
    s->next = net->sessions;
    s->at = &net->sessions;
    if (s->next != NULL)
        s->next->at = &s->next;
    net->sessions = s;
    net->accepted = s;
    return lws_is_ssl(wsi) ? 0 : take_over(s);
}

/* With TLS libwebsockets does the handshake, and has read the first bytes after it. */
int srv_connection_first(struct session *s, uint8_t *bytes, size_t n)
{
    if (!s->taken_over && take_over(s) != 0)
        return -1;
    if (!give(s, bytes, n))
        return -1;
    if (ev_is_active(&s->readable) && more_within(s))
        ev_feed_event(s->net->loop, &s->readable, EV_READ);
    return 0;
}

int srv_connection_write(struct session *s)
{
    if (!(s->is_stream ? srv_stream_write(s) : srv_http_write(s)))
        return -1;
    srv_connection_read_on(s);
    return 0;
}

void srv_connection_end(struct session *s)
{
    if (s->at == NULL)
        return;
    if (s->taken_over)
        ev_io_stop(s->net->loop, &s->readable);
    if (s->is_stream)
        srv_stream_end(s);
    else
        srv_http_end(s);
    srv_quota_release(s);
    *s->at = s->next;
    if (s->next != NULL)
        s->next->at = s->at;
    s->at = NULL;
}

void srv_connection_check(struct session *s, uint64_t now)
{
    if (s->is_stream)
        srv_stream_check(s, now);
    else if (s->ends_ms != 0 && now > s->ends_ms)
        srv_connection_cut(s);
}
