#!/usr/bin/env python3
"""routes.py: the proxies' recipes of docs/operate.md, before three nodes: a table's requests and streams meet one node, and no other
is told of its moves; a killed node's tables go on elsewhere.

usage: routes.py FATHOM SOURCE_ROOT

nginx is tried where it is installed.
"""
import asyncio
import contextlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import cluster
import nodes
import client
from client import Table, ask, cases, expect, patiently, tap
from tap import equal

OPERATE = Path(__file__).resolve().parents[2] / "docs/operate.md"
COUNT = 3
TABLES = 12
MOVES = 6  # of each table
SETTLED = 0.02  # notices a move, at most


def recipe(first):
    """The block of docs/operate.md that begins with this line."""
    blocks = [block for block in re.findall(r"^```\n(.*?)^```", OPERATE.read_text(encoding="utf-8"), re.M | re.S) if block.startswith(first)]
    equal(len(blocks), 1, f"blocks of docs/operate.md that begin with {first!r}")
    return blocks[0]


def replaced(text, pattern, by):
    """All lines that fit, with these in the place of the first of them."""
    expect(re.search(pattern, text, re.M), f"no line like {pattern}: {text}")
    text = re.sub(pattern, "@@", text, count=1, flags=re.M)
    return re.sub(pattern + r"\n", "", text, flags=re.M).replace("@@", by)


def haproxy(ports):
    """The recipe with our own port and nodes; an answer also says which node it is from."""
    text = replaced(recipe("defaults\n"), r"^    bind .*$", "    bind 127.0.0.1:{port}")
    text = replaced(text, r"^    server .*$", "\n".join(f"    server {port} 127.0.0.1:{port}" for port in ports))
    return cluster.Haproxy(ports, text + "    http-response set-header x-node %s\n")


class Nginx(cluster.Haproxy):
    """The same with nginx."""

    def __init__(self, ports):
        self.own = tempfile.TemporaryDirectory(prefix="fathom-nginx-")
        self.port = client.free_port()
        text = replaced(recipe("map $uri $table"), r"^    server .*$", "\n".join(f"    server 127.0.0.1:{port} max_fails=2 fail_timeout=2s;" for port in ports))
        folder = Path(self.own.name)
        (folder / "nginx.conf").write_text(f"""
daemon off; master_process off; pid {folder}/pid; error_log {folder}/log;
events {{ }}
http {{
    access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    {text}
    server {{
        listen 127.0.0.1:{self.port};
        location / {{
            proxy_pass http://nodes; proxy_next_upstream error timeout; proxy_http_version 1.1;
            proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection "upgrade"; proxy_set_header Host $http_host;
            add_header x-node $upstream_addr always;
        }}
    }}
}}
""", encoding="utf-8")
        self.log = folder / "log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen([program("nginx"), "-p", folder, "-c", folder / "nginx.conf"], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.wait()


def program(name):
    return shutil.which(name) or shutil.which(name, path="/usr/sbin")


class Site:
    """Three nodes on one PostgreSQL, and a proxy."""

    def __init__(self, proxy):
        self.database, self.nodes, self.front = nodes.Database(), [], None
        for _ in range(COUNT):
            self.nodes.append(client.Server(tap.program(), "--port", client.free_port(), store=self.database.store, fast=True))
        self.front = proxy([node.port for node in self.nodes])
        self.down = set()

    async def metrics(self, name):
        """Of each node that runs, by its port."""
        found = {}
        for node in self.nodes:
            if node.port not in self.down:
                text = (await ask(node, "GET", "/metrics")).body.decode()
                found[str(node.port)] = int(re.search(rf"^{name} (\d+)$", text, re.M)[1])
        return found

    async def node_of(self, path):
        answer = await ask(self.front, "GET", path)
        equal(answer.status, 200, path)
        return answer.headers["x-node"].rpartition(":")[2]

    async def close(self):
        if self.front:
            self.front.close()
        for node in self.nodes:
            await node.close()
        self.database.close()


