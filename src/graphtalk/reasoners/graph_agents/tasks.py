"""Which task a question sets, told by its words, and the problem that comes of it."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

from graphtalk.core import UsageError
from graphtalk.reasoners.graph_agents.described import Described, Problem, with_isolated
from graphtalk.reasoners.graph_agents.mentions import NODE, Asking, asking
from graphtalk.reasoners.graph_agents.passages import bare
from graphtalk.reasoners.graph_agents.reading import Reading, read

_TASKS = resources.files("graphtalk.reasoners.graph_agents") / "words" / "tasks.toml"
DIRECTED_TASKS = frozenset(
    {"topological_order", "maximum_flow", "strongly_connected", "strong_components", "pagerank"}
)
ISOLATED = frozenset({"connectivity", "shortest_path", "edge_exists", "degree", "neighbours"})
TWO_NODES = frozenset({"shortest_path", "maximum_flow", "connectivity", "edge_exists", "common_neighbours"})
ONE_NODE = frozenset(
    {"degree", "in_degree", "out_degree", "neighbours", "reachable", "distances", "eccentricity"}
)


@dataclass(frozen=True)
class _Cue:
    name: str
    needs: tuple[re.Pattern[str], ...]
    without: tuple[re.Pattern[str], ...]
    nodes: int
    most: int
    graph: str


@cache
def _cues() -> tuple[_Cue, ...]:
    return tuple(
        _Cue(
            row["name"],
            tuple(re.compile(pattern, re.S) for pattern in row["needs"]),
            tuple(re.compile(pattern) for pattern in row.get("not", ())),
            row.get("nodes", 0),
            row.get("most", 1_000),
            row.get("graph", ""),
        )
        for row in tomllib.loads(_TASKS.read_text("utf-8"))["task"]
    )


def task_names() -> tuple[str, ...]:
    """The names of all tasks."""
    return tuple(dict.fromkeys(cue.name for cue in _cues()))


def understand(text: str) -> Problem:
    """The problem that a text poses. Raises UsageError, quoting the place, where it poses none that can be read."""
    return posed(read(text))


def posed(reading: Reading) -> Problem:
    """The problem that a reading poses. Raises UsageError where no task is recognised or a node is missing."""
    described = reading.described
    last = next((sentence.text for sentence in reversed(reading.left) if sentence.asks), "")
    told = asking(" ".join(s.text for s in reading.left if not s.asks), described, strict=True)
    for words in (last, reading.asked, reading.rest, f"{reading.explained} {reading.rest}"):
        asked = asking(bare(words), described)
        if not asked.nodes and not asked.unknown:
            asked = replace(asked, nodes=told.nodes, unknown=told.unknown)
        task = _task(asked, reading) if words.strip() else None
        if task is not None:
            break
    else:
        raise UsageError(
            f"The graph was read, but not what is asked of it: {_short(reading.asked or reading.rest)!r}."
        )
    asked = _with_nodes(task, asked, reading)
    if asked.unknown and not described.listed and described.numbered and task in ISOLATED:
        described = with_isolated(described, asked.unknown, beyond=task in ("connectivity", "edge_exists"))
        asked = _with_nodes(task, asking(bare(words), described), replace(reading, described=described))
    if task in DIRECTED_TASKS and not described.certain:
        described = replace(described, directed=True)
    nodes = _nodes_of(task, asked, described)
    return Problem(
        reading.text,
        described,
        task,
        nodes,
        wants(task, asked.words, reading.asked.lower()),
        task == "cycle" and _acyclic(asked.words),
        _parameter(task, asked.words),
        reading.pattern,
        _short(words),
        asked.unknown,
    )


def _task(asked: Asking, reading: Reading) -> str | None:
    named = len(asked.nodes) + len(asked.unknown)
    has = _features(reading.described, reading)
    for cue in _cues():
        if cue.graph and not has[cue.graph]:
            continue
        if not cue.nodes <= named <= cue.most:
            continue
        if all(p.search(asked.words) for p in cue.needs) and not any(
            p.search(asked.words) for p in cue.without
        ):
            return cue.name
    return None


def _features(described: Described, reading: Reading) -> Mapping[str, bool]:
    return {
        "embeddings": described.embeddings is not None,
        "pattern": reading.pattern is not None,
        "kinds": bool(described.kinds),
        "precedence": any(_PRECEDES.search(quote) for quote in list(described.quotes.values())[:1]),
        "weights": described.weight is not None or described.node_weight is not None,
    }


def _with_nodes(task: str, asked: Asking, reading: Reading) -> Asking:
    """The same words with the nodes that other sentences name, where these name too few."""
    wanted = 2 if task in TWO_NODES else 1 if task in ONE_NODE | {"node_exists"} else 0
    if len(asked.nodes) + len(asked.unknown) >= wanted:
        return asked
    for words in (reading.asked, reading.rest):
        wider = asking(words, reading.described)
        if len(wider.nodes) + len(wider.unknown) >= wanted:
            return replace(asked, nodes=wider.nodes, unknown=wider.unknown)
    return asked


def _nodes_of(task: str, asked: Asking, described: Described) -> tuple[int, ...]:
    if task == "node_exists":
        return asked.nodes[:1]
    if task in TWO_NODES:
        return asked.need(2, described, f"a {task.replace('_', ' ')} problem")
    if task in ONE_NODE:
        return asked.need(1, described, f"a {task.replace('_', ' ')} problem")
    return asked.nodes


_LENGTH = re.compile(
    r"\b(?:weight|length|distance|cost|how (?:far|long|many|much|few|little|quickly|fast|soon|cheaply)|time|total|number of|hops|price|fare|value|toll|sum|latency|delay|duration|dist|in (?:minutes|hours|seconds|days|km|kilomet\w+|miles|met\w+|dollars|euros|units))\b"
)
# "the path of least weight" asks for a path, "the least weight of a path" for a weight
_OF_LEAST = re.compile(
    r"path (?:of|with|that has) (?:the )?(?:least|min\w*|low\w*|small\w*) (?:total |overall |possible )*(?:weight|cost|length|distance|time)"
    r"|(?:total|min\w*|least|low\w*)[ -](?:weight|cost|length|distance) path"
)
_PRECEDES = re.compile(r"\b(?:before|after|prerequisites?|depends?|requires?|needs|precedes?|required)\b")
_COMPUTES = re.compile(
    r"\b(?:calculat|comput|determin|ascertain|identif|measur|evaluat|estimat|quantif|work out|establish)\w*"
)
_HANDS_OVER = re.compile(
    r"\b(?:path|sequence|edge|list|nodes|order|assignment|matching|solution|arrangement)\b"
)


def wants(task: str, words: str, context: str = "") -> str:
    """The form of the value: a verb of computing asks for a path's length, one of handing over for its nodes."""
    if task == "shortest_path":
        if _LENGTH.search(_OF_LEAST.sub("path", words)):
            both = re.search(r"\bpath\b.*\band (?:its|the|their|what)\b", words)
            return "path" if both else "number"
        return "number" if _COMPUTES.search(words) else "path"
    if task in ("hamilton", "hamilton_cycle"):
        return (
            "path"
            if re.search(
                r"\b(?:give|find|list|show|provide|which|what|print|name|construct|output|return|produce|report|write)\b(?! (?:out )?(?:if|whether|yes|out))",
                f"{words} {context}".replace("output yes", "").replace("output 'yes", ""),
            )
            and not re.search(r"(?:find|figure) out (?:if|whether)", words)
            else "truth"
        )
    if task == "matching":
        return (
            "number"
            if re.search(r"\bhow many|number of\b", words)
            and not re.search(r"assign\w*|find an?|give|list|show", words)
            else "mapping"
        )
    if task == "topological_order":
        return (
            "truth"
            if re.match(r"\W*(?:q\W*)?(?:can|is|are|does)\b", words)
            and not re.search(r"give|list|show|solution|find|provide|which|what", f"{words} {context}")
            else "path"
        )
    if task == "pagerank":
        return (
            "nodes"
            if re.search(
                r"\b(?:which|what|who|find|name|identify)\b.*\b(?:node|most|top|high\w*|important|best|largest|greatest)\b",
                words,
            )
            and not re.search(r"(?:each|every|all) (?:the )?nodes?|scores|values|ranks of", words)
            else "mapping"
        )
    if task in ("components", "communities", "neighbours", "reachable", "common_neighbours"):
        return "number" if re.search(r"how many|number of|count", words) else "nodes"
    return ""


