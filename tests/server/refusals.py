#!/usr/bin/python3
"""refusals.py: what a server refuses, and how, as docs/protocol-server.md says.

One server stands through all cases; whatever is sent to it, it must still serve in the end. In each case a table is
being played at, and the people there must not notice that somebody else is refused.
"""
import asyncio
import contextlib
import json
import struct
import tempfile
import time
from pathlib import Path

import client
import tap
from client import (BINARY, BOUND, CLOSE, CONTINUATION, PING, TEXT, Http, NoUpgrade, Refused, Seat, Server, Table, WebSocket, Wrong, ask,
                    case, cases, choose, expect, short)
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


# ---- bodies ----------------------------------------------------------------------------------------

BODIES = {
    "no body": (b"", "bad-json", "bad-key"),
    "half an object": (b'{"game":"dive"', "bad-json"),
    "words": (b"dive, please", "bad-json"),
    "two objects": (b'{"game":"dive"}{"game":"dive"}', "bad-json"),
    "a comma too many": (b'{"game":"dive",}', "bad-json"),
    "a list": (b'["dive"]', "bad-json", "bad-value"),
    "null": (b"null", "bad-json", "bad-value"),
    "UTF-8 that is none": (b'{"game":"di\xffve"}', "bad-json"),
    "an overlong slash": (b'{"game":"\xc0\xaf"}', "bad-json"),
    "half a surrogate pair": (b'{"game":"\\ud83d"}', "bad-json"),
    "nested a thousand times": (b'{"options":' + b"[" * 1000 + b"]" * 1000 + b"}", "bad-json"),
    "a number of ninety digits": (b'{"game":"soumsoum","options":{"players":' + b"9" * 90 + b"}}", "bad-json", "bad-value"),
    "a number with a point": (b'{"game":"soumsoum","options":{"players":2.5}}', "bad-json", "bad-value"),
    "NaN": (b'{"game":"soumsoum","options":{"players":NaN}}', "bad-json"),
    "a key twice": (b'{"game":"dive","game":"dive"}', "bad-key"),
    "an unknown key": (b'{"game":"dive","colour":"red"}', "bad-key"),
    "no game": (b'{"options":{}}', "bad-key"),
    "a game that is a number": (b'{"game":7}', "bad-value"),
    "a game that nobody knows": (b'{"game":"chess"}', "no-such-game"),
    "options that are a list": (b'{"game":"dive","options":[]}', "bad-value", "bad-json"),
    "listed that is a word": (b'{"game":"dive","listed":"yes"}', "bad-value"),
    "an unknown option": (b'{"game":"dive","options":{"depth":3}}', "bad-key"),
    "an option of another game": (b'{"game":"dive","options":{"market":true}}', "bad-key"),
    "too many players": (b'{"game":"soumsoum","options":{"players":5}}', "bad-value"),
    "minus two players": (b'{"game":"soumsoum","options":{"players":-2}}', "bad-value"),
    "a first seat that is not there": (b'{"game":"soumsoum","options":{"players":2,"first":2}}', "bad-value", "bad-options", "no-such-seat"),
    "children with companions": (b'{"game":"dive","options":{"children":true,"companions":"ten"}}', "bad-options"),
    "children with the chief": (b'{"game":"dive","options":{"children":true,"chief":true}}', "bad-options"),
    "one diver without the chief": (b'{"game":"dive","options":{"divers":1}}', "bad-options"),
    "an hour and a second": (b'{"game":"dive","options":{"clock":3601}}', "bad-value"),
    "freediving for experts": (b'{"game":"divercity","options":{"level":"freediving"}}', "bad-options"),
    "a realistic solo": (b'{"game":"divercity","options":{"divers":1,"realistic":true}}', "bad-options"),
    "an industrialist who begins": (b'{"game":"divercity","options":{"divers":3,"industrialist":true,"first":3}}', "bad-options", "bad-value"),
    "a deck that is not there": (b'{"game":"dive","options":{"deck":"no-such"}}', "bad-deck"),
    "a deck of another game": (b'{"game":"dive","options":{"deck":"soumsoum-lagoon"}}', "bad-deck"),
    "a path for a deck": (b'{"game":"dive","options":{"deck":"../../etc/passwd"}}', "bad-deck", "bad-value"),
}


@cases("no table is made from", BODIES)
async def bad_tables(body, *codes):
    await refuse(ask(the_server(), "POST", "/api/tables", body), 400, *codes)


SEATS = {
    "a name that is missing": ({"seat": 1}, 400, "bad-key"),
    "an empty name": ({"name": ""}, 400, "bad-value"),
    "a name of 33 characters": ({"name": "x" * 33}, 400, "bad-value"),
    "a name of 33 octopuses": ({"name": "🐙" * 33}, 400, "bad-value"),
    "a name of control characters alone": ({"name": "\u0007\u001b\u0085"}, 400, "bad-value"),
    "a name of bidirectional characters alone": ({"name": "\u202e\u2066\u200f"}, 400, "bad-value"),
    "a name that is a number": ({"name": 4}, 400, "bad-value"),
    "null for a name": ({"name": None}, 400, "bad-value"),
    "a seat that is taken": ({"name": "Ben", "seat": 0}, 409, "seat-taken"),
    "a seat that is not there": ({"name": "Ben", "seat": 2}, 400, "no-such-seat", "bad-value"),
    "a seat below zero": ({"name": "Ben", "seat": -1}, 400, "no-such-seat", "bad-value"),
    "a seat far away": ({"name": "Ben", "seat": 2 ** 40}, 400, "no-such-seat", "bad-value"),
    "a seat that is a word": ({"name": "Ben", "seat": "1"}, 400, "bad-value"),
    "entropy of 33 bytes": ({"name": "Ben", "entropy": "00" * 33}, 400, "bad-value"),
    "entropy of half a byte": ({"name": "Ben", "entropy": "abc"}, 400, "bad-value"),
    "entropy that is not hex": ({"name": "Ben", "entropy": "zz"}, 400, "bad-value"),
    "entropy that is a number": ({"name": "Ben", "entropy": 12}, 400, "bad-value"),
    "an unknown key": ({"name": "Ben", "colour": "red"}, 400, "bad-key"),
}


