"""The most ordinary graph, a table of nodes and one of edges: whatever files and columns are called, however nodes are named."""

import random
import re
import uuid
from collections import Counter
from pathlib import Path

import pytest

import graphtalk as gt
from graphtalk.core import SourceError
from graphtalk.graphs import Graph
from graphtalk.graphs.edit_rows import rows_of_files, run
from graphtalk.graphs.importing import Silent
from graphtalk.graphs.read import explain_graph, read_graph
from graphtalk.graphs.recipe import parse_recipe
from graphtalk.graphs.tabular import Plan, explain

COUNT = 30
NAMES = [f"Town {chr(65 + i % 26)}{i}" for i in range(COUNT)]
ENDS = (
    "source,target from,to src,dst a,b u,v person_id,friend_id start,end node1,node2 id1,id2 town_a,town_b from_id,to_id "
    "left,right head,tail subject,object parent,child person,friend follower,followee Source,Target From_Node,To_Node"
).split()
IDS = {
    "counted": [str(i + 1) for i in range(COUNT)],
    "numbers": [str(100 + 7 * i) for i in range(COUNT)],
    "codes": [f"n{i}" for i in range(COUNT)],
    "words": [f"{chr(97 + i % 26)}{chr(97 + i // 26)}x" for i in range(COUNT)],
    "uuids": [str(uuid.UUID(int=3**70 * (i + 1) % 2**128)) for i in range(COUNT)],
}


class Heard(Silent):
    def __init__(self) -> None:
        self.notes: list[str] = []

    def noted(self, notes: object) -> None:
        self.notes = list(notes)  # type: ignore[call-overload]


def read(folder: Path, files: dict[str, str], heard: Heard | None = None, **options: object) -> Graph:
    for name, text in files.items():
        (folder / name).write_text(text)
    graph = read_graph([folder / name for name in files], progress=heard, **options)  # type: ignore[arg-type]
    assert isinstance(graph, Graph)
    return graph


def edges(graph: Graph) -> list[tuple[str, str, str]]:
    return [
        (graph.label(a), relation.name, graph.label(b))
        for place, relation in enumerate(graph.schema.relations)
        for a, b in zip(*graph.ends(place), strict=True)
    ]


def text(head: list[str], rows: list[list[str]], separator: str = ",") -> str:
    return "".join(separator.join(row) + "\n" for row in [head, *rows])


@pytest.mark.parametrize("ends", ENDS)
def test_nodes_and_edges(tmp_path: Path, ends: str) -> None:
    draw = random.Random(ends)
    for _ in range(6):
        nodes = draw.choice(["isle", "nodes", "data", "people", "towns"])
        links = draw.choice(["edges", "links", "isle-edges", "lines", "knows"])
        node_kind, edge_kind = (
            draw.choice(["", "type", "kind", "label"]),
            draw.choice(["", "type", "kind", "label", "relation"]),
        )
        ids, by_name, once = IDS[draw.choice(list(IDS))], draw.random() < 0.4, draw.random() < 0.5
        rows = [
            [ids[i], NAMES[i], str(1000 + 37 * i)] + ["town" if i % 2 else "village"] * bool(node_kind)
            for i in range(COUNT)
        ]
        pairs = [
            (i, (i * 7 + 1) % COUNT) if once else (draw.randrange(COUNT), draw.randrange(COUNT))
            for i in range(COUNT)
        ]
        called = NAMES if by_name else ids
        features = draw.random() < 0.5
        lines = [
            [called[a], called[b]]
            + ["road" if a % 2 else "rail"] * bool(edge_kind)
            + [f"{a % 7}.5", str(1990 + b)] * features
            for a, b in pairs
        ]
        separator = draw.choice([",", ";", "\t"])
        head = [
            *ends.split(","),
            *([edge_kind] if edge_kind else []),
            *(["weight", "since"] if features else []),
        ]
        files = {
            f"{nodes}.csv": text(
                ["id", "name", "people", *([node_kind] if node_kind else [])], rows, separator
            ),
            f"{links}.csv": text(head, lines, separator),
        }
        graph = read(tmp_path, files)
        case = f"{list(files)} {head} {node_kind} {'names' if by_name else ids[:2]} {once}"
        assert graph.num_nodes == COUNT, case
        assert Counter((a, b) for a, _, b in edges(graph)) == Counter(
            (NAMES[a], NAMES[b]) for a, b in pairs
        ), case
        if edge_kind:
            assert {r.name for r in graph.schema.relations} == {"road", "rail"}, case
        if node_kind:
            assert {t.name for t in graph.schema.node_types} == {"town", "village"}, case
        if features:
            assert {f.name for f in graph.schema.relations[0].features} == {"weight", "since"}, case


