"""fault_proxy.py: a proxy that cuts connections, even in the middle of frames, and delays, reorders and repeats frames."""
import asyncio
import contextlib
import struct


class Proxy:
    """Between clients and the server; looks like a server to client.py."""

    CUT, DELAY, LATE, TWICE, CUT_BACK = 0.006, 0.03, 0.02, 0.05, 0.0015
    tls, pace = {}, (25, 40)

    def __init__(self, site, rng, figures):
        self.site, self.rng, self.count = site, rng, figures.count
        self.port, self.calm, self._listener = None, False, None

    @property
    def host(self):
        return f"127.0.0.1:{self.port}"

    async def start(self):
        self._listener = await asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=1024)
        self.port = self._listener.sockets[0].getsockname()[1]

    async def stop(self):
        self._listener.close()

    def _happens(self, chance):
        return not self.calm and self.rng.random() < chance

    async def _serve(self, reader, writer):
        back = None
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            from_server, to_server = await asyncio.open_connection("127.0.0.1", self.site.port(self.rng))
            to_server.write(head)
            back = asyncio.create_task(self._backwards(from_server, writer))
            if b"upgrade: websocket" in head.lower():
                await self._frames(reader, to_server, writer, back)
            else:
                await self._bytes(reader, to_server)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        finally:
            writer.transport.abort()
            if back:
                to_server.transport.abort()
                back.cancel()

    async def _bytes(self, reader, to_server):
        while data := await reader.read(65536):
            if self._happens(self.CUT):
                self.count["cuts"] += 1
                return
            to_server.write(data)

    async def _backwards(self, from_server, writer):
        with contextlib.suppress(OSError):
            while data := await from_server.read(65536):
                if self._happens(self.CUT_BACK):
                    self.count["cuts"] += 1
                    writer.write(data[:self.rng.randrange(len(data))])
                    break
                writer.write(data)
        # What was written still arrives; the client hears of the end by itself.
        writer.close()

    async def _frame(self, reader):
        head = await reader.readexactly(2)
        size = head[1] & 0x7F
        if size == 126:
            head += await reader.readexactly(2)
            size, = struct.unpack(">H", head[2:])
        elif size == 127:
            head += await reader.readexactly(8)
            size, = struct.unpack(">Q", head[2:])
        return head + await reader.readexactly(4 + size)

    async def _frames(self, reader, to_server, writer, back):
        loop, rng, first = asyncio.get_running_loop(), self.rng, True
        while not back.done():
            frame = await self._frame(reader)
            if self._happens(self.CUT):
                self.count["cuts"] += 1
                part = rng.choice([b"", frame, frame[:rng.randrange(len(frame))]])
                to_server.write(part)
                if part == frame and rng.random() < 0.5:  # the client is cut off, its last words come late
                    writer.transport.abort()
                    await asyncio.sleep(rng.random() * 0.3)
                return
            if self._happens(self.DELAY):
                self.count["delays"] += 1
                await asyncio.sleep(rng.random() * 0.2)
            elif not first and self._happens(self.LATE):  # others overtake it
                self.count["late"] += 1
                loop.call_later(rng.random() * 0.2, to_server.write, frame)
                continue
            to_server.write(frame)
            if not first and self._happens(self.TWICE):
                self.count["repeated"] += 1
                if rng.random() < 0.5:
                    to_server.write(frame)
                else:
                    loop.call_later(rng.random() * 0.5, to_server.write, frame)
            first = False
