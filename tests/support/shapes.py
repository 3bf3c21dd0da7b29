"""Files made to be slow to read: each is a shape that can be had in any size, up to the largest that is read.

    python -m tests.support.shapes [--size BYTES]

prints how long each takes to be judged and answered in the slowest format, and how much longer than at a quarter of
the size.
A step that searches what is left of a text again for each of its parts shows as four times too long.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable, Iterator

from cubiri_cli.commands.judging import Criteria, Task, judge
from cubiri_cli.commands.reports import REPORTS
from cubiri_cli.replays.replay import LARGEST
from tests.benchmarks.corpus import magdagdon_text, mishimash_text

Shape = Callable[[int], bytes]

SOLO = magdagdon_text("shapes", "survival")
PARTY = mishimash_text("shapes", 4, 20)
HEAD = SOLO[: SOLO.index("\n[[turns]]")]
TAIL = SOLO[SOLO.index("\n[[turns]]") :]
PARTY_HEAD = PARTY[: PARTY.index("\n[[turns]]")]
DOTS = "." * 4 + "\n"
"""So many that keys are counted before anything is parsed."""


def repeat(part: str, before: str = "", after: str = "") -> Shape:
    """Return the shape of one part again and again, between two others."""

    def make(size: int) -> bytes:
        room = size - len((before + after).encode())
        return (before + part * (room // len(part.encode())) + after).encode()

    return make


def count(part: str, before: str = "", after: str = "") -> Shape:
    """Return the shape of a part that differs each time: `{}` in it is a number."""

    def make(size: int) -> bytes:
        parts, room, number = [before], size - len((before + after).encode()), 0
        while True:
            one = part.replace("{}", str(number))
            room -= len(one.encode())
            if room < 0:
                return "".join([*parts, after]).encode()
            parts.append(one)
            number += 1

    return make


def turn(log: str, player: int = 1) -> str:
    return f"\n[[turns]]\nplayer = {player}\nlog = [{log}]\n"


def in_comment(part: str, end: str = "", begin: str = "") -> Shape:
    """Return a replay whose comment is that part again and again."""
    before, after = SOLO.split("players", 1)
    return repeat(part, f'{before}comment = "{begin}', f'{end}"\nplayers{after}')


def in_place_of(text: str, part: str) -> Shape:
    """Return a replay with that part again and again in place of the contents of a text."""
    before, after = SOLO.split(f'"{text}"', 1)
    return repeat(part, f'{before}"', f'"{after}')


def in_log(part: str, end: str = "") -> Shape:
    """Return a replay whose only turn has that part again and again after its right first roll."""
    first = TAIL[TAIL.index('"roll') :].partition(",")[0]
    return repeat(part, f"{HEAD}\n[[turns]]\nplayer = 1\nlog = [\n    {first},\n", f"{end}]\n")


SHAPES: dict[str, Shape] = {
    # texts that do not end, and what looks like one
    "triple quotes, escaped": repeat('\\"""\n', DOTS),
    "triple quotes, escaped, in one line": repeat('\\"""', DOTS),
    "quotes, escaped, in one line": repeat('\\"', DOTS + "a"),
    "quotes that do not end": repeat('"\n', DOTS),
    "apostrophes that do not end": repeat("'\n", DOTS),
    "triple apostrophes": repeat("'''\n''\n", DOTS),
    "triple apostrophes and quotes": repeat("'''\n\"\"\"\n", DOTS),
    "four quotes": repeat('""""\n\\', DOTS),
    "a triple quote after lines of quotes": repeat("'\"'\"\n", DOTS, '"""'),
    "one text, escapes": repeat("\\u0041", f'{DOTS}x = "', '"'),
    "one text, escaped quotes": repeat('\\"', 'x = "', '"'),
    "one text over lines, quotes by twos": repeat('""\n', 'x = """', '"""'),
    "one text over lines, ends of lines escaped": repeat("\\\n  ", 'x = """', '"""'),
    "one text over lines, wide and narrow": repeat("\U0001f3b2\\n", 'x = """', '"""'),
    "one text of apostrophes by twos": repeat("''\n", "x = '''", "'''"),
    "many short texts": count('a{} = "\\t"\n', DOTS),
    # keys and tables
    "dots": repeat("."),
    "dots and blanks": repeat(". "),
    "one key of many parts": repeat("a.", "", "a = 1\n"),
    "one header of many parts": repeat("a.", "[", "a]\n"),
    "keys of four parts": count("a.b.c.d{} = 1\n"),
    "keys of four parts, none shared": count("a{}.b.c.d = 1\n"),
    "headers of four parts, none shared": count("[a{}.b.c.d]\n"),
    "lists of tables of four parts": repeat("[[a.b.c.d]]\n"),
    "a table in a list again and again": repeat("[[a]]\n[a.b.c]\nd.e = 1\n"),
    "quoted keys": count('"\\u0041{}" = 1\n', DOTS),
    "many keys": count("a{} = 1\n"),
    "many empty tables": count("[a{}]\n"),
    "the same key at the end": count("a{} = 1\n", "", "a0 = 2\n"),
    "one long key": repeat("a", "", " = 1\n"),
    "one long unknown key": repeat("a", "", f" = 1\n{SOLO}"),
    "one long key twice": lambda size: repeat("a", "[", "]\n")(size // 2) * 2,
    "keys of an inline table": count("a{} = 1, ", "x = {", "b = 1}\n"),
    "dotted keys of an inline table": count("a.b{}.c = 1, ", "x = {", "b = 1}\n"),
    # lists and nesting
    "brackets": repeat("[", "x = "),
    "braces": repeat("{a=", "x = "),
    "closed lists": repeat("[],", "x = [", "]\n"),
    "nested lists": repeat("[" * 300 + "]" * 300 + ",\n", "x = [", "]\n"),
    "items in the deepest list": repeat("1,", "x = " + "[" * 390, "]" * 390 + "\n"),
    "items in the deepest list of a replay": repeat("1,", f"{HEAD}x = " + "[" * 390, "]" * 390 + "\n" + TAIL),
    "nested tables": repeat("{a=" * 300 + "1" + "}" * 300 + ",\n", "x = [", "]\n"),
    "commas": repeat(",", "x = ["),
    "line feeds in a list": repeat("\n", "x = [", "]\n"),
    "comments in a list": repeat("#\n", "x = [", "]\n"),
    # comments, blanks, line ends
    "comments": repeat("#\n", DOTS),
    "one comment": repeat("# ", DOTS),
    "number signs": repeat("#", DOTS),
    "blanks": repeat(" "),
    "tabs and line feeds": repeat("\t\n", "", SOLO),
    "carriage returns and line feeds": repeat("\r\n", "", SOLO),
    "carriage returns": repeat("\r"),
    "the replay after comments": repeat("# a.b.c.d.i.j\n", "", SOLO),
    "comments after the replay": repeat("# \"'[{\n", SOLO),
    # numbers, dates
    "one long number": repeat("9", "x = ", "\n"),
    "one long number with underscores": repeat("9_", "x = ", "9\n"),
    "one long hexadecimal number": repeat("f", "x = 0x", "\n"),
    "a version of many digits": repeat("f", f"{HEAD.replace('version = 1', 'version = 0xf')}", TAIL),
    "one long binary number with underscores": repeat("1_", "x = 0b", "1\n"),
    "one long fraction": repeat("1", "x = 0.", "\n"),
    "one long exponent": repeat("9", "x = 1e", "\n"),
    "numbers of 4300 digits": repeat("9" * 4300 + ",\n", "x = [", "]\n"),
    "a fraction of a second": repeat("1", "x = 1979-05-27 07:32:00.", "\n"),
    "dates": repeat("1979-05-27T07:32:00.999999-07:00,", "x = [", "]\n"),
    "almost dates": repeat("1979-05-27T07:32:00.9-07:", "x = [", "]\n"),
    "floats": repeat("1.5,", "x = [", "]\n"),
    # characters
    "no UTF-8 at the end": lambda size: repeat("ä", "# ")(size - 1) + b"\xff",
    "zeros": repeat("\0"),
    "far characters": repeat("\U0001f3b2", "# ", "\n"),
    "a comment": in_comment("a"),
    "a comment of joiners": in_comment("a\u200d", "a"),
    "a comment of selectors": in_comment("❤\ufe0f"),
    "a comment of line feeds": in_comment("\\n"),
    "a comment refused at its end": in_comment("ä", "\u2028"),
    "a comment of tables": in_comment("\n\n[[turns]]\n\n[result]\n", '""', '""'),
    "a long name": in_place_of("Ada", "e\u0301"),
    "a long seed": in_place_of("shapes", "a"),
    "a long game": in_place_of("magdagdon", "\u2028"),
    # replays
    "many players": count(
        '    {name="{}"},\n',
        PARTY_HEAD.partition("players")[0] + "players = [",
        "]\n[options]\ntarget = 20\n" + turn('"roll"'),
    ),
    "many options": count("o{} = 1\n", HEAD + "\n", TAIL),
    "many claims": count("c{} = 1\n", SOLO),
    "a long claim": repeat("1,", PARTY[: PARTY.index("scores = ")] + "scores = [", "]\nturns = [1,1,1,1]\n"),
    "hints": in_log('    "hint",\n'),
    "hints and a wrong entry": in_log('    "hint",\n', '"x"'),
    "places and returns": in_log('    "place 3 a1",\n    "return a1",\n'),
    "places and returns of three dice": in_log(
        '"place 3 a1", "place 4 b1", "place 4 a2", "return a1", "return b1", "return a2",\n'
    ),
    "many turns": repeat(turn('"roll -> 1 2 3 4"'), HEAD),
    "many turns with comments": repeat(turn('"roll -> 1 2 3 4"').replace("log", 'comment = "a"\nlog'), HEAD),
    "many turns as written": repeat('\n[[turns]]\nplayer = 1\nlog = [\n    "roll -> 1 2 3 4",\n]\n', HEAD),
    "many turns as written, but the last": repeat(
        '\n[[turns]]\nplayer = 1\nlog = [\n    "hint",\n]\n', HEAD, "\n[[turns]]\nx = 1\n"
    ),
    "many turns with an unknown key at the end": repeat(turn('"roll -> 1 2 3 4"'), HEAD, "x = 1\n"),
    "many empty turns": repeat("[[turns]]\n", HEAD + "\n"),
    "many turns inline": repeat('{player=1,log=["hint"]},', f"{HEAD}\nturns = [", "]\n"),
    "one turn, unfinished text": repeat('"hint",', f"{HEAD}\n[[turns]]\nplayer = 1\nlog = [", '"'),
    "one long entry": repeat("hint ", f'{HEAD}\n[[turns]]\nplayer = 1\nlog = ["', '"]\n'),
    "one long answer": repeat(" 1", f'{HEAD}\n[[turns]]\nplayer = 1\nlog = ["roll ->', '"]\n'),
}


def seconds(data: bytes) -> Iterator[tuple[str, float, str]]:
    """Yield for every format how long a file takes to be judged and answered, and its status."""
    for form in REPORTS:
        began = time.process_time()
        status, _passed, _text = judge(Task("shape.toml", None, data), Criteria(form))
        yield form, time.process_time() - began, status


def main() -> None:
    """Print how long every shape takes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=LARGEST)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    gc.set_threshold(50_000)  # as the command does
    rows = []
    for name, make in SHAPES.items():
        if arguments.only not in name:
            continue
        data = make(arguments.size)
        assert len(data) <= LARGEST, name
        found = list(seconds(data))
        form, worst, status = max(found, key=lambda row: row[1])
        quarter = max(took for _form, took, _status in seconds(make(arguments.size // 4)))
        rows.append((worst, worst / quarter, name, form, status, len(data)))
        print(f"{worst:8.3f} s  x{worst / quarter:5.1f}  {name} ({form}, {status}, {len(data)})", flush=True)
    print("slowest:", *max(rows))


if __name__ == "__main__":
    main()
