"""What commands begin with: the graph that is named, a session of it, and an answer within a time."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

from graphtalk.app import ask as wiring
from graphtalk.app import console, render
from graphtalk.app.session import Session
from graphtalk.app.settings import DEFAULT, Settings
from graphtalk.core import JSON, Answer, Question, Step, StoppedError, UsageError
from graphtalk.core.limits import within
from graphtalk.graphs import Loaded
from graphtalk.graphs.extras import spare_pandas


def opened(store: str) -> Loaded:
    """The graph called `store`; where it has to be imported first, a bar shows how that goes."""
    with console.ImportBar() as bar:
        graph = wiring.open(store, progress=bar)
    for note in bar.notes:
        console.say(note)
    return graph


def session_of(store: str, settings: Settings = DEFAULT) -> Session:
    """The session of the graph called `store`. The other names are checked before it is imported."""
    spare_pandas()
    wiring.check(settings)
    return wiring.session(opened(store), settings)


def answered_line(session: Session, question: Question, seconds: float, trace: bool) -> dict[str, JSON]:
    """The object of the answer to a line of a file."""
    return render.answer_to_json(ask_within(seconds, session, question.text, question.id), trace)


def ask_within(
    seconds: float | None,
    session: Session,
    question: str,
    id: str = "",
    on_step: Callable[[Step], None] | None = None,
    choose: int = 0,
) -> Answer:
    """The answer to a question; after so many seconds one that says so."""
    started = time.perf_counter()
    try:
        with within(seconds):
            return session.ask(question, id, on_step=on_step, choose=choose)
    except StoppedError as error:
        return Answer(False, str(error), seconds=time.perf_counter() - started, stopped="time")


def read_answer(path: str) -> str:
    """The text of a saved answer. Raises UsageError where it cannot be read."""
    try:
        return sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"Cannot read the answer {path}: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"Cannot read the answer {path}: it is not UTF-8 text.") from error
