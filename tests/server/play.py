#!/usr/bin/python3
"""play.py: whole games at a server, over HTTP and WebSocket, as docs/protocol-server.md says.

What every stream promises is checked by client.py with each message: seq and the view's seq, which grow with each
change, acknowledgements after the change, no event that is another's secret.
"""
import asyncio
import collections
import contextlib
import json
import re
import secrets
import subprocess
import tempfile
import time
from pathlib import Path

import client
import tap
from client import Refused, Seat, Server, Stream, Table, Wrong, ask, case, cases, choose, done, expect, patiently, short
from tap import equal

PERSON = None
MOVES = 6000  # more than any game has


def serving(*flags):
    return client.serving("--bot-ms", "20", *flags)


class Match:
    """A table with people and bots, a second connection of its first person, and a spectator."""

    def __init__(self, server, rng):
        self.server, self.rng, self.table = server, rng, None
        self.people, self.bots, self.entropies, self.names = [], {}, [], []
        self.twin, self.spectator = None, None
        self.refused = 0  # by races, which are nobody's fault

    # ---- before the start ----

    @classmethod
    async def make(cls, server, game, options, seats, rng, name="Ana"):
        """seats: for each the id of a bot, or PERSON."""
        match = cls(server, rng)
        match.table = await Table.make(server, game, options)
        shown = await match.table.get()
        equal((shown["game"], shown["state"], shown["rematch"]), (game, "waiting", None), "a new table")
        equal(len(shown["seats"]), len(seats), "seats of a new table")
        for key, value in options.items():
            equal(shown["options"].get(key), value, f"option {key}")
        match.commitment = shown["commitment"]
        match.spectator = await match.table.spectator().connect()
        equal((match.spectator.view, len(match.spectator.seats)), (None, len(seats)), "what is seen before the start")
        for place, bot in enumerate(seats):
            if bot is not PERSON:
                equal(await match.table.bot(place, bot), True, "a bot before the start")
                match.bots[place] = bot
                match.entropies.append(None)
                match.names.append(None)
                continue
            entropy = rng.choice([None, "00", rng.randbytes(32).hex()]) if match.people else rng.randbytes(32).hex()
            called = rng.choice(["Ana", "Ngọc Ánh", "Ōtomo", "🐙" * 16, "x"]) if match.people else name
            match.people.append(await match.table.sit(called, place, entropy))
            match.entropies.append(entropy)
            match.names.append(called)
        for seat in match.people:
            await seat.connect()
            equal((seat.view, seat.missed), (None, None), "a seat before the start")
        await match.spectator.until(
            lambda: all(s["here"] for s in match.spectator.seats if s["seat"] not in match.bots), "everybody to be here")
        for place, seat in enumerate(match.spectator.seats):
            equal(seat["bot"], match.bots.get(place), "the bot of a seat")
            if place not in match.bots:
                equal(seat["name"], match.names[place], "the name of a seat")
        match.twin = await match.people[0].twin().connect()
        return match

    async def start(self):
        await self.table.start()
        for stream in self.streams():
            await stream.until(lambda s=stream: s.view is not None, "the start")
            seq, events = stream.log[0]
            chosen = stream.view["phase"] == "setup"  # nothing has happened yet
            expect(seq == 0 and (events or chosen), f"{stream}: the first change is the deal, but it was {seq} {short(events)}")
        equal((await self.table.get())["state"], "playing", "after the start")

    def streams(self):
        return [*self.people, self.twin, self.spectator]

    # ---- play ----

    @property
    def view(self):
        return self.spectator.view

    def over(self):
        return self.view is not None and self.view["phase"] == "over"

    async def play(self, moves=MOVES, players=None):
        """Everybody plays at once, until the game is over or so many moves were made."""
        self.left = moves
        players = players or self.people
        tasks = [asyncio.create_task(self._drive(seat)) for seat in players]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if self.left > 0:
            for stream in self.streams():
                if stream.closed is None:
                    await stream.until(lambda s=stream: s.view["phase"] == "over", "the end")

    async def _drive(self, seat):
        while seat.view["phase"] != "over" and self.left > 0:
            action, told = choose(seat.view, self.rng), seat.told
            if action is None:
                # Others act, or nobody does: then this seat thinks again.
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(self._word(seat, told), 0.2)
                self._stuck(seat)
                continue
            self.left -= 1
            self.refused += not await seat.try_act(action)

    async def _word(self, seat, told):
        await seat.until(lambda: seat.told > told or self.left <= 0, "the next change", client.PATIENCE)

    def _stuck(self, seat):
        mark = (seat.told, self.left)
        if mark != getattr(seat, "mark", None):
            seat.mark, seat.since = mark, time.monotonic()
        expect(time.monotonic() - seat.since < client.PATIENCE, f"nothing happens any more; {seat}: {short(seat.view, 2000)}")

    def quiet(self):
        """Nothing will happen by itself: the next move is a person's."""
        view = self.view
        if view["phase"] == "over":
            return True
        if view["game"] == "dive":
            return (view["phase"] == "program" and view["deadline"] is None and not view["announced"]
                    and all(view["ready"][bot] for bot in self.bots))
        if view["phase"] == "setup" and self.bots:
            return False  # all may take diver cards, bots too
        here = [seat for seat in (*self.people, self.twin) if seat.closed is None]  # who is away knows an old view
        return any(seat.view["legal"] and seat.seq == self.spectator.seq for seat in here)

    async def pause(self, moves, players=None):
        """Plays so many moves, and more until it is quiet; everybody then knows the same."""
        await self.play(moves, players)
        for _ in range(MOVES):
            if players is None:
                await self.settle()
            with contextlib.suppress(Wrong):
                await self.spectator.until(self.quiet, "a quiet moment", 1)
                if await self.stays():
                    break
                continue
            await self.play(1, players)
        await self.settle()

    async def stays(self):
        """A bot may still have something to say, a claim for instance, though it is not asked."""
        seq = self.spectator.seq
        await asyncio.sleep(0.4 if self.bots else 0)
        await self.spectator.barrier()
        return seq == self.spectator.seq

    async def settle(self):
        await self.table.agreed()
        for stream in self.streams():
            if stream.closed is None:
                await stream.barrier()
        seqs = {stream.view["seq"] for stream in self.streams() if stream.closed is None}
        if self.view["game"] != "dive":  # nothing is hidden there: everybody counts the same
            equal(len(seqs), 1, f"different seq: {seqs}")

    # ---- what may happen in between ----

    async def leave_and_return(self, moves):
        """The first person's connection ends; its second one plays on, and can tell what was missed."""
        seat, twin = self.people[0], self.twin
        seen = seat.seq
        await seat.disconnect()
        await self.pause(moves, [twin, *self.people[1:]])
        await seat.connect(since=seen)
        await self.settle()
        told = [event for seq, events in twin.log if seq > seen for event in events]
        expect(seat.seq > seen, "nothing was missed: this tests nothing")
        equal(seat.missed, told, f"what {seat} missed since {seen}")
        equal(seat.view, twin.view, "the views of two connections of a seat")

    async def restart(self, how):
        """The server goes and comes back: everybody finds what they left."""
        before = {id(stream): stream.view for stream in self.streams()}
        await self.table.agreed()
        shown = await self.table.get()
        await how()
        for stream in self.streams():
            await stream.connect(since=stream.seq)
            equal(stream.missed, [], f"what {stream} missed over a restart")
            equal(stream.view, before[id(stream)], f"the view of {stream} after a restart")
        await self.table.agreed()
        equal(await self.table.get(), shown, "the table after a restart")
        for seat in self.people:
            if seat.last:
                await seat.retry_last()
        await self.settle()
        for stream in self.streams():
            equal(stream.view, before[id(stream)], f"the view of {stream} after retried ids")

    async def terminate(self):
        await self.server.stop()
        for stream in self.streams():
            closed = await stream.ended()
            equal(closed.code, 1001, f"how {stream} was closed when the server went down")
            expect(isinstance(stream.retry, int) and 0 <= stream.retry <= 60000, f"{stream} was not told to come back: {stream.retry}")
        self.server.start()

    async def kill(self):
        await self.server.kill()
        for stream in self.streams():
            await stream.ended()
        self.server.start()

    # ---- the end ----

    async def check_record(self):
        """The record is the game that was played, and `fathom replay` finds nothing wrong in it."""
        body = await self.table.record()
        lines = [json.loads(line) for line in body.decode("utf-8").splitlines()]
        shown = await self.table.get()
        head, moves, end = lines[0], lines[1:-1], lines[-1]
        equal(shown["state"], "over", "the state of the table")
        equal(head["table"], self.table.id, "the record's table")
        equal(head["commitment"], self.commitment, "the record's commitment, as it was shown before the start")
        equal(head["entropy"], self.entropies, "the record's entropies")
        equal(head["options"], shown["options"], "the record's options")
        equal(head["deck"], shown["deck"], "the record's deck")
        equal([seat["bot"] for seat in head["seats"]], [self.bots.get(i) for i in range(len(head["seats"]))], "bots")
        for name, seat in zip(self.names, head["seats"]):
            expect(name is None or name.startswith(seat["name"]) and seat["name"], f"{name!r} is {seat['name']!r} in the record")
        equal(end["result"], self.view["result"], "the record's result")
        expect(all(seat.last is None or any(same(move, seat) for move in moves) for seat in self.people),
               "a move that was acknowledged is not in the record")
        options = re.search(rb'"options":(\{[^{}]*\})', body)[1]
        raw = (await ask(self.server, "GET", self.table.path)).body
        expect(options in raw, f"the options as bytes: {options!r} is not in {raw!r}")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "record.jsonl"
            path.write_bytes(body)
            run = tap.fathom("replay", path)
            equal((run.status, run.err), (0, ""), f"fathom replay: {run.out}")
        return head, moves, end

    async def rematch(self):
        """A new table with the same people, bots and tokens."""
        old = await self.table.get()
        tokens = [self.table.host, *(seat.token for seat in self.people)]
        new = await self.table.rematch(self.rng.choice(tokens))
        for token in tokens:
            equal((await self.table.rematch(token)).id, new.id, "a rematch asked for again")
        equal((await self.table.get())["rematch"], new.id, "the old table's rematch")
        shown = await new.get()
        for key in ("game", "options", "deck"):
            equal(shown[key], old[key], f"{key} of a rematch")
        for a, b in zip(old["seats"], shown["seats"]):
            equal((a["name"], a["bot"]), (b["name"], b["bot"]), "a seat of a rematch")
        equal((shown["state"], shown["rematch"]), ("waiting", None), "a rematch")
        expect(new.id != self.table.id and shown["commitment"] != old["commitment"], "a rematch has its own id and commitment")
        for stream in self.streams():
            await stream.disconnect()
        again = Match(self.server, self.rng)
        again.table, again.bots, again.names, again.commitment = new, self.bots, self.names, shown["commitment"]
        again.people = [await Seat(self.server, new.id, seat.token, seat.seat).connect() for seat in self.people]
        again.twin = await again.people[0].twin().connect()
        again.spectator = await new.spectator().connect()
        await again.start()
        return again

    async def leave(self):
        for stream in self.streams():
            await stream.disconnect()


