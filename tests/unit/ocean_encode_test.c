/* ocean_encode_test.c: frames become JPEG, WebP and PNG files; decoders get the picture back. */
#include "unit/ocean_encode_frames.h"

#include <fathom/rng.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How near two pictures are, in decibels. */
static double psnr(const uint8_t *a, const uint8_t *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum == 0 ? INFINITY : 10 * log10(255.0 * 255.0 * (double)n / sum);
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

static void a_png_is_exactly_the_frame(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct oc_frame f = frame_of(sizes[i], 1);
        assert_true(nearness(&f, OC_PNG, 50) == INFINITY);
        oc_frame_finish(&f);
    }
}

/* The largest takes as long as all others: with sanitizers it is a PNG alone. */
#define SOME_SIZES (COUNT(sizes) - TESTS_SANITIZED)

static void a_jpeg_and_a_webp_are_nearly_the_frame(void **state)
{
    (void)state;
    for (size_t i = 0; i < SOME_SIZES; i++) {
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

static void quality_does_not_change_a_png(void **state)
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
    for (size_t i = 0; i < SOME_SIZES; i++) {
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

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_png_is_exactly_the_frame),
    cmocka_unit_test(a_jpeg_and_a_webp_are_nearly_the_frame),
    cmocka_unit_test(a_better_quality_is_larger_and_nearer),
    cmocka_unit_test(quality_does_not_change_a_png),
    cmocka_unit_test(rgb_is_to_the_bit_what_a_jpeg_decoder_makes_of_the_planes),
    cmocka_unit_test(colours_are_those_of_the_jpeg_standard),
    cmocka_unit_test(rows_of_rgb_become_a_png_of_any_shape),
    cmocka_unit_test(the_ending_of_a_name_is_its_format),
};
static const struct tests_group pictures = TESTS_GROUP(tests);

int main(void)
{
    static const struct tests_group *const groups[] = {&pictures, &ocean_encode_format,
                                                       &ocean_encode_memory};
    return tests_run_groups("ocean_encode", groups, sizeof groups / sizeof groups[0]);
}
