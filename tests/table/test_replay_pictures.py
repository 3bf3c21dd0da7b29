"""`cubiri replay --format svg` and `--format cast`: pictures for pages, and recordings for asciinema."""

from __future__ import annotations

import json
import re
from itertools import islice
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pyte
import pytest

from cubiri_cli.replays.history import history
from cubiri_cli.replays.reading import read_file
from cubiri_cli.table.drawing import COLORS, STYLES, Span, to_ansi, to_text, width, wrap, wrapped
from cubiri_cli.table.pages import page_lines
from cubiri_cli.table.pictures import CELL_HEIGHT, CELL_WIDTH, COLUMNS, MARGIN, ROWS, cast, svg
from cubiri_cli.table.transcript import Recording
from cubiri_cli.terminal.fragments import prompt_style
from tests.support.running import cubiri

FOLDER = Path(__file__).parents[2] / "replays"
REPLAYS = sorted(FOLDER.glob("*.toml"))
POWER = FOLDER / "magdagdon-survival-power-kills-roll.toml"
SVG = "{http://www.w3.org/2000/svg}"


def picture(path: Path, *options: object) -> ElementTree.Element:
    ran = cubiri("replay", path, "--format", "svg", *options)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.isascii()
    assert ran.out == cubiri("replay", path, "--format", "svg", *options).out
    return ElementTree.fromstring(ran.out)


def texts(root: ElementTree.Element) -> list[tuple[float, float, str]]:
    """Return the texts of a picture with their places, in reading order."""
    found = [(float(one.attrib["y"]), float(one.attrib["x"]), one.text or "") for one in root.iter(f"{SVG}text")]
    return sorted(found)


@pytest.mark.parametrize("path", REPLAYS, ids=lambda path: path.stem)
def test_a_picture_stands_alone_and_keeps_within_its_frame(path: Path) -> None:
    root = picture(path)
    wide, high = float(root.attrib["width"]), float(root.attrib["height"])
    assert root.attrib["viewBox"] == f"0 0 {wide:g} {high:g}"
    assert {one.tag.removeprefix(SVG) for one in root.iter()} <= {"svg", "title", "style", "rect", "text", "path"}
    assert not re.search(r"url\(|@import|href", ElementTree.tostring(root, "unicode"))
    for one in root.iter(f"{SVG}text"):
        assert 0 <= float(one.attrib["x"]) + float(one.attrib["textLength"]) <= wide
        assert 0 <= float(one.attrib["y"]) <= high


def test_a_picture_shows_the_numbers_where_they_belong() -> None:
    root = picture(POWER, "--turn", 5)
    rows: dict[float, list[str]] = {}
    for y, _x, text in texts(root):
        rows.setdefault(y, []).append(text)
    lines = [" ".join(words) for words in rows.values()]
    assert "MAGDAGDON · survival · turn 5 score 243" in lines
    board = [line.split() for line in lines if re.match(r"[1-4] ", line)]
    assert [row[0] for row in board] == ["1", "2", "3", "4"]
    assert board[0][1:5] == ["4", "3", "2", "1"]
    title = root.find(f"{SVG}title")
    assert title is not None
    assert "a4 ruin" in (title.text or "")
    # The last state by default: a full board.
    last = picture(POWER)
    assert "389" in [text for _y, _x, text in texts(last)]


