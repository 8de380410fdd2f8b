"""bystanders.py: one server for all cases of a file, and a table at which people play and must not notice what a case does.

A file of cases ends with `bystanders.main()`, which adds a last one: the server still plays a game, and exits with status 0.
"""
import asyncio
import contextlib
import json

import client
import tap
from client import Refused, Server, Table, WebSocket, Wrong, case, choose, expect, short
from tap import equal

_server = []
STRANGER = "0123456789abcdef" * 2


def the_server():
    if not _server:
        _server.append(Server(tap.program(), "--bot-ms", "20"))
    return _server[0]


async def survived():
    """Whatever a case did, the server is still there; if not, the next case gets another."""
    if _server and _server[0].process and not _server[0].running():
        server = _server.pop()
        status, said = server.process.returncode, server.errors()[-3000:]
        await server.close()
        raise Wrong(f"the server died of it, status {status}: {said}")


client.after_each.append(survived)


class Around:
    """A table of Soum Soum with two people, seat 0 to move, and a spectator."""

    async def make(self, game="soumsoum", options=None, people=2):
        self.server = the_server()
        self.table = await Table.make(self.server, game, options or {"players": people, "first": 0})
        self.seats = [await self.table.sit(name) for name in ("Ana", "Ben", "Cleo", "Dan", "Eve", "Flo")[:people]]
        await self.table.start()
        for seat in self.seats:
            await seat.connect()
        self.spectator = await self.table.spectator().connect()
        await self.table.agreed()
        return self

    def streams(self):
        return [*self.seats, self.spectator]

    async def known(self):
        for stream in self.streams():
            await stream.barrier()
        return [(stream.told - sum(map(len, stream.answers.values())), stream.seq, stream.view) for stream in self.streams()], await self.table.get()

    async def leave(self):
        for stream in self.streams():
            if stream.closed is None:
                await stream.disconnect()


@contextlib.asynccontextmanager
async def unnoticed(*arguments, **options):
    """What is done within is noticed by nobody at a table."""
    around = await Around().make(*arguments, **options)
    before = await around.known()
    yield around
    for was, now in zip(before[0] + [before[1]], (lambda k: k[0] + [k[1]])(await around.known())):
        equal(now, was, "what others at the table know")
    await around.leave()


@contextlib.asynccontextmanager
async def waiting(game="soumsoum", options=None):
    """A table that waits, with Ana on seat 0; nothing about it may change."""
    server = the_server()
    table = await Table.make(server, game, options)
    ana = await table.sit("Ana", 0)
    before = await table.get()
    yield server, table, ana
    equal(await table.get(), before, "the table afterwards")


async def refuse(answer, status, *codes):
    """The answer is a refusal with one of the statuses and one of the codes; no code: any."""
    answer = await answer
    statuses = status if isinstance(status, tuple) else (status,)
    expect(answer.status in statuses, f"answered with {answer}, should be {statuses}")
    code = answer.code
    expect(not codes or code in codes, f"the code is {code!r}, should be one of {codes}: {answer}")


async def opened(around, hello=True, **options):
    """A bare WebSocket; with hello, a spectator's."""
    socket = await WebSocket.open(around.server, around.table.path + "/live", **options)
    if hello:
        socket.send({"hello": None})
        expect("view" in await socket.message() and "seats" in await socket.message(), "the answers to hello")
    return socket


async def closes(socket, *codes, told=()):
    """The server closes with one of the codes, and a reason if it is 1008. told: kinds of messages allowed before."""
    closed, messages = await socket.closing(client.PATIENCE)
    expect(closed.code in codes, f"{closed}, should be one of {codes}; before it {short(messages)}")
    for message in messages:
        expect(any(kind in message for kind in told), f"was told {short(message)} before the close")
    expect(closed.code != 1008 or closed.reason, "1008 comes with a reason")
    return closed


async def refused(seat, action, *codes):
    try:
        await seat.act(action)
    except Refused as error:
        expect(not codes or error.code in codes, f"refused with {error}, should be one of {codes}")
        return error.code
    raise Wrong(f"{seat}: {short(action)} was taken")


def refusals(game):
    """What a game says should be refused: its tests/refusals.json, or nothing."""
    path = tap.folders()[game] / "tests/refusals.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"actions": {}, "tables": {}}


async def still_there():
    around = await Around().make()
    rng = client.seed("still there")
    while around.spectator.view["phase"] != "over":
        for seat in around.seats:
            await seat.barrier()
            if seat.view["legal"]:
                await seat.act(choose(seat.view, rng))
        await around.spectator.barrier()
    await around.leave()
    await the_server().stop()


def main():
    case("after all this the server still plays a game, and ends with status 0 when it is told to")(still_there)
    try:
        tap.main()
    finally:
        for left in _server:
            asyncio.run(left.close())
