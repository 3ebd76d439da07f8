"""The records that every room passes on: question, call, evidence, step, trace, answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

JSON: TypeAlias = bool | int | float | str | list["JSON"] | dict[str, "JSON"] | None


# What ended a run: nothing (it was finished), a limit on steps, on the length of the prompt, on money, tokens and a
# model's seconds, or on the time of the whole; a loop; a model that could not be asked or could not be read; or the strict mode.
Stop: TypeAlias = Literal["", "steps", "context", "budget", "loop", "lm", "unreadable", "unsupported", "time"]


@dataclass(frozen=True)
class Question:
    """What a person asks. `id` ties an answer to its line in a file of questions.

    `earlier` are the questions and answers of the conversation before it, the last at the end.
    `choose`: the alternative to answer by, from 1; 0: the likeliest reading, if that is sure enough.
    `about`: the call that gave what was answered before, which "them" and "those" speak of.
    `guess`: the call that a reader takes it to mean that was not sure enough, for who is asked next.
    """

    text: str
    id: str = ""
    earlier: tuple[tuple[str, str], ...] = ()
    choose: int = 0
    guess: str = ""
    about: str = ""


@dataclass(frozen=True)
class Alternative:
    """A way to read a question that was not sure enough: in words, as a call, and how likely it is meant, 0 to 1."""

    reading: str
    call: str
    confidence: float


@dataclass(frozen=True)
class CallRecord:
    """A call that was run: its spelling, its result as JSON, and how long it took in seconds."""

    spelling: str
    result: JSON
    seconds: float


@dataclass(frozen=True)
class Evidence:
    """Nodes (external ids) and edges (source id, relation, target id) that an answer rests on.

    Collected by the executor, never written by a model. `complete` is false where a limit cut it short.
    """

    nodes: tuple[str, ...] = ()
    edges: tuple[tuple[str, str, str], ...] = ()
    complete: bool = True


@dataclass(frozen=True)
class Observation:
    """What came back from an action: text for whoever acts next, and whether it was an error.

    `guessed`: a name in it is none of the graph's, and the node that is most like it was taken.
    """

    text: str
    error: bool = False
    guessed: bool = False


@dataclass(frozen=True)
class Step:
    """One step of a run. The last step of a run carries the answer."""

    kind: Literal["thought", "call", "observation", "answer"]
    text: str
    call: CallRecord | None = None
    answer: "Answer | None" = None


@dataclass(frozen=True)
class Trace:
    """The steps of a run, in order."""

    steps: tuple[Step, ...] = ()


@dataclass(frozen=True)
class Answer:
    """What a reasoner found, and everything needed to check it.

    `value` is the typed result: a list of names, a number, true or false, or None. Where `answered` is
    false, `text` says why not and `near` lists the nearest things that could be asked. `reading` is what was taken to
    be asked, in words; where it is there, `text` is made of it, the value and the remarks alone. `stopped` says what ended
    a run before its time, and `unsupported` which names of an answer nothing that was observed supports. `remarks` is
    what its calls said beside their results, such as that a model predicts what no graph records. `asked` is the question
    as one that stands alone, where a model read one that goes on from earlier ones. `confidence`: how likely the answer is
    right, 0 to 1; None where nobody has judged it. Where it was too little,
    `alternatives` are the likeliest readings, to choose from.
    """

    answered: bool
    text: str
    value: JSON = None
    evidence: Evidence = field(default_factory=Evidence)
    calls: tuple[CallRecord, ...] = ()
    reasoner: str = "offline"
    lm: str = "offline"
    usage: Mapping[str, float] = field(default_factory=dict)
    seconds: float = 0.0
    near: tuple[str, ...] = ()
    stopped: Stop = ""
    unsupported: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    reading: str = ""
    asked: str = ""
    confidence: float | None = None
    alternatives: tuple[Alternative, ...] = ()
    trace: Trace = field(default_factory=Trace)
