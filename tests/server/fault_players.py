"""fault_players.py: players who continue after lost connections and killed servers, and log everything they are told."""
import asyncio
import json
import random
import time

import client
from client import Closed, expect, short

SILENCE = 20  # seconds on a connection that stands, with an action unanswered
THINKING = 0.01, 0.06  # seconds before an action
STALE = {"not-your-turn", "wrong-phase", "over", "too-late", "ready-already", "not-ready", "companion-taken",
         "chosen-already", "companion-used", "no-fugu", "no-orca", "no-token"}  # of an action that something else overtook
AWAY = {502, 503, 504}  # the store, or what lies behind a proxy
LOST = (OSError, EOFError, Closed, asyncio.IncompleteReadError)

KINDS = [  # game, options, seats of people, bots of others
    ("soumsoum", {}, 2, {}),
    ("dive", {"divers": 2}, 2, {}),
    ("divercity", {"divers": 2}, 2, {}),
    ("soumsoum", {"players": 4, "market": True}, 3, {3: "greedy"}),
    ("dive", {"divers": 3, "companions": "ten"}, 3, {}),
    ("divercity", {"divers": 3, "realistic": True}, 2, {2: "random"}),
    ("soumsoum", {"players": 3}, 3, {}),
    ("dive", {"divers": 3, "clock": 2}, 2, {2: "steady"}),
    ("divercity", {"divers": 2, "industrialist": True}, 3, {}),
]


class Viewer:
    """A spectator, or with a token a seat that acts; keeps all that it was told."""

    def __init__(self, match, seat=None, token=None):
        self.match, self.seat, self.token = match, seat, token
        self.rng = random.Random(f"{match.seed} {match.number} {seat}")
        self.seq, self.view, self.events = -1, None, []
        self.socket, self.greeted = None, False
        self.pending, self.first_sent, self.last_sent, self.number = None, 0.0, 0.0, 0
        self.acked, self.refused, self.seqs = {}, {}, []  # id: action; (id, seq)
        self.think = asyncio.Event()

    def __str__(self):
        return f"{self.match} {'spectator' if self.seat is None else f'seat {self.seat}'}"

    @property
    def over(self):
        return self.view is not None and self.view["phase"] == "over" and self.pending is None

    async def run(self):
        acting = asyncio.create_task(self._act()) if self.token else None
        try:
            while not self.over:
                await self._connection()
                await asyncio.sleep(self.rng.uniform(0.01, 0.15))
        finally:
            if acting:
                acting.cancel()

    async def _connection(self):
        """Follows the table over one connection, until it is lost or the game is over."""
        try:
            await self._follow()
        except client.NoUpgrade as refused:
            expect(refused.answer.status in AWAY, f"{self}: {refused}")
        except client.Wrong as wrong:
            if "the body ends after" not in str(wrong):  # a refusal that was cut
                raise
        except LOST as lost:
            if isinstance(lost, Closed) and lost.code not in (1006, 1001):
                self.match.figures.fault(f"{self}: {lost}")
        finally:
            if self.socket:
                self.socket.cut()
            self.socket = None

    async def _follow(self):
        self.socket = await client.WebSocket.open(self.match.proxy, f"/api/tables/{self.match.id}/live")
        self.match.figures.count["connections"] += 1
        self.greeted = False
        self.socket.send({"hello": self.token, "from": self.seq})
        if self.pending:
            self.match.figures.count["retries"] += 1
            self._send()
        while not self.over:
            text = await self.socket.receive()
            if text is not None:
                self._take(json.loads(text))

    def _send(self):
        name, action = self.pending
        self.last_sent = time.monotonic()
        self.socket.send({"id": name, "action": action})

    def _again(self, name):
        if self.pending and self.pending[0] == name and self.socket and self.greeted:
            self._send()

    def silent(self):
        return (self.pending and self.socket and self.greeted and time.monotonic() - self.last_sent > SILENCE)

    async def _act(self):
        while True:
            await self.think.wait()
            self.think.clear()
            await asyncio.sleep(self.rng.uniform(*THINKING))
            if self.pending or not self.socket or not self.greeted or not self.view or not self.view["legal"]:
                continue
            action = client.choose(self.view, self.rng)
            if action is None:
                asyncio.get_running_loop().call_later(0.1, self.think.set)
                continue
            self.number += 1
            self.pending = f"{self.seat}-{self.number}", action
            self.first_sent = time.monotonic()
            self._send()

    def _take(self, message):
        figures = self.match.figures
        if "view" in message:
            self._change(message)
        elif "ack" in message:
            name = message["ack"]
            self.seqs.append((name, message["seq"]))
            if message["seq"] > self.seq:
                figures.fault(f"{self}: {name} was acknowledged with seq {message['seq']} before that was shown, at {self.seq}")
            if self.pending and self.pending[0] == name:
                self.acked[name] = self.pending[1]
                figures.ack(time.monotonic() - self.first_sent)
                self.pending = None
            elif name in self.acked:
                figures.count["duplicates"] += 1
            elif name in self.refused:  # it came twice, and was legal the second time
                self.acked[name] = self.refused.pop(name)
                figures.count["late legal"] += 1
            else:
                figures.fault(f"{self}: an acknowledgement of {name!r}, which was never sent")
        elif "refused" in message:
            name, code = message["refused"], message["code"]
            if code == "not-stored" and self.pending and self.pending[0] == name:  # it was not kept, and is said again
                figures.count["store away"] += 1
                asyncio.get_running_loop().call_later(0.2, self._again, name)
                return
            if code not in STALE:
                figures.fault(f"{self}: {name} was refused: {message}, {short(self.pending)}")
            if self.pending and self.pending[0] == name:
                figures.count["refused"] += 1
                self.refused[name] = self.pending[1]
                self.pending = None
            elif name in self.refused:
                figures.count["duplicates"] += 1
            else:
                figures.fault(f"{self}: {name} was refused after it had been acknowledged: {message}")
        self.think.set()

    def _change(self, message):
        seq, view, events = message["seq"], message["view"], message.get("events", [])
        first, self.greeted = not self.greeted, True
        fault = self.match.figures.fault
        if view is None:
            if self.view is not None:
                fault(f"{self}: the game that had begun has not begun")
            return
        if seq < self.seq:
            fault(f"{self}: went back from seq {self.seq} to {seq}: something was shown and is gone")
        elif first and seq == self.seq and events:
            fault(f"{self}: came back with seq {seq} and was told {short(events)} a second time")
        elif not first and self.view is not None and seq == self.seq:
            fault(f"{self}: a change that leaves seq {seq}")
        elif first and seq == self.seq and self.view is not None and view != self.view:
            fault(f"{self}: another view of seq {seq} after a reconnect")
        self.events += events
        self.seq, self.view = seq, view


