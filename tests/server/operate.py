#!/usr/bin/env python3
"""operate.py: what whoever runs a server is told: the log as JSON, /healthz, and `fathom serve --check`."""
import contextlib
import json
import os
import re
import signal
import sqlite3
import subprocess
import types
from pathlib import Path

import client
from client import case, expect, tap
from tap import equal, fathom

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def read_line(text):
    """A line of the log as JSON: every one has these keys."""
    line = json.loads(text)
    expect(TIME.fullmatch(line["time"]) and line["level"] in ("info", "warning", "error") and line["event"], f"a line of the log: {line}")
    return line


@case("one line of JSON for each event, with no name and no token, even when the server crashes")
async def log_json():
    with tap.scratch() as folder:
        command = [tap.program(), "serve", "--port", "0", "--data", "none", "--store", f"sqlite:{folder}/store.db", "--log", "json"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            try:
                serving = read_line(process.stderr.readline())
                equal(serving["event"], "serving", serving)
                port = int(serving["where"].rpartition(":")[2])
                server = types.SimpleNamespace(port=port, host=f"127.0.0.1:{port}", tls={}, pace=(25, 40))
                table = await client.Table.make(server, "soumsoum")
                seat = await table.sit("Quirin")
                second = subprocess.run([*command, "--log", "json"], capture_output=True, text=True, check=False)
                equal((second.returncode, second.stdout), (2, ""), "a second server")
                equal(read_line(second.stderr)["event"], "not-started", second.stderr)
                process.send_signal(signal.SIGABRT)
                out, err = process.communicate(timeout=60)
            finally:
                process.kill()
        equal(out, "", "standard output")
        crash = [line for line in map(read_line, err.splitlines()) if line["event"] == "crash"]
        equal([line["signal"] for line in crash], ["SIGABRT"], err)
        expect(crash[0]["frames"] and all("+0x" in frame for frame in crash[0]["frames"]), crash)
        for secret in "Quirin", seat.token, table.host, table.code:
            expect(secret not in err, f"{secret} is in the log: {err}")


@case("/healthz tells this machine about the store, and nobody else")
async def health():
    server = client.Server(tap.program())
    try:
        answer = await client.ask(server, "GET", "/healthz")
        equal((answer.status, answer.json()), (200, {"ok": True, "store": {
            "kind": "sqlite", "state": "ok", "waiting": 0, "oldest_ms": 0, "silent_ms": 0}}), "from this machine")
        for header in ("X-Forwarded-For", "203.0.113.7"), ("Via", ""), ("Forwarded", "for=203.0.113.7"):
            answer = await client.ask(server, "GET", "/healthz", headers=[header])
            equal((answer.status, answer.json()), (200, {"ok": True}), f"with {header}")
        check = fathom("serve", "--check", "--data", "none", "--port", server.port, "--store", server.store)
        equal(check.status, 1, f"a check beside it: {check.err}")
        expect(f"process {server.process.pid} " in check.err and "Address already in use" in check.err, check.err)
        equal(check.err.count("\n"), 2, check.err)
        await server.stop()
    finally:
        await server.close()


def files(folder):
    return sorted((entry.name, entry.stat().st_mtime_ns, entry.stat().st_size) for entry in os.scandir(folder))


@tap.case("--check changes nothing, and says what a start would do to the store")
def check_store():
    with tap.scratch() as name:
        folder = Path(name)

        def check(name):
            before = files(folder)
            run = fathom("serve", "--check", "--port", "0", "--data", "none", "--store", f"sqlite:{folder}/{name}")
            equal(files(folder), before, f"files after a check of {name}")
            return run.status, run.out + run.err
        status, said = check("a%b?c#d.db")
        expect(status == 0 and "it will be made" in said, said)
        (folder / "old.db").touch()  # becomes a store when it is opened
        equal(fathom("store", "copy", f"sqlite:{folder}/old.db", f"sqlite:{folder}/a%b?c#d.db").status, 0, "an empty store")
        status, said = check("a%b?c#d.db")
        expect(status == 0 and "the newest" in said and "the configuration is right" in said, said)
        for version, status_then, words in (1, 0, "upgraded to"), (99, 2, "made by a newer program"):
            with contextlib.closing(sqlite3.connect(f"{folder}/old.db")) as db:
                db.execute("PRAGMA journal_mode = DELETE")
                db.execute(f"PRAGMA user_version = {version}")
            status, said = check("old.db")
            expect(status == status_then and words in said, said)
        (folder / "text.db").write_text("this is no database, but a text of some length\n" * 99, encoding="utf-8")
        status, said = check("text.db")
        expect(status == 2 and "not a database" in said, said)
        status, said = check("nowhere/x.db")
        expect(status == 2 and "No such file" in said, said)


@tap.case("--check says all that is wrong, in a sentence each")
def check_all():
    with tap.scratch() as name:
        folder = Path(name)
        config = folder / "fathom.conf"
        config.write_text("rate = none\nnonsense\nchecks = 1\ncheck = 1\ntables = 10\n", encoding="utf-8")
        run = fathom("serve", "--check", "--config", config, "--port", "x")
        equal((run.status, run.err.count("fathom serve: "), run.err.count("\n")), (2, 5, 5), run.err)
        run = fathom("serve", "--check", "--data", folder, "--store", "shelf:x", "--origin", "https://table.example/", "--host", "no.such.host.invalid",
                     "--cert", config, "--key", config)
        equal(run.status, 2, run.err)
        for words in "no index.html", "not a store", "--origin", "the certificate cannot be used", "cannot listen on no.such.host.invalid":
            expect(words in run.err, f"{words}: {run.err}")


@tap.case("--check wants a certificate with its own key")
def check_certificate():
    with tap.scratch() as folder:
        for name in "a", "b":
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ed25519", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                            "-keyout", f"{folder}/{name}.key", "-out", f"{folder}/{name}.crt"], check=True, capture_output=True)

        def check(cert, key):
            return fathom("serve", "--check", "--port", "0", "--data", "none", "--store", f"sqlite:{folder}/store.db",
                          "--cert", f"{folder}/{cert}", "--key", f"{folder}/{key}")
        equal(check("a.crt", "a.key").status, 0, "a certificate and its key")
        for cert, key, flag in ("a.crt", "b.key", "--key"), ("a.crt", "a.crt", "--key"), ("a.key", "a.key", "--cert"), ("none.crt", "a.key", "--cert"):
            run = check(cert, key)
            equal((run.status, run.err.count("\n")), (2, 1), run.err)
            expect(f"fathom serve: {flag}: " in run.err, run.err)


if __name__ == "__main__":
    tap.main()
