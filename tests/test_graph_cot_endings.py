"""How a run with a model ends: names, words, calls and earlier results as answers; refusals in every form."""

import json
import tomllib
from datetime import date
from importlib.resources import files

import numpy as np
import pyarrow as pa
import pytest

import graphtalk as gt
from graphtalk.calls import parse
from graphtalk.core import Answer, Question, Step
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from graphtalk.lms import Reply, ToolCall, Usage, about_tokens
from graphtalk.lms.scripted import Line, ScriptedLM
from graphtalk.reasoners.baselines import Baseline
from graphtalk.reasoners.functions import glosses
from graphtalk.reasoners.g_retriever import SETTINGS, GRetriever
from graphtalk.reasoners.graph_cot.briefing import Briefing
from graphtalk.reasoners.graph_cot.examples import examples
from graphtalk.reasoners.graph_cot.loop import GraphCot
from graphtalk.reasoners.graph_cot.meaning import passed_over
from graphtalk.reasoners.graph_cot.native import NativeMethod
from graphtalk.reasoners.graph_cot.observations import Observer
from graphtalk.reasoners.graph_cot.plan import PlanMethod
from graphtalk.reasoners.graph_cot.text import TextMethod
from graphtalk.reasoners.outline import Outline
from planner_graphs import library, make

BORDERS = "Which countries border Spain?"


@pytest.fixture(scope="module")
def atlas() -> gt.Session:
    return gt.session(gt.open("atlas"))


@pytest.fixture(scope="module")
def clinic() -> gt.Session:
    """Diseases whose names hold commas and brackets, more than an observation shows, and namesakes."""
    names = ["Purpura, Schoenlein-Henoch", "Edema [acute]", *(f"Disease {i}" for i in range(40)), "Zinc"]
    nodes = {"id": [f"d{i}" for i in range(len(names))], "name": names}
    edges = [("c1", f"d{i}") for i in range(len(names) - 1)]
    compounds = {"id": ["c1", "c2", "c3"], "name": ["Zinc", "Copper", "Copper"]}
    return gt.session(
        make({"disease": nodes, "compound": compounds}, [("treats", "compound", "disease", edges)])
    )


class Replies(ScriptedLM):
    """Says replies as they are, one after the other, and keeps what it was asked."""

    def __init__(self, *replies: str | Reply) -> None:
        super().__init__([])
        self.replies = list(replies)
        self.asked: list[str] = []

    def complete(self, request):
        self.asked.append("\n".join(message.content for message in request.messages))
        reply = self.replies.pop(0)
        return Reply(reply, usage=Usage(1, 10, 2)) if isinstance(reply, str) else reply


def run(loop: object, question: str = BORDERS) -> tuple[Answer, list[Step]]:
    steps = list(loop.run(Question(question)))  # type: ignore[attr-defined]
    assert steps[-1].answer is not None
    return steps[-1].answer, steps


def text(session: gt.Session, *actions: str) -> GraphCot:
    lm = Replies(*(line for action in actions for line in ("t", action)))
    method = TextMethod(lm, session.executor.registry.vocabulary, session.describe())
    return GraphCot(session.executor, method, observer=Observer(by_id=True))


def native(session: gt.Session, *turns: list[tuple[str, object]]) -> GraphCot:
    lm = Replies(*(
        Reply("", tuple(ToolCall(f"{n}.{i}", name, json.dumps(given)) for i, (name, given) in enumerate(turn)), Usage(1, 9, 9))
        for n, turn in enumerate(turns)
    ))  # fmt: skip
    return GraphCot(session.executor, NativeMethod(lm, session.executor.registry, session.describe()))


def plan(session: gt.Session, *replies: str) -> tuple[GraphCot, Replies]:
    lm = Replies(*replies)
    registry = session.executor.registry
    briefing = Briefing(session.executor, Outline(session.union, session.index))
    method = PlanMethod(lm, registry, briefing, TextMethod(lm, registry.vocabulary, session.describe()))
    return GraphCot(session.executor, method, "graph-cot-plan"), lm


SPAIN = "NeighbourCheck[Spain, borders]"


