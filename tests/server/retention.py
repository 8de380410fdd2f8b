#!/usr/bin/env python3
"""retention.py: old tables are removed by the operator's rules, by the server and by `fathom store prune`.

Run as `retention.py FATHOM ROOT FILL`; FILL is tests/store/fill.c as a program.
"""
import asyncio
import contextlib
import re
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import client
from client import ask, case, expect, tap
from tap import equal, fails, fathom

FILL = sys.argv[3]
SUM = re.compile(r"(.*?): (\w+(?: \w+)?)\s+after (\S+)\s+(\d+)\s+(\d+) bytes")
DAY = 86400


async def until(what, condition, seconds=60):
    """Waits for a condition, however busy the machine is."""
    end = time.monotonic() + seconds
    while not await condition():
        expect(time.monotonic() < end, f"waited {seconds} s for {what}")
        await asyncio.sleep(0.05)


def answered(server, path, status, code):
    async def condition():
        answer = await ask(server, "GET", path)
        return answer.status == status and answer.code == code
    return condition


async def game(server, **options):
    """A game of two people in play, and their seats."""
    table = await client.Table.make(server, "soumsoum", {"players": 2}, **options)
    seats = [await table.sit(name) for name in ("Ana", "Ben")]
    await table.start()
    return table, seats


@case("W03 tables that never started are removed, and their codes are free; what is young stays")
async def waiting():
    server = client.Server(tap.program(), "--keep-waiting", "1s")
    try:
        table, (played, _) = await client.Table.make(server, "soumsoum"), await game(server)
        await until("the table to go", answered(server, table.path, 404, "no-such-table"))
        answer = await ask(server, "GET", f"/api/codes/{table.code}")
        equal((answer.status, answer.code), (404, "no-such-table"), "its code")
        equal((await played.get())["state"], "playing", "a game in play")
        await until("a line in the log", lambda: asyncio.sleep(0, "tables that never started: removed: 1" in server.errors()))
        await server.stop()
    finally:
        await server.close()


@case("W03 a game that nobody plays on is closed, says so to whoever comes, and is removed after as long again")
async def idle():
    server = client.Server(tap.program(), "--keep-idle", "3s")
    try:
        table, (ana, _) = await game(server)
        await ana.connect()
        await until("the game to be closed", answered(server, table.path, 410, "closed"))
        answer = await ask(server, "PUT", table.path + "/notes", {"notes": "x"}, ana.token)
        equal((answer.status, answer.code), (410, "closed"), "notes at a closed game")
        equal((await ask(server, "GET", f"/api/codes/{table.code}")).status, 404, "its code")
        await refused_hello(ana)
        equal(list(server.events())[-1][1], {"e": "closed"}, "the last event of its log")
        await until("the game to go", answered(server, table.path, 404, "no-such-table"), 90)
        await server.stop()
        with contextlib.closing(sqlite3.connect(server.folder / "store.db")) as db:
            for name in ("tables", "events", "tokens", "records"):
                equal(db.execute(f"SELECT count(*) FROM {name}").fetchone()[0], 0, name)
    finally:
        await server.close()


async def refused_hello(seat):
    """Its game is closed, and it is told so."""
    try:
        await seat.twin().connect()
    except client.Wrong as why:
        expect('"code": "closed"' in str(why), why)
    else:
        raise client.Wrong("a hello at a closed game was answered")


# ---- fathom store prune ----------------------------------------------------------------------------


def sums(run):
    """{rule: (tables, bytes)} that it printed."""
    equal((run.status, run.err), (0, ""), run)
    found = {m[1]: (int(m[4]), int(m[5])) for m in map(SUM.match, run.out.splitlines()) if m}
    equal(len(found), 5, run.out)
    return found


def age(path, days, state):
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE events SET at = at - ? WHERE table_n IN (SELECT n FROM tables WHERE state = ?)", (days * DAY, state))
        db.execute("UPDATE since SET at = 0")


def figures(path):
    with contextlib.closing(sqlite3.connect(path)) as db:
        return [db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ("tables", "events", "tokens", "records")]


@tap.case("W03 store prune --dry-run says what would go, by rule, and changes nothing; store prune does it")
def prune():
    with tap.scratch() as folder:
        path = Path(folder) / "a.db"
        store = f"sqlite:{path}"
        subprocess.run([FILL, store, "12", "3"], stdout=subprocess.DEVNULL, check=True)
        before = figures(path)
        equal({n for n, _ in sums(fathom("store", "prune", "--dry-run", store)).values()}, {0}, "what is young")
        age(path, 40, 1)
        age(path, 400, 2)
        rules = ("--keep-finished", "365d")
        would = sums(fathom("store", "prune", "--dry-run", *rules, store))
        equal((would["games that nobody played on"][0], would["finished games"][0]), (3, 12), "what would go")
        expect(would["finished games"][1] > 12 * 1000, would)
        equal(figures(path), before, "after a dry run")
        equal(sums(fathom("store", "prune", *rules, store)), would, "what went")
        equal(figures(path)[0], 3, "tables that are left")
        check = fathom("store", "check", store)
        expect("3 tables (0 waiting, 0 in play, 0 over, 3 closed)" in check.out and "all is right" in check.out, check)
        equal({n for n, _ in sums(fathom("store", "prune", *rules, store)).values()}, {0}, "a second time")
        age(path, 40, 3)
        equal(sums(fathom("store", "prune", store))["closed games"][0], 3, "closed games")
        equal(figures(path), [0, 0, 0, 0], "at the end")


