"""What form an answer shall have, and the parameters of a task, told by the words of the question."""

import re

from graphtalk.core import UsageError
from graphtalk.core.text import NUMBER_WORDS

_LENGTH = re.compile(
    r"\b(?:weight|length|distance|cost|how (?:expensive|costly|cheap|heavy|far|long|many|much|few|little|quickly|fast|soon|cheaply)|time|total|number of|hops|price|fare|value|toll|sum|latency|delay|duration|dist|in (?:minutes|hours|seconds|days|km|kilomet\w+|miles|met\w+|dollars|euros|units))\b"
)
# "the path of least weight" asks for a path, "the least weight of a path" for a weight
_OF_LEAST = re.compile(
    r"path (?:of|with|that has) (?:the )?(?:least|min\w*|low\w*|small\w*) (?:total |overall |possible )*(?:weight|cost|length|distance|time)"
    r"|(?:total|min\w*|least|low\w*)[ -](?:weight|cost|length|distance) path"
)
_LEAST_OF = re.compile(  # "the minimum mileage from @ to @"
    r"(?<!path of )(?<!path with )(?<!path of the )\b(?:min\w*|least|lowest|smallest) (?:total |overall |possible )*(?!path|edge|node|way|sequence|number)[a-z]+ (?:from|between) @"
)
# "which path has the least weight", "the shortest path by total weight"
_PATH_ITSELF = re.compile(
    r"^\W*(?:find|give|show|list|name) (?:me )?(?:the|a|one) path (?:from|between)|^\W*how (?:do|can|could|would|should) (?:i|you|we|one|they)\b.*\b(?:get|go|travel)|\bwhich path is the"
    r"|^\W*(?:which|what) path\b.*\b(?:has|have|gives?|with|of|is)\b|\b(?:which|list|give|name|find) (?:the |all )?nodes\b.*\bpath"
    r"|^\W*(?:what is|find|give|show|list|name) (?:me )?(?:a|the) (?:short|cheap|quick|fast|light|best|optim)\w* path (?!cost|weight|length|distance)[^?.]*\b(?:if (?:we|you|one) minimi[sz]e|minimi[sz]ing|by|in terms of|with respect to|according to|measured by|using)\b"
)
_COMPUTES = re.compile(
    r"\b(?:calculat|comput|determin|ascertain|identif|measur|evaluat|estimat|quantif|work out|establish)\w*"
)


def wants(task: str, words: str, context: str = "") -> str:
    """The form of the value: a verb of computing asks for a path's length, one of handing over for its nodes."""
    if task == "shortest_path":
        if _PATH_ITSELF.search(words):
            return "path"
        if _LEAST_OF.search(words):
            return "number"
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
    if task in ("spanning_tree", "heaviest_spanning_tree"):
        if re.match(r"\W*(?:q\W+)?(?:which|what|list|name)(?: (?:are|is|the|all|of))* edges\b", words):
            return "nodes"
        asks_edges = r"(?:which|list|give|show|name|what are|find|identify)\b.*\b(?:edges|spanning tree)|(?:find|construct|build|draw) (?:a|the) "
        asks_weight = r"weigh|total|cost|length|how (?:much|long|far)|what is the (?:least|min|sum)|sum"
        return "nodes" if re.search(asks_edges, words) and not re.search(asks_weight, words) else "number"
    if task == "longest_path" and re.search(r"how many nodes\b|number of nodes", words):
        return "nodes"
    if task == "longest_path":
        return (
            "path"
            if not _LENGTH.search(words)
            and not re.search(r"how (?:many|heavy|deep|high)|counted|number|max|height|depth", words)
            else "number"
        )
    if task in _BY_DEGREE:
        listed = re.search(
            r"\b(?:which|who|name|find the node|list)\b(?! (?:is|was) the [a-z]+ (?:in-?|out-?)?degree)",
            words,
        )
        return "number" if "degree" in words and not listed else "nodes"
    if task in ("largest_component", "largest_strong_component"):
        return "nodes" if re.search(r"\b(?:which|list\w*|who|members)\b", words) else "number"
    if task in _COUNTABLE:
        return "number" if _COUNTING.search(words) else "nodes"
    return ""


