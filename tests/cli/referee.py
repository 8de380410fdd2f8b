#!/usr/bin/python3
"""referee.py: `fathom referee`: rulings, illegal actions and bad files, as wire.md promises them."""
import json
import sys

import tap
from tap import case, cases, equal, expect, fathom

CARDS = [f"{shown}:{counted}@{zone}" for shown in ("shark", "octopus", "hermit")
         for counted in ("shark", "octopus", "hermit") for zone in ("row", "column", "around", "diagonals")]
PLACE = {"seat": 0, "do": "place", "card": 0, "at": [0, 0]}
PASS = {"seat": 0, "do": "pass"}
DEEP = 100000


def scenario(actions=None, setup=None, **options):
    """A table of two whose seat 0 begins, unless told otherwise."""
    return {"game": "soumsoum", "options": options, "setup": {"active": 0} if setup is None else setup,
            "actions": [] if actions is None else actions}


def text(value):
    return value if isinstance(value, (str, bytes)) else json.dumps(value)


def board(cards=None, **more):
    """Five rows with the submarine; `cards` by (row, column)."""
    rows = [[None] * 5 for _ in range(5)]
    rows[2][2] = "sub"
    for (row, column), card in (cards or {}).items():
        rows[row][column] = card
    return {"board": rows, "active": 0, **more}


def full_board(but=()):
    places = [(r, c) for r in range(5) for c in range(5) if (r, c) != (2, 2) and (r, c) not in but]
    return dict(zip(places, CARDS))


def ruled(value, *flags):
    run = fathom("referee", *flags, "-", stdin=text(value))
    equal(run.status, 0, f"{run}: {run.out}")
    equal(run.err, "", run)
    answer = run.json()
    viewed = any(str(flag).startswith("--view") for flag in flags)
    equal(list(answer), ["ok", "view" if viewed else "state", "events", "result"])
    expect(answer["ok"] is True and isinstance(answer["events"], list), "the form of a ruling")
    return answer


def refused(value, action, *words, flags=(), code=None):
    """The answer is an error: of this action with status 1, or of the file (None) with status 2."""
    run = fathom("referee", *flags, "-", stdin=text(value))
    answer = run.json()
    equal(list(answer), ["ok", "error"], run.out)
    equal(answer["ok"], False, run.out)
    error = answer["error"]
    equal(sorted(error), ["action", "code", "message"], run.out)
    equal(error["action"], action, run.out)
    equal(run.status, 2 if action is None else 1, run.out)
    equal(run.err, "", run)
    expect(len(error["message"]) > 5 and "\n" not in error["message"], run.out)
    if code is not None:
        equal(error["code"], code, run.out)
    for word in words:
        expect(word in error["message"], f"{word!r} is not in {error['message']!r}")


# ---- any game -----------------------------------------------------------------------------------


@cases("a bare table of", {game: (game,) for game in tap.games()})
def bare_table(game):
    whole = ruled({"game": game})
    equal((whole["state"]["game"], whole["state"]["seq"], whole["result"]), (game, 0, None))
    seat = ruled({"game": game, "actions": []}, "--view", "0")["view"]
    equal((seat["game"], seat["seat"], seat["seq"]), (game, 0, 0))
    expect(isinstance(seat["legal"], list), "a seat's view lists what is legal")
    watcher = ruled({"game": game, "options": {}}, "--view=spectator")["view"]
    expect("legal" not in watcher and watcher["seat"] is None, "a spectator does nothing")
    refused({"game": game, "actions": [{"seat": 0, "do": "sing"}]}, 0, "do")
    refused({"game": game, "actions": [{"seat": 0}]}, 0, "do", code="bad-key")
    refused({"game": game, "options": {"nope": 1}}, None, "nope", code="bad-key")
    refused({"game": game, "setup": {"nope": 1}}, None, "nope", code="bad-key")
    refused({"game": game, "setup": []}, None, "setup")
    refused({"game": game, "options": {"deck": "atlantis"}}, None, "atlantis", code="bad-deck")


# What has to be played before the deal shows in the state.
OPENING = {"dive": [
    {"seat": 0, "do": "program", "levels": [{"tokens": [token], "shark": False} for token in range(1, 6)]},
    {"do": "stop", "why": "clock"}]}


