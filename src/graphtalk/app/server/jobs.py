"""What the server is asked to do, each a record of plain JSON: run in a thread beside a model, or in a process of its own."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import Any, TypeAlias

from pydantic import ConfigDict, Field, SkipValidation

from graphtalk.app import examples, querying, render, solve
from graphtalk.app.reasoners import OFFLINE
from graphtalk.app.server.asking import asked_to_json
from graphtalk.app.server.problems import without_places
from graphtalk.app.server.schemas import Json, Model
from graphtalk.app.session import Session
from graphtalk.app.shelf import Choice, Shelf
from graphtalk.app.thread import MOST_SAID, Thread, said
from graphtalk.core import JSON, Answer, CallRecord, Step
from graphtalk.graphs import Graph
from graphtalk.lms import LanguageModel
from graphtalk.reasoners.conversation import MOST_EARLIER, Said
from graphtalk.reasoners.offline import declines
from graphtalk.search.index import Index
from graphtalk.tools.values import cut_json

OnStep: TypeAlias = Callable[[Step], None]
Given: TypeAlias = dict[str, Any]


class Job(Model, ABC):
    """Something to do with a graph of a shelf."""

    graph: str

    @abstractmethod
    def run(self, shelf: Shelf, on_step: OnStep) -> Given:
        """Do it, and give what came of it as a JSON object. Raises GraphtalkError."""


class Earlier(Model):
    """A turn before: the questions that it stood for, whether they were answered, the value, and the call that gave it where
    it was one question."""

    questions: tuple[str, ...]
    answered: bool
    value: Json
    call: str = ""

    @classmethod
    def of(cls, asked: str, shown: Given) -> "Earlier":
        """What was asked, and the answer's object."""
        parts = shown.get("parts") or [{"question": shown.get("question") or asked}]
        calls = shown.get("calls") or [{"spelling": ""}]
        call = str(calls[-1]["spelling"]) if len(parts) == 1 else ""
        return cls(
            questions=tuple(str(part["question"]) for part in parts),
            answered=shown["answered"],
            value=shown.get("value"),
            call=call,
        )

    @property
    def said(self) -> Said:
        """The turn as follow-ups speak of it."""
        calls = (CallRecord(self.call, None, 0.0),) if self.call else ()
        return said(self.questions, Answer(self.answered, "", self.value, calls=calls))


class Asking(Job):
    """A question, after what was said before; `most` entries of evidence are shown."""

    question: str
    reasoner: str = ""
    lm: str = ""
    before: tuple[Earlier, ...] = ()
    choose: int = 0
    trace: bool = False
    most: int

    def run(self, shelf: Shelf, on_step: OnStep) -> Given:
        """The answer's object."""
        return self._answer(shelf, [turn.said for turn in self.before], on_step)

    @contextmanager
    def session(self, shelf: Shelf) -> Iterator[Session]:
        """The session that answers."""
        with shelf.session(self.graph, Choice(self.reasoner, self.lm)) as session:
            yield session

    def _answer(self, shelf: Shelf, before: Sequence[Said], on_step: OnStep) -> Given:
        def tell(step: Step) -> None:
            on_step(replace(step, text=without_places(step.text)))

        with self.session(shelf) as session:
            asked = Thread(session, list(before)).ask(self.question, tell, self.choose)
            shown = asked_to_json(asked, self.graph, self.most, self.trace, session.spelled)
        for part in (shown, *shown["parts"]):
            if not part["answered"]:  # its text may be an error, which names places
                part["answer"] = without_places(part["answer"])
        for step in shown.get("trace", ()):
            step["text"] = without_places(step["text"])
        return shown


class AskingClient(Asking):
    """A question that the model of who asks may plan; done in this process, and never kept for others."""

    model_config = ConfigDict(arbitrary_types_allowed=True)
    model: SkipValidation[LanguageModel] = Field(exclude=True)

    @contextmanager
    def session(self, shelf: Shelf) -> Iterator[Session]:
        """The session that answers: the graph's own, with that model."""
        with shelf.session(self.graph, Choice(lm=OFFLINE)) as session:
            yield session.with_model(self.model)


class Message(Model):
    """A message of a chat."""

    by_user: bool
    text: str


class Chatting(Asking):
    """A question after messages whose answers are texts: what they name is looked up."""

    messages: tuple[Message, ...]

    def run(self, shelf: Shelf, on_step: OnStep) -> Given:
        """The answer's object."""
        index = shelf.first(self.graph, Choice(lm=OFFLINE)).index
        return self._answer(shelf, _told(shelf.union(self.graph), index, self.messages), on_step)


