"""Make the built-in graph set `gpr`: the 37 classic graphs of Graph-ToolFormer's GPR data (section 5.1).

The paper's prompts name each graph and state results about it, but not the parameters of its generator.
This script tries each generator's parameters, smallest first, and keeps the first for which most of the
stated results come out. Run it (with the `networkx` extra) as

    python scripts/make_gpr.py PROMPTS_FOLDER

where the folder has `prompts_train` and `prompts_test` of the paper's `graph_properties` task.
"""

import argparse
import ast
import itertools
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import networkx as nx

from graphtalk.calls import Call, Items, NodeRef, Text, find_calls

TARGET = Path(__file__).resolve().parents[1] / "src" / "graphtalk" / "graphs" / "data" / "gpr.json"
RECORD = re.compile(r"Input: .*? Output: (?P<output>.*) Reasoning Result: (?P<results>.*?)\.?\s*$")

Properties = dict[str, object]


@dataclass(frozen=True)
class Stated:
    """One call of a prompt and the result that the prompt states for it; `place` is file:line."""

    place: str
    graph: str
    function: str
    nodes: tuple[int, ...]
    result: object


def stated_results(folder: Path) -> Iterator[Stated]:
    """Every stated result of the prompts, in order. Raises ValueError where calls and results do not pair."""
    for name in ("prompts_train", "prompts_test"):
        for number, line in enumerate((folder / name).read_text(encoding="utf-8").splitlines(), 1):
            place = f"{name}:{number}"
            record = RECORD.match(line)
            if record is None:
                raise ValueError(f"{place}: not a record: {line[:80]!r}")
            calls, results = find_calls(record["output"]), record["results"].split(" <||> ")
            if len(calls) != len(results):
                raise ValueError(f"{place}: {len(calls)} calls but {len(results)} results")
            for found, result in zip(calls, results, strict=True):
                function = found.call.function.removeprefix("toolx:")
                nodes = tuple(int(node.id) for node in found.call.arguments if isinstance(node, NodeRef))
                yield Stated(place, _graph_name(found.call), function, nodes, ast.literal_eval(result))


def _graph_name(call: Call) -> str:
    """The name in `GL("gpr", {"bull_graph"})`."""
    match call.graph:
        case Call("GL", (Text("gpr"), Items((Text(name),)))):
            return name
    raise ValueError(f"Not a graph of gpr: {call.graph}")


def same(found: object, stated: object) -> bool:
    """Whether two results agree: lists as sets (their order is that of networkx's nodes), else as values."""
    if isinstance(found, list) and isinstance(stated, list):
        return sorted(found) == sorted(stated)
    return found == stated


def reproduced(graph: nx.Graph, facts: Iterable[Stated]) -> int:
    """How many of the stated results come out on `graph`, by networkx."""
    distances = dict(nx.all_pairs_shortest_path_length(graph))
    eccentricity = {node: max(reach.values()) for node, reach in distances.items()}
    lengths = [d for node, reach in distances.items() for other, d in reach.items() if other != node]
    radius, diameter = min(eccentricity.values()), max(eccentricity.values())
    whole: Properties = {
        "order": len(graph),
        "size": graph.size(),
        "density": nx.density(graph),
        "radius": radius,
        "diameter": diameter,
        "center": [n for n, e in eccentricity.items() if e == radius],
        "periphery": [n for n, e in eccentricity.items() if e == diameter],
        "avg_path_length": sum(lengths) / len(lengths),
        "max_path_length": max(lengths),
        "min_path_length": min(lengths),
        "eccentricity": eccentricity,
    }

    def of(fact: Stated) -> object:
        if not all(node in graph for node in fact.nodes):
            return None
        if fact.function == "shortest_path":
            return distances[fact.nodes[0]].get(fact.nodes[1])
        return eccentricity[fact.nodes[0]] if fact.nodes else whole[fact.function]

    return sum(same(of(fact), fact.result) for fact in facts)


def _grid(*spans: range) -> list[tuple[int, ...]]:
    return sorted(itertools.product(*spans), key=sum)


def _circulants() -> list[tuple[int, list[int]]]:
    return [
        (n, list(jumps))
        for n in range(3, 13)
        for size in range(1, n // 2 + 1)
        for jumps in itertools.combinations(range(1, n // 2 + 1), size)
    ]


# Generators that take parameters, each with those to try. `ladder_graph` stands for a tree in the prompts.
CANDIDATES: dict[str, tuple[Callable[..., nx.Graph], Iterable[tuple[object, ...]]]] = {
    "balanced_tree": (nx.balanced_tree, _grid(range(2, 5), range(1, 5))),
    "barbell_graph": (nx.barbell_graph, _grid(range(2, 12), range(12))),
    "binomial_tree": (nx.binomial_tree, _grid(range(1, 7))),
    "circulant_graph": (nx.circulant_graph, _circulants()),
    "circular_ladder_graph": (nx.circular_ladder_graph, _grid(range(2, 30))),
    "complete_graph": (nx.complete_graph, _grid(range(2, 30))),
    "cycle_graph": (nx.cycle_graph, _grid(range(3, 30))),
    "dorogovtsev_goltsev_mendes_graph": (nx.dorogovtsev_goltsev_mendes_graph, _grid(range(1, 5))),
    "full_rary_tree": (nx.full_rary_tree, _grid(range(2, 6), range(2, 40))),
    "ladder_graph": (nx.full_rary_tree, _grid(range(2, 6), range(2, 40))),
    "lollipop_graph": (nx.lollipop_graph, _grid(range(2, 12), range(1, 20))),
    "path_graph": (nx.path_graph, _grid(range(2, 30))),
    "star_graph": (nx.star_graph, _grid(range(2, 30))),
    "turan_graph": (nx.turan_graph, [(n, r) for n in range(2, 30) for r in range(2, n + 1)]),
    "wheel_graph": (nx.wheel_graph, _grid(range(4, 30))),
}


def choose(name: str, facts: list[Stated]) -> tuple[nx.Graph, str, int]:
    """The graph that reproduces most of the facts about `name`, how it was made, and how many it reproduces."""
    maker, tried = CANDIDATES.get(name, (getattr(nx, name), [()]))
    order = next(fact.result for fact in facts if fact.function == "order")
    best: tuple[nx.Graph, str, int] | None = None
    for parameters in tried:
        graph = maker(*parameters)
        if len(graph) != order:
            continue
        count = reproduced(graph, facts)
        if best is None or count > best[2]:
            best = graph, f"{maker.__name__}{parameters}", count
    if best is None:
        raise SystemExit(f"{name}: no parameters give {order} nodes")
    return best


def main() -> None:
    """Choose every graph, print what was chosen, write the graph set."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("prompts", type=Path, help="folder with prompts_train and prompts_test")
    parser.add_argument("--out", type=Path, default=TARGET, help="the file to write")
    options = parser.parse_args()
    facts: dict[str, list[Stated]] = {}
    for fact in stated_results(options.prompts):
        facts.setdefault(fact.graph, []).append(fact)
    graphs = {}
    for name in sorted(facts):
        graph, how, count = choose(name, facts[name])
        print(f"{name:34} {how:38} {count:4} of {len(facts[name]):4} stated results")
        graphs[name] = {"nodes": len(graph), "edges": sorted(sorted(edge) for edge in graph.edges)}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(graph)}" for name, graph in graphs.items())
    options.out.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
