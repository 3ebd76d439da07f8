"""Asking: questions with their steps as they happen, calls, verification, and conversations that are kept."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import asdict, dataclass

from anyio.to_thread import run_sync
from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from graphtalk.app import render
from graphtalk.app.reasoners import OFFLINE
from graphtalk.app.server import problems
from graphtalk.app.server.answering import Answering
from graphtalk.app.server.conversations import Conversations, Turn
from graphtalk.app.server.jobs import (
    Asking,
    Beginning,
    Calling,
    Earlier,
    Given,
    Job,
    Querying,
    Retelling,
    Verifying,
)
from graphtalk.app.server.metrics import Metrics
from graphtalk.app.server.problems import ProblemError
from graphtalk.app.server.schemas import (
    Answer,
    AskRequest,
    CallRequest,
    CallResult,
    ConversationKept,
    ConversationList,
    Examples,
    Feedback,
    QueryRequest,
    QueryRows,
    Rounds,
    RoundsRequest,
    Title,
    Verification,
    VerifyRequest,
)
from graphtalk.app.server.workers import CrashError, LeftError
from graphtalk.app.shelf import Choice, Shelf
from graphtalk.app.thread import MOST_SAID
from graphtalk.core import GraphtalkError, Step

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

    def asking(self, client: str, asked: AskRequest) -> Asking:
        """The job of answering. Raises UnknownNameError for names, ProblemError for a conversation, not known."""
        self.check(asked.graph, asked.reasoner, asked.lm)
        before = self._before(client, asked) if asked.conversation else ()
        return Asking(
            graph=asked.graph,
            question=asked.question,
            reasoner=asked.reasoner,
            lm=asked.lm,
            before=before,
            choose=asked.choose,
            trace=asked.trace,
            most=self.most,
        )

    def check(self, graph: str, reasoner: str, lm: str) -> None:
        """Raise UnknownNameError for names that are not known here."""
        self.shelf.graph(graph)
        self.shelf.chosen(Choice(reasoner, lm))

    def _before(self, client: str, asked: AskRequest) -> tuple[Earlier, ...]:
        found = self.conversations.turns(client, asked.conversation or "")
        if found is None:
            raise ProblemError(404, "No such conversation of yours.")
        about, turns = found
        if about.graph != asked.graph:
            raise ProblemError(422, f"This conversation is about the graph {about.graph!r}.")
        return tuple(Earlier.of(turn.asked, turn.answer) for turn in turns[-MOST_SAID:])

    def with_lm(self, job: Asking) -> bool:
        """Whether a language model takes part in the answer."""
        return self.shelf.chosen(Choice(job.reasoner, job.lm)).lm != OFFLINE

    def keep(self, client: str, asked: AskRequest, shown: Given) -> None:
        """Keep an answer where its question belongs to a conversation; the answer then says to which."""
        if asked.conversation is not None:
            turn = Turn(asked.question, dict(shown))
            shown["conversation"] = self.conversations.add(client, asked.conversation, asked.graph, turn)

    def account(self, client: str, graph: str, shown: Given) -> None:
        """Note what an answer cost. Raises ProblemError where its language model could not be asked."""
        record = render.answer_of_json(shown, "the answer")
        self.metrics.answer(graph, record)
        self.answering.clients.spent(client, record.usage.get("usd", 0))
        problems.check(shown)


def router(desk: Desk) -> APIRouter:
    """The routes about answers."""
    routes = APIRouter(tags=["answers"])

    @routes.post("/v1/ask", name="ask", response_model=Answer, responses={200: {"content": {EVENTS: {}}}})
    async def ask_(asked: AskRequest, request: Request) -> Response | Given:
        """Answer a question. With `Accept: text/event-stream`: events `step`, then `answer` or `problem`."""
        client = request.state.client
        job = await run_sync(desk.asking, client, asked)

        async def keep(shown: Given) -> None:
            await run_sync(desk.keep, client, asked, shown)

        if EVENTS in request.headers.get("accept", ""):
            return streaming(_events(told(desk, request, job, keep)))
        shown = await answered(desk, request, job, desk.with_lm(job))
        desk.account(client, asked.graph, shown)
        await keep(shown)
        return shown

    @routes.post("/v1/call")
    async def call(asked: CallRequest, request: Request) -> CallResult:
        """Run one call, in any spelling."""
        desk.shelf.graph(asked.graph)
        job = Calling(graph=asked.graph, call=asked.call, most=desk.most)
        return CallResult.model_validate(await answered(desk, request, job))

    @routes.post("/v1/query")
    async def query(asked: QueryRequest, request: Request) -> QueryRows:
        """Run a Cypher query that reads."""
        desk.shelf.graph(asked.graph)
        job = Querying(graph=asked.graph, cypher=asked.cypher, parameters=asked.parameters, most=desk.most)
        return QueryRows.model_validate(await answered(desk, request, job))

    begun: dict[str, Examples] = {}

    @routes.get("/v1/graphs/{name}/examples")
    async def examples(name: str, request: Request) -> Examples:
        """Questions that fit a graph and are known to be answered, each of another kind."""
        key = f"{name} {desk.shelf.union(name).checksum}"
        if key not in begun:
            begun[key] = Examples.model_validate(await answered(desk, request, Beginning(graph=name)))
        return begun[key]

    @routes.post("/v1/verify")
    async def verify(asked: VerifyRequest, request: Request) -> Verification:
        """Run an answer's calls again, with no model, and compare."""
        desk.shelf.graph(asked.graph)
        job = Verifying(graph=asked.graph, answer=asked.answer)
        return Verification.model_validate(await answered(desk, request, job))

    @routes.post("/v1/rounds")
    async def rounds(asked: RoundsRequest, request: Request) -> Rounds:
        """Tell and draw the rounds of the distributed algorithm that answers a question, with no model."""
        desk.shelf.graph(asked.graph)
        job = Retelling(graph=asked.graph, question=asked.question)
        return Rounds.model_validate(await answered(desk, request, job))

    @routes.post("/v1/feedback", status_code=204)
    def feedback(said: Feedback) -> None:
        """Keep whether an answer was right, as a test case: in `feedback.jsonl`, beside the conversations."""
        desk.shelf.graph(said.graph)
        if not desk.conversations.note(said.model_dump()):
            raise ProblemError(403, "This server keeps nothing.")

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

    @routes.patch("/v1/conversations/{id}", status_code=204)
    def rename(id: str, named: Title, request: Request) -> None:
        """Call a conversation otherwise."""
        if not desk.conversations.rename(request.state.client, id, named.title):
            raise ProblemError(404, "No such conversation of yours.")

    @routes.delete("/v1/conversations/{id}", status_code=204)
    def forget(id: str, request: Request) -> None:
        """Delete a conversation."""
        if not desk.conversations.forget(request.state.client, id):
            raise ProblemError(404, "No such conversation of yours.")

    return routes