@cases("the deal follows --seed alone, game", {game: (game,) for game in tap.games()})
def seeds(game):
    opened = text({"game": game, "actions": OPENING.get(game, [])})
    dealt = [fathom("referee", "--seed", seed, "-", stdin=opened).out for seed in (5, 5, 6)]
    expect(dealt[0] == dealt[1] != dealt[2], "equal seeds, equal deals")
    hexed = fathom("referee", "--seed", "ab" * 32, "-", stdin=opened)
    expect(hexed.status == 0 and hexed.out not in dealt, "64 hex digits are a seed, too")
    plain = fathom("referee", "-", stdin=text({"game": game})).out
    equal(fathom("referee", "-", stdin=text({"game": game})).out, plain, "without --seed always the same")


@case("a file is read like standard input")
def from_file():
    with tap.scratch() as folder:
        path = f"{folder}/a b.json"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text(scenario([PLACE])))
        named = fathom("referee", path)
        equal((named.status, named.out), (0, fathom("referee", "-", stdin=text(scenario([PLACE]))).out))


@case("a missing file is a bad file, and named")
def missing_file():
    for path in ("/none.json", "/"):
        run = fathom("referee", path)
        equal((run.status, run.json()["ok"], run.json()["error"]["action"]), (2, False, None), path)
        expect(path in run.json()["error"]["message"], run.out)


@case("title and expect are read past")
def explained():
    ruled({"title": "S4", "expect": {"anything": [1]}, **scenario([PLACE])})
    refused({"title": 5, **scenario()}, None, "title")


@case("--check compares with what is expected, as TAP")
def check():
    with tap.scratch() as folder:
        good, bad, empty = (f"{folder}/{name}.json" for name in ("good", "bad", "empty"))
        for path, expected in ((good, {"ok": True, "state": {"phase": "diver"}, "views": {"1": {"legal": []}}}),
                               (bad, {"state": {"phase": "take"}}), (empty, {})):
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"title": "a rule", "expect": expected, **scenario([PLACE])}, file)
        run = fathom("referee", "--check", good)
        equal((run.status, run.out), (0, "1..1\nok 1 - good.json: a rule\n"))
        equal(fathom("referee", "--check", good, bad).status, 1)
        run = fathom("referee", "--check", good, bad, empty, "/none.json")
        equal(run.status, 2, run)
        equal([line.split(" - ")[0] for line in run.out.splitlines() if not line.startswith("#")],
              ["1..4", "ok 1", "not ok 2", "not ok 3", "not ok 4"])


@case("--lines answers each line as the line alone would be answered")
def lines():
    asked = [text(scenario([PLACE])), text(scenario([{"seat": 1, "do": "pass"}])), "{", "", text(scenario())]
    alone = [fathom("referee", "--view", "0", "-", stdin=line) for line in asked]
    together = fathom("referee", "--view", "0", "--lines", stdin="\n".join(asked))
    equal([run.status for run in alone], [0, 1, 2, 2, 0])
    equal((together.status, together.out), (2, "".join(run.out for run in alone)))
    equal(fathom("referee", "--lines", stdin="\n".join([asked[1], asked[0]])).status, 1, "the highest status")
    equal(fathom("referee", "--lines", stdin="").status, 0, "nothing was asked")
    for flags in (["--lines", "-"], ["--lines", "--check"], ["--lines", "--check", "x.json"]):
        equal(fathom("referee", *flags).status, 2, flags)


# ---- Soum Soum: legal ---------------------------------------------------------------------------


@case("actions play, in order, and tell what happened")
def plays():
    hands = [["shark:shark@row", "octopus:shark@row"], ["hermit:hermit@row"]]
    answer = ruled(scenario([PLACE, {"seat": 0, "do": "diver", "at": [0, 0]}],
                            {"hands": hands, "pile": ["hermit:shark@column", "hermit:shark@around"], "active": 0}))
    state = answer["state"]
    equal(state["board"][0][0], "shark:shark@row")
    equal(state["tokens"], [{"at": [0, 0], "seat": 0, "worth": 1}])
    equal(state["hands"], [["octopus:shark@row", "hermit:shark@column"], hands[1]], "top of the pile, to the end")
    equal((state["active"], state["phase"], state["pile"], state["scores"], state["market"]),
          (1, "place", 1, [1, 0], None))
    equal((state["seq"], answer["result"]), (2, None))
    told = [event["event"] for event in answer["events"]]
    equal(told, ["dealt"] * 3 + ["starts", "placed", "dived", "drew"])


