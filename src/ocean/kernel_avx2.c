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
    return _mm256_sll_epi16(_mm256_and_si256(words, _mm256_set1_epi16(0xff)),
                            _mm_cvtsi32_si128(shift));
}

AVX2 static inline __m256i through(__m256i below, __m256i words)
{
    const __m256i passes = _mm256_or_si256(words, _mm256_set1_epi16(0xff));
    const __m256i own = _mm256_slli_epi16(_mm256_and_si256(words, _mm256_set1_epi16(0xff)), 7);
    return _mm256_add_epi16(_mm256_mulhi_epu16(below, passes), own);
}

/* Sixteen words darkened by sixteen bytes of shade. */
AVX2 static inline __m256i darken(__m256i below, __m128i shade)
{
    const __m256i passes = _mm256_slli_epi16(_mm256_cvtepu8_epi16(shade), 8);
    return _mm256_mulhi_epu16(below, _mm256_or_si256(passes, _mm256_set1_epi16(0xff)));
}

/* Luma: tiles of 32. Fetching two rows ahead is what hides the memory's delay. */
AVX2 static void wide_row(struct oc_cursor *c, uint16_t *out)
{
    const int slab = c->n_layers - 1;
    for (int t = 0; t < c->n_tiles; t++, out += OC_TILE) {
        const uint16_t **at = c->at[t];
        __m256i a = light(load(at[slab]), c->slab_shift);
        __m256i b = light(load(at[slab] + 16), c->slab_shift);
        at[slab] += c->stride[slab];
        for (int i = slab - 1; i >= 0; i--) {
            const uint16_t *p = at[i];
            at[i] = p + c->stride[i];
            _mm_prefetch((const char *)(p + 2 * c->stride[i] + 16), _MM_HINT_T0);
            a = through(a, load(p));
            b = through(b, load(p + 16));
        }
        _mm256_storeu_si256((void *)out, a);
        _mm256_storeu_si256((void *)(out + 16), b);
    }
}

/* Chroma: tiles of 16. */
AVX2 static void narrow_row(struct oc_cursor *c, uint16_t *out)
{
    const int slab = c->n_layers - 1;
    for (int t = 0; t < c->n_tiles; t++, out += OC_TILE / 2) {
        const uint16_t **at = c->at[t];
        __m256i a = light(load(at[slab]), c->slab_shift);
        at[slab] += c->stride[slab];
        for (int i = slab - 1; i >= 0; i--) {
            const uint16_t *p = at[i];
            at[i] = p + c->stride[i];
            _mm_prefetch((const char *)(p + 2 * c->stride[i] + 8), _MM_HINT_T0);
            a = through(a, load(p));
        }
        _mm256_storeu_si256((void *)out, a);
    }
}

AVX2 static void row(struct oc_cursor *c, uint16_t *out)
{
    if (c->width == OC_TILE)
        wide_row(c, out);
    else
        narrow_row(c, out);
}

/* Sixteen bytes of shade for 32 words: each counts twice. */
AVX2 static void shaded_row(struct oc_cursor *c, uint16_t *out)
{
    const int slab = c->n_layers - 1;
    for (int t = 0; t < c->n_tiles; t++, out += OC_TILE) {
        const uint16_t **at = c->at[t];
        __m256i a = light(load(at[slab]), c->slab_shift);
        __m256i b = light(load(at[slab] + 16), c->slab_shift);
        at[slab] += c->stride[slab];
        for (int i = slab - 1; i >= 0; i--) {
            const uint16_t *p = at[i];
            const uint8_t *q = c->shade[t][i];
            const __m128i shade = _mm_loadu_si128((const void *)q);
            at[i] = p + c->stride[i];
            _mm_prefetch((const char *)(p + 2 * c->stride[i] + 16), _MM_HINT_T0);
            c->shade[t][i] = q + c->shade_step[i];
            _mm_prefetch((const char *)(q + 2 * c->shade_step[i]), _MM_HINT_T0);
            a = through(darken(a, _mm_unpacklo_epi8(shade, shade)), load(p));
            b = through(darken(b, _mm_unpackhi_epi8(shade, shade)), load(p + 16));
        }
        _mm256_storeu_si256((void *)out, a);
        _mm256_storeu_si256((void *)(out + 16), b);
    }
}

static const struct oc_kernel avx2 = {.name = "avx2", .row = row, .shaded_row = shaded_row};

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
    return fast != NULL ? fast : &oc_kernel_plain;
}

const char *oc_kernel_name(const struct oc_kernel *k)
{
    return k->name;
}