async def answered(desk: Desk, request: Request, job: Job, with_lm: bool = False) -> Given:
    """What a job gives, unless the client leaves."""
    working = asyncio.create_task(
        desk.answering.run(request.state.client, job, with_lm, anew=wanted_anew(request))
    )
    leaving = asyncio.create_task(_left(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ProblemError(499, "The client left.")
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()


def wanted_anew(request: Request) -> bool:
    """Whether the client will have no kept answer (RFC 9111)."""
    return "no-cache" in request.headers.get("cache-control", "")


async def _left(request: Request) -> None:
    """Ends when the client leaves: once a body is read, nothing else comes."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


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
    desk: Desk, request: Request, job: Asking, keep: Callable[[Given], Awaitable[None]] | None = None
) -> AsyncIterator[Step | Given | ProblemError | None]:
    """Each step as it happens, and then the answer's object or why there is none; None is a sign of life in between.

    Ends without a word where the client left.
    """
    try:
        async for found in desk.answering.steps(
            request.state.client, job, desk.with_lm(job), wanted_anew(request)
        ):
            if isinstance(found, dict):
                desk.account(request.state.client, job.graph, found)
                if keep is not None:
                    await keep(found)
            if not (isinstance(found, Step) and found.kind == "answer"):
                yield found
    except LeftError:
        return
    except (GraphtalkError, ProblemError, CrashError) as error:
        yield problems.of_error(error)


async def _events(found: AsyncIterator[Step | Given | ProblemError | None]) -> AsyncIterator[str]:
    async for part in found:
        if part is None:
            yield ALIVE
        elif isinstance(part, Step):
            yield event(render.step_to_json(part), "step")
        elif isinstance(part, ProblemError):
            yield event(problems.body(part.status_code, str(part.detail)), "problem")
        else:
            yield event(part, "answer")
