"""strength.py: the balance of Dive, for tools/strength."""
from bars import bars
from measure import rate, table, triple

TITLE = "Dive"
# games of one cell: whole, quick; True: of a bot that searches
AMOUNTS = {"dive": (10000, 500, False), "companions": (12000, 1000, False)}
SEATS = "In Dive the last seat is the youngest (`steady`, average eyes; shared wins count for each)."
LENGTH = "Dive is played by `steady`."


def seats(bench):
    return [(n, bench.sim("dive", "dive", "steady", "--divers", n)) for n in (2, 3, 4)]


def length(bench):
    return [(f"{n} divers", bench.sim("dive", "dive", "steady", "--divers", n)) for n in (2, 3, 4)]


def companions(bench):
    result = {n: bench.sim("dive", "companions", "steady", "--divers", n, "--companions", "ten")["traits"] for n in (2, 3, 4)}
    names = sorted(result[3], key=lambda name: -result[3][name]["share"])
    bars(bench.images / "balance-companions.svg", "Dive: games won with each companion",
         [(name, [triple(result[n][name]) for n in result]) for name in names], series=[f"{n} divers" for n in result])
    return """## Dive: companions

How often a diver with this companion wins, out of ten companions. An equal share would be 50, 33 and 25 %; shared wins count for each, so that
the mean is a little more. `steady` uses each as well as it knows how.

![Games won with each companion](img/balance-companions.svg)

""" + table(["companion", *(f"{n} divers" for n in result)], [[name, *(rate(result[n][name]) for n in result)] for name in names])


BALANCE = [companions]


def amounts(bench):
    return f"{bench.games('dive')} of Dive ({bench.games('companions')} with companions)"
