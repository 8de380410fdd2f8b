"""wire.py: HTTP and WebSocket (RFC 6455) connections, down to the single frame, with the standard library alone."""
import asyncio
import base64
import hashlib
import itertools
import json
import re
import secrets
import socket
import struct

from expect import PATIENCE, Wrong, expect, patiently, short

BOUND = 16 * 1024  # of a body and of a message

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


def values_fit(refusal):
    """Besides its code and sentence a refusal has the values that its sentence states, and no more."""
    values = set(refusal) - {"code", "message", "refused"}
    return all(type(refusal[v]) is int and str(refusal[v]) in refusal["message"] for v in values)  # pylint: disable=unidiomatic-typecheck


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
               and {"code", "message"} <= set(body["error"]) and values_fit(body["error"]), f"not the form of a refusal: {self}")
        code, message = body["error"]["code"], body["error"]["message"]
        expect(isinstance(code, str) and re.fullmatch("[a-z]+(-[a-z]+)*", code) and isinstance(message, str) and message,
               f"not the form of a refusal: {self}")
        return code

    def __str__(self):
        return f"{self.status} {self.reason} {short(self.body.decode('utf-8', 'replace'))}"


async def read_body(reader, headers):
    if headers.get("transfer-encoding", "").lower() == "chunked":
        body = b""
        while size := int((await patiently("a chunk", reader.readline())).split(b";")[0], 16):
            body += await patiently("a chunk", reader.readexactly(size))
            await reader.readline()
        while (await reader.readline()).strip():
            pass
        return body
    if "content-length" in headers:
        return await patiently("a body", reader.readexactly(int(headers["content-length"])))
    return await patiently("a body", reader.read())


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
            body = await read_body(reader, headers)
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
