/*
 * clock.h: the server's time, in milliseconds since 1970, which never jumps.
 *
 * It starts as the calendar and then runs as steadily as the machine does (CLOCK_BOOTTIME, which
 * also counts while the machine sleeps). Where the calendar says something else, the server's time
 * runs half a percent faster or slower until both agree: a lasting difference is made up slowly,
 * and a jump of the calendar causes none here. All limits, pauses, timeouts and deadlines are
 * measured with it; it resembles the calendar only because deadlines are stored and outlive the
 * process.
 */
#ifndef SERVER_CLOCK_H
#define SERVER_CLOCK_H

#include <stdint.h>

#define SRV_CLOCK_SLEW 200 /* it runs faster or slower by one part in so many */

struct srv_clock { /* in nanoseconds */
    uint64_t steady, time;
};

void srv_clock_start(struct srv_clock *c, uint64_t calendar, uint64_t steady);
/* The time in nanoseconds; never goes back. */
uint64_t srv_clock_read(struct srv_clock *c, uint64_t calendar, uint64_t steady);

/* Sets the function that reads the calendar, in nanoseconds, and starts the time anew from it;
 * NULL: this machine's clock. Nodes that share a store use the store's. */
void srv_time_by(uint64_t (*calendar)(void *arg), void *arg);
/* The time now, in milliseconds. Only for the loop's thread. */
uint64_t srv_time_ms(void);
/* By how much the calendar is ahead of it, in milliseconds; negative: behind. */
int64_t srv_time_off_ms(void);

#endif
