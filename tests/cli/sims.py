#!/usr/bin/python3
"""sims.py: `fathom sim` and `fathom bench`: equal seeds, equal bytes; figures; progress; full disks."""
import functools
import json
import os
import pty
import re
import signal
import subprocess
import sys

import tap
from tap import case, cases, equal, expect, fails, fathom

SUMS = ("games", "moves", "not_one_winner")


def sim(game, *flags):
    run = fathom("sim", game, "--json", *flags)
    equal((run.status, run.err), (0, ""), run)
    return run


# ---- figures ------------------------------------------------------------------------------------


@cases("the same bytes for any number of jobs", {game: (game,) for game in tap.games()})
def jobs(game):
    outputs = {sim(game, "--games", 150, "--seed", 7, "--jobs", n).out_bytes for n in (1, 2, 5, 256)}
    equal(len(outputs), 1, "outputs")
    texts = {fathom("sim", game, "--games", 30, "--seed", 7, "--jobs", n).out_bytes for n in (1, 2)}
    equal(len(texts), 1, "texts")


@cases("seeds decide", {game: (game,) for game in tap.games()})
def seeds(game):
    outputs = [sim(game, "--games", 40, "--seed", seed).json() for seed in (1, 2, "0" * 63 + "1", "f" * 64)]
    equal([run.pop("seed") for run in outputs], ["1", "2", "0" * 63 + "1", "f" * 64])
    equal(len({json.dumps(run) for run in outputs}), 4, "different games")
    default = sim(game, "--games", 40).json()
    equal(default.pop("seed"), "1")
    equal(default, outputs[0], "the default seed is 1")


def parts(answer):
    """What must add up when a run is shared out."""
    unit = next(value for value in answer.values() if isinstance(value, dict) and "histogram" in value)
    yield from ((key, answer[key]) for key in SUMS)
    yield from answer["reasons"].items()
    yield from (("length " + length, n) for length, n in unit["histogram"].items())
    for seat in answer["seats"]:
        yield f"wins {seat['seat']}", seat["wins"]
        yield f"score {seat['seat']}", round(seat["score"] * answer["games"])


@cases("slices by --from add up to the whole", {game: (game,) for game in tap.games()})
def slices(game):
    whole = dict(parts(sim(game, "--games", 100, "--seed", 9).json()))
    total = {}
    for start, count in ((0, 60), (60, 1), (61, 39)):
        answer = sim(game, "--games", count, "--from", start, "--seed", 9).json()
        equal(answer["from"], start)
        for key, value in parts(answer):
            total[key] = total.get(key, 0) + value
    equal(total, whole)


@cases("figures fit together", {game: (game,) for game in tap.games()})
def figures(game):
    answer = sim(game, "--games", 80).json()
    equal((answer["game"], answer["games"], answer["from"]), (game, 80, 0))
    equal(sum(answer["reasons"].values()), 80)
    expect(re.fullmatch("[0-9a-f]{64}", answer["deck"]), answer["deck"])
    expect(len(answer["seats"]) >= 1, "seats")
    for number, seat in enumerate(answer["seats"]):
        equal((seat["seat"], seat["bot"]), (number, "random"))
        expect(0 <= seat["low"] <= seat["share"] <= seat["high"] <= 1, seat)
        expect(abs(seat["share"] - seat["wins"] / 80) < 1e-3, seat)


@case("Soum Soum: the greedy bot is far ahead of random ones")
def greedy():
    answer = sim("soumsoum", "--players", 4, "--bots", "greedy,random,random,random", "--games", 1000, "--seed", 7).json()
    equal([seat["bot"] for seat in answer["seats"]], ["greedy", "random", "random", "random"])
    expect(answer["seats"][0]["low"] > 2 * max(seat["high"] for seat in answer["seats"][1:]), answer["seats"])
    equal(sum(seat["wins"] for seat in answer["seats"]), 1000, "one winner a game")
    equal(answer["turns"]["histogram"], {"24": 1000})


@case("Soum Soum: options reach the table")
def options():
    answer = sim("soumsoum", "--players", 3, "--market", "--first", "2", "--games", 5).json()
    equal(answer["options"], {"players": 3, "market": True, "first": 2, "deck": "soumsoum-lagoon"})
    equal(answer["moves"], 5 * 72)


# ---- the lab --------------------------------------------------------------------------------------


LAB = 2  # games: an error needs two


LAB_TABLE = ("divercity", "--divers", 3, "--bots", "ranger,random,random")


@functools.cache
def lab(jobs=2):
    return sim(*LAB_TABLE, "--games", LAB, "--seed", 3, "--analyse", "--jobs", jobs)