@pytest.mark.parametrize("path", REPLAYS, ids=lambda path: path.stem)
def test_every_word_of_a_picture_stands_on_the_grid(path: Path) -> None:
    told = Recording(history(read_file(path)))
    for turn in range(len(told.replay.turns) + 1):
        drawn = [to_text(one) for one in told.picture(told.last_of(turn) or 0, COLUMNS - 4, ROWS)]
        for y, x, word in texts(picture(path, "--turn", turn)):
            column = (x - MARGIN) / CELL_WIDTH
            line = drawn[int((y - MARGIN) // CELL_HEIGHT)]
            assert line[int(column) :].startswith(word), (turn, word)
            assert column.is_integer()
        if turn == 5:
            break


def test_a_picture_has_colours_for_light_and_dark_pages_or_none_at_all() -> None:
    style = picture(POWER).find(f"{SVG}style")
    assert style is not None
    light, dark = (style.text or "").split("@media(prefers-color-scheme:dark)")
    for name in ("fb", "ft", "f31", "f32", "st"):
        (bright,) = re.findall(rf"\.{name}{{(?:fill|stroke):(#\w+)}}", light)
        (dim,) = re.findall(rf"\.{name}{{(?:fill|stroke):(#\w+)}}", dark)
        assert bright != dim
    grey = picture(POWER, "--no-color").find(f"{SVG}style")
    assert grey is not None
    assert len(set(re.findall(r"#\w+", grey.text or ""))) == 4


def test_every_pair_of_colours_can_be_read() -> None:
    style = picture(POWER).find(f"{SVG}style")
    assert style is not None
    for part in (style.text or "").split("@media"):
        fills = dict(re.findall(r"\.f(\w+){fill:(#\w+)}", part))
        ground = _luminance(fills.pop("b"))
        for name, color in fills.items():
            bright, dim = sorted((_luminance(color), ground), reverse=True)
            assert (bright + 0.05) / (dim + 0.05) >= 4.5, name


def test_every_colour_can_be_read_on_black_and_on_white() -> None:
    for number, color in COLORS.values():
        luminance = _luminance(color)
        assert min(1.05 / (luminance + 0.05), (luminance + 0.05) / 0.05) > 3.8, color
        levels = [0, 95, 135, 175, 215, 255]
        red, green, blue = (levels[(number - 16) // step % 6] for step in (36, 6, 1))
        assert color == f"#{red:02x}{green:02x}{blue:02x}"


@pytest.mark.parametrize("style", STYLES)
def test_no_style_is_told_by_one_of_the_terminal_s_own_colours(style: str) -> None:
    assert "ansi" not in prompt_style(style)
    assert not re.search(r"\b[34][0-7]\b", to_ansi([Span("x", style)]).replace("38;5;", "38:5:"))


def _luminance(color: str) -> float:
    channels = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_a_picture_holds_any_text() -> None:
    hostile = "<script>&\"'\x1b]\x00数 Väinö"
    out = svg([[Span(hostile, style)] for style in STYLES], [hostile])
    assert out.isascii()
    root = ElementTree.fromstring(out)
    assert root.find(f".//{SVG}script") is None
    assert [one.text for one in root.iter(f"{SVG}text")][:2] == ["<script>&\"']数", "Väinö"]


# asciinema


def recording(path: Path, *options: object) -> tuple[dict[str, Any], list[tuple[float, str, str]]]:
    ran = cubiri("replay", path, "--format", "cast", *options)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.isascii()
    assert ran.out == cubiri("replay", path, "--format", "cast", *options).out
    header, *events = [json.loads(line) for line in ran.out.splitlines()]
    return header, [(time, kind, data) for time, kind, data in events]


@pytest.mark.parametrize("path", REPLAYS, ids=lambda path: path.stem)
def test_a_recording_plays_the_game_to_its_breakdown(path: Path) -> None:
    replay = read_file(path)
    header, events = recording(path)
    assert (header["version"], header["width"], header["height"]) == (2, 80, 24)
    assert all(name in header["title"] for name in (player.name for player in replay.players))
    times = [time for time, _kind, _data in events]
    assert times == sorted(set(times))
    assert {kind for _time, kind, _data in events} == {"o"}
    screen = pyte.Screen(80, 24)
    stream = pyte.Stream(screen)
    entries = iter([entry for turn in replay.turns for entry in turn.log])
    for _time, _kind, data in events:
        stream.feed(data)
        if screen.display[1].startswith("»"):
            assert screen.display[1].removeprefix("» ").rstrip() == next(entries)
    assert next(entries, None) is None
    shown = [line.rstrip() for line in screen.display]
    told = cubiri("replay", path).out.splitlines()
    last = shown[: max(index for index, line in enumerate(shown) if line) + 1]
    assert last == told[-len(last) :]
    assert not screen.cursor.hidden


def test_a_recording_draws_what_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Played to any picture it shows that page and nothing of the ones before."""
    path = FOLDER / "mishimash-three-players-sudden-death.toml"
    told = Recording(history(read_file(path)))
    _header, events = recording(path)
    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.Stream(screen)
    for page, (_time, _kind, data) in enumerate(events[:-1]):
        stream.feed(data)
        lines = [to_text(one).rstrip() for one in page_lines(told, page, COLUMNS, ROWS)]
        assert [line.rstrip() for line in screen.display] == lines + [""] * (ROWS - len(lines))
    whole = sum(len(to_text(one)) for page in range(len(events) - 1) for one in page_lines(told, page, COLUMNS, ROWS))
    assert sum(len(data) for _time, _kind, data in events) < whole


def test_a_recording_is_written_while_it_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Recording(history(read_file(POWER)))
    pages: list[int] = []

    def lines(_recording: Recording, page: int, _columns: int, _rows: int) -> list[Any]:
        pages.append(page)
        return []

    monkeypatch.setattr("cubiri_cli.table.pictures.page_lines", lines)
    events = cast(told, 1, True, "utf-8")
    for count in range(5):
        assert json.loads(next(events))
        assert pages == list(range(count))


@pytest.mark.parametrize("comment", ["word " * 20_000, "x" * 100_000, "a\n" * 50_000, "数" * 30_000])
def test_a_long_comment_is_not_gone_through_for_every_page(comment: str, monkeypatch: pytest.MonkeyPatch) -> None:
    replay = read_file(POWER)
    replay.turns[0].comment = replay.comment = comment
    asked: list[int] = []
    texts = Recording.comment_of

    def counted(self: Recording, turn: int) -> Any:
        asked.append(turn)
        return texts(self, turn)

    monkeypatch.setattr(Recording, "comment_of", counted)
    told = Recording(history(replay))
    assert len(list(cast(told, 1, True, "utf-8"))) == len(told.steps) + 4
    # Once for the room it takes, once to be shown, once for the time to read it.
    assert max(map(asked.count, asked)) <= 3


def test_a_recording_is_as_fast_as_is_asked_for() -> None:
    _header, usual = recording(POWER)
    _header, twice = recording(POWER, "--speed", 2)
    assert twice[-1][0] == pytest.approx(usual[-1][0] / 2, abs=0.01)


def test_a_recording_does_without_colour_and_beyond_ascii() -> None:
    _header, events = recording(POWER, "--no-color", "--plain")
    drawn = "".join(data for _time, _kind, data in events)
    assert drawn.isascii()
    assert not re.search(r"\x1b\[[\d;]*3[0-8]", drawn)


@pytest.mark.parametrize("word", ["x", "数", "é\u0301", "ab "])
def test_a_text_of_any_length_is_wrapped_line_by_line(word: str) -> None:
    """As many lines as are asked for are made; a million characters cost no more than twenty."""
    text = word * 300_000
    lines = list(islice(wrapped(text, 20, "  "), 3))
    assert lines == wrap(word * 60, 20, "  ")[:3]
    assert all(width(one) <= 20 for one in lines)
    assert "".join(wrap(text, 20)).replace(" ", "") == text.replace(" ", "")
