#!/usr/bin/env python3
"""connections.py: what one connection, or one address, can do to a server that others use.

usage: connections.py FATHOM [SOURCE_ROOT]
"""
import asyncio
import atexit
import contextlib
import subprocess
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


_shared = []


@contextlib.asynccontextmanager
async def shared():
    """One server for many small cases."""
    if not _shared:
        _shared.append(client.Server(tap.program()))
    yield _shared[0]
    expect(_shared[0].running(), f"the server died: {_shared[0].errors()[-2000:]}")


async def all_bytes(reader, seconds=client.PATIENCE):
    """Everything until the server closes the connection."""
    try:
        return await client.patiently("the end of a connection", reader.read(), seconds)
    except ConnectionError:
        return b""


# ---- memory of libwebsockets -----------------------------------------------------------------------


@case("W01 an upgrade to nothing we know, on a kept connection, reads no freed memory: one answer, then the end", 600)
async def unknown_upgrade():
    valgrind = [] if tap.sanitized() else ["valgrind", "-q", "--error-exitcode=99", "--leak-check=no"]
    async with serving(under=valgrind) as server:
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


# ---- requests that could be read in two ways -------------------------------------------------------

HEAD = b"POST /api/tables HTTP/1.1\r\nHost: table.example\r\n"
BODY = b'{"game":"dive"}'
TWO_WAYS = {
    "two lengths": (HEAD + b"Content-Length: 15\r\nContent-Length: 2\r\n\r\n" + BODY, 400),
    "the same length twice": (HEAD + b"Content-Length: 15\r\ncontent-length: 15\r\n\r\n" + BODY, 400),
    "a list of lengths": (HEAD + b"Content-Length: 15, 15\r\n\r\n" + BODY, 400),
    "a length with a sign": (HEAD + b"Content-Length: +15\r\n\r\n" + BODY, 400),
    "chunks": (HEAD + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411),
    "chunks and a length": (HEAD + b"Transfer-Encoding: chunked\r\nContent-Length: 15\r\n\r\n" + BODY, 400),
    "a blank before the colon": (HEAD + b"transfer-encoding : chunked\r\nContent-Length: 15\r\n\r\n" + BODY, 400),
    "blanks and a tab before the colon": (HEAD + b"Transfer-Encoding \t  : chunked\r\nContent-Length: 15\r\n\r\n" + BODY, 400),
    "a blank before a length's colon": (HEAD + b"Content-Length : 2\r\nContent-Length: 15\r\n\r\n" + BODY, 400),
    "a folded line": (HEAD + b"X-A: b\r\n Transfer-Encoding: chunked\r\nContent-Length: 15\r\n\r\n" + BODY, 400),
    "a line that ends with LF": (HEAD + b"X-A: b\nContent-Length: 15\r\n\r\n" + BODY, 400),
    "a CR within a line": (HEAD + b"X-A: b\rTransfer-Encoding: chunked\r\nContent-Length: 15\r\n\r\n" + BODY, 400),
    "no Host": (b"GET /healthz HTTP/1.1\r\n\r\n", 400),
    "two Hosts": (b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    "a Host that is a path": (b"GET /healthz HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
    "a Host with a name before it": (b"GET /healthz HTTP/1.1\r\nHost: a@b\r\n\r\n", 400),
    "a Host with a blank": (b"GET /healthz HTTP/1.1\r\nHost: a b\r\n\r\n", 400),
}


@client.cases("W12 one refusal, and the connection ends, for", TWO_WAYS)
async def two_ways(data, status):
    async with shared() as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(data + b"GET /healthz HTTP/1.1\r\nHost: table.example\r\n\r\n")  # what would be smuggled
        said = await all_bytes(reader)
        writer.close()
        equal(said.count(b"HTTP/1.1 "), 1, f"answers: {said!r}")
        expect(said.startswith(b"HTTP/1.1 %d " % status), f"answered with {said[:60]!r}, should be {status}")
        expect(b"\r\nconnection: close\r\n" in said, f"it does not say that it closes: {said!r}")


NEAR = {
    "this machine itself": (b"Host: 127.0.0.1:1\r\n", 200),
    "localhost": (b"Host: localhost\r\n", 200),
    "through a proxy": (b"Host: 127.0.0.1\r\nX-Forwarded-For: 192.0.2.1\r\n", 404),
    "through a proxy that does not say for whom": (b"Host: 127.0.0.1\r\nX-Forwarded-For:\r\n", 404),
    "through a proxy that says it with blanks": (b"Host: 127.0.0.1\r\nx-forwarded-for:  \t\r\n", 404),
    "through another kind of proxy": (b"Host: 127.0.0.1\r\nForwarded: for=192.0.2.1\r\n", 404),
    "a page whose name was made to mean this machine": (b"Host: evil.example\r\n", 404),
}


@client.cases("W12 who asks for /metrics", NEAR)
async def who_measures(fields, status):
    async with shared() as server:
        http = client.Http(server)
        equal((await http.raw(b"GET /metrics HTTP/1.1\r\n" + fields + b"\r\n")).status, status, "the status")
        http.close()


@case("HEAD is answered as GET is, without the body")
async def head():
    async with shared() as server:
        http = client.Http(server)
        for path in ("/", "/healthz", "/api/games", "/nothing"):
            whole, short = await http.request("GET", path), await http.request("HEAD", path)
            equal((short.status, short.headers, short.body), (whole.status, whole.headers, b""), path)
        http.close()


@case("W12 requests that come in one piece, or byte by byte, are answered one after the other")
async def pieces():
    async with shared() as server:
        requests = (b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", HEAD + b"Content-Length: 15\r\n\r\n" + BODY,
                    b"GET /api/games HTTP/1.1\r\nHost: x\r\n\r\n", b"GET /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc")
        for size in (10000, 700, 1):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            data = b"".join(requests * (2 if size == 1 else 30))
            for at in range(0, len(data), size):
                writer.write(data[at:at + size])
                await asyncio.sleep(0)
            for turn in range(len(data) // len(b"".join(requests))):
                statuses = [(await client.read_answer(reader)).status for _ in requests]
                equal(statuses, [200, 201, 200, 404], f"{size} bytes at a time, turn {turn}")
            writer.close()


# ---- no files left ---------------------------------------------------------------------------------


async def hold(server, n):
    """So many connections, kept open; those that are refused at once do not count."""
    links = []
    for _ in range(n):
        with contextlib.suppress(OSError, asyncio.TimeoutError):
            links.append((await asyncio.wait_for(asyncio.open_connection("127.0.0.1", server.port), 5))[1])
    return links


async def drop(links):
    for link in links:
        link.close()
        with contextlib.suppress(OSError):
            await link.wait_closed()


async def healthy(server, what, seconds=30):
    """Somebody new is served, sooner or later."""
    end = asyncio.get_running_loop().time() + seconds
    while True:
        with contextlib.suppress(OSError, EOFError, client.Wrong, asyncio.TimeoutError):
            if (await asyncio.wait_for(client.ask(server, "GET", "/healthz"), 5)).status == 200:
                return
        expect(asyncio.get_running_loop().time() < end, f"{what}: nobody new is served after {seconds} s")
        await asyncio.sleep(0.1)


@case("W09 without file descriptors the server goes on, says so once, and accepts again when some are free")
async def no_files():
    async with serving(under=["prlimit", "--nofile=128:128"]) as server:
        table = await client.Table.make(server, "soumsoum", {"first": 0})
        seats = [await table.sit(name) for name in ("Ana", "Bo")]
        for seat in seats:
            await seat.connect()
        await table.start()
        await seats[0].until(lambda: seats[0].view is not None, "the start")
        first = server.errors()
        begin = len(first)
        links = await hold(server, 200)  # more than there may be: some are refused
        await drop(links)
        await healthy(server, "after too many connections")
        # Now there is really nothing left: the limit is lowered to what is open.
        used = len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))
        subprocess.run(["prlimit", f"--pid={server.process.pid}", f"--nofile={used}:128"], check=True)
        links = await hold(server, 20)
        await asyncio.sleep(2)
        await seats[0].act(client.choose(seats[0].view, client.seed("no files")))
        said = server.errors()[begin:]
        subprocess.run(["prlimit", f"--pid={server.process.pid}", "--nofile=128:128"], check=True)
        await healthy(server, "when there are files again")
        equal(said.count("\n"), 1, f"lines of the log, {len(said)} bytes: {said[:300]}")
        expect("at most 64 connections instead of 12000" in first, f"what it said at first: {first!r}")
        expect("new connections have to wait: Too many open files" in said, said)
        await drop(links)
        for seat in seats:
            await seat.disconnect()


# ---- one address starves nobody --------------------------------------------------------------------


def from_client(address):
    """What a proxy says of whoever asks."""
    return [("X-Forwarded-For", address)]


async def accepted(server, n):
    """Of so many connections, those that the server keeps."""
    links = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(n)]
    kept = []
    for reader, writer in links:
        with contextlib.suppress(OSError, EOFError, client.Wrong):
            writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            equal((await client.read_answer(reader)).status, 200, "health")
            kept.append(writer)
    return kept, [writer for _, writer in links]


