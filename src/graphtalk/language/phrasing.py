"""Calls told in English: `countries that border both France and Germany`, `the average population of cities`.

What a call asks for is told from the call itself, so that people read what was run. Calls that are not known here are
told by whoever made them.
"""

import re
from dataclasses import dataclass, replace

from graphtalk.calls.ast import Call, Expression, NodeRef, Number, Text
from graphtalk.graphs import Schema, View
from graphtalk.language.nouns import plural
from graphtalk.language.relating import described, is_verb, plain
from graphtalk.language.telling import number_in_words

_COMPARED = {
    "=": "is",
    "!=": "is not",
    "<": "is below",
    "<=": "is at most",
    ">": "is above",
    ">=": "is at least",
}
_COUNTED = {
    "=": "exactly",
    "!=": "not",
    "<": "fewer than",
    "<=": "at most",
    ">": "more than",
    ">=": "at least",
}
_MEASURED = {"Average": "average", "Sum": "total", "Minimum": "smallest", "Maximum": "largest"}
_BEST = {"Top": "largest", "Bottom": "smallest"}
_BEST_DEGREE = {"TopDegree": "most", "BottomDegree": "fewest"}
_SAME = frozenset(["Distinct", "Shown"])


@dataclass(frozen=True)
class _Nodes:
    """Nodes in words: `text` names them all; of one type. `one`: a single node."""

    text: str
    type: str
    one: bool = False


def phrased(call: Expression, schema: Schema) -> str:
    """What a call asks for, in English; empty where it cannot be told."""
    told = _Phrasing(schema).told(call)
    match call:
        case Call(graph=Call("GL", keywords=(("as_of", Text(period)),))) if told:
            return f"{told}, as of {period}"
    return told


