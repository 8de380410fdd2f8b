/* net.c: the event loop: libwebsockets on libev, with the hall, its ticks and its store. */
#include "server/net_state.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TICK_S   .05
#define CHECK_MS 1000 /* how often connections are checked for timeouts */
#define JUMP_MS  5000 /* a jump of the calendar that is logged */

static void wake(void *arg)
{
    struct net *net = arg;
    ev_async_send(net->loop, &net->wake);
}

/* ---- libwebsockets --------------------------------------------------------------------------- */

static int callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t n)
{
    struct session *s = user;
    switch (reason) {
    case LWS_CALLBACK_RAW_ADOPT:
        return srv_connection_begin(wsi, s);
    case LWS_CALLBACK_RAW_RX:
        return srv_connection_first(s, in, n);
    case LWS_CALLBACK_RAW_WRITEABLE:
        return srv_connection_write(s);
    case LWS_CALLBACK_RAW_CLOSE:
        if (s != NULL)
            srv_connection_end(s);
        return 0;
    case LWS_CALLBACK_WSI_CREATE:
        net_of(wsi)->connections++;
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        net_of(wsi)->connections--;
        return 0;
    default:
        return 0;
    }
}

static const struct lws_protocols protocols[] = {
    {"fathom", callback, sizeof(struct session), 4096, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

/* Logs the errors of libwebsockets in our own form. */
static void complain(int level, const char *line)
{
    (void)level;
    struct srv_line l;
    srv_log_begin(&l, SRV_WARNING, "libwebsockets");
    srv_log_end(&l, "libwebsockets: %.*s", (int)strcspn(line, "\n"), line);
}

/* ---- the loop -------------------------------------------------------------------------------- */

static void on_wake(struct ev_loop *loop, struct ev_async *w, int events)
{
    struct net *net = w->data;
    (void)loop, (void)events;
    srv_hall_settle(net->hall, srv_time_ms());
}

static void on_before_wait(struct ev_loop *loop, struct ev_prepare *w, int events)
{
    struct net *net = w->data;
    (void)loop, (void)events;
    if (net->hall != NULL)
        srv_hall_turn(net->hall);
    srv_streams_flush(net);
}

/* Logs jumps of the calendar: see clock.h. */
static void watch_calendar(struct net *net)
{
    const int64_t off = srv_time_off_ms(), jump = off - net->calendar_off_ms;
    net->calendar_off_ms = off;
    if (jump < JUMP_MS && jump > -JUMP_MS)
        return;
    struct srv_line l;
    srv_log_begin(&l, SRV_WARNING, "calendar-jumped");
    srv_log_int(&l, "jump_ms", jump);
    srv_log_int(&l, "off_ms", off);
    srv_log_end(&l,
                "the calendar jumped by %+.1f s; it is %+.1f s from the server's time, which "
                "follows it by %d ms in a second",
                (double)jump / 1000, (double)off / 1000, 1000 / SRV_CLOCK_SLEW);
}

/* Called by the loop only, so that a watchdog restarts a server whose loop is stuck. */
static void say_alive(struct net *net, uint64_t now)
{
    const struct srv_config *c = net->config;
    if (c->alive_ms == 0 || now < net->alive_ms + c->alive_ms)
        return;
    net->alive_ms = now;
    c->alive();
}

static void on_tick(struct ev_loop *loop, struct ev_timer *w, int events)
{
    struct net *net = w->data;
    const uint64_t now = srv_time_ms();
    (void)loop, (void)events;
    if (!net->stopping) /* nobody would be told of what happens now */
        srv_hall_tick(net->hall, now);
    say_alive(net, now);
    if (now < net->checked_ms + CHECK_MS)
        return;
    net->checked_ms = now;
    watch_calendar(net);
    srv_health_watch(net);
    for (struct session *s = net->sessions, *next; s != NULL; s = next) {
        next = s->next;
        srv_connection_check(s, now);
    }
}

static void on_signal(struct ev_loop *loop, struct ev_signal *w, int events)
{
    struct net *net = w->data;
    (void)events;
    net->stopping = true;
    ev_break(loop, EVBREAK_ALL);
}

/* Finishes what was begun, and asks all streams to reconnect. */
static void say_goodbye(struct net *net)
{
    srv_listen_end(net);
    st_release(net->store);
    for (int i = 0; i < 4; i++) { /* queued requests are stored one after the other */
        srv_hall_stop(net->hall);
        st_drain(net->store);
        srv_hall_settle(net->hall, srv_time_ms());
    }
    for (struct session *s = net->sessions, *next; s != NULL; s = next) {
        next = s->next;
        if (s->is_stream)
            srv_stream_ask_reconnect(NULL, &s->stream);
        else if (s->step != NET_ANSWER)
            srv_connection_cut(s);
        else
            s->keep = false;
    }
    const uint64_t until = srv_time_ms() + 1000;
    while (net->sessions != NULL && srv_time_ms() < until)
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

static void fit_connections(struct net *net)
{
    const unsigned wanted = net->config->connections;
    uint64_t files;
    struct srv_line l;
    net->most = srv_fit_connections(wanted, &files);
    if (net->most == wanted)
        return;
    srv_log_begin(&l, SRV_WARNING, "connections-limited");
    srv_log_int(&l, "connections", net->most);
    srv_log_int(&l, "wanted", wanted);
    srv_log_int(&l, "files", (int64_t)files);
    srv_log_end(&l, SRV_FEW_SAY, net->most, wanted, (unsigned long long)files);
}

/* libwebsockets does not listen: it adopts our connections, see decision 34. */
static enum fm_err create_context(struct net *net, struct fm_fault *fault)
{
    static const lws_retry_bo_t no_pings = {.secs_since_valid_hangup =
                                                0}; /* see srv_stream_check */
    const struct srv_config *config = net->config;
    struct lws_context_creation_info info;
    void *loops[1] = {net->loop};
    lws_set_log_level(LLL_ERR, complain);
    memset(&info, 0, sizeof info);
    info.port = CONTEXT_PORT_NO_LISTEN_SERVER;
    info.protocols = protocols;
    info.user = net;
    info.foreign_loops = loops;
    info.timeout_secs = 15;
    info.retry_and_idle_policy = &no_pings;
    info.options = LWS_SERVER_OPTION_LIBEV;
    if (config->cert != NULL) {
        info.ssl_cert_filepath = config->cert;
        info.ssl_private_key_filepath = config->key;
        info.alpn = "http/1.1";
        info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
    }
    net->context = lws_create_context(&info);
    if (net->context == NULL)
        return fm_fail(fault, FM_E_FILE, "cannot listen on %s, port %u%s", config->host,
                       config->port,
                       config->cert != NULL ? ": the certificate cannot be used" : "");
    return FM_OK;
}

/* Puts our address into the refusal that a second server on the same store gets. */
static void say_where(struct net *net, const struct srv_config *config, int port)
{
    char who[128];
    if (srv_unix_path(config) != NULL)
        (void)snprintf(who, sizeof who, "serving on %.96s", config->host);
    else
        (void)snprintf(who, sizeof who, "serving on %.64s, port %d", config->host, port);
    st_describe(net->store, who);
}

static uint64_t calendar_of_store(void *store)
{
    return st_calendar_ns(store);
}

/* For bots: one processor is left to the loop. */
static unsigned spare_processors(void)
{
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 2 ? (unsigned)n - 1 : 1;
}

/* At least two: one can draw while the other bakes. */
static unsigned usual_painters(void)
{
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 4 ? 2 : n / 2 < SRV_PAINTERS ? (unsigned)n / 2 : SRV_PAINTERS;
}

static struct srv_limits limits_of(const struct srv_config *config)
{
    return (struct srv_limits){.tables = config->tables,
                               .waiting = 64,
                               .bot_ms = config->bot_ms,
                               .think_ms = config->think_ms,
                               .thinkers =
                                   config->thinkers > 0 ? config->thinkers : spare_processors(),
                               .idle_ms = 60000,
                               .secret_ms = config->secret_ms,
                               .analysis_nice = config->analysis_nice,
                               .messages = config->messages,
                               .burst = config->burst,
                               .notes_ms = 1000,
                               .keep = &config->keep};
}

/* Everything that can fail; `finish` undoes what was begun. */
static enum fm_err start(struct net *net, int *port, struct fm_fault *fault)
{
    const struct srv_config *config = net->config;
    const struct srv_net ops = {.arg = net,
                                .send = srv_stream_send,
                                .flush = srv_streams_flush,
                                .answer = srv_http_answer,
                                .ping = srv_stream_ping,
                                .misunderstood = srv_stream_misunderstood,
                                .ask_reconnect = srv_stream_ask_reconnect,
                                .wake = wake};
    const struct srv_limits limits = limits_of(config);
    if ((net->loop = ev_loop_new(EVFLAG_AUTO)) == NULL)
        return fm_fail_plain(fault, FM_E_MEMORY);
    watch(net);
    srv_rates_init(&net->rates, config->rate, 4.0 * config->rate);
    if ((net->files = srv_files_load(config->data, fault)) == NULL)
        return fault->code;
    if (config->record != NULL && srv_files_put(net->files, "/opened.jsonl", config->record,
                                                config->record_n, fault) != FM_OK)
        return fault->code;
    if ((net->store = st_open_alone(config->store, "which is starting", fault)) == NULL)
        return fault->code;
    srv_time_by(calendar_of_store, net->store);
    net->oceans =
        srv_oceans_create(&ops, config->painters > 0 ? config->painters : usual_painters(), fault);
    if (net->oceans == NULL)
        return fault->code;
    net->hall = srv_hall_create(net->store, net->oceans, config->library, &ops, &limits,
                                srv_time_ms(), fault);
    fit_connections(net);
    if (net->hall == NULL || create_context(net, fault) != FM_OK)
        return fault->code;
    return srv_listen(net, port, fault);
}

static void finish(struct net *net)
{
    srv_listen_end(net);
    if (net->context != NULL)
        lws_context_destroy(net->context);
    if (net->store != NULL)
        st_drain(net->store);
    srv_hall_destroy(net->hall);
    srv_oceans_destroy(net->oceans);
    srv_time_by(NULL, NULL);
    st_close(net->store);
    srv_files_free(net->files);
    while (net->n_spare > 0)
        free(net->spare[--net->n_spare]);
    if (net->loop != NULL)
        ev_loop_destroy(net->loop);
}

enum fm_err srv_serve(const struct srv_config *config,
                      void (*ready)(const struct srv_config *config, int port),
                      struct fm_fault *fault)
{
    struct net net = {.config = config, .listener = -1};
    int port = 0;
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN); /* the write fails instead */
    const enum fm_err err = start(&net, &port, fault);
    if (err == FM_OK) {
        say_where(&net, config, port);
        ready(config, port);
        while (!net.stopping)
            ev_run(net.loop, 0);
        say_goodbye(&net);
    }
    finish(&net);
    return err;
}
