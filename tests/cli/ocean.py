#!/usr/bin/python3
"""ocean.py: pictures of the stack from outside: formats, flags, folders of art, exams, figures."""
import json
import os
import struct
from pathlib import Path

import tap
from tap import case, cases, equal, expect, fails, fathom

SEED = "5e" * 32
SMALL = ("--size", 64)


def draw(folder, *flags, name="x.png", seed=SEED, size=64):
    """A picture's bytes."""
    path = Path(folder) / name
    run = fathom("ocean", *(["--seed", seed] if seed else []), "--size", size, *flags, "--out", path)
    equal((run.status, run.err), (0, ""), run)
    data = path.read_bytes()
    said, *circles = run.out.splitlines()
    equal(said, f"{path}: {size} x {size}, {len(data)} bytes", run)
    equal(len(circles), int("--sheet" in flags), run)  # where the creatures of a single sheet lie
    for circle in json.loads(circles[0])["creatures"] if circles else []:
        expect(all(0 < circle[key] < 1 for key in "xyr"), circle)
    return data


# ---- formats ------------------------------------------------------------------------------------


def jpeg_segments(data):
    """The markers of a JPEG file, and the size that it says."""
    names = {0xD8: "SOI", 0xE0: "APP0", 0xDB: "DQT", 0xC0: "SOF0", 0xC4: "DHT", 0xDA: "SOS", 0xD9: "EOI"}
    found, size, at = ["SOI"], None, 2
    equal(data[:2], b"\xff\xd8", "the magic bytes")
    while found[-1] != "EOI":
        equal(data[at], 0xFF, f"a marker at {at}")
        marker = names.get(data[at + 1], hex(data[at + 1]))
        found.append(marker)
        if marker == "EOI":
            at += 2
            continue
        length = struct.unpack(">H", data[at + 2:at + 4])[0]
        if marker == "SOF0":
            size = struct.unpack(">HH", data[at + 5:at + 9])[::-1]
        at += 2 + length
        while marker == "SOS" and not (data[at] == 0xFF and data[at + 1] != 0 and not 0xD0 <= data[at + 1] <= 0xD7):
            at += 1
    equal(at, len(data), "bytes behind the picture")
    return [m for i, m in enumerate(found) if i == 0 or found[i - 1] != m], size


def png_chunks(data):
    found, size, at = [], None, 8
    equal(data[:8], b"\x89PNG\r\n\x1a\n", "the magic bytes")
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        if name == b"IHDR":
            size = struct.unpack(">II", data[at + 8:at + 16])
        if not found or found[-1] != name.decode():
            found.append(name.decode())
        at += 12 + length
    equal(at, len(data), "bytes behind the picture")
    return found, size


def webp_chunks(data):
    equal((data[:4], data[8:12]), (b"RIFF", b"WEBP"), "the magic bytes")
    equal(struct.unpack("<I", data[4:8])[0] + 8, len(data), "the length")
    name, length = struct.unpack("<4sI", data[12:20])
    equal(20 + length + length % 2, len(data), "one chunk")
    equal(data[23:26], b"\x9d\x01\x2a", "a key frame")
    return [name.decode().strip()], tuple(n & 0x3FFF for n in struct.unpack("<HH", data[26:30]))


JPEG = (jpeg_segments, ["SOI", "APP0", "DQT", "SOF0", "DHT", "SOS", "EOI"])
PNG = (png_chunks, ["IHDR", "IDAT", "IEND"])
WEBP = (webp_chunks, ["VP8"])


@cases("a file is what its ending says, and nothing else", {
    "jpg": ("x.jpg", *JPEG), "jpeg": ("x.jpeg", *JPEG), "JPG": ("x.JPG", *JPEG), "png": ("x.png", *PNG),
    "webp": ("x.webp", *WEBP), "two endings": ("x.jpg.png", *PNG)})
def formats(name, read, parts):
    with tap.scratch() as folder:
        for size in (64, 97):
            data = draw(folder, name=name, size=size)
            equal(read(data), (parts, (size, size)), name)


@case("quality is for JPEG and WebP", compares=True)
def quality():
    with tap.scratch() as folder:
        for name in ("x.jpg", "x.webp"):
            low, high = (draw(folder, "--quality", q, name=name, size=320) for q in (5, 95))
            expect(2 * len(low) < len(high), f"{name}: {len(low)} and {len(high)} bytes")
        equal(draw(folder, "--quality", 5), draw(folder, "--quality", 95))


