#!/usr/bin/python3
"""handed.py: games that were played on somebody's device and are handed in when they are over: POST /api/records."""
import asyncio
import hashlib
import json
import subprocess

import client
import tap
from client import Table, ask, case, cases, check_table, done, expect
from tap import equal

MOST = 49152  # bytes of a record


def serving(*flags):
    return client.serving("--bot-ms", "0", *flags)


async def played(server, game="soumsoum", bot="random"):
    """The record of a game that Ana, for whom a bot plays, and bots have played to its end."""
    table = await Table.make(server, game)
    seat = await table.sit("Ana")
    for other in range(1, len((await table.get())["seats"])):
        await table.bot(other, bot)
    await table.start()
    await done(server, "POST", table.path + "/bots", {"seat": 0, "bot": bot}, seat.token)
    for _ in range(600):
        if (await table.get())["state"] == "over":
            return (await ask(server, "GET", table.path + "/record")).body
        await asyncio.sleep(0.1)
    raise client.Wrong(f"{game}: bots do not come to an end")


def hand_in(server, record):
    return ask(server, "POST", "/api/records", record)


def sound(server, tables):
    """The store is in order and has so many tables; where one program serves it, which can be asked from outside."""
    if hasattr(server, "store"):
        check = subprocess.run([tap.program(), "store", "check", server.store], capture_output=True, text=True, check=False)
        expect(check.returncode == 0 and check.stdout.startswith(f"{tables} tables"), check.stdout + check.stderr)


# ---- sums: a record that somebody has written anew ------------------------------------------------


def hash_of(domain, *spans):
    state = hashlib.blake2b(digest_size=32)
    for span in (domain.encode(), *spans):
        state.update(len(span).to_bytes(8, "little") + span)
    return state.digest()


def summed(lines):
    """Lines without their sums as a record whose sums are right."""
    chain, text = bytes(32), b""
    for line in lines:
        bare = json.dumps({k: v for k, v in line.items() if k != "sum"}, separators=(",", ":"), ensure_ascii=False).encode()[:-1]
        chain = hash_of("fathom record 1", chain, bare)
        text += bare + b',"sum":"' + chain[:4].hex().encode() + b'"}\n'
    return text


def lines_of(record):
    return [json.loads(line) for line in record.splitlines()]


def with_head(record, **keys):
    first, *rest = lines_of(record)
    return summed([{**first, **keys}, *rest])


# ---- what is taken --------------------------------------------------------------------------------


@cases("a game that was played elsewhere becomes a table that is over, unranked", {game: (game,) for game in tap.games()})
async def taken(game):
    async with serving() as home, serving() as server:
        record = await played(home, game)
        equal(summed(lines_of(record)), record, "sums as this test computes them")
        answer = await hand_in(server, record)
        equal((answer.status, set(answer.json()), answer.json()["unranked"]), (201, {"table", "unranked"}, True), "the answer")
        table = Table(server, answer.json()["table"])

        async def as_handed():
            info = await table.get()
            equal((info["state"], info["unranked"], info["played"], info["rematch"]), ("over", True, "device", None), "the table")
            check_table(info)
            equal([s["name"] for s in info["seats"]][0], "Ana", "who played")
            equal((await ask(server, "GET", table.path + "/record")).body, record, "the record, byte for byte")
            verdict = await done(server, "GET", table.path + "/verify")
            equal((verdict["ok"], [s["ok"] for s in verdict["steps"]]), (True, [True] * 4), f"verified: {verdict}")
            replay = await done(server, "GET", table.path + "/replay/open")
            equal(len(replay["steps"]), len(record.splitlines()) - 1, "steps of the replay")
            return info

        before = await as_handed()
        again = await hand_in(server, record)
        equal((again.status, again.json()["table"]), (200, table.id), "handed in twice is handed in once")
        await server.restart()
        equal(await as_handed(), before, "after a restart")
        equal((await hand_in(server, record)).status, 200, "and still known")
        equal((await done(server, "GET", "/api/tables"))["tables"], [], "nobody can join it")
        await server.stop()
        sound(server, 1)


@case("a table of a server is ranked: it says nothing of where it was played")
async def ours():
    async with serving() as server:
        info = await (await Table.make(server, "soumsoum")).get()
        expect("unranked" not in info and "played" not in info, f"{info}")


@case("eight requests at once with one record make one table")
async def at_once():
    async with serving() as server:
        record = await played(server)
        answers = await asyncio.gather(*(hand_in(server, record) for _ in range(8)))
        equal(len({a.json()["table"] for a in answers}), 1, "tables")
        equal(sorted(a.status for a in answers), [200] * 7 + [201], "one of them is new")


# ---- what is refused ------------------------------------------------------------------------------

