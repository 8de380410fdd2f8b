"""client.py: a client of a fathom server, written from docs/protocol*.md alone.

Server    starts and stops `fathom serve` on a store of its own (process.py)
Http      one HTTP connection, kept alive (wire.py)
WebSocket one WebSocket connection, down to the single frame (wire.py)
Stream    the live stream of a table for one viewer; checks what holds for every stream
Seat      a stream that also acts
Table     requests to a table over HTTP
choose    a random legal action from a view (choose.py)

Only the standard library is used. Tests import all of it from here.
"""
import asyncio
import contextlib
import itertools
import json
import random
import re
import secrets
import sys
import time
from pathlib import Path

from choose import choose, random_program  # noqa: F401
from expect import PATIENCE, SLOWNESS, Wrong, expect, patiently, short  # noqa: F401
from process import Server, free_port  # noqa: F401
from wire import (BINARY, BOUND, CLOSE, CONTINUATION, PING, PONG, TEXT, Answer, Closed, Http, NoUpgrade, WebSocket,  # noqa: F401
                  ask, read_answer, values_fit)

# ---- the live stream -------------------------------------------------------------------------------

PRIVATE = {"chose", "programmed"}  # events that are told to their own seat alone


class Pace:
    """Stays below so many messages a second, and so many at once."""

    def __init__(self, rate, burst=40):
        self.rate, self.burst, self.left, self.at = rate, burst, burst, time.monotonic()

    async def turn(self):
        now = time.monotonic()
        self.left = min(self.burst, self.left + (now - self.at) * self.rate) - 1
        self.at = now
        if self.left < 0:
            await asyncio.sleep(-self.left / self.rate)


class Refused(Exception):
    """The server's answer to an action that was not taken."""

    def __init__(self, message):
        super().__init__(f"{message['code']}: {message['message']}")
        self.code = message["code"]


