#!/usr/bin/python3
"""replay.py: what the web page requests over HTTP besides playing, as described in docs/protocol-server.md: games and
options, files, practice, and the replay, verification and pictures of a game that is over.
"""
import asyncio
import gzip
import json
import subprocess
import tempfile
from pathlib import Path

import client
from client import Http, Server, Stream, Table, Wrong, ask, case, cases, done, expect, random_program, seed
import tap  # which client finds
from tap import equal


def serving(*flags, **options):
    return client.serving("--bot-ms", "0", *flags, **options)


# ---- games and options -----------------------------------------------------------------------------


async def same_answer(server, game, options, answer):
    """Making a table with these options has the outcome that /check promised."""
    made = await ask(server, "POST", "/api/tables", {"game": game, "options": options})
    equal(made.status == 201, answer["ok"], f"{game} {options}: {answer} {made}")
    if answer["ok"]:
        table = await done(server, "GET", f"/api/tables/{made.json()['table']}")
        equal(table["options"], answer["options"], "options made complete")
    else:
        equal(made.code, answer["code"], f"the code of {options}")
        expect(answer["message"] in made.json()["error"]["message"], f"{answer} {made}")


@case("the games say what can be asked for, and just that can be")
async def games():
    async with serving() as server:
        listed = (await done(server, "GET", "/api/games"))["games"]
        equal(sorted(game["id"] for game in listed), tap.games(), "the games")
        for game in listed:
            equal(set(game) - {"waters"}, {"id", "title", "rules", "newest", "seats", "options", "constants", "bots", "decks"}, "the keys of a game")
            checked = []
            for option in game["options"]:
                equal(set(option) - {"min", "max", "values"}, {"name", "type", "default", "about"}, "the keys of an option")
                values = {"int": lambda o: [o["min"], o["max"]], "choice": lambda o: o["values"], "bool": lambda o: [False, True],
                          "seat": lambda o: [0, o["default"]], "seats": lambda o: []}[option["type"]](option)
                checked += [{option["name"]: value} for value in values]
            checked += [{"deck": deck["id"]} for deck in game["decks"]]
            answers = (await done(server, "POST", f"/api/games/{game['id']}/check", {"options": checked}))["answers"]
            equal(len(answers), len(checked), "answers")
            for options, answer in zip(checked, answers):
                await same_answer(server, game["id"], options, answer)


# ---- after the game --------------------------------------------------------------------------------

TABLES = {
    "dive": ({"divers": 4, "companions": "ten"}, "steady"),
    "divercity": ({"divers": 3}, "ranger"),
    "soumsoum": ({"players": 3}, "greedy"),
}


async def played(server, game, water=None, **options):
    """A table whose game bots have played to its end."""
    usual, bot = TABLES[game]
    table = await Table.make(server, game, {**usual, **options}, water=water)
    for seat in range(len((await table.get())["seats"])):
        await table.bot(seat, bot)
    for path in ("replay/open", "verify", "analysis"):
        equal((await ask(server, "GET", f"{table.path}/{path}")).status, 409, path)
    await table.start()
    for _ in range(600):
        if (await table.get())["state"] == "over":
            return table
        await asyncio.sleep(0.1)
    raise Wrong(f"{game}: bots do not come to an end")


def inside(answer):
    """The JSON of an answer that may be compressed."""
    if answer.headers.get("content-encoding") == "gzip":
        answer.body = gzip.decompress(answer.body)
    return answer.json()


