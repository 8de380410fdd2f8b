#!/usr/bin/python3
"""jumps.py: a server whose wall clock jumps (run as jumps.py FATHOM ROOT SHIM; SHIM is clock_shim.c, compiled)."""
import asyncio
import contextlib
import os
import struct
import sys
import time

import client
import tap
from client import Http, Server, Table, case, cases, expect

HOUR = 3600


class Calendar:
    """The calendar of a server, which is ahead of the true one by so many seconds."""

    def __init__(self, folder):
        self.path = folder / "calendar"
        self.path.write_bytes(struct.pack("=q", 0))

    def ahead(self, seconds):
        with open(self.path, "r+b") as file:  # in place: the server has it in its memory
            file.write(struct.pack("=q", seconds))


@contextlib.asynccontextmanager
async def serving(*flags):
    with tap.scratch() as name:
        folder = tap.Path(name)
        calendar = Calendar(folder)
        ours = {"LD_PRELOAD": os.path.abspath(sys.argv[3]), "CALENDAR_OFFSET": str(calendar.path)}
        os.environ.update(ours)
        try:
            server = Server(tap.program(), *flags, folder=folder)
        finally:
            for key in ours:
                del os.environ[key]
        try:
            yield server, calendar
            await server.stop()
        finally:
            await server.close()


async def bots_play(server):
    """A game of bots that is watched."""
    table = await Table.make(server, "divercity", {"divers": 4})
    for seat in range(4):
        await table.bot(seat, "random")
    await table.start()
    return await table.spectator().connect()


async def goes_on(watcher, when):
    """It is not over, and more happens."""
    expect(watcher.view["phase"] != "over", f"{when}: the game is over too soon")
    seq = watcher.seq
    await watcher.until(lambda: watcher.seq >= seq + 3, f"three more events {when}")


async def uses_up_its_rate(http):
    """Asks until it is told that this was too much."""
    for _ in range(2000):
        if (await http.request("GET", "/api/codes/000000")).status == 429:
            return
    raise client.Wrong("nobody is ever told to ask less")


async def is_let_in_again(http):
    end = time.monotonic() + client.PATIENCE
    while (await http.request("GET", "/api/codes/000000")).status == 429:
        expect(time.monotonic() < end, "whoever asked too much is never let in again")
        await asyncio.sleep(0.2)


@cases("W04 bots play on and nobody is locked out while the calendar jumps", {
    "an hour ahead for half a second": ([(HOUR, 0.5), (0, 0)],),
    "an hour back for half a second": ([(-HOUR, 0.5), (0, 0)],),
    "an hour ahead for good": ([(HOUR, 0)],),
    "an hour back for good": ([(-HOUR, 0)],),
    "a year ahead, then a year back": ([(8766 * HOUR, 0.5), (-8766 * HOUR, 0.5)],),
})
async def game_goes_on(jumps):
    async with serving("--bot-ms", "150", "--rate", "20") as (server, calendar):
        watcher = await bots_play(server)
        await goes_on(watcher, "before")
        http = Http(server)
        await uses_up_its_rate(http)
        for seconds, pause in jumps:
            calendar.ahead(seconds)
            await asyncio.sleep(pause)
        await goes_on(watcher, "after the jump")
        await is_let_in_again(http)
        http.close()
        await watcher.disconnect()


@cases("W04 a deadline neither fires nor freezes when the calendar jumps", {
    "an hour ahead": (HOUR,),
    "an hour back": (-HOUR,),
})
async def deadline(seconds):
    async with serving() as (server, calendar):
        table = await Table.make(server, "dive", {"divers": 2, "clock": 3})
        for name in "Ana", "Ben":
            await table.sit(name)
        watcher = await table.spectator().connect()
        began = time.monotonic()
        await table.start()
        await watcher.until(lambda: watcher.clock, "the clock")
        calendar.ahead(seconds)
        await watcher.until(lambda: watcher.view["round"] == 2, "the end of the round")
        took = time.monotonic() - began
        expect(took > 2.9, f"3 seconds took {took:.2f}")
        await watcher.disconnect()


@case("W04 whoever reads the log is told that the calendar jumped")
async def told():
    async with serving() as (server, calendar):
        calendar.ahead(HOUR)
        end = time.monotonic() + client.PATIENCE
        while "fathom: the calendar jumped by +3600.0 s" not in server.errors():
            expect(time.monotonic() < end, f"it says {server.errors()!r}")
            await asyncio.sleep(0.1)


if __name__ == "__main__":
    tap.main()
