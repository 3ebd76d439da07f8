"""Asking: questions with their steps as they happen, calls, verification, and conversations that are kept."""

import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from graphtalk.app import render
from graphtalk.app.reasoners import OFFLINE
from graphtalk.app.server import problems
from graphtalk.app.server.answering import Answering, LeftError, OnStep, Work
from graphtalk.app.server.asking import asked_to_json, said
from graphtalk.app.server.conversations import Conversations, Turn
from graphtalk.app.server.metrics import Metrics
from graphtalk.app.server.problems import ProblemError
from graphtalk.app.server.schemas import (
    Answer,
    AskRequest,
    CallRequest,
    CallResult,
    ConversationKept,
    ConversationList,
    Verification,
    VerifyRequest,
)
from graphtalk.app.shelf import Choice, Shelf
from graphtalk.app.thread import MOST_SAID, Thread
from graphtalk.core import JSON, GraphtalkError, Step
from graphtalk.reasoners.conversation import Said

T = TypeVar("T")
EVENTS = "text/event-stream"
ALIVE = ": still at work\n\n"  # a comment, which clients pass over


@dataclass(frozen=True)
class Desk:
    """Where questions are taken: what the routes of this part and of the OpenAI form share."""

    shelf: Shelf
    answering: Answering
    conversations: Conversations
    metrics: Metrics

    @property
    def most(self) -> int:
        """Entries of evidence that an answer shows at most."""
        return self.answering.bounds.entries

    def check(self, client: str, asked: AskRequest) -> list[Said]:
        """What was said before. Raises UnknownNameError for names, ProblemError for a conversation, not known."""
        self.shelf.graph(asked.graph)
        self.shelf.chosen(Choice(asked.reasoner, asked.lm))
        if not asked.conversation:
            return []
        found = self.conversations.turns(client, asked.conversation)
        if found is None:
            raise ProblemError(404, "No such conversation of yours.")
        if found[0].graph != asked.graph:
            raise ProblemError(422, f"This conversation is about the graph {found[0].graph!r}.")
        return [said(turn) for turn in found[1][-MOST_SAID:]]

    def with_lm(self, asked: AskRequest) -> bool:
        """Whether a language model takes part in the answer."""
        return self.shelf.chosen(Choice(asked.reasoner, asked.lm)).lm != OFFLINE

    def answer(
        self, client: str, asked: AskRequest, before: Sequence[Said], on_step: OnStep
    ) -> dict[str, JSON]:
        """The answer's object; kept where the question belongs to a conversation."""
        with self.shelf.session(asked.graph, Choice(asked.reasoner, asked.lm)) as session:
            found = Thread(session, list(before)).ask(asked.question, on_step)
        shown = asked_to_json(found, asked.graph, self.most, asked.trace)
        if asked.conversation is not None:
            turn = Turn(asked.question, shown)
            shown["conversation"] = self.conversations.add(client, asked.conversation, asked.graph, turn)
        return shown

    def account(self, client: str, graph: str, shown: dict[str, JSON]) -> None:
        """Note what an answer cost."""
        record = render.answer_of_json(shown, "the answer")
        self.metrics.answer(graph, record)
        self.answering.clients.spent(client, record.usage.get("usd", 0))


