#!/usr/bin/python3
"""postgres.py: PostgreSQL servers for tests, each in a temporary folder of its own.

As a program it starts one, runs COMMAND with FATHOM_POSTGRES saying how to connect (as libpq takes it), and stops
it again: tests/postgres.py COMMAND…
"""
import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PR_SET_PDEATHSIG = 1
SETTINGS = {
    "listen_addresses": "", "max_connections": "200", "shared_buffers": "64MB", "min_wal_size": "16MB",
    "max_wal_size": "256MB", "deadlock_timeout": "200ms", "log_min_messages": "warning", "fsync": "on",
    "wal_retrieve_retry_interval": "200ms", "dynamic_shared_memory_type": "mmap",  # goes with the folder
}


def programs():
    """The folder of initdb, pg_ctl and the others: Debian keeps them out of the way."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: float(p.parts[-3]))
    beside = shutil.which("initdb")
    if not found and not beside:
        sys.exit("postgres.py: there is no initdb: install the package postgresql")
    return found[-1].parent if found else Path(beside).parent


def roomy():
    """In memory if there is enough: nothing here pulls a plug, and disks are slow to say "written"."""
    shm = os.statvfs("/dev/shm") if os.access("/dev/shm", os.W_OK) else None
    if os.environ.get("TMPDIR") or shm is None or shm.f_bavail * shm.f_frsize < 1 << 30:
        return None
    return "/dev/shm"


class Server:
    """A server: its files below a folder, a socket there, and a port of 127.0.0.1 if one is given."""

    def __init__(self, folder, port=None, **settings):
        self.folder, self.port = Path(folder), port
        self.data = self.folder / "data"
        self.settings = {**SETTINGS, "unix_socket_directories": str(self.folder), **settings}
        if port is not None:
            self.settings |= {"listen_addresses": "127.0.0.1", "port": str(port)}
        self.process = None
        self.user = {}
        if os.geteuid() == 0:  # it does not run as root
            names = [user.pw_name for user in pwd.getpwall()]
            owner = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
            self.user = {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
            os.chmod(self.folder, 0o755)

    def conninfo(self, database="postgres"):
        """How to connect over its socket."""
        return f"host={self.folder} port={self.port or 5432} user=fathom dbname={database}"

    def run(self, name, *words):
        """One of PostgreSQL's programs, as the server's user."""
        done = subprocess.run([programs() / name, *words], cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **self.user)
        if done.returncode != 0:
            raise RuntimeError(f"{name}: {done.stdout}")
        return done.stdout

    def make(self):
        self.run("initdb", "-D", self.data, "-U", "fathom", "-A", "trust", "--no-sync", "--locale=C",
                 "--encoding=UTF8", "--wal-segsize=4")
        return self

    def start(self):
        """Returns when it answers. It ends with this process, whatever becomes of that."""
        def with_its_parent():
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGQUIT)
        flags = [word for name, value in self.settings.items() for word in ("-c", f"{name}={value}")]
        log = open(self.folder / "log", "ab")
        self.process = subprocess.Popen([programs() / "postgres", "-D", self.data, *flags], cwd=self.folder,
                                        stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                        preexec_fn=with_its_parent, **self.user)
        log.close()
        until = time.monotonic() + 60
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > until:
                raise RuntimeError("the server does not start:\n" + (self.folder / "log").read_text())
            time.sleep(0.02)
        return self

    def answers(self):
        words = ["-q", "-h", self.folder, "-p", str(self.port or 5432)]
        return subprocess.run([programs() / "pg_isready", *words], check=False).returncode == 0

    def sql(self, text):
        """What a statement says, as lines of columns parted by |."""
        return self.run("psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", self.conninfo(), "-c", text).strip()

    def stop(self, how=signal.SIGINT):
        """SIGINT: at once, but in order; SIGKILL: as if the machine had gone."""
        if self.process is None:
            return
        if how == signal.SIGKILL:  # its children see it, and go
            self.process.kill()
        else:
            self.process.send_signal(how)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait()
        self.process = None


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="fathom-postgres-", dir=roomy()) as folder:
        server = Server(folder)
        try:
            server.make().start()
            return subprocess.run(sys.argv[1:], env={**os.environ, "FATHOM_POSTGRES": server.conninfo()},
                                  check=False).returncode
        finally:
            server.stop()


if __name__ == "__main__":
    sys.exit(main())
