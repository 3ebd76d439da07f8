"""A conversation in the terminal: question after question over one graph, remembering what was computed."""

import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from graphtalk.app import about, console, render, stores
from graphtalk.app.asking import session_of
from graphtalk.app.session import Session
from graphtalk.app.settings import Settings
from graphtalk.core import Answer, CallError, StoppedError, choices
from graphtalk.core.limits import within
from graphtalk.graphs.scratch import data_folder, private

if TYPE_CHECKING:
    from rich.console import Console

    from graphtalk.app.thread import Thread

HISTORY_LINES = 1_000
_LEAVING = frozenset(["quit", "exit", "bye"])  # what people type to leave, unless a node is called so


@dataclass
class Chat:
    """The state of a conversation: the last answer, and whether steps are shown as they happen."""

    thread: "Thread"
    out: "Console"
    tracing: bool = False
    finished: bool = False
    commands: dict[str, Callable[[], None]] = field(init=False)

    def __post_init__(self) -> None:
        self.commands = {
            "/why": self.why,
            "/evidence": self.evidence,
            "/trace": self.trace,
            "/schema": self.schema,
            "/help": self.help,
            "/quit": self.quit,
        }

    def hear(self, line: str) -> None:
        """Do what one line says: a command, or a question."""
        text = line.strip()
        if text.casefold().rstrip("?!. ") == "why":
            self.why()
        elif text.isdigit() and self.offered:
            self.choose(int(text))
        elif text.casefold() in _LEAVING and not self.session.index.exact(text):
            self.quit()
        elif text.startswith("/"):
            self.commands.get(text.casefold(), lambda: self.unknown(text))()
        elif text:
            try:
                self.answer(text)
            except CallError as error:
                self.out.print(str(error), style="yellow", markup=False)

    def unknown(self, text: str) -> None:
        """Say which commands there are."""
        self.out.print(f"No command {text!r}. {choices(text, self.commands, most=9)}", markup=False)

    @property
    def session(self) -> Session:
        """What answers."""
        return self.thread.session

    @property
    def last(self) -> Answer | None:
        """The last answer that rests on anything."""
        return next((said.answer for said in reversed(self.thread.said) if said.answer.calls), None)

    @property
    def offered(self) -> int:
        """How many readings the last question was offered."""
        said = self.thread.said[-1:]
        return len(said[0].answer.alternatives) if said and not said[0].parts else 0

    def choose(self, number: int) -> None:
        """Answer the last question by one of the readings that were offered."""
        from graphtalk.app.thread import Asked

        if not 1 <= number <= self.offered:
            self.out.print(f"Choose from 1 to {self.offered}, or ask again.", style="yellow")
            return
        question = self.thread.said[-1].question
        found = self.thread.answer(question, choose=number)
        render.print_text(self.out, found)
        self.thread.said.pop()
        self.thread.remember(Asked.of((question,), (found,)))

    def answer(self, text: str) -> None:
        """Answer a question. One that goes on from what was said is made to stand alone first, and shown so."""
        from graphtalk.app.thread import Asked
        from graphtalk.reasoners.conversation import MOST

        questions = self.thread.questions(text)
        if len(questions) == MOST:
            self.out.print(f"(At most {MOST} are asked about.)", style="dim")
        answers = []
        for question in questions:
            if question != text:
                self.out.print(f"({question})", style="dim", markup=False)
            on_step = render.step_printer(self.out) if self.tracing else None
            answers.append(self.thread.answer(question, on_step))
            if answers[-1].asked not in ("", text):
                self.out.print(f"({answers[-1].asked})", style="dim", markup=False)
            render.print_text(self.out, answers[-1])
        self.thread.remember(Asked.of(questions, answers))

    def why(self) -> None:
        """the calls that gave the last answer, what each gave, and the nodes and edges that carry it"""
        if self.last is None:
            self.out.print("Nothing has been answered yet.")
            return
        for call in self.last.calls:
            self.out.print(f"{call.spelling}\n  = {render.short(call.result)}", markup=False)
        for line in render.evidence_lines(self.last.evidence, self.session.union):
            self.out.print(f"  {line}", style="cyan", markup=False)

    def evidence(self) -> None:
        """the nodes and edges that the last answer rests on"""
        if self.last is None or not (self.last.evidence.nodes or self.last.evidence.edges):
            self.out.print("There is no evidence yet.")
            return
        for line in render.evidence_lines(self.last.evidence, self.session.union, most=200):
            self.out.print(line, markup=False)

    def trace(self) -> None:
        """show or hide the steps of every answer"""
        self.tracing = not self.tracing
        self.out.print(f"Steps are {'shown' if self.tracing else 'hidden'}.")

    def schema(self) -> None:
        """what the graph can be asked about"""
        self.out.print(self.session.describe(), markup=False)

    def help(self) -> None:
        """this list"""
        for name, command in self.commands.items():
            self.out.print(f"{name:10} {command.__doc__}", markup=False)
        self.out.print("A number takes one of the readings that were offered. Anything else is a question.")

    def quit(self) -> None:
        """leave, as "quit", "exit" and Ctrl-D do"""
        self.finished = True


def run(store: str, settings: Settings, timeout: float | None = None) -> None:
    """Converse until the input ends or `/quit`; a question may take so many seconds."""
    from graphtalk.app.thread import Thread

    chat = Chat(Thread(session_of(store, settings)), console.stdout())
    for line in _typed(chat) if sys.stdin.isatty() else sys.stdin:
        try:
            with within(timeout):
                chat.hear(line)
        except StoppedError as error:
            chat.out.print(str(error), style="yellow", markup=False)
        except KeyboardInterrupt:
            chat.out.print("Stopped.", style="yellow")
        if chat.finished:
            return


def _typed(chat: Chat) -> Iterator[str]:
    """Lines from the terminal, with their history of earlier conversations. Ctrl-C drops a line."""
    graph = chat.session.union
    chat.out.print(
        f"{about.called(graph)}: {graph.num_nodes:,} nodes, {graph.num_edges:,} edges. /help lists commands.",
        style="dim",
    )
    history = _read_history()
    try:
        while True:
            try:
                yield input("> ")
            except KeyboardInterrupt:
                console.write()
    except EOFError:
        console.write()
    finally:
        _write_history(history)


def _read_history() -> Path | None:
    try:
        import readline

        path, older = data_folder() / "chat_history", stores.cache_folder() / "chat_history"
        private(path)
        if older.exists():  # where earlier versions kept it, for everybody to read
            shutil.move(older, path)
            private(path)
        if path.stat().st_size:
            readline.read_history_file(path)
    except (ImportError, OSError):  # no readline here, or no place to keep a history: talk without
        return None
    return path


def _write_history(path: Path | None) -> None:
    if path is None:
        return
    import readline

    readline.set_history_length(HISTORY_LINES)
    try:
        readline.write_history_file(path)
    except OSError as error:
        console.say(f"the history was not kept: {error}")
