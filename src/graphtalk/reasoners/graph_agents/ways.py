"""Which calls solve which task: a vertex program where one fits (Hu et al. 2024, section 4), else an exact algorithm.

What the master does offline: take the card that fits, adapt it to the problem, run it, and sum up. The last call gives
the value of the answer; what shows that it is right, such as a path, stands in it (`Shown`) and is evidence.
"""

import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, TypeAlias

from graphtalk.calls import Boolean, Call, Expression, Items, NodeRef, Number, Text, parse
from graphtalk.core import UsageError
from graphtalk.reasoners.graph_agents.described import WEIGHT, Described, Problem, number
from graphtalk.tools.values import Bag, Value
from graphtalk.vertex import Card, Library
from graphtalk.vertex.language.types import NODE, Type

MOST_HELD = 1_500  # nodes times edges up to which a program with sets and lists is run
_MOST_EXACT = 5_000  # nodes from which betweenness is computed exactly only where that is insisted on
_SOLVING = resources.files("graphtalk.reasoners.graph_agents") / "words" / "solving.toml"
_CORE = "$"  # in the call around it, the call that solves a task
_TOLD = ("told", "untold", "infinite", "listing", "edges", "table", "ranked", "groups")
_WANTED = ("then", "number", "nodes", "path", "truth", "none")

Parameters: TypeAlias = Mapping[str, Any]
Templates: TypeAlias = tuple[Expression, ...]


@dataclass(frozen=True)
class Way:
    """How a task is solved and told, as `words/solving.toml` has it: by the program called `card` where it fits the
    problem, else by the first of `calls` whose places are all known, which is called `name` in answers.

    `around`: the calls around that, and what it gave, which give the value, by what is wanted. Where `unsure`, a program
    that finds nothing has not shown that there is nothing. `default`: the number, where the question has none.
    `telling`: how it is told. `nodes`: how many nodes the task is about, the fewest and the most. `directed`: edges lead one
    way where the text does not say. `isolated`: it may be about numbered nodes that no edge touches.
    """

    name: str
    calls: Templates
    around: Mapping[str, Templates]
    card: str
    unsure: bool
    default: float | None
    telling: Mapping[str, str]
    nodes: tuple[int, int]
    directed: bool
    isolated: bool

    def exact(self, problem: Problem) -> Call:
        """The exact call that solves a problem."""
        return made(self.calls, _places(problem, self.default)) if self.calls else _node_exists(problem)

    def whole(self, problem: Problem, core: Call, found: Value) -> Call:
        """The call that gives the value, around the one that solves the problem."""
        nothing = found is False or (isinstance(found, Bag) and not len(found))
        wanted = ("none",) if nothing else ()
        form = next((form for form in (*wanted, problem.wants, "then") if form in self.around), None)
        if form is not None:
            core = made(self.around[form], {**_places(problem, self.default), _CORE: core})
        return Call("Not", (core,)) if problem.negated else core


@cache
def ways() -> Mapping[str, Way]:
    """How each task is solved."""
    rows = tomllib.loads(_SOLVING.read_text("utf-8"))
    return {task: _way(row) for task, row in rows.items()}


def _way(row: Mapping[str, Any]) -> Way:
    around = {form: _templates(row[form]) for form in _WANTED if form in row}
    if "listing" in row or "edges" in row:
        around.setdefault("number", _templates('Count["$"]'))
    texts = [row["call"]] if isinstance(row.get("call"), str) else row.get("call", [])
    named = [2 if '"$2"' in text else int('"$1"' in text) for text in texts]
    return Way(
        row["by"],
        _templates(texts),
        around,
        row.get("card", ""),
        row.get("unsure", False),
        row.get("default"),
        {name: row[name] for name in _TOLD if name in row},
        (row["about"], row["about"]) if "about" in row else (min(named), max(named)),
        row.get("directed", False),
        row.get("isolated", False),
    )