def same(move, seat):
    """A move of the record is the last one that a seat was acknowledged."""
    action = seat.last[1].get("action")
    return action is None or move.get("seat") == seat.seat and all(move.get(key) == value for key, value in action.items())


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


# ---- absent people ---------------------------------------------------------------------------------


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
        for _ in range(20):
            if match.view["active"] != 0:
                break
            await asyncio.sleep(0.5)
        await gone.connect(since=seen)
        await match.spectator.until(lambda: match.spectator.seats[0]["bot"] is None, "the bot to leave")
        equal(recut(gone.missed), [e for seq, events in match.twin.log if seq > seen for e in recut(events)], "what was missed")
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


# ---- tables, codes, notes --------------------------------------------------------------------------


@case("listed tables that wait are shown, newest first; others are not")
async def listing():
    async with serving() as server:
        made = [await Table.make(server, game, listed=True) for game in ("soumsoum", "dive", "divercity")]
        hidden = [await Table.make(server, "dive", listed=False), await Table.make(server, "dive")]
        tables = (await done(server, "GET", "/api/tables"))["tables"]
        equal([t["table"] for t in tables], [t.id for t in reversed(made)], "the listed tables")
        for table in tables:
            client.check_table(table)
            equal(table, await Table(server, table["table"]).get(), "a listed table and the table itself")
        await server.restart()
        equal((await done(server, "GET", "/api/tables"))["tables"], tables, "the list after a restart")
        for seat in range(2):
            await made[0].bot(seat, "random")
        await made[0].start()
        tables = (await done(server, "GET", "/api/tables"))["tables"]
        equal([t["table"] for t in tables], [made[2].id, made[1].id], "without the one that has started")
        expect(not any(t.id in json.dumps(tables) for t in hidden), "a table that is not listed")


