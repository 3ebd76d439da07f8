"""G-Retriever with a model that reads the retrieved text, in every setting, and without a model."""

import re
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pytest

from graphtalk import open
from graphtalk.app.session import Session
from graphtalk.app.settings import Settings
from graphtalk.core import Answer, LmError, Question
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from graphtalk.lms import Reply, Request
from graphtalk.lms.protocol import in_one_piece
from graphtalk.reasoners.g_retriever import SETTINGS, Extractor, GRetriever
from graphtalk.reasoners.g_retriever.settings import LISTING
from graphtalk.reasoners.g_retriever.text import last_answer
from graphtalk.search.subgraph import Options
from graphtalk.tools.executor import Executor
from graphtalk.tools.verify import verify

QUESTION = "Which countries border both France and Germany?"
SPREAD = Options(rule="spread")


@dataclass
class Reader:
    """A stand-in for a model: it says what it is told to, and keeps what it was asked."""

    says: str = "Belgium"
    asked: list[Request] = field(default_factory=list)
    name: str = "scripted:reader"

    def complete(self, request: Request) -> Reply:
        self.asked.append(request)
        if self.says == "!":
            raise LmError("the server is away")
        return Reply(self.says)

    def stream(self, request: Request):  # type: ignore[no-untyped-def]
        return in_one_piece(self.complete(request))

    @property
    def prompt(self) -> str:
        return self.asked[-1].messages[-1].content


@pytest.fixture(scope="module")
def session() -> Session:
    graph = open("atlas")
    assert isinstance(graph, Graph)
    return Session(graph, Settings())


@pytest.fixture
def executor(session: Session) -> Executor:
    return session.executor


def answer(reasoner: GRetriever | Extractor, text: str = QUESTION) -> Answer:
    *_, last = reasoner.run(Question(text))
    assert last.answer is not None
    return last.answer


def test_the_model_reads_the_subgraph_and_its_answer_is_proved(executor: Executor) -> None:
    model = Reader("Belgium, Luxembourg and Switzerland")
    found = answer(GRetriever(executor, model, options=SPREAD))
    assert found.answered and found.unsupported == ()
    assert set(found.value) == {"Belgium", "Luxembourg", "Switzerland"}  # type: ignore[arg-type]
    assert (
        model.prompt.startswith("<graph>\nnode_id,node_attr\n") and "\n\nsrc,edge_attr,dst\n" in model.prompt
    )
    assert f"Question: {QUESTION}" in model.prompt
    assert (found.reasoner, found.lm) == ("g-retriever", "scripted:reader")
    assert verify(executor, found).verdict == "same"


def test_evidence_is_of_the_graph_and_what_is_not_in_it_is_marked(executor: Executor) -> None:
    found = answer(GRetriever(executor, Reader("Belgium, Atlantis"), options=SPREAD))
    assert found.unsupported == ("Atlantis",)
    assert found.evidence.edges
    graph = executor.graph
    assert isinstance(graph, Graph)
    real = {
        (graph.id(a), r.name, graph.id(b))
        for i, r in enumerate(graph.schema.relations)
        for a, b in zip(*map(list, graph.ends(i)), strict=True)
    }
    assert set(found.evidence.edges) <= real
    strict = answer(GRetriever(executor, Reader("Belgium, Atlantis"), options=SPREAD, strict=True))
    assert (strict.answered, strict.stopped) == (False, "unsupported")


@pytest.mark.parametrize(
    ("name", "call"),
    [("zero-shot", "Subgraph"), ("zero-cot", "Subgraph"), ("cot-bag", "Subgraph"), ("kaping", "Triples")],
)
def test_settings_differ_in_what_is_told_and_how(executor: Executor, name: str, call: str) -> None:
    model = Reader("Let us see.\nAnswer: Belgium")
    found = answer(GRetriever(executor, model, SETTINGS[name], most_tokens=500))
    assert found.calls[0].spelling.startswith(f"{call}[")
    assert ("step by step" in model.prompt) == (name == "zero-cot")
    assert ("construct a graph" in model.prompt) == (name == "cot-bag")
    assert len(model.prompt) < 4 * 500 + 1_000
    if name == "kaping":
        rows = model.prompt.split("<graph>\n")[-1].split("\n</graph>")[0].strip().splitlines()
        assert len(rows) == 10 and all(re.fullmatch(r"\(.+, .+, .+\)", row) for row in rows)
        assert "form of the triple" in model.prompt and "node_id" not in model.prompt


def test_the_question_alone_reads_nothing(executor: Executor) -> None:
    model = Reader("Belgium")
    found = answer(GRetriever(executor, model, SETTINGS["question-only"]))
    assert "node_id" not in model.prompt and found.calls == ()
    assert found.unsupported == ("Belgium",)


@pytest.mark.parametrize(
    ("says", "stopped"), [("!", "lm"), ("  ", "unreadable"), ("unknown", ""), ("Answer: None.", "")]
)
def test_no_answer_says_why_and_keeps_what_was_retrieved(executor: Executor, says: str, stopped: str) -> None:
    found = answer(GRetriever(executor, Reader(says), options=SPREAD))
    assert (found.answered, found.stopped) == (False, stopped)
    assert found.text and found.evidence.nodes


