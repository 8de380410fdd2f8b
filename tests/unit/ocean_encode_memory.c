/* ocean_encode_memory.c: encoding with used memory, without memory, and on several threads. */
#include "unit/ocean_encode_frames.h"

#include <fathom/rng.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void reused_memory_gives_the_same_bytes_as_fresh(void **state)
{
    (void)state;
    struct oc_bytes used = {0};
    struct fm_fault fault;
    for (size_t i = COUNT(sizes) - 1; i-- > 0;) { /* larger ones first; the largest takes long */
        struct oc_frame f = frame_of(sizes[i], (uint8_t)i);
        for (int format = OC_FORMATS; format-- > 0;) {
            struct oc_bytes fresh = encoded(&f, (enum oc_format)format, 50);
            assert_int_equal(oc_encode(&used, &f, (enum oc_format)format, 50, &fault), FM_OK);
            assert_int_equal(fresh.n, used.n);
            assert_memory_equal(fresh.data, used.data, used.n);
            oc_bytes_finish(&fresh);
        }
        oc_frame_finish(&f);
    }
    oc_bytes_finish(&used);
    assert_null(used.data);
    assert_int_equal(used.n + used.cap, 0);
    oc_bytes_finish(&used);
}

static void memory_that_is_large_enough_stays_where_it_is(void **state)
{
    (void)state;
    struct oc_frame large = frame_of(640, 1), small = frame_of(97, 1);
    struct oc_bytes b = encoded(&large, OC_PNG, 1);
    const uint8_t *const where = b.data;
    const size_t cap = b.cap;
    struct fm_fault fault;
    for (int i = 0; i < 2 * OC_FORMATS; i++) {
        const enum oc_format format = (enum oc_format)(i % OC_FORMATS);
        const struct oc_frame *f = i < OC_FORMATS ? &small : &large;
        assert_int_equal(oc_encode(&b, f, format, 50, &fault), FM_OK);
        assert_ptr_equal(b.data, where);
        assert_int_equal(b.cap, cap);
    }
    oc_bytes_finish(&b);
    oc_frame_finish(&small);
    oc_frame_finish(&large);
}

/* The test is linked so that what the encoders call is this. */
void *__real_realloc(void *old, size_t n);
void *__wrap_realloc(void *old, size_t n);

static _Thread_local int reallocs_left = -1; /* -1: there is always memory */

void *__wrap_realloc(void *old, size_t n)
{
    if (reallocs_left == 0)
        return NULL;
    reallocs_left -= reallocs_left > 0;
    return __real_realloc(old, n);
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    struct oc_frame f = frame_of(640, 9);
    for (int format = 0; format < OC_FORMATS; format++) {
        struct oc_bytes want = encoded(&f, (enum oc_format)format, 90);
        enum fm_err err = FM_E_MEMORY;
        int times = 0;
        for (; err != FM_OK; times++) {
            struct oc_bytes b = {0};
            struct fm_fault fault = {.code = FM_OK};
            reallocs_left = times;
            err = oc_encode(&b, &f, (enum oc_format)format, 90, &fault);
            reallocs_left = -1;
            assert_int_equal(fault.code, err);
            assert_int_equal(b.n, err == FM_OK ? want.n : 0);
            if (err != FM_OK) { /* what there is can be used on */
                assert_int_equal(err, FM_E_MEMORY);
                assert_int_equal(oc_encode(&b, &f, (enum oc_format)format, 90, &fault), FM_OK);
            }
            assert_memory_equal(b.data, want.data, want.n);
            oc_bytes_finish(&b);
        }
        /* it grew that often, and failed each time; a WebP comes in few pieces */
        assert_true(times > (format == OC_WEBP ? 1 : 3));
        oc_bytes_finish(&want);
    }
    oc_frame_finish(&f);
}

static void more_than_64_mb_are_refused(void **state)
{
    (void)state;
    const int side = 4800; /* 66 MB of noise */
    const size_t n = (size_t)side * (size_t)side * 3;
    struct oc_bytes b = {0};
    struct fm_fault fault;
    struct fm_rng rng;
    uint8_t *rgb = malloc(n);
    assert_non_null(rgb);
    fm_rng_init(&rng, (const uint8_t[FM_SEED_BYTES]){8}, 0);
    fm_rng_bytes(&rng, rgb, n);
    assert_int_equal(oc_encode_rgb(&b, rgb, side, side, &fault), FM_E_SIZE);
    assert_int_equal(fault.code, FM_E_SIZE);
    assert_int_equal(b.n, 0);
    assert_true(b.cap <= 64 << 20);
    assert_int_equal(oc_encode_rgb(&b, rgb, 10, 10, &fault), FM_OK); /* it can be used on */
    free(decode_png(&b, 10, 10));
    free(rgb);
    oc_bytes_finish(&b);
}

static void what_a_library_refuses_is_reported(void **state)
{
    (void)state;
    const int width = 1000001; /* libpng's limit is a million */
    struct oc_bytes b = {0};
    struct fm_fault fault;
    uint8_t *rgb = calloc((size_t)width, 3);
    assert_non_null(rgb);
    assert_int_equal(oc_encode_rgb(&b, rgb, width, 1, &fault), FM_E_VALUE);
    assert_string_equal(fault.text, "this picture cannot become a PNG: Invalid IHDR data");
    assert_int_equal(b.n, 0);
    free(rgb);
    oc_bytes_finish(&b);
}

struct worker {
    const struct oc_frame *f;
    const struct oc_bytes *want;
    bool same;
};

static void *encode_often(void *arg)
{
    struct worker *w = arg;
    struct oc_bytes b = {0};
    struct fm_fault fault;
    w->same = true;
    for (int i = 0; i < 60; i++) {
        const struct oc_bytes *want = &w->want[i % OC_FORMATS];
        w->same &= oc_encode(&b, w->f, (enum oc_format)(i % OC_FORMATS), 50, &fault) == FM_OK;
        w->same &= b.n == want->n && memcmp(b.data, want->data, b.n) == 0;
    }
    oc_bytes_finish(&b);
    return NULL;
}

static void threads_encode_side_by_side(void **state)
{
    (void)state;
    struct oc_frame f = frame_of(97, 9);
    struct oc_bytes want[OC_FORMATS];
    struct worker workers[4];
    pthread_t threads[COUNT(workers)];
    for (int i = 0; i < OC_FORMATS; i++)
        want[i] = encoded(&f, (enum oc_format)i, 50);
    for (size_t i = 0; i < COUNT(workers); i++) {
        workers[i] = (struct worker){.f = &f, .want = want};
        assert_int_equal(pthread_create(&threads[i], NULL, encode_often, &workers[i]), 0);
    }
    for (size_t i = 0; i < COUNT(workers); i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_true(workers[i].same);
    }
    for (int i = 0; i < OC_FORMATS; i++)
        oc_bytes_finish(&want[i]);
    oc_frame_finish(&f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(reused_memory_gives_the_same_bytes_as_fresh),
    cmocka_unit_test(memory_that_is_large_enough_stays_where_it_is),
    cmocka_unit_test(memory_may_run_out_anywhere),
    cmocka_unit_test(more_than_64_mb_are_refused),
    cmocka_unit_test(what_a_library_refuses_is_reported),
    cmocka_unit_test(threads_encode_side_by_side),
};
const struct tests_group ocean_encode_memory = TESTS_GROUP(tests);
