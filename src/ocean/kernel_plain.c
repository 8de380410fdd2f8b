/* kernel_plain.c: views in plain C; also the definition of what every other kernel must give. */
#include "ocean/kernel.h"

/* What is below, through this layer, and this layer's own light. */
static inline uint16_t through(uint16_t below, uint16_t word)
{
    const uint32_t passes = word | 0xffu;
    return (uint16_t)((below * passes >> 16) + (uint32_t)((word & 0xff) << 7));
}

static inline void bottom(uint16_t *restrict out, const uint16_t *restrict slab, int width,
                          int shift)
{
    for (int x = 0; x < width; x++)
        out[x] = (uint16_t)((slab[x] & 0xff) << shift);
}

static inline void lay(uint16_t *restrict out, const uint16_t *restrict words, int width)
{
    for (int x = 0; x < width; x++)
        out[x] = through(out[x], words[x]);
}

static inline void darken(uint16_t *restrict out, const uint8_t *restrict shade, int width)
{
    for (int x = 0; x < width; x++)
        out[x] = (uint16_t)((uint32_t)out[x] * (uint32_t)(shade[x / 2] << 8 | 0xff) >> 16);
}

static void row(struct oc_cursor *c, uint16_t *out)
{
    const int slab = c->n_layers - 1;
    for (int t = 0; t < c->n_tiles; t++, out += c->width) {
        bottom(out, c->at[t][slab], c->width, c->slab_shift);
        c->at[t][slab] += c->stride[slab];
        for (int i = slab - 1; i >= 0; i--) {
            lay(out, c->at[t][i], c->width);
            c->at[t][i] += c->stride[i];
        }
    }
}

static void shaded_row(struct oc_cursor *c, uint16_t *out)
{
    const int slab = c->n_layers - 1;
    for (int t = 0; t < c->n_tiles; t++, out += c->width) {
        bottom(out, c->at[t][slab], c->width, c->slab_shift);
        c->at[t][slab] += c->stride[slab];
        for (int i = slab - 1; i >= 0; i--) {
            darken(out, c->shade[t][i], c->width);
            c->shade[t][i] += c->shade_step[i];
            lay(out, c->at[t][i], c->width);
            c->at[t][i] += c->stride[i];
        }
    }
}

const struct oc_kernel oc_kernel_plain = {.name = "plain", .row = row, .shaded_row = shaded_row};
