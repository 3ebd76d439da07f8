"""What later clauses ask of the rows of a MATCH: the less that is, the less has to be made."""

from dataclasses import dataclass, replace

from graphtalk.calls.ast import Number
from graphtalk.calls.query import Clause, Match, Part, Projection, Return, Unwind, With
from graphtalk.engines.arrays.scope import aggregates, names


@dataclass(frozen=True)
class Need:
    """What is asked of the rows of a MATCH by the clauses after it.

    `names`: the variables that they use (None: all). `repeats`: whether it matters how often a row is there. `most`:
    so many rows are enough (None: all are wanted).
    """

    names: frozenset[str] | None = None
    repeats: bool = True
    most: int | None = None

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
        return Need(used, repeats=not once)
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


def bare(need: Need) -> Need:
    """The same without a bound on the rows: what is enough of all may not be enough for each."""
    return replace(need, most=None)
