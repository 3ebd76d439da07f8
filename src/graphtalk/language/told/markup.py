"""Graphs in a text as tools write them: GraphML and GEXF, GML, HTML tables, Mermaid. Each becomes a record or rows that are read as all others."""

import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import Any
from xml.parsers import expat

from graphtalk.core import UsageError
from graphtalk.language.told.listing import HEADING, HOLE, Listing, Taken, measure, weights_or_none
from graphtalk.language.told.records import graph_of
from graphtalk.language.told.rows import of_table

_XML = re.compile(r"(?:<\?xml[^>]*\?>\s*)?<(graphml|gexf)\b.*?</\1\s*>", re.S | re.I)
_TABLE = re.compile(r"<table\b.*?</table\s*>", re.S | re.I)
_GML = re.compile(r"\bgraph\s*\[\s*(?=[A-Za-z_]\w*\s)")
_TOKEN = re.compile(
    r'\s*(?:(?P<key>[A-Za-z_]\w*)|(?P<number>[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|"(?P<text>[^"]*)"|(?P<open>\[)|(?P<shut>\]))'
)
_MERMAID = re.compile(
    r"^[ \t]*(?:graph|flowchart)[ \t]+(?:TD|TB|BT|LR|RL)\b[ \t]*;?[ \t]*\n(?P<body>(?:[ \t]*(?:%%[^\n]*)?\n|[ \t]*[^\n]*?(?:--|==|-\.)[^\n]*(?:\n|$)|[ \t]*[\w.-]+(?:[(\[{][^\n]*[)\]}])?[ \t]*;?[ \t]*(?:\n|$))+)",
    re.M,
)
_SHAPE = r"(?:\(\(([^()\n]+)\)\)|\[\[?([^\[\]\n]+)\]?\]|\(([^()\n]+)\)|\{\{?([^{}\n]+)\}?\})"
_MEMBER = re.compile(rf"\s*([\w.]+(?:-[\w.]+)*)\s*(?:{_SHAPE})?")
_LINK = re.compile(
    r"\s*(?:(?P<sign><?(?:--+|==+|-\.+-)[>xo]?)\s*(?:\|(?P<label>[^|\n]*)\|)?|(?:--|==)\s+(?P<said>[^\n>|=-]+?)\s+(?P<long>(?:--+|==+)>?))"
)


def take_markup(text: str) -> Taken:
    """The text without such graphs, a hole for each, and these. Raises UsageError for one that cannot be read."""
    found: list[Listing] = []
    for mark, pattern, read in (
        ("</", _XML, _of_xml),
        ("</", _TABLE, _of_html),
        ("[", _GML, _of_gml),
        ("--", _MERMAID, _of_mermaid),
        ("==", _MERMAID, _of_mermaid),
    ):
        if mark in text:
            text = _taken(text, pattern, read, found)
    return text, found


_Read = Callable[[str, "re.Match[str]", str], tuple[int, Listing | None]]


def _taken(text: str, pattern: re.Pattern[str], read: _Read, found: list[Listing]) -> str:
    kept, last = [], 0
    while (m := pattern.search(text, last)) is not None:
        end, listing = read(text, m, text[max(0, m.start() - HEADING) : m.start()])
        kept.append(text[last : end if listing is None else m.start()])
        if listing is not None:
            kept.append(f"\n{HOLE}\n")
            found.append(listing)
        last = end
    return "".join([*kept, text[last:]])


def _of_xml(text: str, m: re.Match[str], heading: str) -> tuple[int, Listing | None]:
    """GraphML and GEXF. Entities are refused; data of nodes and edges go by what their keys are called."""
    record: dict[str, Any] = {"directed": m[1].lower() == "graphml", "nodes": [], "links": []}
    keys: dict[str, str] = {}
    within: list[dict[str, Any]] = []
    data = ""

    def start(name: str, told: dict[str, str]) -> None:
        nonlocal data
        name = name.rpartition(":")[2]
        if name in ("key", "attribute"):
            keys[told.get("id", "")] = told.get("attr.name") or told.get("title") or told.get("id", "")
        elif name == "graph":
            record["directed"] = "undirected" not in (
                told.get("edgedefault"), told.get("defaultedgetype", "" if m[1].lower() == "graphml" else "undirected")
            )  # fmt: skip
        elif name in ("node", "edge"):
            within.append({k: v for k, v in told.items() if name == "node" or k not in ("id", "label")})
            record["nodes" if name == "node" else "links"].append(within[-1])
        elif name == "attvalue" and within:
            within[-1][keys.get(told.get("for", ""), "value")] = told.get("value")
        data = keys.get(told.get("key", ""), told.get("key", "")) if name == "data" else ""

    def letters(told: str) -> None:
        if data and within:
            within[-1][data] = f"{within[-1].get(data, '')}{told}".strip()

    def end(name: str) -> None:
        nonlocal data
        data = ""
        if name.rpartition(":")[2] in ("node", "edge"):
            within.pop()

    def refuse(*_: Any) -> None:
        raise UsageError(f"The {m[1]} of the graph declares entities, which are not read.")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.EntityDeclHandler = letters, refuse
    try:
        parser.Parse(m[0].strip(), True)
    except expat.ExpatError as error:
        raise UsageError(f"The {m[1]} of the graph cannot be read: {error}.") from None
    for link in record["links"]:
        if link.pop("directed", link.pop("type", None)) in ("true", "false", "directed", "undirected"):
            raise UsageError(f"The {m[1]} of the graph has edges with a direction of their own.")
    return m.end(), graph_of(record, heading)


