/* rates.c: leaky buckets. */
#include "server/rates.h"

#include <sodium.h>
#include <string.h>

_Static_assert(crypto_shorthash_KEYBYTES == 16, "a key fits");

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
    const size_t i = hash % SRV_RATES;
    if (now_ms > r->bucket[i].at_ms) {
        r->bucket[i].used -= r->rate * (double)(now_ms - r->bucket[i].at_ms) / 1000;
        r->bucket[i].at_ms = now_ms;
    }
    if (r->bucket[i].used < 0)
        r->bucket[i].used = 0;
    if (r->bucket[i].used + cost > r->burst)
        return false;
    r->bucket[i].used += cost;
    return true;
}
