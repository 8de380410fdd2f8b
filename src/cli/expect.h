/* expect.h: scenario files that say what should come out. */
#ifndef CLI_EXPECT_H
#define CLI_EXPECT_H

#include <fathom/scenario.h>

/* Runs each file, compares the answer with its "expect" and prints TAP; returns an exit status. */
int cli_expect(const struct fm_scenario *scenario, char **paths, int n);

#endif
