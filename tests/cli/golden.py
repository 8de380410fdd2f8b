#!/usr/bin/python3
"""golden.py: records of earlier games, tests/golden/GAME/*.jsonl, still replay to the letter.

A change of rules that breaks one needs a new rules_version, and new records made by
`fathom sim GAME … --games 1 --record tests/golden/GAME/NAME.jsonl`.
"""
import json

import tap
from tap import case, cases, equal, expect, fathom

FOLDER = tap.ROOT / "tests/golden"
RECORDS = sorted(FOLDER.rglob("*.jsonl"))


@cases("replays", {str(path.relative_to(FOLDER)): (path,) for path in RECORDS})
def replays(path):
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    run = fathom("replay", "--json", path)
    equal((run.status, run.err), (0, ""), run.out)
    equal(run.json(), {"ok": True, "game": path.parent.name, "events": len(lines) - 2, "result": lines[-1]["result"]})


@cases("there are golden records of", {game: (game,) for game in tap.games()})
def all_games(game):
    expect(len(list((FOLDER / game).glob("*.jsonl"))) >= 3, f"{FOLDER / game}: make some with fathom sim --record")


@case("nothing else lies among them")
def nothing_else():
    others = [path for path in FOLDER.rglob("*") if path.is_file() and path not in RECORDS]
    equal(others, [], "files")


if __name__ == "__main__":
    tap.main()
