#!/usr/bin/env python3
"""copy.py: a store with finished and running games is copied to PostgreSQL and back; nothing is lost, and games continue.

Run as `copy.py FATHOM ROOT FILL [FINISHED RUNNING]`; FILL is tests/store/fill.c as a program.
"""
import contextlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path += [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[1] / "server")]

import client  # noqa: E402
import postgres  # noqa: E402
from client import expect, tap  # noqa: E402
from tap import case, equal, fails, fathom  # noqa: E402

FILL = sys.argv[3]
FINISHED, RUNNING = (int(sys.argv[4]), int(sys.argv[5])) if len(sys.argv) > 5 else (60, 8)
PLAYED_ON = 8  # running games that are played to their end
SUM = re.compile(r"(\d+) tables \(0 waiting, (\d+) in play, (\d+) over, 0 closed\), (\d+) events, (\d+) tokens, (\d+) records: (.*) in")

shared = {}


def where(name):
    return f"sqlite:{shared['folder'] / name}"


def lines(title, run):
    """Its figures; the command is done, and said so."""
    equal((run.status, run.err), (0, ""), run)
    found = SUM.match(run.out)
    expect(found, f"{run}: {run.out!r}")
    print(f"# {title}: {run.out.strip()}", flush=True)
    return [int(found[i]) for i in range(1, 7)]


def everything(name):
    """All that is in a store of SQLite, without the numbers that are its own."""
    with contextlib.closing(sqlite3.connect(shared["folder"] / name)) as db:
        return [db.execute(sql).fetchall() for sql in (
            "SELECT id, code, listed, state, deadline_ms FROM tables ORDER BY n",
            "SELECT id, seq, event FROM events JOIN tables ON n = table_n ORDER BY n, seq",
            "SELECT id, hash, role, seat FROM tokens JOIN tables ON n = table_n ORDER BY n, hash",
            "SELECT id, text FROM records JOIN tables ON n = table_n ORDER BY n")]


@case("a store is filled, and all in it is right")
def filled():
    start = time.monotonic()
    done = subprocess.run([FILL, where("a.db"), str(FINISHED), str(RUNNING)], stdout=subprocess.PIPE, check=True, text=True)
    print(f"# filled in {time.monotonic() - start:.1f} s", flush=True)
    shared["running"] = [line.split() for line in done.stdout.splitlines()]
    equal(len(shared["running"]), RUNNING, "running games")
    figures = lines("check", fathom("store", "check", where("a.db")))
    equal(figures[:3] + figures[5:], [FINISHED + RUNNING, RUNNING, FINISHED, FINISHED], "figures")
    shared["figures"] = figures


@case("it is copied to PostgreSQL, where all is right")
def there():
    equal(lines("copy", fathom("store", "copy", where("a.db"), shared["postgres"])), shared["figures"], "copied")
    equal(lines("check", fathom("store", "check", shared["postgres"])), shared["figures"], "checked")


@case("and back: not a byte is different")
def back():
    equal(lines("copy", fathom("store", "copy", shared["postgres"], where("b.db"))), shared["figures"], "copied")
    equal(lines("check", fathom("store", "check", where("b.db"))), shared["figures"], "checked")
    expect(everything("a.db") == everything("b.db"), "the stores are not the same")


@case("a store that holds tables is not copied into")
def occupied():
    fails(fathom("store", "copy", where("a.db"), where("b.db")), "holds tables already")
    fails(fathom("store", "copy", where("a.db"), shared["postgres"]), "holds tables already")
    expect(everything("a.db") == everything("b.db"), "it was changed all the same")


@case("what cannot be opened is said")
def refused():
    fails(fathom("store"), "say: copy FROM TO")
    fails(fathom("store", "copy", where("a.db")), "say: copy FROM TO")
    fails(fathom("store", "check", where("missing.db")), "no such file")
    expect(not (shared["folder"] / "missing.db").exists(), "to check a file must not make it")
    fails(fathom("store", "check", "oracle:x"), "not a store")
    fails(fathom("store", "check", "postgres:host=/nowhere password=swordfish"), "postgres")
    fails(fathom("store", "check", "--decks", "/nowhere", where("a.db")), "/nowhere")


