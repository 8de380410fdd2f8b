#!/usr/bin/python3
"""install.py: what `meson install` installs where, and that other programs can be built with it.

Run as FATHOM SOURCE_ROOT; the build directory is the one that contains FATHOM.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import tap
from tap import ROOT, case, expect

BUILD = Path(sys.argv[1]).resolve().parent
KEPT = tempfile.TemporaryDirectory(prefix="fathom-install-")
DEST = Path(KEPT.name)


def run(*command, **env):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=120,
                          env={**os.environ, **env}, cwd=DEST)
    expect(done.returncode == 0, f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def one(pattern):
    found = sorted(DEST.glob(f"**/{pattern}"))
    expect(len(found) == 1, f"{pattern}: found {found}")
    return found[0]


def pkg_config(*flags):
    return run("pkg-config", *flags, "fathom", PKG_CONFIG_SYSROOT_DIR=str(DEST),
               PKG_CONFIG_PATH=str(one("fathom.pc").parent)).split()


@case("meson install puts everything in its place")
def installs():
    run("meson", "install", "-C", BUILD, "--no-rebuild", "--quiet", DESTDIR=str(DEST))
    installed = {path.name for path in one("error.h").parent.glob("*.h")}
    made = {"games.h", "game_errors.h", "game_flats.h"}
    expect(installed == made | {path.name for path in (ROOT / "include/fathom").glob("*.h")}, f"headers: {installed}")
    for game, folder in tap.folders().items():
        golden = {path.name for path in one(f"share/fathom/golden/{game}").iterdir()}
        expect(golden == {path.name for path in (folder / "tests/golden").iterdir()}, f"golden records of {game}: {golden}")
    for name in "bin/fathom", "libfathom.a", "libfathom.so", "man1/fathom.1", "fathom.pc":
        one(name)
    version = run(one("bin/fathom"), "version").split()[1]
    expect(run("pkg-config", "--modversion", one("fathom.pc")).strip() == version, "version of fathom.pc")
    expect(one("libfathom.so").resolve().name == f"libfathom.so.{version}", "name of the shared library")


@case("the page goes along as it is now, whenever it was built")
def page():
    def files(folder):
        return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}

    built = files(ROOT / "web/dist")
    expect(files(one("fathom/web")) == built, f"not the {len(built)} files of web/dist")


@case("the shared library has the name that Debian's package has, and shows what is public alone")
def shows():
    library = one("libfathom.so")
    soname = re.search(r"SONAME.*\[(.+)\]", run("readelf", "-d", library))
    packaged = re.search(r"^Package: libfathom(\d+)$", (ROOT / "debian/control").read_text(encoding="utf-8"), re.M)
    expect(soname and soname[1] == f"libfathom.so.{packaged[1]}", f"soname {soname and soname[1]}, package {packaged[0]}")
    symbols = [line.split()[-1] for line in run("nm", "-D", "--defined-only", library).splitlines()]
    expect("fm_vec_step" in symbols, "fm_vec_step is not shown")
    others = [symbol for symbol in symbols if not re.match("fm_[a-z]", symbol)]
    expect(not others, f"shown, too: {others[:5]}")


@case("names in the static library are Fathom's or a game's")
def prefixes():
    defined = [line.split() for line in run("nm", "--extern-only", "--defined-only", "--quiet", one("libfathom.a")).splitlines()]
    ours = re.compile("(fm|" + "|".join(tap.games()) + ")_")
    symbols = [words[2] for words in defined if len(words) == 3]
    expect("fm_vec_step" in symbols, "fm_vec_step is not there")
    others = sorted({symbol for symbol in symbols if not ours.match(symbol) and not symbol.startswith("__")})  # the compiler's
    expect(not others, f"others: {others}")


@case("every header stands alone, in C and C++")
def headers():
    include = one("error.h").parent.parent
    for header in sorted((include / "fathom").glob("*.h")):
        source = DEST / "alone.c"
        source.write_text(f"#include <fathom/{header.name}>\n#include <fathom/{header.name}>\n")
        strict = ["-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{include}"]
        run("cc", "-std=c11", *strict, source)
        run("clang++", "-std=c++17", "-Wno-c99-designator", "-Wno-c++20-designator", "-x", "c++", *strict, source)


@case("the example of a million games is built with pkg-config and plays")
def example():
    source = ROOT / "examples" / "million.c"
    run("cc", "-O2", "-Wall", "-Werror", source, *pkg_config("--cflags", "--libs"), "-o", "shared")
    # All of Fathom inside, its dependencies from the system.
    static = [part for part in pkg_config("--static", "--cflags", "--libs") if part != "-lfathom"]
    run("cc", "-O2", source, one("libfathom.a"), *static, "-o", "whole")
    for game in tap.games():
        table = '{"game":"%s"}' % game
        said = run("./shared", table, "3000", LD_LIBRARY_PATH=str(one("libfathom.so").parent))
        expect(said.startswith("3000 games of ") and said.count("won") == 2, said)
        expect(run("./whole", table, "3000") == said, "the same games with the static library")
    bad = subprocess.run(["./whole", '{"game":"chess"}'], cwd=DEST, capture_output=True, text=True)
    expect(bad.returncode == 2 and "chess" in bad.stderr, f"a game there is not: {bad}")


tap.main()