@dataclass(frozen=True)
class _Phrasing:
    schema: Schema

    def told(self, e: Expression) -> str:
        """A call of any kind."""
        found = self._nodes(e)
        if found is not None:
            return f"all {found.text}" if isinstance(e, Call) and e.function == "Nodes" else found.text
        return self._value(e)

    def _value(self, e: Expression) -> str:
        match e:
            case Call("Count", (Call(function=inner) as counted,)) if inner != "Components":
                return _joined("number of ", self._many(counted))
            case Call("NodeFeature", (nodes, Text(feature))):
                return _joined(f"{plain(feature)} of ", self._many(nodes))
            case Call(function, (Call("NodeFeature", (nodes, Text(feature))),)) if function in _MEASURED:
                return _joined(f"{_MEASURED[function]} {plain(feature)} of ", self._many(nodes))
            case Call("NodeDegree", (nodes, Text(name))):
                return self._degree(nodes, name)
            case Call("Contains", (Call(best, (Call("Union", (first, second)), Text(feature))), chosen)) if (
                best in _BEST
            ):
                ends = [self._nodes(end) for end in (first, second)]
                if chosen != first or None in ends:
                    return ""
                one, other = (end.text for end in ends if end)
                return f"whether {one} has a {'larger' if best == 'Top' else 'smaller'} {plain(feature)} than {other}"
            case Call("Contains", (bag, node)):
                asked, among = self._nodes(node), self._nodes(bag)
                return (
                    f"whether {asked.text} is among {_known(among)}" if asked and among and asked.one else ""
                )
            case Call("Exists", (nodes,)):
                return _joined("whether there are ", self._many(nodes))
        return ""

    def _many(self, e: Expression) -> str:
        found = self._nodes(e)
        return found.text if found else ""

    def _degree(self, nodes: Expression, name: str) -> str:
        found = self._nodes(nodes)
        view = self._view(found, name) if found else None
        if found is None or view is None:
            return ""
        reached = self._reached(found, view)
        return f"number of {reached.text}" if reached else ""

    def _nodes(self, e: Expression, kind: str = "") -> _Nodes | None:
        """What gives nodes; `kind`: only those of this type are meant."""
        match e:
            case Call("RetrieveNode", (Text(name), Text(of))):
                return _Nodes(name, of, one=True)
            case NodeRef(of, id):
                return _Nodes(id, of, one=True)
            case Call("Nodes", (Text(of),)):
                return _Nodes(plural(plain(of)), of)
            case Call(function, (inner, *_)) if function in _SAME:
                return self._nodes(inner, kind)
            case Call("NeighbourCheck", (inner, Text(name))):
                found = self._nodes(inner)
                view = self._view(found, name, kind) if found else None
                return self._reached(found, view) if found and view else None
            case Call("Intersect", (first, second)):
                return self._both(first, second)
            case Call("Union", (first, second)):
                return self._joining(first, second, " or ")
            case Call("Difference", (first, second)):
                return self._joining(first, second, " but not ")
            case Call(function, (inner, Text(name), *rest)) if function in (*_BEST, *_BEST_DEGREE):
                return self._best(function, inner, name, rest)
            case Call("Filter", (inner, Text(feature), Text(sign), value)) if sign in _COMPARED:
                found = self._nodes(inner)
                said = (
                    number_in_words(value.value)
                    if isinstance(value, Number)
                    else getattr(value, "value", None)
                )
                kept = found and said is not None and not isinstance(said, bool)
                return (
                    replace(found, text=f"{found.text} whose {plain(feature)} {_COMPARED[sign]} {said}")
                    if found and kept
                    else None
                )
            case Call("FilterDegree", (inner, Text(name), Text(sign), Number(number))) if sign in _COUNTED:
                found = self._nodes(inner)
                view = self._view(found, name) if found else None
                if found is None or view is None:
                    return None
                return self._having(found, view, f"{_COUNTED[sign]} {number:g}")
        return None

    def _view(self, found: _Nodes, name: str, kind: str = "") -> View | None:
        """The one view that a name means; None where it leads to several types, or the type is not of this graph."""
        known = any(t.name == found.type for t in self.schema.node_types)
        views = self.schema.called(found.type, name) if known else ()
        views = tuple(view for view in views if kind in ("", view.target))
        return views[0] if len({view.target for view in views}) == 1 else None

    def _reached(self, found: _Nodes, view: View, many: str = "") -> _Nodes:
        """The neighbours of nodes. A relation with no direction is told as if it led to what is known."""
        relation = self.schema.relations[view.relation]
        noun = plural(plain(view.target))
        named = view.name.split(" -> ")[0]
        seen = named in (relation.name, f"^{relation.name}")
        outward = view.direction != "out" if seen else False
        # A name of its own for the way back leads away from what is known, as the relation's own name does.
        other = many or (_known(found) if " " in found.text else found.text)
        ends = (plural(plain(view.source)), noun)
        words = relation.name if seen else named
        single = self._single(view, found, words)
        said = single or described(noun, words, outward, other, ends, not (found.one or many))
        return _Nodes(said, view.target, one=single.startswith("the "))

    def _having(self, found: _Nodes, view: View, many: str) -> _Nodes:
        """Nodes by how many neighbours they have: `countries that border more than 5 countries`."""
        relation, noun = self.schema.relations[view.relation], plural(plain(view.target))
        acts = is_verb(relation.name) and view.direction != "in" and view.name == relation.name
        if acts:
            return replace(found, text=described(found.text, relation.name, True, f"{many} {noun}"))
        return replace(found, text=f"{found.text} with {many} {noun}")

    def _single(self, view: View, found: _Nodes, words: str) -> str:
        """`capital of Peru`, where a noun has one value for each node."""
        relation = self.schema.relations[view.relation]
        few = relation.count <= 1.2 * self.schema.node_type(relation.source).count
        noun = described("x", words, False, "y") == f"x that are {plural(plain(words))} of y"
        if view.direction != "out" or not noun or plain(words).endswith("s"):
            return ""
        head = f"the {plain(words)}" if found.one and few else plural(plain(words))
        return f"{head} of {_known(found)}"

    def _both(self, first: Expression, second: Expression) -> _Nodes | None:
        match first, second:
            case Call("NeighbourCheck", (one, Text(name))), Call("NeighbourCheck", (other, Text(same))) if (
                name == same
            ):
                ends = [self._nodes(one), self._nodes(other)]
                head = ends[0]
                view = self._view(head, name) if head else None
                if head and view and all(end and end.one for end in ends):
                    names = " and ".join(end.text for end in ends if end)
                    return (
                        self._reached(head, view, many=f"both {names}")
                        if not self._single(view, head, name)
                        else None
                    )
            case _, Call("Nodes", (Text(kind),)):
                found = self._nodes(first, kind)
                return found if found and found.type == kind else None
        both = self._nodes(first), self._nodes(second)
        noun = plural(plain(both[0].type)) if both[0] else ""
        if (
            both[0]
            and both[1]
            and all(each and re.match(rf"{re.escape(noun)} (?:that|whose|with) ", each.text) for each in both)
        ):
            return replace(both[0], text=f"{both[0].text} and {both[1].text.removeprefix(noun).strip()}")
        return self._joining(first, second, " that are also ")

    def _joining(self, first: Expression, second: Expression, word: str) -> _Nodes | None:
        one, other = self._nodes(first), self._nodes(second)
        return (
            _Nodes(f"{one.text}{word}{other.text}", one.type)
            if one and other and one.type == other.type
            else None
        )

    def _best(self, function: str, inner: Expression, name: str, rest: list[Expression]) -> _Nodes | None:
        found = self._nodes(inner)
        if found is None or len(rest) > 1:
            return None
        if function in _BEST_DEGREE:
            view = self._view(found, name)
            return (
                self._having(found, view, f"the {_BEST_DEGREE[function]}")
                if view and rest in ([], [Number(1)])
                else None
            )
        what = f"the {_BEST[function]} {plain(name)}"
        match inner, rest:
            case Call("Union"), []:
                return replace(
                    found,
                    text=f"{found.text}, whichever has {what.replace('largest', 'larger').replace('smallest', 'smaller')}",
                )
            case _, [Number(k)] if k != 1:
                return replace(found, text=f"the {k:g} {found.text} with {what}")
            case _, [] | [Number()]:
                return replace(found, text=f"{found.text} with {what}")
        return None


def _known(found: _Nodes) -> str:
    """Nodes that another phrase speaks of: one by its name, several with the article."""
    return found.text if found.one or found.text.startswith("the ") else f"the {found.text}"


def _joined(head: str, rest: str) -> str:
    return f"{head}{rest}" if rest else ""