class Stream:
    """What one viewer of a table is told, as it comes. Every message is held to the protocol."""

    def __init__(self, server, table, token=None, seat=None):
        self.server, self.table, self.token, self.seat = server, table, token, seat
        self.socket, self.reading, self.closed, self.fault = None, None, None, None
        self.seq, self.view, self.seats, self.screen = None, None, None, False
        self.shown = {}  # what it adds to its hello
        self.visit = None  # the token for pictures
        self.log = []  # (seq, events) of each change, over all connections
        self.missed = None  # the events of the last hello with `from`
        self.told = 0  # messages so far, over all connections
        self.answers, self.looks, self.retry = {}, [], None
        self.reactions, self.reacted = None, []  # ms that they are open, None: always; those that were shown
        self.rematch = None  # the id of the table that the stream was told of
        self.clock = None  # (ms left, when that was said); None: nothing was said
        self.pace = Pace(*server.pace)
        self._greeted, self._news = False, asyncio.Event()

    def __str__(self):
        return "the spectator" if self.seat is None else f"seat {self.seat}"

    async def connect(self, since=None, **options):
        """Says hello and waits for view and seats. since: the last seq that was seen."""
        self.socket = await WebSocket.open(self.server, f"/api/tables/{self.table}/live", **options)
        self.closed, self.seats, self._greeted, self.missed, self.retry, self.clock = None, None, False, None, None, None
        self.rematch = None
        self._since, before = since, self.told
        self.socket.send({"hello": self.token, "visit": True, **self.shown, **({} if since is None else {"from": since})})
        self.reading = asyncio.create_task(self._read())
        await self.until(lambda: self.told >= before + 2, "the answers to hello")
        return self

    async def disconnect(self, code=1000):
        self.socket.close(code)
        await patiently("the end of a stream", self.reading)
        self.socket.cut()
        expect(self.fault is None, self.fault)
        expect(self.closed.code == code, f"close {code} was answered with {self.closed}")

    def cut(self):
        if self.reading:
            self.reading.cancel()
        if self.socket:
            self.socket.cut()

    async def until(self, condition, what, seconds=PATIENCE):
        """Waits until a condition holds, which is looked at after every message."""
        end = time.monotonic() + seconds
        while not condition():
            expect(self.fault is None, f"{self}: {self.fault}")
            if self.closed is not None:
                raise Wrong(f"{self}: waited for {what}, but the stream was {self.closed}")
            self._news.clear()
            try:
                await asyncio.wait_for(self._news.wait(), max(0.0, end - time.monotonic()))
            except asyncio.TimeoutError:
                raise Wrong(f"{self}: waited {seconds} s for {what}; seq {self.seq}, phase "
                            f"{self.view and self.view['phase']}, active {self.view and self.view.get('active')}") from None
        expect(self.fault is None, f"{self}: {self.fault}")

    async def ended(self, seconds=PATIENCE):
        """Waits for the end that the server makes."""
        await patiently("the end of a stream", asyncio.wait({self.reading}), seconds)
        expect(self.fault is None, f"{self}: {self.fault}")
        self.socket.cut()
        return self.closed

    async def barrier(self):
        """After this all has come that the server had sent before: a pong overtakes nothing."""
        payload, pongs = secrets.token_bytes(8), self.socket.pongs
        await self.pace.turn()
        self.socket.frame(PING, payload)
        await self.until(lambda: payload in pongs, "a pong")

    async def _read(self):
        try:
            while True:
                text = await self.socket.receive()
                if text is not None:
                    self._take(json.loads(text))
                self._news.set()
        except Closed as closed:
            self.closed = closed
        except asyncio.CancelledError:
            raise
        except Exception as error:  # pylint: disable=broad-except
            self.fault = self.fault or f"{type(error).__name__}: {error}"
            self.closed = Closed(1006)
        self._news.set()

    def _take(self, message):
        self.told += 1
        kind = next((k for k in ("ack", "refused", "seats", "look", "clock", "reactions", "react", "rematch", "retry", "what") if k in message), "seq")
        keys = {"ack": {"ack", "seq"}, "refused": {"refused", "code", "message"}, "seats": {"seats", "screen"}, "look": {"look"}, "clock": {"clock"},
                "reactions": {"reactions"}, "react": {"react"},
                "rematch": {"rematch"}, "retry": {"retry"}, "what": {"what", "view"}, "seq": {"seq", "events", "view"}}[kind]
        first = kind == "seq" and not self._greeted
        if first and self._since is None:
            keys = keys - {"events"}
        if first and "visit" in message:  # of a game with pictures
            expect(len(message["visit"]) == 32, f"a visit's token is {message['visit']}")
            keys, self.visit = keys | {"visit"}, message["visit"]
        if kind == "refused" and values_fit(message):
            keys = keys | set(message)
        expect(set(message) == keys, lambda: f"a message has the keys {sorted(message)}, not {sorted(keys)}: {short(message)}")
        expect(self._greeted or first, lambda: f"the first message is not the view: {short(message)}")
        if kind == "seq":
            self._change(message, first)
        elif kind == "ack":
            expect(self.seq is not None and message["seq"] <= self.seq,
                   f"ack {message['ack']} of seq {message['seq']} came before the change, at seq {self.seq}")
            self.answers.setdefault(message["ack"], []).append(message)
        elif kind in ("refused", "what"):
            self.answers.setdefault(message[kind], []).append(message)
        elif kind == "seats":
            for place, seat in enumerate(message["seats"]):
                check_seat(seat, place)
            self.seats, self.screen = message["seats"], message["screen"]
        elif kind == "look":
            expect(self.token is None, "a look was sent to a seat, it is for table screens")
            self.looks.append(message["look"])
        elif kind == "clock":
            expect(self.view and (message["clock"] is None) == (self.view["deadline"] is None), lambda: f"{message} beside {self.view}")
            self.clock = message["clock"] is not None and (message["clock"], time.monotonic())
        elif kind == "reactions":
            self.reactions = message["reactions"]
        elif kind == "react":
            self.reacted.append(message["react"])
        elif kind == "rematch":
            self.rematch = message["rematch"]
        else:
            self.retry = message["retry"]

    def _change(self, message, first):
        seq, view, events = message["seq"], message["view"], message.get("events")
        expect(isinstance(seq, int) and (self.seq is None or seq >= self.seq), f"seq went from {self.seq} to {seq}")
        expect(view is not None or seq == -1, f"seq is {seq} before the start")
        if view is not None:
            expect(view["seq"] == seq, f"seq is {seq}, but the view's is {view['seq']}")
            expect(view["seat"] == self.seat, f"{self} was sent the view of {view['seat']}")
            expect(("legal" in view) == (self.seat is not None), "`legal` is for seats")
        else:
            expect(self.view is None, "the view was null after it had been there")
        if not first:
            expect(view is not None, lambda: f"a change without a view: {short(message)}")
            expect(seq > self.seq, f"a change from seq {self.seq} to {seq}")
            self.log.append((seq, events))
        for event in events or []:
            expect(event["event"] not in PRIVATE or event["seat"] == self.seat, lambda e=event: f"{self} was told of {short(e)}")
            check_secret(event, self.seat)
        if first:
            self._greeted, self.missed = True, events
        self.seq, self.view = seq, view


