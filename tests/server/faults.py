#!/usr/bin/env python3
"""faults.py: many tables are played while the server is killed and the network fails.

usage: faults.py FATHOM [SOURCE_ROOT [TABLES [KILLS [SEED]]]]

Clients play through a proxy that cuts connections, in the middle of frames too, and delays,
reorders and repeats frames. Meanwhile the server is killed with SIGKILL at random moments and
started again on the same store and port. A client that comes back says what it saw last and
sends its unanswered action again under the same id. Then what everybody was told and promised is
held against the records.
"""
import asyncio
import collections
import contextlib
import json
import random
import resource
import struct
import sys
import time

import client
import ledger
from client import Closed, expect, short, tap

TABLES = int(sys.argv[3]) if len(sys.argv) > 3 else 24
KILLS = int(sys.argv[4]) if len(sys.argv) > 4 else 12
SEED = sys.argv[5] if len(sys.argv) > 5 else str(random.SystemRandom().randrange(10**9))
SECONDS = 120 + 3 * TABLES + 4 * KILLS  # after which a game that is not over counts as stuck
SILENCE = 20  # seconds on a connection that stands, with an action unanswered
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


class Figures:
    """What happened, to be printed."""

    def __init__(self):
        self.count = collections.Counter()
        self.faults = []  # what must not be, as text
        self.waits = []  # from the first sending of an action to its acknowledgement
        self.last_ack, self.pause = None, 0.0

    def fault(self, text):
        if len(self.faults) < 50:
            self.faults.append(text)

    def ack(self, waited):
        now = time.monotonic()
        if self.last_ack is not None:
            self.pause = max(self.pause, now - self.last_ack)
        self.last_ack = now
        self.waits.append(waited)
        self.count["acknowledged"] += 1


# ---- the proxy -----------------------------------------------------------------------------------


class Proxy:
    """Between clients and the server; looks like a server to client.py."""

    CUT, DELAY, LATE, TWICE, CUT_BACK = 0.006, 0.03, 0.02, 0.05, 0.0015
    tls, pace = {}, (25, 40)

    def __init__(self, site, rng, figures):
        self.site, self.rng, self.count = site, rng, figures.count
        self.port, self.calm, self._listener = None, False, None

    @property
    def host(self):
        return f"127.0.0.1:{self.port}"

    async def start(self):
        self._listener = await asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=1024)
        self.port = self._listener.sockets[0].getsockname()[1]

    async def stop(self):
        self._listener.close()

    def _happens(self, chance):
        return not self.calm and self.rng.random() < chance

    async def _serve(self, reader, writer):
        back = None
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            from_server, to_server = await asyncio.open_connection("127.0.0.1", self.site.port(self.rng))
            to_server.write(head)
            back = asyncio.create_task(self._backwards(from_server, writer))
            if b"upgrade: websocket" in head.lower():
                await self._frames(reader, to_server, writer, back)
            else:
                await self._bytes(reader, to_server)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        finally:
            writer.transport.abort()
            if back:
                to_server.transport.abort()
                back.cancel()

    async def _bytes(self, reader, to_server):
        while data := await reader.read(65536):
            if self._happens(self.CUT):
                self.count["cuts"] += 1
                return
            to_server.write(data)

    async def _backwards(self, from_server, writer):
        with contextlib.suppress(OSError):
            while data := await from_server.read(65536):
                if self._happens(self.CUT_BACK):
                    self.count["cuts"] += 1
                    writer.write(data[:self.rng.randrange(len(data))])
                    break
                writer.write(data)
        # What was written still arrives; the client hears of the end by itself.
        writer.close()

    async def _frame(self, reader):
        head = await reader.readexactly(2)
        size = head[1] & 0x7F
        if size == 126:
            head += await reader.readexactly(2)
            size, = struct.unpack(">H", head[2:])
        elif size == 127:
            head += await reader.readexactly(8)
            size, = struct.unpack(">Q", head[2:])
        return head + await reader.readexactly(4 + size)

    async def _frames(self, reader, to_server, writer, back):
        loop, rng, first = asyncio.get_running_loop(), self.rng, True
        while not back.done():
            frame = await self._frame(reader)
            if self._happens(self.CUT):
                self.count["cuts"] += 1
                part = rng.choice([b"", frame, frame[:rng.randrange(len(frame))]])
                to_server.write(part)
                if part == frame and rng.random() < 0.5:  # the client is cut off, its last words come late
                    writer.transport.abort()
                    await asyncio.sleep(rng.random() * 0.3)
                return
            if self._happens(self.DELAY):
                self.count["delays"] += 1
                await asyncio.sleep(rng.random() * 0.2)
            elif not first and self._happens(self.LATE):  # others overtake it
                self.count["late"] += 1
                loop.call_later(rng.random() * 0.2, to_server.write, frame)
                continue
            to_server.write(frame)
            if not first and self._happens(self.TWICE):
                self.count["repeated"] += 1
                if rng.random() < 0.5:
                    to_server.write(frame)
                else:
                    loop.call_later(rng.random() * 0.5, to_server.write, frame)
            first = False


