/* clock.c: the server's time: steady, and close to the calendar. */
#include "server/clock.h"

#include <stdbool.h>
#include <time.h>

#define SECOND      1000000000ull
#define MILLISECOND 1000000

void srv_clock_start(struct srv_clock *c, uint64_t calendar, uint64_t steady)
{
    *c = (struct srv_clock){.steady = steady, .time = calendar};
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t srv_clock_read(struct srv_clock *c, uint64_t calendar, uint64_t steady)
{
    const uint64_t passed = steady > c->steady ? steady - c->steady : 0;
    c->steady += passed;
    c->time += passed;
    if (calendar > c->time)
        c->time += least(calendar - c->time, passed / SRV_CLOCK_SLEW);
    else
        c->time -= least(c->time - calendar, passed / SRV_CLOCK_SLEW);
    return c->time;
}

/* ---- the system's clocks --------------------------------------------------------------------- */

static uint64_t system_time(clockid_t id)
{
    struct timespec t;
    if (clock_gettime(id, &t) != 0 || t.tv_sec < 0)
        return 0;
    return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

static struct srv_clock own_time;
static bool started;
static uint64_t (*calendar_of)(void *arg);
static void *calendar_arg;

static uint64_t calendar_now(void)
{
    return calendar_of != NULL ? calendar_of(calendar_arg) : system_time(CLOCK_REALTIME);
}

void srv_time_by(uint64_t (*calendar)(void *arg), void *arg)
{
    calendar_of = calendar;
    calendar_arg = arg;
    started = false;
}

uint64_t srv_time_ms(void)
{
    const uint64_t steady = system_time(CLOCK_BOOTTIME);
    if (!started)
        srv_clock_start(&own_time, calendar_now(), steady);
    started = true;
    return srv_clock_read(&own_time, calendar_now(), steady) / MILLISECOND;
}

int64_t srv_time_off_ms(void)
{
    const int64_t now = (int64_t)srv_time_ms();
    return (int64_t)(calendar_now() / MILLISECOND) - now;
}
