"""Many questions from a file, one a line, answered into another file that can be resumed.

The questions file has `{"id": …, "question": …}` per line, or the question alone; each answered line is the object of
`graphtalk ask --json` plus `id`. A later run keeps what was answered and asks only what is missing, and what came to
nothing for want of money, time or a model.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import TypeAlias

from graphtalk.core import JSON, Question, UsageError
from graphtalk.core.journal import Journal, Key
from graphtalk.core.limits import here
from graphtalk.core.reading import read_json
from graphtalk.core.text import whole

Answerer: TypeAlias = Callable[[Question], dict[str, JSON]]

MOST_BYTES = 16 << 20  # of a line: a problem in words may bring a whole graph


@dataclass(frozen=True)
class Line:
    """One line of a questions file: a question, or what is wrong with the line."""

    number: int
    key: Key = ""
    question: str = ""
    complaint: str = ""


@dataclass(frozen=True)
class Summary:
    """What a run did: questions asked now, answered among them, kept from before, and broken lines."""

    asked: int
    answered: int
    kept: int
    complaints: tuple[str, ...]


def run(
    questions: Path,
    out: Path,
    answerers: Sequence[Answerer],
    advance: Callable[[int], None] = lambda _: None,
) -> Summary:
    """Answer the lines of `questions` into `out`, in their order, keeping what `out` already has.

    As many are asked at once as there are `answerers`, each of which gives the object of an answer. What ended for want of money, time or a model is asked again.
    `advance` hears of every line that is done. Where it is broken off, what is under way is finished and kept. Raises
    UsageError where a file cannot be read or written, or where `out` is something other than answers.
    """
    if questions.resolve() == out.resolve():
        raise UsageError(f"Questions and answers cannot be the same file: {questions}.")
    lines = list(read_questions(questions))
    free: SimpleQueue[Answerer] = SimpleQueue()
    for answerer in answerers:
        free.put(answerer)
    with Journal(out, required="answered", again=_came_to_nothing) as journal:

        def ask(line: Line) -> bool:
            answer = free.get()
            try:
                found = answer(Question(line.question, str(line.key)))
            finally:
                free.put(answer)
            journal.add(line.key, found)
            return bool(found["answered"])

        kept = len(journal.keys)
        missing = [line for line in lines if not line.complaint and line.key not in journal.keys]
        advance(len(lines) - len(missing))
        answered = sum(_each(ask, missing, len(answerers), advance))
        journal.restore_order(line.key for line in lines if not line.complaint)
    complaints = tuple(f"{questions}:{line.number}: {line.complaint}" for line in lines if line.complaint)
    return Summary(len(missing), answered, kept, complaints)


def _each(
    ask: Callable[[Line], bool], lines: Sequence[Line], at_once: int, advance: Callable[[int], None]
) -> Iterator[bool]:
    """What `ask` gives for every line; in this thread where one is asked at a time, so that it can be interrupted."""
    if at_once == 1:
        for line in lines:
            yield ask(line)
            advance(1)
        return
    with ThreadPoolExecutor(at_once) as pool:
        try:
            for done in as_completed([pool.submit(here(ask), line) for line in lines]):
                yield done.result()
                advance(1)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _came_to_nothing(line: Mapping[str, JSON]) -> bool:
    """Whether a line says but that the money, the time or the model was not there."""
    return line.get("stopped") in ("budget", "lm", "time")


def read_questions(path: Path, field: str = "question") -> Iterator[Line]:
    """The lines of a questions file; blank ones are left out. A broken line carries its complaint.

    `field` is what a line calls its question. In a file whose first line is no JSON object every line is a question as it
    is, known by its number.
    """
    seen: set[Key] = set()
    as_json: bool | None = None
    try:
        with path.open("rb") as file:
            for number, raw in enumerate(iter(partial(file.readline, MOST_BYTES + 1), b""), 1):
                if len(raw) > MOST_BYTES:
                    raise UsageError(f"{path}, line {number}: longer than {MOST_BYTES:,} bytes.")
                if not raw.strip():
                    continue
                if as_json is None:
                    as_json = raw.lstrip(b"\xef\xbb\xbf \t").startswith((b"{", b"[", b'"'))
                line = _record(number, raw, field) if as_json else _plain(number, raw)
                if line.key in seen and not line.complaint:
                    line = Line(number, complaint=f"the id {line.key!r} already stands in an earlier line.")
                seen.add(line.key)
                yield line
    except OSError as error:
        what = "queries" if field == "cypher" else f"{field}s"
        raise UsageError(f"Cannot read the {what} {path}: {error.strerror}.") from error


def _plain(number: int, raw: bytes) -> Line:
    try:
        return Line(number, number, raw.decode("utf-8-sig" if number == 1 else "utf-8").strip())
    except UnicodeDecodeError:
        return Line(number, complaint="not UTF-8 text.")


def _record(number: int, raw: bytes, field: str) -> Line:
    try:
        record = read_json(raw.decode("utf-8-sig" if number == 1 else "utf-8").strip())
    except UnicodeDecodeError:
        return Line(number, complaint="not UTF-8 text.")
    except ValueError as error:
        return Line(number, complaint=f"not a JSON object ({error}).")
    if not isinstance(record, dict):
        return Line(number, complaint=f"not a JSON object but {type(record).__name__}.")
    key, question = record.get("id"), record.get(field)
    if isinstance(key, bool) or not isinstance(key, str | int):
        return Line(number, complaint='"id" must be a text or a whole number.')
    if not isinstance(question, str):
        return Line(number, complaint=f'"{field}" must be a text.')
    if whole(f"{key}{question}") != f"{key}{question}":
        return Line(number, complaint="holds half a character (a lone surrogate).")
    return Line(number, key, question)
