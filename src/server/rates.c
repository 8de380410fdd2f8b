/* rates.c: leaky buckets. */
#include "server/rates.h"

#include <sodium.h>
#include <string.h>

_Static_assert(crypto_shorthash_KEYBYTES == 16, "a key fits");

bool srv_bucket_take(struct srv_bucket *b, double rate, double burst, double cost, uint64_t now_ms)
{
    if (now_ms > b->at_ms) {
        b->used -= rate * (double)(now_ms - b->at_ms) / 1000;
        b->at_ms = now_ms;
    }
    if (b->used < 0)
        b->used = 0;
    if (b->used + cost > burst)
        return false;
    b->used += cost;
    return true;
}

void srv_rates_init(struct srv_rates *r, double rate, double burst)
{
    memset(r, 0, sizeof *r);
    r->rate = rate;
    r->burst = burst;
    randombytes_buf(r->key, sizeof r->key);
}

bool srv_rates_take(struct srv_rates *r, const char *address, double cost, uint64_t now_ms)
{
    uint64_t hash;
    crypto_shorthash((uint8_t *)&hash, (const uint8_t *)address, strlen(address), r->key);
    return srv_bucket_take(&r->bucket[hash % SRV_RATES], r->rate, r->burst, cost, now_ms);
}
