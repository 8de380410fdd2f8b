/* head_test.c: heads of requests: right ones, and all that could be read in two ways. */
#include "tests.h"

#include "server/address.h"
#include "server/head.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads a head from memory that ends with it; the status, and *h for as long as *kept lives. */
static int read_text(struct srv_head *h, const char *text, size_t n, char **kept)
{
    const char *why = NULL;
    *kept = malloc(n);
    assert_non_null(*kept);
    memcpy(*kept, text, n);
    const int status = srv_head_read(h, *kept, n, &why);
    assert_true(status == 0 || why != NULL);
    return status;
}

static void expect_status(int status, const char *text, size_t n)
{
    struct srv_head h;
    char *kept;
    const int got = read_text(&h, text, n, &kept);
    free(kept);
    if (got != status)
        fail_msg("%d in place of %d: %s", got, status, text);
}

#define REFUSED(status, text) expect_status(status, text, sizeof(text) - 1)
#define FINE(text)            expect_status(0, text, sizeof(text) - 1)

static void W12_a_head_is_read(void **state)
{
    static const char text[] =
        "POST /api/tables/%41b/seats?x=1 HTTP/1.1\r\nHOST: table.example:8080\r\n"
        "Content-Length: 12 \r\nconnection: Keep-Alive, Upgrade\r\n"
        "X-Forwarded-For:\r\nx-other:\tany \x80 thing\r\n\r\n";
    struct srv_head h;
    char *kept;
    (void)state;
    assert_int_equal(read_text(&h, text, sizeof text - 1, &kept), 0);
    assert_string_equal(h.method, "POST");
    assert_string_equal(h.path, "/api/tables/Ab/seats");
    assert_string_equal(h.field[SRV_FIELD_HOST], "table.example:8080");
    assert_int_equal(h.body, 12);
    assert_true(h.keep && h.upgrade && !h.old);
    assert_string_equal(h.field[SRV_FIELD_X_FORWARDED_FOR], "");
    assert_null(h.field[SRV_FIELD_ORIGIN]);
    free(kept);
    FINE("\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n");
    FINE("GET / HTTP/1.0\r\n\r\n"); /* as a proxy asks for health */
    FINE("GET / HTTP/1.1\r\nHost: [2001:db8::1]:80\r\n\r\n");
}

