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
    """A question in plain language.

    - `id`: ties an answer to its line in a file of questions.
    - `earlier`: questions and answers of the conversation so far, oldest first.
    - `choose`: which of the offered readings to answer by, from 1; 0: the likeliest, if its confidence suffices.
    - `about`: the call that gave the previous answer, to which "them" and "those" refer.
    - `guess`: the call that an earlier reasoner thought likely, but not likely enough to answer by.
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
    """The answer to a question, with everything needed to check it.

    - `answered`: whether there is an answer; if not, `text` says why, and `near` lists what could be asked instead.
    - `reason`: why there is none, without what `text` says of `near` and of `alternatives`.
    - `text`: the answer in words. Where there is a `reading`, it is made of that, the value and the remarks alone.
    - `value`: the typed result: a list of names, a number, true or false, a table, or None.
    - `reading`: what the question was understood as, in words.
    - `asked`: the question as it was understood, where a model rewrote a follow-up or a name was put right.
    - `confidence`: the probability that the answer is right, 0 to 1; None where it was not estimated.
    - `alternatives`: the likeliest readings to choose from, where the confidence was too low to answer.
    - `remarks`: what the calls reported beside their results, for instance that a model predicted a value.
    - `unsupported`: names in the answer that nothing observed supports.
    - `stopped`: the limit that ended the run early, if one did.
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
    reason: str = ""
    stopped: Stop = ""
    unsupported: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    reading: str = ""
    asked: str = ""
    confidence: float | None = None
    alternatives: tuple[Alternative, ...] = ()
    trace: Trace = field(default_factory=Trace)
