#!/usr/bin/env python3
"""kills.py: tests/server/faults.py against a whole site: nodes are killed at random, and once the database's primary.

usage: kills.py FATHOM [SOURCE_ROOT [TABLES [KILLS [SEED]]]]

Half way the primary of PostgreSQL is killed with SIGKILL and its synchronous standby promoted.
"""
import sys
import time

sys.argv[1:] = (sys.argv[1:] + ["", "12", "6"][len(sys.argv) - 2:])[:max(4, len(sys.argv) - 1)]

import cluster  # noqa: E402
import faults  # noqa: E402
import tap  # noqa: E402


class Site(cluster.Cluster):
    def __init__(self):
        super().__init__(tap.program(), "--bot-ms", 0)
        self.strikes = 0

    async def strike(self, rng):
        self.strikes += 1
        if self.strikes != faults.KILLS // 2:
            await super().strike(rng)
            return
        begin = time.monotonic()
        await self.fail_over()
        print(f"# the primary was killed, and the standby promoted, in {time.monotonic() - begin:.2f} s", flush=True)


if __name__ == "__main__":
    faults.Run.make_site = Site
    tap.main()
