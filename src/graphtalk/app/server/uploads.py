"""Graphs from files that people drop on the page: imported in a process of its own, kept, and served from then on.

A file is data: only formats that hold all that they say are taken, for a recipe or a database may name other files and
addresses. What an import needs of memory and time is bounded, and a broken one leaves nothing behind.
"""

import asyncio
import re
import resource
import sys
import tarfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory

from anyio.to_thread import run_sync
from fastapi import APIRouter, Request

from graphtalk.app import stores
from graphtalk.app.server.problems import ProblemError, without_places
from graphtalk.app.server.schemas import GraphSummary
from graphtalk.app.server.workers import Workers
from graphtalk.app.shelf import Shelf
from graphtalk.graphs import GraphSet

KINDS = frozenset(
    ".adjlist .csv .dot .gexf .gml .graph6 .graphml .json .jsonl .mtx .net .nq .nt .parquet .rdf .tsv .ttl .txt .xlsx".split()
)
ARCHIVES = frozenset([".tar", ".zip"])
NAME = re.compile(r"[\w.-]{1,100}")
FILE = re.compile(r"[\w. ()-]{1,200}")
MOST_MEMORY = 8 << 30  # bytes that the process that imports may map, on Linux
MOST_SECONDS = 300
_MOST_SAID = 2_000  # characters of why an import failed


@dataclass
class Uploads:
    """The folder of the stores that were made of uploads, and the shelf that they go to."""

    folder: Path
    shelf: Shelf
    workers: Workers
    _alone: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def add(self, name: str, file: str, body: bytes) -> GraphSummary:
        """Import what a file holds and serve it. Raises ProblemError where it cannot be read, or the name is taken."""
        if not NAME.fullmatch(name) or name.startswith("."):
            raise ProblemError(422, "A graph's name has letters, digits, dots, dashes and underscores alone.")
        if not FILE.fullmatch(file) or file.startswith("."):
            raise ProblemError(422, f"The file's name {file[:200]!r} cannot be used here: rename it.")
        _check_kind(file, KINDS | ARCHIVES)
        async with self._alone:
            if self.shelf.offers(name) or (self.folder / f"{name}.gt").exists():
                raise ProblemError(409, f"There is a graph {name!r} already. Give this one another name.")
            with TemporaryDirectory(prefix="graphtalk-upload-") as scratch:
                source = Path(scratch) / file
                await run_sync(source.write_bytes, body)
                if source.suffix.lower() in ARCHIVES:
                    await run_sync(_check_members, source)
                await self._imported(source, self.folder / f"{name}.gt")
            graph = await run_sync(stores.open_named, str(self.folder / f"{name}.gt"))
            self.shelf.add(name, graph)
            await run_sync(self.workers.renew)
        union = self.shelf.union(name)
        count = len(graph) if isinstance(graph, GraphSet) else 1
        return GraphSummary(name=name, nodes=union.num_nodes, edges=union.num_edges, graphs=count)

    async def _imported(self, source: Path, store: Path) -> None:
        """Run `graphtalk import`, which leaves no half of a store. Raises ProblemError with what it complains of."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        command = (sys.executable, "-m", "graphtalk", "import", str(source), "-o", str(store))
        limit = ("--timeout", str(MOST_SECONDS))
        started = await asyncio.create_subprocess_exec(
            *command,
            *limit,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        if sys.platform == "linux":
            resource.prlimit(started.pid, resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        try:
            _, said = await asyncio.wait_for(started.communicate(), MOST_SECONDS + 10)
        except (TimeoutError, asyncio.CancelledError):
            started.kill()
            raise
        if started.returncode:
            told = said.decode("utf-8", "replace").replace(str(source.parent) + "/", "").strip()
            lines = [
                line for line in told.splitlines() if not line.startswith("--")
            ]  # options that nobody has here
            told = "\n".join(lines).removeprefix("graphtalk: ")
            raise ProblemError(422, without_places(told[-_MOST_SAID:]) or "The import was ended.")


def router(uploads: Uploads) -> APIRouter:
    """The route that takes files."""
    routes = APIRouter(tags=["graphs"])

    @routes.post("/v1/graphs", status_code=201, openapi_extra={"requestBody": _BODY})
    async def add(name: str, file: str, request: Request) -> GraphSummary:
        """Import a file, whose bytes are the body and which is called `file`, as a graph called `name`."""
        return await uploads.add(name, file, await request.body())

    return routes


_BODY = {
    "required": True,
    "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
}


def _check_kind(file: str, kinds: frozenset[str]) -> None:
    if PurePath(file).suffix.lower() not in kinds:
        known = ", ".join(sorted(kind[1:] for kind in kinds))
        raise ProblemError(415, f"Files like {file[:200]!r} are not taken here. These are: {known}.")


def _check_members(archive: Path) -> None:
    """Look at what an archive holds. Raises ProblemError for files of other kinds, and where it is no archive."""
    try:
        if archive.suffix.lower() == ".zip":
            with zipfile.ZipFile(archive) as zipped:
                names = [member.filename for member in zipped.infolist() if not member.is_dir()]
        else:
            with tarfile.open(archive) as tarred:
                names = [member.name for member in tarred if not member.isdir()]
    except (zipfile.BadZipFile, tarfile.TarError, OSError, EOFError):
        raise ProblemError(422, f"{archive.name} is no archive that can be read.") from None
    for name in names:
        _check_kind(name, KINDS)
