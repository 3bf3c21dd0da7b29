"""Replays in a notebook: of a game its page in a frame, of a step a picture; by whoever is registered for it."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import PackageNotFoundError, entry_points, version
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cubiri_cli.replays import read_file, showing
from cubiri_cli.replays.history import History, Step, history
from cubiri_cli.replays.replay import Replay
from tests.support.pages import Page, check_page

POWER = Path(__file__).parents[2] / "replays" / "magdagdon-survival-power-kills-roll.toml"

try:
    version("cubiri-cli")
except PackageNotFoundError:
    pytest.skip("the package is not installed, so nobody is registered", allow_module_level=True)


def shown(thing: Replay | History | Step) -> str:
    text = thing._repr_html_()
    assert text is not None
    return text


def test_a_game_is_its_page_in_a_frame_that_reaches_nothing() -> None:
    text = shown(read_file(POWER))
    [frame] = Page(text).elements
    assert frame.tag == "iframe"
    assert frame.attributes["sandbox"] == "allow-scripts allow-downloads"
    page = check_page(frame.attributes["srcdoc"])
    assert "verified (as it was" in page.text
    assert shown(history(read_file(POWER))) == text


def test_a_step_is_the_picture_of_its_state() -> None:
    step = history(read_file(POWER)).steps[13]
    root = ElementTree.fromstring(shown(step))
    assert root.tag.endswith("svg")
    assert "c1 2 staged" in (root[0].text or "")


def test_where_nobody_is_registered_it_stays_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(showing, "NAME", "nobody")
    assert read_file(POWER)._repr_html_() is None


def test_the_record_knows_no_table_until_a_notebook_asks() -> None:
    code = (
        "import sys; from cubiri_cli.replays import read_file; replay = read_file(sys.argv[1]);"
        "assert not [one for one in sys.modules if one.startswith('cubiri_cli.table')]; replay._repr_html_();"
        "assert 'cubiri_cli.table.notebook' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code, str(POWER)], check=True, timeout=60)
    assert [one.value for one in entry_points(group=showing.GROUP)] == ["cubiri_cli.table.notebook:html"]
