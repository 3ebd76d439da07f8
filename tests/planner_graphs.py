"""Small hand-made graphs for tests of the planner, and what answers questions about them."""

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
import pyarrow as pa

from graphtalk.core import JSON, Answer
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from graphtalk.reasoners.offline import OfflineReasoner, stated
from graphtalk.reasoners.planner.lexis import Lexis
from graphtalk.reasoners.planner.linking import Linker
from graphtalk.reasoners.planner.planner import Planner
from graphtalk.search.index import Index
from graphtalk.tools.executor import Executor

Columns = Mapping[str, Sequence[object]]
Pairs = Sequence[tuple[str, str]]


def make(nodes: Mapping[str, Columns], edges: Sequence[tuple[str, str, str, Pairs] | tuple[str, str, str, Pairs, str]],
         label: str = "name") -> Graph:  # fmt: skip
    """A graph of `{type: columns}` with a column `id`, and of (relation, source type, target type, pairs, inverse)."""
    tables = {
        name: pa.table({column: pa.array(list(cells)) for column, cells in columns.items()})
        for name, columns in nodes.items()
    }
    rows = {name: {node: row for row, node in enumerate(columns["id"])} for name, columns in nodes.items()}
    return build(
        [NodeTable(n, t, label if label in t.column_names else "") for n, t in tables.items()],
        [_edges(rows, *edge) for edge in edges],
    )


def _edges(rows: Mapping[str, Mapping[object, int]], name: str, source: str, target: str, pairs: Pairs,
           inverse: str = "") -> EdgeTable:  # fmt: skip
    ends = [np.array([rows[t][p[i]] for p in pairs], dtype=np.int64) for i, t in enumerate((source, target))]
    return EdgeTable(name, source, target, ends[0], ends[1], None, inverse)


def offline(graph: Graph) -> OfflineReasoner:
    """What answers questions about a graph; one for each graph."""
    made: dict[str, OfflineReasoner] = vars(graph)
    if "_offline" not in made:
        index = Index.open(graph)
        made["_offline"] = OfflineReasoner(Executor(graph, index), index)
    return made["_offline"]


def planned(graph: Graph, question: str) -> Answer:
    """What the planner's best plan gives, however sure that is; declined where none fits and uses every word."""
    proposer = offline(graph).proposer
    assert proposer.planner is not None
    asked = proposer.reader.ask(question) if proposer.reader is not None else None
    fitting = [r for r in proposer.plans(question, asked.values if asked else ()) if r.fits]
    whole = [r for r in fitting if not proposer.unused(r)]
    if not whole:
        return Answer(False, "No plan fits.")
    readings = [proposer.planned_reading(r) for r in whole[:4]]
    found = [stated(reading, proposer.executor.run(reading.call)) for reading in readings]
    return next((answer for answer in found if answer.value not in (None, [])), found[0])


def planner(graph: Graph) -> Planner:
    """What plans questions about a graph."""
    return Planner(graph, Index.open(graph))


def linker(graph: Graph) -> Linker:
    """What finds the mentions of nodes in questions about a graph."""
    return Linker(graph, Index.open(graph), Lexis(graph.schema))


@cache
def library() -> Graph:
    """Papers that cite each other, authors with organisations, venues; two authors have one name."""
    papers = {
        "id": ["p1", "p2", "p3", "p4", "p5"],
        "name": ["Deep Water", "Silent Rivers", "The Art of Bridges", "Stone and Sand", "Made"],
        "year": [1999, 2004, 2004, 2010, 2012],
        "pages": ["120", "80", "1,400", "33", "64"],
        "language": ["English", "English", "French", "German", "English"],
        "peer_reviewed": ["yes", "no", "yes", "yes", "no"],
        "retracted": [False, False, True, False, False],
    }
    authors = {
        "id": ["a1", "a2", "a3", "a4"],
        "name": ["Ada Byron", "Jo Park", "Jo Park", "Max Weber"],
        "organization": ["Lund University", "Oslo Institute", "Kyoto Lab", "Oslo Institute"],
    }
    venues = {"id": ["v1", "v2"], "name": ["Journal of Water", "Bridge Letters"]}
    return make(
        {"paper": papers, "author": authors, "venue": venues},
        [
            (
                "author",
                "paper",
                "author",
                [
                    ("p1", "a1"),
                    ("p1", "a2"),
                    ("p2", "a1"),
                    ("p3", "a3"),
                    ("p3", "a4"),
                    ("p4", "a1"),
                    ("p5", "a4"),
                ],
                "paper",
            ),
            ("cites", "paper", "paper", [("p2", "p1"), ("p3", "p1"), ("p4", "p2"), ("p4", "p1")], "cited by"),
            ("venue", "paper", "venue", [("p1", "v1"), ("p2", "v1"), ("p3", "v2"), ("p4", "v2")], "paper"),
        ],
    )


