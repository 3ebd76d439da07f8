"""The cases of the paper's tables 5, 6 and 7, and of section 5.9, by the offline annotator."""

import pytest

from graphtalk.calls import show
from graphtalk.calls.ast import Call
from graphtalk.core import CallError
from graphtalk.reasoners.toolformer.offline import open_offline_annotator
from graphtalk.reasoners.toolformer.statement import read_statement
from graphtalk.tools.registry import default_registry

VOCABULARY = default_registry().vocabulary
ANNOTATOR = open_offline_annotator()

# An input, and the calls that it needs: with their output, and those without.
RIGHT = {
    # table 5
    "What is the order of the diamond graph?": ['GR(GL("gpr", {"diamond_graph"}), "toolx:order")'],
    "The path graph has a center at nodes [TBR].": ['GR(GL("gpr", {"path_graph"}), "toolx:center")'],
    "The nodes in the wheel graph have eccentricity values of [TBR].": [
        'GR(GL("gpr", {"wheel_graph"}), "toolx:eccentricity")'
    ],
    "What is the topic of paper #83826 in the cora bibliographic network?": [
        'GR(GL("cora"), "graph_bert:topic", paper#83826)'
    ],
    "Paper #2998, situated in the citeseer bibliographic network, is centered around the [TBR] topic.": [
        'GR(GL("citeseer"), "graph_bert:topic", paper#2998)'
    ],
    "Within the pubmed bibliographic network, paper #16466 focuses on the subject of [TBR].": [
        'GR(GL("pubmed"), "graph_bert:topic", paper#16466)'
    ],
    "What is the function for the protein molecular graph #138 in proteins?": [
        'GR(GL("proteins"), "seg_bert:molecule_function", instance#138)'
    ],
    "In mutag, instance #30 of the chemical molecular graph demonstrates a function of [TBR].": [
        'GR(GL("mutag"), "seg_bert:molecule_function", instance#30)'
    ],
    "For chemical molecular graph instance #652 in nci1, its function is [TBR].": [
        'GR(GL("nci1"), "seg_bert:molecule_function", instance#652)'
    ],
    "The chemical molecular graph numbered 239 in ptc is characterized by a function of [TBR].": [
        'GR(GL("ptc"), "seg_bert:molecule_function", instance#239)'
    ],
    "How likely user #A1HOLE9R6WPT85 will be interested in item #B00005MOTF in Amazon?": [
        'GR(GL("amazon"), "bpr:recommendation", user#A1HOLE9R6WPT85, item#B00005MOTF)'
    ],
    "In Movielens, the top 10 movies that user #u272 likes include [TBR].": [
        'GR(GL("movielens"), "bpr:topk_recommendation", user#u272, 10)'
    ],
    "In the online social network foursquare, which community is user user/1265481 involved in?": [
        'GR(GL("foursquare"), "kmeans:community", user#user/1265481)'
    ],
    "In the online social network twitter, are user #deeprogress and user #alejandro1254 belong to the same "
    "community?": [
        'GR(GL("twitter"), "kmeans:common_community_check", user#deeprogress, user#alejandro1254)'
    ],
    "According to the Freebase knowledge graph, what is the relation between entity#/m/053yx and entity#/m/015_1q?": [
        'GR(GL("freebase"), "transe:relation", entity#/m/053yx, entity#/m/015_1q)'
    ],
    # table 6: what the fine-tuned GPT-J got wrong
    "Nodes have the largest eccentricity [TBR] in the lollipop graph, which make them part of its periphery.": [
        'GR(GL("gpr", {"lollipop_graph"}), "toolx:periphery")'
    ],
    "The nodes with the smallest eccentricity in the house x graph are [TBR], which are also the center of the tree.": [
        'GR(GL("gpr", {"house_x_graph"}), "toolx:center")'
    ],
    "What is the length of shortest path between node #3 and node #2 in the diamond graph?": [
        'GR(GL("gpr", {"diamond_graph"}), "toolx:shortest_path", "node#3", "node#2")'
    ],
    "The cora bibliographic network' paper #28487 is concerned with the area of [TBR].": [
        'GR(GL("cora"), "graph_bert:topic", paper#28487)'
    ],
    "What is the topic of paper #5832 in the pubmed bibliographic network?": [
        'GR(GL("pubmed"), "graph_bert:topic", paper#5832)'
    ],
    "What is the function for the protein molecular graph #573 in proteins?": [
        'GR(GL("proteins"), "seg_bert:molecule_function", instance#573)'
    ],
    "In Amazon, what is the item that user #A3C08BZRVV500V will be most likely to purchase next?": [
        'GR(GL("amazon"), "bpr:topk_recommendation", user#A3C08BZRVV500V, 1)'
    ],
    "In Movielens, which movie user #u273 will be most likely to watch next?": [
        'GR(GL("movielens"), "bpr:topk_recommendation", user#u273, 1)'
    ],
    "In Last-fm, which artisit user #u1156 will be most likely to listen to next?": [
        'GR(GL("last-fm"), "bpr:topk_recommendation", user#u1156, 1)'
    ],
    "In the online social network foursquare, are user #victorcarbonero and user #user/11979222 belong to the same "
    "community?": [
        'GR(GL("foursquare"), "kmeans:common_community_check", user#victorcarbonero, user#user/11979222)'
    ],
    "According to the Freebase knowledge graph, from entity#/m/03r8tl, via relation "
    "#/award/award_category/nominees./award/award_nomination/award_nominee, what entity can we derive?": [
        'GR(GL("freebase"), "transe:tail_entity", entity#/m/03r8tl, '
        "relation#/award/award_category/nominees./award/award_nomination/award_nominee)"
    ],
}

