/*
 * rates.h: rate limits, by leaky buckets. The buckets of addresses are a hash table of fixed size:
 * addresses that fall into the same bucket share it, which moderate clients never notice.
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

/* Takes cost from the bucket if it fits; it leaks `rate` per second and holds `burst`. */
bool srv_bucket_take(struct srv_bucket *b, double rate, double burst, double cost, uint64_t now_ms);

struct srv_rates {
    uint8_t key[16]; /* of the hash: nobody chooses who shares a bucket */
    double rate, burst;
    struct srv_bucket bucket[SRV_RATES];
};

void srv_rates_init(struct srv_rates *r, double rate, double burst);
/* 0: the request is allowed and counted; otherwise the seconds to wait before it will be, if
 * nothing else is asked meanwhile. */
unsigned srv_rates_take(struct srv_rates *r, const struct srv_address *address, double cost,
                        uint64_t now_ms);
/* A request turned out to cost more. */
void srv_rates_charge(struct srv_rates *r, const struct srv_address *address, double cost,
                      uint64_t now_ms);

#endif
