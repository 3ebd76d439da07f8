"""Annotated texts: read into places, run, and filled in (Graph-ToolFormer, sections 4.2 and 4.7, table 5)."""

from dataclasses import dataclass

import pytest

from graphtalk.calls.ast import Boolean
from graphtalk.core import Answer, ParseError, Question
from graphtalk.graphs import builtin
from graphtalk.reasoners.toolformer.annotator import DeclinedError
from graphtalk.reasoners.toolformer.completion import completed, run_calls
from graphtalk.reasoners.toolformer.reasoner import Toolformer
from graphtalk.reasoners.toolformer.results import Form, _written, forms
from graphtalk.reasoners.toolformer.statement import read_statement
from graphtalk.reasoners.toolformer.stored import FirstOf
from graphtalk.tools.executor import Executor
from graphtalk.tools.registry import default_registry

ORDER = 'GR(GL("gpr", {"bull_graph"}), "toolx:order")'
SIZE = 'GR(GL("gpr", {"bull_graph"}), "toolx:size")'


@pytest.fixture(scope="module")
def executor() -> Executor:
    return Executor(builtin.load("gpr"))


@dataclass(frozen=True)
class Says:
    """An annotator that says one thing."""

    text: str

    def annotate(self, text: str) -> str:
        return self.text


@dataclass(frozen=True)
class Declines:
    """An annotator that declines everything."""

    def annotate(self, text: str) -> str:
        raise DeclinedError("No function gives the colour of a graph.")


def read(text: str) -> list[tuple[str, bool]]:
    statement = read_statement(text, default_registry().vocabulary)
    return [(placed.call.function, placed.inserts) for placed in statement.calls]


def filled(text: str, executor: Executor) -> str:
    statement = read_statement(text, executor.registry.vocabulary)
    return completed(statement, tuple(run_calls(statement, executor))).text


def answered(text: str, executor: Executor) -> Answer:
    *_, last = Toolformer(executor, Says(text)).run(Question("any"))
    assert last.answer is not None
    return last.answer


def test_calls_with_and_without_output_are_told_apart() -> None:
    assert read(f"It has [{ORDER}-->r] nodes and [{SIZE}] edges.") == [("Order", True), ("Size", False)]


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        (f"[{ORDER}-->r, {SIZE}-->r] are its numbers.", [("Order", True), ("Size", True)]),
        (f"[{ORDER}, {SIZE}-->r] are its numbers.", [("Order", False), ("Size", True)]),
        (f"[{ORDER}-->r], [{SIZE}-->r]", [("Order", True), ("Size", True)]),
        ('Paper 1 is on [GR(GL("cora"), "toolx:order")-->Neural Networks].', [("Order", True)]),
        ("[ gr ( gl ( 'gpr', {'bull_graph'} ), 'toolx:order' ) –> r ] nodes", [("Order", True)]),
        ("Lists such as [1, 2], a Set[int] and [TBR] are only words.", []),
    ],
)
def test_places_are_read_as_models_write_them(text: str, calls: list[tuple[str, bool]]) -> None:
    assert read(text) == calls


def test_a_name_stands_for_the_graph_that_was_loaded_before(executor: Executor) -> None:
    text = 'Of the bull [GL("gpr", {"bull_graph"})-->G], [GR(G, "toolx:order")-->r] nodes are drawn.'
    assert filled(text, executor) == "Of the bull, 5 nodes are drawn."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('It has [GR(GL("gpr", {"bull', "found the end of the text"),
        (f"It has [{ORDER}-->r nodes", "found"),
        (f"It has {ORDER} nodes", "stands in no brackets"),
        (f"It has [{ORDER}, more] nodes", "expected `]`"),
        ("It has [" + "GR(" * 5_000, "at most 200 calls"),
        ("[GR(" * 4_000, "at most 200 calls"),
        (f"It has \x07[{ORDER}-->r] nodes", "A control character"),
        ("[" + "GR(" * 10_000, "at most 20,000 are read"),
        ("\ud800", "not valid UTF-8"),
    ],
)
def test_malformed_output_is_declined_clearly(text: str, said: str) -> None:
    with pytest.raises(ParseError) as error:
        read(text)
    assert said in str(error.value)
    assert len(str(error.value)) < 300


@pytest.mark.parametrize(
    ("text", "result"),
    [
        (
            'The order of the diamond graph is [GR(GL("gpr", {"diamond_graph"}), "toolx:order")-->r].',
            "The order of the diamond graph is 4.",
        ),
        (
            'The path graph has a center at nodes [GR(GL("gpr", {"path_graph"}), "toolx:center")-->r].',
            "The path graph has a center at nodes [5, 6].",
        ),
        (
            'The nodes in the wheel graph have eccentricity values of [GR(GL("gpr", {"wheel_graph"}), '
            '"toolx:eccentricity")-->r].',
            "The nodes in the wheel graph have eccentricity values of {0: 1, 1: 2, 2: 2, 3: 2, 4: 2, 5: 2}.",
        ),
    ],
)
def test_table_5_properties(text: str, result: str, executor: Executor) -> None:
    assert filled(text, executor) == result


