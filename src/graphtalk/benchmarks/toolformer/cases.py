"""Tables 5 to 8 of the paper from runs: statements on their way, those that differ from the right ones, unknown graphs, plain texts."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TypeAlias, cast

from graphtalk.benchmarks.records import Record
from graphtalk.benchmarks.scorers.given import in_one_line
from graphtalk.benchmarks.summary import Run
from graphtalk.benchmarks.toolformer.figures import PLAIN, PREFIX, UNKNOWN
from graphtalk.core import JSON

MOST = 3  # cases of a data set in a table
MOST_CHANGED = 10  # texts that were to be left alone
KINDS = ("same calls, other words", "no call", "other calls")

Rows: TypeAlias = tuple[tuple[str, ...], ...]
CaseTable: TypeAlias = tuple[str, tuple[str, ...], Rows]


def case_tables(runs: Sequence[Run]) -> Iterator[CaseTable]:
    """The tables that the runs have something for, each with its title and head."""
    runs = [run for run in runs if run.task.startswith(PREFIX)]
    trained = [run for run in runs if run.task not in (UNKNOWN, PLAIN)]
    head: tuple[str, ...] = (
        "data set",
        "lm",
        "input",
        "statement with calls",
        "calls",
        "results",
        "final statement",
    )
    yield "Cases (table 5)", head, tuple(row for run in trained for row in _cases(run))
    head = ("data set", "lm", "what differs", "input", "generated", "right")
    yield (
        "Statements that differ from the right ones (table 6)",
        head,
        tuple(row for run in trained for row in _differing(run)),
    )
    head = ("lm", "input", "generated", "right", "correct", "what was said")
    yield (
        "Unknown graphs and tasks (table 7)",
        head,
        tuple(row for run in runs if run.task == UNKNOWN for row in _unknown(run)),
    )
    plain = [run for run in runs if run.task == PLAIN]
    head = ("run", "lm", "texts", "left as they are", "given calls", "declined")
    yield (
        "Texts that have nothing to do with graphs (table 8)",
        head,
        tuple((run.name, str(run.settings["lm"]), *_kept(run)) for run in plain),
    )
    head = ("input", *(f"{run.name}, {run.settings['lm']}" for run in plain))
    yield "What was made of such texts, by run (table 8)", head, tuple(islice(_changed(plain), MOST_CHANGED))


def _cases(run: Run) -> Iterator[tuple[str, ...]]:
    """The first right statements of each function, in turn."""
    right = {
        record.asked.template: record for record in reversed(run.records) if record.scores["correct"] == 1
    }
    for record in islice(reversed(right.values()), MOST):
        found = record.answer["value"]
        results = cast(list[JSON], found["results"]) if isinstance(found, dict) else []
        calls = cast(list[dict[str, JSON]], record.answer["calls"])
        yield (
            _data_set(run),
            str(run.settings["lm"]),
            record.asked.question,
            record.given.text,
            "; ".join(str(call["spelling"]) for call in calls),
            "; ".join(in_one_line(result) for result in results),
            str(record.answer["answer"]),
        )


def _differing(run: Run) -> Iterator[tuple[str, ...]]:
    """The first statements of each way to differ."""
    counts = dict.fromkeys(KINDS, 0)
    for record in run.records:
        kind = _kind(record)
        counts[kind] = counts.get(kind, 0) + 1
        if kind and counts[kind] <= MOST:
            lm = str(run.settings["lm"])
            yield _data_set(run), lm, kind, record.asked.question, _generated(record), record.asked.gold.text


def _kept(run: Run) -> Iterator[str]:
    """How many texts there are, and of how many in percent nothing was changed, calls were written, nothing of use was written."""
    all = len(run.records)
    declined = sum(not record.given.text for record in run.records)
    left = sum(_left(record) for record in run.records)
    yield str(all)
    yield from (f"{100 * count / max(all, 1):.2f}" for count in (left, all - left - declined, declined))


def _left(record: Record) -> bool:
    """Whether a text came back word for word; one that was declined did not."""
    return record.given.text.strip() == record.asked.gold.text.strip()


def _changed(runs: Sequence[Run]) -> Iterator[tuple[str, ...]]:
    """The texts that some run changed, each with what every run made of it: of a model before and after it was tuned."""
    of_runs = [{record.asked.question: record for record in run.records} for run in runs]
    for text in dict.fromkeys(text for records in of_runs for text in records):
        found = [records.get(text) for records in of_runs]
        if not all(record is None or _left(record) for record in found):
            yield text, *("-" if record is None else _generated(record) for record in found)


def _kind(record: Record) -> str:
    """In what a statement differs from the right one; nothing where it does not."""
    if record.scores["correct"] == 1:
        return "" if record.given.text == record.asked.gold.text else KINDS[0]
    return KINDS[2] if "[G" in record.given.text else KINDS[1]


def _unknown(run: Run) -> Iterator[tuple[str, ...]]:
    for record in run.records:
        right, said = record.asked.gold.text, str(record.answer["answer"])
        correct = "yes" if record.scores["correct"] == 1 else "no"
        told = " ".join(map(str, cast(list[JSON], record.answer["remarks"]))) or said
        yield str(run.settings["lm"]), record.asked.question, _generated(record), right, correct, told


def _generated(record: Record) -> str:
    return record.given.text or "(none)"


def _data_set(run: Run) -> str:
    return run.task.removeprefix(PREFIX)
