"""Asks questions with many threads, and keeps every record as soon as it is there.

A run may be killed at any moment: what is recorded stays, and the next run asks what is missing. The runner takes
ready functions. It never wires a reasoner, and what it calls with a question never sees the right answer.
"""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from graphtalk.benchmarks.records import AnswerJson, Record, read_records, scored
from graphtalk.benchmarks.scorers.given import Scorer
from graphtalk.benchmarks.task import Asked
from graphtalk.core import Answer, BudgetError, LmError, Question, UsageError
from graphtalk.core.journal import Journal
from graphtalk.core.limits import here

MOST_FAILED = 5  # questions in a row that could not be asked: then it is no use to go on

Ask: TypeAlias = Callable[[Question], Answer]
Show: TypeAlias = Callable[[Question, Answer], AnswerJson]
Work: TypeAlias = Callable[[Asked], Record]
Advance: TypeAlias = Callable[[int], None]


@dataclass(frozen=True)
class Worker:
    """Asks and scores. `ask_of` gives each thread its own way to ask; `show` turns an answer to a question into JSON.

    Nothing is made before it is needed: a run that has nothing left to ask needs no model, and no key for one.
    """

    ask_of: Callable[[], Ask]
    show: Show
    scorers_of: Callable[[], Sequence[Scorer]]

    def __call__(self) -> Work:
        """The work of one thread."""
        ask, scorers = self.ask_of(), self.scorers_of()

        def work(asked: Asked) -> Record:
            question = Question(asked.question, asked.id)
            return scored(asked, self.show(question, ask(question)), scorers)

        return work


@dataclass
class Brake:
    """Ends a run early: the questions in hand are finished, no other is begun. A signal handler may pull it."""

    pulled: bool = False


@dataclass
class Outcome:
    """How a run went: questions kept from before, asked now, and left to ask.

    `failed` are those among the left that could not be asked, and `why` says what the last of them met. `ended` says
    what ended the run before its time, if anything did.
    """

    kept: int
    left: int
    asked: int = 0
    failed: int = 0
    why: str = ""
    ended: str = ""
    interrupted: bool = False
    _in_a_row: int = 0

    def count(self, record: Record) -> bool:
        """Note what became of a question, and say whether that is to be recorded."""
        if record.stopped in ("budget", "lm"):
            self.not_asked(str(record.answer["answer"]), record.stopped == "budget")
            return record.stopped == "lm"
        self.asked, self.left, self._in_a_row = self.asked + 1, self.left - 1, 0
        return True

    def not_asked(self, why: str, spent: bool) -> None:
        """A question could not be asked: money, tokens or seconds are spent, or the model failed."""
        self.why = why
        if spent:
            self.ended = "the budget is spent"
            return
        self.failed, self._in_a_row = self.failed + 1, self._in_a_row + 1
        if self._in_a_row >= MOST_FAILED:
            self.ended = self.ended or f"{MOST_FAILED} questions in a row could not be asked"


def run(
    path: Path,
    questions: Sequence[Asked],
    worker: Callable[[], Work],
    workers: int = 1,
    advance: Advance = lambda _: None,
    brake: Brake | None = None,
) -> Outcome:
    """Ask `questions` into the records at `path`, in their order, keeping what is recorded there.

    A question whose model failed is recorded as that, and asked again by the next run; one that a budget ended is not
    recorded. Raises UsageError where the file holds other questions, or something else.
    """
    brake = brake or Brake()
    kept = done_with(path, questions)
    left = [asked for asked in questions if asked.id not in kept]
    outcome = Outcome(len(kept), len(left))
    advance(outcome.kept)
    journal = Journal(path, required="scores")
    try:
        for asked, found in spread(left, worker, workers, brake):
            if isinstance(found, Record) and outcome.count(found):
                journal.add(asked.id, found.to_json())
                advance(1)
            elif isinstance(found, LmError):
                outcome.not_asked(str(found), isinstance(found, BudgetError))
            brake.pulled = brake.pulled or bool(outcome.ended)
    finally:
        journal.restore_order(asked.id for asked in questions)
        journal.close()
    if brake.pulled and outcome.left and not outcome.ended:
        outcome.ended, outcome.interrupted = "interrupted", True
    return outcome


def spread(
    questions: Sequence[Asked], worker: Callable[[], Work], workers: int, brake: Brake
) -> Iterator[tuple[Asked, Record | LmError]]:
    """The work on `questions` by so many threads, in the order in which it is done.

    At most so many questions are in hand: another is begun once one that is done has been taken, so that a brake that
    is pulled for what was taken holds before the next is paid for.
    """
    mine = threading.local()
    starting = threading.Lock()  # one at a time, so that what the threads share is made once

    def work(asked: Asked) -> Record | LmError | None:
        if brake.pulled:
            return None
        try:
            if not hasattr(mine, "work"):
                with starting:
                    mine.work = worker()
            return mine.work(asked)  # type: ignore[no-any-return]
        except LmError as error:
            return error

    pool, waiting = ThreadPoolExecutor(workers), iter(questions)
    try:
        in_hand = {pool.submit(here(work), asked): asked for asked in islice(waiting, workers)}
        while in_hand:
            for future in wait(in_hand, return_when=FIRST_COMPLETED).done:
                asked, found = in_hand.pop(future), future.result()
                if found is not None:
                    yield asked, found
                if not brake.pulled:
                    in_hand |= {pool.submit(here(work), other): other for other in islice(waiting, 1)}
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def done_with(path: Path, questions: Sequence[Asked]) -> frozenset[str]:
    """The ids of the questions that need not be asked again. Records of failed models are taken out of the file.

    Raises UsageError where the file holds other questions.
    """
    records = read_records(path)
    given = {asked.id: asked for asked in questions}
    for record in records:
        if given.get(record.asked.id) != record.asked:
            raise UsageError(
                f"{path}: the question {record.asked.id!r} is not among those given, or is another one there. "
                "A run can be made longer, but not of other questions: give --out a new folder."
            )
    done = [record for record in records if record.stopped != "lm"]
    if len(done) < len(records):
        beside = path.with_name(f"{path.name}.tmp")
        beside.unlink(missing_ok=True)
        with Journal(beside, required="scores") as journal:
            for record in done:
                journal.add(record.asked.id, record.to_json())
        os.replace(beside, path)
    return frozenset(record.asked.id for record in done)
