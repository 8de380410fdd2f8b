/* ocean_cache_test.c: runs all tests of the cache of pictures. */
#include "unit/ocean_cache_fake.h"

int main(void)
{
    static const struct tests_group *const groups[] = {&ocean_cache_queue, &ocean_cache_ends,
                                                       &ocean_cache_memory, &ocean_cache_workers};
    return tests_run_groups("ocean_cache", groups, sizeof groups / sizeof groups[0]);
}
