#!/usr/bin/env python3
"""cluster.py: a whole site in a temporary folder: nodes behind HAProxy, over a PostgreSQL with a synchronous standby.

usage: cluster.py [--patroni] FATHOM [NODES]

As a program it starts one, says where it is, and waits for commands:
  kill N     node N is killed with SIGKILL and started again
  failover   the primary is killed with SIGKILL, the standby becomes the primary
  rejoin     a new standby is made in the place of the old primary
  quit
With --patroni the database is three machines, of which Patroni chooses the primary (patroni.py).
docs/operate.md says the same for real machines.
"""
import asyncio
import concurrent.futures
import contextlib
import http.client
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path += [str(ROOT), str(ROOT / "server")]
PATRONI = "--patroni" in sys.argv
if PATRONI:
    sys.argv.remove("--patroni")  # what is imported below reads the others by their place

import client  # noqa: E402
import nodes  # noqa: E402
import postgres  # noqa: E402

if PATRONI:
    import patroni  # with packages that nothing else needs

# Without routes: a request may go to any node. tests/cluster/routes.py has the recipe of docs/operate.md.
HAPROXY = """
defaults
    mode http
    timeout connect 2s
    timeout client 1h
    timeout server 1h
    timeout tunnel 1h
    retries 3
    option redispatch
frontend site
    bind 127.0.0.1:{port}
    default_backend nodes
backend nodes
    balance leastconn
    option httpchk GET /healthz
    default-server check inter 1s fall 3 rise 1 on-marked-down shutdown-sessions
{servers}
"""


