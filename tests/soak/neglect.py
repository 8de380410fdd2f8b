#!/usr/bin/env python3
"""neglect.py: tables are made, abandoned and played on for any length of time, and memory and files must not grow.

usage: neglect.py FATHOM [SOURCE_ROOT [MINUTES [TABLES [SEED]]]]

TABLES tables are open at any time, of all three games, most of them with bots. Their people play, leave in the middle of
a game, and come back later or never; some tables are never started. Meanwhile a visitor comes every second, sits
down with a bot and plays. The server keeps little (`--keep-…` of minutes, in short runs of seconds) and has hardly more
slots for tables than are looked at, so that tables are evicted and pruned all the time. In the end nobody may have been
refused, and memory and files must not have grown after the first third.

In full: neglect.py build/fathom . 60 300
"""
import asyncio
import collections
import contextlib
import os
import random
import re
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "server"))

import client  # noqa: E402
from client import Closed, Refused, Table, Wrong, expect, tap  # noqa: E402

MINUTES = float(sys.argv[3]) if len(sys.argv) > 3 else 1
TABLES = int(sys.argv[4]) if len(sys.argv) > 4 else 60
SEED = sys.argv[5] if len(sys.argv) > 5 else "neglect"
LONG = MINUTES >= 10
SAMPLE = 10 if LONG else 2  # seconds between two looks at the server
ABSENCE = (5, 240) if LONG else (0.5, 8)  # seconds that people are away
THINKING = (0.5, 4) if LONG else (0.05, 0.4)  # before a move
KEEP = ["--keep-waiting", "60s", "--keep-idle", "5m", "--keep-finished", "5m"] if LONG else \
       ["--keep-waiting", "4s", "--keep-idle", "10s", "--keep-finished", "6s"]
GROWTH = 1.15  # of memory and files, from the second third of the time to the last

KINDS = [  # game, options, seats of people, bots of others
    ("soumsoum", {}, 1, {1: "greedy"}),
    ("dive", {"divers": 2}, 1, {1: "steady"}),
    ("divercity", {"divers": 2}, 1, {1: "random"}),
    ("soumsoum", {"players": 3}, 2, {2: "paddler"}),
    ("dive", {"divers": 3, "clock": 2}, 1, {1: "steady", 2: "steady"}),
    ("soumsoum", {}, 2, {}),
]
GONE = {"no-table", "gone", "closed", "over"}  # of a table whose time was up before its people came back


class Figures:
    """What happened, and how the server looked meanwhile."""

    def __init__(self):
        self.count = collections.Counter()
        self.refused = []
        self.samples = []  # (seconds, memory, bytes of the store, descriptors, tables in memory)


# ---- people --------------------------------------------------------------------------------------


async def ask(figures, server, method, path, body=None, token=None):
    """A request that must not be refused for want of room."""
    http = client.Http(server)
    try:
        answer = await http.request(method, path, body, token, keep=False)
    finally:
        http.close()
    if answer.status in (429, 503):
        figures.refused.append(f"{method} {path}: {answer}")
    return answer


async def sit_down(figures, server, kind):
    """A table with its people and bots, not started."""
    game, options, people, bots = kind
    made = await ask(figures, server, "POST", "/api/tables", {"game": game, "options": options})
    expect(made.status == 201, f"a new table: {made}")
    made = made.json()
    table = Table(server, made["table"], made["code"], made["host"])
    seats = []
    for i in range(people):
        answer = await ask(figures, server, "POST", table.path + "/seats", {"name": f"P{i}", "seat": i})
        expect(answer.status == 201, f"a seat: {answer}")
        seats.append(client.Seat(server, table.id, answer.json()["token"], i))
    for seat, bot in bots.items():
        answer = await ask(figures, server, "POST", table.path + "/bots", {"seat": seat, "bot": bot}, table.host)
        expect(answer.status == 200, f"a bot: {answer}")
    figures.count["made"] += 1
    return table, seats


async def play(figures, seats, rng, moves):
    """So many moves, or to the end; True: it is over."""
    while moves > 0:
        view = seats[0].view
        if view["phase"] == "over" or view.get("over") or view.get("result"):
            return True
        for seat in seats:
            action = client.choose(seat.view, rng) if seat.view["legal"] else None
            if action is None:
                continue
            with contextlib.suppress(Refused):  # something else was faster
                await seat.act(action)
                figures.count["moves"] += 1
                moves -= 1
        await asyncio.sleep(rng.uniform(*THINKING))
    return False


async def come(figures, seats):
    """All people look at their table. False: its time is up."""
    for seat in seats:
        try:
            await seat.connect(since=seat.seq)
        except (Wrong, Closed, client.NoUpgrade) as error:
            for other in seats:
                other.cut()
            if any(code in str(error) or code in str(seat.answers) for code in GONE) or seat.closed:
                figures.count["too late"] += 1
                return False
            raise
    return True


async def go(seats):
    for seat in seats:
        seat.cut()


