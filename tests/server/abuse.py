#!/usr/bin/env python3
"""abuse.py: hostile connections, while others play, and what they cost.

usage: abuse.py FATHOM [SOURCE_ROOT]

In every case two people play a game with bots. Whatever the hostile client does, each of their moves is acknowledged
within PATIENCE, their connections stay open, and the server's memory stays within bounds.
"""
import asyncio
import contextlib
import os
import random
import re
import resource
import socket
import struct
import time
from pathlib import Path

import client
from client import case, expect, tap
from tap import equal

PATIENCE = 5.0 * client.SLOWNESS  # seconds for a move; under sanitizers, on a busy machine
MEMORY = 48 << 20  # bytes that abuse may cost at any time
UPGRADE = b"GET /api/tables/%s/live HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" \
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"


def memory(server):
    """Bytes of the server's that are in memory."""
    status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii")
    return int(re.search(r"VmRSS:\s*(\d+) kB", status)[1]) * 1024


def descriptors(server):
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


class Others:
    """Two who play game after game, and a spectator; they are to notice nothing."""

    def __init__(self, server, thinking):
        self.server, self.thinking, self.rng = server, thinking, random.Random("others")
        self.moves, self.longest, self.games, self.most = 0, 0.0, 0, 0
        self.first, self.table, self.people, self.spectator = 0, None, [], None
        self._playing, self._ready, self.stopping = None, asyncio.Event(), False
        self.allowed = 0  # bytes that may be used besides

    async def __aenter__(self):
        self.first = self.most = memory(self.server)
        self._playing = asyncio.create_task(self._play())
        await asyncio.wait({asyncio.create_task(self._ready.wait()), self._playing}, return_when=asyncio.FIRST_COMPLETED)
        return self

    async def __aexit__(self, kind, error, trace):
        if kind is None:
            before = self.moves
            await self.some_moves(20)
            expect(self.moves > before, "nothing moves any more")
        self.stopping = True
        await asyncio.wait({self._playing}, timeout=client.PATIENCE)
        if kind is None:
            self._playing.result()
        if kind is None:
            print(f"# others: {self.moves} moves, longest wait {self.longest * 1000:.0f} ms; "
                  f"memory {self.first >> 20} MB, at most {self.most >> 20} MB", flush=True)
            expect(self.longest < PATIENCE, f"somebody waited {self.longest:.1f} s for a move")
            bound = MEMORY * (8 if tap.sanitized() else 1)
            slow = client.SLOWNESS > 1  # the thread sanitizer has a shadow of its own for all memory
            expect(slow or self.most < self.first + self.allowed + bound, f"memory went from {self.first >> 20} to {self.most >> 20} MB")

    async def some_moves(self, n):
        """Waits for so many moves; fails as they fail."""
        goal, end = self.moves + n, time.monotonic() + 60
        while self.moves < goal:
            if self._playing.done():
                self._playing.result()
            expect(time.monotonic() < end, "the others do not move any more")
            await asyncio.sleep(0.02)
            self.most = max(self.most, memory(self.server))

    async def _play(self):
        try:
            while not self.stopping:
                await self._game()
                self.games += 1
        finally:
            self._ready.set()

    async def _game(self):
        table = await client.Table.make(self.server, "soumsoum", {"market": True})
        people = [await table.sit(name) for name in ("Ana", "Bo")]
        spectator = table.spectator()
        for stream in (*people, spectator):
            await stream.connect()
        await table.start()
        self.table, self.people, self.spectator = table, people, spectator
        for seat in people:
            await seat.until(lambda s=seat: s.view is not None, "the start")
        self._ready.set()
        while people[0].view["phase"] != "over" and not self.stopping:
            active = people[people[0].view["active"]]
            await active.until(lambda: active.view["legal"], "the turn", PATIENCE)
            begin = time.monotonic()
            await active.act(client.choose(active.view, self.rng))
            seq = active.seq
            for stream in (*people, spectator):
                await stream.until(lambda s=stream: s.seq >= seq, "a move", PATIENCE)
            self.longest = max(self.longest, time.monotonic() - begin)
            self.moves += 1
            await asyncio.sleep(self.thinking)  # without a pause these two cost more than all abuse
        for stream in (*people, spectator):
            await stream.disconnect()


