"""Graphs and stores that change: as imported anew, in one step or not at all, and without touching anything else."""

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphtalk as gt
from command_line import CommandLine
from graphtalk.core import GraphtalkError, SourceError, StoreError, UsageError
from graphtalk.graphs import Graph, damage, open_graph, store
from graphtalk.graphs.edit_rows import Edit, run
from graphtalk.graphs.read import read_graph
from graphtalk.search import keywords
from graphtalk.search.embedder import StaticTable, Vectors
from graphtalk.search.index import Index
from test_export import content, rich_graph


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> CommandLine:
    monkeypatch.setenv("GRAPHTALK_CACHE", str(tmp_path / "cache"))
    return CommandLine(monkeypatch, capsys)


def opened(path: Path) -> Graph:
    graph = open_graph(path)
    assert isinstance(graph, Graph)
    return graph


# a graph after any changes is the one that its rows give at once

IDS = ["a", "b", "c", "d", "e"]
FEATURES = st.fixed_dictionaries(
    {}, optional={"x": st.integers(-9, 9), "y": st.sampled_from(["p", "q", "r"])}
)
STEPS = st.one_of(
    st.tuples(st.just("node"), st.sampled_from(IDS), st.sampled_from(["one", "two"]), FEATURES),
    st.tuples(
        st.just("edge"), st.sampled_from(IDS), st.sampled_from(["r", "s"]), st.sampled_from(IDS), FEATURES
    ),
    st.tuples(
        st.just("set"), st.sampled_from(IDS), st.sampled_from(["x", "y"]), st.none() | st.integers(0, 9)
    ),
    st.tuples(st.just("delete node"), st.sampled_from(IDS)),
    st.tuples(
        st.just("delete edge"), st.sampled_from(IDS), st.sampled_from(["r", "s"]), st.sampled_from(IDS)
    ),
    st.tuples(st.just("delete type"), st.sampled_from(["one", "two"])),
    st.tuples(st.just("delete relation"), st.sampled_from(["r", "s"])),
    st.tuples(st.just("delete feature"), st.sampled_from(["one", "two", "r"]), st.sampled_from(["x", "y"])),
)


class Model:
    """The same changes on dictionaries: what they should do, said in the plainest way."""

    def __init__(self) -> None:
        self.nodes: dict[str, tuple[str, dict[str, object]]] = {}
        self.edges: list[tuple[str, str, str, dict[str, object]]] = []

    def fits(self, step: tuple) -> bool:  # type: ignore[type-arg]
        match step:
            case ("edge", source, _, target, _):
                return source in self.nodes and target in self.nodes
            case ("set", node, feature, value):
                return node in self.nodes and (feature == "x" or value is None)
            case ("delete node", node):
                return node in self.nodes
            case ("delete edge", source, relation, target):
                return any(edge[:3] == (source, relation, target) for edge in self.edges)
            case ("delete type", name):
                return any(kind == name for kind, _ in self.nodes.values())
            case ("delete relation", name):
                return any(edge[1] == name for edge in self.edges)
            case ("delete feature", owner, name):
                rows = [f for kind, f in self.nodes.values() if kind == owner]
                return any(name in row for row in [*rows, *(f for _, r, _, f in self.edges if r == owner)])
        return True

    def do(self, step: tuple, seen: dict[tuple[str, str, str], int]) -> None:  # type: ignore[type-arg]
        match step:
            case ("node", node, kind, features):
                known = self.nodes.get(node, (kind, {}))[1]
                self.nodes[node] = (kind, known | features)
            case ("edge", source, relation, target, features):
                key = (source, relation, target)
                nth = seen[key] = seen.get(key, -1) + 1
                same = [i for i, edge in enumerate(self.edges) if edge[:3] == key]
                if nth < len(same):
                    self.edges[same[nth]] = (*key, self.edges[same[nth]][3] | features)
                else:
                    self.edges.append((*key, features))
            case ("set", node, feature, value):
                kind, features = self.nodes[node]
                features = {name: v for name, v in features.items() if name != feature}
                self.nodes[node] = (kind, features if value is None else features | {feature: value})
            case ("delete node", node):
                self.keep(lambda n, _: n != node)
            case ("delete edge", source, relation, target):
                self.edges = [edge for edge in self.edges if edge[:3] != (source, relation, target)]
            case ("delete type", name):
                self.keep(lambda _, kind: kind != name)
            case ("delete relation", name):
                self.edges = [edge for edge in self.edges if edge[1] != name]
            case ("delete feature", owner, name):
                for kind, features in self.nodes.values():
                    if kind == owner:
                        features.pop(name, None)
                for _, relation, _, features in self.edges:
                    if relation == owner:
                        features.pop(name, None)

    def keep(self, stays) -> None:  # type: ignore[no-untyped-def]
        self.nodes = {n: (kind, f) for n, (kind, f) in self.nodes.items() if stays(n, kind)}
        self.edges = [edge for edge in self.edges if edge[0] in self.nodes and edge[2] in self.nodes]

    def imported(self, folder: Path) -> Graph:
        """A graph of all that there is now, imported anew."""
        nodes = [{"id": n, "type": kind, **features} for n, (kind, features) in self.nodes.items()]
        links = [{"source": s, "relation": r, "target": t, **f} for s, r, t, f in self.edges]
        data = {"directed": True, "multigraph": True, "graph": {}, "nodes": nodes, "links": links}
        (folder / "all.json").write_text(json.dumps(data))
        graph = read_graph([folder / "all.json"])
        assert isinstance(graph, Graph)
        return graph


