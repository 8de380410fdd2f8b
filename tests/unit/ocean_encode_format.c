/* ocean_encode_format.c: encoded files hold the picture and what their format demands, no more. */
#include "unit/ocean_encode_frames.h"

#include <string.h>

static unsigned big16(const uint8_t *p)
{
    return (unsigned)p[0] << 8 | p[1];
}

static unsigned big32(const uint8_t *p)
{
    return big16(p) << 16 | big16(p + 2);
}

static unsigned little32(const uint8_t *p)
{
    return (unsigned)p[3] << 24 | (unsigned)p[2] << 16 | (unsigned)p[1] << 8 | p[0];
}

/* The scan's bytes up to the next marker; restarts are not used. */
static size_t skip_scan(const struct oc_bytes *b, size_t at)
{
    while (at + 1 < b->n && (b->data[at] != 0xff || b->data[at + 1] == 0))
        at++;
    return at;
}

static void check_jpeg(const struct oc_bytes *b, int size)
{
    static const uint8_t jfif[] = {'J', 'F', 'I', 'F', 0, 1, 1, 0, 0, 1, 0, 1, 0, 0};
    const uint8_t side[] = {(uint8_t)(size >> 8), (uint8_t)size};
    const uint8_t sof[] = {8, side[0], side[1], side[0], side[1], 3,    1, 0x22,
                           0, 2,       0x11,    1,       3,       0x11, 1};
    static const uint8_t sos[] = {3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0};
    static const struct {
        uint8_t marker;
        size_t length; /* with the length itself */
        const uint8_t *all;
    } segments[] = {
        {0xe0, 16, jfif},  {0xdb, 67, NULL}, {0xdb, 67, NULL},  {0xc0, 17, NULL}, {0xc4, 31, NULL},
        {0xc4, 181, NULL}, {0xc4, 31, NULL}, {0xc4, 181, NULL}, {0xda, 12, sos},
    };
    assert_int_equal(big16(b->data), 0xffd8);
    size_t at = 2;
    for (size_t i = 0; i < COUNT(segments); i++) {
        assert_true(at + 4 < b->n);
        assert_int_equal(big16(b->data + at), 0xff00 | segments[i].marker);
        assert_int_equal(big16(b->data + at + 2), segments[i].length);
        if (segments[i].all != NULL)
            assert_memory_equal(b->data + at + 4, segments[i].all, segments[i].length - 2);
        if (segments[i].marker == 0xc0)
            assert_memory_equal(b->data + at + 4, sof, sizeof sof);
        at += 2 + segments[i].length;
    }
    at = skip_scan(b, at);
    assert_int_equal(at, b->n - 2);
    assert_int_equal(big16(b->data + at), 0xffd9);
}

static void check_webp(const struct oc_bytes *b, int size)
{
    const uint8_t side[] = {(uint8_t)size, (uint8_t)(size >> 8)};
    assert_true(b->n > 30 && b->n % 2 == 0);
    assert_memory_equal(b->data, "RIFF", 4);
    assert_int_equal(little32(b->data + 4), b->n - 8);
    assert_memory_equal(b->data + 8, "WEBPVP8 ", 8);
    const unsigned chunk = little32(b->data + 16);
    assert_int_equal(20 + chunk + chunk % 2, b->n);
    assert_int_equal(b->data[20] & 1, 0); /* a key frame */
    assert_memory_equal(b->data + 23, "\x9d\x01\x2a", 3);
    assert_memory_equal(b->data + 26, side, 2);
    assert_memory_equal(b->data + 28, side, 2);
}

static void check_png(const struct oc_bytes *b, int size)
{
    const uint8_t side[] = {0, 0, (uint8_t)(size >> 8), (uint8_t)size};
    size_t at = 8, data = 0;
    assert_memory_equal(b->data, "\x89PNG\r\n\x1a\n", 8);
    assert_memory_equal(b->data + at, "\0\0\0\x0dIHDR", 8);
    assert_memory_equal(b->data + at + 8, side, 4);
    assert_memory_equal(b->data + at + 12, side, 4);
    assert_memory_equal(b->data + at + 16, "\x08\x02\0\0\0", 5);
    for (at += 12 + 13; memcmp(b->data + at + 4, "IEND", 4) != 0; data++) {
        assert_memory_equal(b->data + at + 4, "IDAT", 4);
        at += 12 + big32(b->data + at);
        assert_true(at + 12 <= b->n);
    }
    assert_true(data > 0);
    assert_int_equal(big32(b->data + at), 0);
    assert_int_equal(at + 12, b->n);
}

static void check_format(const struct oc_frame *f, enum oc_format format)
{
    static const int qualities[] = {50, 1, 10, 75, 100};
    static void (*const checks[OC_FORMATS])(const struct oc_bytes *, int) = {
        [OC_JPEG] = check_jpeg,
        [OC_WEBP] = check_webp,
        [OC_PNG] = check_png,
    };
    for (size_t i = 0; i < (format == OC_PNG ? 1 : COUNT(qualities)); i++) {
        struct oc_bytes b = encoded(f, format, qualities[i]);
        checks[format](&b, f->size);
        oc_bytes_finish(&b);
    }
}

static void a_file_holds_nothing_but_what_its_format_demands(void **state)
{
    (void)state;
    for (int size = 64; size <= 640; size += 64 + 31) {
        struct oc_frame f = frame_of(size, 5);
        for (int format = 0; format < OC_FORMATS; format++)
            check_format(&f, (enum oc_format)format);
        oc_frame_finish(&f);
    }
}

static void what_lies_beside_the_picture_is_not_in_its_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(sizes) && sizes[i] <= 640; i++) {
        const int size = sizes[i], padded = oc_frame_padded(size), half = (size + 1) / 2;
        struct oc_frame f = frame_of(size, 6), g;
        struct fm_fault fault;
        assert_int_equal(oc_frame_init(&g, size, &fault), FM_OK);
        memset(g.y, 200, (size_t)(g.stride * padded));
        memset(g.u, 3, (size_t)(g.cstride * padded / 2));
        for (int y = 0; y < size; y++)
            memcpy(g.y + y * g.stride, f.y + y * f.stride, (size_t)size);
        for (int y = 0; y < half; y++) {
            memcpy(g.u + y * g.cstride, f.u + y * f.cstride, (size_t)half);
            memcpy(g.v + y * g.cstride, f.v + y * f.cstride, (size_t)half);
        }
        for (int format = 0; format < OC_FORMATS; format++) {
            struct oc_bytes a = encoded(&f, (enum oc_format)format, 60);
            struct oc_bytes b = encoded(&g, (enum oc_format)format, 60);
            assert_int_equal(a.n, b.n);
            assert_memory_equal(a.data, b.data, a.n);
            oc_bytes_finish(&a);
            oc_bytes_finish(&b);
        }
        oc_frame_finish(&g);
        oc_frame_finish(&f);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_file_holds_nothing_but_what_its_format_demands),
    cmocka_unit_test(what_lies_beside_the_picture_is_not_in_its_bytes),
};
const struct tests_group ocean_encode_format = TESTS_GROUP(tests);
