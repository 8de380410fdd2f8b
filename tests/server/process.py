"""process.py: starts and stops `fathom serve` on a store of its own."""
import asyncio
import contextlib
import json
import os
import random
import re
import select
import signal
import socket
import sqlite3
import ssl
import subprocess
import tempfile
import time
from pathlib import Path

from expect import Wrong, expect


def free_port():
    """One that no connection is given for its own end: those lie above."""
    for _ in range(1000):
        port = random.SystemRandom().randrange(20000, 32000)
        with socket.socket() as link, contextlib.suppress(OSError):
            link.bind(("127.0.0.1", port))
            return port
    raise Wrong("no port is free")


class Server:
    """`fathom serve` on a free port. The store lies in a temporary folder and outlives restarts."""

    READY = re.compile(r"fathom: serving on https?://127\.0\.0\.1:(\d+)\n")

    def __init__(self, program, *flags, folder=None, trust=None, fast=False, store=None, under=(), rate=1000000, data="none"):
        """trust: the certificate that --cert names, for a server with TLS. fast: seats may say as much as they like.
        store: another one than a file of SQLite in the folder. under: a command that runs the program, such as valgrind.
        rate: requests of an address in a second; None: as many as the server allows by itself.
        data: the page, which would be compressed at each start; None: the server looks for one."""
        self.under, self.program, self.flags = [*under], str(program), [str(flag) for flag in flags]
        if rate is not None:
            self.flags[:0] = ["--rate", str(rate)]
        if data is not None:
            self.flags[:0] = ["--data", str(data)]
        self.pace = (25, 40)  # below 30 messages a second and 60 at once
        if fast:
            self.flags += ["--messages", "1000000", "--burst", "1000000"]
            self.pace = (1e6, 1e6)
        self.tls = {}
        if trust:
            self.tls = {"ssl": ssl.create_default_context(cafile=trust), "server_hostname": "localhost"}
        self._own = None if folder else tempfile.TemporaryDirectory(prefix="fathom-server-")
        self.folder = Path(folder or self._own.name)
        self.store = store or f"sqlite:{self.folder / 'store.db'}"
        self.process, self.port, self._errors = None, None, None
        self.start()

    @property
    def host(self):
        return f"127.0.0.1:{self.port}"

    def start(self, seconds=None):
        seconds = seconds or (180 if self.under else 30)
        expect(self.process is None, "the server runs already")
        command = [*self.under, self.program, "serve", "--host", "127.0.0.1", "--port", "0",
                   "--secret-ms", "0", "--analysis-nice", "0", "--store", self.store, *self.flags]
        self._errors = open(self.folder / "stderr", "ab+")
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=self._errors)
        line, end, poll = b"", time.monotonic() + seconds, select.poll()
        poll.register(self.process.stdout, select.POLLIN)
        while not line.endswith(b"\n"):
            left = end - time.monotonic()
            ready = left > 0 and poll.poll(left * 1000)
            byte = os.read(self.process.stdout.fileno(), 1) if ready else b""
            if not byte:
                self.process.kill()
                status = self.process.wait()
                self.process = None
                raise Wrong(f"`fathom serve` did not say that it serves: {line!r}, status {status}, {self.errors()[-2000:]}")
            line += byte
        said = self.READY.fullmatch(line.decode("utf-8", "replace"))
        expect(said, f"the line of readiness is {line!r}")
        self.port = int(said[1])

    def nodes(self):
        """Servers that this one consists of: tests/cluster has several."""
        return [self]

    def errors(self):
        """What it wrote to standard error so far, over all its runs."""
        self._errors.flush()
        return (self.folder / "stderr").read_text(encoding="utf-8", errors="replace")

    def events(self):
        """(table, event) of all logs in the store, each log in its order."""
        with contextlib.closing(sqlite3.connect(self.folder / "store.db")) as db:
            for table, event in db.execute("SELECT lower(hex(id)), event FROM events JOIN tables ON n = table_n ORDER BY table_n, seq"):
                yield table, json.loads(event)

    def change_record(self, change):
        """The one record in the store, and what becomes of it. The server is stopped meanwhile."""
        with contextlib.closing(sqlite3.connect(self.folder / "store.db")) as db, db:
            record = bytes(db.execute("SELECT text FROM records").fetchone()[0])
            db.execute("UPDATE records SET text = ?", (change(record),))
        return record

    def running(self):
        return self.process is not None and self.process.poll() is None

    async def stop(self, seconds=30):
        """SIGTERM; the status must be 0, and no sanitizer may have complained."""
        status = await self._end(signal.SIGTERM, seconds)
        expect(status == 0, f"after SIGTERM the server ended with {status}: {self.errors()[-3000:]}")
        for word in ("Sanitizer", "runtime error"):
            expect(word not in self.errors(), self.errors()[-6000:])

    async def kill(self):
        """SIGKILL: nothing is said and nothing is tidied up."""
        await self._end(signal.SIGKILL, 30)

    async def _end(self, how, seconds):
        expect(self.process is not None, "the server does not run")
        process, self.process = self.process, None
        if process.poll() is None:
            process.send_signal(how)
        end = time.monotonic() + seconds
        while process.poll() is None and time.monotonic() < end:
            await asyncio.sleep(0.01)
        if process.poll() is None:
            process.kill()
            process.wait()
            raise Wrong(f"the server did not end within {seconds} s of signal {how}: {self.errors()[-2000:]}")
        process.stdout.close()
        return process.returncode

    async def restart(self):
        await self.stop()
        self.start()

    async def close(self):
        """At the end of a case, however it went."""
        if self.process is not None:
            try:
                await self.kill()
            except Wrong:
                pass
        self._errors.close()
        if self._own:
            self._own.cleanup()