static void W12_what_could_be_read_in_two_ways_is_refused(void **state)
{
    (void)state;
    REFUSED(400, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n");
    REFUSED(400, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2, 2\r\n\r\n");
    REFUSED(400, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +2\r\n\r\n");
    REFUSED(400, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n");
    REFUSED(400, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length:\r\n\r\n");
    REFUSED(411, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    REFUSED(400, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
                 "Content-Length: 2\r\n\r\n");
    REFUSED(400, "POST / HTTP/1.1\r\nHost: x\r\ntransfer-encoding : chunked\r\n\r\n");
    REFUSED(400, "POST / HTTP/1.1\r\nHost: x\r\ntransfer-encoding \t  : chunked\r\n\r\n");
    REFUSED(400, "POST / HTTP/1.1\r\nHost: x\r\n transfer-encoding: chunked\r\n\r\n");
    REFUSED(400, "GET / HTTP/1.1\r\nHost: x\r\nX-A: b\r\n folded\r\n\r\n");
    REFUSED(400, "GET / HTTP/1.1\nHost: x\n\n");
    REFUSED(400, "GET / HTTP/1.1\r\nHost: x\nX-A: b\r\n\r\n");
    REFUSED(400, "GET / HTTP/1.1\r\nHost: x\r\nX-A: b\rTransfer-Encoding: chunked\r\n\r\n");
    REFUSED(400, "GET / HTTP/1.1\r\nHost: x\r\nX-A: \0\r\n\r\n");
    REFUSED(400, "GET / HTTP/1.1\r\nHost: x\r\n: b\r\n\r\n");
    REFUSED(400, "GET / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n");
    REFUSED(400, "GET  / HTTP/1.1\r\nHost: x\r\n\r\n");
    REFUSED(400, "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n");
    REFUSED(400, "GET /%00 HTTP/1.1\r\nHost: x\r\n\r\n");
    REFUSED(400, "get / HTTP/1.1\r\nHost: x\r\n\r\n");
    REFUSED(400, "GET x HTTP/1.1\r\nHost: x\r\n\r\n");
    REFUSED(505, "GET / HTTP/2.0\r\nHost: x\r\n\r\n");
}

static void W12_host_is_one_and_a_name(void **state)
{
    (void)state;
    REFUSED(400, "GET / HTTP/1.1\r\n\r\n");
    REFUSED(400, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    REFUSED(400, "GET / HTTP/1.1\r\nHost:\r\n\r\n");
    REFUSED(400, "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n");
    static const char *const wrong[] = {"a b",   "a/b",  "a@b", "a:b",      "a:123456", "http://a",
                                        "[::1",  "[]",   "a,b", "[::1]x",   ":80",      "\"a\"",
                                        "a:80:", "a\\b", "<a>", "[fe80%1]", ""};
    static const char *const right[] = {"a",     "a.b-c_d.",   "192.0.2.1:80",
                                        "[::1]", "[::1]:8080", "a:"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        if (srv_is_host(wrong[i]))
            fail_msg("a host: %s", wrong[i]);
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++)
        if (!srv_is_host(right[i]))
            fail_msg("no host: %s", right[i]);
    assert_true(srv_is_literal_host("127.0.0.1:80") && srv_is_literal_host("LocalHost") &&
                srv_is_literal_host("[::1]:1"));
    assert_false(srv_is_literal_host("127.0.0.1.example") || srv_is_literal_host("localhosts") ||
                 srv_is_literal_host("evil.example"));
}

static void the_end_of_a_head_is_found_however_it_comes(void **state)
{
    static const char text[] = "\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\nmore";
    const size_t size = sizeof text - 1 - 4;
    (void)state;
    for (size_t n = 0; n < sizeof text; n++)
        for (size_t seen = 0; seen <= n && seen < size; seen++)
            assert_int_equal(srv_head_size(text, n, seen), n < size ? 0 : size);
}

static void W07_an_address_is_a_network(void **state)
{
    static const char *const same[][2] = {{"192.0.2.7", "::ffff:192.0.2.7"},
                                          {"2001:db8:1:2::1", "2001:db8:1:2:ffff::9"}};
    static const char *const other[][2] = {{"192.0.2.7", "192.0.2.8"},
                                           {"2001:db8:1:2::1", "2001:db8:1:3::1"},
                                           {"::192.0.2.7", "192.0.2.7"}};
    struct srv_address a, b;
    (void)state;
    for (size_t i = 0; i < 5; i++) {
        const char *const *pair = i < 2 ? same[i] : other[i - 2];
        assert_true(srv_address_read(&a, pair[0]) && srv_address_read(&b, pair[1]));
        a = srv_address_network(&a);
        b = srv_address_network(&b);
        assert_int_equal(memcmp(&a, &b, sizeof a) == 0, i < 2);
    }
    assert_false(srv_address_read(&a, "localhost") || srv_address_read(&a, "1.2.3") ||
                 srv_address_read(&a, "") || srv_address_read(&a, "1.2.3.4:5"));
    assert_true(srv_address_read(&a, "127.1.2.3") && srv_address_is_loopback(&a));
    assert_true(srv_address_read(&a, "::1") && srv_address_is_loopback(&a));
    assert_true(srv_address_read(&a, "128.0.0.1") && !srv_address_is_loopback(&a));
}

static void W07_a_proxy_says_whom_it_speaks_for(void **state)
{
    struct srv_proxies p;
    struct srv_address a, b;
    (void)state;
    assert_true(srv_proxies_read(&p, "10.0.0.1, ::1") && p.n == 2);
    assert_true(srv_address_read(&a, "10.0.0.1") && srv_proxies_has(&p, &a));
    assert_true(srv_address_read(&a, "10.0.0.2") && !srv_proxies_has(&p, &a));
    assert_false(srv_proxies_read(&p, "") || srv_proxies_read(&p, "10.0.0.1,") ||
                 srv_proxies_read(&p, "10.0.0.0/8") || srv_proxies_read(&p, "proxy.example"));
    assert_true(srv_proxies_client(&a, "203.0.113.9, 198.51.100.7 ") &&
                srv_address_read(&b, "198.51.100.7"));
    assert_memory_equal(&a, &b, sizeof a);
    assert_false(srv_proxies_client(&a, "") || srv_proxies_client(&a, "198.51.100.7,") ||
                 srv_proxies_client(&a, "unknown"));
}

static void W07_an_address_holds_so_many_and_no_more(void **state)
{
    static struct srv_counts c;
    struct srv_address a, b;
    unsigned slot, other;
    (void)state;
    srv_counts_init(&c);
    assert_true(srv_address_read(&a, "192.0.2.7"));
    for (unsigned i = 0; i < 3; i++)
        assert_true(srv_counts_take(&c, &a, 3, &slot));
    assert_false(srv_counts_take(&c, &a, 3, &slot));
    for (unsigned i = 8; i < 255; i++) { /* one of them has a slot of its own */
        char text[16];
        (void)snprintf(text, sizeof text, "192.0.2.%u", i);
        assert_true(srv_address_read(&b, text));
        if (srv_counts_take(&c, &b, 3, &other))
            break;
        assert_true(i < 254);
    }
    srv_counts_give(&c, slot);
    assert_true(srv_counts_take(&c, &a, 3, &slot));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(W12_a_head_is_read),
        cmocka_unit_test(W12_what_could_be_read_in_two_ways_is_refused),
        cmocka_unit_test(W12_host_is_one_and_a_name),
        cmocka_unit_test(the_end_of_a_head_is_found_however_it_comes),
        cmocka_unit_test(W07_an_address_is_a_network),
        cmocka_unit_test(W07_a_proxy_says_whom_it_speaks_for),
        cmocka_unit_test(W07_an_address_holds_so_many_and_no_more),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("head", tests, NULL, NULL);
}
