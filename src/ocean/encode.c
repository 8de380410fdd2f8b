/*
 * encode.c: frames to JPEG, WebP and PNG, each by its library, into memory that is used again.
 *
 * The libraries report errors by a jump or a status; none of them may print or end the process.
 */
#include "ocean/encode.h"

#include "base/panic.h"

#include <stdio.h> /* jpeglib.h needs it and does not include it */

#include <jpeglib.h>
#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <webp/encode.h>

#define BYTES_MAX    ((size_t)64 << 20)
#define BYTES_FIRST  16384
#define WEBP_METHOD  2 /* 0 fast .. 6 small */
#define LIBRARY_TEXT 120

/* ---- bytes ---------------------------------------------------------------------------------- */

void oc_bytes_finish(struct oc_bytes *b)
{
    free(b->data);
    *b = (struct oc_bytes){0};
}

/* Makes room for n bytes in all, which is more than there is. */
static enum fm_err grow(struct oc_bytes *b, size_t n)
{
    if (n > BYTES_MAX)
        return FM_E_SIZE;
    size_t cap = b->cap < BYTES_FIRST ? BYTES_FIRST : b->cap;
    while (cap < n)
        cap *= 2;
    cap = cap < BYTES_MAX ? cap : BYTES_MAX;
    uint8_t *data = realloc(b->data, cap);
    if (data == NULL)
        return FM_E_MEMORY;
    b->data = data;
    b->cap = cap;
    return FM_OK;
}

static enum fm_err append(struct oc_bytes *b, const uint8_t *data, size_t n)
{
    if (n > b->cap - b->n) {
        const enum fm_err err = grow(b, b->n + n);
        if (err != FM_OK)
            return err;
    }
    memcpy(b->data + b->n, data, n);
    b->n += n;
    return FM_OK;
}

/* Why there is no picture: what the bytes ran into, or what the library says. */
static enum fm_err fail(struct fm_fault *fault, enum fm_err code, const char *format,
                        const char *said)
{
    if (code != FM_OK)
        return fm_fail_plain(fault, code);
    return fm_fail(fault, FM_E_VALUE, "this picture cannot become a %s: %s", format, said);
}

/* ---- JPEG ----------------------------------------------------------------------------------- */

struct jpeg_job {
    struct jpeg_compress_struct c;
    struct jpeg_error_mgr errors;
    struct jpeg_destination_mgr to;
    struct oc_bytes *b;
    enum fm_err code; /* of the bytes; FM_OK: the library's own error */
    char said[JMSG_LENGTH_MAX];
    jmp_buf failed;
};

static struct jpeg_job *job_of(j_common_ptr c)
{
    return c->client_data;
}

static void jpeg_failed(j_common_ptr c)
{
    struct jpeg_job *job = job_of(c);
    (*c->err->format_message)(c, job->said);
    longjmp(job->failed, 1);
}

static void jpeg_says_nothing(j_common_ptr c)
{
    (void)c;
}

/* All the memory there is, from byte n on, is the library's to fill. */
static void jpeg_room(struct jpeg_job *job, size_t n)
{
    if (n == job->b->cap) {
        job->code = grow(job->b, n + 1);
        if (job->code != FM_OK)
            longjmp(job->failed, 1);
    }
    job->to.next_output_byte = job->b->data + n;
    job->to.free_in_buffer = job->b->cap - n;
}

static void jpeg_begin(j_compress_ptr c)
{
    jpeg_room(c->client_data, 0);
}

static boolean jpeg_full(j_compress_ptr c)
{
    struct jpeg_job *job = c->client_data;
    jpeg_room(job, job->b->cap);
    return TRUE;
}

static void jpeg_end(j_compress_ptr c)
{
    struct jpeg_job *job = c->client_data;
    job->b->n = job->b->cap - job->to.free_in_buffer;
}

/* Rows of a plane, the last one again where there are no more. What lies beside the picture must
 * not be seen in its bytes: where its side is not whole blocks, the rows are copied to `edged` and
 * go on with their last pixel. */
static void gather(JSAMPROW *rows, int n, uint8_t *plane, int stride, int side, int first,
                   JSAMPARRAY edged)
{
    for (int i = 0; i < n; i++) {
        const int y = first + i < side ? first + i : side - 1;
        rows[i] = plane + (size_t)y * (size_t)stride;
        if (edged == NULL)
            continue;
        memcpy(edged[i], rows[i], (size_t)side);
        memset(edged[i] + side, rows[i][side - 1], DCTSIZE);
        rows[i] = edged[i];
    }
}

