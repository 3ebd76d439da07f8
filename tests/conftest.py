"""Shared test fixtures: where the benchmark data lies, and what skips without it; the cache that all tests share."""

import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

# There are as many workers as processors: threads in each of them would only wait for each other, in a loop.
if "PYTEST_XDIST_WORKER" in os.environ:
    for library in ("OMP", "OPENBLAS", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")

# A shell that starts the tests in the background has them ignore Ctrl-C, and so would each process that a test starts and stops.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A shared machine is slow at times. CI draws the same examples each time: what it refuses, anyone can repeat.
settings.register_profile("graphtalk", deadline=None, derandomize="CI" in os.environ, max_examples=30)
settings.load_profile("graphtalk")

pytest.register_assert_rewrite("offline_sets")

# Files that take long. With --no-loadscope-reorder workers take files in this order, so that none begins a long one when the
# others are done.
LONGEST = (
    "test_page.py",
    "test_spark.py",
    "test_training_g_retriever.py",
    "test_offline_sets_large.py",
    "test_annotator_lm.py",
    "test_store_flips.py",
    "test_offline_sets.py",
    "test_offline_sets_academic.py",
    "test_offline_sets_ecommerce.py",
    "test_offline_sets_harbour.py",
    "test_bench_runs.py",
    "test_fuzz.py",
    "test_update.py",
    "test_lms_server.py",
    "test_cli_ask.py",
)

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


CACHE = pytest.StashKey[str]()


def pytest_configure(config: pytest.Config) -> None:
    """One cache for all tests of a run, in all its processes: the atlas is imported once, and its vectors are made once."""
    if not hasattr(config, "workerinput"):
        config.stash[CACHE] = os.environ["GRAPHTALK_CACHE"] = tempfile.mkdtemp(prefix="graphtalk-tests-")


def pytest_unconfigure(config: pytest.Config) -> None:
    if CACHE in config.stash:
        shutil.rmtree(config.stash[CACHE], ignore_errors=True)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is imported for all tests stays to the end: a third of the time went into looking whether it may be freed."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files first; otherwise the order stays."""
    rank = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: rank.get(item.path.name, len(rank)))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of benchmark data beside the checkout; tests that ask for it skip where it is absent."""
    if not DATA.is_dir():
        pytest.skip(f"benchmark data not found at {DATA}")
    return DATA
