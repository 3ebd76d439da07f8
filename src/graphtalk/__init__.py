"""Talk with your graphs: questions in plain language, answers with evidence that exists.

    import graphtalk as gt
    g = gt.open("atlas")
    a = gt.ask(g, "What is the capital of Japan?")
    a.text, a.value, a.evidence, a.trace

Everything here is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphtalk import algorithms
    from graphtalk.app.ask import ask, import_graph, open, session
    from graphtalk.app.editing import diff, edit, save
    from graphtalk.app.exporting import export
    from graphtalk.app.notebook_chat import chat
    from graphtalk.app.querying import QueryResult, query
    from graphtalk.app.session import Session
    from graphtalk.app.solve import solve
    from graphtalk.app.widget import widget
    from graphtalk.core import Answer, CallError, Evidence, GraphtalkError, Question, UsageError
    from graphtalk.graphs import Graph, GraphSet
    from graphtalk.graphs.convert import from_igraph, from_networkx, from_pandas, from_pyg, from_triples

    __version__: str

_PLACES = {
    **dict.fromkeys(("ask", "import_graph", "open", "session"), "graphtalk.app.ask"),
    **dict.fromkeys(("diff", "edit", "save"), "graphtalk.app.editing"),
    "export": "graphtalk.app.exporting",
    "Session": "graphtalk.app.session",
    "chat": "graphtalk.app.notebook_chat",
    "solve": "graphtalk.app.solve",
    "widget": "graphtalk.app.widget",
    **dict.fromkeys(("query", "QueryResult"), "graphtalk.app.querying"),
    **dict.fromkeys(
        ("from_igraph", "from_networkx", "from_pandas", "from_pyg", "from_triples"),
        "graphtalk.graphs.convert",
    ),
    **dict.fromkeys(("Graph", "GraphSet"), "graphtalk.graphs"),
    **dict.fromkeys(
        ("Answer", "CallError", "Evidence", "GraphtalkError", "Question", "UsageError"), "graphtalk.core"
    ),
}

__all__ = [
    "Answer",
    "CallError",
    "Evidence",
    "Graph",
    "GraphSet",
    "GraphtalkError",
    "QueryResult",
    "Question",
    "Session",
    "UsageError",
    "__version__",
    "algorithms",
    "ask",
    "chat",
    "diff",
    "edit",
    "export",
    "from_igraph",
    "from_networkx",
    "from_pandas",
    "from_pyg",
    "from_triples",
    "import_graph",
    "open",
    "query",
    "save",
    "session",
    "solve",
    "widget",
]


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        found: object = version("graphtalk")
    elif name == "algorithms":
        found = import_module("graphtalk.algorithms")
    elif name in _PLACES:
        found = getattr(import_module(_PLACES[name]), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
