/* hall_groups.h: the tests of the hall; each group is in the file of its name. */
#ifndef TESTS_SERVER_HALL_GROUPS_H
#define TESTS_SERVER_HALL_GROUPS_H

#include "tests.h"

extern const struct tests_group hall_seats, hall_rematch, hall_streams, hall_earlier,
    hall_reactions, hall_preview, hall_bots, hall_clocks, hall_limits, hall_why;

int close_healed_world(void **state); /* as close_world, after the store's faults have ended */
#define IN_FAULTY_WORLD(f) cmocka_unit_test_setup_teardown(f, open_world, close_healed_world)

#endif
