"""The parts of the search index: likeness, keywords, vectors on disk, nearest vectors, size and meaning."""

import random
import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphtalk.core import GraphtalkError, StoreError, UsageError
from graphtalk.core.limits import cancellable
from graphtalk.graphs import Graph, NodeTable, build, damage
from graphtalk.graphs.hashing import hash_text, hash_texts
from graphtalk.graphs.store import open_graph, write
from graphtalk.search import Index, load_embedder, normalise
from graphtalk.search.arrays import Texts
from graphtalk.search.dense import Dense, When
from graphtalk.search.embedder import StaticTable, Vectors
from graphtalk.search.keywords import Keywords, Weighted
from graphtalk.search.likeness import likeness, word_likeness
from graphtalk.search.retrieval_index import retriever
from graphtalk.search.vectors import VectorStore

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=12)


def graph_of(names: list[str]) -> Graph:
    ids = [f"n{i}" for i in range(len(names))]
    return build([NodeTable("Node", pa.table({"id": ids, "name": names}), "name")], [])


@given(st.lists(st.text(st.characters(codec="utf-8")), max_size=20))
def test_texts_come_back(texts: list[str]) -> None:
    joined = Texts.of(texts)
    assert [joined[i] for i in range(len(joined))] == texts
    assert (
        list(Texts.of_column(pa.chunked_array([texts, texts], pa.string()).slice(1))) == [*texts, *texts][1:]
    )


@given(st.lists(st.tuples(*[st.text(st.sampled_from("ab:é"), max_size=4)] * 2), max_size=20), st.data())
def test_texts_are_taken_compared_and_looked_through(
    pairs: list[tuple[str, str]], data: st.DataObject
) -> None:
    left, right = ([pair[side] for pair in pairs] for side in (0, 1))
    mine, theirs = Texts.of(left), Texts.of(right)
    assert mine.same_as(theirs).tolist() == [a == b for a, b in pairs]
    for piece in ("a", "::", "é"):
        assert mine.with_piece(piece).tolist() == [i for i, text in enumerate(left) if piece in text]
    places = data.draw(st.lists(st.integers(0, 2 * len(pairs) - 1), max_size=9)) if pairs else []
    taken = Texts.joined([mine, theirs]).take(np.array(places, np.int64))
    assert list(taken) == [(left + right)[place] for place in places]


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=200)), st.text(st.characters(codec="utf-8")))
def test_texts_have_the_same_hashes_one_by_one_and_together(texts: list[str], more: str) -> None:
    texts = [*texts, more * 100]
    assert (
        hash_texts(texts).tolist() == [hash_text(text) for text in texts] == Texts.of(texts).hashes().tolist()
    )


def test_hashes_of_like_texts_differ_and_are_spread() -> None:
    hashes = hash_texts(
        [f"{kind}{number}" for kind in ("", "p", "http://example.org/node/") for number in range(50_000)]
    )
    assert len(np.unique(hashes)) == len(hashes)
    for bits in (hashes >> np.uint64(59), hashes & np.uint64(31)):
        assert np.bincount(bits.astype(np.int64)).min() > len(hashes) / 32 * 0.95


@given(WORDS, WORDS)
def test_word_likeness_is_symmetric_and_whole_only_for_the_same_word(a: str, b: str) -> None:
    (there,), (back,) = word_likeness([a], [b])[0], word_likeness([b], [a])[0]
    assert there == pytest.approx(back)
    assert 0 <= there <= 1
    assert (there == 1) == (a == b)


def slips(a: str, b: str) -> int:
    table = [[i + j if not i * j else 0 for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i, x in enumerate(a, start=1):
        for j, y in enumerate(b, start=1):
            change = table[i - 1][j - 1] + (x != y)
            table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, change)
            if i > 1 and j > 1 and x == b[j - 2] and y == a[i - 2]:
                table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
    return table[-1][-1]


@given(*[st.lists(st.text("abc", min_size=1, max_size=9), min_size=1, max_size=5)] * 2)
def test_word_likeness_counts_slips(words: list[str], others: list[str]) -> None:
    found = word_likeness(words, others)
    for i, a in enumerate(words):
        for j, b in enumerate(others):
            alike = 1 - slips(a, b) / max(len(a), len(b))
            assert found[i, j] == pytest.approx(alike if alike >= 0.5 else 0)


@given(st.text("abcdefgh", min_size=3, max_size=10), st.randoms(use_true_random=False))
def test_a_slip_of_the_pen_costs_one_letter(word: str, chance: random.Random) -> None:
    at = chance.randrange(len(word))
    for slip in (word[:at] + "x" + word[at:], word[:at] + word[at + 1 :], word[:at] + "x" + word[at + 1 :]):
        assert word_likeness([word], [slip])[0, 0] >= 1 - 1 / len(word) - 1e-9
    swapped = word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :]
    assert word_likeness([word], [swapped])[0, 0] >= 1 - 1 / len(word) - 1e-9


