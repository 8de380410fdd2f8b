/* seeded.c: fixed chance for the servers of the browser tests: preloaded, it stands in for
 * libsodium's randombytes_buf. The program itself has no way to choose its chance. */
#include <stdint.h>
#include <string.h>

#include <sodium.h>

/* One sequence per length: pings and keys, whose number depends on time, do not shift the seeds of
 * tables. */
#define LENGTHS 65

void randombytes_buf(void *const bytes, const size_t n)
{
    static uint64_t drawn[LENGTHS];
    uint8_t seed[randombytes_SEEDBYTES] = {0};
    const size_t length = n < LENGTHS ? n : LENGTHS - 1;
    const uint64_t count = __atomic_fetch_add(&drawn[length], 1, __ATOMIC_RELAXED);
    memcpy(seed, &count, sizeof count);
    seed[sizeof count] = (uint8_t)length;
    randombytes_buf_deterministic(bytes, n, seed);
}