@case("at most 100 tables are listed, the newest")
async def long_listing():
    async with serving() as server:
        made = [(await Table.make(server, "soumsoum", listed=True)).id for _ in range(103)]
        tables = (await done(server, "GET", "/api/tables"))["tables"]
        equal([t["table"] for t in tables], made[:2:-1], "the list")


@case("an invitation's code leads to its table, in any case and with dashes; also after a restart")
async def codes():
    async with serving() as server:
        table = await Table.make(server, "dive")
        code = table.code
        for spelled in (code, code.lower(), code[:3] + "-" + code[3:], "-".join(code.lower())):
            equal(await done(server, "GET", "/api/codes/" + spelled), {"table": table.id}, spelled)
        await server.restart()
        equal(await done(server, "GET", "/api/codes/" + code), {"table": table.id}, "after a restart")
        other = await Table.make(server, "dive")
        expect(other.code != code and other.id != table.id, "two tables have two codes")


@case("notes are private, kept with the seat, and outlive a restart")
async def notes():
    async with serving() as server:
        table = await Table.make(server, "soumsoum")
        seats = [await table.sit("Ana"), await table.sit("Ben")]
        path = table.path + "/notes"
        text = "a shark in the corner\n🦈 " + "é" * 1986
        equal(len(text.encode()), 3999, "the length of the longest notes")
        for token, wanted in ((seats[0].token, text + "!"), (seats[1].token, "mine")):
            equal(await done(server, "GET", path, token=token), {"notes": ""}, "notes at first")
            equal(await done(server, "PUT", path, {"notes": wanted}, token), {}, "notes are taken")
        await table.start()
        await server.restart()
        for token, wanted in ((seats[0].token, text + "!"), (seats[1].token, "mine")):
            equal(await done(server, "GET", path, token=token), {"notes": wanted}, "notes")
        equal(await done(server, "PUT", path, {"notes": ""}, seats[0].token), {}, "notes are emptied")
        equal(await done(server, "GET", path, token=seats[0].token), {"notes": ""}, "empty notes")


