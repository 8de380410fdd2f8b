/* base_test.c: errors, text out, JSON in, and sets of bits. */
#include "tests.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/json_in.h"
#include "base/text.h"

#include <fathom/error.h>
#include <fathom/out.h>
#include <fathom/rng.h>

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

static void faults_fill_the_names_of_their_sentence(void **state)
{
    (void)state;
    struct fm_fault fault;
    char text[256];
    struct fm_out o;
    fm_fail_values(&fault, FM_E_MANY_SEATS, "options.divers", FM_VALUES({"min", 1}, {"max", 6}));
    assert_string_equal(fault.text, "options.divers: at most 6 can play");
    assert_int_equal(fault.where, strlen("options.divers: "));
    fm_out_init(&o, text, sizeof text);
    fm_js_object(&o);
    fm_js_fault(&o, &fault, fault.where);
    fm_js_end_object(&o);
    assert_string_equal(
        text, "{\"code\":\"too-many-seats\",\"max\":6,\"message\":\"at most 6 can play\"}");
    fm_fail_plain(&fault, FM_E_OVER); /* leaves nothing of the fault before */
    assert_string_equal(fault.text, fm_err_text(FM_E_OVER));
    assert_int_equal(fault.n_values, 0);
    assert_int_equal(fault.where, 0);
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

/* ---- sets of bits ----------------------------------------------------------------------------- */

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
        cmocka_unit_test(error_codes_are_unique_words),
        cmocka_unit_test(faults_fill_the_names_of_their_sentence),
        cmocka_unit_test(faults_are_cut_between_characters),
        cmocka_unit_test(foreign_text_is_cleaned),
        cmocka_unit_test(ids),
        cmocka_unit_test(json_commas_come_by_themselves),
        cmocka_unit_test(what_texts_share_is_written_once),
        cmocka_unit_test(output_never_passes_its_end),
        cmocka_unit_test(plain_texts_are_read_as_all_others),
        cmocka_unit_test(json_is_strict),
        cmocka_unit_test(wrong_values_belong_to_their_action),
        cmocka_unit_test(actions_can_be_cut_where_they_are_no_json),
        cmocka_unit_test(readers_name_the_key),
        cmocka_unit_test(bits),
        cmocka_unit_test(members_of_sets_are_found_by_number),
    };
    if (fm__hash_start() != 0)
        return 1;
    return tests_run("base", tests, sizeof tests / sizeof tests[0]);
}
