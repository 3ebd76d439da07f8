"""Completions of before chats, for clients that know no others: each prompt is a question."""

import secrets
import time
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import Field

from graphtalk.app.server import problems
from graphtalk.app.server.ask_routes import Desk, answered, event, streaming
from graphtalk.app.server.openai.messages import MOST_CHOICES, ChatMessage, Routed, job, tokens_used
from graphtalk.app.server.schemas import MOST_QUESTION
from graphtalk.core import GraphtalkError

MOST_PROMPTS = 16
Prompt = Annotated[str, Field(max_length=MOST_QUESTION, pattern=r"\S")]


class CompletionRequest(Routed):
    """What is read of OpenAI's request; the rest of it is left aside."""

    prompt: Prompt | Annotated[list[Prompt], Field(min_length=1, max_length=MOST_PROMPTS)]
    n: Annotated[int, Field(ge=1, le=MOST_CHOICES)] | None = None
    echo: bool | None = None
    stream: bool | None = None


def router(desk: Desk) -> APIRouter:
    """The route of completions."""
    routes = APIRouter(tags=["openai"])

    @routes.post("/v1/completions", response_model=None)
    async def complete(asked: CompletionRequest, request: Request) -> Response | dict[str, Any]:
        """Answer each prompt by itself."""
        given = asked.prompt if isinstance(asked.prompt, list) else [asked.prompt]
        prompts = [prompt for prompt in given for _ in range(asked.n or 1)]
        jobs = [job(desk, asked, [ChatMessage(role="user", content=prompt)]) for prompt in prompts]
        made: dict[str, Any] = {
            "id": f"cmpl-{secrets.token_hex(12)}",
            "object": "text_completion",
            "created": int(time.time()),
            "model": asked.model,
        }

        async def choice(n: int) -> tuple[dict[str, Any], tuple[int, int]]:
            shown = await answered(desk, request, jobs[n], desk.with_lm(jobs[n]))
            desk.account(request.state.client, asked.model, shown)
            said = (prompts[n] if asked.echo else "") + shown["answer"]
            return {"index": n, "text": said, "finish_reason": "stop", "logprobs": None}, tokens_used(shown)

        async def events() -> AsyncIterator[str]:
            try:
                for n in range(len(jobs)):
                    yield event({**made, "choices": [(await choice(n))[0]]})
            except (GraphtalkError, problems.ProblemError) as error:
                found = problems.of_error(error)
                yield event(problems.openai_error(found.status_code, str(found.detail)))
            yield "data: [DONE]\n\n"

        if asked.stream:
            return streaming(events())
        found = [await choice(n) for n in range(len(jobs))]
        read, written = (sum(used[side] for _, used in found) for side in (0, 1))
        usage = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
        return {**made, "choices": [text for text, _ in found], "usage": usage}

    return routes