def edited(edit: Edit, step: tuple) -> None:  # type: ignore[type-arg]
    match step:
        case ("node", node, kind, features):
            edit.add_node(node, kind, **features)
        case ("edge", source, relation, target, features):
            edit.add_edge(source, relation, target, **features)
        case ("set", node, feature, value):
            edit.set(node, **{feature: value})
        case (name, *words):
            getattr(edit, name.replace(" ", "_"))(*words)


def plainly(graph: Graph) -> object:
    types, relations, nodes, edges = content(graph)  # type: ignore[misc]
    kinds = {name: (count, sorted(f.name for f in features)) for name, (_, features, count) in types.items()}
    return (
        kinds,
        {key: sorted(f.name for f in features) for key, (_, features) in relations.items()},
        nodes,
        edges,
    )


@given(steps=st.lists(STEPS, max_size=14), cuts=st.lists(st.integers(0, 14), max_size=4))
def test_a_graph_after_changes_is_as_imported_anew(
    tmp_path_factory: pytest.TempPathFactory,
    steps: list[tuple],
    cuts: list[int],  # type: ignore[type-arg]
) -> None:
    model, graph = Model(), gt.from_triples([])
    done = 0
    for end in [*sorted(cuts), len(steps)]:
        with graph.edit() as edit:
            seen: dict[tuple[str, str, str], int] = {}
            for step in steps[done:end]:
                if not model.fits(step):
                    continue
                if step[0] != "edge":
                    seen = {}  # rows of edges in a row are one change
                model.do(step, seen)
                edited(edit, step)
        done = max(done, end)
        graph = edit.graph
    assert plainly(graph) == plainly(model.imported(tmp_path_factory.mktemp("anew")))
    relations = [(r.name, r.source, r.target) for r in graph.schema.relations]
    assert len(relations) == len(set(relations))
    for node in graph.indices():
        assert graph.find(graph.id(node)) == node


