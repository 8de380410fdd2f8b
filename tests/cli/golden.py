#!/usr/bin/python3
"""golden.py: records of earlier games, games/NAME/tests/golden/*.jsonl, still replay exactly.

They are made once. A change of rules that breaks one needs a new version of the rules, and records of that version beside the old ones, made by
`fathom sim NAME … --games 1 --record games/NAME/tests/golden/WHAT.jsonl`.
"""
import json

import tap
from tap import cases, equal, expect, fathom

FOLDERS = {game: folder / "tests/golden" for game, folder in tap.folders().items()}
RECORDS = {f"{game}/{path.name}": (game, path) for game, folder in FOLDERS.items() for path in sorted(folder.glob("*.jsonl"))}


@cases("replays", RECORDS)
def replays(game, path):
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    run = fathom("replay", "--json", path)
    equal((run.status, run.err), (0, ""), run.out)
    equal(run.json(), {"ok": True, "game": game, "events": len(lines) - 2, "result": lines[-1]["result"]})


@cases("there are golden records of", {game: (folder,) for game, folder in FOLDERS.items()})
def all_games(folder):
    expect(len(list(folder.glob("*.jsonl"))) >= 3, f"{folder}: make some with fathom sim --record")


@cases("nothing else lies among those of", {game: (folder,) for game, folder in FOLDERS.items()})
def nothing_else(folder):
    equal([path for path in folder.rglob("*") if path.suffix != ".jsonl"], [], "files")


if __name__ == "__main__":
    tap.main()
