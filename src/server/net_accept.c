/* net_accept.c: the listening socket: accepts connections, up to the limits. */
#include "server/net_state.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define FILES_BESIDE    256 /* open files besides connections: of the store, the loop ... */
#define FILES_LEAST     64  /* at least so many of them */
#define ACCEPT_AT_ONCE  64
#define ACCEPT_PAUSE_S  .25
#define COMPLAIN_MS     60000
#define ADDRESS_MOST    1000 /* default limit of connections per address */
#define KEEPALIVE_S     60   /* TCP keep-alive: idle time, ... */
#define KEEPALIVE_EVERY 10
#define KEEPALIVE_TIMES 3 /* ... interval, and number of probes */

/* ---- how many -------------------------------------------------------------------------------- */

/* libwebsockets keeps a table of all descriptors that may be open, and Debian's version scans all
 * of it whenever a connection is opened or closed: so the limit is set no higher than needed. */
unsigned srv_fit_connections(unsigned connections, uint64_t *files)
{
    struct rlimit limit;
    *files = 0;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return connections;
    const rlim_t wanted = (rlim_t)connections + FILES_BESIDE;
    limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
    const rlim_t half = limit.rlim_cur / 2;
    const rlim_t room = limit.rlim_cur - (half < FILES_LEAST ? half : FILES_LEAST);
    *files = limit.rlim_cur;
    return room < connections ? (unsigned)room : connections;
}

/* By default there is no limit for connections from this machine: they may come from a proxy that
 * was not configured, which serves everybody. */
static unsigned most_of(const struct session *s)
{
    const unsigned most = s->net->config->address_connections;
    if (most > 0)
        return most;
    return srv_address_is_loopback(&s->asker) ? s->net->most : ADDRESS_MOST;
}

bool srv_quota_take(struct session *s)
{
    if (!s->has_quota)
        s->has_quota = srv_counts_take(&s->net->quotas, &s->asker, most_of(s), &s->quota);
    return s->has_quota;
}

void srv_quota_release(struct session *s)
{
    if (s->has_quota)
        srv_counts_give(&s->net->quotas, s->quota);
    s->has_quota = false;
}

/* ---- accepting ------------------------------------------------------------------------------- */

/* Stops accepting for a while; new connections wait in the backlog. There are no descriptors or no
 * memory left, and to try again at once would only fill the log. */
static void pause_accepting(struct net *net, int why)
{
    const uint64_t now = srv_time_ms();
    ev_io_stop(net->loop, &net->acceptable);
    ev_timer_again(net->loop, &net->accept_again);
    if (net->complained_ms != 0 && now < net->complained_ms + COMPLAIN_MS)
        return;
    net->complained_ms = now;
    struct srv_line l;
    srv_log_begin(&l, SRV_WARNING, "connections-wait");
    srv_log_text(&l, "reason", strerror(why));
    srv_log_end(&l, "new connections have to wait: %s", strerror(why));
}

static void on_accept_again(struct ev_loop *loop, struct ev_timer *w, int events)
{
    struct net *net = w->data;
    (void)events;
    ev_timer_stop(loop, w);
    ev_io_start(loop, &net->acceptable);
}

static void set_options(int fd)
{
    const int on = 1, idle = KEEPALIVE_S, every = KEEPALIVE_EVERY, times = KEEPALIVE_TIMES;
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    (void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &every, sizeof every);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &times, sizeof times);
}

/* Gives a socket to libwebsockets, which calls srv_connection_begin. */
static void adopt(struct net *net, int fd)
{
    const lws_sock_file_fd_type file = {.sockfd = fd};
    struct session asker = {.net = net, .from = net->accepting};
    asker.asker = srv_address_network(&asker.from);
    asker.proxied =
        srv_unix_path(net->config) != NULL || srv_proxies_has(&net->config->proxies, &asker.from);
    if (net->connections >= net->most || (!asker.proxied && !srv_quota_take(&asker))) {
        (void)close(fd);
        return;
    }
    set_options(fd);
    net->accepted = NULL;
    (void)lws_adopt_descriptor_vhost(lws_get_vhost_by_name(net->context, "default"),
                                     LWS_ADOPT_SOCKET |
                                         (net->config->cert != NULL ? LWS_ADOPT_ALLOW_SSL : 0),
                                     file, "fathom", NULL);
    if (net->accepted == NULL) {
        srv_quota_release(&asker);
        return;
    }
    net->accepted->proxied = asker.proxied;
    net->accepted->has_quota = asker.has_quota;
    net->accepted->quota = asker.quota;
}

static void on_acceptable(struct ev_loop *loop, struct ev_io *w, int events)
{
    struct net *net = w->data;
    (void)loop, (void)events;
    for (unsigned i = 0; i < ACCEPT_AT_ONCE; i++) {
        struct sockaddr_storage from;
        socklen_t n = sizeof from;
        const int fd = accept(w->fd, (struct sockaddr *)&from, &n);
        if (fd >= 0) {
            (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
            srv_address_of(&net->accepting, (const struct sockaddr *)&from);
            adopt(net, fd);
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            return;
        } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            pause_accepting(net, errno);
            return;
        } /* otherwise the client has gone already */
    }
}

/* ---- beginning and end ------------------------------------------------------------------------ */

enum fm_err srv_listen(struct net *net, int *port, struct fm_fault *fault)
{
    net->listener = srv_listen_socket(net->config, &net->socket, fault);
    if (net->listener < 0)
        return fault->code;
    *port = srv_unix_path(net->config) != NULL ? 0 : srv_listen_port(net->listener);
    srv_counts_init(&net->quotas);
    ev_io_init(&net->acceptable, on_acceptable, net->listener, EV_READ);
    ev_timer_init(&net->accept_again, on_accept_again, 0, ACCEPT_PAUSE_S);
    net->acceptable.data = net->accept_again.data = net;
    ev_io_start(net->loop, &net->acceptable);
    return FM_OK;
}

void srv_listen_end(struct net *net)
{
    if (net->listener < 0)
        return;
    ev_io_stop(net->loop, &net->acceptable);
    ev_timer_stop(net->loop, &net->accept_again);
    srv_listen_close(net->config, net->listener, &net->socket);
    net->listener = -1;
}
