"""nodes.py: several servers on one PostgreSQL that look like one to tests/server: a connection may go to any of them."""
import concurrent.futures
import json
import random
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path += [str(ROOT), str(ROOT / "server")]

import client  # noqa: E402
import postgres  # noqa: E402

NODES = 3
One = client.Server  # the name may be put to several, later


class Database:
    """A PostgreSQL of its own, in a temporary folder."""

    def __init__(self):
        self.own = tempfile.TemporaryDirectory(prefix="fathom-postgres-", dir=postgres.roomy())
        self.server = postgres.Server(self.own.name).make().start()

    @property
    def store(self):
        return f"postgres:{self.server.conninfo()}"

    def events(self):
        return events(self.server)

    def close(self):
        self.server.stop()
        self.own.cleanup()


def events(server):
    """(table, event) of all logs, each in its order."""
    rows = server.sql("SELECT replace(table_id::text, '-', ''), convert_from(event, 'UTF8') FROM fathom.events ORDER BY table_id, seq")
    for row in rows.splitlines():
        table, event = row.split("|", 1)
        yield table, json.loads(event)


class Nodes:
    """As client.Server, but there are several."""

    def __init__(self, program, *flags, **options):
        self.database = Database()
        self.rng = random.Random(0)
        self.all = []
        try:
            for _ in range(NODES):
                self.all.append(One(program, *flags, store=self.database.store, **options))
        except BaseException:
            self._tidy()
            raise

    @property
    def port(self):
        return self.rng.choice(self.all).port

    @property
    def host(self):
        return f"127.0.0.1:{self.port}"

    @property
    def process(self):
        return self.all[0].process

    @property
    def pace(self):
        return self.all[0].pace

    @property
    def tls(self):
        return self.all[0].tls

    def nodes(self):
        return self.all

    def errors(self):
        return "".join(node.errors() for node in self.all)

    def events(self):
        return self.database.events()

    def change_record(self, change):
        """As client.Server's."""
        sql = self.database.server.sql
        record = bytes.fromhex(sql("SELECT encode(text, 'hex') FROM fathom.records"))
        sql(f"UPDATE fathom.records SET text = decode('{change(record).hex()}', 'hex')")
        return record

    def running(self):
        return all(node.running() for node in self.all)

    def start(self):
        with concurrent.futures.ThreadPoolExecutor() as pool:
            for _ in pool.map(One.start, self.all):
                pass

    async def stop(self):
        for node in self.all:
            await node.stop()

    async def kill(self):
        for node in self.all:
            await node.kill()

    async def restart(self):
        """One after the other: there is always one that serves."""
        for node in self.all:
            await node.restart()

    async def close(self):
        for node in self.all:
            await node.close()
        self._tidy()

    def _tidy(self):
        self.database.close()
