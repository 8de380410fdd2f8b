#!/usr/bin/python3
"""decks.py: `fathom decks`: the built-in ones, files that are fine, and errors that name card and field."""
import json
import re
import sys

import tap
from tap import case, cases, equal, expect, fails, fathom

LAGOON = tap.deck("soumsoum").read_text(encoding="utf-8")


def deck(**more):
    """The built-in deck, with keys changed; None takes a key out."""
    value = {**json.loads(LAGOON), **more}
    return {key: entry for key, entry in value.items() if entry is not None}


def with_card(i=0, **more):
    cards = json.loads(LAGOON)["cards"]
    cards[i] = {key: entry for key, entry in {**cards[i], **more}.items() if entry is not None}
    return deck(cards=cards)


def validate(value):
    text = value if isinstance(value, (str, bytes)) else json.dumps(value)
    return fathom("decks", "validate", "-", stdin=text)


def hash_of(value):
    run = validate(value)
    equal(run.status, 0, run.err)
    return re.search(r"[0-9a-f]{64}$", run.out.strip())[0]


@case("list: a line for each built-in deck, which is the deck.json of a game")
def listed():
    run = fathom("decks", "list")
    equal((run.status, run.err), (0, ""))
    equal(fathom("decks").out, run.out, "list is the default")
    rows = {line.split()[0]: line.split() for line in run.out.splitlines()}
    files = {json.loads(tap.deck(game).read_text(encoding="utf-8"))["id"]: tap.deck(game) for game in tap.games()}
    equal(sorted(rows), sorted(files))
    for name, path in files.items():
        checked = fathom("decks", "validate", path)
        equal(checked.status, 0, checked.err)
        expect(f"fine: {name}, a deck for {rows[name][1]}" in checked.out, checked.out)
        expect(checked.out.strip().endswith(rows[name][-1]), "the same hash")


@case("show prints the cards")
def show():
    run = fathom("decks", "show", "soumsoum-lagoon")
    equal((run.status, run.err), (0, ""))
    lines = run.out.splitlines()
    equal((len(lines), len(set(lines)), lines[0], lines[-1]), (36, 36, "shark:shark@row", "hermit:hermit@diagonals"))


@case("the hash is over the cards in order, not over layout or title")
def hashes():
    lagoon = hash_of(LAGOON)
    equal(hash_of(json.dumps(json.loads(LAGOON), indent=8)), lagoon, "layout")
    equal(hash_of(deck(id="other", title="Other", about=None)), lagoon, "names")
    equal(hash_of(with_card(self=True)), lagoon, "a default said aloud")
    cards = json.loads(LAGOON)["cards"]
    expect(hash_of(deck(cards=cards[1:] + cards[:1])) != lagoon, "order")
    expect(hash_of(with_card(zone="board")) != lagoon, "a card")
    expect(hash_of(with_card(self=False)) != hash_of(with_card()), "self")


@case("everything that the format allows")
def allowed():
    for value in (with_card(animals=["shark"] * 6), with_card(animals=["hermit", "shark", "octopus"]),
                  with_card(count="any"), with_card(zone="orthogonal"), with_card(zone="board", self=False),
                  deck(id="a"), deck(id="a-1-b"), deck(id="x" * 39), deck(title="t" * 95), deck(about="a" * 2000),
                  deck(about=None), deck(title="Lagune \u00e0 l\u2019\u00e9t\u00e9"), deck(cards=[with_card()["cards"][0]] * 36)):
        hash_of(value)


