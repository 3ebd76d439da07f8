"""The record of a question: what was asked, what was answered, what is right, and how that scores."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias, cast

from graphtalk.benchmarks.failures import FAILURES, Failure, failure_of
from graphtalk.benchmarks.hallucination import Checked
from graphtalk.benchmarks.scorers.given import Given, Scorer
from graphtalk.benchmarks.task import Asked, Gold
from graphtalk.core import JSON, Stop, UsageError
from graphtalk.core.reading import read_json

AnswerJson: TypeAlias = Mapping[str, JSON]  # an answer as `graphtalk ask --json` prints it


@dataclass(frozen=True)
class Record:
    """One line of `records.jsonl`. `scores` are from 0 to 1."""

    asked: Asked
    answer: AnswerJson
    scores: Mapping[str, float]
    failure: Failure

    @property
    def given(self) -> Given:
        """What scorers see of it."""
        return _given(self.asked, self.answer)

    @property
    def stopped(self) -> Stop:
        """What ended the run of this question before its time, if anything."""
        return cast(Stop, self.answer["stopped"])

    def usage(self, name: str) -> float:
        """What was used of a model: `calls`, `input_tokens`, `output_tokens`, `usd`, `cached_calls`."""
        return float(cast(Mapping[str, float], self.answer["usage"]).get(name, 0))

    @property
    def seconds(self) -> float:
        """How long the answer took."""
        return cast(float, self.answer["seconds"])

    @property
    def listed(self) -> Checked | None:
        """What the answer lists as its support; None where that was not asked for."""
        told = self.answer.get("listed")
        return None if told is None else Checked.of_json(cast(Mapping[str, Any], told))

    @property
    def calls(self) -> int:
        """How many calls of the graph's tools the answer rests on."""
        return len(cast(Sequence[object], self.answer["calls"]))

    def to_json(self) -> dict[str, JSON]:
        """The line of the file, without its id, which the journal writes."""
        asked = self.asked
        names = None if asked.gold.names is None else list[JSON](asked.gold.names)
        return {
            "question": asked.question,
            "template": asked.template,
            "level": asked.level,
            "gold": {"text": asked.gold.text, "names": names},
            "failure": self.failure,
            "scores": dict(self.scores),
            **self.answer,
        }


_OF_RECORD = frozenset({"id", "question", "template", "level", "gold", "failure", "scores"})


def scored(asked: Asked, answer: AnswerJson, scorers: Iterable[Scorer]) -> Record:
    """The record of an answer. One of the scorers is `set`. Raises LmError where a judge cannot be asked."""
    given = _given(asked, answer)
    scores = {name: score for scorer in scorers for name, score in scorer(given).items()}
    failure = failure_of(bool(answer["answered"]), cast(Stop, answer["stopped"]), scores)
    return Record(asked, answer, scores, failure)


def _given(asked: Asked, answer: AnswerJson) -> Given:
    return Given.of(asked, bool(answer["answered"]), str(answer["answer"]), answer["value"])


def read_records(path: Path) -> tuple[Record, ...]:
    """The records of a file, in its order; none where there is no file yet.

    A last line that a kill tore is left out. Raises UsageError, naming the line, where another is no record.
    """
    try:
        raw = path.read_bytes() if path.exists() else b""
    except OSError as error:
        raise UsageError(f"Cannot read the records {path}: {error.strerror}.") from error
    lines = raw[: raw.rfind(b"\n") + 1].splitlines()
    return tuple(_record(line, f"{path}:{number}") for number, line in enumerate(lines, 1))


def _record(line: bytes, place: str) -> Record:
    try:
        shown: dict[str, Any] = read_json(line)
        gold, failure = shown["gold"], shown["failure"]
        names = None if gold["names"] is None else tuple(map(str, gold["names"]))
        asked = Asked(
            str(shown["id"]),
            str(shown["question"]),
            Gold(str(gold["text"]), names),
            shown["level"],
            str(shown["template"]),
        )
        answer = {key: value for key, value in shown.items() if key not in _OF_RECORD}
        scores = {str(name): float(score) for name, score in shown["scores"].items()}
        if failure not in FAILURES:
            raise ValueError(f"no failure class {failure!r}")
        _check_answer(answer)
        return Record(asked, answer, scores, failure)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UsageError(f"{place}: not a record of a benchmark run ({error!r}).") from error


def _check_answer(answer: AnswerJson) -> None:
    kinds = {
        "answered": bool, "answer": str, "stopped": str, "calls": list, "usage": dict, "seconds": float | int,
    }  # fmt: skip
    for name, kind in kinds.items():
        if not isinstance(answer[name], kind):
            raise TypeError(f"{name!r} is {answer[name]!r}")
    answer["value"]
    if (listed := answer.get("listed")) is not None:
        Checked.of_json(cast(Mapping[str, Any], listed))


def at_times_of(record: Record, original: Record) -> Record:
    """The record with the time that another one took, so that a replay gives the table of its run."""
    return replace(record, answer={**record.answer, "seconds": original.seconds})


def differing(record: Record, again: Record) -> tuple[str, ...]:
    """The fields in which two records of a question differ. Times may differ."""
    first, second = _timeless(record), _timeless(again)
    return tuple(name for name in {**first, **second} if first.get(name) != second.get(name))


def _timeless(record: Record) -> dict[str, JSON]:
    calls = cast(list[dict[str, JSON]], record.answer["calls"])
    timeless: list[JSON] = [{**call, "seconds": 0} for call in calls]
    return replace(record, answer={**record.answer, "calls": timeless, "seconds": 0}).to_json()
