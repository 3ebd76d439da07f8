"""A session: a graph with what answers questions about it, each part made when it is first used."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from graphtalk.app import reasoners, stores
from graphtalk.app.notebook import GraphAnswer
from graphtalk.app.settings import DEFAULT, Settings
from graphtalk.calls import Spelling, Text, parse, show
from graphtalk.core import (
    Answer,
    CallError,
    CheckError,
    Question,
    SourceError,
    Step,
    StoreError,
    ToolError,
    Trace,
    UsageError,
)
from graphtalk.core.text import visible, whole
from graphtalk.graphs import Graph, GraphSet, Loaded, builtin
from graphtalk.graphs.describe import describe
from graphtalk.search.index import Index

if TYPE_CHECKING:
    from graphtalk.calls.query import NodePattern
    from graphtalk.hub import Hub
    from graphtalk.lms import LanguageModel
    from graphtalk.lms.budget import Ledger
    from graphtalk.lms.options import LmOptions
    from graphtalk.reasoners.conversation import Conversation
    from graphtalk.reasoners.offline import OfflineReasoner
    from graphtalk.reasoners.reasoner import Reasoner
    from graphtalk.reasoners.toolformer.annotator import Annotator
    from graphtalk.reasoners.toolformer.modelled import ModelReader
    from graphtalk.search.subgraph import Options
    from graphtalk.tools.executor import Executor, Result
    from graphtalk.tools.memory import WorkingMemory
    from graphtalk.tools.trail import Ran
    from graphtalk.tools.verify import Verification

MOST_CHARACTERS = 10_000  # of a question

OnStep: TypeAlias = Callable[[Step], None]


@dataclass(frozen=True)
class Session:
    """A graph with the index, reasoner and model that answer questions about it; results are shared between questions.

    - `ledger`: the budget that its model draws on, where several models share one.
    - `offered`: the graphs that `GL` may load besides its own; None: all that need no file.
    """

    graph: Loaded
    settings: Settings = DEFAULT
    ledger: "Ledger | None" = None
    offered: Mapping[str, Loaded] | None = None

    def __repr__(self) -> str:
        return f"A session of {visible(self.graph.name)}: {self.settings.lm}, {self.settings.reasoner}"

    @property
    def union(self) -> Graph:
        """The graph; of a graph set, all its graphs side by side."""
        return self.graph.union if isinstance(self.graph, GraphSet) else self.graph

    def describe(self) -> str:
        """What the graph can be asked about, in words."""
        return describe(self.union.schema)

    @cached_property
    def index(self) -> Index:
        """The search index over the graph's names."""
        return Index.open(self.union).retrieving(self.settings.retriever)

    @cached_property
    def executor(self) -> "Executor":
        """What runs calls."""
        from graphtalk.tools.executor import Executor

        index = self.index if isinstance(self.graph, Graph) else None
        loader = GraphLoader(self.graph, self.offered, self.settings.allow)
        return Executor(self.graph, index, memory=self.memory, loader=loader)

    @cached_property
    def memory(self) -> "WorkingMemory[Ran]":
        """The results of recent calls."""
        from graphtalk.tools.memory import WorkingMemory

        return WorkingMemory()

    @cached_property
    def planner(self) -> "OfflineReasoner":
        """What reads questions without a model."""
        from graphtalk.reasoners.offline import ACCEPT, OfflineReasoner  # not needed to run a call

        second, more = _model_reader(self), self.settings.same_or_more
        accept = ACCEPT if self.settings.accept is None else self.settings.accept
        return OfflineReasoner(self.executor, self.index, second=second, same_or_more=more, accept=accept)

    @cached_property
    def conversation(self) -> "Conversation":
        """What makes follow-up questions stand alone."""
        from graphtalk.reasoners.conversation import Conversation

        return Conversation(self.union, self.index)

    @cached_property
    def model(self) -> "LanguageModel":
        """The language model with all its layers; one for all that share the session's settings."""
        from graphtalk.lms.registry import open_lm

        return open_lm(self.settings.lm, lm_options(self.settings), self.ledger)

    @cached_property
    def reasoner(self) -> "Reasoner":
        """What answers questions."""
        return reasoners.make(self)

    def beside(self) -> "Session":
        """A session for another thread: it shares graph, index, memory and model, and has an executor of its own."""
        other = self.about(self.graph)
        vars(other).update(index=self.index, memory=self.memory)
        return other

    def about(self, graph: Loaded) -> "Session":
        """A session of another graph with the same model."""
        other = Session(graph, self.settings, self.ledger, self.offered)
        if reasoners.asks_model(self.settings):
            vars(other)["model"] = self.model
        return other

    def reading_same_or_more(self) -> "Session":
        """A session of the same graph and model that reads "the same X as" as GRBench does."""
        other = self._with(replace(self.settings, same_or_more=True))
        vars(other).update(index=self.index, memory=self.memory)
        return other

    def with_retrieval(self, options: "Options | None") -> "Session":
        """A session of the same graph and model whose retrieval has these options."""
        return self._with(replace(self.settings, retrieval=options))

    def with_model(self, model: "LanguageModel") -> "Session":
        """A session of the same graph that asks this model, which no name opens."""
        other = replace(self, settings=replace(self.settings, lm=model.name, reasoner=reasoners.AUTO))
        vars(other).update(index=self.index, memory=self.memory, model=model)
        return other

    def _with(self, settings: Settings) -> "Session":
        other = replace(self, settings=settings)
        if reasoners.asks_model(self.settings):
            vars(other)["model"] = self.model
        return other

    def ask(
        self,
        text: str,
        id: str = "",
        on_step: OnStep | None = None,
        earlier: tuple[tuple[str, str], ...] = (),
        choose: int = 0,
        about: str = "",
    ) -> GraphAnswer:
        """Answer a question; `on_step` sees every step as it happens. `earlier`: questions and answers before it.

        `about`: the call that gave the answer that "them" and "those" speak of.

        `choose` takes the alternative of this number, from 1, that an earlier answer to the question offered. Raises
        UsageError where there are fewer, or none can be chosen.
        """
        if choose and reasoners.resolved(self.settings) != reasoners.OFFLINE:
            raise UsageError(
                "Only the offline reader offers readings to choose from: leave out --lm and --reasoner."
            )
        started = time.perf_counter()
        steps: list[Step] = []
        answer = self._refusal(text) or self._reason(
            Question(text, id, earlier, choose, about=about), steps, on_step
        )
        seconds = time.perf_counter() - started
        return GraphAnswer.of(replace(answer, seconds=seconds, trace=Trace(tuple(steps))), self.union)

    def _refusal(self, text: str) -> Answer | None:
        """Why a question is not even tried."""
        why = ""
        if not text.strip():
            why = "The question is empty."
        elif len(text) > MOST_CHARACTERS:
            why = f"The question has {len(text):,} characters; at most {MOST_CHARACTERS:,} are read."
        elif whole(text) != text:
            why = "The question is not valid UTF-8 text."
        return Answer(False, why) if why else None

    def _reason(self, question: Question, steps: list[Step], on_step: OnStep | None) -> Answer:
        try:
            for step in self.reasoner.run(question):
                steps.append(step)
                if on_step is not None:
                    on_step(step)
        except CallError as error:
            return Answer(False, f"{error}")
        last = steps[-1].answer if steps else None
        return last or Answer(False, "No answer was found.")

    def call(self, text: str) -> "Result":
        """Run a call written in any spelling. Raises CallError where it cannot be read, checked or run."""
        return self.executor.run(parse(text, self.executor.registry.vocabulary))

    def spelled(self, text: str, spelling: "Spelling" = "cypher") -> str:
        """A call in another spelling. As Cypher it is a query where it is made of operations on rows, else a function."""
        call = parse(text, self.executor.registry.vocabulary)
        if spelling != "cypher":
            return show(call, spelling, self.executor.registry.vocabulary)
        from graphtalk.engines.lower import in_cypher  # only who asks for Cypher needs it

        try:
            return in_cypher(call, self.union.schema, self._pattern)
        except CallError:  # a name of another graph, which `GL` loads
            return show(call, "cypher")

    def _pattern(self, name: str, node_type: str | None) -> "NodePattern":
        """The node that a call means by a name, as a pattern that fits it alone: its type, and its name, else its id.

        Raises CheckError where neither tells it.
        """
        import pyarrow.compute as pc

        from graphtalk.calls.query import Entry, NodePattern
        from graphtalk.engines.naming import node_column

        graph = self.union
        node = self.executor.source(graph).finder.find(name, (node_type,) if node_type else ())
        t = graph.node_type(node)
        for key, text in (("name", graph.label(node)), ("id", graph.id(node))):
            column = node_column(t, key)
            if column == (t.label or "id" if key == "name" else "id"):
                alike = pc.equal(graph.columns[t.name].column(column), text)
                if pc.sum(alike).as_py() == 1:
                    return NodePattern("", (t.name,), (Entry(key, Text(text)),))
        raise CheckError(f"{t.name} nodes are not told by a name or an id.")

    def verify(self, answer: Answer) -> "Verification":
        """Run an answer's calls again, and compare all that it claims with what they give."""
        from graphtalk.tools.verify import verify

        return verify(self.executor, answer)


