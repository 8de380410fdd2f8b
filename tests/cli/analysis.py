#!/usr/bin/python3
"""analysis.py: `fathom analyse`: sums, marks and accuracy as docs/analysis.md defines them, the same bytes for any number
of jobs, strong and weak players told apart, and what is refused."""
import functools
from pathlib import Path

import tap
from forge import with_sums, without_sums
from tap import cases, case, equal, expect, fails, fathom, scratch

# What is analysed, each at the quick budget: the table, and who plays. Pictures are drawn for each round of Dive, and that
# takes longest: the game by random is the shortest of 250.
GAMES = {
    "soumsoum by the strongest": ("soumsoum", "--bots", "abyss"),
    "soumsoum by random": ("soumsoum", "--bots", "random"),
    "divercity by the strongest": ("divercity", "--divers", 3, "--bots", "warden"),
    "divercity by random": ("divercity", "--divers", 3, "--bots", "random"),
    "divercity against an industrialist": ("divercity", "--divers", 1, "--industrialist", "--bots", "ranger,baron"),
    "dive by the strongest": ("dive", "--bots", "mako", "--eyes", "pictures"),
    "dive by random": ("dive", "--bots", "random", "--seed", 209),
}
# Rarer tables, of which one seat is enough.
RARE = {
    "four with a market": ("soumsoum", "--players", 4, "--market", "--bots", "greedy"),
    "realistic": ("divercity", "--divers", 3, "--realistic", "--bots", "ranger"),
    "companions and the chief": ("dive", "--divers", 3, "--chief", "--companions", "ten", "--bots", "random"),
    "children": ("dive", "--divers", 4, "--children", "--bots", "steady"),
}
MARKS = [(0.2, "blunder"), (0.1, "mistake"), (0.05, "slip"), (0, "")]


@functools.cache
def record(*table):
    with scratch() as folder:
        path = Path(folder, "record.jsonl")
        equal(fathom("sim", table[0], "--seed", 2, *table[1:], "--games", 1, "--record", path).status, 0)
        return path.read_bytes()


@functools.cache
def analyse(table, *flags, jobs=2):
    run = fathom("analyse", "-", "--budget", "quick", "--json", "--jobs", jobs, *flags, stdin=record(*table))
    equal((run.status, run.err), (0, ""), run)
    return run


def check_seat(seat, decisions):
    """The sum of the specification, from what was printed alone; totals, accuracy."""
    luck, lost = (sum(d[key] for d in decisions) for key in ("luck", "lost"))
    expect(abs(seat["result"] - decisions[0]["best_value"] - (luck - lost)) < 1e-9, f"the sum of seat {seat}")
    expect(abs(seat["luck"] - luck) < 1e-9 and abs(seat["lost"] - lost) < 1e-9, f"totals of {seat}")
    equal(seat["decisions"], len(decisions))
    shares = [d["lost"] / d["best_value"] for d in decisions if d["best_value"] > 0.02]
    expect(abs(seat["accuracy"] - 100 * (1 - sum(shares) / len(shares))) < 0.051, f"accuracy of {seat}")
    for key, mark in (("slips", "slip"), ("mistakes", "mistake"), ("blunders", "blunder")):
        equal(seat[key], sum(d["mark"] == mark for d in decisions), key)


def check_decision(d):
    values = {str(c["action"]): c for c in d["candidates"]}
    expect(len(values) == len(d["candidates"]) > 1, f"candidates of {d}")
    equal(values[str(d["played"])]["value"], d["value"])
    equal(values[str(d["best"])]["value"], d["best_value"])
    equal(d["best_value"], max(c["value"] for c in d["candidates"]))
    equal([c["value"] for c in d["candidates"]], sorted((c["value"] for c in d["candidates"]), reverse=True))
    expect(all(0 <= c["value"] <= 1 and 0 <= c["se"] < 0.2 for c in d["candidates"]), f"values of {d}")
    expect(d["lost"] == 0 or abs(d["lost"] - (d["best_value"] - d["value"])) < 1e-9, f"lost of {d}")
    equal(d["mark"], next(mark for least, mark in MARKS if d["lost"] >= least - 1e-12))