_COUNTING = re.compile(
    r"how many|number of|matching number|\bcount\b|\bsize\b|how (?:big|large)|independence number|clique number|cover number|how much"
)
_BY_DEGREE = frozenset("most_connected least_connected most_entered most_left".split())
_COUNTABLE = frozenset(
    "components communities neighbours within_weight reachable unreachable common_neighbours bridges articulation independent_set clique vertex_cover "
    "maximum_matching no_neighbours sinks sources nodes_of_degree hops_exactly hops_within center periphery not_neighbours any_spanning_tree "
    "strong_components reaching component_of dominating_set neighbours_of_value".split()
)


_AUX = r"^\W*(?:q\W+)?(?:is|are|was|were|does|do|did|has|have|can|could|will|would)"
_SUBJECT = r"(?:@ and @|(?!(?:so|such|that|which|who|where|with|without|if|and|or|but|whether)\b)[\w@'-]+)"
_DENIES = rf"{_AUX}(?: there)? (?:no|not)\b(?! (?:more|fewer|less|only)\b)|{_AUX}(?: {_SUBJECT}){{1,6}}? (?:not|never)\b|\b(?:impossible|untrue|false that|lacks?|fails? to|unable to)\b"
_PARTS = r"(?:component|part|piece|island|cluster|group|section)"
# What says of one task that it is not so: "disconnected", "acyclic".
_DENIED = {
    "cycle": r"acyclic|cycle-?free|loop-?free|\b(?:no|without|devoid of|absence of|free (?:of|from)) (?:(?:an?|any|all|directed|closed) )*(?:cycl|loop|circuit|circular|closed)|\b(?:is|be|are|was|forms?|makes?)\b[^?.]* (?:an? |or )(?:[a-z]+ ){0,2}(?:tree|forest|dag)\b|\blacks? (?:a |any )?(?:cycle|loop)|not contain|doesn't contain|not have",
    "connected": rf"(?:un|dis)connected|\bsplits?\b|\bisolated\b|\bfalls? (?:apart|into)\b|\b(?:several|many|multiple|different|separate) {_PARTS}s\b",
    "connectivity": rf"\bunreachable|\binaccessible|(?:un|dis)connected|\bcut off\b|\bdisjoint\b|\bisolated\b|\b(?:different|distinct|separate\w*)(?: (?:connected )?{_PARTS})?",
    "bipartite": r"\bnon-?bipartite",
    "euler_circuit": r"\bnon-?euler",
    "euler_path": r"\bnon-?euler",
    "hamilton": r"\bnon-?hamilton",
    "hamilton_cycle": r"\bnon-?hamilton",
    "edge_exists": r"\bnon-?(?:adjacent|neighbou?r)",
}
_ODD = re.compile(r"\bno (?:[a-z]+ ){0,2}odd\b")  # what is bipartite has none
_DENYING_AUX = re.compile(rf"{_AUX}(?:n't|not\b)")
_EITHER = re.compile(r"\bor (?:is |are )?(?:the |it |they )?(?:un|dis|not [a-z]|a?cyclic)")


def denies(task: str, words: str) -> bool:
    """Whether a question for yes or no asks if something is not so: "disconnected", "is there no path".

    Raises UsageError where it says so twice, or what "yes" would mean cannot be told.
    """
    words = _ODD.sub("", words) if task == "bipartite" else words
    left, own = re.subn(_DENIED.get(task, "(?!)"), "", words)  # "disconnected, in several parts" says it once
    times = min(own, 1) + len(re.findall(_DENIES, left))
    if times > 1 or _DENYING_AUX.search(words) or (times and _EITHER.search(words)):
        raise UsageError("What is asked is said with a 'not' too many to tell what yes would mean.")
    return times == 1