@pytest.mark.parametrize(
    ("finish", "value"),
    [
        ('Finish["France", "Portugal"]', ["France", "Portugal"]),
        ('Finish[["France", "Portugal"]]', ["France", "Portugal"]),
        ("Finish[France, Portugal and Morocco]", ["France", "Portugal", "Morocco"]),
        ('Finish[answer=["France"]]', ["France"]),
        ("Finish[node#France, node#Portugal]", ["France", "Portugal"]),
        ("Finish[3]", 3),
        ("Finish[true]", True),
    ],
)
def test_finish_keeps_every_name(atlas, finish, value):
    answer, _ = run(text(atlas, SPAIN, finish))
    assert answer.answered and answer.value == value


def test_names_with_commas_are_shown_in_quotes_and_can_be_answered_so(clinic):
    treated = clinic.call('NeighbourCheck["Zinc", "treats"]')
    seen = Observer(entries=50).see(treated).text
    assert '"Purpura, Schoenlein-Henoch"' in seen and '"Edema [acute]"' in seen and ", Disease 7," in seen
    loop = text(clinic, "NeighbourCheck[c1, treats]", 'Finish["Purpura, Schoenlein-Henoch", "Edema [acute]"]')
    answer, _ = run(loop)
    assert answer.value == ["Purpura, Schoenlein-Henoch", "Edema [acute]"] and not answer.unsupported


@pytest.mark.parametrize(
    "finish",
    [
        "Finish[NeighbourCheck[c1, treats]]",
        "Finish[Observation 1]",
        "Finish[the observation 1]",
        "Finish[Result 1]",
        "Finish[result of step 1]",
        "Finish[obs 1]",
        "Finish[all names in the observation #1]",
    ],
)
def test_an_answer_may_be_a_call_or_an_earlier_result(clinic, finish):
    answer, _ = run(text(clinic, "NeighbourCheck[c1, treats]", finish), "What does Zinc treat?")
    assert isinstance(answer.value, list) and len(answer.value) == 42 and not answer.unsupported
    assert clinic.verify(answer).verdict == "same"


def test_an_observation_of_several_calls_is_all_of_them(atlas):
    answer, _ = run(
        text(atlas, "NeighbourCheck[Peru, capital], NeighbourCheck[Chile, capital]", "Finish[Observation 1]")
    )
    assert answer.value == ["Lima", "Santiago"]


@pytest.mark.parametrize("finish", ["Finish[NeighbourCheck[Nowhereland, borders]]", "Finish[Observation 7]"])
def test_a_call_that_cannot_be_run_ends_nothing(atlas, finish):
    answer, steps = run(text(atlas, SPAIN, finish, "Finish[Portugal]"))
    assert answer.value == ["Portugal"]
    assert any(
        "Nowhereland" in step.text or "no observation 7" in step.text
        for step in steps
        if step.kind == "observation"
    )


@pytest.mark.parametrize(
    "given",
    [
        {"answer": {"name": "NeighbourCheck", "arguments": {"node": "c1", "neighbor_type": "treats"}}},
        {"answer": "NeighbourCheck[c1, treats]"},
        {"answer": "Result 2"},
    ],
)
def test_native_calls_can_answer_with_more_than_is_shown(clinic, given):
    first = [
        ("RetrieveNode", {"keyword": "Zinc"}),
        ("NeighbourCheck", {"node": "c1", "neighbor_type": "treats"}),
    ]
    answer, _ = run(native(clinic, first, [("Finish", given)]), "What does Zinc treat?")
    assert isinstance(answer.value, list) and len(answer.value) == 42 and not answer.unsupported


def test_a_call_and_a_finish_in_one_native_turn_support_each_other(atlas):
    turn = [
        ("NeighbourCheck", {"node": "Spain", "neighbor_type": "borders"}),
        ("Finish", {"answer": ["France", "Portugal"]}),
    ]
    answer, _ = run(native(atlas, turn))
    assert answer.value == ["France", "Portugal"] and not answer.unsupported and answer.calls


REFUSALS = [
    "The graph does not contain this information.",
    "I do not know",
    "I don't know who that is.",
    "I cannot determine the answer from the graph; it only lists France and Portugal.",
    "It is not possible to answer this from the 12 nodes that were shown.",
    "No information about Spain's weather is available.",
    "The data doesn't say.",
    "unknown",
    "Not mentioned",
    "No, the graph does not contain this information.",
    "Gotham City",
    "Das steht nicht in diesem Graphen.",
    "There is no such relation here.",
    "None of these relations says who founded it.",
    "The context says nothing about that.",
]


