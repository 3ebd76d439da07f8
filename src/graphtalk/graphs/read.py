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
from graphtalk.graphs.formats.files import COMPRESSIONS
from graphtalk.graphs.formats.registry import Format, format_called, formats, sniff_format
from graphtalk.graphs.formats.tables import PARQUET, files_of, inside_of, read_recipe
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.graph_set import GraphSet
from graphtalk.graphs.importing import Importing, Missing, OnError, Progress, Rejects, Silent
from graphtalk.graphs.note import NOTE_FILE, noted
from graphtalk.graphs.recipe import RECIPE_FILE, Recipe, load_recipe
from graphtalk.graphs.restoring import restored
from graphtalk.graphs.sources import Database, local
from graphtalk.graphs.spill import Spill, needed
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
    known_types: Sequence[str] | None = None,
    spill: Spill | None = None,
) -> Graph | GraphSet:
    """The graph in files, folders or archives, or at addresses (`https://…`, or a database's as SQLAlchemy has it).

    Without `format` or `recipe` the format is told from the sources. A recipe is given as such, by name or by path;
    one that lies in a folder beside the data is another's word, and applied only where it is given. With
    `on_error="skip"` bad rows are left out, counted in `progress.skipped` and listed in the file `report`; otherwise
    the first one raises SourceError. `missing` says what becomes of edges to nodes that are not there: `skip` leaves
    them out, `add` makes the nodes; otherwise they are bad rows. `known` are the ids of a graph that these files change,
    `known_types` its node types: edges may name its nodes, and no node is of a type that only a file's name says.
    Tables that take more memory than `spill` has are kept in its files, as is the graph then.
    """
    if format and recipe:
        raise UsageError("Give a format or a recipe, not both.")
    if recipe is not None and not isinstance(recipe, Recipe):
        recipe = load_recipe(recipe)
    importing = Importing(
        Rejects(on_error, missing, known=known),
        progress or Silent(),
        name or _name(sources, recipe),
        types=None if known_types is None else tuple(known_types),
        spill=spill,
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
            told = _planned(paths, importing).plan
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
    told.file, told.line, told.row = error.file or place, error.line, error.row
    return told


def _read_all(
    paths: Sequence[Path | Database], format: str | None, recipe: Recipe | None, importing: Importing
) -> Graph | GraphSet:
    databases = any(isinstance(path, Database) for path in paths)
    if recipe is not None and databases:
        from graphtalk.graphs.formats import database_url

        return derive(database_url.read_by(recipe, _database(paths), importing), recipe.derived)
    if recipe is not None:
        files = [path for path in paths if isinstance(path, Path)]
        read = files_of(recipe, files)
        importing.progress.start(_bytes(read))
        return derive(read_recipe(recipe, files, _spilling(importing, read)), recipe.derived)
    for own in (
        path / RECIPE_FILE for path in paths if isinstance(path, Path) and (path / RECIPE_FILE).is_file()
    ):
        importing.rejects.note(
            f"{own} is not applied: a recipe that comes with data is, where you say so: --recipe {own}"
        )
    if databases:
        return _planned(paths, importing).graph(importing)
    files, chosen = _chosen(paths, format, importing)
    known = noted([*files, *(path / NOTE_FILE for path in paths if isinstance(path, Path))])
    importing = replace(_spilling(importing, files), noted=known is not None)
    if importing.spill is not None and not (chosen.spills and known is None):
        importing.rejects.note(
            f"{chosen.name} is read into memory whole, which may take more than the bound."
        )
        importing = replace(importing, spill=None)
    graph = chosen.read(files, importing)
    return restored(graph, known) if known is not None and isinstance(graph, Graph) else graph


def _spilling(importing: Importing, files: Sequence[Path]) -> Importing:
    """How to import files: in memory where they fit there."""
    spill = importing.spill
    if spill is None or needed(files, (*COMPRESSIONS, *PARQUET)) <= spill.memory:
        return replace(importing, spill=None)
    return importing


def _planned(paths: Sequence[Path | Database], importing: Importing) -> tabular.Planned:
    from graphtalk.graphs.formats import database_url

    return database_url.planned(_database(paths), importing)


def _database(paths: Sequence[Path | Database]) -> Database:
    if len(paths) > 1 or not isinstance(paths[0], Database):
        raise SourceError("databases are read one at a time, and not together with files.")
    return paths[0]


def _chosen(
    paths: Sequence[Path | Database], format: str | None, importing: Importing
) -> tuple[list[Path], Format]:
    """The files to read, and what reads them."""
    here = [path for path in paths if isinstance(path, Path)]
    chosen = format_called(format) if format else _sniffed(here)
    files = _files(here, chosen)
    for folder in (path for path in here if path.is_dir() and path not in files):
        left = [p.name for p in _inside(folder) if p not in files and sniff_format(p) is not None]
        if left:
            importing.rejects.note(
                f"{folder}: {', '.join(left[:5])}{', …' * (len(left) > 5)} were not read. Give the files themselves to read them too."
            )
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
            told = [(p, f) for p in sorted(path.iterdir()) if not _aside(p) and (f := sniff_format(p))]
            told = told or [(p, f) for p in _inside(path) if (f := sniff_format(p))]
            # beside tables, JSON that is no graph says more likely what they are than what they hold
            told.sort(key=lambda found: found[1].name == "tables" and ".json" in found[0].suffixes)
            found = told[0][1] if told else None
        if found is not None:
            return found
    names = ", ".join(formats())
    raise SourceError(
        f"the format cannot be told from its name or content. {_hint(paths[0]) or f'Say which: {names}.'}",
        str(paths[0]),
    )


# What others write that is not read here, and how it becomes something that is.
_OTHERS = {
    (".ods", ".xls", ".numbers"): "a workbook that is not Excel's .xlsx: save it as .xlsx or .csv.",
    (".pkl", ".pickle", ".gpickle"): "a pickle, which could run code: load it where it was made, and write GraphML, CSV or Parquet.",
    (".feather", ".arrow", ".ipc", ".orc", ".avro"): "columns for other tools: write Parquet instead (pandas: to_parquet).",
    (".yaml", ".yml", ".xml"): "a text that can hold anything: write it as JSON, a list of objects.",
}  # fmt: skip


def _hint(path: Path) -> str:
    return next(
        (f"It seems to be {way}" for endings, way in _OTHERS.items() if path.suffix.lower() in endings), ""
    )


def _files(paths: Sequence[Path], chosen: Format) -> list[Path]:
    """What the format reads: sources that fit it as they are, and of other folders the files that do."""
    files: list[Path] = []
    for path in paths:
        if not path.is_dir() or chosen.fits(path):
            files.append(path)
            continue
        inside = _inside(path)
        fitting = chosen.of_folder(inside)
        whole = [p for p in fitting if p.name.split(".")[0] in ("nodes", "edges")]
        is_pair = len({p.name.split(".")[0] for p in whole}) == 2
        files += whole if is_pair else tabular.without_prose(fitting)
    if not files:
        raise SourceError(f"no {chosen.name} files in this folder.", str(paths[0]))
    return files


def _inside(folder: Path) -> list[Path]:
    """The files of a folder, or where it has none but folders, of these: a table's parts, as Spark writes them."""
    here = [p for p in sorted(folder.iterdir()) if not _aside(p)]
    files = [p for p in here if p.is_file()]
    parts = [] if files else [p for sub in here if sub.is_dir() for p in sorted(sub.iterdir())]
    return [inside_of(folder, p) for p in files or parts if p.is_file() and not _aside(p)]


def _aside(path: Path) -> bool:
    """Whether a file of a folder is none of its data."""
    return path.name.startswith((".", "_SUCCESS")) or path.name.lower().split(".")[0] in _PROSE


def _bytes(files: Sequence[Path]) -> int:
    return sum(p.stat().st_size for f in files for p in ([f] if f.is_file() else f.rglob("*")) if p.is_file())
