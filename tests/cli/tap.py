"""tap.py: runs the fathom program as anyone would and reports as TAP what came of it.

A test file registers its cases with @case, ends with tap.main(), and is run as
`FILE FATHOM [SOURCE_ROOT]`. However bad the input, fathom ends with 0, 1 or 2: any other status, a
crash or a sanitizer's report, fails the case that met it.
"""
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


def games():
    """The games of this build, by their decks."""
    listed = fathom("decks", "list")
    equal(listed.status, 0, listed)
    return sorted({line.split()[1] for line in listed.out.splitlines()})


def scratch():
    """A directory that is gone when the `with` ends."""
    return tempfile.TemporaryDirectory(prefix="fathom-cli-")


# ---- cases -------------------------------------------------------------------------------------


def expect(condition, message):
    if not condition:
        raise AssertionError(message)


def equal(got, wanted, what=""):
    expect(got == wanted, f"{what}: got {got!r}, should be {wanted!r}")


def fails(run, *words, status=2):
    """The run failed with this status, and said why on standard error, in one clear line."""
    equal(run.status, status, f"{run}: status")
    lines = run.err.splitlines()
    expect(len(lines) == 1 and lines[0].startswith("fathom"), f"{run}: not one line: {run.err!r}")
    for word in words:
        expect(word in run.err, f"{run}: {word!r} is not in {run.err!r}")


def case(title):
    """Registers a function as the case of that name."""
    def register(function):
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
        try:
            function()
            print(f"ok {number} - {title}", flush=True)
        except Exception as error:  # pylint: disable=broad-except
            failed += 1
            print(f"not ok {number} - {title}")
            lines = str(error).splitlines() if isinstance(error, AssertionError) else []
            for line in lines or traceback.format_exc().splitlines():
                print(f"# {line}", flush=True)
    sys.exit(1 if failed else 0)