class Calling(Job):
    """A call in any spelling; `most` entries of its result are shown."""

    call: str
    most: int

    def run(self, shelf: Shelf, on_step: OnStep) -> Given:
        """The object of `graphtalk call --json`."""
        with shelf.session(self.graph, Choice(lm=OFFLINE)) as session:
            return _cut(render.result_to_json(session.call(self.call)), self.most)


class Beginning(Job):
    """Questions to begin with are wanted."""

    def run(self, shelf: Shelf, on_step: OnStep) -> Given:
        """The fields of `schemas.Examples`."""
        with shelf.session(self.graph, Choice(lm=OFFLINE)) as session:
            return {"examples": [asdict(each) for each in examples.examples(session)]}


class Verifying(Job):
    """An answer's object, whose calls are run again."""

    answer: Given

    def run(self, shelf: Shelf, on_step: OnStep) -> Given:
        """The object of `graphtalk verify --json`, and the same as `text`."""
        given = render.answer_of_json(self.answer, "answer")
        with shelf.session(self.graph, Choice(lm=OFFLINE)) as session:
            found = session.verify(given)
        return {**render.verification_to_json(found), "text": "\n".join(render.verification_in_lines(found))}


class Retelling(Job):
    """A question that `graph-agents` answered, whose rounds are wanted."""

    question: str

    def run(self, shelf: Shelf, on_step: OnStep) -> Given:
        """The fields of `schemas.Rounds`."""
        with shelf.session(self.graph, Choice(lm=OFFLINE)) as session:
            lines, picture = solve.rounds(session.executor, self.question)
        return {"lines": lines, "picture": picture}


class Querying(Job):
    """A Cypher query; `most` of its rows and of the entries of its evidence are given."""

    cypher: str
    parameters: Given = Field(default_factory=dict)
    most: int

    def run(self, shelf: Shelf, on_step: OnStep) -> Given:
        """The object of `graphtalk query --json`, cut, and how many rows there are."""
        with shelf.session(self.graph, Choice(lm=OFFLINE)) as session:
            found = querying.run(session, self.cypher, self.parameters)
            return {**found.to_json(self.most), "count": len(found)}


class Using(Job):
    """A call for a model to read: the first `most` entries of what it gives, and how many there are."""

    call: str
    most: int

    def run(self, shelf: Shelf, on_step: OnStep) -> Given:
        """The result as an object, and as `text`."""
        with shelf.session(self.graph, Choice(lm=OFFLINE)) as session:
            found = session.call(self.call)
        return {
            "text": "\n".join([found.show(), *found.remarks]),
            "call": found.trail.spelling,
            "result": cut_json(found.value, found.graph, self.most),
            "evidence": render.evidence_to_json(found.evidence(self.most)),
            "remarks": list(found.remarks),
        }


_JOBS: Mapping[str, type[Job]] = {
    job.__name__: job for job in (Asking, Beginning, Chatting, Calling, Querying, Retelling, Verifying, Using)
}


def dumps(job: Job) -> bytes:
    """A job as bytes, for another process."""
    return json.dumps([type(job).__name__, job.model_dump()]).encode()


def loads(written: bytes) -> Job:
    """The job that `dumps` wrote."""
    kind, fields = json.loads(written)
    return _JOBS[kind].model_validate(fields)


def _told(graph: Graph, index: Index, messages: Sequence[Message]) -> list[Said]:
    """Messages as turns. The value of an answer: the nodes that it names, and its question does not; what was declined has none."""
    found: list[Said] = []
    question = ""
    for message in messages[-2 * MOST_SAID :]:
        text = message.text[:MOST_EARLIER]
        if message.by_user:
            question = text
        elif question and declines(text):
            found.append(Said(question, Answer(False, text)))
        elif question:
            asked_about = {mention.nodes for mention in index.mentions(question)}
            named = [m.nodes for m in index.mentions(text) if m.literal and m.nodes not in asked_about]
            value: list[JSON] = [graph.label(nodes[0]) for nodes in dict.fromkeys(named)]
            found.append(Said(question, Answer(True, text, value)))
    return found


def _cut(shown: Given, most: int) -> Given:
    """A call's object with a long result cut, and a remark that says so."""
    result = shown["result"]
    if not isinstance(result, list | dict) or len(result) <= most:
        return shown
    kept = result[:most] if isinstance(result, list) else dict(list(result.items())[:most])
    remark = f"The first {most:,} of {len(result):,} are shown."
    return {**shown, "result": kept, "remarks": [*shown["remarks"], remark]}
