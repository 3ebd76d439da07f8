"""One turn of a conversation: from what a person typed, and what was said before, to the answer's object."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graphtalk.app import render
from graphtalk.app.ask import OnStep, Session
from graphtalk.app.server.conversations import Turn
from graphtalk.core import JSON, Answer, Evidence, Step
from graphtalk.reasoners.conversation import Said
from graphtalk.tools.evidence import together


@dataclass(frozen=True)
class Asked:
    """The questions that a person's words stood for, and their answers."""

    questions: tuple[str, ...]
    answers: tuple[Answer, ...]

    @property
    def whole(self) -> Answer:
        """All answers as one: its value is the list of theirs."""
        first = self.answers[0]
        if len(self.answers) == 1:
            return first
        return replace(
            first,
            answered=any(a.answered for a in self.answers),
            text="\n".join(a.text for a in self.answers),
            value=[a.value for a in self.answers],
            evidence=together(a.evidence for a in self.answers),
            calls=tuple(call for a in self.answers for call in a.calls),
            usage=_sum(self.answers),
            seconds=sum(a.seconds for a in self.answers),
            near=(),
            unsupported=tuple(name for a in self.answers for name in a.unsupported),
            trace=replace(first.trace, steps=tuple(s for a in self.answers for s in a.trace.steps)),
        )

    def to_json(self, graph: str, most: int, trace: bool = False) -> dict[str, JSON]:
        """The object of `graphtalk ask --json`, with what a server adds; long lists are cut to `most` entries."""
        shown = answer_to_json(self.whole, most, trace)
        shown |= {"graph": graph, "question": " ".join(self.questions), "parts": []}
        if len(self.answers) > 1:
            shown["parts"] = [
                {**answer_to_json(answer, most, trace), "graph": graph, "question": question}
                for question, answer in zip(self.questions, self.answers, strict=True)
            ]
        return shown


def answer_to_json(answer: Answer, most: int, trace: bool = False) -> dict[str, JSON]:
    """An answer whose evidence is cut to `most` nodes and edges. Its value stays whole, so that it can be verified."""
    evidence = answer.evidence
    cut = Evidence(
        evidence.nodes[:most],
        evidence.edges[:most],
        evidence.complete and len(evidence.nodes) <= most and len(evidence.edges) <= most,
    )
    return render.answer_to_json(replace(answer, evidence=cut), trace)


def ask(session: Session, text: str, before: Sequence[Said], on_step: OnStep) -> Asked:
    """Answer what was typed; a follow-up is made to stand alone first, and the trace begins by saying so."""
    questions = tuple(session.conversation.resolve(text, before)) if before else (text,)
    answers = []
    for question in questions:
        if question != text:
            on_step(Step("thought", f"This asks: {question}"))
        answers.append(session.ask(question, on_step=on_step))
    return Asked(questions, tuple(answers))


def said(turn: Turn) -> Said:
    """A turn, as follow-ups speak of it."""
    question = turn.answer.get("question")
    return Said(str(question or turn.asked), render.answer_of_json(turn.answer, "the conversation"))


def _sum(answers: Sequence[Answer]) -> dict[str, float]:
    names = dict.fromkeys(name for answer in answers for name in answer.usage)
    return {name: sum(answer.usage.get(name, 0) for answer in answers) for name in names}
