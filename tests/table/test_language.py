"""Everything people read is said in every language: the catalogues are whole, and every text fits its place."""

from __future__ import annotations

import ast
import gettext
import io
import re
import string
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

import cubiri_cli
from cubiri_cli.cli.typer_texts import REFUSALS, refusal
from cubiri_cli.commands import COMMANDS
from cubiri_cli.replays.history import history
from cubiri_cli.replays.reading import read_file
from cubiri_cli.store import settings
from cubiri_cli.table.drawing import to_text, width
from cubiri_cli.table.language import (
    LANGUAGES,
    LOCALE,
    _,
    counted_points,
    decimal,
    ngettext,
    points,
    signed,
    speak,
    spoken,
)
from cubiri_cli.table.messages import place_in_words
from cubiri_cli.table.protocol import Moment
from cubiri_cli.table.transcript import Recording
from cubiri_cli.terminal.watching import Watcher
from tests.support.positions import positions
from tests.support.running import cubiri, process
from tests.support.statuses import one_of_each

PACKAGE = Path(cubiri_cli.__file__).parent
REPLAYS = PACKAGE.parent / "replays"
OTHERS = [language for language in LANGUAGES if language != "en"]


@pytest.fixture(autouse=True)
def _speak_english_again() -> Iterator[None]:
    yield
    speak("en")


def catalogue(language: str) -> Catalog:
    return read_po(io.BytesIO((LOCALE / language / "LC_MESSAGES" / "cubiri.po").read_bytes()), locale=language)


def messages(language: str) -> list[Message]:
    return [message for message in catalogue(language) if message.id]


def forms(texts: Any) -> tuple[str, ...]:
    return (texts,) if isinstance(texts, str) else tuple(texts or ())