REFUSED = {
    "35 cards": (deck(cards=json.loads(LAGOON)["cards"][:35]), "cards", "36", "35"),
    "37 cards": (deck(cards=json.loads(LAGOON)["cards"] + json.loads(LAGOON)["cards"][:1]), "cards", "36", "37"),
    "no cards": (deck(cards=[]), "cards", "36"),
    "cards as object": (deck(cards={}), "cards"),
    "cards as text": (deck(cards="36"), "cards"),
    "unknown animal": (with_card(7, animals=["narwhal"]), "cards[7].animals[0]", "narwhal"),
    "any as an animal": (with_card(7, animals=["any"]), "cards[7].animals[0]", "any"),
    "second animal unknown": (with_card(35, animals=["shark", "whale"]), "cards[35].animals[1]", "whale"),
    "no animals": (with_card(7, animals=[]), "cards[7].animals"),
    "seven animals": (with_card(7, animals=["shark"] * 7), "cards[7].animals"),
    "animals as text": (with_card(7, animals="shark"), "cards[7].animals"),
    "animal as number": (with_card(7, animals=[1]), "cards[7].animals[0]"),
    "unknown count": (with_card(3, count="whale"), "cards[3].count", "whale"),
    "count as list": (with_card(3, count=["shark"]), "cards[3].count"),
    "unknown zone": (with_card(4, zone="abyss"), "cards[4].zone", "abyss"),
    "empty zone": (with_card(4, zone=""), "cards[4].zone"),
    "zone in capitals": (with_card(4, zone="Row"), "cards[4].zone"),
    "self as number": (with_card(4, self=1), "cards[4].self"),
    "self as text": (with_card(4, self="false"), "cards[4].self"),
    "a card without animals": (with_card(9, animals=None), "cards[9]", "animals"),
    "a card without count": (with_card(9, count=None), "cards[9]", "count"),
    "a card without zone": (with_card(9, zone=None), "cards[9]", "zone"),
    "a card with a key too many": (with_card(9, worth=3), "cards[9]", "worth"),
    "a card as text": (deck(cards=["shark:shark@row"] * 36), "cards[0]"),
    "a card as null": (deck(cards=[None] * 36), "cards[0]"),
    "no id": (deck(id=None), "id"),
    "no title": (deck(title=None), "title"),
    "no game": (deck(game=None), "game"),
    "no version": (deck(fathom_deck=None), "fathom_deck"),
    "no list of cards": (deck(cards=None), "cards"),
    "version 2": (deck(fathom_deck=2), "fathom_deck"),
    "version as text": (deck(fathom_deck="1"), "fathom_deck"),
    "version as true": (deck(fathom_deck=True), "fathom_deck"),
    "key too many": (deck(author="me"), "author"),
    "unknown game": (deck(game="chess"), "chess"),
    "id with capitals": (deck(id="Lagoon"), "id"),
    "id with spaces": (deck(id="my deck"), "id"),
    "id with a path": (deck(id="../deck"), "id"),
    "id with two dashes": (deck(id="a--b"), "id"),
    "id ending in a dash": (deck(id="a-"), "id"),
    "id ending in a newline": (deck(id="a\n"), "id"),
    "id of 40": (deck(id="x" * 40), "id"),
    "empty id": (deck(id=""), "id"),
    "id as number": (deck(id=5), "id"),
    "title of 96": (deck(title="t" * 96), "title"),
    "empty title": (deck(title=""), "title"),
    "about of 2001": (deck(about="a" * 2001), "about"),
    "about as list": (deck(about=[]), "about"),
    "key twice": (LAGOON.replace('"game"', '"id": "twice", "game"', 1), "id"),
    "key twice in a card": (LAGOON.replace('"zone": "row"', '"zone": "row", "zone": "row"', 1), "line 8", "zone"),
    "not JSON, on its line": (LAGOON.replace('"zone": "column"', '"zone" "column"', 1), "line 9"),
    "cut": (LAGOON[:500], "line"),
    "a comma too many": (LAGOON.replace('"diagonals"}\n  ]', '"diagonals"},\n  ]'), "line"),
    "a list": ("[]", "object"),
    "null": ("null", ""),
    "empty": ("", "empty"),
    "NUL bytes": (b"\0" * 100, ""),
    "a NUL byte inside": (LAGOON.encode().replace(b"Lagoon", b"Lag\0oon"), "line 5"),
    "not UTF-8": (LAGOON.encode().replace(b"Lagoon", b"Lag\xffoon"), "line 5"),
    "1e999": (LAGOON.replace('"fathom_deck": 1', '"fathom_deck": 1e999'), "fathom_deck"),
    "1.0": (LAGOON.replace('"fathom_deck": 1', '"fathom_deck": 1.0'), "fathom_deck"),
    "nested deep": ("[" * 100000, "deep"),
    "256 KiB and a byte": (LAGOON + " " * (0x40001 - len(LAGOON)), "larger"),
    "10 MB of nonsense": (b"nonsense " * 1_111_112, "larger"),
}


@cases("refused", REFUSED)
def refused(value, *words):
    run = validate(value)
    fails(run, "standard input", *words)
    equal(run.out, "", run)


@case("as large as a file may be")
def largest():
    equal(hash_of(LAGOON + " " * (0x40000 - len(LAGOON.encode()))), hash_of(LAGOON))


@case("sim plays with a deck of one's own, and refuses a bad one")
def played():
    with tap.scratch() as folder:
        good, bad = f"{folder}/good.json", f"{folder}/bad.json"
        for path, value in ((good, deck(id="mine", cards=[with_card(zone="board", count="any")["cards"][0]] * 36)),
                            (bad, with_card(5, animals=["narwhal"]))):
            with open(path, "w", encoding="utf-8") as file:
                json.dump(value, file)
        answer = fathom("sim", "soumsoum", "--games", 3, "--json", "--deck", good).json()
        equal((answer["options"]["deck"], answer["games"]), ("mine", 3))
        expect(answer["seats"][0]["score"] > 20, "every diver counts the whole board")
        fails(fathom("sim", "soumsoum", "--deck", bad), bad, "cards[5].animals[0]", "narwhal")
        run = fathom("referee", "--deck", bad, "-")
        equal((run.status, run.json()["ok"], run.json()["error"]["action"]), (2, False, None))
        expect(bad in run.out and "cards[5]" in run.out, run.out)
        named = '{"game":"soumsoum","options":{"deck":"soumsoum-lagoon"}}'
        run = fathom("referee", "--deck", good, "-", stdin=named)
        equal((run.status, run.json()["error"]["code"]), (2, "bad-deck"), "a deck that is brought is played with")
        fails(fathom("replay", "--deck", bad, "-"), bad, "cards[5]")
        fails(fathom("decks", "validate", bad), bad, "cards[5]")


if __name__ == "__main__":
    if "soumsoum" not in tap.games():
        sys.exit("decks.py: this build has no Soum Soum")
    tap.main()
