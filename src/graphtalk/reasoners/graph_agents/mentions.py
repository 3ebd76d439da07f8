"""The nodes that a question names, and its words with nouns of every story brought to `node`, `edge` and `path`."""

import re
from dataclasses import dataclass
from functools import cache

from graphtalk.core import UsageError
from graphtalk.language.nouns import any_of, either, forms, nouns, words
from graphtalk.reasoners.graph_agents.described import Described

NODE = "@"  # stands for a node that is named

_TARGET = r"(?:sink|target|dest|destination|end|ending|goal|final|to|last|terminal|second|t)"
_AFTER = (
    r"(?! ?(?:-|–)?(?:(?:st|nd|rd|th)\b|core|layers?|rounds?|steps?|hops?|times?|iterations?|colou?rs?|groups?|sets?|parts\b|percent|%|most|"
    r"largest|smallest|highest|best|edges\b|nodes\b|vertices\b))"
)
_BEFORE = re.compile(
    r"(?:top|first|exactly|least|most|than|within|after|k ?=|every|fewer|damping(?: factor)?(?: of)?|factor of|depth|every|equal to|equals|precisely|distance(?: of)?|degree(?: of)?|size|(?:length|weight|cost|total|budget)(?: of)?|=\s*0\.)\s*$",
    re.I,
)
_TURNED = re.compile(
    rf"(?:\bto {NODE}[^.?@]*\b(?:from|starting|if (?:you|we|i) (?:start|begin)|beginning) [^.?@]*{NODE}"
    rf"|{NODE}[^.?@]{{0,40}}\b(?:reachable|reached|accessible|visited|away|far|distant|got to|arrived at|entered)\b[^.?@]*\bfrom[^.?@]*{NODE}"
    rf"|\b(?:far|distant|away|distance) (?:away )?(?:is|of|are|lies) [^.?@]*{NODE}[^.?@]* from [^.?@]*{NODE}"
    rf"|\breach(?:ing)? [^.?@]*{NODE}[^.?@]* from [^.?@]*{NODE}"
    rf"|{NODE}[^.?@]* (?:gets?|receives?|get|receive)\b[^.?@]* from [^.?@]*{NODE})"
)

_LEFT_OUT = re.compile(
    r"itself|himself|herself|not count|without|exclud|other than|except|apart from|besides|leav\w+ out|neither|not includ|but not"
)
_QUOTED = re.compile(r"(?<!\w)['‘`]([^'’`\n]{1,60})['’`](?!\w)")
_COUNTED = re.compile(
    rf" (?:other |different |direct |of )?(?:neighbou?rs|friends|others?|{either('edges')})\b"
)
_MEASURED = re.compile(r"\b(?:equal to|equals|distance of)\s*$")
_POINTS = re.compile(r"\bpoint(s?|ing) (?:(?:in)?to|at)\b")
_STEPS = re.compile(r"\b(\d+|one|two|three|four|five|six) steps?\b")


@dataclass(frozen=True)
class Asking:
    """A question's canonical words, the nodes it names in the order source, target, and names that are no nodes."""

    words: str
    nodes: tuple[int, ...]
    unknown: tuple[str, ...] = ()

    def need(self, count: int, described: Described, what: str) -> tuple[int, ...]:
        """The first so many nodes. Raises UsageError where one is not in the graph, or fewer are named."""
        if self.unknown:
            raise UsageError(f"There is no node {self.unknown[0]!r} in the graph: {_nodes(described)}.")
        if len(self.nodes) < count:
            raise UsageError(f"The question names {len(self.nodes)} of the {count} nodes that {what} needs.")
        return self.nodes[:count]


def asking(text: str, described: Described, strict: bool = False) -> Asking:
    """The canonical words and nodes of a question. `strict`: only names with a noun before them are nodes."""
    marked, names = _marked(text, described, strict)
    canonical = canonical_words(marked)
    nodes, unknown = [], []
    for name in names:
        place = described.position.get(name)
        if place is None:
            unknown.append(name)
        elif place not in nodes or len(names) == 2:
            nodes.append(place)
    if len(nodes) == 2 and nodes[0] == nodes[1] and _LEFT_OUT.search(canonical):
        nodes.pop()  # "within two hops of A, A itself left out"
    if len(nodes) == 2 and _TURNED.search(canonical):
        nodes.reverse()
    return Asking(canonical, tuple(nodes), tuple(dict.fromkeys(unknown)))


def _marked(text: str, described: Described, strict: bool) -> tuple[str, list[str]]:
    """The text with a mark for every node that it names, and the names; those of parameters in their order."""
    found: list[tuple[int, str]] = []
    given: list[tuple[int, str]] = []

    def parameter(m: re.Match[str]) -> str:
        key = m["key"].lower()
        rank = 1 if re.search(rf"(?:^|_){_TARGET}(?:$|_)", key) else 0
        given.append((rank, m["name"].strip("\"'")))
        return f" {NODE} "

    text = _QUOTED.sub(lambda m: f'"{m[1]}"' if m[1] in described.position else m[0], text)
    text = _parameter().sub(parameter, text.replace("i.e.", "that is").replace("e.g.", "such as"))

    def mention(m: re.Match[str]) -> str:
        name = m["name"].strip("\"'")
        if strict and (m["noun"] is None or m["noun"].lower() in _plurals("nodes")):
            return m[0]
        if (
            m["noun"] is None
            and m["way"] is None
            and name.isdecimal()
            and _BEFORE.search(text[max(0, m.start() - 20) : m.start()])
        ):
            return m[0]
        if m["noun"] is None and _MEASURED.search(text, max(0, m.start("name") - 20), m.start("name")):
            return m[0]
        if m["noun"] is None and name.isdecimal() and _COUNTED.match(text, m.end()):
            return m[0]
        if name not in described.position and not (m["noun"] or m["way"]):
            return m[0]
        if (
            name not in described.position
            and not name.isdecimal()
            and (name.lower() in _WORDS or name.islower())
        ):
            return m[0]
        found.append((len(found), name))
        return f"{m['way'] or ''}{NODE}"

    text = _mention(described).sub(mention, text)
    text = text.replace(f'"{NODE}"', NODE).replace(f"'{NODE}'", NODE)
    return text, [name for _, name in sorted(given, key=lambda pair: pair[0])] + [name for _, name in found]