class Match:
    """A table, those who play at it and those who look on."""

    def __init__(self, number, proxy, figures, seed):
        self.number, self.proxy, self.figures = number, proxy, figures
        self.game, self.options, self.people, self.bots = KINDS[number % len(KINDS)]
        self.seed, self.rng = seed, random.Random(f"{seed} {number}")
        self.id, self.host, self.viewers, self.late = None, None, [], None
        self.record = None

    def __str__(self):
        return f"table {self.number} ({self.game} {self.id})"

    async def ask(self, method, path, body=None, token=None):
        """Asks until an answer comes."""
        for _ in range(3000):
            http = client.Http(self.proxy)
            try:
                answer = await http.request(method, path, body, token, keep=False)
                if answer.status not in AWAY:
                    return answer
                self.figures.count["store away" if answer.status == 503 else "asked again"] += 1
                await asyncio.sleep(0.2)
            except (*LOST, client.Wrong) as lost:
                if isinstance(lost, client.Wrong) and "the body ends after" not in str(lost):
                    raise
                self.figures.count["asked again"] += 1
                await asyncio.sleep(self.rng.uniform(0.01, 0.1))
            finally:
                http.close()
        raise client.Wrong(f"{self}: {method} {path} is never answered")

    async def sit(self, seat):
        """A seat whose token was lost on its way is emptied by the host and taken again."""
        path = f"/api/tables/{self.id}/seats"
        body = {"name": f"Seat {seat}", "seat": seat, "entropy": self.rng.randbytes(8).hex()}
        while (answer := await self.ask("POST", path, body)).status != 201:
            expect(answer.code == "seat-taken", f"{self}: a seat: {answer}")
            gone = await self.ask("DELETE", f"{path}/{seat}", token=self.host)
            expect(gone.status == 200 or gone.status in (400, 404, 409), f"{self}: an empty seat: {gone}")
        return Viewer(self, seat, answer.json()["token"])

    async def prepare(self):
        made = await self.ask("POST", "/api/tables", {"game": self.game, "options": self.options})
        expect(made.status == 201, f"{self}: {made}")
        self.id, self.host = made.json()["table"], made.json()["host"]
        self.viewers = [await self.sit(seat) for seat in range(self.people)]
        for seat, bot in self.bots.items():
            answer = await self.ask("POST", f"/api/tables/{self.id}/bots", {"seat": seat, "bot": bot}, self.host)
            expect(answer.status == 200, f"{self}: a bot: {answer}")
        if self.number % 3 == 0:
            self.viewers.append(Viewer(self))

    async def start(self):
        answer = await self.ask("POST", f"/api/tables/{self.id}/start", token=self.host)
        if answer.status != 200:
            table = await self.ask("GET", f"/api/tables/{self.id}")
            expect(table.json()["state"] != "waiting", f"{self}: a start: {answer}")

    async def play(self):
        await asyncio.sleep(self.rng.random() * 2)
        await self.prepare()
        tasks = []
        try:
            if self.number % 2:
                tasks = [asyncio.create_task(viewer.run()) for viewer in self.viewers]
                await self.start()
            else:
                await self.start()
                tasks = [asyncio.create_task(viewer.run()) for viewer in self.viewers]
            await asyncio.gather(*tasks)
            self.figures.count["finished"] += 1
        finally:
            for task in tasks:
                task.cancel()
