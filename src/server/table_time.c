/* table_time.c: the time of a table: when an event happens, when the clock is due, and what follows
 * from jumps of the calendar. */
#include "server/table_internal.h"

#define DAY_MS     INT64_C(86400000)
#define LONGEST_MS (20 * DAY_MS) /* longest time without an event: times have 31 bits */

/* ---- when an event happens ------------------------------------------------------------------- */

uint32_t srv_last_ms(const struct srv_table *t)
{
    const struct fm_secret *secret = (const void *)(t->match + t->setup.game->secret_off);
    return secret->now_ms;
}

static uint64_t time_at(const struct srv_table *t, uint64_t now_ms)
{
    return (uint64_t)((int64_t)now_ms + t->shift_ms);
}

/* Milliseconds since the start, never before the last event (which matters only if the calendar
 * went back over a restart and the last event is secret). Whatever the credits, times stay in
 * order, since a deadline is never before the event that set it. */
uint32_t srv_match_time(const struct srv_table *t, uint64_t now_ms, uint32_t credit_ms)
{
    const uint64_t now = time_at(t, now_ms);
    const uint64_t since = now > t->start_ms ? now - t->start_ms : 0;
    const uint32_t deadline = pub_of(t->match)->deadline_ms;
    const uint32_t credit = credit_ms < SRV_CREDIT_MS ? credit_ms : SRV_CREDIT_MS;
    uint64_t at = since < INT32_MAX ? since : INT32_MAX;
    if (at > deadline && (at - deadline <= credit || srv_clock_stopped(&t->tally)))
        at = deadline;
    return at > srv_last_ms(t) ? (uint32_t)at : srv_last_ms(t);
}

/* ---- the deadline ---------------------------------------------------------------------------- */

uint64_t srv_deadline_after(const void *match, const struct srv_tally *tally, uint64_t start_ms)
{
    const struct fm_pub *pub = pub_of(match);
    return pub->status == FM_OVER || pub->deadline_ms == FM_NEVER || srv_clock_stopped(tally)
               ? 0
               : start_ms + pub->deadline_ms;
}

uint64_t srv_table_deadline(const struct srv_table *t)
{
    const uint64_t deadline =
        t->state == ST_PLAYING ? srv_deadline_after(t->match, &t->tally, t->start_ms) : 0;
    return deadline != 0 ? (uint64_t)((int64_t)deadline - t->shift_ms) : 0;
}

/* ---- jumps of the calendar ------------------------------------------------------------------- */

/* The earliest and latest possible time at a table in play. Secret events do not count: the clock,
 * which everybody sees, would reveal them. */
static void bounds_of_time(const struct srv_table *t, uint64_t *first, uint64_t *last)
{
    const uint64_t deadline = srv_deadline_after(t->match, &t->tally, t->start_ms);
    *first = t->start_ms + pub_of(t->match)->now_ms;
    *last = deadline != 0 ? deadline : t->start_ms + (uint64_t)LONGEST_MS;
    *last = *last > *first ? *last : *first;
}

void srv_table_resume(struct srv_table *t, uint64_t now_ms)
{
    uint64_t first, last;
    t->shift_ms = 0;
    if (t->state != ST_PLAYING)
        return;
    bounds_of_time(t, &first, &last);
    const uint64_t time = now_ms < first ? first : now_ms > last ? last : now_ms;
    t->shift_ms = (int64_t)time - (int64_t)now_ms;
}

void srv_table_sync_time(struct srv_table *t, uint64_t now_ms)
{
    uint64_t first, last;
    if (t->state != ST_PLAYING)
        return;
    bounds_of_time(t, &first, &last);
    const uint64_t time = time_at(t, now_ms);
    if (time < first || time > last)
        t->shift_ms = (int64_t)first - (int64_t)now_ms;
}