@pytest.mark.parametrize("said", REFUSALS)
def test_a_refusal_in_a_sentence_is_no_answer(atlas, said):
    index, executor = atlas.index, atlas.executor
    for reasoner in (
        text(atlas, SPAIN, f'Finish["{said}"]'),
        text(atlas, SPAIN, f"Finish[{said}]"),
        native(
            atlas,
            [("NeighbourCheck", {"node": "Spain", "neighbor_type": "borders"})],
            [("Finish", {"answer": said})],
        ),
        Baseline(executor, index, Replies(said), 0),
        Baseline(executor, index, Replies(said), None),
        GRetriever(executor, Replies(said), SETTINGS["question-only"]),
        GRetriever(executor, Replies(said)),
    ):
        answer, _ = run(reasoner)
        assert not answer.answered, (said, reasoner, answer.text)


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("Spain borders France and Portugal.", ["France", "Portugal"]),
        ("No.", False),
        ("No, it does not.", False),
        ("5", 5),
        ("49 million", 49_000_000),
        ("About 1.5 billion people.", 1_500_000_000),
    ],
)
def test_an_answer_is_no_refusal(atlas, said, value):
    answer, _ = run(text(atlas, SPAIN, f"Finish[{said}]"))
    assert answer.answered and answer.value == value


def test_a_title_that_reads_like_a_refusal_is_an_answer():
    title = "What we do not know: no information on the graph"
    graph = make({"p": {"id": ["a", "b"], "name": ["Ann", title]}}, [("wrote", "p", "p", [("a", "b")])])
    answer, _ = run(
        text(gt.session(graph), "NeighbourCheck[Ann, wrote]", f'Finish["{title}"]'), "What did Ann write?"
    )
    assert answer.value == [title]


def test_a_choice_that_the_question_offers_is_an_answer(atlas):
    question = "Do these support or counter each other? Answer support or counter."
    answer, _ = run(GRetriever(atlas.executor, Replies("counter")), question)
    assert answer.answered and answer.text


# --- plans ---


def test_what_cannot_be_answered_costs_one_call(atlas):
    loop, lm = plan(atlas, 'Unanswerable["the graph has no horoscopes"]')
    answer, _ = run(loop, "What is the horoscope of Spain?")
    assert not answer.answered and "no horoscopes" in answer.text and not lm.replies and len(lm.asked) == 1


@pytest.mark.parametrize(
    "said",
    [
        "Unanswerable",
        'Unanswerable(why="no such thing")',
        "Thought: hm.\nUnanswerable[no weather]",
        'Finish[Unanswerable["no weather"]]',
        "None of the relations tells of weather.",
        "There is no such feature.",
    ],
)
def test_forms_of_declining(atlas, said):
    loop, lm = plan(atlas, *[said] * 8)
    answer, _ = run(loop, "What is the weather in Spain?")
    assert not answer.answered and len(lm.asked) == 1


def test_a_name_that_stands_for_an_expression_is_no_node(atlas):
    """`Count[x]` was 1, as of one text."""
    said = 'Let x be NeighbourCheck["Spain", "borders"]. Then Count[x]'
    loop, lm = plan(atlas, said, 'Count[NeighbourCheck["Spain", "borders"]]')
    assert run(loop, "How many countries border Spain?")[0].value == 4
    assert "No node is called 'x'" in lm.asked[1]


def test_a_repair_does_not_push_to_another_name(atlas):
    loop, lm = plan(atlas, 'NeighbourCheck["Spainland", "borders"]', 'Unanswerable["no Spainland"]')
    answer, _ = run(loop, "Which countries border Spainland?")
    assert not answer.answered and len(lm.asked) == 2
    assert (
        "the country 'Spain'" in lm.asked[1] and "If it is something else, reply Unanswerable" in lm.asked[1]
    )


def test_a_name_in_another_spelling_is_asked_about_once(atlas):
    wrong = 'NeighbourCheck["Spainn", "capital"]'
    for replies in ([wrong, 'NeighbourCheck["Spain", "capital"]'], [wrong, wrong]):
        loop, lm = plan(atlas, *replies)
        answer, _ = run(loop, "What is the capital of Spainn?")
        assert answer.value == ["Madrid"] and len(lm.asked) == 2


@pytest.mark.parametrize("name", ["Spain", "spain", "U.S.A.", "node#Spain", "España"])
def test_a_name_or_an_id_is_no_guess(atlas, name):
    loop, lm = plan(atlas, f'NeighbourCheck["{name}", "capital"]', 'Unanswerable["no"]')
    run(loop, "What is its capital?")
    assert (len(lm.asked) == 1) == bool(atlas.index.exact(name) or "#" in name)


