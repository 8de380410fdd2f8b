/* kernel_avx2.c: the same in vectors of 16 words, for machines that have them. */
#include "ocean/kernel.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

AVX2 static inline __m256i load(const void *p)
{
    return _mm256_loadu_si256(p);
}

AVX2 static inline __m256i light(__m256i words, int shift)
{
    return _mm256_slli_epi16(_mm256_and_si256(words, _mm256_set1_epi16(0xff)), shift);
}

AVX2 static inline __m256i through(__m256i below, __m256i words, int shift)
{
    const __m256i passes = _mm256_or_si256(words, _mm256_set1_epi16(0xff));
    return _mm256_add_epi16(_mm256_mulhi_epu16(below, passes), light(words, shift));
}

/* Sixteen words darkened by sixteen bytes of shade. */
AVX2 static inline __m256i darken(__m256i below, __m128i shade)
{
    const __m256i passes = _mm256_slli_epi16(_mm256_cvtepu8_epi16(shade), 8);
    return _mm256_mulhi_epu16(below, _mm256_or_si256(passes, _mm256_set1_epi16(0xff)));
}

/* Luma: tiles of 32 words, 16 bytes of shade for each, which count twice. Fetching two rows ahead
 * hides the memory's latency. Called with constant arguments: a loop of its own for each kind of
 * row. */
AVX2 static inline __attribute__((always_inline)) void wide(struct oc_cursor *c, uint16_t *out,
                                                            bool shaded, int slab_shift, int shift)
{
    const int slab = c->n_layers - 1;
    for (int t = 0; t < c->n_tiles; t++, out += OC_TILE) {
        const uint16_t **at = c->at[t];
        __m256i a = light(load(at[slab]), slab_shift);
        __m256i b = light(load(at[slab] + 16), slab_shift);
        at[slab] += c->stride[slab];
        for (int i = slab - 1; i >= 0; i--) {
            const uint16_t *p = at[i];
            at[i] = p + c->stride[i];
            _mm_prefetch((const char *)(p + 2 * c->stride[i] + 16), _MM_HINT_T0);
            if (shaded) {
                const uint8_t *q = c->shade[t][i];
                const __m128i shade = _mm_loadu_si128((const void *)q);
                c->shade[t][i] = q + c->shade_step[i];
                a = darken(a, _mm_unpacklo_epi8(shade, shade));
                b = darken(b, _mm_unpackhi_epi8(shade, shade));
            }
            a = through(a, load(p), shift);
            b = through(b, load(p + 16), shift);
        }
        _mm256_storeu_si256((void *)out, a);
        _mm256_storeu_si256((void *)(out + 16), b);
    }
}

/* Chroma: tiles of 16. */
AVX2 static void narrow(struct oc_cursor *c, uint16_t *out)
{
    const int slab = c->n_layers - 1;
    for (int t = 0; t < c->n_tiles; t++, out += OC_TILE / 2) {
        const uint16_t **at = c->at[t];
        __m256i a = light(load(at[slab]), OC_BY_DAY);
        at[slab] += c->stride[slab];
        for (int i = slab - 1; i >= 0; i--) {
            const uint16_t *p = at[i];
            at[i] = p + c->stride[i];
            _mm_prefetch((const char *)(p + 2 * c->stride[i] + 8), _MM_HINT_T0);
            a = through(a, load(p), OC_BY_DAY);
        }
        _mm256_storeu_si256((void *)out, a);
    }
}

AVX2 static void row(struct oc_cursor *c, uint16_t *out)
{
    if (c->width == OC_TILE)
        wide(c, out, false, OC_BY_DAY, OC_BY_DAY);
    else
        narrow(c, out);
}

AVX2 static void shaded_row(struct oc_cursor *c, uint16_t *out)
{
    wide(c, out, true, OC_BY_DAY, OC_BY_DAY);
}

AVX2 static void backlit_row(struct oc_cursor *c, uint16_t *out)
{
    wide(c, out, false, OC_BACKLIGHT, OC_AGAINST_IT);
}

static const struct oc_kernel avx2 = {
    .name = "avx2", .row = row, .shaded_row = shaded_row, .backlit_row = backlit_row};

const struct oc_kernel *oc_kernel_avx2(void)
{
    return __builtin_cpu_supports("avx2") ? &avx2 : NULL;
}

#else

const struct oc_kernel *oc_kernel_avx2(void)
{
    return NULL;
}

#endif

const struct oc_kernel *oc_kernel_best(void)
{
    const struct oc_kernel *fast = oc_kernel_avx2();
    if (fast == NULL)
        fast = oc_kernel_simd128();
    return fast != NULL ? fast : &oc_kernel_plain;
}

const char *oc_kernel_name(const struct oc_kernel *k)
{
    return k->name;
}
