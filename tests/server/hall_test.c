/* hall_test.c: runs all tests of the hall, over its interface and without sockets. */
#include "server/hall_groups.h"

#include "base/panic.h"
#include "server/party.h"
#include "store/faulty.h"

int close_healed_world(void **state)
{
    faulty_heal();
    return close_world(state);
}

int main(void)
{
    static const struct tests_group *const groups[] = {
        &hall_seats, &hall_rematch, &hall_streams, &hall_earlier,   &hall_preview,
        &hall_bots,  &hall_clocks,  &hall_limits,  &hall_reactions, &hall_why,
    };
    fm_assert(faulty_install() == 0);
    return tests_run_groups("hall", groups, sizeof groups / sizeof groups[0]);
}
