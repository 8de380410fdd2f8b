#!/usr/bin/env python3
"""archive.py: a new version of the server replays old games as they were played, and does not touch what it does not know."""
import contextlib
import shutil
import sqlite3
from pathlib import Path

import client
from client import case, expect, tap
from tap import equal, fails, fathom

GOLDEN = tap.ROOT / "games"  # records are found however deep they lie


@case("with an archive that replays it serves")
async def replays():
    server = client.Server(tap.program(), "--check-archive", str(GOLDEN))
    try:
        await client.Table.make(server, "soumsoum")
        records = len(list(GOLDEN.rglob("*.jsonl")))
        expect(f"fathom: {records} records of the archive replay\n" in server.errors(), server.errors())
        await server.stop()
    finally:
        await server.close()


def refuses(folder, *words):
    fails(fathom("serve", "--port", "0", "--store", f"sqlite:{Path(folder) / 'store.db'}", "--check-archive", folder), *words)
    expect(not (Path(folder) / "store.db").exists(), "the store must not be touched before")


@tap.case("with one that does not, it does not start, and says which line")
def diverges():
    record = sorted(GOLDEN.rglob("*.jsonl"))[0]
    with tap.scratch() as folder:
        (Path(folder) / "deeper").mkdir()
        copy = Path(folder) / "deeper" / record.name
        shutil.copy(record, copy)
        lines = copy.read_text(encoding="utf-8").splitlines()
        lines[4] = lines[4].replace('"seat":', '"seat": ')
        copy.write_text("\n".join(lines) + "\n", encoding="utf-8")
        refuses(folder, "not started", f"deeper/{record.name}:5:")


@tap.case("an archive that is missing or empty checks nothing: it does not start")
def nothing():
    with tap.scratch() as folder:
        refuses(folder, "no record")
    fails(fathom("serve", "--port", "0", "--check-archive", "/nowhere/at/all"), "/nowhere/at/all", "cannot be opened")


def change(server, before, after):
    with contextlib.closing(sqlite3.connect(server.folder / "store.db")) as db:
        changed = db.execute("UPDATE events SET event = CAST(replace(event, ?, ?) AS BLOB) WHERE seq = 1 AND table_n = 1",
                             (before, after)).rowcount
        db.commit()
    equal(changed, 1, "events changed")


@case("a table of newer rules is left alone, and served again by a server that knows them")
async def newer():
    server = client.Server(tap.program())
    try:
        new, old = [await client.Table.make(server, "soumsoum") for _ in range(2)]
        await server.stop()
        change(server, '"rules":1', '"rules":2')
        server.start()
        answer = await client.ask(server, "GET", new.path)
        equal((answer.status, answer.code), (503, "other-rules"), "a table of newer rules")
        expect("no version 2 of these rules" in answer.json()["error"]["message"], answer)
        equal((await old.get())["state"], "waiting", "another table")
        await server.stop()
        change(server, '"rules":2', '"rules":1')
        server.start()
        equal((await new.get())["state"], "waiting", "the same table")
        await server.stop()
    finally:
        await server.close()


if __name__ == "__main__":
    tap.main()
