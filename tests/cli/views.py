#!/usr/bin/python3
"""views.py: what a seat or a spectator is told never contains what it may not know (S11)."""
import contextlib
import json
import re
import subprocess
import sys

import tap
from tap import case, cases, equal, expect, fathom

CARD = re.compile(r"[a-z+]+:[a-z]+@[a-z-]+")


def referee(scenario, *flags):
    run = fathom("referee", *flags, "-", stdin=json.dumps(scenario))
    equal(run.status, 0, run.out)
    return run


@contextlib.contextmanager
def referees(seed, viewers):
    """A function that asks a referee what a viewer sees of a scenario, or what its state is (None), and returns its line.
    One program answers all that is asked for a viewer: a whole game asks hundreds of times."""
    running = {viewer: subprocess.Popen([tap.program(), "referee", "--seed", str(seed), "--lines",
                                         *([] if viewer is None else ["--view", str(viewer)])],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
               for viewer in viewers}

    def ask(scenario, viewer=None):
        run = running[viewer]
        run.stdin.write(json.dumps(scenario) + "\n")
        run.stdin.flush()
        return run.stdout.readline()

    try:
        yield ask
    finally:
        statuses = {}
        for viewer, run in running.items():
            run.communicate(timeout=60)
            statuses[viewer] = run.returncode
    equal(statuses, dict.fromkeys(viewers, 0))


def cards(text):
    return set(CARD.findall(text))


def check_secrets(scenario, ask, seats, shown):
    """No viewer's answer names a card in another hand or in the pile that was not shown to all."""
    whole = json.loads(ask(scenario))["state"]
    shown |= cards(json.dumps([whole["board"], whole["market"]]))
    told = 0
    for viewer in [*range(seats), "spectator"]:
        out = ask(scenario, viewer)
        answer = json.loads(out)
        view = answer["view"]
        own = set(whole["hands"][viewer]) if viewer != "spectator" else set()
        drawn = {e["card"] for e in answer["events"] if e.get("card") and e.get("seat") == viewer}
        for seat, hand in enumerate(whole["hands"]):
            if seat != viewer:
                leaked = cards(out) & (set(hand) - shown)
                expect(not leaked, f"{viewer} learns of {leaked} in the hand of {seat}")
        extra = cards(out) - shown - own - drawn
        expect(not extra, f"{viewer} learns of {extra}")
        expect("hands" not in view and ("hand" in view) == (viewer != "spectator"), f"the hand of {viewer}")
        expect(viewer == "spectator" or view["hand"] == whole["hands"][viewer], "one's own hand, in order")
        equal((view["pile"], view["scores"], view["board"]), (whole["pile"], whole["scores"], whole["board"]))
        told += len(cards(out))
    expect(told > 0, "nobody was told anything: this test tests nothing")


TABLES = {
    "2 players": ({"players": 2}, 3),
    "3 players with market": ({"players": 3, "market": True}, 4),
    "4 players": ({"players": 4, "first": 2}, 5),
}


@cases("Soum Soum: no secret in any view or event through a whole game", dict(tap.some(TABLES.items())))
def whole_game(options, seed):
    seats = options["players"]
    scenario = {"game": "soumsoum", "options": options, "actions": []}
    shown, step = set(), 0
    with referees(seed, [None, *range(seats), "spectator"]) as ask:
        while True:
            state = json.loads(ask(scenario))["state"]
            shown |= cards(json.dumps([state["board"], state["market"]]))
            if state["phase"] == "over":
                break
            view = json.loads(ask(scenario, state["active"]))["view"]
            expect(view["legal"], "the active seat may do something")
            action = view["legal"][step * 7 % len(view["legal"])]
            scenario["actions"].append({"seat": state["active"], **action})
            step += 1
            check_secrets(scenario, ask, seats, shown)
    equal(step, 72 if options.get("market") else 48, "moves of a whole game")


@case("Soum Soum: given hands and pile stay hidden, a market is open")
def given_secrets():
    hands = [["shark:shark@row"], ["octopus:octopus@row"]]
    scenario = {"game": "soumsoum", "options": {"market": True},
                "setup": {"hands": hands, "market": ["hermit:hermit@row"], "pile": ["hermit:shark@around"], "active": 0}}
    for viewer, known in ((0, {hands[0][0]}), (1, {hands[1][0]}), ("spectator", set())):
        run = referee(scenario, "--view", viewer)
        equal(cards(run.out), known | {"hermit:hermit@row"}, viewer)


@case("Soum Soum: who is not asked has nothing legal")
def nothing_legal():
    scenario = {"game": "soumsoum", "options": {"players": 3}, "setup": {"active": 1}}
    legal = [referee(scenario, "--view", seat).json()["view"]["legal"] for seat in range(3)]
    equal([len(actions) for actions in legal], [0, 24 * 3, 0])
    expect(all("seat" not in action for action in legal[1]), "legal actions come without their seat")


@cases("every legal action of the first move is accepted, game", {game: (game,) for game in tap.games()})
def legal_is_legal(game):
    tried = 0
    for seat in range(2):
        run = fathom("referee", "--view", seat, "-", stdin=json.dumps({"game": game}))
        if run.status == 2:
            continue  # a table of one
        for action in run.json()["view"]["legal"][:12]:
            tried += 1
            if action["do"] == "program":
                continue  # stands there without its levels
            referee({"game": game, "actions": [{"seat": seat, **action}]})
    expect(tried > 0, "nothing is legal")


@cases("a spectator sees no seat's own keys, game", {game: (game,) for game in tap.games()})
def spectator(game):
    view = referee({"game": game}, "--view", "spectator").json()["view"]
    for key in ("hand", "legal", "program"):
        expect(key not in view, key)


if __name__ == "__main__":
    if "soumsoum" not in tap.games():
        sys.exit("views.py: this build has no Soum Soum")
    tap.main()
