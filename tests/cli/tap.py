"""tap.py: runs the fathom program from the command line and reports the results as TAP.

A test file registers its cases with @case, ends with tap.main(), and is run as
`FILE FATHOM [SOURCE_ROOT]`. Whatever the input, fathom exits with 0, 1 or 2: with any other status, for
example after a crash or a sanitizer's report, the case fails.
"""
import functools
import json
import os
import re
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

ROOT = Path(sys.argv[2] if len(sys.argv) > 2 else Path(__file__).parents[2]).resolve()
TIMEOUT = 300  # of one run; meson's own comes first

_cases = []


class Run:
    """One run of fathom: its status and what it wrote."""

    def __init__(self, args, done):
        self.args = args
        self.status = done.returncode
        self.out_bytes, self.err_bytes = done.stdout, done.stderr
        self.out = self.out_bytes.decode("utf-8", "replace")
        self.err = self.err_bytes.decode("utf-8", "replace")

    def json(self):
        """Standard output as JSON: one line of UTF-8, nothing behind it."""
        text = self.out_bytes.decode("utf-8")
        expect(text.endswith("\n") and text.count("\n") == 1, f"{self}: not one line: {text[:200]!r}")
        return json.loads(text)

    def __str__(self):
        return "fathom " + " ".join(a if len(a) < 60 else a[:60] + "…" for a in self.args)


def program():
    return str(Path(sys.argv[1]).resolve())


def fathom(*args, stdin=b"", stdout=subprocess.PIPE, environment=None, folder=None):
    """Runs fathom to its end, in a folder if one is given."""
    if isinstance(stdin, str):
        stdin = stdin.encode()
    args = [str(a) for a in args]
    done = subprocess.run([program(), *args], input=stdin, stdout=stdout, stderr=subprocess.PIPE,
                          timeout=TIMEOUT, check=False, cwd=folder, env={**os.environ, **(environment or {})})
    done.stdout = done.stdout or b""
    result = Run(args, done)
    expect(result.status in (0, 1, 2), f"{result}: ended with {result.status}: {result.err[-3000:]}")
    return result


@functools.cache
def sanitized():
    """Whether this build has clang's sanitizers: each run is several times slower."""
    return b"__asan_init" in Path(program()).read_bytes() or b"__tsan_init" in Path(program()).read_bytes()


def some(items):
    """All of many that run the same code with other values; with sanitizers every eighth. Not for a few that differ, such
    as formats or odd sizes."""
    return list(items)[::8 if sanitized() else 1]


def folders():
    """The games of this build and their folders; the build says them in games.txt."""
    lines = (Path(program()).parent / "games.txt").read_text(encoding="utf-8").splitlines()
    return {name: ROOT / folder for name, folder in (line.split(" ", 1) for line in lines)}


def games():
    return sorted(folders())


def deck(game):
    """The deck that a game comes with."""
    return folders()[game] / "deck.json"


def scratch():
    """A directory that is gone when the `with` ends."""
    return tempfile.TemporaryDirectory(prefix="fathom-cli-")


# ---- cases -------------------------------------------------------------------------------------


def expect(condition, message):
    if not condition:
        raise AssertionError(message)


def equal(got, wanted, what=""):
    if got != wanted:  # both may be long: they are written out only then
        raise AssertionError(f"{what}: got {got!r}, should be {wanted!r}")


def fails(run, *words, status=2):
    """The run failed with this status, and said why on standard error, in one clear line."""
    equal(run.status, status, f"{run}: status")
    lines = run.err.splitlines()
    expect(len(lines) == 1 and lines[0].startswith("fathom"), f"{run}: not one line: {run.err!r}")
    for word in words:
        expect(word in run.err, f"{run}: {word!r} is not in {run.err!r}")


def case(title, compares=False):
    """Registers a function as the case of that name. One that only compares what runs say, which other cases make as
    well, is left out with sanitizers."""
    def register(function):
        if not (compares and sanitized()):
            _cases.append((title, function))
        return function
    return register


def cases(title, table):
    """Registers one case for each entry {name: arguments} of a table."""
    def register(function):
        for name, arguments in table.items():
            _cases.append((f"{title}: {name}", lambda a=arguments: function(*a)))
        return function
    return register


def main(titles=""):
    """Runs the cases whose titles have a match with this."""
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(f"usage: {sys.argv[0]} FATHOM [SOURCE_ROOT]")
    failed = 0
    chosen = [one for one in _cases if re.search(titles, one[0])]
    print(f"1..{len(chosen)}", flush=True)
    for number, (title, function) in enumerate(chosen, 1):
        begun = os.times()
        try:
            function()
            print(f"ok {number} - {title}", flush=True)
        except Exception as error:  # pylint: disable=broad-except
            failed += 1
            print(f"not ok {number} - {title}")
            lines = str(error).splitlines() if isinstance(error, AssertionError) else []
            for line in lines or traceback.format_exc().splitlines():
                print(f"# {line}", flush=True)
        if os.environ.get("VERBOSE"):
            own, children = (sum(os.times()[i:i + 2]) - sum(begun[i:i + 2]) for i in (0, 2))
            print(f"# {os.times().elapsed - begun.elapsed:.1f} s, of the processor {own:.1f} s here and {children:.1f} s in fathom", flush=True)
    sys.exit(1 if failed else 0)