def test_a_store_after_updates_is_byte_for_byte_one_imported_anew(tmp_path: Path) -> None:
    place = tmp_path / "s.gt"
    gt.save(rich_graph(), place)
    with gt.edit(place) as edit:
        edit.add_node("d", "person", name="Dora Maar", age=4)
        edit.add_edge("d", "knows", "a")
        edit.delete_node("k1")
    with gt.edit(place) as edit:
        edit.add_node("k2", "city `", name="Basel")
        edit.set("a", name="Anna", ok=None)
        edit.delete_feature("person", "vector")
    graph = opened(place)
    assert [graph.label(n) for n in graph.indices()] == ["Anna", 'B "o"b', "c\n", "Dora Maar", "12", "Basel"]
    gt.export(graph, tmp_path / "all.json")
    anew = read_graph([tmp_path / "all.json"], name=graph.name)
    again = gt.save(anew, tmp_path / "again.gt")
    assert gt.diff(graph, again).same
    ours, theirs = (
        {
            str(p.relative_to(root)): p.read_bytes()
            for p in root.rglob("*")
            if p.is_file() and "keywords" not in str(p)
        }
        for root in (place, tmp_path / "again.gt")
    )
    assert {name for name in ours if ours[name] != theirs.get(name)} == {"manifest.json", "journal.jsonl"}
    index, other = Index.open(graph), Index.open(again)  # type: ignore[arg-type]
    for text in ("Anna", "dora", "Bazel", "mar"):
        assert index.retrieve(text) == other.retrieve(text)
    assert damage(place) == []


def test_kept_vectors_are_not_embedded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphtalk.search.index._FEW", 2)  # few names are embedded by a network, all at once
    gt.save(rich_graph(), tmp_path / "s.gt", vectors="now")
    said: list[str] = []
    embed = StaticTable.embed

    def watched(self: StaticTable, texts: Sequence[str]) -> Vectors:
        said.extend(texts)
        return embed(self, texts)

    monkeypatch.setattr(StaticTable, "embed", watched)
    with gt.edit(tmp_path / "s.gt") as edit:
        edit.add_node("z", "city `", name="Zug")
    assert said and all("ug" in text for text in said)
    found, anew = opened(tmp_path / "s.gt"), gt.save(edit.graph, tmp_path / "anew.gt")
    for text in ("zug", "koln", "an"):
        assert Index.open(found).retrieve(text) == Index.open(anew).retrieve(text)  # type: ignore[arg-type]


def test_an_index_follows_changes_and_is_as_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphtalk.search.keywords._GONE", 0)  # however much is gone, it follows
    monkeypatch.setattr("graphtalk.search.names._MOST_SHARED", 6)
    chance, place = random.Random(7), tmp_path / "s.gt"
    words = ["iron", "Iron's", "zinc, blue", "köln", "amber", "onyx", "::ruby", "jade", "opal"]

    def named() -> str:
        return " ".join(chance.choices(words, k=2)) + str(chance.randrange(9))

    def features() -> dict[str, object]:
        return {
            "name": named(),
            "aliases": chance.choice([None, [], [named()], [named(), named()]]),
            "trade_name": chance.choice(["ore", "gem", None, named()]),
        }

    graph = gt.from_triples([("a", "r", "b")])
    with graph.edit() as edit:
        for i in range(60):
            edit.add_node(f"n::{i}", chance.choice(["stone", "metal"]), **features())
    gt.save(edit.graph, place)
    added: list[str] = []
    add = keywords._save

    def watched(folder, forms, sizes):  # type: ignore[no-untyped-def]
        added.extend(forms)
        add(folder, forms, sizes)

    for step in range(8):
        monkeypatch.setattr(keywords, "_save", watched)
        added.clear()
        with gt.edit(place) as edit:
            for i in chance.sample(range(60), 3):
                if edit.graph.find(f"n::{i}") is None or chance.random() < 0.5:
                    edit.add_node(f"n::{i}", chance.choice(["stone", "metal"]), **features())
                else:
                    edit.delete_node(f"n::{i}")
            edit.add_node(f"new {step}", "metal", **features())
            if step == 5:
                edit.delete_type("stone")
        monkeypatch.setattr(keywords, "_save", add)
        assert 0 < len(added) <= 16  # of about 130 names
        found, anew = opened(place), opened(gt.save(edit.graph, tmp_path / "anew.gt").path)
        for file in (tmp_path / "anew.gt").glob("index/keys.*"):
            assert file.read_bytes() == (place / "index" / file.name).read_bytes(), file.name
        ours, theirs = Index.open(found), Index.open(anew)
        assert set(ours._keywords.search("iron zinc", 200)) == set(theirs._keywords.search("iron zinc", 200))
        for kind in (None, "metal"):
            for text in ("iron amber", "ruby jad", "blue zink", "opal onix"):
                one, other = (index.retrieve(text, kind, 5) for index in (ours, theirs))
                assert [hit.score for hit in one] == pytest.approx([hit.score for hit in other], abs=0.1)
                assert one[0].node in {hit.node for hit in other}
        for node in found.indices():
            assert found.find(found.id(node)) == node
            assert node in ours.exact(found.label(node))
    assert damage(place) == []


