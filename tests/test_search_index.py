"""The search index: exact names, mentions in questions, retrieval; on disk, in memory, damaged."""

import json
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphtalk.core import CheckError, StoreError
from graphtalk.graphs import Graph, NodeTable, build
from graphtalk.graphs.store import open_graph, write
from graphtalk.search import Index, normalise
from sealing import seal

DISEASES = [
    ("D1", "Graves' disease", ["Basedow disease"]),
    ("D2", "Crohn's disease", None),
    ("D021501", "Purpura, Schoenlein-Henoch", None),
    ("D4", "Headache", ["cephalgia"]),
    ("D5", "type 2 diabetes mellitus", ["T2DM"]),
    ("D6", "北京熱", None),
]
GENES = [
    ("Gene::9021", "SOCS3"),
    ("Gene::1", "NAD(P)H dehydrogenase"),
    ("Gene::2", "headache"),
    ("G4", "D.O.A."),
]
ODD = [("o1", ""), ("o2", "$"), ("o3", "!!!"), ("o4", "🦊"), ("o5", "שלום עולם"), ("83826", None)]


def sample() -> Graph:
    ids, names, aliases = zip(*DISEASES, strict=True)
    diseases = pa.table({"id": ids, "name": names, "aliases": pa.array(aliases, pa.list_(pa.string()))})
    genes = pa.table(dict(zip(("id", "symbol"), map(list, zip(*GENES, strict=True)), strict=True)))
    odd = pa.table({"id": [i for i, _ in ODD], "name": pa.array([n for _, n in ODD], pa.string())})
    return build(
        [
            NodeTable("Disease", diseases, "name"),
            NodeTable("Gene", genes, "symbol"),
            NodeTable("Odd", odd, "name"),
        ],
        [],
    )


@pytest.fixture(scope="module", params=["disk", "memory"])
def graph(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Graph:
    if request.param == "memory":
        return sample()
    return stored(tmp_path_factory.mktemp("search") / "sample.gt")


@pytest.fixture(scope="module")
def index(graph: Graph) -> Index:
    return Index.open(graph)


def stored(path: Path) -> Graph:
    write(sample(), path, [Index.build])
    graph = open_graph(path)
    assert isinstance(graph, Graph)
    return graph


def ids(graph: Graph, nodes: list[int]) -> list[str]:
    return graph.ids(nodes)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Graves' disease", ["D1"]),
        ("GRAVES DISEASE", ["D1"]),
        ("basedow disease", ["D1"]),
        ("Crohn disease", ["D2"]),
        ("Schoenlein-Henoch Purpura", ["D021501"]),
        ("d021501", ["D021501"]),
        ("Gene::9021", ["Gene::9021"]),
        ("83826", ["83826"]),
        ("nad(p)h DEHYDROGENASE", ["Gene::1"]),
        ("D.O.A.", ["G4"]),
        ("headache", ["Gene::2", "D4"]),
        ("Headache", ["D4", "Gene::2"]),
        ("HEADACHE", ["D4", "Gene::2"]),
        ("$", ["o2"]),
        ("🦊", ["o4"]),
        ("北京熱", ["D6"]),
        ("שלום עולם", ["o5"]),
        ("nothing of the kind", []),
        ("", []),
        ("?", []),
        ("\ud800", []),
    ],
)
def test_exact(graph: Graph, index: Index, text: str, found: list[str]) -> None:
    assert ids(graph, index.exact(text)) == found