@contextlib.asynccontextmanager
async def serving(*flags, fast=False, thinking=0.01):
    soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    server = client.Server(tap.program(), "--bot-ms", 0, *flags, fast=fast)
    try:
        async with Others(server, thinking) as others:
            yield server, others
        await asyncio.sleep(0.2)
        await server.stop()
    finally:
        await server.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, most))


async def connect(server, data=b"", buffer=None, then=None):
    """A bare socket that has sent this; and, when the handshake was answered, something else."""
    link = socket.socket()
    link.setblocking(False)
    if buffer:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(link, ("127.0.0.1", server.port))
    with contextlib.suppress(ConnectionError):
        await loop.sock_sendall(link, data)
        if then is not None:
            head = b""
            while b"\r\n\r\n" not in head and (more := await asyncio.wait_for(loop.sock_recv(link, 4096), 10)):
                head += more
            expect(head.startswith(b"HTTP/1.1 101 "), f"the handshake was answered with {head[:80]!r}")
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(loop.sock_sendall(link, then), 10)
    return link


def drop(link, reset=False):
    if reset:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    link.close()


async def all_of(link, seconds):
    """What comes until the end; None: the end does not come within so many seconds."""
    loop, said, end = asyncio.get_running_loop(), b"", time.monotonic() + seconds
    try:
        while data := await asyncio.wait_for(loop.sock_recv(link, 65536), max(0.01, end - time.monotonic())):
            said += data
    except ConnectionError:
        pass
    except asyncio.TimeoutError:
        return None
    return said


def mask(text, first=0x81):
    data = text if isinstance(text, bytes) else text.encode()
    size = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0xFE]) + struct.pack(">H", len(data))
    return bytes([first]) + size + b"\0\0\0\0" + data


async def forgotten(server, most, seconds=60):
    """Waits until the server has closed what nobody needs."""
    end = time.monotonic() + seconds
    while descriptors(server) > most:
        expect(time.monotonic() < end, f"the server keeps {descriptors(server)} descriptors open, {most} would do")
        await asyncio.sleep(0.1)


# ---- cases -----------------------------------------------------------------------------------------


@case("who never reads is cut off, and nobody else notices", 240)
async def deaf():
    async with serving("--queue", 64, fast=True) as (server, others):
        table = await client.Table.make(server, "divercity", {"divers": 2})
        seats = [await table.sit(f"Seat {i}") for i in range(2)]
        for seat in seats:
            await seat.connect()
        # It reads its own hello, then no more; the kernel takes little for it.
        slow = await client.WebSocket.open(server, f"{table.path}/live", receive_buffer=4096)
        slow.send({"hello": None})
        await slow.message()
        slow.writer.transport.pause_reading()
        await table.start()
        rng, moves = random.Random("deaf"), 0
        twins = [twin for seat in seats for twin in (seat, *(seat.twin() for _ in range(3)))]
        for twin in twins:
            if twin not in seats:
                await twin.connect()
            await twin.until(lambda t=twin: t.view is not None, "the start")

        async def claim(seat, n):  # allowed at any time: this lasts as long as it must
            for _ in range(n):
                await seat.act({"do": "claim", "card": rng.randrange(2), "species": rng.choice([None, "crab", "eel"])})

        gone = None
        while gone is None and moves < 8000:  # the kernel keeps some megabytes for the reader
            await asyncio.gather(*(claim(twin, 25) for twin in twins))
            moves += 25 * len(twins)
            text = (await client.ask(server, "GET", f"{table.path}")).body
            expect(text, "the table")
            metrics = (await client.ask(server, "GET", "/metrics")).body.decode()
            streams = int(re.search(r"^fathom_streams (\d+)", metrics, re.M)[1])
            gone = moves if streams <= len(twins) + 3 and others.spectator.closed is None else None
        expect(gone, "a reader who never reads is never cut off")
        print(f"# cut off after about {gone} changes", flush=True)
        slow.writer.transport.resume_reading()
        closed, told = await slow.closing(30)
        print(f"# its end: {closed}, after {len(told)} messages", flush=True)
        equal(closed.code, 1013, f"cut off with {closed}, after {len(told)} messages")
        for twin in twins:
            if twin not in seats:
                await twin.disconnect()
        for seat in seats:
            await seat.barrier()
            await seat.disconnect()
        expect(others.moves > 0, "others")


