"""client.py: plays at a fathom server from outside, written from docs/protocol*.md alone.

Server    starts and stops `fathom serve` on a store of its own
Http      one HTTP connection, kept alive
WebSocket one WebSocket connection (RFC 6455), down to the single frame
Stream    the live stream of a table as one viewer is told it; checks what every stream promises
Seat      a stream that also acts
Table     what is asked of a table over HTTP
choose    a random legal action out of a view

Only the standard library is used.
"""
import asyncio
import base64
import contextlib
import hashlib
import itertools
import json
import os
import random
import re
import secrets
import select
import signal
import socket
import sqlite3
import ssl
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# Seconds until an answer that does not come is a failure; a slow build has more.
PATIENCE = 20 * int(os.environ.get("TESTS_SLOWNESS", "1"))
BOUND = 16 * 1024  # of a body and of a message

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


class Wrong(AssertionError):
    """The server did something that the protocol does not allow."""


def expect(condition, message):
    if not condition:
        raise Wrong(message)


def short(value, limit=300):
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= limit else text[:limit] + "…"


async def patiently(what, awaitable, seconds=PATIENCE):
    """The result of an awaitable, which must not take too long."""
    try:
        return await asyncio.wait_for(awaitable, seconds)
    except asyncio.TimeoutError:
        raise Wrong(f"waited {seconds} s for {what}") from None


# ---- the server's process ------------------------------------------------------------------------


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

    def __init__(self, program, *flags, folder=None, trust=None, fast=False, store=None, under=(), rate=1000000):
        """trust: the certificate that --cert names, for a server with TLS. fast: seats may say as much as they like.
        store: another one than a file of SQLite in the folder. under: a command that runs the program, such as valgrind.
        rate: requests of an address in a second; None: as many as the server allows by itself."""
        self.under, self.program, self.flags = [*under], str(program), [str(flag) for flag in flags]
        if rate is not None:
            self.flags[:0] = ["--rate", str(rate)]
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
                   "--secret-ms", "0", "--store", self.store, *self.flags]
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


# ---- HTTP ------------------------------------------------------------------------------------------


class Answer:
    """A status, headers with names in lower case, and a body."""

    def __init__(self, status, reason, headers, body):
        self.status, self.reason, self.headers, self.body = status, reason, headers, body

    def json(self):
        expect(self.headers.get("content-type", "").split(";")[0] == "application/json",
               f"JSON is sent as {self.headers.get('content-type')!r}: {self}")
        try:
            return json.loads(self.body.decode("utf-8"))
        except ValueError as error:
            raise Wrong(f"not JSON ({error}): {self}") from None

    @property
    def code(self):
        """The code of a refusal, whose form is checked."""
        body = self.json()
        expect(isinstance(body, dict) and set(body) == {"error"} and isinstance(body["error"], dict)
               and set(body["error"]) == {"code", "message"}, f"not the form of a refusal: {self}")
        code, message = body["error"]["code"], body["error"]["message"]
        expect(isinstance(code, str) and re.fullmatch("[a-z]+(-[a-z]+)*", code) and isinstance(message, str) and message,
               f"not the form of a refusal: {self}")
        return code

    def __str__(self):
        return f"{self.status} {self.reason} {short(self.body.decode('utf-8', 'replace'))}"


