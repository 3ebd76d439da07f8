"""A whole query on a graph elsewhere: by its engine as far as that can be asked, else here over what it gives."""

from dataclasses import replace

from graphtalk.calls.query import Query
from graphtalk.engines.arrays.frame import Frame
from graphtalk.engines.arrays.result import ResultSet
from graphtalk.engines.arrays.run import run as run_arrays
from graphtalk.engines.elsewhere.graph import Elsewhere
from graphtalk.engines.elsewhere.match import match
from graphtalk.engines.elsewhere.met import Met
from graphtalk.engines.elsewhere.protocol import UnsaidError


def run(query: Query, frame: Frame) -> ResultSet:
    """What a query gives on the graph of the frame, which lives elsewhere. Raises as the array engine, and EngineError."""
    graph = frame.graph
    assert isinstance(graph, Elsewhere)
    try:
        return run_arrays(query, replace(frame, graph=Met.of(graph), match=match, supports=[]))
    except UnsaidError as why:
        graph.touched.clear()
        found = run_arrays(query, replace(frame, supports=[]))
        frame.remark(f"{graph.engine} was not asked for {why}: that was worked out here{over(graph)}.")
        return found


def over(graph: Elsewhere) -> str:
    """Over which edges of the engine something was worked out here."""
    relations = [graph.schema.relations[r] for r in sorted(graph.touched)]
    if not relations:
        return ""
    names = list(dict.fromkeys(r.name for r in relations))
    listed = ", ".join(names[:5]) + (f" and {len(names) - 5} more relations" if len(names) > 5 else "")
    return f", over the {sum(r.count for r in relations):,} edges that {graph.engine} gave ({listed})"
