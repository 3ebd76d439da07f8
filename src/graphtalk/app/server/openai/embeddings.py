"""Embeddings: texts as vectors by the light embedder, whose vectors are as long for every graph."""

import base64
from typing import Annotated, Any, Literal

from anyio.to_thread import run_sync
from fastapi import APIRouter
from pydantic import BaseModel, Field, field_validator
from pydantic_core import PydanticCustomError

from graphtalk.app.server.ask_routes import Desk
from graphtalk.app.server.openai.messages import GraphModel
from graphtalk.app.server.problems import ProblemError
from graphtalk.app.server.schemas import MOST_QUESTION
from graphtalk.search.embedder import load_embedder

MOST_TEXTS = 256
Text = Annotated[str, Field(min_length=1, max_length=MOST_QUESTION)]
_TOKENS = "Give texts, not numbers of tokens: these are of another model. With LangChain: check_embedding_ctx_length=False."


class EmbeddingRequest(BaseModel):
    """What is read of OpenAI's request."""

    model: GraphModel
    input: Text | Annotated[list[Text], Field(min_length=1, max_length=MOST_TEXTS)]
    encoding_format: Literal["float", "base64"] | None = None
    dimensions: int | None = None

    @field_validator("input", mode="before")
    @classmethod
    def _texts(cls, given: object) -> object:
        if isinstance(given, list) and any(isinstance(part, int | list) for part in given):
            raise PydanticCustomError("tokens", _TOKENS)
        return given


def router(desk: Desk) -> APIRouter:
    """The route of embeddings."""
    routes = APIRouter(tags=["openai"])

    @routes.post("/v1/embeddings")
    async def embed(asked: EmbeddingRequest) -> dict[str, Any]:
        """Vectors of texts, of length 1, in the order of the texts."""
        desk.shelf.graph(asked.model)
        texts = asked.input if isinstance(asked.input, list) else [asked.input]
        embedder = load_embedder("static")
        if asked.dimensions not in (None, embedder.dimension):
            raise ProblemError(
                400, f"Vectors have {embedder.dimension} dimensions here; leave out dimensions."
            )
        vectors = (await run_sync(embedder.embed, texts)).astype("<f4")
        coded = asked.encoding_format == "base64"
        return {
            "object": "list",
            "model": asked.model,
            "data": [
                {
                    "object": "embedding",
                    "index": n,
                    "embedding": base64.b64encode(v.tobytes()).decode() if coded else v.tolist(),
                }
                for n, v in enumerate(vectors)
            ],
            "usage": {"prompt_tokens": 0, "total_tokens": 0},
        }

    return routes
