"""Reading graphs from files: which format, which files, what happens to bad rows."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa

from graphtalk.core import SourceError, UsageError
from graphtalk.core.reading import refusing
from graphtalk.graphs.derive import derive
from graphtalk.graphs.formats import tabular
from graphtalk.graphs.formats.registry import FORMATS, Format, format_called, sniff_format
from graphtalk.graphs.formats.tables import files_of, inside_of, read_recipe
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.graph_set import GraphSet
from graphtalk.graphs.importing import Importing, Missing, OnError, Progress, Rejects, Silent
from graphtalk.graphs.note import NOTE_FILE, noted, restored
from graphtalk.graphs.recipe import RECIPE_FILE, Recipe, load_recipe
from graphtalk.graphs.sources import Database, local
from graphtalk.graphs.tabular import Plan

__all__ = ["Missing", "OnError", "Progress", "explain_graph", "read_graph"]

_PROSE = ("readme", "license", "licence", "changelog", "notice", "copying")


def read_graph(
    sources: Sequence[Path | str],
    *,
    format: str | None = None,
    recipe: Recipe | str | Path | None = None,
    on_error: OnError = "stop",
    missing: Missing = "stop",
    report: Path | None = None,
    progress: Progress | None = None,
    name: str = "",
    known: pa.ChunkedArray | None = None,
) -> Graph | GraphSet:
    """The graph in files, folders or archives, or at addresses (`https://…`, or a database's as SQLAlchemy has it).

    Without `format` or `recipe` the format is told from the sources. A recipe is given as such, by name or by path;
    one that lies in a folder beside the data is another's word, and applied only where it is given. With
    `on_error="skip"` bad rows are left out, counted in `progress.skipped` and listed in the file `report`; otherwise
    the first one raises SourceError. `missing` says what becomes of edges to nodes that are not there: `skip` leaves
    them out, `add` makes the nodes; otherwise they are bad rows. `known` are the ids of a graph that these files change:
    their edges may name its nodes.
    """
    if format and recipe:
        raise UsageError("Give a format or a recipe, not both.")
    if recipe is not None and not isinstance(recipe, Recipe):
        recipe = load_recipe(recipe)
    importing = Importing(
        Rejects(on_error, missing, known=known), progress or Silent(), name or _name(sources, recipe)
    )
    with _opened(sources) as paths:
        graph = _read_all(paths, format, recipe, importing)
    if importing.rejects.rows:
        if report is not None:
            importing.rejects.write(report)
        importing.progress.skipped(dict(importing.rejects.reasons), report)
    if importing.rejects.notes:
        importing.progress.noted(importing.rejects.notes)
    return graph


@dataclass(frozen=True)
class Explained:
    """How sources would be read: a plan where they are tables, else the graph that they are. `notes` say what is in doubt."""

    format: str
    found: Plan | Graph | GraphSet
    notes: tuple[str, ...]


def explain_graph(
    sources: Sequence[Path | str],
    *,
    format: str | None = None,
    progress: Progress | None = None,
    name: str = "",
) -> Explained:
    """How the sources would be read, and why; nothing is written. Raises as `read_graph`."""
    importing = Importing(Rejects(missing="skip"), progress or Silent(), name or _name(sources, None))
    with _opened(sources) as paths:
        if any(isinstance(path, Database) for path in paths):
            told = _database(paths, importing).plan
            return Explained(
                "database",
                told,
                tuple(dict.fromkeys((*importing.rejects.notes, *told.notes, *map(str, told.faults)))),
            )
        files, chosen = _chosen(paths, format, importing)
        found: Plan | Graph | GraphSet
        if chosen.name in ("tables", "delimited") and tabular.has_headers(files):
            found = tabular.planned(files, importing).plan
            notes = [*importing.rejects.notes, *found.notes, *map(str, found.faults)]
        else:
            found = chosen.read(files, importing)
            notes = importing.rejects.notes
    return Explained(chosen.name, found, tuple(dict.fromkeys(notes)))


@contextmanager
def _opened(sources: Sequence[Path | str]) -> Iterator[list[Path | Database]]:
    """The sources on this machine. What goes wrong while they are read is told with their names."""
    if not sources:
        raise UsageError("Nothing to import: give at least one file or folder.")
    place = ", ".join(Database(str(source)).shown for source in sources)
    with local(sources) as paths:
        try:
            with refusing(lambda words: SourceError(f"cannot be read: {words}.", place)):
                yield paths
        except SourceError as error:
            raise _told(error, place, paths, sources) from error.__cause__


def _told(
    error: SourceError, place: str, paths: Sequence[Path | Database], sources: Sequence[Path | str]
) -> SourceError:
    """An error with the names that were given: of archives and addresses rather than of where they were unpacked."""
    words, named = str(error), bool(error.file)
    for path, source in zip(paths, sources, strict=True):
        if isinstance(path, Path) and str(path) != str(source) and str(path) in words:
            words, named = words.replace(str(path), str(source)), True
        named |= str(source) in words
    told = SourceError(words, "" if named else place)
    told.file, told.line = error.file or place, error.line
    return told


def _read_all(
    paths: Sequence[Path | Database], format: str | None, recipe: Recipe | None, importing: Importing
) -> Graph | GraphSet:
    if recipe is not None:
        files = [path for path in paths if isinstance(path, Path)]
        importing.progress.start(_bytes(files_of(recipe, files)))
        return derive(read_recipe(recipe, files, importing), recipe.derived)
    for own in (
        path / RECIPE_FILE for path in paths if isinstance(path, Path) and (path / RECIPE_FILE).is_file()
    ):
        importing.rejects.note(
            f"{own} is not applied: a recipe that comes with data is, where you say so: --recipe {own}"
        )
    if any(isinstance(path, Database) for path in paths):
        return _database(paths, importing).graph(importing)
    files, chosen = _chosen(paths, format, importing)
    known = noted([*files, *(path / NOTE_FILE for path in paths if isinstance(path, Path))])
    graph = chosen.read(files, replace(importing, noted=known is not None))
    return restored(graph, known) if known is not None and isinstance(graph, Graph) else graph


def _database(paths: Sequence[Path | Database], importing: Importing) -> tabular.Planned:
    from graphtalk.graphs.formats import database_url

    if len(paths) > 1 or not isinstance(paths[0], Database):
        raise SourceError("databases are read one at a time, and not together with files.")
    return database_url.planned(paths[0], importing)


def _chosen(
    paths: Sequence[Path | Database], format: str | None, importing: Importing
) -> tuple[list[Path], Format]:
    """The files to read, and what reads them."""
    here = [path for path in paths if isinstance(path, Path)]
    chosen = format_called(format) if format else _sniffed(here)
    files = _files(here, chosen)
    importing.progress.start(_bytes(files))
    return files, chosen


def _name(sources: Sequence[Path | str], recipe: Recipe | None) -> str:
    """What the graph is called where nobody says: as the recipe, the one file or folder, or the folder of several."""
    if recipe is not None and recipe.name != Path(RECIPE_FILE).stem:
        return recipe.name
    if not sources:
        return "graph"
    path = Path(str(sources[0]).partition("?")[0])
    if len(sources) > 1:
        path = path.parent
    return (path.name if "://" in str(sources[0]) else path.resolve().name).split(".")[0] or "graph"


def _sniffed(paths: Sequence[Path]) -> Format:
    for path in paths:
        found = sniff_format(path)
        if found is None and path.is_dir():
            found = next(
                (f for p in sorted(path.iterdir()) if not _aside(p) and (f := sniff_format(p))), None
            )
        if found is not None:
            return found
    names = ", ".join(FORMATS)
    raise SourceError(
        f"the format cannot be told from its name or content. Say which: {names}.", str(paths[0])
    )


def _files(paths: Sequence[Path], chosen: Format) -> list[Path]:
    """What the format reads: sources that fit it as they are, and of other folders the files that do."""
    files: list[Path] = []
    for path in paths:
        if not path.is_dir() or chosen.fits(path):
            files.append(path)
            continue
        inside = [inside_of(path, p) for p in sorted(path.iterdir()) if p.is_file() and not _aside(p)]
        fitting = chosen.of_folder(inside)
        whole = [p for p in fitting if p.name.split(".")[0] in ("nodes", "edges")]
        is_pair = len({p.name.split(".")[0] for p in whole}) == 2
        files += whole if is_pair else tabular.without_prose(fitting)
    if not files:
        raise SourceError(f"no {chosen.name} files in this folder.", str(paths[0]))
    return files


def _aside(path: Path) -> bool:
    """Whether a file of a folder is none of its data."""
    return path.name.startswith(".") or path.name.lower().split(".")[0] in _PROSE


def _bytes(files: Sequence[Path]) -> int:
    return sum(p.stat().st_size for f in files for p in ([f] if f.is_file() else f.rglob("*")) if p.is_file())
