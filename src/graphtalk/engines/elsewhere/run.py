"""A whole query on a graph elsewhere: by its engine as far as that can be asked, else here over what it gives."""

from dataclasses import replace

from graphtalk.calls.query import Match, Part, Projection, Property, Query, Return, Term, Variable, With
from graphtalk.engines.arrays.frame import Frame
from graphtalk.engines.arrays.result import ResultSet
from graphtalk.engines.arrays.run import run as run_arrays
from graphtalk.engines.arrays.scope import aggregates, names, rewritten
from graphtalk.engines.elsewhere.graph import Elsewhere
from graphtalk.engines.elsewhere.match import match
from graphtalk.engines.elsewhere.met import Met, value_name
from graphtalk.engines.elsewhere.protocol import UnsaidError


def run(query: Query, frame: Frame) -> ResultSet:
    """What a query gives on the graph of the frame, which lives elsewhere. Raises as the array engine, and EngineError."""
    graph = frame.graph
    assert isinstance(graph, Elsewhere)
    try:
        return run_arrays(by_values(query), replace(frame, graph=Met.of(graph), match=match, supports=[]))
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


_COUNTED = ("count", "min", "max")


def by_values(query: Query) -> Query:
    """A query that groups by features of nodes, with columns of these features in the place of the nodes.

    `MATCH (p:person) RETURN p.city, count(*)` needs no person: an engine can count its cities.
    """
    parts = []
    for part in query.parts:
        clauses = list(part.clauses)
        known: set[str] = set()
        for place, clause in enumerate(clauses[:-1]):
            after = clauses[place + 1]
            if isinstance(clause, Match) and not clause.optional and isinstance(after, With | Return):
                own = {node.variable for pattern in clause.patterns for node in pattern.nodes} - known - {""}
                if _groups(after.projection):
                    clauses[place + 1] = _valued(after, own)
            known |= names(clause)
        parts.append(Part(tuple(clauses)))
    return replace(query, parts=tuple(parts))


def _groups(p: Projection) -> bool:
    """Whether a projection puts rows together so that their order, and how often each is there, matter for counts alone."""
    calls = [call for column in p.columns for call in aggregates(column.value)]
    return not p.everything and (p.distinct or bool(calls)) and all(c.function in _COUNTED for c in calls)


def _valued(clause: With | Return, variables: set[str]) -> With | Return:
    """A clause with the features of these variables as columns, where it asks for nothing else of them."""

    def change(term: Term) -> Term | None:
        if isinstance(term, Property) and isinstance(term.of, Variable) and term.of.name in variables:
            return Variable(value_name(term.of.name, term.name))
        return None

    left = variables & names(rewritten(clause, change))
    variables -= left
    return rewritten(clause, change)
