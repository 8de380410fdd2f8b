/* decode.c: JPEG to small pixels, by libjpeg's own scaling. */
#include "ocean/decode.h"

#include <setjmp.h>
#include <stdio.h> /* jpeglib.h needs it and does not include it */

#include <jpeglib.h>

struct job {
    struct jpeg_decompress_struct d;
    struct jpeg_error_mgr errors;
    jmp_buf failed;
};

static void fail(j_common_ptr d)
{
    struct job *job = d->client_data;
    longjmp(job->failed, 1);
}

static void say_nothing(j_common_ptr d)
{
    (void)d;
}

static enum fm_err read_pixels(struct job *job, uint8_t *pixels, int side)
{
    struct jpeg_decompress_struct *d = &job->d;
    if (jpeg_read_header(d, TRUE) != JPEG_HEADER_OK ||
        d->image_width != (JDIMENSION)(side * OC_DECODE_LESS) || d->image_height != d->image_width)
        return FM_E_VALUE;
    d->scale_num = 1;
    d->scale_denom = OC_DECODE_LESS;
    d->out_color_space = JCS_YCbCr;
    d->do_fancy_upsampling = FALSE;
    (void)jpeg_start_decompress(d);
    if (d->output_width != (JDIMENSION)side || d->output_components != 3)
        return FM_E_VALUE;
    while (d->output_scanline < d->output_height) {
        JSAMPROW row = pixels + (size_t)d->output_scanline * (size_t)side * 3;
        (void)jpeg_read_scanlines(d, &row, 1);
    }
    (void)jpeg_finish_decompress(d);
    return FM_OK;
}

/* A function of its own, so that the jump loses no variable of the caller. */
static enum fm_err decode(struct job *job, uint8_t *pixels, int side, const uint8_t *bytes,
                          size_t n)
{
    if (setjmp(job->failed) != 0)
        return FM_E_VALUE;
    jpeg_create_decompress(&job->d);
    jpeg_mem_src(&job->d, bytes, (unsigned long)n);
    return read_pixels(job, pixels, side);
}

enum fm_err oc_decode(uint8_t *pixels, int side, const uint8_t *bytes, size_t n,
                      struct fm_fault *fault)
{
    struct job job = {0};
    job.d.err = jpeg_std_error(&job.errors);
    job.d.client_data = &job;
    job.errors.error_exit = fail;
    job.errors.output_message = say_nothing;
    const enum fm_err err = decode(&job, pixels, side, bytes, n);
    jpeg_destroy_decompress(&job.d);
    if (err != FM_OK)
        fm_fail(fault, err, "not a picture of %d x %d pixels", side * OC_DECODE_LESS,
                side * OC_DECODE_LESS);
    return err;
}