@case("the last turn ends the game, with a result")
def last_turn():
    setup = board(full_board([(4, 4)]), hands=[["shark:shark@row"], []], pile=[],
                  tokens=[{"at": [0, 0], "seat": 1}])
    answer = ruled(scenario([{**PLACE, "at": [4, 4]}, PASS], setup))
    equal((answer["state"]["phase"], answer["state"]["active"]), ("over", None))
    equal(answer["result"], answer["state"]["result"])
    equal((answer["result"]["winners"], answer["result"]["scores"][0]), ([1], 0))
    refused(scenario([{**PLACE, "at": [4, 4]}, PASS, PASS], setup), 2, code="over")


@case("what a state says can be given as a setup again")
def state_as_setup():
    actions = [PLACE, {"seat": 0, "do": "diver", "at": [0, 0]}, {"seat": 1, "do": "place", "card": 1, "at": [4, 4]},
               {"seat": 1, "do": "pass"}]
    state = ruled(scenario(actions))["state"]
    setup = {key: state[key] for key in ("board", "tokens", "hands", "market", "active")}
    again = ruled(scenario([], {**setup, "pile": []}))["state"]
    for key in ("board", "tokens", "hands", "market", "active", "scores", "tokens_left", "phase"):
        equal(again[key], state[key], key)


# ---- Soum Soum: wrong inside actions[i] ---------------------------------------------------------

MALFORMED = {
    "unknown key": ({**PLACE, "why": 1}, "why"),
    "key of another verb": ({**PASS, "card": 0}, "card"),
    "missing card": ({"seat": 0, "do": "place", "at": [0, 0]}, "card"),
    "missing place": ({"seat": 0, "do": "place", "card": 0}, "at"),
    "missing do": ({"seat": 0, "card": 0, "at": [0, 0]}, "do"),
    "missing seat": ({"do": "place", "card": 0, "at": [0, 0]}, "seat"),
    "unknown verb": ({"seat": 0, "do": "swim"}, "swim"),
    "card as text": ({**PLACE, "card": "0"}, "card"),
    "card as NaN in text": ({**PLACE, "card": "NaN"}, "card"),
    "card as fraction": ({**PLACE, "card": 0.5}, "card"),
    "card as 0.0": ({**PLACE, "card": 0.0}, "card"),
    "card as null": ({**PLACE, "card": None}, "card"),
    "card as true": ({**PLACE, "card": True}, "card"),
    "card below 0": ({**PLACE, "card": -1}, "card"),
    "card beyond any hand": ({**PLACE, "card": 24}, "card"),
    "card of 2^63": ({**PLACE, "card": 2**63}, None),
    "place of one number": ({**PLACE, "at": [0]}, "at"),
    "place of three numbers": ({**PLACE, "at": [0, 0, 0]}, "at"),
    "place as object": ({**PLACE, "at": {"row": 0}}, "at"),
    "place out of the board": ({**PLACE, "at": [5, 0]}, "at[0]"),
    "place in words": ({**PLACE, "at": ["a", 1]}, "at[0]"),
    "seat as text": ({**PLACE, "seat": "0"}, "seat"),
    "seat below 0": ({**PLACE, "seat": -1}, "seat"),
    "seat of no table": ({**PLACE, "seat": 99}, "seat"),
    "seat as null": ({**PLACE, "seat": None}, "seat"),
    "time as text": ({**PLACE, "t": "now"}, "t"),
    "time below 0": ({**PLACE, "t": -5}, "t"),
    "verb as number": ({**PLACE, "do": 1}, "do"),
    "verb of 5000 letters": ({**PLACE, "do": "x" * 5000}, "do"),
    "null": (None, "object"),
    "a number": (7, "object"),
    "a text": ("pass", "object"),
    "a list": ([], "object"),
    "an empty object": ({}, "do"),
}


@cases("malformed action is reported with its number", MALFORMED)
def malformed(action, word):
    words = [word] if word else []
    refused(scenario([action]), 0, *words)
    refused(scenario([PLACE, PASS, action]), 2, *words)
    refused(scenario([PLACE, action, PASS]), 1, *words, flags=("--view", "1"))


RAW = {
    "key twice": ('{"seat":0,"do":"place","card":0,"card":1,"at":[0,0]}', "card"),
    "key twice, the same value": ('{"seat":0,"seat":0,"do":"pass"}', "seat"),
    "1e999": ('{"seat":0,"do":"place","card":1e999,"at":[0,0]}', "card"),
    "-1e999": ('{"seat":0,"do":"place","card":0,"at":[0,-1e999]}', "at"),
    "an integer of 40 digits": ('{"seat":0,"do":"place","card":' + "9" * 40 + ',"at":[0,0]}', "card"),
    "1e999 alone": ("1e999", "number"),
    "NaN": ('{"seat":0,"do":"place","card":NaN,"at":[0,0]}', "card"),
    "a word": ('{"seat":0,"do":pass}', "do"),
    "a colon missing": ('{"seat":0,"do" "pass"}', ""),
    "NUL as \\u0000": (r'{"seat":0,"do":"pa\u0000ss"}', ""),
    "not UTF-8": (b'{"seat":0,"do":"pa\xffss"}', ""),
}


