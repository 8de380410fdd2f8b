#!/usr/bin/python3
"""commands.py: what every command of fathom has in common: help, flags, exit statuses."""
import re

import tap
from tap import case, cases, equal, expect, fails, fathom

COMMANDS = ["referee", "replay", "analyse", "puzzles", "sim", "arena", "bench", "decks", "ocean", "serve", "store", "version"]
GAME = tap.games()[0] if "soumsoum" not in tap.games() else "soumsoum"


@case("fathom --help, -h and help list every command")
def top_help():
    pages = [fathom("--help"), fathom("-h"), fathom("help")]
    for page in pages:
        equal(page.status, 0, page)
        equal(page.err, "", page)
        equal(page.out, pages[0].out, page)
    listed = re.findall(r"^  (\w+) +\S", pages[0].out, re.MULTILINE)
    equal(sorted(listed), sorted(COMMANDS + ["help"]), "commands of the help page")


@case("fathom alone shows its help as an error")
def no_command():
    run = fathom()
    equal(run.status, 2, run)
    equal(run.out, "", run)
    equal(run.err, fathom("--help").out, run)


@cases("help of a command", {name: (name,) for name in COMMANDS})
def command_help(name):
    page = fathom(name, "--help")
    equal(page.status, 0, page)
    equal(page.err, "", page)
    expect(page.out.startswith(f"usage: fathom {name}"), page.out)
    expect(all(len(line) <= 100 for line in page.out.splitlines()), "a line is too long")
    equal(fathom(name, "-h").out, page.out)
    equal(fathom("help", name).out, page.out)
    equal(fathom(name, "--nonsense", "--help").out, page.out)


@cases("every flag of the help exists", {name: tuple(name.split()) for name in
                                         ("referee", "replay", "analyse", "puzzles", "sim", "arena", "bench", "ocean", "ocean eyes")})
def flags_exist(name, part=None):
    page = fathom(name, "--help").out.split("Games")[0].split("\neyes measures")
    flags = set(re.findall(r"^ +(--[a-z-]+)", page[1 if part else 0], re.MULTILINE))
    expect(len(flags) >= 2, f"{name}: found only {flags}")
    table = [GAME] if name in ("sim", "arena", "bench") else [part] if part else []
    for flag in flags:  # a flag that is taken, whatever it says to its value, is not called unknown
        run = fathom(name, *table, flag, "/none/x", "--nope")
        equal(run.status, 2, run)
        expect(f"{flag} is not a flag" not in run.err, run.err)
    fails(fathom(name, *table, "--nope", "/none/x"), "--nope is not a flag")


@cases("every option of the help is a flag", {game: (game,) for game in tap.games()})
def options_exist(game):
    page = fathom("sim", "--help").out.split(f"\n  {game} (")[1].split("\n\n")[0]
    options = re.findall(r"^    (--[a-z-]+)(.*)", page, re.MULTILINE)
    expect(len(options) >= 3, f"{game}: found only {options}")
    for flag, value in options:  # as in JSON, with underscores, it is known as well
        for spelling in (flag, "--" + flag[2:].replace("-", "_")):
            run = fathom("sim", game, spelling, *(["?"] if value else []), "--nope")
            fails(run, "--nope is not a flag")


@case("every error code is documented, with its sentence")
def codes_documented():
    headers = [tap.ROOT / "include/fathom/error.h", *tap.ROOT.glob("games/*/rules/*_errors.h")]
    text = "".join(path.read_text(encoding="utf-8") for path in headers).replace("\\\n", " ")
    errors = re.findall(r'X\(E_\w+,\s*"([a-z-]+)",\s*"([^"]+)"\)', text)
    written = [*(tap.ROOT / "docs").glob("protocol*.md"), *tap.ROOT.glob("games/*/text/protocol.md")]
    pages = "".join(path.read_text(encoding="utf-8") for path in written)
    expect(len(errors) > 20, "the headers are read")
    equal([code for code, sentence in errors if f"| `{code}` | {sentence} |" not in pages], [], "codes that no page explains")


@case("version and --version say the same")
def version():
    run = fathom("version")
    equal(run.status, 0, run)
    expect(re.fullmatch(r"fathom \d+\.\d+\.\d+\n", run.out), run.out)
    equal(fathom("--version").out, run.out)


