"""measure.py: runs fathom for figures, and writes them for people; tools/strength and games/NAME/tools/strength.py use it."""
import hashlib
import json
import os
import subprocess
import time

SEED = 5


class Bench:
    """Runs fathom, remembers what it said, and says what it is doing."""

    def __init__(self, options):
        self.fathom, self.folder, self.jobs, self.quick = options.fathom, options.folder, options.jobs, options.quick
        self.times, self.measured = options.times, options.measured
        self.folder.mkdir(parents=True, exist_ok=True)
        self.begun = time.monotonic()
        self.amounts = {}

    def games(self, what):
        """Games or deals of one cell."""
        whole, quick, slow = self.amounts[what]
        return max(1, round((quick if self.quick else whole) * (self.times if slow else 1)))

    def run(self, *words):
        """The JSON of a command. Finished ones are read from the folder; arenas also go on where they ended."""
        words = [str(word) for word in words]
        name = hashlib.sha256(" ".join(words).encode()).hexdigest()[:16]
        answer = self.folder / f"{name}.json"
        kept = self.folder / f"{name}.jsonl"
        if self.measured and not answer.exists():
            return self.so_far(kept)
        if not answer.exists():
            print(f"{time.monotonic() - self.begun:6.0f} s  fathom {' '.join(words)}", flush=True)
            keep = ["--out", str(kept)] if words[0] == "arena" else []
            jobs = ["--jobs", str(self.jobs)] if self.jobs else []
            command = [self.fathom, *words, *keep, *jobs, "--json"]
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
            answer.write_text(done, encoding="utf-8")
        return json.loads(answer.read_text(encoding="utf-8"))

    def so_far(self, kept):
        """The result so far of an arena that was stopped; None: there is none."""
        if not kept.exists() or kept.read_bytes().count(b"\n") < 2:
            return None
        done = subprocess.run([self.fathom, "arena", "merge", kept, "--json"], check=True, stdout=subprocess.PIPE, text=True)
        return json.loads(done.stdout)

    def sim(self, game, what, bots, *options):
        return self.run("sim", game, *options, "--bots", bots, "--games", self.games(what), "--seed", SEED)

    def pace(self, game, bots, unit, *options):
        """CPU milliseconds for one unit of the game, "moves" or "rounds", with the thinking of all seats."""
        answer = self.folder / f"pace-{game}-{bots}.json"
        if not answer.exists():
            before = sum(os.times()[2:4])
            done = self.run("sim", game, *options, "--bots", bots, "--games", 4, "--seed", SEED)
            if done is None:
                return None
            n = done["moves"] if unit == "moves" else done["rounds"]["mean"] * done["games"]
            answer.write_text(json.dumps(1000 * (sum(os.times()[2:4]) - before) / n), encoding="utf-8")
        return json.loads(answer.read_text(encoding="utf-8"))

    def arena(self, game, what, bots, *options):
        done = self.run("arena", game, *options, "--bots", bots, "--deals", self.games(what), "--seed", SEED)
        return done["entries"][0] if done else None


def triple(result):
    """A share with its interval, in per cent; None: it was not measured."""
    return tuple(100 * result[key] for key in ("share", "low", "high")) if result else None


def rate(result, count=False):
    """A share for people; with the number of its games, if asked."""
    if result is None:
        return "–"
    value, low, high = triple(result)
    games = f", n = {result['games']}" if count else ""
    return "{:.{d}f} ({:.{d}f}–{:.{d}f}{games})".format(value, low, high, d=1 if value >= 1 else 2, games=games)


def took(ms):
    return "–" if ms is None else f"{ms:.1f} ms"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def quantile(counts, share):
    wanted = share * sum(n for _, n in counts)
    for value, n in counts:
        wanted -= n
        if wanted <= 0:
            return value
    return counts[-1][0]