@cases("value that JSON cannot hold is reported with its action", RAW)
def raw_action(action, word):
    action = action.encode() if isinstance(action, str) else action
    for before, number in (([], 0), ([PLACE], 1), ([PLACE, PASS, {"seat": 1, "do": "place", "card": 0, "at": [4, 4]}], 3)):
        head = text(scenario(before)).encode()
        expect(head.endswith(b"]}"), "a scenario ends with its actions")
        file = head[:-2] + (b", " if before else b"") + action + b', {"seat":1,"do":"pass"}]}'
        refused(file, number, word)


@case("the first wrong action counts, and none after it is read")
def first_wrong():
    illegal = text(scenario([{"seat": 1, "do": "pass"}])).encode()[:-2]
    refused(illegal + b', {"seat":0,"seat":0,"do":1e999}]}', 0, code="not-your-turn")
    refused(scenario([PLACE, {"seat": 1, "do": "pass"}, None, {"do": 5}]), 1, code="not-your-turn")


ILLEGAL = {
    "not this seat's turn": ([{**PLACE, "seat": 1}], 0, "not-your-turn"),
    "no such seat here": ([{**PLACE, "seat": 3}], 0, "no-such-seat"),
    "a diver first": ([{"seat": 0, "do": "diver", "at": [0, 0]}], 0, "wrong-phase"),
    "pass first": ([PASS], 0, "wrong-phase"),
    "take without market": ([PLACE, {"seat": 0, "do": "take", "market": 0}], 1, "wrong-phase"),
    "a card that is not in hand": ([{**PLACE, "card": 3}], 0, "no-such-card"),
    "on the submarine": ([{**PLACE, "at": [2, 2]}], 0, "submarine"),
    "on a card": ([PLACE, PASS, {**PLACE, "seat": 1}], 2, "place-taken"),
    "two cards in a turn": ([PLACE, {**PLACE, "at": [0, 1]}], 1, "wrong-phase"),
    "a diver on an empty place": ([PLACE, {"seat": 0, "do": "diver", "at": [0, 1]}], 1, "no-card-there"),
    "a diver on the submarine": ([PLACE, {"seat": 0, "do": "diver", "at": [2, 2]}], 1, "submarine"),
    "a diver on a diver": ([PLACE, {"seat": 0, "do": "diver", "at": [0, 0]}, {**PLACE, "seat": 1, "at": [0, 1]},
                            {"seat": 1, "do": "diver", "at": [0, 0]}], 3, "diver-there"),
    "back in time": ([{**PLACE, "t": 50}, {**PASS, "t": 49}], 1, "wrong-time"),
}


@cases("Soum Soum: illegal", ILLEGAL)
def illegal(actions, number, code):
    refused(scenario(actions), number, code=code)
    refused(scenario(actions), number, code=code, flags=("--view", "spectator"))


@case("Soum Soum: illegal: a sixth diver")
def sixth_diver():
    cards = dict(list(full_board().items())[:10])
    setup = board(cards, tokens=[{"at": list(place), "seat": 0} for place in list(cards)[:5]])
    refused(scenario([{**PLACE, "at": [4, 4]}, {"seat": 0, "do": "diver", "at": [4, 4]}], setup), 1,
            code="no-divers-left")
    equal(ruled(scenario([{**PLACE, "at": [4, 4]}, PASS], setup))["state"]["active"], 1)


# ---- bad files ----------------------------------------------------------------------------------

