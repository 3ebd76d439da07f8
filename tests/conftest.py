"""Shared test fixtures: where the benchmark data lies, and what skips without it."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# A shared machine is slow at times. CI draws the same examples each time: what it refuses, anyone can repeat.
settings.register_profile("graphtalk", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("graphtalk")

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of benchmark data beside the checkout; tests that ask for it skip where it is absent."""
    if not DATA.is_dir():
        pytest.skip(f"benchmark data not found at {DATA}")
    return DATA
