"""Questions that say the verb by which the text tells of edges: "Which genes interact with TP53?", "Did Ann beat Dee?"."""

import re
from dataclasses import dataclass

from graphtalk.language.english import stem
from graphtalk.language.nouns import relations
from graphtalk.reasoners.graph_agents.mentions import NODE, Asking

_BEHIND = r"(?: (?P<what>(?!with|to|on|at|for|from|by|in|into)[a-z]+))?(?: (?P<by>with|to|on|at|for|from|by|in|into))?"
_WHO = r"(?:(?:and )?(?P<many>how many) [a-z]+|who|whom|what|(?:which|what) [a-z]+)"
_NONE = r"(?:nobody|no one|nothing|none)"
_IS = r"(?:is|are|was|were|gets?|got|been)"
_MOST = r"(?: (?:by|to|with))? (?:the )?most(?: often| frequently| (?:other )?[a-z]+)?"


@dataclass(frozen=True)
class _Form:
    """A form of questions, and what it asks along the edges: `into` a node, `out` of it, a `pair`, or the most or none of these."""

    pattern: re.Pattern[str]
    asks: str


_FORMS = tuple(
    _Form(re.compile(rf"^\W*(?:q\W+)?{form}\W*$"), asks)
    for form, asks in (
        (rf"{_WHO} {_IS} (?P<verb>[a-z]+){_BEHIND} {_NONE}", "none into"),
        (rf"{_WHO} (?P<verb>[a-z]+?)e?s?{_BEHIND} {_NONE}", "none out"),
        (rf"{_WHO} {_IS} (?P<verb>[a-z]+(?:ed|en)){_MOST}", "most into"),
        (rf"{_WHO} (?P<verb>(?!is\b|are\b|has\b|have\b)[a-z]+?)e?s?{_BEHIND}{_MOST}", "most out"),
        (rf"{_WHO} (?:gets?|got|receives?|received) (?:the )?most (?P<verb>[a-z]+)s", "most into"),
        (rf"{_WHO} {_IS} (?P<verb>[a-z]+(?:ed|en))(?: in)? by {NODE}", "out"),
        (rf"by {_WHO} {_IS} {NODE} (?P<verb>[a-z]+(?:ed|en))", "into"),
        (rf"{_WHO} {_IS} {NODE} (?P<verb>[a-z]+(?:ed|en)) by", "into"),
        (rf"{_WHO} (?:directly )?(?P<verb>[a-z]+)(?: directly)?{_BEHIND} {NODE}", "into"),
        (rf"{_WHO} (?:do|does|did) {NODE} (?:directly )?(?P<verb>[a-z]+){_BEHIND}", "out"),
        (rf"(?:do|does|did) {NODE} (?:directly )?(?P<verb>[a-z]+){_BEHIND} {NODE}", "pair"),
    )
)
_WORDS = {  # by what is asked: along directed edges for a number and a list, and where they lead no way
    "none into": ("how many nodes have no incoming edges?", "which nodes have no incoming edges?"),
    "none out": ("how many nodes have no outgoing edges?", "which nodes have no outgoing edges?"),
    "most into": ("", "which node has the most incoming edges?"),
    "most out": ("", "which node has the most outgoing edges?"),
    "into": ("how many nodes have an edge to @?", "which nodes link to @?"),
    "out": ("what is the out-degree of @?", "which nodes does @ link to?"),
    "into far": ("how many nodes can reach @?", "which nodes can reach @?"),
    "out far": ("how many nodes are reachable from @?", "which nodes are reachable from @?"),
    "pair": ("", "is there a direct edge from @ to @?"),
    "pair far": ("", "is there a path from @ to @?"),
}
_EITHER_WAY = {
    "none": ("how many nodes have no edges?", "which nodes have no edges?"),
    "most": ("", "which node has the most edges?"),
    "far": ("how many nodes are in the same component as @?", "which nodes are in the same component as @?"),
    "": ("what is the degree of @?", "which nodes are neighbours of @?"),
}
_FAR = re.compile(
    r",? (?:(?:either )?direct(?:ly)? (?:or|and) indirect(?:ly)?|indirectly or directly|transitively|at (?:any|every|whatever) level)(?=\W|$),?"
)
_NO_VERBS = frozenset({"have", "has", "are", "was", "were", "can", "from", "with", "and"})


def with_verbs_told(asked: Asking, told: str, directed: bool) -> Asking:
    """The question in words that the tasks know, where its verb is one by which the text tells of edges."""
    near = _FAR.sub("", asked.words)
    for form in _FORMS:
        m = form.pattern.match(near)
        if m is None or not _tells(m["verb"], told):
            continue
        groups = m.groupdict()
        asks = form.asks if near == asked.words else f"{form.asks} far"
        if _leads_back(m["verb"], groups.get("by") or ""):
            asks = asks.replace("into", "back").replace("out", "into").replace("back", "out")
        if directed or "pair" in asks:
            words = _WORDS.get(asks, ("", ""))
        else:
            words = _EITHER_WAY[next((kind for kind in ("none", "most", "far") if kind in asks), "")]
        told_in = words[0] if groups.get("many") else words[1]
        return Asking(told_in, asked.nodes, asked.unknown) if told_in else asked
    return asked


def _leads_back(verb: str, by: str) -> bool:
    """Whether edges lead to who does this: "A depends on B" is an edge from B to A."""
    said = f"{verb.removesuffix('s')}s {by}".strip()
    return any(re.fullmatch(known, said) for known in relations()["backward"])


def _tells(verb: str, told: str) -> bool:
    """Whether a verb stands in what is told, behind a name."""
    found = (m[0] for m in re.finditer(r"(?<=[\w'\"|] )[a-z]{2,}\b", told))
    return len(verb) > 2 and verb not in _NO_VERBS and stem(verb) in map(stem, found)
