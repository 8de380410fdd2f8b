/*
 * rates.h: how often somebody may ask: leaky buckets. Addresses have theirs in a table of fixed
 * size: those that share one by their hash share its drops, and whoever asks moderately never
 * notices.
 */
#ifndef SERVER_RATES_H
#define SERVER_RATES_H

#include "server/address.h"

#include <stdbool.h>
#include <stdint.h>

#define SRV_RATES 4096

struct srv_bucket { /* zeroed: empty */
    double used;
    uint64_t at_ms;
};

/* Is there room for so much, now? It leaks `rate` in a second and holds `burst`. */
bool srv_bucket_take(struct srv_bucket *b, double rate, double burst, double cost, uint64_t now_ms);

struct srv_rates {
    uint8_t key[16]; /* of the hash: nobody chooses who shares a bucket */
    double rate, burst;
    struct srv_bucket bucket[SRV_RATES];
};

void srv_rates_init(struct srv_rates *r, double rate, double burst);
/* May this address ask for something that costs so much, now? 0: it may, and it is counted;
 * otherwise the seconds after which it may, if it asks for nothing else meanwhile. */
unsigned srv_rates_take(struct srv_rates *r, const struct srv_address *address, double cost,
                        uint64_t now_ms);
/* What it asked for turned out to cost so much more. */
void srv_rates_charge(struct srv_rates *r, const struct srv_address *address, double cost,
                      uint64_t now_ms);

#endif
