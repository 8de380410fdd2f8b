#!/usr/bin/env python3
"""bot.py: the example bot, examples/bot.py, plays every game to its end, even if its connection is cut.

usage: bot.py FATHOM [SOURCE_ROOT]
"""
import asyncio
import json
import sys
import time

import client
from client import case, cases, expect, tap

EXAMPLE = tap.ROOT / "examples" / "bot.py"


class Wire:
    """Passes everything on to the server, and cuts all connections now and then."""

    def __init__(self, server, every):
        self.server, self.every, self.port, self.cuts = server, every, None, 0
        self._writers, self._tasks = set(), []

    async def __aenter__(self):
        self._listening = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._listening.sockets[0].getsockname()[1]
        self._cutting = asyncio.create_task(self._cut())
        return self

    async def __aexit__(self, *_):
        self._cutting.cancel()
        self._listening.close()
        for writer in list(self._writers):
            writer.close()

    async def _cut(self):
        while True:
            await asyncio.sleep(self.every)
            for writer in list(self._writers):
                writer.transport.abort()
                self.cuts += 1

    async def _serve(self, reader, writer):
        there, back = await asyncio.open_connection("127.0.0.1", self.server.port)
        self._writers |= {writer, back}
        await asyncio.gather(self._pump(reader, back), self._pump(there, writer))
        self._writers -= {writer, back}

    @staticmethod
    async def _pump(reader, writer):
        try:
            while data := await reader.read(65536):
                writer.write(data)
        except OSError:
            pass
        writer.close()


async def play(server, port, game, options, opponent):
    """A bot from outside against bots of the server; returns what it said."""
    table = await client.Table.make(server, game, options)
    n_seats = len((await table.get())["seats"])
    for seat in range(1, n_seats):
        await table.bot(seat, opponent)
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(EXAMPLE), "--pause", "0.01", "--name", "Outside", f"http://127.0.0.1:{port}", table.code,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
    try:
        said = await asyncio.wait_for(process.stdout.readline(), client.PATIENCE)
        expect(said.startswith(b"seat 0 at table "), f"it said {said!r}")
        await table.start()
        rest, _ = await asyncio.wait_for(process.communicate(), 120)
    finally:
        if process.returncode is None:
            process.kill()
    expect(process.returncode == 0, f"status {process.returncode}: {rest.decode()}")
    seats = (await table.get())["seats"]
    expect(seats[0]["name"] == "Outside" and seats[0]["bot"] is None, f"its seat: {seats[0]}")
    expect((await table.get())["state"] == "over", "it ended, the game did not")
    return rest.decode()


@cases("a game to its end", {
    "Soum Soum": ("soumsoum", {"players": 3, "market": True}, "random"),
    "Dive": ("dive", {"divers": 2, "companions": "ten"}, "steady"),
    "Dive, children": ("dive", {"divers": 2, "children": True}, "random"),
    "DiverCity": ("divercity", {"divers": 2}, "random"),
    "DiverCity, realistic": ("divercity", {"divers": 3, "realistic": True}, "random"),
})
async def to_the_end(game, options, opponent):
    server = client.Server(tap.program(), "--bot-ms", "0", fast=True)
    try:
        said = await play(server, server.port, game, options, opponent)
        json.loads(said.splitlines()[-1])
        expect("refused" not in said, said)
    finally:
        await server.close()


@case("over a network that is cut four times a second")
async def cut():
    server = client.Server(tap.program(), "--bot-ms", "0", fast=True)
    try:
        async with Wire(server, 0.25) as wire:
            said = await play(server, wire.port, "soumsoum", {"players": 2}, "random")
            expect(wire.cuts > 0 and "again after" in said, f"{wire.cuts} cuts: {said}")
    finally:
        await server.close()


@case("bots at the server share the time that there is to think")
async def share():
    server = client.Server(tap.program(), "--bot-ms", "0", "--think-ms", "400", "--thinkers", "2", fast=True)
    try:
        for _ in range(20):
            table = await client.Table.make(server, "soumsoum")
            for seat in range(2):
                await table.bot(seat, "abyss")
            await table.start()
        thoughts, end = 0, time.monotonic() + client.PATIENCE
        while thoughts < 20 and time.monotonic() < end:
            await asyncio.sleep(0.1)
            text = (await client.ask(server, "GET", "/metrics")).body.decode()
            told = dict(line.split() for line in text.splitlines() if not line.startswith("#"))
            thoughts = int(told["fathom_bot_think_seconds_count"])
        mean = float(told["fathom_bot_think_seconds_sum"]) / max(thoughts, 1)
        expect(thoughts >= 20, f"{thoughts} thoughts in {client.PATIENCE} s")
        expect(mean < 0.3, f"a thought took {mean * 1000:.0f} ms; of 400 ms its share was about a tenth")
        expect(thoughts == int(told["fathom_bot_wait_seconds_count"]), "each waited for its turn")
        expect(0 < int(told["fathom_bots_thinking"]) <= 20, f"thinking: {told['fathom_bots_thinking']}")
    finally:
        await server.close()


@case("a code that there is not is said in a sentence")
async def no_table():
    server = client.Server(tap.program())
    try:
        process = await asyncio.create_subprocess_exec(
            sys.executable, str(EXAMPLE), f"http://127.0.0.1:{server.port}", "AAAAAA", stderr=asyncio.subprocess.PIPE)
        _, error = await process.communicate()
        expect(process.returncode == 1 and error.startswith(b"bot.py: ") and b"Traceback" not in error, f"{error}")
    finally:
        await server.close()


tap.main()
