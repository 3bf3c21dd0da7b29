"""What benchmarks share: whether this run is one for measuring."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def is_measured(request: pytest.FixtureRequest) -> bool:
    """Tell whether things are measured; else each is done once, on little, to see that it still can be."""
    return bool(request.config.getoption("benchmark_enable"))