def check_seat(seat, place):
    expect(set(seat) == {"seat", "name", "bot", "here", "host"} and seat["seat"] == place and isinstance(seat["here"], bool) and isinstance(seat["host"], bool)
           and isinstance(seat["name"], (str, type(None))) and isinstance(seat["bot"], (str, type(None))),
           lambda: f"not a SEAT: {short(seat)}")


def check_secret(event, viewer):
    """Cards that are cut for others."""
    if event["event"] in ("dealt", "drew") and event["seat"] != viewer and "card" in event and "species" not in event:
        expect(event["card"] is None, lambda: f"{viewer} was told of another's card: {short(event)}")


class Seat(Stream):
    """A stream that acts. Two connections of one seat are two of these with one token."""

    def __init__(self, server, table, token, seat):
        super().__init__(server, table, token, seat)
        self._prefix, self._number = secrets.token_hex(4), itertools.count(1)
        self.last = None  # (id, message) of the last action that was acknowledged

    def next_id(self):
        return f"{self._prefix}-{next(self._number)}"

    def twin(self):
        """Another connection of the same seat."""
        return Seat(self.server, self.table, self.token, self.seat)

    async def say(self, message, name=None):
        """Sends an action and waits for the answer: its seq, or raises Refused."""
        name = name or self.next_id()
        message = {"id": name, **message}
        before = len(self.answers.get(name, ()))
        await self.pace.turn()
        self.socket.send(message)
        await self.until(lambda: len(self.answers.get(name, ())) > before, f"the answer to {short(message)}")
        answer = self.answers[name][before]
        if "refused" in answer:
            raise Refused(answer)
        self.last = (name, {k: v for k, v in message.items() if k != "id"})
        return answer["seq"]

    async def act(self, action, name=None):
        return await self.say({"action": action}, name)

    async def what(self, *actions):
        """The view after these actions, or raises Refused."""
        name = self.next_id()
        await self.pace.turn()
        self.socket.send({"what": name, "if": actions})
        await self.until(lambda: name in self.answers, f"what {short(actions)} leads to")
        answer = self.answers[name][0]
        if "refused" in answer:
            raise Refused(answer)
        return answer["view"]

    async def try_act(self, action):
        """Acts on what may be known no more: False if something else happened meanwhile."""
        seq = self.seq
        try:
            after = await self.act(action)
            expect(after > seq, f"{self}: {short(action)} at seq {seq} was acknowledged with seq {after}")
            return True
        except Refused as refused:
            try:
                await self.until(lambda: self.seq > seq, "a reason for a refusal", 2)
            except Wrong:
                raise Wrong(f"{self}: {short(action)} was in `legal`, but refused: {refused}; view {short(self.view, 3000)}") from None
            return False

    async def retry_last(self):
        """Sends the last action again under its id: acknowledged again, not applied again."""
        name, message = self.last
        seq, view = self.seq, self.view
        again = await self.say(message, name)
        await self.barrier()
        expect(again <= seq, f"{self}: a retried id was acknowledged with seq {again} at seq {seq}")
        expect((self.seq, self.view) == (seq, view), f"{self}: a retried id was applied again: {short(message)}")


# ---- tables ----------------------------------------------------------------------------------------


