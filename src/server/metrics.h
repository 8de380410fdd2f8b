/* metrics.h: counters, gauges and histograms in the text format of Prometheus. */
#ifndef SERVER_METRICS_H
#define SERVER_METRICS_H

#include <fathom/out.h>

#include <stdint.h>

#define SRV_SLOTS 24

struct srv_histogram { /* of durations; zeroed at first */
    uint64_t sum_us;
    uint64_t count[SRV_SLOTS]; /* of 2^(i-1) to 2^i - 1 microseconds; the last: more */
};

void srv_histogram_add(struct srv_histogram *h, uint64_t us);
uint64_t srv_now_us(void); /* monotonic, for durations */

/* With their "# TYPE" lines. A label is {name="value"}. */
void srv_put_counter(struct fm_out *o, const char *name, uint64_t value);
void srv_put_gauge(struct fm_out *o, const char *name, uint64_t value);
void srv_put_type(struct fm_out *o, const char *name, const char *type);
void srv_put_labelled(struct fm_out *o, const char *name, const char *label, const char *text,
                      uint64_t value); /* after its srv_put_type */
void srv_put_histogram(struct fm_out *o, const char *name, const struct srv_histogram *h);

#endif
