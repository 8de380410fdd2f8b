#!/usr/bin/python3
"""protocol.py: the protocol's tests of tests/server, against three nodes over one PostgreSQL.

usage: protocol.py FATHOM SOURCE_ROOT NAME [TITLES]

NAME is that of a file in tests/server: play, clocks, refusals, after; TITLES a pattern of the cases to run. Each connection goes to any node, so seats of one table are on
different ones, and a request may follow the last at another.
"""
import importlib
import sys

import nodes
import client
import tap

if __name__ == "__main__":
    name, titles = sys.argv[3], "".join(sys.argv[4:])
    client.Server = nodes.Nodes
    importlib.import_module(name)
    tap.main(titles)