TOWNS = text(["id", "name"], [[f"n{i}", NAMES[i]] for i in range(20)])
COUNTED = text(["id", "name"], [[str(i + 1), NAMES[i]] for i in range(20)])


def lines(head: str, prefix: str = "n", first: int = 0) -> str:
    return text(
        head.split(","), [[f"{prefix}{i + first}", f"{prefix}{i * 7 % 20 + first}"] for i in range(20)]
    )


FOUND: list[tuple[str, dict[str, str], list[tuple[str, int]], dict[str, int]]] = [
    ("no header", {"nodes.csv": TOWNS, "links.csv": lines("n3,n4")}, [("node", 20)], {"edge": 21}),
    ("edges alone", {"edges.csv": lines("a,b")}, [("node", 20)], {"edge": 20}),
    ("two of edges", {"towns.csv": TOWNS, "knows.csv": lines("a,b"), "likes.csv": lines("source,target")},
     [("towns", 20)], {"knows": 20, "likes": 20}),
    ("two of edges alone", {"knows.csv": lines("a,b"), "likes.csv": lines("source,target")},
     [("node", 20)], {"knows": 20, "likes": 20}),
    ("two of nodes", {"towns.csv": TOWNS, "clubs.csv": text(["id", "title"], [[f"f{i}", f"Club {i}"] for i in range(5)]),
      "fans.csv": text(["who", "what", "since"], [[f"n{i}", f"f{i % 5}", "2001"] for i in range(20)])},
     [("towns", 20), ("clubs", 5)], {"fans": 20}),
    ("an index, as pandas writes it", {"nodes.csv": ",id,name\n0,n0,A\n1,n1,B\n2,n2,C\n", "knows.csv": ",a,b\n0,n0,n1\n1,n1,n2\n2,n2,n0\n"},
     [("node", 3)], {"knows": 3}),
    ("Gephi", {"nodes.csv": "Id,Label,timeset\nn0,A,\nn1,B,\n", "edges.csv": "Source,Target,Type,Id,Label,Weight\nn0,n1,Undirected,0,,1.0\n"},
     [("node", 2)], {"edge": 1}),
    ("a mark and capitals", {"Nodes.CSV": "\ufeffID ; Name\nn0;A\nn1;B\n", "My Links.csv": "\ufeffFrom Node ; To Node ; Weight\nn0;n1;2,5\n"},
     [("node", 2)], {"My Links": 1}),
    ("names without ids", {"nodes.csv": text(["name", "age"], [[n, str(i + 20)] for i, n in enumerate(NAMES)]),
      "edges.csv": text(["source", "target"], [[NAMES[i], NAMES[i - 1]] for i in range(COUNT)])}, [("node", COUNT)], {"edge": COUNT}),
    ("people with two keys", {"people.csv": text(["name", "city", "club"], [[f"P{i}", f"C{i % 5}", f"K{i % 3}"] for i in range(20)]),
      "cities.csv": text(["city", "size"], [[f"C{i}", str(i * 9)] for i in range(5)]),
      "clubs.csv": text(["club", "size"], [[f"K{i}", str(i * 9)] for i in range(3)])},
     [("people", 20), ("cities", 5), ("clubs", 3)], {"city": 20, "club": 20}),
    ("hours are no rows", {"staff.csv": COUNTED, "shifts.csv": text(["who", "start", "end"], [["x", str(i % 8 + 1), str(i % 8 + 9)] for i in range(20)]),
      "knows.csv": lines("source,target", "", 1)}, [("staff", 20), ("shifts", 20)], {"knows": 20}),
]  # fmt: skip


