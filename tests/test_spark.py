"""Spark: vertex programs give the states of memory, and a graph in Parquet files answers as its store does.

One file, so that one worker starts one Java process.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import elsewhere_graphs as made
from graphtalk import vertex
from graphtalk.engines.elsewhere.addresses import open_address
from graphtalk.graphs import Graph
from graphtalk.tools.executor import Executor
from graphtalk.vertex.engines.spark import SparkEngine
from test_elsewhere import differing
from test_vertex_engines import CARDS, compare, parameters_of, random_graphs


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One small session, whose Java process is gone afterwards."""
    pytest.importorskip("pyspark")
    if not os.environ.get("JAVA_HOME") and shutil.which("java") is None and "CI" not in os.environ:
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


def busiest(card: vertex.Card, directed: bool) -> tuple[Graph, dict[str, Any]]:
    """Of some random graphs the one with most messages among those that are done in few rounds: Spark's take long."""
    found = []
    for place, (graph, random) in enumerate(random_graphs(len(card.name), 24, most=6)):
        if place % 2 == directed:
            few = {"rounds": 3} if "rounds" in card.program.parameters else {}
            parameters = parameters_of(card, graph, random) | few
            done = vertex.run(card.program, graph, parameters)
            if done.rounds <= 5:
                found.append((done.messages, place, graph, parameters))
    return max(found)[2:]


@pytest.mark.slow
@pytest.mark.parametrize("name", CARDS)
def test_spark_gives_the_states_of_memory(name: str, spark: Any) -> None:
    card = vertex.library()[name]
    compare(card, *busiest(card, directed=bool(CARDS.index(name) % 2)), SparkEngine(spark))


def test_spark_reads_parquet_that_was_never_imported(
    spark: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHTALK_CACHE", str(tmp_path / "cache"))
    graph = open_address(f"spark:///{made.in_parquet(tmp_path / 'parquet', ('film', 'person'))}")
    texts = (
        "MATCH (p:person)-[:acted]->(f:film) WHERE f.year > 1980 RETURN p.name, count(f) AS n ORDER BY n DESC, p.name LIMIT 5",
        "MATCH (p:person) WHERE p.name IN ['Zoë', 'Back\\\\slash', \"O'Hara\"] AND NOT p.age IS NULL RETURN p.name, p.born",
        'Count[NeighbourCheck["Heat", "^acted"]]',
    )
    assert graph.engine == "Spark" and not differing(Executor(made.stored()), Executor(graph), list(texts))
