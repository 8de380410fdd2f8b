/*
 * rates.h: how often an address may ask: a bucket for each, in a table of fixed size. Addresses
 * that share a bucket by their hash share its drops: whoever asks moderately never notices.
 */
#ifndef SERVER_RATES_H
#define SERVER_RATES_H

#include <stdbool.h>
#include <stdint.h>

#define SRV_RATES 4096

struct srv_rates {
    uint8_t key[16]; /* of the hash: nobody chooses who shares a bucket */
    double rate, burst;
    struct {
        double used;
        uint64_t at_ms;
    } bucket[SRV_RATES];
};

void srv_rates_init(struct srv_rates *r, double rate, double burst);
/* May this address ask for something that costs so much, now? */
bool srv_rates_take(struct srv_rates *r, const char *address, double cost, uint64_t now_ms);

#endif
