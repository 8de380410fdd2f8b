/* hall_time.c: clocks of tables, and ways to them. */
#include "server/hall_state.h"

#define MEASURE_MS 2000 /* between two measurements of a way */

uint32_t srv_credit(const struct srv_live *l)
{
    return l->lag_ms < SRV_CREDIT_MS ? l->lag_ms : SRV_CREDIT_MS;
}

/* Where a clock ticks, the ways of those who may be pressed for time are measured. Returns the
 * longest, as far as it counts. Who may act is public: nobody's secret shows in when the clock
 * speaks. */
static uint32_t measure_ways(struct srv_hall *h, struct srv_place *p)
{
    const struct fm_pub *pub = (const void *)p->table.match;
    uint32_t longest = 0;
    for (struct srv_live *l = p->lives; l != NULL; l = l->next) {
        if (l->seat < 0 || !(pub->may >> l->seat & 1))
            continue;
        if (l->asked_ms == 0 || h->now_ms >= l->asked_ms + MEASURE_MS) {
            l->asked_ms = h->now_ms;
            h->net.ping(h->net.arg, l);
        }
        longest = srv_credit(l) > longest ? srv_credit(l) : longest;
    }
    /* ways to peers are not known here: all of the credit is waited for */
    return srv_peers_seats(h, p) & pub->may ? SRV_CREDIT_MS : longest;
}

/* The clock speaks when nobody's word can be on its way any more that was said in time. What came
 * before is in line before it. */
static void check_clock(struct srv_hall *h, struct srv_place *p)
{
    const uint64_t deadline = srv_table_deadline(&p->table);
    if (deadline == 0 || h->now_ms < deadline + measure_ways(h, p) || p->clock_waits ||
        !srv_keeps(h, p))
        return;
    struct srv_wish *w = srv_wish_new(h, p, SRV_WANTS_CLOCK, NULL);
    if (w == NULL)
        return;
    p->clock_waits = true;
    srv_wish_queue(w);
}

void srv_hall_tick(struct srv_hall *h, uint64_t now_ms)
{
    srv_hall_enter(h, now_ms);
    srv_oceans_tick(h->oceans, now_ms);
    srv_memory_tick(h);
    srv_peers_tick(h);
    srv_notes_tick(h);
    for (size_t i = 0; i < SRV_BUCKETS; i++)
        for (struct srv_place *p = h->bucket[i]; p != NULL; p = p->next) {
            srv_say_due(h, p);
            if (p->table.state != ST_PLAYING) /* most: they stay in memory for a while */
                continue;
            check_clock(h, p);
            srv_bots_tick(h, p);
            if (p->flight == NULL && p->n_waiting == 0) /* one that was refused thinks again */
                srv_bots_ask(h, p);
        }
}
