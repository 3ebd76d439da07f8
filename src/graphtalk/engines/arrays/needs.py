"""What later clauses ask of the rows of a MATCH: the less that is, the less has to be made."""

from dataclasses import dataclass, replace

from graphtalk.calls.ast import Number
from graphtalk.calls.query import Apply, Clause, Match, Part, Projection, Return, Term, Unwind, Variable, With
from graphtalk.engines.arrays.scope import aggregates, names, rewritten


@dataclass(frozen=True)
class Need:
    """What is asked of the rows of a MATCH by the clauses after it.

    `names`: the variables that they use (None: all). `repeats`: whether it matters how often a row is there. `most`:
    so many rows are enough (None: all are wanted). `counted`: how often a row is there may be said in the column TIMES,
    so that edges that are only counted need not be made.
    """

    names: frozenset[str] | None = None
    repeats: bool = True
    most: int | None = None
    counted: bool = False

    def uses(self, name: str) -> bool:
        """Whether a variable is used later."""
        return self.names is None or name in self.names


ALL = Need()


def needs(part: Part, after: Need = ALL) -> list[Need]:
    """For each clause what those after it need of its rows; `after` is what is needed of the last one's."""
    found: list[Need] = []
    for clause in reversed(part.clauses):
        found.append(after)
        after = _before(clause, after)
    return found[::-1]


def _before(clause: Clause, after: Need) -> Need:
    """What a clause needs of the rows before it, given what is needed of its own."""
    if isinstance(clause, Match | Unwind):
        used = None if after.names is None else after.names | names(clause)
        return Need(used, after.repeats)
    assert isinstance(clause, With | Return)
    p = clause.projection
    used = (
        None
        if p.everything
        else frozenset(names(p) | (names(clause.where) if isinstance(clause, With) else set()))
    )
    calls = [a for column in p.columns for a in aggregates(column.value)]
    if calls:
        once = all(a.distinct or a.function in ("min", "max") for a in calls)
        counted = all(a.distinct or a.function in ("min", "max") or not a.arguments for a in calls)
        return Need(used, repeats=not once, counted=counted)
    if p.distinct:
        return Need(used, repeats=False)
    cut = p.skip is not None or p.limit is not None
    plain = not (isinstance(clause, With) and clause.where is not None) and not p.order
    return Need(used, after.repeats or cut, _most(p) if plain and cut else after.most if plain else None)


def _most(p: Projection) -> int | None:
    """How many rows are enough, where that is told."""
    ends = [n.value for n in (p.skip, p.limit) if isinstance(n, Number)]
    told = len(ends) == sum(n is not None for n in (p.skip, p.limit)) and p.limit is not None
    return int(sum(ends)) if told else None


def simplified(part: Part) -> Part:
    """The same part, where what is counted is no variable but the rows, if the variable is in each of them."""
    clauses: list[Clause] = []
    sure: set[str] = set()
    for clause in part.clauses:
        if isinstance(clause, Match) and not clause.optional:
            sure |= {n.variable for p in clause.patterns for n in p.nodes}
            sure |= {e.variable for p in clause.patterns for e in p.edges}
        elif isinstance(clause, With | Return):
            known = frozenset(sure)
            clause = rewritten(clause, lambda t, known=known: _rows_counted(t, known))  # type: ignore[misc]
            columns = clause.projection.columns
            kept = {c.name for c in columns if isinstance(c.value, Variable) and c.value.name in sure}
            sure = kept | (sure if clause.projection.everything else set())
        clauses.append(clause)
    return Part(tuple(clauses))


def _rows_counted(term: Term, sure: frozenset[str]) -> Term | None:
    if not isinstance(term, Apply) or term.function != "count" or term.distinct or len(term.arguments) != 1:
        return None
    argument = term.arguments[0]
    return Apply("count") if isinstance(argument, Variable) and argument.name in sure else None


def bare(need: Need) -> Need:
    """The same without a bound on the rows: what is enough of all may not be enough for each."""
    return replace(need, most=None)
