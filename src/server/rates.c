/* rates.c: leaky buckets. */
#include "server/rates.h"

#include <sodium.h>
#include <string.h>

#define WAIT_MAX 60 /* most seconds of a Retry-After */

_Static_assert(crypto_shorthash_KEYBYTES == 16, "a key fits");

static void leak(struct srv_bucket *b, double rate, uint64_t now_ms)
{
    if (now_ms > b->at_ms) {
        b->used -= rate * (double)(now_ms - b->at_ms) / 1000;
        b->at_ms = now_ms;
    }
    if (b->used < 0)
        b->used = 0;
}

bool srv_bucket_take(struct srv_bucket *b, double rate, double burst, double cost, uint64_t now_ms)
{
    leak(b, rate, now_ms);
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

static struct srv_bucket *bucket_of(struct srv_rates *r, const struct srv_address *address)
{
    uint64_t hash;
    crypto_shorthash((uint8_t *)&hash, address->bytes, sizeof address->bytes, r->key);
    return &r->bucket[hash % SRV_RATES];
}

unsigned srv_rates_take(struct srv_rates *r, const struct srv_address *address, double cost,
                        uint64_t now_ms)
{
    struct srv_bucket *b = bucket_of(r, address);
    if (srv_bucket_take(b, r->rate, r->burst, cost, now_ms))
        return 0;
    const double seconds = (b->used + cost - r->burst) / r->rate;
    return seconds < WAIT_MAX ? 1 + (unsigned)seconds : WAIT_MAX;
}

void srv_rates_charge(struct srv_rates *r, const struct srv_address *address, double cost,
                      uint64_t now_ms)
{
    struct srv_bucket *b = bucket_of(r, address);
    leak(b, r->rate, now_ms);
    b->used = b->used + cost < r->burst ? b->used + cost : r->burst;
}
