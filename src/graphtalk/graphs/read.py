"""Reading graphs from files: which format, which files, what happens to bad rows."""

from collections.abc import Sequence
from pathlib import Path

from graphtalk.core import SourceError, UsageError
from graphtalk.core.reading import refusing
from graphtalk.graphs.derive import derive
from graphtalk.graphs.formats.registry import FORMATS, Format, format_called, sniff_format
from graphtalk.graphs.formats.tables import files_of, inside_of, read_recipe
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.graph_set import GraphSet
from graphtalk.graphs.importing import Importing, OnError, Progress, Rejects, Silent
from graphtalk.graphs.note import NOTE_FILE, noted, restored
from graphtalk.graphs.recipe import RECIPE_FILE, Recipe, load_recipe

__all__ = ["OnError", "Progress", "read_graph"]


def read_graph(
    sources: Sequence[Path | str],
    *,
    format: str | None = None,
    recipe: Recipe | str | Path | None = None,
    on_error: OnError = "stop",
    report: Path | None = None,
    progress: Progress | None = None,
    name: str = "",
) -> Graph | GraphSet:
    """The graph in files or folders.

    Without `format` or `recipe` the format is told from the sources. A recipe is given as such, by name or by path;
    one that lies in a folder beside the data is another's word, and applied only where it is given. With
    `on_error="skip"` bad rows are left out, counted in `progress.skipped` and listed in the file `report`; otherwise
    the first one raises SourceError.
    """
    if format and recipe:
        raise UsageError("Give a format or a recipe, not both.")
    paths = [Path(source).expanduser() for source in sources]
    _check_sources(paths)
    if recipe is not None and not isinstance(recipe, Recipe):
        recipe = load_recipe(recipe)
    importing = Importing(Rejects(on_error), progress or Silent(), name or _name(paths, recipe))
    place = ", ".join(map(str, paths))
    try:
        with refusing(lambda words: SourceError(f"cannot be read: {words}.", place)):
            graph = _read_all(paths, format, recipe, importing)
    except SourceError as error:
        if error.file or any(str(path) in str(error) for path in paths):
            raise
        raise SourceError(str(error), place) from error.__cause__
    if importing.rejects.rows:
        if report is not None:
            importing.rejects.write(report)
        importing.progress.skipped(dict(importing.rejects.reasons), report)
    if importing.rejects.notes:
        importing.progress.noted(importing.rejects.notes)
    return graph


def _read_all(
    paths: Sequence[Path], format: str | None, recipe: Recipe | None, importing: Importing
) -> Graph | GraphSet:
    progress = importing.progress
    if recipe is not None:
        progress.start(_bytes(files_of(recipe, paths)))
        return derive(read_recipe(recipe, paths, importing), recipe.derived)
    for own in (path / RECIPE_FILE for path in paths if (path / RECIPE_FILE).is_file()):
        importing.rejects.note(
            f"{own} is not applied: a recipe that comes with data is, where you say so: --recipe {own}"
        )
    chosen = format_called(format) if format else _sniffed(paths)
    files = _files(paths, chosen)
    progress.start(_bytes(files))
    graph = chosen.read(files, importing)
    known = noted([part for path in files for part in (path, path / NOTE_FILE)])
    return restored(graph, known) if known is not None and isinstance(graph, Graph) else graph


def _check_sources(paths: Sequence[Path]) -> None:
    if not paths:
        raise UsageError("Nothing to import: give at least one file or folder.")
    for path in paths:
        if not path.exists():
            raise SourceError("no such file or folder.", str(path))


def _name(paths: Sequence[Path], recipe: Recipe | None) -> str:
    if recipe is not None and recipe.name != Path(RECIPE_FILE).stem:
        return recipe.name
    return paths[0].resolve().name.split(".")[0] or "graph"


def _sniffed(paths: Sequence[Path]) -> Format:
    for path in paths:
        found = sniff_format(path)
        if found is None and path.is_dir():
            found = next((f for p in sorted(path.iterdir()) if (f := sniff_format(p))), None)
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
        inside = [
            inside_of(path, p) for p in sorted(path.iterdir()) if p.is_file() and not p.name.startswith(".")
        ]
        whole = [p for p in inside if p.name.split(".")[0] in ("nodes", "edges")]
        sniffer = FORMATS["delimited"] if not chosen.sniffer else chosen
        files += whole or [p for p in inside if sniffer.fits(p)]
    if not files:
        raise SourceError(f"no {chosen.name} files in this folder.", str(paths[0]))
    return files


def _bytes(files: Sequence[Path]) -> int:
    return sum(p.stat().st_size for f in files for p in ([f] if f.is_file() else f.rglob("*")) if p.is_file())
