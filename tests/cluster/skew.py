#!/usr/bin/python3
"""skew.py: nodes whose clocks differ from the database's (run as skew.py FATHOM ROOT SHIM; SHIM is clock_shim.c, compiled)."""
import asyncio
import contextlib
import os
import struct
import sys
import time

import nodes
import client
from client import Table, cases, expect, tap
from tap import equal

CLOCK = 40  # seconds that a seat has
WATCHED = 6  # seconds: an overdue table is handed on after two


@contextlib.contextmanager
def calendar(seconds, folder):
    """Programs that are started meanwhile have a calendar that is ahead by so much."""
    path = tap.Path(folder) / "calendar"
    path.write_bytes(struct.pack("=q", seconds))
    ours = {"LD_PRELOAD": os.path.abspath(sys.argv[3]), "CALENDAR_OFFSET": str(path)}
    os.environ.update(ours)
    try:
        yield
    finally:
        for key in ours:
            del os.environ[key]


def seconds_left(stream):
    """Of the clock, now, as the stream was told."""
    left, since = stream.clock
    return since + left / 1000 - time.monotonic()


async def keepers(database):
    """Who keeps the table, and whether it was ever claimed as overdue, for a while."""
    seen, end = set(), time.monotonic() + WATCHED
    while time.monotonic() < end:
        seen.add(database.server.sql("SELECT keeper, claimed_ms FROM fathom.tables"))
        await asyncio.sleep(0.1)
    return seen


@cases("W10 a minute between a node's calendar and the database's flaps nothing", {"behind": [-60], "ahead": [60]})
async def skewed(seconds):
    database, both = nodes.Database(), []
    with tap.scratch() as folder:
        try:
            with calendar(seconds, folder):
                both.append(client.Server(tap.program(), store=database.store))
            both.append(client.Server(tap.program(), store=database.store))
            table = await Table.make(both[0], "dive", {"divers": 2, "clock": CLOCK})
            for name in "Ana", "Ben":
                await table.sit(name)
            await table.start()
            here, there = [await Table(node, table.id).spectator().connect() for node in both]
            for stream in here, there:
                await stream.until(lambda stream=stream: stream.clock, "the clock")
            lefts = [seconds_left(stream) for stream in (here, there)]
            seen = await keepers(database)
            expect(len(seen) == 1, f"the table had {len(seen)} keepers or claims in {WATCHED} s")
            equal(seen.pop().split("|")[1], "0", "when it was claimed")
            expect(abs(lefts[0] - lefts[1]) < 10, f"one node says that {lefts[0]:.1f} s are left, the other {lefts[1]:.1f} s")
            expect(lefts[0] > CLOCK / 2, f"of {CLOCK} s only {lefts[0]:.1f} are left")
            for stream in here, there:
                await stream.disconnect()
            for node in both:
                await node.stop()
        finally:
            for node in both:
                await node.close()
            database.close()


if __name__ == "__main__":
    tap.main()
