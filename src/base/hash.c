/* hash.c: BLAKE2b with domains. */
#include "base/hash.h"

#include "base/panic.h"

#include <sodium.h>
#include <string.h>

int fm__hash_start(void)
{
    return sodium_init() < 0 ? -1 : 0;
}

static void feed(crypto_generichash_state *st, const void *data, size_t n)
{
    const uint64_t length = n;
    fm_assert(crypto_generichash_update(st, (const unsigned char *)&length, sizeof length) == 0);
    fm_assert(crypto_generichash_update(st, data, n) == 0);
}

void fm__hash(uint8_t out[FM_HASH_BYTES], const char *domain, const struct fm_span *spans,
              size_t n_spans)
{
    crypto_generichash_state st;
    fm_assert(crypto_generichash_init(&st, NULL, 0, FM_HASH_BYTES) == 0);
    feed(&st, domain, strlen(domain));
    for (size_t i = 0; i < n_spans; i++)
        feed(&st, spans[i].data, spans[i].n);
    fm_assert(crypto_generichash_final(&st, out, FM_HASH_BYTES) == 0);
}
