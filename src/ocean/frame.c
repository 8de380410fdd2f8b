/* frame.c: memory of a picture before it is encoded, and its pixels. */
#include "ocean/frame.h"

#include "base/panic.h"

#include <stdlib.h>
#include <string.h>

int oc_frame_padded(int size)
{
    return (size + OC_TILE - 1) / OC_TILE * OC_TILE;
}

enum fm_err oc_frame_init(struct oc_frame *f, int size, struct fm_fault *fault)
{
    fm_assert(size >= OC_SIZE_MIN && size <= OC_SIZE_MAX);
    const size_t side = (size_t)oc_frame_padded(size), half = side / 2;
    *f = (struct oc_frame){.size = size, .stride = (int)side, .cstride = (int)half};
    f->y = aligned_alloc(64, side * side + 2 * half * half);
    if (f->y == NULL)
        return fm_fail_plain(fault, FM_E_MEMORY);
    memset(f->y, 0, side * side);
    f->u = f->y + side * side;
    f->v = f->u + half * half;
    memset(f->u, 128, 2 * half * half);
    return FM_OK;
}

void oc_frame_finish(struct oc_frame *f)
{
    free(f->y);
    *f = (struct oc_frame){0};
}

/* ---- RGB ------------------------------------------------------------------------------------ */

/* Chroma lies in the middle of four pixels. Blends it for one row of pixels: three parts of the
 * nearer row of chroma and one of the other. The values at both ends are repeated once. */
static void blend_rows(uint16_t *to, const uint8_t *plane, int stride, int half, int y)
{
    const int near = y / 2, wanted = near + (y % 2 == 0 ? -1 : 1);
    const int far = wanted < 0 || wanted >= half ? near : wanted;
    const uint8_t *a = plane + (size_t)near * (size_t)stride;
    const uint8_t *b = plane + (size_t)far * (size_t)stride;
    for (int x = 0; x < half; x++)
        to[x + 1] = (uint16_t)(3 * a[x] + b[x]);
    to[0] = to[1];
    to[half + 1] = to[half];
}

/* The same blend along the row, for the left and the right of two pixels; grey is 0. Rounded as in
 * libjpeg: alternately up and down. */
static inline int chroma_left(const uint16_t *blended, int pair)
{
    return ((3 * blended[pair + 1] + blended[pair] + 8) >> 4) - 128;
}

static inline int chroma_right(const uint16_t *blended, int pair)
{
    return ((3 * blended[pair + 1] + blended[pair + 2] + 7) >> 4) - 128;
}

/* value + part / 65536, to the nearest, within a byte. */
static inline uint8_t mix(int value, int part)
{
    const int sum = value * 65536 + part + 32768;
    return (uint8_t)((sum < 0 ? 0 : sum > 255 * 65536 ? 255 * 65536 : sum) >> 16);
}

static inline void put_pixel(uint8_t *out, int step, int luma, int u, int v)
{
    out[0] = mix(luma, 91881 * v);              /* 1.402 */
    out[1] = mix(luma, -22554 * u - 46802 * v); /* 0.344136, 0.714136 */
    out[2] = mix(luma, 116130 * u);             /* 1.772 */
    if (step == 4)
        out[3] = 255;
}

/* Two by two, without a branch: compilers make vectors of it. */
static inline __attribute__((always_inline)) void to_pixels(const struct oc_frame *f,
                                                            uint8_t *restrict out, int step)
{
    uint16_t us[OC_SIZE_MAX / 2 + 2], vs[OC_SIZE_MAX / 2 + 2];
    const int half = (f->size + 1) / 2, pairs = f->size / 2;
    fm_assert(f->size >= OC_SIZE_MIN && f->size <= OC_SIZE_MAX);
    for (int y = 0; y < f->size; y++, out += f->size * step) {
        const uint8_t *luma = f->y + (size_t)y * (size_t)f->stride;
        blend_rows(us, f->u, f->cstride, half, y);
        blend_rows(vs, f->v, f->cstride, half, y);
        for (int i = 0; i < pairs; i++) {
            uint8_t *to = out + 2 * i * step;
            put_pixel(to, step, luma[2 * i], chroma_left(us, i), chroma_left(vs, i));
            put_pixel(to + step, step, luma[2 * i + 1], chroma_right(us, i), chroma_right(vs, i));
        }
        if (half > pairs)
            put_pixel(out + 2 * pairs * step, step, luma[2 * pairs], chroma_left(us, pairs),
                      chroma_left(vs, pairs));
    }
}

void oc_frame_rgb(const struct oc_frame *f, uint8_t *rgb)
{
    to_pixels(f, rgb, 3);
}

void oc_frame_rgba(const struct oc_frame *f, uint8_t *rgba)
{
    to_pixels(f, rgba, 4);
}
