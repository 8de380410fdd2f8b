#!/usr/bin/python3
"""Write the ways to lay Dive's air tokens as a C file: dive_tokens.c.py OUT.c

For k levels, 1 to 5, these are all ways to put five tokens on them or aside so that no level is empty. Each is 15
bits, three for the level of each token, 0 for aside. The order is part of what programs are numbered by: a token goes
aside, then to a level in use in the order they came, then to one still missing.
"""
import sys

TOKENS = 5


def ways(levels, token=0, used=(0,), program=0):
    missing = [level for level in range(1, levels + 1) if level not in used]
    if len(missing) > TOKENS - token:
        return
    if token == TOKENS:
        yield program
        return
    for level in used:
        yield from ways(levels, token + 1, used, program | level << 3 * token)
    for level in missing:
        yield from ways(levels, token + 1, (*used, level), program | level << 3 * token)


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit("usage: dive_tokens.c.py OUT.c")
    rows = [list(ways(levels)) for levels in range(1, TOKENS + 1)]
    with open(sys.argv[1], "w", encoding="ascii") as f:
        f.write('/* Made by dive_tokens.c.py. */\n#include "dive/rules/dive_tokens.h"\n\n')
        for i, row in enumerate(rows):
            f.write(f"static const uint16_t tokens_{i + 1}[{len(row)}] = {{{','.join(map(str, row))}}};\n")
        names = ", ".join(f"tokens_{i + 1}" for i in range(TOKENS))
        f.write(f"\nconst uint16_t *const dive_tokens[] = {{{names}}};\n")


if __name__ == "__main__":
    main()
