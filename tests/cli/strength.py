#!/usr/bin/python3
"""strength.py: tools/strength: it keeps the sections of others, continues where it was stopped, and draws well-formed plots."""
import contextlib
import importlib.machinery
import importlib.util
import sys
import xml.etree.ElementTree as xml
from pathlib import Path
from types import SimpleNamespace

import tap
from tap import case, equal, expect, scratch

TOOLS = Path(__file__).resolve().parents[2] / "tools"
sys.path.insert(0, str(TOOLS))
sys.dont_write_bytecode = True


def load(name):
    loader = importlib.machinery.SourceFileLoader(name, str(TOOLS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


strength = load("strength")


@case("a section is replaced between its marks, added where it is missing, and all else stays")
def sections():
    with scratch() as folder:
        page = Path(folder, "strength.md")
        page.write_text("# Title\n\n<!-- begin a -->\nold\n<!-- end a -->\n\n## Of others\n\ntheir \\1 figures\n")
        strength.put_section(page, "a", "new \\1 text")
        equal(page.read_text(), "# Title\n\n<!-- begin a -->\nnew \\1 text\n<!-- end a -->\n\n## Of others\n\ntheir \\1 figures\n")
        before = page.read_text()
        strength.put_section(page, "b", "more")
        equal(page.read_text(), before + "\n<!-- begin b -->\nmore\n<!-- end b -->\n")
        strength.put_section(page, "b", "more")
        equal(page.read_text(), before + "\n<!-- begin b -->\nmore\n<!-- end b -->\n", "twice is once")


@case("what was measured is not measured again")
def remembered():
    with scratch() as folder:
        bench = strength.Bench(SimpleNamespace(fathom=tap.program(), folder=Path(folder, "kept"), jobs=1, quick=True, times=1, measured=False))
        with contextlib.redirect_stdout(sys.stderr):
            first = bench.run("arena", "soumsoum", "--bots", "random,greedy", "--deals", 3, "--seed", 1)
        bench.fathom = "/nowhere"
        equal(bench.run("arena", "soumsoum", "--bots", "random,greedy", "--deals", 3, "--seed", 1), first)
        equal(first["entries"][0]["games"], 6)
        bench.measured = True
        equal(bench.run("arena", "soumsoum", "--bots", "random,greedy", "--deals", 4), None, "played nothing")


@case("a plot is well-formed and has a bar, a label and an interval for each value")
def plots():
    with scratch() as folder:
        path = Path(folder, "img", "plot.svg")
        strength.bars(path, "A <title>", [("one & two", [(50, 40, 60), (20, 10, 30)]), ("three", [None, (5, 1, 9)])],
                      series=["a", "b"], fair=50)
        root = xml.parse(path).getroot()
        names = [node.tag.split("}")[1] for node in root.iter()]
        equal(names.count("rect"), 1 + 2 + 3, "the ground, the legend, the bars")
        texts = [node.text for node in root.iter() if node.tag.endswith("text")]
        expect("one & two" in texts and "A <title>" in texts, texts)
        expect("prefers-color-scheme" in path.read_text(), "it is readable in the dark")


tap.main()