# ---- what is drawn ------------------------------------------------------------------------------


@cases("the same command gives the same bytes", {name: (name,) for name in tap.some(("x.jpg", "x.png", "x.webp"))})
def same_bytes(name):
    with tap.scratch() as folder:
        first = draw(folder, name=name)
        equal(draw(folder, name="other-" + name), first)
        expect(draw(folder, name=name, seed="5f" + SEED[2:]) != first, "another seed, the same picture")


@case("a seed is 64 hex digits or a number", compares=True)
def seeds():
    with tap.scratch() as folder:
        expect(draw(folder, seed="7") != draw(folder, seed="8"), "7 and 8")
        equal(draw(folder, seed="7"), draw(folder, seed="7"))


@case("a tilt is snapped to its grid, a lamp to its own", compares=True)
def snapped():
    with tap.scratch() as folder:
        equal(draw(folder, "--tilt", "23,0"), draw(folder, "--tilt", "23.3,0"))
        equal(draw(folder, "--tilt", "0,0"), draw(folder))
        equal(draw(folder, "--lamp", "above:0.49,0.51"), draw(folder, "--lamp", "above"))
        equal(draw(folder, "--lamp", "side:0,0.5"), draw(folder, "--lamp", "side"))


@case("every flag changes the picture")
def every_flag():
    flags = [(), ("--tilt", "28,0"), ("--tilt", "-28,0"), ("--tilt", "0,28"), ("--tilt", "0,-28"), ("--round", 2),
             ("--round", 8), ("--lamp", "above:0,0"), ("--lamp", "above:1,1"), ("--lamp", "below:0.5,0.5"),
             ("--lamp", "side:1,0"), ("--octopus", "0.5,0.5"), ("--octopus", "0,1"), ("--sheet", 1), ("--sheet", 6),
             ("--preset", "clear"), ("--preset", "murky")]
    with tap.scratch() as folder:
        pictures = [draw(folder, *each) for each in flags]
        for i, one in enumerate(pictures):
            expect(one not in pictures[:i], f"{flags[i]}: as {flags[pictures.index(one)]}")
        equal(draw(folder, "--preset", "reef"), pictures[0], "the default")
        equal(draw(folder, "--round", 1), pictures[0], "the default")


@case("all sheets side by side")
def sheets():
    with tap.scratch() as folder:
        path = Path(folder) / "all.png"
        run = fathom("ocean", "--seed", SEED, "--sheets", path)
        equal((run.status, run.err), (0, ""), run)
        equal(png_chunks(path.read_bytes()), (PNG[1], (1536, 1536)))
        equal(fathom("ocean", "--sheets", path).status, 0)  # of some game: no seed is needed
        run = fathom("ocean", "--seed", SEED, "--size", 64, "--sheets", path)
        equal((run.status, run.err), (0, ""), run)
        equal(png_chunks(path.read_bytes()), (PNG[1], (384, 384)), "as large as is said")


@case("a postcard follows from its name alone", compares=True)
def postcard():
    with tap.scratch() as folder:
        one = draw(folder, "--postcard", "Anna's table", seed=None)
        equal(draw(folder, "--postcard", "Anna's table", seed=None), one)
        expect(draw(folder, "--postcard", "Bert's table", seed=None) != one, "another name, the same picture")


@case("a picture replaces the one that was there; one that fails does not")
def replaces():
    with tap.scratch() as folder:
        path = Path(folder) / "x.png"
        path.write_bytes(b"old" * 100000)
        equal(draw(folder), draw(folder, name="y.png"))
        path.write_bytes(b"old")
        fails(fathom("ocean", "--seed", SEED, *SMALL, "--art", folder + "/none", "--out", path))
        equal(path.read_bytes(), b"old")


# ---- bad input ----------------------------------------------------------------------------------

