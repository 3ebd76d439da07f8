"""Running the calls of an annotated text, and putting their results in their places (section 4.7.4)."""

from collections.abc import Iterator
from dataclasses import dataclass

from graphtalk.calls import show
from graphtalk.core import JSON, CallError
from graphtalk.reasoners.toolformer.results import plain, written
from graphtalk.reasoners.toolformer.statement import Place, Placed, Statement
from graphtalk.tools.executor import Executor, Result


@dataclass(frozen=True)
class Ran:
    """A call of a text: its spelling, and its result or what went wrong. `value` is what `text` writes."""

    placed: Placed
    spelling: str
    result: Result | None
    text: str
    complaint: str = ""
    value: JSON = None


@dataclass(frozen=True)
class Completed:
    """A text whose calls were run. `text` has their results in their places."""

    statement: Statement
    text: str
    ran: tuple[Ran, ...]

    @property
    def failed(self) -> tuple[Ran, ...]:
        """The calls that gave nothing."""
        return tuple(ran for ran in self.ran if ran.result is None)

    @property
    def results(self) -> tuple[Result, ...]:
        """The results that stand in the text; of a text with none, those that were only kept."""
        found = [ran for ran in self.ran if ran.result is not None]
        standing = [ran for ran in found if ran.placed.inserts]
        return tuple(ran.result for ran in standing or found if ran.result is not None)


def run_calls(statement: Statement, executor: Executor) -> Iterator[Ran]:
    """Each call of a text with its result, in order. What fails is told, not raised."""
    for placed in statement.calls:
        yield _run(placed, executor)


def _run(placed: Placed, executor: Executor) -> Ran:
    vocabulary = executor.registry.vocabulary
    spelling = show(placed.call, "toolformer", vocabulary)
    try:
        result = executor.run(placed.call)
    except CallError as error:
        return Ran(placed, spelling, None, "", str(error))
    known = vocabulary.find(placed.call.function)
    name = known.toolformer if known else ""
    return Ran(placed, spelling, result, written(result, name), value=plain(result, name))


def completed(statement: Statement, ran: tuple[Ran, ...]) -> Completed:
    """The text with its results. A call that failed leaves its place marked with the reason."""
    text, at, left = "", 0, iter(ran)
    for place in statement.places:
        before = statement.text[at : place.start]
        said = _said(place, left)
        # A call that only keeps its result takes one of the two blanks around it with it.
        if (
            not said
            and before[-1:] in (" ", "")
            and statement.text[place.end : place.end + 1] in (" ", ".", ",", "")
        ):
            before = before[:-1] if before else before
            skip = 0 if before or text else 1
            text, at = text + before, place.end + skip
            continue
        text, at = text + before + said, place.end
    return Completed(statement, text + statement.text[at:], ran)


def _said(place: Place, ran: Iterator[Ran]) -> str:
    """What stands in a place: its results, joined as a list is in a sentence."""
    said = []
    for _ in place.calls:
        one = next(ran)
        if one.result is None:
            said.append(f"[not known: {one.complaint}]")
        elif one.placed.inserts:
            said.append(one.text)
    return ", ".join(said)