# ---- who plays -----------------------------------------------------------------------------------


class Viewer:
    """A spectator, or with a token a seat that acts; keeps all that it was told."""

    def __init__(self, match, seat=None, token=None):
        self.match, self.seat, self.token = match, seat, token
        self.rng = random.Random(f"{SEED} {match.number} {seat}")
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
        figures = self.match.figures
        try:
            while not self.over:
                try:
                    self.socket = await client.WebSocket.open(self.match.proxy, f"/api/tables/{self.match.id}/live")
                    figures.count["connections"] += 1
                    self.greeted = False
                    self.socket.send({"hello": self.token, "from": self.seq})
                    if self.pending:
                        figures.count["retries"] += 1
                        self._send()
                    while not self.over:
                        text = await self.socket.receive()
                        if text is not None:
                            self._take(json.loads(text))
                except client.NoUpgrade as refused:
                    expect(refused.answer.status in AWAY, f"{self}: {refused}")
                except client.Wrong as wrong:
                    if "the body ends after" not in str(wrong):  # a refusal that was cut
                        raise
                except LOST as lost:
                    if isinstance(lost, Closed) and lost.code not in (1006, 1001):
                        figures.fault(f"{self}: {lost}")
                finally:
                    if self.socket:
                        self.socket.cut()
                    self.socket = None
                await asyncio.sleep(self.rng.uniform(0.01, 0.15))
        finally:
            if acting:
                acting.cancel()

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
            await asyncio.sleep(self.rng.uniform(0.01, 0.06))
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

    def __init__(self, number, proxy, figures):
        self.number, self.proxy, self.figures = number, proxy, figures
        self.game, self.options, self.people, self.bots = KINDS[number % len(KINDS)]
        self.rng = random.Random(f"{SEED} {number}")
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


# ---- the server's side -----------------------------------------------------------------------------


class Server(client.Server):
    """On the same port whenever it starts."""

    def __init__(self, program, *flags):
        super().__init__(program, "--bot-ms", 0, "--rate", 1000000, "--port", client.free_port(), *flags)


class Site:
    """What serves the tables: one server. The cluster's tests put several in its place."""

    def __init__(self):
        self.server = Server(tap.program())

    def port(self, _rng):
        return self.server.port

    def check(self):
        process = self.server.process
        expect(process is None or self.server.running(),
               f"the server ended by itself, with {process and process.poll()}: {self.server.errors()[-3000:]}")

    async def strike(self, _rng):
        """Something is killed with SIGKILL, and comes back."""
        await self.server.kill()
        await asyncio.to_thread(self.server.start)

    async def renew(self):
        """What follows is told from the store alone."""
        await self.server.kill()
        self.server.start()

    async def stop(self):
        await self.server.stop()

    def events(self):
        return self.server.events()

    async def close(self):
        await self.server.close()


class Kills:
    """Strikes at random moments, as the games go on."""

    def __init__(self, site, figures, rng, wanted, moves):
        self.site, self.figures, self.rng, self.wanted = site, figures, rng, wanted
        self.step = max(1.0, moves / wanted) if wanted else 1.0
        self.done, self.down, self.up_for = 0, 0.0, []

    async def run(self):
        await asyncio.sleep(0.3)
        while self.done < self.wanted:
            if self.rng.random() < 0.25:  # while everybody comes back
                await asyncio.sleep(self.rng.random() * 0.3)
            else:
                goal = self.figures.count["acknowledged"] + self.rng.expovariate(1 / self.step)
                end = time.monotonic() + 4
                while self.figures.count["acknowledged"] < goal and time.monotonic() < end:
                    await asyncio.sleep(0.01)
                await asyncio.sleep(self.rng.random() * 0.02)
            begin = time.monotonic()
            await self.site.strike(self.rng)
            self.done += 1
            self.down = max(self.down, time.monotonic() - begin)


# ---- the run ---------------------------------------------------------------------------------------


