/* hall_clock.c: the clocks of tables, and the round-trip times of the players. */
#include "server/hall_state.h"

#define MEASURE_MS 2000 /* between two measurements of a round trip */

uint32_t srv_credit(const struct srv_stream *stream)
{
    return stream->rtt_ms < SRV_CREDIT_MS ? stream->rtt_ms : SRV_CREDIT_MS;
}

/* Measures the round-trip times of the seats that may act, and returns the longest credit. Which
 * seats may act is public, so the moment at which the clock acts reveals no secret. */
static uint32_t measure_round_trips(struct srv_hall *h, struct srv_slot *slot)
{
    const struct fm_pub *pub = (const void *)slot->table.match;
    uint32_t longest = 0;
    for (struct srv_stream *stream = slot->streams; stream != NULL; stream = stream->next) {
        if (stream->seat < 0 || !(pub->may >> stream->seat & 1))
            continue;
        if (stream->pinged_ms == 0 || h->now_ms >= stream->pinged_ms + MEASURE_MS) {
            stream->pinged_ms = h->now_ms;
            h->net.ping(h->net.arg, stream);
        }
        longest = srv_credit(stream) > longest ? srv_credit(stream) : longest;
    }
    /* round trips to other nodes are unknown here: wait for the full credit */
    return srv_peers_seats(h, slot) & pub->may ? SRV_CREDIT_MS : longest;
}

/* The clock acts when no action that was sent in time can still be on its way. Actions that have
 * already arrived are ahead of it in the queue. */
static void check_clock(struct srv_hall *h, struct srv_slot *slot)
{
    const uint64_t deadline = srv_table_deadline(&slot->table);
    if (deadline == 0 || h->now_ms < deadline + measure_round_trips(h, slot) || slot->clock_waits ||
        !srv_keeps(h, slot))
        return;
    struct srv_request *req = srv_request_new(h, slot, SRV_REQUEST_CLOCK, NULL);
    if (req == NULL)
        return;
    slot->clock_waits = true;
    srv_request_queue(req);
}

void srv_hall_tick(struct srv_hall *h, uint64_t now_ms)
{
    srv_hall_enter(h, now_ms);
    srv_oceans_tick(h->oceans, now_ms);
    srv_memory_tick(h);
    srv_peers_tick(h);
    srv_notes_tick(h);
    for (size_t i = 0; i < SRV_BUCKETS; i++)
        for (struct srv_slot *slot = h->bucket[i]; slot != NULL; slot = slot->next) {
            srv_send_due(h, slot);
            if (slot->table.state != ST_PLAYING) /* most tables in memory are not being played */
                continue;
            check_clock(h, slot);
            srv_bots_tick(h, slot);
            if (slot->in_flight == NULL &&
                slot->n_waiting == 0) /* a bot whose action was refused chooses again */
                srv_bots_ask(h, slot);
        }
}