def _acyclic(words: str) -> bool:
    """Whether the question is if there is no cycle."""
    return bool(
        re.search(
            r"acyclic|cycle-?free|loop-?free|\bno (?:cycles?|loops?|circuits?|closed)|without (?:a |any )?(?:directed )?(?:cycle|loop|circuit)|free (?:of|from) (?:any )?(?:cycle|loop|circuit)|\b(?:a )?(?:tree|forest|dag)\b|lacks? (?:a |any )?(?:cycle|loop)|not contain|doesn't contain|not have",
            words,
        )
    )


_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "single": 1}


def _parameter(task: str, words: str) -> float | None:
    """A number that the task depends on: layers, k, damping."""
    patterns = {
        "graph_convolution": r"(\w+)[- ](?:layers?|rounds?|steps?|iterations?|times|updates?|hops?|convolutions?)",
        "core": r"(\d+)-core|k ?= ?(\d+)",
        "pagerank": r"damping(?: factor)?(?: of| is| =|=)? ?(0?\.\d+)",
    }
    for m in re.finditer(patterns[task], words) if task in patterns else ():
        text = next(group for group in m.groups() if group)
        if text in _NUMBERS:
            return _NUMBERS[text]
        if re.fullmatch(r"\d*\.?\d+", text):
            return float(text)
    return None


def _short(text: str, most: int = 120) -> str:
    bare = " ".join(text.replace(NODE, " ").split())
    return bare if len(bare) <= most else f"{bare[:most]}…"
