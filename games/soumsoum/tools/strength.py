"""strength.py: how strong the bots of Soum Soum are, for tools/strength."""
from bars import bars
from measure import SEED, rate, table, took, triple

TITLE = "Soum Soum"
# games or deals of one cell: whole, quick; True: of a bot that searches
AMOUNTS = {"soumsoum": (10000, 500, False), "ladder": (200, 5, True), "abyss": (100, 1, True), "abyss-ladder": (150, 1, True)}
SEATS = "In Soum Soum seat 1 begins (`greedy`)."
LENGTH = "A game of Soum Soum always has 24 turns."


def strength(bench):
    names = ["paddler", "snorkeller", "diver", "abyss"]
    rows = []
    for low, high in zip(names, names[1:]):
        entry = bench.arena("soumsoum", "abyss-ladder" if high == "abyss" else "ladder", f"{high},{low}", "--players", 2)
        rows.append((entry, f"`{high}` against `{low}`"))
    for name in ("diver", "abyss"):
        entry = bench.arena("soumsoum", "abyss" if name == "abyss" else "ladder", f"{name},greedy", "--players", 2)
        rows.append((entry, f"`{name}` against `greedy`"))
    bars(bench.images / "strength-soumsoum.svg", "Soum Soum: games won by the first of the two",
         [(text.replace("`", ""), [triple(entry)]) for entry, text in rows], fair=50)
    return (f"""## Soum Soum: strength

Two players, mirrored deals (each is played twice with the seats swapped), seed {SEED}; per cent of the games won by the first.

""" + table(["", "won", "games"], [[text, rate(entry), str(entry["games"]) if entry else "0"] for entry, text in rows])
            + "\n![Soum Soum: strength](img/strength-soumsoum.svg)\n\n"
            "CPU time of a move (a placement or a diver), mean of four games between equals: "
            + ", ".join(f"`{name}` {took(bench.pace('soumsoum', name, 'moves'))}" for name in names[1:]) + ".\n")


def seats(bench):
    return [(n, bench.sim("soumsoum", "soumsoum", "greedy", "--players", n, "--first", 0)) for n in (2, 3, 4)]


def amounts(bench):
    return f"{bench.games('soumsoum')} of Soum Soum"
