"""Shared test fixtures: where the benchmark data lies, and what skips without it."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# There are as many workers as processors: threads in each of them would only wait for each other, in a loop.
if "PYTEST_XDIST_WORKER" in os.environ:
    for library in ("OMP", "OPENBLAS", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")

# A shared machine is slow at times. CI draws the same examples each time: what it refuses, anyone can repeat.
settings.register_profile("graphtalk", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("graphtalk")

pytest.register_assert_rewrite("offline_sets")

# Files that take long. With --no-loadscope-reorder workers take files in this order, so that none begins a long one when the
# others are done.
LONGEST = (
    "test_offline_sets.py",
    "test_offline_sets_academic.py",
    "test_offline_sets_ecommerce.py",
    "test_offline_sets_harbour.py",
    "test_offline_sets_large.py",
    "test_annotator_lm.py",
    "test_training_g_retriever.py",
    "test_unused.py",
    "test_vertex_engines.py",
    "test_page.py",
    "test_engine_kernels.py",
    "test_calls_hostile.py",
    "test_openapi.py",
    "test_vertex_cards.py",
    "test_cli_ask.py",
)

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


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


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One small session for all tests, whose Java process is gone afterwards."""
    pytest.importorskip("pyspark")
    if not os.environ.get("JAVA_HOME") and shutil.which("java") is None:
        pytest.skip("Spark needs Java 17 or later, and there is none")
    from graphtalk.vertex.engines.spark import local_session

    session = local_session(
        cores=2,
        settings={
            "spark.sql.shuffle.partitions": "1",
            "spark.default.parallelism": "1",
            "spark.sql.codegen.wholeStage": "false",  # compiling costs more than so few rows
            "spark.sql.codegen.factoryMode": "NO_CODEGEN",
            "spark.driver.memory": "512m",
            "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
            "spark.local.dir": str(tmp_path_factory.mktemp("spark")),
        },
    )
    java = session.sparkContext._gateway.proc
    yield session
    session.stop()
    java.stdin.close()
    assert java.wait(timeout=300) is not None
