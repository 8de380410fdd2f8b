#!/usr/bin/env python3
"""bot.py: takes a seat at a table by its code, and plays with what that seat sees.

usage: bot.py [--name NAME] [--seat N] [--pause SECONDS] SERVER CODE
       bot.py http://127.0.0.1:8080 M7K4QX

It plays any of the games at random, but legally: put something better into choose(). The protocol is that of
docs/protocol-server.md. Only the standard library is used, so a WebSocket of forty lines is at the end.
"""
import argparse
import base64
import json
import os
import random
import socket
import ssl
import struct
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

PATIENCE = 400  # seconds without a word: the server pings sooner


# ---- what to do ------------------------------------------------------------------------------------


def choose(view):
    """An action for this view, or None to let others act. `legal` lists what the seat may do now."""
    legal = view["legal"]
    if view["game"] == "dive":
        return choose_dive(view, legal)
    if view["game"] == "divercity":
        return choose_divercity(view, legal)
    return random.choice(legal) if legal else None


def choose_dive(view, legal):
    verbs = [action["do"] for action in legal]
    if "ready" in verbs:
        return {"do": "ready"}
    if "program" in verbs:  # `legal` has it once, for all programs
        return {"do": "program", "levels": random_levels(view["children"])}
    legal = [action for action in legal if action["do"] in ("choose", "axolotl")]
    return random.choice(legal) if legal else None  # else it is ready: others are not


def random_levels(children):
    depth = 5 if children else random.randint(1, 5)
    levels = [{"shark": random.random() < 0.4} for _ in range(depth)]
    if not children:
        for level, token in zip(levels, random.sample(range(1, 6), depth)):
            level["tokens"] = [token]
    return levels


def choose_divercity(view, legal):
    if not legal:
        return None
    action = dict(random.choice(legal))
    if "target" in action and view.get("signs") is not None and action.get("use") != "captain":
        action["signs"] = [[random.randrange(16)] for _ in view["hands"][action["target"]]]
    elif action["do"] == "reorder":
        action["order"] = random.sample(range(len(view["looked_at"])), len(view["looked_at"]))
    elif action["do"] == "strike":
        action["cards"] = random.sample(range(len(view["looked_at"])), min(2, len(view["looked_at"])))
    return action


# ---- a seat ----------------------------------------------------------------------------------------


def ask(server, method, path, body=None):
    """A request over HTTP; a refusal ends the program with what the server says."""
    request = urllib.request.Request(server + path, method=method, headers={"Content-Type": "application/json"},
                                     data=None if body is None else json.dumps(body).encode())
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        sys.exit(f"bot.py: {json.load(error)['error']['message']}")
    except (OSError, ValueError) as error:
        sys.exit(f"bot.py: {server}: {error}")


class Seat:
    def __init__(self, server, code, name, seat, pause):
        self.server, self.pause = server, pause
        self.table = ask(server, "GET", f"/api/codes/{urllib.parse.quote(code)}")["table"]
        wanted = {"name": name} if seat is None else {"name": name, "seat": seat}
        taken = ask(server, "POST", f"/api/tables/{self.table}/seats", wanted)
        self.seat, self.token = taken["seat"], taken["token"]
        self.seq, self.view = None, None  # the last it saw
        self.said = None  # that waits for its acknowledgement
        self.name, self.ids = f"b{os.getpid()}-", 0  # no id is used twice
        print(f"seat {self.seat} at table {self.table}", flush=True)

    def play(self):
        """Plays to the end, over as many connections as it takes; returns the last view."""
        wait = 0.1
        while True:
            try:
                live = WebSocket(self.server, f"/api/tables/{self.table}/live")
                live.send({"hello": self.token} if self.seq is None else {"hello": self.token, "from": self.seq})
                if self.said:
                    live.send(self.said)  # the same id again: it is done once, however often it comes
                wait = 0.1
                while True:
                    view = self.hear(live, live.receive())
                    if view is not None:
                        return view
            except (OSError, EOFError) as error:
                print(f"again after {wait:.1f} s: {error}", flush=True)
                time.sleep(wait)
                wait = min(2 * wait, 10)

    def hear(self, live, message):
        """One message of the server's; returns the view once the game is over."""
        if message.get("view") is not None:
            self.seq, self.view = message["seq"], message["view"]
        elif "refused" in message:  # something happened meanwhile, or choose() is wrong
            self.said = None
            print(f"refused: {message['message']}", flush=True)
            time.sleep(0.1)
        elif "ack" in message:  # what came of it was told before
            self.said = None
        if self.view is not None and self.view["phase"] == "over":
            return self.view
        if self.view is not None and self.said is None:
            self.act(live)
        return None

    def act(self, live):
        action = choose(self.view)
        if action is not None:
            time.sleep(self.pause)
            self.ids += 1
            self.said = {"id": f"{self.name}{self.ids}", "action": action}
            live.send(self.said)


# ---- WebSocket (RFC 6455), as much of it as is needed ----------------------------------------------


class WebSocket:
    def __init__(self, server, path):
        url = urllib.parse.urlsplit(server)
        secure = url.scheme == "https"
        self.link = socket.create_connection((url.hostname, url.port or (443 if secure else 80)), timeout=PATIENCE)
        if secure:
            self.link = ssl.create_default_context().wrap_socket(self.link, server_hostname=url.hostname)
        self.file = self.link.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        self.link.sendall(f"GET {path} HTTP/1.1\r\nHost: {url.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                          f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        status = self.file.readline().split()
        if len(status) < 2 or status[1] != b"101":
            raise EOFError(f"no WebSocket here: {status}")
        while self.file.readline() not in (b"\r\n", b""):
            pass

    def frame(self, kind, payload):
        size = len(payload)
        head = bytes([0x80 | kind, 0x80 | size]) if size < 126 else struct.pack(">BBH", 0x80 | kind, 0x80 | 126, size)
        mask = os.urandom(4)
        self.link.sendall(head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload)))

    def send(self, message):
        self.frame(1, json.dumps(message).encode())

    def read(self, n):
        data = self.file.read(n)
        if len(data) < n:
            raise EOFError("the connection ended")
        return data

    def receive(self):
        """The next message; pings are answered on the way."""
        text = b""
        while True:
            first, size = self.read(2)
            if size == 126:
                size, = struct.unpack(">H", self.read(2))
            elif size == 127:
                size, = struct.unpack(">Q", self.read(8))
            payload, kind = self.read(size), first & 0x0F
            if kind == 8:
                raise EOFError(f"closed by the server: {payload[2:].decode('utf-8', 'replace')}")
            if kind == 9:
                self.frame(10, payload)
            elif kind < 8:
                text += payload
                if first & 0x80:
                    return json.loads(text)


def main():
    parser = argparse.ArgumentParser(description="Takes a seat at a table by its code and plays there.")
    parser.add_argument("server", help="http://127.0.0.1:8080")
    parser.add_argument("code", help="of the table, as the invitation has it")
    parser.add_argument("--name", default="bot.py", help="what others see")
    parser.add_argument("--seat", type=int, help="default: the first that is free")
    parser.add_argument("--pause", type=float, default=0.5, help="seconds before each action")
    given = parser.parse_args()
    seat = Seat(given.server.rstrip("/"), given.code, given.name, given.seat, given.pause)
    print(json.dumps(seat.play()["result"]))


if __name__ == "__main__":
    main()
