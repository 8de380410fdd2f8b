/* ocean_encode_test.c: pictures as files' bytes, read by decoders and byte by byte. */
#include "tests.h"

#include "ocean/encode.h"

#include <fathom/rng.h>

#include <stdio.h> /* jpeglib.h needs it and does not include it */

#include <jpeglib.h>
#include <math.h>
#include <png.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static const int sizes[] = {64, 65, 79, 80, 81, 96, 97, 333, 640, 2047};

/* ---- frames and pictures -------------------------------------------------------------------- */

static uint8_t byte_of(double value)
{
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value + 0.5);
}

/* Water with rings in it and a little noise; what lies beside the picture is noise only. */
static struct oc_frame frame_of(int size, uint8_t seed)
{
    struct oc_frame f;
    struct fm_fault fault;
    struct fm_rng rng;
    assert_int_equal(oc_frame_init(&f, size, &fault), FM_OK);
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){seed}, 0);
    const int padded = oc_frame_padded(size), half = (size + 1) / 2;
    for (int y = 0; y < padded; y++)
        fm_rng_bytes(&rng, f.y + y * f.stride, (size_t)padded);
    for (int y = 0; y < padded / 2; y++) {
        fm_rng_bytes(&rng, f.u + y * f.cstride, (size_t)padded / 2);
        fm_rng_bytes(&rng, f.v + y * f.cstride, (size_t)padded / 2);
    }
    for (int y = 0; y < size; y++) {
        for (int x = 0; x < size; x++) {
            uint8_t *p = &f.y[y * f.stride + x];
            *p = byte_of(110 + 60 * sin(hypot(x - 20, y - 30) / 9) + y * 40.0 / size + *p % 9);
        }
    }
    for (int y = 0; y < half; y++) {
        for (int x = 0; x < half; x++) {
            f.u[y * f.cstride + x] = byte_of(150 + 70 * sin(x / 23.0 + seed));
            f.v[y * f.cstride + x] = byte_of(110 + 70 * cos(y / 31.0));
        }
    }
    return f;
}

static struct oc_bytes encoded(const struct oc_frame *f, enum oc_format format, int quality)
{
    struct oc_bytes b = {0};
    struct fm_fault fault;
    if (oc_encode(&b, f, format, quality, &fault) != FM_OK)
        fail_msg("%s", fault.text);
    assert_true(b.n > 0 && b.n <= b.cap);
    return b;
}

static uint8_t *rgb_of(const struct oc_frame *f)
{
    uint8_t *rgb = malloc((size_t)f->size * (size_t)f->size * 3);
    assert_non_null(rgb);
    oc_frame_rgb(f, rgb);
    return rgb;
}

/* How near two pictures are, in decibels. */
static double psnr(const uint8_t *a, const uint8_t *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum == 0 ? INFINITY : 10 * log10(255.0 * 255.0 * (double)n / sum);
}

/* ---- decoders ------------------------------------------------------------------------------- */

static uint8_t *decode_jpeg(const struct oc_bytes *b, int size)
{
    struct jpeg_decompress_struct d;
    struct jpeg_error_mgr errors;
    uint8_t *rgb = malloc((size_t)size * (size_t)size * 3);
    assert_non_null(rgb);
    d.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&d);
    jpeg_mem_src(&d, b->data, b->n);
    assert_int_equal(jpeg_read_header(&d, TRUE), JPEG_HEADER_OK);
    assert_int_equal(d.image_width, size);
    assert_int_equal(d.image_height, size);
    d.out_color_space = JCS_RGB;
    d.dct_method = JDCT_ISLOW;
    (void)jpeg_start_decompress(&d);
    while (d.output_scanline < d.output_height) {
        JSAMPROW row = rgb + (size_t)d.output_scanline * (size_t)size * 3;
        (void)jpeg_read_scanlines(&d, &row, 1);
    }
    (void)jpeg_finish_decompress(&d);
    assert_int_equal(errors.num_warnings, 0);
    jpeg_destroy_decompress(&d);
    return rgb;
}

