#!/usr/bin/python3
"""puzzles.py: `fathom puzzles`: those that are shipped hold, what was altered is refused, and equal seeds find equal puzzles.

Shipped puzzles are weighed again with the quick budget, which is enough to see that the best action leads; the same values
again, at the deep one: fathom puzzles --check games/NAME/puzzles.
"""
import json
import subprocess
import time
from pathlib import Path

import tap
from forge import with_sums, without_sums
from tap import case, cases, equal, expect, fails, fathom, scratch

SHIPPED = {game: (folder / "puzzles",) for game, folder in tap.folders().items() if any((folder / "puzzles").glob("*.json"))}
FULL = 60  # puzzles of a set
SAMPLES = sorted((tap.ROOT / "tests/fuzz/corpus/puzzle").glob("divercity-*.json"))  # found with seed 1

LOOKED = tap.ROOT / "tests/fuzz/corpus/puzzle/dive-01.json"  # what was known were pictures


def load(folder):
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]


def record_of(puzzle):
    return "".join(line + "\n" for line in puzzle["record"]).encode()


# ---- those that are shipped -----------------------------------------------------------------------


@cases("those that are shipped replay, the decision is that seat's, and the best action leads", SHIPPED)
def hold(folder):
    count = len(load(folder))
    equal(count, FULL)
    if tap.sanitized():
        return  # the same code has been through sanitizers with the samples
    run = fathom("puzzles", "--check", folder, "--budget", "quick")
    equal((run.status, run.err, run.out), (0, "", f"{count} puzzles, all right (quick)\n"), run)


def check_values(puzzle):
    values = [c["value"] for c in puzzle["candidates"]]
    equal(puzzle["best"], puzzle["candidates"][0]["action"], "best")
    equal(puzzle["second"], puzzle["candidates"][1]["action"], "second")
    equal(values, sorted(values, reverse=True), "the best first")
    expect(abs(puzzle["margin"] - (values[0] - values[1])) < 1e-9 and puzzle["margin"] >= 0.15, puzzle["margin"])
    expect(puzzle["glances"] < puzzle["tries"] / 2, "missed at a glance")
    missed = [1 - bot["found"] / puzzle["tries"] for bot in puzzle["bots"]]
    expect(abs(puzzle["difficulty"] - sum(missed) / len(missed)) < 1e-6 and puzzle["difficulty"] >= 0.25, puzzle["bots"])


@cases("their values fit together, and they are sorted from easy to hard", SHIPPED)
def values(folder):
    puzzles = load(folder)
    for puzzle in puzzles:
        check_values(puzzle)
    order = [(puzzle["difficulty"], -puzzle["margin"]) for puzzle in puzzles]
    equal(order, sorted(order), "from easy to hard")


@cases("they differ: each from a game of its own, with different tables, seats and answers", SHIPPED)
def varied(folder):
    puzzles = load(folder)
    heads = [json.loads(puzzle["record"][0]) for puzzle in puzzles]
    equal(len({head["commitment"] for head in heads}), len(puzzles), "games")
    expect(len({len(head["seats"]) for head in heads}) > 2, "numbers of players")
    expect(len({json.dumps(head["options"]) for head in heads}) > 5, "options")
    expect(len({puzzle["seat"] for puzzle in puzzles}) > 2, "seats")
    expect(len({json.dumps(puzzle["best"]) for puzzle in puzzles}) > 5, "answers")


# ---- what is refused ------------------------------------------------------------------------------



def sample(path=SAMPLES[0]):
    return json.loads(path.read_text(encoding="utf-8"))


def altered(change, path=SAMPLES[0]):
    puzzle = sample(path)
    change(puzzle)
    return json.dumps(puzzle, separators=(",", ":"))


def swap_tokens(puzzle):
    """A program that is as deep as the best and has its faces, in place of the second."""
    levels = puzzle["candidates"][1]["action"]["levels"] = json.loads(json.dumps(puzzle["best"]["levels"]))
    levels[0]["tokens"], levels[1]["tokens"] = levels[1]["tokens"], levels[0]["tokens"]


