"""Statements and questions in; annotated, their calls run, and the results in their places out (section 4.7)."""

from collections.abc import Generator, Iterator
from dataclasses import asdict, dataclass, replace

from graphtalk.core import (
    Answer,
    BudgetError,
    CallError,
    CallRecord,
    CheckError,
    Evidence,
    LmError,
    Question,
    Step,
    Stop,
)
from graphtalk.core.text import whole
from graphtalk.lms import Usage
from graphtalk.lms.meter import Meter
from graphtalk.reasoners.toolformer.annotator import Annotator, DeclinedError, Mender, UnusableError
from graphtalk.reasoners.toolformer.completion import Completed, Ran, completed, run_calls
from graphtalk.reasoners.toolformer.predicting import asks_for_prediction, of_the_models
from graphtalk.reasoners.toolformer.statement import Statement, read_statement
from graphtalk.tools.executor import Executor, Result
from graphtalk.tools.values import to_json

NAME = "toolformer"
MOST_CHARACTERS = 10_000  # of a text before it is annotated


@dataclass(frozen=True)
class Toolformer:
    """Graph-ToolFormer: `annotator` writes the calls, `executor` runs them.

    Where calls cannot be run, an annotator that can mend them is told why, once. `meter` counts what the annotator asks of a model, where it has one. The answer's value is the result of the
    text's call, or the list of them where it has several, and its text the text with the results in place.
    """

    executor: Executor
    annotator: Annotator
    meter: Meter | None = None

    def annotated(self, text: str) -> Statement:
        """The text with its calls, which ask the models where it asks for a prediction.

        Raises CallError where none can be written, LmError where no model could be asked.
        """
        if not text.strip():
            raise CheckError("The text is empty.")
        if len(text) > MOST_CHARACTERS:
            raise CheckError(
                f"The text has {len(text):,} characters; at most {MOST_CHARACTERS:,} are annotated."
            )
        if whole(text) != text:
            raise CheckError("The text is not valid UTF-8 text.")
        found = read_statement(self.annotator.annotate(text), self.executor.registry.vocabulary)
        return of_the_models(found) if asks_for_prediction(text) else found

    def run(self, question: Question) -> Iterator[Step]:
        """The steps towards an answer; the last carries it."""
        if self.meter is not None:
            self.meter.usage = Usage()
        try:
            statement = self.annotated(question.text)
        except (CallError, LmError) as error:
            yield self._end(refusal(error))
            return
        if not statement.places:
            yield self._end(Answer(False, question.text))
            return
        done = yield from self._completed(statement)
        if done.failed and isinstance(self.annotator, Mender):
            try:
                again = self.annotator.mend(
                    question.text, statement.text, [ran.complaint for ran in done.failed]
                )
            except (CallError, LmError) as error:
                yield Step("observation", str(error))
            else:
                mended = read_statement(again, self.executor.registry.vocabulary)
                done = (yield from self._completed(mended)) if mended.places else done
        yield self._end(answer_of(done))

    def _completed(self, statement: Statement) -> Generator[Step, None, Completed]:
        """Run the calls of a text."""
        yield Step("thought", statement.text)
        ran: list[Ran] = []
        for one in run_calls(statement, self.executor):
            ran.append(one)
            yield from _steps(one)
        return completed(statement, tuple(ran))

    def _end(self, answer: Answer) -> Step:
        signed = self.signed(answer)
        return Step("answer", signed.text, answer=signed)

    def signed(self, answer: Answer) -> Answer:
        """The answer with the names of reasoner and model, and what was used of the model for it."""
        if self.meter is None:
            return replace(answer, reasoner=NAME)
        usage = {name: number for name, number in asdict(self.meter.usage).items() if number}
        return replace(answer, reasoner=NAME, lm=self.meter.name, usage=usage)


def refusal(error: CallError | LmError) -> Answer:
    """The answer where no annotated text came, or none that can be used."""
    if isinstance(error, LmError):
        stopped: Stop = "budget" if isinstance(error, BudgetError) else "lm"
        return Answer(False, f"No answer: {error}", stopped=stopped)
    declined = isinstance(error, DeclinedError) and not isinstance(error, UnusableError)
    said = f"No call could be written for this: {error}"
    return Answer(False, said, reason=str(error), stopped="" if declined else "unreadable")


def _steps(ran: Ran) -> Iterator[Step]:
    if ran.result is None:
        yield Step("call", ran.spelling)
        yield Step("observation", ran.complaint)
        return
    for call in ran.result.calls:
        yield Step("call", call.spelling, call=call)
    yield Step("observation", ran.text)


def answer_of(done: Completed) -> Answer:
    """The answer that a text is; not answered where a call of it failed."""
    results = done.results
    values = [to_json(result.value, result.graph) for result in results]
    return Answer(
        answered=not done.failed,
        text=done.text,
        value=values[0] if len(values) == 1 else values or None,
        evidence=_evidence([result.evidence() for result in results]),
        calls=_calls([ran.result for ran in done.ran if ran.result is not None]),
        remarks=tuple(dict.fromkeys(remark for result in results for remark in result.remarks)),
    )


def _evidence(parts: list[Evidence]) -> Evidence:
    return Evidence(
        tuple(dict.fromkeys(node for part in parts for node in part.nodes)),
        tuple(dict.fromkeys(edge for part in parts for edge in part.edges)),
        all(part.complete for part in parts),
    )


def _calls(results: list[Result]) -> tuple[CallRecord, ...]:
    """Every call that was run, once, in order."""
    found = {call.spelling: call for result in reversed(results) for call in reversed(result.calls)}
    return tuple(reversed(found.values()))