@case("a thousand requests on one connection whose answers nobody reads", 120)
async def pipeline():
    async with serving() as (server, others):
        request = b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"
        links = []
        for _ in range(8):
            link = await connect(server, buffer=4096)
            links.append(link)
            with contextlib.suppress(asyncio.TimeoutError, ConnectionError):
                await asyncio.wait_for(asyncio.get_running_loop().sock_sendall(link, request * 1000), 1)
        await others.some_moves(50)
        for link in links:
            drop(link)


async def ended(link, more):
    """Sends more, if there is any; has the server closed the connection, or does it not read any more?"""
    try:
        if more:
            await asyncio.wait_for(asyncio.get_running_loop().sock_sendall(link, more), 1)
        link.setblocking(False)
        return link.recv(65536) == b""
    except BlockingIOError:
        return False
    except (ConnectionError, asyncio.TimeoutError):
        return True


def read_and_drop(link):
    with contextlib.suppress(OSError):
        link.recv(65536)
    drop(link)


async def slowloris(server, others):
    """Headers and bodies that come a byte at a time, silence, and half a hello."""
    head = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n"
    slow = [await connect(server, head) for _ in range(100)]  # the header never ends
    slow += [await connect(server, head + b"\r\n{") for _ in range(100)]  # the body never ends
    slow += [await connect(server) for _ in range(100)]  # nothing is said at all
    slow += [await connect(server, UPGRADE % (others.table.id.encode(), b"x"), then=mask(b'{"hel', 0x01)) for _ in range(50)]
    begin, ends, open_ = time.monotonic(), {}, set(range(len(slow)))
    while open_ and time.monotonic() < begin + 60:
        for i in list(open_):
            if await ended(slow[i], b"X" if i < 100 else b" " if i < 200 else b""):
                ends[i] = time.monotonic() - begin
                open_.discard(i)
        await others.some_moves(5)
        await asyncio.sleep(0.5)
    kinds = {"headers": range(100), "bodies": range(100, 200), "silence": range(200, 300), "half a hello": range(300, 350)}
    for kind, part in kinds.items():
        times = [ends[i] for i in part if i in ends]
        print(f"# {kind}: {len(times)} of {len(part)} cut off after {min(times, default=0):.0f} to {max(times, default=0):.0f} s", flush=True)
    for link in slow:
        drop(link)
    for kind, part in kinds.items():
        expect(all(i in ends for i in part), f"{kind}: {sum(i not in ends for i in part)} are still waited for after 60 s")


async def half_open(server, others):
    """Upgrades that do not end or are none, and streams without a hello."""
    whole = UPGRADE % (others.table.id.encode(), b"x")
    halves = [await connect(server, whole[:n]) for n in range(20, len(whole), 5)]
    strange = [await connect(server, data) for data in (
        whole.replace(b"13", b"7"), whole.replace(b"dGhlIHNhbXBsZSBub25jZQ==", b"x"), whole.replace(b"Sec-WebSocket-Key", b"X-Key"),
        whole.replace(b"websocket", b"h2c"), UPGRADE % (b"0" * 32, b"x"), UPGRADE % (b"../" * 50, b"x"),
        whole.replace(b"GET", b"POST"), whole.replace(b"HTTP/1.1", b"HTTP/1.0"))]
    quiet = [await connect(server, whole) for _ in range(20)]
    begin = time.monotonic()
    said = await asyncio.gather(*(all_of(link, 40) for link in quiet))
    took = time.monotonic() - begin
    for text in said:
        expect(text is not None, "a stream without hello is still open after 40 s")
        expect(b"\x03\xf0" in text, f"not closed with 1008: {text[-60:]!r}")  # 1008 = 0x03f0
    print(f"# without hello: closed after {took:.0f} s", flush=True)
    expect(took < 20, f"a stream without hello lasted {took:.0f} s")
    for link, text in zip(halves + strange, await asyncio.gather(*(all_of(link, 45) for link in halves + strange))):
        drop(link)
        expect(text is not None, "half an upgrade is still open after 45 s")
    for link in quiet:
        drop(link)


