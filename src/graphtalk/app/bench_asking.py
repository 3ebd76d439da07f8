"""Where the questions of a task find their graph, and how each is asked."""

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from graphtalk.app import ask as wiring
from graphtalk.app.asking import opened
from graphtalk.app.makers import toolformer
from graphtalk.app.reasoners import OFFLINE, resolved
from graphtalk.app.render import answer_to_json
from graphtalk.app.session import Session
from graphtalk.app.settings import Settings
from graphtalk.app.solve import SolveSettings, solver
from graphtalk.app.toolformer import HOME
from graphtalk.benchmarks import Task, find_task
from graphtalk.benchmarks.hallucination import check
from graphtalk.benchmarks.task import BringsGraphs, HasRecipe, MeansSameOrMore, Retrieves
from graphtalk.core import JSON, Answer, CallError, LmError, Question, UsageError
from graphtalk.graphs import Graph
from graphtalk.lms import Usage
from graphtalk.lms.meter import Meter
from graphtalk.reasoners.g_retriever.settings import LISTING
from graphtalk.reasoners.toolformer.completion import completed, run_calls
from graphtalk.reasoners.toolformer.reasoner import answer_of, refusal

if TYPE_CHECKING:
    from graphtalk.reasoners.graph_agents.solving import Solved
    from graphtalk.search.subgraph import Options

SOLVER = "graph-agents"  # who answers problems in words, whatever reasoner is named
TOOLFORMER = "toolformer"  # who annotates statements

Ask: TypeAlias = Callable[[Question], Answer]


def place_of(task: Task, store: str, data: Path | None) -> Session:
    """The session of the graph that a task's questions are about; an empty one where they bring their own.

    Raises UsageError where a graph is needed and none is named.
    """
    if task.about == "statements":
        return Session(opened(HOME))
    if task.about != "graph":
        from graphtalk.graphs.build import build

        return Session(build([], [], task.name))
    recipe = task.recipe if isinstance(task, HasRecipe) else ""
    if not store and not (recipe and data is not None and data.is_dir()):
        raise UsageError("--graph is missing: the graph that is asked about.")
    return Session(opened(store) if store else wiring.open(data or "", recipe=recipe))


def fitting_place(task: Task, store: str, data: Path | None) -> Session:
    """As `place_of`. Raises UsageError, too, where the graph does not fit the task."""
    session = place_of(task, store, data)
    if task.about == "graph":
        task.check(session.union)
    return session


def asked_by(task: Task, settings: Settings) -> str:
    """The name of the reasoner that answers a task's questions."""
    return {"words": SOLVER, "statements": TOOLFORMER}.get(task.about) or resolved(settings)


@dataclass(frozen=True)
class Asking:
    """How the questions of a task are asked: of one graph, of a graph for each, or of their own words."""

    task: Task
    session: Session
    data: Path | None = None

    def of(self) -> Ask:
        """A way to ask, for one thread."""
        if self.task.about == "words":
            return self._of_words()
        if self.task.about == "statements":
            return annotating(self.session.beside())
        if self.task.about == "own graph":
            return self._of_own_graphs()
        more = isinstance(self.task, MeansSameOrMore) and self.task.same_or_more
        mine = (self.session.reading_same_or_more() if more else self.session).beside()
        return lambda question: mine.ask(question.text, question.id)

    def _of_words(self) -> Ask:
        settings = self.session.settings
        if settings.lm == OFFLINE:
            solve = solver(SolveSettings(settings))
            return lambda question: _answer(solve(question.text), settings.lm, Usage())

        def ask(question: Question) -> Answer:
            meter = Meter(self.session.model)
            found = solver(SolveSettings(settings), lm=meter)(question.text)
            return _answer(found, settings.lm, meter.usage)

        return ask

    def _of_own_graphs(self) -> Ask:
        """Retrieval is the paper's: its graphs are the neighbourhoods that its rule counts on."""
        graphs = _graphs(self.task.name, self.data)
        session = self.session.with_retrieval(options_of(self.task))

        def ask(question: Question) -> Answer:
            return session.about(graphs[question.id]()).ask(question.text, question.id)

        return ask

    def shown(self, question: Question, answer: Answer) -> dict[str, JSON]:
        """An answer as its record has it; what it was to list as its support, looked up in the question's own graph."""
        told = answer_to_json(answer)
        if answer.reasoner == LISTING and self.task.about == "own graph":
            graph = _graphs(self.task.name, self.data)[question.id]()
            told["listed"] = check(answer.text, graph).to_json()
        return told


def annotating(session: Session) -> Ask:
    """A way to annotate texts: the answer is the annotated text, its value that text and the results of its calls."""
    reasoner = toolformer(session, stored=False)

    def ask(question: Question) -> Answer:
        started = time.perf_counter()
        try:
            statement = reasoner.annotated(question.text)
        except (CallError, LmError) as error:
            answer = refusal(error)
        else:
            ran = tuple(run_calls(statement, reasoner.executor))
            value: JSON = {"statement": statement.text, "results": [one.value for one in ran]}
            answer = replace(answer_of(completed(statement, ran)), answered=True, value=value)
        return replace(reasoner.signed(answer), seconds=time.perf_counter() - started)

    return ask


def options_of(task: Task) -> "Options | None":
    """How the paper retrieves for a task; None where it says nothing."""
    from graphtalk.search.subgraph import Options

    if not isinstance(task, Retrieves):
        return None
    how = task.retrieval
    return Options(0, 0) if how is None else Options(how.nodes, how.edges, how.edge_cost, "paper")


def _answer(found: "Solved", lm: str, usage: Usage) -> Answer:
    """A solved problem as any other answer."""
    used = {name: number for name, number in asdict(usage).items() if number}
    return Answer(
        found.answered,
        found.text,
        found.value,
        calls=found.calls,
        remarks=found.remarks,
        reasoner=SOLVER,
        lm=lm,
        usage=used,
        seconds=found.seconds,
    )


@cache
def _graphs(name: str, data: Path | None) -> Mapping[str, Callable[[], Graph]]:
    """The graph of each question of the task called `name`, by id."""
    task = find_task(name)
    if data is None or not isinstance(task, BringsGraphs):
        raise UsageError(f"{name} needs --data: the folder of its data set.")
    return task.graphs(data)