BAD = {
    "no seed": (["--out", "x.jpg"], "--seed"),
    "neither picture nor sheets": (["--seed", SEED], "--out"),
    "picture and sheets": (["--seed", SEED, "--out", "x.jpg", "--sheets", "y.png"], "--out", "--sheets"),
    "sheets as jpg": (["--seed", SEED, "--sheets", "x.jpg"], "--sheets", ".png"),
    "a word too many": (["--seed", SEED, "--out", "x.jpg", "more"], '"more"'),
    "unknown flag": (["--seed", SEED, "--out", "x.jpg", "--zoom", "2"], "--zoom"),
    "out without value": (["--seed", SEED, "--out"], "--out"),
    "postcard and seed": (["--seed", SEED, "--postcard", "x", "--out", "x.jpg"], "--postcard"),
    "postcard and sheets": (["--postcard", "x", "--sheets", "x.png"], "--postcard"),
    "postcard of a later round": (["--postcard", "x", "--round", "4", "--out", "x.jpg"], "--postcard", "--round"),
    "postcard of a sheet": (["--postcard", "x", "--sheet", "4", "--out", "x.jpg"], "--postcard", "--sheet"),
}
VALUES = {
    "tilt": ["29,0", "-29,0", "0,28.0001", "nan", "nan,nan", "inf,0", "1", "1,2,3", "", ",", "1,", "1e1,0", "0x1,0", " 1,2"],
    "lamp": ["behind:0,0", "above:2,0", "above:-0.1,0", "above:", "above:0", "above:nan,0", "above:0,0,0", "", "side:0;0"],
    "seed": ["a" * 63, "a" * 65, "1" * 63, "zz", "", "-1", "A" * 64, " 1"],
    "preset": ["soup", "", "Reef", "reef "],
    "size": ["0", "63", "2049", "100000", "-1", "1e3", "", "64.5", "9" * 30],
    "round": ["0", "9", "-1", "x", ""],
    "sheet": ["0", "7", "x"],
    "quality": ["0", "101", "x"],
    "octopus": ["", "1", "2,0", "nan,0", "0,0,0", "0," + "0" * 60],
    "out": ["x", "x.gif", "jpg", ".", "", "x.jpg ", "x.png/"],
}
for flag, values in VALUES.items():
    for value in values:
        rest = {"seed": SEED, "out": "x.jpg", flag: value}
        words = [part for key, text in rest.items() for part in ("--" + key, text)]
        BAD[f"--{flag} {value[:70]!r}"] = (words, "--" + flag if flag != "preset" else "preset")


@cases("refused with status 2, and no file", BAD)
def bad_input(args, *words):
    with tap.scratch() as folder:
        fails(fathom("ocean", *args, folder=folder), *words)
        equal(os.listdir(folder), [], "files")


@case("sheets that are no longer there")
def no_sheet():
    with tap.scratch() as folder:
        run = fathom("ocean", "--seed", SEED, *SMALL, "--round", 8, "--sheet", 2, "--out", folder + "/x.png")
        fails(run, "sheet 2", "1")
        equal(os.listdir(folder), [])


@case("a folder that is missing, or that is the picture's name")
def no_folder():
    with tap.scratch() as folder:
        fails(fathom("ocean", "--seed", SEED, *SMALL, "--out", folder + "/none/x.jpg"), "none/x.jpg")
        equal(os.listdir(folder), [])
        os.mkdir(folder + "/x.jpg")
        fails(fathom("ocean", "--seed", SEED, *SMALL, "--out", folder + "/x.jpg"), "x.jpg")
        fails(fathom("ocean", "--seed", SEED, "--sheets", folder + "/none/x.png"), "none/x.png")
        equal(os.listdir(folder), ["x.jpg"])


@case("a full disk is reported, and what is there is left")
def full_disk():
    with tap.scratch() as folder:
        fails(fathom("ocean", "--seed", SEED, *SMALL, "--out", "/dev/full"), "--out")
        for name, flag in (("x.jpg", "--out"), ("x.png", "--out"), ("x.webp", "--out"), ("y.png", "--sheets")):
            path = Path(folder) / name
            path.symlink_to("/dev/full")
            run = fathom("ocean", "--seed", SEED, *SMALL, flag, path)
            fails(run, name, "written")
            equal(run.out, "", run)
            expect(path.is_symlink() and Path("/dev/full").is_char_device(), "/dev/full is still there")


# ---- art of one's own ---------------------------------------------------------------------------

DISC = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><circle cx="50" cy="50" r="40" fill="#e33"/></svg>'


def art(folder, listed, svg=DISC, name="manta"):
    (Path(folder) / "art.json").write_text(listed, encoding="utf-8")
    if svg is not None:
        (Path(folder) / (name + ".svg")).write_text(svg, encoding="utf-8")


def entry(**more):
    return json.dumps({"drawings": [{"name": "manta", "role": "manta", "small": 0.3, "large": 0.3, "weight": 1, **more}]})


@case("a folder of art replaces drawings")
def own_art():
    with tap.scratch() as folder:
        built_in = draw(folder)
        art(folder, '{"drawings": []}', None)
        equal(draw(folder, "--art", folder), built_in, "nothing is replaced")
        art(folder, entry())
        expect(draw(folder, "--art", folder) != built_in, "mantas are discs now")