@cases("a game that is over is told again, to whoever asks", {game: (game,) for game in TABLES})
async def replays(game):
    async with serving() as server:
        table = await played(server, game)
        shown, record = await table.get(), [json.loads(line) for line in (await table.record()).splitlines()]
        for who in ("table", "open", *range(len(shown["seats"]))):
            plain = await ask(server, "GET", f"{table.path}/replay/{who}")
            packed = await ask(server, "GET", f"{table.path}/replay/{who}", headers=[("Accept-Encoding", "gzip")])
            equal((plain.headers.get("content-encoding"), packed.headers.get("content-encoding")), (None, "gzip"), "encodings")
            expect(3 * len(packed.body) < len(plain.body), "gzip makes it smaller")
            replay = inside(plain)
            equal(replay, inside(packed), "the same, compressed")
            equal(set(replay) - {"visit"}, {"table", "game", "options", "who", "seats", "steps"}, "the keys of a replay")
            equal("visit" in replay, game == "dive", "whether it says `visit`")
            equal((replay["table"], replay["game"], replay["options"], replay["who"]), (table.id, game, shown["options"], who), "head")
            equal(replay["seats"], [{"name": seat["name"], "bot": seat["bot"]} for seat in shown["seats"]], "seats")
            first, last = replay["steps"][0], replay["steps"][-1]
            equal((first["t"], first["seat"], first["action"], first["view"]["seq"]), (0, None, None, 0), "the first step")
            equal(last["view"]["result"], record[-1]["result"], "the result")
            expect(all(a["t"] <= b["t"] and a["view"]["seq"] < b["view"]["seq"] for a, b in zip(replay["steps"], replay["steps"][1:])),
                   "time and seq go on")
            if who == "open":
                moves = [(step["t"], step["seat"], step["action"]) for step in replay["steps"][1:]]
                equal(moves, [(line["t"], line.get("seat"), {k: v for k, v in line.items() if k not in ("t", "seat", "state", "sum")})
                              for line in record[1:-1]], "the moves")


@cases("an analysis is what the program prints of the record", {"divercity": ("divercity", {"divers": 2}), "soumsoum": ("soumsoum", {"players": 2})})
async def analysed(game, options):
    async with serving() as server:
        table = await played(server, game, **options)
        packed = await ask(server, "GET", f"{table.path}/analysis/1", headers=[("Accept-Encoding", "gzip")])
        equal(packed.status, 200, "status")
        equal(gzip.decompress(packed.body) + b"\n", printed(await table.record(), "--seat", "1"), "the same of one seat, compressed")
        if game == "divercity":  # how those of all seats are put together is the same for every game
            plain = await ask(server, "GET", f"{table.path}/analysis")
            equal(plain.status, 200, "status")
            equal(plain.body + b"\n", printed(await table.record()), "what the program prints")


def printed(record, *flags):
    """What the program prints of a record."""
    command = [tap.program(), "analyse", "-", "--budget", "quick", "--json", *flags]
    return subprocess.run(command, input=record, capture_output=True, check=True).stdout


@case("a game that is looked into is analysed with the pictures of the table's own water")
async def analysed_with_pictures():
    async with serving() as server:
        table = await played(server, "dive", water="murky", divers=2)
        answer = await ask(server, "GET", f"{table.path}/analysis/1")
        equal(answer.status, 200, f"{answer}")
        equal(answer.body + b"\n", printed(await table.record(), "--seat", "1", "--water", "murky"), "what the program prints")


@cases("a record is checked, and what was changed in the store is found", {game: (game,) for game in TABLES})
async def verified(game):
    async with serving() as server:
        table = await played(server, game)
        record = await table.record()
        verdict = await done(server, "GET", f"{table.path}/verify")
        equal((verdict["ok"], verdict["message"]), (True, None), "the verdict")
        steps = {step["step"]: step for step in verdict["steps"]}
        equal(list(steps), ["commitment", "deal", "moves", "result"], "steps")
        expect(all(step["ok"] is True and step["line"] is None for step in steps.values()), f"{steps}")
        equal(steps["commitment"]["shown"], (await table.get())["commitment"], "shown")
        equal(steps["commitment"]["computed"], steps["commitment"]["shown"], "computed")
        equal(steps["deal"]["seed"], json.loads(record.splitlines()[-1])["seed"], "the seed")
        equal(steps["moves"]["moves"], len(record.splitlines()) - 2, "moves")

        await server.stop()
        lines = record.splitlines(keepends=True)
        lines[6] = lines[6].replace(b'"t":', b'"t":1', 1)
        equal(server.change_record(lambda stored: b"".join(lines)), record, "what is stored")
        server.start()
        verdict = await done(server, "GET", f"{table.path}/verify")
        failing = [step for step in verdict["steps"] if step["ok"] is False]
        equal((verdict["ok"], [(step["step"], step["line"]) for step in failing]), (False, [("moves", 7)]), "the verdict on damage")
        expect("altered" in verdict["message"], verdict["message"])


# ---- pictures --------------------------------------------------------------------------------------


async def picture(server, path, token=None):
    """A picture's bytes; what is too much at once is asked for again."""
    answer = await ask(server, "GET", path, token=token)
    equal((answer.status, answer.headers["content-type"]), (200, "image/jpeg"), f"{path}: {answer.status}")
    expect(answer.body[:3] == b"\xff\xd8\xff" and answer.body[-2:] == b"\xff\xd9" and len(answer.body) > 3000, f"{path} is no JPEG")
    return answer.body


