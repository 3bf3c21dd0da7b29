"""A browser, and pages in it that must stay quiet: no error, no line on the console, no request."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

CHROMIUM = os.environ.get("CUBIRI_TEST_CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
"""The browser of the system's packages."""

DESK, PHONE = (1100, 800), (320, 640)
"""Sizes of windows: the phone is as narrow as they get."""

PATIENCE = 1000 * float(os.environ.get("CUBIRI_TEST_PATIENCE", "20"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    sync_api: Any = pytest.importorskip("playwright.sync_api", reason="the group `browser` is not installed")
    if CHROMIUM is None:
        pytest.skip("no Chromium here")
    with sync_api.sync_playwright() as playwright:
        # As root, in a container, it has no sandbox of its own.
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture
def opened(browser: Any) -> Iterator[Callable[..., Any]]:
    """Return what opens a page; afterwards all that was opened must have been quiet."""
    contexts, said = [], list[str]()

    def open_page(
        path: Path, fragment: str = "", size: tuple[int, int] = DESK, scheme: str = "light", script: bool = True
    ) -> Any:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, java_script_enabled=script
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda line: said.append(f"console: {line.text}"))
        page.on("pageerror", lambda error: said.append(f"error: {error}"))
        page.on("dialog", lambda dialog: said.append(f"dialog: {dialog.message}"))
        page.on(
            "request",
            lambda request: None if request.is_navigation_request() else said.append(f"request: {request.url[:100]}"),
        )
        page.goto(path.as_uri() + fragment)
        return page

    yield open_page
    for context in contexts:
        context.close()
    # The icon is inside the page, and asking for it is asking nobody.
    assert [line for line in said if not line.startswith("request: data:")] == []
