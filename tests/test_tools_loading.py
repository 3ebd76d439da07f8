"""`GL`: graph sets and parts of graphs."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from graphtalk.calls import Call, parse
from graphtalk.core import CheckError, ToolError
from graphtalk.graphs import EdgeTable, Graph, GraphSet, NodeTable, build, builtin, store
from graphtalk.graphs.store import open_graph
from graphtalk.search.index import Index
from graphtalk.tools.executor import Executor
from graphtalk.tools.loading import part_of
from graphtalk.tools.registry import default_registry
from graphtalk.tools.types import Links, Names


def read(text: str) -> Call:
    return parse(text, default_registry().vocabulary)


@pytest.fixture(scope="module")
def gpr() -> GraphSet:
    graphs = builtin.load("gpr")
    assert isinstance(graphs, GraphSet)
    return graphs


@dataclass(frozen=True)
class Shelf:
    """A loader of the graphs it is given."""

    graphs: tuple[Graph | GraphSet, ...]

    def names(self) -> tuple[str, ...]:
        return tuple(graph.name for graph in self.graphs)

    def load(self, name: str) -> Graph | GraphSet:
        return next(graph for graph in self.graphs if graph.name == name)


@pytest.mark.parametrize(
    "written",
    ["{\"lollipop_graph\"}", '"lollipop graph"', '"Lollipop-Graph"', '{"lollipop"}', "lollipop_graph"],
)  # fmt: skip
def test_a_graph_of_a_set_by_any_form_of_its_name(gpr: GraphSet, written: str) -> None:
    result = Executor(gpr).run(read(f'[GR(GL("gpr", {written}), "toolx:center")-->r]'))
    assert result.show() == "[7, 8]"


def test_a_set_needs_a_graph_to_be_named(gpr: GraphSet) -> None:
    with pytest.raises(CheckError, match=r"Order needs one graph of gpr.*bull_graph"):
        Executor(gpr).run(Call("Order"))
    with pytest.raises(ToolError, match="Did you mean bull_graph"):
        Executor(gpr).run(read('GR(GL("gpr", {"bul_graph"}), "toolx:order")'))
    assert Executor(gpr).run(read('GL["gpr"]')).show() == "the graph set gpr: 37 graphs"


@pytest.mark.parametrize(
    ("written", "order", "size"),
    [
        ('GL("gpr", {"bull_graph"}, {0, 1, 2})', 3, 3),
        ('GL("gpr", {"bull_graph"}, node-subset:{0, 1, 2})', 3, 3),
        ('GL("gpr", graph-name:{"bull_graph"}, node-subset:{0, 1, 2}, link-subset:{(0, 1)})', 3, 1),
        ('GL("gpr", {"bull_graph"}, {0, 1, 2}, {(0, 1), (1, 2)})', 3, 2),
        ('GL("gpr", {"bull_graph"}, {(0, 1)})', 2, 1),
        ('GL("gpr", {"bull_graph"}, "all nodes", "all links")', 5, 5),
        ('GL("gpr", {"bull_graph"}, "all links")', 5, 5),
    ],
)  # fmt: skip
def test_part_of_one_graph_of_a_set(gpr: GraphSet, written: str, order: int, size: int) -> None:
    assert Executor(gpr).run(read(f'[GR({written}, "toolx:order")-->r]')).show() == str(order)
    assert Executor(gpr).run(read(f'[GR({written}, "toolx:size")-->r]')).show() == str(size)


def test_links_of_a_set_that_names_no_graph_are_refused(gpr: GraphSet) -> None:
    with pytest.raises(ToolError, match="name one of gpr"):
        Executor(gpr).run(read('GR(GL("gpr", link-subset:{(0, 1)}), "toolx:size")'))


def shop() -> Graph:
    tables = [
        NodeTable("user", pa.table({"id": ["u1", "u2", "u3"]})),
        NodeTable("item", pa.table({"id": ["i1", "i2"], "name": ["Ink", "Jug"]}), "name"),
    ]
    bought = EdgeTable(
        "bought",
        "user",
        "item",
        np.array([0, 0, 1, 2]),
        np.array([0, 1, 1, 0]),
        pa.table({"year": [1, 2, 3, 4]}),
    )
    follows = EdgeTable("follows", "user", "user", np.array([0, 2]), np.array([1, 0]))
    return build(tables, [bought, follows], "shop")


def test_a_part_keeps_ids_features_and_order() -> None:
    graph = shop()
    part = part_of(graph, Names(("u1", "u3", "i1", "i2")), Links(("bought",)))
    assert part.ids() == ["u1", "u3", "i1", "i2"]
    assert part.labels() == ["u1", "u3", "Ink", "Jug"]
    assert [r.name for r in part.schema.relations] == ["bought"]
    source, target = part.ends(0)
    assert [(part.id(int(s)), part.id(int(t))) for s, t in zip(source, target, strict=True)] == [
        ("u1", "i1"),
        ("u1", "i2"),
        ("u3", "i1"),
    ]
    assert [part.edge_features(0, e)["year"] for e in range(3)] == [1, 2, 4]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('GR(GL("shop", {"user"}), "toolx:size")', "2"),
        ('GR(GL("shop", {"user", "Ink"}, {"bought"}), "toolx:size")', "2"),
        ('GR(GL("shop", "all user nodes", "all links"), "toolx:size")', "2"),
        ('GR(GL("shop", "all users and items", "all bought links"), "toolx:size")', "4"),
        ('GR(GL("shop", "all nodes", "all user-item links"), "toolx:size")', "4"),
        ('GR(GL("shop", "all nodes", "all links"), "toolx:size")', "6"),
        ('GR(GL("shop", {item#i2}, "all related links"), "toolx:order")', "3"),
        ('GR(GL("shop", {item#i2}, "all links"), "toolx:order")', "1"),
        ('GR(GL("shop", {"u1", "Ink"}, {("u1", "Ink")}), "toolx:size")', "1"),
        (
            'GR(GL(graph-name:"shop", node-subset:"all related nodes", link-subset:{(u1=Ink)}), "toolx:order")',
            "2",
        ),
        ('GR(GL(file-path:"shop", link-subse:"all follows links"), "toolx:size")', "2"),
        ('GR(GL("graph"), "toolx:order")', "5"),
    ],
)
def test_node_and_link_subsets(text: str, shown: str) -> None:
    assert Executor(shop()).run(read(text)).show() == shown


def test_an_unknown_relation_is_refused() -> None:
    with pytest.raises(CheckError, match="Did you mean bought"):
        Executor(shop()).run(read('GR(GL("shop", "all nodes", {"buoght"}), "toolx:size")'))


def test_another_graph_is_searched_by_its_own_index(gpr: GraphSet, tmp_path: Path) -> None:
    store.write(shop(), tmp_path / "shop.gt", [Index.build])
    executor = Executor(gpr, loader=Shelf((open_graph(tmp_path / "shop.gt"), gpr)))
    result = executor.run(read('NeighbourCheck["Jugg", "^bought", graph=GL["shop"]]'))
    assert result.show() == "[u1, u2]"
    assert result.evidence().edges == (("u1", "bought", "i2"), ("u2", "bought", "i2"))
    again = Executor(gpr, loader=executor.loader)
    for call in result.calls:
        assert again.run(read(call.spelling)).calls[-1].result == call.result


def test_two_openings_of_a_store_share_what_was_remembered(tmp_path: Path) -> None:
    store.write(shop(), tmp_path / "shop.gt", [Index.build])
    one = Executor(open_graph(tmp_path / "shop.gt"))
    other = Executor(open_graph(tmp_path / "shop.gt"), memory=one.memory)
    first = one.run(read('NeighbourCheck["u1", "bought"]'))
    second = other.run(read('Count[NeighbourCheck["u1", "bought"]]'))
    assert second.value == 2
    assert second.trail.inputs[0].origin is first.trail


@pytest.fixture(scope="module")
def molecule() -> Graph:
    elements = {
        "id": ["a1", "a2", "a3", "a4"],
        "element": ["C", "C", "O", "H"],
        "called": ["carbon", "carbon", "oxygen", "hydrogen"],
    }
    bonds = EdgeTable("bond", "atom", "atom", np.array([0, 1, 1]), np.array([1, 2, 3]), None, "bond")
    return build([NodeTable("atom", pa.table(elements))], [bonds], "molecule")


def test_nodes_by_kind_and_number_by_name_and_by_a_property(molecule: Graph) -> None:
    graph = shop()
    bought = part_of(graph, Names(("user#1", "item#2")), None)
    assert {bought.id(node) for node in range(bought.num_nodes)} == {"u1", "i2"}
    carbons = part_of(molecule, Names(("C",)), None)
    assert (carbons.num_nodes, carbons.num_edges) == (2, 1)
    double = part_of(molecule, None, Links((), (("C", "O"),)))
    assert (double.num_nodes, double.num_edges) == (3, 1)
    with pytest.raises(ToolError, match="No node is called 'N'"):
        part_of(molecule, Names(("N",)), None)


@pytest.mark.parametrize(
    ("written", "order", "size"),
    [
        ('"all nodes", {(C=O)}', 3, 1),
        ('"all related nodes", {(C=O)}', 2, 1),
        ('"all related nodes", "all carbon-oxygen bonds"', 2, 1),
        ('"all related nodes", "all carbon-oxygen links"', 2, 1),
        ('"all related nodes", {"C-O"}', 2, 1),
        ('{Carbon, Oxygen}, {(Carbon, Oxygen)}', 3, 1),
        ('{C, H}, "all bonds"', 3, 2),
        ('"all carbon atoms"', 2, 1),
        ('"all carbon nodes", "all bond links"', 2, 1),
        ('"all atoms", "all bonds"', 4, 3),
        ('{Atom#1, Atom#2}', 2, 1),
    ],
)  # fmt: skip
def test_parts_of_a_molecule(molecule: Graph, written: str, order: int, size: int) -> None:
    executor = Executor(molecule)
    assert executor.run(read(f'GR(GL("molecule", {written}), "toolx:order")')).show() == str(order)
    assert executor.run(read(f'GR(GL("molecule", {written}), "toolx:size")')).show() == str(size)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ('"all silver atoms"', "No node type 'silver atoms' in molecule"),
        ('"all nodes", "all gold-oxygen bonds"', "No relation 'gold-oxygen bonds' in molecule"),
    ],
)
def test_parts_that_a_molecule_lacks_are_refused(molecule: Graph, written: str, message: str) -> None:
    with pytest.raises(CheckError, match=message):
        Executor(molecule).run(read(f'GR(GL("molecule", {written}), "toolx:order")'))
