#!/usr/bin/python3
"""play.py: whole games at a server, over HTTP and WebSocket, as described in docs/protocol-server.md.

client.py checks with each message what holds for every stream: seq and the view's seq grow with each change,
acknowledgements come after the change, and no event reveals another seat's secret.
"""
import asyncio
import json

import client
import tap
from client import Table, ask, case, cases, choose, expect, short
from match import MOVES, PERSON, Match, serving
from tap import equal

P = PERSON
GAMES = {
    "Soum Soum, 2 players": ("soumsoum", {"players": 2}, [P, P]),
    "Soum Soum, 4 players with market, one a bot": ("soumsoum", {"players": 4, "market": True}, [P, "greedy", P, P]),
    "Dive, 2 divers with seven companions": ("dive", {"divers": 2, "companions": "seven"}, [P, P]),
    "Dive, 4 divers with ten companions, one a bot": ("dive", {"divers": 4, "companions": "ten"}, [P, P, "steady", P]),
    "Dive, 2 divers and the chief, one a bot": ("dive", {"divers": 2, "chief": True, "companions": "ten"}, [P, "random"]),
    "Dive, 1 diver and the chief": ("dive", {"divers": 1, "chief": True}, [P]),
    "Dive, 3 children": ("dive", {"divers": 3, "children": True}, [P, P, "steady"]),
    "DiverCity, 2 divers": ("divercity", {"divers": 2}, [P, P]),
    "DiverCity, 3 divers and an industrialist, one a bot": (
        "divercity", {"divers": 3, "industrialist": True, "diver_cards": "full-team"}, [P, "ranger", P, P]),
    "DiverCity, 6 divers, realistic, two of them bots": (
        "divercity", {"divers": 6, "realistic": True, "diver_cards": "choose"}, [P, P, "ranger", P, "random", P]),
    "DiverCity, 4 divers against a bot": (
        "divercity", {"divers": 4, "industrialist": True, "diver_cards": "choose"}, [P, P, P, P, "tycoon"]),
}


@cases("a game is played to its end, through a reconnect, a restart and a rematch", GAMES, 600)
async def whole_game(game, options, seats):
    async with serving() as server:
        rng = client.seed(json.dumps([game, options]))
        match = await Match.make(server, game, options, seats, rng)
        early = await ask(server, "GET", match.table.path + "/record")
        equal(early.status, 409, f"the record before the start: {early}")
        await match.start()
        await match.pause(4)
        if not match.over():
            await match.leave_and_return(5)
        early = await ask(server, "GET", match.table.path + "/record")
        equal(early.status, 200 if match.over() else 409, f"the record in the middle: {early}")
        await match.restart(match.terminate)
        await match.pause(6)
        for seat in match.people:
            if seat.last:
                await seat.retry_last()
        await match.restart(match.kill)
        await match.play()
        for seat in match.people:
            if seat.last:
                await seat.retry_last()
        await match.check_record()
        await match.restart(match.terminate)
        await match.check_record()
        again = await match.rematch()
        await again.play(MOVES if game == "soumsoum" else 10)
        if again.over():
            again.entropies = json.loads((await again.table.record()).splitlines()[0])["entropy"]
            await again.check_record()
        await again.leave()


@case("the same options and the same chance of the seats are dealt differently at two tables")
async def two_deals():
    async with serving() as server:
        hands = []
        for _ in range(2):
            match = await Match.make(server, "soumsoum", {"players": 2, "first": 0}, [P, P], client.seed("same"))
            await match.start()
            hands.append(match.people[0].view["hand"] + match.people[1].view["hand"])
            await match.leave()
        expect(hands[0] != hands[1], "the same deal twice")

# ---- secrets ---------------------------------------------------------------------------------------