BAD_ART = {
    "no art.json": (None, None, "art.json"),
    "art.json is no JSON": ("{\"drawings\": [", DISC, "art.json"),
    "art.json of another shape": ("[]", DISC, "art.json"),
    "an unknown role": (entry(role="squid"), DISC, "role"),
    "too large": (entry(large=2), DISC, "large"),
    "a name that leaves the folder": (entry(name="../manta"), DISC, "name"),
    "a drawing that is missing": (entry(), None, "manta.svg"),
    "a drawing that is empty": (entry(), "", "manta.svg"),
    "a drawing that is broken": (entry(), DISC[:-20], "manta.svg"),
    "a drawing of 1 MB": (entry(), DISC.replace("<circle", "<g/>" * 262144 + "<circle"), "manta.svg", "65536"),
    "a drawing with a picture": (entry(), DISC.replace("<circle", '<image href="file:///etc/hostname"/><circle'), "manta.svg"),
    "a drawing with a reference": (entry(), DISC.replace("<circle", '<use href="http://example.com/a.svg#a"/><circle'), "manta.svg"),
    "a drawing with an entity": (entry(), '<!DOCTYPE svg [<!ENTITY a SYSTEM "/etc/passwd">]>' + DISC, "manta.svg"),
    "a drawing without ink": (entry(), DISC.replace('r="40"', 'r="0"'), "manta.svg"),
}


@cases("bad art is refused, and its file is named", BAD_ART)
def bad_art(listed, svg, *words):
    with tap.scratch() as folder:
        if listed is not None:
            art(folder, listed, svg)
        fails(fathom("ocean", "--seed", SEED, *SMALL, "--art", folder, "--out", folder + "/x.png"), *words)
        expect(not (Path(folder) / "x.png").exists(), "a picture")


@case("a folder of art that is missing, for every part of the command")
def no_art():
    with tap.scratch() as folder:
        none = folder + "/none"
        fails(fathom("ocean", "--seed", SEED, "--art", none, "--out", folder + "/x.png"), "none/art.json")
        fails(fathom("ocean", "--seed", SEED, "--art", none, "--sheets", folder + "/x.png"), "none/art.json")
        fails(fathom("ocean", "bench", "--art", none), "none/art.json")
        fails(fathom("ocean", "exam", "--art", none, "--count", 1, "--dir", folder + "/e"), "none/art.json")


# ---- exams --------------------------------------------------------------------------------------

WORDS = ["-", "G", "R", "M", "S", "SG", "SR", "SM"]
VIEWS = ["down", "left", "left-down", "left-up", "right", "right-down", "right-up", "straight", "up"]


def exam(folder, *flags, count=2, seed=SEED):
    run = fathom("ocean", "exam", "--count", count, "--dir", folder, "--seed", seed, *SMALL, *flags)
    equal(run.status, 0, f"{run}: {run.err}")
    return run


def score(folder, text):
    path = Path(folder) / "mine.txt"
    path.write_text(text, encoding="utf-8")
    return fathom("ocean", "exam", "--dir", folder, "--score", path)


def truths(folder):
    return {path.stem: path.read_text(encoding="utf-8").split() for path in (Path(folder) / "truth").iterdir()}


def shares(run):
    equal((run.status, run.err), (0, ""), run)
    rows = run.out.splitlines()
    equal(len(rows), 3, run.out)
    return [[int(cell.rstrip("%")) for cell in row.split()[-5:]] for row in rows[1:]]


@case("an exam: nine pictures a stack, truths apart, a form")
def exam_files():
    with tap.scratch() as folder:
        folder = folder + "/new"
        exam(folder, count=3)
        names = [f"stack-{n:03}" for n in (1, 2, 3)]
        equal(sorted(os.listdir(folder)), ["guesses.txt", *names, "truth"])
        equal(sorted(os.listdir(folder + "/truth")), [name + ".txt" for name in names])
        pictures = set()
        for name in names:
            equal(sorted(os.listdir(f"{folder}/{name}")), sorted(view + ".jpg" for view in VIEWS))
            for view in VIEWS:
                data = Path(f"{folder}/{name}/{view}.jpg").read_bytes()
                equal(jpeg_segments(data), (JPEG[1], (64, 64)))
                pictures.add(data)
        equal(len(pictures), 27, "pictures, all different")
        for words in truths(folder).values():
            expect(len(words) == 5 and all(word in WORDS for word in words), words)
        equal(Path(folder, "guesses.txt").read_text(encoding="utf-8"), "".join(f"{name} ? ? ? ? ?\n" for name in names))


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}