async def read_answer(reader, method="GET"):
    """Reads one answer; raises EOFError where the connection ends before it."""
    try:
        head = await patiently("an answer", reader.readuntil(b"\r\n\r\n"))
    except (asyncio.IncompleteReadError, ConnectionError) as error:
        raise EOFError(f"no answer, the connection ended after {getattr(error, 'partial', b'')!r}") from None
    lines = head.decode("latin-1").split("\r\n")[:-2]
    start = re.fullmatch(r"HTTP/1\.[01] (\d{3}) ?(.*)", lines[0])
    expect(start, f"not an answer of HTTP: {lines[0]!r}")
    status, headers = int(start[1]), {}
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        expect(colon and re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name), f"not a header: {line!r}")
        headers[name.lower()] = value.strip()
    body = b""
    if method != "HEAD" and status >= 200 and status not in (204, 304):
        try:
            if headers.get("transfer-encoding", "").lower() == "chunked":
                while size := int((await patiently("a chunk", reader.readline())).split(b";")[0], 16):
                    body += await patiently("a chunk", reader.readexactly(size))
                    await reader.readline()
                while (await reader.readline()).strip():
                    pass
            elif "content-length" in headers:
                body = await patiently("a body", reader.readexactly(int(headers["content-length"])))
            else:
                body = await patiently("a body", reader.read())
        except asyncio.IncompleteReadError as error:
            raise Wrong(f"the body ends after {len(error.partial)} bytes: {lines}") from None
    return Answer(status, start[2], headers, body)


class Http:
    """One connection. Requests follow each other on it as long as the server keeps it."""

    def __init__(self, server):
        self.server, self.reader, self.writer = server, None, None

    async def connect(self):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.server.port, **self.server.tls)

    def close(self):
        if self.writer:
            self.writer.close()
        self.reader = self.writer = None

    async def raw(self, data, method="GET"):
        """Sends just these bytes and reads an answer."""
        if self.writer is None:
            await self.connect()
        self.writer.write(data)
        answer = await read_answer(self.reader, method)
        if answer.headers.get("connection", "").lower() == "close":
            self.close()
        return answer

    async def request(self, method, path, body=None, token=None, headers=(), keep=True):
        """body: bytes, or anything that JSON can say."""
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.server.host}"]
        if body is not None:
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        elif method in ("POST", "PUT"):
            lines += ["Content-Length: 0"]
        if token is not None:
            lines += [f"Authorization: Bearer {token}"]
        if not keep:
            lines += ["Connection: close"]
        lines += [f"{name}: {value}" for name, value in headers]
        data = "\r\n".join([*lines, "", ""]).encode() + (body or b"")
        kept = self.writer is not None
        try:
            answer = await self.raw(data, method)
        except (EOFError, ConnectionError) as error:
            self.close()
            if not kept:
                raise EOFError(f"{method} {path}: {error}") from None
            answer = await self.raw(data, method)  # it was closed while nothing was asked of it
        if not keep:
            self.close()
        return answer


async def ask(server, method, path, body=None, token=None, headers=()):
    """A single request on a connection of its own; waits when it is told to."""
    while True:
        http = Http(server)
        try:
            answer = await http.request(method, path, body, token, headers, keep=False)
        finally:
            http.close()
        if answer.status != 429:
            return answer
        await asyncio.sleep(float(answer.headers.get("retry-after", "1")))


# ---- WebSocket -------------------------------------------------------------------------------------


class Closed(Exception):
    """The other side is gone: the code of its close frame, 1006 if there was none."""

    def __init__(self, code, reason=""):
        super().__init__(f"closed with {code} {reason}".strip())
        self.code, self.reason = code, reason


class NoUpgrade(Exception):
    """The handshake was answered with something else than 101."""

    def __init__(self, answer):
        super().__init__(str(answer))
        self.answer = answer