# Table 7: a new data set, where a call of its own is right and so is none, and a new task, which no function does.
NEW_DATA = {
    "What is the density of the Random Graph?": "toolx:density",
    "What is the diameter of the online social network Twitter?": "toolx:diameter",
    "What is the topic of paper #1111 in the DBLP bibliographic network?": "graph_bert:topic",
    "In AlphaFold, instance #30 of the protein molecular graph demonstrates a function of [TBR].": (
        "seg_bert:molecule_function"
    ),
    "What is the rating score user #Bob gives to movie #Titanic at IMDB?": "bpr:recommendation",
    "In Facebook, what is the id of user #random_user's community?": "kmeans:community",
    "According to the wikipedia knowledge graph, what is the relation between entity #Donald_Trump and entity "
    "#United_State_of_America?": "transe:relation",
}
NEW_TASKS = (
    "What is the new_attribute of the bull graph?",
    "Who are the authors of the paper #111 in the cora bibliographic network?",
    "How many atoms are there in the protein molecular graph #111 in mutag?",
    "In Amazon, what is the brand that user #Bob will be mostly likely to purchase next?",
    "In online social network Twitter, are user #Alex and user #Bob both following Elon Musk?",
    "According to the Freebase knowledge graph, how many relations are there between entity #Donald_Trump and entity "
    "#United_States_of_America?",
)
NO_GRAPH = (
    "The baker opens at seven and sells out by noon.",
    "What is the capital of France?",
    "She watched a movie on Friday and went home.",
    "Who wrote Pride and Prejudice?",
    "My order of two coffees came to nine euros.",
    "The radius of the Earth is about 6,371 kilometres.",
    "We met at the center of the village.",
    "Please translate this sentence into Latin.",
)


def calls_of(text: str) -> list[tuple[str, bool]]:
    """The calls that are written into a text; none where it is declined."""
    try:
        annotated = ANNOTATOR.annotate(text)
    except CallError:
        return []
    calls = read_statement(annotated, VOCABULARY).calls
    assert calls or annotated == text
    return [(show(placed.call, "toolformer", VOCABULARY), placed.inserts) for placed in calls]


@pytest.mark.parametrize(("text", "calls"), list(RIGHT.items()))
def test_tables_5_and_6(text: str, calls: list[str]) -> None:
    assert [call for call, inserts in calls_of(text) if inserts] == calls


def test_table_5_a_question_that_the_paper_reads_against_its_words() -> None:
    """The words ask where the relation leads; the paper's call asks where it comes from, as its other prompts do."""
    text = (
        "According to the WordNet knowledge graph, via relation #_hypernym, what entity can we obtain from entity "
        "#imagination.n.02?"
    )
    ((call, inserts),) = calls_of(text)
    assert inserts
    assert call in (
        'GR(GL("wordnet"), "transe:head_entity", relation#_hypernym, entity#imagination.n.02)',
        'GR(GL("wordnet"), "transe:tail_entity", entity#imagination.n.02, relation#_hypernym)',
    )


@pytest.mark.parametrize(("text", "function"), list(NEW_DATA.items()))
def test_table_7_new_data_works_or_is_declined(text: str, function: str) -> None:
    wanted = VOCABULARY.canonical(function)
    for placed in _calls(text):
        assert placed.function == wanted


def _calls(text: str) -> list[Call]:
    try:
        return [placed.call for placed in read_statement(ANNOTATOR.annotate(text), VOCABULARY).calls]
    except CallError:
        return []


@pytest.mark.parametrize("text", NEW_TASKS)
def test_table_7_new_tasks_are_declined(text: str) -> None:
    assert calls_of(text) == []


@pytest.mark.parametrize("text", NO_GRAPH)
def test_texts_that_have_nothing_to_do_with_graphs_come_back(text: str) -> None:
    assert ANNOTATOR.annotate(text) == text
