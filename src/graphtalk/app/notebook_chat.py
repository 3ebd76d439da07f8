"""A conversation in a notebook: `chat = gt.chat(g)`, then `chat("What is the capital of Japan?")` in a cell of its own.

Each answer displays itself, with its evidence and calls; `chat` as the last line of a cell shows the whole thread.
"""

from dataclasses import dataclass, field, replace
from pathlib import Path

from graphtalk.app import ask as wiring
from graphtalk.app.notebook import GraphAnswer
from graphtalk.app.settings import DEFAULT, Settings
from graphtalk.app.thread import Thread
from graphtalk.core.text import visible
from graphtalk.graphs import Loaded
from graphtalk.graphs.drawing import escape


@dataclass
class NotebookChat:
    """Questions about one graph, each of which may go on from those before."""

    thread: Thread
    turns: list[tuple[str, GraphAnswer]] = field(default_factory=list)

    def __call__(self, question: str) -> GraphAnswer:
        """Answer a question or a follow-up ("And its population?")."""
        asked = self.thread.ask(question)
        understood = "" if asked.question == question else asked.question
        answer = GraphAnswer.of(asked.whole, self.thread.session.union, understood)
        self.turns.append((question, answer))
        return answer

    def __repr__(self) -> str:
        about = f"A chat about {self.thread.session.union.name}"
        return visible("\n".join([about, *(f"> {text}\n{answer.text}" for text, answer in self.turns)]))

    def _repr_html_(self) -> str:
        head = f"<p>A chat about {escape(self.thread.session.union.name)}</p>"
        turns = (f"<p>&gt; {escape(text)}</p>{answer._repr_html_()}" for text, answer in self.turns)
        return f'<div class="graphtalk-chat">{head}{"".join(turns)}</div>'


def chat(
    graph: Loaded | str | Path, *, lm: str = "", reasoner: str = "", settings: Settings = DEFAULT
) -> NotebookChat:
    """Start a conversation about a graph, in a notebook or any Python code; the arguments are those of `ask`."""
    chosen = replace(settings, lm=lm or settings.lm, reasoner=reasoner or settings.reasoner)
    return NotebookChat(Thread(wiring.session(graph, chosen)))