static void write_jpeg(struct jpeg_job *job, const struct oc_frame *f, int quality)
{
    j_compress_ptr c = &job->c;
    const int half = (f->size + 1) / 2;
    jpeg_create_compress(c);
    c->dest = &job->to;
    c->image_width = c->image_height = (JDIMENSION)f->size;
    c->input_components = 3;
    c->in_color_space = JCS_YCbCr;
    jpeg_set_defaults(c); /* 4:2:0, the standard's Huffman tables */
    jpeg_set_quality(c, quality, TRUE);
    c->raw_data_in = TRUE;
    c->dct_method = JDCT_ISLOW;
    jpeg_start_compress(c, TRUE);

    JSAMPROW y[2 * DCTSIZE], u[DCTSIZE], v[DCTSIZE];
    JSAMPARRAY rows[] = {y, u, v}, edged[3] = {NULL, NULL, NULL};
    if (f->size % (2 * DCTSIZE) != 0) /* freed with c */
        for (int i = 0; i < 3; i++)
            edged[i] = (*c->mem->alloc_sarray)((j_common_ptr)c, JPOOL_IMAGE,
                                               (JDIMENSION)(i == 0 ? f->size : half) + DCTSIZE,
                                               i == 0 ? 2 * DCTSIZE : DCTSIZE);
    for (int at = 0; at < f->size; at += 2 * DCTSIZE) {
        gather(y, 2 * DCTSIZE, f->y, f->stride, f->size, at, edged[0]);
        gather(u, DCTSIZE, f->u, f->cstride, half, at / 2, edged[1]);
        gather(v, DCTSIZE, f->v, f->cstride, half, at / 2, edged[2]);
        (void)jpeg_write_raw_data(c, rows, 2 * DCTSIZE);
    }
    jpeg_finish_compress(c);
}

/* A function of its own, so that the jump loses no variable of the caller. */
static bool jpeg_succeeds(struct jpeg_job *job, const struct oc_frame *f, int quality)
{
    if (setjmp(job->failed) != 0)
        return false;
    write_jpeg(job, f, quality);
    return true;
}

static enum fm_err encode_jpeg(struct oc_bytes *b, const struct oc_frame *f, int quality,
                               struct fm_fault *fault)
{
    struct jpeg_job job = {.b = b};
    job.c.err = jpeg_std_error(&job.errors);
    job.c.client_data = &job;
    job.errors.error_exit = jpeg_failed;
    job.errors.output_message = jpeg_says_nothing;
    job.to.init_destination = jpeg_begin;
    job.to.empty_output_buffer = jpeg_full;
    job.to.term_destination = jpeg_end;
    const bool made = jpeg_succeeds(&job, f, quality);
    jpeg_destroy_compress(&job.c);
    return made ? FM_OK : fail(fault, job.code, "JPEG", job.said);
}

/* ---- WebP ----------------------------------------------------------------------------------- */

struct webp_job {
    struct oc_bytes *b;
    enum fm_err code;
};

static int webp_bytes(const uint8_t *data, size_t n, const WebPPicture *picture)
{
    struct webp_job *job = picture->custom_ptr;
    job->code = append(job->b, data, n);
    return job->code == FM_OK;
}

/* A plane from 0 .. 255 to a range of video: (value * steps + offset) / 255, to the nearest. */
static void narrow(uint8_t *to, int to_stride, const uint8_t *from, int stride, int side,
                   unsigned steps, unsigned offset)
{
    for (int y = 0; y < side; y++) {
        uint8_t *t = to + (size_t)y * (size_t)to_stride;
        const uint8_t *s = from + (size_t)y * (size_t)stride;
        for (int x = 0; x < side; x++)
            t[x] = (uint8_t)((s[x] * steps + offset + 127) / 255);
    }
}

static enum fm_err encode_webp(struct oc_bytes *b, const struct oc_frame *f, int quality,
                               struct fm_fault *fault)
{
    struct webp_job job = {.b = b};
    WebPConfig config;
    WebPPicture picture;
    if (!WebPConfigInit(&config) || !WebPPictureInit(&picture))
        return fail(fault, FM_OK, "WebP", "libwebp is of another version");
    config.quality = (float)quality;
    config.method = WEBP_METHOD;
    picture.width = picture.height = f->size;
    picture.colorspace = WEBP_YUV420;
    picture.writer = webp_bytes;
    picture.custom_ptr = &job;
    if (!WebPPictureAlloc(&picture))
        return fm_fail_plain(fault, FM_E_MEMORY);
    const int half = (f->size + 1) / 2;
    narrow(picture.y, picture.y_stride, f->y, f->stride, f->size, 219, 16 * 255);
    narrow(picture.u, picture.uv_stride, f->u, f->cstride, half, 224, 128 * (255 - 224));
    narrow(picture.v, picture.uv_stride, f->v, f->cstride, half, 224, 128 * (255 - 224));
    const bool made = WebPEncode(&config, &picture);
    const WebPEncodingError why = picture.error_code;
    WebPPictureFree(&picture);
    if (made)
        return FM_OK;
    if (why == VP8_ENC_ERROR_OUT_OF_MEMORY || why == VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY)
        job.code = FM_E_MEMORY;
    char said[LIBRARY_TEXT];
    (void)snprintf(said, sizeof said, "libwebp's error %d", (int)why);
    return fail(fault, job.code, "WebP", said);
}

