/* tests.h: cmocka as all test programs use it; results are printed as TAP. */
#ifndef TESTS_H
#define TESTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Sanitizers keep what was freed for a while: the size of the process says nothing then. */
#if defined(__SANITIZE_ADDRESS__)
#define TESTS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TESTS_SANITIZED 1
#endif
#endif
#ifndef TESTS_SANITIZED
#define TESTS_SANITIZED 0
#endif

/* A bound on time for a build that is so many times slower: TESTS_SLOWNESS, 1 unless it is set. */
static inline long tests_slowed(long ms)
{
    const char *slowness = getenv("TESTS_SLOWNESS");
    return slowness == NULL ? ms : ms * strtol(slowness, NULL, 10);
}

static inline int tests_run(const char *name, const struct CMUnitTest *tests, size_t n)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return _cmocka_run_group_tests(name, tests, n, NULL, NULL);
}

/* The tests of one file, of a program that has several: const struct tests_group x =
 * TESTS_GROUP(tests); */
struct tests_group {
    const struct CMUnitTest *tests;
    size_t n;
};
#define TESTS_GROUP(array)                                                                         \
    {                                                                                              \
        array, sizeof array / sizeof array[0]                                                      \
    }

#define TESTS_MOST 256 /* of one program */

static inline int tests_run_groups(const char *name, const struct tests_group *const groups[],
                                   size_t n_groups)
{
    struct CMUnitTest all[TESTS_MOST];
    size_t n = 0;
    for (size_t i = 0; i < n_groups; i++) {
        assert_true(n + groups[i]->n <= TESTS_MOST);
        memcpy(all + n, groups[i]->tests, groups[i]->n * sizeof all[0]);
        n += groups[i]->n;
    }
    return tests_run(name, all, n);
}

#endif
