/* chance_test.c: hashes, and the generator of chance: its stream, even draws and shuffles. */
#include "tests.h"

#include "base/hash.h"

#include <fathom/rng.h>

#include <sodium.h>
#include <string.h>

/* ---- hashes ---------------------------------------------------------------------------------- */

static void hashes_know_their_domain_and_spans(void **state)
{
    (void)state;
    uint8_t a[32], b[32];
    fm__hash(a, "one", (const struct fm_span[]){{"ab", 2}, {"c", 1}}, 2);
    fm__hash(b, "one", (const struct fm_span[]){{"a", 1}, {"bc", 2}}, 2);
    assert_memory_not_equal(a, b, 32);
    fm__hash(b, "two", (const struct fm_span[]){{"ab", 2}, {"c", 1}}, 2);
    assert_memory_not_equal(a, b, 32);
}

static void hex_is_exact(void **state)
{
    (void)state;
    uint8_t bytes[2];
    assert_int_equal(fm__unhex(bytes, 2, "00fe"), 0);
    assert_int_equal(bytes[1], 0xfe);
    assert_int_equal(fm__unhex(bytes, 2, "00FE"), -1);
    assert_int_equal(fm__unhex(bytes, 2, "00f"), -1);
    assert_int_equal(fm__unhex(bytes, 2, "00fe0"), -1);
    assert_int_equal(fm__unhex(bytes, 2, "00 e"), -1);
}

/* ---- chance ---------------------------------------------------------------------------------- */

static void RFC8439_2_3_2_block(void **state)
{
    (void)state;
    uint32_t in[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}, out[FM_RNG_WORDS];
    static const uint32_t tail[4] = {1, 0x09000000, 0x4a000000, 0};
    static const uint32_t expected[16] = {
        0xe4e7f110, 0x15593bd1, 0x1fdd0f50, 0xc47120a3, 0xc7f4d1c7, 0x0368c033,
        0x9aaa2204, 0x4e6cd4c3, 0x466482d2, 0x09aa9f07, 0x05d7c214, 0xa2028bd9,
        0xd19c12b5, 0xb94e16de, 0xe883d0cb, 0x4e3c50a2,
    };
    for (uint32_t i = 0; i < 8; i++)
        in[4 + i] = 0x03020100 + 0x04040404 * i;
    memcpy(in + 12, tail, sizeof tail);
    fm_chacha20_blocks(in, out);
    assert_memory_equal(out, expected, sizeof expected);
}

static void RFC8439_A_1_zero_keys(void **state)
{
    (void)state;
    /* test vectors 1 and 2: all zero, block counter 0 and 1 */
    static const uint8_t first[2][16] = {
        {0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90, 0x40, 0x5d, 0x6a, 0xe5, 0x53, 0x86, 0xbd,
         0x28},
        {0x9f, 0x07, 0xe7, 0xbe, 0x55, 0x51, 0x38, 0x7a, 0x98, 0xba, 0x97, 0x7c, 0x73, 0x2d, 0x08,
         0x0d},
    };
    struct fm_rng rng;
    uint8_t stream[128];
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){0}, 0);
    fm_rng_bytes(&rng, stream, sizeof stream);
    assert_memory_equal(stream, first[0], 16);
    assert_memory_equal(stream + 64, first[1], 16);
}

static void generator_is_libsodiums_stream(void **state)
{
    (void)state;
    struct fm_rng rng, seeds;
    uint8_t seed[32], ours[1000], theirs[1000];
    fm_rng_init(&seeds, (const uint8_t[FM_SEED_BYTES]){9}, 0);
    for (uint64_t stream = 0; stream < 50; stream++) {
        fm_rng_bytes(&seeds, seed, sizeof seed);
        fm_rng_init(&rng, seed, stream << 30);
        fm_rng_bytes(&rng, ours, sizeof ours);
        const uint64_t nonce = stream << 30;
        crypto_stream_chacha20(theirs, sizeof theirs, (const uint8_t *)&nonce, seed);
        assert_memory_equal(ours, theirs, sizeof ours);
    }
}

/* Chi-square of counts that should be equal. */
static double unevenness(const unsigned *count, unsigned n, unsigned draws)
{
    double sum = 0;
    const double expected = (double)draws / n;
    for (unsigned i = 0; i < n; i++)
        sum += ((double)count[i] - expected) * ((double)count[i] - expected) / expected;
    return sum;
}