@case("names keep their letters and lose control and bidirectional characters")
async def names():
    async with serving() as server:
        table = await Table.make(server, "divercity", {"divers": 6})
        wanted = {"Ana": "Ana", "A\u0007n\u0085a\u001b\u007f": "Ana", "\u202eBen\u2066\u200f": "Ben", "Ngọc": "Ngọc", "🐙" * 32: "🐙" * 32,
                  "x" * 32: "x" * 32}
        for seat, name in enumerate(wanted):
            await table.sit(name, seat)
        equal([s["name"] for s in (await table.get())["seats"]], list(wanted.values()), "names")


@case("the longest names, of 32 characters of four bytes each, stand in a record that replays")
async def long_names():
    async with serving() as server:
        match = await Match.make(server, "soumsoum", {"players": 2}, [P, "random"], client.seed("names"), name="🐙" * 32)
        await match.start()
        await match.play()
        await match.check_record()
        await match.leave()


# ---- Dive's stack ----------------------------------------------------------------------------------


def jpeg(answer, what):
    equal(answer.status, 200, f"{what}: {answer}")
    equal(answer.headers.get("content-type"), "image/jpeg", f"the type of {what}")
    expect(answer.body[:3] == b"\xff\xd8\xff" and answer.body.rstrip(b"\0")[-2:] == b"\xff\xd9", f"{what} is no JPEG")


