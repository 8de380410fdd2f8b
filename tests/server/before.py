#!/usr/bin/env python3
"""before.py: a store written before rules had versions: its tables are served, and finished by version 1.

store/before.sql was written by the program of then (commit b096aff): five running games, a table that waits, a
game that is over; store/before.json has their tokens. Both were made once and stay as they are.
"""
import asyncio
import contextlib
import json
import sqlite3
import tempfile
from pathlib import Path

import client
from client import case, expect, tap
from tap import equal, fathom

HERE = Path(__file__).resolve().parent / "store"
TABLES = json.loads((HERE / "before.json").read_text(encoding="utf-8"))
KEPT = ["--keep-idle", "forever", "--keep-waiting", "forever", "--keep-finished", "forever"]


@contextlib.contextmanager
def store():
    """A folder with the store in it."""
    with tempfile.TemporaryDirectory(prefix="fathom-before-") as folder:
        with contextlib.closing(sqlite3.connect(Path(folder) / "store.db")) as db:
            db.executescript((HERE / "before.sql").read_text(encoding="utf-8"))
        yield folder


def checked(folder):
    run = fathom("store", "check", f"sqlite:{Path(folder) / 'store.db'}")
    equal(run.status, 0, f"{run.out}{run.err}")


async def finish(server, about):
    """Bots play the seats to the end; the record is of version 1 and replays."""
    table = client.Table(server, about["table"], host=about["host"])
    before = await table.get()
    equal((before["state"], before["rules"]), (about["state"], 1), about["game"])
    if about["state"] == "waiting":
        await table.bot(1, "random")
        await table.start()
    elif about["state"] == "playing":
        seat = client.Seat(server, table.id, about["seat"][0], 0)
        await seat.connect()
        equal(seat.view["rules"], 1, "the rules of its view")
        await seat.disconnect()
    for seat, place in enumerate((await table.get())["seats"]):
        if place["bot"] is None:
            await table.bot(seat, "random")
    while (await table.get())["state"] != "over":
        await asyncio.sleep(0.1)
    record = await table.record()
    equal(json.loads(record.splitlines()[0])["rules"], 1, "the rules of its record")
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(record)
        file.flush()
        equal(fathom("replay", file.name).status, 0, f"the record of {about}")


@case("the tables of an earlier server are finished by the rules they began with")
async def earlier():
    with store() as folder:
        checked(folder)
        server = client.Server(tap.program(), "--bot-ms", "0", *KEPT, folder=folder)
        try:
            for about in TABLES:
                if about["state"] != "over":
                    await finish(server, about)
            await server.stop()
        finally:
            await server.close()
        checked(folder)


@tap.case("there is a table of every game and state")
def every_kind():
    kinds = {(about["game"], about["state"]) for about in TABLES}
    expect({("dive", "playing"), ("divercity", "playing"), ("soumsoum", "playing"), ("divercity", "waiting"), ("soumsoum", "over")} <= kinds, kinds)


if __name__ == "__main__":
    tap.main()
