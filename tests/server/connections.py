#!/usr/bin/env python3
"""connections.py: what one connection, or one address, can do to a server that others use.

usage: connections.py FATHOM [SOURCE_ROOT]
"""
import asyncio
import contextlib
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


if __name__ == "__main__":
    tap.main()