@case("Dive: the stack is seen by everybody in the present round, a sheet once it was revealed")
async def pictures():
    async with serving() as server:
        match = await Match.make(server, "dive", {"divers": 2, "flashlight": True}, [P, P], client.seed("pictures"))
        await match.start()
        ocean, visit = match.table.path + "/ocean", match.spectator.visit
        for token in (match.people[0].token, match.table.host, match.spectator.visit):
            jpeg(await ask(server, "GET", ocean + "/1/0,0.jpg", token=token), "the stack")
            jpeg(await ask(server, "GET", ocean + "/1/14,-9.jpg", token=token), "the stack from aside")
        jpeg(await ask(server, "GET", ocean + "/1/0,0/above:0.5,0.5.jpg", token=visit), "the stack with a lamp")
        for path in ("/2/0,0.jpg", "/1/sheet/1.jpg", "/0/0,0.jpg"):
            answer = await ask(server, "GET", ocean + path, token=visit)
            expect(400 <= answer.status < 500, f"{path} in round 1: {answer}")
            expect(answer.code, f"{path}")
        for seat in match.people:
            await seat.act({"do": "program", "levels": [{"tokens": [1], "shark": True}]})
            await seat.act({"do": "ready"})
        await match.spectator.until(lambda: match.view["round"] == 2, "the dive")
        jpeg(await ask(server, "GET", ocean + "/1/sheet/1.jpg"), "the sheet that was turned over")
        jpeg(await ask(server, "GET", ocean + "/2/0,0.jpg", token=visit), "the stack of the next round")
        for path in ("/1/0,0.jpg", "/1/sheet/2.jpg", "/2/sheet/1.jpg"):
            answer = await ask(server, "GET", ocean + path, token=visit)
            expect(400 <= answer.status < 500, f"{path} in round 2: {answer}")
        await match.leave()


@case("Dive: table screens follow the look of whoever holds the stack, and of nobody else")
async def looks():
    async with serving() as server:
        match = await Match.make(server, "dive", {"divers": 2}, [P, P], client.seed("looks"))
        await match.start()
        holder, other = match.people
        tilt = {"tilt": [14, -9], "lamp": None}
        holder.socket.send({"hold": True})
        holder.socket.send({"look": tilt})
        await match.spectator.until(lambda: match.spectator.looks, "the look of the holder")
        equal(match.spectator.looks, [{"seat": 0, **tilt}], "looks")
        other.socket.send({"look": {"tilt": [1, 2], "lamp": None}})
        await other.barrier()
        await match.spectator.barrier()
        equal(len(match.spectator.looks), 1, "looks, after one by a seat that does not hold the stack")
        await match.settle()
        await match.leave()


# ---- the rest --------------------------------------------------------------------------------------


@case("health, metrics, and many requests on one connection")
async def health():
    async with serving() as server:
        http = client.Http(server)
        for _ in range(20):
            answer = await http.request("GET", "/healthz")
            equal((answer.status, answer.json()), (200, {"ok": True}), "health")
        expect(http.writer is not None, "the connection is kept")
        metrics = await http.request("GET", "/metrics")
        equal(metrics.status, 200, "metrics")
        expect(metrics.headers["content-type"].startswith("text/plain"), f"the type of metrics: {metrics.headers}")
        lines = [line for line in metrics.body.decode().splitlines() if line and not line.startswith("#")]
        for line in lines:
            expect(re.fullmatch(r'[a-zA-Z_:][\w:]*(\{[^}]*\})? [-+.0-9eInfNa]+( \d+)?', line), f"not a line of Prometheus: {line!r}")
        expect(lines, "no metrics")
        expect((await http.request("GET", "/healthz", keep=False)).status == 200, "the last request of a connection")
        http.close()


async def metrics_of(server):
    """{name or name{labels}: value}, of all nodes together"""
    total = collections.Counter()
    for node in server.nodes():
        text = (await ask(node, "GET", "/metrics")).body.decode()
        total.update({name: float(value) for name, value in (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))})
    return total