/* The planes of a JPEG, before a decoder makes colours of them. */
static struct oc_frame planes_of_jpeg(const struct oc_bytes *b, int size)
{
    struct oc_frame f = frame_of(size, 99);
    struct jpeg_decompress_struct d;
    struct jpeg_error_mgr errors;
    d.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&d);
    jpeg_mem_src(&d, b->data, b->n);
    (void)jpeg_read_header(&d, TRUE);
    d.raw_data_out = TRUE;
    d.dct_method = JDCT_ISLOW;
    (void)jpeg_start_decompress(&d);
    while (d.output_scanline < d.output_height) {
        const int at = (int)d.output_scanline;
        JSAMPROW y[16], u[8], v[8];
        JSAMPARRAY rows[] = {y, u, v};
        for (int i = 0; i < 16; i++)
            y[i] = f.y + (at + i) * f.stride;
        for (int i = 0; i < 8; i++) {
            u[i] = f.u + (at / 2 + i) * f.cstride;
            v[i] = f.v + (at / 2 + i) * f.cstride;
        }
        (void)jpeg_read_raw_data(&d, rows, 16);
    }
    (void)jpeg_finish_decompress(&d);
    jpeg_destroy_decompress(&d);
    return f;
}

static uint8_t *decode_png(const struct oc_bytes *b, int width, int height)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_memory(&image, b->data, b->n));
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    assert_int_equal(image.format, PNG_FORMAT_RGB);
    uint8_t *rgb = malloc(PNG_IMAGE_SIZE(image));
    assert_non_null(rgb);
    assert_true(png_image_finish_read(&image, NULL, rgb, 0, NULL));
    assert_int_equal(image.warning_or_error, 0);
    return rgb;
}

static uint8_t *decode_webp(const struct oc_bytes *b, int size)
{
    const size_t row = (size_t)size * 3;
    int width = 0, height = 0;
    uint8_t *rgb = malloc(row * (size_t)size);
    assert_non_null(rgb);
    assert_true(WebPGetInfo(b->data, b->n, &width, &height));
    assert_int_equal(width, size);
    assert_int_equal(height, size);
    assert_non_null(WebPDecodeRGBInto(b->data, b->n, rgb, row * (size_t)size, (int)row));
    return rgb;
}

static uint8_t *decoded(const struct oc_bytes *b, enum oc_format format, int size)
{
    return format == OC_JPEG   ? decode_jpeg(b, size)
           : format == OC_WEBP ? decode_webp(b, size)
                               : decode_png(b, size, size);
}

/* How near what is decoded is to the frame. */
static double nearness(const struct oc_frame *f, enum oc_format format, int quality)
{
    struct oc_bytes b = encoded(f, format, quality);
    uint8_t *want = rgb_of(f), *got = decoded(&b, format, f->size);
    const double decibels = psnr(want, got, (size_t)f->size * (size_t)f->size * 3);
    free(want);
    free(got);
    oc_bytes_finish(&b);
    return decibels;
}

/* ---- pictures ------------------------------------------------------------------------------- */

static void a_png_is_exactly_the_frame(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct oc_frame f = frame_of(sizes[i], 1);
        assert_true(nearness(&f, OC_PNG, 50) == INFINITY);
        oc_frame_finish(&f);
    }
}

static void a_jpeg_and_a_webp_are_nearly_the_frame(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct oc_frame f = frame_of(sizes[i], 2);
        const double jpeg = nearness(&f, OC_JPEG, 90), webp = nearness(&f, OC_WEBP, 90);
        if (jpeg < 38 || webp < 36)
            fail_msg("%d: JPEG %.1f dB, WebP %.1f dB", sizes[i], jpeg, webp);
        oc_frame_finish(&f);
    }
}

static void a_better_quality_is_larger_and_nearer(void **state)
{
    (void)state;
    struct oc_frame f = frame_of(333, 3);
    for (int format = OC_JPEG; format <= OC_WEBP; format++) {
        size_t before = 0;
        double further = 15;
        for (int quality = 1; quality <= 100; quality += 33) {
            struct oc_bytes b = encoded(&f, (enum oc_format)format, quality);
            const double now = nearness(&f, (enum oc_format)format, quality);
            assert_true(b.n > before && now > further);
            before = b.n;
            further = now;
            oc_bytes_finish(&b);
        }
        assert_true(further > 42);
    }
    oc_frame_finish(&f);
}

static void quality_is_nothing_to_a_png(void **state)
{
    (void)state;
    struct oc_frame f = frame_of(97, 3);
    struct oc_bytes a = encoded(&f, OC_PNG, 1), b = encoded(&f, OC_PNG, 100);
    assert_int_equal(a.n, b.n);
    assert_memory_equal(a.data, b.data, a.n);
    oc_bytes_finish(&a);
    oc_bytes_finish(&b);
    oc_frame_finish(&f);
}