def weights(form: str) -> Weighted:
    padded = f" {form} "
    return Weighted(
        dict.fromkeys(form.split(), 1.0), {padded[i : i + 3]: 1.0 for i in range(len(padded) - 2)}
    )


@given(st.lists(st.text("abc é北", max_size=20).map(normalise).filter(bool), min_size=1, max_size=6))
def test_likeness_is_whole_for_the_same_name_and_never_more(names: list[str]) -> None:
    for position, name in enumerate(names):
        scores = likeness(weights(name), names)
        assert scores[position] == pytest.approx(1)
        assert ((scores >= 0) & (scores <= 1 + 1e-9)).all()


def test_words_left_out_cost_less_than_words_added() -> None:
    left_out, added = likeness(weights("zinc oxide"), ["zinc oxide powder", "zinc"])
    assert left_out > 0.85 > added


def test_keywords_are_found_among_some(tmp_path: Path) -> None:
    forms = Texts.of(["zinc oxide", "zinc finger", "iron oxide", "x"])
    for found in (Keywords.build(forms), Keywords.build(forms, tmp_path / "k")):
        assert found.search("zinc oxyde", 10)[0] == 0
        assert found.search("zinc", 10, lambda places: places % 2 == 1) == [1]
        assert set(found.search("oxide", 10, lambda places: places % 2 == 0)) == {0, 2}
        assert found.search("qqqq", 10) == []
        assert found.names_with("zinc") == 2 and found.knows("x") and not found.knows("oxid")
    assert Keywords.open(tmp_path / "k", forms).search("iron", 10) == [2]
    with pytest.raises(StoreError, match="4 names where there were 5"):
        Keywords.open(tmp_path / "k", Texts.of([*forms, "y"]))


@given(
    st.lists(st.text("ab é北𝄞", max_size=9).map(normalise).filter(bool), min_size=1, max_size=30),
    st.text("ab é北𝄞", min_size=1, max_size=9).map(normalise).filter(bool),
)
def test_keywords_are_those_that_share_a_word_or_three_letters(names: list[str], form: str) -> None:
    def terms(name: str) -> set[str]:
        return {f" {name} "[i : i + 3] for i in range(len(name))} | {f"{word}." for word in name.split()}

    shared = [i for i, name in enumerate(names) if terms(name) & terms(form)]
    for most in (2, 10**6):  # names in a segment
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("graphtalk.search.keywords._SEGMENT", most)
            patch.setattr("graphtalk.search.keywords._MOST_TERMS", 99)
            found = Keywords.build(Texts.of(names))
        assert set(found.search(form, 99)) == set(shared) or len(terms(form)) > 16
        for word in {word for name in names for word in name.split()}:
            assert found.names_with(word) == sum(word in name.split() for name in names)


def test_vectors_come_back(tmp_path: Path) -> None:
    vectors = load_embedder("static").embed(["a", "北京", ""])
    VectorStore(["a", "北京", ""], vectors).save(tmp_path, "readings")
    found = VectorStore.load(tmp_path, "readings")
    assert found is not None
    assert list(found.keys) == ["a", "北京", ""]
    np.testing.assert_array_equal(found.vectors, vectors)
    assert VectorStore.load(tmp_path, "others") is None
    np.save(tmp_path / "readings.vectors.npy", vectors[:1])
    with pytest.raises(StoreError, match="Import the graph again"):
        VectorStore.load(tmp_path, "readings")


