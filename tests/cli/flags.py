#!/usr/bin/python3
"""flags.py: the ocean's cache is compiled with strict aliasing, and its lists are read through ring.h alone."""
import json
import re
from pathlib import Path

import tap
from tap import case, expect


@case("W13 nothing is compiled without the rules of aliasing")
def strict_aliasing():
    commands = json.loads((Path(tap.program()).parent / "compile_commands.json").read_text())
    ours = [c for c in commands if "src/ocean/cache" in c["file"]]
    expect(len(ours) >= 3, f"the build says nothing of the ocean's cache: {len(commands)} commands")
    loose = [c["file"] for c in commands if "-fno-strict-aliasing" in c["command"].split()]
    expect(not loose, f"compiled with -fno-strict-aliasing: {', '.join(loose)}")


@case("W13 heads of lists are read through ring.h alone")
def ring_members():
    ring = tap.ROOT / "src/ocean/ring.h"
    member = re.compile(r"(?:->|\.)\s*(?:next_|prev_)\b")
    expect(member.search(ring.read_text()), "the links of ring.h have other names: mend this test")
    direct = [f"{path.relative_to(tap.ROOT)}:{number}"
              for path in sorted((tap.ROOT / "src").rglob("*.[ch]")) if path != ring
              for number, line in enumerate(path.read_text().splitlines(), 1) if member.search(line)]
    expect(not direct, f"read or written without oc_ring_first and its like: {', '.join(direct)}")


tap.main()
