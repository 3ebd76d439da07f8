"""The data sets that are at hand: fetched from the folder, counted, and their papers' ids and labels."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from graphtalk.app import about
from graphtalk.calls import parse
from graphtalk.core import SourceError
from graphtalk.graphs import Graph, GraphSet
from graphtalk.hub import Hub, read_card
from graphtalk.hub.original_ids import original_ids, read_links
from graphtalk.tools.executor import Executor
from graphtalk.tools.registry import default_registry

SMALL = ("cora", "citeseer", "mutag", "ptc", "nci1", "proteins", "movielens", "last-fm")
LARGE = ("pubmed", "wordnet", "freebase")


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Hub:
    return Hub(tmp_path_factory.mktemp("hub"))


def fetched(hub: Hub, name: str, data: Path) -> Graph | GraphSet:
    if not hub.fetched(name):
        hub.fetch(name, data)
    return hub.graph(name)


def graph_of(hub: Hub, name: str, data: Path) -> Graph:
    graph = fetched(hub, name, data)
    assert isinstance(graph, Graph)
    return graph


@pytest.mark.parametrize("name", [*SMALL, *(pytest.param(n, marks=pytest.mark.slow) for n in LARGE), "gpr"])
def test_counts_are_those_of_the_card(hub: Hub, shared_data: Path, name: str) -> None:
    graph, counted = fetched(hub, name, shared_data), read_card(name).counted
    assert counted is not None and graph.name == name
    union, graphs = (graph.union, len(graph)) if isinstance(graph, GraphSet) else (graph, 1)
    found = (round(union.num_nodes / graphs, 2), round(union.num_edges / graphs, 2), graphs)
    assert found == (counted.nodes, counted.edges, counted.graphs)
    columns = [c for table in union.columns.values() for c in table.schema if c.name == "words"]
    assert [c.type.list_size for c in columns] == ([counted.features] if counted.features else [])
    if "topic" in union.columns[union.schema.node_types[0].name].column_names:
        topics = set(union.columns["paper"].column("topic").to_pylist()) - {None}
        assert len(topics) == counted.classes
    if isinstance(graph, GraphSet) and counted.classes:
        assert len(set(graph.table.column("label").to_pylist())) == counted.classes


def stated(data: Path, name: str, kind: str) -> Iterator[tuple[str, str]]:
    """Ids and results that the paper's prompts state."""
    (file,) = data.glob(f"graph_toolformer_prompts/*/{name}/prompts_train")
    for line in file.read_text(encoding="utf-8").splitlines():
        found = re.search(rf"{kind}#(\S+?)\)-->r.*Reasoning Result: (.*)\.$", line)
        if found:
            yield found[1], found[2]


def test_cora_papers_have_their_original_ids(hub: Hub, shared_data: Path) -> None:
    graph = graph_of(hub, "cora", shared_data)
    assert graph.feature(hub.node("cora", "paper#83826"), "topic") == "Neural Networks"
    right: Counter[tuple[bool, bool]] = Counter()
    for paper, topic in dict(stated(shared_data, "cora", "paper")).items():
        node = graph.node(paper)
        right[bool(graph.feature(node, "id_certain")), graph.feature(node, "topic") == topic] += 1
    assert right[True, False] == 0 and right[True, True] > 1_000
    assert sum(not c for c in graph.columns["paper"].column("id_certain").to_pylist()) == 143


def test_cora_has_its_public_split(hub: Hub, shared_data: Path) -> None:
    split = graph_of(hub, "cora", shared_data).columns["paper"].column("split").to_pylist()
    assert Counter(split) == {"train": 140, "validation": 500, "test": 1_000, "other": 1_068}


@pytest.mark.parametrize("name", ["mutag", "ptc", "nci1", "proteins"])
def test_instances_have_the_labels_that_the_paper_states(hub: Hub, shared_data: Path, name: str) -> None:
    graphs = fetched(hub, name, shared_data)
    assert isinstance(graphs, GraphSet)
    pairs = list(stated(shared_data, name, "instance"))
    assert len(pairs) > 1_000
    assert all(str(graphs.features(instance)["label"]) == label for instance, label in pairs)


@pytest.mark.parametrize(
    ("name", "instance", "symbols", "links"),
    [("mutag", "5", "NOO" + 16 * "C" + "O", 1), ("ptc", "241", "CCaNN", 0)],
)
def test_molecules_are_atoms_whose_elements_are_told(
    hub: Hub, shared_data: Path, name: str, instance: str, symbols: str, links: int
) -> None:
    graphs = fetched(hub, name, shared_data)
    assert isinstance(graphs, GraphSet)
    (atoms,) = graphs.graph(instance).columns.values()
    assert sorted("".join(atoms.column("symbol").to_pylist())) == sorted(symbols)
    assert atoms.column("element").null_count == 0
    executor = Executor(graphs)
    call = f'GR(GL("{name}", {{instance#{instance}}}, "all atoms", {{(C=O)}}), "toolx:size")'
    if links:
        assert executor.run(parse(call, default_registry().vocabulary)).show() == str(links)