async def refused(server, path, status, token=None):
    answer = await ask(server, "GET", path, token=token)
    equal((answer.status, bool(answer.code)), (status, True), path)


@case("while Dive is played, only the present round and the last dive are to be seen; after it, all of them, through the same water")
async def oceans():
    async with serving() as server:
        rng = seed("oceans")
        table = await Table.make(server, "dive", {"divers": 2}, water="murky")
        people = [await (await table.sit(name)).connect() for name in ("Ana", "Bo")]
        await table.start()
        looks, sheets, dives, token = {}, {}, {}, people[0].token
        for person in people:
            await person.until(lambda p=person: p.view is not None, "the start")
        while people[0].view["phase"] != "over":
            now = people[0].view["round"]
            if now <= 3:
                looks[now] = await picture(server, f"{table.path}/ocean/{now}/14,-9.jpg", token)
                for other in (0, now - 1, now + 1):
                    await refused(server, f"{table.path}/ocean/{other}/14,-9.jpg", 404, token)
            for person in people:
                await person.act({"do": "program", **random_program(person.view, rng)})
                await person.act({"do": "ready"})
            for person in people:
                await person.until(lambda p=person: (p.view.get("dive") or {}).get("round") == now, "the dive")
            dives[now] = len(people[0].view["dive"]["cards"])
            if now <= 2:
                sheets[now] = [await picture(server, f"{table.path}/ocean/{now}/sheet/{level}.jpg", token) for level in range(1, dives[now] + 1)]
                await refused(server, f"{table.path}/ocean/{now}/sheet/{dives[now] + 1}.jpg", 404, token)
                await refused(server, f"{table.path}/ocean/{now - 1}/sheet/1.jpg", 404, token)
                await refused(server, f"{table.path}/ocean/{now + 1}/sheet/1.jpg", 404, token)
        for again in range(2):
            for now, look in looks.items():
                equal(await picture(server, f"{table.path}/ocean/{now}/14,-9.jpg", token), look, f"round {now}, once it is over")
            for now, shown in sheets.items():
                for level, sheet in enumerate(shown, 1):
                    equal(await picture(server, f"{table.path}/ocean/{now}/sheet/{level}.jpg", token), sheet, f"sheet {level} of round {now}")
            for now, cards in dives.items():
                await refused(server, f"{table.path}/ocean/{now}/sheet/{cards + 1}.jpg", 404, token)
            last = max(dives)
            await picture(server, f"{table.path}/ocean/{last}/0,0.jpg", token)
            await picture(server, f"{table.path}/ocean/{last}/sheet/1.jpg", token)
            for path in (f"{last + 1}/0,0.jpg", "0/0,0.jpg", f"{last + 1}/sheet/1.jpg", "0/sheet/1.jpg", "1/sheet/7.jpg"):
                await refused(server, f"{table.path}/ocean/{path}", 404, token)
            await refused(server, f"{table.path}/ocean/1/0,0/above:0.5,0.5.jpg", 400, token)  # no lamps at this table
            if again == 0:
                for person in people:
                    await person.disconnect()
                await server.restart()


@case("the octopus lies on the stack of its round, also once the game is over")
async def octopus():
    async with serving() as server:
        rng = seed("octopus")
        table = await Table.make(server, "dive", {"divers": 2, "companions": "seven"})
        people = [await (await table.sit(name)).connect() for name in ("Ana", "Bo")]
        await table.start()
        for person, companion in zip(people, ("octopus", "orca")):
            await person.until(lambda p=person: p.view is not None, "the start")
            await person.act({"do": "choose", "companion": companion})
        await people[0].until(lambda: people[0].view["phase"] == "program", "the first round")
        path = f"{table.path}/ocean/1/0,0.jpg"
        before = await picture(server, path, people[0].token)
        await people[0].act({"do": "use", "companion": "octopus", "x": 0.5, "y": 0.5})
        covered = await picture(server, path, people[0].token)
        expect(before != covered, "the octopus is not to be seen")
        while people[0].view["phase"] != "over":
            now = people[0].view["round"]
            for person in people:
                await person.act({"do": "program", **random_program(person.view, rng)})
                await person.act({"do": "ready"})
            for person in people:
                await person.until(lambda p=person: (p.view.get("dive") or {}).get("round") == now, "the dive")
        equal(await picture(server, path, people[0].token), covered, "the first round, once it is over")
        for person in people:
            await person.disconnect()