@pytest.mark.parametrize(("files", "types", "relations"), [f[1:] for f in FOUND], ids=[f[0] for f in FOUND])
def test_tables_of_nodes_and_edges_in_other_forms(
    tmp_path: Path, files: dict[str, str], types: list[tuple[str, int]], relations: dict[str, int]
) -> None:
    graph = read(tmp_path, files)
    assert {t.name: t.count for t in graph.schema.node_types} == dict(types)
    assert {r.name: r.count for r in graph.schema.relations} == relations
    if "Type" in files.get("edges.csv", ""):
        assert graph.schema.relations[0].inverse == "edge"


def test_what_could_be_ends_or_numbers_is_asked_with_a_recipe_that_works(tmp_path: Path) -> None:
    files = {"towns.csv": COUNTED, "points.csv": lines("x,y", "", 1)}
    with pytest.raises(
        SourceError, match=r"points\.csv, line 1: 'x' and 'y' could name rows of towns, or be numbers"
    ) as told:
        read(tmp_path, files)
    plan = explain_graph([tmp_path / name for name in files])
    assert isinstance(plan.found, Plan)
    written = explain.explained(plan.found, plan.notes)
    said = str(told.value).split("[[edges]] with ")[1].rstrip(".")
    block = "[[edges]]\n" + re.sub(r", (?=\w+ = )", "\n", said)
    before, _ = written.rsplit("[[nodes]]", 1)
    graph = read(tmp_path, files, recipe=parse_recipe(before + block))
    assert len(edges(graph)) == 20 and edges(graph)[1] == (NAMES[1], "points", NAMES[7])


def test_ids_of_two_tables_are_asked_with_a_recipe_that_works(tmp_path: Path) -> None:
    clubs = text(["id", "title"], [[str(i + 1), f"Club {i}"] for i in range(5)])
    likes = text(["source", "target"], [[str(i + 1), str(i % 5 + 1)] for i in range(20)])
    files = {"people.csv": COUNTED, "clubs.csv": clubs, "likes.csv": likes}
    with pytest.raises(
        SourceError, match=r"likes\.csv, line 1: 'target' could name rows of (people|clubs) or"
    ):
        read(tmp_path, files)
    plan = explain_graph([tmp_path / name for name in files])
    assert isinstance(plan.found, Plan)
    written = explain.explained(plan.found, plan.notes)
    written = re.sub(r'target_type = "\w+"', 'target_type = "clubs"', written)
    assert ("Town B1", "likes", "Club 1") in edges(read(tmp_path, files, recipe=parse_recipe(written)))


@pytest.mark.parametrize("ends", ["source,target", "a,b"])
def test_names_that_several_rows_share_are_no_ends(tmp_path: Path, ends: str) -> None:
    files = {
        "towns.csv": text(["id", "name"], [[f"n{i}", f"Town {i // 2}"] for i in range(20)]),
        "knows.csv": text(
            ends.split(","), [[f"Town {i // 2}", f"Town {(i + 5) % 20 // 2}"] for i in range(20)]
        ),
    }
    with pytest.raises(
        SourceError,
        match=r"knows\.csv, line 1: .* holds 'name' of towns\.csv, which several rows share.* 'id'",
    ):
        read(tmp_path, files)


@pytest.mark.parametrize("ends", ["source,target", "a,b"])
def test_an_end_that_is_not_there_is_named(tmp_path: Path, ends: str) -> None:
    files = {"towns.csv": TOWNS, "knows.csv": lines(ends) + "n1,zz\n"}
    with pytest.raises(SourceError, match=r"knows\.csv, line 22: target 'zz' is not a node. --missing skip"):
        read(tmp_path, files)
    assert len(edges(read(tmp_path, files, missing="skip"))) == 20