def test_every_label_and_id_is_found_exactly(graph: Graph, index: Index) -> None:
    for node in range(graph.num_nodes):
        for text in (graph.id(node), graph.label(node)):
            assert not text or node in index.exact(text)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What treats Graves' disease?", [("Graves' disease", "D1", True)]),
        (
            "Does Crohn’s disease cause headaches?",
            [("Crohn’s disease", "D2", True), ("headaches", "D4", False)],
        ),
        ("which drugs treat crohn disease", [("crohn disease", "D2", False)]),
        (
            "Purpura, Schoenlein-Henoch or D021501?",
            [("Purpura, Schoenlein-Henoch", "D021501", True), ("D021501", "D021501", True)],
        ),
        ("neighbours of NAD(P)H dehydrogenase's regulators", [("NAD(P)H dehydrogenase's", "Gene::1", False)]),
        ("who wrote D.O.A.?", [("D.O.A", "G4", True)]),
        ('who directed "$"?', [("$", "o2", True)]),
        ("who sings !!!", [("!!!", "o3", True)]),
        ("誰是北京熱的", [("北京熱", "D6", True)]),
        ("genes of Gene::9021", [("Gene::9021", "Gene::9021", True)]),
        ("", []),
        ("nothing here", []),
    ],
)
def test_mentions(graph: Graph, index: Index, question: str, found: list[tuple[str, str, bool]]) -> None:
    mentions = [
        (question[m.start : m.end], graph.id(m.nodes[0]), m.literal) for m in index.mentions(question)
    ]
    assert mentions == found


LONG = (
    "On the many ways in which a name of more than twelve words (such as this one) can be written: a survey"
)


@pytest.mark.parametrize("quoted", [f'"{LONG}"', f"“{LONG}”", f'"Zinc" or "{LONG.upper()}."'])
def test_a_quoted_name_may_be_long(quoted: str) -> None:
    papers = pa.table({"id": ["p1", "p2"], "title": [LONG, "Zinc"]})
    index = Index.open(build([NodeTable("Paper", papers, "title")], []))
    question = f'Who wrote {quoted} and a 5" ruler?'
    mention = index.mentions(question)[0]
    assert question[mention.start : mention.end].casefold() == LONG.casefold()
    assert (mention.nodes, mention.literal) == ((0,), True)
    assert all(0 not in m.nodes for m in index.mentions(question.replace('"', "").replace("“", "")))


def test_features_that_are_names_name_their_nodes() -> None:
    many = 150
    dockets = pa.table(
        {
            "id": [f"n{i}" for i in range(many)],
            "pacer_case_id": [f"PX{i}" for i in range(many)],
            "case_name": ["Smith v. Jones", "Smith v. Jones", *(f"Doe v. Roe {i}" for i in range(2, many))],
            "courtName": ["Kings"] * many,
            "nickname": [f"bob{i}" for i in range(many)],
            "docket_id": list(range(70_000, 70_000 + many)),
        }
    )
    index = Index.open(build([NodeTable("Docket", dockets, "pacer_case_id")], []))
    assert index.exact("smith v jones") == [0, 1]
    assert [m.nodes for m in index.mentions("Who judged Doe v. Roe 7 (PX7)?")] == [(7,), (7,)]
    assert index.exact("PX3") == [3]
    for text in ("Kings", "bob4", "70004"):
        assert index.exact(text) == []


def test_an_id_goes_by_what_follows_its_kind() -> None:
    """`Symptom::D021501` is also called `D021501`; a mere number would be taken for any number."""
    table = pa.table({"id": ["Symptom::D021501", "Gene::9021"], "name": ["Edema", "SOCS3"]})
    graph = build([NodeTable("thing", table, "name")], [])
    index = Index.open(graph)
    assert [graph.id(node) for node in index.exact("D021501")] == ["Symptom::D021501"]
    assert not index.exact("9021") and index.exact("Gene::9021")


def test_mentions_come_longest_first_and_overlap(index: Index, graph: Graph) -> None:
    question = "type 2 diabetes mellitus headache"
    found = index.mentions(question)
    assert [question[m.start : m.end] for m in found] == ["type 2 diabetes mellitus", "headache"]
    assert set(ids(graph, list(found[1].nodes))) == {"D4", "Gene::2"}