def _model_reader(session: Session) -> "ModelReader | None":
    """Who reads questions that models answer, for the data sets that the offline annotator has learnt; nothing is opened."""
    from graphtalk.hub import card_names

    if session.graph.name not in card_names():
        return None
    from graphtalk.reasoners.toolformer.modelled import ModelReader

    return ModelReader(session.graph, _offline_annotator, session.executor.registry.vocabulary)


def _offline_annotator() -> "Annotator":
    from graphtalk.reasoners.toolformer.offline import open_offline_annotator

    return open_offline_annotator()


@dataclass(frozen=True)
class GraphLoader:
    """The graphs that `GL` may load: the one at hand, by its name, those `offered`, and what lies in the places `allowed`.

    None is offered: the built-in ones and those of the hub. That is for a person at a machine of their own.
    """

    graph: Loaded
    offered: Mapping[str, Loaded] | None = None
    allowed: tuple[str, ...] = ()

    def names(self) -> Sequence[str]:
        """The names of all graphs that may be loaded."""
        others = (*builtin.names(), *hub().names()) if self.offered is None else self.offered
        return tuple(dict.fromkeys((self.graph.name, *others)))

    def load(self, name: str) -> Loaded:
        """The graph or graph set of one of these names. Raises ToolError for a data set that is not fetched."""
        if name == self.graph.name:
            return self.graph
        if self.offered is not None:
            return self.offered[name]
        return stores.open_named(name) if name in builtin.names() else hub().load(name)

    def at(self, place: str) -> Loaded:
        """The graph of a file or an address among the places allowed. Raises ToolError where there is none."""
        from graphtalk.app.places import allowed_place

        try:
            return stores.open_named(allowed_place(place, self.allowed))
        except (SourceError, StoreError, UsageError) as error:
            raise ToolError(str(error)) from None


def hub() -> "Hub":
    """The data sets that were fetched, and those that can be; one object a folder, so that each graph is opened once."""
    from graphtalk.hub import hub_folder

    return _hub(hub_folder())


@cache
def _hub(root: Path) -> "Hub":
    from graphtalk.hub import Hub

    return Hub(root)


def lm_options(settings: Settings) -> "LmOptions":
    """What a language model is opened with."""
    from graphtalk.lms.budget import Budget
    from graphtalk.lms.options import LmOptions

    return LmOptions(
        base_url=settings.base_url,
        prices=settings.prices,
        budget=Budget(settings.budget_usd, settings.budget_tokens, settings.budget_seconds),
        cache=settings.cache,
        record=settings.record,
        replay=settings.replay,
        concurrency=settings.concurrency,
        timeout=settings.lm_timeout,
        retries=settings.retries,
        decoding=settings.decoding,
        spread=settings.spread,
    )