@cases("no seat is taken with", SEATS)
async def bad_seats(body, status, *codes):
    async with waiting() as (server, table, _):
        await refuse(ask(server, "POST", table.path + "/seats", body), status, *codes)


@case("no seat is taken at a table that is full, or that plays already")
async def full():
    async with unnoticed() as around:
        for body in ({"name": "Eve"}, {"name": "Eve", "seat": 0}):
            await refuse(ask(around.server, "POST", around.table.path + "/seats", body), 409)
    async with waiting() as (server, table, _):
        await table.sit("Ben")
        await refuse(ask(server, "POST", table.path + "/seats", {"name": "Eve"}), 409)
        await table.stand(1, table.host)


@case("a body of more than 16 KB is refused, also in chunks or when its length is a lie")
async def large_bodies():
    async with unnoticed() as around:
        server, path = around.server, around.table.path + "/notes"
        token = around.seats[0].token
        spaces = b'{"notes":"x"' + b" " * 20000 + b"}"
        await refuse(ask(server, "PUT", path, spaces[:BOUND] + b"}", token), 413, "too-big")
        await refuse(ask(server, "POST", "/api/tables", b" " * (BOUND + 1)), 413, "too-big")
        answer = await ask(server, "PUT", path, b'{"notes":"x"' + b" " * (BOUND - 13) + b"}", token)
        equal(answer.status, 200, f"a body of 16 KB: {answer}")
        http = Http(server)
        head = f"PUT {path} HTTP/1.1\r\nHost: {server.host}\r\nAuthorization: Bearer {token}\r\n"
        await refuse(http.raw((head + "Content-Length: 99999999999\r\n\r\n").encode() + b"{}"), 413, "too-big")
        http.close()
        for size in ("-1", "x", "0x10", "99999999999999999999999999"):
            http = Http(server)
            with contextlib.suppress(EOFError):
                answer = await http.raw((head + f"Content-Length: {size}\r\n\r\n").encode() + b"{}")
                expect(answer.status in (400, 413), f"Content-Length {size}: {answer}")
            http.close()
        http = Http(server)
        with contextlib.suppress(EOFError, ConnectionError):
            chunk = b"4000\r\n" + b" " * 0x4000 + b"\r\n"
            answer = await http.raw((head + "Transfer-Encoding: chunked\r\n\r\n").encode() + chunk * 3 + b"0\r\n\r\n")
            expect(answer.status in (400, 411, 413, 501), f"48 KB in chunks: {answer}")
        http.close()


@case("notes of more than 4000 bytes, and notes that are no text, are refused")
async def bad_notes():
    async with unnoticed() as around:
        path, token = around.table.path + "/notes", around.seats[0].token
        await refuse(ask(around.server, "PUT", path, {"notes": "x" * 4001}, token), (400, 413), "bad-value", "too-big")
        await refuse(ask(around.server, "PUT", path, {"notes": "é" * 2001}, token), (400, 413), "bad-value", "too-big")
        await refuse(ask(around.server, "PUT", path, {"notes": None}, token), 400, "bad-value")
        await refuse(ask(around.server, "PUT", path, {}, token), 400, "bad-key", "bad-json")
        await refuse(ask(around.server, "PUT", path, {"notes": "", "more": 1}, token), 400, "bad-key")
        await refuse(ask(around.server, "PUT", path, b"\xff", token), 400, "bad-json")


# ---- tokens ----------------------------------------------------------------------------------------


@case("without a token, or with a wrong one, nothing that needs one is done: 401")
async def tokens():
    async with unnoticed() as around, waiting() as (server, table, ana):
        for token in (None, STRANGER, "", "x", table.host[:-1], table.host + "0", table.host.upper().swapcase()[::-1]):
            for method, path, body in (("POST", "/start", None), ("DELETE", "/seats/0", None), ("POST", "/bots", {"seat": 1, "bot": "random"}),
                                       ("PUT", "/notes", {"notes": "?"}), ("GET", "/notes", None)):
                await refuse(ask(server, method, table.path + path, body, token), 401)
        for header in (f"Basic {table.host}", table.host, f"Bearer{table.host}", f"Bearer {table.host} {table.host}"):
            await refuse(ask(server, "POST", table.path + "/start", headers=[("Authorization", header)]), 401)
        for token in (ana.token, table.host):
            for method, path, body in (("POST", "/rematch", None), ("GET", "/notes", None), ("POST", "/bots", {"seat": 1, "bot": None})):
                await refuse(ask(server, method, around.table.path + path, body, token), (401, 403))


@case("a seat does not start, nor free another's seat, nor set bots before the start: 403")
async def not_the_host():
    async with waiting("soumsoum", {"players": 3}) as (server, table, ana):
        ben = await table.sit("Ben", 1)
        before = await table.get()
        await refuse(ask(server, "POST", table.path + "/start", token=ana.token), 403)
        await refuse(ask(server, "DELETE", table.path + "/seats/0", token=ben.token), 403)
        await refuse(ask(server, "POST", table.path + "/bots", {"seat": 2, "bot": "random"}, ben.token), (403, 409))
        equal(await table.get(), before, "the table")
        await table.stand(1, ben.token)


@case("a host without a seat has no notes: 403")
async def host_notes():
    async with waiting() as (server, table, _):
        await refuse(ask(server, "GET", table.path + "/notes", token=table.host), (401, 403))
        await refuse(ask(server, "PUT", table.path + "/notes", {"notes": "?"}, table.host), (401, 403))


