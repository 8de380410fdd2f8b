/* frames_test.c: WebSocket frames as they come: whole, in pieces, byte by byte, and wrong ones. */
#include "tests.h"

#include "server/frames.h"

#include <fathom/rng.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 300 /* bytes of a message */

/* ---- what a client sends -------------------------------------------------------------------- */

struct bytes {
    uint8_t data[8192];
    size_t n;
};

static void add(struct bytes *b, const void *data, size_t n)
{
    assert_true(b->n + n <= sizeof b->data);
    memcpy(b->data + b->n, data, n);
    b->n += n;
}

/* A masked frame; first is its first byte. */
static void add_frame(struct bytes *b, unsigned first, const char *text, size_t n)
{
    static const uint8_t mask[4] = {0x9a, 0x00, 0xff, 0x31};
    uint8_t head[SRV_FRAME_HEAD];
    const size_t m = srv_frame_head(head, SRV_OP_TEXT, n);
    head[0] = (uint8_t)first;
    head[1] |= 0x80;
    add(b, head, m);
    add(b, mask, sizeof mask);
    for (size_t i = 0; i < n; i++)
        add(b, &(uint8_t){(uint8_t)text[i] ^ mask[i & 3]}, 1);
}

static void add_text(struct bytes *b, unsigned first, const char *text)
{
    add_frame(b, first, text, strlen(text));
}

/* ---- what is heard, as a text --------------------------------------------------------------- */

struct heard {
    char text[16384];
    size_t n;
};

static bool hear(struct heard *h, const struct srv_frame *frame)
{
    static const char *const kinds[] = {"none", "text", "ping", "pong", "close", "wrong"};
    h->n += (size_t)snprintf(h->text + h->n, sizeof h->text - h->n, "%s", kinds[frame->kind]);
    if (frame->kind == SRV_FRAME_CLOSE || frame->kind == SRV_FRAME_WRONG)
        h->n += (size_t)snprintf(h->text + h->n, sizeof h->text - h->n, " %d", frame->code);
    else
        h->n += (size_t)snprintf(h->text + h->n, sizeof h->text - h->n, " \"%.*s\"", (int)frame->n,
                                 frame->data);
    h->n += (size_t)snprintf(h->text + h->n, sizeof h->text - h->n, "\n");
    assert_true(h->n < sizeof h->text);
    return frame->kind != SRV_FRAME_WRONG && frame->kind != SRV_FRAME_CLOSE;
}

/* The bytes come in portions of at most `portion`; 0: of random sizes. */
static const char *listen_to(const struct bytes *b, size_t portion, struct fm_rng *rng)
{
    static struct heard h;
    struct srv_frames f;
    bool open = true;
    memset(&f, 0, sizeof f);
    h.n = 0;
    h.text[0] = '\0';
    for (size_t at = 0; at < b->n && open;) {
        size_t n = portion > 0 ? portion : 1 + fm_rng_below(rng, 40);
        n = n < b->n - at ? n : b->n - at;
        uint8_t *copy = malloc(n), *p = copy; /* sanitizers see what is read beyond it */
        assert_non_null(copy);
        memcpy(copy, b->data + at, n);
        at += n;
        while (n > 0 && open) {
            const struct srv_frame frame = srv_frames_read(&f, &p, &n, MOST);
            if (frame.kind != SRV_FRAME_NONE)
                open = hear(&h, &frame);
        }
        free(copy);
    }
    srv_frames_finish(&f);
    return h.text;
}

/* However the bytes are cut, the same is heard. */
static void assert_heard(const struct bytes *b, const char *expected)
{
    struct fm_rng rng;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){3}, 0);
    assert_string_equal(listen_to(b, sizeof b->data, NULL), expected);
    assert_string_equal(listen_to(b, 1, NULL), expected);
    for (int i = 0; i < 50; i++)
        assert_string_equal(listen_to(b, 0, &rng), expected);
}

/* ---- what is right -------------------------------------------------------------------------- */

static void messages_one_after_another(void **state)
{
    struct bytes b = {.n = 0};
    char long_text[MOST + 1];
    (void)state;
    memset(long_text, 'x', MOST);
    long_text[MOST] = '\0';
    add_text(&b, 0x81, "{\"hello\":null}");
    add_text(&b, 0x81, "");
    add_text(&b, 0x81, long_text);
    add_text(&b, 0x81, "\xc3\xa9\xf0\x9f\x90\x99\xc2\x85\x07");
    char expected[MOST + 200];
    (void)snprintf(expected, sizeof expected,
                   "text \"{\"hello\":null}\"\ntext \"\"\ntext \"%s\"\n%s", long_text,
                   "text \"\xc3\xa9\xf0\x9f\x90\x99\xc2\x85\x07\"\n");
    assert_heard(&b, expected);
}

static void a_message_in_pieces_with_control_frames_between_them(void **state)
{
    struct bytes b = {.n = 0};
    (void)state;
    add_text(&b, 0x01, "{\"he\xc3"); /* a character in two pieces */
    add_text(&b, 0x89, "ping");
    add_text(&b, 0x00, "\xa9llo\"");
    add_text(&b, 0x00, "");
    add_text(&b, 0x8a, "");
    add_text(&b, 0x80, ":null}");
    add_text(&b, 0x81, "next");
    assert_heard(&b,
                 "ping \"ping\"\npong \"\"\ntext \"{\"he\xc3\xa9llo\":null}\"\ntext \"next\"\n");
}

static void nothing_is_heard_after_a_close(void **state)
{
    struct bytes b = {.n = 0};
    (void)state;
    add_text(&b, 0x81, "one");
    add_text(&b, 0x88,
             "\x03\xe8"
             "bye");
    add_text(&b, 0x81, "two");
    assert_heard(&b, "text \"one\"\nclose 1000\n");
    b.n = 0;
    add_text(&b, 0x88, "");
    assert_heard(&b, "close 1005\n");
}

