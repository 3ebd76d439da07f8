"""A run once more, with no model: every question is asked again, answered by the recording, and scored again."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from graphtalk.benchmarks.records import Record, at_times_of, differing, scored
from graphtalk.benchmarks.runner import Advance, Brake, Work, spread
from graphtalk.benchmarks.scorers.given import Scorer


@dataclass(frozen=True)
class Difference:
    """A question whose record comes out otherwise: the fields that differ, or why it could not be asked again."""

    id: str
    fields: tuple[str, ...] = ()
    why: str = ""

    def __str__(self) -> str:
        return f"{self.id}: {self.why or 'other ' + ', '.join(self.fields)}"


@dataclass(frozen=True)
class Replay:
    """The records of a replay, in the order of the run's, and where they differ from those.

    `skipped` counts the questions that failed for the model: there is nothing to replay, and they stay as they are.
    """

    records: tuple[Record, ...]
    differences: tuple[Difference, ...]
    skipped: int = 0


def replay(
    records: Sequence[Record], worker: Callable[[], Work], workers: int = 1, advance: Advance = lambda _: None
) -> Replay:
    """Ask every question of `records` again. The worker answers from a recording, or without a model."""
    again: dict[str, Record] = {}
    why: dict[str, str] = {}
    recorded = [record.asked for record in records if record.stopped != "lm"]
    for asked, found in spread(recorded, worker, workers, Brake()):
        if isinstance(found, Record):
            again[asked.id] = found
        else:
            why[asked.id] = str(found)
        advance(1)
    return _compared(records, again, why)


def rescore(records: Sequence[Record], scorers: Iterable[Scorer]) -> Replay:
    """Score the recorded answers again, and ask nothing."""
    scorers = tuple(scorers)
    return _compared(records, {r.asked.id: scored(r.asked, r.answer, scorers) for r in records}, {})


def _compared(records: Sequence[Record], again: dict[str, Record], why: dict[str, str]) -> Replay:
    differences = []
    for record in records:
        key = record.asked.id
        other = again.get(key, record)
        if key in why or differing(record, other):
            differences.append(Difference(key, differing(record, other), why.get(key, "")))
    return Replay(
        tuple(at_times_of(again.get(record.asked.id, record), record) for record in records),
        tuple(differences),
        sum(record.stopped == "lm" for record in records),
    )