@pytest.mark.parametrize(
    ("value", "form", "said"),
    [
        (2, Form(form="#{}"), "#2"),
        ("2", Form(form="#{}"), "#2"),
        (True, Form(yes="the same", no="different"), "the same"),
        (False, Form(yes="the same", no="different"), "different"),
        (0.24839, Form(decimals=3), "0.248"),
        (3.986811399459839, forms()["mf:rating"], "3.99"),
        (3, forms()["mf:rating"], "3"),
        (["i286", "i288"], Form(ids=True), "['i286', 'i288']"),
        (["5", "6"], Form(), "[5, 6]"),
        ({"0": 1, "1": 2.5}, Form(), "{0: 1, 1: 2.5}"),
        ("Neural_Networks", Form(), "Neural_Networks"),
        (None, Form(), "unknown"),
    ],
)
def test_results_are_written_as_in_table_5(value: object, form: Form, said: str) -> None:
    assert _written(value, form) == said  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (["Paris"], "Paris"),
        ([], "none"),
        (["Spain", "Italy"], "Spain and Italy"),
        (["Côte d'Ivoire", "Chad", "Mali"], "Côte d'Ivoire, Chad and Mali"),
        ({"Ann": 1, "Bob": 2.5}, "Ann: 1, Bob: 2.5"),
        ([["Ann", "Bob"], ["Cid"]], "Ann and Bob and Cid"),
    ],
)
def test_names_are_written_as_prose_has_them(value: object, said: str) -> None:
    assert _written(value, Form()) == said  # type: ignore[arg-type]


def test_a_call_without_output_leaves_no_trace_in_the_text(executor: Executor) -> None:
    text = f"Nodes [{ORDER}] of the bull graph [{SIZE}], five of them."
    assert filled(text, executor) == "Nodes of the bull graph, five of them."
    assert filled(f"[{ORDER}] The bull graph is small.", executor) == "The bull graph is small."


def test_results_that_are_only_kept_are_remembered(executor: Executor) -> None:
    executor.memory.clear()
    filled(f"The bull graph [{ORDER}] is small.", executor)
    kept = len(executor.memory)
    assert kept > 0
    filled(f"The bull graph has [{ORDER}-->r] nodes.", executor)
    assert len(executor.memory) == kept


def test_a_failed_call_marks_its_place_with_the_reason(executor: Executor) -> None:
    text = (
        f'A has [GR(GL("gpr", {{"no_such_graph"}}), "toolx:order")-->r] nodes, the bull graph [{ORDER}-->r].'
    )
    said = filled(text, executor)
    assert said.startswith("A has [not known: ")
    assert "no_such_graph" in said
    assert said.endswith("nodes, the bull graph 5.")


def test_an_unknown_function_is_no_value(executor: Executor) -> None:
    answer = answered('It is [GR(GL("gpr", {"bull_graph"}), "toolx:new_attribute")-->r].', executor)
    assert not answer.answered
    assert "new_attribute" in answer.text
    assert answer.value is None


def test_the_answer_has_value_text_evidence_and_calls(executor: Executor) -> None:
    answer = answered('The center is [GR(GL("gpr", {"path_graph"}), "toolx:center")-->r].', executor)
    assert answer.answered
    assert answer.text == "The center is [5, 6]."
    assert answer.value == ["5", "6"]
    assert answer.evidence.nodes == ("5", "6")
    assert answer.calls[-1].result == ["5", "6"]
    assert answer.reasoner == "toolformer"


def test_several_slots_give_several_values(executor: Executor) -> None:
    answer = answered(f"The bull graph has [{ORDER}-->r] nodes and [{SIZE}-->r] edges.", executor)
    assert answer.text == "The bull graph has 5 nodes and 5 edges."
    assert answer.value == [5, 5]
    assert [call.result for call in answer.calls][-1] == 5


def test_a_text_that_needs_no_call_is_left_alone(executor: Executor) -> None:
    text = "The baker opens at seven."
    *_, last = Toolformer(executor, Says(text)).run(Question(text))
    assert last.answer is not None
    assert (last.answer.answered, last.answer.text, last.answer.stopped) == (False, text, "")


@pytest.mark.parametrize(
    ("text", "asks_the_model"),
    [("Predict the topic of paper #5.", True), ("What is the topic of paper #5?", False)],
)
def test_a_text_that_asks_for_a_prediction_asks_the_model(
    executor: Executor, text: str, asks_the_model: bool
) -> None:
    told = 'It is [GR(GL("cora"), "graph_bert:topic", paper#5)-->r].'
    statement = Toolformer(executor, Says(told)).annotated(text)
    assert statement.text == told
    assert [dict(placed.call.keywords).get("predicted") for placed in statement.calls] == [
        Boolean(True) if asks_the_model else None
    ]


def test_what_the_annotator_declines_is_told(executor: Executor) -> None:
    *_, last = Toolformer(executor, Declines()).run(Question("What colour has the bull graph?"))
    assert last.answer is not None
    assert (last.answer.answered, last.answer.stopped) == (False, "")
    assert "colour of a graph" in last.answer.text


def test_a_text_beyond_the_limit_is_declined(executor: Executor) -> None:
    *_, last = Toolformer(executor, Says("unused")).run(Question("x" * 10_001))
    assert last.answer is not None
    assert "10,001 characters" in last.answer.text


def test_half_a_character_is_declined(executor: Executor) -> None:
    *_, last = Toolformer(executor, Says("unused")).run(Question("The order of \ud800 is [TBR]."))
    assert last.answer is not None
    assert "not valid UTF-8" in last.answer.text


def test_annotators_are_asked_in_turn() -> None:
    assert FirstOf((Declines(), Says("with a call"))).annotate("text") == "with a call"
    assert FirstOf((Says("text"), Says("with a call"))).annotate("text") == "with a call"
    with pytest.raises(DeclinedError):
        FirstOf((Says("text"), Declines())).annotate("text")
