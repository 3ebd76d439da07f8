"""What keeps the offline annotator from wrong calls: guards, slips of spelling, and texts that ask for several things."""

from pathlib import Path
from typing import cast

import numpy as np
import pytest

from graphtalk.reasoners.toolformer.annotator import DeclinedError
from graphtalk.reasoners.toolformer.offline import OfflineAnnotator, open_offline_annotator
from graphtalk.reasoners.toolformer.offline.candidates import Candidate, links, names, nodes, sentence_of
from graphtalk.reasoners.toolformer.offline.catalogue import shipped_catalogue
from graphtalk.reasoners.toolformer.offline.clauses import parts
from graphtalk.reasoners.toolformer.offline.guards import shipped_guards
from graphtalk.reasoners.toolformer.offline.mentions import read
from graphtalk.reasoners.toolformer.offline.ranking import BUCKETS, About, Ranker, hashed
from graphtalk.reasoners.toolformer.offline.spelling import corrected
from graphtalk.search.spelling import near
from graphtalk.training.annotator.measure import in_pairs, outcome

DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="module")
def annotator() -> OfflineAnnotator:
    return open_offline_annotator()


def gpr(name: str, function: str) -> str:
    return f'[GR(GL("gpr", {{"{name}"}}), "toolx:{function}")-->r]'


def fitting(text: str, family: str, *functions: str) -> list[str]:
    return shipped_guards().fitting(read(text, shipped_catalogue()).shape, family, functions)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("How many communities are there in cora?", ["kmeans:community_count"]),
        ("How many different papers does cora hold?", ["toolx:order"]),
        ("How many relations does cora have?", []),
        ("How many hops separate papers in cora?", []),
        ("Into communities or papers, what is cora split?", ["kmeans:community_count", "toolx:order"]),
    ],
)
def test_a_function_is_asked_for_only_where_it_counts_what_is_counted(text: str, left: list[str]) -> None:
    assert fitting(text, "bibliographic", "kmeans:community_count", "toolx:order") == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("In WordNet, which entity has entity #a.n.01 as its tail under relation #_r?", "head"),
        ("In WordNet, what is the object if the subject is entity #a.n.01 and the relation #_r?", "tail"),
        ("WordNet: (?, _rel, a.n.01)", "head"),
        ("WordNet: a.n.01 --_rel--> ?", "tail"),
        ("WordNet: from entity #a.n.01 over _rel to what?", "tail"),
    ],
)
def test_the_end_that_is_asked_for_is_not_the_one_that_is_given(text: str, left: str) -> None:
    ends = ("transe:head_entity", "transe:tail_entity")
    assert fitting(text, "knowledge", *ends) == [f"transe:{left}_entity"]


def test_a_value_of_another_kind_is_not_given() -> None:
    assert not fitting("Is the bull graph's order 5?", "property", "toolx:order")
    assert not fitting("What is the connectivity of the bull graph?", "property", "toolx:is_connected")
    assert not fitting("Which community is user #a of twitter in?", "social", "kmeans:community_size")
    assert not fitting(
        "Which genre does user #u1 of movielens like?", "recommender", "bpr:topk_recommendation"
    )
    assert not fitting("Is paper #1 of cora about trees?", "bibliographic", "graph_bert:topic")


def test_people_times_and_reasons_are_no_functions_result() -> None:
    assert not fitting("Who is in a community with user #a of twitter?", "social", "kmeans:community")
    assert not fitting("When did user #a of twitter join a community?", "social", "kmeans:community")
    assert fitting("Which community is user #a of twitter in?", "social", "kmeans:community")


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("eccentrcity", "eccentricity"), ("Radious", "radius"), ("ndoes", "nodes"), ("whats", "what's"),
        ("nodes", "nodes"), ("density", "density"), ("beverage", "beverage"), ("code", "code"), ("moves", "moves"),
    ],
)  # fmt: skip
def test_slips_of_spelling(word: str, meant: str) -> None:
    assert corrected(word) == meant

    assert near("peterson", ("petersen", "pappus")) == ["petersen"]
    assert near("bull", ("ball", "wheel")) == []


