#!/usr/bin/python3
"""verifier.py: anyone can check a deal: Soum Soum records verified by a program that shares nothing with ours.

Written from docs/protocol.md and games/soumsoum/text/rules.en.md alone: sums, deck hash, commitment, the deal from the
seed, every move and the result. If this file must change for old records, so must a version number.
"""
import hashlib
import json
import struct
import tempfile
from pathlib import Path

import tap
from tap import cases, equal, expect, fathom

ANIMALS = ["shark", "octopus", "hermit", "any"]
MASK = 0xFFFFFFFF


def digest(domain, *spans):
    h = hashlib.blake2b(digest_size=32)
    for span in (domain.encode(), *spans):
        h.update(struct.pack("<Q", len(span)) + span)
    return h.digest()


def chacha20_block(words):
    x = list(words)

    def quarter(a, b, c, d):
        for p, q, r, n in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            x[p] = (x[p] + x[q]) & MASK
            x[r] ^= x[p]
            x[r] = (x[r] << n | x[r] >> (32 - n)) & MASK

    for _ in range(10):
        for i in range(4):
            quarter(i, 4 + i, 8 + i, 12 + i)
        for i in range(4):
            quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
    return [(a + b) & MASK for a, b in zip(x, words)]


def draws(seed):
    """The 32-bit words of the deal's stream."""
    key, block = struct.unpack("<8I", seed), 0
    while True:
        yield from chacha20_block([*struct.unpack("<4I", b"expand 32-byte k"), *key, block, 0, 0, 0])
        block += 1


def below(stream, n):
    while True:
        product = next(stream) * n
        if product & MASK >= (1 << 32) % n:
            return product >> 32


def shuffle(stream, items):
    for i in range(len(items), 1, -1):
        j = below(stream, i)
        items[i - 1], items[j] = items[j], items[i - 1]


def card_text(card):
    shown = sorted(card["animals"], key=ANIMALS.index)
    return "+".join(shown) + f":{card['count']}@{card['zone']}" + ("" if card.get("self", True) else "-self")


def covers(zone, row, column):
    return {"row": row == 0, "column": column == 0, "around": max(abs(row), abs(column)) <= 1,
            "diagonals": abs(row) == abs(column), "orthogonal": abs(row) + abs(column) <= 1, "board": True}[zone]


def worth(board, at):
    card = board[at]
    return sum(len([a for a in other["animals"] if card["count"] in ("any", a)])
               for place, other in board.items()
               if covers(card["zone"], place[0] - at[0], place[1] - at[1]) and (place != at or card.get("self", True)))


def check_sums(lines):
    chain = bytes(32)
    for line in lines:
        summed, tail = line[:-18], line[-18:]
        chain = digest("fathom record 1", chain, summed)
        equal(tail, b',"sum":"' + chain[:4].hex().encode() + b'"}', "sum")


def play(head, moves, seed, cards):
    """The whole game from the seed; returns its result."""
    n, market_on, first = (head["options"][key] for key in ("players", "market", "first"))
    stream = draws(digest("fathom deal 1", seed))
    pile = list(range(len(cards)))
    shuffle(stream, pile)
    hands = [[pile.pop() for _ in range(3)] for _ in range(n)]
    market = [pile.pop() for _ in range(3)] if market_on else []
    active = below(stream, n) if first == "random" else first
    board, divers, turns = {}, {}, []

    def next_turn():
        return (active + 1) % n

    step = "place"
    for move in moves:
        equal((move["seat"], move["do"] if move["do"] != "pass" else "diver"), (active, step), "whose move and which")
        at = tuple(move.get("at", ()))
        if step == "place":
            expect(at not in board and at != (2, 2), "the place is empty")
            board[at] = cards[hands[active].pop(move["card"])]
            turns.append(active)
            step = "diver"
            continue
        if step == "diver":
            if at:
                expect(at in board and at not in divers, "the card is free")
                expect(list(divers.values()).count(active) < 5, "a diver is left")
                divers[at] = active
            if market:
                step = "take"
                continue
            if pile and not market_on:
                hands[active].append(pile.pop())
        else:
            slot = move["market"]
            hands[active].append(market[slot])
            market[slot:slot + 1] = [pile.pop()] if pile else []
        active, step = next_turn(), "place"
    equal(len(board), 24, "cards on the board at the end")
    scores = [sum(worth(board, at) for at, owner in divers.items() if owner == seat) for seat in range(n)]
    last_turn = {seat: i for i, seat in enumerate(turns)}
    winner = max(range(n), key=lambda seat: (scores[seat], last_turn[seat]))
    return {"winners": [winner], "scores": scores}


def verify(path, deck_path):
    lines = path.read_bytes().split(b"\n")
    equal(lines.pop(), b"", "what follows the last line")
    check_sums(lines)
    head, *moves, end = map(json.loads, lines)
    cards = json.loads(deck_path.read_text(encoding="utf-8"))["cards"]
    text = "".join(card_text(card) + "\n" for card in cards)
    seed = bytes.fromhex(end["seed"])
    equal(head["deck"]["hash"], digest("fathom deck 1", b"soumsoum", text.encode()).hex(), "deck hash")
    equal(head["commitment"], digest("fathom commitment 1", seed).hex(), "commitment")
    equal(end["result"], play(head, moves, seed, cards), "result")


LAGOON = tap.deck("soumsoum")
MIXED = tap.folders()["soumsoum"] / "tests/decks/mixed.json"
GOLDEN = sorted((tap.folders()["soumsoum"] / "tests/golden").glob("*.jsonl"))


@cases("a golden record", {path.name: (path,) for path in GOLDEN})
def golden(path):
    verify(path, LAGOON)


@cases("a fresh record", {" ".join(flags): (flags, deck) for flags, deck in (
    (("--players", "2", "--bots", "greedy"), LAGOON),
    (("--players", "4", "--market"), LAGOON),
    (("--players", "3", "--deck", str(MIXED)), MIXED),
)})
def fresh(flags, deck):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        run = fathom("sim", "soumsoum", *flags, "--games", "1", "--seed", "77", "--record", path)
        equal((run.status, run.err), (0, ""), str(run))
        verify(path, deck)


if __name__ == "__main__":
    tap.main()
