#!/usr/bin/python3
"""release.py: tools/release packs the same bytes again, with the page and everything that is committed, and nothing else.

Run as FATHOM SOURCE_ROOT. The page is one of two files here: building the real one is not this test's business.
"""
import hashlib
import os
import re
import subprocess
import tarfile
import tempfile
from pathlib import Path

import tap
from tap import ROOT, case, equal, expect

KEPT = tempfile.TemporaryDirectory(prefix="fathom-release-")
HERE = Path(KEPT.name)


def git(*args, folder=ROOT):
    return subprocess.run(["git", *args], cwd=folder, capture_output=True, text=True, check=True).stdout.strip()


def page(folder, modified):
    (folder / "assets").mkdir(parents=True)
    for name, text in {"index.html": "<!doctype html>", "assets/index-1.js": "0"}.items():
        (folder / name).write_text(text)
        os.utime(folder / name, (modified, modified))
    return folder


def pack(root, out, *args, **env):
    done = subprocess.run(["/bin/bash", root / "tools/release", "--out", out, *args], capture_output=True, text=True, timeout=120, check=False,
                          env={**{k: v for k, v in os.environ.items() if k != "SOURCE_DATE_EPOCH"}, "RELEASE_LEVEL": "0", **env})
    return done


def packed(out):
    """The one tarball in a folder."""
    found = list(Path(out).glob("*.tar.xz"))
    expect(len(found) == 1, f"{out}: {found}")
    return found[0]


@case("two people pack the same bytes")
def same():
    done = pack(ROOT, HERE / "one", "--page", page(HERE / "page", 1e9), TZ="America/Lima")
    equal(done.returncode, 0, done.stderr)
    clone = HERE / "clone"
    git("clone", "-q", "--no-local", "--depth", "1", f"file://{ROOT}", clone, folder=HERE)
    os.umask(0o077)
    done = pack(clone, HERE / "two", "--page", page(HERE / "other page", 1.5e9), TZ="Asia/Tokyo", LC_ALL="C")
    equal(done.returncode, 0, done.stderr)
    one, two = packed(HERE / "one"), packed(HERE / "two")
    equal(one.name, two.name, "the name")
    expect(one.read_bytes() == two.read_bytes(), "other bytes")


@case("the sums are those of the tarball, and its name says the version of meson.build")
def sums():
    tarball = packed(HERE / "one")
    equal((HERE / "one/SHA256SUMS").read_text(), f"{hashlib.sha256(tarball.read_bytes()).hexdigest()}  {tarball.name}\n", "SHA256SUMS")
    version = re.search(r"^  version: '(.+)',$", git("show", "HEAD:meson.build"), re.M)[1]
    expect(re.fullmatch(rf"fathom-{re.escape(version)}(~\d{{14}}\.[0-9a-f]{{10}})?\.tar\.xz", tarball.name), tarball.name)


@case("in it are the committed files, the page and Debian's changelog, of nobody and readable by all")
def contents():
    with tarfile.open(packed(HERE / "one")) as tar:
        members = tar.getmembers()
        top = members[0].name
        files = {m.name.removeprefix(f"{top}/") for m in members if not m.isdir()}
        said = tar.extractfile(f"{top}/debian/changelog").read().decode()
    added = {"web/dist/index.html", "web/dist/assets/index-1.js", "debian/changelog"}
    equal(files, set(git("ls-tree", "-r", "--name-only", "-z", "HEAD").split("\0")) - {""} | added, "files")
    equal({(m.uid, m.gid, m.uname, m.mtime) for m in members}, {(0, 0, "", int(git("log", "-1", "--format=%ct")))}, "owner and time")
    equal({oct(m.mode) for m in members if m.isfile()}, {"0o644", "0o755"}, "modes")
    expect(said.startswith(f"fathom ({top.removeprefix('fathom-')}) unstable;"), said)


@case("a tag gives the release its plain name, and a version without changes is refused")
def tagged():
    clone = HERE / "clone"
    version = re.search(r"^  version: '(.+)',$", (clone / "meson.build").read_text(), re.M)[1]
    as_someone = ["-c", "user.name=a", "-c", "user.email=a@b"]
    git(*as_someone, "tag", "-a", "-m", "it", f"v{version}", folder=clone)
    equal(pack(clone, HERE / "tagged", "--page", HERE / "page").returncode, 0, "packed")
    equal(packed(HERE / "tagged").name, f"fathom-{version}.tar.xz", "its name")
    build = clone / "meson.build"
    build.write_text(build.read_text().replace(f"'{version}'", "'9.9.9'", 1))
    git(*as_someone, "commit", "-qam", "another version", folder=clone)
    done = pack(clone, HERE / "refused", "--page", HERE / "page")
    equal((done.returncode, "CHANGELOG.md says nothing about 9.9.9" in done.stderr), (1, True), done.stderr)


tap.main()
