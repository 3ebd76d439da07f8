"""Several graphs by name, and who answers about them: what the HTTP server and the MCP server stand on.

Every graph is opened once. A session answers one question at a time, so each graph has as many as there are
questions under way; they share its index, its working memory and the model.
"""

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from queue import Empty, LifoQueue
from threading import RLock
from typing import TypeAlias

from graphtalk.app import ask as wiring
from graphtalk.app import reasoners
from graphtalk.app.session import Session
from graphtalk.app.settings import Settings
from graphtalk.core import UsageError, choices
from graphtalk.graphs import Graph, GraphSet, Loaded

MOST_SPARE = 64  # sessions that wait for a question, of one graph and one way to answer


class UnknownNameError(UsageError):
    """No graph, reasoner or model of this shelf is called so."""


@dataclass(frozen=True)
class Choice:
    """By which reasoner and model a question is to be answered; an empty name is the shelf's own."""

    reasoner: str = ""
    lm: str = ""


CHOICE = Choice()


Named: TypeAlias = Loaded | tuple[str, Loaded]  # a graph by its own name, or by another


def _named(graph: Named) -> tuple[str, Loaded]:
    return graph if isinstance(graph, tuple) else (graph.name, graph)


@dataclass(frozen=True, eq=False)
class Shelf:
    """Graphs by the names that people ask for them by.

    A question may choose any reasoner, and either no model or the one of `settings`: what a request names is
    never opened. `GL` in a call loads these graphs and those `allowed`, no others.
    """

    graphs: MutableMapping[str, Loaded]
    settings: Settings = field(default_factory=Settings)
    allowed: Mapping[str, Loaded] = field(default_factory=dict)
    _first: dict[tuple[str, Settings], Session] = field(default_factory=dict, repr=False)
    _spare: dict[tuple[str, Settings], LifoQueue[Session]] = field(default_factory=dict, repr=False)
    _lock: RLock = field(default_factory=RLock, repr=False)

    @classmethod
    def of(cls, graphs: Sequence[Named], settings: Settings, allowed: Sequence[Named] = ()) -> "Shelf":
        """Graphs by their own names, or by those that they are given with.

        Raises UsageError where two are called the same, or the settings do not fit.
        """
        wiring.check(settings)
        named: dict[str, Loaded] = {}
        for name, graph in map(_named, (*graphs, *allowed)):
            if name in named:
                raise UsageError(
                    f"Two graphs are called {name!r}. Give one of them another name: NAME=STORE."
                )
            named[name] = graph
        served = dict(map(_named, graphs))
        return cls(served, settings, {n: g for n, g in named.items() if n not in served})

    @cached_property
    def _offered(self) -> Mapping[str, Loaded]:
        return {**self.allowed, **self.graphs}

    def offers(self, name: str) -> bool:
        """Whether a graph is called so, served or not."""
        return name in self._offered

    def add(self, name: str, graph: Loaded) -> None:
        """Serve another graph from now on. Sessions that there are do not load it by `GL`."""
        with self._lock:
            self.graphs[name] = graph
            vars(self).pop("_offered", None)

    def names(self) -> tuple[str, ...]:
        """The names of all graphs."""
        return tuple(self.graphs)

    def lms(self) -> tuple[str, ...]:
        """The models that a question may choose."""
        return tuple(dict.fromkeys((self.settings.lm, reasoners.OFFLINE)))

    def reasoners(self, lm: str = "") -> tuple[str, ...]:
        """The reasoners that go with a model."""
        alone = (lm or self.settings.lm) == reasoners.OFFLINE
        known = reasoners.entries().values()
        fitting = (e.name for e in known if (not e.needs_model if alone else e.name != reasoners.OFFLINE))
        return (reasoners.AUTO, *fitting)

    def graph(self, name: str) -> Loaded:
        """A graph. Raises UnknownNameError, with the valid names."""
        found = self.graphs.get(name)
        if found is None:
            raise UnknownNameError(f"No graph {name!r}. {choices(name, self.graphs)}")
        return found

    def union(self, name: str) -> Graph:
        """A graph; of a graph set, all its graphs side by side."""
        found = self.graph(name)
        return found.union if isinstance(found, GraphSet) else found

    def chosen(self, choice: Choice) -> Settings:
        """The settings of a choice. Raises UnknownNameError for what the shelf does not offer."""
        lm = choice.lm or self.settings.lm
        if lm not in self.lms():
            raise UnknownNameError(f"No language model {lm!r} here. {choices(lm, self.lms())}")
        own = self.settings.reasoner if lm == self.settings.lm else reasoners.AUTO
        reasoner = choice.reasoner or own
        if reasoner not in self.reasoners(lm):
            raise UnknownNameError(
                f"No reasoner {reasoner!r} with the model {lm!r}. {choices(reasoner, self.reasoners(lm), 20)}"
            )
        return replace(self.settings, lm=lm, reasoner=reasoner)

    def first(self, name: str, choice: Choice = CHOICE) -> Session:
        """The session of a graph that its others are made beside: for its index, and what only reads."""
        settings = self.chosen(choice)
        graph = self.graph(name)
        with self._lock:
            key = (name, settings)
            if key not in self._first:
                self._first[key] = self._made(name, graph, settings)
                self._spare[key] = LifoQueue(MOST_SPARE)
            return self._first[key]

    def _made(self, name: str, graph: Loaded, settings: Settings) -> Session:
        """A session that shares its graph's index and memory, and its model, with those there are."""
        made = Session(graph, settings, offered=self._offered)
        for (other, chosen), session in self._first.items():
            if other == name:
                vars(made).update(index=session.index, memory=session.memory)
            if chosen.lm == settings.lm and reasoners.asks_model(settings):
                vars(made)["model"] = session.model
        return made

    @contextmanager
    def session(self, name: str, choice: Choice = CHOICE) -> Iterator[Session]:
        """A session that nobody else uses meanwhile. Raises UnknownNameError."""
        first = self.first(name, choice)
        spare = self._spare[name, first.settings]
        try:
            session = spare.get_nowait()
        except Empty:
            session = first.beside()
        try:
            yield session
        finally:
            if not spare.full():
                spare.put(session)
