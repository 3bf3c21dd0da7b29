"""`cubiri-replay(5)` in every language: what the pages say is what the program does, and nothing is left out."""

import hashlib
import re
import shutil
import subprocess
import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cubiri_cli import games
from cubiri_cli.cli.app import run
from cubiri_cli.games import dice
from cubiri_cli.games.game import WholeOption, WordOption
from cubiri_cli.replays.form import KEYS
from cubiri_cli.replays.names import is_comment
from cubiri_cli.replays.reading import read
from cubiri_cli.replays.replay import Player, Replay, Turn
from cubiri_cli.replays.script import play_script, read_script
from cubiri_cli.replays.session import Session
from cubiri_cli.replays.verifying import verify
from cubiri_cli.replays.writing import write
from cubiri_cli.table.messages import table_of
from tests.support.manual_pages import Part, every_page, examples, layout, literals, page, parts, tags

STATUSES = {
    *("verified", "mismatch", "dice", "illegal", "unfinished"),
    *("unsupported", "malformed", "unreadable", "unwanted"),
}


def source(language: str) -> str:
    """Return the page of a language as it is written."""
    return page(language, "cubiri-replay")


def running_text(language: str) -> str:
    """Return the text of a page as one line, without its marks."""
    return " ".join(source(language).replace("`", "").replace("*", "").split())


def sections(language: str) -> list[Part]:
    return parts(source(language))


def terms(section: Part) -> list[str]:
    """Return what a part defines, the first word of each."""
    return [literals(tag)[0] for tag in tags(section.text)]


def section_of(language: str, *words: str, without: str = "") -> Part:
    """Return the one part whose heading holds these words and that defines something."""
    found = [
        section
        for section in sections(language)
        if all(word in section.heading for word in words) and (not without or without not in section.heading)
        if terms(section)
    ]
    assert len(found) == 1, [section.heading for section in found]
    return found[0]


def blocks(language: str) -> list[str]:
    """Return the examples, without their indent."""
    return examples(source(language))


def documents(language: str) -> list[str]:
    return [block for block in blocks(language) if block.startswith("format = ")]


@every_page
def test_every_key_is_explained(language: str) -> None:
    full = Replay(
        game="mishimash",
        seed="0",
        options={},
        players=[Player("Ada", "hard")],
        turns=[Turn(1, ["roll"], "text")],
        started=datetime(2026, 11, 30, tzinfo=UTC),
        comment="text",
        result={},
    )
    document = tomllib.loads(write(full))
    keys = [*KEYS, *document["players"][0], *document["turns"][0]]
    chapter = section_of(language, "[result]").chapter
    explained = [
        term
        for section in sections(language)
        if section.chapter == chapter and "[" not in section.heading
        for term in terms(section)
    ]
    assert explained == keys  # in the order in which they are written, too


@every_page
def test_every_claim_of_a_result_is_explained(language: str) -> None:
    claims = [(name, claim) for name in games.names() for claim in games.load(name).RESULT]
    lacking = [f"{name}: {claim}" for name, claim in claims if claim not in table_of(name).CLAIMS]
    assert not lacking, f"CLAIMS of the table does not explain {lacking}"
    assert terms(section_of(language, "[result]")) == ["finished", *(claim for _name, claim in claims)]


@every_page
def test_every_option_is_explained(language: str) -> None:
    section = section_of(language, "[options]")
    assert terms(section) == list(games.options())
    text = section.text
    for option in (option for name in games.names() for option in games.load(name).OPTIONS):
        if isinstance(option, WordOption):
            assert all(f'"{value}"' in text for value in option.values)
        elif isinstance(option, WholeOption):
            assert re.search(rf"\b{option.low}\b.*\b{option.high}\b", text)


def is_of(form: str, action: str) -> bool:
    """Tell whether an action is written in a form of the page: `V` is a value, `CELL` a cell, dots more of the same."""
    pattern = (
        re.escape(form).replace(r"V\ \.\.\.", r"[1-6](?: [1-6])*").replace("CELL", "[a-z][1-9]").replace("V", "[1-6]")
    )
    return re.fullmatch(pattern, action) is not None


@every_page
def test_every_action_has_its_form_on_the_page_and_every_form_is_of_an_action(language: str) -> None:
    chapter = next(one.chapter for one in sections(language) if "hint" in terms(one))
    lists = "\n".join(one.text for one in sections(language) if one.chapter == chapter)
    said = [(form, bool(rest)) for form, rest in re.findall(r"^- `([^`]+)`( \(\w+\))?", lists, re.MULTILINE)]
    moves = {action: move.throws for name in games.names() for action, move in games.load(name).moves().items()}
    for action, throws in moves.items():
        assert [answered for form, answered in said if is_of(form, action)] == [throws], action
    assert [form for form, _answered in said if not any(is_of(form, action) for action in moves)] == []