@case("a stranger frees no seat, and the people at it notice nothing")
async def stranger():
    async with unnoticed() as around:
        other = await Table.make(around.server, "soumsoum")
        for token, status in ((None, 401), (STRANGER, 401), (other.host, (401, 403))):
            await refuse(ask(around.server, "DELETE", around.table.path + "/seats/0", token=token), status)


# ---- not now ---------------------------------------------------------------------------------------


@case("a table with a free seat does not start: 409")
async def half_full():
    async with waiting() as (server, table, _):
        await refuse(ask(server, "POST", table.path + "/start", token=table.host), 409)


@case("a game that runs is not started again, nor left, nor matched again, and has no record: 409")
async def running():
    async with unnoticed() as around:
        server, table, token = around.server, around.table, around.seats[0].token
        await refuse(ask(server, "POST", table.path + "/start", token=table.host), 409)
        await refuse(ask(server, "DELETE", table.path + "/seats/0", token=token), 409)
        await refuse(ask(server, "DELETE", table.path + "/seats/0", token=table.host), 409)
        await refuse(ask(server, "POST", table.path + "/rematch", token=token), 409)
        await refuse(ask(server, "GET", table.path + "/record"), 409)
    async with waiting() as (server, table, ana):
        await refuse(ask(server, "POST", table.path + "/rematch", token=ana.token), 409)
        await refuse(ask(server, "GET", table.path + "/record"), 409)


BOTS = {
    "a bot that nobody knows": ({"seat": 1, "bot": "deep-blue"}, 400, "bad-value"),
    "a bot of another game": ({"seat": 1, "bot": "steady"}, 400, "bad-value"),
    "a bot that is a number": ({"seat": 1, "bot": 1}, 400, "bad-value"),
    "a bot on a seat that is taken": ({"seat": 0, "bot": "random"}, 409, "seat-taken"),
    "a bot on a seat that is not there": ({"seat": 2, "bot": "random"}, 400, "no-such-seat", "bad-value"),
    "no seat": ({"bot": "random"}, 400, "bad-key"),
    "no bot": ({"seat": 1}, 400, "bad-key"),
    "an unknown key": ({"seat": 1, "bot": "random", "eyes": "keen"}, 400, "bad-key"),
}


@cases("the host is refused", BOTS)
async def bad_bots(body, status, *codes):
    async with waiting() as (server, table, _):
        await refuse(ask(server, "POST", table.path + "/bots", body, table.host), status, *codes)


@case("a seat that is not taken is not freed")
async def free_seat():
    async with waiting() as (server, table, _):
        await refuse(ask(server, "DELETE", table.path + "/seats/2", token=table.host), (400, 404), "no-such-seat", "no-such-path", "bad-value")
        await refuse(ask(server, "DELETE", table.path + "/seats/-1", token=table.host), (400, 404))
        await refuse(ask(server, "DELETE", table.path + "/seats/x", token=table.host), (400, 404))


# ---- paths -----------------------------------------------------------------------------------------


@case("tables and codes that are not there: 404")
async def no_such_table():
    server = the_server()
    for name in (STRANGER, "0", "x", "..", "%2e%2e", STRANGER.upper(), STRANGER + "0", "0" * 3000):
        for method, path in (("GET", ""), ("GET", "/record"), ("GET", "/notes"), ("POST", "/start"), ("POST", "/rematch")):
            answer = await ask(server, method, f"/api/tables/{name}{path}", token=STRANGER)
            wanted = (404, 400, 414) if len(name) > 1000 or "." in name or "%" in name else (404,)
            expect(answer.status in wanted, f"{method} /api/tables/{short(name, 40)}{path}: {answer}, should be 404")
    await refuse(ask(server, "POST", f"/api/tables/{STRANGER}/seats", {"name": "Ana"}), 404, "no-such-table")
    for code in ("AAAAAA", "", "M7K4QXX", "%00", "-", "------"):
        await refuse(ask(server, "GET", f"/api/codes/{code}"), (404, 400))


@case("unknown paths and methods are refused, and the next request is answered")
async def paths():
    server = the_server()
    for path in ("/api", "/api/", "/api/seats", "/api/tables/", "/healthz/more", "/metrics/../api/tables/x", "/%", "/api/tables//",
                 "/../../../../etc/passwd", "/..%2f..%2fetc/passwd"):
        answer = await ask(server, "GET", path)
        expect(answer.status in (400, 403, 404, 301, 302) and b"root:" not in answer.body, f"GET {path}: {answer}")
    table = await Table.make(server, "soumsoum")
    for method, path in (("DELETE", "/api/tables"), ("PATCH", table.path), ("PUT", table.path), ("POST", table.path), ("DELETE", table.path),
                         ("GET", table.path + "/start"), ("GET", table.path + "/seats"), ("DELETE", "/healthz"), ("BREW", "/api/tables"),
                         ("PUT", "/healthz"), ("POST", "/metrics"), ("TRACE", "/api/tables")):
        http = Http(server)
        with contextlib.suppress(EOFError):  # a method that HTTP does not know may end the connection
            answer = await http.request(method, path, b"{}" if method in ("PUT", "POST", "PATCH") else None, keep=False)
            expect(answer.status in (400, 403, 404, 405, 501), f"{method} {path}: {answer}")
        http.close()
        equal((await ask(server, "GET", "/healthz")).status, 200, f"health after {method} {path}")
    equal((await table.get())["state"], "waiting", "the table")