@given(
    st.lists(
        st.sampled_from([n for _, n, _ in DISEASES] + [n for _, n in GENES] + ["of", "which"]), max_size=6
    )
)
def test_every_name_in_a_question_is_mentioned(names: list[str]) -> None:
    question = " and ".join(names)
    spans = {question[m.start : m.end] for m in MEMORY.mentions(question)}
    for name in names:
        assert name in ("of", "which") or name in spans or name.rstrip(".") in spans


MEMORY = Index.open(sample())


@pytest.mark.parametrize(
    ("text", "node_type", "best"),
    [
        ("Graves disese", None, "D1"),
        ("diabetes", None, "D5"),
        ("t2dm", "Disease", "D5"),
        ("schoenlein henok", None, "D021501"),
        ("headach", "Gene", "Gene::2"),
        ("dehydrogenaze nad", None, "Gene::1"),
        ("SOCS33", None, "Gene::9021"),
    ],
)
def test_retrieve_finds_misspelt_and_partial_names(
    graph: Graph, index: Index, text: str, node_type: str | None, best: str
) -> None:
    hits = index.retrieve(text, node_type)
    assert graph.id(hits[0].node) == best
    assert all(0 <= hit.score <= 1 for hit in hits)
    assert [h.score for h in hits] == sorted((h.score for h in hits), reverse=True)
    assert len({hit.node for hit in hits}) == len(hits)


def test_retrieve_says_how(index: Index) -> None:
    assert index.retrieve("socs3")[0].how == "exact"
    assert index.retrieve("D021501")[0].how == "id"
    assert index.retrieve("Graves disese")[0].how == "fused"


def test_retrieve_keeps_to_the_type(graph: Graph, index: Index) -> None:
    assert ids(graph, [h.node for h in index.retrieve("headache", "Gene")])[0] == "Gene::2"
    for text in ("Graves' disease", "graves disese", "d"):
        assert all(graph.node_type(h.node).name == "Gene" for h in index.retrieve(text, "Gene"))
    with pytest.raises(CheckError, match="Disease"):
        index.retrieve("x", "Diseas")


@pytest.mark.parametrize(
    "text", ["", " ", "?!", "🦄🦄", "ก", "\x00", "\ud800", "x" * 1_000_000, "word " * 200_000, "("]
)
def test_strange_queries_are_answered(index: Index, text: str) -> None:
    assert isinstance(index.retrieve(text), list)
    assert isinstance(index.exact(text), list)


def test_a_long_text_has_mentions(index: Index) -> None:
    assert index.mentions("Headache " * 120_000)


@pytest.mark.parametrize(
    ("question", "span", "found"),
    [
        ("what treats graves disese now", "graves disese", "D1"),
        ("does SOCS33 matter", "SOCS33", "Gene::9021"),
        ("genes of Shoenlein henoch purpura?", "Shoenlein henoch purpura", "D021501"),
        ("how common is hedache", "hedache", "D4"),
    ],
)
def test_near_mentions_find_misspelt_names(
    graph: Graph, index: Index, question: str, span: str, found: str
) -> None:
    mention = index.near_mentions(question)[0]
    assert question[mention.start : mention.end] == span
    assert found in ids(graph, list(mention.nodes))
    assert not mention.literal


@pytest.mark.parametrize("question", ["", "what is this about", "?!", "北", "xyzzy " * 50_000])
def test_near_mentions_do_not_guess(index: Index, question: str) -> None:
    assert index.near_mentions(question) == []


@given(st.text(max_size=60))
def test_any_query_is_answered(text: str) -> None:
    assert len(MEMORY.retrieve(text, k=3)) <= 3
    MEMORY.mentions(text)
    MEMORY.near_mentions(text)


def test_k_limits_the_hits(index: Index) -> None:
    assert len(index.retrieve("disease", k=2)) == 2
    assert index.retrieve("diseasex", k=0) == []