def test_keys_to_what_is_not_given_are_no_keys_to_what_is(tmp_path: Path) -> None:
    """Numbers of users lie among those of films, where there is no table of users."""
    heard = Heard()
    films = text(["movieId", "title"], [[str(i + 1), f"Film {i}"] for i in range(20)])
    ratings = text(
        ["userId", "movieId", "rating"], [[str(i % 4 + 1), str(i % 20 + 1), "4.5"] for i in range(40)]
    )
    graph = read(tmp_path, {"movies.csv": films, "ratings.csv": ratings}, heard)
    assert {(r.source, r.name, r.target): r.count for r in graph.schema.relations} == {
        ("ratings", "movie", "movies"): 40
    }
    assert any("'userId' stays a feature" in note for note in heard.notes)
    pets = text(["id", "name", "owner_id"], [[f"p{i}", f"Rex {i}", str(i % 20 + 1)] for i in range(30)])
    graph = read(tmp_path, {"people.csv": COUNTED, "pets.csv": pets})
    assert {(r.source, r.name, r.target) for r in graph.schema.relations} == {("pets", "owner", "people")}


def test_tables_that_nothing_joins_are_said(tmp_path: Path) -> None:
    heard = Heard()
    read(tmp_path, {"towns.csv": TOWNS, "sums.csv": "name,sum\nx,1\ny,2\n"}, heard)
    assert any("the graph has no edges" in note for note in heard.notes)


def test_a_folder_with_a_table_of_edges_of_another_name(tmp_path: Path) -> None:
    read(tmp_path, {"nodes.csv": TOWNS, "knows.csv": lines("a,b")})
    (tmp_path / "README.md").write_text("towns")
    graph = read_graph([tmp_path])
    assert isinstance(graph, Graph) and graph.num_edges == 20


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_of_nodes_and_edges(library: str) -> None:
    frame = pytest.importorskip(library).DataFrame
    nodes = frame({"id": ["n0", "n1", "n2"], "name": ["A", "B", "C"], "code": ["1;2", "1;3", "2;3"]})
    links = frame({"a": ["n0", "n1"], "b": ["n1", "n2"], "kind": ["near", "far"]})
    for given in ((nodes, links), {"towns": nodes, "roads": links}):
        graph = gt.open(given)
        assert isinstance(graph, Graph)
        assert set(edges(graph)) == {("A", "near", "B"), ("B", "far", "C")}
    assert isinstance(graph, Graph) and graph.schema.node_types[0].name == "towns"


def test_rows_that_change_a_store_have_no_type_by_the_name_of_their_file(tmp_path: Path) -> None:
    graph = read(tmp_path, {"towns.csv": TOWNS, "roads.csv": lines("a,b")})
    (tmp_path / "extra.csv").write_text("id,name,size\nn0,Newtown,7\nnew,Late,8\n")
    (tmp_path / "roads.csv").write_text("a,b\nnew,n0\n")
    changed, _ = run(graph, [rows_of_files([tmp_path / "extra.csv", tmp_path / "roads.csv"])])
    assert [(t.name, t.count) for t in changed.schema.node_types] == [("towns", 21)]
    assert {r.name: r.count for r in changed.schema.relations} == {"roads": 21}
    assert changed.label(changed.node("n0")) == "Newtown"


def test_what_has_an_id_and_a_name_is_a_thing_between_two_others(tmp_path: Path) -> None:
    """Routes lead from a stop to a stop, but have names; a duty has a vehicle and a route beside where it begins and ends."""
    stops = text(
        ["stop_id", "name", "zone"], [[str(i), f"Stop {chr(64 + i)}", str(i % 3 + 1)] for i in range(1, 13)]
    )
    routes = text(
        ["route_id", "name", "origin_stop_id", "destination_stop_id", "length_km"],
        [[str(i), f"Line {chr(80 + i)}", str(i), str(i + 2), f"{i}.5"] for i in range(1, 9)],
    )
    duties = text(
        ["duty_id", "code", "route_id", "start_stop_id", "end_stop_id"],
        [[str(i), f"D-{i:03}", str(i % 8 + 1), str(i % 12 + 1), str((i + 5) % 12 + 1)] for i in range(1, 31)],
    )
    heard = Heard()
    graph = read(tmp_path, {"stops.csv": stops, "routes.csv": routes, "duties.csv": duties}, heard)
    assert {t.name: t.count for t in graph.schema.node_types} == {"stops": 12, "routes": 8, "duties": 30}
    names = {(r.source, r.name) for r in graph.schema.relations}
    assert names == {
        ("routes", "origin_stop"),
        ("routes", "destination_stop"),
        ("duties", "route"),
        ("duties", "start_stop"),
        ("duties", "end_stop"),
    }
    assert not heard.notes