/* So a PNG shows what the browser shows of a JPEG that lost nothing. */
static void rgb_is_to_the_bit_what_a_jpeg_decoder_makes_of_the_planes(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct oc_frame f = frame_of(sizes[i], 4);
        struct oc_bytes b = encoded(&f, OC_JPEG, 95);
        struct oc_frame planes = planes_of_jpeg(&b, sizes[i]);
        uint8_t *want = decode_jpeg(&b, sizes[i]), *got = rgb_of(&planes);
        assert_memory_equal(want, got, (size_t)sizes[i] * (size_t)sizes[i] * 3);
        free(want);
        free(got);
        oc_frame_finish(&planes);
        oc_bytes_finish(&b);
        oc_frame_finish(&f);
    }
}

static void colours_are_those_of_the_jpeg_standard(void **state)
{
    (void)state;
    static const struct {
        uint8_t y, u, v, rgb[3];
    } cases[] = {
        {0, 128, 128, {0, 0, 0}},   {255, 128, 128, {255, 255, 255}}, {93, 128, 128, {93, 93, 93}},
        {76, 85, 255, {254, 0, 0}}, {150, 44, 21, {0, 255, 1}},       {29, 255, 107, {0, 0, 254}},
        {0, 0, 0, {0, 135, 0}},     {255, 255, 255, {255, 121, 255}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct oc_frame f = frame_of(65, 0);
        for (int y = 0; y < 65; y++)
            memset(f.y + y * f.stride, cases[i].y, 65);
        for (int y = 0; y < 33; y++) {
            memset(f.u + y * f.cstride, cases[i].u, 33);
            memset(f.v + y * f.cstride, cases[i].v, 33);
        }
        uint8_t *rgb = rgb_of(&f);
        for (size_t k = 0; k < 65 * 65; k++)
            assert_memory_equal(rgb + 3 * k, cases[i].rgb, 3);
        struct oc_bytes b = encoded(&f, OC_WEBP, 100);
        uint8_t *webp = decode_webp(&b, 65);
        for (size_t k = 0; k < 65 * 65 * 3; k++)
            assert_in_range(webp[k] + 3, rgb[k], rgb[k] + 6);
        free(webp);
        oc_bytes_finish(&b);
        free(rgb);
        oc_frame_finish(&f);
    }
}

static void rows_of_rgb_become_a_png_of_any_shape(void **state)
{
    (void)state;
    static const int shapes[][2] = {{1, 1}, {3, 700}, {701, 2}, {300, 200}};
    static uint8_t rgb[300 * 200 * 3];
    struct fm_rng rng;
    struct fm_fault fault;
    struct oc_bytes b = {0};
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){7}, 0);
    fm_rng_bytes(&rng, rgb, sizeof rgb);
    for (size_t i = 0; i < COUNT(shapes); i++) {
        const int width = shapes[i][0], height = shapes[i][1];
        assert_int_equal(oc_encode_rgb(&b, rgb, width, height, &fault), FM_OK);
        uint8_t *got = decode_png(&b, width, height);
        assert_memory_equal(got, rgb, (size_t)(width * height * 3));
        free(got);
    }
    oc_bytes_finish(&b);
}

/* ---- nothing but the picture ---------------------------------------------------------------- */

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