def reforged(change):
    """With other moves, and sums that fit them."""
    puzzle = sample()
    lines = without_sums(record_of(puzzle))
    change(lines)
    puzzle["record"] = with_sums(lines).decode().splitlines()
    return json.dumps(puzzle, separators=(",", ":"))


def swap_best(puzzle):
    puzzle["best"] = puzzle["candidates"][-1]["action"]


def put(*keys):
    """Sets puzzle[key]…[key] to the last of them."""
    def change(puzzle):
        *path, last, value = keys
        for key in path:
            puzzle = puzzle[key]
        puzzle[last] = value
    return change


BAD = {
    "no JSON": (lambda: "{", "line 1"),
    "a list": (lambda: "[]\n", "object"),
    "nothing": (lambda: "",),
    "too long": (lambda: " " * 0x40001, "larger"),
    "an unknown key": (lambda: altered(put("hint", 1)), "hint"),
    "no record": (lambda: altered(lambda puzzle: puzzle.pop("record")), "record"),
    "another version": (lambda: altered(put("fathom", 99)), "fathom"),
    "another game": (lambda: altered(put("game", "chess")), "fathom puzzles"),
    "a seat that the table does not have": (lambda: altered(put("seat", 9)), "seat"),
    "another seat": (lambda: altered(lambda puzzle: puzzle.update(seat=int(puzzle["seat"] == 0))), "best"),
    "another step": (lambda: altered(put("step", 1)), "step"),
    "no action": (lambda: altered(put("best", {"do": "fly"})), "fly"),
    "another best": (lambda: altered(swap_best), "0.15"),
    "a narrow margin": (lambda: altered(lambda p: p["candidates"][1].update(value=p["candidates"][0]["value"])), "0.15"),
    "a value that is none": (lambda: altered(put("candidates", 0, "value", 2)), "candidates[0]"),
    "a candidate twice": (lambda: altered(lambda p: p["candidates"].__setitem__(-1, p["candidates"][1])), "fathom puzzles"),
    "a candidate too few": (lambda: altered(lambda p: p["candidates"].pop()), "candidates"),
    "an unknown bot": (lambda: altered(put("bots", 0, "bot", "nobody")), "bots[0]"),
    "bots that find it every time": (lambda: altered(lambda p: [b.update(found=8) for b in p["bots"]]), "easily"),
    "glances that find it": (lambda: altered(put("glances", 8)), "glances"),
    "another difficulty": (lambda: altered(put("difficulty", 0.26)), "fathom puzzles"),
    "an altered record": (lambda: altered(lambda p: p["record"].__setitem__(1, p["record"][1].replace(":", ": ", 1))), "record", "line 2"),
    "a record without its end": (lambda: altered(lambda p: p["record"].pop()), "record"),
    "control characters in a record": (lambda: altered(put("record", 0, "\x1b[2J")), "record[0]"),
    "a move against the rules": (lambda: reforged(lambda lines: lines.insert(1, lines[2])), "record", "line"),
    "chances that do not make 1": (lambda: altered(put("belief", 0, 0, 0.5), LOOKED), "belief[0]"),
    "a level that nobody looked at": (lambda: altered(lambda p: p["belief"].pop(), LOOKED), "belief"),
    "no word of what was seen": (lambda: altered(lambda p: p.pop("belief"), LOOKED), "belief"),
    "one choice twice": (lambda: altered(swap_tokens, LOOKED), "same choice"),
    "the same as we write it, but with spaces": (lambda: json.dumps(sample()), "fathom puzzles"),
}


@cases("is refused", BAD)
def refused(make, *words):
    with scratch() as folder:
        Path(folder, "bad.json").write_text(make(), encoding="utf-8")
        run = fathom("puzzles", "--check", folder, "--budget", "quick")
        fails(run, "bad.json", *words)
        equal(run.out, "")


