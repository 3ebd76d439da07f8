"""The cases of the paper's tables 5, 6 and 7, and of section 5.9, by the offline annotator."""

from dataclasses import dataclass

import pytest

from graphtalk.calls import show
from graphtalk.calls.ast import Call, Items
from graphtalk.core import JSON, CallError
from graphtalk.graphs import builtin
from graphtalk.reasoners.toolformer.completion import completed, run_calls
from graphtalk.reasoners.toolformer.offline import open_offline_annotator
from graphtalk.reasoners.toolformer.statement import read_statement
from graphtalk.tools.executor import Executor, Result
from graphtalk.tools.registry import Registry, default_registry
from graphtalk.tools.trail import Ran
from graphtalk.tools.types import Type

VOCABULARY = default_registry().vocabulary
ANNOTATOR = open_offline_annotator()

# Table 5, row by row: an input, its statement with the call in the place of {}, the call, the result that the paper tells, and
# how that stands in the final text.
TABLE_5: tuple[tuple[str, str, str, JSON, str], ...] = (
    (
        "What is the order of the diamond graph?",
        "The order of the diamond graph is {}.",
        'GR(GL("gpr", {"diamond_graph"}), "toolx:order")',
        4,
        "4",
    ),
    (
        "The path graph has a center at nodes [TBR].",
        "The path graph has a center at nodes {}.",
        'GR(GL("gpr", {"path_graph"}), "toolx:center")',
        ["5", "6"],
        "[5, 6]",
    ),
    (
        "The nodes in the wheel graph have eccentricity values of [TBR].",
        "The nodes in the wheel graph have eccentricity values of {}.",
        'GR(GL("gpr", {"wheel_graph"}), "toolx:eccentricity")',
        {"0": 1, "1": 2, "2": 2, "3": 2, "4": 2, "5": 2},
        "{0: 1, 1: 2, 2: 2, 3: 2, 4: 2, 5: 2}",
    ),
    (
        "What is the topic of paper #83826 in the cora bibliographic network?",
        "The topic of paper #83826 in the cora bibliographic network is {}.",
        'GR(GL("cora"), "graph_bert:topic", paper#83826)',
        "Neural_Networks",
        "Neural_Networks",
    ),
    (
        "Paper #2998, situated in the citeseer bibliographic network, is centered around the [TBR] topic.",
        "Paper #2998, situated in the citeseer bibliographic network, is centered around the {} topic.",
        'GR(GL("citeseer"), "graph_bert:topic", paper#2998)',
        "AI",
        "AI",
    ),
    (
        "Within the pubmed bibliographic network, paper #16466 focuses on the subject of [TBR].",
        "Within the pubmed bibliographic network, paper #16466 focuses on the subject of {}.",
        'GR(GL("pubmed"), "graph_bert:topic", paper#16466)',
        "1",
        "1",
    ),
    (
        "What is the function for the protein molecular graph #138 in proteins?",
        "The function for the protein molecular graph #138 in proteins is {}.",
        'GR(GL("proteins"), "seg_bert:molecule_function", instance#138)',
        "0",
        "0",
    ),
    (
        "In mutag, instance #30 of the chemical molecular graph demonstrates a function of [TBR].",
        "In mutag, instance #30 of the chemical molecular graph demonstrates a function of {}.",
        'GR(GL("mutag"), "seg_bert:molecule_function", instance#30)',
        "2",
        "2",
    ),
    (
        "For chemical molecular graph instance #652 in nci1, its function is [TBR].",
        "For chemical molecular graph instance #652 in nci1, its function is {}.",
        'GR(GL("nci1"), "seg_bert:molecule_function", instance#652)',
        "0",
        "0",
    ),
    (
        "The chemical molecular graph numbered 239 in ptc is characterized by a function of [TBR].",
        "The chemical molecular graph numbered 239 in ptc is characterized by a function of {}.",
        'GR(GL("ptc"), "seg_bert:molecule_function", instance#239)',
        "0",
        "0",
    ),
    (
        "How likely user #A1HOLE9R6WPT85 will be interested in item #B00005MOTF in Amazon?",
        "The likelihood that user #A1HOLE9R6WPT85 will be interested in item #B00005MOTF in Amazon is {}.",
        'GR(GL("amazon"), "bpr:recommendation", user#A1HOLE9R6WPT85, item#B00005MOTF)',
        0.0081,
        "0.008",
    ),
    (
        "The likelihood that user #u1527 will be interested in music from artisit #i5422 in Last-fm is [TBR].",
        "The likelihood that user #u1527 will be interested in music from artisit #i5422 in Last-fm is {}.",
        'GR(GL("last-fm"), "bpr:recommendation", user#u1527, artist#i5422)',  # the paper spells artisit#i5422
        0.24831,
        "0.248",
    ),
    (
        "In Movielens, the top 10 movies that user #u272 likes include [TBR].",
        "In Movielens, the top 10 movies that user #u272 likes include {}.",
        'GR(GL("movielens"), "bpr:topk_recommendation", user#u272, 10)',
        ["i286", "i288", "i258", "i294", "i300", "i50", "i313", "i100", "i181", "i269"],
        "['i286', 'i288', 'i258', 'i294', 'i300', 'i50', 'i313', 'i100', 'i181', 'i269']",
    ),
    (
        "In the online social network foursquare, which community is user user/1265481 involved in?",
        "In the online social network foursquare, user user/1265481 is involved in the {} communities formed by users.",
        'GR(GL("foursquare"), "kmeans:community", user#user/1265481)',
        2,
        "#2",
    ),
    (
        "In the online social network twitter, are user #deeprogress and user #alejandro1254 belong to the same "
        "community?",
        "In the online social network twitter, user #deeprogress and user #alejandro1254 belong to {} community.",
        'GR(GL("twitter"), "kmeans:common_community_check", user#deeprogress, user#alejandro1254)',
        True,
        "the same",
    ),
    (
        "According to the Freebase knowledge graph, what is the relation between entity#/m/053yx and entity#/m/015_1q?",
        "According to the Freebase knowledge graph, the relation between entity#/m/053yx and entity#/m/015_1q is {}.",
        'GR(GL("freebase"), "transe:relation", entity#/m/053yx, entity#/m/015_1q)',
        "/music/artist/label",
        "/music/artist/label",
    ),
)