BAD = {
    "nothing": (lambda r: b"", "bad-record"),
    "words": (lambda r: b"I won, believe me\n", "bad-record"),
    "an object": (lambda r: b"{}\n", "bad-record"),
    "bytes that are no text": (lambda r: bytes(range(256)) * 8, "bad-record"),
    "a record without its last byte": (lambda r: r[:-1], "bad-record"),
    "a record without its result": (lambda r: b"".join(r.splitlines(True)[:-1]), "bad-record"),
    "a record that was cut and summed again": (lambda r: summed(lines_of(r)[:9]), "bad-record"),
    "a record with a line twice": (lambda r: b"".join(r.splitlines(True)[:2] + r.splitlines(True)[1:]), "bad-record"),
    "a record with a byte more": (lambda r: r + b"\n", "bad-record"),
    "a record with another result": (lambda r: r.replace(b'"winners":[', b'"winners":[1,'), "bad-record"),
    "a result that was summed again": (lambda r: summed([*lines_of(r)[:-1], {**lines_of(r)[-1], "result": {"winners": [0, 1], "scores": [99, 99]}}]), "diverged"),
    "moves in another order": (lambda r: summed([lines_of(r)[0], lines_of(r)[2], lines_of(r)[1], *lines_of(r)[3:]]), "diverged"),
    "a move more": (lambda r: summed([*lines_of(r)[:-1], lines_of(r)[-2], lines_of(r)[-1]]), "bad-record"),
    "a move less": (lambda r: summed([*lines_of(r)[:-3], *lines_of(r)[-2:]]), "diverged", "bad-record"),
    "another seed": (lambda r: summed([*lines_of(r)[:-1], {**lines_of(r)[-1], "seed": "00" * 32}]), "bad-record"),
    "a foreign game": (lambda r: with_head(r, game="chess"), "no-such-game"),
    "newer rules": (lambda r: with_head(r, rules=99), "unknown-rules"),
    "a newer kind of record": (lambda r: with_head(r, fathom=2), "record-version"),
    "a deck that is not here": (lambda r: with_head(r, deck={**lines_of(r)[0]["deck"], "hash": "00" * 32}), "bad-deck"),
    "a record of no table": (lambda r: summed([{k: v for k, v in lines_of(r)[0].items() if k not in ("table", "entropy")}, *lines_of(r)[1:]]), "bad-record"),
    "a bot that nobody knows": (lambda r: with_head(r, seats=[{"name": "Ana", "bot": None}, {"name": "kraken", "bot": "kraken"}]), "bad-record"),
    "a name that cannot be read": (lambda r: with_head(r, seats=[{"name": "\u200b", "bot": None}, lines_of(r)[0]["seats"][1]]), "name-empty"),
    "a name with a character that turns others round": (lambda r: with_head(r, seats=[{"name": "A\u202ena", "bot": None}, lines_of(r)[0]["seats"][1]]), "bad-record"),
    "a name of 33 characters": (lambda r: with_head(r, seats=[{"name": "x" * 33, "bot": None}, lines_of(r)[0]["seats"][1]]), "name-too-long"),
    "a time that is none": (lambda r: with_head(r, created="2026-13-45T99:00:00Z"), "bad-record"),
    "a time in words": (lambda r: with_head(r, created="last night"), "bad-record"),
    "a key more": (lambda r: with_head(r, place="the train"), "bad-record"),
}

@case("what is spoilt is refused, each for its reason, and nothing is stored; a good one is taken afterwards")
async def refused():
    async with serving() as home, serving() as server:
        record = await played(home)
        for name, (spoil, *codes) in BAD.items():
            bad = spoil(record)
            expect(bad != record, f"{name}: nothing was spoilt")
            answer = await hand_in(server, bad)
            expect(answer.status == 400 and answer.code in codes, f"{name}: {answer}, should be 400 {codes}")
            expect(answer.json()["error"]["message"], f"{name}: with a sentence")
        sound(server, 0)
        equal((await hand_in(server, record)).status, 201, "a good one is taken afterwards")
        sound(server, 1)


@case("a record of more than 48 KB is refused before it arrives, other requests at 16 KB as ever")
async def too_big():
    async with serving() as server:
        answer = await hand_in(server, b" " * (MOST + 1))
        equal((answer.status, answer.code), (413, "too-big"), "one byte more")
        answer = await hand_in(server, b" " * MOST)
        equal((answer.status, answer.code), (400, "bad-record"), "as much as may be")
        equal((await ask(server, "POST", "/api/tables", b" " * 16385)).status, 413, "another request")
        equal((await ask(server, "PUT", "/api/records", b"{}")).status, 404, "another method")
        equal((await ask(server, "GET", "/api/records")).status, 404, "records are not listed")


@case("handing in costs as much as other work: who does it too often waits")
async def rated():
    async with client.serving("--bot-ms", "0", rate=20) as server:
        http = client.Http(server)
        statuses = []
        for _ in range(30):
            statuses.append((await http.request("POST", "/api/records", b"no")).status)
        http.close()
        expect(429 in statuses and 400 in statuses, f"{statuses}")


if __name__ == "__main__":
    tap.main()
