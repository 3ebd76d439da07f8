"""The picture in the README: a real question, answered now, drawn as the terminal shows it.

python scripts/answer_picture.py    # writes docs/answer.svg
"""

import io
from pathlib import Path

from rich.console import Console
from rich.text import Text

import graphtalk as gt
from graphtalk.app.render import print_answer

PAGE = Path(__file__).resolve().parents[1] / "docs" / "answer.svg"
QUESTION = "Which countries border both France and Germany?"


def main() -> None:
    """Ask, and draw the answer."""
    graph = gt.open("atlas")
    gt.ask(graph, QUESTION)  # so that the time shown is that of a warm session
    console = Console(record=True, width=100, file=io.StringIO(), highlight=False, force_terminal=True)
    console.print(Text.assemble(("$ ", "dim"), f'graphtalk ask atlas "{QUESTION}"\n'))
    print_answer(console, gt.ask(graph, QUESTION), gt.session(graph).union)
    PAGE.write_text(console.export_svg(title="graphtalk"), encoding="utf-8")


if __name__ == "__main__":
    main()