class WebSocket:
    """The client's end of RFC 6455. What the server sends is held to it."""

    def __init__(self, reader, writer, answer):
        self.reader, self.writer, self.answer = reader, writer, answer
        self.pongs = []  # payloads, oldest first
        self._parts, self._kind = [], None
        self._close_sent = False

    @classmethod
    async def open(cls, server, path, headers=(), replace=(), receive_buffer=None):
        """replace: headers of the handshake to be sent otherwise, {name: value or None}."""
        link = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if receive_buffer:
            link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        link.setblocking(False)
        try:
            await asyncio.get_running_loop().sock_connect(link, ("127.0.0.1", server.port))
        except BaseException:
            link.close()
            raise
        reader, writer = await asyncio.open_connection(sock=link, **server.tls, **({"limit": receive_buffer} if receive_buffer else {}))
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        fields = {"Host": server.host, "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": key,
                  "Sec-WebSocket-Version": "13", **dict(replace)}
        lines = [f"GET {path} HTTP/1.1", *(f"{k}: {v}" for k, v in fields.items() if v is not None),
                 *(f"{k}: {v}" for k, v in headers), "", ""]
        writer.write("\r\n".join(lines).encode())
        try:
            answer = await read_answer(reader)
        except BaseException:
            writer.close()
            raise
        if answer.status != 101:
            writer.close()
            raise NoUpgrade(answer)
        digest = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
        expect(answer.headers.get("sec-websocket-accept") == base64.b64encode(digest).decode(), "Sec-WebSocket-Accept")
        expect(answer.headers.get("upgrade", "").lower() == "websocket", "Upgrade")
        expect("upgrade" in answer.headers.get("connection", "").lower(), "Connection")
        expect("sec-websocket-extensions" not in answer.headers, "an extension that nobody asked for")
        return cls(reader, writer, answer)

    def frame(self, kind, payload=b"", fin=True, masked=True, reserved=0):
        """One frame, right or wrong. Returns at once; what is sent is sent in order."""
        size = len(payload)
        head = bytes([(0x80 if fin else 0) | reserved << 4 | kind])
        mark = 0x80 if masked else 0
        if size < 126:
            head += bytes([mark | size])
        elif size < 65536:
            head += bytes([mark | 126]) + struct.pack(">H", size)
        else:
            head += bytes([mark | 127]) + struct.pack(">Q", size)
        if masked:
            mask = secrets.token_bytes(4)
            head += mask
            payload = bytes(a ^ b for a, b in zip(payload, itertools.cycle(mask)))
        self.writer.write(head + payload)

    def text(self, text, pieces=1):
        """A message of text, in so many fragments."""
        data = text.encode() if isinstance(text, str) else text
        cuts = [len(data) * i // pieces for i in range(pieces + 1)]
        for i in range(pieces):
            self.frame(TEXT if i == 0 else CONTINUATION, data[cuts[i]:cuts[i + 1]], fin=i == pieces - 1)

    def send(self, message):
        self.text(json.dumps(message))

    async def _frame(self):
        try:
            first, second = await self.reader.readexactly(2)
            expect(not first & 0x70, f"reserved bits in a frame of the server: {first:#x}")
            expect(not second & 0x80, "the server masks")
            size, bound = second & 0x7F, 126
            if size == 126:
                size, = struct.unpack(">H", await self.reader.readexactly(2))
            elif size == 127:
                size, = struct.unpack(">Q", await self.reader.readexactly(8))
                bound = 65536
            expect(second & 0x7F < 126 or size >= bound, "a length that is not written as short as it could be")
            return first & 0x80, first & 0x0F, await self.reader.readexactly(size)
        except (asyncio.IncompleteReadError, ConnectionError):
            raise Closed(1006) from None

    async def receive(self):
        """The next message of text; raises Closed at the end."""
        while True:
            fin, kind, payload = await self._frame()
            if kind >= 8:
                expect(fin and len(payload) < 126, "a control frame that is long or in pieces")
            if kind == PING:
                self.frame(PONG, payload)
            elif kind == PONG:
                self.pongs.append(payload)
                return None
            elif kind == CLOSE:
                if len(payload) == 1:
                    raise Closed(1006, "half a code")
                code = struct.unpack(">H", payload[:2])[0] if payload else 1005
                if not self._close_sent:
                    self.close(code if payload else 1000)
                raise Closed(code, payload[2:].decode("utf-8"))
            elif kind in (TEXT, BINARY, CONTINUATION):
                expect((kind == CONTINUATION) == bool(self._parts), "fragments that do not belong together")
                self._kind = kind or self._kind
                self._parts.append(payload)
                if fin:
                    whole, self._parts = b"".join(self._parts), []
                    expect(self._kind == TEXT, "the server sends bytes that are no text")
                    return whole.decode("utf-8")
            else:
                raise Wrong(f"a frame of kind {kind} from the server")

    async def message(self, seconds=PATIENCE):
        """The next message as JSON, past pongs."""
        while True:
            text = await patiently("a message", self.receive(), seconds)
            if text is not None:
                return json.loads(text)

    async def closing(self, seconds=PATIENCE):
        """Reads on to the end: the Closed, and the messages until then."""
        told = []
        try:
            while True:
                told.append(await self.message(seconds))
        except Closed as closed:
            self.cut()
            return closed, told

    def close(self, code=1000, reason=""):
        self._close_sent = True
        self.frame(CLOSE, struct.pack(">H", code) + reason.encode() if code else b"")

    def cut(self):
        """Ends the connection without a word."""
        self.writer.close()


# ---- the live stream -------------------------------------------------------------------------------

PRIVATE = {"chose", "programmed"}  # events that are told to their own seat alone


class Pace:
    """Stays below so many messages a second, and so many at once."""

    def __init__(self, rate, burst=40):
        self.rate, self.burst, self.left, self.at = rate, burst, burst, time.monotonic()

    async def turn(self):
        now = time.monotonic()
        self.left = min(self.burst, self.left + (now - self.at) * self.rate) - 1
        self.at = now
        if self.left < 0:
            await asyncio.sleep(-self.left / self.rate)


class Refused(Exception):
    """The server's answer to an action that was not taken."""

    def __init__(self, message):
        super().__init__(f"{message['code']}: {message['message']}")
        self.code = message["code"]


class Stream:
    """What one viewer of a table is told, as it comes. Every message is held to the protocol."""

    def __init__(self, server, table, token=None, seat=None):
        self.server, self.table, self.token, self.seat = server, table, token, seat
        self.socket, self.reading, self.closed, self.fault = None, None, None, None
        self.seq, self.view, self.seats = None, None, None
        self.visit = None  # the token for pictures
        self.log = []  # (seq, events) of each change, over all connections
        self.missed = None  # the events of the last hello with `from`
        self.told = 0  # messages so far, over all connections
        self.answers, self.looks, self.retry = {}, [], None
        self.clock = None  # (ms left, when that was said); None: nothing was said
        self.pace = Pace(*server.pace)
        self._greeted, self._news = False, asyncio.Event()

    def __str__(self):
        return "the spectator" if self.seat is None else f"seat {self.seat}"

    async def connect(self, since=None, **options):
        """Says hello and waits for view and seats. since: the last seq that was seen."""
        self.socket = await WebSocket.open(self.server, f"/api/tables/{self.table}/live", **options)
        self.closed, self.seats, self._greeted, self.missed, self.retry, self.clock = None, None, False, None, None, None
        self._since, before = since, self.told
        self.socket.send({"hello": self.token, "visit": True, **({} if since is None else {"from": since})})
        self.reading = asyncio.create_task(self._read())
        await self.until(lambda: self.told >= before + 2, "the answers to hello")
        return self

    async def disconnect(self, code=1000):
        self.socket.close(code)
        await patiently("the end of a stream", self.reading)
        self.socket.cut()
        expect(self.fault is None, self.fault)
        expect(self.closed.code == code, f"close {code} was answered with {self.closed}")

    def cut(self):
        if self.reading:
            self.reading.cancel()
        if self.socket:
            self.socket.cut()

    async def until(self, condition, what, seconds=PATIENCE):
        """Waits until a condition holds, which is looked at after every message."""
        end = time.monotonic() + seconds
        while not condition():
            expect(self.fault is None, f"{self}: {self.fault}")
            if self.closed is not None:
                raise Wrong(f"{self}: waited for {what}, but the stream was {self.closed}")
            self._news.clear()
            try:
                await asyncio.wait_for(self._news.wait(), max(0.0, end - time.monotonic()))
            except asyncio.TimeoutError:
                raise Wrong(f"{self}: waited {seconds} s for {what}; seq {self.seq}, phase "
                            f"{self.view and self.view['phase']}, active {self.view and self.view.get('active')}") from None
        expect(self.fault is None, f"{self}: {self.fault}")

    async def ended(self, seconds=PATIENCE):
        """Waits for the end that the server makes."""
        await patiently("the end of a stream", asyncio.wait({self.reading}), seconds)
        expect(self.fault is None, f"{self}: {self.fault}")
        self.socket.cut()
        return self.closed

    async def barrier(self):
        """After this all has come that the server had sent before: a pong overtakes nothing."""
        payload, pongs = secrets.token_bytes(8), self.socket.pongs
        await self.pace.turn()
        self.socket.frame(PING, payload)
        await self.until(lambda: payload in pongs, "a pong")

    async def _read(self):
        try:
            while True:
                text = await self.socket.receive()
                if text is not None:
                    self._take(json.loads(text))
                self._news.set()
        except Closed as closed:
            self.closed = closed
        except asyncio.CancelledError:
            raise
        except Exception as error:  # pylint: disable=broad-except
            self.fault = self.fault or f"{type(error).__name__}: {error}"
            self.closed = Closed(1006)
        self._news.set()

    def _take(self, message):
        self.told += 1
        kind = next((k for k in ("ack", "refused", "seats", "look", "clock", "retry", "what") if k in message), "seq")
        keys = {"ack": {"ack", "seq"}, "refused": {"refused", "code", "message"}, "seats": {"seats"}, "look": {"look"}, "clock": {"clock"},
                "retry": {"retry"}, "what": {"what", "view"}, "seq": {"seq", "events", "view"}}[kind]
        first = kind == "seq" and not self._greeted
        if first and self._since is None:
            keys = keys - {"events"}
        if first and "visit" in message:  # of a game with pictures
            expect(len(message["visit"]) == 32, f"a visit's token is {message['visit']}")
            keys, self.visit = keys | {"visit"}, message["visit"]
        expect(set(message) == keys, f"a message has the keys {sorted(message)}, not {sorted(keys)}: {short(message)}")
        expect(self._greeted or first, f"the first message is not the view: {short(message)}")
        if kind == "seq":
            self._change(message, first)
        elif kind == "ack":
            expect(self.seq is not None and message["seq"] <= self.seq,
                   f"ack {message['ack']} of seq {message['seq']} came before the change, at seq {self.seq}")
            self.answers.setdefault(message["ack"], []).append(message)
        elif kind in ("refused", "what"):
            self.answers.setdefault(message[kind], []).append(message)
        elif kind == "seats":
            for place, seat in enumerate(message["seats"]):
                check_seat(seat, place)
            self.seats = message["seats"]
        elif kind == "look":
            expect(self.token is None, "a look was sent to a seat, it is for table screens")
            self.looks.append(message["look"])
        elif kind == "clock":
            expect(self.view and (message["clock"] is None) == (self.view["deadline"] is None), f"{message} beside {self.view}")
            self.clock = message["clock"] is not None and (message["clock"], time.monotonic())
        else:
            self.retry = message["retry"]

    def _change(self, message, first):
        seq, view, events = message["seq"], message["view"], message.get("events")
        expect(isinstance(seq, int) and (self.seq is None or seq >= self.seq), f"seq went from {self.seq} to {seq}")
        expect(view is not None or seq == -1, f"seq is {seq} before the start")
        if view is not None:
            expect(view["seq"] == seq, f"seq is {seq}, but the view's is {view['seq']}")
            expect(view["seat"] == self.seat, f"{self} was sent the view of {view['seat']}")
            expect(("legal" in view) == (self.seat is not None), "`legal` is for seats")
        else:
            expect(self.view is None, "the view was null after it had been there")
        if not first:
            expect(view is not None, f"a change without a view: {short(message)}")
            expect(seq > self.seq, f"a change from seq {self.seq} to {seq}")
            self.log.append((seq, events))
        for event in events or []:
            expect(event["event"] not in PRIVATE or event["seat"] == self.seat, f"{self} was told of {short(event)}")
            check_secret(event, self.seat)
        if first:
            self._greeted, self.missed = True, events
        self.seq, self.view = seq, view


def check_seat(seat, place):
    expect(set(seat) == {"seat", "name", "bot", "here"} and seat["seat"] == place and isinstance(seat["here"], bool)
           and isinstance(seat["name"], (str, type(None))) and isinstance(seat["bot"], (str, type(None))),
           f"not a SEAT: {short(seat)}")


def check_secret(event, viewer):
    """Cards that are cut for others."""
    if event["event"] in ("dealt", "drew") and event["seat"] != viewer and "card" in event and "species" not in event:
        expect(event["card"] is None, f"{viewer} was told of another's card: {short(event)}")


class Seat(Stream):
    """A stream that acts. Two connections of one seat are two of these with one token."""

    def __init__(self, server, table, token, seat):
        super().__init__(server, table, token, seat)
        self._prefix, self._number = secrets.token_hex(4), itertools.count(1)
        self.last = None  # (id, message) of the last action that was acknowledged

    def next_id(self):
        return f"{self._prefix}-{next(self._number)}"

    def twin(self):
        """Another connection of the same seat."""
        return Seat(self.server, self.table, self.token, self.seat)

    async def say(self, message, name=None):
        """Sends an action and waits for the answer: its seq, or raises Refused."""
        name = name or self.next_id()
        message = {"id": name, **message}
        before = len(self.answers.get(name, ()))
        await self.pace.turn()
        self.socket.send(message)
        await self.until(lambda: len(self.answers.get(name, ())) > before, f"the answer to {short(message)}")
        answer = self.answers[name][before]
        if "refused" in answer:
            raise Refused(answer)
        self.last = (name, {k: v for k, v in message.items() if k != "id"})
        return answer["seq"]

    async def act(self, action, name=None):
        return await self.say({"action": action}, name)

    async def what(self, *actions):
        """The view after these actions, or raises Refused."""
        name = self.next_id()
        await self.pace.turn()
        self.socket.send({"what": name, "if": actions})
        await self.until(lambda: name in self.answers, f"what {short(actions)} leads to")
        answer = self.answers[name][0]
        if "refused" in answer:
            raise Refused(answer)
        return answer["view"]

    async def try_act(self, action):
        """Acts on what may be known no more: False if something else happened meanwhile."""
        seq = self.seq
        try:
            after = await self.act(action)
            expect(after > seq, f"{self}: {short(action)} at seq {seq} was acknowledged with seq {after}")
            return True
        except Refused as refused:
            try:
                await self.until(lambda: self.seq > seq, "a reason for a refusal", 2)
            except Wrong:
                raise Wrong(f"{self}: {short(action)} was in `legal`, but refused: {refused}; view {short(self.view, 3000)}") from None
            return False

    async def retry_last(self):
        """Sends the last action again under its id: acknowledged again, not applied again."""
        name, message = self.last
        seq, view = self.seq, self.view
        again = await self.say(message, name)
        await self.barrier()
        expect(again <= seq, f"{self}: a retried id was acknowledged with seq {again} at seq {seq}")
        expect((self.seq, self.view) == (seq, view), f"{self}: a retried id was applied again: {short(message)}")


# ---- tables ----------------------------------------------------------------------------------------


class Table:
    """A table over HTTP. Each method asks, expects that it is done, and returns what was answered."""

    def __init__(self, server, name, code=None, host=None):
        self.server, self.id, self.code, self.host = server, name, code, host

    @classmethod
    async def make(cls, server, game, options=None, listed=None):
        body = {"game": game, **({} if options is None else {"options": options}), **({} if listed is None else {"listed": listed})}
        made = await done(server, "POST", "/api/tables", body, status=201)
        expect(set(made) == {"table", "code", "host"}, f"a made table: {made}")
        expect(re.fullmatch("[0-9a-f]{32}", made["host"]), "a token is 32 hex digits")
        expect(re.fullmatch("[0-9A-Z]{6}", made["code"]), f"a code: {made['code']!r}")
        return cls(server, made["table"], made["code"], made["host"])

    @property
    def path(self):
        return f"/api/tables/{self.id}"

    async def get(self):
        table = await done(self.server, "GET", self.path)
        check_table(table)
        expect(table["table"] == self.id, f"asked for {self.id}, got {table['table']}")
        return table

    async def agreed(self):
        """All nodes know the same of the table, and have told it."""
        nodes, end = self.server.nodes(), time.monotonic() + PATIENCE
        while len(nodes) > 1 and len({(await ask(node, "GET", self.path)).body for node in nodes}) > 1:
            expect(time.monotonic() < end, f"the nodes do not agree on {self.path}")
            await asyncio.sleep(0.02)

    async def sit(self, name, seat=None, entropy=None):
        body = {"name": name, **({} if seat is None else {"seat": seat}), **({} if entropy is None else {"entropy": entropy})}
        sat = await done(self.server, "POST", self.path + "/seats", body, status=201)
        expect(set(sat) == {"seat", "token"} and re.fullmatch("[0-9a-f]{32}", sat["token"]), f"a taken seat: {sat}")
        expect(seat in (None, sat["seat"]), f"asked for seat {seat}, got {sat['seat']}")
        return Seat(self.server, self.id, sat["token"], sat["seat"])

    async def stand(self, seat, token):
        expect(await done(self.server, "DELETE", f"{self.path}/seats/{seat}", token=token) == {}, "DELETE of a seat")

    async def bot(self, seat, bot, token=None):
        answer = await done(self.server, "POST", self.path + "/bots", {"seat": seat, "bot": bot}, token or self.host)
        expect(set(answer) == {"done"}, f"a bot: {answer}")
        return answer["done"]

    async def start(self):
        expect(await done(self.server, "POST", self.path + "/start", token=self.host) == {}, "a start")

    async def rematch(self, token):
        answer = await done(self.server, "POST", self.path + "/rematch", token=token, status=201)
        expect(set(answer) == {"table"}, f"a rematch: {answer}")
        return Table(self.server, answer["table"], None, self.host)

    async def record(self):
        answer = await ask(self.server, "GET", self.path + "/record")
        expect(answer.status == 200, f"the record: {answer}")
        return answer.body

    def spectator(self):
        return Stream(self.server, self.id)


def check_table(table):
    keys = {"table", "game", "options", "state", "listed", "seats", "commitment", "deck", "rematch"}
    expect(set(table) == keys, f"the keys of a TABLE are {sorted(table)}")
    expect(table["state"] in ("waiting", "playing", "over"), f"state {table['state']!r}")
    expect(re.fullmatch("[0-9a-f]{32}", table["table"]), f"an id: {table['table']!r}")
    expect(re.fullmatch("[0-9a-f]{64}", table["commitment"]), f"a commitment: {table['commitment']!r}")
    expect(set(table["deck"]) == {"id", "hash"}, f"a deck: {table['deck']}")
    for place, seat in enumerate(table["seats"]):
        check_seat(seat, place)


async def done(server, method, path, body=None, token=None, status=200):
    answer = await ask(server, method, path, body, token)
    expect(answer.status == status, f"{method} {path} {short(body)}: {answer}, should be {status}")
    return answer.json()


# ---- choosing --------------------------------------------------------------------------------------


def choose(view, rng):
    """A random legal action, whole; None if this seat rather waits. See `legal` on the games' pages."""
    legal = view["legal"]
    if not legal:
        return None
    if view["game"] == "dive":
        return choose_dive(view, rng)
    if view["game"] == "divercity":
        return choose_divercity(view, rng)
    return rng.choice(legal)


def choose_dive(view, rng):
    verbs = {}
    for action in view["legal"]:
        verbs.setdefault(action["do"], []).append(action)
    weights = {"choose": 9, "axolotl": 9, "program": 2, "ready": 5, "use": 1, "breathe": 1, "unready": 0.2}
    if "program" in verbs and "ready" not in verbs:
        weights["program"] = 9
    waiting = "unready" in verbs or not set(verbs) - {"use"}
    verb, = rng.choices([*verbs, "wait"], [*(weights[v] for v in verbs), 6 if waiting else 0])
    if verb == "wait":
        return None
    action = dict(rng.choice(verbs[verb]))
    if verb == "program":
        action.update(random_program(view, rng))
    if action.get("companion") == "octopus" and verb == "use":
        action.update(x=round(rng.random(), 4), y=round(rng.random(), 4))
    return action


def random_program(view, rng):
    if view["children"]:
        return {"levels": [{"shark": rng.random() < 0.5} for _ in range(5)]}
    tokens, depth = rng.sample(range(1, 6), 5), rng.randint(1, 5)
    levels = [{"tokens": [tokens[i]], "shark": rng.random() < 0.5} for i in range(depth)]
    for token in tokens[depth:]:
        if rng.random() < 0.3:
            rng.choice(levels)["tokens"].append(token)
    program = {"levels": levels}
    companion = view["companions"] and view["companions"][view["seat"]]
    if companion == "clownfish" and rng.random() < 0.4:
        program["clownfish"] = rng.randint(1, depth)
    if companion == "anglerfish" and depth == 5 and rng.random() < 0.6:
        program["anglerfish"] = {"shark": rng.random() < 0.5}
    return program


def choose_divercity(view, rng):
    own = view["claims"][view["seat"]] if view["seat"] < len(view["claims"]) else []
    if own and rng.random() < 0.05:
        return {"do": "claim", "card": rng.randrange(len(own)), "species": rng.choice([None, *view["ladder"]])}
    action = dict(rng.choice(view["legal"]))
    if action["do"] == "walkie" or action.get("use") == "communications":
        if view.get("signs") is not None:
            action["signs"] = [rng.sample(range(16), rng.randint(1, 3)) for _ in view["hands"][action["target"]]]
    elif action["do"] == "reorder":
        places = range(len(view["looked_at"]))
        action["order"] = rng.sample(places, len(places))
    elif action["do"] == "strike":
        places = range(len(view["looked_at"]))
        action["cards"] = rng.sample(places, min(2, len(places)))
    return action


# ---- cases -----------------------------------------------------------------------------------------

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
import tap  # noqa: E402  pylint: disable=wrong-import-position


@contextlib.asynccontextmanager
async def serving(*flags, **options):
    """A server for one case: stopped, and its status checked, if the case went well and did not end it."""
    server = Server(tap.program(), *flags, **options)
    try:
        yield server
        if server.running():
            await server.stop()
    finally:
        await server.close()


after_each = []  # asynchronous functions that look at how things stand after a case, however it went


def run(function, *arguments, seconds=300):
    """Runs a case to its end on a loop of its own."""
    async def whole():
        try:
            await patiently("the end of the case", function(*arguments), seconds)
        finally:
            for look in after_each:
                await look()

    asyncio.run(whole())


def case(title, seconds=300):
    """Registers an asynchronous function as the case of that name."""
    def register(function):
        tap.case(title)(lambda: run(function, seconds=seconds))
        return function
    return register


def cases(title, table, seconds=300):
    """Registers one case for each entry {name: arguments} of a table."""
    def register(function):
        for name, arguments in table.items():
            tap.case(f"{title}: {name}")(lambda a=arguments: run(function, *a, seconds=seconds))
        return function
    return register


def seed(name):
    """Chance that is the same in every run of a case, as far as the server's own allows."""
    return random.Random(name)