BROKEN = {
    "words": b"good evening\r\n\r\n",
    "no path": b"GET\r\n\r\n",
    "no version": b"GET /healthz\r\n\r\n",
    "a version of the future": b"GET /healthz HTTP/9.9\r\n\r\n",
    "no host": b"GET /healthz HTTP/1.1\r\n\r\n",
    "a header without a colon": b"GET /healthz HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n",
    "a header with NUL": b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: \0\r\n\r\n",
    "a megabyte of a header": b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: " + b"a" * (1 << 20) + b"\r\n\r\n",
    "ten thousand headers": b"GET /healthz HTTP/1.1\r\nHost: x\r\n" + b"X-A: b\r\n" * 10000 + b"\r\n",
    "a path of a megabyte": b"GET /" + b"a" * (1 << 20) + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "bytes of TLS": bytes.fromhex("16030100c8010000c40303") + bytes(200),
    "bytes of chance": bytes((i * 7919 >> 3) & 0xFF for i in range(5000)),
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "two lengths": b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 15\r\n\r\n{\"game\":\"dive\"}",
    "a length and chunks": b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
}


@cases("broken HTTP is answered with an error or the end of the connection", {name: (data,) for name, data in BROKEN.items()})
async def broken(data):
    async with unnoticed() as around:
        reader, writer = await asyncio.open_connection("127.0.0.1", around.server.port)
        answer = b""
        with contextlib.suppress(OSError):
            writer.write(data)
            writer.write_eof()
            with contextlib.suppress(asyncio.TimeoutError):
                answer = await asyncio.wait_for(reader.read(), 15)
        writer.close()
        lenient = data.startswith((b"GET /healthz HTTP/1.1\r\nHost: x", b"GET /healthz HTTP/1.1\r\n\r\n", b"GET /healthz\r\n"))
        expect(not answer.startswith(b"HTTP/1.1 20") or lenient, f"answered with {answer[:300]!r}")
        expect(b'"host":' not in answer, f"a table was made: {answer[:300]!r}")
        equal((await ask(around.server, "GET", "/healthz")).status, 200, "health afterwards")


@case("half a request, and a hundred of them at once, hold up nobody")
async def slow_requests():
    async with unnoticed() as around:
        links = [await asyncio.open_connection("127.0.0.1", around.server.port) for _ in range(100)]
        for _, writer in links:
            writer.write(b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 15\r\n\r\n{\"game\":")
        began = time.monotonic()
        equal((await ask(around.server, "GET", "/healthz")).status, 200, "health")
        expect(time.monotonic() - began < 5, "others had to wait")
        for _, writer in links:
            writer.close()


@case("too many requests are refused with 429 and Retry-After, and so are too many streams")
async def too_many():
    server = Server(tap.program(), "--rate", "5")
    try:
        http, statuses = Http(server), set()
        for _ in range(2000):
            answer = await http.request("POST", "/api/tables", {"game": "soumsoum"})
            statuses.add(answer.status)
            if answer.status == 429:
                expect(int(answer.headers["retry-after"]) > 0, f"Retry-After: {answer.headers}")
                expect(answer.code, "a code")
                break
        expect(statuses == {201, 429}, f"statuses {statuses}")
        http.close()
        for _ in range(200):
            try:
                (await WebSocket.open(server, f"/api/tables/{STRANGER}/live")).cut()
            except NoUpgrade as refusal:
                equal((refusal.answer.status, refusal.answer.code), (429, "busy"), "a stream too many")
                break
        else:
            raise Wrong("200 streams were opened as fast as can be")
        await server.stop()
    finally:
        await server.close()


# ---- the handshake ---------------------------------------------------------------------------------


async def no_upgrade(server, path, *statuses, **options):
    """The handshake is refused: with a status, or without a word."""
    try:
        socket = await WebSocket.open(server, path, **options)
    except NoUpgrade as refusal:
        expect(refusal.answer.status in statuses, f"answered with {refusal.answer}, should be one of {statuses}")
        return
    except (EOFError, ConnectionError):
        return
    socket.cut()
    raise Wrong(f"upgraded, should be one of {statuses}; {options}")


@case("a page of another origin gets no stream")
async def origins():
    async with unnoticed() as around:
        server, path = around.server.nodes()[0], around.table.path + "/live"
        for origin in ("http://example.org", "http://127.0.0.1", "http://localhost:1", "null", "",
                       f"http://{server.host}.example.org", f"http://{server.host}@example.org", f"http://example.org/{server.host}",
                       f"http://x{server.host}"):
            await no_upgrade(server, path, 403, headers=[("Origin", origin)])
        socket = await WebSocket.open(server, path, headers=[("Origin", f"http://{server.host}")])
        socket.send({"hello": None})
        expect("view" in await socket.message(), "the own origin")
        socket.cut()


@case("live without a right upgrade is refused")
async def handshakes():
    async with unnoticed() as around:
        server, path = around.server, around.table.path + "/live"
        answer = await ask(server, "GET", path)
        expect(answer.status in (400, 404, 405, 426), f"GET live without upgrade: {answer}")
        for replace in ({"Sec-WebSocket-Key": None}, {"Sec-WebSocket-Key": "x"}, {"Sec-WebSocket-Version": None},
                        {"Sec-WebSocket-Version": "12"}, {"Sec-WebSocket-Version": "130"}, {"Upgrade": "h2c"}):
            http = Http(server)
            fields = {"Host": server.host, "Upgrade": "websocket", "Connection": "Upgrade",
                      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13", **replace}
            lines = "".join(f"{k}: {v}\r\n" for k, v in fields.items() if v is not None)
            answer = await http.raw(f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode())
            equal(answer.status, 426 if "Sec-WebSocket-Version" in replace else 400, f"the status, {replace}")
            expect(answer.code, "a code")
            if answer.status == 426:
                equal(answer.headers.get("sec-websocket-version"), "13", "the version that would do")
            http.close()


@case("there is no stream of a table that is not there, nor of anything else")
async def no_stream():
    server = the_server()
    for path in (f"/api/tables/{STRANGER}/live", "/api/tables/live", "/api/tables", "/healthz", "/"):
        try:
            socket = await WebSocket.open(server, path)
        except NoUpgrade as refusal:
            expect(refusal.answer.status in (400, 404, 405), f"{path}: {refusal.answer}")
            continue
        socket.send({"hello": None})
        await closes(socket, 1008, told=("refused",))


# ---- messages --------------------------------------------------------------------------------------


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


FIRST = {
    "an action before hello": '{"id":"a","action":{"do":"pass"}}',
    "an undo before hello": '{"id":"a","undo":true}',
    "hold before hello": '{"hold":true}',
}


@cases("the stream is closed with 1008 for", {name: (text,) for name, text in FIRST.items()})
async def without_hello(text):
    async with unnoticed() as around:
        socket = await opened(around, hello=False)
        socket.text(text)
        await closes(socket, 1008, told=("refused",))


HELLOS = {
    "the token of nobody": {"hello": STRANGER},
    "half a token": {"hello": STRANGER[:16]},
    "an empty token": {"hello": ""},
    "a number": {"hello": 0},
    "false": {"hello": False},
    "an unknown key": {"hello": None, "name": "Ana"},
    "from that is a word": {"hello": None, "from": "12"},
    "from before there was anything": {"hello": None, "from": -2},
    "no hello at all": {"from": 1},
}


@cases("nobody is let in by a hello with", {name: (hello,) for name, hello in HELLOS.items()})
async def bad_hello(hello):
    async with unnoticed() as around:
        socket = await opened(around, hello=False)
        socket.send(hello)
        socket.send(hello)  # what is not understood closes the second time
        await closes(socket, 1008, told=("refused",))


@case("nobody is let in by the token of another table")
async def other_table():
    async with unnoticed() as around, waiting() as (_, table, ana):
        for token in (ana.token, table.host):
            socket = await opened(around, hello=False)
            socket.send({"hello": token})
            await closes(socket, 1008, told=("refused",))


@case("whoever says nothing for ten seconds is closed with 1008")
async def silence():
    async with unnoticed() as around:
        began = time.monotonic()
        silent, pinging = await opened(around, hello=False), await opened(around, hello=False)

        async def ping():
            while True:
                pinging.frame(PING, b"still here")
                await asyncio.sleep(1)

        task = asyncio.create_task(ping())
        try:
            await asyncio.gather(closes(silent, 1008), closes(pinging, 1008))
        finally:
            task.cancel()
        took = time.monotonic() - began
        expect(9 < took < 15, f"it took {took:.1f} s")


ODD = {
    "words": "good evening",
    "nothing": "",
    "half an object": '{"id":"a"',
    "a list": "[]",
    "an unknown key": '{"id":"a","action":{"do":"pass"},"why":1}',
    "an unknown message": '{"shout":"hello"}',
    "an action without id": '{"action":{"do":"pass"}}',
    "an id without action": '{"id":"a"}',
    "an id that is a number": '{"id":7,"action":{"do":"pass"}}',
    "an empty id": '{"id":"","action":{"do":"pass"}}',
    "an id of 41 characters": '{"id":"' + "a" * 41 + '","action":{"do":"pass"}}',
    "an id with a space": '{"id":"a b","action":{"do":"pass"}}',
    "an id with an umlaut": '{"id":"ä","action":{"do":"pass"}}',
    "undo that is false": '{"id":"a","undo":false}',
    "undo and action": '{"id":"a","undo":true,"action":{"do":"pass"}}',
    "a key twice": '{"id":"a","id":"b","action":{"do":"pass"}}',
    "nested a thousand times": '{"id":"a","action":' + "[" * 1000 + "]" * 1000 + "}",
    "hello again with another token": '{"hello":"' + STRANGER + '"}',
    "a tilt that is a word": '{"look":{"tilt":"left","lamp":null}}',
}


@cases("once is forgiven, twice is closed with 1008", {name: (text,) for name, text in ODD.items()})
async def odd(text):
    async with unnoticed() as around:
        twin = around.seats[0].twin()
        await twin.connect()
        twin.socket.text(text)
        await twin.barrier()
        expect(twin.closed is None, "closed at once")
        expect(not any("ack" in answer for answers in twin.answers.values() for answer in answers), "acknowledged")
        named = set(twin.answers) - {None}
        twin.socket.text(text)
        if named:  # understood so far that it could be refused by its id: that is no reason to close
            await twin.barrier()
            await twin.disconnect()
            return
        closed = await twin.ended()
        equal(closed.code, 1008, f"the close: {closed}")
        expect(closed.reason, "a reason")


@case("a spectator's and a host's actions are refused or not understood, never played")
async def spectators_act():
    async with unnoticed() as around:
        for token in (None, around.table.host):
            socket = await WebSocket.open(around.server, around.table.path + "/live")
            socket.send({"hello": token})
            for i in range(3):
                socket.send({"id": f"a{i}", "action": {"do": "place", "card": 0, "at": [0, 0]}})
            socket.frame(PING, b"x")
            acked = []
            with contextlib.suppress(client.Closed):
                while not socket.pongs:
                    text = await asyncio.wait_for(socket.receive(), client.PATIENCE)
                    acked += [text] if text and "ack" in json.loads(text) else []
            equal(acked, [], "acknowledged")
            socket.cut()


ACTIONS = {
    "another's turn": (1, {"do": "place", "card": 0, "at": [0, 0]}, "not-your-turn"),
    "the wrong phase": (0, {"do": "pass"}, "wrong-phase"),
    "a take without the market": (0, {"do": "take", "market": 0}, "wrong-phase"),
    "the submarine's place": (0, {"do": "place", "card": 0, "at": [2, 2]}, "submarine"),
    "a card that is not in the hand": (0, {"do": "place", "card": 3, "at": [0, 0]}, "no-such-card", "bad-value"),
    "a place off the board": (0, {"do": "place", "card": 0, "at": [5, 0]}, "bad-value"),
    "a place that is a word": (0, {"do": "place", "card": 0, "at": "here"}, "bad-value"),
    "a verb that does not exist": (0, {"do": "fly"}, "bad-value"),
    "a verb of another game": (0, {"do": "ready"}, "bad-value"),
    "no verb": (0, {"card": 0, "at": [0, 0]}, "bad-key"),
    "a key too many": (0, {"do": "place", "card": 0, "at": [0, 0], "why": 1}, "bad-key"),
    "a key too few": (0, {"do": "place", "card": 0}, "bad-key"),
    "a time of its own": (0, {"do": "place", "card": 0, "at": [0, 0], "t": 5}, "bad-key", "bad-value", "wrong-time"),
    "the seat of another": (1, {"seat": 0, "do": "place", "card": 0, "at": [0, 0]}, "bad-key", "bad-value", "not-your-turn"),
    "an empty action": (0, {}, "bad-key"),
}


@cases("Soum Soum: an action is refused for", ACTIONS)
async def bad_actions(seat, action, *codes):
    async with unnoticed() as around:
        await refused(around.seats[seat], action, *codes)


@cases("what is no object is no action", {"a list": ([],), "a word": ("pass",), "null": (None,), "a number": (3,)})
async def no_action(value):
    async with unnoticed() as around:
        twin = await around.seats[0].twin().connect()
        twin.socket.send({"id": "a", "action": value})
        await twin.barrier()
        expect(all("ack" not in answer for answer in twin.answers.get("a", [])), "acknowledged")
        twin.cut()
        await asyncio.sleep(0.05)


async def refused(seat, action, *codes):
    try:
        await seat.act(action)
    except Refused as error:
        expect(not codes or error.code in codes, f"refused with {error}, should be one of {codes}")
        return error.code
    raise Wrong(f"{seat}: {short(action)} was taken")


DIVE = {
    "ready with an empty board": ({"do": "ready"}, "no-token"),
    "unready before ready": ({"do": "unready"}, "not-ready"),
    "a token twice": ({"do": "program", "levels": [{"tokens": [1], "shark": True}, {"tokens": [1], "shark": True}]}, "token-twice"),
    "a sixth token": ({"do": "program", "levels": [{"tokens": [6], "shark": True}]}, "bad-value"),
    "a sixth level": ({"do": "program", "levels": [{"tokens": [], "shark": False}] * 6}, "no-such-level", "bad-value"),
    "a level without tokens": ({"do": "program", "levels": [{"shark": True}]}, "tokens-missing", "bad-key"),
    "another's companion": ({"do": "use", "companion": "orca"}, "not-your-companion", "not-in-play"),
    "breath without a fugu": ({"do": "breathe"}, "no-fugu"),
    "the clock's word": ({"do": "stop", "why": "clock"}, ),
    "the orca's word": ({"do": "stop", "why": "orca"}, ),
    "the clock's word with a seat": ({"seat": 0, "do": "stop", "why": "clock"}, ),
    "an axolotl out of time": ({"do": "axolotl", "use": True}, "wrong-phase", "not-your-companion", "not-in-play"),
}


@cases("Dive: an action is refused for", DIVE)
async def bad_dives(action, *codes):
    async with unnoticed("dive", {"divers": 2}) as around:
        await refused(around.seats[0], action, *codes)


@case("Dive: the clock is the table's alone: nobody at a table with a clock says stop")
async def clock():
    async with unnoticed("dive", {"divers": 2, "clock": 600}) as around:
        for action in ({"do": "stop", "why": "clock"}, {"do": "stop", "why": "orca"}, {"seat": 1, "do": "ready"}):
            await refused(around.seats[0], action)


CITY = {
    "a walkie-talkie to oneself": ({"do": "walkie", "target": 0}, "own-hand"),
    "a walkie-talkie to nobody": ({"do": "walkie", "target": 3}, "no-such-diver", "bad-value", "no-such-seat"),
    "signs where people speak": ({"do": "walkie", "target": 1, "signs": [[1], [2], [3]]}, "no-signs"),
    "a hotel that is not built": ({"do": "close", "card": 0, "hotel": "mauve"}, "bad-value"),
    "the claim of a card that is not there": ({"do": "claim", "card": 9, "species": "crab"}, "no-such-card", "bad-value"),
    "the claim of an animal that is not there": ({"do": "claim", "card": 0, "species": "unicorn"}, "bad-value"),
    "a reorder out of time": ({"do": "reorder", "order": [0, 1, 2, 3]}, "wrong-phase"),
    "a diver card that one has not": ({"do": "diver", "use": "explorer"}, "not-your-diver-card", "wrong-phase"),
}


@cases("DiverCity: an action is refused for", CITY)
async def bad_city(action, *codes):
    async with unnoticed("divercity", {"divers": 3, "diver_cards": "none", "first": 0}, people=3) as around:
        # an oil rig comes first at some tables: then the phase is wrong already
        await refused(around.seats[0], action, *codes, "wrong-phase")


@case("an action before the start and one after the end are refused, and undo too")
async def before_and_after():
    server = the_server()
    table = await Table.make(server, "soumsoum", {"players": 2, "first": 0})
    ana = await (await table.sit("Ana")).connect()
    await table.bot(1, "random")
    place = {"do": "place", "card": 0, "at": [0, 0]}
    await refused(ana, place)
    await table.start()
    await ana.until(lambda: ana.view is not None, "the start")
    rng = client.seed("before and after")
    while ana.view["phase"] != "over":
        action = choose(ana.view, rng)
        if action:
            await ana.act(action)
        else:
            told = ana.told
            await ana.until(lambda: ana.told > told, "the bot")
    equal(await refused(ana, place), "over", "after the end")
    await refuse(ask(server, "POST", table.path + "/start", token=table.host), 409)
    await refuse(ask(server, "POST", table.path + "/bots", {"seat": 1, "bot": None}, table.host), 409)
    await refuse(ask(server, "POST", table.path + "/seats", {"name": "Ben"}), 409)
    await ana.disconnect()


@case("an id that was used for another action does not play that one")
async def reused_id():
    around = await Around().make()
    ana = around.seats[0]
    await ana.act({"do": "place", "card": 0, "at": [0, 0]}, "same-id")
    before = await around.known()
    with contextlib.suppress(Refused):
        await ana.act({"do": "pass"}, "same-id")
    equal(await around.known(), before, "what everybody knows")
    await ana.act({"do": "pass"}, "a-new-id_0")
    await around.leave()


@case("an id that was refused may be sent again: the answer is a refusal again")
async def refused_id():
    async with unnoticed() as around:
        for _ in range(2):
            try:
                await around.seats[1].act({"do": "pass"}, "again")
            except Refused as error:
                equal(error.code, "not-your-turn", "the code")
                continue
            raise Wrong("it was taken")


# ---- frames ----------------------------------------------------------------------------------------


def close_frame(code, reason=b""):
    return struct.pack(">H", code) + reason


FRAMES = {
    "a frame without a mask": (lambda s: s.frame(TEXT, b'{"hold":true}', masked=False), 1002),
    "a hello without a mask": (lambda s: s.frame(TEXT, b'{"hello":null}', masked=False), 1002),
    "an empty frame without a mask": (lambda s: s.frame(TEXT, b"", masked=False), 1002),
    "a ping without a mask": (lambda s: s.frame(PING, b"x", masked=False), 1002),
    "a length that is too long for what it says": (lambda s: s.writer.write(b"\x89\xfe\x00\x01maskx"), 1002),
    "a message in 2000 empty pieces": (lambda s: [s.frame(TEXT if i == 0 else CONTINUATION, b"", fin=False) for i in range(2000)], 1009),
    "more than 60 pings at once": (lambda s: [s.frame(PING, b"x") for _ in range(200)], 1008),
    "a reserved bit": (lambda s: s.frame(TEXT, b"{}", reserved=4), 1002),
    "a kind that does not exist": (lambda s: s.frame(3, b"{}"), 1002),
    "a control frame that does not exist": (lambda s: s.frame(11, b"{}"), 1002),
    "a ping in pieces": (lambda s: s.frame(PING, b"x", fin=False), 1002),
    "a ping of 126 bytes": (lambda s: s.frame(PING, b"x" * 126), 1002),
    "a continuation of nothing": (lambda s: s.frame(CONTINUATION, b"x"), 1002),
    "a message within a message": (lambda s: (s.frame(TEXT, b"{", fin=False), s.frame(TEXT, b"}")), 1002),
    "half a code in a close": (lambda s: s.frame(CLOSE, b"\x03"), 1002),
    "a close with 1005": (lambda s: s.frame(CLOSE, close_frame(1005)), 1002),
    "a close with 999": (lambda s: s.frame(CLOSE, close_frame(999)), 1002),
    "text that is no UTF-8": (lambda s: s.frame(TEXT, b'{"hold":"\xff"}'), 1007),
    "text that ends within a character": (lambda s: s.frame(TEXT, b'{"hold":"\xe2\x82'), 1007),
    "text that is no UTF-8 in its second piece": (
        lambda s: (s.frame(TEXT, b'{"hold":"\xe2\x82', fin=False), s.frame(CONTINUATION, b'"}')), 1007),
    "a message of 16 KB and a byte": (lambda s: s.text(b" " * (BOUND + 1)), 1009),
    "a message of 100 KB": (lambda s: s.text(b" " * 100000), 1009),
    "17 KB in small pieces": (lambda s: s.text(b" " * 17408, pieces=170), 1009),
    "pieces without end": (
        lambda s: [s.frame(TEXT if i == 0 else CONTINUATION, b"x" * 1000, fin=False) for i in range(18)], 1009),
    "a length of 2^63": (lambda s: s.writer.write(b"\x81\xff" + b"\xff" * 8 + b"mask"), 1009, 1002),
    "a length of a gigabyte": (lambda s: s.writer.write(b"\x81\xff" + struct.pack(">Q", 1 << 30) + b"mask" + b"x" * 20000), 1009),
    "bytes instead of text": (lambda s: s.frame(BINARY, b"{}"), 1003),
}


@cases("the stream is closed with the right code for", FRAMES)
async def bad_frames(send, *codes):
    for hello in (True, False):
        async with unnoticed() as around:
            socket = await opened(around, hello)
            send(socket)
            await closes(socket, *codes, told=("refused",))


@case("a message of just 16 KB is read")
async def largest():
    async with unnoticed() as around:
        for pieces in (1, 7):
            socket = await opened(around, hello=False)
            socket.text('{"hello":null' + " " * (BOUND - 14) + "}", pieces)
            expect("view" in await socket.message(), "the view")
            socket.cut()


@case("whoever speaks too fast is closed with 1008: more than 60 at once")
async def too_fast():
    async with unnoticed() as around:
        twin = await around.seats[1].twin().connect()
        for i in range(200):
            twin.socket.send({"id": f"fast-{i}", "action": {"do": "pass"}})
        closed = await twin.ended()
        equal(closed.code, 1008, f"the close: {closed}")
        answered = len(twin.answers)
        expect(40 <= answered <= 80, f"{answered} of 200 were answered")


@case("whoever speaks fast, but 25 a second, is heard")
async def fast():
    async with unnoticed() as around:
        twin = await around.seats[1].twin().connect()
        for i in range(75):
            twin.socket.send({"id": f"fast-{i}", "action": {"do": "pass"}})
            await asyncio.sleep(0.04)
        await twin.until(lambda: len(twin.answers) == 75, "75 refusals")
        await twin.disconnect()


@case("who vanishes without a word is asked after by the system")
async def vanished():
    async with unnoticed() as around:
        socket = await opened(around)
        ends = [f"0100007F:{socket.writer.get_extra_info(end)[1]:04X}" for end in ("peername", "sockname")]

        def timer():  # of the server's end
            lines = [line.split() for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()]
            return next(line[5].split(":")[0] for line in lines if line[1:3] == ends)

        end = time.monotonic() + 5
        while timer() == "01" and time.monotonic() < end:  # what it sent last is not acknowledged yet
            await asyncio.sleep(0.05)
        equal(timer(), "02", "the timer: 02 keeps alive")
        socket.cut()


@case("--messages and --burst, here from a file, bound a stream, and a seat with all its streams together")
async def limits():
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as config:
        config.write("# little is allowed\nmessages = 1\nburst= 12 # at once\n")
        config.flush()
        server = Server(tap.program(), "--config", config.name)
    try:
        one = server.nodes()[0]  # each bounds what it hears itself
        table = await Table.make(one, "soumsoum", {"players": 2, "first": 0})
        ana, _ = await table.sit("Ana"), await table.sit("Ben")
        await table.start()
        streams = [await ana.twin().connect() for _ in range(4)]
        for stream in streams:
            for i in range(8):
                stream.socket.send({"id": f"{stream.next_id()}-{i}", "action": {"do": "pass"}})
        codes = []
        for stream in streams:
            await stream.until(lambda s=stream: len(s.answers) == 8, "eight refusals")
            codes += [answer["code"] for answers in stream.answers.values() for answer in answers]
        equal(set(codes), {"wrong-phase", "busy"}, "why 32 actions were refused")
        expect(12 <= codes.count("wrong-phase") <= 20, f"{codes.count('wrong-phase')} of 32 were looked at")
        for i in range(12):
            streams[0].socket.frame(PING, b"x")
        equal((await streams[0].ended()).code, 1008, "a stream that says more than its own")
        for stream in streams[1:]:
            expect(stream.closed is None, "its neighbours stand")
            await stream.disconnect()
        await server.stop()
    finally:
        await server.close()


@case("--queue says how far behind a reader may be", 120)
async def queue():
    server = Server(tap.program(), "--queue", "4096", fast=True)
    try:
        table = await Table.make(server, "divercity", {"divers": 6, "diver_cards": "none", "first": 0})
        ben, *others = [await table.sit(name) for name in ("Ana", "Ben", "Cleo", "Dan", "Eve", "Flo")]
        await table.start()
        for seat in others:
            await seat.connect()
        slow = await WebSocket.open(server, table.path + "/live", receive_buffer=4096)
        slow.send({"hello": ben.token})
        slow.writer.transport.pause_reading()

        async def claim(seat):
            for i in range(110):
                await seat.act({"do": "claim", "card": 0, "species": ("crab", "eel")[i % 2]})

        await asyncio.gather(*map(claim, others))
        for seat in others:
            await seat.barrier()
        slow.writer.transport.resume_reading()
        messages = []
        while not messages or messages[-1].get("seq") != others[0].seq:
            messages.append(await slow.message())
        size = sum(len(json.dumps(m)) for m in messages)
        expect(size > 500 << 10, f"{size} bytes do not tell: 256 KB, and what sockets hold, would be kept anyway")
        slow.cut()
        for seat in others:
            await seat.disconnect()
        await server.stop()
    finally:
        await server.close()


@case("whoever does not read is closed with 1013, and holds up nobody", 120)
async def slow_reader():
    around = await Around().make("divercity", {"divers": 6, "diver_cards": "none", "first": 0}, 6)
    slow = await WebSocket.open(around.server, around.table.path + "/live", receive_buffer=4096)
    slow.send({"hello": around.seats[0].token})
    slow.writer.transport.pause_reading()
    end = time.monotonic() + 60
    enough = 1 << 20  # bytes: what the sockets of both sides hold, and 256 KB

    async def claim(seat):
        i, size = 0, len(json.dumps(around.seats[0].view))
        seat.pace = client.Pace(28)
        while time.monotonic() < end and len(seat.log) * size < enough:
            i += 1
            await seat.act({"do": "claim", "card": 0, "species": ("crab", "eel")[i % 2]})

    await asyncio.gather(*(claim(seat) for seat in around.seats))
    told = max(seat.told for seat in around.seats)
    slow.writer.transport.resume_reading()
    closed, messages = await slow.closing()
    equal(closed.code, 1013, f"the slow reader: {closed} after {len(messages)} of {told} messages")
    equal(closed.reason, "too slow a reader", "why")
    expect(len(messages) < told, f"all {told} messages were kept for a reader that did not read")
    for stream in around.streams():
        await stream.barrier()
    expect(len({stream.seq for stream in around.streams()}) == 1, "others know the same")
    await around.leave()


@case("connections that end in the middle of a frame, a handshake or a body are nobody's loss")
async def torn():
    async with unnoticed() as around:
        server = around.server
        for data in (b"\x81", b"\x81\xfe\x10", b"\x81\x85mask", b""):
            socket = await opened(around)
            socket.writer.write(data)
            await socket.writer.drain()
            socket.cut()
        for data in (b"G", b"GET /api/tables HTTP/1.1\r\nHo", b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 15\r\n\r\n{\"ga",
                     f"GET {around.table.path}/live HTTP/1.1\r\nUpgrade: websocket\r\n".encode()):
            _, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(data)
            await writer.drain()
            writer.close()


# ---- the end ---------------------------------------------------------------------------------------


@case("after all this the server still plays a game, and ends with status 0 when it is told to")
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


if __name__ == "__main__":
    try:
        tap.main()
    finally:
        for left in _server:
            asyncio.run(left.close())