/* ---- what is wrong -------------------------------------------------------------------------- */

static void assert_wrong(const struct bytes *b, int code)
{
    char expected[64];
    (void)snprintf(expected, sizeof expected, "text \"fine\"\nwrong %d\n", code);
    assert_heard(b, expected);
}

static void every_breach_has_its_code(void **state)
{
    static const struct {
        const char *bytes;
        size_t n;
        int code;
    } rows[] = {
#define ROW(bytes, code) {bytes, sizeof(bytes) - 1, code}
        ROW("\x81\x02{}", SRV_CLOSE_PROTOCOL),   /* no mask */
        ROW("\x81\x00", SRV_CLOSE_PROTOCOL),     /* nor here */
        ROW("\x89\x00", SRV_CLOSE_PROTOCOL),     /* nor on a ping */
        ROW("\xc1\x80mask", SRV_CLOSE_PROTOCOL), /* reserved bits */
        ROW("\x83\x80mask", SRV_CLOSE_PROTOCOL), /* kinds that do not exist */
        ROW("\x8b\x80mask", SRV_CLOSE_PROTOCOL),
        ROW("\x8f\x80mask", SRV_CLOSE_PROTOCOL),
        ROW("\x09\x80mask", SRV_CLOSE_PROTOCOL),             /* a ping in pieces */
        ROW("\x89\xfe\x00\x7emask", SRV_CLOSE_PROTOCOL),     /* a ping of 126 bytes */
        ROW("\x80\x80mask", SRV_CLOSE_PROTOCOL),             /* a continuation of nothing */
        ROW("\x01\x80mask\x81\x80mask", SRV_CLOSE_PROTOCOL), /* a message within a message */
        ROW("\x81\xfe\x00\x7dmask", SRV_CLOSE_PROTOCOL),     /* lengths in too many bytes */
        ROW("\x81\xff\0\0\0\0\0\0\xff\xffmask", SRV_CLOSE_PROTOCOL),
        ROW("\x81\xff\x80\0\0\0\0\0\0\0mask", SRV_CLOSE_PROTOCOL),
        ROW("\x88\x81\0\0\0\0\x03", SRV_CLOSE_PROTOCOL),     /* half a code */
        ROW("\x88\x82\0\0\0\0\x03\xed", SRV_CLOSE_PROTOCOL), /* 1005 */
        ROW("\x88\x82\0\0\0\0\x03\xe7", SRV_CLOSE_PROTOCOL), /* 999 */
        ROW("\x88\x83\0\0\0\0\x03\xe8\xff", SRV_CLOSE_UTF8),
        ROW("\x81\x81\0\0\0\0\xff", SRV_CLOSE_UTF8),
        ROW("\x81\x82\0\0\0\0\xe2\x82", SRV_CLOSE_UTF8), /* a character that does not end */
        ROW("\x01\x81\0\0\0\0\xe2\x80\x81\0\0\0\0\x22", SRV_CLOSE_UTF8),
        ROW("\x82\x80mask", SRV_CLOSE_KIND),
        ROW("\x81\xfe\x01\x2dmask", SRV_CLOSE_SIZE), /* 301 bytes */
        ROW("\x81\xff\0\0\0\0\x40\0\0\0mask", SRV_CLOSE_SIZE),
#undef ROW
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bytes b = {.n = 0};
        add_text(&b, 0x81, "fine");
        add(&b, rows[i].bytes, rows[i].n);
        add_text(&b, 0x81, "never heard");
        assert_wrong(&b, rows[i].code);
    }
}

static void pieces_are_bounded_in_size_and_number(void **state)
{
    struct bytes b = {.n = 0};
    (void)state;
    add_text(&b, 0x81, "fine");
    for (int i = 0; i < 31; i++)
        add_text(&b, i == 0 ? 0x01 : 0x00, "ten bytes.");
    assert_wrong(&b, SRV_CLOSE_SIZE);
    b.n = 0;
    add_text(&b, 0x81, "fine");
    for (int i = 0; i <= SRV_FRAME_PIECES; i++)
        add_text(&b, i == 0 ? 0x01 : 0x00, "");
    assert_wrong(&b, SRV_CLOSE_SIZE);
}

/* Any bytes: the same is heard, however they are cut, and nothing is read beyond them. */
static void any_bytes(void **state)
{
    struct fm_rng rng;
    (void)state;
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){5}, 0);
    for (int i = 0; i < 3000; i++) {
        struct bytes b = {.n = 0};
        static char expected[sizeof(struct heard)];
        for (unsigned k = fm_rng_below(&rng, 4); k > 0; k--)
            add_text(&b, fm_rng_below(&rng, 2) ? 0x81 : 0x01, "{}");
        for (unsigned k = fm_rng_below(&rng, 60); k > 0; k--)
            add(&b, &(uint8_t){(uint8_t)fm_rng_below(&rng, 256)}, 1);
        (void)snprintf(expected, sizeof expected, "%s", listen_to(&b, sizeof b.data, NULL));
        assert_heard(&b, expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_one_after_another),
        cmocka_unit_test(a_message_in_pieces_with_control_frames_between_them),
        cmocka_unit_test(nothing_is_heard_after_a_close),
        cmocka_unit_test(every_breach_has_its_code),
        cmocka_unit_test(pieces_are_bounded_in_size_and_number),
        cmocka_unit_test(any_bytes),
    };
    return tests_run("frames", tests, sizeof tests / sizeof tests[0]);
}
