#!/usr/bin/python3
"""protocol.py: runs tests of tests/server against three nodes on one PostgreSQL.

usage: protocol.py FATHOM SOURCE_ROOT NAME[,NAME…] [TITLES]

NAME is a file in tests/server (play, tables, clocks, refusals, replay …); TITLES is a pattern that selects cases. A
connection may go to any node, so the seats of a table are on different nodes, and so are two requests of one client.
"""
import importlib
import sys

import nodes
import client
import tap

if __name__ == "__main__":
    names, titles = sys.argv[3].split(","), "".join(sys.argv[4:])
    client.Server = nodes.Nodes
    for name in names:
        importlib.import_module(name)
    tap.main(titles)
