"""The page of a replay in a browser: every key and button, light and dark, a phone, no script, and axe-core's rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cubiri_cli.replays.history import history
from cubiri_cli.replays.reading import read_file
from cubiri_cli.table.language import LANGUAGES
from cubiri_cli.table.transcript import Recording
from tests.browser.conftest import DESK, PHONE
from tests.support.running import cubiri

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = Path(__file__).parents[2] / "replays"
POWER = FOLDER / "magdagdon-survival-power-kills-roll.toml"
RUINS = FOLDER / "magdagdon-nightmare-negative-score.toml"
THREE = FOLDER / "mishimash-three-players-sudden-death.toml"


@pytest.fixture
def made(tmp_path: Path) -> Callable[[Path], Path]:
    """Return what makes the page of a replay."""

    def make(replay: Path, language: str = "en") -> Path:
        path = tmp_path / f"{replay.stem}.{language}.html"
        path.write_text(cubiri("--lang", language, "replay", replay, "--format", "html").out, "utf-8")
        return path

    return make


def recording(path: Path) -> Recording:
    return Recording(history(read_file(path)))


def shown(page: Any) -> str:
    """Return which state is shown: the only one that is."""
    items = page.locator("#states > li")
    found = [item.get_attribute("id") for item in items.all() if item.is_visible()]
    assert len(found) == 1, found
    return str(found[0])


LAST = len(recording(POWER).steps)
TURNS = {turn: recording(POWER).first_of(turn) for turn in range(1, 8)}


@pytest.mark.parametrize(
    ("way", "start", "end"),
    [
        ("#forward", 0, 1),
        ("#back", 9, 8),
        ("#back", 0, 0),
        ("#first", 9, 0),
        ("#last", 9, LAST),
        ("#forward", LAST, LAST),
        ("#turnforward", 0, TURNS[1]),
        ("#turnforward", TURNS[2] + 1, TURNS[3]),
        ("#turnforward", TURNS[7], LAST),
        ("#turnback", TURNS[3] + 1, TURNS[3]),
        ("#turnback", TURNS[3], TURNS[2]),
        ("#turnback", TURNS[1], 0),
        ("ArrowRight", 3, 4),
        ("n", 3, 4),
        ("ArrowLeft", 3, 2),
        ("p", 3, 2),
        ("Shift+ArrowRight", TURNS[2] + 1, TURNS[3]),
        ("Shift+ArrowLeft", TURNS[3] + 1, TURNS[3]),
        ("Home", 9, 0),
        ("End", 9, LAST),
    ],
)
def test_each_button_and_key_goes_where_it_says(
    opened: Callable[..., Any], made: Callable[[Path], Path], way: str, start: int, end: int
) -> None:
    page = opened(made(POWER), f"#s{start}")
    assert shown(page) == f"s{start}"
    page.locator(way).click() if way.startswith("#") else page.keyboard.press(way)
    assert shown(page) == f"s{end}"
    assert page.locator("#at").input_value() == str(end)
    assert page.url.endswith(f"#s{end}")
    assert page.locator("#turn").input_value() == str(recording(POWER).turn(end))


def test_it_plays_pauses_and_changes_its_speed(opened: Callable[..., Any], made: Callable[[Path], Path]) -> None:
    page = opened(made(POWER))
    play = page.locator("#play")
    assert play.inner_text() == "Play"
    for _ in range(6):
        page.keyboard.press("+")
    assert page.locator("#speed").inner_text() == "×16"
    page.keyboard.press(" ")
    assert play.inner_text() == "Pause"
    page.locator("#states > .on:not(#s0)").wait_for()
    play.click()
    assert play.inner_text() == "Play"
    stopped = shown(page)
    page.locator("#slower").click()
    page.keyboard.press("-")
    assert page.locator("#speed").inner_text() == "×4"
    page.locator("#faster").click()
    assert page.locator("#speed").inner_text() == "×8"
    page.keyboard.press("Home")
    page.keyboard.press("End")
    assert stopped != f"s{LAST}"
    play.click()  # at the end: from the start
    page.locator(f"#states > .on:not(#s{LAST})").wait_for()
    page.locator("#faster").click()
    page.locator(f"#s{LAST}.on").wait_for()
    page.locator("#play", has_text="Play").wait_for()


def test_one_jumps_to_a_turn_a_state_or_an_address(opened: Callable[..., Any], made: Callable[[Path], Path]) -> None:
    page = opened(made(POWER), "#s9")
    assert shown(page) == "s9"
    page.keyboard.press("g")
    page.keyboard.type("4")
    page.keyboard.press("Enter")
    assert shown(page) == f"s{TURNS[4]}"
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    assert shown(page) == f"s{TURNS[4] + 1}"
    page.locator("#turn").fill("99")
    page.keyboard.press("Enter")
    assert shown(page) in ("s0", f"s{LAST}")
    page.locator("#at").fill("12")
    assert shown(page) == "s12"
    page.evaluate("location.hash = '#s5'")
    page.locator("#s5.on").wait_for()


def test_the_keys_are_on_the_page(opened: Callable[..., Any], made: Callable[[Path], Path]) -> None:
    page = opened(made(POWER))
    assert not page.locator("#keys dl").is_visible()
    page.keyboard.press("?")
    assert page.locator("#keys dl").is_visible()
    page.locator("summary").click()
    assert not page.locator("#keys dl").is_visible()
    page.keyboard.press("Control+ArrowRight")
    assert shown(page) == "s0"


@pytest.mark.parametrize("replay", [POWER, THREE], ids=["magdagdon", "mishimash"])
def test_every_state_is_shown_in_words_whole_and_said(
    opened: Callable[..., Any], made: Callable[[Path], Path], replay: Path
) -> None:
    page, game = opened(made(replay)), recording(replay)
    for state in range(len(game.steps) + 1):
        item = page.locator("#states > .on")
        assert item.locator(".words p").all_inner_texts() == game.words(state)
        if state:
            said = page.locator("#said").text_content()
            assert game.entry(state) in said
            assert game.whose(state) in said
        assert item.locator(".scene > *").count() == len(game.scene(state, game.moment(state)))
        page.keyboard.press("n")


def test_the_board_is_drawn_as_it_stands(opened: Callable[..., Any], made: Callable[[Path], Path]) -> None:
    page = opened(made(POWER), "#s14")
    cells = page.locator("#states > .on .board td").all_inner_texts()
    assert cells[:4] == ["4", "3", "(2)", "(1)"]
    assert page.locator("#states > .on .dice b").all_inner_texts() == ["2", "5", "1", "2"]


def test_the_replay_is_saved_byte_by_byte(opened: Callable[..., Any], made: Callable[[Path], Path]) -> None:
    page = opened(made(POWER))
    with page.expect_download() as download:
        page.locator(".save").click()
    assert download.value.suggested_filename == "magdagdon-22e89128dda6747d.toml"
    assert Path(download.value.path()).read_bytes() == POWER.read_bytes()


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("replay", [POWER, RUINS, THREE], ids=["power", "ruins", "three"])
def test_nothing_is_wider_than_the_window(
    opened: Callable[..., Any], made: Callable[[Path], Path], replay: Path, size: tuple[int, int], script: bool
) -> None:
    page = opened(made(replay), "#s9", size=size, script=script)
    boxes = [page.locator(one).first.bounding_box() for one in ("html", "main", "#s9 .scene > :first-child", ".save")]
    for box in boxes:
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]
    if script:
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_without_scripts_all_states_stand_below_each_other(
    opened: Callable[..., Any], made: Callable[[Path], Path]
) -> None:
    page = opened(made(THREE), script=False)
    items = page.locator("#states > li")
    assert items.count() == len(recording(THREE).steps) + 1
    assert all(item.is_visible() for item in items.all())
    assert not page.locator("#controls").is_visible()
    assert page.locator(".save").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize(("replay", "state"), [(POWER, 14), (POWER, LAST), (RUINS, 20), (THREE, 12)])
def test_axe_finds_nothing(
    opened: Callable[..., Any],
    made: Callable[[Path], Path],
    replay: Path,
    state: int,
    size: tuple[int, int],
    scheme: str,
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = opened(made(replay), f"#s{state}", size=size, scheme=scheme)
    page.keyboard.press("?")
    found = axe.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_light_and_dark_differ(opened: Callable[..., Any], made: Callable[[Path], Path]) -> None:
    grounds = [
        opened(made(POWER), scheme=scheme).evaluate("getComputedStyle(document.body).backgroundColor")
        for scheme in ("light", "dark")
    ]
    assert grounds == ["rgb(255, 255, 255)", "rgb(22, 27, 34)"]


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_other_languages_fit_a_phone(opened: Callable[..., Any], made: Callable[..., Path], language: str) -> None:
    page = opened(made(POWER, language), "#s14", size=PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    assert page.evaluate("document.documentElement.lang") == language


def test_in_a_notebook_it_can_be_watched_as_well(opened: Callable[..., Any], tmp_path: Path) -> None:
    """In a frame without an address of its own; where nobody is registered there is nothing to see."""
    text = read_file(POWER)._repr_html_()
    if text is None:
        pytest.skip("the package is not installed, so nobody is registered")
    (tmp_path / "notebook.html").write_text(f"<!DOCTYPE html><meta charset=utf-8>{text}", "utf-8")
    frame = opened(tmp_path / "notebook.html").frame_locator("iframe")
    frame.locator("#forward").click()
    assert frame.locator("#s1").is_visible()
    frame.locator("#last").click()
    assert frame.locator(f"#s{LAST}").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_marked_moments_of_a_judged_game_lead_to_their_states(
    opened: Callable[..., Any], tmp_path: Path, scheme: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    path = tmp_path / "judged.html"
    path.write_text(cubiri("replay", POWER, "--advice", "--format", "html").out, "utf-8")
    page = opened(path, size=PHONE, scheme=scheme)
    link = page.locator("#judged ~ ul a").first
    link.click()
    page.locator(f"#states > .on{link.get_attribute('href')}").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    found = axe.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
