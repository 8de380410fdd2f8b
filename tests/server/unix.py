#!/usr/bin/env python3
"""unix.py: a server that listens on a path, for a proxy on the same machine."""
import asyncio
import base64
import contextlib
import os
import secrets
import stat
import subprocess
from pathlib import Path

from client import WebSocket, case, expect, read_answer, tap
from tap import equal, fails, fathom


class Server:
    """`fathom serve --host unix:PATH`."""

    def __init__(self, folder, *flags):
        self.path = Path(folder) / "fathom.sock"
        self.command = [tap.program(), "serve", "--host", f"unix:{self.path}", "--data", "none", "--secret-ms", "0", *flags]
        self.process = None

    def start(self, store="store"):
        self.process = subprocess.Popen([*self.command, "--store", f"sqlite:{self.path.parent}/{store}.db"],  # pylint: disable=consider-using-with
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        equal(self.process.stdout.readline(), f"fathom: serving on unix:{self.path}\n", "the line of readiness")

    def end(self, how="terminate"):
        getattr(self.process, how)()
        status = self.process.wait(60)
        self.process.stdout.close()
        return status

    async def send(self, data):
        """A connection on which this was sent, and its first answer."""
        reader, writer = await asyncio.open_unix_connection(self.path)
        writer.write(data)
        return reader, writer, await read_answer(reader)

    async def get(self, path, *headers, host="table.example"):
        head = [f"GET {path} HTTP/1.1", f"Host: {host}", "Connection: close", *headers, "", ""]
        _, writer, answer = await self.send("\r\n".join(head).encode())
        writer.close()
        return answer

    async def stream(self, table):
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        head = [f"GET /api/tables/{table}/live HTTP/1.1", "Host: table.example", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                f"Sec-WebSocket-Key: {key}", "X-Forwarded-For: 203.0.113.7", "", ""]
        reader, writer, answer = await self.send("\r\n".join(head).encode())
        equal(answer.status, 101, answer)
        return WebSocket(reader, writer, answer)


@contextlib.contextmanager
def serving(*flags):
    with tap.scratch() as folder:
        server = Server(folder, *flags)
        server.start()
        try:
            yield server
        finally:
            if server.process.poll() is None:
                server.end("kill")


@case("clients are who the proxy says, and the machine itself is told more")
async def clients():
    with serving("--rate", "1") as server:  # and four at once
        statuses = [(await server.get("/api/games", "X-Forwarded-For: 198.51.100.1, 203.0.113.7")).status for _ in range(6)]
        equal((statuses[:4], statuses[4:]), ([200] * 4, [429] * 2), "one client that asks too much")
        equal((await server.get("/api/games", "X-Forwarded-For: 203.0.113.8")).status, 200, "another client")
        equal((await server.get("/api/games", "X-Forwarded-For: somebody")).status, 400, "a proxy that names no address")
        for path in "/metrics", "/healthz":
            told = await server.get(path, host="localhost")
            expect(told.status == 200 and b"store" in told.body, f"{path} from this machine: {told}")
        equal((await server.get("/metrics", "X-Forwarded-For: 203.0.113.9", host="localhost")).status, 404, "/metrics by the proxy")
        equal((await server.get("/healthz", "X-Forwarded-For: 203.0.113.9")).json(), {"ok": True}, "/healthz by the proxy")
        equal((await server.get("/metrics")).status, 404, "/metrics by a name")


@case("a stream goes by the path as by a port")
async def streams():
    with serving() as server:
        body = b'{"game":"soumsoum"}'
        _, writer, made = await server.send(b"POST /api/tables HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.7\r\n"
                                            b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        equal(made.status, 201, made)
        writer.close()
        socket = await server.stream(made.json()["table"])
        socket.send({"hello": None})
        expect('"seq":-1' in await socket.receive(), "the answer to hello")
        socket.cut()
        equal(server.end(), 0, "its status")


@tap.case("the path is for owner and group, is taken over only if nobody listens, and goes with the server")
def path():
    with serving() as server:
        found = server.path.stat()
        equal((stat.S_ISSOCK(found.st_mode), stat.S_IMODE(found.st_mode)), (True, 0o660), "its kind and mode")
        other = ["serve", "--host", f"unix:{server.path}", "--data", "none", "--store", f"sqlite:{server.path.parent}/other.db"]
        fails(fathom(*other), "another program does")
        equal(fathom(*other, "--check").status, 1, "a check while it serves")
        equal(server.path.stat().st_ino, found.st_ino, "the socket after a second server")
        server.end("kill")
        expect(server.path.exists(), "kill -9 leaves the path behind")
        equal(fathom(*other, "--check").status, 0, "a check of a path that was left behind")
        server.start()
        os.rename(server.path, f"{server.path}.mine")
        server.path.write_text("not mine", encoding="utf-8")
        equal(server.end(), 0, "its status")
        equal(server.path.read_text(encoding="utf-8"), "not mine", "what another program put there")
        fails(fathom(*other), "no socket")
        server.path.unlink()
        server.start()
        equal((server.end(), server.path.exists()), (0, False), "after an orderly end")
        fails(fathom("serve", "--host", "unix:" + "x" * 200, "--data", "none", "--store", f"sqlite:{server.path.parent}/other.db"), "1 to 107 bytes")
        fails(fathom("serve", "--host", f"unix:{server.path.parent}/none/x", "--data", "none", "--store", f"sqlite:{server.path.parent}/other.db"), "No such file")


if __name__ == "__main__":
    tap.main()
