/* ocean_encode_frames.c: makes frames, encodes them, and decodes the files with the libraries. */
#include "unit/ocean_encode_frames.h"

#include <fathom/rng.h>

#include <stdio.h> /* jpeglib.h needs it and does not include it */

#include <jpeglib.h>
#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <webp/decode.h>

static uint8_t byte_of(double value)
{
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value + 0.5);
}

struct oc_frame frame_of(int size, uint8_t seed)
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

struct oc_bytes encoded(const struct oc_frame *f, enum oc_format format, int quality)
{
    struct oc_bytes b = {0};
    struct fm_fault fault;
    if (oc_encode(&b, f, format, quality, &fault) != FM_OK)
        fail_msg("%s", fault.text);
    assert_true(b.n > 0 && b.n <= b.cap);
    return b;
}

uint8_t *rgb_of(const struct oc_frame *f)
{
    uint8_t *rgb = malloc((size_t)f->size * (size_t)f->size * 3);
    assert_non_null(rgb);
    oc_frame_rgb(f, rgb);
    return rgb;
}

/* ---- decoders ------------------------------------------------------------------------------- */

uint8_t *decode_jpeg(const struct oc_bytes *b, int size)
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

struct oc_frame planes_of_jpeg(const struct oc_bytes *b, int size)
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

uint8_t *decode_png(const struct oc_bytes *b, int width, int height)
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

uint8_t *decode_webp(const struct oc_bytes *b, int size)
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
