"""Annotation by a language model: what is checked, the one repair, and what is declined."""

import re

import pytest

from graphtalk.core import CallError, CheckError, LmError, Question
from graphtalk.graphs import Graph, builtin
from graphtalk.lms import Reply, Request
from graphtalk.lms.meter import Meter
from graphtalk.lms.protocol import about_tokens
from graphtalk.lms.scripted import Line, ScriptedLM
from graphtalk.reasoners.outline import Outline
from graphtalk.reasoners.toolformer.annotator import UnusableError
from graphtalk.reasoners.toolformer.check import check_annotation
from graphtalk.reasoners.toolformer.lm import LmAnnotator, annotation_in, examples
from graphtalk.reasoners.toolformer.reasoner import Toolformer
from graphtalk.search.index import Index
from graphtalk.tools.executor import Executor
from graphtalk.tools.registry import default_registry

VOCABULARY = default_registry().vocabulary
TEXT = "The bull graph has an order of [TBR]."
RIGHT = 'The bull graph has an order of [GR(GL("gpr", {"bull_graph"}), "toolx:order")-->r].'
FAR = 'It is [GR(GL("gpr", {"bull_graph"}), "toolx:shortest_path", "node#1", "node#7")-->r].'


def annotator(*lines: str) -> LmAnnotator:
    lm = ScriptedLM([Line(line) for line in lines])
    return LmAnnotator(lm, default_registry(), ("gpr", "cora"))


def test_a_model_annotates() -> None:
    assert annotator(f"Output: {RIGHT}").annotate(TEXT) == RIGHT


def test_what_cannot_be_used_is_shown_back_once() -> None:
    assert annotator(RIGHT.replace("toolx:order", "toolx:ordre"), RIGHT).annotate(TEXT) == RIGHT
    with pytest.raises(UnusableError) as error:
        annotator("The bull graph has 5 nodes.", FAR, RIGHT).annotate(TEXT)
    assert "twice" in str(error.value)
    assert "node#1 is not copied" in str(error.value)


def test_a_text_without_calls_comes_back_as_it_is() -> None:
    text = "The baker  opens at seven."
    assert annotator(text).annotate(text) == text
    with pytest.raises(UnusableError):
        annotator("The baker is closed.", "The baker sleeps.").annotate(text)


def test_the_model_is_told_functions_graphs_and_examples() -> None:
    told = annotator().instruction
    assert "toolx:shortest_path" in told
    assert "gpr, cora" in told
    assert all(example in told for example in examples())


def test_a_model_is_told_of_functions_by_name_and_of_those_that_a_text_speaks_of_in_full() -> None:
    """The line of every function took 3,800 of 5,000 tokens."""
    assert about_tokens(annotator().instruction) < 2_000
    toolformer, lm = over_atlas("The bull graph has a diameter of 3.")
    home = toolformer.annotator
    assert isinstance(home, LmAnnotator) and about_tokens(home.instruction) < 2_800
    for tool in default_registry().offered():
        domain, _, name = tool.toolformer.partition(":")
        assert not name or re.search(rf"{domain}:.*\b{name}\b", home.instruction), tool.toolformer
    with pytest.raises(LmError):
        home.annotate("The bull graph has a diameter of [TBR].")
    assert "toolx:diameter(weight?): The largest eccentricity" in lm.prompts[0]


@pytest.mark.parametrize(
    ("annotated", "complaint"),
    [
        (RIGHT.replace("toolx:order", "toolx:colour"), "No function 'toolx:colour'"),
        (RIGHT.replace('"gpr"', '"imdb"'), "No graph 'imdb'"),
        (FAR, "node#1 is not copied"),
        (f"{RIGHT} [TBR]", "is left"),
        (RIGHT[:-6], "found"),
        ("The bull graph has an order of 5.", "word for word"),
    ],
)
def test_what_a_model_writes_is_checked(annotated: str, complaint: str) -> None:
    with pytest.raises(CallError) as error:
        check_annotation(TEXT, annotated, VOCABULARY, ("gpr",))
    assert complaint in str(error.value)


def test_a_new_graph_that_the_text_names_will_do() -> None:
    text = "How dense is the Dublin map?"
    check_annotation(text, 'It is [GR(GL("dublin-map"), "toolx:density")-->r].', VOCABULARY, ("gpr",))
    with pytest.raises(CheckError):
        check_annotation(text, 'It is [GR(GL("paris-map"), "toolx:density")-->r].', VOCABULARY, ("gpr",))


