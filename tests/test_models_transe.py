"""TransE: a tiny kinship is learnt, ranks are filtered as they should be, and what cannot be is said."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from graphtalk.core import CheckError, UsageError
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from graphtalk.models import transe

FAMILIES = 12
SMALL = transe.TransEConfig(dimensions=16, epochs=150, batch=64, negatives=32, rate=0.2)


def kinship(splits: bool = True) -> Graph:
    """Families of a father, a mother and a child: three relations, of which the third follows from the others.

    The mother of every fourth child is in the split "test".
    """
    father, mother, child = (np.arange(FAMILIES) * 3 + i for i in range(3))
    people = NodeTable("person", pa.table({"id": [f"{who}{i}" for i in range(FAMILIES) for who in "fmc"]}))
    told = pa.table({"split": ["test" if i % 4 == 0 else "train" for i in range(FAMILIES)]})
    learnt = pa.table({"split": ["train"] * FAMILIES})
    edges = [
        EdgeTable("wife", "person", "person", father, mother, learnt if splits else None, "husband"),
        EdgeTable("father", "person", "person", child, father, learnt if splits else None, "father of"),
        EdgeTable("mother", "person", "person", child, mother, told if splits else None, "mother of"),
    ]
    return build([people], edges, "kin")


@pytest.fixture(scope="module")
def fitted() -> transe.TransEModel:
    return transe.fit(kinship(), SMALL, seed=1)


def test_facts_that_were_not_learnt_follow_from_those_that_were(fitted: transe.TransEModel) -> None:
    graph = kinship()
    right = [fitted.tail_entity(graph.node(f"c{i}"), "mother") == graph.node(f"m{i}") for i in (0, 4, 8)]
    assert sum(right) >= 2
    assert fitted.card.scores["Hits@10"] == 1.0 and fitted.card.scores["MRR"] > 0.5


def test_facts_that_were_learnt_are_told_both_ways_and_by_their_relation(fitted: transe.TransEModel) -> None:
    graph = kinship()
    for i in (1, 5, 10):
        f, m, c = (graph.node(f"{who}{i}") for who in "fmc")
        assert fitted.tail_entity(f, "wife") == m and fitted.head_entity("wife", m) == f
        assert fitted.relation(c, f) == "father" and fitted.relation(c, m) == "mother"


def test_only_the_split_train_is_learnt_where_there_is_one() -> None:
    assert len(transe.triples(kinship(), "train").facts) == 3 * FAMILIES - 3
    assert len(transe.triples(kinship(splits=False), "train").facts) == 3 * FAMILIES
    assert transe.fit(kinship(splits=False), replace(SMALL, epochs=1)).card.scores == {}


def test_ranks_leave_out_other_true_ends_and_count_ties_half() -> None:
    places = np.array([[0.0], [1.0], [1.2], [3.0], [1.0]], np.float32)
    steps = np.array([[1.0], [-1.0]], np.float32)
    model = transe.TransEModel(places, steps, ("next",))
    asked, other = np.array([[0, 0, 2]]), np.array([[0, 0, 1]])
    # from 0, next leads to 1.0: nodes 1 and 4 are nearer than 2; node 1 is true too. From 2 back, 0.2: 0 is nearest.
    found = transe.link_scores(model, asked, np.concatenate([asked, other]))
    assert found.mrr == pytest.approx((1 / 2 + 1) / 2) and found.hits_10 == 1 and found.hits_1 == 0.5
    tied = transe.link_scores(model, other, other)  # nodes 1 and 4 lie in one place; back, 0 is nearest
    assert tied.mrr == pytest.approx((1 / 1.5 + 1) / 2)


def test_the_slopes_are_those_of_the_loss() -> None:
    """A step's slopes against differences of the loss, the softmax over the true end and the others."""
    random = np.random.default_rng(0)
    entities = random.normal(size=(6, 3)).astype(np.float32)
    relations = random.normal(size=(2, 3)).astype(np.float32)
    batch, others = np.array([[0, 0, 1], [2, 1, 3]]), np.array([4, 5, 1])

    def loss(e: np.ndarray, r: np.ndarray) -> float:
        total = 0.0
        for start, relation, end in batch:
            reached = e[start] + r[relation]
            ends = [end, *(o for o in others if o != end)]
            near, *far = [-np.sqrt(((reached - e[o]) ** 2).sum()) for o in ends]
            total += float(np.log(np.exp(near) + np.exp(far).sum()) - near)
        return total

    class Kept:
        def __init__(self, vectors: np.ndarray) -> None:
            self.vectors, self.slopes = vectors, np.zeros_like(vectors)

        def climb(self, rows: np.ndarray, slopes: np.ndarray, shrink: float = 0, share: float = 1) -> None:
            np.add.at(self.slopes, rows, slopes)

    kept = Kept(entities), Kept(relations)
    transe._step(*kept, batch, others, 1.0)
    for table, one in enumerate(kept):
        for place in np.ndindex(one.vectors.shape):
            moved = [entities.astype(float).copy(), relations.astype(float).copy()]
            moved[table][place] += 1e-4
            up = loss(*moved)
            moved[table][place] -= 2e-4
            assert -(up - loss(*moved)) / 2e-4 == pytest.approx(one.slopes[place], abs=2e-3)


def test_the_same_seed_gives_the_same() -> None:
    first, second = (transe.fit(kinship(), replace(SMALL, epochs=3), seed=5) for _ in range(2))
    assert np.array_equal(first.entities, second.entities)


def test_saved_and_loaded_it_is_the_same(tmp_path: Path, fitted: transe.TransEModel) -> None:
    fitted.save(tmp_path / "m")
    again = transe.TransEModel.load(tmp_path / "m", kinship())
    assert again.names == ("wife", "father", "mother")
    assert np.array_equal(again.tails(0, "wife"), fitted.tails(0, "wife"))


def test_progress_counts_epochs() -> None:
    told: list[tuple[int, int]] = []
    transe.fit(kinship(), replace(SMALL, epochs=3), progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_what_was_not_learnt_is_refused(fitted: transe.TransEModel) -> None:
    with pytest.raises(CheckError, match=r"fitted on no relation 'wfe'. Did you mean wife\?"):
        fitted.tail_entity(0, "wfe")
    with pytest.raises(CheckError, match="there is no entity 36"):
        fitted.head_entity("wife", 36)
    alone = build([NodeTable("person", pa.table({"id": ["a"]}))], [], "alone")
    with pytest.raises(UsageError, match="alone has no facts to learn from"):
        transe.fit(alone)
