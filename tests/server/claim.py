#!/usr/bin/env python3
"""claim.py: one server at a time may use an SQLite file; a second one is told which process has it."""
import os
import re
import subprocess

import client
from client import case, expect, tap
from tap import equal, fails, fathom

START = 30  # seconds in which a server serves or says why not


def second(server, *flags):
    """Another server on the same file: its status and what it said, or that it serves."""
    command = [tap.program(), "serve", "--port", "0", "--store", server.store, *flags]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        line = process.stdout.readline()  # "" when it ends
        if line:
            process.kill()
        said = process.communicate(timeout=START)[1]
    expect(not line, f"a second server serves the same file: {line!r}")
    return process.returncode, said


@case("W11 a second server on one SQLite file is refused, and told what holds it")
async def refused():
    server = client.Server(tap.program())
    try:
        table = await client.Table.make(server, "soumsoum")
        status, said = second(server)
        equal(status, 2, "its status")
        line = rf"fathom serve: sqlite:.*store\.db: another server is at work on it: process {server.process.pid} on \S+, " \
               rf"serving on 127\.0\.0\.1, port {server.port}, since \d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d UTC\n"
        expect(re.fullmatch(line, said), said)
        link = server.folder / "link.db"
        os.symlink(server.folder / "store.db", link)  # by another name it is the same file
        fails(fathom("serve", "--port", "0", "--store", f"sqlite:{link}"), "another server", f"process {server.process.pid} ")
        equal((await table.get())["state"], "waiting", "the first goes on")
        equal(os.stat(server.folder / "store.db-server").st_mode & 0o777, 0o600, "the mode of the file beside it")
        await server.stop()
    finally:
        await server.close()


@case("W11 after kill -9 the next server starts")
async def killed():
    server = client.Server(tap.program())
    try:
        table = await client.Table.make(server, "soumsoum")
        for _ in range(3):
            equal(second(server)[0], 2, "the status of a second one")
            await server.kill()
            server.start()
            equal((await table.get())["state"], "waiting", "its table")
        await server.stop()
    finally:
        await server.close()


@case("W11 beside a server a store can be checked and copied from, but not copied into")
async def beside():
    server = client.Server(tap.program())
    try:
        await client.Table.make(server, "soumsoum")
        with tap.scratch() as folder:
            other = f"sqlite:{folder}/other.db"
            equal(fathom("store", "check", server.store).status, 0, "the status of a check")
            fails(fathom("store", "copy", server.store, server.store), "another server is at work on it", f"process {server.process.pid} ")
            equal(fathom("store", "copy", server.store, other).status, 0, "the status of a copy elsewhere")
        await server.stop()
        fails(fathom("store", "copy", server.store, server.store), "holds tables already")
    finally:
        await server.close()


@tap.case("W11 a file beside it that cannot be used is named")
def unusable():
    with tap.scratch() as folder:
        os.mkdir(f"{folder}/store.db-server")
        fails(fathom("serve", "--port", "0", "--store", f"sqlite:{folder}/store.db"), "store.db", "the file beside it")


if __name__ == "__main__":
    tap.main()