def test_a_count_of_nothing_is_an_answer_at_once(atlas):
    loop, lm = plan(atlas, 'NodeDegree["Japan", "borders"]')
    answer, _ = run(loop, "How many countries border Japan?")
    assert answer.value == 0 and len(lm.asked) == 1


@pytest.mark.parametrize(
    "said",
    [
        'NeighbourCheck["Spain", "borders"',
        'NeighbourCheck(node="Spain", neighbor_type="borders")',
        "NeighbourCheck(node='Spain', neighbor_type='borders')",
        'First: Count[Nodes["country"]]. But better:\nNeighbourCheck["Spain", "borders"]',
        '```\nNeighbourCheck["Spain", "borders"]\n```',
        'Finish[NeighbourCheck["Spain", "borders"]]',
        "NeighbourCheck[RetrieveNode[Spain, country], borders]",
        "MATCH (a:country {name: 'Spain'})-[:borders]-(b) RETURN b",
        "```cypher\nMATCH (a:country {name: 'Spain'})-[:borders]-(b)\nRETURN b.name\n```\nThat lists them.",
    ],
)
def test_expressions_as_models_write_them(atlas, said):
    loop, lm = plan(atlas, said)
    answer, _ = run(loop)
    assert sorted(answer.value) == sorted(atlas.call('NeighbourCheck["Spain", "borders"]').graph.labels(
        atlas.call('NeighbourCheck["Spain", "borders"]').value.nodes.tolist()
    )) and len(lm.asked) == 1  # fmt: skip
    assert atlas.verify(answer).verdict == "same"


def test_of_two_broken_brackets_none_is_guessed(atlas):
    loop, lm = plan(
        atlas, 'Count[Distinct[NeighbourCheck["Spain", "borders"]', 'NodeDegree["Spain", "borders"]'
    )
    answer, _ = run(loop, "How many countries border Spain?")
    assert answer.value == 4 and len(lm.asked) == 2 and "expected" in lm.asked[1]


def test_a_broken_query_is_told_what_is_wrong(atlas):
    loop, lm = plan(
        atlas, "MATCH (a:country RETURN a", "MATCH (a:country {name: 'Spain'})-[:capital]->(b) RETURN b.name"
    )
    answer, _ = run(loop, "What is the capital of Spain?")
    assert answer.value == ["Madrid"] and "line 1" in lm.asked[1]


def test_the_part_that_is_the_same_for_every_question_stands_first(atlas):
    loop, _ = plan(atlas)
    one, two = (loop.method.messages(Question(q)) for q in (BORDERS, "How many triangles are there?"))
    assert one[0] == two[0] and one[0].role == "system" and about_tokens(one[0].content) > 1_000
    assert "\nTriangles[" in two[1].content and "Triangles[" not in one[1].content


def hetionets() -> Graph:
    """A graph of Hetionet's types and relations, as the recipe has them."""
    recipe = tomllib.loads(files("graphtalk.graphs").joinpath("recipes/hetionet.toml").read_text("utf-8"))
    relations = list(recipe["relations"].values())
    kinds = sorted({kind for r in relations for kind in (r["source"], r["target"])})
    nodes = {
        kind: {"id": [f"{kind}::{i}" for i in "12"], "name": [f"{kind} {i}" for i in "12"]} for kind in kinds
    }
    ends = [(f"{r['source']}::1", f"{r['target']}::2") for r in relations]
    edges = [
        (r["name"], r["source"], r["target"], [pair], r.get("inverse", ""))
        for r, pair in zip(relations, ends, strict=True)
    ]
    return make(nodes, edges)


def test_the_prompt_of_a_plan_is_short(atlas):
    for session, most in ((atlas, 1_600), (gt.session(library()), 1_400), (gt.session(hetionets()), 1_500)):
        loop, _ = plan(session)
        assert sum(about_tokens(m.content) for m in loop.method.messages(Question(BORDERS))) <= most


@pytest.mark.parametrize(
    "way",
    [
        'shortestPath((a {name: "Portugal"})-[:borders*]-(b {name: "Germany"})) RETURN length(p)',
        'SHORTEST 3 (a {name: "Portugal"})-[:borders*]-(b {name: "Germany"}) RETURN [n IN nodes(p) | n.name]',
    ],
)
def test_ways_as_the_prompt_writes_them_run(atlas, way):
    loop, lm = plan(atlas, f"MATCH p = {way}")
    answer, _ = run(loop, "How far is Portugal from Germany over borders?")
    assert answer.answered and answer.value in (
        [3],
        [["Portugal", "Spain", "France", "Germany"], *answer.value[1:]],
    )
    assert len(lm.asked) == 1 and "SHORTEST 3 (a)-[:r*]-(b)" in lm.asked[0]


