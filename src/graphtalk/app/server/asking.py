"""The objects of a server's answers."""

from dataclasses import replace
from typing import Any

from graphtalk.app import render
from graphtalk.app.thread import Asked
from graphtalk.core import JSON, Answer
from graphtalk.tools.evidence import together


def asked_to_json(asked: Asked, graph: str, most: int, trace: bool = False) -> dict[str, Any]:
    """The object of `graphtalk ask --json`, with what a server adds; long lists are cut to `most` entries."""
    shown: dict[str, Any] = answer_to_json(asked.whole, most, trace)
    shown |= {"graph": graph, "question": asked.question, "parts": []}
    if len(asked.answers) > 1:
        shown["parts"] = [
            {**answer_to_json(answer, most, trace), "graph": graph, "question": question}
            for question, answer in zip(asked.questions, asked.answers, strict=True)
        ]
    return shown


def answer_to_json(answer: Answer, most: int, trace: bool = False) -> dict[str, JSON]:
    """An answer whose evidence is cut to `most` nodes and edges. Its value stays whole, so that it can be verified."""
    return render.answer_to_json(replace(answer, evidence=together([answer.evidence], most)), trace)
