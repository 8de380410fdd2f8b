/* kernel_plain.c: views in plain C; also the definition of what every other kernel must give. */
#include "ocean/kernel.h"

/* What is below, through this layer, and this layer's own light. */
static inline void lay(uint16_t *restrict out, const uint16_t *restrict words, int width, int shift)
{
    for (int x = 0; x < width; x++)
        out[x] = (uint16_t)(((uint32_t)out[x] * (words[x] | 0xffu) >> 16) +
                            (uint32_t)((words[x] & 0xff) << shift));
}

static inline void bottom(uint16_t *restrict out, const uint16_t *restrict slab, int width,
                          int shift)
{
    for (int x = 0; x < width; x++)
        out[x] = (uint16_t)((slab[x] & 0xff) << shift);
}

static inline void darken(uint16_t *restrict out, const uint8_t *restrict shade, int width)
{
    for (int x = 0; x < width / 2; x++)
        for (int k = 2 * x; k < 2 * x + 2; k++)
            out[k] = (uint16_t)((uint32_t)out[k] * (uint32_t)(shade[x] << 8 | 0xff) >> 16);
}

/* Called with constant arguments, so that each kind of row gets a loop of its own. */
static inline __attribute__((always_inline)) void tiles(struct oc_cursor *c, uint16_t *out,
                                                        int width, bool shaded, int slab_shift,
                                                        int shift)
{
    const int slab = c->n_layers - 1;
    for (int t = 0; t < c->n_tiles; t++, out += width) {
        bottom(out, c->at[t][slab], width, slab_shift);
        c->at[t][slab] += c->stride[slab];
        for (int i = slab - 1; i >= 0; i--) {
            if (shaded) {
                darken(out, c->shade[t][i], width);
                c->shade[t][i] += c->shade_step[i];
            }
            lay(out, c->at[t][i], width, shift);
            c->at[t][i] += c->stride[i];
        }
    }
}

static void row(struct oc_cursor *c, uint16_t *out)
{
    if (c->width == OC_TILE)
        tiles(c, out, OC_TILE, false, OC_BY_DAY, OC_BY_DAY);
    else
        tiles(c, out, OC_TILE / 2, false, OC_BY_DAY, OC_BY_DAY);
}

static void shaded_row(struct oc_cursor *c, uint16_t *out)
{
    tiles(c, out, OC_TILE, true, OC_BY_DAY, OC_BY_DAY);
}

static void backlit_row(struct oc_cursor *c, uint16_t *out)
{
    tiles(c, out, OC_TILE, false, OC_BACKLIGHT, OC_AGAINST_IT);
}

const struct oc_kernel oc_kernel_plain = {
    .name = "plain", .row = row, .shaded_row = shaded_row, .backlit_row = backlit_row};
