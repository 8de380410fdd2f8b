#!/usr/bin/python3
"""extra_game.py: a game from outside of games/ (examples/games/moray): it is played by sim and over the network, and a build
without it has no trace of it.

usage: extra_game.py FATHOM ROOT [FILE OR FOLDER WITHOUT IT…]

FATHOM is built with -Dextra_games=examples/games/moray.
"""
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "server"))
import client  # noqa: E402  pylint: disable=wrong-import-position
import tap  # noqa: E402  pylint: disable=wrong-import-position
from tap import case, cases, equal, expect, fathom, scratch  # noqa: E402  pylint: disable=wrong-import-position

NAME = "moray"
FOLDER = tap.ROOT / "examples/games" / NAME
WITHOUT = [Path(path) for path in sys.argv[3:]]


# ---- the command line --------------------------------------------------------------------------------


@cases("sim plays it", {"two": (2, "grouper,random"), "three": (3, "random"), "four, hungry": (4, "grouper", "--hungry")})
def sim(players, bots, *flags):
    run = fathom("sim", NAME, "--players", players, "--bots", bots, "--games", 300, "--json", *flags)
    figures = run.json()
    equal((run.status, figures["game"], figures["games"]), (0, NAME, 300), "what was played")
    equal(len(figures["seats"]), players, "seats")


@case("its record plays again, and a changed one does not")
def record():
    with scratch() as folder:
        path = Path(folder, "game.jsonl")
        fathom("sim", NAME, "--bots", "grouper", "--games", 1, "--record", path)
        equal(fathom("replay", "--json", path).json()["events"], 36, "each fish is an event")
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace('"hole":0', '"hole":1', 1), encoding="utf-8")
        tap.fails(fathom("replay", path), "line")


# ---- over the wire -----------------------------------------------------------------------------------


@client.case("a whole game over the wire, with bots; a spectator and a seat see no other hand")
async def wire():
    rng = client.seed(NAME)
    async with client.serving("--bot-ms", "5") as server:
        listed = await client.done(server, "GET", "/api/games")
        expect(NAME in [game["id"] for game in listed["games"]], "the server offers it")
        table = await client.Table.make(server, NAME, {"players": 3, "hungry": True})
        ana = await table.sit("Ana", 0)
        await table.bot(1, "grouper")
        await table.bot(2, "random")
        spectator = await table.spectator().connect()
        await ana.connect()
        await table.start()
        await ana.until(lambda: ana.view is not None, "the start")
        while ana.view["phase"] != "over":
            expect("hands" not in ana.view and len(ana.view["hand"]) == ana.view["hand_sizes"][0], "one's own hand, and no other")
            action, told = client.choose(ana.view, rng), ana.told
            if action is None:
                await ana.until(lambda seen=told: ana.told > seen, "the others")
            else:
                await ana.try_act(action)
        await spectator.until(lambda: spectator.view["phase"] == "over", "the end")
        expect("hand" not in spectator.view and "hands" not in spectator.view, "a spectator sees no hand")
        equal(spectator.view["result"], ana.view["result"], "the result")
        told = [event for stream in (ana, spectator) for _, events in stream.log for event in events]
        expect(any(event["event"] == "bitten" for event in told), "somebody was bitten")
        secrets = [event for event in told if event["event"] in ("dealt", "drew") and event["seat"] != 0]
        expect(secrets and all(event["fish"] is None for event in secrets), "what others drew was told")
        await table.record()


@client.case("what its bots did is explained, although it says nothing about that: chances, and how the move compares")
async def why():
    rng = client.seed(NAME)
    async with client.serving("--bot-ms", "0") as server:
        table = await client.Table.make(server, NAME, {"players": 2})
        ana = await table.sit("Ana", 0)
        await table.bot(1, "grouper")
        await ana.connect()
        await table.start()
        await ana.until(lambda: ana.view is not None, "the start")
        live = 0
        while ana.view["phase"] != "over":
            action, told = client.choose(ana.view, rng), ana.told
            if action is None:
                await ana.until(lambda seen=told: ana.told > seen, "the other")
            else:
                await ana.try_act(action)
            answer = await client.ask(server, "GET", f"{table.path}/why/0/{ana.view['seq']}/1", token=ana.token)
            expect(answer.status in (200, 409), f"{answer}")
            live += answer.status == 200
        expect(live > 3, f"{live} moves were explained")
        steps = (await client.done(server, "GET", f"{table.path}/replay/open"))["steps"]
        for at, step in [(i, step) for i, step in enumerate(steps) if step["seat"] == 1][::4]:
            answer = await client.done(server, "GET", f"{table.path}/why/open/{at}/1")
            equal((answer["from"], answer["candidates"][0]["action"]), ("bot", step["action"]), f"step {at}")
            expect(answer["reason"]["code"] in ("best", "equal", "behind", "only"), f"{answer}")


# ---- one folder and one line -------------------------------------------------------------------------


def git(folder, *words):
    done = subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@example.org", *words], cwd=folder, text=True,
                          capture_output=True, check=False)
    equal(done.returncode, 0, f"git {' '.join(words)}: {done.stderr}")
    return done.stdout


def games(root, *words):
    return subprocess.run([root / "tools/games", *words], text=True, capture_output=True, check=True).stdout


@case("its folder and one line are all that a commit needs which adds it to the list")
def one_line():
    with scratch() as folder:
        root = Path(folder)
        (root / "tools").mkdir()
        shutil.copy(tap.ROOT / "tools/games", root / "tools/games")
        shutil.copytree(tap.ROOT / "games", root / "games")
        git(root, "init", "-q")
        git(root, "add", "-A")
        git(root, "commit", "-qm", "before")
        shutil.copytree(FOLDER, root / "games" / NAME)
        with open(root / "games/list", "a", encoding="utf-8") as file:
            file.write(f"{NAME}\n")
        git(root, "add", "-A")
        git(root, "commit", "-qm", f"games: {NAME}")
        touched = git(root, "show", "--format=", "--numstat").splitlines()
        elsewhere = [line.split("\t") for line in touched if f"\tgames/{NAME}/" not in line]
        equal(elsewhere, [["1", "0", "games/list"]], "what it touches besides its folder")
        expect(f"{NAME} games/{NAME}" in games(root, "list").splitlines(), "it is listed")
        for made in ("games.h", "errors.h", "flats.h", "bots.c"):
            equal(games(root, made), games(tap.ROOT, "--extra", FOLDER, made), made)


# ---- a build without it ------------------------------------------------------------------------------


def traces(path):
    """Files that name the game, in their name or their bytes."""
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    expect(files, f"{path}: there is nothing")
    word = re.compile(NAME.encode(), re.IGNORECASE)
    return [str(file) for file in files if word.search(file.name.encode()) or word.search(file.read_bytes())]


@case("the program with the game names it, so that a trace would be found")
def named():
    equal(traces(Path(tap.program())), [tap.program()], "where it is named")


@cases("no trace of it in", {str(path): (path,) for path in WITHOUT})
def no_trace(path):
    equal(traces(path.resolve()), [], "files that name it")


if __name__ == "__main__":
    tap.main()
