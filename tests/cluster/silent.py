#!/usr/bin/env python3
"""silent.py: a PostgreSQL that does not answer for a while delays only requests that need it."""
import asyncio
import os
import signal
import sys
import tempfile
from pathlib import Path

sys.path += [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[1] / "server")]

import client  # noqa: E402
import postgres  # noqa: E402
from client import ask, case, expect, patiently, tap  # noqa: E402

SOON = 3  # seconds, less than a read of the database may take

shared = {}


def processes(server):
    """The database's: the first one and all that it has started."""
    first = server.process.pid
    found = [first]
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                status = (entry / "stat").read_text(encoding="utf-8", errors="replace")
            except OSError:
                continue
            if int(status.rpartition(")")[2].split()[1]) == first:
                found.append(int(entry.name))
    return found


class Silence:
    """The database is stopped, with everything that it is about to say."""

    async def __aenter__(self):
        self.stopped = processes(shared["database"])
        self.signal(signal.SIGSTOP)

    async def __aexit__(self, *_):
        self.signal(signal.SIGCONT)

    def signal(self, which):
        for process in self.stopped:
            try:
                os.kill(process, which)
            except ProcessLookupError:
                pass


async def table_for_two(server):
    """A game that has begun, and the seat whose turn it is."""
    table = await client.Table.make(server, "soumsoum")
    seats = [await (await table.sit(name, i)).connect() for i, name in enumerate(("Ana", "Ben"))]
    await table.start()
    for seat in seats:
        await seat.until(lambda: seat.view is not None, "the start")  # pylint: disable=cell-var-from-loop
    seats.sort(key=lambda seat: not seat.view["legal"])  # who is first is drawn
    seats[1].cut()
    return table, seats[0]


async def preview(seat, name):
    seat.socket.send({"what": name, "if": [seat.view["legal"][0]]})
    await seat.until(lambda: name in seat.answers, "a preview", SOON)
    expect("view" in seat.answers[name][0], f"a preview: {seat.answers[name]}")


async def needs_nothing(server, path):
    answer = await patiently(f"GET {path}, which needs no database", ask(server, "GET", path), SOON)
    expect(answer.status in (200, 404), f"GET {path}: {answer}")


@case("W10 a silent database delays nobody who does not need it")
async def silent():
    server = client.Server(tap.program(), store=shared["where"], fast=True)
    try:
        table, seat = await table_for_two(server)
        waits = await client.Table.make(server, "dive", listed=True)
        guest = client.Stream(server, table.id)
        async with Silence():
            parked = {path: asyncio.create_task(ask(server, "GET", path)) for path in (
                table.path, waits.path, f"/api/codes/{waits.code}", "/api/tables", f"/api/tables/{'0' * 32}")}
            hung_up = asyncio.create_task(ask(server, "GET", waits.path))
            hello = asyncio.create_task(guest.connect())
            await asyncio.sleep(0.1)  # all are under way
            hung_up.cancel()
            await asyncio.gather(*(needs_nothing(server, path) for path in ("/healthz", "/", "/api/games", "/metrics")), preview(seat, "w"))
            done = [path for path, task in parked.items() if task.done()]
            expect(not done and not hello.done(), f"answered although the database is silent: {done}")
            move = asyncio.create_task(seat.act(seat.view["legal"][0]))
        for path, task in parked.items():
            answer = await patiently(f"GET {path}, afterwards", task)
            expect(answer.status == (404 if path.endswith("0" * 32) else 200), f"GET {path}: {answer}")
        await patiently("a stream, afterwards", hello)
        await patiently("a move, afterwards", move)
        await guest.until(lambda: guest.seq >= seat.seq, "the move")
        expect((await ask(server, "GET", waits.path)).status == 200, "the table of a client that hung up")
        guest.cut()
        seat.cut()
        await server.stop()
    finally:
        await server.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="fathom-postgres-", dir=postgres.roomy()) as below:
        database = postgres.Server(below)
        shared |= {"database": database, "where": f"postgres:{database.conninfo()}"}
        try:
            database.make().start()
            tap.main()
        finally:
            database.stop()
