/*
 * echo.c: a yardstick for servers on libwebsockets and libev: it sends back what it is sent, at
 * once, and does nothing else. What it cannot do on a machine nobody can.
 */
#include <ev.h>
#include <libwebsockets.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#define LONGEST 1024

static int callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t n)
{
    static uint8_t text[LWS_PRE + LONGEST];
    (void)user;
    if (reason != LWS_CALLBACK_RECEIVE)
        return 0;
    if (n > LONGEST)
        return -1;
    memcpy(text + LWS_PRE, in, n);
    return lws_write(wsi, text + LWS_PRE, n, LWS_WRITE_TEXT) < (int)n ? -1 : 0;
}

static const struct lws_protocols protocols[] = {
    {"echo", callback, 0, 4096, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

static void on_signal(struct ev_loop *loop, struct ev_signal *w, int events)
{
    (void)w, (void)events;
    ev_break(loop, EVBREAK_ALL);
}

int main(void)
{
    static const lws_retry_bo_t no_pings = {.secs_since_valid_hangup = 0};
    struct ev_loop *loop = ev_loop_new(EVFLAG_AUTO);
    struct ev_signal term;
    void *loops[1] = {loop};
    struct lws_context_creation_info info;
    memset(&info, 0, sizeof info);
    info.iface = "127.0.0.1";
    info.protocols = protocols;
    info.foreign_loops = loops;
    info.retry_and_idle_policy = &no_pings;
    info.options = LWS_SERVER_OPTION_LIBEV | LWS_SERVER_OPTION_DISABLE_IPV6;
    lws_set_log_level(LLL_ERR, NULL);
    struct lws_context *context = lws_create_context(&info);
    if (context == NULL) {
        fprintf(stderr, "bench_echo: cannot listen\n");
        return 1;
    }
    ev_signal_init(&term, on_signal, SIGTERM);
    ev_signal_start(loop, &term);
    printf("serving on 127.0.0.1:%d\n",
           lws_get_vhost_listen_port(lws_get_vhost_by_name(context, "default")));
    (void)fflush(stdout);
    ev_run(loop, 0);
    lws_context_destroy(context);
    ev_loop_destroy(loop);
    return 0;
}