# one step or none

KILLED = """
import os, signal, sys
from pathlib import Path
from graphtalk.graphs import store
from graphtalk.graphs.edit_rows import run, values_of

left, real = int(sys.argv[2]), os.fsync
def fsync(descriptor):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    real(descriptor)
os.fsync = fsync
def change(graph):
    return run(graph, [values_of(["a.age=77"])])[0], {}
store.update(Path(sys.argv[1]), change, lambda graph: [])
print(sys.argv[2], left)
"""


def test_a_kill_at_any_point_leaves_the_old_store_or_the_new(tmp_path: Path) -> None:
    place = tmp_path / "s.gt"
    store.write(rich_graph(), place)
    seen, at = set(), 0
    while True:
        done = subprocess.run(
            [sys.executable, "-c", KILLED, str(place), str(at)], check=False, capture_output=True, text=True
        )
        age = opened(place).feature(0, "age")
        assert damage(place) == []
        assert len(store.journal_of(place)) == (1 if age == 77 else 0)
        seen.add(age)
        if done.returncode != -signal.SIGKILL:
            break
        if age == 77:  # the last wait comes after the new store is in its place
            store.write(rich_graph(), place)
        at += 5 if at < 20 else 1
    assert done.returncode == 0, done.stderr
    assert seen == {1, 77}
    assert os.listdir(tmp_path) == ["s.gt"]


TWICE = """
import sys
from collections.abc import Sequence
from pathlib import Path
from graphtalk.graphs import store
from graphtalk.graphs.edit import Changes
from graphtalk.graphs.edit_rows import Edit, run
for turn in range(8):
    def change(graph):
        with Edit(graph) as edit:
            edit.add_node(f"{sys.argv[2]}{turn}", "person")
        return edit.graph, {}
    store.update(Path(sys.argv[1]), change, lambda graph: [])
"""


def test_updates_wait_for_each_other_and_readers_keep_what_they_opened(tmp_path: Path) -> None:
    place = tmp_path / "s.gt"
    store.write(rich_graph(), place)
    reader = opened(place)
    running = [subprocess.Popen([sys.executable, "-c", TWICE, str(place), name]) for name in ("x", "y")]
    assert [process.wait() for process in running] == [0, 0]
    found = opened(place)
    assert {f"{name}{turn}" for name in "xy" for turn in range(8)} <= set(found.ids())
    assert [line["id"] for line in store.journal_of(place)] == list(range(1, 17))
    assert content(reader) == content(rich_graph())


def test_what_another_wrote_meanwhile_is_not_lost(tmp_path: Path) -> None:
    place = tmp_path / "s.gt"
    store.write(rich_graph(), place)

    def change(graph: Graph) -> tuple[Graph, dict[str, object]]:
        store.write(gt.from_triples([("new", "and", "different")]), place)
        return graph, {}

    with pytest.raises(StoreError, match="was written again while it was updated"):
        store.update(place, change, lambda graph: [])  # type: ignore[arg-type]
    assert opened(place).ids() == ["new", "different"]


# rows in files, and what is wrong with them


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    (tmp_path / "nodes.tsv").write_text("id\tname\tkind\tage\na\tAnn\tperson\t30\nb\tBob\tperson\t\n")
    (tmp_path / "edges.tsv").write_text("source\trelation\ttarget\tsince\na\tknows\tb\t2020\n")
    gt.import_graph([tmp_path / "nodes.tsv", tmp_path / "edges.tsv"], tmp_path / "mine.gt")
    return tmp_path / "mine.gt"


