#!/usr/bin/python3
"""records.py: `fathom replay` finds whatever is wrong with a record, and says in which line."""
import json
import os
import random
import re
import sys
from concurrent.futures import ThreadPoolExecutor

import tap
from forge import digest, with_sums, without_sums
from tap import case, cases, equal, expect, fails, fathom

SUM = re.compile(rb',"sum":"([0-9a-f]{8})"\}$')


def make_record(game, *flags):
    with tap.scratch() as folder:
        path = f"{folder}/record.jsonl"
        run = fathom("sim", game, *flags, "--games", 1, "--seed", 3, "--record", path)
        equal(run.status, 0, run.err)
        with open(path, "rb") as file:
            return file.read()


RECORD = make_record("soumsoum", "--players", 2)
LINES = RECORD.splitlines(keepends=True)


def replay(record, *flags, **more):
    return fathom("replay", "--json", *flags, "-", stdin=record, **more)


def wrong_line(record, line, status=2, code=None, **more):
    """The replay fails, with exactly this line, in its JSON."""
    run = replay(record, **more)
    answer = run.json()
    equal(sorted(answer), ["error", "ok"], run.out)
    equal((answer["ok"], answer["error"]["line"], run.status), (False, line, status), run.out)
    expect(answer["error"]["message"], "a sentence")
    if code is not None:
        equal(answer["error"]["code"], code, run.out)


# ---- forging --------------------------------------------------------------------------------------


def bare(record=RECORD):
    return without_sums(record)


def forged(change):
    """The record after `change` has worked on its lines, with sums that fit."""
    lines = bare()
    change(lines)
    return with_sums(lines)


# ---- right records --------------------------------------------------------------------------------


@cases("a record of sim replays", {game: (game,) for game in tap.games()})
def right(game):
    record = make_record(game)
    run = replay(record)
    equal((run.status, run.err), (0, ""), run.out)
    answer, lines = run.json(), bare(record)
    equal(answer, {"ok": True, "game": game, "events": len(lines) - 2, "result": lines[-1]["result"]})
    text = fathom("replay", "-", stdin=record)
    equal((text.status, text.err), (0, ""), text.out)
    expect("fine" in text.out, text.out)