@cache
def countries() -> Graph:
    """Countries with borders, capitals, continents and measures."""
    country = {
        "id": ["it", "fr", "br", "jp", "us", "ke"],
        "name": ["Italy", "France", "Brazil", "Japan", "United States", "Kenya"],
        "population": [59e6, 68e6, 215e6, 125e6, 333e6, 54e6],
        "area": [301e3, 551e3, 8.5e6, 378e3, 9.8e6, 580e3],
        "driving_side": ["right", "right", "right", "left", "right", "left"],
    }
    city = {
        "id": ["rome", "paris", "brasilia", "tokyo", "washington", "nairobi"],
        "name": ["Rome", "Paris", "Brasília", "Tokyo", "Washington", "Nairobi"],
    }
    continent = {
        "id": ["eu", "sa", "as", "na", "af"],
        "name": ["Europe", "South America", "Asia", "North America", "Africa"],
    }
    places = dict(zip(country["id"], city["id"], strict=True))
    parts = {"it": "eu", "fr": "eu", "br": "sa", "jp": "as", "us": "na", "ke": "af"}
    return make(
        {"country": country, "city": city, "continent": continent},
        [
            ("borders", "country", "country", [("it", "fr"), ("fr", "br")], "borders"),
            ("capital", "country", "city", list(places.items()), "capital of"),
            ("continent", "country", "continent", list(parts.items()), "country"),
        ],
    )


@cache
def village() -> Graph:
    """People who love each other and are members of clubs."""
    people = {"id": ["a", "b", "c", "d"], "name": ["Ann", "Bob", "Cid", "Dora"]}
    clubs = {"id": ["k", "l"], "name": ["Chess Club", "Choir"]}
    loves = [("a", "b"), ("c", "b"), ("b", "d"), ("c", "a")]
    members = [("k", "b"), ("k", "c"), ("l", "d")]
    return make(
        {"person": people, "club": clubs},
        [("loves", "person", "person", loves, "loved by"), ("member", "club", "person", members, "club")],
    )


@cache
def firms(kind: str = "company") -> Graph:
    """Firms that own each other; the relation has no name for its way back."""
    names = {
        "id": ["a", "b", "c", "d"],
        "name": ["Acme", "Borel", "Cobalt", "Dorn"],
        "founded": [1900, 1950, 1970, 1980],
    }
    cities = {"id": ["l", "m"], "name": ["Lund", "Malmö"]}
    located = [("a", "l"), ("b", "l"), ("c", "m"), ("d", "m")]
    return make(
        {kind: names, "city": cities},
        [("owns", kind, kind, [("a", "b"), ("b", "c"), ("b", "d")]), ("located in", kind, "city", located)],
    )


@cache
def shelves() -> Graph:
    """Books with authors, publishers and years."""
    books = {
        "id": ["r", "b", "g"],
        "name": ["Red Sky", "Blue Hour", "Green Hill"],
        "year": [2001, 1990, 1980],
    }
    authors = {"id": ["i", "k"], "name": ["Ida Holm", "Kai Berg"]}
    publishers = {"id": ["n", "s"], "name": ["North House", "South Press"]}
    return make(
        {"book": books, "author": authors, "publisher": publishers},
        [
            ("author", "book", "author", [("r", "i"), ("b", "i"), ("g", "k")], "book"),
            ("publisher", "book", "publisher", [("r", "n"), ("b", "s"), ("g", "n")], "book"),
        ],
    )


@cache
def market() -> Graph:
    """Goods with tags, and goods that are like others."""
    goods = {"id": ["l", "t", "c", "p", "q"], "name": ["Lamp", "Torch", "Candle", "Poster", "Quilt"]}
    tags = {"id": ["x", "y", "z"], "name": ["bright", "cheap", "warm"]}
    tagged = [("l", "x"), ("l", "y"), ("t", "x"), ("t", "y"), ("c", "y"), ("p", "z")]
    similar = [("l", "p"), ("l", "q"), ("c", "p"), ("c", "q"), ("t", "q")]
    return make(
        {"good": goods, "tag": tags},
        [("tag", "good", "tag", tagged, "good"), ("similar", "good", "good", similar, "similar")],
    )


def answer_value(graph: Graph, question: str) -> JSON:
    """The value of the planner's answer, a list sorted; None where the question is declined."""
    value = planned(graph, question).value
    return sorted(value, key=str) if isinstance(value, list) else value
