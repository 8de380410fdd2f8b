"""patroni.py: three database machines with Patroni and etcd, set up as docs/operate.md says, on addresses of the loopback network."""
import contextlib
import ctypes
import http.client
import json
import os
import pwd
import random
import re
import shutil
import signal
import string
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path += [str(ROOT), str(ROOT / "server")]

if not shutil.which("etcd") or not shutil.which("patroni"):
    sys.exit("patroni.py: there is no etcd or no patroni: install the packages etcd-server, patroni and python3-etcd")

import client  # noqa: E402
import postgres  # noqa: E402
import yaml  # noqa: E402  # Patroni needs it, too

OPERATE = ROOT.parent / "docs/operate.md"
SERVICES = 2379, 2380, 5432, 8008  # ports of etcd, for its clients and its peers, of PostgreSQL and of Patroni
SMALL = "shared_buffers", "min_wal_size", "max_wal_size", "dynamic_shared_memory_type"  # as of other servers for tests
PATIENCE = 180 * client.SLOWNESS  # seconds; the leader's lock alone takes 20 to run out


def recipe(path):
    """What docs/operate.md writes to this file of each machine."""
    found = re.search(rf"^cat >{re.escape(path)} <<END\n(.*?)^END$", OPERATE.read_text(encoding="utf-8"), re.M | re.S)
    client.expect(found, f"{OPERATE} does not say what to write to {path}")
    return found[1]


