"""strength.py: how strong the bots of DiverCity are, and its balance, for tools/strength."""
from bars import bars
from measure import SEED, rate, table, took, triple

TITLE = "DiverCity"
LEVELS = ["freediving", "open-water", "advanced-open-water", "divemaster", "assistant-instructor",
          "instructor", "cousteau", "poseidon"]
DIVERS = range(1, 7)
# games or deals of one cell: whole, quick; True: of a bot that searches
AMOUNTS = {"random": (5000, 500, False), "ranger": (4000, 400, False), "warden": (200, 4, True), "warden-many": (100, 2, True),
           "cheat": (100, 4, True), "partner": (100, 2, True), "industry": (2000, 100, False), "baron": (150, 4, True),
           "levels": (10000, 500, False)}
SEATS = "In DiverCity all divers win together."
LENGTH = "DiverCity is played by three rangers."


def divers_head():
    return ["level"] + [f"{n} divers" if n > 1 else "1 diver" for n in DIVERS]


def level_options(level, divers):
    return ["--divers", divers, "--level", level, *(["--beginners"] if level == "freediving" else [])]


def alone(bench, bot, level, n):
    """A bot in all seats: per cent of games won."""
    if bot in ("random", "ranger"):
        return bench.sim("divercity", bot, bot, *level_options(level, n))
    what = {"cheat": "cheat"}.get(bot, "warden" if n in (2, 3) else "warden-many")
    open_hands = ["--open-hands"] if bot == "cheat" else []
    return bench.arena("divercity", what, "warden", *level_options(level, n), "--self", *open_hands)


def share(bench, bot, level, n):
    result = alone(bench, bot, level, n)
    return result["seats"][0] if result and "seats" in result else result


def beside(bench, level, n):
    """The cells of a level: warden, ranger, cheats, and how far they are apart."""
    chance, ranger, warden, cheat = (share(bench, bot, level, n) for bot in ("random", "ranger", "warden", "cheat"))
    times = below = "–"
    if chance and ranger and warden and ranger["share"] - chance["share"] >= 0.0005:
        times = "{:.1f}".format((warden["share"] - chance["share"]) / (ranger["share"] - chance["share"]))
        if 2 * ranger["share"] - chance["share"] > 1:
            times += ", 2 is impossible"
    if warden and cheat:
        below = "{:.0f}".format(100 * (cheat["share"] - warden["share"]))
    return [rate(warden, True), rate(ranger), rate(cheat, True), times, below]


def strength(bench):
    out = [f"""## DiverCity: strength

All seats are played by the same bot; per cent of games won, with 95 % intervals; seed {SEED}. One diver is solo.
`random` and `ranger` by `fathom sim` ({bench.games("random")} and {bench.games("ranger")} games a cell), `warden` by `fathom arena`, n games a cell.
"""]
    for bot in ("random", "ranger", "warden"):
        rows = [[level] + [rate(share(bench, bot, level, n), bot == "warden") for n in DIVERS] for level in LEVELS]
        out.append(f"### `{bot}`\n\n" + table(divers_head(), rows))
    out.append("""### Compared with cheats

The cheats are wardens who also see their own hands (`fathom arena --open-hands`), but not the cards to come: an upper bound. *Times*: the distance of `warden` from `random`, divided by
that of `ranger` (both from the tables above). *Below*: percentage points below the cheats.
""")
    for n in (2, 3):
        head = [f"{n} divers", "`warden`", "`ranger`", "cheats", "times", "below"]
        out.append(table(head, [[level, *beside(bench, level, n)] for level in LEVELS]))
    bars(bench.images / "strength-divercity.svg", "DiverCity, two divers: games won",
         [(level, [triple(share(bench, bot, level, 2)) for bot in ("random", "ranger", "warden", "cheat")]) for level in LEVELS],
         series=["random", "ranger", "warden", "cheats"])
    out.append("![DiverCity: strength](img/strength-divercity.svg)\n")

    rows = []
    for level in ("open-water", "divemaster"):
        for n in (2, 3):
            mixed = bench.arena("divercity", "partner", "warden", *level_options(level, n), "--partner", "ranger")
            rows.append([level, str(n), rate(share(bench, "ranger", level, n)), rate(mixed, True), rate(share(bench, "warden", level, n), True)])
    out.append("### With a weaker partner\n\nOne `warden` among rangers.\n\n"
               + table(["level", "divers", "rangers", "one `warden`", "wardens"], rows))

    rows = []
    for level in LEVELS:
        saved = [[alone(bench, bot, level, n)["seats"][0]["score"] for bot in ("ranger", "random")] for n in DIVERS]
        rows.append([level] + ["{:.2f} : {:.2f}".format(*pair) for pair in saved])
    out.append("### Species saved\n\nThe mean number of species saved in a game, `ranger` : `random`. It shows a difference even where\n"
               "hardly any game is won.\n\n" + table(divers_head(), rows))

    rows = []
    for n in DIVERS:
        row = [str(n)]
        for industry in ("random", "tycoon", "baron"):
            what = "baron" if industry == "baron" else "industry"
            result = bench.sim("divercity", what, ",".join([*(n * ["ranger"]), industry]), "--divers", n, "--industrialist")
            row.append(rate(result and result["seats"][0]))
        rows.append(row)
    out.append(f"### Against an industrialist\n\nRangers on open water: how often they win ({bench.games('industry')} games a cell, {bench.games('baron')} for `baron`).\n\n"
               + table(["divers", "`random`", "`tycoon`", "`baron`"], rows))
    pace = bench.pace("divercity", "warden", "rounds", "--divers", 3, "--level", "divemaster")
    out.append(f"CPU time of `warden` for a whole round, one or two decisions and at times more: {took(pace)} (three divers, divemaster, mean of four games).\n")
    return "\n".join(out)


def length(bench):
    return [(level, bench.sim("divercity", "levels", "ranger", *level_options(level, 3))) for level in LEVELS]


def divers(bench):
    result = {level: bench.sim("divercity", "levels", "ranger", *level_options(level, 3)) for level in ("open-water", "divemaster")}
    names = sorted(result["open-water"]["traits"], key=lambda name: -result["open-water"]["traits"][name]["share"])
    bars(bench.images / "balance-divers.svg", "DiverCity, three rangers: games won with each diver card",
         [(name, [triple(result[level]["traits"][name]) for level in result]) for name in names], series=list(result))
    all_games = ", ".join(f"{rate(r['seats'][0])} on {level}" for level, r in result.items())
    return f"""## DiverCity: diver cards

How often three rangers win when one of them has this card. All games: {all_games}.

![Games won with each diver card](img/balance-divers.svg)

""" + table(["diver card", *result], [[name, *(rate(r["traits"][name]) for r in result.values())] for name in names])


def levels(bench):
    rows = [(level, [triple(share(bench, "ranger", level, n)) for n in DIVERS]) for level in LEVELS]
    bars(bench.images / "balance-levels.svg", "DiverCity: games won by rangers on each level", rows,
         series=[f"{n} divers" if n > 1 else "solo" for n in DIVERS])
    reasons = list(alone(bench, "ranger", LEVELS[0], 3)["reasons"])
    ends = []
    for level in LEVELS:
        result = alone(bench, "ranger", level, 3)
        ends.append([level, *("{:.1f}".format(100 * n / result["games"]) for n in result["reasons"].values())])
    return """## DiverCity: levels

![Games won on each level](img/balance-levels.svg)

The figures are in [strength](strength.md). How games of three rangers end, in per cent:

""" + table(["level", *reasons], ends)


BALANCE = [divers, levels]


def amounts(bench):
    return f"{bench.games('levels')} of DiverCity"