@case("--analyse: losses of seats and bots fit each other and the analysis of each game's record")
def losses():
    answer = lab().json()
    games = [json.loads(line) for line in recorded(LAB)]
    seats = [[game["seats"][seat] for game in games] for seat in range(3)]
    equal(len(answer["seats"]), len(seats))
    for seat, of_games in zip(answer["seats"], seats):
        decisions, lost = (sum(game[key] for game in of_games) for key in ("decisions", "lost"))
        equal(seat["decisions"], decisions)
        expect(abs(seat["lost"] - lost / decisions) < 1e-6, seat)
        rest = [game["lost"] - lost / decisions * game["decisions"] for game in of_games]
        error = (sum(r * r for r in rest) * LAB / (LAB - 1)) ** 0.5 / decisions
        expect(abs(seat["lost_se"] - error) < 2e-5, f"{seat}: {error}")
    equal((answer["budget"], [bot["bot"] for bot in answer["bots"]]), ("quick", ["ranger", "random"]))
    for bot in answer["bots"]:
        its = [seat for seat in answer["seats"] if seat["bot"] == bot["bot"]]
        equal(bot["decisions"], sum(seat["decisions"] for seat in its))
        total = sum(seat["lost"] * seat["decisions"] for seat in its)
        expect(abs(bot["lost"] * bot["decisions"] - total) < 1e-3, answer["bots"])


def recorded(n):
    """The analysis of the first games of the lab, each from its record."""
    with tap.scratch() as folder:
        for number in range(n):
            path = f"{folder}/{number}.jsonl"
            sim(*LAB_TABLE, "--games", 1, "--from", number, "--seed", 3, "--record", path)
            yield fathom("analyse", path, "--budget", "quick", "--json").out


@case("--analyse gives the same bytes for any number of jobs, and tells strong bots from weak ones")
def lab_jobs():
    run = lab()
    equal(run.out_bytes, lab(jobs=1).out_bytes)
    strong, weak, other = run.json()["seats"]
    expect(strong["lost"] < min(weak["lost"], other["lost"]), (strong, weak, other))


@case("--analyse as text: a line for each seat, and one for a bot of several seats")
def lab_text():
    run = fathom("sim", *LAB_TABLE, "--games", 1, "--analyse")
    equal((run.status, run.err), (0, ""), run)
    lines = run.out.partition("lost by choices")[2].splitlines()[2:]
    equal([line.split()[:2] for line in lines], [["0", "ranger"], ["1", "random"], ["2", "random"], ["all", "random"]])
    fails(fathom("sim", "soumsoum", "--budget", "deep"), "--analyse")


# ---- records --------------------------------------------------------------------------------------


@cases("--record writes the first game, and it replays", {game: (game,) for game in tap.games()})
def record(game):
    with tap.scratch() as folder:
        first, again = f"{folder}/first.jsonl", f"{folder}/again.jsonl"
        sim(game, "--games", 20, "--from", 5, "--seed", 4, "--jobs", 2, "--record", first)
        sim(game, "--games", 1, "--from", 5, "--seed", 4, "--record", again)
        lines = []
        for path in (first, again):
            run = fathom("replay", path)
            equal(run.status, 0, run.err)
            with open(path, encoding="utf-8") as file:
                lines.append([json.loads(line) for line in file])
        for line in lines[0] + lines[1]:
            del line["sum"]
            line.pop("created", None)
        equal(lines[0], lines[1], "game 5 is the same alone")


@case("a record that cannot be written is an error")
def unwritable():
    for path in ("/dev/full", "/none/record.jsonl", "/", ""):
        run = fathom("sim", "soumsoum", "--games", 1, "--record", path)
        fails(run, path)
        equal(run.out, "", run)


