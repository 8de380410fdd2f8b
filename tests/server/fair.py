#!/usr/bin/python3
"""fair.py: one player cannot harm the others: by delaying the end of a game, taking their seats, or choosing the deal."""
import asyncio
import json
import secrets

import client
from client import Http, Refused, Seat, Table, case, done, expect
import tap  # which client finds
from tap import equal

PROGRAM = {"do": "program", "levels": [{"tokens": [1], "shark": True}]}
EMPTY = {"do": "program", "levels": []}


def serving(*flags):
    return client.serving("--bot-ms", "0", *flags, fast=True)


async def begun(server, game, options, names=("Ana", "Ben")):
    """A table in play, and its seats, connected."""
    table = await Table.make(server, game, options)
    seats = [await table.sit(name) for name in names]
    for seat in seats:
        await seat.connect()
    await table.start()
    for seat in seats:
        await seat.until(lambda s=seat: s.view, "the deal")
    return table, seats


async def refused(seat, action):
    """The code that this action is refused with; None: it was taken."""
    try:
        await seat.act(action)
    except Refused as refusal:
        return refusal.code
    return None


# ---- the end of a game -----------------------------------------------------------------------------


@case("W05 a seat that replaces its program without end is refused, nobody else is told, and the game goes on")
async def replaced():
    async with serving() as server:
        _, (ana, ben) = await begun(server, "dive", {"divers": 2})
        told = ben.told
        taken = 0
        while taken <= 100 and await refused(ana, PROGRAM if taken % 2 else EMPTY) is None:
            taken += 1
        equal(taken, 60, "programs of one seat in a round that were taken")
        equal(await refused(ana, EMPTY), "too-often", "one more")
        await ben.barrier()
        equal(ben.told, told, "messages to the other")
        equal(await refused(ana, {"do": "ready"}), None, "ready")
        equal(await refused(ana, {"do": "unready"}), "too-often", "unready")
        for action in (PROGRAM, {"do": "ready"}):
            equal(await refused(ben, action), None, f"{action} of the other")
        await ana.until(lambda: ana.view["round"] == 2, "the next round")
        equal(await refused(ana, EMPTY), None, "a program in the next round")


@case("W05 claims without end are refused, and the game can still be ended")
async def claims():
    async with serving() as server:
        table, seats = await begun(server, "divercity", {"divers": 6, "level": "open-water"}, "ABCDEF")
        claim = {"do": "claim", "card": 0, "species": None}
        taken = 0
        while taken <= 2000 and await refused(seats[0], claim) is None:
            taken += 1
        equal(taken, 8000 // 6, "claims of one seat in a game that were taken")
        for seat in seats:
            await table.bot(seat.seat, "random", seat.token)
        await seats[0].until(lambda: seats[0].view["phase"] == "over", "the end")
        expect(len(await table.record()) > 0, "the record")


# ---- a seat ----------------------------------------------------------------------------------------


@case("W12 a seat asked for twice after a lost answer, and a kill, is one seat with one token")
async def seat_twice():
    async with serving() as server:
        table = await Table.make(server, "soumsoum", {"players": 3})
        body = {"name": "Ana", "id": secrets.token_hex(16), "entropy": "00ff"}
        lost = Http(server)  # the answer is never read
        await lost.connect()
        data = json.dumps(body).encode()
        lost.writer.write(f"POST {table.path}/seats HTTP/1.1\r\nHost: {server.host}\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data)
        await lost.writer.drain()
        for _ in range(500):
            if (await table.get())["seats"][0]["name"]:
                break
            await asyncio.sleep(0.02)
        lost.close()
        first = await done(server, "POST", table.path + "/seats", body, status=201)
        await server.kill()
        server.start()
        equal(await done(server, "POST", table.path + "/seats", body, status=201), first, "the seat, asked for again")
        equal([seat["name"] for seat in (await table.get())["seats"]], ["Ana", None, None], "who sits")
        equal(await done(server, "GET", table.path + "/notes", token=first["token"]), {"notes": ""}, "what the token opens")


# ---- the deal --------------------------------------------------------------------------------------


@case("W06 seats add their own chance to the deal of a rematch, and the record has it")
async def rematch():
    async with serving() as server:
        table, seats = await begun(server, "soumsoum", {"players": 2})
        await play_out(table, seats)
        again = await table.rematch(seats[0].token)
        mine = secrets.token_hex(32)
        equal(await done(server, "PUT", again.path + "/entropy", {"entropy": mine}, seats[0].token), {}, "chance added")
        await again.start()
        following = [Seat(server, again.id, seat.token, seat.seat) for seat in seats]
        for seat in following:
            await seat.connect()
        await play_out(again, following)
        record = await again.record()
        equal(json.loads(record.split(b"\n")[0])["entropy"], [mine, None], "what the seats added")
        check = await done(server, "GET", again.path + "/verify")
        equal((check["ok"], check["steps"][1]["contributions"]), (True, [mine, ""]), "the check")


async def play_out(table, seats):
    """Bots end the game."""
    for seat in seats:
        await table.bot(seat.seat, "random", seat.token)
    await seats[0].until(lambda: seats[0].view["phase"] == "over", "the end")
    for seat in seats:
        await seat.disconnect()


if __name__ == "__main__":
    tap.main()
