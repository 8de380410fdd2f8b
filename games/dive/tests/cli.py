#!/usr/bin/python3
"""cli.py: Dive on the command line: simulated games with eyes, the chief, and numbers that are not valid."""
import json
import re

import tap
from tap import case, cases, equal, expect, fails, fathom


def sim(*flags):
    run = fathom("sim", "dive", "--bots", "steady", "--seed", 3, "--json", *flags)
    equal((run.status, run.err), (0, ""), run)
    return run.json()


# ---- figures ------------------------------------------------------------------------------------


@case("four divers with average eyes: a median of 5 or 6 rounds, no seat favoured")
def rounds():
    answer = sim("--divers", 4, "--eyes", "average", "--games", 3000)
    expect(answer["rounds"]["median"] in (5, 6), answer["rounds"])
    equal(sum(answer["rounds"]["histogram"].values()), 3000)
    equal(sorted(answer["reasons"]), ["empty-stack", "stone"])
    shares = [seat["share"] for seat in answer["seats"]]
    middle = sum(shares) / 4
    expect(all(abs(share - middle) < 0.035 for share in shares), shares)


@cases("the chief's share of wins is told", {f"{n} divers": (n,) for n in (1, 2, 3, 4)})
def chief(divers):
    answer = sim("--divers", divers, "--chief", "--games", 300)
    wins = answer["chief"]["wins"]
    expect(0 <= wins <= 300 and abs(answer["chief"]["share"] - wins / 300) < 0.0001, answer["chief"])
    if divers == 1:
        equal(answer["seats"][0]["wins"] + wins, 300, "somebody wins, and never both")


TABLES = {
    "companions and a clock": ("--divers", 4, "--companions", "ten", "--clock", 15),
    "seven companions": ("--divers", 2, "--companions", "seven"),
    "chief and companions": ("--divers", 3, "--chief", "--companions", "ten"),
    "children": ("--divers", 3, "--children"),
}


@cases("every table is played to its end", TABLES)
def tables(*flags):
    equal(sim(*flags, "--games", 200)["games"], 200)


# ---- chief cards of one's own --------------------------------------------------------------------

ALL_ALIKE = [{"speeds": [6, 4, 3, 2], "yellow": [4]}] * 47 + [{"speeds": [2, 3, 4, 6], "yellow": [3, 4]}]


def own_deck(cards):
    deck = json.loads(tap.deck("dive").read_text(encoding="utf-8"))
    return {**deck, "id": "own-chief", **({} if cards is None else {"chief_cards": cards})}


@case("D37: a deck file may give the chief's cards: they are played, recorded and known to the bots")
def own_chief():
    with tap.scratch() as folder:
        deck, record = f"{folder}/deck.json", f"{folder}/game.jsonl"
        with open(deck, "w", encoding="utf-8") as file:
            json.dump(own_deck(ALL_ALIKE), file)
        flags = ["--divers", 2, "--chief", "--deck", deck, "--games", 1, "--seed", 5]
        equal(fathom("sim", "dive", *flags, "--bots", "steady,mako", "--record", record).status, 0)
        equal(fathom("replay", "--deck", deck, record).status, 0)
        fails(fathom("replay", record), "own-chief")
        watched = fathom("sim", "dive", *flags, "--bots", "steady", "--watch", "--pace", 0).out
        numbers = re.findall(r"the chief shows (.*)", watched)
        expect(len(numbers) > 1 and set(numbers) <= {"6 4 3 2 (yellow)", "2 3 4 (yellow) 6 (yellow)"}, numbers)


@case("the hash of a deck without chief cards is as before, with them another")
def own_chief_hash():
    def digest(cards):
        return fathom("decks", "validate", "-", stdin=json.dumps(own_deck(cards))).out.split()[-1]
    expect(digest(None) in fathom("decks", "list").out, "the built-in deck has the same cards")
    expect(digest(ALL_ALIKE) not in (digest(None), digest(ALL_ALIKE[::-1][:1] * 48)), "three decks")
    equal(digest(ALL_ALIKE), digest(ALL_ALIKE[::-1]), "in any order")


@case("D37: a position may name only chief cards that the deck has")
def own_chief_position():
    def referee(card, *flags):
        scenario = {"game": "dive", "options": {"divers": 1, "chief": True}, "setup": {"chief_cards": [card]}}
        return fathom("referee", *flags, "-", stdin=json.dumps(scenario))
    with tap.scratch() as folder:
        deck = f"{folder}/deck.json"
        with open(deck, "w", encoding="utf-8") as file:
            json.dump(own_deck(ALL_ALIKE), file)
        other = {"speeds": [2, 3, 6, 4], "yellow": [4]}
        equal(referee(other).status, 0)
        equal(referee(ALL_ALIKE[0], "--deck", deck).status, 0)
        answer = referee(other, "--deck", deck)
        equal((answer.status, answer.json()["error"]["code"]), (2, "bad-setup"))


