#!/usr/bin/python3
"""stream_refusals.py: WebSocket handshakes, messages and frames that a server refuses, and streams that are too fast or slow."""
import asyncio
import contextlib
import json
import struct
import tempfile
import time
from pathlib import Path

import bystanders
import client
import tap
from bystanders import STRANGER, Around, closes, opened, the_server, unnoticed, waiting
from client import BINARY, BOUND, CLOSE, CONTINUATION, PING, TEXT, Http, NoUpgrade, Server, Table, WebSocket, Wrong, ask, case, cases, expect
from tap import equal

# ---- the handshake ---------------------------------------------------------------------------------


async def no_upgrade(server, path, *statuses, **options):
    """The handshake is refused: with a status, or without a word."""
    try:
        socket = await WebSocket.open(server, path, **options)
    except NoUpgrade as refusal:
        expect(refusal.answer.status in statuses, f"answered with {refusal.answer}, should be one of {statuses}")
        return
    except (EOFError, ConnectionError):
        return
    socket.cut()
    raise Wrong(f"upgraded, should be one of {statuses}; {options}")


@case("a page of another origin gets no stream")
async def origins():
    async with unnoticed() as around:
        server, path = around.server.nodes()[0], around.table.path + "/live"
        for origin in ("http://example.org", "http://127.0.0.1", "http://localhost:1", "null", "",
                       f"http://{server.host}.example.org", f"http://{server.host}@example.org", f"http://example.org/{server.host}",
                       f"http://x{server.host}"):
            await no_upgrade(server, path, 403, headers=[("Origin", origin)])
        socket = await WebSocket.open(server, path, headers=[("Origin", f"http://{server.host}")])
        socket.send({"hello": None})
        expect("view" in await socket.message(), "the own origin")
        socket.cut()