class _Rows(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.inside = False

    def handle_starttag(self, tag: str, _: Any) -> None:
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th") and self.rows:
            self.rows[-1].append("")
        self.inside = tag in ("td", "th") or (self.inside and tag not in ("tr", "table"))

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag not in ("td", "th", "tr")

    def handle_data(self, data: str) -> None:
        if self.inside and self.rows and self.rows[-1]:
            self.rows[-1][-1] = f"{self.rows[-1][-1]}{data}".strip()


def _of_html(_: str, m: re.Match[str], heading: str) -> tuple[int, Listing | None]:
    parser = _Rows()
    parser.feed(m[0])
    rows = [row for row in parser.rows if row]
    return m.end(), of_table(rows, heading, framed=True) if len(rows) > 1 else None


def _of_gml(text: str, m: re.Match[str], heading: str) -> tuple[int, Listing | None]:
    """GML (Himsolt, 1997): keys and values, lists in brackets. Nodes go by their labels where each has one of its own."""
    held, end = _members(text, m.end())
    nodes = [node for node in held.get("node", ()) if isinstance(node, dict)]
    edges = [edge for edge in held.get("edge", ()) if isinstance(edge, dict)]
    if not nodes or not all("id" in node for node in nodes):
        return m.end(), None
    labels = {str(node.get("label", "")) for node in nodes}
    named = "" not in labels and len(labels) == len(nodes)
    called = {str(node["id"]): str(node["label"] if named else node["id"]) for node in nodes}
    for node in nodes:
        node["id"] = called[str(node.pop("id"))]
        node.pop("label", None)
    for edge in edges:
        edge |= {k: called.get(str(edge[k]), str(edge[k])) for k in ("source", "target") if k in edge}
        edge.pop("label", None)
    record = {"directed": bool(held.get("directed", [0])[-1]), "nodes": nodes, "links": edges}
    return end, graph_of(record, heading)


def _members(text: str, place: int, depth: int = 0) -> tuple[dict[str, Any], int]:
    """The members of a list of GML, of the outermost each key with all its values, and the place behind it."""
    found: dict[str, Any] = {}
    while (key := _TOKEN.match(text, place)) is not None and key["key"]:
        value = _TOKEN.match(text, key.end())
        if value is None or value["key"] or value["shut"]:
            break
        place = value.end()
        one: Any
        if value["open"]:
            if depth > 2:
                break
            one, place = _members(text, place, depth + 1)
        else:
            one = (
                measure(value["number"])
                if value["number"] and depth == 0
                else value["number"] or value["text"]
            )
        if depth:
            found[key["key"]] = one
        else:
            found.setdefault(key["key"], []).append(one)
    if key is None or not key["shut"]:
        raise UsageError(f"The GML of the graph cannot be read: {text[place : place + 40].strip()!r}.")
    return found, key.end()


def _of_mermaid(_: str, m: re.Match[str], heading: str) -> tuple[int, Listing | None]:
    """Mermaid's flow charts: `A[Start] --> B & C`, `A -->|5| B`. A node is called by what is shown of it."""
    called: dict[str, str] = {}
    edges: list[tuple[str, str, str, str]] = []
    for line in re.split(r"[\n;]", m["body"]):
        bare = line.partition("%%")[0].strip()
        if bare and not bare.startswith(("style ", "classDef ", "class ", "linkStyle ", "direction ")):
            edges += _chain(bare, called)
    leads = {sign.endswith(">") for *_, sign in edges}
    if not edges or len(leads) > 1 or any("<" in sign for *_, sign in edges):
        raise UsageError("The Mermaid of the graph cannot be read: edges with and without a direction.")
    weights = weights_or_none([measure(label) if label else None for *_, label, _ in edges])
    if weights is not None and any(label and measure(label) is None for *_, label, _ in edges):
        weights = None
    source, target = ([called[edge[end]] for edge in edges] for end in (0, 1))
    names = list(dict.fromkeys(called.values()))
    return m.end(), Listing(source, target, weights, leads.pop(), heading, names=names)


def _chain(line: str, called: dict[str, str]) -> Iterator[tuple[str, str, str, str]]:
    """The edges of a line: ends, what is said at the edge, its sign. Raises UsageError for what cannot be read."""
    before: list[str] = []
    link: re.Match[str] | None = None
    place = 0
    while True:
        group = []
        while (one := _MEMBER.match(line, place)) is not None:
            shown = next((text.strip(" \"'/\\") for text in one.groups()[1:] if text), "")
            called[one[1]] = shown or called.get(one[1], one[1])
            group.append(one[1])
            place = one.end()
            beside = re.compile(r"\s*&\s*").match(line, place)
            if beside is None:
                break
            place = beside.end()
        if link is not None:
            said = (link["label"] or link["said"] or "").strip(" \"'")
            sign = link["sign"] or link["long"]
            yield from ((a, b, said, sign) for a in before for b in group)
        link, before = _LINK.match(line, place), group
        if not group or (link is None and line[place:].strip()):
            raise UsageError(f"The Mermaid of the graph cannot be read: {line!r}.")
        if link is None:
            return
        place = link.end()
