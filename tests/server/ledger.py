"""ledger.py: compares what clients were told with a record."""
import collections
import hashlib
import json
import struct
from pathlib import Path

from client import Wrong, expect, short, tap


def plain(action):
    """An action as it can be compared: without what the record adds, tokens in order."""
    action = {k: v for k, v in action.items() if k not in ("t", "seat", "state", "sum")}
    if "levels" in action:
        action["levels"] = [{k: sorted(v) if k == "tokens" else v for k, v in level.items()} for level in action["levels"]]
    return json.dumps(action, sort_keys=True)


def lines_of(record):
    lines = [json.loads(line) for line in record.splitlines()]
    return lines[0], lines[1:-1], lines[-1]


def hash_of(domain, *parts):
    state = hashlib.blake2b(digest_size=32)
    for part in (domain, *parts):
        state.update(struct.pack("<Q", len(part)) + part)
    return state.hexdigest()


def check_once(who, record, seat, acknowledged, refused=()):
    """Each of a seat's acknowledged actions is in the record, once, and no other; a refused one may have come
    again through the network, and been legal then."""
    promised = [plain(action) for action in acknowledged]
    kept = [plain(move) for move in lines_of(record)[1] if move.get("seat") == seat]
    if kept == promised:
        return
    lost = collections.Counter(promised) - collections.Counter(kept)
    more = collections.Counter(kept) - collections.Counter(promised) - collections.Counter(map(plain, refused))
    expect(not lost, f"{who}: acknowledged, but not in the record: {lost}")
    expect(not more, f"{who}: more often in the record than it was sent: {more}")
    expect(refused, f"{who}: the record has another order: {kept}, {promised}")


def check_shown(who, record, seat, events, view=None):
    """The events, from the deal on, and the view that a seat (None: a spectator) was shown are those that the record leads to."""
    head, moves, end = lines_of(record)
    seed = hash_of(b"fathom deal 2", bytes.fromhex(end["seed"]), *(bytes.fromhex(e or "") for e in head["entropy"]))
    actions = [{k: v for k, v in move.items() if k not in ("state", "sum")} for move in moves]
    whole = tap.fathom("referee", "--seed", seed, "--view", "spectator" if seat is None else seat, "-",
                       stdin=json.dumps({"game": head["game"], "options": head["options"], "actions": actions})).json()
    expect(whole.get("ok"), lambda: f"{who}: the referee says {short(whole)}")
    true = whole["events"]
    for i, (one, other) in enumerate(zip(events, true)):
        if one != other:
            raise Wrong(f"{who}: event {i} was shown as {short(one)}, but is {short(other)}")
    expect(len(events) == len(true), f"{who}: was shown {len(events)} events, there are {len(true)}")
    expect(view in (None, whole["view"]), lambda: f"{who}: was left with another view: {short(view)}, {short(whole['view'])}")


def check_replay(who, record):
    with tap.scratch() as folder:
        path = Path(folder) / "record.jsonl"
        path.write_bytes(record)
        run = tap.fathom("replay", path)
        expect((run.status, run.err) == (0, ""), f"{who}: {run.out} {run.err}")