@case("what never ends is not waited for for ever: headers, bodies, upgrades, and streams without a hello", 240)
async def endless():
    async with serving(thinking=0.05) as (server, others):
        before = descriptors(server)
        await asyncio.gather(slowloris(server, others), half_open(server, others))
        await forgotten(server, before + 12)


@case("a thousand connections that are opened and dropped", 120)
async def dropped():
    async with serving() as (server, others):
        before = descriptors(server)
        opening = [b"", b"G", b"GET / HTTP/1.1\r\n", b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
                   b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 19\r\n\r\n",
                   b'POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 19\r\n\r\n{"game":"soumsoum"}',
                   UPGRADE % (others.table.id.encode(), b"x"), UPGRADE % (others.table.id.encode(), b"x") + mask('{"hello":null}')]
        rng = random.Random("dropped")
        for turn in range(10):
            links = await asyncio.gather(*(connect(server, rng.choice(opening)) for _ in range(100)))
            if turn % 2:
                await asyncio.sleep(rng.random() * 0.2)
            for link in links:
                drop(link, reset=rng.random() < 0.5)
            await others.some_moves(2)
        await forgotten(server, before + 12)


@case("a thousand connections at once that say nothing", 120)
async def idle():
    async with serving() as (server, others):
        before = descriptors(server)
        links = await asyncio.gather(*(connect(server) for _ in range(1000)))
        await others.some_moves(50)
        for link in links:
            drop(link)
        await forgotten(server, before + 12)


@case("ten thousand streams that look at a table where nothing happens", 240)
async def lookers():
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    n = min(10000, most - 500)
    async with serving() as (server, others):
        before, links = descriptors(server), []
        others.allowed = n * 8192  # bytes for each
        quiet = await client.Table.make(server, "soumsoum")
        upgrade, hello = UPGRADE % (quiet.id.encode(), b"x"), mask('{"hello":null}')
        while len(links) < n:
            links += await asyncio.gather(*(connect(server, upgrade, buffer=4096, then=hello) for _ in range(min(50, n - len(links)))))
            await others.some_moves(1)
        streams = int(re.search(r"^fathom_streams (\d+)", (await client.ask(server, "GET", "/metrics")).body.decode(), re.M)[1])
        expect(streams > 0.95 * n, f"{streams} of {n} streams are there")
        await others.some_moves(50)
        for i, link in enumerate(links):
            drop(link, reset=True)
            if i % 100 == 0:
                await others.some_moves(1)
        await forgotten(server, before + 12)
        print(f"# {n} streams: {(others.most - others.first) // n} bytes for each", flush=True)