DAMAGES = {
    "an event that is no JSON": ("UPDATE events SET event = CAST('x' AS BLOB) WHERE arrival = 40", "event"),
    "another action": ("UPDATE events SET event = CAST(replace(event, '\"seat\":0', '\"seat\":1') AS BLOB) WHERE arrival ="
                       " (SELECT arrival FROM events WHERE instr(event, CAST('\"seat\":0' AS BLOB)) AND seq > 8 LIMIT 1)", "event|record"),
    "another name in the log of a finished game": ("UPDATE events SET event = CAST(replace(event, 'Somebody', 'Nobody') AS BLOB)"
                                                   " WHERE seq = 2 AND table_n = 3", "record is not that of its log"),
    "an event is missing": ("DELETE FROM events WHERE table_n = 3 AND seq = (SELECT max(seq) FROM events WHERE table_n = 3)",
                            "state|end"),
    "another state": ("UPDATE tables SET state = 0 WHERE n = 2", "state"),
    "another deadline": ("UPDATE tables SET deadline_ms = 1 WHERE n = 2", "deadline"),
    "another code": ("UPDATE tables SET code = 'WRONG2' WHERE n = 2", "code"),
    "no token": ("DELETE FROM tokens WHERE table_n = 2", "token"),
    "no record": ("DELETE FROM records WHERE table_n = 1", "no record"),
    "another record": ("UPDATE records SET text = (SELECT text FROM records WHERE table_n = 5) WHERE table_n = 1",
                       "record is not that of its log"),
    "a changed record": ("UPDATE records SET text = CAST(replace(text, 'Somebody', 'Nobody') AS BLOB) WHERE table_n = 1",
                         "its record, line"),
}


@tap.cases("found", {name: damage for name, damage in DAMAGES.items()})
def damaged(sql, says):
    name = shared["folder"] / "damaged.db"
    for end in ("", "-wal", "-shm"):
        Path(f"{name}{end}").unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(shared["folder"] / "b.db")) as db, contextlib.closing(sqlite3.connect(name)) as to:
        db.backup(to)
        equal(to.execute(sql).rowcount > 0, True, "something was damaged")
        to.commit()
    run = fathom("store", "check", where("damaged.db"))
    equal(run.status, 2, run)
    expect("1 of" in run.err and re.search(says, run.err), run.err)


async def play_out(server, table, tokens, rng):
    """To its end; each seat on a stream of its own."""
    seats = [client.Seat(server, table, token, i) for i, token in enumerate(tokens)]
    for seat in seats:
        await seat.connect()
    for _ in range(3000):
        for seat in seats:
            await seat.barrier()
        if seats[0].view["phase"] == "over":
            break
        seat = rng.choice(seats)
        action = client.choose(seat.view, rng)
        if action is not None:
            with contextlib.suppress(client.Refused):  # its clock was faster
                await seat.act(action, seat.next_id())
    equal(seats[0].view["phase"], "over", table)
    for seat in seats:
        await seat.disconnect()


@client.case("running games go on in PostgreSQL, and all is right there", seconds=300)
async def go_on():
    server = client.Server(tap.program(), "--store", shared["postgres"], fast=True)
    rng = client.seed("copy")
    try:
        for table, _, *tokens in shared["running"][:PLAYED_ON]:
            await play_out(server, table, tokens, rng)
        await server.stop()
    finally:
        await server.close()
    figures = lines("check", fathom("store", "check", shared["postgres"]))
    equal(figures[2], FINISHED + min(PLAYED_ON, RUNNING), "finished games")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="fathom-copy-", dir=postgres.roomy()) as folder, \
            tempfile.TemporaryDirectory(prefix="fathom-postgres-", dir=postgres.roomy()) as below:
        database = postgres.Server(below)
        shared |= {"folder": Path(folder), "postgres": f"postgres:{database.conninfo()}"}
        try:
            database.make().start()
            tap.main()
        finally:
            database.stop()
