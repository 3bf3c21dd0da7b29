"""The first page of a site in a browser: its filters, light and dark, a phone, no script, and axe-core's rules."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cubiri_cli.replays.replay import Player
from cubiri_cli.replays.session import Session
from tests.browser.conftest import DESK, PHONE
from tests.support.running import cubiri

if TYPE_CHECKING:
    from collections.abc import Callable

REPLAYS = Path(__file__).parents[2] / "replays"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the first page of a site: recorded games, games of two days, one that is wrong."""
    folder = tmp_path_factory.mktemp("site") / "replays"
    shutil.copytree(REPLAYS, folder)
    for day in ("daily-2026-11-29", "daily-2026-11-30"):
        for name in ("Ada", "Väinö", "<b>Zuzka</b>"):
            session = Session.begin("mishimash", {"target": 30}, [Player(name)], day)
            while not session.game.over:
                actions = session.game.legal_actions()
                session.do("bank" if "bank" in actions else max(actions, key=len))
            (folder / f"{day}-{len(name)}.toml").write_text(session.text(), "utf-8")
    (folder / "wrong.toml").write_text("x =", "utf-8")
    assert cubiri("leaderboard", "--from", folder, "--site", folder.parent / "site").status == 0
    return folder.parent / "site" / "index.html"


def seen(page: Any, part: str) -> int:
    return sum(one.is_visible() for one in page.locator(part).all())


def test_the_filters_leave_the_games_of_a_player_and_a_seed(opened: Callable[..., Any], index: Path) -> None:
    page = opened(index)
    assert seen(page, "#newest ~ .wide tbody tr") == 20
    page.locator("#who").fill("zuzka")
    names = [one.inner_text() for one in page.locator("td.who").all() if one.is_visible()]
    assert names
    several = {"Ada, Väinö, Zuzka", "Väinö", "Zuzka"}
    assert all("zuzka" in name.lower() or name in several for name in names)
    assert page.locator("#count").inner_text().startswith("games shown: ")
    page.locator("#which").fill("daily-2026-11-30")
    assert page.locator("#count").inner_text() == "games shown: 1"
    assert {one.inner_text() for one in page.locator("td.which").all() if one.is_visible()} == {"daily-2026-11-30"}
    page.locator("#who").fill("nobody")
    assert seen(page, "td.who") == 0
    assert page.locator("#others").is_visible()
    page.locator("#who").fill("")
    page.locator("#which").fill("")
    assert seen(page, "#newest ~ .wide tbody tr") == 20


def test_links_lead_to_games_and_back(opened: Callable[..., Any], index: Path) -> None:
    page = opened(index)
    page.locator("#newest ~ .wide a").first.click()
    assert page.locator("#states > .on").is_visible()
    page.get_by_role("link", name="All results").click()
    assert page.locator("#newest").is_visible()


def test_without_scripts_all_games_stand_there(opened: Callable[..., Any], index: Path) -> None:
    page = opened(index, script=False)
    assert seen(page, "#newest ~ .wide tbody tr") == len(list((index.parent / "games").iterdir()))
    assert not page.locator("#filters").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_axe_finds_nothing_and_all_fits(
    opened: Callable[..., Any], index: Path, size: tuple[int, int], scheme: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = opened(index, size=size, scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    found = axe.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
