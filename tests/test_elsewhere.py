"""Graphs that live elsewhere: the same questions give the same there as over a store, with the same evidence."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import elsewhere_graphs as made
from graphtalk.app.session import Session
from graphtalk.calls import parse
from graphtalk.core import LimitError, ParseError, UsageError
from graphtalk.engines.elsewhere.addresses import open_address
from graphtalk.engines.elsewhere.graph import Elsewhere
from graphtalk.tools.executor import Executor, Result
from graphtalk.tools.memory import WorkingMemory
from graphtalk.tools.values import to_json

QUESTIONS = [
    line
    for line in (Path(__file__).parent / "questions/elsewhere.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
ENGINES = ("ladybug", "duckdb", "parquet", "rdf")


@pytest.fixture(scope="module")
def store() -> Executor:
    return Executor(made.stored())


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Executor]]:
    folder = tmp_path_factory.mktemp("elsewhere")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRAPHTALK_CACHE", str(folder / "cache"))
        addresses = {
            "ladybug": made.in_ladybug(folder / "films.lbug"),
            "duckdb": made.in_duckdb(folder / "films.duckdb"),
            "parquet": f"duckdb:///{made.in_parquet(folder / 'parquet')}",
            "rdf": made.in_rdf(folder / "films.nt"),
        }
        graphs = {name: open_address(address) for name, address in addresses.items()}
        yield {name: Executor(graph) for name, graph in graphs.items()}
        for graph in graphs.values():
            assert graph.backend is not None
            graph.backend.close()


def test_more_names_than_memory_holds_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHTALK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("graphtalk.engines.elsewhere.names.MOST_NAMES", 3)
    with pytest.raises(UsageError, match=r"nodes; the names of at most 3 are read, as many as the memory"):
        open_address(made.in_duckdb(tmp_path / "films.duckdb"))


def told(text: str, result: Result) -> object:
    """What a question gives, in an order of its own where it says none."""
    value = to_json(result.value, result.graph)
    ordered = "ORDER BY" in text or not isinstance(value, list)
    return value if ordered else sorted(value, key=lambda each: json.dumps(each, sort_keys=True))


def run(executor: Executor, text: str) -> Result:
    return executor.run(parse(text, executor.registry.vocabulary))


def differing(store: Executor, there: Executor, questions: list[str]) -> list[object]:
    """What is not the same there: answers, and evidence but of the tools that choose by degree, which name all they chose from."""
    found: list[object] = []
    for text in questions:
        wanted, given = run(store, text), run(there, text)
        if told(text, wanted) != told(text, given):
            found.append((text, told(text, wanted), told(text, given)))
        one, other = wanted.evidence(), given.evidence()
        same = (set(one.nodes), set(one.edges)) == (set(other.nodes), set(other.edges))
        if not other.complete:  # what was only counted by its values is not named where a limit cut it
            same = {*other.nodes} <= {*one.nodes} and {*other.edges} <= {*one.edges}
        if not same and not text.startswith(("TopDegree", "BottomDegree", "SameNeighbours", "Neighbourhood")):
            found.append((text, set(one.nodes) ^ set(other.nodes), set(one.edges) ^ set(other.edges)))
    return found


@pytest.mark.parametrize("engine", ENGINES)
def test_the_same_questions_give_the_same_answers(
    store: Executor, elsewhere: dict[str, Executor], engine: str
) -> None:
    assert len(QUESTIONS) >= 100
    asked = QUESTIONS[:: 4 if engine == "parquet" else 1]  # the engine of Parquet files is DuckDB too
    assert not differing(store, elsewhere[engine], asked)
    here = [
        text for text in asked if any("worked out here" in r for r in run(elsewhere[engine], text).remarks)
    ]
    # Only what follows paths of any length, or looks at the whole graph, is worked out here.
    assert all(
        "ath" in t or "*" in t or t.startswith(("Connected", "Neighbourhood", "Reachable")) for t in here
    )


@pytest.mark.parametrize("engine", ["ladybug", "duckdb", "rdf"])
def test_an_engine_counts_where_it_finds_much(
    store: Executor, elsewhere: dict[str, Executor], engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from graphtalk.engines.elsewhere import match

    monkeypatch.setattr(match, "FEW", 3)
    fresh = replace(elsewhere[engine], memory=WorkingMemory())
    assert not differing(store, fresh, QUESTIONS[::3])


def test_more_than_is_taken_is_one_clear_message(
    elsewhere: dict[str, Executor], monkeypatch: pytest.MonkeyPatch
) -> None:
    from graphtalk.engines.elsewhere import match

    monkeypatch.setattr(match, "FEW", 3)
    monkeypatch.setattr(match, "MOST", 50)
    fresh = replace(elsewhere["duckdb"], memory=WorkingMemory())
    with pytest.raises(LimitError, match="DuckDB finds more than 50 matches of a pattern"):
        run(fresh, "MATCH (p:person), (q:person) RETURN p.name, q.name")
    assert to_json(run(fresh, "MATCH (p:person), (q:person) RETURN count(*) AS n").value, fresh.graph) == 1024
    some = run(fresh, "MATCH (p:person), (q:person) RETURN p.name AS name LIMIT 4")
    assert to_json(some.value, some.graph) == ["Ann"] * 4


@pytest.mark.parametrize("engine", ["duckdb", "rdf"])
def test_words_are_answered_and_verified(elsewhere: dict[str, Executor], engine: str) -> None:
    graph = elsewhere[engine].graph
    assert isinstance(graph, Elsewhere)
    ours, theirs = Session(made.stored()), Session(graph)
    for words in WORDS:
        wanted, answer = ours.ask(words), theirs.ask(words)
        assert wanted.answered and answer.answered, answer.text
        assert (answer.value, set(answer.evidence.edges)) == (wanted.value, set(wanted.evidence.edges)), words
        assert theirs.verify(answer).verdict == "same"


WORDS = (
    "Who directed Heat?",
    "How many films did Ann act in?",
    "Where does Gus live?",
    "What is the year of Moon?",
    "How many persons live in Rome?",
)


def test_what_an_engine_does_is_said(elsewhere: dict[str, Executor]) -> None:
    there = elsewhere["ladybug"]
    found = run(there, 'PathLength["Ann", "Heat"]')
    assert found.remarks == (
        "ladybug was not asked for a path of several edges: that was worked out here, over the 184 edges that ladybug gave "
        "(acted, directed, knows, lives, made and 1 more relations).",
    )
    assert run(there, "PageRank[]").remarks[0].startswith("PageRank was worked out here, over the 184 edges")
    count = run(there, 'Count[NeighbourCheck["Ann", "knows"]]')
    assert not count.remarks
    assert count.calls[0].spelling.startswith("MATCH")  # what the engine was asked is in the trace


def test_writing_is_refused(elsewhere: dict[str, Executor], tmp_path: Path) -> None:
    with pytest.raises(ParseError, match="CREATE writes"):
        run(elsewhere["ladybug"], "CREATE (:person {id: 'x'})")
    for engine in ("ladybug", "duckdb"):
        backend = elsewhere[engine].graph.backend  # type: ignore[union-attr]
        with pytest.raises(Exception, match=r"read-only|read only"):
            backend._connection.execute(
                "CREATE TABLE x(id INT)" if engine == "duckdb" else "CREATE (:city {id: 'x'})"
            )
