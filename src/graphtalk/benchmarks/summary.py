"""Numbers over many records, and the runs that records come from."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from graphtalk.benchmarks.failures import FAILURES, Failure
from graphtalk.benchmarks.folder import Facts, RunFolder
from graphtalk.benchmarks.hallucination import Rates, rates
from graphtalk.benchmarks.records import Record, read_records
from graphtalk.benchmarks.scorers.bleu import corpus_bleu
from graphtalk.benchmarks.scorers.brevity import corpus_brevity
from graphtalk.benchmarks.task import Asked
from graphtalk.core import JSON, UsageError, choices

_OF_CORPUS = {"bleu": corpus_bleu, "bp": corpus_brevity}
LEVELS = ("easy", "medium", "hard", "")


@dataclass(frozen=True)
class Run:
    """A run that is read back. `name` tells it from the others of a report; `count` is how many it was to ask."""

    name: str
    task: str
    settings: Mapping[str, JSON]
    records: tuple[Record, ...]
    count: int

    @classmethod
    def of(cls, name: str, facts: Facts, records: Iterable[Record]) -> "Run":
        """The run that `run.json` tells of, with these records."""
        return cls(name, facts["task"], facts["settings"], tuple(records), facts["questions"]["count"])

    @classmethod
    def read(cls, path: Path) -> "Run":
        """The run of a folder. Raises UsageError where it is none."""
        folder = RunFolder(path)
        return cls.of(str(path), folder.facts(), read_records(folder.records))

    @property
    def domain(self) -> str:
        """The domain of the paper that its task belongs to: `academic` of `grbench-academic-cs`."""
        return (
            self.task.removeprefix("grbench-").partition("-")[0] if self.task.startswith("grbench-") else ""
        )

    @property
    def listed(self) -> Rates | None:
        """How much of what its answers list as their support is in the graph; None where that was not asked for."""
        checked = [record.listed for record in self.records if record.listed is not None]
        return rates(checked) if checked else None

    def only(self, keep: Callable[[Asked], bool]) -> "Run":
        """The run with those records alone."""
        kept = tuple(record for record in self.records if keep(record.asked))
        return Run(self.name, self.task, self.settings, kept, self.count)


@dataclass(frozen=True)
class Summary:
    """Numbers over some questions. Scores are means from 0 to 1, but BLEU and its brevity penalty are the corpus's; costs are per question.

    `calls` are those of the graph's tools. `usd` is the whole sum. `median` and `p95` are seconds: half, and 95 of a
    hundred questions, took no longer.
    """

    questions: int
    scores: Mapping[str, float]
    failures: Mapping[Failure, int]
    calls: float
    lm_calls: float
    cached_calls: float
    input_tokens: float
    output_tokens: float
    usd: float
    median: float
    p95: float

    def score(self, name: str) -> float | None:
        """A score, where the questions have it."""
        return self.scores.get(name)


def summary(records: Sequence[Record]) -> Summary:
    """The numbers over these records."""
    count = len(records)
    seconds = sorted(record.seconds for record in records)
    counted = Counter(record.failure for record in records)

    def mean(number: Callable[[Record], float]) -> float:
        return math.fsum(map(number, records)) / count if count else 0.0

    return Summary(
        count,
        _scores(records),
        {failure: counted[failure] for failure in FAILURES if counted[failure]},
        mean(lambda r: r.calls),
        mean(lambda r: r.usage("calls")),
        mean(lambda r: r.usage("cached_calls")),
        mean(lambda r: r.usage("input_tokens")),
        mean(lambda r: r.usage("output_tokens")),
        math.fsum(record.usage("usd") for record in records),
        median(seconds) if seconds else 0.0,
        seconds[math.ceil(0.95 * count) - 1] if seconds else 0.0,
    )


def _scores(records: Sequence[Record]) -> dict[str, float]:
    names = dict.fromkeys(name for record in records for name in record.scores)
    means = {}
    for name in names:
        values = [record.scores[name] for record in records if name in record.scores]
        means[name] = math.fsum(values) / len(values)
    for name, corpus in _OF_CORPUS.items():
        if name in means:
            givens = [record.given for record in records]
            means[name] = corpus((given.text, given.gold.text) for given in givens)
    return means


def by_level(records: Sequence[Record]) -> dict[str, Summary]:
    """The numbers of each level that occurs, the easiest first."""
    groups = {level: [r for r in records if r.asked.level == level] for level in LEVELS}
    return {level: summary(group) for level, group in groups.items() if group}


def by_template(records: Sequence[Record]) -> dict[str, Summary]:
    """The numbers of each template."""
    names = sorted({record.asked.template for record in records})
    return {name: summary([r for r in records if r.asked.template == name]) for name in names}


def methods(runs: Sequence[Run]) -> list[str]:
    """What each run was made with: its reasoner, and the settings in which the runs differ."""
    varied = [
        name
        for name in dict.fromkeys(name for run in runs for name in run.settings)
        if name not in ("reasoner", "lm", "per_template")  # the last is about the questions
        and len({str(run.settings.get(name)) for run in runs}) > 1
    ]
    told = [", ".join(f"{name} {_told(run.settings.get(name))}" for name in varied) for run in runs]
    return [
        str(run.settings["reasoner"]) + (f" ({more})" if more else "")
        for run, more in zip(runs, told, strict=True)
    ]


def _told(value: JSON) -> str:
    return "-" if value in (None, "") else str(value)


def narrowed(runs: Sequence[Run], only: Sequence[str], without: Sequence[str]) -> list[Run]:
    """The runs with the questions of some templates alone. Raises UsageError for a template that none has."""
    known = sorted({record.asked.template for run in runs for record in run.records})
    for name in (*only, *without):
        if name not in known:
            raise UsageError(f"No template {name!r} in these runs. {choices(name, known)}")

    def keep(asked: Asked) -> bool:
        return (not only or asked.template in only) and asked.template not in without

    return [run.only(keep) for run in runs]
