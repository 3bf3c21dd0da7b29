"""Files made to be slow or to overflow: every reading step goes through a text once, and every answer is short."""

from __future__ import annotations

from pathlib import Path

import pytest

from cubiri_cli.commands.judging import Criteria, Task, judge
from cubiri_cli.commands.reports import REPORTS
from cubiri_cli.replays.lines import long_key
from cubiri_cli.replays.replay import LONGEST_PLACE
from cubiri_cli.replays.verifying import verify
from tests.support import reference
from tests.support.running import cubiri
from tests.support.shapes import SHAPES, SOLO

EVERY = pytest.mark.parametrize("name", SHAPES)


@EVERY
def test_every_shape_is_judged_as_the_reference_does(name: str) -> None:
    data = SHAPES[name](4000)
    expected = reference.judge_bytes(data)
    assert verify(data).status == expected.status


@EVERY
def test_every_shape_is_answered_shortly_in_every_format(name: str) -> None:
    """With searches that begin again at every token, some of these would take minutes each."""
    data = SHAPES[name](128 * 1024)
    for form in REPORTS:
        _status, _passed, text = judge(Task("shape.toml", None, data), Criteria(form))
        assert len(text) < 2000
    where = verify(data).where
    assert where is None or len(where) <= LONGEST_PLACE


LONG_KEYS = {
    "a.b.c.d = 1": None,
    "a.b.c.d.e = 1": 0,
    "x = 1\n[a.b.c.d.e]": 7,
    "x = { y = 1, a.b.c.d.e = 1 }": 12,
    "'a'.\"b\" . c.d\t.e = 1": 0,
    "'a.b.c.d.e' = 1\n": None,
    "x = 'a.b.c.d.e' # a.b.c.d.e\n": None,
    "x = '''\na.b.c.d.e\n''' # ' \" a.b.c.d.e\n": None,
    'x = """\\"""a.b.c.d.e"""\n': None,
    "x = 1.5\ny = [1.5, 2.5, 3.5, 4.5, 5.5]": None,
    'x = """a.b.c.d.e = 1': None,  # whatever comes after a text that does not end, the parser never reaches
    '\\"""\na.b.c.d.e = 1': None,
}


@pytest.mark.parametrize("text", LONG_KEYS)
def test_keys_of_too_many_parts_are_found_where_they_begin(text: str) -> None:
    assert long_key(text, 4) == LONG_KEYS[text]


# Where the parser stopped

BROKEN = {
    "a key twice": SOLO.replace("\nseed", '\ndice = "a long text that fills the message"\nseed'),
    "a table twice": SOLO.replace("\n[options]", f"\n[options.{'o' * 300}]\n[options.{'o' * 300}]"),
    "a key of too many parts": SOLO.replace("\nseed", "\na.b.c.d.e = 1\nseed"),
    "no equals sign": SOLO.replace("\nseed = ", "\nseed "),
    "a conflict": SOLO.replace("\nseed", "\n<<<<<<< HEAD\nseed"),
    "a leap second": SOLO.replace("18:02:11", "18:02:60"),
    "an open header": SOLO.replace("\n[options]", "\n[options"),
    "the end": SOLO[:200],
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=list(BROKEN))
def test_the_line_and_column_are_never_cut_off(text: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(text, "utf-8")
    problem = verify(text.encode()).problem
    assert problem is not None
    place = f"(at line {problem.details['line']}, column {problem.details['column']})"
    for arguments in (["verify-score"], ["verify-score", "--format", "jsonl"], ["replay"], ["resume"]):
        ran = cubiri(*arguments, path)
        assert place in ran.out + ran.err
    assert place in cubiri("play", "--script", path).message
    line = problem.details["line"]
    assert f",line={line}," in cubiri("verify-score", "--format", "github", path).out
    home = tmp_path / "home"
    home.mkdir()
    (home / "settings.toml").write_text(text, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CUBIRI_HOME", str(home))
        assert place in cubiri("settings", "language").err


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("x = " + "[" * 500 + "]" * 500, "too-deep"),
        ("x = " + "9" * 5000, "too-long-number"),
        ("a.b.c.d.e = 1", "long-key"),
    ],
)
def test_what_the_parser_cannot_hold_is_said_in_words(text: str, code: str) -> None:
    problem = verify(f"{text}\n".encode()).problem
    assert problem is not None
    assert problem.code == code


def test_a_place_is_never_longer_than_200_characters(tmp_path: Path) -> None:
    for text in ("a" * 5000 + " = 1\n" + SOLO, SOLO.replace("\ndifficulty", f'\n"{"ä" * 5000}" = 1\ndifficulty')):
        where = verify(text.encode()).where
        assert where is not None
        assert len(where) == LONGEST_PLACE
        (tmp_path / "a.toml").write_text(text, "utf-8")
        assert len(cubiri("verify-score", "--format", "jsonl", tmp_path).out) < 3000
