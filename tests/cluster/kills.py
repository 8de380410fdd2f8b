#!/usr/bin/env python3
"""kills.py: tests/server/faults.py against a whole site: nodes are killed at random, and so is the database.

usage: kills.py [--patroni] FATHOM [SOURCE_ROOT [TABLES [KILLS [SEED]]]]

Half way the primary of PostgreSQL is killed with SIGKILL and its synchronous standby promoted.

With --patroni the database is three machines, of which Patroni chooses the primary. Every second kill is one of theirs, in
turn: the primary's machine, the primary's PostgreSQL alone, the machine of the synchronous standby; then an operator has
the primary hand over, and the primary's Patroni stands still for too long. Before the next one, all three are in order again.
"""
import asyncio
import sys
import time

import cluster

sys.argv[1:] = (sys.argv[1:] + ["", "12", "6"][len(sys.argv) - 2:])[:max(4, len(sys.argv) - 1)]

import fault_players  # noqa: E402
import faults  # noqa: E402
import tap  # noqa: E402


class Site(cluster.Cluster):
    """Half way, the primary is killed."""

    def __init__(self):
        super().__init__(tap.program(), "--bot-ms", 0)
        self.strikes = 0

    async def strike(self, rng):
        self.strikes += 1
        if self.is_database_turn():
            await self.strike_database()
        else:
            await super().strike(rng)

    def is_database_turn(self):
        return self.strikes == faults.KILLS // 2

    async def strike_database(self):
        begin = time.monotonic()
        await self.fail_over()
        print(f"# the primary was killed, and the standby promoted, in {time.monotonic() - begin:.2f} s", flush=True)


class PatroniSite(Site):
    """Patroni promotes; what was killed is only started again."""

    def is_database_turn(self):
        return self.strikes % 2 == 0

    async def ready(self):
        await asyncio.to_thread(self.database.rejoin)

    async def strike_database(self):
        kills = [("the primary's machine was killed, and a standby promoted", self.database.fail_over),
                 ("the primary's PostgreSQL was killed, and a standby promoted", self.database.fail_over_postgres),
                 ("the synchronous standby's machine was killed, and replaced by the third", self.database.lose_standby),
                 ("the primary was told to hand over", self.database.switch_over),
                 ("the primary's Patroni stood still until there was another primary", self.database.stop_patroni)]
        said, kill = kills[(self.strikes // 2 - 1) % len(kills)]
        figures, begin = faults.RUN.figures, time.monotonic()
        longest, figures.pause = figures.pause, 0.0
        await asyncio.to_thread(kill)
        seconds, acknowledged = time.monotonic() - begin, figures.count["acknowledged"]
        self.database.start_killed()
        while figures.count["acknowledged"] == acknowledged and faults.RUN.kills.wanted:
            await asyncio.sleep(0.01)
        print(f"# {said}, in {seconds:.2f} s; no move was acknowledged for {figures.pause:.2f} s", flush=True)
        figures.pause = max(longest, figures.pause)

    async def renew(self):
        await self.ready()  # the last one that was killed
        await super().renew()

    def check(self):
        super().check()
        self.database.check()


if __name__ == "__main__":
    faults.Run.make_site = Site
    if cluster.PATRONI:
        faults.Run.make_site = PatroniSite
        fault_players.SILENCE = 120  # seconds; Patroni waits for 20 of them until a machine that is gone counts as dead
        fault_players.THINKING = 0.05, 0.3  # or all games are over while Patroni waits, and others are played meanwhile
        faults.SECONDS += 60 * faults.KILLS
    tap.main()