def test_misspelt_graphs_and_data_sets_are_met(annotator: OfflineAnnotator) -> None:
    assert annotator.annotate("What is the radius of the peterson graph?").endswith(
        f"peterson graph is {gpr('petersen_graph', 'radius')}."
    )
    assert 'GL("citeseer")' in annotator.annotate("What is the topic of paper #3 in citseer?")
    twister = "The twister game is fun."
    assert annotator.annotate(twister) == twister


def test_parts_of_a_text() -> None:
    found = parts(read("I like trees. What is its order, and how many edges has it?", shipped_catalogue()))
    assert [(part.text, part.asks) for part in found] == [
        ("I like trees.", False),
        ("What is its order", True),
        ("how many edges has it?", True),
    ]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "The bull graph has an order of [TBR] and the house graph has a size of [TBR].",
            f"The bull graph has an order of {gpr('bull_graph', 'order')} and the house graph has a size of "
            f"{gpr('house_graph', 'size')}.",
        ),
        (
            "What is the radius of the star graph and what is its diameter?",
            f"The radius of the star graph is {gpr('star_graph', 'radius')} and its diameter is "
            f"{gpr('star_graph', 'diameter')}.",
        ),
        (
            "What is the radius of the star graph? And how many nodes does the bull graph have?",
            f"The radius of the star graph is {gpr('star_graph', 'radius')}. And the bull graph has "
            f"{gpr('bull_graph', 'order')} nodes.",
        ),
        (
            "What are the order, size and density of the path graph?",
            f"The order of the path graph is {gpr('path_graph', 'order')}, the size is {gpr('path_graph', 'size')} and "
            f"the density is {gpr('path_graph', 'density')}.",
        ),
        (
            "The radius and the diameter of the star graph are [TBR].",
            f"The radius and the diameter of the star graph are {gpr('star_graph', 'radius')} and "
            f"{gpr('star_graph', 'diameter')}.",
        ),
        (
            "How many nodes and edges does the wheel graph have?",
            f"The wheel graph has {gpr('wheel_graph', 'order')} nodes and {gpr('wheel_graph', 'size')} edges.",
        ),
        (
            "What are the topics of paper #3 and paper #4 in cora?",
            'The topics of paper #3 and paper #4 in cora are [GR(GL("cora"), "graph_bert:topic", paper#3)-->r] and '
            '[GR(GL("cora"), "graph_bert:topic", paper#4)-->r].',
        ),
        (
            "Paper #3 of cora is about [TBR], and user #ann of twitter is in community [TBR].",
            'Paper #3 of cora is about [GR(GL("cora"), "graph_bert:topic", paper#3)-->r], and user #ann of twitter is in '
            'community [GR(GL("twitter"), "kmeans:community", user#ann)-->r].',
        ),
    ],
)
def test_texts_that_ask_for_several_things(annotator: OfflineAnnotator, text: str, wanted: str) -> None:
    assert annotator.annotate(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "What is the radius of the bull graph, and is the capital of France Paris?",
        "What is the degree of node #3 in the bull graph and what is its eccentricity?",
        "Which is larger, the bull graph or the house graph?",
        "How many relations does Freebase have?",
        "Do paper #12 and paper #15 of cora have the same topic?",
    ],
)
def test_what_cannot_be_told_apart_is_declined(annotator: OfflineAnnotator, text: str) -> None:
    with pytest.raises(DeclinedError):
        annotator.annotate(text)