@case("W03 notes are blanked after the end of their game, and the log stays whole")
async def notes():
    server = client.Server(tap.program(), "--bot-ms", "0")
    try:
        table = await client.Table.make(server, "divercity", {"divers": 2})
        ana = await table.sit("Ana")
        await table.bot(1, "ranger")
        await table.start()
        for text in ("the second is an octopus", "no: a ray"):
            equal((await ask(server, "PUT", table.path + "/notes", {"notes": text}, ana.token)).status, 200, "notes")
        await server.stop()
        path = server.folder / "store.db"
        with contextlib.closing(sqlite3.connect(path)) as db, db: # as if somebody had ended it
            db.execute("UPDATE tables SET state = 3, deadline_ms = 0")
        age(path, 9, 3)
        would = sums(fathom("store", "prune", "--dry-run", "--keep-notes", "7d", server.store))
        expect(would["games that have ended"][0] == 1 and would["games that have ended"][1] >= 30, would)
        equal(sums(fathom("store", "prune", "--keep-notes", "7d", server.store)), would, "blanked")
        texts = [event["text"] for _, event in server.events() if event["e"] == "noted"]
        equal(texts, ["", ""], "notes in the log")
        check = fathom("store", "check", server.store)
        expect("all is right" in check.out, check)
        equal(sums(fathom("store", "prune", "--keep-notes", "7d", server.store))["games that have ended"], (0, 0), "again")
    finally:
        await server.close()


@case("W03 store prune beside a server: whoever is at the table is refused clearly, and the server goes on")
async def beside():
    server = client.Server(tap.program())
    try:
        table, (ana, ben) = await game(server)
        other, _ = await game(server)
        for seat in (ana, ben):
            await seat.connect()
        mover = next(seat for seat in (ana, ben) if seat.view["active"] == seat.seat)
        action = client.choose(mover.view, client.random.Random(1))
        with contextlib.closing(sqlite3.connect(server.folder / "store.db")) as db, db:
            db.execute("UPDATE events SET at = at - 99 * 86400 WHERE table_n = 1")
            db.execute("UPDATE since SET at = 0")
        run = sums(fathom("store", "prune", server.store))
        equal(run["games that nobody played on"][0], 1, "closed")
        try:
            await mover.act(action)
        except client.Refused as why:
            equal(why.code, "closed", "a move in a game that is closed")
        except client.Wrong:
            expect(mover.retry is not None, "it is sent away, and comes back")
        else:
            raise client.Wrong("a move in a game that is closed was acknowledged")
        await refused_hello(mover)
        await until("that it is known", answered(server, table.path, 410, "closed"))
        equal((await other.get())["state"], "playing", "another game")
        await server.stop()
    finally:
        await server.close()


# ---- nonsense --------------------------------------------------------------------------------------


NONSENSE = ("0s", "2", "2w", "-1d", "1.5h", "d", "99999999999d", "36501d", "never")


@tap.cases("W03 a duration that is none is refused", {value: (value,) for value in NONSENSE})
def nonsense(value):
    for command in (("serve", "--port", "0"), ("store", "prune", "sqlite:nowhere.db")):
        for flag in ("--keep-waiting", "--keep-idle", "--keep-finished", "--keep-notes"):
            fails(fathom(*command, flag, value), flag, "90s, 15m, 12h or 2d, or forever")


@tap.case("W03 store prune without a store, or with one that is not there, is refused and makes none")
def no_store():
    with tap.scratch() as folder:
        path = Path(folder) / "none.db"
        fails(fathom("store", "prune"), "which store")
        fails(fathom("store", "prune", f"sqlite:{path}"), "no such file")
        fails(fathom("store", "prune", f"sqlite:{path}", "more"), "which store")
        fails(fathom("store", "prune", "--keep-all", "2d", f"sqlite:{path}"), "--keep-all")
        expect(not path.exists(), "it was made")


@tap.case("W03 the rules may stand in the configuration file")
def config():
    with tap.scratch() as folder:
        path = Path(folder) / "fathom.conf"
        path.write_text("keep-waiting = 3w\n", encoding="utf-8")
        fails(fathom("serve", "--port", "0", "--config", str(path)), "--keep-waiting", "90s")


if __name__ == "__main__":
    tap.main()
