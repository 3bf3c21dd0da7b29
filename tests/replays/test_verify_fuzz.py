"""Damaged replays get the verdict that the slow reference gives them, and nothing ends in a traceback."""

from __future__ import annotations

import re

import pytest
import tomli

from cubiri_cli.replays.reading import _parse_canonical, parse
from cubiri_cli.replays.verifying import verify
from tests.benchmarks.corpus import mishimash_text
from tests.support import reference
from tests.support.fuzz import fuzz, good_replays, judge
from tests.support.strategies import plain

INPUTS = 250


def test_damaged_replays_are_judged_as_the_reference_judges_them() -> None:
    report = fuzz(seed=5, count=INPUTS)
    assert report.tracebacks == []
    assert report.wrong == []
    # The fuzzer is worth something: every status that a file can have came up.
    statuses = {status.rpartition(" ")[2] for status in report.statuses}
    assert {"verified", "dice", "illegal", "mismatch", "malformed"} <= statuses
    assert report.inputs["bytes"] == report.inputs["toml"] == report.inputs["game"] == INPUTS


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n\n[[turns]]", '\ncomment = """\n\n[[turns]]'),  # a text that hides the first turn
        ("\n\n[[turns]]", "\nturns = []\n\n[[turns]]"),
        ("\n\n[[turns]]", "\nturns.a = 1\n\n[[turns]]"),
        ("\n\n[[turns]]", "\n\n[turns]\n\n[[turns]]"),
        ("\n\n[[turns]]", "\n\n[result]\n\n[[turns]]"),
        ("\n[result]\n", "\n[[turns]]\n"),
        ("\n[result]\n", "\n[result]\n[options]\n"),
        ("\n[result]\n", "\n[result.a]\n"),
        ("\n[result]\n", "\n[result]\nfinished = 1\n"),
        ("player = 1\n", "player = 1 \n"),
        ("player = 1\n", "player = 01\n"),
        ("player = 1\n", "player = 9\n"),
        ('    "confirm",\n]', '    "confirm"\n]'),
        ('    "confirm",\n]', '    "confirm",]'),
        ('    "confirm",\n]', '    "con\\u0066irm",\n]'),
        ('    "confirm",\n]', "    'confirm',\n]"),
        ('    "confirm",\n]', '    "confirm", "confirm",\n]'),
        ('    "confirm",\n]', '    "confirm",\n] x'),
        ("\n", "\r\n"),
    ],
)
def test_the_short_way_to_read_turns_reads_what_a_toml_parser_reads(old: str, new: str) -> None:
    text = good_replays()[0].replace("players = [", "players = [\n", 1)
    damaged = text.replace(old, new, 1) if old != "\n" else text.replace(old, new)
    assert damaged != text
    try:
        expected = tomli.loads(damaged)
    except tomli.TOMLDecodeError:
        assert _parse_canonical(damaged) is None
    else:
        assert plain(parse(damaged.encode())) == expected
    verdict, (slow, _) = verify(damaged.encode()), judge(damaged.encode())
    assert (verdict.status, verdict.result) == (slow.status, slow.result)


def test_every_good_replay_is_read_the_short_way() -> None:
    for text in good_replays():
        document = plain(_parse_canonical(text))
        assert document == tomli.loads(text)
        assert document is not None
        assert list(document) == list(tomli.loads(text))


@pytest.mark.parametrize(
    "data",
    [
        b"a." * 20_000 + b"a = 1",
        b"a = " + b"[" * 100_000,
        b"a = " + b"{a=" * 50_000,
        b"a = " + b"9" * 500_000,
        b"\n" * (1 << 20),
        b"[a]\n" * 1000,
        b'"""' * 100_000,
        b"[[turns]]\n" * 100_000,
        b"\n\n[[turns]]\nplayer = 1\nlog = [\n" + b'    "bank",\n' * 80_000,
        b"version = 1e400",
        b"\x00" * 1000,
        b"\xff\xfe" + "format".encode("utf-16-le"),
        b"[" + b"a." * 900 + b"a]\n" + b"".join(b"b%d." % n + b"a." * 900 + b"a=1\n" for n in range(570)),
    ],
    ids=lambda data: repr(data[:12]),
)
def test_files_made_to_hurt_a_parser_are_malformed(data: bytes) -> None:
    assert verify(data).status == "malformed"
    assert reference.judge_bytes(data).status == "malformed" if len(data) < 100_000 and b"a.a" not in data else True


def test_a_key_may_have_four_parts_and_texts_any_number_of_dots() -> None:
    text = good_replays()[0]
    dots = 'comment = """a.b.c.d.e.f.g.h.i = 1\n...........""" # a.b.c.d.e.f.g.h.i = 1'
    assert verify(text.replace("players = [", f"{dots}\nplayers = [", 1).encode()).status == "verified"
    for key, where in (("a.b.c.'d.d'", "a"), ("a.b.c . d.e", None)):
        verdict = verify(text.replace("players = [", f"{key} = 1\nplayers = [", 1).encode())
        assert (verdict.status, verdict.where) == ("malformed", where)


@pytest.mark.parametrize(
    ("claim", "status"), [("1e308", "mismatch"), ("-0.5", "mismatch"), ("0.25", "malformed"), ("inf", "malformed")]
)
def test_any_multiple_of_one_half_is_a_claim(claim: str, status: str) -> None:
    text = re.sub(r"scores = \[[^]]*]", f"scores = [{claim}]", mishimash_text("7", 1, 30))
    assert verify(text.encode()).status == reference.judge_bytes(text.encode()).status == status
