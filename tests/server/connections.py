#!/usr/bin/env python3
"""connections.py: what one connection, or one address, can do to a server that others use.

usage: connections.py FATHOM [SOURCE_ROOT]
"""
import asyncio
import contextlib
import sys
import tempfile
from pathlib import Path

import client
from client import case, expect, tap
from tap import equal


@contextlib.asynccontextmanager
async def serving(*flags, **options):
    """A server with these flags; it is stopped, and its status checked, when the case went well."""
    server = client.Server(tap.program(), *flags, **options)
    try:
        yield server
        await server.stop(60)
    finally:
        await server.close()


async def all_bytes(reader, seconds=client.PATIENCE):
    """Everything until the server closes the connection."""
    try:
        return await client.patiently("the end of a connection", reader.read(), seconds)
    except ConnectionError:
        return b""


def sanitized():
    return b"__asan_init" in Path(tap.program()).read_bytes()


# ---- memory of libwebsockets -----------------------------------------------------------------------


@case("W01 an upgrade to nothing we know, on a kept connection, reads no freed memory: one answer, then the end", 600)
async def unknown_upgrade():
    valgrind = [] if sanitized() else ["valgrind", "-q", "--error-exitcode=99", "--leak-check=no"]
    async with serving("--data", "none", under=valgrind) as server:
        for behind in (b"", b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"):  # also with the next request on its heels
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            equal((await client.read_answer(reader)).status, 200, "the first request")
            writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\nUpgrade: foo\r\nConnection: Upgrade\r\n\r\n" + behind)
            said = await all_bytes(reader, 120)
            writer.close()
            equal(said.count(b"HTTP/1.1 "), 1, f"answers to one request: {said!r}")
            expect(said.startswith(b"HTTP/1.1 4"), f"answered with {said[:80]!r}")
        equal((await client.ask(server, "GET", "/healthz")).status, 200, "health afterwards")
        expect("Invalid read" not in server.errors(), server.errors()[-3000:])


# ---- a class behind one router ---------------------------------------------------------------------

ASSETS = 45  # besides index.html: what a first visit to an invitation asked for before it was reduced


def page(folder):
    """A page of as many files as a built one has."""
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>Fathom</title>\n", encoding="ascii")
    paths = ["/"]
    for number in range(ASSETS):
        paths.append(f"/assets/part-{number:08d}.js")
        (folder / paths[-1][1:]).write_text(f"export const n = {number};\n" * 50, encoding="ascii")
    return paths


async def visit(server, paths, code, name):
    """All that a phone does from the link to a seat, and nothing again: each answer must be the first."""
    http = client.Http(server)

    async def fine(method, path, body=None, status=200):
        answer = await http.request(method, path, body)
        equal(answer.status, status, f"{name}: {method} {path}: {answer}")
        return answer

    for path in paths:
        await fine("GET", path)
    await fine("GET", "/api/games")
    table = (await fine("GET", f"/api/codes/{code}")).json()["table"]
    await fine("GET", f"/api/tables/{table}")
    sat = (await fine("POST", f"/api/tables/{table}/seats", {"name": name}, 201)).json()
    http.close()
    return await client.Seat(server, table, sat["token"], sat["seat"]).connect()


@case("W16 forty clients of one address sit down within a second")
async def party():
    with tempfile.TemporaryDirectory(prefix="fathom-page-") as folder:
        paths = page(Path(folder) / "page")
        async with serving("--data", Path(folder) / "page", rate=None) as server:
            tables = [await client.Table.make(server, "soumsoum", {"players": 4}) for _ in range(10)]
            seats = await asyncio.gather(*(visit(server, paths, tables[i % 10].code, f"Phone {i}") for i in range(40)))
            equal(sorted((seat.table, seat.seat) for seat in seats), sorted((t.id, n) for t in tables for n in range(4)), "who sits where")
            for seat in seats:
                await seat.disconnect()


@case("W16 whoever is refused for being too fast is told when to come back, and is right to trust it")
async def come_back():
    async with serving(rate=5) as server:
        http, answer = client.Http(server), None
        for _ in range(100):
            answer = await http.request("POST", "/api/practice", {})
            if answer.status == 429:
                break
        equal((answer.status, answer.code), (429, "busy"), "after many requests")
        seconds = int(answer.headers["retry-after"])
        expect(1 <= seconds <= 60, f"Retry-After: {seconds}")
        await asyncio.sleep(seconds)
        equal((await http.request("POST", "/api/practice", {})).status, 201, f"after {seconds} s")
        http.close()


@case("W16 whoever guesses codes is stopped long before whoever knows one")
async def guesses():
    async with serving(rate=20) as server:
        table = await client.Table.make(server, "soumsoum")
        http = client.Http(server)
        for turn in range(40):  # twice what guesses get, at one a request
            answer = await http.request("GET", f"/api/codes/{table.code}")
            equal(answer.status, 200, f"look-up {turn} of a code that is there")
        statuses = [(await http.request("GET", f"/api/codes/{'ABCDEF'[i % 6]}{'22222'}")).status for i in range(12)]
        expect(429 in statuses, f"twelve guesses: {statuses}")
        http.close()


if __name__ == "__main__":
    tap.main(*sys.argv[3:4])