def until(condition, what, check=lambda: None):
    """Waits until a condition holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        check()
        client.expect(time.monotonic() < end, f"waited {PATIENCE} s for {what}")
        time.sleep(0.2)  # each look costs Patroni a query of its PostgreSQL


def free_ports(n):
    """So many, each another one."""
    ports = set()
    while len(ports) < n:
        ports.add(client.free_port())
    return ports


class Machine(postgres.Server):
    """etcd, Patroni and its PostgreSQL. All of its processes run in its folder. A PostgreSQL that ends is waited for by process 1,
    as an init or a shell does: in a container, this test must not itself be process 1, or Patroni takes a zombie for alive."""

    def __init__(self, folder, name, network, ports):
        self.name, self.network, self.ports = name, network, ports
        self.address = network + "2" + name[-1]
        super().__init__(folder, ports[5432])
        self.owner = pwd.getpwuid(self.user.get("user", os.geteuid())).pw_name
        self.etcd, self.patroni = None, None

    def _recipe(self, path):
        text = string.Template(recipe(path)).substitute(name=self.name, address=self.address)
        text = text.replace("10.0.0.0/24", "127.0.0.0/8").replace("10.0.0.", self.network)
        return re.sub(r":(\d{4})\b", lambda found: f":{self.ports[int(found[1])]}", text)

    def conninfo(self):
        """As an operator on this machine: sudo -u postgres psql fathom."""
        return f"host={self.folder} port={self.port} user={self.owner} dbname=fathom"

    def make(self):
        """Writes Patroni's configuration: where files lie is this test's, everything else as documented."""
        config = yaml.safe_load(self._recipe("/etc/patroni/config.yml"))
        own = config["postgresql"]
        own |= {"data_dir": str(self.data), "bin_dir": str(postgres.programs()), "pgpass": str(self.folder / "pgpass")}
        own["parameters"] = {name: postgres.SETTINGS[name] for name in SMALL} | {"unix_socket_directories": str(self.folder)}
        own["authentication"]["superuser"]["username"] = self.owner
        config["bootstrap"]["initdb"].append({"wal-segsize": "4"})
        config["watchdog"] = {"mode": "off"}
        (self.folder / "patroni.yml").write_text(json.dumps(config), encoding="utf-8")
        return self

    def start_etcd(self):
        settings = dict(line.split("=", 1) for line in self._recipe("/etc/default/etcd").splitlines())
        self.etcd = self._run("etcd", **settings, ETCD_DATA_DIR=str(self.folder / "etcd"))

    def start(self):
        if self.etcd is None:
            self.start_etcd()
        self.patroni = self._run("patroni", str(self.folder / "patroni.yml"))

    def _run(self, name, *words, **environment):
        def with_its_parent():
            ctypes.CDLL(None).prctl(postgres.PR_SET_PDEATHSIG, signal.SIGTERM)
        with open(self.folder / f"{name}.log", "ab") as log:
            return subprocess.Popen([name, *words], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                    env={**os.environ, "HOME": str(self.folder), **environment}, preexec_fn=with_its_parent, **self.user)

    def control(self, *words):
        """patronictl, as an operator would call it there."""
        done = subprocess.run(["patronictl", "-c", "patroni.yml", *words], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False, **self.user)
        client.expect(done.returncode == 0, f"patronictl {words}: {done.stdout}")
        return done.stdout

    def check(self):
        for name in "etcd", "patroni":
            process = getattr(self, name)
            ended = process is not None and process.poll() is not None
            if ended and process is getattr(self, name):  # or another thread has just killed it
                log = (self.folder / f"{name}.log").read_text(encoding="utf-8", errors="replace")
                raise client.Wrong(f"{name} of {self.name} ended with {process.returncode}:\n{log[-3000:]}")

    def kill(self):
        """As if the machine had gone: everything that runs there, with SIGKILL."""
        processes, self.etcd, self.patroni = [self.patroni, self.etcd], None, None
        until(lambda: not self._signal(signal.SIGKILL, self.folder), f"the end of {self.name}")
        for process in processes:
            if process is not None:
                process.wait()
        (self.data / "postmaster.pid").unlink(missing_ok=True)  # after a reboot no such process would be there

    def kill_postgres(self):
        self._signal(signal.SIGKILL, self.data)

    @contextlib.contextmanager
    def receiving_nothing(self):
        """Its PostgreSQL stops receiving what the primary writes."""
        self._signal(signal.SIGSTOP, self.data, b"walreceiver")
        try:
            yield
        finally:
            self._signal(signal.SIGCONT, self.data, b"walreceiver")

    def _signal(self, which, folder, title=b""):
        """To the processes that run in a folder and have this in their title; how many there were."""
        found = 0
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if Path(os.readlink(process / "cwd")).is_relative_to(folder.resolve()) and title in (process / "cmdline").read_bytes():
                    os.kill(int(process.name), which)
                    found += 1
        return found

    def ask(self, service, path):
        """The status and the JSON that etcd or Patroni answers; (None, None) if it does not."""
        with contextlib.suppress(OSError, http.client.HTTPException, ValueError), \
                contextlib.closing(http.client.HTTPConnection(self.address, self.ports[service], timeout=5)) as link:
            link.request("GET", path)
            answer = link.getresponse()
            return answer.status, json.loads(answer.read())
        return None, None

    def healthy_etcd(self):
        return (self.ask(2379, "/health")[1] or {}).get("health") == "true"

    def leads(self):
        return self.ask(8008, "/primary")[0] == 200


class Machines:
    """Three of them. To cluster.py they look like its Pair, but Patroni itself promotes a standby."""

    def __init__(self):
        network = f"127.{random.randrange(1, 255)}.{random.randrange(256)}."
        ports = dict(zip(SERVICES, free_ports(len(SERVICES))))
        self.folders = [tempfile.TemporaryDirectory(prefix="fathom-patroni-", dir=postgres.roomy()) for _ in range(3)]
        self.all = [Machine(folder.name, f"db{i}", network, ports).make() for i, folder in enumerate(self.folders, 1)]
        try:
            for machine in self.all:
                machine.start_etcd()
            until(lambda: all(machine.healthy_etcd() for machine in self.all), "etcd", self.check)
            for machine in self.all:
                machine.start()
            until(self.whole, "a primary with two standbys", self.check)
            self.primary.run("psql", "-Xq", "-d", self.primary.conninfo().replace("dbname=fathom", "dbname=postgres"),
                             "-c", "CREATE ROLE fathom LOGIN PASSWORD 'SECRET'", "-c", "CREATE DATABASE fathom OWNER fathom")
        except BaseException:
            self.close()
            raise

    @property
    def conninfo(self):
        """Of all three: whoever connects is led to the one that takes writes."""
        hosts = ",".join(machine.address for machine in self.all)
        return f"host={hosts} port={self.all[0].port} dbname=fathom user=fathom password=SECRET"

    @property
    def primary(self):
        return next((machine for machine in self.all if machine.leads()), None)

    def _members(self, role):
        """The machines that have this role according to Patroni."""
        asked = self.primary
        members = (asked and asked.ask(8008, "/cluster")[1] or {}).get("members", [])
        names = [member["name"] for member in members if member["role"] == role]
        return [machine for machine in self.all if machine.name in names]

    @property
    def standby(self):
        """The one whose word each commit waits for."""
        return next(iter(self._members("sync_standby")), None)

    def whole(self):
        """Whether both others follow the primary, and Patroni could promote one of them."""
        primary = self.primary
        following = (primary and primary.ask(8008, "/patroni")[1] or {}).get("replication", [])
        return [one["state"] for one in following] == ["streaming"] * 2 and bool(self._members("sync_standby"))

    def check(self):
        for machine in self.all:
            machine.check()

    def fail_over(self):
        """The primary's machine is gone from one moment to the next. What it acknowledged just before without waiting for a
        standby would be lost."""
        old = self.primary
        with contextlib.ExitStack() as standbys:
            for machine in self.all:
                if machine is not old:
                    standbys.enter_context(machine.receiving_nothing())
            time.sleep(0.3)
            old.kill()
        self._promoted(old)

    def fail_over_postgres(self):
        """The primary's PostgreSQL alone is gone; Patroni is there to see it."""
        old = self.primary
        old.kill_postgres()
        self._promoted(old)

    def _promoted(self, old):
        until(lambda: self.primary not in (None, old), "a new primary", self.check)

    def lose_standby(self):
        """The machine of the synchronous standby is gone; the third one takes its place."""
        old = self.standby
        old.kill()
        until(lambda: self.standby not in (None, old), "a new synchronous standby", self.check)

    def switch_over(self):
        """An operator hands over to the standby."""
        old = self.primary
        old.control("switchover", "--force", "fathom")
        self._promoted(old)

    def stop_patroni(self):
        """Patroni stands still, so that nothing stops the old primary while there is a new one."""
        old = self.primary
        old.patroni.send_signal(signal.SIGSTOP)
        try:
            self._promoted(old)
            until(lambda: self.standby is not None, "a synchronous standby", self.check)
        finally:
            old.patroni.send_signal(signal.SIGCONT)

    def start_killed(self):
        for machine in self.all:
            if machine.patroni is None:
                machine.start()

    def rejoin(self):
        """Whatever was killed is started again, and becomes a standby by itself."""
        self.start_killed()
        until(self.whole, "two standbys", self.check)

    def close(self):
        for machine in self.all:
            machine.kill()
        for folder in self.folders:
            folder.cleanup()