def _templates(texts: str | list[str]) -> Templates:
    listed = [texts] if isinstance(texts, str) else texts
    return tuple(Text(text) if text == _CORE else parse(text) for text in listed)


def made(templates: Templates, places: Mapping[str, Expression]) -> Call:
    """The first of some calls with places whose places are all known, with what stands there.

    Raises UsageError where the problem tells nothing that could stand at one.
    """
    missing = ""
    for template in templates:
        try:
            found = _filled(template, places)
        except KeyError as error:
            missing = missing or str(error.args[0])
            continue
        assert isinstance(found, Call)
        return found
    raise UsageError(
        f"The problem needs {_PLACES.get(missing, 'more nodes')}, and tells none that can be read."
    )


_PLACES = {"$number": "a number", "$weight": "weights of edges", "$value": "numbers at nodes"}


def _filled(part: Expression, places: Mapping[str, Expression]) -> Expression | None:
    """An expression with what stands at its places; None for a place that may be missing, and is."""
    if isinstance(part, Text) and part.value.startswith("$"):
        return places.get(part.value[:-1]) if part.value.endswith("?") else places[part.value]
    if isinstance(part, Call):
        given = (_filled(argument, places) for argument in part.arguments)
        named = ((name, _filled(value, places)) for name, value in part.keywords)
        return Call(
            part.function,
            tuple(value for value in given if value is not None),
            tuple((name, value) for name, value in named if value is not None),
        )
    return part


def _places(problem: Problem, default: float | None) -> dict[str, Expression]:
    """What stands at the places of calls."""
    d, text = problem.described, problem.text.lower()
    places: dict[str, Expression] = {
        f"${place}": NodeRef("node", d.graph.id(node)) for place, node in enumerate(problem.nodes, 1)
    }
    places["$comparison"] = Text(problem.comparison)
    amount = problem.number or default
    if amount is not None:
        places["$number"] = Number(number(amount))
    if d.weight is not None and not problem.unweighted:
        places["$weight"] = Text(WEIGHT)
    if d.node_weight is not None:
        places["$value"] = Text(WEIGHT)
    if d.kinds:
        places["$kind"] = Text(d.kinds[0])  # of pairs, one side is the kind that the text names first
    if d.num_nodes > _MOST_EXACT:
        places["$sampled"] = Number(d.num_nodes)
    if "averag" in text or "mean of" in text:
        places["$average"] = Boolean(True)
    if any(
        words in text for words in ("its own embedding and", "and its own", "including itself", "self-loop")
    ):
        places["$itself"] = Boolean(True)
    if problem.pattern is not None:
        pattern = problem.pattern
        ends = zip(pattern.source.tolist(), pattern.target.tolist(), strict=True)
        places["$pattern"] = Text(",".join(f"{one}-{other}" for one, other in ends))
        places["$size"] = Number(pattern.num_nodes)
        places["$directed"] = Boolean(pattern.directed)
        if _induced(problem):
            places["$induced"] = Boolean(True)
    return places


def planned(problem: Problem, cards: Library) -> tuple[Card, Parameters] | None:
    """The program for a problem and its parameters; None where no card in the library does the task."""
    way = ways().get(problem.task)
    if way is None or way.card not in cards:
        return None
    parameters = _PARAMETERS[problem.task](problem) if problem.task in _PARAMETERS else {}
    return None if parameters is None else (cards[way.card], parameters)


def program_call(described: Described, card: str, types: Mapping[str, Type], parameters: Parameters) -> Call:
    """A vertex program as a call. `card` is its name, or itself as JSON; `types` has the types of its parameters."""
    keywords: list[tuple[str, Expression]] = []
    settings = []
    for name, value in parameters.items():
        if name in ("source", "target") and types.get(name) == NODE:
            keywords.append((name, NodeRef("node", _id(described, value))))
        else:
            settings.append(Text(f"{name}={_setting(described, value, types.get(name))}"))
    if settings:
        keywords.append(("settings", Items(tuple(settings))))
    return Call("Program", (Text(card),), tuple(keywords))


