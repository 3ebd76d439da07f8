"""What the providers over HTTP share: a client that never waits for ever, and errors that never hold a key.

Both libraries (openai, anthropic) are used for their connections, their keys and their event streams. Replies are
read as plain JSON and with care, since servers that call themselves compatible differ in every field.
"""

import json
import math
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from time import monotonic, time
from typing import TypeVar
from urllib.parse import quote, urlsplit

import httpx2

from graphtalk.core import LmBusyError, LmError, LmSlowError, UsageError
from graphtalk.core.limits import left
from graphtalk.core.reading import read_json

T = TypeVar("T")

POOL = 1000  # connections at once: never what limits us
CONNECT_SECONDS = 10.0  # a machine that is there answers sooner
STREAM_PATIENCE = 10  # a stream may take so many times as long as a whole reply, with no gap longer than that
MAY_PASS = {408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529}  # then ask again
CANNOT_TAKE = {400, 415, 422, 501}  # the request will not do as it stands
NO_WAITING_HELPS = ("insufficient_quota", "billing", "credit balance")  # a 429 of an empty account
WILL_NOT_PASS = ("invalid_request", "authentication", "permission", "not_found", "context_length")
SECRET = 8  # letters of a key from which on it is one; servers of one's own take "x"
SHOWN = 300  # letters of a server's message that an error shows


_LEAST = 0.01  # seconds of a time-out: 0 would be none


class RefusedError(LmError):
    """The server does not take a request as it stands. `detail` is all that it said, `parameter` what it blames."""

    def __init__(self, message: str, detail: str, parameter: str = "") -> None:
        super().__init__(message)
        self.detail = detail
        self.parameter = parameter


@dataclass(frozen=True)
class Place:
    """Who is asked, where and with which key: what errors are made of.

    `trouble` is the base of the library's own errors.
    """

    model: str
    url: str
    key: str = field(repr=False)
    key_env: str
    trouble: type[Exception]

    @property
    def host(self) -> str:
        """The server's address, without a password that the URL may hold."""
        parts = urlsplit(self.url)
        return f"{parts.hostname}:{parts.port}" if parts.port else f"{parts.hostname}"

    def clean(self, text: str) -> str:
        """A message without the key, in whatever spelling a server or a library echoes it. A short key is no secret."""
        if len(self.key) < SECRET:
            return text
        spellings = {self.key, quote(self.key, safe=""), json.dumps(self.key)[1:-1], repr(self.key)[1:-1]}
        for spelling in spellings - {""}:
            text = text.replace(spelling, "[key]")
        return text

    def busy(self, what: str, after: float | None = None) -> LmBusyError:
        """The error of something that may pass."""
        return LmBusyError(self._sentence(what), after)

    def wrong(self, what: str) -> LmError:
        """The error of something that will not pass."""
        return LmError(self._sentence(what))

    def attempt(self, work: Callable[[], T]) -> T:
        """What `work` gives. Raises LmError where the server or the connection fails.

        Raised outside of the handler on purpose: a library's error holds the request and so the key, and would
        hang on ours as its context, for every log to print.
        """
        try:
            return work()
        except httpx2.HTTPError as error:
            problem = self._of_connection(error)
        except self.trouble as error:
            problem = self._of_library(error)
        except ValueError:
            problem = self.busy("sent something that is not JSON.")
        raise problem

    def _sentence(self, what: str) -> str:
        return f"{self.model} at {self.host} {self.clean(what)}"

    def _of_library(self, error: Exception) -> LmError:
        body = getattr(error, "body", None)
        response = getattr(error, "response", None)
        if isinstance(response, httpx2.Response) and response.status_code >= 400:
            return self._of_status(response, body)
        if isinstance(error.__cause__, httpx2.HTTPError):
            return self._of_connection(error.__cause__)
        return self.of_error(body if body is not None else str(error))

    def of_error(self, body: object) -> LmError:
        """The error that a server sends in the middle of a stream, or in place of a reply under status 200."""
        what = f"reported an error: {_short(said_in(body))}"
        kind = json.dumps(body, default=str).casefold()
        code = body.get("code") if isinstance(body, Mapping) else None
        passing = code not in CANNOT_TAKE and code not in {401, 403}
        return self.busy(what) if passing and not any(w in kind for w in WILL_NOT_PASS) else self.wrong(what)

    def _of_connection(self, error: httpx2.HTTPError) -> LmError:
        if isinstance(error, httpx2.TimeoutException):
            return LmSlowError(self._sentence("did not answer in time."))
        if isinstance(error, httpx2.ConnectError):
            return self.busy(f"cannot be reached: {_short(str(error))}")
        if isinstance(error, httpx2.UnsupportedProtocol | httpx2.TooManyRedirects):
            return self.wrong(f"cannot be asked: {_short(str(error))}")
        return self.busy(f"broke the connection: {_short(str(error))}")

    def _of_status(self, response: httpx2.Response, body: object) -> LmError:
        status = response.status_code
        detail = self.clean(said_in(body))
        what = f"answered {status}: {_short(detail)}"
        if status in {401, 403} and self.key_env:
            return self.wrong(f"{what} Check the key in {self.key_env}.")
        if status in CANNOT_TAKE:
            blamed = body.get("param") if isinstance(body, Mapping) else None
            return RefusedError(self._sentence(what), detail, blamed if isinstance(blamed, str) else "")
        empty = status == 429 and any(word in json.dumps(body).casefold() for word in NO_WAITING_HELPS)
        if status in MAY_PASS and not empty:
            return self.busy(what, seconds_to_wait(response.headers))
        return self.wrong(what)