@case("metrics count moves, refusals and closes, and how long commits, broadcasts and pictures took")
async def metrics():
    async with serving() as server:
        match = await Match.make(server, "dive", {"divers": 2}, [PERSON, PERSON], client.seed("metrics"))
        before = await metrics_of(server)
        await match.start()
        for seat in match.people:
            await seat.act({"do": "program", "levels": [{"tokens": [1], "shark": True}]})
        for _ in range(2):
            with contextlib.suppress(Refused):
                await match.people[0].act({"do": "breathe"})
        ocean = match.table.path + "/ocean/1"
        for path in ("/0,0.jpg", "/14,-9.jpg", "/0,0.jpg"):
            equal((await ask(server, "GET", ocean + path, token=match.people[0].token)).status, 200, path)
        socket = await client.WebSocket.open(server, match.table.path + "/live")
        socket.send({})
        equal((await socket.closing())[0].code, 1008, "a close")
        now = await metrics_of(server)

        def grew(name):
            return now.get(name, 0) - before.get(name, 0)

        equal(grew("fathom_moves_total"), 2, "moves")
        equal(grew('fathom_refusals_total{code="no-fugu"}'), 2, "refusals by code")
        equal(grew('fathom_closes_total{code="1008"}'), 1, "closes by code")
        equal(grew("fathom_broadcast_seconds_count"), 3, "changes told: the start and two moves")
        expect(grew("fathom_commit_seconds_count") >= 3, "commits")
        equal(grew("fathom_ocean_picture_seconds_count"), 2, "pictures made: one was there already")
        equal((grew("fathom_ocean_asked_total"), grew("fathom_ocean_found_total")), (3, 1), "pictures asked for, and found")
        expect(1 <= grew("fathom_ocean_bake_seconds_count") <= len(server.nodes()), "rounds baked")
        for name in ("broadcast", "commit", "ocean_picture", "ocean_bake"):
            buckets = [v for k, v in now.items() if k.startswith(f"fathom_{name}_seconds_bucket")]
            expect(buckets == sorted(buckets) and buckets[-1] == now[f"fathom_{name}_seconds_count"], f"buckets of {name}: {buckets}")
            expect(0 < now[f"fathom_{name}_seconds_sum"] < 60, f"the sum of {name}")
        await match.leave()


@case("a hello in pieces, with a ping in between, and with the subprotocol fathom, is a hello")
async def pieces():
    async with serving() as server:
        table = await Table.make(server, "soumsoum")
        path = table.path + "/live"
        for protocol in ("fathom", "chat, fathom"):
            socket = await client.WebSocket.open(server, path, headers=[("Sec-WebSocket-Protocol", protocol)])
            equal(socket.answer.headers.get("sec-websocket-protocol"), "fathom", "the subprotocol")
            socket.cut()
        socket = await client.WebSocket.open(server, path)
        expect("sec-websocket-protocol" not in socket.answer.headers, "a subprotocol that nobody asked for")
        for i, piece in enumerate((b'{"hel', b"", b'lo":nu', b"ll}")):
            if i > 0:
                socket.frame(client.PING, b"between %d" % i)
                equal(await patiently("a pong", socket.receive()), None, "what answers a ping")
            socket.frame(client.TEXT if i == 0 else client.CONTINUATION, piece, fin=i == 3)
        equal((await socket.message())["view"], None, "the view")
        equal(len((await socket.message())["seats"]), 2, "seats")
        equal(socket.pongs, [b"between %d" % i for i in range(1, 4)], "pongs")
        socket.frame(client.PONG, b"unasked")
        socket.frame(client.PING, b"")
        socket.close(1000, "bye")
        closed, told = await socket.closing()
        equal((closed.code, told), (1000, []), "the close")


@case("over TLS a game is played as well, messages come in pieces and many at once")
async def tls():
    with tempfile.TemporaryDirectory() as folder:
        cert, key = f"{folder}/cert.pem", f"{folder}/key.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", cert],
                       check=True, capture_output=True)
        server = Server(tap.program(), "--bot-ms", "20", "--cert", cert, "--key", key, trust=cert)
        try:
            match = await Match.make(server, "soumsoum", {"players": 2}, [PERSON, "greedy"], client.seed("tls"))
            await match.start()
            await match.play()
            twin = await match.people[0].twin().connect()
            for size in (1, 100, 5000, 16000):  # larger than what TLS has in a record, and than what is read at once
                for i in range(5):
                    twin.socket.text('{"id":"x%d-%d","action":{"do":"pass"}%s}' % (size, i, " " * size), 1 + i)
            await twin.until(lambda: len(twin.answers) == 20, "20 refusals")
            await twin.barrier()
            await twin.disconnect()
            await server.stop()
        finally:
            await server.close()


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