@pytest.mark.slow
def test_pubmed_without_the_training_words(hub: Hub, shared_data: Path) -> None:
    graph = graph_of(hub, "pubmed", shared_data)
    pairs = list(stated(shared_data, "pubmed", "paper"))
    assert all(graph.feature(graph.node(paper), "topic") == topic for paper, topic in pairs)
    table = graph.columns["paper"]
    has_words = table.column("words").is_valid().to_numpy()
    assert has_words.sum() == 1_060
    split = np.array(table.column("split").to_pylist())
    assert has_words[split == "train"].all() and has_words[split == "test"].all()
    assert not has_words[split == "validation"].any()


def test_movielens_ids_ratings_and_genres(hub: Hub, shared_data: Path) -> None:
    graph = graph_of(hub, "movielens", shared_data)
    movie = hub.node("movielens", "movie#i1")
    assert graph.label(movie) == "Toy Story (1995)"
    assert graph.feature(movie, "genres") == ["Animation", "Children's", "Comedy"]
    assert graph.label(hub.node("movielens", "i543")) == "Misérables, Les (1995)"  # latin-1 in the file
    user = hub.node("movielens", "user#u196")
    assert graph.features(user)["age"] == 49
    place = int(np.flatnonzero((graph.ends(0)[0] == user) & (graph.ends(0)[1] == graph.node("i242")))[0])
    assert graph.edge_features(0, place) == {"rating": 3, "timestamp": 881_250_949}


def test_last_fm_ids_and_plays(hub: Hub, shared_data: Path) -> None:
    graph = graph_of(hub, "last-fm", shared_data)
    user, artist = hub.node("last-fm", "user#u2"), hub.node("last-fm", "artist#i51")
    assert artist in graph.neighbours(user, "listened to")
    place = int(np.flatnonzero((graph.ends(0)[0] == user) & (graph.ends(0)[1] == artist))[0])
    assert graph.edge_features(0, place) == {"weight": 13_883}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "sizes"), [("wordnet", (141_442, 5_000, 5_000)), ("freebase", (272_115, 17_535, 20_466))]
)
def test_triples_keep_their_split(
    hub: Hub, shared_data: Path, name: str, sizes: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = graph_of(hub, name, shared_data)
    monkeypatch.setenv("GRAPHTALK_HUB", str(hub.root))
    splits = Counter(s for t in graph.edge_columns for s in t.column("split").to_pylist())
    assert (splits["train"], splits["valid"], splits["test"]) == sizes
    assert len(graph.schema.relations) == {"wordnet": 18, "freebase": 237}[name]
    assert hub.called(name) == {"wordnet": "wordnet", "freebase": "freebase (FB15k-237)"}[name]
    assert about.called(graph) == hub.called(name)
    for reference in {"wordnet": ("entity#imagination.n.02",), "freebase": ("entity#/m/027rn",)}[name]:
        assert graph.id(hub.node(name, reference)) == reference.removeprefix("entity#")


def test_calls_load_from_the_hub(hub: Hub, shared_data: Path) -> None:
    for name in ("cora", "movielens", "mutag"):
        fetched(hub, name, shared_data)
    from graphtalk.calls import parse

    executor = Executor(hub.graph("gpr"), loader=hub)
    for text, shown in (
        ('GR(GL("cora"), "graph:feature", {Paper#83826}, "topic")', "Neural Networks"),
        ('GR(GL("movielens"), "graph:degree", user#u272, "rated")', "51"),
        ('GR(GL("movielens"), "graph:feature", movie#i286, "title")', "English Patient, The (1996)"),
        ('GR(GL("mutag", {"63"}), "toolx:order")', "17"),
        ('GR(GL("gpr", {"bull_graph"}), "toolx:order")', "5"),
    ):
        assert executor.run(parse(text, executor.registry.vocabulary)).show() == shown


def test_matching_needs_the_same_graph(tmp_path: Path) -> None:
    # A path 0-1-2 whose ends differ only by the order in which the middle names them, and a pair apart.
    links = [("9", "5"), ("5", "7"), ("3", "4")]
    rows = {0: [1], 1: [2, 0], 2: [1], 3: [4], 4: [3]}
    ids, certain = original_ids(rows, links)
    assert ids[:3] == ["7", "5", "9"] and set(ids[3:]) == {"3", "4"}
    assert certain == [True, True, True, False, False]
    with pytest.raises(SourceError, match="are not those of the graph"):
        original_ids({0: [1], 1: [2, 0], 2: [1, 3], 3: [2, 4], 4: [3]}, links)
    with pytest.raises(SourceError, match="5 papers are linked by original id, but the graph has 2"):
        original_ids({0: [1], 1: [0]}, links)
    (tmp_path / "links").write_text("1 2\n3\n")
    with pytest.raises(SourceError, match="links, line 2: 1 ids where a link has two"):
        read_links(tmp_path / "links")