def synthetic(count: int) -> list[str]:
    chance = random.Random(0)
    parts = [
        "cell",
        "growth",
        "kinase",
        "binding",
        "zinc",
        "acute",
        "renal",
        "heart",
        "signal",
        "of",
        "membrane",
    ]
    return [" ".join(chance.sample(parts, 4)) + f" {i}" for i in range(count)]


def test_the_shortlist_holds_the_nearest_vectors(tmp_path: Path) -> None:
    names = synthetic(6_000)
    Dense.build(names, "static").save(tmp_path)
    dense = Dense.load(tmp_path, "static", len(names))
    vectors = load_embedder("static").embed(names)
    for query in ("heart cell growth", "acute renal failure", "zinc binding"):
        exact = vectors @ load_embedder("static").embed([query])[0]
        found, cosines = dense.search(query, 10)
        assert len(set(found.tolist())) == 10
        np.testing.assert_allclose(cosines, exact[found], atol=0.02)
        assert cosines[0] >= exact.max() - 0.03
        among = np.arange(0, 6_000, 2)
        assert set(dense.search(query, 10, among)[0] % 2) == {0}
    with pytest.raises(StoreError, match="Import the graph again"):
        Dense.load(tmp_path, "static", 5_999)


def test_a_paraphrase_is_found_by_meaning() -> None:
    names = ["automobile", "physician", "residence", "banana", "violin", "hydrogen"]
    index = Index.open(graph_of(names))
    for query, meant in (
        ("car", "automobile"),
        ("medical doctor", "physician"),
        ("place to live", "residence"),
    ):
        hits = index.retrieve(query)
        assert names[hits[0].node] == meant
        assert 0 < hits[0].score < 1


def test_names_of_stored_words_survive_noise(tmp_path: Path) -> None:
    names = synthetic(5_000)
    write(graph_of(names), tmp_path / "g", [Index.build])
    graph = open_graph(tmp_path / "g")
    assert isinstance(graph, Graph)
    index, chance = Index.open(graph), random.Random(3)
    right = 0
    for node in chance.sample(range(5_000), 100):
        words = names[node].split()
        words.pop(chance.randrange(4))
        words[0] = words[0][:-1] or words[0]
        right += index.retrieve(" ".join(words))[0].node == node
    assert right >= 95


@pytest.mark.parametrize("vectors", ["now", "later"])
def test_damaged_vectors_are_reported(tmp_path: Path, vectors: When) -> None:
    graph = stored(["zinc", "iron"], tmp_path / "g", vectors)
    if vectors == "later":
        Index.open(graph).retrieve("metal")
    (tmp_path / "g" / "index" / "dense.vectors.npy").write_bytes(b"cut")
    with pytest.raises(StoreError, match="Import the graph again"):
        Index.open(graph).retrieve("metal")


def test_vectors_are_made_when_they_are_first_needed_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = stored(["zinc", "iron", "violin"], tmp_path / "g")
    folder = tmp_path / "g" / "index"
    index = Index.open(graph)
    assert index.retrieve("zinc")[0].node == 0 and not Dense.stored(folder)  # an exact name needs none
    hits = index.retrieve("fiddle")
    assert sorted(p.name for p in folder.glob("*dense*")) == ["dense.signs.npy", "dense.vectors.npy"]
    monkeypatch.setattr(Dense, "build", lambda *_: pytest.fail("made twice"))
    assert Index.open(graph).retrieve("fiddle") == hits
    assert damage(tmp_path / "g") == []


def test_vectors_made_at_import_and_those_made_later_are_the_same(tmp_path: Path) -> None:
    names = synthetic(3_000)
    stored(names, tmp_path / "now", "now")
    Index.open(stored(names, tmp_path / "later")).retrieve("fiddle")
    for part in ("signs", "vectors"):
        one, other = (tmp_path / store / "index" / f"dense.{part}.npy" for store in ("now", "later"))
        assert one.read_bytes() == other.read_bytes()


def test_a_store_that_cannot_be_written_gets_vectors_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = stored(["zinc", "iron", "violin"], tmp_path / "g")
    monkeypatch.setattr("graphtalk.search.dense.os.access", lambda place, mode: False)
    assert Index.open(graph).retrieve("fiddle")[0].node == 2
    assert not Dense.stored(tmp_path / "g" / "index")