class Run:
    """All of it; the cases below ask it questions."""

    make_site = Site

    def __init__(self):
        self.figures, self.matches, self.kills, self.log = Figures(), [], None, {}
        self.seconds = 0.0

    async def play(self):
        rng = random.Random(SEED)
        site = self.make_site()
        proxy = Proxy(site, rng, self.figures)
        begin = time.monotonic()
        try:
            await proxy.start()
            self.kills = Kills(site, self.figures, rng, KILLS, TABLES * 40 * 0.6)
            killing = asyncio.create_task(self.kills.run())
            watching = asyncio.create_task(self._watch(site))
            playing = asyncio.create_task(self._tables(proxy, killing))
            try:
                await asyncio.wait({watching, playing}, return_when=asyncio.FIRST_COMPLETED)
                await (watching if watching.done() else playing)
                await killing
            except asyncio.TimeoutError:
                raise client.Wrong(self._stuck()) from None
            finally:
                self.kills.wanted = 0
                watching.cancel()
                playing.cancel()
                await asyncio.wait({killing, playing})
            self.seconds = time.monotonic() - begin
            proxy.calm = True
            await site.renew()
            for match in self.matches:
                answer = await match.ask("GET", f"/api/tables/{match.id}/record")
                expect(answer.status == 200, f"{match}: the record: {answer}")
                match.record = answer.body
            await site.stop()
            for name, event in site.events():
                self.log.setdefault(name, []).append(event)
        finally:
            await proxy.stop()
            await site.close()

    async def _tables(self, proxy, killing):
        await self._play(proxy, TABLES)
        while not killing.done():  # the games were over too soon: some more
            await self._play(proxy, max(3, TABLES // 4))

    async def _play(self, proxy, n):
        new = [Match(len(self.matches) + i, proxy, self.figures) for i in range(n)]
        self.matches += new
        tasks = [asyncio.create_task(match.play()) for match in new]
        try:
            await asyncio.wait_for(asyncio.gather(*tasks), SECONDS)
        finally:
            for task in tasks:
                task.cancel()

    async def _watch(self, site):
        while True:
            await asyncio.sleep(0.5)
            site.check()
            for match in self.matches:
                for viewer in match.viewers:
                    if viewer.silent():
                        self.figures.fault(f"{viewer}: {viewer.pending} was not answered for {SILENCE} s")
                        viewer.socket.cut()

    def _stuck(self):
        lines = [f"not all games ended within {SECONDS} s (seed {SEED})"]
        for match in self.matches:
            for viewer in match.viewers:
                if not viewer.over:
                    lines.append(f"{viewer}: seq {viewer.seq}, pending {viewer.pending}, view {short(viewer.view, 600)}")
        return "\n".join(lines[:12] + self.figures.faults[:10])

    def print(self):
        count, waits = self.figures.count, sorted(self.figures.waits) or [0]
        print(f"# seed {SEED}: {self.kills.done} kills, {count['finished']} tables of {len({k[0] for k in KINDS})} games finished "
              f"in {self.seconds:.1f} s")
        print(f"# {count['acknowledged']} moves acknowledged, {count['retries']} retries after a reconnect, "
              f"{count['duplicates']} duplicates not applied again, {count['refused']} refused as overtaken, "
              f"{count['late legal']} of them legal when they came again")
        print(f"# {count['connections']} connections, {count['cuts']} cut, {count['delays']} frames delayed, "
              f"{count['late']} overtaken, {count['repeated']} repeated; {count['asked again']} requests asked again; "
              f"{count['store away']} answers that the store was away")
        print(f"# from sending to acknowledgement: median {waits[len(waits) // 2] * 1000:.0f} ms, "
              f"99 % {waits[len(waits) * 99 // 100] * 1000:.0f} ms, longest {waits[-1]:.2f} s; longest pause of all "
              f"{self.figures.pause:.2f} s; longest time from kill to serving {self.kills.down * 1000:.0f} ms", flush=True)


RUN = Run()


def seats():
    return [viewer for match in RUN.matches for viewer in match.viewers if viewer.seat is not None]


def played(function):
    """A case that needs the records."""
    def check():
        expect(RUN.matches and all(match.record for match in RUN.matches), "not all tables were played")
        function()
    return check


@tap.case(f"{TABLES} tables are played to their end through {KILLS} kills")
def play():
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # four for each viewer
    asyncio.run(client.patiently("the end", RUN.play(), 2 * SECONDS))
    RUN.print()
    expect(RUN.kills.done >= KILLS, "too few kills")


@tap.case("every message was one that the protocol allows")
def allowed():
    expect(not RUN.figures.faults, "\n".join(RUN.figures.faults))


@tap.case("every acknowledged move is in the record exactly once, and no move twice")
@played
def once():
    for viewer in seats():
        expect(not viewer.pending, f"{viewer}: {viewer.pending} was never answered")
        ledger.check_once(viewer, viewer.match.record, viewer.seat, viewer.acked.values(), viewer.refused.values())


@tap.case("the log has every acknowledged id once and none twice, and the record's moves")
@played
def logged():
    for match in RUN.matches:
        _, moves, _ = ledger.lines_of(match.record)
        did = [event for event in RUN.log[match.id] if event["e"] == "did"]
        ids = collections.Counter((event["seat"], event["id"]) for event in did if event["id"])
        expect(not ids or max(ids.values()) == 1, f"{match}: an id is in the log twice: {ids.most_common(3)}")
        expect([event["t"] for event in did] == [move["t"] for move in moves], f"{match}: log and record differ")
        for viewer in match.viewers:
            for name in viewer.acked:
                expect(ids[viewer.seat, name] == 1, f"{viewer}: {name} was acknowledged, but is not in the log")


@tap.case("all that anybody was shown follows from the record, and nothing else")
@played
def shown():
    for match in RUN.matches:
        for viewer in match.viewers:
            ledger.check_shown(viewer, match.record, viewer.seat, viewer.events, viewer.view)


@tap.case("`fathom replay` finds nothing wrong in any record")
@played
def replayed():
    for match in RUN.matches:
        ledger.check_replay(match, match.record)


if __name__ == "__main__":
    tap.main()
