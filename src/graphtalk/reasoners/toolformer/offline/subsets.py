"""Node and link subsets that a text names in so many words: they are spans of it (paper, section 4.4.1).

What stands in braces is a set as it is written: `{0, 1}`, `{(0, 1)}`, `{(C=O)}`; a file or an address of one is the graph's place. Else `Paper#10` is a node, as are those
of "nodes 0, 1 and 2", "carbon-oxygen double bond" two nodes and a link, and where a text says of which graph it speaks before a comma, the names behind
it are nodes, each linked with the next.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from graphtalk.calls import Expression, Text, find_calls
from graphtalk.calls.lexer import quote
from graphtalk.language.nouns import singular
from graphtalk.reasoners.toolformer.offline.candidates import GRAPH_NOUNS, slug
from graphtalk.reasoners.toolformer.offline.catalogue import MOLECULAR, PROPERTY, Catalogue
from graphtalk.reasoners.toolformer.offline.mentions import GRAPH, Token, read
from graphtalk.reasoners.toolformer.offline.strangers import FILE

_HASHED, _BARE = r"#\s?(?:\w[\w/.-]*\w|\w)", r"\d+(?![\w.]*\w)"
_AND = r"(?:\s?,\s?(?:and\s)?|\s(?:and|or|to|with)\s)"
_KINDS = (
    "node|vertex|vertice|paper|article|user|member|molecule|atom|protein|entity|entitie|movie|item|artist"
)
_IDS = re.compile(
    rf"\b(?:(?P<kind>[A-Za-z]+)\s?(?P<ids>{_HASHED}(?:{_AND}{_HASHED})*)|"
    rf"(?P<counted>(?i:{_KINDS})s?)\s(?P<numbers>{_BARE}(?:{_AND}{_BARE})*))"
)
_ONE = re.compile(r"\w[\w/.-]*\w|\w")
_JOINER = re.compile(_AND)
_LINKED = re.compile(
    r"\b(?:cites?|cited|follows?|rates?|rated|likes?|knows?|linked|links|connected|connects|joins|joined|adjacent|interacts?)\b",
    re.I,
)
_LINK_BETWEEN = re.compile(
    r"\b(?:links?|edges?|bonds?|connections?)\s(?:exists\s|runs\s)?between\s(?:the\s)?$", re.I
)
_OF_GRAPHS = re.compile(r"\b(?:graphs?|networks?|nodes?|links?|edges?)\b", re.I)
_NOT = re.compile(r"\b(?:no|not|never|neither|nor|without)\b|n['’]t\b", re.I)
_SET = re.compile(r"\{[^{}]+\}")
_BONDS = re.compile(
    r"\((?:[A-Za-z]+\s?[=≡]\s?[A-Za-z]+|[A-Z][a-z]?\s?[-–]\s?[A-Z][a-z]?)\)"
)  # "the link (C=O)", but not "(co-author)"
_BOND = re.compile(
    r"\b(?P<one>[A-Za-z]+)\s?[-–=≡]\s?(?P<other>[A-Za-z]+)\s(?:(?:single|double|triple|covalent|ionic|hydrogen|polar|chemical)\s)*"
    r"(?:bonds?|links?|edges?|connections?)\b"
)
_INTRODUCED = re.compile(
    r"(?P<how>(?:In|At|On|Within|According to|From)\sthe\s)(?P<name>[^\W\d_][\w.-]*(?:\s[\w.-]+){0,4}?)\s"
    r"(?P<noun>(?:(?:knowledge|recommender|social|citation|bibliographic|collaboration|molecular|recommendation)\s)?"
    r"(?:graph|network|system|platform|database))\b[^,]{0,40},\s"
)
_QUOTED = re.compile(r'"([^"]{1,80})"|“([^”]{1,80})”')
_PROPER = re.compile(r"\b[A-Z][\w.'’-]*(?:\s(?:of|the|and|for|de|van|von)\s[A-Z][\w.'’-]*|\s[A-Z][\w.'’-]*)*")
_RELATIONS = {
    "paper": "citation",
    "article": "citation",
    "user": "friendship",
    "atom": "bond",
    "protein": "interaction",
}


@dataclass(frozen=True)
class Subsets:
    """A loading call that a text names in words: the graph's name, the sets as they are written, and where it stands."""

    name: str
    nodes: str
    links: str
    at: int
    member: str = ""

    def inserted(self, text: str) -> str:
        """The text with the call. `member`: of a set of graphs the one that is meant."""
        call = f"[GL({', '.join(filter(None, (quote(self.name), self.member, self.nodes, self.links)))})]"
        return f"{text[: self.at]}{call} {text[self.at :]}"


def subsets(text: str, catalogue: Catalogue) -> Subsets | None:
    """The call for what a statement names of a graph; None where it names no nodes or links in such words."""
    place = FILE.search(text)
    if place and _OF_GRAPHS.search(text):
        nodes, links, _ = written(text) or ('"all nodes"', '"all links"', 0)
        return Subsets(place[0], nodes, links, place.start())
    reading = read(text, catalogue)
    known = reading.data.name if reading.data is not None and reading.data.family != PROPERTY else ""
    members = reading.of(GRAPH)
    named = _introduced(text, known)
    if named is not None:
        return named
    name = known or reading.member.replace("_", "-") or _graph_of(text)
    if not name:
        return None
    if reading.data is not None and reading.data.family == MOLECULAR:
        return _of_molecule(text, name, reading.of("instance"))
    if sets := written(text):
        return Subsets(name, *sets)
    if told := _of_ids(text, name):
        return told
    if members and text[: members[0].start].casefold() == "the ":
        return Subsets(name, '"all nodes"', '"all links"', members[0].start)
    return Subsets(name, *sets) if (sets := _bond(text)) else None


