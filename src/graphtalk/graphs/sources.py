"""From what a person names to files: an address is fetched, an archive unpacked, within limits, into a scratch folder."""

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import gettempdir
from urllib.parse import unquote, urljoin, urlsplit

from graphtalk.core import SourceError
from graphtalk.graphs.formats.archives import MOST_BYTES, unpack_all
from graphtalk.graphs.scratch import scratch

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_MOST_SECONDS = 600.0  # that a download may take in all
_TIMEOUT = 60.0  # seconds without a byte
_MOST_REDIRECTS = 5
_ZIP, _TAR = (".zip",), (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tbz2", ".txz")


@dataclass(frozen=True)
class Database:
    """The address of a database, as SQLAlchemy takes it. `shown` is the address without a password."""

    url: str

    @property
    def shown(self) -> str:
        """The address as messages may show it."""
        return re.sub(r"(?<=://)([^/@]*?):[^/@]*@", r"\1:…@", self.url)


def is_url(source: str) -> bool:
    """Whether a source is an address rather than a path."""
    return _URL.match(source) is not None


@contextmanager
def local(sources: Sequence[Path | str]) -> Iterator[list[Path | Database]]:
    """The sources as files and folders of this machine, and addresses of databases.

    Raises SourceError where one is not there, cannot be fetched or unpacked, or is larger than it may be.
    """
    texts = [str(source) for source in sources]
    if not any(is_url(text) or _is_archive(text) for text in texts):
        yield [_there(text) for text in texts]
        return
    with scratch(Path(gettempdir()), "graphtalk-sources-") as folder:
        found: list[Path | Database] = []
        for place, text in enumerate(texts):
            inside = folder / str(place)
            inside.mkdir()
            found.append(_local(text, inside))
        yield found


def _local(text: str, folder: Path) -> Path | Database:
    scheme = text.partition("://")[0].lower() if is_url(text) else ""
    if scheme in ("http", "https"):
        path = _fetched(text, folder)
    elif scheme in ("file", "sqlite", "duckdb"):
        path = _there(unquote(text.partition("://")[2]).removeprefix("" if scheme == "file" else "/"))
    elif scheme:
        return Database(text)
    else:
        path = _there(text)
    if not path.is_file() or not _is_archive(path.name):
        return path
    from graphtalk.graphs.formats.registry import sniff_format

    if sniff_format(path) is not None:  # a format of its own, such as a zip of a graph set
        return path
    unpacked = folder / re.sub(r"(\.tar)?\.[A-Za-z0-9]+$", "", path.name)
    unpacked.mkdir(exist_ok=False)
    unpack_all(path, unpacked)
    inner = [p for p in unpacked.iterdir() if not p.name.startswith((".", "__MACOSX"))]
    return inner[0] if len(inner) == 1 and inner[0].is_dir() else unpacked


def _there(text: str) -> Path:
    path = Path(text).expanduser()
    if not path.exists():
        raise SourceError("no such file or folder.", text)
    return path


def _is_archive(name: str) -> bool:
    return name.lower().endswith((*_ZIP, *_TAR))


def _fetched(url: str, folder: Path) -> Path:
    """The file at an address. It is called as the last part of its path, or as the server says."""
    import httpx2  # slow to import

    name = PurePosixPath(unquote(urlsplit(url).path)).name or "graph"
    started, address = time.monotonic(), url
    try:
        with httpx2.Client(timeout=_TIMEOUT) as client:
            for _ in range(_MOST_REDIRECTS):
                with client.stream("GET", address) as response:
                    if response.is_redirect:
                        address = _redirected(address, response.headers.get("location", ""))
                        continue
                    if response.status_code != 200:
                        raise SourceError(
                            f"the server answered {response.status_code} {response.reason_phrase}.", url
                        )
                    place, size = folder / name.replace("/", "_")[-200:], 0
                    with place.open("wb") as out:
                        for chunk in response.iter_bytes():
                            size += out.write(chunk)
                            if size > MOST_BYTES:
                                raise SourceError(f"has more than {MOST_BYTES:,} bytes.", url)
                            if time.monotonic() - started > _MOST_SECONDS:
                                raise SourceError(f"took more than {_MOST_SECONDS:.0f} seconds.", url)
                    return place
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise SourceError(f"cannot be fetched: {error or type(error).__name__}.", url) from error
    raise SourceError(f"leads on to other addresses more than {_MOST_REDIRECTS} times.", url)


def _redirected(address: str, location: str) -> str:
    """Where an address leads on to. Raises SourceError for what is not the web, or less private than before."""
    target = urljoin(address, location)
    before, after = urlsplit(address).scheme.lower(), urlsplit(target).scheme.lower()
    if after not in ("http", "https") or (before == "https" and after != "https"):
        raise SourceError(f"leads on to {target!r}, which is not followed.", address)
    return target