@case("Dive: nobody is sent anything when another chooses a companion or programs, however often")
async def hidden_actions():
    async with serving() as server:
        rng = client.seed("hidden")
        match = await Match.make(server, "dive", {"divers": 3, "companions": "seven"}, [P, P, P], rng)
        await match.start()
        seat, others = match.people[0], [*match.people[1:], match.spectator]

        async def unseen(do):
            for stream in others:
                await stream.barrier()
            before = [(stream.told, stream.view) for stream in others]
            twin = match.twin.seq
            await do
            for stream in others:
                await stream.barrier()
            equal([(stream.told, stream.view) for stream in others], before, "what others were sent")
            await match.twin.until(lambda: match.twin.seq > twin, "one's own change on another connection")

        await unseen(seat.act({"do": "choose", "companion": "clownfish"}))
        for other, companion in zip(match.people[1:], ("orca", "octopus")):
            await other.act({"do": "choose", "companion": companion})
        await match.spectator.until(lambda: match.view["phase"] == "program", "the first round")
        for _ in range(8):
            await unseen(seat.act({"do": "program", **client.random_program(seat.view, rng)}))
        await unseen(seat.act({"do": "program", "levels": []}))
        seen = others[0].seq
        await others[0].disconnect()
        await seat.act({"do": "program", **client.random_program(seat.view, rng)})
        await others[0].connect(since=seen)
        equal((others[0].seq, others[0].missed), (seen, []), "a hidden action that was missed")
        await match.leave()


@case("Soum Soum: a hand is known to its seat alone, in every message of a whole game")
async def hidden_cards():
    async with serving() as server:
        match = await Match.make(server, "soumsoum", {"players": 3}, [P, P, P], client.seed("cards"))
        await match.start()
        for _ in range(200):
            hands = [seat.view["hand"] for seat in match.people]
            for stream in (match.people[1], match.people[2], match.spectator):
                expect("hands" not in stream.view and (stream.seat is not None or "hand" not in stream.view),
                       f"{stream} sees hands: {short(stream.view)}")
            drawn = [[e["card"] for _, events in seat.log for e in events if e["event"] in ("dealt", "drew") and e["seat"] != seat.seat]
                     for seat in match.people]
            expect(not any(card for cards in drawn for card in cards), "another's card was told")
            expect(all(len(hand) <= 3 for hand in hands), "hands")
            if match.over():
                break
            await match.pause(1)
        expect(match.over(), "the game is over")
        await match.leave()


@case("what-ifs show what a move leads to and tell nobody; what is drawn in them is invented")
async def what_if():
    async with serving() as server:
        rng = client.seed("what if")
        match = await Match.make(server, "soumsoum", {"players": 2}, [P, P], rng)
        await match.start()
        invented = 0
        for _ in range(200):
            if match.over():
                break
            seat = next(seat for seat in match.people if seat.view["legal"])
            others = [stream for stream in match.streams() if stream is not seat]
            told, action = [stream.told for stream in others], choose(seat.view, rng)
            then = await seat.what(action)
            equal(await seat.what(action), then, "the same question asked again")
            for stream in others:
                await stream.barrier()
            equal([stream.told for stream in others], told, "what others were told of a question")
            await seat.act(action)
            await match.settle()
            now = seat.view
            invented += then["hand"] != now["hand"]
            for key in now:
                expect(key == "hand" or then[key] == now[key], f"{key} after {short(action)}: {then[key]}, not {now[key]}")
        expect(match.over(), "the game is over")
        expect(invented > 5, f"only {invented} of the drawn cards were not foreseen")
        await match.leave()

# ---- who is there ----------------------------------------------------------------------------------



