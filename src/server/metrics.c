/* metrics.c: writes metrics in the text format of Prometheus. */
#include "server/metrics.h"

#include <stdio.h>
#include <time.h>

void srv_histogram_add(struct srv_histogram *h, uint64_t us)
{
    unsigned i = 0;
    while (i < SRV_SLOTS - 1 && us >> i != 0)
        i++;
    h->count[i]++;
    h->sum_us += us;
}

uint64_t srv_now_us(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static void put_value(struct fm_out *o, uint64_t value)
{
    fm_put(o, " ");
    fm_put_int(o, (int64_t)value);
    fm_put(o, "\n");
}

void srv_put_type(struct fm_out *o, const char *name, const char *type)
{
    fm_put(o, "# TYPE ");
    fm_put(o, name);
    fm_put(o, " ");
    fm_put(o, type);
    fm_put(o, "\n");
}

void srv_put_counter(struct fm_out *o, const char *name, uint64_t value)
{
    srv_put_type(o, name, "counter");
    fm_put(o, name);
    put_value(o, value);
}

void srv_put_gauge(struct fm_out *o, const char *name, uint64_t value)
{
    srv_put_type(o, name, "gauge");
    fm_put(o, name);
    put_value(o, value);
}

void srv_put_labelled(struct fm_out *o, const char *name, const char *label, const char *text,
                      uint64_t value)
{
    fm_put(o, name);
    fm_put(o, "{");
    fm_put(o, label);
    fm_put(o, "=\"");
    fm_put(o, text);
    fm_put(o, "\"}");
    put_value(o, value);
}

void srv_put_histogram(struct fm_out *o, const char *name, const struct srv_histogram *h)
{
    char bucket[96], text[96];
    uint64_t sum = 0;
    srv_put_type(o, name, "histogram");
    (void)snprintf(bucket, sizeof bucket, "%s_bucket", name);
    for (unsigned i = 0; i < SRV_SLOTS; i++) {
        sum += h->count[i];
        (void)snprintf(text, sizeof text, "%g", (double)(1ull << i) / 1e6);
        srv_put_labelled(o, bucket, "le", i < SRV_SLOTS - 1 ? text : "+Inf", sum);
    }
    (void)snprintf(text, sizeof text, "%s_sum %.6f\n%s_count", name, (double)h->sum_us / 1e6, name);
    fm_put(o, text);
    put_value(o, sum);
}
