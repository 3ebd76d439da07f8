"""Many questions from a file, one JSON object a line, answered into another file that can be resumed.

The questions file has `{"id": …, "question": …}` per line; each answered line is the object of
`graphtalk ask --json` plus `id`. Lines are written and flushed one at a time, so that what was answered is
never lost: a later run keeps it, mends a line torn by a kill, and asks only what is missing.
"""

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from graphtalk.core import JSON, Answer, Question, UsageError

Key: TypeAlias = str | int
BEGINNING = b'{"id": '  # of every answered line: tells a torn one from a line of some other file


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
    answer: Callable[[Question], Answer],
    to_json: Callable[[Answer], dict[str, JSON]],
    advance: Callable[[int], None] = lambda _: None,
) -> Summary:
    """Answer the lines of `questions` into `out`, in their order, keeping what `out` already has.

    `advance` hears of every line that is done. Raises UsageError where a file cannot be read or written, or
    where `out` is something other than answers.
    """
    if questions.resolve() == out.resolve():
        raise UsageError(f"Questions and answers cannot be the same file: {questions}.")
    lines = list(read_questions(questions))
    kept = read_answered(out)
    asked = answered = 0
    with out.open("a", encoding="utf-8") as sink:
        for line in lines:
            if not line.complaint and line.key not in kept:
                found = answer(Question(line.question, str(line.key)))
                sink.write(json.dumps({"id": line.key, **to_json(found)}, ensure_ascii=False) + "\n")
                sink.flush()
                asked, answered = asked + 1, answered + found.answered
            advance(1)
    _restore_order(out, [line.key for line in lines if not line.complaint])
    complaints = tuple(f"{questions}:{line.number}: {line.complaint}" for line in lines if line.complaint)
    return Summary(asked, answered, len(kept), complaints)


def read_questions(path: Path) -> Iterator[Line]:
    """The lines of a questions file; blank ones are left out. A broken line carries its complaint."""
    seen: set[Key] = set()
    try:
        with path.open("rb") as file:
            for number, raw in enumerate(file, 1):
                line = _question(number, raw)
                if line is None:
                    continue
                if line.key in seen and not line.complaint:
                    line = Line(number, complaint=f"the id {line.key!r} already stands in an earlier line.")
                seen.add(line.key)
                yield line
    except OSError as error:
        raise UsageError(f"Cannot read the questions {path}: {error.strerror}.") from error


def _question(number: int, raw: bytes) -> Line | None:
    try:
        text = raw.decode("utf-8-sig" if number == 1 else "utf-8").strip()
        record = json.loads(text) if text else None
    except UnicodeDecodeError:
        return Line(number, complaint="not UTF-8 text.")
    except (ValueError, RecursionError) as error:
        return Line(number, complaint=f"not a JSON object ({error}).")
    if not text:
        return None
    if not isinstance(record, dict):
        return Line(number, complaint=f"not a JSON object but {type(record).__name__}.")
    key, question = record.get("id"), record.get("question")
    if isinstance(key, bool) or not isinstance(key, str | int):
        return Line(number, complaint='"id" must be a text or a whole number.')
    if not isinstance(question, str):
        return Line(number, complaint='"question" must be a text.')
    if any("\ud800" <= letter <= "\udfff" for letter in f"{key}{question}"):
        return Line(number, complaint="holds half a character (a lone surrogate).")
    return Line(number, key, question)


def read_answered(out: Path) -> set[Key]:
    """The ids that `out` already answers. A last line torn by a kill is cut off; `out` may be absent.

    Raises UsageError where `out` holds anything else than answers, so that no other file is ever added to.
    """
    try:
        raw = out.read_bytes() if out.exists() else b""
    except OSError as error:
        raise UsageError(f"Cannot read the earlier answers {out}: {error.strerror}.") from error
    whole = raw[: raw.rfind(b"\n") + 1]
    torn = raw[len(whole) :]
    if not torn.startswith(BEGINNING[: len(torn)]):
        raise _not_answers(out, whole.count(b"\n") + 1)
    keys = {_answered(out, number, line) for number, line in enumerate(whole.splitlines(), 1)}
    try:
        with out.open("ab") as file:
            file.truncate(len(whole))
    except OSError as error:
        raise UsageError(f"Cannot write the answers {out}: {error.strerror}.") from error
    return keys


def _answered(out: Path, number: int, line: bytes) -> Key:
    try:
        record = json.loads(line)
        key = record["id"]
        record["answered"]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise _not_answers(out, number) from error
    if not isinstance(key, str | int):
        raise _not_answers(out, number)
    return key


def _not_answers(out: Path, number: int) -> UsageError:
    return UsageError(
        f"{out}:{number}: not an answer of an earlier run. Give --out a new file, or mend this one."
    )


def _restore_order(out: Path, order: list[Key]) -> None:
    """Bring answers that an earlier run left out of order into the questions' order; unknown ids go last."""
    lines = out.read_bytes().splitlines(keepends=True)
    place = {key: position for position, key in enumerate(order)}
    ranked = sorted(lines, key=lambda line: place.get(json.loads(line)["id"], len(place)))
    if ranked != lines:
        beside = out.with_name(out.name + ".tmp")
        beside.write_bytes(b"".join(ranked))
        os.replace(beside, out)
