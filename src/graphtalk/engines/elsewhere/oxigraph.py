"""pyoxigraph, embedded: `oxigraph:///store-folder`, or a file of triples, `oxigraph:///films.ttl`. Opened for reading only."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from graphtalk.core import UsageError
from graphtalk.core.limits import look
from graphtalk.engines.elsewhere.protocol import EngineError
from graphtalk.engines.elsewhere.sparql import Row, SparqlBackend, Value

MOST_BYTES = 256 << 20
"""Of a file that is read into memory."""


def oxigraph_backend(path: Path, language: str = "en") -> SparqlBackend:
    """The backend for a store or a file. Raises UsageError where pyoxigraph is not installed or there is no such thing."""
    try:
        import pyoxigraph
    except ImportError:
        raise UsageError('pyoxigraph is not installed: python -m pip install "graphtalk[rdf]".') from None
    if not path.exists():
        raise UsageError(f"oxigraph:///{path}: there is no such file or folder.")
    try:
        if path.is_dir():
            store: Any = pyoxigraph.Store.read_only(str(path))
        else:
            if path.stat().st_size > MOST_BYTES:
                raise UsageError(
                    f"{path} has more than {MOST_BYTES >> 20} MB: load it into a store of Oxigraph, and name that."
                )
            store = pyoxigraph.Store()
            form = pyoxigraph.RdfFormat.from_extension(path.suffix.removeprefix("."))
            if form is None:
                raise UsageError(f"{path}: no form of RDF has files that end in {path.suffix!r}.")
            store.bulk_load(path=str(path), format=form)
    except (OSError, ValueError, SyntaxError) as error:
        raise UsageError(f"{path}: {' '.join(str(error).split())[:300]}") from None

    def ask(sparql: str, most: int) -> Iterator[Row]:
        try:
            solutions = store.query(sparql, use_default_graph_as_union=True)
            names = [variable.value for variable in solutions.variables]
            for at, solution in enumerate(solutions):
                look()
                if at >= most:
                    raise EngineError(f"Oxigraph, {path}: more than {most:,} rows.")
                yield Row({name: _value(term) for name in names if (term := solution[name]) is not None})
        except (OSError, ValueError, SyntaxError, RuntimeError) as error:
            raise EngineError(f"Oxigraph, {path}: {' '.join(str(error).split())[:500]}") from error

    return SparqlBackend("Oxigraph", str(path), ask, language)


def _value(term: Any) -> Value:
    if hasattr(term, "datatype"):
        return Value("literal", term.value, term.datatype.value, term.language or "")
    return Value("blank" if type(term).__name__ == "BlankNode" else "iri", getattr(term, "value", str(term)))