@case("the same seed gives the same exam", compares=True)
def same_exam():
    with tap.scratch() as one, tap.scratch() as two, tap.scratch() as three:
        exam(one)
        exam(two)
        exam(three, seed="5f" * 32)
        equal(files(one), files(two))
        expect(files(one)["stack-001/up.jpg"] != files(three)["stack-001/up.jpg"], "another seed, the same stack")


@case("a stack of an exam does not tell its seed's other stacks")
def first_stack():
    with tap.scratch() as one, tap.scratch() as two:
        exam(one, count=1)
        exam(two, count=2)
        equal(files(one)["stack-001/up.jpg"], files(two)["stack-001/up.jpg"])
        expect(files(two)["stack-001/up.jpg"] != files(two)["stack-002/up.jpg"], "the same stack twice")


@case("scores: all, half, nothing, sharks alone")
def scores():
    with tap.scratch() as folder:
        exam(folder)
        truth = truths(folder)
        lines = {name: [name, *words] for name, words in truth.items()}
        one, two = (lines[name] for name in sorted(lines))
        text = lambda *rows: "".join(" ".join(row) + "\n" for row in rows)
        equal(shares(score(folder, text(one, two))), [[100] * 5] * 2)
        equal(shares(score(folder, "# mine\n\n" + text(one).replace(" ", "\t") + "\r\n")), [[100] * 5] * 2)
        equal(shares(score(folder, text(one, [two[0]] + ["?"] * 5))), [[50] * 5] * 2)
        equal(shares(score(folder, text([one[0]] + ["?"] * 5))), [[0] * 5] * 2)
        helpers = [one[0]] + [WORDS[WORDS.index(w) & 4 | ((WORDS.index(w) & 3) + 1) % 4] for w in one[1:]]
        equal(shares(score(folder, text(helpers))), [[0] * 5, [100] * 5], "other helpers")
        sharks = [one[0]] + [WORDS[WORDS.index(w) ^ 4] for w in one[1:]]
        equal(shares(score(folder, text(sharks))), [[0] * 5] * 2, "other sharks")
        equal(shares(score(folder, text(one[:3] + ["?"] * 3))), [[100, 100, 0, 0, 0]] * 2)


@case("guesses that cannot be read are named by line and level")
def bad_guesses():
    with tap.scratch() as folder:
        exam(folder, count=1)
        fails(score(folder, "stack-001 - - - - X\n"), "mine.txt:1", "level 5")
        fails(score(folder, "\n# mine\n\nstack-001 - - SS - -\n"), "mine.txt:4", "level 3")
        fails(score(folder, "stack-001 - -\n"), "mine.txt:1", "level 3")
        fails(score(folder, "stack-007 - - - - -\n"), "stack-007")
        fails(score(folder, "reef - - - - -\n"), "mine.txt:1", '"reef"')
        fails(score(folder, "../x - - - - -\n"), "mine.txt:1", '"../x"')
        fails(score(folder, "\n"), "no guesses")
        fails(score(folder, ""), "no guesses")
        fails(score(folder, "#" * 300000), "mine.txt")
        fails(fathom("ocean", "exam", "--dir", folder, "--score", folder + "/none"), "none")
        Path(folder, "truth/stack-001.txt").write_text("S S S\n", encoding="utf-8")
        fails(score(folder, "stack-001 - - - - -\n"), "stack-001.txt")


EXAM_BAD = {
    "nothing": ([], "--dir"),
    "no count": (["--dir", "e"], "--count"),
    "no folder": (["--count", "1"], "--dir"),
    "count 0": (["--dir", "e", "--count", "0"], "--count"),
    "count 1000": (["--dir", "e", "--count", "1000"], "--count"),
    "count and score": (["--dir", "e", "--count", "1", "--score", "x"], "--score"),
    "bad seed": (["--dir", "e", "--count", "1", "--seed", "zz"], "--seed"),
    "bad size": (["--dir", "e", "--count", "1", "--size", "63"], "--size"),
    "bad preset": (["--dir", "e", "--count", "1", "--preset", "soup"], '"soup"'),
    "bad quality": (["--dir", "e", "--count", "1", "--quality", "0"], "--quality"),
    "a word too many": (["--dir", "e", "--count", "1", "more"], '"more"'),
    "unknown flag": (["--dir", "e", "--count", "1", "--tilt", "0,0"], "--tilt"),
    "a folder in a missing one": (["--dir", "none/e", "--count", "1"], "none/e"),
}


