#!/usr/bin/env python3
"""memory.py: ten thousand abandoned games, a restart with little memory, and the next visitor plays.

Run as `memory.py FATHOM ROOT FILL [ABANDONED]`; FILL is tests/store/fill.c as a program.
"""
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import client
from client import Wrong, case, choose, expect, tap

FILL = sys.argv[3]
ABANDONED = int(sys.argv[4]) if len(sys.argv) > 4 else 10000
TABLES = 64
MOST_KB = 400 * 1024  # of memory, sanitizers not counted; ten thousand tables in memory take 110 MB more


async def metric(server, name):
    answer = await client.ask(server, "GET", "/metrics")
    line = next(line for line in answer.body.decode().splitlines() if line.startswith(name + " "))
    return float(line.split()[1])


def resident_kb(server):
    status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="utf-8")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS:")).split()[1])


async def made(server):
    """A visitor's table: not refused, not even once."""
    http = client.Http(server)
    answer = await http.request("POST", "/api/tables", {"game": "soumsoum"}, keep=False)
    expect(answer.status == 201, f"a visitor's table: {answer}")
    body = answer.json()
    return client.Table(server, body["table"], body["code"], body["host"])


async def play_out(seat, rng):
    """This seat and bots play to the end."""
    while seat.view["phase"] != "over":
        action = choose(seat.view, rng)
        before = seat.seq
        if action is not None:
            await seat.act(action)
        await seat.until(lambda: seat.view["phase"] == "over" or seat.view["legal"] or seat.seq > before, "a turn")  # pylint: disable=cell-var-from-loop


@case("W02 ten thousand abandoned games, a restart, and the next visitor plays", seconds=500)
async def abandoned():
    with tempfile.TemporaryDirectory(prefix="fathom-memory-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
        start = time.monotonic()
        filled = subprocess.run([FILL, f"sqlite:{folder}/store.db", "0", "0", str(ABANDONED)],
                                stdout=subprocess.PIPE, check=True, text=True)
        games = [line.split() for line in filled.stdout.splitlines()]
        expect(len(games) == ABANDONED, f"{len(games)} games")
        print(f"# filled in {time.monotonic() - start:.1f} s", flush=True)
        start = time.monotonic()
        server = client.Server(tap.program(), "--tables", TABLES, "--bot-ms", 0, folder=folder, fast=True)
        print(f"# serves after {time.monotonic() - start:.1f} s", flush=True)
        try:
            for run in range(2):
                rng = client.seed(f"memory {run}")
                table = await made(server)
                seat = await (await table.sit("Ana", 0)).connect()
                await table.bot(1, "greedy")
                await table.start()
                await seat.until(lambda: seat.view is not None, "the start")  # pylint: disable=cell-var-from-loop
                await play_out(seat, rng)
                seat.cut()
                await table.record()
                for name, _, token, *_ in rng.sample(games, 20):  # each comes back when it is asked for
                    back = await client.Seat(server, name, token, 0).connect()
                    expect(back.view["phase"] != "over", "an abandoned game is over")
                    back.cut()
                expect(await metric(server, "fathom_tables") <= TABLES, "more tables in memory than there may be")
                await server.restart()
            print(f"# {resident_kb(server)} KB are resident", flush=True)
            expect(resident_kb(server) < MOST_KB, f"{resident_kb(server)} KB")
            await server.stop()
        finally:
            await server.close()


if __name__ == "__main__":
    try:
        tap.main()
    except Wrong as wrong:
        sys.exit(str(wrong))
