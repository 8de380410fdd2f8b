/* base_test.c: output, input, text, hashes and chance. */
#include "tests.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/json_in.h"
#include "base/text.h"

#include <fathom/error.h>
#include <fathom/out.h>
#include <fathom/rng.h>

#include <sodium.h>
#include <stdio.h>
#include <string.h>

/* ---- errors ---------------------------------------------------------------------------------- */

static void error_codes_are_unique_words(void **state)
{
    (void)state;
    for (int i = 0; i < FM_ERR_COUNT; i++) {
        assert_true(fm__is_id(fm_err_code((enum fm_err)i)));
        assert_true(strlen(fm_err_text((enum fm_err)i)) > 3);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(fm_err_code((enum fm_err)i), fm_err_code((enum fm_err)k));
    }
}

static void faults_are_cut_between_characters(void **state)
{
    (void)state;
    struct fm_fault fault;
    char longer[2 * FM_FAULT_TEXT];
    for (size_t i = 0; i + 2 < sizeof longer; i += 2)
        memcpy(longer + i, "é", 2);
    longer[sizeof longer - 2] = longer[sizeof longer - 1] = '\0';
    assert_int_equal(fm_fail(&fault, FM_E_KEY, "x%s", longer), FM_E_KEY);
    assert_int_equal(fault.action, -1);
    assert_int_equal(strlen(fault.text), FM_FAULT_TEXT - 1);
    json_t *as_json = json_string(fault.text); /* jansson takes UTF-8 only */
    assert_non_null(as_json);
    json_decref(as_json);
}

static void foreign_text_is_cleaned(void **state)
{
    (void)state;
    char text[] = "a\x1b[31m\xff\xc3(\xe2\x82\xac\xed\xa0\x80\xc2\x85z";
    fm__clean(text);
    assert_string_equal(text, "a?[31m?\?(\xe2\x82\xac?????z");
}

static void ids(void **state)
{
    (void)state;
    assert_true(fm__is_id("soumsoum-lagoon"));
    assert_true(fm__is_id("a1"));
    assert_false(fm__is_id(""));
    assert_false(fm__is_id("-a"));
    assert_false(fm__is_id("a-"));
    assert_false(fm__is_id("a--b"));
    assert_false(fm__is_id("Deck"));
    assert_false(fm__is_id("../deck"));
}

/* ---- output ---------------------------------------------------------------------------------- */

static void json_commas_come_by_themselves(void **state)
{
    (void)state;
    char text[200];
    struct fm_out o;
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_key_int(&o, "a", -5);
    fm_js_key(&o, "b");
    fm_js_array(&o);
    fm_js_array(&o);
    fm_js_end_array(&o);
    fm_js_text(&o, "x\"\\\n\x7f,");
    fm_js_bool(&o, true);
    fm_js_null(&o);
    fm_js_fixed(&o, 0.5, 2);
    fm_js_hex(&o, (const uint8_t[]){0, 255}, 2);
    fm_js_raw(&o, "{}", 2);
    fm_js_raw(&o, "", 0);
    fm_js_text(&o, NULL);
    fm_js_end_array(&o);
    fm_js_key_text(&o, "c", ",");
    fm_js_key_int(&o, "d", INT64_MIN);
    fm_js_end_object(&o);
    assert_true(fm_out_ok(&o));
    assert_string_equal(
        text, "{\"a\":-5,\"b\":[[],\"x\\\"\\\\\\u000a\\u007f,\",true,null,0.50,\"00ff\",{},"
              "null],\"c\":\",\",\"d\":-9223372036854775808}");
}

static void put_fish(struct fm_out *o, const void *about)
{
    ++*(int *)(uintptr_t)about;
    fm_js_key_word(o, "fish", "manta");
}