class Bounded(httpx2.SyncByteStream):
    """The bytes of a body, read until a deadline: a server that drips never breaks a limit on single reads."""

    def __init__(self, inner: httpx2.SyncByteStream, deadline: float) -> None:
        self._inner = inner
        self._deadline = deadline

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._inner:
            if monotonic() > self._deadline:
                raise httpx2.ReadTimeout("The reply took too long.")
            yield piece

    def close(self) -> None:
        """Close the body."""
        self._inner.close()


def patient_client(timeout: float) -> httpx2.Client:
    """A pool of connections for many threads.

    timeout: seconds that a whole reply may take; a stream may take STREAM_PATIENCE times as long
    """

    def bound(response: httpx2.Response) -> None:
        streams = response.headers.get("content-type", "").startswith("text/event-stream")
        seconds = min(timeout * STREAM_PATIENCE if streams else timeout, left())
        if isinstance(response.stream, httpx2.SyncByteStream):
            response.stream = Bounded(response.stream, monotonic() + seconds)

    return httpx2.Client(
        timeout=patience(timeout),
        limits=httpx2.Limits(max_connections=POOL, max_keepalive_connections=POOL),
        event_hooks={"response": [bound]},
        follow_redirects=True,
    )


def patience(timeout: float) -> httpx2.Timeout:
    """How long a request may take that begins now: so many seconds, or what is left around it."""
    seconds = max(_LEAST, min(timeout, left()))
    return httpx2.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS))


def mapping(value: object) -> Mapping[str, object]:
    """The value where it is a JSON object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def items(value: object) -> list[object]:
    """The value where it is a JSON list, else an empty one."""
    return value if isinstance(value, list) else []


def json_of(place: Place, response: httpx2.Response) -> dict[str, object]:
    """The body of a reply as a JSON object. Raises LmError."""
    kind = response.headers.get("content-type", "application/json")
    if "html" in kind:
        raise place.wrong(f"sent a web page ({kind}), not a reply: is {place.url} the address of its API?")
    body = place.attempt(lambda: read_json(response.text))
    if not isinstance(body, dict):
        raise place.busy("sent JSON that is not a reply.")
    if body.get("error"):
        raise place.of_error(body["error"])
    return body


def unstreamed(place: Place, response: httpx2.Response) -> dict[str, object] | None:
    """The whole reply of a server that does not stream although it was asked to; None where it does."""
    kind = response.headers.get("content-type", "")
    if not kind.startswith("application/json") and "html" not in kind:
        return None
    place.attempt(response.read)
    return json_of(place, response)


def events_of(place: Place, stream: Iterator[object]) -> Iterator[dict[str, object]]:
    """The events of a stream as JSON objects. Raises LmError, also in the middle."""
    while (event := place.attempt(lambda: next(stream, None))) is not None:
        if not isinstance(event, dict):
            raise place.busy("sent an event that is not a JSON object.")
        if event.get("error"):
            raise place.of_error(event["error"])
        yield event


def checked_url(url: str) -> str:
    """The address of a server. Raises UsageError where it is none."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise UsageError(f"{url!r} is not the address of a server; one is http://localhost:8000/v1.")
    return url


def key_from(name: str) -> str:
    """The key that an environment variable holds, or "". Raises UsageError where it cannot go into a header."""
    key = os.environ.get(name, "").strip()
    if not key.isascii() or not key.isprintable():
        raise UsageError(f"What {name} holds is no key: it has letters that no key has.")
    return key


def seconds_to_wait(headers: Mapping[str, str]) -> float | None:
    """What `Retry-After` asks for, in seconds from now: a number or an HTTP date (RFC 9110, section 10.2.3)."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        if (text := headers.get(name)) is None:
            continue
        try:
            seconds = float(text) / unit
        except ValueError:
            seconds = _until(text)
        if math.isfinite(seconds):
            return max(0.0, seconds)
    return None


def said_in(body: object) -> str:
    """The words in an error's body: servers put them under one of a few names, or send plain text."""
    if isinstance(body, Mapping):
        for name in ("message", "detail", "error", "msg"):
            if body.get(name):
                return said_in(body[name])
    return body if isinstance(body, str) else json.dumps(body, default=str)


def _until(date: str) -> float:
    try:
        return parsedate_to_datetime(date).timestamp() - time()
    except ValueError:
        return math.nan


def _short(text: str) -> str:
    line = re.sub(r"\s+", " ", text).strip()
    return line if len(line) <= SHOWN else line[:SHOWN] + "…"
