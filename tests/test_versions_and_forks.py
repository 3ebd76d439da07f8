"""What packages do by their versions, and what was forked from them."""

import pytest

import graphtalk as gt
from phrase_graphs import imported

TABLES = {
    "packages": "id,name\nk1,alder\nk2,birch\nk3,cedar\nk4,dogwood\n",
    "forked_from": "package,origin_package\nk2,k1\nk3,k1\n",
    "versions": "id,number,released,package\nv1,1.0,2020-01-01,k1\nv2,1.1,2021-01-01,k1\nv3,2.0,2021-05-01,k2\nv4,3.0,2022-01-01,k3\n",
    "depends_on": "version,package\nv1,k4\nv2,k4\nv3,k1\nv4,k1\nv4,k4\n",
    "flaws": "id,name\nf1,FL-7\nf2,FL-9\n",
    "affects": "flaw,version\nf1,v1\nf1,v3\nf2,v4\n",
}


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    """Packages with versions, which depend on packages."""
    return imported(TABLES, tmp_path_factory.mktemp("registry"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which packages depend on dogwood?", ["alder", "cedar"]),
        ("How many packages depend on alder?", 2),
        ("What does cedar depend on?", ["alder", "dogwood"]),
        ("How many packages does alder depend on?", 1),
        ("Which packages are affected by FL-7?", ["alder", "birch"]),
        ("forks of alder", ["birch", "cedar"]),
        ("What is birch a fork of?", ["alder"]),
        ("How many forks does alder have?", 2),
        ("Which package has the most forks?", ["alder"]),
    ],
)
def test_versions_and_forks(registry: gt.Session, question: str, value: object) -> None:
    answer = registry.ask(question)
    assert answer.answered, answer.text
    assert (sorted(answer.value) if isinstance(answer.value, list) else answer.value) == value


@pytest.mark.parametrize(
    "question", ["Which packages conflict with dogwood?", "Who forked alder?", "spoons of alder"]
)
def test_other_words_are_declined(registry: gt.Session, question: str) -> None:
    assert not registry.ask(question).answered
