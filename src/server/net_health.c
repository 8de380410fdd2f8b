/* net_health.c: GET /healthz, and what the log says of the store's health. */
#include "server/net_state.h"

#include "base/panic.h"

#define SILENT_MS 5000  /* without an answer for so long, a store counts as silent */
#define GONE_MS   30000 /* after so long, a proxy should send people to another node */

enum health { HEALTH_OK, HEALTH_FAILING, HEALTH_SILENT };

static const char *const names[] = {"ok", "failing", "silent"};

/* How long somebody has waited for the store. */
static uint64_t waited_ms(const struct st_stats *st)
{
    const uint64_t oldest = st->oldest_us / 1000;
    return oldest > st->silent_ms ? oldest : st->silent_ms;
}

static enum health health_of(const struct st_stats *st)
{
    return waited_ms(st) >= SILENT_MS ? HEALTH_SILENT : st->failing ? HEALTH_FAILING : HEALTH_OK;
}

/*
 * A store that fails or is silent for a moment is no reason to send everybody away: other nodes
 * have the same database, and what is in memory is still served. Details are only for this machine,
 * like metrics: they could show that a rival's write is waiting.
 */
void srv_health_answer(struct session *s)
{
    const struct st_stats st = st_stats(s->net->store);
    const bool ok = waited_ms(&st) < GONE_MS;
    char text[256];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key(&o, "ok");
    fm_js_bool(&o, ok);
    if (s->is_local) {
        fm_js_key(&o, "store");
        fm_js_object(&o);
        fm_js_key_word(&o, "kind", st_kind(s->net->store));
        fm_js_key_word(&o, "state", names[health_of(&st)]);
        fm_js_key_int(&o, "waiting", (int64_t)st.waiting);
        fm_js_key_int(&o, "oldest_ms", (int64_t)(st.oldest_us / 1000));
        fm_js_key_int(&o, "silent_ms", (int64_t)st.silent_ms);
        fm_js_end_object(&o);
    }
    fm_js_end_object(&o);
    fm_assert(fm_out_ok(&o));
    srv_http_answer(NULL, &s->call, ok ? 200 : 503, text, o.len);
}

void srv_health_watch(struct net *net)
{
    const struct st_stats st = st_stats(net->store);
    const enum health now = health_of(&st), before = (enum health)net->health;
    struct srv_line l;
    net->health = (int)now;
    if (now == before)
        return;
    srv_log_begin(&l, now == HEALTH_OK ? SRV_INFO : SRV_ERROR, "store");
    srv_log_text(&l, "kind", st_kind(net->store));
    srv_log_text(&l, "state", names[now]);
    srv_log_int(&l, "waiting", (int64_t)st.waiting);
    srv_log_int(&l, "waited_ms", (int64_t)waited_ms(&st));
    if (now == HEALTH_SILENT)
        srv_log_end(&l, "the store has not answered for %llu s; %zu writes wait",
                    (unsigned long long)waited_ms(&st) / 1000, st.waiting);
    else if (now == HEALTH_FAILING)
        srv_log_end(&l, "the store refuses to write: %s", st.failure);
    else
        srv_log_end(&l, "the store works again");
}