def given_rows(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder / name


def test_rows_add_and_change_and_an_empty_cell_changes_nothing(
    cli: CommandLine, mine: Path, tmp_path: Path
) -> None:
    nodes = given_rows(tmp_path, "more.tsv", "id\tname\tkind\tage\nc\tCy\tperson\t9\nb\t\tperson\t41\n")
    edges = given_rows(
        tmp_path, "links.csv", "source,relation,target,since\na,knows,b,2021\na,knows,b,2022\nb,knows,c,\n"
    )
    done = cli("update", mine, "--nodes", nodes, "--edges", edges, "--set", "Ann.age=", "--json")
    assert done.code == 0, done.err
    counts = {key: value for key, value in done.json.items() if key.startswith(("nodes", "edges"))}
    assert counts == {
        "nodes_added": 1, "nodes_changed": 2, "nodes_deleted": 0,
        "edges_added": 2, "edges_changed": 1, "edges_deleted": 0,
    }  # fmt: skip
    graph = opened(mine)
    assert [graph.features(n) for n in graph.indices()] == [
        {"name": "Ann"},
        {"name": "Bob", "age": 41},
        {"name": "Cy", "age": 9},
    ]
    assert [graph.edge_features(0, e) for e in range(3)] == [{"since": 2021}, {"since": 2022}, {}]
    again = cli("update", mine, "--nodes", nodes, "--edges", edges)
    assert again.out.startswith("nothing changed")
    told = cli("diff", mine, mine)
    assert (told.code, told.out) == (0, "The same.\n")


def test_rows_and_parts_are_deleted(cli: CommandLine, mine: Path, tmp_path: Path) -> None:
    gt.save(opened(mine), tmp_path / "old.gt")
    more = given_rows(
        tmp_path, "more.csv", "source,relation,target,since\na,knows,b,2020\na,knows,b,2021\nb,likes,a,1\n"
    )
    gone = given_rows(tmp_path, "gone.csv", "source,relation,target,since\na,knows,b,2021\n")
    assert cli("update", mine, "--edges", more).out.startswith("2 edges added;")
    assert cli("update", mine, "--delete-edges", gone).out.startswith("1 edge deleted;")
    assert cli("update", mine, "--delete-relation", "likes", "--delete-feature", "person.age").code == 0
    told = cli("diff", tmp_path / "old.gt", mine)
    assert (told.code, told.out.splitlines()) == (1, ["~ a: age 30 → nothing"])
    assert cli("update", mine, "--delete", "b").code == 0
    found = cli("diff", tmp_path / "old.gt", mine, "--json").json
    assert found["nodes"]["deleted"] == [{"id": "b", "type": "person"}]
    assert found["edges"]["deleted"] == [["a", "knows", "b", '{"since": 2020}']]
    assert found["schema"] == ["- relation knows from person to person"]


def test_new_types_and_relations_are_said(cli: CommandLine, mine: Path, tmp_path: Path) -> None:
    nodes = given_rows(tmp_path, "more.csv", "id,name,type\nu,Ulm,city\n")
    edges = given_rows(tmp_path, "links.csv", "source,target\na,u\n")  # of the one relation that there is
    done = cli("update", mine, "--nodes", nodes, "--edges", edges)
    assert done.code == 0 and done.out.splitlines()[1:] == ["types added: city"]
    assert [(r.name, r.target) for r in opened(mine).schema.relations] == [
        ("knows", "person"),
        ("knows", "city"),
    ]
    assert "relations_deleted" in cli("update", mine, "--delete-type", "person", "--json").json
    lone = gt.from_triples([("x", "edge", "y")])
    with lone.edit() as edit:
        edit.add_node("z", "other")
        edit.add_edge("x", "edge", "z")
    assert edit.graph.num_edges == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--edges", "source,relation,target\na,knows,zz\n"], "line 2: target 'zz' is not a node"),
        (["--nodes", "id,age\na,old\n"], "line 2: 'old' in 'age' is no number"),
        (["--nodes", "name,age\nAnn,3\n"], "no column 'id'"),
        (["--delete-edges", "source,relation,target\nb,knows,a\n"], "No edge 'b' knows 'a'"),
        (["--set", "Ann.age=old"], "'age' of person is a number, and 'old' is none"),
        (["--set", "Zoe.age=3"], "give ID.FEATURE=VALUE"),
        (["--delete", "zz"], "No node 'zz'"),
        (["--delete-type", "persn"], "Did you mean person?"),
        (["--delete-feature", "person.agee"], "Did you mean age?"),
        (["--delete-feature", "age"], "give TYPE.FEATURE"),
        ([], "Nothing to update"),
    ],
)
def test_what_does_not_fit_changes_nothing(
    cli: CommandLine, mine: Path, tmp_path: Path, words: list[str], said: str
) -> None:
    before = (mine / "manifest.json").read_bytes()
    if words and "\n" in words[1]:
        words = [words[0], str(given_rows(tmp_path, "rows.csv", words[1]))]
    done = cli("update", mine, "--set", "Bob.age=5", *words) if words else cli("update", mine)
    assert done.code == 2 and said in done.err and "Traceback" not in done.err
    assert (mine / "manifest.json").read_bytes() == before


