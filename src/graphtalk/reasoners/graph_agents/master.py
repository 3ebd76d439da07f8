"""The master: a language model that acts by three functions until it can sum up (Hu et al. 2024, section 4, appendix C).

Build_Graph, Design_Distributed_Algorithm and Distributed_Execution are checked here: a graph against the text, an
algorithm by its types and by a run on small random graphs. The value of an answer is read off the final states, never
taken from the model.
"""

import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

from graphtalk.core import JSON, BudgetError, CallError, LmError, UsageError
from graphtalk.language.telling import value_in_words
from graphtalk.lms.meter import Meter
from graphtalk.lms.protocol import LanguageModel, Message, Request, Usage, user
from graphtalk.lms.structured import json_in
from graphtalk.reasoners.graph_agents.agents import LmEngine
from graphtalk.reasoners.graph_agents.answers import shown_value
from graphtalk.reasoners.graph_agents.building import differences, lm_reading, told_graph
from graphtalk.reasoners.graph_agents.described import Described, Problem
from graphtalk.reasoners.graph_agents.design import Design, designed
from graphtalk.reasoners.graph_agents.offline import OfflineMaster
from graphtalk.reasoners.graph_agents.reading import ReadProblem, read
from graphtalk.reasoners.graph_agents.solving import Solved, Solver, signed
from graphtalk.reasoners.graph_agents.summary import agrees
from graphtalk.reasoners.graph_agents.tasks import posed
from graphtalk.reasoners.graph_agents.transcript import Hear, rounds_of, shown
from graphtalk.reasoners.graph_agents.ways import planned
from graphtalk.reasoners.graph_agents.within import Stored
from graphtalk.reasoners.prompting import prompt
from graphtalk.reasoners.untrusted import bordered, one_line
from graphtalk.tools.context import Programs
from graphtalk.tools.executor import Executor, Result
from graphtalk.vertex import Library, Run, library, plain_states
from graphtalk.vertex.language.types import NODE

IN_WORDS = (
    "The algorithm is in words, and agents of the model acted on it: nothing else checked what they did."
)
MOST_STATES = 200  # nodes whose final states the master is shown
MOST_NAME = 100  # letters of a node's name
MOST_TOLD = 2_000  # letters of a value that is read off them
MOST_TOKENS = 4_000


@dataclass(frozen=True)
class Master:
    """Solves problems with a model. `engine` runs the nodes (None: compiled steps); `cards` is the library.

    `hear` is told the transcript. Where the model gives up or cannot be read, the offline master answers. `executor` is
    that of a stored graph, for questions about it.
    """

    lm: LanguageModel
    engine: LmEngine | None = None
    cards: Library = field(default_factory=library)
    most_turns: int = 15
    hear: Hear = lambda _: None
    executor: Executor | None = None

    def solve(self, text: str) -> Solved:
        """The answer to a problem, or why there is none. Raises BudgetError where what may be spent is spent."""
        counted = replace(self, lm=Meter(self.lm))
        return counted._solve(text, lambda: counted._opened(text), OfflineMaster(self.cards).solve)

    def solve_over(self, reading: ReadProblem) -> Solved:
        """The answer to a question about a graph that is already there."""
        counted = replace(self, lm=Meter(self.lm))
        return counted._solve(
            reading.text,
            lambda: counted._posed(reading.text, reading),
            lambda _: OfflineMaster(self.cards, executor=self.executor).solve_over(reading),
        )

    def _solve(self, text: str, opened: Callable[[], "_Work"], without: Callable[[str], Solved]) -> Solved:
        """The model's way, and `without` it where it fails."""
        started = time.perf_counter()
        try:
            work = opened()
            said = self._turns(work)
            found = work.found(said)
        except BudgetError:
            raise
        except (LmError, CallError) as error:
            why = f"The model was of no use here ({error}): the problem was solved without it."
            self.hear(f"Master: {why}")
            alone = without(text)
            return self._counted(replace(alone, remarks=(*alone.remarks, why)), started)
        except UsageError as error:
            return self._counted(Solved(False, str(error)), started)
        if self.engine is not None and self.engine.tally.said:
            self.hear(self.engine.tally.said)
        return self._counted(found, started)

    def _counted(self, found: Solved, started: float) -> Solved:
        """The answer with its seconds, and with what was asked of the model by master and agents."""
        spent = self.lm.usage if isinstance(self.lm, Meter) else Usage()
        spent += self.engine.tally.usage if self.engine is not None else Usage()
        usage = {name: float(number) for name, number in asdict(spent).items() if number}
        return replace(found, seconds=time.perf_counter() - started, usage=usage)

    def _opened(self, text: str) -> "_Work":
        """The problem, read by grammar; where that cannot, the model reads the graph."""
        try:
            reading = read(text)
        except UsageError as error:
            described = lm_reading(self.lm, text, error)
            return _Work(self, text, described, None)
        return self._posed(text, reading)

    def _posed(self, text: str, reading: ReadProblem) -> "_Work":
        try:
            problem = posed(reading)
        except UsageError:
            problem = None
        described = problem.described if problem else reading.described
        return _Work(self, text, described, problem, stored=Stored.of(described, self.executor))

    def _turns(self, work: "_Work") -> str:
        """Turn by turn, until the master sums up: what it says then."""
        system = prompt("graph_agents_master") + (f"\n\n{work.stored.told(work.text)}" if work.stored else "")
        messages: tuple[Message, ...] = user(bordered(work.text), system)
        for turn in range(1, self.most_turns + 1):
            self.hear(f"Master: ITER {turn}, STEP 1: REASONING")
            reply = self.lm.complete(Request(messages, max_tokens=MOST_TOKENS))
            messages = (*messages, Message("assistant", reply.text))
            thought, speak, calls = _turn(reply.text)
            self.hear(f"Master: thought: {thought} speak: {speak}")
            if not calls and work.done is not None:
                return speak
            if not calls:
                messages = (
                    *messages,
                    Message("user", "The agents have not run yet. Call the functions in their order."),
                )
                continue
            self.hear(f"Master: ITER {turn}, STEP 2: ACTING")
            told = "\n".join(work.act(place, *call) for place, call in enumerate(calls, 1))
            self.hear(told)
            messages = (*messages, Message("user", bordered(told)))
        raise LmError(f"The master did not sum up within {self.most_turns} turns.")


