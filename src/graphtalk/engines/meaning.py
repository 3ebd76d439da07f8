"""The names of a query as names of a schema: labels, relations and properties, with what was understood said beside."""

from dataclasses import dataclass

from graphtalk.core import CheckError, choices
from graphtalk.engines.kinds import ANY, Kind, of_features
from graphtalk.engines.naming import NAMING, folded, node_column, pick
from graphtalk.graphs.schema import Schema


@dataclass(frozen=True)
class Names:
    """The names of a schema. Each method raises CheckError with the valid names; `remarks` is added to."""

    schema: Schema
    remarks: list[str]

    def label(self, name: str) -> str:
        """The node type that a label means."""
        types = [t.name for t in self.schema.node_types]
        found = pick(name, types)
        if found is None:
            raise CheckError(f"No node type {name!r}. {choices(name, types)}")
        return found

    def relation(self, name: str) -> str:
        """The view that a relationship type means; `^` turns one round."""
        views = [*(r.name for r in self.schema.relations), *(r.back for r in self.schema.relations)]
        found = pick(name, views)
        if found is None and name.startswith("^"):
            base = pick(name[1:], views)
            found = base and f"^{base}"
        if found is None:
            valid = dict.fromkeys(n for n in views if not n.startswith("^"))
            raise CheckError(f"No relation {name!r}. {choices(name, valid)}")
        return found

    def property(self, kind: Kind, name: str, whose: str) -> tuple[str, Kind]:
        """The feature that a property of a node or an edge means, and its kind."""
        if kind.name == "edge":
            relations = [r for r in self.schema.relations if r.name in kind.of or not kind.of]
            features = [f for r in relations for f in r.features]
            found = pick(name, [f.name for f in features])
            if found is None:
                called = f"{' or '.join(kind.of[:3])} edges" if kind.of else "Edges"
                raise CheckError(
                    f"{called} have no feature {name!r}. {choices(name, [f.name for f in features])}"
                )
            return found, of_features([f for f in features if f.name == found])
        types = [t for t in self.schema.node_types if t.name in kind.of or not kind.of]
        features = [f for t in types for f in t.features]
        valid = list(dict.fromkeys(f.name for f in features))
        called = f"{' or '.join(kind.of[:3])} nodes" if kind.of else "Nodes"
        found = name if name in valid else None
        if found is None and folded(name) in ("name", "id"):
            # Where it is one column of all the types, that column; else each node's own, which terms look up.
            columns = {node_column(t, folded(name)) for t in types}
            found = columns.pop() if len(columns) == 1 else None
            if found not in valid:
                return folded(name), ANY
        # An importer that keeps `id`, `type` and `name` for itself calls a table's own `type` "machine type".
        owned = {pick(f"{t.name} {name}", [f.name for f in t.features]) for t in types}
        found = found or pick(name, valid) or (owned.pop() if len(owned) == 1 else None)
        if found is not None:
            return found, of_features([f for f in features if f.name == found])
        if folded(name) in map(folded, NAMING):
            self.remarks.append(f"{called} have no feature {name!r}: taken as their name.")
            return self.property(kind, "name", whose)
        alike = [n for n in valid if folded(n) == folded(name)]
        if alike:
            raise CheckError(f"{name!r} could be {' and '.join(map(repr, alike))} of {called}.")
        raise CheckError(f"{called} have no feature {name!r}. {choices(name, [*valid, 'name', 'id'])}")