class Pair:
    """A primary and its synchronous standby, each in a folder of its own."""

    def __init__(self):
        self.folders = [tempfile.TemporaryDirectory(prefix="fathom-postgres-", dir=postgres.roomy()) for _ in range(2)]
        self.servers = [postgres.Server(folder.name, port=client.free_port()) for folder in self.folders]
        self.primary, self.standby = self.servers
        self.primary.settings["synchronous_standby_names"] = "standby"
        self.primary.make().start()
        self.follow()

    @property
    def conninfo(self):
        """Of both: whoever connects is led to the one that takes writes."""
        ports = ",".join(str(server.port) for server in self.servers)
        return f"host=127.0.0.1,127.0.0.1 port={ports} user=fathom dbname=postgres target_session_attrs=read-write connect_timeout=2"

    def follow(self):
        """The standby is made as a copy of the primary, and follows it."""
        shutil.rmtree(self.standby.data, ignore_errors=True)
        self.standby.settings.pop("synchronous_standby_names", None)
        self.standby.run("pg_basebackup", "-D", self.standby.data, "-R", "-X", "stream", "-c", "fast", "-d",
                         f"host=127.0.0.1 port={self.primary.port} user=fathom application_name=standby")
        self.standby.start()
        until = time.monotonic() + 30
        while self.primary.sql("SELECT sync_state FROM pg_stat_replication") not in ("sync", "async"):
            client.expect(time.monotonic() < until, "the standby does not follow")
            time.sleep(0.05)

    def fail_over(self):
        """The primary is gone from one moment to the next, the standby takes its place."""
        self.primary.stop(signal.SIGKILL)
        self.standby.run("pg_ctl", "promote", "-D", self.standby.data)
        self.primary, self.standby = self.standby, self.primary

    def rejoin(self):
        """The old primary's place gets a new standby, which the new primary waits for from now on."""
        self.follow()
        self.primary.sql("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
        self.primary.sql("SELECT pg_reload_conf()")

    def close(self):
        for server in self.servers:
            server.stop(signal.SIGQUIT)
        for folder in self.folders:
            folder.cleanup()


class Haproxy:
    """In front of all nodes. To client.py it looks like a server."""

    tls, pace = {}, (25, 40)

    def __init__(self, ports, recipe=HAPROXY):
        program = shutil.which("haproxy") or "/usr/sbin/haproxy"
        client.expect(os.access(program, os.X_OK), "there is no haproxy: install the package of that name")
        self.own = tempfile.TemporaryDirectory(prefix="fathom-haproxy-")
        self.port = client.free_port()
        lines = "\n".join(f"    server node{i} 127.0.0.1:{port}" for i, port in enumerate(ports))
        config = Path(self.own.name) / "haproxy.cfg"
        config.write_text(recipe.replace("{port}", str(self.port)).replace("{servers}", lines), encoding="utf-8")
        self.log = Path(self.own.name) / "log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen([program, "-db", "-f", config], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.wait()

    def wait(self):
        until = time.monotonic() + 20
        while not self.serves():
            self.check()
            client.expect(time.monotonic() < until, "the proxy finds no node")
            time.sleep(0.05)

    @property
    def host(self):
        return f"127.0.0.1:{self.port}"

    def serves(self):
        with contextlib.suppress(OSError), contextlib.closing(http.client.HTTPConnection(self.host, timeout=2)) as link:
            link.request("GET", "/healthz")
            return link.getresponse().status == 200
        return False

    def check(self):
        client.expect(self.process.poll() is None, f"the proxy has ended: {self.log.read_text()}")

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.own.cleanup()


class Cluster:
    """All of it. For tests/server/faults.py it is a site like any other."""

    def __init__(self, program, *flags, count=3):
        self.database, self.nodes, self.front = patroni.Machines() if PATRONI else Pair(), [], None
        self.down = set()  # nodes that were killed
        try:
            with concurrent.futures.ThreadPoolExecutor(count) as side_by_side:
                self.nodes += side_by_side.map(lambda _: self._node(program, *flags), range(count))
            self.front = Haproxy([node.port for node in self.nodes])
        except BaseException:
            self._tidy()
            raise

    def _node(self, program, *flags):
        return client.Server(program, "--port", client.free_port(), *flags, store=f"postgres:{self.database.conninfo}")

    def port(self, _rng):
        return self.front.port

    def check(self):
        self.front.check()
        for i, node in enumerate(self.nodes):
            client.expect(i in self.down or node.running(), f"node {i} ended by itself: {node.errors()[-3000:]}")

    async def ready(self):
        """Nothing to wait for: a node that was killed is back when `kill` returns."""

    async def strike(self, rng):
        """A node is killed with SIGKILL, and comes back."""
        await self.kill(rng.randrange(len(self.nodes)))

    async def kill(self, i):
        self.down.add(i)
        await self.nodes[i].kill()
        await asyncio.to_thread(self.nodes[i].start)
        self.down.discard(i)

    async def fail_over(self):
        await asyncio.to_thread(self.database.fail_over)

    async def renew(self):
        for i in range(len(self.nodes)):
            await self.kill(i)

    async def stop(self):
        for node in self.nodes:
            await node.stop()

    def events(self):
        return nodes.events(self.database.primary)

    async def close(self):
        for node in self.nodes:
            await node.close()
        self._tidy()

    def _tidy(self):
        if self.front:
            self.front.close()
        self.database.close()


async def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    cluster = Cluster(sys.argv[1], count=int(sys.argv[2]) if len(sys.argv) > 2 else 3)
    try:
        print(f"http://{cluster.front.host} before", ", ".join(f"http://{node.host}" for node in cluster.nodes), flush=True)
        print(f"postgres:{cluster.database.conninfo}", flush=True)
        while line := (await asyncio.to_thread(sys.stdin.readline)).split():
            begin = time.monotonic()
            if line[0] == "kill":
                await cluster.kill(int(line[1]) if len(line) > 1 else random.randrange(len(cluster.nodes)))
            elif line[0] == "failover":
                await cluster.fail_over()
            elif line[0] == "rejoin":
                await asyncio.to_thread(cluster.database.rejoin)
            else:
                break
            print(f"{line[0]}: done in {time.monotonic() - begin:.1f} s", flush=True)
    finally:
        await cluster.close()


if __name__ == "__main__":
    asyncio.run(main())