static void what_texts_share_is_written_once(void **state)
{
    (void)state;
    char first[64], second[64], small[12];
    struct fm_memo memo = {0};
    struct fm_out o;
    int written = 0, other = 0;
    for (char *text = first;; text = second) {
        fm_out_init(&o, text, sizeof first);
        o.memo = &memo;
        fm_js_object(&o);
        if (text == second)
            fm_js_key_int(&o, "seat", 1);
        fm_put_once(&o, put_fish, &written);
        fm_js_key_int(&o, "n", 10);
        fm_js_end_object(&o);
        if (text == second)
            break;
    }
    assert_string_equal(first, "{\"fish\":\"manta\",\"n\":10}");
    assert_string_equal(second, "{\"seat\":1,\"fish\":\"manta\",\"n\":10}");
    assert_int_equal(written, 1);
    fm_out_init(&o, second, sizeof second);
    o.memo = &memo;
    fm_put_once(&o, put_fish, &other); /* about something else */
    assert_int_equal(other, 1);
    fm_out_init(&o, small, sizeof small);
    fm_put_once(&o, put_fish, &written); /* without a memo, and without room */
    assert_int_equal(written, 2);
    assert_false(fm_out_ok(&o));
    assert_int_equal(o.len, 14);
}

static void output_never_passes_its_end(void **state)
{
    (void)state;
    char text[9] = "########";
    struct fm_out o;
    fm_out_init(&o, text, 5);
    fm_put(&o, "abcd");
    assert_true(fm_out_ok(&o));
    fm_put(&o, "e");
    assert_false(fm_out_ok(&o));
    fm_put(&o, "fgh");
    assert_int_equal(o.len, 8);
    assert_string_equal(text, "abcd");
    assert_memory_equal(text + 5, "###", 3);
}

/* ---- input ----------------------------------------------------------------------------------- */

static void assert_refused(const char *text, size_t n, enum fm_err code, int action)
{
    struct fm_fault fault;
    assert_null(fm_json_load(text, n, &fault));
    assert_int_equal(fault.code, code);
    assert_int_equal(fault.action, action);
}

/* Small plain texts are read by a reader of our own, and must be what jansson says. */
static void plain_texts_are_read_as_all_others(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"id\":\"m1\",\"action\":{\"do\":\"place\",\"card\":0,\"at\":[1,24]}}",
        "{}",
        "{\"\":[]}",
        "{\"a\":{},\"b\":[[],[0,{}]],\"c\":\"\"}",
        "{\"a\":999999999}",
        "{\"a\":1000000000}",
        "{\"a\":9223372036854775807}",
        "{\"a\":9223372036854775808}",
        "{\"a\":007}",
        "{\"a\":-1}",
        "{\"a\":1.5}",
        "{\"a\":1e3}",
        "{\"a\":12x}",
        "{\"a\":12",
        "{\"a\":true,\"b\":null}",
        "{\"a\":\"\\n\\u00e9\"}",
        "{\"a\":\"\303\251\"}",
        "{\"a\":\"\303\"}",
        "{\"a\":\"\177\"}",
        "{\"a\":\"\t\"}",
        "{ \"a\" : [ 1 , 2 ] }",
        "{\"a\":1,\"a\":2}",
        "{\"a\":1,}",
        "{,}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":[1,]}",
        "{\"a\":[1}",
        "{\"a\":1]",
        "{\"a\":1}}",
        "{\"a\":1} ",
        "{\"a\":\"b",
        "{",
        "[1]",
        "1",
        "\"a\"",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct fm_fault fault;
        json_t *const theirs = json_loads(texts[i], JSON_REJECT_DUPLICATES, NULL);
        json_t *const ours = fm_json_load(texts[i], strlen(texts[i]), &fault);
        if ((theirs == NULL) != (ours == NULL) || (ours != NULL && !json_equal(theirs, ours)))
            fail_msg("%s is read otherwise", texts[i]);
        json_decref(theirs);
        json_decref(ours);
    }
}