def _turn(text: str) -> tuple[str, str, list[tuple[str, Mapping[str, Any]]]]:
    """Thought, speech and calls of a turn; calls may stand in a text of JSON, as in the paper's examples."""
    found = next((value for value in json_in(text) if isinstance(value, dict)), None)
    if found is None:
        return "", text.strip(), []
    listed = found.get("function")
    if isinstance(listed, str):
        listed = next((value for value in json_in(listed) if isinstance(value, list)), [])
    calls = [
        (str(call.get("name", "")), call.get("arguments") if isinstance(call.get("arguments"), dict) else {})
        for call in (listed if isinstance(listed, list) else [])
        if isinstance(call, dict)
    ]
    return str(found.get("thought", "")), str(found.get("speak", "")), calls  # type: ignore[return-value]


@dataclass
class _Work:
    """One problem as it is worked on."""

    master: Master
    text: str
    described: Described
    problem: Problem | None
    design: Design | None = None
    done: Run | None = None
    proposed: Mapping[str, Any] | None = None
    gave: Result | None = None
    stored: Stored | None = None
    _executor: Executor | None = None

    def act(self, place: int, name: str, arguments: Mapping[str, Any]) -> str:
        """Run a function, and tell what came of it in the form of appendix C."""
        actions: dict[str, Callable[[Mapping[str, Any]], str]] = {
            "Build_Graph": self._build,
            "Design_Distributed_Algorithm": self._design,
            "Distributed_Execution": self._execute,
        }
        head = f"{place}. Execute function {name}\n[ARGUMENTS]: {json.dumps(dict(arguments))[:2_000]}"
        if name not in actions:
            return f"{head}\n[STATUS]: FAILED\n[RESULT]: No such function; they are {', '.join(actions)}."
        try:
            return f"{head}\n[STATUS]: SUCCESS\n[RESULT]: {actions[name](arguments)}"
        except (CallError, UsageError) as error:
            return f"{head}\n[STATUS]: FAILED\n[RESULT]: {error}"

    def _build(self, arguments: Mapping[str, Any]) -> str:
        """The graph as the grammar read it; where the master tells another one twice, that."""
        if self.stored is not None:
            self._take(self.stored.within(arguments))
            return self._built()
        told = differences(self.described, arguments) if arguments else ""
        if told and self.proposed == arguments:
            self._take(told_graph(arguments, self.text))
            told = "As you tell it again, your graph is taken. "
        elif told:
            self.proposed = arguments
            told += "The text was read otherwise. If your graph is right, call Build_Graph with it again. "
        return told + self._built()

    def _built(self) -> str:
        d = self.described
        kind = "A directed" if d.directed else "An undirected"
        return f"{kind} graph of {d.num_nodes} nodes and {d.num_edges} edges was built."

    def _take(self, own: Described) -> None:
        """Go on with another graph; what the problem asks about is looked up in it."""
        if self.problem is not None:
            found = {node: own.graph.find(self.described.graph.id(node)) for node in self.problem.nodes}
            lost = next((self.described.names[node] for node, place in found.items() if place is None), None)
            if lost is not None:
                raise UsageError(f"The problem asks about {lost}, which is no node of this graph.")
            nodes = tuple(place for node in self.problem.nodes if (place := found[node]) is not None)
            self.problem = replace(self.problem, described=own, nodes=nodes)
        self.described, self.design, self.done, self.gave = own, None, None, None

    def _design(self, arguments: Mapping[str, Any]) -> str:
        wanted = str(arguments.get("Problem_Str") or self.text)
        master = self.master
        self.design = designed(master.lm, master.cards, wanted, self.problem, self.described, self._agents)
        chosen = (
            f"the library's {self.design.card.title}"
            if self.design.known
            else f"a new one, {self.design.card.name}"
        )
        with_ = ", ".join(f"{name} = {self._named(name, v)}" for name, v in self.design.parameters.items())
        return f"The algorithm is {chosen}{f' with {with_}' if with_ else ''}."

    def _named(self, parameter: str, value: Any) -> str:
        """The value of a parameter; a node by its name."""
        given = self.design.card.program.parameters.get(parameter) if self.design is not None else None
        if given is not None and given.type == NODE and isinstance(value, int):
            return one_line(self.described.names[value], MOST_NAME)
        return shown(value)

    def _execute(self, arguments: Mapping[str, Any]) -> str:
        if self.design is None:
            return "There is no algorithm yet: call Design_Distributed_Algorithm first."
        if self._engine is not None:
            self._engine.card = self.design.card
        ran: list[Run] = []
        self._executor = self._solver.heard(self.described, ran.append)
        self.gave = self._executor.run(self.design.call(self.described))
        self.done = ran[-1]
        states = plain_states(self.done.bound, self.done.states)
        lines = []
        for node, name in enumerate(self.described.names[:MOST_STATES]):
            fields = " ".join(
                f"{n}. {key}: {shown(column[node])}" for n, (key, column) in enumerate(states.items(), 1)
            )
            lines.append(f"Node: {one_line(name, MOST_NAME)} State: {fields}")
        if self.described.num_nodes > MOST_STATES:
            left = self.described.num_nodes - MOST_STATES
            value = value_in_words(shown_value(self.described, self.gave.value))
            lines.append(f"… and {left:,} more. Read off: {one_line(value, MOST_TOLD)}")
        return "\n".join(lines)

    @cached_property
    def _agents(self) -> LmEngine:
        """The agents of the model; a design in words is acted on by them whoever else runs the nodes."""
        return self.master.engine or LmEngine(self.master.lm, hear=self.master.hear)

    @property
    def _engine(self) -> LmEngine | None:
        """Who runs the nodes by the design that was chosen; None: compiled steps."""
        in_words = self.design is not None and self.design.card.program.in_words
        return self._agents if in_words else self.master.engine

    @property
    def _solver(self) -> Solver:
        """Runs calls, on the stored graph where the problem is about that."""
        engine, hear = self._engine, self.master.hear
        programs = Programs(engine, rounds_of(hear) if engine is None else None)
        return Solver(self.master.cards, programs, self.master.executor if self.stored else None)

    def _agrees(self, said: str, value: JSON) -> bool:
        """Whether the master's words may stand for a value."""
        asked = self.problem.query if self.problem is not None else ""
        return agrees(said, value, asked or self._last, self.described.position)

    @property
    def _last(self) -> str:
        """The last sentence of the text, which asks."""
        return re.split(r"(?<=[.!?])\s+", self.text.strip())[-1]

    def found(self, said: str) -> Solved:
        """The answer: the words are the master's, the value is read off what the calls gave."""
        assert self.done is not None and self.design is not None
        assert self.gave is not None and self._executor is not None
        card, ran = self.design.card, [self.done]
        plan = planned(self.problem, self.master.cards) if self.problem is not None else None
        if self.problem is not None and plan is not None and plan[0].name == card.name:
            core = self.design.call(self.described)
            exact = self._solver.told(self._executor, self.problem, core, self.gave, card.name, ran)
            return replace(exact, text=said) if self._agrees(said, exact.value) else exact
        value = shown_value(self.described, self.gave.value)
        if self.done.outcome.type == NODE and isinstance(value, list):
            value = value[0] if value else None
        text = said if self._agrees(said, value) else value_in_words(value)
        found = signed(Solved(True, text, value, card.name), self.gave, ran)
        return replace(found, remarks=(*found.remarks, IN_WORDS)) if card.program.in_words else found
