"""match.py: a table with people and bots that is played to its end; used by play.py and tables.py."""
import asyncio
import contextlib
import json
import re
import tempfile
import time
from pathlib import Path

import client
import tap
from client import Seat, Table, Wrong, ask, choose, expect, short
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
        expect(time.monotonic() - seat.since < client.PATIENCE, lambda: f"nothing happens any more; {seat}: {short(seat.view, 2000)}")

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
        """Until everybody has heard the same. A bot may say something meanwhile, and then all are asked again."""
        await self.table.agreed()
        for _ in range(100):
            for stream in self.streams():
                if stream.closed is None:
                    await stream.barrier()
            seqs = {stream.view["seq"] for stream in self.streams() if stream.closed is None}
            if len(seqs) == 1 or self.view["game"] == "dive":  # in Dive not everybody counts what is secret
                return
            await asyncio.sleep(0.05)
        raise Wrong(f"different seq: {seqs}")

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
        for stream in self.streams():
            await stream.until(lambda s=stream: s.rematch is not None, "the news of a rematch")
            equal(stream.rematch, new.id, "the rematch that a stream was told of")
        late = await self.table.spectator().connect()
        await late.until(lambda: late.rematch is not None, "the news of a rematch after hello")
        equal(late.rematch, new.id, "the rematch that a later stream was told of")
        await late.disconnect()
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