_NUMBERS = {**{word: number for number, word in enumerate(NUMBER_WORDS[:7]) if number}, "single": 1}
_NUMBER = r"(\d*\.?\d+|one|two|three|four|five|six)"
_PARAMETERS = {
    "graph_convolution": r"(\w+)[- ](?:layers?|rounds?|steps?|iterations?|times|updates?|hops?|convolutions?)",
    "core": r"(\d+)-core|k ?= ?(\d+)",
    "pagerank": r"damping(?: factor)?(?: of| is| =|=)? ?(0?\.\d+)",
    "k_colourable": rf"{_NUMBER}[- ](?:different )?colou?r",
    "nodes_of_degree": rf"(?P<leaf>leaves|leaf|end nodes?)|degree (?:of )?(?:[a-z]+ )*?{_NUMBER}\b|{_NUMBER} (?:or more |or fewer )?(?:different |other |direct )?(?:neighbou?r|edge|friend|connection|other)|(?:exactly|precisely) {_NUMBER}\b",
    "hops_exactly": rf"(?:distance|exactly|precisely)[a-z =]*? {_NUMBER}\b|{_NUMBER}[- ](?:hops?|steps?|edges?)",
    "neighbours_of_value": r"(?:than|at least|at most|over|under|above|below|exceed\w*) (\d+(?:\.\d+)?)|(\d+(?:\.\d+)?) (?:[a-z]+ )?or ",
    "within_weight": r"(\d+(?:\.\d+)?)(?: [a-z]+)? or (?:less|fewer)|(?:within|at most|(?:no|not) more than|up to)(?: a| an)?(?: total| overall)?(?: distance| cost| weight| length)?(?: of)? (\d+(?:\.\d+)?)",
    "hops_within": rf"(?:within|at most|no more than|up to)(?: a distance| distance)?(?: of)? {_NUMBER}\b|distance (?:of )?(?:at most )?{_NUMBER}\b|{_NUMBER}[- ](?:hops?|steps?|edges?)",
}


_SAID_BY_NUMBER = frozenset(
    ["bipartite", "no_neighbours", "sinks", "sources", "triangle_sum", "triangle_count"]
)


def uses_number(task: str) -> bool:
    """Whether a task depends on a number, or is asked by one: "with 2 colours", "of degree 0", "three who all know each other"."""
    return task in _PARAMETERS or task in _SAID_BY_NUMBER


def parameter(task: str, words: str) -> float | None:
    """A number that the task depends on: layers, k, damping, a degree, a distance."""
    if task in ("hops_exactly", "hops_within") and re.search(
        r"friends of|neighbou?rs of (?:the |its )?neighbou?rs", words
    ):
        return 2
    for m in re.finditer(_PARAMETERS[task], words) if task in _PARAMETERS else ():
        text = next(group for group in m.groups() if group)
        if m.groupdict().get("leaf"):
            return 1
        if text in _NUMBERS:
            return _NUMBERS[text]
        if re.fullmatch(r"\d*\.?\d+", text):
            return float(text)
    return None


_COMPARED = (
    (r"at least|or (?:more|older|above|higher|over)|no (?:less|fewer) than", ">="),
    (r"at most|or (?:less|fewer|younger|lower|under)|no more than|up to", "<="),
    (r"(?:more|greater|higher|larger|older|bigger|heavier|taller|richer) than|above|over \d|exceed", ">"),
    (r"(?:less|fewer|lower|smaller|younger|lighter|cheaper|poorer) than|below|under \d", "<"),
)


def comparison(words: str) -> str:
    """How a number in a question is to be compared with: "at least 3 neighbours"."""
    return next((sign for pattern, sign in _COMPARED if re.search(pattern, words)), "=")


def leaves_weights_aside(words: str) -> bool:
    """Whether lengths are to be counted in edges, though edges have weights."""
    return bool(
        re.search(
            r"(?:ignor|disregard)\w*\b.*\bweight|regardless of .*weight|\bhops?\b|(?:few\w*|number of|how many) (?:edges|steps|stops)"
            r"|how many nodes (?:away|apart)\b|(?:counted|measured|counting) (?:in |only )?(?:the )?(?:edges|hops|number)|\bin (?:terms of )?(?:edges|hops)\b",
            words,
        )
    )