@case("whoever practises sees a stack, guesses, and then sees its sheets")
async def practice():
    async with serving() as server:
        begun = await done(server, "POST", "/api/practice", {}, status=201)
        equal((set(begun), begun["levels"]), ({"practice", "levels"}, 5), "a practice")
        path = f"/api/practice/{begun['practice']}"
        straight = await picture(server, f"{path}/0,0.jpg")
        expect(await picture(server, f"{path}/14,-9.jpg") != straight, "a tilt changes nothing")
        expect(await picture(server, f"{path}/0,0/above:0.5,0.5.jpg") != straight, "a lamp changes nothing")
        equal(await picture(server, f"{path}/0,0.jpg"), straight, "the same look")
        alone = len(server.nodes()) == 1
        if alone:  # several do not know who guessed at another
            await refused(server, f"{path}/sheet/1.jpg", 409)
        for rest, status in (("sheet/6.jpg", 404), ("sheet/x.jpg", 404), ("0,0.png", 404), ("north.jpg", 400),
                             ("0,0/torch.jpg", 400), ("", 404)):
            await refused(server, f"{path}/{rest}", status)
        guess = ["shark", None, "shark+green", "empty", "manta"]
        answer = await done(server, "POST", f"{path}/guess", {"guess": guess})
        equal((set(answer), len(answer["truth"]), answer["sheets"]), ({"truth", "sheets"}, 5, True), "the truth")
        sheets = [await picture(server, f"{path}/sheet/{level}.jpg") for level in range(1, 6)]
        equal(len(set(sheets)), 5, "different sheets")
        other = (await done(server, "POST", "/api/practice", status=201))["practice"]
        expect(await picture(server, f"/api/practice/{other}/0,0.jpg") != straight, "another stack")
        if alone:  # another's guess shows nothing
            await refused(server, f"/api/practice/{other}/sheet/1.jpg", 409)
        await server.restart()
        if not alone:  # they have a key in common, which outlives them
            equal(await picture(server, f"{path}/0,0.jpg"), straight, "after a restart")
            return
        gone = await ask(server, "GET", f"{path}/0,0.jpg")
        equal((gone.status, gone.code), (404, "gone"), "after a restart")
        expect("begin another" in gone.json()["error"]["message"], f"{gone}")


@case("W07 whoever never came to a table gets no picture of its stack")
async def visits():
    async with serving() as server:
        rng = seed("visits")
        table = await Table.make(server, "dive", {"divers": 1, "chief": True})
        ana = await (await table.sit("Ana")).connect()
        await table.start()
        await ana.until(lambda: ana.view is not None, "the start")
        path = f"{table.path}/ocean/1/0,0.jpg"
        await picture(server, path, ana.token)
        await picture(server, path, table.host)
        if len(server.nodes()) == 1:  # an address that has a stream at the table is a visitor, too
            await picture(server, path)
        await ana.disconnect()

        async def strange(token):
            for _ in range(100):  # a stream that has just left may be known for a moment
                answer = await ask(server, "GET", path, token=token)
                if answer.status != 200:
                    break
                await asyncio.sleep(0.05)
            equal(answer.status, 401, f"a stranger with {token}")
            equal(answer.code, "no-such-token", f"a stranger with {token}")

        await strange(None)
        other = await Table.make(server, "dive", {"divers": 1, "chief": True})
        stranger = await Stream(server, other.id).connect()
        for token in ("0" * 32, other.host, stranger.visit, ana.visit[::-1]):
            await strange(token)
        await stranger.disconnect()
        guest = await Stream(server, table.id).connect()
        equal(guest.visit, ana.visit, "a visit's token")
        await guest.disconnect()
        await picture(server, path, guest.visit)
        await server.restart()
        await strange(None)
        await picture(server, path, guest.visit)
        ana = await ana.connect()
        while ana.view["phase"] != "over":
            now = ana.view["round"]
            await ana.act({"do": "program", **random_program(ana.view, rng)})
            await ana.act({"do": "ready"})
            await ana.until(lambda r=now: (ana.view.get("dive") or {}).get("round") == r, "the dive")
        await ana.disconnect()
        await strange(None)
        replay = await done(server, "GET", f"{table.path}/replay/table")
        equal(replay["visit"], guest.visit, "the token of a replay")
        await picture(server, path, replay["visit"])


