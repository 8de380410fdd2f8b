#!/usr/bin/python3
"""tables.py: what a server offers besides games: lists, codes, notes, names, pictures of Dive's stack, metrics, TLS."""
import collections
import contextlib
import json
import re
import subprocess
import tempfile

import client
import tap
from client import Refused, Server, Table, ask, case, done, expect, patiently
from match import PERSON, Match, serving
from tap import equal



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


@case("a table of Dive keeps its water: in its pictures, after a restart and in a rematch; it is no option of the rules")
async def waters():
    async with serving() as server:
        games = {g["id"]: g for g in (await done(server, "GET", "/api/games"))["games"]}
        equal([w["id"] for w in games["dive"]["waters"]], ["reef", "clear", "murky"], "the waters, the default first")
        equal([g for g in games if "waters" in games[g]], ["dive"], "games with water")
        for body, code in (({"game": "dive", "water": "muddy"}, "bad-value"), ({"game": "dive", "water": 1}, "bad-value"),
                           ({"game": "dive", "water": None}, "bad-value"), ({"game": "soumsoum", "water": "clear"}, "bad-key")):
            answer = await ask(server, "POST", "/api/tables", body)
            equal((answer.status, answer.json()["error"]["code"]), (400, code), json.dumps(body))
        equal((await (await Table.make(server, "dive")).get())["water"], "reef", "if nothing is said")
        expect("water" not in await (await Table.make(server, "soumsoum")).get(), "a game without water")
        table = await Table.make(server, "dive", {"divers": 2}, water="murky")
        plain = await Table.make(server, "dive", {"divers": 2})
        equal((await table.get())["options"], (await plain.get())["options"], "the options of the rules")
        seat = await table.sit("Ana")
        await table.bot(1, "steady")
        await table.start()
        equal((await table.get())["water"], "murky", "as it was made")
        look = table.path + "/ocean/1/14,-9.jpg"
        before = await ask(server, "GET", look, token=seat.token)
        equal(before.status, 200, "a picture")
        await server.restart()
        equal((await table.get())["water"], "murky", "after a restart")
        after = await ask(server, "GET", look, token=seat.token)
        expect(before.body == after.body, "the picture is the same after a restart")


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
        match = await Match.make(server, "soumsoum", {"players": 2}, [PERSON, "random"], client.seed("names"), name="🐙" * 32)
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
        match = await Match.make(server, "dive", {"divers": 2, "flashlight": True}, [PERSON, PERSON], client.seed("pictures"))
        await match.start()
        ocean, visit = match.table.path + "/ocean", match.spectator.visit
        for token in (match.people[0].token, match.table.host, match.spectator.visit):
            jpeg(await ask(server, "GET", ocean + "/1/0,0.jpg", token=token), "the stack")
            jpeg(await ask(server, "GET", ocean + "/1/14,-9.jpg", token=token), "the stack from aside")
        jpeg(await ask(server, "GET", ocean + "/1/0,0/above:0.5,0.5.jpg", token=visit), "the stack with a lamp")
        for path in ("/2/0,0.jpg", "/1/sheet/1.jpg", "/0/0,0.jpg", "/1/sheet/1/1024.jpg", "/1/sheet/1.json"):
            answer = await ask(server, "GET", ocean + path, token=visit)
            expect(400 <= answer.status < 500, f"{path} in round 1: {answer}")
            expect(answer.code, f"{path}")
        for seat in match.people:
            await seat.act({"do": "program", "levels": [{"tokens": [1], "shark": True}]})
            await seat.act({"do": "ready"})
        await match.spectator.until(lambda: match.view["round"] == 2, "the dive")
        jpeg(await ask(server, "GET", ocean + "/1/sheet/1.jpg"), "the sheet that was turned over")
        jpeg(await ask(server, "GET", ocean + "/2/0,0.jpg", token=visit), "the stack of the next round")
        for path in ("/1/0,0.jpg", "/1/sheet/2.jpg", "/2/sheet/1.jpg", "/1/sheet/2.json", "/2/sheet/1.json", "/1/sheet/1/2048.jpg",
                     "/1/sheet/1/640.jpg", "/1/sheet/1.jsonx", "/1/sheet/0.json", "/1/0,0.json", "/.json", "/1/sheet/.json"):
            answer = await ask(server, "GET", ocean + path, token=visit)
            expect(400 <= answer.status < 500, f"{path} in round 2: {answer}")
        await match.leave()


def width(jpg):
    """The width that a JPEG's frame header tells."""
    at = 2
    while jpg[at + 1] not in (0xC0, 0xC2):
        at += 2 + int.from_bytes(jpg[at + 2:at + 4], "big")
    return int.from_bytes(jpg[at + 7:at + 9], "big")


