"""Messages as OpenAI's clients send them, the question among them, and citations of what an answer rests on."""

import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal
from urllib.parse import quote

from pydantic import BaseModel, Field

from graphtalk.app.server.ask_routes import Desk
from graphtalk.app.server.jobs import Asking, Chatting, Message
from graphtalk.app.server.problems import ProblemError
from graphtalk.app.server.schemas import MOST_QUESTION
from graphtalk.app.thread import MOST_SAID
from graphtalk.graphs import Graph
from graphtalk.reasoners.conversation import MOST_EARLIER

MOST_CITED = 50
MOST_CHOICES = 8
MOST_LOOKED_AT = 2_000  # nodes of the evidence whose names are looked for in the answer
_TEXTS = ("text", "input_text", "output_text")

GraphModel = Annotated[str, Field(max_length=200, description="The name of a graph.")]
ReasonerName = Annotated[str, Field(max_length=100)]
LmName = Annotated[str, Field(max_length=200)]


class Part(BaseModel):
    """A part of a message; only texts are read."""

    type: str
    text: str = ""


class ChatMessage(BaseModel):
    """A message. Instructions to a model (`system`) have no meaning for a graph."""

    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | list[Part] | None = None

    @property
    def text(self) -> str:
        """Its words."""
        if isinstance(self.content, list):
            return " ".join(part.text for part in self.content if part.type in _TEXTS)
        return self.content or ""


_WORDS = {"type": "string", "pattern": "\\S"}
_PART = {"properties": {"type": {"enum": list(_TEXTS)}, "text": _WORDS}, "required": ["type", "text"]}
_ASKED = {"role": {"const": "user"}, "content": {"anyOf": [_WORDS, {"type": "array", "contains": _PART}]}}
ASKS: dict[str, Any] = {
    "contains": {"properties": _ASKED, "required": list(_ASKED)}
}  # one is a question of the user


class Routed(BaseModel):
    """What every request of OpenAI's form may say: the graph, as the model, and who answers."""

    model: GraphModel
    reasoner: ReasonerName = ""
    lm: LmName = ""


def job(desk: Desk, asked: Routed, messages: Sequence[ChatMessage]) -> Asking:
    """Answering the last question of the user; those before it are what a follow-up goes on from.

    Raises ProblemError where there is none, and UnknownNameError for names that are not known here.
    """
    desk.check(asked.model, asked.reasoner, asked.lm)
    asking = [n for n, message in enumerate(messages) if message.role == "user" and message.text.strip()]
    if not asking:
        raise ProblemError(422, "None of the messages is a question of the user.")
    question = messages[asking[-1]].text
    if len(question) > MOST_QUESTION:
        raise ProblemError(413, f"The question has more than {MOST_QUESTION:,} characters.")
    alone = Asking(graph=asked.model, question=question, reasoner=asked.reasoner, lm=asked.lm, most=desk.most)
    said = _looked_at(messages[: asking[-1]])
    return Chatting(**dict(alone), messages=said) if said else alone


def _looked_at(messages: Sequence[ChatMessage]) -> tuple[Message, ...]:
    """The last messages, as far as a follow-up may go on from them: so many, of so many characters together."""
    spoken = [message for message in messages if message.role in ("user", "assistant")]
    found: list[Message] = []
    room = MOST_QUESTION
    for message in reversed(spoken[-2 * MOST_SAID :]):
        text = message.text[:MOST_EARLIER]
        room -= len(text)
        if room < 0:
            break
        found.append(Message(by_user=message.role == "user", text=text))
    return tuple(reversed(found))


def citations(graph: Graph, shown: Mapping[str, Any], base: str) -> list[dict[str, Any]]:
    """The nodes of the evidence that an answer names, each where it stands in the answer, with its page under `base`."""
    text = str(shown["answer"])
    found: list[dict[str, Any]] = []
    evidence = shown["evidence"]
    ends = (end for source, _, target in evidence["edges"] for end in (source, target))
    for id in itertools.islice(dict.fromkeys([*evidence["nodes"], *ends]), MOST_LOOKED_AT):
        name = graph.label(graph.node(id))
        at = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)
        if at is not None and len(found) < MOST_CITED:
            url = f"{base}v1/graphs/{quote(shown['graph'], safe='')}/nodes/{quote(id, safe='')}"
            found.append({"start_index": at.start(), "end_index": at.end(), "url": url, "title": name})
    return found


def tokens_used(shown: Mapping[str, Any]) -> tuple[int, int]:
    """Tokens that a model read and wrote."""
    used = shown["usage"]
    return int(used.get("input_tokens", 0)), int(used.get("output_tokens", 0))