@cache
def sources() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text("utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}


MARKS = {"_": 1, "N_": 1, "ngettext": 2, "pgettext": 2}
"""What marks a text, and how many of its arguments belong to it."""


def is_marking(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKS


# The catalogues


def found_by_babel() -> set[tuple[str, ...]]:
    """Return every text that is marked, its context (mostly none) before it."""
    found = extract_from_dir(PACKAGE, method_map=[("**.py", "python")])
    return {(context or "", *forms(text)) for _file, _line, text, _comments, context in found}


def kept(catalogue: Iterable[Message]) -> set[tuple[str, ...]]:
    """Return every text of a catalogue, its context before it."""
    return {(message.context or "", *forms(message.id)) for message in catalogue if message.id}


def listed() -> set[tuple[str, ...]]:
    """Return the texts as catalogues have them: one that is also counted stands there once."""
    found = found_by_babel()
    counted = {text[:2] for text in found if len(text) > 2}
    return found - counted


def test_the_tools_find_every_text_that_is_marked() -> None:
    marked = set()
    for tree in sources().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and is_marking(node) and isinstance(node.args[0], ast.Constant):
                mark = getattr(node.func, "id", "")
                texts = [one.value for one in node.args if isinstance(one, ast.Constant)][: MARKS[mark]]
                marked.add(tuple(texts if mark == "pgettext" else ["", *texts]))
    assert marked == found_by_babel()
    assert len(marked) > 300


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_of_the_sources_is_in_the_catalogue_and_nothing_else(language: str) -> None:
    assert kept(messages(language)) == listed()
    assert not catalogue(language).obsolete
    template = read_po(io.BytesIO((LOCALE / "cubiri.pot").read_bytes()))
    assert kept(template) == listed()


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_is_translated(language: str) -> None:
    wanted = catalogue(language).num_plurals
    for message in messages(language):
        assert not message.fuzzy, message.id
        assert len(forms(message.string)) == (1 if isinstance(message.id, str) else wanted), message.id
        assert all(forms(message.string)), message.id


# The same in several languages: names, words of the program, what keys are called.
SAME = re.compile(
    r"|".join(
        (
            r"MAGDAGDON.*|MISHIMASH.*|Powers|BOT|SHELL|TEXT|Home End|PgDn PgUp|q Esc|bonus\w*|a text",
            r"\{game\}: \{names\}|\{name\} \(bot: \{level\}\)",
        )
    )
)


@pytest.mark.parametrize("language", OTHERS)
def test_no_sentence_is_left_in_english(language: str) -> None:
    left = [message.id for message in messages(language) if set(forms(message.id)) & set(forms(message.string))]
    assert [text for text in left if not SAME.fullmatch(forms(text)[0])] == []


def placeholders(text: str) -> list[str]:
    return sorted({f"{name}:{form}" for _text, name, form, _conversion in string.Formatter().parse(text) if name})


@pytest.mark.parametrize("language", OTHERS)
def test_every_form_has_the_placeholders_of_the_text(language: str) -> None:
    for message in messages(language):
        # The form for one may name the number (`a die`) where the form for many counts.
        wanted = {tuple(placeholders(text)) for text in forms(message.id)}
        for text in forms(message.string):
            assert tuple(placeholders(text)) in wanted, (message.id, text)
        assert placeholders(forms(message.string)[-1]) == placeholders(forms(message.id)[-1]), message.id


@pytest.mark.parametrize("language", OTHERS)
def test_blanks_around_a_text_are_kept(language: str) -> None:
    for message in messages(language):
        for text in forms(message.string):
            first = forms(message.id)[0]
            assert text[:1].isspace() == first[:1].isspace(), message.id
            assert text[-1:].isspace() == first[-1:].isspace(), message.id


@pytest.mark.parametrize("language", OTHERS)
def test_the_compiled_catalogue_is_made_of_the_one_people_edit(language: str) -> None:
    made = io.BytesIO()
    write_mo(made, catalogue(language))
    assert (LOCALE / language / "LC_MESSAGES" / "cubiri.mo").read_bytes() == made.getvalue()


def test_the_catalogues_say_nothing_of_when_they_were_made() -> None:
    for language in OTHERS:
        header = catalogue(language).mime_headers
        assert {value for name, value in header if name.endswith("-Date")} == {"2026-11-30 00:00+0000"}
    assert "Creation-Date" not in (LOCALE / "cubiri.pot").read_text("utf-8")


# No text in the sources that is not marked

SAYING = {
    "print", "message", "say", "input", "Span", "line", "wrap_line", "Question", "Choice", "Offer", "Typing", "pick",
    "ask_text", "page", "need_terminal", "UsageError", "CannotResumeError", "SettingsNotKeptError",
    "InvalidLanguageError", "MistypedError", "NoSuchTurnError", "wait_for_enter", "print_texts", "append",
}  # fmt: skip
NO_WORDS = re.compile(
    r"<.*>|<\?xml.*\?>|.*xml version.*|(bold|dim|reverse|ansi\w+)( (bold|dim|reverse|ansi\w+))*", re.S
)
"""Texts that are for programs or name styles."""
ACTIONS = re.compile(r" *(place|return|ruin|power|take|cubiri)\b.*", re.S)
"""Actions and commands, the same in every language."""


def unmarked(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the texts of two words and more that are shown to people without being marked."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            function = node.func
            name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
            shown = [*node.args, *(one.value for one in node.keywords)] if name in SAYING else []
            shown += [one.value for one in node.keywords if one.arg == "help"]
            for text in (text for one in shown for text in bare_texts(one)):
                if re.search(r"[A-Za-z]{2,} [A-Za-z]{2,}", text):
                    yield node.lineno, text


def bare_texts(node: ast.AST) -> Iterator[str]:
    if is_marking(node):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    for child in ast.iter_child_nodes(node):
        yield from bare_texts(child)


def test_no_text_is_shown_without_being_marked() -> None:
    found = [
        f"{path.name}:{number}: {text}"
        for path, tree in sources().items()
        if path.parent.name in ("commands", "table")
        for number, text in unmarked(tree)
        if not NO_WORDS.fullmatch(text.strip()) and not ACTIONS.fullmatch(text)
    ]
    assert found == []


def test_an_unmarked_text_is_found() -> None:
    assert list(unmarked(ast.parse("print(f'there is {x}')"))) == [(1, "there is ")]
    assert list(unmarked(ast.parse("Option(help='Show more.')"))) == [(1, "Show more.")]
    assert list(unmarked(ast.parse("print(_('there is {x}').format(x=1))"))) == []


# Numbers


def test_slovak_has_three_forms_and_finnish_two() -> None:
    def said(count: int) -> str:
        return ngettext("{count} turn", "{count} turns", count).format(count=count)

    speak("sk")
    assert [said(count) for count in (0, 1, 2, 4, 5, 22)] == [
        "0 ťahov", "1 ťah", "2 ťahy", "4 ťahy", "5 ťahov", "22 ťahov",
    ]  # fmt: skip
    speak("fi")
    assert [said(count) for count in (0, 1, 2, 5)] == ["0 vuoroa", "1 vuoro", "2 vuoroa", "5 vuoroa"]
    speak("en")
    assert [said(count) for count in (0, 1, 2, 5)] == ["0 turns", "1 turn", "2 turns", "5 turns"]


def first_counts(language: str) -> list[int]:
    """Return for each form of counted texts the first count that has it."""
    form: Any = vars(gettext)["c2py"](catalogue(language).plural_expr)
    forms = [form(count) for count in range(1, 200)]
    return [forms.index(one) + 1 for one in sorted(set(forms))]


@pytest.mark.parametrize("language", OTHERS)
def test_every_counted_text_has_the_form_of_the_catalogue(language: str) -> None:
    speak(language)
    counts = first_counts(language)
    for message in messages(language):
        if not isinstance(message.id, str):
            one, many = message.id
            assert tuple(ngettext(one, many, count) for count in counts) == message.string


def test_counted_points_have_their_forms() -> None:
    shown = {}
    for language in ("en", "fi", "sk"):
        speak(language)
        shown[language] = [counted_points(half) for half in (1, 2, 4, 10, 11)]
    assert shown == {
        "en": ["0.5 points", "1 point", "2 points", "5 points", "5.5 points"],
        "fi": ["0,5 pistettä", "1 piste", "2 pistettä", "5 pistettä", "5,5 pistettä"],
        "sk": ["0,5 bodu", "1 bod", "2 body", "5 bodov", "5,5 bodu"],
    }


def test_the_place_of_a_mistake_is_said_in_the_language_spoken() -> None:
    shown = {}
    for language in ("en", "fi", "sk"):
        speak(language)
        shown[language] = [place_in_words(where) for where in ("turn 3, entry 2", "turn 3", "player 2", "seed")]
    assert shown == {
        "en": ["turn 3, entry 2", "turn 3", "player 2", "seed"],
        "fi": ["vuoro 3, merkintä 2", "vuoro 3", "pelaaja 2", "seed"],
        "sk": ["ťah 3, položka 2", "ťah 3", "hráč 2", "seed"],
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_points_have_the_sign_of_the_language(language: str) -> None:
    speak(language)
    half = f"0{LANGUAGES[language].point}5"
    assert points(1) == half
    assert points(4) == "2"
    assert decimal(-10) == "−10"
    assert [signed(7), signed(-0.5)] == ["+7", "−" + half]


@pytest.mark.parametrize("language", OTHERS)
def test_points_are_written_with_a_comma_wherever_they_are_read(language: str) -> None:
    path = REPLAYS / "mishimash-solo-1000.toml"
    for arguments in (["replay", path], ["replay", "--plain", path], ["leaderboard", "--from", REPLAYS]):
        said = cubiri("--lang", language, *arguments).out
        assert "\n" in said
        assert not re.search(r"\d\.\d", said.replace(read_file(path).seed, "")), arguments
    assert re.search(r"\d,5", cubiri("--lang", language, "replay", path).out)


def test_a_negative_score_has_one_sign() -> None:
    path = REPLAYS / "magdagdon-nightmare-negative-score.toml"
    result = read_file(path).result
    assert result is not None
    score = result["score"]
    assert score < 0
    for language in LANGUAGES:
        last = cubiri("--lang", language, "replay", path).out.splitlines()[-1]
        assert last.endswith(f" −{-score}"), last
        assert cubiri("--lang", language, "--plain", "replay", path).out.splitlines()[-1].endswith(f" -{-score}")


# Help and refusals

ENGLISH = re.compile(
    r"\b(the|of|is|are|and|with|not|Usage|Options|Commands|Arguments|Show|default|required|exit|from|without|OPTIONS)\b"
)
"""Words that stand in every English help text and in no Finnish or Slovak one."""


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_is_in_the_language_spoken(language: str, command: str) -> None:
    said = process("--lang", language, *command.split(), "--help", COLUMNS="80")
    assert said.status == 0
    page = re.sub(r"--[\w-]+|\w+\|[\w|]+", "", said.out)  # options and what can be typed for them are the same
    assert ENGLISH.findall(page) == []
    assert all(len(line) <= 80 for line in said.out.splitlines())
    assert not command or "..." not in "".join(said.out.splitlines()[2:4])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_of_commands_is_not_cut(language: str) -> None:
    lines = process("--lang", language, "--help", COLUMNS="80").out.splitlines()
    listed = [line for line in lines if line.startswith(tuple(f"  {name} " for name in COMMANDS))]
    assert len(listed) == len(COMMANDS)
    assert not [line for line in listed if line.endswith("...")]


WRONG: list[tuple[str, list[str]]] = [
    ("No such option: {option} (Possible options: {options})", ["play", "--sed", "1"]),
    ("No such option: {option}", ["rules", "--zzz"]),
    ("No such command {command}.", ["dance"]),
    ("Missing argument {argument}.", ["verify-score"]),
    ("Option {option} does not take a value.", ["play", "--daily=1"]),
    ("Option {option} requires an argument.", ["play", "--seed"]),
    ("Got unexpected extra argument(s) ({arguments})", ["rules", "magdagdon", "more", "and"]),
]


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize(("template", "arguments"), WRONG)
def test_refusals_are_in_the_language_spoken(language: str, template: str, arguments: list[str]) -> None:
    english = cubiri(*arguments)
    assert english.status == 2
    assert english.message.startswith("cubiri: " + template.split("{")[0])
    said = cubiri("--lang", language, *arguments)
    assert said.status == 2
    assert not re.search(r"\b(is|not|no|such|value|valid|in|option|takes?|unexpected)\b", said.message, re.I)
    assert said.message != english.message


def test_what_is_not_known_of_typer_stays_as_it_is() -> None:
    speak("fi")
    assert refusal("Something else.") == "Something else."
    assert refusal(REFUSALS[1].format(option="--x")) == _(REFUSALS[1]).format(option="--x")


# Which language


def test_the_language_is_the_one_of_the_option_else_the_setting_else_the_locale(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def language(*options: str) -> str:
        assert cubiri(*options, "settings", "language").status == 0
        return spoken()

    assert language() == "en"
    for name, value, code in [
        ("LANG", "fi_FI.UTF-8", "fi"),
        ("LC_MESSAGES", "sk_SK", "sk"),
        ("LC_ALL", "C.UTF-8", "en"),
        ("LANGUAGE", "sv:fi:sk", "fi"),
    ]:
        monkeypatch.setenv(name, value)
        assert language() == code
    settings.change("language", "sk")
    assert language() == "sk"
    assert language("--lang", "en") == "en"


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_that_is_not_spoken_is_refused_in_the_one_that_is(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", language)
    said = cubiri("--lang", "sv", "settings")
    assert said.status == 2
    assert ", ".join(LANGUAGES) in said.message
    assert "expected" not in said.message


def test_english_needs_no_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    translation = gettext.translation

    def refuse(domain: str, *arguments: Any, **options: Any) -> Any:
        assert domain != "cubiri"
        return translation(domain, *arguments, **options)

    monkeypatch.setattr(gettext, "translation", refuse)
    assert cubiri("--help").status == 0
    assert cubiri("verify-score", REPLAYS / "mishimash-solo-straight.toml").status == 0
    with pytest.raises(AssertionError):
        speak("fi")


@pytest.mark.parametrize("language", OTHERS)
def test_what_programs_read_is_in_english(language: str, tmp_path: Path) -> None:
    for name, (data, _status, _where) in one_of_each().items():
        (tmp_path / name).write_bytes(data)
    for arguments in (
        ["verify-score", "--format", "jsonl", tmp_path],
        ["replay", "--format", "json", REPLAYS / "mishimash-solo-straight.toml"],
        ["leaderboard", "--format", "json", "--from", REPLAYS],
    ):
        assert cubiri("--lang", language, *arguments).out == cubiri(*arguments).out
    junit = ["verify-score", "--format", "junit", tmp_path]
    times = re.compile(r'time(stamp)?="[^"]*"')
    assert times.sub("", cubiri("--lang", language, *junit).out) == times.sub("", cubiri(*junit).out)


def test_where_letters_are_lacking_their_likes_are_shown() -> None:
    said = process("--lang", "fi", "--help", PYTHONIOENCODING="ascii")
    assert "Nayta tama ohje." in said.out
    assert cubiri("--lang", "fi", "--plain", "--help").out.isascii()
    assert "\\x" not in process("--lang", "sk", "dance", PYTHONIOENCODING="ascii").err
    assert "?" not in process("--lang", "sk", "dance", PYTHONIOENCODING="ascii").err


# Every text in its place

SIZES = ((79, 16), (40, 22))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_cut_in_a_picture(language: str, size: tuple[int, int]) -> None:
    speak(language)
    for game, table, names, _action in positions(2, 120):
        shown = [f"{name[:1]}{number}" for number, name in enumerate(names, 1)]
        for line in table.picture(game, shown, *size, Moment()):
            text = to_text(line)
            assert width(text) <= size[0]
            assert "…" not in text, text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_and_choice_fits(language: str) -> None:
    speak(language)
    for game, table, names, _action in positions(2, 120):
        if game.over:
            continue
        shown = [f"{name[:1]}{number}" for number, name in enumerate(names, 1)]
        waiting: list[Any] = [None]
        while waiting:
            question = table.ask(game, shown, waiting.pop())
            assert width(question.text) <= 2 * 36
            for choice in question.choices:
                assert width(choice.label) <= 72, choice.label
                if choice.step is not None and not choice.ticks:
                    waiting.append(choice.step)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("columns", [40, 80])
def test_nothing_is_cut_where_a_replay_is_watched(language: str, columns: int) -> None:
    speak(language)
    for path in sorted(REPLAYS.glob("*.toml"))[::3]:
        watcher = Watcher(Recording(history(read_file(path))))
        for key in ("?", "x", *("right",) * 6, "g", "1", "enter", "end"):
            watcher.press(key)
            for one in watcher.draw(columns, 24):
                assert width(to_text(one)) <= columns
                assert "…" not in to_text(one), to_text(one)