@case("live without a right upgrade is refused")
async def handshakes():
    async with unnoticed() as around:
        server, path = around.server, around.table.path + "/live"
        answer = await ask(server, "GET", path)
        expect(answer.status in (400, 404, 405, 426), f"GET live without upgrade: {answer}")
        for replace in ({"Sec-WebSocket-Key": None}, {"Sec-WebSocket-Key": "x"}, {"Sec-WebSocket-Version": None},
                        {"Sec-WebSocket-Version": "12"}, {"Sec-WebSocket-Version": "130"}, {"Upgrade": "h2c"}):
            http = Http(server)
            fields = {"Host": server.host, "Upgrade": "websocket", "Connection": "Upgrade",
                      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13", **replace}
            lines = "".join(f"{k}: {v}\r\n" for k, v in fields.items() if v is not None)
            answer = await http.raw(f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode())
            equal(answer.status, 426 if "Sec-WebSocket-Version" in replace else 400, f"the status, {replace}")
            expect(answer.code, "a code")
            if answer.status == 426:
                equal(answer.headers.get("sec-websocket-version"), "13", "the version that would do")
            http.close()


@case("there is no stream of a table that is not there, nor of anything else")
async def no_stream():
    server = the_server()
    for path in (f"/api/tables/{STRANGER}/live", "/api/tables/live", "/api/tables", "/healthz", "/"):
        try:
            socket = await WebSocket.open(server, path)
        except NoUpgrade as refusal:
            expect(refusal.answer.status in (400, 404, 405), f"{path}: {refusal.answer}")
            continue
        socket.send({"hello": None})
        await closes(socket, 1008, told=("refused",))


# ---- messages --------------------------------------------------------------------------------------


FIRST = {
    "an action before hello": '{"id":"a","action":{"do":"pass"}}',
    "an undo before hello": '{"id":"a","undo":true}',
    "hold before hello": '{"hold":true}',
}


@cases("the stream is closed with 1008 for", {name: (text,) for name, text in FIRST.items()})
async def without_hello(text):
    async with unnoticed() as around:
        socket = await opened(around, hello=False)
        socket.text(text)
        await closes(socket, 1008, told=("refused",))


HELLOS = {
    "the token of nobody": {"hello": STRANGER},
    "half a token": {"hello": STRANGER[:16]},
    "an empty token": {"hello": ""},
    "a number": {"hello": 0},
    "false": {"hello": False},
    "an unknown key": {"hello": None, "name": "Ana"},
    "from that is a word": {"hello": None, "from": "12"},
    "from before there was anything": {"hello": None, "from": -2},
    "no hello at all": {"from": 1},
}


@cases("nobody is let in by a hello with", {name: (hello,) for name, hello in HELLOS.items()})
async def bad_hello(hello):
    async with unnoticed() as around:
        socket = await opened(around, hello=False)
        socket.send(hello)
        socket.send(hello)  # what is not understood closes the second time
        await closes(socket, 1008, told=("refused",))


@case("nobody is let in by the token of another table")
async def other_table():
    async with unnoticed() as around, waiting() as (_, table, ana):
        for token in (ana.token, table.host):
            socket = await opened(around, hello=False)
            socket.send({"hello": token})
            await closes(socket, 1008, told=("refused",))


@case("whoever says nothing for ten seconds is closed with 1008")
async def silence():
    async with unnoticed() as around:
        began = time.monotonic()
        silent, pinging = await opened(around, hello=False), await opened(around, hello=False)

        async def ping():
            while True:
                pinging.frame(PING, b"still here")
                await asyncio.sleep(1)

        task = asyncio.create_task(ping())
        try:
            await asyncio.gather(closes(silent, 1008), closes(pinging, 1008))
        finally:
            task.cancel()
        took = time.monotonic() - began
        expect(9 < took < 15, f"it took {took:.1f} s")


ODD = {
    "words": "good evening",
    "nothing": "",
    "half an object": '{"id":"a"',
    "a list": "[]",
    "an unknown key": '{"id":"a","action":{"do":"pass"},"why":1}',
    "an unknown message": '{"shout":"hello"}',
    "an action without id": '{"action":{"do":"pass"}}',
    "an id without action": '{"id":"a"}',
    "an id that is a number": '{"id":7,"action":{"do":"pass"}}',
    "an empty id": '{"id":"","action":{"do":"pass"}}',
    "an id of 41 characters": '{"id":"' + "a" * 41 + '","action":{"do":"pass"}}',
    "an id with a space": '{"id":"a b","action":{"do":"pass"}}',
    "an id with an umlaut": '{"id":"ä","action":{"do":"pass"}}',
    "undo that is false": '{"id":"a","undo":false}',
    "undo and action": '{"id":"a","undo":true,"action":{"do":"pass"}}',
    "a key twice": '{"id":"a","id":"b","action":{"do":"pass"}}',
    "nested a thousand times": '{"id":"a","action":' + "[" * 1000 + "]" * 1000 + "}",
    "hello again with another token": '{"hello":"' + STRANGER + '"}',
    "a tilt that is a word": '{"look":{"tilt":"left","lamp":null}}',
}


@cases("once is forgiven, twice is closed with 1008", {name: (text,) for name, text in ODD.items()})
async def odd(text):
    async with unnoticed() as around:
        twin = around.seats[0].twin()
        await twin.connect()
        twin.socket.text(text)
        await twin.barrier()
        expect(twin.closed is None, "closed at once")
        expect(not any("ack" in answer for answers in twin.answers.values() for answer in answers), "acknowledged")
        named = set(twin.answers) - {None}
        twin.socket.text(text)
        if named:  # understood so far that it could be refused by its id: that is no reason to close
            await twin.barrier()
            await twin.disconnect()
            return
        closed = await twin.ended()
        equal(closed.code, 1008, f"the close: {closed}")
        expect(closed.reason, "a reason")


async def answers_before_pong(socket):
    """Everything that the server answers before it answers a ping, or closes."""
    socket.frame(PING, b"x")
    answers = []
    with contextlib.suppress(client.Closed):
        while not socket.pongs:
            answers.append(await asyncio.wait_for(socket.receive(), client.PATIENCE))
    return [json.loads(text) for text in answers if text]


@case("a spectator's and a host's actions are refused or not understood, never played")
async def spectators_act():
    async with unnoticed() as around:
        for token in (None, around.table.host):
            socket = await WebSocket.open(around.server, around.table.path + "/live")
            socket.send({"hello": token})
            for i in range(3):
                socket.send({"id": f"a{i}", "action": {"do": "place", "card": 0, "at": [0, 0]}})
            acked = [answer for answer in await answers_before_pong(socket) if "ack" in answer]
            equal(acked, [], "acknowledged")
            socket.cut()


# ---- frames ----------------------------------------------------------------------------------------


def close_frame(code, reason=b""):
    return struct.pack(">H", code) + reason


FRAMES = {
    "a frame without a mask": (lambda s: s.frame(TEXT, b'{"hold":true}', masked=False), 1002),
    "a hello without a mask": (lambda s: s.frame(TEXT, b'{"hello":null}', masked=False), 1002),
    "an empty frame without a mask": (lambda s: s.frame(TEXT, b"", masked=False), 1002),
    "a ping without a mask": (lambda s: s.frame(PING, b"x", masked=False), 1002),
    "a length that is too long for what it says": (lambda s: s.writer.write(b"\x89\xfe\x00\x01maskx"), 1002),
    "a message in 2000 empty pieces": (lambda s: [s.frame(TEXT if i == 0 else CONTINUATION, b"", fin=False) for i in range(2000)], 1009),
    "more than 60 pings at once": (lambda s: [s.frame(PING, b"x") for _ in range(200)], 1008),
    "a reserved bit": (lambda s: s.frame(TEXT, b"{}", reserved=4), 1002),
    "a kind that does not exist": (lambda s: s.frame(3, b"{}"), 1002),
    "a control frame that does not exist": (lambda s: s.frame(11, b"{}"), 1002),
    "a ping in pieces": (lambda s: s.frame(PING, b"x", fin=False), 1002),
    "a ping of 126 bytes": (lambda s: s.frame(PING, b"x" * 126), 1002),
    "a continuation of nothing": (lambda s: s.frame(CONTINUATION, b"x"), 1002),
    "a message within a message": (lambda s: (s.frame(TEXT, b"{", fin=False), s.frame(TEXT, b"}")), 1002),
    "half a code in a close": (lambda s: s.frame(CLOSE, b"\x03"), 1002),
    "a close with 1005": (lambda s: s.frame(CLOSE, close_frame(1005)), 1002),
    "a close with 999": (lambda s: s.frame(CLOSE, close_frame(999)), 1002),
    "text that is no UTF-8": (lambda s: s.frame(TEXT, b'{"hold":"\xff"}'), 1007),
    "text that ends within a character": (lambda s: s.frame(TEXT, b'{"hold":"\xe2\x82'), 1007),
    "text that is no UTF-8 in its second piece": (
        lambda s: (s.frame(TEXT, b'{"hold":"\xe2\x82', fin=False), s.frame(CONTINUATION, b'"}')), 1007),
    "a message of 16 KB and a byte": (lambda s: s.text(b" " * (BOUND + 1)), 1009),
    "a message of 100 KB": (lambda s: s.text(b" " * 100000), 1009),
    "17 KB in small pieces": (lambda s: s.text(b" " * 17408, pieces=170), 1009),
    "pieces without end": (
        lambda s: [s.frame(TEXT if i == 0 else CONTINUATION, b"x" * 1000, fin=False) for i in range(18)], 1009),
    "a length of 2^63": (lambda s: s.writer.write(b"\x81\xff" + b"\xff" * 8 + b"mask"), 1009, 1002),
    "a length of a gigabyte": (lambda s: s.writer.write(b"\x81\xff" + struct.pack(">Q", 1 << 30) + b"mask" + b"x" * 20000), 1009),
    "bytes instead of text": (lambda s: s.frame(BINARY, b"{}"), 1003),
}


@cases("the stream is closed with the right code for", FRAMES)
async def bad_frames(send, *codes):
    for hello in (True, False):
        async with unnoticed() as around:
            socket = await opened(around, hello)
            send(socket)
            await closes(socket, *codes, told=("refused",))


@case("a message of just 16 KB is read")
async def largest():
    async with unnoticed() as around:
        for pieces in (1, 7):
            socket = await opened(around, hello=False)
            socket.text('{"hello":null' + " " * (BOUND - 14) + "}", pieces)
            expect("view" in await socket.message(), "the view")
            socket.cut()


@case("whoever speaks too fast is closed with 1008: more than 60 at once")
async def too_fast():
    async with unnoticed() as around:
        twin = await around.seats[1].twin().connect()
        for i in range(200):
            twin.socket.send({"id": f"fast-{i}", "action": {"do": "pass"}})
        closed = await twin.ended()
        equal(closed.code, 1008, f"the close: {closed}")
        answered = len(twin.answers)
        expect(40 <= answered <= 80, f"{answered} of 200 were answered")


@case("whoever speaks fast, but 25 a second, is heard")
async def fast():
    async with unnoticed() as around:
        twin = await around.seats[1].twin().connect()
        for i in range(75):
            twin.socket.send({"id": f"fast-{i}", "action": {"do": "pass"}})
            await asyncio.sleep(0.04)
        await twin.until(lambda: len(twin.answers) == 75, "75 refusals")
        await twin.disconnect()


@case("who vanishes without a word is asked after by the system")
async def vanished():
    async with unnoticed() as around:
        socket = await opened(around)
        ends = [f"0100007F:{socket.writer.get_extra_info(end)[1]:04X}" for end in ("peername", "sockname")]

        def timer():  # of the server's end
            lines = [line.split() for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()]
            return next(line[5].split(":")[0] for line in lines if line[1:3] == ends)

        end = time.monotonic() + 5
        while timer() == "01" and time.monotonic() < end:  # what it sent last is not acknowledged yet
            await asyncio.sleep(0.05)
        equal(timer(), "02", "the timer: 02 keeps alive")
        socket.cut()


@case("--messages and --burst, here from a file, bound a stream, and a seat with all its streams together")
async def limits():
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as config:
        config.write("# little is allowed\nmessages = 1\nburst= 12 # at once\n")
        config.flush()
        server = Server(tap.program(), "--config", config.name)
    try:
        one = server.nodes()[0]  # each bounds what it hears itself
        table = await Table.make(one, "soumsoum", {"players": 2, "first": 0})
        ana, _ = await table.sit("Ana"), await table.sit("Ben")
        await table.start()
        streams = [await ana.twin().connect() for _ in range(4)]
        for stream in streams:
            for i in range(8):
                stream.socket.send({"id": f"{stream.next_id()}-{i}", "action": {"do": "pass"}})
        codes = []
        for stream in streams:
            await stream.until(lambda s=stream: len(s.answers) == 8, "eight refusals")
            codes += [answer["code"] for answers in stream.answers.values() for answer in answers]
        equal(set(codes), {"wrong-phase", "busy"}, "why 32 actions were refused")
        expect(12 <= codes.count("wrong-phase") <= 20, f"{codes.count('wrong-phase')} of 32 were looked at")
        for i in range(12):
            streams[0].socket.frame(PING, b"x")
        equal((await streams[0].ended()).code, 1008, "a stream that says more than its own")
        for stream in streams[1:]:
            expect(stream.closed is None, "its neighbours stand")
            await stream.disconnect()
        await server.stop()
    finally:
        await server.close()


@case("--queue says how far behind a reader may be", 120)
async def queue():
    server = Server(tap.program(), "--queue", "4096", fast=True)
    try:
        table = await Table.make(server, "divercity", {"divers": 6, "diver_cards": "none", "first": 0})
        ben, *others = [await table.sit(name) for name in ("Ana", "Ben", "Cleo", "Dan", "Eve", "Flo")]
        await table.start()
        for seat in others:
            await seat.connect()
        slow = await WebSocket.open(server, table.path + "/live", receive_buffer=4096)
        slow.send({"hello": ben.token})
        slow.writer.transport.pause_reading()

        async def claim(seat):
            for i in range(110):
                await seat.act({"do": "claim", "card": 0, "species": ("crab", "eel")[i % 2]})

        await asyncio.gather(*map(claim, others))
        for seat in others:
            await seat.barrier()
        slow.writer.transport.resume_reading()
        messages = []
        while not messages or messages[-1].get("seq") != others[0].seq:
            messages.append(await slow.message())
        size = sum(len(json.dumps(m)) for m in messages)
        expect(size > 500 << 10, f"{size} bytes do not tell: 256 KB, and what sockets hold, would be kept anyway")
        slow.cut()
        for seat in others:
            await seat.disconnect()
        await server.stop()
    finally:
        await server.close()


@case("whoever does not read is closed with 1013, and holds up nobody", 120)
async def slow_reader():
    around = await Around().make("divercity", {"divers": 6, "diver_cards": "none", "first": 0}, 6)
    slow = await WebSocket.open(around.server, around.table.path + "/live", receive_buffer=4096)
    slow.send({"hello": around.seats[0].token})
    slow.writer.transport.pause_reading()
    end = time.monotonic() + 60
    enough = 1 << 20  # bytes: what the sockets of both sides hold, and 256 KB

    async def claim(seat):
        i, size = 0, len(json.dumps(around.seats[0].view))
        seat.pace = client.Pace(28)
        while time.monotonic() < end and len(seat.log) * size < enough:
            i += 1
            await seat.act({"do": "claim", "card": 0, "species": ("crab", "eel")[i % 2]})

    await asyncio.gather(*(claim(seat) for seat in around.seats))
    told = max(seat.told for seat in around.seats)
    slow.writer.transport.resume_reading()
    closed, messages = await slow.closing()
    equal(closed.code, 1013, f"the slow reader: {closed} after {len(messages)} of {told} messages")
    equal(closed.reason, "the client reads too slowly", "why")
    expect(len(messages) < told, f"all {told} messages were kept for a reader that did not read")
    for stream in around.streams():
        await stream.barrier()
    expect(len({stream.seq for stream in around.streams()}) == 1, "others know the same")
    await around.leave()


@case("connections that end in the middle of a frame, a handshake or a body are nobody's loss")
async def torn():
    async with unnoticed() as around:
        server = around.server
        for data in (b"\x81", b"\x81\xfe\x10", b"\x81\x85mask", b""):
            socket = await opened(around)
            socket.writer.write(data)
            await socket.writer.drain()
            socket.cut()
        for data in (b"G", b"GET /api/tables HTTP/1.1\r\nHo", b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 15\r\n\r\n{\"ga",
                     f"GET {around.table.path}/live HTTP/1.1\r\nUpgrade: websocket\r\n".encode()):
            _, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(data)
            await writer.drain()
            writer.close()


if __name__ == "__main__":
    bystanders.main()
