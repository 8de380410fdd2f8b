#!/usr/bin/python3
"""refusals.py: requests over HTTP that a server refuses, as described in docs/protocol-server.md."""
import asyncio
import contextlib
import json
import time

import bystanders
import tap
from bystanders import STRANGER, refusals, refuse, the_server, unnoticed, waiting
from client import BOUND, Http, NoUpgrade, Server, Table, WebSocket, Wrong, ask, case, cases, expect, short
from tap import equal

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
    "a deck that is not there": (b'{"game":"dive","options":{"deck":"no-such"}}', "bad-deck"),
    "a deck of another game": (b'{"game":"dive","options":{"deck":"soumsoum-lagoon"}}', "bad-deck"),
    "a path for a deck": (b'{"game":"dive","options":{"deck":"../../etc/passwd"}}', "bad-deck", "bad-value"),
}


@cases("no table is made from", BODIES)
async def bad_tables(body, *codes):
    await refuse(ask(the_server(), "POST", "/api/tables", body), 400, *codes)


GAME_TABLES = {f"{game}: {name}": (game, one["options"], *one["codes"])
               for game in tap.games() for name, one in refusals(game)["tables"].items()}


@cases("no table is made from", GAME_TABLES)
async def bad_game_tables(game, options, *codes):
    await bad_tables(json.dumps({"game": game, "options": options}).encode(), *codes)


SEATS = {
    "a name that is missing": ({"seat": 1}, 400, "bad-key"),
    "an empty name": ({"name": ""}, 400, "name-empty"),
    "a name of 33 characters": ({"name": "x" * 33}, 400, "name-too-long"),
    "a name of 33 octopuses": ({"name": "🐙" * 33}, 400, "name-too-long"),
    "a name of control characters alone": ({"name": "\u0007\u001b\u0085"}, 400, "name-empty"),
    "a name of bidirectional characters alone": ({"name": "\u202e\u2066\u200f"}, 400, "name-empty"),
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
        await refuse(ask(around.server, "PUT", path, {"notes": "x" * 4001}, token), 413, "notes-too-long")
        await refuse(ask(around.server, "PUT", path, {"notes": "é" * 2001}, token), 413, "notes-too-long")
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


if __name__ == "__main__":
    bystanders.main()
