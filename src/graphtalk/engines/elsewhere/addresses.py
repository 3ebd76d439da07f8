"""Addresses of graphs that live elsewhere: `ladybug:///films.lbug`, `bolt://me@host:7687/films`.

A password never stands in an address, which shells, logs and process lists keep: it comes from `GRAPHTALK_PASSWORD`, or
from the file that `GRAPHTALK_PASSWORD_FILE` names.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit

from graphtalk.core import UsageError, choices
from graphtalk.engines.elsewhere.graph import Elsewhere
from graphtalk.engines.elsewhere.names import open_elsewhere
from graphtalk.engines.elsewhere.protocol import Backend

PASSWORD, PASSWORD_FILE = "GRAPHTALK_PASSWORD", "GRAPHTALK_PASSWORD_FILE"


@dataclass(frozen=True)
class Address:
    """An address taken apart. `text` is what people may see of it; `options` follow a question mark."""

    text: str
    scheme: str
    host: str
    user: str
    path: str
    options: Mapping[str, str]

    @property
    def file(self) -> Path:
        """The path as that of a file: from the root where there is such a file, else from the working folder (or `~`)."""
        inside = self.path.lstrip("/")
        whole = Path("/") / inside
        return whole if whole.exists() else Path(inside).expanduser()

    @property
    def identity(self) -> str:
        """The same for every way to write the address."""
        place = self.text if self.host else f"{self.scheme}:{self.file.resolve()}"
        return " ".join([place, *(f"{key}={value}" for key, value in sorted(self.options.items()))])

    @property
    def mapping(self) -> Path | None:
        """The file that says which tables are nodes and which are edges. Raises UsageError where there is none."""
        named = self.options.get("mapping")
        if named is None:
            return None
        path = Path(named).expanduser()
        if not path.is_file():
            raise UsageError(f"mapping={named}: there is no such file.")
        return path

    @property
    def name(self) -> str:
        """What the graph is called: the last part of its path, else the host."""
        return Path(self.path).stem or self.host or self.scheme


def is_address(name: str) -> bool:
    """Whether a graph is named by an address of an engine: `scheme://…`."""
    return "://" in name and name.partition("://")[0] in _BACKENDS


def open_address(text: str, refresh: bool = False) -> Elsewhere:
    """The graph at an address; `refresh` reads its schema and names again.

    Raises UsageError for an address that cannot be, EngineError where the engine cannot be asked.
    """
    address = read_address(text)
    backend = _BACKENDS[address.scheme](address)
    return open_elsewhere(backend, address.identity, address.text, address.name, _state(address), refresh)


def read_address(text: str) -> Address:
    """An address taken apart. Raises UsageError; the message does not hold what may be a password."""
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError as error:
        raise UsageError(f"The address cannot be read: {error}.") from None
    if parts.scheme not in _BACKENDS:
        raise UsageError(
            f"No engine {parts.scheme!r} is asked where it is. {choices(parts.scheme, _BACKENDS, most=len(_BACKENDS))} "
            "What else there is can be imported: graphtalk import --help."
        )
    options = dict(parse_qsl(parts.query))
    if parts.password is not None or any("password" in name.casefold() for name in options):
        raise UsageError(
            f"{_shown(parts)}: leave the password out of the address, which logs and shells keep. Set {PASSWORD}, or "
            f"{PASSWORD_FILE} to a file that holds it."
        )
    user = unquote(parts.username or "")
    place = parts.netloc.rpartition("@")[2]
    return Address(text, parts.scheme, place, user, unquote(parts.path), options)


def password() -> str | None:
    """The password from the environment or a file; None where neither is said. Raises UsageError."""
    said = os.environ.get(PASSWORD)
    named = os.environ.get(PASSWORD_FILE)
    if said is not None or not named:
        return said
    try:
        return Path(named).expanduser().read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError):
        raise UsageError(f"{PASSWORD_FILE}: {named} cannot be read.") from None


def _shown(parts: SplitResult) -> str:
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _state(address: Address) -> str:
    """What changes where a file that an address names does."""
    if address.host:
        return ""
    try:
        found = [address.file, *(Path(value) for name, value in address.options.items() if name == "mapping")]
        return " ".join(f"{stat.st_size} {stat.st_mtime_ns}" for stat in (file.stat() for file in found))
    except OSError:
        return ""


def _ladybug(address: Address) -> Backend:
    from graphtalk.engines.elsewhere.ladybug import LadybugBackend

    return LadybugBackend(address.file)


def _duckdb(address: Address) -> Backend:
    _need_sqlglot()
    from graphtalk.engines.elsewhere.duckdb import DuckdbBackend

    return DuckdbBackend(address.file, address.mapping, address.options.get("folder", ""))


def _spark(address: Address) -> Backend:
    _need_sqlglot()
    from graphtalk.engines.elsewhere.spark import SparkBackend

    master = f"spark://{address.host}" if address.host else ""
    return SparkBackend(address.file, master, address.options.get("folder", ""))


def _oxigraph(address: Address) -> Backend:
    from graphtalk.engines.elsewhere.oxigraph import oxigraph_backend

    return oxigraph_backend(address.file, address.options.get("lang", "en"))


def _endpoint(address: Address) -> Backend:
    from graphtalk.engines.elsewhere.endpoint import endpoint_backend

    url = f"{address.scheme.removeprefix('sparql+')}://{address.host}{quote(address.path)}"
    return endpoint_backend(url, address.user, password(), address.options.get("lang", "en"))


def _bolt(address: Address) -> Backend:
    from graphtalk.engines.elsewhere.bolt import BoltBackend

    url = f"{address.scheme}://{address.host}"
    return BoltBackend(url, address.path.strip("/"), address.user, password())


def _postgres(address: Address) -> Backend:
    _need_sqlglot()
    from graphtalk.engines.elsewhere.postgres import PostgresBackend

    return PostgresBackend(address.host, address.path.strip("/"), address.user, password(), address.mapping)


def _need_sqlglot() -> None:
    if find_spec("sqlglot") is None:
        raise UsageError('sqlglot is not installed: python -m pip install "graphtalk[sql]".')


_BACKENDS: Mapping[str, Callable[[Address], Backend]] = {
    "ladybug": _ladybug,
    "duckdb": _duckdb,
    **dict.fromkeys(("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc"), _bolt),
    "spark": _spark,
    "postgresql": _postgres,
    "postgres": _postgres,
    "oxigraph": _oxigraph,
    "sparql+http": _endpoint,
    "sparql+https": _endpoint,
}
"""The engine of each scheme. What an engine needs is imported when it is asked."""
