#!/usr/bin/env python3
"""service.py: what the units in tools/ expect of `fathom serve`."""
import asyncio
import contextlib
import os
import re
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import client
from client import case, expect, tap
from tap import equal

UNITS = "fathom.service", "fathom@.service"


async def started(folder, address):
    """What a server says to $NOTIFY_SOCKET until it serves."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(address.replace("@", "\0", 1))
        heard.settimeout(10)
        os.environ["NOTIFY_SOCKET"] = address
        try:
            server = client.Server(tap.program(), folder=folder)
        finally:
            del os.environ["NOTIFY_SOCKET"]
        word = heard.recv(100)
        await server.stop()
        return word


@case("systemd is told when it serves")
async def told():
    with tempfile.TemporaryDirectory(prefix="fathom-service-") as folder:
        equal(await started(folder, f"{folder}/notify"), b"READY=1", "by a path")
        equal(await started(folder, f"@fathom-{os.path.basename(folder)}"), b"READY=1", "by a name")


async def heard_from(folder, environment, seconds):
    """What a server says to $NOTIFY_SOCKET in so many seconds after it serves, in order."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(f"{folder}/notify")
        heard.setblocking(False)
        ours = {"NOTIFY_SOCKET": f"{folder}/notify", **environment}
        os.environ.update(ours)
        try:
            server = client.Server(tap.program(), folder=folder)
        finally:
            for key in ours:
                del os.environ[key]
        words = []
        try:
            end = time.monotonic() + seconds
            while time.monotonic() < end and words.count(b"WATCHDOG=1") < 3:
                await asyncio.sleep(0.05)
                with contextlib.suppress(BlockingIOError):
                    words.append(heard.recv(100))
            await server.stop()
        finally:
            await server.close()
        return words


@case("W15 a watchdog hears from the loop again and again, and nobody else does")
async def watchdog():
    interval = {"WATCHDOG_USEC": "600000"}
    for environment, seconds, wanted in ((interval, client.PATIENCE, 3), ({}, 1.5, 0), ({**interval, "WATCHDOG_PID": "1"}, 1.5, 0),
                                         ({"WATCHDOG_USEC": "soon"}, 1.5, 0)):
        with tempfile.TemporaryDirectory(prefix="fathom-service-") as folder:
            words = await heard_from(folder, environment, seconds)
        equal(words, [b"READY=1", *[b"WATCHDOG=1"] * wanted], f"words with {environment}")


@tap.cases("W15 a unit is exposed to no more than 1.5", {name: (name,) for name in UNITS})
def exposure(name):
    told = subprocess.run(["systemd-analyze", "security", "--offline=true", "--no-pager", str(Path(tap.ROOT) / "tools" / name)],
                          capture_output=True, text=True, timeout=60, check=False)
    level = re.search(r"Overall exposure level for \S+: ([0-9.]+)", told.stdout)
    expect(level, f"systemd-analyze says {told.stdout[-500:]!r} {told.stderr[-500:]!r}")
    expect(float(level[1]) <= 1.5, told.stdout)


@tap.cases("W15 a unit has bounds and a watchdog", {name: (name,) for name in UNITS})
def bounds(name):
    lines = (Path(tap.ROOT) / "tools" / name).read_text(encoding="utf-8").splitlines()
    for line in ("LimitCORE=0", "ProtectProc=invisible", "ProtectClock=yes", "ProtectKernelLogs=yes", "RestrictSUIDSGID=yes",
                 "RestrictRealtime=yes", "SystemCallArchitectures=native", "UMask=0077"):
        expect(line in lines, f"{name}: no {line}")
    for key in "WatchdogSec", "MemoryMax", "TasksMax", "LimitNOFILE":
        expect(any(re.fullmatch(f"{key}=[1-9][0-9]*[MG]?", line) for line in lines), f"{name}: no {key}")


@case("every line in the journal begins with fathom, also when it cannot listen")
async def lines():
    server = client.Server(tap.program())
    try:
        with tempfile.TemporaryDirectory(prefix="fathom-service-") as folder:
            second = subprocess.run([tap.program(), "serve", "--port", str(server.port), "--store", f"sqlite:{folder}/store.db"],
                                    capture_output=True, text=True, timeout=30, check=False)
        equal(second.returncode, 2, "its status, on a port that is taken")
        expect("cannot listen" in second.stderr, second.stderr)
        for line in second.stderr.splitlines():
            expect(line.startswith("fathom"), line)
        await server.stop()
    finally:
        await server.close()


@tap.case("no unit gives up, and each waits until it serves")
def units():
    for name in UNITS:
        lines = (Path(tap.ROOT) / "tools" / name).read_text(encoding="utf-8").splitlines()
        for line in "StartLimitIntervalSec=0", "RestartSec=1", "Type=notify":
            expect(line in lines, f"{name}: no {line}")


if __name__ == "__main__":
    tap.main()