static void json_is_strict(void **state)
{
    (void)state;
    char deep[200];
    memset(deep, '[', 100);
    memset(deep + 100, ']', 100);
    assert_refused("", 0, FM_E_JSON, -1);
    assert_refused("{\"a\":1,\"a\":2}", 13, FM_E_KEY, -1);
    assert_refused("{\"a\":\"\xff\"}", 9, FM_E_JSON, -1);
    assert_refused("{\"a\":\0}", 7, FM_E_JSON, -1);
    assert_refused("{\"a\":\"\\u0000\"}", 14, FM_E_JSON, -1);
    assert_refused("{\"a\":1\0}", 8, FM_E_JSON, -1);
    assert_refused("{\"actions\":[1,2\0]}", 18, FM_E_JSON, 1);
    assert_refused("{\"a\":1e999}", 11, FM_E_VALUE, -1);
    assert_refused("{\"a\":NaN}", 9, FM_E_JSON, -1);
    assert_refused("{} {}", 5, FM_E_JSON, -1);
    assert_refused(deep, sizeof deep, FM_E_JSON, -1);
    struct fm_fault fault;
    json_t *json = fm_json_load("[[[[[[[[[[[[]]]]]]]]]]]]", 24, &fault);
    assert_non_null(json);
    json_decref(json);
}

static void wrong_values_belong_to_their_action(void **state)
{
    (void)state;
    static const char twice[] = "{\"x\":[1,2],\"actions\":[{\"a\":[1,{}]},{},{\"do\":1,\"do\":2}]}";
    static const char huge[] = "{\"actions\":[\n[1,2],\n{\"t\":1e999}],\"y\":1}";
    static const char setup[] = "{\"actions\":[{},{}],\"setup\":{\"a\":1,\"a\":1}}";
    static const char word[] = "{\"actions\":[{\"a\":\"],{\\\"\"},{\"b\":1,\"b\":1}]}";
    static const char deep[] = "{\"actions\":[{},[[[[[[[[[[[[[]]]]]]]]]]]]]]}";
    static const char broken[] = "{\"actions\":[{},{\"do\":";
    assert_refused(twice, sizeof twice - 1, FM_E_KEY, 2);
    assert_refused(huge, sizeof huge - 1, FM_E_VALUE, 1);
    assert_refused(deep, sizeof deep - 1, FM_E_JSON, 1);
    assert_refused(setup, sizeof setup - 1, FM_E_KEY, -1);
    assert_refused(word, sizeof word - 1, FM_E_KEY, 1);
    assert_refused(broken, sizeof broken - 1, FM_E_JSON, 1);
}

static void actions_can_be_cut_where_they_are_no_json(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int action;
        const char *rest; /* NULL: cannot be cut */
    } cases[] = {
        {"{\"actions\":[1,{\"a\":NaN},3],\"b\":[4]}", 1, "{\"actions\":[1,0          ],\"b\":[4]}"},
        {"{\"actions\":[x],\"b\":[4]}", 0, "{\"actions\":[0],\"b\":[4]}"},
        {"{\"actions\":[\"]\",[[]]]}", 0, "{\"actions\":[0       ]}"},
        {"{\"actions\":[1,{\"a\":", 1, NULL},
        {"{\"actions\":[1]}", 1, NULL},
        {"{\"actions\":[]}", 0, NULL},
        {"{\"other\":[1]}", 0, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[80];
        (void)snprintf(text, sizeof text, "%s", cases[i].text);
        assert_int_equal(fm_json_cut_actions(text, strlen(text), cases[i].action),
                         cases[i].rest != NULL);
        if (cases[i].rest != NULL)
            assert_string_equal(text, cases[i].rest);
    }
}

