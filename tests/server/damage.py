#!/usr/bin/env python3
"""damage.py: a store with a damaged table: that table is refused and logged, and all others are served."""
import asyncio
import contextlib
import json
import random
import sqlite3

import client
from client import Seat, Stream, Table, case, expect, tap
from tap import equal, fathom

FLAGS = "--bot-ms", "1"


@contextlib.contextmanager
def opened(server):
    with contextlib.closing(sqlite3.connect(server.folder / "store.db")) as db:
        db.execute("PRAGMA ignore_check_constraints = ON")
        yield db
        db.commit()


class Log:
    """The log of a table in the store of a server that does not run."""

    def __init__(self, db, table):
        self.db = db
        (self.n,) = db.execute("SELECT n FROM tables WHERE id = ?", (bytes.fromhex(table.id),)).fetchone()

    def sql(self, text, *values):
        equal(self.db.execute(text.replace("TABLE_N", str(self.n)), values).rowcount > 0, True, text)

    def events(self):
        return [(seq, json.loads(event)) for seq, event in
                self.db.execute("SELECT seq, event FROM events WHERE table_n = ? ORDER BY seq", (self.n,))]

    def last(self, kind):
        return [(seq, event) for seq, event in self.events() if event["e"] == kind][-1]

    def put(self, seq, event):
        if isinstance(event, dict):
            event = json.dumps(event)
        if isinstance(event, str):
            event = event.encode()
        self.sql("UPDATE events SET event = ? WHERE table_n = TABLE_N AND seq = ?", event, seq)

    def change(self, kind, **values):
        """Other values in the last event of a kind."""
        seq, event = self.last(kind)
        self.put(seq, {**event, **values})


def twice_started(log):
    log.put(log.last("did")[0], log.last("started")[1])


def entropy_in_play(log):
    """Whoever sits down changes the deal: not once it is dealt."""
    seat = next(event for _, event in log.events() if event["e"] == "sat")
    log.put(log.last("did")[0], {**seat, "entropy": "ab" * 8})


# What is done to a table in play, and the code of its refusal; None: it can still be served.
DAMAGE = {
    "a gap in its log": (lambda log: log.sql("DELETE FROM events WHERE table_n = TABLE_N AND seq = 3"), "bad-record"),
    "no beginning": (lambda log: log.sql("DELETE FROM events WHERE table_n = TABLE_N AND seq = 1"), "bad-record"),
    "an event that is no JSON": (lambda log: log.put(2, "{"), "bad-record"),
    "an event of nothing": (lambda log: log.put(2, b""), "bad-record"),
    "an event of zeros": (lambda log: log.put(2, bytes(100)), "bad-record"),
    "an event beyond all measure": (lambda log: log.put(2, '{"e":"noted","seat":0,"text":"' + "x" * 2000000 + '"}'), "bad-record"),
    "an event of no kind": (lambda log: log.put(2, {"e": "danced"}), "other-rules"),
    "notes that are no text": (lambda log: log.change("noted", text=7), "bad-record"),
    "notes that are too long": (lambda log: log.change("noted", text="x" * 60000), "bad-record"),
    "a start in play": (twice_started, "bad-record"),
    "somebody who sits down in play": (entropy_in_play, "bad-record"),
    "somebody who leaves in play": (lambda log: log.put(log.last("did")[0], {"e": "left", "seat": 0}), "bad-record"),
    "a rematch in play": (lambda log: log.put(log.last("did")[0], {"e": "again", "table": "00" * 16}), "bad-record"),
    "a start before all sit": (lambda log: log.put(log.last("bot")[0], {"e": "bot", "seat": 1, "bot": None}), "bad-record"),
    "an action that nobody can make": (lambda log: log.change("did", action="ff" * 8), "bad-record"),
    "a seat that there is not": (lambda log: log.change("did", seat=200), "bad-record"),
    "a start beyond the calendar": (lambda log: log.change("started", at=9 * 10 ** 18), "bad-record"),
    "a bot that nobody knows": (lambda log: log.change("bot", bot="kraken"), None),
    "a state that there is not": (lambda log: log.sql("UPDATE tables SET state = 77 WHERE n = TABLE_N"), None),
    "a deadline before all time": (lambda log: log.sql("UPDATE tables SET deadline_ms = -5 WHERE n = TABLE_N"), None),
    "tokens of no role": (lambda log: log.sql("UPDATE tokens SET role = 99 WHERE table_n = TABLE_N"), None),
    "tokens of no seat": (lambda log: log.sql("UPDATE tokens SET seat = 250 WHERE table_n = TABLE_N"), None),
    "a code of another shape": (lambda log: log.sql("UPDATE tables SET code = 'far too long' WHERE n = TABLE_N"), None),
}


