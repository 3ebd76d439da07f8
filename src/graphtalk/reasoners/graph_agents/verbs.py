"""Questions that say the verb by which the text tells of edges: "Which genes interact with TP53?", "Did Ann beat Dee?"."""

import re

from graphtalk.language.english import stem
from graphtalk.reasoners.graph_agents.mentions import NODE, Asking

_BEHIND = r"(?: (?P<by>with|to|on|at|for|from|by))?"
_WHO = r"^\W*(?:q\W+)?(?:(?:and )?(?P<many>how many) [a-z]+|who|whom|what|(?:which|what) [a-z]+)"
_FORMS = (  # what is asked, and in which words the tasks know it: along the edges, and where they lead no way
    (
        rf"{_WHO} (?:directly )?(?P<verb>[a-z]+)(?: directly)?{_BEHIND} {NODE}\W*$",
        "have an edge to @",
        "link to @",
    ),
    (
        rf"{_WHO} (?:do|does|did) {NODE} (?P<verb>[a-z]+){_BEHIND}\W*$",
        "does @ have an edge to",
        "does @ link to",
    ),
    (rf"{_WHO} (?P<verb>[a-z]+?)e?s?{_BEHIND} (?:nobody|no one|nothing|none)\W*$", "", ""),
    (rf"{_WHO} (?:is|are|was|were) (?P<verb>[a-z]+){_BEHIND} (?:nobody|no one|nothing|none)\W*$", "", ""),
    (rf"^\W*(?:q\W+)?(?:do|does|did) {NODE} (?:directly )?(?P<verb>[a-z]+){_BEHIND} {NODE}\W*$", "", ""),
)

_NO_VERBS = frozenset({"have", "has", "are", "was", "were", "can", "from", "with", "and"})


def with_verbs_told(asked: Asking, told: str, directed: bool) -> Asking:
    """The question in words that the tasks know, where its verb is one by which the text tells of edges."""
    for place, (form, counted, listed) in enumerate(_FORMS):
        m = re.match(form, asked.words)
        if m is None or not _tells(m["verb"], told):
            continue
        if place in (2, 3):
            way = "outgoing " if place == 2 else "incoming "
            words = f"{'how many' if m['many'] else 'which'} nodes have no {way if directed else ''}edges?"
        elif place == 4:
            words = f"is there a direct edge from {NODE} to {NODE}?"
        elif not directed:
            words = (
                f"what is the degree of {NODE}?" if m["many"] else f"which nodes are neighbours of {NODE}?"
            )
        elif m["many"]:
            words = f"how many nodes {counted}?" if place == 0 else f"what is the out-degree of {NODE}?"
        else:
            words = f"which nodes {listed}?"
        return Asking(words, asked.nodes, asked.unknown)
    return asked


def _tells(verb: str, told: str) -> bool:
    """Whether a verb stands in what is told, behind a name."""
    found = (m[0] for m in re.finditer(r"(?<=[\w'\"|] )[a-z]{2,}\b", told))
    return len(verb) > 2 and verb not in _NO_VERBS and stem(verb) in map(stem, found)