static void bounded_draws_are_even(void **state)
{
    (void)state;
    struct fm_rng rng;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){1, 2}, 3);
    for (unsigned n = 1; n <= 100; n += 11) {
        unsigned count[100] = {0};
        for (unsigned i = 0; i < 100000; i++)
            count[fm_rng_below(&rng, n)]++;
        /* far beyond the 99.99 % point for up to 99 degrees of freedom; the seed is fixed */
        assert_true(unevenness(count, n, 100000) < n + 40 + 2.0 * n / 3);
    }
    /* where a plain remainder would be far off: three halves of the range */
    unsigned low = 0;
    for (unsigned i = 0; i < 90000; i++)
        low += fm_rng_below(&rng, 0xc0000000u) < 0x40000000u;
    assert_in_range(low, 29000, 31000);
}

static void shuffles_are_even(void **state)
{
    (void)state;
    struct fm_rng rng;
    unsigned count[256] = {0}, orders[24], n = 0;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){5}, 0);
    for (unsigned i = 0; i < 48000; i++) {
        uint8_t items[4] = {0, 1, 2, 3};
        fm_shuffle(&rng, items, 4);
        count[items[0] << 6 | items[1] << 4 | items[2] << 2 | items[3]]++;
    }
    for (unsigned i = 0; i < 256; i++) {
        if (count[i] > 0) {
            assert_true(n < 24);
            orders[n++] = count[i];
        }
    }
    assert_int_equal(n, 24);
    assert_true(unevenness(orders, 24, 48000) < 60);
}

/* All 120 orders of five items, and every item everywhere among 60. */
static void small_shuffles_are_even(void **state)
{
    (void)state;
    struct fm_rng rng;
    static unsigned count[5 * 5 * 5 * 5], place[60][60];
    unsigned orders[120], n = 0;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){6}, 0);
    for (unsigned i = 0; i < 120000; i++) {
        uint8_t items[5] = {0, 1, 2, 3, 4};
        fm_shuffle_small(&rng, items, 5);
        count[((items[0] * 5u + items[1]) * 5 + items[2]) * 5 + items[3]]++;
    }
    for (unsigned i = 0; i < sizeof count / sizeof count[0]; i++) {
        if (count[i] > 0) {
            assert_true(n < 120);
            orders[n++] = count[i];
        }
    }
    assert_int_equal(n, 120);
    assert_true(unevenness(orders, 120, 120000) < 200); /* 119 degrees of freedom */
    for (unsigned i = 0; i < 60000; i++) {
        uint8_t items[60];
        for (unsigned k = 0; k < 60; k++)
            items[k] = (uint8_t)k;
        fm_shuffle_small(&rng, items, 60);
        for (unsigned k = 0; k < 60; k++)
            place[k][items[k]]++;
    }
    for (unsigned k = 0; k < 60; k++)
        assert_true(unevenness(place[k], 60, 60000) < 120); /* 59 */
}

static void the_count_of_blocks_carries(void **state)
{
    (void)state;
    uint32_t in[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}, out[FM_RNG_WORDS],
             later[FM_RNG_WORDS];
    in[12] = 0xfffffffe; /* the third of the four blocks has 0 here and 8 in word 13 */
    in[13] = 7;
    fm_chacha20_blocks(in, out);
    in[12] = 0;
    in[13] = 8;
    fm_chacha20_blocks(in, later);
    assert_memory_equal(out + 32, later, 32 * sizeof out[0]);
}

static void streams_of_a_seed_differ(void **state)
{
    (void)state;
    struct fm_rng a, b;
    fm_rng_init(&a, (const uint8_t[FM_SEED_BYTES]){5}, 0);
    fm_rng_init(&b, (const uint8_t[FM_SEED_BYTES]){5}, 1);
    assert_int_not_equal(fm_rng_u32(&a), fm_rng_u32(&b));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_know_their_domain_and_spans),
        cmocka_unit_test(hex_is_exact),
        cmocka_unit_test(RFC8439_2_3_2_block),
        cmocka_unit_test(RFC8439_A_1_zero_keys),
        cmocka_unit_test(generator_is_libsodiums_stream),
        cmocka_unit_test(bounded_draws_are_even),
        cmocka_unit_test(shuffles_are_even),
        cmocka_unit_test(small_shuffles_are_even),
        cmocka_unit_test(the_count_of_blocks_carries),
        cmocka_unit_test(streams_of_a_seed_differ),
    };
    if (fm__hash_start() != 0)
        return 1;
    return tests_run("chance", tests, sizeof tests / sizeof tests[0]);
}