@case("version --json lists the rules of each game that can be played")
def rules_listed():
    answer = fathom("version", "--json").json()
    expect(re.fullmatch(r"\d+\.\d+\.\d+", answer["version"]), answer)
    equal([game["game"] for game in answer["games"]], list(tap.folders()), "games")
    for game in answer["games"]:
        equal(game["rules"], list(range(1, game["newest"] + 1)), game["game"])


@case("an unknown command is named")
def unknown_command():
    fails(fathom("swim"), '"swim"')
    fails(fathom("help", "swim"), '"swim"')
    fails(fathom(""), '""')


@case("control characters in arguments do not reach the terminal")
def no_escapes():
    for args in (["\x1b[31m"], ["sim", "\x1b]0;x\x07"], ["sim", GAME, "--\x1b[2J"], ["replay", "/\x1b[2J"],
                 ["decks", "show", "\x9b2J"]):
        run = fathom(*args)
        fails(run)
        expect(not re.search(rb"[\x00-\x09\x0b-\x1f\x7f\x80-\x9f]", run.err_bytes.replace(b"\xe2\x80\xa6", b"")),
               f"{args!r}: {run.err_bytes!r}")


BAD = {
    "version takes nothing else": (["version", "x"],),
    "version takes one flag": (["version", "--json", "--json"],),
    "--rules is a number": (["sim", GAME, "--rules", "new"], "rules: a whole number is expected"),
    "--rules 0": (["sim", GAME, "--rules", "0"], "there is no version 0 of these rules"),
    "--rules too new": (["sim", GAME, "--rules", "99"], "there is no version 99 of these rules"),
    "referee needs a file": (["referee"],),
    "referee takes one file": (["referee", "a", "b"],),
    "referee --nope": (["referee", "--nope", "-"], "--nope"),
    "referee -x": (["referee", "-x", "-"], "-x"),
    "referee --view without value": (["referee", "-", "--view"], "--view"),
    "referee --view 7": (["referee", "--view", "7", "-"], "--view"),
    "referee --view -1": (["referee", "--view", "-1", "-"], "--view"),
    "referee --view x": (["referee", "--view", "x", "-"], "--view"),
    "referee --view empty": (["referee", "--view", "", "-"], "--view"),
    "referee --seed x": (["referee", "--seed", "x", "-"], "--seed"),
    "referee --seed of 63 digits": (["referee", "--seed", "a" * 63, "-"], "--seed"),
    "referee --check missing": (["referee", "--check"],),
    "replay needs a file": (["replay"],),
    "replay takes one file": (["replay", "a", "b"],),
    "replay --nope": (["replay", "--nope", "-"], "--nope"),
    "replay of a missing file": (["replay", "/none.jsonl"], "/none.jsonl"),
    "analyse needs a record": (["analyse"], "name one record"),
    "analyse takes one record": (["analyse", "a", "b"], "name one record"),
    "analyse --nope": (["analyse", "--nope", "-"], "--nope"),
    "analyse --budget huge": (["analyse", "--budget", "huge", "-"], "--budget", "huge"),
    "analyse --seat 7": (["analyse", "--seat", "7", "-"], "--seat", "7"),
    "analyse --seat x": (["analyse", "--seat", "x", "-"], "--seat", "x"),
    "analyse --jobs 0": (["analyse", "--jobs", "0", "-"], "--jobs"),
    "analyse of a missing file": (["analyse", "/none.jsonl"], "/none.jsonl"),
    "analyse --deck missing": (["analyse", "--deck", "/none.json", "-"], "/none.json"),
    "replay of a directory": (["replay", "/"], "/"),
    "replay --deck missing": (["replay", "--deck", "/none.json", "-"], "/none.json"),
    "sim needs a game": (["sim"],),
    "sim of a flag for a game": (["sim", "--json"],),
    "sim of an unknown game": (["sim", "chess"], '"chess"'),
    "sim of two games": (["sim", GAME, GAME], f'"{GAME}"'),
    "sim --nope": (["sim", GAME, "--nope"], "--nope"),
    "sim --games without value": (["sim", GAME, "--games"], "--games"),
    "sim --games 0": (["sim", GAME, "--games", "0"], "--games"),
    "sim --games -1": (["sim", GAME, "--games", "-1"], "--games"),
    "sim --games 1e3": (["sim", GAME, "--games", "1e3"], "--games", '"1e3"'),
    "sim --games of 30 digits": (["sim", GAME, "--games", "9" * 30], "--games"),
    "sim --games of spaces": (["sim", GAME, "--games", " 5"], "--games"),
    "sim --jobs 0": (["sim", GAME, "--jobs", "0"], "--jobs"),
    "sim --jobs 257": (["sim", GAME, "--jobs", "257"], "--jobs"),
    "sim --from x": (["sim", GAME, "--from", "x"], "--from"),
    "sim --seed x": (["sim", GAME, "--seed", "x"], "--seed"),
    "sim --seed empty": (["sim", GAME, "--seed", ""], "--seed"),
    "sim --seed 2^64": (["sim", GAME, "--seed", str(2**64)], "--seed"),
    "sim --pace x": (["sim", GAME, "--pace", "x"], "--pace"),
    "sim --watch of many": (["sim", GAME, "--watch", "--games", "2"], "--watch"),
    "sim of an unknown bot": (["sim", GAME, "--bots", "nemo"], '"nemo"'),
    "sim of no bot": (["sim", GAME, "--bots", ""], "--bots"),
    "sim of a trailing comma": (["sim", GAME, "--bots", "random,"], "--bots"),
    "sim of a long bot": (["sim", GAME, "--bots", "x" * 5000], "--bots"),
    "sim of too many bots": (["sim", GAME, "--bots", ",".join(["random"] * 9)], "--bots"),
    "sim of an unknown deck": (["sim", GAME, "--deck", "mine"], '"mine"'),
    "sim of a missing deck": (["sim", GAME, "--deck", "/none.json"], "/none.json"),
    "bench of an unknown game": (["bench", "chess"], '"chess"'),
    "bench --nope": (["bench", "--nope"], "--nope"),
    "bench of a game --nope": (["bench", GAME, "--nope"], "--nope"),
    "bench --ms 9": (["bench", GAME, "--ms", "9"], "--ms"),
    "bench of too many words": (["bench", "--json"] + ["--ms=10"] * 9,),
    "decks nonsense": (["decks", "nonsense"],),
    "decks validate without file": (["decks", "validate"],),
    "decks validate of two": (["decks", "validate", "a", "b"],),
    "decks validate of a missing file": (["decks", "validate", "/none.json"], "/none.json"),
    "decks show of nothing": (["decks", "show", "atlantis"], '"atlantis"'),
}

