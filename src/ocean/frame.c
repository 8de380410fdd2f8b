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

/* Chroma lies in the middle of four pixels. For one row of pixels: three parts of the row of
 * chroma that is nearer and one of the other, and at both ends one more, the same again. */
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

/* The same from left to right, around 0. Rounded as in libjpeg: alternately up and down. */
static int chroma_at(const uint16_t *blended, int x)
{
    const uint16_t *near = blended + x / 2 + 1;
    return (x % 2 == 0 ? 3 * near[0] + near[-1] + 8 : 3 * near[0] + near[1] + 7) / 16 - 128;
}

/* value + part / 65536, to the nearest, within a byte. */
static uint8_t mix(int value, int part)
{
    const int sum = value * 65536 + part + 32768;
    return (uint8_t)(sum < 0 ? 0 : sum > 255 * 65536 ? 255 : sum / 65536);
}

static inline __attribute__((always_inline)) void to_pixels(const struct oc_frame *f, uint8_t *out,
                                                            int step)
{
    uint16_t us[OC_SIZE_MAX / 2 + 2], vs[OC_SIZE_MAX / 2 + 2];
    const int half = (f->size + 1) / 2;
    fm_assert(f->size >= OC_SIZE_MIN && f->size <= OC_SIZE_MAX);
    for (int y = 0; y < f->size; y++) {
        const uint8_t *luma = f->y + (size_t)y * (size_t)f->stride;
        blend_rows(us, f->u, f->cstride, half, y);
        blend_rows(vs, f->v, f->cstride, half, y);
        for (int x = 0; x < f->size; x++, out += step) {
            const int u = chroma_at(us, x), v = chroma_at(vs, x);
            out[0] = mix(luma[x], 91881 * v);              /* 1.402 */
            out[1] = mix(luma[x], -22554 * u - 46802 * v); /* 0.344136, 0.714136 */
            out[2] = mix(luma[x], 116130 * u);             /* 1.772 */
            if (step == 4)
                out[3] = 255;
        }
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
