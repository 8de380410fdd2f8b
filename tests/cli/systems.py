#!/usr/bin/python3
"""systems.py: what the tools say on systems that are not like this one: too old, not Debian, other names, other versions.

Run as FATHOM SOURCE_ROOT; the programs that tell a system apart are replaced by scripts of three lines.
"""
import os
import re
import subprocess
import tempfile
from pathlib import Path

import tap
from tap import ROOT, case, equal, expect, fathom

OLD = {"dpkg-query": "exit 1", "apt-get": "exit 0", "apt-cache": "echo '  Candidate: 0.61.2-1'"}


def run(tool, *args, programs=None, only=(), **env):
    """Runs a tool of tools/ with some programs replaced; with `only`, and nothing else beside those of the base system named there."""
    with tempfile.TemporaryDirectory(prefix="fathom-systems-") as folder:
        for name, body in (programs or {}).items():
            path = Path(folder) / name
            path.write_text(f"#!/bin/bash\n{body}\n")
            path.chmod(0o755)
        for name in only:
            (Path(folder) / name).symlink_to(subprocess.check_output(["which", name], text=True).strip())
        path = folder if only else f"{folder}:{os.environ['PATH']}"
        environment = {k: v for k, v in os.environ.items() if k not in ("FATHOM_NEED", "CHROMIUM", "FIREFOX")}
        return subprocess.run(["/bin/bash", ROOT / "tools" / tool, *args], capture_output=True, text=True, timeout=60, check=False,
                              env={**environment, "PATH": path, **env})


@case("a system that is too old hears what it lacks, and nothing is installed")
def too_old():
    done = run("need", "gcc", "meson>=1.0", programs={**OLD, "apt-get": "[[ $* != *install* ]] || echo installing >&2"})
    equal(done.returncode, 1, "status")
    expect("is too old: its meson is 0.61.2-1, and Fathom needs 1.0" in done.stderr, done.stderr)
    expect("Debian 12" in done.stderr and "Ubuntu 24.04" in done.stderr, done.stderr)
    expect("installing" not in done.stderr, done.stderr)


@case("a package that is there but too old is refused, too")
def installed_old():
    done = run("need", "meson>=1.0", programs={**OLD, "dpkg-query": "echo 'installed 0.61.2-1'"})
    equal((done.returncode, "is too old" in done.stderr), (1, True), done.stderr)
    equal(run("need", "meson>=0.61", programs={**OLD, "dpkg-query": "echo 'installed 0.61.2-1'"}).returncode, 0, "one that is new enough")


@case("a package that is only wished for is left out where the system has none")
def wished():
    done = run("need", "gcc", "chromium-headless-shell?", programs={
        "dpkg-query": "[[ $* != *gcc* ]] || echo 'installed 4:12.2.0-3'", "apt-cache": "echo '  Candidate: (none)'",
        "apt-get": "echo asked >&2; exit 1"})
    equal((done.returncode, done.stdout + done.stderr), (0, ""), "it has nothing to do")


@case("a system without apt hears what to do")
def other_system():
    done = run("need", "gcc", "meson>=1.0", only=("sed",))
    equal(done.returncode, 1, "status")
    expect("neither Debian nor Ubuntu" in done.stderr and "FATHOM_NEED=skip" in done.stderr, done.stderr)
    equal(run("need", "gcc", only=("sed",), FATHOM_NEED="skip").returncode, 0, "whoever has installed it")


@case("Chromium and Firefox are found under any of their names, if they run")
def browsers():
    for kind, names in {"chromium": ("chromium", "chromium-browser", "google-chrome"), "firefox": ("firefox-esr", "firefox")}.items():
        for name in names:
            done = run("browser", kind, programs={name: "echo 1.0"}, only=("bash",))
            equal((done.returncode, done.stdout.strip().rpartition("/")[2]), (0, name), done.stderr)
    stub = {"chromium-browser": "echo 'install the snap' >&2; exit 1"}
    done = run("browser", "chromium", programs=stub, only=("bash",))
    equal((done.returncode, done.stdout), (77, ""), "one that only names a snap")
    expect("CHROMIUM may name another" in done.stderr, done.stderr)
    equal(run("browser", "chromium", programs=stub, CHROMIUM="/bin/sh").stdout.strip(), "/bin/sh", "CHROMIUM")
    equal(run("browser", "chromium", CHROMIUM="/nowhere").returncode, 1, "a CHROMIUM that is not there")


@case("another clang-format or clang-tidy is not asked, and says why")
def other_versions():
    for tool, program, args in ("check-format", "clang-format", ()), ("check-tidy", "clang-tidy", ("build",)):
        done = run(tool, *args, programs=dict.fromkeys((program, f"{program}-14"), "echo 'Debian LLVM version 19.1.7'"))
        equal((done.returncode, done.stderr.strip()), (77, f"{tool}: {program} 14 is needed, and 19 is here"), done.stdout)


@case("what makes packages, roots and images says how it is used, and refuses what it does not know")
def usage():
    for tool in "deb", "fresh-root", "image", "release":
        done = run(tool, "--help")
        equal((done.returncode, done.stdout.splitlines()[0].split()[:2]), (0, ["usage:", f"tools/{tool}"]), done.stderr)
        equal(run(tool, "--nonsense").returncode, 2, f"tools/{tool} --nonsense")


@case("flags in the image and in the compose files are flags of the server, and the proxy that it trusts is Caddy")
def containers():
    known = set(re.findall(r"^  (--[a-z-]+)", fathom("serve", "--help").out, re.MULTILINE))
    folder = ROOT / "examples/compose"
    for path, pattern in (ROOT / "tools/image", "--cmd '(serve .*?)'"), *((path, "command: (serve .*)") for path in folder.glob("*.yaml")):
        command = re.search(pattern, path.read_text(encoding="utf-8"))
        expect(command, f"{path} does not say how it serves")
        unknown = set(re.findall(r"(?<!\S)--[a-z-]+", command[1])) - known
        expect(not unknown, f"{path}: {unknown}")
        trusted = re.search(r"--proxy (\S+)", command[1])
        expect(not trusted or f"ipv4_address: {trusted[1]} " in (folder / "compose.yaml").read_text(encoding="utf-8"), f"{path}: {trusted}")


tap.main()