@case("a record has the form that is promised")
def form():
    head, *events, end = [json.loads(line) for line in LINES]
    equal(list(head), ["fathom", "game", "rules", "options", "deck", "commitment", "seats", "created", "sum"])
    equal((head["fathom"], head["game"], head["options"]["players"]), (1, "soumsoum", 2))
    equal([sorted(seat) for seat in head["seats"]], [["bot", "name"]] * 2)
    expect(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", head["created"]), head["created"])
    equal(list(end), ["result", "seed", "sum"])
    equal(len(events), 48)
    for event in events:
        equal((list(event)[:3], list(event)[-2:]), (["t", "seat", "do"], ["state", "sum"]))
    times = [event["t"] for event in events]
    equal(times, sorted(times), "time goes on")


@case("sums and commitment are the documented hashes")
def hashes():
    equal(with_sums([SUM.sub(b"}", line.rstrip(b"\n")) for line in LINES]), RECORD)
    head, end = json.loads(LINES[0]), json.loads(LINES[-1])
    equal(digest(b"fathom commitment 1", bytes.fromhex(end["seed"])).hex(), head["commitment"])
    equal(replay(with_sums(bare())).status, 0, "a record put together again")


@case("a file is read like standard input, and named when it is wrong")
def files():
    with tap.scratch() as folder:
        path = f"{folder}/game.jsonl"
        with open(path, "wb") as file:
            file.write(RECORD)
        run = fathom("replay", path)
        equal(run.status, 0, run.err)
        expect(run.out.startswith(path), run.out)
        with open(path, "ab") as file:
            file.write(b"{}\n")
        fails(fathom("replay", path), path, f"line {len(LINES) + 1}")
    fails(fathom("replay", "-", stdin=RECORD[:-1]), "standard input", f"line {len(LINES)}")


# ---- changed bytes --------------------------------------------------------------------------------


def other_value(position):
    """A byte that does not stand there: a newline, a near one, another case or 0, in turn."""
    old = RECORD[position]
    others = [b for b in (0x0A, old ^ 0x01, old ^ 0x20, 0x00) if b != old]
    return others[position % len(others)]


def line_of(position):
    return RECORD.count(b"\n", 0, position) + 1


def check_change(position, value):
    changed = RECORD[:position] + bytes([value]) + RECORD[position + 1:]
    # The search for leaks at exit takes half of each run; the other cases have it.
    options = os.environ.get("ASAN_OPTIONS", "")
    wrong_line(changed, line_of(position), environment={"ASAN_OPTIONS": f"{options}:detect_leaks=0".lstrip(":")})


def check_changes(positions):
    with ThreadPoolExecutor(2) as pool:
        equal(len(list(pool.map(lambda position: check_change(position, other_value(position)), positions))), len(positions))


STARTS = [sum(map(len, LINES[:i])) for i in range(len(LINES) + 1)]
MIDDLE = sorted(random.Random(1).sample(range(STARTS[2], STARTS[-2]), 120))


def few(items):
    """Every eighth of what tests/unit/records_test.c does in full: it changes every byte to each of nine others, takes each
    away, cuts behind each, and drops, doubles and swaps every line. Here a program is started for each: that the line which
    is found is the one that `fathom replay` says shows in some of them as in all."""
    return list(items)[::8]


@cases("any changed byte is found in its line", {
    "first line": (range(STARTS[0], STARTS[1], 7),),
    "second line": (range(STARTS[1], STARTS[2], 7),),
    "30 places between": (MIDDLE[::4],),
    "every newline": ([start - 1 for start in STARTS[1:]],),
    "first byte of each line": (STARTS[:-1],),
    "last line": (range(STARTS[-2], STARTS[-1], 7),),
})
def changed_bytes(positions):
    check_changes(few(positions))


@case("an inserted or a missing byte is found in its line")
def inserted():
    for position in few(MIDDLE[::4]):
        line = line_of(position)
        wrong_line(RECORD[:position] + RECORD[position + 1:], line)
        if RECORD[position - 1] != 0x0A:  # a blank line before this one would be line, too
            wrong_line(RECORD[:position] + b" " + RECORD[position:], line)
        wrong_line(RECORD[:position] + b"\n" + RECORD[position:], line)


# ---- cut, dropped, doubled, swapped ---------------------------------------------------------------


@case("cut after any line: the last that is there is named")
def cut_lines():
    wrong_line(b"", 1, code="bad-record")
    for n in few(range(1, len(LINES))):
        wrong_line(b"".join(LINES[:n]), n, code="bad-record")


@case("cut within any line: that line is named")
def cut_within():
    for number, line in few(enumerate(LINES, 1)):
        for length in (1, len(line) // 2, len(line) - 1):
            wrong_line(b"".join(LINES[:number - 1]) + line[:length], number, code="bad-record")


@case("a dropped line is found where it should stand")
def dropped():
    for number in few(range(1, len(LINES))):
        wrong_line(b"".join(LINES[:number - 1] + LINES[number:]), number)


@case("a doubled line is found where it stands again")
def doubled():
    for number in few(range(1, len(LINES) + 1)):
        wrong_line(b"".join(LINES[:number] + LINES[number - 1:]), number + 1)


@case("swapped lines are found at the first of them")
def swapped():
    for i in few(range(len(LINES) - 1)):
        wrong_line(b"".join([*LINES[:i], LINES[i + 1], LINES[i], *LINES[i + 2:]]), i + 1)


@case("a line of another game is found")
def grafted():
    other = make_record("soumsoum", "--players", 2, "--bots", "greedy").splitlines(keepends=True)
    expect(other[5] != LINES[5], "the games differ")
    wrong_line(b"".join(LINES[:5] + [other[5]] + LINES[6:]), 6)


@cases("what is no record", {
    "nothing behind the end": (RECORD + b"{}\n", 51),
    "blank line at the end": (RECORD + b"\n", 51),
    "blank line at the start": (b"\n" + RECORD, 1),
    "CRLF": (RECORD.replace(b"\n", b"\r\n"), 1),
    "byte order mark": (b"\xef\xbb\xbf" + RECORD, 1),
    "a scenario": (b'{"game":"soumsoum"}', 1),
    "a newline": (b"\n", 1),
    "NUL bytes": (b"\0" * 4000, 1),
    "a line of 1 MB": (b"x" * 1_000_000 + b"\n", 1),
    "25000 lines": (b"{}\n" * 25000, 1),
    "10 MB of nonsense": (b"nonsense\xff" * 1_111_112, 1),
})
def no_record(record, line):
    wrong_line(record, line)


@case("a record of more than 16 MiB is not read")
def too_large():
    run = replay(b"x" * (0x1000000 + 1))
    equal((run.status, run.json()["error"]["code"]), (2, "too-big"))


# ---- forged: every sum fits, but the game does not --------------------------------------------------


def set_value(line, key, value):
    def change(lines):
        lines[line - 1][key] = value
    return change


def set_head(path, value):
    def change(lines):
        target = lines[0]
        for key in path[:-1]:
            target = target[key]
        target[path[-1]] = value
    return change


def drop_key(line, key):
    return lambda lines: lines[line - 1].pop(key)


def occupied(lines):
    lines[3]["at"] = lines[1]["at"]


def wrong_winner(lines):
    lines[-1]["result"]["winners"] = [1 - lines[-1]["result"]["winners"][0]]


FORGED = {
    "a seat that is not asked": (lambda lines: lines[1].update(seat=1 - lines[1]["seat"]), 2, 1, "not-your-turn"),
    "a card on a card": (occupied, 4, 1, "place-taken"),
    "another card": (lambda lines: lines[1].update(card=(lines[1]["card"] + 1) % 3), 2, 2, "diverged"),
    "another place": (lambda lines: lines[1].update(at=[4, 4] if lines[1]["at"] != [4, 4] else [0, 0]), 2, 2, "diverged"),
    "another time": (lambda lines: lines[1].update(t=lines[1]["t"] + 1), 2, 2, "diverged"),
    "back in time": (set_value(10, "t", 0), 10, 1, "wrong-time"),
    "another state": (set_value(7, "state", "00000000"), 7, 2, "diverged"),
    "a short state": (set_value(7, "state", "00"), 7, 2, "bad-value"),
    "no state": (drop_key(7, "state"), 7, 2, "bad-key"),
    "no time": (drop_key(7, "t"), 7, 2, "bad-key"),
    "no seat": (drop_key(7, "seat"), 7, 2, "bad-key"),
    "an unknown key": (set_value(7, "why", 1), 7, 2, "bad-key"),
    "a card in words": (set_value(2, "card", "one"), 2, 2, "bad-value"),
    "another result": (wrong_winner, 50, 2, "diverged"),
    "no result": (drop_key(50, "result"), 50, 2, "bad-record"),
    "no seed": (drop_key(50, "seed"), 50, 2, "bad-key"),
    "a key beside the result": (set_value(50, "why", 1), 50, 2, "bad-key"),
    "another seed": (set_value(50, "seed", "00" * 32), 1, 2, "bad-record"),
    "a seed in capitals": (lambda lines: lines[-1].update(seed=lines[-1]["seed"].upper()), 50, 2, "bad-value"),
    "another commitment": (set_head(["commitment"], "00" * 32), 1, 2, "bad-record"),
    "moves dropped at the end": (lambda lines: lines.pop(-2), 49, 2, "bad-record"),
    "a move after the end": (lambda lines: lines.insert(-1, lines[-2]), 50, 2, "bad-record"),
    "a result in between": (lambda lines: lines.insert(5, lines[-1]), 6, 2, "bad-record"),
    "a later version": (set_head(["fathom"], 2), 1, 2, "record-version"),
    "other rules": (set_head(["rules"], 9), 1, 2, "unknown-rules"),
    "an unknown game": (set_head(["game"], "chess"), 1, 2, "no-such-game"),
    "an impossible table": (set_head(["options", "players"], 5), 1, 2, "too-many-seats"),
    "other players": (set_head(["options", "players"], 3), 1, 2, "bad-value"),
    "an unknown deck": (set_head(["options", "deck"], "mine"), 1, 2, "bad-deck"),
    "another deck's id": (set_head(["deck", "id"], "mine"), 1, 2, "bad-record"),
    "another deck's hash": (set_head(["deck", "hash"], "00" * 32), 1, 2, "bad-deck"),
    "a seat too few": (lambda lines: lines[0]["seats"].pop(), 1, 2, "bad-value"),
    "a seat without name": (lambda lines: lines[0]["seats"][0].pop("name"), 1, 2, "bad-key"),
    "an unknown key in the head": (set_head(["why"], 1), 1, 2, "bad-key"),
    "no date": (drop_key(1, "created"), 1, 2, "bad-key"),
}


@cases("forged with fitting sums", FORGED)
def forgery(change, line, status, code):
    wrong_line(forged(change), line, status, code)


@cases("forged lines that are no events", {
    "a list": (b"[1]",), "not JSON": (b"{]}",), "an empty object": (b'{"x":0}',), "deep": (b'{"t":' + b"[" * 500 + b"}",),
    "not UTF-8": (b'{"t":"\xff"}',), "a key twice": (b'{"t":1,"t":1}',), "1e999": (b'{"t":1e999}',),
    "NUL": (b'{"t":"\0"}',),
})
def forged_line(line):
    lines = bare()
    wrong_line(with_sums(lines[:3] + [line] + lines[4:]), 4)
    wrong_line(with_sums([line] + lines[1:]), 1)
    wrong_line(with_sums(lines[:-1] + [line]), len(lines))


# ---- decks of one's own -------------------------------------------------------------------------


@case("a record with a transcribed deck needs that deck")
def own_deck():
    deck = {"fathom_deck": 1, "id": "mine", "game": "soumsoum", "title": "Mine",
            "cards": [{"animals": ["hermit"], "count": "any", "zone": "orthogonal"}] * 36}
    with tap.scratch() as folder:
        mine, other = f"{folder}/mine.json", f"{folder}/other.json"
        for path, zone in ((mine, "orthogonal"), (other, "board")):
            deck["cards"] = [{**card, "zone": zone} for card in deck["cards"]]
            with open(path, "w", encoding="utf-8") as file:
                json.dump(deck, file)
        record = make_record("soumsoum", "--deck", mine)
        equal(replay(record, "--deck", mine).status, 0)
        wrong_line(record, 1, code="bad-deck")
        run = replay(record, "--deck", other)
        equal((run.status, run.json()["error"]["line"], run.json()["error"]["code"]), (2, 1, "bad-deck"))


if __name__ == "__main__":
    if "soumsoum" not in tap.games():
        sys.exit("records.py: this build has no Soum Soum")
    tap.main()