@case("many who practise at once are served or told to come back, and a table's pictures do not wait for them")
async def crowd():
    async with serving() as server:
        table = await Table.make(server, "dive", {"divers": 2})
        ana, _ = [await table.sit("Ana", place) for place in range(2)]
        await table.start()
        ids = [(await done(server, "POST", "/api/practice", status=201))["practice"] for _ in range(40 * len(server.nodes()))]
        https = [Http(server) for _ in ids]
        asked = [asyncio.create_task(http.request("GET", f"/api/practice/{name}/0,0.jpg")) for http, name in zip(https, ids)]
        await asyncio.sleep(0.2)
        before = [task.done() for task in asked].count(True)
        await picture(server, f"{table.path}/ocean/1/0,0.jpg", ana.token)
        statuses = [task.done() and task.result().status for task in asked]
        served = statuses.count(200)
        expect(served <= 6 or served <= before, f"{served} were served before the table's picture, {before} before it was asked for: {statuses}")
        expect(statuses.count(429) >= 8, f"more stacks at once than there is room for: {statuses}")
        for http in https:
            http.close()
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
        equal((await done(server, "GET", "/healthz"))["ok"], True, "after the crowd")


# ---- files -----------------------------------------------------------------------------------------

FILES = {
    "index.html": ("text/html; charset=utf-8", b"<!doctype html><title>A page</title>" + b"<p>words</p>" * 100, False),
    "assets/index-B-x9_k2q.js": ("text/javascript; charset=utf-8", b"export const a = 1;\n" * 100, True),
    "assets/style-Dq81xZ0a.css": ("text/css; charset=utf-8", b"p { color: red }\n" * 100, True),
    "assets/turtle-9f3ac2d1.svg": ("image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg'/>", True),
    "assets/words-lettered.svg": ("image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg' id='b'/>", False),
    "assets/face-C0ffee12.woff2": ("font/woff2", bytes(range(256)) * 8, True),
    "assets/index-B-x9_k2q.js.map": ("application/json", b"{}", False),
    "icon-maskable1.png": ("image/png", b"\x89PNG" + bytes(600), False),
    "sw.js": ("text/javascript; charset=utf-8", b"// a service worker: browsers must see a new one at once", False),
    "manifest.webmanifest": ("application/manifest+json", b"{}", False),
    "strings.json": ("application/json", b"{}", False),
    "bell.mp3": ("audio/mpeg", bytes(600), False),
    "bell.ogg": ("audio/ogg", bytes(600), False),
    "bell.wav": ("audio/wav", bytes(600), False),
}


def lay_out(folder, files=None):
    for name, (_, content, _) in (files or FILES).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


async def unchanged(server, name, etag):
    """A file that the client has already is not sent again."""
    for known in (etag, f"W/{etag}", f'"x", {etag}'):
        again = await ask(server, "GET", f"/{name}", headers=[("If-None-Match", known)])
        equal((again.status, again.body), (304, b""), f"{name} asked for again")
        expect("content-length" not in again.headers, f"a length that is not the file's: {again.headers}")


@case("files have their types, and only names with a hash are kept for ever")
async def files():
    with tempfile.TemporaryDirectory() as folder:
        lay_out(Path(folder))
        async with serving(data=folder) as server:
            for name, (kind, content, forever) in FILES.items():
                answer = await ask(server, "GET", f"/{name}")
                equal((answer.status, answer.headers["content-type"], answer.body), (200, kind, content), name)
                equal(answer.headers["cache-control"], "public, max-age=31536000, immutable" if forever else "no-cache", name)
                expect("content-encoding" not in answer.headers, f"{name} is compressed, and nobody asked for it")
                await unchanged(server, name, answer.headers["etag"])
            front = await ask(server, "GET", "/")
            equal((front.status, front.body), (200, FILES["index.html"][1]), "the front page")
            for path in ("/nothing.js", "/assets", "/assets/", "/../etc/passwd", "/%2e%2e%2fetc/passwd"):
                equal((await ask(server, "GET", path)).status, 404, path)


