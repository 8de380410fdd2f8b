#!/usr/bin/env python3
"""disk.py: the disk is full or read-only, and then can be written again.

While nothing can be stored every move is refused with `not-stored`, nobody sees anything of it, and
everything that was acknowledged before stays. Afterwards the same ids are accepted, and the games are played to their end.
"""
import asyncio
import collections
import contextlib
import resource
import socket
import sqlite3
import stat
import subprocess
import tempfile
from pathlib import Path

import client
import ledger
from client import case, expect, tap
from tap import equal

GAMES = [("soumsoum", {"market": True}), ("dive", {"divers": 2}), ("divercity", {"divers": 2})]
MOVES = 3000  # after which a game that does not end is a failure


class Match:
    """A table of two people and a spectator; what was acknowledged to each."""

    def __init__(self, server, game, options):
        self.server, self.game, self.options = server, game, options
        self.rng = client.seed(f"disk {game}")
        self.table, self.people, self.spectator, self.waiting = None, [], None, {}
        self.acked = collections.defaultdict(list)

    async def begin(self):
        self.table = await client.Table.make(self.server, self.game, self.options)
        self.people = [await self.table.sit(f"Seat {i}") for i in range(2)]
        self.spectator = self.table.spectator()
        for stream in self.streams():
            await stream.connect()
        await self.table.start()
        for stream in self.streams():
            await stream.until(lambda s=stream: s.view is not None, "the start")
        return self

    def streams(self):
        return [*self.people, self.spectator]

    def over(self):
        return self.spectator.view["phase"] == "over"

    async def settle(self):
        for stream in self.streams():
            await stream.barrier()

    async def act(self, seat, name, action):
        """Acknowledged, or the code of a refusal."""
        try:
            await seat.act(action, name)
        except client.Refused as refused:
            return refused.code
        self.acked[seat.seat].append(action)
        return None

    async def play(self, moves=MOVES):
        """True: nothing could be stored any more; what was refused so waits."""
        for _ in range(moves):
            await self.settle()
            seat = self.rng.choice(self.people)
            if self.over():
                break
            action = client.choose(seat.view, self.rng)
            if action is None:
                continue
            name = seat.next_id()
            code = await self.act(seat, name, action)
            if code is not None:
                equal(code, "not-stored", f"{self.game}: {action} was refused")
                self.waiting = {"seat": seat, "name": name, "action": action}
                return True
        return False

    async def again(self):
        return await self.act(**self.waiting)

    def shown(self):
        return [(stream.seq, stream.view, stream.told) for stream in self.streams()]

    async def come_back(self):
        for stream in self.streams():
            before = stream.seq, stream.view
            await stream.connect(since=stream.seq)
            equal((stream.seq, stream.view, stream.missed), (*before, []), f"{self.game}: what {stream} finds again")

    async def finish(self):
        if not self.over():
            expect(not await self.play(), f"{self.game}: not stored, though there is room")
        expect(self.over(), f"{self.game}: the game does not end")
        await self.settle()
        record = await self.table.record()
        for stream in self.streams():
            who = f"{self.game}, {stream}"
            ledger.check_shown(who, record, stream.seat, [e for _, events in stream.log for e in events], stream.view)
            if stream.seat is not None:
                ledger.check_once(who, record, stream.seat, self.acked[stream.seat])
            await stream.disconnect()
        ledger.check_replay(self.game, record)


async def refused(answer, what):
    got = await answer
    equal((got.status, got.code), (503, "not-stored"), what)
    expect(len(got.json()["error"]["message"]) > 10, f"{what}: why? {got}")


async def shortage(server, block, free, kills=False, fills=True):
    """Plays, then without room, then with room again. block and free are functions of the server."""
    matches = [await Match(server, *game).begin() for game in GAMES]
    robots = await client.Table.make(server, "soumsoum")
    for seat in range(2):
        await robots.bot(seat, "greedy")
    empty = await client.Table.make(server, "soumsoum")
    for match in matches:
        expect(not await match.play(12), "not stored, though there is room")
    await block(server)
    if fills:
        await fill(server)
    for match in matches:
        if not await match.play():
            raise client.Wrong(f"{match.game}: all was stored, though there is no room")
    await asyncio.gather(*(match.settle() for match in matches))
    before = [match.shown() for match in matches]
    for _ in range(3):
        for match in matches:
            equal(await match.again(), "not-stored", "the same id again")
    await refused(client.ask(server, "POST", "/api/tables", {"game": "dive"}), "a new table")
    await refused(client.ask(server, "POST", f"{empty.path}/seats", {"name": "Ana"}), "a seat")
    await refused(client.ask(server, "POST", f"{robots.path}/start", token=robots.host), "a start")
    notes = matches[2].table.path + "/notes"
    await refused(client.ask(server, "PUT", notes, {"notes": "crab"}, matches[2].people[0].token), "notes")
    health = await client.ask(server, "GET", "/healthz")
    equal((health.status, health.json()["store"]["state"]), (200, "failing"), "health")
    equal([s["name"] for s in (await empty.get())["seats"]], [None, None], "seats that could not be taken")
    for match, shown in zip(matches, before):
        await match.settle()
        now = match.shown()
        equal([s[:2] for s in now], [s[:2] for s in shown], f"{match.game}: what was shown while nothing was stored")
        equal(now[2][2], shown[2][2], f"{match.game}: messages to the spectator")
        late = await match.table.spectator().connect()
        equal(late.view, match.spectator.view, f"{match.game}: what a new spectator sees")
        await late.disconnect()
    if kills:
        await server.kill()
        await asyncio.gather(*(stream.ended() for match in matches for stream in match.streams()))
        server.start()
        for match in matches:
            await match.come_back()
    await free(server)
    for match in matches:
        equal(await match.again(), None, f"{match.game}: the same id, when there is room")
    await robots.start()
    watcher = await robots.spectator().connect()
    await watcher.until(lambda: watcher.view["phase"] == "over", "the end of the bots' game", 120)
    await watcher.disconnect()
    for match in matches:
        await match.finish()