@case("a file keeps what it holds until there is a record, also when sim is killed")
def kept():
    with tap.scratch() as folder:
        path = f"{folder}/game.jsonl"
        with open(path, "w", encoding="utf-8") as file:
            file.write("precious")
        fails(fathom("sim", "soumsoum", "--games", 0, "--record", path), "--games")
        equal(open(path, encoding="utf-8").read(), "precious")
        busy = subprocess.Popen([tap.program(), "sim", "soumsoum", "--games", "1000000000", "--record", path],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            busy.wait(0.5)
        except subprocess.TimeoutExpired:
            busy.kill()
        equal(busy.wait(), -signal.SIGKILL, "it was killed while it played")
        equal(open(path, encoding="utf-8").read(), "precious")
        equal(fathom("sim", "soumsoum", "--games", 1, "--record", path).status, 0)
        equal(fathom("replay", path).status, 0)


# ---- output ---------------------------------------------------------------------------------------

WRITERS = {
    "help": (["--help"],),
    "help of a command": (["sim", "--help"],),
    "version": (["version"],),
    "decks": (["decks", "list"],),
    "deck shown": (["decks", "show", "soumsoum-lagoon"],),
    "sim": (["sim", "soumsoum", "--games", "2"],),
    "sim --json": (["sim", "soumsoum", "--games", "2", "--json"],),
    "sim --watch": (["sim", "soumsoum", "--games", "1", "--watch", "--pace", "0"],),
    "bench": (["bench", "--ms", "10"],),
    "referee": (["referee", "-"], '{"game":"soumsoum"}'),
    "referee, illegal": (["referee", "-"], '{"game":"soumsoum","actions":[null]}'),
    "replay --json": (["replay", "--json", "-"], "nonsense"),
}


@cases("standard output full is status 2", WRITERS)
def full_output(args, stdin=""):
    with open("/dev/full", "wb") as full:
        run = fathom(*args, stdin=stdin, stdout=full)
    equal(run.status, 2, run)
    expect("standard output" in run.err, run.err)


@case("standard output closed is status 2")
def closed_output():
    run = subprocess.run(["/bin/sh", "-c", 'exec "$0" version >&-', tap.program()], capture_output=True,
                         timeout=60, check=False)
    equal(run.returncode, 2, run.stderr)


def on_terminal(*args, which):
    """Runs fathom with a terminal as one of its outputs; (status, terminal, the other output)."""
    ours, theirs = pty.openpty()
    outputs = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, which: theirs}
    with subprocess.Popen([tap.program(), *args], stdin=subprocess.DEVNULL, **outputs) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            shown += piece
        other = (process.stdout if which == "stderr" else process.stderr).read()
        status = process.wait(60)
    os.close(ours)
    return status, shown, other


LONG = ["sim", "soumsoum", "--games", "100000", "--jobs", "1", "--json"]


@case("progress is shown on a terminal, and cleared at the end")
def progress():
    status, shown, out = on_terminal(*LONG, which="stderr")
    equal(status, 0, shown)
    expect(re.match(rb"\r\[[#.]{40}\] +\d+\.\d %  \d+ s left ", shown), f"a bar: {shown[:100]!r}")
    expect(shown.endswith(b"\r\x1b[K"), f"cleared: {shown[-40:]!r}")
    expect(b"\n" not in shown, "it stays on its line")
    equal(json.loads(out)["games"], 100000)


@case("no progress where nobody looks: standard error is no terminal")
def no_progress():
    status, shown, err = on_terminal("sim", "soumsoum", "--games", "3000", "--json", which="stdout")
    equal((status, err), (0, b""))
    equal(json.loads(shown)["games"], 3000)
    expect(b"\x1b" not in shown and b"[#" not in shown, shown[:100])


@case("--watch on a terminal redraws the board, elsewhere it tells")
def watch():
    args = ["sim", "soumsoum", "--games", "1", "--watch", "--pace", "0", "--seed", "2"]
    status, shown, err = on_terminal(*args, which="stdout")
    equal((status, err), (0, b""))
    expect(shown.count(b"\x1b[H") >= 48, "a picture for each move")
    told = fathom(*args)
    equal((told.status, told.err), (0, ""))
    expect("\x1b" not in told.out, "no escapes")
    for seat in "AB":
        expect(f"  {seat} places " in told.out and f"{seat} draws a card" in told.out, "cards drawn stay hidden")


# ---- bench ------------------------------------------------------------------------------------------

FIGURES = ["moves_per_second", "games_per_second", "moves_per_game", "moves_per_second_with_view",
           "state_copies_per_second"]


def check_bench(answer, game):
    equal(list(answer), ["game", "options", "state_bytes", *FIGURES])
    equal(answer["game"], game)
    expect(0 < answer["state_bytes"] <= 4096, answer)
    for figure in FIGURES:
        expect(isinstance(answer[figure], (int, float)) and answer[figure] > 0, f"{figure}: {answer}")


@case("bench --json: every game, every figure")
def bench_all():
    run = fathom("bench", "--ms", 10, "--json")
    equal((run.status, run.err), (0, ""))
    answer = run.json()
    equal(list(answer), ["games"])
    equal(sorted(one["game"] for one in answer["games"]), tap.games())
    for one in answer["games"]:
        check_bench(one, one["game"])


@cases("bench of one game", {game: (game,) for game in tap.games()})
def bench_one(game):
    run = fathom("bench", game, "--ms", 10, "--json")
    equal((run.status, run.err), (0, ""))
    check_bench(run.json(), game)
    text = fathom("bench", game, "--ms", 10)
    equal(text.status, 0)
    expect("million moves a second" in text.out, text.out)


@case("Soum Soum: bench plays the table it is told, in 1 KiB")
def bench_options():
    answer = fathom("bench", "soumsoum", "--players", 4, "--market", "--ms", 10, "--json").json()
    equal((answer["options"]["players"], answer["options"]["market"], answer["moves_per_game"]), (4, True, 72))
    expect(answer["state_bytes"] <= 1024, answer["state_bytes"])


if __name__ == "__main__":
    if "soumsoum" not in tap.games():
        sys.exit("sims.py: this build has no Soum Soum")
    tap.main()
