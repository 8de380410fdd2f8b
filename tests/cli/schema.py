#!/usr/bin/python3
"""schema.py: each game's deck.schema.json and `fathom decks validate` accept and refuse the same decks."""
import copy
import json

import jsonschema

import tap
from tap import case, cases, equal, expect, fathom

DECKS = [tap.deck(game) for game in tap.games()]
WRONG = [None, True, False, 0, 1, 2, -1, 1.5, "", "x", "any", "shark", "row", [], ["shark"], [None], {}, {"x": 1}]


def schema_of(game):
    path = tap.folders()[game] / "deck.schema.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def verdicts(validator, deck):
    """What the schema and what fathom say."""
    run = fathom("decks", "validate", "-", stdin=json.dumps(deck))
    expect(run.status in (0, 2), f"{run}: {run.err}")
    return validator.is_valid(deck), run.status == 0, run.err


# What a schema cannot say, and fathom alone checks.
BEYOND = ("these counts make", "stands here twice")


def agree(validator, deck, what, wanted=None):
    schema, program, err = verdicts(validator, deck)
    if any(words in err for words in BEYOND):
        schema = False
    equal(schema, program, f"{what}: schema and fathom ({err.strip()})")
    if wanted is not None:
        equal(program, wanted, f"{what}: accepted")
    return program


@cases("the built-in deck fits its schema", {path.stem: (path,) for path in DECKS})
def built_in(path):
    deck = json.loads(path.read_text(encoding="utf-8"))
    agree(schema_of(deck["game"]), deck, path.name, wanted=True)


def mutations(deck):
    """(what, deck): every key away, a key too many, and wrong values for every key of deck and one card."""
    for key in deck:
        yield f"without {key}", {k: v for k, v in deck.items() if k != key}
        for value in WRONG:
            yield f"{key} = {value!r}", {**deck, key: value}
    yield "a key too many", {**deck, "x": 1}
    for value in WRONG:
        yield f"a deck that is {value!r}", value
    for key, cards in deck.items():
        if isinstance(cards, list) and cards:
            for n in (0, 1, len(cards) - 1):
                yield f"{n} of {key}", {**deck, key: cards[:n]}
            yield f"one too many of {key}", {**deck, key: cards + cards[:1]}
            if isinstance(cards[0], dict):
                yield from card_mutations(deck, key)


def card_mutations(deck, list_key):
    def with_card(card):
        changed = copy.deepcopy(deck)
        changed[list_key][0] = card
        return changed
    card = deck[list_key][0]
    for value in WRONG:
        yield f"a card that is {value!r}", with_card(value)
    yield "a card with a key too many", with_card({**card, "x": 1})
    for key in card:
        yield f"a card without {key}", with_card({k: v for k, v in card.items() if k != key})
        for value in WRONG:
            yield f"a card's {key} = {value!r}", with_card({**card, key: value})


@cases("schema and fathom agree on every mutation of", {path.stem: (path,) for path in DECKS})
def mutated(path):
    deck = json.loads(path.read_text(encoding="utf-8"))
    validator = schema_of(deck["game"])
    accepted = [agree(validator, changed, what) for what, changed in tap.some(mutations(deck))]
    expect(len(accepted) > (5 if tap.sanitized() else 50) and not all(accepted), "mutations that break a deck")


