#!/usr/bin/python3
"""action_refusals.py: actions that a server refuses: those of each game (games/NAME/tests/refusals.json), and the rest."""
import asyncio
import contextlib

import bystanders
import client
import tap
from bystanders import Around, refusals, refuse, refused, the_server, unnoticed
from client import Refused, Table, Wrong, ask, case, cases, choose, expect
from tap import equal

ACTIONS = {f"{game}: {name}": (game, one["seat"], one["action"], *one["codes"])
           for game in tap.games() for name, one in refusals(game)["actions"].items()}


@cases("an action is refused for", ACTIONS)
async def bad_actions(game, seat, action, *codes):
    table = refusals(game)
    async with unnoticed(game, table["options"], table["people"]) as around:
        await refused(around.seats[seat], action, *codes)


@cases("what is no object is no action", {"a list": ([],), "a word": ("pass",), "null": (None,), "a number": (3,)})
async def no_action(value):
    async with unnoticed() as around:
        twin = await around.seats[0].twin().connect()
        twin.socket.send({"id": "a", "action": value})
        await twin.barrier()
        expect(all("ack" not in answer for answer in twin.answers.get("a", [])), "acknowledged")
        twin.cut()
        await asyncio.sleep(0.05)


@case("Dive: the clock is the table's alone: nobody at a table with a clock says stop")
async def clock():
    async with unnoticed("dive", {"divers": 2, "clock": 600}) as around:
        for action in ({"do": "stop", "why": "clock"}, {"do": "stop", "why": "orca"}, {"seat": 1, "do": "ready"}):
            await refused(around.seats[0], action)


@case("an action before the start and one after the end are refused, and undo too")
async def before_and_after():
    server = the_server()
    table = await Table.make(server, "soumsoum", {"players": 2, "first": 0})
    ana = await (await table.sit("Ana")).connect()
    await table.bot(1, "random")
    place = {"do": "place", "card": 0, "at": [0, 0]}
    await refused(ana, place)
    await table.start()
    await ana.until(lambda: ana.view is not None, "the start")
    rng = client.seed("before and after")
    while ana.view["phase"] != "over":
        action = choose(ana.view, rng)
        if action:
            await ana.act(action)
        else:
            told = ana.told
            await ana.until(lambda: ana.told > told, "the bot")
    equal(await refused(ana, place), "over", "after the end")
    await refuse(ask(server, "POST", table.path + "/start", token=table.host), 409)
    await refuse(ask(server, "POST", table.path + "/bots", {"seat": 1, "bot": None}, table.host), 409)
    await refuse(ask(server, "POST", table.path + "/seats", {"name": "Ben"}), 409)
    await ana.disconnect()


@case("an id that was used for another action does not play that one")
async def reused_id():
    around = await Around().make()
    ana = around.seats[0]
    await ana.act({"do": "place", "card": 0, "at": [0, 0]}, "same-id")
    before = await around.known()
    with contextlib.suppress(Refused):
        await ana.act({"do": "pass"}, "same-id")
    equal(await around.known(), before, "what everybody knows")
    await ana.act({"do": "pass"}, "a-new-id_0")
    await around.leave()


@case("an id that was refused may be sent again: the answer is a refusal again")
async def refused_id():
    async with unnoticed() as around:
        for _ in range(2):
            try:
                await around.seats[1].act({"do": "pass"}, "again")
            except Refused as error:
                equal(error.code, "not-your-turn", "the code")
                continue
            raise Wrong("it was taken")


if __name__ == "__main__":
    bystanders.main()