static void a_file_holds_nothing_but_what_its_format_demands(void **state)
{
    (void)state;
    static const int qualities[] = {50, 1, 10, 75, 100};
    static void (*const checks[OC_FORMATS])(const struct oc_bytes *, int) = {
        [OC_JPEG] = check_jpeg,
        [OC_WEBP] = check_webp,
        [OC_PNG] = check_png,
    };
    for (int size = 64; size <= 640; size += 64 + 31) {
        struct oc_frame f = frame_of(size, 5);
        for (int format = 0; format < OC_FORMATS; format++) {
            for (size_t i = 0; i < (format == OC_PNG ? 1 : COUNT(qualities)); i++) {
                struct oc_bytes b = encoded(&f, (enum oc_format)format, qualities[i]);
                checks[format](&b, size);
                oc_bytes_finish(&b);
            }
        }
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

/* ---- memory --------------------------------------------------------------------------------- */

static void used_memory_gives_the_same_bytes_as_fresh(void **state)
{
    (void)state;
    struct oc_bytes used = {0};
    struct fm_fault fault;
    for (size_t i = COUNT(sizes) - 1; i-- > 0;) { /* larger ones first; the largest takes long */
        struct oc_frame f = frame_of(sizes[i], (uint8_t)i);
        for (int format = OC_FORMATS; format-- > 0;) {
            struct oc_bytes fresh = encoded(&f, (enum oc_format)format, 50);
            assert_int_equal(oc_encode(&used, &f, (enum oc_format)format, 50, &fault), FM_OK);
            assert_int_equal(fresh.n, used.n);
            assert_memory_equal(fresh.data, used.data, used.n);
            oc_bytes_finish(&fresh);
        }
        oc_frame_finish(&f);
    }
    oc_bytes_finish(&used);
    assert_null(used.data);
    assert_int_equal(used.n + used.cap, 0);
    oc_bytes_finish(&used);
}

static void memory_that_is_large_enough_stays_where_it_is(void **state)
{
    (void)state;
    struct oc_frame large = frame_of(640, 1), small = frame_of(97, 1);
    struct oc_bytes b = encoded(&large, OC_PNG, 1);
    const uint8_t *const where = b.data;
    const size_t cap = b.cap;
    struct fm_fault fault;
    for (int i = 0; i < 2 * OC_FORMATS; i++) {
        const enum oc_format format = (enum oc_format)(i % OC_FORMATS);
        const struct oc_frame *f = i < OC_FORMATS ? &small : &large;
        assert_int_equal(oc_encode(&b, f, format, 50, &fault), FM_OK);
        assert_ptr_equal(b.data, where);
        assert_int_equal(b.cap, cap);
    }
    oc_bytes_finish(&b);
    oc_frame_finish(&small);
    oc_frame_finish(&large);
}

/* The test is linked so that what the encoders call is this. */
void *__real_realloc(void *old, size_t n);
void *__wrap_realloc(void *old, size_t n);

static int reallocs_left = -1; /* -1: there is always memory */

void *__wrap_realloc(void *old, size_t n)
{
    if (reallocs_left == 0)
        return NULL;
    reallocs_left -= reallocs_left > 0;
    return __real_realloc(old, n);
}

static void memory_may_end_anywhere(void **state)
{
    (void)state;
    struct oc_frame f = frame_of(640, 9);
    for (int format = 0; format < OC_FORMATS; format++) {
        struct oc_bytes want = encoded(&f, (enum oc_format)format, 90);
        enum fm_err err = FM_E_MEMORY;
        int times = 0;
        for (; err != FM_OK; times++) {
            struct oc_bytes b = {0};
            struct fm_fault fault = {.code = FM_OK};
            reallocs_left = times;
            err = oc_encode(&b, &f, (enum oc_format)format, 90, &fault);
            reallocs_left = -1;
            assert_int_equal(fault.code, err);
            assert_int_equal(b.n, err == FM_OK ? want.n : 0);
            if (err != FM_OK) { /* what there is can be used on */
                assert_int_equal(err, FM_E_MEMORY);
                assert_int_equal(oc_encode(&b, &f, (enum oc_format)format, 90, &fault), FM_OK);
            }
            assert_memory_equal(b.data, want.data, want.n);
            oc_bytes_finish(&b);
        }
        /* it grew that often, and failed each time; a WebP comes in few pieces */
        assert_true(times > (format == OC_WEBP ? 1 : 3));
        oc_bytes_finish(&want);
    }
    oc_frame_finish(&f);
}

static void more_than_64_mb_are_refused(void **state)
{
    (void)state;
    const int side = 4800; /* 66 MB of noise */
    const size_t n = (size_t)side * (size_t)side * 3;
    struct oc_bytes b = {0};
    struct fm_fault fault;
    struct fm_rng rng;
    uint8_t *rgb = malloc(n);
    assert_non_null(rgb);
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){8}, 0);
    fm_rng_bytes(&rng, rgb, n);
    assert_int_equal(oc_encode_rgb(&b, rgb, side, side, &fault), FM_E_SIZE);
    assert_int_equal(fault.code, FM_E_SIZE);
    assert_int_equal(b.n, 0);
    assert_true(b.cap <= 64 << 20);
    assert_int_equal(oc_encode_rgb(&b, rgb, 10, 10, &fault), FM_OK); /* it can be used on */
    free(decode_png(&b, 10, 10));
    free(rgb);
    oc_bytes_finish(&b);
}

static void what_a_library_refuses_is_said_and_ends_nothing(void **state)
{
    (void)state;
    const int width = 1000001; /* libpng's limit is a million */
    struct oc_bytes b = {0};
    struct fm_fault fault;
    uint8_t *rgb = calloc((size_t)width, 3);
    assert_non_null(rgb);
    assert_int_equal(oc_encode_rgb(&b, rgb, width, 1, &fault), FM_E_VALUE);
    assert_string_equal(fault.text, "this picture cannot become a PNG: Invalid IHDR data");
    assert_int_equal(b.n, 0);
    free(rgb);
    oc_bytes_finish(&b);
}

