"""The objects of a server's answers."""

from dataclasses import replace
from typing import Any

from graphtalk.app import render
from graphtalk.app.thread import Asked
from graphtalk.core import JSON, Answer
from graphtalk.tools.evidence import together


def asked_to_json(
    asked: Asked, graph: str, most: int, trace: bool = False, cypher: render.Spell | None = None
) -> dict[str, Any]:
    """The object of `graphtalk ask --json`, with what a server adds; long lists are cut to `most` entries.

    `cypher` writes a call in Cypher, which each then has too.
    """
    shown: dict[str, Any] = answer_to_json(asked.whole, most, trace, cypher)
    shown |= {"graph": graph, "question": asked.question, "parts": []}
    if len(asked.answers) > 1:
        shown["parts"] = [
            {**answer_to_json(answer, most, trace, cypher), "graph": graph, "question": question}
            for question, answer in zip(asked.questions, asked.answers, strict=True)
        ]
    return shown


def answer_to_json(
    answer: Answer, most: int, trace: bool = False, cypher: render.Spell | None = None
) -> dict[str, JSON]:
    """An answer whose evidence is cut to `most` nodes and edges. Its value stays whole, so that it can be verified."""
    cut = replace(answer, evidence=together([answer.evidence], most))
    return render.answer_to_json(cut, trace, cypher)