@every_page
def test_every_status_is_explained(language: str) -> None:
    found = [set(terms(section)) for section in sections(language) if "verified" in terms(section)]
    assert found == [STATUSES]


@every_page
def test_worked_digests_are_true_and_give_the_dice_that_are_shown(language: str) -> None:
    shown = re.findall(r"^\$ printf '(.*)' \| sha256sum\n(.*)\n", "".join(blocks(language)), re.MULTILINE)
    text = running_text(language)
    assert len(shown) == 2
    assert shown[0][0] == r"sha256-d6/1\n42\nmagdagdon/1/0\n0\n"
    for line, answer in shown:
        hashed = line.replace(r"\n", "\n")
        digest = hashlib.sha256(hashed.encode("ascii")).digest()
        assert answer == f"{digest.hex()}  -"
        name, seed, roll, _block, _end = hashed.split("\n")
        assert name == dice.NAME
        thrown = dice.throw(seed, roll, 6 if roll.startswith("mishimash") else 4)
        assert " ".join(map(str, thrown)) in text
        used = len(thrown) + sum(byte >= 252 for byte in digest[: len(thrown)])
        assert ", ".join(map(str, digest[:used])) in text


@pytest.mark.skipif(not shutil.which("sha256sum"), reason="no sha256sum here")
def test_worked_line_works_in_a_shell() -> None:
    line, answer = re.findall(r"^\$ (.*)\n(.*)\n", "".join(blocks("en")), re.MULTILINE)[0]
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=True, timeout=30)
    assert done.stdout == answer + "\n"


@every_page
def test_the_replays_shown_are_canonical_and_judged_as_the_page_says(language: str) -> None:
    finished, unfinished, _script = documents(language)
    assert verify(finished.encode()).status == "verified"
    assert verify(unfinished.encode()).status == "unfinished"
    for text in (finished, unfinished):
        assert write(read(text.encode())) == text


@every_page
def test_the_script_shown_plays_the_first_turn_of_the_game_before_it(language: str) -> None:
    _finished, unfinished, script = documents(language)
    played = read_script(script.encode())
    session = Session.begin(played.game, played.options, played.players or [Player("Ada")], played.seed)
    play_script(session, played)
    assert verify(session.text().encode()).status == "unfinished"
    first = read(unfinished.encode()).turns[0].log
    assert session.replay.turns[0].log == [entry for entry in first[:5] + first[-1:] if "return" not in entry]


def refused_characters(language: str) -> set[int]:
    """Return the characters that a page says names and comments cannot hold, the last two of planes among them."""
    listed = re.search(r"U\+0000\b.*?U\+E0FFF\.", running_text(language))
    assert listed
    codes = {code for end in range(0xFFFF, 0x110000, 0x10000) for code in (end - 1, end)}
    for first, last in re.findall(r"U\+(\w{4,6})(?:(?: \w+ |–)U\+(\w{4,6}))?", listed[0]):
        codes.update(range(int(first, 16), int(last or first, 16) + 1))
    return codes


def test_the_characters_refused_in_texts_are_those_the_page_lists() -> None:
    refused = refused_characters("en")
    for code in range(0x110000):
        assert is_comment(chr(code)) is (code not in refused or code == 0x0A), f"U+{code:04X}"


@every_page
def test_translations_hold_what_the_english_page_holds(language: str) -> None:
    assert documents(language) == documents("en")
    assert [terms(section) for section in sections(language)] == [terms(section) for section in sections("en")]
    assert refused_characters(language) == refused_characters("en")
    # Line by line: nothing dropped, nothing added.
    assert layout(source(language)) == layout(source("en"))


@pytest.mark.parametrize(("quotes", "inline"), [(8, True), (9, False)])
def test_players_are_written_inline_up_to_lines_of_100_characters(quotes: int, inline: bool) -> None:
    name = '"' * quotes + "a" * (32 - quotes)  # each quotation mark takes two characters
    replay = Replay(game="mishimash", seed="0", options={"target": 10}, players=[Player(name, "b" * 32)])
    longest = max(map(len, write(replay).splitlines()))
    assert ("[[players]]" not in write(replay), longest == 100) == (inline, inline)


@every_page
def test_the_commands_shown_work(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CUBIRI_HOME", str(tmp_path / "home"))
    Path("first.toml").write_text(documents(language)[2], encoding="utf-8")
    commands = [line for line in "".join(blocks(language)).splitlines() if line.startswith("cubiri ")]
    assert len(commands) == 2
    for command in commands:
        assert run(command.split()[1:]) == 0