@case("a bot plays for whoever is away, when more than half of the others want it, until they are back")
async def absent():
    async with serving() as server:
        match = await Match.make(server, "soumsoum", {"players": 4, "first": 0}, [P, P, P, P], client.seed("absent"))
        await match.start()
        await match.twin.disconnect()
        match.twin = await match.people[1].twin().connect()
        gone, *others = match.people
        seen = gone.seq
        await gone.disconnect()
        await match.spectator.until(lambda: not match.spectator.seats[0]["here"], "seat 0 to be away")
        await match.table.agreed()
        equal(await match.table.bot(0, "greedy", others[0].token), False, "one vote of three")
        equal(await match.table.bot(0, "greedy", others[0].token), False, "the same vote again")
        await match.spectator.barrier()
        equal((match.spectator.seats[0]["bot"], match.view["seq"]), (None, 0), "before enough want it")
        enough = await match.table.bot(0, "greedy", others[1].token)
        expect(enough or len(server.nodes()) > 1, "two votes of three")  # nodes count them together a little later
        await match.spectator.until(lambda: match.spectator.seats[0]["bot"] == "greedy", "the bot")
        await others[0].until(lambda: others[0].view["active"] == 1, "the bot's turn to be over")
        await match.play(8, others)
        await match.spectator.until(lambda: match.view["active"] != 0, "the bot's turn to be over")
        await gone.connect(since=seen)
        back = gone.seq
        await match.spectator.until(lambda: match.spectator.seats[0]["bot"] is None, "the bot to leave")
        await match.twin.until(lambda: match.twin.seq >= back, "the twin, at another node perhaps, to have heard as much")
        told = [e for seq, events in match.twin.log if seen < seq <= back for e in recut(events)]
        equal(recut(gone.missed), told, "what was missed")
        expect(all(e["card"] for e in gone.missed if e["event"] == "drew" and e["seat"] == 0), "the cards that the bot drew")
        equal((match.spectator.seats[0]["name"], match.spectator.seats[0]["here"]), ("Ana", True), "who is back")
        await match.play()
        await match.check_record()
        await match.leave()


def recut(events):
    """As two seats are told them alike: without the cards that were drawn."""
    return [{**event, "card": None} if event["event"] == "drew" else event for event in events]


@case("the host brings a bot for whoever is away, and takes it away again")
async def host_brings():
    async with serving() as server:
        match = await Match.make(server, "soumsoum", {"players": 2, "first": 1}, [P, P], client.seed("host"))
        await match.start()
        gone = match.people[1]
        equal((await ask(server, "POST", match.table.path + "/bots", {"seat": 1, "bot": "greedy"}, match.table.host)).status, 409,
              "a bot for somebody who is here")
        await gone.disconnect()
        await match.spectator.until(lambda: not match.spectator.seats[1]["here"], "seat 1 to be away")
        await match.table.agreed()
        equal(await match.table.bot(1, "greedy"), True, "the host's bot")
        await match.people[0].until(lambda: match.people[0].view["active"] == 0, "the bot's turn to be over")
        equal(await match.table.bot(1, None), True, "the bot is taken away")
        await match.spectator.until(lambda: match.spectator.seats[1]["bot"] is None, "the bot to leave")
        for _ in range(2):
            await match.people[0].act(choose(match.people[0].view, match.rng))
        seq = match.people[0].seq
        await asyncio.sleep(2)
        equal(match.people[0].seq, seq, "nobody plays for seat 1 now")
        await gone.connect()
        await match.play()
        await match.check_record()
        await match.leave()


@case("people stand up and others sit down before the start; tokens of those who left are worth nothing")
async def musical_chairs():
    async with serving() as server:
        table = await Table.make(server, "soumsoum", {"players": 3})
        spectator = await table.spectator().connect()
        ana, ben = await table.sit("Ana"), await table.sit("Ben", 2)
        equal((ana.seat, ben.seat), (0, 2), "the first free seat, and the one that was asked for")
        await table.stand(0, ana.token)
        await table.stand(2, table.host)
        gone = await ask(server, "PUT", table.path + "/notes", {"notes": "?"}, ana.token)
        equal(gone.status, 401, f"a token of somebody who left: {gone}")
        equal([s["name"] for s in (await table.get())["seats"]], [None] * 3, "names")
        await table.bot(0, "random")
        await table.bot(0, None)
        await table.bot(0, "greedy")
        cleo = await table.sit("Cleo")
        equal(cleo.seat, 1, "the first seat without a person or a bot")
        await spectator.until(lambda: spectator.seats[1]["name"] == "Cleo" and spectator.seats[0]["bot"] == "greedy", "all of it")
        await table.sit("Dan")
        await table.start()
        await spectator.until(lambda: spectator.view, "the start")
        await spectator.disconnect()