@case("W07 an address has so many connections and no more, and has them again when it closes some")
async def connections():
    async with serving("--address-connections", 8, rate=100000) as server:
        kept, links = await accepted(server, 20)
        equal(len(kept), 8, "connections of one address that are kept")
        await drop(links)
        await healthy(server, "after they were closed")
        many = [asyncio.open_connection("127.0.0.1", server.port, local_addr=(f"127.0.0.{2 + i}", 0)) for i in range(20)]
        links = []
        for one in many:  # each from an address of its own
            reader, writer = await one
            writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            equal((await client.read_answer(reader)).status, 200, "another address")
            links.append(writer)
        await drop(links)


@case("W07 forty phones behind one router, each with a stream and six connections, fit the default")
async def phones():
    most = 40 * 7
    async with serving("--proxy", "127.0.0.1") as server:
        table = await client.Table.make(server, "soumsoum")
        sockets = []
        for _ in range(most):
            sockets.append(await client.WebSocket.open(server, table.path + "/live", headers=from_client("192.0.2.1")))
        equal(len(sockets), most, "streams of one address")
        for socket in sockets:
            socket.cut()


@case("W07 behind a proxy the client counts, not the proxy: by its /64, and as it is written last")
async def proxied():
    async with serving("--proxy", "127.0.0.1,::1", "--address-connections", 3) as server:
        table = await client.Table.make(server, "soumsoum")
        path, sockets = table.path + "/live", []

        async def stream(address):
            socket = await client.WebSocket.open(server, path, headers=from_client(address))
            sockets.append(socket)
            return socket

        for host in range(3):
            await stream(f"2001:db8:1:2::{host + 1}")
        for address in ("2001:db8:1:2:ffff::9", "203.0.113.1, 2001:db8:1:2::7"):
            try:
                await stream(address)
            except client.NoUpgrade as refusal:
                equal((refusal.answer.status, refusal.answer.code), (429, "busy"), address)
                expect(int(refusal.answer.headers["retry-after"]) > 0, "Retry-After")
            else:
                raise client.Wrong(f"{address} got a fourth stream of its network")
        for address in ("2001:db8:1:3::1", "192.0.2.1", "::ffff:192.0.2.2", "2001:db8:1:2::1, 192.0.2.3"):
            await stream(address)
        sockets[0].close()
        await sockets[0].closing()
        await stream("2001:db8:1:2::5")
        for said in ("", "unknown", "192.0.2.1:80", "192.0.2.1,"):
            answer = await client.ask(server, "GET", "/healthz", headers=from_client(said))
            equal(answer.status, 400, f"X-Forwarded-For: {said!r}")
        for socket in sockets:
            socket.cut()


