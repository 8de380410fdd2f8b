/* kernel_simd128.c: the same in vectors of eight words, for WebAssembly. */
#include "ocean/kernel.h"

#if defined(__wasm_simd128__)

#include <wasm_simd128.h>

static inline v128_t light(v128_t words, int shift)
{
    return wasm_i16x8_shl(wasm_v128_and(words, wasm_i16x8_splat(0xff)), (uint32_t)shift);
}

/* The upper halves of eight products. */
static inline v128_t times(v128_t a, v128_t b)
{
    return wasm_i16x8_shuffle(wasm_u32x4_extmul_low_u16x8(a, b), wasm_u32x4_extmul_high_u16x8(a, b),
                              1, 3, 5, 7, 9, 11, 13, 15);
}

static inline v128_t through(v128_t below, v128_t words, int shift)
{
    const v128_t passes = wasm_v128_or(words, wasm_i16x8_splat(0xff));
    return wasm_i16x8_add(times(below, passes), light(words, shift));
}

/* Eight words darkened by four bytes of shade, which count twice. */
static inline v128_t darken(v128_t below, const uint8_t *shade)
{
    const v128_t four = wasm_v128_load32_zero(shade);
    const v128_t passes = wasm_i8x16_shuffle(wasm_i8x16_splat(-1), four, 0, 16, 0, 16, 0, 17, 0, 17,
                                             0, 18, 0, 18, 0, 19, 0, 19);
    return times(below, passes);
}

enum { WORDS = 8, CHUNKS_MAX = OC_TILE / WORDS };

/* Called with constant arguments, so that each kind of row gets a loop of its own. */
static inline __attribute__((always_inline)) void tiles(struct oc_cursor *c, uint16_t *out,
                                                        int chunks, bool shaded, int slab_shift,
                                                        int shift)
{
    const int slab = c->n_layers - 1;
    for (int t = 0; t < c->n_tiles; t++, out += chunks * WORDS) {
        const uint16_t **at = c->at[t];
        v128_t sum[CHUNKS_MAX];
        for (int k = 0; k < chunks; k++)
            sum[k] = light(wasm_v128_load(at[slab] + k * WORDS), slab_shift);
        at[slab] += c->stride[slab];
        for (int i = slab - 1; i >= 0; i--) {
            for (int k = 0; k < chunks; k++) {
                if (shaded)
                    sum[k] = darken(sum[k], c->shade[t][i] + k * WORDS / 2);
                sum[k] = through(sum[k], wasm_v128_load(at[i] + k * WORDS), shift);
            }
            if (shaded)
                c->shade[t][i] += c->shade_step[i];
            at[i] += c->stride[i];
        }
        for (int k = 0; k < chunks; k++)
            wasm_v128_store(out + k * WORDS, sum[k]);
    }
}

static void row(struct oc_cursor *c, uint16_t *out)
{
    if (c->width == OC_TILE)
        tiles(c, out, CHUNKS_MAX, false, OC_BY_DAY, OC_BY_DAY);
    else
        tiles(c, out, CHUNKS_MAX / 2, false, OC_BY_DAY, OC_BY_DAY);
}

static void shaded_row(struct oc_cursor *c, uint16_t *out)
{
    tiles(c, out, CHUNKS_MAX, true, OC_BY_DAY, OC_BY_DAY);
}

static void backlit_row(struct oc_cursor *c, uint16_t *out)
{
    tiles(c, out, CHUNKS_MAX, false, OC_BACKLIGHT, OC_AGAINST_IT);
}

static const struct oc_kernel simd128 = {
    .name = "simd128", .row = row, .shaded_row = shaded_row, .backlit_row = backlit_row};

const struct oc_kernel *oc_kernel_simd128(void)
{
    return &simd128;
}

#else

const struct oc_kernel *oc_kernel_simd128(void)
{
    return NULL;
}

#endif
