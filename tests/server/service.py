#!/usr/bin/env python3
"""service.py: what the units in tools/ expect of `fathom serve`."""
import os
import socket
import subprocess
import tempfile
from pathlib import Path

import client
from client import case, expect, tap
from tap import equal


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


@case("every line in the journal begins with fathom, those of libwebsockets too")
async def lines():
    server = client.Server(tap.program())
    try:
        with tempfile.TemporaryDirectory(prefix="fathom-service-") as folder:
            # libwebsockets forgets to free 96 bytes when it cannot bind; a sanitizer would say so
            second = subprocess.run([tap.program(), "serve", "--port", str(server.port), "--store", f"sqlite:{folder}/store.db"],
                                    env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"},
                                    capture_output=True, text=True, timeout=30, check=False)
        equal(second.returncode, 2, "its status, on a port that is taken")
        expect("libwebsockets" in second.stderr and "cannot listen" in second.stderr, second.stderr)
        for line in second.stderr.splitlines():
            expect(line.startswith("fathom"), line)
        await server.stop()
    finally:
        await server.close()


@tap.case("no unit gives up, and each waits until it serves")
def units():
    for name in "fathom.service", "fathom@.service":
        lines = (Path(tap.ROOT) / "tools" / name).read_text(encoding="utf-8").splitlines()
        for line in "StartLimitIntervalSec=0", "RestartSec=1", "Type=notify":
            expect(line in lines, f"{name}: no {line}")


if __name__ == "__main__":
    tap.main()