@case("W07 nobody but a proxy says who asks")
async def not_proxied():
    async with serving(rate=5) as server:
        http, statuses = client.Http(server), set()
        for i in range(60):
            answer = await http.request("GET", "/api/games", headers=from_client(f"192.0.2.{i}"))
            statuses.add(answer.status)
        equal(statuses, {200, 429}, "requests that pretend to come from many addresses")
        http.close()


@case("W07 an address has so many tables waiting for players; those that start make room")
async def waiting_tables():
    async with serving("--address-tables", 5, "--proxy", "127.0.0.1") as server:
        async def make(address):
            return await client.Http(server).request("POST", "/api/tables", {"game": "soumsoum"}, headers=from_client(address), keep=False)

        made = [await make("192.0.2.1") for _ in range(5)]
        equal([answer.status for answer in made], [201] * 5, "the first five")
        answer = await make("192.0.2.1")
        equal((answer.status, answer.code), (429, "too-many-tables"), "the sixth")
        expect(int(answer.headers["retry-after"]) > 0, "Retry-After")
        equal((await make("192.0.2.2")).status, 201, "another address")
        table = made[0].json()
        for seat in range(2):
            await client.done(server, "POST", f"/api/tables/{table['table']}/bots", {"seat": seat, "bot": "random"}, table["host"])
        await client.done(server, "POST", f"/api/tables/{table['table']}/start", token=table["host"])
        equal([(await make("192.0.2.1")).status for _ in range(2)], [201, 429], "after one has started")


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
        async with serving(data=Path(folder) / "page", rate=None) as server:
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


@case("W16 a file of the page that is refused is refused in plain text, whatever encoding was asked for")
async def refused_file():
    with tempfile.TemporaryDirectory(prefix="fathom-page-") as folder:
        for name, content in (("index.html", b"<!doctype html>" + bytes(5000)), ("index.html.br", b"as if by brotli")):
            (Path(folder) / name).write_bytes(content)
        async with serving(data=folder, rate=1) as server:
            http, wanted = client.Http(server), [("Accept-Encoding", "gzip, br")]
            first = await http.request("GET", "/", headers=wanted)
            equal((first.status, first.headers.get("content-encoding")), (200, "br"), "at first")
            for headers in (wanted, [*wanted, ("If-None-Match", first.headers["etag"])]):
                for _ in range(5000):  # a file costs little
                    await http.request("GET", "/api/tables")
                    answer = await http.request("GET", "/", headers=headers)
                    if answer.status == 429:
                        break
                equal((answer.status, answer.code, answer.headers.get("content-encoding")), (429, "busy", None), "when it is too much")
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


def stop_shared():
    """Whatever was sent to it, it ends as it should."""
    for server in _shared:
        asyncio.run(server.close())


if __name__ == "__main__":
    atexit.register(stop_shared)
    tap.main(*sys.argv[3:4])
