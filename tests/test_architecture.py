"""The order among modules, beyond that of the rooms: none imports itself by way of others."""

import re
from pathlib import Path

import grimp
import networkx
import pytest

# `Graph.edit` gives what makes graphs; all else that makes graphs knows the graph, and is not known by it.
_KNOWN = ("graphtalk.graphs.graph", "graphtalk.graphs.edit_rows")


def circles(graph: grimp.ImportGraph) -> list[list[str]]:
    """Groups of modules that lead to one another by their imports, each sorted."""
    imports = networkx.DiGraph(
        (module, other)
        for module in graph.modules
        for other in graph.find_modules_directly_imported_by(module)
    )
    return [sorted(group) for group in networkx.strongly_connected_components(imports) if len(group) > 1]


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Imports inside functions count; those for types alone do not."""
    graph = grimp.build_graph("graphtalk", exclude_type_checking_imports=True)
    assert len(graph.modules) > 500
    graph.remove_import(importer=_KNOWN[0], imported=_KNOWN[1])
    assert circles(graph) == []
    graph.add_import(importer="graphtalk.core.text", imported="graphtalk.core.errors")
    graph.add_import(importer="graphtalk.core.errors", imported="graphtalk.core.text")
    assert circles(graph) == [["graphtalk.core.errors", "graphtalk.core.text"]]


@pytest.mark.parametrize("name", ["Reading", "Bag", "Told", "Card", "Call"])
def test_a_name_that_stood_for_many_things_stands_for_one(name: str) -> None:
    root = Path(__file__).resolve().parents[1] / "src" / "graphtalk"
    found = [path for path in root.rglob("*.py") if re.search(rf"^class {name}\b", path.read_text(), re.M)]
    assert len(found) <= 1, found