async def fill(server):
    """New tables until no more is stored."""
    for _ in range(3000):
        answer = await client.ask(server, "POST", "/api/tables", {"game": "soumsoum"})
        if answer.status != 201:
            equal((answer.status, answer.code), (503, "not-stored"), "a table too many")
            return
    raise client.Wrong("all is stored, though there is no room")


def limit(server, size):
    """The largest size of a file that the server may write."""
    _, most = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (most if size is None else size, most))


async def little_room(server):
    limit(server, max(path.stat().st_size for path in server.folder.glob("store.db*")) + 30000)


async def no_room(server):
    limit(server, 0)


async def much_room(server):
    limit(server, None)


@contextlib.asynccontextmanager
async def serving(*flags, **options):
    server = client.Server(tap.program(), "--bot-ms", 0, *flags, fast=True, **options)
    try:
        yield server
        if server.process is not None:
            await server.stop()
    finally:
        await server.close()


@case("files may not grow any further: moves are refused, and taken when they may", 120)
async def quota():
    async with serving() as server:
        await shortage(server, little_room, much_room)


@case("nothing may be written: moves are refused, and taken when it may", 120)
async def nothing():
    async with serving() as server:
        await shortage(server, no_room, much_room, fills=False)


@case("files may not grow, and the server is killed: nothing that was refused comes back", 120)
async def killed():
    async with serving() as server:
        await shortage(server, little_room, much_room, kills=True)


@case("nothing may be written for a while, again and again", 120)
async def flicker():
    async with serving() as server:
        matches = [await Match(server, *game).begin() for game in GAMES]
        for turn in range(8):
            for match in matches:
                await match.play(4)
            await [little_room, no_room][turn % 2](server)
            stopped = [match for match in matches if await match.play(60) and not match.over()]
            for match in stopped:
                equal(await match.again(), "not-stored", "once more")
            await much_room(server)
            for match in [match for match in matches if match.waiting]:
                equal(await match.again(), None, "when there is room")
                match.waiting = {}
        for match in matches:
            await match.finish()


# ---- a file system of its own ------------------------------------------------------------------------


class Small(client.Server):
    """On a tmpfs of 12 MB that nobody else sees, with a ballast of 10 MB."""

    SCRIPT = ('mount -t tmpfs -o size=12m none "$0" && head -c 10500000 /dev/zero >"$0/ballast" && '
              'exec "$@"')

    def __init__(self, program):
        folder = Path(tempfile.mkdtemp(prefix="fathom-disk-"))
        wrapper = folder / "wrapper"
        wrapper.write_text(f"#!/bin/sh\nexec unshare -rm sh -c '{self.SCRIPT}' {folder}/small {program} \"$@\"\n")
        wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR)
        (folder / "small").mkdir()
        super().__init__(wrapper, "--bot-ms", 0, "--store", f"sqlite:{folder}/small/store.db", folder=folder, fast=True)

    def inside(self, name):
        return Path(f"/proc/{self.process.pid}/root{self.folder}/small/{name}")


def can_mount():
    done = subprocess.run(["unshare", "-rm", "sh", "-c", "mount -t tmpfs none /mnt"], check=False, capture_output=True)
    return done.returncode == 0


if can_mount():
    @case("a file system is full: moves are refused, and taken when there is room", 120)
    async def full():
        server = Small(tap.program())
        try:
            async def block(_):
                pass

            async def free(server):
                server.inside("ballast").unlink()

            await shortage(server, block, free)
            await server.stop()
        finally:
            await server.close()
            subprocess.run(["rm", "-rf", "--", str(server.folder)], check=False)

    @case("a read-only file system is said at the start", 60)
    async def read_only():
        with tempfile.TemporaryDirectory() as folder:
            async with serving(folder=folder) as server:
                await client.Table.make(server, "soumsoum")
            script = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
            done = subprocess.run(["unshare", "-rm", "sh", "-c", script, folder, tap.program(), "serve", "--port", "0",
                                   "--store", f"sqlite:{folder}/store.db"], check=False, capture_output=True, timeout=30, text=True)
            equal((done.returncode, done.stdout), (2, ""), f"status: {done.stderr}")
            expect("read-only" in done.stderr.lower() and done.stderr.count("\n") == 1, f"what it says: {done.stderr!r}")


# ---- another program -------------------------------------------------------------------------------


@case("another program holds the database: moves wait, and are refused after a while", 120)
async def held():
    async with serving() as server:
        match = await Match(server, *GAMES[0]).begin()
        await match.play(5)
        with contextlib.closing(sqlite3.connect(server.folder / "store.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            expect(await match.play(), "a move was stored while another program writes")
            equal((await client.ask(server, "GET", match.table.path)).status, 200, "a table")
            other.execute("ROLLBACK")
        equal(await match.again(), None, "the same id, when the database is free")
        await match.finish()


if __name__ == "__main__":
    tap.main()