@cache
def _parameter() -> re.Pattern[str]:
    noun = either("nodes")
    return re.compile(
        rf"\b(?P<key>\w*(?:source|src|start|origin|sink|target|dest|destination|end|goal|node|vertex)\w*)\s*(?:=|:=|:)\s*(?:{noun} )?"
        r"(?P<name>\"[^\"]+\"|'[^']+'|\w+)",
        re.I,
    )


def _mention(described: Described) -> re.Pattern[str]:
    noun = f"(?i:{either('nodes')})"
    way = r"(?:from|to|between|and|,|with|into|reach|at|via|through|of|is|are|does|can|source|sink|target|destination|in|,)"
    head = rf"(?P<way>\b(?i:{way})\s+(?:the )?|,\s*)?(?:(?P<noun>\b{noun})\s+(?:numbered |number |labell?ed |named |called )?)?"
    if described.numbered:
        return re.compile(rf"{head}(?P<name>(?<![\w.-])\d+\b(?!\.\d){_AFTER})")
    if described.num_nodes > 50_000:
        names = r"\"[^\"]+\"|'[^']+'|[A-Z]\w*"
    else:
        parts = sorted(described.names, key=len, reverse=True)
        names = "|".join(re.escape(name) if len(name) > 1 else _letter(name) for name in parts)
        names += rf"|(?<=from )[A-Z]\w*|(?<=to )[A-Z]\w*|(?<=between )[A-Z]\w*|(?<=and )[A-Z]\w*|(?<={'node'} )\w+|(?<=vertex )\w+"
    return re.compile(rf"{head}(?P<name>(?<![\w'])(?:{names})(?!\w))")


def _letter(name: str) -> str:
    """A name of one letter, where it is no word: "a path", "I want"."""
    if name in ("a", "i"):
        return rf"(?:(?<=node )|(?<=vertex )|(?<=from )|(?<=to )|(?<=between )|(?<=and )){name}(?! (?!and\b|can\b)[a-z]{{3,}})|{name}(?=['’]s\b|\s*[?.,;:]|\s*$)"
    if name in ("A", "I"):
        inside = (
            "(?<=[a-z,;:] )A|" if name == "A" else r"(?<=does )I|(?<=is )I(?! )|"
        )  # no article in a sentence
        return rf"{inside}{name}(?! (?!and\b|to\b|or\b|is\b|in\b|can\b|with\b|reach|from\b|on\b|at\b|by\b|via\b|if\b|the\b|through\b|be\b|have\b|has\b)[a-z])"
    return re.escape(name)


_WORDS = frozenset(
    "a an the it this that these there each every any all two both one and or graph network map g i".split()
)


def canonical_words(text: str) -> str:
    """Lower-case words; nodes are called `node`, edges `edge`, ways `path`, whatever the story calls them.

    >>> canonical_words("Which cities have most roads?")
    'which nodes have most edges?'
    """
    low = _STEPS.sub(r"\1 hops", " ".join(text.lower().replace("’", "'").split()))
    low = _POINTS.sub(r"lead\1 to", low)  # no point is meant
    low = _paths().sub(lambda m: "paths" if m[1].endswith("s") else "path", low)
    low = _edges().sub(lambda m: "edges" if m[1] in _plurals("edges") else "edge", low)
    return _nodes_pattern().sub(lambda m: "nodes" if m[1] in _plurals("nodes") else "node", low)


@cache
def _paths() -> re.Pattern[str]:
    return re.compile(
        r"(?<!random )(?<!euler )(?<!eulerian )(?<!hamilton )(?<!hamiltonian )\b(routes?|ways?|paths?|walk(?!s)|itinerar(?:y|ies)|journeys?|trips?|tours?|chains?)\b(?! to (?:assign|match|pair|arrange|order))"
    )


@cache
def _edges() -> re.Pattern[str]:
    listed = words("edges") - {
        "path",
        "paths",
        "route",
        "routes",
        "way",
        "ways",
        "flow",
        "relation",
        "relations",
        "line",
        "lines",
        "bridge",
        "bridges",
    }
    return re.compile(
        rf"(?<!to )(?<!us )(?<!who )(?<!{NODE} )\b({any_of(listed)})\b"
    )  # "@ links to" is a verb


@cache
def _nodes_pattern() -> re.Pattern[str]:
    listed = words("nodes") - {
        "file",
        "files",
        "place",
        "places",
        "class",
        "classes",
        "process",
        "order",
        "team",
        "teams",
        "state",
        "states",
    }
    return re.compile(rf"\b({any_of(listed)})\b")


@cache
def _plurals(kind: str) -> frozenset[str]:
    return frozenset(forms(word)[1] for word in nouns()[kind].split())


def _nodes(described: Described) -> str:
    names = described.names
    if described.numbered and len(names) > 2:
        return f"its nodes are {names[0]} to {names[-1]}"
    return f"its nodes are {', '.join(names[:8])}" + (" …" if len(names) > 8 else "")