def test_vectors_that_cannot_be_kept_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = stored(["zinc", "iron", "violin"], tmp_path / "g")

    def full(self: Dense, folder: Path) -> None:
        (folder / "dense.signs.npy").write_bytes(b"half")
        raise OSError("no space left")

    monkeypatch.setattr(Dense, "save", full)
    assert Index.open(graph).retrieve("fiddle")[0].node == 2
    assert list((tmp_path / "g" / "index").glob("*dense*")) == []


def test_vectors_of_a_store_that_was_replaced_meanwhile_do_not_reach_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = Index.open(stored(["zinc", "iron", "violin"], tmp_path / "g"))
    save = Dense.save

    def slow(self: Dense, folder: Path) -> None:
        stored(["a", "b", "c"], tmp_path / "g")
        save(self, folder)

    monkeypatch.setattr(Dense, "save", slow)
    with pytest.raises(StoreError, match="imported again"):
        index.retrieve("fiddle")
    assert list((tmp_path / "g" / "index").glob("*dense*")) == []


def test_a_store_without_vectors_is_searched_by_letters_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Dense, "build", lambda *_: pytest.fail("there shall be no vectors"))
    index = Index.open(stored(["zinc", "iron", "violin"], tmp_path / "g", "never"))
    assert [hit.node for hit in index.retrieve("violim")] == [2]
    assert index.retrieve("fiddle") == []
    with pytest.raises(UsageError, match="was imported with --no-vectors"):
        retriever(index.graph)


def test_an_index_is_the_same_however_many_names_are_handled_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [*synthetic(40), "Crohn's disease", "", "Purpura, blue"]
    stored(names, tmp_path / "whole")
    for place in ("search.names", "search.arrays", "graphs.graph"):
        monkeypatch.setattr(f"graphtalk.{place}._BLOCK", 7)
    graph = stored(names, tmp_path / "parts")
    for file in (tmp_path / "whole").glob("index/keys.*"):
        assert file.read_bytes() == (tmp_path / "parts" / "index" / file.name).read_bytes(), file.name
    index = Index.open(graph)
    assert all(node in index.exact(name) for node, name in enumerate(names) if name)
    assert [hit.node for hit in index.retrieve("crohn desease", k=1)] == [40]
    assert list(Texts.of(names)) == names and [graph.find(f"n{i}") for i in (0, 6, 7, 42)] == [0, 6, 7, 42]


def test_many_names_get_no_vectors_while_a_question_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphtalk.search.index.MOST_AT_ONCE", 2)
    names = ["zinc", "iron", "violin"]
    index = Index.open(stored(names, tmp_path / "later"))
    assert [hit.node for hit in index.retrieve("violim")] == [2] and index.retrieve("fiddle") == []
    assert not Dense.stored(tmp_path / "later" / "index")
    assert Index.open(stored(names, tmp_path / "now", "now")).retrieve("fiddle")[0].node == 2


def test_vectors_that_are_being_made_are_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphtalk.search.index._FEW", 2)
    monkeypatch.setattr("graphtalk.search.dense._EMBEDDED", 1)
    stop, embed = threading.Event(), StaticTable.embed

    def watched(self: StaticTable, texts: Sequence[str]) -> Vectors:
        assert not stop.is_set(), "it went on after it was to stop"
        stop.set()
        return embed(self, texts)

    index = Index.open(stored(["zinc", "iron", "violin"], tmp_path / "g"))
    monkeypatch.setattr(StaticTable, "embed", watched)
    with pytest.raises(GraphtalkError), cancellable(stop):
        index.retrieve("fiddle")
    assert not Dense.stored(tmp_path / "g" / "index")


def stored(names: list[str], place: Path, vectors: When = "later") -> Graph:
    write(graph_of(names), place, [partial(Index.build, vectors=vectors)])
    graph = open_graph(place)
    assert isinstance(graph, Graph)
    return graph


@given(st.lists(st.text(max_size=12), max_size=6), st.text(max_size=12))
def test_any_names_can_be_indexed_and_found(names: list[str], query: str) -> None:
    graph = graph_of(names)
    index = Index.open(graph)
    for node, name in enumerate(names):
        assert not normalise(name) or node in index.exact(name)
    assert all(0 <= hit.node < len(names) and 0 < hit.score <= 1 for hit in index.retrieve(query))
