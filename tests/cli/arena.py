#!/usr/bin/python3
"""arena.py: `fathom arena`: the same figures for any number of jobs, shards and interruptions; bad files."""
from pathlib import Path

import tap
from tap import cases, case, equal, expect, fails, fathom, scratch

SOUM = ("soumsoum", "--bots", "random,greedy,paddler", "--deals", 30, "--seed", 7)


def arena(*flags):
    run = fathom("arena", *flags, "--json")
    equal((run.status, run.err), (0, ""), run)
    return run


@case("the same bytes for any number of jobs")
def jobs():
    equal(len({arena(*SOUM, "--jobs", n).out_bytes for n in (1, 2, 9)}), 1, "outputs")


@case("bots that search give the same bytes for any number of jobs and shards")
def searching():
    for flags in (("soumsoum", "--bots", "abyss,diver", "--deals", 2, "--iterations", 12),
                  ("divercity", "--divers", 3, "--bots", "warden", "--self", "--deals", 4, "--iterations", 40),
                  ("divercity", "--divers", 2, "--industrialist", "--bots", "baron", "--self", "--deals", 4, "--iterations", 40)):
        whole = arena(*flags, "--jobs", 1).out_bytes
        equal(arena(*flags, "--jobs", 3).out_bytes, whole, f"jobs of {flags}")
        with scratch() as folder:
            files = [Path(folder, f"{i}.jsonl") for i in (1, 2)]
            for i, file in enumerate(files, 1):
                arena(*flags, "--shard", f"{i}/2", "--out", file)
            equal(arena("merge", *files).out_bytes, whole, f"shards of {flags}")


@case("cheats who see their own hands win more, and stand in the tournament's name")
def open_hands():
    flags = ("divercity", "--divers", 2, "--level", "divemaster", "--bots", "ranger", "--self", "--deals", 100)
    honest, cheats = arena(*flags).json(), arena(*flags, "--open-hands").json()
    expect(cheats["entries"][0]["low"] > honest["entries"][0]["high"], "cheats are above")
    equal((honest["tournament"].get("open_hands"), cheats["tournament"]["open_hands"]), (None, True))


@case("shards added up are the whole, in any order")
def shards():
    whole = arena(*SOUM).out_bytes
    with scratch() as folder:
        files = [Path(folder, f"{i}.jsonl") for i in (1, 2, 3)]
        for i, file in enumerate(files, 1):
            arena(*SOUM, "--shard", f"{i}/3", "--out", file)
        equal(arena("merge", *files).out_bytes, whole)
        equal(arena("merge", *reversed(files)).out_bytes, whole)
        part = arena("merge", files[0]).json()
        equal(sum(e["deals"] for e in part["entries"]), 30, "a third of 90 deals")


@case("a tournament that was cut short goes on where it ended")
def resumed():
    with scratch() as folder:
        file = Path(folder, "all.jsonl")
        whole = arena(*SOUM, "--out", file).out_bytes
        lines = file.read_bytes()
        for cut in (len(lines) // 2, len(lines) - 1, lines.index(b"\n") + 1):
            file.write_bytes(lines[:cut])
            equal(arena(*SOUM, "--out", file).out_bytes, whole, f"after {cut} bytes")
            equal(sorted(file.read_bytes().splitlines()), sorted(lines.splitlines()), "the file")


@case("seats are swapped: a bot against its equal has half of the games")
def mirrored():
    entry = arena("soumsoum", "--bots", "greedy,greedy", "--deals", 20).json()["entries"][0]
    equal((entry["share"], entry["games"]), (0.5, 40))


@case("partners and self-play in DiverCity")
def together():
    alone = arena("divercity", "--divers", 2, "--bots", "ranger,random", "--self", "--deals", 60).json()
    equal([(e["bot"], e["with"], e["games"]) for e in alone["entries"]],
          [("ranger", "ranger", 60), ("random", "random", 60)])
    expect(alone["entries"][0]["low"] > alone["entries"][1]["high"], "ranger is above random")
    pair = arena("divercity", "--divers", 2, "--bots", "ranger", "--partner", "random", "--deals", 10).json()
    equal([(e["bot"], e["with"], e["games"]) for e in pair["entries"]], [("ranger", "random", 20)])


@case("ratings say who is strongest")
def ratings():
    elo = arena(*SOUM).json()["elo"]
    equal(sorted(elo, key=elo.get), ["random", "paddler", "greedy"])


@cases("refused", {
    "an unknown bot": (("soumsoum", "--bots", "random,nobody"), "nobody"),
    "one bot": (("soumsoum", "--bots", "random"), "two bots"),
    "no bots": (("soumsoum",), "no bot"),
    "one seat": (("dive", "--divers", 1, "--chief", "--bots", "steady,random"), "--self"),
    "a shard of nothing": ((*SOUM, "--shard", "4/3"), "--shard"),
    "a partner of oneself": ((*SOUM, "--self", "--partner", "random"), "do not go together"),
    "no deals": (("soumsoum", "--bots", "random,greedy", "--deals", 0), "--deals"),
    "open hands where all hands are open or hidden": ((*SOUM, "--open-hands"), "no hand of Soum Soum is hidden"),
    "no files": (("merge",), "name the files"),
    "a file that is not there": (("merge", "/nowhere/x.jsonl"), "cannot be opened"),
    "a file that cannot be written": ((*SOUM, "--out", "/nowhere/x.jsonl"), "cannot be written"),
})
def refused(flags, word):
    fails(fathom("arena", *flags), word)


@case("a file of another tournament, a damaged one and a deal twice are refused with their line")
def damaged():
    with scratch() as folder:
        file = Path(folder, "all.jsonl")
        arena(*SOUM, "--out", file)
        good = file.read_bytes()
        lines = good.splitlines(keepends=True)
        fails(fathom("arena", *SOUM[:-1], 8, "--out", file), "another tournament")
        equal(file.read_bytes(), good, "nothing was lost")
        for bad in (b'{"entry":3,"deal":0,"points":[0,0]}\n', b'{"entry":0,"deal":30,"points":[0,0]}\n',
                    b'{"entry":0,"deal":0,"points":[0,841]}\n', b"no\n", b'{"entry":0}\n', lines[1]):
            file.write_bytes(lines[0] + lines[1] + bad)
            fails(fathom("arena", "merge", file), "line 3")
        for header in (b"", b"{}\n", b"\n", b'{"fathom_arena":2}\n', lines[0][:100]):
            file.write_bytes(header)
            fails(fathom("arena", "merge", file), "all.jsonl")


tap.main()