@case("garbage is refused or hung up on", 120)
async def garbage():
    async with serving() as (server, others):
        rng, before = random.Random("garbage"), descriptors(server)
        whole = UPGRADE % (others.table.id.encode(), b"x")
        samples = [rng.randbytes(rng.randrange(1, 3000)) for _ in range(100)]
        samples += [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + rng.randbytes(500), b"\0" * 5000, b"\r\n" * 5000, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                    b"GET / HTTP/9.9\r\n\r\n", b"GET  HTTP/1.1\r\n\r\n", b"GET /\r\n\r\n", b"BREW /pot HTTP/1.1\r\nHost: x\r\n\r\n",
                    b"GET http://x/%00%ff%zz/../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
                    b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
                    b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
                    b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 50\r\n\r\n{}   ",
                    b"POST /api/tables HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n{}",
                    b"POST /api/tables HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n"]
        for _ in range(100):  # a request, and garbage behind it that does not wait for an answer
            samples.append(whole + rng.choice([b"", mask('{"hello":null}')]) + rng.randbytes(rng.randrange(1, 300)))
        frames = [rng.choice([b"", mask('{"hello":null}')]) + rng.randbytes(rng.randrange(1, 300)) for _ in range(200)]
        for _ in range(200):  # a request with some bytes altered
            data = bytearray(rng.choice([whole + mask('{"hello":null}'), samples[-110], b'POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 19\r\n\r\n{"game":"soumsoum"}']))
            for _ in range(rng.randrange(1, 6)):
                data[rng.randrange(len(data))] = rng.randrange(256)
            samples.append(bytes(data))
        samples += [(whole, data) for data in frames]
        for start in range(0, len(samples), 50):
            links = [await connect(server, data[0], then=data[1]) if isinstance(data, tuple) else await connect(server, data)
                     for data in samples[start:start + 50]]
            await others.some_moves(3)
            for link in links:
                read_and_drop(link)
        await forgotten(server, before + 12)


@case("huge headers, bodies, messages and paths are refused", 120)
async def huge():
    async with serving() as (server, others):
        before, table = descriptors(server), others.table.id.encode()
        samples = {
            "one long header": b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: " + b"a" * 1000000 + b"\r\n\r\n",
            "many headers": b"GET /healthz HTTP/1.1\r\nHost: x\r\n" + b"".join(b"X-%d: y\r\n" % i for i in range(50000)) + b"\r\n",
            "a long known header": b"GET /healthz HTTP/1.1\r\nHost: x\r\nCookie: " + b"a" * 1000000 + b"\r\n\r\n",
            "a long path": b"GET /" + b"a" * 1000000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
            "a long token": b"GET /api/tables/%s/notes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " % table + b"a" * 100000 + b"\r\n\r\n",
            "a long method": b"G" * 1000000 + b" / HTTP/1.1\r\nHost: x\r\n\r\n",
            "a header without end": b"a" * 3000000,
            "a long body": b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n\r\n" + b" " * 5000000,
        }
        frames = {
            "a long message": b"\x81\xff" + struct.pack(">Q", 50000000) + b"\0\0\0\0" + b" " * 3000000,
            "a message of 2^63": b"\x81\xff" + struct.pack(">Q", 1 << 63) + b"\0\0\0\0" + b" " * 100000,
            "fragments without end": mask(b"  ", 0x01) + mask(b"  ", 0x00) * 100000,
            "pings without end": mask(b"ping", 0x89) * 50000,
            "pongs without end": mask(b"pong", 0x8A) * 50000,
        }

        async def offer(name, data):
            link = await connect(server)
            with contextlib.suppress(ConnectionError, asyncio.TimeoutError):
                await asyncio.wait_for(asyncio.get_running_loop().sock_sendall(link, data), 10)
            said = await all_of(link, 20)
            drop(link)
            expect(said is not None, f"{name}: the connection is not closed")
            expect(not said.startswith(b"HTTP/1.1 2"), f"{name}: was accepted: {said[:30]}")

        async def stream(name, data):
            link = await connect(server, UPGRADE % (table, b"x"), then=mask('{"hello":null}') + data)
            said = await all_of(link, 20)
            drop(link)
            expect(said is not None, f"{name}: the stream is not closed")
            expect(any(b"\x88" in said and code in said for code in (b"\x03\xea", b"\x03\xf0", b"\x03\xf1")),
                   f"{name}: not closed with 1002, 1008 or 1009: {said[-60:]!r}")

        await asyncio.gather(others.some_moves(20), *(offer(name, data) for name, data in samples.items() for _ in range(3)),
                             *(stream(name, data) for name, data in frames.items() for _ in range(3)))
        await forgotten(server, before + 12)


if __name__ == "__main__":
    tap.main()