class Table:
    """A table over HTTP. Each method asks, expects that it is done, and returns what was answered."""

    def __init__(self, server, name, code=None, host=None):
        self.server, self.id, self.code, self.host = server, name, code, host

    @classmethod
    async def make(cls, server, game, options=None, listed=None, water=None):
        asked = {"game": game, "options": options, "listed": listed, "water": water}
        body = {key: value for key, value in asked.items() if value is not None}
        made = await done(server, "POST", "/api/tables", body, status=201)
        expect(set(made) == {"table", "code", "host"}, f"a made table: {made}")
        expect(re.fullmatch("[0-9a-f]{32}", made["host"]), "a token is 32 hex digits")
        expect(re.fullmatch("[0-9A-Z]{6}", made["code"]), f"a code: {made['code']!r}")
        return cls(server, made["table"], made["code"], made["host"])

    @property
    def path(self):
        return f"/api/tables/{self.id}"

    async def get(self):
        table = await done(self.server, "GET", self.path)
        check_table(table)
        expect(table["table"] == self.id, f"asked for {self.id}, got {table['table']}")
        return table

    async def agreed(self):
        """All nodes know the same of the table, and have told it."""
        nodes, end = self.server.nodes(), time.monotonic() + PATIENCE
        while len(nodes) > 1 and len({(await ask(node, "GET", self.path)).body for node in nodes}) > 1:
            expect(time.monotonic() < end, f"the nodes do not agree on {self.path}")
            await asyncio.sleep(0.02)

    async def sit(self, name, seat=None, entropy=None):
        body = {"name": name, **({} if seat is None else {"seat": seat}), **({} if entropy is None else {"entropy": entropy})}
        sat = await done(self.server, "POST", self.path + "/seats", body, status=201)
        expect(set(sat) == {"seat", "token"} and re.fullmatch("[0-9a-f]{32}", sat["token"]), f"a taken seat: {sat}")
        expect(seat in (None, sat["seat"]), f"asked for seat {seat}, got {sat['seat']}")
        return Seat(self.server, self.id, sat["token"], sat["seat"])

    async def stand(self, seat, token):
        expect(await done(self.server, "DELETE", f"{self.path}/seats/{seat}", token=token) == {}, "DELETE of a seat")

    async def bot(self, seat, bot, token=None):
        answer = await done(self.server, "POST", self.path + "/bots", {"seat": seat, "bot": bot}, token or self.host)
        expect(set(answer) == {"done"}, f"a bot: {answer}")
        return answer["done"]

    async def start(self):
        expect(await done(self.server, "POST", self.path + "/start", token=self.host) == {}, "a start")

    async def rematch(self, token):
        answer = await done(self.server, "POST", self.path + "/rematch", token=token, status=201)
        expect(set(answer) == {"table"}, f"a rematch: {answer}")
        return Table(self.server, answer["table"], None, self.host)

    async def record(self):
        answer = await ask(self.server, "GET", self.path + "/record")
        expect(answer.status == 200, f"the record: {answer}")
        return answer.body

    def spectator(self):
        return Stream(self.server, self.id)


def check_table(table):
    keys = {"table", "game", "rules", "options", "state", "listed", "seats", "screen", "commitment", "deck", "rematch"}
    if "water" in table:  # games with a stack to look into
        keys.add("water")
        expect(table["water"] in ("clear", "reef", "murky"), f"water: {table['water']!r}")
    if "unranked" in table:  # it was handed in
        keys |= {"unranked", "played"}
        expect((table["unranked"], table["played"], table["state"]) == (True, "device", "over"), f"handed in: {table}")
    expect(set(table) == keys, f"the keys of a TABLE are {sorted(table)}")
    expect(table["state"] in ("waiting", "playing", "over"), f"state {table['state']!r}")
    expect(re.fullmatch("[0-9a-f]{32}", table["table"]), f"an id: {table['table']!r}")
    expect(re.fullmatch("[0-9a-f]{64}", table["commitment"]), f"a commitment: {table['commitment']!r}")
    expect(set(table["deck"]) == {"id", "hash"}, f"a deck: {table['deck']}")
    for place, seat in enumerate(table["seats"]):
        check_seat(seat, place)


async def done(server, method, path, body=None, token=None, status=200):
    answer = await ask(server, method, path, body, token)
    expect(answer.status == status, f"{method} {path} {short(body)}: {answer}, should be {status}")
    return answer.json()


# ---- cases -----------------------------------------------------------------------------------------

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
import tap  # noqa: E402  pylint: disable=wrong-import-position


@contextlib.asynccontextmanager
async def serving(*flags, **options):
    """A server for one case: stopped, and its status checked, if the case went well and did not end it."""
    server = Server(tap.program(), *flags, **options)
    try:
        yield server
        if server.running():
            await server.stop()
    finally:
        await server.close()


after_each = []  # asynchronous functions that look at how things stand after a case, however it went


def run(function, *arguments, seconds=300):
    """Runs a case to its end on a loop of its own."""
    async def whole():
        try:
            await patiently("the end of the case", function(*arguments), seconds)
        finally:
            for look in after_each:
                await look()

    asyncio.run(whole())


def case(title, seconds=300):
    """Registers an asynchronous function as the case of that name."""
    def register(function):
        tap.case(title)(lambda: run(function, seconds=seconds))
        return function
    return register


def cases(title, table, seconds=300):
    """Registers one case for each entry {name: arguments} of a table."""
    def register(function):
        for name, arguments in table.items():
            tap.case(f"{title}: {name}")(lambda a=arguments: run(function, *a, seconds=seconds))
        return function
    return register


def seed(name):
    """Chance that is the same in every run of a case, as far as the server's own allows."""
    return random.Random(name)