def check(said):
    for seat in said["seats"]:
        check_seat(seat, [d for d in said["decisions"] if d["seat"] == seat["seat"]])
    for decision in said["decisions"]:
        check_decision(decision)


@cases("luck and losses add up, and all figures are as defined", {name: (table,) for name, table in GAMES.items()})
def figures(table):
    said = analyse(table).json()
    equal([said["fathom"], said["game"], said["budget"]], [1, table[0], "quick"])
    equal([seat["seat"] for seat in said["seats"]], list(range(len(said["seats"]))))
    check(said)


@cases("one seat of rarer tables", {name: (table,) for name, table in RARE.items()})
def rare(table):
    check(analyse(table, "--seat", 0).json())


@case("divers who played by the first rules")
def first_rules():
    golden = sorted((tap.folders()["divercity"] / "tests/golden").glob("*.jsonl"))
    old = next(path for path in golden if b'"rules":1,' in path.read_bytes().splitlines()[0])
    run = fathom("analyse", old, "--budget", "quick", "--json", "--seat", 0)
    equal((run.status, run.json()["rules"]), (0, 1), run.err)
    check(run.json())


@cases("the same bytes for one job and for two", {name: (GAMES[name],) for name in
                                                  ("soumsoum by random", "divercity by the strongest")})
def jobs(table):
    equal(analyse(table).out_bytes, analyse(table, jobs=1).out_bytes)


@case("the same bytes for one job and for two, in the water that is usual and in the same by its name: dive by random")
def jobs_in_water():
    table = GAMES["dive by random"]
    equal(analyse(table).out_bytes, analyse(table, "--water", "reef", jobs=1).out_bytes)


@case("a seat alone has the same decisions as among all")
def seats():
    table = GAMES["divercity by random"]
    said, alone = analyse(table).json(), analyse(table, "--seat", 1).json()
    equal(alone["decisions"], [d for d in said["decisions"] if d["seat"] == 1])
    equal(alone["seats"], said["seats"][1:2])


@cases("random loses far more by its choices than the strongest, which loses nearly nothing",
       {game: (game,) for game in ("soumsoum", "divercity", "dive")})
def strength(game):
    def mean_lost(who):
        decisions = analyse(GAMES[f"{game} by {who}"]).json()["decisions"]
        return sum(d["lost"] for d in decisions) / len(decisions)
    weak, strong = mean_lost("random"), mean_lost("the strongest")
    expect(strong < 0.01, f"the strongest loses {strong}")
    expect(weak > 0.02 and weak > 5 * strong, f"random loses {weak}, the strongest {strong}")


@case("what was known: places for a card, rivals' hands where the market told, own cards by species")
def knew():
    for d in analyse(GAMES["soumsoum by random"]).json()["decisions"]:
        equal(sorted(d["knew"]), ["places"] if d["played"]["do"] == "place" else [])
        for place in d["knew"].get("places", ()):
            twin = [c for c in d["candidates"] if c["action"] == {**d["played"], "at": place["at"]}]
            equal([(c["value"], c["se"]) for c in twin], [(place["value"], place["se"])])
    for d in analyse(RARE["four with a market"], "--seat", 0).json()["decisions"]:
        equal([rival["seat"] for rival in d["knew"]["rivals"]], [1, 2, 3])
        for rival in d["knew"]["rivals"]:
            expect(all(0 < card["chance"] <= 1 for card in rival["cards"]), rival)
    for d in analyse(GAMES["divercity by random"]).json()["decisions"]:
        for card in d["knew"]["cards"]:
            expect(abs(sum(card["species"].values()) - 1) < 1.2e-5, card)


def levels_of(decision):
    """What was known of each level, with average eyes and with sharp ones."""
    knew = decision["knew"]
    equal([level["level"] for level in knew["levels"]], list(range(1, len(knew["levels"]) + 1)))
    equal(len(knew["sharp"]), len(knew["levels"]))
    return zip(knew["levels"], knew["sharp"])


def likeliest(chances):
    return max(chances, key=chances.get)