static void readers_name_the_key(void **state)
{
    (void)state;
    static const char *const keys[] = {"a", "b", NULL}, *const words[] = {"one", "two", NULL};
    struct fm_fault fault;
    json_t *json = json_pack("{s:[i,s,f,n],s:s}", "a", 7, "two", 1.5, "b", "");
    const struct fm_in in = fm_in_root(json, "setup", &fault);
    struct fm_in a, b, none;
    size_t n;
    int number = 0;
    bool flag;
    const char *text;
    assert_true(fm_in_object(&in, keys));
    assert_true(fm_in_get(&in, "a", &a) && fm_in_array(&a, 4, 4, &n));
    const struct fm_in i0 = fm_in_at(&a, 0), i1 = fm_in_at(&a, 1), i2 = fm_in_at(&a, 2);
    assert_true(fm_in_int(&i0, 7, 7, &number) && number == 7);
    assert_true(fm_in_word(&i1, words, &number) && number == 1);
    assert_false(fm_in_int(&i0, 0, 6, &number));
    assert_string_equal(fault.text, "setup.a[0]: 7 is not within 0 to 6");
    assert_false(fm_in_int(&i2, 0, 6, &number));
    assert_string_equal(fault.text, "setup.a[2]: a whole number is expected here");
    assert_false(fm_in_bool(&i1, &flag));
    assert_string_equal(fault.text, "setup.a[1]: true or false is expected here");
    assert_false(fm_in_word(&i0, words, &number));
    assert_false(fm_in_array(&a, 1, 3, &n));
    assert_string_equal(fault.text, "setup.a: a list of 1 to 3 is expected, not of 4");
    assert_true(fm_in_has(&in, "b", &b));
    assert_false(fm_in_text(&b, 10, &text)); /* empty */
    assert_false(fm_in_object(&b, keys));
    assert_false(fm_in_has(&in, "c", &none));
    assert_false(fm_in_get(&in, "c", &none));
    assert_string_equal(fault.text, "setup: the key \"c\" is missing");
    assert_false(fm_in_object(&in, words));
    assert_int_equal(fault.code, FM_E_KEY);
    json_decref(json);
}

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

static void bits(void **state)
{
    (void)state;
    assert_int_equal(fm__count(0), 0);
    assert_int_equal(fm__count(0xffffffffu), 32);
    assert_int_equal(fm__count(0x1084210u), 5);
    assert_int_equal(fm__lowest(0x40), 6);
    assert_int_equal(fm__nth(0x90000105u, 0), 0);
    assert_int_equal(fm__nth(0x90000105u, 2), 8);
    assert_int_equal(fm__nth(0x90000105u, 4), 31);
}

static void members_of_sets_are_found_by_number(void **state)
{
    (void)state;
    uint64_t set = 1;
    for (unsigned i = 0; i < 4000; i++) {
        set = set * 6364136223846793005u + 1442695040888963407u;
        const uint64_t some = i % 3 == 0   ? set
                              : i % 3 == 1 ? set & set << 7 & set >> 9
                                           : ~(set & 9);
        unsigned n = 0;
        for (unsigned bit = 0; bit < 64; bit++) {
            if (!(some >> bit & 1))
                continue;
            assert_int_equal(fm__nth64(some, n), bit);
#if defined(__x86_64__)
            if (fm__has_bits_fast())
                assert_int_equal(fm__nth64_fast(some, n), bit);
#endif
            n++;
        }
        assert_int_equal(fm__count64(some), n);
#if defined(__x86_64__)
        if (fm__has_bits_fast())
            assert_int_equal(fm__count64_fast(some), n);
#endif
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_of_sets_are_found_by_number),
        cmocka_unit_test(error_codes_are_unique_words),
        cmocka_unit_test(faults_are_cut_between_characters),
        cmocka_unit_test(foreign_text_is_cleaned),
        cmocka_unit_test(ids),
        cmocka_unit_test(json_commas_come_by_themselves),
        cmocka_unit_test(what_texts_share_is_written_once),
        cmocka_unit_test(plain_texts_are_read_as_all_others),
        cmocka_unit_test(output_never_passes_its_end),
        cmocka_unit_test(json_is_strict),
        cmocka_unit_test(wrong_values_belong_to_their_action),
        cmocka_unit_test(actions_can_be_cut_where_they_are_no_json),
        cmocka_unit_test(readers_name_the_key),
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
        cmocka_unit_test(bits),
    };
    if (fm__hash_start() != 0)
        return 1;
    return tests_run("base", tests, sizeof tests / sizeof tests[0]);
}
