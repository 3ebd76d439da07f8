"""The formats by name. Listing them imports none; a format's module is imported when it is used.

A reader is a function `read(sources, importing)` that returns a Graph or a GraphSet; a sniffer is a function
`sniff(path)` that says, from a file's or folder's name and first bytes, whether the format fits.

A package registers its own as the built-in ones are: a function `register(add)` under the entry point group
`graphtalk.formats` calls `add(Format(…))` for each. These are tried on a source before the built-in ones.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from graphtalk.core import UsageError, choices
from graphtalk.core.plugins import known
from graphtalk.graphs.graph_set import Loaded
from graphtalk.graphs.importing import Importing

GROUP = "graphtalk.formats"
Reader: TypeAlias = Callable[[Sequence[Path], Importing], Loaded]


@dataclass(frozen=True)
class Format:
    """A file format: what it is, and where its reader and (if it can be recognised) its sniffer are.

    `module` has the functions `reader` and `sniffer`; a package names its own in full. `insider` says which files of a
    folder are read where one of them fits: only those that fit if it is empty. `spills`: it goes by batches through what
    is larger than memory.
    """

    name: str
    summary: str
    module: str
    reader: str = "read"
    sniffer: str = "sniff"
    insider: str = ""
    spills: bool = False

    def read(self, sources: Sequence[Path], importing: Importing) -> Loaded:
        """The graph in `sources`."""
        reader: Reader = self._load(self.reader)
        return reader(sources, importing)

    def fits(self, path: Path) -> bool:
        """Whether a file or folder looks like this format."""
        return bool(self.sniffer and self._load(self.sniffer)(path))

    def of_folder(self, files: Sequence[Path]) -> list[Path]:
        """Which files of a folder are read."""
        sniffer = self if self.sniffer else formats()["delimited"]
        fitting = [path for path in files if sniffer.fits(path)]
        return (
            [path for path in files if self._load(self.insider)(path)]
            if fitting and self.insider
            else fitting
        )

    def _load(self, function: str) -> Any:
        return getattr(import_module(self.module), function)


_BUILT_IN = (  # in the order in which they are tried on a source: the most particular first
    Format("store", "a store, of any version that opens, to be written anew", "store_folder", spills=True),
    Format("exported", "a folder that graphtalk export wrote", "exported"),
    Format("planetoid", "citation graphs ind.NAME.* (Planetoid)", "planetoid"),
    Format("tu", "graph sets NAME_A.txt, … as folder or zip (TU Dortmund)", "tu"),
    Format("gin", "graph sets in one text file (GIN, DGCNN)", "gin"),
    Format("grbench", "graph.json of GRBench (Graph-CoT)", "grbench"),
    Format("graphml", "GraphML (networkx, igraph, yEd, Neo4j)", "graph_xml", "read_graphml", "sniff_graphml"),
    Format("gexf", "GEXF (Gephi)", "graph_xml", "read_gexf", "sniff_gexf"),
    Format("gml", "GML", "gml"),
    Format("node-link", "node-link JSON (networkx, D3), JSON Graph Format", "graph_json"),
    Format("cytoscape", "Cytoscape's JSON", "graph_json", sniffer=""),
    Format("pajek", "Pajek's .net", "pajek"),
    Format("dot", "DOT (Graphviz)", "dot"),
    Format("graph6", "graph6, sparse6, digraph6 (nauty, SageMath)", "graph6"),
    Format("rdf", "RDF: Turtle, N-Triples, N-Quads, TriG, RDF/XML, JSON-LD", "rdf_batches", spills=True),
    Format("neo4j", "CSV with Neo4j's headers (neo4j-admin, apoc)", "neo4j_csv", insider="is_delimited"),
    Format("markdown", "vaults of Markdown notes with links", "markdown"),
    Format("cypher", "Cypher scripts of CREATE statements (apoc, Memgraph)", "cypher_script"),
    Format("matrix", "adjacency matrices as CSV or TSV", "matrix"),
    Format(
        "edges",
        "irregular edge lists: comments, weights, {'weight': 1}; lists of neighbours; Matrix Market",
        "edge_lists",
    ),
    Format(
        "tables",
        "workbooks (Excel), SQLite and DuckDB files, JSON objects: tables with keys to one another",
        "tabular",
        spills=True,
    ),
    Format(
        "delimited",
        "TSV, CSV or Parquet files: nodes and edges, or tables with keys to one another",
        "delimited",
        spills=True,
    ),
    Format("triples", "head, relation, tail without a header", "delimited", "read_triples", "", spills=True),
    Format(
        "edge-list",
        "source, target, optional weight, no header",
        "delimited",
        "read_edge_list",
        "",
        spills=True,
    ),
)


def register(add: Callable[[Format], None]) -> None:
    """Register the built-in formats."""
    for entry in _BUILT_IN:
        add(replace(entry, module=f"graphtalk.graphs.formats.{entry.module}"))


@cache
def formats() -> dict[str, Format]:
    """All formats by name, in the order in which they are tried. Raises UsageError where two are called the same."""
    return known("formats", GROUP, register, lambda entry: entry.name, ours_last=True)


def format_called(name: str) -> Format:
    """The format of this name. Raises UsageError with the valid names."""
    if name not in formats():
        raise UsageError(f"No format {name!r}. {choices(name, formats(), most=len(formats()))}")
    return formats()[name]


def sniff_format(path: Path) -> Format | None:
    """The first format that fits a file or folder, None if none does."""
    return next((f for f in formats().values() if f.fits(path)), None)