def test_every_function_that_is_explained_exists(atlas):
    assert set(glosses()) <= set(atlas.executor.registry)


def test_a_graph_of_numbers_alone_is_offered_no_order_of_features(clinic, atlas):
    for session, offered in ((clinic, False), (atlas, True)):
        loop, _ = plan(session)
        assert ("\nTop[" in loop.method.briefing.told) is offered


def test_a_large_schema_is_cut_to_what_a_question_may_touch():
    pairs = [(f"kind {i}", f"kind {i + 1}") for i in range(0, 400, 2)]
    nodes = {kind: {"id": [f"{kind} a"], "name": [f"thing of {kind}"]} for pair in pairs for kind in pair}
    edges = [(f"points out {i}", a, b, [(f"{a} a", f"{b} a")]) for i, (a, b) in enumerate(pairs)]
    nodes |= {"painter": {"id": ["p"], "name": ["Frida"]}, "painting": {"id": ["q"], "name": ["Roots"]}}
    session = gt.session(make(nodes, [*edges, ("painted", "painter", "painting", [("p", "q")])]))
    loop, _ = plan(session)
    system, user = loop.method.messages(Question("Which paintings did Frida paint?"))
    assert about_tokens(system.content + user.content) <= 1_900
    assert "painter -> painting: painted" in user.content and "painter -> painting" not in system.content


# --- names ---


def test_a_name_of_two_nodes_is_said_to_be_so(clinic):
    see, index = Observer().see, clinic.index
    retrieved = see(clinic.call('RetrieveNode["Zinc"]'), None, index).text
    assert "2 nodes are called 'Zinc'" in retrieved and "disease" in retrieved and "compound" in retrieved
    assert (
        "2 nodes are called 'Copper': 2 of type compound"
        in see(clinic.call('NodeDegree["Copper", "treats"]'), None, index).text
    )
    assert "called" not in see(clinic.call('NeighbourCheck["Zinc", "treats"]'), None, index).text, (
        "only one of them treats"
    )


def test_a_keyword_with_a_type_needs_no_quotes(clinic):
    for call, node_type in (
        ("RetrieveNode[Zinc, disease]", "disease"),
        ("RetrieveNode[Zinc, compound]", "compound"),
    ):
        found = clinic.call(call)
        assert found.graph.node_type(int(found.value.nodes[0])).name == node_type
    whole = clinic.call("RetrieveNode[Purpura, Schoenlein-Henoch]")
    assert whole.show() == "[Purpura, Schoenlein-Henoch]"
    assert (
        clinic.call("RetrieveNode[Purpura, Schoenlein-Henoch, disease]").show()
        == "[Purpura, Schoenlein-Henoch]"
    )


def test_a_script_of_lines_is_what_demonstrations_use(atlas):
    lm = ScriptedLM([Line('NodeDegree["Spain", "borders"]', when="Question: How many")])
    registry = atlas.executor.registry
    briefing = Briefing(atlas.executor, Outline(atlas.union, atlas.index))
    method = PlanMethod(lm, registry, briefing, TextMethod(lm, registry.vocabulary, ""))
    assert run(GraphCot(atlas.executor, method), "How many countries border Spain?")[0].value == 4


# --- words of meaning ---

WITHOUT = "Which countries that border Spain are not landlocked?"


def test_a_plan_that_passes_over_a_word_of_meaning_is_asked_about_once(atlas):
    passed = 'NeighbourCheck["Spain", "borders"]'
    right = 'Filter[NeighbourCheck["Spain", "borders"], "landlocked", "!=", true]'
    loop, lm = plan(atlas, passed, right)
    answer, _ = run(loop, WITHOUT)
    assert (
        sorted(answer.value) == ["France", "Morocco", "Portugal"] and "the question says 'not'" in lm.asked[1]
    )
    loop, lm = plan(atlas, passed, passed)
    answer, _ = run(loop, WITHOUT)
    assert "Andorra" in answer.value and len(lm.asked) == 2, "what is written again is meant"