# Table 6, row by row: an input that the fine-tuned GPT-J got wrong, and the true statement.
TABLE_6 = {
    "Nodes have the largest eccentricity [TBR] in the lollipop graph, which make them part of its periphery.": (
        'Nodes [GR(GL("gpr", {"lollipop_graph"}), "toolx:periphery")-->r] have the largest eccentricity '
        '[GR(GL("gpr", {"lollipop_graph"}), "toolx:eccentricity")] in the lollipop graph, which make them part of its '
        "periphery."
    ),
    "The nodes with the smallest eccentricity in the house x graph are [TBR], which are also the center of the tree.": (
        'The nodes with the smallest eccentricity [GR(GL("gpr", {"house_x_graph"}), "toolx:eccentricity")] in the '
        'house x graph are [GR(GL("gpr", {"house_x_graph"}), "toolx:center")-->r], which are also the center of the tree.'
    ),
    "What is the length of shortest path between node #3 and node #2 in the diamond graph?": (
        "In the diamond graph, the length of shortest path between node #3 and node #2 is "
        '[GR(GL("gpr", {"diamond_graph"}), "toolx:shortest_path", "node#3", "node#2")-->r].'
    ),
    "The cora bibliographic network' paper #28487 is concerned with the area of [TBR].": (
        "The cora bibliographic network' paper #28487 is concerned with the area of "
        '[GR(GL("cora"), "graph_bert:topic", paper#28487)-->r].'
    ),
    "What is the topic of paper #5832 in the pubmed bibliographic network?": (
        "The topic of paper #5832 in the pubmed bibliographic network is "
        '[GR(GL("pubmed"), "graph_bert:topic", paper#5832)-->r].'
    ),
    "What is the function for the protein molecular graph #573 in proteins?": (
        "The function for the protein molecular graph #573 in proteins is "
        '[GR(GL("proteins"), "seg_bert:molecule_function", instance#573)-->r].'
    ),
    "In Amazon, what is the item that user #A3C08BZRVV500V will be most likely to purchase next?": (
        "In Amazon, the item that user #A3C08BZRVV500V will be most likely to purchase next is "
        '[GR(GL("amazon"), "bpr:topk_recommendation", user#A3C08BZRVV500V, 1)-->r].'
    ),
    "In Movielens, which movie user #u273 will be most likely to watch next?": (
        "In Movielens, the movie that user #u273 will be most likely to watch next is "
        '[GR(GL("movielens"), "bpr:topk_recommendation", user#u273, 1)-->r].'
    ),
    "In the online social network foursquare, are user #victorcarbonero and user #user/11979222 belong to the same "
    "community?": (
        "In the online social network foursquare, user #victorcarbonero and user #user/11979222 belong to "
        '[GR(GL("foursquare"), "kmeans:common_community_check", user#victorcarbonero, user#user/11979222)-->r] community.'
    ),
    "In the online social network twitter, are user #iancr and user #ClassyIndeed belong to the same community?": (
        "In the online social network twitter, user #iancr and user #ClassyIndeed belong to "
        '[GR(GL("twitter"), "kmeans:common_community_check", user#iancr, user#ClassyIndeed)-->r] community.'
    ),
    "According to the WordNet knowledge graph, via relation #_derivationally_related_form, we can obtain entity "
    "#scaremonger.n.01 from entity [TBR].": (
        "According to the WordNet knowledge graph, via relation #_derivationally_related_form, we can obtain entity "
        '#scaremonger.n.01 from entity [GR(GL("wordnet"), "transe:head_entity", relation#_derivationally_related_form, '
        "entity#scaremonger.n.01)-->r]."
    ),
    "According to the Freebase knowledge graph, from entity#/m/03r8tl, via relation "
    "#/award/award_category/nominees./award/award_nomination/award_nominee, what entity can we derive?": (
        "According to the Freebase knowledge graph, from entity#/m/03r8tl, via relation "
        "#/award/award_category/nominees./award/award_nomination/award_nominee, we can derive entity "
        '[GR(GL("freebase"), "transe:tail_entity", entity#/m/03r8tl, '
        "relation#/award/award_category/nominees./award/award_nomination/award_nominee)-->r]."
    ),
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
    "What is the average shortest path length of the Zachary karate club network?": "toolx:avg_path_length",
    "What is the topic of paper #9 in Semantic Scholar?": "graph_bert:topic",
    "How many nodes are in the Northern Ireland social network?": "toolx:order",
    "The size of the Petersen-like graph is [TBR].": "toolx:size",
}
NEW_TASKS = (
    "What is the new_attribute of node #3 in the bull graph?",
    "Who are the authors of the paper #111 in the cora bibliographic network?",
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


@dataclass(frozen=True)
class Told:
    """In place of an executor: every call gives what the paper tells, since its models and data sets are not here."""

    value: JSON
    registry: Registry

    def run(self, call: Call) -> Result:
        graph = builtin.load("gpr")["bull_graph"]
        return Result(self.value, Type("any"), graph, Ran("", self.value, graph))


@pytest.mark.parametrize(("text", "statement", "call", "value", "said"), TABLE_5)
def test_table_5(text: str, statement: str, call: str, value: JSON, said: str) -> None:
    annotated = ANNOTATOR.annotate(text)
    assert annotated == statement.replace("{}", f"[{call}-->r]")
    read = read_statement(annotated, VOCABULARY)
    told = Told(value, default_registry())
    assert completed(read, tuple(run_calls(read, told))).text == statement.replace("{}", said)  # type: ignore[arg-type]


@pytest.mark.parametrize(("text", "statement", "call", "value", "said"), TABLE_5[:3])
def test_table_5_by_our_own_algorithms(text: str, statement: str, call: str, value: JSON, said: str) -> None:
    read = read_statement(ANNOTATOR.annotate(text), VOCABULARY)
    run = run_calls(read, Executor(builtin.load("gpr")))
    assert completed(read, tuple(run)).text == statement.replace("{}", said)


@pytest.mark.parametrize(("text", "statement"), list(TABLE_6.items()))
def test_table_6(text: str, statement: str) -> None:
    assert ANNOTATOR.annotate(text) == statement


def test_table_6_a_question_with_a_word_misspelt() -> None:
    """Its call is right; that the question becomes a statement is not asked for."""
    text = "In Last-fm, which artisit user #u1156 will be most likely to listen to next?"
    assert calls_of(text) == [('GR(GL("last-fm"), "bpr:topk_recommendation", user#u1156, 1)', True)]


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
def test_table_7_new_data_gets_its_call(text: str, function: str) -> None:
    (call,) = _calls(text)
    assert call.function == VOCABULARY.canonical(function)
    assert isinstance(call.graph, Call)  # of what the text names, not of a data set that is known
    named = call.graph.arguments[-1]
    name = named.values[0] if isinstance(named, Items) else named
    assert str(name.value).replace("_", " ") in text.casefold()  # type: ignore[union-attr]
    read = read_statement(ANNOTATOR.annotate(text), VOCABULARY)
    assert "[not known: " in completed(read, tuple(run_calls(read, Executor(builtin.load("gpr"))))).text


def _calls(text: str) -> list[Call]:
    try:
        return [placed.call for placed in read_statement(ANNOTATOR.annotate(text), VOCABULARY).calls]
    except CallError:
        return []


@pytest.mark.parametrize(
    "text", ["What is the new_attribute of the bull graph?", "The new_attribute of the bull graph is [TBR]."]
)
def test_table_7_a_quantity_that_no_function_has_is_called_by_its_name(text: str) -> None:
    annotated = (
        'The new_attribute of the bull graph is [GR(GL("gpr", {"bull_graph"}), "toolx:new_attribute")-->r].'
    )
    assert ANNOTATOR.annotate(text) == annotated
    read = read_statement(annotated, VOCABULARY)
    said = completed(read, tuple(run_calls(read, Executor(builtin.load("gpr"))))).text
    assert "[not known: No function 'toolx:new_attribute'" in said


@pytest.mark.parametrize("text", NEW_TASKS)
def test_table_7_new_tasks_are_declined(text: str) -> None:
    assert calls_of(text) == []


@pytest.mark.parametrize("text", NO_GRAPH)
def test_texts_that_have_nothing_to_do_with_graphs_come_back(text: str) -> None:
    assert ANNOTATOR.annotate(text) == text
