#!/usr/bin/python3
"""after.py: what the web page asks besides playing, over HTTP, as docs/protocol-server.md says: games and options,
files, and, once a game is over, its replay, its check and its pictures; and practice.
"""
import contextlib
import gzip
import json
import tempfile
from pathlib import Path

from client import Http, Server, ask, case, done, expect
import tap  # which client finds
from tap import equal


@contextlib.asynccontextmanager
async def serving(*flags, folder=None):
    server = Server(tap.program(), "--bot-ms", "0", *flags, folder=folder)
    try:
        yield server
        if server.running():
            await server.stop()
    finally:
        await server.close()


# ---- games and options -----------------------------------------------------------------------------


@case("the games say what can be asked for, and just that can be")
async def games():
    async with serving() as server:
        listed = (await done(server, "GET", "/api/games"))["games"]
        equal(sorted(game["id"] for game in listed), tap.games(), "the games")
        for game in listed:
            equal(set(game), {"id", "title", "seats", "options", "bots", "decks"}, "the keys of a game")
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
                made = await ask(server, "POST", "/api/tables", {"game": game["id"], "options": options})
                equal(made.status == 201, answer["ok"], f"{game['id']} {options}: {answer} {made}")
                if answer["ok"]:
                    table = await done(server, "GET", f"/api/tables/{made.json()['table']}")
                    equal(table["options"], answer["options"], "options made complete")
                else:
                    equal(made.code, answer["code"], f"the code of {options}")
                    expect(answer["message"] in made.json()["error"]["message"], f"{answer} {made}")


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


@case("files have their types, and only names with a hash are kept for ever")
async def files():
    with tempfile.TemporaryDirectory() as folder:
        lay_out(Path(folder))
        async with serving("--data", folder) as server:
            for name, (kind, content, forever) in FILES.items():
                answer = await ask(server, "GET", f"/{name}")
                equal((answer.status, answer.headers["content-type"], answer.body), (200, kind, content), name)
                equal(answer.headers["cache-control"], "public, max-age=31536000, immutable" if forever else "no-cache", name)
                expect("content-encoding" not in answer.headers, f"{name} is compressed, and nobody asked for it")
                for known in (answer.headers["etag"], f"W/{answer.headers['etag']}", f'"x", {answer.headers["etag"]}'):
                    again = await ask(server, "GET", f"/{name}", headers=[("If-None-Match", known)])
                    equal((again.status, again.body), (304, b""), f"{name} asked for again")
            front = await ask(server, "GET", "/")
            equal((front.status, front.body), (200, FILES["index.html"][1]), "the front page")
            for path in ("/nothing.js", "/assets", "/assets/", "/../etc/passwd", "/%2e%2e%2fetc/passwd"):
                equal((await ask(server, "GET", path)).status, 404, path)


@case("the page may use its own scripts, styles, pictures, sounds and stream, and nothing else")
async def policy():
    with tempfile.TemporaryDirectory() as folder:
        lay_out(Path(folder))
        async with serving("--data", folder) as server:
            answer = await ask(server, "GET", "/")
            rules = dict(rule.strip().split(" ", 1) for rule in answer.headers["content-security-policy"].split(";"))
            own = ("script-src", "style-src", "font-src", "media-src", "connect-src", "manifest-src", "worker-src")
            equal({name: rules[name] for name in own}, dict.fromkeys(own, "'self'"), "what comes from here alone")
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
        async with serving("--data", folder) as server:
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
            equal((await http.request("GET", "/healthz")).json(), {"ok": True}, "after a compressed file")
            http.close()


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
            for flags, body in (((), FILES["index.html"][1]), (("--data", "none"), None)):
                server = Server(program, *flags)
                try:
                    page = (await ask(server, "GET", "/")).body
                    equal(page == FILES["index.html"][1], body is not None, f"{place} {flags}")
                    expect(body or b"Fathom is running" in page, f"without a page: {page!r}")
                    await server.stop()
                finally:
                    await server.close()


if __name__ == "__main__":
    tap.main()