@pytest.mark.parametrize(
    ("question", "call", "words"),
    [
        (WITHOUT, 'Filter[NeighbourCheck["Spain", "borders"], "landlocked", "=", false]', []),
        (WITHOUT, 'Difference[NeighbourCheck["Spain", "borders"], Filter[Nodes["country"], "landlocked", "=", true]]', []),
        (WITHOUT, "MATCH (c:country)-[:borders]-(s {name: 'Spain'}) WHERE NOT c.landlocked RETURN c.name", []),
        (WITHOUT, "MATCH (c:country)-[:borders]-(s {name: 'Spain'}) RETURN c.name", ["not"]),
        ("Which countries have no river?", 'FilterDegree[Nodes["country"], "has river", "=", 0]', []),
        ("Which countries have more than 3 rivers?", 'FilterDegree[Nodes["country"], "has river", ">", 3]', []),
        ("Which countries have more than 3 rivers?", 'Nodes["country"]', ["more than"]),
        ("What is the second largest country?", 'Top[Nodes["country"], "area", 2]', []),
        ("What is the second largest country?", "MATCH (c:country) RETURN c.name ORDER BY c.area DESC SKIP 1 LIMIT 1", []),
        ("What is the average area of a country?", "MATCH (c:country) RETURN avg(c.area)", []),
        ("What is the average area of a country?", 'NodeFeature[Nodes["country"], "area"]', ["average"]),
        ("Which country has the fewest rivers?", 'BottomDegree[Nodes["country"], "has river"]', []),
        ("What is the lowest depth of a lake?", 'Minimum[NodeFeature[Nodes["lake"], "depth"]]', []),
        ("What is the second largest country?", 'Top[Nodes["country"], "area"]', ["second"]),
        ("Which country has the fewest rivers?", 'TopDegree[Nodes["country"], "has river"]', ["fewest"]),
        ("Which countries have at least 5 rivers?", 'FilterDegree[Nodes["country"], "has river", "=", 5]', ["at least"]),
        ("Which landlocked countries have at least one river?", 'Filter[FilterDegree[Nodes["country"], "has river", ">=", 1], "landlocked", "=", true]', []),
        ("How many different languages do neighbours of Spain have?", 'Count[NeighbourCheck[NeighbourCheck["Spain", "borders"], "official language"]]', ["different"]),
        ("How many different languages do neighbours of Spain have?", 'Count[Distinct[NeighbourCheck[NeighbourCheck["Spain", "borders"], "official language"]]]', []),
        ("How many different languages has Spain?", 'Count[NeighbourCheck["Spain", "official language"]]', []),
        ("Which countries border both France and Spain?", 'Intersect[NeighbourCheck["France", "borders"], NeighbourCheck["Spain", "borders"]]', []),
    ],
)  # fmt: skip
def test_words_that_an_expression_passes_over(atlas, question, call, words):
    read = parse(call, atlas.executor.registry.vocabulary)
    assert passed_over(question, read, atlas.union.schema, atlas.index) == words


def test_examples_of_dates_edge_features_and_ways_run_on_the_graph_at_hand():
    people = pa.table({
        "id": [f"p{i}" for i in range(6)],
        "name": ["Ann \"A\" Lee", "Bob", "Cid", "Dan", "Eve", "Flo"],
        "born": [date(1990 + i, 1, 1) for i in range(6)],
        "height": [1.5, 1.6, 1.7, 1.8, 1.9, None],
    })  # fmt: skip
    firms = pa.table({"id": ["f0", "f1"], "name": ["Acme & Co", "Globex"]})
    ends = np.array([0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5]), np.array([0] * 6 + [1] * 6)
    since = pa.table({"since date": [date(2000 + i, 5, 1) for i in range(12)]})
    tables = [NodeTable("person", people, "name"), NodeTable("firm", firms, "name")]
    graph = build(tables, [EdgeTable("works at", "person", "firm", *ends, since)], "staff")
    session = gt.session(graph)
    lines = examples(graph).splitlines()
    wanted = (
        "since 2001",
        "the largest height",
        "each with the since date of the edge",
        "over works at alone",
    )
    assert all(any(words in line for line in lines) for words in wanted), lines
    for line in lines:
        assert session.call(line.partition(": ")[2]).value is not None
    told = Outline(graph, session.index).whole
    assert 'born date "1990-01-01"' in told and "height number 1.5" in told
    assert 'person -> firm: works at (edge features: since date date "2000-05-01")' in told