SOUMSOUM = {
    "six animals": (True, "card", {"animals": ["shark"] * 6}),
    "seven animals": (False, "card", {"animals": ["shark"] * 7}),
    "mixed animals": (True, "card", {"animals": ["hermit", "shark", "hermit"]}),
    "any as an animal": (False, "card", {"animals": ["any"]}),
    "an unknown animal": (False, "card", {"animals": ["narwhal"]}),
    "count any": (True, "card", {"count": "any"}),
    "count of an unknown animal": (False, "card", {"count": "narwhal"}),
    "zone orthogonal": (True, "card", {"zone": "orthogonal"}),
    "zone board": (True, "card", {"zone": "board"}),
    "an unknown zone": (False, "card", {"zone": "abyss"}),
    "self true": (True, "card", {"self": True}),
    "self false": (True, "card", {"self": False}),
    "self 0": (False, "card", {"self": 0}),
    "self null": (False, "card", {"self": None}),
    "version 2": (False, "deck", {"fathom_deck": 2}),
    "version true": (False, "deck", {"fathom_deck": True}),
    "another game": (False, "deck", {"game": "chess"}),
    "id of 39": (True, "deck", {"id": "x" * 39}),
    "id of 40": (False, "deck", {"id": "x" * 40}),
    "id with dashes": (True, "deck", {"id": "a-1-z"}),
    "id with two dashes": (False, "deck", {"id": "a--z"}),
    "id that begins with a dash": (False, "deck", {"id": "-a"}),
    "id that ends with a dash": (False, "deck", {"id": "a-"}),
    "id with a capital": (False, "deck", {"id": "aB"}),
    "id with a newline": (False, "deck", {"id": "ab\n"}),
    "id with a dot": (False, "deck", {"id": "a.b"}),
    "id with an umlaut": (False, "deck", {"id": "\u00e4"}),
    "title of 95": (True, "deck", {"title": "t" * 95}),
    "title of 96": (False, "deck", {"title": "t" * 96}),
    "title beyond ASCII": (True, "deck", {"title": "L\u2019\u00e9t\u00e9 \U0001f419"}),
    "about of 2000": (True, "deck", {"about": "a" * 2000}),
    "about of 2001": (False, "deck", {"about": "a" * 2001}),
    "about of nothing": (False, "deck", {"about": ""}),
}


@cases("Soum Soum", SOUMSOUM)
def soumsoum(wanted, where, change):
    deck = json.loads(tap.deck("soumsoum").read_text(encoding="utf-8"))
    target = deck if where == "deck" else deck["cards"][17]
    target.update(change)
    agree(schema_of("soumsoum"), deck, "Soum Soum", wanted)


DIVE = {
    "all sheets alike": (True, [{"card": "shark+manta", "count": 36}]),
    "a kind without sheets": (True, [{"card": "red", "count": 36}, {"card": "empty", "count": 0}]),
    "35 sheets": (False, [{"card": "empty", "count": 35}]),
    "37 sheets": (False, [{"card": "empty", "count": 36}, {"card": "red", "count": 1}]),
    "a kind twice": (False, [{"card": "empty", "count": 18}, {"card": "empty", "count": 18}]),
    "two helpers": (False, [{"card": "green+red", "count": 36}]),
    "helper before shark": (False, [{"card": "green+shark", "count": 36}]),
    "a count below 0": (False, [{"card": "red", "count": 37}, {"card": "empty", "count": -1}]),
}


ORDER = {"speeds": [2, 3, 6, 4], "yellow": [3, 4]}
CHIEF = {
    "all alike": (True, [ORDER] * 48),
    "yellow in the other order": (True, [{**ORDER, "yellow": [4, 3]}] * 48),
    "47 cards": (False, [ORDER] * 47),
    "49 cards": (False, [ORDER] * 49),
    "no cards": (False, []),
    "null": (False, None),
    "a speed of 5": (False, [{**ORDER, "speeds": [2, 3, 5, 4]}] * 48),
    "a speed twice": (False, [{**ORDER, "speeds": [2, 3, 3, 4]}] * 48),
    "three speeds": (False, [{**ORDER, "speeds": [2, 3, 4]}] * 48),
    "yellow on level 3 alone": (False, [{**ORDER, "yellow": [3]}] * 48),
    "yellow nowhere": (False, [{**ORDER, "yellow": []}] * 48),
    "yellow twice": (False, [{**ORDER, "yellow": [4, 4]}] * 48),
    "without yellow": (False, [{"speeds": [2, 3, 6, 4]}] * 48),
    "a key too many": (False, [{**ORDER, "count": 1}] * 48),
    "one that is no card": (False, [ORDER] * 47 + ["2,3,6,4"]),
}


@cases("Dive's chief cards", CHIEF)
def chief(wanted, cards):
    deck = json.loads(tap.deck("dive").read_text(encoding="utf-8"))
    agree(schema_of("dive"), {**deck, "chief_cards": cards}, "Dive", wanted)


@cases("Dive", DIVE)
def dive(wanted, cards):
    deck = json.loads(tap.deck("dive").read_text(encoding="utf-8"))
    agree(schema_of("dive"), {**deck, "cards": cards}, "Dive", wanted)


if __name__ == "__main__":
    tap.main()
