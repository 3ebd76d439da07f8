"""From what people write to nodes."""

import pyarrow as pa
import pytest

import graphtalk as gt
from graphtalk.calls.ast import NodeRef
from graphtalk.core import ToolError
from graphtalk.graphs import Graph, NodeTable, build
from graphtalk.search.index import Index
from graphtalk.tools.arguments import literal_nodes
from graphtalk.tools.context import Source
from graphtalk.tools.finder import IndexFinder, LabelFinder, find_id


@pytest.fixture(scope="module")
def films() -> Graph:
    films = pa.table({"id": ["1917", "2", "3"], "title": ["Zulu", "1917", "The Third Man"]})
    people = pa.table({"id": ["p1", "p2"], "name": ["Zulu", "Orson Welles"]})
    return build([NodeTable("Film", films, "title"), NodeTable("Person", people, "name")], [])


@pytest.fixture(params=["labels", "index"])
def finder(request: pytest.FixtureRequest, films: Graph) -> LabelFinder | IndexFinder:
    return LabelFinder(films) if request.param == "labels" else IndexFinder(films, Index.open(films))


@pytest.mark.parametrize(
    ("text", "types", "expected"),
    [
        ("orson welles", (), "p2"),
        ("1917", (), "2"),
        ("film#1917", (), "1917"),
        ("p1", (), "p1"),
        ("Zulu", (), "1917"),
        ("Zulu", ("Person",), "p1"),
        ("  the third   man ", ("Film",), "3"),
    ],
)
def test_finds(
    finder: LabelFinder | IndexFinder, films: Graph, text: str, types: tuple[str, ...], expected: str
) -> None:
    assert films.id(finder.find(text, types)) == expected


@pytest.mark.parametrize(
    ("text", "types", "message"),
    [("Orson Welles", ("Film",), "No Film node"), ("qqqqq", (), "No node is called 'qqqqq'")],
)
def test_refuses_what_is_not_there(
    finder: LabelFinder | IndexFinder, text: str, types: tuple[str, ...], message: str
) -> None:
    with pytest.raises(ToolError, match=message):
        finder.find(text, types)


def test_a_name_with_a_slip_is_found_with_an_index(films: Graph) -> None:
    finder = IndexFinder(films, Index.open(films))
    assert films.id(finder.find("Orsen Welles")) == "p2"
    with pytest.raises(ToolError, match="The nearest: "):
        finder.find("Xrswn Wqlfek")


def test_ids_are_kept_exactly(films: Graph) -> None:
    assert find_id(films, "P1") is None
    assert find_id(films, "person #p1") == films.node("p1")
    assert find_id(films, "p1", ("Film",)) is None


def test_a_reference_is_met_by_its_id_or_its_name_and_by_nothing_like_them(
    finder: LabelFinder | IndexFinder, films: Graph
) -> None:
    source = Source(films, finder)
    for known in ("p2", "orson welles"):
        (node,) = literal_nodes(NodeRef("person", known), source, ())
        assert films.id(node) == "p2"
    with pytest.raises(ToolError, match="No node is called 'Orsen Welles'"):
        literal_nodes(NodeRef("person", "Orsen Welles"), source, ())


def test_a_name_that_stands_whole_comes_before_one_that_shares_words_and_likeness_is_said() -> None:
    session = gt.session(gt.open("atlas"))
    for words, meant in [
        ("kingdom of spain", "Spain"),
        ("republic of france", "France"),
        ("city of paris", "Paris"),
    ]:
        result = session.call(f'RetrieveNode["{words}"]')
        assert result.show() == f"[{meant}]" and words in result.remarks[0] and meant in result.remarks[0]
    assert not session.call('RetrieveNode["Spain"]').remarks