def test_a_new_node_needs_a_type_where_there_are_several(tmp_path: Path) -> None:
    graph = rich_graph()
    with pytest.raises(SourceError, match="'z' is a new node without a type"), graph.edit() as edit:
        edit.add_node("z", name="Zug")
    with pytest.raises(UsageError, match="has no feature"), graph.edit() as edit:
        edit.delete_feature("person", "nothing")
    with pytest.raises(SourceError, match="'zz' is not a node"), graph.edit() as edit:
        edit.add_edge("a", "knows", "zz")
    with pytest.raises(SourceError, match="'age' of person is a number"), graph.edit() as edit:
        edit.add_node("a", age="old")
    with pytest.raises(ValueError, match="nothing is done"), graph.edit() as edit:
        edit.delete_node("a")
        raise ValueError("nothing is done")
    assert content(edit.graph) == content(graph)


def test_frames_are_rows_too() -> None:
    graph = rich_graph()
    with graph.edit() as edit:
        edit.add_rows(
            nodes=pa.table({"id": ["a", "e"], "type": ["person"] * 2, "age": [5, 6]}),
            edges=pa.table({"source": ["a"], "relation": ["knows"], "target": ["e"]}),
        )
    found = edit.graph
    assert [found.features(found.node(n))["age"] for n in ("a", "e")] == [5, 6]
    assert found.num_edges == graph.num_edges + 1
    assert edit.report.nodes_added == edit.report.nodes_changed == edit.report.edges_added == 1


def test_stores_that_are_not_ones_own_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHTALK_CACHE", str(tmp_path / "cache"))
    atlas = gt.open("atlas")
    with pytest.raises(StoreError, match="belongs to the cache"):
        gt.edit(atlas)  # type: ignore[arg-type]
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "thesis.tex").write_text("years")
    with pytest.raises(StoreError, match="is not a graph store"):
        gt.edit(tmp_path / "thesis")
    with pytest.raises(GraphtalkError):
        gt.save(rich_graph(), tmp_path / "thesis")
    assert os.listdir(tmp_path / "thesis") == ["thesis.tex"]
    store.write(rich_graph(), tmp_path / "s.gt")
    (tmp_path / "s.gt" / "thesis.tex").write_text("years")
    with pytest.raises(StoreError, match="not overwritten"), gt.edit(tmp_path / "s.gt") as edit:
        edit.delete_node("a")
    assert (tmp_path / "s.gt" / "thesis.tex").read_text() == "years"


def test_changes_share_what_they_do_not_touch() -> None:
    graph = rich_graph()
    changed, _ = run(graph, [])
    assert changed is graph
    with graph.edit() as edit:
        edit.add_node("k9", "city `", name="Ulm")
    assert edit.graph.columns["person"] is graph.columns["person"]
    assert edit.graph.adjacencies[0].indices is graph.adjacencies[0].indices