@case("each broken file is named, and sound ones beside them are not")
def several():
    with scratch() as folder:
        for name, text in (("a", "{"), ("b", SAMPLES[0].read_text()), ("c", "[]")):
            Path(folder, f"{name}.json").write_text(text)
        run = fathom("puzzles", "--check", folder, "--budget", "quick")
        equal(run.status, 2)
        equal([line.split(": ")[1][-6:] for line in run.err.splitlines()], ["a.json", "c.json"])


@case("what eyes saw is in the file: a quick check draws no picture, and the best leads")
def looked():
    with scratch() as folder:
        Path(folder, LOOKED.name).write_bytes(LOOKED.read_bytes())
        run = fathom("puzzles", "--check", folder, "--budget", "quick")
        equal((run.status, run.out), (0, "1 puzzle, all right (quick)\n"), run.err)


@case("other values are found by weighing again, with another status than a broken file")
def other_values():
    text = SAMPLES[0].read_text(encoding="utf-8")
    start = text.rindex('"se":') + len('"se":')
    with scratch() as folder:
        se = "0.000001" if text[start:start + 8] != "0.000001" else "0.000002"
        Path(folder, "changed.json").write_text(text[:start] + se + text[start + 8:], encoding="utf-8")
        equal(fathom("puzzles", "--check", folder, "--budget", "quick").status, 0, "the best leads")
        fails(fathom("puzzles", "--check", folder), "changed.json", "other values", status=1)


FLAGS = {
    "no folder is named": ((), "name one folder"),
    "two folders": (("a", "b"), "name one folder"),
    "a folder that is missing": (("/none",), "/none"),
    "a folder that is not empty": ((SAMPLES[0].parent,), "not empty"),
    "an unknown game": (("/tmp", "--game", "chess"), "chess"),
    "no puzzles": (("/none", "--count", 0), "--count"),
    "too many": (("/none", "--count", 1001), "--count"),
    "a seed that is none": (("/none", "--seed", "x"), "--seed"),
    "no jobs": (("/none", "--jobs", 0), "--jobs"),
    "a budget for finding": (("/none", "--budget", "quick"), "--check"),
    "a seed for checking": (("--check", "/none", "--seed", 1), "--check"),
    "an unknown budget": (("--check", "/none", "--budget", "huge"), "huge"),
    "checking a folder that is missing": (("--check", "/none"), "/none"),
}


@cases("refused", FLAGS)
def flags(arguments, *words):
    fails(fathom("puzzles", *arguments), *words)


@case("checking an empty folder is an error")
def empty():
    with scratch() as folder:
        fails(fathom("puzzles", "--check", folder), "no puzzles")


# ---- finding --------------------------------------------------------------------------------------


def interrupt(folder, *flags):
    """Starts a search, and kills it when it has found something. It is for more than are wanted, so that it is not done before."""
    with subprocess.Popen([tap.program(), "puzzles", folder, *flags, "--count", "20", "--jobs", "1"]) as search:
        while not any(Path(folder).glob("*.part")) and search.poll() is None:
            time.sleep(0.02)
        search.kill()


@case("an interrupted search goes on; equal seeds find equal puzzles for any number of jobs; and the deep check gives the same values")
def found():
    with scratch() as folder:
        flags = ("--game", sample()["game"], "--seed", "1")
        interrupt(folder, *flags)
        expect(any(Path(folder).glob("*.part")), "what was found is kept")
        run = fathom("puzzles", folder, *flags, "--count", len(SAMPLES), "--jobs", 2)
        equal((run.status, run.err), (0, ""), run)
        for path in SAMPLES:
            equal(Path(folder, path.name).read_bytes(), path.read_bytes(), path.name)
        check = fathom("puzzles", "--check", folder)
        equal((check.status, check.out), (0, f"{len(SAMPLES)} puzzles, all right (deep)\n"), check.err)


tap.main()
