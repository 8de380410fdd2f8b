/* net_metrics.c: GET /metrics. */
#include "server/net_state.h"

#include "base/panic.h"

#include <stdio.h>
#include <string.h>

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

void srv_metrics_answer(struct session *s)
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
    srv_put_histogram(&o, "fathom_broadcast_seconds", &h.delivery);
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
    srv_http_answer(NULL, &s->call, 200, text, o.len);
}