def placed(described: Described, expression: Call) -> Call:
    """A call on the part of the stored graph that a problem is about, where it is about a part."""
    if described.within is None:
        return expression

    def of(part: Expression) -> Expression:
        if isinstance(part, Items):
            return Items(tuple(map(of, part.values)))
        return placed(described, part) if isinstance(part, Call) else part

    arguments = tuple(map(of, expression.arguments))
    keywords = tuple((name, of(value)) for name, value in expression.keywords)
    return Call(expression.function, arguments, keywords, expression.graph or described.within)


def _id(described: Described, node: object) -> str:
    """A node's id; a whole number is its index, as programs take it."""
    inside = isinstance(node, int) and 0 <= node < described.num_nodes
    return described.graph.id(int(node)) if inside else str(node)  # type: ignore[call-overload]


def _setting(described: Described, value: object, type: Type | None, between: str = ",") -> str:
    """A parameter as `graphtalk vertex run --set` takes it: `0.85`, `3,4,5`, `0-1,1-2` for pairs."""
    if type == NODE:
        return _id(described, value)
    if isinstance(value, list | tuple):
        item = type.item if type is not None and type.kind in ("set", "list") else None
        return between.join(_setting(described, each, item, "-") for each in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _node_exists(problem: Problem) -> Call:
    """Whether a node has the name."""
    label = problem.described.graph.label
    name = label(problem.nodes[0]) if problem.nodes else problem.unknown[0]
    return parse(
        f"MATCH (n) WHERE n.name = {json.dumps(name, ensure_ascii=False)} RETURN count(n) > 0 AS there"
    )


def _induced(problem: Problem) -> bool:
    return "induced" in problem.text.lower()


# parameters of programs; None where the program does not fit the problem


def _source(problem: Problem) -> Parameters:
    return {"source": problem.nodes[0]}


def _both_ends(problem: Problem) -> Parameters | None:
    if len(problem.nodes) < 2:
        return None
    return {"source": problem.nodes[0], "target": problem.nodes[1]}


def _capacity(problem: Problem) -> Parameters | None:
    ends = _both_ends(problem)
    if ends is None or ends["source"] == ends["target"]:
        return None
    weighted = problem.described.weight is not None
    return {**ends, **({"capacity": WEIGHT, "opposite": WEIGHT} if weighted else {})}


def _unless_weighted(problem: Problem) -> Parameters | None:
    return {} if problem.described.weight is None or problem.unweighted else None


def _target_unless_weighted(problem: Problem) -> Parameters | None:
    return None if _unless_weighted(problem) is None else {"target": problem.nodes[0]}


def _pattern(problem: Problem) -> Parameters | None:
    """A pattern whose nodes all have edges; a program finds it among any that are joined so."""
    pattern = problem.pattern
    if pattern is None or _induced(problem) or pattern.directed != problem.described.directed:
        return None
    ends = list(zip(pattern.source.tolist(), pattern.target.tolist(), strict=True))
    return {"pattern": ends} if len({end for pair in ends for end in pair}) == pattern.num_nodes else None


def _the_core(problem: Problem) -> Parameters | None:
    if problem.nodes:
        return None
    return {} if problem.number is None else {"k": int(problem.number)}


_PARAMETERS: Mapping[str, Callable[[Problem], Parameters | None]] = {
    "breadth_first_tree": _source,
    "connectivity": _both_ends,
    "core": _the_core,
    "degree": lambda p: {"target": p.nodes[0]},
    "diameter": _unless_weighted,
    "distances": _source,
    "eccentricity": _target_unless_weighted,
    "hops": _both_ends,
    "maximum_flow": _capacity,
    "pagerank": lambda p: {"damping": p.number} if p.number else {},
    "pagerank_from": lambda p: {"sources": [p.nodes[0]]},
    "shortest_path": _both_ends,
    "subgraph": _pattern,
    "triangle_sum": lambda p: {} if p.described.node_weight is not None else None,
}