def _of_molecule(text: str, name: str, instances: Sequence[Token]) -> Subsets | None:
    """One graph of a set of molecules, and what the text names of it."""
    if len(instances) != 1 or instances[0].place:
        return None
    (one,) = instances
    nodes, links, start = written(text) or _bond(text) or ("", "", one.start)
    return Subsets(name, nodes, links, min(start, one.start), f"{{{one.kind}#{one.value}}}")


def _bond(text: str) -> tuple[str, str, int] | None:
    """The atoms and the link of "carbon-oxygen double bond", and where it stands."""
    bond = _BOND.search(text)
    if bond is None:
        return None
    one, other = bond["one"].capitalize(), bond["other"].capitalize()
    return f"{{{one}, {other}}}", f"{{({one}, {other})}}", bond.start()


def written(text: str, links: str = '"all related links"') -> tuple[str, str, int] | None:
    """The node set and the link set that a text writes itself, and where the first begins; None where it writes none.

    Of one without the other all that is related is meant, as in the paper (4.3.1), or these `links`.
    """
    found = {"nodes": '"all related nodes"', "links": links}
    starts = []
    for match in (*_SET.finditer(text), *_BONDS.finditer(text)):
        told = match[0] if match[0].startswith("{") else f"{{{match[0]}}}"
        part = "links" if told[1:].lstrip().startswith("(") else "nodes"
        if found[part].startswith('"'):
            found[part] = told
            starts.append(match.start())
    if not starts or not find_calls(f'[GL("x", {found["nodes"]}, {found["links"]})]'):
        return None
    return found["nodes"], found["links"], min(starts)


def written_arguments(text: str) -> tuple[Expression, ...]:
    """The sets that a text asks about and writes itself, as arguments of `GL`; none where it writes none. Of nodes those and the
    links among them are meant.
    """
    sets = written(text, '"all links"')
    if sets is None:
        return ()
    (call,) = find_calls(f'[GL("x", {sets[0]}, {sets[1]})]')
    return call.call.arguments[1:]


def with_written(text: str, loaded: str) -> str:
    """`loaded`, a text to which a loading call was added, with the sets in it that `text` writes itself."""
    sets = written(text)
    if sets is None or loaded == text:
        return loaded
    nodes, links, start = sets
    (found,) = find_calls(loaded)
    (name, *_) = found.call.arguments
    assert isinstance(name, Text)
    return Subsets(name.value, nodes, links, min(found.start, start)).inserted(text)


def _of_ids(text: str, name: str) -> Subsets | None:
    """Of "paper #3 and paper #17" or "nodes 0, 1 and 2" the set of these nodes, and their link where two are said to have one."""
    found = list(_IDS.finditer(text))
    nodes: dict[str, None] = {}
    for match in found:
        kind = singular((match["kind"] or match["counted"]).lower()).capitalize()
        for each in _JOINER.split(match["ids"] or match["numbers"]):
            one = each.lstrip("# ")
            nodes[one if one.isdigit() and kind in ("Node", "Vertex") else f"{kind}#{one}"] = None
    if not nodes:
        return None
    kinds = {singular((match["kind"] or match["counted"]).lower()) for match in found}
    kind = (
        _RELATIONS.get(kinds.pop(), "") if len(kinds) == 1 else ""
    )  # users and items are linked by no friendship
    links = f'"all related {kind} links"' if kind else '"all related links"'
    start, end = found[0].start(), found[-1].end()
    clause = (
        re.split(r"[,;:]\s|\.(?:\s|$)", text[start:], maxsplit=1)[0] if len(found) == 1 else text[start:end]
    )
    linked = _LINKED.search(clause) or _LINK_BETWEEN.search(text, 0, start)
    if len(nodes) == 2 and linked and not _NOT.search(text):
        links = f"{{({', '.join(nodes)})}}"
    return Subsets(name, f"{{{', '.join(nodes)}}}", links, start)


def _introduced(text: str, known: str) -> Subsets | None:
    """Of "At the IMDB recommender system, David rates …" the names behind the comma, each linked with the next."""
    found = _INTRODUCED.match(text)
    if found is None:
        return None
    rest, names = text[found.end() :], list[tuple[int, str]]()
    for match in _QUOTED.finditer(rest):
        names.append((match.start(), match[1] or match[2]))
    taken = [match.span() for match in _QUOTED.finditer(rest)]
    for match in _PROPER.finditer(rest):
        if (
            not any(start <= match.start() < end for start, end in taken)
            and match[0].lower() not in GRAPH_NOUNS
        ):
            names.append((match.start(), match[0].rstrip(".")))
    ordered = list(dict.fromkeys(name for _, name in sorted(names)))
    if len(ordered) < 2:
        return None
    written = [quote(name) for name in ordered]
    pairs = ", ".join(f"({one}, {other})" for one, other in pairwise(written))
    name = known or slug([*found["name"].split(), *found["noun"].split()])
    return Subsets(name, f"{{{', '.join(written)}}}", f"{{{pairs}}}", found.end("how"))


def _graph_of(text: str) -> str:
    """The graph that a text names by its noun: "the Acetaldehyde molecular graph"."""
    found = re.search(r"\b[Tt]he\s((?:[^\W\d_][\w-]*\s){1,3}(?:graph|network))\b", text)
    return slug(found[1].split()) if found else ""