@case("whoever was here before the start, and away for it, is told of the start, and of it once")
async def over_the_start():
    async with serving() as server:
        table = await Table.make(server, "soumsoum", {"players": 2})
        seats = [await table.sit(name) for name in ("Ana", "Ben")]
        for seat in seats:
            await seat.connect()
            equal(seat.seq, -1, "seq before the start")
        await seats[0].disconnect()
        await table.start()
        await seats[1].until(lambda: seats[1].view, "the start")
        await seats[0].connect(since=seats[0].seq)
        start = [{k: v for k, v in e.items() if k != "card"} for e in seats[1].log[0][1]]
        equal([{k: v for k, v in e.items() if k != "card"} for e in seats[0].missed], start, "the start, card by card")
        equal([e["card"] for e in seats[0].missed if e["event"] == "dealt" and e["seat"] == 0], seats[0].view["hand"], "the own hand")
        equal((seats[0].seq, seats[1].seq), (0, 0), "seq after the start")
        await seats[0].disconnect()
        await seats[0].connect(since=0)
        equal(seats[0].missed, [], "nothing happened since")
        for seat in seats:
            await seat.disconnect()


@case("here is true while any connection of a seat is open")
async def presence():
    async with serving() as server:
        table = await Table.make(server, "soumsoum")
        spectator = await table.spectator().connect()
        ana = await table.sit("Ana")
        await spectator.until(lambda: spectator.seats[0]["name"] == "Ana", "a name")
        equal(spectator.seats[0]["here"], False, "a seat without a connection")
        await ana.connect()
        await spectator.until(lambda: spectator.seats[0]["here"], "Ana to be here")
        twin = await ana.twin().connect()
        await ana.disconnect()
        await spectator.barrier()
        equal(spectator.seats[0]["here"], True, "a seat with another connection")
        twin.cut()
        await spectator.until(lambda: not spectator.seats[0]["here"], "Ana to be away")
        equal((await table.get())["seats"][0]["here"], False, "here, over HTTP")
        await spectator.disconnect()


@case("everybody is told whether a table's screen is on, and which seat hosts")
async def screen_and_host():
    async with serving() as server:
        table = await Table.make(server, "soumsoum")
        ana, ben = await table.sit("Ana"), await table.sit("Ben")
        ana.shown, ben.shown = {"host": table.host}, {"host": ana.token}
        await ana.connect()
        await ben.connect()
        await ben.until(lambda: [s["host"] for s in ben.seats] == [True, False], "the seat that hosts; a seat's token is not the host's")
        screen = table.spectator()
        screen.shown = {"screen": True}
        await screen.connect()
        await ana.until(lambda: ana.screen, "the screen")
        equal((await table.get())["screen"], True, "screen, over HTTP")
        screen.cut()
        await ana.until(lambda: not ana.screen, "the screen to be off")
        await ana.disconnect()
        await ben.until(lambda: [s["host"] for s in ben.seats] == [False, False], "no host")
        await ben.disconnect()


@case("three bots play for a spectator who only watches")
async def bots_alone():
    async with serving() as server:
        table = await Table.make(server, "soumsoum", {"players": 3})
        for seat, bot in enumerate(("greedy", "random", "greedy")):
            await table.bot(seat, bot)
        spectator = await table.spectator().connect()
        await table.start()
        await spectator.until(lambda: spectator.view and spectator.view["phase"] == "over", "the end", 200)
        equal(len(spectator.log), 49, "changes: the deal and 48 moves")
        late = await table.spectator().connect(since=40)
        equal(late.missed, [e for seq, events in spectator.log if seq > 40 for e in events], "what a late spectator missed")
        equal(late.view, spectator.view, "the last view")
        await late.disconnect()
        await spectator.disconnect()


if __name__ == "__main__":
    tap.main()