@case("Dive: once a sheet was revealed everybody may know where its creatures lie, and see it large")
async def creatures():
    async with serving() as server:
        match = await Match.make(server, "dive", {"divers": 2}, [PERSON, PERSON], client.seed("creatures"))
        await match.start()
        ocean = match.table.path + "/ocean"
        for now in (1, 2):
            for level in range(1, 7):
                for what in (f"{now}/sheet/{level}.json", f"{now}/sheet/{level}/1024.jpg"):
                    answer = await ask(server, "GET", f"{ocean}/{what}", token=match.people[0].token)
                    equal((answer.status, answer.code), (404, "gone"), f"{what} before its dive")
            for seat in match.people:
                await seat.act({"do": "program", "levels": [{"tokens": [n], "shark": n == 2} for n in (1, 2, 3)]})
                await seat.act({"do": "ready"})
            await match.spectator.until(lambda: match.view["round"] == now + 1, "the dive")
            for level, card in enumerate(match.view["dive"]["cards"], 1):
                told = await done(server, "GET", f"{ocean}/{now}/sheet/{level}.json")
                equal(set(told), {"creatures"}, "what is told of a sheet")
                kinds = sorted(c["creature"] for c in told["creatures"])
                equal(kinds, sorted(w for w in card.split("+") if w != "empty"), f"the creatures of {card}")
                for c in told["creatures"]:
                    equal(set(c), {"creature", "x", "y", "r"}, "a circle")
                    expect(0 < c["x"] < 1 and 0 < c["y"] < 1 and 0.05 < c["r"] < 0.5, f"a circle on the sheet: {c}")
                large = await ask(server, "GET", f"{ocean}/{now}/sheet/{level}/1024.jpg")
                jpeg(large, "a large sheet")
                equal((width(large.body), width((await ask(server, "GET", f"{ocean}/{now}/sheet/{level}.jpg")).body)), (1024, 640), "sizes")
        equal((await ask(server, "GET", f"{ocean}/1/sheet/1.json")).status, 404, "the sheets of the round before last")
        await match.leave()


@case("Dive: table screens follow the look of whoever holds the stack, and of nobody else")
async def looks():
    async with serving() as server:
        match = await Match.make(server, "dive", {"divers": 2}, [PERSON, PERSON], client.seed("looks"))
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


@case("a reaction reaches everybody at the table; one in three seconds, and none in DiverCity")
async def reactions():
    async with serving() as server:
        match = await Match.make(server, "soumsoum", {"players": 2}, [PERSON, PERSON], client.seed("reactions"))
        await match.start()
        ana, bram = match.people
        ana.socket.send({"react": "bravo"})
        for stream in (ana, bram, match.spectator):
            await stream.until(lambda s=stream: s.reacted, "a reaction")
            equal(stream.reacted, [{"seat": 0, "react": "bravo"}], "reactions")
        bram.socket.send({"react": "wave"})  # another word for hello; it is passed on as it was sent
        await ana.until(lambda: len(ana.reacted) > 1, "another reaction")
        equal(ana.reacted[1], {"seat": 1, "react": "wave"}, "the other reaction")
        ana.socket.send({"react": "wow"})
        await ana.until(lambda: "react" in ana.answers, "a refusal")
        equal(ana.answers["react"][0]["code"], "busy", "the second reaction at once")
        match.spectator.socket.send({"react": "wow"})
        await match.spectator.until(lambda: "react" in match.spectator.answers, "a refusal")
        equal(match.spectator.answers["react"][0]["code"], "forbidden", "a spectator's reaction")
        await match.leave()
        match = await Match.make(server, "divercity", {"divers": 2}, [PERSON, PERSON], client.seed("silence"))
        await match.start()
        ana, bram = match.people
        await bram.until(lambda: bram.reactions == 0, "the news that reactions are closed")
        ana.socket.send({"react": "wow"})
        await ana.until(lambda: "react" in ana.answers, "a refusal")
        equal(ana.answers["react"][0]["code"], "not-now", "a reaction in DiverCity")
        await bram.barrier()
        equal(bram.reacted, [], "reactions that were refused")
        await match.leave()

# ---- the server itself -----------------------------------------------------------------------------



@case("health, metrics, and many requests on one connection")
async def health():
    async with serving() as server:
        http = client.Http(server)
        for _ in range(20):
            answer = await http.request("GET", "/healthz")
            equal((answer.status, answer.json()["ok"]), (200, True), "health")
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
            for n in range(20):
                size, i = (1, 100, 5000, 16000)[n // 5], n % 5  # larger than a TLS record, and than what is read at once
                twin.socket.text('{"id":"x%d-%d","action":{"do":"pass"}%s}' % (size, i, " " * size), 1 + i)
            await twin.until(lambda: len(twin.answers) == 20, "20 refusals")
            await twin.barrier()
            await twin.disconnect()
            await server.stop()
        finally:
            await server.close()


if __name__ == "__main__":
    tap.main()