@cases("exam: refused with status 2, and no folder", EXAM_BAD)
def bad_exam(args, *words):
    with tap.scratch() as folder:
        fails(fathom("ocean", "exam", *args, folder=folder), *words)
        equal(os.listdir(folder), [], "files")


# ---- eyes ---------------------------------------------------------------------------------------


@case("eyes: figures by level, a file that simulations take, the same for any number of jobs")
def eyes():
    with tap.scratch() as folder:
        args = ("ocean", "eyes", "--count", 2, "--seed", 3, "--acuity", "average", "--json")
        run = fathom(*args, "--jobs", 1, "--out", folder)
        equal((run.status, run.err), (0, ""), run)
        answer = run.json()
        equal((answer["stacks"], answer["preset"], len(answer["eyes"])), (2, "reef", 1))
        levels = answer["eyes"][0]["levels"]
        equal([level["level"] for level in levels], [1, 2, 3, 4, 5, 6])
        for level in levels:
            equal(sum(map(sum, level["took"])), 2, "stacks")
            expect(0 <= level["label"] <= level["shark"] <= 1, level)
        again = fathom(*args, "--jobs", 2).json()
        equal(again["eyes"][0]["levels"], levels, "two jobs")
        path = Path(folder) / "picture-average.json"
        sim = fathom("sim", "dive", "--bots", "steady", "--games", 20, "--json", "--eyes", path)
        equal((sim.status, sim.err), (0, ""), sim)
        for name in ("keen", "average", "short-sighted"):
            sim = fathom("sim", "dive", "--bots", "steady", "--games", 20, "--json", "--eyes", "picture-" + name)
            equal((sim.status, sim.err), (0, ""), sim)


EYES_BAD = {
    "count 0": (["--count", "0"], "--count"),
    "bad seed": (["--seed", "zz"], "--seed"),
    "no such eyes": (["--acuity", "hawk"], '"hawk"', "short-sighted"),
    "bad preset": (["--preset", "soup"], '"soup"'),
    "a size": (["--size", "64"], "--size"),
    "a word too many": (["more"], '"more"'),
    "no folder": (["--count", "1", "--acuity", "average", "--out", "none"], "none/"),
    "no folder for finds": (["--count", "1", "--finds", "none/x"], "none/x"),
}


@cases("eyes: refused with status 2", EYES_BAD)
def bad_eyes(args, *words):
    with tap.scratch() as folder:
        fails(fathom("ocean", "eyes", *args, folder=folder), *words)


# ---- figures ------------------------------------------------------------------------------------

KEYS = """art_ms deal_ms bake_ms bake_lamps_ms first_picture_ms view_ms view_plain_ms pixman_ms jpeg_ms picture_ms
    lamp_above_ms lamp_below_ms lamp_side_ms jpeg_mean_kb jpeg_max_kb webp_ms webp_kb layers_mb layers_lamps_mb
    all_views_kb encoded_mb table_mb""".split()


@case("bench --json has every figure, and budgets of some")
def bench():
    run = fathom("ocean", "bench", "--json", *SMALL)
    equal((run.status, run.err), (0, ""), run)
    answer = run.json()
    equal(sorted(answer), sorted(KEYS + ["kernel", "preset", "size", "budgets"]))
    equal((answer["preset"], answer["size"]), ("reef", 64))
    expect(answer["kernel"] in ("avx2", "plain"), answer["kernel"])
    for key in KEYS:
        expect(isinstance(answer[key], float) and answer[key] >= 0, f"{key}: {answer[key]}")
    expect(answer["budgets"] and set(answer["budgets"]) < set(KEYS), answer["budgets"])
    expect({"picture_ms", "first_picture_ms", "jpeg_mean_kb", "table_mb"} <= set(answer["budgets"]), answer["budgets"])


@case("bench in words")
def bench_words():
    run = fathom("ocean", "bench", *SMALL, "--preset", "clear")
    equal((run.status, run.err), (0, ""), run)
    expect(run.out.startswith("clear, 64 x 64, kernel ") and "pixman" in run.out, run.out)
    fails(fathom("ocean", "bench", "more"), '"more"')
    fails(fathom("ocean", "bench", "--seed", "1"), "--seed")
    fails(fathom("ocean", "bench", "--size", "1"), "--size")


if __name__ == "__main__":
    tap.main()
