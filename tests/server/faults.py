#!/usr/bin/env python3
"""faults.py: people play at many tables while the server is killed and the network fails.

usage: faults.py FATHOM [SOURCE_ROOT [TABLES [KILLS [SEED]]]]

Clients play through a proxy that cuts connections, even in the middle of frames, and delays,
reorders and repeats frames. Meanwhile the server is killed with SIGKILL at random moments and
started again on the same store and port. A client that reconnects says what it saw last and
sends its unanswered action again with the same id. In the end everything that clients were told is
compared with the records.
"""
import asyncio
import collections
import random
import resource
import sys
import time

import client
import fault_players
import ledger
from client import expect, short, tap
from fault_players import KINDS, Match
from fault_proxy import Proxy

TABLES = int(sys.argv[3]) if len(sys.argv) > 3 else 24
KILLS = int(sys.argv[4]) if len(sys.argv) > 4 else 12
SEED = sys.argv[5] if len(sys.argv) > 5 else str(random.SystemRandom().randrange(10**9))
SECONDS = 120 + 3 * TABLES + 4 * KILLS  # after which a game that is not over counts as stuck


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

    async def ready(self):
        """Waits until the next strike may come."""

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
            await self.site.ready()
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
        new = [Match(len(self.matches) + i, proxy, self.figures, SEED) for i in range(n)]
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
            for viewer in [viewer for match in self.matches for viewer in match.viewers if viewer.silent()]:
                self.figures.fault(f"{viewer}: {viewer.pending} was not answered for {fault_players.SILENCE} s")
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