struct worker {
    const struct oc_frame *f;
    const struct oc_bytes *want;
    bool same;
};

static void *encode_often(void *arg)
{
    struct worker *w = arg;
    struct oc_bytes b = {0};
    struct fm_fault fault;
    w->same = true;
    for (int i = 0; i < 60; i++) {
        const struct oc_bytes *want = &w->want[i % OC_FORMATS];
        w->same &= oc_encode(&b, w->f, (enum oc_format)(i % OC_FORMATS), 50, &fault) == FM_OK;
        w->same &= b.n == want->n && memcmp(b.data, want->data, b.n) == 0;
    }
    oc_bytes_finish(&b);
    return NULL;
}

static void threads_encode_side_by_side(void **state)
{
    (void)state;
    struct oc_frame f = frame_of(97, 9);
    struct oc_bytes want[OC_FORMATS];
    struct worker workers[4];
    pthread_t threads[COUNT(workers)];
    for (int i = 0; i < OC_FORMATS; i++)
        want[i] = encoded(&f, (enum oc_format)i, 50);
    for (size_t i = 0; i < COUNT(workers); i++) {
        workers[i] = (struct worker){.f = &f, .want = want};
        assert_int_equal(pthread_create(&threads[i], NULL, encode_often, &workers[i]), 0);
    }
    for (size_t i = 0; i < COUNT(workers); i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_true(workers[i].same);
    }
    for (int i = 0; i < OC_FORMATS; i++)
        oc_bytes_finish(&want[i]);
    oc_frame_finish(&f);
}

/* ---- names ---------------------------------------------------------------------------------- */

static void the_ending_of_a_name_is_its_format(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        enum oc_format format;
    } cases[] = {
        {"a.jpg", OC_JPEG},         {"a.jpeg", OC_JPEG},         {"A.JPG", OC_JPEG},
        {"a.webp", OC_WEBP},        {"dir.png/a.WebP", OC_WEBP}, {"a.b.png", OC_PNG},
        {"/tmp/x y/é.Png", OC_PNG},
    };
    static const char *const wrong[] = {
        "", "a", "png", "a.", "a.gif", "a.png ", "a.pngx", "a.pn", "a.jpg.txt", "a.png/b", "apng",
    };
    struct fm_fault fault;
    for (size_t i = 0; i < COUNT(cases); i++) {
        enum oc_format format = OC_FORMATS;
        assert_int_equal(oc_format_of(cases[i].path, &format, &fault), FM_OK);
        assert_int_equal(format, cases[i].format);
    }
    for (size_t i = 0; i < COUNT(wrong); i++) {
        enum oc_format format = OC_FORMATS;
        assert_int_equal(oc_format_of(wrong[i], &format, &fault), FM_E_VALUE);
        assert_int_equal(format, OC_FORMATS);
    }
    assert_string_equal(fault.text, "\"apng\" does not end in .jpg, .jpeg, .webp or .png");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_png_is_exactly_the_frame),
        cmocka_unit_test(a_jpeg_and_a_webp_are_nearly_the_frame),
        cmocka_unit_test(a_better_quality_is_larger_and_nearer),
        cmocka_unit_test(quality_is_nothing_to_a_png),
        cmocka_unit_test(rgb_is_to_the_bit_what_a_jpeg_decoder_makes_of_the_planes),
        cmocka_unit_test(colours_are_those_of_the_jpeg_standard),
        cmocka_unit_test(rows_of_rgb_become_a_png_of_any_shape),
        cmocka_unit_test(a_file_holds_nothing_but_what_its_format_demands),
        cmocka_unit_test(what_lies_beside_the_picture_is_not_in_its_bytes),
        cmocka_unit_test(used_memory_gives_the_same_bytes_as_fresh),
        cmocka_unit_test(memory_that_is_large_enough_stays_where_it_is),
        cmocka_unit_test(memory_may_end_anywhere),
        cmocka_unit_test(more_than_64_mb_are_refused),
        cmocka_unit_test(what_a_library_refuses_is_said_and_ends_nothing),
        cmocka_unit_test(threads_encode_side_by_side),
        cmocka_unit_test(the_ending_of_a_name_is_its_format),
    };
    return tests_run("ocean_encode", tests, sizeof tests / sizeof tests[0]);
}
