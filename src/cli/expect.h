/* expect.h: scenario files that say how they should end. */
#ifndef CLI_EXPECT_H
#define CLI_EXPECT_H

#include <fathom/scenario.h>

/* Run each file against its "expect" and report as TAP; an exit status. */
int cli_expect(const struct fm_scenario *scenario, char **paths, int n);

#endif