def test_a_graph_without_nodes_has_an_index(tmp_path: Path) -> None:
    write(
        build([NodeTable("Node", pa.table({"id": pa.array([], pa.string())}))], []),
        tmp_path / "g",
        [Index.build],
    )
    graph = open_graph(tmp_path / "g")
    assert isinstance(graph, Graph)
    index = Index.open(graph)
    assert index.retrieve("x") == index.exact("x") == index.mentions("x") == []


@pytest.mark.parametrize("name", ["keys.hashes.npy", "keys.text.npy", "keys.starts.npy", "index.json"])
@pytest.mark.parametrize("content", [b"", b"not an array"])
def test_a_damaged_index_is_reported(tmp_path: Path, name: str, content: bytes) -> None:
    graph = stored(tmp_path / "g")
    (tmp_path / "g" / "index" / name).write_bytes(content)
    with pytest.raises(StoreError, match="Import the graph again"):
        Index.open(graph)


def test_missing_keywords_are_reported(tmp_path: Path) -> None:
    graph = stored(tmp_path / "g")
    for file in (tmp_path / "g" / "index" / "keywords").iterdir():
        file.unlink()
    with pytest.raises(StoreError, match="Import the graph again"):
        Index.open(graph).retrieve("graves disese")


def test_cut_keywords_are_reported(tmp_path: Path) -> None:
    graph = stored(tmp_path / "g")
    for file in (tmp_path / "g" / "index" / "keywords").iterdir():
        file.write_bytes(file.read_bytes()[:10])
    with pytest.raises(StoreError, match="Import the graph again"):
        Index.open(graph).retrieve("graves disese")


def test_an_older_version_is_reported(tmp_path: Path) -> None:
    graph = stored(tmp_path / "g")
    about = tmp_path / "g" / "index" / "index.json"
    about.write_text(json.dumps({**json.loads(about.read_text()), "version": 0}))
    seal(tmp_path / "g")
    graph = open_graph(tmp_path / "g")
    assert isinstance(graph, Graph)
    with pytest.raises(StoreError, match="version 0"):
        Index.open(graph)


def test_a_store_with_other_hashes_of_before_is_found_in_all_the_same(tmp_path: Path) -> None:
    graph = stored(tmp_path / "now")
    shutil.copytree(tmp_path / "now", tmp_path / "g")
    for name in ("id_hashes.npy", "index/keys.hashes.npy"):
        hashes = np.load(tmp_path / "g" / name)
        np.save(tmp_path / "g" / name, np.arange(len(hashes), dtype=np.uint64))
    for name, version in (("manifest.json", 2), ("index/index.json", 1)):
        about = json.loads((tmp_path / "g" / name).read_text())
        (tmp_path / "g" / name).write_text(json.dumps({**about, "version": version}))
    seal(tmp_path / "g")
    older = open_graph(tmp_path / "g")
    assert isinstance(older, Graph)
    assert [older.find(graph.id(node)) for node in range(graph.num_nodes)] == list(range(graph.num_nodes))
    for node in range(graph.num_nodes):
        assert node in Index.open(older).exact(graph.label(node))
    shutil.rmtree(tmp_path / "g" / "index" / "keywords")  # what tantivy wrote there
    assert Index.open(older).retrieve("graves disese") == Index.open(graph).retrieve("graves disese")


def test_a_store_that_was_replaced_is_reported(tmp_path: Path) -> None:
    graph = stored(tmp_path / "g")
    write(build([NodeTable("Node", pa.table({"id": ["a"]}))], []), tmp_path / "g", [Index.build])
    with pytest.raises(StoreError, match="again"):
        Index.open(graph)


def test_a_store_without_index_is_searched_in_memory(tmp_path: Path) -> None:
    write(sample(), tmp_path / "g")
    graph = open_graph(tmp_path / "g")
    assert isinstance(graph, Graph)
    assert graph.id(Index.open(graph).retrieve("graves disese")[0].node) == "D1"


def test_names_and_queries_meet_in_one_normal_form() -> None:
    assert normalise("Graves’ Disease") == normalise("graves' disease")
