"""Downloads that go on where they broke.

The bytes so far stay in `PLACE.part`, and what the server said of its version of the file in `PLACE.part.version`.
The next attempt, in this process or in a later one, asks for the rest only (RFC 9110, section 14), and starts anew
where the server has another version by now or does not give parts.
"""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from graphtalk.core import SourceError

if TYPE_CHECKING:
    import httpx2

ATTEMPTS = 4  # in a row without a byte
_CONNECT_SECONDS = 15.0
_READ_SECONDS = 60.0
_PAUSE_SECONDS = 0.25  # doubled with each attempt in a row without a byte

Advance: TypeAlias = Callable[[int], None]
Bar: TypeAlias = Callable[[str, str, int | None], AbstractContextManager[Advance]]
"""`bar(what, unit, total)` shows a progress bar, and gives the function to call with how many more are done."""


def no_bar(what: str, unit: str, total: int | None) -> AbstractContextManager[Advance]:
    """A progress bar that nobody sees."""
    return nullcontext(lambda _: None)


class _Cut(Exception):
    """A connection broke or a server is busy: the rest may be had later."""


def download(url: str, place: Path, most: int, bar: Bar = no_bar, pause: float = _PAUSE_SECONDS) -> None:
    """The file at `url`, written to `place`, at most so many bytes.

    Raises SourceError, naming the address, where it cannot be had; what was got so far stays for the next time.
    """
    import httpx2  # slow to import, and no question needs it

    timeout = httpx2.Timeout(_READ_SECONDS, connect=_CONNECT_SECONDS)
    failures = 0
    with httpx2.Client(timeout=timeout, follow_redirects=True) as client:
        while True:
            before = _size(place)
            try:
                _attempt(client, url, place, most, bar)
                return
            except (httpx2.TransportError, _Cut) as error:
                failures = 0 if _size(place) > before else failures + 1
                if failures >= ATTEMPTS:
                    raise SourceError(f"cannot be downloaded: {error}. {_advice(place)}", url) from error
                time.sleep(pause * 2**failures)
            except httpx2.HTTPError as error:
                raise SourceError(f"cannot be downloaded: {error}.", url) from error


def _advice(place: Path) -> str:
    kept = _size(place)
    return f"{kept:,} bytes are kept; the same command goes on from there." if kept else "Is there a network?"


def _part(place: Path) -> Path:
    return place.with_name(f"{place.name}.part")


def _size(place: Path) -> int:
    part = _part(place)
    return part.stat().st_size if part.exists() else 0


def _attempt(client: "httpx2.Client", url: str, place: Path, most: int, bar: Bar) -> None:
    part, version = _part(place), place.with_name(f"{place.name}.part.version")
    have, known = _size(place), version.read_text(encoding="utf-8") if version.exists() else ""
    headers = {"Accept-Encoding": "identity"}  # positions are those of the file, not of a compressed form
    if have and known:
        headers |= {"Range": f"bytes={have}-", "If-Range": known}
    with client.stream("GET", url, headers=headers) as response:
        if response.status_code == 416 and have:
            part.unlink()  # the server has fewer bytes by now
            raise _Cut("the server has another version of the file now")
        start = _start(response, url, have)
        if start == 0:
            part.unlink(missing_ok=True)
            version.write_text(_version(response), encoding="utf-8")
        total = _total(response, start)
        if total is not None and total > most:
            raise SourceError(f"has {total:,} bytes, more than the {most:,} that are expected.", url)
        with bar(f"downloading {place.name}", "bytes", total) as advance, part.open("ab") as out:
            advance(start)
            for chunk in response.iter_raw():
                out.write(chunk)
                advance(len(chunk))
                if out.tell() > most:
                    break
    _check_whole(place, url, total, most)
    part.replace(place)
    version.unlink(missing_ok=True)


def _check_whole(place: Path, url: str, total: int | None, most: int) -> None:
    got = _size(place)
    if got > most or (total is not None and got > total):
        _part(place).unlink()
        raise SourceError(f"sends more than the {min(most, total or most):,} bytes that are expected.", url)
    if total is not None and got < total:
        raise _Cut(f"the connection broke after {got:,} of {total:,} bytes")


def _start(response: "httpx2.Response", url: str, have: int) -> int:
    """From which byte on the server sends. Raises SourceError, or _Cut where it may be asked again."""
    status = response.status_code
    if status == 206 and response.headers.get("content-range", "").startswith(f"bytes {have}-"):
        return have
    if status == 200:
        return 0
    if status in (408, 425, 429) or status >= 500:
        raise _Cut(f"the server answered {status}")
    raise SourceError(f"the server answered {status} {response.reason_phrase}.", url)


def _version(response: "httpx2.Response") -> str:
    """What names this version of the file to the server: a strong entity tag, or the time of the last change."""
    tag = response.headers.get("etag", "")
    return tag if tag and not tag.startswith("W/") else response.headers.get("last-modified", "")


def _total(response: "httpx2.Response", start: int) -> int | None:
    length = response.headers.get("content-length", "")
    return start + int(length) if length.isdigit() else None