def test_the_last_answer_line_counts() -> None:
    assert last_answer("Answer: no\nthink\n**Final answer:** Rome").startswith("Rome")
    assert last_answer("The answer is Rome") == "Rome"
    assert last_answer("Rome") == "Rome"
    assert last_answer("Rome\nAnswer:") == "Rome\nAnswer:"


def test_text_of_the_graph_cannot_begin_a_line_of_the_prompt(executor: Executor) -> None:
    model = Reader()
    answer(GRetriever(executor, model, options=SPREAD))
    table = model.prompt.removeprefix("<graph>\n").split("</graph>\nThe tables between")[0]
    lines = [line for line in table.splitlines() if line]
    assert all(re.match(r"(\d+,|node_id,|src,)", line) for line in lines)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        (QUESTION, {"Belgium", "Luxembourg", "Switzerland"}),
        ("What is the capital of Japan?", {"Tokyo"}),
        ("Which currency does Spain use?", {"Euro"}),
    ],
)
def test_without_a_model_the_answer_is_extracted_and_proved(
    session: Session, question: str, value: set[str]
) -> None:
    found = answer(Extractor(session.executor, session.planner.planner, SPREAD), question)
    assert set(found.value) == value  # type: ignore[arg-type]
    assert verify(session.executor, found).verdict == "same"


@pytest.mark.parametrize(
    "question", ["How do I boil an egg?", "How many countries border France?", "Is France in Europe?"]
)
def test_without_a_model_what_is_unsure_is_declined(session: Session, question: str) -> None:
    found = answer(Extractor(session.executor, session.planner.planner, SPREAD), question)
    assert not found.answered and "cannot be answered" in found.text


@pytest.mark.parametrize("name", SETTINGS)
def test_the_application_knows_every_setting(name: str) -> None:
    from graphtalk.app.reasoners import names, resolved

    assert name in names()
    assert resolved(Settings(lm="openai:x", reasoner=name)) == name


def test_a_model_can_be_told_to_list_what_supports_its_answer(executor: Executor) -> None:
    model = Reader("Answer: Belgium\nNodes:\n* Belgium\n* Atlantis")
    found = answer(GRetriever(executor, model, SETTINGS[LISTING], SPREAD))
    assert 'under "Nodes:" and "Edges:"' in model.prompt and model.prompt.endswith("\nAnswer:")
    assert found.text == "Answer: Belgium\nNodes:\n* Belgium\n* Atlantis" and found.value == ["Belgium"]
    assert found.unsupported == ()  # a benchmark looks up what is listed
    answer(GRetriever(executor, model, SETTINGS[LISTING], SPREAD, form="Question: {}\nAnswer:".format))
    table, asked = model.prompt.split("\nQuestion: ")  # a model that was trained
    assert table.startswith("node_id,node_attr\n") and asked.startswith(f"{QUESTION} After the answer list")
    assert asked.endswith('under "Nodes:" and "Edges:".\nAnswer:')


def cast(size: int) -> Graph:
    """Films with years as nodes and scores as edges, and actors: each part that is played has words of its own."""
    films = {"id": [f"f{i}" for i in range(size)], "name": [f"Film Number {i}" for i in range(size)]}
    years = {"id": [f"y{i}" for i in range(size)], "name": [str(1900 + i) for i in range(size)]}
    people = {"id": ["p0", "p1"], "name": ["Keanu Reeves", "Ann Other"]}
    tables = [NodeTable(kind, pa.table(rows), "name") for kind, rows in
              (("film", films), ("year", years), ("person", people))]  # fmt: skip
    one, every = np.zeros(size, np.int64), np.arange(size)
    parts = pa.table(
        {"role": [f"a man called {w} {i}" for i, w in enumerate(["Neo", "John", "Kai", "Ted"] * (size // 4))]}
    )
    edges = [
        EdgeTable("acted in", "person", "film", one, every, parts),
        EdgeTable("rated", "person", "film", one + 1, every, pa.table({"score": every / 2})),
        EdgeTable("score in year", "person", "year", one, every, pa.table({"score": every})),
        EdgeTable("seen in year", "person", "year", one, every, pa.table({"times": every})),
        EdgeTable("age in year", "person", "year", one, every, pa.table({"age": every})),
        EdgeTable("released in", "film", "year", every, every),
    ]
    return build(tables, edges, "cast")


def test_the_edges_that_are_asked_for_are_retrieved_though_each_has_words_of_its_own() -> None:
    graph = cast(40)
    executor = Session(graph, Settings()).executor
    model = Reader("Film Number 1")
    answer(GRetriever(executor, model, options=SPREAD), "In which films has Keanu Reeves acted?")
    assert model.prompt.count("name: acted in") >= 9, model.prompt


def test_what_a_question_names_stands_first_where_not_all_finds_room() -> None:
    graph = cast(1_000)
    executor = Session(graph, Settings()).executor
    for name in ("zero-shot", "zero-cot"):
        model = Reader("1990")
        answer(
            GRetriever(executor, model, SETTINGS[name], most_tokens=500),
            'When was "Film Number 990" released?',
        )
        assert "Film Number 990" in model.prompt and "released in" in model.prompt