BAD_FILES = {
    "empty": ("", "empty"),
    "spaces": ("  \n\n  ", ""),
    "not JSON": ("the submarine", "line 1"),
    "not JSON, on its line": ('{\n"game":\n"soumsoum",\n,}', "line 4"),
    "cut": ('{"game":"soumsoum","actions":[{"seat":0,"do":"pl', ""),
    "two values": ('{"game":"soumsoum"}{"game":"soumsoum"}', ""),
    "a comma too many": ('{"game":"soumsoum",}', ""),
    "a comment": ('{"game":"soumsoum"} // really', ""),
    "a byte order mark": (b'\xef\xbb\xbf{"game":"soumsoum"}', ""),
    "a number": ("7", ""),
    "null": ("null", ""),
    "a list": ("[]", "object"),
    "a NUL byte": (b'{"game":"soumsoum"}\0', ""),
    "a NUL byte in a text": (b'{"game":"soum\0soum"}', ""),
    "NUL bytes only": (b"\0" * 1000, ""),
    "NUL as \\u0000": (r'{"game":"soum\u0000soum"}', ""),
    "not UTF-8": (b'{"game":"soum\xffsoum"}', ""),
    "UTF-8 too long": (b'{"game":"\xc0\xaf"}', ""),
    "UTF-8 half a pair": (b'{"game":"\xed\xa0\x80"}', ""),
    "half a pair": (r'{"game":"\ud800"}', ""),
    "UTF-16": ('{"game":"soumsoum"}'.encode("utf-16"), ""),
    "NaN": ('{"game":"soumsoum","setup":{"active":NaN}}', ""),
    "1e999": ('{"game":"soumsoum","options":{"players":1e999}}', "players"),
    "key twice": ('{"game":"soumsoum","game":"soumsoum"}', "game"),
    "key twice in the setup": ('{"game":"soumsoum","setup":{"active":0,"active":1}}', "active"),
    "unknown key": ({"game": "soumsoum", "moves": []}, "moves"),
    "unknown game": ({"game": "chess"}, "chess"),
    "no game": ({"options": {}}, "game"),
    "game as number": ({"game": 5}, "game"),
    "game of 5000 letters": ({"game": "x" * 5000}, "game"),
    "options as list": ({"game": "soumsoum", "options": []}, "options"),
    "options as null": ({"game": "soumsoum", "options": None}, "options"),
    "unknown option": ({"game": "soumsoum", "options": {"divers": 2}}, "divers"),
    "5 players": ({"game": "soumsoum", "options": {"players": 5}}, "options.players"),
    "players in words": ({"game": "soumsoum", "options": {"players": "2"}}, "options.players"),
    "market as number": ({"game": "soumsoum", "options": {"market": 1}}, "options.market"),
    "first beyond the table": ({"game": "soumsoum", "options": {"first": 2}}, "options.first"),
    "unknown deck": ({"game": "soumsoum", "options": {"deck": "atlantis"}}, "atlantis"),
    "actions as object": ({"game": "soumsoum", "actions": {}}, "actions"),
    "20001 actions": ({"game": "soumsoum", "actions": [0] * 20001}, "actions"),
    "setup as list": ({"game": "soumsoum", "setup": []}, "setup"),
    "unknown key of the setup": (scenario([], {"hand": []}), "hand"),
    "unknown card": (scenario([], {"hands": [["narwhal:shark@row"], []]}), "setup.hands[0][0]"),
    "unknown zone": (scenario([], {"pile": ["shark:shark@moon"]}), "setup.pile[0]"),
    "card as number": (scenario([], {"pile": [5]}), "setup.pile[0]"),
    "card of 5000 letters": (scenario([], {"pile": ["x" * 5000]}), "setup.pile[0]"),
    "a list of cards on a place": (scenario([], board({(1, 3): CARDS[:2]})), "setup.board[1][3]"),
    "six rows": (scenario([], {"board": board()["board"] + [[None] * 5]}), "setup.board"),
    "six columns": (scenario([], {"board": [row + [None] for row in board()["board"]]}), "setup.board[0]"),
    "four rows": (scenario([], {"board": board()["board"][:4]}), "setup.board"),
    "no submarine": (scenario([], {"board": [[None] * 5] * 5}), "setup.board[2][2]"),
    "two submarines": (scenario([], board({(0, 0): "sub"})), "setup.board[0][0]"),
    "a card for the submarine": (scenario([], board({(2, 2): CARDS[0]})), "setup.board[2][2]"),
    "a full board": (scenario([], board(full_board())), "over"),
    "nobody has a card": (scenario([], {"hands": [[], []], "pile": []}), "over"),
    "two divers on a card": (scenario([], board({(0, 0): CARDS[0]}, tokens=[{"at": [0, 0], "seat": 0},
                                                                             {"at": [0, 0], "seat": 1}])), "tokens[1]"),
    "a diver on no card": (scenario([], board(tokens=[{"at": [0, 0], "seat": 0}])), "tokens[0]"),
    "a diver without a board": (scenario([], {"tokens": [{"at": [0, 0], "seat": 0}]}), "tokens[0]"),
    "a diver on the submarine": (scenario([], board(tokens=[{"at": [2, 2], "seat": 0}])), "tokens[0]"),
    "a diver of seat 2 of 2": (scenario([], board({(0, 0): CARDS[0]}, tokens=[{"at": [0, 0], "seat": 2}])), "seat"),
    "a diver of nobody": (scenario([], board({(0, 0): CARDS[0]}, tokens=[{"at": [0, 0]}])), "seat"),
    "six divers of a seat": (scenario([], board(full_board([(4, 4)]), tokens=[
        {"at": list(place), "seat": 1} for place in list(full_board())[:6]])), "tokens[5]"),
    "three hands for two": (scenario([], {"hands": [[], [], []]}), "setup.hands"),
    "one hand for two": (scenario([], {"hands": [[CARDS[0]]]}), "setup.hands"),
    "a hand of 25": (scenario([], {"hands": [CARDS[:25], []]}), "setup.hands[0]"),
    "a pile of 37": (scenario([], {"pile": CARDS + CARDS[:1]}), "setup.pile"),
    "market without the variant": (scenario([], {"market": CARDS[:3]}), "market"),
    "an empty market without the variant": (scenario([], {"market": []}), "market"),
    "a market of four": (scenario([], {"market": CARDS[:4]}, market=True), "setup.market"),
    "a market of null": (scenario([], {"market": None}, market=True), "setup.market"),
    "active beyond the table": (scenario([], {"active": 2}), "setup.active"),
    "active below 0": (scenario([], {"active": -1}), "setup.active"),
    "active as text": (scenario([], {"active": "0"}), "setup.active"),
    "components of another game": (scenario([], {"stack": ["shark"]}), "stack"),
}