def router(desk: Desk) -> APIRouter:
    """The routes about answers."""
    routes = APIRouter(tags=["answers"])

    @routes.post("/v1/ask", response_model=Answer, responses={200: {"content": {EVENTS: {}}}})
    async def ask_(asked: AskRequest, request: Request) -> Response | dict[str, JSON]:
        """Answer a question. With `Accept: text/event-stream`: events `step`, then `answer` or `problem`."""
        client = request.state.client
        before = desk.check(client, asked)

        def work(on_step: OnStep) -> dict[str, JSON]:
            return desk.answer(client, asked, before, on_step)

        if EVENTS in request.headers.get("accept", ""):
            return streaming(_events(desk, request, asked, work))
        shown = await answered(desk, request, work, desk.with_lm(asked))
        desk.account(client, asked.graph, shown)
        return shown

    @routes.post("/v1/call")
    async def call(asked: CallRequest, request: Request) -> CallResult:
        """Run one call, in any spelling."""
        desk.shelf.graph(asked.graph)

        def work(on_step: OnStep) -> dict[str, Any]:
            with desk.shelf.session(asked.graph, Choice(lm=OFFLINE)) as session:
                return _cut(render.result_to_json(session.call(asked.call)), desk.most)

        return CallResult.model_validate(await answered(desk, request, work))

    @routes.post("/v1/verify")
    async def verify(asked: VerifyRequest, request: Request) -> Verification:
        """Run an answer's calls again, with no model, and compare."""
        desk.shelf.graph(asked.graph)
        given = render.answer_of_json(asked.answer, "answer")

        def work(on_step: OnStep) -> dict[str, JSON]:
            with desk.shelf.session(asked.graph, Choice(lm=OFFLINE)) as session:
                return render.verification_to_json(session.verify(given))

        return Verification.model_validate(await answered(desk, request, work))

    @routes.get("/v1/conversations")
    def conversations(request: Request) -> ConversationList:
        """Your conversations, the last changed first."""
        found = desk.conversations.latest(request.state.client)
        return ConversationList.model_validate({"conversations": [asdict(about) for about in found]})

    @routes.get("/v1/conversations/{id}")
    def conversation(id: str, request: Request) -> ConversationKept:
        """A conversation with its questions and answers."""
        found = desk.conversations.turns(request.state.client, id)
        if found is None:
            raise ProblemError(404, "No such conversation of yours.")
        about, turns = found
        return ConversationKept.model_validate({**asdict(about), "turns": [asdict(turn) for turn in turns]})

    @routes.delete("/v1/conversations/{id}", status_code=204)
    def forget(id: str, request: Request) -> None:
        """Delete a conversation."""
        if not desk.conversations.forget(request.state.client, id):
            raise ProblemError(404, "No such conversation of yours.")

    return routes


async def answered(desk: Desk, request: Request, work: Work[T], with_lm: bool = False) -> T:
    """What `work` gives, unless the client leaves."""
    try:
        return await desk.answering.run(request, work, with_lm)
    except LeftError:
        raise ProblemError(499, "The client left.") from None


def streaming(events: AsyncIterator[str]) -> StreamingResponse:
    """Server-sent events, which nothing on the way may keep back."""
    return StreamingResponse(
        events, media_type=EVENTS, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    )


def event(data: object, kind: str = "") -> str:
    """One server-sent event: JSON has no line breaks outside of its escapes."""
    name = f"event: {kind}\n" if kind else ""
    return f"{name}data: {json.dumps(data, ensure_ascii=False)}\n\n"


async def told(
    desk: Desk, request: Request, asked: AskRequest, work: Work[dict[str, JSON]]
) -> AsyncIterator[Step | dict[str, JSON] | ProblemError | None]:
    """Each step as it happens, and then the answer's object or why there is none; None is a sign of life in between.

    Ends without a word where the client left.
    """
    try:
        async for found in desk.answering.steps(request, work, desk.with_lm(asked)):
            if isinstance(found, dict):
                desk.account(request.state.client, asked.graph, found)
            if not (isinstance(found, Step) and found.kind == "answer"):
                yield found
    except LeftError:
        return
    except (GraphtalkError, ProblemError) as error:
        yield problems.of_error(error)


async def _events(
    desk: Desk, request: Request, asked: AskRequest, work: Work[dict[str, JSON]]
) -> AsyncIterator[str]:
    async for found in told(desk, request, asked, work):
        if found is None:
            yield ALIVE
        elif isinstance(found, Step):
            yield event(render.step_to_json(found), "step")
        elif isinstance(found, ProblemError):
            yield event(problems.body(found.status_code, str(found.detail)), "problem")
        else:
            yield event(found, "answer")


def _cut(shown: dict[str, Any], most: int) -> dict[str, Any]:
    """A call's object with a long result cut, and a remark that says so."""
    result = shown["result"]
    if not isinstance(result, list | dict) or len(result) <= most:
        return shown
    kept = result[:most] if isinstance(result, list) else dict(list(result.items())[:most])
    remark = f"The first {most:,} of {len(result):,} are shown."
    return {**shown, "result": kept, "remarks": [*shown["remarks"], remark]}