async def life(figures, server, rng, until):
    """One table after another, each with a fate of its own."""
    while time.monotonic() < until:
        table, seats = await sit_down(figures, server, rng.choice(KINDS))
        if rng.random() < 0.2:  # nobody ever starts it
            figures.count["never started"] += 1
            await asyncio.sleep(rng.uniform(*ABSENCE))
            continue
        answer = await ask(figures, server, "POST", table.path + "/start", token=table.host)
        expect(answer.status == 200, f"a start: {answer}")
        over = False
        while not over and time.monotonic() < until:
            if not await come(figures, seats):
                break
            try:
                over = await play(figures, seats, rng, rng.randint(1, 30))
            finally:
                await go(seats)
            if over:
                figures.count["finished"] += 1
            elif rng.random() < 0.3:
                figures.count["abandoned"] += 1
                break
            else:
                figures.count["left and returned to"] += 1
                await asyncio.sleep(rng.uniform(*ABSENCE))


async def visitor(figures, server, rng, until):
    """Somebody new every second, who sits down with a bot and plays a move."""
    while time.monotonic() < until:
        begin = time.monotonic()
        for path in ("/healthz", "/api/games", "/api/tables"):
            answer = await ask(figures, server, "GET", path)
            expect(answer.status in (200, 429, 503), f"GET {path}: {answer}")
        table, seats = await sit_down(figures, server, KINDS[0])
        await ask(figures, server, "POST", table.path + "/start", token=table.host)
        if await come(figures, seats):
            await play(figures, seats, rng, 1)
            await go(seats)
        figures.count["visitors"] += 1
        await asyncio.sleep(max(0.0, begin + 1 - time.monotonic()))


# ---- the server, looked at -----------------------------------------------------------------------


def memory(server):
    status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii")
    return int(re.search(r"VmRSS:\s*(\d+) kB", status)[1]) * 1024


def store_bytes(server):
    return sum(path.stat().st_size for path in server.folder.glob("store.db*"))


async def watch(figures, server, begin, until):
    while time.monotonic() < until:
        answer = await client.ask(server, "GET", "/metrics")
        tables = int(float(re.search(r"^fathom_tables (\S+)", answer.body.decode(), re.M)[1]))
        sample = (time.monotonic() - begin, memory(server), store_bytes(server),
                  len(os.listdir(f"/proc/{server.process.pid}/fd")), tables)
        figures.samples.append(sample)
        if LONG and len(figures.samples) % 6 == 0:
            print(f"# {sample[0] / 60:5.1f} min: memory {sample[1] / 2**20:.1f} MiB, store {sample[2] / 2**20:.1f} MiB, "
                  f"{sample[3]} descriptors, {sample[4]} tables in memory, {dict(figures.count)}, "
                  f"{len(figures.refused)} refused", flush=True)
        await asyncio.sleep(SAMPLE)


def thirds(figures, column):
    """The medians of the second and of the last third."""
    values = [sample[column] for sample in figures.samples]
    n = len(values) // 3
    return statistics.median(values[n:2 * n]), statistics.median(values[-n:])


async def soak():
    figures = Figures()
    server = client.Server(tap.program(), "--bot-ms", "50", "--tables", str(TABLES + 20), *KEEP)
    begin = time.monotonic()
    until = begin + MINUTES * 60
    tasks = [asyncio.create_task(life(figures, server, random.Random(f"{SEED} {i}"), until)) for i in range(TABLES)]
    tasks.append(asyncio.create_task(visitor(figures, server, random.Random(f"{SEED} visitor"), until)))
    tasks.append(asyncio.create_task(watch(figures, server, begin, until)))
    try:
        await asyncio.gather(*tasks)
        await server.stop()
        return figures
    finally:
        for task in tasks:
            task.cancel()
        await server.close()


@tap.case(f"W03 {TABLES} tables come, are abandoned and return for {MINUTES * 60:g} seconds: nothing grows, nobody is refused")
def _():
    figures = asyncio.run(soak())
    rows = figures.samples
    for name, column, unit in (("memory", 1, 2**20), ("store", 2, 2**20), ("descriptors", 3, 1), ("tables in memory", 4, 1)):
        values = [row[column] / unit for row in rows]
        print(f"# {name}: first {values[0]:.1f}, most {max(values):.1f}, last {values[-1]:.1f}, "
              f"medians of the second and the last third {thirds(figures, column)[0] / unit:.1f} and "
              f"{thirds(figures, column)[1] / unit:.1f}")
    print(f"# {dict(figures.count)}")
    expect(not figures.refused, f"{len(figures.refused)} were refused: {figures.refused[:3]}")
    expect(figures.count["visitors"] > MINUTES * 6, f"{figures.count['visitors']} visitors")
    expect(figures.count["moves"] > TABLES, f"{figures.count['moves']} moves")
    for name, column, spare in (("memory", 1, 4 << 20), ("the store", 2, 1 << 20)):
        before, after = thirds(figures, column)
        expect(after <= before * GROWTH + spare, f"{name} grew from {before:,} to {after:,} bytes")


tap.main()