@case("what was known in Dive: chances of each level's kinds, what was there, and where to look again")
def looked():
    run = fathom("analyse", "-", "--json", "--seat", 0, stdin=record(*GAMES["dive by random"]))
    equal((run.status, run.err), (0, ""), run)
    for d in run.json()["decisions"]:
        again = []
        for level, sharp in levels_of(d):
            for chances in (level["chances"], sharp):
                equal(len(chances), 8)
                expect(abs(sum(chances.values()) - 1) < 1e-5, chances)
            equal(sorted(level["seen"]), sorted(set(level["there"].split("+")) - {"empty"}), level)
            expect(all(25 <= part <= 100 for part in level["seen"].values()), level)
            if likeliest(level["chances"]) != level["there"] == likeliest(sharp):
                again.append(level["level"])
        equal(d["knew"]["again"], again)
        expect(all(-2 <= c["advance"] <= 22 for c in d["candidates"]), d)


@case("in Dive the top level is mostly taken for what it is")
def top_level():
    said = analyse(GAMES["dive by random"]).json()
    top = [d["knew"]["levels"][0] for d in said["decisions"]]
    expect(sum(likeliest(level["chances"]) == level["there"] for level in top) >= 0.6 * len(top), top)


@case("pictures are drawn in the water that is named")
def waters():
    def knew(*flags):
        said = analyse(GAMES["dive by random"], *flags).json()
        return [d["knew"] for d in said["decisions"] if d["seat"] == 0]
    usual, murky = knew(), knew("--seat", 0, "--water", "murky")
    expect(usual != murky, "the same is seen in murky water")
    equal(*([level["there"] for one in run for level in one["levels"]] for run in (usual, murky)))


@case("the text names every seat, and what would have been better")
def text():
    table = GAMES["divercity by random"]
    run = fathom("analyse", "-", "--budget", "quick", "--seat", 1, stdin=record(*table))
    equal((run.status, run.err), (0, ""), run)
    said = analyse(table, "--seat", 1).json()
    expect("seat 1, random" in run.out and "seat 0" not in run.out, run.out)
    equal(run.out.count("better was"), sum(d["lost"] > 0 for d in said["decisions"]))
    equal(run.out.count("\nmove "), len(said["decisions"]))


# ---- what is refused ------------------------------------------------------------------------------

SMALL = ("soumsoum", "--bots", "random")


def altered(change):
    lines = without_sums(record(*SMALL))
    change(lines)
    return with_sums(lines)


def illegal(lines):
    lines[1]["at"] = [2, 2]


BAD = {
    "cut in a line": (lambda: record(*SMALL)[:900], 2, "was cut"),
    "cut after a line": (lambda: b"".join(record(*SMALL).splitlines(keepends=True)[:9]), 2, "line 9"),
    "a game that is not over": (lambda: altered(lambda lines: lines.__delitem__(slice(-6, -1))), 2, "not over"),
    "an altered byte": (lambda: record(*SMALL).replace(b'"card":0', b'"card":1', 1), 2, "line"),
    "a move against the rules": (lambda: altered(illegal), 1, "line 2"),
    "newer rules": (lambda: altered(lambda lines: lines[0].update(rules=99)), 2, "line 1", "rules"),
    "another game": (lambda: altered(lambda lines: lines[0].update(game="chess")), 2, "line 1", "chess"),
    "no record": (lambda: b"[1, 2]\n", 2, "line 1"),
    "nothing": (lambda: b"", 2, "standard input"),
}


@cases("is refused", BAD)
def refused(make, status, *words):
    for flags in ((), ("--json",)):
        run = fathom("analyse", "-", *flags, stdin=make())
        fails(run, *words, status=status)
        equal(run.out, "")
    equal(fathom("replay", "-", stdin=make()).status, status, "as fathom replay has it")


@case("a seat that the game does not have")
def no_such_seat():
    fails(fathom("analyse", "-", "--seat", 2, stdin=record(*SMALL)), "--seat", "0 to 1")


@case("water that does not exist, or for a game without any")
def no_such_water():
    fails(fathom("analyse", "-", "--water", "mud", stdin=record(*GAMES["dive by random"])), "mud", "murky")
    fails(fathom("analyse", "-", "--water", "clear", stdin=record(*SMALL)), "no water")


tap.main()