SOUMSOUM = {
    "1 player": (["--players", "1"], "players", "at least 2"),
    "5 players": (["--players", "5"], "players", "at most 4"),
    "-2 players": (["--players", "-2"], "players"),
    "two players in words": (["--players", "two"], "players"),
    "2.0 players": (["--players", "2.0"], "players"),
    "a list of players": (["--players", "[2]"], "players"),
    "10^30 players": (["--players", "1" + "0" * 30], "players"),
    "players without value": (["--players"], "--players"),
    "first of seat 2 at a table of 2": (["--first", "2"], "first", "seat 2"),
    "first of seat 7": (["--players", "4", "--first", "7"], "first"),
    "first of seat -1": (["--first", "-1"], "first"),
    "first by word": (["--first", "youngest"], "first"),
    "market with a value": (["--market=yes"], "market"),
    "options of another game": (["--divers", "2"], "--divers"),
    "three bots for two seats": (["--bots", "random,random,random"], "--bots", "2 seats"),
    "two bots for four seats": (["--players", "4", "--bots", "random,random"], "--bots", "4 seats"),
    "not UTF-8": (["--first", "\udcff\udcfe"], "first"),
}


@cases("refused with status 2", BAD)
def bad_flags(args, *words):
    fails(fathom(*args), *words)


if "soumsoum" in tap.games():
    @cases("Soum Soum: impossible table", SOUMSOUM)
    def impossible_table(args, *words):
        fails(fathom("sim", "soumsoum", *args), *words)
        if not any(a.startswith("--bots") for a in args):
            fails(fathom("bench", "soumsoum", *args), *words)


@cases("games: a table of bots plays", {game: (game,) for game in tap.games()})
def any_game(game):
    run = fathom("sim", game, "--games", "5", "--json")
    equal(run.status, 0, f"{run}: {run.err}")
    answer = run.json()
    equal((answer["game"], answer["games"], run.err), (game, 5, ""))
    expect(answer["moves"] >= 5, "no moves")
    text = fathom("sim", game, "--games", "5")
    equal(text.status, 0, text)
    expect("5 games" in text.out, text.out)
    watched = fathom("sim", game, "--games", "1", "--watch", "--pace", "0")
    equal((watched.status, watched.err), (0, ""), watched)
    expect("\x1b" not in watched.out and watched.out.count("\n") > 10, "a game as sentences")


if __name__ == "__main__":
    tap.main()