@case("the page may use its own scripts, styles, pictures, sounds and stream, and nothing else")
async def policy():
    with tempfile.TemporaryDirectory() as folder:
        lay_out(Path(folder))
        async with serving(data=folder) as server:
            answer = await ask(server, "GET", "/")
            rules = dict(rule.strip().split(" ", 1) for rule in answer.headers["content-security-policy"].split(";"))
            own = ("style-src", "font-src", "media-src", "connect-src", "manifest-src", "worker-src")
            equal({name: rules[name] for name in own}, dict.fromkeys(own, "'self'"), "what comes from here alone")
            equal(rules["script-src"], "'self' 'wasm-unsafe-eval'", "scripts and the engine")
            equal(rules["img-src"], "'self' data: blob:", "pictures")
            equal(rules["style-src-attr"], "'unsafe-inline'", "style attributes")
            equal({rules[name] for name in ("default-src", "base-uri", "form-action", "frame-ancestors")}, {"'none'"}, "the rest")


@case("files are sent compressed to who takes it, by the build's own compression where there is one")
async def encodings():
    with tempfile.TemporaryDirectory() as folder:
        lay_out(Path(folder))
        script, content = "assets/index-B-x9_k2q.js", FILES["assets/index-B-x9_k2q.js"][1]
        packed = gzip.compress(content, 1, mtime=7)
        (Path(folder) / f"{script}.gz").write_bytes(packed)
        (Path(folder) / f"{script}.br").write_bytes(b"as if by brotli")
        async with serving(data=folder) as server:
            for accept, encoding, body in (("gzip, deflate, br, zstd", "br", b"as if by brotli"), ("gzip, deflate", "gzip", packed),
                                           ("br;q=0, gzip;q=0.5", "gzip", packed), ("gzip;q=0", None, content),
                                           ("x-gzip, brown", None, content), ("", None, content)):
                answer = await ask(server, "GET", f"/{script}", headers=[("Accept-Encoding", accept)] if accept else [])
                equal((answer.status, answer.headers.get("content-encoding"), answer.body), (200, encoding, body), accept)
                equal(answer.headers["vary"], "accept-encoding", "vary")
            for name in (f"{script}.gz", f"{script}.br"):
                equal((await ask(server, "GET", f"/{name}")).status, 404, f"{name} is no file of its own")
            page = await ask(server, "GET", "/", headers=[("Accept-Encoding", "gzip")])
            equal((page.headers["content-encoding"], gzip.decompress(page.body)), ("gzip", FILES["index.html"][1]), "made by the server")
            sound = await ask(server, "GET", "/bell.mp3", headers=[("Accept-Encoding", "gzip")])
            expect("content-encoding" not in sound.headers, "sounds are compressed already")
            http = Http(server)  # what one answer was sent in says nothing about the next
            await http.request("GET", f"/{script}", headers=[("Accept-Encoding", "br")])
            equal((await http.request("GET", "/healthz")).json()["ok"], True, "after a compressed file")
            http.close()


@case("what is refused after a compressed answer, on the same connection, is not said to be compressed")
async def refused_after_gzip():
    async with serving() as server:
        table = await played(server, "soumsoum")
        http = Http(server)
        for method, path, body, refusal in (("GET", f"/{'x' * 600}", None, (404, "no-such-path")), ("PUT", "/", b" " * 16385, (413, "too-big")),
                                            ("G\tT", "/", None, (400, "bad-value"))):
            replay = await http.request("GET", f"{table.path}/replay/open", headers=[("Accept-Encoding", "gzip")])
            equal(replay.headers.get("content-encoding"), "gzip", "a replay")
            answer = await http.request(method, path, body)
            equal((answer.headers.get("content-encoding"), answer.status, answer.code), (None, *refusal), f"{method} {path[:20]}")
        http.close()


async def front_page(program, data=None):
    server = Server(program, data=data)
    try:
        page = (await ask(server, "GET", "/")).body
        await server.stop()
    finally:
        await server.close()
    return page


@case("the page that lies where it is built or installed is found")
async def found():
    for place in ("web/dist", "share/fathom/web"):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            program = root / ("build" if place == "web/dist" else "bin") / "fathom"
            program.parent.mkdir()
            program.write_bytes(Path(tap.program()).read_bytes())
            program.chmod(0o755)
            lay_out(root / place)
            equal(await front_page(program), FILES["index.html"][1], place)
            page = await front_page(program, "none")
            expect(b"Fathom is running" in page and page != FILES["index.html"][1], f"without a page: {page!r}")


if __name__ == "__main__":
    tap.main()