def test_numbers_are_copied_but_for_the_one_that_words_mean() -> None:
    call = 'It is [GR(GL("gpr", {"bull_graph"}), "TopDegree", "node", "edge", %s)-->r].'
    check_annotation("Which node has the most?", call % 1, VOCABULARY, ("gpr",))
    with pytest.raises(CheckError, match="number 3"):
        check_annotation("Which node has the most?", call % 3, VOCABULARY, ("gpr",))


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (f"Sure!\n\nOutput: {RIGHT}\n", RIGHT),
        (f"```\n{RIGHT}\n```", RIGHT),
        ("", ""),
    ],
)
def test_the_annotation_is_found_in_a_reply(said: str, text: str) -> None:
    assert annotation_in(said) == text


def test_usage_is_counted_for_each_text() -> None:
    meter = Meter(ScriptedLM([Line(RIGHT), Line(RIGHT)]))
    executor = Executor(builtin.load("gpr"))
    reasoner = Toolformer(executor, LmAnnotator(meter, executor.registry, ("gpr",)), meter)
    for _ in range(2):
        *_, last = reasoner.run(Question(TEXT))
        assert last.answer is not None
        assert last.answer.text == "The bull graph has an order of 5."
        assert last.answer.usage["calls"] == 1
        assert last.answer.lm == "scripted"


def test_a_model_that_cannot_be_asked_ends_in_an_answer_that_says_so() -> None:
    meter = Meter(ScriptedLM([]))
    executor = Executor(builtin.load("gpr"))
    *_, last = Toolformer(executor, LmAnnotator(meter, executor.registry, ("gpr",)), meter).run(
        Question(TEXT)
    )
    assert last.answer is not None
    assert last.answer.stopped == "lm"


def over_atlas(*lines: str) -> tuple[Toolformer, "Asked"]:
    graph = builtin.load("atlas")
    assert isinstance(graph, Graph)
    index = Index.open(graph)
    lm = Asked([Line(line) for line in lines])
    executor = Executor(graph, index)
    annotator = LmAnnotator(Meter(lm), executor.registry, ("atlas",), home=Outline(graph, index))
    return Toolformer(executor, annotator), lm


class Asked(ScriptedLM):
    """A script that keeps what it was asked."""

    def __init__(self, lines: list[Line]) -> None:
        super().__init__(lines)
        self.prompts: list[str] = []

    def complete(self, request: Request) -> Reply:
        self.prompts.append("\n".join(message.content for message in request.messages))
        return super().complete(request)


NEIGHBOURS = 'Portugal borders [GR("graph:neighbours", "Portugal", "{}")-->r].'


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ('"graph:neighbours", "Spain", "borders"', "Andorra, France, Morocco and Portugal"),
        ('"graph:neighbours", "France", "capital"', "Paris"),
        ('"graph:neighbours", "Iceland", "borders"', "none"),
        ('"graph:feature", "Spain", "area"', "505990"),
        ('"graph:feature", "Spain", "landlocked"', "no"),
    ],
)
def test_results_of_ones_own_graph_are_prose(call: str, said: str) -> None:
    toolformer, _ = over_atlas(f"It is [GR({call})-->r].")
    *_, last = toolformer.run(
        Question("It is [TBR]. Of Spain, France or Iceland: area, capital, landlocked.")
    )
    assert last.answer is not None and last.answer.text.startswith(f"It is {said}."), last.answer.text


def test_the_prompt_has_the_schema_of_the_graph_at_hand() -> None:
    toolformer, lm = over_atlas(NEIGHBOURS.format("borders"))
    *_, last = toolformer.run(Question("Portugal borders [TBR]."))
    assert last.answer is not None and last.answer.text == "Portugal borders Spain."
    assert (
        'may be about the graph "atlas"' in lm.prompts[0] and "country -- country: borders" in lm.prompts[0]
    )


def test_a_call_that_cannot_be_run_is_shown_to_the_model_once() -> None:
    toolformer, lm = over_atlas(NEIGHBOURS.format("bordering"), NEIGHBOURS.format("borders"))
    *_, last = toolformer.run(Question("Portugal borders [TBR]."))
    assert last.answer is not None and last.answer.text == "Portugal borders Spain."
    assert len(lm.prompts) == 2 and "'bordering'" in lm.prompts[1] and "borders" in lm.prompts[1]
    twice, lm = over_atlas(*[NEIGHBOURS.format("bordering")] * 3)
    *_, last = twice.run(Question("Portugal borders [TBR]."))
    assert last.answer is not None and not last.answer.answered and len(lm.prompts) == 2
