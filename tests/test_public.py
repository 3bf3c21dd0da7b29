"""The public face for Python users: what is listed is there, and is what it says."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest


@pytest.mark.parametrize("package", ["cubiri_cli", "cubiri_cli.games", "cubiri_cli.players", "cubiri_cli.replays"])
def test_every_public_name_is_there_and_documented(package: str) -> None:
    module = importlib.import_module(package)
    assert module.__all__ == sorted(module.__all__)
    for name in module.__all__:
        thing = getattr(module, name)
        assert name == "__version__" or thing.__doc__, name


def test_another_name_is_none() -> None:
    with pytest.raises(ImportError):
        exec("from cubiri_cli.replays import nothing_like_this")


def test_a_public_name_loads_no_more_than_it_needs() -> None:
    code = "import sys; from cubiri_cli.replays import verify; print('cubiri_cli.replays.session' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"