def test_two_texts_in_one_are_not_muddled(annotator: OfflineAnnotator) -> None:
    lines = (DATA / "annotator_blind.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith(("#", "unrelated"))]
    made = list(in_pairs([(text, wanted) for _, text, wanted in rows], 60))
    found = [(*outcome(annotator, text, wanted), text) for text, wanted in made]
    assert len([each for each in found if each[0] == "wrong"]) <= 2, found
    assert len([each for each in found if each[0] == "right" and each[1] != each[2]]) >= 10


def test_any_graph_may_be_asked_for_communities(annotator: OfflineAnnotator) -> None:
    given = annotator.annotate("How many communities are there in the cora network?")
    assert (
        given == 'There are [GR(GL("cora"), "kmeans:community_count")-->r] communities in the cora network.'
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Bones, muscles, tendons, and ligaments are in the body.",
            '{"bones", "muscles", "tendons", "ligaments"}',
        ),
        ("Organs such as lungs, bronchi and the trachea are near.", '{"lungs", "bronchi", "trachea"}'),
        ("The forum holds users, posts, and comments.", '"all user, post, and comment nodes"'),
        ("The Dune series by Frank Herbert is long.", '{"Dune", "Frank Herbert"}'),
        ('The series "Black Mirror" shows technology.', '{"Black Mirror"}'),
        ("The body has a frontal lobe and a parietal lobe.", '{"Frontal lobe", "Parietal lobe"}'),
    ],
)
def test_subsets_that_a_text_names_or_lists_are_tried(text: str, expected: str) -> None:
    assert expected in {each.text for each in nodes(sentence_of(text), ())}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The protein structure of hemoglobin consists of chains.", '"hemoglobin-protein-graph"'),
        ("The citation network of the DBLP computer science bibliography grows.", '"dblp-citation-network"'),
        (
            "The collaboration network among researchers in the field of machine learning grows.",
            '"machine-learning-collaboration-network"',
        ),
        ("The Game of Thrones series is based on books.", '"game-of-thrones-graph"'),
        ("The oil and gas industry is old.", '"oil-and-gas-industry-graph"'),
    ],
)
def test_names_that_a_text_says_in_another_order_are_tried(text: str, expected: str) -> None:
    assert expected in {each.text for each in names(sentence_of(text))}


def test_a_name_made_in_several_ways_is_as_likely_as_all_of_them() -> None:
    class One:
        def features(self, candidate: Candidate) -> list[str]:
            return [candidate.how]

    weights = np.zeros(BUCKETS, dtype=np.float32)
    weights[hashed(["a", "b", "c"])] = 1.0, 1.0, 1.5
    given = [Candidate('"x"', "a"), Candidate('"X"', "b"), Candidate('"y"', "c")]
    assert Ranker(weights).choose(cast(About, One()), given).text in ('"x"', '"X"')


def test_lists_and_quotes_that_end_nowhere_are_read() -> None:
    for text in (
        "",
        '"',
        "a, b and",
        "and, and",
        'The "',
        "A,",
        "one and two and three and four and five and six and seven",
    ):
        sentence = sentence_of(text)
        assert all(each.text for each in (*nodes(sentence, ()), *links(sentence, ())))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("How dense is the bull graph? Its density is [TBR].", "density"),
        ("What is the radius of the bull graph? It is [TBR].", "radius"),
        ("What is the order of the bull graph? [TBR]", "order"),
    ],
)
def test_a_question_is_answered_in_the_gap_behind_it(
    annotator: OfflineAnnotator, text: str, told: str
) -> None:
    assert annotator.annotate(text) == text.replace("[TBR]", gpr("bull_graph", told))


@pytest.mark.parametrize(
    "text",
    [
        "Is the bull graph planar? Its diameter is [TBR].",
        "What is the girth of the bull graph? It is [TBR].",
        "What is the topic of cora paper 902? It was written by [TBR].",
    ],
)
def test_a_gap_behind_a_question_that_no_function_answers_is_declined(
    annotator: OfflineAnnotator, text: str
) -> None:
    with pytest.raises(DeclinedError):
        annotator.annotate(text)
