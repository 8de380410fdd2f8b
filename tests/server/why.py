#!/usr/bin/python3
"""why.py: why a bot did something, as described in docs/protocol-server.md: live from what the asker may know, afterwards from
what the bot knew.
"""
import asyncio

import client
from client import Http, Table, Wrong, ask, case, cases, done, expect
import tap  # which client finds
from tap import equal

KEYS = {"seat", "bot", "turn", "from", "reason", "worlds", "candidates"}


def serving(*flags):
    return client.serving("--bot-ms", "0", "--rate", "100000", *flags)


def check(answer, seat, bot, made_from):
    equal(set(answer), KEYS, "the keys of an answer")
    equal((answer["seat"], answer["bot"], answer["from"]), (seat, bot, made_from), "about whom, and from what")
    expect(answer["reason"]["code"], "a reason has a code")
    expect(1 <= len(answer["candidates"]) <= 3 and answer["worlds"] > 0, f"candidates: {answer}")
    for i, candidate in enumerate(answer["candidates"]):
        equal(set(candidate), {"action", "value", "se", "played"}, "the keys of a candidate")
        expect(0 <= candidate["value"] <= 1 and 0 <= candidate["se"] < 0.5, f"a chance: {candidate}")
        equal(candidate["played"], i == 0, "the move comes first")
    values = [candidate["value"] for candidate in answer["candidates"][1:]]
    equal(values, sorted(values, reverse=True), "then the best others")
    actions = [str(candidate["action"]) for candidate in answer["candidates"]]
    equal(len(set(actions)), len(actions), "each of them once")


async def until(what, condition):
    for _ in range(600):
        found = await condition()
        if found:
            return found
        await asyncio.sleep(0.05)
    raise Wrong(f"{what} does not come")


@cases("live, from what the asker may see", {
    "Soum Soum": ("soumsoum", {"players": 2, "first": 1}, "diver", "place"),
    "DiverCity": ("divercity", {"divers": 2, "first": 1, "diver_cards": "none"}, "warden", None),
})
async def live(game, options, bot, verb):
    async with serving() as server:
        table = await Table.make(server, game, options)
        seat = await table.sit("Ana", 0)
        await table.bot(1, bot)
        await table.start()

        async def asked():
            answer = await ask(server, "GET", f"{table.path}/why/table/1/1")
            expect(answer.status in (200, 409), f"{answer}")
            return answer if answer.status == 200 else None
        first = await until("a move of the bot", asked)
        check(first.json(), 1, bot, "view")
        if verb is not None:
            equal({c["action"]["do"] for c in first.json()["candidates"]}, {verb}, "what could be done instead")
            equal({c["action"]["card"] for c in first.json()["candidates"]}, {0}, "places in a hand that is not seen")
        equal((await asked()).body, first.body, "the same question gets the same answer")
        check(await done(server, "GET", f"{table.path}/why/0/1/1", token=seat.token), 1, bot, "view")
        for path, token, status, code in (("0/1/1", None, 401, "no-such-token"), ("1/1/1", seat.token, 403, "forbidden"),
                                          ("open/1/1", seat.token, 409, "not-over"), ("table/1/0", None, 409, "no-reason"),
                                          ("table/0/1", None, 409, "no-reason"), ("table/1", None, 404, "no-such-path"),
                                          ("table/1/9", None, 400, "no-such-seat")):
            refused = await ask(server, "GET", f"{table.path}/why/{path}", token=token)
            equal((refused.status, refused.code), (status, code), path)


@cases("afterwards, from what the bot knew", {
    "Soum Soum": ("soumsoum", {"players": 3}, "greedy", {"take"}),
    "Dive": ("dive", {"divers": 2, "companions": "seven"}, "steady", {"ready", "unready", "choose", "use", "breathe", "axolotl", "stop"}),
    "Dive, children": ("dive", {"divers": 2, "children": True}, "steady", {"ready", "unready", "stop"}),
    "DiverCity": ("divercity", {"divers": 3}, "ranger", {"claim", "end", "pass", "take", "show"}),
    "DiverCity, realistic": ("divercity", {"divers": 2, "realistic": True}, "ranger", {"claim", "end", "pass", "take", "show"}),
})
async def afterwards(game, options, bot, trivial):
    async with serving() as server:
        table = await Table.make(server, game, options)
        for seat in range(len((await table.get())["seats"])):
            await table.bot(seat, bot)
        await table.start()

        async def over():
            return (await table.get())["state"] == "over"
        await until("the end", over)
        steps = (await done(server, "GET", f"{table.path}/replay/open"))["steps"]
        moves = [(i, step) for i, step in enumerate(steps) if step["seat"] is not None and step["action"]["do"] not in trivial]
        for i, step in moves[:: max(1, len(moves) // 15)]:
            answer = await done(server, "GET", f"{table.path}/why/open/{i}/{step['seat']}")
            check(answer, step["seat"], bot, "bot")
            played = {key: value for key, value in step["action"].items() if key != "signs"}
            equal(answer["candidates"][0]["action"], played, f"step {i}")


@case("somebody who asks too much is told to wait")
async def busy():
    async with client.serving("--bot-ms", "0", "--rate", "4") as server:
        table = await Table.make(server, "soumsoum", {"players": 2, "first": 1})
        await table.sit("Ana", 0)
        await table.bot(1, "greedy")
        await table.start()
        http = Http(server)
        answers = [await http.request("GET", f"{table.path}/why/table/1/1") for _ in range(20)]
        http.close()
        expect(any(a.status == 429 and int(a.headers["retry-after"]) > 0 for a in answers), f"{[a.status for a in answers]}")


if __name__ == "__main__":
    tap.main()
