"""Errors as RFC 9457 problem details: what was wrong and what would be right; no traceback, path or key."""

import logging
import re
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette._utils import get_route_path
from starlette.exceptions import HTTPException

from graphtalk.app.shelf import UnknownNameError
from graphtalk.app.stores import ReplacedError
from graphtalk.core import (
    BudgetError,
    CallError,
    LmBusyError,
    LmError,
    SourceError,
    StoppedError,
    StoreError,
    UsageError,
)
from graphtalk.graphs.scratch import cache_folder, data_folder
from graphtalk.hub import hub_folder

log = logging.getLogger("graphtalk.server")

TITLES = {
    400: "Bad request",
    401: "Not authorised",
    402: "Budget spent",
    403: "Forbidden",
    404: "Not found",
    405: "Method not allowed",
    408: "Request too slow",
    413: "Request too large",
    422: "Not understood",
    429: "Too many requests",
    500: "Internal error",
    503: "Not available",
}


class ProblemError(HTTPException):
    """A request that is refused: its status, why in words, and headers such as Retry-After."""


class NotModifiedError(HTTPException):
    """What the client has kept still holds."""

    def __init__(self, tag: str) -> None:
        super().__init__(304, headers={"ETag": tag, "Cache-Control": "private, no-cache"})


# Routes whose clients look for an error in OpenAI's form, and what it is called there.
OPENAI = ("/v1/chat/", "/v1/models", "/v1/completions", "/v1/responses", "/v1/embeddings")
_OPENAI_TYPES = {
    401: "authentication_error",
    402: "insufficient_quota",
    403: "permission_error",
    429: "rate_limit_error",
}


def problem(
    status: int, detail: str, headers: Mapping[str, str] | None = None, path: str = ""
) -> JSONResponse:
    """A problem as a response to a request of `path`."""
    shown = body(status, detail)
    if path.startswith(OPENAI):
        status = 400 if status == 422 else status  # what its clients expect
        shown = body(status, detail) | openai_error(status, detail)
    return JSONResponse(shown, status, headers, media_type="application/problem+json")


def openai_error(status: int, detail: str) -> dict[str, dict[str, str | None]]:
    """A problem in OpenAI's form."""
    kind = _OPENAI_TYPES.get(status, "server_error" if status >= 500 else "invalid_request_error")
    return {"error": {"message": detail, "type": kind, "param": None, "code": str(status)}}


def body(status: int, detail: str) -> dict[str, object]:
    """A problem as an object."""
    return {"type": "about:blank", "title": TITLES.get(status, "Error"), "status": status, "detail": detail}


def check(shown: Mapping[str, Any]) -> None:
    """Raise ProblemError where an answer's object says that its language model could not be asked, or may not be."""
    if not shown["answered"] and shown["stopped"] in ("lm", "budget"):
        raise ProblemError(402 if shown["stopped"] == "budget" else 503, without_places(shown["answer"]))


def without_places(text: str) -> str:
    """A text without paths of this machine, as errors name them to the operator.

    Only the folders where such paths begin are known here. Whether any other path exists is not looked up: the text may
    repeat what a client said, who would learn it.
    """
    return _places().sub("…", text)


@cache
def _places() -> re.Pattern[str]:
    named = (Path.home(), Path.cwd(), cache_folder(), data_folder(), hub_folder(), Path(gettempdir()))
    installed = (Path(sys.prefix), Path(sys.base_prefix), Path(__file__).parents[3])
    folders = {str(form) for f in (*named, *installed) for form in (f, f.resolve()) if len(form.parts) > 1}
    longest_first = sorted(folders, key=len, reverse=True)
    return re.compile(rf"(?:{'|'.join(map(re.escape, longest_first))})(?![\w.-])(?:/[^\s'\",;:()]*)*")


def of_error(error: Exception) -> ProblemError:
    """The problem that an error is to whoever asked. What is nobody's business but ours goes to the log."""
    found = _of_error(error)
    return ProblemError(found.status_code, without_places(str(found.detail)), found.headers)


def _of_error(error: Exception) -> ProblemError:
    if isinstance(error, ProblemError):
        return error
    if isinstance(error, UnknownNameError):
        return ProblemError(404, str(error))
    if isinstance(error, ReplacedError | StoppedError):
        return ProblemError(503, str(error))
    if isinstance(error, BudgetError):
        return ProblemError(402, str(error))
    if isinstance(error, StoreError):
        log.error("a store cannot be read", exc_info=error)
        return ProblemError(
            503, "The graph's store changed on disk, or is damaged; the server's log says more."
        )
    if isinstance(error, LmBusyError):
        return ProblemError(503, str(error), {"Retry-After": str(max(1, round(error.after or 1)))})
    if isinstance(error, LmError):
        return ProblemError(503, str(error))
    if isinstance(error, CallError | UsageError) and not isinstance(error, SourceError):
        return ProblemError(422, str(error))
    log.error("unexpected error", exc_info=error)
    return ProblemError(
        500, "Something went wrong here; the server's log says more, under this request's id."
    )


def install(app: FastAPI) -> None:
    """Answer every error of `app` with a problem."""

    async def failed(request: Request, error: Exception) -> JSONResponse:
        found = of_error(error)
        return problem(found.status_code, found.detail, found.headers, get_route_path(request.scope))

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if isinstance(error, NotModifiedError):
            return Response(status_code=304, headers=error.headers)
        return problem(error.status_code, str(error.detail), error.headers, get_route_path(request.scope))

    async def not_understood(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        detail = "; ".join(_complaint(e) for e in error.errors()[:5])
        if request.method == "POST" and "json" not in request.headers.get("content-type", ""):
            detail = "The body is JSON: send it with Content-Type: application/json."
        return problem(422, detail, path=get_route_path(request.scope))

    app.add_exception_handler(RequestValidationError, not_understood)
    app.add_exception_handler(HTTPException, refused)
    app.add_exception_handler(Exception, failed)
    for kind in (UsageError, LmError, CallError):
        app.add_exception_handler(kind, failed)


def _complaint(error: Mapping[str, object]) -> str:
    location = error.get("loc")
    where = ".".join(str(part) for part in location) if isinstance(location, tuple) else ""
    return f"{where}: {error.get('msg')}"
