"""A conversation with a graph: the terminal's, a notebook's, the server's. Each question may go on from what was said."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from graphtalk.app import reasoners
from graphtalk.app.notebook import GraphAnswer
from graphtalk.app.session import OnStep, Session
from graphtalk.core import JSON, Answer, Step
from graphtalk.language.telling import value_in_words
from graphtalk.reasoners.conversation import Said, spoken_of
from graphtalk.tools.evidence import together

MOST_SAID = 20  # turns that a follow-up may speak of


@dataclass(frozen=True)
class Asked:
    """The questions that a person's words stood for, and their answers."""

    questions: tuple[str, ...]
    answers: tuple[Answer, ...]

    @classmethod
    def of(cls, questions: tuple[str, ...], answers: Sequence[Answer]) -> "Asked":
        """Questions with their answers; where a model read a question as another, that one."""
        asked = tuple(a.asked or q for q, a in zip(questions, answers, strict=True))
        return cls(asked, tuple(answers))

    @property
    def question(self) -> str:
        """All questions as one text."""
        return " ".join(self.questions)

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
            confidence=min((a.confidence for a in self.answers if a.confidence is not None), default=None),
            alternatives=(),
            unsupported=tuple(name for a in self.answers for name in a.unsupported),
            trace=replace(first.trace, steps=tuple(s for a in self.answers for s in a.trace.steps)),
        )


@dataclass
class Thread:
    """What was said with a session, at most MOST_SAID turns of it."""

    session: Session
    said: list[Said] = field(default_factory=list)

    def questions(self, text: str) -> tuple[str, ...]:
        """The questions that `text` stands for: made to stand alone by rules, or as it is where a model reads it itself."""
        if not self.said or self._hears:
            return (text,)
        return self.session.conversation.resolve(text, self.said)

    def answer(self, question: str, on_step: OnStep | None = None, choose: int = 0) -> GraphAnswer:
        """Answer one question. A model is told what was said; what it takes a follow-up to ask is the answer's `asked`."""
        before = self.said if self._hears else []
        earlier = tuple((turn.question, _in_words(turn.answer)) for turn in before)
        about = "" if self._hears else spoken_of(self.said)
        return self.session.ask(question, on_step=on_step, earlier=earlier, choose=choose, about=about)

    def ask(self, text: str, on_step: OnStep | None = None, choose: int = 0) -> Asked:
        """Answer what was typed, and remember it. The steps of what stood for something else begin by saying so.

        `choose`: by the alternative of this number, of one question. Raises UsageError where there is none.
        """
        questions, answers = self.questions(text), []
        for question in questions:
            if question != text and on_step is not None:
                on_step(Step("thought", f"This asks: {question}"))
            answers.append(self.answer(question, on_step, choose))
        asked = Asked.of(questions, answers)
        self.remember(asked)
        return asked

    @property
    def _hears(self) -> bool:
        return reasoners.hears_conversation(self.session.settings)

    def remember(self, asked: Asked) -> None:
        """Keep a turn, for what is asked next."""
        self.said = [*self.said[1 - MOST_SAID :], said(asked.questions, asked.whole)]


def said(questions: tuple[str, ...], answer: Answer) -> Said:
    """A turn as follow-ups speak of it: of several questions, all that any of them gave."""
    if len(questions) == 1:
        return Said(questions[0], answer)
    values = answer.value if isinstance(answer.value, list) else [answer.value]
    each: list[JSON] = [v for value in values for v in (value if isinstance(value, list) else [value])]
    return Said(" ".join(questions), replace(answer, value=each), questions)


def _in_words(answer: Answer) -> str:
    return value_in_words(answer.value) if answer.answered else "There was no answer."


def _sum(answers: Sequence[Answer]) -> dict[str, float]:
    names = dict.fromkeys(name for answer in answers for name in answer.usage)
    return {name: sum(answer.usage.get(name, 0) for answer in answers) for name in names}