class Game:
    """A table of Soum Soum for two. Streams come back when they are lost, as the page's do, and send again what was not acknowledged."""

    def __init__(self, site, table):
        self.site, self.table, self.seats, self.done = site, table, [], 0

    @classmethod
    async def begin(cls, site, maker):
        """maker: the node that makes the table, which then belongs to whichever the proxy sends it to."""
        made = await Table.make(maker, "soumsoum")
        game = cls(site, Table(site.front, made.id, made.code, made.host))
        for i, name in enumerate(("Ana", "Ben")):
            game.seats.append(await (await game.table.sit(name, i)).connect())
        await game.table.start()
        for seat in game.seats:
            await seat.until(lambda seat=seat: seat.view is not None, "the start")
        return game

    async def come_back(self):
        until = time.monotonic() + client.PATIENCE
        for i, old in enumerate(self.seats):
            old.cut()
            while True:
                seat = client.Seat(self.site.front, self.table.id, old.token, i)
                with contextlib.suppress(Exception):
                    await asyncio.wait_for(seat.connect(), 5)
                    break
                expect(time.monotonic() < until, "the proxy finds no node")
                await asyncio.sleep(0.05)
            self.seats[i] = seat

    async def play(self, moves):
        for _ in range(moves):
            await self.seats[0].barrier()
            await self.seats[1].barrier()
            turn = next((seat for seat in self.seats if seat.view["legal"]), None)
            if turn is None:
                return  # it is over
            await turn.act(turn.view["legal"][0], turn.next_id())
            self.done += 1

    async def leave(self):
        for seat in self.seats:
            await seat.disconnect()


def moves_stored(site):
    """How many actions the logs have, by table."""
    counts = {}
    for table, event in site.database.events():
        counts[table] = counts.get(table, 0) + (event["e"] == "did")
    return counts


async def play_all(games, moves):
    await asyncio.gather(*(game.play(moves) for game in games))


PROXIES = {"HAProxy": [haproxy]}
if program("nginx"):
    PROXIES["nginx"] = [Nginx]


@cases("a table's requests and streams meet one node, and no other hears of it until that one fails", PROXIES, seconds=300)
async def routed(proxy):
    site = Site(proxy)
    try:
        games = [await Game.begin(site, site.nodes[i % COUNT]) for i in range(TABLES)]
        at = {}
        for game in games:
            found = {await site.node_of(path) for path in [game.table.path] * 3}
            equal(len(found), 1, f"the nodes that answer for {game.table.id}")
            at[game] = found.pop()
        expect(len(set(at.values())) > 1, "all tables are at one node")
        anywhere = {await site.node_of("/api/games") for _ in range(30)}
        equal(len(anywhere), COUNT, "the nodes that answer requests without an id")
        streams = await site.metrics("fathom_streams")
        equal(streams, {port: 2 * sum(node == port for node in at.values()) for port in streams}, "streams of each node")
        # whichever node a table was made at, only its own hears of its moves
        before = sum((await site.metrics("fathom_store_notices_sent_total")).values())
        await play_all(games, MOVES)
        sent = sum((await site.metrics("fathom_store_notices_sent_total")).values()) - before
        expect(sent <= SETTLED * TABLES * MOVES, f"{sent} notices for {TABLES * MOVES} moves")
        # the node with most tables is killed
        ports = list(at.values())
        victim = max(set(ports), key=ports.count)
        node = next(one for one in site.nodes if str(one.port) == victim)
        await node.kill()
        site.down.add(node.port)
        moved = [game for game in games if at[game] == victim]
        for game in moved:
            await game.come_back()
        await play_all(games, MOVES)
        for game in games:
            now = await site.node_of(game.table.path)
            expect((now != victim) if game in moved else (now == at[game]), f"{game.table.id} was at {at[game]}, {victim} was killed, and it is at {now}")
        stored = moves_stored(site)
        for game in games:
            equal(stored[game.table.id], game.done, f"moves stored and moves acknowledged at {game.table.id}")
        # its tables have keepers again, which are soon the nodes that serve them
        async def settled():
            while True:
                first = sum((await site.metrics("fathom_store_notices_sent_total")).values())
                await play_all(games, 2)
                if sum((await site.metrics("fathom_store_notices_sent_total")).values()) == first:
                    return
                await asyncio.sleep(0.5)
        await patiently("no more notices", settled())
        for game in games:
            await game.leave()
    finally:
        await site.close()


if __name__ == "__main__":
    sys.argv[1:] = (sys.argv[1:] + [""])[:max(2, len(sys.argv) - 1)]
    tap.main()