@cases("bad file", BAD_FILES)
def bad_file(file, word):
    refused(file, None, word)


@cases("a bad file stays one, whatever its actions", {
    "unknown option": ({**scenario([None]), "options": {"depth": 4}},),
    "full board": (scenario([{"do": 5}], board(full_board())),),
})
def bad_before_actions(file):
    refused(file, None)


@case("bad file: no such seat for --view")
def view_out_of_range():
    refused(scenario(), None, "seat 2", flags=("--view", "2"), code="no-such-seat")
    refused(scenario([PLACE], {"active": 0}, players=3), None, "seat 3", flags=("--view", "3"))
    ruled(scenario([], players=3), "--view", "2")


@case("bad file: 10 MB of nonsense")
def nonsense():
    for piece in (b"nonsense ", b"[", b'{"a":', b"\xff\x00", b'"', b"\n", b" ", b"{}"):
        refused((piece * (10_000_000 // len(piece) + 1))[:10_000_000], None, code="too-big")


@case("bad file: nonsense as large as is read at all")
def nonsense_in_size():
    for piece in (b"nonsense ", b"[", b'{"a":', b"\xff\x00", b'"', b"\n", b" ", b"{}", b"\\", b"0"):
        refused((piece * (0x100000 // len(piece) + 1))[:0x100000], None, code="bad-json")


@case("bad file: nested 100000 deep")
def deep():
    refused("[" * DEEP + "]" * DEEP, None, code="bad-json")
    refused('{"game":' * DEEP, None, code="bad-json")
    refused('{"game":"soumsoum","setup":' + "[" * DEEP + "]" * DEEP + "}", None, code="bad-json")


@case("brackets within texts are not nesting")
def brackets_in_text():
    ruled({**scenario([PLACE]), "title": '[{"' * 80})


@case("a scenario with a transcribed deck")
def own_deck():
    deck = {"fathom_deck": 1, "id": "mine", "game": "soumsoum", "title": "Mine",
            "cards": [{"animals": ["shark", "shark"], "count": "any", "zone": "board", "self": False}] * 36}
    with tap.scratch() as folder:
        path = f"{folder}/mine.json"
        with open(path, "w", encoding="utf-8") as file:
            json.dump(deck, file)
        for options in ({}, {"deck": "mine"}):
            state = ruled(scenario([PLACE], **options), "--deck", path)["state"]
            equal(state["board"][0][0], "shark+shark:any@board-self")
        refused(scenario([], {"pile": [CARDS[0]]}), None, "setup.pile[0]", flags=("--deck", path))


if __name__ == "__main__":
    if "soumsoum" not in tap.games():
        sys.exit("referee.py: this build has no Soum Soum")
    tap.main()