# ---- eyes ---------------------------------------------------------------------------------------


def with_eyes(eyes, **more):
    return fathom("sim", "dive", "--bots", "steady", "--games", 300, "--json", "--eyes", "-",
                  stdin=json.dumps(eyes), **more)


@case("sharper eyes go further")
def sharper():
    scores = {}
    for eyes in ("keen", "short-sighted"):
        answer = sim("--divers", 4, "--eyes", eyes, "--games", 1500)
        scores[eyes] = answer["rounds"]["mean"]
    expect(scores["keen"] < scores["short-sighted"], scores)


@case("eyes are a file, too: numbers or tables")
def eye_files():
    row = [[1.0 if there == seen else 0 for seen in range(8)] for there in range(8)]
    perfect = with_eyes({"fathom_eyes": 1, "levels": [1, 1, 1, 1, 1]})
    equal(perfect.status, 0, perfect.err)
    equal(with_eyes({"fathom_eyes": 1, "levels": [row] * 6}).out, perfect.out, "the same eyes")
    blind = with_eyes({"fathom_eyes": 1, "levels": [[[0.125] * 8] * 8] * 5}).json()
    expect(blind["rounds"]["mean"] > perfect.json()["rounds"]["mean"] + 2, "who sees nothing is slow")


BAD_EYES = {
    "no version": {"levels": [1] * 5},
    "another version": {"fathom_eyes": 2, "levels": [1] * 5},
    "four levels": {"fathom_eyes": 1, "levels": [1] * 4},
    "seven levels": {"fathom_eyes": 1, "levels": [1] * 7},
    "more than certain": {"fathom_eyes": 1, "levels": [1, 1, 1, 1, 1.01]},
    "a word": {"fathom_eyes": 1, "levels": [1, 1, 1, 1, "sharp"]},
    "a row that is not one": {"fathom_eyes": 1, "levels": [[[0.1] * 8] * 8] * 5},
    "a row of seven": {"fathom_eyes": 1, "levels": [[[0.125] * 7] * 8] * 5},
    "an unknown key": {"fathom_eyes": 1, "levels": [1] * 5, "glasses": True},
    "no object": [1],
}


@cases("bad eyes are refused, and the key is named", {name: (eyes,) for name, eyes in BAD_EYES.items()})
def bad_eyes(eyes):
    run = with_eyes(eyes)
    equal((run.status, run.out), (2, ""), run)
    expect("standard input" in run.err, run.err)


@case("eyes that do not exist")
def no_eyes():
    run = fathom("sim", "dive", "--eyes", "squinting")
    expect(run.status == 2 and "short-sighted" in run.err, run.err)
    run = fathom("sim", "dive", "--eyes", "./nowhere.json")
    expect(run.status == 2 and "nowhere.json" in run.err, run.err)
    run = fathom("sim", "soumsoum", "--eyes", "keen")
    expect(run.status == 2 and "nothing to look at" in run.err, run.err)


# ---- numbers that are none ----------------------------------------------------------------------


@cases("D26: the octopus' place is a number from 0 to 1", {text: (text,) for text in
                                                           ("NaN", "Infinity", "1e999", "-0.001", "1.0001", "\"0.5\"")})
def octopus(text):
    scenario = ('{"game":"dive","options":{"companions":"seven"},"setup":{"companions":["octopus",null]},'
                '"actions":[{"seat":0,"do":"use","companion":"octopus","x":0.5,"y":%s}]}' % text)
    run = fathom("referee", "-", stdin=scenario)
    answer = run.json()
    equal((run.status, answer["ok"], answer["error"]["action"]), (1, False, 0), run.out)
    expect(answer["error"]["message"], "a sentence")


@case("the octopus lies where it was put, to a ten-thousandth")
def octopus_place():
    for x in (0, 1, 0.3, 0.12345, 1e-9):
        scenario = {"game": "dive", "options": {"companions": "seven"}, "setup": {"companions": ["octopus", None]},
                    "actions": [{"seat": 0, "do": "use", "companion": "octopus", "x": x, "y": 0.5}]}
        view = fathom("referee", "--view", 1, "-", stdin=json.dumps(scenario)).json()["view"]
        expect(abs(view["announced"][0]["x"] - x) <= 0.00005, view["announced"])


if __name__ == "__main__":
    tap.main()
