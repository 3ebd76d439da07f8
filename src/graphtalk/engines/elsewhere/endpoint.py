"""A SPARQL endpoint over HTTP: `sparql+https://host/path`. Queries are posted to it and nothing else."""

import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx2

from graphtalk.core.limits import look
from graphtalk.core.reading import read_json
from graphtalk.engines.elsewhere.protocol import EngineError
from graphtalk.engines.elsewhere.sparql import Row, SparqlBackend, Value

CONNECT_SECONDS = 10.0
SECONDS = 60.0
"""For one query, to its last byte."""
MOST_BYTES = 256 << 20
"""Of one reply, and so many for each row that was asked for: who sends more does not keep to the limit."""
_BYTES_A_ROW = 2_000
_FORM = "application/sparql-results+json"


def endpoint_backend(
    url: str, user: str = "", password: str | None = None, language: str = "en"
) -> SparqlBackend:
    """The backend for an endpoint at this http or https URL."""
    place = urlsplit(url).netloc
    auth = (user, password or "") if user else None
    client = httpx2.Client(auth=auth)

    def ask(sparql: str, most: int) -> Iterator[Row]:
        rows = _rows(
            _read(client, url, place, sparql, min(MOST_BYTES, (1 << 20) + most * _BYTES_A_ROW)), place
        )
        if len(rows) > most:
            raise EngineError(f"{place} gave {len(rows):,} rows where at most {most:,} were asked for.")
        return iter(rows)

    return SparqlBackend(place, url, ask, language, end=client.close)


def _read(client: httpx2.Client, url: str, place: str, sparql: str, most: int) -> bytes:
    """The reply to a query, read within the limits of time and size."""
    until = time.monotonic() + SECONDS
    patience = httpx2.Timeout(SECONDS, connect=min(SECONDS, CONNECT_SECONDS))
    accept = {"Accept": _FORM}
    parts: list[bytes] = []
    size = 0
    try:
        with client.stream("POST", url, data={"query": sparql}, headers=accept, timeout=patience) as reply:
            for part in reply.iter_bytes():
                look()
                parts.append(part)
                size += len(part)
                if size > most:
                    raise EngineError(f"{place} gave more than {most >> 20} MB, more than was asked for.")
                if time.monotonic() > until:
                    raise EngineError(f"{place} took more than {SECONDS:g} seconds for one query.")
            if reply.status_code != 200:
                said = " ".join(b"".join(parts)[:300].decode("utf-8", "replace").split())
                raise EngineError(f"{place} answered {reply.status_code}: {said or 'nothing more'}")
    except httpx2.TimeoutException:
        raise EngineError(f"{place} did not answer within {SECONDS:g} seconds.") from None
    except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
        raise EngineError(
            f"{place} could not be asked: {' '.join(str(error).split())[:200] or type(error).__name__}."
        ) from None
    return b"".join(parts)


def _rows(text: bytes, place: str) -> list[Row]:
    try:
        found = read_json(text)
        return [
            Row({name: _value(term) for name, term in row.items()}) for row in found["results"]["bindings"]
        ]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise EngineError(f"{place} gave no results of SPARQL in JSON.") from None


def _value(term: dict[str, str]) -> Value:
    if term["type"] == "uri":
        return Value("iri", str(term["value"]))
    if term["type"] == "bnode":
        return Value("blank", str(term["value"]))
    return Value("literal", str(term["value"]), str(term.get("datatype", "")), str(term.get("xml:lang", "")))