/* ---- PNG ------------------------------------------------------------------------------------ */

struct png_job {
    struct oc_bytes *b;
    enum fm_err code;
    char said[LIBRARY_TEXT];
    jmp_buf failed;
};

static void png_failed(png_structp png, png_const_charp what)
{
    struct png_job *job = png_get_error_ptr(png);
    (void)snprintf(job->said, sizeof job->said, "%s", what);
    longjmp(job->failed, 1);
}

static void png_says_nothing(png_structp png, png_const_charp what)
{
    (void)png;
    (void)what;
}

static void png_bytes(png_structp png, png_bytep data, size_t n)
{
    struct png_job *job = png_get_io_ptr(png);
    job->code = append(job->b, data, n);
    if (job->code != FM_OK)
        longjmp(job->failed, 1);
}

static void png_flushed(png_structp png)
{
    (void)png;
}

static void write_png(png_structp png, png_infop info, const uint8_t *rgb, int width, int height)
{
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int y = 0; y < height; y++)
        png_write_row(png, rgb + (size_t)y * (size_t)width * 3);
    png_write_end(png, NULL);
}

static bool png_succeeds(struct png_job *job, png_structp png, png_infop info, const uint8_t *rgb,
                         int width, int height)
{
    if (setjmp(job->failed) != 0)
        return false;
    write_png(png, info, rgb, width, height);
    return true;
}

enum fm_err oc_encode_rgb(struct oc_bytes *b, const uint8_t *rgb, int width, int height,
                          struct fm_fault *fault)
{
    fm_assert(width > 0 && height > 0);
    struct png_job job = {.b = b};
    b->n = 0;
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, &job, png_failed, png_says_nothing);
    png_infop info = png == NULL ? NULL : png_create_info_struct(png);
    if (info == NULL) {
        png_destroy_write_struct(&png, NULL);
        return fm_fail_plain(fault, FM_E_MEMORY);
    }
    png_set_write_fn(png, &job, png_bytes, png_flushed);
    const bool made = png_succeeds(&job, png, info, rgb, width, height);
    png_destroy_write_struct(&png, &info);
    if (made)
        return FM_OK;
    b->n = 0;
    return fail(fault, job.code, "PNG", job.said);
}

static enum fm_err encode_png(struct oc_bytes *b, const struct oc_frame *f, struct fm_fault *fault)
{
    uint8_t *rgb = malloc((size_t)f->size * (size_t)f->size * 3);
    if (rgb == NULL)
        return fm_fail_plain(fault, FM_E_MEMORY);
    oc_frame_rgb(f, rgb);
    const enum fm_err err = oc_encode_rgb(b, rgb, f->size, f->size, fault);
    free(rgb);
    return err;
}

/* ---- any format ----------------------------------------------------------------------------- */

enum fm_err oc_format_of(const char *path, enum oc_format *format, struct fm_fault *fault)
{
    static const struct {
        const char *ending;
        enum oc_format format;
    } endings[] = {{"jpg", OC_JPEG}, {"jpeg", OC_JPEG}, {"webp", OC_WEBP}, {"png", OC_PNG}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof endings / sizeof endings[0]; i++) {
        if (strcasecmp(dot + 1, endings[i].ending) == 0) {
            *format = endings[i].format;
            return FM_OK;
        }
    }
    return fm_fail(fault, FM_E_VALUE, "\"%.100s\" does not end in .jpg, .jpeg, .webp or .png",
                   path);
}

enum fm_err oc_encode(struct oc_bytes *b, const struct oc_frame *f, enum oc_format format,
                      int quality, struct fm_fault *fault)
{
    fm_assert(quality >= 1 && quality <= 100);
    enum fm_err err = FM_OK;
    b->n = 0;
    switch (format) {
    case OC_JPEG:
        err = encode_jpeg(b, f, quality, fault);
        break;
    case OC_WEBP:
        err = encode_webp(b, f, quality, fault);
        break;
    case OC_PNG:
        err = encode_png(b, f, fault);
        break;
    default:
        fm_panic(__FILE__, __LINE__, "no such format");
    }
    if (err != FM_OK)
        b->n = 0;
    return err;
}