async def in_play(server):
    """A table of a person and a bot, with notes and a first move."""
    table = await Table.make(server, "soumsoum", {"players": 2})
    seat = await table.sit("Ana", entropy="0123")
    await table.bot(1, "random")
    await table.start()
    await client.done(server, "PUT", table.path + "/notes", {"notes": "mine"}, seat.token)
    await seat.connect()
    for _ in range(2):
        await seat.until(lambda: seat.view["legal"], "a turn")
        await seat.act(client.choose(seat.view, random.Random(1)))
    await seat.until(lambda: seat.view["legal"], "another turn")
    await seat.disconnect()
    return table, seat


async def over(server):
    table = await Table.make(server, "soumsoum", {"players": 2})
    for seat in range(2):
        await table.bot(seat, "random")
    await table.start()
    watcher = await table.spectator().connect()
    await watcher.until(lambda: watcher.view["phase"] == "over", "the end")
    await watcher.disconnect()
    return table


async def knock(server, table, seat=None):
    """Whatever can be asked of a table is answered."""
    token = seat.token if seat else None
    for method, path in ("GET", ""), ("GET", "/notes"), ("GET", "/record"), ("GET", "/verify"), ("GET", "/replay/open"), ("GET", "/replay/0"):
        answer = await client.ask(server, method, table.path + path, None, token)
        expect(200 <= answer.status <= 599, f"{path}: {answer}")
    with contextlib.suppress(client.Wrong, client.Refused, asyncio.TimeoutError, ConnectionError):
        stream = Seat(server, table.id, token, seat.seat) if seat else Stream(server, table.id)
        await asyncio.wait_for(stream.connect(), 5)
        await stream.disconnect()
    expect(server.running(), f"the server has ended: {server.errors()[-1000:]}")


async def goes_on(table, seat):
    """Another table is served as ever."""
    seat = Seat(table.server, table.id, seat.token, seat.seat)
    await seat.connect()
    await seat.until(lambda: seat.view["legal"], "its turn")
    await seat.act(client.choose(seat.view, random.Random(2)))
    await seat.disconnect()


async def serve_damaged(names):
    """Tables that are damaged in these ways are refused and named, or served; another one is served as ever."""
    server = client.Server(tap.program(), *FLAGS)
    try:
        other, *tables = await asyncio.gather(*(in_play(server) for _ in range(1 + len(names))))
        await server.stop()
        with opened(server) as db:
            for name, (table, _) in zip(names, tables):
                DAMAGE[name][0](Log(db, table))
        server.start()
        await goes_on(*other)
        for name, (table, seat) in zip(names, tables):
            code = DAMAGE[name][1]
            answer = await client.ask(server, "GET", table.path)
            equal(answer.status, {None: 200, "bad-record": 500, "other-rules": 503}[code], f"{name}: {answer}")
            equal(answer.code if code else None, code, name)
            await knock(server, table, seat)
            said = server.errors().count(f"fathom: table {table.id} cannot be read: ")
            equal(said, 1 if code else 0, f"{name}: lines in the log that name it")
        await goes_on(*other)
        await server.stop()  # a table that is played meanwhile may look wrong
        checked = fathom("store", "check", server.store)
        for name, (table, _) in zip(names, tables):
            equal(table.id in checked.err, name != "a bot that nobody knows", f"{name}: a check names it: {checked.err}")
        expect(other[0].id not in checked.err, f"a check names a sound table: {checked.err}")
    finally:
        await server.close()


@case("W08 a table with a gap in its log is refused and named, and the others are served")
async def gap():
    await serve_damaged(["a gap in its log"])


@case("W08 tables whose logs are wrong in other ways are refused and named")
async def logs():
    await serve_damaged([name for name, (_, code) in DAMAGE.items() if code])


@case("W08 what is wrong beside a log does not keep a table from being served")
async def beside():
    await serve_damaged([name for name, (_, code) in DAMAGE.items() if not code])


@case("W08 a record that is wrong is told as it is")
async def records():
    server = client.Server(tap.program(), *FLAGS)
    try:
        tables = await asyncio.gather(*(over(server) for _ in range(4)))
        await server.stop()
        with opened(server) as db:
            for table, record in zip(tables, (b"", b"{}\n" * 1000, bytes(5000))):
                Log(db, table).sql("UPDATE records SET text = ? WHERE table_n = TABLE_N", record)
        server.start()
        for table in tables:
            await knock(server, table)
        verdict = (await client.ask(server, "GET", tables[3].path + "/verify")).json()
        expect(verdict, "the sound one is verified")
        checked = fathom("store", "check", server.store)
        for table in tables[:3]:
            expect(table.id in checked.err, f"a check names {table.id}: {checked.err}")
        expect(tables[3].id not in checked.err, checked.err)
        await server.stop()
    finally:
        await server.close()


if __name__ == "__main__":
    tap.main()
