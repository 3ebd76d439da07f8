"""Conversations from Python, and the example notebook, run as a reader would."""

from pathlib import Path

import pytest

import graphtalk as gt
from graphtalk.app.thread import MOST_SAID, Thread

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "atlas.ipynb"


def test_a_chat_keeps_the_thread_and_shows_what_it_understood() -> None:
    chat = gt.chat("atlas")
    first = chat("What is the capital of Japan?")
    assert first.value == ["Tokyo"] and first.question == ""
    second = chat("And its population?")
    assert second.question == "What is Tokyo's population?" and second.value == 14_000_000
    assert repr(second) == "14,000,000 (population of Tokyo)\n(nodes of evidence: 1, edges: 0, calls: 2)"
    html = second._repr_html_()
    assert "(What is Tokyo&#x27;s population?)" in html and "<svg" in html and "NodeFeature" in html
    assert chat._repr_html_().count('class="graphtalk-answer"') == 2
    assert repr(chat).splitlines()[1] == "> What is the capital of Japan?"


def test_follow_ups_to_several_questions_speak_of_all_they_gave() -> None:
    thread = Thread(gt.session(gt.open("atlas")))
    thread.ask("Which countries border both France and Germany?")
    capitals = thread.ask("What are their capitals?")
    assert len(capitals.questions) > 1 and len(capitals.whole.value) == len(capitals.questions)
    first = capitals.answers[0].value[0]
    assert thread.questions("And their populations?")[0] == f"What is {first}'s populations?"
    assert thread.questions("and of Chile?") == ("What are Chile's capitals?",)


def test_a_thread_remembers_only_so_much() -> None:
    thread = Thread(gt.session(gt.open("atlas")))
    for _ in range(MOST_SAID + 3):
        thread.ask("")
    assert len(thread.said) == MOST_SAID


def test_what_is_typed_is_escaped() -> None:
    chat = gt.chat("atlas")
    chat("<script>alert(1)</script>")
    assert "<script" not in chat._repr_html_()


@pytest.mark.slow
def test_the_example_notebook_runs() -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(EXAMPLE, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs for cell in cells), "the example is kept without outputs"
    assert not any("graphtalk." in cell.source for cell in cells), "the example imports what is public"
    nbclient.NotebookClient(notebook, timeout=600, startup_timeout=600, kernel_name="python3").execute()
    shown = [output.get("data", {}) for cell in cells for output in cell.outputs]
    assert sum("<svg" in data.get("text/html", "") for data in shown) >= 3
    texts = "\n".join(data.get("text/plain", "") for data in shown)
    assert "Tokyo" in texts and "14,000,000" in texts and "'same'" in texts and "Austria" in texts
